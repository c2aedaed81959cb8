// SPDX-License-Identifier: MIT
#include "check/check.h"
#include "check/check_internal.h"
#include "device/sim/object.h"
#include "device/sim/detect/arithmetic.h"
#include "device/sim/report/report_internal.h"
#include "device/sim/engine/engine.h"
#include "device/sim/detect/last_access.h"
#include "device/sim/source/source.h"
#include "device/sim/memory/memory.h"
#include "device/sim/detect/private.h"
#include "device/sim/report/report.h"

#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unwind.h>

/* A second, for a report that can't be made: a signal may have come at any place. */
enum { REPORT_S = 1 };

static struct {
    FILE *record;
    const struct rd_check_options *options;
    struct rd_check_module module;
    struct rd_check_arg *args;
    json_t *names;
    bool differs; /* from an earlier run */
    bool ends;    /* by a signal */
    bool walks;   /* through frames that may not be there */
    sigjmp_buf astray;
} child; /* for the signal handlers, too */

/* ---- the record ---- */

static json_t *outdated_json(const struct rd_sim_outdated *call)
{
    const struct rd_sim_site site = {.file = call->file, .line = call->line};
    struct rd_sim_line line = rd_sim_site_line(&site);
    return json_pack("{s:s, s:o, s:i}", "name", call->name, "file",
                     rd_check_text(line.file, strlen(line.file)), "line", (int)line.line);
}

static void write_record(const char *outcome, const char *error, const struct rd_finding *last)
{
    json_t *hazards = rd_check_children_hazards();
    if (last)
        json_array_append_new(hazards, rd_check_finding_json(last));
    json_t *record =
        json_pack("{s:s, s:I, s:b, s:o, s:o, s:o}", "outcome", outcome, "threads",
                  (json_int_t)rd_check_children_threads(), "communicates",
                  rd_check_children_communicate(), "launches", rd_check_children_launches(),
                  "hazards", hazards, "names", child.names ? child.names : json_array());
    if (child.differs)
        json_object_set_new(record, "differs", json_true());
    if (rd_sim_here->core.took_mask || rd_sim_here->core.took_clock)
        json_object_set_new(record, "unvaried",
                            json_string(!rd_sim_here->core.took_clock ? "__activemask()"
                                        : !rd_sim_here->core.took_mask
                                            ? "clocks"
                                            : "__activemask() and clocks"));
    if (rd_sim_here->core.outdated.name)
        json_object_set_new(record, "outdated", outdated_json(&rd_sim_here->core.outdated));
    if (child.module.multiplies_and_adds && !child.options->fmad)
        json_object_set_new(record, "floats", json_true());
    if (error)
        json_object_set_new(record, "error", rd_check_text(error, strlen(error)));
    json_dumpf(record, child.record, JSON_COMPACT);
    fflush(child.record);
}

static _Noreturn void end(const char *outcome, const char *error, const struct rd_finding *last)
{
    fflush(stdout); /* what the kernel printed */
    write_record(outcome, error, last);
    _exit(0);
}

_Noreturn void rd_check_child_fail(const char *error)
{
    rd_sim_jobs_depend(); /* who runs a part of the blocks tells nothing */
    end("failed", error, NULL);
}

/* ---- signals ---- */

static bool is_code(uintptr_t pc)
{
    return pc >= child.module.code && pc < child.module.code_end;
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

/* Where the kernel has called us, in the user's code, or was interrupted; 0 where that can't be told,
 * as where the kernel has written over its frames. */
static uintptr_t code_of_caller(void)
{
    static uintptr_t pc;
    pc = 0;
    child.walks = true;
    if (sigsetjmp(child.astray, 1) == 0)
        _Unwind_Backtrace(find_code, &pc);
    child.walks = false;
    return pc;
}

static bool is_guard(uintptr_t address)
{
    bool inside;
    const struct rd_sim_array *array = rd_sim_array_at(address, &inside);
    return inside && strcmp(array->name, rd_check_guard_name) == 0;
}

/* The core does not know where a thread is that has used up its steps. */
static void on_event(const struct rd_sim_event *event)
{
    struct rd_sim_event placed = *event;
    if (rd_check_children_keep(event) ||
        (event->hazard == RD_HAZARD_UNINITIALISED && is_guard(event->address)))
        return;
    if (event->hazard == RD_HAZARD_NO_TERMINATION && event->actor.site.pc == 0)
        placed.actor.site.pc = code_of_caller();
    if (event->hazard == RD_HAZARD_NO_TERMINATION && placed.actor.site.pc == 0)
        placed.actor.site = rd_sim_last_barrier();
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

static _Noreturn void end_with_event(enum rd_hazard_kind hazard, const char *outcome,
                                     const void *address)
{
    rd_sim_here->core.on_event(&(struct rd_sim_event){
        .hazard = hazard,
        .actor = rd_sim_actor_self(RD_SIM_READ, code_of_caller()),
        .address = (uintptr_t)address,
        .text = address && is_below_stack((uintptr_t)address) ? "overflows its stack" : NULL,
        .interval = rd_sim_here->core.interval,
        .limit_s = hazard == RD_HAZARD_NO_TERMINATION ? child.options->timeout_s : 0,
    });
    end(outcome, NULL, NULL);
}

/* `nowhere` is where the thread found no code to go on with, or NULL. */
static _Noreturn void end_with_crash(int number, const void *nowhere)
{
    uintptr_t pc = code_of_caller();
    char message[512];
    struct rd_sim_line line;
    struct rd_sim_actor actor = rd_sim_actor_self(RD_SIM_READ, pc);
    struct rd_finding crash = rd_check_hazard(RD_HAZARD_CRASH, message);
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
        .thread_index = rd_sim_index3(actor.thread, rd_check_children_grid()->block),
        .block_index = rd_sim_index3(actor.block, rd_check_children_grid()->grid),
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
    end("crash", NULL, &crash);
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
    if (child.walks && number != SIGALRM)
        siglongjmp(child.astray, 1);
    if (number == SIGFPE && rd_sim_is_running() && rd_sim_resume_division(context))
        return;
    if (number == SIGALRM && rd_sim_jobs_stop()) {
        alarm(child.options->timeout_s); /* the blocks are run once more, in this process */
        return;
    }
    if (child.ends || !rd_sim_is_running()) {
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    child.ends = true;
    signal(SIGALRM, SIG_DFL);
    alarm(REPORT_S);
    if (number == SIGALRM) {
        rd_sim_barrier_tell_astray(); /* others may wait there for those who never come */
        end_with_event(RD_HAZARD_NO_TERMINATION, "timeout", NULL);
    }
    bool is_told = is_of_memory(number) && info->si_code > 0 && info->si_code != SI_KERNEL;
    bool is_of_code = is_told && rd_sim_next_instruction(context) == (uintptr_t)info->si_addr;
    if (is_told && !is_of_code)
        end_with_event(RD_HAZARD_OUT_OF_BOUNDS, "crash", info->si_addr);
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

/* ---- the launch ---- */

static enum rd_status make_arguments(const struct rd_check *check, struct rd_error *error)
{
    const struct rd_check_options *options = check->options;
    const struct rd_check_module *module = &child.module;
    if (module->n_parameters != options->n_args)
        return rd_fail(error, RD_ERROR_USAGE, "'%s' has %u parameter%s, and there %s %u --arg",
                       options->kernel, module->n_parameters, module->n_parameters == 1 ? "" : "s",
                       options->n_args == 1 ? "is" : "are", options->n_args);
    child.args = aligned_alloc(64, sizeof *child.args * RD_CHECK_ARGS_MAX);
    child.names = json_array();
    if (!child.args)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the arguments");
    for (unsigned k = 0; k < options->n_args; k++) {
        char name[64];
        rd_check_parameter_name(module, k, name);
        enum rd_status status = rd_check_arg_init(&child.args[k], &check->specs[k],
                                                  &module->parameters[k], k, name, error);
        if (status != RD_OK)
            return status;
        if (check->specs[k].is_buffer)
            rd_sim_array_of_structs((uintptr_t)child.args[k].memory,
                                    rd_sim_layout_of_parameter((uintptr_t)module->kernel, k));
        json_array_append_new(child.names,
                              rd_check_text(child.args[k].name, strlen(child.args[k].name)));
    }
    return RD_OK;
}

/* They are wanted where results are compared, and where somebody asks for them. */
static void keep_buffers(const struct rd_check *check, struct rd_check_shared *shared)
{
    const struct rd_check_options *options = check->options;
    char *at = shared->buffers;
    bool compared = options->n_schedules > 1 || options->all_orders || rd_sim_has_communicated();
    if (!check->keep && (options->one_order || !compared))
        return;
    shared->kept = true;
    for (unsigned k = 0; at && k < check->options->n_args; k++) {
        const struct rd_check_spec *spec = &check->specs[k];
        if (!spec->is_buffer || spec->space != RD_CHECK_DEVICE)
            continue;
        size_t size_bytes = spec->count * spec->numeric->size_bytes;
        memcpy(at, child.args[k].memory, size_bytes);
        at += size_bytes;
    }
}

/* A cell holds something else than after an earlier run, whose bits are `before`. */
static void tell_difference(const char *before, const char *after, size_t size_bytes)
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

static bool is_same_cell(const struct rd_check_parameter *parameter, const char *before,
                         const char *after, size_t at, size_t size_bytes)
{
    for (size_t k = 0; k < size_bytes; k++)
        if (before[at + k] != after[at + k] &&
            (!parameter->bytes || parameter->bytes[(at + k) % parameter->pointee_size]))
            return false;
    return true;
}

/* Padding may differ, and where nobody knows what is padding, all may. */
static bool is_comparable(const struct rd_check_parameter *parameter)
{
    return parameter->pointee_kind != 'v' && parameter->pointee_kind != 'p' &&
           (parameter->pointee_kind != 's' || parameter->bytes);
}

/* Compares the buffers with those after an earlier run. */
static void compare_buffers(const struct rd_check *check)
{
    for (unsigned k = 0; k < check->options->n_args; k++) {
        const struct rd_check_spec *spec = &check->specs[k];
        const struct rd_check_parameter *parameter = &child.module.parameters[k];
        const char *before = rd_check_run_buffer(check->first, check, k);
        const char *after = child.args[k].memory;
        if (!before || !spec->is_buffer || spec->space != RD_CHECK_DEVICE ||
            !is_comparable(parameter))
            continue;
        size_t size_bytes = spec->numeric->size_bytes;
        for (size_t at = 0; at < spec->count * size_bytes; at += size_bytes) {
            if (is_same_cell(parameter, before, after, at, size_bytes))
                continue;
            child.differs = true;
            if (!check->tells_differences)
                return;
            tell_difference(before + at, after + at, size_bytes);
        }
    }
}

/* The buffers are what they were before. */
static _Noreturn void end_refused(const struct rd_check *check, struct rd_check_shared *shared,
                                  const char *why)
{
    char message[1024] = "";
    struct rd_finding refused = rd_check_hazard(RD_HAZARD_ILLEGAL_LAUNCH, message);
    snprintf(message, sizeof message, "%s. %s", why, refused.lesson);
    keep_buffers(check, shared);
    end("completed", NULL, &refused);
}

/* Nothing of a run that is to be made again is told, nor what it has printed. */
static _Noreturn void end_inexact(void)
{
    json_t *record =
        json_pack("{s:s, s:i, s:[], s:[]}", "outcome", "inexact", "threads", 0, "hazards", "names");
    json_dumpf(record, child.record, JSON_COMPACT);
    json_decref(record);
    fflush(child.record);
    _exit(0);
}

static enum rd_status end_of(enum rd_sim_ending ending, struct rd_error *error)
{
    switch (ending) {
    case RD_SIM_ENDED:
        break;
    case RD_SIM_NO_MEMORY:
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the threads' stacks");
    case RD_SIM_EXACT_WANTED:
        end_inexact();
    case RD_SIM_EXACT_FAILED:
        return rd_fail(error, RD_ERROR_MEMORY, "not all of this launch can be looked at: %s",
                       rd_sim_exact_failure());
    }
    return RD_OK;
}

static enum rd_status launch(const struct rd_check *check, const struct rd_sim_schedule *schedule,
                             bool exact, struct rd_check_shared *shared, struct rd_error *error)
{
    const struct rd_check_options *options = check->options;
    void *arguments[RD_CHECK_ARGS_MAX];
    for (unsigned k = 0; k < options->n_args; k++)
        arguments[k] = rd_check_arg_value(&child.args[k]);
    const struct rd_sim_grid grid = {
        .thread = child.module.thread,
        .arguments = arguments,
        .grid = options->grid,
        .block = options->block,
        .shared_bytes = options->shared_bytes,
        .cooperative = true,
        .tells_returns = child.module.tells_returns,
        .schedule = *schedule,
        .exact = exact,
        .steps_max = options->steps,
        .heap_bytes = options->heap_bytes,
        .jobs = check->first    ? 0
                : options->jobs ? options->jobs
                                : RD_SIM_JOBS_AUTO,
    };
    struct rd_error refusal;
    if (rd_check_limits_kernel(options, &child.module, &refusal) != RD_OK)
        end_refused(check, shared, refusal.text);
    catch_signals();
    alarm(options->timeout_s);
    shared->started = true;
    rd_check_children_begin(options, &grid, &child.module);
    enum rd_status status = end_of(rd_sim_run_grid(&grid), error);
    if (status != RD_OK)
        return status;
    if (rd_sim_threads_run() == 0)
        return rd_fail(error, RD_ERROR_DEVICE, "no thread of '%s' has run", options->kernel);
    status = end_of(rd_check_children_run(), error);
    if (status != RD_OK)
        return status;
    alarm(0);
    keep_buffers(check, shared);
    if (check->first)
        compare_buffers(check);
    return RD_OK;
}

/* There is nothing else to tell. */
static _Noreturn void end_without_simulator(const char *error)
{
    json_t *record = json_pack("{s:s, s:i, s:[], s:[], s:o}", "outcome", "failed", "threads", 0,
                               "hazards", "names", "error", rd_check_text(error, strlen(error)));
    json_dumpf(record, child.record, JSON_COMPACT);
    fflush(child.record);
    _exit(0);
}

void rd_check_child(const struct rd_check *check, const struct rd_sim_schedule *schedule,
                    bool exact, struct rd_check_shared *shared, FILE *record)
{
    struct rd_error error = {""};
    child.record = record;
    child.options = check->options;
    if (!rd_sim_create(&error))
        end_without_simulator(error.text);
    rd_sim_here->core.on_event = on_event;
    rd_sim_source_set_names(check->options->file, check->directory);
    rd_sim_report_begin(check->options->grid, check->options->block);
    enum rd_status status = RD_OK;
    if (check->is_private && !rd_sim_private_begin())
        status = rd_fail(&error, RD_ERROR_MEMORY, "there is no place for their shadow");
    if (status == RD_OK)
        status = rd_check_module_load(&child.module, check->library, check->options->shared_bytes,
                                      &error);
    if (status == RD_OK)
        status = rd_check_symbols_set(check, &child.module, &error);
    if (status == RD_OK)
        status = make_arguments(check, &error);
    if (status == RD_OK)
        status = launch(check, schedule, exact, shared, &error);
    end(status == RD_OK ? "completed" : "failed", status == RD_OK ? NULL : error.text, NULL);
}
