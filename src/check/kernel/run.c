// SPDX-License-Identifier: MIT
/* One run of a kernel, in a process of its own. */
#include "check/kernel/check.h"
#include "check/report/findings.h"
#include "base/clock.h"
#include "check/sandbox/sandbox.h"
#include "check/sandbox/interruption.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The child ends itself when its time is up; this long after it is ended. */
enum { GRACE_S = 2, TOLD_FROM_S = 2, PRINTED_MAX = 1 << 26 };

/* ---- what the two processes share ---- */

static size_t buffer_offset(const struct rd_check *check, unsigned buffer)
{
    size_t size_bytes = 0;
    for (unsigned k = 0; k < buffer; k++)
        if (check->buffers.all[k].spec->space == RD_CHECK_DEVICE)
            size_bytes += rd_check_spec_bytes(check->buffers.all[k].spec);
    return size_bytes;
}

size_t rd_check_unset_offset(const struct rd_check *check, unsigned buffer)
{
    size_t size_bytes = buffer_offset(check, check->buffers.n);
    for (unsigned k = 0; k < buffer && check->options->n_expects > 0; k++)
        if (check->buffers.all[k].spec->space == RD_CHECK_DEVICE)
            size_bytes += check->buffers.all[k].spec->count;
    return size_bytes;
}

static struct rd_check_shared *share(size_t size_bytes)
{
    struct rd_check_shared *shared = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE,
                                          MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return shared == MAP_FAILED ? NULL : shared;
}

const char *rd_check_run_buffer(const struct rd_check_run *run, const struct rd_check *check,
                                unsigned buffer)
{
    if (!run->shared || !run->shared->kept || !rd_check_run_is_complete(run))
        return NULL;
    return run->shared->buffers + buffer_offset(check, buffer);
}

const char *rd_check_run_unset(const struct rd_check_run *run, const struct rd_check *check,
                               unsigned buffer)
{
    return run->shared->buffers + rd_check_unset_offset(check, buffer);
}

/* ---- the parent ---- */

/* The run whose progress is told. */
struct telling {
    const struct rd_check_options *options;
    const struct rd_schedule *schedule;
};

static void tell_progress(void *self, unsigned seconds)
{
    const struct telling *telling = self;
    const struct rd_check_options *options = telling->options;
    char name[RD_SCHEDULE_NAME_SIZE], text[256];
    if (!options->progress || seconds < TOLD_FROM_S)
        return;
    rd_schedule_name(telling->schedule, name);
    snprintf(text, sizeof text, "%s under %s: %u s; it is stopped after %u s (--timeout)",
             options->kernel, name, seconds, options->common.timeout_s);
    options->progress(options->progress_self, text);
}

static int wait_for_child(const struct rd_check *check, const struct rd_schedule *schedule,
                          struct rd_sandbox *box, bool *timed_out)
{
    const struct rd_check_options *options = check->options;
    unsigned timeout_s = options->common.timeout_s;
    struct telling telling = {options, schedule};
    /* The file's own initialisation has that time, too, before the kernel, and so have processes
     * that run the blocks side by side, before one that runs them again. */
    int limit_s = timeout_s < INT32_MAX / 3 - GRACE_S ? (int)(3 * timeout_s + GRACE_S) : INT32_MAX;
    int status = rd_check_await(box, limit_s, tell_progress, &telling, timed_out);
    if (options->progress)
        options->progress(options->progress_self, NULL);
    return status;
}

/* Output beyond PRINTED_MAX is left out. */
static void read_printed(FILE *file, struct rd_check_run *run)
{
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
    size_t wanted = size > PRINTED_MAX ? PRINTED_MAX : (size_t)size;
    rewind(file);
    run->printed = size > 0 ? malloc(wanted) : NULL;
    if (run->printed)
        run->printed_bytes = fread(run->printed, 1, wanted, file);
}

static _Noreturn void be_child(const struct rd_check *check, const struct rd_check_run *run,
                               const char seal[RD_CHECK_SEAL_SIZE], FILE *record, FILE *printed)
{
    rd_interruption_release();
    if (dup2(fileno(printed), STDOUT_FILENO) < 0)
        _exit(1);
    close(fileno(printed)); /* which standard output is now */
    rd_check_child(check, &run->schedule, run->exact, run->shared, seal, record);
    _exit(0);
}

static enum rd_status run_once(struct rd_check_run *run, const struct rd_check *check,
                               const struct rd_schedule *schedule, bool exact,
                               struct rd_error *error)
{
    enum rd_status status = RD_OK;
    struct rd_sandbox box;
    struct rd_check_run made = {.schedule = *schedule, .exact = exact};
    FILE *record = rd_check_record_open(), *printed = tmpfile();
    char seal[RD_CHECK_SEAL_SIZE];
    made.shared_bytes = sizeof *made.shared + rd_check_unset_offset(check, check->buffers.n);
    made.shared = share(made.shared_bytes);
    if (!made.shared || !record || !printed) {
        status = rd_fail(error, made.shared ? RD_ERROR_IO : RD_ERROR_MEMORY, "no %s for a run: %s",
                         made.shared ? "temporary file" : "memory", strerror(errno));
        goto done;
    }
    if (!rd_check_seal_make(seal)) {
        status = rd_fail(error, RD_ERROR_IO, "no random number for a run: %s", strerror(errno));
        goto done;
    }
    fflush(NULL);
    const int kept[] = {fileno(record), fileno(printed)};
    const pid_t child =
        rd_sandbox_fork(&box, &check->options->common.sandbox, check->directory, kept, 2);
    if (child == 0)
        be_child(check, &made, seal, record, printed);
    if (child < 0) {
        status = rd_fail(error, RD_ERROR_MEMORY, "no process for a run: %s", strerror(errno));
        goto done;
    }
    rd_interruption_watch(child);
    struct rd_check_end end = {.timed_out = false};
    const double start = rd_clock_s(CLOCK_MONOTONIC);
    end.status = wait_for_child(check, schedule, &box, &end.timed_out);
    end.had_time = rd_clock_s(CLOCK_MONOTONIC) - start >= check->options->common.timeout_s;
    if (*rd_interruption()) { /* what ended it is not the kernel's doing */
        status = rd_fail(error, RD_ERROR_INTERRUPTED, "interrupted");
        goto done;
    }
    end.started = made.shared->started;
    end.stopped = rd_sandbox_why_stopped(&box, end.status);
    made.missing = strdup(box.missing);
    made.record = rd_check_record(record, check, seal, &end);
    read_printed(printed, &made);
    *run = made;

done:
    if (status != RD_OK)
        rd_check_run_drop(&made);
    if (record)
        fclose(record);
    if (printed)
        fclose(printed);
    return status;
}

static bool is_outcome(const struct rd_check_run *run, const char *outcome)
{
    return strcmp(json_string_value(json_object_get(run->record, "outcome")), outcome) == 0;
}

/* Threads that used up their steps were stopped, and the others went on. */
bool rd_check_run_is_complete(const struct rd_check_run *run)
{
    return is_outcome(run, "completed") && !rd_check_run_never_ends(run);
}

bool rd_check_run_communicates(const struct rd_check_run *run)
{
    return json_is_true(json_object_get(run->record, "communicates"));
}

bool rd_check_run_never_ends(const struct rd_check_run *run)
{
    return rd_check_has_hazard(run->record, RD_HAZARD_NO_TERMINATION);
}

bool rd_check_run_wants_turns(const struct rd_check_run *run, const struct rd_schedule *schedule)
{
    return schedule->order >= RD_ORDER_RANDOM && rd_check_run_communicates(run);
}

/* The exact run of a race among atomics knows more: short records do not keep atomics apart from plain accesses of
 * the same thread, nor know of what fences would have ordered. */
static bool tells_too_little(const struct rd_check_run *run)
{
    return is_outcome(run, "completed") && rd_check_run_communicates(run) &&
           rd_check_has_hazard(run->record, RD_HAZARD_RACE);
}

enum rd_status rd_check_run_init(struct rd_check_run *run, const struct rd_check *check,
                                 const struct rd_schedule *schedule, bool exact,
                                 struct rd_error *error)
{
    enum rd_status status = run_once(run, check, schedule, exact, error);
    bool must = status == RD_OK && !exact &&
                (is_outcome(run, "inexact") || rd_check_run_wants_turns(run, schedule));
    if (status != RD_OK || exact || !(must || tells_too_little(run)))
        return status;
    struct rd_check_run again = {.record = NULL};
    status = run_once(&again, check, schedule, true, error);
    if (status == RD_OK && (must || is_outcome(&again, "completed"))) {
        rd_check_run_finish(run);
        *run = again;
        return RD_OK;
    }
    rd_check_run_finish(status == RD_OK ? &again : run); /* what is known is told, if not more */
    return status;
}

void rd_check_run_drop(struct rd_check_run *run)
{
    if (run->shared)
        munmap(run->shared, run->shared_bytes);
    run->shared = NULL;
}

void rd_check_run_finish(struct rd_check_run *run)
{
    if (!run->record)
        return;
    rd_check_run_drop(run);
    json_decref(run->record);
    json_decref(run->difference);
    json_decref(run->heap_difference);
    json_decref(run->variable_difference);
    json_decref(run->print_difference);
    free(run->printed);
    free(run->missing);
    *run = (struct rd_check_run){0};
}
