// SPDX-License-Identifier: MIT
/* Finds what may be undefined in a condition, and so mustn't be skipped. Private to src/law. */
#ifndef RD_LAW_RISK_H
#define RD_LAW_RISK_H

#include "law/resolve.h"

/* A number that is the same whatever the variables of the binding are, and must have a value. */
struct law_risk {
    const struct law_node *node;
    enum { LAW_RISK_NO_VALUE, LAW_RISK_ZERO, LAW_RISK_ZERO_OR_LESS } kind; /* what it must not be */
};

struct law_risks {
    size_t count, capacity;
    struct law_risk *list;
    bool open; /* more may be undefined, which depends on the variables */
};

/* Adds those of a condition to the list; `own` are the variables of the binding, as bits. False where there is no
 * memory. Numbers beyond 2^63 aren't told: they are undefined by how they are worked out alone. */
bool rd_law_add_risks(struct law_scope *scope, const struct law_node *node, uint32_t own,
                      struct law_risks *risks);

#endif
