// SPDX-License-Identifier: MIT
#include "cli/cli.h"
#include "cli/explain_law.h"
#include "device/kernel_names.h"
#include "reductio/program.h"
#include "reductio/sources.h"

#include <stdint.h>
#include <string.h>

enum { KEY_EXPLAIN_LAW = 256, KEY_EXPLAIN_BLOCK, KEY_EXPLAIN_GRID, BLOCK_MAX = 1024 };

static const struct argp_option options[] = {
    {"law", KEY_EXPLAIN_LAW, "FORMAT", 0,
     "print the program's law instead: text, all its sentences; latex; mathml; c, functions that "
     "assert it; smtlib, its "
     "obligations as queries",
     0},
    {NULL, 'n', "N", 0, "of smtlib: the size, 8 if nothing is said", 0},
    {"block", KEY_EXPLAIN_BLOCK, "T", 0, "of smtlib: threads a block", 0},
    {"grid", KEY_EXPLAIN_GRID, "B", 0, "of smtlib: blocks", 0},
    {0},
};

static size_t parse_size(const char *option, const char *text, size_t most)
{
    struct rd_error error;
    size_t size = 0;
    if (rd_cli_parse_size(option, text, &size, &error) != RD_OK)
        rd_cli_usage("explain", "%s", error.text);
    if (size < 1 || size > most)
        rd_cli_usage("explain", "'%s' is '%s': it is at least 1%s", option, text,
                     size > 0 ? ", and at most 1024" : "");
    return size;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct rd_cli_explain_law *asked = state->input;
    switch (key) {
    case KEY_EXPLAIN_LAW:
        asked->format = rd_cli_law_format(argument);
        return 0;
    case 'n':
        asked->shape.n = parse_size("-n", argument, SIZE_MAX);
        return 0;
    case KEY_EXPLAIN_BLOCK:
        asked->shape.block = (unsigned)parse_size("--block", argument, BLOCK_MAX);
        return 0;
    case KEY_EXPLAIN_GRID:
        asked->shape.grid = parse_size("--grid", argument, SIZE_MAX);
        return 0;
    case ARGP_KEY_ARG:
        if (asked->program)
            rd_cli_usage("explain", "'%s' is one argument too many: explain takes one program",
                         argument);
        asked->program = rd_cli_program("explain", argument);
        return 0;
    case ARGP_KEY_NO_ARGS:
        rd_cli_usage("explain", "no program: 'reductio list' shows them all");
    }
    return ARGP_ERR_UNKNOWN;
}

/* The kernels that a program launches, in the order of its rounds. */
struct kernels {
    unsigned count;
    enum rd_kernel list[RD_KERNEL_COUNT];
};

static bool has(const struct kernels *kernels, enum rd_kernel kernel)
{
    for (unsigned k = 0; k < kernels->count; k++)
        if (kernels->list[k] == kernel)
            return true;
    return false;
}

static struct kernels kernels_of(const struct rd_program *program)
{
    struct kernels kernels = {0};
    struct rd_round round;
    const struct rd_shape shape = rd_program_default(program);
    for (unsigned step = 1; rd_program_round(program, &shape, step, &round); step++)
        if (!has(&kernels, round.kernel))
            kernels.list[kernels.count++] = round.kernel;
    return kernels;
}

static void print_place(const struct rd_source *source, const char *what, const char *name)
{
    char place[64];
    snprintf(place, sizeof place, "%s:%u-%u", source->path, source->first, source->last);
    printf("    %-30s  %s%s\n", place, what, name);
}

/* Those that `but` does not have, where it is given. */
static unsigned print_kernels(const struct kernels *kernels, const struct kernels *but,
                              const char *what)
{
    unsigned n = 0;
    for (unsigned k = 0; k < kernels->count; k++) {
        const char *name = rd_kernel_name(kernels->list[k]);
        const struct rd_source *source = rd_source_of_kernel(name);
        if (source && !(but && has(but, kernels->list[k]))) {
            print_place(source, what, name);
            n++;
        }
    }
    return n;
}

/* Lists, for a fault, the kernel that it has to itself and what its right twin launches in its place. A
 * twin without one has its fault in what it claims, or in how it launches the right kernel. */
static void print_places(const struct rd_program *program)
{
    const struct rd_program *twin = rd_program_twin(program);
    const struct rd_source *invariant = rd_source_of_invariant(program);
    const struct rd_source *itself = rd_source_of_program(program);
    const struct kernels own = kernels_of(program), right = kernels_of(twin);
    printf("\nWhere to look\n");
    if (twin != program && print_kernels(&own, &right, "the kernel ") > 0)
        print_kernels(&right, &own, "right: ");
    else
        print_kernels(&own, NULL, twin == program ? "the kernel " : "the right kernel, ");
    if (twin != program && itself)
        print_place(itself, "the fault: its claim, its rounds", "");
    if (invariant && (twin == program || invariant != itself))
        print_place(invariant, "the invariant", "");
}

int rd_cli_explain(int argc, char **argv)
{
    const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "PROGRAM",
        .doc = "Prints the documented invariant: the statement, a worked example, why it holds at "
               "first, why a round keeps it, what it gives at the end; and where its sources are.",
    };
    struct rd_cli_explain_law asked = {.format = RD_LAW_FORMAT_NONE};
    rd_cli_parse(&argp, "reductio explain", argc, argv, &asked);
    const char *sized = asked.shape.n > 0       ? "-n"
                        : asked.shape.block > 0 ? "--block"
                        : asked.shape.grid > 0  ? "--grid"
                                                : NULL;
    if (sized && asked.format != RD_LAW_FORMAT_SMTLIB)
        rd_cli_usage("explain", "'%s' is a size, which only '--law smtlib' takes", sized);
    if (asked.format != RD_LAW_FORMAT_NONE)
        return rd_cli_explain_law(&asked);

    const char *text = rd_program_explain(asked.program);
    size_t length = strlen(text);
    printf("%s%s", text, length > 0 && text[length - 1] == '\n' ? "" : "\n");
    print_places(asked.program);
    return RD_EXIT_HOLDS;
}
