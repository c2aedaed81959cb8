// SPDX-License-Identifier: MIT
/* What combines elements of a user's kernel where its laws are no sums: the operation, in the ways in which C writes it, and the
 * element that is neutral to it. The theorem `law` in docs/proof/lift.v is of any commutative monoid: so whatever the operation, an
 * element counts what it was combined of, and no other operation and no other element may be among it. */
#include "prove/kernel/state.h"

#include <stdio.h>
#include <string.h>

/* How C writes an operation. */
static const struct spelling {
    const char *name, *sign, *atomic;
    const char *calls[4];
} spellings[RD_OPERATION_COUNT] = {
    [RD_OPERATION_SUM] = {"sum", "+", "atomicAdd", {NULL}},
    [RD_OPERATION_PRODUCT] = {"product", "*", NULL, {NULL}},
    [RD_OPERATION_MIN] = {"min", NULL, "atomicMin", {"min", "fminf", "fmin", NULL}},
    [RD_OPERATION_MAX] = {"max", NULL, "atomicMax", {"max", "fmaxf", "fmax", NULL}},
    [RD_OPERATION_AND] = {"and", "&", "atomicAnd", {NULL}},
    [RD_OPERATION_OR] = {"or", "|", "atomicOr", {NULL}},
    [RD_OPERATION_XOR] = {"xor", "^", "atomicXor", {NULL}},
};

static const char *name_of(const struct rd_execution *execution)
{
    const char *name = spellings[execution->operation].name;
    return name ? name : "another operation";
}

bool rd_is_call_of_system(const struct rd_syntax_node *call)
{
    return call->name && call->n_kids > 0 && call->kids[0]->of_system &&
           !call->kids[0]->defined_file;
}

bool rd_is_atomic_operation(const struct rd_execution *execution, const struct rd_syntax_node *call)
{
    const char *atomic = spellings[execution->operation].atomic;
    return atomic && call->n_kids == 3 && rd_is_call_of_system(call) &&
           strcmp(call->name, atomic) == 0 && rd_is_ordered_as(execution, call->kids[2]->type);
}

/* ---- the neutral element ---- */

/* Finds it, as a number; false of an infinity, and where there is none. */
static bool find_neutral(const struct rd_execution *execution, rd_wide *neutral)
{
    const struct rd_syntax_type *of = execution->element;
    rd_wide least, most;
    const bool is_integer = of && of->kind == RD_SYNTAX_INTEGER && rd_type_range(of, &least, &most);
    switch (execution->operation) {
    case RD_OPERATION_PRODUCT:
        *neutral = 1;
        return true;
    case RD_OPERATION_SUM:
    case RD_OPERATION_OR:
    case RD_OPERATION_XOR:
        *neutral = 0;
        return true;
    case RD_OPERATION_MAX:
        *neutral = is_integer ? least : 0;
        return is_integer;
    case RD_OPERATION_MIN:
        *neutral = is_integer ? most : 0;
        return is_integer;
    case RD_OPERATION_AND:
        *neutral = is_integer && of->is_signed ? -1 : is_integer ? most : 0;
        return is_integer;
    default:
        return false;
    }
}

bool rd_is_neutral(const struct rd_execution *execution, rd_wide number)
{
    rd_wide neutral;
    return find_neutral(execution, &neutral) && neutral == number;
}

static void fail_element(struct rd_execution *execution, const struct rd_syntax_node *node,
                         const char *stated)
{
    rd_wide neutral;
    if (find_neutral(execution, &neutral) && neutral < 0)
        rd_execution_fail(execution, node, "an element that is %s: neutral to %s is %lld alone",
                          stated, name_of(execution), (long long)neutral);
    else if (find_neutral(execution, &neutral))
        rd_execution_fail(execution, node, "an element that is %s: neutral to %s is %llu alone",
                          stated, name_of(execution), (unsigned long long)neutral);
    else
        rd_execution_fail(execution, node,
                          "an element that is %s: neutral to %s is %sINFINITY alone", stated,
                          name_of(execution), execution->operation == RD_OPERATION_MAX ? "-" : "");
}

struct value rd_element_stated(struct rd_execution *execution, const struct rd_syntax_node *node,
                               rd_wide number)
{
    char stated[24];
    execution->adds = true;
    if (execution->operation == RD_OPERATION_SUM)
        return rd_element_number(execution, number);
    snprintf(stated, sizeof stated, "%lld", (long long)number);
    if (!rd_is_neutral(execution, number))
        fail_element(execution, node, stated);
    return rd_element_number(execution, 0);
}

struct value rd_element_of_text(struct rd_execution *execution, const struct rd_syntax_node *node)
{
    if (execution->operation == RD_OPERATION_SUM)
        rd_execution_fail(execution, node, "an element that is %s", node->name);
    else
        fail_element(execution, node, node->name);
    return rd_nothing();
}

/* 1 of INFINITY, -1 of -INFINITY, else 0. */
static int infinity_of(const struct rd_syntax_node *node)
{
    static const char *const names[] = {"__builtin_inff", "__builtin_inf", "__builtin_huge_valf",
                                        "__builtin_huge_val", NULL};
    if (node->kind == RD_SYNTAX_CAST)
        return node->type && node->type->kind == RD_SYNTAX_FLOAT ? infinity_of(node->kids[0]) : 0;
    if (node->kind == RD_SYNTAX_UNARY && node->op && strcmp(node->op, "-") == 0)
        return -infinity_of(node->kids[0]);
    for (size_t k = 0; names[k] && node->kind == RD_SYNTAX_CALL && node->name; k++)
        if (strcmp(node->name, names[k]) == 0)
            return 1;
    return 0;
}

/* ---- combined ---- */

bool rd_is_ordered_as(const struct rd_execution *execution, const struct rd_syntax_type *type)
{
    const struct rd_syntax_type *of = execution->element;
    if (execution->operation != RD_OPERATION_MIN && execution->operation != RD_OPERATION_MAX)
        return true;
    if (!of || !type || of->kind != type->kind)
        return false;
    return of->kind == RD_SYNTAX_FLOAT ? type->bits >= of->bits
                                       : type->bits == of->bits && type->is_signed == of->is_signed;
}

struct value rd_combine(struct rd_execution *execution, const struct rd_syntax_node *node,
                        const char *op, struct value x, struct value y)
{
    const char *sign = spellings[execution->operation].sign;
    if (!sign || *op != *sign || (op[1] != '\0' && op[1] != '='))
        rd_execution_fail(execution, node, "'%s' of elements, of which the laws are of %s", op,
                          name_of(execution));
    return rd_element_sum(execution, x, y, 1);
}

/* The lesser or the greater of two, numbers or elements, which are compared in the type. */
static struct value selected(struct rd_execution *execution, const struct rd_syntax_node *node,
                             enum rd_operation operation, const struct rd_syntax_type *type,
                             struct value x, struct value y)
{
    struct rd_terms *terms = execution->terms;
    if (x.kind == VALUE_NUMBER && y.kind == VALUE_NUMBER) {
        const rd_term left = rd_value_number(execution, x), right = rd_value_number(execution, y);
        return rd_number_value(rd_choice(terms, rd_less(terms, left, right),
                                         operation == RD_OPERATION_MIN ? left : right,
                                         operation == RD_OPERATION_MIN ? right : left));
    }
    if (x.kind == VALUE_NUMBER)
        rd_become_element(execution, node, &x);
    else if (y.kind == VALUE_NUMBER)
        rd_become_element(execution, node, &y);
    if (x.kind != VALUE_ELEMENT || y.kind != VALUE_ELEMENT)
        rd_execution_fail(execution, node, "the %s of such operands", spellings[operation].name);
    else if (execution->operation != operation)
        rd_execution_fail(execution, node, "the %s of elements, of which the laws are of %s",
                          spellings[operation].name, name_of(execution));
    else if (!rd_is_ordered_as(execution, type))
        rd_execution_fail(execution, node, "elements that are compared in another type");
    return rd_element_sum(execution, x, y, 1);
}

static void select_of(struct rd_execution *execution, struct states *states,
                      const struct rd_syntax_node *node, enum rd_operation operation,
                      const struct rd_syntax_type *type, const struct rd_syntax_node *x,
                      const struct rd_syntax_node *y)
{
    rd_evaluate(execution, states, x);
    rd_evaluate(execution, states, y);
    for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++) {
        struct state *state = states->items[k];
        const struct value right = rd_state_pop(state), left = rd_state_pop(state);
        rd_state_push(execution, state, selected(execution, node, operation, type, left, right));
    }
}

bool rd_is_selection(const struct rd_syntax_node *node, enum rd_operation *operation)
{
    static const enum rd_operation selecting[] = {RD_OPERATION_MIN, RD_OPERATION_MAX};
    if (node->n_kids != 3 || !rd_is_call_of_system(node))
        return false;
    for (size_t s = 0; s < 2; s++)
        for (const char *const *call = spellings[selecting[s]].calls; *call; call++)
            if (strcmp(node->name, *call) == 0) {
                *operation = selecting[s];
                return true;
            }
    return false;
}

bool rd_call_selection(struct rd_execution *execution, struct states *states,
                       const struct rd_syntax_node *node)
{
    enum rd_operation operation;
    const bool is = rd_is_selection(node, &operation);
    if (is)
        select_of(execution, states, node, operation, node->type, node->kids[1], node->kids[2]);
    return is;
}

/* ---- written as a comparison ---- */

/* Without casts that keep each value. */
static const struct rd_syntax_node *plain(const struct rd_syntax_node *node)
{
    while (node->kind == RD_SYNTAX_CAST && node->type && node->kids[0]->type &&
           node->type->kind == node->kids[0]->type->kind &&
           (node->type->kind == RD_SYNTAX_FLOAT
                ? node->type->bits >= node->kids[0]->type->bits
                : node->type->kind == RD_SYNTAX_INTEGER &&
                      node->type->bits == node->kids[0]->type->bits &&
                      node->type->is_signed == node->kids[0]->type->is_signed))
        node = node->kids[0];
    return node;
}

static bool is_same_text(const char *x, const char *y)
{
    return x == y || (x && y && strcmp(x, y) == 0);
}

/* Tells whether both are the same expression, which changes nothing. */
static bool is_same(const struct rd_syntax_node *x, const struct rd_syntax_node *y)
{
    x = plain(x);
    y = plain(y);
    const bool steps = x->kind == RD_SYNTAX_UNARY && x->op &&
                       (strcmp(x->op, "++") == 0 || strcmp(x->op, "--") == 0);
    bool is = x->kind == y->kind && x->kind != RD_SYNTAX_CALL && x->kind != RD_SYNTAX_ASSIGN &&
              x->kind != RD_SYNTAX_OTHER && !steps && is_same_text(x->op, y->op) &&
              is_same_text(x->name, y->name) && x->declaration == y->declaration &&
              x->number == y->number && x->arrow == y->arrow && x->n_kids == y->n_kids &&
              (x->kind != RD_SYNTAX_CAST ||
               (x->type && y->type && x->type->kind == y->type->kind &&
                x->type->bits == y->type->bits && x->type->is_signed == y->type->is_signed));
    for (size_t k = 0; k < x->n_kids && is; k++)
        is = is_same(x->kids[k], y->kids[k]);
    return is;
}

/* x < y ? x : y, and its like: the operation, and its operands. False of others. */
struct selection {
    enum rd_operation operation;
    const struct rd_syntax_type *type; /* in which they are compared */
    const struct rd_syntax_node *x, *y;
};

static bool find_selection(const struct rd_syntax_node *condition, const struct rd_syntax_node *yes,
                           const struct rd_syntax_node *no, struct selection *selection)
{
    if (condition->kind != RD_SYNTAX_BINARY || !condition->op ||
        (*condition->op != '<' && *condition->op != '>') ||
        (condition->op[1] != '\0' && condition->op[1] != '='))
        return false;
    const struct rd_syntax_node *x = condition->kids[0], *y = condition->kids[1];
    const bool as_compared = is_same(x, yes) && is_same(y, no),
               turned = is_same(y, yes) && is_same(x, no), takes_less = *condition->op == '<';
    *selection = (struct selection){.operation = takes_less == as_compared ? RD_OPERATION_MIN
                                                                           : RD_OPERATION_MAX,
                                    .type = x->type,
                                    .x = plain(yes),
                                    .y = plain(no)};
    return as_compared != turned;
}

bool rd_evaluate_selection(struct rd_execution *execution, struct states *states,
                           const struct rd_syntax_node *node)
{
    struct selection found;
    if (execution->operation == RD_OPERATION_SUM)
        return false;
    const int infinity = infinity_of(node);
    if (infinity != 0) {
        if (infinity != (execution->operation == RD_OPERATION_MIN   ? 1
                         : execution->operation == RD_OPERATION_MAX ? -1
                                                                    : 0))
            fail_element(execution, node, infinity > 0 ? "INFINITY" : "-INFINITY");
        for (size_t k = 0; k < states->count && rd_execution_goes(execution); k++)
            rd_state_push(execution, states->items[k], rd_element_number(execution, 0));
        return true;
    }
    if (node->kind != RD_SYNTAX_CONDITIONAL ||
        !find_selection(node->kids[0], node->kids[1], node->kids[2], &found))
        return false;
    select_of(execution, states, node, found.operation, found.type, found.x, found.y);
    return true;
}

static const struct rd_syntax_node *only_statement(const struct rd_syntax_node *node)
{
    while (node->kind == RD_SYNTAX_BLOCK && node->n_kids == 1)
        node = node->kids[0];
    return node;
}

/* Writes T also where it keeps its value, T = x > T ? x : T: goals of races then cover more writes than
 * there are. */
bool rd_perform_selection(struct rd_execution *execution, struct states *states,
                          const struct rd_syntax_node *node)
{
    const struct rd_syntax_node *condition = node->kids[0], *guard = NULL,
                                *branch = only_statement(node->kids[1]);
    struct selection found;
    if (execution->operation == RD_OPERATION_SUM || node->n_kids != 2 ||
        branch->kind != RD_SYNTAX_ASSIGN || !branch->op || strcmp(branch->op, "=") != 0)
        return false;
    if (condition->kind == RD_SYNTAX_BINARY && condition->op && strcmp(condition->op, "&&") == 0) {
        guard = condition->kids[0];
        condition = condition->kids[1];
    }
    if (!find_selection(condition, branch->kids[1], branch->kids[0], &found))
        return false;
    const struct rd_syntax_node *const choice_kids[] = {condition, branch->kids[1],
                                                        branch->kids[0]};
    struct rd_syntax_node choice = *branch, assignment = *branch, guarded = *node;
    choice.kind = RD_SYNTAX_CONDITIONAL;
    choice.op = NULL;
    choice.n_kids = 3;
    choice.kids = choice_kids;
    const struct rd_syntax_node *const kids[] = {branch->kids[0], &choice};
    assignment.kids = kids;
    const struct rd_syntax_node *const guarded_kids[] = {guard, &assignment};
    guarded.kids = guarded_kids;
    rd_perform(execution, states, guard ? &guarded : &assignment);
    return true;
}
