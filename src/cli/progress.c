// SPDX-License-Identifier: MIT
/* Shows the progress of a long run in one line on the terminal. */
#include "cli/cli.h"

#include <stdarg.h>
#include <string.h>
#include <unistd.h>

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
