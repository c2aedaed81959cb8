// SPDX-License-Identifier: MIT
#include "law/lanes.h"
#include "base/array.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void rd_law_run_begin(struct rd_law_run *run, struct rd_law_error *error)
{
    run->error = error;
    run->status = RD_OK;
    run->base = run->top = 0;
    run->depth = 0;
    run->work = 0;
}

/* The place in words: " at d = 3", " at block 2, warp 1, w = 4". */
static void place_text(const struct rd_law_run *run, char text[160])
{
    const struct rd_law_section *section = run->section;
    text[0] = '\0';
    if (!section)
        return;
    if (section->kind == RD_LAW_GLOBAL) {
        snprintf(text, 160, " at d = %" PRId64, run->quantities[LAW_D]);
        return;
    }
    int length = snprintf(text, 160, " at '%.40s', block %" PRId64, section->name,
                          run->quantities[LAW_BLOCK]);
    if (section->kind == RD_LAW_REGISTER)
        length += snprintf(text + length, 160 - (size_t)length, ", warp %" PRId64,
                           run->quantities[LAW_WARP]);
    if (section->steps)
        snprintf(text + length, 160 - (size_t)length, ", %.20s = %" PRId64, section->steps->name,
                 run->quantities[LAW_STEP]);
}

bool rd_law_run_fail(struct rd_law_run *run, const struct law_node *node, const char *format, ...)
{
    char text[200], place[160];
    va_list args;
    if (run->status != RD_OK)
        return false;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    place_text(run, place);
    run->status = rd_law_fail_at(run->law, run->error, node ? node->span : (struct law_span){0},
                                 RD_ERROR_USAGE, "%s%s", text, place);
    return false;
}

bool rd_law_run_fail_in_use(struct rd_law_run *run, const struct law_node *node)
{
    const size_t n_given = run->law->n_given;
    if (run->status == RD_ERROR_USAGE && run->error && node->span.begin >= n_given &&
        node->definition->span.begin < n_given) {
        const struct rd_error why = run->error->what;
        rd_law_fail_at(run->law, run->error, node->span, RD_ERROR_USAGE, "'%.40s': %s",
                       node->definition->name, why.text);
    }
    return false;
}

bool rd_law_run_no_memory(struct rd_law_run *run)
{
    run->status = rd_law_fail_at(run->law, run->error, (struct law_span){0}, RD_ERROR_MEMORY,
                                 "no memory for what a law says");
    return false;
}

static bool interrupt(struct rd_law_run *run)
{
    if (run->status == RD_OK)
        run->status = rd_law_fail_at(run->law, run->error, (struct law_span){0},
                                     RD_ERROR_INTERRUPTED, "interrupted");
    return false;
}

static bool refuse_work(struct rd_law_run *run, const struct law_node *node)
{
    const bool first = run->status == RD_OK;
    rd_law_run_fail(run, node, "takes too long: more than %" PRIu64 " evaluations", run->work_max);
    if (first && run->error) {
        char *text = run->error->what.text;
        const size_t length = strlen(text);
        snprintf(text + length, sizeof run->error->what.text - length,
                 ": take a smaller n, or bound its variables more closely");
    }
    return false;
}

bool rd_law_run_work(struct rd_law_run *run, const struct law_node *node)
{
    if (run->interrupted && *run->interrupted && run->work >= run->patience)
        return interrupt(run);
    return ++run->work <= run->work_max || refuse_work(run, node);
}

/* A level of a value takes as much of the stack as so many of a number. */
enum { LEVELS_OF_VALUE = 8 };

bool rd_law_run_enter(struct rd_law_run *run, const struct law_node *node)
{
    run->depth += LEVELS_OF_VALUE;
    if (!rd_law_run_work(run, node))
        return false;
    return run->depth <= LAW_LEVELS_MAX ||
           rd_law_run_fail(run, node, "definitions stand too deep in each other");
}

void rd_law_run_leave(struct rd_law_run *run)
{
    run->depth -= LEVELS_OF_VALUE;
}

bool rd_law_run_work_on(struct rd_law_run *run, uint64_t lanes)
{
    enum { PART = 8 }; /* so many values side by side take as long as one by itself */
    run->work += lanes / PART;
    return rd_law_run_work(run, NULL);
}

bool rd_law_run_go(struct rd_law_run *run, const struct rd_law_section *section,
                   const struct rd_law_place *place)
{
    static const struct rd_law_place nowhere;
    if (!place)
        place = &nowhere;
    const uint64_t numbers[] = {place->d, place->block, place->warp, place->variable, place->bytes};
    static const enum law_quantity quantities[] = {LAW_D, LAW_BLOCK, LAW_WARP, LAW_STEP, LAW_BYTES};
    run->section = section;
    run->generation++;
    for (unsigned k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        if (numbers[k] > INT64_MAX)
            return rd_law_run_fail(run, NULL, "a number of the place is 2^63 or more");
        run->quantities[quantities[k]] = (int64_t)numbers[k];
    }
    return true;
}

struct law_position rd_law_run_position(const struct rd_law_run *run)
{
    struct law_position position = {
        .section = run->section, .generation = run->generation, .base = run->base, .top = run->top};
    memcpy(position.quantities, run->quantities, sizeof position.quantities);
    return position;
}

void rd_law_run_return(struct rd_law_run *run, const struct law_position *position)
{
    memcpy(run->quantities, position->quantities, sizeof run->quantities);
    run->section = position->section;
    run->generation++; /* what was kept in between is of other places */
    run->base = position->base;
    run->top = position->top;
}

/* Room for a frame up to `top`, and for one on it that nobody pushes: a claim's, of which a prover's text is made. */
static bool make_room(struct rd_law_run *run, size_t top)
{
    while (run->stack_capacity < top + LAW_VARIABLES_MAX)
        if (!rd_array_make_room(&run->stack, run->stack_capacity, &run->stack_capacity,
                                sizeof *run->stack))
            return false;
    return true;
}

bool rd_law_run_push(struct rd_law_run *run, const struct law_node *node, unsigned frame,
                     const int64_t *values, size_t count, size_t *base, size_t *top)
{
    if (LAW_STACK_MAX - run->top < frame)
        return rd_law_run_fail(run, node, "definitions stand too deep in each other");
    if (!make_room(run, run->top + frame))
        return rd_law_run_no_memory(run);
    *base = run->base;
    *top = run->top;
    run->base = run->top;
    run->top += frame;
    for (unsigned k = 0; k < frame; k++)
        run->stack[run->base + k] = k < count ? values[k] : 0;
    return true;
}

void rd_law_run_pop(struct rd_law_run *run, size_t base, size_t top)
{
    run->base = base;
    run->top = top;
}

bool rd_law_flat_index(struct rd_law_run *run, const struct law_node *node,
                       const struct law_array *array, const int64_t *indices, int64_t *flat)
{
    *flat = 0;
    for (size_t k = 0; k < array->n_sizes; k++) {
        int64_t size;
        if (!rd_law_number(run, array->sizes[k], &size))
            return false;
        if (indices[k] < 0 || indices[k] >= size)
            return rd_law_run_fail(run, node, "'%.40s' has no element %" PRId64 " of %" PRId64,
                                   array->name, indices[k], size);
        if (__builtin_mul_overflow(*flat, size, flat) ||
            __builtin_add_overflow(*flat, indices[k], flat))
            return rd_law_run_fail(run, node, "'%.40s' has 2^63 elements or more", array->name);
    }
    return true;
}

bool rd_law_count(struct rd_law_run *run, const struct law_array *array, int64_t *count)
{
    *count = 1;
    for (size_t k = 0; k < array->n_sizes; k++) {
        int64_t size;
        if (!rd_law_number(run, array->sizes[k], &size))
            return false;
        if (size < 0)
            return rd_law_run_fail(run, array->sizes[k], "the size of '%.40s' is %" PRId64,
                                   array->name, size);
        if (__builtin_mul_overflow(*count, size, count))
            return rd_law_run_fail(run, array->sizes[k], "'%.40s' has 2^63 elements or more",
                                   array->name);
    }
    return true;
}

bool rd_law_next_step(struct rd_law_run *run, int64_t value, int64_t *next, bool *more)
{
    const struct rd_law_section *section = run->section;
    int64_t last;
    run->quantities[LAW_STEP] = value;
    run->generation++;
    *more = false;
    if (!rd_law_number(run, section->last, &last))
        return false;
    if (value == last)
        return true;
    if (!rd_law_number(run, section->next, next))
        return false;
    /* Towards the last, and not beyond. */
    *more = last > value ? *next > value && *next <= last : *next < value && *next >= last;
    return true;
}

/* ---- the interface ---- */

bool rd_law_run_resize(struct rd_law_run *run, const struct rd_law_sizes *sizes)
{
    if (sizes->n > INT64_MAX || sizes->T > INT64_MAX || sizes->B > INT64_MAX)
        return rd_law_run_fail(run, NULL, "a size of the run is 2^63 or more");
    run->has_b = sizes->B > 0;
    run->quantities[LAW_N] = (int64_t)sizes->n;
    run->quantities[LAW_T] = (int64_t)sizes->T;
    run->quantities[LAW_B] = (int64_t)sizes->B;
    run->generation_of_sizes = ++run->generation;
    return true;
}

enum rd_status rd_law_run_create(struct rd_law_run **run, const struct rd_law *law,
                                 const struct rd_law_sizes *sizes, struct rd_law_error *error)
{
    struct rd_law_run *made = calloc(1, sizeof *made);
    if (!made)
        goto failed;
    made->law = law;
    rd_law_run_begin(made, error);
    if (!rd_law_run_resize(made, sizes)) {
        rd_law_run_destroy(made);
        return RD_ERROR_USAGE;
    }
    made->work_max = sizes->work_max ? sizes->work_max : LAW_WORK_DEFAULT;
    made->interrupted = sizes->interrupted;
    made->memos = calloc(law->n_definitions + 1, sizeof *made->memos);
    if (!make_room(made, 0) || !made->memos)
        goto failed;
    *run = made;
    return RD_OK;
failed:
    rd_law_run_destroy(made);
    return rd_law_fail_at(law, error, (struct law_span){0}, RD_ERROR_MEMORY,
                          "no memory for what a law says");
}

void rd_law_run_interrupt(struct rd_law_run *run, const volatile sig_atomic_t *interrupted)
{
    enum { PATIENCE = 1 << 20 }; /* evaluations: a tenth of a second, or less */
    run->interrupted = interrupted;
    run->patience = PATIENCE;
}

void rd_law_run_destroy(struct rd_law_run *run)
{
    if (!run)
        return;
    for (size_t k = 0; run->memos && k < run->law->n_definitions; k++)
        free(run->memos[k].memos);
    rd_law_lanes_destroy(run->lanes);
    rd_law_value_tables_finish(run->tables);
    free(run->memos);
    free(run->known);
    free(run->stack);
    free(run);
}

enum rd_status rd_law_input_size(struct rd_law_run *run, size_t input, uint64_t *size,
                                 struct rd_law_error *error)
{
    int64_t count;
    rd_law_run_begin(run, error);
    if (input >= run->law->n_inputs)
        return rd_law_fail_at(NULL, error, (struct law_span){0}, RD_ERROR_USAGE,
                              "the law has no input %zu", input);
    if (!rd_law_run_go(run, run->law->sections[0], NULL) ||
        !rd_law_count(run, run->law->inputs[input], &count))
        return run->status;
    *size = (uint64_t)count;
    return RD_OK;
}

enum rd_status rd_law_array_size(struct rd_law_run *run, const struct rd_law_section *section,
                                 const struct rd_law_place *place, uint64_t *size,
                                 struct rd_law_error *error)
{
    int64_t count;
    rd_law_run_begin(run, error);
    if (!rd_law_run_go(run, section, place) || !rd_law_count(run, section->array, &count))
        return run->status;
    *size = (uint64_t)count;
    return RD_OK;
}

enum rd_status rd_law_first(struct rd_law_run *run, const struct rd_law_section *section,
                            const struct rd_law_place *place, uint64_t *first,
                            struct rd_law_error *error)
{
    int64_t value;
    rd_law_run_begin(run, error);
    if (!rd_law_run_go(run, section, place) || !rd_law_number(run, section->first, &value))
        return run->status;
    if (value < 0)
        rd_law_run_fail(run, section->first, "the variable of the steps is %" PRId64, value);
    *first = (uint64_t)value;
    return run->status;
}

enum rd_status rd_law_next(struct rd_law_run *run, const struct rd_law_section *section,
                           const struct rd_law_place *place, uint64_t *next, bool *more,
                           struct rd_law_error *error)
{
    int64_t value = 0;
    rd_law_run_begin(run, error);
    if (!rd_law_run_go(run, section, place) ||
        !rd_law_next_step(run, run->quantities[LAW_STEP], &value, more))
        return run->status;
    if (*more && value < 0)
        rd_law_run_fail(run, section->next, "the variable of the steps is %" PRId64, value);
    *next = (uint64_t)value;
    return run->status;
}

/* Values of the variable of `steps`. */
struct step_list {
    uint64_t *values;
    size_t count, capacity;
};

static bool add_step(struct rd_law_run *run, struct step_list *list, int64_t value)
{
    if (value < 0)
        return rd_law_run_fail(run, run->section->next, "the variable of the steps is %" PRId64,
                               value);
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 16;
        uint64_t *grown = realloc(list->values, list->capacity * sizeof *grown);
        if (!grown)
            return rd_law_run_no_memory(run);
        list->values = grown;
    }
    list->values[list->count++] = (uint64_t)value;
    return true;
}

/* Evaluates it at the run's place; the condition may be NULL. */
static bool list_steps(struct rd_law_run *run, const struct law_node *condition,
                       struct step_list *list)
{
    const struct rd_law_section *section = run->section;
    int64_t value = 0;
    bool holds = true, more = true;
    if (section->steps && !rd_law_number(run, section->first, &value))
        return false;
    while (more) {
        run->quantities[LAW_STEP] = value;
        run->generation++;
        if ((condition && !rd_law_condition(run, condition, &holds)) ||
            (holds && !add_step(run, list, value)))
            return false;
        more = section->steps;
        if (more &&
            (!rd_law_run_work(run, section->next) || !rd_law_next_step(run, value, &value, &more)))
            return false;
    }
    return true;
}

static enum rd_status tell_steps(struct rd_law_run *run, const struct rd_law_section *section,
                                 const struct rd_law_place *place, const struct law_node *condition,
                                 uint64_t **values, size_t *count, struct rd_law_error *error)
{
    struct step_list list = {.values = NULL};
    rd_law_run_begin(run, error);
    if (!rd_law_run_go(run, section, place) || !list_steps(run, condition, &list)) {
        free(list.values);
        return run->status;
    }
    *values = list.values;
    *count = list.count;
    return RD_OK;
}

enum rd_status rd_law_steps(struct rd_law_run *run, const struct rd_law_section *section,
                            const struct rd_law_place *place, uint64_t **values, size_t *count,
                            struct rd_law_error *error)
{
    if (section->steps)
        return tell_steps(run, section, place, NULL, values, count, error);
    *values = NULL;
    *count = 0;
    return RD_OK;
}

enum rd_status rd_law_met(struct rd_law_run *run, const struct rd_law_section *section,
                          const struct rd_law_place *place, uint64_t **values, size_t *count,
                          struct rd_law_error *error)
{
    return tell_steps(run, section, place, section->met, values, count, error);
}
