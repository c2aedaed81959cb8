// SPDX-License-Identifier: MIT
/* Calls of libraries' functions. What they access is looked at as a whole before they are made, and ordered with what other
 * streams do. */
#include "device/sim/memory/memory.h"
#include "device/sim/runtime/graphs.h"

#include <stdlib.h>
#include <string.h>

/* ---- operands ---- */

static bool is_empty(const struct rd_sim_operand *operand)
{
    return operand->row_bytes == 0 || operand->n_rows == 0;
}

/* From its first byte to its last. */
static size_t extent_of(const struct rd_sim_operand *operand)
{
    return (operand->n_rows - 1) * operand->pitch_bytes + operand->row_bytes;
}

static bool is_one_row(const struct rd_sim_operand *operand)
{
    return operand->n_rows == 1 || operand->pitch_bytes == operand->row_bytes;
}

/* Calls it for each row; for all of them at once where nothing is between them. */
static void visit_rows(const struct rd_sim_operand *operand,
                       void (*visit)(void *self, uintptr_t address, size_t size_bytes), void *self)
{
    const uintptr_t first = (uintptr_t)operand->address;
    if (is_empty(operand))
        return;
    if (is_one_row(operand)) {
        visit(self, first, extent_of(operand));
        return;
    }
    for (size_t k = 0; k < operand->n_rows; k++)
        visit(self, first + k * operand->pitch_bytes, operand->row_bytes);
}

static const char *does(const struct rd_sim_operand *operand)
{
    return operand->use & RD_SIM_IS_WRITTEN ? "writes" : "reads";
}

/* ---- what is wrong with them ---- */

static bool tell_beyond(const struct rd_sim_library_call *call,
                        const struct rd_sim_operand *operand, size_t offset, const char *name,
                        const struct rd_sim_allocation *memory)
{
    struct rd_sim_host_finding finding = {
        .hazard = RD_HAZARD_OUT_OF_BOUNDS,
        .place = call->call->place,
        .lesson = "A library's function accesses all that its sizes, its leading dimensions and "
                  "its increments say: the memory must hold that.",
    };
    if (memory) {
        finding.other_text = memory->freed ? "it was freed" : "it was allocated";
        finding.other = memory->freed ? memory->freer.place : memory->made.place;
    }
    if (memory && memory->freed)
        rd_sim_host_tell(&finding, "%s %s %s, %s, which has been freed,", call->call->name,
                         does(operand), operand->name, name);
    else
        rd_sim_host_tell(&finding, "%s %s %s, %zu bytes from byte %zu on of %s%s", call->call->name,
                         does(operand), operand->name, extent_of(operand), offset, name,
                         memory ? "," : ":");
    return false;
}

static bool tell_host(const struct rd_sim_library_call *call, const struct rd_sim_operand *operand)
{
    const struct rd_sim_host_finding finding = {
        .hazard = RD_HAZARD_OUT_OF_BOUNDS,
        .place = call->call->place,
        .lesson = "The function runs on the device: it must be given device memory. Scalars and "
                  "results are the host's or the device's as the handle's pointer mode says.",
    };
    rd_sim_host_tell(&finding, "%s %s %s, which is %s,", call->call->name, does(operand),
                     operand->name,
                     operand->address ? "no memory of the device" : "a null pointer");
    return false;
}

static bool tell_device(const struct rd_sim_library_call *call,
                        const struct rd_sim_operand *operand)
{
    const struct rd_sim_host_finding finding = {
        .hazard = RD_HAZARD_HOST_ACCESS,
        .place = call->call->place,
        .lesson = "Scalars and results are the host's or the device's as the handle's pointer mode "
                  "says: the host's, unless it was set.",
    };
    rd_sim_host_tell(&finding, "%s %s %s on the host, but that is memory of the device,",
                     call->call->name, does(operand), operand->name);
    return false;
}

static bool is_of_device(const struct rd_sim_allocation *memory, const void *address)
{
    return memory ? memory->kind == RD_SIM_MEMORY_DEVICE
                  : rd_sim_is_device_variable((uintptr_t)address);
}

static bool check_variable(const struct rd_sim_library_call *call,
                           const struct rd_sim_operand *operand)
{
    bool inside = false;
    const struct rd_sim_array *array = rd_sim_array_at((uintptr_t)operand->address, &inside);
    if (!inside)
        return tell_host(call, operand);
    size_t offset = (uintptr_t)operand->address - array->base;
    return extent_of(operand) <= array->size_bytes - offset ||
           tell_beyond(call, operand, offset, array->name, NULL);
}

static bool check_place(const struct rd_sim_library_call *call,
                        const struct rd_sim_operand *operand)
{
    const struct rd_sim_allocation *memory = rd_sim_allocation_at(operand->address);
    char name[200];
    if (operand->use & RD_SIM_IS_OF_HOST)
        return !operand->address                        ? tell_host(call, operand)
               : is_of_device(memory, operand->address) ? tell_device(call, operand)
                                                        : true;
    if (!memory)
        return rd_sim_module_has((uintptr_t)operand->address) ? check_variable(call, operand)
                                                              : tell_host(call, operand);
    size_t offset = (uintptr_t)operand->address - memory->base;
    if (!memory->freed && extent_of(operand) <= memory->size_bytes - offset)
        return true;
    rd_sim_allocation_name(memory, name, sizeof name);
    return tell_beyond(call, operand, offset, name, memory);
}

struct search {
    uintptr_t unset; /* 0: not found */
};

static void find_unset(void *self, uintptr_t address, size_t size_bytes)
{
    struct search *search = self;
    if (search->unset)
        return;
    size_t offset = rd_sim_memory_unset(address, size_bytes);
    if (offset < size_bytes)
        search->unset = address + offset;
}

static void check_set(const struct rd_sim_library_call *call, const struct rd_sim_operand *operand)
{
    struct search search = {0};
    if (!(operand->use & RD_SIM_IS_READ) || (operand->use & RD_SIM_IS_OF_HOST))
        return;
    visit_rows(operand, find_unset, &search);
    if (!search.unset)
        return;
    const struct rd_sim_allocation *memory = rd_sim_allocation_at((void *)search.unset);
    char name[200] = "a variable";
    struct rd_sim_host_finding finding = {
        .hazard = RD_HAZARD_UNINITIALISED,
        .place = call->call->place,
    };
    if (memory) {
        finding.other_text = "it was allocated";
        finding.other = memory->made.place;
        rd_sim_allocation_name(memory, name, sizeof name);
    }
    rd_sim_host_tell(&finding, "%s reads %s, whose byte %zu (%s) nobody has written,",
                     call->call->name, operand->name,
                     (size_t)(search.unset - (uintptr_t)operand->address), name);
}

cudaError_t rd_sim_library_check(const struct rd_sim_library_call *call)
{
    bool good = true;
    for (size_t k = 0; k < call->n_operands; k++)
        if (!is_empty(&call->operands[k]))
            good = check_place(call, &call->operands[k]) && good;
    return good ? cudaSuccess : cudaErrorIllegalAddress;
}

/* ---- making it ---- */

struct access {
    const struct rd_sim_step *step;
    bool writes;
};

static void access_row(void *self, uintptr_t address, size_t size_bytes)
{
    const struct access *access = self;
    rd_sim_step_accesses(access->step, address, size_bytes, access->writes);
}

static void set_row(void *self, uintptr_t address, size_t size_bytes)
{
    (void)self;
    rd_sim_memory_set(address, size_bytes);
}

/* Orders it with what other streams and the host do. */
static void access_operand(const struct rd_sim_library_call *call,
                           const struct rd_sim_operand *operand, const struct rd_sim_step *step)
{
    enum { ROWS_MAX = 4096 };
    struct access access = {step, operand->use & RD_SIM_IS_WRITTEN};
    if (is_empty(operand) || (operand->use & RD_SIM_IS_OF_HOST))
        return;
    if (is_one_row(operand) || operand->n_rows <= ROWS_MAX)
        visit_rows(operand, access_row, &access);
    else
        rd_sim_runtime_lacks("races between streams with %s, which accesses memory in more than "
                             "%d pieces",
                             call->call->name, ROWS_MAX);
}

void rd_sim_library_run(const struct rd_sim_library_call *call, const struct rd_sim_step *step,
                        bool may_race)
{
    bool looks = may_race || rd_sim_memory_is_seen();
    for (size_t k = 0; k < call->n_operands; k++) {
        check_set(call, &call->operands[k]);
        if (looks)
            access_operand(call, &call->operands[k], step);
    }
    call->work(call->closure);
    for (size_t k = 0; k < call->n_operands; k++)
        if ((call->operands[k].use & RD_SIM_IS_WRITTEN) &&
            !(call->operands[k].use & RD_SIM_IS_OF_HOST))
            visit_rows(&call->operands[k], set_row, NULL);
}

struct rd_sim_library_call *rd_sim_library_keep(const struct rd_sim_library_call *call)
{
    struct rd_sim_library_call *kept = malloc(sizeof *kept);
    struct rd_sim_host_call *host = malloc(sizeof *host);
    struct rd_sim_operand *operands = calloc(call->n_operands + 1, sizeof *operands);
    void *closure = malloc(call->closure_bytes + 1);
    if (!kept || !host || !operands || !closure) {
        free(kept);
        free(host);
        free(operands);
        free(closure);
        return NULL;
    }
    *kept = *call;
    *host = *call->call;
    memcpy(closure, call->closure, call->closure_bytes);
    memcpy(operands, call->operands, call->n_operands * sizeof *operands);
    kept->call = host;
    kept->operands = operands;
    kept->closure = closure;
    return kept;
}

void rd_sim_library_let_go(const struct rd_sim_library_call *kept)
{
    if (!kept)
        return;
    free((void *)kept->call);
    free((void *)kept->operands);
    free((void *)kept->closure);
    free((void *)kept);
}
