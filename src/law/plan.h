// SPDX-License-Identifier: MIT
/* In which order the variables of a binding are tried, and what narrows each down before it is: `j mod w = i`
 * leaves every w-th j, `i <= j < i + D` an interval. What is left is checked against all conditions. Conditions are asked
 * from left to right: where one may be undefined, those to its right neither are checked nor leave values out before it.
 * A variable that nothing to its left bounds ends at the first bound to its right, which leaves out nothing else.
 * Private to src/law. */
#ifndef RD_LAW_PLAN_H
#define RD_LAW_PLAN_H

#include "law/resolve.h"

/* Finds what may be undefined in a condition, and so mustn't be skipped. Private to src/law. */

/* A number that is the same whatever the variables of the binding are, and must have a value. */
struct law_risk {
    const struct law_node *node;
    enum { LAW_RISK_NO_VALUE, LAW_RISK_ZERO, LAW_RISK_ZERO_OR_LESS } kind; /* what it must not be */
};

struct law_risks {
    size_t count, capacity;
    struct law_risk *list;
    bool open; /* more may be undefined, which depends on the variables */
};

/* The bound of a variable: the size of an array that it alone indexes, or a bound. */
struct law_limit {
    const struct law_node *size;
    bool inclusive;
};

/* `side` speaks of the variable, and `other` and `modulus` of what is known before it. */
struct law_hint {
    const struct law_node *side, *other;
    enum law_relation relation;
    const struct law_node *modulus; /* NULL, or side = other (mod modulus) */
    /* `side` may speak of one more variable, which goes from 0 up to its limit: k of k*T + t = e, t < T. */
    bool has_rest;
    unsigned rest;
    struct law_limit limit;
};

struct law_plan_level {
    unsigned slot;
    const char *name;
    struct law_span span;
    size_t n_hints, n_limits, n_checks;
    /* Number of hints that narrow. The rest stand behind what may be undefined: the first that bounds the variable
     * above does so where nothing else has, and leaves no other value out. */
    size_t n_narrowing;
    struct law_hint *hints;
    struct law_limit *limits;
    struct law_node **checks; /* conditions that can be told from here on */
};

struct law_plan {
    size_t n_checks; /* conditions that speak of no variable of the binding */
    struct law_node **checks;
    size_t n_levels;
    struct law_plan_level *levels;
    bool in_order; /* it passes over nothing that may be undefined */
    /* The plan to go by where one of these numbers is undefined. NULL: this one, always. */
    const struct law_plan *otherwise;
    size_t n_risks;
    const struct law_risk *risks;
};

/* The variables that an expression speaks of: slot k as the bit 2^k. */
uint32_t rd_law_variables(const struct law_node *node);
/* Adds the parts of a condition that may be undefined to the list; `own` are the variables of the binding, as bits. False
 * where there is no memory. Numbers beyond 2^63 aren't told: they are undefined by how they are worked out alone. */
bool rd_law_add_risks(struct law_scope *scope, const struct law_node *node, uint32_t own,
                      struct law_risks *risks);
/* Tells whether the expression has a name in it: a number alone stays as it was written. */
bool rd_law_is_named(const struct law_node *node);
/* Tells whether it uses a definition. */
bool rd_law_is_of_definitions(const struct law_node *node);

/* Names that a law binds are 0 or more: fails where a condition on one is written to begin below that, and marks what may turn out
 * to be (law_node.begins); but for a name that stands alone in an index of `of`, the term of a reduction. NULL: cells are bound. */
bool rd_law_check_bounds(struct law_scope *scope, struct law_binding *binding,
                         const struct law_node *of);

/* The plan of a resolved binding: of a reduction with its term, of a `for` with its cell. Fails where a variable
 * has no upper bound. */
bool rd_law_plan(struct law_scope *scope, struct law_binding *binding, const struct law_node *term,
                 const struct law_node *cell);

/* A plan for all cases in whichever order: what is determined by equations comes first. False where a variable
 * has no upper bound, and then the scope's status is RD_ERROR_USAGE. */
bool rd_law_plan_in_any_order(struct law_scope *scope, struct law_binding *binding,
                              const struct law_node *term);

/* The ways of inputs into values, the other way round than a law says them: from the element to the cell. Private to
 * src/law. */

/* Finds the ways into a value, whose names are resolved, from outside in: those of `outer`, which binds the cell or the
 * element, with these variables known. False where there is no memory, and the scope has failed. */
bool rd_law_find_ways(struct law_scope *scope, const struct law_node *value,
                      const struct law_binding *outer, struct law_ways *ways);

/* Finds the way from the cell of a claim, whose names are resolved, to the claim's variables. */
bool rd_law_find_cell(struct law_scope *scope, struct law_claim *claim);

#endif
