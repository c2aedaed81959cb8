// SPDX-License-Identifier: MIT
/* The shape of a run's launches. */
#ifndef RD_SHAPE_H
#define RD_SHAPE_H

#include <stddef.h>

/* The threads of a block, unless a program or a run says otherwise. */
enum { RD_BLOCK_DEFAULT = 256 };

/* The most threads a block may have, on every CUDA device so far. */
enum { RD_BLOCK_MAX = 1024 };

struct rd_shape {
    /* The size of the problem: elements of the input a, unless its paragraph declares another size. */
    size_t n;
    unsigned block; /* threads a block; at most, if the program's rounds take fewer */
    size_t grid;    /* blocks, if the program takes a number of them; else 0 */
};

#endif
