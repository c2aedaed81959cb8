// SPDX-License-Identifier: MIT
/* Solves conditions that say just which values a variable takes: the candidates that they leave of it. */
#include "law/lanes_candidates.h"

bool rd_lane_go_through(const struct lane_link *link, int64_t number, struct target *target)
{
    if (link->kind == LANE_LINK_OFFSET) {
        if (target->modulus != 0) {
            target->residue = floor_remainder(
                target->residue - floor_remainder(number, target->modulus), target->modulus);
            return true;
        }
        return (target->least == INT64_MIN ||
                !__builtin_sub_overflow(target->least, number, &target->least)) &&
               (target->most == INT64_MAX ||
                !__builtin_sub_overflow(target->most, number, &target->most));
    }
    if (number < 1)
        return false;
    if (link->kind == LANE_LINK_REMAINDER && target->modulus != 0)
        return number % target->modulus == 0; /* x mod 64 mod 8 is x mod 8 */
    if (link->kind == LANE_LINK_REMAINDER) {
        const int64_t least = target->least > 0 ? target->least : 0;
        const int64_t most = target->most < number - 1 ? target->most : number - 1;
        *target = (struct target){
            .residue = least, .modulus = number, .window = most < least ? 0 : most - least + 1};
        return true;
    }
    if (target->modulus != 0)
        return !__builtin_mul_overflow(target->residue, number, &target->residue) &&
               !__builtin_mul_overflow(target->window, number, &target->window) &&
               !__builtin_mul_overflow(target->modulus, number, &target->modulus);
    return (target->least == INT64_MIN ||
            !__builtin_mul_overflow(target->least, number, &target->least)) &&
           (target->most == INT64_MAX ||
            (!__builtin_mul_overflow(target->most, number, &target->most) &&
             !__builtin_add_overflow(target->most, number - 1, &target->most)));
}

bool rd_lane_aim(const struct lane_atom *atom, int64_t other, struct target *target)
{
    *target = (struct target){.least = INT64_MIN, .most = INT64_MAX};
    switch (atom->relation) {
    case LAW_EQUAL:
        target->least = target->most = other;
        return true;
    case LAW_LESS:
    case LAW_LESS_EQUAL:
        target->most = other;
        return atom->relation == LAW_LESS_EQUAL ||
               !__builtin_sub_overflow(other, (int64_t)1, &target->most);
    case LAW_GREATER:
    case LAW_GREATER_EQUAL:
        target->least = other;
        return atom->relation == LAW_GREATER_EQUAL ||
               !__builtin_add_overflow(other, (int64_t)1, &target->least);
    default:
        return false;
    }
}

bool rd_lane_narrow_interval(struct candidates *left, int64_t slope, int64_t offset,
                             const struct target *target)
{
    int64_t low = 0, high = 0;
    const bool has_low = target->least != INT64_MIN, has_high = target->most != INT64_MAX;
    if ((has_low && __builtin_sub_overflow(target->least, offset, &low)) ||
        (has_high && __builtin_sub_overflow(target->most, offset, &high)) || slope == INT64_MIN ||
        low == INT64_MIN || high == INT64_MIN)
        return false;
    const bool up = slope > 0;
    if (up ? has_low : has_high) {
        const int64_t least = ceil_quotient(up ? low : high, slope);
        left->least = least > left->least ? least : left->least;
    }
    if (up ? has_high : has_low) {
        const int64_t most = floor_quotient(up ? high : low, slope);
        left->most = most < left->most ? most : left->most;
    }
    return true;
}

/* One window of remainders, of a slope of 1 or -1. */
static bool narrow_remainder(struct candidates *left, int64_t slope, int64_t offset,
                             const struct target *target)
{
    int64_t residue;
    if (target->window >= target->modulus)
        return true;
    if (target->window == 0) {
        left->most = -1;
        return true;
    }
    if ((slope != 1 && slope != -1) || left->modulus != 0)
        return false;
    if (slope == 1 ? __builtin_sub_overflow(target->residue, offset, &residue)
                   : __builtin_sub_overflow(offset, target->residue, &residue) ||
                         __builtin_sub_overflow(residue, target->window - 1, &residue))
        return false;
    left->modulus = target->modulus;
    left->window = target->window;
    left->residue = floor_remainder(residue, target->modulus);
    return true;
}

bool rd_lane_narrow(struct lane_work *work, const struct lane_atom *atom, unsigned variable,
                    int64_t *values, struct candidates *left)
{
    struct target target;
    if (!atom->hints || !rd_lane_aim(atom, rd_lane_evaluate(work, &atom->other, values), &target))
        return false;
    if (atom->congruence) {
        target.modulus = rd_lane_evaluate(work, &atom->modulus, values);
        if (target.modulus < 1)
            return false;
        target.residue = floor_remainder(target.least, target.modulus);
        target.window = 1;
    }
    for (size_t k = 0; k < atom->n_links; k++)
        if (!rd_lane_go_through(&atom->links[k],
                                rd_lane_evaluate(work, &atom->links[k].code, values), &target))
            return false;
    values[variable] = 0;
    const int64_t offset = rd_lane_evaluate(work, &atom->line, values);
    values[variable] = 1;
    int64_t slope;
    if (__builtin_sub_overflow(rd_lane_evaluate(work, &atom->line, values), offset, &slope) ||
        slope == 0)
        return false;
    return target.modulus != 0 ? narrow_remainder(left, slope, offset, &target)
                               : rd_lane_narrow_interval(left, slope, offset, &target);
}

void rd_lane_narrow_to_limit(struct lane_work *work, const struct lane_limit *limit,
                             const int64_t *values, struct candidates *left)
{
    int64_t size = rd_lane_evaluate(work, &limit->size, values);
    size -= !limit->inclusive && size != INT64_MIN;
    left->most = size < left->most ? size : left->most;
}

int64_t rd_lane_first_from(const struct candidates *left, int64_t v)
{
    if (left->modulus == 0)
        return v;
    const int64_t behind = floor_remainder(v - left->residue, left->modulus);
    return behind < left->window ? v : v + left->modulus - behind;
}
