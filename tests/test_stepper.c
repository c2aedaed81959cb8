// SPDX-License-Identifier: MIT
#include "harness.h"
#include "reductio/values.h"
#include "view/step/commands.h"
#include "view/step/draw.h"
#include "view/step/stepper.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *traces; /* the folder of the golden ones */

/* A stepper on the fold of `n` numbers, or on a trace. */
struct fixture {
    struct rd_device *device;
    struct rd_values values;
    struct rd_run run;
    struct rd_stepper stepper;
    struct rd_step_keys keys;
};

static void start_program(struct fixture *fixture, const struct rd_program *program, size_t n)
{
    struct rd_history *history;
    struct rd_error error;
    *fixture = (struct fixture){.keys = {""}};
    const struct rd_numeric *numeric = rd_numeric(RD_TYPE_I32);
    const struct rd_shape shape = rd_program_shape(program, (struct rd_shape){.n = n});
    assert_int_equal(rd_device_open("sim", &fixture->device, NULL, &error), RD_OK);
    assert_int_equal(rd_values_init_two(&fixture->values, numeric, "iota",
                                        rd_program_inputs(program, &shape),
                                        rd_program_inputs_b(program, &shape), &error),
                     RD_OK);
    fixture->run = (struct rd_run){
        .program = program,
        .numeric = numeric,
        .n = n,
        .a = fixture->values.a,
        .b = rd_program_has_b(program) ? fixture->values.b : NULL,
        .values = "iota",
        .frame = true,
        .device = fixture->device,
        .blocks = {.all = true},
    };
    assert_int_equal(rd_history_run(&history, &fixture->run, NULL, &error), RD_OK);
    rd_stepper_init(&fixture->stepper, history, &fixture->run, NULL);
}

static void start(struct fixture *fixture, const char *name, size_t n)
{
    assert_non_null(rd_program_named(name));
    start_program(fixture, rd_program_named(name), n);
}

/* A stepper on one of the golden traces. */
static void start_trace(struct fixture *fixture, const char *name)
{
    struct rd_history *history;
    struct rd_error error;
    char path[4096];
    *fixture = (struct fixture){.keys = {""}};
    snprintf(path, sizeof path, "%s/%s", traces, name);
    assert_int_equal(rd_history_read(&history, path, NULL, &error), RD_OK);
    rd_stepper_init(&fixture->stepper, history, NULL, NULL);
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

static void assert_drawn(struct fixture *fixture, const char *words)
{
    struct rd_canvas canvas;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(rd_canvas_init(&canvas, 80, 24, false, NULL), RD_OK);
    rd_step_draw(&fixture->stepper, &canvas, NULL);
    rd_canvas_write(&canvas, out);
    rd_canvas_finish(&canvas);
    fclose(out);
    if (!strstr(text, words))
        fail_msg("'%s' is not in\n%s", words, text);
    free(text);
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
    assert_int_equal(rd_stepper_do(&fixture.stepper, "break 99", &error), RD_OK);
    assert_int_equal(rd_stepper_do(&fixture.stepper, "break 98", &error), RD_OK);
    press(&fixture, "u");
    static const char *const lines[] = {"cell 8",  "round 4",       "nxt",
                                        "views x", "guess 4",       "break 1 2 3",
                                        "",        "break barrier", "break thread 9"};
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        assert_int_equal(rd_stepper_do(&fixture.stepper, lines[k], &error), RD_ERROR_USAGE);
        assert_step(&fixture, 1);
        assert_int_equal(fixture.stepper.cell, 0);
        assert_int_equal(fixture.stepper.breaks.run.n_breaks, 1);
    }
    assert_int_equal(rd_stepper_do(&fixture.stepper, "redo", &error), RD_OK);
    assert_drawn(&fixture, "98!"); /* what was undone is known still */
    finish(&fixture);
}

/* A command that can't be done at all is refused before its line is asked for. */
static void test_line_is_asked_for_only_where_it_can_be_taken(void **state)
{
    (void)state;
    struct fixture fixture;
    start(&fixture, "fold", 8);
    assert_null(press(&fixture, "="));
    assert_drawn(&fixture, "there is no question: 'quiz' (the key a)");
    press(&fixture, "a");
    assert_non_null(press(&fixture, "="));
    assert_non_null(press(&fixture, "x"));
    finish(&fixture);
    start_trace(&fixture, "dot-shared-8-i32-iota.sim.ndjson");
    assert_null(press(&fixture, "x"));
    assert_drawn(&fixture, "a trace can't be broken: step through its program, 'dot-shared'");
    finish(&fixture);
}

/* As on a GPU. */
static void test_device_that_leaves_nothing_out_refuses_threads_and_barriers(void **state)
{
    (void)state;
    static const char *const lines[] = {"break thread 1", "break barrier", "break barrier 1"};
    struct fixture fixture;
    struct rd_error error;
    start(&fixture, "dot-shared", 16);
    struct rd_device_ops ops = *fixture.device->ops;
    const struct rd_device_ops *own = fixture.device->ops;
    ops.omits = false;
    fixture.device->ops = &ops;
    press(&fixture, "n");
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        assert_int_equal(rd_stepper_do(&fixture.stepper, lines[k], &error), RD_ERROR_USAGE);
        assert_non_null(strstr(error.text, "'sim' can't leave out a "));
        assert_non_null(strstr(error.text, ": step in the simulator, with '--device sim'"));
    }
    assert_int_equal(rd_stepper_do(&fixture.stepper, "break 7", &error), RD_OK);
    fixture.device->ops = own;
    finish(&fixture);
}

/* ---- keys in any order ---- */

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state >> 11;
}

/* Asserts the invariants of the stepper, and that a screen can be drawn from it. */
static void assert_sound(struct fixture *fixture, unsigned width)
{
    struct rd_stepper *stepper = &fixture->stepper;
    struct rd_canvas canvas;
    assert_in_range(stepper->frame, 0, rd_history_frames(stepper->history) - 1);
    assert_in_range(stepper->cell, 0, rd_stepper_frame(stepper)->n_cells - 1);
    assert_true(stepper->has_thread || stepper->overlay != RD_OVERLAY_TRACE);
    assert_in_range(stepper->watches.count, 0, RD_STEP_WATCHES_MAX);
    assert_in_range(stepper->breaks.run.n_breaks, 0, stepper->breaks.n_known);
    assert_in_range(stepper->breaks.n_known, 0, RD_STEP_BREAKS_MAX);
    assert_in_range(stepper->quiz.right, 0, stepper->quiz.asked);
    if (stepper->has_thread)
        assert_in_range(stepper->thread, 0, rd_stepper_log(stepper)->list.n_threads - 1);
    assert_int_equal(rd_canvas_init(&canvas, width, 24, false, NULL), RD_OK);
    rd_step_draw(stepper, &canvas, NULL);
    rd_canvas_finish(&canvas);
}

/* A command of the table by its name, with some argument, good or bad. */
static void do_any(struct fixture *fixture, uint64_t *state)
{
    static const char *const arguments[] = {
        "%u",     "thread", "thread %u", "value %u",   "value %u 7", "barrier 1",
        "sum %u", "",       "barrier",   "barrier %u", "%u 7",       "A[%u]",
        "%u:0",   "{0,%u}", "0 %u 3 4",  "sets",       "expected",   "thread %u:1"};
    struct rd_error error;
    char argument[32], line[64];
    size_t n = 0;
    while (rd_step_commands[n].name)
        n++;
    const char *name = rd_step_commands[next_random(state) % n].name;
    unsigned number = (unsigned)(next_random(state) % 12);
    const char *format = arguments[next_random(state) % (sizeof arguments / sizeof *arguments)];
    const char *at = strstr(format, "%u");
    if (at)
        snprintf(argument, sizeof argument, "%.*s%u%s", (int)(at - format), format, number, at + 2);
    else
        snprintf(argument, sizeof argument, "%s", format);
    snprintf(line, sizeof line, "%s %s", name, argument);
    (void)rd_stepper_do(&fixture->stepper, line, &error); /* it may be refused */
}

static void assert_any_order_is_sound(struct fixture *fixture, uint64_t *seed, unsigned times)
{
    static const char *const keys[] = {"n",    "p",  "s",    "rs",   "]",     "[",   "Home", "End",
                                       "Down", "Up", "PgDn", "PgUp", "Enter", "v",   "t",    "w",
                                       "u",    "a",  "?",    "Esc",  "!",     "3 g", "t",    "t",
                                       "U",    "W",  "H",    "+",    "Space", "q"};
    for (unsigned k = 0; k < times; k++) {
        if (next_random(seed) % 3 == 0)
            do_any(fixture, seed);
        else
            press(fixture, keys[next_random(seed) % (sizeof keys / sizeof *keys)]);
        assert_sound(fixture, next_random(seed) % 8 == 0 ? 132 : 80);
    }
}

/* Many short ways through what is to be seen: programs with rounds, checkpoints, both, or neither. */
static void test_keys_in_any_order_leave_the_stepper_sound(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t n;
    } programs[] = {
        {"fold", 16},
        {"fold", 1},
        {"fold-guard", 33},
        {"tournament", 13},
        {"fold:wrong-half", 16},
        {"dot-shared", 16},
        {"dot-two-phase", 16},
        {"puzzle-map", 4},
        {"ladder-warp-shuffle", 64},
        {"dot-naive", 40},
        {"multi-block-two-launch", 70},
    };
    enum { N_PROGRAMS = sizeof programs / sizeof *programs, SEQUENCES = 24, COMMANDS = 40 };
    uint64_t seed = test_seed() * 2 + 1;
    for (size_t p = 0; p < N_PROGRAMS; p++) {
        for (unsigned k = 0; k < SEQUENCES; k++) {
            struct fixture fixture;
            start(&fixture, programs[p].name, programs[p].n);
            assert_any_order_is_sound(&fixture, &seed, COMMANDS);
            finish(&fixture);
        }
    }
}

static void test_keys_in_any_order_on_a_trace_leave_the_stepper_sound(void **state)
{
    (void)state;
    static const char *const names[] = {
        "dot-shared-8-i32-iota.sim.ndjson", "dot-shared-64-u64-witness.sim.ndjson",
        "fold-16-u64-witness.sim.ndjson", "dot-two-phase-8-i32-iota.sim.ndjson",
        "tournament-13-u64-witness.sim.ndjson"};
    uint64_t seed = test_seed() * 2 + 1;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        struct fixture fixture;
        start_trace(&fixture, names[k]);
        assert_any_order_is_sound(&fixture, &seed, 400);
        finish(&fixture);
    }
}

static void test_cell_closes_the_accesses_of_a_thread(void **state)
{
    (void)state;
    static const char *const ways[] = {"cell 0", "cell 2"};
    struct rd_error error;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        struct fixture fixture;
        start(&fixture, "fold", 8);
        press(&fixture, "n t");
        assert_int_equal(fixture.stepper.overlay, RD_OVERLAY_TRACE);
        assert_int_equal(rd_stepper_do(&fixture.stepper, ways[k], &error), RD_OK);
        assert_false(fixture.stepper.has_thread);
        assert_int_equal(fixture.stepper.overlay, RD_OVERLAY_NONE);
        press(&fixture, "Home");
        assert_sound(&fixture, 80);
        finish(&fixture);
    }
}

/* A launch may have a longer array by the name of the one that is shown. */
static void test_accessed_cell_is_selected_where_the_frame_has_it(void **state)
{
    (void)state;
    struct fixture fixture;
    start(&fixture, "fold", 8);
    press(&fixture, "n t");
    const struct rd_log *log = rd_stepper_log(&fixture.stepper);
    struct rd_access access = {.array = (unsigned)log->array, .index = 7};
    assert_true(rd_step_select_accessed(&fixture.stepper, &access));
    assert_int_equal(fixture.stepper.cell, 7);
    access.index = 8;
    assert_false(rd_step_select_accessed(&fixture.stepper, &access));
    assert_int_equal(fixture.stepper.cell, 7);
    access = (struct rd_access){.array = (unsigned)log->array + 1};
    assert_false(rd_step_select_accessed(&fixture.stepper, &access));
    assert_sound(&fixture, 80);
    finish(&fixture);
}

/* ---- what is said of the obligations ---- */

/* The fold's law, that claims nothing after round 1. */
static const char blind_law[] = "input a[n]\narray A[n]\nlet w = n / 2^d\n"
                                "law when d != 1: for 0 <= i < w: A[i] = sum of a[j], j mod w = i\n"
                                "start for 0 <= i < n: A[i] = a[i]\n"
                                "update for 0 <= i < w: A[i] = A[i] + A[i + w]";

static void test_preservation_is_as_the_worst_step_so_far(void **state)
{
    (void)state;
    struct rd_program program = *rd_program_named("fold");
    program.law = blind_law;
    struct fixture fixture;
    start_program(&fixture, &program, 8);
    assert_drawn(&fixture, "preservation open; exit open");
    press(&fixture, "n");
    assert_drawn(&fixture, "preservation INCONCLUSIVE so far; exit open");
    press(&fixture, "n");
    assert_drawn(&fixture, "preservation INCONCLUSIVE so far; exit open");
    finish(&fixture);
}

/* The drawing stays within its canvas, for any key at any size. */
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
                const struct rd_step_prompt prompt = {
                    .label = " law: ",
                    .line = "for 0 <= i < w A[i] = a[i]",
                    .cursor = k,
                    .mistake = k % 2 == 0 ? "',' or ':' after the ranges expected" : NULL,
                    .column = 16,
                };
                assert_int_equal(
                    rd_canvas_init(&canvas, sizes[k][0], sizes[k][1], k % 2 == 0, NULL), RD_OK);
                rd_step_draw(&fixture.stepper, &canvas, k % 3 == 0 ? &prompt : NULL);
                rd_canvas_finish(&canvas);
            }
        }
        assert_true(fixture.stepper.quit);
        finish(&fixture);
    }
}

int main(int argc, char **argv)
{
    traces = argc > 1 ? argv[1] : "traces";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands_have_their_keys_and_names_to_themselves),
        cmocka_unit_test(test_keys_of_two_letters_take_both),
        cmocka_unit_test(test_digits_then_g_go_to_a_round),
        cmocka_unit_test(test_g_alone_asks_for_a_cell),
        cmocka_unit_test(test_selected_cell_stays_over_the_rounds),
        cmocka_unit_test(test_failed_command_leaves_the_stepper_where_it_is),
        cmocka_unit_test(test_line_is_asked_for_only_where_it_can_be_taken),
        cmocka_unit_test(test_device_that_leaves_nothing_out_refuses_threads_and_barriers),
        cmocka_unit_test(test_cell_closes_the_accesses_of_a_thread),
        cmocka_unit_test(test_accessed_cell_is_selected_where_the_frame_has_it),
        cmocka_unit_test(test_keys_in_any_order_leave_the_stepper_sound),
        cmocka_unit_test(test_keys_in_any_order_on_a_trace_leave_the_stepper_sound),
        cmocka_unit_test(test_preservation_is_as_the_worst_step_so_far),
        cmocka_unit_test(test_any_key_at_any_size_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
