// SPDX-License-Identifier: MIT
/* The numbers in a trace keep their bits. */
#include "trace_harness.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* The array `cells` of the run record's input, as text. */
static char *input_text(const char *text)
{
    const char *start = strstr(text, "\"cells\":[") + strlen("\"cells\":");
    return strndup(start, (size_t)(strchr(start, ']') + 1 - start));
}

/* Records one array of a program that holds whatever the values are. */
static void check_values(enum rd_type type, const char *list, size_t n, const char *expected)
{
    char *text = recorded_text(
        &(struct recipe){.program = "tournament", .n = n, .type = type, .values = list});
    char *cells = input_text(text);
    assert_string_equal(cells, expected);
    assert_int_not_equal(replay_text(text).verdict, RD_VIOLATED);
    free(cells);
    free(text);
}

static void test_write_extreme_values_keep_their_bits(void **state)
{
    (void)state;
    check_values(RD_TYPE_I32, "list:-2147483648,2147483647,-1,0", 4,
                 "[-2147483648,2147483647,-1,0]");
    check_values(RD_TYPE_U32, "list:4294967295,0", 2, "[4294967295,0]");
    check_values(RD_TYPE_I64,
                 "list:-9223372036854775808,-9007199254740993,-9007199254740992,9007199254740993",
                 4,
                 "[\"-9223372036854775808\",\"-9007199254740993\",-9007199254740992,"
                 "\"9007199254740993\"]");
    check_values(RD_TYPE_U64, "list:18446744073709551615,9007199254740992,9007199254740993,0", 4,
                 "[\"18446744073709551615\",9007199254740992,\"9007199254740993\",0]");
    check_values(RD_TYPE_F32, "list:-0.0,0,1e-45,3.4028234e38,0.1,1,nan,-inf,inf", 9,
                 "[-0.0,0.0,1e-45,3.4028235e+38,0.1,1.0,\"nan\",\"-inf\",\"inf\"]");
    /* As 7.038531e-26, rounded to a double and then to a float, it would be the next one. */
    check_values(RD_TYPE_F32, "list:7.038531e-26", 1, "[7.03853069e-26]");
    check_values(RD_TYPE_F64, "list:-0.0,5e-324,1.7976931348623157e308,0.1,nan,-inf", 6,
                 "[-0.0,5e-324,1.7976931348623157e+308,0.1,\"nan\",\"-inf\"]");
}

/* Values with random bits, held against what jansson reads, and not against our own reader. */
static void check_random_bits(enum rd_type type, size_t n)
{
    const struct rd_numeric *numeric = rd_numeric(type);
    struct rd_result result;
    struct rd_error error;
    uint64_t *bits = malloc(n * sizeof *bits), seed = 1;
    for (size_t i = 0; i < n; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        numeric->store(bits, i, seed >> (type == RD_TYPE_F32 ? 32 : 0));
    }
    struct rd_trace_writer *writer;
    const char *path = in_folder("bits");
    assert_int_equal(rd_trace_writer_open(&writer, path, SIZE_MAX, &error), RD_OK);
    const struct rd_run run = {.program = rd_program_named("tournament"),
                               .numeric = numeric,
                               .n = n,
                               .a = bits,
                               .values = "random bits",
                               .device = trace_device};
    const struct rd_observer *observers[] = {rd_trace_writer_observer(writer), NULL};
    assert_int_equal(rd_run(&run, observers, &result, &error), RD_OK);
    assert_int_equal(rd_trace_writer_close(writer, &error), RD_OK);
    char *text = slurp(path), *cells = input_text(text);
    json_t *array = json_loads(cells, 0, NULL);
    assert_int_equal(json_array_size(array), n);
    for (size_t i = 0; i < n; i++) {
        const json_t *cell = json_array_get(array, i);
        double real = json_real_value(cell);
        float narrow = (float)real;
        if (json_is_real(cell))
            assert_int_equal(type == RD_TYPE_F32 ? numeric->load(&narrow, 0)
                                                 : numeric->load(&real, 0),
                             numeric->load(bits, i));
        else
            assert_false(isfinite(numeric->to_double(numeric->load(bits, i))));
    }
    json_decref(array);
    free(cells);
    free(text);
    free(bits);
}

static void test_write_random_floats_keep_their_bits(void **state)
{
    (void)state;
    check_random_bits(RD_TYPE_F32, 20000);
    check_random_bits(RD_TYPE_F64, 5000);
}

static void test_write_cut_state_keeps_both_ends(void **state)
{
    (void)state;
    char *text =
        recorded_text(&(struct recipe){.program = "fold", .n = 16, .cut = true, .cells = 5});
    assert_non_null(strstr(text, "\"head\":[0,1,2],\"tail\":[14,15],\"digest\":"));
    assert_non_null(strstr(text, "\"head\":[8,10,12],\"tail\":[20,22],\"digest\":"));
    assert_non_null(strstr(text, "\"cells\":[24,28,32,36]"));
    free(text);
}

static void test_write_same_run_twice_gives_the_same_text(void **state)
{
    struct recipe recipe = {
        .program = "dot-fold", .n = 16, .type = RD_TYPE_F64, .values = "random:9"};
    (void)state;
    char *one = recorded_text(&recipe), *other = recorded_text(&recipe);
    assert_string_equal(one, other);
    assert_non_null(strstr(one, "\"seed\":9,"));
    free(one);
    free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_write_extreme_values_keep_their_bits),
        cmocka_unit_test(test_write_random_floats_keep_their_bits),
        cmocka_unit_test(test_write_cut_state_keeps_both_ends),
        cmocka_unit_test(test_write_same_run_twice_gives_the_same_text),
    };
    return cmocka_run_group_tests_name("trace_values", tests, trace_set_up, trace_tear_down) != 0;
}
