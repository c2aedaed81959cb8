// SPDX-License-Identifier: MIT
/* Output of the commands: messages, standard output, files of charts. */
#include "cli/cli.h"
#include "view/paint.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
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

/* ---- output ---- */

unsigned rd_cli_width(FILE *file)
{
    enum { WIDTH_MIN = 20, WIDTH_MAX = 400, WIDTH_DEFAULT = 80 };
    struct winsize window;
    uint64_t width = 0;
    const char *columns = getenv("COLUMNS");
    if (ioctl(fileno(file), TIOCGWINSZ, &window) == 0)
        width = window.ws_col;
    if (width == 0 && columns && *rd_cli_read_digits(columns, &width) != '\0')
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

/* Why the first write that failed did, as far as it was one of rd_cli_flush. */
static int write_errno;

void rd_cli_flush(void)
{
    if ((fflush(stdout) != 0 || ferror(stdout)) &&
        write_errno == 0) /* or the write before it failed */
        write_errno = errno;
}

int rd_cli_close_stdout(void)
{
    bool failed = ferror(stdout) != 0, closed = rd_cli_pipe_is_closed();
    errno = write_errno;
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
