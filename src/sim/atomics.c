// SPDX-License-Identifier: MIT
/* The atomics of C kernels. The simulator runs one thread at a time, and lets no other run between
 * the check of an atomic and its end. */
#include "sim/hooks.h"
#include "sim/intrinsics.h"

#define ATOMIC(T, name, expression)                                                                \
    RD_HOOK T name(void *p, T value)                                                               \
    {                                                                                              \
        rd_sim_atomic(p, sizeof(T), __builtin_return_address(0));                                  \
        T old = *(T *)p;                                                                           \
        *(T *)p = (expression);                                                                    \
        return old;                                                                                \
    }
/* U is the type to add in: signed integers wrap, as on the device, so that they are added as unsigned
 * ones. */
#define ATOMICS(T, U, type)                                                                        \
    ATOMIC(T, rd_sim_add_##type, (T)((U)old + (U)value))                                           \
    ATOMIC(T, rd_sim_sub_##type, (T)((U)old - (U)value))                                           \
    ATOMIC(T, rd_sim_min_##type, value < old ? value : old)                                        \
    ATOMIC(T, rd_sim_max_##type, old < value ? value : old)                                        \
    ATOMIC(T, rd_sim_exch_##type, value)                                                           \
    RD_HOOK T rd_sim_cas_##type(void *p, T compare, T value)                                       \
    {                                                                                              \
        rd_sim_atomic_of(RD_SIM_TAKES_LOCK, p, sizeof(T), __builtin_return_address(0));            \
        T old = *(T *)p;                                                                           \
        if (old == compare)                                                                        \
            *(T *)p = value;                                                                       \
        return old;                                                                                \
    }
#define ATOMICS_OF_BITS(T, type)                                                                   \
    ATOMIC(T, rd_sim_and_##type, old &value)                                                       \
    ATOMIC(T, rd_sim_or_##type, old | value)                                                       \
    ATOMIC(T, rd_sim_xor_##type, old ^ value)

ATOMICS(int32_t, uint32_t, i32)
ATOMICS(uint32_t, uint32_t, u32)
ATOMICS(int64_t, uint64_t, i64)
ATOMICS(uint64_t, uint64_t, u64)
ATOMICS(float, float, f32)
ATOMICS(double, double, f64)
ATOMICS_OF_BITS(int32_t, i32)
ATOMICS_OF_BITS(uint32_t, u32)
ATOMICS_OF_BITS(int64_t, i64)
ATOMICS_OF_BITS(uint64_t, u64)
ATOMIC(uint32_t, rd_sim_inc_u32, old >= value ? 0 : old + 1)
ATOMIC(uint32_t, rd_sim_dec_u32, old == 0 || old > value ? value : old - 1)
