// SPDX-License-Identifier: MIT
#include "check/source/includes.h"
#include "base/array.h"
#include "check/options.h"
#include "check/source/rewrite.h"
#include "check/source/lexer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { INCLUDED_MAX = 4096, PLAIN_BYTES = 100000 };

bool rd_check_is_toolkit(const char *folder)
{
    char path[RD_CHECK_PATH_SIZE];
    snprintf(path, sizeof path, "%s/crt/host_config.h", folder);
    return access(path, F_OK) == 0;
}

void rd_check_included_name(char name[RD_CHECK_INCLUDED_NAME], size_t number)
{
    snprintf(name, RD_CHECK_INCLUDED_NAME, "included%zu.hpp", number);
}

/* ---- where an included file is ---- */

static bool is_file(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

/* Writes "folder/name" where that is a file. The compiler leaves out what says nothing in a path. */
static bool find_in(char path[RD_CHECK_PATH_SIZE], const char *folder, size_t length,
                    const char *name, size_t name_length)
{
    while (length > 1 && folder[length - 1] == '/')
        length--;
    int n = length > 0 ? snprintf(path, RD_CHECK_PATH_SIZE, "%.*s/%.*s", (int)length, folder,
                                  (int)name_length, name)
                       : snprintf(path, RD_CHECK_PATH_SIZE, "%.*s", (int)name_length, name);
    return n < RD_CHECK_PATH_SIZE && is_file(path);
}

static bool find_beside(char path[RD_CHECK_PATH_SIZE], const char *file, const char *name,
                        size_t name_length)
{
    const char *slash = strrchr(file, '/');
    return slash ? find_in(path, file, (size_t)(slash - file), name, name_length)
                 : find_in(path, "", 0, name, name_length);
}

/* An #include: its name, and the end of that. */
struct directive {
    const char *name, *end;
    bool is_quoted;
};

static bool read_directive(const char *text, const char *at, struct directive *found)
{
    size_t length;
    const char *end = rd_lexer_directive(text, at);
    const char *word = end > at ? rd_lexer_word(at + 1, &length) : NULL;
    if (!word || word >= end ||
        !(rd_lexer_is(word, length, "include") || rd_lexer_is(word, length, "include_next")))
        return false;
    const char *name = rd_lexer_blanks(word + length);
    if (name >= end || (*name != '"' && *name != '<'))
        return false;
    found->is_quoted = *name == '"';
    found->name = name + 1;
    found->end = name + 1 + strcspn(name + 1, *name == '"' ? "\"\n" : ">\n");
    return *found->end == '"' || *found->end == '>';
}

static bool resolve(char path[RD_CHECK_PATH_SIZE], const struct directive *directive,
                    const struct rd_check_options *options, const char *file)
{
    size_t length = (size_t)(directive->end - directive->name);
    if (*directive->name == '/')
        return find_in(path, "", 0, directive->name, length);
    if (directive->is_quoted && (find_beside(path, file, directive->name, length) ||
                                 find_beside(path, options->file, directive->name, length)))
        return true;
    for (const char *const *word = options->compiler_args; word && *word; word++)
        if (strncmp(*word, "-I", 2) == 0 && !rd_check_is_toolkit(*word + 2) &&
            find_in(path, *word + 2, strlen(*word + 2), directive->name, length))
            return true;
    return false;
}

bool rd_check_includes_users_file(const struct rd_check_options *options, const char *path,
                                  const char *text, const char *directive)
{
    char found[RD_CHECK_PATH_SIZE];
    struct directive read;
    return read_directive(text, directive, &read) && resolve(found, &read, options, path);
}

/* ---- finding them ---- */

/* The number of a file, by whichever path: "a/../b/c.h" is "b/c.h". includes->n: it is none of them. */
static size_t number_of(const struct rd_check_includes *includes, const char *path)
{
    size_t k = 0;
    struct stat about;
    if (stat(path, &about) != 0)
        return includes->n;
    while (k < includes->n &&
           (includes->all[k].device != about.st_dev || includes->all[k].inode != about.st_ino))
        k++;
    return k;
}

/* Tells whether there is anything to rewrite in a header. Of those of usual sizes nobody asks: what they include may want it. */
static bool is_plain(const char *text)
{
    return strlen(text) > PLAIN_BYTES && !strstr(text, "<<<") && !strstr(text, "<< <") &&
           !strstr(text, "__global__") && !strstr(text, "__device__") && !strstr(text, "asm") &&
           !strstr(text, "//@") && !strstr(text, "/*@");
}

/* Adds the file, if it can be read. */
static void add(struct rd_check_includes *includes, const char *path)
{
    struct rd_error error;
    struct stat about;
    struct rd_check_included included = {.path = strdup(path)};
    if (included.path && stat(path, &about) == 0 && includes->n < INCLUDED_MAX &&
        rd_array_make_room(&includes->all, includes->n, &includes->capacity,
                           sizeof *includes->all) &&
        rd_check_read_source(path, &included.text, &error) == RD_OK && !is_plain(included.text)) {
        included.device = about.st_dev;
        included.inode = about.st_ino;
        rd_check_functions_init(&included.functions, included.text);
        includes->all[includes->n++] = included;
        return;
    }
    free(included.path);
    free(included.text);
}

static void find_in_text(struct rd_check_includes *includes, const struct rd_check_options *options,
                         const char *path, const char *text,
                         const struct rd_check_functions *functions)
{
    char found[RD_CHECK_PATH_SIZE];
    struct directive directive;
    for (const char *at = strchr(text, '#'); at; at = strchr(at + 1, '#')) {
        if (!read_directive(text, at, &directive) || !resolve(found, &directive, options, path))
            continue;
        const size_t number = number_of(includes, found);
        if (number == includes->n)
            add(includes, found);
        if (number < includes->n && rd_check_function_at(functions, at))
            includes->all[number].is_in_function = true;
    }
}

void rd_check_includes_find(struct rd_check_includes *includes,
                            const struct rd_check_options *options, const char *path,
                            const char *text, const struct rd_check_functions *functions)
{
    find_in_text(includes, options, path, text, functions);
    for (size_t k = 0; k < includes->n; k++) {
        const struct rd_check_functions of_it = includes->all[k].functions; /* `all` may move */
        find_in_text(includes, options, includes->all[k].path, includes->all[k].text, &of_it);
    }
}

static bool is_of_cuda(const struct directive *directive)
{
    static const char *const beginnings[] = {"cu",           "npp",     "nv",      "vector_",
                                             "driver_",      "device_", "helper_", "thrust",
                                             "cooperative_", NULL};
    const size_t length = (size_t)(directive->end - directive->name);
    for (size_t k = 0; beginnings[k]; k++)
        if (strncmp(directive->name, beginnings[k], strlen(beginnings[k])) == 0)
            return true;
    for (const struct rd_check_header *header = rd_check_headers; header->name; header++)
        if (strlen(header->name) == length && strncmp(header->name, directive->name, length) == 0)
            return true;
    return false;
}

bool rd_check_includes_cuda(const char *text)
{
    struct directive directive;
    for (const char *at = strchr(text, '#'); at; at = strchr(at + 1, '#'))
        if (read_directive(text, at, &directive) && is_of_cuda(&directive))
            return true;
    return false;
}

/* Headers whose macros begin with a letter in upper case, or are well known. */
static bool is_common(const struct directive *directive)
{
    static const char *const names[] = {
        "assert.h",   "complex.h",  "ctype.h",     "errno.h",   "fcntl.h",  "fenv.h",
        "float.h",    "inttypes.h", "limits.h",    "locale.h",  "malloc.h", "math.h",
        "memory.h",   "omp.h",      "pthread.h",   "sched.h",   "setjmp.h", "signal.h",
        "stdalign.h", "stdarg.h",   "stdatomic.h", "stdbool.h", "stddef.h", "stdint.h",
        "stdio.h",    "stdlib.h",   "string.h",    "strings.h", "tgmath.h", "threads.h",
        "time.h",     "unistd.h",   "wchar.h",     "getopt.h",  "mpi.h",    NULL};
    static const char *const folders[] = {"sys/", "cuda/", "thrust/", "cub/", "cooperative_groups/",
                                          NULL};
    const size_t length = (size_t)(directive->end - directive->name);
    for (size_t k = 0; folders[k]; k++)
        if (strncmp(directive->name, folders[k], strlen(folders[k])) == 0)
            return true;
    for (size_t k = 0; names[k]; k++)
        if (strlen(names[k]) == length && strncmp(names[k], directive->name, length) == 0)
            return true;
    for (const struct rd_check_header *header = rd_check_headers; header->name; header++)
        if (strlen(header->name) == length && strncmp(header->name, directive->name, length) == 0)
            return true;
    return !memchr(directive->name, '.', length) && !memchr(directive->name, '/', length);
}

bool rd_check_includes_are_known(const struct rd_check_options *options, const char *path,
                                 const char *text)
{
    char found[RD_CHECK_PATH_SIZE];
    size_t length;
    struct directive directive;
    for (const char *at = strchr(text, '#'); at; at = strchr(at + 1, '#')) {
        const char *end = rd_lexer_directive(text, at);
        const char *word = end > at ? rd_lexer_word(at + 1, &length) : NULL;
        if (!word || word >= end || !rd_lexer_is(word, length, "include"))
            continue;
        if (!read_directive(text, at, &directive) ||
            (!resolve(found, &directive, options, path) && !is_common(&directive)))
            return false;
    }
    return true;
}

void rd_check_includes_finish(struct rd_check_includes *includes)
{
    for (size_t k = 0; k < includes->n; k++) {
        rd_check_functions_finish(&includes->all[k].functions);
        free(includes->all[k].path);
        free(includes->all[k].text);
    }
    free(includes->all);
    *includes = (struct rd_check_includes){0};
}

/* ---- including the copies ---- */

void rd_check_includes_replace(struct rd_check_edits *edits,
                               const struct rd_check_includes *includes,
                               const struct rd_check_options *options, const char *path,
                               const char *text)
{
    char found[RD_CHECK_PATH_SIZE], name[RD_CHECK_INCLUDED_NAME];
    struct directive directive;
    for (const char *at = strchr(text, '#'); at; at = strchr(at + 1, '#')) {
        if (!read_directive(text, at, &directive) || !resolve(found, &directive, options, path))
            continue;
        size_t number = number_of(includes, found);
        if (number == includes->n) { /* it stays where it is, unlike what includes it */
            char *whole = directive.is_quoted ? realpath(found, NULL) : NULL;
            if (whole)
                rd_check_edits_add(edits, directive.name, directive.end, "%s", whole);
            free(whole);
            continue;
        }
        rd_check_included_name(name, number);
        rd_check_edits_add(edits, directive.name - 1, directive.end + 1, "\"%s\"", name);
    }
}
