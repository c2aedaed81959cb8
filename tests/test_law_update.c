// SPDX-License-Identifier: MIT
/* Laws applied to values: operations, updates, and arrays after their last step. */
#include "law_harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool one_by_one; /* the slow way */

/* Moves cells of f64 on and writes them: "1 2 3.5"; a mistake as "COLUMN: MESSAGE". */
static const char *moved_as(enum rd_type type, const char *sentences, enum rd_law_role role,
                            const double *a, double *cells, size_t n, bool *any_order)
{
    static char said[1000];
    static const char *const head = "input a[n] array A[n] law A = 0 ";
    const struct rd_numeric *numeric = rd_numeric(type);
    char text[600];
    rd_bits inputs[20], array[20];
    size_t length = 0;
    const void *const pointers[] = {inputs};
    const struct rd_law_data data = {
        .numeric = numeric, .inputs = pointers, .one_by_one = one_by_one};
    struct rd_law_error error;
    snprintf(text, sizeof text, "%s%s", head, sentences);
    for (size_t k = 0; k < n; k++) {
        char value[40];
        rd_bits bits;
        snprintf(value, sizeof value, "%.17g", a[k]);
        assert_non_null(numeric->parse(value, &bits));
        numeric->store(inputs, k, bits);
        snprintf(value, sizeof value, "%.17g", cells[k]);
        assert_non_null(numeric->parse(value, &bits));
        numeric->store(array, k, bits);
    }
    struct law_subject subject = law_subject(text, (struct rd_law_sizes){.n = n, .T = 4, .B = 2});
    subject.section = rd_law_section(subject.law, 0);
    if (rd_law_apply(subject.run, subject.section, role, &(struct rd_law_place){.d = 1}, &data,
                     array, any_order, &error) != RD_OK) {
        snprintf(said, sizeof said, "%d: %s", (int)error.column - (int)strlen(head),
                 error.what.text);
    } else {
        for (size_t k = 0; k < n; k++) {
            char value[RD_VALUE_TEXT_SIZE];
            numeric->format(value, numeric->load(array, k));
            length += (size_t)sprintf(said + length, "%s%s", k ? " " : "", value);
        }
    }
    law_subject_finish(&subject);
    return said;
}

static const char *updated(enum rd_type type, const char *update)
{
    char text[500];
    double a[] = {3, 1, 4, 1}, cells[] = {10, 20, 30, 40};
    snprintf(text, sizeof text, "update %s", update);
    return moved_as(type, text, RD_LAW_UPDATE, a, cells, 4, NULL);
}

static void test_update_reads_the_state_before_it(void **state)
{
    (void)state;
    assert_string_equal(updated(RD_TYPE_I32, "for i < 3: A[i] = A[i + 1]"), "20 30 40 40");
    assert_string_equal(updated(RD_TYPE_I32, "for 0 < i < 4: A[i] = A[i - 1]"), "10 10 20 30");
    assert_string_equal(updated(RD_TYPE_I32, "A[0] = A[1]; A[1] = A[0]"), "20 10 30 40");
    assert_string_equal(updated(RD_TYPE_I32, "for i < n: A[i] = A[i] + 10*i - (i - 1)"),
                        "11 30 49 68");
    assert_string_equal(updated(RD_TYPE_I32, "A = A[3] - d"), "39 39 39 39");
}

static void test_update_that_says_two_things_of_a_cell_is_refused(void **state)
{
    static const char *const wrong[] = {
        "A[1] = A[0]; for i < 2: A[i] = A[i + 1]",
        "for i < 2: A[i] = A[i + 1]; A[1] = A[0]",
        "for i < 2: A[1] = A[i]",
        "for i < 2: A[i - i] = A[i]",
        "for i < 2, k < 2: A[i + k] = A[i]",
        "for i < 4, k = i mod 2: A[k] = A[i]",
    };
    (void)state;
    for (size_t k = 0; k < 2 * sizeof wrong / sizeof *wrong; k++) {
        one_by_one = k % 2 == 1;
        const char *said = updated(RD_TYPE_I32, wrong[k / 2]);
        if (!strstr(said, "two claims on 'A' say different things of cell "))
            fail_msg("%s: %s", wrong[k / 2], said);
    }
    one_by_one = false;
    assert_string_equal(updated(RD_TYPE_I32, "A[0] = A[1] + 1; for i < 2: A[i] = A[1] + 1"),
                        "21 21 30 40");
    assert_string_equal(updated(RD_TYPE_I32, "for i < 4, k = i mod 2: A[k] = A[3]"), "40 40 30 40");
    assert_string_equal(updated(RD_TYPE_I32, "for i < 2, k < 2: A[2*i + k] = A[k]"), "10 20 10 20");
    assert_string_equal(updated(RD_TYPE_I32, "when d = 0: A = 5; when d = 1: A[0] = 6"),
                        "6 20 30 40");
}

static void test_update_of_a_cell_that_does_not_exist_changes_nothing(void **state)
{
    (void)state;
    assert_string_equal(updated(RD_TYPE_I32, "for i <= 4: A[i] = a[0]"),
                        "20: 'A' has no cell 4 at d = 1");
    assert_string_equal(updated(RD_TYPE_I32, "for i < 4: A[i] = A[i + 1]"),
                        "26: 'A' has no element 4 of 4 at d = 1");
}

static void assert_both_ways_say_the_same(const char *update)
{
    char slow[1000];
    one_by_one = true;
    snprintf(slow, sizeof slow, "%s", updated(RD_TYPE_I32, update));
    one_by_one = false;
    const char *fast = updated(RD_TYPE_I32, update);
    if (strcmp(fast, slow) != 0)
        fail_msg("%s: %s, and cell by cell %s", update, fast, slow);
}

/* Conditions in any order, of which one may be undefined though another has left every case out. At d = 1. */
static void test_what_is_undefined_is_found_side_by_side_as_cell_by_cell(void **state)
{
    static const char *const conditions[] = {
        "j < i",
        "j < 0",
        "i < j",
        "d > 5",
        "j = k",
        "k < 4 div (d - 1)",
        "k < 2",
        "j mod (d - 1) = i",
        "j / (d - 2) = i",
        "j = i div (d - 1)",
        "j mod (i - 1) = 0",
        "k = j % (i - 2)",
    };
    enum { COUNT = sizeof conditions / sizeof *conditions };
    (void)state;
    assert_both_ways_say_the_same("for i < n: A[i] = 7 / (d - 3)");
    assert_both_ways_say_the_same("for i < n: A[i] = 7 % (1 - i)");
    for (size_t k = 0; k < (size_t)COUNT * COUNT * COUNT; k++) {
        char update[200];
        snprintf(update, sizeof update, "for i < n: A[i] = sum of a[j]*a[k], %s, %s, %s",
                 conditions[k % COUNT], conditions[k / COUNT % COUNT],
                 conditions[k / COUNT / COUNT]);
        assert_both_ways_say_the_same(update);
        snprintf(update, sizeof update, "for 0 <= j, k < n, %s, %s, %s: A[j] = a[k] let i = 2",
                 conditions[k % COUNT], conditions[k / COUNT % COUNT],
                 conditions[k / COUNT / COUNT]);
        assert_both_ways_say_the_same(update);
    }
}

static void test_too_much_work_is_told_with_the_value_that_takes_it(void **state)
{
    static const char *const text =
        "input a[n] array A[n] law for 0 <= i < n: A[i] = sum of a[j], j xor i < n";
    const struct rd_numeric *numeric = rd_numeric(RD_TYPE_U64);
    uint64_t a[64] = {0}, cells[64] = {7};
    const void *const inputs[] = {a};
    struct rd_law_error error;
    (void)state;
    for (unsigned slow = 0; slow < 2; slow++) {
        const struct rd_law_data data = {.numeric = numeric, .inputs = inputs, .one_by_one = slow};
        struct law_subject subject =
            law_subject(text, (struct rd_law_sizes){.n = 64, .work_max = 1000});
        subject.section = rd_law_section(subject.law, 0);
        assert_int_equal(rd_law_apply(subject.run, subject.section, RD_LAW_LAW, NULL, &data, cells,
                                      NULL, &error),
                         RD_ERROR_USAGE);
        assert_string_equal(error.what.text,
                            "takes too long: more than 1000 evaluations at d = 0: take a smaller "
                            "n, or bound its variables more closely");
        assert_int_equal(error.line, 1);
        assert_true(error.column > (size_t)(strstr(text, "sum") - text));
        assert_int_equal(cells[0], 7);
        law_subject_finish(&subject);
    }
}

static void test_without_sentences_of_the_role_the_law_says_what_is_left(void **state)
{
    double a[] = {3, 1}, cells[] = {10, 20};
    (void)state;
    assert_string_equal(moved_as(RD_TYPE_I32, "", RD_LAW_UPDATE, a, cells, 2, NULL), "0 0");
    assert_string_equal(moved_as(RD_TYPE_I32, "start A = a[0]", RD_LAW_UPDATE, a, cells, 2, NULL),
                        "0 0");
    assert_string_equal(moved_as(RD_TYPE_I32, "start A = a[0]", RD_LAW_START, a, cells, 2, NULL),
                        "3 3");
}

static void test_operations_are_monoids_with_their_identity(void **state)
{
    static const struct {
        const char *operation, *of_i32, *nothing_i32, *of_f32, *nothing_f32;
    } rows[] = {
        {"sum", "9", "0", "9", "0"},
        {"product", "12", "1", "12", "1"},
        {"min", "1", "2147483647", "1", "nan"},
        {"max", "4", "-2147483648", "4", "nan"},
        {"and", "0", "-1", NULL, NULL},
        {"or", "7", "0", NULL, NULL},
        {"xor", "7", "0", NULL, NULL},
        {"argmin", "1", NULL, "1", NULL},
        {"argmax", "2", NULL, "2", NULL},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        for (unsigned empty = 0; empty < 2; empty++) {
            for (unsigned is_float = 0; is_float < 2; is_float++) {
                const char *wanted = is_float ? empty ? rows[k].nothing_f32 : rows[k].of_f32
                                     : empty  ? rows[k].nothing_i32
                                              : rows[k].of_i32;
                char update[100], all[100];
                snprintf(update, sizeof update, "A = %s of a[j]%s", rows[k].operation,
                         empty ? ", j > 4" : "");
                const char *is = updated(is_float ? RD_TYPE_F32 : RD_TYPE_I32, update);
                snprintf(all, sizeof all, "%s %s %s %s", wanted ? wanted : "", wanted ? wanted : "",
                         wanted ? wanted : "", wanted ? wanted : "");
                if (wanted ? strcmp(is, all) != 0 : !strstr(is, "' "))
                    fail_msg("%s: %s, not %s", update, is, wanted ? wanted : "an error");
            }
        }
    }
    assert_string_equal(updated(RD_TYPE_F32, "A = or of a[j]"),
                        "12: 'or' isn't an operation of f32 at d = 1");
    assert_string_equal(updated(RD_TYPE_I32, "A = argmax of a[j], j > 4"),
                        "12: 'argmax' of nothing: undefined at d = 1");
    assert_string_equal(updated(RD_TYPE_U32, "A = min of a[j], j > 4"),
                        "4294967295 4294967295 4294967295 4294967295");
    /* Equal terms give the least index; a term gives that of its element. */
    assert_string_equal(updated(RD_TYPE_I32, "A = argmin of (a[j + 1] - 3)^2*2, j < 3"), "2 2 2 2");
}

static void test_operations_combine_as_in_their_type(void **state)
{
    const struct rd_numeric *f32 = rd_numeric(RD_TYPE_F32), *i32 = rd_numeric(RD_TYPE_I32);
    rd_bits nan, one = f32->from_u64(1), identity = 77;
    (void)state;
    const float value = NAN;
    nan = f32->load(&value, 0);
    assert_int_equal(rd_operation_combine(RD_OPERATION_MIN, f32, nan, one), one);
    assert_int_equal(rd_operation_combine(RD_OPERATION_MAX, f32, one, nan), one);
    assert_true(f32->is_nan(rd_operation_combine(RD_OPERATION_MAX, f32, nan, nan)));
    assert_int_equal(rd_operation_combine(RD_OPERATION_MIN, i32, UINT32_MAX, 3), UINT32_MAX);
    assert_int_equal(rd_operation_combine(RD_OPERATION_MAX, i32, UINT32_MAX, 3), 3);
    assert_false(rd_operation_identity(RD_OPERATION_AND, f32, &identity));
    assert_false(rd_operation_identity(RD_OPERATION_ARGMIN, i32, &identity)); /* no indices */
    assert_int_equal(identity, 77);
    for (unsigned type = 0; type < RD_TYPE_COUNT; type++) {
        const struct rd_numeric *numeric = rd_numeric((enum rd_type)type);
        for (unsigned k = 0; k < RD_OPERATION_COUNT; k++) {
            const enum rd_operation operation = (enum rd_operation)k;
            if (rd_operation_selects(operation) ||
                !rd_operation_identity(operation, numeric, &identity))
                continue;
            rd_bits x = numeric->from_u64(5);
            assert_true(rd_operation_combine(operation, numeric, x, identity) == x);
            assert_true(rd_operation_combine(operation, numeric, identity, x) == x);
        }
    }
}

static void test_brackets_of_a_sum_decide_about_roundings(void **state)
{
    double a[] = {5e-8, 5e-8}, cells[] = {1, 0};
    (void)state;
    assert_string_equal(
        moved_as(RD_TYPE_F32, "update A[0] = A[0] + sum of a[j]", RD_LAW_UPDATE, a, cells, 2, NULL),
        "1 0");
    assert_string_equal(moved_as(RD_TYPE_F32, "update A[0] = A[0] + (sum of a[j])", RD_LAW_UPDATE,
                                 a, cells, 2, NULL),
                        "1.0000001 0");
}

static void test_any_order_is_told(void **state)
{
    double a[] = {3, 1}, cells[] = {10, 20};
    bool any_order = false;
    (void)state;
    moved_as(RD_TYPE_I32, "update A = sum of a[j]", RD_LAW_UPDATE, a, cells, 2, &any_order);
    assert_false(any_order);
    moved_as(RD_TYPE_I32, "update A = sum of a[j], in any order", RD_LAW_UPDATE, a, cells, 2,
             &any_order);
    assert_true(any_order);
}

/* The array at the point is kept from one move to the next, and the step that adds in any order undone. */
static void test_a_step_that_is_undone_has_no_any_order(void **state)
{
    static const char *const text =
        "input a[n] array A[n] law A = 0\nupdate for 0 <= i < n: A[i] = p.x[0][i]\n"
        "at p shared x[n] steps w = 4, w - 1, ..., 4 - d\nlaw for 0 <= i < n: x[i] = 0\n"
        "start for 0 <= i < n: x[i] = a[i]\n"
        "update when w = 1: for 0 <= i < n: x[i] = sum of a[j], in any order;\n"
        "    when w > 1: for 0 <= i < n: x[i] = x[i]";
    static const uint64_t steps[] = {1, 3, 1, 2, 3, 0};
    struct law_subject subject = law_subject(text, (struct rd_law_sizes){.n = 4, .T = 4, .B = 1});
    struct rd_law_kept *kept = rd_law_kept_create();
    const int32_t a[] = {3, 1, 4, 1};
    const void *const inputs[] = {a};
    const struct rd_law_data data = {.numeric = rd_numeric(RD_TYPE_I32), .inputs = inputs};
    (void)state;
    assert_non_null(kept);
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        int32_t cells[4] = {0};
        bool any_order = false;
        rd_law_run_keep(subject.run, kept);
        assert_int_equal(rd_law_apply(subject.run, rd_law_section(subject.law, 0), RD_LAW_UPDATE,
                                      &(struct rd_law_place){.d = steps[k]}, &data, cells,
                                      &any_order, NULL),
                         RD_OK);
        assert_int_equal(cells[2], steps[k] == 3 ? 9 : 4);
        assert_int_equal(any_order, steps[k] == 3);
    }
    rd_law_run_keep(subject.run, NULL);
    rd_law_kept_destroy(kept);
    law_subject_finish(&subject);
}

/* An array whose steps speak of d is that after the step of this round, which is 1. */
static void test_array_aside_goes_as_far_as_the_round_says(void **state)
{
    double a[] = {3, 1, 4, 1}, cells[] = {0, 0, 0, 0};
    char text[300];
    (void)state;
    for (unsigned last = 0; last < 3; last++) {
        static const char *const made[] = {"9 2 4 1", "7 2 4 1", "3 1 4 1"};
        snprintf(text, sizeof text,
                 "update for i < n: A[i] = p.f[0][i] at p shared f[n]\n"
                 "steps v = n, v/2, ..., d*2^%u law f = 0 start for i < n: f[i] = a[i]\n"
                 "update for i < v: f[i] = f[i] + f[i + v]",
                 last);
        assert_string_equal(moved_as(RD_TYPE_I32, text, RD_LAW_UPDATE, a, cells, 4, NULL),
                            made[last]);
    }
}

static void test_array_at_a_point_is_that_after_its_last_step(void **state)
{
    double a[] = {1, 2, 3, 4}, cells[] = {0, 0, 0, 0};
    (void)state;
    assert_string_equal(
        moved_as(RD_TYPE_I32,
                 "update for k < 2: A[k] = p.r[k][1][0]; A[2] = q.total[1][0]\n"
                 "at p register r[2] steps w = 2, w/2, ..., 1 law r = 0\n"
                 "start for i < 2: r[i] = a[2*block + i] + 100*warp\n"
                 "update for i < w: r[i] = r[i] + r[i + w]\n"
                 "at q register total law total = 0 start total = p.r[block][0][0] + p.r[0][0][1]",
                 RD_LAW_UPDATE, a, cells, 4, NULL),
        "203 207 9 0");
    assert_string_equal(moved_as(RD_TYPE_I32,
                                 "update A[0] = p.r[0][0]\n"
                                 "at p shared r[2] law r = 0 start r = q.s[block][0]\n"
                                 "at q shared s[2] law s = 0 start s = p.r[block][1]",
                                 RD_LAW_UPDATE, a, cells, 4, NULL),
                        "6: 'p' starts from its own end at 'q', block 0");
}

/* ---- whether the law is preserved ---- */

#define FOLD                                                                                       \
    "input a[n] array A[n] let w = n / 2^d\n"                                                      \
    "law for i < w: A[i] = sum of a[j], j mod w = i\n"

/* "preserved", or how it is broken after round d of n = 8. */
static const char *broken_by(const char *sentences, unsigned d)
{
    static char said[600];
    char text[600];
    bool preserved = false;
    struct rd_law_broken broken;
    struct rd_law_error error;
    snprintf(text, sizeof text, FOLD "%s", sentences);
    struct law_subject subject = law_subject(text, (struct rd_law_sizes){.n = 8, .T = 4, .B = 2});
    if (rd_law_preserves(subject.run, rd_law_section(subject.law, 0),
                         d ? RD_LAW_UPDATE : RD_LAW_START, &(struct rd_law_place){.d = d - 1},
                         &(struct rd_law_place){.d = d}, 0, &preserved, &broken, &error) != RD_OK)
        snprintf(said, sizeof said, "%zu: %s", error.column, error.what.text);
    else if (preserved)
        snprintf(said, sizeof said, "preserved");
    else if (broken.unknown)
        snprintf(said, sizeof said, "cell %zu unknown", (size_t)broken.cell);
    else
        snprintf(said, sizeof said, "cell %zu: a[%zu] %zu times, not %zu", (size_t)broken.cell,
                 (size_t)broken.index, broken.made, broken.wanted);
    law_subject_finish(&subject);
    return said;
}

static void test_update_that_preserves_the_law_is_told_from_others(void **state)
{
    (void)state;
    assert_string_equal(broken_by("update for i < w: A[i] = A[i] + A[i + w]", 1), "preserved");
    assert_string_equal(broken_by("update for i < w: A[i] = A[i] + A[i + w]", 3), "preserved");
    assert_string_equal(broken_by("", 1), "preserved"); /* by the law itself */
    /* The mirrored fold adds up to the same, and puts inputs into other cells. */
    assert_string_equal(broken_by("update for i < w: A[i] = A[i] + A[2*w - 1 - i]", 1),
                        "cell 0: a[4] 0 times, not 1");
    assert_string_equal(broken_by("update for i < w: A[i] = A[i] + A[i + w] + A[i]", 1),
                        "cell 0: a[0] 2 times, not 1");
    assert_string_equal(broken_by("update for i <= w: A[i] = A[i] + A[i + w]", 1),
                        "34: 'A' has no element 8 of 8 at d = 1");
    /* Cell w is dead then. */
    assert_string_equal(broken_by("update for i <= w: A[i] = A[i] + A[i + w]", 3), "preserved");
    assert_string_equal(broken_by("update for 0 < i < w: A[i] = A[i] + A[i + w]", 1),
                        "cell 0: a[4] 0 times, not 1"); /* as it was */
    assert_string_equal(broken_by("update for i < w: A[i] = A[i] + A[i + 2*w]", 2),
                        "cell 0 unknown");
    /* One of two claims knows a cell, and the other adds one that is dead. */
    assert_string_equal(
        broken_by("update for i < w: A[i] = A[i] + A[i + w]; A[0] = A[0] + A[w] + A[2*w]", 2),
        "cell 0 unknown");
    assert_string_equal(broken_by("update for i < w: A[i + 8*w] = A[i]", 2),
                        "19: 'A' has no cell 16 at d = 2");
}

static void test_start_that_makes_the_law_is_told_from_others(void **state)
{
    (void)state;
    assert_string_equal(broken_by("start for i < n: A[i] = a[i]", 0), "preserved");
    assert_string_equal(broken_by("start for i < n: A[i] = a[0]", 0),
                        "cell 1: a[0] 1 times, not 0");
    assert_string_equal(broken_by("start for 0 < i < n: A[i] = a[i]", 0), "cell 0 unknown");
    assert_string_equal(broken_by("start A = A[0]", 0), "cell 0 unknown");
}

static void test_update_by_a_point_is_as_good_as_its_law(void **state)
{
    static const char *const point = "update for i < w: A[i] = p.s[0][i]\n"
                                     "at p shared s[n] steps q = 2, q/2, ..., 1\n"
                                     "law for i < 4: s[i] = a[i]%s";
    char text[300];
    (void)state;
    snprintf(text, sizeof text, point, " + a[i + 4*q]");
    assert_string_equal(broken_by(text, 1), "preserved");
    snprintf(text, sizeof text, point, " + a[i + 2*q]");
    assert_string_equal(broken_by(text, 1), "cell 0: a[2] 1 times, not 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_update_reads_the_state_before_it),
        cmocka_unit_test(test_too_much_work_is_told_with_the_value_that_takes_it),
        cmocka_unit_test(test_what_is_undefined_is_found_side_by_side_as_cell_by_cell),
        cmocka_unit_test(test_update_that_says_two_things_of_a_cell_is_refused),
        cmocka_unit_test(test_update_of_a_cell_that_does_not_exist_changes_nothing),
        cmocka_unit_test(test_without_sentences_of_the_role_the_law_says_what_is_left),
        cmocka_unit_test(test_operations_are_monoids_with_their_identity),
        cmocka_unit_test(test_operations_combine_as_in_their_type),
        cmocka_unit_test(test_brackets_of_a_sum_decide_about_roundings),
        cmocka_unit_test(test_any_order_is_told),
        cmocka_unit_test(test_a_step_that_is_undone_has_no_any_order),
        cmocka_unit_test(test_array_at_a_point_is_that_after_its_last_step),
        cmocka_unit_test(test_array_aside_goes_as_far_as_the_round_says),
        cmocka_unit_test(test_update_that_preserves_the_law_is_told_from_others),
        cmocka_unit_test(test_start_that_makes_the_law_is_told_from_others),
        cmocka_unit_test(test_update_by_a_point_is_as_good_as_its_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
