// SPDX-License-Identifier: MIT
/* Goals of what the sentence of a launch says of accesses: a thread makes no more reads and writes of global memory
 * than that.
 *
 * A thread's way is a chain of segments. How often it has accessed memory at a cut is at most a number that the cut
 * has: 0 at the launch, what is said at the end; and each segment makes no more accesses than the number grows by. */
#include "prove/goals/segment.h"

struct access_count {
    struct rd_launch_proof *launch;
    bool of_writes;
    rd_term most; /* what the sentence says */
    bool is_before,
        is_in_loop; /* there are some in segments that end at a checkpoint, in one that a loop repeats */
};

static bool is_counted(const struct access_count *count, const struct rd_kernel_access *access)
{
    return !access->array->is_shared && (access->is_atomic || access->is_write == count->of_writes);
}

static void find_accesses(struct access_count *count)
{
    const struct rd_execution *execution = &count->launch->execution;
    for (size_t s = 0; s < execution->n_segments; s++) {
        const struct rd_segment *segment = &execution->segments[s];
        for (size_t k = 0; k < segment->n_accesses; k++)
            if (is_counted(count, &segment->accesses[k])) {
                count->is_before = count->is_before || segment->to.point;
                count->is_in_loop = count->is_in_loop || segment->goes_back;
            }
    }
}

/* The number of the cut. In a loop that accesses memory, it is what the sentence says of so many elements as the variable is. */
static rd_term number_at(const struct access_count *count, const struct rd_cut *cut, bool is_end)
{
    struct rd_terms *terms = count->launch->subject->terms;
    if (!cut->point)
        return is_end ? count->most : rd_number(terms, 0);
    if (count->is_in_loop)
        return rd_replace(terms, count->most, 1, &count->launch->subject->n, &cut->variable);
    return count->is_before ? count->most : rd_number(terms, 0);
}

static void add_segment(struct access_count *count, const struct rd_segment *segment)
{
    struct rd_launch_proof *launch = count->launch;
    struct rd_proof_subject *subject = launch->subject;
    struct rd_terms *terms = subject->terms;
    rd_term made = number_at(count, &segment->from, false);
    struct rd_segment_group group = {
        .launch = launch, .first = segment, .name = rd_segment_name(launch, segment)};
    for (size_t k = 0; k < segment->n_accesses; k++) {
        const struct rd_kernel_access *access = &segment->accesses[k];
        if (!is_counted(count, access))
            continue;
        if (access->repeats) { /* in a loop that was summed up: more than can be said */
            made = rd_add(terms, count->most, rd_number(terms, 1));
            break;
        }
        made = rd_add(terms, made, rd_count_of(terms, access->path));
    }
    rd_segment_placed(launch, segment, &group.placed);
    rd_group_add(&group, RD_PROOF_HOST,
                 count->of_writes
                     ? "a thread writes global memory no more often than the launch says"
                     : "a thread reads global memory no more often than the launch says",
                 &group.placed, rd_at_most(terms, made, number_at(count, &segment->to, true)), 1,
                 &segment->path);
    rd_term_list_finish(&group.placed);
}

void rd_launch_add_access_counts(struct rd_launch_proof *launch, const struct law_launch *of)
{
    const struct law_node *const said[] = {of->reads, of->writes};
    for (unsigned k = 0; k < 2; k++) {
        struct access_count count = {.launch = launch, .of_writes = k == 1};
        if (!said[k])
            continue;
        count.most = rd_launch_number(launch, said[k]);
        find_accesses(&count);
        for (size_t s = 0; s < launch->execution.n_segments; s++)
            if (rd_subject_goes(launch->subject))
                add_segment(&count, &launch->execution.segments[s]);
    }
}
