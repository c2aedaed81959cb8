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

/* Each lane of the mask must come here: it is a thread of the block, and stands in the same branches. */
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
    state->path = rd_and(terms, path, rd_within(terms, zero, other, lanes));
    rd_state_require(execution, state,
                     rd_and(terms, rd_less(terms, there, execution->threads),
                            rd_replace(terms, state->control, 1, &thread, &there)),
                     node, "each lane of a shuffle's mask comes to it");
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
        const rd_term other = rd_replace(terms, own.term, 1, &thread, &there);
        rd_state_push(execution, state,
                      (struct value){.kind = VALUE_ELEMENT,
                                     .term = rd_choice(terms, in_warp, other, own.term)});
    }
}
