// SPDX-License-Identifier: MIT
#include "puzzles.h"
#include "terms.h"

/* Blocks in y, on every CUDA device so far. */
enum { GRID_Y_MAX = 65535 };

/* 32 x 32 threads are a block of 1024. */
enum { SIDE_MAX = 32 };

enum rd_status rd_puzzle_square_accept(const struct rd_shape *shape, struct rd_error *error)
{
    if (shape->block > SIDE_MAX)
        return rd_fail(
            error, RD_ERROR_USAGE,
            "'block' is %u, the side of a square, and a block of %u x %u threads is more "
            "than %u: use at most %u",
            shape->block, shape->block, shape->block, RD_BLOCK_MAX, SIDE_MAX);
    if (rd_grid_for(shape->n, shape->block) > GRID_Y_MAX)
        return rd_fail(
            error, RD_ERROR_USAGE,
            "'n' is %zu, the side of a square, and a grid has at most %u rows of blocks: "
            "use at most %zu, or larger blocks",
            shape->n, GRID_Y_MAX, (size_t)GRID_Y_MAX * shape->block);
    return RD_OK;
}
