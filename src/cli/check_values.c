// SPDX-License-Identifier: MIT
#include "cli/check_values.h"
#include "cli/cli.h"
#include "element/values_text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The length of a variable's name, with its namespaces. */
#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:"

uint64_t rd_cli_check_size(const char *option, const char *text)
{
    size_t size = 0;
    struct rd_error error;
    if (rd_cli_parse_size(option, text, &size, &error) != RD_OK)
        rd_cli_usage("check", "%s", error.text);
    return size;
}

struct rd_sim_dim rd_cli_check_dim(const char *option, const char *text)
{
    unsigned long long n[3] = {1, 1, 1};
    const char *at = text;
    for (int k = 0; k < 3; k++) {
        char *end;
        n[k] = strtoull(at, &end, 10);
        if (end == at || *at < '0' || *at > '9' || n[k] > UINT32_MAX)
            break;
        at = end;
        if (*at != ',' || k == 2)
            break;
        at++;
    }
    if (*at != '\0' || at == text || at[-1] == ',')
        rd_cli_usage("check", "'%s' is '%s': write X, X,Y or X,Y,Z", option, text);
    return (struct rd_sim_dim){(unsigned)n[0], (unsigned)n[1], (unsigned)n[2]};
}

uint64_t rd_cli_check_whole(const char *option, const char *text, uint64_t min, uint64_t max)
{
    errno = 0;
    bool digits = *text && text[strspn(text, "0123456789")] == '\0';
    uint64_t number = strtoull(text, NULL, 10);
    if (!digits || errno || number < min || number > max)
        rd_cli_usage("check", "'%s' is '%s': use a whole number from %" PRIu64 " to %" PRIu64,
                     option, text, min, max);
    return number;
}

bool rd_cli_check_switch(const char *option, const char *text)
{
    bool is_on = strcmp(text, "on") == 0;
    if (!is_on && strcmp(text, "off") != 0)
        rd_cli_usage("check", "'%s' is '%s': use on or off", option, text);
    return is_on;
}

enum rd_sim_order rd_cli_check_order(const char *text)
{
    enum rd_sim_order order;
    if (!rd_sim_order_named(text, &order))
        rd_cli_usage(
            "check",
            "'--schedule' is '%s': use ascending, descending, warp, random, interleave or all",
            text);
    return order;
}

void rd_cli_check_add_print(struct rd_check_options *options, const char *text)
{
    if (strcmp(text, "all") == 0) {
        options->print_all = true;
        return;
    }
    if (!isdigit((unsigned char)*text))
        rd_cli_usage("check", "'--print' is '%s': use the index of an argument, or all", text);
    if (options->n_prints == RD_CHECK_ARGS_MAX)
        rd_cli_usage("check", "'--print %s' is one too many", text);
    options->prints[options->n_prints++] =
        (unsigned)rd_cli_check_whole("--print", text, 0, RD_CHECK_ARGS_MAX - 1);
}

void rd_cli_check_add_expect(struct rd_check_options *options, const char *text)
{
    char index[8] = "";
    const char *equal = strstr(text, "=@");
    if (!equal || (size_t)(equal - text) >= sizeof index || equal[2] == '\0')
        rd_cli_usage("check", "'--expect' is '%s': write INDEX=@FILE", text);
    if (options->n_expects == RD_CHECK_ARGS_MAX)
        rd_cli_usage("check", "'--expect %s' is one too many", text);
    memcpy(index, text, (size_t)(equal - text));
    options->expects[options->n_expects++] = (struct rd_check_expect){
        (unsigned)rd_cli_check_whole("--expect", index, 0, RD_CHECK_ARGS_MAX - 1), equal + 2};
}

void rd_cli_check_add_set(struct rd_check_options *options, const char *text)
{
    const char *equal = strchr(text, '=');
    size_t length = equal ? (size_t)(equal - text) : 0;
    char subject[RD_SUBJECT_SIZE];
    rd_quote(subject, text, strlen(text));
    if (length == 0 || strspn(text, NAME_CHARACTERS) != length || !equal[1])
        rd_cli_usage("check", "'--set' is %s: write SYMBOL=SPEC, as in scale=2.5", subject);
    if (options->n_sets == RD_CHECK_ARGS_MAX)
        rd_cli_usage("check", "'--set' %s is one too many", subject);
    for (unsigned k = 0; k < options->n_sets; k++)
        if (options->sets[k].symbol_length == length &&
            strncmp(options->sets[k].symbol, text, length) == 0)
            rd_cli_usage("check", "'--set' gives '%.*s' twice", (int)length, text);
    options->sets[options->n_sets++] = (struct rd_check_set){text, length, equal + 1};
}
