// SPDX-License-Identifier: MIT
#include "cli/cli.h"
#include "base/spelling.h"
#include "view/paint.h"
#include "reductio/program.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- SVG files ---- */

static enum rd_status fail(const char *path, int reason, struct rd_error *error)
{
    return rd_fail(error, RD_ERROR_IO, "the chart '%s' can't be written: %s", path,
                   strerror(reason ? reason : EIO));
}

enum rd_status rd_cli_svg_open(struct rd_cli_svg *svg, const char *path, struct rd_error *error)
{
    *svg = (struct rd_cli_svg){.path = path};
    if (!path)
        return RD_OK;
    if (strcmp(path, "-") == 0)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'--svg' is '-', and the figures go to standard output: name a file");
    if (*path == '\0')
        return rd_fail(error, RD_ERROR_USAGE, "'--svg' is '': name a file");
    errno = 0;
    svg->file = fopen(path, "w");
    return svg->file ? RD_OK : fail(path, errno, error);
}

enum rd_status rd_cli_svg_close(struct rd_cli_svg *svg, enum rd_status status,
                                struct rd_error *error)
{
    struct stat about;
    if (!svg->file)
        return status;
    bool is_file = fstat(fileno(svg->file), &about) == 0 && S_ISREG(about.st_mode);
    errno = 0;
    bool failed = fflush(svg->file) != 0 || ferror(svg->file);
    int reason = errno;
    if (fclose(svg->file) != 0 && !failed) {
        failed = true;
        reason = errno;
    }
    svg->file = NULL;
    if (failed && status == RD_OK)
        status = fail(svg->path, reason, error);
    if (status != RD_OK && is_file)
        unlink(svg->path);
    return status;
}

/* ---- suggestions ---- */

/* Suggests a program or an option for an unknown word of the command line. */

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

/* ---- progress ---- */

/* To the first column, and the rest of the line is gone. */
static const char blank_line[] = "\r\033[K";

void rd_cli_progress_clear(struct rd_cli_progress *progress)
{
    if (!progress->shown)
        return;
    fputs(blank_line, stderr);
    fflush(stderr);
    progress->shown = false;
}

void rd_cli_progress_show(struct rd_cli_progress *progress, const char *format, ...)
{
    char text[256];
    va_list arguments;
    if (!progress->on)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fflush(stdout); /* it may be the same terminal */
    fprintf(stderr, "%s%.*s", blank_line, (int)rd_cli_width(stderr) - 1, text);
    fflush(stderr);
    progress->shown = true;
}

static void tell(void *self, enum rd_activity activity, unsigned round, unsigned rounds)
{
    struct rd_cli_progress *progress = self;
    char what[64] = "before the first round";
    if (round > 0)
        snprintf(what, sizeof what, "round %u of %u", round, rounds);
    switch (activity) {
    case RD_ACTIVITY_PREPARING:
        rd_cli_progress_show(progress, "%sworking out what the array must be", progress->pass);
        break;
    case RD_ACTIVITY_SIMULATING:
        rd_cli_progress_show(progress, "%slooking for hazards, in the simulator", progress->pass);
        break;
    case RD_ACTIVITY_COPYING:
        rd_cli_progress_show(progress, "%scopying to the device", progress->pass);
        break;
    case RD_ACTIVITY_LAUNCHING:
        rd_cli_progress_show(progress, "%s%s: running", progress->pass, what);
        break;
    case RD_ACTIVITY_ASSERTING:
        rd_cli_progress_show(progress, "%s%s: copying back and asserting", progress->pass, what);
        break;
    }
}

static void tell_pass(void *self, const char *values, size_t pass, size_t passes)
{
    struct rd_cli_progress *progress = self;
    progress->pass[0] = '\0';
    if (values)
        snprintf(progress->pass, sizeof progress->pass, "pass %zu of %zu %s: ", pass, passes,
                 values);
}

static enum rd_status clear_for_step(void *self, const struct rd_run *run,
                                     const struct rd_step *step, struct rd_error *error)
{
    (void)run, (void)step, (void)error;
    rd_cli_progress_clear(self);
    return RD_OK;
}

static enum rd_status clear_for_hazard(void *self, const struct rd_run *run,
                                       const struct rd_hazard *hazard, struct rd_error *error)
{
    (void)run, (void)hazard, (void)error;
    rd_cli_progress_clear(self);
    return RD_OK;
}

static enum rd_status clear_for_end(void *self, const struct rd_run *run,
                                    const struct rd_result *result, struct rd_error *error)
{
    (void)run, (void)result, (void)error;
    rd_cli_progress_clear(self);
    return RD_OK;
}

static enum rd_status clear_for_begin(void *self, const struct rd_run *run, struct rd_error *error)
{
    (void)run, (void)error;
    rd_cli_progress_clear(self);
    return RD_OK;
}

void rd_cli_progress_init_always(struct rd_cli_progress *progress)
{
    const char *term = getenv("TERM");
    *progress = (struct rd_cli_progress){
        .progress = {.self = progress, .tell = tell, .pass = tell_pass},
        .observer = {.self = progress,
                     .begin = clear_for_begin,
                     .step = clear_for_step,
                     .hazard = clear_for_hazard,
                     .end = clear_for_end},
        .on = isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0,
    };
}

void rd_cli_progress_init(struct rd_cli_progress *progress, size_t n_elems)
{
    rd_cli_progress_init_always(progress);
    progress->on = progress->on && n_elems >= RD_CLI_PROGRESS_MIN;
}

/* ---- the last run's trace ---- */

/* The trace ends here, unfinished: on a full disk it may end in the middle of a line. */
static void give_up(struct rd_cli_last *last)
{
    char part[RD_CLI_LAST_PATH_SIZE + sizeof ".part"];
    rd_trace_writer_close(last->writer, NULL);
    last->writer = NULL;
    snprintf(part, sizeof part, "%s.part", last->own);
    unlink(part);
    unlink(last->own);
}

/* The observer that events are passed on to; NULL where the trace has ended. */
static const struct rd_observer *target(const struct rd_cli_last *last)
{
    return last->writer && !last->full ? rd_trace_writer_observer(last->writer) : NULL;
}

/* Keeps the status of an event that was passed on. The run is told that all is well. */
static enum rd_status passed_on(struct rd_cli_last *last, enum rd_status status)
{
    if (status != RD_OK)
        give_up(last);
    else
        last->full = rd_trace_writer_bytes(last->writer) > RD_CLI_LAST_BYTES;
    return RD_OK;
}

static enum rd_status on_begin(void *self, const struct rd_run *run, struct rd_error *unused)
{
    const struct rd_observer *to = target(self);
    (void)unused;
    return to ? passed_on(self, to->begin(to->self, run, NULL)) : RD_OK;
}

static enum rd_status on_step(void *self, const struct rd_run *run, const struct rd_step *step,
                              struct rd_error *unused)
{
    const struct rd_observer *to = target(self);
    (void)unused;
    return to ? passed_on(self, to->step(to->self, run, step, NULL)) : RD_OK;
}

static enum rd_status on_hazard(void *self, const struct rd_run *run,
                                const struct rd_hazard *hazard, struct rd_error *unused)
{
    const struct rd_observer *to = target(self);
    (void)unused;
    return to ? passed_on(self, to->hazard(to->self, run, hazard, NULL)) : RD_OK;
}

static enum rd_status on_end(void *self, const struct rd_run *run, const struct rd_result *result,
                             struct rd_error *unused)
{
    const struct rd_observer *to = target(self);
    (void)unused;
    return to ? passed_on(self, to->end(to->self, run, result, NULL)) : RD_OK;
}

/* Removes what runs that were killed have left. The part of a run that goes on is locked. */
static void sweep(const char *path)
{
    char folder[RD_CLI_LAST_PATH_SIZE];
    const char *name = strrchr(path, '/') + 1;
    snprintf(folder, sizeof folder, "%.*s", (int)(name - path), path);
    DIR *entries = opendir(folder);
    /* readdir_r is deprecated, and only this thread reads this folder. */
    // cppcheck-suppress readdirCalled
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        size_t length = strlen(name);
        const char *end = strrchr(entry->d_name, '.');
        if (strncmp(entry->d_name, name, length) != 0 || entry->d_name[length] != '.' ||
            strcmp(end, ".part") != 0 || end == entry->d_name + length)
            continue;
        int part = openat(dirfd(entries), entry->d_name, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
        if (part >= 0 && flock(part, LOCK_EX | LOCK_NB) == 0)
            unlinkat(dirfd(entries), entry->d_name, 0);
        if (part >= 0)
            close(part);
    }
    if (entries)
        closedir(entries);
}

void rd_cli_last_init(struct rd_cli_last *last, size_t cells)
{
    *last = (struct rd_cli_last){
        .observer =
            {.self = last, .begin = on_begin, .step = on_step, .hazard = on_hazard, .end = on_end},
    };
    if (rd_trace_last_path(last->path, sizeof last->path, true, NULL) != RD_OK)
        return;
    sweep(last->path);
    /* A name of its own: of two runs at once, each has its trace, and the last to end is the last
     * run. */
    int length = snprintf(last->own, sizeof last->own, "%s.%ld", last->path, (long)getpid());
    if (length < 0 || (size_t)length >= sizeof last->own ||
        rd_trace_writer_open(&last->writer, last->own, cells, NULL) != RD_OK)
        last->writer = NULL;
}

void rd_cli_last_finish(struct rd_cli_last *last)
{
    struct rd_trace_writer *writer = last->writer;
    if (!writer)
        return;
    last->writer = NULL;
    if (rd_trace_writer_close(writer, NULL) != RD_OK || rename(last->own, last->path) != 0) {
        unlink(last->own);
        return;
    }
    if (last->full)
        rd_cli_complain("note: the trace of this run was too long to keep as the last, and ends at "
                        "%u MiB: --trace FILE keeps all of it",
                        (unsigned)(RD_CLI_LAST_BYTES >> 20));
}

/* ---- messages ---- */

/* ---- messages ---- */

static bool complained;

void rd_cli_print_line(FILE *file, const char *text)
{
    enum { INDENT = 4 };
    const struct rd_paint paint = {.out = file, .width = rd_cli_width(file)};
    if (isatty(fileno(file)) && strlen(text) > paint.width)
        rd_paint_hang(&paint, RD_INK_PLAIN, INDENT, text);
    else
        fprintf(file, "%s\n", text);
}

static void complain(const char *format, va_list arguments)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    complained = true;
    fflush(stdout);
    if (out) {
        fputs("reductio: ", out);
        vfprintf(out, format, arguments);
        fclose(out);
    }
    for (char *rest = text, *line; (line = strsep(&rest, "\n"));)
        rd_cli_print_line(stderr, line);
    free(text);
}

void rd_cli_complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain(format, arguments);
    va_end(arguments);
}

void rd_cli_usage(const char *subcommand, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain(format, arguments);
    va_end(arguments);
    fprintf(stderr, "Try 'reductio %s%s--help'.\n", subcommand ? subcommand : "",
            subcommand ? " " : "");
    exit(RD_EXIT_FAILED);
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

/* Reads decimal digits, and no sign or space; saturates. Returns the end. */
static const char *read_digits(const char *text, uint64_t *number)
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
    const char *end = read_digits(text, &number);
    unsigned shift = end > text ? shift_of_suffix(*end) : 0;
    if (shift > 0)
        end++;
    if (number == 2 && shift == 0 && *end == '^' && isdigit((unsigned char)end[1])) {
        end = read_digits(end + 1, &exponent);
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

/* ---- output ---- */

unsigned rd_cli_width(FILE *file)
{
    enum { WIDTH_MIN = 20, WIDTH_MAX = 400, WIDTH_DEFAULT = 80 };
    struct winsize window;
    uint64_t width = 0;
    const char *columns = getenv("COLUMNS");
    if (ioctl(fileno(file), TIOCGWINSZ, &window) == 0)
        width = window.ws_col;
    if (width == 0 && columns && *read_digits(columns, &width) != '\0')
        width = 0;
    if (width == 0)
        return WIDTH_DEFAULT;
    return (unsigned)(width < WIDTH_MIN ? WIDTH_MIN : width > WIDTH_MAX ? WIDTH_MAX : width);
}

bool rd_cli_pipe_is_closed(void)
{
    struct pollfd descriptor = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&descriptor, 1, 0) == 1 && (descriptor.revents & POLLERR);
}

int rd_cli_close_stdout(void)
{
    bool failed = ferror(stdout) != 0, closed = rd_cli_pipe_is_closed();
    errno = 0;
    if (fclose(stdout) == 0 && !failed)
        return RD_EXIT_HOLDS;
    if (closed || errno == EPIPE)
        return RD_EXIT_PIPE;
    if (!failed || !complained) /* otherwise it has been said */
        fprintf(stderr, "reductio: the output can't be written: %s\n",
                errno ? strerror(errno) : "an earlier write failed");
    return RD_EXIT_FAILED;
}

int rd_cli_exit_status(enum rd_verdict verdict)
{
    switch (verdict) {
    case RD_HOLDS:
        return RD_EXIT_HOLDS;
    case RD_VIOLATED:
        return RD_EXIT_VIOLATED;
    case RD_INCONCLUSIVE:
        break;
    }
    return RD_EXIT_INCONCLUSIVE;
}
