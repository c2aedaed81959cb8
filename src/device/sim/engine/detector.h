// SPDX-License-Identifier: MIT
/* Events of the engine, and their subscribers. The engine runs threads, and calls no detector by its name: each has a
 * row of functions, all of them optional, in the one table of create.c, and is told in the order of that.
 *
 * An access to memory is no event of the engine: the kernel's hooks call its check directly (fast_path.h), so that the
 * hot path has no indirect call. Who else wants to know of accesses sets core.on_access. */
#ifndef RD_SIM_DETECTOR_H
#define RD_SIM_DETECTOR_H

#include "device/sim/object.h"

struct rd_sim_stack;

struct rd_sim_detector {
    /* A launch has ended. */
    void (*launch_end)(void);
    /* The launch is about to run once more, under the k-th schedule; */
    void (*again)(unsigned k, const char *schedule);
    /* its first run has ended; a further one has left something else at this address than the first. */
    void (*first_end)(void);
    void (*difference)(uintptr_t address, const unsigned char *first, size_t size_bytes);

    /* Processes run parts of a launch, one after the other as to their findings (jobs.c). In one, a part begins: what was
     * found before is not its own. It has ended: all that was found is handed over in so many bytes, false where
     * that is too much. And in the process that waits for all of them: this is taken over. */
    size_t part_bytes;
    void (*part_begin)(void);
    bool (*part_give)(void *handed);
    void (*part_take)(const void *handed);

    /* A block of so many threads begins; false without memory. It has ended. */
    bool (*block_begin)(unsigned threads);
    void (*block_end)(void);
    /* The block is put aside, with the knowledge that is returned, and resumed with it. Only one detector has these. */
    struct rd_sim_knowledge *(*block_leave)(void);
    void (*block_resume)(struct rd_sim_knowledge *knowledge);

    /* All threads of the block have come to a barrier, or ended; its new interval has begun. */
    void (*barrier)(void);
    /* These lanes of a warp have met at a barrier, and begin this epoch. */
    void (*warp_barrier)(unsigned warp, uint32_t lanes, unsigned epoch);

    /* The write that the running thread was about to make (core.is_waiting) has taken place; unless `done`, it may
     * have, and false has the thread go on to its next access, and be asked there again. */
    bool (*settle)(bool done);
    /* Memory is about to change other than by an access. */
    void (*memory_changes)(void);
    /* A record that is a cell (record.h) is forgotten, as its memory is the next block's; or becomes those of four
     * bytes. */
    void (*cell_drop)(uint64_t record);
    void (*cell_split)(uint64_t record, uint64_t records[4]);

    /* A stack is new; what runs on it ends in its middle. */
    void (*stack)(const struct rd_sim_stack *stack);
    void (*stack_clear)(const struct rd_sim_stack *stack);
    /* So many bytes of its own are kept with a part of a stack that is kept aside: `save` fills them, `restore` has them
     * back. Who has one of the three has all. */
    size_t (*stack_marks)(size_t stack_bytes);
    void (*stack_save)(uintptr_t from, size_t stack_bytes, void *copy);
    void (*stack_restore)(uintptr_t to, size_t stack_bytes, const void *copy);
};

/* Comes to each detector in turn, as `detector`. */
#define RD_SIM_EACH_DETECTOR                                                                       \
    for (const struct rd_sim_detector *const *at_ = rd_sim_here->core.detectors, *detector;        \
         (detector = *at_); at_++)
/* Tells the event to all who subscribe to it. */
#define RD_SIM_TELL(event, ...)                                                                    \
    do {                                                                                           \
        RD_SIM_EACH_DETECTOR                                                                       \
        if (detector->event)                                                                       \
            detector->event(__VA_ARGS__);                                                          \
    } while (0)

#endif
