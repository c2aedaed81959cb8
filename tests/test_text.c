// SPDX-License-Identifier: MIT
#include "reductio/reductio.h"
#include "view/paint.h"
#include "reductio/summary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- boxes ---- */

/* Every cell holds its index; one is wrong. */
static void fill_index(const void *self, size_t index, struct rd_box *box)
{
    const size_t *wrong = self;
    snprintf(box->text, sizeof box->text, "%zu", index);
    box->changed = index % 3 == 0;
    box->wrong = index == *wrong;
}

struct drawing {
    char *text;
    size_t size;
    struct rd_elided elided;
};

static void draw(struct drawing *drawing, const struct rd_box_array *array, unsigned width)
{
    FILE *out = open_memstream(&drawing->text, &drawing->size);
    const struct rd_paint paint = {.out = out, .width = width};
    assert_non_null(out);
    drawing->elided = rd_boxes_draw(array, &paint);
    fclose(out);
}

static size_t count_character(const char *text, char character)
{
    size_t count = 0;
    for (; *text; text++)
        count += *text == character;
    return count;
}

static size_t longest_line(const char *text)
{
    size_t longest = 0;
    while (*text) {
        size_t length = strcspn(text, "\n");
        longest = length > longest ? length : longest;
        text += length + (text[length] == '\n');
    }
    return longest;
}

static void test_boxes_fold_draws_live_and_dead_apart(void **state)
{
    (void)state;
    struct drawing drawing;
    const size_t wrong = 2;
    const struct rd_box_array array = {
        .n = 4, .claim = {2, 1}, .whole = true, .focus = 4, .fill = fill_index, .self = &wrong};
    draw(&drawing, &array, 80);
    assert_string_equal(drawing.text, "      0   1   2   3\n"
                                      "    +---+---+........\n"
                                      "    | 0*| 1 | 2!: 3*:\n"
                                      "    +---+---+........\n");
    free(drawing.text);
}

static void test_boxes_dead_cells_not_copied_are_empty(void **state)
{
    (void)state;
    struct drawing drawing;
    const size_t wrong = SIZE_MAX;
    const struct rd_box_array array = {
        .n = 4, .claim = {2, 2}, .focus = 4, .fill = fill_index, .self = &wrong};
    draw(&drawing, &array, 80);
    assert_non_null(strstr(drawing.text, "    | 0*|   | 2 |   :\n"));
    assert_int_equal(drawing.elided.uncopied, 2);
    free(drawing.text);
}

/* At any width, no line is longer, the wrong cell shows, and no cell goes unaccounted for. */
static void test_boxes_any_size_fit_the_width(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 2, 3, 8, 31, 32, 33, 100, 257, 4096, 1000000};
    static const unsigned widths[] = {24, 40, 79, 80, 81, 200, 400};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
            for (size_t stride = 1; stride <= sizes[s]; stride *= 2) {
                struct drawing drawing;
                size_t n = sizes[s], live = (n - 1) / stride + 1;
                const size_t wrong = live / 2 * stride;
                const struct rd_box_array array = {.n = n,
                                                   .claim = {live, stride},
                                                   .whole = stride != 4,
                                                   .focus = wrong,
                                                   .fill = fill_index,
                                                   .self = &wrong};
                draw(&drawing, &array, widths[w]);
                assert_true(longest_line(drawing.text) <= widths[w]);
                assert_true(count_character(drawing.text, '\n') <= 16);
                if (wrong < n)
                    assert_int_equal(count_character(drawing.text, '!'), 1);
                assert_true(drawing.elided.live + drawing.elided.dead < n);
                free(drawing.text);
            }
}

static void test_boxes_elided_cells_are_counted(void **state)
{
    (void)state;
    struct drawing drawing;
    const size_t wrong = SIZE_MAX;
    const struct rd_box_array array = {.n = 1000,
                                       .claim = {500, 2},
                                       .whole = true,
                                       .focus = 1000,
                                       .fill = fill_index,
                                       .self = &wrong};
    draw(&drawing, &array, 80);
    size_t shown = 0;
    char *values = strchr(strchr(drawing.text, '\n') + 1, '\n') + 1;
    *strchr(values, '\n') = '\0';
    for (char *word = strtok(values, " |:*.\n"); word; word = strtok(NULL, " |:*.\n"))
        shown++;
    assert_int_equal(shown + drawing.elided.live + drawing.elided.dead, 1000);
    assert_int_equal(drawing.elided.uncopied, 0);
    free(drawing.text);
}

static void test_boxes_a_claim_beyond_the_array_is_cut(void **state)
{
    (void)state;
    const struct rd_claim claim = {9, 1};
    assert_int_equal(rd_claim_live(&claim, 8), 8);
    assert_true(rd_claim_has(&claim, 8));
    assert_false(rd_claim_has(&claim, 9));
    assert_int_equal(rd_claim_live(&claim, 0), 0);
}

/* ---- paint ---- */

static void test_paint_wraps_at_the_width(void **state)
{
    (void)state;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    const struct rd_paint paint = {.out = out, .width = 20};
    rd_paint_wrap(&paint, RD_INK_BOLD, 4, "one two three four five averyveryverylongword end");
    fclose(out);
    assert_string_equal(text, "    one two three\n    four five\n    averyveryverylongword\n"
                              "    end\n");
    free(text);
}

/* ---- sentences ---- */

static void test_summary_one_of_each_is_singular(void **state)
{
    (void)state;
    char text[RD_SENTENCE_SIZE];
    const struct rd_summary summary = {.verdict = RD_VIOLATED,
                                       .program = "fold",
                                       .type = "i32",
                                       .device = "sim",
                                       .n = 1,
                                       .steps = 1,
                                       .cells = 1,
                                       .hazards = 1};
    assert_string_equal(rd_summary_text(&summary, text),
                        "VIOLATED fold n=1 i32 sim: 1 step, 1 cell asserted, 1 hazard");
}

static void test_summary_interrupted_says_so_first(void **state)
{
    (void)state;
    char text[RD_SENTENCE_SIZE];
    const struct rd_summary summary = {
        .interrupted = true, .program = "fold", .type = "i32", .device = "sim", .n = 8};
    assert_string_equal(rd_summary_text(&summary, text),
                        "INTERRUPTED fold n=8 i32 sim: 0 steps, 0 cells asserted, 0 hazards");
}

static void test_violation_each_kind_names_step_cell_and_values(void **state)
{
    (void)state;
    static const char *const texts[] = {
        [RD_VIOLATION_BITS] = "step 2, A[1]: expected 28, actual 22; 3 cells are wrong",
        [RD_VIOLATION_BOUND] =
            "step 2, A[1]: expected 28, actual 22, outside the bound; 3 cells are wrong",
        [RD_VIOLATION_FRAME] = "step 2, dead cell A[1]: expected 28 to stay, actual 22",
        [RD_VIOLATION_GOAL] = "goal at step 2, A[1]: expected 28, actual 22; 3 cells are wrong",
    };
    for (int kind = 0; kind < 4; kind++) {
        char text[RD_SENTENCE_SIZE];
        const struct rd_violation violation = {.kind = (enum rd_violation_kind)kind,
                                               .step = 2,
                                               .cell = 1,
                                               .expected = 28,
                                               .actual = 22,
                                               .count = 3};
        assert_string_equal(rd_violation_text(&violation, rd_numeric(RD_TYPE_I32), text),
                            texts[kind]);
    }
}

static void test_outcome_tells_what_its_type_cannot_hold(void **state)
{
    (void)state;
    char text[RD_SENTENCE_SIZE];
    struct rd_outcome outcome = {
        .name = "norm", .actual = 5, .deviation = {.exact = 5, .limit = 1}};
    assert_string_equal(rd_outcome_text(&outcome, text),
                        "norm = 5, where the exact value is 5: the error is 0, the bound allows 1");
    outcome.too_narrow = rd_numeric(RD_TYPE_I32);
    outcome.sum = "a[j]^2";
    outcome.sum_exact = 5e9;
    const char *wraps =
        "the sum of all a[j]^2 is 5e+09, and i32 holds -2147483648 to 2147483647: it "
        "wraps, and is right modulo 2^32 only, not as a number";
    assert_non_null(strstr(rd_outcome_text(&outcome, text), wraps));
    assert_null(strstr(text, "the bound allows"));
    const struct rd_violation violation = {.kind = RD_VIOLATION_GOAL, .outcome = outcome};
    assert_non_null(strstr(rd_violation_text(&violation, rd_numeric(RD_TYPE_I32), text), wraps));
    outcome.too_narrow = rd_numeric(RD_TYPE_F32);
    assert_non_null(
        strstr(rd_outcome_text(&outcome, text), "it overflows, and nothing is promised"));
}

static void test_deviation_tells_error_and_bound(void **state)
{
    (void)state;
    char text[RD_SENTENCE_SIZE];
    struct rd_violation violation = {.deviation = {.exact = 28, .error = 0.5, .limit = 0.25}};
    assert_string_equal(rd_deviation_text(&violation, text),
                        "the exact value is 28: the error is 0.5, the bound allows 0.25");
    violation.deviation = (struct rd_deviation){0};
    assert_string_equal(rd_deviation_text(&violation, text), "");
}

static void test_evidence_lost_input_is_named_with_its_round(void **state)
{
    (void)state;
    char text[RD_SENTENCE_SIZE];
    struct rd_evidence evidence = {.step = 2, .cell = 1};
    for (size_t j = 1; j <= 13; j += 4) {
        rd_input_set_add(&evidence.expected, j, 1);
        if (j < 13)
            rd_input_set_add(&evidence.actual, j, 1);
    }
    rd_input_set_add(&evidence.lost, 13, 1);
    assert_string_equal(rd_evidence_text(&evidence, RD_OPERATION_SUM, text),
                        "A[1] should hold {1,5,9,13}; it holds {1,5,9}: 13 was lost in round 2");
}

static void test_evidence_repeated_and_foreign_inputs_are_told_apart(void **state)
{
    (void)state;
    char text[RD_SENTENCE_SIZE];
    struct rd_evidence evidence = {.step = 1, .cell = 0};
    rd_input_set_add(&evidence.expected, 0, 1);
    rd_input_set_add(&evidence.expected, 4, 1);
    rd_input_set_add(&evidence.actual, 0, 2);
    rd_input_set_add(&evidence.actual, 4, 3);
    rd_input_set_add(&evidence.actual, 7, 1);
    rd_input_set_add(&evidence.extra, 0, 1);
    rd_input_set_add(&evidence.extra, 4, 2);
    rd_input_set_add(&evidence.extra, 7, 1);
    assert_non_null(strstr(rd_evidence_text(&evidence, RD_OPERATION_SUM, text),
                           ": 0 was counted twice and 4 was counted too often and 7 was wrongly "
                           "added in round 1"));
}

static void test_evidence_of_many_inputs_fits(void **state)
{
    (void)state;
    char text[RD_SENTENCE_SIZE];
    struct rd_evidence evidence = {.step = 40, .cell = SIZE_MAX, .partial = true};
    for (size_t j = 0; j < 100; j++) {
        rd_input_set_add(&evidence.expected, SIZE_MAX - j, 1);
        rd_input_set_add(&evidence.actual, SIZE_MAX - 200 - j, 3);
        rd_input_set_add(&evidence.lost, SIZE_MAX - j, 1);
        rd_input_set_add(&evidence.extra, SIZE_MAX - 200 - j, 3);
    }
    assert_true(strlen(rd_evidence_text(&evidence, RD_OPERATION_SUM, text)) < RD_SENTENCE_SIZE - 1);
    assert_non_null(strstr(text, ", ... (and maybe more) and holds, "));
    evidence.partial = false;
    assert_true(strlen(rd_evidence_text(&evidence, RD_OPERATION_SUM, text)) < RD_SENTENCE_SIZE - 1);
    assert_non_null(strstr(text, "84 more were lost"));
}

/* The content of the cell is not known then, and nothing is said of it. */
static void test_evidence_partial_makes_up_no_set(void **state)
{
    (void)state;
    char text[RD_SENTENCE_SIZE];
    struct rd_evidence evidence = {.step = 2, .cell = 1, .partial = true};
    rd_input_set_add(&evidence.expected, 3, 1);
    rd_input_set_add(&evidence.expected, 7, 1);
    rd_input_set_add(&evidence.lost, 3, 1);
    rd_input_set_add(&evidence.lost, 7, 1);
    assert_string_equal(rd_evidence_text(&evidence, RD_OPERATION_SUM, text),
                        "A[1] should hold {3,7} after round 2; it lacks 3, 7 (and maybe more)");
    rd_input_set_add(&evidence.extra, 9, 1);
    assert_string_equal(rd_evidence_text(&evidence, RD_OPERATION_SUM, text),
                        "A[1] should hold {3,7} after round 2; it lacks 3, 7 (and maybe more) and "
                        "holds, wrongly or too often, 9 (and maybe more)");
    evidence.lost.count = 0;
    evidence.step = 0;
    assert_string_equal(
        rd_evidence_text(&evidence, RD_OPERATION_SUM, text),
        "A[1] should hold {3,7}; it holds, wrongly or too often, 9 (and maybe more)");
}

/* A cell that holds each input with another factor lacks none of them. */
static void test_evidence_of_a_wrong_factor_tells_both_counts(void **state)
{
    (void)state;
    char text[RD_SENTENCE_SIZE];
    struct rd_evidence evidence = {.cell = 1, .partial = true};
    for (size_t j = 3; j < 6; j++)
        rd_input_set_add(&evidence.expected, j, j == 5 ? 3 : 2);
    rd_input_set_add(&evidence.lost, 3, 1);
    rd_input_set_add(&evidence.lost, 4, 1);
    assert_string_equal(
        rd_evidence_text(&evidence, RD_OPERATION_SUM, text),
        "A[1] should hold {3x2,4x2,5x3}; it holds 3, 4 (and maybe more) once each, not twice");
    rd_input_set_add(&evidence.lost, 5, 3);
    assert_non_null(strstr(rd_evidence_text(&evidence, RD_OPERATION_SUM, text),
                           "; it lacks, subtracts or holds too seldom 3, 4, 5 (and maybe more)"));
    evidence.lost = (struct rd_input_set){0};
    rd_input_set_add(&evidence.extra, 5, 3);
    assert_non_null(strstr(rd_evidence_text(&evidence, RD_OPERATION_SUM, text),
                           "; it holds 5 (and maybe more) 6 times, not 3 times"));
    /* Where all is known, each has its own clause. */
    evidence = (struct rd_evidence){.cell = 1};
    for (size_t j = 3; j < 6; j++)
        rd_input_set_add(&evidence.expected, j, 2);
    rd_input_set_add(&evidence.actual, 3, 1);
    rd_input_set_add(&evidence.actual, 4, -2);
    for (size_t j = 3; j < 7; j++)
        rd_input_set_add(&evidence.lost, j, j == 4 ? 4 : j == 5 ? 2 : 1);
    assert_non_null(strstr(rd_evidence_text(&evidence, RD_OPERATION_SUM, text),
                           ": 5 was lost and 3 was counted too seldom and 4 and 6 were wrongly "
                           "subtracted"));
}

static void test_hazard_names_round_and_message(void **state)
{
    (void)state;
    char text[RD_SENTENCE_SIZE];
    const struct rd_hazard hazard = {
        .kind = RD_HAZARD_RACE, .name = "race", .step = 3, .message = "two writes"};
    assert_string_equal(rd_hazard_text(&hazard, text), "hazard in round 3: race: two writes");
}

/* ---- the view ---- */

/* A warp of 8 threads, of which one comes to the checkpoint. */
static void test_view_lanes_that_did_not_come_are_not_drawn(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    struct rd_error error;
    struct rd_text_view *view;
    struct rd_device *device;
    const struct rd_text_options options = {.out = out, .width = 80};
    assert_int_equal(rd_text_view_create(&view, &options, &error), RD_OK);
    assert_int_equal(rd_device_open("sim", &device, NULL, &error), RD_OK);
    const int32_t a[4] = {1, 2, 3, 4};
    const struct rd_run run = {.program = rd_program_named("puzzle-dot"),
                               .numeric = rd_numeric(RD_TYPE_I32),
                               .n = 4,
                               .a = a,
                               .b = a,
                               .values = "list:1,2,3,4,1,2,3,4",
                               .blocks.all = true,
                               .device = device};
    const struct rd_observer *observers[] = {rd_text_view_observer(view), NULL};
    struct rd_result result;
    assert_int_equal(rd_run(&run, observers, &result, &error), RD_OK);
    fflush(out);
    assert_non_null(strstr(text, "j = 2: total at the checkpoint 'serial'\n"
                                 "      0\n"
                                 "    +---+\n"
                                 "    | 5*|\n"
                                 "    +---+\n"));
    assert_null(strstr(text, "dead cells"));
    rd_device_close(device);
    rd_text_view_destroy(view);
    fclose(out);
    free(text);
}

static void test_view_full_disk_is_an_error(void **state)
{
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        skip();
    struct rd_error error;
    struct rd_text_view *view;
    struct rd_device *device;
    const struct rd_text_options options = {.out = full, .width = 80};
    assert_int_equal(rd_text_view_create(&view, &options, &error), RD_OK);
    assert_int_equal(rd_device_open("sim", &device, NULL, &error), RD_OK);
    const int32_t a[4] = {0, 1, 2, 3};
    const struct rd_run run = {.program = rd_program_named("fold"),
                               .numeric = rd_numeric(RD_TYPE_I32),
                               .n = 4,
                               .a = a,
                               .values = "iota",
                               .device = device};
    const struct rd_observer *observers[] = {rd_text_view_observer(view), NULL};
    struct rd_result result;
    assert_int_equal(rd_run(&run, observers, &result, &error), RD_ERROR_IO);
    assert_non_null(strstr(error.text, "No space left on device"));
    rd_device_close(device);
    rd_text_view_destroy(view);
    fclose(full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes_fold_draws_live_and_dead_apart),
        cmocka_unit_test(test_boxes_dead_cells_not_copied_are_empty),
        cmocka_unit_test(test_boxes_any_size_fit_the_width),
        cmocka_unit_test(test_boxes_elided_cells_are_counted),
        cmocka_unit_test(test_boxes_a_claim_beyond_the_array_is_cut),
        cmocka_unit_test(test_paint_wraps_at_the_width),
        cmocka_unit_test(test_summary_one_of_each_is_singular),
        cmocka_unit_test(test_summary_interrupted_says_so_first),
        cmocka_unit_test(test_violation_each_kind_names_step_cell_and_values),
        cmocka_unit_test(test_outcome_tells_what_its_type_cannot_hold),
        cmocka_unit_test(test_deviation_tells_error_and_bound),
        cmocka_unit_test(test_evidence_lost_input_is_named_with_its_round),
        cmocka_unit_test(test_evidence_repeated_and_foreign_inputs_are_told_apart),
        cmocka_unit_test(test_evidence_of_many_inputs_fits),
        cmocka_unit_test(test_evidence_partial_makes_up_no_set),
        cmocka_unit_test(test_evidence_of_a_wrong_factor_tells_both_counts),
        cmocka_unit_test(test_hazard_names_round_and_message),
        cmocka_unit_test(test_view_lanes_that_did_not_come_are_not_drawn),
        cmocka_unit_test(test_view_full_disk_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
