// SPDX-License-Identifier: MIT
/* A law as an expectation: what a buffer should hold, as a sentence about what others held before. */
#include "check/annotation/annotation.h"
#include "check/kernel/check.h"
#include "element/values_text.h"
#include "reductio/law.h"

#include <ctype.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INPUTS_MAX = 8, NAME_SIZE = 32 };

/* The arrays of a law. */
struct law {
    char array[NAME_SIZE]; /* the buffer that is judged: A, or its own name */
    unsigned n_inputs;
    char names[INPUTS_MAX][NAME_SIZE];
    unsigned buffers[INPUTS_MAX];
    void *cells[INPUTS_MAX];
    uint64_t n; /* 0: the elements of the first input */
    struct rd_law *read;
    struct rd_law_run *run;
};

/* NAME=BUFFER or n=NUMBER. */
static enum rd_status bind(struct law *law, const struct rd_check *check, const char *text,
                           size_t length, struct rd_error *error)
{
    const char *equal = memchr(text, '=', length);
    size_t named = equal ? (size_t)(equal - text) : 0;
    if (!equal || named == 0 || named >= sizeof law->names[0])
        return rd_fail(error, RD_ERROR_USAGE,
                       "'--expect' has law(%.*s): write NAME=BUFFER, as in law(a=0): ...",
                       (int)length, text);
    const char *value = equal + 1;
    size_t rest = length - named - 1;
    if (named == 1 && *text == 'n') {
        char *end;
        law->n = strtoull(value, &end, 10);
        if (end == value || law->n == 0)
            return rd_fail(error, RD_ERROR_USAGE, "'n' of the law is '%.*s': use a whole number",
                           (int)rest, value);
        return RD_OK;
    }
    if (law->n_inputs == INPUTS_MAX)
        return rd_fail(error, RD_ERROR_USAGE, "a law of '--expect' has more than %d inputs",
                       INPUTS_MAX);
    memcpy(law->names[law->n_inputs], text, named);
    return rd_check_find_buffer(check, "--expect", value, rest, &law->buffers[law->n_inputs++],
                                error);
}

/* The next element of an array of this name in a sentence; NULL: there is none. */
static char *find_element(char *text, const char *name)
{
    const size_t length = strlen(name);
    for (char *at = text; (at = strstr(at, name)) != NULL; at += length)
        if ((at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_')) &&
            at[length + strspn(at + length, " ")] == '[')
            return at;
    return NULL;
}

/* The name that a buffer was given, as the sentence has it, in *name. A word of the language, as in, becomes In in both. False
 * where the sentence has no such name. */
static bool find_name(const struct rd_check_spec *spec, char *text, char name[NAME_SIZE])
{
    const size_t length = strlen(spec->name);
    if (length >= NAME_SIZE || rd_lexer_word_length(spec->name) != length ||
        isdigit((unsigned char)*spec->name))
        return false;
    strcpy(name, spec->name);
    *name = rd_annotation_is_word(name) ? (char)toupper((unsigned char)*name) : *name;
    bool found = find_element(text, name) != NULL;
    for (char *at = text; !found && (at = find_element(at, spec->name)) != NULL; at += length)
        *at = *name;
    return found || find_element(text, name);
}

static bool is_bound(const struct law *law, const char *name)
{
    bool bound = strcmp(law->array, name) == 0;
    for (unsigned k = 0; k < law->n_inputs; k++)
        bound = bound || strcmp(law->names[k], name) == 0;
    return bound;
}

static void bind_input(struct law *law, const char *name, unsigned buffer)
{
    if (law->n_inputs == INPUTS_MAX || is_bound(law, name))
        return;
    strcpy(law->names[law->n_inputs], name);
    law->buffers[law->n_inputs++] = buffer;
}

/* Binds buffers by the names that they were given, as far as the sentence has these. Where it has A, another name of the judged
 * one is that one as it was. */
static void bind_named(struct law *law, const struct rd_check *check, unsigned buffer, char *text)
{
    char name[NAME_SIZE];
    if (!find_element(text, law->array) && find_name(check->buffers.all[buffer].spec, text, name))
        strcpy(law->array, name);
    for (unsigned k = 0; k < check->buffers.n; k++) {
        const struct rd_check_spec *spec = check->buffers.all[k].spec;
        if (spec->space == RD_CHECK_DEVICE && find_name(spec, text, name))
            bind_input(law, name, k);
    }
}

/* Without names: a, b, c are the other buffers in their order, or a is the same one, as it was. Beside names, only those letters
 * that the sentence has. */
static void bind_letters(struct law *law, const struct rd_check *check, unsigned buffer, char *text)
{
    const bool all = law->n_inputs == 0;
    char name[] = "a";
    for (unsigned k = 0; k < check->buffers.n && *name <= 'd'; k++) {
        const struct rd_check_spec *spec = check->buffers.all[k].spec;
        if (k == buffer || spec->space != RD_CHECK_DEVICE || spec->fill == RD_CHECK_UNINIT)
            continue;
        if (all || find_element(text, name))
            bind_input(law, name, k);
        ++*name;
    }
    const bool is_set = check->buffers.all[buffer].spec->fill != RD_CHECK_UNINIT;
    if (all && *name == 'a' && (is_set || find_element(text, name)))
        bind_input(law, name, buffer);
}

static enum rd_status read_arrays(struct law *law, const struct rd_check *check, unsigned buffer,
                                  const struct rd_numeric *numeric, struct rd_error *error)
{
    enum rd_status status = RD_OK;
    for (unsigned k = 0; k < law->n_inputs && status == RD_OK; k++) {
        const struct rd_check_spec *spec = check->buffers.all[law->buffers[k]].spec;
        if (spec->numeric != numeric)
            status =
                rd_fail(error, RD_ERROR_USAGE,
                        "a law is of one type, and '%s' is of %s, '%s' of %s: name its inputs, "
                        "as in law(a=0): ...",
                        check->buffers.all[buffer].spec->name, numeric->name, spec->name,
                        spec->numeric->name);
        else
            status = rd_check_input(check, law->buffers[k], &law->cells[k], error);
    }
    return status;
}

/* The place of an error counts from the law's own first character. */
static enum rd_status refuse(const struct rd_law_error *why, size_t before, enum rd_status status,
                             struct rd_error *error)
{
    if (status == RD_ERROR_MEMORY)
        return rd_fail(error, status, "no memory for the law");
    if (why->line > 0 && why->column > before)
        return rd_fail(error, status, "the law of '--expect', column %zu: %s", why->column - before,
                       why->what.text);
    return rd_fail(error, status, "the law of '--expect': %s", why->what.text);
}

static long double wide_value(const struct rd_numeric *numeric, const void *wide, size_t i)
{
    if (numeric->wide_bytes == sizeof(float))
        return ((const float *)wide)[i];
    if (numeric->wide_bytes == sizeof(double))
        return ((const double *)wide)[i];
    return ((const long double *)wide)[i];
}

static long double wide_unit(const struct rd_numeric *numeric)
{
    return numeric->wide_bytes == sizeof(float)    ? FLT_EPSILON
           : numeric->wide_bytes == sizeof(double) ? DBL_EPSILON
                                                   : LDBL_EPSILON;
}

/* The exact cells, and by the heights of their sums what any order of these may be off: Higham, eq. 4.4. */
static enum rd_status bound(struct rd_check_expectation *expectation, struct law *law,
                            const struct rd_check_spec *spec, struct rd_law_error *why,
                            struct rd_error *error)
{
    const struct rd_numeric *numeric = spec->numeric;
    const struct rd_law_section *section = rd_law_section(law->read, 0);
    const struct rd_law_place place = {0};
    uint32_t *heights = calloc(spec->count, sizeof *heights);
    void *exact = calloc(spec->count, numeric->wide_bytes),
         *weight = calloc(spec->count, numeric->wide_bytes);
    enum rd_status status =
        heights && exact && weight ? RD_OK : rd_fail(error, RD_ERROR_MEMORY, "no memory for a law");
    const void *const *inputs = (const void *const *)law->cells;
    if (status == RD_OK)
        status = rd_law_apply_in(law->run, section, RD_LAW_LAW, &place, &rd_law_great_heights,
                                 RD_OPERATION_SUM, inputs, heights, why);
    if (status == RD_OK)
        status = rd_law_apply_in(law->run, section, RD_LAW_LAW, &place, numeric->exact,
                                 RD_OPERATION_SUM, inputs, exact, why);
    if (status == RD_OK)
        status = rd_law_apply_in(law->run, section, RD_LAW_LAW, &place, numeric->weight,
                                 RD_OPERATION_SUM, inputs, weight, why);
    for (size_t i = 0; i < spec->count && status == RD_OK; i++) {
        long double h = heights[i] > 0 ? heights[i] - 1 : 0, u = ldexpl(1, -(int)numeric->digits);
        long double relative = h * u < 1 ? h * u / (1 - h * u) : (long double)INFINITY;
        long double lost =
            (h + 2) * wide_unit(numeric) + (h > 0 ? numeric->least_normal * u * h : 0);
        expectation->exact[i] = wide_value(numeric, exact, i);
        expectation->limit[i] = wide_value(numeric, weight, i) * (relative + (h > 0 ? lost : 0)) +
                                (h > 0 ? h * numeric->least_normal * u : 0);
        if (expectation->judged[i] && !isfinite(expectation->limit[i]) && !expectation->unjudged)
            expectation->unjudged =
                strdup("so many roundings may change it by its own size: give --tolerance");
    }
    expectation->is_bounded = true;
    free(heights);
    free(exact);
    free(weight);
    return status;
}

static void tolerate(struct rd_check_expectation *expectation, const struct rd_check_spec *spec,
                     double tolerance)
{
    for (size_t i = 0; i < spec->count; i++) {
        double value = spec->numeric->to_double(spec->numeric->load(expectation->cells, i));
        expectation->exact[i] = value;
        expectation->limit[i] = tolerance * fmaxl(1, fabsl((long double)value));
    }
}

static enum rd_status evaluate(struct rd_check_expectation *expectation,
                               const struct rd_check *check, struct law *law,
                               struct rd_law_error *why, struct rd_error *error)
{
    const struct rd_check_spec *spec = check->buffers.all[expectation->buffer].spec;
    const struct rd_law_section *section = rd_law_section(law->read, 0);
    const struct rd_law_place place = {0};
    const struct rd_law_data data = {
        .numeric = spec->numeric, .inputs = (const void *const *)law->cells, .as_written = true};
    struct rd_law_cells cells;
    double tolerance;
    enum rd_status status =
        rd_law_cells_init(&cells, law->run, section, &place, RD_LAW_NO_INPUT, why);
    if (status != RD_OK)
        return status;
    for (size_t k = 0; k < cells.count; k++)
        expectation->judged[cells.cells[k]] = 1;
    expectation->n_judged = cells.count;
    rd_law_cells_finish(&cells);
    if (expectation->n_judged == 0)
        expectation->unjudged = strdup("the law claims no cell");
    status =
        rd_law_apply(law->run, section, RD_LAW_LAW, &place, &data, expectation->cells, NULL, why);
    if (status != RD_OK || !spec->numeric->is_float)
        return status;
    if (rd_check_tolerance(check, &tolerance)) {
        tolerate(expectation, spec, tolerance);
        return RD_OK;
    }
    status = bound(expectation, law, spec, why, error);
    return status;
}

/* "(a=0, n=8): LAW" or ": LAW". */
static enum rd_status read_bindings(struct law *law, const struct rd_check *check, unsigned buffer,
                                    char **text, struct rd_error *error)
{
    char *at = *text + strspn(*text, " ");
    enum rd_status status = RD_OK;
    if (*at == '(') {
        char *end = strchr(at, ')');
        if (!end)
            return rd_fail(error, RD_ERROR_USAGE,
                           "'--expect' has a law without its bracket: write "
                           "law(a=0): ...");
        for (at++; at < end && status == RD_OK;) {
            at += strspn(at, " ");
            size_t length = strcspn(at, ",)");
            status = bind(law, check, at, length, error);
            at += length + 1;
        }
        at = end + 1;
        at += strspn(at, " ");
    }
    if (status == RD_OK && *at != ':')
        return rd_fail(error, RD_ERROR_USAGE,
                       "'--expect' has a law without a colon: write law: "
                       "A[0] = sum of a[j]");
    if (law->n_inputs == 0 && status == RD_OK) {
        bind_named(law, check, buffer, at);
        bind_letters(law, check, buffer, at);
    }
    *text = at + 1;
    return status;
}

/* Composes the paragraph: the arrays with their sizes, then the law. */
static char *compose(const struct law *law, const struct rd_check *check, unsigned buffer,
                     const char *text, size_t *before)
{
    char *made = NULL;
    size_t size;
    FILE *out = open_memstream(&made, &size);
    if (!out)
        return NULL;
    for (unsigned k = 0; k < law->n_inputs; k++)
        fprintf(out, "%s%s[%zu]", k > 0 ? ", " : "input ", law->names[k],
                check->buffers.all[law->buffers[k]].spec->count);
    *before = (size_t)fprintf(out, "%sarray %s[%zu] law ", law->n_inputs > 0 ? " " : "", law->array,
                              check->buffers.all[buffer].spec->count);
    fflush(out);
    *before = size;
    fputs(text, out);
    return fclose(out) == 0 ? made : NULL;
}

enum rd_status rd_check_expect_law(struct rd_check_expectation *expectation,
                                   const struct rd_check *check, const char *text,
                                   struct rd_error *error)
{
    const struct rd_check_options *options = check->options;
    const struct rd_check_spec *spec = check->buffers.all[expectation->buffer].spec;
    struct law law = {.array = "A"};
    struct rd_law_error why = {0};
    size_t before = 0;
    char *paragraph = NULL;
    if (spec->numeric->type == (enum rd_type)RD_TYPE_COUNT)
        return rd_fail(error, RD_ERROR_USAGE,
                       "a law is of i32, u32, i64, u64 or a float, and '%s' "
                       "is of %s",
                       spec->name, spec->numeric->name);
    char *copy = strdup(text), *sentence = copy;
    enum rd_status status = copy ? read_bindings(&law, check, expectation->buffer, &sentence, error)
                                 : rd_fail(error, RD_ERROR_MEMORY, "no memory for the law");
    if (status == RD_OK)
        status = read_arrays(&law, check, expectation->buffer, spec->numeric, error);
    if (status == RD_OK) {
        paragraph = compose(&law, check, expectation->buffer, sentence, &before);
        const size_t n_elems =
            law.n_inputs > 0 ? check->buffers.all[law.buffers[0]].spec->count : spec->count;
        const struct rd_law_sizes sizes = {
            .n = law.n ? law.n : n_elems,
            .T = (uint64_t)options->block.x * options->block.y * options->block.z,
            .B = (uint64_t)options->grid.x * options->grid.y * options->grid.z,
        };
        error->text[0] = '\0';
        status = paragraph ? rd_law_create(&law.read, paragraph, &why) : RD_ERROR_MEMORY;
        if (status == RD_OK)
            status = rd_law_run_create(&law.run, law.read, &sizes, &why);
        if (status == RD_OK)
            status = evaluate(expectation, check, &law, &why, error);
        if (status != RD_OK && !error->text[0])
            status = refuse(&why, before, status, error);
    }
    text += sentence - copy;
    text += strspn(text, " ");
    if (status == RD_OK && asprintf(&expectation->source, "by the law '%s'", text) < 0)
        expectation->source = NULL;
    rd_law_run_destroy(law.run);
    rd_law_destroy(law.read);
    for (unsigned k = 0; k < law.n_inputs; k++)
        free(law.cells[k]);
    free(paragraph);
    free(copy);
    return status;
}
