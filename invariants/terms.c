// SPDX-License-Identifier: MIT
#include "terms.h"
#include "powers_of_two.h"

#include <limits.h>

rd_bits rd_term(const struct rd_expect *expect, size_t j)
{
    const struct rd_numeric *numeric = expect->numeric;
    rd_bits a = numeric->load(expect->a, j);
    return expect->b ? numeric->times(a, numeric->load(expect->b, j)) : a;
}

rd_bits rd_term_square(const struct rd_expect *expect, size_t j)
{
    rd_bits a = expect->numeric->load(expect->a, j);
    return expect->numeric->times(a, a);
}

rd_bits rd_stride_sum_of(const struct rd_expect *expect, rd_term_fn *term, size_t first,
                         size_t stride)
{
    rd_bits sum = expect->numeric->from_u64(0);
    for (size_t j = first; j < expect->n_inputs; j += stride)
        sum = expect->numeric->add(sum, term(expect, j));
    return sum;
}

rd_bits rd_terms_sum(const struct rd_expect *expect, const struct rd_terms *terms)
{
    const struct rd_numeric *numeric = expect->numeric;
    size_t j = terms->first, j_b = terms->first_b;
    rd_bits sum = numeric->from_u64(0);
    for (size_t k = 0; k < terms->count; k++) {
        rd_bits term = numeric->load(expect->a, j);
        if (expect->b)
            term = numeric->times(term, numeric->load(expect->b, j_b));
        sum = numeric->add(sum, term);
        j += (size_t)terms->stride;
        j_b += (size_t)terms->stride_b;
    }
    return sum;
}

rd_bits rd_stride_sum(const struct rd_expect *expect, size_t first, size_t stride)
{
    return rd_stride_sum_of(expect, rd_term, first, stride);
}

size_t rd_grid_threads(const struct rd_shape *shape)
{
    return shape->grid * shape->block;
}

size_t rd_trips(const struct rd_shape *shape, size_t n_inputs)
{
    return (n_inputs + rd_grid_threads(shape) - 1) / rd_grid_threads(shape);
}

unsigned rd_trips_height(const struct rd_shape *shape, size_t n_inputs)
{
    size_t trips = rd_trips(shape, n_inputs);
    return trips > UINT_MAX / 2 ? UINT_MAX / 2 : (unsigned)(trips - 1);
}

unsigned rd_block_height(const struct rd_shape *shape, size_t n_inputs)
{
    return rd_trips_height(shape, n_inputs) + rd_tree_height(shape->block);
}

void rd_tree_fold(struct rd_expect *expect, size_t width)
{
    const struct rd_numeric *numeric = expect->numeric;
    while (expect->width > width) {
        size_t half = expect->width - expect->width / 2;
        for (size_t i = 0; i + half < expect->width; i++)
            numeric->store(expect->cells, i,
                           numeric->add(numeric->load(expect->cells, i),
                                        numeric->load(expect->cells, i + half)));
        expect->width = half;
    }
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
