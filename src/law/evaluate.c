// SPDX-License-Identifier: MIT
/* Evaluates the tree of a law: numbers and conditions. */
#include "law/run.h"

#include <inttypes.h>
#include <stdlib.h>

static bool undefined(struct rd_law_run *run, const struct law_node *node, const char *why)
{
    return rd_law_run_fail(run, node, "%s: undefined", why);
}

static bool too_large(struct rd_law_run *run, const struct law_node *node)
{
    return undefined(run, node, "the number is 2^63 or more");
}

/* ---- operators ---- */

/* Rounded down. */
static bool divide(struct rd_law_run *run, const struct law_node *node, int64_t x, int64_t y,
                   int64_t *quotient, int64_t *remainder)
{
    if (y == 0)
        return undefined(run, node, "division by 0");
    if (x == INT64_MIN && y == -1)
        return too_large(run, node);
    *quotient = x / y;
    *remainder = x % y;
    if (*remainder != 0 && (*remainder < 0) != (y < 0)) {
        *quotient -= 1;
        *remainder += y;
    }
    return true;
}

static bool power(struct rd_law_run *run, const struct law_node *node, int64_t base,
                  int64_t exponent, int64_t *value)
{
    if (exponent < 0)
        return undefined(run, node, "a negative exponent");
    *value = 1;
    if (base == 0 || base == 1 || base == -1) {
        *value = exponent == 0 ? 1 : base == -1 && exponent % 2 == 0 ? 1 : base;
        return true;
    }
    for (; exponent > 0; exponent--)
        if (__builtin_mul_overflow(*value, base, value))
            return too_large(run, node);
    return true;
}

static bool binary(struct rd_law_run *run, const struct law_node *node, int64_t *value)
{
    int64_t x, y, quotient, remainder;
    if (!rd_law_number(run, node->kids[0], &x) || !rd_law_number(run, node->kids[1], &y))
        return false;
    switch ((enum law_operator)node->op) {
    case LAW_ADD:
        return !__builtin_add_overflow(x, y, value) || too_large(run, node);
    case LAW_SUBTRACT:
        return !__builtin_sub_overflow(x, y, value) || too_large(run, node);
    case LAW_TIMES:
        return !__builtin_mul_overflow(x, y, value) || too_large(run, node);
    case LAW_XOR:
        if (x < 0 || y < 0)
            return undefined(run, node, "'xor' of a negative number");
        *value = x ^ y;
        return true;
    case LAW_POWER:
        return power(run, node, x, y, value);
    case LAW_SLASH:
    case LAW_PERCENT:
        if (x < 0 || y < 0)
            return undefined(
                run, node,
                node->op == LAW_SLASH
                    ? "'/' of a negative number, where C rounds towards 0 ('div' rounds down)"
                    : "'%' of a negative number, where C rounds towards 0 ('mod' rounds down)");
        break;
    default:
        break;
    }
    if (!divide(run, node, x, y, &quotient, &remainder))
        return false;
    *value = node->op == LAW_SLASH || node->op == LAW_DIV ? quotient : remainder;
    return true;
}

/* ---- functions ---- */

/* The largest r with r*r <= x. */
static int64_t root_of(int64_t x)
{
    int64_t root = 0;
    for (int64_t bit = (int64_t)1 << 31; bit > 0; bit >>= 1)
        if ((root | bit) <= 3037000499 && (root | bit) * (root | bit) <= x)
            root |= bit;
    return root;
}

static bool extreme(struct rd_law_run *run, const struct law_node *node, int64_t *value)
{
    if (!rd_law_number(run, node->kids[0], value))
        return false;
    for (size_t k = 1; k < node->n_kids; k++) {
        int64_t other;
        if (!rd_law_number(run, node->kids[k], &other))
            return false;
        if (node->op == LAW_MIN ? other < *value : other > *value)
            *value = other;
    }
    return true;
}

static bool quotient(struct rd_law_run *run, const struct law_node *node, int64_t *value)
{
    int64_t x, y, remainder;
    if (!rd_law_number(run, node->kids[0], &x) || !rd_law_number(run, node->kids[1], &y) ||
        !divide(run, node, x, y, value, &remainder))
        return false;
    if (node->op == LAW_CEIL && remainder != 0)
        ++*value;
    return true;
}

static bool call(struct rd_law_run *run, const struct law_node *node, int64_t *value)
{
    int64_t x;
    if (node->op == LAW_MIN || node->op == LAW_MAX)
        return extreme(run, node, value);
    if (node->op == LAW_FLOOR || node->op == LAW_CEIL)
        return quotient(run, node, value);
    if (!rd_law_number(run, node->kids[0], &x))
        return false;
    switch ((enum law_function)node->op) {
    case LAW_ABS:
        if (x == INT64_MIN)
            return too_large(run, node);
        *value = x < 0 ? -x : x;
        return true;
    case LAW_LOG2:
        if (x < 1)
            return undefined(run, node, "the logarithm of a number below 1");
        *value = 63 - __builtin_clzll((unsigned long long)x);
        return true;
    case LAW_BIT_CEIL:
        for (*value = 1; *value < x; *value *= 2)
            if (*value > INT64_MAX / 2)
                return too_large(run, node);
        return true;
    default:
        if (x < 0)
            return undefined(run, node, "the root of a negative number");
        *value = root_of(x);
        if (node->op == LAW_CEIL_ROOT && *value * *value != x)
            ++*value;
        return true;
    }
}

/* ---- definitions ---- */

const struct law_equation *rd_law_equation_for(struct rd_law_run *run, const struct law_node *node,
                                               const int64_t *indices,
                                               int64_t values[LAW_INDICES_MAX + 1], size_t *count)
{
    const struct law_definition *definition = node->definition;
    const struct law_equation *found = NULL;
    const bool family = definition->kind == LAW_LET_FAMILY;
    *count = definition->equations[0].n_parameters;
    for (size_t k = 0; k < *count; k++)
        values[k] = indices[k + family];
    if (!family)
        return definition->equations;
    if (indices[0] >= 0 && (uint64_t)indices[0] < definition->n_equations) { /* a list from 0 on */
        const struct law_equation *listed = &definition->equations[indices[0]];
        if (!listed->successor && listed->index == indices[0])
            return listed;
    }
    for (size_t k = 0; k < definition->n_equations; k++) {
        const struct law_equation *equation = &definition->equations[k];
        if (!equation->successor && equation->index == indices[0])
            return equation;
        if (equation->successor && indices[0] > 0)
            found = equation;
    }
    if (!found) {
        rd_law_run_fail(run, node, "'%.40s_%" PRId64 "' isn't defined", node->name, indices[0]);
        return NULL;
    }
    values[(*count)++] = indices[0] - 1;
    return found;
}

/* Tells whether the ranges of a defined array hold for these indices, which are the first of the frame. */
static bool check_element(struct rd_law_run *run, const struct law_node *node)
{
    const struct law_binding *ranges = node->definition->ranges;
    for (size_t k = 0; k < ranges->n_conditions; k++) {
        bool holds;
        if (!rd_law_condition(run, ranges->conditions[k], &holds))
            return false;
        if (!holds)
            return rd_law_run_fail(run, node, "'%.40s' has no such element: %" PRId64, node->name,
                                   *rd_law_run_variable(run, 0));
    }
    return true;
}

bool rd_law_enter(struct rd_law_run *run, const struct law_node *node, const struct law_node **body,
                  size_t *base, size_t *top)
{
    int64_t indices[LAW_INDICES_MAX + 1], values[LAW_INDICES_MAX + 1];
    size_t count;
    for (size_t k = 0; k < node->n_kids; k++)
        if (!rd_law_number(run, node->kids[k], &indices[k]))
            return false;
    const struct law_equation *equation = rd_law_equation_for(run, node, indices, values, &count);
    if (!equation || !rd_law_run_push(run, node, equation->frame, values, count, base, top))
        return false;
    if (node->definition->kind == LAW_LET_ARRAY) {
        for (size_t k = 0; k < count; k++)
            if (values[k] < 0)
                return rd_law_run_fail(run, node, "'%.40s' has no such element: %" PRId64,
                                       node->name, values[k]);
        if (!check_element(run, node))
            return false;
    }
    *body = equation->body;
    return true;
}

/* The memo of a definition that has no parameters but perhaps an index; NULL where none is kept. */
static struct law_memo *memo_of(struct rd_law_run *run, const struct law_node *node, int64_t index)
{
    enum { INDEX_MAX = 4096 };
    struct law_memos *memos = &run->memos[node->definition->index];
    if (node->definition->equations[0].n_parameters > 0 || index < 0 || index > INDEX_MAX)
        return NULL;
    if ((size_t)index >= memos->count) {
        size_t count = (size_t)index < 8 ? 8 : 2 * (size_t)index;
        struct law_memo *grown = realloc(memos->memos, count * sizeof *grown);
        if (!grown)
            return NULL;
        for (size_t k = memos->count; k < count; k++)
            grown[k] = (struct law_memo){0};
        memos->memos = grown;
        memos->count = count;
    }
    return &memos->memos[index];
}

/* Returns the slot for the value of a definition with one parameter, which may hold another's; NULL without memory. Of a
 * family it holds the last index, or the one before: r_d(j) is made of r_(d-1)(j), that of a round of the one before. */
static struct law_known *known_of(struct rd_law_run *run, const struct law_node *node,
                                  int64_t index, int64_t argument)
{
    enum { KNOWN_LOG2_MIN = 10, KNOWN_LOG2_MAX = 18 };
    if (!run->known) {
        run->known_log2 = KNOWN_LOG2_MIN;
        while (run->known_log2 < KNOWN_LOG2_MAX && run->quantities[LAW_N] >> (run->known_log2 - 2))
            run->known_log2++;
        run->known = calloc((size_t)1 << run->known_log2, sizeof *run->known);
    }
    /* Arguments that follow each other have slots of their own. */
    const uint64_t slot = (uint64_t)argument * 2 + ((uint64_t)index & 1) +
                          0xbf58476d1ce4e5b9u * (uint64_t)node->definition->index;
    return run->known ? &run->known[slot & (((uint64_t)1 << run->known_log2) - 1)] : NULL;
}

/* The generation of the place or, of a definition that is the same at all, of the sizes. */
static uint64_t generation_of(const struct rd_law_run *run, const struct law_definition *definition)
{
    const unsigned sizes = 1u << LAW_N | 1u << LAW_T | 1u << LAW_B;
    return definition->needs & ~sizes ? run->generation : run->generation_of_sizes;
}

static bool compute(struct rd_law_run *run, const struct law_node *node, int64_t *value)
{
    const struct law_node *body;
    size_t base = run->base, top = run->top;
    const bool found =
        rd_law_enter(run, node, &body, &base, &top) && rd_law_number(run, body, value);
    rd_law_run_pop(run, base, top);
    return found || rd_law_run_fail_in_use(run, node);
}

/* A pair of a cell and an input asks for r_d(j), and each input is in many pairs. */
static bool defined_of_one(struct rd_law_run *run, const struct law_node *node, int64_t index,
                           int64_t *value)
{
    const uint64_t generation = generation_of(run, node->definition);
    int64_t argument;
    if (!rd_law_number(run, node->kids[node->n_kids - 1], &argument))
        return false;
    struct law_known *known = known_of(run, node, index, argument);
    if (known && known->generation == generation && known->definition == node->definition &&
        known->index == index && known->argument == argument) {
        *value = known->value;
        return true;
    }
    if (!compute(run, node, value))
        return false;
    if (known)
        *known = (struct law_known){generation, node->definition, index, argument, *value};
    return true;
}

static bool defined(struct rd_law_run *run, const struct law_node *node, int64_t *value)
{
    const bool family = node->kind == LAW_FAMILY;
    int64_t index = 0;
    if (family && !rd_law_number(run, node->kids[0], &index))
        return false;
    if (node->definition->equations[0].n_parameters == 1)
        return defined_of_one(run, node, index, value);
    struct law_memo *memo = memo_of(run, node, index);
    if (memo && memo->generation == run->generation) {
        *value = memo->value;
        return true;
    }
    if (!compute(run, node, value))
        return false;
    memo = memo_of(run, node, index); /* it may have moved */
    if (memo)
        *memo = (struct law_memo){.generation = run->generation, .value = *value};
    return true;
}

static bool named(struct rd_law_run *run, const struct law_node *node, int64_t *value)
{
    if (node->meaning == LAW_IS_VARIABLE) {
        *value = *rd_law_run_variable(run, node->slot);
        return true;
    }
    if (node->meaning == LAW_IS_DEFINITION)
        return defined(run, node, value);
    if (node->slot == LAW_B && !run->has_b)
        return rd_law_run_fail(run, node, "'B' has no value: the run has no number of blocks");
    *value = run->quantities[node->slot];
    return true;
}

static bool number(struct rd_law_run *run, const struct law_node *node, int64_t *value)
{
    switch (node->kind) {
    case LAW_NUMBER:
        *value = node->number;
        return true;
    case LAW_NAME:
        return named(run, node, value);
    case LAW_CALL:
        return call(run, node, value);
    case LAW_FUNCTION:
    case LAW_FAMILY:
        return defined(run, node, value);
    case LAW_NEGATIVE:
        if (!rd_law_number(run, node->kids[0], value))
            return false;
        return !__builtin_sub_overflow((int64_t)0, *value, value) || too_large(run, node);
    case LAW_BINARY:
        return binary(run, node, value);
    default:
        return rd_law_run_fail(run, node, "no number");
    }
}

bool rd_law_number(struct rd_law_run *run, const struct law_node *node, int64_t *value)
{
    if (!rd_law_run_work(run, node))
        return false;
    if (++run->depth > LAW_LEVELS_MAX) {
        run->depth--;
        return rd_law_run_fail(run, node, "definitions stand too deep in each other");
    }
    bool found = number(run, node, value);
    run->depth--;
    if (found && node->begins && *value < -node->begins_from)
        return rd_law_run_fail(
            run, node, "'%.40s' begins at %" PRId64 ", and a name that a law binds is 0 or more",
            node->begins, *value + node->begins_from);
    return found;
}

bool rd_law_number_quietly(struct rd_law_run *run, const struct law_node *node, int64_t *value)
{
    struct rd_law_error *error = run->error;
    run->error = NULL;
    bool found = rd_law_number(run, node, value);
    run->error = error;
    run->status = RD_OK;
    return found;
}

/* ---- conditions ---- */

static bool related(enum law_relation relation, int64_t x, int64_t y)
{
    switch (relation) {
    case LAW_LESS:
        return x < y;
    case LAW_LESS_EQUAL:
        return x <= y;
    case LAW_GREATER:
        return x > y;
    case LAW_GREATER_EQUAL:
        return x >= y;
    case LAW_EQUAL:
        return x == y;
    case LAW_NOT_EQUAL:
        return x != y;
    }
    return false;
}

static bool compare(struct rd_law_run *run, const struct law_node *node, bool *holds)
{
    int64_t left, right;
    if (!rd_law_number(run, node->kids[0], &left))
        return false;
    *holds = true;
    for (size_t k = 1; *holds && k < node->n_kids; k++) {
        if (!rd_law_number(run, node->kids[k], &right))
            return false;
        *holds = related(node->relations[k - 1], left, right);
        left = right;
    }
    return true;
}

static bool congruent(struct rd_law_run *run, const struct law_node *node, bool *holds)
{
    int64_t x, y, modulus, of_x, of_y, ignored;
    if (!rd_law_number(run, node->kids[0], &x) || !rd_law_number(run, node->kids[1], &y) ||
        !rd_law_number(run, node->kids[2], &modulus) ||
        !divide(run, node, x, modulus, &ignored, &of_x) ||
        !divide(run, node, y, modulus, &ignored, &of_y))
        return false;
    *holds = of_x == of_y;
    return true;
}

bool rd_law_condition(struct rd_law_run *run, const struct law_node *node, bool *holds)
{
    switch (node->kind) {
    case LAW_COMPARISON:
        return compare(run, node, holds);
    case LAW_CONGRUENCE:
        return congruent(run, node, holds);
    case LAW_NOT:
        if (!rd_law_condition(run, node->kids[0], holds))
            return false;
        *holds = !*holds;
        return true;
    case LAW_LOGIC:
        /* The right side is asked only where it matters. */
        if (!rd_law_condition(run, node->kids[0], holds))
            return false;
        return *holds == (node->op == LAW_OR) || rd_law_condition(run, node->kids[1], holds);
    default:
        return rd_law_run_fail(run, node, "no condition");
    }
}
