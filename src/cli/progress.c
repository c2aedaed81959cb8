// SPDX-License-Identifier: MIT
#include "cli/progress.h"
#include "cli/cli.h"

#include <stdarg.h>
#include <stdlib.h>
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
        rd_cli_progress_show(progress, "working out what the array must be");
        break;
    case RD_ACTIVITY_SIMULATING:
        rd_cli_progress_show(progress, "looking for hazards, in the simulator");
        break;
    case RD_ACTIVITY_COPYING:
        rd_cli_progress_show(progress, "copying to the device");
        break;
    case RD_ACTIVITY_LAUNCHING:
        rd_cli_progress_show(progress, "%s: running", what);
        break;
    case RD_ACTIVITY_ASSERTING:
        rd_cli_progress_show(progress, "%s: copying back and asserting", what);
        break;
    }
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

void rd_cli_progress_init(struct rd_cli_progress *progress, size_t n_elems)
{
    const char *term = getenv("TERM");
    *progress = (struct rd_cli_progress){
        .progress = {.self = progress, .tell = tell},
        .observer = {.self = progress,
                     .begin = clear_for_begin,
                     .step = clear_for_step,
                     .hazard = clear_for_hazard,
                     .end = clear_for_end},
        .on = n_elems >= RD_CLI_PROGRESS_MIN && isatty(STDERR_FILENO) && term &&
              strcmp(term, "dumb") != 0,
    };
}
