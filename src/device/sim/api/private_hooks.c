// SPDX-License-Identifier: MIT
/* Hooks of a build that tells of private memory. */
#include "device/sim/api/bits.h"
#include "device/sim/api/hooks.h"
#include "device/sim/detect/private.h"

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
/* Frame of the caller: all below it is unused. */
#define FRAME ((uintptr_t)__builtin_frame_address(0))

/* Called by the program itself: so the linker takes this file, whose other functions only loaded files call. */
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

/* Hooks for variables of the file, which are looked at elsewhere. */
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

/* The smaller and the larger of the C library, which no compiler looks into. */
#define EXTREME(name, T, bits_of)                                                                  \
    RD_HOOK T __wrap_##name(T x, T y);                                                             \
    T __wrap_##name(T x, T y)                                                                      \
    {                                                                                              \
        rd_sim_private_compared(bits_of(x), bits_of(y), sizeof(T), PC);                            \
        return __builtin_##name(x, y);                                                             \
    }
EXTREME(fminf, float, rd_sim_bits_of_float)
EXTREME(fmaxf, float, rd_sim_bits_of_float)
EXTREME(fmin, double, rd_sim_bits_of_double)
EXTREME(fmax, double, rd_sim_bits_of_double)
