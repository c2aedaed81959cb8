// SPDX-License-Identifier: MIT
/* Kernels as terms, next to the compiled kernels: for all programs whose kernels can be executed symbolically, the
 * terms are worked out at points - n, block, grid, inputs, round, checkpoint, thread - and written to arrays, which
 * must then hold what they hold in the simulator. The launches as terms must be those that are made. */
#include "base/random.h"
#include "device/kernel_names.h"
#include "kernel_world.h"
#include "reductio/device.h"
#include "reductio/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

enum { RECORDS_MAX = 4096 };

/* ---- what the simulator does ---- */

struct record {
    unsigned step;
    bool inside;
    struct rd_place place;
    uint32_t present;
    size_t count;
    rd_bits *cells;
};

struct records {
    size_t count;
    struct record list[RECORDS_MAX];
};

static enum rd_status record_step(void *self, const struct rd_run *run, const struct rd_step *step,
                                  struct rd_error *error)
{
    struct records *records = self;
    (void)error;
    if (records->count == RECORDS_MAX)
        return RD_OK;
    assert_true(step->whole || step->place);
    struct record *record = &records->list[records->count++];
    *record = (struct record){
        .step = step->number,
        .inside = step->place != NULL,
        .present = step->present,
        .count = step->n_cells,
        .cells = malloc((step->n_cells + 1) * sizeof *record->cells),
    };
    assert_non_null(record->cells);
    if (step->place)
        record->place = *step->place;
    for (size_t k = 0; k < step->n_cells; k++)
        record->cells[k] = run->numeric->load(step->cells, k);
    return RD_OK;
}

static void forget_records(struct records *records)
{
    for (size_t k = 0; k < records->count; k++)
        free(records->list[k].cells);
    records->count = 0;
}

/* ---- compared ---- */

static void compare(struct world *world, rd_wide value, bool known, rd_bits actual,
                    const char *where, size_t index)
{
    if (!known) {
        world->unknown++;
        return;
    }
    world->points++;
    world->not_zero += value != 0;
    if (!world->numeric->same(world->numeric->from_u64((uint64_t)value), actual))
        fail_msg("%s, n = %zu, block %u, grid %zu, round %d: %s[%zu] is %lld by the terms, %.17g "
                 "in the simulator",
                 world->program->name, world->shape.n, world->shape.block, world->shape.grid,
                 (int)world->environment.values[3] + 1, where, index, (long long)value,
                 world->numeric->to_double(actual));
}

static void compare_checkpoint(struct world *world, const struct record *record)
{
    const char *name = rd_point_name(record->place.point);
    for (size_t m = 0; m < world->n_moments; m++) {
        const struct moment *moment = &world->moments[m];
        if (!moment->point || strcasecmp(moment->point, name) != 0 ||
            moment->variable != (rd_wide)record->place.variable)
            continue;
        for (size_t k = 0; record->place.warp != RD_WHOLE_BLOCK && k < record->count; k++) {
            const size_t thread = (size_t)record->place.warp * 32 + k;
            if (thread < moment->n_threads && record->present >> k & 1)
                compare(world, moment->lanes[thread], moment->has_lane[thread], record->cells[k],
                        name, k);
        }
        for (unsigned a = 0; record->place.warp == RD_WHOLE_BLOCK && a < ARRAYS_MAX; a++) {
            const struct memory *memory = &moment->arrays[a];
            for (size_t k = 0; memory->array && k < record->count && k < memory->size; k++)
                if (memory->known[k])
                    compare(world, memory->cells[k], true, record->cells[k], name, k);
        }
        return;
    }
    fail_msg("%s: no thread comes to '%s' at %llu by the terms", world->program->name, name,
             (unsigned long long)record->place.variable);
}

static void compare_number(struct world *world, const struct law_node *node, uint64_t number)
{
    bool known;
    if (!node)
        return;
    const rd_wide value = world_value(world, program_number(world->terms, node), &known);
    world->points++;
    if (!known || value != (rd_wide)number)
        fail_msg("%s: a number of the launch is %lld by the terms, and %llu", world->program->name,
                 (long long)value, (unsigned long long)number);
}

/* The launch that is made is the one that the terms say, with its numbers. */
static void compare_launch(struct world *world, const struct rd_law_launch *made)
{
    const struct law_launch *of = &world->terms->subject.paragraph->law->launches[made->index];
    for (size_t k = 0; k <= made->index; k++) {
        const struct law_node *when = world->terms->subject.paragraph->law->launches[k].when;
        bool known = true;
        const bool is = when ? world_value(world, program_number(world->terms, when), &known) != 0
                             : world->environment.values[3] == 0;
        assert_true(known);
        assert_int_equal(is, k == made->index);
    }
    for (unsigned k = 0; k < of->n_operands; k++)
        if (of->operands[k].kind == RD_LAW_OPERAND_NUMBER)
            compare_number(world, of->operands[k].node, made->operands[k].value);
    compare_number(world, of->threads[0], made->threads);
    compare_number(world, of->grid[0], made->grid[0]);
    compare_number(world, of->block[0], made->block[0]);
}

/* The law as terms, next to what the program itself says that it is. */
static void compare_contents(struct world *world, uint64_t *random, unsigned step)
{
    struct program *terms = world->terms;
    struct rd_proof_subject *subject = &terms->subject;
    const rd_term live = rd_subject_live(subject, terms->d, subject->cell),
                  count = rd_subject_count(subject, terms->d, subject->cell);
    struct rd_claim claim;
    bool known;
    if (subject->n_units != 1 ||
        world->program->no_witness) /* of a sum with a number, it says less */
        return;
    rd_program_claim(world->program, &world->shape, step, &claim);
    const rd_wide kept = (rd_wide)world->one;
    for (size_t i = 0; i < world->n_A; i++) {
        const size_t j = rd_random(random) % world->n_inputs[0];
        environment_set(&world->environment, terms->d, step);
        environment_set(&world->environment, subject->cell, (rd_wide)i);
        environment_set(&world->environment, subject->units[0], (rd_wide)j);
        const bool is_live = world_value(world, live, &known) != 0;
        world->points++;
        if (!known || is_live != rd_claim_has(&claim, i))
            fail_msg("%s: whether A[%zu] is live at step %u", world->program->name, i, step);
        if (!is_live)
            continue;
        const rd_wide times = world_value(world, count, &known);
        if (!known || times != rd_program_contains(world->program, &world->shape, step, i, j))
            fail_msg("%s: whether A[%zu] has input %zu at step %u", world->program->name, i, j,
                     step);
    }
    environment_set(&world->environment, subject->units[0], kept);
}

static void compare_round(struct world *world, const struct records *records, unsigned round)
{
    struct rd_law_launch made;
    struct rd_law_error error;
    bool there = false;
    environment_set(&world->environment, world->terms->d, (rd_wide)round - 1);
    assert_int_equal(rd_law_launch(world->environment.run, round, &made, &there, &error), RD_OK);
    assert_true(there);
    world->launch = &world->terms->launches[made.index];
    world->block = made.block[0];
    world->grid = made.grid[0];
    environment_set(&world->environment, world->terms->T, (rd_wide)world->block);
    environment_set(&world->environment, world->terms->grid, (rd_wide)world->grid);
    world_set_thread(world, 0, 0);
    world->n_names = world->environment.count;
    compare_launch(world, &made);
    memcpy(world->A_after, world->A, world->n_A * sizeof *world->A);
    memset(world->A_known, 1, world->n_A);
    for (size_t block = 0; block < world->grid; block++) {
        world_work_out(world, block);
        for (size_t k = 0; k < records->count; k++)
            if (records->list[k].step == round && records->list[k].inside &&
                records->list[k].place.block == block)
                compare_checkpoint(world, &records->list[k]);
        world_forget(world);
    }
    for (size_t k = 0; k < records->count; k++)
        for (size_t i = 0;
             records->list[k].step == round && !records->list[k].inside && i < world->n_A; i++) {
            compare(world, world->A_after[i], world->A_known[i], records->list[k].cells[i], "A", i);
            if (!world->A_known[i]) /* what comes next begins with what is there */
                world->A_after[i] = (rd_wide)world->numeric->to_double(records->list[k].cells[i]);
        }
    memcpy(world->A, world->A_after, world->n_A * sizeof *world->A);
}

/* ---- runs ---- */

static bool choose_shape(const struct rd_program *program, uint64_t *random, struct rd_shape *shape)
{
    static const unsigned threads[] = {1, 2, 3, 4, 5, 8, 16, 17, 32, 33, 48, 64, 70, 128};
    struct rd_error error;
    for (unsigned attempt = 0; attempt < 60; attempt++) {
        const size_t n =
            rd_random(random) % 4 ? 1 + rd_random(random) % 40 : (size_t)1 << rd_random(random) % 7;
        *shape = rd_program_shape(
            program, (struct rd_shape){
                         .n = n,
                         .block = threads[rd_random(random) % (sizeof threads / sizeof *threads)],
                         .grid = program->blocks ? 1 + rd_random(random) % 3 : 0});
        if (rd_program_accept(program, shape, &error) == RD_OK &&
            (rd_program_accept(program, shape, &error) == RD_OK))
            return true;
    }
    return false;
}

/* Inputs of small numbers, or one of 1 among zeros. */
static void *choose_input(struct world *world, unsigned input, size_t count, uint64_t *random)
{
    void *elements = calloc(count + 1, world->numeric->size_bytes);
    const size_t one = input > 0 && rd_random(random) % 4 && world->one < count ? world->one
                       : count ? rd_random(random) % count
                               : 0;
    world->one = one;
    world->inputs[input] = calloc(count + 1, sizeof *world->inputs[input]);
    world->n_inputs[input] = count;
    assert_true(elements && world->inputs[input]);
    for (size_t k = 0; k < count; k++) {
        const uint64_t value = world->terms->reading == BY_CELL ? rd_random(random) % 10 : k == one;
        world->inputs[input][k] = (rd_wide)value;
        world->numeric->store(elements, k, world->numeric->from_u64(value));
    }
    if (world->terms->subject.units[input])
        environment_set(&world->environment, world->terms->subject.units[input], (rd_wide)one);
    return elements;
}

static void compare_run(struct world *world, struct rd_device *device, uint64_t *random)
{
    static struct records records;
    const struct rd_program *program = world->program;
    const struct rd_observer observer = {
        .size = sizeof observer, .self = &records, .step = record_step};
    const struct rd_observer *const observers[] = {&observer, NULL};
    struct rd_result result;
    struct rd_error error;
    if (!choose_shape(program, random, &world->shape))
        return;
    const struct rd_law_sizes sizes = {
        .n = world->shape.n, .T = world->shape.block, .B = world->shape.grid};
    world->environment = (struct environment){.apply = world_apply, .self = world};
    assert_int_equal(rd_law_run_create(&world->environment.run,
                                       world->terms->subject.paragraph->law, &sizes, NULL),
                     RD_OK);
    environment_set(&world->environment, world->terms->subject.n, (rd_wide)sizes.n);
    environment_set(&world->environment, world->terms->subject.T, (rd_wide)sizes.T);
    environment_set(&world->environment, world->terms->subject.B, (rd_wide)sizes.B);
    environment_set(&world->environment, world->terms->d, 0);
    void *a = choose_input(world, 0, rd_program_inputs(program, &world->shape), random),
         *b = rd_program_has_b(program)
                  ? choose_input(world, 1, rd_program_inputs_b(program, &world->shape), random)
                  : NULL;
    const struct rd_run run = {
        .size = sizeof run,
        .program = program,
        .numeric = world->numeric,
        .n = world->shape.n,
        .a = a,
        .b = b,
        .values = "chosen",
        .block = world->shape.block,
        .grid = world->shape.grid,
        .frame = true,
        .device = device,
        .blocks.all = true,
        .go_on = true,
        .n_schedules = 1,
    };
    if (rd_run(&run, observers, &result, &error) != RD_OK)
        fail_msg("%s: %s", program->name, error.text);
    world->n_A = records.list[0].count;
    world->A = calloc(world->n_A + 1, sizeof *world->A);
    world->A_after = calloc(world->n_A + 1, sizeof *world->A_after);
    world->A_known = calloc(world->n_A + 1, 1);
    assert_true(world->A && world->A_after && world->A_known);
    for (size_t k = 0; k < world->n_A; k++)
        world->A[k] = (rd_wide)world->numeric->to_double(records.list[0].cells[k]);
    const unsigned rounds = rd_program_rounds(program, &world->shape);
    for (unsigned round = 1; round <= rounds; round++)
        compare_round(world, &records, round);
    for (unsigned step = 0; step <= rounds; step++)
        compare_contents(world, random, step);
    forget_records(&records);
    rd_law_run_destroy(world->environment.run);
    free(world->A);
    free(world->A_after);
    free(world->A_known);
    for (unsigned k = 0; k < RD_SUBJECT_UNITS_MAX; k++)
        free(world->inputs[k]);
    free(a);
    free(b);
    world->inputs[0] = world->inputs[1] = NULL;
}

/* The prover reads kernels with elements of 8 bytes. */
static const struct rd_numeric *numeric_of(const struct rd_program *program)
{
    static const enum rd_type types[] = {RD_TYPE_U64, RD_TYPE_F64};
    for (unsigned k = 0; k < sizeof types / sizeof *types; k++)
        if (rd_program_accept_type(program, types[k], NULL) == RD_OK)
            return rd_numeric(types[k]);
    return rd_numeric(program->type);
}

static void test_kernels_as_terms_do_what_they_do_in_the_simulator(void **state)
{
    enum {
        PROGRAMS_MIN = 25,
        RUNS_MIN = 6,
        RUNS_MAX = 60,
        POINTS_EACH = 3900,
        POINTS_ALL = 100000
    };
    struct rd_device *device = NULL;
    struct rd_error error;
    size_t points = 0, programs = 0;
    (void)state;
    for (size_t k = 0; rd_programs[k]; k++) {
        static struct program program;
        static struct world world;
        uint64_t random = 1 + k;
        const char *why = "";
        if (rd_program_is_fault(rd_programs[k]))
            continue;
        if (!program_open(&program, rd_programs[k], &why)) {
            print_message("%s is not executed: %s\n", rd_programs[k]->name, why);
            continue;
        }
        if (!device) /* the test wasn't skipped */
            assert_int_equal(rd_device_open("sim", &device, NULL, &error), RD_OK);
        world = (struct world){
            .program = rd_programs[k], .terms = &program, .numeric = numeric_of(rd_programs[k])};
        for (unsigned run = 0; run < RUNS_MAX && (run < RUNS_MIN || world.points < POINTS_EACH);
             run++)
            compare_run(&world, device, &random);
        if (world.points < 100 || world.not_zero == 0)
            fail_msg("%s: %zu points, %zu not 0", rd_programs[k]->name, world.points,
                     world.not_zero);
        if (world.unknown > world.points / 2)
            fail_msg("%s: %zu points, and %zu unknown", rd_programs[k]->name, world.points,
                     world.unknown);
        points += world.points;
        programs++;
        program_close(&program);
    }
    rd_device_close(device);
    program_forget_files();
    print_message("%zu programs, %zu points\n", programs, points);
    assert_true(programs >= PROGRAMS_MIN);
    assert_true(points >= POINTS_ALL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels_as_terms_do_what_they_do_in_the_simulator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
