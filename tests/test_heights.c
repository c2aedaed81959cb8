// SPDX-License-Identifier: MIT
/* The heights of expression trees, from which the bounds of floats follow. Here the numbers are heights
 * themselves: 0 for nothing, 1 for an element, and one more for each rounding. What an invariant works
 * out with them is the height of the very tree that its kernel has. */
#include "harness.h"

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

static rd_bits height_of_product(rd_bits x, rd_bits y)
{
    return x == 0 || y == 0 ? 0 : higher(x, y) + 1;
}

struct tree {
    unsigned said; /* by the invariant, after the last round */
    unsigned is;
};

/* What the program ends with: A[0], or all cells as the host adds them. */
static struct tree tree_of(const struct rd_program *program, const struct rd_shape *shape)
{
    struct rd_numeric heights = *rd_numeric(RD_TYPE_U64);
    struct rd_expect expect;
    struct rd_error error;
    uint64_t *ones = malloc(shape->n * sizeof *ones);
    assert_non_null(ones);
    for (size_t j = 0; j < shape->n; j++)
        ones[j] = 1;
    heights.add = height_of_sum;
    heights.times = height_of_product;
    assert_int_equal(rd_expect_init(&expect, program, &heights, shape, ones, ones, &error), RD_OK);
    for (unsigned step = 0; step <= rd_program_rounds(program, shape); step++)
        rd_program_advance(program, &expect, step);
    rd_bits end = heights.load(expect.cells, 0);
    for (size_t k = 1; k < expect.n && program->goal == RD_GOAL_TOTAL; k++)
        end = height_of_sum(end, heights.load(expect.cells, k));
    const struct tree tree = {.said = expect.height, .is = (unsigned)end - 1};
    rd_expect_finish(&expect);
    free(ones);
    return tree;
}

/* With fewer elements than threads a tree is lower than it could be; with enough for all it is as high as
 * is said, or one lower where 0 + x was counted. */
static void check_tree(const char *name, struct rd_shape shape, size_t elements, unsigned counted)
{
    const struct rd_program *program = rd_program_named(name);
    assert_non_null(program);
    shape = rd_program_shape(program, shape);
    if (rd_program_accept(program, &shape, NULL) != RD_OK)
        return;
    const struct tree tree = tree_of(program, &shape);
    bool enough = shape.n >= elements * shape.grid * shape.block;
    if (tree.is > tree.said || (enough && tree.is + counted != tree.said))
        fail_msg("%s n=%zu block=%u grid=%zu: the height is %u, and %u is said", name, shape.n,
                 shape.block, shape.grid, tree.is, tree.said);
}

static void test_heights_are_those_of_the_trees(void **state)
{
    static const struct {
        const char *program;
        size_t elements;  /* that a thread takes */
        unsigned counted; /* 0 + x */
    } programs[] = {
        {"ladder-interleaved-modulo", 1, 0},
        {"ladder-interleaved-strided", 1, 0},
        {"ladder-sequential", 1, 0},
        {"ladder-first-add", 2, 0},
        {"ladder-warp-shuffle", 2, 0},
        {"ladder-unrolled", 2, 0},
        {"ladder-grid-stride", 1, 0},
        {"ladder-shuffles-twice", 1, 0},
        {"ladder-tiles", 1, 0},
        {"ladder-vectorised", 4, 0},
        {"ladder-cooperative", 4, 0},
        {"ladder-dot", 4, 0},
        {"dot-partial", 1, 1},
        {"dot-shared", 1, 1},
        {"multi-block-last-block", 1, 2},
    };
    static const unsigned blocks[] = {1, 2, 3, 31, 32, 33, 64, 100, 513, 1000, 1024};
    static const size_t grids[] = {0, 1, 2, 3, 33, 70};
    (void)state;
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++)
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
            for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
                size_t threads = blocks[b] * (grids[g] ? grids[g] : 2);
                const size_t sizes[] = {1,
                                        3,
                                        4,
                                        7,
                                        threads - 1,
                                        threads + 1,
                                        4 * threads,
                                        16 * threads,
                                        16 * threads + 3};
                for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
                    if (sizes[s] > 0)
                        check_tree(programs[p].program,
                                   (struct rd_shape){sizes[s], blocks[b], grids[g]},
                                   programs[p].elements, programs[p].counted);
            }
}

/* ---- what `explain` says ---- */

/* n = 16G + 3 elements, P = floor(n/4) packs and a tail; B and T are 32 or more. */
static unsigned explained(const char *formula, const struct rd_shape *shape)
{
    static const char *const names[] = {"ceil(n/G)", "ceil(P/G)",  "log2(T)",
                                        "log2(B)",   "ceil(B/32)", "B"};
    size_t threads = shape->grid * shape->block, packs = shape->n / 4;
    unsigned T = 0, B = 0;
    while (1u << T < shape->block)
        T++;
    while (1u << B < shape->grid)
        B++;
    const unsigned values[] = {(unsigned)((shape->n + threads - 1) / threads),
                               (unsigned)((packs + threads - 1) / threads),
                               T,
                               B,
                               (unsigned)((shape->grid + 31) / 32),
                               (unsigned)shape->grid};
    int sum = 0, sign = 1;
    while (*formula) {
        size_t k = 0;
        while (k < 6 && strncmp(formula, names[k], strlen(names[k])) != 0)
            k++;
        if (k < 6) {
            sum += sign * (int)values[k];
            formula += strlen(names[k]);
        } else {
            char *end;
            sum += sign * (int)strtol(formula, &end, 10);
            assert_true(end > formula);
            formula = end;
        }
        if (strncmp(formula, " + ", 3) != 0 && strncmp(formula, " - ", 3) != 0)
            break;
        sign = formula[1] == '+' ? 1 : -1;
        formula += 3;
    }
    return (unsigned)sum;
}

/* The text from "height " on, its lines joined. */
static void formula_of(const char *program, char *text, size_t size)
{
    const char *from = strstr(rd_program_explain(rd_program_named(program)), "height");
    size_t length = 0;
    assert_non_null(from);
    for (const char *c = from + strlen("height"); *c && length < size - 1; c++) {
        bool blank = *c == ' ' || *c == '\n';
        if (!blank || (length > 0 && text[length - 1] != ' '))
            text[length++] = blank ? ' ' : *c;
    }
    text[length] = '\0';
}

static void test_heights_of_the_ladder_are_as_explained(void **state)
{
    static const struct {
        const char *program;
        unsigned block;
        size_t n, grid; /* 0: its own */
    } cases[] = {
        {"ladder-interleaved-modulo", 64, 64 * 40, 0},
        {"ladder-interleaved-strided", 128, 128 * 33, 0},
        {"ladder-sequential", 64, 64 * 40, 0},
        {"ladder-first-add", 64, 64 * 40, 0},
        {"ladder-warp-shuffle", 128, 128 * 40, 0},
        {"ladder-unrolled", 1024, 1024 * 40, 0},
        {"ladder-grid-stride", 64, 64 * 33 * 16 + 3, 33},
        {"ladder-shuffles-twice", 256, 256 * 2 * 16 + 3, 2},
        {"ladder-tiles", 1024, 1024 * 3 * 16 + 3, 3},
        {"ladder-vectorised-atomic", 64, 64 * 40 * 16 + 3, 40},
        {"ladder-vectorised", 64, 64 * 40 * 16 + 3, 40},
        {"ladder-cooperative", 32, 32 * 16 * 16 + 3, 16},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char formula[256];
        struct rd_expect expect;
        struct rd_error error;
        const struct rd_program *program = rd_program_named(cases[c].program);
        const struct rd_shape shape =
            rd_program_shape(program, (struct rd_shape){cases[c].n, cases[c].block, cases[c].grid});
        float *ones = calloc(shape.n, sizeof *ones);
        assert_int_equal(
            rd_expect_init(&expect, program, rd_numeric(RD_TYPE_F32), &shape, ones, NULL, &error),
            RD_OK);
        rd_program_advance(program, &expect, 0);
        rd_program_advance(program, &expect, 1);
        formula_of(cases[c].program, formula, sizeof formula);
        if (expect.height != explained(formula, &shape))
            fail_msg("%s: the height is %u, and %u is explained: %.60s", program->name,
                     expect.height, explained(formula, &shape), formula);
        rd_expect_finish(&expect);
        free(ones);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heights_are_those_of_the_trees),
        cmocka_unit_test(test_heights_of_the_ladder_are_as_explained),
    };
    return cmocka_run_group_tests_name("heights", tests, NULL, NULL) != 0;
}
