// SPDX-License-Identifier: MIT
/* Harness of input values: takes them through the public header, and asserts what they are or how they are refused. */
#ifndef RD_TEST_VALUES_HARNESS_H
#define RD_TEST_VALUES_HARNESS_H

#include "reductio/values.h"
#include "temporary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { VALUES_PATH_SIZE = 512 };

/* For cmocka_run_group_tests: the test's folder, there and gone again. */
int values_set_up(void **state);
int values_tear_down(void **state);

extern char values_folder[TEMPORARY_SIZE];

/* A file in the test's folder; one at a time. */
const char *write_file(const char *name, const void *data, size_t size_bytes);
/* Makes a file, takes the values from it and removes it. */
enum rd_status init_file(struct rd_values *values, enum rd_type type, const char *name,
                         const void *data, size_t size_bytes, size_t n, bool want_b,
                         struct rd_error *error);

/* The message is one line with the fragment in it. */
void assert_says(const struct rd_error *error, const char *fragment);
void assert_status(enum rd_status status, enum rd_status wanted, const struct rd_error *error);

/* A values struct in which any write shows. */
struct rd_values untouched(void);
void assert_untouched(const struct rd_values *values);

/* Refused with this status and words, with nothing written. */
void assert_spec_refused(enum rd_type type, const char *spec, size_t n, bool want_b,
                         enum rd_status wanted, const char *fragment);
void assert_file_refused(enum rd_type type, const void *data, size_t size_bytes, size_t n,
                         bool want_b, enum rd_status wanted, const char *fragment);
void assert_text_refused(enum rd_type type, const char *text, const char *fragment);

/* Checks a and, unless NULL, b, each as text separated by spaces, and finishes the values. */
void assert_values(struct rd_values *values, enum rd_type type, size_t n, const char *a,
                   const char *b);
void assert_made(enum rd_type type, const char *spec, size_t n, const char *a, const char *b);
void assert_file_taken(enum rd_type type, const void *data, size_t size_bytes, size_t n,
                       const char *a, const char *b);
void assert_text_taken(enum rd_type type, const char *text, size_t n, const char *a);

#endif
