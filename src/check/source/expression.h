// SPDX-License-Identifier: MIT
/* Whole numbers worked out of others, as counts in SPECs and shapes of launches have them: "2*n", "(n + 255)/256". */
#ifndef RD_CHECK_EXPRESSION_H
#define RD_CHECK_EXPRESSION_H

#include "reductio/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A name with its value, in place of which it stands. */
struct rd_check_name_value {
    const char *name;
    int64_t value;
};

/* Works out +, -, *, /, %, min(), max() and brackets, with 64 bits; / and % round down. RD_ERROR_USAGE: it can't be read, or
 * has no value. */
enum rd_status rd_check_expression(const char *text, size_t length, int64_t *value,
                                   struct rd_error *error);

/* Tells whether the text is more than a number: it has an operator, or a bracket, between numbers. */
bool rd_check_is_expression(const char *text);

/* Tells whether the text is a name, as of a buffer. */
bool rd_check_is_name(const char *text, size_t length);

/* Puts numbers in the place of names: but for names of files behind @, of members in front of =, and what stands before a
 * colon or a bracket, which are types. The caller frees the text. NULL: no memory. */
char *rd_check_put_values(const char *text, const struct rd_check_name_value *values, size_t n);
/* Tells whether any name stands where rd_check_put_values would find it. */
bool rd_check_has_name(const char *text, const char *name);

#endif
