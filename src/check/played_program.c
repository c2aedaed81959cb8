// SPDX-License-Identifier: MIT
/* An annotated loop as a program: its paragraph has the law as its author wrote it, and of each name that it takes from the
 * program the values at each evaluation, as a numbered definition. */
#include "check/played.h"
#include "program/definition.h"
#include "reductio/law.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- names and numbers in the place of names ---- */

/* Writes the law, with what `write` makes of each of the program's names, and with the rounds, if they are given, for d. */
static void write_law(const struct rd_annotation *of, const char *law, const uint64_t *rounds,
                      FILE *out, void (*write)(const void *self, size_t name, FILE *out),
                      const void *self)
{
    for (const char *at = law; *at;) {
        size_t name = 0;
        if (!isalpha((unsigned char)*at)) {
            fputc(*at++, out);
            continue;
        }
        const size_t length = rd_lexer_word_length(at);
        while (name < of->n_names && !rd_lexer_is(at, length, of->names[name].alias))
            name++;
        if (name < of->n_names)
            write(self, name, out);
        else if (rounds && rd_lexer_is(at, length, "d"))
            fprintf(out, "%" PRIu64, *rounds);
        else
            fwrite(at, 1, length, out);
        at += length;
    }
}

static void write_value(const void *self, size_t name, FILE *out)
{
    const int64_t value = ((const int64_t *)self)[name];
    fprintf(out, value < 0 ? "(%" PRId64 ")" : "%" PRId64, value);
}

/* The law with the values in the place of its names, and the rounds, if they are given, in that of d; NULL where there is
 * no memory. The caller frees it. */
static char *law_text(const struct rd_annotation *annotation, const int64_t *values,
                      const uint64_t *rounds)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    write_law(annotation, annotation->law, rounds, out, write_value, values);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static enum rd_status ask(const struct rd_annotation *of, const int64_t *values, uint64_t rounds,
                          bool *holds, struct rd_error *error)
{
    const struct rd_law_sizes sizes = {.n = 1, .T = 1};
    struct rd_law_error why = {0};
    char *text = law_text(of, values, &rounds);
    enum rd_status status =
        text ? rd_law_holds(text, &sizes, holds, &why)
             : rd_fail(&why.what, RD_ERROR_MEMORY, "no memory for an annotation");
    free(text);
    return status == RD_OK ? RD_OK : rd_fail(error, status, "%s", why.what.text);
}

/* Tries all numbers of the names from that one on which stand behind a '^'. */
static enum rd_status ask_any(const struct rd_annotation *of, size_t name, int64_t *tried,
                              uint64_t rounds, bool *holds, struct rd_error *error)
{
    enum { EXPONENTS = 63 };
    enum rd_status status = RD_OK;
    while (name < of->n_names && !of->names[name].any)
        name++;
    if (name == of->n_names)
        return ask(of, tried, rounds, holds, error);
    for (int64_t k = 0; k < EXPONENTS && status == RD_OK && !*holds; k++) {
        tried[name] = k;
        status = ask_any(of, name + 1, tried, rounds, holds, error);
        if (status == RD_ERROR_USAGE && k > 0) { /* it has no value, or one that is too large */
            *holds = false;
            status = RD_OK;
        }
    }
    return status;
}

enum rd_status rd_played_condition(const struct rd_annotation *annotation, const int64_t *values,
                                   uint64_t rounds, bool *holds, struct rd_error *error)
{
    int64_t *tried = malloc((annotation->n_names + 1) * sizeof *tried);
    *holds = false;
    if (!tried)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for an annotation");
    for (size_t k = 0; k < annotation->n_names; k++)
        tried[k] = values[k];
    enum rd_status status = ask_any(annotation, 0, tried, rounds, holds, error);
    free(tried);
    return status;
}

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

static void write_tables(const struct rd_played_loop *loop, FILE *out)
{
    for (unsigned table = 0; table < loop->n_tables; table++)
        for (size_t k = 0; k < loop->tables[table].count; k++)
            fprintf(out, "let %s_%zu = %" PRId64 "\n", loop->table_names[table], k,
                    ((const int64_t *)loop->tables[table].cells)[k]);
}

/* ---- the program ---- */

/* Looks whether the law can be asserted at all: the same array each time, and all values. */
static void check_evaluations(struct rd_played_loop *loop)
{
    const struct rd_played_array *first = &loop->evaluations[0]->array;
    for (size_t k = 0; k < loop->n; k++) {
        const struct rd_played_event *one = loop->evaluations[k];
        if (one->lack)
            rd_played_leave_out(loop, "at evaluation %zu: %s", k, one->lack);
        else if (one->array.type != first->type || one->array.count != first->count)
            rd_played_leave_out(
                loop,
                "the array has %zu elements of %s at evaluation %zu, and %zu of %s before: it "
                "is another one",
                one->array.count, rd_numeric(one->array.type)->name, k, first->count,
                rd_numeric(first->type)->name);
    }
}

static void write_size(FILE *out, size_t count, size_t n)
{
    if (count == n)
        fputs("[n]\n", out);
    else
        fprintf(out, "[%zu]\n", count);
}

/* The paragraph of the loop; `goal`: with this in the law's place. */
static char *make_paragraph(const struct rd_played *played, const struct rd_played_loop *loop,
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
        write_law(of, of->law, NULL, out, write_name, loop);
    fputc('\n', out);
    write_launches(played, loop, out);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* "fold.cu:12": the file and the line, of what a recorded program's name may have in it. */
static void make_name(const struct rd_played_loop *loop, char *name, size_t size)
{
    enum { FILE_MAX = 50 };
    const char *slash = strrchr(loop->file->file, '/'),
               *base = slash ? slash + 1 : loop->file->file;
    size_t n = 0;
    for (; *base && n < FILE_MAX; base++)
        name[n++] = strchr(RD_PROGRAM_PLAYED_NAME, *base) ? *base : '_';
    snprintf(name + n, size - n, ":%u", loop->annotation->line);
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

/* Makes it, with the promise or without. */
static enum rd_status define(const struct rd_played *played, struct rd_played_loop *loop,
                             const char *paragraph, const char *goal, struct rd_error *error)
{
    char name[80], summary[200], accept[120];
    make_name(loop, name, sizeof name);
    snprintf(summary, sizeof summary, "%s of %.100s, line %u",
             loop->annotation->kind == RD_ANNOTATION_INVARIANT ? "an invariant" : "a law",
             loop->file->file, loop->annotation->line);
    snprintf(accept, sizeof accept, "n = %zu else the run that was recorded has n = %zu",
             loop->size, loop->size);
    struct rd_played_source source;
    rd_played_source_init(&source, played, loop);
    const struct rd_program program = {
        .size = sizeof program,
        .name = name,
        .summary = summary,
        .law = paragraph,
        .goal = goal               ? RD_GOAL_LAST
                : loop->is_unasked ? RD_GOAL_UNASKED
                                   : RD_GOAL_NONE,
        .goal_text = goal,
        .accept = accept,
        .n = loop->size,
        .type = loop->evaluations[0]->array.type,
        .played = true,
        .source_file = source.text ? loop->file->file : NULL,
        .source_text = source.text,
        .source_parts = source.parts,
    };
    const enum rd_status status = rd_program_define(&program, &loop->program, error);
    rd_played_source_finish(&source);
    return status;
}

static bool same_cells(const struct rd_played_array *x, const struct rd_played_array *y)
{
    return x->type == y->type && x->count == y->count && x->cells && y->cells &&
           memcmp(x->cells, y->cells, x->count * rd_numeric(x->type)->size_bytes) == 0;
}

static bool same_array(const struct rd_annotation *x, const struct rd_annotation *y)
{
    return x->array.expression && y->array.expression && x->scalar == y->scalar &&
           strcmp(x->array.expression, y->array.expression) == 0;
}

/* Where promises of the loop end: at the end of a loop around it that has an invariant of the same array, which they would be of. */
static const char *promises_end(const struct rd_played_loop *loop)
{
    const struct rd_annotation *of = loop->annotation;
    const char *end = NULL;
    for (size_t k = 0; k < loop->file->n; k++) {
        const struct rd_annotation *one = &loop->file->all[k];
        if (one->kind == RD_ANNOTATION_INVARIANT && one->function == of->function &&
            one->loop < of->loop && one->loop_end >= of->loop_end && same_array(one, of) &&
            (!end || one->loop_end < end))
            end = one->loop_end;
    }
    return end;
}

static bool is_behind(const char *at, const char *end)
{
    return end && at >= end;
}

/* Tells whether an 'ensures' of the array stands behind the loop, and before the next loop of that array's. */
static bool has_promise(const struct rd_played_loop *loop)
{
    const struct rd_annotation *of = loop->annotation;
    for (size_t k = 0; k < loop->file->n; k++) {
        const struct rd_annotation *one = &loop->file->all[k];
        if (one->function != of->function || one->word < of->loop_end || !same_array(one, of) ||
            is_behind(one->word, promises_end(loop)))
            continue;
        if (one->kind == RD_ANNOTATION_ENSURES)
            return true;
        if (one->kind == RD_ANNOTATION_INVARIANT)
            return false;
    }
    return false;
}

/* Finds the promise that is made of the loop's array behind it. */
static void find_ensures(const struct rd_played *played, struct rd_played_loop *loop)
{
    const struct rd_annotation *of = loop->annotation;
    const struct rd_played_event *last = loop->evaluations[loop->n - 1];
    snprintf(loop->open, sizeof loop->open,
             "no 'ensures' that speaks of %s was reached behind the loop", of->array.expression);
    for (size_t k = loop->last + 1; k < played->n_events; k++) {
        const struct rd_played_event *event = &played->events[k];
        const struct rd_annotation *one = event->annotation;
        if (event->block != last->block || (event->site == last->site && event->warp != last->warp))
            continue;
        if (event->site == last->site)
            return; /* the loop was begun again */
        if (one->kind != RD_ANNOTATION_ENSURES || event->lack || !same_array(one, of) ||
            event->warp != last->warp)
            continue;
        if (one->function == of->function && is_behind(one->word, promises_end(loop)))
            return;
        if (!same_cells(&event->array, &last->array)) {
            snprintf(
                loop->open, sizeof loop->open,
                "%s is no longer what it was at the loop's end where 'ensures', line %u, speaks "
                "of it",
                of->array.expression, one->line);
            return;
        }
        loop->ensures = event;
        return;
    }
}

static bool has_name(const struct rd_annotation *of, const char *word, size_t length)
{
    for (size_t k = 0; k < of->n_names; k++)
        if (rd_lexer_is(word, length, of->names[k].alias))
            return true;
    return false;
}

#define OF_PROMISE "OfPromise"

/* Writes a promise's law with other names for the indices that it binds, where the loop's law takes a variable by such a name. */
static char *with_own_indices(const char *law, const struct rd_annotation *of_loop,
                              const struct rd_annotation *of_promise)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (const char *at = law; out && *at;) {
        const size_t length = rd_lexer_word_length(at);
        fwrite(at, 1, length ? length : 1, out);
        if (length > 0 && has_name(of_loop, at, length) && !has_name(of_promise, at, length))
            fputs(OF_PROMISE, out);
        at += length ? length : 1;
    }
    if (!out || fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* The promise, in the words of the loop; NULL: it is of an array that has another name in it. */
static char *goal_of(const struct rd_played_loop *loop, const struct rd_annotation *ensures)
{
    char *law = strcmp(ensures->array.alias, loop->annotation->array.alias) == 0
                    ? law_text(ensures, loop->ensures->values, NULL)
                    : NULL;
    char *goal = law ? with_own_indices(law, loop->annotation, ensures) : NULL;
    free(law);
    return goal;
}

/* Makes the paragraph of the promise alone. */
static void make_goal(const struct rd_played *played, struct rd_played_loop *loop)
{
    char *goal = goal_of(loop, loop->ensures->annotation);
    loop->goal_paragraph = goal ? make_paragraph(played, loop, goal) : NULL;
    free(goal);
}

/* Makes the program with the promise, if that follows from the law. */
static enum rd_status define_with_goal(const struct rd_played *played, struct rd_played_loop *loop,
                                       const char *paragraph, struct rd_error *error)
{
    const struct rd_annotation *of = loop->ensures->annotation;
    char *goal = goal_of(loop, of);
    struct rd_error why = {""};
    enum rd_status status = goal ? define(played, loop, paragraph, goal, &why) : RD_ERROR_USAGE;
    free(goal);
    if (status == RD_ERROR_MEMORY)
        return rd_fail(error, status, "%s", why.text);
    loop->open[0] = '\0';
    const char *promises = strstr(why.text, " promises of "); /* behind the program's name */
    if (status != RD_OK)
        snprintf(
            loop->open, sizeof loop->open,
            "'ensures', line %u, doesn't follow from the invariant at the loop's end: %s%.250s",
            of->line, promises ? "it" : "", promises ? promises : why.text);
    for (char *at; (at = strstr(loop->open, OF_PROMISE));) /* as its author calls it */
        memmove(at, at + strlen(OF_PROMISE), strlen(at + strlen(OF_PROMISE)) + 1);
    return RD_OK;
}

enum { EVALUATIONS_MAX = 4096 };

enum rd_status rd_played_loop_make(const struct rd_played *played, struct rd_played_loop *loop,
                                   struct rd_error *error)
{
    check_evaluations(loop);
    if (!loop->why.text[0])
        rd_played_take_inputs(played, loop, loop->annotation);
    if (loop->annotation->kind == RD_ANNOTATION_INVARIANT)
        find_ensures(played, loop);
    loop->is_unasked =
        loop->annotation->kind == RD_ANNOTATION_INVARIANT && !loop->ensures && !has_promise(loop);
    if (loop->is_unasked)
        snprintf(loop->open, sizeof loop->open,
                 "no 'ensures' behind the loop says what %s holds there",
                 loop->annotation->array.expression);
    if (!loop->why.text[0] && loop->ensures)
        rd_played_take_inputs(played, loop, loop->ensures->annotation);
    if (loop->why.text[0])
        return RD_OK;
    loop->size =
        loop->n_inputs > 0 ? loop->inputs[0]->array.count : loop->evaluations[0]->array.count;
    char *paragraph = make_paragraph(played, loop, NULL);
    enum rd_status status =
        paragraph ? RD_OK : rd_fail(error, RD_ERROR_MEMORY, "no memory for an annotation");
    loop->is_long = loop->n > EVALUATIONS_MAX;
    if (loop->is_long)
        rd_played_leave_out(
            loop, "the loop's condition was evaluated %zu times, and %d can be played back",
            loop->n, EVALUATIONS_MAX);
    if (status == RD_OK && loop->ensures && !loop->is_long)
        status = define_with_goal(played, loop, paragraph, error);
    if (status == RD_OK && !loop->program && !loop->is_long)
        status = define(played, loop, paragraph, NULL, &loop->why);
    loop->paragraph = paragraph;
    if (status != RD_ERROR_MEMORY && loop->ensures && !loop->program)
        make_goal(played, loop);
    return status == RD_ERROR_MEMORY ? status : RD_OK;
}

void rd_played_loop_finish(struct rd_played_loop *loop)
{
    rd_program_release(loop->program);
    free(loop->paragraph);
    free(loop->goal_paragraph);
    free(loop->evaluations);
    for (unsigned k = 0; k < loop->n_tables; k++)
        free(loop->tables[k].cells);
    for (unsigned k = 0; k < 2; k++) {
        if (loop->converted[k])
            free(loop->converted[k]->array.cells);
        free(loop->converted[k]);
    }
    *loop = (struct rd_played_loop){0};
}
