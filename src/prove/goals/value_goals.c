// SPDX-License-Identifier: MIT
/* Goals of values: what threads write, and what they leave alone, is what the law says behind the segment. */
#include "prove/goals/owner.h"
#include "prove/kernel/state.h"
#include "prove/goals/segment.h"

/* ---- values ---- */

/* Returns what the thread leaves in the cell that it writes: a later write of its own counts. */
static rd_term left_by(struct rd_terms *terms, const struct rd_segment *segment, size_t write)
{
    rd_term value = segment->accesses[write].value;
    for (size_t k = write + 1; k < segment->n_accesses; k++) {
        const struct rd_kernel_access *later = &segment->accesses[k];
        if (later->is_write && later->array == segment->accesses[write].array)
            value = rd_choice(terms,
                              rd_and(terms, later->path,
                                     rd_equal(terms, later->index, segment->accesses[write].index)),
                              later->value, value);
    }
    return value;
}

static void add_value(struct rd_segment_group *group, const struct rd_segment *segment,
                      size_t write)
{
    struct rd_launch_proof *launch = group->launch;
    struct rd_proof_subject *subject = launch->subject;
    struct rd_terms *terms = subject->terms;
    const struct rd_kernel_access *access = &segment->accesses[write];
    const rd_term value = left_by(terms, segment, write);
    const size_t n_before = subject->proof->count;
    if (access->array->is_shared) {
        if (!segment->to.point || segment->to.array != access->array)
            return; /* nothing is claimed of it there */
        const rd_term live = rd_cut_live(launch, &segment->to, NULL, access->index);
        const rd_term more[] = {access->path, segment->path, live},
                      claimed = rd_cut_count(launch, &segment->to, NULL, access->index);
        rd_group_add(group, RD_PROOF_PRESERVATION_VALUE,
                     "what a thread writes is what the law says", &group->placed,
                     rd_equal(terms, value, claimed), 3, more);
        rd_subject_say_value(subject, n_before, value, claimed);
        return;
    }
    if (access->array->is_scratch)
        return; /* no law claims it: what a reader finds there is known by who has written it */
    if (access->array != launch->A && subject->host)
        return; /* no law follows */
    if (access->array->input >= 0) {
        rd_group_add(group, RD_PROOF_PRESERVATION_FRAME,
                     "a thread writes to no input: each round reads it as it was", &group->placed,
                     rd_false(terms), 1, &access->path);
        return;
    }
    if (access->array != launch->A) {
        rd_subject_fail(subject, "%s writes %s, which no law speaks of", launch->name,
                        access->array->name);
        return;
    }
    const rd_term live = rd_subject_live(subject, launch->after, access->index);
    const rd_term more[] = {access->path, live},
                  claimed = rd_subject_count(subject, launch->after, access->index);
    /* Before a checkpoint, too: whichever write is the cell's last, it leaves there what the law says. */
    if (access->is_atomic && segment->to.point) {
        rd_subject_fail(subject, "%s adds to %s atomically before its last checkpoint",
                        launch->name, access->array->name);
    } else if (access->is_atomic) {
        rd_group_add_addition(group, segment, access);
    } else if (rd_launch_adds(launch)) {
        rd_subject_fail(subject, "%s writes cells to which it adds atomically", launch->name);
    } else {
        rd_group_add(group, RD_PROOF_PRESERVATION_VALUE,
                     "what a thread writes is what the law says", &group->placed,
                     rd_equal(terms, value, claimed), 2, more);
        rd_subject_say_value(subject, n_before, value, claimed);
    }
    if (subject->host) /* dead cells of a user's program are nobody's */
        return;
    rd_group_add(group, RD_PROOF_PRESERVATION_FRAME,
                 "a thread writes live cells alone: dead ones stay", &group->placed, live, 1, more);
}

/* Of a lane that isn't there nothing can hold. */
static void add_lanes_there(struct rd_segment_group *group, const struct rd_segment *segment)
{
    struct rd_launch_proof *launch = group->launch;
    struct rd_proof_subject *subject = launch->subject;
    struct rd_terms *terms = subject->terms;
    const struct rd_law_section *section = rd_section_of(launch, &segment->to);
    const rd_term lanes = rd_number(terms, 32), cell = subject->cell,
                  warp = rd_div(terms, rd_thread_number(launch), lanes);
    struct rd_law_numbers at = rd_subject_numbers(subject, launch->after);
    if (!section)
        return;
    at.block = rd_block_number(launch);
    at.warp = warp;
    at.variable = segment->to.variable;
    const rd_term size = rd_least(terms, lanes, rd_law_term_size(subject->reader, section, &at));
    const rd_term more[] = {segment->path, rd_within(terms, rd_number(terms, 0), cell, size),
                            rd_cut_live(launch, &segment->to, warp, cell)};
    rd_group_add(
        group, RD_PROOF_PRESERVATION_COVERAGE, "a lane that the law speaks of is one of the block",
        &group->placed,
        rd_less(terms, rd_add(terms, rd_multiply(terms, warp, lanes), cell), rd_block_size(launch)),
        3, more);
}

void rd_group_add_lane(struct rd_segment_group *group, const struct rd_segment *segment)
{
    struct rd_launch_proof *launch = group->launch;
    if (!segment->lane)
        return;
    const char *what = "what a lane holds is what the law says";
    const size_t n_before = launch->subject->proof->count;
    const rd_term more[] = {segment->path, rd_lane_live(launch, &segment->to)},
                  claimed = rd_lane_count(launch, &segment->to),
                  is = rd_equal(launch->subject->terms, segment->lane, claimed);
    if (!rd_group_add_cases(group, RD_PROOF_PRESERVATION_VALUE, what, is, 2, more)) {
        rd_group_add(group, RD_PROOF_PRESERVATION_VALUE, what, &group->placed, is, 2, more);
        rd_subject_say_value(launch->subject, n_before, segment->lane, claimed);
    }
    add_lanes_there(group, segment);
}

void rd_group_add_values(struct rd_segment_group *group, const struct rd_segment *segment)
{
    for (size_t k = 0; k < segment->n_accesses; k++)
        if (segment->accesses[k].is_write)
            add_value(group, segment, k);
}

/* ---- cells that no thread writes ---- */

/* Returns what holds for all threads of a block that takes one of the group's segments. */
static rd_term ways_of(const struct rd_segment_group *group)
{
    const struct rd_launch_proof *launch = group->launch;
    struct rd_terms *terms = launch->subject->terms;
    const rd_term names[] = {launch->thread, launch->number, launch->y.thread, launch->y.number};
    rd_term of_thread[4];
    size_t count = 0;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (names[k])
            of_thread[count++] = names[k];
    rd_term ways = rd_false(terms);
    for (size_t s = 0; s < launch->execution.n_segments; s++)
        if (rd_group_has(group, &launch->execution.segments[s]))
            ways = rd_or(
                terms, ways,
                rd_conjuncts_without(terms, launch->execution.segments[s].path, count, of_thread));
    return ways;
}

/* The condition under which a thread takes one of the group's segments. */
static rd_term paths_of(const struct rd_segment_group *group)
{
    const struct rd_launch_proof *launch = group->launch;
    rd_term paths = rd_false(launch->subject->terms);
    for (size_t s = 0; s < launch->execution.n_segments; s++)
        if (rd_group_has(group, &launch->execution.segments[s]))
            paths = rd_or(launch->subject->terms, paths, launch->execution.segments[s].path);
    return paths;
}

/* Threads come to the kernel's end by other ways, too. */
static bool has_other_end(const struct rd_segment_group *group)
{
    const struct rd_execution *execution = &group->launch->execution;
    for (size_t s = 0; s < execution->n_segments; s++)
        if (!execution->segments[s].to.point && !rd_group_has(group, &execution->segments[s]))
            return true;
    return false;
}

/* Tells whether the two writers of a cell may have taken this group's way and another's, or be at other trips of a loop. */
static bool may_part(const struct rd_segment_group *group, const struct rd_kernel_access *access)
{
    const struct rd_launch_proof *launch = group->launch;
    return has_other_end(group) || rd_has_head(&launch->execution, access->path) ||
           rd_has_head(&launch->execution, access->index) ||
           rd_has_head(&launch->execution, paths_of(group)) ||
           rd_has_head(&launch->execution, ways_of(group));
}

/* Of an index that doesn't name the block, the path may: the last one writes, say. Any thread will do, if it is there. */
static void name_block(const struct rd_launch_proof *launch, const struct rd_kernel_access *access,
                       struct rd_owner *owner)
{
    const rd_term last = launch->execution.ticket.last;
    if (!launch->by_number && last && !rd_term_has(access->index, launch->block) &&
        rd_solution(launch->subject->terms, access->path, launch->block) == last)
        owner->block[0] = last;
}

/* Of a number in x or y that the index doesn't name, the path may tell one; else it is 0. Any thread will do. */
static void name_numbers(const struct rd_launch_proof *launch,
                         const struct rd_kernel_access *access, struct rd_owner *owner)
{
    struct rd_terms *terms = launch->subject->terms;
    const rd_term names[] = {launch->number, launch->y.number};
    for (unsigned k = 0; k < 2 && launch->by_number && names[k]; k++) {
        if (owner->number[k] != names[k])
            continue;
        const rd_term told = rd_solution(terms, access->path, names[k]);
        bool is_one = told != NULL;
        for (unsigned other = 0; other < 2 && is_one && names[other]; other++)
            is_one = !rd_term_has(told, names[other]);
        owner->number[k] = is_one ? told : rd_number(terms, 0);
    }
}

/* The hypothesis that no thread of the group's segments writes the cell; false where that can't be said. */
static bool add_unwritten(struct rd_segment_group *group, const struct rd_prove_array *array,
                          rd_term cell, struct rd_term_list *list)
{
    struct rd_launch_proof *launch = group->launch;
    struct rd_terms *terms = launch->subject->terms;
    bool is_first = true, may_be_parted = false;
    struct rd_owner first = {0};
    for (size_t s = 0; s < launch->execution.n_segments; s++) {
        const struct rd_segment *segment = &launch->execution.segments[s];
        for (size_t k = 0; k < segment->n_accesses; k++) {
            const struct rd_kernel_access *access = &segment->accesses[k];
            struct rd_owner owner;
            if (!access->is_write || access->array != array)
                continue;
            if (!rd_find_owner(launch, access, cell, &owner)) {
                rd_subject_fail(
                    launch->subject, "%s",
                    rd_place_named(terms, access->file, access->line,
                                   rd_terms_text(terms,
                                                 "which thread writes a cell of %s can't be told",
                                                 array->name)));
                return false;
            }
            name_block(launch, access, &owner);
            name_numbers(launch, access, &owner);
            const bool same_block = array->is_shared;
            if (is_first) {
                is_first = false;
                first = owner;
                may_be_parted = may_part(group, access);
            } else if (!same_block && !rd_is_same_owner(&first, &owner) &&
                       (may_be_parted || may_part(group, access))) {
                rd_subject_fail(
                    launch->subject, "%s",
                    rd_place_named(terms, access->file, access->line,
                                   rd_terms_text(terms,
                                                 "a cell of %s has another writer on another way",
                                                 array->name)));
                return false;
            }
            /* Its owner takes one of this group's paths, or the goal of another group speaks of the cell. */
            if (!array->is_shared && !segment->to.point)
                rd_term_list_add(
                    terms, list,
                    rd_at_owner(launch, rd_implies(terms, rd_place_of(launch), paths_of(group)),
                                &owner, false));
            if (!rd_group_has(group, segment))
                continue;
            rd_term written = rd_and(terms, rd_place_of(launch), access->path);
            written = rd_and(terms, written, rd_equal(terms, access->index, cell));
            rd_term_list_add(terms, list,
                             rd_not(terms, rd_at_owner(launch, written, &owner, same_block)));
            /* The owner takes one of the ways, if it is there. */
            const rd_term taken = rd_implies(terms, rd_place_of(launch), ways_of(group));
            rd_term_list_add(terms, list, rd_at_owner(launch, taken, &owner, same_block));
        }
    }
    return true;
}

void rd_group_add_coverage(struct rd_segment_group *group)
{
    struct rd_launch_proof *launch = group->launch;
    struct rd_proof_subject *subject = launch->subject;
    struct rd_terms *terms = subject->terms;
    const struct rd_cut *from = &group->first->from, *to = &group->first->to;
    const rd_term cell = subject->cell, zero = rd_number(terms, 0);
    struct rd_term_list list = {0};
    if (!to->point && !launch->A)
        return;
    rd_term before, same, size = launch->A ? launch->A->size : NULL;
    const struct rd_prove_array *array = to->point ? to->array : launch->A;
    if (!to->point && rd_launch_adds(launch)) {
        rd_group_add_sums(group);
        return;
    }
    if (to->point) {
        if (!array || group->first->lane || !rd_section_of(launch, to))
            return;
        size = array->size;
        before = from->array == array ? rd_cut_live(launch, from, NULL, cell) : rd_false(terms);
        same = rd_equal(terms, rd_cut_count(launch, to, NULL, cell),
                        from->array == array ? rd_cut_count(launch, from, NULL, cell) : zero);
        rd_term_list_add(terms, &list, rd_cut_live(launch, to, NULL, cell));
        rd_term_list_add(terms, &list, rd_within(terms, zero, launch->block, launch->grid));
        if (launch->y.block)
            rd_term_list_add(terms, &list, rd_within(terms, zero, launch->y.block, launch->y.grid));
        rd_term_list_add(terms, &list, ways_of(group));
    } else {
        before = rd_subject_live(subject, launch->before, cell);
        same = rd_equal(terms, rd_subject_count(subject, launch->before, cell),
                        rd_subject_count(subject, launch->after, cell));
        rd_term_list_add(terms, &list, rd_subject_live(subject, launch->after, cell));
    }
    rd_term_list_add(terms, &list, rd_within(terms, zero, cell, size));
    if (add_unwritten(group, array, cell, &list))
        rd_subject_add_goal(subject, RD_PROOF_PRESERVATION_COVERAGE, group->name,
                            "a cell that no thread writes is what the law says", &group->told,
                            &list, rd_and(terms, before, same));
    rd_term_list_finish(&list);
}
