// SPDX-License-Identifier: MIT
/* On how much the simulator accompanies a run. The rule asks no clock, so that the same run is accompanied in
 * the same way everywhere. */
#include "run/companion.h"
#include "device/kernel_names.h"
#include "program/paragraph.h"

/* The cost of an access where threads communicate, and a run under each schedule. */
enum { EXACT_COST = 2 };

/* Accesses, about: each element is read by a thread or two, and each thread writes. */
static double work(const struct rd_run *run, const struct rd_shape *shape)
{
    const struct rd_program *program = run->program;
    unsigned n_schedules = run->n_schedules ? run->n_schedules : RD_SCHEDULES_TRIED;
    double reads =
        program->reads ? (double)rd_paragraph_value(program->reads, shape->n, shape->block) : 1;
    double accesses = (double)rd_program_inputs(program, shape) +
                      (double)rd_program_inputs_b(program, shape) +
                      (double)rd_program_cells(program, shape);
    struct rd_round round;
    double cost = 1;
    for (unsigned k = 1; rd_program_round(program, shape, k, &round); k++) {
        accesses += (double)rd_round_blocks_in_all(&round) * rd_round_threads(&round) * reads;
        if (rd_kernel_communicates(round.kernel))
            cost = EXACT_COST * n_schedules;
    }
    return accesses * cost;
}

/* All passes of witness values together are to take no longer; each is accompanied by a few blocks at least. */
static double work_max(const struct rd_run *run)
{
    const double least = 1 << 12;
    double most = (double)RD_COMPANION_WORK_MAX / (double)(run->passes > 0 ? run->passes : 1);
    return most > least ? most : least;
}

/* How often the threads of the grid go round a loop over all elements; beyond twice, nothing is new. */
static size_t trips(const struct rd_shape *shape)
{
    size_t threads = shape->grid * shape->block;
    size_t count = threads > 0 ? shape->n / threads : 0;
    return count < 2 ? count : 2;
}

/* The shape, with n and the blocks that are asked for, is one that the simulator can make instead. */
static bool is_fit(const struct rd_run *run, size_t n, size_t grid, struct rd_shape *shape)
{
    const struct rd_program *program = run->program;
    const struct rd_shape whole = rd_run_shape(run);
    *shape = rd_program_shape(program, (struct rd_shape){n, run->block, grid});
    return rd_program_accept(program, shape, NULL) == RD_OK && trips(shape) >= trips(&whole) &&
           work(run, shape) <= work_max(run);
}

/* The largest n with the remainder that n has modulo so many units, 2^k of them: at its end, where the last
 * block is not full, all is as it was. */
static bool find_n(const struct rd_run *run, size_t unit, size_t grid, struct rd_shape *shape)
{
    size_t period = unit;
    while (period <= run->n / 2)
        period *= 2;
    for (; period >= unit && period > 0; period /= 2) {
        size_t n = period + run->n % period;
        if (n < run->n && is_fit(run, n, grid, shape))
            return true;
    }
    return false;
}

static bool find(const struct rd_run *run, size_t grid, struct rd_shape *shape)
{
    const struct rd_shape whole = rd_run_shape(run);
    return is_fit(run, run->n, grid, shape) || find_n(run, whole.block, grid, shape) ||
           find_n(run, 1, grid, shape);
}

bool rd_companion_shape(const struct rd_run *run, struct rd_shape *shape)
{
    const struct rd_shape whole = rd_run_shape(run);
    if (run->n <= run->program->n && run->grid == 0 && run->block == 0) {
        *shape = whole; /* what a fault is about shows there */
        return true;
    }
    if (find(run, run->grid, shape))
        return true;
    size_t period = 1;
    while (period <= whole.grid / 2)
        period *= 2;
    for (; period > 0 && run->program->blocks; period /= 2) {
        size_t grid = period + whole.grid % period;
        if (grid < whole.grid && find(run, grid, shape))
            return true;
    }
    return false;
}
