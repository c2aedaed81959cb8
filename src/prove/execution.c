// SPDX-License-Identifier: MIT
#include "prove/execution.h"
#include "prove/state.h"

#include <stdlib.h>

static void bind_arguments(struct rd_execution *execution, struct state *state,
                           const struct rd_syntax_function *kernel,
                           const struct rd_argument *arguments)
{
    struct rd_terms *terms = execution->terms;
    for (size_t k = 0; k < kernel->n_parameters; k++) {
        const struct rd_argument *argument = &arguments[k];
        struct value value = {.kind = argument->array ? VALUE_POINTER : VALUE_NUMBER,
                              .term = argument->number ? argument->number : rd_number(terms, 0),
                              .array = argument->array};
        const struct rd_syntax_type *type = kernel->parameters[k]->type;
        if (argument->array ? !type || type->kind != RD_SYNTAX_POINTER || !type->of ||
                                  (type->of->kind != RD_SYNTAX_FLOAT &&
                                   !(execution->of_any_type && type->of->kind == RD_SYNTAX_INTEGER))
                            : !type || type->kind != RD_SYNTAX_INTEGER)
            rd_execution_fail(execution, NULL, "the parameter '%s' of such a type",
                              kernel->parameters[k]->name);
        else if (!argument->array)
            rd_require_range(
                execution, state, argument->number, type,
                rd_terms_text(terms, "the argument fits in '%s'", kernel->parameters[k]->name),
                kernel->parameters[k]->line);
        rd_state_bind(execution, state, kernel->parameters[k], value);
    }
}

bool rd_execute(struct rd_execution *execution, const struct rd_syntax_function *kernel,
                size_t n_arguments, const struct rd_argument *arguments)
{
    struct states states = {0};
    struct state *state = rd_state_create(execution);
    if (!state)
        return false;
    if (rd_is_overloaded(execution, kernel))
        rd_execution_fail(execution, NULL, "more than one function is named '%s'", kernel->name);
    if (n_arguments != kernel->n_parameters) {
        rd_execution_fail(execution, NULL, "'%s' is launched with %zu arguments and takes %zu",
                          kernel->name, n_arguments, kernel->n_parameters);
        rd_state_destroy(state);
        return false;
    }
    bind_arguments(execution, state, kernel, arguments);
    rd_states_add(execution, &states, state);
    rd_perform(execution, &states, kernel->body);
    for (size_t k = 0; k < states.count && rd_execution_goes(execution); k++)
        states.items[k]->flow = FLOW_RETURNED;
    if (rd_execution_goes(execution))
        rd_states_join(execution, &states);
    for (size_t k = 0; k < states.count && rd_execution_goes(execution); k++)
        rd_state_record(execution, states.items[k], (struct rd_cut){.point = NULL}, NULL);
    rd_states_finish(&states);
    return rd_execution_goes(execution);
}

void rd_execution_finish(struct rd_execution *execution)
{
    for (size_t k = 0; k < execution->n_segments; k++) {
        free(execution->segments[k].accesses);
        free(execution->segments[k].requirements);
    }
    free(execution->segments);
    for (size_t k = 0; k < execution->n_shared; k++)
        free(execution->shared[k]);
    free(execution->shared);
    rd_term_list_finish(&execution->heads);
    rd_term_list_finish(&execution->fixed);
    rd_term_list_finish(&execution->head_ranges);
    execution->segments = NULL;
    execution->shared = NULL;
    execution->n_segments = execution->segments_capacity = execution->n_shared = 0;
}
