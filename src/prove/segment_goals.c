// SPDX-License-Identifier: MIT
/* The goals of segments. A group is all segments between the same two cuts: the threads of a block take them together. */
#include "prove/owner.h"
#include "prove/segment.h"

#include <limits.h>
#include <stdlib.h>

struct group {
    struct rd_launch_proof *launch;
    const struct rd_segment *first; /* all have its cuts */
    const char *name;
    struct rd_term_list base; /* for a thread at its place */
    struct rd_term_list told; /* the same without the place */
};

static bool is_in(const struct group *group, const struct rd_segment *segment)
{
    return rd_is_same_cut(&segment->from, &group->first->from) &&
           rd_is_same_cut(&segment->to, &group->first->to);
}

static void add(struct group *group, enum rd_proof_obligation obligation, const char *what,
                const struct rd_term_list *base, rd_term goal, size_t count, const rd_term *more)
{
    struct rd_proof_subject *subject = group->launch->subject;
    struct rd_term_list list = {0};
    for (size_t k = 0; k < count; k++)
        rd_term_list_add(subject->terms, &list, more[k]);
    rd_subject_add_goal(subject, obligation, group->name, what, base, &list, goal);
    rd_term_list_finish(&list);
}

/* ---- another thread ---- */

/* The term for another thread u, of another block c. A loop's variable that the cut fixes is the same for all threads of the block. */
static rd_term of_other(struct rd_launch_proof *launch, rd_term term, const struct rd_cut *same)
{
    enum { MAX = 64 };
    struct rd_terms *terms = launch->subject->terms;
    const struct rd_term_list *heads = &launch->execution.heads;
    rd_term from[MAX], to[MAX];
    unsigned count = 0;
    from[count] = launch->thread;
    to[count++] = rd_constant(terms, "u");
    from[count] = launch->number;
    to[count++] = rd_constant(terms, "thread2");
    if (!same) {
        from[count] = launch->block;
        to[count++] = rd_constant(terms, "c");
    }
    for (size_t k = 0; k < heads->count; k++) {
        if (same && same->variable && rd_term_has(same->variable, heads->terms[k]))
            continue;
        if (count == MAX) {
            rd_subject_fail(launch->subject, "%s has more loops than a proof takes", launch->name);
            return term;
        }
        from[count] = heads->terms[k];
        to[count++] = rd_constant(terms, rd_terms_text(terms, "%s'", heads->terms[k]->name));
    }
    return rd_replace(terms, term, count, from, to);
}

static void add_other_ranges(struct group *group, const struct rd_cut *same,
                             struct rd_term_list *list)
{
    struct rd_launch_proof *launch = group->launch;
    const struct rd_term_list *ranges = &launch->execution.head_ranges;
    for (size_t k = 0; k < ranges->count; k++)
        rd_term_list_add_new(launch->subject->terms, list,
                             of_other(launch, ranges->terms[k], same));
}

/* ---- requirements ---- */

static void add_requirements(struct group *group, const struct rd_segment *segment)
{
    struct rd_launch_proof *launch = group->launch;
    const rd_term place = rd_place_of(launch);
    for (size_t k = 0; k < segment->n_requirements; k++) {
        const struct rd_requirement *requirement = &segment->requirements[k];
        if (!requirement->is_barrier) {
            add(group, RD_PROOF_ARITHMETIC, requirement->what, &group->base, requirement->condition,
                1, &requirement->path);
            continue;
        }
        const rd_term more[] = {requirement->path, of_other(launch, place, &segment->base)};
        add(group, RD_PROOF_BARRIERS, requirement->what, &group->base,
            of_other(launch, requirement->control, &segment->base), 2, more);
    }
}

static void add_bounds(struct group *group, const struct rd_segment *segment)
{
    struct rd_terms *terms = group->launch->subject->terms;
    for (size_t k = 0; k < segment->n_accesses; k++) {
        const struct rd_kernel_access *access = &segment->accesses[k];
        add(group, RD_PROOF_IN_BOUNDS,
            rd_place_named(terms, access->file, access->line,
                           rd_terms_text(terms, "a thread %s within %s",
                                         access->is_write ? "writes" : "reads",
                                         access->array->name)),
            &group->base, rd_within(terms, rd_number(terms, 0), access->index, access->array->size),
            1, &access->path);
    }
}

static bool writes_A(const struct rd_launch_proof *launch)
{
    for (size_t s = 0; s < launch->execution.n_segments; s++)
        for (size_t k = 0; k < launch->execution.segments[s].n_accesses; k++)
            if (launch->execution.segments[s].accesses[k].is_write &&
                launch->execution.segments[s].accesses[k].array == &launch->A)
                return true;
    return false;
}

/* A trip makes the loop's variable smaller, or larger: that ends, as it fits in its type. */
static void add_trip(struct group *group, const struct rd_segment *segment)
{
    struct rd_proof_subject *subject = group->launch->subject;
    const rd_term from = segment->from.variable, to = segment->to.variable;
    if (!segment->goes_back)
        return;
    const rd_term falls = rd_less(subject->terms, to, from),
                  grows = rd_less(subject->terms, from, to);
    struct rd_term_list list = {0};
    rd_term_list_add_all(subject->terms, &list, &group->base);
    rd_term_list_add(subject->terms, &list, segment->path);
    const bool does_grow =
        !rd_subject_follows(subject, &list, falls) && rd_subject_follows(subject, &list, grows);
    rd_term_list_finish(&list);
    add(group, RD_PROOF_TERMINATION,
        "a loop with a checkpoint comes to an end: its variable falls, or grows", &group->base,
        does_grow ? grows : falls, 1, &segment->path);
}

/* Accesses to shared memory behind the last barrier may meet those of the next segment. */
static void add_barrier(struct group *group, const struct rd_segment *segment)
{
    struct rd_proof_subject *subject = group->launch->subject;
    for (size_t s = 0; s < group->launch->execution.n_segments; s++) {
        const struct rd_segment *other = &group->launch->execution.segments[s];
        if (!segment->to.point || segment->lane || !rd_is_same_cut(&other->base, &segment->base))
            continue;
        for (size_t k = 0; k < other->n_accesses; k++) {
            const struct rd_kernel_access *access = &other->accesses[k];
            const rd_term more[] = {segment->path,
                                    of_other(group->launch, access->path, &segment->base)};
            if ((access->array->is_shared ||
                 (writes_A(group->launch) && access->array == &group->launch->A)) &&
                access->phase == segment->phases)
                add(group, RD_PROOF_BARRIERS, "a barrier stands before the checkpoint",
                    &group->base, rd_false(subject->terms), 2, more);
        }
    }
    if (segment->to.point) {
        const rd_term more[] = {segment->path,
                                of_other(group->launch, segment->path, &segment->from)};
        add(group, RD_PROOF_BARRIERS, "all threads come to the checkpoint in the same trip",
            &group->base,
            rd_equal(subject->terms, segment->to.variable,
                     of_other(group->launch, segment->to.variable, &segment->from)),
            2, more);
    }
}

/* ---- races ---- */

static void add_race(struct group *group, const struct rd_kernel_access *write,
                     const struct rd_kernel_access *access, const struct rd_cut *same_block)
{
    struct rd_launch_proof *launch = group->launch;
    struct rd_terms *terms = launch->subject->terms;
    const rd_term place = rd_place_of(launch), block = launch->block, c = rd_constant(terms, "c"),
                  t = launch->thread, u = rd_constant(terms, "u");
    struct rd_term_list list = {0};
    rd_term_list_add(terms, &list, write->path);
    rd_term_list_add(terms, &list, of_other(launch, access->path, same_block));
    rd_term_list_add(terms, &list, of_other(launch, place, same_block));
    add_other_ranges(group, same_block, &list);
    if (launch->by_number)
        rd_term_list_add(
            terms, &list,
            rd_not(terms, rd_equal(terms, launch->number, rd_constant(terms, "thread2"))));
    else
        rd_term_list_add(
            terms, &list,
            rd_not(terms, same_block ? rd_equal(terms, t, u) : rd_equal(terms, block, c)));
    rd_subject_add_goal(
        launch->subject, RD_PROOF_NO_RACE, group->name,
        rd_terms_text(terms, "no other thread %s a cell of %s that a thread writes",
                      access->is_write ? "writes" : "reads", write->array->name),
        &group->base, &list,
        rd_not(terms, rd_equal(terms, write->index, of_other(launch, access->index, same_block))));
    rd_term_list_finish(&list);
}

static void add_races_of(struct group *group, const struct rd_segment *segment,
                         const struct rd_kernel_access *write)
{
    const struct rd_launch_proof *launch = group->launch;
    const bool one = launch->by_number || write->array->is_shared;
    for (size_t s = 0; s < launch->execution.n_segments; s++) {
        const struct rd_segment *other = &launch->execution.segments[s];
        const bool together = rd_is_same_cut(&segment->base, &other->base);
        for (size_t k = 0; k < other->n_accesses; k++) {
            const struct rd_kernel_access *access = &other->accesses[k];
            if (access->array != write->array || (access->is_atomic && write->is_atomic))
                continue;
            if (together && access->phase == write->phase)
                add_race(group, write, access, &segment->base);
            if (!one) /* of another block: whatever it does */
                add_race(group, write, access, NULL);
        }
    }
}

static void add_races(struct group *group, const struct rd_segment *segment)
{
    for (size_t k = 0; k < segment->n_accesses; k++)
        if (segment->accesses[k].is_write)
            add_races_of(group, segment, &segment->accesses[k]);
}

/* ---- values ---- */

/* What the thread leaves in the cell that it writes: a later write of its own counts. */
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

static void add_value(struct group *group, const struct rd_segment *segment, size_t write)
{
    struct rd_launch_proof *launch = group->launch;
    struct rd_proof_subject *subject = launch->subject;
    struct rd_terms *terms = subject->terms;
    const struct rd_kernel_access *access = &segment->accesses[write];
    const rd_term value = left_by(terms, segment, write);
    if (access->array->is_shared) {
        if (!segment->to.point || segment->to.array != access->array)
            return; /* nothing is claimed of it there */
        const rd_term live = rd_cut_live(launch, &segment->to, NULL, access->index);
        const rd_term more[] = {access->path, segment->path, live};
        add(group, RD_PROOF_PRESERVATION_VALUE, "what a thread writes is what the law says",
            &group->base,
            rd_equal(terms, value, rd_cut_count(launch, &segment->to, NULL, access->index)), 3,
            more);
        return;
    }
    if (segment->to.point) {
        rd_subject_fail(subject, "%s writes %s before its last checkpoint", launch->name,
                        access->array->name);
        return;
    }
    if (access->array != &launch->A) {
        rd_subject_fail(subject, "%s writes %s, which no law speaks of", launch->name,
                        access->array->name);
        return;
    }
    const rd_term live = rd_subject_live(subject, launch->after, access->index);
    const rd_term more[] = {access->path, live};
    add(group, RD_PROOF_PRESERVATION_VALUE, "what a thread writes is what the law says",
        &group->base,
        rd_equal(terms, value, rd_subject_count(subject, launch->after, access->index)), 2, more);
    add(group, RD_PROOF_PRESERVATION_FRAME, "a thread writes live cells alone: dead ones stay",
        &group->base, live, 1, more);
}

/* What a lane hands in at its checkpoint. */
static void add_lane(struct group *group, const struct rd_segment *segment)
{
    struct rd_launch_proof *launch = group->launch;
    const rd_term more[] = {segment->path, rd_lane_live(launch, &segment->to)};
    add(group, RD_PROOF_PRESERVATION_VALUE, "what a lane holds is what the law says", &group->base,
        rd_equal(launch->subject->terms, segment->lane, rd_lane_count(launch, &segment->to)), 2,
        more);
}

/* ---- cells that nobody writes ---- */

/* What is known of the block's threads that take one of the ways of the group. */
static rd_term ways_of(const struct group *group)
{
    const struct rd_launch_proof *launch = group->launch;
    struct rd_terms *terms = launch->subject->terms;
    const rd_term of_thread[] = {launch->thread, launch->number};
    rd_term ways = rd_false(terms);
    for (size_t s = 0; s < launch->execution.n_segments; s++)
        if (is_in(group, &launch->execution.segments[s]))
            ways = rd_or(
                terms, ways,
                rd_conjuncts_without(terms, launch->execution.segments[s].path, 2, of_thread));
    return ways;
}

/* The hypothesis that no thread of the group's segments writes the cell; false where that can't be said. */
static bool add_unwritten(struct group *group, const struct rd_prove_array *array, rd_term cell,
                          struct rd_term_list *list)
{
    struct rd_launch_proof *launch = group->launch;
    struct rd_terms *terms = launch->subject->terms;
    for (size_t s = 0; s < launch->execution.n_segments; s++) {
        const struct rd_segment *segment = &launch->execution.segments[s];
        for (size_t k = 0; k < segment->n_accesses; k++) {
            const struct rd_kernel_access *access = &segment->accesses[k];
            struct rd_owner owner;
            if (!access->is_write || access->array != array)
                continue;
            if (!rd_find_owner(launch, access->index, cell, &owner)) {
                rd_subject_fail(launch->subject,
                                "line %u: which thread writes a cell of %s can't be told",
                                access->line, array->name);
                return false;
            }
            const bool same_block = array->is_shared;
            if (!is_in(
                    group,
                    segment)) { /* its owner takes this group's way, or it is none of this group's */
                if (!array->is_shared && !segment->to.point)
                    rd_term_list_add(
                        terms, list,
                        rd_at_owner(launch,
                                    rd_implies(terms, rd_place_of(launch), group->first->path),
                                    &owner, false));
                continue;
            }
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

static void add_coverage(struct group *group)
{
    struct rd_launch_proof *launch = group->launch;
    struct rd_proof_subject *subject = launch->subject;
    struct rd_terms *terms = subject->terms;
    const struct rd_cut *from = &group->first->from, *to = &group->first->to;
    const rd_term cell = subject->cell, zero = rd_number(terms, 0);
    struct rd_term_list list = {0};
    rd_term before, same, size = launch->A.size;
    const struct rd_prove_array *array = to->point ? to->array : &launch->A;
    if (to->point) {
        if (!array || group->first->lane || !rd_section_of(launch, to))
            return;
        size = array->size;
        before = from->array == array ? rd_cut_live(launch, from, NULL, cell) : rd_false(terms);
        same = rd_equal(terms, rd_cut_count(launch, to, NULL, cell),
                        from->array == array ? rd_cut_count(launch, from, NULL, cell) : zero);
        rd_term_list_add(terms, &list, rd_cut_live(launch, to, NULL, cell));
        rd_term_list_add(terms, &list, rd_within(terms, zero, launch->block, launch->grid));
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

/* ---- all of it ---- */

static void print_cut(struct rd_launch_proof *launch, const struct rd_cut *cut, const char *other,
                      FILE *out)
{
    const struct rd_law_section *section = rd_section_of(launch, cut);
    fputs(!cut->point ? other : section ? section->name : cut->point, out);
    if (cut->point) {
        fputs(" at ", out);
        rd_term_print(cut->variable, out);
    }
}

static const char *name_of(struct rd_launch_proof *launch, const struct rd_segment *segment)
{
    char *text = NULL;
    size_t size;
    FILE *out;
    if (!segment->from.point && !segment->to.point)
        return launch->name;
    out = open_memstream(&text, &size);
    if (!out)
        return launch->name;
    fprintf(out, "%s, from ", launch->name);
    print_cut(launch, &segment->from, "its start", out);
    fputs(" to ", out);
    print_cut(launch, &segment->to, "its end", out);
    const char *name =
        fclose(out) == 0 ? rd_terms_text(launch->subject->terms, "%s", text) : launch->name;
    free(text);
    return name;
}

static bool is_first_of_group(const struct rd_launch_proof *launch, size_t index)
{
    const struct rd_segment *segments = launch->execution.segments;
    for (size_t k = 0; k < index; k++)
        if (rd_is_same_cut(&segments[k].from, &segments[index].from) &&
            rd_is_same_cut(&segments[k].to, &segments[index].to))
            return false;
    return true;
}

static void add_group(struct rd_launch_proof *launch, const struct rd_segment *first)
{
    struct rd_terms *terms = launch->subject->terms;
    struct group group = {.launch = launch, .first = first, .name = name_of(launch, first)};
    rd_segment_base(launch, &first->from, &group.told);
    rd_segment_base(launch, &first->from, &group.base);
    rd_term_list_add(terms, &group.base, rd_place_of(launch));
    if (launch->by_number) {
        const rd_term zero = rd_number(terms, 0);
        rd_term_list_add(terms, &group.base,
                         rd_within(terms, zero, launch->thread, launch->threads));
        rd_term_list_add(terms, &group.base, rd_at_most(terms, launch->thread, launch->number));
    }
    for (size_t s = 0; s < launch->execution.n_segments; s++) {
        const struct rd_segment *segment = &launch->execution.segments[s];
        if (!is_in(&group, segment))
            continue;
        add_requirements(&group, segment);
        add_bounds(&group, segment);
        add_barrier(&group, segment);
        if (segment->lane)
            add_lane(&group, segment);
        add_trip(&group, segment);
        add_races(&group, segment);
        for (size_t k = 0; k < segment->n_accesses; k++)
            if (segment->accesses[k].is_write)
                add_value(&group, segment, k);
    }
    add_coverage(&group);
    rd_term_list_finish(&group.base);
    rd_term_list_finish(&group.told);
}

/* An array that blocks write can't be read by them behind a checkpoint: what it holds there no law says. */
static void check_arrays(struct rd_launch_proof *launch)
{
    bool writes = false, reads = false;
    unsigned first_write = UINT_MAX, last_read = 0;
    for (size_t s = 0; s < launch->execution.n_segments; s++) {
        const struct rd_segment *segment = &launch->execution.segments[s];
        for (size_t k = 0; k < segment->n_accesses; k++) {
            const struct rd_kernel_access *access = &segment->accesses[k];
            if (access->array != &launch->A)
                continue;
            if (access->is_write)
                first_write = access->phase < first_write ? access->phase : first_write;
            else
                last_read = access->phase > last_read ? access->phase : last_read;
            writes = writes || access->is_write;
            reads = reads || (!access->is_write && segment->from.point);
        }
    }
    if (writes && (reads || last_read > first_write))
        rd_subject_fail(launch->subject, "%s reads behind a checkpoint or a barrier what it writes",
                        launch->name);
}

/* What the kernel does to elements must be what the claim is of. */
static void add_operation(struct rd_launch_proof *launch)
{
    struct rd_proof_subject *subject = launch->subject;
    const struct rd_execution *execution = &launch->execution;
    const rd_term never = rd_false(subject->terms);
    if (execution->by_value)
        rd_subject_add_goal(subject, RD_PROOF_PRESERVATION_VALUE, launch->name,
                            "in whatever order two inputs meet, they combine to the same",
                            &launch->hypotheses, NULL, never);
    if (execution->adds && subject->program->any_operation)
        rd_subject_add_goal(subject, RD_PROOF_PRESERVATION_VALUE, launch->name,
                            "cells are combined by the operation and with its identity alone",
                            &launch->hypotheses, NULL, never);
    if (execution->subtracts && rd_numeric(subject->program->type)->is_float)
        rd_subject_add_goal(subject, RD_PROOF_PRESERVATION_VALUE, launch->name,
                            "what was added can be taken back: of floats it can't",
                            &launch->hypotheses, NULL, never);
}

void rd_launch_add_goals(struct rd_launch_proof *launch)
{
    struct rd_proof_subject *subject = launch->subject;
    struct rd_terms *terms = subject->terms;
    check_arrays(launch);
    if (!rd_subject_goes(subject))
        return;
    add_operation(launch);
    rd_launch_find_facts(launch);
    rd_subject_add_goal(subject, RD_PROOF_HOST, launch->name, "a block has threads",
                        &launch->hypotheses, NULL,
                        rd_and(terms, rd_at_most(terms, rd_number(terms, 1), launch->threads),
                               rd_at_most(terms, launch->threads, rd_number(terms, 1024))));
    if (launch->work)
        rd_subject_add_goal(subject, RD_PROOF_HOST, launch->name, "a round has threads",
                            &launch->hypotheses, NULL,
                            rd_at_most(terms, rd_number(terms, 1), launch->work));
    for (size_t s = 0; s < launch->execution.n_segments && rd_subject_goes(subject); s++)
        if (is_first_of_group(launch, s))
            add_group(launch, &launch->execution.segments[s]);
}
