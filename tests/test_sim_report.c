// SPDX-License-Identifier: MIT
/* Fields of a finding, for programs that do not parse its message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reductio/device.h"
#include "device/sim/object.h"
#include "device/sim/api/intrinsics.h"
#include "device/sim/memory/memory.h"
#include "device/sim/report/report.h"
#include "device/sim/engine/engine.h"
#include "tsan_hooks.h"

enum { CELLS = 8 };

static float *cells; /* in the simulator, named "sum" */

static int init(void **state)
{
    struct rd_error error;
    (void)state;
    if (!rd_sim_create(&error) || rd_sim_shared_init(&error) != RD_OK)
        return -1;
    rd_sim_here->core.on_event = rd_sim_report_event;
    cells = rd_sim_memory_alloc(CELLS * sizeof *cells, 64);
    if (!cells)
        return -1;
    for (int k = 0; k < CELLS; k++)
        cells[k] = (float)k;
    rd_sim_memory_written(cells, CELLS * sizeof *cells);
    rd_sim_memory_name(cells, "sum", "f32", sizeof *cells);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    rd_sim_destroy(rd_sim_here);
    return 0;
}

/* Runs it in a grid of 3 x 2 blocks of 2 x 2 x 2 threads; there must be one finding. */
static const struct rd_finding *run(void (*thread)(void *const *arguments))
{
    const struct rd_sim_grid grid = {.thread = thread, .grid = {3, 2, 1}, .block = {2, 2, 2}};
    size_t count;
    rd_sim_report_begin(grid.grid, grid.block);
    assert_int_equal(rd_sim_run_grid(&grid), RD_SIM_ENDED);
    const struct rd_finding *findings = rd_sim_report_findings(&count);
    assert_int_equal(count, 1);
    assert_non_null(strstr(findings->message, findings->lesson));
    return findings;
}

static void assert_index3(struct rd_index3 index, unsigned x, unsigned y, unsigned z)
{
    assert_int_equal(index.x, x);
    assert_int_equal(index.y, y);
    assert_int_equal(index.z, z);
}

static void write_and_read(void *const *arguments)
{
    (void)arguments;
    if (rd_sim_here->core.block == 4)
        rd_sim_syncthreads(0, 0, "kernel", 1);
    if (rd_sim_here->core.block == 4 && rd_sim_here->core.thread == 3)
        __tsan_read4(&cells[5]);
    if (rd_sim_here->core.block == 4 && rd_sim_here->core.thread == 6) {
        __tsan_write4(&cells[5]);
        cells[5] = 2.5f;
    }
}

static void test_race_has_both_places_the_cell_and_its_values(void **state)
{
    const struct rd_finding *race = run(write_and_read);
    (void)state;
    assert_int_equal(race->hazard, RD_HAZARD_RACE);
    assert_string_equal(race->kind, "read-write");
    assert_string_equal(race->scope, "warp");
    assert_int_equal(race->count, 1);
    assert_int_equal(race->interval, 1);
    assert_string_equal(race->array, "sum");
    assert_string_equal(race->type, "f32");
    assert_true(race->index_known);
    assert_int_equal(race->index, 5);
    assert_int_equal(race->n_elems, CELLS);
    assert_string_equal(race->before, "5");
    assert_string_equal(race->after, "2.5");
    assert_int_equal(race->n_places, 2);
    assert_string_equal(race->places[0].op, "write");
    assert_string_equal(race->places[1].op, "read");
    for (int k = 0; k < 2; k++) {
        assert_true(race->places[k].thread_known && race->places[k].block_known);
        assert_int_equal(race->places[k].block, 4);
        assert_index3(race->places[k].block_index, 1, 1, 0);
    }
    assert_int_equal(race->places[0].thread, 6);
    assert_index3(race->places[0].thread_index, 0, 1, 1);
    assert_int_equal(race->places[1].thread, 3);
    assert_index3(race->places[1].thread_index, 1, 1, 0);
}

static void write_behind(void *const *arguments)
{
    (void)arguments;
    if (rd_sim_here->core.thread == 7)
        __tsan_write4(&cells[CELLS]);
}

static void test_out_of_bounds_counts_all_and_keeps_the_first(void **state)
{
    const struct rd_finding *bounds = run(write_behind);
    (void)state;
    assert_int_equal(bounds->hazard, RD_HAZARD_OUT_OF_BOUNDS);
    assert_string_equal(bounds->kind, "global");
    assert_int_equal(bounds->count, 6);
    assert_non_null(strstr(bounds->message, "; 6 times"));
    assert_string_equal(bounds->array, "sum");
    assert_int_equal(bounds->index, CELLS);
    assert_int_equal(bounds->n_elems, CELLS);
    assert_string_equal(bounds->before, "");
    assert_int_equal(bounds->n_places, 1);
    assert_string_equal(bounds->places[0].op, "write");
    assert_int_equal(bounds->places[0].block, 0);
    assert_index3(bounds->places[0].thread_index, 1, 1, 1);
}

static void write_half(void *const *arguments)
{
    (void)arguments;
    if (rd_sim_here->core.block == 0 && rd_sim_here->core.thread == 0)
        __tsan_write2((char *)&cells[CELLS] + 2);
}

static void test_part_of_an_element_has_no_index(void **state)
{
    const struct rd_finding *bounds = run(write_half);
    (void)state;
    assert_string_equal(bounds->array, "sum");
    assert_false(bounds->index_known);
}

static void leave_out(void *const *arguments)
{
    (void)arguments;
    if (rd_sim_here->core.block == 0 && rd_sim_here->core.thread != 2)
        rd_sim_syncthreads(0, 0, "../kernels/some.cu", 12);
}

static void test_skipped_barrier_is_about_no_cell(void **state)
{
    const struct rd_finding *skipped = run(leave_out);
    (void)state;
    assert_int_equal(skipped->hazard, RD_HAZARD_BARRIER_SKIPPED);
    assert_string_equal(skipped->kind, "");
    assert_string_equal(skipped->array, "");
    assert_false(skipped->index_known);
    assert_string_equal(skipped->places[0].file, "kernels/some.cu");
    assert_int_equal(skipped->places[0].line, 12);
    assert_string_equal(skipped->places[0].op, "");
    assert_null(skipped->places[1].file);
    assert_index3(skipped->places[1].thread_index, 0, 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_race_has_both_places_the_cell_and_its_values),
        cmocka_unit_test(test_out_of_bounds_counts_all_and_keeps_the_first),
        cmocka_unit_test(test_part_of_an_element_has_no_index),
        cmocka_unit_test(test_skipped_barrier_is_about_no_cell),
    };
    return cmocka_run_group_tests(tests, init, finish) != 0;
}
