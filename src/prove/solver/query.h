// SPDX-License-Identifier: MIT
/* Queries in SMT-LIB 2. */
#ifndef RD_PROVE_QUERY_H
#define RD_PROVE_QUERY_H

#include "prove/logic/term.h"

struct rd_query {
    const struct rd_term_list *facts[3]; /* NULL: none */
    size_t n_facts[3];                   /* the first of each */
    rd_term goal; /* negated in the query; NULL: a model of the facts is asked for */
    /* Bound of all constants, in both directions; 0: none. A model with a bound is one without. */
    unsigned bound;
    bool with_model; /* asks for the constants' values, which is an error where there is no model */
};

/* Returns the text, which ends with a newline; the caller frees it. NULL without memory. *has_functions (optional) becomes true where
 * functions or predicates occur of which only the facts say something. */
char *rd_query_text(const struct rd_query *query, bool *has_functions);

/* Returns the lines "name = number" of the prover's values, malloc'd; NULL where that is no list of values. */
char *rd_query_model(const char *values);

#endif
