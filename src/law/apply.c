// SPDX-License-Identifier: MIT
/* Moves an array on: all cells that the claims name at once, by the values before. */
#include "law/cells.h"
#include "law/lanes.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The array of a point after its last step, in one block and warp. */
struct last_state {
    struct last_state *next;
    const struct rd_law_section *section;
    int64_t block, warp;
    bool under_way;
    int64_t count;
    void *cells;
};

struct applying {
    const struct rd_law_data *data;
    const void *before; /* elem[]: the array */
    struct last_state *states;
    bool any_order;
    size_t n_inputs; /* elements of the first input, of an operation that selects */
};

static bool value_of(struct rd_law_run *run, struct applying *applying, const struct law_node *node,
                     rd_bits *value);

/* ---- reductions ---- */

struct reducing {
    struct applying *applying;
    const struct law_node *reduction;
    enum rd_operation operation;
    bool empty;
    rd_bits value;
    int64_t index; /* of what was selected */
};

/* The flat index of the first element in the term. */
static bool index_of(struct rd_law_run *run, const struct law_node *term, int64_t *index,
                     bool *found)
{
    int64_t indices[LAW_INDICES_MAX + 1];
    if (term->kind == LAW_ELEMENT && term->meaning == LAW_IS_INPUT) {
        for (size_t k = 0; k < term->n_kids; k++)
            if (!rd_law_number(run, term->kids[k], &indices[k]))
                return false;
        *found = true;
        return rd_law_flat_index(run, term, term->array, indices, index);
    }
    for (size_t k = 0; !*found && k < term->n_kids; k++)
        if (term->kids[k]->data && !index_of(run, term->kids[k], index, found))
            return false;
    return true;
}

/* Equal terms keep the lowest index. */
static bool visit_candidate(struct rd_law_run *run, struct reducing *reducing,
                            const struct law_node *term, rd_bits value)
{
    const struct rd_numeric *numeric = reducing->applying->data->numeric;
    int64_t index;
    bool found = false;
    if (!index_of(run, term, &index, &found))
        return false;
    if (!found)
        return rd_law_run_fail(run, term, "the term has no index: no input is in it");
    if (!reducing->empty && numeric->same(value, reducing->value)) {
        reducing->index = index < reducing->index ? index : reducing->index;
        return true;
    }
    if (!reducing->empty &&
        numeric->same(rd_operation_combine(reducing->operation, numeric, reducing->value, value),
                      reducing->value))
        return true;
    reducing->index = index;
    reducing->value = value;
    reducing->empty = false;
    return true;
}

static bool visit_term(struct rd_law_run *run, void *context)
{
    struct reducing *reducing = context;
    const struct law_node *term = reducing->reduction->kids[0];
    rd_bits value;
    if (!value_of(run, reducing->applying, term, &value))
        return false;
    if (rd_operation_selects(reducing->operation))
        return visit_candidate(run, reducing, term, value);
    reducing->value = rd_operation_combine(reducing->operation, reducing->applying->data->numeric,
                                           reducing->value, value);
    reducing->empty = false;
    return true;
}

/* The operation of a sum: as it is written, a sum; in a program's own sentences, the operation of its run. */
static enum rd_operation operation_of(const struct applying *applying, enum rd_operation written)
{
    const struct rd_law_data *data = applying->data;
    return written == RD_OPERATION_SUM && !data->as_written ? data->numeric->operation : written;
}

static bool of_indices(const struct applying *applying)
{
    return rd_operation_selects(applying->data->numeric->operation);
}

static const char indices_alone[] =
    "'A' holds indices of inputs: say which by 'argmin of' or 'argmax of'";

/* The index of a term; the terms are values, whatever the cells hold. */
static bool select_term(struct rd_law_run *run, struct applying *applying,
                        struct reducing *reducing, rd_bits *value)
{
    const struct rd_law_data *data = applying->data;
    struct rd_law_data of_terms = *data;
    of_terms.numeric = rd_numeric(data->numeric->type);
    of_terms.as_written = true;
    applying->data = &of_terms;
    bool done = rd_law_cases(run, reducing->reduction->binding, visit_term, reducing);
    applying->data = data;
    /* A selection of nothing is the index of no input, for which only a cell of indices has room. */
    if (done && reducing->empty)
        return rd_operation_identity(reducing->operation, data->numeric, value) ||
               rd_law_run_fail(run, reducing->reduction, "'%s' of nothing: undefined",
                               rd_operation_name(reducing->operation));
    if (done)
        *value = data->numeric->from_u64((uint64_t)reducing->index);
    return done;
}

static bool fail_operation(struct rd_law_run *run, const struct law_node *node,
                           enum rd_operation operation, const struct rd_numeric *numeric)
{
    return rd_law_run_fail(run, node, "'%s' isn't an operation of %s", rd_operation_name(operation),
                           numeric->name);
}

/* Onto *value where there is one to start from. */
static bool reduce(struct rd_law_run *run, struct applying *applying, const struct law_node *node,
                   bool onto, rd_bits *value)
{
    const struct rd_numeric *numeric = applying->data->numeric;
    const enum rd_operation operation = operation_of(applying, (enum rd_operation)node->op);
    struct reducing reducing = {.applying = applying,
                                .reduction = node,
                                .operation = operation,
                                .empty = true,
                                .value = *value};
    rd_bits identity;
    applying->any_order |= node->any_order;
    if (rd_operation_selects(operation))
        return rd_numeric_over(numeric->type, operation)
                   ? select_term(run, applying, &reducing, value)
                   : fail_operation(run, node, operation, numeric);
    if (of_indices(applying))
        return rd_law_run_fail(run, node, indices_alone);
    if (!rd_operation_identity(operation, numeric, &identity))
        return fail_operation(run, node, operation, numeric);
    if (!onto)
        reducing.value = identity;
    if (!rd_law_cases(run, node->binding, visit_term, &reducing))
        return false;
    *value = reducing.value;
    return true;
}

/* ---- arrays at the end of their steps ---- */

static bool move(struct rd_law_run *run, struct applying *applying, enum rd_law_role role,
                 void *cells);

/* From the start of a point to its last step; the run is at its first place. */
static bool run_steps(struct rd_law_run *run, struct applying *applying, struct last_state *state)
{
    const struct rd_law_section *section = state->section;
    int64_t value = 0;
    bool more = section->steps;
    if (more) {
        if (!rd_law_number(run, section->first, &value))
            return false;
        run->quantities[LAW_STEP] = value;
        run->generation++;
    }
    if (!move(run, applying, RD_LAW_START, state->cells))
        return false;
    while (more) {
        if (!rd_law_run_work(run, NULL) || !rd_law_next_step(run, value, &value, &more))
            return false;
        if (!more)
            break;
        run->quantities[LAW_STEP] = value;
        run->generation++;
        if (!move(run, applying, RD_LAW_UPDATE, state->cells))
            return false;
    }
    return true;
}

static bool make_last_state(struct rd_law_run *run, struct applying *applying,
                            struct last_state *state)
{
    const struct rd_law_place place = {.d = (uint64_t)run->quantities[LAW_D],
                                       .block = (uint64_t)state->block,
                                       .warp = (uint64_t)state->warp};
    const struct law_position position = rd_law_run_position(run);
    run->base = run->top;
    bool done = rd_law_run_go(run, state->section, &place) &&
                rd_law_count(run, state->section->array, &state->count);
    if (done) {
        if ((uint64_t)state->count > run->work_max)
            done = rd_law_run_fail(run, NULL, "takes too long: an array of %" PRId64 " cells",
                                   state->count);
        else
            state->cells = calloc((size_t)state->count + 1, applying->data->numeric->size_bytes);
        if (done && !state->cells)
            done = rd_law_run_no_memory(run);
    }
    state->under_way = true;
    done = done && run_steps(run, applying, state);
    state->under_way = false;
    rd_law_run_return(run, &position);
    return done;
}

static bool find_last_state(struct rd_law_run *run, struct applying *applying,
                            const struct law_node *node, int64_t block, int64_t warp,
                            struct last_state **found)
{
    struct last_state *state;
    for (state = applying->states; state; state = state->next) {
        if (state->section == node->section && state->block == block && state->warp == warp) {
            *found = state;
            return !state->under_way ||
                   rd_law_run_fail(run, node, "'%.40s' starts from its own end", node->point);
        }
    }
    state = calloc(1, sizeof *state);
    if (!state)
        return rd_law_run_no_memory(run);
    *state = (struct last_state){
        .next = applying->states, .section = node->section, .block = block, .warp = warp};
    applying->states = state;
    *found = state;
    return make_last_state(run, applying, state);
}

/* ---- elements ---- */

/* Its absolute value where such are asked for. */
static rd_bits magnitude(const struct applying *applying, rd_bits value)
{
    const struct rd_numeric *numeric = applying->data->numeric;
    const bool negative = applying->data->absolute && numeric->to_double(value) < 0;
    return negative ? numeric->subtract(numeric->from_u64(0), value) : value;
}

static bool last_element(struct rd_law_run *run, struct applying *applying,
                         const struct law_node *node, const int64_t *indices, rd_bits *value)
{
    const struct law_array *array = node->section->array;
    size_t before = node->n_kids - array->n_sizes;
    int64_t warp = before > 1 ? indices[1] : 0, flat = 0;
    struct last_state *state = NULL;
    if (indices[0] < 0 || warp < 0)
        return rd_law_run_fail(run, node, "a negative block or warp: undefined");
    if (!find_last_state(run, applying, node, indices[0], warp, &state))
        return false;
    /* The sizes are those at the other place; of most arrays they are the same. */
    const struct law_position position = rd_law_run_position(run);
    const struct rd_law_place place = {.block = (uint64_t)indices[0], .warp = (uint64_t)warp};
    struct rd_law_error *error = run->error;
    bool done = rd_law_run_go(run, node->section, &place);
    run->error = error;
    done = done && rd_law_flat_index(run, node, array, indices + before, &flat);
    rd_law_run_return(run, &position);
    if (!done)
        return false;
    *value = applying->data->numeric->load(state->cells, (size_t)flat);
    return true;
}

static bool element(struct rd_law_run *run, struct applying *applying, const struct law_node *node,
                    rd_bits *value)
{
    int64_t indices[LAW_INDICES_MAX + 1], flat;
    for (size_t k = 0; k < node->n_kids; k++)
        if (!rd_law_number(run, node->kids[k], &indices[k]))
            return false;
    if (node->meaning == LAW_IS_LAST_STATE)
        return last_element(run, applying, node, indices, value);
    if (!rd_law_flat_index(run, node, node->array, indices, &flat))
        return false;
    if (of_indices(applying) && node->meaning == LAW_IS_INPUT) {
        *value = (rd_bits)flat; /* the input itself is what a cell of indices names */
        return !applying->data->as_written || rd_law_run_fail(run, node, indices_alone);
    }
    const void *array = node->meaning == LAW_IS_STATE ? applying->before
                                                      : applying->data->inputs[node->array->index];
    *value = magnitude(applying, applying->data->numeric->load(array, (size_t)flat));
    return true;
}

static bool defined(struct rd_law_run *run, struct applying *applying, const struct law_node *node,
                    rd_bits *value)
{
    const struct law_node *body;
    size_t base = run->base, top = run->top;
    bool done = rd_law_enter(run, node, &body, &base, &top) && value_of(run, applying, body, value);
    rd_law_run_pop(run, base, top);
    return done || rd_law_run_fail_in_use(run, node);
}

/* ---- values ---- */

static rd_bits from_i64(const struct rd_numeric *numeric, int64_t number)
{
    if (number >= 0)
        return numeric->from_u64((uint64_t)number);
    return numeric->subtract(numeric->from_u64(0), numeric->from_u64(-(uint64_t)number));
}

static bool power(struct rd_law_run *run, const struct rd_numeric *numeric,
                  const struct law_node *node, rd_bits base, rd_bits *value)
{
    int64_t exponent;
    if (!rd_law_number(run, node->kids[1], &exponent))
        return false;
    if (exponent < 0)
        return rd_law_run_fail(run, node, "a negative exponent: undefined");
    *value = exponent > 0 ? base : numeric->from_u64(1);
    for (; exponent > 1; exponent--) {
        if (!rd_law_run_work(run, node))
            return false;
        *value = numeric->times(*value, base);
    }
    return true;
}

/* x + y, of what a sum stands for. */
static rd_bits sum_of_two(const struct applying *applying, rd_bits x, rd_bits y)
{
    const struct rd_law_data *data = applying->data;
    const struct rd_numeric *numeric = data->numeric;
    if (operation_of(applying, RD_OPERATION_SUM) == RD_OPERATION_SUM)
        return numeric->add(x, y);
    return rd_cell_combine(numeric, data->inputs[0], applying->n_inputs, x, y);
}

static bool operation(struct rd_law_run *run, struct applying *applying,
                      const struct law_node *node, rd_bits *value)
{
    const struct rd_numeric *numeric = applying->data->numeric;
    const struct law_node *right = node->kids[1];
    rd_bits x, y;
    if (!value_of(run, applying, node->kids[0], &x))
        return false;
    if (node->op == LAW_POWER)
        return power(run, numeric, node, x, value);
    if (node->op == LAW_ADD && right->kind == LAW_REDUCTION && right->op == RD_OPERATION_SUM &&
        !right->bracketed && !of_indices(applying)) {
        *value = x;
        return reduce(run, applying, right, true, value);
    }
    if (!value_of(run, applying, right, &y))
        return false;
    *value = node->op == LAW_ADD ? sum_of_two(applying, x, y)
             : node->op == LAW_SUBTRACT
                 ? (applying->data->absolute ? numeric->add : numeric->subtract)(x, y)
                 : numeric->times(x, y);
    return true;
}

static bool find_value(struct rd_law_run *run, struct applying *applying,
                       const struct law_node *node, rd_bits *value)
{
    const struct rd_numeric *numeric = applying->data->numeric;
    int64_t number;
    if (!node->data) {
        if (!rd_law_number(run, node, &number))
            return false;
        *value = magnitude(applying, from_i64(numeric, number));
        /* The sum of nothing: that of a law as it is written is 0. */
        if (node->kind != LAW_NUMBER || number != 0 ||
            operation_of(applying, RD_OPERATION_SUM) == RD_OPERATION_SUM)
            return true;
        return rd_operation_identity(numeric->operation, numeric, value) ||
               rd_law_run_fail(run, node, "'%s' of nothing: undefined",
                               rd_operation_name(numeric->operation));
    }
    if (node->meaning == LAW_IS_DEFINITION)
        return defined(run, applying, node, value);
    switch (node->kind) {
    case LAW_REDUCTION:
        *value = 0;
        return reduce(run, applying, node, false, value);
    case LAW_BINARY:
        return operation(run, applying, node, value);
    case LAW_NEGATIVE:
        if (!value_of(run, applying, node->kids[0], value))
            return false;
        if (!applying->data->absolute)
            *value = numeric->times(from_i64(numeric, -1), *value);
        return true;
    default:
        return element(run, applying, node, value);
    }
}

static bool value_of(struct rd_law_run *run, struct applying *applying, const struct law_node *node,
                     rd_bits *value)
{
    const bool done = rd_law_run_enter(run, node) && find_value(run, applying, node, value);
    rd_law_run_leave(run);
    return done;
}

/* ---- claims ---- */

struct writing {
    struct applying *applying;
    void *cells;
    unsigned char *written; /* [cells] */
};

/* Takes the value of a second claim on a cell, which keeps that of the first. */
static bool meet_claim(struct rd_law_run *run, const struct writing *writing,
                       const struct law_claimed *claimed, rd_bits value)
{
    const struct rd_law_data *data = writing->applying->data;
    const struct rd_numeric *numeric = data->numeric;
    struct rd_law_conflict *conflict = data->conflict;
    const rd_bits first = numeric->load(writing->cells, (size_t)claimed->cell);
    if (numeric->same(first, value))
        return true;
    if (data->absolute) {
        const double x = numeric->to_double(first), y = numeric->to_double(value);
        if (!isnan(x) && !(x >= y))
            numeric->store(writing->cells, (size_t)claimed->cell, value);
        return true;
    }
    if (!conflict)
        return rd_law_run_fail(run, claimed->claim->cell,
                               "two claims on '%.40s' say different things of cell %" PRId64,
                               run->section->array->name, claimed->cell);
    if (!conflict->found && (!conflict->contradicts ||
                             conflict->contradicts(conflict->self, claimed->cell, first, value))) {
        conflict->found = true;
        conflict->cell = claimed->cell;
        conflict->first = first;
        conflict->second = value;
    }
    return true;
}

static bool write_cell(struct rd_law_run *run, const struct law_claimed *claimed, void *context)
{
    const struct writing *writing = context;
    rd_bits value;
    if (claimed->outside && writing->applying->data->inside_only)
        return true;
    if (claimed->outside)
        return rd_law_run_fail(run, claimed->claim->cell, "'%.40s' has no cell %" PRId64,
                               run->section->array->name, claimed->cell);
    if (!value_of(run, writing->applying, claimed->claim->value, &value))
        return false;
    const struct rd_numeric *numeric = writing->applying->data->numeric;
    size_t cell = (size_t)claimed->cell;
    if (writing->written[cell])
        return meet_claim(run, writing, claimed, value);
    writing->written[cell] = 1;
    numeric->store(writing->cells, cell, value);
    return true;
}

/* Moves the array of the run's place on. After a failure it is as before. */
static bool move(struct rd_law_run *run, struct applying *applying, enum rd_law_role role,
                 void *cells)
{
    const struct rd_law_section *section = run->section;
    const struct law_claims *claims =
        &section->claims[section->claims[role].count > 0 ? role : RD_LAW_LAW];
    const void *outer = applying->before;
    int64_t count;
    if (!rd_law_count(run, section->array, &count))
        return false;
    size_t size_bytes = (size_t)count * applying->data->numeric->size_bytes;
    void *after = malloc(size_bytes + 1);
    if (!after)
        return rd_law_run_no_memory(run);
    unsigned char *written = calloc((size_t)count + 1, 1);
    if (!written) {
        free(after);
        return rd_law_run_no_memory(run);
    }
    memcpy(after, cells, size_bytes);
    struct writing writing = {applying, after, written};
    applying->before = cells;
    bool done = rd_law_claimed_cells(run, claims, write_cell, &writing);
    applying->before = outer;
    if (done)
        memcpy(cells, after, size_bytes);
    free(after);
    free(written);
    return done;
}

/* Finds the number of the first input's elements, for an operation that selects: its values are indices of them. */
static bool count_inputs(struct rd_law_run *run, struct applying *applying)
{
    int64_t count = 0;
    if (of_indices(applying) && run->law->n_inputs > 0 &&
        !rd_law_count(run, run->law->inputs[0], &count))
        return false;
    applying->n_inputs = (size_t)count;
    return true;
}

static bool apply_lanes(struct rd_law_run *run, struct applying *applying, enum rd_law_role role,
                        void *cells)
{
    const struct rd_law_data *data = applying->data;
    const struct lane_move move = {
        .role = role,
        .arithmetic = data->numeric->lanes,
        .operation = operation_of(applying, RD_OPERATION_SUM),
        .inputs = data->inputs,
        .n_inputs = applying->n_inputs,
        .n_blocks = data->n_blocks > 1 ? data->n_blocks : 1,
    };
    return !data->absolute && !data->one_by_one && !data->inside_only &&
           !(data->as_written && of_indices(applying)) &&
           rd_law_move_lanes(run, &move, cells, &applying->any_order);
}

enum rd_status rd_law_apply(struct rd_law_run *run, const struct rd_law_section *section,
                            enum rd_law_role role, const struct rd_law_place *place,
                            const struct rd_law_data *data, void *cells, bool *any_order,
                            struct rd_law_error *error)
{
    struct applying applying = {.data = data};
    rd_law_run_begin(run, error);
    bool done = rd_law_run_go(run, section, place) && count_inputs(run, &applying) &&
                (apply_lanes(run, &applying, role, cells) ||
                 (run->status == RD_OK && data->n_blocks > 1 &&
                  rd_law_run_fail(run, NULL, "has no form that is worked out side by side")) ||
                 (run->status == RD_OK && move(run, &applying, role, cells)));
    while (applying.states) {
        struct last_state *next = applying.states->next;
        free(applying.states->cells);
        free(applying.states);
        applying.states = next;
    }
    if (done && any_order && applying.any_order)
        *any_order = true;
    return run->status;
}
