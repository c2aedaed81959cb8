// SPDX-License-Identifier: MIT
/* A law as conditions on integers, for any n, any shape and any step: which cells are live, and how often a cell counts one input. */
#ifndef RD_PROVE_LAW_TERMS_H
#define RD_PROVE_LAW_TERMS_H

#include "law/tree.h"
#include "prove/logic/term.h"
#include "operations.h"

/* Values of names that a paragraph defines, in place of what it says of them: of a user's program. */
struct rd_law_given {
    size_t count;
    const char *const *names;
    const rd_term *terms;
    const struct rd_term_list *natural; /* constants that are not negative, either */
};

/* Terms for the quantities of a law. One that isn't known is NULL. What is taken for granted of them, here and below:
 * none is negative, T and B are at least 1, block < B. Goals have it as hypotheses. */
struct rd_law_numbers {
    rd_term n, T, B;
    rd_term d; /* rounds made; S + 1 is that after a round S >= 0 */
    rd_term block, warp;
    rd_term variable;                 /* of `steps` */
    rd_term bytes;                    /* size of an element, in the condition of a point */
    const struct rd_law_given *given; /* NULL: none */
};

/* Inputs: element `index` of input k is the one that is counted, and 0 <= index < rd_law_term_input_size is taken for granted. An
 * element of an input is 1 where it is that one, else 0; a product a[j]*b[j] is the product of both. NULL: all elements of that input
 * are 0. */
struct rd_law_units {
    size_t count;
    const rd_term *index; /* [count], of each declared input; it must outlive the reader */
    /* Optional, [count]. In a product with two elements of an input, the index of the one that is counted in the
     * right factor: a[j]^2 is 1 where j is both. Forms that are the same for all pairs are the same for all inputs
     * that stand in both places. A product with three elements of an input isn't read. */
    const rd_term *again;
    /* By which reductions are: the sum, or of a user's file another one, to which values are elements and reductions alone. */
    enum rd_operation operation;
};

/* Reader of one paragraph. Definitions are replaced by what they stand for; NAME_d(x) of a definition by number is an application
 * of a function that is unknown but for one step: NAME_(d+1) is written out, down to NAME of the least d that was asked. */
struct rd_law_reader;
/* Tells whether a value of the law has a product with two elements of one input. */
bool rd_law_has_squares(const struct rd_law *law);
struct rd_law_reader *rd_law_reader_create(struct rd_terms *terms, const struct rd_law *law,
                                           struct rd_law_units units);
void rd_law_reader_destroy(struct rd_law_reader *reader);
/* Returns the first failure in words, a part of the law for which there are no formulas; "" if there was none. */
const char *rd_law_reader_failure(const struct rd_law_reader *reader);

/* Premises that all calls so far have taken for granted to know the last step of a point: n = bit_ceil(n), say. Each must be
 * shown, or be a hypothesis. */
const struct rd_term_list *rd_law_reader_premises(const struct rd_law_reader *reader);

/* Number of cells of the section's array; of an input. */
rd_term rd_law_term_size(struct rd_law_reader *reader, const struct rd_law_section *section,
                         const struct rd_law_numbers *at);
rd_term rd_law_term_input_size(struct rd_law_reader *reader, size_t input,
                               const struct rd_law_numbers *at);

/* Claims of the law, of `start`, or of `update`, at the place: whether one names the cell (a flat index), and what it counts where it
 * does, in terms of the units. In an update, elements of the section's array become before(self, flat cell). Nothing is taken for
 * granted of the cell. POINT.array is what the point's law says at its last step of a cell that it claims. */
struct rd_law_reading {
    enum rd_law_role role;
    rd_term (*before)(void *self, rd_term cell);
    void *self;
};
rd_term rd_law_term_live(struct rd_law_reader *reader, const struct rd_law_section *section,
                         enum rd_law_role role, const struct rd_law_numbers *at, rd_term cell);
/* Returns the condition that the claims have a value wherever they speak of a cell: no quotient by less than 1, no power of a negative
 * number, and no element that an input doesn't have. Names that the law binds are constants in it. */
rd_term rd_law_term_defined(struct rd_law_reader *reader, const struct rd_law_section *section,
                            enum rd_law_role role, const struct rd_law_numbers *at);
rd_term rd_law_term_count(struct rd_law_reader *reader, const struct rd_law_section *section,
                          const struct rd_law_reading *reading, const struct rd_law_numbers *at,
                          rd_term cell);

/* Returns the inputs of which elements are in what rd_law_term_count() counted last, k as the bit 2^k. */
unsigned rd_law_reader_inputs(const struct rd_law_reader *reader);

/* The condition that claims which name the cell say the same; rd_law_term_count() is that of the first of them. */
rd_term rd_law_term_agrees(struct rd_law_reader *reader, const struct rd_law_section *section,
                           const struct rd_law_reading *reading, const struct rd_law_numbers *at,
                           rd_term cell);

/* The value of the variable of `steps` at the last step; NULL of a section without steps, or where it isn't known. */
rd_term rd_law_term_last_step(struct rd_law_reader *reader, const struct rd_law_section *section,
                              const struct rd_law_numbers *at);

/* Numbers and conditions of the paragraph: an expression or a condition of a launch, of `steps`, of `when`. */
rd_term rd_law_term_of(struct rd_law_reader *reader, const struct rd_law_section *section,
                       const struct law_node *node, const struct rd_law_numbers *at);

/* Adds the quantities that the section's definitions (`let NAME = …`, without parameters) name, at the place: candidates for facts.
 * One without a value there is left out. */
void rd_law_term_definitions(struct rd_law_reader *reader, const struct rd_law_section *section,
                             const struct rd_law_numbers *at, struct rd_term_list *values);

/* The value there of the paragraph's definition of that number, with its name; NULL of one that names no quantity of the section, or
 * has no value there. *name is NULL behind the last. */
rd_term rd_law_term_definition(struct rd_law_reader *reader, const struct rd_law_section *section,
                               const struct rd_law_numbers *at, size_t index, const char **name);

#endif
