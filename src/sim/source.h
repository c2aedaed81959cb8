// SPDX-License-Identifier: MIT
/* Source lines of code addresses, from the debug information. */
#ifndef RD_SIM_SOURCE_H
#define RD_SIM_SOURCE_H

#include <stddef.h>
#include <stdint.h>

struct rd_sim_line {
    char file[200]; /* "" where it is unknown */
    unsigned line, column;
};

/* The line of the call that returns to pc. */
void rd_sim_source_line(uintptr_t pc, struct rd_sim_line *line);
/* The name of a parameter of the function at an address; "" where it is unknown. */
void rd_sim_source_parameter(uintptr_t function, unsigned number, char *name, size_t size);
/* Forgets what it knows of the loaded files. */
void rd_sim_source_finish(void);

#endif
