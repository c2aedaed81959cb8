// SPDX-License-Identifier: MIT
/* Events of the engine and their subscribers, the detectors. The engine calls no detector by name: create.c has the
 * table of detectors, and each event goes to all of them in that order. All functions are optional.
 *
 * An access to memory is not among the events: the kernel's hooks call its check directly (fast_path.h), so that the
 * hot path has no indirect call. Other code that needs accesses sets core.on_access. */
#ifndef RD_SIM_DETECTOR_H
#define RD_SIM_DETECTOR_H

#include "device/sim/object.h"

struct rd_sim_stack;

struct rd_sim_detector {
    /* Called when a launch has ended. */
    void (*launch_end)(void);
    /* Called before the launch runs again, under the k-th schedule; when its first run has ended; and where a later run has left other
     * bytes at an address than the first. */
    void (*again)(unsigned k, const char *schedule);
    void (*first_end)(void);
    void (*difference)(uintptr_t address, const unsigned char *first, size_t size_bytes);

    /* Parts of a launch that run in processes of their own (jobs.c). In such a process, part_begin forgets what was
     * found before, and part_give writes what the part has found, at most part_bytes, or returns false where that is
     * too little. In the process that waits, part_take adds the findings, part by part. */
    size_t part_bytes;
    void (*part_begin)(void);
    bool (*part_give)(void *handed);
    void (*part_take)(const void *handed);

    /* Called when a block begins (false: no memory), and when it has ended. */
    bool (*block_begin)(unsigned threads);
    void (*block_end)(void);
    /* Called when the block is put aside, for what the detector knows of it, and when it is resumed, with that. One
     * detector has these. */
    struct rd_sim_knowledge *(*block_leave)(void);
    void (*block_resume)(struct rd_sim_knowledge *knowledge);

    /* Called when all threads of the block have come to a barrier, or ended: a new interval begins. */
    void (*barrier)(void);
    /* Called when lanes of a warp have met at a barrier: they begin that epoch. */
    void (*warp_barrier)(unsigned warp, uint32_t lanes, unsigned epoch);

    /* Called when the write that the running thread was about to make (core.is_waiting) has taken place, or, unless `done`, may have:
     * false then lets the thread go on, and asks again at its next access. */
    bool (*settle)(bool done);
    /* Called before memory changes other than by an access. */
    void (*memory_changes)(void);
    /* Called for a record that is a cell (record.h): before it is dropped, as its memory goes to the next block, and to split it into
     * those of its four bytes. */
    void (*cell_drop)(uint64_t record);
    void (*cell_split)(uint64_t record, uint64_t records[4]);

    /* Called for a new stack, and when what runs on a stack has ended without returning. */
    void (*stack)(const struct rd_sim_stack *stack);
    void (*stack_clear)(const struct rd_sim_stack *stack);
    /* Bytes that the detector keeps of a part of a stack that is put aside: how many, filled by `save`, given back to
     * `restore`. A detector has all three or none. */
    size_t (*stack_marks)(size_t stack_bytes);
    void (*stack_save)(uintptr_t from, size_t stack_bytes, void *copy);
    void (*stack_restore)(uintptr_t to, size_t stack_bytes, const void *copy);
};

/* Loops over the detectors, as `detector`. */
#define RD_SIM_EACH_DETECTOR                                                                       \
    for (const struct rd_sim_detector *const *at_ = rd_sim_here->core.detectors, *detector;        \
         (detector = *at_); at_++)
/* Calls the event's function of each detector that has it. */
#define RD_SIM_TELL(event, ...)                                                                    \
    do {                                                                                           \
        RD_SIM_EACH_DETECTOR                                                                       \
        if (detector->event)                                                                       \
            detector->event(__VA_ARGS__);                                                          \
    } while (0)

#endif
