// SPDX-License-Identifier: MIT
/* Expected arrays of several blocks at a checkpoint, worked out side by side. Private to src/program and src/run. */
#ifndef RD_PROGRAM_EXPECT_BLOCKS_H
#define RD_PROGRAM_EXPECT_BLOCKS_H

#include "reductio/program.h"

/* The cells of one block's array at the point of the place; 0 where steps or live cells aren't the same in all blocks, or
 * there is no memory. */
size_t rd_program_cells_of_block(const struct rd_program *program, const struct rd_shape *shape,
                                 const struct rd_place *at);
/* As rd_program_expect_at, of n_blocks blocks from that of the place on; expect->cells are their arrays, one behind the
 * other. *known is false where they can't be worked out side by side, and then the cells hold nothing of use.
 * RD_ERROR_MEMORY, RD_ERROR_INTERRUPTED. */
enum rd_status rd_program_expect_blocks(const struct rd_program *program, struct rd_expect *expect,
                                        const struct rd_place *at, size_t n_blocks,
                                        const uint64_t *from, bool *known, struct rd_error *error);

#endif
