// SPDX-License-Identifier: MIT
/* Writes in a loop of which one trip stands for all. */
#include "prove/loops.h"

/* Returns why the write can't stand for those of all trips; NULL: it can. */
static const char *reason_against(const struct state *state, size_t first,
                                  const struct rd_kernel_access *write, size_t n_unknown,
                                  const rd_term *unknown)
{
    if (write->is_atomic)
        return "an atomic addition in a loop without a checkpoint";
    if (write->array->is_shared || write->array->is_scratch || write->array->is_ticket)
        return "a write to memory that threads share, in a loop without a checkpoint";
    for (size_t k = first; k < state->n_accesses; k++)
        if (!state->accesses[k].is_write && state->accesses[k].array == write->array)
            return "a loop without a checkpoint that reads the array which it writes";
    for (size_t k = 0; k < n_unknown; k++)
        if (rd_term_has(write->value, unknown[k]))
            return "a loop without a checkpoint that writes a sum before it has ended";
    return NULL;
}

bool rd_repeat_accesses(struct rd_execution *execution, const struct rd_loop_parts *parts,
                        struct state *state, size_t first, size_t n_unknown, const rd_term *unknown)
{
    for (size_t k = first; k < state->n_accesses; k++) {
        struct rd_kernel_access *access = &state->accesses[k];
        access->repeats = true;
        const char *why =
            access->is_write ? reason_against(state, first, access, n_unknown, unknown) : NULL;
        if (!why)
            continue;
        const struct rd_syntax_node place = {.file = access->file, .line = access->line};
        rd_execution_fail(execution, access->file ? &place : parts->loop, "%s", why);
        return false;
    }
    return true;
}
