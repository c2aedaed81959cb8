// SPDX-License-Identifier: MIT
/* The inputs on the device, which no round may change: whether they are as the run gave them. */
#ifndef RD_RUN_INPUT_CHANGE_H
#define RD_RUN_INPUT_CHANGE_H

#include "run/state.h"

/* An input that a round has changed. */
struct rd_input_change {
    const char *array;                /* "a" or "b", or RD_INDICES_NAME */
    const struct rd_numeric *numeric; /* of its elements */
    size_t index;                     /* of the first element that is another, from 0 */
    size_t count;                     /* how many are, at least 1 */
    rd_bits expected;                 /* that element, as the run gave it, */
    rd_bits actual;                   /* and as it is */
};

/* Which inputs are looked at behind the round, as a set of enum rd_input: with `frame`, those that its kernel
 * was passed; else, as large ones take time, behind the last round those that any was. None where the kernel
 * may spoil them. */
unsigned rd_inputs_due(const struct rd_program *program, enum rd_operation operation,
                       const struct rd_shape *shape, bool frame, unsigned round);

/* Remembers what an input on the device holds, where the device can digest it: to be called behind the write that
 * put it there, and before any launch that is passed it. RD_ERROR_DEVICE, and RD_ERROR_FAULT where the device has
 * stopped a kernel that was launched before: the input is then not to be compared. The second is of the indices that
 * kernels take in the place of a, and that are compared together with it. */
enum rd_status rd_inputs_seal(struct rd_state *state, enum rd_input input, struct rd_error *error);
enum rd_status rd_indices_seal(struct rd_state *state, struct rd_error *error);

/* Compares an input on the device with the run's own, which must be as it was when it was sealed. A device that
 * digests its memory does so, which a change slips past with a chance of 2^-64, and only where the digests differ is
 * the array copied back; others copy it, a part at a time. No read may be under way. RD_OK: *changed says whether it
 * is another, and then *change is set. RD_ERROR_MEMORY: no host memory for the copy. RD_ERROR_DEVICE: a call of the
 * device failed. RD_ERROR_FAULT: the device has stopped a kernel that was launched before, and is lost. *changed and
 * *change are untouched after an error. */
enum rd_status rd_inputs_compare(struct rd_state *state, enum rd_input input, bool *changed,
                                 struct rd_input_change *change, struct rd_error *error);

/* "a", "b". */
const char *rd_input_name(enum rd_input input);

#endif
