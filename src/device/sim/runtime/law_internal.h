// SPDX-License-Identifier: MIT
/* Shared by annotations in host code and in kernels. Private to this folder. */
#ifndef RD_SIM_LAW_INTERNAL_H
#define RD_SIM_LAW_INTERNAL_H

#include "device/files.h"
#include "device/sim/runtime/law.h"

enum { RD_SIM_LAW_NAMES_MAX = 64, RD_SIM_LAW_UNWRITTEN_MAX = 32, RD_SIM_LAW_OTHERS_MAX = 32 };

/* ---- law_cells.c ---- */

/* Finds elements of device memory that nobody has written, as pairs of the first and the one behind the last; returns how many
 * pairs. What is behind the last pair that there is room for is not told. */
size_t rd_sim_law_unwritten(const void *cells, size_t n_elems, size_t elem_bytes,
                            size_t pairs[2 * RD_SIM_LAW_UNWRITTEN_MAX]);

/* Likewise finds elements of global memory that another block has written in this launch, in no order with the running thread. */
size_t rd_sim_law_of_others(const void *cells, size_t n_elems, size_t elem_bytes,
                            size_t pairs[2 * RD_SIM_LAW_OTHERS_MAX]);

/* Likewise finds elements of the host's array that an operation may still write; `text` names the first one. */
size_t rd_sim_law_pending(const void *cells, size_t n_elems, size_t elem_bytes,
                          size_t pairs[2 * RD_SIM_LAW_OTHERS_MAX], char *text, size_t size);

/* ---- law.c ---- */

/* The program's main function is called next. */
void rd_sim_law_program_begins(void);

/* ---- law_kernel.c ---- */

/* A new number of an execution of a loop. */
uint64_t rd_sim_law_instance(void);
/* A launch has this number, from 1; and how many there were so far. */
void rd_sim_law_launch_counts(uint64_t number);
uint64_t rd_sim_law_launches(void);

/* A launch begins, of so many threads a block, perhaps once more: what was told of before is void. */
void rd_sim_law_launch_begins(unsigned threads);
/* Records what the launch of the kernel, which has ended, has come to. */
void rd_sim_law_launch_ends(const char *kernel);
/* Counts that the running thread has entered the loop, or come to the statement: how often, with this time. */
uint64_t rd_sim_law_count(unsigned site);
/* The running thread has come to the annotation; `instance` is how often it has entered the loop, 0 of a statement. */
void rd_sim_law_arrives(const struct rd_file_law *law, size_t elem_bytes);

#endif
