// SPDX-License-Identifier: MIT
/* Arithmetic on values side by side in memory: expected arrays are worked out some hundred cells at a time.
 * Each element type has such functions (rd_numeric.lanes), and so has any other arithmetic that a law is evaluated in.
 *
 * Thread safety: any thread may call these functions; the arrays are the caller's. */
#ifndef RD_NUMERIC_LANES_H
#define RD_NUMERIC_LANES_H

#include "operations.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The most values side by side. */
enum { RD_LANES_MAX = 256, RD_LANE_BYTES_MAX = 16 };

struct rd_lanes {
    size_t size_bytes; /* of a value, at most RD_LANE_BYTES_MAX */
    /* values[k] = array[first + k*stride], of an input of the run, or of an array of such values. */
    void (*input)(void *values, const void *array, size_t first, ptrdiff_t stride, size_t count);
    void (*load)(void *values, const void *array, size_t first, ptrdiff_t stride, size_t count);
    /* array[first + k*stride] = values[k] */
    void (*store)(void *array, size_t first, ptrdiff_t stride, const void *values, size_t count);
    /* values[k] = number + k*slope, as elements that wrap */
    void (*number)(void *values, int64_t number, int64_t slope, size_t count);
    /* values[k] = the operation's identity, the result of no terms */
    void (*identity)(enum rd_operation operation, void *values, size_t count);
    /* x[k] = x[k] combined with y[k]; x[k] - y[k]; x[k] * y[k]. Each rounds once. */
    void (*combine)(enum rd_operation operation, void *x, const void *y, size_t count);
    void (*subtract)(void *x, const void *y, size_t count);
    void (*times)(void *x, const void *y, size_t count);
    /* x[0] = x[0] combined with terms[0], then with terms[1], and so on. */
    void (*reduce)(enum rd_operation operation, void *x, const void *terms, size_t count);
    /* For values that are indices of inputs, in place of combine and reduce; else NULL. x[k] = x[k] or y[k],
     * the one whose input the operation keeps; of equal inputs the lower index. The input has n_inputs elements: an index
     * outside it, as rd_numeric_no_index(), loses to all others. */
    void (*select)(enum rd_operation operation, const void *input, size_t n_inputs, void *x,
                   const void *y, size_t count);
    void (*select_one)(enum rd_operation operation, const void *input, size_t n_inputs, void *x,
                       const void *terms, size_t count);
    /* Optional; NULL: all. Tells whether the type has the operation; identity, combine and reduce are asked for no other. */
    bool (*has)(enum rd_operation operation);
    /* Optional; NULL: all values fit. False if a value has overflowed the arithmetic's type: it must not be stored, and
     * the evaluation is given up. */
    bool (*fits)(const void *values, size_t count);
};

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
