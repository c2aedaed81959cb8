// SPDX-License-Identifier: MIT
/* Rounds measured: what they move is what the simulator sees them access, and their times are those of
 * the device's clock. */
#include "reductio/bench_rounds.h"
#include "harness.h"
#include "device/sim/object.h"
#include "device/sim/sim.h"
#include "run/state.h"

#include <math.h>
#include <string.h>

/* ---- what a round moves ---- */

static struct rd_bench_traffic traffic_of(const char *name, size_t n, unsigned number)
{
    const struct rd_program *program = rd_program_named(name);
    const struct rd_shape shape = rd_program_shape(program, (struct rd_shape){.n = n});
    struct rd_round round;
    assert_true(rd_program_round(program, &shape, number, &round));
    return rd_bench_round_traffic(program, &shape, &round, sizeof(float));
}

static void test_traffic_by_hand_agrees(void **state)
{
    static const struct {
        const char *program;
        size_t n;
        unsigned number;
        uint64_t read, written, bytes;
    } known[] = {
        {"fold", 8, 1, 8, 4, 48},       /* 4 threads: two read, one written, 4 bytes each */
        {"fold", 8, 3, 2, 1, 12},       /* the last */
        {"tournament", 8, 2, 4, 2, 24}, /* A[0] += A[2], A[4] += A[6] */
        {"tournament", 7, 1, 6, 3, 36}, /* the seventh has no partner */
        {"fold-guard", 9, 1, 2, 1, 12}, /* half is 8: one pair only */
        {"multiply", 8, 1, 16, 8, 96},  /* two arrays read, one written */
        {"unfold", 8, 1, 2, 1, 12},     /* the fold's last round, backwards */
        {"dot-two-phase", 1000, 1, 2000, 4, 8016},          /* a, b; a sum for each of 4 blocks */
        {"dot-two-phase", 1000, 2, 4, 1, 20},               /* which are added in one cell */
        {"multi-block-last-block", 1000, 1, 1004, 5, 4044}, /* 4 sums kept and read; the ticket */
    };
    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        struct rd_bench_traffic traffic = traffic_of(known[k].program, known[k].n, known[k].number);
        assert_int_equal(traffic.read_elems, known[k].read);
        assert_int_equal(traffic.written_elems, known[k].written);
        assert_int_equal(traffic.bytes, known[k].bytes);
    }
}

/* The words of global memory that a launch accesses, each with how: twice the word's number, and one
 * more where it is written. All types here have whole words. */
enum { WORD_BYTES = 4 };
static struct {
    uintptr_t *words;
    size_t count, capacity;
} accesses;

static void note(uintptr_t word, bool is_written)
{
    if (accesses.count == accesses.capacity) {
        accesses.capacity = 2 * accesses.capacity + 1024;
        accesses.words = realloc(accesses.words, accesses.capacity * sizeof *accesses.words);
        assert_non_null(accesses.words);
    }
    accesses.words[accesses.count++] = 2 * word + is_written;
}

static void note_access(uintptr_t address, size_t size_bytes, enum rd_sim_op op, uintptr_t pc)
{
    (void)pc;
    if (address - rd_sim_here->core.arena >= rd_sim_here->core.arena_size) /* shared memory */
        return;
    for (uintptr_t word = address / WORD_BYTES; word * WORD_BYTES < address + size_bytes; word++) {
        if (op != RD_SIM_WRITE)
            note(word, false);
        if (op != RD_SIM_READ)
            note(word, true);
    }
}

static int by_word(const void *x, const void *y)
{
    uintptr_t a = *(const uintptr_t *)x, b = *(const uintptr_t *)y;
    return (a > b) - (a < b);
}

/* Each word once for being read, and once for being written. Forgets them. */
static uint64_t take_accessed_bytes(void)
{
    uint64_t words = 0;
    if (accesses.count > 0)
        qsort(accesses.words, accesses.count, sizeof *accesses.words, by_word);
    for (size_t k = 0; k < accesses.count; k++)
        words += k == 0 || accesses.words[k] != accesses.words[k - 1];
    free(accesses.words);
    memset(&accesses, 0, sizeof accesses);
    return words * WORD_BYTES;
}

/* Bytes that the schedule does not tell of: blocks add into A[0], and so read it, too. */
static uint64_t unscheduled_bytes(const struct rd_program *program)
{
    static const char *const accumulate[] = {"multi-block-atomic", "ladder-vectorised-atomic"};
    for (size_t k = 0; k < sizeof accumulate / sizeof *accumulate; k++)
        if (strcmp(program->name, accumulate[k]) == 0)
            return sizeof(float); /* A[0], which atomicAdd reads */
    return 0;
}

static void assert_rounds_move_what_they_access(const struct rd_program *program, size_t n)
{
    const struct test_case test = {.program = program->name, .n = n, .type = RD_TYPE_F32};
    const struct rd_shape shape = test_shape(&test);
    struct rd_values values;
    struct rd_expect expect;
    struct rd_state state;
    struct rd_round round;
    assert_int_equal(rd_values_init_two(&values, rd_numeric(RD_TYPE_F32), "random:1",
                                        rd_program_inputs(program, &shape),
                                        rd_program_inputs_b(program, &shape), NULL),
                     RD_OK);
    const struct rd_run run = {.program = program,
                               .numeric = values.numeric,
                               .n = n,
                               .a = values.a,
                               .b = values.b,
                               .device = test_device()};
    assert_int_equal(
        rd_expect_init(&expect, program, values.numeric, &shape, values.a, values.b, NULL), RD_OK);
    assert_int_equal(rd_state_init(&state, &run, &expect, NULL), RD_OK);
    for (unsigned number = 1; rd_program_round(program, &shape, number, &round); number++) {
        round.reads_max = round.writes_max = 0; /* or the simulator counts, and tells nobody else */
        rd_sim_here->core.on_access = note_access;
        assert_int_equal(rd_state_launch(&state, &round, NULL, NULL, NULL), RD_OK);
        rd_sim_here->core.on_access = NULL;
        uint64_t bytes = take_accessed_bytes();
        struct rd_bench_traffic traffic =
            rd_bench_round_traffic(program, &shape, &round, sizeof(float));
        if (traffic.bytes + unscheduled_bytes(program) != bytes)
            fail_msg("%s of %zu, round %u: %llu bytes by the schedule, %llu seen", program->name, n,
                     number, (unsigned long long)traffic.bytes, (unsigned long long)bytes);
    }
    rd_state_finish(&state);
    rd_expect_finish(&expect);
    rd_values_finish(&values);
}

static void test_traffic_is_what_the_simulator_sees(void **state)
{
    enum { CELLS_MAX = 1100 }; /* of squares, the small ones */
    static const size_t sizes[] = {1, 2, 3, 31, 32, 33, 256, 257, 1000, 1024};
    (void)state;
    if (!test_device_is_sim())
        skip();
    for (const struct rd_program *const *p = rd_programs; *p; p++) {
        if (rd_program_is_fault(*p))
            continue;
        assert_rounds_move_what_they_access(*p, (*p)->n);
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            const struct rd_shape shape = rd_program_shape(*p, (struct rd_shape){.n = sizes[s]});
            if (rd_program_accept(*p, &shape, NULL) == RD_OK &&
                rd_program_cells(*p, &shape) <= CELLS_MAX)
                assert_rounds_move_what_they_access(*p, sizes[s]);
        }
    }
}

/* ---- measuring ---- */

static enum rd_status bench(struct rd_device *device, const char *name, size_t n, unsigned repeats,
                            struct rd_bench_rounds *result, struct rd_error *error)
{
    struct rd_values values;
    assert_int_equal(rd_values_init(&values, rd_numeric(RD_TYPE_F32), "random:1", n, 0, true, NULL),
                     RD_OK);
    const struct rd_run run = {.program = rd_program_named(name),
                               .numeric = values.numeric,
                               .n = n,
                               .a = values.a,
                               .b = values.b,
                               .device = device};
    enum rd_status status = rd_bench_rounds(&run, repeats, result, error);
    rd_values_finish(&values);
    return status;
}

static void test_rounds_are_those_of_the_schedule_and_take_time(void **state)
{
    struct rd_bench_rounds result;
    (void)state;
    assert_int_equal(bench(test_device(), "dot-fold", 1024, 3, &result, NULL), RD_OK);
    assert_int_equal(result.count, 11);
    for (unsigned k = 0; k < result.count; k++) {
        const struct rd_bench_round *round = &result.rounds[k];
        assert_int_equal(round->round.number, k + 1);
        assert_true(round->best_s > 0);
        assert_true(round->median_s >= round->best_s);
        assert_true(rd_bench_round_gb_per_s(round) > 0);
    }
    assert_int_equal(result.rounds[1].round.width, 512);
}

static void test_a_program_with_nothing_to_do_has_no_rounds(void **state)
{
    struct rd_bench_rounds result;
    (void)state;
    assert_int_equal(bench(test_device(), "fold", 1, 3, &result, NULL), RD_OK);
    assert_int_equal(result.count, 0);
}

static void assert_near(double actual, double expected, double apart)
{
    assert_true(fabs(actual - expected) <= apart);
}

/* A device whose clock counts the threads that it was given: a microsecond each, and ten more in the
 * first launches. */
static double clock_s, marks_s[RD_MARKS];
static unsigned launches, slow_launches;

static enum rd_status clocked_launch(struct rd_device *device, const struct rd_launch *launch,
                                     struct rd_error *error)
{
    (void)device, (void)error;
    clock_s += 1e-6 * (double)rd_launch_blocks(launch) * rd_launch_threads(launch);
    if (launches++ < slow_launches)
        clock_s += 1e-5;
    return RD_OK;
}

static enum rd_status clocked_mark(struct rd_device *device, unsigned slot, struct rd_error *error)
{
    (void)device, (void)error;
    assert_in_range(slot, 0, RD_MARKS - 1);
    marks_s[slot] = clock_s;
    return RD_OK;
}

static enum rd_status clocked_between(struct rd_device *device, unsigned from, unsigned to,
                                      double *seconds, struct rd_error *error)
{
    (void)device, (void)error;
    *seconds = marks_s[to] - marks_s[from];
    return RD_OK;
}

static void test_times_are_those_of_the_devices_clock(void **state)
{
    struct rd_bench_rounds result;
    struct rd_device *device;
    struct rd_device_ops ops = rd_device_sim;
    (void)state;
    assert_int_equal(rd_device_sim.open(&device, NULL), RD_OK);
    ops.launch = clocked_launch;
    ops.mark = clocked_mark;
    ops.between = clocked_between;
    device->ops = &ops;
    assert_string_equal(rd_bench_clock(device), "events of the GPU");
    launches = 0;
    slow_launches = 4 + 4; /* what is not measured, and one of three repetitions */
    assert_int_equal(bench(device, "fold", 8, 3, &result, NULL), RD_OK);
    assert_int_equal(result.count, 3);
    for (unsigned k = 0; k < 3; k++) {
        assert_near(result.rounds[k].median_s, 1e-6 * (double)(4 >> k), 1e-12);
        assert_near(result.rounds[k].best_s, 1e-6 * (double)(4 >> k), 1e-12);
    }
    assert_near(rd_bench_round_gb_per_s(&result.rounds[0]), 48e-9 / 4e-6, 1e-9);
    device->ops = &rd_device_sim;
    rd_device_close(device);
}

static void test_what_cannot_be_measured_is_refused(void **state)
{
    struct rd_bench_rounds result;
    struct rd_error error = {""};
    (void)state;
    assert_int_equal(bench(test_device(), "fold", 8, 0, &result, &error), RD_ERROR_USAGE);
    assert_contains(error.text, "'repeats' is 0");
    assert_int_equal(bench(test_device(), "fold", 12, 3, &result, &error), RD_ERROR_USAGE);
    assert_contains(error.text, "12, not a power of two");
    assert_int_equal(bench(test_device(), "fold:wrong-half", 8, 3, &result, &error),
                     RD_ERROR_USAGE);
    assert_contains(error.text, "only right programs are measured: use fold");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_traffic_by_hand_agrees),
        cmocka_unit_test(test_traffic_is_what_the_simulator_sees),
        cmocka_unit_test(test_rounds_are_those_of_the_schedule_and_take_time),
        cmocka_unit_test(test_a_program_with_nothing_to_do_has_no_rounds),
        cmocka_unit_test(test_times_are_those_of_the_devices_clock),
        cmocka_unit_test(test_what_cannot_be_measured_is_refused),
    };
    return cmocka_run_group_tests_name("bench_rounds", tests, test_set_up, test_tear_down) != 0;
}
