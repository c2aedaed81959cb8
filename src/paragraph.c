// SPDX-License-Identifier: MIT
#include "paragraph.h"
#include "names.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

enum { RUNS_HELD = 4 };

/* What an expression comes to. */
struct held_value {
    const char *expression; /* NULL: none */
    size_t n;
    unsigned block;
    size_t value;
};

/* The paragraph of a program that was asked for. */
struct held_paragraph {
    const struct rd_program *program;
    const char *name;
    struct rd_paragraph_key key;
    const struct rd_paragraph *paragraph;
};

struct kept {
    struct held_paragraph paragraphs[RUNS_HELD];
    struct rd_held_run runs[RUNS_HELD];
    struct held_value values[RUNS_HELD];
    unsigned oldest, oldest_value, oldest_paragraph;
};

/* All that were read. None is taken out or changed, so that threads read the list as it is. */
static struct rd_paragraph *_Atomic paragraphs;

static once_flag once = ONCE_FLAG_INIT;
static tss_t slot;
static bool has_slot;

static void let_go(struct rd_held_run *held)
{
    rd_law_run_destroy(held->run);
    free(held->members.list);
    for (int point = 0; point < RD_POINT_COUNT; point++)
        for (unsigned warp = 0; warp < RD_HELD_WARPS; warp++)
            free(held->steps[point][warp].values);
    *held = (struct rd_held_run){0};
}

static void forget_paragraph(struct rd_paragraph *paragraph)
{
    rd_law_destroy(paragraph->law);
    free(paragraph->kernels);
    free(paragraph);
}

static void forget(void *context)
{
    struct kept *kept = context;
    for (unsigned k = 0; k < RUNS_HELD; k++)
        let_go(&kept->runs[k]);
    free(kept);
}

static void make_slot(void)
{
    has_slot = tss_create(&slot, forget) == thrd_success;
}

static struct kept *kept_here(void)
{
    call_once(&once, make_slot);
    if (!has_slot)
        return NULL;
    struct kept *kept = tss_get(slot);
    if (!kept) {
        kept = calloc(1, sizeof *kept);
        if (kept && tss_set(slot, kept) != thrd_success) {
            free(kept);
            kept = NULL;
        }
    }
    return kept;
}

static bool find_kernels(struct rd_paragraph *paragraph)
{
    const size_t count = rd_law_launch_count(paragraph->law);
    paragraph->kernels = calloc(count + 1, sizeof *paragraph->kernels);
    for (size_t k = 0; paragraph->kernels && k < count; k++)
        if (!rd_kernel_named(paragraph->key.kernel ? paragraph->key.kernel
                                                   : rd_law_launch_kernel(paragraph->law, k),
                             &paragraph->kernels[k]))
            return false;
    return paragraph->kernels;
}

/* Whether the name is among those with spaces between. */
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

static bool read_paragraph(struct rd_paragraph *paragraph)
{
    const char *launch = paragraph->key.launch;
    char *whole = NULL;
    if (asprintf(&whole, "%s%s%s", paragraph->key.text, launch ? "\nlaunch " : "",
                 launch ? launch : "") < 0)
        return false;
    enum rd_status status = rd_law_create(&paragraph->law, whole, NULL);
    free(whole);
    if (status == RD_OK)
        find_points(paragraph);
    return status == RD_OK && find_kernels(paragraph);
}

static bool is_key(const struct rd_paragraph_key *x, const struct rd_paragraph_key *y)
{
    return x->text == y->text && x->launch == y->launch && x->kernel == y->kernel &&
           x->points == y->points;
}

static struct rd_paragraph_key own_key(const struct rd_program *program)
{
    return (struct rd_paragraph_key){program->law, program->launch, program->kernel,
                                     program->points};
}

static const struct rd_paragraph *find_paragraph(const struct rd_program *program)
{
    struct rd_paragraph_key key = own_key(program);
    key.text = rd_program_law(program);
    for (struct rd_paragraph *p = atomic_load(&paragraphs); p; p = p->next)
        if (is_key(&p->key, &key))
            return p;
    struct rd_paragraph *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->key = key;
    if (!read_paragraph(made)) {
        forget_paragraph(made);
        return NULL;
    }
    made->next = atomic_load(&paragraphs);
    while (!atomic_compare_exchange_weak(&paragraphs, &made->next, made))
        ;
    return made;
}

static const struct rd_paragraph *paragraph_of(struct kept *kept, const struct rd_program *program)
{
    const struct rd_paragraph_key key = own_key(program);
    for (unsigned k = 0; k < RUNS_HELD; k++) {
        const struct held_paragraph *held = &kept->paragraphs[k];
        if (held->program == program && held->name == program->name && is_key(&held->key, &key))
            return held->paragraph;
    }
    const struct rd_paragraph *found = find_paragraph(program);
    if (found)
        kept->paragraphs[kept->oldest_paragraph++ % RUNS_HELD] =
            (struct held_paragraph){program, program->name, key, found};
    return found;
}

static bool is_of(const struct rd_held_run *held, const struct rd_program *program,
                  const struct rd_shape *shape)
{
    const struct rd_paragraph_key key = own_key(program);
    return held->program == program && held->name == program->name && is_key(&held->key, &key) &&
           held->shape.n == shape->n && held->shape.block == shape->block &&
           held->shape.grid == shape->grid;
}

struct rd_held_run *rd_paragraph_hold(const struct rd_program *program,
                                      const struct rd_shape *shape)
{
    struct kept *kept = kept_here();
    const struct rd_law_sizes sizes = {.n = shape->n, .T = shape->block, .B = shape->grid};
    struct rd_law_run *run;
    for (unsigned k = 0; kept && k < RUNS_HELD; k++)
        if (is_of(&kept->runs[k], program, shape))
            return &kept->runs[k];
    const struct rd_paragraph *paragraph = kept ? paragraph_of(kept, program) : NULL;
    if (!paragraph || rd_law_run_create(&run, paragraph->law, &sizes, NULL) != RD_OK)
        return NULL;
    struct rd_held_run *held = &kept->runs[kept->oldest++ % RUNS_HELD];
    let_go(held);
    held->program = program;
    held->name = program->name;
    held->key = own_key(program);
    held->law = paragraph->law;
    held->paragraph = paragraph;
    held->shape = *shape;
    held->run = run;
    return held;
}

const struct rd_paragraph *rd_paragraph_of(const struct rd_program *program)
{
    struct kept *kept = kept_here();
    return kept ? paragraph_of(kept, program) : NULL;
}

/* ---- expressions ---- */

size_t rd_paragraph_value(const char *expression, size_t n, unsigned block)
{
    const struct rd_law_sizes sizes = {.n = n, .T = block};
    struct kept *kept = kept_here();
    uint64_t value;
    for (unsigned k = 0; kept && k < RUNS_HELD; k++) {
        const struct held_value *held = &kept->values[k];
        if (held->expression == expression && held->n == n && held->block == block)
            return held->value;
    }
    if (!kept || rd_law_value(expression, &sizes, &value, NULL) != RD_OK)
        return 0;
    kept->values[kept->oldest_value++ % RUNS_HELD] =
        (struct held_value){.expression = expression, .n = n, .block = block, .value = value};
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
