// SPDX-License-Identifier: MIT
/* From keys and lines of a script to commands. */
#include "base/spelling.h"
#include "view/step/commands.h"

#include <stdio.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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

/* Whether a key of several letters begins with these. */
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
