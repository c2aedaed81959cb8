// SPDX-License-Identifier: MIT
/* SPECs: what each fill gives, how each bad buffer is refused, and that no text, however odd, does more than that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "device/sim/memory/memory.h"
#include "garble.h"
#include "spec_harness.h"

/* ---- fills ---- */

static void test_fills_are_what_they_say(void **state)
{
    (void)state;
    for (int k = 0; k < SPEC_TYPES; k++) {
        char text[64];
        snprintf(text, sizeof text, "%s[3]:zero", spec_types[k]);
        assert_cells(text, "0 0 0");
        snprintf(text, sizeof text, "%s[3]:one", spec_types[k]);
        assert_cells(text, "1 1 1");
        snprintf(text, sizeof text, "%s[4]:iota", spec_types[k]);
        assert_cells(text, "0 1 2 3");
        snprintf(text, sizeof text, "%s[3]:plus40", spec_types[k]);
        assert_cells(text, "40 41 42");
        snprintf(text, sizeof text, "%s[5]:mod10", spec_types[k]);
        /* i * 2654435761 >> 7 is 0, 20737779, 41475558, 62213338, 82951117 */
        assert_cells(text, "0 9 8 8 7");
    }
}

static void test_fills_wrap_in_small_types(void **state)
{
    (void)state;
    assert_cells("u8[2]:plus255", "255 0");
    assert_cells("i8[2]:plus127", "127 -128");
    assert_cells("i64[2]:plus18446744073709551615", "-1 0");
    assert_cells("u64[2]:plus18446744073709551614", "18446744073709551614 18446744073709551615");
}

static void test_random_follows_the_seed(void **state)
{
    (void)state;
    /* SplitMix64 from 0, as published with it: 0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4 */
    assert_cells("u64[2]:random:0", "16294208416658607535 7960286522194355700");
    assert_cells("u8[2]:random:0", "175 244");
    struct spec_made made;
    spec_make(&made, "f32[1000]:random:7", &spec_pointer);
    for (int i = 0; i < 1000; i++) {
        float value = ((float *)made.arg->memory)[i];
        assert_true(value >= -1 && value <= 1);
    }
    spec_finish(&made);
}

static void test_uninit_is_not_initialised(void **state)
{
    bool inside;
    enum rd_sim_space space;
    struct spec_made fresh, full;
    spec_make(&fresh, "i32[4]:uninit", &spec_pointer);
    spec_make(&full, "i32[4]:zero", &spec_pointer);
    (void)state;
    assert_false(*rd_sim_shadow((uintptr_t)fresh.arg->memory, &space) & RD_INIT);
    assert_true(*rd_sim_shadow((uintptr_t)full.arg->memory, &space) & RD_INIT);
    const struct rd_sim_array *array = rd_sim_array_at((uintptr_t)full.arg->memory, &inside);
    assert_true(inside);
    assert_string_equal(array->name, "a");
    assert_string_equal(array->type, "i32");
    assert_int_equal(array->size_bytes, 16);
    spec_finish(&fresh);
    spec_finish(&full);
}

/* ---- the text of a SPEC ---- */

static void test_bad_buffers_are_refused(void **state)
{
    (void)state;
    assert_refused("f8[4]:zero", &spec_pointer, "has an unknown type: use i8, u8");
    assert_refused("[4]:zero", &spec_pointer, "has an unknown type");
    assert_refused("i32[4]", &spec_pointer, "is no buffer: write TYPE[COUNT]:FILL");
    assert_refused("i32[]:zero", &spec_pointer, "is no buffer");
    assert_refused("i32[-4]:zero", &spec_pointer, "has a count that is not in");
    assert_refused("i32[4:zero", &spec_pointer, "is no buffer");
    assert_refused("host:7", &spec_pointer, "is no buffer");
    assert_refused("freed:", &spec_pointer, "is no buffer");
    assert_refused("i32[0]:zero", &spec_pointer, "has a count that is not in 1 to 2^33");
    assert_refused("i32[8589934593]:zero", &spec_pointer, "has a count that is not in 1 to 2^33");
    assert_refused("i32[99999999999999999999999]:zero", &spec_pointer, "has a count");
    assert_refused("i32[4]:", &spec_pointer, "has the fill '': use zero, one, iota");
    assert_refused("i32[4]:zeros", &spec_pointer, "has the fill 'zeros'");
    assert_refused("i32[4]:plus", &spec_pointer, "has the fill 'plus'");
    assert_refused("i32[4]:mod0", &spec_pointer, "has the fill 'mod0'");
    assert_refused("i32[4]:random", &spec_pointer, "has the fill 'random'");
    assert_refused("i32[4]:random:18446744073709551616", &spec_pointer, "has the fill");
    assert_refused("host:i32[4]:nope", &spec_pointer, "has the fill 'nope'");
    assert_refused("i32[4]:\x1b[2J", &spec_pointer, "'\\x1b[2J'");
}

static void assert_taken(const char *text, const struct rd_file_parameter *parameter)
{
    struct spec_made made;
    spec_make(&made, text, parameter);
    spec_finish(&made);
}

static void test_buffer_of_another_type_is_refused(void **state)
{
    const struct rd_file_parameter to_int = {'p', 'i', sizeof(void *), 4, NULL};
    const struct rd_file_parameter to_double = {'p', 'f', sizeof(void *), 8, NULL};
    const struct rd_file_parameter to_bool = {'p', 'b', sizeof(void *), 1, NULL};
    const struct rd_file_parameter to_pointer = {'p', 'p', sizeof(void *), sizeof(void *), NULL};
    const struct rd_file_parameter number = {'i', 0, 4, 0, NULL};
    (void)state;
    assert_refused("f32[16]:iota", &to_int,
                   "'f32[16]:iota' is a buffer of f32, and parameter 0 ('a') points to i32: write "
                   "i32[16]");
    assert_refused("i64[4]:zero", &to_int, "points to i32");
    assert_refused("i64[4]:zero", &to_double, "points to f64: write f64[4]");
    assert_refused("host:f32[4]:zero", &to_double, "points to f64: write f64[4]");
    assert_refused("i32[4]:zero", &to_bool, "points to u8: write u8[4]");
    assert_refused("f64[4]:zero", &to_pointer, "points to pointers, which are u64: write u64[4]");
    assert_refused("f32[4]:zero", &number, "is a buffer, and parameter 0 ('a') is no pointer");
}

static void test_buffer_that_suits_the_parameter_is_taken(void **state)
{
    const struct rd_file_parameter to_int = {'p', 'i', sizeof(void *), 4, NULL};
    const struct rd_file_parameter to_unsigned = {'p', 'u', sizeof(void *), 8, NULL};
    const struct rd_file_parameter to_bool = {'p', 'b', sizeof(void *), 1, NULL};
    const struct rd_file_parameter to_struct = {'p', 's', sizeof(void *), 12, NULL};
    const struct rd_file_parameter to_pointer = {'p', 'p', sizeof(void *), sizeof(void *), NULL};
    (void)state;
    assert_taken("i32[4]:zero", &to_int);
    assert_taken("u32[4]:zero", &to_int);
    assert_taken("i64[4]:zero", &to_unsigned);
    assert_taken("i8[4]:one", &to_bool);
    assert_taken("f32[12]:zero", &to_struct);
    assert_taken("f64[2]:zero", &spec_pointer);
    assert_taken("u64[2]:zero", &to_pointer);
}

/* ---- whatever text ---- */

enum { TEXT_SIZE = 200, SMALL = 4096 };

/* A right SPEC with a few of its letters changed, or letters at random. */
static void garble(char text[TEXT_SIZE], uint64_t *state)
{
    static const char *const seeds[] = {"f32[16]:iota",
                                        "u8[7]:mod13",
                                        "i64[3]:random:18446744073709551615",
                                        "host:i16[2]:one",
                                        "freed:u32[5]:plus7",
                                        "i32[4]:@/nonexistent",
                                        "0x00ff00ff",
                                        "-9223372036854775808",
                                        "1.5e-300",
                                        "0",
                                        "inf",
                                        "true"};
    static const char letters[] =
        "0123456789abcdefxiu[]:@-+.,% \t\n\\'\"random:plusmodzero\x01\x80\xff";
    size_t n = sizeof seeds / sizeof *seeds;
    snprintf(text, TEXT_SIZE, "%s", rd_random(state) % 8 ? seeds[rd_random(state) % n] : "");
    for (uint64_t times = rd_random(state) % 6; times > 0; times--)
        test_garble(text, TEXT_SIZE, letters, state);
}

static void assert_message(const char *text, const struct rd_error *error)
{
    if (error->text[0] == '\0' || strchr(error->text, '\n'))
        fail_msg("'%s' gives the message '%s'", text, error->text);
}

static void test_any_text_is_taken_or_refused(void **state)
{
    static const struct rd_file_parameter parameters[] = {
        {'p', 'v', 8, 0, NULL}, {'p', 'f', 8, 4, NULL}, {'i', 0, 1, 0, NULL},
        {'u', 0, 8, 0, NULL},   {'f', 0, 4, 0, NULL},   {'f', 0, 8, 0, NULL},
        {'b', 0, 1, 0, NULL},   {'s', 0, 4, 0, NULL},   {'i', 0, 16, 0, NULL}};
    enum { TIMES = 100000 };
    uint64_t random = 1;
    unsigned taken = 0, refused = 0;
    struct rd_check_memories *memories = calloc(1, sizeof *memories);
    struct rd_check_arg *arg = aligned_alloc(64, sizeof *arg);
    (void)state;
    assert_non_null(memories);
    assert_non_null(arg);
    for (int k = 0; k < TIMES; k++) {
        char text[TEXT_SIZE];
        struct rd_error error = {""};
        struct rd_check_spec spec;
        garble(text, &random);
        /* Not a text of its own: a file that never ends, as /dev/zero, is read as long as it goes. */
        if (strstr(text, "@/d"))
            continue;
        if (rd_check_spec_init(&spec, text, "1", &error) != RD_OK) {
            assert_message(text, &error);
            refused++;
            continue;
        }
        assert_true(!spec.is_buffer || (spec.numeric && spec.count > 0));
        for (size_t p = 0; p < sizeof parameters / sizeof *parameters; p++) {
            error.text[0] = '\0';
            if (spec.is_buffer && spec.count > SMALL)
                continue;
            if (spec_init_argument(arg, &spec, memories, &parameters[p], &error) == RD_OK) {
                taken++;
            } else {
                assert_message(text, &error);
                refused++;
            }
            spec_free_buffer(&spec, memories);
        }
        rd_check_spec_finish(&spec);
    }
    free(memories);
    free(arg);
    assert_true(taken > TIMES / 10 && refused > TIMES / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fills_are_what_they_say),
        cmocka_unit_test(test_fills_wrap_in_small_types),
        cmocka_unit_test(test_random_follows_the_seed),
        cmocka_unit_test(test_uninit_is_not_initialised),
        cmocka_unit_test(test_bad_buffers_are_refused),
        cmocka_unit_test(test_buffer_of_another_type_is_refused),
        cmocka_unit_test(test_buffer_that_suits_the_parameter_is_taken),
        cmocka_unit_test(test_any_text_is_taken_or_refused),
    };
    return cmocka_run_group_tests(tests, spec_set_up, spec_tear_down) != 0;
}
