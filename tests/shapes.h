// SPDX-License-Identifier: MIT
/* Shapes of runs, for tests. */
#ifndef RD_TEST_SHAPES_H
#define RD_TEST_SHAPES_H

#include "reductio/shape.h"

/* A shape for programs whose rounds the host cuts: n elements, blocks of at most so
 * many threads. */
#define SHAPE_OF(n, block) (&(struct rd_shape){(n), (block), 0})
#define SHAPE(n)           SHAPE_OF(n, RD_BLOCK_DEFAULT)

#endif
