// SPDX-License-Identifier: MIT
#include "check/kernel/sweep.h"
#include "check/source/expression.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists ---- */

static enum rd_status add_range(struct rd_check_swept *swept, int64_t first, int64_t last,
                                struct rd_error *error)
{
    if (last < first || last - first >= RD_CHECK_SHAPES_MAX)
        return rd_fail(error, RD_ERROR_USAGE,
                       "the sweep of '%s' has the range %" PRId64 "..%" PRId64
                       ": use one that goes up, by at most %d",
                       swept->name, first, last, RD_CHECK_SHAPES_MAX);
    int64_t *grown =
        realloc(swept->values, (swept->n + (size_t)(last - first) + 1) * sizeof *grown);
    if (!grown)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the sweep of '%s'", swept->name);
    swept->values = grown;
    for (int64_t value = first; value <= last; value++)
        swept->values[swept->n++] = value;
    return RD_OK;
}

/* "1..100,128,256". */
static enum rd_status read_list(struct rd_check_swept *swept, struct rd_error *error)
{
    enum rd_status status = RD_OK;
    for (const char *at = swept->list; status == RD_OK;) {
        size_t length = strcspn(at, ",");
        const char *dots = memmem(at, length, "..", 2);
        int64_t first = 0, last = 0;
        status = rd_check_expression(at, dots ? (size_t)(dots - at) : length, &first, error);
        last = first;
        if (status == RD_OK && dots)
            status = rd_check_expression(dots + 2, (size_t)(at + length - dots - 2), &last, error);
        if (status == RD_OK)
            status = add_range(swept, first, last, error);
        else
            rd_fail(error, status,
                    "the sweep of '%s' is '%s': write A..B, or A,B,C, of whole numbers",
                    swept->name, swept->list);
        if (!at[length])
            break;
        at += length + 1;
    }
    return status;
}

enum rd_status rd_check_sweep_init(struct rd_check_sweep *sweep,
                                   const struct rd_check_options *options, struct rd_error *error)
{
    enum rd_status status = RD_OK;
    *sweep = (struct rd_check_sweep){.n_shapes = 1, .notes = json_object()};
    for (unsigned k = 0; k < options->n_sweeps && status == RD_OK; k++) {
        const char *equal = strchr(options->sweeps[k], '=');
        struct rd_check_swept *swept = &sweep->all[sweep->n++];
        swept->name = strndup(options->sweeps[k], (size_t)(equal - options->sweeps[k]));
        swept->list = equal + 1;
        status = read_list(swept, error);
        for (unsigned m = 0; m + 1 < sweep->n && status == RD_OK; m++)
            if (strcmp(sweep->all[m].name, swept->name) == 0)
                status = rd_fail(error, RD_ERROR_USAGE, "'%s' is swept twice", swept->name);
        if (status == RD_OK && swept->n > RD_CHECK_SHAPES_MAX / sweep->n_shapes)
            status = rd_fail(error, RD_ERROR_USAGE, "the sweep has more than %d shapes",
                             RD_CHECK_SHAPES_MAX);
        sweep->n_shapes *= swept->n;
    }
    return status;
}

static void drop_texts(struct rd_check_sweep *sweep)
{
    for (unsigned k = 0; k < sweep->n_texts; k++)
        free(sweep->texts[k]);
    sweep->n_texts = 0;
}

void rd_check_sweep_finish(struct rd_check_sweep *sweep)
{
    drop_texts(sweep);
    for (unsigned k = 0; k < sweep->n; k++) {
        free(sweep->all[k].name);
        free(sweep->all[k].values);
    }
    json_decref(sweep->notes);
    *sweep = (struct rd_check_sweep){0};
}

/* ---- a shape ---- */

static int64_t value_of(const struct rd_check_sweep *sweep, unsigned k)
{
    size_t shape = sweep->shape;
    for (unsigned m = sweep->n - 1; m > k; m--)
        shape /= sweep->all[m].n;
    return sweep->all[k].values[shape % sweep->all[k].n];
}

struct texts {
    struct rd_check_sweep *sweep;
    struct rd_check_name_value values[RD_CHECK_SWEEPS_MAX];
    bool used[RD_CHECK_SWEEPS_MAX], failed;
};

/* The text with this shape's numbers. */
static const char *put(struct texts *texts, const char *text, bool *changed)
{
    struct rd_check_sweep *sweep = texts->sweep;
    if (!text || sweep->n_texts == RD_CHECK_SWEPT_TEXTS_MAX)
        return text;
    char *made = rd_check_put_values(text, texts->values, sweep->n);
    if (!made) {
        texts->failed = true;
        return text;
    }
    for (unsigned k = 0; k < sweep->n; k++)
        texts->used[k] = texts->used[k] || rd_check_has_name(text, sweep->all[k].name);
    if (changed)
        *changed = *changed || strcmp(made, text) != 0;
    return sweep->texts[sweep->n_texts++] = made;
}

static void put_all(struct texts *texts, const char **list, unsigned n, bool *changed)
{
    for (unsigned k = 0; k < n; k++)
        list[k] = put(texts, list[k], changed);
}

/* X, X,Y or X,Y,Z, of numbers and expressions. RD_ERROR_USAGE. */
static enum rd_status read_dim(const char *option, const char *text, struct rd_index3 *dim,
                               struct rd_error *error)
{
    int64_t n[3] = {1, 1, 1};
    const char *at = text;
    for (unsigned k = 0; k < 3; k++) {
        int depth = 0;
        size_t length = 0;
        for (; at[length] && (depth > 0 || at[length] != ','); length++)
            depth += (at[length] == '(') - (at[length] == ')');
        struct rd_error why;
        if (rd_check_expression(at, length, &n[k], &why) != RD_OK || n[k] < 0 || n[k] > UINT32_MAX)
            break;
        at += length;
        if (!*at || k == 2)
            break;
        at++;
        if (!*at)
            at--, k = 3; /* a comma at the end */
    }
    if (*at)
        return rd_fail(error, RD_ERROR_USAGE, "'%s' is '%s': write X, X,Y or X,Y,Z", option, text);
    *dim = (struct rd_index3){(unsigned)n[0], (unsigned)n[1], (unsigned)n[2]};
    return RD_OK;
}

enum rd_status rd_check_sweep_shape(struct rd_check_sweep *sweep,
                                    const struct rd_check_options *given,
                                    struct rd_check_options *options, bool *compiled,
                                    struct rd_error *error)
{
    struct texts texts = {.sweep = sweep};
    bool changed = false;
    enum rd_status status = RD_OK;
    drop_texts(sweep);
    for (unsigned k = 0; k < sweep->n; k++)
        texts.values[k] = (struct rd_check_name_value){sweep->all[k].name, value_of(sweep, k)};
    *options = *given;
    put_all(&texts, options->args, options->n_args, NULL);
    put_all(&texts, options->buffers, options->n_buffers, NULL);
    put_all(&texts, options->expects, options->n_expects, NULL);
    put_all(&texts, options->launches, options->n_launches, &changed);
    for (unsigned k = 0; k < options->n_sets; k++)
        options->sets[k].spec = put(&texts, options->sets[k].spec, NULL);
    options->kernel = put(&texts, options->kernel, &changed);
    if (options->grid_text)
        status = read_dim("--grid", put(&texts, options->grid_text, NULL), &options->grid, error);
    if (options->block_text && status == RD_OK)
        status =
            read_dim("--block", put(&texts, options->block_text, NULL), &options->block, error);
    if (options->shared_text && status == RD_OK) {
        int64_t shared = 0;
        const char *text = put(&texts, options->shared_text, NULL);
        status = rd_check_expression(text, strlen(text), &shared, error);
        options->shared_bytes = shared < 0 ? 0 : (size_t)shared;
    }
    if (texts.failed)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for a sweep");
    for (unsigned k = 0; k < sweep->n && status == RD_OK; k++)
        if (!texts.used[k])
            status = rd_fail(error, RD_ERROR_USAGE,
                             "'%s' is swept, and nothing uses it: name it in --grid, --block or a "
                             "SPEC, as in f32[%s]:iota",
                             sweep->all[k].name, sweep->all[k].name);
    *compiled = !changed && options->n_launches == 0;
    return status;
}

/* ---- the report ---- */

/* "n 1..100, block 32,64". */
static char *lists_of(const struct rd_check_sweep *sweep)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (unsigned k = 0; out && k < sweep->n; k++)
        fprintf(out, "%s%s %s", k > 0 ? ", " : "", sweep->all[k].name, sweep->all[k].list);
    return out && fclose(out) == 0 ? text : NULL;
}

void rd_check_sweep_note(struct rd_check_sweep *sweep, json_t *outcome)
{
    static const char *const kept[] = {"unvaried", "untold", "outdated"};
    json_t *shape = json_object();
    char *lists = lists_of(sweep);
    for (unsigned k = 0; k < sweep->n; k++)
        json_object_set_new(shape, sweep->all[k].name, json_integer(value_of(sweep, k)));
    for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
        json_t *now = json_object_get(outcome, kept[k]),
               *before = json_object_get(sweep->notes, kept[k]);
        if (before && json_is_null(now))
            json_object_set(outcome, kept[k], before);
        else if (!json_is_null(now))
            json_object_set(sweep->notes, kept[k], now);
    }
    sweep->threads += (uint64_t)json_integer_value(json_object_get(outcome, "threads"));
    json_object_set_new(outcome, "sweep",
                        json_pack("{s:o, s:I, s:I, s:I, s:s}", "shape", shape, "tried",
                                  (json_int_t)sweep->shape + 1, "of", (json_int_t)sweep->n_shapes,
                                  "threads", (json_int_t)sweep->threads, "over",
                                  lists ? lists : ""));
    free(lists);
}
