// SPDX-License-Identifier: MIT
/* A law as its author gives it: its text, or the file that holds it. */
#include "reductio/law.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rd_law_blank_comments(char *text)
{
    for (char *at = text; (at = strchr(at, '#')) != NULL;)
        for (; *at && *at != '\n'; at++)
            *at = ' ';
}

static enum rd_status read_file(const char *path, char **text, struct rd_error *error)
{
    char *read = malloc(RD_LAW_LENGTH_MAX + 2);
    FILE *file = fopen(path, "r");
    const size_t length = file && read ? fread(read, 1, RD_LAW_LENGTH_MAX + 1, file) : 0;
    bool is_text = file && read && !ferror(file);
    if (file)
        fclose(file);
    if (is_text) {
        read[length] = '\0';
        is_text = strlen(read) == length; /* a NUL would cut it without a word */
    }
    if (!is_text) {
        free(read);
        return rd_fail(error, RD_ERROR_INPUT, "'@%.100s' is no file of text that can be read",
                       path);
    }
    rd_law_blank_comments(read);
    *text = read;
    return RD_OK;
}

enum rd_status rd_law_given_text(const char *given, char **text, struct rd_error *error)
{
    if (given[0] == '@')
        return read_file(given + 1, text, error);
    char *copy = strdup(given);
    if (!copy)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for a law");
    *text = copy;
    return RD_OK;
}
