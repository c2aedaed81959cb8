// SPDX-License-Identifier: MIT
/* Compares start and updates with the law on inputs that look random. Values are polynomials of the inputs, so that two
 * that differ are the same for hardly any of them. */
#include "program/agreement.h"
#include "base/array.h"
#include "base/random.h"
#include "device/kernel_names.h"
#include "program/definition.h"
#include "program/paragraph.h"
#include "reductio/law.h"
#include "reductio/operation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* By a maximum, other inputs decide each time. */
enum { SMALL_N_MAX = 32, CELLS_MAX = 1 << 16, WORK_MAX = 1 << 24, TRIALS = 4, BLOCKS_MAX = 16 };

struct comparison {
    const struct rd_program *program;
    const struct rd_shape *shape;
    const struct rd_law_section *section;
    struct rd_law_run *run;
    struct rd_law_data data;
    uint64_t *inputs[2];
    const void *given[2];
    uint64_t *cells, *stated; /* by the updates, and then by the law */
    size_t n_cells;
    char where[80];
    struct rd_error *error;
};

static bool is_tried(const struct rd_program *program, const struct rd_shape *shape)
{
    return rd_program_is_registered(program) && rd_paragraph_of(program) &&
           rd_program_inputs(program, shape) <= CELLS_MAX &&
           (!rd_program_has_b(program) || rd_program_inputs_b(program, shape) <= CELLS_MAX);
}

static uint64_t *random_numbers(size_t count, uint64_t state)
{
    uint64_t *numbers = rd_array_alloc((count + 1) * sizeof *numbers);
    for (size_t k = 0; numbers && k < count; k++)
        numbers[k] = rd_random(&state) | 1; /* a product of odd numbers isn't 0 */
    return numbers;
}

static void finish(struct comparison *made)
{
    rd_law_run_destroy(made->run);
    free(made->inputs[0]);
    free(made->inputs[1]);
    free(made->cells);
    free(made->stated);
}

/* Makes inputs, and an array of zeros. `place`: one at which the array has its size. */
static enum rd_status begin(struct comparison *made, const struct rd_law_place *place,
                            unsigned trial)
{
    const struct rd_program *program = made->program;
    const struct rd_shape *shape = made->shape;
    const struct rd_law *law = rd_paragraph_of(program)->law;
    const struct rd_law_sizes sizes = {
        .n = shape->n, .T = shape->block, .B = shape->grid, .work_max = WORK_MAX};
    struct rd_law_error why = {0};
    uint64_t n_cells = 0;
    enum rd_status status = rd_law_run_create(&made->run, law, &sizes, &why);
    if (status == RD_OK)
        status = rd_law_array_size(made->run, made->section, place, &n_cells, &why);
    if (status != RD_OK)
        return rd_fail(made->error, status, "the array has no size %s: %s", made->where,
                       why.what.text);
    made->n_cells = n_cells;
    if (n_cells > CELLS_MAX)
        return RD_OK;
    made->inputs[0] = random_numbers(rd_program_inputs(program, shape), 2 * trial);
    made->inputs[1] = random_numbers(
        rd_program_has_b(program) ? rd_program_inputs_b(program, shape) : 0, 2 * trial + 1);
    made->cells = calloc(n_cells + 1, sizeof *made->cells);
    made->stated = calloc(n_cells + 1, sizeof *made->stated);
    if (!made->inputs[0] || !made->inputs[1] || !made->cells || !made->stated)
        return rd_fail(made->error, RD_ERROR_MEMORY, "no memory for a program");
    made->given[0] = made->inputs[0];
    made->given[1] = made->inputs[1];
    made->data = (struct rd_law_data){.numeric = rd_numeric_over(RD_TYPE_U64, program->operation),
                                      .inputs = made->given};
    return RD_OK;
}

/* *decided is set to false if what is asked takes too long at a size at which it may. */
static enum rd_status apply(struct comparison *made, enum rd_law_role role,
                            const struct rd_law_place *place, uint64_t *cells, bool *decided)
{
    struct rd_law_error why = {0};
    const enum rd_status status =
        rd_law_apply(made->run, made->section, role, place, &made->data, cells, NULL, &why);
    if (status != RD_ERROR_USAGE)
        return status == RD_OK ? RD_OK : rd_fail(made->error, status, "%s", why.what.text);
    *decided = false;
    return made->shape->n > SMALL_N_MAX
               ? RD_OK
               : rd_fail(made->error, status, "the law has no value %s of n = %zu: %s", made->where,
                         made->shape->n, why.what.text);
}

static enum rd_status refuse(const struct comparison *made, enum rd_law_role role, size_t cell)
{
    struct rd_law_about about;
    rd_law_about(made->section, &about);
    return rd_fail(made->error, RD_ERROR_USAGE,
                   "the law of '%s' and its '%s' give %s[%zu] different values %s of n = %zu: "
                   "correct one of them",
                   made->program->name, role == RD_LAW_START ? "start" : "update", about.array,
                   cell, made->where, made->shape->n);
}

/* Moves the array on, and compares the cells that the law claims there. */
static enum rd_status move(struct comparison *made, enum rd_law_role role,
                           const struct rd_law_place *place, bool *decided)
{
    enum rd_status status = apply(made, role, place, made->cells, decided);
    if (status != RD_OK || !*decided)
        return status;
    memcpy(made->stated, made->cells, made->n_cells * sizeof *made->cells);
    status = apply(made, RD_LAW_LAW, place, made->stated, decided);
    for (size_t k = 0; status == RD_OK && *decided && k < made->n_cells; k++)
        if (made->cells[k] != made->stated[k])
            return refuse(made, role, k);
    return status;
}

static unsigned trials(const struct rd_program *program, const struct rd_shape *shape)
{
    const enum rd_operation operation = program->operation;
    return operation == RD_OPERATION_SUM || operation == RD_OPERATION_PRODUCT ||
                   operation == RD_OPERATION_XOR || shape->n > SMALL_N_MAX
               ? 1
               : TRIALS;
}

/* ---- the array at steps ---- */

static enum rd_status try_steps(struct comparison *made, unsigned trial)
{
    struct rd_law_place place = {0};
    bool decided = true;
    snprintf(made->where, sizeof made->where, "at step 0");
    enum rd_status status = begin(made, &place, trial);
    if (status != RD_OK || made->n_cells > CELLS_MAX)
        return status;
    status = move(made, RD_LAW_START, &place, &decided);
    const unsigned rounds = rd_program_rounds(made->program, made->shape);
    for (unsigned step = 1; status == RD_OK && decided && step <= rounds; step++) {
        place.d = step;
        snprintf(made->where, sizeof made->where, "at step %u", step);
        status = move(made, RD_LAW_UPDATE, &place, &decided);
    }
    return status;
}

enum rd_status rd_program_check_agreement(const struct rd_program *program,
                                          const struct rd_shape *shape, struct rd_error *error)
{
    enum rd_status status = RD_OK;
    if (!is_tried(program, shape))
        return RD_OK;
    for (unsigned trial = 0; status == RD_OK && trial < trials(program, shape); trial++) {
        struct comparison made = {.program = program,
                                  .shape = shape,
                                  .section = rd_law_section(rd_paragraph_of(program)->law, 0),
                                  .error = error};
        status = try_steps(&made, trial);
        finish(&made);
    }
    return status;
}

/* ---- an array inside a kernel ---- */

/* Goes through the steps up to that of the place. */
static enum rd_status try_point(struct comparison *made, const struct rd_place *at, unsigned trial)
{
    struct rd_law_place place = {.block = at->block,
                                 .warp = at->warp == RD_WHOLE_BLOCK ? 0 : (uint64_t)at->warp,
                                 .variable = at->variable};
    const uint64_t last = place.variable;
    struct rd_law_about about;
    struct rd_law_error why = {0};
    bool decided = true, more = true;
    snprintf(made->where, sizeof made->where, "at '%s' of block %" PRIu64, rd_point_name(at->point),
             at->block);
    enum rd_status status = begin(made, &place, trial);
    if (status != RD_OK || made->n_cells > CELLS_MAX)
        return status;
    rd_law_about(made->section, &about);
    if (about.steps)
        status = rd_law_first(made->run, made->section, &place, &place.variable, &why);
    if (status != RD_OK)
        return rd_fail(made->error, status, "%s", why.what.text);
    status = move(made, RD_LAW_START, &place, &decided);
    while (about.steps && status == RD_OK && decided && place.variable != last) {
        status = rd_law_next(made->run, made->section, &place, &place.variable, &more, &why);
        if (status != RD_OK || !more)
            return status == RD_OK ? RD_OK : rd_fail(made->error, status, "%s", why.what.text);
        status = move(made, RD_LAW_UPDATE, &place, &decided);
    }
    return status;
}

enum rd_status rd_program_check_agreement_at(const struct rd_program *program,
                                             const struct rd_shape *shape,
                                             const struct rd_place *at, struct rd_error *error)
{
    const struct rd_paragraph *paragraph =
        is_tried(program, shape) ? rd_paragraph_of(program) : NULL;
    const struct rd_law_section *section = paragraph ? paragraph->points[at->point] : NULL;
    enum rd_status status = RD_OK;
    if (!section || (at->block >= BLOCKS_MAX && at->block + 1 != shape->grid))
        return RD_OK;
    for (unsigned trial = 0; status == RD_OK && trial < trials(program, shape); trial++) {
        struct comparison made = {
            .program = program, .shape = shape, .section = section, .error = error};
        status = try_point(&made, at, trial);
        finish(&made);
    }
    return status;
}
