// SPDX-License-Identifier: MIT
#include "terms.h"
#include "powers_of_two.h"

size_t rd_grid_for(size_t n, size_t block)
{
    return (n + block - 1) / block;
}

enum rd_status rd_accept_block_power_of_two(const struct rd_shape *shape, struct rd_error *error)
{
    if (rd_is_power_of_two(shape->block))
        return RD_OK;
    return rd_fail(error, RD_ERROR_USAGE,
                   "'block' is %u, not a power of two: halving it would lose threads' sums",
                   shape->block);
}
