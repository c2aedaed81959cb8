// SPDX-License-Identifier: MIT
/* A text may ask which compiler reads it, and whether it is compiled for the device: then what is proved must be what runs. */
#include "prove/syntax/preprocess.h"

#include "check/source/lexer.h"
#include "check/options.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text with line markers: # 12 "file" flags. */
struct reader {
    const struct rd_system_folders *folders;
    const char *at, *directory;
    const char *file; /* with what is behind it in the marker */
    size_t file_length;
    unsigned next_line;
    bool is_compared;
    bool is_of_system;             /* what follows in a file of the program's, by the last marker */
    char path[RD_CHECK_PATH_SIZE]; /* the file, by itself */
    enum rd_status status;         /* of looking into the program's files; RD_OK so far */
    struct rd_error *error;
};

/* Of a line that was read. */
struct line {
    const char *text, *file;
    size_t length, file_length;
    unsigned number;
};

/* The flag 3 in a marker: what follows counts as a system's. What a macro of the system's has made is between two markers of its
 * file, the second without the flag; otherwise the file, or its rest, is meant. */
static bool has_flag_of_system(const char *flags, const char *end)
{
    for (; flags < end; flags++)
        if (*flags == '3')
            return true;
    return false;
}

/* Looks into a file of the program's. */
static void look_into(struct reader *reader)
{
    char *text;
    if (*reader->path == '<') /* <built-in>: of no file */
        return;
    reader->status = rd_check_read_source(reader->path, &text, reader->error);
    if (reader->status != RD_OK)
        return;
    reader->status = rd_preprocess_look(reader->path, text, reader->error);
    free(text);
}

static void refuse_of_system(struct reader *reader)
{
    if (reader->is_of_system && reader->status == RD_OK)
        reader->status = rd_fail(reader->error, RD_ERROR_INPUT,
                                 "%s: a file of the program's that counts as a system's header, by "
                                 "its folder or a pragma",
                                 reader->path);
}

static void begin_file(struct reader *reader)
{
    char path[RD_CHECK_PATH_SIZE];
    snprintf(path, sizeof path, "%.*s", (int)reader->file_length, reader->file);
    if (reader->status != RD_OK || strcmp(path, reader->path) == 0)
        return;
    refuse_of_system(reader);
    if (reader->status != RD_OK)
        return;
    memcpy(reader->path, path, sizeof path);
    /* The prover's own headers lie in its directory. */
    reader->is_compared = strncmp(path, reader->directory, strlen(reader->directory)) != 0 &&
                          !rd_system_folders_have(reader->folders, path);
    if (reader->is_compared)
        look_into(reader);
}

static void pass_marker(struct reader *reader, const char *end)
{
    const char *quote = memchr(reader->at, '"', (size_t)(end - reader->at)), *last = quote;
    for (const char *at = quote; at && at < end; at++)
        if (*at == '"')
            last = at;
    if (!quote || last == quote)
        return;
    reader->next_line = (unsigned)strtoul(reader->at + 2, NULL, 10);
    reader->file = quote + 1;
    reader->file_length = (size_t)(last - quote - 1);
    begin_file(reader);
    reader->is_of_system = reader->is_compared && has_flag_of_system(last + 1, end);
}

static bool is_blank(const char *from, const char *to)
{
    while (from < to && isspace((unsigned char)*from))
        from++;
    return from == to;
}

/* Finds the next line that isn't blank, of the program's own files; false at the end. */
static bool read_line(struct reader *reader, struct line *line)
{
    while (*reader->at) {
        const char *from = reader->at, *end = strchr(from, '\n');
        if (!end)
            end = from + strlen(from);
        if (from[0] == '#' && from[1] == ' ' && isdigit((unsigned char)from[2])) {
            pass_marker(reader, end);
        } else {
            *line = (struct line){.text = from,
                                  .length = (size_t)(end - from),
                                  .file = reader->file,
                                  .file_length = reader->file_length,
                                  .number = reader->next_line++};
        }
        reader->at = *end ? end + 1 : end;
        if (line->text == from && reader->is_compared && !is_blank(from, end))
            return true;
    }
    refuse_of_system(reader);
    *line = (struct line){0};
    return false;
}

static bool is_same(const struct line *x, const struct line *y)
{
    return x->number == y->number && x->length == y->length && x->file_length == y->file_length &&
           memcmp(x->file, y->file, x->file_length) == 0 &&
           memcmp(x->text, y->text, x->length) == 0;
}

static enum rd_status compare(const struct rd_system_folders *folders,
                              const struct rd_preprocessed *x, const struct rd_preprocessed *y,
                              struct rd_error *error)
{
    struct reader readers[2] = {
        {.folders = folders, .at = x->text, .directory = x->directory, .file = "", .error = error},
        {.folders = folders, .at = y->text, .directory = y->directory, .file = "", .error = error}};
    struct line lines[2] = {{0}};
    for (;;) {
        const bool has_line = read_line(&readers[0], &lines[0]),
                   has_other = read_line(&readers[1], &lines[1]);
        for (unsigned k = 0; k < 2; k++)
            if (readers[k].status != RD_OK)
                return readers[k].status;
        if (!has_line && !has_other)
            return RD_OK;
        if (has_line && has_other && is_same(&lines[0], &lines[1]))
            continue;
        const struct line *first =
            !has_line || (has_other && lines[1].number < lines[0].number) ? &lines[1] : &lines[0];
        return rd_fail(error, RD_ERROR_INPUT,
                       "%.*s:%u: code that differs by a macro of the compiler's own, such as "
                       "__CUDA_ARCH__",
                       (int)first->file_length, first->file, first->number);
    }
}

enum rd_status rd_preprocess_compare(const struct rd_preprocess *what,
                                     const struct rd_preprocessed *by_clang, struct rd_error *error)
{
    static const enum rd_preprocess_as others[] = {RD_PREPROCESS_HOST, RD_PREPROCESS_DEVICE};
    struct rd_system_folders folders;
    enum rd_status status = rd_system_folders_init(&folders, error);
    for (unsigned k = 0; k < 2 && status == RD_OK; k++) {
        struct rd_preprocess other = *what;
        struct rd_preprocessed made;
        other.as = others[k];
        status = rd_preprocess(&other, &made, error);
        if (status != RD_OK)
            break;
        status = compare(&folders, by_clang, &made, error);
        free(made.text);
    }
    rd_system_folders_finish(&folders);
    return status;
}
