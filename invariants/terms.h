// SPDX-License-Identifier: MIT
/* Sizes of launches. */
#ifndef RD_TERMS_H
#define RD_TERMS_H

#include "program.h"

/* ceil(n / block): the blocks for one thread an element. */
size_t rd_grid_for(size_t n, size_t block);

/* Refuses a block that is not a power of two. */
enum rd_status rd_accept_block_power_of_two(const struct rd_shape *shape, struct rd_error *error);

#endif
