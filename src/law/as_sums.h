// SPDX-License-Identifier: MIT
/* Laws with sums in the place of reductions that some of their inputs decide, as a maximum, or `or`: by random inputs, two such laws
 * agree where the same inputs are in both, each as often. */
#ifndef RD_LAW_AS_SUMS_H
#define RD_LAW_AS_SUMS_H

/* Returns the text of a law, or of a paragraph, with `sum of` in the place of `max of`, `min of`, `argmax of`, `argmin of`, `and of`
 * and `or of`. The caller frees it; NULL where there is no memory. */
char *rd_law_as_sums(const char *text);

#endif
