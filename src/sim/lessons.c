// SPDX-License-Identifier: MIT
#include "sim/lessons.h"

static const struct {
    const char *name, *lesson;
} lessons[] = {
    [RD_SIM_RACE] =
        {"race", "Threads of a launch run in any order, also within a warp: put a barrier between "
                 "the two accesses, make both atomic, or give each thread a cell of its own."},
    [RD_SIM_BARRIER_DIVERGENCE] =
        {"barrier-divergence", "All threads of a block must come to the same __syncthreads(), or "
                               "grid barrier: take it out of the branch."},
    [RD_SIM_BARRIER_SKIPPED] = {"barrier-skipped-by-exit",
                                "All threads of a block must come to each __syncthreads(), and all "
                                "of a grid to each of its barriers: guard the work, not the "
                                "barrier, and return behind the last one."},
    [RD_SIM_OUT_OF_BOUNDS] = {"out-of-bounds",
                              "Each access must lie in the array: guard the index, since the last "
                              "block may have more threads than elements are left."},
    [RD_SIM_MISALIGNED] =
        {"misaligned", "An access of 2, 4, 8 or 16 bytes must be aligned to its size: check the "
                       "offset before a vector load."},
    [RD_SIM_UNINITIALISED] = {"uninitialised",
                              "Memory holds nothing until it is written, and shared memory starts "
                              "anew in each block: write it before it is read."},
    [RD_SIM_NO_TERMINATION] =
        {"no-termination", "It was stopped when its budget of steps or time was used up: check the "
                           "loop's condition and what changes it."},
    [RD_SIM_INACTIVE_LANE] = {"shuffle-from-inactive-lane",
                              "A lane may read only lanes that are in the mask and call the same "
                              "shuffle: put all lanes that are read into the mask."},
    [RD_SIM_MASK_MISMATCH] =
        {"mask-mismatch", "All lanes that a mask names, and no others, must call the function with "
                          "that mask: compute the mask before the branch, with __ballot_sync."},
    [RD_SIM_ASSERT_FAILED] = {"assert-failed",
                              "What the kernel's author took for granted is not so."},
    [RD_SIM_LEAK] =
        {"leak", "What a kernel allocates outlives the launch, takes from the device's heap, and "
                 "only a kernel can free it: free it behind its last use."},
    [RD_SIM_OVER_BUDGET] =
        {"over-budget", "Global memory is slow, and the kernel was to do with fewer accesses: keep "
                        "what is used again in a variable or in shared memory."},
    [RD_SIM_ILLEGAL_LAUNCH] =
        {"illegal-launch", "The device takes no such launch, and runs no thread of it: keep to its "
                           "limits, and check the error after each launch."},
};

static const char *const cases[] = {
    [RD_CASE_FREED] = "Once it is freed, memory is neither to be used nor to be freed again: let "
                      "one thread free it, behind a barrier that all who use it have passed.",
    [RD_CASE_FREE] = "A kernel may free only what malloc or new gave to a kernel, and only by "
                     "its first address: keep that pointer as it was.",
    [RD_CASE_STRAY] = "A kernel reaches device memory only: pass it pointers to that, and test "
                      "what malloc gives, which is null where the device's heap is used up.",
    [RD_CASE_SHARED] = "A block has as many bytes of dynamic shared memory as the launch asks for: "
                       "ask for them, in the third place of <<<...>>>, for check by --shared.",
    [RD_CASE_STACK] =
        "A thread has 512 KiB for its calls and their variables at most, and less unless "
        "cudaDeviceSetLimit asks for it: end the recursion sooner, or keep large "
        "arrays in global memory.",
};

const char *rd_sim_hazard_name(enum rd_sim_event_class class)
{
    return class < sizeof lessons / sizeof *lessons ? lessons[class].name : NULL;
}

const char *rd_sim_lesson(enum rd_sim_event_class class)
{
    return lessons[class].lesson;
}

const char *rd_sim_case_lesson(enum rd_sim_case which)
{
    return cases[which];
}
