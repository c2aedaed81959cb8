// SPDX-License-Identifier: MIT
/* The program that this process runs. */
#include "device/sim/runtime/streams.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const struct rd_file_program *running;
static struct rd_sim *simulator; /* the program's */

/* ---- threads of the host's ---- */

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static _Thread_local struct rd_sim
    *outside; /* what the thread has while it does nothing with the simulator */
static _Thread_local unsigned depth;

void rd_sim_runtime_enter(void)
{
    pthread_mutex_lock(&lock);
    if (depth++ > 0)
        return;
    outside = rd_sim_here;
    if (simulator) /* none where a kernel runs without a program */
        rd_sim_here = simulator;
}

void rd_sim_runtime_leave(void)
{
    if (--depth == 0)
        rd_sim_here = outside;
    pthread_mutex_unlock(&lock);
}

bool rd_sim_runtime_is_inside(void)
{
    return depth > 0;
}

/* Makes the state that hooks in a thread of the host's look at while no kernel runs. */
struct rd_sim *rd_sim_runtime_thread(void)
{
    struct rd_sim *own = calloc(1, sizeof *own);
    if (!own)
        return NULL;
    own->core = (struct rd_sim_core){
        .on_host_access = simulator->core.on_host_access,
        .host_seen = simulator->core.host_seen,
        .on_host_allocated = simulator->core.on_host_allocated,
        .on_host_freed = simulator->core.on_host_freed,
        .budget = 1,
    };
    return own;
}

static _Thread_local const void *context_now;

void rd_sim_memory_context_set(const void *context)
{
    context_now = context;
}

const void *rd_sim_memory_context(void)
{
    return context_now;
}

const struct rd_file_program *rd_sim_runtime_program(void)
{
    return running;
}

void rd_sim_runtime_set(const struct rd_file_program *program)
{
    running = program;
    simulator = rd_sim_here;
}

void rd_sim_runtime_lacks(const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    running->on_lack(running->how.self, text);
}
