// SPDX-License-Identifier: MIT
#include "device/sim/runtime/moments.h"
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

/* ---- clocks ---- */

static bool make_room(struct rd_sim_moments *moments, unsigned n)
{
    if (n <= moments->n)
        return true;
    struct rd_sim_moment *grown = realloc(moments->at, n * sizeof *grown);
    if (!grown)
        return false;
    memset(grown + moments->n, 0, (n - moments->n) * sizeof *grown);
    moments->at = grown;
    moments->n = n;
    return true;
}

static void raise_to(uint64_t *to, uint64_t number)
{
    if (*to < number)
        *to = number;
}

void rd_sim_moments_join(struct rd_sim_moments *to, const struct rd_sim_moments *from,
                         unsigned which)
{
    if (!make_room(to, from->n))
        return;
    for (unsigned k = 0; k < from->n; k++) {
        if (which & RD_SIM_HERE)
            raise_to(&to->at[k].here, from->at[k].here);
        if (which & RD_SIM_ALWAYS)
            raise_to(&to->at[k].always, from->at[k].always);
    }
}

void rd_sim_moments_add(struct rd_sim_moments *to, unsigned lane, uint64_t number)
{
    if (!make_room(to, lane + 1))
        return;
    raise_to(&to->at[lane].here, number);
    raise_to(&to->at[lane].always, number);
}

void rd_sim_moments_finish(struct rd_sim_moments *moments)
{
    free(moments->at);
    *moments = (struct rd_sim_moments){0};
}

/* ---- threads of the host ---- */

struct rd_sim_host_thread {
    struct rd_sim_host_thread *next;
    unsigned segment;
    bool is_over;
    struct rd_sim_host_thread *outer; /* what the thread is outside of its team */
    uint64_t *known;                  /* a bit for each segment that it knows */
    size_t n_words;
    struct rd_sim_moments awaited;
};

/* Those that nobody has waited for. */
static struct rd_sim_host_thread *threads;
static unsigned n_segments;
static _Thread_local struct rd_sim_host_thread *own;

static bool knows(const struct rd_sim_host_thread *thread, unsigned segment)
{
    return thread->segment == segment || (segment / 64 < thread->n_words &&
                                          (thread->known[segment / 64] >> segment % 64 & 1) != 0);
}

/* Without memory it knows less than it could, which is then said. */
static bool make_words(struct rd_sim_host_thread *thread, size_t n)
{
    if (n <= thread->n_words)
        return true;
    uint64_t *grown = realloc(thread->known, n * sizeof *grown);
    if (!grown)
        return false;
    memset(grown + thread->n_words, 0, (n - thread->n_words) * sizeof *grown);
    thread->known = grown;
    thread->n_words = n;
    return true;
}

static void learn_segment(struct rd_sim_host_thread *thread, unsigned segment)
{
    if (make_words(thread, segment / 64 + 1))
        thread->known[segment / 64] |= 1ULL << segment % 64;
}

/* The one knows what the other does. */
static void learn_all(struct rd_sim_host_thread *to, const struct rd_sim_host_thread *from)
{
    learn_segment(to, from->segment);
    for (size_t k = 0; k < from->n_words && make_words(to, from->n_words); k++)
        to->known[k] |= from->known[k];
    rd_sim_moments_join(&to->awaited, &from->awaited, RD_SIM_BOTH);
}

static struct rd_sim_host_thread *thread_new(void)
{
    struct rd_sim_host_thread *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->segment = n_segments++;
    made->next = threads;
    threads = made;
    return made;
}

/* The calling thread. One that nobody was seen to make knows nothing. */
static struct rd_sim_host_thread *self(void)
{
    static struct rd_sim_host_thread unknown = {.segment = UINT32_MAX};
    if (!own)
        own = thread_new();
    return own ? own : &unknown;
}

unsigned rd_sim_host_segment(void)
{
    return self()->segment;
}

bool rd_sim_host_knows_segment(unsigned segment)
{
    return knows(self(), segment);
}

struct rd_sim_moments *rd_sim_host_awaited(void)
{
    return &self()->awaited;
}

bool rd_sim_host_all_await(unsigned segment, unsigned lane, uint64_t number)
{
    for (const struct rd_sim_host_thread *thread = threads; thread; thread = thread->next)
        if (!thread->is_over && (!knows(thread, segment) ||
                                 (lane != RD_SIM_NO_LANE && !rd_sim_moments_are_always_behind(
                                                                &thread->awaited, lane, number))))
            return false;
    return true;
}

bool rd_sim_host_has_several(void)
{
    unsigned n = 0;
    for (const struct rd_sim_host_thread *thread = threads; thread; thread = thread->next)
        n += !thread->is_over;
    return n > 1;
}

static struct rd_sim_host_thread *fork_from(struct rd_sim_host_thread *maker)
{
    struct rd_sim_host_thread *made = thread_new();
    if (!made)
        return NULL;
    learn_all(made, maker);
    learn_segment(maker, maker->segment);
    maker->segment = n_segments++;
    return made;
}

struct rd_sim_host_thread *rd_sim_host_fork(void)
{
    return fork_from(self());
}

void rd_sim_host_begin(struct rd_sim_host_thread *made)
{
    own = made;
}

void rd_sim_host_end(void)
{
    if (own)
        own->is_over = true;
}

static void forget(struct rd_sim_host_thread *ended)
{
    struct rd_sim_host_thread **place = &threads;
    while (*place && *place != ended)
        place = &(*place)->next;
    if (*place)
        *place = ended->next;
    rd_sim_moments_finish(&ended->awaited);
    free(ended->known);
    free(ended);
}

void rd_sim_host_join(struct rd_sim_host_thread *ended)
{
    learn_all(self(), ended);
    forget(ended);
}

/* ---- teams ---- */

struct rd_sim_host_team {
    struct rd_sim_host_thread *maker, *start,
        *end; /* what each member begins with, and what all have done */
};

struct rd_sim_host_team *rd_sim_host_team_fork(void)
{
    struct rd_sim_host_team *team = malloc(sizeof *team);
    if (!team)
        return NULL;
    *team = (struct rd_sim_host_team){self(), rd_sim_host_fork(), thread_new()};
    if (team->end)
        team->end->is_over = true;
    return team;
}

void rd_sim_host_team_enter(struct rd_sim_host_team *team)
{
    struct rd_sim_host_thread *outer = self(),
                              *member = team->start ? fork_from(team->start) : NULL;
    if (!member)
        return;
    if (outer != team->maker)
        outer->is_over = true; /* it does nothing but in teams */
    member->outer = outer;
    own = member;
}

void rd_sim_host_team_leave(struct rd_sim_host_team *team)
{
    struct rd_sim_host_thread *member = self();
    if (!member->outer)
        return;
    own = member->outer;
    if (team->end)
        learn_all(team->end, member);
    forget(member);
}

void rd_sim_host_team_join(struct rd_sim_host_team *team)
{
    if (team->start)
        rd_sim_host_join(team->start);
    if (team->end)
        rd_sim_host_join(team->end);
    free(team);
}

/* Tells whether somebody else knows the segment, or may come to know it without this thread. */
static bool is_known_elsewhere(unsigned segment)
{
    for (const struct rd_sim_host_thread *thread = threads; thread; thread = thread->next)
        if (thread != own && knows(thread, segment))
            return true;
    return false;
}

/* ---- queues ---- */

static unsigned n_lanes, n_queues;

void rd_sim_segment_join(struct rd_sim_moments *to, unsigned segment,
                         const struct rd_sim_moments *moments)
{
    rd_sim_moments_join(to, moments,
                        rd_sim_host_knows_segment(segment) ? RD_SIM_BOTH : RD_SIM_HERE);
}

/* A track of an earlier segment goes on, where nobody else can tell the two apart: else there would be ever more of them. */
struct rd_sim_track *rd_sim_queue_own(struct rd_sim_queue *queue)
{
    static struct rd_sim_track none; /* without memory */
    const unsigned segment = rd_sim_host_segment();
    if (queue->number == 0)
        queue->number = ++n_queues;
    for (size_t k = 0; k < queue->n; k++)
        if (queue->all[k].segment == segment)
            return &queue->all[k];
    for (size_t k = 0; k < queue->n; k++)
        if (rd_sim_host_knows_segment(queue->all[k].segment) &&
            !is_known_elsewhere(queue->all[k].segment)) {
            queue->all[k].segment = segment;
            return &queue->all[k];
        }
    if (!rd_array_make_room(&queue->all, queue->n, &queue->capacity, sizeof *queue->all))
        return &none;
    queue->all[queue->n] = (struct rd_sim_track){.segment = segment, .lane = n_lanes++};
    return &queue->all[queue->n++];
}

void rd_sim_queue_join(struct rd_sim_moments *to, const struct rd_sim_queue *queue)
{
    for (size_t k = 0; k < queue->n; k++)
        rd_sim_segment_join(to, queue->all[k].segment, &queue->all[k].moments);
}

void rd_sim_queue_finish(struct rd_sim_queue *queue)
{
    for (size_t k = 0; k < queue->n; k++)
        rd_sim_moments_finish(&queue->all[k].moments);
    free(queue->all);
    *queue = (struct rd_sim_queue){0};
}
