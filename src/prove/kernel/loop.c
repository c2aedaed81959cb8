// SPDX-License-Identifier: MIT
/* Loops. One with a checkpoint is cut there: see cut.c. Others are written out, where their number of trips is known, or summed
 * up: see sum_loop.c. */
#include "prove/kernel/loops.h"

#include <string.h>

enum { SEARCH_DEPTH_MAX = 20 };

/* ---- what a loop assigns ---- */

/* Tells whether the node itself sets a variable or a cell. */
static bool is_setting(const struct rd_syntax_node *node)
{
    return node->kind == RD_SYNTAX_ASSIGN ||
           (node->kind == RD_SYNTAX_UNARY && node->op &&
            (strcmp(node->op, "++") == 0 || strcmp(node->op, "--") == 0));
}

/* A variable; or one of several elements, of some of them. */
static const struct rd_syntax_declaration *assigned_by(const struct rd_syntax_node *node)
{
    const struct rd_syntax_node *target = is_setting(node) ? node->kids[0] : NULL;
    const bool is_part =
        target && (target->kind == RD_SYNTAX_INDEX || target->kind == RD_SYNTAX_MEMBER);
    while (target && (target->kind == RD_SYNTAX_INDEX || target->kind == RD_SYNTAX_MEMBER))
        target = target->kids[0];
    if (!target || target->kind != RD_SYNTAX_NAME || !target->declaration)
        return NULL;
    return !is_part || rd_has_parts(target->declaration) ? target->declaration : NULL;
}

/* Tells whether the node hands the array to a function, which may set it. */
static bool hands_over(const struct rd_syntax_node *node,
                       const struct rd_syntax_declaration *variable)
{
    bool found = false;
    for (size_t k = 1; node->kind == RD_SYNTAX_CALL && k < node->n_kids; k++)
        found = found ||
                (node->kids[k]->kind == RD_SYNTAX_NAME && node->kids[k]->declaration == variable &&
                 rd_has_parts(variable) && variable->type->kind == RD_SYNTAX_ARRAY);
    return found;
}

bool rd_assigns(const struct rd_syntax_node *node, const struct rd_syntax_declaration *variable)
{
    if (!node)
        return false;
    if (variable && (assigned_by(node) == variable || hands_over(node, variable)))
        return true;
    for (size_t k = 0; k < node->n_kids; k++)
        if (rd_assigns(node->kids[k], variable))
            return true;
    return false;
}

bool rd_sets(const struct rd_syntax_node *node)
{
    if (!node)
        return false;
    bool sets = is_setting(node);
    for (size_t k = 0; k < node->n_kids && !sets; k++)
        sets = rd_sets(node->kids[k]);
    return sets;
}

bool rd_stores(struct rd_execution *execution, const struct rd_syntax_node *node)
{
    if (!node)
        return false;
    bool stores = is_setting(node) && node->kids[0]->kind != RD_SYNTAX_NAME;
    if (node->kind == RD_SYNTAX_CALL && node->name && !stores) {
        const struct rd_syntax_function *function =
            rd_syntax_function_called(execution->unit, node);
        stores = strncmp(node->name, "atomic", strlen("atomic")) == 0 ||
                 strcmp(node->name, "rd_prove_atomic") == 0;
        if (function && function->body && !stores) {
            stores = execution->depth >= SEARCH_DEPTH_MAX;
            execution->depth++;
            stores = stores || rd_stores(execution, function->body);
            execution->depth--;
        }
    }
    for (size_t k = 0; k < node->n_kids && !stores; k++)
        stores = rd_stores(execution, node->kids[k]);
    return stores;
}

/* ---- with a checkpoint, or written out ---- */

/* Moves states that have returned from within the loop to those that are done with it. */
void rd_set_aside(struct rd_execution *execution, struct states *states, struct states *done)
{
    struct states running = {0};
    for (size_t k = 0; k < states->count; k++)
        rd_states_add(execution,
                      states->items[k] && states->items[k]->flow == FLOW_RUNS ? &running : done,
                      states->items[k]);
    *states = running;
}

void rd_test_loop(struct rd_execution *execution, struct states *states, struct states *done,
                  const struct rd_syntax_node *condition)
{
    if (!condition)
        return;
    rd_evaluate(execution, states, condition);
    if (rd_execution_goes(execution))
        rd_fork(execution, states, done, NULL);
}

void rd_perform_part(struct rd_execution *execution, struct states *states,
                     const struct rd_syntax_node *node)
{
    if (node && states->count > 0)
        rd_perform(execution, states, node);
}

/* Threads that are in a loop's trip are those that its condition has led there: others don't come to its barriers. */
void rd_stand_in_path(struct rd_execution *execution, struct states *states)
{
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++)
        states->items[k]->control =
            rd_and(execution->terms, states->items[k]->control, states->items[k]->path);
}

static void perform_cut_loop(struct rd_execution *execution, struct states *states,
                             const struct rd_loop_parts *parts)
{
    struct loop_cut cut = {.loop = parts->loop, .condition = parts->condition, .body = parts->body},
                    *outer = execution->loop;
    struct states done = {0};
    const rd_term control = rd_common_control(states);
    bool returns = false;
    rd_test_loop(execution, states, &done, parts->condition);
    if (states->count > 0)
        cut.frame = states->items[0]->frame;
    execution->loop = &cut;
    rd_stand_in_path(execution, states);
    rd_perform_part(execution, states, parts->body);
    rd_set_aside(execution, states, &done);
    if (rd_execution_goes(execution) && !cut.visited && states->count > 0)
        rd_execution_fail(execution, parts->loop, "a loop that may pass by its checkpoint");
    rd_perform_part(execution, states, parts->increment);
    rd_test_loop(execution, states, &done, parts->condition);
    rd_stand_in_path(execution, states);
    if (rd_execution_goes(execution) && states->count > 0) {
        /* Up to the checkpoint again, where the states end. */
        rd_perform_part(execution, states, parts->body);
        if (rd_execution_goes(execution) && states->count > 0)
            rd_execution_fail(execution, parts->loop, "a loop that may pass by its checkpoint");
    }
    execution->loop = outer;
    rd_states_finish(states);
    rd_states_move(execution, states, &done);
    for (size_t k = 0; k < states->count; k++)
        returns = returns || states->items[k]->flow == FLOW_RETURNED;
    /* Where some have returned from within, those that go on stand in what has kept them. */
    if (rd_execution_goes(execution) && !returns)
        rd_restore_control(states, control);
}

/* States that have left the loop by `break` go on; they are joined with those that have left it by its condition: together they are
 * all that came to it, unless some have returned. */
static void leave_written_out(struct rd_execution *execution, struct states *states, rd_term path,
                              rd_term control)
{
    bool broke = false, returned = false;
    for (size_t k = 0; k < states->count; k++) {
        broke = broke || states->items[k]->flow == FLOW_BROKE;
        returned = returned || states->items[k]->flow == FLOW_RETURNED;
        if (states->items[k]->flow == FLOW_BROKE)
            states->items[k]->flow = FLOW_RUNS;
    }
    if (!broke || !rd_execution_goes(execution))
        return;
    rd_states_join(execution, states);
    if (returned || states->count != 1 || !path)
        return;
    states->items[0]->path = path;
    rd_restore_control(states, control);
}

/* Writes the loop out, as long as its condition is known. */
static void unroll(struct rd_execution *execution, struct states *states,
                   const struct rd_loop_parts *parts)
{
    enum { TRIPS_MAX = 64 };
    struct states done = {0};
    const rd_term path = states->count == 1 ? states->items[0]->path : NULL,
                  control = rd_common_control(states);
    for (unsigned trip = 0; trip < TRIPS_MAX; trip++) {
        struct states leaving = {0};
        rd_test_loop(execution, states, &leaving, parts->condition);
        if (!rd_execution_goes(execution) || (leaving.count > 0 && states->count > 0)) {
            rd_states_move(execution, states, &leaving);
            rd_states_move(execution, states, &done);
            rd_execution_fail(execution, parts->loop,
                              "a loop without a checkpoint whose number of trips is not known");
            return;
        }
        rd_states_move(execution, &done, &leaving);
        if (states->count == 0)
            break;
        execution->is_written_out = true;
        rd_perform_part(execution, states, parts->body);
        execution->is_written_out = false;
        rd_set_aside(execution, states, &done);
        rd_perform_part(execution, states, parts->increment);
    }
    if (states->count > 0)
        rd_execution_fail(execution, parts->loop, "a loop of more than %d trips", TRIPS_MAX);
    rd_states_move(execution, states, &done);
    leave_written_out(execution, states, path, control);
    if (execution->written_out_line == 0 && rd_has_barrier(execution, parts->body))
        execution->written_out_line = parts->loop->line;
}

static bool has_continue(const struct rd_syntax_node *node)
{
    bool has = node && node->kind == RD_SYNTAX_CONTINUE;
    for (size_t k = 0; node && k < node->n_kids && !has; k++)
        has = has_continue(node->kids[k]);
    return has;
}

/* while (i < n) { ...; i += stride; } is for (; i < n; i += stride) { ... }, where nothing passes by its last statement. */
static void take_increment(struct rd_loop_parts *parts, struct rd_syntax_node *shorter)
{
    const struct rd_syntax_node *body = parts->body;
    const struct rd_syntax_node *last =
        body->kind == RD_SYNTAX_BLOCK && body->n_kids > 1 ? body->kids[body->n_kids - 1] : NULL;
    const bool steps = last && (last->kind == RD_SYNTAX_ASSIGN ||
                                (last->kind == RD_SYNTAX_UNARY && last->op &&
                                 (strcmp(last->op, "++") == 0 || strcmp(last->op, "--") == 0)));
    if (!steps || last->kids[0]->kind != RD_SYNTAX_NAME || has_continue(body))
        return;
    *shorter = *body;
    shorter->n_kids--;
    parts->body = shorter;
    parts->increment = last;
}

static void perform_loop(struct rd_execution *execution, struct states *states,
                         const struct rd_syntax_node *node)
{
    struct rd_loop_parts parts = {.loop = node};
    struct rd_syntax_node shorter;
    if (node->kind == RD_SYNTAX_FOR) {
        if (node->kids[0])
            rd_perform(execution, states, node->kids[0]);
        parts.condition = node->kids[1];
        parts.increment = node->kids[2];
        parts.body = node->kids[3];
    } else if (node->kind == RD_SYNTAX_WHILE) {
        parts.condition = node->kids[0];
        parts.body = node->kids[1];
    } else {
        rd_execution_fail(execution, node, "a loop that tests at its end");
        return;
    }
    if (!rd_execution_goes(execution))
        return;
    const bool is_cut = rd_law_of_condition(parts.condition, NULL) ||
                        rd_has_cut(execution, parts.body) || rd_has_barrier(execution, parts.body);
    if (node->kind == RD_SYNTAX_WHILE && !is_cut)
        take_increment(&parts, &shorter);
    if (rd_law_of_condition(parts.condition, NULL))
        rd_perform_law_loop(execution, states, &parts);
    else if (rd_has_cut(execution, parts.body))
        perform_cut_loop(execution, states, &parts);
    else if (!rd_perform_bare_loop(execution, states, &parts) &&
             !rd_find_power(execution, states, &parts) && !rd_sum_up(execution, states, &parts) &&
             !rd_perform_any_trip(execution, states, &parts))
        unroll(execution, states, &parts);
}

void rd_perform_loop(struct rd_execution *execution, struct states *states,
                     const struct rd_syntax_node *node)
{
    const bool is_written_out = execution->is_written_out;
    execution->is_written_out = false; /* of the loop around it */
    perform_loop(execution, states, node);
    execution->is_written_out = is_written_out;
}
