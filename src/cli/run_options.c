// SPDX-License-Identifier: MIT
#include "cli/run_options.h"
#include "cli/cli.h"
#include "base/spelling.h"
#include "reductio/operation.h"
#include "reductio/trace.h"
#include "reductio/values.h"
#include "device/devices.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    KEY_VALUES = 256,
    KEY_BLOCK,
    KEY_GRID,
    KEY_BLOCKS,
    KEY_TRACE,
    KEY_TRACE_CELLS,
    KEY_FRAME,
    KEY_HAZARDS,
    KEY_SCHEDULES,
    KEY_NONDETERMINISM,
    KEY_COLOR,
    KEY_NO_LAST,
    KEY_LAW,
    KEY_SIZES,
    KEY_OP,
    KEY_FORMAT,
};

enum { BLOCK_MAX = 1024 }; /* of every CUDA device so far */

/* Subcommand whose options are read: "run", or another that makes runs. */
static const char *subcommand = "run";

static const struct argp_option shared_options[] = {
    {NULL, 0, NULL, 0, "What to run:", 1},
    {NULL, 'n', "N", 0, "Elements: 1000, 2^20, 64k or the like", 1},
    {"type", 't', RD_TYPE_WORDS, 0, "Type of the elements", 1},
    {"op", KEY_OP, "OPERATION", 0,
     "Reduce by " RD_OPERATION_WORDS "; all but the sum are for some programs, as the folds, "
     "tournament and the rungs of the ladder but ladder-dot: 'ops' of 'reductio list --json'",
     1},
    {"values", KEY_VALUES, "VALUES", 0,
     "iota, ones, powers, random[:SEED], edges[:SEED], marked[:J], list:X,Y,..., a FILE of numbers "
     "or .npy, - "
     "for standard "
     "input; or witness, which shows each cell as the set of inputs in it",
     1},
    {NULL, 0, NULL, 0, "How:", 2},
    {"device", 'd', RD_DEVICE_WORDS, 0, "Where kernels run (default auto)", 2},
    {"block", KEY_BLOCK, "B", 0,
     "Threads a block, 1 to 1024; for rounds that the host cuts, at most so many (default: the "
     "program's, or 256)",
     2},
    {"grid", KEY_GRID, "G", 0, "Blocks, for programs that take any number (default: the program's)",
     2},
    {"blocks", KEY_BLOCKS, "LIST|all", 0,
     "Whose checkpoints are asserted, for instance 0,7,last (default: all)", 2},
    {"frame", KEY_FRAME, "on|off", 0,
     "Assert that dead cells stay as they are (default: on up to 2^20 elements, and for faults)",
     2},
    {"hazards", KEY_HAZARDS, "WHO", 0,
     "Who looks for hazards: sim (default), the simulator, beside a GPU on the same rounds; "
     "sanitizer, "
     "CUDA's compute-sanitizer; or off, nobody",
     2},
    {"schedules", KEY_SCHEDULES, "K", 0,
     "Try kernels whose threads communicate under K schedules, in the simulator (default: 4)", 2},
    {"expect-nondeterminism", KEY_NONDETERMINISM, NULL, 0,
     "What depends on the schedule is no hazard", 2},
    {0},
};

static const struct argp_option run_options[] = {
    {NULL, 0, NULL, 0, "A law of your own:", 3},
    {"law", KEY_LAW, "LAW|@FILE", 0,
     "Judge this law of the program's array, in place of its own: is it true at first, kept by "
     "each round, and "
     "enough for the goal?",
     3},
    {"sizes", KEY_SIZES, "FROM..TO", 0, "Find the smallest n of these that refutes it", 3},
    {NULL, 0, NULL, 0, "What to write:", 4},
    {"trace", KEY_TRACE, "FILE", 0,
     "Write a trace; with - on standard output, and the text on standard error", 4},
    {"trace-cells", KEY_TRACE_CELLS, "N|all", 0,
     "Cut states of more cells than N in the trace (default 4096)", 4},
    {"no-last", KEY_NO_LAST, NULL, 0, "Do not keep the trace as that of the last run", 4},
    {"quiet", 'q', NULL, 0, "Print the last line only", 4},
    {"json", 'j', NULL, 0, "Print the result as one JSON object, and nothing else", 4},
    {"format", KEY_FORMAT, RD_FORMAT_WORDS, 0,
     "Print the results, and nothing else, in this format", 4},
    {"color", KEY_COLOR, "WHEN", 0, "auto (default), always or never", 4},
    {0},
};

/* The index of the word in `words`; complains and exits where it is not there, with one of `alike` where that is near. */
static int choose_alike(const char *option, const char *word, const char *const *words,
                        const char *const *alike)
{
    char list[128];
    for (int k = 0; words[k]; k++)
        if (strcmp(word, words[k]) == 0)
            return k;
    rd_alternatives(list, sizeof list, words);
    const char *nearest = rd_nearest(word, alike);
    if (nearest)
        rd_cli_usage(subcommand, "'%s' is '%s': did you mean '%s'?", option, word, nearest);
    rd_cli_usage(subcommand, "'%s' is '%s': use %s", option, word, list);
}

static int choose(const char *option, const char *word, const char *const *words)
{
    return choose_alike(option, word, words, words);
}

static size_t parse_size(const char *option, const char *text)
{
    return rd_cli_size(subcommand, option, text);
}

static void parse_n(struct rd_cli_run_options *options, const char *text)
{
    options->n = parse_size("-n", text);
    if (options->n == 0)
        rd_cli_usage(subcommand, "'-n' is '%s': a run takes at least 1 element", text);
}

static void parse_block(struct rd_cli_run_options *options, const char *text)
{
    size_t block = parse_size("--block", text);
    if (block < 1 || block > BLOCK_MAX)
        rd_cli_usage(subcommand, "'--block' is '%s': a block has 1 to %d threads", text, BLOCK_MAX);
    options->block = (unsigned)block;
}

static void parse_grid(struct rd_cli_run_options *options, const char *text)
{
    options->grid = parse_size("--grid", text);
    if (options->grid == 0)
        rd_cli_usage(subcommand, "'--grid' is '%s': a grid has at least 1 block", text);
}

/* "0,7,last" or "all". */
static void parse_blocks(struct rd_cli_run_options *options, const char *text)
{
    struct rd_blocks blocks = {.all = strcmp(text, "all") == 0};
    char *list = blocks.all ? NULL : strdup(text), *rest = list;
    for (char *word; (word = strsep(&rest, ","));) {
        if (strcmp(word, "last") == 0) {
            blocks.last = true;
            continue;
        }
        if (blocks.count == RD_BLOCKS_MAX)
            rd_cli_usage(subcommand, "'--blocks' is '%s': at most %d blocks can be named", text,
                         RD_BLOCKS_MAX);
        blocks.block[blocks.count++] = parse_size("--blocks", word);
    }
    free(list);
    options->blocks = blocks;
}

static void parse_type(struct rd_cli_run_options *options, const char *text)
{
    const char *names[RD_TYPE_COUNT + 1] = {NULL}, *alike[RD_TYPE_COUNT + 1] = {NULL};
    unsigned n_alike = 0;
    for (int type = 0; type < RD_TYPE_COUNT; type++) {
        names[type] = rd_numeric((enum rd_type)type)->name;
        if (names[type][0] == text[0]) /* a slip in the number may be one; 'i16' is no 'f16' */
            alike[n_alike++] = names[type];
    }
    options->numeric = rd_numeric((enum rd_type)choose_alike("--type", text, names, alike));
}

static void parse_operation(struct rd_cli_run_options *options, const char *text)
{
    const char *names[RD_OPERATION_COUNT + 1] = {NULL};
    unsigned count = 0;
    for (int k = 0; k < RD_OPERATION_COUNT; k++)
        names[count++] = rd_operation_name((enum rd_operation)k);
    options->has_operation = true;
    rd_operation_named(names[choose("--op", text, names)], &options->operation);
}

static void parse_values(struct rd_cli_run_options *options, const char *text)
{
    static const char *const names[] = {"iota",  "ones",   "powers",  "random",
                                        "edges", "marked", "witness", NULL};
    options->witness = strcmp(text, "witness") == 0;
    options->values = text;
    if (options->witness || rd_values_is_generator(text) || strcmp(text, "-") == 0 ||
        strchr(text, ':') || access(text, F_OK) == 0)
        return;
    const char *nearest = rd_nearest(text, names);
    if (nearest)
        rd_cli_usage(subcommand,
                     "'--values' is '%s', and there is no such file: did you mean '%s'?", text,
                     nearest);
}

static void parse_trace_cells(struct rd_cli_run_options *options, const char *text)
{
    options->trace_cells = strcmp(text, "all") == 0 ? SIZE_MAX : parse_size("--trace-cells", text);
}

static void parse_schedules(struct rd_cli_run_options *options, const char *text)
{
    size_t k = parse_size("--schedules", text);
    if (k == 0 || k > RD_SCHEDULES_MAX)
        rd_cli_usage(subcommand, "'--schedules' is '%s': use a whole number from 1 to %d", text,
                     RD_SCHEDULES_MAX);
    options->n_schedules = (unsigned)k;
}

/* "1..64". */
static void parse_sizes(struct rd_cli_run_options *options, const char *text)
{
    const char *dots = strstr(text, "..");
    char from[32] = "";
    if (dots && dots - text < (ptrdiff_t)sizeof from)
        memcpy(from, text, (size_t)(dots - text));
    if (!*from)
        rd_cli_usage(subcommand, "'--sizes' is '%s': use two sizes, as in 1..64", text);
    options->sizes_from = parse_size("--sizes", from);
    options->sizes_to = parse_size("--sizes", text + strlen(from) + 2);
    if (options->sizes_from == 0 || options->sizes_to < options->sizes_from)
        rd_cli_usage(subcommand,
                     "'--sizes' is '%s': use two sizes from 1 on, the smaller one first", text);
}

static error_t parse_shared(int key, char *argument, struct argp_state *state)
{
    static const char *const devices[] = {RD_DEVICE_NAMES};
    static const char *const frames[] = {"on", "off", NULL};
    const char *const lookers[] = {rd_hazards_by_name(RD_HAZARDS_BY_SIM),
                                   rd_hazards_by_name(RD_HAZARDS_BY_NOBODY),
                                   rd_hazards_by_name(RD_HAZARDS_BY_SANITIZER), NULL};
    struct rd_cli_run_options *options = state->input;
    switch (key) {
    case 'n':
        parse_n(options, argument);
        return 0;
    case 't':
        parse_type(options, argument);
        return 0;
    case KEY_OP:
        parse_operation(options, argument);
        return 0;
    case KEY_VALUES:
        parse_values(options, argument);
        return 0;
    case KEY_BLOCK:
        parse_block(options, argument);
        return 0;
    case KEY_GRID:
        parse_grid(options, argument);
        return 0;
    case KEY_BLOCKS:
        parse_blocks(options, argument);
        return 0;
    case 'd':
        options->device = devices[choose("--device", argument, devices)];
        return 0;
    case KEY_FRAME:
        options->frame = choose("--frame", argument, frames) == 0 ? RD_FRAME_ON : RD_FRAME_OFF;
        return 0;
    case KEY_HAZARDS:
        options->hazards_by = (enum rd_hazards_by)choose("--hazards", argument, lookers);
        return 0;
    case KEY_SCHEDULES:
        parse_schedules(options, argument);
        return 0;
    case KEY_NONDETERMINISM:
        options->expect_nondeterminism = true;
        return 0;
    case ARGP_KEY_ARG:
        if (options->program)
            rd_cli_usage(subcommand, "'%s' is one argument too many: %s takes one program",
                         argument, subcommand);
        options->program = rd_cli_program(subcommand, argument);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

const struct argp rd_cli_run_shared_argp = {
    .options = shared_options,
    .parser = parse_shared,
};

bool rd_cli_run_options_color(const struct rd_cli_run_options *options, FILE *file)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    if (options->color != RD_COLOR_AUTO)
        return options->color == RD_COLOR_ALWAYS;
    if (no_color && no_color[0] != '\0')
        return false;
    return isatty(fileno(file)) && term && strcmp(term, "dumb") != 0;
}

static error_t parse_run(int key, char *argument, struct argp_state *state)
{
    static const char *const colors[] = {"auto", "always", "never", NULL};
    struct rd_cli_run_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = options;
        return 0;
    case KEY_TRACE:
        options->trace = argument;
        return 0;
    case KEY_TRACE_CELLS:
        parse_trace_cells(options, argument);
        return 0;
    case KEY_COLOR:
        options->color = (enum rd_cli_color)choose("--color", argument, colors);
        return 0;
    case KEY_FORMAT:
        options->format = rd_cli_format(subcommand, argument);
        return 0;
    case KEY_NO_LAST:
        options->no_last = true;
        return 0;
    case KEY_LAW:
        options->law = argument;
        return 0;
    case KEY_SIZES:
        parse_sizes(options, argument);
        return 0;
    case 'q':
        options->quiet = true;
        return 0;
    case 'j':
        options->json = true;
        return 0;
    case ARGP_KEY_END:
        if (!options->program)
            rd_cli_usage(subcommand, "no program: 'reductio list' shows them all");
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

void rd_cli_run_options_init(struct rd_cli_run_options *options, const char *of)
{
    subcommand = of;
    *options = (struct rd_cli_run_options){
        .device = "auto",
        .trace_cells = RD_TRACE_CELLS,
        .blocks.all = true,
    };
}

/* The arithmetic of the type becomes that over the operation. */
static void resolve_operation(struct rd_cli_run_options *options)
{
    const struct rd_program *program = options->program;
    enum rd_operation operation = options->has_operation ? options->operation : program->operation;
    struct rd_error error;
    if (rd_program_accept_type(program, options->numeric->type, &error) != RD_OK ||
        rd_program_accept_operation(program, operation, &error) != RD_OK ||
        rd_operation_over(operation, options->numeric->type, &options->numeric, &error) != RD_OK)
        rd_cli_usage(subcommand, "%s", error.text);
    if (rd_operation_selects(operation) && options->witness)
        rd_cli_usage(subcommand,
                     "'--op' is '%s', and of cells that hold indices witness values tell nothing "
                     "more: use --values marked:J",
                     rd_operation_name(operation));
}

void rd_cli_run_options_resolve(struct rd_cli_run_options *options)
{
    const struct rd_program *program = options->program;
    const char *usual = "iota", *values;
    if (options->witness && options->numeric && options->numeric->type != RD_TYPE_U64)
        rd_cli_usage(subcommand, "'--type' is '%s', and witness values are u64: leave --type out",
                     options->numeric->name);
    if (options->witness && program->no_witness)
        rd_cli_usage(subcommand,
                     "'%s' makes no sums of inputs, so that witness values say nothing: use "
                     "other --values",
                     program->name);
    if (options->grid > 0 && !program->blocks)
        rd_cli_usage(subcommand,
                     "'--grid' is %zu, and '%s' chooses its blocks itself: leave --grid out",
                     options->grid, program->name);
    if (options->witness && rd_numeric(program->type)->is_float &&
        !rd_program_has_points(program) && !rd_program_passes_input(program))
        rd_cli_usage(subcommand,
                     "'%s' is about %s, and witness values are whole numbers: use other --values",
                     program->name, rd_numeric(program->type)->name);
    if (options->hazards_by != RD_HAZARDS_BY_SIM && options->n_schedules > 0)
        rd_cli_usage(
            subcommand,
            "'--hazards' is '%s', and the simulator alone tries schedules: leave --schedules "
            "out",
            rd_hazards_by_name(options->hazards_by));
    if (options->hazards_by == RD_HAZARDS_BY_SANITIZER && rd_device_simulates(options->device))
        rd_cli_usage(subcommand,
                     "'--hazards' is 'sanitizer', which looks at a GPU: use --device cuda");
    if (options->json && options->trace && strcmp(options->trace, "-") == 0)
        rd_cli_usage(subcommand,
                     "'--json' and '--trace -' both want standard output: give the trace a "
                     "file");
    if (options->trace && options->trace[0] == '\0')
        rd_cli_usage(subcommand, "'--trace' is '': name a file");
    if (!options->numeric)
        options->numeric = rd_numeric(options->witness ? RD_TYPE_U64 : program->type);
    resolve_operation(options);
    if (options->numeric->operation != RD_OPERATION_SUM)
        usual =
            "random:1"; /* iota begins with 0, which products and minima are from the first round on */
    values = program->values ? program->values : usual;
    /* A program's own list has its own n: with another n, take values that have any. */
    if (options->n > 0 && options->n != program->n && !rd_values_is_generator(values))
        values = usual;
    if (!options->values)
        options->values = values;
}

void rd_cli_run_options_for_view(struct rd_cli_run_options *options)
{
    struct rd_cli_run_options asked = *options;
    rd_cli_run_options_resolve(options);
    if (options->witness) { /* they go together, then */
        *options = asked;
        options->witness = false;
        options->values = NULL;
        options->sets = true;
        rd_cli_run_options_resolve(options);
    }
    if (options->program->may_hang && strcmp(options->device, "auto") == 0)
        options->device = "sim";
}

/* Refuses what does not go with a document on standard output. */
static void check_format(const struct rd_cli_run_options *options)
{
    rd_cli_check_format(subcommand, options->format, options->json);
    if (options->format == RD_FORMAT_TEXT)
        return;
    if (options->law)
        rd_cli_usage(subcommand, "'--law' is judged in words or with --json: leave --format out");
    if (options->trace && strcmp(options->trace, "-") == 0)
        rd_cli_usage(subcommand,
                     "'--format %s' and '--trace -' both want standard output: give the trace a "
                     "file",
                     rd_format_names[options->format]);
}

/* Refuses options that don't go with a law of one's own, and those that go with nothing else. */
static void check_law(const struct rd_cli_run_options *options)
{
    if (options->sizes_to > 0 && !options->law)
        rd_cli_usage(subcommand,
                     "'--sizes' goes with --law: it finds the smallest n that refutes one");
    if (options->sizes_to > 0 && options->n > 0)
        rd_cli_usage(subcommand, "'--sizes' and '-n' both say how many elements: leave one out");
    if (options->law && options->witness)
        rd_cli_usage(subcommand,
                     "'--law' is asserted of values, and not of sets: leave --values witness out");
    if (options->law && options->trace)
        rd_cli_usage(
            subcommand,
            "'--trace' records a run with the program's own law: leave --law or --trace out");
}

void rd_cli_run_options_parse(struct rd_cli_run_options *options, int argc, char **argv)
{
    static const struct argp_child children[] = {{.argp = &rd_cli_run_shared_argp}, {0}};
    const struct argp argp = {
        .options = run_options,
        .parser = parse_run,
        .children = children,
        .args_doc = "PROGRAM",
        .doc = "Runs a program round by round, prints each round and asserts its loop invariant. "
               "A CUDA program of your own, run FILE.cu, has other options: see 'reductio run "
               "FILE.cu --help'."
               "\vExit status: 0 everything asserted holds, 1 an invariant is violated or a hazard "
               "was found, 2 bad usage or the environment failed, 3 inconclusive, 130 interrupted, "
               "141 "
               "nobody reads the output.",
    };
    rd_cli_run_options_init(options, "run");
    rd_cli_parse(&argp, "reductio run", argc, argv, options);
    rd_cli_run_options_resolve(options);
    check_format(options);
    check_law(options);
}
