// SPDX-License-Identifier: MIT
/* Loops that are cut where their condition is evaluated: those of a user's kernel with an invariant, which is
 * asserted there; and those with a barrier of the block that have none, nor a checkpoint: of what cells hold there
 * nothing is known then. */
#include "prove/logic/proof.h"
#include "prove/kernel/loops.h"

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

/* What the annotation speaks of: its array, and numbers that all threads of the block have alike. *why: what it has else. */
static bool read_annotation(struct rd_execution *execution, struct state *state,
                            const struct rd_syntax_node *call, struct rd_cut *cut, const char **why)
{
    enum { NAMES_MAX = 16 };
    rd_term names[NAMES_MAX];
    const rd_term zero = rd_number(execution->terms, 0);
    const size_t n_names = call->n_kids < 3 ? 0 : call->n_kids - 3;
    if (call->n_kids < 3 || n_names > NAMES_MAX || call->kids[1]->kind != RD_SYNTAX_NUMBER) {
        *why = "such an invariant in a kernel";
        return false;
    }
    struct states one = {.count = 1, .items = {state}};
    for (size_t k = 0; k < n_names + 1; k++)
        rd_evaluate(execution, &one, call->kids[k + 2]);
    if (!rd_execution_goes(execution))
        return false;
    for (size_t k = n_names; k-- > 0;) {
        const struct value value = rd_state_pop(state);
        if (value.kind != VALUE_NUMBER) {
            *why = "an invariant of what is no integer";
            return false;
        }
        if (rd_is_of_thread(execution, value.term)) {
            *why = "an invariant of a number that may differ between threads of a block";
            return false;
        }
        names[k] = rd_value_number(execution, value);
        rd_state_require(execution, state, rd_at_most(execution->terms, zero, names[k]), call,
                         "numbers of the invariant are not negative");
    }
    const struct value array = rd_state_pop(state);
    if (array.kind != VALUE_POINTER || array.term != zero || !array.array->is_shared) {
        *why = "an invariant of what is no array in shared memory";
        return false;
    }
    if (rd_stride(&array) != 1 || array.row > 0) {
        *why = "an invariant of an array of arrays: write one array, with the index y * width + x";
        return false;
    }
    cut->point = rd_terms_text(execution->terms, "line %u", call->line);
    cut->site = (unsigned)call->kids[1]->number;
    cut->array = array.array;
    cut->n_names = n_names;
    cut->names = rd_terms_array(execution->terms, n_names, names);
    const rd_term defined =
        execution->defined ? execution->defined(execution->self, cut) : rd_true(execution->terms);
    if (defined->kind != RD_TERM_TRUE)
        rd_state_require(execution, state, defined, call, RD_PROOF_LAW_IS_DEFINED);
    return rd_execution_goes(execution);
}

static bool read_law(struct rd_execution *execution, struct state *state,
                     const struct rd_syntax_node *call, struct rd_cut *cut)
{
    const char *why = NULL;
    const bool is_read = read_annotation(execution, state, call, cut, &why);
    if (why)
        rd_execution_fail(execution, call, "%s", why);
    return is_read;
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

rd_term rd_counted_number(struct rd_execution *execution, struct state *state,
                          const struct rd_loop_parts *parts)
{
    const struct binding *found =
        rd_state_find(state, rd_counted_by(parts->condition, parts->loop));
    if (found && found->value.kind == VALUE_NUMBER && found->value.term)
        return rd_value_number(execution, found->value);
    rd_execution_fail(execution, parts->loop, "a loop whose variable is no number");
    return NULL;
}

/* The cut of a loop without an invariant, of which nothing but its variable is known. */
static bool read_bare(struct rd_execution *execution, struct state *state,
                      const struct rd_loop_parts *parts, struct rd_cut *cut)
{
    cut->variable = rd_counted_number(execution, state, parts);
    cut->point = rd_terms_text(execution->terms, "the loop of line %u", parts->loop->line);
    cut->is_bare = true;
    return cut->variable != NULL;
}

static bool read_head(struct rd_execution *execution, struct state *state,
                      const struct rd_loop_parts *parts, const struct rd_syntax_node *call,
                      struct rd_cut *cut)
{
    return call ? read_law(execution, state, call, cut) &&
                      find_variable(execution, parts->loop, call, cut)
                : read_bare(execution, state, parts, cut);
}

/* `call` is NULL of a loop without an invariant. */
static void arrive(struct rd_execution *execution, struct states *states,
                   const struct rd_loop_parts *parts, const struct rd_syntax_node *call, bool again)
{
    const struct rd_syntax_node *loop = parts->loop, *place = call ? call : loop;
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++) {
        struct state *state = states->items[k];
        struct rd_cut cut = {0};
        if (!read_head(execution, state, parts, call, &cut))
            return;
        rd_state_require(execution, state, NULL, place,
                         call ? "all threads of the block come to the invariant"
                              : "all threads of the block come to the loop's condition");
        rd_require_published(execution, state, place);
        rd_state_record(execution, state, cut, NULL);
        if (!rd_execution_goes(execution))
            return;
        execution->segments[execution->n_segments - 1].goes_back = again;
        execution->segments[execution->n_segments - 1].meets = true;
        if (again)
            continue;
        if (rd_points_to_caller(state) && rd_stores(execution, loop))
            rd_execution_fail(execution, place, "a loop that may write an array of its caller");
        rd_forget_assigned(execution, state, loop);
        if (!read_head(execution, state, parts, call, &cut))
            return;
        if (differs(execution, &cut))
            rd_execution_fail(
                execution, place,
                "an invariant of a number that may differ between threads of a block");
        rd_begin_segment(execution, state, cut, place, true);
        add_shown(execution, &cut);
    }
    if (again)
        rd_states_finish(states);
    else if (rd_execution_goes(execution))
        rd_join_at_cut(execution, states, call ? call : parts->loop);
}

static void perform(struct rd_execution *execution, struct states *states,
                    const struct rd_loop_parts *parts, const struct rd_syntax_node *call,
                    const struct rd_syntax_node *condition)
{
    struct states done = {0};
    const rd_term control = rd_common_control(states);
    arrive(execution, states, parts, call, false);
    if (!rd_execution_goes(execution))
        return;
    execution->is_in_head_loop = true;
    rd_test_loop(execution, states, &done, condition);
    rd_stand_in_path(execution, states);
    rd_perform_part(execution, states, parts->body);
    rd_set_aside(execution, states, &done);
    rd_perform_part(execution, states, parts->increment);
    if (rd_execution_goes(execution))
        arrive(execution, states, parts, call, true);
    execution->is_in_head_loop = false;
    rd_states_finish(states);
    rd_states_move(execution, states, &done);
    if (rd_execution_goes(execution))
        rd_restore_control(states, control);
}

void rd_perform_law_loop(struct rd_execution *execution, struct states *states,
                         const struct rd_loop_parts *parts)
{
    const struct rd_syntax_node *condition,
        *call = rd_law_of_condition(parts->condition, &condition);
    if (rd_law_of_condition(condition, NULL) || rd_has_cut(execution, parts->body) ||
        execution->loop || execution->is_in_head_loop || execution->depth > 0) {
        rd_execution_fail(execution, parts->loop,
                          "more than one invariant of a loop, or one within another's loop");
        return;
    }
    perform(execution, states, parts, call, condition);
}

/* ---- behind it ---- */

bool rd_is_annotation(const struct rd_syntax_node *node)
{
    return node->kind == RD_SYNTAX_CALL && node->name &&
           (strcmp(node->name, "rd_prove_law") == 0 ||
            strcmp(node->name, "rd_prove_condition") == 0);
}

static bool has_law(const struct rd_syntax_node *loop)
{
    return loop && ((loop->kind == RD_SYNTAX_FOR && rd_law_of_condition(loop->kids[1], NULL)) ||
                    (loop->kind == RD_SYNTAX_WHILE && rd_law_of_condition(loop->kids[0], NULL)));
}

/* Tells whether the cells that it speaks of are as they were at the loop's condition, where no trip followed. */
static bool is_of_cut(const struct rd_execution *execution, const struct state *state,
                      const struct rd_cut *promise)
{
    bool is = state->from.site > 0 && state->from.array == promise->array;
    for (size_t k = 0; k < promise->n_names; k++)
        for (size_t h = 0; h < execution->heads.count && is; h++)
            is = !rd_term_has(promise->names[k], execution->heads.terms[h]) ||
                 rd_cut_fixes(execution, &state->from, execution->heads.terms[h]);
    for (size_t k = 0; k < state->n_accesses; k++)
        is = is && !(state->accesses[k].is_write && state->accesses[k].array == promise->array);
    return is;
}

void rd_perform_annotation(struct rd_execution *execution, struct states *states,
                           const struct rd_syntax_node *loop, const struct rd_syntax_node *node)
{
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++) {
        struct state *state = states->items[k];
        struct rd_cut promise = {0};
        const char *why = NULL;
        if (state->flow != FLOW_RUNS)
            continue;
        const size_t n_values = state->n_values;
        const bool follows = has_law(loop) && is_law(node) &&
                             read_annotation(execution, state, node, &promise, &why) &&
                             is_of_cut(execution, state, &promise);
        state->n_values = n_values;
        if (!execution->promised || node->n_kids < 2 || node->kids[1]->kind != RD_SYNTAX_NUMBER) {
            rd_execution_fail(execution, node, "an annotation in a kernel");
            return;
        }
        promise.point = rd_terms_text(execution->terms, "line %u", node->line);
        promise.site = (unsigned)node->kids[1]->number;
        if (!rd_execution_goes(execution))
            return;
        const rd_term condition =
            execution->promised(execution->self, follows ? &state->from : NULL, &promise);
        const size_t n_before = state->n_requirements;
        rd_state_require(execution, state, condition, node,
                         follows ? "what the law says behind the loop follows from its invariant"
                                 : "an annotation in a kernel is proved directly behind a loop, of "
                                   "the array of its invariant alone");
        for (size_t i = n_before; i < state->n_requirements; i++)
            state->requirements[i].is_promise = true;
    }
}

/* ---- without an invariant ---- */

const struct rd_syntax_declaration *rd_counted_by(const struct rd_syntax_node *condition,
                                                  const struct rd_syntax_node *loop)
{
    const struct rd_syntax_declaration *found = NULL;
    if (condition && condition->kind == RD_SYNTAX_NAME && condition->declaration &&
        rd_assigns(loop, condition->declaration))
        return condition->declaration;
    for (size_t k = 0; condition && k < condition->n_kids && !found; k++)
        found = rd_counted_by(condition->kids[k], loop);
    return found;
}

bool rd_is_known(struct rd_execution *execution, const struct states *states,
                 const struct rd_syntax_node *condition)
{
    bool is = true;
    for (size_t k = 0; k < states->count && is && rd_execution_goes(execution); k++) {
        struct states one = {.count = 1, .items = {rd_state_copy(execution, states->items[k])}};
        if (!one.items[0])
            return true;
        rd_evaluate(execution, &one, condition);
        for (size_t i = 0; i < one.count && is && rd_execution_goes(execution); i++) {
            const rd_term goes_on = rd_value_condition(execution, rd_state_pop(one.items[i]));
            is = goes_on->kind == RD_TERM_TRUE || goes_on->kind == RD_TERM_FALSE;
        }
        rd_states_finish(&one);
    }
    return is;
}

bool rd_perform_bare_loop(struct rd_execution *execution, struct states *states,
                          const struct rd_loop_parts *parts)
{
    if (execution->loop || execution->is_in_head_loop || states->count == 0 ||
        !rd_has_barrier(execution, parts->body) || !rd_counted_by(parts->condition, parts->loop) ||
        rd_sets(parts->condition) || rd_is_known(execution, states, parts->condition))
        return false;
    perform(execution, states, parts, NULL, parts->condition);
    return true;
}
