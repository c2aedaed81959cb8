// SPDX-License-Identifier: MIT
#include "harness.h"
#include "values.h"
#include "view/step/draw.h"
#include "view/step/stepper.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* A stepper on the fold of `n` numbers. */
struct fixture {
    struct rd_device *device;
    struct rd_values values;
    struct rd_run run;
    struct rd_stepper stepper;
    struct rd_step_keys keys;
};

static void start(struct fixture *fixture, const char *program, size_t n)
{
    struct rd_history *history;
    struct rd_error error;
    *fixture = (struct fixture){.keys = {""}};
    assert_int_equal(rd_device_open("sim", &fixture->device, NULL, &error), RD_OK);
    assert_int_equal(
        rd_values_init(&fixture->values, rd_numeric(RD_TYPE_I32), "iota", n, 0, false, &error),
        RD_OK);
    fixture->run = (struct rd_run){
        .program = rd_program_named(program),
        .numeric = rd_numeric(RD_TYPE_I32),
        .n = n,
        .a = fixture->values.a,
        .values = "iota",
        .frame = true,
        .device = fixture->device,
        .blocks = {.all = true},
    };
    assert_int_equal(rd_history_run(&history, &fixture->run, NULL, &error), RD_OK);
    rd_stepper_init(&fixture->stepper, history, &fixture->run, NULL);
}

static void finish(struct fixture *fixture)
{
    rd_stepper_finish(&fixture->stepper);
    rd_values_finish(&fixture->values);
    rd_device_close(fixture->device);
}

/* Presses keys, one after the other, separated by spaces. Returns the command that wants a line. */
static const struct rd_step_command *press(struct fixture *fixture, const char *keys)
{
    const struct rd_step_command *prompt = NULL;
    char copy[128], *rest = copy;
    snprintf(copy, sizeof copy, "%s", keys);
    for (char *key; (key = strsep(&rest, " "));)
        rd_stepper_key(&fixture->stepper, &fixture->keys, key, &prompt);
    return prompt;
}

static void assert_step(struct fixture *fixture, unsigned step)
{
    assert_int_equal(rd_stepper_frame(&fixture->stepper)->step, step);
}

static void test_commands_have_their_keys_and_names_to_themselves(void **state)
{
    (void)state;
    for (const struct rd_step_command *command = rd_step_commands; command->name; command++) {
        assert_ptr_equal(rd_step_command_named(command->name), command);
        assert_null(rd_step_command_of_key(command->name));
        for (size_t k = 0; command->keys[k]; k++) {
            assert_ptr_equal(rd_step_command_of_key(command->keys[k]), command);
            assert_null(rd_step_command_named(command->keys[k]));
        }
        assert_non_null(command->act);
        assert_true(strlen(command->help) > 0);
    }
    assert_null(rd_step_command_named("no such"));
    assert_null(rd_step_command_of_key("no such"));
}

static void test_keys_of_two_letters_take_both(void **state)
{
    (void)state;
    struct fixture fixture;
    start(&fixture, "fold", 8);
    press(&fixture, "n n n");
    assert_step(&fixture, 3);
    press(&fixture, "r");
    assert_step(&fixture, 3);
    press(&fixture, "n");
    assert_step(&fixture, 2);
    press(&fixture, "r s");
    assert_step(&fixture, 1);
    press(&fixture, "r x");
    assert_step(&fixture, 1);
    assert_non_null(strstr(fixture.stepper.message, "rx does nothing"));
    press(&fixture, "n");
    assert_step(&fixture, 2);
    finish(&fixture);
}

static void test_digits_then_g_go_to_a_round(void **state)
{
    (void)state;
    struct fixture fixture;
    start(&fixture, "fold", 4096);
    press(&fixture, "1 2 g");
    assert_step(&fixture, 12);
    press(&fixture, "7 g");
    assert_step(&fixture, 7);
    press(&fixture, "3 n");
    assert_step(&fixture, 8);
    press(&fixture, "9 9 g");
    assert_step(&fixture, 8);
    assert_non_null(strstr(fixture.stepper.message, "there is no round 99"));
    finish(&fixture);
}

static void test_g_alone_asks_for_a_cell(void **state)
{
    (void)state;
    struct fixture fixture;
    start(&fixture, "fold", 8);
    assert_ptr_equal(press(&fixture, "g"), rd_step_command_named("cell"));
    assert_ptr_equal(press(&fixture, "/"), rd_step_command_named("cell"));
    assert_null(press(&fixture, "n"));
    finish(&fixture);
}

static void test_selected_cell_stays_over_the_rounds(void **state)
{
    (void)state;
    struct fixture fixture;
    struct rd_error error;
    start(&fixture, "fold", 8);
    assert_int_equal(rd_stepper_do(&fixture.stepper, "cell 6", &error), RD_OK);
    press(&fixture, "n n p");
    assert_int_equal(fixture.stepper.cell, 6);
    finish(&fixture);
}

static void test_failed_command_leaves_the_stepper_where_it_is(void **state)
{
    (void)state;
    struct fixture fixture;
    struct rd_error error;
    start(&fixture, "fold", 8);
    press(&fixture, "n");
    static const char *const lines[] = {"cell 8", "round 4", "nxt", "views x", "guess 4", ""};
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        assert_int_equal(rd_stepper_do(&fixture.stepper, lines[k], &error), RD_ERROR_USAGE);
        assert_step(&fixture, 1);
        assert_int_equal(fixture.stepper.cell, 0);
    }
    finish(&fixture);
}

/* Whatever is pressed, at whatever size, the drawing stays within its canvas. */
static void test_any_key_at_any_size_draws(void **state)
{
    (void)state;
    static const unsigned sizes[][2] = {{1, 1},    {59, 20},  {60, 20},  {80, 24},
                                        {119, 24}, {120, 24}, {132, 60}, {400, 100}};
    static const char *const programs[] = {"fold", "fold-guard", "tournament", "fold:wrong-half"};
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++) {
        struct fixture fixture;
        start(&fixture, programs[p], 64);
        for (const struct rd_step_command *command = rd_step_commands; command->name; command++) {
            if (!command->keys[0] || strcmp(command->name, "round") == 0)
                continue;
            press(&fixture, command->keys[0]);
            for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
                struct rd_canvas canvas;
                assert_int_equal(
                    rd_canvas_init(&canvas, sizes[k][0], sizes[k][1], k % 2 == 0, NULL), RD_OK);
                rd_step_draw(&fixture.stepper, &canvas, k % 3 == 0 ? "cell: " : NULL);
                rd_canvas_finish(&canvas);
            }
        }
        assert_true(fixture.stepper.quit);
        finish(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands_have_their_keys_and_names_to_themselves),
        cmocka_unit_test(test_keys_of_two_letters_take_both),
        cmocka_unit_test(test_digits_then_g_go_to_a_round),
        cmocka_unit_test(test_g_alone_asks_for_a_cell),
        cmocka_unit_test(test_selected_cell_stays_over_the_rounds),
        cmocka_unit_test(test_failed_command_leaves_the_stepper_where_it_is),
        cmocka_unit_test(test_any_key_at_any_size_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
