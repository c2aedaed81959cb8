// SPDX-License-Identifier: MIT
/* Makes the plan of a program from its paragraph: shapes, sizes, rounds and points. */
#include "program/paragraph.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

struct rd_shape rd_program_shape(const struct rd_program *program, struct rd_shape asked)
{
    if (asked.block == 0)
        asked.block = program->block ? program->block : RD_BLOCK_DEFAULT;
    if (asked.grid == 0 && program->blocks && asked.n > 0)
        asked.grid = rd_paragraph_value(program->blocks, asked.n, asked.block);
    return asked;
}

/* ---- inputs and cells ---- */

static const struct rd_law *law_of(const struct rd_program *program)
{
    const struct rd_paragraph *paragraph = rd_paragraph_of(program);
    return paragraph ? paragraph->law : NULL;
}

bool rd_program_has_b(const struct rd_program *program)
{
    const struct rd_law *law = law_of(program);
    return law && rd_law_input_count(law) > 1;
}

bool rd_program_has_n_inputs(const struct rd_program *program)
{
    const struct rd_law *law = law_of(program);
    bool all = law;
    for (size_t k = 0; all && k < rd_law_input_count(law); k++)
        all = rd_law_input_has_n(law, k);
    return all;
}

bool rd_program_passes_input(const struct rd_program *program)
{
    const struct rd_law *law = law_of(program);
    return law && rd_law_launches_pass(law, 0);
}

bool rd_program_starts_as_input(const struct rd_program *program)
{
    const struct rd_law *law = law_of(program);
    struct rd_law_about about;
    if (!law || rd_law_launches_pass(law, 0))
        return false;
    rd_law_about(rd_law_section(law, 0), &about);
    return !about.starts_from_point;
}

static size_t input_size(const struct rd_program *program, const struct rd_shape *shape,
                         size_t input)
{
    struct rd_cached_run *cached = rd_paragraph_run(program, shape);
    struct rd_law_error why;
    uint64_t size = 0;
    if (!cached || input >= rd_law_input_count(cached->law))
        return 0;
    const enum rd_status status = rd_law_input_size(cached->run, input, &size, &why);
    if (status != RD_OK)
        rd_paragraph_note(program, status, &why);
    return status == RD_OK ? size : 0;
}

size_t rd_program_inputs(const struct rd_program *program, const struct rd_shape *shape)
{
    return input_size(program, shape, 0);
}

size_t rd_program_inputs_b(const struct rd_program *program, const struct rd_shape *shape)
{
    return input_size(program, shape, 1);
}

size_t rd_program_cells(const struct rd_program *program, const struct rd_shape *shape)
{
    struct rd_cached_run *cached = rd_paragraph_run(program, shape);
    struct rd_law_error why;
    uint64_t size = 0;
    if (!cached)
        return 0;
    const enum rd_status status =
        rd_law_array_size(cached->run, rd_law_section(cached->law, 0), NULL, &size, &why);
    if (status != RD_OK)
        rd_paragraph_note(program, status, &why);
    return status == RD_OK ? size : 0;
}

/* ---- points ---- */

bool rd_program_point_is_of_lanes(const struct rd_program *program, enum rd_point point)
{
    const struct rd_paragraph *paragraph = rd_paragraph_of(program);
    return paragraph && paragraph->points[point] && paragraph->about[point].kind == RD_LAW_REGISTER;
}

static size_t cells_of(const struct rd_program *program, struct rd_cached_run *cached,
                       enum rd_point point)
{
    const struct rd_law_section *section = cached->paragraph->points[point];
    struct rd_law_error why;
    uint64_t size = RD_WARP_LANES;
    if (cached->cells[point] > 0 || !section)
        return cached->cells[point];
    if (cached->paragraph->about[point].kind != RD_LAW_REGISTER) {
        const enum rd_status status = rd_law_array_size(cached->run, section, NULL, &size, &why);
        if (status != RD_OK) {
            rd_paragraph_note(program, status, &why);
            size = 0;
        }
    }
    return cached->cells[point] = size;
}

size_t rd_program_point_cells(const struct rd_program *program, const struct rd_shape *shape,
                              enum rd_point point)
{
    struct rd_cached_run *cached = rd_paragraph_run(program, shape);
    return cached ? cells_of(program, cached, point) : 0;
}

/* NULL where the program has no such point, or there is no memory for its steps. */
static const struct rd_cached_steps *steps_of(const struct rd_program *program, enum rd_point point,
                                              const struct rd_passing *by,
                                              struct rd_cached_run **run)
{
    struct rd_cached_run *cached = *run = rd_paragraph_run(program, by->shape);
    const struct rd_law_section *section = cached ? cached->paragraph->points[point] : NULL;
    if (!section)
        return NULL;
    const struct rd_law_about *about = &cached->paragraph->about[point];
    const struct rd_law_place place = {
        .d = by->round->number,
        .block = about->differs_by_block ? by->block : 0,
        .warp = about->differs_by_warp ? by->warp : 0,
        .bytes = rd_numeric(by->type)->size_bytes,
    };
    if (!cached->steps[point] &&
        !(cached->steps[point] = calloc(RD_CACHED_WARPS, sizeof **cached->steps))) {
        rd_paragraph_note(program, RD_ERROR_MEMORY,
                          &(struct rd_law_error){.what.text = "no memory for its steps"});
        return NULL;
    }
    struct rd_cached_steps *steps = &cached->steps[point][place.warp % RD_CACHED_WARPS];
    if (steps->known && steps->place.d == place.d && steps->place.block == place.block &&
        steps->place.warp == place.warp && steps->place.bytes == place.bytes)
        return steps;
    free(steps->values);
    *steps = (struct rd_cached_steps){.place = place};
    struct rd_law_error why;
    const enum rd_status status =
        rd_law_met(cached->run, section, &place, &steps->values, &steps->count, &why);
    steps->known = status == RD_OK;
    if (!steps->known)
        rd_paragraph_note(program, status, &why);
    return steps->known ? steps : NULL;
}

size_t rd_program_point_passes(const struct rd_program *program,
                               const struct rd_point_invariant *point, const struct rd_passing *by)
{
    struct rd_cached_run *cached;
    const struct rd_cached_steps *steps = steps_of(program, point->point, by, &cached);
    return steps ? steps->count : 0;
}

uint64_t rd_program_point_variable(const struct rd_program *program,
                                   const struct rd_point_invariant *point,
                                   const struct rd_passing *by, size_t k)
{
    struct rd_cached_run *cached;
    const struct rd_cached_steps *steps = steps_of(program, point->point, by, &cached);
    if (steps && cached->paragraph->about[point->point].steps)
        return k < steps->count ? steps->values[k] : 0;
    return cached ? cells_of(program, cached, point->point) : 0;
}

uint32_t rd_program_point_lanes(const struct rd_program *program, enum rd_point point,
                                const struct rd_passing *by)
{
    const struct rd_paragraph *paragraph = rd_paragraph_of(program);
    unsigned threads = rd_round_threads(by->round), before = by->warp * RD_WARP_LANES;
    unsigned lanes = threads > before ? threads - before : 0;
    if (paragraph && paragraph->points[point] && paragraph->about[point].scalar && lanes > 1)
        lanes = 1;
    return lanes >= RD_WARP_LANES ? UINT32_MAX : ((uint32_t)1 << lanes) - 1;
}

/* ---- rounds ---- */

/* So many rounds no program has, but one whose launch is always there: a client's, or one that a trace defines. */
enum { ROUNDS_MAX = 1 << 20 };

static enum rd_operand operand_of(const struct rd_law_operand *operand)
{
    switch (operand->kind) {
    case RD_LAW_OPERAND_ARRAY:
        return RD_OPERAND_A;
    case RD_LAW_OPERAND_INPUT:
        return operand->value == 0 ? RD_OPERAND_INPUT : RD_OPERAND_B;
    case RD_LAW_OPERAND_SCRATCH:
        return RD_OPERAND_SCRATCH;
    case RD_LAW_OPERAND_TICKET:
        return RD_OPERAND_TICKET;
    case RD_LAW_OPERAND_NUMBER:
        break;
    }
    return RD_OPERAND_SIZE;
}

static unsigned to_unsigned(uint64_t number)
{
    return number < UINT_MAX ? (unsigned)number : UINT_MAX;
}

static void tell_round(const struct rd_paragraph *paragraph, const struct rd_shape *shape,
                       const struct rd_law_launch *launch, struct rd_round *round)
{
    *round = (struct rd_round){
        .kernel = paragraph->kernels[launch->index],
        .kernel_name = rd_paragraph_kernel(paragraph, launch->index),
        .width_name = launch->counter ? launch->counter : "n",
        .width = launch->counter ? launch->count : shape->n,
        .threads = launch->threads,
        .grid = launch->grid[0],
        .block = to_unsigned(launch->block[0]),
        .grid_y = to_unsigned(launch->grid[1]),
        .block_y = to_unsigned(launch->block[1]),
        .shared_elems = launch->shared,
        .cooperative = launch->cooperative,
        .spoils_inputs = launch->spoils_inputs,
        .reads_max = to_unsigned(launch->reads),
        .writes_max = to_unsigned(launch->writes),
        .n_operands = launch->n_operands,
    };
    static_assert(RD_LAW_OPERANDS_MAX <= (int)RD_OPERANDS_MAX, "a round has all operands");
    for (unsigned k = 0; k < launch->n_operands; k++) {
        const struct rd_law_operand *operand = &launch->operands[k];
        round->operands[k].kind = operand_of(operand);
        if (operand->kind == RD_LAW_OPERAND_SCRATCH || operand->kind == RD_LAW_OPERAND_NUMBER)
            round->operands[k].size = operand->value;
    }
}

/* *found is false where the rounds have ended. */
static enum rd_status find_round(struct rd_cached_run *cached, unsigned number,
                                 struct rd_law_launch *launch, bool *found,
                                 struct rd_law_error *why)
{
    *found = false;
    if (number <= ROUNDS_MAX)
        return rd_law_launch(cached->run, number, launch, found, why);
    *why = (struct rd_law_error){.line = 0};
    return rd_fail(&why->what, RD_ERROR_USAGE,
                   "its rounds don't end: there are more than %d of n = %zu", ROUNDS_MAX,
                   cached->shape.n);
}

bool rd_program_round(const struct rd_program *program, const struct rd_shape *shape,
                      unsigned number, struct rd_round *round)
{
    struct rd_cached_run *cached = rd_paragraph_run(program, shape);
    struct rd_law_launch launch;
    struct rd_law_error why;
    bool found;
    if (!cached)
        return false;
    const enum rd_status status = find_round(cached, number, &launch, &found, &why);
    if (status != RD_OK)
        rd_paragraph_note(program, status, &why);
    if (status != RD_OK || !found)
        return false;
    tell_round(cached->paragraph, shape, &launch, round);
    round->number = number;
    return true;
}

unsigned rd_program_rounds(const struct rd_program *program, const struct rd_shape *shape)
{
    struct rd_cached_run *cached = rd_paragraph_run(program, shape);
    struct rd_law_launch launch;
    struct rd_law_error why;
    enum rd_status status = RD_OK;
    unsigned count = 0;
    bool found = true;
    if (!cached)
        return 0;
    if (cached->has_rounds)
        return cached->n_rounds;
    while (status == RD_OK && found) {
        status = find_round(cached, count + 1, &launch, &found, &why);
        count += status == RD_OK && found;
    }
    if (status != RD_OK) { /* perhaps for want of memory: whoever asks next counts anew */
        rd_paragraph_note(program, status, &why);
        return count;
    }
    cached->has_rounds = true;
    cached->n_rounds = count;
    return count;
}
