// SPDX-License-Identifier: MIT
/* Witness values: that a cell's value names the inputs in it, and that what is wrong with a cell is
 * explained by just the inputs that are. */
#include "fake_device.h"
#include "harness.h"
#include "reductio/witness.h"
#include "short_run.h"

#include <string.h>

static const char *const right[] = {"fold",       "fold-guard", "fold-ceil", "unfold",
                                    "tournament", "multiply",   "dot-fold",  "dot-tournament"};
enum { RIGHT = sizeof right / sizeof *right };

static struct rd_run run_of(const char *program, size_t n, bool frame)
{
    return (struct rd_run){
        .program = rd_program_named(program),
        .numeric = rd_numeric(RD_TYPE_U64),
        .n = n,
        .values = "witness",
        .frame = frame,
        .device = test_device(),
    };
}

/* ---- the plan ---- */

static void test_plan_has_digits_for_every_input_and_every_repeat(void **state)
{
    (void)state;
    for (const struct rd_program *const *p = rd_programs; *p; p++)
        for (size_t n = 1; n <= 5000; n = n < 300 ? n + 1 : n * 2 - n / 3) {
            struct rd_witness_plan plan;
            const struct rd_shape shape = rd_program_shape(*p, (struct rd_shape){.n = n});
            if (rd_program_accept(*p, &shape, NULL) != RD_OK)
                continue;
            size_t inputs = rd_program_inputs(*p, &shape);
            rd_witness_plan(*p, &shape, RD_OPERATION_SUM, &plan);
            assert_true(plan.digit_bits >= rd_program_rounds(*p, &shape) + 2);
            assert_true(plan.per_pass >= 1 && plan.per_pass * plan.digit_bits <= 64);
            assert_true(plan.passes_a * plan.per_pass >= inputs);
            assert_true((plan.passes_a - 1) * plan.per_pass < inputs);
            size_t inputs_b = rd_program_inputs_b(*p, &shape),
                   passes_b = plan.passes - plan.passes_a;
            assert_true(passes_b * plan.per_pass >= inputs_b);
            assert_true(passes_b == 0 || (passes_b - 1) * plan.per_pass < inputs_b);
        }
}

static void test_fill_gives_each_input_a_digit_in_one_pass(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 200; n++) {
        struct rd_witness_plan plan;
        uint64_t a[201];
        unsigned found[200] = {0};
        rd_witness_plan(rd_program_named("tournament"), SHAPE(n), RD_OPERATION_SUM, &plan);
        a[n] = 77; /* not for fill to touch */
        for (unsigned pass = 1; pass <= plan.passes; pass++) {
            uint64_t all = 0;
            memset(a, 0xff, n * sizeof *a);
            rd_witness_fill(&plan, pass, n, a);
            for (size_t j = 0; j < n; j++) {
                assert_true((all & a[j]) == 0);
                all |= a[j];
                if (a[j] == 0)
                    continue;
                found[j]++;
                assert_int_equal(rd_witness_count(&plan, j, a[j]), 1);
                assert_int_equal(rd_witness_count(&plan, j, 3 * a[j]), 3);
                assert_int_equal((pass - 1) * plan.per_pass <= j && j < pass * plan.per_pass, 1);
            }
            for (size_t j = (pass - 1) * plan.per_pass; j < pass * plan.per_pass && j < n; j++)
                assert_int_equal(rd_witness_count(&plan, j, all), 1);
        }
        for (size_t j = 0; j < n; j++)
            assert_int_equal(found[j], 1);
        assert_int_equal(a[n], 77);
    }
}

/* ---- running ---- */

static void test_run_holds_for_every_input_of_right_programs(void **state)
{
    (void)state;
    for (int p = 0; p < RIGHT; p++)
        for (size_t n = 1; n <= 65; n += n < 18 || n == 31 || n >= 63 ? 1 : n == 32 ? 31 : 13) {
            struct rd_run run = run_of(right[p], n, n % 2);
            struct rd_witness_plan plan;
            struct rd_result r;
            struct rd_error error = {""};
            if (!test_accepts_n(right[p], n))
                continue;
            rd_witness_plan(run.program, SHAPE(n), RD_OPERATION_SUM, &plan);
            if (rd_witness_run(&run, NULL, &r, &error) != RD_OK)
                fail_msg("%s n=%zu: %s", right[p], n, error.text);
            if (r.verdict != RD_HOLDS)
                fail_msg("%s n=%zu: %s at step %u", right[p], n, rd_verdict_name(r.verdict),
                         r.violation.step);
            assert_int_equal(r.obligations[RD_EXIT], RD_HOLDS);
            assert_int_equal(r.steps, rd_program_rounds(run.program, SHAPE(n)) + 1);
            uint64_t cells = 0; /* of one pass */
            for (unsigned step = 0; step < r.steps; step++) {
                struct rd_claim claim;
                rd_program_claim(run.program, SHAPE(n), step, &claim);
                cells += claim.count;
            }
            assert_int_equal(r.cells, cells * plan.passes);
            assert_int_equal(r.premise.passes, 142);
            assert_int_equal(r.premise.n_compared, 16);
            assert_text(r.premise.dependence, "");
            assert_null(r.premise.numeric);
        }
}

/* The evidence is known if `step` is 0 .. 2; at large n it depends on the pass that shows it. */
static void test_run_is_violated_for_lessons(void **state)
{
    static const struct {
        const char *program;
        size_t n;
        unsigned step;
        const char *lost, *extra;
    } faults[] = {
        {"fold:inclusive-bound", 8, 1, "{0}", "{}"},
        {"fold:tournament-table", 8, 1, "{1}", "{4}"},
        {"fold:missing-guard", 8, 2, "{}", "{4}"},
        {"fold:wrong-half", 8, 1, "{4}", "{3}"},
        {"fold-ceil:floor", 6, 2, "{2,5}", "{1,4}"},
        {"tournament:interval", 8, 0, "{}", "{1}"},
        {"tournament:lost-tail", 3, 2, "{2}", "{}"},
        {"tournament:stride-one", 8, 2, "{2,3}", "{1}"},
        {"tournament:stride-one", 3000, 2, "{2,3}", "{1}"},
        {"fold:inclusive-bound", 4096, 0, NULL, NULL},
        {"fold:tournament-table", 1024, 0, NULL, NULL},
        {"fold:missing-guard", 1024, 0, NULL, NULL},
        {"fold:wrong-half", 4096, 0, NULL, NULL},
        {"fold-ceil:floor", 4095, 0, NULL, NULL},
        {"fold-ceil:floor", 1536, 0, NULL, NULL},
        {"tournament:interval", 300, 0, NULL, NULL},
        {"tournament:lost-tail", 4095, 0, NULL, NULL},
    };
    char text[256];
    (void)state;
    for (size_t l = 0; l < sizeof faults / sizeof *faults; l++) {
        struct rd_run run = run_of(faults[l].program, faults[l].n, true);
        struct rd_result r;
        if (!test_device_is_sim() && strcmp(faults[l].program, "fold:missing-guard") == 0)
            continue; /* a race */
        assert_int_equal(rd_witness_run(&run, NULL, &r, NULL), RD_OK);
        if (!faults[l].lost && !r.violated && r.verdict == RD_VIOLATED && r.hazards > 0)
            continue; /* found out by a hazard, in a pass whose inputs it did not touch */
        if (r.verdict != RD_VIOLATED || !r.explained ||
            (faults[l].lost && r.violation.step != faults[l].step))
            fail_msg("%s n=%zu: %s at step %u", faults[l].program, faults[l].n,
                     rd_verdict_name(r.verdict), r.violation.step);
        if (!faults[l].lost)
            continue;
        assert_text(rd_input_set_text(&r.evidence.lost, text, sizeof text), faults[l].lost);
        assert_text(rd_input_set_text(&r.evidence.extra, text, sizeof text), faults[l].extra);
    }
}

static void test_run_refuses_what_the_program_refuses(void **state)
{
    struct rd_run run = run_of("fold", 12, false);
    struct rd_result r;
    struct rd_error error = {""};
    (void)state;
    assert_int_equal(rd_witness_run(&run, NULL, &r, &error), RD_ERROR_USAGE);
    assert_contains(error.text, "'n' is 12");
    run.n = 0;
    assert_int_equal(rd_witness_run(&run, NULL, &r, &error), RD_ERROR_USAGE);
    assert_contains(error.text, "'n' is 0");
}

static void test_run_passes_a_failing_device_on(void **state)
{
    (void)state;
    for (unsigned k = 1; k <= 40; k += 3) {
        struct rd_run run = run_of("tournament", 33, false);
        struct rd_result r;
        struct rd_error error = {""};
        struct fake fake;
        fake_init(&fake, test_device());
        fake.fail_at = k;
        fake.fail_with = RD_ERROR_DEVICE;
        run.device = &fake.device;
        assert_int_equal(rd_witness_run(&run, NULL, &r, &error), RD_ERROR_DEVICE);
        assert_contains(error.text, "failed as call");
        assert_int_equal(fake.buffers, 0);
        assert_int_equal(fake.host_arrays, 0);
    }
}

/* ---- a cell's value names the inputs in it ---- */

static enum rd_status count_pass(void *self, const struct rd_run *run, const struct rd_step *step,
                                 struct rd_error *error)
{
    (void)step, (void)error;
    *(unsigned *)self = (unsigned)run->pass;
    return RD_OK;
}

static enum rd_status check_digits(void *self, const struct rd_run *run, const struct rd_step *step,
                                   struct rd_error *error)
{
    struct rd_witness_plan plan;
    unsigned *passes = self;
    (void)error;
    rd_witness_plan(run->program, SHAPE(run->n), RD_OPERATION_SUM, &plan);
    assert_int_equal(run->passes, plan.passes);
    assert_int_equal(run->digit_bits, plan.digit_bits);
    assert_true(run->pass >= 1 && run->pass <= run->passes);
    *passes = run->pass;
    bool of_b = run->pass > plan.passes_a;
    size_t first = (run->pass - 1 - (of_b ? plan.passes_a : 0)) * plan.per_pass;
    if (of_b && step->number == 0)
        return RD_OK; /* there is nothing of b yet; a is all ones */
    for (size_t k = 0; k < step->claim.count; k++) {
        size_t cell = k * step->claim.stride;
        uint64_t value = run->numeric->load(step->cells, step->whole ? cell : k);
        for (size_t j = first; j < first + plan.per_pass && j < run->n; j++)
            assert_int_equal(rd_witness_count(&plan, j, value),
                             (of_b ? rd_program_contains_b : rd_program_contains)(
                                 run->program, SHAPE(run->n), step->number, cell, j));
    }
    return RD_OK;
}

static void test_kernel_that_passes_over_b_is_caught(void **state)
{
    struct rd_program program = *rd_program_named("multiply");
    (void)state;
    /* Leaves A as it is, as no cell has a partner: right where b is all ones. */
    program.launch = "fold_guard(A, n, n) by n threads";
    for (size_t n = 1; n <= 65; n++) {
        struct rd_run run = run_of("multiply", n, n % 2);
        struct rd_witness_plan plan;
        struct rd_result r;
        unsigned passes = 0;
        const struct rd_observer count = {.self = &passes, .step = count_pass};
        run.program = &program;
        rd_witness_plan(&program, SHAPE(n), RD_OPERATION_SUM, &plan);
        assert_int_equal(
            rd_witness_run(&run, (const struct rd_observer *const[]){&count, NULL}, &r, NULL),
            RD_OK);
        /* The only digit of one input is 1: a run on other values tells. */
        assert_int_equal(r.verdict, RD_VIOLATED);
        assert_int_equal(passes, n > 1 ? plan.passes_a + 1 : 0);
        assert_false(r.explained);
    }
}

static void test_digits_of_a_cell_are_the_set_that_the_definition_says(void **state)
{
    static const size_t sizes[] = {1, 2, 3, 5, 8, 16, 31, 32, 33, 64, 100};
    (void)state;
    for (int p = 0; p < RIGHT; p++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            unsigned passes = 0;
            const struct rd_observer observer = {.self = &passes, .step = check_digits};
            struct rd_run run = run_of(right[p], sizes[s], s % 2);
            struct rd_witness_plan plan;
            struct rd_result r;
            if (!test_accepts_n(right[p], sizes[s]))
                continue;
            assert_int_equal(rd_witness_run(&run,
                                            (const struct rd_observer *const[]){&observer, NULL},
                                            &r, NULL),
                             RD_OK);
            rd_witness_plan(run.program, SHAPE(run.n), RD_OPERATION_SUM, &plan);
            assert_int_equal(passes, plan.passes); /* all of them were seen */
        }
}

/* ---- other operations ---- */

static const char *const over[] = {"fold-guard", "tournament", "ladder-first-add",
                                   "ladder-shuffles-twice", "ladder-vectorised"};
enum { OVER = sizeof over / sizeof *over };

/* By what the law says, each cell holds just the inputs that are marked in it. */
static enum rd_status check_marks(void *self, const struct rd_run *run, const struct rd_step *step,
                                  struct rd_error *error)
{
    const struct rd_shape shape = rd_run_shape(run);
    struct rd_witness_plan plan;
    (void)error;
    rd_witness_plan(run->program, &shape, run->numeric->operation, &plan);
    *(unsigned *)self = run->pass == plan.passes;
    for (size_t k = 0; k < step->claim.count; k++) {
        const size_t cell = k * step->claim.stride, first = (run->pass - 1) * plan.per_pass;
        const uint64_t value = run->numeric->load(step->cells, step->whole ? cell : k);
        for (size_t j = first; j < first + plan.per_pass && j < run->n; j++)
            assert_int_equal(
                rd_witness_count(&plan, j, value),
                step->place ? rd_program_contains_at(run->program, &shape, step->place, cell, j)
                            : rd_program_contains(run->program, &shape, step->number, cell, j));
    }
    return RD_OK;
}

static void test_each_operation_tells_the_inputs_of_a_cell(void **state)
{
    (void)state;
    for (unsigned op = RD_OPERATION_SUM + 1; op < RD_SELECTING_FIRST; op++)
        for (unsigned p = op % short_run_step(3); p < OVER; p += short_run_step(3))
            for (size_t n = 1; n <= 70; n += n == 1 ? 12 : 57) {
                unsigned ended = 0;
                const struct rd_observer observer = {.self = &ended, .step = check_marks};
                struct rd_run run = run_of(over[p], n, false);
                struct rd_result r;
                run.numeric = rd_numeric_over(RD_TYPE_U64, (enum rd_operation)op);
                run.block = 34;
                assert_int_equal(
                    rd_witness_run(&run, (const struct rd_observer *const[]){&observer, NULL}, &r,
                                   NULL),
                    RD_OK);
                if (r.verdict != RD_HOLDS || !ended)
                    fail_msg("%s of %s n=%zu: %s", over[p], run.numeric->title, n,
                             rd_verdict_name(r.verdict));
                assert_int_equal(r.premise.passes, 142);
                assert_int_equal(r.premise.n_compared, 16);
                assert_false(r.premise.has_comparisons);
            }
}

static void test_faults_are_violated_with_marks_of_each_operation(void **state)
{
    static const char *const faults[] = {"fold:wrong-half", "fold-ceil:floor",
                                         "fold-guard:zero-identity"};
    (void)state;
    for (unsigned op = RD_OPERATION_SUM + 1; op < RD_SELECTING_FIRST; op++)
        for (int f = 0; f < 3; f++) {
            struct rd_run run = run_of(faults[f], f == 0 ? 8 : 6, true);
            struct rd_result r;
            /* 0 changes nothing of them */
            const bool hidden = f == 2 && (op == RD_OPERATION_OR || op == RD_OPERATION_XOR);
            run.numeric = rd_numeric_over(RD_TYPE_U64, (enum rd_operation)op);
            assert_int_equal(rd_witness_run(&run, NULL, &r, NULL), RD_OK);
            if ((r.verdict == RD_VIOLATED) == hidden)
                fail_msg("%s of %s: %s", faults[f], run.numeric->title, rd_verdict_name(r.verdict));
        }
}

/* ---- explaining ---- */

/* The set is those inputs that A[from] holds at a step, or none. */
static void assert_holds_inputs(const struct rd_input_set *set, const struct rd_run *run,
                                unsigned step, size_t from, bool none)
{
    size_t count = 0;
    for (size_t j = 0; j < run->n; j++) {
        bool in = !none && rd_program_contains(run->program, SHAPE(run->n), step, from, j);
        count += in;
        if (count <= RD_INPUT_SET_MAX)
            assert_int_equal(rd_input_set_times(set, j), in);
    }
    assert_int_equal(set->count, count);
}

/* Before round `round` a device loses, or doubles, what A[cell] holds; the round moves it on. */
static void check_planted(const char *program, size_t n, unsigned round, size_t cell, bool twice)
{
    struct rd_run run = run_of(program, n, false);
    struct rd_claim claim;
    struct rd_result r;
    struct rd_error error = {""};
    struct fake fake;
    struct rd_values values;
    assert_int_equal(
        rd_values_init(&values, run.numeric, "random:9", n, n, rd_program_has_b(run.program), NULL),
        RD_OK);
    run.a = values.a;
    run.b = values.b;
    fake_init(&fake, test_device());
    fake.fault = twice ? FAKE_DOUBLES_CELL : FAKE_DROPS_CELL;
    fake.round = round;
    fake.fault_cell = cell;
    run.device = &fake.device;
    if (rd_run(&run, NULL, &r, &error) != RD_OK)
        fail_msg("%s", error.text);
    assert_int_equal(r.verdict, RD_VIOLATED);
    assert_int_equal(r.violation.step, round);
    assert_true(r.explained);
    assert_false(r.evidence.partial);
    assert_int_equal(r.evidence.cell, r.violation.cell);
    assert_int_equal(r.evidence.step, round);
    rd_program_claim(run.program, SHAPE(n), round, &claim);
    assert_true(r.violation.cell / claim.stride < claim.count);
    assert_holds_inputs(&r.evidence.lost, &run, round - 1, cell, twice);
    assert_holds_inputs(&r.evidence.extra, &run, round - 1, cell, !twice);
    assert_holds_inputs(&r.evidence.expected, &run, round, r.violation.cell, false);
    assert_int_equal(fake.buffers, 0);
    rd_values_finish(&values);
}

static void test_explanation_of_a_planted_fault_is_exact(void **state)
{
    (void)state;
    for (int twice = 0; twice < 2; twice++) {
        for (size_t cell = 0; cell < 16; cell++) {
            check_planted("fold", 32, 2, cell, twice);
            check_planted("fold-ceil", 31, 2, cell, twice);
            check_planted("fold-guard", 27, 2, cell, twice);
            check_planted("tournament", 27, 2, cell < 14 ? 2 * cell : 0, twice);
        }
        check_planted("fold", 4096, 1, 4095, twice);
        check_planted("fold", 4096, 4, 300, twice);
        check_planted("fold", 4096, 5, 255, twice);
        check_planted("fold-ceil", 4095, 4, 511, twice);
        check_planted("tournament", 4095, 1, 4094, twice);
        check_planted("tournament", 4095, 5, 4080, twice);
        check_planted("dot-fold", 1024, 2, 1023, twice);
        check_planted("dot-tournament", 1000, 4, 992, twice);
    }
}

/* The set in a cell is told in full, or as a part: never more than is known. */
static void check_lost_half(size_t n)
{
    struct rd_run run = run_of("tournament", n, false);
    struct rd_result r;
    struct fake fake;
    struct rd_values values;
    unsigned rounds = rd_program_rounds(run.program, SHAPE(n));
    size_t half = (size_t)1 << (rounds - 1); /* the last round is left out: half .. n are lost */
    assert_int_equal(rd_values_init(&values, run.numeric, "random:9", n, n, false, NULL), RD_OK);
    run.a = values.a;
    fake_init(&fake, test_device());
    fake.fault = FAKE_SKIPS_ROUND;
    fake.round = rounds;
    run.device = &fake.device;
    assert_int_equal(rd_run(&run, NULL, &r, NULL), RD_OK);
    assert_int_equal(r.violation.step, rounds);
    assert_true(r.explained);
    assert_int_equal(r.evidence.extra.count, 0);
    assert_int_equal(r.evidence.expected.count, n);
    if (!r.evidence.partial) {
        assert_int_equal(r.evidence.lost.count, n - half);
        if (r.evidence.actual.count != half)
            fail_msg("n=%zu: A[0] holds %zu inputs, and is said to hold %zu", n, half,
                     r.evidence.actual.count);
    } else {
        assert_true(n - half > r.evidence.lost.count);
    }
    for (size_t i = 0; i < r.evidence.lost.count && i < RD_INPUT_SET_MAX; i++) {
        assert_int_equal(r.evidence.lost.index[i], half + i);
        assert_int_equal(r.evidence.lost.times[i], 1);
    }
    rd_values_finish(&values);
}

static void test_explanation_of_many_lost_inputs_is_whole_or_says_that_it_is_a_part(void **state)
{
    (void)state;
    for (size_t n = 2; n <= 300; n++)
        check_lost_half(n);
}

static void test_explanation_of_what_does_not_show_again_is_refused(void **state)
{
    struct rd_run run = run_of("fold", 8, false);
    struct rd_violation violation = {.step = 1, .cell = 2};
    struct rd_evidence evidence;
    struct rd_error error = {""};
    memset(&evidence, 0xa5, sizeof evidence);
    struct rd_evidence before = evidence;
    (void)state;
    assert_int_equal(rd_witness_explain(&run, &violation, &evidence, &error), RD_ERROR_INPUT);
    assert_contains(error.text, "does not show");
    assert_memory_equal(&evidence, &before, sizeof evidence);
    violation.step = 9; /* there is no such step */
    assert_int_equal(rd_witness_explain(&run, &violation, &evidence, &error), RD_ERROR_INPUT);
    assert_memory_equal(&evidence, &before, sizeof evidence);
}

/* ---- sets as text ---- */

static void test_set_text_shows_what_fits_and_that_there_is_more(void **state)
{
    struct rd_input_set set = {0};
    char text[200], small[16];
    (void)state;
    assert_text(rd_input_set_text(&set, text, sizeof text), "{}");
    rd_input_set_add(&set, 3, 1);
    assert_text(rd_input_set_text(&set, text, sizeof text), "{3}");
    rd_input_set_add(&set, 5, 2);
    rd_input_set_add(&set, 9, -1);
    assert_text(rd_input_set_text(&set, text, sizeof text), "{3,5x2,9x-1}");
    for (size_t j = 10; j < 30; j++)
        rd_input_set_add(&set, j, 1);
    assert_int_equal(set.count, 23);
    assert_text(rd_input_set_text(&set, text, sizeof text), "{3,5x2,9x-1,10..29}");
    rd_input_set_text(&set, small, sizeof small);
    assert_text(small, "{3,5x2,...}");
    set.open = true;
    assert_text(rd_input_set_text(&set, text, sizeof text), "{3,5x2,9x-1,10..29,?}");
}

/* One more than is told one by one makes a run, and what is in no run stays apart. */
static void test_set_text_has_runs_of_equal_steps(void **state)
{
    static const struct {
        size_t members[9], times;
        const char *text;
    } sets[] = {
        {{0, 1}, 1, "{0,1}"},
        {{0, 1, 2}, 1, "{0..2}"},
        {{0, 4, 8, 12}, 1, "{0,4,8,12}"},
        {{0, 4, 8, 12, 16}, 1, "{0..16 by 4}"},
        {{0, 5, 6, 7, 8}, 1, "{0,5..8}"},
        {{0, 1, 4, 5, 8}, 1, "{0,1,4,5,8}"},
        {{1, 3, 5, 7, 9, 10, 11, 12, 13}, 1, "{1..9 by 2,10..13}"},
        {{0, 2, 3, 4, 9}, 1, "{0,2..4,9}"},
        {{3, 4, 5}, 2, "{(3..5)x2}"},
        {{0, 3, 6, 9, 12}, 3, "{(0..12 by 3)x3}"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        struct rd_input_set set = {0};
        char text[200];
        for (size_t j = 0; j < 9 && (j == 0 || sets[k].members[j] > 0); j++)
            rd_input_set_add(&set, sets[k].members[j], (int64_t)sets[k].times);
        assert_text(rd_input_set_text(&set, text, sizeof text), sets[k].text);
    }
}

/* Squares make no runs: as many as are kept, and the rest is said to be there. */
static void test_set_text_of_too_many_runs_says_that_there_is_more(void **state)
{
    struct rd_input_set set = {0};
    char text[1000];
    (void)state;
    for (size_t j = 0; j < 200; j++)
        rd_input_set_add(&set, j * j, 1);
    assert_int_equal(set.count, 200);
    rd_input_set_text(&set, text, sizeof text);
    assert_non_null(strstr(text, "{0,1,4,9,16,25,"));
    assert_non_null(strstr(text, ",2209,2304,...}"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plan_has_digits_for_every_input_and_every_repeat),
        cmocka_unit_test(test_fill_gives_each_input_a_digit_in_one_pass),
        cmocka_unit_test(test_run_holds_for_every_input_of_right_programs),
        cmocka_unit_test(test_each_operation_tells_the_inputs_of_a_cell),
        cmocka_unit_test(test_faults_are_violated_with_marks_of_each_operation),
        cmocka_unit_test(test_run_is_violated_for_lessons),
        cmocka_unit_test(test_run_refuses_what_the_program_refuses),
        cmocka_unit_test(test_run_passes_a_failing_device_on),
        cmocka_unit_test(test_kernel_that_passes_over_b_is_caught),
        cmocka_unit_test(test_digits_of_a_cell_are_the_set_that_the_definition_says),
        cmocka_unit_test(test_explanation_of_a_planted_fault_is_exact),
        cmocka_unit_test(test_explanation_of_many_lost_inputs_is_whole_or_says_that_it_is_a_part),
        cmocka_unit_test(test_explanation_of_what_does_not_show_again_is_refused),
        cmocka_unit_test(test_set_text_shows_what_fits_and_that_there_is_more),
        cmocka_unit_test(test_set_text_has_runs_of_equal_steps),
        cmocka_unit_test(test_set_text_of_too_many_runs_says_that_there_is_more),
    };
    return cmocka_run_group_tests_name("witness", tests, test_set_up, test_tear_down) != 0;
}
