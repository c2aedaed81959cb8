// SPDX-License-Identifier: MIT
/* Shuffles: a lane reads what another one holds. It is the same expression, of the other thread. */
#include "prove/state.h"

#include <string.h>

/* A mask of the first lanes: their number. NULL: another mask. */
static rd_term lanes_of(struct rd_terms *terms, rd_term mask)
{
    rd_wide number;
    if (mask->kind == RD_TERM_APPLY && strcmp(mask->name, "first lanes") == 0)
        return mask->kids[0];
    if (!rd_term_is_number(mask, &number) || number < 1 || (number & (number + 1)) != 0)
        return NULL;
    rd_wide count = 0;
    for (; number > 0; number /= 2)
        count++;
    return rd_number(terms, count);
}

/* The term of another thread of the warp: a loop's variable that no checkpoint fixes may be another there. */
static rd_term of_lane(struct rd_execution *execution, rd_term term, rd_term there)
{
    enum { MAX = 64 };
    struct rd_terms *terms = execution->terms;
    rd_term from[MAX], to[MAX];
    unsigned count = 0;
    from[count] = execution->thread;
    to[count++] = there;
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
    const rd_term there =
        rd_add(terms, rd_subtract(terms, thread, rd_mod(terms, thread, size)), other);
    if (has_rows(execution, node))
        return;
    rd_term_list_add(terms, &execution->heads, other);
    const rd_term in_block = rd_less(terms, there, execution->threads);
    state->path = rd_and(terms, path, rd_within(terms, rd_number(terms, 0), other, size));
    rd_state_require(
        execution, state,
        rd_implies(terms, in_block, of_lane(execution, rd_implies(terms, given, condition), there)),
        node, what);
    state->path = path;
}

/* Each lane of the mask must come here, with the same mask: it is a thread of the block, stands in the same branches, and has come the same way. */
static void require_lanes(struct rd_execution *execution, struct state *state,
                          const struct rd_syntax_node *node, rd_term lanes)
{
    struct rd_terms *terms = execution->terms;
    const rd_term thread = execution->thread, warp_size = rd_number(terms, 32),
                  zero = rd_number(terms, 0), path = state->path;
    const rd_term lane = rd_mod(terms, thread, warp_size);
    const rd_term other = rd_constant(terms, rd_terms_text(terms, "lane@%u", execution->fresh++));
    const rd_term there = rd_add(terms, rd_subtract(terms, thread, lane), other);
    rd_term_list_add(terms, &execution->heads, other);
    const rd_term comes =
        rd_and(terms, of_lane(execution, rd_and(terms, state->control, path), there),
               rd_equal(terms, lanes, of_lane(execution, lanes, there)));
    state->path = rd_and(terms, path, rd_within(terms, zero, other, lanes));
    rd_state_require(execution, state,
                     rd_and(terms, rd_less(terms, there, execution->threads), comes), node,
                     "each lane of a shuffle's mask comes to it");
    state->path = path;
    rd_state_require(
        execution, state,
        rd_and(terms, rd_less(terms, lane, lanes), rd_at_most(terms, lanes, warp_size)), node,
        "a lane that shuffles is in the mask");
}

void rd_shuffle_down(struct rd_execution *execution, struct states *states,
                     const struct rd_syntax_node *node)
{
    struct rd_terms *terms = execution->terms;
    if (has_rows(execution, node))
        return;
    for (size_t k = 1; k < node->n_kids; k++)
        rd_evaluate(execution, states, node->kids[k]);
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++) {
        struct state *state = states->items[k];
        const struct value delta = rd_state_pop(state), own = rd_state_pop(state),
                           mask = rd_state_pop(state);
        const rd_term lanes =
            mask.kind == VALUE_NUMBER ? lanes_of(terms, rd_value_number(execution, mask)) : NULL;
        if (!lanes || own.kind != VALUE_ELEMENT || delta.kind != VALUE_NUMBER) {
            rd_execution_fail(execution, node, "a shuffle of such a mask");
            return;
        }
        const rd_term thread = execution->thread, by = rd_value_number(execution, delta),
                      lane = rd_mod(terms, thread, rd_number(terms, 32));
        const rd_term read = rd_add(terms, lane, by), there = rd_add(terms, thread, by);
        const rd_term in_warp = rd_less(terms, read, rd_number(terms, 32));
        require_lanes(execution, state, node, lanes);
        rd_state_require(execution, state, rd_implies(terms, in_warp, rd_less(terms, read, lanes)),
                         node, "a lane that is read is in the mask");
        const rd_term other = of_lane(execution, own.term, there);
        struct value read_value = rd_element_value(rd_choice(terms, in_warp, other, own.term));
        read_value.height = own.height;
        rd_state_push(execution, state, read_value);
    }
}
