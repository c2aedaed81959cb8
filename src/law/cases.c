// SPDX-License-Identifier: MIT
/* The cases of a binding. What a hint says of a variable only leaves candidates out: all conditions are checked of
 * those that stay, so that a hint that has no value can be passed over. */
#include "law/run.h"

#include <inttypes.h>

/* slope*v + offset, as far as the expression has that form; the variable is v. */
static bool linear(struct rd_law_run *run, const struct law_node *node, unsigned slot,
                   int64_t *slope, int64_t *offset)
{
    int64_t factor, of_slope, of_offset;
    *slope = *offset = 0;
    if (!(rd_law_variables(node) & 1u << slot))
        return rd_law_number_quietly(run, node, offset);
    if (node->kind == LAW_NAME) {
        *slope = 1;
        return true;
    }
    if (node->kind == LAW_NEGATIVE) {
        return linear(run, node->kids[0], slot, &of_slope, &of_offset) &&
               !__builtin_sub_overflow((int64_t)0, of_slope, slope) &&
               !__builtin_sub_overflow((int64_t)0, of_offset, offset);
    }
    if (node->kind != LAW_BINARY)
        return false;
    if (node->op == LAW_TIMES) {
        bool right = rd_law_variables(node->kids[1]) & 1u << slot;
        return !(rd_law_variables(node->kids[!right]) & 1u << slot) &&
               rd_law_number_quietly(run, node->kids[!right], &factor) &&
               linear(run, node->kids[right], slot, &of_slope, &of_offset) &&
               !__builtin_mul_overflow(of_slope, factor, slope) &&
               !__builtin_mul_overflow(of_offset, factor, offset);
    }
    if (node->op != LAW_ADD && node->op != LAW_SUBTRACT)
        return false;
    if (!linear(run, node->kids[0], slot, slope, offset) ||
        !linear(run, node->kids[1], slot, &of_slope, &of_offset))
        return false;
    return node->op == LAW_ADD ? !__builtin_add_overflow(*slope, of_slope, slope) &&
                                     !__builtin_add_overflow(*offset, of_offset, offset)
                               : !__builtin_sub_overflow(*slope, of_slope, slope) &&
                                     !__builtin_sub_overflow(*offset, of_offset, offset);
}

static void leave_none(struct candidates *left)
{
    left->least = 0;
    left->most = -1;
}

/* slope*v + offset in the interval. */
static void narrow_interval(struct candidates *left, int64_t slope, int64_t offset, int64_t least,
                            int64_t most)
{
    int64_t low = 0, high = 0;
    bool no_least = least == INT64_MIN || __builtin_sub_overflow(least, offset, &low);
    bool no_most = most == INT64_MAX || __builtin_sub_overflow(most, offset, &high);
    if (slope < 0) {
        bool swapped = no_least;
        int64_t other = low;
        if (slope == INT64_MIN || (!no_least && low == INT64_MIN) ||
            (!no_most && high == INT64_MIN))
            return;
        slope = -slope;
        low = no_most ? 0 : -high;
        high = swapped ? 0 : -other;
        no_least = no_most;
        no_most = swapped;
    }
    if (!no_least && ceil_quotient(low, slope) > left->least)
        left->least = ceil_quotient(low, slope);
    if (!no_most && floor_quotient(high, slope) < left->most)
        left->most = floor_quotient(high, slope);
}

/* (slope*v + offset - residue) mod modulus < window, of a slope of 1 or -1, else false. Kept where it leaves fewer than what
 * is known. */
static bool narrow_remainder(struct candidates *left, int64_t slope, int64_t offset,
                             const struct target *target)
{
    int64_t residue;
    if ((slope != 1 && slope != -1) || target->window >= target->modulus)
        return false;
    if (slope == 1 ? __builtin_sub_overflow(target->residue, offset, &residue)
                   : __builtin_sub_overflow(offset, target->residue, &residue) ||
                         __builtin_sub_overflow(residue, target->window - 1, &residue))
        return false;
    if (left->modulus != 0 && left->modulus / left->window >= target->modulus / target->window)
        return true;
    left->modulus = target->modulus;
    left->window = target->window;
    left->residue = floor_remainder(residue, target->modulus);
    return true;
}

static bool is_quotient(const struct law_node *node)
{
    return (node->kind == LAW_CALL && node->op == LAW_FLOOR) ||
           (node->kind == LAW_BINARY && (node->op == LAW_SLASH || node->op == LAW_DIV));
}

static bool is_remainder(const struct law_node *node)
{
    return node->kind == LAW_BINARY && (node->op == LAW_MOD || node->op == LAW_PERCENT);
}

/* 12 + floor(v / T) in the target: goes on to floor(v / T), and the target less 12. False where it has no such form. */
static bool take_offset(struct rd_law_run *run, const struct law_node **side, unsigned slot,
                        struct target *target)
{
    int64_t offset;
    if ((*side)->kind != LAW_BINARY || (*side)->op != LAW_ADD)
        return false;
    const bool right = rd_law_variables((*side)->kids[1]) & 1u << slot;
    const struct law_node *kid = (*side)->kids[right];
    if ((!is_quotient(kid) && !is_remainder(kid)) ||
        (rd_law_variables((*side)->kids[!right]) & 1u << slot) ||
        !rd_law_number_quietly(run, (*side)->kids[!right], &offset) ||
        (target->least != INT64_MIN &&
         __builtin_sub_overflow(target->least, offset, &target->least)) ||
        (target->most != INT64_MAX && __builtin_sub_overflow(target->most, offset, &target->most)))
        return false;
    if (target->modulus != 0)
        target->residue = floor_remainder(floor_remainder(target->residue, target->modulus) -
                                              floor_remainder(offset, target->modulus),
                                          target->modulus);
    *side = kid;
    return true;
}

/* Leaves those out with which the side isn't as the target says. False where the side has no form that tells. */
static bool narrow(struct rd_law_run *run, const struct law_node *side, unsigned slot,
                   struct target target, struct candidates *left)
{
    int64_t slope, offset, divisor;
    for (;;) {
        if (take_offset(run, &side, slot, &target))
            continue;
        bool quotient = is_quotient(side), remainder = is_remainder(side);
        if (!quotient && !remainder)
            break;
        if ((rd_law_variables(side->kids[1]) & 1u << slot) || target.modulus != 0 ||
            !rd_law_number_quietly(run, side->kids[1], &divisor) || divisor < 1)
            return false;
        if (quotient) {
            if (target.least != INT64_MIN &&
                __builtin_mul_overflow(target.least, divisor, &target.least))
                target.least = INT64_MIN;
            if (target.most != INT64_MAX &&
                (__builtin_mul_overflow(target.most, divisor, &target.most) ||
                 __builtin_add_overflow(target.most, divisor - 1, &target.most)))
                target.most = INT64_MAX;
        } else {
            int64_t least = target.least > 0 ? target.least : 0;
            int64_t most = target.most < divisor - 1 ? target.most : divisor - 1;
            if (least > most) {
                leave_none(left);
                return true;
            }
            target =
                (struct target){.residue = least, .modulus = divisor, .window = most - least + 1};
        }
        side = side->kids[0];
    }
    if (!linear(run, side, slot, &slope, &offset) || slope == 0)
        return false;
    if (target.modulus != 0)
        return narrow_remainder(left, slope, offset, &target);
    narrow_interval(left, slope, offset, target.least, target.most);
    return true;
}

/* slope*v + rest_slope*u + offset = value, of a u from 0 up to its limit. */
static void take_rest(struct rd_law_run *run, const struct law_hint *hint, unsigned slot,
                      int64_t value, struct candidates *left)
{
    int64_t most, slopes[2], offsets[2], low, high;
    if (!rd_law_number_quietly(run, hint->limit.size, &most) ||
        __builtin_sub_overflow(most, (int64_t)!hint->limit.inclusive, &most))
        return;
    if (most < 0) {
        leave_none(left);
        return;
    }
    for (unsigned end = 0; end < 2; end++) {
        *rd_law_run_variable(run, hint->rest) = end ? most : 0;
        if (!linear(run, hint->side, slot, &slopes[end], &offsets[end]))
            return;
    }
    if (slopes[0] != slopes[1] || slopes[0] == 0)
        return;
    if (__builtin_sub_overflow(value, offsets[0], &low) ||
        __builtin_sub_overflow(value, offsets[1], &high))
        return;
    narrow_interval(left, slopes[0], 0, low < high ? low : high, low < high ? high : low);
}

/* Returns false where the side has no form that tells anything: then its values may. */
static bool take_hint(struct rd_law_run *run, const struct law_hint *hint, unsigned slot,
                      struct candidates *left)
{
    struct target target = {.least = INT64_MIN, .most = INT64_MAX};
    int64_t other;
    if (!rd_law_number_quietly(run, hint->other, &other))
        return true;
    if (hint->has_rest) {
        take_rest(run, hint, slot, other, left);
        return true;
    }
    if (hint->modulus) {
        if (!rd_law_number_quietly(run, hint->modulus, &target.modulus) || target.modulus < 1)
            return true;
        target.residue = floor_remainder(other, target.modulus);
        target.window = 1;
    } else if (hint->relation == LAW_EQUAL) {
        target.least = target.most = other;
    } else if (hint->relation == LAW_LESS || hint->relation == LAW_LESS_EQUAL) {
        if (hint->relation == LAW_LESS && other == INT64_MIN)
            return true;
        target.most = other - (hint->relation == LAW_LESS);
    } else {
        if (hint->relation == LAW_GREATER && other == INT64_MAX)
            return true;
        target.least = other + (hint->relation == LAW_GREATER);
    }
    return narrow(run, hint->side, slot, target, left);
}

/* ---- levels ---- */

struct trying {
    const struct law_plan *plan;
    law_visit *visit;
    void *context;
};

static bool holds_all(struct rd_law_run *run, struct law_node *const *checks, size_t count,
                      bool *holds)
{
    *holds = true;
    for (size_t k = 0; *holds && k < count; k++)
        if (!rd_law_condition(run, checks[k], holds))
            return false;
    return true;
}

/* Below the first bound behind what may be undefined, where nothing before it bounds the variable: each has a value until
 * then, or the variable's end is undefined. */
static bool find_end(struct rd_law_run *run, const struct law_plan_level *level,
                     struct candidates *left)
{
    for (size_t k = 0; left->most == INT64_MAX && k < level->n_hints; k++) {
        struct candidates bounded = {.least = 0, .most = INT64_MAX};
        int64_t other;
        if (!rd_law_number(run, level->hints[k].other, &other))
            return false;
        if (k >= level->n_narrowing)
            take_hint(run, &level->hints[k], level->slot, &bounded);
        left->most = bounded.most;
    }
    const struct law_node at = {.span = level->span};
    return left->most != INT64_MAX ||
           rd_law_run_fail(run, &at, "'%.40s' has no upper bound", level->name);
}

/* Tells whether the values of its side at a place are the same whatever the other variables are. */
static bool is_of_one(const struct law_hint *hint, unsigned slot)
{
    return hint->relation == LAW_EQUAL && !hint->modulus && !hint->has_rest &&
           rd_law_variables(hint->side) == 1u << slot;
}

/* Leaves those with which the side has the other's value. */
static void take_values(struct rd_law_run *run, const struct law_hint *hint, unsigned slot,
                        struct candidates *left)
{
    if (rd_law_number_quietly(run, hint->other, &left->value))
        left->table = rd_law_value_table_get(run, hint->side, slot, left->least, left->most);
}

/* The caller releases the table, also of a failure. */
static bool find_candidates(struct rd_law_run *run, const struct law_plan_level *level,
                            struct candidates *left)
{
    const struct law_hint *of_values = NULL;
    *left = (struct candidates){.least = 0, .most = INT64_MAX};
    for (size_t k = 0; k < level->n_limits; k++) {
        int64_t size;
        if (!rd_law_number(run, level->limits[k].size, &size))
            return false;
        if (size == INT64_MIN)
            size++;
        size -= !level->limits[k].inclusive;
        if (size < left->most)
            left->most = size;
    }
    for (size_t k = 0; k < level->n_narrowing; k++)
        if (!take_hint(run, &level->hints[k], level->slot, left) &&
            is_of_one(&level->hints[k], level->slot))
            of_values = &level->hints[k];
    const struct law_node at = {.span = level->span};
    if (!find_end(run, level, left) || !rd_law_run_work(run, &at))
        return false;
    if (of_values)
        take_values(run, of_values, level->slot, left);
    return true;
}

/* The first from v on whose remainder is in the window; false where there is none. */
static bool next_remainder(const struct candidates *left, int64_t *v)
{
    if (*v > left->most)
        return false;
    if (left->modulus == 0)
        return true;
    int64_t behind = floor_remainder(*v - left->residue, left->modulus);
    if (behind >= left->window && __builtin_add_overflow(*v, left->modulus - behind, v))
        return false;
    return *v <= left->most;
}

/* The first candidate from v on; false where there is none. */
static bool next_candidate(struct candidates *left, int64_t *v)
{
    if (!left->table)
        return next_remainder(left, v);
    while (rd_law_value_table_next(left->table, left->value, &left->at, v)) {
        int64_t same = *v;
        if (!next_remainder(left, &same))
            return false;
        if (same == *v)
            return true;
    }
    return false;
}

static bool try_level(struct rd_law_run *run, const struct trying *trying, size_t index);

static bool try_candidates(struct rd_law_run *run, const struct trying *trying, size_t index,
                           struct candidates *left)
{
    const struct law_plan_level *level = &trying->plan->levels[index];
    const struct law_node variable = {.span = level->span};
    for (int64_t v = left->least; next_candidate(left, &v); v++) {
        bool holds;
        if (!rd_law_run_work(run, &variable))
            return false;
        *rd_law_run_variable(run, level->slot) = v;
        if (!holds_all(run, level->checks, level->n_checks, &holds) ||
            (holds && !try_level(run, trying, index + 1)))
            return false;
        if (v == INT64_MAX)
            break;
    }
    return true;
}

static bool try_level(struct rd_law_run *run, const struct trying *trying, size_t index)
{
    struct candidates left;
    if (index == trying->plan->n_levels)
        return trying->visit(run, trying->context);
    const bool done = find_candidates(run, &trying->plan->levels[index], &left) &&
                      try_candidates(run, trying, index, &left);
    rd_law_value_table_release(left.table);
    return done;
}

const struct law_plan *rd_law_plan_here(struct rd_law_run *run, const struct law_plan *plan)
{
    for (size_t k = 0; k < plan->n_risks; k++) {
        int64_t value;
        if (!rd_law_number_quietly(run, plan->risks[k].node, &value) ||
            (plan->risks[k].kind == LAW_RISK_ZERO && value == 0) ||
            (plan->risks[k].kind == LAW_RISK_ZERO_OR_LESS && value <= 0))
            return plan->otherwise;
    }
    return plan;
}

bool rd_law_cases(struct rd_law_run *run, const struct law_binding *binding, law_visit *visit,
                  void *context)
{
    const struct trying trying = {rd_law_plan_here(run, binding->plan), visit, context};
    bool holds;
    if (!holds_all(run, trying.plan->checks, trying.plan->n_checks, &holds))
        return false;
    if (holds && !holds_all(run, binding->begins, binding->n_begins, &holds))
        return false;
    return !holds || try_level(run, &trying, 0);
}
