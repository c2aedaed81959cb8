// SPDX-License-Identifier: MIT
/* What is asserted at a step, set as formulas: the law of the program in MathML, with the numbers of the step.
 * Private to src/view. */
#ifndef RD_VIEW_STATEMENT_H
#define RD_VIEW_STATEMENT_H

#include "reductio/history.h"
#include "reductio/law.h"
#include "view/report/markup.h"

/* The law of a history's program, in evaluation; all NULL where there is none. */
struct rd_statements {
    const struct rd_history_about *about;
    struct rd_law *law;
    struct rd_law_run *run;
};

/* Without a law that can be had, the sentences that are printed are read. */
void rd_statements_init(struct rd_statements *statements, const struct rd_history_about *about);
void rd_statements_finish(struct rd_statements *statements);

/* Writes the statement of a frame: one or more math elements. A sentence that is neither that of the program's law nor
 * one in the language of laws stands as text, as a trace may bring it. */
void rd_statements_write(struct rd_statements *statements, const struct rd_frame *frame,
                         struct rd_markup *to);

#endif
