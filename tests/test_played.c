// SPDX-License-Identifier: MIT
/* Annotations asserted of recordings, which are written here as a program's process would write them. */
#include "check/playback/played.h"
#include "reductio/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char fold[] = "void f(int *A, int *a, int n)\n"
                           "{\n"
                           "    //@ requires n = 2^k\n"
                           "    //@ input a[n]\n"
                           "    //@ invariant for 0 <= i < w: A[i] = sum of a[j], j mod w = i\n"
                           "    for (int w = n; w > 1; w /= 2) g();\n"
                           "    //@ ensures A[0] = sum of a[j]\n"
                           "}\n";

/* A recording, and the annotations that it is of. */
struct recording {
    struct rd_check_functions functions;
    struct rd_annotations annotations;
    struct rd_played played;
    struct rd_played_summary summary;
    char *text;
};

static void begin(struct recording *recording, const char *text)
{
    struct rd_error error;
    rd_check_functions_init(&recording->functions, text);
    if (rd_annotations_init(&recording->annotations, "fold.cu", text, &recording->functions, 1,
                            &error) != RD_OK ||
        rd_annotations_read(&recording->annotations, 1, &error) != RD_OK)
        fail_msg("%s", error.text);
    rd_played_init(&recording->played, &recording->annotations, 1);
    recording->played.seal = "s";
}

static void take(struct recording *recording, const char *name, json_t *object, const void *payload,
                 size_t size_bytes)
{
    struct rd_error error;
    assert_non_null(object);
    assert_int_equal(rd_played_take(&recording->played, name, object, payload, size_bytes, &error),
                     RD_OK);
    json_decref(object);
}

/* An annotation is reached: with one name, or none where it is negative. */
static void reach(struct recording *recording, int site, int instance, int evaluation, int launches,
                  int value, const int *array, int count)
{
    json_t *object =
        json_pack("{s:s, s:i, s:i, s:i, s:i, s:[]}", "seal", "s", "site", site, "instance",
                  instance, "evaluation", evaluation, "launches", launches, "names");
    if (value >= 0)
        json_array_append_new(json_object_get(object, "names"), json_integer(value));
    if (array)
        json_object_set_new(
            object, "array",
            json_pack("{s:s, s:i, s:i}", "type", "i32", "count", count, "size_bytes", 4 * count));
    take(recording, "law", object, array, 4 * (size_t)count);
}

static void launch(struct recording *recording, int number, const char *kernel)
{
    take(recording, "launch",
         json_pack("{s:i, s:s, s:[iii], s:[iii]}", "number", number, "kernel", kernel, "grid", 1, 1,
                   1, "block", 4, 1, 1),
         NULL, 0);
}

static void judge(struct recording *recording, const char *trace)
{
    size_t size;
    struct rd_error error;
    FILE *out = open_memstream(&recording->text, &size);
    const struct rd_played_options options = {
        .text = out, .width = 100, .trace = trace, .trace_cells = 1000};
    if (rd_played_judge(&recording->played, &options, &recording->summary, &error) != RD_OK)
        fail_msg("%s", error.text);
    fclose(out);
    if (getenv("SHOW"))
        puts(recording->text);
}

static void finish(struct recording *recording)
{
    free(recording->text);
    rd_played_finish(&recording->played);
    rd_annotations_finish(&recording->annotations);
    rd_check_functions_finish(&recording->functions);
}

/* The run of the fold; in round `wrong` (0: none) cell 0 gets 1 too much. */
static void run_fold(struct recording *recording, int n, int wrong)
{
    int a[64], A[64];
    for (int k = 0; k < n; k++)
        A[k] = a[k] = k + 1;
    take(recording, "law",
         json_pack("{s:s, s:i, s:i, s:i, s:i, s:[in]}", "seal", "s", "site", 1, "instance", 0,
                   "evaluation", 0, "launches", 0, "names", n),
         NULL, 0);
    reach(recording, 2, 0, 0, 0, n, a, n);
    int round = 0;
    for (int w = n;; w /= 2) {
        reach(recording, 3, 1, round, round, w, A, n);
        if (w <= 1)
            break;
        round++;
        launch(recording, round, "fold");
        for (int k = 0; k < w / 2; k++)
            A[k] += A[k + w / 2];
        A[0] += round == wrong;
    }
    reach(recording, 4, 0, 0, round, -1, A, n);
}

static void test_played_fold_holds(void **state)
{
    (void)state;
    struct recording recording;
    begin(&recording, fold);
    run_fold(&recording, 8, 0);
    judge(&recording, NULL);
    assert_int_equal(recording.summary.verdict, RD_HOLDS);
    assert_int_equal(recording.summary.invariants, 1);
    assert_int_equal(recording.summary.assertions, 2);
    assert_int_equal(recording.summary.cells, 15 + 1);
    finish(&recording);
}

static void test_played_wrong_round_is_named(void **state)
{
    (void)state;
    struct recording recording;
    begin(&recording, fold);
    run_fold(&recording, 8, 2);
    judge(&recording, NULL);
    assert_int_equal(recording.summary.verdict, RD_VIOLATED);
    assert_non_null(strstr(recording.text, "VIOLATED"));
    finish(&recording);
}

static void test_played_requires_that_fails_is_said(void **state)
{
    (void)state;
    struct recording recording;
    begin(&recording, fold);
    run_fold(&recording, 6, 0);
    judge(&recording, NULL);
    assert_int_equal(recording.summary.verdict, RD_VIOLATED);
    assert_non_null(strstr(recording.text, "    VIOLATED: n is 6\n"));
    finish(&recording);
}

static void test_played_recording_of_someone_else_s_is_not_believed(void **state)
{
    (void)state;
    const int zeros[8] = {0};
    for (int which = 0; which < 5; which++) {
        struct recording recording;
        begin(&recording, fold);
        run_fold(&recording, 8, 0);
        recording.played.seal = which == 0 ? "another" : "s";
        if (which == 0)
            reach(&recording, 3, 1, 4, 3, 1, zeros, 8);
        else if (which == 1) /* an evaluation that is left out */
            reach(&recording, 3, 1, 5, 3, 1, zeros, 8);
        else if (which == 2) /* a kernel that was not launched */
            reach(&recording, 3, 1, 4, 9, 1, zeros, 8);
        else if (which == 3) /* no such annotation */
            reach(&recording, 9, 1, 0, 3, 1, zeros, 8);
        else /* a name too few */
            reach(&recording, 3, 2, 0, 3, -1, zeros, 8);
        judge(&recording, NULL);
        assert_int_equal(recording.summary.verdict, RD_INCONCLUSIVE);
        assert_non_null(strstr(recording.text, "can't be trusted"));
        finish(&recording);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_played_fold_holds),
        cmocka_unit_test(test_played_wrong_round_is_named),
        cmocka_unit_test(test_played_recording_of_someone_else_s_is_not_believed),
        cmocka_unit_test(test_played_requires_that_fails_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
