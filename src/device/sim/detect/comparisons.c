// SPDX-License-Identifier: MIT
/* Hooks before each comparison in a build with -fsanitize-coverage=trace-cmp. Those of a
 * value and a constant have the constant first. */
#include "device/sim/api/hooks.h"
#include "device/sim/detect/observers.h"
#include "device/sim/detect/private.h"

#include <limits.h>

#define PC ((uintptr_t)__builtin_return_address(0))

static void tell(uint64_t left, uint64_t right, unsigned size_bytes, uintptr_t pc)
{
    rd_sim_fingerprint_compared(left, right, pc);
    rd_sim_private_compared(left, right, size_bytes, pc);
}

/* Who compares with a constant may have set the number to it. */
static void tell_constant(uint64_t constant, uint64_t value, unsigned size_bytes, uintptr_t pc)
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
COMPARISONS(__sanitizer_cov_trace_cmp, tell)
COMPARISONS(__sanitizer_cov_trace_const_cmp, tell_constant)

RD_HOOK void __sanitizer_cov_trace_cmpf(float left, float right);
void __sanitizer_cov_trace_cmpf(float left, float right)
{
    tell(rd_sim_bits_of_float(left), rd_sim_bits_of_float(right), sizeof left, PC);
}

RD_HOOK void __sanitizer_cov_trace_cmpd(double left, double right);
void __sanitizer_cov_trace_cmpd(double left, double right)
{
    tell(rd_sim_bits_of_double(left), rd_sim_bits_of_double(right), sizeof left, PC);
}

/* Hook before a switch; the second number of the cases is the width in bits. */
RD_HOOK void __sanitizer_cov_trace_switch(uint64_t value, void *cases);
void __sanitizer_cov_trace_switch(uint64_t value, void *cases)
{
    unsigned bits = (unsigned)((const uint64_t *)cases)[1];
    tell(value & UINT64_MAX >> (64 - bits), 0, bits / CHAR_BIT, PC);
}

/* Clang has no comparisons told without the blocks that they are in. */
RD_HOOK void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
}
