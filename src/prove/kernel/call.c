// SPDX-License-Identifier: MIT
/* Calls of a kernel: of functions, barriers and checkpoints, and of what combines elements. */
#include "prove/kernel/loops.h"

#include <string.h>

enum { DEPTH_MAX = 20 };

void rd_synchronize(struct rd_execution *execution, struct state *state,
                    const struct rd_syntax_node *node)
{
    rd_state_require(execution, state, NULL, node, "all threads of the block come to the barrier");
    state->phase++;
    state->acquired_is_here = false;
}

static void synchronize(struct rd_execution *execution, struct states *states,
                        const struct rd_syntax_node *node)
{
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++) {
        rd_synchronize(execution, states->items[k], node);
        rd_state_push(execution, states->items[k], (struct value){.kind = VALUE_NONE});
    }
}

/* The parameters' values are on top, the last first. */
static void enter(struct rd_execution *execution, struct state *state,
                  const struct rd_syntax_function *function)
{
    struct value values[RD_PROVE_ARGUMENTS_MAX];
    for (size_t k = function->n_parameters; k-- > 0;)
        values[k] = rd_state_pop(state);
    /* The frame below is kept by its size, on the stack of values. */
    rd_state_push(execution, state,
                  (struct value){.kind = VALUE_TEXT,
                                 .term = rd_number(execution->terms, (rd_wide)state->frame)});
    state->frame = state->n_bindings;
    for (size_t k = 0; k < function->n_parameters; k++) {
        if (!rd_is_of_type(values[k], function->parameters[k]->type))
            rd_execution_fail(execution, NULL, "'%s' is called with a value of another type",
                              function->name);
        rd_state_bind(execution, state, function->parameters[k], values[k]);
    }
}

static void leave(struct rd_execution *execution, struct state *state)
{
    const struct value returned =
        state->flow == FLOW_RETURNED ? state->returned : (struct value){.kind = VALUE_NONE};
    const struct value frame = rd_state_pop(state);
    state->n_bindings = state->frame;
    state->frame = frame.term ? (size_t)frame.term->number : 0;
    state->flow = FLOW_RUNS;
    state->returned = (struct value){.kind = VALUE_NONE};
    rd_state_push(execution, state, returned);
}

bool rd_is_overloaded(const struct rd_execution *execution,
                      const struct rd_syntax_function *function)
{
    for (size_t k = 0; k < rd_syntax_function_count(execution->unit); k++) {
        const struct rd_syntax_function *other = rd_syntax_function(execution->unit, k);
        if (other != function && strcmp(other->name, function->name) == 0)
            return true;
    }
    return false;
}

static void call_function(struct rd_execution *execution, struct states *states,
                          const struct rd_syntax_node *node,
                          const struct rd_syntax_function *function)
{
    if (rd_is_overloaded(execution, function) || function->n_parameters != node->n_kids - 1 ||
        function->n_parameters > RD_PROVE_ARGUMENTS_MAX || execution->depth >= DEPTH_MAX) {
        rd_execution_fail(execution, node, "the call of '%s'", function->name);
        return;
    }
    for (size_t k = 0; k < function->n_parameters; k++)
        if (rd_may_be_reference(function->parameters[k]->type))
            rd_execution_fail(execution, node, "the call of '%s', which takes a reference",
                              function->name);
    for (size_t k = 1; k < node->n_kids; k++)
        rd_parts_argument(execution, states, node->kids[k]);
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++)
        enter(execution, states->items[k], function);
    if (!rd_execution_goes(execution))
        return;
    const rd_term control = rd_common_control(states);
    execution->depth++;
    rd_perform(execution, states, function->body);
    execution->depth--;
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++) {
        if (states->items[k]->flow == FLOW_RUNS) /* it ends without a return */
            states->items[k]->flow = FLOW_RETURNED;
    }
    if (rd_execution_goes(execution))
        rd_states_join(execution, states);
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++)
        leave(execution, states->items[k]);
    if (rd_execution_goes(execution))
        rd_restore_control(states, control);
}

/* Tells whether the path depends on loops' variables that may be others in another lane, as far as is seen: no cut fixes them. */
static bool has_loose_head(const struct rd_execution *execution, rd_term path)
{
    bool has = false;
    for (size_t k = 0; k < execution->heads.count && !has; k++) {
        has = rd_term_has(path, execution->heads.terms[k]);
        for (size_t i = 0; i < execution->fixed.count && has; i++)
            has = execution->fixed.terms[i] != execution->heads.terms[k];
    }
    return has;
}

/* A barrier of the warp, to which all its lanes come: in a loop without a cut it can't be told. What it puts in order is not seen: goals
 * of races are then of more than there is. */
static void meet_in_warp(struct rd_execution *execution, struct states *states,
                         const struct rd_syntax_node *node)
{
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++) {
        struct state *state = states->items[k];
        const char *what = "all lanes of the warp come to its barrier";
        if (has_loose_head(execution, state->path)) {
            rd_state_require(execution, state, rd_false(execution->terms), node, what);
            if (state->n_requirements > 0)
                state->requirements[state->n_requirements - 1].is_untold = true;
        } else
            rd_require_of_lanes(execution, state, node, rd_true(execution->terms), state->path,
                                what);
        rd_state_push(execution, state, rd_nothing());
    }
}

/* The operation: of elements x and y both, however often each holds the counted input. */
static void combine(struct rd_execution *execution, struct states *states,
                    const struct rd_syntax_node *node)
{
    execution->by_value = execution->by_value || strcmp(node->name, "rd_prove_combine") != 0;
    for (size_t k = 1; k < node->n_kids; k++)
        rd_evaluate(execution, states, node->kids[k]);
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++) {
        struct state *state = states->items[k];
        const struct value y = rd_state_pop(state), x = rd_state_pop(state);
        if (x.kind != VALUE_ELEMENT || y.kind != VALUE_ELEMENT) {
            rd_execution_fail(execution, node, "the operation on values that are no elements");
            return;
        }
        rd_state_push(execution, state, rd_element_sum(execution, x, y, 1));
    }
}

/* An addition whose order among those of other threads is any: the access has what is added, and the old value is not known. */
static void add_atomically(struct rd_execution *execution, struct states *states,
                           const struct rd_syntax_node *node)
{
    execution->adds = execution->adds || strcmp(node->name, "rd_prove_atomic") != 0;
    for (size_t k = 1; k < node->n_kids; k++)
        rd_evaluate(execution, states, node->kids[k]);
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++) {
        struct state *state = states->items[k];
        const struct value added = rd_state_pop(state), pointer = rd_state_pop(state);
        if (pointer.kind != VALUE_POINTER || added.kind != VALUE_ELEMENT ||
            pointer.array->is_shared) {
            rd_execution_fail(execution, node, "an atomic of such operands");
            return;
        }
        rd_state_access(
            execution, state,
            (struct rd_kernel_access){.array = pointer.array,
                                      .index = pointer.term,
                                      .is_write = true,
                                      .is_atomic = true,
                                      .value = rd_sum_of_lanes(execution, state, added.term, true),
                                      .file = node->file,
                                      .line = node->line});
        rd_state_push(execution, state, rd_nothing());
    }
}

static void push_identity(struct rd_execution *execution, struct states *states)
{
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++)
        rd_state_push(execution, states->items[k], rd_element_number(execution, 0));
}

void rd_call(struct rd_execution *execution, struct states *states,
             const struct rd_syntax_node *node)
{
    const char *called = node->name ? node->name : "a pointer";
    /* A function of the user's may have the name of one of CUDA's, but of none of the prover's own. */
    const bool is_known =
        strncmp(called, "rd_prove_", strlen("rd_prove_")) == 0 || rd_is_call_of_system(node);
    const char *name = is_known ? called : "";
    const struct rd_syntax_function *function;
    if (strcmp(name, "__syncthreads") == 0)
        synchronize(execution, states, node);
    else if (strcmp(name, "__syncwarp") == 0 && node->n_kids == 1)
        meet_in_warp(execution, states, node);
    else if (strcmp(name, "__syncthreads_or") == 0 && node->n_kids == 2)
        rd_meet_or(execution, states, node);
    else if (strcmp(name, "rd_prove_grid_sync") == 0)
        rd_meet(execution, states, node);
    else if (strcmp(name, "__threadfence") == 0)
        rd_pass_fence(execution, states, node);
    else if (strcmp(name, "atomicInc") == 0 && node->n_kids == 3)
        rd_draw_ticket(execution, states, node);
    else if (strcmp(name, "rd_prove_checkpoint") == 0)
        rd_arrive(execution, states, node, false);
    else if (strcmp(name, "rd_prove_lane") == 0)
        rd_arrive(execution, states, node, true);
    else if (strncmp(name, "rd_prove_combine", strlen("rd_prove_combine")) == 0 &&
             node->n_kids == 3)
        combine(execution, states, node);
    else if ((strcmp(name, "__shfl_down_sync") == 0 || strcmp(name, "__shfl_sync") == 0) &&
             node->n_kids == 4)
        rd_shuffle(execution, states, node);
    else if ((strcmp(name, "rd_prove_atomic") == 0 && node->n_kids == 3) ||
             rd_is_atomic_operation(execution, node))
        add_atomically(execution, states, node);
    else if (strcmp(name, "rd_prove_identity") == 0)
        push_identity(execution, states);
    else if (rd_call_selection(execution, states, node))
        return;
    else if ((function = rd_syntax_function_called(execution->unit, node)) && function->body)
        call_function(execution, states, node, function);
    else if (strncmp(name, "rd_prove_", strlen("rd_prove_")) == 0)
        rd_execution_fail(execution, node,
                          "an annotation in a kernel that stands in no block, or a second "
                          "invariant of a loop");
    else
        rd_execution_fail(execution, node, "the call of '%s'", called);
}
