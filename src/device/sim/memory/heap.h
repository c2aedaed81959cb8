// SPDX-License-Identifier: MIT
/* The device heap: what malloc, free, new and delete in a kernel give and take. It lies at the
 * upper end of the simulator's global memory. Addresses are given again as late as can be, so that
 * memory which is used after it was freed is seen. */
#ifndef RD_SIM_HEAP_H
#define RD_SIM_HEAP_H

#include "device/sim/memory/memory.h"

/* The option with which a kernel file is linked, so that its malloc, free, new and delete are those
 * of heap_hooks.c. */
extern const char rd_sim_heap_link_option[];

/* Default of CUDA's cudaLimitMallocHeapSize. */
#define RD_SIM_HEAP_BYTES ((size_t)8 << 20)

/* The addresses it may use. Nothing has been allocated. */
void rd_sim_heap_init(uintptr_t base, size_t size_bytes);
/* The limit of the launch that follows; 0: the default. What is allocated stays. */
void rd_sim_heap_limit(size_t size_bytes);

/* By the running thread, at pc. NULL where the heap is used up. The alignment is a power of two. */
void *rd_sim_heap_alloc(size_t size_bytes, size_t alignment, uintptr_t pc);
/* Frees it, or tells what is wrong with that. NULL is fine. */
void rd_sim_heap_free(void *memory, uintptr_t pc);

/* The allocation that an address is in, as an array; else the nearest, or NULL: then `inside` is
 * false. Valid until the next call. */
const struct rd_sim_array *rd_sim_heap_array(uintptr_t address, bool *inside);
/* The launch has ended: tells what it has allocated and not freed. */
void rd_sim_heap_tell_leaks(void);
/* Size of its addresses that have been used. */
size_t rd_sim_heap_used(void);

#endif
