// SPDX-License-Identifier: MIT
/* Shuffles: a lane reads what another one holds. It is the same expression, of the other thread. */
#include "prove/kernel/state.h"

#include <string.h>

/* Lanes of a mask: so many, from the first on. */
struct lanes {
    rd_term first, count;
};

static bool is_call_of(rd_term term, const char *name)
{
    return term->kind == RD_TERM_APPLY && strcmp(term->name, name) == 0;
}

/* False of masks of lanes that aren't side by side, and of those that can't be told. */
static bool find_lanes(struct rd_terms *terms, rd_term mask, struct lanes *lanes)
{
    rd_wide number, first = 0, count = 0;
    *lanes = (struct lanes){.first = rd_number(terms, 0)};
    if (is_call_of(mask, "first lanes") || is_call_of(mask, "lanes from")) {
        lanes->count = mask->kids[0];
        if (mask->n_kids > 1)
            lanes->first = mask->kids[1];
        return true;
    }
    if (!rd_term_is_number(mask, &number) || number < 1)
        return false;
    for (; number % 2 == 0; number /= 2)
        first++;
    for (; number % 2 == 1; number /= 2)
        count++;
    lanes->first = rd_number(terms, first);
    lanes->count = rd_number(terms, count);
    return number == 0;
}

rd_term rd_shifted_lanes(struct rd_execution *execution, struct state *state,
                         const struct rd_syntax_node *node, rd_term mask, rd_term by)
{
    struct rd_terms *terms = execution->terms;
    struct lanes lanes;
    if (!is_call_of(mask, "first lanes") && !is_call_of(mask, "lanes from"))
        return NULL;
    find_lanes(terms, mask, &lanes);
    const rd_term of[] = {lanes.count, rd_add(terms, lanes.first, by)};
    rd_state_require(execution, state,
                     rd_within(terms, rd_number(terms, 0), by, rd_number(terms, 32)), node,
                     "a shift is by less than the bits of its type");
    rd_state_require(execution, state,
                     rd_at_most(terms, rd_add(terms, of[0], of[1]), rd_number(terms, 32)), node,
                     "a mask that is shifted loses no lane");
    return rd_apply(terms, "lanes from", 2, of);
}

/* The term of another thread of the warp: a loop's variable that no checkpoint fixes may be another there. */
static rd_term of_lane(struct rd_execution *execution, rd_term term, rd_term source_thread)
{
    enum { MAX = 64 };
    struct rd_terms *terms = execution->terms;
    rd_term from[MAX], to[MAX];
    unsigned count = 0;
    from[count] = execution->thread;
    to[count++] = source_thread;
    for (size_t k = 0, n = execution->heads.count; k < n; k++) {
        const rd_term head = execution->heads.terms[k];
        bool fixed = !rd_term_has(term, head);
        for (size_t i = 0; i < execution->fixed.count; i++)
            fixed = fixed || execution->fixed.terms[i] == head;
        if (fixed)
            continue;
        if (count == MAX) {
            rd_execution_fail(execution, NULL, "more loops than a shuffle takes");
            return term;
        }
        from[count] = head;
        to[count] = rd_constant(
            terms, rd_terms_text(terms, "%s of a lane@%u", head->name, execution->fresh++));
        rd_term_list_add(terms, &execution->heads, to[count++]);
    }
    return rd_replace(terms, term, count, from, to);
}

/* Warps of a block with rows are not modelled here. */
static bool has_rows(struct rd_execution *execution, const struct rd_syntax_node *node)
{
    if (execution->y.thread)
        rd_execution_fail(execution, node, "lanes of a block of two dimensions");
    return execution->y.thread != NULL;
}

void rd_require_of_lanes(struct rd_execution *execution, struct state *state,
                         const struct rd_syntax_node *node, rd_term given, rd_term condition,
                         const char *what)
{
    struct rd_terms *terms = execution->terms;
    const rd_term thread = execution->thread, size = rd_number(terms, 32), path = state->path,
                  other = rd_constant(terms, rd_terms_text(terms, "lane@%u", execution->fresh++));
    const rd_term source_thread =
        rd_add(terms, rd_subtract(terms, thread, rd_mod(terms, thread, size)), other);
    if (has_rows(execution, node))
        return;
    rd_term_list_add(terms, &execution->heads, other);
    const rd_term in_block = rd_less(terms, source_thread, execution->threads);
    state->path = rd_and(terms, path, rd_within(terms, rd_number(terms, 0), other, size));
    rd_state_require(
        execution, state,
        rd_implies(terms, in_block,
                   of_lane(execution, rd_implies(terms, given, condition), source_thread)),
        node, what);
    state->path = path;
}

/* Each lane of the mask must come here, with the same mask: it is a thread of the block, stands in the same branches,
 * and has come the same way. */
static void require_lanes(struct rd_execution *execution, struct state *state,
                          const struct rd_syntax_node *node, struct lanes lanes)
{
    struct rd_terms *terms = execution->terms;
    const rd_term thread = execution->thread, warp_size = rd_number(terms, 32), path = state->path,
                  end = rd_add(terms, lanes.first, lanes.count);
    const rd_term lane = rd_mod(terms, thread, warp_size);
    const rd_term other = rd_constant(terms, rd_terms_text(terms, "lane@%u", execution->fresh++));
    const rd_term source_thread = rd_add(terms, rd_subtract(terms, thread, lane), other);
    rd_term_list_add(terms, &execution->heads, other);
    const rd_term is_same =
        rd_and(terms, rd_equal(terms, lanes.count, of_lane(execution, lanes.count, source_thread)),
               rd_equal(terms, lanes.first, of_lane(execution, lanes.first, source_thread)));
    const rd_term comes = rd_and(
        terms, of_lane(execution, rd_and(terms, state->control, path), source_thread), is_same);
    state->path = rd_and(terms, path, rd_within(terms, lanes.first, other, end));
    rd_state_require(execution, state,
                     rd_and(terms, rd_less(terms, source_thread, execution->threads), comes), node,
                     "each lane of a shuffle's mask comes to it");
    state->path = path;
    rd_state_require(
        execution, state,
        rd_and(terms, rd_within(terms, lanes.first, lane, end), rd_at_most(terms, end, warp_size)),
        node, "a lane that shuffles is in the mask");
}

/* What another lane holds, of the warp's that the mask names: it is given, or lies by so many further up. */
static rd_term read_lane(struct rd_execution *execution, struct state *state,
                         const struct rd_syntax_node *node, struct lanes lanes, rd_term own,
                         rd_term operand, bool is_down)
{
    struct rd_terms *terms = execution->terms;
    const rd_term thread = execution->thread, size = rd_number(terms, 32),
                  lane = rd_mod(terms, thread, size),
                  read = is_down ? rd_add(terms, lane, operand) : operand,
                  source_thread =
                      is_down ? rd_add(terms, thread, operand)
                              : rd_add(terms, rd_multiply(terms, size, rd_div(terms, thread, size)),
                                       read);
    const rd_term in_warp = is_down ? rd_less(terms, read, size) : rd_true(terms);
    require_lanes(execution, state, node, lanes);
    rd_state_require(
        execution, state,
        rd_implies(terms, in_warp,
                   rd_within(terms, lanes.first, read, rd_add(terms, lanes.first, lanes.count))),
        node, "a lane that is read is in the mask");
    if (is_down)
        rd_state_require(execution, state, rd_within(terms, rd_number(terms, 0), operand, size),
                         node, "a shuffle is by less than a warp");
    if (is_down)
        return rd_choice(terms, in_warp, of_lane(execution, own, source_thread), own);
    /* By that goal it is the lane's number in its warp, which is this thread's. */
    const rd_term warp = rd_div(terms, thread, size), of_thread[] = {lane, warp},
                  name[] = {rd_constant(terms, "its lane"), rd_constant(terms, "its warp")},
                  is[] = {read, warp};
    own = of_lane(execution, rd_replace(terms, own, 2, of_thread, name), source_thread);
    return rd_replace(terms, own, 2, name, is);
}

void rd_shuffle(struct rd_execution *execution, struct states *states,
                const struct rd_syntax_node *node)
{
    struct rd_terms *terms = execution->terms;
    const bool is_down = strcmp(node->name, "__shfl_down_sync") == 0;
    if (has_rows(execution, node))
        return;
    for (size_t k = 1; k < node->n_kids; k++)
        rd_evaluate(execution, states, node->kids[k]);
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++) {
        struct state *state = states->items[k];
        const struct value operand = rd_state_pop(state), own = rd_state_pop(state),
                           mask = rd_state_pop(state);
        struct lanes lanes;
        if (mask.kind != VALUE_NUMBER || own.kind != VALUE_ELEMENT ||
            operand.kind != VALUE_NUMBER ||
            !find_lanes(terms, rd_value_number(execution, mask), &lanes)) {
            rd_execution_fail(execution, node, "a shuffle of such a mask");
            return;
        }
        execution->subtracts = execution->subtracts || own.is_difference;
        struct value read_value = rd_element_value(read_lane(
            execution, state, node, lanes, own.term, rd_value_number(execution, operand), is_down));
        read_value.height = own.height;
        rd_state_push(execution, state, read_value);
    }
}
