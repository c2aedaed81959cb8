// SPDX-License-Identifier: MIT
/* Runs a text of PTX: its instructions in turn. */
#include "device/sim/api/hooks.h"
#include "device/sim/object.h"
#include "device/sim/ptx/ptx.h"
#include "device/sim/ptx/ptx_internal.h"
#include "device/sim/source/source.h"

#include <stdlib.h>

/* ---- texts that were read ---- */

/* Texts by their addresses; kept for the life of the process, as a thread may wait within one while others read on. */
enum { TEXTS = 1024 };
struct entry {
    struct entry *next;
    const char *text, *constraints;
    struct rd_ptx_program *program;
};
static struct entry *entries[TEXTS];

/* A text that was loaded where another one stood is compared. NULL without memory. */
static const struct rd_ptx_program *program_of(const char *text, const char *constraints)
{
    struct entry **list = &entries[((uintptr_t)text >> 3 ^ (uintptr_t)constraints >> 3) % TEXTS];
    for (const struct entry *entry = *list; entry; entry = entry->next)
        if (entry->text == text && entry->constraints == constraints &&
            strcmp(entry->program->text, text) == 0 &&
            strcmp(entry->program->constraints, constraints) == 0)
            return entry->program;
    struct entry *made = malloc(sizeof *made);
    struct rd_ptx_program *program = made ? rd_ptx_parse(text, constraints) : NULL;
    if (!program) {
        free(made);
        return NULL;
    }
    *made = (struct entry){*list, text, constraints, program};
    *list = made;
    return program;
}

/* ---- the statement ---- */

RD_HOOK uint64_t rd_sim_ptx(const char *text, const char *constraints, uint64_t *values,
                            const char *file, unsigned line)
{
    uint64_t slots[RD_PTX_SLOTS_MAX];
    unsigned char unset[RD_PTX_SLOTS_MAX];
    const struct rd_ptx_program *program = program_of(text, constraints);
    struct rd_ptx_machine m = {
        .program = program,
        .values = slots,
        .unset = unset,
        .file = file,
        .line = line,
        .pc = (uintptr_t)__builtin_return_address(0),
        .frame = (uintptr_t)__builtin_frame_address(0),
    };
    RD_SIM_NEEDS_FRAME;
    if (!rd_sim_is_running())
        return 0;
    if (!program) {
        rd_ptx_refuse(&m, "inline PTX, for want of memory");
        return 0; /* for checkers that don't know that it ends the thread */
    }
    if (program->refusal)
        rd_ptx_refuse(&m, program->refusal);
    for (unsigned k = 0; k < program->n_slots; k++) {
        bool is_user = k < program->n_user;
        slots[k] = is_user ? values[k] & rd_ptx_mask(program->widths[k]) : 0;
        unset[k] = !is_user || program->outputs >> k & 1;
    }
    for (unsigned k = 0; k < program->n; k++) {
        m.at = &program->code[k];
        if (m.at->guard.kind == RD_PTX_NONE || rd_ptx_get_part(&m, &m.at->guard, rd_ptx_pred))
            m.at->opcode->run(&m, m.at);
    }
    for (unsigned k = 0; k < program->n_user; k++)
        if (m.written >> k & 1)
            values[k] = slots[k];
    return m.written;
}
