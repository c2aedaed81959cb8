// SPDX-License-Identifier: MIT
/* Shared by printers of laws. Private to src/law. */
#ifndef RD_LAW_PRINT_H
#define RD_LAW_PRINT_H

#include "law/tree.h"
#include "law/run.h"

/* Precedence of an expression, from the loosest on. */
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

/* Prints the left side of a definition's equation: "e_0(j)", "r_(c+1)(j)", "x[k][t]". */
void rd_law_print_head(const struct law_definition *definition, const struct law_equation *equation,
                       FILE *out);

/* ---- definitions that printers explain ---- */

/* The definitions that a law speaks of, each once, in the order in which they are met. Starts as zeros, with `run`
 * set where the law is printed at the place of a run: its numbers stand as numbers there, and claims are those of
 * which the condition holds. */
struct law_used {
    struct rd_law_run *run;
    const struct law_definition **list;
    size_t count, capacity;
    bool failed; /* no memory */
};

/* Adds those that the claim speaks of, and those that these speak of. */
void rd_law_used_add(struct law_used *used, const struct law_claim *claim);
/* Adds those that the ranges of listed arrays speak of; call it behind the last claim. */
void rd_law_used_close(struct law_used *used);
void rd_law_used_finish(struct law_used *used);

/* ---- definitions that a law's words speak of at a place, once the parts that are numbers there are written so ---- */

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

/* ---- brackets in the author's words (text_brackets.c) ---- */

/* The x of 0 + x, x + 0 or x - 0, of which the 0 is left out; `known` are the variables that have a value, as bits. NULL: it is
 * none of these. */
const struct law_node *rd_law_beside_zero(struct rd_law_run *run, const struct law_node *sum,
                                          uint32_t known);
/* Decides on brackets around the k-th kid, which has no value; false where the run has failed. */
bool rd_law_part_needs_brackets(struct rd_law_run *run, uint32_t known,
                                const struct law_node *parent, size_t k, bool *brackets);

#endif
