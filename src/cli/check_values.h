// SPDX-License-Identifier: MIT
/* Values of check's options. One that can't be taken is told with the option's name, and ends the process. Private to
 * src/cli. */
#ifndef RD_CLI_CHECK_VALUES_H
#define RD_CLI_CHECK_VALUES_H

#include "check/kernel/check.h"

/* Reads X, X,Y or X,Y,Z. */
struct rd_index3 rd_cli_check_dim(const char *option, const char *text);
/* Reads on or off. */
bool rd_cli_check_switch(const char *option, const char *text);
/* Refuses what is no number from 0 to 1. Returns the text. */
const char *rd_cli_check_tolerance(const char *text);

/* Add a value of --print, INDEX, NAME or all; of --expect, INDEX=WHAT; of --buffer, NAME=SPEC; of --set, SYMBOL=SPEC; of
 * --sweep, NAME=LIST. The text is kept. */
void rd_cli_check_add_print(struct rd_check_options *options, const char *text);
void rd_cli_check_add_expect(struct rd_check_options *options, const char *text);
void rd_cli_check_add_buffer(struct rd_check_options *options, const char *text);
void rd_cli_check_add_set(struct rd_check_options *options, const char *text);
void rd_cli_check_add_sweep(struct rd_check_options *options, const char *text);

#endif
