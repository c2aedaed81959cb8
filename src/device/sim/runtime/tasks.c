// SPDX-License-Identifier: MIT
/* Does what a stream is given to do. */
#include "device/sim/api/hooks.h"
#include "device/sim/memory/memory.h"
#include "device/sim/runtime/graphs.h"

#include <stdio.h>
#include <string.h>

/* ---- copies and fills ---- */

/* One side of a copy. */
struct side {
    uintptr_t address;
    const struct rd_sim_allocation *memory; /* NULL: it is none of CUDA's */
    bool is_module;                         /* a variable of the file's, whosever */
};

static struct side side_of(const void *address)
{
    return (struct side){(uintptr_t)address, rd_sim_allocation_at(address),
                         rd_sim_module_has((uintptr_t)address)};
}

/* Tells whether the side may stand where a direction names the device, or the host. */
static bool may_be(const struct side *side, bool device)
{
    if (side->is_module && rd_sim_is_managed_variable(side->address))
        return true;
    if (side->is_module)
        return !device ? !rd_sim_is_device_variable(side->address)
                       : rd_sim_is_device_variable(side->address);
    return device ? side->memory != NULL
                  : !side->memory || side->memory->kind != RD_SIM_MEMORY_DEVICE;
}

static const char *const directions[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                         "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice"};

/* Tells of a side that is not where the direction says. */
static bool check_direction(const struct rd_sim_host_call *call, const struct side *to,
                            const struct side *from, enum cudaMemcpyKind kind)
{
    if (kind == cudaMemcpyDefault)
        return true;
    bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    bool good_to = may_be(to, to_device), good_from = may_be(from, from_device);
    const struct rd_sim_host_finding finding = {.hazard = RD_HAZARD_COPY_DIRECTION,
                                                .place = call->place};
    if (!good_to)
        rd_sim_host_tell(&finding, "%s copies by %s, but what it copies to is memory of the %s,",
                         call->name, directions[kind], to_device ? "host" : "device");
    if (!good_from)
        rd_sim_host_tell(&finding, "%s copies by %s, but what it copies from is memory of the %s,",
                         call->name, directions[kind], from_device ? "host" : "device");
    return good_to && good_from;
}

/* Tells of memory that has been freed, or is too short. */
static bool check_allocation(const struct rd_sim_host_call *call, const struct side *side,
                             size_t size_bytes, const char *verb)
{
    const struct rd_sim_allocation *allocation = side->memory;
    char name[200];
    size_t offset = (size_t)(side->address - allocation->base);
    if (!allocation->freed && size_bytes <= allocation->size_bytes - offset)
        return true;
    const struct rd_sim_host_finding finding = {
        .hazard = RD_HAZARD_OUT_OF_BOUNDS,
        .place = call->place,
        .other_text = allocation->freed ? "it was freed" : "it was allocated",
        .other = allocation->freed ? allocation->freer.place : allocation->made.place,
        .lesson = "A copy must stay within what is allocated on both of its sides.",
    };
    rd_sim_allocation_name(allocation, name, sizeof name);
    if (allocation->freed)
        rd_sim_host_tell(&finding, "%s %s %s, which has been freed,", call->name, verb, name);
    else
        rd_sim_host_tell(&finding, "%s %s %zu bytes from byte %zu on of %s,", call->name, verb,
                         size_bytes, offset, name);
    return false;
}

/* The same of a variable of the file, and of what the host has allocated. */
static bool check_host(const struct rd_sim_host_call *call, const struct side *side,
                       size_t size_bytes, const char *verb)
{
    bool inside = false;
    uintptr_t base = 0;
    size_t size = 0;
    char name[100] = "what the host has allocated";
    const struct rd_sim_array *array =
        side->is_module ? rd_sim_array_at(side->address, &inside) : NULL;
    if (inside) {
        base = array->base;
        size = array->size_bytes;
        snprintf(name, sizeof name, "%s", array->name);
    } else if (side->is_module || !rd_sim_host_block_at(side->address, &base, &size)) {
        return true; /* nothing is known of it */
    }
    size_t offset = (size_t)(side->address - base);
    if (size_bytes <= size - offset)
        return true;
    const struct rd_sim_host_finding finding = {
        .hazard = RD_HAZARD_OUT_OF_BOUNDS,
        .place = call->place,
        .lesson = "A copy must stay within what is allocated on both of its sides.",
    };
    rd_sim_host_tell(&finding, "%s %s %zu bytes from byte %zu on of %s, which has %zu,", call->name,
                     verb, size_bytes, offset, name, size);
    return false;
}

static bool check_size(const struct rd_sim_host_call *call, const struct side *side,
                       size_t size_bytes, const char *verb)
{
    return side->memory ? check_allocation(call, side, size_bytes, verb)
                        : check_host(call, side, size_bytes, verb);
}

/* From the first byte of a side to its last. */
static size_t extent_of(const struct rd_sim_box *box, size_t pitch, size_t slice)
{
    return (box->depth - 1) * slice + (box->height - 1) * pitch + box->width;
}

/* Tells whether some row that the box reads meets the one that it writes there. No row is wider than its pitch. */
static bool is_read(const struct rd_sim_box *box, uintptr_t row)
{
    for (size_t z = 0; z < box->depth; z++) {
        const uintptr_t first = (uintptr_t)box->from + z * box->from_slice;
        size_t y = row < first || box->height == 1 ? 0 : (row - first) / box->from_pitch;
        for (const size_t end = y + 2; y < end && y < box->height; y++) {
            const uintptr_t other = first + y * box->from_pitch;
            if (row < other + box->width && other < row + box->width)
                return true;
        }
    }
    return false;
}

static bool overlaps(const struct rd_sim_box *box)
{
    const uintptr_t to = (uintptr_t)box->to, from = (uintptr_t)box->from;
    if (to >= from + extent_of(box, box->from_pitch, box->from_slice) ||
        from >= to + extent_of(box, box->to_pitch, box->to_slice))
        return false;
    for (size_t z = 0; z < box->depth; z++)
        for (size_t y = 0; y < box->height; y++)
            if (is_read(box, to + z * box->to_slice + y * box->to_pitch))
                return true;
    return false;
}

/* In which order a copy moves its bytes is left open. (CUDA Runtime API, cudaMemcpy: "The memory areas may not overlap".) */
static void check_overlap(const struct rd_sim_task *task)
{
    const struct rd_sim_box *box = &task->box;
    const uintptr_t to = (uintptr_t)box->to, from = (uintptr_t)box->from;
    const struct rd_sim_host_finding finding = {
        .hazard = RD_HAZARD_RACE,
        .place = task->call.place,
        .lesson = "The two sides of a copy must not overlap: copy by way of another array.",
    };
    const bool is_itself = to == from && (box->height == 1 || box->to_pitch == box->from_pitch) &&
                           (box->depth == 1 || box->to_slice == box->from_slice);
    if (!is_itself && overlaps(box))
        rd_sim_host_tell(&finding, "%s %s from byte %zu on of what it %s, in no order of bytes,",
                         task->call.name, to >= from ? "writes" : "reads",
                         (size_t)(to >= from ? to - from : from - to),
                         to >= from ? "reads" : "writes");
}

static bool is_empty(const struct rd_sim_box *box)
{
    return box->width == 0 || box->height == 0 || box->depth == 0;
}

static cudaError_t check_box(const struct rd_sim_task *task)
{
    const struct rd_sim_box *box = &task->box;
    const struct side to = side_of(box->to), from = side_of(box->from);
    const struct rd_sim_host_finding finding = {
        .hazard = RD_HAZARD_HOST_ACCESS,
        .place = task->call.place,
        .lesson = "cudaMemset() fills memory of a device: fill that of the host by memset().",
    };
    if (is_empty(box))
        return cudaSuccess;
    if (!box->to || (!box->from && box->value_bytes == 0))
        return cudaErrorInvalidValue;
    if ((box->height > 1 || box->depth > 1) &&
        (box->to_pitch < box->width || (box->from && box->from_pitch < box->width)))
        return box->from ? cudaErrorInvalidPitchValue : cudaErrorInvalidValue;
    if (box->depth > 1 && (box->to_slice == 0 || (box->from && box->from_slice == 0)))
        return cudaErrorInvalidPitchValue;
    if ((unsigned)box->kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    char what[100];
    snprintf(what, sizeof what, "%s is given", task->call.name);
    if (!box->is_of_symbol &&
        (rd_sim_tell_shadow(box->to, &task->call.place, what) ||
         (box->from && rd_sim_tell_shadow(box->from, &task->call.place, what))))
        return cudaErrorInvalidValue;
    bool good = true;
    if (box->from)
        good = check_direction(&task->call, &to, &from, box->kind);
    else if (!to.memory && !to.is_module) {
        rd_sim_host_tell(&finding, "%s is given a pointer that is none of CUDA's memory,",
                         task->call.name);
        return cudaErrorInvalidValue;
    }
    good = check_size(&task->call, &to, extent_of(box, box->to_pitch, box->to_slice), "writes") &&
           good;
    if (box->from)
        good = check_size(&task->call, &from, extent_of(box, box->from_pitch, box->from_slice),
                          "reads") &&
               good;
    if (good && box->from)
        check_overlap(task);
    return good ? cudaSuccess : cudaErrorInvalidValue;
}

static void fill(void *to, size_t size_bytes, unsigned value, unsigned value_bytes)
{
    if (value_bytes == 1)
        memset(to, (int)(value & 0xff), size_bytes);
    for (size_t k = 0; value_bytes > 1 && k + value_bytes <= size_bytes; k += value_bytes)
        memcpy((char *)to + k, &value, value_bytes);
}

static void do_row(const struct rd_sim_task *task, const struct rd_sim_step *step, size_t to_at,
                   size_t from_at, size_t width)
{
    const struct rd_sim_box *box = &task->box;
    char *to = (char *)box->to + to_at;
    const char *from = box->from ? (const char *)box->from + from_at : NULL;
    rd_sim_step_accesses(step, (uintptr_t)to, width, true);
    if (from) {
        rd_sim_step_accesses(step, (uintptr_t)from, width, false);
        if (rd_sim_allocation_at(from) || rd_sim_is_device_variable((uintptr_t)from))
            rd_sim_variables_are_copied(from, width);
        memmove(to, from, width);
        rd_sim_memory_copied(to, from, width);
        rd_sim_host_unset_copied(to, from, width, &task->call);
    } else {
        fill(to, width, box->value, box->value_bytes);
        rd_sim_memory_set((uintptr_t)to, width);
    }
}

static void do_box(const struct rd_sim_task *task, const struct rd_sim_step *step)
{
    const struct rd_sim_box *box = &task->box;
    bool is_one = box->depth == 1 &&
                  (box->height == 1 ||
                   (box->to_pitch == box->width && (!box->from || box->from_pitch == box->width)));
    if (is_empty(box))
        return;
    if (is_one) {
        do_row(task, step, 0, 0, box->width * box->height);
        return;
    }
    for (size_t z = 0; z < box->depth; z++)
        for (size_t y = 0; y < box->height; y++)
            do_row(task, step, z * box->to_slice + y * box->to_pitch,
                   z * box->from_slice + y * box->from_pitch, box->width);
}

/* Remembers for findings what the box has written, from its first byte to its last. */
static void note_filled(const struct rd_sim_task *task)
{
    const struct rd_sim_box *box = &task->box;
    const struct rd_sim_host_place *at = &task->call.place;
    if (!is_empty(box))
        rd_sim_memory_filled(
            (uintptr_t)box->to, extent_of(box, box->to_pitch, box->to_slice), task->call.name,
            &(struct rd_sim_site){.pc = at->pc, .file = at->file, .line = at->line});
}

/* The byte of a pitched pointer at a position; positions in x are of bytes. */
static void *at_position(const struct cudaPitchedPtr *pitched, const struct cudaPos *at)
{
    return (char *)pitched->ptr + at->z * pitched->pitch * pitched->ysize + at->y * pitched->pitch +
           at->x;
}

/* Tells whether a box at a position lies within the rows of a pitched pointer, and, where it says how many make a slice, within
 * these. Of a single row the pitch may be 0; several rows that are wider than the pitch are refused as such later. */
static bool is_within(const struct cudaPitchedPtr *pitched, const struct cudaPos *at,
                      const struct cudaExtent *extent)
{
    const bool is_row = extent->height <= 1 && extent->depth <= 1,
               is_wide = extent->width > pitched->pitch,
               is_in_rows = is_wide ? !is_row || pitched->pitch == 0
                                    : at->x <= pitched->pitch - extent->width;
    return is_in_rows && !(pitched->ysize > 0 && (extent->height > pitched->ysize ||
                                                  at->y > pitched->ysize - extent->height));
}

bool rd_sim_box_of_3d(const struct cudaMemcpy3DParms *copy, struct rd_sim_box *box)
{
    if (!copy || copy->srcArray || copy->dstArray || !copy->srcPtr.ptr || !copy->dstPtr.ptr ||
        !is_within(&copy->srcPtr, &copy->srcPos, &copy->extent) ||
        !is_within(&copy->dstPtr, &copy->dstPos, &copy->extent))
        return false;
    *box = (struct rd_sim_box){
        .to = at_position(&copy->dstPtr, &copy->dstPos),
        .from = at_position(&copy->srcPtr, &copy->srcPos),
        .to_pitch = copy->dstPtr.pitch,
        .from_pitch = copy->srcPtr.pitch,
        .to_slice = copy->dstPtr.pitch * copy->dstPtr.ysize,
        .from_slice = copy->srcPtr.pitch * copy->srcPtr.ysize,
        .width = copy->extent.width,
        .height = copy->extent.height,
        .depth = copy->extent.depth,
        .kind = copy->kind,
    };
    return true;
}

/* ---- all of them ---- */

cudaError_t rd_sim_task_check(const struct rd_sim_task *task)
{
    if (task->library)
        return rd_sim_library_check(task->library);
    switch (task->type) {
    case cudaGraphNodeTypeKernel:
        return rd_sim_launch_check(&task->launch, task->cooperative);
    case cudaGraphNodeTypeMemcpy:
    case cudaGraphNodeTypeMemset:
        return check_box(task);
    default:
        return cudaSuccess;
    }
}

static void call_host(const struct rd_sim_task *task, const struct rd_sim_step *step)
{
    /* What it calls are calls of its own. */
    const struct rd_sim_outer *outer = rd_sim_outer_set(NULL);
    rd_sim_host_stands_in(step);
    if (task->callback)
        task->callback(task->stream, cudaSuccess, task->data);
    else
        task->function(task->data);
    rd_sim_host_stands_in(NULL);
    rd_sim_outer_set(outer);
}

cudaError_t rd_sim_task_do(const struct rd_sim_task *task, const struct rd_sim_step *step,
                           bool may_race)
{
    if (task->library) {
        rd_sim_library_run(task->library, step, may_race);
        return cudaSuccess;
    }
    switch (task->type) {
    case cudaGraphNodeTypeKernel:
        return rd_sim_host_launch(&task->launch, task->cooperative, step, may_race);
    case cudaGraphNodeTypeMemcpy:
    case cudaGraphNodeTypeMemset:
        do_box(task, step);
        note_filled(task);
        return cudaSuccess;
    case cudaGraphNodeTypeHost:
        call_host(task, step);
        return cudaSuccess;
    case cudaGraphNodeTypeMemAlloc: {
        cudaError_t error = rd_sim_memory_renew(&task->call, task->memory, task->renews);
        if (error == cudaSuccess)
            rd_sim_step_accesses(step, (uintptr_t)task->memory, task->size_bytes, true);
        return error;
    }
    case cudaGraphNodeTypeMemFree:
        rd_sim_step_accesses(step, (uintptr_t)task->memory, task->size_bytes, true);
        return rd_sim_memory_give(&task->call, task->memory);
    default:
        return cudaSuccess;
    }
}
