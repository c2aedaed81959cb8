// SPDX-License-Identifier: MIT
/* A launch whose goals are made, segment by segment. Private to that. */
#ifndef RD_PROVE_SEGMENT_H
#define RD_PROVE_SEGMENT_H

#include "prove/goals/subject.h"

/* The second dimension of a launch. What there is no more than one of is NULL. */
struct rd_launch_rows {
    rd_term thread, block, number, origin;
    rd_term threads, grid, all, work;
};

struct rd_launch_proof {
    struct rd_proof_subject *subject;
    const char *name;           /* of the kernel */
    rd_term before, after;      /* rounds made */
    rd_term thread, block;      /* t, b */
    rd_term number;             /* of a thread in the grid */
    rd_term origin;             /* b*T, as the execution has it; the goals do not */
    rd_term threads, grid, all; /* of a block; blocks; threads of the grid */
    rd_term work; /* threads that are asked for, if the blocks follow from them; or NULL */
    struct rd_launch_rows y;
    rd_term said_grid;              /* the number of blocks in x, as the sentence says it */
    bool by_number;                 /* the kernel knows a thread's number alone: thread < all */
    struct rd_term_list hypotheses; /* of the launch, but for those of a thread's place */
    struct rd_prove_array own, inputs[RD_SUBJECT_UNITS_MAX], scratch, ticket;
    const struct rd_prove_array *A; /* of the program's law; NULL: none follows */
    struct rd_execution execution;
    struct rd_syntax_unit *unit;
    unsigned fresh;
    struct rd_point_facts *points;
};

/* The number that the sentence of the launch states. */
rd_term rd_launch_number(struct rd_launch_proof *launch, const struct law_node *node);
/* Finds the threads and blocks of the launch, and adds what is known of them. */
void rd_launch_find_shape(struct rd_launch_proof *launch, const struct law_launch *of);
/* Takes note whether threads are known by their numbers in the grid alone; if not, adds what is known of blocks. */
void rd_launch_count_blocks(struct rd_launch_proof *launch, bool by_number);
/* Adds the goals that CUDA accepts the launch. */
void rd_launch_add_shape(struct rd_launch_proof *launch);

/* The number of the block in the grid, row by row: `block` of a law. */
rd_term rd_block_number(const struct rd_launch_proof *launch);
/* The number of the thread in its block, row by row, by which warps are counted; the number of a block's threads. */
rd_term rd_thread_number(const struct rd_launch_proof *launch);
rd_term rd_block_size(const struct rd_launch_proof *launch);

/* Returns a read of the array, where the kernel writes it, and reads it behind a checkpoint, or behind a barrier that
 * comes after a write; else NULL. */
const struct rd_kernel_access *rd_launch_rewrites(const struct rd_launch_proof *launch,
                                                  const struct rd_prove_array *array);
const struct rd_law_section *rd_section_of(const struct rd_launch_proof *launch,
                                           const struct rd_cut *cut);
/* The law at a checkpoint: the condition that it claims the cell, and how often the cell then holds the counted element. */
rd_term rd_cut_live(struct rd_launch_proof *launch, const struct rd_cut *cut, rd_term warp,
                    rd_term cell);
rd_term rd_cut_count(struct rd_launch_proof *launch, const struct rd_cut *cut, rd_term warp,
                     rd_term cell);

/* The same of a checkpoint of lanes, for the launch's thread. */
rd_term rd_lane_live(struct rd_launch_proof *launch, const struct rd_cut *cut);
rd_term rd_lane_count(struct rd_launch_proof *launch, const struct rd_cut *cut);

/* Finds the height of the array's cells behind the launch, and adds its goals, where it is known. */
void rd_launch_find_height(struct rd_launch_proof *launch);

/* Names the rows of threads and of blocks by y's `threads` and `grid`; what there is one of has no name. */
void rd_launch_name_rows(struct rd_terms *terms, struct rd_launch_rows *y);
/* Names the threads in what was executed, by their number alone where that is all that the kernel knows. */
void rd_launch_name_places(struct rd_launch_proof *launch);
/* Adds the goals of all segments. */
void rd_launch_add_goals(struct rd_launch_proof *launch);

/* Adds the goals of how often a thread accesses global memory, where the sentence of the launch says it. */
void rd_launch_add_access_counts(struct rd_launch_proof *launch, const struct law_launch *of);

/* Finds the facts about checkpoints' variables, and adds their goals. */
void rd_launch_find_facts(struct rd_launch_proof *launch);
/* Hypotheses of a segment: the launch's, what is known at its cut, and what types say of loops' variables; for a
 * thread at its place. */
void rd_segment_base(struct rd_launch_proof *launch, const struct rd_cut *from,
                     struct rd_term_list *hypotheses);

/* ---- groups of segments, and what makes their goals ---- */

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
