// SPDX-License-Identifier: MIT
/* Harness of SPECs: makes arguments of them, and asserts what these are or how they are refused. */
#ifndef RD_TEST_SPEC_HARNESS_H
#define RD_TEST_SPEC_HARNESS_H

#include "check/kernel/spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* For cmocka_run_group_tests: opens and closes the simulator. */
int spec_set_up(void **state);
int spec_tear_down(void **state);

enum { SPEC_TYPES = 10 };

/* The names of all types. */
extern const char *const spec_types[SPEC_TYPES];
/* A pointer to elements of any type. */
extern const struct rd_file_parameter spec_pointer;

/* An argument, of a SPEC that must be right. */
struct spec_made {
    struct rd_check_spec spec;
    struct rd_check_memories *memories;
    struct rd_check_arg *arg;
};

/* The argument keeps a pointer to the specification. */
void spec_make(struct spec_made *made, const char *text, const struct rd_file_parameter *parameter);
void spec_finish(struct spec_made *made);

/* Makes an argument, whose SPEC may be wrong; and frees the buffer of one. */
enum rd_status spec_init_argument(struct rd_check_arg *arg, const struct rd_check_spec *spec,
                                  struct rd_check_memories *memories,
                                  const struct rd_file_parameter *parameter,
                                  struct rd_error *error);
void spec_free_buffer(const struct rd_check_spec *spec, const struct rd_check_memories *memories);

/* The buffer's elements are these, as text separated by spaces. */
void assert_cells(const char *text, const char *wanted);
/* The message has these words in it. */
void assert_refused(const char *text, const struct rd_file_parameter *parameter, const char *words);

#endif
