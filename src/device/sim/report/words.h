// SPDX-License-Identifier: MIT
/* The words of the findings' sentences: threads, places, cells and values, as people call them. Private
 * to sentences.c. */
#ifndef RD_SIM_WORDS_H
#define RD_SIM_WORDS_H

#include "device/sim/report/report_internal.h"

/* A text that is being written: it ends where the room for it does. */
struct rd_sim_text {
    char *at;
    size_t left;
    const struct rd_sim_extent *extent;
};

void rd_sim_say(struct rd_sim_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "thread 1 of block 0", "a thread of another block". */
void rd_sim_say_thread(struct rd_sim_text *text, const struct rd_sim_actor *actor);
/* " at sum.cu:11:28"; nothing where it is unknown. */
void rd_sim_say_site(struct rd_sim_text *text, const struct rd_sim_site *site);
/* "cells[2][1] (shared)", "element 3 of the allocation at sum.cu:7,", "a null pointer". */
void rd_sim_say_cell(struct rd_sim_text *text, const struct rd_sim_found *found);
/* A value of the cell. */
void rd_sim_say_value(struct rd_sim_text *text, const struct rd_sim_found *found, uint64_t bits);
/* A number, "a number of 128 bits" where it is unknown. */
void rd_sim_say_number(struct rd_sim_text *text, struct rd_sim_number number);

/* Tells whether these are the bits of memory that nobody has written. */
bool rd_sim_is_fresh(uint64_t bits, size_t size_bytes);

#endif
