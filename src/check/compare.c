// SPDX-License-Identifier: MIT
#include "base/utf8.h"
#include "check/check.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Readers keep numbers as doubles, as JSON allows them to: above this, they would change them. */
#define EXACT_MAX ((int64_t)1 << 53)

json_t *rd_check_text(const char *text, size_t length)
{
    json_t *string = json_stringn(text, length);
    char *mended = string ? NULL : malloc(length * RD_UTF8_BYTES_MAX + 1);
    size_t size = 0;
    if (!mended)
        return string ? string : json_string("");
    for (size_t at = 0; at < length;) {
        uint32_t character;
        at += rd_utf8_decode(text + at, length - at, &character);
        size += rd_utf8_encode(character, mended + size);
    }
    string = json_stringn(mended, size);
    free(mended);
    return string;
}

json_t *rd_check_value(const struct rd_numeric *numeric, const void *cells, size_t index)
{
    char text[RD_VALUE_TEXT_SIZE];
    numeric->format(text, numeric->load(cells, index));
    if (numeric->is_float) {
        double value = numeric->to_double(numeric->load(cells, index));
        return isfinite(value) ? json_real(value) : json_string(text);
    }
    int64_t whole = strtoll(text, NULL, 10); /* saturates */
    return whole > EXACT_MAX || whole < -EXACT_MAX ? json_string(text)
                                                   : json_integer((json_int_t)whole);
}

static bool is_result(const struct rd_check_spec *spec)
{
    return spec->is_buffer && spec->space == RD_CHECK_DEVICE;
}

/* What findings call the argument, as far as a run has come to know it. */
static json_t *name_json(const struct rd_check_run *runs, unsigned n_runs, unsigned argument)
{
    for (unsigned r = 0; r < n_runs; r++) {
        json_t *name = json_array_get(json_object_get(runs[r].record, "names"), argument);
        if (name)
            return json_incref(name);
    }
    return json_sprintf("parameter %u", argument);
}

static json_t *text_of(const struct rd_numeric *numeric, const void *cells, size_t index)
{
    char text[RD_VALUE_TEXT_SIZE];
    numeric->format(text, numeric->load(cells, index));
    return json_string(text);
}

static json_t *schedule_json(const struct rd_check_run *run)
{
    char name[RD_SIM_SCHEDULE_NAME_SIZE];
    rd_sim_schedule_name(&run->schedule, name);
    return json_string(name);
}

/* ---- the runs' results ---- */

/* The first byte at which two runs differ, in buffer *argument; false where they do not. */
static bool find_difference(const struct rd_check *check, const struct rd_check_run *x,
                            const struct rd_check_run *y, unsigned *argument, size_t *index)
{
    for (unsigned k = 0; k < check->options->n_args; k++) {
        const struct rd_check_spec *spec = &check->specs[k];
        if (!is_result(spec))
            continue;
        size_t size_bytes = spec->count * spec->numeric->size_bytes, at = 0;
        const char *of_x = rd_check_run_buffer(x, check, k),
                   *of_y = rd_check_run_buffer(y, check, k);
        if (memcmp(of_x, of_y, size_bytes) == 0)
            continue;
        while (of_x[at] == of_y[at])
            at++;
        *argument = k;
        *index = at / spec->numeric->size_bytes;
        return true;
    }
    return false;
}

static json_t *difference_json(const struct rd_check *check, const struct rd_check_run *base,
                               const struct rd_check_run *run, unsigned argument, size_t index)
{
    const struct rd_numeric *numeric = check->specs[argument].numeric;
    return json_pack("{s:i, s:o, s:I, s:o, s:o, s:o, s:o}", "argument", (int)argument, "array",
                     name_json(run, 1, argument), "index", (json_int_t)index, "schedule",
                     schedule_json(run), "value",
                     text_of(numeric, rd_check_run_buffer(run, check, argument), index),
                     "other_schedule", schedule_json(base), "other_value",
                     text_of(numeric, rd_check_run_buffer(base, check, argument), index));
}

void rd_check_compare_run(const struct rd_check *check, const struct rd_check_run *base,
                          struct rd_check_run *run)
{
    unsigned argument;
    size_t index;
    if (find_difference(check, base, run, &argument, &index))
        run->difference = difference_json(check, base, run, argument, index);
}

json_t *rd_check_compare(const struct rd_check_run *runs, unsigned n_runs)
{
    json_t *difference = NULL;
    unsigned compared = 0, differ = 0;
    for (unsigned r = 0; r < n_runs; r++) {
        compared += rd_check_run_is_complete(&runs[r]);
        differ += runs[r].difference != NULL;
        if (!difference)
            difference = runs[r].difference;
    }
    if (compared < 2)
        return json_null();
    return json_pack("{s:b, s:i, s:i, s:i, s:O}", "same", differ == 0, "compared", (int)compared,
                     "of", (int)n_runs, "differ", (int)differ, "difference",
                     difference ? difference : json_null());
}

/* ---- what was expected ---- */

struct mismatch {
    size_t count, first;
};

static struct mismatch compare_cells(const struct rd_check_spec *spec, const void *actual,
                                     const void *expected)
{
    struct mismatch mismatch = {0, 0};
    const struct rd_numeric *numeric = spec->numeric;
    for (size_t i = 0; i < spec->count; i++)
        if (!numeric->same(numeric->load(actual, i), numeric->load(expected, i)) &&
            mismatch.count++ == 0)
            mismatch.first = i;
    return mismatch;
}

static json_t *mismatch_json(const struct rd_check_spec *spec, size_t index, const void *actual,
                             const void *expected, const struct rd_check_run *run)
{
    return json_pack("{s:I, s:o, s:o, s:o}", "index", (json_int_t)index, "expected",
                     text_of(spec->numeric, expected, index), "actual",
                     text_of(spec->numeric, actual, index), "schedule", schedule_json(run));
}

/* The first run whose buffer is not what it should be is told. */
static json_t *expectation_json(const struct rd_check *check, unsigned k,
                                const struct rd_check_run *runs, unsigned n_runs)
{
    const struct rd_check_expect *expect = &check->options->expects[k];
    const struct rd_check_spec *spec = &check->specs[expect->argument];
    struct mismatch mismatch = {0, 0};
    bool compared = false;
    json_t *first = json_null();
    for (unsigned r = 0; r < n_runs && mismatch.count == 0; r++) {
        const char *actual = rd_check_run_buffer(&runs[r], check, expect->argument);
        if (!actual)
            continue;
        compared = true;
        mismatch = compare_cells(spec, actual, check->expected[k]);
        if (mismatch.count > 0)
            first = mismatch_json(spec, mismatch.first, actual, check->expected[k], &runs[r]);
    }
    return json_pack("{s:i, s:o, s:o, s:I, s:b, s:I, s:o}", "argument", (int)expect->argument,
                     "array", name_json(runs, n_runs, expect->argument), "file",
                     rd_check_text(expect->path, strlen(expect->path)), "n_elems",
                     (json_int_t)spec->count, "compared", compared, "differ",
                     (json_int_t)mismatch.count, "first", first);
}

json_t *rd_check_compare_expected(const struct rd_check *check, const struct rd_check_run *runs,
                                  unsigned n_runs)
{
    json_t *list = json_array();
    for (unsigned k = 0; k < check->options->n_expects; k++)
        json_array_append_new(list, expectation_json(check, k, runs, n_runs));
    return list;
}
