// SPDX-License-Identifier: MIT
/* The last line of a run: its verdict and what was counted. Programs read it, too: it is wrapped on
 * a terminal only. Private to src/view. */
#ifndef RD_VIEW_TEXT_INTERNAL_H
#define RD_VIEW_TEXT_INTERNAL_H

#include "reductio/run.h"
#include "view/paint.h"
#include "reductio/summary.h"

struct rd_last_line {
    const struct rd_paint *paint;
    bool wrapped;
    size_t column; /* columns of the terminal's line that are taken */
};

/* The last line of a witness run: for which inputs its verdict is, and on what condition. Private to
 * src/view. */

/* `run` is the pass that was observed last. Returns text. */
const char *rd_witness_text(const struct rd_run *run, const struct rd_result *result,
                            char text[RD_SENTENCE_SIZE]);

/* The steps of a witness run, put together from all its passes. Private to src/view. */

/* Sets are kept for up to so many inputs: n*n digits for each step. */
enum { RD_SETS_INPUTS_MAX = 256 };

struct rd_sets;

/* Gets ready for the passes of the run. NULL: out of memory. */
struct rd_sets *rd_sets_create(const struct rd_run *run, unsigned rounds);
void rd_sets_destroy(struct rd_sets *sets); /* NULL is fine */

/* Takes a step of a pass. False: out of memory. */
bool rd_sets_add(struct rd_sets *sets, const struct rd_run *run, const struct rd_step *step);

/* Prints each step once, its cells as sets of inputs. `refused` is the round whose launch was, or
 * 0.
 */
void rd_sets_print(const struct rd_sets *sets, const struct rd_paint *paint, unsigned refused);

#endif
