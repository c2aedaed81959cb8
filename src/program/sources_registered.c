// SPDX-License-Identifier: MIT
/* Sources of kernels that clients have registered, read from the files that they were compiled from. */
#include "device/kernel_names.h"
#include "program/sources_registered.h"
#include "reductio/launchable.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_MAX_BYTES = 1 << 20, TAB_COLUMNS = 8 };

/* The source of a kernel, as it was when somebody asked for it first; constant from then on. */
struct registered_source {
    enum rd_kernel number;
    struct rd_source kernel, file; /* without texts where there is none, */
    struct rd_error why;           /* for this reason */
    struct registered_source *next;
};

/* Sources live as long as the process, as callers keep them without a time limit. */
static struct registered_source *_Atomic sources;

static const struct rd_launchable *launchable_of(enum rd_kernel kernel)
{
    const struct rd_launchable *found = NULL;
    for (int type = 0; type < RD_TYPE_COUNT && !found; type++)
        found = rd_kernel_launchable(kernel, (enum rd_type)type);
    return found;
}

/* ---- files ---- */

/* A FIFO would be waited for. */
static FILE *open_plain(const char *path)
{
    struct stat status;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0)
        return NULL;
    FILE *opened = NULL;
    if (fstat(file, &status) == 0 && !S_ISREG(status.st_mode))
        errno = EINVAL;
    else
        opened = fdopen(file, "r");
    if (!opened)
        close(file);
    return opened;
}

/* Copies the text with spaces for tabs. NULL without memory. */
static char *without_tabs(const char *text)
{
    char *copy = NULL;
    size_t size, column = 0;
    FILE *out = open_memstream(&copy, &size);
    if (!out)
        return NULL;
    for (; *text; text++) {
        const size_t width = *text == '\t' ? TAB_COLUMNS - column % TAB_COLUMNS : 1;
        for (size_t k = 0; k < width; k++)
            putc(*text == '\t' ? ' ' : *text, out);
        column = *text == '\n' ? 0 : column + width;
    }
    if (fclose(out) == 0)
        return copy;
    free(copy);
    return NULL;
}

/* Reads the file that the kernel was compiled from; the caller owns the text. */
static enum rd_status read_file(const struct rd_launchable *kernel, char **text,
                                struct rd_error *error)
{
    enum rd_status status = RD_OK;
    FILE *file = open_plain(kernel->file);
    char *read = file ? malloc(FILE_MAX_BYTES + 1) : NULL;
    const size_t length = read ? fread(read, 1, FILE_MAX_BYTES + 1, file) : 0;
    if (!file || (read && ferror(file)))
        status =
            rd_fail(error, RD_ERROR_IO, "'%.400s', of which it was compiled, can't be read: %s",
                    kernel->file, strerror(errno));
    else if (length > FILE_MAX_BYTES || (read && memchr(read, '\0', length)))
        status = rd_fail(error, RD_ERROR_IO, "'%.400s', of which it was compiled, is %s",
                         kernel->file, length > FILE_MAX_BYTES ? "larger than 1 MiB" : "no text");
    if (status == RD_OK && read) {
        read[length] = '\0';
        *text = without_tabs(read);
    }
    if (status == RD_OK && (!read || !*text))
        status = rd_fail(error, RD_ERROR_MEMORY, "no memory for its source");
    free(read);
    if (file)
        fclose(file);
    return status;
}

/* ---- the kernel's part of its file ---- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Tells whether the line has the word. */
static bool has_word(const char *line, size_t length, const char *word)
{
    const size_t size = strlen(word);
    for (size_t at = 0; at + size <= length; at++)
        if (strncmp(line + at, word, size) == 0 && (at == 0 || !is_letter(line[at - 1])) &&
            !is_letter(line[at + size]))
            return true;
    return false;
}

/* Tells whether the text has LAUNCHABLE of the kernel, which else a macro makes. */
static bool is_plain(const char *text, const char *name)
{
    static const char *const macros[] = {"LAUNCHABLE(", "LAUNCHABLE_COMMUNICATING("};
    for (size_t k = 0; k < sizeof macros / sizeof *macros; k++) {
        const size_t head = strlen(macros[k]), size = strlen(name);
        for (const char *at = strstr(text, macros[k]); at; at = strstr(at + 1, macros[k]))
            if (strncmp(at + head, name, size) == 0 && !is_letter(at[head + size]))
                return true;
    }
    return false;
}

/* Tells whether LAUNCHABLE of the kernel, or the macro that makes it, still stands where it was compiled: at that line, with
 * the name in it or, of a call of several lines, before it. */
static bool is_as_compiled(const char *text, const struct rd_launchable *kernel)
{
    const bool plain = is_plain(text, kernel->name);
    for (unsigned number = kernel->line; number > 0; number--) {
        size_t length;
        const char *line = rd_source_line(text, number, &length);
        if (!line)
            return false;
        if (has_word(line, length, kernel->name))
            return !plain || memmem(line, length, "LAUNCHABLE", strlen("LAUNCHABLE"));
        if (strcspn(line, "{};\n") < length)
            return false;
    }
    return false;
}

/* Counts the lines up to a place in the text, with its own. */
static unsigned line_at(const char *text, const char *at)
{
    unsigned line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

/* The first line of a definition that has its name there, with the comment over it. */
static unsigned first_line(const char *text, const char *name_at)
{
    enum { HEAD_LINES_MAX = 3 };
    size_t length;
    unsigned first = line_at(text, name_at);
    for (unsigned k = 0; k < HEAD_LINES_MAX && k < first; k++) {
        const char *line = rd_source_line(text, first - k, &length);
        if (has_word(line, length, "__global__")) {
            first -= k;
            break;
        }
    }
    unsigned comment = first - 1;
    const char *line = rd_source_line(text, comment, &length);
    const bool is_block = line && length >= 2 && strncmp(line + length - 2, "*/", 2) == 0;
    while (is_block && comment > 1 && !memmem(line, length, "/*", 2))
        line = rd_source_line(text, --comment, &length);
    if (is_block)
        return comment;
    while (line && strncmp(line, "//", 2) == 0)
        line = rd_source_line(text, --comment, &length);
    return comment + 1;
}

/* Returns the whole file for a kernel that a macro makes. */
static void find_part(struct registered_source *own, const struct rd_launchable *kernel)
{
    const char *const text = own->file.text, *found = NULL;
    char head[96];
    snprintf(head, sizeof head, "NAME(%s)(", kernel->name);
    for (const char *at = strstr(text, head); at && line_at(text, at) <= kernel->line;
         at = strstr(at + 1, head))
        found = at;
    own->kernel = own->file;
    own->kernel.name = kernel->name;
    if (!found)
        return;
    const char *end = strstr(found, "\n}");
    own->kernel.first = first_line(text, found);
    own->kernel.last = end ? line_at(text, end + 1) : kernel->line;
}

/* ---- what is known ---- */

static struct registered_source *find(enum rd_kernel kernel)
{
    struct registered_source *own = atomic_load(&sources);
    while (own && own->number != kernel)
        own = own->next;
    return own;
}

static void destroy(struct registered_source *own)
{
    free((char *)own->file.text);
    free(own);
}

/* NULL without memory. */
static struct registered_source *make(enum rd_kernel number)
{
    const struct rd_launchable *kernel = launchable_of(number);
    struct registered_source *own = calloc(1, sizeof *own);
    char *text = NULL;
    if (!own)
        return NULL;
    own->number = number;
    if (!kernel->file || read_file(kernel, &text, &own->why) != RD_OK)
        return own;
    if (!is_as_compiled(text, kernel)) {
        rd_fail(&own->why, RD_ERROR_IO, "'%.400s' has changed since it was compiled", kernel->file);
        free(text);
        return own;
    }
    own->file = (struct rd_source){.name = kernel->file,
                                   .path = kernel->file,
                                   .text = text,
                                   .first = 1,
                                   .last = rd_source_lines(text)};
    find_part(own, kernel);
    return own;
}

/* Several threads may read a file at once: the first to be done is the one that is kept. */
static const struct registered_source *source_of(enum rd_kernel kernel)
{
    struct registered_source *own = find(kernel), *made = own ? NULL : make(kernel);
    while (!own && made) {
        made->next = atomic_load(&sources);
        own = find(kernel);
        if (!own && atomic_compare_exchange_strong(&sources, &made->next, made))
            return made;
    }
    if (made)
        destroy(made);
    return own;
}

static bool is_registered(const char *name, enum rd_kernel *kernel)
{
    return rd_kernel_named(name, kernel) && (int)*kernel > RD_KERNEL_ABSENT;
}

const struct rd_source *rd_registered_source_of_kernel(const char *name)
{
    enum rd_kernel kernel;
    const struct registered_source *own = is_registered(name, &kernel) ? source_of(kernel) : NULL;
    return own && own->kernel.text ? &own->kernel : NULL;
}

static const char *behind_dots(const char *path)
{
    while (strncmp(path, "../", 3) == 0 || strncmp(path, "./", 2) == 0)
        path = strchr(path, '/') + 1;
    return path;
}

/* Tells whether they may be one file, as seen from two folders. */
static bool is_seen_as(const char *x, const char *y)
{
    x = behind_dots(x);
    y = behind_dots(y);
    const size_t of_x = strlen(x), of_y = strlen(y);
    const char *longer = of_x > of_y ? x : y, *shorter = of_x > of_y ? y : x;
    const char *end = longer + strlen(longer) - strlen(shorter);
    return *shorter && strcmp(end, shorter) == 0 &&
           (end == longer || end[-1] == '/' || *shorter == '/');
}

const struct rd_source *rd_registered_source_of_file(const char *path)
{
    const struct rd_source *seen = NULL;
    for (int k = RD_KERNEL_ABSENT + 1; rd_kernel_is_known((enum rd_kernel)k); k++) {
        const struct registered_source *own = source_of((enum rd_kernel)k);
        if (!own || !own->file.text)
            continue;
        if (strcmp(own->file.path, path) == 0)
            return &own->file;
        if (!seen && is_seen_as(own->file.path, path))
            seen = &own->file;
    }
    return seen;
}

void rd_registered_source_explain_absence(const char *name, struct rd_error *why)
{
    enum rd_kernel kernel;
    *why = (struct rd_error){
        "the trace has no source of it, and the kernel isn't one of this program"};
    if (!is_registered(name, &kernel))
        return;
    const struct registered_source *own = source_of(kernel);
    *why = own ? own->why : (struct rd_error){"no memory for its source"};
    if (why->text[0] == '\0')
        *why = (struct rd_error){"its registration doesn't say of which file it was compiled"};
}
