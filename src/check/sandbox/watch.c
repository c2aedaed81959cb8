// SPDX-License-Identifier: MIT
/* A watch over the processes of a run: their memory and their number, and the machine's memory, which files without a name
 * take, too. No limit of the kernel's does: the simulator maps far more than it uses, and root is bound by none of
 * processes. A thread of this process, so that the run can't reach it. */
#include "check/sandbox/sandbox_internal.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    TICK_NS = 20000000,
    MACHINE_TICKS = 5,
    SHORT_OF_IT = 32 /* a part of the machine's memory */
};

struct watch {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t over;
    bool is_over;
    struct rd_sandbox *box;
    uint64_t memory_bytes, short_bytes; /* limits: of the run; of what the machine has left */
    unsigned n_max;
    pid_t *processes; /* n_max + 2 */
    char text[RD_SANDBOX_TEXT_SIZE];
};

/* ---- what the kernel tells ---- */

/* A line of /proc/meminfo or of a process's, "Name:   12 kB", in bytes; 0 where there is none. */
static uint64_t bytes_in(const char *path, const char *name)
{
    char line[128];
    uint64_t kib = 0;
    size_t length = strlen(name);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, name, length) == 0 && line[length] == ':') {
            kib = strtoull(line + length + 1, NULL, 10);
            break;
        }
    if (file)
        fclose(file);
    return kib << 10;
}

/* The memory that a group of processes has left, as in a container; UINT64_MAX where it has no limit. */
static uint64_t bytes_left_in_group(void)
{
    static const char *const limits[] = {"/sys/fs/cgroup/memory.max",
                                         "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
    uint64_t bytes = UINT64_MAX;
    for (int k = 0; k < 2; k++) {
        char text[32] = "";
        FILE *file = fopen(limits[k], "re");
        if (file && fgets(text, sizeof text, file) && *text >= '0' && *text <= '9')
            bytes = strtoull(text, NULL, 10);
        if (file)
            fclose(file);
    }
    return bytes;
}

struct sum {
    uint64_t n, bytes;
};

static uint64_t resident_bytes(pid_t process)
{
    char path[64];
    unsigned long all = 0, resident = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", process);
    FILE *file = fopen(path, "re");
    if (file && fscanf(file, "%lu %lu", &all, &resident) != 2)
        resident = 0;
    if (file)
        fclose(file);
    return (uint64_t)resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Its part of pages that several have; all that it has where that is not told. */
static uint64_t own_bytes(pid_t process)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", process);
    uint64_t bytes = bytes_in(path, "Pss");
    return bytes ? bytes : resident_bytes(process);
}

/* Processes that are yet to be looked at, and those that were. */
struct list {
    pid_t *processes;
    unsigned n, max;
};

static void put(struct list *list, pid_t process)
{
    if (list->n < list->max)
        list->processes[list->n++] = process;
}

/* Each thread has its own list of what it has forked. */
static void put_children(struct list *list, const char *thread)
{
    int child;
    char path[320];
    snprintf(path, sizeof path, "%s/children", thread);
    FILE *file = fopen(path, "re");
    while (file && fscanf(file, "%d", &child) == 1)
        put(list, child);
    if (file)
        fclose(file);
}

/* Counts the threads of a process, up to a number of them, and lists what they have forked. */
static unsigned count_threads(struct list *list, pid_t process, unsigned n_max)
{
    char path[64], thread[320];
    unsigned n = 0;
    const struct dirent *entry;
    snprintf(path, sizeof path, "/proc/%d/task", process);
    DIR *threads = opendir(path);
    while (threads && n <= n_max && (entry = readdir(threads)))
        if (entry->d_name[0] != '.') {
            n++;
            snprintf(thread, sizeof thread, "%s/%s", path, entry->d_name);
            put_children(list, thread);
        }
    if (threads)
        closedir(threads);
    return n;
}

/* Adds up the worker and the keeper, which has those whose parents have ended, and all that descends from them, until they
 * are too many. */
static struct sum sum_of(struct watch *watch, bool exactly)
{
    struct sum sum = {0};
    struct list list = {.processes = watch->processes, .max = watch->n_max + 2};
    put(&list, watch->box->worker);
    if (watch->box->keeper > 0)
        put(&list, watch->box->keeper);
    for (unsigned k = 0; k < list.n && sum.n <= watch->n_max + 1; k++) {
        sum.n += count_threads(&list, list.processes[k], watch->n_max);
        sum.bytes += exactly ? own_bytes(list.processes[k]) : resident_bytes(list.processes[k]);
    }
    if (watch->box->keeper > 0 && sum.n > 0)
        sum.n--;
    return sum;
}

/* ---- the watch ---- */

static void stop(struct watch *watch)
{
    struct rd_sandbox *box = watch->box;
    box->stopped = watch->text;
    if (box->keeper > 0)
        kill(box->keeper, SIGKILL);
    kill(-box->worker, SIGKILL);
    kill(box->worker, SIGKILL);
}

static void tell_bytes(struct watch *watch, const char *what, uint64_t bytes, const char *then)
{
    snprintf(watch->text, sizeof watch->text, "%s %.*f %s%s", what, bytes < 10ull << 30 ? 1 : 0,
             bytes < 1ull << 30 ? (double)bytes / 0x1p20 : (double)bytes / 0x1p30,
             bytes < 1ull << 30 ? "MiB" : "GiB", then);
}

/* Tells whether it has been stopped. */
static bool look(struct watch *watch, uint64_t tick)
{
    struct sum sum = sum_of(watch, false);
    if (sum.n > watch->n_max) {
        snprintf(watch->text, sizeof watch->text,
                 "it was stopped: it had more than %u processes and threads (--processes)",
                 watch->n_max);
        stop(watch);
        return true;
    }
    if (sum.bytes > watch->memory_bytes) /* shared pages were counted several times */
        sum = sum_of(watch, true);
    if (sum.bytes > watch->memory_bytes) {
        tell_bytes(watch, "it was stopped: it took more than", watch->memory_bytes,
                   " of memory (--memory)");
        stop(watch);
        return true;
    }
    if (tick % MACHINE_TICKS == 0 &&
        bytes_in("/proc/meminfo", "MemAvailable") < watch->short_bytes) {
        tell_bytes(watch, "it was stopped: the machine had less than", watch->short_bytes,
                   " of memory left");
        stop(watch);
        return true;
    }
    return false;
}

static void *run(void *self)
{
    struct watch *watch = self;
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    pthread_mutex_lock(&watch->lock);
    for (uint64_t tick = 1; !watch->is_over; tick++) {
        until.tv_nsec += TICK_NS;
        if (until.tv_nsec >= 1000000000) {
            until.tv_sec++;
            until.tv_nsec -= 1000000000;
        }
        while (!watch->is_over && pthread_cond_timedwait(&watch->over, &watch->lock, &until) == 0) {
        }
        if (watch->is_over || look(watch, tick))
            break;
        clock_gettime(CLOCK_MONOTONIC,
                      &until); /* a look that took long has no others follow at once */
    }
    pthread_mutex_unlock(&watch->lock);
    return NULL;
}

uint64_t rd_sandbox_memory(void)
{
    const uint64_t available = bytes_in("/proc/meminfo", "MemAvailable"),
                   group = bytes_left_in_group(), left = available < group ? available : group;
    return available ? left / 4 * 3 : UINT64_MAX;
}

static void set_limits(struct watch *watch)
{
    const struct rd_sandbox_options *options = watch->box->options;
    const uint64_t available = bytes_in("/proc/meminfo", "MemAvailable");
    watch->memory_bytes = options->memory_bytes ? options->memory_bytes : rd_sandbox_memory();
    watch->short_bytes = bytes_in("/proc/meminfo", "MemTotal") / SHORT_OF_IT;
    if (available / 2 < watch->short_bytes)
        watch->short_bytes = available / 2;
    watch->n_max = options->n_processes ? options->n_processes : RD_SANDBOX_PROCESSES;
}

void rd_sandbox_watch_begin(struct rd_sandbox *box)
{
    sigset_t all, before;
    pthread_condattr_t attributes;
    struct watch *watch = calloc(1, sizeof *watch);
    if (!watch)
        return;
    watch->box = box;
    set_limits(watch);
    watch->processes = malloc(((size_t)watch->n_max + 2) * sizeof *watch->processes);
    if (!watch->processes) {
        free(watch);
        return;
    }
    pthread_mutex_init(&watch->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&watch->over, &attributes);
    pthread_condattr_destroy(&attributes);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* they are for the thread that waits */
    int failed = pthread_create(&watch->thread, NULL, run, watch);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed) {
        free(watch->processes);
        free(watch);
        return;
    }
    box->watch = watch;
}

void rd_sandbox_watch_end(struct rd_sandbox *box)
{
    struct watch *watch = box->watch;
    if (!watch)
        return;
    pthread_mutex_lock(&watch->lock);
    watch->is_over = true;
    pthread_cond_signal(&watch->over);
    pthread_mutex_unlock(&watch->lock);
    pthread_join(watch->thread, NULL);
    if (box->stopped)
        snprintf(box->reason, sizeof box->reason, "%s", watch->text);
    box->stopped = box->stopped ? box->reason : NULL;
    pthread_mutex_destroy(&watch->lock);
    pthread_cond_destroy(&watch->over);
    free(watch->processes);
    free(watch);
    box->watch = NULL;
}

/* ---- what is left ---- */

/* All that descends from the run is in other sessions than this process, and becomes its child when what forked it ends. Returns the
 * number of those that there were. */
static int kill_others(void)
{
    char path[64];
    int child, n = 0;
    const pid_t session = getsid(0);
    snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
    FILE *file = fopen(path, "re");
    while (file && fscanf(file, "%d", &child) == 1)
        if (getsid(child) != session) {
            kill(child, SIGKILL);
            waitpid(child, NULL, WNOHANG);
            n++;
        }
    if (file)
        fclose(file);
    return n;
}

static void rest(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

void rd_sandbox_kill_left(void)
{
    enum { ROUNDS = 20000 };
    for (int round = 0; round < ROUNDS && kill_others() > 0; round++)
        rest();
}

void rd_sandbox_wait_for_all(pid_t keeper)
{
    enum { ROUNDS = 100 };
    for (int round = 0; waitpid(keeper, NULL, WNOHANG) == 0; round++) {
        if (round > ROUNDS) /* it waits for what has become a child of this process */
            kill_others();
        rest();
    }
}
