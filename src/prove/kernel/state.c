// SPDX-License-Identifier: MIT
/* States: made, copied, joined, and what they keep. */
#include "prove/kernel/state.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void rd_execution_fail(struct rd_execution *execution, const struct rd_syntax_node *node,
                       const char *format, ...)
{
    va_list arguments;
    size_t length = 0;
    if (*execution->failure)
        return;
    if (node && node->line > 0)
        length = (size_t)snprintf(execution->failure, sizeof execution->failure,
                                  "%s:%u: ", node->file ? node->file : "?", node->line);
    if (length >= sizeof execution->failure)
        length = 0;
    va_start(arguments, format);
    vsnprintf(execution->failure + length, sizeof execution->failure - length, format, arguments);
    va_end(arguments);
}

void rd_execution_fail_memory(struct rd_execution *execution)
{
    execution->lacks_memory = execution->lacks_memory || !*execution->failure;
    rd_execution_fail(execution, NULL, "no memory for the paths of a kernel");
}

/* Returns the items, with room for one more. */
static void *grow(struct rd_execution *execution, void *items, size_t count, size_t *capacity,
                  size_t item_bytes)
{
    if (count < *capacity)
        return items;
    const size_t more = *capacity ? 2 * *capacity : 8;
    void *grown = realloc(items, more * item_bytes);
    if (!grown) {
        rd_execution_fail_memory(execution);
        return NULL;
    }
    *capacity = more;
    return grown;
}

#define ADD(execution, object, list, item)                                                         \
    do {                                                                                           \
        void *room = grow(execution, (object)->list, (object)->n_##list,                           \
                          &(object)->list##_capacity, sizeof *(object)->list);                     \
        if (room) {                                                                                \
            (object)->list = room;                                                                 \
            (object)->list[(object)->n_##list++] = (item);                                         \
        }                                                                                          \
    } while (0)

void rd_state_push(struct rd_execution *execution, struct state *state, struct value value)
{
    ADD(execution, state, values, value);
}

struct value rd_state_pop(struct state *state)
{
    return state->n_values > 0 ? state->values[--state->n_values]
                               : (struct value){.kind = VALUE_NONE};
}

struct binding *rd_state_find(struct state *state, const struct rd_syntax_declaration *declaration)
{
    for (size_t k = state->n_bindings; k > state->frame; k--)
        if (state->bindings[k - 1].declaration == declaration)
            return &state->bindings[k - 1];
    return NULL;
}

void rd_state_bind(struct rd_execution *execution, struct state *state,
                   const struct rd_syntax_declaration *declaration, struct value value)
{
    struct binding *found = rd_state_find(state, declaration);
    if (found) {
        found->value = value;
        return;
    }
    const struct binding binding = {declaration, value};
    ADD(execution, state, bindings, binding);
}

void rd_state_access(struct rd_execution *execution, struct state *state,
                     struct rd_kernel_access access)
{
    access.path = state->path;
    access.phase = state->phase;
    access.grid = state->grid;
    access.event = execution->events++;
    ADD(execution, state, accesses, access);
}

void rd_state_pass_lanes(struct rd_execution *execution, struct state *state)
{
    for (size_t k = 0; k < state->n_accesses; k++)
        ADD(execution, state, earlier, state->accesses[k]);
    state->n_accesses = 0;
}

void rd_execution_add_trips(struct rd_execution *execution, struct rd_loop_trips loop)
{
    ADD(execution, execution, trips, loop);
}

const char *rd_place_named(struct rd_terms *terms, const char *file, unsigned line,
                           const char *what)
{
    return file && line > 0 ? rd_terms_text(terms, "%s:%u: %s", file, line, what) : what;
}

void rd_state_require(struct rd_execution *execution, struct state *state, rd_term condition,
                      const struct rd_syntax_node *node, const char *what)
{
    if (condition && condition->kind == RD_TERM_TRUE)
        return;
    const struct rd_requirement requirement = {
        .path = state->path,
        .control = state->control,
        .condition = condition,
        .what =
            rd_place_named(execution->terms, node ? node->file : NULL, node ? node->line : 0, what),
        .is_barrier = !condition,
        .line = node ? node->line : 0};
    ADD(execution, state, requirements, requirement);
}

/* ---- made and copied ---- */

struct state *rd_state_create(struct rd_execution *execution)
{
    struct state *state = calloc(1, sizeof *state);
    if (!state)
        rd_execution_fail_memory(execution);
    if (state) {
        state->path = state->control = rd_true(execution->terms);
        state->acquired = rd_false(execution->terms);
        state->way = NO_WAY;
    }
    return state;
}

void rd_state_destroy(struct state *state)
{
    if (!state)
        return;
    free(state->bindings);
    free(state->values);
    free(state->accesses);
    free(state->earlier);
    free(state->requirements);
    free(state);
}

static void *copy_of(const void *items, size_t count, size_t item_bytes, bool *whole)
{
    void *copy = count ? malloc(count * item_bytes) : NULL;
    if (copy)
        memcpy(copy, items, count * item_bytes);
    else if (count)
        *whole = false;
    return copy;
}

struct state *rd_state_copy(struct rd_execution *execution, const struct state *state)
{
    struct state *copy = malloc(sizeof *copy);
    bool whole = true;
    if (!copy) {
        rd_execution_fail_memory(execution);
        return NULL;
    }
    *copy = *state;
    copy->bindings_capacity = copy->n_bindings;
    copy->values_capacity = copy->n_values;
    copy->accesses_capacity = copy->n_accesses;
    copy->earlier_capacity = copy->n_earlier;
    copy->requirements_capacity = copy->n_requirements;
    copy->bindings = copy_of(state->bindings, state->n_bindings, sizeof *state->bindings, &whole);
    copy->values = copy_of(state->values, state->n_values, sizeof *state->values, &whole);
    copy->accesses = copy_of(state->accesses, state->n_accesses, sizeof *state->accesses, &whole);
    copy->earlier = copy_of(state->earlier, state->n_earlier, sizeof *state->earlier, &whole);
    copy->requirements =
        copy_of(state->requirements, state->n_requirements, sizeof *state->requirements, &whole);
    if (!whole) {
        rd_state_destroy(copy);
        rd_execution_fail_memory(execution);
        return NULL;
    }
    return copy;
}

void rd_states_add(struct rd_execution *execution, struct states *states, struct state *state)
{
    if (!state)
        return;
    if (states->count < STATES_MAX) {
        states->items[states->count++] = state;
        return;
    }
    rd_state_destroy(state);
    rd_execution_fail(execution, NULL, "more than %d paths at a time", STATES_MAX);
}

void rd_states_finish(struct states *states)
{
    for (size_t k = 0; k < states->count; k++)
        rd_state_destroy(states->items[k]);
    states->count = 0;
}

void rd_states_move(struct rd_execution *execution, struct states *to, struct states *from)
{
    for (size_t k = 0; k < from->count; k++)
        rd_states_add(execution, to, from->items[k]);
    from->count = 0;
}

/* ---- joined ---- */

bool rd_is_same_cut(const struct rd_cut *x, const struct rd_cut *y)
{
    return x->variable == y->variable &&
           (x->point == y->point || (x->point && y->point && strcmp(x->point, y->point) == 0));
}

static bool is_same_place(const struct state *x, const struct state *y)
{
    return rd_is_same_cut(&x->from, &y->from) && x->from.array == y->from.array &&
           rd_is_same_cut(&x->base, &y->base) && x->base.array == y->base.array &&
           x->phase == y->phase && x->phase_at_cut == y->phase_at_cut && x->grid == y->grid &&
           (x->way == y->way || x->way == NO_WAY || y->way == NO_WAY) && x->flow == y->flow &&
           x->frame == y->frame && x->n_values == y->n_values;
}

/* Makes one value of two. Where one of them was never set, it is not set. */
static bool join_values(struct rd_execution *execution, struct value *yes, struct value no,
                        rd_term condition)
{
    if (yes->kind == VALUE_NONE || no.kind == VALUE_NONE) {
        yes->kind = VALUE_NONE;
        return true;
    }
    if (yes->kind == VALUE_ELEMENT)
        rd_become_element(execution, NULL, &no);
    else if (no.kind == VALUE_ELEMENT)
        rd_become_element(execution, NULL, yes);
    if (yes->kind != no.kind || yes->array != no.array ||
        (yes->kind == VALUE_PLACE && yes->name != no.name) || yes->stride != no.stride ||
        yes->row != no.row || yes->of != no.of)
        return false;
    if (yes->kind == VALUE_ELEMENT) {
        *yes = rd_element_choice(execution, condition, *yes, no);
        return true;
    }
    if (yes->term == no.term)
        return true;
    if (yes->kind == VALUE_PARTS)
        return rd_parts_join(execution, yes, no, condition);
    if (!yes->term || !no.term || yes->kind == VALUE_SHAPE)
        return false;
    if (yes->kind == VALUE_NUMBER) {
        yes->term = rd_value_number(execution, *yes);
        no.term = rd_value_number(execution, no);
    }
    yes->term = rd_choice(execution->terms, condition, yes->term, no.term);
    return true;
}

static bool have_same_accesses(const struct rd_kernel_access *x, const struct rd_kernel_access *y)
{
    return x->array == y->array && x->index == y->index && x->is_write == y->is_write &&
           x->is_atomic == y->is_atomic && x->value == y->value && x->path == y->path &&
           x->phase == y->phase && x->event == y->event && x->height.known == y->height.known &&
           x->height.loads == y->height.loads && x->height.cells == y->height.cells;
}

/* Puts the accesses from that one on in the order of their phases: what threads of another state wrote behind a barrier lies over what
 * those of this one wrote before it. */
static void order_by_phase(struct rd_kernel_access *accesses, size_t first, size_t count)
{
    for (size_t k = first; k < count; k++) {
        const struct rd_kernel_access access = accesses[k];
        size_t at = k;
        for (; at > first && accesses[at - 1].phase > access.phase; at--)
            accesses[at] = accesses[at - 1];
        accesses[at] = access;
    }
}

/* Adds the accesses and requirements that the other has behind those that both have. */
static void join_lists(struct rd_execution *execution, struct state *yes, const struct state *no)
{
    size_t common = 0;
    while (common < yes->n_accesses && common < no->n_accesses &&
           have_same_accesses(&yes->accesses[common], &no->accesses[common]))
        common++;
    for (size_t k = common; k < no->n_accesses; k++)
        ADD(execution, yes, accesses, no->accesses[k]);
    order_by_phase(yes->accesses, common, yes->n_accesses);
    common = 0;
    while (common < yes->n_earlier && common < no->n_earlier &&
           have_same_accesses(&yes->earlier[common], &no->earlier[common]))
        common++;
    for (size_t k = common; k < no->n_earlier; k++)
        ADD(execution, yes, earlier, no->earlier[k]);
    order_by_phase(yes->earlier, common, yes->n_earlier);
    common = 0;
    while (common < yes->n_requirements && common < no->n_requirements &&
           yes->requirements[common].path == no->requirements[common].path &&
           yes->requirements[common].condition == no->requirements[common].condition)
        common++;
    for (size_t k = common; k < no->n_requirements; k++)
        ADD(execution, yes, requirements, no->requirements[k]);
}

bool rd_state_join(struct rd_execution *execution, struct state *yes, struct state *no,
                   rd_term condition, rd_term path_before)
{
    struct rd_terms *terms = execution->terms;
    if (!is_same_place(yes, no))
        return false;
    struct state *trial = rd_state_copy(execution, yes);
    bool joins = trial != NULL;
    for (size_t k = 0; joins && k < trial->n_bindings; k++) {
        struct binding *binding = &trial->bindings[k];
        struct value other = {.kind = VALUE_NONE};
        for (size_t i = 0; i < no->n_bindings; i++)
            if (no->bindings[i].declaration == binding->declaration &&
                (i >= no->frame) == (k >= trial->frame))
                other = no->bindings[i].value;
        joins = join_values(execution, &binding->value, other, condition);
    }
    for (size_t k = 0; joins && k < trial->n_values; k++)
        joins = join_values(execution, &trial->values[k], no->values[k], condition);
    if (joins && yes->flow == FLOW_RETURNED)
        joins = join_values(execution, &trial->returned, no->returned, condition);
    if (!joins) {
        rd_state_destroy(trial);
        return false;
    }
    if (path_before && trial->path == rd_and(terms, path_before, condition) &&
        no->path == rd_and(terms, path_before, rd_not(terms, condition)))
        trial->path = path_before;
    else
        trial->path = rd_or(terms, trial->path, no->path);
    trial->control = rd_or(terms, trial->control, no->control);
    join_lists(execution, trial, no);
    trial->n_fenced = no->n_fenced < trial->n_fenced ? no->n_fenced : trial->n_fenced;
    trial->has_drawn = trial->has_drawn || no->has_drawn;
    trial->way = trial->way == NO_WAY ? no->way : trial->way;
    trial->acquired = rd_or(terms, trial->acquired, no->acquired);
    trial->acquired_is_here = trial->acquired_is_here || no->acquired_is_here;
    const struct state kept = *yes;
    *yes = *trial;
    *trial = kept;
    rd_state_destroy(trial);
    rd_state_destroy(no);
    return true;
}

void rd_states_join(struct rd_execution *execution, struct states *states)
{
    for (size_t k = 0; k < states->count; k++)
        for (size_t i = k + 1; i < states->count;) {
            struct state *yes = states->items[k], *no = states->items[i];
            if (rd_state_join(execution, yes, no, yes->path, NULL))
                states->items[i] = states->items[--states->count];
            else
                i++;
        }
}

/* ---- segments ---- */

void rd_state_record(struct rd_execution *execution, const struct state *state, struct rd_cut to,
                     rd_term lane)
{
    struct rd_segment segment = {.from = state->from,
                                 .base = state->base,
                                 .to = to,
                                 .path = state->path,
                                 .phases = state->phase,
                                 .n_accesses = state->n_accesses,
                                 .n_earlier = state->n_earlier,
                                 .n_requirements = state->n_requirements,
                                 .lane = lane};
    bool whole = true;
    segment.accesses = copy_of(state->accesses, state->n_accesses, sizeof *state->accesses, &whole);
    segment.earlier = copy_of(state->earlier, state->n_earlier, sizeof *state->earlier, &whole);
    segment.requirements =
        copy_of(state->requirements, state->n_requirements, sizeof *state->requirements, &whole);
    if (!whole)
        rd_execution_fail_memory(execution);
    ADD(execution, execution, segments, segment);
}
