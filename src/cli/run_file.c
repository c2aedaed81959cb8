// SPDX-License-Identifier: MIT
/* reductio run FILE.cu: a user's program, whole. */
#include "cli/run_file.h"
#include "check/program/program.h"
#include "cli/cli.h"
#include "cli/compile_commands.h"
#include "cli/launch_options.h"
#include "cli/nvcc_flags.h"
#include "cli/sandbox_options.h"
#include "reductio/trace.h"

#include <string.h>
#include <unistd.h>

enum {
    KEY_DEVICES = 256,
    KEY_SCHEDULE,
    KEY_SCHEDULES,
    KEY_NONDETERMINISM,
    KEY_TRACE,
    KEY_TRACE_CELLS,
    KEY_NO_LAST,
    KEY_HAZARDS,
    KEY_COMMANDS,
    KEY_VALUES,
    KEY_NUMBER,
    KEY_LAW,
    KEY_BLOCK,
    KEY_TYPE,
};
enum { NUMBERS_MAX = 8 };

static const struct argp_option run_file_options[] = {
    {NULL, 0, NULL, 0, "How:", 1},
    {"device", 'd', "DEVICE", 0,
     "sim; cuda, a GPU, for which nvcc compiles the program; or auto (the default): cuda where a "
     "GPU and nvcc are there",
     1},
    {"hazards", KEY_HAZARDS, "WHO", 0,
     "Who looks for hazards: sim (default), the simulator, beside a GPU on a run of its own; off, "
     "nobody",
     1},
    {"schedule", KEY_SCHEDULE, "SCHEDULE", 0,
     "This order of threads and blocks alone: ascending, descending, warp, random or interleave",
     1},
    {"schedules", KEY_SCHEDULES, "K", 0,
     "Run launches whose threads communicate under K schedules, whatever time it takes: ascending, "
     "descending, random twice, warp, interleave, then random and interleave with seeds that count "
     "up (default: 4, as far as they take no longer than the program itself)",
     1},
    {"expect-nondeterminism", KEY_NONDETERMINISM, NULL, 0,
     "Results that differ between schedules are no finding", 1},
    {"devices", KEY_DEVICES, "N", 0, "Devices that the program sees (default: 1)", 1},
    {"values", KEY_VALUES, "VALUES", 0,
     "Run the program once more, in the simulator, with other values for the inputs of its laws: "
     "iota, ones, powers, "
     "random[:SEED], edges[:SEED], marked[:J], list:X,Y,..., or a FILE of numbers",
     1},
    {"number", KEY_NUMBER, "NAME=N", 0,
     "Set the variable to this number: one that 'requires' or the size of an 'input' names, and "
     "that the program sets to a literal",
     1},
    {"compile-commands", KEY_COMMANDS, "FILE", 0,
     "Take the options of the files from this compilation database; without files, its files, too",
     1},
    RD_CLI_LAUNCH_ROWS(1, "1"),
    RD_CLI_SANDBOX_WRITE_ROW(1),
    RD_CLI_SANDBOX_ROWS(1),
    {NULL, 0, NULL, 0, "What to print:", 2},
    {"trace", KEY_TRACE, "FILE", 0,
     "Write the trace of an annotated loop there: of the first that is violated, or else the first",
     2},
    {"trace-cells", KEY_TRACE_CELLS, "N|all", 0,
     "Cut states of more cells than N in the trace (default 4096)", 2},
    {"no-last", KEY_NO_LAST, NULL, 0, "Do not keep the trace as that of the last run", 2},
    RD_CLI_REPORT_ROWS(2, "Print the result as one JSON object, behind the program's output",
                       "Print the results in this format, and nothing else; the program's output "
                       "goes to standard error"),
    {NULL, 'n', "N", OPTION_HIDDEN, NULL, 2},
    {"law", KEY_LAW, "LAW", OPTION_HIDDEN, NULL, 2},
    {"block", KEY_BLOCK, "N", OPTION_HIDDEN, NULL, 2},
    {"type", KEY_TYPE, "TYPE", OPTION_HIDDEN, NULL, 2},
    {0},
};

struct input {
    struct rd_check_program_options options;
    const char *files[RD_CHECK_FILES_MAX];
    struct rd_cli_nvcc_flags flags;
    struct rd_cli_last last;
    bool no_last;
    struct rd_annotation_number numbers[NUMBERS_MAX];
};

static void add_number(struct input *input, char *argument)
{
    char *equal = strchr(argument, '=');
    if (!equal || equal == argument)
        rd_cli_usage("run", "'--number' is '%s': write NAME=N, as n=3", argument);
    if (input->options.n_numbers == NUMBERS_MAX)
        rd_cli_usage("run", "'--number' sets at most %d variables", NUMBERS_MAX);
    *equal = '\0';
    for (size_t k = 0; k < input->options.n_numbers; k++)
        if (strcmp(input->numbers[k].name, argument) == 0)
            rd_cli_usage("run", "'--number' sets '%s' twice", argument);
    char option[100];
    snprintf(option, sizeof option, "--number %.80s", argument);
    input->numbers[input->options.n_numbers++] = (struct rd_annotation_number){
        argument, rd_cli_whole("run", option, equal + 1, 0, INT64_MAX)};
    input->options.numbers = input->numbers;
}

static error_t parse_run_file(int key, char *argument, struct argp_state *state)
{
    struct input *input = state->input;
    struct rd_check_program_options *options = &input->options;
    switch (key) {
    case 'n':
        rd_cli_usage("run",
                     "'-n' is of Reductio's own programs: '--number n=%s' sets a file's variable n",
                     argument);
    case KEY_BLOCK:
    case KEY_TYPE:
        rd_cli_usage("run", "'--%s' is of Reductio's own programs: a file says it itself",
                     key == KEY_BLOCK ? "block" : "type");
    case KEY_LAW:
        rd_cli_usage("run", "'--law' is of Reductio's own programs: a file has its laws in it, as "
                            "'//@ invariant LAW' before a loop or '//@ assert LAW'");
    case 'd':
        options->device = argument;
        return 0;
    case KEY_DEVICES:
        options->n_devices = (unsigned)rd_cli_whole("run", "--devices", argument, 1, 16);
        return 0;
    case KEY_SCHEDULE:
        options->order = rd_cli_order("run", argument, "");
        options->one_order = true;
        return 0;
    case KEY_SCHEDULES:
        options->n_schedules =
            (unsigned)rd_cli_whole("run", "--schedules", argument, 1, RD_CHECK_SCHEDULES_MAX);
        return 0;
    case KEY_NONDETERMINISM:
        options->expect_nondeterminism = true;
        return 0;
    case KEY_TRACE:
        options->trace = argument;
        return 0;
    case KEY_TRACE_CELLS:
        options->trace_cells =
            strcmp(argument, "all") == 0 ? SIZE_MAX : rd_cli_size("run", "--trace-cells", argument);
        return 0;
    case KEY_HAZARDS:
        options->hazards_off = strcmp(argument, "off") == 0;
        if (!options->hazards_off && strcmp(argument, "sim") != 0)
            rd_cli_usage("run", "'--hazards' is '%s': use sim or off", argument);
        return 0;
    case KEY_NO_LAST:
        input->no_last = true;
        return 0;
    case KEY_NUMBER:
        add_number(input, argument);
        return 0;
    case KEY_VALUES:
        options->values = argument;
        if (strcmp(argument, "witness") == 0)
            rd_cli_usage(
                "run",
                "'--values' is 'witness', which is for the programs that are built in: of a file, "
                "inputs that are lost or added twice are named without it");
        return 0;
    case ARGP_KEY_ARG:
        if (options->n_files == RD_CHECK_FILES_MAX)
            rd_cli_usage("run", "'%s' is one file too many", argument);
        if (!rd_cli_is_source(argument) && access(argument, F_OK) != 0)
            rd_cli_usage("run",
                         "there is no file '%s': the program's own arguments stand behind --",
                         argument);
        for (unsigned k = 0; k < options->n_files; k++)
            if (strcmp(input->files[k], argument) == 0)
                rd_cli_usage("run", "'%s' is named twice", argument);
        input->files[options->n_files++] = argument;
        return 0;
    case ARGP_KEY_END:
        if (options->values && strcmp(options->device, "cuda") == 0)
            rd_cli_usage("run", "'--values' is of runs in the simulator: use --device sim");
        if (options->values)
            options->device = "sim";
        if (options->one_order && options->n_schedules > 0)
            rd_cli_usage("run",
                         "'--schedules' takes the schedules in turn: leave out '--schedule'");
        if (options->n_files == 0)
            rd_cli_usage("run", "no file: reductio run FILE.cu");
        rd_cli_check_format("run", options->common.format, options->common.json);
        if (options->hazards_off && strcmp(options->device, "sim") == 0)
            rd_cli_usage(
                "run",
                "'--hazards' is 'off', and the simulator always looks for them: use --device cuda");
        return 0;
    }
    return rd_cli_launch_parse("run", key, argument, &options->common);
}

bool rd_cli_names_source(int argc, char **argv)
{
    for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; k++)
        if (argv[k][0] != '-' && rd_cli_is_source(argv[k]))
            return true;
    return false;
}

bool rd_cli_names_file(int argc, char **argv)
{
    bool is_first = true;
    for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; k++) {
        if (strncmp(argv[k], "--compile-commands", 18) == 0)
            return true;
        if (argv[k][0] == '-')
            continue;
        if (rd_cli_is_source(argv[k]) || (is_first && strchr(argv[k], '/')))
            return true;
        is_first = false;
    }
    return false;
}

/* Cuts off what stands behind "--": the program's own arguments. */
static int cut_arguments(struct input *input, int argc, char **argv)
{
    for (int k = 1; k < argc; k++)
        if (strcmp(argv[k], "--") == 0) {
            input->options.arguments = argv + k + 1;
            argv[k] = NULL;
            return k;
        }
    return argc;
}

int rd_cli_run_file(int argc, char **argv)
{
    static struct input input = {
        .options = {.device = "auto",
                    .common = {.seed = 1, .timeout_s = RD_CLI_TIMEOUT_S},
                    .trace_cells = RD_TRACE_CELLS,
                    .n_devices = 1},
    };
    const struct argp argp = {
        .options = run_file_options,
        .parser = parse_run_file,
        .args_doc = "FILE.cu [FILE...] [nvcc's options] [-- ARGUMENTS]",
        .doc = "Runs a CUDA program whole, in the simulator or on a GPU, asserts the laws in its "
               "comments, '//@ invariant ...', and tells its hazards. nvcc's options may stand as "
               "they are; behind -- stand the program's own arguments."
               "\vExit status: 0 everything asserted holds, 1 the program fails, an invariant is "
               "violated or a hazard was found, 2 bad usage, a file does not compile, or the "
               "environment failed, 3 inconclusive, 130 interrupted.",
    };
    argc = rd_cli_compile_commands_take(argc, &argv);
    argc = cut_arguments(&input, argc, argv);
    argc = rd_cli_nvcc_flags_take(&input.flags, argc, argv);
    rd_cli_parse(&argp, "reductio run", argc, argv, &input);
    input.options.files = input.files;
    input.options.compiler_args = input.flags.compiler;
    input.options.libraries = input.flags.libraries;
    input.options.nvcc_args = input.flags.nvcc;
    input.options.nvcc_libraries = input.flags.nvcc_libraries;
    input.options.common.width = rd_cli_width(stdout);
    if (!input.no_last) {
        rd_cli_last_init(&input.last, input.options.trace_cells);
        input.options.last = &input.last.observer;
    }
    const int status = rd_check_program(&input.options);
    input.last.has_run = input.last.has_run || status != RD_EXIT_FAILED;
    rd_cli_last_finish(&input.last);
    rd_cli_nvcc_flags_finish(&input.flags);
    return status;
}
