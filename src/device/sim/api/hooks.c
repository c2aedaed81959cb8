// SPDX-License-Identifier: MIT
/* Hooks that the compiler calls before each access of a kernel that it has compiled with
 * -fsanitize=thread. The names are those of the thread sanitizer's runtime, which is not linked:
 * here every access is checked, not only those that happen to meet in time. */
#include "device/sim/object.h"
#include "device/sim/api/hooks.h"
#include "device/sim/detect/fast_path.h"
#include "device/sim/detect/private.h"
#include "device/sim/engine/engine.h"
#include "device/sim/detect/slow_path.h"

#include <stdlib.h>
#include <string.h>

/* In a build with a sanitizer, gcc knows these functions by other types: those of the sanitizers' own
 * calls, which differ between its releases. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC diagnostic ignored "-Wbuiltin-declaration-mismatch"
#endif

#define PC    ((uintptr_t)__builtin_return_address(0))
#define FRAME ((uintptr_t)__builtin_frame_address(0))

/* A function of its own, as all that is called from a hook is called last: then a hook keeps no
 * register and needs no frame. */
static __attribute__((noinline)) void ask_and_check(uintptr_t address, size_t size,
                                                    enum rd_sim_op op, uintptr_t pc)
{
    rd_sim_ask(op);
    rd_sim_tell_access(address, size, op, pc);
    rd_sim_access_check(address, size, op, pc);
}

/* A part of a wide access may be marked before the slow path sees the whole again: it finds itself
 * there, which is no race. */
RD_INLINE void access_plain(const volatile void *p, size_t size, enum rd_sim_op op, uintptr_t pc)
{
    uintptr_t address = (uintptr_t)p;
    if (!RD_LIKELY(--rd_sim_here->core.budget))
        ask_and_check(address, size, op, pc);
    else if (!RD_LIKELY(rd_sim_access_is_plain(address, size, op, pc)))
        rd_sim_access_check(address, size, op, pc);
}

#define PLAIN(name, size, op)                                                                      \
    RD_HOOK void name(void *p);                                                                    \
    void name(void *p)                                                                             \
    {                                                                                              \
        access_plain(p, size, op, PC);                                                             \
    }                                                                                              \
    RD_HOOK_RENAMED(name)
#define SIZES(prefix, op)                                                                          \
    PLAIN(prefix##1, 1, op)                                                                        \
    PLAIN(prefix##2, 2, op)                                                                        \
    PLAIN(prefix##4, 4, op)                                                                        \
    PLAIN(prefix##8, 8, op)                                                                        \
    PLAIN(prefix##16, 16, op)
SIZES(__tsan_read, RD_SIM_READ)
SIZES(__tsan_write, RD_SIM_WRITE)

/* Threads talk to each other by volatile objects; a thread's own, on its stack, are none of those. */
static __attribute__((noinline)) void access_volatile(uintptr_t address, size_t size,
                                                      enum rd_sim_op op, uintptr_t pc)
{
    if (!rd_sim_is_running() || rd_sim_is_on_stack(address))
        return;
    if (!--rd_sim_here->core.budget)
        rd_sim_ask(op);
    rd_sim_communicate(address);
    rd_sim_tell_access(address, size, op, pc);
    rd_sim_access_volatile(address, size, op, pc);
    rd_sim_communicated(address, size);
}

#define VOLATILE(name, size, op)                                                                   \
    RD_HOOK void name(void *p);                                                                    \
    void name(void *p)                                                                             \
    {                                                                                              \
        access_volatile((uintptr_t)p, size, op, PC);                                               \
    }                                                                                              \
    RD_HOOK_RENAMED(name)
#define VOLATILE_SIZES(prefix, op)                                                                 \
    VOLATILE(prefix##1, 1, op)                                                                     \
    VOLATILE(prefix##2, 2, op)                                                                     \
    VOLATILE(prefix##4, 4, op)                                                                     \
    VOLATILE(prefix##8, 8, op)                                                                     \
    VOLATILE(prefix##16, 16, op)
VOLATILE_SIZES(__tsan_volatile_read, RD_SIM_READ)
VOLATILE_SIZES(__tsan_volatile_write, RD_SIM_WRITE)

/* Accesses that need not be aligned, as to a member of a packed struct: the device makes them byte by byte. */
#define UNALIGNED(name, size, op)                                                                  \
    RD_HOOK void name(void *p);                                                                    \
    void name(void *p)                                                                             \
    {                                                                                              \
        rd_sim_access_range((uintptr_t)p, size, op, PC);                                           \
    }                                                                                              \
    RD_HOOK_RENAMED(name)
#define UNALIGNED_SIZES(prefix, op)                                                                \
    UNALIGNED(prefix##2, 2, op)                                                                    \
    UNALIGNED(prefix##4, 4, op)                                                                    \
    UNALIGNED(prefix##8, 8, op)                                                                    \
    UNALIGNED(prefix##16, 16, op)
UNALIGNED_SIZES(__tsan_unaligned_read, RD_SIM_READ)
UNALIGNED_SIZES(__tsan_unaligned_write, RD_SIM_WRITE)

RD_HOOK void __tsan_read_range(void *p, long size);
void __tsan_read_range(void *p, long size)
{
    rd_sim_access_range((uintptr_t)p, (size_t)size, RD_SIM_READ, PC);
}
RD_HOOK_RENAMED(__tsan_read_range)

RD_HOOK void __tsan_write_range(void *p, long size);
void __tsan_write_range(void *p, long size)
{
    rd_sim_access_range((uintptr_t)p, (size_t)size, RD_SIM_WRITE, PC);
}
RD_HOOK_RENAMED(__tsan_write_range)

/* Checks a copy's private and other memory. */
static void copy_check(const void *p, size_t size, enum rd_sim_op op, uintptr_t pc, uintptr_t frame)
{
    rd_sim_private_range((uintptr_t)p, size, op, pc, frame);
    rd_sim_access_range((uintptr_t)p, size, op, pc);
}

/* Replacements of memcpy, memmove and memset in a loaded file. */
RD_HOOK void *__wrap_memcpy(void *to, const void *from, size_t size);
void *__wrap_memcpy(void *to, const void *from, size_t size)
{
    copy_check(from, size, RD_SIM_READ, PC, FRAME);
    copy_check(to, size, RD_SIM_WRITE, PC, FRAME);
    return memmove(to, from, size);
}

RD_HOOK void *__wrap_memmove(void *to, const void *from, size_t size);
void *__wrap_memmove(void *to, const void *from, size_t size)
{
    copy_check(from, size, RD_SIM_READ, PC, FRAME);
    copy_check(to, size, RD_SIM_WRITE, PC, FRAME);
    return memmove(to, from, size);
}

RD_HOOK void *__wrap_memset(void *to, int value, size_t size);
void *__wrap_memset(void *to, int value, size_t size)
{
    copy_check(to, size, RD_SIM_WRITE, PC, FRAME);
    return memset(to, value, size);
}

RD_HOOK void __tsan_vptr_update(void *p, void *value);
void __tsan_vptr_update(void *p, void *value)
{
    (void)value;
    access_plain(p, sizeof(void *), RD_SIM_WRITE, PC);
}

RD_HOOK void __tsan_vptr_read(void *p);
void __tsan_vptr_read(void *p)
{
    access_plain(p, sizeof(void *), RD_SIM_READ, PC);
}

RD_HOOK void __tsan_init(void);
void __tsan_init(void)
{
}
RD_HOOK_RENAMED(__tsan_init)

RD_HOOK void __tsan_func_entry(void *caller);
void __tsan_func_entry(void *caller)
{
    (void)caller;
}
RD_HOOK_RENAMED(__tsan_func_entry)

/* The attribute stands at the definition, too: some builds have gcc declare this one by itself, as
 * hidden. */
RD_HOOK void __tsan_func_exit(void);
RD_HOOK void __tsan_func_exit(void)
{
}
RD_HOOK_RENAMED(__tsan_func_exit)

/* ---- the compiler's own check of alignment ---- */

/* As -fsanitize=alignment lays it out. */
struct type_mismatch {
    const char *file;
    uint32_t line, column;
    const void *type;
    unsigned char log_alignment, kind;
};

/* It comes before the access, whose hook sees the address, too, but for one case: what gcc knows to be
 * misaligned, it reads and writes as a range of bytes. */
RD_HOOK void __ubsan_handle_type_mismatch_v1(const void *data, uintptr_t address);
RD_HOOK void __ubsan_handle_type_mismatch_v1(const void *data, uintptr_t address)
{
    const struct type_mismatch *check = data;
    size_t alignment = (size_t)1 << check->log_alignment;
    /* In a build of our own code with that check, which knows null pointers, too: a bug of ours. */
    if (!rd_sim_is_running() || address % alignment == 0)
        abort();
    rd_sim_access_misaligned(address, alignment);
}

/* ---- the compiler's own bounds check, of arrays whose size it knows ---- */

/* As -fsanitize=bounds lays it out. */
struct type_descriptor {
    uint16_t kind, info;
    char name[];
};
struct out_of_bounds {
    const char *file;
    uint32_t line, column;
    const struct type_descriptor *array, *index;
};

/* "'float [256]'": the number between the first brackets. */
static size_t elements_of(const char *name)
{
    size_t n = 0;
    while (*name && *name != '[')
        name++;
    for (name += *name == '['; *name >= '0' && *name <= '9'; name++)
        n = n * 10 + (size_t)(*name - '0');
    return n;
}

RD_HOOK void __ubsan_handle_out_of_bounds(const void *data, uintptr_t index);
RD_HOOK void __ubsan_handle_out_of_bounds(const void *data, uintptr_t index)
{
    const struct out_of_bounds *check = data;
    if (!rd_sim_is_running()) /* in a build of our own code with that check: a bug of ours */
        abort();
    unsigned bits = 1u << (check->index->info >> 1);
    int64_t value = (int64_t)index;
    if (bits <= 32)
        value = check->index->info & 1 ? (int64_t)(int32_t)index : (int64_t)(uint32_t)index;
    rd_sim_index_check(value, elements_of(check->array->name), 0, PC);
}
RD_HOOK_RENAMED(__ubsan_handle_out_of_bounds)
