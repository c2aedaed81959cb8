// SPDX-License-Identifier: MIT
/* The table of hazards, one row each: X(name in the enumeration, name, what is undefined after it, further effects,
 * sentence that describes it). src/device/hazards.c has the words of the third and the fourth column. */
#ifndef RD_HAZARD_TABLE_H
#define RD_HAZARD_TABLE_H

/* Hazards that the simulator finds, in one launch or in several of one kernel. */
#define RD_SIM_HAZARDS(X)                                                                          \
    X(RACE, "race", ROUND, 0,                                                                      \
      "Two threads access the same bytes, one of them to write, and nothing orders the two.")      \
    X(BARRIER_DIVERGENCE, "barrier-divergence", ROUND, 0,                                          \
      "Threads pass a barrier by, or wait at another one, where others of them wait.")             \
    X(BARRIER_SKIPPED, "barrier-skipped-by-exit", ROUND, 0,                                        \
      "Threads return in front of a barrier at which others wait.")                                \
    X(OUT_OF_BOUNDS, "out-of-bounds", ROUND, STOPS_KERNEL,                                         \
      "An access is beyond the end of its array, or to no memory of the device.")                  \
    X(MISALIGNED, "misaligned", ROUND, STOPS_KERNEL,                                               \
      "The address of an access is no multiple of its size.")                                      \
    X(UNINITIALISED, "uninitialised", ROUND, 0, "Memory is read that nobody has written.")         \
    X(NO_TERMINATION, "no-termination", ROUND, LOSES_DEVICE,                                       \
      "The kernel does not come to its end.")                                                      \
    X(INACTIVE_LANE, "shuffle-from-inactive-lane", ROUND, 0,                                       \
      "A shuffle reads from a lane that takes no part in it.")                                     \
    X(MASK_MISMATCH, "mask-mismatch", ROUND, 0,                                                    \
      "The lanes that come to a warp function are not those of its mask.")                         \
    X(ASSERT_FAILED, "assert-failed", ROUND, STOPS_KERNEL, "An assert() in the kernel fails.")     \
    X(LEAK, "leak", NOTHING, 0, "Memory that the kernel has taken from the heap is not freed.")    \
    X(OVER_BUDGET, "over-budget", NOTHING, 0,                                                      \
      "A thread makes more accesses to global memory than its program promises.")                  \
    X(ILLEGAL_LAUNCH, "illegal-launch", ROUND, 0, "The launch is one that CUDA refuses.")          \
    X(ORDER_DEPENDENT, "order-dependent", ROUND, 0,                                                \
      "Another order of the threads changes the result.")                                          \
    X(PLAIN_READ_OF_ATOMIC, "plain-read-of-atomic", ROUND, 0,                                      \
      "A plain read, the first guess for an atomicCAS(), races with the atomics of other "         \
      "threads.")                                                                                  \
    X(UNDEFINED_ARITHMETIC, "undefined-arithmetic", ROUND, 0,                                      \
      "C++ leaves open what a shift, a conversion or a division of these values is.")              \
    X(DEAD_FRAME, "dead-frame", ROUND, 0,                                                          \
      "A local variable is accessed behind the end of its block or function.")                     \
    X(SHUFFLE_WIDTH, "shuffle-width", ROUND, 0,                                                    \
      "The width of a shuffle is no power of two from 1 to 32.")                                   \
    X(PRINTF_ARGUMENTS, "printf-arguments", NOTHING, 0,                                            \
      "A printf() in a kernel has other arguments than its format asks for.")

/* All. Those that `check` tells come first, in the order in which its reports list their rules: the simulator's, and two
 * of a kernel that it runs, the second of which is no hazard, but a finding all the same. Then come those of the host code
 * of a program that runs whole, and those of a run, seen by the driver. */
#define RD_HAZARDS(X)                                                                              \
    RD_SIM_HAZARDS(X)                                                                              \
    X(CRASH, "crash", ROUND, 0, "The kernel is ended by a signal.")                                \
    X(UNEXPECTED_RESULT, "unexpected-result", ROUND, 0,                                            \
      "A buffer does not hold what is expected of it.")                                            \
    X(HOST_ACCESS, "host-access", ROUND, 0,                                                        \
      "The host's code accesses memory that only the device has.")                                 \
    X(COPY_DIRECTION, "copy-direction", ROUND, 0,                                                  \
      "A copy names another direction than that of its two sides.")                                \
    X(INVALID_FREE, "invalid-free", ROUND, 0,                                                      \
      "Memory is freed that is not allocated there, or no more.")                                  \
    X(UNCHECKED_ERROR, "unchecked-error", ROUND, 0,                                                \
      "A call of CUDA's runtime fails, and the program does not look.")                            \
    X(KERNEL_FAULT, "kernel-fault", ROUND, LOSES_DEVICE, "The device stops the kernel.")           \
    X(STALE_TICKET, "stale-ticket", NOTHING, 0, "A ticket is not 0 again for the next launch.")    \
    X(INPUT_CHANGED, "input-changed", GOAL, 0,                                                     \
      "A round changes an input, which it should read only.")                                      \
    X(VIOLATED_IN_SIMULATOR, "violated-in-simulator", ROUND, 0,                                    \
      "What holds on the device does not hold in the simulator.")                                  \
    X(CHECKPOINT_ORDER, "checkpoint-order", GOAL, 0,                                               \
      "A block comes to a checkpoint that is not due there.")                                      \
    X(CHECKPOINT_DIVERGENCE, "checkpoint-divergence", GOAL, 0,                                     \
      "Not all threads come to a checkpoint, or not with one value of its variable.")              \
    X(CHECKPOINT_RACE, "checkpoint-race", GOAL, 0,                                                 \
      "An array at a checkpoint is written with no barrier behind it.")                            \
    X(CHECKPOINT_MISSING, "checkpoint-missing", GOAL, IS_UNSEEN,                                   \
      "Nobody comes to a checkpoint that is due.")

#define RD_HAZARD_MEMBER(NAME, ...) RD_HAZARD_##NAME,
enum rd_hazard_kind {
    RD_HAZARDS(RD_HAZARD_MEMBER) RD_HAZARD_COUNT,
    RD_HAZARD_UNKNOWN = RD_HAZARD_COUNT, /* none of these, as in the trace of a later version */
};
#undef RD_HAZARD_MEMBER

#endif
