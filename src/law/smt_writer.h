// SPDX-License-Identifier: MIT
/* Laws as formulas of SMT-LIB 2. Private to src/law. */
#ifndef RD_LAW_SMT_WRITER_H
#define RD_LAW_SMT_WRITER_H

#include "law/run.h"

/* The values of a sentence's variables: numbers, or terms. */
struct smt_scope {
    uint32_t known; /* slots that have a number */
    int64_t numbers[LAW_VARIABLES_MAX];
    const char *terms[LAW_VARIABLES_MAX];
};

struct smt_writer {
    struct rd_law_run *run; /* at a place; it has the status */
    const struct rd_law_section *section;
    FILE *out;
    const char *input; /* the name of the input's index */
    const char *array; /* and of the array that is spoken of */
    struct smt_scope *scope;
    unsigned depth;
};

/* Write a condition, and how often a value holds the input. All that SMT-LIB has no word for is refused. */
void rd_smt_condition(struct smt_writer *to, const struct law_node *node);
void rd_smt_count(struct smt_writer *to, const struct law_node *value);
/* The variables of a binding, which may be NULL, as they are in the run. */
struct smt_scope rd_smt_scope_of_case(struct rd_law_run *run, const struct law_binding *binding);

typedef void smt_write(struct smt_writer *to, const struct law_node *node);

/* Works out a number that follows from the place. False where it has no value or isn't known; the run has failed only in
 * the first case. */
bool rd_smt_known(struct smt_writer *to, const struct law_node *node, int64_t *value);
/* Writes what a call of a definition stands for. */
void rd_smt_defined(struct smt_writer *to, const struct law_node *node, smt_write *write);

/* The flat index of an element, row by row. */
void rd_smt_flat(struct smt_writer *to, const struct law_node *element,
                 const struct law_array *array);

static inline bool rd_smt_has_failed(const struct smt_writer *to)
{
    return to->run->status != RD_OK;
}

#endif
