// SPDX-License-Identifier: MIT
#include "prove/kernel/execution.h"
#include "prove/kernel/state.h"

#include <stdlib.h>

static bool may_point_to(const struct rd_execution *execution, const struct rd_prove_array *array,
                         const struct rd_syntax_type *type)
{
    const struct rd_syntax_type *of = type && type->kind == RD_SYNTAX_POINTER ? type->of : NULL;
    if (of && array->is_ticket)
        return of->kind == RD_SYNTAX_INTEGER && of->bits == 32 && !of->is_signed;
    return of && (of->kind == RD_SYNTAX_FLOAT ||
                  (execution->of_any_type && of->kind == RD_SYNTAX_INTEGER));
}

static struct value float_value(struct rd_execution *execution, rd_term term)
{
    rd_wide number;
    return term && rd_term_is_number(term, &number) && execution->operation == RD_OPERATION_SUM
               ? rd_element_stated(execution, NULL, number)
               : rd_nothing();
}

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
        if (argument->is_float) {
            rd_state_bind(execution, state, kernel->parameters[k],
                          float_value(execution, argument->number));
            continue;
        }
        if (argument->array ? !may_point_to(execution, argument->array, type)
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

unsigned rd_thread_names(const struct rd_execution *execution, rd_term names[RD_THREAD_NAMES_MAX])
{
    const rd_term all[] = {execution->block, execution->thread, execution->y.block,
                           execution->y.thread};
    unsigned count = 0;
    for (unsigned k = 0; k < RD_THREAD_NAMES_MAX; k++)
        if (all[k])
            names[count++] = all[k];
    return count;
}

bool rd_is_of_thread(const struct rd_execution *execution, rd_term term)
{
    return rd_term_has(term, execution->thread) ||
           (execution->y.thread && rd_term_has(term, execution->y.thread));
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
        free(execution->segments[k].earlier);
        free(execution->segments[k].requirements);
    }
    free(execution->segments);
    for (size_t k = 0; k < execution->n_shared; k++)
        free(execution->shared[k]);
    free(execution->shared);
    free(execution->published);
    free(execution->trips);
    free(execution->ways);
    rd_term_list_finish(&execution->heads);
    rd_term_list_finish(&execution->fixed);
    rd_term_list_finish(&execution->head_ranges);
    execution->segments = NULL;
    execution->shared = NULL;
    execution->published = NULL;
    execution->ways = NULL;
    execution->n_published = execution->n_ways = 0;
    execution->n_segments = execution->segments_capacity = execution->n_shared = 0;
}
