// SPDX-License-Identifier: MIT
#include "term_value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void environment_set(struct environment *environment, rd_term constant, rd_wide value)
{
    for (size_t k = 0; k < environment->count; k++) {
        if (environment->constants[k] == constant) {
            environment->values[k] = value;
            return;
        }
    }
    assert_true(environment->count < NAMES_MAX);
    environment->constants[environment->count] = constant;
    environment->values[environment->count++] = value;
}

/* NAME_k(x), by the definition. */
static rd_wide family_value(struct environment *environment, rd_term term)
{
    struct rd_law_run *run = environment->run;
    struct law_node numbers[LAW_INDICES_MAX], *kids[LAW_INDICES_MAX];
    const struct law_definition *definition = NULL;
    int64_t value = 0;
    for (size_t k = 0; k < run->law->n_definitions; k++)
        if (run->law->definitions[k]->kind == LAW_LET_FAMILY &&
            strcmp(run->law->definitions[k]->name, term->name) == 0)
            definition = run->law->definitions[k];
    if (!definition && environment->apply) {
        environment->undefined = true;
        return 0;
    }
    if (!definition)
        fail_msg("a function %s", term->name);
    for (size_t k = 0; k < term->n_kids; k++) {
        numbers[k] = (struct law_node){.kind = LAW_NUMBER,
                                       .number = (int64_t)term_value(environment, term->kids[k])};
        kids[k] = &numbers[k];
    }
    const struct law_node node = {.kind = LAW_FAMILY,
                                  .name = term->name,
                                  .meaning = LAW_IS_DEFINITION,
                                  .definition = (struct law_definition *)definition,
                                  .n_kids = term->n_kids,
                                  .kids = kids};
    if (!rd_law_number(run, &node, &value))
        environment->undefined = true;
    return value;
}

static rd_wide applied(struct environment *environment, rd_term term)
{
    rd_wide found;
    if (environment->apply && environment->apply(environment->self, environment, term, &found))
        return found;
    const rd_wide x = term_value(environment, term->kids[0]);
    rd_wide value = 1;
    if (strcmp(term->name, "pow2") == 0) {
        environment->undefined |= x < 0 || x > 100;
        return environment->undefined ? 0 : (rd_wide)1 << (int)x;
    }
    if (strcmp(term->name, "bit_ceil") == 0) {
        while (value < x)
            value *= 2;
        return value;
    }
    if (strcmp(term->name, "log2") == 0) {
        environment->undefined |= x < 1;
        for (value = 0; x >> value > 1; value++)
            ;
        return value;
    }
    if (strcmp(term->name, "root") == 0) {
        while (value * value <= x)
            value++;
        return value - 1;
    }
    if (strcmp(term->name, "before") == 0)
        return 2 + x;
    if (strcmp(term->name, "xor") == 0)
        return x ^ term_value(environment, term->kids[1]);
    return family_value(environment, term);
}

static rd_wide quotient(struct environment *environment, rd_term term, rd_wide *remainder)
{
    const rd_wide x = term_value(environment, term->kids[0]);
    const rd_wide y = term_value(environment, term->kids[1]);
    if (y < 1) {
        environment->undefined = true;
        return *remainder = 0;
    }
    *remainder = (x % y + y) % y;
    return (x - *remainder) / y;
}

static rd_wide sum_of(struct environment *environment, rd_term term)
{
    rd_wide sum = term->number;
    for (unsigned k = 0; k < term->n_kids; k++)
        sum += term->coefficients[k] * term_value(environment, term->kids[k]);
    return sum;
}

static rd_wide junction(struct environment *environment, rd_term term)
{
    const bool is_and = term->kind == RD_TERM_AND;
    for (unsigned k = 0; k < term->n_kids; k++)
        if ((term_value(environment, term->kids[k]) != 0) != is_and)
            return !is_and;
    return is_and;
}

static rd_wide constant_value(struct environment *environment, rd_term term)
{
    for (size_t k = 0; k < environment->count; k++)
        if (environment->constants[k] == term)
            return environment->values[k];
    if (!environment->apply)
        fail_msg("a constant %s", term->name);
    environment->undefined = true;
    return 0;
}

static rd_wide holds(struct environment *environment, rd_term term)
{
    rd_wide found = 0;
    const rd_wide x = term_value(environment, term->kids[0]);
    if (strcmp(term->name, "P2") == 0)
        return x > 0 && (x & (x - 1)) == 0;
    if (!environment->apply)
        fail_msg("a predicate %s", term->name);
    if (!environment->apply(environment->self, environment, term, &found))
        environment->undefined = true;
    return found;
}

rd_wide term_value(struct environment *environment, rd_term term)
{
    const rd_term *kids = term->kids;
    rd_wide value = 1, remainder;
    switch (term->kind) {
    case RD_TERM_NUMBER:
        return term->number;
    case RD_TERM_CONSTANT:
        return constant_value(environment, term);
    case RD_TERM_APPLY:
        return applied(environment, term);
    case RD_TERM_SUM:
        return sum_of(environment, term);
    case RD_TERM_PRODUCT:
        for (unsigned k = 0; k < term->n_kids; k++)
            value *= term_value(environment, kids[k]);
        return value;
    case RD_TERM_DIV:
        return quotient(environment, term, &remainder);
    case RD_TERM_MOD:
        quotient(environment, term, &remainder);
        return remainder;
    case RD_TERM_CHOICE:
        return term_value(environment, kids[term_value(environment, kids[0]) ? 1 : 2]);
    case RD_TERM_TRUE:
        return 1;
    case RD_TERM_FALSE:
        return 0;
    case RD_TERM_NOT:
        return !term_value(environment, kids[0]);
    case RD_TERM_AND:
    case RD_TERM_OR:
        return junction(environment, term);
    case RD_TERM_LESS:
        return term_value(environment, kids[0]) < term_value(environment, kids[1]);
    case RD_TERM_EQUAL:
        return term_value(environment, kids[0]) == term_value(environment, kids[1]);
    case RD_TERM_HOLDS:
        return holds(environment, term);
    default:
        fail_msg("a term of kind %d", (int)term->kind);
        return 0;
    }
}
