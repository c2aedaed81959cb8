// SPDX-License-Identifier: MIT
/* Evidence in a trace of the inputs in a violated cell. Those that it should hold follow from the
 * invariant. Those that it held were found by runs of their own, which a trace does not have: they must
 * agree with what was lost and what was added. */
#include "trace/replayer.h"
#include "reductio/witness.h"

#include <stdlib.h>
#include <string.h>

static bool is_same(const struct rd_input_set *x, const struct rd_input_set *y)
{
    size_t kept = x->count < RD_INPUT_SET_MAX ? x->count : RD_INPUT_SET_MAX;
    return x->count == y->count && memcmp(x->index, y->index, kept * sizeof *x->index) == 0 &&
           memcmp(x->times, y->times, kept * sizeof *x->times) == 0;
}

static bool is_ascending(const struct rd_input_set *set, size_t n)
{
    for (size_t k = 0; k < set->count && k < RD_INPUT_SET_MAX; k++)
        if (set->index[k] >= n || (k > 0 && set->index[k] <= set->index[k - 1]))
            return false;
    return true;
}

/* Tells whether all members are listed, so that each can be asked for. */
static bool is_listed(const struct rd_input_set *set)
{
    return set->count <= RD_INPUT_SET_MAX;
}

/* actual = expected - lost + extra, of each input that any of them lists; what is lost was to be there. */
static bool adds_up(const struct rd_evidence *e, size_t index)
{
    int64_t expected = rd_input_set_times(&e->expected, index),
            lost = rd_input_set_times(&e->lost, index);
    int64_t extra = rd_input_set_times(&e->extra, index);
    return rd_input_set_times(&e->actual, index) == expected - lost + extra && lost >= 0 &&
           extra >= 0;
}

static bool all_add_up(const struct rd_evidence *e)
{
    const struct rd_input_set *sets[] = {&e->expected, &e->actual, &e->lost, &e->extra};
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++)
        for (size_t k = 0; k < sets[s]->count; k++)
            if (!adds_up(e, sets[s]->index[k]))
                return false;
    return true;
}

static bool agrees(const struct rd_replayer *replayer, const struct rd_trace_result *said)
{
    const struct rd_evidence *e = &said->evidence;
    const struct rd_violation *violation = &said->violation;
    struct rd_input_set expected = {0};
    size_t n = replayer->run.n_a;
    if (!said->violated || !rd_witness_can_explain(replayer->program) ||
        e->step != violation->step || e->cell != violation->cell || said->has_actual == e->partial)
        return false;
    rd_witness_expected(replayer->program, &replayer->run.shape, violation, &expected);
    if (!is_same(&expected, &e->expected) || !is_ascending(&e->actual, n) ||
        !is_ascending(&e->lost, n) || !is_ascending(&e->extra, n))
        return false;
    bool listed = is_listed(&e->expected) && is_listed(&e->actual) && is_listed(&e->lost) &&
                  is_listed(&e->extra);
    return e->partial || !listed || all_add_up(e);
}

void rd_replay_check_evidence(struct rd_replayer *replayer, const struct rd_trace_result *said)
{
    if (said->has_evidence && !replayer->contradicted && rd_replay_can_assert(replayer) &&
        !agrees(replayer, said))
        rd_replay_contradict(replayer, "the 'evidence' is not of the violated cell, or its sets do "
                                       "not agree with the invariant or with each other");
}
