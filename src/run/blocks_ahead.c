// SPDX-License-Identifier: MIT
#include "run/blocks_ahead.h"
#include "program/expect_blocks.h"
#include "program/program_law.h"

#include <stdlib.h>
#include <string.h>

enum {
    BLOCKS_MAX = 256,
    CELLS_MAX = 1 << 11, /* of all blocks at a step: larger arrays gain nothing */
    STEPS_MAX = 64,      /* of a block: so many states are kept */
    REFUSALS_MAX = 4     /* in a row, after which nothing is tried any more */
};

void rd_blocks_ahead_finish(struct rd_blocks_ahead *ahead)
{
    for (size_t k = 0; k < ahead->capacity; k++)
        free(ahead->steps[k].cells);
    free(ahead->steps);
    *ahead = (struct rd_blocks_ahead){.n_blocks = 0};
}

static uint64_t least(uint64_t x, uint64_t y)
{
    return x < y ? x : y;
}

/* Goes to the block: with twice as many as before where blocks come in order, up or down, else with it alone. */
static void go_to(struct rd_blocks_ahead *ahead, uint64_t block)
{
    const size_t before = ahead->n_blocks, most = CELLS_MAX / ahead->n_cells;
    const bool up = before > 0 && block == ahead->first + before;
    const bool down = before > 0 && block + 1 == ahead->first;
    const uint64_t left = down ? block + 1 : block < ahead->end ? ahead->end - block : BLOCKS_MAX;
    if (before > 1)
        ahead->n_refused = 0;
    ahead->n_blocks = up || down ? least(least(2 * before, left), least(most, BLOCKS_MAX)) : 1;
    if (ahead->n_blocks == 0)
        ahead->n_blocks = 1;
    ahead->first = down ? block + 1 - ahead->n_blocks : block;
    ahead->n_steps = 0;
}

/* Stays with this block: of those behind it there may be none. */
static void refuse(struct rd_blocks_ahead *ahead, uint64_t block)
{
    ahead->first = block;
    ahead->n_blocks = 1;
    ahead->n_steps = 0;
    ahead->never = ++ahead->n_refused == REFUSALS_MAX;
}

static struct rd_step_ahead *add_step(struct rd_blocks_ahead *ahead)
{
    if (ahead->n_steps < ahead->capacity)
        return &ahead->steps[ahead->n_steps];
    const size_t capacity = ahead->capacity ? 2 * ahead->capacity : 8;
    struct rd_step_ahead *grown = realloc(ahead->steps, capacity * sizeof *grown);
    if (!grown)
        return NULL;
    memset(grown + ahead->capacity, 0, (capacity - ahead->capacity) * sizeof *grown);
    ahead->steps = grown;
    ahead->capacity = capacity;
    return &grown[ahead->n_steps];
}

/* Gives the step cells: as they were at the step before, or zeros. */
static bool give_cells(const struct rd_blocks_ahead *ahead, struct rd_step_ahead *step,
                       size_t size_bytes)
{
    if (step->size_bytes < size_bytes) {
        free(step->cells);
        step->cells = malloc(size_bytes);
        step->size_bytes = step->cells ? size_bytes : 0;
    }
    if (!step->cells)
        return false;
    if (ahead->n_steps > 0)
        memcpy(step->cells, step[-1].cells, size_bytes);
    else
        memset(step->cells, 0, size_bytes);
    return true;
}

/* Works the arrays of all blocks out at the place's step; *step is NULL where that can't be. */
static enum rd_status make_step(struct rd_blocks_ahead *ahead, const struct rd_program *program,
                                const struct rd_expect *expect, const struct rd_place *place,
                                struct rd_step_ahead **step, struct rd_error *error)
{
    struct rd_expect several = *expect;
    struct rd_place first = *place;
    bool known = false;
    struct rd_step_ahead *made = ahead->n_steps < STEPS_MAX ? add_step(ahead) : NULL;
    *step = NULL;
    if (!made ||
        !give_cells(ahead, made, ahead->n_blocks * ahead->n_cells * expect->numeric->size_bytes))
        return RD_OK;
    first.block = ahead->first;
    several.cells = made->cells;
    const enum rd_status status =
        rd_program_expect_blocks(program, &several, &first, ahead->n_blocks,
                                 ahead->n_steps > 0 ? &made[-1].variable : NULL, &known, error);
    if (status != RD_OK || !known)
        return status;
    made->variable = place->variable;
    rd_program_claim_at(program, &expect->shape, place, &made->claim);
    ahead->n_steps++;
    *step = made;
    return made->claim.count > 0 ? RD_OK
                                 : rd_program_check_claim_at(program, &expect->shape, place, error);
}

static struct rd_step_ahead *find_step(const struct rd_blocks_ahead *ahead, uint64_t variable)
{
    for (size_t k = 0; k < ahead->n_steps; k++)
        if (ahead->steps[k].variable == variable)
            return &ahead->steps[k];
    return NULL;
}

static bool has_block(const struct rd_blocks_ahead *ahead, uint64_t block)
{
    return block >= ahead->first && block - ahead->first < ahead->n_blocks;
}

enum rd_status rd_blocks_ahead_find(struct rd_blocks_ahead *ahead, const struct rd_program *program,
                                    const struct rd_expect *expect, const struct rd_place *place,
                                    void **cells, struct rd_claim *claim, struct rd_error *error)
{
    *cells = NULL;
    if (!ahead->never && ahead->n_cells == 0) {
        ahead->n_cells = rd_program_cells_of_block(program, &expect->shape, place);
        ahead->never = ahead->n_cells == 0 || ahead->n_cells > expect->n;
    }
    if (ahead->never)
        return RD_OK;
    if (!has_block(ahead, place->block))
        go_to(ahead, place->block);
    if (ahead->n_blocks == 1)
        return RD_OK;
    struct rd_step_ahead *step = find_step(ahead, place->variable);
    if (!step) {
        const enum rd_status status = make_step(ahead, program, expect, place, &step, error);
        if (status != RD_OK || !step) {
            refuse(ahead, place->block);
            return status;
        }
    }
    const size_t array_bytes = ahead->n_cells * expect->numeric->size_bytes;
    *cells = (unsigned char *)step->cells + (size_t)(place->block - ahead->first) * array_bytes;
    *claim = step->claim;
    return RD_OK;
}
