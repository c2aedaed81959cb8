// SPDX-License-Identifier: MIT
/* The outcome of a proposed law, in words, in all views. */
#ifndef RD_VIEW_CANDIDATE_TEXT_H
#define RD_VIEW_CANDIDATE_TEXT_H

#include "reductio/candidate.h"

#include <stdio.h>

/* Type of printed cells, and the inputs if cells hold indices. */
struct rd_candidate_words {
    const struct rd_numeric *numeric;
    const char *array; /* its name */
    const void *a;     /* the run's first input, of which cells may hold indices; or NULL */
    size_t n_a;
};

/* "A[0] is 4, and the law says 1; 4 cells are wrong". */
void rd_candidate_print_cell(FILE *out, const struct rd_candidate_cell *cell, size_t n_false,
                             const struct rd_candidate_words *words);

/* The law's number for the cell, as the run's type writes it; where the type can't hold it the exact one, if that has no more
 * digits than a double, or if the cell is the rounded one. */
void rd_candidate_said_text(const struct rd_candidate_cell *cell, const struct rd_numeric *numeric,
                            char text[RD_VALUE_TEXT_SIZE]);
/* The same of the second number of a law that contradicts itself. */
void rd_candidate_also_text(const struct rd_candidate_cell *cell, const struct rd_numeric *numeric,
                            char text[RD_VALUE_TEXT_SIZE]);

/* Tells whether a cell is undecided because of an underflow on the way to it; else an overflow. */
bool rd_candidate_underflows(const struct rd_candidate_cell *cell,
                             const struct rd_numeric *numeric);

/* Prints the reason of the verdict: "after round 1 A[0] is 4, and the law says 1". */
void rd_candidate_print_reason(FILE *out, const struct rd_candidate_result *judged,
                               const struct rd_candidate_words *words);

/* Returns the reason why the inputs in its cells were not compared; "" if they were. */
const char *rd_candidate_gap_name(enum rd_candidate_gap gap);

#endif
