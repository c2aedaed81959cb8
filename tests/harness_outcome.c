// SPDX-License-Identifier: MIT
/* Asserts on how runs end: A against the result of a plain loop, and findings. */
#include "harness.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Below this, sums of whole numbers that are not negative are exact as f32. */
#define F32_WHOLE (UINT64_C(1) << 24)

static enum rd_status keep_cells(void *self, const struct rd_run *run, const struct rd_step *step,
                                 struct rd_error *error)
{
    struct test_outcome *outcome = self;
    size_t size_bytes = step->n_cells * run->numeric->size_bytes;
    (void)error;
    if (step->place)
        return RD_OK;
    outcome->cells = realloc(outcome->cells, size_bytes);
    assert_non_null(outcome->cells);
    memcpy(outcome->cells, step->cells, size_bytes);
    outcome->n_cells = step->n_cells;
    if (step->round)
        outcome->round = *step->round;
    return RD_OK;
}

static enum rd_status keep_finding(void *self, const struct rd_run *run,
                                   const struct rd_hazard *hazard, struct rd_error *error)
{
    struct test_outcome *outcome = self;
    const struct rd_finding *finding = hazard->finding;
    (void)run, (void)error;
    if (outcome->n_findings == TEST_FINDINGS_MAX)
        return RD_OK;
    struct test_finding *kept = &outcome->findings[outcome->n_findings++];
    snprintf(kept->name, sizeof kept->name, "%s", hazard->name);
    kept->step = hazard->step;
    if (!finding)
        return RD_OK;
    snprintf(kept->kind, sizeof kept->kind, "%s", finding->kind);
    snprintf(kept->scope, sizeof kept->scope, "%s", finding->scope);
    snprintf(kept->array, sizeof kept->array, "%s", finding->array);
    kept->n_places = finding->n_places;
    kept->count = finding->count;
    kept->index_known = finding->index_known;
    kept->index = finding->index;
    for (unsigned p = 0; p < finding->n_places; p++) {
        kept->thread[p] = finding->places[p].thread_index;
        kept->block[p] = finding->places[p].block_index;
    }
    return RD_OK;
}

void test_outcome(const struct test_case *test, struct test_outcome *outcome)
{
    struct rd_error error = {""};
    const struct rd_observer observer = {
        .self = outcome, .step = keep_cells, .hazard = keep_finding};
    *outcome = (struct test_outcome){.shape = test_shape(test)};
    if (test_run_observed(test, &observer, &outcome->values, &outcome->result, &error) != RD_OK)
        fail_msg("%s: %s", test->program, error.text);
    if (outcome->shape.n == 0) /* the values said it */
        outcome->shape =
            rd_program_shape(rd_program_named(test->program),
                             (struct rd_shape){outcome->values.n, test->block, test->grid});
}

void test_outcome_finish(struct test_outcome *outcome)
{
    rd_values_finish(&outcome->values);
    free(outcome->cells);
    *outcome = (struct test_outcome){0};
}

const struct test_finding *test_finding(const struct test_outcome *outcome, const char *name,
                                        const char *kind)
{
    for (unsigned f = 0; f < outcome->n_findings; f++)
        if (strcmp(outcome->findings[f].name, name) == 0 &&
            (!kind || strcmp(outcome->findings[f].kind, kind) == 0))
            return &outcome->findings[f];
    return NULL;
}

void assert_end_cell(const struct test_outcome *outcome, size_t cell, const char *text)
{
    char actual[RD_VALUE_TEXT_SIZE];
    const struct rd_numeric *numeric = outcome->values.numeric;
    assert_true(cell < outcome->n_cells);
    numeric->format(actual, numeric->load(outcome->cells, cell));
    if (strcmp(actual, text) != 0)
        fail_msg("A[%zu] is %s, not %s", cell, actual, text);
}

void assert_end_cells(const struct test_outcome *outcome, const char *text)
{
    char row[1024];
    size_t cell = 0;
    snprintf(row, sizeof row, "%s", text);
    for (char *word = strtok(row, " "); word; word = strtok(NULL, " "))
        assert_end_cell(outcome, cell++, word);
    assert_int_equal(cell, outcome->n_cells);
}

uint64_t test_whole(const struct rd_values *values, const void *cells, size_t j)
{
    const struct rd_numeric *numeric = values->numeric;
    rd_bits bits = numeric->load(cells, j);
    return numeric->is_float ? (uint64_t)(int64_t)numeric->to_double(bits) : bits;
}

static void fail_case(const struct test_case *test, const struct test_outcome *outcome,
                      const char *what)
{
    const struct rd_shape *shape = &outcome->shape;
    fail_msg("%s n=%zu block=%u grid=%zu %s values=%s: %s (%s, %u hazards: %s; step %u, cell %zu)",
             test->program, shape->n, shape->block, shape->grid, outcome->values.numeric->name,
             outcome->values.spec, what, rd_verdict_name(outcome->result.verdict),
             outcome->result.hazards, outcome->n_findings ? outcome->findings[0].name : "none",
             outcome->result.violation.step, outcome->result.violation.cell);
}

/* With the frame off, the live cells. */
static size_t cells_at_the_end(const struct test_case *test, const struct rd_shape *shape)
{
    const struct rd_program *program = rd_program_named(test->program);
    struct rd_claim claim;
    rd_program_claim(program, shape, rd_program_rounds(program, shape), &claim);
    return test->frame ? rd_program_cells(program, shape) : claim.count;
}

void assert_ends_with(const struct test_case *test, test_cell_of *wanted)
{
    struct test_outcome outcome;
    test_outcome(test, &outcome);
    const struct rd_result *r = &outcome.result;
    const struct rd_numeric *numeric = outcome.values.numeric;
    if (r->verdict != RD_HOLDS || r->hazards || r->violated || r->failed || r->truncated)
        fail_case(test, &outcome, "it does not hold");
    for (int o = 0; o < RD_OBLIGATION_COUNT; o++)
        assert_int_equal(r->obligations[o], RD_HOLDS);
    assert_int_equal(outcome.n_cells, cells_at_the_end(test, &outcome.shape));
    for (size_t i = 0; wanted && i < outcome.n_cells; i++) {
        rd_bits is = numeric->load(outcome.cells, i);
        uint64_t whole = wanted(&outcome.shape, &outcome.values, i);
        bool exact = numeric->type != RD_TYPE_F32 || whole < F32_WHOLE;
        if (exact && !numeric->same(is, numeric->from_u64(whole)))
            fail_case(test, &outcome, "A is not what it must be");
    }
    test_outcome_finish(&outcome);
}

struct test_case test_default(const char *name)
{
    const struct rd_program *program = rd_program_named(name);
    assert_non_null(program);
    return (struct test_case){.program = name,
                              .n = program->n,
                              .block = program->n_block,
                              .grid = program->n_grid,
                              .type = program->type,
                              .operation = program->operation,
                              .values = program->values};
}

struct test_case test_in_text(const char *name, size_t n, const char *values)
{
    struct test_case test = test_default(name);
    test.n = n;
    test.block = 0;
    test.values = values;
    return test;
}

void assert_launch(const struct test_case *test, const struct test_launch *wanted)
{
    struct test_outcome outcome;
    test_outcome(test, &outcome);
    if (outcome.result.verdict != RD_HOLDS)
        fail_case(test, &outcome, "it does not hold");
    const struct rd_round *round = &outcome.round;
    assert_int_equal(round->grid, wanted->grid);
    assert_int_equal(round->block, wanted->block);
    assert_int_equal(round->grid_y ? round->grid_y : 1, wanted->grid_y ? wanted->grid_y : 1);
    assert_int_equal(round->block_y ? round->block_y : 1, wanted->block_y ? wanted->block_y : 1);
    assert_end_cells(&outcome, wanted->cells);
    test_outcome_finish(&outcome);
}

void assert_twin_holds(const struct test_case *fault)
{
    struct test_case twin = *fault;
    const struct rd_shape shape = test_shape(fault);
    twin.program = rd_program_twin(rd_program_named(fault->program))->name;
    twin.block = shape.block;
    twin.grid = shape.grid;
    assert_ends_with(&twin, NULL);
}

static bool is_same_index(struct rd_index3 x, struct rd_index3 y)
{
    return x.x == y.x && x.y == y.y && x.z == y.z;
}

void assert_finding(const struct test_outcome *outcome, const struct test_finding *wanted)
{
    const struct test_finding *found = NULL;
    for (unsigned f = 0; f < outcome->n_findings && !found; f++) {
        const struct test_finding *one = &outcome->findings[f];
        if (strcmp(one->name, wanted->name) == 0 &&
            (!wanted->kind[0] || strcmp(one->kind, wanted->kind) == 0) &&
            (!wanted->array[0] || strcmp(one->array, wanted->array) == 0))
            found = one;
    }
    if (!found)
        fail_msg("no %s %s of %s is found", wanted->kind, wanted->name,
                 wanted->array[0] ? wanted->array : "any array");
    if (wanted->scope[0])
        assert_text(found->scope, wanted->scope);
    if (wanted->step)
        assert_int_equal(found->step, wanted->step);
    if (wanted->count)
        assert_int_equal(found->count, wanted->count);
    if (wanted->index_known) {
        assert_true(found->index_known);
        assert_int_equal(found->index, wanted->index);
    }
    if (wanted->n_places)
        assert_int_equal(found->n_places, wanted->n_places);
    for (unsigned p = 0; p < wanted->n_places; p++)
        if (!is_same_index(found->thread[p], wanted->thread[p]) ||
            !is_same_index(found->block[p], wanted->block[p]))
            fail_msg("place %u of %s is thread (%u,%u,%u) of block (%u,%u,%u)", p, wanted->name,
                     found->thread[p].x, found->thread[p].y, found->thread[p].z, found->block[p].x,
                     found->block[p].y, found->block[p].z);
}

void assert_found(const struct test_case *fault, const struct test_found *wanted)
{
    struct test_outcome outcome;
    assert_twin_holds(fault);
    if (!test_device_is_sim())
        return;
    test_outcome(fault, &outcome);
    assert_int_equal(outcome.result.verdict, RD_VIOLATED);
    assert_finding(&outcome, &wanted->finding);
    if (wanted->n_findings)
        assert_int_equal(outcome.n_findings, wanted->n_findings);
    if (wanted->is_right)
        assert_false(outcome.result.violated);
    if (wanted->cells)
        assert_end_cells(&outcome, wanted->cells);
    test_outcome_finish(&outcome);
}

/* ---- all shapes ---- */

static void assert_on_all_values(struct test_case *test, unsigned count, test_cell_of *wanted)
{
    const unsigned n_types = test_types(test->program);
    static const size_t grids[] = {0, 1, 3, 8, 33}; /* 0: the program's own */
    if (rd_program_named(test->program)->blocks)
        test->grid = grids[count % (sizeof grids / sizeof *grids)];
    if (test->n == 0 || !test_accepts(test))
        return;
    test->type = (enum rd_type)(count % n_types);
    test->frame = count % 2;
    const bool is_half = (int)test->type >= RD_HALVES_FIRST; /* few whole numbers are exact */
    test->values = count % 3 && !is_half ? "iota" : "ones";
    assert_ends_with(test, is_half ? NULL : wanted);
    test->type = (enum rd_type)((count + 4) % n_types); /* a float beside an integer */
    test->values = test_random_values(count);
    assert_ends_with(test, rd_numeric(test->type)->is_float ? NULL : wanted);
}

void assert_ends_with_for_all_shapes(const char *program, unsigned block_max, size_t n_max,
                                     test_cell_of *wanted)
{
    static const unsigned blocks[] = {1, 2, 3, 8, 31, 32, 33, 64, 96, 255, 256, 1000, 1024};
    unsigned count = 0;
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks && blocks[b] <= block_max; b++) {
        struct test_case test = {.program = program, .block = blocks[b], .alone = true};
        for (test.n = 1; test.n <= 40 && test.n <= n_max; test.n++, count++)
            if (test_is_due())
                assert_on_all_values(&test, count, wanted);
        for (size_t k = 1; k <= 4; k++)
            for (test.n = k * blocks[b] - 1; test.n <= k * blocks[b] + 1; test.n++, count++)
                if (test.n > 40 && test.n <= n_max && test_is_due())
                    assert_on_all_values(&test, count, wanted);
    }
}

void assert_ends_with_for_large_n(const char *program, unsigned block, test_cell_of *wanted)
{
    for (size_t n = (1 << 17) - 1; n <= (1 << 17) + 1; n++)
        assert_ends_with(
            &(struct test_case){.program = program, .n = n, .block = block, .type = RD_TYPE_U64},
            wanted);
}

/* ---- what cells contain ---- */

struct single {
    const struct rd_program *program;
    struct rd_shape shape;
    size_t j;  /* the only input that is not 0: */
    bool of_b; /* b[j], and a is all ones; else a[j], and b is */
};

static bool is_contained(const struct single *single, const struct rd_step *step, size_t i)
{
    if (!step->place)
        return (single->of_b ? rd_program_contains_b : rd_program_contains)(
            single->program, &single->shape, step->number, i, single->j);
    return (single->of_b ? rd_program_contains_b_at : rd_program_contains_at)(
        single->program, &single->shape, step->place, i, single->j);
}

static enum rd_status look_for_single(void *self, const struct rd_run *run,
                                      const struct rd_step *step, struct rd_error *error)
{
    const struct single *single = self;
    const struct rd_program *program = single->program;
    const uint64_t *cells = step->cells;
    (void)run, (void)error;
    if (single->of_b && step->number == 0)
        return RD_OK; /* there is nothing of b yet */
    for (size_t k = 0; k < step->claim.count; k++) {
        size_t i = k * step->claim.stride;
        bool contained = is_contained(single, step, i);
        if (cells[step->whole ? i : k] != contained)
            fail_msg("%s n=%zu block=%u: step %u%s: cell %zu is %llu, and %s input %zu",
                     program->name, single->shape.n, single->shape.block, step->number,
                     step->place ? ", at a checkpoint" : "", i,
                     (unsigned long long)cells[step->whole ? i : k],
                     contained ? "contains" : "does not contain", single->j);
    }
    return RD_OK;
}

/* Runs with each of `count` inputs alone, which are 0; of the other array all are 1. */
static void look_for_each(struct single *single, uint64_t *inputs, size_t count, const uint64_t *a,
                          const uint64_t *b)
{
    const struct rd_observer look = {.self = single, .step = look_for_single};
    const struct rd_observer *const observers[] = {&look, NULL};
    for (single->j = 0; single->j < count; single->j++) {
        struct rd_error error = {""};
        struct rd_result result;
        const struct rd_run run = {
            .program = single->program,
            .numeric = rd_numeric(RD_TYPE_U64),
            .n = single->shape.n,
            .a = a,
            .b = rd_program_has_b(single->program) ? b : NULL,
            .values = "ones",
            .block = single->shape.block,
            .blocks.all = true,
            .device = test_device(),
        };
        inputs[single->j] = 1;
        assert_int_equal(rd_run(&run, observers, &result, &error), RD_OK);
        assert_int_equal(result.verdict, RD_HOLDS);
        inputs[single->j] = 0;
    }
}

void assert_cells_are_what_they_contain(const char *name, size_t n, unsigned block)
{
    struct single single = {.program = rd_program_named(name)};
    single.shape = rd_program_shape(single.program, (struct rd_shape){.n = n, .block = block});
    size_t n_a = rd_program_inputs(single.program, &single.shape);
    size_t n_b = rd_program_inputs_b(single.program, &single.shape);
    uint64_t *memory = calloc(n_a + n_b, sizeof *memory), *a = memory, *b = memory + n_a;
    assert_non_null(memory);
    for (size_t j = 0; j < n_b; j++)
        b[j] = 1;
    look_for_each(&single, a, n_a, a, b);
    for (size_t j = 0; j < n_a; j++)
        a[j] = 1;
    memset(b, 0, n_b * sizeof *b);
    single.of_b = true;
    look_for_each(&single, b, n_b, a, b);
    free(memory);
}
