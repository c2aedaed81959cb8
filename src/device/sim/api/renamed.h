// SPDX-License-Identifier: MIT
/* For kernels outside the library: what the compiler calls by the names of a sanitizer's runtime is called by the names that
 * the library has for it. So a client may have that sanitizer for its own code. */
#ifndef RD_SIM_RENAMED_H
#define RD_SIM_RENAMED_H

/* The declaration is for tools/symbols.py, and of no use in C. */
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

#endif
