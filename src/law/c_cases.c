// SPDX-License-Identifier: MIT
/* Loops over the cases of a binding, and the reductions over them, in C. */
#include "law/c_writer.h"
#include "law/plan.h"
#include "element/operation_table.h"

#include <string.h>

void rd_c_indent(struct c_writer *to)
{
    for (unsigned k = 0; k < to->function->indent; k++)
        fputs("    ", to->function->body);
}

void rd_c_line(struct c_writer *to, const char *format, ...)
{
    va_list args;
    rd_c_indent(to);
    va_start(args, format);
    vfprintf(to->function->body, format, args);
    va_end(args);
    fputc('\n', to->function->body);
}

/* ---- a level ---- */

/* A condition that the loop of a variable has seen to, and that need not be asked again. */
struct level_writer {
    const struct law_plan_level *level;
    const struct law_hint *said[LAW_VARIABLES_MAX];
    size_t n_said;
    bool braces;
};

static bool is_variable(const struct law_node *node, unsigned slot)
{
    return node->kind == LAW_NAME && node->meaning == LAW_IS_VARIABLE && node->slot == slot;
}

static bool is_bound(const struct law_hint *hint, unsigned slot)
{
    return is_variable(hint->side, slot) && !hint->modulus;
}

static bool is_below(const struct law_hint *hint)
{
    return hint->relation == LAW_LESS || hint->relation == LAW_LESS_EQUAL;
}

static void say(struct level_writer *of, const struct law_hint *hint)
{
    if (of->n_said < LAW_VARIABLES_MAX)
        of->said[of->n_said++] = hint;
}

static bool was_said(const struct level_writer *of, const struct law_node *check)
{
    for (size_t k = 0; k < of->n_said; k++) {
        const struct law_hint *hint = of->said[k];
        if (check->n_kids >= 2 &&
            ((check->kids[0] == hint->side && check->kids[1] == hint->other) ||
             (check->kids[1] == hint->side && check->kids[0] == hint->other)))
            return true;
    }
    return false;
}

static const struct law_hint *find_equation(const struct law_plan_level *level)
{
    for (size_t k = 0; k < level->n_narrowing; k++)
        if (is_bound(&level->hints[k], level->slot) && level->hints[k].relation == LAW_EQUAL)
            return &level->hints[k];
    return NULL;
}

/* From where the loop starts: the first bound that isn't 0 and can't be less. All others say nothing, or are asked. */
static const struct law_hint *write_start(struct c_writer *to, struct level_writer *of)
{
    const struct law_hint *start = NULL;
    for (size_t k = 0; k < of->level->n_narrowing; k++) {
        const struct law_hint *hint = &of->level->hints[k];
        if (!is_bound(hint, of->level->slot) || is_below(hint) ||
            (hint->relation != LAW_GREATER && hint->relation != LAW_GREATER_EQUAL))
            continue;
        if (hint->other->kind == LAW_NUMBER && hint->other->number == 0 &&
            hint->relation == LAW_GREATER_EQUAL)
            say(of, hint);
        else if (!start && rd_c_is_natural(hint->other, to->function->signed_slots))
            start = hint;
    }
    if (start) {
        say(of, start);
        rd_c_expression(to, start->other, C_LEVEL_SUM);
        fputs(start->relation == LAW_GREATER ? " + 1" : "", to->function->body);
    } else {
        fputc('0', to->function->body);
    }
    return start;
}

static void write_end(struct c_writer *to, const struct law_node *end, bool inclusive,
                      const char *name, bool *any)
{
    fputs(*any ? " && " : "", to->function->body);
    rd_c_name(name, to->function->body);
    fputs(inclusive ? " <= " : " < ", to->function->body);
    rd_c_expression(to, end, C_LEVEL_SUM);
    *any = true;
}

static bool is_said_by_bound(const struct level_writer *of, const struct law_limit *limit)
{
    for (size_t k = 0; k < of->level->n_narrowing; k++) {
        const struct law_hint *hint = &of->level->hints[k];
        if (is_bound(hint, of->level->slot) && hint->relation == LAW_LESS && !limit->inclusive &&
            rd_law_same_node(hint->other, limit->size))
            return true;
    }
    return false;
}

static bool is_said_before(const struct law_plan_level *level, size_t index)
{
    for (size_t k = 0; k < index; k++)
        if (level->limits[k].inclusive == level->limits[index].inclusive &&
            rd_law_same_node(level->limits[k].size, level->limits[index].size))
            return true;
    return false;
}

/* i + w < T, which becomes false once and stays so. */
static const struct law_hint *find_growing(const struct law_plan_level *level)
{
    for (size_t k = 0; k < level->n_hints; k++) {
        const struct law_hint *hint = &level->hints[k];
        const struct law_node *side = hint->side;
        if (is_below(hint) && !hint->modulus && side->kind == LAW_BINARY && side->op == LAW_ADD &&
            is_variable(side->kids[0], level->slot) != is_variable(side->kids[1], level->slot) &&
            !(rd_law_variables(side->kids[is_variable(side->kids[0], level->slot)]) &
              1u << level->slot))
            return hint;
    }
    return NULL;
}

/* Writes the loop's condition: below all bounds, and below the sizes of the arrays that the variable indexes. */
static void write_ends(struct c_writer *to, struct level_writer *of)
{
    const struct law_plan_level *level = of->level;
    bool any = false;
    for (size_t k = 0; k < level->n_hints; k++) {
        const struct law_hint *hint = &level->hints[k];
        if (k >= level->n_narrowing && (any || level->n_limits > 0))
            break;
        if (!is_bound(hint, level->slot) || !is_below(hint))
            continue;
        write_end(to, hint->other, hint->relation == LAW_LESS_EQUAL, level->name, &any);
        say(of, hint);
    }
    for (size_t k = 0; k < level->n_limits; k++)
        if (!is_said_by_bound(of, &level->limits[k]) && !is_said_before(level, k))
            write_end(to, level->limits[k].size, level->limits[k].inclusive, level->name, &any);
    const struct law_hint *growing = any ? NULL : find_growing(level);
    if (growing) {
        rd_c_expression(to, growing->side, C_LEVEL_SUM);
        fputs(growing->relation == LAW_LESS ? " < " : " <= ", to->function->body);
        rd_c_expression(to, growing->other, C_LEVEL_SUM);
        say(of, growing);
    } else if (!any) {
        const struct law_node at = {.span = level->span};
        rd_c_fail(to, &at, "'%.40s' has no bound that a loop in C could have", level->name);
    }
}

/* i = 0 mod D: every D-th. */
static const struct law_hint *find_stride(const struct law_plan_level *level)
{
    for (size_t k = 0; k < level->n_narrowing; k++) {
        const struct law_hint *hint = &level->hints[k];
        if (is_variable(hint->side, level->slot) && hint->modulus &&
            hint->other->kind == LAW_NUMBER && hint->other->number == 0 &&
            rd_c_is_positive(hint->modulus))
            return hint;
    }
    return NULL;
}

static void write_loop(struct c_writer *to, struct level_writer *of)
{
    FILE *out = to->function->body;
    const char *name = of->level->name;
    rd_c_indent(to);
    fputs("for (int64_t ", out);
    rd_c_name(name, out);
    fputs(" = ", out);
    const struct law_hint *start = write_start(to, of), *stride = NULL;
    fputs("; ", out);
    write_ends(to, of);
    fputs("; ", out);
    rd_c_name(name, out);
    if (!start && (stride = find_stride(of->level))) {
        fputs(" += ", out);
        rd_c_expression(to, stride->modulus, C_LEVEL_OR);
        say(of, stride);
    } else {
        fputs("++", out);
    }
    fputs(of->braces ? ") {\n" : ")\n", out);
    to->function->indent++;
}

/* ---- conditions ---- */

struct conditions {
    size_t count;
    bool braces;
};

static void begin_condition(struct c_writer *to, struct conditions *conditions)
{
    if (conditions->count == 0)
        rd_c_indent(to);
    fputs(conditions->count++ > 0 ? " && " : "if (", to->function->body);
}

static void add_condition(struct c_writer *to, struct conditions *conditions,
                          const struct law_node *check)
{
    begin_condition(to, conditions);
    rd_c_expression(to, check, C_LEVEL_AND);
}

/* Returns the number of levels that were opened: 0 or 1. */
static unsigned end_conditions(struct c_writer *to, const struct conditions *conditions)
{
    if (conditions->count == 0)
        return 0;
    fputs(conditions->braces ? ") {\n" : ")\n", to->function->body);
    to->function->indent++;
    return 1;
}

/* Opens a variable that is known at once: no loop, but the conditions that a loop would have seen to. */
static void write_equation(struct c_writer *to, struct level_writer *of,
                           const struct law_hint *equation, struct conditions *conditions)
{
    const struct law_plan_level *level = of->level;
    char *value = rd_c_text(to, equation->other, C_LEVEL_OR);
    rd_c_indent(to);
    fputs("const int64_t ", to->function->body);
    rd_c_name(level->name, to->function->body);
    fprintf(to->function->body, " = %s;\n", value ? value : "");
    free(value);
    say(of, equation);
    bool any = true;
    if (!rd_c_is_natural(equation->other, to->function->signed_slots)) {
        begin_condition(to, conditions);
        rd_c_name(level->name, to->function->body);
        fputs(" >= 0", to->function->body);
    }
    for (size_t k = 0; k < level->n_limits; k++) {
        if (is_said_before(level, k) || is_said_by_bound(of, &level->limits[k]))
            continue;
        begin_condition(to, conditions);
        any = false;
        write_end(to, level->limits[k].size, level->limits[k].inclusive, level->name, &any);
    }
}

static unsigned open_level(struct c_writer *to, const struct law_plan_level *level, bool braces)
{
    struct level_writer of = {.level = level, .braces = braces};
    struct conditions conditions = {.braces = braces};
    const struct law_hint *equation = find_equation(level);
    if (equation)
        write_equation(to, &of, equation, &conditions);
    else
        write_loop(to, &of);
    for (size_t k = 0; k < level->n_checks; k++)
        if (!was_said(&of, level->checks[k]))
            add_condition(to, &conditions, level->checks[k]);
    return end_conditions(to, &conditions) + !equation;
}

static bool has_equation(const struct law_plan *plan)
{
    for (size_t k = 0; k < plan->n_levels; k++)
        if (find_equation(&plan->levels[k]))
            return true;
    return false;
}

/* The level at whose head the condition is asked: 0, ahead of all loops. */
static size_t level_of(const struct law_plan *plan, const struct law_node *check)
{
    for (size_t k = 0; k < plan->n_checks; k++)
        if (rd_law_same_node(plan->checks[k], check))
            return 0;
    for (size_t level = 0; level < plan->n_levels; level++)
        for (size_t k = 0; k < plan->levels[level].n_checks; k++)
            if (rd_law_same_node(plan->levels[level].checks[k], check))
                return level + 1;
    return SIZE_MAX;
}

static bool come_too_early(const struct law_plan *plan, struct law_node *const *checks,
                           size_t n_checks, size_t level)
{
    for (size_t k = 0; k < n_checks; k++)
        if (!rd_c_is_total(checks[k]) && level_of(plan->otherwise, checks[k]) > level)
            return true;
    return false;
}

/* C would divide by 0 where a condition comes ahead of what the law asks to its left, or of a range that may be empty. */
static const struct law_plan *plan_of(const struct law_binding *binding)
{
    const struct law_plan *plan = binding->plan;
    bool early = plan->otherwise && come_too_early(plan, plan->checks, plan->n_checks, 0);
    for (size_t k = 0; plan->otherwise && k < plan->n_levels; k++)
        early |= come_too_early(plan, plan->levels[k].checks, plan->levels[k].n_checks, k + 1);
    return early ? plan->otherwise : plan;
}

struct c_cases rd_c_open_cases(struct c_writer *to, const struct law_binding *binding, bool braces)
{
    struct c_cases cases = {.braces = braces};
    if (!binding)
        return cases;
    const struct law_plan *plan = plan_of(binding);
    cases.braces |= has_equation(plan);
    struct conditions conditions = {.braces = cases.braces};
    if (plan->n_levels > 0 && find_equation(&plan->levels[0])) {
        rd_c_line(to, "{"); /* what is declared is of this binding alone */
        to->function->indent++;
        cases.count++;
    }
    for (size_t k = 0; k < plan->n_checks; k++)
        add_condition(to, &conditions, plan->checks[k]);
    cases.count += end_conditions(to, &conditions);
    for (size_t k = 0; k < plan->n_levels; k++)
        cases.count += open_level(to, &plan->levels[k], cases.braces);
    return cases;
}

void rd_c_close(struct c_writer *to, struct c_cases cases)
{
    for (; cases.count > 0; cases.count--) {
        to->function->indent--;
        if (cases.braces)
            rd_c_line(to, "}");
    }
}

/* ---- reductions ---- */

static bool has_reduction(const struct law_node *node)
{
    if (node->kind == LAW_REDUCTION)
        return true;
    for (size_t k = 0; k < node->n_kids; k++)
        if (has_reduction(node->kids[k]))
            return true;
    return false;
}

/* Tells whether the loops come to the indices of the term's element from the lowest on. */
static bool ascends(const struct law_node *node)
{
    return node->binding && node->binding->n_variables == 1 &&
           node->kids[0]->kids[0]->kind == LAW_NAME;
}

/* The least index at which the term, an element of an input, is least, or greatest; -1 of nothing. */
static void write_selection(struct c_writer *to, const struct law_node *node, const char *sum)
{
    const struct law_node *element = node->kids[0];
    if (element->kind != LAW_ELEMENT || element->meaning != LAW_IS_INPUT || element->n_kids > 1) {
        rd_c_fail(to, node, "C has a sentence for '%s of' an element of a list alone",
                  rd_operation_name((enum rd_operation)node->op));
        return;
    }
    char *term = rd_c_text(to, element, C_LEVEL_PRIMARY);
    char *index = rd_c_text(to, element->kids[0], C_LEVEL_SUM);
    if (term && index) {
        const int array = (int)strcspn(term, "[");
        const char *const better = node->op == RD_OPERATION_ARGMIN ? "<" : ">";
        if (ascends(node))
            rd_c_line(to, "if (%s < 0 || %s %s %.*s[%s])", sum, term, better, array, term, sum);
        else
            rd_c_line(to, "if (%s < 0 || %s %s %.*s[%s] || (%s == %.*s[%s] && %s < %s))", sum, term,
                      better, array, term, sum, term, array, term, sum, index, sum);
        rd_c_line(to, "    %s = %s;", sum, index);
    }
    free(term);
    free(index);
}

/* sum += term, by the operation. */
static void write_step(struct c_writer *to, const struct law_node *node, const char *sum)
{
    const struct rd_operation_row *row = rd_operation_row((enum rd_operation)node->op);
    if (rd_operation_selects((enum rd_operation)node->op)) {
        write_selection(to, node, sum);
        return;
    }
    char *term = rd_c_text(to, node->kids[0], C_LEVEL_SUM);
    if (node->op == RD_OPERATION_MIN || node->op == RD_OPERATION_MAX)
        to->helpers |= 1u << (node->op == RD_OPERATION_MIN ? C_MIN : C_MAX);
    if (term)
        rd_c_line(to, row->c_step, sum, term);
    free(term);
}

/* False: the function has too many reductions. */
static bool name_sum(struct c_writer *to, const struct law_node *node, char *name, size_t size)
{
    struct c_function *function = to->function;
    struct c_sum sum = {.node = node, .word = to->words[node->op], .number = 1};
    if (function->n_sums == C_SUMS_MAX)
        return false;
    for (unsigned k = 0; k < function->n_sums; k++)
        sum.number += strcmp(function->sums[k].word, sum.word) == 0;
    function->sums[function->n_sums++] = sum;
    FILE *out = fmemopen(name, size, "w");
    if (!out)
        return false;
    rd_c_sum(&sum, out);
    fclose(out);
    return true;
}

static void write_reduction(struct c_writer *to, const struct law_node *node)
{
    static const char *const numbers[] = {
        [RD_VALUE_ZERO] = "0",
        [RD_VALUE_ONE] = "1",
        [RD_VALUE_ALL_ONES] = "-1",
        [RD_VALUE_LARGEST] = "INT64_MAX",
        [RD_VALUE_SMALLEST] = "INT64_MIN",
        [RD_VALUE_NO_INDEX] = "-1",
    };
    const struct rd_operation_row *row = rd_operation_row((enum rd_operation)node->op);
    char sum[80];
    if (!name_sum(to, node, sum, sizeof sum)) {
        rd_c_fail(to, node, "too many reductions for one function in C");
        return;
    }
    rd_c_line(to, "elem %s = %s;", sum, numbers[row->identity]);
    struct c_cases cases = rd_c_open_cases(to, node->binding, has_reduction(node->kids[0]));
    rd_c_reductions(to, node->kids[0]);
    write_step(to, node, sum);
    rd_c_close(to, cases);
}

void rd_c_reductions(struct c_writer *to, const struct law_node *value)
{
    if (value->kind == LAW_REDUCTION) {
        write_reduction(to, value);
        return;
    }
    for (size_t k = 0; value->data && k < value->n_kids; k++)
        rd_c_reductions(to, value->kids[k]);
}
