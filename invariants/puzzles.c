// SPDX-License-Identifier: MIT
#include "puzzles.h"
#include "schedule.h"
#include "terms.h"

#include <assert.h>

/* Blocks in y, on every CUDA device so far. */
enum { GRID_Y_MAX = 65535 };

/* 32 x 32 threads are a block of 1024. */
enum { SIDE_MAX = 32 };

void rd_puzzle_budget(struct rd_round *round, size_t reads_max, size_t writes_max)
{
    assert(reads_max <= UINT32_MAX && writes_max <= UINT32_MAX);
    round->reads_max = (unsigned)reads_max;
    round->writes_max = (unsigned)writes_max;
}

void rd_puzzle_advance(struct rd_expect *expect, unsigned step, rd_puzzle_cell *cell)
{
    for (size_t i = 0; i < expect->n && step > 0; i++)
        expect->numeric->store(expect->cells, i, cell(expect, i));
}

void rd_puzzle_advance_sums(struct rd_expect *expect, unsigned step, rd_puzzle_terms *terms_of)
{
    size_t most = 1;
    for (size_t i = 0; i < expect->n && step > 0; i++) {
        struct rd_terms terms = {0};
        terms_of(&expect->shape, i, &terms);
        expect->numeric->store(expect->cells, i, rd_terms_sum(expect, &terms));
        expect->numeric->bound(expect, i, &terms);
        most = terms.count > most ? terms.count : most;
    }
    /* To add the first to 0 rounds nothing; each product is rounded once. */
    if (step > 0)
        expect->height = (unsigned)most - 1 + (expect->b != NULL);
}

rd_bits rd_puzzle_ten(const struct rd_expect *expect, size_t i)
{
    const struct rd_numeric *numeric = expect->numeric;
    return numeric->add(numeric->load(expect->a, i), numeric->from_u64(10));
}

/* ---- one dimension ---- */

size_t rd_puzzle_cells(const struct rd_shape *shape)
{
    return shape->n;
}

size_t rd_puzzle_blocks(const struct rd_shape *shape)
{
    return rd_grid_for(shape->n, shape->block, SIZE_MAX);
}

bool rd_puzzle_round(struct rd_round *round, unsigned number, enum rd_kernel kernel,
                     const struct rd_shape *shape)
{
    const struct rd_shape all = {shape->n, shape->block, rd_puzzle_blocks(shape)};
    if (number > 1)
        return false;
    rd_round_blocks(round, number, kernel, &all);
    rd_round_width(round, "n", shape->n);
    round->threads = shape->n;
    return true;
}

void rd_puzzle_ten_advance(struct rd_expect *expect, unsigned step)
{
    rd_puzzle_advance(expect, step, rd_puzzle_ten);
}

bool rd_puzzle_schedule(const struct rd_shape *shape, unsigned number, struct rd_round *round,
                        enum rd_kernel kernel, bool guarded)
{
    if (!rd_puzzle_round(round, number, kernel, shape))
        return false;
    rd_round_pass_input(round);
    rd_round_pass_a(round);
    if (guarded)
        rd_round_pass_size(round, shape->n);
    rd_puzzle_budget(round, 1, 1);
    return true;
}

/* ---- two dimensions ---- */

size_t rd_puzzle_square(const struct rd_shape *shape)
{
    return shape->n * shape->n;
}

bool rd_puzzle_square_round(struct rd_round *round, unsigned number, enum rd_kernel kernel,
                            const struct rd_shape *shape)
{
    if (!rd_puzzle_round(round, number, kernel, shape))
        return false;
    round->threads = rd_puzzle_square(shape);
    round->grid_y = (unsigned)round->grid;
    round->block_y = round->block;
    return true;
}

enum rd_status rd_puzzle_square_accept(const struct rd_shape *shape, struct rd_error *error)
{
    if (shape->block > SIDE_MAX)
        return rd_fail(
            error, RD_ERROR_USAGE,
            "'block' is %u, the side of a square, and a block of %u x %u threads is more "
            "than %u: use at most %u",
            shape->block, shape->block, shape->block, RD_BLOCK_MAX, SIDE_MAX);
    if (rd_puzzle_blocks(shape) > GRID_Y_MAX)
        return rd_fail(
            error, RD_ERROR_USAGE,
            "'n' is %zu, the side of a square, and a grid has at most %u rows of blocks: "
            "use at most %zu, or larger blocks",
            shape->n, GRID_Y_MAX, (size_t)GRID_Y_MAX * shape->block);
    return RD_OK;
}
