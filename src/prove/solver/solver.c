// SPDX-License-Identifier: MIT
#include "prove/solver/task.h"

#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    JOBS_MAX = 64,
    TIMEOUT_S = 10,
    REFUTED_MAX = 8 /* counterexamples of goals that say the same */
};

/* ---- what to ask ---- */

static bool is_same_list(const struct rd_term_list *x, size_t n_x, const struct rd_term_list *y,
                         size_t n_y)
{
    return n_x == n_y && (n_x == 0 || memcmp(x->terms, y->terms, n_x * sizeof *x->terms) == 0);
}

static bool is_same_goal(const struct rd_proof_goal *x, const struct rd_proof_goal *y)
{
    return x->goal == y->goal && !x->smt && !y->smt && x->without_lemmas == y->without_lemmas &&
           is_same_list(&x->hypotheses, x->hypotheses.count, &y->hypotheses, y->hypotheses.count);
}

/* Equal terms are one object, so that equal questions are found, and asked once. */
static size_t task_of_goal(const struct rd_solver *solver, size_t goal)
{
    const struct rd_proof_goal *goals = solver->proof->goals;
    for (size_t k = 0; k < solver->n_tasks; k++)
        if (!solver->tasks[k].is_of_hypotheses &&
            is_same_goal(&goals[solver->tasks[k].goal], &goals[goal]))
            return k;
    return SIZE_MAX;
}

static size_t task_of_base(const struct rd_solver *solver, size_t goal)
{
    const struct rd_proof_goal *own = &solver->proof->goals[goal];
    for (size_t k = 0; k < solver->n_tasks; k++) {
        const struct rd_proof_goal *other = &solver->proof->goals[solver->tasks[k].goal];
        if (solver->tasks[k].is_of_hypotheses && own->without_lemmas == other->without_lemmas &&
            is_same_list(&own->hypotheses, rd_solver_n_base(own), &other->hypotheses,
                         rd_solver_n_base(other)))
            return k;
    }
    return SIZE_MAX;
}

static size_t add_task(struct rd_solver *solver, size_t goal, bool is_of_hypotheses)
{
    solver->tasks[solver->n_tasks] =
        (struct rd_solver_task){.goal = goal, .is_of_hypotheses = is_of_hypotheses};
    return solver->n_tasks++;
}

static enum rd_status init(struct rd_solver *solver, struct rd_proof *proof,
                           const struct rd_solver_options *options, struct rd_error *error)
{
    const size_t n = proof->count;
    *solver = (struct rd_solver){
        .proof = proof,
        .options = options,
        .timeout_s = options->timeout_s > 0 ? options->timeout_s : TIMEOUT_S,
        .cache = {.folder = -1},
        .tasks = calloc(2 * n + 1, sizeof *solver->tasks),
        .own = calloc(n + 1, sizeof *solver->own),
        .base = calloc(n + 1, sizeof *solver->base),
        .error = error,
    };
    if (!solver->tasks || !solver->own || !solver->base)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for %zu goals", n);
    for (size_t k = 0; k < n; k++) {
        solver->base[k] = SIZE_MAX;
        if (proof->goals[k].smt || rd_solver_n_base(&proof->goals[k]) == 0)
            continue;
        solver->base[k] = task_of_base(solver, k);
        if (solver->base[k] == SIZE_MAX)
            solver->base[k] = add_task(solver, k, true);
    }
    for (size_t k = 0; k < n; k++) {
        solver->own[k] = task_of_goal(solver, k);
        if (solver->own[k] == SIZE_MAX)
            solver->own[k] = add_task(solver, k, false);
    }
    solver->own_pool = options->pool ? NULL : rd_prover_pool_create();
    solver->pool = options->pool ? options->pool : solver->own_pool;
    if (!solver->pool)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the provers");
    for (unsigned k = 0; k < RD_PROVER_COUNT; k++)
        solver->any_prover = solver->any_prover || solver->pool->provers.is_there[k];
    if (!options->no_cache)
        rd_proof_cache_open(&solver->cache);
    return RD_OK;
}

static void finish(struct rd_solver *solver)
{
    for (size_t k = 0; k < solver->n_tasks; k++)
        rd_solver_task_finish(&solver->tasks[k]);
    rd_prover_pool_destroy(solver->own_pool);
    rd_proof_cache_close(&solver->cache);
    free(solver->tasks);
    free(solver->own);
    free(solver->base);
}

/* ---- what was answered ---- */

/* Takes the answer over. A goal of hypotheses that contradict each other is not proved by that. */
static void conclude(struct rd_solver *solver, size_t index)
{
    struct rd_proof_goal *goal = &solver->proof->goals[index];
    const struct rd_solver_task *own = &solver->tasks[solver->own[index]];
    const struct rd_solver_task *base =
        solver->base[index] == SIZE_MAX ? NULL : &solver->tasks[solver->base[index]];
    struct rd_terms *terms = solver->proof->terms;
    free(goal->model);
    goal->answer = own->answer;
    goal->model = own->model ? strdup(own->model) : NULL;
    goal->has_model = !base || base->answer == RD_ANSWER_REFUTED;
    goal->seconds = own->seconds;
    goal->cached = own->cached;
    goal->prover = NULL;
    goal->reason = NULL;
    if (own->answer == RD_ANSWER_OPEN)
        goal->reason = rd_terms_text(terms, "%s", own->said);
    else
        goal->prover = rd_terms_text(terms, "%s", solver->pool->provers.names[own->prover]);
    if (goal->is_untold && goal->answer == RD_ANSWER_REFUTED) {
        goal->answer = RD_ANSWER_OPEN;
        goal->prover = NULL;
        goal->reason =
            "the variables of a loop without a cut may differ between lanes, as far as is seen";
        free(goal->model);
        goal->model = NULL;
    }
    if (base && base->contradict) {
        goal->answer = RD_ANSWER_OPEN;
        goal->prover = NULL;
        goal->reason = "the hypotheses contradict each other";
    }
    /* The cache doesn't have that they contradict each other. */
    if (solver->options->known_only && goal->answer == RD_ANSWER_PROVED && !goal->has_model) {
        goal->answer = RD_ANSWER_OPEN;
        goal->prover = NULL;
        goal->reason = "no prover was asked whether the hypotheses contradict each other";
    }
}

static bool is_done(const struct rd_solver *solver, size_t task)
{
    return task == SIZE_MAX || solver->tasks[task].stage == RD_SOLVER_DONE;
}

/* Reports goals that are done, in their order. */
static void tell(struct rd_solver *solver)
{
    const struct rd_solver_options *options = solver->options;
    while (solver->n_told < solver->proof->count && is_done(solver, solver->own[solver->n_told]) &&
           is_done(solver, solver->base[solver->n_told])) {
        conclude(solver, solver->n_told);
        if (options->asked)
            options->asked(options->self, solver->proof, &solver->proof->goals[solver->n_told]);
        solver->n_told++;
    }
}

/* ---- asking ---- */

/* Waits until one of the provers has said something, or its time may be over. */
static void await(struct rd_solver_task *const *running, unsigned n_running)
{
    enum { SAID_MS = 40, ENDING_MS = 1 };
    struct pollfd descriptors[2 * JOBS_MAX * RD_PROVER_COUNT];
    nfds_t n = 0;
    int wait_ms = SAID_MS;
    for (unsigned k = 0; k < n_running; k++)
        for (unsigned p = 0; p < RD_PROVER_COUNT; p++) {
            const struct rd_prover_process *process = &running[k]->processes[p];
            if (process->over)
                continue;
            if (process->closed)
                wait_ms = ENDING_MS;
            else
                descriptors[n++] = (struct pollfd){.fd = process->output, .events = POLLIN};
            if (process->n_sent < process->question_size)
                descriptors[n++] = (struct pollfd){.fd = process->input, .events = POLLOUT};
        }
    poll(descriptors, n, wait_ms);
}

/* Counts the goals before this one that say the same, and are refuted. */
static unsigned count_refuted(const struct rd_solver *solver, const struct rd_solver_task *task)
{
    const struct rd_proof_goal *goals = solver->proof->goals, *goal = &goals[task->goal];
    unsigned n = 0;
    for (const struct rd_solver_task *other = solver->tasks; other < task; other++)
        n += !other->is_of_hypotheses && other->stage == RD_SOLVER_DONE &&
             other->answer == RD_ANSWER_REFUTED &&
             goals[other->goal].obligation == goal->obligation &&
             strcmp(goals[other->goal].segment, goal->segment) == 0 &&
             strcmp(goals[other->goal].what, goal->what) == 0;
    return n;
}

/* One counterexample tells as much as a thousand of the same sentence, which take long. */
static enum rd_status begin_task(struct rd_solver *solver, struct rd_solver_task *task)
{
    /* Candidates, of which proofs alone are wanted, all say the same of themselves. */
    if (task->is_of_hypotheses || solver->options->proofs_only ||
        count_refuted(solver, task) < REFUTED_MAX)
        return rd_solver_begin(solver, task);
    task->stage = RD_SOLVER_DONE;
    task->answer = RD_ANSWER_OPEN;
    snprintf(task->said, sizeof task->said, "not asked: %d goals that say the same are refuted",
             REFUTED_MAX);
    return RD_OK;
}

static enum rd_status ask_all(struct rd_solver *solver, unsigned jobs)
{
    struct rd_solver_task *running[JOBS_MAX];
    unsigned n_running = 0;
    enum rd_status status = RD_OK;
    while (status == RD_OK && (n_running > 0 || solver->next_task < solver->n_tasks)) {
        if (solver->options->interrupted && *solver->options->interrupted)
            return rd_fail(solver->error, RD_ERROR_INTERRUPTED, "interrupted");
        while (status == RD_OK && n_running < jobs && solver->next_task < solver->n_tasks) {
            struct rd_solver_task *task = &solver->tasks[solver->next_task++];
            status = begin_task(solver, task);
            if (task->stage != RD_SOLVER_DONE)
                running[n_running++] = task;
        }
        if (n_running > 0 && status == RD_OK)
            await(running, n_running);
        unsigned n_left = 0;
        for (unsigned k = 0; status == RD_OK && k < n_running; k++) {
            status = rd_solver_go_on(solver, running[k]);
            if (running[k]->stage != RD_SOLVER_DONE)
                running[n_left++] = running[k];
        }
        n_running = n_left;
        if (status == RD_OK)
            tell(solver);
    }
    return status;
}

enum rd_status rd_solver_ask(struct rd_proof *proof, const struct rd_solver_options *options,
                             struct rd_error *error)
{
    static const struct rd_solver_options defaults = {.timeout_s = 0};
    struct rd_solver solver;
    if (proof->not_covered)
        return RD_OK;
    enum rd_status status = init(&solver, proof, options ? options : &defaults, error);
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned jobs = solver.options->jobs ? solver.options->jobs
                    : processors > 0     ? (unsigned)processors
                                         : 1;
    if (status == RD_OK)
        status = ask_all(&solver, jobs < JOBS_MAX ? jobs : JOBS_MAX);
    finish(&solver);
    if (status == RD_OK && rd_terms_failed(proof->terms))
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the terms of the proof");
    return status;
}

void rd_solver_names(char *text, size_t size_bytes)
{
    struct rd_provers provers;
    rd_provers_find(&provers);
    const char *both = provers.is_there[0] && provers.is_there[1] ? ", " : "";
    if (provers.is_there[0] || provers.is_there[1])
        snprintf(text, size_bytes, "%s%s%s", provers.names[0], both, provers.names[1]);
    else
        snprintf(text, size_bytes, "no prover is there: apt-get install cvc5 z3");
}
