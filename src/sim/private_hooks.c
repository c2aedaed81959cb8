// SPDX-License-Identifier: MIT
/* What the compilers call in a build that tells of private memory. */
#include "sim/hooks.h"
#include "sim/private.h"

#include <limits.h>
#include <string.h>

#if defined __SANITIZE_ADDRESS__
#define SANITIZED
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#endif

#if defined __GNUC__ && !defined __clang__
#pragma GCC diagnostic ignored "-Wbuiltin-declaration-mismatch"
#endif

#define PC ((uintptr_t)__builtin_return_address(0))
/* Of the caller: what lies below is nobody's. */
#define FRAME ((uintptr_t)__builtin_frame_address(0))

void rd_sim_private_range(const void *at, size_t size_bytes, enum rd_sim_op op, uintptr_t pc,
                          uintptr_t frame)
{
    rd_sim_private_look((uintptr_t)at, size_bytes, op, pc, frame);
}

#define ACCESS(name, size, op)                                                                     \
    RD_HOOK void name(uintptr_t address);                                                          \
    void name(uintptr_t address)                                                                   \
    {                                                                                              \
        rd_sim_private_access(address, size, op, PC, FRAME);                                       \
    }
#define ACCESSES(size)                                                                             \
    ACCESS(__asan_load##size##_noabort, size, RD_SIM_READ)                                         \
    ACCESS(__asan_store##size##_noabort, size, RD_SIM_WRITE)
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

RD_HOOK void __asan_loadN_noabort(uintptr_t address, size_t size_bytes);
void __asan_loadN_noabort(uintptr_t address, size_t size_bytes)
{
    rd_sim_private_access(address, size_bytes, RD_SIM_READ, PC, FRAME);
}

RD_HOOK void __asan_storeN_noabort(uintptr_t address, size_t size_bytes);
void __asan_storeN_noabort(uintptr_t address, size_t size_bytes)
{
    rd_sim_private_access(address, size_bytes, RD_SIM_WRITE, PC, FRAME);
}

/* In a build of the simulator with the address sanitizer these are that one's own. */
#ifndef SANITIZED

/* Of variables of the file, which are looked at elsewhere. */
RD_HOOK void __asan_before_dynamic_init(const char *module);
void __asan_before_dynamic_init(const char *module)
{
    (void)module;
}

RD_HOOK void __asan_after_dynamic_init(void);
void __asan_after_dynamic_init(void)
{
}

RD_HOOK void __asan_register_globals(void *globals, size_t count);
void __asan_register_globals(void *globals, size_t count)
{
    (void)globals, (void)count;
}

RD_HOOK void __asan_unregister_globals(void *globals, size_t count);
void __asan_unregister_globals(void *globals, size_t count)
{
    (void)globals, (void)count;
}

RD_HOOK void __asan_poison_cxx_array_cookie(uintptr_t address);
void __asan_poison_cxx_array_cookie(uintptr_t address)
{
    (void)address;
}

RD_HOOK uintptr_t __asan_load_cxx_array_cookie(const uintptr_t *cookie);
uintptr_t __asan_load_cxx_array_cookie(const uintptr_t *cookie)
{
    return *cookie;
}

RD_HOOK void __asan_handle_no_return(void);
void __asan_handle_no_return(void)
{
}

RD_HOOK void __asan_poison_stack_memory(uintptr_t address, size_t size_bytes);
void __asan_poison_stack_memory(uintptr_t address, size_t size_bytes)
{
    rd_sim_private_mark(address, size_bytes, RD_SIM_PRIVATE_ENDED);
}

RD_HOOK void __asan_unpoison_stack_memory(uintptr_t address, size_t size_bytes);
void __asan_unpoison_stack_memory(uintptr_t address, size_t size_bytes)
{
    rd_sim_private_mark(address, size_bytes, 0);
}

RD_HOOK void __asan_alloca_poison(uintptr_t address, size_t size_bytes);
void __asan_alloca_poison(uintptr_t address, size_t size_bytes)
{
    (void)address, (void)size_bytes;
}

RD_HOOK void __asan_allocas_unpoison(uintptr_t top, uintptr_t bottom);
void __asan_allocas_unpoison(uintptr_t top, uintptr_t bottom)
{
    if (top && top < bottom)
        rd_sim_private_mark(top, bottom - top, 0);
}

#define SET_SHADOW(byte)                                                                           \
    RD_HOOK void __asan_set_shadow_##byte(unsigned char *shadow, size_t size_bytes);               \
    void __asan_set_shadow_##byte(unsigned char *shadow, size_t size_bytes)                        \
    {                                                                                              \
        memset(shadow, 0x##byte, size_bytes);                                                      \
    }
SET_SHADOW(00)
SET_SHADOW(f1)
SET_SHADOW(f2)
SET_SHADOW(f3)
SET_SHADOW(f5)
SET_SHADOW(f8)

#endif

/* ---- comparisons ---- */

/* As gcc fills variables that are not set. Who compares such a number has hardly set it; narrow ones may
 * well have been. */
enum { FILL = 0xfe };

static bool is_fill(uint64_t bits, unsigned size_bytes)
{
    return bits == (UINT64_C(0x0101010101010101) * FILL & UINT64_MAX >> (64 - 8 * size_bytes));
}

static void compare(uint64_t x, uint64_t y, unsigned size_bytes, uintptr_t pc)
{
    if (is_fill(x, size_bytes) || is_fill(y, size_bytes))
        rd_sim_private_compare(pc);
}

#define COMPARE(name, T)                                                                           \
    RD_HOOK void name(T x, T y);                                                                   \
    void name(T x, T y)                                                                            \
    {                                                                                              \
        compare(x, y, sizeof(T), PC);                                                              \
    }
COMPARE(__sanitizer_cov_trace_cmp4, uint32_t)
COMPARE(__sanitizer_cov_trace_cmp8, uint64_t)

/* With a constant, which comes first. */
#define COMPARE_CONSTANT(name, T)                                                                  \
    RD_HOOK void name(T constant, T y);                                                            \
    void name(T constant, T y)                                                                     \
    {                                                                                              \
        if (constant != y)                                                                         \
            compare(0, y, sizeof(T), PC);                                                          \
    }
COMPARE_CONSTANT(__sanitizer_cov_trace_const_cmp4, uint32_t)
COMPARE_CONSTANT(__sanitizer_cov_trace_const_cmp8, uint64_t)

#define COMPARE_NARROW(name, T)                                                                    \
    RD_HOOK void name(T x, T y);                                                                   \
    void name(T x, T y)                                                                            \
    {                                                                                              \
        (void)x, (void)y;                                                                          \
    }
COMPARE_NARROW(__sanitizer_cov_trace_cmp1, uint8_t)
COMPARE_NARROW(__sanitizer_cov_trace_cmp2, uint16_t)
COMPARE_NARROW(__sanitizer_cov_trace_const_cmp1, uint8_t)
COMPARE_NARROW(__sanitizer_cov_trace_const_cmp2, uint16_t)

static void compare_floats(float x, float y, uintptr_t pc)
{
    uint32_t bits[2];
    memcpy(&bits[0], &x, sizeof x);
    memcpy(&bits[1], &y, sizeof y);
    compare(bits[0], bits[1], sizeof x, pc);
}

static void compare_doubles(double x, double y, uintptr_t pc)
{
    uint64_t bits[2];
    memcpy(&bits[0], &x, sizeof x);
    memcpy(&bits[1], &y, sizeof y);
    compare(bits[0], bits[1], sizeof x, pc);
}

RD_HOOK void __sanitizer_cov_trace_cmpf(float x, float y);
void __sanitizer_cov_trace_cmpf(float x, float y)
{
    compare_floats(x, y, PC);
}

RD_HOOK void __sanitizer_cov_trace_cmpd(double x, double y);
void __sanitizer_cov_trace_cmpd(double x, double y)
{
    compare_doubles(x, y, PC);
}

RD_HOOK void __sanitizer_cov_trace_switch(uint64_t value, const uint64_t *cases);
void __sanitizer_cov_trace_switch(uint64_t value, const uint64_t *cases)
{
    unsigned size_bytes = (unsigned)cases[1] / CHAR_BIT;
    if (size_bytes == 4 || size_bytes == 8)
        compare(value & UINT64_MAX >> (64 - cases[1]), 0, size_bytes, PC);
}

/* The smaller and the larger of the C library, which no compiler looks into. */
#define EXTREME(name, T, compare_two)                                                              \
    RD_HOOK T __wrap_##name(T x, T y);                                                             \
    T __wrap_##name(T x, T y)                                                                      \
    {                                                                                              \
        compare_two(x, y, PC);                                                                     \
        return __builtin_##name(x, y);                                                             \
    }
EXTREME(fminf, float, compare_floats)
EXTREME(fmaxf, float, compare_floats)
EXTREME(fmin, double, compare_doubles)
EXTREME(fmax, double, compare_doubles)
