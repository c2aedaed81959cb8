// SPDX-License-Identifier: MIT
/* Holds back standard output while a launch runs, until it is known whether the launch counts. */
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
/* Discards what was printed since rd_sim_output_hold(). */
void rd_sim_output_forget(struct rd_sim_held_output *held);
/* Writes out what was held back, and stops holding. Returns its size in bytes; SIZE_MAX where nothing was held back. */
size_t rd_sim_output_release(struct rd_sim_held_output *held);
/* Writes out all that this process holds back: it is about to end. */
void rd_sim_output_flush(void);

#endif
