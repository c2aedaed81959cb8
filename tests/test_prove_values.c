// SPDX-License-Identifier: MIT
/* What a proof must not read as if it were something else: values of kernels that are executed symbolically. */
#include "execution_harness.h"

#include <string.h>

/* a - b takes nothing back, as they are of two inputs; to add b to it does. */
static void test_what_is_added_to_a_difference_is_taken_back(void **state)
{
    static const struct {
        const char *body;
        bool subtracts;
    } cases[] = {
        {"elem x = a[t], d = x - 0; A[t] = d * d;", false},
        {"elem x = a[t], d = x - 0; A[t] = d + x;", true},
        {"elem d = 0; if (t < 5) d = a[t] - d; A[t] = d + a[t];", true},
        {"elem d = a[t] - 0; s[t] = d; A[t] = s[t] + a[t];", true},
        {"elem d = a[t] - 0; A[t] = __shfl_sync(0xffffffff, d, 0) + a[t];", true},
        {"elem d[2]; d[0] = a[t] - 0; d[1] = 0; A[t] = d[0] + a[t];", true},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct run run = {.counts = true, .has_squares = true};
        execute(&run, "", cases[k].body);
        assert_string_equal(run.execution.failure, "");
        if (run.execution.subtracts != cases[k].subtracts)
            fail_msg("%s: whether it takes back is not seen", cases[k].body);
        finish(&run);
    }
}

static void test_elements_decide_nothing(void **state)
{
    (void)state;
    static const char why[] = "a condition on values that are no numbers";
    assert_refused("", "if (a[i]) A[i] = a[i];", why);
    assert_refused("", "A[i] = a[i] ? a[i] : A[i];", why);
    assert_refused("", "if (i < n && a[i]) A[i] = a[i];", why);
}

/* Two states that were apart across the barrier: by one of them a thread has written before it, by the other one behind it. */
static void test_what_was_written_last_lies_there(void **state)
{
    (void)state;
    static const char helpers[] =
        "__device__ const elem *f(const elem *x, const elem *y, unsigned t)\n"
        "{ if (t < 1) return x; return y; }\n"
        "__device__ elem g(elem x) { return x; }";
    struct run run = {0};
    execute(&run, helpers,
            "const elem *p = f(s, a, t); s[t] = a[i]; __syncthreads(); if (t == 1) s[0] = 7;\n"
            "__syncthreads(); p = a; elem y = g(0); A[i] = s[0];");
    assert_string_equal(run.execution.failure, "");
    assert_int_equal(run.execution.n_segments, 1);
    const struct rd_segment *segment = &run.execution.segments[0];
    const rd_term left = segment->accesses[segment->n_accesses - 1].value;
    assert_int_equal(left->kind, RD_TERM_CHOICE);
    assert_ptr_equal(left->kids[1], rd_number(run.terms, 7));
    finish(&run);
}

static const char pairs[] = "struct pair { elem x[2]; };\n"
                            "__device__ elem f(struct pair p) { p.x[0] = 0; return p.x[1]; }\n"
                            "__device__ void g(struct pair *p, elem v) { p[1].x[0] = v; }\n";

static void test_records_and_own_arrays_are_values(void **state)
{
    (void)state;
    assert_writes(pairs, "struct pair p = {{a[3], a[4]}}; A[i] = f(p) + p.x[0];", "a(3) + a(4)");
    assert_writes(pairs, "struct pair p[2]; p[0].x[1] = 0; g(p, a[3]); A[i] = p[1].x[0];", "a(3)");
    assert_writes(pairs, "struct pair p = {{a[3], a[4]}}, q = p; q.x[0] = 0; A[i] = p.x[0];",
                  "a(3)");
    assert_writes(
        "", "elem x[3]; for (unsigned k = 0; k < 3; k++) x[k] = a[k]; x[1] += x[2]; A[i] = x[1];",
        "a(1) + a(2)");
    assert_writes(pairs, "A[i] = ((const struct pair *)a)[t].x[1];", "a(2*t + 1)");
    assert_refused(pairs, "struct pair p; p.x[0] = 0; A[i] = p.x[1];", "read before it is set");
    assert_refused(pairs, "struct pair p; if (n < 5) p.x[1] = 0; A[i] = p.x[1];",
                   "read before it is set");
    assert_refused("", "elem x[3] = {0}; x[t % 2] = 0;", "an index that isn't known");
    assert_refused("", "elem x[3] = {0}; x[3] = 0;", "beyond the end");
    assert_refused("", "elem x[3] = {0}; elem *p = x; p[0] = 0;",
                   "a pointer to a thread's own array");
    assert_refused(pairs, "((struct pair *)A)[t] = ((const struct pair *)a)[t];", "no element");
    assert_refused(pairs, "A[i] = ((const struct pair *)s)[t].x[1];",
                   "a pointer that is cast to one to another type");
}

/* What a loop's earlier trips have left in a caller's array isn't seen. */
static void test_loops_with_a_checkpoint_leave_arrays_of_callers_alone(void **state)
{
    (void)state;
    static const char before[] =
        "__device__ void f(elem *x, elem y) { for (unsigned o = 16; o > 0; o /= 2) {\n"
        "CHECKPOINT_LANE(POINT, y, o); x[0] = y; } }";
    assert_refused(before, "elem x[1] = {0}; f(x, a[0]); A[i] = x[0];",
                   "a loop that may write an array of its caller");
    struct run run = {0};
    execute(&run, "__device__ void f(elem *x, elem y) { x[0] = x[0] + y; }",
            "elem x[1] = {0}; for (size_t k = t; k < n; k++) f(x, a[k]); A[i] = x[0];");
    assert_string_equal(run.execution.failure, "");
    assert_int_equal(written(&run)->kind, RD_TERM_APPLY); /* nothing is known of it */
    finish(&run);
    assert_writes("__device__ void f(elem *x) { x[0] = 0; }",
                  "elem x[1] = {a[3]}, y = 0; for (unsigned o = 16; o > 0; o /= 2) {\n"
                  "CHECKPOINT_LANE(POINT, y, o); A[i] = x[0]; f(x); }",
                  "x@");
}

static void test_pointers_to_packs_are_aligned(void **state)
{
    (void)state;
    struct run run = {0};
    execute(&run, pairs, "A[i] = ((const struct pair *)(a + 2 * t + 1))[0].x[0];");
    assert_int_equal(required(&run, "is aligned for what it is cast to")->kind, RD_TERM_FALSE);
    finish(&run);
}

/* Of the four only the sum is known, from the law. */
static void test_a_checkpoint_of_a_sum_knows_the_sum(void **state)
{
    (void)state;
    static const char before[] = "struct pair { elem x[2]; };\n"
                                 "__device__ elem both(struct pair p) { return p.x[0] + p.x[1]; }";
    static const char loop[] = "struct pair p = {{0, 0}}; for (unsigned o = 16; o > 0; o /= 2) {\n"
                               "CHECKPOINT_LANE(POINT, both(p), o); p.x[1] = p.x[1] + a[o]; }\n"
                               "CHECKPOINT_LANE(POINT, both(p), 0); A[i] = %s;";
    char body[400];
    struct run run = {0};
    snprintf(body, sizeof body, loop, "both(p)");
    execute(&run, before, body);
    const rd_term law = rd_apply(run.terms, "lane", 1, &run.execution.thread);
    assert_ptr_equal(written(&run), law);
    finish(&run);
    snprintf(body, sizeof body, loop, "p.x[1]");
    execute(&run, before, body);
    assert_ptr_not_equal(written(&run), rd_apply(run.terms, "lane", 1, &run.execution.thread));
    finish(&run);
}

static void test_what_atomics_add_is_not_read(void **state)
{
    (void)state;
    assert_refused("", "atomicAdd(A, a[i]); A[i + 1] = A[0];", "to which line");
    assert_refused("", "A[i] = atomicAdd(A, a[i]);",
                   "a cell that is set to a value that is no element");
    assert_refused("", "atomicAdd(s, a[i]);", "an atomic of such operands");
    assert_refused("", "for (size_t k = t; k < n; k++) atomicAdd(A, a[k]);",
                   "an atomic addition in a loop without a checkpoint");
}

/* What the block has written is there behind a checkpoint of lanes, but not where the loop may write it, too. */
static void test_what_lies_there_behind_a_checkpoint_of_lanes(void **state)
{
    (void)state;
    static const char loop[] =
        "s[t] = a[3]; __syncthreads(); elem x = 0; for (unsigned k = 0; k < 99; k++) {\n"
        "CHECKPOINT_LANE(POINT, x, k); x = s[k]; %s } A[i] = x;";
    char body[300];
    snprintf(body, sizeof body, loop, "");
    assert_writes("", body, "a(3)");
    snprintf(body, sizeof body, loop, "f(s + k);");
    struct run run = {0};
    execute(&run, "__device__ void f(elem *p) { *p = 0; }", body);
    assert_string_equal(run.execution.failure, "");
    assert_ptr_not_equal(written(&run), NULL);
    assert_false(rd_term_has(
        written(&run), rd_apply(run.terms, "a", 1, (const rd_term[]){rd_number(run.terms, 3)})));
    finish(&run);
}

static void assert_counted_refused(bool has_squares, const char *body, const char *reason)
{
    struct run run = {.counts = true, .has_squares = has_squares};
    execute(&run, "", body);
    if (!strstr(run.execution.failure, reason))
        fail_msg("%s\nwas: '%s', not: '%s'", body, run.execution.failure, reason);
    finish(&run);
}

static void test_products_of_one_input_are_no_counts(void **state)
{
    static const char why[] = "a product of elements that are not of two inputs";
    (void)state;
    for (unsigned squares = 0; squares < 2; squares++) {
        assert_counted_refused(squares, "A[i] = A[0] * a[i];", why); /* A[0] is 1, and is the sum */
        assert_counted_refused(squares, "A[i] = a[i] * a[i] * a[i];", why);
        assert_counted_refused(squares, "A[i] = (a[i] + 1) * a[i];", why);
        assert_counted_refused(squares, "s[t] = a[i]; A[i] = s[t] * a[i];", why);
        assert_counted_refused(squares, "elem x = a[i]; if (t > 5) x = A[i]; A[i] = x * a[i];",
                               why);
    }
    assert_counted_refused(false, "A[i] = a[i] * a[i];", why);
}

static void test_squares_are_counted_in_both_factors(void **state)
{
    static const struct {
        const char *body, *says;
    } cases[] = {
        {"A[t] = a[t] * a[t + 1];", "t = j and t + 1 = j'"},
        {"A[t] = 3 * (a[t] * (2 * a[t]));", "3*(t = j ? (t = j' ? 2 : 0) : 0)"},
        {"A[t] = (a[t] - a[t]) * a[t];", "0"},
        {"A[t] = 4 * a[t];", "4"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct run run = {.counts = true, .has_squares = true};
        execute(&run, "", cases[k].body);
        assert_string_equal(run.execution.failure, "");
        const struct rd_segment *segment = &run.execution.segments[0];
        assert_says(segment->accesses[segment->n_accesses - 1].value, cases[k].says);
        finish(&run);
    }
}

static void assert_height(rd_term height, const char *words)
{
    if (words)
        assert_non_null(height);
    else
        assert_null(height);
    if (words)
        assert_says(height, words);
}

/* Above inputs and above cells; of the last write. */
static void test_heights_are_those_of_the_trees(void **state)
{
    static const struct {
        const char *body, *loads, *cells;
    } cases[] = {
        {"A[t] = a[t];", "0", NULL},
        {"A[t] = a[t] + a[t + 1];", "1", NULL},
        {"A[t] = A[t] + a[t] + a[t];", "2", "2"},
        {"A[t] = (A[t] + A[t + 1]) + (A[t + 2] + A[t + 3]);", NULL, "2"},
        {"A[t] = ((A[t] + A[t + 1]) + A[t + 2]) + A[t + 3];", NULL, "3"},
        {"elem x = 0; x = x + a[t]; A[t] = x;", "0", NULL},
        {"elem x = 0; if (t < 5) x = a[t] + a[t]; A[t] = x + a[t];", "2", NULL},
        {"A[t] = a[t] * a[t + 1];", "1", NULL},
        {"A[t] = a[t] + a[t]; A[t] = A[t] + a[t];", "2", "1"},
        {"elem x = 0; for (size_t k = t; k < n; k += 4) x = x + a[k]; A[t] = x;", "ceil(n/4) - 1",
         NULL},
        {"elem x = 1; for (size_t k = t; k < n; k += 4) x = x + a[k]; A[t] = x;", "ceil(n/4)",
         NULL},
        {"elem x = 0; for (size_t k = t; k < n; k++) x = x + (a[k] + a[k]); A[t] = x;", "n", NULL},
        {"elem x = A[t]; for (size_t k = t; k < n; k++) x = x + a[k]; A[t] = x;", "n", "n"},
    };
    static const char *const unknown[] = {
        "A[t] = a[t] - a[t + 1];",
        "A[t] = s[t] + a[t];", /* which nothing is known of */
        "elem x = 0; for (size_t k = t; k < n; k++) x = (x + a[k]) + a[k]; A[t] = x;",
        "elem x = 0; for (size_t k = t; k < n + t; k++) x = x + a[k]; A[t] = x;",
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct run run = {.counts = true, .has_squares = true};
        execute(&run, "", cases[k].body);
        assert_string_equal(run.execution.failure, "");
        const struct rd_segment *segment = &run.execution.segments[0];
        const struct rd_height height = segment->accesses[segment->n_accesses - 1].height;
        if (!height.known)
            fail_msg("%s: its height isn't known", cases[k].body);
        assert_height(height.loads, cases[k].loads);
        assert_height(height.cells, cases[k].cells);
        finish(&run);
    }
    for (size_t k = 0; k < sizeof unknown / sizeof *unknown; k++) {
        struct run run = {.counts = true, .has_squares = true};
        execute(&run, "", unknown[k]);
        assert_string_equal(run.execution.failure, "");
        const struct rd_segment *segment = &run.execution.segments[0];
        if (segment->accesses[segment->n_accesses - 1].height.known)
            fail_msg("%s: its height is known", unknown[k]);
        finish(&run);
    }
    /* Heights are those above cells at the last checkpoint, of which the register's aren't. */
    struct run run = {.counts = true, .has_squares = true};
    execute(&run, "", "elem x = A[t]; CHECKPOINT(POINT, s, 1024, 1); A[t] = x;");
    assert_string_equal(run.execution.failure, "");
    assert_int_equal(run.execution.n_segments, 2);
    assert_false(run.execution.segments[1].accesses[0].height.known);
    finish(&run);
}

/* Places in y are names of their own; what a launch of one row has of them is 0 and 1. */
static void test_places_have_two_dimensions(void **state)
{
    static const char body[] = "A[GLOBAL_THREAD_Y * n + i] = a[blockDim.y + gridDim.y];";
    (void)state;
    for (unsigned has_rows = 0; has_rows < 2; has_rows++) {
        struct run run = {.has_rows = has_rows};
        execute(&run, "", body);
        assert_string_equal(run.execution.failure, "");
        const struct rd_segment *segment = &run.execution.segments[0];
        assert_says(segment->accesses[0].index, has_rows ? "T + grid_y" : "2");
        if (has_rows)
            assert_says(segment->accesses[1].index, "n*first row");
        finish(&run);
    }
}

/* Of y*width + k, k may be no place in that row. */
static void test_a_cell_of_a_row_is_that_of_its_thread(void **state)
{
    struct run run = {.has_rows = true};
    (void)state;
    execute(&run, "",
            "unsigned y = threadIdx.y; s[y * blockDim.x + t] = a[i]; __syncthreads();\n"
            "A[i] = s[y * blockDim.x + 5];");
    assert_string_equal(run.execution.failure, "");
    assert_says(required(&run, "a cell that is read is in a row of the block's threads"), "5 < T");
    finish(&run);
}

/* Of rows that are longer than the block's, and of columns. */
static void test_a_cell_of_a_longer_row_is_that_of_its_thread(void **state)
{
    static const char *const writes[] = {"s[threadIdx.y * 9 + t]", "s[t * 9 + threadIdx.y]"};
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        struct run run = {.has_rows = true};
        char body[200];
        snprintf(body, sizeof body, "%s = a[i]; __syncthreads(); A[i] = s[5 * 9 + 4];", writes[k]);
        execute(&run, "", body);
        assert_string_equal(run.execution.failure, "");
        assert_says(required(&run, "a row of the block's threads is within a row of the array"),
                    "T <= 9");
        finish(&run);
    }
}

static void test_writers_in_two_dimensions_are_told(void **state)
{
    static const char why[] = "by a thread that can't be told";
    static const char *const writes[] = {"s[t] = a[i];", "if (t == 3) s[0] = a[i];",
                                         "s[threadIdx.y * blockDim.x + 2 * t] = a[i];"};
    (void)state;
    for (size_t k = 0; k < sizeof writes / sizeof *writes; k++) {
        struct run run = {.has_rows = true};
        char body[200];
        snprintf(body, sizeof body, "%s __syncthreads(); A[i] = s[0];", writes[k]);
        execute(&run, "", body);
        if (!strstr(run.execution.failure, why))
            fail_msg("%s\nwas: '%s', not: '%s'", body, run.execution.failure, why);
        finish(&run);
    }
}

static void test_shuffles_read_lanes_of_their_mask(void **state)
{
    (void)state;
    struct run run = {0};
    execute(
        &run, "",
        "elem x = a[t], y = __shfl_sync((0xffffffff >> n % 32) << t / 16 % 2 * 16, x, n % 16);\n"
        "A[i] = y;");
    assert_says(written(&run), "n mod 16 + 32*t div 32");
    assert_says(required(&run, "a lane that is read is in the mask"), "n mod 16 < ");
    assert_says(required(&run, "a mask that is shifted loses no lane"), "<= n mod 32");
    finish(&run);
    assert_refused("", "elem x = a[t]; A[i] = __shfl_sync(0xf0f, x, 0);",
                   "a shuffle of such a mask");
    assert_refused("", "elem x = a[t]; A[i] = __shfl_sync(n < 5 ? 0xf : 0xff, x, 0);",
                   "a shuffle of such a mask");
}

static void test_a_bit_is_turned_over_by_a_power_of_two(void **state)
{
    (void)state;
    struct run run = {0};
    execute(&run, "", "A[t ^ 4] = a[i];");
    assert_string_equal(run.execution.failure, "");
    for (size_t k = 0; k < run.execution.segments[0].n_accesses; k++)
        if (run.execution.segments[0].accesses[k].is_write)
            assert_says(run.execution.segments[0].accesses[k].index, "t mod 8 < 4 ? t + 4 : t - 4");
    finish(&run);
    execute(&run, "", "A[t ^ 6] = a[i];");
    assert_int_equal(required(&run, "'^' is of a number and a power of two")->kind, RD_TERM_FALSE);
    finish(&run);
    execute(&run, "", "A[t ^ n] = a[i];");
    required(&run, "'^' is of a number and a power of two");
    finish(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heights_are_those_of_the_trees),
        cmocka_unit_test(test_products_of_one_input_are_no_counts),
        cmocka_unit_test(test_squares_are_counted_in_both_factors),
        cmocka_unit_test(test_what_is_added_to_a_difference_is_taken_back),
        cmocka_unit_test(test_elements_decide_nothing),
        cmocka_unit_test(test_what_was_written_last_lies_there),
        cmocka_unit_test(test_records_and_own_arrays_are_values),
        cmocka_unit_test(test_loops_with_a_checkpoint_leave_arrays_of_callers_alone),
        cmocka_unit_test(test_pointers_to_packs_are_aligned),
        cmocka_unit_test(test_a_checkpoint_of_a_sum_knows_the_sum),
        cmocka_unit_test(test_what_atomics_add_is_not_read),
        cmocka_unit_test(test_what_lies_there_behind_a_checkpoint_of_lanes),
        cmocka_unit_test(test_places_have_two_dimensions),
        cmocka_unit_test(test_a_cell_of_a_row_is_that_of_its_thread),
        cmocka_unit_test(test_a_cell_of_a_longer_row_is_that_of_its_thread),
        cmocka_unit_test(test_writers_in_two_dimensions_are_told),
        cmocka_unit_test(test_shuffles_read_lanes_of_their_mask),
        cmocka_unit_test(test_a_bit_is_turned_over_by_a_power_of_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
