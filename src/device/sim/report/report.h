// SPDX-License-Identifier: MIT
/* Turns the core's events into findings: one for each pair of places, with a count, in words. */
#ifndef RD_SIM_REPORT_H
#define RD_SIM_REPORT_H

#include "reductio/device.h"
#include "device/sim/engine/event.h"

/* The launch that the events which follow are of; what was found before is forgotten. */
void rd_sim_report_begin(struct rd_sim_dim grid, struct rd_sim_dim block);
/* Behind it: the values in u64 are made of such digits. */
void rd_sim_report_digits(const struct rd_digits *digits);
/* Behind it: the launch is of this kernel, one of several; the name must stay. */
void rd_sim_report_kernel(const char *name);
void rd_sim_report_event(const struct rd_sim_event *event);
/* The findings since then, in the order in which they were first seen; they live until the next
 * begin. */
const struct rd_finding *rd_sim_report_findings(size_t *count);

/* Lists what was found since then, to be handed from a process that runs later blocks to one that has run
 * those before, or has been handed what was found in them. There are RD_SIM_FOUND_MAX at most; more
 * are left out. */
enum { RD_SIM_FOUND_MAX = 4096 };
struct rd_sim_found;
const struct rd_sim_found *rd_sim_report_found(size_t *count);
void rd_sim_report_add(const struct rd_sim_found *found, size_t count);

#endif
