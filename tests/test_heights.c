// SPDX-License-Identifier: MIT
/* The heights of expression trees, from which the bounds of floats follow: the height of the very tree that
 * a kernel has, the one that its invariant takes the bound from, and the one that its text states. Here the
 * numbers are heights themselves: 0 for nothing, 1 for an element, and one more for each rounding. */
#include "formula.h"
#include "harness.h"
#include "reductio/law.h"
#include "short_run.h"

#include <string.h>

static rd_bits higher(rd_bits x, rd_bits y)
{
    return x > y ? x : y;
}

/* 0 + x is x, and no rounding. */
static rd_bits height_of_sum(rd_bits x, rd_bits y)
{
    return x == 0 || y == 0 ? higher(x, y) : higher(x, y) + 1;
}

static rd_bits height_of_difference(rd_bits x, rd_bits y)
{
    return higher(x, y) + 1;
}

/* Adds the errors of both factors, and the product's own rounding. */
static rd_bits height_of_product(rd_bits x, rd_bits y)
{
    return x == 0 || y == 0 ? 0 : x + y;
}

struct tree {
    unsigned said; /* by the invariant, after the last round */
    unsigned is;
};

/* The highest sum of the cells, as the host adds them: all, or those `stride` apart. */
static rd_bits height_of_cells(const struct rd_expect *expect, size_t stride)
{
    const uint64_t *cells = expect->cells;
    rd_bits highest = 0;
    for (size_t first = 0; first < stride; first++) {
        rd_bits sum = cells[first];
        for (size_t k = first + stride; k < expect->n; k += stride)
            sum = height_of_sum(sum, cells[k]);
        highest = higher(highest, sum);
    }
    return highest;
}

/* The program's cells in the end, each one more than the height of its tree, worked out one by one. In place of `cells`. */
static void *by_the_tree(const struct rd_program *program, const struct rd_shape *shape,
                         const struct rd_numeric *heights, const void *ones, void *cells)
{
    const struct rd_law_sizes sizes = {.n = shape->n, .T = shape->block, .B = shape->grid};
    const void *const inputs[] = {ones, ones};
    const struct rd_law_data data = {.numeric = heights, .inputs = inputs, .one_by_one = true};
    const size_t n = rd_program_cells(program, shape);
    struct rd_law *law;
    struct rd_law_run *run;
    assert_int_equal(rd_law_create(&law, rd_program_law(program), NULL), RD_OK);
    assert_int_equal(rd_law_run_create(&run, law, &sizes, NULL), RD_OK);
    free(cells);
    cells = calloc(n + 1, sizeof(uint64_t));
    assert_non_null(cells);
    for (unsigned step = 0; step <= rd_program_rounds(program, shape); step++) {
        const struct rd_law_place place = {.d = step};
        assert_int_equal(rd_law_apply(run, rd_law_section(law, 0),
                                      step ? RD_LAW_UPDATE : RD_LAW_START, &place, &data, cells,
                                      NULL, NULL),
                         RD_OK);
    }
    rd_law_run_destroy(run);
    rd_law_destroy(law);
    return cells;
}

/* The tree of the program's result: a cell, or the host's sum of the cells. */
static struct tree tree_of(const struct rd_program *program, const struct rd_shape *shape)
{
    struct rd_numeric heights = *rd_numeric(RD_TYPE_U64);
    struct rd_expect expect;
    struct rd_error error;
    size_t inputs = rd_program_inputs(program, shape) + rd_program_inputs_b(program, shape);
    uint64_t *ones = malloc(inputs * sizeof *ones);
    float *zeros = calloc(inputs, sizeof *zeros);
    assert_non_null(ones);
    assert_non_null(zeros);
    for (size_t j = 0; j < inputs; j++)
        ones[j] = 1;
    heights.add = heights.combine = height_of_sum;
    heights.subtract = height_of_difference;
    heights.times = height_of_product;
    assert_int_equal(
        rd_expect_init(&expect, program, rd_numeric(RD_TYPE_F32), shape, zeros, zeros, &error),
        RD_OK);
    for (unsigned step = 0; step <= rd_program_rounds(program, shape); step++)
        assert_int_equal(rd_program_advance(program, &expect, step, &error), RD_OK);
    const unsigned said = expect.height;
    expect.n = rd_program_cells(program, shape);
    expect.cells = by_the_tree(program, shape, &heights, ones, expect.cells);
    bool each = program->goal == RD_GOAL_LAST || program->goal == RD_GOAL_SUM;
    size_t triples = strcmp(program->name, "cosine") == 0 ? 3 : 1;
    const uint64_t *cells = expect.cells;
    rd_bits end = each ? cells[0] : height_of_cells(&expect, triples);
    for (size_t k = 1; k < expect.n && program->goal == RD_GOAL_LAST; k++)
        end = higher(end, cells[k]);
    const struct tree tree = {.said = said, .is = (unsigned)end - 1};
    rd_expect_finish(&expect);
    free(ones);
    free(zeros);
    return tree;
}

/* In each text that has a height: behind which words, and from how many elements a thread on the tree is as
 * high as that; with fewer it may be lower. 0: always. */
static const struct row {
    const char *program, *words;
    size_t elements;
} rows[] = {
    {"fold", "its height is ", 0},
    {"fold-guard", "floats: height ", 0},
    {"fold-ceil", "floats: height ", 0},
    {"tournament", "floats: height ", 0},
    {"dot-fold", "the tree: height ", 0},
    {"dot-tournament", "floats: height ", 0},
    {"dot-cpu", "floats: height ", 0},
    {"dot-partial", "height at most ", 1},
    {"dot-shared", "height at most ", 1},
    {"dot-two-phase", "height at most ", 1},
    {"mse", "height at most ", 1},
    {"cosine", "height at most ", 1},
    {"norm", "height at most ", 1},
    {"multi-block-two-launch", "height at most ", 1},
    {"multi-block-grid-sync", "height at most ", 1},
    {"multi-block-last-block", "height at most ", 1},
    {"puzzle-pool", "height at most ", 3},
    {"puzzle-dot", "height at most ", 1},
    {"puzzle-conv1d", "height at most ", 0},
    {"puzzle-block-sum", "height at most ", 1},
    {"puzzle-axis-sum", "height at most ", 1},
    {"puzzle-matmul", "height at most ", 0},
    {"ladder-interleaved-modulo", "height at most ", 1},
    {"ladder-interleaved-strided", "height at most ", 1},
    {"ladder-sequential", "height at most ", 1},
    {"ladder-first-add", "height at most ", 2},
    {"ladder-warp-shuffle", "height at most ", 2},
    {"ladder-unrolled", "height at most ", 2},
    {"ladder-grid-stride", "height at most ", 1},
    {"ladder-shuffles-twice", "height at most ", 1},
    {"ladder-tiles", "height at most ", 1},
    {"ladder-vectorised", "height at most ", 4},
    {"ladder-cooperative", "height at most ", 4},
    {"ladder-dot", "height at most ", 4},
};
/* Sums in any order: only the height of the highest possible tree is known, and the invariant's must be the stated
 * one. */
static const struct row any_order[] = {
    {"multi-block-atomic", "height at most ", 1},
    {"ladder-vectorised-atomic", "height at most ", 4},
};
enum { ROWS = sizeof rows / sizeof *rows, ANY_ORDER = sizeof any_order / sizeof *any_order };

static bool is_square(const char *program)
{
    return strcmp(program, "puzzle-matmul") == 0;
}

/* The shape with what a text calls B where the program takes no number of blocks. */
static struct rd_shape stated_shape(const struct rd_program *program, struct rd_shape shape)
{
    struct rd_round round;
    if (shape.grid == 0 && rd_program_round(program, &shape, 1, &round))
        shape.grid = round.grid;
    return shape;
}

static double stated(const struct row *row, const struct rd_shape *shape)
{
    char *text = formula_text_of(rd_program_named(row->program));
    const char *at = strstr(text, row->words), *end;
    assert_non_null(at);
    double value = formula_value(at + strlen(row->words), shape, &end);
    free(text);
    return value;
}

/* Returns whether the program takes the shape. */
static bool check_tree(const struct row *row, struct rd_shape shape)
{
    const struct rd_program *program = rd_program_named(row->program);
    assert_non_null(program);
    shape = rd_program_shape(program, shape);
    if (rd_program_accept(program, &shape, NULL) != RD_OK)
        return false;
    if (!test_is_due())
        return true;
    const struct tree tree = tree_of(program, &shape);
    const struct rd_shape said = stated_shape(program, shape);
    double text = stated(row, &said);
    bool packs = row->elements == 4, small = packs && shape.n < 4;
    bool enough = shape.n >= row->elements * (shape.grid ? shape.grid * shape.block : shape.block);
    bool wrong = tree.is > tree.said || (!small && tree.said > text);
    if (wrong || (enough && (tree.is != tree.said || tree.said != text)))
        fail_msg("%s n=%zu block=%u grid=%zu: the height is %u, %u is asserted, and %g stated",
                 row->program, shape.n, shape.block, shape.grid, tree.is, tree.said, text);
    return true;
}

static void test_heights_are_those_of_the_trees_and_of_the_texts(void **state)
{
    static const unsigned blocks[] = {1, 2, 3, 8, 31, 32, 33, 64, 100, 513, 1000, 1024};
    static const size_t grids[] = {0, 1, 2, 3, 33, 70};
    (void)state;
    for (size_t r = 0; r < ROWS; r++) {
        unsigned taken = 0;
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b += short_run_step(2))
            for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
                size_t threads = blocks[b] * (grids[g] ? grids[g] : 2);
                const size_t sizes[] = {1,
                                        3,
                                        4,
                                        7,
                                        64,
                                        threads - 1,
                                        threads + 1,
                                        4 * threads,
                                        16 * threads,
                                        16 * threads + 3};
                /* Of the large, whose trees take long, each pair: of a block and a grid, and of each with a size. */
                for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
                    if (sizes[s] > 0 && sizes[s] <= 20000 &&
                        (sizes[s] <= 1000 || (b + g + s) % (5 * short_run_step(3)) == 0) &&
                        (sizes[s] <= 64 || !is_square(rows[r].program)))
                        taken +=
                            check_tree(&rows[r], (struct rd_shape){sizes[s], blocks[b], grids[g]});
            }
        assert_true(taken > 20);
    }
}

static void test_heights_in_any_order_are_as_stated(void **state)
{
    static const unsigned blocks[] = {1, 4, 32, 128, 1024};
    static const size_t grids[] = {1, 2, 33};
    (void)state;
    for (size_t r = 0; r < ANY_ORDER; r++)
        for (size_t b = 0; b < 5; b++)
            for (size_t g = 0; g < 3; g++)
                for (size_t n = 4; n < 100000; n = n * 5 - 7) {
                    const struct rd_program *program = rd_program_named(any_order[r].program);
                    const struct rd_shape shape = {n, blocks[b], grids[g]};
                    struct rd_expect expect;
                    struct rd_error error;
                    float *zeros = calloc(n, sizeof *zeros);
                    assert_int_equal(rd_expect_init(&expect, program, rd_numeric(RD_TYPE_F32),
                                                    &shape, zeros, NULL, &error),
                                     RD_OK);
                    assert_int_equal(rd_program_advance(program, &expect, 1, NULL), RD_OK);
                    const bool enough = n >= any_order[r].elements * grids[g] * blocks[b];
                    if (expect.height > stated(&any_order[r], &shape) ||
                        (enough && expect.height != stated(&any_order[r], &shape)))
                        fail_msg("%s n=%zu block=%u grid=%zu: %u is asserted, and %g stated",
                                 program->name, n, shape.block, shape.grid, expect.height,
                                 stated(&any_order[r], &shape));
                    rd_expect_finish(&expect);
                    free(zeros);
                }
}

/* A height that stands in a text stands in a row. */
static void test_texts_with_a_height_have_a_row(void **state)
{
    (void)state;
    for (const struct rd_program *const *p = rd_programs; *p; p++) {
        unsigned found = 0;
        for (size_t r = 0; r < ROWS; r++)
            found += strcmp(rows[r].program, (*p)->name) == 0;
        for (size_t r = 0; r < ANY_ORDER; r++)
            found += strcmp(any_order[r].program, (*p)->name) == 0;
        char *text = formula_text_of(*p);
        if (strstr(text, "height ") ? found != 1 : found != 0)
            fail_msg("%s: %u rows", (*p)->name, found);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heights_are_those_of_the_trees_and_of_the_texts),
        cmocka_unit_test(test_heights_in_any_order_are_as_stated),
        cmocka_unit_test(test_texts_with_a_height_have_a_row),
    };
    return cmocka_run_group_tests_name("heights", tests, NULL, NULL) != 0;
}
