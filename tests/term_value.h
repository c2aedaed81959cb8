// SPDX-License-Identifier: MIT
/* Values of terms whose constants have values, for tests. */
#ifndef RD_TEST_TERM_VALUE_H
#define RD_TEST_TERM_VALUE_H

#include "law/run.h"
#include "prove/logic/term.h"

enum { NAMES_MAX = 64 };

struct environment {
    size_t count;
    rd_term constants[NAMES_MAX];
    rd_wide values[NAMES_MAX];
    struct rd_law_run *run; /* for definitions by number */
    bool undefined;
    /* Optional: finds the value of an application, or whether a predicate holds; false: it is none that it knows. With it, what isn't
     * known is undefined, and does not fail the test. */
    bool (*apply)(void *self, struct environment *environment, rd_term term, rd_wide *value);
    void *self;
};

void environment_set(struct environment *environment, rd_term constant, rd_wide value);
/* Fails the test at a constant that has no value. An undefined quotient or power is 0, and is noted. before(c) is 2 + c. */
rd_wide term_value(struct environment *environment, rd_term term);

#endif
