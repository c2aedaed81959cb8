// SPDX-License-Identifier: MIT
/* Arguments of the command line: programs, options and numbers, with a suggestion for an unknown word. */
#include "cli/cli.h"
#include "base/spelling.h"
#include "reductio/program.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAMES_MAX = 256 };

/* ---- programs ---- */

/* The part behind the colon of a fault's name; "" of a program. */
static const char *own_name(const struct rd_program *program)
{
    const char *colon = strchr(program->name, ':');
    return colon ? colon + 1 : "";
}

/* "'fold:no-guard' or 'dot-shared:no-guard'": the faults of this name. */
static void faults_named(const char *name, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t k = 0; rd_programs[k]; k++) {
        size_t length = strlen(text);
        if (strcmp(own_name(rd_programs[k]), name) == 0)
            snprintf(text + length, size - length, "%s'%s'", length > 0 ? " or " : "",
                     rd_programs[k]->name);
    }
}

bool rd_cli_is_source(const char *text)
{
    static const char *const endings[] = {".cu", ".cuh", ".cpp", ".cc", ".c", ".cxx"};
    const char *dot = strrchr(text, '.');
    for (size_t k = 0; dot && k < sizeof endings / sizeof *endings; k++)
        if (strcmp(dot, endings[k]) == 0)
            return true;
    return false;
}

void rd_cli_check_trace(const char *subcommand, const char *word)
{
    if (rd_cli_is_source(word))
        rd_cli_usage(subcommand,
                     "'%s' is a program, and a trace is asked for: 'reductio run %s --trace FILE' "
                     "writes one",
                     word, word);
}

void rd_cli_check_option_of_trace(const char *subcommand, const char *option, int argc, char **argv)
{
    const size_t length = strlen(option);
    for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; k++) {
        if (strncmp(argv[k], option, length) != 0)
            continue;
        if (argv[k][length] == '=')
            rd_cli_check_trace(subcommand, argv[k] + length + 1);
        else if (!argv[k][length] && k + 1 < argc)
            rd_cli_check_trace(subcommand, argv[k + 1]);
    }
}

/* Says of a file by that name, or by it with an ending, what takes it. */
static void refuse_file(const char *subcommand, const char *name)
{
    char source[256];
    const int length = snprintf(source, sizeof source, "%s.cu", name);
    if (length < (int)sizeof source && access(source, F_OK) == 0)
        rd_cli_usage(subcommand, "'%s' is not a program: did you mean the file '%s'?", name,
                     source);
    if (access(name, F_OK) == 0)
        rd_cli_usage(subcommand,
                     "'%s' is a file, and no source: if it is a trace, 'reductio verify %s' "
                     "asserts it again, and 'reductio step --trace %s' goes through its rounds",
                     name, name, name);
}

const struct rd_program *rd_cli_program(const char *subcommand, const char *name)
{
    const char *names[NAMES_MAX + 1] = {NULL}, *own[NAMES_MAX + 1] = {NULL};
    const struct rd_program *program = rd_program_named(name);
    if (program)
        return program;
    if (rd_cli_is_source(name))
        rd_cli_usage(
            subcommand,
            "'%s' is a file, and %s takes a program of Reductio's own: 'reductio run %s' runs it",
            name, subcommand, name);
    refuse_file(subcommand, name);
    for (size_t k = 0, n_own = 0; k < NAMES_MAX && rd_programs[k]; k++) {
        names[k] = rd_programs[k]->name;
        if (*own_name(rd_programs[k]))
            own[n_own++] = own_name(rd_programs[k]);
    }
    char faults[256] = "";
    const char *nearest = rd_nearest(name, own);
    const char *whole = rd_nearest(name, names);
    if (nearest && (!whole || strcmp(nearest, name) == 0))
        faults_named(nearest, faults, sizeof faults);
    if (faults[0] != '\0')
        rd_cli_usage(subcommand, "'%s' is not a program: did you mean %s?", name, faults);
    if (whole)
        rd_cli_usage(subcommand, "'%s' is not a program: did you mean '%s'?", name, whole);
    rd_cli_usage(subcommand,
                 "'%s' is not a program of Reductio's own: 'reductio list' shows them all", name);
}

/* ---- options ---- */

/* The options of a parser and its children, in one array. */
struct known {
    const struct argp_option *options[NAMES_MAX];
    const char *names[NAMES_MAX + 4];
    size_t n_options, n_names;
};

static void collect(struct known *known, const struct argp *argp)
{
    static const struct argp_option none = {0};
    const struct argp_option *option = argp->options ? argp->options : &none;
    for (; option->name || option->key || option->doc; option++) {
        if (known->n_options == NAMES_MAX)
            return;
        known->options[known->n_options++] = option;
        if (option->name)
            known->names[known->n_names++] = option->name;
    }
    for (const struct argp_child *child = argp->children; child && child->argp; child++)
        collect(known, child->argp);
}

/* Tells whether the word is an option whose value is the next word. */
static bool takes_next(const struct known *known, const char *word)
{
    for (size_t k = 0; k < known->n_options; k++) {
        const struct argp_option *option = known->options[k];
        if (!option->arg)
            continue;
        bool by_name = option->name && strncmp(word, "--", 2) == 0 &&
                       strncmp(option->name, word + 2, strlen(word + 2)) == 0;
        bool by_letter = word[0] == '-' && option->key > 0 && word[1] == option->key && !word[2];
        if (by_name || by_letter)
            return true;
    }
    return false;
}

/* An option that some subcommands have, and that is guessed of the others. */
static const struct {
    const char *name, *where;
} elsewhere[] = {
    {"law",
     "'run' and 'step' judge a law by it, 'explain' prints the program's own, and 'judge FILE' "
     "takes a file of laws"},
};

static void check_option(const struct known *known, const char *name, const char *word)
{
    char own[64];
    size_t length = strcspn(word, "=");
    if (length >= sizeof own)
        return;
    snprintf(own, sizeof own, "%.*s", (int)length, word);
    for (size_t k = 0; k < known->n_names; k++)
        if (strncmp(known->names[k], own, length) == 0) /* getopt takes a beginning, too */
            return;
    const char *const space = strchr(name, ' ');
    const char *const subcommand = space ? space + 1 : NULL;
    for (size_t k = 0; k < sizeof elsewhere / sizeof *elsewhere; k++)
        if (strcmp(own, elsewhere[k].name) == 0)
            rd_cli_usage(subcommand, "'--%s' is not an option here: %s", own, elsewhere[k].where);
    const char *nearest = rd_nearest(own, known->names);
    if (nearest)
        rd_cli_usage(subcommand, "'--%s' is not an option: did you mean '--%s'?", own, nearest);
}

void rd_cli_check_options(const struct argp *argp, const char *name, int argc, char **argv)
{
    struct known known = {.n_names = 3, .names = {"help", "usage", "version"}};
    collect(&known, argp);
    for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; k++) {
        if (takes_next(&known, argv[k]))
            k++;
        else if (strncmp(argv[k], "--", 2) == 0)
            check_option(&known, name, argv[k] + 2);
    }
}

/* ---- argp ---- */

struct named {
    void *input;
    char **argv;
};

/* getopt begins its messages with argv[0], which is to be "reductio"; argp's help is to say
 * "reductio run". argp takes the name from argv[0], too, unless the parser brings its own argv:
 * then it takes program_invocation_short_name. */
static error_t parse_named(int key, char *argument, struct argp_state *state)
{
    struct named *named = state->input;
    (void)argument;
    if (key != ARGP_KEY_INIT)
        return ARGP_ERR_UNKNOWN;
    state->argv = named->argv;
    state->child_inputs[0] = named->input;
    return 0;
}

void rd_cli_parse(const struct argp *argp, const char *name, int argc, char **argv, void *input)
{
    const struct argp_child children[] = {{.argp = argp}, {0}};
    const struct argp parent = {.parser = parse_named, .children = children};
    static char help[] = "--help";
    for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; k++)
        argv[k] = strcmp(argv[k], "-h") == 0 ? help : argv[k];
    rd_cli_check_options(argp, name, argc, argv);
    struct named named = {.input = input, .argv = calloc((size_t)argc + 1, sizeof *argv)};
    if (!named.argv) {
        rd_cli_complain("no memory for the arguments");
        exit(RD_EXIT_FAILED);
    }
    memcpy(named.argv, argv, (size_t)argc * sizeof *argv);
    program_invocation_short_name = (char *)name;
    argp_parse(&parent, argc, argv, 0, NULL, &named);
    free(named.argv);
}

/* ---- numbers ---- */

/* No device holds more. */
#define SIZE_LIMIT ((uint64_t)1 << 40)

static unsigned shift_of_suffix(char suffix)
{
    switch (tolower((unsigned char)suffix)) {
    case 'k':
        return 10;
    case 'm':
        return 20;
    case 'g':
        return 30;
    }
    return 0;
}

const char *rd_cli_read_digits(const char *text, uint64_t *number)
{
    uint64_t value = 0;
    for (; isdigit((unsigned char)*text); text++)
        value = value > SIZE_LIMIT ? value : value * 10 + (uint64_t)(*text - '0');
    *number = value;
    return text;
}

enum rd_status rd_cli_parse_size(const char *option, const char *text, size_t *size,
                                 struct rd_error *error)
{
    uint64_t number, exponent;
    const char *end = rd_cli_read_digits(text, &number);
    unsigned shift = end > text ? shift_of_suffix(*end) : 0;
    if (shift > 0)
        end++;
    if (number == 2 && shift == 0 && *end == '^' && isdigit((unsigned char)end[1])) {
        end = rd_cli_read_digits(end + 1, &exponent);
        number = 1;
        shift = exponent < 63 ? (unsigned)exponent : 63;
    }
    if (end == text || *end != '\0')
        return rd_fail(error, RD_ERROR_USAGE,
                       "'%s' is '%s', not a whole number: write 1000, 2^10, 64k, 1M or the like",
                       option, text);
    if (number > SIZE_LIMIT >> (shift < 40 ? shift : 40) || (number > 0 && shift > 40))
        return rd_fail(error, RD_ERROR_USAGE, "'%s' is '%s', too large: at most 2^40", option,
                       text);
    *size = (size_t)(number << shift);
    return RD_OK;
}

size_t rd_cli_size(const char *subcommand, const char *option, const char *text)
{
    size_t size = 0;
    struct rd_error error;
    if (rd_cli_parse_size(option, text, &size, &error) != RD_OK)
        rd_cli_usage(subcommand, "%s", error.text);
    return size;
}

/* ---- formats ---- */

enum rd_format rd_cli_format(const char *subcommand, const char *name)
{
    for (int k = 0; rd_format_names[k]; k++)
        if (strcmp(name, rd_format_names[k]) == 0)
            return (enum rd_format)k;
    char list[64];
    const char *nearest = rd_nearest(name, rd_format_names);
    if (nearest)
        rd_cli_usage(subcommand, "'--format' is '%s': did you mean '%s'?", name, nearest);
    rd_alternatives(list, sizeof list, rd_format_names);
    rd_cli_usage(subcommand, "'--format' is '%s': use %s", name, list);
}

void rd_cli_check_format(const char *subcommand, enum rd_format format, bool json)
{
    if (format != RD_FORMAT_TEXT && json)
        rd_cli_usage(subcommand, "'--json' and '--format %s' both say what to print: leave one out",
                     rd_format_names[format]);
}
