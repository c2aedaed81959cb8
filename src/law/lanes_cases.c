// SPDX-License-Identifier: MIT
/* Visits the cases of a binding, evenly spaced ones together. As cases.c, but where a condition says just which values a
 * variable takes, it isn't asked again of each. */
#include "law/lanes_candidates.h"

#include <string.h>

struct each {
    struct lane_work *work;
    const struct lane_cases *cases;
    struct lane_frame *frame;
    lane_visit *visit;
    void *context;
};

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
    int64_t at = rd_lane_first_from(left, left->least);
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
        at = rd_lane_first_from(left, at + 1);
    }
    return run.count == 0 || visit_run(each, level, &run);
}

static bool try_each(const struct each *each, size_t index, const struct candidates *left,
                     const struct lane_code *const *asked, size_t n_asked)
{
    int64_t *v = &each->frame->here[each->cases->levels[index].variable];
    for (int64_t at = rd_lane_first_from(left, left->least); at <= left->most;
         at = rd_lane_first_from(left, at + 1)) {
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
    const struct lane_code *asked[LANE_ATOMS_MAX];
    struct candidates left = {.least = 0, .most = INT64_MAX};
    size_t n_asked = 0;
    if (level->n_atoms > LANE_ATOMS_MAX)
        return false;
    for (size_t k = 0; k < level->n_limits; k++)
        rd_lane_narrow_to_limit(work, &level->limits[k], each->frame->here, &left);
    for (size_t k = 0; k < level->n_atoms; k++)
        if (!rd_lane_narrow(work, &level->atoms[k], level->variable, each->frame->here, &left))
            asked[n_asked++] = &level->atoms[k].condition;
    if (work->gave_up || left.most == INT64_MAX || left.least > INT64_MAX / 2)
        return false;
    if (innermost && n_asked == 0 && (left.modulus == 0 || left.window == 1)) {
        struct lane_run run = {.first = rd_lane_first_from(&left, left.least),
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
