// SPDX-License-Identifier: MIT
/* SPECs: what each fill and each file gives, how each bad one is refused, and that no text, however
 * odd, does more than that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "check/spec.h"
#include "garble.h"
#include "device/sim/memory/memory.h"
#include "element/values_text.h"

static const char *const types[] = {"i8",  "u8",  "i16", "u16", "i32",
                                    "u32", "i64", "u64", "f32", "f64"};
enum { N_TYPES = sizeof types / sizeof *types };

static struct rd_device *device;
static char folder[] = "/tmp/reductio-spec-XXXXXX", path[64];

static int set_up(void **state)
{
    struct rd_error error;
    (void)state;
    if (!mkdtemp(folder) || rd_device_open("sim", &device, NULL, &error) != RD_OK)
        return -1;
    snprintf(path, sizeof path, "%s/in", folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    rd_device_close(device);
    unlink(path);
    return rmdir(folder);
}

static void write_file(const void *data, size_t size_bytes)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size_bytes, file), size_bytes);
    assert_int_equal(fclose(file), 0);
}

/* An argument, of a SPEC that must be right. */
struct made {
    struct rd_check_spec spec;
    struct rd_check_memories *memories;
    struct rd_check_arg *arg;
};

static enum rd_status init_argument(struct rd_check_arg *arg, const struct rd_check_spec *spec,
                                    struct rd_check_memories *memories,
                                    const struct rd_file_parameter *parameter,
                                    struct rd_error *error)
{
    enum rd_status status = rd_check_arg_alloc(arg, device, spec, memories, 0, "a", error);
    return status == RD_OK ? rd_check_arg_make(arg, parameter, error) : status;
}

/* The argument keeps a pointer to the specification. */
static void make(struct made *made, const char *text, const struct rd_file_parameter *parameter)
{
    struct rd_error error = {""};
    *made = (struct made){.memories = calloc(1, sizeof *made->memories),
                          .arg = aligned_alloc(64, sizeof *made->arg)};
    assert_non_null(made->memories);
    assert_non_null(made->arg);
    if (rd_check_spec_init(&made->spec, text, "1", &error) != RD_OK ||
        init_argument(made->arg, &made->spec, made->memories, parameter, &error) != RD_OK)
        fail_msg("'%s': %s", text, error.text);
}

static void free_buffer(const struct rd_check_spec *spec, const struct rd_check_memories *memories)
{
    if (spec->is_buffer && spec->space == RD_CHECK_DEVICE)
        rd_sim_memory_free(memories->all[spec->index]);
}

static void finish(struct made *made)
{
    free_buffer(&made->spec, made->memories);
    rd_check_spec_finish(&made->spec);
    free(made->memories);
    free(made->arg);
}

/* A pointer to elements of any type. */
static const struct rd_file_parameter pointer = {'p', 'v', sizeof(void *), 0, NULL};

static void assert_cells(const char *text, const char *wanted)
{
    char found[512] = "", value[RD_VALUE_TEXT_SIZE];
    struct made made;
    make(&made, text, &pointer);
    const struct rd_numeric *numeric = made.spec.numeric;
    for (size_t i = 0; i < made.spec.count; i++) {
        numeric->format(value, numeric->load(made.arg->memory, i));
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s", i ? " " : "", value);
    }
    assert_string_equal(found, wanted);
    finish(&made);
}

static void assert_file(const char *content, const char *type, size_t count, const char *wanted)
{
    char text[128];
    write_file(content, strlen(content));
    snprintf(text, sizeof text, "%s[%zu]:@%s", type, count, path);
    assert_cells(text, wanted);
}

/* The message has this in it. */
static void assert_refused(const char *text, const struct rd_file_parameter *parameter,
                           const char *words)
{
    struct rd_error error = {""};
    struct rd_check_spec spec;
    struct rd_check_memories *memories = calloc(1, sizeof *memories);
    struct rd_check_arg *arg = aligned_alloc(64, sizeof *arg);
    assert_non_null(memories);
    assert_non_null(arg);
    enum rd_status status = rd_check_spec_init(&spec, text, "1", &error);
    if (status == RD_OK) {
        status = init_argument(arg, &spec, memories, parameter, &error);
        rd_check_spec_finish(&spec);
    }
    if (status == RD_OK || !strstr(error.text, words))
        fail_msg("'%s' gives '%s', not '%s'", text, error.text, words);
    free(memories);
    free(arg);
}

static void assert_file_refused(const char *content, const char *type, size_t count,
                                const char *words)
{
    char text[128];
    write_file(content, strlen(content));
    snprintf(text, sizeof text, "%s[%zu]:@%s", type, count, path);
    assert_refused(text, &pointer, words);
}

/* ---- fills ---- */

static void test_fills_are_what_they_say(void **state)
{
    (void)state;
    for (int k = 0; k < N_TYPES; k++) {
        char text[64];
        snprintf(text, sizeof text, "%s[3]:zero", types[k]);
        assert_cells(text, "0 0 0");
        snprintf(text, sizeof text, "%s[3]:one", types[k]);
        assert_cells(text, "1 1 1");
        snprintf(text, sizeof text, "%s[4]:iota", types[k]);
        assert_cells(text, "0 1 2 3");
        snprintf(text, sizeof text, "%s[3]:plus40", types[k]);
        assert_cells(text, "40 41 42");
        snprintf(text, sizeof text, "%s[5]:mod10", types[k]);
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
    struct made made;
    make(&made, "f32[1000]:random:7", &pointer);
    for (int i = 0; i < 1000; i++) {
        float value = ((float *)made.arg->memory)[i];
        assert_true(value >= -1 && value <= 1);
    }
    finish(&made);
}

static void test_uninit_is_not_initialised(void **state)
{
    bool inside;
    enum rd_sim_space space;
    struct made fresh, full;
    make(&fresh, "i32[4]:uninit", &pointer);
    make(&full, "i32[4]:zero", &pointer);
    (void)state;
    assert_false(*rd_sim_shadow((uintptr_t)fresh.arg->memory, &space) & RD_INIT);
    assert_true(*rd_sim_shadow((uintptr_t)full.arg->memory, &space) & RD_INIT);
    const struct rd_sim_array *array = rd_sim_array_at((uintptr_t)full.arg->memory, &inside);
    assert_true(inside);
    assert_string_equal(array->name, "a");
    assert_string_equal(array->type, "i32");
    assert_int_equal(array->size_bytes, 16);
    finish(&fresh);
    finish(&full);
}

/* ---- files ---- */

static void test_text_keeps_every_bit(void **state)
{
    (void)state;
    assert_file("-9223372036854775808 9223372036854775807", "i64", 2,
                "-9223372036854775808 9223372036854775807");
    assert_file("18446744073709551615,0", "u64", 2, "18446744073709551615 0");
    assert_file("-128\n127 # the ends\n", "i8", 2, "-128 127");
    assert_file("65535 0", "u16", 2, "65535 0");
    assert_file("inf -inf nan -0 1e-45", "f32", 5, "inf -inf nan -0 1e-45");
    assert_file("0.1", "f64", 1, "0.1");
}

static void test_text_out_of_range_is_refused(void **state)
{
    (void)state;
    assert_file_refused("128", "i8", 1, "'128' is out of the range of i8 (-128 to 127)");
    assert_file_refused("256", "u8", 1, "out of the range of u8 (0 to 255)");
    assert_file_refused("-1", "u16", 1, "out of the range of u16 (0 to 65535)");
    assert_file_refused("-32769", "i16", 1, "out of the range of i16");
    assert_file_refused("9223372036854775808", "i64", 1, "out of the range of i64");
    assert_file_refused("18446744073709551616", "u64", 1, "out of the range of u64");
    assert_file_refused("1e39", "f32", 1, "out of the range of f32");
    assert_file_refused("0.5", "i32", 1, "but a float: use f32 or f64");
    assert_file_refused("one", "i32", 1, "'one' is not an i32 number");
}

static void test_file_must_have_as_many_numbers(void **state)
{
    (void)state;
    assert_file_refused("1 2", "i32", 3, "has 2 numbers, and the buffer 3 elements");
    assert_file_refused("1", "i32", 3, "has 1 number, and the buffer 3 elements");
    assert_file_refused("1 2 3 4", "i32", 3, "has 4 numbers, and the buffer 3 elements");
    assert_file_refused("", "i32", 1, "holds no numbers");
    assert_refused("i32[3]:@", &pointer, "'@' names no file");
    assert_refused("i32[3]:@/nonexistent/file", &pointer, "can't be opened: No such file");
    assert_refused("i32[3]:@/", &pointer, "can't be read: Is a directory");
}

/* An array of version 1.0, whose elements are the bytes 0, 1, 2, ... */
static void write_npy(const char *descr, const char *shape, size_t size_bytes)
{
    unsigned char data[1024] = "\x93NUMPY\x01";
    int length = sprintf((char *)data + 10,
                         "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shape);
    data[8] = (unsigned char)length;
    for (size_t k = 0; k < size_bytes; k++)
        data[10 + (size_t)length + k] = (unsigned char)k;
    write_file(data, 10 + (size_t)length + size_bytes);
}

static void test_npy_of_every_type_is_read(void **state)
{
    static const char *const descrs[] = {"|i1", "|u1", "<i2", "<u2", "<i4",
                                         "<u4", "<i8", "<u8", "<f4", "<f8"};
    static const unsigned char bytes[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    (void)state;
    for (int k = 0; k < N_TYPES; k++) {
        char text[128];
        size_t size = rd_numeric_of_text(types[k])->size_bytes;
        write_npy(descrs[k], "(2,)", 2 * size);
        snprintf(text, sizeof text, "%s[2]:@%s", types[k], path);
        struct made made;
        make(&made, text, &pointer);
        assert_memory_equal(made.arg->memory, bytes, 2 * size);
        finish(&made);
    }
}

static void test_npy_of_any_shape_and_order_is_read(void **state)
{
    char text[128];
    (void)state;
    snprintf(text, sizeof text, "u16[6]:@%s", path);
    write_npy("<u2", "(2, 1, 3)", 12);
    assert_cells(text, "256 770 1284 1798 2312 2826");
    write_npy(">u2", "(3, 2)", 12);
    assert_cells(text, "1 515 1029 1543 2057 2571");
    snprintf(text, sizeof text, "i8[1]:@%s", path);
    write_npy("|i1", "()", 1);
    assert_cells(text, "0");
}

static void test_npy_that_does_not_fit_is_refused(void **state)
{
    char text[128];
    (void)state;
    snprintf(text, sizeof text, "i64[2]:@%s", path);
    write_npy("<i4", "(2,)", 8);
    assert_refused(text, &pointer, "holds '<i4', the buffer is i64: use i32");
    write_npy("<c8", "(2,)", 16);
    assert_refused(text, &pointer, "the buffer is i64: convert it with .astype('<i8')");
    write_npy("<i8", "(3,)", 24);
    assert_refused(text, &pointer, "has 3 numbers, and the buffer 2 elements");
    write_npy("<i8", "(2,)", 15);
    assert_refused(text, &pointer, "is cut short");
    write_npy("<i8", "(4294967296, 4294967296)", 16);
    assert_refused(text, &pointer, "more than a memory can hold");
}

/* ---- the text of a SPEC ---- */

static void test_bad_buffers_are_refused(void **state)
{
    (void)state;
    assert_refused("f8[4]:zero", &pointer, "has an unknown type: use i8, u8");
    assert_refused("[4]:zero", &pointer, "has an unknown type");
    assert_refused("i32[4]", &pointer, "is no buffer: write TYPE[COUNT]:FILL");
    assert_refused("i32[]:zero", &pointer, "is no buffer");
    assert_refused("i32[-4]:zero", &pointer, "has a count that is not in");
    assert_refused("i32[4:zero", &pointer, "is no buffer");
    assert_refused("host:7", &pointer, "is no buffer");
    assert_refused("freed:", &pointer, "is no buffer");
    assert_refused("i32[0]:zero", &pointer, "has a count that is not in 1 to 2^33");
    assert_refused("i32[8589934593]:zero", &pointer, "has a count that is not in 1 to 2^33");
    assert_refused("i32[99999999999999999999999]:zero", &pointer, "has a count");
    assert_refused("i32[4]:", &pointer, "has the fill '': use zero, one, iota");
    assert_refused("i32[4]:zeros", &pointer, "has the fill 'zeros'");
    assert_refused("i32[4]:plus", &pointer, "has the fill 'plus'");
    assert_refused("i32[4]:mod0", &pointer, "has the fill 'mod0'");
    assert_refused("i32[4]:random", &pointer, "has the fill 'random'");
    assert_refused("i32[4]:random:18446744073709551616", &pointer, "has the fill");
    assert_refused("host:i32[4]:nope", &pointer, "has the fill 'nope'");
    assert_refused("i32[4]:\x1b[2J", &pointer, "'\\x1b[2J'");
}

static void assert_taken(const char *text, const struct rd_file_parameter *parameter)
{
    struct made made;
    make(&made, text, parameter);
    finish(&made);
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
    assert_taken("f64[2]:zero", &pointer);
    assert_taken("u64[2]:zero", &to_pointer);
}

/* ---- values ---- */

static uint64_t value_of(const char *text, char kind, unsigned size)
{
    const struct rd_file_parameter parameter = {kind, 0, size, 0, NULL};
    uint64_t bits = 0;
    struct made made;
    make(&made, text, &parameter);
    memcpy(&bits, rd_check_arg_value(made.arg), size);
    finish(&made);
    return bits;
}

static void test_numbers_are_taken_to_the_ends_of_their_types(void **state)
{
    float single;
    double wide;
    (void)state;
    assert_int_equal(value_of("-128", 'i', 1), 0x80);
    assert_int_equal(value_of("0xff", 'i', 1), 0xff);
    assert_int_equal(value_of("65535", 'u', 2), 0xffff);
    assert_int_equal(value_of("010", 'i', 4), 10);
    assert_int_equal(value_of("-2147483648", 'i', 4), 0x80000000);
    assert_int_equal(value_of("0xFFFFFFFF", 'i', 4), 0xffffffff);
    assert_true(value_of("18446744073709551615", 'u', 8) == UINT64_MAX);
    assert_true(value_of("-9223372036854775808", 'i', 8) == (uint64_t)1 << 63);
    assert_int_equal(value_of("true", 'b', 1), 1);
    assert_int_equal(value_of("0", 'b', 1), 0);
    uint32_t low = (uint32_t)value_of("0.5", 'f', 4);
    memcpy(&single, &low, sizeof single);
    assert_true(single == 0.5f);
    uint64_t bits = value_of("-inf", 'f', 8);
    memcpy(&wide, &bits, sizeof wide);
    assert_true(wide < -1e308);
}

static void assert_value_refused(const char *text, char kind, unsigned size, const char *words)
{
    const struct rd_file_parameter parameter = {kind, 0, size, 0, NULL};
    assert_refused(text, &parameter, words);
}

static void test_bad_numbers_are_refused(void **state)
{
    (void)state;
    assert_value_refused("128", 'i', 1,
                         "'128' is out of the range of parameter 0 ('a'), of type i8 (-128");
    assert_value_refused("0x100", 'u', 1,
                         "is out of the range of parameter 0 ('a'), of type u8 (0 to");
    assert_value_refused("-1", 'u', 4,
                         "is out of the range of parameter 0 ('a'), of type u32 (0 to");
    assert_value_refused("2147483648", 'i', 4, "is out of the range");
    assert_value_refused("18446744073709551616", 'u', 8, "is out of the range");
    assert_value_refused("1.5", 'i', 4, "'1.5' is no whole number");
    assert_value_refused("", 'i', 4, "'' is no whole number");
    assert_value_refused(" 1", 'i', 4, "' 1' is no whole number");
    assert_value_refused("1x", 'i', 4, "'1x' is no whole number");
    assert_value_refused("", 'f', 4, "'' is no number");
    assert_value_refused("half", 'f', 8, "'half' is no number");
    assert_value_refused("1e39", 'f', 4, "is out of the range of parameter 0 ('a'), of type f32");
    assert_value_refused("2", 'b', 1, "for parameter 0 ('a'), a bool: write 0 or 1");
}

static void test_hex_of_a_float_says_whether_it_is_its_bits(void **state)
{
    (void)state;
    assert_int_equal(value_of("bits:0x3f800000", 'f', 4), 0x3f800000);
    assert_true(value_of("bits:0x3ff0000000000000", 'f', 8) == (uint64_t)0x3ff << 52);
    assert_int_equal(value_of("bits:0xffffffff", 'i', 4), 0xffffffff);
    assert_int_equal(value_of("0x1p0", 'f', 4), 0x3f800000);
    assert_int_equal(value_of("0x1.8", 'f', 4), 0x3fc00000);
    assert_value_refused("0x3f800000", 'f', 4,
                         "is a whole number in hex, and parameter 0 ('a') is of type f32: write "
                         "bits:0x3f800000 for its bits, or 1065353216 for the number");
    assert_value_refused("0X10", 'f', 8, "or 16 for the number");
    assert_value_refused("bits:0x3f80000000", 'f', 4, "as bits:0x00000000");
    assert_value_refused("bits:1.0", 'f', 4, "write its bits in hex");
}

static void test_structs_are_bytes(void **state)
{
    (void)state;
    assert_int_equal(value_of("0x0102030a", 's', 4), 0x0a030201);
    assert_value_refused(
        "0x0102", 's', 4,
        "a struct of 4 bytes: write {MEMBER=SPEC, ...}, or its bytes in hex, 0x and 8");
    assert_value_refused("01020304", 's', 4, "a struct of 4 bytes");
    assert_value_refused("0x0102030g", 's', 4, "a struct of 4 bytes");
    assert_value_refused("0x00", 's', 5000, "is a struct of 5000 bytes; at most 4096 are taken");
    /* A number wider than any type of CUDA's own. */
    assert_value_refused("1", 'i', 16, "a struct of 16 bytes");
}

static void test_pointers_may_be_stray(void **state)
{
    bool inside;
    (void)state;
    assert_int_equal(value_of("0", 'p', 8), 0);
    assert_int_equal(value_of("0x1000", 'p', 8), 0x1000);
    assert_value_refused("7", 'p', 8,
                         "'7' is no buffer, and parameter 0 ('a') is a pointer: write TYPE");
    assert_value_refused("0x10000000000000000", 'p', 8, "is no buffer");

    struct made freed, host;
    make(&freed, "freed:i32[4]:iota", &pointer);
    make(&host, "host:i32[4]:iota", &pointer);
    const struct rd_sim_array *array = rd_sim_array_at((uintptr_t)freed.arg->memory, &inside);
    assert_true(!inside && array && array->freed);
    array = rd_sim_array_at((uintptr_t)host.arg->memory + 4, &inside);
    assert_true(!inside && array && array->space == RD_SPACE_NONE);
    assert_int_equal(((int32_t *)host.arg->memory)[3], 3);
    finish(&freed);
    finish(&host);
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
            if (init_argument(arg, &spec, memories, &parameters[p], &error) == RD_OK) {
                taken++;
            } else {
                assert_message(text, &error);
                refused++;
            }
            free_buffer(&spec, memories);
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
        cmocka_unit_test(test_text_keeps_every_bit),
        cmocka_unit_test(test_text_out_of_range_is_refused),
        cmocka_unit_test(test_file_must_have_as_many_numbers),
        cmocka_unit_test(test_npy_of_every_type_is_read),
        cmocka_unit_test(test_npy_of_any_shape_and_order_is_read),
        cmocka_unit_test(test_npy_that_does_not_fit_is_refused),
        cmocka_unit_test(test_bad_buffers_are_refused),
        cmocka_unit_test(test_buffer_of_another_type_is_refused),
        cmocka_unit_test(test_buffer_that_suits_the_parameter_is_taken),
        cmocka_unit_test(test_numbers_are_taken_to_the_ends_of_their_types),
        cmocka_unit_test(test_bad_numbers_are_refused),
        cmocka_unit_test(test_hex_of_a_float_says_whether_it_is_its_bits),
        cmocka_unit_test(test_structs_are_bytes),
        cmocka_unit_test(test_pointers_may_be_stray),
        cmocka_unit_test(test_any_text_is_taken_or_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down) != 0;
}
