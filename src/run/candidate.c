// SPDX-License-Identifier: MIT
#include "run/candidate_internal.h"
#include "base/sized.h"
#include "law/error.h"
#include "law/run.h"
#include "law/lexer.h"
#include "law/tree.h"
#include "reductio/program.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

/* A fault's goal is that of the right program, which a law is judged beside; but for one with another array. */
static const struct rd_program *goal_of(const struct rd_program *program)
{
    const struct rd_program *right = rd_program_twin(program);
    const char *own = rd_program_law(program), *law = rd_program_law(right);
    struct rd_law_sentence array, of_right;
    if (!own || !law)
        return law ? right : program;
    const bool same = rd_law_find_sentence(own, "array", &array) &&
                      rd_law_find_sentence(law, "array", &of_right) &&
                      array.end - array.begin == of_right.end - of_right.begin &&
                      memcmp(array.begin, of_right.begin, (size_t)(array.end - array.begin)) == 0;
    return same ? right : program;
}

/* The program's paragraph up to its law, a line that says `law` where the proposed text does not, and that. */
static enum rd_status compose(struct rd_candidate *candidate, const char *paragraph,
                              const char *text, char **whole)
{
    struct rd_law_sentence law;
    const bool has_law = rd_law_find_sentence(paragraph, "law", &law);
    int length = has_law ? (int)(law.begin - paragraph) : 0, said = (int)strlen(text);
    bool is_whole = rd_law_begins_with_word(text, "law") || rd_law_begins_with_word(text, "let");
    while (said > 0 && strchr(" \t\r\n", text[said - 1]))
        said--; /* where a sentence ends too soon is told of its last line */
    *whole = NULL;
    candidate->n_given = (size_t)length + (is_whole ? 0 : strlen("law\n"));
    if (asprintf(whole, "%.*s%s%.*s", length, paragraph, is_whole ? "" : "law\n", said, text) < 0)
        return RD_ERROR_MEMORY;
    candidate->lines = !is_whole;
    for (int k = 0; k < length; k++)
        candidate->lines += paragraph[k] == '\n';
    return RD_OK;
}

/* The whole with what the program's paragraph has behind its law: how the array moves. Where both define a name, there
 * is none. */
static enum rd_status read_moving(struct rd_candidate *candidate, const char *paragraph,
                                  const char *whole)
{
    struct rd_law_sentence law;
    char *text = NULL;
    if (!rd_law_find_sentence(paragraph, "law", &law))
        return RD_OK;
    if (asprintf(&text, "%s\n%s", whole, law.end) < 0)
        return RD_ERROR_MEMORY;
    enum rd_status status = rd_law_read(&candidate->moving, text, strlen(text), false, NULL);
    free(text);
    return status == RD_ERROR_MEMORY ? status : RD_OK;
}

static char *own_text(const char *paragraph)
{
    struct rd_law_sentence law;
    if (!rd_law_find_sentence(paragraph, "law", &law))
        return NULL;
    const char *begin = law.begin + strlen("law ");
    const bool has_feed = law.end > begin && law.end[-1] == '\n';
    return strndup(begin, (size_t)(law.end - begin) - has_feed);
}

char *rd_candidate_text(const struct rd_program *program, const char *text)
{
    const char *paragraph = rd_program_law(goal_of(program));
    if (text)
        return strdup(text);
    return paragraph ? own_text(paragraph) : NULL;
}

/* An error in the program's part is one of the whole: of a name that both define, say. */
static void to_text(const struct rd_candidate *candidate, struct rd_law_error *error)
{
    if (error->line > candidate->lines)
        error->line -= candidate->lines;
    else
        error->line = error->column = 0;
}

/* Refuses all sentences of a paragraph but a law. */
static enum rd_status refuse_sentence(struct rd_law_error *error)
{
    char words[RD_LAW_WORDS_SIZE];
    return rd_fail(&error->what, RD_ERROR_USAGE,
                   "a law of the program's array is judged: leave the sentences %s out",
                   rd_law_sentence_words(true, " and ", words));
}

static void find_place(const char *text, size_t offset, struct rd_law_error *error)
{
    const char *line = text;
    *error = (struct rd_law_error){.line = 1};
    for (const char *at = text; at < text + offset; at++)
        if (*at == '\n') {
            line = at + 1;
            error->line++;
        }
    error->column = (size_t)(text + offset - line) + 1;
}

/* A text that is too long, or begins with another: with its place. */
static enum rd_status accept_beginning(const char *text, struct rd_law_error *error)
{
    const size_t word = strspn(text, " \t\r\n");
    find_place(text, word, error);
    if (rd_law_begins_with_fixed(text))
        return refuse_sentence(error);
    *error = (struct rd_law_error){0};
    if (strlen(text) <= RD_LAW_LENGTH_MAX)
        return RD_OK;
    find_place(text, RD_LAW_LENGTH_MAX, error);
    return rd_fail(&error->what, RD_ERROR_USAGE, "a law of more than %d characters",
                   RD_LAW_LENGTH_MAX);
}

/* Finds the first part that a proposed law may not have; false: there is none. */
static bool find_other(const struct rd_candidate *candidate, struct law_span *span)
{
    const struct rd_law *law = candidate->proposed;
    const struct law_claims *claims = law->sections[0]->claims;
    bool found = true;
    if (law->n_inputs > candidate->own->n_inputs)
        *span = law->inputs[candidate->own->n_inputs]->span;
    else if (claims[RD_LAW_START].count > 0)
        *span = claims[RD_LAW_START].claims[0].span;
    else if (claims[RD_LAW_UPDATE].count > 0)
        *span = claims[RD_LAW_UPDATE].claims[0].span;
    else if (law->n_launches > 0)
        *span = law->launches[0].span;
    else if (law->n_sections > 1)
        *span = law->sections[1]->span;
    else
        found = false;
    return found;
}

static enum rd_status accept_sentences(const struct rd_candidate *candidate,
                                       struct rd_law_error *error)
{
    struct law_span span;
    if (!find_other(candidate, &span))
        return RD_OK;
    rd_law_fail_at(candidate->proposed, error, span, RD_ERROR_USAGE, "%s", "");
    to_text(candidate, error);
    return refuse_sentence(error);
}

static enum rd_status read_laws(struct rd_candidate *candidate, const char *text,
                                struct rd_law_error *error)
{
    const char *paragraph = rd_program_law(candidate->program);
    char *whole;
    if (!paragraph) {
        *error = (struct rd_law_error){0};
        return rd_fail(&error->what, RD_ERROR_USAGE, "%s has no law that another could stand for",
                       candidate->program->name);
    }
    enum rd_status status = rd_law_create(&candidate->own, paragraph, error);
    if (status != RD_OK)
        return status;
    status = text ? accept_beginning(text, error) : RD_OK;
    if (status != RD_OK)
        return status;
    char *said = rd_candidate_text(candidate->program, text);
    status = said ? compose(candidate, paragraph, said, &whole) : RD_ERROR_MEMORY;
    free(said);
    if (status != RD_OK)
        return rd_fail(&error->what, RD_ERROR_MEMORY, "no memory for a law");
    status = rd_law_read(&candidate->proposed, whole, candidate->n_given,
                         !candidate->program->blocks, error);
    if (status == RD_ERROR_USAGE)
        to_text(candidate, error);
    if (status == RD_OK)
        status = accept_sentences(candidate, error);
    if (status == RD_OK && read_moving(candidate, paragraph, whole) != RD_OK)
        status = rd_fail(&error->what, RD_ERROR_MEMORY, "no memory for a law");
    free(whole);
    return status;
}

/* ---- observing ---- */

static double *widen(const struct rd_numeric *numeric, const void *cells, size_t n)
{
    double *wide = calloc(n + 1, sizeof *wide);
    for (size_t k = 0; wide && cells && k < n; k++)
        wide[k] = numeric->to_double(numeric->load(cells, k));
    return wide;
}

static void finish_run(struct rd_candidate *candidate)
{
    rd_law_run_destroy(candidate->own_run);
    rd_law_run_destroy(candidate->run);
    candidate->own_run = candidate->run = NULL;
    for (int k = 0; k < 2; k++) {
        free(candidate->wide[k]);
        candidate->wide[k] = NULL;
    }
    rd_candidate_floats_finish(&candidate->floats);
    free(candidate->to_try);
    candidate->to_try = NULL;
    candidate->n_to_try = 0;
    candidate->more_to_try = false;
}

static enum rd_status take_inputs(struct rd_candidate *candidate, const struct rd_run *run)
{
    candidate->inputs[0] = run->a;
    candidate->inputs[1] = run->b;
    candidate->n_inputs = 1;
    candidate->whole = candidate->finite = true;
    for (size_t k = 0; k < rd_law_input_count(candidate->own) && k < 2; k++) {
        uint64_t n;
        enum rd_status status = rd_law_input_size(candidate->own_run, k, &n, &candidate->error);
        if (status != RD_OK)
            return status;
        candidate->wide[k] = widen(run->numeric->inputs, candidate->inputs[k], n);
        if (!candidate->wide[k])
            return rd_candidate_no_memory(candidate);
        for (uint64_t j = 0; j < n; j++) {
            const double value = candidate->wide[k][j];
            candidate->finite = candidate->finite && isfinite(value);
            candidate->whole = candidate->whole && isfinite(value) && value == trunc(value);
        }
        if (n > candidate->n_inputs)
            candidate->n_inputs = n;
    }
    return RD_OK;
}

enum rd_status rd_candidate_pass_on(const struct rd_candidate *candidate, enum rd_status status,
                                    struct rd_error *error)
{
    struct rd_law_error told = candidate->error;
    char place[RD_LAW_ERROR_PLACE_SIZE];
    if (status == RD_OK)
        return RD_OK;
    to_text(candidate, &told);
    if (status == RD_ERROR_INTERRUPTED)
        return rd_fail(error, status, "interrupted");
    return rd_fail(error, status, "%s: %s", rd_law_error_place(place, "law", &told),
                   told.what.text);
}

/* A fault may have an array of its own, of which the right program's law says nothing. */
static enum rd_status compare_arrays(struct rd_candidate *candidate, const struct rd_run *run,
                                     const struct rd_shape *shape)
{
    const struct rd_law_place at = {.d = 0};
    uint64_t n_cells;
    enum rd_status status = rd_law_array_size(
        candidate->own_run, rd_candidate_section(candidate->own), &at, &n_cells, &candidate->error);
    if (status != RD_OK || n_cells == rd_program_cells(run->program, shape))
        return status;
    candidate->error = (struct rd_law_error){0};
    return rd_fail(&candidate->error.what, RD_ERROR_USAGE,
                   "the array of %s has %zu cells, and that of %s, which laws speak of, %" PRIu64,
                   run->program->name, rd_program_cells(run->program, shape),
                   rd_program_twin(run->program)->name, n_cells);
}

struct rd_law_sizes rd_candidate_sizes(const struct rd_candidate *candidate,
                                       const struct rd_run *run)
{
    const struct rd_shape shape = rd_run_shape(run);
    return (struct rd_law_sizes){
        .n = shape.n,
        .T = shape.block,
        .B = shape.grid,
        .work_max = candidate->work_max,
        .interrupted = run->interrupted,
    };
}

/* The work of the program's own law at a step, if it is more; of no value, it is none. */
static enum rd_status measure_own(struct rd_candidate *candidate, const struct rd_run *run,
                                  unsigned step, uint64_t *work)
{
    const struct rd_law_place at = {.d = step};
    const struct rd_law_data data = {.numeric = run->numeric, .inputs = candidate->inputs};
    const struct rd_law_section *section = rd_candidate_section(candidate->own);
    uint64_t n_cells;
    enum rd_status status =
        rd_law_array_size(candidate->own_run, section, &at, &n_cells, &candidate->error);
    void *cells = status == RD_OK ? calloc(n_cells + 1, run->numeric->size_bytes) : NULL;
    if (status == RD_OK && !cells)
        return rd_candidate_no_memory(candidate);
    if (status == RD_OK)
        status = rd_law_apply(candidate->own_run, section, RD_LAW_LAW, &at, &data, cells, NULL,
                              &candidate->error);
    free(cells);
    if (status == RD_OK && candidate->own_run->work > *work)
        *work = candidate->own_run->work;
    return status == RD_ERROR_USAGE ? RD_OK : status;
}

/* A law that takes far more than the program's own does after the first round, or at the end, is refused soon. */
static enum rd_status allow_work(struct rd_candidate *candidate, const struct rd_run *run)
{
    enum { AT_LEAST = 1 << 25, TIMES_OWN = 64 };
    uint64_t work = 0;
    enum rd_status status = measure_own(candidate, run, candidate->n_rounds, &work);
    if (status == RD_OK && candidate->n_rounds > 1)
        status = measure_own(candidate, run, 1, &work);
    candidate->work_max = AT_LEAST + TIMES_OWN * work;
    return status;
}

static enum rd_status begin(void *self, const struct rd_run *run, struct rd_error *error)
{
    struct rd_candidate *candidate = self;
    const struct rd_shape shape = rd_run_shape(run);
    finish_run(candidate);
    candidate->work_max = 0;
    struct rd_law_sizes sizes = rd_candidate_sizes(candidate, run);
    candidate->result = (struct rd_candidate_result){.verdict = RD_CANDIDATE_ENOUGH};
    candidate->ever_live = candidate->ended = false;
    candidate->n_rounds = rd_program_rounds(rd_program_twin(run->program), &shape);
    enum rd_status status =
        rd_law_run_create(&candidate->own_run, candidate->own, &sizes, &candidate->error);
    if (status == RD_OK)
        status = compare_arrays(candidate, run, &shape);
    if (status == RD_OK)
        status = take_inputs(candidate, run);
    if (status == RD_OK)
        status = allow_work(candidate, run);
    sizes.work_max = candidate->work_max;
    if (status == RD_OK)
        status = rd_law_run_create(&candidate->run, candidate->proposed, &sizes, &candidate->error);
    return rd_candidate_pass_on(candidate, status, error);
}

static bool is_false(const struct rd_candidate *candidate)
{
    return candidate->result.verdict == RD_CANDIDATE_NOT_KEPT ||
           candidate->result.verdict == RD_CANDIDATE_FALSE_AT_FIRST;
}

enum rd_status rd_candidate_statement(struct rd_candidate *candidate, const struct rd_law_place *at,
                                      char **text)
{
    char *written = NULL;
    size_t size;
    FILE *out = open_memstream(&written, &size);
    if (!out)
        return rd_candidate_no_memory(candidate);
    enum rd_status status = rd_law_text(candidate->run, rd_candidate_section(candidate->proposed),
                                        at, out, &candidate->error);
    if (fclose(out) != 0 && status == RD_OK)
        status = rd_candidate_no_memory(candidate);
    if (status == RD_OK)
        *text = written;
    else
        free(written);
    return status;
}

static enum rd_status tell(struct rd_candidate *candidate, const struct rd_candidate_step *told)
{
    const struct rd_law_place at = {.d = told->number};
    struct rd_candidate_step step = *told;
    char *text;
    if (!candidate->listener || !candidate->listener->step)
        return RD_OK;
    enum rd_status status = rd_candidate_statement(candidate, &at, &text);
    if (status != RD_OK)
        return status;
    step.statement = text;
    candidate->listener->step(candidate->listener->self, &step);
    free(text);
    return RD_OK;
}

/* Judges whether the law is true of the step. RD_ERROR_USAGE where that can't be told. */
static enum rd_status compare_step(struct rd_candidate *candidate, const struct rd_run *run,
                                   const struct rd_step *step, const struct rd_saying *saying,
                                   struct rd_candidate_step *told)
{
    candidate->notes = true;
    candidate->untold = false;
    candidate->overflown = (struct rd_candidate_cell){.cell = -1};
    candidate->ended = step->number == candidate->n_rounds;
    told->n_live = saying->live.count;
    told->n_false = rd_saying_count_false(candidate, saying, run->numeric, step->number,
                                          step->cells, &told->first);
    candidate->notes = false;
    told->overflows = candidate->overflown.cell >= 0;
    told->overflown = candidate->overflown;
    if (told->overflows && !candidate->result.overflows) {
        candidate->result.overflows = true;
        candidate->result.overflown = told->overflown;
    }
    if (!candidate->untold || told->n_false > 0 || is_false(candidate))
        return RD_OK;
    candidate->error = (struct rd_law_error){0};
    return rd_fail(
        &candidate->error.what, RD_ERROR_USAGE,
        "what it says of cell %" PRId64
        " at d = %u can't be told from what rounding makes of it: its terms, or those that the "
        "run has, are too large and cancel, or leave the normal numbers",
        candidate->doubt.cell, candidate->doubt.step);
}

static enum rd_status look_at_step(struct rd_candidate *candidate, const struct rd_run *run,
                                   const struct rd_step *step)
{
    const struct rd_law_place at = {.d = step->number};
    struct rd_candidate_step told = {.number = step->number};
    struct rd_saying saying;
    enum rd_status status = rd_saying_init(&saying, candidate, run->numeric, &at, step->n_cells);
    if (status != RD_OK)
        return status;
    status = rd_saying_check_known(candidate, &saying, step);
    if (status == RD_OK && run->numeric->rounds)
        status = rd_candidate_document(candidate, run, step->number, step->n_cells);
    if (status == RD_OK)
        status = compare_step(candidate, run, step, &saying, &told);
    if (status != RD_OK) {
        rd_saying_finish(&saying);
        return status;
    }
    candidate->ever_live = candidate->ever_live || told.n_live > 0 || told.n_false > 0;
    if (told.n_false > 0 && !is_false(candidate)) {
        candidate->result.verdict =
            step->number == 0 ? RD_CANDIDATE_FALSE_AT_FIRST : RD_CANDIDATE_NOT_KEPT;
        candidate->result.cell = told.first;
        candidate->result.n_false = told.n_false;
    }
    status = tell(candidate, &told);
    if (status == RD_OK && candidate->result.verdict == RD_CANDIDATE_ENOUGH)
        status = rd_candidate_ask(candidate, run, step, &saying);
    if (status == RD_OK && candidate->ended && candidate->ever_live &&
        candidate->result.verdict == RD_CANDIDATE_ENOUGH)
        status = rd_candidate_decide(candidate, run);
    rd_saying_finish(&saying);
    return status;
}

static enum rd_status observe_step(void *self, const struct rd_run *run, const struct rd_step *step,
                                   struct rd_error *error)
{
    struct rd_candidate *candidate = self;
    struct rd_candidate_result *result = &candidate->result;
    if (step->place || result->stopped)
        return RD_OK;
    const enum rd_status status = look_at_step(candidate, run, step);
    if (status != RD_ERROR_USAGE || !is_false(candidate))
        return rd_candidate_pass_on(candidate, status, error);
    rd_candidate_error(candidate, &result->why);
    result->stopped = true;
    result->stopped_at = step->number;
    return RD_OK;
}

/* ---- the public functions ---- */

const char *rd_candidate_verdict_name(enum rd_candidate_verdict verdict)
{
    static const char *const names[] = {
        [RD_CANDIDATE_ENOUGH] = "true, and enough",          [RD_CANDIDATE_OPEN] = "true so far",
        [RD_CANDIDATE_TOO_WEAK] = "true, but too weak",      [RD_CANDIDATE_NOT_KEPT] = "not kept",
        [RD_CANDIDATE_FALSE_AT_FIRST] = "not true at first", [RD_CANDIDATE_VACUOUS] = "vacuous",
    };
    return names[verdict];
}

/* The size of struct rd_candidate_listener in version 0.1. */
enum { LISTENER_FIRST_SIZE = sizeof(struct rd_candidate_listener) };

static enum rd_status check_listener(const struct rd_candidate_listener *listener,
                                     struct rd_error *error)
{
    if (!listener)
        return RD_OK;
    if (rd_sized_check(listener, sizeof *listener, LISTENER_FIRST_SIZE, "candidate_listener",
                       error) != RD_OK)
        return RD_ERROR_USAGE;
    return listener->step ? RD_OK
                          : rd_fail(error, RD_ERROR_USAGE, "the listener's 'step' is NULL: set it");
}

enum rd_status rd_candidate_create(struct rd_candidate **candidate,
                                   const struct rd_program *program, const char *text,
                                   const struct rd_candidate_listener *listener,
                                   struct rd_law_error *error)
{
    struct rd_law_error local = {0};
    struct rd_candidate *made = calloc(1, sizeof *made);
    error = error ? error : &local;
    *error = (struct rd_law_error){0};
    enum rd_status status = check_listener(listener, &error->what);
    if (status == RD_OK && !made)
        status = rd_fail(&error->what, RD_ERROR_MEMORY, "no memory for a law");
    if (status != RD_OK) {
        free(made);
        return status;
    }
    made->program = goal_of(program);
    made->is_own = !text;
    made->listener = listener;
    made->observer = (struct rd_observer){.self = made, .begin = begin, .step = observe_step};
    status = read_laws(made, text, error);
    if (status == RD_OK)
        *candidate = made;
    else
        rd_candidate_destroy(made);
    return status;
}

void rd_candidate_destroy(struct rd_candidate *candidate)
{
    if (!candidate)
        return;
    finish_run(candidate);
    rd_law_destroy(candidate->own);
    rd_law_destroy(candidate->proposed);
    rd_law_destroy(candidate->moving);
    free(candidate);
}

/* Operations in the tree, as bits. */
static unsigned operations_of(const struct law_node *node)
{
    unsigned operations = node->kind == LAW_REDUCTION ? 1u << node->op : 0;
    for (size_t k = 0; k < node->n_kids; k++)
        operations |= operations_of(node->kids[k]);
    return operations;
}

enum rd_operation rd_candidate_operation(const struct rd_candidate *candidate,
                                         enum rd_operation of_run)
{
    const struct law_claims *claims = &candidate->proposed->sections[0]->claims[RD_LAW_LAW];
    unsigned operations = 0;
    for (size_t k = 0; k < claims->count; k++)
        operations |= operations_of(claims->claims[k].value);
    return operations == 0 || (operations & 1u << of_run)
               ? of_run
               : (enum rd_operation)__builtin_ctz(operations);
}

const struct rd_observer *rd_candidate_observer(struct rd_candidate *candidate)
{
    return &candidate->observer;
}

void rd_candidate_judge(const struct rd_candidate *candidate, struct rd_candidate_result *result)
{
    *result = candidate->result;
    if (!candidate->ever_live)
        *result = (struct rd_candidate_result){.verdict = RD_CANDIDATE_VACUOUS};
    result->unfinished = result->verdict == RD_CANDIDATE_ENOUGH && !candidate->ended;
    if (result->verdict == RD_CANDIDATE_ENOUGH &&
        (result->unfinished || result->unsaid || result->overflows))
        result->verdict = RD_CANDIDATE_OPEN;
}

const struct rd_break *rd_candidate_to_try(const struct rd_candidate *candidate, unsigned *count,
                                           bool *all)
{
    *count = candidate->n_to_try;
    *all = !candidate->more_to_try;
    return candidate->to_try;
}

void rd_candidate_error(const struct rd_candidate *candidate, struct rd_law_error *error)
{
    *error = candidate->error;
    if (error->column > 0)
        to_text(candidate, error);
}
