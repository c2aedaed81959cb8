// SPDX-License-Identifier: MIT
#include "program/definition.h"
#include "base/texts.h"
#include "program/paragraph.h"
#include "device/kernel_names.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

enum { CACHED_MAX = 4, EXPRESSION_MAX = 64 };

/* The value of an expression. */
struct cached_value {
    char expression[EXPRESSION_MAX]; /* "": none */
    size_t n;
    unsigned block;
    size_t value;
};

/* The paragraph of a program that was asked for. */
struct cached_paragraph {
    const struct rd_program *program;
    bool built_in; /* no other program comes to lie there */
    struct rd_paragraph *paragraph;
};

/* The cache of a thread. */
struct cache {
    struct cached_paragraph paragraphs[CACHED_MAX];
    struct rd_cached_run runs[CACHED_MAX];
    struct cached_value values[CACHED_MAX];
    unsigned oldest, oldest_value, oldest_paragraph;
    const volatile sig_atomic_t *interrupted; /* or NULL */
};

/* The paragraphs of programs that the library doesn't keep, one of each text. They live as long as the process:
 * rd_program_points hands out their points and names, which callers keep without a time limit. The list grows with the
 * number of different texts, not with that of runs. A mutex guards it, and not an atomic pointer: a client's
 * ThreadSanitizer, which sees the C library's calls but not this library's instructions, then knows who made what before whom. */
static struct rd_paragraph *paragraphs;
static pthread_mutex_t listing = PTHREAD_MUTEX_INITIALIZER;

static once_flag once = ONCE_FLAG_INIT;
static tss_t slot; /* frees a thread's cache */
static bool has_slot;
static _Thread_local struct cache *of_thread;
static _Thread_local struct rd_paragraph_watch *watches; /* the innermost of this thread */

static void clear(struct rd_cached_run *cached)
{
    rd_law_run_destroy(cached->run);
    rd_paragraph_release(cached->paragraph);
    free(cached->members.list);
    for (int point = 0; point < RD_POINT_COUNT; point++) {
        for (unsigned warp = 0; cached->steps[point] && warp < RD_CACHED_WARPS; warp++)
            free(cached->steps[point][warp].values);
        free(cached->steps[point]);
    }
    *cached = (struct rd_cached_run){0};
}

static bool is_built_in(const struct rd_program *program)
{
    for (const struct rd_program *const *p = rd_programs; *p; p++)
        if (*p == program)
            return true;
    return false;
}

static bool copy_key(struct rd_paragraph *paragraph)
{
    struct rd_paragraph_key *key = &paragraph->key;
    const char **const texts[] = {&key->text, &key->launch, &key->kernel, &key->points};
    bool copied = true;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        if (!*texts[k])
            continue;
        *texts[k] = strdup(*texts[k]);
        copied = copied && *texts[k];
    }
    paragraph->owns_key = true;
    return copied;
}

static void destroy(struct rd_paragraph *paragraph)
{
    if (paragraph->owns_key) {
        free((char *)paragraph->key.text);
        free((char *)paragraph->key.launch);
        free((char *)paragraph->key.kernel);
        free((char *)paragraph->key.points);
    }
    rd_law_destroy(paragraph->law);
    free(paragraph->kernels);
    free(paragraph);
}

static struct rd_paragraph *retain(struct rd_paragraph *paragraph)
{
    atomic_fetch_add(&paragraph->references, 1);
    return paragraph;
}

void rd_paragraph_release(struct rd_paragraph *paragraph)
{
    if (paragraph && atomic_fetch_sub(&paragraph->references, 1) == 1)
        destroy(paragraph);
}

static void forget(void *context)
{
    struct cache *cache = context;
    of_thread = NULL;
    for (unsigned k = 0; k < CACHED_MAX; k++)
        clear(&cache->runs[k]);
    free(cache);
}

static void make_slot(void)
{
    has_slot = tss_create(&slot, forget) == thrd_success;
}

static struct cache *kept_here(void)
{
    if (of_thread)
        return of_thread;
    call_once(&once, make_slot);
    if (!has_slot)
        return NULL;
    struct cache *cache = calloc(1, sizeof *cache);
    if (cache && tss_set(slot, cache) != thrd_success) {
        free(cache);
        cache = NULL;
    }
    of_thread = cache;
    return cache;
}

const char *rd_paragraph_kernel(const struct rd_paragraph *paragraph, size_t launch)
{
    return paragraph->key.kernel ? paragraph->key.kernel
                                 : rd_law_launch_kernel(paragraph->law, launch);
}

/* With `played`, none of the library's is meant. */
static enum rd_status find_kernels(struct rd_paragraph *paragraph, bool absent, bool played,
                                   struct rd_law_error *error)
{
    const size_t count = rd_law_launch_count(paragraph->law);
    paragraph->kernels = calloc(count + 1, sizeof *paragraph->kernels);
    if (!paragraph->kernels)
        return rd_fail(&error->what, RD_ERROR_MEMORY, "no memory for the kernels of a program");
    for (size_t k = 0; k < count; k++) {
        const char *name = rd_paragraph_kernel(paragraph, k);
        paragraph->kernels[k] = (enum rd_kernel)RD_KERNEL_ABSENT;
        if (!played && !rd_kernel_named(name, &paragraph->kernels[k]) && !absent)
            return rd_fail(&error->what, RD_ERROR_USAGE, "there is no kernel '%.60s'", name);
    }
    return RD_OK;
}

/* Tells whether the name is among those with spaces between. */
static bool is_listed(const char *names, const char *name)
{
    const size_t length = strlen(name);
    while (*names) {
        const size_t word = strcspn(names, " ");
        if (word == length && strncmp(names, name, length) == 0)
            return true;
        names += word + strspn(names + word, " ");
    }
    return false;
}

static void find_points(struct rd_paragraph *paragraph)
{
    const struct rd_law *law = paragraph->law;
    size_t count = 0;
    for (size_t k = 1; k < rd_law_section_count(law); k++) {
        const struct rd_law_section *section = rd_law_section(law, k);
        struct rd_law_about about;
        enum rd_point point;
        rd_law_about(section, &about);
        if (!rd_point_named(about.point, &point))
            continue;
        paragraph->points[point] = section;
        paragraph->about[point] = about;
        if (paragraph->key.points && !is_listed(paragraph->key.points, about.point))
            continue;
        paragraph->invariants[count] = (struct rd_point_invariant){
            .point = point,
            .array = about.array,
            .variable = about.steps ? about.steps : "cells",
            .of_last_block = about.of_last_block,
        };
        paragraph->listed[count] = &paragraph->invariants[count];
        count++;
    }
}

static enum rd_status read_law(const char *text, const char *launch, struct rd_law **law,
                               struct rd_law_error *error)
{
    char *whole = NULL;
    *error = (struct rd_law_error){0};
    if (asprintf(&whole, "%s%s%s", text, launch ? "\nlaunch " : "", launch ? launch : "") < 0)
        return rd_fail(&error->what, RD_ERROR_MEMORY, "no memory for the law of a program");
    const enum rd_status status = rd_law_create(law, whole, error);
    free(whole);
    return status;
}

static enum rd_status read_paragraph(struct rd_paragraph *paragraph, bool absent, bool played,
                                     struct rd_law_error *error)
{
    const enum rd_status status =
        read_law(paragraph->key.text, paragraph->key.launch, &paragraph->law, error);
    if (status != RD_OK)
        return status;
    if (rd_law_input_count(paragraph->law) > 2)
        return rd_fail(&error->what, RD_ERROR_USAGE, "a program has at most two inputs");
    find_points(paragraph);
    return find_kernels(paragraph, absent, played, error);
}

static bool is_key(const struct rd_paragraph_key *x, const struct rd_paragraph_key *y)
{
    return rd_text_is_same(x->text, y->text) && rd_text_is_same(x->launch, y->launch) &&
           rd_text_is_same(x->kernel, y->kernel) && rd_text_is_same(x->points, y->points);
}

/* The law may be that of another program. */
static struct rd_paragraph_key key_of(const struct rd_program *program)
{
    return (struct rd_paragraph_key){rd_program_law(program), program->launch, program->kernel,
                                     program->points};
}

/* Tells whether its texts are still those of the paragraph; those of a program that is built in never change. */
static bool has_key(const struct rd_program *program, const struct rd_paragraph *paragraph)
{
    const struct rd_paragraph_key key = key_of(program);
    return is_key(&paragraph->key, &key);
}

/* NULL where there is no memory, or it can't be read. */
static struct rd_paragraph *make_paragraph(const struct rd_program *program, bool absent,
                                           enum rd_status *status, struct rd_law_error *why)
{
    struct rd_paragraph *made = calloc(1, sizeof *made);
    *why = (struct rd_law_error){.what.text = "no memory"};
    *status = RD_ERROR_MEMORY;
    if (!made)
        return NULL;
    atomic_init(&made->references, 1);
    made->key = key_of(program);
    if (is_built_in(program) || copy_key(made))
        *status = read_paragraph(made, absent, absent && program->played, why);
    if (*status == RD_OK)
        return made;
    destroy(made);
    return NULL;
}

/* Finds it in the list, or adds this one, if any. */
static struct rd_paragraph *find_or_add(const struct rd_paragraph_key *key,
                                        struct rd_paragraph *made)
{
    pthread_mutex_lock(&listing);
    struct rd_paragraph *found = paragraphs;
    while (found && !is_key(&found->key, key))
        found = found->next;
    if (!found && made) {
        made->next = paragraphs;
        paragraphs = found = made;
    }
    pthread_mutex_unlock(&listing);
    return found;
}

static struct rd_paragraph *find_paragraph(const struct rd_program *program)
{
    const struct rd_paragraph_key key = key_of(program);
    struct rd_law_error why;
    enum rd_status status;
    struct rd_paragraph *found = find_or_add(&key, NULL);
    if (found)
        return found;
    struct rd_paragraph *made = make_paragraph(program, false, &status, &why);
    if (!made) {
        rd_paragraph_note(program, status, &why);
        return NULL;
    }
    found = find_or_add(&key, made);
    if (found != made) /* another thread's came first */
        rd_paragraph_release(made);
    return found;
}

static struct rd_paragraph *paragraph_of(struct cache *cache, const struct rd_program *program)
{
    const struct rd_definition *definition = rd_program_definition(program);
    if (definition)
        return definition->paragraph;
    for (unsigned k = 0; k < CACHED_MAX; k++) {
        const struct cached_paragraph *cached = &cache->paragraphs[k];
        if (cached->program == program && (cached->built_in || has_key(program, cached->paragraph)))
            return cached->paragraph;
    }
    struct rd_paragraph *found = find_paragraph(program);
    if (found)
        cache->paragraphs[cache->oldest_paragraph++ % CACHED_MAX] =
            (struct cached_paragraph){program, is_built_in(program), found};
    return found;
}

static struct rd_paragraph *paragraph_here(const struct rd_program *program)
{
    struct cache *cache = kept_here();
    if (cache)
        return paragraph_of(cache, program);
    const struct rd_law_error why = {.what.text = "no memory"};
    rd_paragraph_note(program, RD_ERROR_MEMORY, &why);
    return NULL;
}

/* Evaluations that a client's law, or one in a trace, may take at a time. */
enum { CLIENTS_WORK_MAX = 1 << 25 };

static bool is_run_of(const struct rd_cached_run *cached, const struct rd_paragraph *paragraph,
                      const struct rd_shape *shape)
{
    return cached->paragraph == paragraph && cached->shape.n == shape->n &&
           cached->shape.block == shape->block && cached->shape.grid == shape->grid;
}

struct rd_cached_run *rd_paragraph_run(const struct rd_program *program,
                                       const struct rd_shape *shape)
{
    struct rd_paragraph *paragraph = paragraph_here(program);
    struct cache *cache = of_thread;
    struct rd_law_run *run;
    struct rd_law_error why;
    if (!paragraph)
        return NULL;
    for (unsigned k = 0; k < CACHED_MAX; k++)
        if (is_run_of(&cache->runs[k], paragraph, shape))
            return &cache->runs[k];
    const struct rd_law_sizes sizes = {
        .n = shape->n,
        .T = shape->block,
        .B = shape->grid,
        .work_max = rd_program_is_registered(program) ? CLIENTS_WORK_MAX : 0,
    };
    const enum rd_status status = rd_law_run_create(&run, paragraph->law, &sizes, &why);
    if (status != RD_OK) {
        rd_paragraph_note(program, status, &why);
        return NULL;
    }
    struct rd_cached_run *cached = &cache->runs[cache->oldest++ % CACHED_MAX];
    clear(cached);
    cached->paragraph = retain(paragraph);
    cached->law = paragraph->law;
    cached->shape = *shape;
    cached->run = run;
    return cached;
}

const struct rd_paragraph *rd_paragraph_of(const struct rd_program *program)
{
    return paragraph_here(program);
}

const volatile sig_atomic_t *rd_paragraph_interrupt(const volatile sig_atomic_t *interrupted)
{
    struct cache *cache = kept_here();
    const volatile sig_atomic_t *before = cache ? cache->interrupted : NULL;
    if (cache)
        cache->interrupted = interrupted;
    return before;
}

const volatile sig_atomic_t *rd_paragraph_interruption(void)
{
    const struct cache *cache = kept_here();
    return cache ? cache->interrupted : NULL;
}

/* ---- failures ---- */

static enum rd_status say_failure(struct rd_error *error, const struct rd_program *program,
                                  enum rd_status status, const struct rd_law_error *why)
{
    if (why->line > 0)
        return rd_fail(error, status, "the paragraph of %s, line %zu, column %zu: %s",
                       program->name, why->line, why->column, why->what.text);
    return rd_fail(error, status, "the paragraph of %s: %s", program->name, why->what.text);
}

void rd_paragraph_note(const struct rd_program *program, enum rd_status status,
                       const struct rd_law_error *why)
{
    struct rd_paragraph_watch *watch = watches;
    while (watch && watch->program != program)
        watch = watch->around;
    if (watch && watch->status == RD_OK)
        watch->status = say_failure(&watch->why, program, status, why);
}

void rd_paragraph_watch_begin(struct rd_paragraph_watch *watch, const struct rd_program *program)
{
    *watch = (struct rd_paragraph_watch){.program = program, .around = watches};
    watches = watch;
}

enum rd_status rd_paragraph_watch_ask(struct rd_paragraph_watch *watch, struct rd_error *error)
{
    const enum rd_status status = watch->status;
    watch->status = RD_OK;
    return status == RD_OK ? RD_OK : rd_fail(error, status, "%s", watch->why.text);
}

enum rd_status rd_paragraph_watch_end(struct rd_paragraph_watch *watch, struct rd_error *error)
{
    watches = watch->around;
    return rd_paragraph_watch_ask(watch, error);
}

struct rd_paragraph_watch *rd_paragraph_watch_leave(void)
{
    struct rd_paragraph_watch *left = watches;
    watches = NULL;
    return left;
}

void rd_paragraph_watch_return(struct rd_paragraph_watch *left)
{
    watches = left;
}

enum rd_status rd_paragraph_create(const struct rd_program *program, bool absent,
                                   struct rd_paragraph **paragraph, struct rd_error *error)
{
    struct rd_law_error why;
    enum rd_status status;
    struct rd_paragraph *made = make_paragraph(program, absent, &status, &why);
    if (!made)
        return say_failure(error, program, status, &why);
    *paragraph = made;
    return RD_OK;
}

/* ---- expressions ---- */

size_t rd_paragraph_value(const char *expression, size_t n, unsigned block)
{
    const struct rd_law_sizes sizes = {.n = n, .T = block};
    struct cache *cache = kept_here();
    uint64_t value;
    for (unsigned k = 0; cache && k < CACHED_MAX; k++) {
        const struct cached_value *cached = &cache->values[k];
        if (strcmp(cached->expression, expression) == 0 && cached->n == n && cached->block == block)
            return cached->value;
    }
    if (!cache || rd_law_value(expression, &sizes, &value, NULL) != RD_OK)
        return 0;
    if (strlen(expression) < EXPRESSION_MAX) {
        struct cached_value *cached = &cache->values[cache->oldest_value++ % CACHED_MAX];
        *cached = (struct cached_value){.n = n, .block = block, .value = value};
        strcpy(cached->expression, expression);
    }
    return value;
}

/* ---- points ---- */

const struct rd_point_invariant *const *rd_program_points(const struct rd_program *program)
{
    static const struct rd_point_invariant *const none[] = {NULL};
    const struct rd_paragraph *paragraph = rd_paragraph_of(program);
    return paragraph ? paragraph->listed : none;
}

bool rd_program_has_points(const struct rd_program *program)
{
    return *rd_program_points(program);
}
