// SPDX-License-Identifier: MIT
/* Records what a user's program has where an annotation is to be asserted. Between begin and end stand the numbers that the law takes
 * from the program, in the law's order, and the array that it speaks of. Compiled as C here, as C++ in users' files. */
#ifndef RD_SIM_LAW_H
#define RD_SIM_LAW_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A loop is entered: returns the number of this execution of it, from 1. */
unsigned long long rd_sim_law_enter(unsigned site);
void rd_sim_law_begin(unsigned site, unsigned long long instance, unsigned long long evaluation);
void rd_sim_law_name(long long value);
/* Cells of the type of that name; 0 of them: as many as there are from there to the end of the allocation. */
void rd_sim_law_array(const char *type, const void *cells, size_t elem_bytes, size_t count);
/* A variable of the running thread: the array is that of the lanes of its warp. */
void rd_sim_law_lane(const char *type, const void *value, size_t elem_bytes);
/* These cells are an input, which may get other values here. */
void rd_sim_law_input(const void *cells, size_t size_bytes);
/* Something could not be told: a sentence. */
void rd_sim_law_lack(const char *text);
void rd_sim_law_end(void);

#ifdef __cplusplus
}
#endif

#endif
