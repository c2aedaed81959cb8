// SPDX-License-Identifier: MIT
#include "harness_points.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct rd_program *program_of(const struct test_case *test)
{
    const struct rd_program *program = rd_program_named(test->program);
    assert_non_null(program);
    return program;
}

/* The k-th cell of the claim. */
static rd_bits live_cell(const struct rd_run *run, const struct rd_step *step, size_t k)
{
    return run->numeric->load(step->cells, step->whole ? k * step->claim.stride : k);
}

static void run_and_hold(const struct test_case *test, const struct rd_observer *observer)
{
    struct rd_values values;
    struct rd_result result;
    struct rd_error error = {""};
    if (test_run_observed(test, observer, &values, &result, &error) != RD_OK)
        fail_msg("%s: %s", test->program, error.text);
    if (result.verdict != RD_HOLDS)
        fail_msg("%s n=%zu block=%u grid=%zu: %s", test->program, test->n, test->block, test->grid,
                 rd_verdict_name(result.verdict));
    rd_values_finish(&values);
}

/* ---- checkpoints that are known ---- */

struct known {
    const struct test_checkpoint *wanted;
    unsigned met[64];
};

static enum rd_status compare_with_known(void *self, const struct rd_run *run,
                                         const struct rd_step *step, struct rd_error *error)
{
    struct known *known = self;
    (void)error;
    for (unsigned w = 0; step->place && known->wanted[w].cells; w++) {
        const struct test_checkpoint *it = &known->wanted[w];
        char row[512] = "", text[RD_VALUE_TEXT_SIZE];
        if (it->point != step->place->point || it->block != step->place->block ||
            it->warp != step->place->warp || it->variable != step->place->variable)
            continue;
        known->met[w]++;
        for (size_t k = 0; k < step->claim.count; k++) {
            size_t length = strlen(row);
            run->numeric->format(text, live_cell(run, step, k));
            snprintf(row + length, sizeof row - length, "%s%s", k ? " " : "", text);
        }
        assert_text(row, it->cells);
    }
    return RD_OK;
}

void assert_checkpoints(const struct test_case *test, const struct test_checkpoint *wanted)
{
    struct known known = {.wanted = wanted};
    const struct rd_observer observer = {.self = &known, .step = compare_with_known};
    run_and_hold(test, &observer);
    for (unsigned w = 0; wanted[w].cells; w++)
        if (known.met[w] != 1)
            fail_msg("%s: %u checkpoints are that of %s", test->program, known.met[w],
                     wanted[w].cells);
}

/* ---- the definition ---- */

struct definition {
    const struct rd_program *program;
    struct rd_shape shape;
    unsigned met[RD_POINT_COUNT];
};

static bool contains(const struct definition *d, const struct rd_step *step, size_t cell, size_t j)
{
    if (step->place)
        return rd_program_contains_at(d->program, &d->shape, step->place, cell, j);
    return rd_program_contains(d->program, &d->shape, step->number, cell, j);
}

static enum rd_status compare_with_definition(void *self, const struct rd_run *run,
                                              const struct rd_step *step, struct rd_error *error)
{
    struct definition *d = self;
    (void)error;
    if (step->place)
        d->met[step->place->point]++;
    for (size_t k = 0; k < step->claim.count; k++) {
        uint64_t sum = 0;
        for (size_t j = 0; j < run->n; j++)
            if (contains(d, step, k * step->claim.stride, j))
                sum += ((const uint64_t *)run->a)[j] *
                       (rd_program_has_b(d->program) ? ((const uint64_t *)run->b)[j] : 1);
        char statement[RD_STATEMENT_SIZE];
        if (live_cell(run, step, k) != sum)
            fail_msg(
                "%s n=%zu block=%u grid=%zu, \"%s\": cell %zu is %" PRIu64
                ", the definition says %" PRIu64,
                d->program->name, d->shape.n, d->shape.block, d->shape.grid,
                rd_step_statement(step, d->program, &d->shape, run->numeric->operation, statement),
                k * step->claim.stride, live_cell(run, step, k), sum);
    }
    return RD_OK;
}

void assert_points_are_definition(const struct test_case *test)
{
    struct definition d = {.program = program_of(test), .shape = test_shape(test)};
    const struct rd_observer observer = {.self = &d, .step = compare_with_definition};
    struct test_case random = *test;
    if (!test_is_due())
        return;
    random.type = RD_TYPE_U64;
    random.values = test_random_values(test->n);
    run_and_hold(&random, &observer);
    const struct rd_point_invariant *const *points = rd_program_points(d.program);
    for (unsigned p = 0; points[p]; p++)
        assert_true(d.met[points[p]->point] > 0 || d.shape.block <= RD_WARP_LANES);
}

struct partition {
    struct rd_shape shape;
    enum rd_point point;
    uint64_t variable;
    unsigned *holders;
};

static enum rd_status count_holders(void *self, const struct rd_run *run,
                                    const struct rd_step *step, struct rd_error *error)
{
    struct partition *p = self;
    (void)error;
    if (!step->place || step->place->point != p->point || step->place->variable != p->variable)
        return RD_OK;
    for (size_t k = 0; k < step->claim.count; k++)
        for (size_t j = 0; j < run->n; j++)
            p->holders[j] += rd_program_contains_at(run->program, &p->shape, step->place,
                                                    k * step->claim.stride, j);
    return RD_OK;
}

void assert_points_partition(const struct test_case *test, enum rd_point point, uint64_t variable)
{
    struct partition p = {.shape = test_shape(test), .point = point, .variable = variable};
    const struct rd_observer observer = {.self = &p, .step = count_holders};
    p.holders = calloc(test->n, sizeof *p.holders);
    assert_non_null(p.holders);
    run_and_hold(test, &observer);
    for (size_t j = 0; j < test->n; j++)
        if (p.holders[j] != 1)
            fail_msg("%s n=%zu block=%u grid=%zu: input %zu is in %u cells", test->program, test->n,
                     p.shape.block, p.shape.grid, j, p.holders[j]);
    free(p.holders);
}

/* ---- faults ---- */

void assert_broken(const struct test_case *test, const struct test_broken *wanted)
{
    struct rd_result r;
    struct rd_error error = {""};
    char expected[RD_VALUE_TEXT_SIZE], actual[RD_VALUE_TEXT_SIZE];
    const struct rd_violation *v = &r.violation;
    bool inside = wanted->point != RD_POINT_COUNT;
    assert_int_equal(test_run(test, &r, &error), RD_OK);
    assert_int_equal(r.verdict, RD_VIOLATED);
    assert_true(r.violated);
    assert_int_equal(v->kind, RD_VIOLATION_BITS);
    assert_int_equal(v->step, 1);
    assert_int_equal(v->inside, inside);
    if (inside) {
        assert_int_equal(v->place.point, wanted->point);
        assert_int_equal(v->place.block, wanted->block);
        assert_int_equal(v->place.warp, wanted->warp);
        assert_int_equal(v->place.variable, wanted->variable);
    }
    rd_numeric(test->type)->format(expected, v->expected);
    rd_numeric(test->type)->format(actual, v->actual);
    assert_int_equal(v->cell, wanted->cell);
    assert_text(expected, wanted->expected);
    assert_text(actual, wanted->actual);
    assert_int_equal(v->count, wanted->count);
}
