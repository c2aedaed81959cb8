// SPDX-License-Identifier: MIT
/* How a paragraph is read as terms. Private to this folder. */
#ifndef RD_PROVE_LAW_READER_H
#define RD_PROVE_LAW_READER_H

#include "prove/law/law_terms.h"

struct rd_law_reader {
    struct rd_terms *terms;
    const struct rd_law *law;
    struct rd_law_units units;
    struct rd_term_list premises;
    unsigned unknowns;        /* made so far */
    unsigned depth;           /* definitions in each other */
    struct rd_law_numbers at; /* of the call under way */
    unsigned inputs;          /* of which values of the last count are */
    char failure[500];
};

/* The first failure, with the words of the law at the node; NULL: of none. Returns false. */
bool rd_law_reader_fail(struct rd_law_reader *reader, const struct law_node *node,
                        const char *format, ...) __attribute__((format(printf, 3, 4)));
static inline bool rd_law_reader_has_failed(const struct rd_law_reader *reader)
{
    return reader->failure[0] != '\0' || rd_terms_failed(reader->terms);
}

/* Meanings of the names in a sentence or a definition. */
struct rd_law_frame {
    const struct rd_law_section *section;
    const struct rd_law_numbers *at;
    const struct rd_law_reading *reading; /* NULL: the section's array has no value here */
    rd_term variables[LAW_VARIABLES_MAX]; /* by slot */
};

/* ---- numbers and conditions: numbers.c ---- */

/* 0 or `false` where there are no formulas for it, and the reader has failed. */
rd_term rd_law_reader_number(struct rd_law_reader *reader, const struct rd_law_frame *frame,
                             const struct law_node *node);
rd_term rd_law_reader_condition(struct rd_law_reader *reader, const struct rd_law_frame *frame,
                                const struct law_node *node);
/* The index row by row: of the kids from `first` on. */
rd_term rd_law_reader_flat(struct rd_law_reader *reader, const struct rd_law_frame *frame,
                           const struct law_node *node, size_t first,
                           const struct rd_law_section *section, const struct rd_law_numbers *at,
                           const struct law_array *array);
/* The frame of a definition's equation, for the node that uses it, and its body; NULL after a failure. A definition by number
 * whose number isn't one is `applied`: there is no equation for it. */
const struct law_equation *rd_law_reader_enter(struct rd_law_reader *reader,
                                               const struct rd_law_frame *frame,
                                               const struct law_node *node,
                                               struct rd_law_frame *inner, bool *applied);

/* ---- what is known of numbers: signs.c ---- */

/* The parts of a number: number + sum of coefficients[k] * monomials[k]. */
struct rd_law_parts {
    rd_wide number;
    unsigned count;
    const rd_term *monomials;
    const rd_wide *coefficients;
    rd_term only; /* of a term that is no sum */
};
void rd_law_take_apart(rd_term term, struct rd_law_parts *parts);
rd_term rd_law_scaled(struct rd_terms *terms, rd_term term, rd_wide factor);

/* Tells whether the number is never negative, whatever the quantities are, where the conditions and facts hold; both lists may
 * be NULL. */
bool rd_law_reader_follows(struct rd_law_reader *reader, rd_term number,
                           const struct rd_term_list *conditions, const struct rd_term_list *facts);
/* True or false where that is so whatever the quantities are, or where it is a fact, else the condition. */
rd_term rd_law_reader_decided(struct rd_law_reader *reader, rd_term condition,
                              const struct rd_term_list *facts);
/* The number that isn't negative where the condition holds; NULL of a condition that is no bound. */
rd_term rd_law_reader_slack(struct rd_law_reader *reader, rd_term condition);
void rd_law_reader_add_slacks(struct rd_law_reader *reader, const struct rd_term_list *conditions,
                              struct rd_term_list *slacks);

static inline bool rd_law_is_equation(rd_term condition)
{
    return condition->kind == RD_TERM_EQUAL && !rd_term_is_condition(condition->kids[0]);
}

/* ---- conjunctions with unknowns: conjunction.c ---- */

/* A value where all conditions hold, summed over all unknowns, which are natural numbers. */
struct rd_law_case {
    struct rd_term_list conditions;
    struct rd_term_list facts; /* hold wherever the value is asked for, and has a meaning */
    struct rd_term_list unknowns;
    struct rd_term_list solutions; /* once they are solved: of each unknown */
    rd_term factor;
    /* Of which elements were multiplied, input k as the bit 2^k; RD_LAW_OF_STATE. `again`: of which two were. */
    unsigned inputs, again;
};
enum { RD_LAW_OF_STATE = 1u << 31 };

/* An unknown of its own; it must be solved. */
rd_term rd_law_reader_unknown(struct rd_law_reader *reader);
bool rd_law_is_unknown(rd_term term);
bool rd_law_has_unknown(rd_term term);
/* Counts the unknowns in the term that are in the list, each once. */
unsigned rd_law_count_unknowns(rd_term term, const struct rd_term_list *among);
bool rd_law_is_among(const struct rd_term_list *list, rd_term term);
/* Adds a condition to a list, cut at AND. */
void rd_law_add_cut(struct rd_terms *terms, struct rd_term_list *list, rd_term condition);

void rd_law_case_finish(struct rd_law_case *of);
/* Adds a condition, cut at AND. */
void rd_law_case_need(struct rd_law_reader *reader, struct rd_law_case *of, rd_term condition);
/* Makes it an unknown of the case: a natural number. */
void rd_law_case_bind(struct rd_law_reader *reader, struct rd_law_case *of, rd_term unknown);
void rd_law_case_know(struct rd_law_reader *reader, struct rd_law_case *of, rd_term fact);
/* Copies what the other has, but for its factor. */
void rd_law_case_add(struct rd_law_reader *reader, struct rd_law_case *of,
                     const struct rd_law_case *other);

/* Replaces a part of all that the case has. */
void rd_law_case_put(struct rd_law_reader *reader, struct rd_law_case *of, rd_term from,
                     rd_term to);

/* Puts two conditions in the place of one. */
void rd_law_case_put_for(struct rd_law_reader *reader, struct rd_law_case *of, size_t index,
                         rd_term first, rd_term second);

/* ---- solve.c ---- */

/* Finds the one value that each unknown can have, and puts it in. False where one isn't found: nothing has failed then. */
bool rd_law_case_solve(struct rd_law_reader *reader, struct rd_law_case *of);
/* The number that the case comes to: its unknowns must have one value each, or none. Fails, at the node, where that
 * isn't known. */
rd_term rd_law_case_value(struct rd_law_reader *reader, struct rd_law_case *of,
                          const struct law_node *node);

/* ---- values: values.c ---- */

struct rd_law_cases {
    size_t count, capacity;
    struct rd_law_case *list;
};
void rd_law_cases_finish(struct rd_law_cases *cases);
bool rd_law_reader_value(struct rd_law_reader *reader, const struct rd_law_frame *frame,
                         const struct law_node *node, struct rd_law_cases *cases);

/* ---- claims: claims.c ---- */

/* A claim at a cell: when it names it, and the frame in which its value is that of the cell. */
struct rd_law_claimed {
    rd_term when;
    struct rd_law_case named; /* solved */
    struct rd_law_frame frame;
};
/* False after a failure. The caller finishes `named`. */
bool rd_law_reader_claim(struct rd_law_reader *reader, const struct rd_law_section *section,
                         const struct law_claim *claim, const struct rd_law_reading *reading,
                         const struct rd_law_numbers *at, rd_term cell,
                         struct rd_law_claimed *claimed);

/* ---- the last step: steps.c ---- */

/* The value of the variable of `steps` at the last one; NULL after a failure, or of a section without steps. */
rd_term rd_law_reader_last_step(struct rd_law_reader *reader, const struct rd_law_section *section,
                                const struct rd_law_numbers *at);

#endif
