// SPDX-License-Identifier: MIT
/* Replacements of malloc, free, new and delete in a loaded file. In a kernel they are the
 * device's; elsewhere, in the constructor of a static object for instance, the C library's, as
 * those of the C++ library are. */
#include "device/sim/memory/memory.h"
#include "device/sim/api/hooks.h"
#include "device/sim/detect/slow_path.h"
#include "device/sim/engine/engine.h"

#include <stdlib.h>

enum { ALIGNMENT = 16 };

#define PC ((uintptr_t)__builtin_return_address(0))

/* Addresses depend on what was allocated before, by other blocks, too. */
static void *alloc(size_t size, size_t alignment, uintptr_t pc)
{
    rd_sim_jobs_depend();
    return rd_sim_heap_alloc(size, alignment, pc);
}

RD_HOOK void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    return rd_sim_is_running() ? alloc(size, ALIGNMENT, PC) : malloc(size);
}

static void free_checked(void *memory, uintptr_t pc)
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
        free_checked(memory, pc);
    else
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
    return memory;
}

const char rd_sim_heap_link_option[] =
    "-Wl,--wrap=malloc,--wrap=free,--wrap=_Znwm,--wrap=_Znam,--wrap=_ZnwmRKSt9nothrow_t,"
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
