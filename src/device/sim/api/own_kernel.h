// SPDX-License-Identifier: MIT
/* Additions of cuda.h for a client's kernels. */
#ifndef RD_SIM_OWN_KERNEL_H
#define RD_SIM_OWN_KERNEL_H

#include "reductio/launchable.h"

/* ---- names ---- */

/* Redirects the compiler's calls of a sanitizer's runtime to the library's hooks, so that a client may use that sanitizer for its
 * own code. The declaration is for tools/symbols.py, and of no use in C. */
#define RD_SIM_RENAMED(name)                                                                       \
    __asm__(".set " #name ", rd_sim" #name);                                                       \
    extern void rd_sim##name(void);
#define RD_SIM_RENAMED_SIZES(prefix)                                                               \
    RD_SIM_RENAMED(prefix##2)                                                                      \
    RD_SIM_RENAMED(prefix##4)                                                                      \
    RD_SIM_RENAMED(prefix##8)                                                                      \
    RD_SIM_RENAMED(prefix##16)

RD_SIM_RENAMED(__tsan_init)
RD_SIM_RENAMED(__tsan_func_entry)
RD_SIM_RENAMED(__tsan_func_exit)
RD_SIM_RENAMED(__tsan_read1)
RD_SIM_RENAMED_SIZES(__tsan_read)
RD_SIM_RENAMED(__tsan_write1)
RD_SIM_RENAMED_SIZES(__tsan_write)
RD_SIM_RENAMED(__tsan_volatile_read1)
RD_SIM_RENAMED_SIZES(__tsan_volatile_read)
RD_SIM_RENAMED(__tsan_volatile_write1)
RD_SIM_RENAMED_SIZES(__tsan_volatile_write)
RD_SIM_RENAMED_SIZES(__tsan_unaligned_read)
RD_SIM_RENAMED_SIZES(__tsan_unaligned_write)
RD_SIM_RENAMED(__tsan_read_range)
RD_SIM_RENAMED(__tsan_write_range)
RD_SIM_RENAMED(__ubsan_handle_out_of_bounds)
RD_SIM_RENAMED(__ubsan_handle_shift_out_of_bounds)
RD_SIM_RENAMED(__ubsan_handle_float_cast_overflow)
RD_SIM_RENAMED(__ubsan_handle_divrem_overflow)
RD_SIM_RENAMED(__assert_fail)

/* ---- tables ---- */

/* Tables of a client's kernels, as the build makes them of the library's, and their shared memory. */

/* Dynamic shared memory, one for all kernels of an executable or library, and the linker's names for the section. */
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
        .file = __FILE__,                                                                          \
        .line = __LINE__,                                                                          \
        .communicates = is_communicating,                                                          \
        .thread = NAME(kernel##_thread),                                                           \
        .shared = rd_own_shared_start,                                                             \
        .shared_end = rd_own_shared_end,                                                           \
        .dynamic = rd_own_dynamic_shared,                                                          \
    };
#define LAUNCHABLE(name, ...)               RD_SIM_OWN(name, false, __VA_ARGS__)
#define LAUNCHABLE_COMMUNICATING(name, ...) RD_SIM_OWN(name, true, __VA_ARGS__)

#endif
