// SPDX-License-Identifier: MIT
/* Threads that the host code of a program makes: each needs what the simulator's hooks look at. They are made by the C++
 * library, too, whose calls come here, as this program's functions come first. */
#include "check/program.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

static void (*begin)(void);

void rd_check_program_threads(void (*thread_begins)(void))
{
    begin = thread_begins;
}

struct start {
    void *(*run)(void *argument);
    void *argument;
};

static void *run(void *self)
{
    const struct start start = *(struct start *)self;
    free(self);
    begin();
    return start.run(start.argument);
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
    if (!begin)
        return real(thread, attributes, function, argument);
    struct start *start = malloc(sizeof *start);
    if (!start)
        return EAGAIN;
    *start = (struct start){function, argument};
    /* What the time limit ends is told by the thread that runs main(): the others leave its signal to that one. */
    sigset_t alarm, before;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarm, &before);
    int failed = real(thread, attributes, run, start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed)
        free(start);
    return failed;
}
