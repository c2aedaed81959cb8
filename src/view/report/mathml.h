// SPDX-License-Identifier: MIT
/* The statement of an invariant, as programs write it, in MathML:
 *
 *     for 0 <= i < 4: A[i] = sum of a[j], j mod 4 = i
 *
 * becomes "for 0 ≤ i < 4:" and, on a line of its own, A with the index i, an equals sign, and a sum
 * sign over a with the index j, below it j mod 4 = i. Words that are no formula stay words. Private
 * to src/view. */
#ifndef RD_VIEW_MATHML_H
#define RD_VIEW_MATHML_H

#include "view/report/markup.h"

/* Writes one or more math elements, and words between them as text. */
void rd_mathml_statement(struct rd_markup *to, const char *statement);

#endif
