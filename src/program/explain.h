// SPDX-License-Identifier: MIT
/* The texts over the invariants, taken from their comments by tools/explain.py at build time. */
#ifndef RD_PROGRAM_EXPLAIN_H
#define RD_PROGRAM_EXPLAIN_H

struct rd_explanation {
    const char *name; /* of the program; NULL ends the list */
    const char *text;
};

extern const struct rd_explanation rd_explanations[];

#endif
