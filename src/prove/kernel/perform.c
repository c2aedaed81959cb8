// SPDX-License-Identifier: MIT
/* Statements of a kernel. */
#include "prove/kernel/loops.h"

#include <stdlib.h>
#include <string.h>

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

/* Sets the branches that the states stand in: those from before, and what their paths have more since then. */
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

const struct rd_syntax_node *rd_guarded_lane(const struct rd_syntax_node *node)
{
    const struct rd_syntax_node *branch = node->kind == RD_SYNTAX_IF ? node->kids[1] : node;
    if (node->kind != RD_SYNTAX_IF || node->n_kids != 2 || rd_sets(node->kids[0]))
        return NULL;
    while (branch->kind == RD_SYNTAX_BLOCK && branch->n_kids == 1)
        branch = branch->kids[0];
    return branch->kind == RD_SYNTAX_CALL && branch->name &&
                   strcmp(branch->name, "rd_prove_lane") == 0
               ? branch
               : NULL;
}

/* A loop's checkpoint that only some trips come to, for all threads alike: what the law says there is asked of each
 * trip, which is more. */
static void perform_guarded(struct rd_execution *execution, struct states *states,
                            const struct rd_syntax_node *node)
{
    rd_evaluate(execution, states, node->kids[0]);
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++)
        if (rd_is_of_thread(execution,
                            rd_value_condition(execution, rd_state_pop(states->items[k]))))
            rd_execution_fail(execution, node, "a checkpoint to which some threads come");
    rd_perform(execution, states, node->kids[1]);
}

/* Each state forks by itself, so that its branches can be joined again. */
static void perform_if(struct rd_execution *execution, struct states *states,
                       const struct rd_syntax_node *node)
{
    struct states all = {0};
    if (rd_perform_selection(execution, states, node))
        return;
    if (execution->loop && rd_guarded_lane(node)) {
        perform_guarded(execution, states, node);
        return;
    }
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

enum { SHARED_CELLS_MAX = 1 << 20 };

/* All that are dynamic are one. */
static struct rd_prove_array *add_shared(struct rd_execution *execution,
                                         const struct rd_syntax_declaration *declaration,
                                         bool is_dynamic, rd_term size)
{
    const char *name = declaration->name;
    const struct rd_syntax_declaration *of = is_dynamic ? NULL : declaration;
    for (size_t k = 0; k < execution->n_shared; k++) {
        struct rd_prove_array *known = execution->shared[k];
        if (known->declaration == of && known->size == size)
            return known;
        if (strcmp(known->name, name) == 0)
            rd_execution_fail(execution, NULL, "two arrays '%s' in shared memory", name);
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
    *array = (struct rd_prove_array){
        .name = name, .is_shared = true, .declaration = of, .size = size, .input = -1};
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

/* In elements of the array that is declared there. */
static rd_term dynamic_size(struct rd_execution *execution, const struct rd_syntax_node *node)
{
    const struct rd_syntax_type *of = node->declaration->type->of;
    if (!execution->dynamic_bytes)
        return execution->dynamic_size;
    if (of && of->bits >= 8)
        return rd_div(execution->terms, execution->dynamic_bytes,
                      rd_number(execution->terms, of->bits / 8));
    rd_execution_fail(execution, node,
                      of ? "shared memory whose elements are of an unknown size"
                         : "a shared variable that is no array");
    return rd_number(execution->terms, 0);
}

struct value rd_shared_value(struct rd_execution *execution, const struct rd_syntax_node *node)
{
    const struct rd_syntax_declaration *declaration = node->declaration;
    const struct rd_syntax_type *of = declaration->type->of, *element = rd_type_element(of);
    const bool dynamic =
        declaration->type->kind == RD_SYNTAX_POINTER || declaration->type->length == 0;
    const uint64_t width = rd_type_cells(of);
    if (dynamic ? width != 1 : width < 1 || declaration->type->length > SHARED_CELLS_MAX / width) {
        rd_execution_fail(execution, node, "the array '%s' of such a size", declaration->name);
        return rd_nothing();
    }
    const rd_term length =
        rd_number(execution->terms, (rd_wide)(declaration->type->length * width));
    const struct value value = {
        .kind = VALUE_POINTER,
        .term = rd_number(execution->terms, 0),
        .stride = (unsigned)width,
        .array = add_shared(execution, declaration, dynamic,
                            dynamic ? dynamic_size(execution, node) : length),
    };
    if (dynamic)
        check_dynamic(execution, declaration->name);
    if (element && element->kind != RD_SYNTAX_FLOAT &&
        !(execution->of_any_type && element->kind == RD_SYNTAX_INTEGER))
        rd_execution_fail(execution, node, "shared memory whose values are no elements");
    return value;
}

static void declare_shared(struct rd_execution *execution, struct states *states,
                           const struct rd_syntax_node *node)
{
    const struct value value = rd_shared_value(execution, node);
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++)
        rd_state_bind(execution, states->items[k], node->declaration, value);
}

static void declare(struct rd_execution *execution, struct states *states,
                    const struct rd_syntax_node *node)
{
    const struct rd_syntax_declaration *declaration = node->declaration;
    if (declaration->is_shared) {
        declare_shared(execution, states, node);
        return;
    }
    const bool has_parts = declaration->type && rd_has_parts(declaration);
    if (declaration->is_static && !(declaration->type && declaration->type->is_const)) {
        rd_execution_fail(execution, node, "the static variable '%s'", declaration->name);
        return;
    }
    if (declaration->is_extern || rd_may_be_reference(declaration->type) ||
        (has_parts && rd_type_parts(declaration->type) == 0)) {
        rd_execution_fail(execution, node, "the variable '%s' of such a type", declaration->name);
        return;
    }
    if (node->n_kids > 0)
        rd_evaluate(execution, states, node->kids[0]);
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++) {
        struct value value = {.kind = VALUE_NONE};
        if (node->n_kids > 0)
            value = rd_state_pop(states->items[k]);
        else if (has_parts)
            value = rd_parts_unset(execution, rd_type_parts(declaration->type));
        if (!rd_is_of_type(value, declaration->type))
            rd_execution_fail(execution, node, "an initial value of another type");
        rd_state_bind(execution, states->items[k], declaration, value);
    }
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

static void perform_block(struct rd_execution *execution, struct states *states,
                          const struct rd_syntax_node *node)
{
    const struct rd_syntax_node *before = NULL;
    for (size_t k = 0; k < node->n_kids && rd_execution_goes(execution); k++) {
        const struct rd_syntax_node *kid = node->kids[k];
        if (rd_is_annotation(kid)) {
            rd_perform_annotation(execution, states, before, kid);
            continue;
        }
        perform_running(execution, states, kid);
        before = kid->kind == RD_SYNTAX_EMPTY ? before : kid;
    }
}

void rd_perform(struct rd_execution *execution, struct states *states,
                const struct rd_syntax_node *node)
{
    if (!rd_execution_goes(execution))
        return;
    switch (node->kind) {
    case RD_SYNTAX_BLOCK:
        perform_block(execution, states, node);
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
        if (execution->is_written_out) {
            for (size_t k = 0; k < states->count; k++)
                states->items[k]->flow = FLOW_BROKE;
            return;
        }
        /* fall through */
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
