// SPDX-License-Identifier: MIT
/* A law with the sizes of a run, for tests. */
#ifndef RD_TEST_LAW_HARNESS_H
#define RD_TEST_LAW_HARNESS_H

#include "reductio/law.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

struct law_subject {
    struct rd_law *law;
    struct rd_law_run *run;
    const struct rd_law_section *section; /* the last */
};

/* Fails the test where the paragraph can't be read. */
struct law_subject law_subject(const char *text, struct rd_law_sizes sizes);
void law_subject_finish(struct law_subject *subject);

#endif
