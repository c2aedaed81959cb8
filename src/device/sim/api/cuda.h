// SPDX-License-Identifier: MIT
/* CUDA's words for a C compiler: what kernels are compiled with for the simulator. */
#ifndef RD_SIM_CUDA_H
#define RD_SIM_CUDA_H

#include "device/sim/api/intrinsics.h"
#include "half.h"

#include <stdbool.h>
#include <stddef.h>

#define EXTERN_C
/* Kernels are not inlined: see calls_kernel in engine.h. */
#define __global__ __attribute__((noinline))
#define __device__ static
#define __restrict__ restrict
#define __align__(n)           __attribute__((aligned(n)))
#define __launch_bounds__(...) /* the simulator has registers enough */
/* A section of their own, so that the simulator knows where shared memory begins and ends. */
#define __shared__ static __attribute__((section("rd_shared"), used))

/* The place of the running thread; the scheduler sets it. */
struct rd_sim_place {
    struct rd_sim_dim thread, block, block_dim, grid_dim;
};
#ifdef RD_SIM_KERNEL
/* A thread's place does not change while it runs. To the compiler it is constant, so that it calls
 * no hook for it, and may keep it over a barrier. */
extern const struct rd_sim_place rd_sim_place;
#else
extern struct rd_sim_place rd_sim_place;
#endif

/* The operation that a launch reduces by, if not by sums, and the input, of an operation that selects
 * (kernels/operation.h). Both are constant for as long. */
struct rd_sim_reduction {
    int operation;
    const void *input;
};
#ifdef RD_SIM_KERNEL
extern const struct rd_sim_reduction rd_sim_reduction;
#else
extern struct rd_sim_reduction rd_sim_reduction;
#endif

#define threadIdx (rd_sim_place.thread)
#define blockIdx  (rd_sim_place.block)
#define blockDim  (rd_sim_place.block_dim)
#define gridDim   (rd_sim_place.grid_dim)

/* ---- barriers, fences ---- */

#define __syncthreads()            rd_sim_block_sync(__FILE__, RD_SIM_BARRIER)
#define __syncthreads_count(value) rd_sim_syncthreads(1, value, __FILE__, RD_SIM_BARRIER)
#define __syncthreads_and(value)   rd_sim_syncthreads(2, value, __FILE__, RD_SIM_BARRIER)
#define __syncthreads_or(value)    rd_sim_syncthreads(3, value, __FILE__, RD_SIM_BARRIER)
#define __syncwarp(...)                                                                            \
    rd_sim_syncwarp(RD_SIM_MASK(0, ##__VA_ARGS__, 0xffffffffu), __FILE__, __LINE__)
#define RD_SIM_MASK(none, mask, ...) (mask)
#define __threadfence()              rd_sim_threadfence(0)
#define __threadfence_block()        rd_sim_threadfence(1)
#define __threadfence_system()       rd_sim_threadfence(0)

/* The barrier of the whole grid; kernels/cooperative.h has it for the GPU. */
#define GRID_SYNC() rd_sim_grid_sync(__FILE__, RD_SIM_BARRIER)

/* The launch's dynamic shared memory. */
#ifndef RD_OWN_KERNEL
#define DYNAMIC_SHARED(type, name) type *const name = rd_sim_dynamic_shared_as(#name)
#endif

/* ---- shuffles, votes ---- */

#define RD_SIM_SHUFFLE(kind, mask, value, lane, width)                                             \
    __extension__({                                                                                \
        __typeof__(value) rd_value = (value);                                                      \
        uint64_t rd_shuffled = 0;                                                                  \
        __builtin_memcpy(&rd_shuffled, &rd_value, sizeof rd_value);                                \
        rd_shuffled =                                                                              \
            rd_sim_shuffle(kind, mask, rd_shuffled, (int)(lane), width, __FILE__, __LINE__);       \
        __builtin_memcpy(&rd_value, &rd_shuffled, sizeof rd_value);                                \
        rd_value;                                                                                  \
    })
/* Takes the arguments of a shuffle with the width or without. */
#define RD_SIM_SHUFFLE_IN(kind, mask, value, lane, width, ...)                                     \
    RD_SIM_SHUFFLE(kind, mask, value, lane, width)
#define __shfl_sync(mask, value, ...)      RD_SIM_SHUFFLE_IN(0, mask, value, __VA_ARGS__, 32, 0)
#define __shfl_up_sync(mask, value, ...)   RD_SIM_SHUFFLE_IN(1, mask, value, __VA_ARGS__, 32, 0)
#define __shfl_down_sync(mask, value, ...) RD_SIM_SHUFFLE_IN(2, mask, value, __VA_ARGS__, 32, 0)
#define __shfl_xor_sync(mask, value, ...)  RD_SIM_SHUFFLE_IN(3, mask, value, __VA_ARGS__, 32, 0)
#define __ballot_sync(mask, value)         rd_sim_vote(0, mask, (value) != 0, __FILE__, __LINE__)

#define __any_sync(mask, value) ((int)rd_sim_vote(1, mask, (value) != 0, __FILE__, __LINE__))
#define __all_sync(mask, value) ((int)rd_sim_vote(2, mask, (value) != 0, __FILE__, __LINE__))

#define __activemask() rd_sim_activemask(__FILE__, __LINE__)

#define RD_SIM_REDUCE(kind, mask, value)                                                           \
    ((__typeof__((value) + 0))rd_sim_vote(kind, mask, (unsigned)(value), __FILE__, __LINE__))
#define RD_SIM_BY_SIGN(value, of_signed, of_unsigned)                                              \
    _Generic((value) + 0, int : of_signed, unsigned : of_unsigned)
#define __reduce_add_sync(mask, value) RD_SIM_REDUCE(RD_VOTE_ADD, mask, value)
#define __reduce_min_sync(mask, value)                                                             \
    RD_SIM_REDUCE(RD_SIM_BY_SIGN(value, RD_VOTE_MIN_S, RD_VOTE_MIN_U), mask, value)
#define __reduce_max_sync(mask, value)                                                             \
    RD_SIM_REDUCE(RD_SIM_BY_SIGN(value, RD_VOTE_MAX_S, RD_VOTE_MAX_U), mask, value)
#define __reduce_and_sync(mask, value) RD_SIM_REDUCE(RD_VOTE_AND, mask, value)
#define __reduce_or_sync(mask, value)  RD_SIM_REDUCE(RD_VOTE_OR, mask, value)
#define __reduce_xor_sync(mask, value) RD_SIM_REDUCE(RD_VOTE_XOR, mask, value)

/* ---- atomics ---- */

#define RD_SIM_INTEGER_ATOMICS(name)                                                               \
    int : rd_sim_##name##_i32,                                                                     \
          unsigned : rd_sim_##name##_u32,                                                          \
                     long : rd_sim_##name##_i64,                                                   \
                            unsigned long : rd_sim_##name##_u64,                                   \
                                            long long : rd_sim_##name##_i64,                       \
                                                        unsigned long long : rd_sim_##name##_u64
#define RD_SIM_ATOMIC(name, p, ...)                                                                \
    _Generic(*(p), RD_SIM_INTEGER_ATOMICS(name), float                                             \
             : rd_sim_##name##_f32, double                                                         \
             : rd_sim_##name##_f64)((void *)(p), __VA_ARGS__)
/* CUDA adds floats of 16 bits, and compares and swaps words. */
#define RD_SIM_ADD_OF_HALF(name, NAME, elem, kind) RD_SIM_ATOMIC_OF(rd_##name, add, name)
RD_HALF_TYPES(RD_SIM_ADD_OF_HALF)
#define RD_SIM_ATOMIC_SUM(name, p, value)                                                          \
    _Generic(*(p), RD_SIM_INTEGER_ATOMICS(name), float                                             \
             : rd_sim_##name##_f32, double                                                         \
             : rd_sim_##name##_f64, rd_f16                                                         \
             : rd_sim_##name##_f16, rd_bf16                                                        \
             : rd_sim_##name##_bf16)((void *)(p), value)
#define RD_SIM_ATOMIC_CAS(name, p, ...)                                                            \
    _Generic(*(p), RD_SIM_INTEGER_ATOMICS(name), unsigned short                                    \
             : rd_sim_##name##_u16, float                                                          \
             : rd_sim_##name##_f32, double                                                         \
             : rd_sim_##name##_f64)((void *)(p), __VA_ARGS__)
#define RD_SIM_ATOMIC_OF_BITS(name, p, value)                                                      \
    _Generic(*(p), RD_SIM_INTEGER_ATOMICS(name))((void *)(p), value)
#define atomicAdd(p, value)          RD_SIM_ATOMIC_SUM(add, p, value)
#define atomicSub(p, value)          RD_SIM_ATOMIC(sub, p, value)
#define atomicMin(p, value)          RD_SIM_ATOMIC(min, p, value)
#define atomicMax(p, value)          RD_SIM_ATOMIC(max, p, value)
#define atomicExch(p, value)         RD_SIM_ATOMIC(exch, p, value)
#define atomicCAS(p, compare, value) RD_SIM_ATOMIC_CAS(cas, p, compare, value)
#define atomicAnd(p, value)          RD_SIM_ATOMIC_OF_BITS(and, p, value)
#define atomicOr(p, value)           RD_SIM_ATOMIC_OF_BITS(or, p, value)
#define atomicXor(p, value)          RD_SIM_ATOMIC_OF_BITS(xor, p, value)
#define atomicInc(p, value)          rd_sim_inc_u32((void *)(p), value)
#define atomicDec(p, value)          rd_sim_dec_u32((void *)(p), value)

/* Atomics of a narrower or a wider scope; there is one device only. */
#define atomicAdd_block(p, value)          RD_SIM_ATOMIC_SUM(add_block, p, value)
#define atomicSub_block(p, value)          RD_SIM_ATOMIC(sub_block, p, value)
#define atomicMin_block(p, value)          RD_SIM_ATOMIC(min_block, p, value)
#define atomicMax_block(p, value)          RD_SIM_ATOMIC(max_block, p, value)
#define atomicExch_block(p, value)         RD_SIM_ATOMIC(exch_block, p, value)
#define atomicCAS_block(p, compare, value) RD_SIM_ATOMIC_CAS(cas_block, p, compare, value)
#define atomicAnd_block(p, value)          RD_SIM_ATOMIC_OF_BITS(and_block, p, value)
#define atomicOr_block(p, value)           RD_SIM_ATOMIC_OF_BITS(or_block, p, value)
#define atomicXor_block(p, value)          RD_SIM_ATOMIC_OF_BITS(xor_block, p, value)
#define atomicInc_block(p, value)          rd_sim_inc_block_u32((void *)(p), value)
#define atomicDec_block(p, value)          rd_sim_dec_block_u32((void *)(p), value)

#define atomicAdd_system  atomicAdd
#define atomicSub_system  atomicSub
#define atomicMin_system  atomicMin
#define atomicMax_system  atomicMax
#define atomicExch_system atomicExch
#define atomicCAS_system  atomicCAS
#define atomicAnd_system  atomicAnd
#define atomicOr_system   atomicOr
#define atomicXor_system  atomicXor
#define atomicInc_system  atomicInc
#define atomicDec_system  atomicDec

/* ---- numbers, time ---- */

/* Evaluates each argument once, as a function does; the type of the result, by C's usual conversions, chooses the
 * function. */
#define RD_SIM_MIN_MAX(name, T)                                                                    \
    static inline T rd_sim_lesser_##name(T x, T y)                                                 \
    {                                                                                              \
        return y < x ? y : x;                                                                      \
    }                                                                                              \
    static inline T rd_sim_greater_##name(T x, T y)                                                \
    {                                                                                              \
        return x < y ? y : x;                                                                      \
    }
RD_SIM_MIN_MAX(i32, int)
RD_SIM_MIN_MAX(u32, unsigned)
RD_SIM_MIN_MAX(i64, long long)
RD_SIM_MIN_MAX(u64, unsigned long long)
/* A NaN gives way to a number; -0 is below 0. */
#define RD_SIM_MIN_MAX_REAL(name, T)                                                               \
    static inline T rd_sim_lesser_##name(T x, T y)                                                 \
    {                                                                                              \
        return x != x || y < x || (x == y && __builtin_signbit(y)) ? y : x;                        \
    }                                                                                              \
    static inline T rd_sim_greater_##name(T x, T y)                                                \
    {                                                                                              \
        return x != x || x < y || (x == y && __builtin_signbit(x)) ? y : x;                        \
    }
RD_SIM_MIN_MAX_REAL(f32, float)
RD_SIM_MIN_MAX_REAL(f64, double)

#define RD_SIM_OF_NUMBERS(name, x, y)                                                              \
    _Generic((x) + (y), int                                                                        \
             : rd_sim_##name##_i32, unsigned                                                       \
             : rd_sim_##name##_u32, long                                                           \
             : rd_sim_##name##_i64, unsigned long                                                  \
             : rd_sim_##name##_u64, long long                                                      \
             : rd_sim_##name##_i64, unsigned long long                                             \
             : rd_sim_##name##_u64, float                                                          \
             : rd_sim_##name##_f32, double                                                         \
             : rd_sim_##name##_f64)(x, y)
#define min(x, y) RD_SIM_OF_NUMBERS(lesser, x, y)
#define max(x, y) RD_SIM_OF_NUMBERS(greater, x, y)

static inline int rd_sim_clz(unsigned x)
{
    return x ? __builtin_clz(x) : 32;
}
static inline int rd_sim_clzll(unsigned long long x)
{
    return x ? __builtin_clzll(x) : 64;
}
#define __clz(x)           rd_sim_clz((unsigned)(x))
#define __clzll(x)         rd_sim_clzll((unsigned long long)(x))
#define __popc(x)          __builtin_popcount(x)
#define __popcll(x)        __builtin_popcountll(x)
#define __ffs(x)           __builtin_ffs((int)(x))
#define __ffsll(x)         __builtin_ffsll((long long)(x))
#define __fmaf_rn(x, y, z) __builtin_fmaf(x, y, z)
#define __fma_rn(x, y, z)  __builtin_fma(x, y, z)
#define fmaf(x, y, z)      __builtin_fmaf(x, y, z)
#define fma(x, y, z)       __builtin_fma(x, y, z)

#define clock64() rd_sim_clock()

/* Runs one thread of a kernel; arguments[i] points to argument i, as in cudaLaunchKernel. */
typedef void rd_sim_thread(void *const *arguments);

/* Defines NAME(<kernel>_thread), which unpacks the arguments and calls the kernel. The arguments
 * are the host's: they are read without a hook. */
#define RD_SIM_LAUNCHABLE(name, ...)                                                               \
    _Static_assert(_Generic(&NAME(name), void (*)(__VA_ARGS__) : 1, default : 0),                  \
                   "LAUNCHABLE(" #name ", ...) does not name the kernel's parameter types");       \
    rd_sim_thread NAME(name##_thread);                                                             \
    __attribute__((no_sanitize_thread)) void NAME(name##_thread)(void *const *arguments)           \
    {                                                                                              \
        NAME(name)(RD_SIM_UNPACK(__VA_ARGS__));                                                    \
    }

#ifdef RD_OWN_KERNEL
#include "device/sim/api/own_kernel.h"
#else
#define LAUNCHABLE(name, ...)               RD_SIM_LAUNCHABLE(name, __VA_ARGS__)
#define LAUNCHABLE_COMMUNICATING(name, ...) RD_SIM_LAUNCHABLE(name, __VA_ARGS__)
#endif

#define RD_SIM_ARG(type, i)                      (*(type *)arguments[i])
#define RD_SIM_UNPACK1(a)                        RD_SIM_ARG(a, 0)
#define RD_SIM_UNPACK2(a, b)                     RD_SIM_UNPACK1(a), RD_SIM_ARG(b, 1)
#define RD_SIM_UNPACK3(a, b, c)                  RD_SIM_UNPACK2(a, b), RD_SIM_ARG(c, 2)
#define RD_SIM_UNPACK4(a, b, c, d)               RD_SIM_UNPACK3(a, b, c), RD_SIM_ARG(d, 3)
#define RD_SIM_UNPACK5(a, b, c, d, e)            RD_SIM_UNPACK4(a, b, c, d), RD_SIM_ARG(e, 4)
#define RD_SIM_UNPACK6(a, b, c, d, e, f)         RD_SIM_UNPACK5(a, b, c, d, e), RD_SIM_ARG(f, 5)
#define RD_SIM_PICK(a, b, c, d, e, f, name, ...) name
#define RD_SIM_UNPACK(...)                                                                         \
    RD_SIM_PICK(__VA_ARGS__, RD_SIM_UNPACK6, RD_SIM_UNPACK5, RD_SIM_UNPACK4, RD_SIM_UNPACK3,       \
                RD_SIM_UNPACK2, RD_SIM_UNPACK1, )                                                  \
    (__VA_ARGS__)

#endif
