// SPDX-License-Identifier: MIT
/* Sizes of launches and trees. */
#ifndef RD_TERMS_H
#define RD_TERMS_H

#include "program.h"

/* How many threads the grid has: what a thread strides over. */
size_t rd_grid_threads(const struct rd_shape *shape);

/* The smallest h with 2^h >= n: the height of a balanced tree of n leaves. */
unsigned rd_tree_height(size_t n);

/* ceil(n / block), and no more than grid_max: the blocks for one thread an element. */
size_t rd_grid_for(size_t n, unsigned block, size_t grid_max);

/* Refuses a block that is not a power of two. */
enum rd_status rd_accept_block_power_of_two(const struct rd_shape *shape, struct rd_error *error);

#endif
