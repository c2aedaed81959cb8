// SPDX-License-Identifier: MIT
/* Suggests a program or an option for an unknown word of the command line. */
#include "cli/cli.h"
#include "base/spelling.h"
#include "reductio/program.h"

#include <stdlib.h>
#include <string.h>

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

const struct rd_program *rd_cli_program(const char *subcommand, const char *name)
{
    const char *names[NAMES_MAX + 1] = {NULL}, *own[NAMES_MAX + 1] = {NULL};
    const struct rd_program *program = rd_program_named(name);
    if (program)
        return program;
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
    rd_cli_usage(subcommand, "'%s' is not a program: 'reductio list' shows them all", name);
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
