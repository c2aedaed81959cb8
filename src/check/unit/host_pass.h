// SPDX-License-Identifier: MIT
/* Code that differs by __CUDA_ARCH__. nvcc compiles a file twice: for the host without that macro, for the device with it. Here
 * it is compiled once, with the macro; what the host runs gets the text that it has without. */
#ifndef RD_CHECK_HOST_PASS_H
#define RD_CHECK_HOST_PASS_H

#include "check/source/rewrite.h"

#include <stddef.h>

struct rd_check_unit;

/* A macro that the host and the device have with different definitions. */
struct rd_check_pass_macro {
    const char *name;
    size_t length;
    const char *host, *host_end;     /* the directive; NULL: none */
    const char *device, *device_end; /* likewise */
};

/* Begins as {0}. Points into the unit's texts, which must stay. */
struct rd_check_host_pass {
    /* Whoever says one of these words may differ: __CUDA_ARCH__, and macros made of it. */
    struct rd_check_names words;
    struct rd_check_names defined; /* macros of the texts and of the command line */
    struct rd_check_pass_macro *macros;
    size_t n_macros, capacity;
    /* Code that differs in a way that can't be had; NULL: none. */
    const char *refused_file;
    unsigned refused_line;
    const char *refused_why;
};

void rd_check_host_pass_init(struct rd_check_host_pass *pass, const struct rd_check_unit *unit);
void rd_check_host_pass_finish(struct rd_check_host_pass *pass);

/* Gives the host's functions of a text what it has without the macro, and functions of both both. */
void rd_check_host_pass_replace(const struct rd_check_host_pass *pass, struct rd_check_edits *edits,
                                const char *text, const struct rd_check_functions *functions);

#endif
