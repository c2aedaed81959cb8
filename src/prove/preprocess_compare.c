// SPDX-License-Identifier: MIT
/* A text may ask which compiler reads it, and whether it is compiled for the device: then what is proved must be what runs. */
#include "prove/preprocess.h"

#include "check/check_internal.h"
#include "check/compiler.h"
#include "check/lexer.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts that say of themselves where they come from ---- */

/* Behind what may stand between the parts of a directive: blanks, lines that go on, and comments. */
static const char *pass_blanks(const char *at)
{
    for (;;) {
        if (*at != '\n' && isspace((unsigned char)*at)) {
            at++;
        } else if (at[0] == '\\' && (at[1] == '\n' || (at[1] == '\r' && at[2] == '\n'))) {
            at += at[1] == '\n' ? 2 : 3;
        } else if (at[0] == '/' && at[1] == '*') {
            const char *end = strstr(at + 2, "*/");
            at = end ? end + 2 : at + strlen(at);
        } else {
            return at;
        }
    }
}

/* Tells whether a directive may begin there: at the start of a line, or behind a comment. */
static bool begins_directive(const char *text, const char *at)
{
    while (at > text && at[-1] != '\n' && isspace((unsigned char)at[-1]))
        at--;
    return at == text || at[-1] == '\n' || (at - text >= 2 && at[-2] == '*' && at[-1] == '/');
}

/* The length of a # that begins there; 0: none does. */
static size_t sign_length(const char *at)
{
    if (*at == '#')
        return 1;
    if (strncmp(at, "%:", 2) == 0)
        return 2;
    return strncmp(at, "\?\?=", 3) == 0 ? 3 : 0;
}

/* The line of the first directive # 12 "file" or #line; also of one in a comment, for a text can be made to look like one.
 * 0: there is none. */
static unsigned find_line_directive(const char *text)
{
    unsigned line = 1;
    for (const char *at = text; *at; at++) {
        const size_t length = sign_length(at);
        line += *at == '\n';
        if (length == 0 || !begins_directive(text, at))
            continue;
        const char *word = pass_blanks(at + length);
        if (isdigit((unsigned char)*word) ||
            (strncmp(word, "line", 4) == 0 && !rd_lexer_is_letter(word[4])))
            return line;
    }
    return 0;
}

static enum rd_status look_at(const char *path, const char *text, struct rd_error *error)
{
    const unsigned line = find_line_directive(text);
    if (line > 0)
        return rd_fail(error, RD_ERROR_INPUT,
                       "%s:%u: a directive that says which line of which file this is", path, line);
    if (strstr(text, "RD_PROVE") || strstr(text, "rd_prove"))
        return rd_fail(
            error, RD_ERROR_INPUT,
            "%s: a name that begins with 'rd_prove' or 'RD_PROVE', as the prover's own do", path);
    return RD_OK;
}

/* ---- lines ---- */

/* A text with line markers: # 12 "file" flags. */
struct reader {
    const struct rd_preprocess *what;
    const char *at, *directory;
    const char *file; /* with what is behind it in the marker */
    size_t file_length;
    unsigned next_line;
    bool is_compared;
    char looked_into[RD_CHECK_PATH_SIZE]; /* the last file that was */
    enum rd_status status;                /* of looking into the headers; RD_OK so far */
    struct rd_error *error;
};

/* Of a line that was read. */
struct line {
    const char *text, *file;
    size_t length, file_length;
    unsigned number;
};

/* Tells whether it is a file of a folder that the options name, whatever the marker says of it. */
static bool is_of_options(const struct reader *reader)
{
    static const char *const names[] = {"-isystem", "-iquote", "-idirafter", "-I"};
    const char *const *options = reader->what->options;
    const char *own = reader->what->folder;
    if (*reader->file != '/' ||
        (own && *own == '/' && strncmp(reader->file, own, strlen(own)) == 0))
        return true;
    for (size_t k = 0; options && options[k]; k++) {
        const char *folder = options[k];
        for (size_t i = 0; i < sizeof names / sizeof *names && *folder == '-'; i++)
            if (strncmp(folder, names[i], strlen(names[i])) == 0)
                folder += strlen(names[i]);
        if (*folder == '/' && strncmp(reader->file, folder, strlen(folder)) == 0)
            return true;
    }
    return false;
}

/* Its flag 3: a header of the system's. */
static bool is_of_system(const char *flags, const char *end)
{
    for (; flags < end; flags++)
        if (*flags == '3')
            return true;
    return false;
}

/* Looks into a file of the program's. */
static void look_into(struct reader *reader)
{
    char path[RD_CHECK_PATH_SIZE], *text;
    snprintf(path, sizeof path, "%.*s", (int)reader->file_length, reader->file);
    if (reader->status != RD_OK || strcmp(path, reader->looked_into) == 0 ||
        *path == '<') /* <built-in>: of no file */
        return;
    reader->status = rd_check_read_source(path, &text, reader->error);
    if (reader->status != RD_OK)
        return;
    reader->status = look_at(path, text, reader->error);
    memcpy(reader->looked_into, path, sizeof path);
    free(text);
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
    /* The prover's own headers lie in its directory. */
    reader->is_compared =
        strncmp(reader->file, reader->directory, strlen(reader->directory)) != 0 &&
        (!is_of_system(last + 1, end) || is_of_options(reader));
    if (reader->is_compared)
        look_into(reader);
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
    *line = (struct line){0};
    return false;
}

static bool is_same(const struct line *x, const struct line *y)
{
    return x->number == y->number && x->length == y->length && x->file_length == y->file_length &&
           memcmp(x->file, y->file, x->file_length) == 0 &&
           memcmp(x->text, y->text, x->length) == 0;
}

static enum rd_status compare(const struct rd_preprocess *what, const struct rd_preprocessed *x,
                              const struct rd_preprocessed *y, struct rd_error *error)
{
    struct reader readers[2] = {
        {.what = what, .at = x->text, .directory = x->directory, .file = "", .error = error},
        {.what = what, .at = y->text, .directory = y->directory, .file = "", .error = error}};
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
    enum rd_status status = RD_OK;
    for (unsigned k = 0; k < 2 && status == RD_OK; k++) {
        struct rd_preprocess other = *what;
        struct rd_preprocessed made;
        other.as = others[k];
        status = rd_preprocess(&other, &made, error);
        if (status != RD_OK)
            return status;
        status = compare(what, by_clang, &made, error);
        free(made.text);
    }
    return status;
}
