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
#define ATOMICS(T, type)                                                                           \
    ATOMIC(T, rd_sim_add_##type, old + value)                                                      \
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

/* Signed integers wrap, as on the device: added as unsigned ones. */
ATOMIC(int32_t, rd_sim_add_i32, (int32_t)((uint32_t)old + (uint32_t)value))
ATOMIC(int32_t, rd_sim_min_i32, value < old ? value : old)
ATOMIC(int32_t, rd_sim_max_i32, old < value ? value : old)
ATOMIC(int32_t, rd_sim_exch_i32, value)
RD_HOOK int32_t rd_sim_cas_i32(void *p, int32_t compare, int32_t value)
{
    rd_sim_atomic_of(RD_SIM_TAKES_LOCK, p, sizeof(int32_t), __builtin_return_address(0));
    int32_t old = *(int32_t *)p;
    if (old == compare)
        *(int32_t *)p = value;
    return old;
}
ATOMICS(uint32_t, u32)
ATOMICS(uint64_t, u64)
ATOMICS(float, f32)
ATOMICS(double, f64)
ATOMIC(uint32_t, rd_sim_inc_u32, old >= value ? 0 : old + 1)
ATOMIC(uint32_t, rd_sim_dec_u32, old == 0 || old > value ? value : old - 1)
