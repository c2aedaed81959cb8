// SPDX-License-Identifier: MIT
/* Laws with the sizes of a run, and the cells that they claim as text, for tests. */
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

/* Inputs a and b, array A, and w = n / 2^d. */
#define LAW_HEAD "input a[n], b[n] array A[n] let w = n / 2^d\n"

/* n = 8, T = 4, B = 2 */
extern const struct rd_law_sizes law_sizes_8;

/* The cells that the paragraph's last section claims, as text: "0:0,4 1:1,5"; a mistake as "COLUMN: MESSAGE". Cells and
 * inputs that are asked for one by one are those of the list, or the test fails. The next call overwrites the text. */
const char *law_cells_text(const char *text, struct rd_law_sizes sizes, struct rd_law_place place,
                           int input);
/* The same of a law behind LAW_HEAD, for law_sizes_8 and a round. */
const char *law_cells_text_8(const char *law, unsigned d);

#endif
