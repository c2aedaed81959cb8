// SPDX-License-Identifier: MIT
/* CUDA's arithmetic for kernels in C. As functions have it, each argument is evaluated once; its
 * type says which function is meant, of two types that which C's usual conversions make of them. */
#ifndef RD_SIM_NUMBERS_H
#define RD_SIM_NUMBERS_H

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

#endif
