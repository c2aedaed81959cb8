// SPDX-License-Identifier: MIT
/* Counts the global accesses of each thread, and tells of those beyond what a launch allows. */
#ifndef RD_SIM_BUDGET_H
#define RD_SIM_BUDGET_H

/* From here on; 0: any number. With both 0, nobody counts. */
void rd_sim_budget_begin(unsigned reads_max, unsigned writes_max);
void rd_sim_budget_end(void);

#endif
