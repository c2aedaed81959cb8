// SPDX-License-Identifier: MIT
/* The laws of all programs on many shapes, and what their warps meet at points, for tests. RD_TEST_SHAPES=all: of many more
 * shapes. */
#ifndef RD_TEST_LAW_PROGRAMS_H
#define RD_TEST_LAW_PROGRAMS_H

#include "reductio/law.h"
#include "laws.h"
#include "device/kernel_names.h"
#include "reductio/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Counts of what was gone through; set to 0 by each test. */
struct figures {
    size_t programs, shapes, places, cells, pairs, moved, aside;
};

extern struct figures figures;

/* A program on a shape, and its law. */
struct subject {
    const struct rd_program *program;
    struct rd_shape shape;
    const struct rd_law *law;
    struct rd_law_run *run;
    size_t n_a, n_b;
};

/* Fails the test with an error of the subject's law. */
void fail_law(const struct subject *subject, const struct rd_law_error *error);

/* Fails the test if no more than that were gone through, or in a short run a part of it. */
void assert_more_than(size_t least, size_t count);

bool starts_with(const char *text, const char *start);

/* Goes through the shapes that each right program takes; in a short run (RD_TEST_SHORT) through one of eight of each program's,
 * begun at another one from program to program. */
void for_each_subject(void (*judge)(struct subject *subject));

enum { PLACES_MAX = 4096 };

/* All that a warp meets of a point in a round. */
struct meeting {
    const struct rd_point_invariant *point;
    const struct rd_law_section *section;
    size_t count;
    struct rd_place places[PLACES_MAX];
};

typedef void judge_meeting(struct subject *subject, const struct meeting *meeting);

/* The meetings of all rounds of which the shape decides. */
void judge_points(struct subject *subject, judge_meeting *judge);

struct rd_law_place law_place(const struct rd_place *place);

#endif
