// SPDX-License-Identifier: MIT
/* Statements and calls of a kernel. */
#include "prove/state.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 20 };

/* ---- forks ---- */

void rd_fork(struct rd_execution *execution, struct states *states, struct states *others,
             rd_term condition_of[STATES_MAX])
{
    struct rd_terms *terms = execution->terms;
    struct states kept = {0};
    for (size_t k = 0; k < states->count; k++) {
        struct state *state = states->items[k];
        const rd_term condition = rd_value_condition(execution, rd_state_pop(state)),
                      path = state->path;
        const rd_term yes = rd_and(terms, path, condition),
                      no = rd_and(terms, path, rd_not(terms, condition));
        if (no->kind != RD_TERM_FALSE) {
            struct state *other =
                yes->kind == RD_TERM_FALSE ? state : rd_state_copy(execution, state);
            if (other)
                other->path = no;
            rd_states_add(execution, others, other);
        }
        if (yes->kind != RD_TERM_FALSE) {
            state->path = yes;
            if (condition_of)
                condition_of[kept.count] = condition;
            rd_states_add(execution, &kept, state);
        } else if (no->kind == RD_TERM_FALSE) {
            rd_state_destroy(state);
        }
    }
    *states = kept;
}

/* ---- if ---- */

/* Executes a branch in the states that still run; the others wait. */
static void perform_running(struct rd_execution *execution, struct states *states,
                            const struct rd_syntax_node *node)
{
    struct states running = {0}, others = {0};
    for (size_t k = 0; k < states->count; k++)
        rd_states_add(execution, states->items[k]->flow == FLOW_RUNS ? &running : &others,
                      states->items[k]);
    states->count = 0;
    if (node && running.count > 0)
        rd_perform(execution, &running, node);
    rd_states_move(execution, states, &running);
    rd_states_move(execution, states, &others);
}

/* In a branch the state stands in what its path has more than before. */
static void set_control(struct rd_execution *execution, struct states *branch, rd_term control,
                        rd_term before)
{
    struct rd_terms *terms = execution->terms;
    for (size_t k = 0; k < branch->count; k++) {
        const rd_term path = branch->items[k]->path;
        unsigned count;
        const rd_term *parts = rd_term_conjuncts(&path, &count);
        branch->items[k]->control = control;
        for (unsigned i = 0; i < count; i++)
            if (rd_and(terms, before, parts[i]) != before)
                branch->items[k]->control = rd_and(terms, branch->items[k]->control, parts[i]);
    }
}

/* What all states stand in; NULL where they differ. */
rd_term rd_common_control(const struct states *states)
{
    for (size_t k = 1; k < states->count; k++)
        if (states->items[k]->control != states->items[0]->control)
            return NULL;
    return states->count > 0 ? states->items[0]->control : NULL;
}

void rd_restore_control(struct states *states, rd_term control)
{
    for (size_t k = 0; k < states->count && control; k++)
        if (states->items[k] && states->items[k]->flow == FLOW_RUNS)
            states->items[k]->control = control;
}

/* Each state forks by itself, so that its branches can be joined again. */
static void perform_if(struct rd_execution *execution, struct states *states,
                       const struct rd_syntax_node *node)
{
    struct states all = {0};
    rd_evaluate(execution, states, node->kids[0]);
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++) {
        struct states yes = {.count = 1, .items = {states->items[k]}}, no = {0};
        rd_term condition[STATES_MAX];
        const rd_term before = states->items[k]->path;
        states->items[k] = NULL;
        const rd_term control = yes.items[0]->control;
        rd_fork(execution, &yes, &no, condition);
        set_control(execution, &yes, control, before);
        set_control(execution, &no, control, before);
        if (yes.count > 0)
            perform_running(execution, &yes, node->kids[1]);
        if (no.count > 0 && node->n_kids > 2)
            perform_running(execution, &no, node->kids[2]);
        if (rd_execution_goes(execution) && yes.count == 1 && no.count == 1 &&
            rd_state_join(execution, yes.items[0], no.items[0], condition[0], before)) {
            no.count = 0;
            yes.items[0]->control = control;
        }
        rd_states_move(execution, &all, &yes);
        rd_states_move(execution, &all, &no);
    }
    rd_states_finish(states);
    rd_states_move(execution, states, &all);
}

/* ---- declarations ---- */

static struct rd_prove_array *add_shared(struct rd_execution *execution, const char *name,
                                         rd_term size)
{
    for (size_t k = 0; k < execution->n_shared; k++)
        if (strcmp(execution->shared[k]->name, name) == 0) {
            if (execution->shared[k]->size != size)
                rd_execution_fail(execution, NULL, "two arrays '%s' in shared memory", name);
            return execution->shared[k];
        }
    struct rd_prove_array *array = calloc(1, sizeof *array);
    struct rd_prove_array **grown =
        realloc(execution->shared, (execution->n_shared + 1) * sizeof(struct rd_prove_array *));
    if (grown)
        execution->shared = grown;
    if (!array || !grown) {
        free(array);
        rd_execution_fail_memory(execution);
        return NULL;
    }
    *array = (struct rd_prove_array){.name = name, .is_shared = true, .size = size, .input = -1};
    return execution->shared[execution->n_shared++] = array;
}

/* All that are declared are one: they would lie in each other. */
static void check_dynamic(struct rd_execution *execution, const char *name)
{
    if (!execution->dynamic_name)
        execution->dynamic_name = name;
    if (strcmp(execution->dynamic_name, name) != 0)
        rd_execution_fail(execution, NULL, "'%s' and '%s' are the same memory",
                          execution->dynamic_name, name);
}

static void declare_shared(struct rd_execution *execution, struct states *states,
                           const struct rd_syntax_node *node)
{
    const struct rd_syntax_declaration *declaration = node->declaration;
    const bool dynamic =
        declaration->type->kind == RD_SYNTAX_POINTER || declaration->type->length == 0;
    struct value value = {
        .kind = VALUE_POINTER,
        .term = rd_number(execution->terms, 0),
        .array =
            add_shared(execution, declaration->name,
                       dynamic ? execution->dynamic_size
                               : rd_number(execution->terms, (rd_wide)declaration->type->length)),
    };
    if (dynamic)
        check_dynamic(execution, declaration->name);
    if (declaration->type->of && declaration->type->of->kind != RD_SYNTAX_FLOAT)
        rd_execution_fail(execution, node, "shared memory of other than elements");
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++)
        rd_state_bind(execution, states->items[k], declaration, value);
}

static void declare(struct rd_execution *execution, struct states *states,
                    const struct rd_syntax_node *node)
{
    const struct rd_syntax_declaration *declaration = node->declaration;
    if (declaration->is_shared) {
        declare_shared(execution, states, node);
        return;
    }
    if (declaration->is_static || declaration->is_extern || !declaration->type ||
        declaration->type->kind == RD_SYNTAX_ARRAY || declaration->type->kind == RD_SYNTAX_RECORD) {
        rd_execution_fail(execution, node, "the variable '%s' of such a type", declaration->name);
        return;
    }
    if (node->n_kids > 0)
        rd_evaluate(execution, states, node->kids[0]);
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++) {
        struct value value = {.kind = VALUE_NONE};
        if (node->n_kids > 0)
            value = rd_state_pop(states->items[k]);
        rd_state_bind(execution, states->items[k], declaration, value);
    }
}

/* ---- calls ---- */

static void synchronize(struct rd_execution *execution, struct states *states,
                        const struct rd_syntax_node *node)
{
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++) {
        struct state *state = states->items[k];
        rd_state_require(execution, state, NULL, node,
                         "all threads of the block come to the barrier");
        state->phase++;
        rd_state_push(execution, state, (struct value){.kind = VALUE_NONE});
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
    for (size_t k = 0; k < function->n_parameters; k++)
        rd_state_bind(execution, state, function->parameters[k], values[k]);
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

static bool is_overloaded(const struct rd_execution *execution,
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
    if (is_overloaded(execution, function) || function->n_parameters != node->n_kids - 1 ||
        function->n_parameters > RD_PROVE_ARGUMENTS_MAX || execution->depth >= DEPTH_MAX) {
        rd_execution_fail(execution, node, "the call of '%s'", function->name);
        return;
    }
    for (size_t k = 1; k < node->n_kids; k++)
        rd_evaluate(execution, states, node->kids[k]);
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
            rd_execution_fail(execution, node, "the operation of what are no elements");
            return;
        }
        rd_state_push(execution, state,
                      (struct value){.kind = VALUE_ELEMENT,
                                     .term = rd_add(execution->terms, x.term, y.term)});
    }
}

static void push_identity(struct rd_execution *execution, struct states *states)
{
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++)
        rd_state_push(
            execution, states->items[k],
            (struct value){.kind = VALUE_ELEMENT, .term = rd_number(execution->terms, 0)});
}

void rd_call(struct rd_execution *execution, struct states *states,
             const struct rd_syntax_node *node)
{
    const char *name = node->name ? node->name : "";
    const struct rd_syntax_function *function;
    if (strcmp(name, "__syncthreads") == 0)
        synchronize(execution, states, node);
    else if (strcmp(name, "rd_prove_checkpoint") == 0)
        rd_arrive(execution, states, node, false);
    else if (strcmp(name, "rd_prove_lane") == 0)
        rd_arrive(execution, states, node, true);
    else if (strncmp(name, "rd_prove_combine", strlen("rd_prove_combine")) == 0 &&
             node->n_kids == 3)
        combine(execution, states, node);
    else if (strcmp(name, "__shfl_down_sync") == 0 && node->n_kids == 4)
        rd_shuffle_down(execution, states, node);
    else if (strcmp(name, "rd_prove_identity") == 0)
        push_identity(execution, states);
    else if ((function = rd_syntax_function_named(execution->unit, name)) && function->body)
        call_function(execution, states, node, function);
    else
        rd_execution_fail(execution, node, "the call of '%s'", *name ? name : "a pointer");
}

/* ---- statements ---- */

static void perform_return(struct rd_execution *execution, struct states *states,
                           const struct rd_syntax_node *node)
{
    if (node->n_kids > 0)
        rd_evaluate(execution, states, node->kids[0]);
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++) {
        struct state *state = states->items[k];
        if (node->n_kids > 0)
            state->returned = rd_state_pop(state);
        state->flow = FLOW_RETURNED;
    }
}

void rd_perform(struct rd_execution *execution, struct states *states,
                const struct rd_syntax_node *node)
{
    if (!rd_execution_goes(execution))
        return;
    switch (node->kind) {
    case RD_SYNTAX_BLOCK:
        for (size_t k = 0; k < node->n_kids && rd_execution_goes(execution); k++)
            perform_running(execution, states, node->kids[k]);
        return;
    case RD_SYNTAX_DECLARE:
        declare(execution, states, node);
        return;
    case RD_SYNTAX_IF:
        perform_if(execution, states, node);
        return;
    case RD_SYNTAX_FOR:
    case RD_SYNTAX_WHILE:
    case RD_SYNTAX_DO:
        rd_perform_loop(execution, states, node);
        return;
    case RD_SYNTAX_RETURN:
        perform_return(execution, states, node);
        return;
    case RD_SYNTAX_BREAK:
    case RD_SYNTAX_CONTINUE:
        rd_execution_fail(execution, node, "a '%s'",
                          node->kind == RD_SYNTAX_BREAK ? "break" : "continue");
        return;
    case RD_SYNTAX_EMPTY:
        return;
    case RD_SYNTAX_OTHER:
        rd_execution_fail(execution, node, "%s", node->name ? node->name : "such a statement");
        return;
    default:
        rd_evaluate(execution, states, node);
        for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++)
            rd_state_pop(states->items[k]);
    }
}

/* ---- a kernel ---- */

static void bind_arguments(struct rd_execution *execution, struct state *state,
                           const struct rd_syntax_function *kernel,
                           const struct rd_argument *arguments)
{
    struct rd_terms *terms = execution->terms;
    for (size_t k = 0; k < kernel->n_parameters; k++) {
        const struct rd_argument *argument = &arguments[k];
        struct value value = {.kind = argument->array ? VALUE_POINTER : VALUE_NUMBER,
                              .term = argument->array ? rd_number(terms, 0) : argument->number,
                              .array = argument->array};
        const struct rd_syntax_type *type = kernel->parameters[k]->type;
        if (argument->array ? !type || type->kind != RD_SYNTAX_POINTER || !type->of ||
                                  type->of->kind != RD_SYNTAX_FLOAT
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
    if (is_overloaded(execution, kernel))
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
    rd_term_list_finish(&execution->head_ranges);
    execution->segments = NULL;
    execution->shared = NULL;
    execution->n_segments = execution->segments_capacity = execution->n_shared = 0;
}
