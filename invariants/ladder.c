// SPDX-License-Identifier: MIT
/* Which shapes the rungs of the ladder take. */
#include "ladder.h"
#include "terms.h"

#include <stdint.h>

enum rd_status rd_ladder_accept(const struct rd_shape *shape, struct rd_error *error)
{
    if (shape->grid <= INT32_MAX)
        return RD_OK;
    return rd_fail(error, RD_ERROR_USAGE,
                   "'grid' is %zu, and a launch has at most %d blocks: use ladder-grid-stride, "
                   "which takes any n with any number of them",
                   shape->grid, INT32_MAX);
}

static enum rd_status accept_elements(const struct rd_shape *shape, size_t elements,
                                      struct rd_error *error)
{
    size_t a_block = shape->block * elements, wanted = rd_grid_for(shape->n, a_block);
    enum rd_status status = rd_ladder_accept(shape, error);
    if (status != RD_OK || shape->grid == 0 || shape->grid >= wanted)
        return status;
    return rd_fail(error, RD_ERROR_USAGE,
                   "'grid' is %zu, and so many blocks of %u threads load %zu of %zu elements: use "
                   "%zu, or ladder-grid-stride, which takes any number",
                   shape->grid, shape->block, shape->grid * a_block, shape->n, wanted);
}

enum rd_status rd_ladder_accept_one(const struct rd_shape *shape, struct rd_error *error)
{
    return accept_elements(shape, 1, error);
}

enum rd_status rd_ladder_accept_two(const struct rd_shape *shape, struct rd_error *error)
{
    return accept_elements(shape, 2, error);
}
