// SPDX-License-Identifier: MIT
/* Bytes of the host's memory that were copied from a device where nothing had written them. The copy is no mistake, as rows are padded,
 * but a read of such a byte is one. */
#include "base/array.h"
#include "device/sim/memory/memory.h"
#include "device/sim/runtime/runtime_internal.h"

#include <stdlib.h>
#include <string.h>

enum { RUNS_MAX = 1 << 12 };

/* Unset bytes beside each other, of one copy. */
struct run {
    uintptr_t from, to;
    uintptr_t copied; /* where the copy began */
    size_t size_bytes;
    struct rd_sim_host_place place;
    char source[200];
};

static struct {
    struct run *all;
    size_t n, capacity;
} runs;

static void drop(size_t k)
{
    runs.all[k] = runs.all[--runs.n];
}

/* Has only accesses be looked at that may reach one. */
static void note_range(void)
{
    uintptr_t from = runs.n > 0 ? runs.all[0].from : 0, to = from;
    for (size_t k = 0; k < runs.n; k++) {
        from = runs.all[k].from < from ? runs.all[k].from : from;
        to = runs.all[k].to > to ? runs.all[k].to : to;
    }
    rd_sim_host_see_unset(from, to - from);
}

void rd_sim_host_unset_forget(uintptr_t address, size_t size_bytes)
{
    const uintptr_t end = address + size_bytes;
    bool changed = false;
    for (size_t k = runs.n; k-- > 0;) {
        struct run *run = &runs.all[k];
        if (run->to <= address || end <= run->from)
            continue;
        changed = true;
        const struct run rest = *run;
        run->to = address;
        if (address <= rest.from)
            drop(k);
        if (end < rest.to &&
            rd_array_make_room(&runs.all, runs.n, &runs.capacity, sizeof *runs.all)) {
            runs.all[runs.n] = rest;
            runs.all[runs.n++].from = end;
        }
    }
    if (changed)
        note_range();
}

/* Tells whether the byte is unset there; its value says so of most without a look at the shadow. */
static bool is_unset(const unsigned char *from, size_t k)
{
    return from[k] == RD_SIM_POISON && rd_sim_memory_unset((uintptr_t)from + k, 1) == 0;
}

void rd_sim_host_unset_copied(const void *to, const void *from, size_t size_bytes,
                              const struct rd_sim_host_call *call)
{
    enum rd_sim_space space;
    const uintptr_t at = (uintptr_t)to;
    const struct rd_sim_allocation *source = rd_sim_allocation_at(from);
    if (rd_sim_shadow(at, &space))
        return;
    rd_sim_host_unset_forget(at, size_bytes);
    if (!source || source->kind != RD_SIM_MEMORY_DEVICE)
        return;
    const unsigned char *bytes = from, *next;
    for (size_t k = 0, end; k < size_bytes && runs.n < RUNS_MAX; k = end + 1) {
        if (!(next = memchr(bytes + k, RD_SIM_POISON, size_bytes - k)))
            break;
        for (end = k = (size_t)(next - bytes); end < size_bytes && is_unset(bytes, end);)
            end++;
        if (end == k || !rd_array_make_room(&runs.all, runs.n, &runs.capacity, sizeof *runs.all))
            continue;
        struct run *run = &runs.all[runs.n++];
        *run = (struct run){at + k, at + end, at, size_bytes, call->place, ""};
        rd_sim_allocation_name(source, run->source, sizeof run->source);
    }
    note_range();
}

bool rd_sim_host_unset_has(uintptr_t address)
{
    for (size_t k = 0; k < runs.n; k++)
        if (address - runs.all[k].from < runs.all[k].to - runs.all[k].from)
            return true;
    return false;
}

/* Tells of it, once for each copy. */
static void tell(const struct run *found, uintptr_t address, uintptr_t pc)
{
    const struct run run = *found;
    const struct rd_sim_host_finding finding = {
        .hazard = RD_HAZARD_UNINITIALISED,
        .place = {.pc = pc},
        .other_text = "it was copied",
        .other = run.place,
        .lesson = "No kernel and no copy had written that part of the device's memory: look at how "
                  "many elements the kernel writes, and at the sizes of copies, which are bytes.",
    };
    for (size_t k = runs.n; k-- > 0;)
        if (runs.all[k].copied == run.copied && runs.all[k].place.pc == run.place.pc)
            drop(k);
    note_range();
    rd_sim_host_tell(&finding,
                     "the host reads byte %zu of %zu that were copied from %s, where nothing had "
                     "written it,",
                     (size_t)(address - run.copied), run.size_bytes, run.source);
}

void rd_sim_host_unset_accessed(uintptr_t address, size_t size_bytes, bool writes, uintptr_t pc)
{
    enum { WORD = 16 }; /* larger ones are copies */
    if (writes) {
        rd_sim_host_unset_forget(address, size_bytes);
        return;
    }
    for (size_t k = 0; k < runs.n && size_bytes <= WORD; k++) {
        const struct run *run = &runs.all[k];
        if (address < run->from || run->to < address + size_bytes)
            continue;
        for (size_t byte = 0; byte < size_bytes; byte++)
            if (((const unsigned char *)address)[byte] != RD_SIM_POISON)
                return; /* set by what is not seen, as a file's content */
        tell(run, address, pc);
        return;
    }
}
