// SPDX-License-Identifier: MIT
/* The atomics of C kernels. The simulator runs one thread at a time, and lets no other run between
 * the check of an atomic and its end. */
#include "device/sim/engine/core.h"
#include "device/sim/api/hooks.h"
#include "device/sim/api/cuda.h"

#include <float.h>
#include <math.h>

static float without_subnormal(float x)
{
    return fabsf(x) < FLT_MIN ? copysignf(0, x) : x;
}

RD_HOOK float rd_sim_atomic_sum(const volatile void *address, float x, float y)
{
    if ((uintptr_t)address - rd_sim_here->core.shared < rd_sim_here->core.shared_size)
        return x + y;
    return without_subnormal(without_subnormal(x) + without_subnormal(y));
}

#define ATOMIC_OF(T, name, scope, expression)                                                      \
    RD_HOOK T name(void *p, T value)                                                               \
    {                                                                                              \
        rd_sim_atomic(scope, p, sizeof(T), __builtin_return_address(0));                           \
        T old = *(T *)p;                                                                           \
        *(T *)p = (expression);                                                                    \
        return old;                                                                                \
    }
#define ATOMIC(T, name, type, expression)                                                          \
    ATOMIC_OF(T, rd_sim_##name##_##type, RD_SIM_OF_GRID, expression)                               \
    ATOMIC_OF(T, rd_sim_##name##_block_##type, RD_SIM_OF_BLOCK, expression)
#define CAS_OF(T, name, scope)                                                                     \
    RD_HOOK T name(void *p, T compare, T value)                                                    \
    {                                                                                              \
        rd_sim_atomic_cas(scope | RD_SIM_TAKES_LOCK, p, sizeof(T), &compare,                       \
                          __builtin_return_address(0));                                            \
        T old = *(T *)p;                                                                           \
        if (old == compare)                                                                        \
            *(T *)p = value;                                                                       \
        return old;                                                                                \
    }
/* U is the type to add in: signed integers wrap, as on the device, so that they are added as unsigned
 * ones. */
#define ATOMICS(T, U, type, sum)                                                                   \
    ATOMIC(T, add, type, sum)                                                                      \
    ATOMIC(T, sub, type, (T)((U)old - (U)value))                                                   \
    ATOMIC(T, min, type, value < old ? value : old)                                                \
    ATOMIC(T, max, type, old < value ? value : old)                                                \
    ATOMIC(T, exch, type, value)                                                                   \
    CAS_OF(T, rd_sim_cas_##type, RD_SIM_OF_GRID)                                                   \
    CAS_OF(T, rd_sim_cas_block_##type, RD_SIM_OF_BLOCK)
#define ATOMICS_OF_BITS(T, type)                                                                   \
    ATOMIC(T, and, type, old &value)                                                               \
    ATOMIC(T, or, type, old | value)                                                               \
    ATOMIC(T, xor, type, old ^ value)

ATOMICS(int32_t, uint32_t, i32, (int32_t)((uint32_t)old + (uint32_t)value))
ATOMICS(uint32_t, uint32_t, u32, (uint32_t)((uint32_t)old + (uint32_t)value))
ATOMICS(int64_t, uint64_t, i64, (int64_t)((uint64_t)old + (uint64_t)value))
ATOMICS(uint64_t, uint64_t, u64, (uint64_t)((uint64_t)old + (uint64_t)value))
ATOMICS(float, float, f32, rd_sim_atomic_sum(p, old, value))
ATOMICS(double, double, f64, old + value)
ATOMICS_OF_BITS(int32_t, i32)
ATOMICS_OF_BITS(uint32_t, u32)
ATOMICS_OF_BITS(int64_t, i64)
ATOMICS_OF_BITS(uint64_t, u64)
#define ATOMIC_SUM_OF_HALF(name, NAME, elem, kind)                                                 \
    ATOMIC(rd_##name, add, name, rd_##name##_sum(old, value))
RD_HALF_TYPES(ATOMIC_SUM_OF_HALF)
CAS_OF(uint16_t, rd_sim_cas_u16, RD_SIM_OF_GRID)
CAS_OF(uint16_t, rd_sim_cas_block_u16, RD_SIM_OF_BLOCK)
ATOMIC(uint32_t, inc, u32, old >= value ? 0 : old + 1)
ATOMIC(uint32_t, dec, u32, old == 0 || old > value ? value : old - 1)
