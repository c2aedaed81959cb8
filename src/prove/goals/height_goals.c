// SPDX-License-Identifier: MIT
/* The height of what cells hold behind a launch: of the kernel's own additions, from checkpoint to checkpoint. How
 * often a loop comes to its checkpoint is bounded by a variable that halves, or doubles, which are goals. */
#include "prove/goals/owner.h"
#include "prove/goals/segment.h"

#include <string.h>
#include <strings.h>

enum { POINTS_MAX = 16 };

struct point {
    const char *name;
    rd_term height; /* at all its visits, at most; NULL: not known yet */
};

struct heights {
    struct rd_launch_proof *launch;
    rd_term before; /* of the array's cells, before the launch */
    bool adds_goals;
    size_t count;
    struct point list[POINTS_MAX];
    int ways[POINTS_MAX]; /* found, by which the variable of each goes on */
};

/* Tells whether the goal follows, or, where that was seen, adds it. */
static bool holds(const struct heights *heights, const struct rd_segment *segment, const char *what,
                  rd_term condition, rd_term goal)
{
    struct rd_launch_proof *launch = heights->launch;
    struct rd_proof_subject *subject = launch->subject;
    struct rd_term_list base = {0}, more = {0};
    bool follows = true;
    rd_segment_base(launch, &segment->from, &base);
    rd_term_list_add(subject->terms, &base, rd_place_of(launch));
    rd_term_list_add(subject->terms, &more, condition);
    if (heights->adds_goals) {
        rd_subject_add_goal(subject, RD_PROOF_ROUNDING, launch->name, what, &base, &more, goal);
    } else {
        rd_term_list_add(subject->terms, &base, condition);
        follows = rd_subject_follows(subject, &base, goal);
    }
    rd_term_list_finish(&base);
    rd_term_list_finish(&more);
    return follows;
}

static bool is_at(const struct rd_cut *cut, const char *name)
{
    return cut->point && strcmp(cut->point, name) == 0;
}

/* ---- visits ---- */

/* How a loop's variable goes on: to the half, or less, to twice as much, or more, or by one, or more. */
enum way { HALVES, DOUBLES, GROWS, WAYS };
static const char *const words[WAYS] = {
    "from visit to visit of a checkpoint its variable halves",
    "from visit to visit of a checkpoint its variable doubles",
    "from visit to visit of a checkpoint its variable grows",
};

struct limits {
    rd_term first, last;
};

static rd_term begins(struct rd_terms *terms, enum way way, struct limits limits, rd_term x)
{
    return way == HALVES    ? rd_at_most(terms, x, limits.first)
           : way == DOUBLES ? rd_at_most(terms, rd_number(terms, 1), x)
                            : rd_at_most(terms, limits.first, x);
}

static rd_term goes_on(struct rd_terms *terms, enum way way, struct limits limits, rd_term from,
                       rd_term to)
{
    const rd_term one = rd_number(terms, 1), two = rd_number(terms, 2);
    switch (way) {
    case HALVES:
        return rd_and(terms, rd_at_most(terms, one, to),
                      rd_at_most(terms, rd_multiply(terms, two, to), from));
    case DOUBLES:
        return rd_and(terms, rd_at_most(terms, rd_multiply(terms, two, from), to),
                      rd_at_most(terms, to, limits.last));
    default:
        return rd_and(terms, rd_less(terms, from, to), rd_at_most(terms, to, limits.last));
    }
}

static bool goes(const struct heights *heights, const struct point *point, enum way way,
                 struct limits limits)
{
    const struct rd_execution *execution = &heights->launch->execution;
    struct rd_terms *terms = execution->terms;
    for (size_t s = 0; s < execution->n_segments; s++) {
        const struct rd_segment *segment = &execution->segments[s];
        const bool again = is_at(&segment->from, point->name);
        const rd_term to = segment->to.variable;
        if (is_at(&segment->to, point->name) &&
            !holds(heights, segment,
                   again ? words[way] : "a checkpoint's variable begins where the law says",
                   segment->path,
                   again ? goes_on(terms, way, limits, segment->from.variable, to)
                         : begins(terms, way, limits, to)))
            return false;
    }
    return true;
}

static bool is_of_launch(const struct rd_launch_proof *launch, rd_term term)
{
    const rd_term of[] = {launch->thread, launch->block, launch->number};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++)
        if (rd_term_has(term, of[k]))
            return false;
    return true;
}

static rd_term log2_of(struct rd_terms *terms, rd_term x)
{
    const bool is_rounded = x->kind == RD_TERM_APPLY && strcmp(x->name, "bit_ceil") == 0;
    return rd_apply(terms, is_rounded ? "ceil of log2" : "log2", 1, is_rounded ? x->kids : &x);
}

/* Returns how many visits of the point follow on its first one, at most; NULL: that isn't known. */
static rd_term visits_behind_first(struct heights *heights, const struct point *point)
{
    struct rd_launch_proof *launch = heights->launch;
    struct rd_proof_subject *subject = launch->subject;
    const struct rd_cut cut = {.point = point->name};
    const struct rd_law_section *section = rd_section_of(launch, &cut);
    struct rd_law_numbers at = rd_subject_numbers(subject, launch->after);
    if (!section || !section->steps)
        return NULL;
    at.block = launch->block;
    const struct limits limits = {
        .first = rd_law_term_of(subject->reader, section, section->first, &at),
        .last = rd_law_term_of(subject->reader, section, section->last, &at)};
    if (!is_of_launch(launch, limits.first) || !is_of_launch(launch, limits.last))
        return NULL;
    for (enum way way = HALVES; way < WAYS; way++) {
        int *found = &heights->ways[point - heights->list];
        if ((heights->adds_goals && *found != (int)way) || !goes(heights, point, way, limits))
            continue;
        *found = (int)way;
        return way == GROWS    ? rd_subtract(subject->terms, limits.last, limits.first)
               : way == HALVES ? log2_of(subject->terms, limits.first)
                               : log2_of(subject->terms, limits.last);
    }
    return NULL;
}

/* ---- points ---- */

static rd_term height_at(const struct heights *heights, const struct rd_cut *cut)
{
    if (!cut->point)
        return heights->before;
    for (size_t k = 0; k < heights->count; k++)
        if (strcmp(heights->list[k].name, cut->point) == 0)
            return heights->list[k].height;
    return NULL;
}

/* What is known of a height where cells at the cut have that one; NULL: nothing. */
static rd_term bound_of(struct rd_terms *terms, struct rd_height height, rd_term cells)
{
    if (!height.known || height.mark >= 0 || (height.cells && !cells))
        return NULL;
    const rd_term bound = rd_height_higher(
        terms, height.loads, height.cells ? rd_add(terms, height.cells, cells) : NULL);
    return bound ? bound : rd_number(terms, 0);
}

static bool writes(const struct rd_segment *segment, const struct rd_prove_array *array)
{
    for (size_t k = 0; k < segment->n_accesses; k++)
        if (segment->accesses[k].is_write && segment->accesses[k].array == array)
            return true;
    return false;
}

/* The heights of what a segment leaves at its end: a lane's value, or what is written to the array. */
struct left {
    size_t next;
};
static bool next_left(const struct rd_segment *segment, const struct rd_prove_array *array,
                      struct left *left, struct rd_height *height)
{
    if (segment->lane) {
        *height = segment->lane_height;
        return left->next++ == 0;
    }
    while (left->next < segment->n_accesses) {
        const struct rd_kernel_access *access = &segment->accesses[left->next++];
        if (!access->is_write || access->array != array)
            continue;
        *height = access->height;
        if (access->is_atomic)
            *height = (struct rd_height){.mark = -1};
        return true;
    }
    return false;
}

/* Of a point's visits: the height at the first is `entry` at most, and that at the next `loads`, or `step` more than before. */
struct visits {
    rd_term entry;
    rd_wide loads, step;
};

/* Adds a height that is left at the point by the visit before. */
static bool add_visit(struct rd_height height, struct visits *visits)
{
    rd_wide loads = 0, step = 0;
    if (!height.known || height.mark >= 0 ||
        (height.loads && !rd_term_is_number(height.loads, &loads)) ||
        (height.cells && !rd_term_is_number(height.cells, &step)))
        return false;
    visits->loads = loads > visits->loads ? loads : visits->loads;
    visits->step = step > visits->step ? step : visits->step;
    return true;
}

static bool find_visits(const struct heights *heights, const struct point *point,
                        struct visits *visits)
{
    const struct rd_execution *execution = &heights->launch->execution;
    struct rd_terms *terms = execution->terms;
    *visits = (struct visits){.entry = NULL};
    for (size_t s = 0; s < execution->n_segments; s++) {
        const struct rd_segment *segment = &execution->segments[s];
        const bool again = is_at(&segment->from, point->name);
        struct left left = {0};
        struct rd_height height;
        if (!is_at(&segment->to, point->name))
            continue;
        const rd_term cells = again ? NULL : height_at(heights, &segment->from);
        if (!again && segment->from.point && segment->from.array == segment->to.array) {
            if (!cells)
                return false;
            visits->entry = rd_height_higher(terms, visits->entry, cells);
        }
        while (next_left(segment, segment->to.array, &left, &height)) {
            const rd_term bound = again ? NULL : bound_of(terms, height, cells);
            if (again ? !add_visit(height, visits) : !bound)
                return false;
            visits->entry = rd_height_higher(terms, visits->entry, bound);
        }
    }
    return visits->entry != NULL;
}

/* At a visit it is max(entry, loads - step) + step * (visits before it), at most. */
static void find_point(struct heights *heights, struct point *point)
{
    struct rd_terms *terms = heights->launch->subject->terms;
    struct visits visits;
    rd_term before = rd_number(terms, 0);
    if (!find_visits(heights, point, &visits))
        return;
    if (visits.step > 0)
        before = visits_behind_first(heights, point);
    if (!before)
        return;
    const rd_wide first = visits.loads - visits.step;
    const rd_term least = first > 0 ? rd_number(terms, first) : visits.entry;
    point->height = rd_add(terms, rd_height_higher(terms, visits.entry, least),
                           rd_multiply(terms, rd_number(terms, visits.step), before));
}

static bool list_points(struct heights *heights)
{
    const struct rd_execution *execution = &heights->launch->execution;
    heights->count = 0;
    for (size_t s = 0; s < execution->n_segments; s++) {
        const char *name = execution->segments[s].to.point;
        bool known = !name;
        for (size_t k = 0; k < heights->count && !known; k++)
            known = strcmp(heights->list[k].name, name) == 0;
        if (known)
            continue;
        if (heights->count == POINTS_MAX)
            return false;
        heights->list[heights->count++] = (struct point){.name = name};
    }
    return true;
}

/* ---- launches ---- */

/* Returns the height of the array's cells behind the launch, at most; NULL: it isn't known. */
static rd_term height_behind(struct heights *heights)
{
    struct rd_launch_proof *launch = heights->launch;
    const struct rd_execution *execution = &launch->execution;
    struct rd_terms *terms = execution->terms;
    rd_term behind = heights->before;
    if (!list_points(heights))
        return NULL;
    for (size_t s = 0; s < execution->n_segments; s++)
        for (size_t k = 0; k < execution->segments[s].n_requirements; k++) {
            const struct rd_requirement *requirement = &execution->segments[s].requirements[k];
            if (requirement->is_of_height &&
                !holds(heights, &execution->segments[s], requirement->what, requirement->path,
                       requirement->condition))
                return NULL;
        }
    for (size_t pass = 0; pass < heights->count; pass++)
        for (size_t k = 0; k < heights->count; k++)
            if (!heights->list[k].height)
                find_point(heights, &heights->list[k]);
    for (size_t s = 0; s < execution->n_segments; s++) {
        const struct rd_segment *segment = &execution->segments[s];
        struct left left = {0};
        struct rd_height height;
        if (segment->to.point && writes(segment, launch->A))
            return NULL; /* it may stay there */
        if (segment->to.point)
            continue;
        while (next_left(segment, launch->A, &left, &height)) {
            const rd_term bound = bound_of(terms, height, height_at(heights, &segment->from));
            if (!bound)
                return NULL;
            behind = rd_height_higher(terms, behind, bound);
        }
    }
    return behind;
}

/* Returns the rounds of the launch that is repeated, from the step on at which it comes first, at most: it begins
 * only where 2^(those made) < n; or, where that isn't seen, as many as there are. */
static rd_term rounds_of(const struct heights *heights, rd_wide first)
{
    struct rd_launch_proof *launch = heights->launch;
    struct rd_proof_subject *subject = launch->subject;
    struct rd_terms *terms = subject->terms;
    const rd_term made = rd_subtract(terms, launch->before, rd_number(terms, first));
    const rd_term goal = rd_less(terms, rd_power_of_two(terms, made), subject->n);
    if (heights->adds_goals)
        rd_subject_add_goal(subject, RD_PROOF_ROUNDING, launch->name,
                            "a round comes only where 2^(those before it) < n", &launch->hypotheses,
                            NULL, goal);
    else if (!rd_subject_follows(subject, &launch->hypotheses, goal))
        return NULL;
    return rd_apply(terms, "ceil of log2", 1, &subject->n);
}

/* A launch at a step that is known, or one that is repeated behind these. */
static rd_term height_of(struct heights *heights)
{
    struct rd_launch_proof *launch = heights->launch;
    struct rd_proof_subject *subject = launch->subject;
    struct rd_terms *terms = subject->terms;
    const rd_term first = rd_number(terms, (rd_wide)subject->n_single_launches);
    rd_wide step;
    heights->before = subject->height;
    if (launch->before == first)
        return height_behind(heights);
    if (rd_subtract(terms, launch->before, first) != subject->steps)
        return NULL;
    heights->before = rd_constant(terms, "height");
    const rd_term behind = height_behind(heights);
    if (!behind || !rd_term_is_number(rd_subtract(terms, behind, heights->before), &step))
        return NULL;
    const rd_term rounds = rounds_of(heights, first->number);
    return rounds
               ? rd_add(terms, subject->height, rd_multiply(terms, rd_number(terms, step), rounds))
               : NULL;
}

void rd_launch_find_height(struct rd_launch_proof *launch)
{
    struct rd_proof_subject *subject = launch->subject;
    struct heights heights = {.launch = launch};
    if (!subject->height || !rd_subject_goes(subject))
        return;
    const rd_term found = height_of(&heights);
    if (found) {
        heights.adds_goals = true;
        height_of(&heights);
    }
    subject->height = found;
    subject->n_single_launches += launch->before->kind == RD_TERM_NUMBER;
}
