// SPDX-License-Identifier: MIT
#include "law/candidate.h"
#include "program.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rd_candidate {
    const struct rd_program *program;
    const struct rd_candidate_listener *listener;
    struct rd_law *own,
        *proposed; /* the program's paragraph, and that with the proposed law in its place */
    size_t lines;  /* of it that stand before the proposed text */
    struct rd_observer observer;
    /* Of a run. */
    struct rd_law_run *own_run, *run;
    struct rd_law_error error;
    const void *inputs[2];
    /* Floats: the inputs; their absolute values; and these with those of the second taken negative. */
    double *wide[2], *weights[2], *against;
    bool whole;      /* all are whole numbers */
    size_t n_inputs; /* the larger of both */
    unsigned n_rounds;
    bool ever_live;
    struct rd_candidate_result result;
};

/* ---- reading ---- */

static bool begins_with_word(const char *text, const char *word)
{
    text += strspn(text, " \t\r\n");
    size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && strchr(" \t\r\n", text[length]);
}

/* The program's paragraph up to its law, a line that says `law` where the proposed text does not, and that. */
static enum rd_status compose(struct rd_candidate *candidate, const char *paragraph,
                              const char *text, char **whole)
{
    const char *law = strstr(paragraph, "\nlaw ");
    int length = law ? (int)(law + 1 - paragraph) : 0, said = (int)strlen(text);
    bool is_whole = begins_with_word(text, "law") || begins_with_word(text, "let");
    while (said > 0 && strchr(" \t\r\n", text[said - 1]))
        said--; /* where a sentence ends too soon is told of its last line */
    *whole = NULL;
    if (asprintf(whole, "%.*s%s%.*s", length, paragraph, is_whole ? "" : "law\n", said, text) < 0)
        return RD_ERROR_MEMORY;
    candidate->lines = !is_whole;
    for (int k = 0; k < length; k++)
        candidate->lines += paragraph[k] == '\n';
    return RD_OK;
}

/* The first sentence of the paragraph that begins with `law`, up to the next line that begins another. */
static char *own_text(const char *paragraph)
{
    const char *law = strstr(paragraph, "\nlaw ");
    if (!law)
        return NULL;
    const char *begin = law + strlen("\nlaw "), *end = begin + strcspn(begin, "\n");
    while (end[0] && end[1] == ' ')
        end += 1 + strcspn(end + 1, "\n");
    return strndup(begin, (size_t)(end - begin));
}

char *rd_candidate_text(const struct rd_program *program, const char *text)
{
    const char *paragraph = rd_program_law(program);
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

/* Of the sentences of a paragraph a law alone is judged. */
static enum rd_status accept_sentences(const struct rd_candidate *candidate,
                                       struct rd_law_error *error)
{
    struct rd_law_about about;
    rd_law_about(rd_law_section_at(candidate->proposed, NULL), &about);
    if (!about.has_update && rd_law_section_count(candidate->proposed) == 1 &&
        rd_law_input_count(candidate->proposed) == rd_law_input_count(candidate->own))
        return RD_OK;
    *error = (struct rd_law_error){0};
    return rd_fail(&error->what, RD_ERROR_USAGE,
                   "a law of the program's array is judged: leave the sentences 'input', 'update' "
                   "and 'at' out");
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
    char *said = rd_candidate_text(candidate->program, text);
    status = said ? compose(candidate, paragraph, said, &whole) : RD_ERROR_MEMORY;
    free(said);
    if (status != RD_OK)
        return rd_fail(&error->what, RD_ERROR_MEMORY, "no memory for a law");
    status = rd_law_create(&candidate->proposed, whole, error);
    if (status == RD_ERROR_USAGE)
        to_text(candidate, error);
    free(whole);
    return status == RD_OK ? accept_sentences(candidate, error) : status;
}

/* ---- cells ---- */

static const struct rd_law_section *section(const struct rd_law *law)
{
    return rd_law_section_at(law, NULL);
}

/* What the law says of an array: of floats in double, with the sums of absolute values. */
struct saying {
    struct rd_law_cells live;
    void *said;     /* elem[n_cells] */
    double *wide;   /* [n_cells], floats only */
    double *weight; /* likewise */
};

static void saying_finish(struct saying *saying)
{
    rd_law_cells_finish(&saying->live);
    free(saying->said);
    free(saying->wide);
    free(saying->weight);
}

static bool apply(struct rd_candidate *candidate, const struct rd_law_place *at, enum rd_type type,
                  const void *const *inputs, void *cells)
{
    const struct rd_law_data data = {.numeric = rd_numeric(type), .inputs = inputs};
    return rd_law_apply(candidate->run, section(candidate->proposed), RD_LAW_LAW, at, &data, cells,
                        NULL, &candidate->error) == RD_OK;
}

/* The sums of absolute values: of |a| and |b|, or, where the law subtracts the second from the first, of |a| and
 * -|b|. */
static bool weigh(struct rd_candidate *candidate, const struct rd_law_place *at, size_t n_cells,
                  double *weight)
{
    const void *const against[] = {candidate->weights[0], candidate->against};
    double *other = calloc(n_cells + 1, sizeof *other);
    bool done =
        other &&
        apply(candidate, at, RD_TYPE_F64, (const void *const *)candidate->weights, weight) &&
        apply(candidate, at, RD_TYPE_F64, against, other);
    for (size_t k = 0; done && k < n_cells; k++)
        weight[k] = fmax(fabs(weight[k]), fabs(other[k]));
    free(other);
    return done;
}

static enum rd_status no_memory(struct rd_candidate *candidate)
{
    candidate->error = (struct rd_law_error){0};
    return rd_fail(&candidate->error.what, RD_ERROR_MEMORY, "no memory for the cells of a law");
}

static enum rd_status saying_init(struct saying *saying, struct rd_candidate *candidate,
                                  const struct rd_numeric *numeric, const struct rd_law_place *at,
                                  size_t n_cells)
{
    *saying = (struct saying){.said = calloc(n_cells + 1, numeric->size_bytes),
                              .wide = calloc(n_cells + 1, sizeof(double)),
                              .weight = calloc(n_cells + 1, sizeof(double))};
    enum rd_status status = RD_ERROR_USAGE;
    if (!saying->said || !saying->wide || !saying->weight)
        status = no_memory(candidate);
    else
        status = rd_law_cells_init(&saying->live, candidate->run, section(candidate->proposed), at,
                                   RD_LAW_NO_INPUT, &candidate->error);
    bool fits = status == RD_OK && saying->live.n_outside == 0;
    if (fits && !apply(candidate, at, numeric->type, candidate->inputs, saying->said))
        status = RD_ERROR_USAGE;
    if (fits && status == RD_OK && numeric->is_float &&
        !(apply(candidate, at, RD_TYPE_F64, (const void *const *)candidate->wide, saying->wide) &&
          weigh(candidate, at, n_cells, saying->weight)))
        status = RD_ERROR_USAGE;
    if (status != RD_OK)
        saying_finish(saying);
    return status;
}

/* A float may be the sum in any order: n*u*sum |a_j| bounds what rounding does (Higham, "Accuracy and Stability of
 * Numerical Algorithms", 2nd ed., eq. 4.4, and 2.1 for the last rounding). */
static bool is_said(const struct rd_candidate *candidate, const struct saying *saying,
                    const struct rd_numeric *numeric, uint64_t cell, rd_bits actual)
{
    if (!numeric->is_float)
        return numeric->same(actual, numeric->load(saying->said, cell));
    double is = numeric->to_double(actual), said = saying->wide[cell],
           weight = saying->weight[cell];
    bool narrow = numeric->type == RD_TYPE_F32;
    /* Sums of whole numbers are exact in any order, as long as they are no longer than the significand. */
    if (candidate->whole && weight < (narrow ? 0x1p24 : 0x1p53))
        return is == said;
    if (numeric->same(actual, numeric->load(saying->said, cell)) || (isnan(is) && isnan(said)))
        return true;
    if (weight > (narrow ? (double)FLT_MAX : DBL_MAX))
        return isfinite(said); /* a partial sum may overflow in one order, and not in another */
    return fabs(is - said) <=
           (double)candidate->n_inputs * (narrow ? FLT_EPSILON : DBL_EPSILON) * weight;
}

/* How many live cells are not as the law says, and the first. */
static size_t count_false(const struct rd_candidate *candidate, const struct saying *saying,
                          const struct rd_numeric *numeric, unsigned step, const void *cells,
                          struct rd_candidate_cell *first)
{
    size_t count = saying->live.n_outside;
    if (count > 0)
        *first = (struct rd_candidate_cell){step, saying->live.outside, true, 0, 0};
    for (size_t k = 0; k < saying->live.count && saying->live.n_outside == 0; k++) {
        uint64_t cell = saying->live.cells[k];
        rd_bits actual = numeric->load(cells, cell);
        if (is_said(candidate, saying, numeric, cell, actual))
            continue;
        if (count++ == 0)
            *first = (struct rd_candidate_cell){step, (int64_t)cell, false, actual,
                                                numeric->load(saying->said, cell)};
    }
    return count;
}

/* ---- states that satisfy it, too ---- */

/* A step of the run, with what the law says of it and of the next. */
struct look {
    struct rd_candidate *candidate;
    const struct rd_run *run;
    const struct rd_step *step;
    const struct saying *now;
    struct saying next;
    uint64_t *dead; /* [n_dead]: the cells of which the law says nothing, ascending */
    size_t n_dead;
    uint64_t seed;
    struct rd_candidate_cell fails;
};

/* Any other number. */
static rd_bits other(const struct look *look, uint64_t cell)
{
    const struct rd_numeric *numeric = look->run->numeric;
    uint64_t far = (cell + 1) * (2 * look->seed + 1);
    if (numeric->is_float) {
        double most = 1;
        for (size_t k = 0; k < look->next.live.count; k++)
            most = fmax(most, look->next.weight[look->next.live.cells[k]]);
        most *= 1 + 2 * (double)look->candidate->n_inputs *
                        FLT_EPSILON; /* beyond what rounding explains */
        far += isfinite(most) && most < 0x1p52 ? (uint64_t)most : 0;
    }
    return numeric->add(numeric->load(look->step->cells, cell), numeric->from_u64(far));
}

static bool is_live(const struct saying *saying, uint64_t cell)
{
    size_t low = 0, high = saying->live.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (saying->live.cells[middle] < cell)
            low = middle + 1;
        else
            high = middle;
    }
    return low < saying->live.count && saying->live.cells[low] == cell;
}

static enum rd_status find_dead(struct look *look)
{
    look->dead = malloc((look->step->n_cells + 1) * sizeof *look->dead);
    if (!look->dead)
        return no_memory(look->candidate);
    for (size_t i = 0; i < look->step->n_cells; i++)
        if (!is_live(look->now, i))
            look->dead[look->n_dead++] = i;
    return RD_OK;
}

/* Whether the next round makes the law false of the state with the dead cells [from, to) changed. */
static enum rd_status try_state(struct look *look, size_t from, size_t to, bool *fails)
{
    struct rd_candidate *candidate = look->candidate;
    const struct rd_numeric *numeric = look->run->numeric;
    const struct rd_law_place at = {.d = look->step->number + 1};
    const struct rd_law_data data = {.numeric = numeric, .inputs = candidate->inputs};
    size_t size_bytes = look->step->n_cells * numeric->size_bytes;
    char *cells = malloc(size_bytes + 1);
    if (!cells)
        return no_memory(candidate);
    memcpy(cells, look->step->cells, size_bytes);
    for (size_t k = from; k < to; k++)
        numeric->store(cells, look->dead[k], other(look, look->dead[k]));
    enum rd_status status = rd_law_apply(candidate->own_run, section(candidate->own), RD_LAW_UPDATE,
                                         &at, &data, cells, NULL, &candidate->error);
    if (status == RD_OK)
        *fails = count_false(candidate, &look->next, numeric, at.d, cells, &look->fails) > 0;
    free(cells);
    return status;
}

static void take_state(struct look *look, uint64_t cell, bool with_others, bool at_end)
{
    struct rd_candidate_result *result = &look->candidate->result;
    result->verdict = RD_CANDIDATE_TOO_WEAK;
    result->cell = look->fails;
    result->n_false = 1;
    result->state.step = look->step->number;
    result->state.cell = (int64_t)cell;
    result->state.was = look->run->numeric->load(look->step->cells, cell);
    result->state.becomes = other(look, cell);
    result->state.with_others = with_others;
    result->state.at_end = at_end;
}

/* Of the cells that together do harm, the last of the fewest that do. */
static enum rd_status find_culprit(struct look *look)
{
    size_t low = 0, high = look->n_dead; /* the first `high` do harm, the first `low` do not */
    bool fails = true, alone = false;
    enum rd_status status = RD_OK;
    while (status == RD_OK && high - low > 1) {
        size_t middle = low + (high - low) / 2;
        status = try_state(look, 0, middle, &fails);
        *(fails ? &high : &low) = middle;
    }
    if (status == RD_OK)
        status = try_state(look, high - 1, high, &alone);
    if (status == RD_OK && !alone)
        status = try_state(look, 0, high, &fails);
    if (status == RD_OK)
        take_state(look, look->dead[high - 1], !alone, false);
    return status;
}

/* A round that is documented from the inputs alone makes the same of every state: then no other was tried. */
static enum rd_status ask_whether_it_reads(struct look *look)
{
    uint64_t *dead = look->dead;
    size_t n_dead = look->n_dead;
    bool fails = true;
    look->dead = malloc((look->step->n_cells + 1) * sizeof *look->dead);
    enum rd_status status = look->dead ? RD_OK : no_memory(look->candidate);
    for (look->n_dead = 0; look->dead && look->n_dead < look->step->n_cells; look->n_dead++)
        look->dead[look->n_dead] = look->n_dead;
    if (status == RD_OK)
        status = try_state(look, 0, look->n_dead, &fails);
    look->candidate->result.untried |= status == RD_OK && !fails;
    free(look->dead);
    look->dead = dead;
    look->n_dead = n_dead;
    return status;
}

static enum rd_status ask_the_next_round(struct look *look)
{
    const struct rd_law_place at = {.d = look->step->number + 1};
    enum rd_status status =
        saying_init(&look->next, look->candidate, look->run->numeric, &at, look->step->n_cells);
    if (status != RD_OK)
        return status;
    bool fails = false;
    for (look->seed = 0; look->seed < 2 && status == RD_OK && !fails; look->seed++)
        status = try_state(look, 0, look->n_dead, &fails);
    look->seed--;
    if (status == RD_OK && fails)
        status = find_culprit(look);
    else if (status == RD_OK && look->next.live.count > 0)
        status = ask_whether_it_reads(look);
    saying_finish(&look->next);
    return status;
}

/* What the run has come to, and the law says, must be what the program's own law does. */
static enum rd_status compare_with_goal(struct look *look)
{
    struct rd_candidate *candidate = look->candidate;
    const struct rd_numeric *numeric = look->run->numeric;
    const struct rd_law_place at = {.d = look->step->number};
    struct rd_law *const proposed = candidate->proposed;
    struct rd_law_run *const run = candidate->run;
    struct saying own;
    candidate->proposed = candidate->own; /* for as long as it is asked */
    candidate->run = candidate->own_run;
    enum rd_status status = saying_init(&own, candidate, numeric, &at, look->step->n_cells);
    candidate->proposed = proposed;
    candidate->run = run;
    if (status != RD_OK)
        return status;
    if (count_false(candidate, &own, numeric, at.d, look->step->cells, &look->fails) > 0) {
        take_state(look, (uint64_t)look->fails.cell, false, true);
        candidate->result.misses = true;
    }
    saying_finish(&own);
    return RD_OK;
}

/* Behind the last round the law must speak of each cell that the program's own does. */
static enum rd_status ask_the_goal(struct look *look)
{
    struct rd_candidate *candidate = look->candidate;
    const struct rd_law_place at = {.d = look->step->number};
    struct rd_law_cells goal;
    enum rd_status status = rd_law_cells_init(&goal, candidate->own_run, section(candidate->own),
                                              &at, RD_LAW_NO_INPUT, &candidate->error);
    if (status != RD_OK)
        return status;
    for (size_t k = 0; k < goal.count && candidate->result.verdict == RD_CANDIDATE_ENOUGH; k++)
        if (!is_live(look->now, goal.cells[k])) {
            rd_bits was = look->run->numeric->load(look->step->cells, goal.cells[k]);
            look->fails = (struct rd_candidate_cell){at.d, (int64_t)goal.cells[k], false,
                                                     other(look, goal.cells[k]), was};
            take_state(look, goal.cells[k], false, true);
        }
    rd_law_cells_finish(&goal);
    return candidate->result.verdict == RD_CANDIDATE_ENOUGH ? compare_with_goal(look) : RD_OK;
}

static enum rd_status ask_whether_enough(struct rd_candidate *candidate, const struct rd_run *run,
                                         const struct rd_step *step, const struct saying *now)
{
    struct look look = {.candidate = candidate, .run = run, .step = step, .now = now};
    enum rd_status status = find_dead(&look);
    if (status == RD_OK && step->number == candidate->n_rounds)
        status = ask_the_goal(&look);
    else if (status == RD_OK && look.n_dead > 0)
        status = ask_the_next_round(&look);
    free(look.dead);
    return status;
}

/* ---- observing ---- */

static double *widen(const struct rd_numeric *numeric, const void *cells, size_t n, bool absolute)
{
    double *wide = calloc(n + 1, sizeof *wide);
    for (size_t k = 0; wide && cells && k < n; k++) {
        double value = numeric->to_double(numeric->load(cells, k));
        wide[k] = absolute ? fabs(value) : value;
    }
    return wide;
}

static void finish_run(struct rd_candidate *candidate)
{
    rd_law_run_destroy(candidate->own_run);
    rd_law_run_destroy(candidate->run);
    candidate->own_run = candidate->run = NULL;
    free(candidate->against);
    candidate->against = NULL;
    for (int k = 0; k < 2; k++) {
        free(candidate->wide[k]);
        free(candidate->weights[k]);
        candidate->wide[k] = candidate->weights[k] = NULL;
    }
}

static enum rd_status take_inputs(struct rd_candidate *candidate, const struct rd_run *run)
{
    candidate->inputs[0] = run->a;
    candidate->inputs[1] = run->b;
    candidate->n_inputs = 1;
    candidate->whole = true;
    for (size_t k = 0; k < rd_law_input_count(candidate->own) && k < 2; k++) {
        uint64_t n;
        enum rd_status status = rd_law_input_size(candidate->own_run, k, &n, &candidate->error);
        if (status != RD_OK)
            return status;
        candidate->wide[k] = widen(run->numeric, candidate->inputs[k], n, false);
        candidate->weights[k] = widen(run->numeric, candidate->inputs[k], n, true);
        if (!candidate->wide[k] || !candidate->weights[k])
            return no_memory(candidate);
        candidate->against = k == 1 ? widen(run->numeric, candidate->inputs[k], n, true) : NULL;
        if (k == 1 && !candidate->against)
            return no_memory(candidate);
        for (uint64_t j = 0; j < n; j++) {
            candidate->whole = candidate->whole &&
                               candidate->wide[k][j] == trunc(candidate->wide[k][j]) &&
                               isfinite(candidate->wide[k][j]);
            if (candidate->against)
                candidate->against[j] = -candidate->against[j];
        }
        if (n > candidate->n_inputs)
            candidate->n_inputs = n;
    }
    return RD_OK;
}

/* In the words of the run: a place in the law as well. */
static enum rd_status pass_on(const struct rd_candidate *candidate, enum rd_status status,
                              struct rd_error *error)
{
    struct rd_law_error told = candidate->error;
    if (status == RD_OK)
        return RD_OK;
    to_text(candidate, &told);
    if (told.column == 0)
        return rd_fail(error, status, "the law: %s", told.what.text);
    return rd_fail(error, status, "the law, line %zu, column %zu: %s", told.line, told.column,
                   told.what.text);
}

/* A fault may have an array of its own, of which the right program's law says nothing. */
static enum rd_status compare_arrays(struct rd_candidate *candidate, const struct rd_run *run,
                                     const struct rd_shape *shape)
{
    const struct rd_law_place at = {.d = 0};
    uint64_t n_cells;
    enum rd_status status = rd_law_array_size(candidate->own_run, section(candidate->own), &at,
                                              &n_cells, &candidate->error);
    if (status != RD_OK || n_cells == rd_program_cells(run->program, shape))
        return status;
    candidate->error = (struct rd_law_error){0};
    return rd_fail(&candidate->error.what, RD_ERROR_USAGE,
                   "the array of %s has %zu cells, and that of %s, which laws speak of, %" PRIu64,
                   run->program->name, rd_program_cells(run->program, shape),
                   rd_program_twin(run->program)->name, n_cells);
}

static enum rd_status begin(void *self, const struct rd_run *run, struct rd_error *error)
{
    struct rd_candidate *candidate = self;
    const struct rd_shape shape = rd_run_shape(run);
    const struct rd_law_sizes sizes = {.n = shape.n, .T = shape.block, .B = shape.grid};
    finish_run(candidate);
    candidate->result = (struct rd_candidate_result){.verdict = RD_CANDIDATE_ENOUGH};
    candidate->ever_live = false;
    candidate->n_rounds = rd_program_rounds(rd_program_twin(run->program), &shape);
    enum rd_status status =
        rd_law_run_create(&candidate->own_run, candidate->own, &sizes, &candidate->error);
    if (status == RD_OK)
        status = rd_law_run_create(&candidate->run, candidate->proposed, &sizes, &candidate->error);
    if (status == RD_OK)
        status = compare_arrays(candidate, run, &shape);
    if (status == RD_OK)
        status = take_inputs(candidate, run);
    return pass_on(candidate, status, error);
}

static bool is_false(const struct rd_candidate *candidate)
{
    return candidate->result.verdict == RD_CANDIDATE_NOT_KEPT ||
           candidate->result.verdict == RD_CANDIDATE_FALSE_AT_FIRST;
}

static enum rd_status tell(struct rd_candidate *candidate, const struct rd_candidate_step *told)
{
    const struct rd_law_place at = {.d = told->number};
    struct rd_candidate_step step = *told;
    char *text = NULL;
    size_t size;
    if (!candidate->listener || !candidate->listener->step)
        return RD_OK;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return no_memory(candidate);
    enum rd_status status =
        rd_law_text(candidate->run, section(candidate->proposed), &at, out, &candidate->error);
    if (fclose(out) != 0 && status == RD_OK)
        status = no_memory(candidate);
    step.statement = text;
    if (status == RD_OK)
        candidate->listener->step(candidate->listener->self, &step);
    free(text);
    return status;
}

static enum rd_status look_at_step(struct rd_candidate *candidate, const struct rd_run *run,
                                   const struct rd_step *step)
{
    const struct rd_law_place at = {.d = step->number};
    struct rd_candidate_step told = {.number = step->number};
    struct saying saying;
    enum rd_status status = saying_init(&saying, candidate, run->numeric, &at, step->n_cells);
    if (status != RD_OK)
        return status;
    told.n_live = saying.live.count;
    told.n_false =
        count_false(candidate, &saying, run->numeric, step->number, step->cells, &told.first);
    candidate->ever_live = candidate->ever_live || told.n_live > 0 || told.n_false > 0;
    if (told.n_false > 0 && !is_false(candidate)) {
        candidate->result.verdict =
            step->number == 0 ? RD_CANDIDATE_FALSE_AT_FIRST : RD_CANDIDATE_NOT_KEPT;
        candidate->result.cell = told.first;
        candidate->result.n_false = told.n_false;
    }
    status = tell(candidate, &told);
    if (status == RD_OK && candidate->result.verdict == RD_CANDIDATE_ENOUGH)
        status = ask_whether_enough(candidate, run, step, &saying);
    saying_finish(&saying);
    return status;
}

static enum rd_status observe_step(void *self, const struct rd_run *run, const struct rd_step *step,
                                   struct rd_error *error)
{
    struct rd_candidate *candidate = self;
    if (step->place)
        return RD_OK;
    return pass_on(candidate, look_at_step(candidate, run, step), error);
}

/* ---- the public functions ---- */

const char *rd_candidate_verdict_name(enum rd_candidate_verdict verdict)
{
    static const char *const names[] = {
        [RD_CANDIDATE_ENOUGH] = "true, and enough",
        [RD_CANDIDATE_TOO_WEAK] = "true, but too weak",
        [RD_CANDIDATE_NOT_KEPT] = "not kept",
        [RD_CANDIDATE_FALSE_AT_FIRST] = "not true at first",
        [RD_CANDIDATE_VACUOUS] = "vacuous",
    };
    return names[verdict];
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
    if (!made)
        return rd_fail(&error->what, RD_ERROR_MEMORY, "no memory for a law");
    made->program = program;
    made->listener = listener;
    made->observer = (struct rd_observer){.self = made, .begin = begin, .step = observe_step};
    enum rd_status status = read_laws(made, text, error);
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
    free(candidate);
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
}
