// SPDX-License-Identifier: MIT
/* The set of a cell next to its expected set. */
#ifndef RD_EVIDENCE_H
#define RD_EVIDENCE_H

#include "input_set.h"

/* The result of a re-run with witness values for a violated cell. */
struct rd_evidence {
    unsigned step;
    const char *array; /* name of the array; NULL: "A" */
    size_t cell;
    struct rd_input_set expected;
    struct rd_input_set actual; /* empty if `partial` */
    struct rd_input_set lost;   /* should be in the cell, and are not */
    struct rd_input_set extra;  /* are in the cell, and should not be, or not so often */
    /* More inputs differ than were looked for: `lost` and `extra` have the first of them */
    bool partial;
};

#endif
