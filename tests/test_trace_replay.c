// SPDX-License-Identifier: MIT
/* Traces written by real runs in the simulator, and replayed: what was right stays right. */
#include "trace_harness.h"

#include <string.h>

#ifndef TRACES
#define TRACES "traces"
#endif

/* Tells whether the program accepts n, and runs on it in no time. */
static bool runs_on(const struct rd_program *program, size_t n)
{
    enum { FEW = 4096 };
    const struct rd_shape shape = rd_program_shape(program, (struct rd_shape){.n = n});
    return rd_program_accept(program, &shape, NULL) == RD_OK &&
           rd_program_inputs(program, &shape) <= FEW;
}

/* As test_is_due of harness.h. */
static bool is_due(void)
{
    static unsigned count;
    return !getenv("RD_TEST_SHORT") || count++ % 13 == 0;
}

static void test_replay_right_programs_of_every_type_hold(void **state)
{
    static const size_t sizes[] = {1, 2, 3, 8, 33, 256, 1000};
    (void)state;
    for (const struct rd_program *const *p = rd_programs; *p; p++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int type = 0; type < RD_HALVES_FIRST; type++)
                for (int frame = 0; frame < 2; frame++)
                    if (!rd_program_is_fault(*p) && runs_on(*p, sizes[s]) && is_due())
                        check_recipe(&(struct recipe){.program = (*p)->name,
                                                      .n = sizes[s],
                                                      .type = (enum rd_type)type,
                                                      .frame = frame},
                                     RD_HOLDS);
}

static void test_replay_lessons_are_violated_where_the_run_was(void **state)
{
    (void)state;
    for (const struct rd_program *const *p = rd_programs; *p; p++)
        for (int frame = 0; frame < 2; frame++)
            /* A missing guard spoils only dead cells. */
            if (rd_program_is_fault(*p) && (frame || strcmp((*p)->name, "fold:missing-guard")))
                check_recipe(&(struct recipe){.program = (*p)->name,
                                              .n = (*p)->n,
                                              .type = (*p)->type,
                                              .operation = (*p)->operation,
                                              .values = (*p)->values,
                                              .frame = frame},
                             RD_VIOLATED);
}

static void test_replay_cut_states_agree_with_the_run(void **state)
{
    (void)state;
    for (size_t cells = 0; cells < 9; cells++)
        for (int frame = 0; frame < 2; frame++) {
            struct recipe recipe = {
                .program = "fold", .n = 64, .cut = true, .cells = cells, .frame = frame};
            check_recipe(&recipe, RD_HOLDS);
            recipe.program = "dot-tournament";
            recipe.n = 77;
            recipe.type = RD_TYPE_F32;
            recipe.values = "random:5";
            check_recipe(&recipe, RD_HOLDS);
            recipe.program = "tournament:stride-one";
            check_recipe(&recipe, RD_VIOLATED);
            recipe.program = "fold:inclusive-bound"; /* wrong in a cell that is cut out */
            recipe.n = 64;
            check_recipe(&recipe, RD_VIOLATED);
        }
}

static void test_replay_cut_list_is_inconclusive(void **state)
{
    (void)state;
    char *text = recorded_text(&(struct recipe){
        .program = "fold", .n = 4, .values = "list:3,1,4,1", .cut = true, .cells = 2});
    assert_replay_inconclusive(text, "no generator");
    free(text);
}

static void test_replay_reason_of_a_right_trace_is_empty(void **state)
{
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "fold", .n = 8});
    struct rd_replay replay = replay_text(text);
    assert_int_equal(replay.verdict, RD_HOLDS);
    assert_string_equal(replay.reason, "");
    assert_int_equal(replay.steps, 4);
    assert_int_equal(replay.cells, 15);
    free(text);
}

static void test_replay_nan_is_no_violation(void **state)
{
    (void)state;
    check_recipe(
        &(struct recipe){
            .program = "fold", .n = 4, .type = RD_TYPE_F64, .values = "list:1,nan,3,4"},
        RD_HOLDS);
}

static void test_replay_infinite_sum_leaves_the_exit_open(void **state)
{
    (void)state;
    check_recipe(&(struct recipe){.program = "tournament",
                                  .n = 4,
                                  .type = RD_TYPE_F32,
                                  .values = "list:3e38,3e38,-3e38,-3e38"},
                 RD_INCONCLUSIVE);
}

static char *recorded_witness(const char *program, size_t n, size_t cells, struct rd_result *result)
{
    struct rd_trace_writer *writer;
    struct rd_error error;
    const char *path = in_folder("witness");
    assert_int_equal(rd_trace_writer_open(&writer, path, cells, &error), RD_OK);
    const struct rd_run run = {.program = rd_program_named(program),
                               .numeric = rd_numeric(RD_TYPE_U64),
                               .n = n,
                               .values = "witness",
                               .blocks.all = true,
                               .device = trace_device};
    const struct rd_observer *observers[] = {rd_trace_writer_observer(writer), NULL};
    assert_int_equal(rd_witness_run(&run, observers, result, &error), RD_OK);
    assert_int_equal(rd_trace_writer_close(writer, &error), RD_OK);
    return slurp(path);
}

static void test_replay_witness_runs_agree_with_the_run(void **state)
{
    static const char *const programs[] = {"fold", "tournament", "dot-fold", "fold:wrong-half",
                                           "fold:inclusive-bound"};
    static const size_t sizes[] = {1, 2, 64};
    (void)state;
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (size_t cells = 5; cells < 100; cells += 90) {
                struct rd_result result;
                char *text = recorded_witness(programs[p], sizes[s], cells, &result);
                struct rd_replay replay = replay_text(text);
                assert_same_as_run(&replay, &result);
                free(text);
            }
}

static void test_replay_witness_runs_count_the_checkpoints_of_all_passes(void **state)
{
    static const char *const programs[] = {"puzzle-dot", "puzzle-block-sum", "puzzle-axis-sum"};
    (void)state;
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++) {
        struct rd_result result;
        char *text = recorded_witness(programs[p], 61, 100, &result);
        assert_non_null(strstr(text, "\"pass\":2"));
        struct rd_replay replay = replay_text(text);
        assert_same_as_run(&replay, &result);
        assert_int_equal(replay.verdict, RD_HOLDS);
        assert_int_equal(replay.checkpoints, result.checkpoints);
        free(text);
    }
}

static void test_replay_missing_pass_is_violated(void **state)
{
    struct rd_result result;
    (void)state;
    char *text = recorded_witness("tournament", 40, 100, &result);
    char *pass_2 = strstr(text, "{\"record\":\"step\",\"pass\":2");
    char *pass_3 = strstr(text, "{\"record\":\"step\",\"pass\":3");
    assert_non_null(pass_2);
    assert_non_null(pass_3);
    char *last = strstr(text, "{\"record\":\"verdict\"");
    char *gap = strdup(text);
    strcpy(gap + (pass_2 - text), pass_3);
    assert_replay_refused(gap, "of pass 3, where step 0 of pass 2 is due");
    strcpy(gap + (pass_2 - text), last);
    assert_replay_violated(gap, "the last record counts");
    /* Nor does it help to make the sums fit. */
    gap[pass_2 - text] = '\0';
    sprintf(gap + strlen(gap), "%.*s,\"cells\":%llu,\"hazards\":0}\n",
            (int)(strstr(last, ",\"cells\"") - last), last,
            (unsigned long long)replay_text(gap).cells);
    assert_replay_violated(gap, "the trace says HOLDS, and its records say INCONCLUSIVE");
    free(gap);
    free(text);
}

static void test_readme_trace_holds_when_replayed(void **state)
{
    (void)state;
    char *readme = slurp(TRACES "/README.md"), *text = strstr(readme, "```ndjson\n");
    assert_non_null(text);
    text = strchr(text, '\n') + 1;
    *strstr(text, "```") = '\0';
    struct rd_replay replay = replay_text(text);
    assert_int_equal(replay.verdict, RD_HOLDS);
    assert_string_equal(replay.reason, "");
    free(readme);
}

/* The README's trace is what this version writes, letter by letter. */
static void test_readme_trace_is_what_is_written(void **state)
{
    (void)state;
    char *readme = slurp(TRACES "/README.md"), *text = strstr(readme, "```ndjson\n");
    assert_non_null(text);
    *strstr(text + 3, "```") = '\0';
    char *written = recorded_text(&(struct recipe){.program = "fold", .n = 4, .frame = true});
    /* Behind the producer's and the device's names. */
    assert_string_equal(strstr(written, "\"values\""), strstr(text, "\"values\""));
    free(written);
    free(readme);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replay_right_programs_of_every_type_hold),
        cmocka_unit_test(test_replay_lessons_are_violated_where_the_run_was),
        cmocka_unit_test(test_replay_cut_states_agree_with_the_run),
        cmocka_unit_test(test_replay_cut_list_is_inconclusive),
        cmocka_unit_test(test_replay_reason_of_a_right_trace_is_empty),
        cmocka_unit_test(test_replay_nan_is_no_violation),
        cmocka_unit_test(test_replay_infinite_sum_leaves_the_exit_open),
        cmocka_unit_test(test_replay_witness_runs_agree_with_the_run),
        cmocka_unit_test(test_replay_witness_runs_count_the_checkpoints_of_all_passes),
        cmocka_unit_test(test_replay_missing_pass_is_violated),
        cmocka_unit_test(test_readme_trace_holds_when_replayed),
        cmocka_unit_test(test_readme_trace_is_what_is_written),
    };
    return cmocka_run_group_tests_name("trace_replay", tests, trace_set_up, trace_tear_down) != 0;
}
