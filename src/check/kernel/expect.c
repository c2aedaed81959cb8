// SPDX-License-Identifier: MIT
/* Expectations: reading them, and the numbers of operations. */
#include "check/kernel/check.h"
#include "check/source/expression.h"
#include "element/values_text.h"
#include "program/outcome.h"
#include "reductio/operation.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- buffers ---- */

enum rd_status rd_check_find_buffer(const struct rd_check *check, const char *option,
                                    const char *name, size_t length, unsigned *buffer,
                                    struct rd_error *error)
{
    const struct rd_check_options *options = check->options;
    char subject[RD_SUBJECT_SIZE];
    if (length > 0 && strspn(name, "0123456789") >= length) {
        unsigned long argument = strtoul(name, NULL, 10);
        if (argument >= options->n_args)
            return rd_fail(error, RD_ERROR_USAGE,
                           "'%s %.*s' names no argument: there %s %u, from 0 on", option,
                           (int)length, name, options->n_args == 1 ? "is" : "are", options->n_args);
        const struct rd_check_spec *spec = &check->specs[argument];
        const struct rd_check_spec *target = spec->target ? spec->target : spec;
        rd_quote(subject, spec->text, strlen(spec->text));
        if (!target->is_buffer || target->space != RD_CHECK_DEVICE)
            return rd_fail(error, RD_ERROR_USAGE,
                           "'%s %.*s' names %s, which is no buffer on the device", option,
                           (int)length, name, subject);
        *buffer = target->index;
        return RD_OK;
    }
    const struct rd_check_buffer *found = rd_check_buffer_named(&check->buffers, name, length);
    if (found && found->spec->space == RD_CHECK_DEVICE) {
        *buffer = found->spec->index;
        return RD_OK;
    }
    rd_quote(subject, name, length);
    return rd_fail(error, RD_ERROR_USAGE,
                   "'%s' names %s, which is no buffer: give the index of an argument, or the name "
                   "of a buffer, NAME=TYPE[COUNT]:FILL",
                   option, subject);
}

enum rd_status rd_check_input(const struct rd_check *check, unsigned buffer, void **cells,
                              struct rd_error *error)
{
    const struct rd_check_spec *spec = check->buffers.all[buffer].spec;
    if (spec->fill == RD_CHECK_UNINIT)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'--expect' asks for what '%s' holds before the launch, and it is uninit",
                       spec->name);
    *cells = calloc(spec->count, spec->numeric->size_bytes);
    if (!*cells)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for '%s'", spec->name);
    rd_check_spec_write(spec, *cells);
    return RD_OK;
}

bool rd_check_tolerance(const struct rd_check *check, double *tolerance)
{
    if (check->options->tolerance)
        *tolerance = strtod(check->options->tolerance, NULL);
    return check->options->tolerance != NULL;
}

/* ---- operations ---- */

/* A slice of a buffer, as it was before the launch. */
struct operand {
    const struct rd_check_spec *spec;
    void *cells;
    size_t first, count;
};

static long double value_of(const struct rd_numeric *numeric, const void *cells, size_t j)
{
    rd_bits bits = numeric->load(cells, j);
    if (numeric->is_float)
        return numeric->to_double(bits);
    unsigned unused = 64 - 8 * (unsigned)numeric->size_bytes;
    return numeric->name[0] == 'i' ? (long double)((int64_t)(bits << unused) >> unused)
                                   : (long double)bits;
}

/* An integer, with its sign up to 64 bits. */
static uint64_t whole_of(const struct rd_numeric *numeric, const void *cells, size_t j)
{
    rd_bits bits = numeric->load(cells, j);
    unsigned unused = 64 - 8 * (unsigned)numeric->size_bytes;
    return numeric->name[0] == 'i' ? (uint64_t)((int64_t)(bits << unused) >> unused) : bits;
}

static bool any_nan(const struct operand *operand)
{
    const struct rd_numeric *numeric = operand->spec->numeric;
    for (size_t j = 0; j < operand->count; j++)
        if (numeric->is_nan(numeric->load(operand->cells, operand->first + j)))
            return true;
    return false;
}

static long double operand_value(const struct operand *operand, size_t j)
{
    return value_of(operand->spec->numeric, operand->cells, operand->first + j);
}

static uint64_t operand_whole(const struct operand *operand, size_t j)
{
    return whole_of(operand->spec->numeric, operand->cells, operand->first + j);
}

static void cant_judge(struct rd_check_expectation *expectation, const char *why)
{
    expectation->unjudged = strdup(why);
}

/* Writes a whole number into the cell, cut to its type as the hardware does. */
static void expect_whole(struct rd_check_expectation *expectation, const struct rd_numeric *numeric,
                         size_t cell, uint64_t value)
{
    numeric->store(expectation->cells, cell, value);
}

/* A float, with what may be off. */
static void expect_float(struct rd_check_expectation *expectation, const struct rd_check *check,
                         const struct rd_numeric *numeric, size_t cell, long double exact,
                         long double limit)
{
    double tolerance;
    expectation->is_bounded = !rd_check_tolerance(check, &tolerance);
    if (!expectation->is_bounded)
        limit = tolerance * fmaxl(1, fabsl(exact));
    numeric->store(expectation->cells, cell, numeric->from_double((double)exact));
    expectation->exact[cell] = exact;
    expectation->limit[cell] = limit;
    if (!isfinite(exact))
        cant_judge(expectation, "it is not finite");
    else if (fabsl(exact) > numeric->largest)
        cant_judge(expectation, "it is beyond the largest number of the type");
    else if (!isfinite(limit))
        cant_judge(expectation,
                   "so many roundings may change it by its own size: give --tolerance");
}

/* The type whose rounding is the coarser. */
static const struct rd_numeric *coarser(const struct rd_numeric *x, const struct rd_numeric *y)
{
    return !y->is_float || (x->is_float && x->digits < y->digits) ? x : y;
}

/* The sum of x, or of x*y: with what is lost in each addition (Neumaier 1974). */
static void sum(struct rd_check_expectation *expectation, const struct rd_check *check,
                const struct rd_numeric *numeric, size_t cell, const struct operand *x,
                const struct operand *y)
{
    long double value = 0, rest = 0, weight = 0;
    uint64_t whole = 0;
    bool is_whole = !x->spec->numeric->is_float && !(y && y->spec->numeric->is_float);
    for (size_t j = 0; j < x->count; j++) {
        if (is_whole)
            whole += operand_whole(x, j) * (y ? operand_whole(y, j) : 1);
        long double term = operand_value(x, j) * (y ? operand_value(y, j) : 1);
        long double next = value + term;
        rest += fabsl(value) >= fabsl(term) ? value - next + term : term - next + value;
        value = next;
        weight += fabsl(term);
    }
    if (!numeric->is_float && is_whole) {
        expect_whole(expectation, numeric, cell, whole);
        return;
    }
    if (!numeric->is_float) {
        cant_judge(expectation, "a sum of floats has no one value as an integer");
        return;
    }
    const struct rd_numeric *rounds = coarser(numeric, x->spec->numeric);
    struct rd_expect expect = {
        .numeric = rounds,
        .n_inputs = x->count,
        .height = (unsigned)(x->count > 0 ? x->count - 1 + (y != NULL) : 0),
    };
    const struct rd_rounding rounding = rd_rounding_of(&expect);
    const struct rd_exact_sum exact = {value, rest, weight};
    long double limit = rd_off_by(&rounding, &exact) + fabsl(value) * 2 * LDBL_EPSILON;
    /* The final conversion to the cell's own type, and that of integers that the type can't hold. */
    if (numeric != x->spec->numeric)
        limit += weight * 2 * ldexpl(1, -(int)rounds->digits);
    if (!isfinite(weight) || weight > rounds->largest)
        cant_judge(expectation, "sums on the way may be beyond the largest number of the type");
    else
        expect_float(expectation, check, numeric, cell, isfinite(value) ? value + rest : value,
                     limit);
}

static void product(struct rd_check_expectation *expectation, const struct rd_check *check,
                    const struct rd_numeric *numeric, size_t cell, const struct operand *x)
{
    long double value = 1, up = 0, down = 0;
    uint64_t whole = 1;
    bool has_zero = false;
    for (size_t j = 0; j < x->count; j++) {
        long double factor = operand_value(x, j);
        whole *= x->spec->numeric->is_float ? 0 : operand_whole(x, j);
        value *= factor;
        has_zero = has_zero || factor == 0;
        long double log = factor != 0 ? log2l(fabsl(factor)) : 0;
        up += log > 0 ? log : 0;
        down += log < 0 ? -log : 0;
    }
    if (!numeric->is_float && !x->spec->numeric->is_float) {
        expect_whole(expectation, numeric, cell, whole);
        return;
    }
    if (!numeric->is_float) {
        cant_judge(expectation, "a product of floats has no one value as an integer");
        return;
    }
    const struct rd_numeric *rounds = coarser(numeric, x->spec->numeric);
    long double hu = (long double)x->count * ldexpl(1, -(int)rounds->digits);
    if (up >= log2l(rounds->largest) || (down >= -log2l(rounds->least_normal) && !has_zero)) {
        cant_judge(expectation, "products on the way may be beyond the numbers of the type");
        return;
    }
    expect_float(expectation, check, numeric, cell, value,
                 hu < 1 ? fabsl(value) * (hu / (1 - hu) + (long double)x->count * 2 * LDBL_EPSILON)
                        : (long double)INFINITY);
}

/* The index of the largest or the smallest, the first of several. */
static size_t best_of(const struct operand *x, bool is_max)
{
    const struct rd_numeric *numeric = x->spec->numeric;
    size_t best = 0;
    for (size_t j = 1; j < x->count; j++) {
        long double one = operand_value(x, j), other = operand_value(x, best);
        if (is_max ? one > other : one < other)
            best = j;
    }
    (void)numeric;
    return best;
}

static void best(struct rd_check_expectation *expectation, const struct rd_numeric *numeric,
                 size_t cell, struct operand *x, bool is_max, bool is_index)
{
    const struct rd_numeric *own = x->spec->numeric;
    if (own->is_float && any_nan(x)) {
        cant_judge(expectation, "an input is not a number");
        return;
    }
    size_t at = best_of(x, is_max);
    if (is_index) {
        if (numeric->is_float)
            numeric->store(expectation->cells, cell, numeric->from_double((double)at));
        else
            numeric->store(expectation->cells, cell, at);
        expectation->indexed = x->spec;
        expectation->inputs = x->cells;
        expectation->first = x->first;
        expectation->n_indexed = x->count;
        x->cells = NULL;
        return;
    }
    long double value = operand_value(x, at);
    if (numeric->is_float) {
        numeric->store(expectation->cells, cell, numeric->from_double((double)value));
        expectation->exact[cell] = value; /* zeros of either sign will do */
        expectation->limit[cell] = own->is_float && numeric->digits < own->digits
                                       ? fabsl(value) * ldexpl(1, -(int)numeric->digits)
                                       : 0;
        expectation->is_bounded = true;
    } else if (own->is_float) {
        cant_judge(expectation, "a float has no one value as an integer");
    } else {
        expect_whole(expectation, numeric, cell, operand_whole(x, at));
    }
}

static void bitwise(struct rd_check_expectation *expectation, const struct rd_numeric *numeric,
                    size_t cell, const struct operand *x, char op)
{
    uint64_t value = operand_whole(x, 0);
    for (size_t j = 1; j < x->count; j++) {
        uint64_t one = operand_whole(x, j);
        value = op == '&' ? value & one : op == '|' ? value | one : value ^ one;
    }
    expect_whole(expectation, numeric, cell, value);
}

/* ---- reading ---- */

/* Tells whether only integers have the operation. */
static bool is_bitwise(enum rd_operation operation)
{
#define IS_OF_INTEGERS(name, NAME, selects, integers) integers,
    static const bool are_of_integers[] = {RD_OPERATIONS(IS_OF_INTEGERS)};
#undef IS_OF_INTEGERS
    return are_of_integers[operation];
}

/* BUFFER, or BUFFER[FROM..TO], TO excluded. */
static enum rd_status read_operand(const struct rd_check *check, const char *text, size_t length,
                                   struct operand *operand, struct rd_error *error)
{
    const char *bracket = memchr(text, '[', length), *dots = NULL;
    size_t named = bracket ? (size_t)(bracket - text) : length;
    unsigned buffer;
    int64_t from = 0, to = 0;
    enum rd_status status = rd_check_find_buffer(check, "--expect", text, named, &buffer, error);
    if (status != RD_OK)
        return status;
    operand->spec = check->buffers.all[buffer].spec;
    to = (int64_t)operand->spec->count;
    if (bracket) {
        const char *end = text + length - 1;
        dots = strstr(bracket, "..");
        if (!dots || dots >= end || *end != ']')
            return rd_fail(error, RD_ERROR_USAGE, "'%.*s' is no slice: write BUFFER[FROM..TO]",
                           (int)length, text);
        status = rd_check_expression(bracket + 1, (size_t)(dots - bracket - 1), &from, error);
        if (status == RD_OK)
            status = rd_check_expression(dots + 2, (size_t)(end - dots - 2), &to, error);
    }
    if (status == RD_OK && (from < 0 || to <= from || (uint64_t)to > operand->spec->count))
        return rd_fail(error, RD_ERROR_USAGE,
                       "'%.*s' is no slice of '%s', which has %zu elements: FROM is below TO, "
                       "which is excluded",
                       (int)length, text, operand->spec->name, operand->spec->count);
    if (status == RD_OK)
        status = rd_check_input(check, buffer, &operand->cells, error);
    operand->first = (size_t)from;
    operand->count = (size_t)(to - from);
    return status;
}

static enum rd_status check_types(const char *name, enum rd_operation operation,
                                  const struct rd_numeric *numeric, const struct operand *x,
                                  const struct operand *y, struct rd_error *error)
{
    if (is_bitwise(operation) && (x->spec->numeric->is_float || numeric->is_float))
        return rd_fail(error, RD_ERROR_USAGE, "'%s' is of integers, and '%s' is of %s", name,
                       x->spec->name,
                       (x->spec->numeric->is_float ? x->spec->numeric : numeric)->name);
    if (y->spec && y->count != x->count)
        return rd_fail(error, RD_ERROR_USAGE, "'%s' is of two of one size: '%s' has %zu, '%s' %zu",
                       name, x->spec->name, x->count, y->spec->name, y->count);
    return RD_OK;
}

static void reduce(struct rd_check_expectation *expectation, const struct rd_check *check,
                   size_t cell, enum rd_operation operation, struct operand *x,
                   const struct operand *y)
{
    const struct rd_numeric *numeric = check->buffers.all[expectation->buffer].spec->numeric;
    switch (operation) {
    case RD_OPERATION_SUM:
        sum(expectation, check, numeric, cell, x, y);
        break;
    case RD_OPERATION_PRODUCT:
        product(expectation, check, numeric, cell, x);
        break;
    case RD_OPERATION_MIN:
    case RD_OPERATION_MAX:
        best(expectation, numeric, cell, x, operation == RD_OPERATION_MAX, false);
        break;
    case RD_OPERATION_ARGMIN:
    case RD_OPERATION_ARGMAX:
        best(expectation, numeric, cell, x, operation == RD_OPERATION_ARGMAX, true);
        break;
    case RD_OPERATION_AND:
        bitwise(expectation, numeric, cell, x, '&');
        break;
    case RD_OPERATION_OR:
        bitwise(expectation, numeric, cell, x, '|');
        break;
    case RD_OPERATION_XOR:
        bitwise(expectation, numeric, cell, x, '^');
        break;
    }
}

static enum rd_status read_operation(struct rd_check_expectation *expectation,
                                     const struct rd_check *check, size_t cell, const char *text,
                                     struct rd_error *error)
{
    const struct rd_numeric *numeric = check->buffers.all[expectation->buffer].spec->numeric;
    size_t length = strcspn(text, "("), end = strlen(text);
    char name[16] = "";
    struct operand x = {0}, y = {0};
    enum rd_operation operation = RD_OPERATION_SUM;
    if (length < sizeof name)
        memcpy(name, text, length);
    const bool is_dot = strcmp(name, "dot") == 0; /* a sum of products */
    if ((!is_dot && !rd_operation_named(name, &operation)) || text[length] != '(' ||
        text[end - 1] != ')')
        return rd_fail(error, RD_ERROR_USAGE,
                       "'--expect' has '%s': write @FILE, law: LAW, or one of " RD_OPERATION_NAMES
                       " of a buffer, as in sum(0), or dot(0, 1)",
                       text);
    const char *inside = text + length + 1, *comma = strchr(inside, ',');
    if (is_dot != (comma != NULL))
        return rd_fail(error, RD_ERROR_USAGE, "'%s' is of %s: write %s", name,
                       is_dot ? "two buffers" : "one buffer", is_dot ? "dot(0, 1)" : "sum(0)");
    size_t first = comma ? (size_t)(comma - inside) : end - length - 2;
    enum rd_status status = read_operand(check, inside, first, &x, error);
    if (status == RD_OK && comma) {
        const char *second = comma + 1 + strspn(comma + 1, " ");
        status = read_operand(check, second, (size_t)(text + end - 1 - second), &y, error);
    }
    if (status == RD_OK)
        status = check_types(name, operation, numeric, &x, &y, error);
    if (status == RD_OK)
        reduce(expectation, check, cell, operation, &x, y.spec ? &y : NULL);
    free(x.cells);
    free(y.cells);
    return status;
}

static enum rd_status read_file(struct rd_check_expectation *expectation,
                                const struct rd_check *check, const char *path,
                                struct rd_error *error)
{
    const struct rd_check_spec *spec = check->buffers.all[expectation->buffer].spec;
    double tolerance;
    expectation->kind = RD_CHECK_EXPECT_FILE;
    expectation->path = strdup(path);
    free(expectation->cells);
    expectation->cells = NULL;
    enum rd_status status =
        rd_check_read(path, spec->numeric, spec->count, &expectation->cells, error);
    if (status != RD_OK || !spec->numeric->is_float || !rd_check_tolerance(check, &tolerance)) {
        free(expectation->exact);
        free(expectation->limit);
        expectation->exact = expectation->limit = NULL;
        return status;
    }
    for (size_t i = 0; i < spec->count; i++) {
        long double value = value_of(spec->numeric, expectation->cells, i);
        expectation->exact[i] = value;
        expectation->limit[i] = tolerance * fmaxl(1, fabsl(value));
    }
    return status;
}

/* A slot for each cell. */
static enum rd_status make_cells(struct rd_check_expectation *expectation,
                                 const struct rd_check_spec *spec, struct rd_error *error)
{
    expectation->cells = calloc(spec->count, spec->numeric->size_bytes);
    expectation->judged = calloc(spec->count, 1);
    if (spec->numeric->is_float) {
        expectation->exact = calloc(spec->count, sizeof *expectation->exact);
        expectation->limit = calloc(spec->count, sizeof *expectation->limit);
    }
    bool good = expectation->cells && expectation->judged &&
                (!spec->numeric->is_float || (expectation->exact && expectation->limit));
    return good ? RD_OK : rd_fail(error, RD_ERROR_MEMORY, "no memory for '--expect'");
}

/* TARGET or TARGET[CELL], up to the equals sign. */
static enum rd_status read_target(struct rd_check_expectation *expectation,
                                  const struct rd_check *check, const char *text, size_t length,
                                  bool *has_cell, size_t *cell, struct rd_error *error)
{
    const char *bracket = memchr(text, '[', length);
    int64_t index = 0;
    size_t named = bracket ? (size_t)(bracket - text) : length;
    enum rd_status status =
        rd_check_find_buffer(check, "--expect", text, named, &expectation->buffer, error);
    if (status == RD_OK && bracket) {
        if (text[length - 1] != ']')
            return rd_fail(error, RD_ERROR_USAGE, "'--expect' is '%s': write TARGET[CELL]=WHAT",
                           text);
        status = rd_check_expression(bracket + 1, length - named - 2, &index, error);
    }
    const struct rd_check_spec *spec =
        status == RD_OK ? check->buffers.all[expectation->buffer].spec : NULL;
    if (spec && (index < 0 || (uint64_t)index >= spec->count))
        return rd_fail(error, RD_ERROR_USAGE,
                       "'--expect %.*s' names no cell of '%s', which has %zu", (int)length, text,
                       spec->name, spec->count);
    *has_cell = bracket != NULL;
    *cell = (size_t)index;
    return status;
}

enum rd_status rd_check_expectation_init(struct rd_check_expectation *expectation,
                                         const struct rd_check *check, const char *text,
                                         struct rd_error *error)
{
    struct rd_check_expectation made = {.kind = RD_CHECK_EXPECT_OPERATION};
    const char *equal = strchr(text, '=');
    bool has_cell = false;
    size_t cell = 0;
    if (!equal || equal == text || !equal[1])
        return rd_fail(error, RD_ERROR_USAGE,
                       "'--expect' is '%s': write INDEX=@FILE, INDEX=sum(INDEX) or INDEX=law: LAW",
                       text);
    const char *what = equal + 1 + strspn(equal + 1, " ");
    enum rd_status status =
        read_target(&made, check, text, (size_t)(equal - text), &has_cell, &cell, error);
    const struct rd_check_spec *spec =
        status == RD_OK ? check->buffers.all[made.buffer].spec : NULL;
    if (status == RD_OK)
        status = make_cells(&made, spec, error);
    bool is_law = strncmp(what, "law", 3) == 0 && strchr(":( ", what[3]);
    if (status == RD_OK && has_cell && (*what == '@' || is_law))
        status = rd_fail(error, RD_ERROR_USAGE,
                         "'--expect' has a cell, and %s is of a whole buffer: leave [%zu] out",
                         is_law ? "a law" : "a file", cell);
    if (status == RD_OK && *what == '@') {
        free(made.judged);
        made.judged = NULL;
        made.n_judged = spec->count;
        status = read_file(&made, check, what + 1, error);
    } else if (status == RD_OK && is_law) {
        made.kind = RD_CHECK_EXPECT_LAW;
        status = rd_check_expect_law(&made, check, what + 3, error);
    } else if (status == RD_OK) {
        made.judged[cell] = 1;
        made.n_judged = 1;
        status = read_operation(&made, check, cell, what, error);
        made.source = strdup(what);
    }
    if (status == RD_OK)
        *expectation = made;
    else
        rd_check_expectation_finish(&made);
    return status;
}

void rd_check_expectation_finish(struct rd_check_expectation *expectation)
{
    free(expectation->source);
    free(expectation->path);
    free(expectation->cells);
    free(expectation->judged);
    free(expectation->exact);
    free(expectation->limit);
    free(expectation->unjudged);
    free(expectation->inputs);
    *expectation = (struct rd_check_expectation){0};
}
