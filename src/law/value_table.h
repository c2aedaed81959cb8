// SPDX-License-Identifier: MIT
/* The values of an expression of one variable at a place, and which of the variable's values have them: of `r_d(j) = i`,
 * where no formula leads back from i to j, the j's. Private to src/law. */
#ifndef RD_LAW_VALUE_TABLE_H
#define RD_LAW_VALUE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rd_law_run;
struct law_node;

/* A table is kept for its place, and never changed while it is in use. */
struct law_value_table {
    const struct law_node *of;
    uint64_t generation;   /* of the place */
    unsigned asked, fills; /* so often at this place */
    unsigned users;
    bool refused;        /* some value is undefined, or there was no memory */
    int64_t least, most; /* the variable's values in it; none if most < least */
    int64_t *values;     /* by variable, from the least on */
    /* Chains of variables, ascending, whose values have the same hash; each is a variable's number behind `least`, plus 1,
     * and 0 ends a chain. */
    uint32_t *heads, *next;
    unsigned heads_log2;
};

enum { LAW_VALUE_TABLES = 4 };

/* Returns the table of the node's values, where the variable goes from `least` to `most` or further, for the caller to
 * release. NULL if it isn't worth while, as a place that asks once, or if some value is undefined. The variable is changed. */
struct law_value_table *rd_law_value_table_get(struct rd_law_run *run, const struct law_node *node,
                                               unsigned slot, int64_t least, int64_t most);
void rd_law_value_table_release(struct law_value_table *table); /* NULL is fine */

/* Finds the first variable from *v on that has the value. *at is 0 at first, and the caller keeps it. */
bool rd_law_value_table_next(const struct law_value_table *table, int64_t value, uint32_t *at,
                             int64_t *v);

void rd_law_value_tables_finish(struct law_value_table tables[LAW_VALUE_TABLES]);

#endif
