// SPDX-License-Identifier: MIT
#include "device/sim/api/hooks.h"
#include "device/sim/detect/async.h"
#include "device/sim/engine/engine.h"
#include "device/sim/object.h"
#include "device/sim/ptx/ptx.h"

#include <string.h>

enum { PART = 16 }; /* bytes that are told at once */

RD_HOOK void rd_sim_async_copy(void *to, const void *from, size_t size_bytes, size_t read_bytes,
                               void *pc)
{
    if (read_bytes > 0)
        rd_sim_accessed(from, read_bytes, 0, pc);
    rd_sim_accessed(to, size_bytes, 1, pc);
    memmove(to, from, read_bytes);
    memset((char *)to + read_bytes, 0, size_bytes - read_bytes);
    for (size_t k = 0; k < size_bytes; k += PART)
        rd_sim_async_add((uintptr_t)to + k, size_bytes - k < PART ? size_bytes - k : PART,
                         (uintptr_t)pc);
}

RD_HOOK void rd_sim_waits(void)
{
    rd_sim_turn_waits();
}

RD_HOOK void rd_sim_async_group(void)
{
    rd_sim_async_commit();
}

RD_HOOK void rd_sim_async_await(unsigned groups, int all)
{
    rd_sim_async_wait(groups, all != 0);
}

RD_HOOK void rd_sim_async_to(const volatile void *object, uint64_t phase)
{
    rd_sim_async_bind((uintptr_t)object, phase);
}

RD_HOOK void rd_sim_async_over(const volatile void *object, uint64_t phase)
{
    rd_sim_async_done((uintptr_t)object, phase);
}
