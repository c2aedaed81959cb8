// SPDX-License-Identifier: MIT
/* What the puzzles share: a launch with a thread for each element, in one dimension or two, and an
 * array that starts as zeros and gets each of its cells in one round. */
#ifndef RD_PUZZLES_H
#define RD_PUZZLES_H

#include "program.h"

/* ---- both ---- */

/* The plan's access budget: global reads and writes that a thread may make. */
void rd_puzzle_budget(struct rd_round *round, size_t reads_max, size_t writes_max);

/* Cell i of the result, from the input alone. */
typedef rd_bits rd_puzzle_cell(const struct rd_expect *expect, size_t i);

/* Before the round all cells are 0; after it each is what `cell` says. */
void rd_puzzle_advance(struct rd_expect *expect, unsigned step, rd_puzzle_cell *cell);

/* The terms of the sum that cell i of the result is. */
typedef void rd_puzzle_terms(const struct rd_shape *shape, size_t i, struct rd_terms *terms);

/* Before the round all cells are 0; after it each is 0 plus its terms, one after the other. */
void rd_puzzle_advance_sums(struct rd_expect *expect, unsigned step, rd_puzzle_terms *terms);

/* a[i] + 10 */
rd_bits rd_puzzle_ten(const struct rd_expect *expect, size_t i);

/* ---- one dimension ---- */

/* n */
size_t rd_puzzle_cells(const struct rd_shape *shape);
/* All n cells, at both steps. */
void rd_puzzle_claim(const struct rd_shape *shape, unsigned step, struct rd_claim *claim);
/* ceil(n / block) */
size_t rd_puzzle_blocks(const struct rd_shape *shape);
/* Starts the plan of the only round, with that many blocks; false where `number` is another. */
bool rd_puzzle_round(struct rd_round *round, unsigned number, enum rd_kernel kernel,
                     const struct rd_shape *shape);

/* A cell for each of these blocks: its claim, and what it holds, the sum of the block's terms. */
void rd_puzzle_blocks_claim(const struct rd_shape *shape, unsigned step, struct rd_claim *claim);
bool rd_puzzle_blocks_contains(const struct rd_shape *shape, unsigned step, size_t i, size_t j);
void rd_puzzle_blocks_statement(const struct rd_shape *shape, unsigned step, const char *term,
                                char text[RD_STATEMENT_SIZE]);

/* A[i] = a[i] + 10, of one dimension. */
extern const struct rd_invariant rd_puzzle_plus_ten;
#define RD_PUZZLE_TEN_GOAL "A[i] = a[i] + 10 for all i"
/* The plan of its round: the input, the array and, where the kernel has a guard, n. */
bool rd_puzzle_schedule(const struct rd_shape *shape, unsigned number, struct rd_round *round,
                        enum rd_kernel kernel, bool guarded);

/* ---- two dimensions: n rows of n, blocks of block x block threads ---- */

/* n * n */
size_t rd_puzzle_square(const struct rd_shape *shape);
void rd_puzzle_square_claim(const struct rd_shape *shape, unsigned step, struct rd_claim *claim);
bool rd_puzzle_square_round(struct rd_round *round, unsigned number, enum rd_kernel kernel,
                            const struct rd_shape *shape);
/* Refuses blocks of more threads than a block has, and more rows than a grid has. */
enum rd_status rd_puzzle_square_accept(const struct rd_shape *shape, struct rd_error *error);

#endif
