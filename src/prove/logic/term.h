// SPDX-License-Identifier: MIT
/* Integer terms and conditions, of which queries to provers are made. Equal terms are one object: compare them by ==.
 * Constructors simplify: numbers are worked out, and sums and products are polynomials in a normal form, so that d +
 * 1 - 1 is d. Nothing is assumed of a constant; what only holds of some (n >= 1) is a hypothesis of a goal.
 *
 * Without memory, or with a number beyond 128 bits, a constructor returns `false` or 0, and rd_terms_failed() returns
 * true from then on: goals made of the terms mean nothing. Thread safety: one thread at a time. */
#ifndef RD_PROVE_TERM_H
#define RD_PROVE_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

__extension__ typedef __int128 rd_wide;

enum rd_term_kind {
    /* numbers */
    RD_TERM_NUMBER,   /* number */
    RD_TERM_CONSTANT, /* name: an unknown integer */
    RD_TERM_APPLY,    /* name(kids): an integer function of which only hypotheses say something */
    RD_TERM_SUM,      /* number + sum of coefficients[k] * kids[k]; no kid is a number or a sum */
    RD_TERM_PRODUCT,  /* of two kids or more; none is a number, a sum or a product */
    RD_TERM_DIV,      /* kids[0] div kids[1], rounded down; only meant where kids[1] > 0 */
    RD_TERM_MOD,      /* the remainder that goes with it */
    RD_TERM_CHOICE,   /* kids[0] ? kids[1] : kids[2] */
    /* conditions */
    RD_TERM_TRUE,
    RD_TERM_FALSE,
    RD_TERM_NOT,
    RD_TERM_AND, /* of two and more, none of them an AND */
    RD_TERM_OR,
    RD_TERM_LESS, /* kids[0] < kids[1]; x <= y is NOT(y < x) */
    RD_TERM_EQUAL,
    RD_TERM_HOLDS, /* name(kids): a predicate of which only hypotheses say something */
};

struct rd_term {
    enum rd_term_kind kind;
    unsigned id; /* in the order in which terms are made */
    rd_wide number;
    const char *name;
    unsigned n_kids;
    const rd_wide *coefficients; /* of a sum */
    const struct rd_term *const *kids;
};
typedef const struct rd_term *rd_term;

/* Owner of all terms made by it. */
struct rd_terms;
struct rd_terms *rd_terms_create(void); /* NULL without memory */
void rd_terms_destroy(struct rd_terms *terms);
bool rd_terms_failed(const struct rd_terms *terms);

/* Copies a text; it lives as long as the terms. */
const char *rd_terms_text(struct rd_terms *terms, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Copies an array of terms, likewise; NULL of none, and after a failure. */
const rd_term *rd_terms_array(struct rd_terms *terms, size_t count, const rd_term *array);

static inline bool rd_term_is_condition(rd_term term)
{
    return term->kind >= RD_TERM_TRUE;
}
static inline bool rd_term_is_number(rd_term term, rd_wide *number)
{
    if (term->kind != RD_TERM_NUMBER)
        return false;
    *number = term->number;
    return true;
}

/* Returns the parts of an AND; of another condition, itself. They live as long as it and `condition` do. */
static inline const rd_term *rd_term_conjuncts(const rd_term *condition, unsigned *count)
{
    const bool is_and = (*condition)->kind == RD_TERM_AND;
    *count = is_and ? (*condition)->n_kids : 1;
    return is_and ? (*condition)->kids : condition;
}

rd_term rd_number(struct rd_terms *terms, rd_wide number);
rd_term rd_constant(struct rd_terms *terms, const char *name);
rd_term rd_apply(struct rd_terms *terms, const char *name, unsigned n_kids, const rd_term *kids);
rd_term rd_add(struct rd_terms *terms, rd_term x, rd_term y);
rd_term rd_subtract(struct rd_terms *terms, rd_term x, rd_term y);
rd_term rd_multiply(struct rd_terms *terms, rd_term x, rd_term y);
rd_term rd_div(struct rd_terms *terms, rd_term x, rd_term y);
rd_term rd_mod(struct rd_terms *terms, rd_term x, rd_term y);
rd_term rd_choice(struct rd_terms *terms, rd_term condition, rd_term yes, rd_term no);
rd_term rd_least(struct rd_terms *terms, rd_term x, rd_term y);
rd_term rd_most(struct rd_terms *terms, rd_term x, rd_term y);
rd_term rd_ceil_div(struct rd_terms *terms, rd_term x, rd_term y); /* (x + y - 1) div y */

/* 2^exponent. For a sum c + e with a number c, it is 2^c * pow2(e) where c > 0: e must not be negative. */
rd_term rd_power_of_two(struct rd_terms *terms, rd_term exponent);

rd_term rd_true(struct rd_terms *terms);
rd_term rd_false(struct rd_terms *terms);
rd_term rd_truth(struct rd_terms *terms, bool truth);
rd_term rd_not(struct rd_terms *terms, rd_term x);
rd_term rd_and(struct rd_terms *terms, rd_term x, rd_term y);
rd_term rd_or(struct rd_terms *terms, rd_term x, rd_term y);
rd_term rd_implies(struct rd_terms *terms, rd_term x, rd_term y);
rd_term rd_less(struct rd_terms *terms, rd_term x, rd_term y);
rd_term rd_at_most(struct rd_terms *terms, rd_term x, rd_term y);
rd_term rd_equal(struct rd_terms *terms, rd_term x,
                 rd_term y); /* of two numbers, or of two conditions */
rd_term rd_holds(struct rd_terms *terms, const char *name, unsigned n_kids, const rd_term *kids);
/* first <= x < end */
rd_term rd_within(struct rd_terms *terms, rd_term first, rd_term x, rd_term end);
/* 1 where the condition holds, else 0. */
rd_term rd_count_of(struct rd_terms *terms, rd_term condition);

/* Returns the term with each part `from` replaced by `to`, all at once. */
rd_term rd_replace(struct rd_terms *terms, rd_term term, unsigned count, const rd_term *from,
                   const rd_term *to);
/* Tells whether the part occurs in the term. */
bool rd_term_has(rd_term term, rd_term part);
/* Returns the AND of those parts of a condition in which none of the terms occurs. */
rd_term rd_conjuncts_without(struct rd_terms *terms, rd_term condition, size_t count,
                             const rd_term *without);

/* Takes x = y*quotient + rest apart, with as much in the quotient as can be seen. */
void rd_split(struct rd_terms *terms, rd_term x, rd_term y, rd_term *quotient, rd_term *rest);

/* Takes term = factor*x + rest apart, where x is in neither; false where it isn't so. */
bool rd_is_linear(struct rd_terms *terms, rd_term term, rd_term x, rd_term *factor, rd_term *rest);

/* Solves index = cell for x, where the index is linear in x: *value is the only x for which it can hold; false where
 * it isn't linear. */
bool rd_solve_linear(struct rd_terms *terms, rd_term index, rd_term x, rd_term cell,
                     rd_term *value);

/* The same where the index is a quotient of which the condition, which holds, knows the remainder: t div 32 where t mod 32 = 0. */
bool rd_solve_index(struct rd_terms *terms, rd_term condition, rd_term index, rd_term x,
                    rd_term cell, rd_term *value);

/* Returns the only x for which the condition can hold, where an equation in it tells; else NULL. */
rd_term rd_solution(struct rd_terms *terms, rd_term condition, rd_term x);

/* Calls for each part of the term once, kids first. `seen` is kept between calls for terms of one goal: zero-initialized, and freed by
 * rd_seen_finish. */
struct rd_seen {
    unsigned char *bits;
    size_t size;
};
void rd_term_visit(rd_term term, struct rd_seen *seen, void (*visit)(void *self, rd_term part),
                   void *self);
void rd_seen_finish(struct rd_seen *seen);

/* Writes the term in SMT-LIB 2. Names that aren't simple symbols are quoted. */
void rd_term_write(rd_term term, FILE *out);
/* Writes the term as people write it: j mod 8 = i, 0 <= i < w. */
void rd_term_print(rd_term term, FILE *out);

/* Terms in a list that grows. Without memory, an addition is lost, and the terms have failed. */
struct rd_term_list {
    size_t count, capacity;
    rd_term *terms;
};
void rd_term_list_add(struct rd_terms *terms, struct rd_term_list *list, rd_term term);
/* The same, where the list doesn't have it. */
void rd_term_list_add_new(struct rd_terms *terms, struct rd_term_list *list, rd_term term);
void rd_term_list_add_all(struct rd_terms *terms, struct rd_term_list *to,
                          const struct rd_term_list *from);
void rd_term_list_finish(struct rd_term_list *list);
rd_term rd_all_of(struct rd_terms *terms, const struct rd_term_list *list);

#endif
