// SPDX-License-Identifier: MIT
/* The sweeps over sizes, types, values and blocks. */
#include "harness.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const unsigned blocks[] = {0, 1, 2, 31, 32, 33, 64, 96, 255, 256, 1000, 1024};
enum { BLOCKS = sizeof blocks / sizeof *blocks, SMALL_N = 257, LARGE_LOG2 = 20 };

const char *test_random_values(uint64_t more)
{
    static char text[32];
    snprintf(text, sizeof text, "random:%" PRIu64, test_seed() + more);
    return text;
}

/* The case holds on these values or, where a float program takes back what it added and so can't
 * hold on all, on ones. */
static void assert_holds_on(struct test_case *test, const char *values)
{
    bool takes_back = rd_program_named(test->program)->goal == RD_GOAL_INPUT;
    test->values = takes_back && rd_numeric(test->type)->is_float ? "ones" : values;
    assert_holds(test);
}

void test_holds_for_every_small_n(void **state)
{
    const char *program = *state;
    static const char *const generators[] = {"iota", "ones", "powers"};
    for (size_t n = 1; n <= SMALL_N; n++) {
        if (!test_accepts_n(program, n) || !test_is_due())
            continue;
        for (unsigned type = 0; type < test_types(program); type++) {
            struct test_case test = {
                .program = program, .n = n, .type = (enum rd_type)type, .alone = n % 8 > 0};
            test.block = blocks[(n + type) % BLOCKS];
            for (unsigned v = 0; v < sizeof generators / sizeof *generators; v++) {
                test.frame = (n + type + v) % 2;
                assert_holds_on(&test, generators[v]);
            }
            assert_holds_on(&test, test_random_values(n));
            test.frame = !test.frame;
            assert_holds_on(&test, test_random_values(n + SMALL_N));
        }
    }
}

void test_holds_around_powers_of_two(void **state)
{
    const char *program = *state;
    unsigned count = 0;
    for (unsigned k = 1; k <= LARGE_LOG2; k++) {
        for (size_t n = ((size_t)1 << k) - 1; n <= ((size_t)1 << k) + 1; n++) {
            if (!test_accepts_n(program, n) || !test_is_due())
                continue;
            struct test_case test = {.program = program, .n = n, .alone = true};
            test.block = blocks[count % BLOCKS];
            test.frame = count % 2;
            test.type = RD_TYPE_F32;
            assert_holds_on(&test, test_random_values(n));
            test.frame = !test.frame;
            test.type = (enum rd_type)(count % test_types(program));
            assert_holds_on(&test, test_random_values(n));
            test.type = (enum rd_type)((count + 2) % RD_HALVES_FIRST); /* f16 would overflow */
            assert_holds_on(&test, "iota");
            count++;
        }
    }
}

void test_holds_for_every_block_size(void **state)
{
    const char *program = *state;
    for (unsigned b = 0; b < BLOCKS; b++) {
        size_t block = blocks[b] ? blocks[b] : 256;
        const size_t sizes[] = {block - 1, block,         block + 1,     2 * block - 1,
                                2 * block, 2 * block + 1, 4 * block - 1, 4 * block + 1,
                                2048,      4096};
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            if (!test_accepts_n(program, sizes[s]) || !test_is_due())
                continue;
            for (unsigned frame = 0; frame < 2; frame++) {
                struct test_case test = {
                    .program = program, .n = sizes[s], .block = blocks[b], .alone = true};
                test.type = (enum rd_type)((b + s + frame) % test_types(program));
                test.frame = frame;
                assert_holds_on(&test, test_random_values(s));
            }
        }
    }
}

/* ---- the table and the definition ---- */

/* The terms of a step's sums: a[j], or a[j]*b[j] once a program of two inputs has multiplied. */
static uint64_t term(const struct rd_program *program, const struct rd_values *values,
                     unsigned step, size_t j)
{
    uint64_t a = values->numeric->load(values->a, j);
    return rd_program_has_b(program) && step > 0 ? a * values->numeric->load(values->b, j) : a;
}

static bool is_live(const struct rd_claim *claim, size_t cell)
{
    return cell % claim->stride == 0 && cell / claim->stride < claim->count;
}

struct definition {
    const struct rd_program *program;
    struct rd_values values;
    struct rd_expect expect;
    struct rd_expect live_only; /* the same, lazily, and of the live cells only */
    uint64_t before[SMALL_N];   /* the table one step earlier */
};

static void check_live_cell(const struct definition *d, unsigned step, size_t i, unsigned *holders)
{
    uint64_t sum = 0;
    for (size_t j = 0; j < d->values.n; j++) {
        if (!rd_program_contains(d->program, SHAPE(d->values.n), step, i, j))
            continue;
        sum += term(d->program, &d->values, step, j);
        holders[j]++;
    }
    sum = d->values.numeric->from_u64(sum);
    uint64_t cell = rd_expect_cell(&d->expect, i);
    if (cell != rd_expect_cell(&d->live_only, i))
        fail_msg("%s n=%zu, step %u: without dead cells, the table says A[%zu] = %" PRIu64,
                 d->program->name, d->values.n, step, i, rd_expect_cell(&d->live_only, i));
    if (cell != sum)
        fail_msg("%s n=%zu, step %u: the table says A[%zu] = %" PRIu64 ", the definition %" PRIu64,
                 d->program->name, d->values.n, step, i, cell, sum);
}

static void check_step(struct definition *d, unsigned step, bool partition)
{
    unsigned holders[SMALL_N] = {0};
    struct rd_claim claim;
    size_t n = d->values.n;
    rd_program_claim(d->program, SHAPE(n), step, &claim);
    assert_true(claim.count >= 1 && claim.stride >= 1);
    assert_true((claim.count - 1) * claim.stride < n);
    assert_int_equal(rd_program_advance(d->program, &d->expect, step, NULL), RD_OK);
    assert_int_equal(rd_program_advance(d->program, &d->live_only, step, NULL), RD_OK);
    d->values.numeric->settle(&d->live_only);
    for (size_t i = 0; i < n; i++) {
        uint64_t cell = rd_expect_cell(&d->expect, i);
        if (is_live(&claim, i))
            check_live_cell(d, step, i, holders);
        else if (partition && (step == 0 || cell != d->before[i]))
            fail_msg("%s n=%zu, step %u: the dead cell A[%zu] does not keep its value",
                     d->program->name, n, step, i);
        d->before[i] = cell;
    }
    for (size_t j = 0; partition && j < n; j++)
        if (holders[j] != 1)
            fail_msg("%s n=%zu, step %u: input %zu is in %u live cells", d->program->name, n, step,
                     j, holders[j]);
}

static void check_definition(const char *name, size_t n, enum rd_type type, bool partition)
{
    struct definition d = {.program = rd_program_named(name)};
    struct rd_error error = {""};
    const struct rd_numeric *numeric = rd_numeric(type);
    assert_int_equal(rd_values_init(&d.values, numeric, test_random_values(n), n, n,
                                    rd_program_has_b(d.program), &error),
                     RD_OK);
    struct rd_expect *both[] = {&d.expect, &d.live_only};
    for (int i = 0; i < 2; i++)
        assert_int_equal(
            rd_expect_init(both[i], d.program, numeric, SHAPE(n), d.values.a, d.values.b, &error),
            RD_OK);
    assert_int_equal(rd_expect_live_only(&d.live_only, d.program, &error), RD_OK);
    d.live_only.lazy = true;
    unsigned rounds = rd_program_rounds(d.program, SHAPE(n));
    for (unsigned step = 0; step <= rounds; step++)
        check_step(&d, step, partition);
    rd_expect_finish(&d.expect);
    rd_expect_finish(&d.live_only);
    rd_values_finish(&d.values);
}

void assert_table_is_definition(const char *program, bool partition)
{
    static const size_t larger[] = {95, 96, 97, 100, 127, 128, 129, 255, 256, 257};
    for (size_t n = 1; n <= 65; n++)
        for (unsigned type = RD_TYPE_I32; type <= RD_TYPE_U64 && test_accepts_n(program, n); type++)
            if (test_is_due())
                check_definition(program, n, (enum rd_type)type, partition);
    for (size_t i = 0; i < sizeof larger / sizeof *larger; i++)
        if (test_accepts_n(program, larger[i]))
            check_definition(program, larger[i], RD_TYPE_U32, partition);
}

/* ---- expectations ---- */

void test_init_expect(struct rd_expect *expect, const char *program, enum rd_type type,
                      const char *spec, size_t n, struct rd_values *values)
{
    struct rd_error error = {""};
    const struct rd_program *p = rd_program_named(program);
    const struct rd_numeric *numeric = rd_numeric(type);
    struct rd_shape shape = rd_program_shape(p, (struct rd_shape){.n = n});
    enum rd_status status =
        !rd_program_has_n_inputs(p)
            ? rd_values_init_two(values, numeric, spec, rd_program_inputs(p, &shape),
                                 rd_program_inputs_b(p, &shape), &error)
            : rd_values_init(values, numeric, spec, n, 8, rd_program_has_b(p), &error);
    if (status != RD_OK)
        fail_msg("%s", error.text);
    if (n == 0) /* the values say it */
        shape = rd_program_shape(p, (struct rd_shape){.n = values->n});
    assert_int_equal(rd_expect_init(expect, p, numeric, &shape, values->a, values->b, &error),
                     RD_OK);
    assert_int_equal(rd_program_advance(p, expect, 0, NULL), RD_OK);
}

void test_finish_expect(struct rd_expect *expect, struct rd_values *values)
{
    rd_expect_finish(expect);
    rd_values_finish(values);
}

void *test_copy_cells(const struct rd_expect *expect)
{
    size_t size_bytes = expect->n * expect->numeric->size_bytes;
    void *copy = malloc(size_bytes);
    assert_non_null(copy);
    memcpy(copy, expect->cells, size_bytes);
    return copy;
}

void test_table_is_the_definition(void **state)
{
    assert_table_is_definition(*state, true);
}
