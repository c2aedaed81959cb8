// SPDX-License-Identifier: MIT
#include "run/points.h"
#include "device/kernel_names.h"
#include "program/agreement.h"
#include "program/paragraph.h"
#include "program/program_law.h"

#include <stdlib.h>
#include <string.h>

static enum rd_status init_array(struct rd_points_array *array, const struct rd_numeric *numeric,
                                 const struct rd_points *points, const void *a, const void *b,
                                 struct rd_error *error)
{
    size_t n = rd_program_point_cells(points->program, &points->shape, array->invariant->point);
    array->expect = (struct rd_expect){
        .numeric = numeric,
        .shape = points->shape,
        .n = n,
        .n_inputs = rd_program_inputs(points->program, &points->shape),
        .a = a,
        .b = rd_program_has_b(points->program) ? b : NULL,
        .stride = 1,
    };
    for (int slot = 0;
         slot < (rd_program_point_is_of_lanes(points->program, array->invariant->point)
                     ? RD_WARPS_MAX
                     : 1);
         slot++) {
        array->slots[slot].cells = calloc(n, numeric->size_bytes);
        if (!array->slots[slot].cells)
            return rd_fail(error, RD_ERROR_MEMORY, "no memory for the expected values of %zu cells",
                           n);
    }
    return RD_OK;
}

enum rd_status rd_points_init(struct rd_points *points, const struct rd_program *program,
                              const struct rd_numeric *numeric, const struct rd_shape *shape,
                              const void *a, const void *b, struct rd_error *error)
{
    struct rd_points p = {.program = program, .shape = *shape};
    enum rd_status status = RD_OK;
    for (int point = 0; point < RD_POINT_COUNT && status == RD_OK; point++) {
        p.arrays[point].invariant = rd_program_point(program, (enum rd_point)point);
        if (p.arrays[point].invariant)
            status = init_array(&p.arrays[point], numeric, &p, a, b, error);
    }
    if (status == RD_OK)
        *points = p;
    else
        rd_points_finish(&p);
    return status;
}

size_t rd_points_cells_max(const struct rd_points *points)
{
    size_t most = 0;
    for (int point = 0; point < RD_POINT_COUNT; point++)
        if (points->arrays[point].invariant && points->arrays[point].expect.n > most)
            most = points->arrays[point].expect.n;
    return most;
}

void rd_points_finish(struct rd_points *points)
{
    for (int point = 0; point < RD_POINT_COUNT; point++)
        for (int slot = 0; slot < RD_WARPS_MAX; slot++) {
            free(points->arrays[point].slots[slot].cells);
            rd_blocks_ahead_finish(&points->arrays[point].slots[slot].ahead);
        }
    *points = (struct rd_points){0};
}

/* ---- places ---- */

/* The place's block and warp must be among those of the launch. */
static enum rd_status accept_threads(const struct rd_program *program, const struct rd_round *round,
                                     const struct rd_place *place, struct rd_error *error)
{
    unsigned long long blocks = rd_round_blocks_in_all(round);
    const bool of_lanes = rd_program_point_is_of_lanes(program, place->point);
    size_t warps = (rd_round_threads(round) + RD_WARP_LANES - 1) / RD_WARP_LANES;
    if (place->block >= blocks)
        return rd_fail(error, RD_ERROR_INPUT, "'block' is %llu, and round %u has %llu blocks",
                       (unsigned long long)place->block, round->number, blocks);
    if (of_lanes && place->warp == RD_WHOLE_BLOCK)
        return rd_fail(error, RD_ERROR_INPUT,
                       "no 'warp', and the cells of '%s' are lanes of a warp",
                       rd_point_name(place->point));
    if (!of_lanes && place->warp != RD_WHOLE_BLOCK)
        return rd_fail(error, RD_ERROR_INPUT,
                       "'warp' is %d, and the cells of '%s' are those of the block", place->warp,
                       rd_point_name(place->point));
    if (of_lanes && (size_t)place->warp >= warps)
        return rd_fail(error, RD_ERROR_INPUT, "'warp' is %d, and a block has %zu warps",
                       place->warp, warps);
    return RD_OK;
}

/* The variable must be among the values that it has in this warp. */
static enum rd_status accept_variable(const struct rd_program *program,
                                      const struct rd_point_invariant *invariant,
                                      const struct rd_passing *by, const struct rd_place *place,
                                      struct rd_error *error)
{
    struct rd_paragraph_watch watch;
    rd_paragraph_watch_begin(&watch, program);
    size_t passes = rd_program_point_passes(program, invariant, by);
    enum rd_status status = rd_paragraph_watch_end(&watch, error);
    if (status != RD_OK)
        return status;
    if (passes == 0)
        return rd_fail(error, RD_ERROR_INPUT, "no thread comes to '%s' there in round %u",
                       rd_point_name(place->point), by->round->number);
    unsigned long long first = rd_program_point_variable(program, invariant, by, 0);
    unsigned long long last = rd_program_point_variable(program, invariant, by, passes - 1);
    unsigned long long least = first < last ? first : last, most = first < last ? last : first;
    if (place->variable < least || place->variable > most)
        return rd_fail(error, RD_ERROR_INPUT, "'variable' is %llu, and %s can be %llu to %llu here",
                       (unsigned long long)place->variable, invariant->variable, least, most);
    return RD_OK;
}

enum rd_status rd_points_accept(const struct rd_program *program, enum rd_type type,
                                const struct rd_shape *shape, unsigned round,
                                const struct rd_place *place, struct rd_error *error)
{
    const struct rd_point_invariant *invariant = rd_program_point(program, place->point);
    struct rd_round plan;
    if (!invariant)
        return RD_OK;
    if (!rd_program_round(program, shape, round, &plan))
        return rd_fail(error, RD_ERROR_INPUT, "a checkpoint of round %u, which %s does not make",
                       round, program->name);
    enum rd_status status = accept_threads(program, &plan, place, error);
    if (status != RD_OK)
        return status;
    if (place->number == 0)
        return rd_fail(error, RD_ERROR_INPUT, "'number' is 0, and checkpoints count from 1");
    const struct rd_passing by = {
        .shape = shape,
        .type = type,
        .round = &plan,
        .block = place->block,
        .warp = place->warp == RD_WHOLE_BLOCK ? 0 : (unsigned)place->warp,
    };
    return accept_variable(program, invariant, &by, place, error);
}

/* ---- asserting ---- */

void rd_points_again(struct rd_points *points)
{
    for (unsigned p = 0; p < RD_POINT_COUNT; p++)
        for (unsigned slot = 0; slot < RD_WARPS_MAX; slot++)
            points->arrays[p].slots[slot].begun = false;
}

/* The array of this block alone, from its last step on. */
static enum rd_status expect_block(struct rd_points *points, struct rd_points_array *array,
                                   struct rd_points_slot *slot, const struct rd_place *place,
                                   struct rd_claim *claim, struct rd_error *error)
{
    const bool same = slot->begun && slot->block == place->block;
    array->expect.cells = slot->cells;
    const enum rd_status status = rd_program_expect_at(points->program, &array->expect, place,
                                                       same ? &slot->variable : NULL, error);
    slot->begun = status == RD_OK;
    slot->block = place->block;
    slot->variable = place->variable;
    if (status != RD_OK)
        return status;
    rd_program_claim_at(points->program, &points->shape, place, claim);
    return claim->count > 0
               ? RD_OK
               : rd_program_check_claim_at(points->program, &points->shape, place, error);
}

/* The array, and which of its cells are live. */
static enum rd_status expect_claim(struct rd_points *points, const struct rd_place *place,
                                   struct rd_claim *claim, struct rd_error *error)
{
    struct rd_points_array *array = &points->arrays[place->point];
    struct rd_points_slot *slot =
        &array->slots[place->warp == RD_WHOLE_BLOCK ? 0 : place->warp % RD_WARPS_MAX];
    void *cells = NULL;
    slot->ahead.end = points->n_blocks;
    enum rd_status status =
        rd_program_check_agreement_at(points->program, &points->shape, place, error);
    if (status == RD_OK)
        status = rd_blocks_ahead_find(&slot->ahead, points->program, &array->expect, place, &cells,
                                      claim, error);
    if (status != RD_OK || !cells)
        return status != RD_OK ? status : expect_block(points, array, slot, place, claim, error);
    array->expect.cells = cells;
    if (slot->ahead.n_cells < array->expect.n) { /* a single cell of a warp's registers */
        memcpy(slot->cells, cells, slot->ahead.n_cells * array->expect.numeric->size_bytes);
        array->expect.cells = slot->cells;
        slot->begun = false;
    }
    return RD_OK;
}

enum rd_status rd_points_expect(struct rd_points *points, const struct rd_place *place,
                                struct rd_expect **expect, struct rd_error *error)
{
    struct rd_claim claim;
    *expect = &points->arrays[place->point].expect;
    return expect_claim(points, place, &claim, error);
}

/* A lane that did not come has handed nothing in, whatever its cell may hold. */
static void count_absent(const struct rd_expect *expect, const struct rd_checkpoint *checkpoint,
                         const struct rd_claim *claim, struct rd_comparison *found)
{
    const bool of_lanes = checkpoint->place.warp != RD_WHOLE_BLOCK;
    for (size_t k = 0; k < claim->count && of_lanes; k++) {
        size_t lane = k * claim->stride;
        if (lane >= RD_WARP_LANES || (checkpoint->present >> lane & 1))
            continue;
        /* All others have been counted. */
        found->wrong_bits += expect->numeric->same(expect->numeric->load(checkpoint->cells, lane),
                                                   rd_expect_cell(expect, lane));
        found->first_wrong = lane < found->first_wrong ? lane : found->first_wrong;
    }
}

/* The array of the checkpoint's point, which must be the program's, and of its size. */
static enum rd_status find_array(struct rd_points *points, const struct rd_checkpoint *checkpoint,
                                 struct rd_points_array **found, struct rd_error *error)
{
    enum rd_point point = checkpoint->place.point;
    struct rd_points_array *array = &points->arrays[point];
    if (!array->invariant)
        return rd_fail(error, RD_ERROR_INPUT, "'%s' has no invariant at its checkpoint '%s'",
                       points->program->name, rd_point_name(point));
    if (checkpoint->n_cells != array->expect.n)
        return rd_fail(error, RD_ERROR_INPUT,
                       "'%s' has %zu cells at a checkpoint, and should have %zu",
                       array->invariant->array, checkpoint->n_cells, array->expect.n);
    *found = array;
    return RD_OK;
}

static enum rd_verdict assert_cells(struct rd_points_array *array, unsigned number,
                                    const struct rd_checkpoint *checkpoint,
                                    const struct rd_claim *claim, struct rd_violation *violation)
{
    struct rd_expect *expect = &array->expect;
    struct rd_comparison found = rd_comparison_none();
    const struct rd_state_view view = {
        .cells = checkpoint->cells,
        .n_cells = checkpoint->n_cells,
        .whole = true,
        .no_frame = true,
    };
    expect->numeric->compare(expect, 0, claim->count, claim->stride, checkpoint->cells,
                             claim->stride, &found);
    count_absent(expect, checkpoint, claim, &found);
    enum rd_verdict verdict = rd_assert_step(expect, number, claim, &found, &view, violation);
    if (verdict == RD_VIOLATED) {
        violation->inside = true;
        violation->place = checkpoint->place;
        violation->array = array->invariant->array;
        violation->variable = array->invariant->variable;
    }
    return verdict;
}

const char *rd_step_statement(const struct rd_step *step, const struct rd_program *program,
                              const struct rd_shape *shape, enum rd_operation operation,
                              char text[RD_STATEMENT_SIZE])
{
    if (step->statement)
        return step->statement;
    rd_program_statement_at(program, shape, step->place, operation, text);
    return text;
}

enum rd_status rd_points_assert(struct rd_points *points, unsigned number,
                                const struct rd_checkpoint *checkpoint, struct rd_step *step,
                                struct rd_violation *violation, struct rd_error *error)
{
    const struct rd_place *place = &checkpoint->place;
    struct rd_points_array *array = NULL;
    struct rd_claim claim;
    enum rd_status status = find_array(points, checkpoint, &array, error);
    if (status != RD_OK)
        return status;
    const struct rd_point_invariant *invariant = array->invariant;
    if (number != points->round) {
        struct rd_round round;
        points->round = number;
        points->n_blocks = rd_program_round(points->program, &points->shape, number, &round)
                               ? rd_round_blocks_in_all(&round)
                               : 0;
    }
    status = expect_claim(points, place, &claim, error);
    if (status != RD_OK)
        return status;
    enum rd_verdict verdict = assert_cells(array, number, checkpoint, &claim, violation);
    *step = (struct rd_step){
        .number = number,
        .place = place,
        .point = invariant,
        .present = checkpoint->present,
        .claim = claim,
        .cells = checkpoint->cells,
        .n_cells = checkpoint->n_cells,
        .whole = true,
        .expect = &array->expect,
        .verdict = verdict,
        .n_asserted = claim.count,
        .violation = verdict == RD_VIOLATED ? violation : NULL,
    };
    return RD_OK;
}
