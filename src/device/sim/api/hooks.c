// SPDX-License-Identifier: MIT
/* Hooks in kernels: of accesses, of copies, of comparisons, and of the heap.
 *
 * The compiler calls the first before each access of a kernel that it has compiled with -fsanitize=thread. The names
 * are those of the thread sanitizer's runtime, which is not linked: here every access is checked, not only those that
 * happen to meet in time. */
#include "device/sim/object.h"
#include "device/sim/api/hooks.h"
#include "device/sim/api/intrinsics.h"
#include "device/sim/detect/arithmetic.h"
#include "device/sim/detect/fast_path.h"
#include "device/sim/detect/private.h"
#include "device/sim/engine/engine.h"
#include "device/sim/detect/races.h"
#include "device/sim/detect/observers.h"
#include "device/sim/memory/memory.h"

#include <limits.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

/* In a build with a sanitizer, gcc knows these functions by other types: those of the sanitizers' own
 * calls, which differ between its releases. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC diagnostic ignored "-Wbuiltin-declaration-mismatch"
#endif

#define PC    ((uintptr_t)__builtin_return_address(0))
#define FRAME ((uintptr_t)__builtin_frame_address(0))

/* Passes an access by host code to the runtime, if that listens; tells whether it does. */
static bool tell_host_access(uintptr_t address, size_t size, enum rd_sim_op op, uintptr_t pc)
{
    struct rd_sim_core *core = &rd_sim_here->core;
    if (core->is_running || !core->on_host_access)
        return false;
    core->budget = 1;
    if (rd_sim_host_sees(core->host_seen, address))
        core->on_host_access(address, size, op, pc);
    return true;
}

/* A function of its own, as all that is called from a hook is called last: then a hook keeps no
 * register and needs no frame. */
static __attribute__((noinline)) void ask_and_check(uintptr_t address, size_t size,
                                                    enum rd_sim_op op, uintptr_t pc)
{
    if (tell_host_access(address, size, op, pc))
        return;
    rd_sim_ask(op);
    rd_sim_tell_access(address, size, op, pc);
    const bool has_fast_path = (size & (size - 1)) == 0;
    if (!rd_sim_is_running() || !has_fast_path || !rd_sim_access_is_plain(address, size, op, pc))
        rd_sim_access_check(address, size, op, pc);
}

/* Checks a plain access. The fast path may have recorded a part of a wide access before the slow path checks all of it: the
 * thread's own record is no race. */
RD_INLINE void access_plain(uintptr_t address, size_t size, enum rd_sim_op op, uintptr_t pc)
{
    if (!RD_LIKELY(--rd_sim_here->core.budget))
        ask_and_check(address, size, op, pc);
    else if (!RD_LIKELY(rd_sim_access_is_plain(address, size, op, pc)))
        rd_sim_access_check(address, size, op, pc);
}

/* Checks an access to a volatile object, by which threads may communicate; those on the thread's own stack are private. */
static __attribute__((noinline)) void access_volatile(uintptr_t address, size_t size,
                                                      enum rd_sim_op op, uintptr_t pc)
{
    /* Of the host's, which are relaxed to all (PTX ISA, "ld"): a kernel that looks at them by volatile reads is no race. */
    if (tell_host_access(address, size, RD_SIM_ATOMIC, pc) || !rd_sim_is_running() ||
        rd_sim_is_on_stack(address))
        return;
    if (!--rd_sim_here->core.budget)
        rd_sim_ask(op);
    rd_sim_communicate(address);
    rd_sim_tell_access(address, size, op, pc);
    rd_sim_access_volatile(address, size, op, pc);
    rd_sim_communicated(address, size);
}

RD_HOOK void rd_sim_accessed(const volatile void *address, size_t size_bytes, int writes, void *pc)
{
    const enum rd_sim_op op = writes ? RD_SIM_WRITE : RD_SIM_READ;
    if ((size_bytes & (size_bytes - 1)) == 0)
        access_plain((uintptr_t)address, size_bytes, op, (uintptr_t)pc);
    else if (!--rd_sim_here->core.budget)
        ask_and_check((uintptr_t)address, size_bytes, op, (uintptr_t)pc);
    else
        rd_sim_access_check((uintptr_t)address, size_bytes, op, (uintptr_t)pc);
}

RD_HOOK void rd_sim_accessed_volatile(const volatile void *address, size_t size_bytes, int writes,
                                      void *pc)
{
    access_volatile((uintptr_t)address, size_bytes, writes ? RD_SIM_WRITE : RD_SIM_READ,
                    (uintptr_t)pc);
}

static __attribute__((noinline)) void ask_and_check_range(uintptr_t address, size_t size,
                                                          enum rd_sim_op op, uintptr_t pc)
{
    if (tell_host_access(address, size, op, pc))
        return;
    rd_sim_ask(op);
    rd_sim_access_range(address, size, op, pc);
}

/* A struct is copied as a range of bytes. */
RD_INLINE void access_range(uintptr_t address, size_t size, enum rd_sim_op op, uintptr_t pc)
{
    if (!RD_LIKELY(--rd_sim_here->core.budget))
        ask_and_check_range(address, size, op, pc);
    else if (!RD_LIKELY(rd_sim_range_is_plain(address, size, op, pc)))
        rd_sim_access_range(address, size, op, pc);
}

#define ACCESS(name, size, op, access)                                                             \
    RD_HOOK void name(void *p);                                                                    \
    void name(void *p)                                                                             \
    {                                                                                              \
        access((uintptr_t)p, size, op, PC);                                                        \
    }                                                                                              \
    RD_HOOK_RENAMED(name)
#define SIZES(prefix, op, access)                                                                  \
    ACCESS(prefix##2, 2, op, access)                                                               \
    ACCESS(prefix##4, 4, op, access)                                                               \
    ACCESS(prefix##8, 8, op, access)                                                               \
    ACCESS(prefix##16, 16, op, access)
#define KIND(kind, access)                                                                         \
    SIZES(__tsan_##kind##read, RD_SIM_READ, access)                                                \
    SIZES(__tsan_##kind##write, RD_SIM_WRITE, access)
KIND(, access_plain)
KIND(volatile_, access_volatile)
/* Accesses that need not be aligned, as to a member of a packed struct: the device makes them byte by byte. */
KIND(unaligned_, access_range)
ACCESS(__tsan_read1, 1, RD_SIM_READ, access_plain)
ACCESS(__tsan_write1, 1, RD_SIM_WRITE, access_plain)
ACCESS(__tsan_volatile_read1, 1, RD_SIM_READ, access_volatile)
ACCESS(__tsan_volatile_write1, 1, RD_SIM_WRITE, access_volatile)

RD_HOOK void __tsan_read_range(void *p, long size);
void __tsan_read_range(void *p, long size)
{
    access_range((uintptr_t)p, (size_t)size, RD_SIM_READ, PC);
}
RD_HOOK_RENAMED(__tsan_read_range)

RD_HOOK void __tsan_write_range(void *p, long size);
void __tsan_write_range(void *p, long size)
{
    access_range((uintptr_t)p, (size_t)size, RD_SIM_WRITE, PC);
}
RD_HOOK_RENAMED(__tsan_write_range)

/* Checks a copy's private and other memory. */
static void copy_check(const void *p, size_t size, enum rd_sim_op op, uintptr_t pc, uintptr_t frame)
{
    if (tell_host_access((uintptr_t)p, size, op, pc))
        return;
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
    access_plain((uintptr_t)p, sizeof(void *), RD_SIM_WRITE, PC);
}

RD_HOOK void __tsan_vptr_read(void *p);
void __tsan_vptr_read(void *p)
{
    access_plain((uintptr_t)p, sizeof(void *), RD_SIM_READ, PC);
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

/* Notes a misaligned access before the access's own hook, which sees the address, too, but for one case: an access that
 * gcc knows to be misaligned is compiled to one of a range of bytes. */
RD_HOOK void __ubsan_handle_type_mismatch_v1(const void *data, uintptr_t address);
RD_HOOK void __ubsan_handle_type_mismatch_v1(const void *data, uintptr_t address)
{
    const struct type_mismatch *check = data;
    size_t alignment = (size_t)1 << check->log_alignment;
    if (!rd_sim_is_running()) {
        rd_sim_check_is_of_file((uintptr_t)__builtin_return_address(0));
        return;
    }
    /* In a build of our own code with that check, which knows null pointers, too: a bug of ours. */
    if (address % alignment == 0)
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
    if (!rd_sim_is_running()) { /* the host's arrays are not looked at */
        rd_sim_check_is_of_file(PC);
        return;
    }
    unsigned bits = 1u << (check->index->info >> 1);
    int64_t value = (int64_t)index;
    if (bits <= 32)
        value = check->index->info & 1 ? (int64_t)(int32_t)index : (int64_t)(uint32_t)index;
    rd_sim_index_check(value, elements_of(check->array->name), 0, PC);
}
RD_HOOK_RENAMED(__ubsan_handle_out_of_bounds)

/* ---- comparisons ---- */

/* Hooks before each comparison in a build with -fsanitize-coverage=trace-cmp. Those of a
 * value and a constant have the constant first. */
static void compared(uint64_t left, uint64_t right, unsigned size_bytes, uintptr_t pc)
{
    rd_sim_fingerprint_compared(left, right, pc);
    rd_sim_private_compared(left, right, size_bytes, pc);
}

/* A constant that a number is compared with may be what it was set to. */
static void compared_with_constant(uint64_t constant, uint64_t value, unsigned size_bytes,
                                   uintptr_t pc)
{
    rd_sim_fingerprint_compared(constant, value, pc);
    if (constant != value)
        rd_sim_private_compared(0, value, size_bytes, pc);
}

#define COMPARISON(name, T, tell_it)                                                               \
    RD_HOOK void name(T left, T right);                                                            \
    void name(T left, T right)                                                                     \
    {                                                                                              \
        tell_it(left, right, sizeof(T), PC);                                                       \
    }
#define COMPARISONS(prefix, tell_it)                                                               \
    COMPARISON(prefix##1, uint8_t, tell_it)                                                        \
    COMPARISON(prefix##2, uint16_t, tell_it)                                                       \
    COMPARISON(prefix##4, uint32_t, tell_it)                                                       \
    COMPARISON(prefix##8, uint64_t, tell_it)
COMPARISONS(__sanitizer_cov_trace_cmp, compared)
COMPARISONS(__sanitizer_cov_trace_const_cmp, compared_with_constant)

RD_HOOK void __sanitizer_cov_trace_cmpf(float left, float right);
void __sanitizer_cov_trace_cmpf(float left, float right)
{
    compared(rd_sim_bits_of_float(left), rd_sim_bits_of_float(right), sizeof left, PC);
}

RD_HOOK void __sanitizer_cov_trace_cmpd(double left, double right);
void __sanitizer_cov_trace_cmpd(double left, double right)
{
    compared(rd_sim_bits_of_double(left), rd_sim_bits_of_double(right), sizeof left, PC);
}

/* Hook before a switch; the second number of the cases is the width in bits. */
RD_HOOK void __sanitizer_cov_trace_switch(uint64_t value, void *cases);
void __sanitizer_cov_trace_switch(uint64_t value, void *cases)
{
    unsigned bits = (unsigned)((const uint64_t *)cases)[1];
    compared(value & UINT64_MAX >> (64 - bits), 0, bits / CHAR_BIT, PC);
}

/* Clang has no comparisons told without the blocks that they are in. */
RD_HOOK void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
}

/* ---- the heap ---- */

/* Replacements of malloc, free, new and delete in a loaded file. In a kernel they are the
 * device's; elsewhere, in the constructor of a static object for instance, the C library's, as
 * those of the C++ library are. */
enum { ALIGNMENT = 16 };

/* Allocates device memory. Its address depends on what other blocks have allocated before, so that blocks can't run side by
 * side. */
static void *alloc(size_t size, size_t alignment, uintptr_t pc)
{
    rd_sim_jobs_depend();
    return rd_sim_heap_alloc(size, alignment, pc);
}

static void *told(void *memory, size_t size)
{
    if (rd_sim_here && rd_sim_here->core.on_host_allocated)
        rd_sim_here->core.on_host_allocated(memory, size);
    return memory;
}

/* True: the memory is not the C library's, and stays. */
static bool tell_freed(void *memory, uintptr_t pc)
{
    return rd_sim_here && rd_sim_here->core.on_host_freed &&
           rd_sim_here->core.on_host_freed(memory, pc);
}

void *rd_sim_kernel_malloc(size_t size_bytes, uintptr_t pc)
{
    return alloc(size_bytes, ALIGNMENT, pc);
}

RD_HOOK void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    return rd_sim_is_running() ? rd_sim_kernel_malloc(size, PC) : told(malloc(size), size);
}

/* Kernels have no such functions. */
RD_HOOK void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size)
{
    return told(calloc(count, size), count * size);
}

RD_HOOK void *__wrap_realloc(void *memory, size_t size);
void *__wrap_realloc(void *memory, size_t size)
{
    if (tell_freed(memory, PC)) /* before another thread may be given it */
        return NULL;
    void *moved = realloc(memory, size);
    if (!moved && size > 0) /* it stays where it is */
        told(memory, malloc_usable_size(memory));
    return told(moved, size);
}

void rd_sim_kernel_free(void *memory, uintptr_t pc)
{
    uintptr_t address = (uintptr_t)memory;
    size_t size_bytes;
    if (!memory)
        return;
    rd_sim_jobs_depend();
    if (rd_sim_heap_find(memory, &size_bytes)) {
        rd_sim_access_free(address, size_bytes, pc);
        rd_sim_heap_free(memory, pc);
        return;
    }
    rd_sim_here->core.on_event(&(struct rd_sim_event){
        .hazard = RD_HAZARD_OUT_OF_BOUNDS,
        .actor = rd_sim_actor_self(RD_SIM_WRITE, pc),
        .address = address,
        .frees = true,
        .interval = rd_sim_here->core.interval,
    });
}

static void give_back(void *memory, uintptr_t pc)
{
    if (rd_sim_is_running())
        rd_sim_kernel_free(memory, pc);
    else if (!tell_freed(memory, pc))
        free(memory);
}

RD_HOOK void __wrap_free(void *memory);
void __wrap_free(void *memory)
{
    give_back(memory, PC);
}

/* A device's new gives NULL where there is no memory; the host's does not return. */
static void *take(size_t size, size_t alignment, uintptr_t pc)
{
    void *memory;
    if (rd_sim_is_running())
        return alloc(size, alignment, pc);
    if (posix_memalign(&memory, alignment, size ? size : 1) != 0)
        abort();
    return told(memory, size);
}

static bool is_set(uintptr_t address)
{
    enum rd_sim_space space = RD_SPACE_NONE;
    uint64_t *shadow = rd_sim_shadow(address, &space);
    uint64_t record = shadow ? *rd_sim_byte_record(shadow, address) : 0;
    bool is_stale = space == RD_SPACE_SHARED && record < rd_sim_here->core.block_floor;
    return record & RD_INIT && !is_stale;
}

/* Tells whether a function may have returned a value straight into the byte: no hook has seen it set, and its granule was
 * written unseen. */
static bool was_made(uintptr_t address)
{
    return !is_set(address) && rd_sim_access_is_untold(address, 1);
}

/* A constructor has been seen to set some of the members; others were given by functions, or never set. Where all were set
 * before, one more write of this thread's is no other hazard. */
RD_HOOK void rd_sim_made(void *object, size_t size_bytes, const unsigned char *bytes,
                         int is_aggregate)
{
    bool has_unset = false;
    if (!rd_sim_is_running())
        return;
    for (size_t k = 0; k < size_bytes && !is_aggregate; k++) {
        has_unset = has_unset || ((!bytes || bytes[k]) && !is_set((uintptr_t)object + k));
    }
    if (!has_unset || is_aggregate) {
        rd_sim_access_made((uintptr_t)object, size_bytes, PC);
        return;
    }
    for (size_t k = 0, n; k < size_bytes; k += n) {
        n = 0;
        while (k + n < size_bytes && was_made((uintptr_t)object + k + n))
            n++;
        rd_sim_access_made((uintptr_t)object + k, n, PC);
        n += n == 0;
    }
}

const char rd_sim_heap_link_option[] =
    "-Wl,--wrap=malloc,--wrap=free,--wrap=calloc,--wrap=realloc,--wrap=_Znwm,--wrap=_Znam,--wrap=_"
    "ZnwmRKSt9nothrow_t,"
    "--wrap=_ZnamRKSt9nothrow_t,--wrap=_ZnwmSt11align_val_t,--wrap=_ZnamSt11align_val_t,"
    "--wrap=_ZdlPv,--wrap=_ZdaPv,--wrap=_ZdlPvm,--wrap=_ZdaPvm,--wrap=_ZdlPvSt11align_val_t,"
    "--wrap=_ZdaPvSt11align_val_t,--wrap=_ZdlPvmSt11align_val_t,--wrap=_ZdaPvmSt11align_val_t";

/* By their names in the C++ ABI: `w` is new, `l` delete, `a` that of an array. Some callers pass more
 * than is taken here, a size or std::nothrow: it lies in a register that nobody looks at. */
#define NEW(name)                                                                                  \
    RD_HOOK void *__wrap_##name(size_t size);                                                      \
    void *__wrap_##name(size_t size)                                                               \
    {                                                                                              \
        return take(size, ALIGNMENT, PC);                                                          \
    }
#define ALIGNED_NEW(name)                                                                          \
    RD_HOOK void *__wrap_##name(size_t size, size_t alignment);                                    \
    void *__wrap_##name(size_t size, size_t alignment)                                             \
    {                                                                                              \
        return take(size, alignment, PC);                                                          \
    }
#define DELETE(name)                                                                               \
    RD_HOOK void __wrap_##name(void *memory);                                                      \
    void __wrap_##name(void *memory)                                                               \
    {                                                                                              \
        give_back(memory, PC);                                                                     \
    }
NEW(_Znwm)
NEW(_Znam)
NEW(_ZnwmRKSt9nothrow_t)
NEW(_ZnamRKSt9nothrow_t)
ALIGNED_NEW(_ZnwmSt11align_val_t)
ALIGNED_NEW(_ZnamSt11align_val_t)
DELETE(_ZdlPv)
DELETE(_ZdaPv)
DELETE(_ZdlPvm)
DELETE(_ZdaPvm)
DELETE(_ZdlPvSt11align_val_t)
DELETE(_ZdaPvSt11align_val_t)
DELETE(_ZdlPvmSt11align_val_t)
DELETE(_ZdaPvmSt11align_val_t)
