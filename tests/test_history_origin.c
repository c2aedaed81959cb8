// SPDX-License-Identifier: MIT
/* Origin of a cell: the inputs in it, and the accesses that made its value. */
#include "fake_device.h"
#include "history_harness.h"

#include <string.h>

/* ---- sets ---- */

static void assert_set(struct rd_history *history, size_t frame, size_t index, const char *actual,
                       const char *expected)
{
    struct rd_input_set is, should;
    struct rd_error error = {""};
    char text[256];
    if (rd_history_set(history, frame, index, &is, &should, &error) != RD_OK)
        fail_msg("%s", error.text);
    assert_text(rd_input_set_text(&is, text, sizeof text), actual);
    assert_text(rd_input_set_text(&should, text, sizeof text), expected);
}

static void assert_no_set(struct rd_history *history, size_t frame, size_t index,
                          const char *fragment)
{
    struct rd_input_set is, should;
    struct rd_error error = {""};
    assert_int_equal(rd_history_set(history, frame, index, &is, &should, &error), RD_ERROR_USAGE);
    assert_contains(error.text, fragment);
}

static void test_sets_of_a_right_fold_are_the_invariants(void **state)
{
    struct seen seen;
    (void)state;
    struct rd_history *history = history_make(
        &seen,
        &(struct test_case){.program = "fold", .n = 16, .type = RD_TYPE_F32, .values = "random:4"});
    assert_set(history, 0, 5, "{5}", "{5}");
    assert_set(history, 2, 1, "{1,5,9,13}", "{1,5,9,13}");
    assert_set(history, 2, 6, "{6,14}", "{6,14}"); /* dead: what it kept */
    assert_set(history, 4, 9, "{9}", "{9}");
    assert_set(history, 2, 1, "{1,5,9,13}", "{1,5,9,13}");
    history_finish(&seen, history);
}

static void test_sets_of_a_wrong_fold_name_what_is_there(void **state)
{
    struct seen seen;
    (void)state;
    struct rd_history *history = history_make(
        &seen, &(struct test_case){.program = "fold:wrong-half", .n = 8, .frame = true});
    assert_set(history, 1, 0, "{0,3}", "{0,4}");
    assert_set(history, 1, 2, "{2,5}", "{2,6}");
    assert_set(history, 1, 7, "{7}", "{7}");
    history_finish(&seen, history);
}

static void test_sets_at_checkpoints_are_of_the_blocks_array(void **state)
{
    struct seen seen;
    (void)state;
    struct rd_history *history =
        history_make(&seen, &(struct test_case){.program = "dot-shared", .n = 64, .block = 16});
    for (size_t f = 0; f < rd_history_frames(history); f++) {
        const struct rd_frame *frame = rd_history_frame(history, f);
        struct rd_input_set is, should;
        struct rd_error error = {""};
        for (size_t i = 0; i < frame->claim.count && frame->inside; i++) {
            assert_int_equal(rd_history_set(history, f, i, &is, &should, &error), RD_OK);
            assert_memory_equal(&is, &should, sizeof is);
            assert_true(is.count > 0);
        }
    }
    history_finish(&seen, history);
}

static void test_set_of_a_thread_left_out_lacks_its_inputs(void **state)
{
    struct seen seen;
    struct rd_history *history = NULL;
    struct rd_error error = {""};
    (void)state;
    if (!test_device_is_sim())
        skip();
    seen_init(&seen, &(struct test_case){.program = "fold", .n = 8});
    seen.run.breaks = &(struct rd_break){.kind = RD_BREAK_THREAD, .step = 1, .thread = 2};
    seen.run.n_breaks = 1;
    assert_int_equal(rd_history_run(&history, &seen.run, NULL, &error), RD_OK);
    assert_set(history, 3, 0, "{0..5,7}", "{0..7}");
    history_finish(&seen, history);
}

static void test_sets_that_say_nothing_are_refused(void **state)
{
    struct seen seen;
    struct rd_history *history = NULL;
    struct rd_error error = {""};
    (void)state;
    history = history_make(&seen, &(struct test_case){.program = "puzzle-map", .n = 4});
    assert_no_set(history, 1, 0, "no sum of it");
    history_finish(&seen, history);
    history = NULL;
    seen_init(&seen, &(struct test_case){.program = "fold", .n = 8});
    seen.run.breaks = &(struct rd_break){.kind = RD_BREAK_CELL, .step = 1, .cell = 2, .value = 9};
    seen.run.n_breaks = 1;
    assert_int_equal(rd_history_run(&history, &seen.run, NULL, &error), RD_OK);
    assert_no_set(history, 1, 0, "by hand");
    assert_no_set(history, 1, 8, "no cell 8");
    history_finish(&seen, history);
}

/* ---- origins ---- */

enum { NODES_MAX = 512 };

static size_t origin_of(struct rd_history *history, size_t frame, size_t index,
                        struct rd_origin nodes[NODES_MAX], size_t n_max)
{
    struct rd_error error = {""};
    struct rd_origins tree;
    if (rd_history_origin(history, frame, index, nodes, n_max, &tree, &error) != RD_OK)
        fail_msg("%s", error.text);
    assert_true(tree.count >= 1 && tree.count <= n_max);
    assert_int_equal(nodes[0].depth, 0);
    assert_int_equal(nodes[0].index, index);
    bool cut = false;
    for (size_t k = 0; k < tree.count; k++)
        cut |= nodes[k].cut;
    assert_int_equal(tree.extent, cut ? RD_ORIGINS_CUT : RD_ORIGINS_WHOLE);
    return tree.count;
}

/* Asserts that each node is the sum of its children, for integers that are only added. Returns the node behind it. */
static size_t check_sums(const struct rd_origin *nodes, size_t count, size_t at)
{
    const struct rd_origin *node = &nodes[at++];
    rd_bits sum = 0;
    for (unsigned k = 0; k < node->children; k++) {
        assert_true(at < count);
        assert_int_equal(nodes[at].depth, node->depth + 1);
        sum += nodes[at].value;
        at = check_sums(nodes, count, at);
    }
    if (node->children > 0)
        assert_int_equal(node->value, sum);
    else
        assert_int_equal(node->kind, RD_ORIGIN_INPUT);
    return at;
}

static void test_refused_set_is_not_looked_for_again(void **state)
{
    struct fake fake;
    struct seen seen;
    struct rd_input_set is, should;
    struct rd_error first = {""}, again = {""};
    (void)state;
    fake_init(&fake, test_device());
    fake.fault = FAKE_DROPS_CELL;
    fake.round = 1;
    struct rd_history *history =
        history_make(&seen, &(struct test_case){.program = "fold", .n = 8, .device = &fake.device});
    assert_set(history, 1, 1, "{1,5}", "{1,5}");
    fake.fail_at = fake.calls + 1;
    fake.fail_with = RD_ERROR_DEVICE;
    assert_int_equal(rd_history_set(history, 1, 0, &is, &should, &first), RD_ERROR_DEVICE);
    unsigned calls = fake.calls;
    assert_int_equal(calls, fake.fail_at);
    assert_int_equal(rd_history_set(history, 1, 0, &is, &should, &again), RD_ERROR_DEVICE);
    assert_int_equal(fake.calls, calls);
    assert_string_equal(again.text, first.text);
    history_finish(&seen, history);
}

static void test_origin_of_a_fold_is_its_tree(void **state)
{
    struct rd_origin nodes[NODES_MAX];
    struct seen seen;
    unsigned leaves = 0;
    (void)state;
    struct rd_history *history =
        history_make(&seen, &(struct test_case){.program = "fold", .n = 8, .frame = true});
    assert_int_equal(origin_of(history, 3, 0, nodes, NODES_MAX), 15);
    assert_int_equal(check_sums(nodes, 15, 0), 15);
    assert_int_equal(nodes[0].value, 28);
    assert_int_equal(nodes[0].children, 2);
    for (size_t k = 0; k < 15; k++) {
        assert_string_equal(nodes[k].array, "A");
        assert_false(nodes[k].cut);
        const bool input = nodes[k].kind == RD_ORIGIN_INPUT;
        assert_int_equal(input, nodes[k].depth == 3);
        assert_int_equal(nodes[k].step, 3 - nodes[k].depth);
        if (!input)
            assert_int_equal(nodes[k].thread, nodes[k].index);
        if (input)
            leaves |= 1u << nodes[k].index;
        if (input)
            assert_int_equal(nodes[k].value, nodes[k].index);
    }
    assert_int_equal(leaves, 0xff);
    /* An earlier step, and a cell that no thread has written. */
    assert_int_equal(origin_of(history, 1, 2, nodes, NODES_MAX), 3);
    assert_int_equal(nodes[0].value, 8);
    assert_int_equal(origin_of(history, 3, 7, nodes, NODES_MAX), 1);
    assert_int_equal(nodes[0].kind, RD_ORIGIN_INPUT);
    assert_int_equal(origin_of(history, 0, 3, nodes, NODES_MAX), 1);
    assert_int_equal(nodes[0].kind, RD_ORIGIN_INPUT);
    history_finish(&seen, history);
}

/* The runs that tell what comes in are of sums, and the accesses are the same. */
static void test_origin_is_whole_whichever_the_operation(void **state)
{
    static const char *const programs[] = {"fold", "fold-guard", "fold-ceil", "tournament"};
    struct rd_origin nodes[NODES_MAX];
    struct seen seen;
    (void)state;
    for (unsigned op = 0; op < RD_OPERATION_COUNT; op++)
        for (unsigned type = 0; type < RD_HALVES_FIRST; type++) {
            const struct test_case test = {.program = programs[(op + type) % 4],
                                           .n = 8,
                                           .type = (enum rd_type)type,
                                           .operation = (enum rd_operation)op,
                                           .values = "random:3"};
            if (!rd_numeric_over(test.type, test.operation))
                continue;
            struct rd_history *history = history_make(&seen, &test);
            assert_int_equal(origin_of(history, 3, 0, nodes, NODES_MAX), 15);
            history_finish(&seen, history);
        }
}

/* Also where threads beyond the end have filled up with the identity. */
static void test_origin_in_rungs_is_whole_whichever_the_operation(void **state)
{
    static const char *const programs[] = {"ladder-first-add", "ladder-warp-shuffle",
                                           "ladder-shuffles-twice", "ladder-tiles",
                                           "ladder-vectorised"};
    struct rd_origin nodes[NODES_MAX];
    struct rd_origins tree;
    struct rd_error error = {""};
    struct seen seen;
    (void)state;
    for (unsigned op = 0; op < RD_OPERATION_COUNT; op++)
        for (unsigned p = 0; p < sizeof programs / sizeof *programs; p++) {
            const struct test_case test = {.program = programs[p],
                                           .n = 13,
                                           .block = 4,
                                           .operation = (enum rd_operation)op,
                                           .values = "random:3"};
            struct rd_history *history = history_make(&seen, &test);
            const struct rd_history_about *about = rd_history_about(history);
            const size_t last = rd_program_cells(about->program, &about->shape) - 1;
            if (rd_history_origin(history, rd_history_frames(history) - 1, last, nodes, NODES_MAX,
                                  &tree, &error) != RD_OK)
                fail_msg("%s", error.text);
            if (tree.extent != RD_ORIGINS_WHOLE)
                fail_msg("%s of operation %u: extent %d, %s", programs[p], op, (int)tree.extent,
                         tree.why);
            history_finish(&seen, history);
        }
}

static void test_origin_of_what_a_wrong_identity_makes_is_not_whole(void **state)
{
    struct rd_origin nodes[NODES_MAX];
    struct rd_origins tree;
    struct rd_error error = {""};
    struct seen seen;
    (void)state;
    struct rd_history *history =
        history_make(&seen, &(struct test_case){.program = "fold-guard:zero-identity",
                                                .n = 3,
                                                .operation = RD_OPERATION_MAX,
                                                .values = "list:-5,-3,-9"});
    if (rd_history_origin(history, 1, 1, nodes, NODES_MAX, &tree, &error) != RD_OK)
        fail_msg("%s", error.text);
    assert_int_equal(nodes[0].value, 0);
    assert_int_equal(tree.extent, RD_ORIGINS_LACK); /* no input is 0 */
    history_finish(&seen, history);
}

static void test_origin_that_has_no_room_is_cut_where_it_is_deepest(void **state)
{
    struct rd_origin nodes[NODES_MAX];
    struct seen seen;
    (void)state;
    struct rd_history *history =
        history_make(&seen, &(struct test_case){.program = "fold", .n = 8});
    assert_int_equal(origin_of(history, 3, 0, nodes, 4), 4);
    unsigned cut = 0, depths[3] = {0};
    for (size_t k = 0; k < 4; k++) {
        cut += nodes[k].cut;
        depths[nodes[k].depth]++;
    }
    assert_true(cut >= 1);
    assert_int_equal(depths[0], 1);
    assert_int_equal(depths[1], 2);
    assert_int_equal(depths[2], 1);
    assert_int_equal(origin_of(history, 3, 0, nodes, 1), 1);
    assert_true(nodes[0].cut);
    history_finish(&seen, history);
}

/* Through shared memory, and what atomics found, back to the input; all ones, so that leaves count. */
static void test_origin_leads_through_shared_memory_and_atomics(void **state)
{
    static const struct test_case cases[] = {
        {.program = "multi-block-two-launch", .n = 64, .block = 16, .values = "ones"},
        {.program = "multi-block-atomic", .n = 64, .block = 16, .values = "ones"},
        {.program = "ladder-sequential", .n = 64, .block = 64, .values = "ones"},
    };
    struct rd_origin nodes[NODES_MAX];
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct seen seen;
        struct rd_history *history = history_make(&seen, &cases[c]);
        size_t last = rd_history_frames(history) - 1, inputs = 0;
        size_t count = origin_of(history, last, 0, nodes, NODES_MAX);
        for (size_t k = 0; k < count; k++)
            inputs += nodes[k].kind == RD_ORIGIN_INPUT && nodes[k].value == 1;
        bool shared = false;
        for (size_t k = 0; k < count; k++)
            shared =
                shared || (strcmp(nodes[k].array, "A") != 0 && nodes[k].kind != RD_ORIGIN_INPUT);
        assert_true(shared);
        if (inputs != nodes[0].value)
            fail_msg("%s: %zu inputs in %llu", cases[c].program, inputs,
                     (unsigned long long)nodes[0].value);
        history_finish(&seen, history);
    }
}

static void test_origin_at_a_checkpoint_is_of_its_block(void **state)
{
    struct rd_origin nodes[NODES_MAX];
    struct seen seen;
    (void)state;
    struct rd_history *history = history_make(
        &seen, &(struct test_case){
                   .program = "multi-block-two-launch", .n = 64, .block = 16, .values = "ones"});
    for (size_t f = 0; f < rd_history_frames(history); f++) {
        const struct rd_frame *frame = rd_history_frame(history, f);
        if (!frame->inside || frame->place.warp != RD_WHOLE_BLOCK)
            continue;
        size_t count = origin_of(history, f, 0, nodes, NODES_MAX), inputs = 0;
        for (size_t k = 0; k < count; k++)
            inputs += nodes[k].kind == RD_ORIGIN_INPUT;
        struct rd_history_cell cell;
        assert_int_equal(rd_history_cell(history, f, 0, &cell, NULL), RD_OK);
        assert_int_equal(nodes[0].value, cell.value);
        assert_int_equal(nodes[0].block, frame->place.block);
        if (frame->step == 1)
            assert_int_equal(inputs, cell.value);
    }
    history_finish(&seen, history);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets_of_a_right_fold_are_the_invariants),
        cmocka_unit_test(test_sets_of_a_wrong_fold_name_what_is_there),
        cmocka_unit_test(test_sets_at_checkpoints_are_of_the_blocks_array),
        cmocka_unit_test(test_set_of_a_thread_left_out_lacks_its_inputs),
        cmocka_unit_test(test_sets_that_say_nothing_are_refused),
        cmocka_unit_test(test_refused_set_is_not_looked_for_again),
        cmocka_unit_test(test_origin_of_a_fold_is_its_tree),
        cmocka_unit_test(test_origin_is_whole_whichever_the_operation),
        cmocka_unit_test(test_origin_in_rungs_is_whole_whichever_the_operation),
        cmocka_unit_test(test_origin_of_what_a_wrong_identity_makes_is_not_whole),
        cmocka_unit_test(test_origin_that_has_no_room_is_cut_where_it_is_deepest),
        cmocka_unit_test(test_origin_leads_through_shared_memory_and_atomics),
        cmocka_unit_test(test_origin_at_a_checkpoint_is_of_its_block),
    };
    return cmocka_run_group_tests(tests, test_set_up, test_tear_down) != 0;
}
