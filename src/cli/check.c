// SPDX-License-Identifier: MIT
#include "cli/check_values.h"
#include "cli/cli.h"
#include "element/values_text.h"
#include "reductio/operation.h"
#include "cli/launch_options.h"
#include "cli/sandbox_options.h"
#include "check/source/kernel_names.h"

#include <string.h>

enum {
    KEY_KERNEL = 256,
    KEY_GRID,
    KEY_BLOCK,
    KEY_SHARED,
    KEY_HEAP,
    KEY_ARG,
    KEY_SET,
    KEY_SCHEDULE,
    KEY_PRINT,
    KEY_STD,
    KEY_EXPECT,
    KEY_SCHEDULES,
    KEY_NONDETERMINISM,
    KEY_SARIF,
    KEY_FMAD,
    KEY_PRIVATE,
    KEY_DEVICE,
    KEY_TOLERANCE,
    KEY_SUPPRESSIONS,
    KEY_LAUNCH,
    KEY_BUFFER,
    KEY_SWEEP,
    KEY_COMPILE_ONLY,
};

enum { COMPILER_ARGS_MAX = 60 };

static const struct argp_option check_option_table[] = {
    {NULL, 0, NULL, 0, "What to run:", 1},
    {"kernel", KEY_KERNEL, "NAME", 0, "The kernel; of a template, with its arguments: 'k<float>'",
     1},
    {"grid", KEY_GRID, "X[,Y[,Z]]", 0, "Blocks of the grid", 1},
    {"block", KEY_BLOCK, "X[,Y[,Z]]", 0, "Threads of a block", 1},
    {"shared", KEY_SHARED, "BYTES", 0, "Dynamic shared memory", 1},
    {"compile-only", KEY_COMPILE_ONLY, NULL, OPTION_HIDDEN, "Compile the file, and no more", 1},
    {"heap", KEY_HEAP, "BYTES", 0, "For malloc and new in the kernel (default: 8M, as in CUDA)", 1},
    {"arg", KEY_ARG, "SPEC", 0,
     "The next argument: a buffer TYPE[COUNT]:FILL, with the fill zero, one, iota, alternate, "
     "allX, random:SEED, "
     "plusK, modK, witness, uninit or @FILE, which NAME=... gives a name; a pointer into one, NAME "
     "or NAME+3; a number; "
     "bits:0x...; a struct, {n=8, x=NAME}, or its bytes in hex, 0x..., or "
     "its "
     "number, f16:1.5; for a pointer also 0, an address 0x..., host:TYPE[COUNT]:FILL or "
     "freed:TYPE[COUNT]:FILL",
     1},
    {"set", KEY_SET, "SYMBOL=SPEC", 0,
     "What a __constant__, __device__ or __managed__ variable of the file begins with, in place of "
     "the host's code; an array takes a buffer's SPEC, a pointer, a number and a struct as in "
     "--arg",
     1},
    {"launch", KEY_LAUNCH, "LAUNCH", 0,
     "One of several launches in turn, in place of --kernel, --grid, --block, --shared and --arg: "
     "'k<<<4, 256>>>(x, 1024)', "
     "each argument a SPEC",
     1},
    {"buffer", KEY_BUFFER, "NAME=SPEC", 0,
     "A buffer that arguments lead to, by its name: x=f32[1024]:iota", 1},
    {"sweep", KEY_SWEEP, "NAME=LIST", 0,
     "One shape after the other, up to the first that fails: the name stands for each number of "
     "the list, 1..100 or "
     "32,64,128, in --grid, --block, --shared, --kernel and in SPECs, f32[n]:iota; may be repeated",
     1},
    {NULL, 'n', "LIST", 0, "As --sweep n=LIST", 1},
    {"define", 'D', "NAME[=VALUE]", 0, "For the compiler", 1},
    {"include", 'I', "DIRECTORY", 0, "For the compiler", 1},
    {"std", KEY_STD, "STANDARD", 0, "For the compiler (default: gnu++17)", 1},
    {NULL, 0, NULL, 0, "How:", 2},
    {"device", KEY_DEVICE, "DEVICE", 0,
     "sim; or auto (the default), the first device that runs kernels of a file", 2},
    {"schedule", KEY_SCHEDULE, "SCHEDULE", 0,
     "This order of threads and blocks alone: ascending, descending, warp, random, interleave, or "
     "all: a run of each",
     2},
    {"schedules", KEY_SCHEDULES, "K", 0,
     "K runs, and whether their results differ: ascending, descending, random twice, warp, "
     "interleave, then random and interleave with seeds that count up (default: 4 where threads "
     "communicate, else 1)",
     2},
    {"expect-nondeterminism", KEY_NONDETERMINISM, NULL, 0,
     "Results that differ between schedules are no finding", 2},
    RD_CLI_LAUNCH_ROWS(2, "one for each core"),
    {"private", KEY_PRIVATE, "on|off", 0,
     "Look at local variables, too, in a second build and a second run (default: on)", 2},
    {"fmad", KEY_FMAD, "on|off", 0,
     "Round a product of floats and its sum once, as nvcc does by default (default: off)", 2},
    RD_CLI_SANDBOX_ROWS(2),
    {NULL, 0, NULL, 0, "What to print:", 3},
    {"print", KEY_PRINT, "INDEX", 0,
     "The buffer of this argument, afterwards; the first is 0; all: all buffers", 3},
    {"expect", KEY_EXPECT, "INDEX=WHAT", 0,
     "Compare the buffer of this argument, afterwards, with WHAT: the numbers of a file, @FILE; of "
     "what buffers held "
     "before, " RD_OPERATION_NAMES ", as sum(INDEX), or dot(INDEX, INDEX); or a law: "
     "'1=law: A[0] = sum of a[j]'",
     3},
    {"tolerance", KEY_TOLERANCE, "X", 0,
     "Floats of --expect may be off by X, relative where they are above 1 (default: the bound of "
     "their roundings)",
     3},
    {"suppressions", KEY_SUPPRESSIONS, "FILE", 0,
     "Pass over findings that the file names, one a line: HAZARD FILE:LINE REASON", 3},
    {"sarif", KEY_SARIF, "FILE", 0, "A SARIF 2.1.0 log; with - on standard output, and no text", 3},
    RD_CLI_REPORT_ROWS(3, "Print one JSON object, and nothing else",
                       "Print the results in this format, and nothing else"),
    {0},
};

struct input {
    struct rd_check_options options;
    const char *compiler_args[COMPILER_ARGS_MAX + 1];
    unsigned n_compiler_args;
    const char *schedule; /* as given */
    bool has_grid, has_block;
};

static void add_compiler_arg(struct input *input, const char *option, const char *text)
{
    char *whole;
    if (input->n_compiler_args == COMPILER_ARGS_MAX || asprintf(&whole, "%s%s", option, text) < 0)
        rd_cli_usage("check", "'%s%s' is one option too many for the compiler", option, text);
    input->compiler_args[input->n_compiler_args++] = whole; /* for the life of the process */
}

/* As compilers have it, -std=gnu++20: to argp, that is -s. */
static void accept_one_dash(int argc, char **argv)
{
    for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; k++) {
        char *whole;
        if (strncmp(argv[k], "-std=", 5) == 0 && asprintf(&whole, "-%s", argv[k]) > 0)
            argv[k] = whole; /* for the life of the process */
    }
}

/* Refuses what does not go with a document on standard output. */
static void check_format(const struct rd_check_options *options)
{
    const char *format = rd_format_names[options->common.format];
    if (options->sarif && strcmp(options->sarif, "-") == 0)
        rd_cli_usage("check",
                     "'--format %s' and '--sarif -' both want standard output: give a file",
                     format);
    if (options->n_prints > 0 || options->print_all)
        rd_cli_usage("check", "'--print' is of text and of --json: leave --format %s out", format);
}

/* Refuses what a launch lacks. */
static void check_launch(struct input *input)
{
    struct rd_check_options *options = &input->options;
    if (options->compile_only)
        return;
    for (unsigned k = 0; k < options->n_sweeps && !input->has_block; k++)
        if (strncmp(options->sweeps[k], "block=", 6) == 0) {
            options->block_text = "block";
            input->has_block = true;
        }
    if (!options->kernel || !*options->kernel)
        rd_cli_usage("check", "no kernel: name one with --kernel");
    char kernel[RD_SUBJECT_SIZE];
    rd_quote(kernel, options->kernel, strlen(options->kernel));
    if (!rd_check_kernel_is_name(options->kernel))
        rd_cli_usage("check",
                     "%s is no kernel's name: write NAME, n::NAME, 'NAME<float>' or 'NAME(int *)'",
                     kernel);
    /* A thread or a block alone races with nobody: nothing must be found clean for want of others. */
    if (!input->has_grid)
        rd_cli_usage("check", "no grid: give the number of its blocks with --grid");
    if (!input->has_block)
        rd_cli_usage("check", "no block: give the number of its threads with --block");
}

/* Refuses what launches in turn say themselves. */
static void check_launches(const struct input *input)
{
    const struct rd_check_options *options = &input->options;
    const char *other = options->kernel        ? "--kernel"
                        : input->has_grid      ? "--grid"
                        : input->has_block     ? "--block"
                        : options->shared_text ? "--shared"
                        : options->n_args > 0  ? "--arg"
                                               : NULL;
    if (other)
        rd_cli_usage("check", "'--launch' says what '%s' says: leave that out", other);
}

/* --block 1..1024 sweeps it; without a sweep the numbers of a shape are plain. */
static void settle_shape(struct input *input)
{
    struct rd_check_options *options = &input->options;
    char *whole;
    if (options->block_text && strstr(options->block_text, "..") &&
        asprintf(&whole, "block=%s", options->block_text) > 0) {
        rd_cli_check_add_sweep(options, whole); /* for the life of the process */
        options->block_text = "block";
    }
    if (options->n_sweeps > 0)
        return;
    if (options->grid_text)
        options->grid = rd_cli_check_dim("--grid", options->grid_text);
    if (options->block_text)
        options->block = rd_cli_check_dim("--block", options->block_text);
    if (options->shared_text)
        options->shared_bytes = rd_cli_size("check", "--shared", options->shared_text);
}

/* The file alone, perhaps with options for the compiler: its kernels are listed. */
static bool is_list(const struct input *input)
{
    const struct rd_check_options *options = &input->options;
    return !options->kernel && options->n_launches == 0 && !input->has_grid && !input->has_block &&
           options->n_args == 0 && options->n_sets == 0 && options->n_sweeps == 0 &&
           options->n_buffers == 0 && options->n_expects == 0 && options->n_prints == 0 &&
           !options->print_all && !options->sarif && options->common.format == RD_FORMAT_TEXT;
}

/* Refuses options that are missing, or don't go together. */
static void check_options(struct input *input)
{
    struct rd_check_options *options = &input->options;
    if (!options->file)
        rd_cli_usage("check", "no file: reductio check FILE.cu --kernel NAME --grid X --block X");
    if (is_list(input)) {
        options->lists = true;
        return;
    }
    if (options->n_launches > 0)
        check_launches(input);
    else
        check_launch(input);
    settle_shape(input);
    if (input->schedule && options->n_schedules > 0)
        rd_cli_usage("check",
                     "'--schedules' takes the schedules in turn: leave out '--schedule %s'",
                     input->schedule);
    rd_cli_check_format("check", options->common.format, options->common.json);
    if (options->common.format != RD_FORMAT_TEXT)
        check_format(options);
    if (options->common.json && options->sarif && strcmp(options->sarif, "-") == 0)
        rd_cli_usage("check", "'--json' and '--sarif -' both want standard output: give a file");
}
/* Options of the launch. */
static error_t parse_launch(int key, char *argument, struct input *input)
{
    struct rd_check_options *options = &input->options;
    switch (key) {
    case KEY_COMPILE_ONLY:
        options->compile_only = true;
        return 0;
    case KEY_KERNEL:
        options->kernel = argument;
        return 0;
    case KEY_GRID:
        options->grid_text = argument;
        input->has_grid = true;
        return 0;
    case KEY_BLOCK:
        options->block_text = argument;
        input->has_block = true;
        return 0;
    case KEY_SHARED:
        options->shared_text = argument;
        return 0;
    case KEY_SWEEP:
        rd_cli_check_add_sweep(options, argument);
        return 0;
    case 'n': {
        char *whole;
        if (asprintf(&whole, "n=%s", argument) > 0)
            rd_cli_check_add_sweep(options, whole); /* for the life of the process */
        return 0;
    }
    case KEY_HEAP:
        options->heap_bytes = rd_cli_size("check", "--heap", argument);
        if (options->heap_bytes == 0)
            rd_cli_usage("check", "'--heap' is 0, from which nothing can be had: use at least 16");
        return 0;
    case KEY_SET:
        rd_cli_check_add_set(options, argument);
        return 0;
    case KEY_LAUNCH:
        if (options->n_launches == RD_CHECK_LAUNCHES_MAX)
            rd_cli_usage("check", "'--launch %s' is one launch too many", argument);
        options->launches[options->n_launches++] = argument;
        return 0;
    case KEY_BUFFER:
        rd_cli_check_add_buffer(options, argument);
        return 0;
    case KEY_ARG:
        if (options->n_args == RD_CHECK_ARGS_MAX)
            rd_cli_usage("check", "'--arg %s' is one argument too many", argument);
        options->args[options->n_args++] = argument;
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

/* For the compiler. */
static error_t parse_compiler(int key, char *argument, struct input *input)
{
    switch (key) {
    case 'D':
        add_compiler_arg(input, "-D", argument);
        return 0;
    case 'I':
        add_compiler_arg(input, "-I", argument);
        return 0;
    case KEY_STD:
        add_compiler_arg(input, "-std=", argument);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

/* Parses the options of the run. */
static error_t parse_run(int key, char *argument, struct input *input)
{
    struct rd_check_options *options = &input->options;
    switch (key) {
    case KEY_DEVICE:
        options->device = argument;
        return 0;
    case KEY_SCHEDULE:
        input->schedule = argument;
        options->all_orders = strcmp(argument, "all") == 0;
        options->one_order = !options->all_orders;
        if (options->one_order)
            options->order = rd_cli_order("check", argument, "all");
        return 0;
    case KEY_SCHEDULES:
        options->n_schedules =
            (unsigned)rd_cli_whole("check", "--schedules", argument, 1, RD_CHECK_SCHEDULES_MAX);
        return 0;
    case KEY_NONDETERMINISM:
        options->expect_nondeterminism = true;
        return 0;
    case KEY_PRIVATE:
        options->private_memory = rd_cli_check_switch("--private", argument);
        return 0;
    case KEY_FMAD:
        options->fmad = rd_cli_check_switch("--fmad", argument);
        return 0;
    }
    return rd_cli_launch_parse("check", key, argument, &options->common);
}

/* Options of the output. */
static error_t parse_output(int key, char *argument, struct input *input)
{
    struct rd_check_options *options = &input->options;
    switch (key) {
    case KEY_PRINT:
        rd_cli_check_add_print(options, argument);
        return 0;
    case KEY_EXPECT:
        rd_cli_check_add_expect(options, argument);
        return 0;
    case KEY_SUPPRESSIONS:
        options->suppressions = argument;
        return 0;
    case KEY_TOLERANCE:
        options->tolerance = rd_cli_check_tolerance(argument);
        return 0;
    case KEY_SARIF:
        options->sarif = argument;
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static error_t parse_check(int key, char *argument, struct argp_state *state)
{
    static error_t (*const parts[])(int key, char *argument, struct input *input) = {
        parse_launch, parse_compiler, parse_run, parse_output};
    struct input *input = state->input;
    struct rd_check_options *options = &input->options;
    error_t status = ARGP_ERR_UNKNOWN;
    switch (key) {
    case ARGP_KEY_ARG:
        if (options->file)
            rd_cli_usage("check", "'%s' is one argument too many: check takes one file", argument);
        options->file = argument;
        return 0;
    case ARGP_KEY_END:
        check_options(input);
        return 0;
    }
    for (size_t k = 0; k < sizeof parts / sizeof *parts && status == ARGP_ERR_UNKNOWN; k++)
        status = parts[k](key, argument, input);
    return status;
}

/* NULL: there is nothing to be waited for. */
static void show_progress(void *self, const char *text)
{
    if (text)
        rd_cli_progress_show(self, "%s", text);
    else
        rd_cli_progress_clear(self);
}

int rd_cli_check(int argc, char **argv)
{
    static struct rd_cli_progress progress;
    static struct input input = {
        .options = {.device = "auto",
                    .common = {.seed = 1, .timeout_s = RD_CLI_TIMEOUT_S},
                    .private_memory = true},
    };
    const struct argp argp = {
        .options = check_option_table,
        .parser = parse_check,
        .args_doc = "FILE.cu",
        .doc =
            "Runs one launch of a kernel of any CUDA C++ file in the simulator, and tells what is "
            "wrong with it."
            "\vExit status: 0 no hazard, 1 a hazard was found, 2 bad usage, the file does not "
            "compile, or the environment failed, 3 inconclusive, 130 interrupted.",
    };
    accept_one_dash(argc, argv);
    rd_cli_parse(&argp, "reductio check", argc, argv, &input);
    input.options.compiler_args = input.compiler_args;
    input.options.common.width = rd_cli_width(stdout);
    rd_cli_progress_init_always(&progress);
    if (progress.on)
        input.options.progress = show_progress;
    input.options.progress_self = &progress;
    return rd_check(&input.options);
}
