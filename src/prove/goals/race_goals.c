// SPDX-License-Identifier: MIT
/* Goals of races: what a thread writes, no other thread accesses in the same phase. */
#include "prove/goals/owner.h"
#include "prove/goals/segment.h"

static void add_other_ranges(struct rd_segment_group *group, const struct rd_cut *same,
                             struct rd_term_list *list)
{
    struct rd_launch_proof *launch = group->launch;
    const struct rd_term_list *ranges = &launch->execution.head_ranges;
    for (size_t k = 0; k < ranges->count; k++)
        rd_term_list_add_new(launch->subject->terms, list,
                             rd_at_other_thread(launch, ranges->terms[k], same));
}

/* Returns the hypotheses that the thread makes the one access, and the other thread, of the same block or of any, the other. */
static struct rd_term_list both(struct rd_segment_group *group, const struct rd_kernel_access *own,
                                const struct rd_kernel_access *others,
                                const struct rd_cut *same_block)
{
    struct rd_launch_proof *launch = group->launch;
    struct rd_terms *terms = launch->subject->terms;
    struct rd_term_list list = {0};
    rd_term_list_add(terms, &list, own->path);
    rd_term_list_add(terms, &list, rd_at_other_thread(launch, others->path, same_block));
    rd_term_list_add(terms, &list, rd_at_other_thread(launch, rd_place_of(launch), same_block));
    add_other_ranges(group, same_block, &list);
    return list;
}

/* The other thread, or its block, differs in x or in y. */
static rd_term is_another(struct rd_launch_proof *launch, const rd_term names[2],
                          const struct rd_cut *same_block)
{
    struct rd_terms *terms = launch->subject->terms;
    rd_term same = rd_true(terms);
    for (unsigned k = 0; k < 2; k++)
        if (names[k])
            same =
                rd_and(terms, same,
                       rd_equal(terms, names[k], rd_at_other_thread(launch, names[k], same_block)));
    return rd_not(terms, same);
}

/* The goal that the write's index determines its thread, so that no two threads write one cell. It has no products of two threads'
 * places, which solvers don't decide. NULL: the index isn't that of a transposed tile. */
static rd_term names_itself(struct rd_launch_proof *launch, const struct rd_kernel_access *write,
                            const struct rd_cut *same_block)
{
    struct rd_terms *terms = launch->subject->terms;
    const rd_term cell = launch->subject->cell;
    const rd_term names[] = {launch->thread, launch->y.thread, launch->block, launch->y.block};
    const rd_term own[] = {names[0], names[1],       names[2],
                           names[3], launch->number, launch->y.number};
    struct rd_owner owner;
    if (!rd_find_owner(launch, write, cell, &owner) || !owner.is_transposed || owner.n_loops > 0)
        return NULL;
    const rd_term places[] = {owner.thread[0], owner.thread[1], owner.block[0], owner.block[1]};
    rd_term itself = rd_true(terms);
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++) {
        for (unsigned i = 0; i < sizeof own / sizeof *own; i++)
            if (own[i] && rd_term_has(places[k], own[i])) /* not of the cell alone */
                return NULL;
        if (rd_at_other_thread(launch, places[k], same_block) != places[k]) /* of a loop's trip */
            return NULL;
        itself = rd_and(terms, itself, rd_equal(terms, names[k], places[k]));
    }
    return rd_replace(terms, itself, 1, &cell, &write->index);
}

static void add_race(struct rd_segment_group *group, const struct rd_kernel_access *write,
                     const struct rd_kernel_access *access, const struct rd_cut *same_block)
{
    struct rd_launch_proof *launch = group->launch;
    struct rd_terms *terms = launch->subject->terms;
    const rd_term threads[] = {launch->thread, launch->y.thread},
                  blocks[] = {launch->block, launch->y.block},
                  numbers[] = {launch->number, launch->y.number};
    const char *what = rd_terms_text(terms, "no other thread %s a cell of %s that a thread writes",
                                     access->is_write ? "writes" : "reads", write->array->name);
    const rd_term itself = access == write ? names_itself(launch, write, same_block) : NULL;
    if (itself) {
        rd_subject_add_goal(launch->subject, RD_PROOF_NO_RACE, group->name, what, &group->placed,
                            &(struct rd_term_list){.count = 1, .terms = (rd_term[]){write->path}},
                            itself);
        return;
    }
    struct rd_term_list list = both(group, write, access, same_block);
    rd_term_list_add(terms, &list,
                     is_another(launch,
                                launch->by_number ? numbers
                                : same_block      ? threads
                                                  : blocks,
                                same_block));
    rd_subject_add_goal(
        launch->subject, RD_PROOF_NO_RACE, group->name, what, &group->placed, &list,
        rd_not(terms, rd_equal(terms, write->index,
                               rd_at_other_thread(launch, access->index, same_block))));
    rd_term_list_finish(&list);
}

/* What blocks published by tickets is before what is read behind the last one. */
static bool is_published(const struct rd_execution *execution, const struct rd_kernel_access *write)
{
    bool is = false;
    for (size_t k = 0; k < execution->n_published && !is; k++)
        is = execution->published[k].by_ticket && execution->published[k].event == write->event;
    return is;
}

/* Tells whether barriers of the grid, or tickets, put the accesses in order, of whichever blocks they are. */
static bool is_ordered(const struct rd_execution *execution, const struct rd_kernel_access *x,
                       const struct rd_kernel_access *y)
{
    return x->grid != y->grid || (x->is_behind && is_published(execution, y)) ||
           (y->is_behind && is_published(execution, x));
}

/* What is read of scratch memory is what was published: no thread, of whichever block, writes to it otherwise, before it or behind. */
static void add_scratch(struct rd_segment_group *group, const struct rd_kernel_access *read)
{
    struct rd_launch_proof *launch = group->launch;
    struct rd_terms *terms = launch->subject->terms;
    for (size_t s = 0; s < launch->execution.n_segments; s++) {
        const struct rd_segment *other = &launch->execution.segments[s];
        for (size_t k = 0; k < other->n_accesses; k++) {
            const struct rd_kernel_access *write = &other->accesses[k];
            if (!write->is_write || write->array != read->array ||
                is_ordered(&launch->execution, read, write))
                continue;
            struct rd_term_list list = both(group, read, write, NULL);
            rd_subject_add_goal(
                launch->subject, RD_PROOF_NO_RACE, group->name,
                rd_place_named(terms, read->file, read->line,
                               rd_terms_text(terms,
                                             "what is read of %s is written before a barrier "
                                             "of the grid, or before a fence and a ticket",
                                             read->array->name)),
                &group->placed, &list, rd_false(terms));
            rd_term_list_finish(&list);
        }
    }
}

static void add_races_of(struct rd_segment_group *group, const struct rd_segment *segment,
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
            /* A barrier of the block puts two writes to scratch memory in an order that whoever reads them behind one
             * of the grid doesn't know. */
            if (together &&
                (access->phase == write->phase ||
                 (access->is_write && access->array->is_scratch && access->grid == write->grid)))
                add_race(group, write, access, &segment->base);
            if (!one && !is_ordered(&launch->execution, write, access)) /* of another block */
                add_race(group, write, access, NULL);
        }
    }
}

/* On its way from its base. */
static bool has_access(const struct rd_segment *segment, const struct rd_kernel_access *access)
{
    for (size_t k = 0; k < segment->n_accesses + segment->n_earlier; k++) {
        const struct rd_kernel_access *own = k < segment->n_accesses
                                                 ? &segment->accesses[k]
                                                 : &segment->earlier[k - segment->n_accesses];
        if (own->is_write == access->is_write && own->array == access->array &&
            own->index == access->index && own->value == access->value &&
            own->path == access->path && own->phase == access->phase)
            return true;
    }
    return false;
}

static void add_unwritten_by(struct rd_segment_group *group, const struct rd_segment *segment,
                             const struct rd_kernel_access *read,
                             const struct rd_kernel_access *write)
{
    struct rd_launch_proof *launch = group->launch;
    struct rd_terms *terms = launch->subject->terms;
    const struct rd_cut *base = &segment->base;
    struct rd_term_list list = both(group, read, write, base);
    rd_subject_add_goal(
        launch->subject, RD_PROOF_NO_RACE, group->name,
        rd_place_named(terms, read->file, read->line,
                       rd_terms_text(terms,
                                     "no thread that went another way has written what a thread "
                                     "reads of %s",
                                     read->array->name)),
        &group->placed, &list,
        rd_not(terms,
               rd_equal(terms, read->index, rd_at_other_thread(launch, write->index, base))));
    rd_term_list_finish(&list);
}

/* What a thread reads behind a barrier is what its own way has written before, or what lay there. So no thread of another way
 * has written it. */
static void add_reading(struct rd_segment_group *group, const struct rd_segment *segment,
                        const struct rd_kernel_access *read)
{
    const struct rd_execution *execution = &group->launch->execution;
    for (size_t s = 0; s < execution->n_segments; s++) {
        const struct rd_segment *other = &execution->segments[s];
        if (other == segment || !rd_is_same_cut(&segment->base, &other->base))
            continue;
        for (size_t k = 0; k < other->n_accesses; k++) {
            const struct rd_kernel_access *write = &other->accesses[k];
            if (write->is_write && write->array == read->array && write->phase < read->phase &&
                !has_access(segment, write))
                add_unwritten_by(group, segment, read, write);
        }
    }
}

void rd_group_add_races(struct rd_segment_group *group, const struct rd_segment *segment)
{
    for (size_t k = 0; k < segment->n_accesses; k++)
        if (segment->accesses[k].is_write)
            add_races_of(group, segment, &segment->accesses[k]);
    for (size_t k = 0; k < segment->n_accesses; k++)
        if (!segment->accesses[k].is_write && segment->accesses[k].array->is_shared)
            add_reading(group, segment, &segment->accesses[k]);
    for (size_t k = 0; k < segment->n_accesses; k++)
        if (!segment->accesses[k].is_write && segment->accesses[k].array->is_scratch)
            add_scratch(group, &segment->accesses[k]);
}
