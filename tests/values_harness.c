// SPDX-License-Identifier: MIT
#include "values_harness.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

char values_folder[TEMPORARY_SIZE];

int values_set_up(void **state)
{
    (void)state;
    return mkdtemp(temporary_name(values_folder, "test_values")) ? 0 : -1;
}

int values_tear_down(void **state)
{
    (void)state;
    return rmdir(values_folder);
}

const char *write_file(const char *name, const void *data, size_t size_bytes)
{
    static char path[VALUES_PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", values_folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size_bytes, file), size_bytes);
    assert_int_equal(fclose(file), 0);
    return path;
}

enum rd_status init_file(struct rd_values *values, enum rd_type type, const char *name,
                         const void *data, size_t size_bytes, size_t n, bool want_b,
                         struct rd_error *error)
{
    const char *path = write_file(name, data, size_bytes);
    enum rd_status status = rd_values_init(values, rd_numeric(type), path, n, 8, want_b, error);
    assert_int_equal(unlink(path), 0);
    return status;
}

void assert_says(const struct rd_error *error, const char *fragment)
{
    if (!strstr(error->text, fragment))
        fail_msg("no \"%s\" in \"%s\"", fragment, error->text);
    if (strchr(error->text, '\n'))
        fail_msg("more than one line: \"%s\"", error->text);
}

void assert_status(enum rd_status status, enum rd_status wanted, const struct rd_error *error)
{
    if (status != wanted)
        fail_msg("status %d, not %d: \"%s\"", status, wanted, error->text);
}

struct rd_values untouched(void)
{
    struct rd_values values;
    memset(&values, 0xa5, sizeof values);
    return values;
}

void assert_untouched(const struct rd_values *values)
{
    const unsigned char *bytes = (const unsigned char *)values;
    for (size_t i = 0; i < sizeof *values; i++)
        assert_int_equal(bytes[i], 0xa5);
}

void assert_spec_refused(enum rd_type type, const char *spec, size_t n, bool want_b,
                         enum rd_status wanted, const char *fragment)
{
    struct rd_error error = {""};
    struct rd_values values = untouched();
    enum rd_status status = rd_values_init(&values, rd_numeric(type), spec, n, 8, want_b, &error);
    assert_status(status, wanted, &error);
    assert_untouched(&values);
    assert_says(&error, fragment);
    assert_int_equal(rd_values_init(&values, rd_numeric(type), spec, n, 8, want_b, NULL), wanted);
}

void assert_file_refused(enum rd_type type, const void *data, size_t size_bytes, size_t n,
                         bool want_b, enum rd_status wanted, const char *fragment)
{
    struct rd_error error = {""};
    struct rd_values values = untouched();
    enum rd_status status = init_file(&values, type, "in", data, size_bytes, n, want_b, &error);
    assert_status(status, wanted, &error);
    assert_untouched(&values);
    assert_says(&error, "/in'");
    assert_says(&error, fragment);
}

void assert_text_refused(enum rd_type type, const char *text, const char *fragment)
{
    assert_file_refused(type, text, strlen(text), 0, false, RD_ERROR_INPUT, fragment);
}

/* The cells as text, separated by spaces. */
static void assert_cells(const struct rd_numeric *numeric, const void *cells, size_t n,
                         const char *wanted)
{
    char got[1024] = "", value[RD_VALUE_TEXT_SIZE];
    size_t length = 0;
    for (size_t j = 0; j < n; j++) {
        numeric->format(value, numeric->load(cells, j));
        length += (size_t)snprintf(got + length, sizeof got - length, j ? " %s" : "%s", value);
        assert_true(length < sizeof got);
    }
    assert_string_equal(got, wanted);
}

void assert_values(struct rd_values *values, enum rd_type type, size_t n, const char *a,
                   const char *b)
{
    assert_ptr_equal(values->numeric, rd_numeric(type));
    assert_int_equal(values->n, n);
    assert_cells(values->numeric, values->a, n, a);
    if (b)
        assert_cells(values->numeric, values->b, n, b);
    else
        assert_null(values->b);
    rd_values_finish(values);
    assert_null(values->a);
    assert_null(values->b);
}

void assert_made(enum rd_type type, const char *spec, size_t n, const char *a, const char *b)
{
    struct rd_error error = {""};
    struct rd_values values;
    enum rd_status status =
        rd_values_init(&values, rd_numeric(type), spec, 0, n, b != NULL, &error);
    assert_status(status, RD_OK, &error);
    assert_values(&values, type, n, a, b);
}

void assert_file_taken(enum rd_type type, const void *data, size_t size_bytes, size_t n,
                       const char *a, const char *b)
{
    struct rd_error error = {""};
    struct rd_values values;
    enum rd_status status = init_file(&values, type, "in", data, size_bytes, 0, b != NULL, &error);
    assert_status(status, RD_OK, &error);
    assert_values(&values, type, n, a, b);
}

void assert_text_taken(enum rd_type type, const char *text, size_t n, const char *a)
{
    assert_file_taken(type, text, strlen(text), n, a, NULL);
}
