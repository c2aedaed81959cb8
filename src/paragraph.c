// SPDX-License-Identifier: MIT
#include "paragraph.h"
#include "names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

enum { RUNS_HELD = 4 };

/* How many blocks an expression comes to. */
struct held_blocks {
    const char *expression; /* NULL: none */
    size_t n;
    unsigned block;
    size_t grid;
};

struct kept {
    struct rd_paragraph *paragraphs;
    struct rd_held_run runs[RUNS_HELD];
    struct held_blocks blocks[RUNS_HELD];
    unsigned oldest, oldest_blocks;
};

static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static bool has_key;

static void let_go(struct rd_held_run *held)
{
    rd_law_run_destroy(held->run);
    free(held->members.list);
    for (int point = 0; point < RD_POINT_COUNT; point++)
        free(held->steps[point].values);
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
    while (kept->paragraphs) {
        struct rd_paragraph *first = kept->paragraphs;
        kept->paragraphs = first->next;
        forget_paragraph(first);
    }
    free(kept);
}

static void make_key(void)
{
    has_key = tss_create(&key, forget) == thrd_success;
}

static struct kept *kept_here(void)
{
    call_once(&once, make_key);
    if (!has_key)
        return NULL;
    struct kept *kept = tss_get(key);
    if (!kept) {
        kept = calloc(1, sizeof *kept);
        if (kept && tss_set(key, kept) != thrd_success) {
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
        if (!rd_kernel_named(paragraph->kernel ? paragraph->kernel
                                               : rd_law_launch_kernel(paragraph->law, k),
                             &paragraph->kernels[k]))
            return false;
    return paragraph->kernels;
}

static void find_points(struct rd_paragraph *paragraph)
{
    for (int point = 0; point < RD_POINT_COUNT; point++) {
        paragraph->points[point] =
            rd_law_section_at(paragraph->law, rd_point_name((enum rd_point)point));
        if (paragraph->points[point])
            rd_law_about(paragraph->points[point], &paragraph->about[point]);
    }
}

static bool read_paragraph(struct rd_paragraph *paragraph)
{
    const char *launch = paragraph->launch;
    char *whole = NULL;
    if (asprintf(&whole, "%s%s%s", paragraph->text, launch ? "\nlaunch " : "",
                 launch ? launch : "") < 0)
        return false;
    enum rd_status status = rd_law_create(&paragraph->law, whole, NULL);
    free(whole);
    if (status == RD_OK)
        find_points(paragraph);
    return status == RD_OK && find_kernels(paragraph);
}

static const struct rd_paragraph *paragraph_of(struct kept *kept, const struct rd_program *program)
{
    const char *text = rd_program_law(program), *launch = program->launch,
               *kernel = program->kernel;
    for (struct rd_paragraph *p = kept->paragraphs; p; p = p->next)
        if (p->text == text && p->launch == launch && p->kernel == kernel)
            return p;
    struct rd_paragraph *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->text = text;
    made->launch = launch;
    made->kernel = kernel;
    if (!read_paragraph(made)) {
        forget_paragraph(made);
        return NULL;
    }
    made->next = kept->paragraphs;
    kept->paragraphs = made;
    return made;
}

static bool is_of(const struct rd_held_run *held, const struct rd_program *program,
                  const struct rd_shape *shape)
{
    return held->program == program && held->name == program->name && held->text == program->law &&
           held->launch == program->launch && held->kernel == program->kernel &&
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
    held->text = program->law;
    held->launch = program->launch;
    held->kernel = program->kernel;
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

/* ---- blocks ---- */

size_t rd_paragraph_blocks(const char *expression, size_t n, unsigned block)
{
    const struct rd_law_sizes sizes = {.n = n, .T = block};
    struct kept *kept = kept_here();
    uint64_t grid;
    for (unsigned k = 0; kept && k < RUNS_HELD; k++) {
        const struct held_blocks *held = &kept->blocks[k];
        if (held->expression == expression && held->n == n && held->block == block)
            return held->grid;
    }
    if (!kept || rd_law_value(expression, &sizes, &grid, NULL) != RD_OK)
        return 0;
    kept->blocks[kept->oldest_blocks++ % RUNS_HELD] =
        (struct held_blocks){.expression = expression, .n = n, .block = block, .grid = grid};
    return grid;
}
