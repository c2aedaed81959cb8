// SPDX-License-Identifier: MIT
/* The operations that reductions go over: their names, and their identities.
 *
 * Thread safety: any thread may call these functions at any time. */
#ifndef RD_OPERATION_H
#define RD_OPERATION_H

#include "numeric.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Its name, as in a law: "sum". Never NULL for a member of the enumeration. */
const char *rd_operation_name(enum rd_operation operation);
/* Looks it up; false where there is none of that name. */
bool rd_operation_named(const char *name, enum rd_operation *operation);
/* Tells whether its result is the index of a term instead of a value: the least index at which the term is least, or
 * greatest. */
bool rd_operation_selects(enum rd_operation operation);

/* The arithmetic of the type, with reductions over the operation. RD_ERROR_USAGE where the type doesn't have
 * it. */
enum rd_status rd_operation_over(enum rd_operation operation, enum rd_type type,
                                 const struct rd_numeric **numeric, struct rd_error *error);

/* The result of no terms, in *identity; false where the operation has none or the type doesn't have it. Of min and
 * max of floats it is a NaN, which loses to any number, and next to which a NaN stays one. Of an operation that selects it
 * is rd_numeric_no_index(), if numeric is of its indices; else it has none. */
bool rd_operation_identity(enum rd_operation operation, const struct rd_numeric *numeric,
                           rd_bits *identity);
/* x and y combined; of an operation that selects, the one that it keeps. The type must have the operation. */
rd_bits rd_operation_combine(enum rd_operation operation, const struct rd_numeric *numeric,
                             rd_bits x, rd_bits y);

/* Makes a sentence about sums one about the operation: "max of a[j]" of "sum of a[j]", and where a cell is 0,
 * "max of a[j], j < 0", which is the max of nothing. text: char[size]; what has no room is cut. */
void rd_operation_in_words(enum rd_operation operation, char *text, size_t size);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
