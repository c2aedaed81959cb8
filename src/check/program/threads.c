// SPDX-License-Identifier: MIT
/* Threads that the host code of a program makes: each needs what the simulator's hooks look at. They are made by the C++
 * library, too, whose calls come here, as this program's functions come first. One that waits for another's end is behind what
 * that has done. */
#include "check/program/program.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

static struct rd_device *of;

void rd_check_program_threads(struct rd_device *device)
{
    of = device;
}

/* A thread that has been made, and that nobody has waited for. */
struct thread {
    struct thread *next;
    void *(*run)(void *argument);
    void *argument;
    void *made; /* what the device knows of it */
    pthread_t id;
};
static struct thread *threads;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Also where the thread leaves by pthread_exit(), or is cancelled. */
static void end(void *unused)
{
    (void)unused;
    of->ops->files->end_thread(of);
}

static void *run(void *argument)
{
    struct thread *self = argument;
    const struct thread start = *self;
    pthread_mutex_lock(&lock);
    self->id = pthread_self();
    self->next = threads;
    threads = self;
    pthread_mutex_unlock(&lock);
    of->ops->files->begin_thread(of, start.made);
    void *result;
    pthread_cleanup_push(end, NULL);
    result = start.run(start.argument);
    pthread_cleanup_pop(true);
    return result;
}

/* What the device knows of the thread; NULL: nothing. The last one of this name: those before it were detached. */
static void *take(pthread_t id)
{
    void *made = NULL;
    pthread_mutex_lock(&lock);
    for (struct thread **place = &threads; *place; place = &(*place)->next)
        if (pthread_equal((*place)->id, id)) {
            struct thread *found = *place;
            *place = found->next;
            made = found->made;
            free(found);
            break;
        }
    pthread_mutex_unlock(&lock);
    return made;
}

__attribute__((visibility("default"))) int pthread_create(pthread_t *thread,
                                                          const pthread_attr_t *attributes,
                                                          void *(*function)(void *), void *argument)
{
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    if (!real)
        return EAGAIN;
    if (!of)
        return real(thread, attributes, function, argument);
    struct thread *start = malloc(sizeof *start);
    if (!start)
        return EAGAIN;
    *start = (struct thread){
        .run = function, .argument = argument, .made = of->ops->files->fork_thread(of)};
    /* What the time limit ends is told by the thread that runs main(): the others leave its signal to that one. */
    sigset_t alarm, before;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarm, &before);
    int failed = real(thread, attributes, run, start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed) {
        if (start->made)
            of->ops->files->join_thread(of, start->made); /* it has done nothing */
        free(start);
    }
    return failed;
}

/* Takes note that the thread has ended, for the one that has waited for it. */
static int joined(int failed, pthread_t thread)
{
    void *made = of && !failed ? take(thread) : NULL;
    if (made)
        of->ops->files->join_thread(of, made);
    return failed;
}

#define RD_JOIN(name, parameters, names)                                                           \
    __attribute__((visibility("default"))) int name(pthread_t thread,                              \
                                                    void **result RD_MORE parameters)              \
    {                                                                                              \
        static int (*real)(pthread_t, void **RD_MORE parameters);                                  \
        if (!real)                                                                                 \
            *(void **)&real = dlsym(RTLD_NEXT, #name);                                             \
        return real ? joined(real(thread, result RD_MORE names), thread) : EINVAL;                 \
    }
#define RD_MORE(...)
RD_JOIN(pthread_join, (), ())
RD_JOIN(pthread_tryjoin_np, (), ())
#undef RD_MORE
#define RD_MORE(...) , __VA_ARGS__
RD_JOIN(pthread_timedjoin_np, (const struct timespec *until), (until))
RD_JOIN(pthread_clockjoin_np, (clockid_t clock, const struct timespec *until), (clock, until))
#undef RD_MORE

/* ---- parallel regions of OpenMP, as GCC compiles them ---- */

struct region {
    void (*run)(void *argument);
    void *argument, *team;
};

static void run_share(void *self)
{
    const struct region *region = self;
    of->ops->files->enter_team(of, region->team);
    region->run(region->argument);
    of->ops->files->leave_team(of, region->team);
}

/* Each of these functions has the region, its argument and the number of threads first; NAMES are those of the others. */
#define RD_PARALLEL(name, parameters, names)                                                       \
    __attribute__((visibility("default"))) void name(void (*share)(void *), void *argument,        \
                                                     unsigned n_threads RD_MORE parameters);       \
    void name(void (*share)(void *), void *argument, unsigned n_threads RD_MORE parameters)        \
    {                                                                                              \
        static void (*real)(void (*)(void *), void *, unsigned RD_MORE parameters);                \
        if (!real)                                                                                 \
            *(void **)&real = dlsym(RTLD_NEXT, #name);                                             \
        struct region region = {share, argument, of ? of->ops->files->fork_team(of) : NULL};       \
        if (region.team) {                                                                         \
            real(run_share, &region, n_threads RD_MORE names);                                     \
            of->ops->files->join_team(of, region.team);                                            \
        } else {                                                                                   \
            real(share, argument, n_threads RD_MORE names);                                        \
        }                                                                                          \
    }
#define RD_MORE(...) , __VA_ARGS__
RD_PARALLEL(GOMP_parallel, (unsigned flags), (flags))
RD_PARALLEL(GOMP_parallel_sections, (unsigned count, unsigned flags), (count, flags))
#define RD_PARALLEL_LOOP(name)                                                                     \
    RD_PARALLEL(name, (long start, long end, long step, long chunk, unsigned flags),               \
                (start, end, step, chunk, flags))
RD_PARALLEL_LOOP(GOMP_parallel_loop_dynamic)
RD_PARALLEL_LOOP(GOMP_parallel_loop_guided)
RD_PARALLEL_LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
RD_PARALLEL_LOOP(GOMP_parallel_loop_nonmonotonic_guided)
