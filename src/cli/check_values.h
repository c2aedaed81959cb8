// SPDX-License-Identifier: MIT
/* The values of check's options. What can't be taken is told with the option's name, points to --help, and
 * ends the process. Private to src/cli. */
#ifndef RD_CLI_CHECK_VALUES_H
#define RD_CLI_CHECK_VALUES_H

#include "check/check.h"

/* A size, as rd_cli_parse_size has it. */
uint64_t rd_cli_check_size(const char *option, const char *text);
/* A number without a unit: all 64 bits of it. */
uint64_t rd_cli_check_whole(const char *option, const char *text, uint64_t min, uint64_t max);
/* on or off. */
bool rd_cli_check_switch(const char *option, const char *text);
/* X, X,Y or X,Y,Z. */
struct rd_sim_dim rd_cli_check_dim(const char *option, const char *text);
/* The order of a name; not all. */
enum rd_sim_order rd_cli_check_order(const char *text);

/* --print: INDEX, or all. */
void rd_cli_check_add_print(struct rd_check_options *options, const char *text);
/* --set: SYMBOL=SPEC. */
void rd_cli_check_add_set(struct rd_check_options *options, const char *text);
/* --expect: INDEX=@FILE. */
void rd_cli_check_add_expect(struct rd_check_options *options, const char *text);

#endif
