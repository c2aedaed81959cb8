// SPDX-License-Identifier: MIT
/* The inputs on the device, which no round may change: whether they are as the run gave them. */
#ifndef RD_INPUT_CHANGE_H
#define RD_INPUT_CHANGE_H

#include "state.h"

/* An input that a round has changed. */
struct rd_input_change {
    const char *array; /* "a" or "b" */
    size_t index;      /* of the first element that is another */
    size_t count;      /* how many are */
    rd_bits expected, actual;
};

/* Which inputs are looked at behind the round, as a set of enum rd_input: with `frame`, those that its kernel
 * was passed; else, as large ones take time, behind the last round those that any was. None where the kernel
 * may spoil them. */
unsigned rd_inputs_due(const struct rd_program *program, const struct rd_shape *shape, bool frame,
                       unsigned round);

/* An array that is an input was written to the device: remembers what it holds, where the device can. */
enum rd_status rd_inputs_seal(struct rd_state *state, enum rd_input input, struct rd_error *error);

/* Looks at one of them. A device that digests its memory does so, which a change slips past with a chance of
 * 2^-64, and only where the digests differ is the array copied back; others copy it. *changed is false, or
 * *change is set. No read may be under way. RD_ERROR_DEVICE, RD_ERROR_MEMORY. */
enum rd_status rd_inputs_compare(struct rd_state *state, enum rd_input input, bool *changed,
                                 struct rd_input_change *change, struct rd_error *error);

/* "a", "b". */
const char *rd_input_name(enum rd_input input);

#endif
