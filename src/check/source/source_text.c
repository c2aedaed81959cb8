// SPDX-License-Identifier: MIT
/* Reads a source file, whatever kind of file it is. */
#include "check/source/lexer.h"
#include "element/values_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* No source file is larger by far; what is, is no source file. */
enum { SOURCE_MAX = 64 << 20, BLOCK = 1 << 16 };

/* Names the kind of file that it is, where it is no plain one. A pipe that somebody writes into is one of those that have a
 * number: "/dev/fd/63", "/dev/stdin". */
static const char *what_else(const char *path, mode_t mode)
{
    bool is_open = strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
    if (S_ISREG(mode) || (S_ISFIFO(mode) && is_open))
        return NULL;
    return S_ISDIR(mode)                    ? "a folder"
           : S_ISFIFO(mode)                 ? "a named pipe"
           : S_ISCHR(mode) || S_ISBLK(mode) ? "a device"
                                            : "no file";
}

/* Before it is opened, for which a pipe would wait. */
static enum rd_status check_kind(const char *path, const char *subject, struct rd_error *error)
{
    struct stat about;
    if (stat(path, &about) != 0)
        return rd_fail(error, RD_ERROR_IO, "%s can't be read: %s", subject, strerror(errno));
    const char *other = what_else(path, about.st_mode);
    if (other)
        return rd_fail(error, RD_ERROR_INPUT, "%s is %s: give a source file", subject, other);
    if (about.st_size > SOURCE_MAX)
        return rd_fail(error, RD_ERROR_INPUT, "%s has %.0f MiB, where a source file has at most %d",
                       subject, (double)about.st_size / 0x1p20, SOURCE_MAX >> 20);
    return RD_OK;
}

static enum rd_status read_all(FILE *file, const char *subject, char **content, size_t *size,
                               struct rd_error *error)
{
    size_t n = 0, capacity = 0, got = 1;
    char *text = NULL;
    while (got > 0 && n <= SOURCE_MAX) {
        if (n + BLOCK + 1 > capacity) {
            char *grown = realloc(text, capacity = 2 * capacity + BLOCK + 1);
            if (!grown) {
                free(text);
                return rd_fail(error, RD_ERROR_MEMORY, "no memory for %s", subject);
            }
            text = grown;
        }
        n += got = fread(text + n, 1, BLOCK, file);
    }
    if (ferror(file) || n > SOURCE_MAX) {
        free(text);
        return ferror(file)
                   ? rd_fail(error, RD_ERROR_IO, "%s can't be read: %s", subject, strerror(errno))
                   : rd_fail(error, RD_ERROR_INPUT,
                             "%s has more than the %d MiB that a source file may have", subject,
                             SOURCE_MAX >> 20);
    }
    text[n] = '\0';
    *content = text;
    *size = n;
    return RD_OK;
}

/* Other encodings, which no compiler takes: told by their byte order marks, or the zeros of UTF-16. */
static const char *encoding_of(const char *text, size_t size)
{
    if (size >= 4 && memcmp(text, "\xff\xfe\0\0", 4) == 0)
        return "UTF-32";
    if (size >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0))
        return "UTF-16";
    bool is_wide = size >= 4 && ((!text[0] && text[1] && !text[2] && text[3]) ||
                                 (text[0] && !text[1] && text[2] && !text[3]));
    return is_wide ? "UTF-16" : NULL;
}

/* Lines end as in Unix, whatever the system they were written on. */
static void unify_lines(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        if (from[0] == '\r' && from[1] == '\n')
            continue;
        *to++ = *from == '\r' ? '\n' : *from;
    }
    *to = '\0';
}

enum rd_status rd_check_read_source(const char *path, char **text, struct rd_error *error)
{
    static const char mark[] = "\xef\xbb\xbf";
    char subject[RD_SUBJECT_SIZE], *content = NULL;
    size_t size = 0;
    rd_quote_path(subject, path);
    enum rd_status status = check_kind(path, subject, error);
    FILE *file = status == RD_OK ? fopen(path, "r") : NULL;
    if (status == RD_OK && !file)
        status = rd_fail(error, RD_ERROR_IO, "%s can't be read: %s", subject, strerror(errno));
    if (status == RD_OK)
        status = read_all(file, subject, &content, &size, error);
    if (file)
        fclose(file);
    if (status != RD_OK)
        return status;
    const char *encoding = encoding_of(content, size);
    if (encoding)
        status = rd_fail(error, RD_ERROR_INPUT, "%s is in %s: save it as UTF-8", subject, encoding);
    else if (strlen(content) != size)
        status =
            rd_fail(error, RD_ERROR_INPUT, "%s has a NUL byte, so it is no source file", subject);
    if (status != RD_OK) {
        free(content);
        return status;
    }
    if (strncmp(content, mark, 3) == 0)
        memmove(content, content + 3, size - 3 + 1);
    unify_lines(content);
    *text = content;
    return RD_OK;
}
