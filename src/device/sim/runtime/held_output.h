// SPDX-License-Identifier: MIT
/* What is printed while a launch runs, held back until it is known whether it counts. */
#ifndef RD_SIM_RUNTIME_HELD_OUTPUT_H
#define RD_SIM_RUNTIME_HELD_OUTPUT_H

#include <stddef.h>
#include <sys/types.h>

struct rd_sim_held_output {
    int printed, output; /* what is printed, and where it is to go; -1: nothing is held back */
    pid_t process;       /* that holds it back */
    struct rd_sim_held_output *outer;
};

/* Holds back what is printed from now on, where the system lets it. They nest. */
void rd_sim_output_hold(struct rd_sim_held_output *held);
/* Forgets what has been printed since then. */
void rd_sim_output_forget(struct rd_sim_held_output *held);
/* Passes it on, and gives its size in bytes; holds back no more. SIZE_MAX where nothing was held back. */
size_t rd_sim_output_release(struct rd_sim_held_output *held);
/* The process is to end: passes on all that it holds back. */
void rd_sim_output_flush(void);

#endif
