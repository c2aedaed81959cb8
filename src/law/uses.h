// SPDX-License-Identifier: MIT
/* The definitions that a law's words speak of at a place, once the parts that are numbers there are written as such.
 * Private to src/law. */
#ifndef RD_LAW_USES_H
#define RD_LAW_USES_H

#include "law/run.h"

/* An index of a defined array, wherever it is spoken of. */
enum law_index { LAW_INDEX_UNSEEN, LAW_INDEX_KNOWN, LAW_INDEX_OPEN };

struct law_use {
    const struct law_definition *definition;
    enum law_index indices[LAW_INDICES_MAX]; /* KNOWN: the same number each time */
    int64_t values[LAW_INDICES_MAX];
};

struct law_uses {
    size_t count, capacity;
    struct law_use *list; /* the caller frees it */
};

/* Finds those of the active claims, and those of their definitions, each once. */
bool rd_law_find_uses(struct rd_law_run *run, const struct law_claims *claims,
                      struct law_uses *uses);

/* Tells whether the index is known. */
bool rd_law_use_knows(const struct law_uses *uses, const struct law_definition *definition,
                      size_t index);

/* Tells whether the node has names and is a number at this place: not where that is undefined. */
bool rd_law_has_value(struct rd_law_run *run, const struct law_node *node, uint32_t known,
                      int64_t *value);

/* Tells whether NAME_k(x) is written as what it stands for: k is a small number, and x are the names that the definition
 * has. */
bool rd_law_is_written_out(struct rd_law_run *run, const struct law_node *node, uint32_t known);

/* The frames of such a NAME_k(x), and of an equation of a use: the variables that are known, as bits. The caller pops. */
bool rd_law_enter_family(struct rd_law_run *run, const struct law_node *node,
                         const struct law_node **body, uint32_t *known, size_t *base, size_t *top);
bool rd_law_enter_use(struct rd_law_run *run, const struct law_uses *uses,
                      const struct law_definition *definition, const struct law_equation *equation,
                      uint32_t *known, size_t *base, size_t *top);

#endif
