// SPDX-License-Identifier: MIT
/* Trees next to what cells hold: a tree that calls itself whole has for leaves just the inputs that are in
 * the cell, through memory and through the registers of lanes; and no other disagrees in silence. */
#include "history_harness.h"

#include <stdio.h>
#include <string.h>

enum { NODES_MAX = 1 << 15, FRAMES_MAX = 48, CELLS_MAX = 33, INPUTS_MAX = 2048 };

/* A tree, and how often each input is in it by its leaves. */
struct tree {
    struct rd_origin nodes[NODES_MAX];
    struct rd_origins about;
    int64_t a[INPUTS_MAX], b[INPUTS_MAX];
};

static struct tree tree;

/* Programs for which some tree can't be whole, and why. All others' are. */
static const struct {
    const char *program;
    enum rd_origins_extent extent;
} exceptions[] = {
    {"dot-shared:fixed-cache", RD_ORIGINS_LACK},           /* out of bounds */
    {"multi-block:shared-split", RD_ORIGINS_LACK},         /* likewise */
    {"puzzle-dot:beyond-the-block", RD_ORIGINS_LACK},      /* likewise */
    {"puzzle-conv1d:room-for-4", RD_ORIGINS_LACK},         /* likewise */
    {"puzzle-matmul:one-barrier", RD_ORIGINS_LACK},        /* others write while a thread reads */
    {"ladder-warp-shuffle:short-mask", RD_ORIGINS_LACK},   /* lanes that do not take part */
    {"ladder-shuffles-twice:no-barrier", RD_ORIGINS_LACK}, /* memory that nobody has written */
    {"dot-shared:fixed-cache",
     RD_ORIGINS_UNCHECKED}, /* as it writes to where another variable may be */
    {"puzzle-matmul:one-barrier", RD_ORIGINS_UNCHECKED},
    {"mse", RD_ORIGINS_UNCHECKED}, /* no sums of inputs */
    {"mse:dot", RD_ORIGINS_UNCHECKED},
    {"norm", RD_ORIGINS_UNCHECKED},
    {"norm:no-root", RD_ORIGINS_UNCHECKED},
    {"cosine", RD_ORIGINS_UNCHECKED},
    {"cosine:zero-norm", RD_ORIGINS_UNCHECKED},
};

static bool may_be(const struct rd_program *program, enum rd_origins_extent extent)
{
    if (extent == RD_ORIGINS_WHOLE || extent == RD_ORIGINS_CUT)
        return true;
    for (size_t k = 0; k < sizeof exceptions / sizeof *exceptions; k++)
        if (strcmp(exceptions[k].program, program->name) == 0 && exceptions[k].extent == extent)
            return true;
    return false;
}

/* Adds the set of a cell of the first array, so often. */
static void add_start(struct rd_history *history, const struct rd_origin *leaf, int64_t times)
{
    struct rd_input_set is, should;
    struct rd_error error = {""};
    if (leaf->value == 0)
        return;
    assert_string_equal(leaf->array, "A");
    if (rd_history_set(history, 0, leaf->index, &is, &should, &error) != RD_OK)
        fail_msg("%s", error.text);
    for (size_t r = 0; r < is.n_runs; r++)
        for (size_t k = 0; k < is.runs[r].count; k++)
            tree.a[is.runs[r].first + k * is.runs[r].stride] += times * is.runs[r].times;
}

/* Grows the tree of a cell. False where there is none. */
static bool grow(struct rd_history *history, size_t frame, size_t index)
{
    int sign[256] = {0};
    struct rd_error error = {""};
    memset(tree.a, 0, sizeof tree.a);
    memset(tree.b, 0, sizeof tree.b);
    enum rd_status status =
        rd_history_origin(history, frame, index, tree.nodes, NODES_MAX, &tree.about, &error);
    if (status != RD_OK) {
        assert_int_equal(status, RD_ERROR_USAGE);
        return false;
    }
    for (size_t k = 0; k < tree.about.count; k++) {
        const struct rd_origin *node = &tree.nodes[k];
        assert_in_range(node->depth, 0, 254);
        sign[node->depth] = (node->depth > 0 ? sign[node->depth - 1] : 1) * (node->minus ? -1 : 1);
        if (node->kind == RD_ORIGIN_INPUT)
            (node->array[0] == 'b' ? tree.b : tree.a)[node->index] += sign[node->depth];
        if (node->kind == RD_ORIGIN_START)
            add_start(history, node, sign[node->depth]);
    }
    return true;
}

/* ---- next to sets ---- */

static void check_set(struct rd_history *history, const struct rd_program *program, size_t frame,
                      size_t index, size_t *checked)
{
    struct rd_input_set is, should, leaves = {0};
    struct rd_error error = {""};
    if (tree.about.extent != RD_ORIGINS_WHOLE ||
        rd_history_set(history, frame, index, &is, &should, &error) != RD_OK)
        return;
    for (size_t j = 0; j < INPUTS_MAX; j++)
        if (tree.a[j] != 0)
            rd_input_set_add(&leaves, j, tree.a[j]);
    if (memcmp(&leaves, &is, sizeof is) != 0) {
        char has[256], holds[256];
        fail_msg("%s, frame %zu, cell %zu: the leaves are %s, and it holds %s", program->name,
                 frame, index, rd_input_set_text(&leaves, has, sizeof has),
                 rd_input_set_text(&is, holds, sizeof holds));
    }
    ++*checked;
}

static bool is_known(struct rd_history *history, size_t frame, size_t index)
{
    struct rd_history_cell cell;
    return rd_history_cell(history, frame, index, &cell, NULL) == RD_OK && cell.known;
}

/* All cells of all frames of a run, within bounds. Returns how many were compared with their sets. */
static size_t check_run(const struct test_case *test, bool *lacks)
{
    struct seen seen;
    size_t checked = 0;
    const struct rd_program *program = rd_program_named(test->program);
    struct rd_history *history = history_make(&seen, test);
    for (size_t f = 0; f < rd_history_frames(history) && f < FRAMES_MAX; f++)
        for (size_t i = 0; i < rd_history_frame(history, f)->n_cells && i < CELLS_MAX; i++) {
            if (!is_known(history, f, i) || !grow(history, f, i))
                continue;
            if (!may_be(program, tree.about.extent))
                fail_msg("%s, n = %zu, frame %zu, cell %zu: extent %d: %s", program->name, test->n,
                         f, i, (int)tree.about.extent, tree.about.why);
            *lacks |=
                tree.about.extent == RD_ORIGINS_LACK || tree.about.extent == RD_ORIGINS_UNCHECKED;
            check_set(history, program, f, i, &checked);
        }
    history_finish(&seen, history);
    return checked;
}

/* Two dimensions are as many cells squared. */
static bool is_square(const struct rd_program *program)
{
    return strstr(program->name, "2d") || strstr(program->name, "broadcast") ||
           strstr(program->name, "matmul");
}

static void test_leaves_of_whole_trees_are_the_sets_of_all_programs(void **state)
{
    static const struct {
        size_t n, square;
        unsigned block;
        size_t grid;
    } shapes[] = {{64, 7, 0, 0}, {100, 10, 32, 0}, {256, 5, 64, 2}, {40, 4, 8, 2}, {24, 6, 5, 3}};
    size_t programs = 0;
    (void)state;
    if (!test_device_is_sim())
        skip();
    for (const struct rd_program *const *p = rd_programs; *p; p++, programs++) {
        size_t checked = 0, runs = 0;
        bool lacks = false;
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
            const struct test_case test = {
                .program = (*p)->name,
                .n = is_square(*p) ? shapes[s].square : shapes[s].n,
                .block = shapes[s].block,
                .grid = (*p)->blocks ? shapes[s].grid : 0,
                .frame = true,
            };
            if (!test_accepts(&test) || !test_is_due())
                continue;
            checked += check_run(&test, &lacks);
            runs++;
        }
        assert_true(checked > 0 || runs == 0 || (*p)->no_witness);
    }
    assert_true(programs > 80);
}

/* Floats are weighed as integers. */
static void test_leaves_of_whole_trees_are_the_sets_of_floats(void **state)
{
    static const struct test_case cases[] = {
        {.program = "fold", .n = 16, .type = RD_TYPE_F32, .values = "random:5"},
        {.program = "unfold", .n = 16, .type = RD_TYPE_F64},
        {.program = "dot-shared", .n = 100, .block = 32, .type = RD_TYPE_F64, .values = "random"},
        {.program = "ladder-warp-shuffle", .n = 256, .block = 128, .type = RD_TYPE_F32},
        {.program = "ladder-tiles", .n = 300, .block = 64, .type = RD_TYPE_F64},
        {.program = "ladder-vectorised", .n = 517, .block = 64, .grid = 4, .type = RD_TYPE_F32},
        {.program = "ladder-dot", .n = 517, .block = 64, .grid = 3, .type = RD_TYPE_F32},
        {.program = "ladder-dot", .n = 130, .block = 33, .grid = 3, .type = RD_TYPE_U64},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        bool lacks = false;
        if (!test_repeats(&cases[c]))
            continue;
        assert_true(check_run(&cases[c], &lacks) > 0);
        assert_false(lacks);
    }
}

/* The exceptions above are reported, and not passed over. */
static void test_trees_that_are_not_whole_say_so(void **state)
{
    static const struct test_case cases[] = {
        {.program = "dot-shared:fixed-cache", .n = 1000, .block = 512, .grid = 2},
        {.program = "puzzle-dot:beyond-the-block", .n = 16},
        {.program = "ladder-warp-shuffle:short-mask", .n = 64, .block = 64},
        {.program = "ladder-shuffles-twice:no-barrier", .n = 256, .block = 64, .grid = 2},
    };
    (void)state;
    if (!test_device_is_sim())
        skip();
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        bool lacks = false;
        check_run(&cases[c], &lacks);
        if (!lacks)
            fail_msg("%s: all trees are whole", cases[c].program);
    }
}

/* ---- next to what changes ---- */

/* The sets of one run at each of its steps, cell by cell. */
struct outcome {
    size_t n_steps;
    rd_bits *cells[FRAMES_MAX];
    bool *known[FRAMES_MAX];
};

static void take_outcome(struct seen *seen, struct outcome *outcome)
{
    seen_make(seen);
    outcome->n_steps = seen->n_steps < FRAMES_MAX ? seen->n_steps : FRAMES_MAX;
    for (size_t s = 0; s < outcome->n_steps; s++) {
        size_t n = seen->steps[s].expect.n;
        outcome->cells[s] = calloc(n + 1, sizeof *outcome->cells[s]);
        outcome->known[s] = calloc(n + 1, sizeof *outcome->known[s]);
        assert_non_null(outcome->cells[s]);
        assert_non_null(outcome->known[s]);
        for (size_t i = 0; i < n; i++)
            outcome->known[s][i] = seen_cell(seen, s, i, &outcome->cells[s][i]);
    }
}

static void finish_outcome(struct outcome *outcome)
{
    for (size_t s = 0; s < outcome->n_steps; s++) {
        free(outcome->cells[s]);
        free(outcome->known[s]);
    }
}

/* The run with one input changed; `b`: of the second ones. */
static void change(const struct test_case *test, size_t j, bool b, struct outcome *outcome)
{
    struct seen seen;
    seen_init(&seen, test);
    rd_bits *inputs = b ? (rd_bits *)seen.values.b : (rd_bits *)seen.values.a;
    inputs[j] += 1000003;
    take_outcome(&seen, outcome);
    seen_finish(&seen);
}

/* Each cell of the run against the leaves of its tree: it changes with these, and with no other input. */
static void check_changes(const struct test_case *test)
{
    struct seen seen;
    struct outcome was, is;
    const struct rd_program *program = rd_program_named(test->program);
    const struct rd_shape shape = test_shape(test);
    const size_t n_a = rd_program_inputs(program, &shape);
    const size_t n_b = rd_program_inputs_b(program, &shape);
    struct rd_history *history = history_make(&seen, test);
    take_outcome(&seen, &was);
    for (size_t j = 0; j < n_a + n_b; j++) {
        const bool b = j >= n_a;
        change(test, b ? j - n_a : j, b, &is);
        assert_int_equal(is.n_steps, was.n_steps);
        for (size_t f = 0; f < was.n_steps; f++)
            for (size_t i = 0; i < seen.steps[f].expect.n && i < CELLS_MAX; i++) {
                if (!was.known[f][i] || !grow(history, f, i) ||
                    tree.about.extent == RD_ORIGINS_LACK)
                    continue;
                bool leaf = (b ? tree.b[j - n_a] : tree.a[j]) != 0;
                if (leaf != (was.cells[f][i] != is.cells[f][i]))
                    fail_msg("%s, frame %zu, cell %zu: %s[%zu] is %sleaf of its tree",
                             program->name, f, i, b ? "b" : "a", b ? j - n_a : j,
                             leaf ? "a " : "no ");
            }
        finish_outcome(&is);
    }
    finish_outcome(&was);
    history_finish(&seen, history);
}

static void test_cells_change_with_the_leaves_of_their_trees_alone(void **state)
{
    (void)state;
    if (!test_device_is_sim())
        skip();
    for (const struct rd_program *const *p = rd_programs; *p; p++) {
        struct test_case test = {
            .program = (*p)->name,
            .n = is_square(*p) ? 3 : 6,
            .type = RD_TYPE_U64,
            .values = "random:11",
            .block = 4,
            .grid = (*p)->blocks ? 2 : 0,
            .frame = true,
        };
        for (int larger = 0; larger < 2 && !test_accepts(&test); larger++)
            test.n = larger == 0 ? 8 : 32;
        if (test_accepts(&test) && test_is_due())
            check_changes(&test);
    }
}

/* ---- through lanes ---- */

/* Each register that was seen is what it was made of: 64 ones, from both sides at each level. */
static void test_tree_of_a_shuffle_has_the_register_of_each_lane(void **state)
{
    struct seen seen;
    size_t registers = 0, others = 0;
    (void)state;
    struct rd_history *history = history_make(
        &seen, &(struct test_case){
                   .program = "ladder-warp-shuffle", .n = 64, .block = 32, .values = "ones"});
    size_t last = rd_history_frames(history) - 1;
    assert_true(grow(history, last, 0));
    assert_int_equal(tree.about.extent, RD_ORIGINS_WHOLE);
    for (size_t k = 0; k < tree.about.count; k++) {
        const struct rd_origin *node = &tree.nodes[k];
        registers += node->kind == RD_ORIGIN_REGISTER;
        others += node->kind == RD_ORIGIN_REGISTER && node->thread != 0;
        if (node->kind != RD_ORIGIN_REGISTER)
            continue;
        assert_string_equal(node->array, "r");
        assert_int_equal(node->index, node->thread);
    }
    assert_int_equal(tree.nodes[0].value, 64);
    assert_int_equal(registers, 63); /* of a tree over 32 lanes */
    assert_int_equal(others, 63 - 6);
    history_finish(&seen, history);
}

/* Each lane takes what the one `o` further up has handed. */
static void test_lanes_take_what_others_have_handed(void **state)
{
    struct seen seen;
    unsigned frames = 0;
    (void)state;
    struct rd_history *history = history_make(
        &seen, &(struct test_case){.program = "ladder-warp-shuffle", .n = 64, .block = 32});
    for (size_t f = 0; f < rd_history_frames(history); f++) {
        const struct rd_frame *frame = rd_history_frame(history, f);
        struct rd_access_list list;
        struct rd_error error = {""};
        const uint32_t *handed;
        unsigned taken = 0;
        if (!frame->inside || frame->place.warp == RD_WHOLE_BLOCK || frame->place.variable == 32)
            continue;
        assert_int_equal(rd_history_accesses(history, f, &list, &error), RD_OK);
        assert_int_equal(rd_history_seen(history, &handed, &error), RD_OK);
        assert_true(list.lanes);
        for (size_t k = 0; k < list.count; k++) {
            const struct rd_access *access = &list.accesses[k];
            size_t from = access->thread + frame->place.variable;
            if (access->op != RD_ACCESS_TAKE)
                continue;
            taken++;
            assert_int_equal(access->index, from < 32 ? from : access->thread);
            assert_int_not_equal(handed[k], RD_NO_ACCESS);
            assert_int_equal(list.accesses[handed[k]].op, RD_ACCESS_HAND);
            assert_int_equal(list.accesses[handed[k]].thread, access->index);
            assert_int_equal(list.accesses[handed[k]].value, access->value);
        }
        assert_int_equal(taken, 32);
        frames++;
    }
    assert_int_equal(frames, 5);
    history_finish(&seen, history);
}

/* The only move to that cell of the frame's array. */
static const struct rd_access_move *move_to(const struct rd_access_list *list,
                                            const struct rd_frame *frame, size_t index)
{
    const struct rd_access_move *found = NULL;
    for (size_t m = 0; m < list->n_moves; m++) {
        const struct rd_access *write = &list->accesses[list->order[list->moves[m].write]];
        if (!rd_frame_shows(frame, &list->arrays[write->array]) || write->index != index)
            continue;
        assert_null(found);
        found = &list->moves[m];
    }
    return found;
}

/* A register is moved from itself and from the lane that was taken from; a cell of memory, from all that
 * the lanes had read. */
static void test_moves_lead_from_lane_to_lane_and_from_all_that_lanes_read(void **state)
{
    struct seen seen;
    struct rd_access_list list;
    struct rd_error error = {""};
    (void)state;
    struct rd_history *history = history_make(
        &seen,
        &(struct test_case){.program = "ladder-vectorised", .n = 256, .block = 32, .grid = 4});
    size_t last = rd_history_frames(history) - 1, lanes = last;
    assert_int_equal(rd_history_accesses(history, last, &list, &error), RD_OK);
    const struct rd_access_move *move = move_to(&list, rd_history_frame(history, last), 0);
    assert_non_null(move);
    assert_int_equal(move->n_far, 4); /* the partials of 4 blocks */
    for (size_t k = 0; k < 4; k++) {
        const struct rd_access *read = &list.accesses[list.sources[move->first_far + k]];
        assert_string_equal(list.arrays[read->array].name, "scratch");
        assert_int_equal(read->op, RD_ACCESS_READ);
    }
    while (rd_history_frame(history, lanes)->place.variable != 2 ||
           rd_history_frame(history, lanes)->place.warp == RD_WHOLE_BLOCK ||
           !rd_history_frame(history, lanes)->inside)
        lanes--;
    assert_int_equal(rd_history_accesses(history, lanes, &list, &error), RD_OK);
    move = move_to(&list, rd_history_frame(history, lanes), 1);
    assert_non_null(move);
    assert_int_equal(move->n_far, 0);
    assert_int_equal(move->n_reads, 2);
    const struct rd_access *own = &list.accesses[list.sources[move->first]];
    const struct rd_access *taken = &list.accesses[list.sources[move->first + 1]];
    assert_true(rd_access_leaves(own->op) && rd_access_is_of_lane(own->op));
    assert_int_equal(own->index, 1);
    assert_int_equal(taken->op, RD_ACCESS_TAKE);
    assert_int_equal(taken->index, 3);
    history_finish(&seen, history);
}

/* One thread writes three sums of what it has read once: of both inputs, of the one and of the other. */
static void test_moves_of_kept_values_lead_from_the_inputs_that_they_depend_on(void **state)
{
    struct seen seen;
    struct rd_access_list list;
    struct rd_error error = {""};
    (void)state;
    struct rd_history *history = history_make(
        &seen, &(struct test_case){.program = "cosine", .n = 4, .block = 4, .grid = 1});
    assert_true(rd_history_frame(history, 1)->inside);
    assert_int_equal(rd_history_accesses(history, 1, &list, &error), RD_OK);
    for (size_t cell = 0; cell < 12; cell++) {
        const struct rd_access_move *move = move_to(&list, rd_history_frame(history, 1), cell);
        bool reads[2] = {false};
        assert_non_null(move);
        for (size_t k = 0; k < move->n_reads; k++) {
            const struct rd_access *read = &list.accesses[list.sources[move->first + k]];
            assert_int_equal(read->index, cell / 3);
            reads[list.arrays[read->array].name[0] == 'b'] = true;
        }
        assert_int_equal(reads[0], cell % 3 != 2);
        assert_int_equal(reads[1], cell % 3 != 1);
        assert_int_equal(move->unsure, cell % 3 != 0); /* squares are no sums */
    }
    history_finish(&seen, history);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leaves_of_whole_trees_are_the_sets_of_all_programs),
        cmocka_unit_test(test_leaves_of_whole_trees_are_the_sets_of_floats),
        cmocka_unit_test(test_trees_that_are_not_whole_say_so),
        cmocka_unit_test(test_cells_change_with_the_leaves_of_their_trees_alone),
        cmocka_unit_test(test_tree_of_a_shuffle_has_the_register_of_each_lane),
        cmocka_unit_test(test_lanes_take_what_others_have_handed),
        cmocka_unit_test(test_moves_lead_from_lane_to_lane_and_from_all_that_lanes_read),
        cmocka_unit_test(test_moves_of_kept_values_lead_from_the_inputs_that_they_depend_on),
    };
    return cmocka_run_group_tests(tests, test_set_up, test_tear_down) != 0;
}
