// SPDX-License-Identifier: MIT
/* Runs the launch of a loaded file in its process: what ends that is a finding, too. */
#include "base/clock.h"
#include "device/sim/detect/arithmetic.h"
#include "device/sim/detect/last_access.h"
#include "device/sim/engine/engine.h"
#include "device/sim/file/file.h"
#include "device/sim/memory/memory.h"
#include "device/sim/report/report_internal.h"
#include "device/sim/report/report.h"

#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
#include <unwind.h>

/* A second, for a report that can't be made: a signal may have come at any place. */
enum { REPORT_S = 1 };

/* More than two readings of RD_SIM_CLOCK may be off. */
#define CLOCK_ERROR_S 0.05

static struct {
    const struct rd_file_launch *launch;
    void (*on_host_signal)(int number, uintptr_t pc, const void *address); /* or NULL */
    bool (*on_waiting)(uintptr_t address, uintptr_t pc);                   /* likewise */
    /* A thread that waits for the host was ended: of what follows nothing is told. */
    bool has_waited;
    double began_s,
        launch_began_s;    /* with the time limit; and the launch that runs, of a program */
    bool awaits_half;      /* a serial launch runs, and half of the time is not over */
    uint64_t call_halfway; /* of its calls this one had not ended then; 0: none */
    bool ends;             /* by a signal */
    bool walks;            /* through frames that may not be there */
    sigjmp_buf astray;
} run; /* for the signal handlers, too */

static _Noreturn void end(enum rd_file_ending ending, const struct rd_finding *last)
{
    run.launch->on_stopped(run.launch->self, ending, NULL, last);
    abort();
}

/* ---- signals ---- */

static bool is_code(uintptr_t pc)
{
    return rd_sim_file_has_code(pc);
}

static _Unwind_Reason_Code find_code(struct _Unwind_Context *context, void *self)
{
    int interrupted = 0; /* rather than at a call: a return address is one behind */
    uintptr_t pc = _Unwind_GetIPInfo(context, &interrupted);
    struct rd_sim_line line;
    if (!is_code(pc))
        return _URC_NO_REASON;
    pc += interrupted != 0;
    rd_sim_source_line(pc, &line);
    if (!line.file[0]) /* a function of the headers that a file is compiled with */
        return _URC_NO_REASON;
    *(uintptr_t *)self = pc;
    return _URC_END_OF_STACK;
}

/* Returns the address in the user's code that called us, or was interrupted; 0: unknown, as behind a kernel
 * that wrote over its frames. */
static uintptr_t code_of_caller(void)
{
    static uintptr_t pc;
    pc = 0;
    run.walks = true;
    if (sigsetjmp(run.astray, 1) == 0)
        _Unwind_Backtrace(find_code, &pc);
    run.walks = false;
    return pc;
}

static bool is_guard(uintptr_t address)
{
    bool inside;
    const struct rd_sim_array *array = rd_sim_array_at(address, &inside);
    return inside && strcmp(array->name, rd_sim_guard_name) == 0;
}

/* The core does not know where a thread is that has used up its steps. */
static void on_event(const struct rd_sim_event *event)
{
    struct rd_sim_event placed = *event;
    if (run.has_waited || rd_sim_launches_keep(event) ||
        (event->hazard == RD_HAZARD_UNINITIALISED && is_guard(event->address)))
        return;
    if (event->hazard == RD_HAZARD_OUT_OF_BOUNDS)
        rd_sim_absent_tell((const void *)event->address, &event->actor.site);
    if (event->hazard == RD_HAZARD_NO_TERMINATION && event->actor.site.pc == 0)
        placed.actor.site.pc = code_of_caller();
    if (event->hazard == RD_HAZARD_NO_TERMINATION && placed.actor.site.pc == 0)
        placed.actor.site = rd_sim_last_barrier();
    const uintptr_t flag = rd_sim_here->block.threads[rd_sim_here->core.thread].poll.address;
    run.has_waited = event->hazard == RD_HAZARD_NO_TERMINATION && flag && run.on_waiting &&
                     run.on_waiting(flag, placed.actor.site.pc);
    if (!run.has_waited) /* for the host, which goes on later */
        rd_sim_report_event(&placed);
}

/* Below a stack lie pages that nobody may touch, but nobody knows how far a large frame reaches. */
static bool is_below_stack(uintptr_t address)
{
    enum { REACH_BYTES = 1 << 16, PAGE = 4096 };
    for (uintptr_t above = 0; above <= REACH_BYTES; above += PAGE)
        if (rd_sim_is_on_stack(address + above))
            return above > 0;
    return false;
}

static _Noreturn void end_with_event(enum rd_hazard_kind hazard, enum rd_file_ending ending,
                                     const void *address)
{
    rd_sim_here->core.on_event(&(struct rd_sim_event){
        .hazard = hazard,
        .actor = rd_sim_actor_self(RD_SIM_READ, code_of_caller()),
        .address = (uintptr_t)address,
        .text = address && is_below_stack((uintptr_t)address) ? "overflows its stack" : NULL,
        .interval = rd_sim_here->core.interval,
        .limit_s = hazard == RD_HAZARD_NO_TERMINATION ? run.launch->timeout_s : 0,
    });
    end(ending, NULL);
}

/* `nowhere` is where the thread found no code to go on with, or NULL. */
static _Noreturn void end_with_crash(int number, const void *nowhere)
{
    uintptr_t pc = code_of_caller();
    char message[512];
    struct rd_sim_line line;
    struct rd_sim_actor actor = rd_sim_actor_self(RD_SIM_READ, pc);
    struct rd_finding crash = {
        .hazard = RD_HAZARD_CRASH,
        .kind = "",
        .scope = "",
        .message = message,
        .lesson = rd_sim_lesson(RD_HAZARD_CRASH),
        .count = 1,
        .array = "",
        .type = "",
        .before = "",
        .after = "",
    };
    rd_sim_source_line(pc, &line);
    crash.n_places = 1;
    crash.interval = rd_sim_here->core.interval;
    crash.places[0] = (struct rd_finding_place){
        .file = line.file[0] ? line.file : NULL,
        .line = line.line,
        .column = line.column,
        .op = "",
        .thread_known = true,
        .block_known = true,
        .thread = actor.thread,
        .block = actor.block,
        .thread_index = rd_sim_index3(actor.thread, rd_sim_launches_grid()->block),
        .block_index = rd_sim_index3(actor.block, rd_sim_launches_grid()->grid),
    };
    int n =
        snprintf(message, sizeof message, "thread %u of block %" PRIu64, actor.thread, actor.block);
    n += snprintf(message + n, sizeof message - (size_t)n, " was ended by signal %d (%s)", number,
                  strsignal(number));
    if (line.file[0])
        n += snprintf(message + n, sizeof message - (size_t)n, " at %s:%u:%u", line.file, line.line,
                      line.column);
    if (nowhere)
        n += snprintf(message + n, sizeof message - (size_t)n,
                      ": it went on at %p, where there is no code, as when it has written over its "
                      "return address",
                      nowhere);
    snprintf(message + n, sizeof message - (size_t)n, ". %s", crash.lesson);
    end(RD_FILE_CRASH, &crash);
}

/* At least some of a second: 0 would stop it. */
static void begin_timer(double seconds)
{
    seconds = seconds > 0.001 ? seconds : 0.001;
    const long whole = (long)seconds;
    const struct itimerval timer = {
        .it_value = {.tv_sec = whole, .tv_usec = (long)((seconds - (double)whole) * 1e6)}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

/* A program may send itself the signal, or ask for it earlier. */
static bool is_out_of_time(int number)
{
    return number == SIGALRM &&
           rd_clock_s(RD_SIM_CLOCK) - run.began_s >= run.launch->timeout_s - CLOCK_ERROR_S;
}

static double left_s(void)
{
    return run.began_s + run.launch->timeout_s - rd_clock_s(RD_SIM_CLOCK);
}

/* Half of the time is over, in a serial launch: true, and the timer goes on. */
static bool is_half_time(int number)
{
    if (number != SIGALRM || !run.awaits_half)
        return false;
    run.awaits_half = false;
    run.call_halfway = rd_sim_is_running() ? rd_sim_serial_call() : 0;
    begin_timer(left_s());
    return true;
}

/* A program has other launches, a launch has other blocks, and a block has other phases: only where one takes most of the time
 * is it said not to end. */
static bool takes_most_of_the_time(void)
{
    if (rd_sim_here->block.grid->is_serial)
        return run.call_halfway && run.call_halfway == rd_sim_serial_call();
    const double phase_began_s = rd_sim_phase_began_s();
    const double began_s = phase_began_s > run.launch_began_s ? phase_began_s : run.launch_began_s;
    return 2 * (rd_clock_s(RD_SIM_CLOCK) - began_s) >= run.launch->timeout_s;
}

static bool is_of_memory(int number)
{
    return number == SIGSEGV || number == SIGBUS;
}

/* The kernel has run into memory that is not there, past all checks: its stack is too small for it,
 * or it follows a pointer that no hook sees. Or it never ends. What was found until then is still
 * told. */
static void on_signal(int number, siginfo_t *info, void *context)
{
    const bool out_of_time = is_out_of_time(number);
    if (run.walks && number != SIGALRM)
        siglongjmp(run.astray, 1);
    if (number == SIGFPE && rd_sim_is_running() && rd_sim_resume_division(context))
        return;
    if (!out_of_time && is_half_time(number))
        return;
    if (out_of_time && rd_sim_jobs_stop()) {
        alarm(run.launch->timeout_s); /* the blocks are run once more, in this process */
        return;
    }
    if (is_of_memory(number) && info->si_code > 0)
        rd_sim_absent_tell(info->si_addr, &(struct rd_sim_site){.pc = code_of_caller()});
    if (!run.ends && !rd_sim_is_running() && (out_of_time || run.on_host_signal)) {
        run.ends = true;
        alarm(REPORT_S);
        if (out_of_time)
            end(RD_FILE_TIMEOUT, NULL);
        run.on_host_signal(number, code_of_caller(), info->si_addr);
    }
    if (run.ends || !rd_sim_is_running()) {
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    run.ends = true;
    signal(SIGALRM, SIG_DFL);
    alarm(REPORT_S);
    if (out_of_time && !takes_most_of_the_time())
        end(RD_FILE_TIMEOUT, NULL);
    if (out_of_time) {
        rd_sim_barrier_tell_astray(); /* others may wait there for those who never come */
        end_with_event(RD_HAZARD_NO_TERMINATION, RD_FILE_TIMEOUT, NULL);
    }
    bool is_told = is_of_memory(number) && info->si_code > 0 && info->si_code != SI_KERNEL;
    bool is_of_code = is_told && rd_sim_next_instruction(context) == (uintptr_t)info->si_addr;
    if (is_told && !is_of_code)
        end_with_event(RD_HAZARD_OUT_OF_BOUNDS, RD_FILE_CRASH, info->si_addr);
    end_with_crash(number, is_of_code ? info->si_addr : NULL);
}

static void catch_signals(void)
{
    static char stack[1 << 18];
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGALRM};
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    struct sigaction action = {.sa_sigaction = on_signal,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        sigaction(numbers[k], &action, NULL);
}

/* A cell holds something else than after an earlier run, whose bits are `before`. */
void rd_sim_file_differs(const void *before, const void *after, size_t size_bytes)
{
    struct rd_sim_event event = {
        .hazard = RD_HAZARD_UNINITIALISED,
        .address = (uintptr_t)after,
        .size_bytes = size_bytes,
        .bits_known = true,
        .is_private = true,
    };
    memcpy(&event.before, before, size_bytes);
    memcpy(&event.after, after, size_bytes);
    if (rd_sim_last_access((uintptr_t)after, &event.actor))
        rd_sim_report_event(&event);
}

/* ---- the launch ---- */

static enum rd_status end_of(enum rd_sim_ending ending, struct rd_error *error)
{
    switch (ending) {
    case RD_SIM_ENDED:
        break;
    case RD_SIM_NO_MEMORY:
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the threads' stacks");
    case RD_SIM_EXACT_WANTED:
        end(RD_FILE_INEXACT, NULL);
    case RD_SIM_EXACT_FAILED:
        return rd_fail(error, RD_ERROR_MEMORY, "not all of this launch can be looked at: %s",
                       rd_sim_exact_failure());
    }
    return RD_OK;
}

static struct rd_sim_dim dim_of(struct rd_index3 index)
{
    return (struct rd_sim_dim){index.x, index.y, index.z};
}

void rd_sim_file_launch_begins(bool is_serial)
{
    const double half_s = left_s() - run.launch->timeout_s / 2.0;
    run.launch_began_s = rd_clock_s(RD_SIM_CLOCK);
    run.awaits_half = is_serial && half_s > 0;
    run.call_halfway = 0;
    if (run.awaits_half)
        begin_timer(half_s);
}

void rd_sim_file_launch_ends(void)
{
    if (run.awaits_half)
        begin_timer(left_s());
    run.awaits_half = false;
}

void rd_sim_file_timer_stop(struct itimerval *left)
{
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {0}}, left);
}

void rd_sim_file_timer_go_on(const struct itimerval *left, double seconds)
{
    run.began_s += seconds;
    run.launch_began_s += seconds;
    setitimer(ITIMER_REAL, left, NULL);
}

void rd_sim_file_begin(const struct rd_file_launch *launch,
                       void (*on_host_signal)(int number, uintptr_t pc, const void *address),
                       bool (*on_waiting)(uintptr_t address, uintptr_t pc))
{
    run.launch = launch;
    run.on_host_signal = on_host_signal;
    run.on_waiting = on_waiting;
    rd_sim_here->core.on_event = on_event;
    rd_sim_here->core.misses_writes = true;
    catch_signals();
    run.began_s = rd_clock_s(RD_SIM_CLOCK);
    alarm(launch->timeout_s);
}

enum rd_status rd_sim_file_launch(const struct rd_file_launch *launch, struct rd_error *error)
{
    const struct rd_sim_grid grid = {
        .thread = rd_sim_file()->thread,
        .arguments = launch->arguments,
        .grid = dim_of(launch->grid),
        .block = dim_of(launch->block),
        .shared_bytes = launch->shared_bytes,
        .cooperative = true,
        .tells_returns = rd_sim_file()->tells_returns,
        .schedule = launch->schedule,
        .exact = launch->exact,
        .steps_max = launch->steps_max,
        .heap_bytes = launch->heap_bytes,
        .jobs = launch->jobs,
    };
    rd_sim_report_begin(grid.grid, grid.block);
    rd_sim_file_begin(launch, NULL, NULL);
    rd_sim_launches_begin(launch, &grid);
    enum rd_status status = end_of(rd_sim_run_grid(&grid), error);
    if (status != RD_OK)
        return status;
    if (rd_sim_threads_run() == 0)
        return rd_fail(error, RD_ERROR_DEVICE, "no thread of the kernel has run");
    status = end_of(rd_sim_launches_run(), error);
    if (status == RD_OK)
        alarm(0);
    return status;
}

struct rd_file_state rd_sim_file_state(void)
{
    const struct rd_sim_outdated *call = &rd_sim_here->core.outdated;
    const struct rd_sim_site site = {.file = call->file, .line = call->line};
    static struct rd_sim_line line[2]; /* their names stay */
    const struct rd_sim_site reader = {.pc = rd_sim_here->core.untold_pc};
    if (call->name)
        line[0] = rd_sim_site_line(&site);
    if (reader.pc)
        line[1] = rd_sim_site_line(&reader);
    return (struct rd_file_state){
        .threads = rd_sim_launches_threads(),
        .communicates = rd_sim_launches_communicate(),
        .last_communicates = rd_sim_has_communicated(),
        .took_mask = rd_sim_here->core.took_mask,
        .took_clock = rd_sim_here->core.took_clock,
        .outdated = call->name,
        .outdated_file = line[0].file,
        .outdated_line = line[0].line,
        .untold = reader.pc != 0,
        .untold_file = line[1].file,
        .untold_line = line[1].line,
        .n_printed = rd_sim_here->core.printed.n,
        .printed = rd_sim_here->core.printed.sum,
    };
}
