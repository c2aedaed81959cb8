// SPDX-License-Identifier: MIT
/* The cases of a binding, evenly spaced ones together. As cases.c, but where a condition says just which values a
 * variable takes, it isn't asked again of each. Longer than others: what stands here is one inner loop, which the compiler puts
 * together. */
#include "law/run.h"
#include "law/lanes.h"

#include <string.h>

/* ---- candidates ---- */

/* The target of what the link goes around. False where that isn't an interval or a window of remainders. */
static bool go_through(const struct lane_link *link, int64_t number, struct target *target)
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

static bool aim(const struct lane_atom *atom, int64_t other, struct target *target)
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

/* slope*v + offset in the interval. */
static bool narrow_interval(struct candidates *left, int64_t slope, int64_t offset,
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

/* Leaves those out with which the atom doesn't hold; false where it must be asked of each that stays. */
static bool take(struct lane_work *work, const struct lane_atom *atom, unsigned variable,
                 int64_t *values, struct candidates *left)
{
    struct target target;
    if (!atom->hints || !aim(atom, rd_lane_evaluate(work, &atom->other, values), &target))
        return false;
    if (atom->congruence) {
        target.modulus = rd_lane_evaluate(work, &atom->modulus, values);
        if (target.modulus < 1)
            return false;
        target.residue = floor_remainder(target.least, target.modulus);
        target.window = 1;
    }
    for (size_t k = 0; k < atom->n_links; k++)
        if (!go_through(&atom->links[k], rd_lane_evaluate(work, &atom->links[k].code, values),
                        &target))
            return false;
    values[variable] = 0;
    const int64_t offset = rd_lane_evaluate(work, &atom->line, values);
    values[variable] = 1;
    int64_t slope;
    if (__builtin_sub_overflow(rd_lane_evaluate(work, &atom->line, values), offset, &slope) ||
        slope == 0)
        return false;
    return target.modulus != 0 ? narrow_remainder(left, slope, offset, &target)
                               : narrow_interval(left, slope, offset, &target);
}

static void take_limit(struct lane_work *work, const struct lane_limit *limit,
                       const int64_t *values, struct candidates *left)
{
    int64_t size = rd_lane_evaluate(work, &limit->size, values);
    size -= !limit->inclusive && size != INT64_MIN;
    left->most = size < left->most ? size : left->most;
}

/* ---- cases ---- */

enum { ATOMS_MAX = 16 };

struct each {
    struct lane_work *work;
    const struct lane_cases *cases;
    struct lane_frame *frame;
    lane_visit *visit;
    void *context;
};

static int64_t first_from(const struct candidates *left, int64_t v)
{
    if (left->modulus == 0)
        return v;
    const int64_t behind = floor_remainder(v - left->residue, left->modulus);
    return behind < left->window ? v : v + left->modulus - behind;
}

static bool holds_all(const struct each *each, const struct lane_code *const *conditions,
                      size_t count)
{
    bool holds = true;
    for (size_t k = 0; holds && k < count; k++)
        holds = rd_lane_evaluate(each->work, conditions[k], each->frame->here) != 0;
    return holds && !each->work->gave_up;
}

static bool visit_run(const struct each *each, const struct lane_level *level,
                      const struct lane_run *run)
{
    return rd_law_run_work(each->work->run, NULL) &&
           each->visit(each->work, each->frame, run, level->variable, each->context);
}

static bool try_level(const struct each *each, size_t index);

/* The candidates from `at`, which is one, on that lie evenly, and of those as many as there are lanes. */
static struct lane_run evenly_from(const struct candidates *left, int64_t at)
{
    const bool even = left->modulus == 0 || left->window == 1;
    struct lane_run run = {.first = at, .stride = left->modulus && even ? left->modulus : 1};
    int64_t last = left->most;
    if (!even && left->window < left->modulus) {
        const int64_t ahead = left->window - 1 - floor_remainder(at - left->residue, left->modulus);
        last = ahead < last - at ? at + ahead : last;
    }
    const int64_t steps = (last - at) / run.stride;
    run.count = steps < RD_LANES_MAX ? steps + 1 : RD_LANES_MAX;
    return run;
}

/* Notes for which of the run's values the conditions hold; false if a condition has no value. */
static bool tell_all(const struct each *each, const struct lane_run *run, unsigned variable,
                     const struct lane_code *const *asked, size_t n_asked, bool *holding)
{
    struct lane_frame lanes = *each->frame;
    memcpy(lanes.next, lanes.here, sizeof lanes.next);
    lanes.count = (size_t)run->count;
    lanes.varying = (uint64_t)1 << variable;
    lanes.here[variable] = run->first;
    lanes.next[variable] = run->first + run->stride;
    for (size_t i = 0; i < lanes.count; i++)
        holding[i] = true;
    for (size_t k = 0; k < n_asked; k++) {
        int64_t told[RD_LANES_MAX];
        if (!rd_lane_numbers(asked[k], &lanes, told))
            return false;
        for (size_t i = 0; i < lanes.count; i++)
            holding[i] &= told[i] != 0;
    }
    return true;
}
/* One by one: not of all of them must each condition have a value. */
static bool tell_each(const struct each *each, const struct lane_run *run, unsigned variable,
                      const struct lane_code *const *asked, size_t n_asked, bool *holding)
{
    for (int64_t k = 0; k < run->count && !each->work->gave_up; k++) {
        each->frame->here[variable] = run->first + k * run->stride;
        holding[k] = holds_all(each, asked, n_asked);
    }
    return !each->work->gave_up;
}

/* As many at a time as lie evenly. */
static bool visit_those_that_hold(const struct each *each, const struct lane_level *level,
                                  const struct candidates *left,
                                  const struct lane_code *const *asked, size_t n_asked)
{
    const bool even = left->modulus == 0 || left->window == 1;
    struct lane_run run = {.stride = left->modulus && even ? left->modulus : 1};
    int64_t at = first_from(left, left->least);
    while (at <= left->most) {
        bool holding[RD_LANES_MAX];
        const struct lane_run part = evenly_from(left, at);
        if (!rd_law_run_work_on(each->work->run, (uint64_t)part.count) ||
            (!tell_all(each, &part, level->variable, asked, n_asked, holding) &&
             !tell_each(each, &part, level->variable, asked, n_asked, holding)))
            return false;
        for (int64_t k = 0; k < part.count; k++) {
            at = part.first + k * part.stride;
            if (run.count > 0 && (!holding[k] || at != run.first + run.count * run.stride)) {
                if (!visit_run(each, level, &run))
                    return false;
                run.count = 0;
            }
            if (holding[k] && run.count++ == 0)
                run.first = at;
        }
        at = first_from(left, at + 1);
    }
    return run.count == 0 || visit_run(each, level, &run);
}

static bool try_each(const struct each *each, size_t index, const struct candidates *left,
                     const struct lane_code *const *asked, size_t n_asked)
{
    int64_t *v = &each->frame->here[each->cases->levels[index].variable];
    for (int64_t at = first_from(left, left->least); at <= left->most;
         at = first_from(left, at + 1)) {
        if (!rd_law_run_work(each->work->run, NULL))
            return false;
        *v = at;
        const bool holds = holds_all(each, asked, n_asked);
        if (each->work->gave_up || (holds && !try_level(each, index + 1)))
            return false;
    }
    return true;
}

static bool try_level(const struct each *each, size_t index)
{
    struct lane_work *work = each->work;
    const struct lane_level *level = &each->cases->levels[index];
    const bool innermost = index + 1 == each->cases->n_levels;
    const struct lane_code *asked[ATOMS_MAX];
    struct candidates left = {.least = 0, .most = INT64_MAX};
    size_t n_asked = 0;
    if (level->n_atoms > ATOMS_MAX)
        return false;
    for (size_t k = 0; k < level->n_limits; k++)
        take_limit(work, &level->limits[k], each->frame->here, &left);
    for (size_t k = 0; k < level->n_atoms; k++)
        if (!take(work, &level->atoms[k], level->variable, each->frame->here, &left))
            asked[n_asked++] = &level->atoms[k].condition;
    if (work->gave_up || left.most == INT64_MAX || left.least > INT64_MAX / 2)
        return false;
    if (innermost && n_asked == 0 && (left.modulus == 0 || left.window == 1)) {
        struct lane_run run = {.first = first_from(&left, left.least),
                               .stride = left.modulus ? left.modulus : 1};
        run.count = run.first > left.most ? 0 : (left.most - run.first) / run.stride + 1;
        return run.count == 0 || visit_run(each, level, &run);
    }
    return innermost ? visit_those_that_hold(each, level, &left, asked, n_asked)
                     : try_each(each, index, &left, asked, n_asked);
}

/* Tells whether the value is a divisor that is 0, or less than it must be. */
static bool divides_wrongly(const struct lane_risk *risk, int64_t value)
{
    return risk->divides && (value < risk->least || value == 0);
}

/* Tells whether the number has a value in each lane. */
static bool is_safe_in_each_lane(struct lane_work *work, const struct lane_risk *risk,
                                 const struct lane_frame *frame)
{
    int64_t numbers[RD_LANES_MAX], start, slope;
    if (rd_lane_straight(&risk->code, frame, &start, &slope) && (slope == 0 || !risk->divides)) {
        work->gave_up |= divides_wrongly(risk, start);
        return !work->gave_up;
    }
    if (!rd_lane_numbers(&risk->code, frame, numbers))
        return false;
    for (size_t k = 0; k < frame->count; k++)
        work->gave_up |= divides_wrongly(risk, numbers[k]);
    return !work->gave_up;
}

/* The same of all lanes at once, by the ends of the line of their divisors, between which 0 may stand. */
static bool is_safe_in_all_lanes(struct lane_work *work, const struct lane_risk *risk,
                                 const struct lane_frame *frame)
{
    const bool varies = frame->count > 1 && (risk->code.variables & frame->varying);
    struct lane_frame end;
    if (varies && (risk->code.curved & frame->varying))
        return is_safe_in_each_lane(work, risk, frame);
    int64_t first = rd_lane_evaluate(work, &risk->code, frame->here), last = first;
    if (varies) {
        rd_lane_only(frame, frame->count - 1, &end);
        last = rd_lane_evaluate(work, &risk->code, end.here);
    }
    if (divides_wrongly(risk, first) || divides_wrongly(risk, last))
        work->gave_up = true;
    return !work->gave_up && !(risk->divides && (first < 0) != (last < 0));
}

bool rd_lane_is_safe(struct lane_work *work, const struct lane_cases *cases,
                     const struct lane_frame *frame)
{
    if (cases->n_risks == 0 || (cases->safe_at && *cases->safe_at == work->place))
        return true;
    for (size_t k = 0; k < cases->n_risks; k++)
        if (!is_safe_in_all_lanes(work, &cases->risks[k], frame))
            return false;
    if (cases->safe_at)
        *cases->safe_at = work->place;
    return true;
}

bool rd_lane_each(struct lane_work *work, const struct lane_cases *cases, struct lane_frame *frame,
                  lane_visit *visit, void *context)
{
    const struct each each = {work, cases, frame, visit, context};
    if (!rd_lane_is_safe(work, cases, frame))
        return false;
    for (size_t k = 0; k < cases->n_checks; k++) {
        const bool holds = rd_lane_evaluate(work, &cases->checks[k], frame->here) != 0;
        if (work->gave_up)
            return false;
        if (!holds)
            return true;
    }
    if (cases->n_levels == 0)
        return rd_law_run_work(work->run, NULL) && visit(work, frame, NULL, 0, context);
    return try_level(&each, 0);
}

/* ---- one variable in many lanes ---- */

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
        bool known = aim(atom, others[k], &target);
        for (size_t i = 0; known && i < atom->n_links; i++)
            known = go_through(&atom->links[i], links[i], &target);
        if (!known || target.modulus != 0 || !narrow_interval(&left, 1, offset, &target))
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
    const struct lane_atom *varying[ATOMS_MAX], *to_follow = NULL;
    struct candidates left = {.least = 0, .most = INT64_MAX};
    struct lane_frame one;
    size_t n_varying = 0;
    if (cases->n_levels != 1 || cases->n_checks > 0 || level->n_atoms > ATOMS_MAX ||
        !rd_lane_is_safe(work, cases, frame))
        return false;
    rd_lane_only(frame, 0, &one);
    for (size_t k = 0; k < level->n_limits; k++) {
        if (varies(&level->limits[k].size, frame))
            return false;
        take_limit(work, &level->limits[k], one.here, &left);
    }
    for (size_t k = 0; k < level->n_atoms; k++) {
        const struct lane_atom *atom = &level->atoms[k];
        if (varies(&atom->condition, frame))
            varying[n_varying++] = atom;
        else if (!take(work, atom, level->variable, one.here, &left))
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
    *bundle = (struct lane_bundle){.first = first_from(&left, left.least),
                                   .stride = left.modulus ? left.modulus : 1,
                                   .most = left.most};
    return left.modulus == 0 || left.window == 1;
}

bool rd_lane_part(struct lane_work *work, const struct lane_run *run, unsigned variable,
                  int64_t done, struct lane_frame *part)
{
    part->count = 1;
    if (run) {
        const int64_t left = run->count - done;
        part->count = (size_t)(left < RD_LANES_MAX ? left : RD_LANES_MAX);
        memcpy(part->next, part->here, sizeof part->next);
        part->varying = (uint64_t)1 << variable;
        part->here[variable] = run->first + done * run->stride;
        part->next[variable] = part->here[variable] + run->stride;
    }
    return rd_law_run_work_on(work->run, part->count);
}
