// SPDX-License-Identifier: MIT
#include "device/sim/object.h"
#include "device/sim/engine/detector.h"
#include "device/sim/engine/engine.h"
#include "device/sim/memory/memory.h"
#include "device/sim/source/sites.h"
#include "device/sim/engine/engine_internal.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Costs, roughly: a process; and a page of memory or shadow, which is entered in the tables
 * of each process, and copied where it is written to. A launch is looked at when it has run for a
 * while. */
enum { PROCESS_NS = 1000000, PAGE_NS = 4000, LOOK_NS = 2000000 };
enum { PAGE = 4096, SHADOW_PER_BYTE = 2 };

/* Results that a process for a part hands over. */
struct part {
    bool done;
    struct rd_sim_jobs_result result;
    uint64_t n_epochs;
    unsigned n_sites;
    bool grid_race; /* blocks race */
};

struct launch {
    const struct rd_sim_grid *grid;
    unsigned n;
    uint64_t first, end; /* blocks */
    struct rd_sim_touched touched;
    struct shared {
        atomic_bool in_vain;
        struct part parts[];
    } * shared;
    char *handed;                                 /* to the detectors, of each part */
    volatile pid_t processes[RD_LAUNCH_JOBS_MAX]; /* 0: none, or gone */
    int printed[RD_LAUNCH_JOBS_MAX];              /* what each prints; -1: none */
};

struct rd_sim_jobs_state {
    int64_t began_ns;
    bool depends; /* see rd_sim_jobs_depend */
    struct launch launch;
    /* In a process for a part: */
    uint64_t part_first; /* the part's first block */
    bool grid_race;
    void (*told_to)(const struct rd_sim_event *event);
};

/* ---- a process for a part ---- */

/* These end the process on the stack of a simulated thread, which the address sanitizer's clearing of
 * the stack, before a call that does not return, does not know. */
#define ON_ANY_STACK __attribute__((no_sanitize("address")))

ON_ANY_STACK static _Noreturn void give_up(void)
{
    rd_sim_here->jobs->launch.shared->in_vain = true;
    _exit(1);
}

ON_ANY_STACK void rd_sim_jobs_depend(void)
{
    if (rd_sim_here->core.is_part)
        give_up();
    rd_sim_here->jobs->depends = true;
}

ON_ANY_STACK void rd_sim_jobs_poll(void)
{
    if (rd_sim_here->core.is_part && rd_sim_here->jobs->launch.shared->in_vain)
        _exit(1);
}

ON_ANY_STACK static void on_event(const struct rd_sim_event *event)
{
    struct rd_sim_jobs_state *own = rd_sim_here->jobs;
    switch (event->hazard) {
    case RD_HAZARD_OUT_OF_BOUNDS:  /* what is not in an array has no record of who has touched it */
    case RD_HAZARD_NO_TERMINATION: /* perhaps it waits for another block */
    case RD_HAZARD_LEAK:
        give_up();
    case RD_HAZARD_RACE:
        /* Blocks that ran before the parts are known to be others, and no more. */
        if (!event->other.block_known || event->other.block < own->part_first ||
            !rd_sim_touched_race(&own->launch.touched, event->address, event->size_bytes))
            give_up();
        own->grid_race = own->grid_race || event->other.block != event->actor.block;
        break;
    default:
        break;
    }
    own->told_to(event);
}

/* A process that has crashed gives up, for the sequential run to tell of it. */
ON_ANY_STACK static void on_signal(int number)
{
    (void)number;
    give_up();
}

/* Prepares a child process, which must not outlive the one that waits for it. */
static void set_up(unsigned k, pid_t parent)
{
    struct rd_sim_jobs_state *own = rd_sim_here->jobs;
    struct sigaction action;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    for (int number = 1; number < NSIG; number++)
        if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN &&
            action.sa_handler != SIG_DFL) {
            action = (struct sigaction){.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
            sigaction(number, &action, NULL);
        }
    if (dup2(own->launch.printed[k], STDOUT_FILENO) < 0)
        give_up();
    rd_sim_here->core.is_part = true;
    own->told_to = rd_sim_here->core.on_event;
    rd_sim_here->core.on_event = on_event;
}

static uint64_t first_block(unsigned k)
{
    struct rd_sim_jobs_state *own = rd_sim_here->jobs;
    uint64_t n = own->launch.end - own->launch.first;
    return own->launch.first + n / own->launch.n * k +
           (k < n % own->launch.n ? k : n % own->launch.n);
}

/* So many bytes are handed over by a part. */
static size_t handed_bytes(void)
{
    size_t bytes = 0;
    RD_SIM_EACH_DETECTOR
    bytes += detector->part_bytes;
    return bytes;
}

static bool give(char *handed)
{
    RD_SIM_EACH_DETECTOR
    {
        if (detector->part_give && !detector->part_give(handed))
            return false;
        handed += detector->part_bytes;
    }
    return true;
}

static _Noreturn void run_part(unsigned k, pid_t parent)
{
    struct rd_sim_jobs_state *own = rd_sim_here->jobs;
    struct part *part = &own->launch.shared->parts[k];
    uint64_t threads_run = rd_sim_threads_run(), epochs = rd_sim_epochs_given();
    set_up(k, parent);
    RD_SIM_TELL(part_begin);
    rd_sim_here->core.printed = (struct rd_sim_printed){0, 0};
    own->grid_race = false;
    own->part_first = first_block(k);
    if (!rd_sim_run_part(own->part_first, first_block(k + 1)) || fflush(stdout) != 0)
        give_up();
    if (!give(own->launch.handed + k * handed_bytes()) ||
        !rd_sim_touched_share(&own->launch.touched))
        give_up();
    part->result.threads_run = rd_sim_threads_run() - threads_run;
    part->result.trapped = rd_sim_here->block.trapped;
    part->result.took_mask = rd_sim_here->core.took_mask;
    part->result.took_clock = rd_sim_here->core.took_clock;
    part->result.communicates = rd_sim_here->core.communicates;
    part->result.printed = rd_sim_here->core.printed;
    part->result.outdated = rd_sim_here->core.outdated;
    part->result.untold_pc = rd_sim_here->core.untold_pc;
    part->n_epochs = rd_sim_epochs_given() - epochs;
    part->n_sites = rd_sim_sites_count();
    part->grid_race = own->grid_race;
    part->done = true;
    _exit(0);
}

/* ---- all of them ---- */

static void *share(size_t size_bytes)
{
    void *shared = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return shared == MAP_FAILED ? NULL : shared;
}

static bool init(const struct rd_sim_grid *grid, unsigned n, uint64_t first, uint64_t end)
{
    struct rd_sim_jobs_state *own = rd_sim_here->jobs;
    size_t size_bytes = sizeof *own->launch.shared + n * sizeof *own->launch.shared->parts;
    own->launch = (struct launch){.grid = grid, .n = n, .first = first, .end = end};
    for (unsigned k = 0; k < n; k++)
        own->launch.printed[k] = -1;
    own->launch.shared = share(size_bytes);
    own->launch.handed = share(n * handed_bytes());
    if (!own->launch.shared || !own->launch.handed)
        return false;
    for (unsigned k = 0; k < n; k++)
        if ((own->launch.printed[k] = memfd_create("printed", MFD_CLOEXEC)) < 0)
            return false;
    return rd_sim_touched_init(&own->launch.touched);
}

static void finish(void)
{
    struct rd_sim_jobs_state *own = rd_sim_here->jobs;
    size_t size_bytes =
        sizeof *own->launch.shared + own->launch.n * sizeof *own->launch.shared->parts;
    rd_sim_touched_finish(&own->launch.touched);
    for (unsigned k = 0; k < own->launch.n; k++)
        if (own->launch.printed[k] >= 0)
            close(own->launch.printed[k]);
    void *shared = own->launch.shared;
    own->launch.shared = NULL;
    if (shared)
        munmap(shared, size_bytes);
    if (own->launch.handed)
        munmap(own->launch.handed, own->launch.n * handed_bytes());
}

static bool start(void)
{
    struct rd_sim_jobs_state *own = rd_sim_here->jobs;
    pid_t parent = getpid();
    fflush(NULL); /* else each of them would print it again */
    for (unsigned k = 0; k < own->launch.n; k++) {
        pid_t process = fork();
        if (process == 0)
            run_part(k, parent);
        if (process < 0)
            return false;
        own->launch.processes[k] = process;
    }
    return true;
}

static void end_all(void)
{
    struct rd_sim_jobs_state *own = rd_sim_here->jobs;
    for (unsigned k = 0; k < own->launch.n; k++)
        if (own->launch.processes[k])
            kill(own->launch.processes[k], SIGKILL);
}

bool rd_sim_jobs_stop(void)
{
    struct rd_sim_jobs_state *own = rd_sim_here->jobs;
    if (!own->launch.shared)
        return false;
    own->launch.shared->in_vain = true;
    end_all();
    return true;
}

/* Tells whether all have come to their end; ends the others where one has not. */
static bool wait_for_all(bool good)
{
    struct rd_sim_jobs_state *own = rd_sim_here->jobs;
    for (unsigned k = 0; k < own->launch.n; k++) {
        pid_t process = own->launch.processes[k];
        if (!good || own->launch.shared->in_vain)
            end_all();
        if (!process)
            continue;
        while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {
        }
        own->launch.processes[k] = 0;
        good = good && own->launch.shared->parts[k].done;
    }
    return good && !own->launch.shared->in_vain;
}

void rd_sim_jobs_visit(void (*visit)(unsigned *epoch))
{
    rd_sim_epochs_visit_floor(&rd_sim_here->jobs->launch.touched.floor, visit);
}

/* A sequential run has one supply of numbers for places and for epochs. Once it is used up, it names no
 * more places; and where numbers are given anew and most of them are those of blocks, it forgets which
 * blocks have touched what, so that races between them are lost. What the parts have found must be what
 * it would have found. */
static bool are_numbers_enough(void)
{
    struct rd_sim_jobs_state *own = rd_sim_here->jobs;
    uint64_t n_sites = rd_sim_sites_count(), n_epochs = rd_sim_here->core.epoch;
    bool grid_race = false;
    for (unsigned k = 0; k < own->launch.n; k++) {
        const struct part *part = &own->launch.shared->parts[k];
        n_sites += part->n_sites - rd_sim_sites_count();
        n_epochs += part->n_epochs;
        grid_race = grid_race || part->grid_race;
    }
    return n_sites < (1u << RD_SITE_BITS) && !(grid_race && n_epochs > RD_EPOCH_MAX / 2);
}

static void print(int file)
{
    char text[1 << 14];
    ssize_t n;
    off_t at = 0;
    while ((n = pread(file, text, sizeof text, at)) > 0) {
        fwrite(text, 1, (size_t)n, stdout);
        at += n;
    }
}

static struct rd_sim_jobs_result take(void)
{
    struct rd_sim_jobs_state *own = rd_sim_here->jobs;
    struct rd_sim_jobs_result result = {0};
    rd_sim_touched_take(&own->launch.touched);
    for (unsigned k = 0; k < own->launch.n; k++) {
        const struct part *part = &own->launch.shared->parts[k];
        const char *handed = own->launch.handed + k * handed_bytes();
        RD_SIM_EACH_DETECTOR
        {
            if (detector->part_take)
                detector->part_take(handed);
            handed += detector->part_bytes;
        }
        print(own->launch.printed[k]);
        result.threads_run += part->result.threads_run;
        result.trapped = result.trapped || part->result.trapped;
        result.took_mask = result.took_mask || part->result.took_mask;
        result.took_clock = result.took_clock || part->result.took_clock;
        result.communicates = result.communicates || part->result.communicates;
        result.printed.n += part->result.printed.n;
        result.printed.sum += part->result.printed.sum;
        rd_sim_outdated_add(&result.outdated, &part->result.outdated);
        result.untold_pc = result.untold_pc ? result.untold_pc : part->result.untold_pc;
    }
    return result;
}

/* ---- whether it is worth its while ---- */

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void rd_sim_jobs_begin(const struct rd_sim_grid *grid)
{
    struct rd_sim_jobs_state *own = rd_sim_here->jobs;
    own->depends = false;
    rd_sim_here->core.jobs_next = UINT64_MAX;
    /* Observers observe one process; the heap is not looked through; parts are in ascending order. */
    if (grid->block_over || rd_sim_here->core.on_access || rd_sim_heap_used() > 0 || grid->exact ||
        grid->schedule.order != RD_ORDER_ASCENDING)
        return;
    if (grid->jobs == RD_LAUNCH_JOBS_AUTO) {
        own->began_ns = now_ns();
        rd_sim_here->core.jobs_next = grid->first_block + 1;
    } else if (grid->jobs > 1) {
        rd_sim_here->core.jobs_next = grid->first_block;
    }
}

static bool add_pages(void *self, uintptr_t base, size_t size_bytes, uint64_t *shadow)
{
    int64_t *pages = self;
    (void)base, (void)shadow;
    *pages += (int64_t)(size_bytes / PAGE * (1 + SHADOW_PER_BYTE));
    return true;
}

/* The processes to run the blocks from this one on; 0 or 1: none. */
static uint64_t count_jobs(const struct rd_sim_grid *grid, uint64_t first, uint64_t end)
{
    struct rd_sim_jobs_state *own = rd_sim_here->jobs;
    int64_t spent_ns = now_ns() - own->began_ns, rest_ns, pages = 0, n;
    cpu_set_t cores;
    if (own->depends)
        return 0;
    if (grid->jobs != RD_LAUNCH_JOBS_AUTO)
        return grid->jobs;
    if (spent_ns < LOOK_NS) {
        rd_sim_here->core.jobs_next = first + 1;
        return 0;
    }
    if (sched_getaffinity(0, sizeof cores, &cores) != 0)
        return 0;
    n = CPU_COUNT(&cores);
    n = (uint64_t)n < end - first ? n : (int64_t)(end - first);
    rest_ns =
        (int64_t)((double)spent_ns / (double)(first - grid->first_block) * (double)(end - first));
    rd_sim_memory_regions(add_pages, &pages);
    return rest_ns - rest_ns / n > n * PROCESS_NS + pages * PAGE_NS ? (uint64_t)n : 0;
}

bool rd_sim_jobs_run(const struct rd_sim_grid *grid, uint64_t end,
                     struct rd_sim_jobs_result *result)
{
    uint64_t first = rd_sim_here->core.block;
    rd_sim_here->core.jobs_next = UINT64_MAX;
    uint64_t n = count_jobs(grid, first, end);
    n = n < end - first ? n : end - first;
    n = n < RD_LAUNCH_JOBS_MAX ? n : RD_LAUNCH_JOBS_MAX;
    if (n < 2)
        return false;
    bool good = init(grid, (unsigned)n, first, end);
    if (good)
        good = wait_for_all(start());
    if (good && (good = are_numbers_enough()))
        *result = take();
    finish();
    return good;
}

const struct rd_sim_part rd_sim_part_jobs = {
    .size_bytes = sizeof(struct rd_sim_jobs_state),
    .at = offsetof(struct rd_sim, jobs),
};
