// SPDX-License-Identifier: MIT
/* Loops of a user's kernel with an invariant, which is asserted whenever the condition is evaluated: there the loop is cut. */
#include "prove/loops.h"

#include <stdlib.h>
#include <string.h>

static bool is_law(const struct rd_syntax_node *node)
{
    return node && node->kind == RD_SYNTAX_CALL && node->name &&
           strcmp(node->name, "rd_prove_law") == 0;
}

const struct rd_syntax_node *rd_law_of_condition(const struct rd_syntax_node *condition,
                                                 const struct rd_syntax_node **rest)
{
    while (condition && condition->kind == RD_SYNTAX_CAST)
        condition = condition->kids[0];
    if (!condition || condition->kind != RD_SYNTAX_BINARY || !condition->op ||
        strcmp(condition->op, ",") != 0 || !is_law(condition->kids[0]))
        return NULL;
    if (rest)
        *rest = condition->kids[1];
    return condition->kids[0];
}

/* What the annotation speaks of: its array, and numbers that all threads of the block have alike. */
static bool read_law(struct rd_execution *execution, struct state *state,
                     const struct rd_syntax_node *call, struct rd_cut *cut)
{
    enum { NAMES_MAX = 16 };
    rd_term names[NAMES_MAX];
    const rd_term zero = rd_number(execution->terms, 0);
    const size_t n_names = call->n_kids < 3 ? 0 : call->n_kids - 3;
    if (call->n_kids < 3 || n_names > NAMES_MAX || call->kids[1]->kind != RD_SYNTAX_NUMBER) {
        rd_execution_fail(execution, call, "such an invariant in a kernel");
        return false;
    }
    struct states one = {.count = 1, .items = {state}};
    for (size_t k = 0; k < n_names + 1; k++)
        rd_evaluate(execution, &one, call->kids[k + 2]);
    if (!rd_execution_goes(execution))
        return false;
    for (size_t k = n_names; k-- > 0;) {
        const struct value value = rd_state_pop(state);
        if (value.kind != VALUE_NUMBER || rd_is_of_thread(execution, value.term)) {
            rd_execution_fail(
                execution, call,
                "an invariant of a number that differs between threads of a block, or is none");
            return false;
        }
        names[k] = rd_value_number(execution, value);
        rd_state_require(execution, state, rd_at_most(execution->terms, zero, names[k]), call,
                         "numbers of the invariant are not negative");
    }
    const struct value array = rd_state_pop(state);
    if (array.kind != VALUE_POINTER || array.term != zero || !array.array->is_shared) {
        rd_execution_fail(execution, call, "an invariant of what is no array in shared memory");
        return false;
    }
    cut->point = rd_terms_text(execution->terms, "line %u", call->line);
    cut->site = (unsigned)call->kids[1]->number;
    cut->array = array.array;
    cut->n_names = n_names;
    cut->names = rd_terms_array(execution->terms, n_names, names);
    return rd_execution_goes(execution);
}

/* The number that tells the loop's trips: the first that the loop changes. */
static bool find_variable(struct rd_execution *execution, const struct rd_syntax_node *loop,
                          const struct rd_syntax_node *call, struct rd_cut *cut)
{
    for (size_t k = 0; k < cut->n_names; k++) {
        const struct rd_syntax_node *name = call->kids[3 + k];
        while (name->kind == RD_SYNTAX_CAST)
            name = name->kids[0];
        if (name->kind == RD_SYNTAX_NAME && rd_assigns(loop, name->declaration)) {
            cut->variable = cut->names[k];
            return true;
        }
    }
    rd_execution_fail(execution, call,
                      "an invariant that names none of the variables that its loop changes");
    return false;
}

/* Numbers of the cut whose values differ between threads: those of a loop's variable that the cut doesn't fix. */
static bool differs(const struct rd_execution *execution, const struct rd_cut *cut)
{
    for (size_t k = 0; k < cut->n_names; k++)
        for (size_t h = 0; h < execution->heads.count; h++)
            if (rd_term_has(cut->names[k], execution->heads.terms[h]) &&
                !rd_cut_fixes(execution, cut, execution->heads.terms[h]))
                return true;
    return false;
}

/* Each arrival has shown that the numbers are not negative. Of one that the loop doesn't change it is not said here: what holds
 * anywhere would be given where it is to be shown. */
static void add_shown(struct rd_execution *execution, const struct rd_cut *cut)
{
    struct rd_terms *terms = execution->terms;
    for (size_t k = 0; k < cut->n_names; k++) {
        bool is_of_loop = false;
        for (size_t h = 0; h < execution->heads.count && !is_of_loop; h++)
            is_of_loop = rd_term_has(cut->names[k], execution->heads.terms[h]);
        if (is_of_loop)
            rd_term_list_add_new(terms, &execution->head_ranges,
                                 rd_at_most(terms, rd_number(terms, 0), cut->names[k]));
    }
}

static void arrive(struct rd_execution *execution, struct states *states,
                   const struct rd_syntax_node *call, const struct rd_syntax_node *loop, bool again)
{
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++) {
        struct state *state = states->items[k];
        struct rd_cut cut = {0};
        if (!read_law(execution, state, call, &cut) || !find_variable(execution, loop, call, &cut))
            return;
        rd_state_require(execution, state, NULL, call,
                         "all threads of the block come to the invariant");
        rd_state_record(execution, state, cut, NULL);
        if (!rd_execution_goes(execution))
            return;
        execution->segments[execution->n_segments - 1].goes_back = again;
        execution->segments[execution->n_segments - 1].meets = true;
        if (again)
            continue;
        if (rd_points_to_caller(state) && rd_stores(execution, loop))
            rd_execution_fail(execution, call, "a loop that may write an array of its caller");
        rd_forget_assigned(execution, state, loop);
        if (!read_law(execution, state, call, &cut) || !find_variable(execution, loop, call, &cut))
            return;
        if (differs(execution, &cut))
            rd_execution_fail(execution, call,
                              "an invariant of a number that differs between threads of a block");
        rd_begin_segment(execution, state, cut, call, true);
        add_shown(execution, &cut);
    }
    if (again)
        rd_states_finish(states);
    else if (rd_execution_goes(execution))
        rd_join_at_cut(execution, states);
}

void rd_perform_law_loop(struct rd_execution *execution, struct states *states,
                         const struct rd_loop_parts *parts)
{
    struct states done = {0};
    const struct rd_syntax_node *condition,
        *call = rd_law_of_condition(parts->condition, &condition);
    const rd_term control = rd_common_control(states);
    if (rd_law_of_condition(condition, NULL) || rd_has_cut(execution, parts->body) ||
        execution->loop || execution->depth > 0) {
        rd_execution_fail(execution, parts->loop,
                          "more than one invariant of a loop, or one within another's loop");
        return;
    }
    arrive(execution, states, call, parts->loop, false);
    if (!rd_execution_goes(execution))
        return;
    rd_test_loop(execution, states, &done, condition);
    rd_stand_in_path(execution, states);
    rd_perform_part(execution, states, parts->body);
    rd_set_aside(execution, states, &done);
    rd_perform_part(execution, states, parts->increment);
    if (rd_execution_goes(execution))
        arrive(execution, states, call, parts->loop, true);
    rd_states_finish(states);
    rd_states_move(execution, states, &done);
    if (rd_execution_goes(execution))
        rd_restore_control(states, control);
}
