// SPDX-License-Identifier: MIT
/* The slow path of an access: everything that the hooks do not decide with a compare or two. */
#ifndef RD_SIM_SLOW_PATH_H
#define RD_SIM_SLOW_PATH_H

#include "device/sim/engine/core.h"
#include "device/sim/api/intrinsics.h"

/* Checks an access of any size and alignment to any address, and tells what is wrong with it. Ends
 * the thread where the access would reach memory that is none. */
void rd_sim_access_check(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc);

/* The same of a volatile access; and of an atomic one, of which bits of enum rd_sim_atomic tell more, and
 * which only reads where what is there is not what it is `compared` with (optional). */
void rd_sim_access_volatile(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc);
void rd_sim_access_atomic(uintptr_t address, size_t size_bytes, unsigned atomic,
                          const void *compared, uintptr_t pc);

/* The program reads the bytes of this range: it is checked for bounds as one access, and for alignment
 * where this thread was said to access this address as what has this alignment. */
void rd_sim_access_misaligned(uintptr_t address, size_t alignment);
void rd_sim_access_range(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc);

/* An index that the compiler's bounds check refuses. */
void rd_sim_index_check(int64_t index, size_t n_elems, unsigned elem_bytes, uintptr_t pc);

#endif
