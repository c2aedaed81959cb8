// SPDX-License-Identifier: MIT
#include "device/sim/report/report.h"
#include "reductio/hazards.h"

#include <string.h>

/* Lessons. The first row of a hazard that fits is told: all that stands in it must agree, and NULL and 0 agree with
 * anything. The last row of a hazard is its own. */
static const struct {
    enum rd_hazard_kind hazard;
    struct rd_sim_case which;
    const char *lesson;
} rows[] = {
    {RD_HAZARD_RACE,
     {.detail = RD_DETAIL_FREED},
     "Once it is freed, memory is neither to be used nor to be freed again: let one thread free "
     "it, behind a barrier that all who use it have passed."},
    {RD_HAZARD_RACE,
     {.scope = "warp", .detail = RD_DETAIL_VOLATILE},
     "Warp-synchronous code: since Volta, lanes of a warp do not run in lockstep, and volatile "
     "makes "
     "each access reach memory but orders nothing. Put __syncwarp() between a lane's read and "
     "another lane's write, both ways, so that x[t] += x[t + k] becomes a read, __syncwarp(), a "
     "write and __syncwarp(); or fold in registers, by __shfl_down_sync()."},
    {RD_HAZARD_RACE,
     {.scope = "block", .detail = RD_DETAIL_VOLATILE},
     "volatile makes each access reach memory, but orders nothing: put __syncthreads() between the "
     "two, or, where one waits for the other by a flag, __threadfence_block() between data and "
     "flag in both threads."},
    {RD_HAZARD_RACE,
     {.scope = "grid", .detail = RD_DETAIL_FENCE},
     "One block has seen by an atomic or a flag how far the other had come, but without fences "
     "that "
     "orders no other accesses: put __threadfence() behind the write of the data and in front of "
     "the "
     "atomic or flag that tells of it, and again between that of the reader and its read of the "
     "data; or let a cuda::atomic release and acquire."},
    {RD_HAZARD_RACE,
     {.scope = "grid", .detail = RD_DETAIL_BARRIER},
     "One block has seen by an atomic or a flag how far a thread of the other had come, and no "
     "barrier says how far the others of its block were: a fence orders what its own thread did, "
     "or what came before a barrier. Put __threadfence() behind the write, in each thread that "
     "writes, and a barrier, __syncthreads() or within a warp __syncwarp(), between that and the "
     "atomic or flag of the one that tells; and a barrier again between the atomic of the reader "
     "and the other threads that read."},
    {RD_HAZARD_RACE,
     {.scope = "grid", .detail = RD_DETAIL_VOLATILE},
     "volatile makes each access reach memory, but orders nothing: where one block waits for "
     "another by a flag, put __threadfence() between data and flag in both, in front of the write "
     "of the flag and behind its read, or use cuda::atomic."},
    {RD_HAZARD_RACE,
     {.scope = "grid", .detail = RD_DETAIL_ATOMIC},
     "Between blocks, an atomic access races with a plain one, and with one that is atomic for its "
     "block only, as atomicAdd_block: make both atomic for the device, or put one in a launch of "
     "its own or behind this_grid().sync() of a cooperative launch."},
    {RD_HAZARD_RACE,
     {.detail = RD_DETAIL_ATOMIC},
     "An atomic access races with a plain one: make the plain one atomic, too, or put "
     "__syncthreads() between the two."},
    {RD_HAZARD_RACE,
     {.kind = "read-write", .scope = "warp"},
     "Threads run in any order, also within a warp: put __syncwarp() or __syncthreads() between "
     "the two accesses, or, where many add to one cell, use an atomic."},
    {RD_HAZARD_RACE,
     {.kind = "read-write", .scope = "block"},
     "The warps of a block run in any order: put __syncthreads() between the two accesses, or, "
     "where many add to one cell, use an atomic."},
    {RD_HAZARD_RACE,
     {.kind = "read-write", .scope = "grid"},
     "Blocks run in any order, and no __syncthreads() orders two of them: put the second access in "
     "a launch of its own or behind this_grid().sync() of a cooperative launch, or, where many add "
     "to one cell, use an atomic."},
    {RD_HAZARD_RACE,
     {.kind = "write-write", .scope = "warp"},
     "Which lane of a warp writes last is unspecified: let one thread write, give each a cell "
     "of its own, or put __syncwarp() between the two."},
    {RD_HAZARD_RACE,
     {.kind = "write-write", .scope = "block"},
     "Which warp of a block writes last is unspecified: let one thread write, give each a "
     "cell of its own, or put __syncthreads() between the two."},
    {RD_HAZARD_RACE,
     {.kind = "write-write", .scope = "grid"},
     "Which block writes last is unspecified, and no __syncthreads() orders two of them: give "
     "each block a cell of its own and put them together in a second launch, or use an atomic."},
    {RD_HAZARD_RACE,
     {.kind = "same-value", .scope = "grid"},
     "Plain writes race also where they write the same, and blocks run in any order: let one block "
     "write, as by if (blockIdx.x == 0), or make the write atomic."},
    {RD_HAZARD_RACE,
     {.kind = "same-value"},
     "Plain writes race also where they write the same: let one thread write, as by if "
     "(threadIdx.x == 0), or make the write atomic."},
    {RD_HAZARD_RACE,
     {0},
     "Threads of a launch run in any order, also within a warp: put a barrier that both come to "
     "between the two accesses, or, between blocks, a launch; make both atomic, or give each "
     "thread a cell of its own."},

    {RD_HAZARD_BARRIER_DIVERGENCE,
     {.detail = RD_DETAIL_CALL},
     "All threads of a block must come to the same barrier, and a function that has one is to be "
     "called by all of them at one place: take the call out of the branch."},
    {RD_HAZARD_BARRIER_DIVERGENCE,
     {0},
     "All threads of a block must come to the same __syncthreads(), or grid barrier, and as often: "
     "take it out of the branch."},

    {RD_HAZARD_BARRIER_SKIPPED,
     {.detail = RD_DETAIL_GRID},
     "All threads of all blocks must come to each barrier of the grid: guard the work, not the "
     "barrier, and return behind the last one."},
    {RD_HAZARD_BARRIER_SKIPPED,
     {0},
     "All threads of a block must come to each __syncthreads(), and all of a grid to each of its "
     "barriers: guard the work, not the barrier, and return behind the last one."},

    {RD_HAZARD_OUT_OF_BOUNDS,
     {.detail = RD_DETAIL_FREED},
     "Once it is freed, memory is neither to be used nor to be freed again: let one thread free "
     "it, behind a barrier that all who use it have passed."},
    {RD_HAZARD_OUT_OF_BOUNDS,
     {.detail = RD_DETAIL_FREE},
     "A kernel may free only what malloc or new gave to a kernel, and only by its first address: "
     "keep that pointer as it was."},
    {RD_HAZARD_OUT_OF_BOUNDS,
     {.kind = "private"},
     "A local array has as many elements as it is declared with, and its neighbours lie behind "
     "them: "
     "let the loop end before its length."},
    {RD_HAZARD_OUT_OF_BOUNDS,
     {.detail = RD_DETAIL_STACK},
     "A thread has 512 KiB for its calls and their variables at most, and less unless "
     "cudaDeviceSetLimit asks for it: end the recursion sooner, or keep large arrays in global "
     "memory."},
    {RD_HAZARD_OUT_OF_BOUNDS,
     {.detail = RD_DETAIL_CHILD},
     "A grid that a kernel launches reaches global memory only: pass it pointers to that, and "
     "neither to variables of the launching thread nor to its block's shared memory."},
    {RD_HAZARD_OUT_OF_BOUNDS,
     {.detail = RD_DETAIL_DYNAMIC},
     "A block has as many bytes of dynamic shared memory as the launch asks for: ask for them, in "
     "the third place of <<<...>>>, for check by --shared, and mind that it counts bytes."},
    {RD_HAZARD_OUT_OF_BOUNDS,
     {.detail = RD_DETAIL_LOST},
     "Nothing lies there: the index is far beyond its array, or the pointer was never set. Guard "
     "the index by the array's length, and mind that an int holds less than 2^31."},
    {RD_HAZARD_OUT_OF_BOUNDS,
     {.kind = "stray"},
     "A kernel reaches device memory only: pass it pointers to that, and test what malloc gives, "
     "which is null where the device's heap is used up."},
    {RD_HAZARD_OUT_OF_BOUNDS,
     {.detail = RD_DETAIL_BELOW},
     "An array begins at 0: let the threads that have no neighbour to the left leave it out, and "
     "mind that an unsigned difference never is negative."},
    {RD_HAZARD_OUT_OF_BOUNDS,
     {.detail = RD_DETAIL_HEAP},
     "An allocation has as many bytes as malloc was asked for: multiply by the size of an element, "
     "and guard the index by their number."},
    {RD_HAZARD_OUT_OF_BOUNDS,
     {.kind = "shared"},
     "A shared array has as many elements as it is declared with, however large the block is: "
     "declare it for the largest block, or guard the index by its length."},
    {RD_HAZARD_OUT_OF_BOUNDS,
     {.kind = "global"},
     "Each access must lie in the array: guard the index by its length, as by if (i < n), since "
     "the last block may have more threads than elements are left."},
    {RD_HAZARD_OUT_OF_BOUNDS,
     {0},
     "Each access must lie in the array: guard the index by the array's length."},

    {RD_HAZARD_MISALIGNED,
     {.kind = "shared"},
     "An access of 2, 4, 8 or 16 bytes must be aligned to its size: declare the shared array "
     "with __align__(16), and let the offset be a multiple of the size."},
    {RD_HAZARD_MISALIGNED,
     {0},
     "An access of 2, 4, 8 or 16 bytes must be aligned to its size: check the offset before a "
     "vector load."},

    {RD_HAZARD_UNINITIALISED,
     {.kind = "private"},
     "A local variable holds nothing until it is set, and on a GPU whatever the register held "
     "before: "
     "give it a value where it is declared, or on all ways to where it is read."},
    {RD_HAZARD_UNINITIALISED,
     {.detail = RD_DETAIL_UNSET},
     "No host code is run: give the variable its value, by --set NAME=SPEC."},
    {RD_HAZARD_UNINITIALISED,
     {.kind = "shared"},
     "Shared memory starts anew in each block, and holds nothing: let its threads write all that "
     "is read, with __syncthreads() between."},
    {RD_HAZARD_UNINITIALISED,
     {.detail = RD_DETAIL_HEAP},
     "What malloc or new gives holds nothing, also where it held something before: write it "
     "before it is read."},
    {RD_HAZARD_UNINITIALISED,
     {.kind = "global"},
     "Device memory holds nothing until it is written: copy or set it before the launch, by "
     "cudaMemcpy or cudaMemset, or let the kernel write it before it is read."},
    {RD_HAZARD_UNINITIALISED,
     {0},
     "Memory holds nothing until it is written, and shared memory starts anew in each block: write "
     "it before it is read."},

    {RD_HAZARD_NO_TERMINATION,
     {0},
     "It was stopped when its budget of steps or time was used up: check the loop's condition and "
     "what changes it."},

    {RD_HAZARD_INACTIVE_LANE,
     {.detail = RD_DETAIL_ABSENT},
     "The last warp of a block has as many lanes as threads are left: take values of those only, "
     "or launch whole warps."},
    {RD_HAZARD_INACTIVE_LANE,
     {0},
     "A lane may read only lanes that are in the mask and call the same shuffle: put all lanes "
     "that are read into the mask."},

    {RD_HAZARD_MASK_MISMATCH,
     {.detail = RD_DETAIL_WHOLE},
     "All 32 lanes of a warp must come to it, or its result is undefined: take it out of the "
     "branch, "
     "let no lane return before it, and launch whole warps."},
    {RD_HAZARD_MASK_MISMATCH,
     {.detail = RD_DETAIL_SELF},
     "A lane that calls a warp function must be in its mask: compute the mask before the branch, "
     "with __ballot_sync, or name all lanes that come there."},
    {RD_HAZARD_MASK_MISMATCH,
     {.detail = RD_DETAIL_CALL},
     "All lanes that a mask names must call the function at one place: take the call out of the "
     "branch, or name in each branch the lanes of that branch only, as by __ballot_sync before "
     "it."},
    {RD_HAZARD_MASK_MISMATCH,
     {0},
     "All lanes that a mask names, and no others, must call the function with that mask: compute "
     "the mask before the branch, with __ballot_sync."},

    {RD_HAZARD_ASSERT_FAILED,
     {0},
     "What the kernel's author took for granted is not so: look for what made it false."},

    {RD_HAZARD_LEAK,
     {.kind = "kept"},
     "What a kernel allocates outlives the launch, and only a kernel can free it, not cudaFree: "
     "let a later kernel do so, by the pointer that is kept."},
    {RD_HAZARD_LEAK,
     {.kind = "lost"},
     "What a kernel allocates outlives the launch and takes from the device's heap, and nobody "
     "holds a pointer to it any more: free it behind its last use."},
    {RD_HAZARD_LEAK,
     {0},
     "What a kernel allocates outlives the launch, takes from the device's heap, and only a kernel "
     "can free it: free it behind its last use."},

    {RD_HAZARD_OVER_BUDGET,
     {.detail = RD_DETAIL_WRITE},
     "Global memory is slow, and the kernel was to do with fewer writes: add up in a variable, and "
     "write it once, behind the loop."},
    {RD_HAZARD_OVER_BUDGET,
     {0},
     "Global memory is slow, and the kernel was to do with fewer accesses: keep what is used again "
     "in a variable or in shared memory."},

    {RD_HAZARD_ILLEGAL_LAUNCH,
     {.detail = RD_DETAIL_GRID},
     "Blocks may wait for each other only where all of them are on the device at once: launch by "
     "cudaLaunchCooperativeKernel, with no more blocks than that takes."},
    {RD_HAZARD_ILLEGAL_LAUNCH,
     {.detail = RD_DETAIL_CHILD},
     "The device takes no such launch, and runs no thread of it: keep to its limits, and ask for "
     "cudaGetLastError() behind each launch in a kernel."},
    {RD_HAZARD_ILLEGAL_LAUNCH,
     {0},
     "The device takes no such launch, and runs no thread of it: keep to its limits, and check the "
     "error after each launch."},

    {RD_HAZARD_UNDEFINED_ARITHMETIC,
     {.kind = "shift"},
     "A shift by fewer than 0 bits, or by as many as the type has or more, is undefined in CUDA "
     "C++: "
     "a GPU shifts all bits out, a CPU takes the amount modulo the width. Test the amount first, "
     "or "
     "shift a wider type."},
    {RD_HAZARD_UNDEFINED_ARITHMETIC,
     {.kind = "conversion"},
     "A number that the integer type can't hold converts to nothing in CUDA C++: a GPU takes the "
     "nearest integer, a CPU another. Compare before the conversion, or ask for the nearest, as by "
     "__float2int_rz."},
    {RD_HAZARD_UNDEFINED_ARITHMETIC,
     {.kind = "division"},
     "A division of integers by zero, or of the smallest by -1, is undefined in CUDA C++: a GPU "
     "goes "
     "on with some number, and tells nobody. Test the divisor first."},
    {RD_HAZARD_UNDEFINED_ARITHMETIC,
     {0},
     "Shifts by as many bits as the type has, conversions to integers that can't hold the number, "
     "and "
     "divisions of integers by zero are undefined in CUDA C++, and a GPU does otherwise than a "
     "CPU: "
     "test the operands first."},

    {RD_HAZARD_SHUFFLE_WIDTH,
     {0},
     "A shuffle is among the segments of a warp, of 1, 2, 4, 8, 16 or 32 lanes, and of any other "
     "width "
     "its result is undefined: round the width up, and let only the lanes that count use what they "
     "take."},

    {RD_HAZARD_PRINTF_ARGUMENTS,
     {0},
     "A device prints whatever lies where an argument should be, and leaves out what its format "
     "does "
     "not ask for: give each conversion one argument of its type."},

    {RD_HAZARD_HOST_ACCESS,
     {0},
     "Host code can't access memory that cudaMalloc() gives: copy it by cudaMemcpy(), or allocate "
     "it "
     "by cudaMallocManaged()."},

    {RD_HAZARD_COPY_DIRECTION,
     {0},
     "The direction of a copy must be that of its pointers: cudaMemcpyDefault takes it from them."},

    {RD_HAZARD_INVALID_FREE,
     {0},
     "Each allocation is freed once, by the pointer to its start, and by the function that belongs "
     "to the one that made it."},

    {RD_HAZARD_UNCHECKED_ERROR,
     {0},
     "What follows goes on as if it had been done: compare what each call returns with "
     "cudaSuccess, "
     "and ask cudaGetLastError() behind each launch."},

    {RD_HAZARD_CRASH,
     {0},
     "A device does whatever it likes, where a computer ends the program: end a thread by return."},

    {RD_HAZARD_DEAD_FRAME,
     {0},
     "A local variable is there until its block or its function ends, and for its own thread "
     "alone: "
     "keep what must outlive that in an argument of the function, or in shared or global memory."},

    {RD_HAZARD_ORDER_DEPENDENT,
     {0},
     "Threads and blocks run in any order, and the result must not depend on it: look for a lock, "
     "a flag or a number drawn by an atomic that lets the first come change what is written, for "
     "two "
     "atomics where one must do, and for sums of floats by atomics, which round in the order of "
     "their additions."},

    {RD_HAZARD_PLAIN_READ_OF_ATOMIC,
     {0},
     "A plain read races with atomics of others. It is harmless where its value is only the first "
     "guess of an atomicCAS() on the same cell, which looks again, as in CUDA's own atomicAdd() "
     "for "
     "double: a stale or torn guess costs a turn of the loop. Where the value is used otherwise it "
     "may be wrong. Read it by atomicAdd(p, 0), or through a pointer to volatile, and it is no "
     "race."},
};

static bool agrees(const char *wanted, const char *word)
{
    return !wanted || (word && strcmp(wanted, word) == 0);
}

const char *rd_sim_case_lesson(enum rd_hazard_kind hazard, const struct rd_sim_case *which)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const struct rd_sim_case *row = &rows[k].which;
        if (rows[k].hazard == hazard && agrees(row->kind, which->kind) &&
            agrees(row->scope, which->scope) &&
            (row->detail == RD_DETAIL_NONE || row->detail == which->detail))
            return rows[k].lesson;
    }
    return "";
}

const char *rd_sim_lesson(enum rd_hazard_kind hazard)
{
    return rd_sim_case_lesson(hazard, &(struct rd_sim_case){0});
}
