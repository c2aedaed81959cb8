// SPDX-License-Identifier: MIT
/* Traces that were changed or cut short: whatever it was, replaying notices. */
#include "trace_harness.h"

#include <stdio.h>
#include <string.h>

/* Changes each cell of each array in turn, and asserts that none goes unnoticed. */
static void check_each_cell(const struct recipe *recipe, const char *key)
{
    char *text = recorded_text(recipe);
    unsigned cells = 0;
    for (char *array = strstr(text, key); array; array = strstr(array, key)) {
        array += strlen(key);
        char *end = strchr(array, ']');
        for (char *c = array; c < end; c++) {
            if (*c < '0' || *c > '9' || (c[-1] != '[' && c[-1] != ','))
                continue;
            char kept = *c;
            *c = kept == '1' ? '2' : '1';
            if (replay_text(text).verdict != RD_VIOLATED)
                fail_msg("%s of %s: a change of %.20s passes", recipe->program, key, c);
            *c = kept;
            cells++;
        }
    }
    assert_true(cells > 8);
    assert_int_equal(replay_text(text).verdict, RD_HOLDS);
    free(text);
}

static void test_replay_any_changed_cell_is_violated(void **state)
{
    (void)state;
    for (int type = 0; type < RD_HALVES_FIRST; type++) {
        struct recipe recipe = {.program = "fold", .n = 8, .type = (enum rd_type)type};
        check_each_cell(&recipe, "\"cells\":[");
        recipe.frame = true; /* dead cells too */
        check_each_cell(&recipe, "\"cells\":[");
        recipe.program = "dot-tournament";
        check_each_cell(&recipe, "\"cells\":[");
        recipe.n = 40;
        recipe.cut = true;
        recipe.cells = 6;
        check_each_cell(&recipe, "\"head\":[");
        check_each_cell(&recipe, "\"tail\":[");
    }
}

static void test_replay_any_changed_digest_is_noticed(void **state)
{
    (void)state;
    char *text =
        recorded_text(&(struct recipe){.program = "tournament", .n = 33, .cut = true, .cells = 4});
    unsigned digests = 0;
    for (char *c = strstr(text, "\"digest\":\""); c; c = strstr(c, "\"digest\":\"")) {
        c += strlen("\"digest\":\"");
        char kept = *c;
        *c = kept == '0' ? '1' : '0';
        /* The input is then not what its generator makes; a step contradicts itself. */
        assert_int_equal(replay_text(text).verdict, digests == 0 ? RD_INCONCLUSIVE : RD_VIOLATED);
        *c = kept;
        digests++;
    }
    assert_true(digests > 3);
    free(text);
}

/* Every digit of the steps and the last record, outside of strings, says something that is checked.
 */
static void check_each_digit(const struct recipe *recipe, enum rd_verdict verdict)
{
    struct rd_replay replay;
    struct rd_error error;
    char *text = recorded_text(recipe);
    size_t length = strlen(text);
    bool in_string = false;
    unsigned digits = 0;
    char *evidence = strstr(text, "\"evidence\""); /* is for people */
    char *end = evidence ? evidence : text + length;
    for (char *c = strstr(text, "{\"record\":\"step\""); c < end; c++) {
        in_string ^= *c == '"';
        if (in_string || *c < '0' || *c > '9')
            continue;
        char kept = *c;
        *c = kept == '9' ? '8' : (char)(kept + 1);
        enum rd_status status = replay_bytes(text, length, &replay, &error);
        if (status == RD_OK && (replay.verdict != RD_VIOLATED || !*replay.reason))
            fail_msg("%s of '%s' passes: %.20s", rd_verdict_name(replay.verdict), replay.reason, c);
        *c = kept;
        digits++;
    }
    assert_true(digits > 40);
    assert_int_equal(replay_text(text).verdict, verdict);
    free(text);
}

static void test_replay_any_changed_number_is_noticed(void **state)
{
    (void)state;
    check_each_digit(&(struct recipe){.program = "fold-guard", .n = 6, .frame = true}, RD_HOLDS);
    check_each_digit(&(struct recipe){.program = "tournament", .n = 5, .values = "random:3"},
                     RD_HOLDS);
    check_each_digit(&(struct recipe){.program = "tournament:lost-tail", .n = 3}, RD_VIOLATED);
}

static void test_replay_changed_words_are_noticed(void **state)
{
    static const char *const changes[][3] = {
        {"\"step\":2", "\"kernel\":\"fold\"", "\"kernel\":\"gather\""},
        {"\"step\":2", "\"name\":\"half\"", "\"name\":\"D\""},
        {"\"step\":2", "\"verdict\":\"HOLDS\"", "\"verdict\":\"INCONCLUSIVE\""},
        {"\"obligations\"", "\"exit\":\"HOLDS\"", "\"exit\":\"INCONCLUSIVE\""},
        {"\"obligations\"", "\"preservation\":\"HOLDS\"", "\"preservation\":\"VIOLATED\""},
        {"\"record\":\"verdict\"", "\"verdict\":\"HOLDS\"", "\"verdict\":\"VIOLATED\""},
        {"\"record\":\"verdict\"", "\"verdict\":\"HOLDS\"", "\"verdict\":\"INCONCLUSIVE\""},
        {"\"record\":\"run\"", "\"frame\":false", "\"frame\":true"},
        {"\"record\":\"run\"", "\"fold\"", "\"tournament\""},
    };
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "fold", .n = 8});
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
        char *changed = replaced(text, changes[k][0], changes[k][1], changes[k][2]);
        struct rd_replay replay = replay_text(changed);
        assert_int_equal(replay.verdict, RD_VIOLATED);
        assert_string_not_equal(replay.reason, "");
        free(changed);
    }
    free(text);
}

/* The number that a program ends with. */
static void test_replay_changed_outcome_is_noticed(void **state)
{
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "norm", .n = 8, .type = RD_TYPE_F64});
    char *number = strstr(text, "\"actual\":") + strlen("\"actual\":");
    unsigned digits = 0;
    for (char *c = number; *c != ','; c++) {
        if (*c == '.')
            continue;
        char kept = *c;
        *c = kept == '1' ? '2' : '1';
        assert_replay_violated(text, "and the cells give norm = 11.832159566199232");
        *c = kept;
        digits++;
    }
    assert_true(digits > 8);
    char *limited = replaced(text, "\"outcome\"", "\"limit\":", "\"limit\":1");
    assert_replay_violated(limited, "may be off by 1");
    free(limited);
    char *named = replaced(text, "\"outcome\"", "\"norm\"", "\"mean\"");
    assert_replay_violated(named, "says mean = 11.832159566199232, and the cells give norm");
    free(named);
    free(text);
}

static void test_replay_missing_outcome_is_noticed_from_its_version_on(void **state)
{
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "mse", .n = 5});
    char *without = replaced(text, "\"outcome\"", "\"outcome\"", "\"unknown\"");
    assert_replay_violated(without, "the last record has no outcome, and the cells give mse = 1");
    char *older = replaced(without, "\"major\":1", "\"minor\":9", "\"minor\":1");
    assert_int_equal(replay_text(older).verdict, RD_HOLDS);
    char *fold = recorded_text(&(struct recipe){.program = "fold", .n = 4});
    char *added = replaced(fold, "\"record\":\"verdict\"", "\"hazards\":0",
                           "\"hazards\":0,\"outcome\":{\"name\":\"mse\",\"actual\":1.0}");
    assert_replay_violated(added, "says mse = 1, and the cells give no such number");
    free(added);
    free(fold);
    free(older);
    free(without);
    free(text);
}

/* A device that lost checkpoints has left the goal open. */
static void test_replay_lost_checkpoints_are_inconclusive(void **state)
{
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "norm", .n = 1, .block = 1});
    char *fewer = without_line(text, 3); /* the only checkpoint: it claims one cell of three */
    char *open = replaced(fewer, "\"record\":\"verdict\"", "HOLDS", "INCONCLUSIVE");
    char *exit =
        replaced(open, "\"obligations\"", "\"exit\":\"HOLDS\"", "\"exit\":\"INCONCLUSIVE\"");
    char *counted =
        replaced(exit, "\"obligations\"", "\"checkpoints\":1,\"cells\":3", "\"cells\":2");
    char *lost = replaced(counted, "\"obligations\"", "\"outcome\"", "\"truncated\":true,\"x\"");
    assert_replay_inconclusive(lost, "not all checkpoints were kept");
    char *goal =
        replaced(counted, "\"obligations\"", "\"outcome\"", "\"truncated\":true,\"outcome\"");
    assert_replay_violated(goal, "the cells give no such number");
    char *whole =
        replaced(text, "\"obligations\"", "\"outcome\"", "\"truncated\":true,\"outcome\"");
    assert_replay_violated(whole, "checkpoints were lost, and none is missing");
    char *silent = replaced(counted, "\"obligations\"", "\"outcome\"", "\"x\"");
    assert_replay_violated(silent, "block 0 does not come to 'sequential' with w = 1");
    free(silent);
    free(whole);
    free(goal);
    free(lost);
    free(counted);
    free(exit);
    free(open);
    free(fewer);
    free(text);
}

static void test_replay_lesson_called_right_is_violated(void **state)
{
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "fold:wrong-half", .n = 8});
    struct rd_replay right = replay_text(text);
    char *changed = replaced(text, "\"record\":\"verdict\"", "VIOLATED", "HOLDS");
    struct rd_replay replay = replay_text(changed);
    assert_int_equal(replay.verdict, RD_VIOLATED);
    assert_int_equal(replay.recorded, RD_HOLDS);
    assert_string_equal(right.reason, "");
    assert_string_not_equal(replay.reason, "");
    free(changed);
    free(text);
}

static void test_replay_hazard_is_violated(void **state)
{
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "fold", .n = 8});
    char *changed = replaced(text, "\"hazards\":0", "0", "1");
    assert_replay_violated(changed, "hazards");
    free(changed);
    static const char race[] =
        "{\"record\":\"hazard\",\"name\":\"race\",\"step\":1,\"message\":\"m\"}\n";
    char with[256];
    snprintf(with, sizeof with, "%s{\"record\":\"step\",\"step\":1", race);
    changed = replaced(text, "\"step\":0", "{\"record\":\"step\",\"step\":1", with);
    char *counted = replaced(changed, "\"hazards\":0", "0", "1");
    assert_replay_violated(changed, "hazards");
    assert_replay_violated(counted, "the trace says HOLDS");
    struct rd_replay replay = replay_text(counted);
    assert_int_equal(replay.hazards, 1);
    assert_string_equal(replay.hazard.name, "race");
    assert_string_equal(replay.hazard.message, "m");
    assert_int_equal(replay.hazard.step, 1);
    free(counted);
    free(changed);
    free(text);
}

/* ---- what is not whole ---- */

static void check_prefixes(const struct recipe *recipe)
{
    struct rd_replay replay;
    struct rd_error error;
    char *text = recorded_text(recipe);
    unsigned good = 0;
    for (size_t length = 0; length < strlen(text); length++) {
        enum rd_status status = replay_bytes(text, length, &replay, &error);
        assert_true(status == RD_OK || status == RD_ERROR_INPUT);
        if (status != RD_OK)
            continue;
        good++;
        assert_int_equal(replay.recorded, RD_INCONCLUSIVE);
        assert_false(replay.complete);
        if (replay.violated)
            assert_int_equal(replay.verdict, RD_VIOLATED);
        else
            assert_int_equal(replay.verdict, RD_INCONCLUSIVE);
        assert_true(replay.violated || *replay.reason);
    }
    assert_true(good > 400);
    free(text);
}

static void test_replay_any_prefix_never_holds(void **state)
{
    (void)state;
    check_prefixes(&(struct recipe){.program = "fold", .n = 4});
    check_prefixes(&(struct recipe){.program = "tournament:lost-tail", .n = 3});
    check_prefixes(&(struct recipe){
        .program = "dot-fold", .n = 4, .type = RD_TYPE_F64, .cut = true, .cells = 2});
}

static void test_replay_without_last_record_is_inconclusive(void **state)
{
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "fold", .n = 8});
    char *changed = without_line(text, 6);
    assert_replay_inconclusive(changed, "no last record; the trace ends after step 3 of 3");
    changed[strlen(changed) - 5] = '\0';
    assert_replay_inconclusive(changed, "last line is cut; the trace ends after step 2 of 3");
    free(changed);
    free(text);
}

static void test_replay_missing_step_is_noticed(void **state)
{
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "fold", .n = 8});
    char *changed = without_line(text, 3);
    assert_replay_refused(changed, "replayed:4: step 2 of pass 1, where step 1 of pass 1 is due");
    free(changed);
    changed = without_line(text, 5);
    assert_replay_violated(changed, "the last record counts");
    free(changed);
    free(text);
}

static void test_replay_repeated_step_is_refused(void **state)
{
    (void)state;
    char *text = recorded_text(&(struct recipe){.program = "fold", .n = 1});
    const char *step = strstr(text, "{\"record\":\"step\"");
    char *twice = malloc(2 * strlen(text));
    sprintf(twice, "%.*s%s", (int)(strchr(step, '\n') + 1 - text), text, step);
    assert_replay_refused(twice, "ends with step 0");
    free(twice);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replay_any_changed_cell_is_violated),
        cmocka_unit_test(test_replay_any_changed_digest_is_noticed),
        cmocka_unit_test(test_replay_any_changed_number_is_noticed),
        cmocka_unit_test(test_replay_changed_words_are_noticed),
        cmocka_unit_test(test_replay_changed_outcome_is_noticed),
        cmocka_unit_test(test_replay_missing_outcome_is_noticed_from_its_version_on),
        cmocka_unit_test(test_replay_lost_checkpoints_are_inconclusive),
        cmocka_unit_test(test_replay_lesson_called_right_is_violated),
        cmocka_unit_test(test_replay_hazard_is_violated),
        cmocka_unit_test(test_replay_any_prefix_never_holds),
        cmocka_unit_test(test_replay_without_last_record_is_inconclusive),
        cmocka_unit_test(test_replay_missing_step_is_noticed),
        cmocka_unit_test(test_replay_repeated_step_is_refused),
    };
    return cmocka_run_group_tests_name("trace_changed", tests, trace_set_up, trace_tear_down) != 0;
}
