// SPDX-License-Identifier: MIT
/* Results next to what was expected of them. */
#include "check/kernel/check.h"
#include "check/report/findings.h"

#include <math.h>
#include <string.h>

struct mismatch {
    size_t count, first;
    long double largest; /* the largest part of its limit that a right cell has used */
};

/* An index of an input that is as good as the best. */
static bool is_best(const struct rd_check_expectation *expectation, const struct rd_numeric *own,
                    rd_bits actual, rd_bits expected)
{
    const struct rd_numeric *numeric = expectation->indexed->numeric;
    uint64_t index = own->is_float ? (uint64_t)own->to_double(actual) : actual,
             best = own->is_float ? (uint64_t)own->to_double(expected) : expected;
    if (index >= expectation->n_indexed ||
        (own->is_float && own->to_double(actual) != (double)index))
        return false;
    rd_bits one = numeric->load(expectation->inputs, expectation->first + index),
            other = numeric->load(expectation->inputs, expectation->first + best);
    return one == other ||
           (numeric->is_float && numeric->to_double(one) == numeric->to_double(other));
}

static bool is_right(const struct rd_check_expectation *expectation,
                     const struct rd_numeric *numeric, const void *actual, size_t i,
                     long double *share)
{
    rd_bits one = numeric->load(actual, i), other = numeric->load(expectation->cells, i);
    if (expectation->indexed)
        return is_best(expectation, numeric, one, other);
    if (!expectation->limit)
        return numeric->same(one, other);
    long double off = fabsl((long double)numeric->to_double(one) - expectation->exact[i]);
    if (isnan(expectation->exact[i]) || isinf(expectation->exact[i]))
        return numeric->same(one, other);
    if (!(off <= expectation->limit[i]))
        return false;
    if (expectation->limit[i] > 0 && off / expectation->limit[i] > *share)
        *share = off / expectation->limit[i];
    return true;
}

static struct mismatch compare_cells(const struct rd_check_expectation *expectation,
                                     const struct rd_check_spec *spec, const void *actual,
                                     const char *unset)
{
    struct mismatch mismatch = {0};
    for (size_t i = 0; i < spec->count; i++)
        if ((!expectation->judged || expectation->judged[i]) &&
            (unset[i] || !is_right(expectation, spec->numeric, actual, i, &mismatch.largest)) &&
            mismatch.count++ == 0)
            mismatch.first = i;
    return mismatch;
}

static json_t *text_of(const struct rd_numeric *numeric, const void *cells, size_t index)
{
    char text[RD_VALUE_TEXT_SIZE];
    numeric->format(text, numeric->load(cells, index));
    return json_string(text);
}

static json_t *mismatch_json(const struct rd_check_expectation *expectation,
                             const struct rd_check_spec *spec, size_t index, const void *actual,
                             bool is_unset, const struct rd_check_run *run)
{
    json_t *object =
        json_pack("{s:I, s:o, s:o, s:o}", "index", (json_int_t)index, "expected",
                  text_of(spec->numeric, expectation->cells, index), "actual",
                  is_unset ? json_string("not initialised") : text_of(spec->numeric, actual, index),
                  "schedule", rd_check_schedule_json(run));
    if (!is_unset && expectation->limit && isfinite(expectation->limit[index]) &&
        !expectation->indexed) {
        double actual_value = spec->numeric->to_double(spec->numeric->load(actual, index));
        long double off = fabsl((long double)actual_value - expectation->exact[index]);
        if (isfinite(off))
            json_object_set_new(object, "error", json_real((double)off));
        json_object_set_new(object, "limit", json_real((double)expectation->limit[index]));
    }
    return object;
}

static void add_source(json_t *object, const struct rd_check_expectation *expectation)
{
    if (expectation->kind == RD_CHECK_EXPECT_FILE) {
        json_object_set_new(object, "file",
                            rd_check_text(expectation->path, strlen(expectation->path)));
    } else {
        const char *source = expectation->source ? expectation->source : "";
        json_object_set_new(object, "source", rd_check_text(source, strlen(source)));
    }
    if (expectation->limit && !expectation->unjudged && !expectation->indexed)
        json_object_set_new(object, "within",
                            json_string(expectation->is_bounded ? "bound" : "tolerance"));
    if (expectation->unjudged)
        json_object_set_new(object, "unjudged", json_string(expectation->unjudged));
}

/* The first run whose buffer is not what it should be is told. */
static json_t *expectation_json(const struct rd_check *check, unsigned k,
                                const struct rd_check_run *runs, unsigned n_runs)
{
    const struct rd_check_expectation *expectation = &check->expectations[k];
    const struct rd_check_buffer *buffer = &check->buffers.all[expectation->buffer];
    struct mismatch mismatch = {0};
    bool compared = false;
    json_t *first = json_null();
    for (unsigned r = 0; r < n_runs && mismatch.count == 0 && !expectation->unjudged; r++) {
        const char *actual = rd_check_run_buffer(&runs[r], check, expectation->buffer);
        if (!actual)
            continue;
        const char *unset = rd_check_run_unset(&runs[r], check, expectation->buffer);
        compared = true;
        mismatch = compare_cells(expectation, buffer->spec, actual, unset);
        if (mismatch.count > 0)
            first = mismatch_json(expectation, buffer->spec, mismatch.first, actual,
                                  unset[mismatch.first], &runs[r]);
    }
    json_t *object =
        json_pack("{s:i, s:o, s:I, s:b, s:I, s:o}", "argument", (int)buffer->argument, "array",
                  rd_check_buffer_name(check, runs, n_runs, expectation->buffer), "n_elems",
                  (json_int_t)buffer->spec->count, "compared", compared, "differ",
                  (json_int_t)mismatch.count, "first", first);
    add_source(object, expectation);
    if (expectation->judged)
        json_object_set_new(object, "n_judged", json_integer((json_int_t)expectation->n_judged));
    return object;
}

json_t *rd_check_compare_expected(const struct rd_check *check, const struct rd_check_run *runs,
                                  unsigned n_runs)
{
    json_t *list = json_array();
    for (unsigned k = 0; k < check->options->n_expects; k++)
        json_array_append_new(list, expectation_json(check, k, runs, n_runs));
    return list;
}
