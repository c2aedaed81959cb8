// SPDX-License-Identifier: MIT
/* Deliberate breaks: the obligation that fails is the one that must, at the step and the cell that were broken, and
 * nothing before it is other than it was. */
#include "fake_device.h"
#include "history_harness.h"
#include "reductio/witness.h"

#include <string.h>

/* The history of a case with one break. */
static struct rd_history *make(struct seen *seen, const struct test_case *test,
                               const struct rd_break *broken)
{
    seen_init(seen, test);
    seen->run.breaks = broken;
    seen->run.n_breaks = 1;
    return history_of(seen);
}

static const struct test_case fold_of_8 = {.program = "fold", .n = 8, .frame = true};

static void assert_first_wrong(struct rd_history *history, unsigned step, size_t cell,
                               enum rd_violation_kind kind)
{
    const struct rd_result *result = &rd_history_about(history)->result;
    assert_int_equal(result->verdict, RD_VIOLATED);
    assert_int_equal(result->violation.step, step);
    assert_int_equal(result->violation.cell, cell);
    assert_int_equal(result->violation.kind, kind);
    for (unsigned s = 0; s <= 3; s++)
        assert_int_equal(rd_history_frame(history, s)->verdict != RD_HOLDS, s >= step);
}

/* ---- a cell ---- */

static void test_broken_cell_violates_its_step_and_what_comes_of_it(void **state)
{
    struct seen seen;
    (void)state;
    struct rd_history *history =
        make(&seen, &fold_of_8,
             &(struct rd_break){.kind = RD_BREAK_CELL, .step = 2, .cell = 1, .value = 99});
    assert_first_wrong(history, 2, 1, RD_VIOLATION_BITS);
    assert_int_equal(cell_of(history, 1, 1).value, 6);
    struct rd_history_cell cell = cell_of(history, 2, 1);
    assert_int_equal(cell.value, 99);
    assert_int_equal(cell.expected, 16);
    assert_true(cell.wrong && cell.changed);
    assert_int_equal(cell_of(history, 3, 0).value, 12 + 99);
    assert_false(rd_history_about(history)->result.explained);
    history_finish(&seen, history);
}

static void test_broken_start_violates_initialization(void **state)
{
    struct seen seen;
    (void)state;
    struct rd_history *history =
        make(&seen, &fold_of_8,
             &(struct rd_break){.kind = RD_BREAK_CELL, .step = 0, .cell = 5, .value = 50});
    assert_first_wrong(history, 0, 5, RD_VIOLATION_BITS);
    assert_int_equal(rd_history_about(history)->result.obligations[RD_INITIALIZATION], RD_VIOLATED);
    assert_int_equal(cell_of(history, 0, 5).value, 50);
    assert_int_equal(cell_of(history, 1, 1).value, 1 + 50);
    history_finish(&seen, history);
}

static void test_broken_dead_cell_violates_the_frame(void **state)
{
    struct seen seen;
    (void)state;
    struct rd_history *history =
        make(&seen, &fold_of_8,
             &(struct rd_break){.kind = RD_BREAK_CELL, .step = 2, .cell = 7, .value = 1});
    assert_first_wrong(history, 2, 7, RD_VIOLATION_FRAME);
    history_finish(&seen, history);
}

static void test_cell_breaks_on_any_device(void **state)
{
    struct fake fake;
    struct seen seen;
    struct test_case test = fold_of_8;
    (void)state;
    fake_init(&fake, test_device());
    test.device = &fake.device;
    struct rd_history *history = make(
        &seen, &test, &(struct rd_break){.kind = RD_BREAK_CELL, .step = 1, .cell = 0, .value = 7});
    assert_first_wrong(history, 1, 0, RD_VIOLATION_BITS);
    history_finish(&seen, history);
    assert_int_equal(fake.buffers, 0);
    assert_false(fake.misused);
}

/* A dead cell keeps what was put there, and is told as such at each step: it is not as it was. */
static void test_broken_dead_cell_stays_wrong_and_is_told(void **state)
{
    static const struct rd_break broken = {
        .kind = RD_BREAK_CELL, .step = 1, .cell = 7, .value = 99};
    struct seen seen;
    (void)state;
    struct rd_history *history = make(&seen, &fold_of_8, &broken);
    assert_null(cell_of(history, 0, 7).put);
    for (size_t f = 1; f <= 3; f++) {
        struct rd_history_cell cell = cell_of(history, f, 7);
        assert_ptr_equal(cell.put, &broken);
        assert_int_equal(cell.value, 99);
        assert_int_equal(cell.expected, 7);
        assert_true(cell.wrong);
        assert_int_equal(cell.changed, f == 1);
        assert_null(cell_of(history, f, 6).put);
    }
    history_finish(&seen, history);
}

/* ---- counts and marks ---- */

/* In each frame as many cells are marked wrong as its violation counts, live ones and dead ones. Returns in
 * how many frames some are. */
static size_t check_counts(struct rd_history *history, const char *program)
{
    size_t frames = 0;
    for (size_t f = 0; f < rd_history_frames(history); f++) {
        const struct rd_frame *frame = rd_history_frame(history, f);
        const struct rd_violation *violation = &frame->violation;
        size_t live = 0, dead = 0;
        for (size_t i = 0; i < frame->n_cells; i++) {
            struct rd_history_cell cell = cell_of(history, f, i);
            live += cell.wrong && cell.live;
            dead += cell.wrong && !cell.live;
        }
        size_t wanted =
            frame->violated && violation->kind != RD_VIOLATION_FRAME ? violation->count : 0;
        size_t wanted_dead = frame->violated ? violation->dead : 0;
        if (live != wanted || dead != wanted_dead)
            fail_msg("%s, frame %zu: %zu live and %zu dead cells are marked, %zu and %zu counted",
                     program, f, live, dead, wanted, wanted_dead);
        frames += live + dead > 0;
    }
    return frames;
}

/* Lanes 2 and 3 do not come; the memory for them holds bytes of 0xa5, which is what lane 3 should have. */
static void check_absent_lanes(void)
{
    static const struct rd_break absent[] = {
        {.kind = RD_BREAK_THREAD, .step = 1, .thread = 2},
        {.kind = RD_BREAK_THREAD, .step = 1, .thread = 3},
    };
    struct seen seen;
    seen_init(&seen, &(struct test_case){.program = "ladder-shuffles-twice",
                                         .n = 8,
                                         .block = 8,
                                         .grid = 1,
                                         .type = RD_TYPE_U32,
                                         .values = "list:0,1,2,2779096485,4,5,6,7"});
    seen.run.breaks = absent;
    seen.run.n_breaks = 2;
    struct rd_history *history = history_of(&seen);
    assert_true(check_counts(history, "ladder-shuffles-twice without lanes") > 0);
    history_finish(&seen, history);
}

static void test_as_many_cells_are_marked_wrong_as_are_counted(void **state)
{
    static const struct rd_break breaks[] = {
        {.kind = RD_BREAK_CELL, .step = 1, .cell = 1, .value = 99},
        {.kind = RD_BREAK_CELL, .step = 1, .cell = 6, .value = 5},
        {.kind = RD_BREAK_CELL, .step = 2, .cell = 7, .value = 5},
        {.kind = RD_BREAK_CELL, .step = 0, .cell = 3, .value = 50},
    };
    size_t frames = 0;
    (void)state;
    for (unsigned count = 1; count <= sizeof breaks / sizeof *breaks; count++)
        for (int frame = 0; frame < 2; frame++) {
            struct seen seen;
            struct test_case test = fold_of_8;
            test.frame = frame;
            seen_init(&seen, &test);
            seen.run.breaks = breaks;
            seen.run.n_breaks = count;
            struct rd_history *history = history_of(&seen);
            frames += check_counts(history, "fold with breaks");
            history_finish(&seen, history);
        }
    assert_true(frames > 16);
    if (test_device_is_sim())
        check_absent_lanes();
    for (const struct rd_program *const *p = rd_programs; *p && test_device_is_sim(); p++) {
        struct seen seen;
        const struct test_case test = {.program = (*p)->name,
                                       .n = (*p)->n,
                                       .type = (*p)->type,
                                       .operation = (*p)->operation,
                                       .values = (*p)->values,
                                       .frame = true};
        if (!rd_program_is_fault(*p) || (*p)->n > 4096)
            continue;
        struct rd_history *history = history_make(&seen, &test);
        check_counts(history, (*p)->name);
        history_finish(&seen, history);
    }
}

/* ---- how a broken value came about ---- */

enum { NODES_MAX = 64 };

static size_t origin_of(struct rd_history *history, size_t frame, size_t index,
                        struct rd_origin nodes[NODES_MAX])
{
    struct rd_error error = {""};
    struct rd_origins tree;
    if (rd_history_origin(history, frame, index, nodes, NODES_MAX, &tree, &error) != RD_OK)
        fail_msg("%s", error.text);
    assert_int_equal(tree.extent, RD_ORIGINS_WHOLE);
    return tree.count;
}

/* A[1] = 99 behind round 2: the root there, a leaf of A[0] behind round 3; round 1 has it as ever. */
static void test_tree_of_a_broken_value_ends_in_the_break(void **state)
{
    struct rd_origin nodes[NODES_MAX];
    struct seen seen;
    size_t broken = 0;
    (void)state;
    struct rd_history *history =
        make(&seen, &fold_of_8,
             &(struct rd_break){.kind = RD_BREAK_CELL, .step = 2, .cell = 1, .value = 99});
    assert_int_equal(origin_of(history, 2, 1, nodes), 1);
    assert_int_equal(nodes[0].kind, RD_ORIGIN_PUT);
    assert_int_equal(nodes[0].step, 2);
    assert_int_equal(nodes[0].value, 99);
    size_t count = origin_of(history, 3, 0, nodes);
    for (size_t k = 0; k < count; k++)
        if (nodes[k].kind == RD_ORIGIN_PUT) {
            assert_int_equal(nodes[k].index, 1);
            assert_int_equal(nodes[k].value, 99);
            assert_int_equal(nodes[k].children, 0);
            broken++;
        }
    assert_int_equal(broken, 1);
    /* A[0] = A[0] + A[1]: its own half of the tree is whole, with four inputs. */
    assert_int_equal(count, 1 + 7 + 1);
    assert_int_equal(origin_of(history, 1, 1, nodes), 3);
    assert_int_equal(nodes[0].kind, RD_ORIGIN_WRITTEN);
    history_finish(&seen, history);
}

/* The value that an atomic found was put there by the break. */
static void test_tree_of_an_atomic_ends_in_the_break(void **state)
{
    struct rd_origin nodes[NODES_MAX];
    struct seen seen;
    size_t broken = 0;
    (void)state;
    struct rd_history *history = make(
        &seen,
        &(struct test_case){.program = "multi-block-atomic", .n = 16, .block = 8, .frame = true},
        &(struct rd_break){.kind = RD_BREAK_CELL, .step = 0, .cell = 0, .value = 50});
    size_t last = rd_history_frames(history) - 1, count = origin_of(history, last, 0, nodes);
    for (size_t k = 0; k < count; k++)
        if (nodes[k].kind == RD_ORIGIN_PUT) {
            assert_string_equal(nodes[k].array, "A");
            assert_int_equal(nodes[k].value, 50);
            assert_int_equal(nodes[k].step, 0);
            broken++;
        }
    assert_int_equal(broken, 1);
    history_finish(&seen, history);
}

/* ---- a thread ---- */

static void test_thread_that_does_not_run_leaves_its_cell(void **state)
{
    struct seen seen;
    struct rd_access_list list;
    struct rd_error error = {""};
    char text[64];
    (void)state;
    if (!test_device_is_sim())
        skip();
    struct rd_history *history =
        make(&seen, &fold_of_8,
             &(struct rd_break){.kind = RD_BREAK_THREAD, .step = 1, .block = 0, .thread = 2});
    assert_first_wrong(history, 1, 2, RD_VIOLATION_BITS);
    assert_int_equal(cell_of(history, 1, 2).value, 2);
    assert_false(cell_of(history, 1, 2).changed);
    assert_false(cell_of(history, 1, 3).wrong);
    const struct rd_evidence *evidence = &rd_history_about(history)->result.evidence;
    assert_true(rd_history_about(history)->result.explained);
    assert_text(rd_input_set_text(&evidence->lost, text, sizeof text), "{6}");
    assert_int_equal(rd_history_accesses(history, 1, &list, &error), RD_OK);
    assert_int_equal(list.count, 9);
    for (size_t k = 0; k < list.count; k++)
        assert_int_not_equal(list.accesses[k].thread, 2);
    history_finish(&seen, history);
}

/* ---- a barrier ---- */

/* The last barrier interval of the block in round 1. */
static unsigned last_interval(struct rd_history *history, uint64_t block)
{
    struct rd_access_list list;
    struct rd_error error = {""};
    unsigned last = 0;
    size_t frame = rd_history_frame_of_step(history, 1);
    assert_int_equal(rd_history_accesses(history, frame, &list, &error), RD_OK);
    for (size_t k = 0; k < list.count; k++)
        if (list.accesses[k].block == block && list.accesses[k].interval > last)
            last = list.accesses[k].interval;
    return last;
}

/* Counts the intervals of a run in which only A[0] is broken. */
static unsigned intervals_of(const struct test_case *test, uint64_t block)
{
    struct seen seen;
    struct rd_history *history =
        make(&seen, test, &(struct rd_break){.kind = RD_BREAK_CELL, .step = 0});
    unsigned last = last_interval(history, block);
    history_finish(&seen, history);
    return last;
}

static void test_barrier_that_nobody_waits_at_is_a_race(void **state)
{
    static const struct test_case test = {.program = "dot-shared", .n = 64, .block = 32};
    (void)state;
    if (!test_device_is_sim())
        skip();
    unsigned intervals = intervals_of(&test, 1);
    for (unsigned barrier = 1; barrier <= 3; barrier++) {
        struct seen seen;
        struct rd_history *history =
            make(&seen, &test,
                 &(struct rd_break){.kind = RD_BREAK_BARRIER, .step = 1, .barrier = barrier});
        /* Before the first barrier, nobody may have written what is read. */
        assert_true(rd_history_hazards(history) > 0);
        for (size_t k = 0; k < rd_history_hazards(history); k++)
            if (barrier > 1 || strcmp(rd_history_hazard(history, k)->name, "uninitialised") != 0)
                assert_string_equal(rd_history_hazard(history, k)->name, "race");
        assert_int_equal(last_interval(history, 1) + 1, intervals);
        assert_int_equal(rd_history_about(history)->result.verdict, RD_VIOLATED);
        history_finish(&seen, history);
    }
}

/* Each block counts its own, and later launches wait again. */
static void test_barrier_is_left_out_in_each_block_of_one_round(void **state)
{
    static const struct test_case test = {
        .program = "multi-block-two-launch", .n = 128, .block = 16};
    struct seen seen;
    (void)state;
    if (!test_device_is_sim())
        skip();
    struct rd_history *history =
        make(&seen, &test, &(struct rd_break){.kind = RD_BREAK_BARRIER, .step = 1, .barrier = 1});
    for (uint64_t block = 0; block < 8; block++)
        assert_int_equal(last_interval(history, block) + 1, intervals_of(&test, block));
    for (size_t k = 0; k < rd_history_hazards(history); k++)
        assert_int_equal(rd_history_hazard(history, k)->step, 1);
    assert_true(rd_history_hazards(history) > 0);
    history_finish(&seen, history);
}

/* ---- what can't be broken ---- */

static void check_refused(const struct test_case *test, const struct rd_break *broken,
                          const char *fragment)
{
    struct seen seen;
    struct rd_history *history = NULL;
    struct rd_error error = {""};
    seen_init(&seen, test);
    seen.run.breaks = broken;
    seen.run.n_breaks = 1;
    assert_int_equal(rd_history_run(&history, &seen.run, NULL, &error), RD_ERROR_USAGE);
    assert_contains(error.text, fragment);
    assert_null(history);
    seen_finish(&seen);
}

static void test_break_of_what_is_not_there_is_refused(void **state)
{
    (void)state;
    check_refused(&fold_of_8, &(struct rd_break){.kind = RD_BREAK_CELL, .step = 4},
                  "'fold' ends with step 3");
    check_refused(&fold_of_8, &(struct rd_break){.kind = RD_BREAK_CELL, .cell = 8},
                  "there is no A[8] to break: the last is A[7]");
    if (!test_device_is_sim())
        skip();
    check_refused(&fold_of_8, &(struct rd_break){.kind = RD_BREAK_THREAD, .step = 1, .thread = 4},
                  "it has 1 block of 4 threads");
    check_refused(&fold_of_8, &(struct rd_break){.kind = RD_BREAK_THREAD, .step = 1, .block = 1},
                  "it has 1 block of 4 threads");
    check_refused(&fold_of_8, &(struct rd_break){.kind = RD_BREAK_THREAD}, "the first is round 1");
    check_refused(&fold_of_8, &(struct rd_break){.kind = RD_BREAK_BARRIER, .step = 1},
                  "the first is 1");
    check_refused(&fold_of_8, &(struct rd_break){.kind = RD_BREAK_BARRIER, .step = 1, .barrier = 1},
                  "there is no barrier 1 in round 1: its threads pass fewer, or none");
}

static void test_thread_breaks_in_the_simulator_only(void **state)
{
    struct fake fake;
    struct test_case test = fold_of_8;
    (void)state;
    fake_init(&fake, test_device());
    test.device = &fake.device;
    check_refused(&test, &(struct rd_break){.kind = RD_BREAK_THREAD, .step = 1},
                  "use the simulator");
    check_refused(&test, &(struct rd_break){.kind = RD_BREAK_BARRIER, .step = 1, .barrier = 1},
                  "use the simulator");
    assert_int_equal(fake.buffers, 0);
}

static void test_witness_run_takes_no_broken_cell(void **state)
{
    struct seen seen;
    struct rd_result result;
    struct rd_error error = {""};
    (void)state;
    seen_init(&seen, &(struct test_case){.program = "fold", .n = 8, .type = RD_TYPE_U64});
    seen.run.breaks = &(struct rd_break){.kind = RD_BREAK_CELL, .cell = 1, .value = 2};
    seen.run.n_breaks = 1;
    assert_int_equal(rd_witness_run(&seen.run, NULL, &result, &error), RD_ERROR_USAGE);
    assert_contains(error.text, "no witness value");
    seen_finish(&seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_many_cells_are_marked_wrong_as_are_counted),
        cmocka_unit_test(test_broken_cell_violates_its_step_and_what_comes_of_it),
        cmocka_unit_test(test_broken_start_violates_initialization),
        cmocka_unit_test(test_broken_dead_cell_violates_the_frame),
        cmocka_unit_test(test_broken_dead_cell_stays_wrong_and_is_told),
        cmocka_unit_test(test_tree_of_a_broken_value_ends_in_the_break),
        cmocka_unit_test(test_tree_of_an_atomic_ends_in_the_break),
        cmocka_unit_test(test_cell_breaks_on_any_device),
        cmocka_unit_test(test_thread_that_does_not_run_leaves_its_cell),
        cmocka_unit_test(test_barrier_that_nobody_waits_at_is_a_race),
        cmocka_unit_test(test_barrier_is_left_out_in_each_block_of_one_round),
        cmocka_unit_test(test_break_of_what_is_not_there_is_refused),
        cmocka_unit_test(test_thread_breaks_in_the_simulator_only),
        cmocka_unit_test(test_witness_run_takes_no_broken_cell),
    };
    return cmocka_run_group_tests(tests, test_set_up, test_tear_down) != 0;
}
