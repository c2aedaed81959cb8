// SPDX-License-Identifier: MIT
/* Clocks of operations, and the host's threads. Each stream, and each node of an executable graph, is a queue. Operations that a
 * thread of the host puts into a queue are a lane, on which they have numbers; a clock says for each lane up to which number its
 * operations have come to their end. (Lamport, CACM 21, 1978; Mattern, 1989.)
 *
 * Threads of the host come in one order in a run, and in another in the next. What orders them for certain is that one makes
 * another and waits for its end. A clock therefore has two numbers a lane: up to which the operations have ended in this order of
 * threads, and up to which they have in each order.
 *
 * A thread is a row of segments: one ends where it makes a thread, and both go on with a segment that knows the one before. So a
 * segment knows all of another one, or nothing for certain; a lane is a segment's in one queue. */
#ifndef RD_SIM_RUNTIME_MOMENTS_H
#define RD_SIM_RUNTIME_MOMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Begins as {0}. Lanes behind its last are at 0. */
struct rd_sim_moments {
    struct rd_sim_moment {
        uint64_t here, always; /* in this order of the host's threads, and in each */
    } * at;
    unsigned n;
};
enum { RD_SIM_HERE = 1, RD_SIM_ALWAYS = 2, RD_SIM_BOTH = 3 };

/* *to is behind *from from now on: here, always, or both. */
void rd_sim_moments_join(struct rd_sim_moments *to, const struct rd_sim_moments *from,
                         unsigned which);
/* The same of one operation. */
void rd_sim_moments_add(struct rd_sim_moments *to, unsigned lane, uint64_t number);
void rd_sim_moments_finish(struct rd_sim_moments *moments);
static inline bool rd_sim_moments_are_behind(const struct rd_sim_moments *moments, unsigned lane,
                                             uint64_t number)
{
    return lane < moments->n && moments->at[lane].here >= number;
}
static inline bool rd_sim_moments_are_always_behind(const struct rd_sim_moments *moments,
                                                    unsigned lane, uint64_t number)
{
    return lane < moments->n && moments->at[lane].always >= number;
}

/* ---- queues ---- */

/* What one segment has put into a queue: its moments are behind its last operation. */
struct rd_sim_track {
    unsigned segment, lane;
    struct rd_sim_moments moments;
};
/* Begins as {0}. */
struct rd_sim_queue {
    struct rd_sim_track *all;
    size_t n, capacity;
    unsigned number; /* unlike that of any other; 0: nothing has been put into it */
};

/* The calling thread's. It is valid until the next call for this queue. */
struct rd_sim_track *rd_sim_queue_own(struct rd_sim_queue *queue);
/* *to is behind all that is in the queue: always, as far as the calling thread knows that it has been put there. */
void rd_sim_queue_join(struct rd_sim_moments *to, const struct rd_sim_queue *queue);
/* The same of one segment's moments. */
void rd_sim_segment_join(struct rd_sim_moments *to, unsigned segment,
                         const struct rd_sim_moments *moments);
void rd_sim_queue_finish(struct rd_sim_queue *queue);

/* ---- threads of the host ---- */

struct rd_sim_host_thread;

/* The calling thread's segment. */
unsigned rd_sim_host_segment(void);
bool rd_sim_host_knows_segment(unsigned segment);
/* What the calling thread has waited for, in each order of threads. */
struct rd_sim_moments *rd_sim_host_awaited(void);
/* Tells whether all threads that run know that the operation, one of this segment, has come to its end; of lane NO_LANE, that it was
 * issued. */
#define RD_SIM_NO_LANE UINT32_MAX
bool rd_sim_host_all_await(unsigned segment, unsigned lane, uint64_t number);
bool rd_sim_host_has_several(void); /* threads that run */

/* The calling thread makes a thread: what that is to begin with; NULL without memory. */
struct rd_sim_host_thread *rd_sim_host_fork(void);
/* In the new thread, first and last: it need not say that it ends. */
void rd_sim_host_begin(struct rd_sim_host_thread *made);
void rd_sim_host_end(void);
/* The calling thread has waited for the end of that one, which it gives back. */
void rd_sim_host_join(struct rd_sim_host_thread *ended);

/* A team of threads that goes through a parallel region, as OpenMP's: the calling thread makes it (NULL without memory); each
 * member, the maker among them, enters and leaves it; at the end the maker is behind all of them, and the team is gone. */
struct rd_sim_host_team;
struct rd_sim_host_team *rd_sim_host_team_fork(void);
void rd_sim_host_team_enter(struct rd_sim_host_team *team);
void rd_sim_host_team_leave(struct rd_sim_host_team *team);
void rd_sim_host_team_join(struct rd_sim_host_team *team);

#endif
