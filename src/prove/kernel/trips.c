// SPDX-License-Identifier: MIT
/* Trips of a loop: accesses of one that stand for those of all, and trips that take several steps each. */
#include "prove/kernel/loops.h"

/* ---- writes of which one stands for those of all trips ---- */

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

/* ---- trips of several steps ---- */

/* f(i) + f(i + s) + … + f(i + (m - 1) * s) */
static rd_term repeated(struct rd_terms *terms, rd_term f, rd_term i, rd_term s, unsigned m)
{
    rd_term sum = rd_number(terms, 0);
    for (unsigned v = 0; v < m; v++) {
        const rd_term at = rd_add(terms, i, rd_multiply(terms, rd_number(terms, v), s));
        sum = rd_add(terms, sum, rd_replace(terms, f, 1, &i, &at));
    }
    return sum;
}

/* f is 0 where the loop doesn't go on. */
static bool ends_with(struct rd_terms *terms, rd_term f, rd_term goes_on)
{
    return f->kind == RD_TERM_CHOICE && f->kids[2] == rd_number(terms, 0) &&
           rd_and(terms, f->kids[0], goes_on) == f->kids[0];
}

bool rd_split_trips(struct rd_terms *terms, rd_term *each, rd_term i, rd_term goes_on,
                    rd_term *stride)
{
    const rd_term sum = *each;
    if (sum->kind != RD_TERM_SUM || sum->number != 0)
        return false;
    const rd_term m = rd_number(terms, sum->n_kids), s = rd_div(terms, *stride, m);
    if (rd_multiply(terms, m, s) != *stride)
        return false;
    for (unsigned k = 0; k < sum->n_kids; k++) {
        const rd_term f = sum->kids[k];
        if (!ends_with(terms, f, goes_on) || repeated(terms, f, i, s, sum->n_kids) != sum)
            continue;
        *each = f;
        *stride = s;
        return true;
    }
    return false;
}
