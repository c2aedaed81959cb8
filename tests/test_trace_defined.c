// SPDX-License-Identifier: MIT
/* Programs that traces define: each belongs to its reader, and two traces may define one name differently. */
#include "trace_harness.h"
#include "reductio/history.h"
#include "reductio/report.h"

#include <string.h>

/* Two programs on the library's kernel `fold` that differ in their laws: the second claims half of the cells after a round. */
static const char *const laws[] = {
    "input a[n]\narray A[n]\nlet w = n / 2^d\n"
    "law for 0 <= i < w: A[i] = sum of a[j], j mod w = i\n",
    "input a[n]\narray A[n]\nlet w = n / 2^d\n"
    "law when d = 0: for 0 <= i < n: A[i] = sum of a[j], j mod w = i;\n"
    "    when d > 0: for 0 <= i < max(w / 2, 1): A[i] = sum of a[j], j mod w = i\n",
};

/* The trace of a run of such a program, which is then called `name` in it, and launches `kernel`. */
static char *defined_text(int which, const char *name, const char *kernel)
{
    const char *const own[] = {"here-first", "here-second"};
    const struct rd_program program = {
        .size = sizeof program,
        .name = own[which],
        .summary = "a test",
        .law = laws[which],
        .launch = "when w > 0: fold(A, w) by w threads, half = w",
        .accept = "n = bit_ceil(n) else no",
        .n = 8,
    };
    struct rd_error error;
    if (rd_program_register(&program, NULL, &error) != RD_OK)
        fail_msg("%s", error.text);
    char *text = recorded_text(&(struct recipe){.program = own[which], .n = 8});
    char quoted[2][64];
    for (char *next; strcmp(kernel, "fold") != 0 && strstr(text, "fold"); text = next) {
        next = replaced(text, "", "fold", kernel);
        free(text);
    }
    snprintf(quoted[0], sizeof quoted[0], "\"%s\"", own[which]);
    snprintf(quoted[1], sizeof quoted[1], "\"%s\"", name);
    char *named = replaced(text, "\"program\"", quoted[0], quoted[1]);
    free(text);
    return named;
}

static void read_text(struct rd_history **history, const char *path, const char *text)
{
    struct rd_error error;
    spit(path, text);
    if (rd_history_read(history, path, NULL, &error) != RD_OK)
        fail_msg("%s", error.text);
}

static void test_defined_one_name_with_two_laws_is_verified_as_each_says(void **state)
{
    (void)state;
    char *texts[] = {defined_text(0, "there", "away"), defined_text(1, "there", "away")};
    const size_t cells[] = {15, 12};
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < 2; k++) {
            struct rd_replay replay = replay_text(texts[k]);
            assert_string_equal(replay.reason, "");
            assert_int_equal(replay.verdict, RD_HOLDS);
            assert_int_equal(replay.cells, cells[k]);
            assert_string_equal(replay.program->name, "there");
            assert_string_equal(rd_program_law(replay.program), laws[k]);
            rd_replay_finish(&replay);
            assert_null(replay.program);
        }
    }
    free(texts[0]);
    free(texts[1]);
}

static void test_defined_programs_are_found_by_nobody_else(void **state)
{
    (void)state;
    char *text = defined_text(0, "there", "away");
    struct rd_replay replay = replay_text(text);
    assert_null(rd_program_named("there"));
    assert_non_null(rd_program_named("here-first"));
    rd_replay_finish(&replay);
    free(text);
}

/* The reader's program is as the trace defines it, whatever is registered here by that name. */
static void test_defined_name_of_a_registered_program_is_the_trace_s(void **state)
{
    (void)state;
    char *text = defined_text(0, "here-second", "fold");
    struct rd_replay replay = replay_text(text);
    assert_int_equal(replay.verdict, RD_HOLDS);
    assert_string_equal(rd_program_law(replay.program), laws[0]);
    assert_string_equal(rd_program_law(rd_program_named("here-second")), laws[1]);
    rd_replay_finish(&replay);
    free(text);
}

static void test_defined_one_name_with_two_laws_is_compared(void **state)
{
    (void)state;
    struct rd_trace_difference found;
    struct rd_error error;
    char *texts[] = {defined_text(0, "there", "away"), defined_text(1, "there", "away")};
    const char *paths[] = {in_folder("left"), in_folder("right")};
    for (int k = 0; k < 2; k++) {
        spit(paths[k], texts[k]);
        free(texts[k]);
    }
    if (rd_trace_diff(paths[0], paths[1], &found, &error) != RD_OK)
        fail_msg("%s", error.text);
    assert_true(found.differs && found.in_step);
    assert_int_equal(found.step, 1);
    assert_int_equal(found.n_header, 1);
    if (strncmp(found.header[0], "definition.law: ", strlen("definition.law: ")) != 0)
        fail_msg("'%s' doesn't name what is defined differently", found.header[0]);
    assert_int_equal(rd_trace_diff(paths[0], paths[0], &found, &error), RD_OK);
    assert_false(found.differs);
}

static void test_defined_one_name_with_two_laws_is_on_one_page(void **state)
{
    (void)state;
    struct rd_history *histories[2];
    struct rd_error error;
    char *texts[] = {defined_text(0, "there", "away"), defined_text(1, "there", "away")};
    for (int k = 0; k < 2; k++) {
        read_text(&histories[k], in_folder(k ? "right" : "left"), texts[k]);
        free(texts[k]);
    }
    const struct rd_report report = {
        .size = sizeof report, .history = histories[0], .compare = histories[1]};
    const char *page = in_folder("page");
    if (rd_report_write(page, &report, &error) != RD_OK)
        fail_msg("%s", error.text);
    rd_history_destroy(histories[0]);
    assert_string_equal(rd_program_law(rd_history_about(histories[1])->program), laws[1]);
    rd_history_destroy(histories[1]);
    char *text = slurp(page);
    assert_non_null(strstr(text, "for 0 &lt;= i &lt; w: A[i]"));
    assert_non_null(strstr(text, "for 0 &lt;= i &lt; max(w / 2, 1): A[i]"));
    free(text);
}

static void test_defined_name_of_the_library_is_refused(void **state)
{
    (void)state;
    char *text = defined_text(0, "fold", "away");
    assert_replay_refused(text, "'fold' is the name of another program, of the library's");
    free(text);
}

/* A law that its update contradicts at a size at which registration did not try it, and one at a point inside a kernel: the
 * updates are what a run asserts, and HOLDS would be printed beside a law that is false. */
static void test_defined_law_that_its_update_contradicts_is_refused(void **state)
{
    (void)state;
    const struct rd_program program = {
        .size = sizeof program,
        .name = "here-moved",
        .summary = "a test",
        .law = "input a[n]\narray A[n]\nlet w = n / 2^d\n"
               "law for 0 <= i < w: A[i] = sum of a[j], j mod w = i, j != 5000 or d = 0\n"
               "start for 0 <= i < n: A[i] = a[i]\n"
               "update for 0 <= i < w: A[i] = A[i] + A[i + w]\n",
        .launch = "when w > 0: fold(A, w) by w threads, half = w",
        .accept = "n = bit_ceil(n) else no",
        .n = 8,
    };
    const struct recipe recipe = {.program = program.name, .n = 64};
    struct rd_result result;
    struct rd_error error;
    if (rd_program_register(&program, NULL, &error) != RD_OK)
        fail_msg("%s", error.text);
    char *text = recorded_text(&recipe);
    char *edited = replaced(text, "definition", "j != 5000", "j != 40");
    assert_replay_refused(edited, "the law of 'here-moved' and its 'update' give A[8] different "
                                  "values at step 1 of n = 64: correct one of them");
    assert_int_equal(record_trace(&(struct recipe){.program = program.name, .n = 8192},
                                  in_folder("large"), &result, &error),
                     RD_ERROR_USAGE);
    assert_non_null(strstr(error.text, "'update' give A[904] different values at step 1"));
    free(text);
    free(edited);
}

static void test_defined_law_at_a_point_that_its_update_contradicts_is_refused(void **state)
{
    (void)state;
    struct rd_program program = *rd_program_named("dot-shared");
    const struct recipe recipe = {.program = "here-point", .n = 100, .block = 8};
    const char *name = in_folder("point");
    struct rd_result result;
    struct rd_error error;
    char *law =
        replaced(rd_program_law(&program), "shared cache", "t mod w = i", "t mod w = i, t != 3");
    program.name = "here-point";
    program.law = law;
    program.any_operation = false;
    if (rd_program_register(&program, NULL, &error) != RD_OK)
        fail_msg("%s", error.text);
    assert_int_equal(record_trace(&recipe, name, &result, &error), RD_ERROR_USAGE);
    assert_non_null(
        strstr(error.text, "'start' give cache[3] different values at 'sequential' of block 0"));
    free(law);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defined_one_name_with_two_laws_is_verified_as_each_says),
        cmocka_unit_test(test_defined_programs_are_found_by_nobody_else),
        cmocka_unit_test(test_defined_name_of_a_registered_program_is_the_trace_s),
        cmocka_unit_test(test_defined_one_name_with_two_laws_is_compared),
        cmocka_unit_test(test_defined_one_name_with_two_laws_is_on_one_page),
        cmocka_unit_test(test_defined_name_of_the_library_is_refused),
        cmocka_unit_test(test_defined_law_that_its_update_contradicts_is_refused),
        cmocka_unit_test(test_defined_law_at_a_point_that_its_update_contradicts_is_refused),
    };
    return cmocka_run_group_tests(tests, trace_set_up, trace_tear_down) != 0;
}
