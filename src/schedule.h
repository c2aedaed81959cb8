// SPDX-License-Identifier: MIT
/* Small helpers for schedules of rounds. */
#ifndef RD_SCHEDULE_H
#define RD_SCHEDULE_H

#include "program.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether n is 1, 2, 4, 8, … */
bool rd_is_power_of_two(size_t n);

/* The least power of two >= n; n >= 1. */
size_t rd_power_of_two_from(size_t n);

/* Starts the plan of a round: `threads` threads in blocks of at most block_max, and of no more than
 * there are threads. The operands follow. */
void rd_round_init(struct rd_round *round, unsigned number, enum rd_kernel kernel, size_t threads,
                   unsigned block_max);

/* Starts the plan of a round of the shape's grid and block. The operands follow. */
void rd_round_blocks(struct rd_round *round, unsigned number, enum rd_kernel kernel,
                     const struct rd_shape *shape);

/* Names what this family of rounds is counted by, and its value in this round. */
void rd_round_width(struct rd_round *round, const char *name, size_t value);

/* Adds the kernel's next argument: the array A, the array B, or a number. */
void rd_round_pass_a(struct rd_round *round);
void rd_round_pass_b(struct rd_round *round);
void rd_round_pass_input(struct rd_round *round); /* the input a */
void rd_round_pass_scratch(struct rd_round *round, size_t n_elems);
void rd_round_pass_ticket(struct rd_round *round);
void rd_round_pass_size(struct rd_round *round, size_t size);

#ifdef __cplusplus
}
#endif
#endif
