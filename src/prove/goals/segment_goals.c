// SPDX-License-Identifier: MIT
/* The goals of segments, group by group: that accesses are in bounds, that numbers fit, that threads meet at barriers. */
#include "prove/goals/owner.h"
#include "prove/goals/segment.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool rd_group_has(const struct rd_segment_group *group, const struct rd_segment *segment)
{
    return rd_is_same_cut(&segment->from, &group->first->from) &&
           rd_is_same_cut(&segment->to, &group->first->to);
}

void rd_group_add(struct rd_segment_group *group, enum rd_proof_obligation obligation,
                  const char *what, const struct rd_term_list *base, rd_term goal, size_t count,
                  const rd_term *more)
{
    struct rd_proof_subject *subject = group->launch->subject;
    struct rd_term_list list = {0};
    for (size_t k = 0; k < count; k++)
        rd_term_list_add(subject->terms, &list, more[k]);
    rd_subject_add_goal(subject, obligation, group->name, what, base, &list, goal);
    rd_term_list_finish(&list);
}

/* ---- another thread ---- */

/* A constant that names a thread, and its name for another one. */
struct other_name {
    rd_term of;
    const char *other;
    bool in_block;
};

rd_term rd_at_other_thread(struct rd_launch_proof *launch, rd_term term, const struct rd_cut *same)
{
    enum { MAX = 64 };
    struct rd_terms *terms = launch->subject->terms;
    const struct rd_term_list *heads = &launch->execution.heads;
    rd_term from[MAX], to[MAX];
    unsigned count = 0;
    const struct other_name names[] = {
        {launch->thread, "u", true},      {launch->number, "thread2", true},
        {launch->block, "c", false},      {launch->y.thread, "u_y", true},
        {launch->y.number, "row2", true}, {launch->y.block, "c_y", false},
    };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (names[k].of && (names[k].in_block || !same)) {
            from[count] = names[k].of;
            to[count++] = rd_constant(terms, names[k].other);
        }
    for (size_t k = 0; k < heads->count; k++) {
        if (same && rd_cut_fixes(&launch->execution, same, heads->terms[k]))
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

/* ---- requirements ---- */

static void add_requirements(struct rd_segment_group *group, const struct rd_segment *segment)
{
    struct rd_launch_proof *launch = group->launch;
    const rd_term place = rd_place_of(launch);
    for (size_t k = 0; k < segment->n_requirements; k++) {
        const struct rd_requirement *requirement = &segment->requirements[k];
        if (requirement->is_of_height)
            continue;
        if (!requirement->is_barrier) {
            struct rd_proof *proof = launch->subject->proof;
            const size_t n_before = proof->count;
            rd_group_add(group, requirement->is_promise ? RD_PROOF_EXIT : RD_PROOF_ARITHMETIC,
                         requirement->what, &group->placed, requirement->condition, 1,
                         &requirement->path);
            if (proof->count > n_before)
                proof->goals[n_before].is_untold = requirement->is_untold;
            continue;
        }
        const struct rd_cut *same = requirement->of_grid ? NULL : &segment->base;
        const rd_term more[] = {requirement->path, rd_at_other_thread(launch, place, same)};
        rd_group_add(group, RD_PROOF_BARRIERS, requirement->what, &group->placed,
                     rd_at_other_thread(launch, requirement->control, same), 2, more);
    }
}

static void add_bounds(struct rd_segment_group *group, const struct rd_segment *segment)
{
    struct rd_terms *terms = group->launch->subject->terms;
    for (size_t k = 0; k < segment->n_accesses; k++) {
        const struct rd_kernel_access *access = &segment->accesses[k];
        rd_group_add(group, RD_PROOF_IN_BOUNDS,
                     rd_place_named(terms, access->file, access->line,
                                    rd_terms_text(terms, "a thread %s within %s",
                                                  access->is_write ? "writes" : "reads",
                                                  access->array->name)),
                     &group->placed,
                     rd_within(terms, rd_number(terms, 0), access->index, access->array->size), 1,
                     &access->path);
    }
}

static bool writes(const struct rd_launch_proof *launch, const struct rd_prove_array *array)
{
    for (size_t s = 0; s < launch->execution.n_segments; s++)
        for (size_t k = 0; k < launch->execution.segments[s].n_accesses; k++)
            if (launch->execution.segments[s].accesses[k].is_write &&
                launch->execution.segments[s].accesses[k].array == array)
                return true;
    return false;
}

/* A trip makes the loop's variable smaller, or larger: that ends, as it fits in its type. */
static void add_trip(struct rd_segment_group *group, const struct rd_segment *segment)
{
    struct rd_proof_subject *subject = group->launch->subject;
    const rd_term from = segment->from.variable, to = segment->to.variable;
    if (!segment->goes_back || subject->values_only)
        return;
    const rd_term falls = rd_less(subject->terms, to, from),
                  grows = rd_less(subject->terms, from, to);
    struct rd_term_list list = {0};
    rd_term_list_add_all(subject->terms, &list, &group->placed);
    rd_term_list_add(subject->terms, &list, segment->path);
    const bool does_grow =
        !rd_subject_follows(subject, &list, falls) && rd_subject_follows(subject, &list, grows);
    rd_term_list_finish(&list);
    rd_group_add(group, RD_PROOF_TERMINATION,
                 segment->to.is_bare
                     ? "the loop comes to an end: its variable falls, or grows"
                     : "a loop with a checkpoint comes to an end: its variable falls, or grows",
                 &group->placed, does_grow ? grows : falls, 1, &segment->path);
}

/* Adds goals that no access behind the segment's last barrier meets those of the next segment, and that all threads end at one cut. */
static void add_barrier(struct rd_segment_group *group, const struct rd_segment *segment)
{
    struct rd_proof_subject *subject = group->launch->subject;
    for (size_t s = 0; s < group->launch->execution.n_segments; s++) {
        const struct rd_segment *other = &group->launch->execution.segments[s];
        if (!segment->to.point || !segment->meets || !rd_is_same_cut(&other->base, &segment->base))
            continue;
        for (size_t k = 0; k < other->n_accesses; k++) {
            const struct rd_kernel_access *access = &other->accesses[k];
            const rd_term more[] = {
                segment->path, rd_at_other_thread(group->launch, access->path, &segment->base)};
            if ((access->array->is_shared || access->array->is_scratch ||
                 writes(group->launch, access->array)) &&
                access->phase == segment->phases)
                rd_group_add(group, RD_PROOF_BARRIERS,
                             segment->to.is_bare ? "a barrier stands before the loop's next trip"
                                                 : "a barrier stands before the checkpoint",
                             &group->placed, rd_false(subject->terms), 2, more);
        }
    }
    if (segment->to.point) {
        /* Lanes come from the same trip of their warp, a block from that of the block. */
        const struct rd_cut *same = segment->meets ? &segment->base : &segment->from;
        const rd_term more[] = {segment->path,
                                rd_at_other_thread(group->launch, segment->path, same)};
        rd_group_add(group, RD_PROOF_BARRIERS,
                     segment->to.is_bare
                         ? "all threads come to the loop's condition in the same trip"
                         : "all threads come to the checkpoint in the same trip",
                     &group->placed,
                     rd_equal(subject->terms, segment->to.variable,
                              rd_at_other_thread(group->launch, segment->to.variable, same)),
                     2, more);
    }
}

/* ---- all of it ---- */

static void print_cut(struct rd_launch_proof *launch, const struct rd_cut *cut, const char *other,
                      FILE *out)
{
    const struct rd_law_section *section = rd_section_of(launch, cut);
    fputs(!cut->point ? other : section && section->name ? section->name : cut->point, out);
    if (cut->point) {
        fputs(" at ", out);
        rd_term_print(cut->variable, out);
    }
}

const char *rd_segment_name(struct rd_launch_proof *launch, const struct rd_segment *segment)
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

void rd_segment_placed(struct rd_launch_proof *launch, const struct rd_segment *segment,
                       struct rd_term_list *hypotheses)
{
    struct rd_terms *terms = launch->subject->terms;
    rd_segment_base(launch, &segment->from, hypotheses);
    rd_term_list_add(terms, hypotheses, rd_place_of(launch));
    if (launch->by_number) {
        const rd_term zero = rd_number(terms, 0);
        rd_term_list_add(terms, hypotheses,
                         rd_within(terms, zero, launch->thread, launch->threads));
        rd_term_list_add(terms, hypotheses, rd_at_most(terms, launch->thread, launch->number));
        if (launch->y.thread) {
            rd_term_list_add(terms, hypotheses,
                             rd_within(terms, zero, launch->y.thread, launch->y.threads));
            rd_term_list_add(terms, hypotheses,
                             rd_at_most(terms, launch->y.thread, launch->y.number));
        }
    }
}

/* An invariant that claims no cell at any trip says nothing: then these hypotheses contradict each other. */
static void add_existence(const struct rd_segment_group *group)
{
    struct rd_launch_proof *launch = group->launch;
    struct rd_proof_subject *subject = launch->subject;
    const struct rd_cut *from = &group->first->from, *to = &group->first->to;
    if (!subject->host || !from->point || !from->array || !to->point ||
        strcmp(from->point, to->point) != 0)
        return;
    const rd_term cell = subject->cell, zero = rd_number(subject->terms, 0),
                  live = rd_cut_live(launch, from, NULL, cell);
    struct rd_term_list base = {0};
    rd_term_list_add_all(subject->terms, &base, &group->told);
    rd_term_list_add(subject->terms, &base, live);
    rd_subject_add_goal(subject, RD_PROOF_IN_BOUNDS, group->name,
                        "the law names cells at some trip, and each is in the array", &base, NULL,
                        rd_within(subject->terms, zero, cell, from->array->size));
    rd_term_list_finish(&base);
}

static void add_group(struct rd_launch_proof *launch, const struct rd_segment *first)
{
    struct rd_segment_group group = {
        .launch = launch, .first = first, .name = rd_segment_name(launch, first)};
    rd_segment_base(launch, &first->from, &group.told);
    rd_segment_placed(launch, first, &group.placed);
    for (size_t s = 0; s < launch->execution.n_segments; s++) {
        const struct rd_segment *segment = &launch->execution.segments[s];
        if (!rd_group_has(&group, segment))
            continue;
        if (segment->from.array != first->from.array || segment->to.array != first->to.array)
            rd_subject_fail(launch->subject, "%s has a checkpoint of two arrays", launch->name);
        add_bounds(&group,
                   segment); /* first: a requirement that says the same is not asked again */
        add_requirements(&group, segment);
        add_barrier(&group, segment);
        rd_group_add_lane(&group, segment);
        add_trip(&group, segment);
        rd_group_add_races(&group, segment);
        rd_group_add_values(&group, segment);
    }
    rd_group_add_coverage(&group);
    add_existence(&group);
    rd_term_list_finish(&group.placed);
    rd_term_list_finish(&group.told);
}

const struct rd_kernel_access *rd_launch_rewrites(const struct rd_launch_proof *launch,
                                                  const struct rd_prove_array *array)
{
    const struct rd_kernel_access *behind_point = NULL, *last_read = NULL;
    bool writes = false;
    unsigned first_write = UINT_MAX;
    for (size_t s = 0; s < launch->execution.n_segments; s++) {
        const struct rd_segment *segment = &launch->execution.segments[s];
        for (size_t k = 0; k < segment->n_accesses; k++) {
            const struct rd_kernel_access *access = &segment->accesses[k];
            if (access->array != array)
                continue;
            writes = writes || access->is_write;
            if (access->is_write)
                first_write = access->phase < first_write ? access->phase : first_write;
            else if (segment->from.point)
                behind_point = access;
            else if (!last_read || access->phase > last_read->phase)
                last_read = access;
        }
    }
    if (!writes || behind_point)
        return writes ? behind_point : NULL;
    return last_read && last_read->phase > first_write ? last_read : NULL;
}

/* An array that blocks write can't be read by them behind a checkpoint as what it was: what it holds there no law says. */
static void check_array(struct rd_launch_proof *launch, const struct rd_prove_array *array)
{
    const struct rd_kernel_access *read =
        array->is_rewritten ? NULL : rd_launch_rewrites(launch, array);
    if (read)
        rd_subject_fail(
            launch->subject, "%s",
            rd_place_named(launch->subject->terms, read->file, read->line,
                           rd_terms_text(launch->subject->terms,
                                         "%s reads behind a checkpoint or a barrier what it writes",
                                         launch->name)));
}

/* Adds goals that can't be proved, where the kernel does to elements what the claim doesn't allow. */
static void add_operation(struct rd_launch_proof *launch)
{
    struct rd_proof_subject *subject = launch->subject;
    const struct rd_execution *execution = &launch->execution;
    const rd_term never = rd_false(subject->terms);
    if (execution->by_value)
        rd_subject_add_goal(
            subject, RD_PROOF_PRESERVATION_VALUE, launch->name,
            "the kernel compares values: in whatever order two inputs meet, they must "
            "combine to the same",
            &launch->hypotheses, NULL, never);
    if (execution->adds && subject->program->any_operation)
        rd_subject_add_goal(
            subject, RD_PROOF_PRESERVATION_VALUE, launch->name,
            "cells are combined by the operation and its identity alone, not by '+' and 0",
            &launch->hypotheses, NULL, never);
    if (execution->subtracts && rd_numeric(subject->program->type)->is_float)
        rd_subject_add_goal(subject, RD_PROOF_PRESERVATION_VALUE, launch->name,
                            "a subtraction takes back what was added, which of floats it does not",
                            &launch->hypotheses, NULL, never);
}

static void check_arrays(struct rd_launch_proof *launch)
{
    for (size_t s = 0; s < launch->execution.n_segments; s++)
        for (size_t k = 0; k < launch->execution.segments[s].n_accesses; k++) {
            const struct rd_kernel_access *access = &launch->execution.segments[s].accesses[k];
            /* Of scratch memory it is known by who wrote it, which its reader asks. */
            if (access->is_write && !access->array->is_shared && !access->array->is_scratch)
                check_array(launch, access->array);
        }
}

void rd_launch_add_goals(struct rd_launch_proof *launch)
{
    struct rd_proof_subject *subject = launch->subject;
    check_arrays(launch);
    if (!rd_subject_goes(subject))
        return;
    add_operation(launch);
    rd_launch_find_facts(launch);
    rd_launch_add_shape(launch);
    for (size_t s = 0; s < launch->execution.n_segments && rd_subject_goes(subject); s++)
        if (is_first_of_group(launch, s))
            add_group(launch, &launch->execution.segments[s]);
}
