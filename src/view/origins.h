// SPDX-License-Identifier: MIT
/* How a value came about, in words. Private to src/view. */
#ifndef RD_VIEW_ORIGINS_H
#define RD_VIEW_ORIGINS_H

#include "reductio/history.h"

enum { RD_ORIGIN_TEXT_SIZE = 320, RD_LINE_TEXT_SIZE = 128 };

/* "line 17", or "line 47 of ladder.h" where kernels share it. Returns text. */
const char *rd_line_text(unsigned line, const char *file, char text[RD_LINE_TEXT_SIZE]);

/* "round 1, thread 4 of block 0, line 17", "input", "round 1, register of thread 16 of block 0, …".
 * Returns text. */
const char *rd_origin_text(const struct rd_origin *node, char text[RD_ORIGIN_TEXT_SIZE]);

/* How much of what is in the cell the tree shows: "whole: …". Returns text. */
const char *rd_origins_text(const struct rd_origins *tree, char text[RD_ORIGIN_TEXT_SIZE]);

/* What the thread did: "reads", "updates", of an atomic, "takes", … */
const char *rd_access_verb(enum rd_access_op op);

#endif
