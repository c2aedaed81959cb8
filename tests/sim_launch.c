// SPDX-License-Identifier: MIT
#include "sim_launch.h"
#include "device/sim/object.h"
#include "device/sim/memory/memory.h"
#include "device/sim/engine/engine.h"
#include "sim_kernels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

int *test_cells;

int test_launch_init(void **state)
{
    struct rd_error error;
    (void)state;
    if (!rd_sim_create(&error) || rd_sim_shared_init(&error) != RD_OK)
        return -1;
    rd_sim_here->core.on_event = rd_sim_report_event;
    test_cells = rd_sim_memory_alloc(TEST_CELLS * sizeof *test_cells, 64);
    if (!test_cells)
        return -1;
    memset(test_cells, 0, TEST_CELLS * sizeof *test_cells);
    rd_sim_memory_written(test_cells, TEST_CELLS * sizeof *test_cells);
    rd_sim_memory_name(test_cells, "cells", "i32", sizeof *test_cells);
    return 0;
}

int test_launch_finish(void **state)
{
    (void)state;
    rd_sim_destroy(rd_sim_here);
    return 0;
}

void test_launch(const char *kernel, const void *argument)
{
    test_launch_block(kernel, argument, 1, false);
}

void test_launch_block(const char *kernel, const void *argument, unsigned threads,
                       bool calls_kernel)
{
    const struct test_kernel *one = test_kernels;
    while (one->name && strcmp(one->name, kernel) != 0)
        one++;
    assert_non_null(one->name);
    void *const arguments[] = {&test_cells, (void *)(uintptr_t)argument};
    const struct rd_sim_grid grid = {
        .thread = one->thread,
        .arguments = arguments,
        .calls_kernel = calls_kernel,
        .grid = {1, 1, 1},
        .block = {threads, 1, 1},
    };
    rd_sim_report_begin(grid.grid, grid.block);
    assert_int_equal(rd_sim_run_grid(&grid), RD_SIM_ENDED);
}

void test_skip_without_lines(void)
{
    const char *lines = getenv("RD_TEST_LINES");
    if (lines && strcmp(lines, "no") == 0)
        skip();
}
