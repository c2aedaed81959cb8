// SPDX-License-Identifier: MIT
/* The values that a variable of a binding may have, narrowed down by one condition after the other. Private to src/law. */
#ifndef RD_LAW_LANES_CANDIDATES_H
#define RD_LAW_LANES_CANDIDATES_H

#include "law/lanes.h"
#include "law/run.h"

/* Conditions on one variable; a binding with more is worked out by others (cases.c). */
enum { LANE_ATOMS_MAX = 16 };

/* Sets the target of the atom's chain, whose other side is `other`. False where the relation is '!='. */
bool rd_lane_aim(const struct lane_atom *atom, int64_t other, struct target *target);
/* From the target of a link to that of what the link goes around. False where that isn't an interval or a window of
 * remainders. */
bool rd_lane_go_through(const struct lane_link *link, int64_t number, struct target *target);
/* Leaves the candidates v with slope*v + offset in the interval; false where the numbers are too large. */
bool rd_lane_narrow_interval(struct candidates *left, int64_t slope, int64_t offset,
                             const struct target *target);
/* Leaves those out with which the atom doesn't hold; false where it must be asked of each that stays. */
bool rd_lane_narrow(struct lane_work *work, const struct lane_atom *atom, unsigned variable,
                    int64_t *values, struct candidates *left);
void rd_lane_narrow_to_limit(struct lane_work *work, const struct lane_limit *limit,
                             const int64_t *values, struct candidates *left);
/* The first candidate from v on, by the window of remainders; it may be beyond the most. */
int64_t rd_lane_first_from(const struct candidates *left, int64_t v);

#endif
