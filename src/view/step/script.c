// SPDX-License-Identifier: MIT
#include "view/step/script.h"
#include "view/step/draw.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SCREEN_MAX = 1000 };

static enum rd_status print(const struct rd_step_script *script, struct rd_stepper *stepper,
                            struct rd_error *error)
{
    struct rd_canvas canvas;
    enum rd_status status =
        rd_canvas_init(&canvas, script->width, script->height, script->ascii, error);
    if (status != RD_OK)
        return status;
    rd_step_draw(stepper, &canvas, NULL);
    rd_canvas_write(&canvas, script->out);
    rd_canvas_finish(&canvas);
    fflush(script->out);
    return ferror(script->out) ? rd_fail(error, RD_ERROR_IO, "the output can't be written") : RD_OK;
}

/* "size 100 30": of the screen, which a script has to itself. */
static bool take_size(const char *line, struct rd_step_script *script, enum rd_status *status,
                      struct rd_error *error)
{
    unsigned width, height;
    char tail;
    if (strncmp(line, "size", 4) != 0 || (line[4] != ' ' && line[4] != '\0'))
        return false;
    if (sscanf(line + 4, "%u %u %c", &width, &height, &tail) != 2 || width < 1 || height < 1 ||
        width > SCREEN_MAX || height > SCREEN_MAX) {
        *status =
            rd_fail(error, RD_ERROR_USAGE,
                    "'%s' is no size: write size COLUMNS LINES, each 1 to %d", line, SCREEN_MAX);
        return true;
    }
    script->width = width;
    script->height = height;
    return true;
}

/* Plays to the end, and prints each screen. */
static enum rd_status play(const struct rd_step_script *script, struct rd_stepper *stepper,
                           struct rd_error *error)
{
    enum rd_status status = RD_OK;
    while (status == RD_OK && stepper->playing) {
        status = rd_stepper_do(stepper, "next", error);
        if (status == RD_OK)
            status = print(script, stepper, error);
        if (stepper->frame + 1 == rd_history_frames(stepper->history))
            stepper->playing = false;
    }
    return status;
}

static enum rd_status take(struct rd_step_script *script, struct rd_stepper *stepper,
                           const char *line, struct rd_error *error)
{
    enum rd_status status = RD_OK;
    fprintf(script->out, "\n> %s\n", line);
    if (!take_size(line, script, &status, error))
        status = rd_stepper_do(stepper, line, error);
    if (status == RD_OK && stepper->playing)
        return play(script, stepper, error);
    return status == RD_OK && !stepper->quit ? print(script, stepper, error) : status;
}

/* Cuts the comment and the spaces around. */
static char *strip(char *line)
{
    char *start = line + strspn(line, " \t");
    start[strcspn(start, "#\r\n")] = '\0';
    size_t length = strlen(start);
    while (length > 0 && (start[length - 1] == ' ' || start[length - 1] == '\t'))
        start[--length] = '\0';
    return start;
}

enum rd_status rd_step_script_run(const struct rd_step_script *script, struct rd_stepper *stepper,
                                  struct rd_error *error)
{
    struct rd_step_script own = *script;
    struct rd_error reason = {""};
    char *line = NULL;
    size_t size = 0;
    enum rd_status status = print(&own, stepper, error);
    for (unsigned number = 1; status == RD_OK && !stepper->quit; number++) {
        if (getline(&line, &size, own.in) < 0)
            break;
        const char *command = strip(line);
        if (*command == '\0')
            continue;
        status = take(&own, stepper, command, &reason);
        if (status != RD_OK)
            rd_fail(error, status, "%s:%u: %s", own.name, number, reason.text);
    }
    if (status == RD_OK && ferror(own.in))
        status = rd_fail(error, RD_ERROR_IO, "'%s' can't be read: %s", own.name, strerror(errno));
    free(line);
    return status;
}
