// SPDX-License-Identifier: MIT
#include "puzzles.h"
#include "terms.h"

#include <assert.h>

/* Blocks in y, on every CUDA device so far. */
enum { GRID_Y_MAX = 65535 };

/* 32 x 32 threads are a block of 1024. */
enum { SIDE_MAX = 32 };

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

size_t rd_puzzle_blocks(const struct rd_shape *shape)
{
    return rd_grid_for(shape->n, shape->block, SIZE_MAX);
}

void rd_puzzle_ten_advance(struct rd_expect *expect, unsigned step)
{
    rd_puzzle_advance(expect, step, rd_puzzle_ten);
}

/* ---- two dimensions ---- */

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
