// SPDX-License-Identifier: MIT
/* Goals of atomic additions: in whatever order they come, a cell is afterwards what it was before, and the sum of
 * what all threads add.
 *
 * With one input counted, that sum has one summand at most that isn't 0. The thread that adds it, if there is one, is
 * guessed from the additions' values; the goals say that the guess is right:
 *      every other thread adds 0;
 *      a cell is as before, and what that thread adds to it, by whichever way it comes to the kernel's end;
 *      a cell is as before, where the launch doesn't have that thread.
 * Each thread comes to the end by one way, and on no other adds anything. */
#include "prove/goals/owner.h"
#include "prove/goals/segment.h"

/* Tells whether it is an addition to the array of the law. */
static bool is_addition(const struct rd_launch_proof *launch, const struct rd_kernel_access *access)
{
    return access->is_atomic && access->array == launch->A;
}

bool rd_launch_adds(const struct rd_launch_proof *launch)
{
    const struct rd_execution *execution = &launch->execution;
    for (size_t s = 0; s < execution->n_segments; s++)
        for (size_t k = 0; k < execution->segments[s].n_accesses; k++)
            if (is_addition(launch, &execution->segments[s].accesses[k]))
                return true;
    return false;
}

/* ---- the thread that adds ---- */

/* Returns a condition under which the value isn't 0, as far as it can be seen. Of a dead cell nothing is known: it is passed over. */
static rd_term counts(struct rd_terms *terms, rd_term value)
{
    const rd_term zero = rd_number(terms, 0);
    if (value->kind == RD_TERM_NUMBER)
        return rd_truth(terms, value != zero);
    if (value->kind != RD_TERM_CHOICE)
        return rd_true(terms);
    if (value->kids[2] == zero || value->kids[2]->kind == RD_TERM_APPLY)
        return rd_and(terms, value->kids[0], counts(terms, value->kids[1]));
    if (value->kids[1] == zero)
        return rd_and(terms, rd_not(terms, value->kids[0]), counts(terms, value->kids[2]));
    return rd_true(terms);
}

/* Tells whether the number is one and the same for all threads. */
static bool is_of_launch(const struct rd_launch_proof *launch, rd_term number)
{
    bool is = !rd_term_has(number, launch->thread) && !rd_term_has(number, launch->block) &&
              !rd_term_has(number, launch->number);
    for (size_t k = 0; k < launch->execution.heads.count; k++)
        is = is && !rd_term_has(number, launch->execution.heads.terms[k]);
    return is;
}

/* Solves the condition for a part of the thread's place: of alternatives, by the first that then holds; 0 where it
 * says nothing of it. */
static rd_term solved(const struct rd_launch_proof *launch, rd_term condition, rd_term part)
{
    struct rd_terms *terms = launch->subject->terms;
    const rd_term found = rd_solution(terms, condition, part);
    unsigned count;
    const rd_term *parts = rd_term_conjuncts(&condition, &count);
    rd_term value = rd_number(terms, 0);
    for (unsigned k = 0; k < count && !found; k++)
        for (unsigned i = parts[k]->kind == RD_TERM_OR ? parts[k]->n_kids : 0; i-- > 0;) {
            const rd_term one = rd_solution(terms, parts[k]->kids[i], part);
            if (one)
                value = rd_choice(terms, rd_replace(terms, parts[k]->kids[i], 1, &part, &one), one,
                                  value);
        }
    return found ? found : value;
}

/* Solves the condition for the thread's number in the grid, by one equation in it, and takes that apart. */
static bool find_number(const struct rd_launch_proof *launch, rd_term condition,
                        struct rd_owner *adder)
{
    struct rd_terms *terms = launch->subject->terms;
    const rd_term thread =
        rd_subtract(terms, launch->number, rd_multiply(terms, launch->block, launch->threads));
    unsigned count;
    const rd_term *parts = rd_term_conjuncts(&condition, &count);
    for (unsigned k = 0; k < count; k++) {
        const rd_term found = rd_solution(
            terms, rd_replace(terms, parts[k], 1, &launch->thread, &thread), launch->number);
        if (!found || !is_of_launch(launch, found))
            continue;
        adder->block[0] = rd_div(terms, found, launch->threads);
        adder->thread[0] = rd_mod(terms, found, launch->threads);
        return true;
    }
    return false;
}

static struct rd_owner adder_of(const struct rd_launch_proof *launch,
                                const struct rd_kernel_access *access)
{
    struct rd_terms *terms = launch->subject->terms;
    const rd_term zero = rd_number(terms, 0),
                  condition = rd_and(terms, access->path, counts(terms, access->value));
    struct rd_owner adder = {.thread = {zero, zero},
                             .block = {zero, zero},
                             .number = {launch->number, launch->y.number}};
    if (launch->by_number) {
        adder.number[0] = solved(launch, condition, launch->number);
        return adder;
    }
    if (find_number(launch, condition, &adder))
        return adder;
    adder.thread[0] = solved(launch, condition, launch->thread);
    adder.block[0] = solved(launch, condition, launch->block);
    adder.block[0] = rd_replace(terms, adder.block[0], 1, &launch->thread, &adder.thread[0]);
    return adder;
}

/* Finds the only thread that may add something else than 0; false where none adds. */
static bool find_adder(const struct rd_launch_proof *launch, struct rd_owner *adder)
{
    const struct rd_execution *execution = &launch->execution;
    bool found = false;
    for (size_t s = 0; s < execution->n_segments; s++)
        for (size_t k = 0; k < execution->segments[s].n_accesses; k++) {
            const struct rd_kernel_access *access = &execution->segments[s].accesses[k];
            if (!is_addition(launch, access) || found ||
                access->value == rd_number(launch->subject->terms, 0))
                continue;
            *adder = adder_of(launch, access);
            found = true;
        }
    return found;
}

static rd_term is_adder(const struct rd_launch_proof *launch, const struct rd_owner *adder)
{
    struct rd_terms *terms = launch->subject->terms;
    if (launch->by_number)
        return rd_equal(terms, launch->number, adder->number[0]);
    return rd_and(terms, rd_equal(terms, launch->thread, adder->thread[0]),
                  rd_equal(terms, launch->block, adder->block[0]));
}

static bool is_told(struct rd_segment_group *group, const struct rd_owner *adder,
                    const struct rd_kernel_access *access)
{
    const struct rd_launch_proof *launch = group->launch;
    const bool is = launch->by_number ? is_of_launch(launch, adder->number[0])
                                      : is_of_launch(launch, adder->thread[0]) &&
                                            is_of_launch(launch, adder->block[0]);
    if (!is || launch->y.number)
        rd_subject_fail(launch->subject, "%s",
                        rd_place_named(launch->subject->terms, access->file, access->line,
                                       "which thread adds the counted input can't be told"));
    return is;
}

void rd_group_add_addition(struct rd_segment_group *group, const struct rd_segment *segment,
                           const struct rd_kernel_access *access)
{
    struct rd_launch_proof *launch = group->launch;
    struct rd_terms *terms = launch->subject->terms;
    const rd_term zero = rd_number(terms, 0);
    struct rd_owner adder;
    const bool found = find_adder(launch, &adder);
    if (found && !is_told(group, &adder, access))
        return;
    const rd_term more[] = {access->path, segment->path,
                            found ? rd_not(terms, is_adder(launch, &adder)) : rd_true(terms)};
    rd_group_add(group, RD_PROOF_PRESERVATION_VALUE,
                 "of the threads that add atomically, all but one add nothing of the input",
                 &group->placed, rd_equal(terms, access->value, zero), 3, more);
}

/* ---- cells ---- */

/* What the thread adds to the cell on this way. */
static rd_term added_by(const struct rd_launch_proof *launch, const struct rd_segment *segment,
                        rd_term cell)
{
    struct rd_terms *terms = launch->subject->terms;
    rd_term sum = rd_number(terms, 0);
    for (size_t k = 0; k < segment->n_accesses; k++) {
        const struct rd_kernel_access *access = &segment->accesses[k];
        if (is_addition(launch, access))
            sum = rd_add(
                terms, sum,
                rd_choice(terms, rd_and(terms, access->path, rd_equal(terms, access->index, cell)),
                          access->value, rd_number(terms, 0)));
    }
    return sum;
}

/* The condition that the cell, with what is added, is what the law says. */
static rd_term is_kept(struct rd_launch_proof *launch, rd_term added)
{
    struct rd_proof_subject *subject = launch->subject;
    struct rd_terms *terms = subject->terms;
    const rd_term cell = subject->cell;
    return rd_and(terms, rd_subject_live(subject, launch->before, cell),
                  rd_equal(terms, rd_subject_count(subject, launch->after, cell),
                           rd_add(terms, rd_subject_count(subject, launch->before, cell), added)));
}

void rd_group_add_sums(struct rd_segment_group *group)
{
    struct rd_launch_proof *launch = group->launch;
    struct rd_proof_subject *subject = launch->subject;
    struct rd_terms *terms = subject->terms;
    const rd_term zero = rd_number(terms, 0), cell = subject->cell;
    const rd_term claimed = rd_and(terms, rd_within(terms, zero, cell, launch->A->size),
                                   rd_subject_live(subject, launch->after, cell));
    struct rd_owner adder;
    const bool found = find_adder(launch, &adder);
    struct rd_term_list list = {0};
    for (size_t s = 0; s < launch->execution.n_segments && found; s++) {
        const struct rd_segment *segment = &launch->execution.segments[s];
        const rd_term more[] = {segment->path, is_adder(launch, &adder), claimed};
        if (rd_group_has(group, segment))
            rd_group_add(group, RD_PROOF_PRESERVATION_VALUE,
                         "a cell and what that one thread adds to it are what the law says",
                         &group->placed, is_kept(launch, added_by(launch, segment, cell)), 3, more);
    }
    if (found) {
        const rd_term place = rd_place_of(launch);
        rd_term_list_add(terms, &list, rd_not(terms, rd_at_owner(launch, place, &adder, false)));
    }
    rd_term_list_add(terms, &list, claimed);
    rd_subject_add_goal(subject, RD_PROOF_PRESERVATION_COVERAGE, group->name,
                        "a cell to which no thread adds is what the law says", &launch->hypotheses,
                        &list, is_kept(launch, zero));
    rd_term_list_finish(&list);
}
