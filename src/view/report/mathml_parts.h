// SPDX-License-Identifier: MIT
/* The parts of a formula's reader, which writes as it reads. A rule returns whether it applies; one
 * that does not takes back what it has read and written, and its caller then tries the next, or
 * takes the word as text. Private to src/view/report.
 *
 *     statement  = sentence {";" sentence}
 *     sentence   = [mixed ":"] equation
 *     equation   = [mixed "="] ("sum of" | "sums of") parts | mixed     mathml.c
 *     parts      = mixed {"," (condition | remark)}
 *     mixed      = {comparison | word}                                  mathml_terms.c
 *     comparison = expression {("<=" | "<" | "=") expression} ["(mod" number ")"]
 *     expression = atom {("+" | "-" | "*" | "/" | "mod") atom}
 *     atom       = number name | (number | brackets | name) ["^" (number | name)]
 */
#ifndef RD_VIEW_MATHML_PARTS_H
#define RD_VIEW_MATHML_PARTS_H

#include "view/report/markup.h"

/* What is still to be read, and where to it is written. */
struct rd_math {
    struct rd_markup *to;
    const char *at, *end;
    bool is_left_side; /* of an equation: behind the end is its sign */
};

/* ---- mathml_words.c ---- */

void rd_math_skip_blanks(struct rd_math *math);
bool rd_math_next_is(const struct rd_math *math, const char *word);

/* Takes a sign, and blanks before it; of two that begin alike the longer is to be asked for
 * first. */
bool rd_math_take(struct rd_math *math, const char *sign);
/* The same of a word, which ends there. */
bool rd_math_take_word(struct rd_math *math, const char *word);

/* Writes a sign. */
void rd_math_operator(struct rd_math *math, const char *sign);

/* Where a rule began, so that it can be taken back. */
struct rd_math_mark {
    const char *at;
    size_t size;
};

struct rd_math_mark rd_math_here(const struct rd_math *math);
bool rd_math_take_back(struct rd_math *math, struct rd_math_mark start); /* returns false */

/* Puts markup before what was written since `start`. */
void rd_math_wrap(struct rd_math *math, struct rd_math_mark start, const char *markup);

/* ---- mathml_terms.c ---- */

/* Words and formulas in turn. True where there was no word: all of it is a formula, and `related`
 * tells whether it says how two things relate. */
bool rd_math_mixed(struct rd_math *math, bool *related);

#endif
