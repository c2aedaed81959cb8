// SPDX-License-Identifier: MIT
/* The registry of programs, and the small arithmetic of their schedules. */
#include "harness.h"
#include "reductio/law.h"
#include "device/kernel_names.h"

#include <limits.h>
#include <string.h>

static void test_programs_are_named_once_and_found_by_name(void **state)
{
    (void)state;
    for (const struct rd_program *const *p = rd_programs; *p; p++) {
        assert_ptr_equal(rd_program_named((*p)->name), *p);
        assert_true(strlen((*p)->summary) > 0);
        const struct rd_shape shape = rd_program_shape(*p, (struct rd_shape){.n = (*p)->n});
        assert_int_equal(rd_program_accept(*p, &shape, NULL), RD_OK);
        assert_true(rd_program_law(*p) && (*p)->launch);
    }
    assert_null(rd_program_named(""));
    assert_null(rd_program_named("fol"));
    assert_null(rd_program_named("folds"));
    assert_null(rd_program_named("fold:"));
}

/* Points are of the kernels, but for arrays aside; those that a lesson names are of its paragraph. */
static void test_points_are_those_of_the_paragraph(void **state)
{
    (void)state;
    for (const struct rd_program *const *p = rd_programs; *p; p++) {
        size_t listed = 0, named = 0, there = 0;
        struct rd_law *law;
        assert_int_equal(rd_law_create(&law, rd_program_law(*p), NULL), RD_OK);
        for (size_t k = 1; k < rd_law_section_count(law); k++) {
            struct rd_law_about about;
            enum rd_point point;
            rd_law_about(rd_law_section(law, k), &about);
            if (rd_point_named(about.point, &point))
                there++;
            else
                assert_string_equal(about.point, "folded");
        }
        for (const char *c = (*p)->points; c && *c; c += strspn(c, " ")) {
            c += strcspn(c, " ");
            named++;
        }
        for (const struct rd_point_invariant *const *q = rd_program_points(*p); *q; q++) {
            assert_ptr_equal(rd_program_point(*p, (*q)->point), *q);
            listed++;
        }
        assert_int_equal(listed, (*p)->points ? named : there);
        assert_int_equal(rd_program_has_points(*p), listed > 0);
        rd_law_destroy(law);
    }
}

/* The other families' own tests name theirs. */
static void test_programs_of_sums_round_by_round_are_there(void **state)
{
    static const char *const names[] = {
        "fold",
        "fold-guard",
        "fold-ceil",
        "unfold",
        "tournament",
        "multiply",
        "dot-fold",
        "dot-tournament",
        "unfold:float",
        "fold:inclusive-bound",
        "fold:tournament-table",
        "fold:missing-guard",
        "fold:wrong-half",
        "fold:tie-index",
        "fold-guard:zero-identity",
        "fold-ceil:floor",
        "tournament:interval",
        "tournament:lost-tail",
        "tournament:stride-one",
        "multiply:one-block",
    };
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_non_null(rd_program_named(names[i]));
}

static bool stands_above(const struct rd_program *program, const struct rd_program *const *place)
{
    for (const struct rd_program *const *p = rd_programs; p < place; p++)
        if (*p == program)
            return true;
    return false;
}

static void test_lessons_follow_their_twin(void **state)
{
    const struct rd_program *above = NULL; /* the last that is no fault */
    (void)state;
    for (const struct rd_program *const *p = rd_programs; *p; p++) {
        const struct rd_program *twin = rd_program_twin(*p);
        if (!rd_program_is_fault(*p))
            above = *p;
        assert_int_equal(rd_program_is_fault(*p), strchr((*p)->name, ':') || (*p)->twin);
        assert_false(rd_program_is_fault(twin));
        if (!(*p)->twin)
            assert_ptr_equal(twin, above);
        else
            assert_true(stands_above(twin, p));
    }
}

static void test_programs_are_explained_under_their_name(void **state)
{
    (void)state;
    for (const struct rd_program *const *p = rd_programs; *p; p++) {
        char *text = rd_program_explain(*p);
        size_t length = strlen((*p)->name);
        assert_non_null(text);
        assert_null(strstr(text, "{law")); /* each point that a text names is there */
        for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
            assert_in_range(strcspn(line, "\n"), 0, 80);
        assert_int_equal(strncmp(text, (*p)->name, length), 0);
        assert_int_equal(text[length], ':');
        assert_contains(text, rd_program_is_fault(*p) ? "What is wrong" : "Worked example");
        if (rd_program_is_fault(*p)) {
            assert_contains(text, "\nThe cure\n");
        } else { /* the obligations by the names that they have everywhere */
            assert_contains(text, "\nInitialization\n");
            assert_contains(text, "\nPreservation\n");
            assert_contains(text, "\nExit\n");
        }
        free(text);
    }
}

static void test_accept_refuses_0_and_what_memory_cannot_hold(void **state)
{
    struct rd_error error = {""};
    (void)state;
    for (const struct rd_program *const *p = rd_programs; *p; p++) {
        assert_int_equal(rd_program_accept(*p, SHAPE(0), &error), RD_ERROR_USAGE);
        assert_contains(error.text, "'n' is 0");
        assert_int_equal(rd_program_accept(*p, SHAPE(SIZE_MAX), &error), RD_ERROR_USAGE);
        assert_int_equal(rd_program_accept(*p, SHAPE((SIZE_MAX >> 1) + 1), &error), RD_ERROR_USAGE);
        assert_contains(error.text, "more than memory can hold");
        if (rd_program_is_fault(*p)) /* which may want a thread for each cell */
            continue;
        const struct rd_shape one = rd_program_shape(*p, (struct rd_shape){.n = 1});
        assert_int_equal(rd_program_accept(*p, &one, NULL), RD_OK);
    }
}

/* Plans of sizes that no test can run: no width wraps, and the last round is the last. */
static void test_accept_asks_what_the_lines_say_in_their_order(void **state)
{
    static const struct {
        struct rd_shape shape;
        const char *text;
    } rows[] = {
        {{.n = 8, .block = 4, .grid = 2}, ""},
        {{.n = 7, .block = 4, .grid = 2}, "7 is odd, 2 * 2 isn't"},
        {{.n = 7, .block = 3, .grid = 2}, "7 is odd, 2 * 2 isn't"},
        {{.n = 8, .block = 1, .grid = 2}, "1 thread and 8 cells"},
        {{.n = 8, .block = 3, .grid = 2}, "3 threads and 8 cells"},
        {{.n = 8, .block = 4, .grid = 3}, "3 is no half of 4"},
        {{.n = 8, .block = 4}, ""},
    };
    struct rd_program own = *rd_program_named("fold");
    (void)state;
    own.accept = "n = 0 (mod 2) else {n} is odd, {2} * 2 isn't\n"
                 "T > 3 else {T|thread} and {n|cell}\n"
                 "2*B = T else {B} is no half of {T}";
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct rd_error error = {""};
        assert_int_equal(rd_program_accept(&own, &rows[k].shape, &error),
                         *rows[k].text ? RD_ERROR_USAGE : RD_OK);
        assert_string_equal(error.text, rows[k].text);
    }
}

/* A condition without a value does not hold. */
static void test_accept_that_has_no_value_accepts_nothing(void **state)
{
    static const struct {
        const char *accept, *text;
    } rows[] = {
        {"n > else {n} is few", "'accept' asks 'n >', column 4: "},
        {"n = m else {n} isn't m", "'accept' asks 'n = m', column 5: "},
        {"n div 0 = 1 else {n} is odd", "division by 0"},
        {"B > m else {B} is few", "'accept' asks 'B > m', column 5: "},
        {"n > 1", "'n > 1' has no 'else' and no message"},
    };
    struct rd_program own = *rd_program_named("fold");
    char longer[800];
    (void)state;
    for (size_t grid = 0; grid < 2; grid++) {
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
            struct rd_error error = {""};
            own.accept = rows[k].accept;
            assert_int_equal(rd_program_accept(&own,
                                               &(struct rd_shape){.n = 8, .block = 4, .grid = grid},
                                               &error),
                             RD_ERROR_USAGE);
            assert_non_null(strstr(error.text, rows[k].text));
        }
        own.accept = "B = 9 else {B} is few"; /* without blocks it asks nothing */
        assert_int_equal(
            rd_program_accept(&own, &(struct rd_shape){.n = 8, .block = 4, .grid = grid}, NULL),
            grid ? RD_ERROR_USAGE : RD_OK);
    }
    snprintf(longer, sizeof longer, "n > 0%400s and n > 9 else {n} is few", "");
    own.accept = longer;
    assert_int_equal(
        rd_program_accept(&own, &(struct rd_shape){.n = 8, .block = 4, .grid = 1}, NULL),
        RD_ERROR_USAGE);
}

/* All conditions and numbers can be worked out, where there are blocks. */
static void test_what_programs_ask_has_a_value(void **state)
{
    static const char *const parts[] = {"?", "{", "}", "else", "\n"};
    size_t refused = 0;
    (void)state;
    for (const struct rd_program *const *p = rd_programs; *p; p++) {
        for (const char *line = (*p)->accept; line && *line;) {
            const size_t length = strcspn(line, "\n");
            const char *otherwise = strstr(line, " else ");
            char condition[300];
            bool holds;
            assert_true(otherwise && otherwise < line + length);
            snprintf(condition, sizeof condition, "%.*s", (int)(otherwise - line), line);
            assert_int_equal(rd_law_holds(condition, &(struct rd_law_sizes){.n = 7, .T = 5, .B = 3},
                                          &holds, NULL),
                             RD_OK);
            line += length + (line[length] == '\n');
        }
        for (size_t n = 1; n < 100; n += 7) {
            const struct rd_shape shape = {.n = n * n * n, .block = (unsigned)n, .grid = 1};
            struct rd_error error = {""};
            refused += rd_program_accept(*p, &shape, &error) != RD_OK;
            for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
                assert_null(strstr(error.text, parts[k]));
        }
    }
    assert_true(refused > 100);
}

static void test_rounds_of_huge_n_are_planned(void **state)
{
    (void)state;
    for (const struct rd_program *const *p = rd_programs; *p; p++) {
        size_t n = (size_t)1 << 57;
        struct rd_round round;
        if (rd_program_passes_input(*p) || (*p)->blocks) /* whose launches have another shape */
            continue;
        unsigned number = 1;
        for (; rd_program_round(*p, SHAPE_OF(n, 1024), number, &round); number++) {
            assert_int_equal(round.number, number);
            assert_true(round.width >= 1 && round.width <= n);
            assert_true(round.threads >= 1 && round.threads <= n);
            assert_true(number <= 60);
        }
        assert_int_equal(rd_program_rounds(*p, SHAPE(n)), number - 1);
    }
}

static void test_program_of_ones_own_says_its_rounds_and_kernel(void **state)
{
    struct rd_program program = *rd_program_named("fold");
    struct rd_round round;
    (void)state;
    program.kernel = "fold_wrong_half";
    assert_true(rd_program_round(&program, SHAPE(8), 3, &round));
    assert_int_equal(round.kernel, RD_KERNEL_FOLD_WRONG_HALF);
    assert_false(rd_program_round(&program, SHAPE(8), 4, &round));
    assert_false(rd_program_round(&program, SHAPE(8), UINT_MAX, &round));
    program.kernel = NULL;
    assert_true(rd_program_round(&program, SHAPE(8), 3, &round));
    assert_int_equal(round.kernel, RD_KERNEL_FOLD);
    program.launch = "when d <= 2: fold(A, 1) by 1 thread";
    assert_int_equal(rd_program_rounds(&program, SHAPE(8)), 2);
    assert_text(round.width_name, "half");
    assert_true(rd_program_round(&program, SHAPE(8), 2, &round));
    assert_text(round.width_name, "n");
    program.launch = "nothing(A) by 1 thread"; /* a kernel that there is not */
    assert_int_equal(rd_program_rounds(&program, SHAPE(8)), 0);
}

static void test_names_of_verdicts_and_kinds_read_back(void **state)
{
    (void)state;
    for (int v = RD_HOLDS; v <= RD_INCONCLUSIVE; v++) {
        enum rd_verdict verdict;
        assert_true(rd_verdict_named(rd_verdict_name((enum rd_verdict)v), &verdict));
        assert_int_equal(verdict, v);
    }
    for (int k = RD_VIOLATION_BITS; k <= RD_VIOLATION_GOAL; k++) {
        enum rd_violation_kind kind;
        assert_true(
            rd_violation_kind_named(rd_violation_kind_name((enum rd_violation_kind)k), &kind));
        assert_int_equal(kind, k);
    }
    enum rd_verdict verdict = RD_VIOLATED;
    assert_false(rd_verdict_named("holds", &verdict));
    assert_int_equal(verdict, RD_VIOLATED);
    assert_text(rd_obligation_name(RD_INITIALIZATION), "initialization");
    assert_text(rd_obligation_name(RD_PRESERVATION), "preservation");
    assert_text(rd_obligation_name(RD_EXIT), "exit");
}

static void test_statuses_have_texts_and_errors_need_no_memory(void **state)
{
    struct rd_error error = {"before"};
    (void)state;
    for (int status = RD_OK; status <= RD_ERROR_INTERRUPTED; status++)
        assert_true(strlen(rd_status_text((enum rd_status)status)) > 0);
    assert_text(rd_status_text((enum rd_status)99), "unknown status");
    assert_int_equal(rd_fail(NULL, RD_ERROR_IO, "%s", "nobody reads this"), RD_ERROR_IO);
    assert_int_equal(rd_fail(&error, RD_ERROR_IO, "%01000d", 7), RD_ERROR_IO);
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_programs_are_named_once_and_found_by_name),
        cmocka_unit_test(test_points_are_those_of_the_paragraph),
        cmocka_unit_test(test_programs_of_sums_round_by_round_are_there),
        cmocka_unit_test(test_lessons_follow_their_twin),
        cmocka_unit_test(test_programs_are_explained_under_their_name),
        cmocka_unit_test(test_accept_refuses_0_and_what_memory_cannot_hold),
        cmocka_unit_test(test_accept_asks_what_the_lines_say_in_their_order),
        cmocka_unit_test(test_accept_that_has_no_value_accepts_nothing),
        cmocka_unit_test(test_what_programs_ask_has_a_value),
        cmocka_unit_test(test_rounds_of_huge_n_are_planned),
        cmocka_unit_test(test_program_of_ones_own_says_its_rounds_and_kernel),
        cmocka_unit_test(test_names_of_verdicts_and_kinds_read_back),
        cmocka_unit_test(test_statuses_have_texts_and_errors_need_no_memory),
    };
    return cmocka_run_group_tests_name("program", tests, NULL, NULL) != 0;
}
