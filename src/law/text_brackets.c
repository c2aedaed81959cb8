// SPDX-License-Identifier: MIT
/* Finds which parts of a law need brackets once numbers and definitions stand in the place of its words. */
#include "law/print.h"

/* The text of a node, before brackets are put around it. */
struct shape {
    enum law_level level;
    unsigned op;
    bool changed;    /* the source's brackets may not be those that it needs */
    bool number;     /* digits alone, */
    bool sign;       /* or behind a sign, */
    bool congruence; /* or those on the left of a mod: after '=' that would be no remainder */
};

const struct law_node *rd_law_beside_zero(struct rd_law_run *run, const struct law_node *sum,
                                          uint32_t known)
{
    int64_t value;
    if (sum->kind != LAW_BINARY || (sum->op != LAW_ADD && sum->op != LAW_SUBTRACT))
        return NULL;
    if (sum->op == LAW_ADD && rd_law_has_value(run, sum->kids[0], known, &value) && value == 0)
        return sum->kids[1];
    return rd_law_has_value(run, sum->kids[1], known, &value) && value == 0 ? sum->kids[0] : NULL;
}

/* 3k, where a cut in the place of k needs a sign before it. */
static bool is_juxtaposed(const struct law_node *node)
{
    return node->kind == LAW_BINARY && node->kids[0]->span.end == node->kids[1]->span.begin &&
           node->kids[0]->kind == LAW_NUMBER && !node->kids[0]->bracketed;
}

static bool shape_of(struct rd_law_run *run, uint32_t known, const struct law_node *node,
                     struct shape *shape);

static bool shape_of_binary(struct rd_law_run *run, uint32_t known, const struct law_node *node,
                            struct shape *shape)
{
    int64_t value;
    if (is_juxtaposed(node))
        shape->changed = rd_law_is_written_out(run, node->kids[1], known) ||
                         rd_law_has_value(run, node->kids[1], known, &value);
    if (node->op != LAW_MOD && node->op != LAW_PERCENT)
        return true;
    struct shape left;
    if (!shape_of(run, known, node->kids[0], &left))
        return false;
    shape->congruence = left.number || left.sign;
    const bool is_literal =
        node->kids[0]->kind == LAW_NUMBER ||
        (node->kids[0]->kind == LAW_NEGATIVE && node->kids[0]->kids[0]->kind == LAW_NUMBER);
    shape->changed = shape->congruence && !is_literal;
    return true;
}

/* -r_d(j), where r_d(j) is written out as digits. */
static bool shape_of_negative(struct rd_law_run *run, uint32_t known, const struct law_node *node,
                              struct shape *shape)
{
    struct shape of;
    if (!shape_of(run, known, node->kids[0], &of))
        return false;
    shape->sign = of.number;
    return true;
}

static bool shape_of_family(struct rd_law_run *run, const struct law_node *node,
                            struct shape *shape)
{
    const struct law_node *body;
    size_t base, top;
    uint32_t known;
    if (!rd_law_enter_family(run, node, &body, &known, &base, &top))
        return false;
    const bool done = shape_of(run, known, body, shape);
    rd_law_run_pop(run, base, top);
    shape->changed = true;
    return done;
}

/* Determines the shape of a node without a value. */
static bool shape_of_open(struct rd_law_run *run, uint32_t known, const struct law_node *node,
                          struct shape *shape)
{
    *shape = (struct shape){.level = LAW_LEVEL_PRIMARY};
    if (rd_law_is_written_out(run, node, known))
        return shape_of_family(run, node, shape);
    shape->number = node->kind == LAW_NUMBER;
    if (node->bracketed)
        return true;
    const struct law_node *left = rd_law_beside_zero(run, node, known);
    if (left) {
        const bool done = shape_of(run, known, left, shape);
        shape->changed = true;
        return done;
    }
    shape->level = rd_law_level(node);
    shape->op = node->op;
    if (node->kind == LAW_NEGATIVE)
        return shape_of_negative(run, known, node, shape);
    return node->kind != LAW_BINARY || shape_of_binary(run, known, node, shape);
}

static bool shape_of(struct rd_law_run *run, uint32_t known, const struct law_node *node,
                     struct shape *shape)
{
    int64_t value;
    if (!rd_law_has_value(run, node, known, &value))
        return shape_of_open(run, known, node, shape);
    *shape = (struct shape){.level = LAW_LEVEL_PRIMARY, .number = value >= 0};
    return true;
}

/* A sign stands in brackets behind an operator, as a negative number does. */
static bool binary_needs_brackets(unsigned op, enum law_level own, size_t k,
                                  const struct shape *shape)
{
    const struct law_node left = {.kind = LAW_BINARY, .op = shape->op};
    const bool binary = shape->level == LAW_LEVEL_SUM || shape->level == LAW_LEVEL_TERM;
    if (k > 0)
        return shape->level <= own || shape->level == LAW_LEVEL_SIGN;
    if (op == LAW_POWER)
        return shape->level < LAW_LEVEL_PRIMARY;
    return shape->level < own || (binary && rd_law_is_ambiguous(&left, op));
}

/* Tells whether x = y (mod m) was written as x = y mod m. */
static bool is_plain_congruence(const struct rd_law *law, const struct law_node *node)
{
    for (uint32_t at = node->kids[1]->span.end; at < node->kids[2]->span.begin; at++)
        if (law->text[at] == '(')
            return false;
    return true;
}

static bool shape_needs_brackets(const struct rd_law *law, const struct law_node *parent, size_t k,
                                 const struct shape *shape)
{
    if (!shape->changed)
        return false;
    switch (parent->kind) {
    case LAW_BINARY:
        return binary_needs_brackets(parent->op, rd_law_level(parent), k, shape) &&
               !(parent->op == LAW_POWER && k > 0 && shape->level == LAW_LEVEL_POWER);
    case LAW_CALL: /* the sides of a quotient */
        return (parent->op == LAW_FLOOR || parent->op == LAW_CEIL) &&
               binary_needs_brackets(LAW_SLASH, LAW_LEVEL_TERM, k, shape);
    case LAW_NEGATIVE:
        return shape->level <= LAW_LEVEL_SIGN;
    case LAW_COMPARISON:
        return k > 0 && parent->relations[k - 1] == LAW_EQUAL && shape->congruence;
    case LAW_CONGRUENCE:
        if (k == 2 && is_plain_congruence(law, parent))
            return binary_needs_brackets(LAW_MOD, LAW_LEVEL_TERM, 1, shape);
        return k == 1 && shape->congruence;
    default:
        return false;
    }
}

/* Tells whether the k-th kid may need brackets, depending on what it is. */
static bool may_need_brackets(const struct law_node *parent, size_t k)
{
    switch (parent->kind) {
    case LAW_BINARY:
    case LAW_CALL:
    case LAW_NEGATIVE:
        return true;
    case LAW_COMPARISON:
    case LAW_CONGRUENCE:
        return k > 0;
    default:
        return false;
    }
}

bool rd_law_part_needs_brackets(struct rd_law_run *run, uint32_t known,
                                const struct law_node *parent, size_t k, bool *brackets)
{
    struct shape shape;
    *brackets = false;
    if (!may_need_brackets(parent, k))
        return true;
    if (!shape_of_open(run, known, parent->kids[k], &shape))
        return false;
    *brackets = shape_needs_brackets(run->law, parent, k, &shape);
    return true;
}
