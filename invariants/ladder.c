// SPDX-License-Identifier: MIT
/* What the rungs of the ladder share: loads, trees, launches. */
#include "ladder.h"
#include "powers_of_two.h"
#include "terms.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

/* ---- what a thread brings ---- */

static size_t stride_height(const struct rd_shape *shape)
{
    return rd_trips(shape, shape->n) - 1;
}

static rd_bits stride_own(const struct rd_expect *expect, size_t thread)
{
    return rd_stride_sum(expect, thread, rd_grid_threads(&expect->shape));
}

const struct rd_ladder_load rd_ladder_stride = {stride_own, stride_height};

static rd_bits two_own(const struct rd_expect *expect, size_t thread)
{
    size_t T = expect->shape.block, first = thread / T * 2 * T + thread % T;
    rd_bits sum = expect->numeric->from_u64(0);
    for (size_t j = first; j <= first + T && j < expect->n_inputs; j += T)
        sum = expect->numeric->add(sum, rd_term(expect, j));
    return sum;
}

static size_t two_height(const struct rd_shape *shape)
{
    return shape->n > shape->block; /* else no thread has a second element */
}

const struct rd_ladder_load rd_ladder_two = {two_own, two_height};

static rd_bits packs_own(const struct rd_expect *expect, size_t thread)
{
    const struct rd_numeric *numeric = expect->numeric;
    size_t threads = rd_grid_threads(&expect->shape);
    size_t packed = expect->n_inputs / RD_LADDER_PACK * RD_LADDER_PACK;
    rd_bits own[RD_LADDER_PACK];
    for (size_t v = 0; v < RD_LADDER_PACK; v++) {
        own[v] = numeric->from_u64(0);
        for (size_t p = thread * RD_LADDER_PACK; p < packed; p += threads * RD_LADDER_PACK)
            own[v] = numeric->add(own[v], rd_term(expect, p + v));
    }
    rd_bits sum = numeric->add(numeric->add(own[0], own[1]), numeric->add(own[2], own[3]));
    for (size_t j = packed + thread; j < expect->n_inputs; j += threads)
        sum = numeric->add(sum, rd_term(expect, j));
    return sum;
}

/* A place's sum, the tree of the four, and the tail; where there are no packs, the tail alone. */
static size_t packs_height(const struct rd_shape *shape)
{
    size_t packs = shape->n / RD_LADDER_PACK, tail = rd_trips(shape, shape->n % RD_LADDER_PACK);
    return packs > 0 ? rd_trips(shape, packs) - 1 + 2 + tail : tail - 1;
}

const struct rd_ladder_load rd_ladder_packs = {packs_own, packs_height};

/* ---- the trees ---- */

void rd_ladder_halve(struct rd_expect *expect, size_t len, size_t width)
{
    const struct rd_numeric *numeric = expect->numeric;
    while (expect->width > width) {
        size_t half = expect->width / 2;
        for (size_t i = 0; i < half && i + half < len; i++)
            numeric->store(expect->cells, i,
                           numeric->add(numeric->load(expect->cells, i),
                                        numeric->load(expect->cells, i + half)));
        expect->width = half;
    }
}

rd_bits rd_ladder_fold_of(const struct rd_expect *expect, rd_bits *values, size_t len)
{
    for (size_t half = rd_power_of_two_from(len) / 2; half > 0; half /= 2)
        for (size_t i = 0; i < half && i + half < len; i++)
            values[i] = expect->numeric->add(values[i], values[i + half]);
    return values[0];
}

static void bring(const struct rd_expect *expect, const struct rd_ladder_load *load, uint64_t block,
                  rd_bits *own)
{
    for (size_t t = 0; t < expect->shape.block; t++)
        own[t] = load->own(expect, block * expect->shape.block + t);
}

rd_bits rd_ladder_interleaved(const struct rd_expect *expect, const struct rd_ladder_load *load,
                              uint64_t block)
{
    rd_bits x[RD_BLOCK_MAX];
    bring(expect, load, block, x);
    for (size_t s = 1; s < expect->shape.block; s *= 2)
        for (size_t i = 0; i + s < expect->shape.block; i += 2 * s)
            x[i] = expect->numeric->add(x[i], x[i + s]);
    return x[0];
}

rd_bits rd_ladder_fold(const struct rd_expect *expect, const struct rd_ladder_load *load,
                       uint64_t block)
{
    rd_bits x[RD_BLOCK_MAX];
    bring(expect, load, block, x);
    return rd_ladder_fold_of(expect, x, expect->shape.block);
}

void rd_ladder_warp_sums(const struct rd_expect *expect, const struct rd_ladder_load *load,
                         uint64_t block, rd_bits *sums)
{
    rd_bits x[RD_BLOCK_MAX];
    bring(expect, load, block, x);
    for (size_t w = 0; w < rd_ladder_parts(&expect->shape, RD_WARP_LANES); w++)
        sums[w] = rd_ladder_fold_of(expect, x + w * RD_WARP_LANES,
                                    rd_ladder_lanes(&expect->shape, (int)w));
}

static rd_bits gathered(const struct rd_expect *expect, const rd_bits *values, size_t count,
                        size_t lane, size_t lanes)
{
    rd_bits sum = expect->numeric->from_u64(0);
    for (size_t k = lane; k < count; k += lanes)
        sum = expect->numeric->add(sum, values[k]);
    return sum;
}

void rd_ladder_gather(struct rd_expect *expect, const rd_bits *values, size_t count)
{
    size_t lanes = rd_ladder_lanes(&expect->shape, 0);
    for (size_t l = 0; l < lanes; l++)
        expect->numeric->store(expect->cells, l, gathered(expect, values, count, l, lanes));
    expect->width = RD_WARP_LANES;
}

rd_bits rd_ladder_gather_of(const struct rd_expect *expect, const rd_bits *values, size_t count)
{
    size_t lanes = rd_ladder_lanes(&expect->shape, 0);
    rd_bits sums[RD_WARP_LANES];
    for (size_t l = 0; l < lanes; l++)
        sums[l] = gathered(expect, values, count, l, lanes);
    return rd_ladder_fold_of(expect, sums, lanes);
}

rd_bits rd_ladder_twice(const struct rd_expect *expect, const struct rd_ladder_load *load,
                        uint64_t block)
{
    rd_bits sums[RD_WARP_LANES];
    rd_ladder_warp_sums(expect, load, block, sums);
    return rd_ladder_gather_of(expect, sums, rd_ladder_parts(&expect->shape, RD_WARP_LANES));
}

size_t rd_ladder_block_height(const struct rd_shape *shape, const struct rd_ladder_load *load)
{
    return load->height(shape) + rd_tree_height(shape->block);
}

void rd_ladder_set_height(struct rd_expect *expect, const struct rd_ladder_load *load,
                          size_t additions_of_blocks)
{
    /* A product is rounded once. */
    size_t height =
        rd_ladder_block_height(&expect->shape, load) + additions_of_blocks + (expect->b != NULL);
    expect->height = height < UINT_MAX ? (unsigned)height : UINT_MAX;
}

size_t rd_ladder_lanes(const struct rd_shape *shape, int warp)
{
    size_t left = shape->block - (size_t)warp * RD_WARP_LANES;
    return left < RD_WARP_LANES ? left : RD_WARP_LANES;
}

size_t rd_ladder_parts(const struct rd_shape *shape, size_t size)
{
    return (shape->block + size - 1) / size;
}

/* ---- the blocks' sums ---- */

void rd_ladder_blocks_advance(struct rd_expect *expect, const struct rd_ladder_block *block,
                              unsigned step)
{
    const struct rd_shape *shape = &expect->shape;
    if (step == 0)
        return;
    for (uint64_t k = 0; k < shape->grid; k++)
        expect->numeric->store(expect->cells, k, block->sum(expect, block->load, k));
    rd_ladder_set_height(expect, block->load, shape->grid - 1); /* the host's */
}

/* ---- shapes ---- */

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
    size_t a_block = shape->block * elements,
           wanted = rd_grid_for(shape->n, (unsigned)a_block, SIZE_MAX);
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
