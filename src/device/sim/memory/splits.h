// SPDX-License-Identifier: MIT
/* Records of single bytes, of memory that threads use byte by byte: see SPLIT in record.h. */
#ifndef RD_SIM_SPLITS_H
#define RD_SIM_SPLITS_H

#include "device/sim/engine/core.h"

/* The four records of a granule's bytes; NULL without memory. Bytes beyond the end of the array do
 * not become initialised with the others. */
uint64_t *rd_sim_split(uint64_t *shadow);

/* The first bytes of a granule are initialised, the others are not. */
void rd_sim_split_written(uintptr_t address, size_t size_bytes);

/* The record of the byte at the address, which that of its granule is or which is split off from it. */
uint64_t *rd_sim_byte_record(uint64_t *shadow, uintptr_t address);
/* The records of the bytes of a granule whose record is split. */
const uint64_t *rd_sim_split_records(uint64_t record);
/* These bytes of a granule, one bit each, have been written as by the host. */
void rd_sim_granule_written(uint64_t *shadow, unsigned bytes);

/* Part of rd_sim_shadow_visit. */
void rd_sim_splits_visit(void (*visit)(uint64_t *record));
/* Part of rd_sim_memory_shadow_bytes. */
size_t rd_sim_splits_bytes(void);

#endif
