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

/* Returns the operation's name, as in a law: "sum". Never NULL for a member of the enumeration. */
const char *rd_operation_name(enum rd_operation operation);
/* Looks an operation up by its name; false if there is none of that name. */
bool rd_operation_named(const char *name, enum rd_operation *operation);
/* Tells whether the operation selects: its result is not a value but the least index at which the term is least, or
 * greatest. */
bool rd_operation_selects(enum rd_operation operation);

/* Finds the arithmetic of the type with the operation, as rd_numeric_over does. RD_ERROR_USAGE if the type doesn't have
 * it. */
enum rd_status rd_operation_over(enum rd_operation operation, enum rd_type type,
                                 const struct rd_numeric **numeric, struct rd_error *error);

/* Finds the result of no terms; false if the operation has none, or if the type lacks the operation. For min and max of
 * floats it is a NaN, which loses to any number. For an operation that selects it is rd_numeric_no_index() if `numeric` is
 * of its indices; else it has none. */
bool rd_operation_identity(enum rd_operation operation, const struct rd_numeric *numeric,
                           rd_bits *identity);
/* Combines x and y; an operation that selects keeps one of them. The type must have the operation. */
rd_bits rd_operation_combine(enum rd_operation operation, const struct rd_numeric *numeric,
                             rd_bits x, rd_bits y);

/* Rewrites a sentence about sums for the operation: "sum of a[j]" becomes "max of a[j]", and a cell that is 0 becomes
 * "max of a[j], j < 0", the maximum of nothing. text: char[size]; the result is cut to fit. */
void rd_operation_in_words(enum rd_operation operation, char *text, size_t size);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
