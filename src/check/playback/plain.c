// SPDX-License-Identifier: MIT
/* Laws of cells that a run of the driver doesn't assert, as those of a single cell, or of the upper ones: worked out and compared
 * here, evaluation by evaluation, without a trace. */
#include "base/random.h"
#include "check/playback/played.h"
#include "law/as_sums.h"
#include "reductio/law.h"
#include "run/assertion.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct plain {
    struct rd_played_loop *loop;
    const struct rd_numeric *numeric;
    struct rd_law *law;
    struct rd_law_run *run;
    size_t count;           /* cells of the array */
    void *expected;         /* [count] */
    double *exact, *weight; /* of floats: [count] */
    uint32_t *heights; /* likewise: 1 more than the roundings of each cell's sum; 0 of nothing */
    bool has_heights;  /* they are known */
    double *wide[2];   /* the inputs in double */
    bool whole;        /* the inputs are whole numbers: sums below 2^digits are exact */
    bool has_infinite; /* some element of an input is no finite number */
    double finite;     /* sum of the magnitudes of the others */
    bool has_products; /* the law may multiply elements */
    struct rd_error *why;
};

static double number(const struct rd_numeric *numeric, const void *cells, size_t cell)
{
    return numeric->to_double(numeric->load(cells, cell));
}

/* Keeps why it stays open at that evaluation. */
static void leave_open(const struct plain *plain, size_t d, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void leave_open(const struct plain *plain, size_t d, const char *format, ...)
{
    char text[RD_SENTENCE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (plain->loop->annotation->kind == RD_ANNOTATION_INVARIANT)
        rd_fail(plain->why, RD_ERROR_USAGE, "at evaluation %zu of the loop's condition: %s", d,
                text);
    else
        rd_fail(plain->why, RD_ERROR_USAGE, "%s", text);
}

/* Moves cells to what the law says at d. */
static bool apply(const struct plain *plain, size_t d, const struct rd_numeric *numeric,
                  const void *const *inputs, bool absolute, void *cells)
{
    const struct rd_law_data data = {.numeric = numeric, .inputs = inputs, .absolute = absolute};
    const struct rd_law_place place = {.d = d};
    struct rd_law_error why = {0};
    if (rd_law_apply(plain->run, rd_law_section(plain->law, 0), RD_LAW_LAW, &place, &data, cells,
                     NULL, &why) == RD_OK)
        return true;
    leave_open(plain, d, "%s", why.what.text);
    return false;
}

/* Bound of so many roundings, relative to the sum of the absolute values: Higham, eq. 3.4. */
static double bound(double roundings, double u)
{
    return roundings * u < 1 ? roundings * u / (1 - roundings * u) : (double)INFINITY;
}

/* Compares floats: within the bound of the law's own roundings they hold. Beyond it, the program may have rounded more often,
 * up to once an input and a round, unless the law rounds nothing: that decides nothing. */
static enum rd_verdict compare_floats(const struct plain *plain, const void *actual, size_t cell,
                                      size_t d)
{
    const struct rd_played_loop *loop = plain->loop;
    const struct rd_numeric *numeric = plain->numeric;
    const bool is_double = numeric->type == RD_TYPE_F64;
    const double u = ldexp(1, -(int)numeric->digits);
    double terms = (double)d + 1;
    for (unsigned k = 0; k < loop->n_inputs; k++)
        terms += (double)loop->inputs[k]->array.count;
    const double height = plain->heights[cell] > 0 ? (double)plain->heights[cell] - 1 : 0;
    const double least = plain->has_heights ? height : 0;
    const double most = plain->has_heights && height == 0 ? 0 : fmax(terms, height);
    const double weight = plain->weight[cell];
    const double error = fabs(number(numeric, actual, cell) - plain->exact[cell]);
    /* of what it is compared with: it has as many roundings, and conversions from narrower floats have none */
    const double own =
        height * DBL_EPSILON / 2 * weight + (is_double ? DBL_MIN * u : 0) * (height > 0);
    const double lost = /* where products underflow */
        plain->has_products ? terms * u * numeric->least_normal : 0;
    const double limit = bound(least, u) * weight + (least > 0 ? lost : 0),
                 widest = bound(most, u) * weight + (most > 0 ? lost : 0);
    const double value = number(numeric, actual, cell);
    if (plain->whole && weight < 1 / u / 16 && isfinite(error) && value == trunc(value))
        return error == 0 ? RD_HOLDS : RD_VIOLATED;
    if (loop->is_counted && loop->n_inputs == 1) /* numbers of elements are exact */
        return error == 0 ? RD_HOLDS : RD_VIOLATED;
    if (!isfinite(error) && weight + widest + own < numeric->largest)
        return RD_VIOLATED; /* no sum of some of them is too large for the type */
    if (!isfinite(error) || !isfinite(widest))
        return RD_INCONCLUSIVE;
    return error + own <= limit || error == 0 ? RD_HOLDS
           : error - own > widest             ? RD_VIOLATED
                                              : RD_INCONCLUSIVE;
}

/* Tells whether the exact value is no finite number because of such inputs, in whatever order they are added. */
static bool is_infinite_by_inputs(const struct plain *plain, double exact)
{
    return !isfinite(exact) && plain->has_infinite && !plain->has_products &&
           plain->finite < plain->numeric->largest / 2;
}

static enum rd_verdict compare(const struct plain *plain, const void *actual, size_t cell, size_t d)
{
    const struct rd_numeric *numeric = plain->numeric;
    const double value = numeric->is_float ? number(numeric, actual, cell) : 0,
                 exact = numeric->is_float ? plain->exact[cell] : 0;
    if (is_infinite_by_inputs(plain, exact))
        return isnan(exact) ? (isnan(value) ? RD_HOLDS : RD_VIOLATED)
                            : (value == exact ? RD_HOLDS : RD_VIOLATED);
    if (!isfinite(value) && (fabs(exact) <= numeric->largest || numeric->type == RD_TYPE_F64))
        return compare_floats(plain, actual, cell, d); /* lost on the way, maybe, to a number */
    if (numeric->same(numeric->load(plain->expected, cell), numeric->load(actual, cell)))
        return RD_HOLDS;
    return numeric->is_float ? compare_floats(plain, actual, cell, d) : RD_VIOLATED;
}

static void note(struct plain *plain, size_t d, const void *actual, size_t cell)
{
    struct rd_result *result = &plain->loop->result;
    if (result->violated) {
        result->violation.count += result->violation.step == d;
        return;
    }
    result->violated = true;
    result->violation = (struct rd_violation){
        .kind = RD_VIOLATION_BITS,
        .step = (unsigned)d,
        .array = plain->loop->annotation->array.expression,
        .cell = cell,
        .expected = plain->numeric->load(plain->expected, cell),
        .actual = plain->numeric->load(actual, cell),
        .count = 1,
    };
}

static void leave_cell_open(const struct plain *plain, size_t d, const void *actual, size_t cell)
{
    const struct rd_annotation *of = plain->loop->annotation;
    const double value = number(plain->numeric, actual, cell), exact = plain->exact[cell];
    char name[200];
    if (of->scalar)
        snprintf(name, sizeof name, "%.100s", of->array.expression);
    else
        snprintf(name, sizeof name, "%.100s[%zu]", of->array.expression, cell);
    if (!isfinite(value) && !isfinite(exact))
        leave_open(plain, d, "%s is %g: a number on the way may have been too large for the type",
                   name, value);
    else if (!isfinite(value) && fabs(exact) <= plain->numeric->largest)
        leave_open(plain, d,
                   "%s is %g, and the exact value %g: a number on the way may have been too large "
                   "for the type",
                   name, value, exact);
    else
        leave_open(plain, d,
                   "rounding may be what makes %s differ, or a number too large for its type",
                   name);
}

/* Asserts the law at an evaluation. */
static enum rd_verdict judge(struct plain *plain, size_t d)
{
    struct rd_played_loop *loop = plain->loop;
    const struct rd_played_array *array = &loop->evaluations[d]->array;
    const void *inputs[] = {loop->n_inputs > 0 ? loop->inputs[0]->array.cells : plain->expected,
                            loop->n_inputs > 1 ? loop->inputs[1]->array.cells : NULL};
    const void *wide[] = {plain->wide[0], plain->wide[1]};
    const struct rd_law_place place = {.d = d};
    struct rd_law_cells cells;
    struct rd_law_error why = {0};
    enum rd_verdict verdict = RD_HOLDS;
    memcpy(plain->expected, array->cells, plain->count * plain->numeric->size_bytes);
    if (!apply(plain, d, plain->numeric, inputs, false, plain->expected))
        return RD_INCONCLUSIVE;
    if (plain->numeric->is_float &&
        (!apply(plain, d, rd_numeric(RD_TYPE_F64), wide, false, plain->exact) ||
         !apply(plain, d, rd_numeric(RD_TYPE_F64), wide, true, plain->weight)))
        return RD_INCONCLUSIVE;
    if (plain->numeric->is_float)
        plain->has_heights = rd_law_apply_in(plain->run, rd_law_section(plain->law, 0), RD_LAW_LAW,
                                             &place, &rd_law_great_heights, RD_OPERATION_SUM,
                                             inputs, plain->heights, NULL) == RD_OK;
    if (rd_law_cells_init(&cells, plain->run, rd_law_section(plain->law, 0), &place,
                          RD_LAW_NO_INPUT, &why) != RD_OK) {
        leave_open(plain, d, "%s", why.what.text);
        return RD_INCONCLUSIVE;
    }
    if (cells.n_outside > 0) {
        leave_open(plain, d, "the law claims a cell that the array doesn't have");
        verdict = RD_INCONCLUSIVE;
    }
    for (size_t k = 0; k < cells.count; k++) {
        const enum rd_verdict one = compare(plain, array->cells, cells.cells[k], d);
        if (one == RD_VIOLATED)
            note(plain, d, array->cells, cells.cells[k]);
        if (one == RD_INCONCLUSIVE)
            leave_cell_open(plain, d, array->cells, cells.cells[k]);
        verdict = rd_verdict_worst(verdict, one);
    }
    loop->result.cells += cells.count;
    rd_law_cells_finish(&cells);
    return verdict;
}

static bool widen(struct plain *plain)
{
    const struct rd_played_loop *loop = plain->loop;
    plain->exact = calloc(plain->count, sizeof *plain->exact);
    plain->weight = calloc(plain->count, sizeof *plain->weight);
    plain->heights = calloc(plain->count, sizeof *plain->heights);
    bool good = plain->exact && plain->weight && plain->heights;
    plain->whole = true;
    for (unsigned k = 0; k < loop->n_inputs && good; k++) {
        const struct rd_played_array *input = &loop->inputs[k]->array;
        plain->wide[k] = malloc(input->count * sizeof(double));
        good = plain->wide[k];
        for (size_t j = 0; j < input->count && good; j++)
            plain->wide[k][j] = number(plain->numeric, input->cells, j);
        for (size_t j = 0; j < input->count && good; j++)
            if (plain->wide[k][j] != trunc(plain->wide[k][j]))
                plain->whole = false;
        for (size_t j = 0; j < input->count && good; j++)
            if (isfinite(plain->wide[k][j]))
                plain->finite += fabs(plain->wide[k][j]);
            else
                plain->has_infinite = true;
    }
    plain->has_products =
        strpbrk(loop->annotation->law, "*^") || strstr(loop->annotation->law, "product");
    return good;
}

/* ---- the promise ---- */

static bool apply_last(struct rd_law_run *run, const struct rd_law *law, size_t d,
                       uint64_t *const inputs[2], uint64_t *cells)
{
    const struct rd_law_data data = {.numeric = rd_numeric(RD_TYPE_U64),
                                     .inputs = (const void *const[]){inputs[0], inputs[1]}};
    const struct rd_law_place place = {.d = d};
    return rd_law_apply(run, rd_law_section(law, 0), RD_LAW_LAW, &place, &data, cells, NULL,
                        NULL) == RD_OK;
}

/* One of the two that are compared: as it is, or as sums. */
struct side {
    struct rd_law *law;
    struct rd_law_run *run;
};

static bool side_init(struct side *side, const char *paragraph, const struct rd_law_sizes *sizes,
                      bool as_sums)
{
    char *text = as_sums ? rd_law_as_sums(paragraph, RD_OPERATION_SUM) : strdup(paragraph);
    const bool good = text && rd_law_create(&side->law, text, NULL) == RD_OK &&
                      rd_law_run_create(&side->run, side->law, sizes, NULL) == RD_OK;
    free(text);
    return good;
}

static void side_finish(struct side *side)
{
    rd_law_run_destroy(side->run);
    rd_law_destroy(side->law);
}

/* Tells whether each cell of the promise holds what the law says at the loop's end, of inputs that look random: as
 * rd_program_check_goal() does. */
static bool follows(const struct plain *plain, const struct side *own, const struct side *goal,
                    unsigned trial)
{
    const struct rd_played_loop *loop = plain->loop;
    const size_t n = plain->count, d = loop->n - 1;
    uint64_t *inputs[2], *by_law = rd_random_odd_numbers(n, 3 * trial),
                         *by_goal = rd_random_odd_numbers(n, 3 * trial);
    for (unsigned k = 0; k < 2; k++)
        inputs[k] = rd_random_odd_numbers(k < loop->n_inputs ? loop->inputs[k]->array.count : n,
                                          3 * trial + 1 + k);
    bool good = by_law && by_goal && inputs[0] && inputs[1] &&
                apply_last(own->run, own->law, d, inputs, by_law);
    if (good) {
        const bool has_any = apply_last(goal->run, goal->law, d, inputs, by_goal);
        uint64_t *before = rd_random_odd_numbers(n, 3 * trial);
        good = has_any && before && memcmp(before, by_goal, n * sizeof *before) != 0;
        free(before);
        memcpy(by_goal, by_law, n * sizeof *by_goal);
        good = good && apply_last(goal->run, goal->law, d, inputs, by_goal) &&
               memcmp(by_law, by_goal, n * sizeof *by_goal) == 0;
    }
    free(inputs[0]);
    free(inputs[1]);
    free(by_law);
    free(by_goal);
    return good;
}

static bool all_follow(const struct plain *plain, const struct rd_law_sizes *sizes, bool as_sums)
{
    enum { TRIALS = 2 };
    const struct rd_played_loop *loop = plain->loop;
    struct side own = {NULL, NULL}, goal = {NULL, NULL};
    bool good = side_init(&own, loop->paragraph, sizes, as_sums) &&
                side_init(&goal, loop->goal_paragraph, sizes, as_sums);
    for (unsigned trial = 0; trial < TRIALS && good; trial++)
        good = follows(plain, &own, &goal, trial);
    side_finish(&own);
    side_finish(&goal);
    return good;
}

/* Laws over indices are compared as sums alone, whose factors tell the operations apart. */
static bool is_of_indices(const char *paragraph)
{
    return strstr(paragraph, "argmax") || strstr(paragraph, "argmin");
}

static void judge_exit(const struct plain *plain, const struct rd_law_sizes *sizes)
{
    struct rd_played_loop *loop = plain->loop;
    enum rd_verdict *obligations = loop->result.obligations;
    if (!loop->goal_paragraph || obligations[RD_INITIALIZATION] != RD_HOLDS ||
        obligations[RD_PRESERVATION] != RD_HOLDS)
        return;
    if (all_follow(plain, sizes, true) &&
        (is_of_indices(loop->paragraph) || is_of_indices(loop->goal_paragraph) ||
         all_follow(plain, sizes, false))) {
        obligations[RD_EXIT] = RD_HOLDS;
        loop->open[0] = '\0';
    } else {
        snprintf(loop->open, sizeof loop->open,
                 "'ensures' doesn't follow from the invariant at the loop's end");
    }
}

void rd_played_plain(struct rd_played_loop *loop)
{
    const struct rd_played_array *array = &loop->evaluations[0]->array;
    const struct rd_law_sizes sizes = {.n = loop->size, .T = 1};
    struct rd_law_error why = {0};
    struct rd_error open = {""};
    struct plain plain = {
        .loop = loop, .numeric = rd_numeric(array->type), .count = array->count, .why = &open};
    enum rd_verdict *obligations = loop->result.obligations;
    loop->result = (struct rd_result){
        .verdict = RD_INCONCLUSIVE,
        .obligations = {RD_INCONCLUSIVE, RD_INCONCLUSIVE, RD_INCONCLUSIVE},
    };
    plain.expected = malloc(plain.count * plain.numeric->size_bytes);
    if (plain.expected && (!plain.numeric->is_float || widen(&plain)) &&
        rd_law_create(&plain.law, loop->paragraph, &why) == RD_OK &&
        rd_law_run_create(&plain.run, plain.law, &sizes, &why) == RD_OK) {
        loop->is_plain = true;
        obligations[RD_INITIALIZATION] = judge(&plain, 0);
        enum rd_verdict kept = RD_HOLDS;
        for (size_t d = 1; d < loop->n && !loop->result.violated; d++)
            kept = rd_verdict_worst(kept, judge(&plain, d));
        if (loop->result.cells == 0) { /* of none it says nothing */
            if (!open.text[0])
                rd_fail(&open, RD_ERROR_USAGE, "the law claims no cell");
            obligations[RD_INITIALIZATION] = kept = RD_INCONCLUSIVE;
        }
        obligations[RD_PRESERVATION] =
            obligations[RD_INITIALIZATION] == RD_VIOLATED ? RD_INCONCLUSIVE : kept;
        judge_exit(&plain, &sizes);
        loop->result.verdict = rd_verdict_worst(
            rd_verdict_worst(obligations[RD_INITIALIZATION], obligations[RD_PRESERVATION]),
            loop->is_unasked ? RD_HOLDS : obligations[RD_EXIT]);
    }
    loop->why = open;
    rd_law_run_destroy(plain.run);
    rd_law_destroy(plain.law);
    free(plain.expected);
    free(plain.exact);
    free(plain.weight);
    free(plain.heights);
    free(plain.wide[0]);
    free(plain.wide[1]);
}
