// SPDX-License-Identifier: MIT
/* Formulas as the texts of `reductio explain` have them: "ceil(n/G) + ceil(log2(T)) + B - 2". */
#ifndef RD_TEST_FORMULA_H
#define RD_TEST_FORMULA_H

#include "reductio/shape.h"

struct rd_program;

/* The text of a program, its lines joined; the caller frees it. */
char *formula_text_of(const struct rd_program *program);

/* Works out the formula at the start of `text`, as far as it goes; `*end` is behind it. The names: n,
 * T and B of the shape, G = T*B, P = floor(n/4), L = min(T, 32), m = ceil(sqrt(n)). Without `end`,
 * all of the text must be one. */
double formula_value(const char *text, const struct rd_shape *shape, const char **end);

#endif
