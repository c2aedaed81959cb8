// SPDX-License-Identifier: MIT
#include "cli/check_values.h"
#include "check/source/expression.h"
#include "cli/cli.h"
#include "element/values_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The length of a variable's name, with its namespaces. */
#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:"

struct rd_index3 rd_cli_check_dim(const char *option, const char *text)
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
    return (struct rd_index3){(unsigned)n[0], (unsigned)n[1], (unsigned)n[2]};
}

bool rd_cli_check_switch(const char *option, const char *text)
{
    bool is_on = strcmp(text, "on") == 0;
    if (!is_on && strcmp(text, "off") != 0)
        rd_cli_usage("check", "'%s' is '%s': use on or off", option, text);
    return is_on;
}

void rd_cli_check_add_print(struct rd_check_options *options, const char *text)
{
    if (strcmp(text, "all") == 0) {
        options->print_all = true;
        return;
    }
    if (!*text || strspn(text, NAME_CHARACTERS ".[]") != strlen(text))
        rd_cli_usage(
            "check",
            "'--print' is '%s': use the index of an argument, the name of a buffer, or all", text);
    if (options->n_prints == RD_CHECK_ARGS_MAX)
        rd_cli_usage("check", "'--print %s' is one too many", text);
    options->prints[options->n_prints++] = text;
}

void rd_cli_check_add_expect(struct rd_check_options *options, const char *text)
{
    const char *equal = strchr(text, '=');
    if (!equal || equal == text || !equal[1] || strcmp(equal, "=@") == 0)
        rd_cli_usage("check",
                     "'--expect' is '%s': write INDEX=@FILE, INDEX=sum(INDEX) or INDEX=law: LAW",
                     text);
    if (options->n_expects == RD_CHECK_ARGS_MAX)
        rd_cli_usage("check", "'--expect %s' is one too many", text);
    options->expects[options->n_expects++] = text;
}

const char *rd_cli_check_tolerance(const char *text)
{
    char *end;
    double tolerance = strtod(text, &end);
    if (end == text || *end || !(tolerance >= 0) || tolerance > 1)
        rd_cli_usage("check", "'--tolerance' is '%s': use a number from 0 to 1, as 1e-5", text);
    return text;
}

void rd_cli_check_add_buffer(struct rd_check_options *options, const char *text)
{
    const char *equal = strchr(text, '=');
    if (!equal || equal == text || isdigit((unsigned char)*text) || !strchr(equal, '[') ||
        strspn(text, NAME_CHARACTERS) != (size_t)(equal - text))
        rd_cli_usage("check", "'--buffer' is '%s': write NAME=TYPE[COUNT]:FILL", text);
    if (options->n_buffers == RD_CHECK_ARGS_MAX)
        rd_cli_usage("check", "'--buffer %s' is one too many", text);
    options->buffers[options->n_buffers++] = text;
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

void rd_cli_check_add_sweep(struct rd_check_options *options, const char *text)
{
    const char *equal = strchr(text, '=');
    if (!equal || !equal[1] || !rd_check_is_name(text, (size_t)(equal - text)))
        rd_cli_usage("check", "'--sweep' is '%s': write NAME=1..100, or NAME=32,64,128", text);
    if (options->n_sweeps == RD_CHECK_SWEEPS_MAX)
        rd_cli_usage("check", "'--sweep %s' is one too many", text);
    options->sweeps[options->n_sweeps++] = text;
}
