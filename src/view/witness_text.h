// SPDX-License-Identifier: MIT
/* The last line of a witness run: for which inputs its verdict is, and on what condition. Private to
 * src/view. */
#ifndef RD_VIEW_WITNESS_TEXT_H
#define RD_VIEW_WITNESS_TEXT_H

#include "reductio/summary.h"

/* `run` is the pass that was observed last. Returns text. */
const char *rd_witness_text(const struct rd_run *run, const struct rd_result *result,
                            char text[RD_SENTENCE_SIZE]);

#endif
