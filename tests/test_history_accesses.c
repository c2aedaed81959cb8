// SPDX-License-Identifier: MIT
/* Accesses: each one of a round, with its thread and its value, and no other. */
#include "history_harness.h"
#include "reductio/sources.h"
#include "reductio/trace.h"
#include "temporary.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct rd_access_list accesses_of(struct rd_history *history, size_t frame)
{
    struct rd_access_list list;
    struct rd_error error = {""};
    if (rd_history_accesses(history, frame, &list, &error) != RD_OK)
        fail_msg("%s", error.text);
    return list;
}

static rd_bits value_of(struct rd_history *history, size_t frame, size_t index)
{
    struct rd_history_cell cell;
    struct rd_error error = {""};
    assert_int_equal(rd_history_cell(history, frame, index, &cell, &error), RD_OK);
    assert_true(cell.known);
    return cell.value;
}

/* ---- the fold ---- */

/* Thread i reads A[i] and A[i + 4], in an order that is the compiler's, and writes A[i]. */
static void check_fold_of_8(const struct rd_access_list *list)
{
    assert_int_equal(list->count, 12);
    assert_false(list->truncated);
    assert_int_equal(list->n_arrays, 1);
    assert_string_equal(list->arrays[0].name, "A");
    assert_int_equal(list->arrays[0].n_elems, 8);
    assert_false(list->arrays[0].shared);
    assert_int_equal(list->arrays[0].numeric->type, RD_TYPE_I32);
    for (unsigned i = 0; i < 4; i++) {
        const struct rd_access *own = list->accesses + 3 * (size_t)i;
        size_t lower = own[0].index < own[1].index ? 0 : 1;
        for (unsigned k = 0; k < 3; k++) {
            assert_int_equal(own[k].thread, i);
            assert_int_equal(own[k].block, 0);
            assert_int_equal(own[k].interval, 0);
            assert_int_equal(own[k].array, 0);
            assert_int_equal(own[k].op, k < 2 ? RD_ACCESS_READ : RD_ACCESS_WRITE);
            assert_int_equal(own[k].line, own[0].line);
        }
        assert_int_equal(own[lower].index, i);
        assert_int_equal(own[lower].value, i);
        assert_int_equal(own[1 - lower].index, i + 4);
        assert_int_equal(own[1 - lower].value, i + 4);
        assert_int_equal(own[2].index, i);
        assert_int_equal(own[2].value, 2 * i + 4);
    }
}

static void test_accesses_of_a_fold_are_its_reads_and_writes(void **state)
{
    struct seen seen;
    (void)state;
    struct rd_history *history =
        history_make(&seen, &(struct test_case){.program = "fold", .n = 8});
    struct rd_access_list list = accesses_of(history, 1);
    check_fold_of_8(&list);
    assert_int_equal(accesses_of(history, 0).count, 0);
    assert_int_equal(accesses_of(history, 3).count, 3);
    list = accesses_of(history, 1);
    check_fold_of_8(&list);
    history_finish(&seen, history);
}

static void test_accesses_of_a_trace_are_those_of_its_rounds(void **state)
{
    char path[TEMPORARY_SIZE];
    struct rd_trace_writer *writer;
    struct rd_result result;
    struct rd_error error = {""};
    struct rd_history *history;
    struct seen seen;
    (void)state;
    assert_true(close(mkstemp(temporary_name(path, "reductio-accesses"))) == 0);
    seen_init(&seen, &(struct test_case){.program = "fold", .n = 8});
    assert_int_equal(rd_trace_writer_open(&writer, path, RD_TRACE_CELLS, &error), RD_OK);
    const struct rd_observer *const observers[] = {rd_trace_writer_observer(writer), NULL};
    assert_int_equal(rd_run(&seen.run, observers, &result, &error), RD_OK);
    assert_int_equal(rd_trace_writer_close(writer, &error), RD_OK);
    assert_int_equal(rd_history_read(&history, path, NULL, &error), RD_OK);
    struct rd_access_list list = accesses_of(history, 1);
    check_fold_of_8(&list);
    unlink(path);
    history_finish(&seen, history);
}

/* ---- all programs ---- */

/* Replays the writes to A onto the frame before: the frame. */
static void check_writes(struct rd_history *history, size_t f)
{
    const struct rd_frame *frame = rd_history_frame(history, f);
    struct rd_access_list list = accesses_of(history, f);
    rd_bits *cells = calloc(frame->n_cells, sizeof *cells);
    assert_non_null(cells);
    for (size_t i = 0; i < frame->n_cells; i++)
        cells[i] = value_of(history, frame->before, i);
    for (size_t k = 0; k < list.count; k++) {
        const struct rd_access *access = &list.accesses[k];
        if (strcmp(list.arrays[access->array].name, frame->array) != 0)
            continue;
        assert_true(access->index < list.arrays[access->array].n_elems);
        if (frame->inside)
            assert_int_equal(access->block, frame->place.block);
        if (access->op == RD_ACCESS_READ && !frame->inside)
            assert_int_equal(access->value, cells[access->index]);
        if (access->op != RD_ACCESS_READ)
            cells[access->index] = access->value;
    }
    for (size_t i = 0; i < frame->n_cells; i++)
        assert_int_equal(cells[i], value_of(history, f, i));
    free(cells);
}

static void test_writes_lead_from_each_frame_to_the_next(void **state)
{
    static const struct test_case cases[] = {
        {.program = "fold", .n = 32},
        {.program = "tournament", .n = 21, .type = RD_TYPE_F64, .values = "random:3"},
        {.program = "dot-shared", .n = 100, .block = 32},
        {.program = "multi-block-two-launch", .n = 100, .block = 16},
        {.program = "multi-block-atomic", .n = 100, .block = 16},
        {.program = "multi-block-grid-sync", .n = 100, .block = 16},
        {.program = "ladder-sequential", .n = 150, .block = 64, .type = RD_TYPE_U64},
        {.program = "ladder-vectorised", .n = 256, .block = 64, .type = RD_TYPE_F32},
        {.program = "ladder-cooperative", .n = 200, .block = 64},
        {.program = "puzzle-axis-sum", .n = 9},
        {.program = "unfold", .n = 16},
        /* Elements of 16 bits are structs, whose copies compilers tell in another order. */
        {.program = "unfold", .n = 16, .type = RD_TYPE_F16, .values = "random:3"},
        {.program = "dot-shared", .n = 100, .block = 32, .type = RD_TYPE_BF16},
        {.program = "ladder-sequential", .n = 150, .block = 64, .type = RD_TYPE_F16},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct seen seen;
        struct test_case test = cases[c];
        test.frame = true;
        struct rd_history *history = history_make(&seen, &test);
        for (size_t f = 0; f < rd_history_frames(history); f++) {
            const struct rd_frame *frame = rd_history_frame(history, f);
            if (frame->before != f && (!frame->inside || frame->place.warp == RD_WHOLE_BLOCK))
                check_writes(history, f);
        }
        history_finish(&seen, history);
    }
}

/* Also of what a kernel does last. Without libdw, lines are not known. */
static void test_atomics_have_the_line_that_makes_them(void **state)
{
    struct seen seen;
    size_t length, atomics = 0;
    (void)state;
    struct rd_history *history = history_make(
        &seen, &(struct test_case){.program = "multi-block-atomic", .n = 16, .block = 4});
    size_t frame = rd_history_frame_of_step(history, 1);
    const struct rd_source *source = rd_source_of_kernel(rd_history_frame(history, frame)->kernel);
    struct rd_access_list list = accesses_of(history, frame);
    for (size_t k = 0; k < list.count; k++)
        if (list.accesses[k].op == RD_ACCESS_ATOMIC && list.accesses[k].line > 0) {
            const char *line = rd_source_line(source->text, list.accesses[k].line, &length);
            atomics++;
            assert_non_null(line);
            assert_int_equal(strncmp(line, "        atomicAdd(", 18), 0);
        }
    assert_true(atomics == 0 || atomics == 4);
    history_finish(&seen, history);
}

/* Four elements at once are four accesses. */
static void test_wide_reads_are_told_element_by_element(void **state)
{
    struct seen seen;
    unsigned times[256] = {0};
    (void)state;
    struct rd_history *history = history_make(
        &seen, &(struct test_case){.program = "ladder-vectorised", .n = 256, .block = 32});
    struct rd_access_list list = accesses_of(history, rd_history_frame_of_step(history, 1));
    for (size_t k = 0; k < list.count; k++)
        if (strcmp(list.arrays[list.accesses[k].array].name, "a") == 0) {
            assert_int_equal(list.accesses[k].value, list.accesses[k].index);
            times[list.accesses[k].index]++;
        }
    for (size_t j = 0; j < 256; j++)
        assert_int_equal(times[j], 1);
    history_finish(&seen, history);
}

/* A checkpoint has its block's accesses since the last one, to shared memory, too. */
static void test_accesses_of_a_checkpoint_are_its_blocks(void **state)
{
    struct seen seen;
    (void)state;
    struct rd_history *history =
        history_make(&seen, &(struct test_case){.program = "dot-shared", .n = 64, .block = 16});
    size_t checked = 0, total = 0;
    for (size_t f = 0; f < rd_history_frames(history); f++) {
        const struct rd_frame *frame = rd_history_frame(history, f);
        struct rd_access_list list = accesses_of(history, f);
        if (frame->inside)
            total += list.count;
        if (!frame->inside || frame->before == f)
            continue;
        /* Half as many threads as before add a cell to theirs. */
        size_t threads = frame->claim.count;
        assert_int_equal(list.count, 3 * threads);
        for (size_t k = 0; k < list.count; k++) {
            assert_true(list.arrays[list.accesses[k].array].shared);
            assert_string_equal(list.arrays[list.accesses[k].array].name, frame->array);
            assert_true(list.accesses[k].thread < threads);
            assert_true(list.accesses[k].interval > 0);
        }
        checked++;
    }
    assert_true(checked >= 4);
    size_t last = rd_history_frames(history) - 1;
    assert_true(accesses_of(history, last).count > total);
    history_finish(&seen, history);
}

/* A warp's lanes are its own. */
static void test_accesses_of_a_warps_checkpoint_are_its_threads(void **state)
{
    struct seen seen;
    bool met = false;
    (void)state;
    struct rd_history *history = history_make(
        &seen, &(struct test_case){.program = "ladder-shuffles-twice", .n = 256, .block = 128});
    for (size_t f = 0; f < rd_history_frames(history); f++) {
        const struct rd_frame *frame = rd_history_frame(history, f);
        struct rd_access_list list = accesses_of(history, f);
        bool of_warp = frame->inside && frame->place.warp != RD_WHOLE_BLOCK;
        for (size_t k = 0; k < list.count && of_warp; k++) {
            assert_int_equal(list.accesses[k].thread / 32, frame->place.warp);
            met = true;
        }
    }
    assert_true(met);
    history_finish(&seen, history);
}

/* ---- how much is kept ---- */

/* Looks at everything that is kept once it was asked for. Returns whether some accesses were left out. */
static bool look_at_all(struct rd_history *history)
{
    struct rd_origin nodes[8];
    struct rd_access_list list;
    struct rd_history_cell cell;
    struct rd_input_set is, should;
    struct rd_error error = {""};
    const uint32_t *seen;
    struct rd_origins tree;
    bool truncated = false;
    for (size_t f = 0; f < rd_history_frames(history); f++) {
        assert_int_equal(rd_history_cell(history, f, 0, &cell, &error), RD_OK);
        assert_int_equal(rd_history_accesses(history, f, &list, &error), RD_OK);
        assert_int_equal(rd_history_seen(history, &seen, &error), RD_OK);
        truncated |= list.truncated;
        enum rd_status status = rd_history_origin(history, f, 0, nodes, 8, &tree, &error);
        if (status != RD_OK) {
            assert_int_equal(status, RD_ERROR_USAGE);
            assert_contains(error.text, "that there is room for");
        }
        assert_int_equal(rd_history_set(history, f, 0, &is, &should, &error), RD_OK);
    }
    return truncated;
}

static void test_all_that_is_kept_is_bounded(void **state)
{
    enum { N = 1 << 16, BYTES_MAX = 8 << 20 };
    struct seen seen;
    (void)state;
    seen_init(&seen, &(struct test_case){.program = "fold", .n = N});
    for (int bounded = 0; bounded < 2; bounded++) {
        const struct rd_history_options options = {.bytes_max = bounded ? BYTES_MAX : 0};
        struct rd_history *history = NULL;
        struct rd_error error = {""};
        if (rd_history_run(&history, &seen.run, &options, &error) != RD_OK)
            fail_msg("%s", error.text);
        assert_true(rd_history_bytes(history) > 0);
        assert_int_equal(look_at_all(history), bounded);
        size_t bytes = rd_history_bytes(history);
        if (bounded)
            assert_in_range(bytes, 1 << 20, BYTES_MAX);
        else /* the accesses of all rounds alone are more */
            assert_true(bytes > BYTES_MAX);
        rd_history_destroy(history);
    }
    seen_finish(&seen);
}

/* ---- what is wrong ---- */

/* A cell whose value came from beyond an array is not made of what was read before that. */
static void test_access_out_of_bounds_is_told_as_one(void **state)
{
    struct seen seen;
    struct rd_origin nodes[8];
    struct rd_error error;
    struct rd_origins tree;
    size_t outside = 0;
    bool read = false;
    (void)state;
    if (!test_device_is_sim())
        skip(); /* a GPU ends it there, and all that follows */
    struct rd_history *history =
        history_make(&seen, &(struct test_case){.program = "multi-block:shared-split", .n = 8192});
    struct rd_access_list list = accesses_of(history, 1);
    for (size_t k = 0; k < list.count; k++) {
        const struct rd_access *access = &list.accesses[k];
        const struct rd_access_array *array = &list.arrays[access->array];
        assert_int_equal(access->outside, access->index >= array->n_elems);
        outside += access->outside;
        read |= access->outside && access->op == RD_ACCESS_READ && access->block == 1 &&
                access->thread == 0 && access->index == 1024 && array->shared;
    }
    assert_true(outside > 0 && outside < list.count);
    assert_true(read);
    assert_int_equal(rd_history_origin(history, 1, 1, nodes, 8, &tree, &error), RD_OK);
    assert_int_equal(tree.count, 2);
    assert_int_equal(tree.extent, RD_ORIGINS_LACK);
    assert_int_equal(nodes[1].index, 1024);
    assert_int_equal(nodes[1].kind, RD_ORIGIN_OUTSIDE);
    history_finish(&seen, history);
}

/* A thread that passes a barrier before the others come to it has the array copied before they have written: their
 * writes are no part of that checkpoint. */
static void test_write_behind_the_copy_is_not_of_the_checkpoint(void **state)
{
    static const struct rd_break broken = {.kind = RD_BREAK_BARRIER, .step = 1, .barrier = 1};
    struct rd_history *history = NULL;
    struct rd_error error;
    struct seen seen;
    size_t writes = 0;
    (void)state;
    if (!test_device_is_sim())
        skip(); /* only there can a barrier be broken */
    seen_init(&seen, &(struct test_case){.program = "dot-shared", .n = 16, .block = 4});
    seen.run.breaks = &broken;
    seen.run.n_breaks = 1;
    assert_int_equal(rd_history_run(&history, &seen.run, NULL, &error), RD_OK);
    assert_true(rd_history_frame(history, 1)->inside);
    struct rd_access_list list = accesses_of(history, 1);
    for (size_t k = 0; k < list.count; k++) {
        const struct rd_access *access = &list.accesses[k];
        if (access->op == RD_ACCESS_READ || !list.arrays[access->array].shared)
            continue;
        writes++;
        assert_int_equal(access->value, value_of(history, 1, access->index));
    }
    assert_int_equal(writes, 1); /* of thread 0, which was the first */
    history_finish(&seen, history);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_access_out_of_bounds_is_told_as_one),
        cmocka_unit_test(test_write_behind_the_copy_is_not_of_the_checkpoint),
        cmocka_unit_test(test_accesses_of_a_fold_are_its_reads_and_writes),
        cmocka_unit_test(test_accesses_of_a_trace_are_those_of_its_rounds),
        cmocka_unit_test(test_writes_lead_from_each_frame_to_the_next),
        cmocka_unit_test(test_atomics_have_the_line_that_makes_them),
        cmocka_unit_test(test_wide_reads_are_told_element_by_element),
        cmocka_unit_test(test_accesses_of_a_checkpoint_are_its_blocks),
        cmocka_unit_test(test_accesses_of_a_warps_checkpoint_are_its_threads),
        cmocka_unit_test(test_all_that_is_kept_is_bounded),
    };
    return cmocka_run_group_tests(tests, test_set_up, test_tear_down) != 0;
}
