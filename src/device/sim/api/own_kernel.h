// SPDX-License-Identifier: MIT
/* What cuda.h has otherwise of a client's kernels: they say themselves what the build's tables have of the library's, and have
 * shared memory of their own. */
#ifndef RD_SIM_OWN_KERNEL_H
#define RD_SIM_OWN_KERNEL_H

#include "device/sim/api/renamed.h"
#include "reductio/launchable.h"

/* One for all kernels of a program or library, and the linker's names for the section. */
unsigned char rd_own_dynamic_shared[RD_SIM_DYNAMIC_MAX]
    __attribute__((weak, visibility("hidden"), section("rd_shared"), aligned(128)));
extern unsigned char rd_own_shared_start[] __asm__("__start_rd_shared")
    __attribute__((visibility("hidden")));
extern unsigned char rd_own_shared_end[] __asm__("__stop_rd_shared")
    __attribute__((visibility("hidden")));

#define DYNAMIC_SHARED(type, name)                                                                 \
    type *const name = rd_sim_dynamic_shared_named(rd_own_dynamic_shared, #name)

#define RD_SIM_QUOTE_(x) #x
#define RD_SIM_QUOTE(x)  RD_SIM_QUOTE_(x)
#define RD_SIM_OWN(kernel, is_communicating, ...)                                                  \
    RD_SIM_LAUNCHABLE(kernel, __VA_ARGS__)                                                         \
    extern const struct rd_launchable RD_PASTE(kernel##_, RD_TYPE);                                \
    const struct rd_launchable RD_PASTE(kernel##_, RD_TYPE) = {                                    \
        .size = sizeof(struct rd_launchable),                                                      \
        .name = #kernel,                                                                           \
        .type = RD_SIM_QUOTE(RD_TYPE),                                                             \
        .parameters = #__VA_ARGS__,                                                                \
        .communicates = is_communicating,                                                          \
        .thread = NAME(kernel##_thread),                                                           \
        .shared = rd_own_shared_start,                                                             \
        .shared_end = rd_own_shared_end,                                                           \
        .dynamic = rd_own_dynamic_shared,                                                          \
    };
#define LAUNCHABLE(name, ...)               RD_SIM_OWN(name, false, __VA_ARGS__)
#define LAUNCHABLE_COMMUNICATING(name, ...) RD_SIM_OWN(name, true, __VA_ARGS__)

#endif
