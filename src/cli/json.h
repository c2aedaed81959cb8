// SPDX-License-Identifier: MIT
/* Results as JSON. Numbers are written as in traces: a whole number beyond 2^53, an infinity and a
 * NaN are strings. Private to src/cli. */
#ifndef RD_CLI_JSON_H
#define RD_CLI_JSON_H

#include "reductio/run.h"

#include <jansson.h>

/* A string; bytes that are not UTF-8 become U+FFFD. */
json_t *rd_cli_json_text(const char *text);
json_t *rd_cli_json_value(const struct rd_numeric *numeric, rd_bits value);
json_t *rd_cli_json_violation(const struct rd_violation *violation,
                              const struct rd_numeric *numeric);

/* The result of a run. The program, n, type and device are the run's. */
json_t *rd_cli_json_result(const struct rd_run *run, const struct rd_result *result);

/* Prints the value on standard output, and gives it up. */
void rd_cli_json_print(json_t *value);

#endif
