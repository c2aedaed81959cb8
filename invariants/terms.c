// SPDX-License-Identifier: MIT
#include "terms.h"
#include "powers_of_two.h"

size_t rd_grid_threads(const struct rd_shape *shape)
{
    return shape->grid * shape->block;
}

unsigned rd_tree_height(size_t n)
{
    unsigned height = 0;
    while (((size_t)1 << height) < n)
        height++;
    return height;
}

size_t rd_grid_for(size_t n, unsigned block, size_t grid_max)
{
    size_t grid = (n + block - 1) / block;
    return grid < grid_max ? grid : grid_max;
}

enum rd_status rd_accept_block_power_of_two(const struct rd_shape *shape, struct rd_error *error)
{
    if (rd_is_power_of_two(shape->block))
        return RD_OK;
    return rd_fail(error, RD_ERROR_USAGE,
                   "'block' is %u, not a power of two: halving it would lose threads' sums",
                   shape->block);
}
