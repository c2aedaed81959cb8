// SPDX-License-Identifier: MIT
/* A question, from one stage to the next. */
#include "prove/logic/lemma.h"
#include "prove/solver/query.h"
#include "prove/solver/task.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MODEL_S 1.0
/* Seconds that the first prover has for itself: it knows most of all within them, and each start of another costs as much. What it
 * doesn't know by then with the first sort of lemmas needs those of the second, of which both are told. */
#define ALONE_S 0.08

static double least(double x, double y)
{
    return x < y ? x : y;
}

static struct rd_proof_goal *goal_of(const struct rd_solver *solver,
                                     const struct rd_solver_task *task)
{
    return &solver->proof->goals[task->goal];
}

/* ---- texts ---- */

size_t rd_solver_n_base(const struct rd_proof_goal *goal)
{
    if (goal->n_base > 0 || goal->may_be_void)
        return goal->n_base < goal->hypotheses.count ? goal->n_base : goal->hypotheses.count;
    return goal->hypotheses.count;
}

static bool is_shown(enum rd_solver_stage stage)
{
    return stage >= RD_SOLVER_SHOWN_8 && stage <= RD_SOLVER_SHOWN_ANY && stage != RD_SOLVER_MORE;
}

/* Returns the bound of constants, where a model of small numbers is looked for; else 0. */
static unsigned bound_of(enum rd_solver_stage stage)
{
    switch (stage) {
    case RD_SOLVER_SHOWN_8:
        return 8;
    case RD_SOLVER_SMALL:
    case RD_SOLVER_SHOWN_64:
        return 64;
    case RD_SOLVER_SHOWN_4096:
        return 4096;
    default:
        return 0;
    }
}

/* Returns the largest exponent in the tables of powers of two; 0: no tables. */
static int exponents_of(enum rd_solver_stage stage)
{
    return stage == RD_SOLVER_SHOWN_ANY ? 66 : bound_of(stage) > 0 ? 20 : 0;
}

/* Adds instances of lemmas, or what says more than they do, to the facts. */
static void find_lemmas(struct rd_solver *solver, struct rd_solver_task *task, bool more)
{
    struct rd_proof_goal asked = *goal_of(solver, task);
    const int exponents = exponents_of(task->stage);
    task->lemmas.count = 0;
    if (asked.smt)
        return;
    if (task->is_of_hypotheses) {
        asked.hypotheses.count = rd_solver_n_base(&asked);
        asked.goal = rd_true(solver->proof->terms);
    }
    if (exponents > 0)
        task->has_tables = rd_lemma_tables(solver->proof->terms, &asked, exponents, &task->lemmas);
    else if (!asked.without_lemmas)
        rd_lemma_instances(solver->proof->terms, &asked, more, &task->lemmas);
}

static char *text_of(struct rd_solver *solver, struct rd_solver_task *task)
{
    const struct rd_proof_goal *goal = goal_of(solver, task);
    const struct rd_query query = {
        .facts = {&goal->hypotheses, &task->lemmas},
        .n_facts = {task->is_of_hypotheses ? rd_solver_n_base(goal) : goal->hypotheses.count,
                    task->lemmas.count},
        .goal = task->is_of_hypotheses ? NULL : goal->goal,
        .bound = bound_of(task->stage),
        .with_model = is_shown(task->stage),
    };
    if (goal->smt) {
        task->has_functions = false;
        return strdup(goal->smt);
    }
    return rd_query_text(&query, &task->has_functions);
}

/* ---- files ---- */

static void name_file(const struct rd_solver *solver, const struct rd_solver_task *task, char *path,
                      size_t size)
{
    static const char *const endings[] = {
        [RD_SOLVER_SMALL] = "-hypotheses-64",
        [RD_SOLVER_ANY] = "-hypotheses",
        [RD_SOLVER_FIRST] = "",
        [RD_SOLVER_MORE] = "-more",
        [RD_SOLVER_SHOWN_8] = "-model-8",
        [RD_SOLVER_SHOWN_64] = "-model-64",
        [RD_SOLVER_SHOWN_4096] = "-model-4096",
        [RD_SOLVER_SHOWN_ANY] = "-model",
    };
    const int length = snprintf(path, size, "%s/", solver->options->directory);
    snprintf(path + length, size - (size_t)length, "%s-%03zu%s.smt2", solver->proof->name,
             task->goal + 1, endings[task->stage]);
    for (char *c = path + length; *c; c++)
        if (*c == ':' || *c == '/' || *c == ' ')
            *c = '_';
}

static enum rd_status write_file(struct rd_solver *solver, const struct rd_solver_task *task)
{
    char path[4096];
    if (!solver->options->directory)
        return RD_OK;
    if (strlen(solver->options->directory) + strlen(solver->proof->name) + 64 > sizeof path)
        return rd_fail(solver->error, RD_ERROR_INPUT, "the path of the queries is too long");
    name_file(solver, task, path, sizeof path);
    errno = 0;
    FILE *file = fopen(path, "w");
    if (file)
        fprintf(file, "; %s: %s\n%s", solver->proof->name, goal_of(solver, task)->what, task->text);
    const bool failed = !file || ferror(file);
    if ((file && fclose(file) != 0) || failed)
        return rd_fail(solver->error, RD_ERROR_INPUT, "'%s' can't be written: %s", path,
                       strerror(errno));
    return RD_OK;
}

/* ---- stages ---- */

/* The answer that is kept of the stage: that a goal is proved, that hypotheses have a model; NULL: none. */
static const char *kept_answer(const struct rd_solver_task *task)
{
    return task->stage == RD_SOLVER_FIRST || task->stage == RD_SOLVER_MORE  ? "unsat"
           : task->stage == RD_SOLVER_SMALL || task->stage == RD_SOLVER_ANY ? "sat"
                                                                            : NULL;
}

static void find_cached(struct rd_solver *solver, struct rd_solver_task *task)
{
    struct rd_proof_entry entry = {.answer = kept_answer(task), .text = task->text};
    for (unsigned k = 0; entry.answer && k < RD_PROVER_COUNT; k++) {
        entry.prover = solver->pool->provers.names[k];
        if (!solver->pool->provers.is_there[k] || !rd_proof_cache_has(&solver->cache, &entry))
            continue;
        task->answer = task->is_of_hypotheses ? RD_ANSWER_REFUTED : RD_ANSWER_PROVED;
        task->prover = k;
        task->seconds = entry.seconds;
        task->cached = true;
        return;
    }
}

static void keep(struct rd_solver *solver, const struct rd_solver_task *task)
{
    const struct rd_proof_entry entry = {
        .prover = solver->pool->provers.names[task->prover],
        .answer = kept_answer(task),
        .text = task->text,
        .seconds = task->seconds,
    };
    rd_proof_cache_add(&solver->cache, &entry);
}

/* Tells whether the first prover is asked alone, and shortly: what is not answered is asked in another way. */
static bool is_brief(const struct rd_solver *solver, const struct rd_solver_task *task)
{
    return solver->options->models_only ||
           (task->stage == RD_SOLVER_FIRST && !goal_of(solver, task)->smt);
}

static double seconds_of(const struct rd_solver *solver, const struct rd_solver_task *task)
{
    if (is_brief(solver, task))
        return least(ALONE_S, solver->timeout_s);
    switch (task->stage) {
    case RD_SOLVER_SMALL:
    case RD_SOLVER_SHOWN_8:
    case RD_SOLVER_SHOWN_64:
    case RD_SOLVER_SHOWN_4096:
        return least(MODEL_S, solver->timeout_s);
    default:
        return solver->timeout_s;
    }
}

/* Starts the next prover that is there; false: there is none. */
static bool start_prover(struct rd_solver *solver, struct rd_solver_task *task)
{
    while (task->next_prover < RD_PROVER_COUNT) {
        const unsigned k = task->next_prover++;
        if (!solver->pool->provers.is_there[k])
            continue;
        rd_prover_pool_ask(solver->pool, &task->processes[k], k, task->text,
                           seconds_of(solver, task));
        return true;
    }
    return false;
}

static void start_provers(struct rd_solver *solver, struct rd_solver_task *task)
{
    for (unsigned k = 0; k < RD_PROVER_COUNT; k++)
        task->processes[k] = (struct rd_prover_process){.over = true, .input = -1, .output = -1};
    task->next_prover = 0;
    start_prover(solver, task);
    task->is_running = true;
}

static void leave_open(const struct rd_solver *solver, struct rd_solver_task *task)
{
    task->stage = RD_SOLVER_DONE;
    task->answer = RD_ANSWER_OPEN;
    if (task->said[0] != '\0')
        return;
    if (solver->options->known_only)
        snprintf(task->said, sizeof task->said,
                 "no prover was asked, and none has proved it before");
    else
        snprintf(task->said, sizeof task->said,
                 "no prover knew within %g s: give it more with --timeout", solver->timeout_s);
}

/* Makes the text of the stage, and looks whether it is known. */
static enum rd_status prepare(struct rd_solver *solver, struct rd_solver_task *task,
                              enum rd_solver_stage stage)
{
    task->stage = stage;
    find_lemmas(solver, task, stage >= RD_SOLVER_MORE);
    free(task->text);
    task->text = text_of(solver, task);
    if (!task->text || rd_terms_failed(solver->proof->terms))
        return rd_fail(solver->error, RD_ERROR_MEMORY, "no memory for the terms of a goal");
    find_cached(solver, task);
    return RD_OK;
}

/* The stage that follows where this one has no answer; itself: none. */
static enum rd_solver_stage wider(const struct rd_solver *solver, const struct rd_solver_task *task,
                                  enum rd_solver_stage stage)
{
    return stage == RD_SOLVER_FIRST && !goal_of(solver, task)->smt ? RD_SOLVER_MORE
           : stage == RD_SOLVER_SMALL                              ? RD_SOLVER_ANY
                                                                   : stage;
}

/* Looks for the answer of the next stage, too: it would take long to find again that this one has none. The task is then at the
 * stage that is known, or else at this one. */
static enum rd_status prepare_known(struct rd_solver *solver, struct rd_solver_task *task,
                                    enum rd_solver_stage stage)
{
    enum rd_status status = prepare(solver, task, stage);
    if (status == RD_OK)
        status = write_file(solver, task);
    const enum rd_solver_stage next = wider(solver, task, stage);
    if (status != RD_OK || task->cached || next == stage || solver->cache.folder < 0)
        return status;
    status = prepare(solver, task, next);
    if (status == RD_OK)
        status = task->cached ? write_file(solver, task) : prepare(solver, task, stage);
    return status;
}

/* Goes to the stage, and asks the provers, where the answer isn't known. */
static enum rd_status go_to(struct rd_solver *solver, struct rd_solver_task *task,
                            enum rd_solver_stage stage)
{
    enum rd_status status = prepare_known(solver, task, stage);
    if (task->cached)
        task->stage = RD_SOLVER_DONE;
    if (status != RD_OK || task->cached)
        return status;
    if (!solver->options->known_only)
        start_provers(solver, task);
    else
        leave_open(solver, task);
    return RD_OK;
}

/* Of a goal that isn't proved: looks for a counterexample. */
static enum rd_status look_further(struct rd_solver *solver, struct rd_solver_task *task)
{
    if (!solver->options->proofs_only)
        return go_to(solver, task, task->small_shown ? RD_SOLVER_SHOWN_64 : RD_SOLVER_SHOWN_8);
    leave_open(solver, task);
    return RD_OK;
}

/* Asks again, with more lemmas, more time, and all provers; where a model was found, and there are no more lemmas, it is known what
 * there is to know. */
static enum rd_status ask_more(struct rd_solver *solver, struct rd_solver_task *task)
{
    task->asked_more = true;
    task->stage = RD_SOLVER_MORE;
    find_lemmas(solver, task, false);
    const size_t n_first = task->lemmas.count;
    find_lemmas(solver, task, true);
    task->is_sat = task->lemmas.count == n_first && task->first_is_sat;
    if (task->is_sat)
        return look_further(solver, task);
    return go_to(solver, task, RD_SOLVER_MORE);
}

static enum rd_status conclude_goal(struct rd_solver *solver, struct rd_solver_task *task,
                                    enum rd_prover_answer answer)
{
    if (answer == RD_PROVER_UNSAT) {
        task->answer = RD_ANSWER_PROVED;
        keep(solver, task);
        task->stage = RD_SOLVER_DONE;
        return RD_OK;
    }
    if (goal_of(solver, task)->smt) {
        leave_open(solver, task);
        if (answer == RD_PROVER_SAT)
            task->answer = RD_ANSWER_REFUTED;
        return RD_OK;
    }
    if (task->stage == RD_SOLVER_FIRST) {
        task->first_is_sat = answer == RD_PROVER_SAT;
        task->is_sat = task->first_is_sat && !task->has_functions;
        /* Most goals without an answer are true, and want lemmas: a counterexample is looked for later. */
        return task->first_is_sat ? go_to(solver, task, RD_SOLVER_SHOWN_8) : ask_more(solver, task);
    }
    task->is_sat = answer == RD_PROVER_SAT;
    return look_further(solver, task);
}

static enum rd_status refute(struct rd_solver_task *task)
{
    task->answer = RD_ANSWER_REFUTED;
    task->stage = RD_SOLVER_DONE;
    return RD_OK;
}

/* A goal with a counterexample of small numbers is refuted, whatever lemmas there are: the functions that are known have their true
 * values there. A counterexample without tables may be of a false function, for which just the lemmas hold that the prover was
 * told. */
static enum rd_status conclude_model(struct rd_solver *solver, struct rd_solver_task *task,
                                     enum rd_prover_answer answer, const char *printed)
{
    if (answer == RD_PROVER_SAT) {
        task->model = *printed ? rd_query_model(printed) : strdup("");
        return refute(task);
    }
    if (solver->options->models_only) {
        leave_open(solver, task);
        return RD_OK;
    }
    switch (task->stage) {
    case RD_SOLVER_SHOWN_8:
        task->small_shown = true;
        if (!task->is_sat && !task->asked_more)
            return ask_more(solver, task);
        return look_further(solver, task);
    case RD_SOLVER_SHOWN_64:
        if (!task->is_sat)
            break;
        return go_to(solver, task, RD_SOLVER_SHOWN_4096);
    case RD_SOLVER_SHOWN_4096:
        return go_to(solver, task, RD_SOLVER_SHOWN_ANY);
    default:
        if (!task->has_tables)
            return refute(task); /* it is known to be there, but not shown */
        snprintf(task->said, sizeof task->said,
                 "no prover knew: what one found against it may go against a lemma that it was "
                 "not told");
    }
    leave_open(solver, task);
    return RD_OK;
}

static enum rd_status conclude_hypotheses(struct rd_solver *solver, struct rd_solver_task *task,
                                          enum rd_prover_answer answer)
{
    if (answer != RD_PROVER_SAT && task->stage == RD_SOLVER_SMALL)
        return go_to(solver, task, RD_SOLVER_ANY);
    if (answer == RD_PROVER_SAT)
        keep(solver, task);
    task->answer = answer == RD_PROVER_SAT ? RD_ANSWER_REFUTED : RD_ANSWER_OPEN;
    task->contradict = answer == RD_PROVER_UNSAT;
    task->stage = RD_SOLVER_DONE;
    return RD_OK;
}

/* Takes what it has said. A prover that died of what it was asked before is no answer: a new one is asked. */
static void read_prover(const struct rd_solver *solver, struct rd_solver_task *task,
                        unsigned prover)
{
    struct rd_prover_process *process = &task->processes[prover];
    rd_prover_read(process);
    if (!process->died || process->n_asked == 1)
        return;
    rd_prover_finish(process);
    rd_prover_start(process, prover, task->text, seconds_of(solver, task));
}

/* That there is no model is an answer where one was asked for; else it is an error. */
static enum rd_prover_answer answer_of(struct rd_prover_process *process,
                                       enum rd_solver_stage stage)
{
    if (process->answer == RD_PROVER_NO_MODEL && !is_shown(stage)) {
        process->answer = RD_PROVER_NOTHING;
        process->can_go_on = false;
        snprintf(process->said, sizeof process->said, "said 'unsat', and an error");
    }
    return process->answer;
}

/* The next prover is started where the one before it has no answer, or takes long. */
static bool is_time_for_another(const struct rd_solver *solver, const struct rd_solver_task *task)
{
    bool is_running = false, is_late = false;
    for (unsigned k = 0; k < task->next_prover; k++) {
        const struct rd_prover_process *process = &task->processes[k];
        is_running = is_running || !process->over;
        is_late =
            is_late || process->is_late || (!process->over && rd_prover_own_s(process) >= ALONE_S);
    }
    return is_brief(solver, task) ? !is_running && !is_late : !is_running || is_late;
}

enum rd_status rd_solver_go_on(struct rd_solver *solver, struct rd_solver_task *task)
{
    enum rd_prover_answer answer = RD_PROVER_NOTHING;
    bool is_running = false;
    char *printed = NULL;
    for (unsigned k = 0; k < RD_PROVER_COUNT && answer == RD_PROVER_NOTHING; k++) {
        struct rd_prover_process *process = &task->processes[k];
        read_prover(solver, task, k);
        is_running = is_running || !process->over;
        answer = answer_of(process, task->stage);
        if (answer == RD_PROVER_NOTHING)
            continue;
        if (!is_shown(task->stage) || solver->options->models_only) {
            task->prover = k;
            task->seconds = process->seconds;
        }
        printed = process->text; /* "sat\n" and values */
        process->text = NULL;
    }
    if (answer == RD_PROVER_NOTHING && is_time_for_another(solver, task))
        is_running = start_prover(solver, task) || is_running;
    if (answer == RD_PROVER_NOTHING && is_running)
        return RD_OK;
    for (unsigned k = 0; k < RD_PROVER_COUNT; k++) {
        if (task->processes[k].said[0] && !is_shown(task->stage))
            snprintf(task->said, sizeof task->said, "%.40s %.150s", solver->pool->provers.names[k],
                     task->processes[k].said);
        rd_prover_pool_take(solver->pool, &task->processes[k]);
    }
    task->is_running = false;
    enum rd_status status =
        task->is_of_hypotheses ? conclude_hypotheses(solver, task, answer)
        : is_shown(task->stage)
            ? conclude_model(solver, task, answer, printed ? printed + strlen("sat\n") : "")
            : conclude_goal(solver, task, answer);
    free(printed);
    return status;
}

enum rd_status rd_solver_begin(struct rd_solver *solver, struct rd_solver_task *task)
{
    const enum rd_solver_stage of_goals =
        solver->options->models_only ? RD_SOLVER_SHOWN_8 : RD_SOLVER_FIRST;
    if (solver->any_prover)
        return go_to(solver, task, task->is_of_hypotheses ? RD_SOLVER_SMALL : of_goals);
    task->stage = task->is_of_hypotheses ? RD_SOLVER_ANY : RD_SOLVER_FIRST;
    find_lemmas(solver, task, false);
    free(task->text);
    task->text = text_of(solver, task);
    const enum rd_status status = task->text ? write_file(solver, task)
                                             : rd_fail(solver->error, RD_ERROR_MEMORY, "no memory");
    task->answer = RD_ANSWER_OPEN;
    task->stage = RD_SOLVER_DONE;
    snprintf(task->said, sizeof task->said, "no prover is there: apt-get install cvc5 z3");
    return status;
}

void rd_solver_task_finish(struct rd_solver_task *task)
{
    for (unsigned k = 0; task->is_running && k < RD_PROVER_COUNT; k++)
        rd_prover_finish(&task->processes[k]);
    rd_term_list_finish(&task->lemmas);
    free(task->text);
    free(task->model);
    *task = (struct rd_solver_task){.stage = RD_SOLVER_DONE};
}
