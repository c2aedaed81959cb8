// SPDX-License-Identifier: MIT
#include "cli/cli.h"
#include "base/spelling.h"
#include "view/paint.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

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
    const char *nearest = rd_nearest(name, rd_format_names);
    if (nearest)
        rd_cli_usage(subcommand, "'--format' is '%s': did you mean '%s'?", name, nearest);
    rd_cli_usage(subcommand, "'--format' is '%s': use text, json, tap, junit or sarif", name);
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
