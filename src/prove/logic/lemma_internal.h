// SPDX-License-Identifier: MIT
/* Lemmas: each is a function from terms to a formula, by which it is stated for all integers and for the terms of a
 * goal alike. Private to lemma*.c and to cases.c. */
#ifndef RD_PROVE_LEMMA_INTERNAL_H
#define RD_PROVE_LEMMA_INTERNAL_H

#include "prove/logic/proof.h"

enum { RD_LEMMA_PARAMETERS_MAX = 4 };

struct rd_lemma {
    const char *name;
    const char *says; /* for people */
    unsigned n_parameters;
    const char *parameters[RD_LEMMA_PARAMETERS_MAX];
    rd_term (*formula)(struct rd_terms *terms, const rd_term *p);
    /* Optional: adds what its proof uses: definitions, and lemmas above it in the table, for these terms. */
    void (*because)(struct rd_terms *terms, const rd_term *p, struct rd_term_list *facts);
    /* Optional: its proof is an induction on the last parameter, from this on. The formula guards it: it says nothing below. */
    rd_term (*start)(struct rd_terms *terms, const rd_term *p);
    bool is_definition; /* of a function or predicate by what is known: it needs no proof */
};

/* In the order in which they are proved; a NULL name ends them. */
extern const struct rd_lemma rd_lemmas_of_quotients[], rd_lemmas_of_powers[];

/* For shorter formulas. */
static inline rd_term rd_lemma_plus(struct rd_terms *terms, rd_term x, int number)
{
    return rd_add(terms, x, rd_number(terms, number));
}
static inline rd_term rd_lemma_times(struct rd_terms *terms, int number, rd_term x)
{
    return rd_multiply(terms, rd_number(terms, number), x);
}
static inline rd_term rd_lemma_above(struct rd_terms *terms, rd_term x, int number)
{
    return rd_less(terms, rd_number(terms, number), x);
}

/* The formulas. x, y: any integers; m, a, b: divisors. */
rd_term rd_lemma_quotient(struct rd_terms *terms, const rd_term *p); /* x m */
rd_term rd_lemma_unique(struct rd_terms *terms, const rd_term *p);   /* x m q r */
rd_term rd_lemma_within(struct rd_terms *terms, const rd_term *p);   /* x m q */
rd_term rd_lemma_halving(struct rd_terms *terms, const rd_term *p);  /* x h w */
rd_term rd_lemma_small(struct rd_terms *terms, const rd_term *p);    /* m k */
rd_term rd_lemma_apart(struct rd_terms *terms, const rd_term *p);    /* x y m */
rd_term rd_lemma_monotone(struct rd_terms *terms, const rd_term *p); /* x y m */
rd_term rd_lemma_bounded(struct rd_terms *terms, const rd_term *p);  /* x m g */
rd_term rd_lemma_nested(struct rd_terms *terms, const rd_term *p);   /* x a b */

/* Powers of two; e, f: exponents. P2(x) holds of those that are one; log2 is rounded down; bit_ceil is the least
 * power that isn't below. */
rd_term rd_lemma_pow2_step(struct rd_terms *terms, const rd_term *p);        /* e: a definition */
rd_term rd_lemma_pow2_positive(struct rd_terms *terms, const rd_term *p);    /* e */
rd_term rd_lemma_pow2_grows(struct rd_terms *terms, const rd_term *p);       /* e f */
rd_term rd_lemma_pow2_sum(struct rd_terms *terms, const rd_term *p);         /* e f */
rd_term rd_lemma_log2(struct rd_terms *terms, const rd_term *p);             /* x */
rd_term rd_lemma_log2_monotone(struct rd_terms *terms, const rd_term *p);    /* x y */
rd_term rd_lemma_power_meaning(struct rd_terms *terms, const rd_term *p);    /* x: a definition */
rd_term rd_lemma_pow2_power(struct rd_terms *terms, const rd_term *p);       /* e */
rd_term rd_lemma_power_positive(struct rd_terms *terms, const rd_term *p);   /* x */
rd_term rd_lemma_power_double(struct rd_terms *terms, const rd_term *p);     /* x */
rd_term rd_lemma_power_half(struct rd_terms *terms, const rd_term *p);       /* x */
rd_term rd_lemma_power_apart(struct rd_terms *terms, const rd_term *p);      /* x y */
rd_term rd_lemma_power_divides(struct rd_terms *terms, const rd_term *p);    /* x y */
rd_term rd_lemma_power_product(struct rd_terms *terms, const rd_term *p);    /* x y */
rd_term rd_lemma_bit_ceil_meaning(struct rd_terms *terms, const rd_term *p); /* x: a definition */
rd_term rd_lemma_bit_ceil(struct rd_terms *terms, const rd_term *p);         /* x */
rd_term rd_lemma_bit_ceil_between(struct rd_terms *terms, const rd_term *p); /* x p */

/* The square root, rounded down. */
rd_term rd_lemma_root(struct rd_terms *terms, const rd_term *p); /* x: a definition */

rd_term rd_lemma_power(struct rd_terms *terms, rd_term x); /* P2(x) */
rd_term rd_lemma_log(struct rd_terms *terms, rd_term x);   /* log2(x) */

#endif
