// SPDX-License-Identifier: MIT
/* A launch whose goals are made, segment by segment. Private to that. */
#ifndef RD_PROVE_SEGMENT_H
#define RD_PROVE_SEGMENT_H

#include "prove/subject.h"

struct rd_launch_proof {
    struct rd_proof_subject *subject;
    const char *name;           /* of the kernel */
    rd_term before, after;      /* rounds made */
    rd_term thread, block;      /* t, b */
    rd_term number;             /* of a thread in the grid */
    rd_term origin;             /* b*T, as the execution has it; the goals do not */
    rd_term threads, grid, all; /* of a block; blocks; threads of the grid */
    rd_term work;   /* threads that are asked for, if the blocks follow from them; or NULL */
    bool by_number; /* the kernel knows a thread's number alone: thread < all */
    struct rd_term_list hypotheses; /* of the launch, but for those of a thread's place */
    struct rd_prove_array own, inputs[RD_SUBJECT_UNITS_MAX];
    const struct rd_prove_array *A; /* of the program's law; NULL: none follows */
    struct rd_execution execution;
    struct rd_syntax_unit *unit;
    unsigned fresh;
    struct rd_point_facts *points;
};

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

/* Names the threads in what was executed, by their number alone where that is all that the kernel knows. */
void rd_launch_name_places(struct rd_launch_proof *launch);
/* Adds the goals of all segments. */
void rd_launch_add_goals(struct rd_launch_proof *launch);

/* Finds the facts about checkpoints' variables, and adds their goals. */
void rd_launch_find_facts(struct rd_launch_proof *launch);
/* Hypotheses of a segment: the launch's, what is known at its cut, and what types say of loops' variables; for a thread at its place. */
void rd_segment_base(struct rd_launch_proof *launch, const struct rd_cut *from,
                     struct rd_term_list *hypotheses);

#endif
