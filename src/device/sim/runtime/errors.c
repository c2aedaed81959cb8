// SPDX-License-Identifier: MIT
/* CUDA's errors: what calls return, what is kept of it, and what nobody looks at. CUDA Runtime API, "Error Handling". */
#include "device/sim/api/hooks.h"
#include "device/sim/object.h"
#include "device/sim/runtime/libraries.h"

#include <stdio.h>
#include <string.h>

static const struct row {
    const char *name;
    cudaError_t error;
    const char *text;
} rows[] = {
#define ROW(name, number, text) {#name, name, text},
    RD_CUDA_ERRORS(ROW)
#undef ROW
};
enum { N_ROWS = sizeof rows / sizeof *rows };

static const struct row *row_of(cudaError_t error)
{
    for (size_t k = 0; k < N_ROWS; k++)
        if (rows[k].error == error)
            return &rows[k];
    return NULL;
}

RD_HOOK const char *cudaGetErrorString(cudaError_t error)
{
    const struct row *row = row_of(error);
    return row ? row->text : "unrecognized error code";
}

RD_HOOK const char *cudaGetErrorName(cudaError_t error)
{
    const struct row *row = row_of(error);
    return row ? row->name : "unrecognized error code";
}

cudaError_t rd_sim_error_named(const char *text)
{
    for (size_t k = 0; k < N_ROWS; k++) {
        size_t length = strlen(rows[k].name);
        if (strncmp(text, rows[k].name, length) == 0 && strchr(": ", text[length]))
            return rows[k].error;
    }
    return cudaErrorUnknown;
}

/* ---- what is kept ---- */

static struct {
    cudaError_t last, sticky;
    /* The call that has failed, and that nobody has looked at; its result was dropped. */
    struct rd_sim_host_call unseen;
    cudaError_t unseen_error;
    bool drops;   /* the call that comes next stands as a statement of its own */
    bool is_used; /* functions of the runtime have been called */
} errors_state;

void rd_sim_error_sticks(cudaError_t error)
{
    errors_state.sticky = errors_state.last = error;
}

bool rd_sim_runtime_is_used(void)
{
    return errors_state.is_used;
}

bool rd_sim_error_has_stuck(void)
{
    return errors_state.sticky != cudaSuccess;
}

/* Tells of the failure that nobody has looked at, up to now. */
static void tell_unseen(void)
{
    if (errors_state.unseen_error == cudaSuccess)
        return;
    const struct rd_sim_host_finding finding = {
        .hazard = RD_HAZARD_UNCHECKED_ERROR,
        .place = errors_state.unseen.place,
    };
    rd_sim_host_tell(&finding, "%s fails with %s (%s), which goes unnoticed,",
                     errors_state.unseen.name, cudaGetErrorName(errors_state.unseen_error),
                     cudaGetErrorString(errors_state.unseen_error));
    errors_state.unseen_error = cudaSuccess;
}

void rd_sim_errors_finish(void)
{
    tell_unseen();
}

RD_HOOK void rd_sim_drops(void)
{
    errors_state.drops = true;
}

static _Thread_local const struct rd_sim_outer *outer;

const struct rd_sim_outer *rd_sim_outer_set(const struct rd_sim_outer *now)
{
    const struct rd_sim_outer *before = outer;
    outer = now;
    return before;
}

const struct rd_sim_host_call *rd_sim_outer_call(void)
{
    return outer ? outer->call : NULL;
}

const char *rd_sim_outer_error_name(cudaError_t error)
{
    return outer ? outer->error_name(error) : NULL;
}

bool rd_sim_call_begins(const struct rd_sim_host_call *call, cudaError_t *error)
{
    *error = cudaSuccess;
    if (rd_sim_is_running()) {
        char what[100];
        snprintf(what, sizeof what, "%s in a kernel", call->name);
        rd_sim_unsimulated(what, "", 0, (void *)call->place.pc);
        return false;
    }
    if (!rd_sim_runtime_program())
        return false;
    rd_sim_runtime_enter();
    if (!outer) {
        rd_sim_host_tells();
        /* In a context of the driver's the runtime makes none. */
        errors_state.is_used |= strncmp(call->name, "cuda", 4) == 0 && !rd_sim_memory_context();
    }
    if (errors_state.sticky != cudaSuccess) {
        *error = errors_state.sticky;
        errors_state.drops =
            errors_state.drops && outer; /* then the outer call says what becomes of it */
        rd_sim_runtime_leave();
        return false;
    }
    return true;
}

cudaError_t rd_sim_call_ends(const struct rd_sim_host_call *call, cudaError_t error)
{
    bool drops = errors_state.drops, failed = error != cudaSuccess && error != cudaErrorNotReady;
    if (outer) {
        rd_sim_runtime_leave();
        return error;
    }
    errors_state.drops = false;
    if (failed)
        errors_state.last = error;
    if (failed && drops && !rd_sim_host_has_told()) {
        tell_unseen();
        errors_state.unseen = *call;
        errors_state.unseen_error = error;
    }
    rd_sim_runtime_leave();
    return error;
}

RD_HOOK cudaError_t rd_sim_call_made(const char *name, cudaError_t error)
{
    const struct rd_sim_host_call call = RD_HOST_CALL(name);
    cudaError_t before;
    return rd_sim_call_begins(&call, &before) ? rd_sim_call_ends(&call, error) : before;
}

/* Told at once, as cudaGetLastError() does not give it (H200, CUDA 13). */
cudaError_t rd_sim_call_is_early(const struct rd_sim_host_call *call)
{
    const struct rd_sim_host_finding finding = {.hazard = RD_HAZARD_UNCHECKED_ERROR,
                                                .place = call->place};
    if (!outer && errors_state.drops && !rd_sim_host_has_told())
        rd_sim_host_tell(&finding,
                         "%s fails with cudaErrorNotReady (nothing has waited for the events), "
                         "which goes unnoticed,",
                         call->name);
    return rd_sim_call_ends(call, cudaErrorNotReady);
}

void rd_sim_library_ends(const struct rd_sim_host_call *call, const char *status, const char *why)
{
    const struct rd_sim_host_finding finding = {
        .hazard = RD_HAZARD_UNCHECKED_ERROR,
        .place = call->place,
        .lesson =
            "What follows goes on as if it had been done: compare what each call returns with "
            "the value that says success.",
    };
    if (errors_state.drops && status && !rd_sim_host_has_told())
        rd_sim_host_tell(&finding, "%s fails with %s%s%s, which goes unnoticed,", call->name,
                         status, *why ? ": " : "", why);
    errors_state.drops = false;
    rd_sim_runtime_leave();
}

void rd_sim_launch_ends(const struct rd_sim_host_call *call, cudaError_t error)
{
    errors_state.drops = true;
    rd_sim_call_ends(call, error);
}

static cudaError_t look(bool takes)
{
    cudaError_t error =
        errors_state.sticky != cudaSuccess ? errors_state.sticky : errors_state.last;
    errors_state.drops = false;
    if (rd_sim_is_running())
        return cudaSuccess;
    errors_state.unseen_error = cudaSuccess;
    if (takes)
        errors_state.last = cudaSuccess;
    return error;
}

RD_HOOK cudaError_t cudaGetLastError(void)
{
    return look(true);
}

RD_HOOK cudaError_t cudaPeekAtLastError(void)
{
    return look(false);
}
