// SPDX-License-Identifier: MIT
/* The paragraph of an annotated loop: the law as its author wrote it, and of each name that it takes from the program the values at
 * each evaluation, as numbered definitions or as a formula. */
#include "check/playback/played_internal.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the values of names ---- */

static bool is_constant(const struct rd_played_loop *loop, size_t name)
{
    for (size_t k = 1; k < loop->n; k++)
        if (loop->evaluations[k]->values[name] != loop->evaluations[0]->values[name])
            return false;
    return true;
}

/* Forms that a loop's variable may have: w = 16 / 2^d says more than a list, and is worked out faster. */
enum form { LISTED, CONSTANT, LINEAR, FLOOR, CEIL, POWER };

struct values {
    enum form form;
    int64_t first, by; /* first + by*d, first / by^d, first * by^d */
};

/* The value of the form at d, of which `power` is by^d; false where it is too large. */
static bool value_of(const struct values *values, int64_t d, int64_t power, int64_t *value)
{
    switch (values->form) {
    case LINEAR:
        return !__builtin_mul_overflow(values->by, d, value) &&
               !__builtin_add_overflow(*value, values->first, value);
    case POWER:
        return !__builtin_mul_overflow(values->first, power, value);
    case FLOOR:
        *value = values->first / power;
        return true;
    case CEIL:
        *value = values->first / power + (values->first % power != 0);
        return true;
    default:
        return false;
    }
}

/* Tells whether the values at all evaluations have that form. */
static bool has_form(const struct rd_played_loop *loop, size_t name, const struct values *values)
{
    int64_t power = 1;
    for (size_t d = 0; d < loop->n; d++) {
        int64_t value;
        if (!value_of(values, (int64_t)d, power, &value) ||
            value != loop->evaluations[d]->values[name])
            return false;
        const bool grows = values->form != LINEAR && d + 1 < loop->n;
        if (grows && __builtin_mul_overflow(power, values->by, &power))
            return false;
    }
    return true;
}

static struct values find_form(const struct rd_played_loop *loop, size_t name)
{
    enum { BASE_MAX = 16 };
    const int64_t first = loop->evaluations[0]->values[name];
    struct values found = {.form = CONSTANT, .first = first};
    if (is_constant(loop, name))
        return found;
    found.form = LINEAR;
    if (!__builtin_sub_overflow(loop->evaluations[1]->values[name], first, &found.by) &&
        loop->n > 2 && has_form(loop, name, &found))
        return found;
    for (found.by = 2; found.by <= BASE_MAX && first >= 0; found.by++)
        for (found.form = FLOOR; found.form <= POWER; found.form++)
            if (has_form(loop, name, &found))
                return found;
    found.form = LISTED;
    return found;
}

static void write_lets(const struct rd_played_loop *loop, FILE *out)
{
    const struct rd_annotation *of = loop->annotation;
    for (size_t name = 0; name < of->n_names; name++) {
        const char *alias = of->names[name].alias;
        const struct values values = find_form(loop, name);
        fputs("let ", out);
        for (size_t k = 0; values.form == LISTED && k < loop->n; k++)
            fprintf(out, "%s%s_%zu = %" PRId64 "%s", k ? "    " : "", alias, k,
                    loop->evaluations[k]->values[name], k + 1 < loop->n ? ";\n" : "\n");
        if (values.form == LISTED)
            continue;
        fprintf(out, "%s = ", alias);
        if (values.form == CONSTANT)
            fprintf(out, "%" PRId64 "\n", values.first);
        else if (values.form == LINEAR)
            fprintf(out, "%" PRId64 " %c %" PRIu64 "*d\n", values.first, values.by < 0 ? '-' : '+',
                    values.by < 0 ? -(uint64_t)values.by : (uint64_t)values.by);
        else if (values.form == POWER)
            fprintf(out, "%" PRId64 " * %" PRId64 "^d\n", values.first, values.by);
        else if (values.form == FLOOR)
            fprintf(out, "%" PRId64 " / %" PRId64 "^d\n", values.first, values.by);
        else
            fprintf(out, "ceil(%" PRId64 " / %" PRId64 "^d)\n", values.first, values.by);
    }
}

static void write_name(const void *self, size_t name, FILE *out)
{
    const struct rd_played_loop *loop = self;
    fprintf(out, find_form(loop, name).form == LISTED ? "%s_d" : "%s",
            loop->annotation->names[name].alias);
}

/* ---- rounds ---- */

bool rd_played_is_in_kernel(const struct rd_played_loop *loop)
{
    return loop->evaluations[0]->block != UINT64_MAX;
}

/* The launch before the evaluation, since the one before that; NULL: there was none. */
const struct rd_played_launch *rd_played_launch_before(const struct rd_played *played,
                                                       const struct rd_played_loop *loop, size_t k)
{
    if (rd_played_is_in_kernel(loop))
        return loop->evaluations[k]->launches > 0
                   ? &played->launches[loop->evaluations[k]->launches - 1]
                   : NULL;
    const uint64_t to = loop->evaluations[k]->launches, from = loop->evaluations[k - 1]->launches;
    return to > from ? &played->launches[to - 1] : NULL;
}

/* A kernel's name as the language has names: "n::reduce<int, 256u>" is reduce. */
static void write_kernel(const struct rd_played_launch *launch, FILE *out)
{
    enum { MOST = 60 };
    char kernel[MOST + 1];
    const char *name = launch ? launch->kernel : "host", *last = name;
    size_t length = 0;
    for (const char *at = name; *at && *at != '<' && *at != '('; at++)
        if (at[0] == ':' && at[1] == ':')
            last = at + 2;
    for (; (isalnum((unsigned char)*last) || *last == '_') && length < MOST; last++) {
        const bool first = length == 0, joins = !first && kernel[length - 1] == '_';
        if (first ? isalpha((unsigned char)*last) : *last != '_' || !joins)
            kernel[length++] = *last;
    }
    kernel[length] = '\0';
    if (rd_annotation_is_word(kernel) ||
        (launch && strcmp(kernel, "host") == 0)) /* update, start, all */
        fputs("kernel_", out);
    fputs(length > 0 ? kernel : "kernel", out);
}

char *rd_played_kernel_name(const struct rd_played_launch *launch)
{
    char *name = NULL;
    size_t size;
    FILE *out = open_memstream(&name, &size);
    if (!out)
        return NULL;
    write_kernel(launch, out);
    if (fclose(out) == 0)
        return name;
    free(name);
    return NULL;
}

static bool same_launch(const struct rd_played_launch *x, const struct rd_played_launch *y)
{
    return x == y || (x && y && strcmp(x->kernel, y->kernel) == 0 &&
                      memcmp(x->grid, y->grid, sizeof x->grid) == 0 &&
                      memcmp(x->block, y->block, sizeof x->block) == 0);
}

static void write_launches(const struct rd_played *played, const struct rd_played_loop *loop,
                           FILE *out)
{
    fputs("launch ", out);
    if (loop->n == 1) { /* no round */
        fputs("when d < 0: host() by 1 threads\n", out);
        return;
    }
    for (size_t k = 1; k < loop->n;) {
        const struct rd_played_launch *launch = rd_played_launch_before(played, loop, k);
        size_t last = k;
        while (last + 1 < loop->n &&
               same_launch(launch, rd_played_launch_before(played, loop, last + 1)))
            last++;
        fprintf(out, "%swhen %zu <= d <= %zu: ", k > 1 ? ";\n    " : "", k, last);
        write_kernel(launch, out);
        const uint64_t blocks = launch ? launch->grid[0] * launch->grid[1] * launch->grid[2] : 1;
        const uint64_t threads =
            launch ? launch->block[0] * launch->block[1] * launch->block[2] : 1;
        fprintf(out, "() on %" PRIu64 " blocks of %" PRIu64, blocks, threads);
        k = last + 1;
    }
    fputc('\n', out);
}

/* ---- the paragraph ---- */

static void write_tables(const struct rd_played_loop *loop, FILE *out)
{
    for (unsigned table = 0; table < loop->n_tables; table++)
        for (size_t k = 0; k < loop->tables[table].count; k++)
            fprintf(out, "let %s_%zu = %" PRId64 "\n", loop->table_names[table], k,
                    ((const int64_t *)loop->tables[table].cells)[k]);
}

static void write_size(FILE *out, size_t count, size_t n)
{
    if (count == n)
        fputs("[n]\n", out);
    else
        fprintf(out, "[%zu]\n", count);
}

char *rd_played_paragraph(const struct rd_played *played, const struct rd_played_loop *loop,
                          const char *goal)
{
    const struct rd_annotation *of = loop->annotation;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (unsigned k = 0; k < loop->n_inputs; k++) {
        const struct rd_played_event *input = loop->inputs[k];
        fprintf(out, "input %s", loop->input_names[k]);
        if (input->annotation->n_names > 1)
            fprintf(out, "[%" PRId64 "][%" PRId64 "]\n", input->values[0], input->values[1]);
        else
            write_size(out, input->array.count, loop->size);
    }
    if (loop->n_inputs == 0) /* the language has no program without one */
        fputs("input none[n]\n", out);
    fprintf(out, "array %s", of->array.alias);
    if (of->scalar)
        fputc('\n', out);
    else
        write_size(out, loop->evaluations[0]->array.count, loop->size);
    write_lets(loop, out);
    write_tables(loop, out);
    fputs("law ", out);
    if (goal)
        fputs(goal, out);
    else
        rd_played_law_write(of, NULL, out, write_name, loop);
    fputc('\n', out);
    write_launches(played, loop, out);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
