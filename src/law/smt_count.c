// SPDX-License-Identifier: MIT
/* Counts in SMT-LIB. */
#include "law/smt_writer.h"
#include "law/plan.h"
#include "law/cells.h"

#include <inttypes.h>
#include <stdlib.h>

/* The multiplicity of the input j in a value: once for the element j itself, and the sum of its terms'. */

enum { FIRST_INPUT = 0 };

static void refuse_count(struct smt_writer *to, const struct law_node *node, const char *what)
{
    if (!rd_smt_has_failed(to))
        rd_law_run_fail(to->run, node, "how often an input is in it can't be said in SMT-LIB: %s",
                        what);
}

/* ---- what may hold the input ---- */

static bool is_chosen(const struct law_node *node)
{
    return node->meaning == LAW_IS_INPUT && node->array->index == FIRST_INPUT;
}

/* The parts of a term that may hold it: all but numbers and the other inputs. */
static size_t count_holders(const struct law_node *node, const struct law_node **holder)
{
    size_t count = 0;
    if (!node->data || (node->meaning == LAW_IS_INPUT && !is_chosen(node)))
        return 0;
    const bool inner = node->kind == LAW_BINARY || node->kind == LAW_NEGATIVE;
    for (size_t k = 0; inner && k < node->n_kids; k++)
        count += count_holders(node->kids[k], holder);
    if (!inner) {
        *holder = node;
        count = 1;
    }
    return count;
}

/* ---- sums whose term is an element that they go through: one case at most ---- */

static bool is_bound_here(const struct law_binding *binding, const struct law_node *index)
{
    for (size_t k = 0; index->meaning == LAW_IS_VARIABLE && k < binding->n_variables; k++)
        if (binding->variables[k].slot == index->slot)
            return true;
    return false;
}

/* Tells whether the element's indices are the variables of the binding, each once. */
static bool goes_through(const struct law_binding *binding, const struct law_node *element)
{
    uint32_t slots = 0;
    if (!is_chosen(element) || element->n_kids != binding->n_variables)
        return false;
    for (size_t k = 0; k < element->n_kids; k++) {
        if (element->kids[k]->kind != LAW_NAME || !is_bound_here(binding, element->kids[k]))
            return false;
        slots |= 1u << element->kids[k]->slot;
    }
    return (size_t)__builtin_popcount(slots) == binding->n_variables;
}

/* The index of the input in this dimension: the digits of a number. The caller frees it. */
static char *digit_of(struct smt_writer *to, const struct law_array *array, size_t dimension)
{
    int64_t below = 1, size = 0;
    char *text = NULL;
    size_t length;
    for (size_t k = dimension; k < array->n_sizes; k++)
        if (!rd_law_number(to->run, array->sizes[k], &size) ||
            (k > dimension && __builtin_mul_overflow(below, size, &below)))
            return NULL;
    if (!rd_law_number(to->run, array->sizes[dimension], &size))
        return NULL;
    FILE *out = open_memstream(&text, &length);
    if (!out) {
        rd_law_run_no_memory(to->run);
        return NULL;
    }
    if (below > 1 && dimension > 0)
        fprintf(out, "(mod (div %s %" PRId64 ") %" PRId64 ")", to->input, below, size);
    else if (below > 1)
        fprintf(out, "(div %s %" PRId64 ")", to->input, below);
    else if (dimension > 0)
        fprintf(out, "(mod %s %" PRId64 ")", to->input, size);
    else
        fputs(to->input, out);
    fclose(out);
    return text;
}

static void write_conditions(struct smt_writer *to, const struct law_node *sum)
{
    fputs(sum->n_kids > 2 ? "(and" : "", to->out);
    for (size_t k = 1; k < sum->n_kids; k++) {
        fputs(sum->n_kids > 2 ? " " : "", to->out);
        rd_smt_condition(to, sum->kids[k]);
    }
    fputs(sum->n_kids > 2 ? ")" : "", to->out);
}

static void write_through(struct smt_writer *to, const struct law_node *sum,
                          const struct law_node *element)
{
    char *digits[LAW_INDICES_MAX + 1] = {NULL};
    const struct smt_scope outer = *to->scope;
    for (size_t k = 0; k < element->n_kids; k++) {
        digits[k] = digit_of(to, element->array, k);
        to->scope->terms[element->kids[k]->slot] = digits[k];
        to->scope->known &= ~(1u << element->kids[k]->slot);
    }
    if (!rd_smt_has_failed(to)) {
        fputs(sum->n_kids > 1 ? "(ite " : "1", to->out);
        write_conditions(to, sum);
        fputs(sum->n_kids > 1 ? " 1 0)" : "", to->out);
    }
    *to->scope = outer;
    for (size_t k = 0; k < element->n_kids; k++)
        free(digits[k]);
}

/* ---- other sums: case by case ---- */

struct spelling {
    const struct law_node *sum;
    const struct law_plan *plan;
    size_t cases;
};

static void take_end(int64_t bound, bool inclusive, int64_t *end)
{
    if (bound < *end - inclusive)
        *end = bound + inclusive;
}

/* Finds the variable's end: the least of its bounds that are numbers. */
static bool find_end(struct smt_writer *to, const struct law_plan_level *level, int64_t *end)
{
    int64_t bound;
    *end = INT64_MAX;
    for (size_t k = 0; k < level->n_limits; k++)
        if (rd_smt_known(to, level->limits[k].size, &bound))
            take_end(bound, level->limits[k].inclusive, end);
    for (size_t k = 0; k < level->n_hints; k++) {
        const struct law_hint *hint = &level->hints[k];
        if (k >= level->n_narrowing && *end < INT64_MAX)
            break;
        if (hint->side->kind == LAW_NAME && !hint->modulus &&
            (hint->relation == LAW_LESS || hint->relation == LAW_LESS_EQUAL) &&
            rd_smt_known(to, hint->other, &bound))
            take_end(bound, hint->relation == LAW_LESS_EQUAL, end);
    }
    return *end < INT64_MAX;
}

/* 1: it holds, 0: it doesn't, -1: that isn't known. */
static int is_true(struct smt_writer *to, const struct law_node *condition)
{
    bool holds;
    const uint32_t variables = rd_law_variables(condition);
    if (variables & ~to->scope->known)
        return -1;
    for (unsigned slot = 0; slot < LAW_VARIABLES_MAX; slot++)
        if (variables & 1u << slot)
            *rd_law_run_variable(to->run, slot) = to->scope->numbers[slot];
    return rd_law_condition(to->run, condition, &holds) ? holds : 0;
}

static void write_case(struct smt_writer *to, struct spelling *spelling)
{
    enum { CASES_MAX = 4096 };
    const struct law_node *sum = spelling->sum;
    int holds = 1;
    for (size_t k = 1; k < sum->n_kids && holds != 0; k++) {
        int here = is_true(to, sum->kids[k]);
        holds = here < 1 ? here : holds;
    }
    if (holds == 0 || rd_smt_has_failed(to))
        return;
    if (++spelling->cases > CASES_MAX) {
        refuse_count(to, sum, "it has too many cases; take a smaller n");
        return;
    }
    fputs(holds < 0 ? " (ite " : " ", to->out);
    if (holds < 0) {
        write_conditions(to, sum);
        fputc(' ', to->out);
    }
    rd_smt_count(to, sum->kids[0]);
    fputs(holds < 0 ? " 0)" : "", to->out);
}

static void write_cases(struct smt_writer *to, struct spelling *spelling, size_t index)
{
    int64_t end;
    if (index == spelling->plan->n_levels) {
        write_case(to, spelling);
        return;
    }
    const struct law_plan_level *level = &spelling->plan->levels[index];
    if (!find_end(to, level, &end)) {
        refuse_count(to, spelling->sum, "a variable has no bound that is a number here");
        return;
    }
    const struct smt_scope outer = *to->scope;
    to->scope->known |= 1u << level->slot;
    for (int64_t v = 0; v < end && !rd_smt_has_failed(to); v++) {
        if (!rd_law_run_work(to->run, spelling->sum))
            break;
        to->scope->numbers[level->slot] = v;
        write_cases(to, spelling, index + 1);
    }
    *to->scope = outer;
}

static void write_sum(struct smt_writer *to, const struct law_node *sum)
{
    const struct law_node *holder = NULL;
    const size_t holders = count_holders(sum->kids[0], &holder);
    struct spelling spelling = {.sum = sum, .plan = sum->binding->plan};
    if (holders == 0) {
        fputc('0', to->out);
    } else if (holders == 1 && goes_through(sum->binding, holder)) {
        write_through(to, sum, holder);
    } else {
        fputs("(+ 0", to->out);
        write_cases(to, &spelling, 0);
        fputc(')', to->out);
    }
}

/* ---- an array inside a kernel, after its last step: what its law says there ---- */

struct finding {
    struct smt_writer *to;
    int64_t cell;
    bool found;
};

static bool visit_cell(struct rd_law_run *run, const struct law_claimed *claimed, void *context)
{
    struct finding *finding = context;
    if (!claimed->outside && claimed->cell == finding->cell && !finding->found) {
        struct smt_scope *outer = finding->to->scope;
        struct smt_scope scope = rd_smt_scope_of_case(run, claimed->claim->binding);
        finding->found = true;
        finding->to->scope = &scope;
        rd_smt_count(finding->to, claimed->claim->value);
        finding->to->scope = outer;
    }
    return run->status == RD_OK;
}

static void write_at_point(struct smt_writer *to, const struct law_node *node,
                           const int64_t *indices)
{
    const size_t outer = node->n_kids - node->section->array->n_sizes;
    const struct rd_law_place place = {.d = (uint64_t)to->run->quantities[LAW_D],
                                       .block = (uint64_t)indices[0],
                                       .warp = outer > 1 ? (uint64_t)indices[1] : 0};
    const struct law_position position = rd_law_run_position(to->run);
    struct finding finding = {.to = to};
    to->run->base = to->run->top;
    if (rd_law_run_go(to->run, node->section, &place) && rd_law_go_to_last_step(to->run) &&
        rd_law_flat_index(to->run, node, node->section->array, indices + outer, &finding.cell))
        rd_law_claimed_cells(to->run, &node->section->claims[RD_LAW_LAW], visit_cell, &finding);
    rd_law_run_return(to->run, &position);
    if (!finding.found)
        refuse_count(to, node, "the law says nothing of that cell");
}

static void write_last(struct smt_writer *to, const struct law_node *node)
{
    int64_t indices[LAW_INDICES_MAX + 1] = {0};
    for (size_t k = 0; k < node->n_kids; k++) {
        if (!rd_smt_known(to, node->kids[k], &indices[k]) || indices[k] < 0) {
            refuse_count(to, node,
                         "it is of an array inside the kernel, at an index that is no number");
            return;
        }
    }
    write_at_point(to, node, indices);
}

/* ---- values ---- */

/* Each element of a product counts once, however often it is in it: with one that may hold the input, that is its count. */
static void count_binary(struct smt_writer *to, const struct law_node *node)
{
    const struct law_node *holder = NULL, *only = NULL;
    const bool product = node->op == LAW_TIMES || node->op == LAW_POWER;
    size_t holding = 0;
    for (size_t k = 0; k < node->n_kids; k++) {
        if (count_holders(node->kids[k], &holder) == 0)
            continue;
        only = node->kids[k];
        holding++;
    }
    if (holding == 0) {
        fputc('0', to->out);
    } else if (rd_law_may_be_empty(node)) {
        refuse_count(to, node, "a product with a defined value, which may be a sum of nothing");
    } else if (holding == 1) {
        rd_smt_count(to, only);
    } else if (product) {
        refuse_count(to, node, "a product of two values that may both hold it");
    } else {
        fputs("(+ ", to->out);
        rd_smt_count(to, node->kids[0]);
        fputc(' ', to->out);
        rd_smt_count(to, node->kids[1]);
        fputc(')', to->out);
    }
}

static void write_element(struct smt_writer *to, const struct law_node *node)
{
    if (node->meaning == LAW_IS_STATE) {
        fprintf(to->out, "(select %s ", to->array);
        rd_smt_flat(to, node, node->array);
        fputc(')', to->out);
    } else if (node->meaning == LAW_IS_LAST_STATE) {
        write_last(to, node);
    } else if (is_chosen(node)) {
        fputs("(ite (= ", to->out);
        rd_smt_flat(to, node, node->array);
        fprintf(to->out, " %s) 1 0)", to->input);
    } else {
        fputc('0', to->out);
    }
}

void rd_smt_count(struct smt_writer *to, const struct law_node *value)
{
    if (rd_smt_has_failed(to) || !rd_law_run_work(to->run, value))
        return;
    if (!value->data)
        fputc('0', to->out);
    else if (value->meaning == LAW_IS_DEFINITION)
        rd_smt_defined(to, value, rd_smt_count);
    else if (value->kind == LAW_REDUCTION)
        write_sum(to, value);
    else if (value->kind == LAW_BINARY)
        count_binary(to, value);
    else if (value->kind == LAW_NEGATIVE)
        rd_smt_count(to, value->kids[0]);
    else
        write_element(to, value);
}
