// SPDX-License-Identifier: MIT
#include "view/step/script.h"
#include "law/place.h"
#include "view/step/commands.h"
#include "view/step/draw.h"

#include <errno.h>
#include <string.h>

enum { SCREEN_MAX = 1000, LINE_SIZE = 512 };

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
    char columns[8], lines[8], tail;
    uint64_t width, height;
    if (strncmp(line, "size", 4) != 0 || (line[4] != ' ' && line[4] != '\0'))
        return false;
    if (sscanf(line + 4, "%7s %7s %c", columns, lines, &tail) != 2 ||
        !rd_step_number(columns, &width) || !rd_step_number(lines, &height) || width < 1 ||
        height < 1 || width > SCREEN_MAX || height > SCREEN_MAX) {
        *status =
            rd_fail(error, RD_ERROR_USAGE,
                    "'%s' is no size: write size COLUMNS LINES, each 1 to %d", line, SCREEN_MAX);
        return true;
    }
    script->width = (unsigned)width;
    script->height = (unsigned)height;
    return true;
}

/* Plays to where it stops, and prints each screen. */
static enum rd_status play(const struct rd_step_script *script, struct rd_stepper *stepper,
                           struct rd_error *error)
{
    enum rd_status status = RD_OK;
    while (status == RD_OK && stepper->playing) {
        status = rd_stepper_play_on(stepper, error);
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

/* ---- lines ---- */

/* A line of the file without its comment, its end and the spaces around. */
struct line {
    char text[LINE_SIZE];
    size_t length;
    size_t indent; /* bytes in front of it */
    unsigned number;
    bool in_comment;
};

static enum rd_status add(struct line *line, int character, struct rd_error *error)
{
    line->in_comment |= character == '#';
    if (character == '\0')
        return rd_fail(error, RD_ERROR_USAGE, "a NUL byte is in it: a script is a text file");
    if (line->in_comment)
        return RD_OK;
    if (line->length == 0 && (character == ' ' || character == '\t')) {
        line->indent++;
        return RD_OK;
    }
    if ((character < ' ' && character != '\t') || character == 127)
        return rd_fail(error, RD_ERROR_USAGE,
                       "the control character 0x%02x is in it: write keys by name, as Enter or Esc",
                       (unsigned)character);
    if (line->length + 1 == sizeof line->text)
        return rd_fail(error, RD_ERROR_USAGE, "the line is too long: at most %d characters",
                       LINE_SIZE - 1);
    line->text[line->length++] = (char)character;
    return RD_OK;
}

/* Some editors put this mark at the beginning of a text. */
static void skip_mark(struct line *line)
{
    static const char mark[] = "\xef\xbb\xbf";
    size_t length = sizeof mark - 1;
    if (line->number != 1 || line->length < length || memcmp(line->text, mark, length) != 0)
        return;
    line->length -= length;
    memmove(line->text, line->text + length, line->length);
}

/* Reads a line that ends with "\n", "\r\n" or the file. `more` is false behind the last one. */
static enum rd_status read_line(FILE *in, struct line *line, bool *more, struct rd_error *error)
{
    enum rd_status status = RD_OK;
    int character = getc(in);
    line->length = line->indent = 0;
    line->number++;
    line->in_comment = false;
    *more = character != EOF;
    for (; character != EOF && character != '\n' && status == RD_OK; character = getc(in)) {
        if (character == '\r') { /* of "\r\n" */
            int next = getc(in);
            if (next == '\n')
                break;
            ungetc(next, in);
        }
        status = add(line, character, error);
    }
    skip_mark(line);
    while (line->length > 0 && strchr(" \t", line->text[line->length - 1]))
        line->length--;
    line->text[line->length] = '\0';
    return status;
}

/* `column`: in the line's text, from 1 on; 0 where the whole line is wrong. */
static void fail_at(const struct rd_step_script *script, const struct line *line, size_t column,
                    const struct rd_error *reason, struct rd_error *error)
{
    const struct rd_law_error place = {.line = line->number,
                                       .column = column > 0 ? line->indent + column : 0};
    char text[RD_LAW_PLACE_SIZE];
    rd_fail(error, RD_ERROR_USAGE, "%s: %s", rd_law_place(text, script->name, &place),
            reason->text);
}

enum rd_status rd_step_script_run(const struct rd_step_script *script, struct rd_stepper *stepper,
                                  struct rd_error *error)
{
    struct rd_step_script own = *script;
    struct rd_error reason = {""};
    struct line line = {.number = 0};
    enum rd_status status = print(&own, stepper, error);
    for (bool more = true; status == RD_OK && !stepper->quit;) {
        status = read_line(own.in, &line, &more, &reason);
        if (!more)
            break;
        if (status == RD_OK && line.length > 0)
            status = take(&own, stepper, line.text, &reason);
        if (status != RD_OK)
            fail_at(&own, &line, stepper->mistake_column, &reason, error);
    }
    if (status == RD_OK && ferror(own.in))
        status = rd_fail(error, RD_ERROR_IO, "'%s' can't be read: %s", own.name, strerror(errno));
    return status;
}
