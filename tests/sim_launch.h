// SPDX-License-Identifier: MIT
/* Runs a kernel of sim_kernels.c. */
#ifndef RD_TEST_SIM_LAUNCH_H
#define RD_TEST_SIM_LAUNCH_H

#include "reductio/device.h"
#include "device/sim/report/report.h"

enum { TEST_CELLS = 8 };
extern int *test_cells; /* the kernel's first argument, in the simulator's memory */

int test_launch_init(void **state);
int test_launch_finish(void **state);
/* One thread, with the cells, which have been written, and this second argument. */
void test_launch(const char *kernel, const void *argument);
/* A block of so many; for `calls_kernel` see engine.h. */
void test_launch_block(const char *kernel, const void *argument, unsigned threads,
                       bool calls_kernel);

/* Skips a test whose findings only debug information tells apart, where the build has no libdw. */
void test_skip_without_lines(void);

#endif
