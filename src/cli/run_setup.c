// SPDX-License-Identifier: MIT
#include "cli/run_options.h"
#include "run/capacity.h"
#include "reductio/premise.h"
#include "reductio/witness.h"

#include <string.h>

#define FRAME_MAX ((size_t)1 << 20) /* elements; copying dead cells costs time beyond */

/* Elements that all passes with witness values copy and assert, in each round. */
#define WITNESS_MAX ((size_t)1 << 34)

static size_t witness_passes(const struct rd_program *program, const struct rd_shape *asked,
                             enum rd_operation operation, size_t n)
{
    struct rd_witness_plan plan;
    const struct rd_shape shape =
        rd_program_shape(program, (struct rd_shape){n, asked->block, asked->grid});
    rd_witness_plan(program, &shape, operation, &plan);
    return plan.passes;
}

static bool witness_fits(const struct rd_program *program, const struct rd_shape *asked,
                         enum rd_operation operation, size_t n)
{
    return n <= WITNESS_MAX && witness_passes(program, asked, operation, n) <= WITNESS_MAX / n;
}

bool rd_cli_takes(const struct rd_program *program, const struct rd_shape *asked, size_t n)
{
    const struct rd_shape shape =
        rd_program_shape(program, (struct rd_shape){n, asked->block, asked->grid});
    return rd_program_accept(program, &shape, NULL) == RD_OK;
}

/* Refuses what would take days. */
static enum rd_status accept_witness(const struct rd_program *program, const struct rd_shape *shape,
                                     enum rd_operation operation, struct rd_error *error)
{
    size_t n = shape->n;
    enum rd_status status = rd_program_accept(program, shape, error);
    if (status != RD_OK || witness_fits(program, shape, operation, n))
        return status;
    size_t fine = 1, bad = n;
    while (bad - fine > 1) {
        size_t middle = fine + (bad - fine) / 2;
        if (witness_fits(program, shape, operation, middle))
            fine = middle;
        else
            bad = middle;
    }
    while (fine > 1 && !rd_cli_takes(program, shape, fine))
        fine--;
    return rd_fail(error, RD_ERROR_USAGE,
                   "'-n' is %zu, and witness values would take %zu passes over it: use at most %zu",
                   n, witness_passes(program, shape, operation, n), fine);
}

/* Takes a tenth of the default size, with an end of its own, where each input has a pass of its own: else it takes
 * minutes. */
static void choose_witness_size(struct rd_run *run)
{
    enum { PASSES_MAX = 2500, TENTH = 10, BLOCK_MIN = 33, END = 3 };
    const struct rd_shape shape = rd_run_shape(run);
    if (witness_passes(run->program, &shape, run->numeric->operation, run->n) <= PASSES_MAX)
        return;
    run->n = run->n / TENTH + END;
    if (run->block / TENTH >= BLOCK_MIN)
        run->block /= TENTH;
    else if (run->block > BLOCK_MIN)
        run->block = BLOCK_MIN;
}

/* The inputs, and n with them. */
static enum rd_status make_inputs(struct rd_cli_run_setup *setup,
                                  const struct rd_cli_run_options *options, struct rd_error *error)
{
    const struct rd_program *program = options->program;
    struct rd_run *run = &setup->run;
    bool own_sizes = !rd_program_has_n_inputs(program); /* which n can't be read off the values */
    bool own_n = options->witness || own_sizes || rd_values_is_generator(options->values);
    if (options->n == 0 && options->block == 0 && options->grid == 0 && own_n) {
        run->block = program->n_block;
        run->grid = program->n_grid;
    }
    run->n = options->n;
    if (run->n == 0 && (options->witness || own_sizes))
        run->n = program->n;
    if (options->witness && options->n == 0 && options->block == 0 && options->grid == 0)
        choose_witness_size(run);
    struct rd_shape shape = rd_run_shape(run);
    if (options->witness) {
        run->values = "witness";
        return accept_witness(program, &shape, options->numeric->operation, error);
    }
    /* Refuse before gigabytes of values are made. */
    enum rd_status status = run->n ? rd_program_accept(program, &shape, error) : RD_OK;
    if (status == RD_OK && run->n)
        status =
            rd_memory_check_indices(options->numeric, rd_program_inputs(program, &shape), error);
    if (status == RD_OK && run->n)
        status = rd_memory_check(run, error);
    if (status == RD_OK && run->n) {
        rd_cli_progress_init(&setup->progress, rd_program_inputs(program, &shape));
        rd_cli_progress_show(&setup->progress, "filling in %zu values",
                             rd_program_inputs(program, &shape));
    }
    if (status == RD_OK && own_sizes)
        status = rd_values_init_two(&setup->values, options->numeric->inputs, options->values,
                                    rd_program_inputs(program, &shape),
                                    rd_program_inputs_b(program, &shape), error);
    else if (status == RD_OK)
        status = rd_values_init(&setup->values, options->numeric->inputs, options->values,
                                options->n, program->n, rd_program_has_b(program), error);
    if (status != RD_OK)
        return status;
    if (!own_sizes)
        run->n = setup->values.n;
    run->a = setup->values.a;
    run->b = setup->values.b;
    run->values = setup->values.spec;
    shape = rd_run_shape(run);
    return rd_program_accept(program, &shape, error);
}

/* Tells whether somebody may wait for it long enough to ask what it does. */
static bool is_long(const struct rd_run *run, const struct rd_cli_run_options *options)
{
    struct rd_witness_plan plan;
    const struct rd_shape shape = rd_run_shape(run);
    if (!options->witness)
        return run->n >= RD_CLI_PROGRESS_MIN ||
               (run->program->may_hang && !run->device->ops->simulates);
    rd_witness_plan(run->program, &shape, run->numeric->operation, &plan);
    return run->n * (plan.passes + RD_PREMISE_PASSES) >= RD_CLI_PROGRESS_PASSES_MIN;
}

enum rd_status rd_cli_run_setup_init(struct rd_cli_run_setup *setup,
                                     const struct rd_cli_run_options *options,
                                     const volatile sig_atomic_t *interrupted, struct rd_error *why,
                                     struct rd_error *error)
{
    struct rd_run *run = &setup->run;
    *setup = (struct rd_cli_run_setup){
        .run =
            {
                .program = options->program,
                .numeric = options->numeric,
                .block = options->block,
                .grid = options->grid,
                .blocks = options->blocks,
                .hazards_by = options->hazards_by,
                .n_schedules = options->n_schedules,
                .expect_nondeterminism = options->expect_nondeterminism,
                .interrupted = interrupted,
            },
    };
    enum rd_status status = make_inputs(setup, options, error);
    if (status == RD_OK)
        status = rd_device_open(options->device, &setup->device, why, error);
    run->device = setup->device;
    if (status == RD_OK && options->hazards_by == RD_HAZARDS_BY_SANITIZER) {
        rd_cli_progress_show(&setup->progress, "looking for hazards, by compute-sanitizer");
        status = rd_cli_sanitizer_run(&setup->sanitizer, run, options, error);
        run->given = setup->sanitizer.hazards;
        run->n_given = setup->sanitizer.count;
    }
    rd_cli_progress_clear(&setup->progress);
    rd_cli_progress_init_always(&setup->progress);
    setup->progress.on = setup->progress.on && is_long(run, options);
    run->progress = &setup->progress.progress;
    run->frame = options->frame == RD_FRAME_AUTO
                     ? run->n <= FRAME_MAX || rd_program_is_fault(options->program)
                     : options->frame == RD_FRAME_ON;
    return status;
}

void rd_cli_run_setup_finish(struct rd_cli_run_setup *setup)
{
    rd_device_close(setup->device);
    rd_cli_sanitizer_finish(&setup->sanitizer);
    rd_values_finish(&setup->values);
}
