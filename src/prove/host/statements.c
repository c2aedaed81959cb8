// SPDX-License-Identifier: MIT
/* Statements of host code. */
#include "prove/host/host.h"

#include <stdlib.h>
#include <string.h>

static void end_path(struct rd_host *host, unsigned line)
{
    if (!host->dry && host->end_line == 0)
        host->end_line = line;
    rd_host_end_launch(host);
    host->state->flow = FLOW_RETURNED;
    host->state->path = rd_false(host->terms);
}

bool rd_host_is_harmless_or_fails(struct rd_host *host, const struct rd_syntax_node *node)
{
    const struct rd_syntax_node *why = NULL;
    if (rd_host_is_harmless(host, node, &why))
        return true;
    if (!why)
        why = node;
    if (why->kind == RD_SYNTAX_CALL)
        RD_HOST_FAIL(host, why, "the call of '%s'", rd_host_callee(why));
    else if (why->kind == RD_SYNTAX_OTHER && why->name)
        RD_HOST_FAIL(host, why, "%s", why->name);
    else
        RD_HOST_FAIL(host, why, "a statement of the host that the prover doesn't read");
    return false;
}

/* ---- pointers ---- */

static bool is_pointer(struct rd_host *host, const struct rd_syntax_node *node)
{
    node = rd_host_bare(node);
    const struct binding *found = rd_host_binding_of(host, node);
    if (found)
        return found->value.kind == VALUE_POINTER;
    if (rd_host_takes_address(node) && node->kids[0]->kind == RD_SYNTAX_INDEX)
        return is_pointer(host, node->kids[0]->kids[0]) &&
               rd_host_is_readable(host, node->kids[0]->kids[1]);
    return node->kind == RD_SYNTAX_BINARY && node->op &&
           (strcmp(node->op, "+") == 0 || strcmp(node->op, "-") == 0) &&
           is_pointer(host, node->kids[0]) && rd_host_is_readable(host, node->kids[1]);
}

struct value rd_host_pointer(struct rd_host *host, const char *name,
                             const struct rd_syntax_type *type, const struct rd_syntax_node *node)
{
    const struct rd_syntax_node *bare = rd_host_bare(node);
    const bool is_new = rd_host_is_call(bare, "operator new[]") && bare == node;
    const bool takes = is_new || (rd_host_is_call(bare, "malloc") && bare->n_kids == 2);
    if (takes && type->of && type->of->bits >= 8) {
        const rd_term count = rd_host_number(host, bare->kids[1]);
        const rd_term bytes = rd_number(host->terms, type->of->bits / 8);
        struct rd_host_array *array =
            rd_host_goes(host)
                ? rd_host_array_add(host, name, false, type->of,
                                    is_new ? count : rd_div(host->terms, count, bytes))
                : NULL;
        return array ? (struct value){.kind = VALUE_POINTER,
                                      .term = rd_number(host->terms, 0),
                                      .array = &array->array}
                     : rd_nothing();
    }
    if (is_pointer(host, node))
        return rd_host_evaluate(host, node);
    if (rd_host_is_harmless_or_fails(host, node))
        rd_host_forget(host, node);
    return rd_nothing();
}

/* swap(A, B) of two pointers: their arrays are reached by no other, so what they hold may go from one to the other. */
static bool swap(struct rd_host *host, const struct rd_syntax_node *node)
{
    struct rd_host_array *arrays[2];
    if (!rd_host_is_call(node, "swap") || node->n_kids != 3)
        return false;
    for (unsigned k = 0; k < 2; k++) {
        const struct binding *found = rd_host_binding_of(host, rd_host_bare(node->kids[k + 1]));
        arrays[k] = found ? rd_host_array_of(&found->value) : NULL;
        if (!arrays[k] || found->value.term != rd_number(host->terms, 0))
            return false;
    }
    unsigned n_pointers = 0;
    for (size_t k = 0; k < host->state->n_bindings; k++) {
        const struct rd_host_array *array = rd_host_array_of(&host->state->bindings[k].value);
        n_pointers += array && (array == arrays[0] || array == arrays[1]);
    }
    if (n_pointers != 2 || arrays[0]->array.size != arrays[1]->array.size ||
        arrays[0]->is_device != arrays[1]->is_device ||
        arrays[0]->is_managed != arrays[1]->is_managed ||
        arrays[0]->of->bits != arrays[1]->of->bits)
        return false;
    const struct rd_host_content *first = arrays[0]->content, *second = arrays[1]->content;
    rd_host_content_set(host, arrays[0], second);
    rd_host_content_set(host, arrays[1], first);
    return true;
}

/* ---- if ---- */

struct snapshot {
    size_t n;
    const struct rd_host_content **contents;
    struct rd_host_launch *pending;
};

static struct snapshot take(struct rd_host *host)
{
    struct snapshot taken = {.n = host->n_arrays, .pending = host->pending};
    taken.contents = calloc(taken.n + 1, sizeof(struct rd_host_content *));
    for (size_t k = 0; k < taken.n && taken.contents; k++)
        taken.contents[k] = host->arrays[k]->content;
    if (!taken.contents)
        rd_execution_fail_memory(&host->execution);
    return taken;
}

static void put_back(struct rd_host *host, const struct snapshot *taken)
{
    for (size_t k = 0; k < taken->n && taken->contents; k++)
        host->arrays[k]->content = taken->contents[k];
    host->pending = taken->pending;
}

static void perform_branches(struct rd_host *host, const struct rd_syntax_node *node,
                             rd_term condition)
{
    struct rd_terms *terms = host->terms;
    struct state *no = host->state, *yes = rd_state_copy(&host->execution, no);
    const rd_term before = no->path;
    struct snapshot at_first = take(host), behind = {0};
    if (!yes || !rd_host_goes(host)) {
        rd_state_destroy(yes);
        free((void *)at_first.contents);
        return;
    }
    const unsigned n_effects = host->n_effects;
    yes->path = rd_and(terms, before, condition);
    no->path = rd_and(terms, before, rd_not(terms, condition));
    host->state = yes;
    host->n_around++;
    rd_host_perform(host, node->kids[1]);
    yes = host->state; /* another one behind an 'if' or a loop */
    behind = take(host);
    put_back(host, &at_first);
    host->state = no;
    if (node->n_kids > 2 && rd_host_goes(host))
        rd_host_perform(host, node->kids[2]);
    no = host->state;
    host->n_around--;
    const bool returns = (yes->flow != FLOW_RUNS && yes->path->kind != RD_TERM_FALSE) ||
                         (no->flow != FLOW_RUNS && no->path->kind != RD_TERM_FALSE);
    if (returns)
        RD_HOST_FAIL(host, node, "a function of the host's that returns in a branch");
    if (yes->flow != FLOW_RUNS) {
        rd_state_destroy(yes);
    } else if (no->flow != FLOW_RUNS) {
        put_back(host, &behind);
        host->state = yes;
        rd_state_destroy(no);
    } else {
        if (host->n_effects != n_effects)
            RD_HOST_FAIL(host, node, "an 'if' around what changes arrays");
        host->state = yes;
        if (!rd_host_goes(host) || !rd_state_join(&host->execution, yes, no, condition, before)) {
            rd_state_destroy(no);
            if (rd_host_goes(host))
                RD_HOST_FAIL(host, node, "an 'if' whose branches can't be joined");
        }
    }
    free((void *)at_first.contents);
    free((void *)behind.contents);
}

static void perform_if(struct rd_host *host, const struct rd_syntax_node *node)
{
    rd_term condition;
    if (rd_host_is_readable(host, node->kids[0])) {
        condition = rd_value_condition(&host->execution, rd_host_evaluate(host, node->kids[0]));
    } else {
        if (!rd_host_is_harmless_or_fails(host, node->kids[0]))
            return;
        rd_host_forget(host, node->kids[0]);
        condition = rd_equal(host->terms, rd_host_constant(host, "a condition of the host"),
                             rd_number(host->terms, 0));
    }
    if (!rd_host_goes(host))
        return;
    if (condition->kind == RD_TERM_TRUE)
        rd_host_perform(host, node->kids[1]);
    else if (condition->kind != RD_TERM_FALSE)
        perform_branches(host, node, condition);
    else if (node->n_kids > 2)
        rd_host_perform(host, node->kids[2]);
}

/* ---- expressions ---- */

/* n = 16, of an integer of the function's own. */
static bool sets_any_number(struct rd_host *host, const struct rd_syntax_node *node)
{
    return node->kind == RD_SYNTAX_ASSIGN && strcmp(node->op, "=") == 0 &&
           rd_host_is_any_number(node->kids[1]) && rd_host_binding_of(host, node->kids[0]) &&
           node->kids[0]->type && node->kids[0]->type->kind == RD_SYNTAX_INTEGER;
}

static void perform_expression(struct rd_host *host, const struct rd_syntax_node *node)
{
    const struct rd_syntax_node *bare = rd_host_bare(node);
    if (rd_host_is_launch(bare)) {
        rd_host_launch(host, bare);
    } else if (rd_host_is_law(bare)) {
        rd_host_law_assert(host, bare, RD_HOST_ALONE);
    } else if (bare->kind == RD_SYNTAX_BINARY && bare->op && strcmp(bare->op, ",") == 0) {
        rd_host_perform(host, bare->kids[0]);
        rd_host_perform(host, bare->kids[1]);
    } else if (rd_host_is_call(bare, "exit") || rd_host_is_call(bare, "abort")) {
        end_path(host, bare->line);
    } else if (rd_host_is_readable(host, bare)) {
        rd_host_evaluate(host, bare);
    } else if (sets_any_number(host, bare)) {
        const struct value value =
            rd_host_any_number(host, bare->kids[0]->declaration, bare->kids[1]);
        if (rd_host_goes(host))
            rd_host_binding_of(host, bare->kids[0])->value = value;
    } else if (bare->kind == RD_SYNTAX_ASSIGN && bare->kids[0]->kind == RD_SYNTAX_NAME &&
               bare->kids[0]->declaration && strcmp(bare->op, "=") == 0 && bare->kids[0]->type &&
               bare->kids[0]->type->kind == RD_SYNTAX_POINTER) {
        const struct value value =
            rd_host_pointer(host, bare->kids[0]->name, bare->kids[0]->type, bare->kids[1]);
        if (rd_host_goes(host))
            rd_state_bind(&host->execution, host->state, bare->kids[0]->declaration, value);
    } else if (!rd_host_add_up(host, bare) && !swap(host, bare) && rd_host_goes(host) &&
               rd_host_is_harmless_or_fails(host, bare)) {
        rd_host_forget(host, bare);
    }
}

/* ---- functions ---- */

/* Of main() it is the end of the program. */
static void perform_return(struct rd_host *host, const struct rd_syntax_node *node)
{
    const struct rd_syntax_node *of = node->n_kids > 0 ? node->kids[0] : NULL;
    struct value value = rd_nothing();
    if (host->depth == 0) {
        end_path(host, node->line);
        return;
    }
    const struct binding *found = of ? rd_host_binding_of(host, rd_host_bare_float(of)) : NULL;
    if (found && found->value.kind == VALUE_ELEMENT && of->type &&
        of->type->kind == RD_SYNTAX_FLOAT && found->declaration->type->kind == RD_SYNTAX_FLOAT) {
        value = found->value;
    } else if (of && rd_host_is_readable(host, of)) {
        value = rd_host_evaluate(host, of);
    } else if (of && rd_host_is_harmless_or_fails(host, of)) {
        rd_host_forget(host, of);
        if (of->type && of->type->kind == RD_SYNTAX_INTEGER)
            value = rd_number_value(rd_host_unknown(host, "what is returned", of->type));
    }
    if (!rd_host_goes(host))
        return;
    host->state->returned = value;
    host->state->flow = FLOW_RETURNED;
}

static struct value argument_value(struct rd_host *host, const struct rd_syntax_node *node,
                                   const struct rd_syntax_declaration *parameter)
{
    const struct rd_syntax_type *type = parameter->type;
    const bool is_number =
        type && (type->kind == RD_SYNTAX_INTEGER || type->kind == RD_SYNTAX_BOOL);
    if (is_number && rd_host_is_readable(host, node))
        return rd_number_value(rd_host_number(host, node));
    if (type && type->kind == RD_SYNTAX_POINTER && rd_host_is_stream(host, node))
        return rd_host_evaluate(host, node);
    if (type && type->kind == RD_SYNTAX_POINTER)
        return rd_host_pointer(host, parameter->name, type, node);
    if (type && type->kind == RD_SYNTAX_FLOAT) {
        const rd_term factor = rd_host_factor(host, node);
        return factor ? (struct value){.kind = VALUE_FACTOR, .term = factor} : rd_nothing();
    }
    if (!is_number)
        RD_HOST_FAIL(host, node, "an argument that is neither a number nor a pointer");
    else if (rd_host_is_harmless_or_fails(host, node))
        rd_host_forget(host, node);
    return is_number && rd_host_goes(host)
               ? rd_number_value(rd_host_unknown(host, parameter->name, type))
               : rd_nothing();
}

struct value rd_host_enter(struct rd_host *host, const struct rd_syntax_node *call,
                           const struct rd_syntax_function *function)
{
    enum { DEPTH_MAX = 8, PARAMETERS_MAX = 16 };
    struct value values[PARAMETERS_MAX];
    const rd_term in_expression = host->in_expression;
    if (function->n_parameters != call->n_kids - 1 || function->n_parameters > PARAMETERS_MAX ||
        host->depth == DEPTH_MAX) {
        RD_HOST_FAIL(host, call, "the call of '%s'", function->name);
        return rd_nothing();
    }
    host->in_expression = NULL;
    for (size_t k = 0; k < function->n_parameters && rd_host_goes(host); k++)
        values[k] = argument_value(host, call->kids[k + 1], function->parameters[k]);
    if (!rd_host_goes(host))
        return rd_nothing();
    const size_t frame = host->state->frame, n_bindings = host->state->n_bindings;
    host->state->frame = n_bindings;
    for (size_t k = 0; k < function->n_parameters; k++)
        rd_state_bind(&host->execution, host->state, function->parameters[k], values[k]);
    host->depth++;
    rd_host_perform(host, function->body);
    host->depth--;
    host->in_expression = in_expression;
    struct state *state = host->state;
    if (state->path->kind != RD_TERM_FALSE)
        state->flow = FLOW_RUNS;
    state->n_bindings = n_bindings;
    state->frame = frame;
    const struct value returned = state->returned;
    state->returned = rd_nothing();
    return returned;
}

static bool declares_array(const struct rd_syntax_node *node)
{
    return node->kind == RD_SYNTAX_DECLARE &&
           (node->declaration->type->kind == RD_SYNTAX_ARRAY || node->declaration->type->elements);
}

void rd_host_perform_statements(struct rd_host *host,
                                const struct rd_syntax_node *const *statements, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        rd_host_perform(host, statements[k]);
        if (rd_host_goes(host) && rd_host_runs(host) &&
            rd_host_is_launch(rd_host_bare(statements[k])))
            rd_host_assert_copied_laws(host, statements + k + 1, count - k - 1);
    }
}

/* Arrays and vectors that a block declares are gone behind it, whatever still points there. */
static void perform_block(struct rd_host *host, const struct rd_syntax_node *node)
{
    rd_host_perform_statements(host, node->kids, node->n_kids);
    for (size_t k = 0; k < node->n_kids; k++)
        for (size_t i = 0; i < host->n_arrays && declares_array(node->kids[k]); i++) {
            struct rd_host_array *array = host->arrays[i];
            if (array->declaration != node->kids[k]->declaration)
                continue;
            array->array.size = rd_number(host->terms, 0);
            rd_host_content_forget(host, array);
        }
}

void rd_host_perform_header(struct rd_host *host, const struct rd_syntax_node *node)
{
    const bool is_block = node && node->kind == RD_SYNTAX_BLOCK;
    const size_t n = !node ? 0 : is_block ? node->n_kids : 1;
    for (size_t k = 0; k < n; k++) {
        const struct rd_syntax_node *each = is_block ? node->kids[k] : node;
        if (declares_array(each))
            RD_HOST_FAIL(host, each, "an array that a loop's header declares");
        rd_host_perform(host, each);
    }
}

void rd_host_perform(struct rd_host *host, const struct rd_syntax_node *node)
{
    if (!node || !rd_host_goes(host) || !rd_host_runs(host))
        return;
    if (node->kind != RD_SYNTAX_BLOCK) {
        host->line = node->line;
        rd_host_check_async_copies(host, node);
        rd_host_check_managed(host, node);
    }
    switch (node->kind) {
    case RD_SYNTAX_BLOCK:
        perform_block(host, node);
        return;
    case RD_SYNTAX_DECLARE:
        rd_host_declare(host, node);
        return;
    case RD_SYNTAX_IF:
        perform_if(host, node);
        return;
    case RD_SYNTAX_FOR:
    case RD_SYNTAX_WHILE:
    case RD_SYNTAX_DO:
        rd_host_loop(host, node);
        return;
    case RD_SYNTAX_RETURN:
        perform_return(host, node);
        return;
    case RD_SYNTAX_EMPTY:
        return;
    case RD_SYNTAX_BREAK:
    case RD_SYNTAX_CONTINUE:
        RD_HOST_FAIL(host, node, "a '%s' in host code",
                     node->kind == RD_SYNTAX_BREAK ? "break" : "continue");
        return;
    case RD_SYNTAX_OTHER:
        RD_HOST_FAIL(host, node, "%s", node->name ? node->name : "such a statement");
        return;
    default:
        perform_expression(host, node);
    }
}
