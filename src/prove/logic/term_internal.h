// SPDX-License-Identifier: MIT
/* How terms are kept. Private to term*.c and to the search for models. */
#ifndef RD_PROVE_TERM_INTERNAL_H
#define RD_PROVE_TERM_INTERNAL_H

#include "prove/logic/term.h"

/* Makes the term, or finds the one that is equal. Kids and coefficients are copied. */
rd_term rd_term_make(struct rd_terms *terms, enum rd_term_kind kind, rd_wide number,
                     const char *name, unsigned n_kids, const rd_wide *coefficients,
                     const rd_term *kids);
void rd_terms_fail(struct rd_terms *terms);
unsigned rd_terms_count(const struct rd_terms *terms);

enum { RD_POLYNOMIAL_MAX = 96 };

/* number + sum of coefficients[k] * monomials[k]; the monomials ascend by id, no coefficient is 0. */
struct rd_polynomial {
    rd_wide number;
    unsigned count;
    rd_term monomials[RD_POLYNOMIAL_MAX];
    rd_wide coefficients[RD_POLYNOMIAL_MAX];
};

/* Add `factor` times the term. */
void rd_polynomial_add(struct rd_terms *terms, struct rd_polynomial *to, rd_term term,
                       rd_wide factor);
rd_term rd_polynomial_term(struct rd_terms *terms, const struct rd_polynomial *from);

/* Tells whether the number is 1 or 0 by a condition, as rd_count_of() makes it. */
bool rd_term_is_count(rd_term term);

rd_wide rd_wide_floor_div(rd_wide x, rd_wide y); /* y > 0 */

#endif
