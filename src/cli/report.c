// SPDX-License-Identifier: MIT
#include "cli/cli.h"
#include "cli/proved.h"
#include "cli/run_file.h"
#include "cli/run_options.h"
#include "reductio/trace.h"
#include "reductio/values.h"
#include "reductio/report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY_LAST = 512, KEY_COMPARE, KEY_SVG, KEY_PNG, KEY_TIMES };

enum { TIMES_REPEATS = 5 };

enum wanted { WANTED_PAGE, WANTED_SVG, WANTED_PNG };

struct report_options {
    struct rd_cli_run_options run; /* program NULL: a trace */
    const char *trace, *compare, *output;
    char last[RD_CLI_LAST_PATH_SIZE];
    enum wanted wanted;
    unsigned round; /* of a picture */
    bool times;
};

/* A history, the run that it may be of, and what its rounds took. */
struct subject {
    struct rd_cli_run_setup setup;
    struct rd_history *history;
    struct rd_bench_rounds times;
    bool sets; /* its sets of inputs are asked for */
};

static const struct argp_option report_options[] = {
    {NULL, 0, NULL, 0, "What to write:", 3},
    {"output", 'o', "FILE", 0, "The page, or the picture; - is standard output", 3},
    {"last", KEY_LAST, NULL, 0, "Of the trace of the last run", 3},
    {"compare", KEY_COMPARE, "TRACE|PROGRAM", 0,
     "Show another run beside it, step by step: a trace, or a program with the same options, on "
     "the "
     "same n, type and values",
     3},
    {"svg", KEY_SVG, "ROUND|violation|all", 0,
     "A picture of that round in place of the page (0: of the start), of the first step that is "
     "violated, or of all of them",
     3},
    {"png", KEY_PNG, "ROUND|violation|all", 0, "Likewise as PNG, by rsvg-convert", 3},
    {"times", KEY_TIMES, NULL, 0,
     "Measure the rounds of the programs, too, and draw their time and bandwidth", 3},
    {0},
};

static void choose_picture(struct report_options *report, enum wanted wanted, const char *option,
                           const char *text)
{
    size_t round = 0;
    struct rd_error error;
    if (report->wanted != WANTED_PAGE)
        rd_cli_usage("report", "'%s' is one picture too many: report makes one at a time", option);
    bool all = strcmp(text, "all") == 0, violation = strcmp(text, "violation") == 0;
    if (!all && !violation && rd_cli_parse_size(option, text, &round, &error) != RD_OK)
        rd_cli_usage(
            "report",
            "'%s' is '%s', no round: write its number, 0 for the start, violation or all; the "
            "file is named by -o",
            option, text);
    if (round >= RD_REPORT_VIOLATION)
        rd_cli_usage("report", "'%s' is %s, more rounds than a run has: use %u or less, or all",
                     option, text, RD_REPORT_VIOLATION - 1);
    report->wanted = wanted;
    report->round = all ? RD_REPORT_ALL_ROUNDS : violation ? RD_REPORT_VIOLATION : (unsigned)round;
}

/* A word that names a program is one to run; anything else is a trace, unless no such file is there and
 * it can only be a slip. */
static bool is_trace(const char *word)
{
    return !rd_program_named(word) &&
           (strcmp(word, "-") == 0 || strpbrk(word, "/.") || access(word, F_OK) == 0);
}

static const char no_output[] = "no file to write: use -o FILE, or -o - for standard output";

/* Of a file's words, before it is run: whether one names the page, or asks for help. */
static bool names_output(int argc, char **argv)
{
    static const char *const beginnings[] = {"-o", "--o", "-?", "--help", "--usage"};
    for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; k++)
        for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
            if (strncmp(argv[k], beginnings[i], strlen(beginnings[i])) == 0)
                return true;
    return false;
}

static void check_subjects(const struct report_options *report)
{
    int subjects =
        (report->run.program != NULL) + (report->trace != NULL) + (report->last[0] != '\0');
    if (subjects == 0)
        rd_cli_usage("report", "nothing to report: name a trace or a program, or use --last");
    if (subjects > 1)
        rd_cli_usage("report", "more than one run to report: use --compare for a second one");
    if (!report->output)
        rd_cli_usage("report", "%s", no_output);
    else if (report->output[0] == '\0')
        rd_cli_usage("report", "'-o' is '': name a file");
    if (report->compare && report->wanted != WANTED_PAGE)
        rd_cli_usage("report", "'--compare' is for the page: leave it out of a picture");
    if (report->times && report->wanted != WANTED_PAGE)
        rd_cli_usage("report", "'--times' is for the page: 'reductio bench rounds --svg' draws the "
                               "chart alone");
    if (report->times && !report->run.program)
        rd_cli_usage("report", "a trace knows no times: name the program, to measure it here");
    if (report->times && report->compare && is_trace(report->compare))
        rd_cli_usage("report", "'--compare' names a trace, which knows no times: name its program");
    if (report->trace && report->compare && strcmp(report->trace, "-") == 0 &&
        strcmp(report->compare, "-") == 0)
        rd_cli_usage("report", "'-' stands twice: standard input can be read once only");
    const struct rd_cli_run_options *run = &report->run;
    bool runs = run->program || (report->compare && !is_trace(report->compare));
    if (!runs && (run->n || run->numeric || run->values || run->block || run->grid))
        rd_cli_usage("report", "a trace has its n, type, values, block and grid: leave them out");
}

static error_t parse_report(int key, char *argument, struct argp_state *state)
{
    struct report_options *report = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &report->run;
        return 0;
    case 'o':
        report->output = argument;
        return 0;
    case KEY_LAST:
        rd_cli_last_find("report", report->last);
        return 0;
    case KEY_COMPARE:
        report->compare = argument;
        return 0;
    case KEY_SVG:
        choose_picture(report, WANTED_SVG, "--svg", argument);
        return 0;
    case KEY_PNG:
        choose_picture(report, WANTED_PNG, "--png", argument);
        return 0;
    case KEY_TIMES:
        report->times = true;
        return 0;
    case ARGP_KEY_ARG:
        if (report->run.program || report->trace)
            rd_cli_usage("report",
                         "'%s' is one argument too many: report takes one run, and "
                         "--compare a second",
                         argument);
        if (!is_trace(argument))
            return ARGP_ERR_UNKNOWN; /* the run's options take the program */
        report->trace = argument;
        return 0;
    case ARGP_KEY_END:
        check_subjects(report);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

/* ---- what is reported ---- */

static enum rd_status read_trace(struct subject *subject, const char *path, struct rd_error *error)
{
    return rd_history_read(&subject->history, path, NULL, error);
}

static enum rd_status run_program(struct subject *subject, struct rd_cli_run_options *run,
                                  struct rd_error *error)
{
    struct rd_error why;
    rd_cli_run_options_for_view(run);
    subject->sets = run->sets;
    enum rd_status status = rd_cli_run_setup_init(&subject->setup, run, NULL, &why, error);
    if (status == RD_OK)
        status = rd_history_run(&subject->history, &subject->setup.run, NULL, error);
    rd_cli_progress_clear(&subject->setup.progress);
    return status;
}

/* Gives --grid to that of two programs which takes it. */
static void share_grid(struct rd_cli_run_options *run, const struct rd_program *other)
{
    if (!run->program->blocks && other && other->blocks)
        run->grid = 0;
}

static enum rd_status open_first(struct subject *subject, struct report_options *report,
                                 struct rd_error *error)
{
    struct rd_cli_run_options run = report->run;
    const struct rd_program *second = report->compare ? rd_program_named(report->compare) : NULL;
    if (run.program) {
        share_grid(&run, second);
        return run_program(subject, &run, error);
    }
    return read_trace(subject, report->trace ? report->trace : report->last, error);
}

/* Advises where the second does not take the options of the first. */
static enum rd_status refuse_second(const struct rd_cli_run_options *second,
                                    const struct rd_history_about *first, const char *why,
                                    struct rd_error *error)
{
    const struct rd_program *program = second->program;
    char both[64] = "";
    if (program->n != first->shape.n &&
        rd_cli_takes(program, &(struct rd_shape){.block = second->block, .grid = second->grid},
                     program->n) &&
        rd_cli_takes(first->program,
                     &(struct rd_shape){.block = second->block, .grid = second->grid}, program->n))
        snprintf(both, sizeof both, "use -n %zu, which both take, or ", program->n);
    return rd_fail(error, RD_ERROR_USAGE,
                   "'--compare' is '%s', which does not run on the n = %zu of '%s' (%.160s): %s"
                   "record it alone, by 'reductio run %s --trace FILE', and compare with FILE",
                   program->name, first->shape.n, first->program->name, why, both, program->name);
}

/* A program that is compared runs on what the first one runs on. */
static enum rd_status open_second(struct subject *subject, const struct subject *first,
                                  struct report_options *report, struct rd_error *error)
{
    if (is_trace(report->compare))
        return read_trace(subject, report->compare, error);
    const struct rd_history_about *about = rd_history_about(first->history);
    struct rd_cli_run_options run = report->run;
    struct rd_error why = {""};
    run.program = rd_cli_program("report", report->compare);
    share_grid(&run, about->program);
    if (!run.n)
        run.n = about->shape.n;
    if (!run.numeric && !run.witness)
        run.numeric = about->numeric;
    if (about->witness)
        run.witness = true;
    else if (!run.values && rd_values_is_generator(about->values))
        run.values = about->values;
    const struct rd_shape shape =
        rd_program_shape(run.program, (struct rd_shape){run.n, run.block, run.grid});
    if (rd_program_accept(run.program, &shape, &why) != RD_OK)
        return refuse_second(&run, about, why.text, error);
    return run_program(subject, &run, error);
}

/* A page or a picture shows whatever a cut trace has; who does not open it yet learns of it here. */
static void warn_of_incomplete(const struct subject *subject, const char *path)
{
    const struct rd_history_about *about =
        subject->history ? rd_history_about(subject->history) : NULL;
    const char *why = about && !*about->result.undefined_by ? about->incomplete : NULL;
    if (why && path && path[0] != '\0')
        rd_cli_complain("note: '%s' tells less than a whole run: %s", path, why);
}

static void subject_finish(struct subject *subject)
{
    rd_history_destroy(subject->history);
    rd_cli_run_setup_finish(&subject->setup);
}

static enum rd_status write_proof(const struct report_options *report, struct rd_report *page,
                                  struct rd_error *error)
{
    const struct rd_program *program = rd_history_about(page->history)->program;
    struct rd_cli_proved proved;
    enum rd_status status = rd_cli_proved_init(&proved, program, error);
    if (status != RD_OK)
        return status;
    struct rd_report_sentence *sentences = calloc(proved.sentences.count + 1, sizeof *sentences);
    for (size_t k = 0; k < proved.sentences.count && sentences; k++) {
        const struct rd_proof_sentence *from = &proved.sentences.list[k];
        sentences[k] = (struct rd_report_sentence){from->topic, from->segment, from->text};
    }
    const struct rd_report_proof proof = {
        .claim = proved.claim,
        .names = proved.sentences.names,
        .count = proved.sentences.count,
        .sentences = sentences,
    };
    page->proof = &proof;
    status = sentences ? rd_report_write(report->output, page, error)
                       : rd_fail(error, RD_ERROR_MEMORY, "no memory for the page");
    page->proof = NULL;
    free(sentences);
    rd_cli_proved_finish(&proved);
    return status;
}

/* The page, with the times of what it shows where they are asked for. */
static enum rd_status write_page(const struct report_options *report, struct subject *first,
                                 struct subject *second, struct rd_error *error)
{
    struct subject *const subjects[] = {first, second};
    const struct rd_run *run = &first->setup.run;
    struct rd_plot_rounds chart = {.repeats = TIMES_REPEATS, .id = "times", .inlined = true};
    struct rd_report page = {
        .size = sizeof page,
        .history = first->history,
        .compare = second->history,
        .sets = first->sets || second->sets,
    };
    enum rd_status status = RD_OK;
    if (!report->times)
        return write_proof(report, &page, error);
    for (size_t k = 0; k < 2 && subjects[k]->history && status == RD_OK; k++) {
        status =
            rd_bench_rounds(&subjects[k]->setup.run, TIMES_REPEATS, &subjects[k]->times, error);
        chart.programs[chart.n_programs] = subjects[k]->setup.run.program;
        chart.results[chart.n_programs++] = &subjects[k]->times;
    }
    if (status != RD_OK)
        return status;
    chart.n = run->n;
    chart.type = run->numeric->name;
    chart.device = run->device->ops->describe(run->device);
    chart.clock = rd_bench_clock(run->device);
    page.times = &chart;
    return write_proof(report, &page, error);
}

static enum rd_status write_report(const struct report_options *report, struct subject *first,
                                   struct subject *second, struct rd_error *error)
{
    struct rd_history *history = first->history;
    if (report->wanted == WANTED_PAGE)
        return write_page(report, first, second, error);
    return rd_report_picture(report->output, history, report->round,
                             report->wanted == WANTED_SVG ? RD_REPORT_SVG : RD_REPORT_PNG, error);
}

int rd_cli_report(int argc, char **argv)
{
    static const struct argp_child children[] = {{.argp = &rd_cli_run_shared_argp}, {0}};
    const struct argp argp = {
        .options = report_options,
        .parser = parse_report,
        .children = children,
        .args_doc = "TRACE|PROGRAM|FILE.cu|--last",
        .doc =
            "Writes a run as one HTML file that goes through its rounds, for a projector or to "
            "hand "
            "out; it loads nothing from the network.\vExit status: 0 written, whatever the run's "
            "verdict, 2 not.",
    };
    static const char *const own[] = {"-o", "--output", "--compare", "--svg", "--png", NULL};
    rd_cli_check_option_of_trace("report", "--compare", argc, argv);
    const bool of_file = rd_cli_names_source(argc, argv);
    if (of_file && !names_output(argc, argv))
        rd_cli_usage("report", "%s", no_output);
    if (of_file)
        argv = rd_cli_trace_file(&argc, argv, own, "");
    struct report_options report = {.output = NULL};
    struct subject first = {.history = NULL}, second = {.history = NULL};
    struct rd_error error = {""};
    rd_cli_run_options_init(&report.run, "report");
    rd_cli_parse(&argp, "reductio report", argc, argv, &report);

    enum rd_status status = open_first(&first, &report, &error);
    if (status == RD_OK && report.compare)
        status = open_second(&second, &first, &report, &error);
    if (status == RD_OK)
        status = write_report(&report, &first, &second, &error);
    if (status == RD_OK) {
        warn_of_incomplete(&first, report.trace ? report.trace : report.last);
        warn_of_incomplete(&second, report.compare);
        if (of_file && strcmp(report.output, "-") != 0) /* the run has printed its own */
            printf("written: %s\n", report.output);
    }
    if (status != RD_OK && !(ferror(stdout) && rd_cli_pipe_is_closed()))
        rd_cli_complain("%s", error.text);
    subject_finish(&second);
    subject_finish(&first);
    return status == RD_OK ? RD_EXIT_HOLDS : RD_EXIT_FAILED;
}
