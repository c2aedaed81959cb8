// SPDX-License-Identifier: MIT
#include "device/sim/object.h"
#include "device/sim/detect/private.h"
#include "device/sim/engine/detector.h"
#include "device/sim/engine/engine.h"
#include "device/sim/detect/races.h"
#include "device/sim/api/hooks.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Marks in the shadow: how many of eight bytes may be used, all of them as 0, or why none may
 * (gcc's and clang's asan). */
enum { GRANULE = 8 };
/* Mark of variables whose block has ended. */
enum { RD_SIM_PRIVATE_ENDED = 0xf8 };
/* Below the variables of a frame: this, what describes them, and the function. */
enum { FRAME_MAGIC = 0x41b58ab3 };
/* Number of addresses that are kept, of those that a thread looks at again and again. */
enum { LOOKS = 4 };

struct rd_sim_privates_state {
    bool is_on;
    struct {
        uintptr_t address, pc;
    } last[LOOKS];
    unsigned next;
};

static unsigned char *shadow_of(uintptr_t address)
{
    return (unsigned char *)(address / GRANULE + RD_SIM_PRIVATE_SHADOW);
}

/* Some, as valgrind, take the address for a wish. */
static bool map_at(unsigned char *from, size_t size)
{
    void *made = mmap(from, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (made != MAP_FAILED && made != from)
        munmap(made, size);
    return made == from;
}

static bool map(uintptr_t start, size_t size_bytes)
{
    enum { PAGE = 4096 };
    unsigned char *from = (unsigned char *)((uintptr_t)shadow_of(start) & ~(uintptr_t)(PAGE - 1));
    size_t size = (size_t)(shadow_of(start + size_bytes) - from + PAGE) & ~(size_t)(PAGE - 1);
    bool whole = map_at(from, size);
    /* A page of the shadow may be that of two stacks. */
    for (size_t at = 0; !whole && at < size; at += PAGE)
        if (!map_at(from + at, PAGE) && msync(from + at, PAGE, MS_ASYNC) != 0)
            return false;
    return true;
}

/* The host's code of the file, as constructors, runs on the process's own stack. */
bool rd_sim_private_begin(void)
{
    struct rd_sim_privates_state *own = rd_sim_here->privates;
    const size_t around = (size_t)16 << 20;
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    own->is_on = map(here - around, 2 * around);
    return own->is_on;
}

/* ---- looking ---- */

/* The number of the text, behind a space; 0 at its end. */
static size_t next_number(const char **text)
{
    return strtoull(*text, (char **)(uintptr_t)text, 10);
}

/* Finds the variable that the address is in, or next to, from the frame's description: "2 32 16 3 w:4 64
 * 8 1 x", the number of variables, and of each its offset, its size, the length of its name and that. */
static void find_variable(uintptr_t address, struct rd_sim_event *event)
{
    enum { REACH = 1 << 16 };
    const uintptr_t *at = (const uintptr_t *)(address & ~(uintptr_t)(GRANULE - 1));
    uint64_t best = UINT64_MAX;
    for (size_t k = 0; *at != FRAME_MAGIC; k++, at--)
        if (k == REACH || !rd_sim_is_on_stack((uintptr_t)(at - 1)))
            return;
    const char *text = (const char *)at[1];
    for (size_t n = next_number(&text); n > 0; n--) {
        size_t offset = next_number(&text), size = next_number(&text), length = next_number(&text);
        int64_t from = (int64_t)(address - (uintptr_t)at) - (int64_t)offset;
        uint64_t away = from < 0                ? (uint64_t)-from
                        : (uint64_t)from < size ? 0
                                                : (uint64_t)from - size;
        const char *name = ++text, *colon = memchr(name, ':', length);
        text += length;
        if (away >= best)
            continue;
        best = away;
        event->variable = (struct rd_sim_private_variable){
            name, colon ? (unsigned)(colon - name) : (unsigned)length, size, from};
    }
}

static void tell(enum rd_hazard_kind hazard, uintptr_t address, size_t size_bytes,
                 enum rd_sim_op op, uintptr_t pc)
{
    struct rd_sim_event event = {
        .hazard = hazard,
        .actor = rd_sim_actor_self(op, pc),
        .interval = rd_sim_here->core.interval,
        .size_bytes = size_bytes,
        .is_private = true,
    };
    if (address)
        find_variable(address, &event);
    rd_sim_here->core.on_event(&event);
}

/* Below the frame of who runs, all have ended. */
void rd_sim_private_range(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc,
                          uintptr_t frame)
{
    if (!rd_sim_here->privates->is_on || !rd_sim_is_running() || !rd_sim_is_on_stack(address))
        return;
    if (address < frame) {
        tell(RD_HAZARD_DEAD_FRAME, 0, size_bytes, op, pc);
        return;
    }
    for (size_t k = 0; k < size_bytes; k++) {
        unsigned mark = *shadow_of(address + k);
        if (mark == 0 || (address + k) % GRANULE < (mark < GRANULE ? mark : 0))
            continue;
        tell(mark == RD_SIM_PRIVATE_ENDED ? RD_HAZARD_DEAD_FRAME : RD_HAZARD_OUT_OF_BOUNDS, address,
             size_bytes, op, pc);
        return;
    }
}

/* Tells whether the running thread reads the address from that place again: it then waits for another thread. Volatile objects are as
 * any in this build, and a loop may read a few. */
static bool is_polled(uintptr_t address, uintptr_t pc)
{
    struct rd_sim_privates_state *own = rd_sim_here->privates;
    for (unsigned k = 0; k < LOOKS; k++)
        if (own->last[k].address == address && own->last[k].pc == pc)
            return true;
    own->last[own->next].address = address;
    own->last[own->next].pc = pc;
    own->next = (own->next + 1) % LOOKS;
    return false;
}

/* An access of the running thread from pc, where its stack reaches down to `frame`: to private memory, or to any other. */
static void access_any(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc,
                       uintptr_t frame)
{
    if (!rd_sim_here->privates->is_on || !rd_sim_is_running())
        return;
    if (!--rd_sim_here->core.budget)
        rd_sim_ask(op);
    if (rd_sim_is_on_stack(address)) {
        rd_sim_private_range(address, size_bytes, op, pc, frame);
        return;
    }
    bool waits = rd_sim_here->core.exact && op == RD_SIM_READ && is_polled(address, pc);
    if (waits)
        rd_sim_communicate(address);
    rd_sim_access_range(address, size_bytes, op, pc);
    if (waits)
        rd_sim_communicated(address, size_bytes);
}

/* As gcc fills variables that are not set. */
enum { FILL = 0xfe };

static bool is_fill(uint64_t bits, unsigned size_bytes)
{
    return bits == (UINT64_C(0x0101010101010101) * FILL & UINT64_MAX >> (64 - 8 * size_bytes));
}

void rd_sim_private_compared(uint64_t x, uint64_t y, unsigned size_bytes, uintptr_t pc)
{
    if (!rd_sim_here->privates->is_on || size_bytes < 4 || !rd_sim_is_running())
        return;
    if (is_fill(x, size_bytes) || is_fill(y, size_bytes))
        tell(RD_HAZARD_UNINITIALISED, 0, 0, RD_SIM_READ, pc);
}

/* ---- stacks ---- */

static void stack_is_new(const struct rd_sim_stack *stack)
{
    struct rd_sim_privates_state *own = rd_sim_here->privates;
    if (own->is_on && !map(stack->base, stack->size_bytes))
        own->is_on = false;
}

static void stack_clear(const struct rd_sim_stack *stack)
{
    if (rd_sim_here->privates->is_on)
        memset(shadow_of(stack->base), 0, stack->size_bytes / GRANULE);
}

static size_t stack_marks(size_t stack_bytes)
{
    return rd_sim_here->privates->is_on ? (stack_bytes + GRANULE - 1) / GRANULE : 0;
}

static void stack_save(uintptr_t from, size_t stack_bytes, void *copy)
{
    memcpy(copy, shadow_of(from), stack_marks(stack_bytes));
}

static void stack_restore(uintptr_t to, size_t stack_bytes, const void *copy)
{
    memcpy(shadow_of(to), copy, stack_marks(stack_bytes));
}

const struct rd_sim_part rd_sim_part_privates = {
    .size_bytes = sizeof(struct rd_sim_privates_state),
    .at = offsetof(struct rd_sim, privates),
};

const struct rd_sim_detector rd_sim_detector_privates = {
    .stack = stack_is_new,
    .stack_clear = stack_clear,
    .stack_marks = stack_marks,
    .stack_save = stack_save,
    .stack_restore = stack_restore,
};

/* ---- hooks ---- */

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

#define ACCESS(name, size, op)                                                                     \
    RD_HOOK void name(uintptr_t address);                                                          \
    void name(uintptr_t address)                                                                   \
    {                                                                                              \
        access_any(address, size, op, PC, FRAME);                                                  \
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
    access_any(address, size_bytes, RD_SIM_READ, PC, FRAME);
}

RD_HOOK void __asan_storeN_noabort(uintptr_t address, size_t size_bytes);
void __asan_storeN_noabort(uintptr_t address, size_t size_bytes)
{
    access_any(address, size_bytes, RD_SIM_WRITE, PC, FRAME);
}

/* In a build of the simulator with the address sanitizer these are that one's own. */
#ifndef SANITIZED

static void mark(uintptr_t address, size_t size_bytes, unsigned char why)
{
    if (!rd_sim_here->privates->is_on)
        return;
    memset(shadow_of(address), why, size_bytes / GRANULE);
    if (size_bytes % GRANULE)
        *shadow_of(address + size_bytes) = why ? why : (unsigned char)(size_bytes % GRANULE);
}

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
    mark(address, size_bytes, RD_SIM_PRIVATE_ENDED);
}

RD_HOOK void __asan_unpoison_stack_memory(uintptr_t address, size_t size_bytes);
void __asan_unpoison_stack_memory(uintptr_t address, size_t size_bytes)
{
    mark(address, size_bytes, 0);
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
        mark(top, bottom - top, 0);
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
