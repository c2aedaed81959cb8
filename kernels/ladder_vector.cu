// SPDX-License-Identifier: MIT
/* The ladder's last rungs: loads of 16 bytes, several of them under way, and one launch.
 *
 *      a:  [ 0 1 2 3 | 4 5 6 7 | 8 9 … 15 | … | n-2 n-1 ]
 *            pack 0    pack 1    packs 2, 3       tail: fewer than 4
 *
 * Threads stride over packs. A thread keeps four sums, one for each place in a pack. The invariants are
 * in invariants/ladder_vector.c. */
#include "ladder.h"

#include "atomic_operation.h"
#include "cooperative.h"

/* Elements that lie side by side and are loaded together: 16 bytes of 4-byte elements, twice 16 of
 * 8-byte ones, 8 of 2-byte ones. Device memory is aligned for it. */
#define PACK 4u
struct __align__(sizeof(elem) < 4 ? 8 : 16) pack
{
    elem x[PACK];
};

/* Packs that a thread loads before it adds the first of them: 64 bytes. With fewer, it would wait for
 * memory most of the time. */
#define LOADS (64u / (unsigned)sizeof(struct pack))

/* A pack as one sum. */
__device__ inline elem sum_of_pack(struct pack p)
{
    return OP(OP(p.x[0], p.x[1]), OP(p.x[2], p.x[3]));
}

/* The packs first, first + G, …; from pack `end` on those of nothing, which change no sum that started as that. */
__device__ inline void load_packs(struct pack *p, const elem *a, size_t first, size_t end)
{
    const struct pack *packs = (const struct pack *)a;
    const struct pack nothing = {{IDENTITY, IDENTITY, IDENTITY, IDENTITY}};
    if (first + (LOADS - 1) * GRID_THREADS < end) {
        for (unsigned k = 0; k < LOADS; k++)
            p[k] = packs[first + k * GRID_THREADS];
    } else {
        for (unsigned k = 0; k < LOADS; k++)
            p[k] = first + k * GRID_THREADS < end ? packs[first + k * GRID_THREADS] : nothing;
    }
}

/* The sum of the packs that the thread strides over, and of its elements of the tail: one at most, unless
 * the grid has fewer than three threads. */
__device__ inline elem sum_of_packs(const elem *a, size_t n)
{
    size_t packs = n / PACK, base;
    struct pack own = {{IDENTITY, IDENTITY, IDENTITY, IDENTITY}}, p[LOADS];
    for (base = 0; base < packs; base += LOADS * GRID_THREADS) {
        CHECKPOINT_LANE(PACK_STRIDE, sum_of_pack(own), base);
        load_packs(p, a, base + GLOBAL_THREAD, packs);
        for (unsigned k = 0; k < LOADS; k++)
            for (unsigned v = 0; v < PACK; v++)
                own.x[v] = OP(own.x[v], p[k].x[v]);
    }
    CHECKPOINT_LANE(PACK_STRIDE, sum_of_pack(own), base);
    elem sum = sum_of_pack(own);
    for (size_t i = packs * PACK + GLOBAL_THREAD; i < n; i += GRID_THREADS)
        sum = OP(sum, a[i]);
    return sum;
}

/* Likewise of products. */
__device__ inline elem dot_of_packs(const elem *a, const elem *b, size_t n)
{
    size_t packs = n / PACK, base;
    struct pack own = {{ELEM(0), ELEM(0), ELEM(0), ELEM(0)}}, p[LOADS], q[LOADS];
    for (base = 0; base < packs; base += LOADS * GRID_THREADS) {
        CHECKPOINT_LANE(PACK_STRIDE, sum_of_pack(own), base);
        load_packs(p, a, base + GLOBAL_THREAD, packs);
        load_packs(q, b, base + GLOBAL_THREAD, packs);
        for (unsigned k = 0; k < LOADS; k++)
            for (unsigned v = 0; v < PACK; v++)
                own.x[v] = ADD(own.x[v], MULTIPLY(p[k].x[v], q[k].x[v]));
    }
    CHECKPOINT_LANE(PACK_STRIDE, sum_of_pack(own), base);
    elem sum = sum_of_pack(own);
    for (size_t i = packs * PACK + GLOBAL_THREAD; i < n; i += GRID_THREADS)
        sum = ADD(sum, MULTIPLY(a[i], b[i]));
    return sum;
}

/* Improves on tiles: loads of 16 bytes, a quarter as many (of 8-byte elements half), with 64 bytes under
 * way at a time, keep the memory busy; and one launch does it all, as each block adds its sum to A[0],
 * which is nothing (of sums: 0) before. What it does not cure: the order of the blocks is unspecified, so that a float sum is
 * not the same bits each time. */
EXTERN_C __global__ void __launch_bounds__(1024)
    NAME(ladder_vectorised_atomic)(const elem *a, elem *A, size_t n)
{
    DYNAMIC_SHARED(elem, s);
    elem sum = sum_of_block(s, sum_of_packs(a, n));
    if (threadIdx.x == 0)
        ATOMIC_OP(A, sum);
}
LAUNCHABLE_COMMUNICATING(ladder_vectorised_atomic, const elem *, elem *, size_t)

/* Partials that a lane loads before it adds the first of them: all, of the grids that one would take. One
 * after the other, they would cost more time than the tickets. */
#define PARTIALS 16u

/* The block's first warp adds the partials in their order. */
__device__ inline void add_partials(elem *A, const elem *partials)
{
    unsigned t = threadIdx.x, lanes = lanes_of_first();
    elem sum = IDENTITY;
    if (t >= lanes)
        return;
    for (unsigned first = t; first < gridDim.x; first += PARTIALS * lanes) {
        elem p[PARTIALS];
        for (unsigned v = 0; v < PARTIALS; v++)
            p[v] = first + v * lanes < gridDim.x ? partials[first + v * lanes] : IDENTITY;
        for (unsigned v = 0; v < PARTIALS; v++)
            sum = OP(sum, p[v]);
    }
    sum = sum_of_partials(sum, lanes);
    if (t == 0)
        A[0] = sum;
}

/* Puts the block's sum (of thread 0) into its cell of `partials`, and takes a ticket. The block with
 * the last one adds the partials. The ticket is then 0 again, for the next launch.
 *
 * The ticket is 0 before the launch. To take one is a read-modify-write, of what the one before has left:
 * the last comes behind all others. The fence before the ticket says: who sees the ticket taken, sees the
 * partial; and fences are cumulative. The fence behind it, and the barrier, hand what thread 0 may see on
 * to its block. */
__device__ inline void finish(elem sum, elem *A, elem *partials, unsigned *ticket)
{
    int last = 0;
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
        if (last)
            __threadfence();
    }
    if (__syncthreads_or(last))
        add_partials(A, partials);
}

/* Improves on vectorised-atomic: the same bits each time, for the same grid, block and type. The last block
 * to finish adds the blocks' sums, in a fixed order. This is the one to use. */
EXTERN_C __global__ void __launch_bounds__(1024)
    NAME(ladder_vectorised)(const elem *a, elem *A, elem *partials, unsigned *ticket, size_t n)
{
    DYNAMIC_SHARED(elem, s);
    finish(sum_of_block(s, sum_of_packs(a, n)), A, partials, ticket);
}
LAUNCHABLE_COMMUNICATING(ladder_vectorised, const elem *, elem *, elem *, unsigned *, size_t)

/* A fault: the last block reads partials that nothing says it can see. */
EXTERN_C __global__ void __launch_bounds__(1024)
    NAME(ladder_no_fence)(const elem *a, elem *A, elem *partials, unsigned *ticket, size_t n)
{
    DYNAMIC_SHARED(elem, s);
    elem sum = sum_of_block(s, sum_of_packs(a, n));
    int last = 0;
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = sum;
        last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    if (__syncthreads_or(last))
        add_partials(A, partials);
}
LAUNCHABLE_COMMUNICATING(ladder_no_fence, const elem *, elem *, elem *, unsigned *, size_t)

/* A fault: the last block reads what its ticket tells it is there, and no fence says that it sees it. */
EXTERN_C __global__ void __launch_bounds__(1024)
    NAME(ladder_one_fence)(const elem *a, elem *A, elem *partials, unsigned *ticket, size_t n)
{
    DYNAMIC_SHARED(elem, s);
    elem sum = sum_of_block(s, sum_of_packs(a, n));
    int last = 0;
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    if (__syncthreads_or(last))
        add_partials(A, partials);
}
LAUNCHABLE_COMMUNICATING(ladder_one_fence, const elem *, elem *, elem *, unsigned *, size_t)

/* Another way to finish, without tickets and fences: all blocks are on the GPU at once, and meet at a
 * barrier of the whole grid, behind which each sees what the others wrote. What it does not cure: the
 * launch must be cooperative, with no more blocks than the GPU holds, and all of them wait. */
EXTERN_C __global__ void __launch_bounds__(1024)
    NAME(ladder_cooperative)(const elem *a, elem *A, elem *partials, size_t n)
{
    DYNAMIC_SHARED(elem, s);
    elem sum = sum_of_block(s, sum_of_packs(a, n));
    if (threadIdx.x == 0)
        partials[blockIdx.x] = sum;
    GRID_SYNC();
    if (blockIdx.x == 0)
        add_partials(A, partials);
}
LAUNCHABLE_COMMUNICATING(ladder_cooperative, const elem *, elem *, elem *, size_t)

/* vectorised, of products: the dot product to use. */
EXTERN_C __global__ void __launch_bounds__(1024)
    NAME(ladder_dot)(const elem *a, const elem *b, elem *A, elem *partials, unsigned *ticket,
                     size_t n)
{
    DYNAMIC_SHARED(elem, s);
    finish(sum_of_block(s, dot_of_packs(a, b, n)), A, partials, ticket);
}
LAUNCHABLE_COMMUNICATING(ladder_dot, const elem *, const elem *, elem *, elem *, unsigned *, size_t)

ALSO_OF_HALVES
