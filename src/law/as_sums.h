// SPDX-License-Identifier: MIT
/* Laws with sums in the place of reductions that some of their inputs decide, as a maximum, or `or`: by random inputs, two such laws
 * agree where the same inputs are in both, each as often. Whether it is by the same operation, they don't say. */
#ifndef RD_LAW_AS_SUMS_H
#define RD_LAW_AS_SUMS_H

#include "reductio/operation.h"

/* Returns the text of a law, or of a paragraph, with `sum of` in the place of `max of`, `min of`, `and of` and `or of`; in that of
 * `argmax of` and `argmin of` with a multiple, unless it is the operation that `sum` stands for in the program. The caller frees it;
 * NULL where there is no memory. */
char *rd_law_as_sums(const char *text, enum rd_operation own);

#endif
