// SPDX-License-Identifier: MIT
/* Shared by printers of laws. Private to src/law. */
#ifndef RD_LAW_PRINT_H
#define RD_LAW_PRINT_H

#include "law/tree.h"

/* How tightly an expression holds together. */
enum law_level {
    LAW_LEVEL_OR,
    LAW_LEVEL_AND,
    LAW_LEVEL_NOT,
    LAW_LEVEL_COMPARISON,
    LAW_LEVEL_SUM,
    LAW_LEVEL_TERM,
    LAW_LEVEL_SIGN,
    LAW_LEVEL_POWER,
    LAW_LEVEL_PRIMARY
};

enum law_level rd_law_level(const struct law_node *node);

/* Tells whether the node stands in brackets as the k-th kid of the other. */
bool rd_law_needs_brackets(const struct law_node *parent, size_t k);

/* Tells whether the node has names and is a number all the same, as soon as a place and the `known` variables are known:
 * slot k as the bit 2^k. */
bool rd_law_is_closed(const struct law_node *node, uint32_t known);

/* Tells whether the left side, unless it stands in brackets, and the operator behind it could be read in two ways. */
bool rd_law_is_ambiguous(const struct law_node *left, unsigned op);

#endif
