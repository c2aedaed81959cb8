// SPDX-License-Identifier: MIT
#include "device/sim/file/file.h"
#include "device/sim/file/launch.h"
#include "device/sim/report/report_internal.h"
#include "device/sim/memory/memory.h"
#include "device/sim/api/hooks.h"
#include "device/sim/engine/engine.h"
#include "device/sim/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* CUDA C++ Programming Guide, "CUDA Dynamic Parallelism": grids launch grids to this depth. */
enum { DEPTH_MAX = 24 };
/* cudaStreamTailLaunch */
#define TAIL_LAUNCH ((const void *)3)

/* A grid that waits for its turn. */
struct child {
    struct child *next;
    const char *kernel; /* the loaded file's */
    struct rd_sim_dim grid, block;
    size_t shared_bytes;
    void (*thread)(void *const *closure);
    void *closure;
    unsigned depth; /* 1: launched by the first grid */
    bool is_last;   /* in the tail of the grid that launched it */
    bool cooperative;
};

/* An allocation that was not freed when its grid ended. */
struct leak {
    struct leak *next;
    struct rd_sim_event event;
    const char *kernel; /* of the grid; NULL: the first */
    struct rd_sim_dim grid, block;
};

static struct {
    const struct rd_file_launch *launch;
    const struct rd_sim_grid *first;
    struct rd_sim_grid grid;         /* that runs */
    const char *kernel;              /* its; NULL: the first */
    bool is_program;                 /* the host's code runs, too */
    unsigned depth;                  /* of it */
    struct child *waiting;           /* in the order in which they are to run, */
    struct child *launched, **place; /* and those that the running grid has launched */
    struct leak *leaks;
    bool has_settled;  /* what was found in the running grid has been told */
    bool has_launched; /* a grid that was launched has ended */
    uint64_t threads;  /* of the grids before, */
    bool communicates; /* and whether some of them have communicated */
} run;

void rd_sim_launches_begin(const struct rd_file_launch *launch, const struct rd_sim_grid *grid)
{
    run.launch = launch;
    run.first = grid;
    run.grid = *grid;
    run.place = &run.launched;
}

void rd_sim_launches_of_program(const struct rd_file_launch *launch)
{
    run.launch = launch;
    run.is_program = true;
    run.has_settled = true;
}

void rd_sim_launches_again(const struct rd_file_launch *launch, const struct rd_sim_grid *grid,
                           const char *kernel)
{
    rd_sim_launches_begin(launch, grid);
    run.kernel = kernel;
    run.depth = 0;
    run.has_settled = run.has_launched = run.communicates = false;
    rd_sim_report_begin(grid->grid, grid->block);
    rd_sim_report_kernel(kernel);
}

const struct rd_sim_grid *rd_sim_launches_grid(void)
{
    return &run.grid;
}

/* ---- launching ---- */

static void tell(enum rd_hazard_kind hazard, const struct rd_sim_launch *launch, const char *text)
{
    rd_sim_here->core.on_event(&(struct rd_sim_event){
        .hazard = hazard,
        .actor = rd_sim_actor_at(launch->file, launch->line),
        .interval = rd_sim_here->core.interval,
        .text = text,
        .launches = true,
    });
}

/* Texts of events must stay: a few are told by many threads. `otherwise`: the text where there is no room. */
static const char *keep_text(const char *text, const char *otherwise)
{
    static struct {
        char *all[64];
        unsigned n;
    } kept;
    for (unsigned k = 0; k < kept.n; k++)
        if (strcmp(kept.all[k], text) == 0)
            return kept.all[k];
    if (kept.n == sizeof kept.all / sizeof *kept.all)
        return otherwise;
    char *copy = strdup(text);
    if (copy)
        kept.all[kept.n++] = copy;
    return copy ? copy : otherwise;
}

/* Tells whether a device would take the launch. */
static bool is_legal(const struct rd_sim_launch *launch)
{
    struct rd_error error;
    const struct rd_index3 grid = {launch->grid[0], launch->grid[1], launch->grid[2]};
    const struct rd_index3 block = {launch->block[0], launch->block[1], launch->block[2]};
    if (run.launch->check_grid(run.launch->self, grid, block, launch->shared_bytes, &error) ==
            RD_OK &&
        run.depth + 1 <= DEPTH_MAX)
        return true;
    if (run.depth + 1 > DEPTH_MAX)
        rd_fail(&error, RD_ERROR_LAUNCH,
                "cudaErrorLaunchMaxDepthExceeded: a grid that is launched by one that is launched "
                "by one, and so on, where the device takes a depth of %d",
                DEPTH_MAX);
    tell(RD_HAZARD_ILLEGAL_LAUNCH, launch,
         keep_text(error.text, "a grid that the device does not take"));
    return false;
}

/* Neither the variables of a thread nor the shared memory of its block are there for another grid, which
 * a device ends there. */
static bool check_pointers(const struct rd_sim_launch *launch)
{
    bool good = true;
    for (unsigned k = 0; k < launch->n_pointers; k++) {
        uintptr_t address = (uintptr_t)launch->pointers[k];
        bool is_shared = address - rd_sim_here->core.shared < rd_sim_here->core.shared_size;
        if (!address || (!is_shared && !rd_sim_is_on_stack(address)))
            continue;
        char text[200];
        snprintf(text, sizeof text, "passes a pointer to %s to %.80s, which can't follow it",
                 is_shared ? "its block's shared memory" : "a variable of its own", launch->kernel);
        tell(RD_HAZARD_OUT_OF_BOUNDS, launch,
             keep_text(text, "passes a pointer that can't follow it to another grid"));
        good = false;
    }
    return good;
}

static _Noreturn void fail(const char *error)
{
    rd_sim_jobs_depend(); /* who runs a part of the blocks tells nothing */
    run.launch->on_stopped(run.launch->self, RD_FILE_FAILED, error, NULL);
    abort();
}

static void *allocate(size_t size_bytes)
{
    void *memory = malloc(size_bytes);
    if (!memory)
        fail("no memory for the grids that the kernel launches");
    return memory;
}

void rd_sim_launches_add(const struct rd_sim_launch *launch)
{
    rd_sim_jobs_depend();
    if (!is_legal(launch) || !check_pointers(launch))
        return;
    struct child *child = allocate(sizeof *child);
    void *closure = allocate(launch->closure_bytes);
    memcpy(closure, launch->closure, launch->closure_bytes);
    *child = (struct child){
        .kernel = launch->kernel,
        .grid = {launch->grid[0], launch->grid[1], launch->grid[2]},
        .block = {launch->block[0], launch->block[1], launch->block[2]},
        .shared_bytes = launch->shared_bytes,
        .thread = launch->thread,
        .closure = closure,
        .depth = run.depth + 1,
        .is_last = launch->stream == TAIL_LAUNCH,
        .cooperative = launch->cooperative,
    };
    *run.place = child;
    run.place = &child->next;
}

RD_HOOK void rd_sim_launch_calls(int begins)
{
    struct rd_sim_block *b = &rd_sim_here->block;
    if (!begins)
        b->user_depth--;
    else if (b->user_depth++ == 0)
        b->user_calls++;
}

RD_HOOK int rd_sim_is_on_device(void)
{
    return rd_sim_is_running();
}

/* The innermost of the calls by which the code at pc is reached that no header of ours makes; 0: there is none, or it is unknown. */
static unsigned users_call(uintptr_t pc)
{
    struct rd_sim_line calls[RD_SIM_CALLS_MAX];
    unsigned n = pc ? rd_sim_source_calls(pc, calls) : 0;
    while (n > 0 && rd_sim_source_is_ours(calls[n - 1].file))
        n--;
    return n;
}

RD_HOOK void rd_sim_unsimulated(const char *what, const char *file, unsigned line, void *pc)
{
    char error[512], place[300];
    const bool is_told = line > 0 && !rd_sim_source_is_ours(file);
    struct rd_sim_site site = {.pc = is_told ? 0 : (uintptr_t)pc, .file = file, .line = line};
    if (!rd_sim_is_running() && !run.is_program)
        return;
    site.call = users_call(site.pc);
    struct rd_sim_line at = rd_sim_site_line(&site);
    if (!at.file[0]) /* without debug information */
        place[0] = '\0';
    else if (strcmp(at.file, rd_sim_file()->source->file) == 0)
        snprintf(place, sizeof place, " (line %u)", at.line);
    else
        snprintf(place, sizeof place, " (%s:%u)", at.file, at.line);
    snprintf(error, sizeof error, "Reductio does not simulate %s%s", what, place);
    fail(error);
}

/* ---- what was found ---- */

void rd_sim_launches_settle(void)
{
    size_t count;
    const struct rd_finding *findings = rd_sim_report_findings(&count);
    if (run.has_settled || !run.launch)
        return;
    run.has_settled = true;
    for (size_t k = 0; findings && k < count; k++)
        run.launch->on_finding(run.launch->self, run.kernel, &findings[k]);
}

bool rd_sim_launches_communicate(void)
{
    return run.communicates || rd_sim_has_communicated() || run.launched || run.waiting ||
           run.has_launched;
}

uint64_t rd_sim_launches_threads(void)
{
    return run.threads + rd_sim_threads_run();
}

bool rd_sim_launches_keep(const struct rd_sim_event *event)
{
    const bool may_be_freed = run.is_program || run.waiting || run.launched;
    struct leak *leak =
        event->hazard == RD_HAZARD_LEAK && may_be_freed ? malloc(sizeof *leak) : NULL;
    if (!leak)
        return false;
    *leak = (struct leak){run.leaks, *event, run.kernel, run.grid.grid, run.grid.block};
    if (run.is_program) { /* by its end, what lay in global memory may be gone */
        leak->event.kept = false;
        leak->event.of_program = true;
    }
    run.leaks = leak;
    return true;
}

/* ---- running ---- */

static void report_of(const char *kernel, struct rd_sim_dim grid, struct rd_sim_dim block)
{
    rd_sim_launches_settle();
    run.has_settled = false;
    run.kernel = kernel;
    rd_sim_report_begin(grid, block);
    rd_sim_report_kernel(kernel);
}

/* Queues the grids that the grid has launched, before all others; those of its tail launch stream last among them. */
static void queue_launched(void)
{
    struct child *heads[2] = {NULL, NULL}, **ends[2] = {&heads[0], &heads[1]};
    *run.place = NULL;
    for (struct child *child = run.launched, *next; child; child = next) {
        next = child->next;
        child->next = NULL;
        *ends[child->is_last] = child;
        ends[child->is_last] = &child->next;
    }
    *ends[1] = run.waiting;
    *ends[0] = heads[1] ? heads[1] : run.waiting;
    run.waiting = heads[0] ? heads[0] : *ends[0];
    run.launched = NULL;
    run.place = &run.launched;
}

static enum rd_sim_ending run_child(const struct child *child)
{
    void *const *closure = child->closure;
    report_of(child->kernel, child->grid, child->block);
    run.depth = child->depth;
    run.threads += rd_sim_threads_run();
    rd_sim_file_set_shared(child->shared_bytes);
    run.grid = *run.first;
    run.grid.thread = child->thread;
    run.grid.arguments = closure;
    run.grid.grid = child->grid;
    run.grid.block = child->block;
    run.grid.shared_bytes = child->shared_bytes;
    run.grid.cooperative = child->cooperative;
    run.communicates = rd_sim_launches_communicate();
    enum rd_sim_ending ending = rd_sim_run_grid(&run.grid);
    run.has_launched = true;
    run.launch->on_grid_ended(run.launch->self, child->kernel, rd_sim_threads_run());
    return ending;
}

void rd_sim_launches_tell_leaks(void)
{
    for (struct leak *leak = run.leaks, *next; leak; leak = next) {
        bool inside;
        const struct rd_sim_array *array = rd_sim_heap_array(leak->event.address, &inside);
        next = leak->next;
        if (array && !array->freed) {
            report_of(leak->kernel, leak->grid, leak->block);
            rd_sim_report_event(&leak->event);
        }
        free(leak);
    }
    run.leaks = NULL;
    if (run.is_program)
        rd_sim_launches_settle();
}

enum rd_sim_ending rd_sim_launches_run(void)
{
    enum rd_sim_ending ending = RD_SIM_ENDED;
    queue_launched();
    while (run.waiting && ending == RD_SIM_ENDED) {
        struct child *child = run.waiting;
        run.waiting = child->next;
        ending = run_child(child);
        queue_launched();
        free(child->closure);
        free(child);
    }
    if (!run.is_program)
        rd_sim_launches_tell_leaks();
    return ending;
}
