// SPDX-License-Identifier: MIT
/* Functions that kernels call. They are visible to a kernel file that is loaded later, too. */
#ifndef RD_SIM_HOOKS_H
#define RD_SIM_HOOKS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define RD_HOOK __attribute__((visibility("default")))

/* Exports a hook that has a sanitizer's name by a name of the library's own, too, as a library must not define the former:
 * own_kernel.h redirects the calls. */
#define RD_HOOK_RENAMED(name)                                                                      \
    RD_HOOK extern __typeof__(name) rd_sim##name __attribute__((alias(#name)))                     \
    RD_ATTRIBUTES_OF(name);

/* Copies a hook's attributes: under a sanitizer the compiler knows these functions, and gives them more attributes. */
#if defined __has_attribute && __has_attribute(copy)
#define RD_ATTRIBUTES_OF(name) __attribute__((copy(name)))
#else
#define RD_ATTRIBUTES_OF(name)
#endif

/* The heap of the device, to a kernel: malloc() and free() of code that returns to pc. The first gives NULL where there is no
 * memory; the second tells of what is none of the heap's. */
void *rd_sim_kernel_malloc(size_t size_bytes, uintptr_t pc);
void rd_sim_kernel_free(void *memory, uintptr_t pc);

/* The bits of floats. */

static inline uint64_t rd_sim_bits_of_float(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof x);
    return bits;
}

static inline uint64_t rd_sim_bits_of_double(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof x);
    return bits;
}

#endif
