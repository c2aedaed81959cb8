// SPDX-License-Identifier: MIT
/* Atomics of host code, by the names that the compiler calls them with -fsanitize=thread: __atomic_fetch_add(), std::atomic and
 * the like. All are sequentially consistent here. Kernels have CUDA's own. */
#include "device/sim/api/hooks.h"
#include "device/sim/file/launch.h"
#include "device/sim/runtime/runtime_internal.h"

#include <stdbool.h>

/* gcc knows these functions by other types. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC diagnostic ignored "-Wbuiltin-declaration-mismatch"
#endif

#define PC ((uintptr_t)__builtin_return_address(0))

static void tell(const volatile void *p, size_t size_bytes, enum rd_sim_op op, uintptr_t pc)
{
    struct rd_sim_core *core = &rd_sim_here->core;
    if (core->is_running)
        rd_sim_unsimulated("atomics of the C++ library, or of the host's compiler, in kernels", "",
                           0, (void *)pc);
    else if (core->on_host_access)
        core->on_host_access((uintptr_t)p, size_bytes, op, pc);
}

#define FETCH(T, n, name)                                                                          \
    RD_HOOK T __tsan_atomic##n##_fetch_##name(volatile T *p, T value, int order);                  \
    T __tsan_atomic##n##_fetch_##name(volatile T *p, T value, int order)                           \
    {                                                                                              \
        (void)order;                                                                               \
        tell(p, sizeof *p, RD_SIM_ATOMIC, PC);                                                     \
        return __atomic_fetch_##name(p, value, __ATOMIC_SEQ_CST);                                  \
    }
/* Compares, and gives whether the value was the expected one, which otherwise learns it. */
#define COMPARE(T, n, strength)                                                                    \
    RD_HOOK int __tsan_atomic##n##_compare_exchange_##strength(volatile T *p, T *expected,         \
                                                               T value, int order, int otherwise); \
    int __tsan_atomic##n##_compare_exchange_##strength(volatile T *p, T *expected, T value,        \
                                                       int order, int otherwise)                   \
    {                                                                                              \
        (void)order, (void)otherwise;                                                              \
        tell(p, sizeof *p, RD_SIM_ATOMIC, PC);                                                     \
        return __atomic_compare_exchange_n(p, expected, value, false, __ATOMIC_SEQ_CST,            \
                                           __ATOMIC_SEQ_CST);                                      \
    }
#define ATOMICS(T, n)                                                                              \
    RD_HOOK T __tsan_atomic##n##_load(const volatile T *p, int order);                             \
    T __tsan_atomic##n##_load(const volatile T *p, int order)                                      \
    {                                                                                              \
        (void)order;                                                                               \
        tell(p, sizeof *p, RD_SIM_ATOMIC, PC);                                                     \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                               \
    }                                                                                              \
    RD_HOOK void __tsan_atomic##n##_store(volatile T *p, T value, int order);                      \
    void __tsan_atomic##n##_store(volatile T *p, T value, int order)                               \
    {                                                                                              \
        (void)order;                                                                               \
        tell(p, sizeof *p, RD_SIM_ATOMIC, PC);                                                     \
        __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                              \
    }                                                                                              \
    RD_HOOK T __tsan_atomic##n##_exchange(volatile T *p, T value, int order);                      \
    T __tsan_atomic##n##_exchange(volatile T *p, T value, int order)                               \
    {                                                                                              \
        (void)order;                                                                               \
        tell(p, sizeof *p, RD_SIM_ATOMIC, PC);                                                     \
        return __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST);                                    \
    }                                                                                              \
    FETCH(T, n, add)                                                                               \
    FETCH(T, n, sub)                                                                               \
    FETCH(T, n, and)                                                                               \
    FETCH(T, n, or)                                                                                \
    FETCH(T, n, xor)                                                                               \
    FETCH(T, n, nand)                                                                              \
    COMPARE(T, n, strong)                                                                          \
    COMPARE(T, n, weak)                                                                            \
    RD_HOOK T __tsan_atomic##n##_compare_exchange_val(volatile T *p, T expected, T value,          \
                                                      int order, int otherwise);                   \
    T __tsan_atomic##n##_compare_exchange_val(volatile T *p, T expected, T value, int order,       \
                                              int otherwise)                                       \
    {                                                                                              \
        (void)order, (void)otherwise;                                                              \
        tell(p, sizeof *p, RD_SIM_ATOMIC, PC);                                                     \
        __atomic_compare_exchange_n(p, &expected, value, false, __ATOMIC_SEQ_CST,                  \
                                    __ATOMIC_SEQ_CST);                                             \
        return expected;                                                                           \
    }
ATOMICS(uint8_t, 8)
ATOMICS(uint16_t, 16)
ATOMICS(uint32_t, 32)
ATOMICS(uint64_t, 64)

RD_HOOK void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

RD_HOOK void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

const void *const rd_sim_host_atomics = (const void *)__tsan_atomic_thread_fence;
