// SPDX-License-Identifier: MIT
/* A group of segments, and what makes their goals. Private to the goals of segments. */
#ifndef RD_PROVE_SEGMENT_GROUP_H
#define RD_PROVE_SEGMENT_GROUP_H

#include "prove/segment.h"

/* All segments between the same two cuts: the threads of a block take them together. */
struct rd_segment_group {
    struct rd_launch_proof *launch;
    const struct rd_segment *first; /* all have its cuts */
    const char *name;
    struct rd_term_list placed; /* hypotheses, for a thread of the launch */
    struct rd_term_list told;   /* the same without the thread's place */
};

const char *rd_segment_name(struct rd_launch_proof *launch, const struct rd_segment *segment);
/* Hypotheses of a segment, for a thread of the launch. */
void rd_segment_placed(struct rd_launch_proof *launch, const struct rd_segment *segment,
                       struct rd_term_list *hypotheses);
bool rd_group_has(const struct rd_segment_group *group, const struct rd_segment *segment);

/* Adds a goal with `count` hypotheses `more` behind those of `base`, one of the group's lists. */
void rd_group_add(struct rd_segment_group *group, enum rd_proof_obligation obligation,
                  const char *what, const struct rd_term_list *base, rd_term goal, size_t count,
                  const rd_term *more);

/* The same, a goal for each value of the loop's variable where the segment begins, of powers of two up to 32:
 * cases.c. False, and nothing is added, where it isn't one, or where one goal will do. */
bool rd_group_add_cases(struct rd_segment_group *group, enum rd_proof_obligation obligation,
                        const char *what, rd_term goal, size_t count, const rd_term *more);

/* Returns the term for another thread, u: of the same block, where loops' variables that the cut `same` fixes are the same for
 * all threads; or, of NULL, of another block, c. */
rd_term rd_at_other_thread(struct rd_launch_proof *launch, rd_term term, const struct rd_cut *same);

/* Each adds goals of one segment: race_goals.c, value_goals.c. */
void rd_group_add_races(struct rd_segment_group *group, const struct rd_segment *segment);
void rd_group_add_values(struct rd_segment_group *group, const struct rd_segment *segment);
/* The same for the value that a lane hands in, where the segment ends at a checkpoint of lanes. */
void rd_group_add_lane(struct rd_segment_group *group, const struct rd_segment *segment);
/* Tells whether threads of the launch add atomically to cells of its array. */
bool rd_launch_adds(const struct rd_launch_proof *launch);
/* Adds the goals of an atomic addition; and in place of coverage, those of cells that there are additions to: atomic_goals.c. */
void rd_group_add_addition(struct rd_segment_group *group, const struct rd_segment *segment,
                           const struct rd_kernel_access *access);
void rd_group_add_sums(struct rd_segment_group *group);
/* Adds the goal of the cells that no thread of the group writes. */
void rd_group_add_coverage(struct rd_segment_group *group);

#endif
