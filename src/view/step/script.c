// SPDX-License-Identifier: MIT
/* Keys, and scripts of commands. */
#include "law/error.h"
#include "base/spelling.h"
#include "view/step/commands.h"
#include "view/step/stepper.h"
#include "view/step/draw.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- keys and lines ---- */

/* From keys and lines of a script to commands. */

const struct rd_step_command *rd_step_command_of_key(const char *key)
{
    for (const struct rd_step_command *command = rd_step_commands; command->name; command++)
        for (size_t k = 0; command->keys[k]; k++)
            if (strcmp(command->keys[k], key) == 0)
                return command;
    return NULL;
}

const struct rd_step_command *rd_step_command_named(const char *name)
{
    for (const struct rd_step_command *command = rd_step_commands; command->name; command++)
        if (strcmp(command->name, name) == 0)
            return command;
    return NULL;
}

static bool is_round(const char *word)
{
    size_t digits = strspn(word, "0123456789");
    return digits > 0 && strcmp(word + digits, "g") == 0;
}

/* "/5" is "/" and "5". */
static size_t length_of_word(const char *line)
{
    size_t length = strcspn(line, " \t");
    return (line[0] == '/' || line[0] == '=') && length > 1 ? 1 : length;
}

static enum rd_status no_command(const char *word, struct rd_error *error)
{
    enum { NAMES_MAX = 64 };
    const char *names[NAMES_MAX + 1] = {NULL};
    for (size_t k = 0; k < NAMES_MAX && rd_step_commands[k].name; k++)
        names[k] = rd_step_commands[k].name;
    const char *nearest = rd_nearest(word, names);
    if (nearest)
        return rd_fail(error, RD_ERROR_USAGE, "'%s' is no command: did you mean '%s'?", word,
                       nearest);
    return rd_fail(error, RD_ERROR_USAGE, "'%s' is no command: 'help' and the man page list them",
                   word);
}

static enum rd_status act(struct rd_stepper *stepper, const struct rd_step_command *command,
                          const char *argument, struct rd_error *error)
{
    bool needs = command->argument && command->argument[0] != '[';
    enum rd_status status = command->accept ? command->accept(stepper, error) : RD_OK;
    if (status != RD_OK)
        return status;
    if (needs && *argument == '\0')
        return rd_fail(error, RD_ERROR_USAGE, "'%s' is incomplete: write %s %s", command->name,
                       command->name, command->argument);
    if (!command->argument && *argument != '\0')
        return rd_fail(error, RD_ERROR_USAGE, "'%s' is too much: '%s' stands alone", argument,
                       command->name);
    stepper->message[0] = '\0';
    return command->act(stepper, argument, error);
}

enum rd_status rd_stepper_do(struct rd_stepper *stepper, const char *line, struct rd_error *error)
{
    char copy[512], word[64];
    const char *const whole = line;
    stepper->mistake_column = 0;
    line += strspn(line, " \t");
    size_t length = strcspn(line, "\r\n");
    while (length > 0 && isspace((unsigned char)line[length - 1]))
        length--;
    if (length >= sizeof copy)
        return rd_fail(error, RD_ERROR_USAGE, "the line is too long: at most %zu characters",
                       sizeof copy - 1);
    memcpy(copy, line, length);
    copy[length] = '\0';
    size_t first = length_of_word(copy);
    snprintf(word, sizeof word, "%.*s", (int)first, copy);
    const char *argument = copy + first + strspn(copy + first, " \t");
    if (is_round(word)) {
        word[strlen(word) - 1] = '\0';
        return act(stepper, rd_step_command_named("round"), word, error);
    }
    const struct rd_step_command *command = rd_step_command_named(word);
    if (!command)
        command = rd_step_command_of_key(word);
    if (!command)
        return no_command(word, error);
    enum rd_status status = act(stepper, command, argument, error);
    if (stepper->mistake_column > 0)
        stepper->mistake_column += (size_t)(line - whole) + (size_t)(argument - copy);
    return status;
}

/* Tells whether a key of several letters begins with these. */
static bool begins_key(const char *letters)
{
    size_t length = strlen(letters);
    for (const struct rd_step_command *command = rd_step_commands; command->name; command++)
        for (size_t k = 0; command->keys[k]; k++)
            if (islower((unsigned char)command->keys[k][0]) && strlen(command->keys[k]) > length &&
                strncmp(command->keys[k], letters, length) == 0)
                return true;
    return false;
}

void rd_stepper_key(struct rd_stepper *stepper, struct rd_step_keys *keys, const char *key,
                    const struct rd_step_command **prompt)
{
    char word[sizeof keys->pending + 16];
    struct rd_error error;
    bool digits = isdigit((unsigned char)keys->pending[0]);
    bool digit = isdigit((unsigned char)key[0]) && key[1] == '\0';
    *prompt = NULL;
    stepper->message[0] = '\0';
    if ((digit && (keys->pending[0] == '\0' || digits)) ||
        (keys->pending[0] == '\0' && !rd_step_command_of_key(key) && begins_key(key))) {
        size_t length = strlen(keys->pending);
        snprintf(keys->pending + length, sizeof keys->pending - length, "%s", key);
        rd_stepper_say(stepper, digits || digit ? "%s: then g goes to that round" : "%s",
                       keys->pending);
        return;
    }
    if (digits && strcmp(key, "g") != 0)
        keys->pending[0] = '\0';
    snprintf(word, sizeof word, "%s%s", keys->pending, key);
    keys->pending[0] = '\0';
    const struct rd_step_command *command = rd_step_command_of_key(word);
    if (command && command->prompt && !is_round(word)) {
        if (command->accept && command->accept(stepper, &error) != RD_OK)
            rd_stepper_say(stepper, "%s", error.text);
        else
            *prompt = command;
    } else if (!command && !is_round(word))
        rd_stepper_say(stepper, "%s does nothing: ? shows the keys", word);
    else if (rd_stepper_do(stepper, word, &error) != RD_OK)
        rd_stepper_say(stepper, "%s", error.text);
}

char *rd_step_help_text(void)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (const struct rd_step_command *command = rd_step_commands; command->name; command++) {
        char keys[64] = "", name[64];
        for (size_t k = 0; command->keys[k]; k++) {
            size_t length = strlen(keys);
            snprintf(keys + length, sizeof keys - length, "%s%s", k > 0 ? " " : "",
                     command->keys[k]);
        }
        snprintf(name, sizeof name, "%s%s%s", command->name, command->argument ? " " : "",
                 command->argument ? command->argument : "");
        fprintf(out, "%-13s %-18s %s\n", keys, name, command->help);
    }
    fprintf(out, "\nboxes: solid live, dotted dead, * changed, ! wrong, [ ] the selected cell\n"
                 "       ? not known, · not changed, or nothing is claimed of it\n"
                 "strip: █ live and changed, ▒ live, * dead and changed, · dead, ! wrong\n"
                 "law:   what your law says of each cell; ≠ the cell holds something else\n");
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* ---- scripts ---- */

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

/* Reads a line of the file, without its comment, its end and the spaces around. */
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
    char text[RD_LAW_ERROR_PLACE_SIZE];
    rd_fail(error, RD_ERROR_USAGE, "%s: %s", rd_law_error_place(text, script->name, &place),
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
