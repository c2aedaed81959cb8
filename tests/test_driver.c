// SPDX-License-Identifier: MIT
/* The driver: what it asserts, and that nothing escapes it. A device that flips bits stands for a
 * kernel that is wrong. */
#include "fake_device.h"
#include "harness.h"

#include <stdio.h>
#include <string.h>

/* ---- every bit counts ---- */

static void flip(struct fake *fake, unsigned step, size_t cell, const struct rd_numeric *numeric)
{
    fake_init(fake, test_device());
    fake->flips = true;
    fake->step = step;
    fake->cell = cell;
    fake->bit = (unsigned)(cell + 7 * step) % (8 * (unsigned)numeric->size_bytes);
}

/* One run with one bit flipped. */
static void check_flip(struct test_case *test, unsigned step, size_t cell, bool live)
{
    struct fake fake;
    struct rd_result r;
    struct rd_error error = {""};
    flip(&fake, step, cell, rd_numeric(test->type));
    test->device = &fake.device;
    assert_int_equal(test_run(test, &r, &error), RD_OK);
    assert_int_equal(fake.buffers, 0);
    assert_int_equal(fake.host_arrays, 0);
    assert_false(fake.misused);
    if (!live && !test->frame) {
        assert_int_equal(r.verdict, RD_HOLDS);
        assert_int_equal(fake.flipped, 0); /* nobody looked */
        return;
    }
    if (r.verdict != RD_VIOLATED || !r.violated || r.violation.step != step ||
        r.violation.cell != cell || r.violation.count != 1)
        fail_msg("%s n=%zu frame=%d: bit %u of A[%zu] flipped at step %u: %s, step %u, cell %zu",
                 test->program, test->n, test->frame, fake.bit, cell, step,
                 rd_verdict_name(r.verdict), r.violation.step, r.violation.cell);
    assert_int_equal(r.violation.kind, live ? RD_VIOLATION_BITS : RD_VIOLATION_FRAME);
    assert_int_equal(r.violation.expected ^ r.violation.actual, (rd_bits)1 << fake.bit);
    assert_int_equal(r.steps, step + 1);
    assert_int_equal(r.obligations[RD_INITIALIZATION], step == 0 ? RD_VIOLATED : RD_HOLDS);
    assert_int_equal(r.obligations[RD_PRESERVATION], step == 0 ? RD_INCONCLUSIVE : RD_VIOLATED);
    assert_int_equal(r.obligations[RD_EXIT], RD_INCONCLUSIVE);
}

static void check_all_flips(const char *name, size_t n, enum rd_type type)
{
    const struct rd_program *program = rd_program_named(name);
    unsigned rounds = rd_program_rounds(program, SHAPE(n));
    for (unsigned step = 0; step <= rounds; step++) {
        struct rd_claim claim;
        rd_program_claim(program, SHAPE(n), step, &claim);
        for (size_t cell = 0; cell < n; cell++) {
            bool live = cell % claim.stride == 0 && cell / claim.stride < claim.count;
            struct test_case test = {.program = name, .n = n, .type = type};
            test.values = test_random_values(cell);
            check_flip(&test, step, cell, live);
            test.frame = true;
            check_flip(&test, step, cell, live);
        }
    }
}

static void test_flip_of_any_bit_in_any_cell_at_any_step_is_caught(void **state)
{
    static const struct {
        const char *program;
        size_t n[4];
    } cases[] = {
        {"fold", {1, 2, 8, 32}},       {"fold-guard", {3, 6, 17, 33}},
        {"fold-ceil", {3, 5, 17, 33}}, {"tournament", {3, 8, 17, 33}},
        {"unfold", {1, 2, 8, 16}},     {"multiply", {1, 3, 8, 33}},
        {"dot-fold", {1, 2, 8, 16}},   {"dot-tournament", {1, 3, 7, 17}},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int i = 0; i < 4; i++) {
            enum rd_type type = (enum rd_type)((c + (size_t)i) % test_types(cases[c].program));
            bool inexact = strcmp(cases[c].program, "unfold") == 0 && rd_numeric(type)->is_float;
            check_all_flips(cases[c].program, cases[c].n[i], inexact ? RD_TYPE_U64 : type);
        }
}

static void test_flip_is_caught_in_each_bit_of_each_type(void **state)
{
    (void)state;
    for (unsigned type = 0; type < RD_TYPE_COUNT; type++) {
        const struct rd_numeric *numeric = rd_numeric((enum rd_type)type);
        for (unsigned bit = 0; bit < 8 * numeric->size_bytes; bit++) {
            struct fake fake;
            struct rd_result r;
            struct test_case test = {.program = "fold", .n = 8, .type = (enum rd_type)type};
            flip(&fake, 2, 1, numeric);
            fake.bit = bit;
            test.device = &fake.device;
            assert_int_equal(test_run(&test, &r, NULL), RD_OK);
            assert_int_equal(r.verdict, RD_VIOLATED);
            assert_int_equal(r.violation.cell, 1);
        }
    }
}

/* Arrays that are compared by several threads, and copied in several chunks. */
static void test_flip_in_a_large_array_is_caught_at_its_cell(void **state)
{
    static const struct {
        const char *program;
        size_t n, cell;
        unsigned step;
        bool frame;
    } cases[] = {
        {"fold", (size_t)1 << 18, 131071, 1, false}, {"fold", (size_t)1 << 18, 0, 1, true},
        {"fold", (size_t)1 << 18, 262143, 3, true},  {"fold-ceil", 1500001, 1499999, 0, false},
        {"fold-ceil", 1500001, 1048576, 0, true},    {"fold-ceil", 1500001, 1048575, 0, true},
        {"fold-ceil", 1500001, 1048576, 2, true},    {"tournament", 2500001, 2500000, 1, false},
        {"tournament", 2500001, 2097152, 1, false},  {"tournament", 2500001, 2097152, 1, true},
        {"tournament", 2500001, 2097150, 1, true},   {"tournament", 2500001, 2097153, 1, true},
        {"tournament", 2500001, 0, 21, true}, /* a stride of more than a chunk */
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct test_case test = {.program = cases[c].program, .n = cases[c].n};
        struct rd_claim claim;
        rd_program_claim(rd_program_named(test.program), SHAPE(test.n), cases[c].step, &claim);
        test.type = c % 2 ? RD_TYPE_F32 : RD_TYPE_I32;
        test.frame = cases[c].frame;
        test.unexplained = true;
        check_flip(&test, cases[c].step, cases[c].cell,
                   cases[c].cell % claim.stride == 0 && cases[c].cell / claim.stride < claim.count);
    }
}

static void test_flips_are_counted_and_the_first_is_named(void **state)
{
    struct rd_result r;
    (void)state;
    assert_int_equal(test_run(&(struct test_case){.program = "fold:wrong-half", .n = 8}, &r, NULL),
                     RD_OK);
    assert_int_equal(r.violation.count, 4);
    assert_int_equal(r.violation.cell, 0);
}

/* ---- what is counted ---- */

static void test_run_counts_steps_and_live_cells(void **state)
{
    static const struct {
        const char *program;
        size_t n;
        unsigned steps;
        uint64_t cells;
    } cases[] = {
        {"fold", 8, 4, 15},      {"fold", 1, 1, 1},        {"fold-guard", 6, 4, 13},
        {"fold-ceil", 5, 4, 11}, {"tournament", 8, 4, 15}, {"tournament", 3, 3, 6},
        {"unfold", 8, 4, 32},    {"multiply", 8, 2, 16},   {"dot-fold", 8, 5, 23},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int frame = 0; frame < 2; frame++) {
            struct rd_result r;
            assert_int_equal(test_run(&(struct test_case){.program = cases[c].program,
                                                          .n = cases[c].n,
                                                          .frame = frame},
                                      &r, NULL),
                             RD_OK);
            assert_int_equal(r.steps, cases[c].steps);
            assert_int_equal(r.cells, cases[c].cells);
        }
}

static void test_run_asserts_each_step_and_says_so(void **state)
{
    struct test_record record;
    (void)state;
    test_record(&(struct test_case){.program = "tournament", .n = 7, .frame = true}, &record);
    assert_int_equal(record.begins, 1);
    assert_int_equal(record.ends, 1);
    assert_int_equal(record.n_steps, 4);
    for (unsigned s = 0; s < record.n_steps; s++) {
        const struct test_step *step = &record.steps[s];
        assert_int_equal(step->number, s);
        assert_int_equal(step->has_round, s > 0);
        assert_int_equal(step->verdict, RD_HOLDS);
        assert_int_equal(step->n_asserted, step->claim.count);
        assert_int_equal(step->n_unbounded, 0);
        assert_true(step->whole);
        assert_int_equal(step->n_cells, 7);
        assert_false(step->violated);
        if (step->has_round) {
            assert_int_equal(step->round.number, s);
            assert_text(step->round.width_name, "D");
            assert_int_equal(step->round.width, 1u << (s - 1));
        }
    }
    assert_memory_equal(&record.ended, &record.result, sizeof record.result);
    test_record_finish(&record);
}

/* ---- blocks and sizes ---- */

static void test_block_of_0_is_256_and_small_rounds_take_less(void **state)
{
    struct test_record record;
    (void)state;
    test_record(&(struct test_case){.program = "fold", .n = 2048}, &record);
    assert_int_equal(record.steps[1].round.block, 256);
    assert_int_equal(record.steps[1].round.grid, 4);
    assert_int_equal(record.steps[3].round.block, 256);
    assert_int_equal(record.steps[3].round.grid, 1);
    assert_int_equal(record.steps[5].round.block, 64);
    assert_int_equal(record.steps[5].round.grid, 1);
    test_record_finish(&record);
}

static void test_block_above_the_limit_is_refused_before_anything_happens(void **state)
{
    struct fake fake;
    struct test_case test = {.program = "fold", .n = 8, .block = 1024};
    (void)state;
    assert_holds(&test);
    fake_init(&fake, test_device());
    test.device = &fake.device;
    test.block = 1025;
    assert_refused(&test, "'block' is 1025");
    assert_refused(&test, "1024");
    assert_int_equal(fake.calls, 0);
}

static void test_schedules_above_the_limit_are_refused_before_anything_happens(void **state)
{
    struct fake fake;
    struct test_case test = {.program = "fold", .n = 8, .n_schedules = RD_SCHEDULES_MAX};
    (void)state;
    assert_holds(&test);
    fake_init(&fake, test_device());
    test.device = &fake.device;
    test.n_schedules = RD_SCHEDULES_MAX + 1;
    assert_refused(&test, "'n_schedules' is 65");
    assert_int_equal(fake.calls, 0);
}

static enum rd_status count_begin(void *self, const struct rd_run *run, struct rd_error *error)
{
    (void)run, (void)error;
    ++*(unsigned *)self;
    return RD_OK;
}

static void test_n_of_0_is_refused_and_nobody_is_told(void **state)
{
    unsigned begun = 0;
    const struct rd_observer observer = {.self = &begun, .begin = count_begin};
    struct rd_error error = {""};
    struct rd_result result;
    (void)state;
    for (const struct rd_program *const *p = rd_programs; *p; p++) {
        int32_t none;
        const struct rd_run run = {
            .program = *p,
            .numeric = rd_numeric(RD_TYPE_I32),
            .a = &none,
            .b = &none,
            .values = "",
            .device = test_device(),
        };
        assert_int_equal(
            rd_run(&run, (const struct rd_observer *const[]){&observer, NULL}, &result, &error),
            RD_ERROR_USAGE);
        assert_contains(error.text, "'n' is 0");
    }
    assert_int_equal(begun, 0);
}

/* ---- going on, and the obligations ---- */

static void test_run_stops_at_the_first_violated_step(void **state)
{
    struct test_record record;
    (void)state;
    test_record(&(struct test_case){.program = "fold:wrong-half", .n = 8}, &record);
    assert_int_equal(record.n_steps, 2);
    assert_true(record.steps[1].violated);
    assert_memory_equal(&record.steps[1].violation, &record.result.violation,
                        sizeof record.result.violation);
    test_record_finish(&record);
}

static void test_run_that_goes_on_keeps_the_first_violation(void **state)
{
    struct test_record record;
    (void)state;
    test_record(&(struct test_case){.program = "fold:wrong-half", .n = 8, .go_on = true}, &record);
    assert_int_equal(record.status, RD_OK);
    assert_int_equal(record.n_steps, 4);
    assert_int_equal(record.result.steps, 4);
    assert_int_equal(record.result.cells, 15);
    assert_int_equal(record.result.violation.step, 1);
    assert_true(record.steps[3].violated);
    assert_int_equal(record.steps[3].violation.step, 3);
    assert_int_equal(record.result.verdict, RD_VIOLATED);
    assert_int_equal(record.result.obligations[RD_INITIALIZATION], RD_HOLDS);
    assert_int_equal(record.result.obligations[RD_PRESERVATION], RD_VIOLATED);
    assert_int_equal(record.result.obligations[RD_EXIT], RD_INCONCLUSIVE);
    assert_true(record.result.explained);
    test_record_finish(&record);
}

/* A step that comes out right again does not undo what was violated before it. */
static void test_run_that_goes_on_stays_violated(void **state)
{
    struct fake fake;
    struct test_record record;
    struct test_case test = {.program = "fold", .n = 16, .go_on = true};
    (void)state;
    for (unsigned step = 0; step <= 4; step++) {
        flip(&fake, step, 0, rd_numeric(RD_TYPE_I32));
        test.device = &fake.device;
        test_record(&test, &record);
        assert_int_equal(record.n_steps, 5);
        for (unsigned s = 0; s < 5; s++)
            assert_int_equal(record.steps[s].verdict, s == step ? RD_VIOLATED : RD_HOLDS);
        assert_int_equal(record.result.verdict, RD_VIOLATED);
        assert_int_equal(record.result.violation.step, step);
        assert_int_equal(record.result.obligations[RD_INITIALIZATION],
                         step == 0 ? RD_VIOLATED : RD_HOLDS);
        assert_int_equal(record.result.obligations[RD_PRESERVATION],
                         step == 0 ? RD_HOLDS : RD_VIOLATED);
        assert_int_equal(record.result.obligations[RD_EXIT], RD_INCONCLUSIVE);
        test_record_finish(&record);
    }
}

/* The caller that makes the passes explains their finds: once, not pass by pass. */
static void test_run_that_is_a_pass_is_not_explained(void **state)
{
    struct test_case test = {.program = "fold:wrong-half", .n = 8};
    struct rd_result r;
    (void)state;
    assert_int_equal(test_run(&test, &r, NULL), RD_OK);
    assert_true(r.explained);
    test.unexplained = true;
    assert_int_equal(test_run(&test, &r, NULL), RD_OK);
    assert_true(r.violated);
    assert_false(r.explained);
}

/* A hazard of no round leaves open what holds; what is violated stays so. */
static void test_run_behind_a_hazard_leaves_open_what_holds(void **state)
{
    const char *const programs[] = {"fold", "fold:wrong-half"};
    const int32_t a[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        struct rd_result r;
        const struct rd_run run = {
            .size = sizeof run,
            .program = rd_program_named(programs[k]),
            .numeric = rd_numeric(RD_TYPE_I32),
            .n = 8,
            .a = a,
            .device = test_device(),
            .undefined_by = "race at fold.cu:12:9",
        };
        assert_int_equal(rd_run(&run, NULL, &r, NULL), RD_OK);
        assert_int_equal(r.verdict, k == 0 ? RD_INCONCLUSIVE : RD_VIOLATED);
        assert_int_equal(r.obligations[RD_INITIALIZATION], RD_INCONCLUSIVE);
        assert_int_equal(r.obligations[RD_PRESERVATION], k == 0 ? RD_INCONCLUSIVE : RD_VIOLATED);
        assert_int_equal(r.obligations[RD_EXIT], RD_INCONCLUSIVE);
        assert_string_equal(r.undefined_by, "race at fold.cu:12:9");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flip_of_any_bit_in_any_cell_at_any_step_is_caught),
        cmocka_unit_test(test_flip_is_caught_in_each_bit_of_each_type),
        cmocka_unit_test(test_flip_in_a_large_array_is_caught_at_its_cell),
        cmocka_unit_test(test_flips_are_counted_and_the_first_is_named),
        cmocka_unit_test(test_run_counts_steps_and_live_cells),
        cmocka_unit_test(test_run_asserts_each_step_and_says_so),
        cmocka_unit_test(test_block_of_0_is_256_and_small_rounds_take_less),
        cmocka_unit_test(test_block_above_the_limit_is_refused_before_anything_happens),
        cmocka_unit_test(test_schedules_above_the_limit_are_refused_before_anything_happens),
        cmocka_unit_test(test_n_of_0_is_refused_and_nobody_is_told),
        cmocka_unit_test(test_run_stops_at_the_first_violated_step),
        cmocka_unit_test(test_run_that_goes_on_keeps_the_first_violation),
        cmocka_unit_test(test_run_that_goes_on_stays_violated),
        cmocka_unit_test(test_run_that_is_a_pass_is_not_explained),
        cmocka_unit_test(test_run_behind_a_hazard_leaves_open_what_holds),
    };
    return cmocka_run_group_tests_name("driver", tests, test_set_up, test_tear_down) != 0;
}
