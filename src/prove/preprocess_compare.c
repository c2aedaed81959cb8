// SPDX-License-Identifier: MIT
/* A text may ask which compiler reads it, and whether it is compiled for the device: then what is proved must be what runs. */
#include "prove/preprocess.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A text with line markers: # 12 "file" flags. */
struct reader {
    const struct rd_preprocess *what;
    const char *at, *directory;
    const char *file; /* with what is behind it in the marker */
    size_t file_length;
    unsigned next_line;
    bool is_compared;
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
        {.what = what, .at = x->text, .directory = x->directory, .file = ""},
        {.what = what, .at = y->text, .directory = y->directory, .file = ""}};
    struct line lines[2] = {{0}};
    for (;;) {
        const bool has_line = read_line(&readers[0], &lines[0]),
                   has_other = read_line(&readers[1], &lines[1]);
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
