// SPDX-License-Identifier: MIT
/* Solves a binding of one variable in many lanes at once: the ranges of its values lie on straight lines over the lanes. */
#include "law/lanes_candidates.h"

/* Numbers beyond it aren't counted with. */
#define FAR (INT64_MAX / 4)

static bool varies(const struct lane_code *code, const struct lane_frame *frame)
{
    return code->variables & frame->varying;
}

/* v mod modulus = other, or v = other, where other alone differs from lane to lane. */
static bool follow(struct lane_work *work, const struct lane_atom *atom,
                   const struct lane_frame *frame, const struct candidates *left, int64_t *values,
                   unsigned variable, struct lane_bundle *bundle)
{
    const bool remainder = atom->n_links == 1 && atom->links[0].kind == LANE_LINK_REMAINDER;
    int64_t other, slope, modulus = 0, last;
    if (!atom->hints || atom->relation != LAW_EQUAL || varies(&atom->line, frame) ||
        (atom->congruence && (atom->n_links > 0 || varies(&atom->modulus, frame))) ||
        (!atom->congruence && atom->n_links > 0 &&
         (!remainder || varies(&atom->links[0].code, frame))) ||
        !rd_lane_line(work, &atom->other, frame, &other, &slope))
        return false;
    values[variable] = 0;
    const int64_t offset = rd_lane_evaluate(work, &atom->line, values);
    values[variable] = 1;
    if (rd_lane_evaluate(work, &atom->line, values) - offset != 1 ||
        __builtin_sub_overflow(other, offset, &other) ||
        __builtin_mul_overflow((int64_t)frame->count - 1, slope, &last) ||
        __builtin_add_overflow(last, other, &last))
        return false;
    if (!atom->congruence && !remainder) {
        if (other < left->least || last < left->least)
            return false;
        *bundle = (struct lane_bundle){
            .first = other, .first_slope = slope, .stride = FAR, .most = left->most};
        return true;
    }
    modulus =
        rd_lane_evaluate(work, atom->congruence ? &atom->modulus : &atom->links[0].code, values);
    /* The first from the least on: it lies on a line as long as none of the lanes' goes round. */
    if (modulus < 1 || __builtin_sub_overflow(other, left->least, &last))
        return false;
    const int64_t behind = floor_remainder(last, modulus);
    if (__builtin_mul_overflow((int64_t)frame->count - 1, slope, &last) ||
        __builtin_add_overflow(last, behind, &last) || last < 0 || last >= modulus)
        return false;
    *bundle = (struct lane_bundle){
        .first = left->least + behind, .first_slope = slope, .stride = modulus, .most = left->most};
    return true;
}

/* Tells whether a remainder can be `other` in all lanes. */
static bool is_remainder_of(struct lane_work *work, const struct lane_atom *atom,
                            const struct lane_frame *frame, const int64_t *values)
{
    int64_t other, slope, last, modulus;
    if (!atom->hints || atom->congruence || atom->n_links == 0)
        return atom->hints;
    modulus = rd_lane_evaluate(work, &atom->links[0].code, values);
    return rd_lane_line(work, &atom->other, frame, &other, &slope) &&
           !__builtin_mul_overflow((int64_t)frame->count - 1, slope, &last) &&
           !__builtin_add_overflow(last, other, &last) && other >= 0 && last >= 0 &&
           other < modulus && last < modulus;
}

/* Tells whether a condition on lines holds of all candidates in all lanes: then it does at the ends. */
static bool holds_throughout(struct lane_work *work, const struct lane_code *condition,
                             const struct lane_frame *frame, unsigned variable,
                             const struct candidates *left)
{
    struct lane_frame end;
    if (condition->curved & (frame->varying | (uint64_t)1 << variable))
        return false;
    for (unsigned corner = 0; corner < 4; corner++) {
        rd_lane_only(frame, corner & 1 ? frame->count - 1 : 0, &end);
        end.here[variable] = corner & 2 ? left->most : left->least;
        if (rd_lane_evaluate(work, condition, end.here) == 0 || work->gave_up)
            return false;
    }
    return true;
}

/* Tells whether a condition has a value in all lanes, of which the candidate is none: in the first and the last, and between
 * them, as nothing in it bends from lane to lane. */
static bool has_value(struct lane_work *work, const struct lane_code *condition,
                      const struct lane_frame *frame, unsigned variable)
{
    struct lane_frame end;
    for (unsigned corner = 0; corner < 2; corner++) {
        rd_lane_only(frame, corner ? frame->count - 1 : 0, &end);
        end.here[variable] = 0;
        rd_lane_evaluate(work, condition, end.here);
    }
    return !(condition->curved & frame->varying) && !work->gave_up;
}

/* v with low <= v <= high in each lane. */
struct ranges {
    int64_t low[RD_LANES_MAX], high[RD_LANES_MAX];
};

/* Narrows each lane's range by the atom: (v + offset) div number relation other, where other alone differs from lane to
 * lane. */
static bool narrow_each(struct lane_work *work, const struct lane_atom *atom,
                        const struct lane_frame *frame, int64_t *values, unsigned variable,
                        struct ranges *ranges)
{
    int64_t others[RD_LANES_MAX], links[LANE_CHAIN];
    if (!atom->hints || atom->congruence || varies(&atom->line, frame) ||
        !rd_lane_numbers(&atom->other, frame, others))
        return false;
    for (size_t k = 0; k < atom->n_links; k++) {
        if (varies(&atom->links[k].code, frame))
            return false;
        links[k] = rd_lane_evaluate(work, &atom->links[k].code, values);
    }
    values[variable] = 0;
    const int64_t offset = rd_lane_evaluate(work, &atom->line, values);
    values[variable] = 1;
    if (rd_lane_evaluate(work, &atom->line, values) - offset != 1)
        return false;
    for (size_t k = 0; k < frame->count; k++) {
        struct candidates left = {.least = ranges->low[k], .most = ranges->high[k]};
        struct target target;
        bool known = rd_lane_aim(atom, others[k], &target);
        for (size_t i = 0; known && i < atom->n_links; i++)
            known = rd_lane_go_through(&atom->links[i], links[i], &target);
        if (!known || target.modulus != 0 || !rd_lane_narrow_interval(&left, 1, offset, &target))
            return false;
        ranges->low[k] = left.least;
        ranges->high[k] = left.most;
    }
    return true;
}

/* In each lane as many values, the first of them on a straight line: block*T <= v < block*T + 4, over blocks. */
static bool bundle_ranges(struct lane_work *work, const struct lane_level *level,
                          const struct lane_atom *const *varying, size_t n_varying,
                          const struct lane_frame *frame, const struct candidates *left,
                          int64_t *values, struct lane_bundle *bundle)
{
    enum { TRIPS_MAX = 64 }; /* of more, each lane's terms are faster side by side */
    struct ranges ranges;
    if (left->modulus != 0 || frame->count < 2)
        return false;
    for (size_t k = 0; k < frame->count; k++) {
        ranges.low[k] = left->least;
        ranges.high[k] = left->most;
    }
    for (size_t k = 0; k < n_varying; k++)
        if (!narrow_each(work, varying[k], frame, values, level->variable, &ranges))
            return false;
    for (size_t k = 0; k < frame->count; k++)
        if (ranges.low[k] > FAR || ranges.high[k] < -1 || ranges.high[k] > FAR)
            return false;
    const int64_t slope = ranges.low[1] - ranges.low[0], trips = ranges.high[0] - ranges.low[0] + 1;
    if (work->gave_up || slope < 0 || trips < 0 || trips > TRIPS_MAX)
        return false;
    for (size_t k = 1; k < frame->count; k++)
        if (ranges.low[k] - ranges.low[k - 1] != slope ||
            ranges.high[k] - ranges.low[k] + 1 != trips)
            return false;
    *bundle = (struct lane_bundle){.first = ranges.low[0],
                                   .first_slope = slope,
                                   .stride = 1,
                                   .most = FAR,
                                   .as_many = true,
                                   .trips = trips};
    return true;
}

bool rd_lane_bundle(struct lane_work *work, const struct lane_cases *cases,
                    const struct lane_frame *frame, struct lane_bundle *bundle)
{
    const struct lane_level *level = &cases->levels[0];
    const struct lane_atom *varying[LANE_ATOMS_MAX], *to_follow = NULL;
    struct candidates left = {.least = 0, .most = INT64_MAX};
    struct lane_frame one;
    size_t n_varying = 0;
    if (cases->n_levels != 1 || cases->n_checks > 0 || level->n_atoms > LANE_ATOMS_MAX ||
        !rd_lane_is_safe(work, cases, frame))
        return false;
    rd_lane_only(frame, 0, &one);
    for (size_t k = 0; k < level->n_limits; k++) {
        if (varies(&level->limits[k].size, frame))
            return false;
        rd_lane_narrow_to_limit(work, &level->limits[k], one.here, &left);
    }
    for (size_t k = 0; k < level->n_atoms; k++) {
        const struct lane_atom *atom = &level->atoms[k];
        if (varies(&atom->condition, frame))
            varying[n_varying++] = atom;
        else if (!rd_lane_narrow(work, atom, level->variable, one.here, &left))
            return false;
    }
    if (left.most >= FAR)
        return n_varying > 0 && !work->gave_up &&
               bundle_ranges(work, level, varying, n_varying, frame, &left, one.here, bundle);
    if (left.most < left.least) {
        *bundle = (struct lane_bundle){.first = 1, .stride = 1}; /* none, in any lane */
        for (size_t k = 0; k < n_varying; k++)
            if (!has_value(work, &varying[k]->condition, frame, level->variable))
                return false;
        return true;
    }
    for (size_t k = 0; k < n_varying; k++) {
        if (holds_throughout(work, &varying[k]->condition, frame, level->variable, &left))
            continue;
        if (to_follow)
            return !work->gave_up &&
                   bundle_ranges(work, level, varying, n_varying, frame, &left, one.here, bundle);
        to_follow = varying[k];
    }
    if (work->gave_up)
        return false;
    if (to_follow && left.modulus == 0 && is_remainder_of(work, to_follow, frame, one.here) &&
        follow(work, to_follow, frame, &left, one.here, level->variable, bundle) &&
        bundle->first_slope >= 0)
        return !work->gave_up;
    if (to_follow)
        return !work->gave_up &&
               bundle_ranges(work, level, varying, n_varying, frame, &left, one.here, bundle);
    *bundle = (struct lane_bundle){.first = rd_lane_first_from(&left, left.least),
                                   .stride = left.modulus ? left.modulus : 1,
                                   .most = left.most};
    return left.modulus == 0 || left.window == 1;
}
