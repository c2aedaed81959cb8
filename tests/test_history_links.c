// SPDX-License-Identifier: MIT
/* Links between accesses: they are what a walk from the first access to the last one finds,
 * also if threads and blocks are interleaved. */
#include "history_harness.h"

#include <string.h>

static const struct test_case cases[] = {
    {.program = "fold", .n = 64, .block = 8},
    {.program = "fold:inclusive-bound", .n = 16},
    {.program = "unfold", .n = 16},
    {.program = "dot-naive", .n = 16},
    {.program = "dot-shared", .n = 100, .block = 32},
    {.program = "multi-block-grid-sync", .n = 96, .block = 16},
    {.program = "multi-block-last-block", .n = 96, .block = 16},
    {.program = "multi-block-atomic", .n = 96, .block = 16},
    {.program = "ladder-warp-shuffle", .n = 256, .block = 128},
    {.program = "puzzle-axis-sum", .n = 24},
};

static bool same_thread(const struct rd_access *x, const struct rd_access *y)
{
    return x->block == y->block && x->thread == y->thread;
}

static bool same_element(const struct rd_access_list *list, const struct rd_access *x,
                         const struct rd_access *y)
{
    return x->array == y->array && x->index == y->index &&
           (!list->arrays[x->array].shared || x->block == y->block);
}

/* Each access is there once, behind those of its thread that came before it. */
static void check_order(const struct rd_access_list *list)
{
    bool *met = calloc(list->count + 1, sizeof *met);
    size_t next = 0;
    assert_non_null(met);
    for (size_t t = 0; t < list->n_threads; t++) {
        const struct rd_access_thread *thread = &list->threads[t];
        assert_int_equal(thread->first, next);
        assert_true(thread->count > 0);
        next += thread->count;
        for (size_t k = thread->first; k < next; k++) {
            const struct rd_access *access = &list->accesses[list->order[k]];
            assert_int_equal(access->thread, thread->thread);
            assert_int_equal(access->block, thread->block);
            assert_false(met[list->order[k]]);
            met[list->order[k]] = true;
            if (k > thread->first)
                assert_true(list->order[k - 1] < list->order[k]);
        }
        for (size_t other = 0; other < t; other++)
            assert_false(list->threads[other].block == thread->block &&
                         list->threads[other].thread == thread->thread);
    }
    assert_int_equal(next, list->count);
    free(met);
}

/* Checks that each value that was written has a move, but those that lanes keep. */
static size_t check_writes(const struct rd_access_list *list)
{
    size_t in_memory = 0, moved = 0;
    for (size_t k = 0; k < list->count; k++)
        in_memory +=
            rd_access_leaves(list->accesses[k].op) && !rd_access_is_of_lane(list->accesses[k].op);
    for (size_t m = 0; m < list->n_moves; m++) {
        const struct rd_access_move *move = &list->moves[m];
        const struct rd_access *write = &list->accesses[list->order[move->write]];
        assert_true(rd_access_leaves(write->op));
        moved += !rd_access_is_of_lane(write->op);
        assert_int_equal(list->threads[move->thread].thread, write->thread);
        assert_int_equal(list->threads[move->thread].block, write->block);
    }
    assert_int_equal(moved, in_memory);
    return list->n_moves - in_memory;
}

/* Without lanes, before each write its thread's reads, back to its write before. */
static void check_moves(const struct rd_access_list *list)
{
    for (size_t m = 0; m < list->n_moves && !list->lanes; m++) {
        const struct rd_access_move *move = &list->moves[m];
        size_t write = list->order[move->write], reads = 0;
        assert_int_equal(move->n_far, 0);
        for (size_t k = write; k-- > 0;) {
            if (!same_thread(&list->accesses[k], &list->accesses[write]))
                continue;
            if (list->accesses[k].op != RD_ACCESS_READ)
                break;
            reads++;
            assert_true(reads <= move->n_reads);
            assert_int_equal(list->sources[move->first + move->n_reads - reads], k);
        }
        assert_int_equal(move->n_reads, reads);
    }
}

/* Each access with the last write of its element. Returns how many have one. */
static size_t check_seen(const struct rd_access_list *list, const uint32_t *seen)
{
    size_t linked = 0;
    for (size_t k = 0; k < list->count; k++) {
        size_t found = k;
        while (found > 0 && (!rd_access_leaves(list->accesses[found - 1].op) ||
                             !same_element(list, &list->accesses[found - 1], &list->accesses[k])))
            found--;
        assert_int_equal(seen[k], found > 0 ? (uint32_t)found - 1 : RD_NO_ACCESS);
        linked += found > 0;
    }
    return linked;
}

static void test_links_are_what_a_walk_finds(void **state)
{
    (void)state;
    size_t linked = 0, of_lanes = 0;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct seen seen;
        struct rd_history *history = NULL;
        struct rd_error error = {""};
        if (!test_repeats(&cases[c]))
            continue;
        seen_init(&seen, &cases[c]);
        if (rd_history_run(&history, &seen.run, NULL, &error) != RD_OK)
            fail_msg("%s", error.text);
        for (size_t f = 0; f < rd_history_frames(history); f++) {
            struct rd_access_list list;
            const uint32_t *links;
            assert_int_equal(rd_history_accesses(history, f, &list, &error), RD_OK);
            assert_int_equal(rd_history_seen(history, &links, &error), RD_OK);
            check_order(&list);
            of_lanes += check_writes(&list);
            check_moves(&list);
            linked += check_seen(&list, links);
        }
        rd_history_destroy(history);
        seen_finish(&seen);
    }
    assert_true(linked > 100);
    assert_true(of_lanes > 32);
}

static void test_links_of_no_accesses_are_refused(void **state)
{
    struct seen seen;
    struct rd_history *history = NULL;
    const uint32_t *links;
    struct rd_error error = {""};
    (void)state;
    seen_init(&seen, &cases[0]);
    assert_int_equal(rd_history_run(&history, &seen.run, NULL, &error), RD_OK);
    assert_int_equal(rd_history_seen(history, &links, &error), RD_ERROR_USAGE);
    rd_history_destroy(history);
    seen_finish(&seen);
}

/* A cell of shared memory that a launch reads unwritten is nobody's, whatever a launch before had there. */
static void test_shared_memory_lasts_no_longer_than_its_launch(void **state)
{
    enum { NODES_MAX = 256 };
    static const struct rd_break broken = {.kind = RD_BREAK_THREAD, .step = 2, .thread = 1};
    struct rd_origin nodes[NODES_MAX];
    struct seen seen;
    struct rd_history *history = NULL;
    struct rd_error error = {""};
    struct rd_origins tree;
    size_t unwritten = 0;
    (void)state;
    if (!test_device_is_sim())
        skip();
    seen_init(&seen,
              &(struct test_case){.program = "multi-block-two-launch", .n = 96, .block = 16});
    seen.run.breaks = &broken;
    seen.run.n_breaks = 1;
    if (rd_history_run(&history, &seen.run, NULL, &error) != RD_OK)
        fail_msg("%s", error.text);
    size_t last = rd_history_frames(history) - 1;
    if (rd_history_origin(history, last, 0, nodes, NODES_MAX, &tree, &error) != RD_OK)
        fail_msg("%s", error.text);
    for (size_t k = 0; k < tree.count; k++)
        unwritten += nodes[k].kind == RD_ORIGIN_UNWRITTEN;
    assert_int_equal(unwritten, 1);
    assert_int_equal(tree.extent, RD_ORIGINS_LACK);
    rd_history_destroy(history);
    seen_finish(&seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_links_are_what_a_walk_finds),
        cmocka_unit_test(test_shared_memory_lasts_no_longer_than_its_launch),
        cmocka_unit_test(test_links_of_no_accesses_are_refused),
    };
    return cmocka_run_group_tests(tests, test_set_up, test_tear_down) != 0;
}
