// SPDX-License-Identifier: MIT
/* Beside the headers stands a folder for each list of options, by a digest of these and of the compiler:
 *
 *     precompiled/DIGEST.seen                       it was asked for once
 *     precompiled/DIGEST.lock                       a process makes it
 *     precompiled/DIGEST.not                        GCC can't make it, or take it
 *     precompiled/DIGEST/gch/reductio_first.hpp.gch the precompiled header
 *     precompiled/DIGEST/files                      it, and all that were read, each with its size and time
 *
 * GCC takes a precompiled header where it finds it before the header itself. Where another process has just removed that, it goes on
 * to the header. */
#include "check/compiler/compiler_internal.h"

#include "base/digest.h"
#include "base/texts.h"
#include "check/compiler/headers.h"
#include "check/sandbox/interruption.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    PATH_SIZE = RD_CHECK_PRECOMPILED_SIZE + 64,
    WORDS_MAX = 400,
    MADE_MAX = 16,           /* of some 30 MB */
    LOCK_MAX_S = 60,         /* then its process was killed */
    NOT_MAX_S = 24 * 60 * 60 /* then it is tried again: a disk may have been full */
};

#define GCH "gch/" RD_CHECK_FIRST ".gch"

/* ---- which ---- */

/* Tells whether the word names a folder of headers, in itself or in the next. Such words are no part of the digest: see
 * finds_the_same(). */
static bool is_folder(const char *word, const char *next, const char **folder)
{
    static const char *const options[] = {"-I", "-isystem", "-iquote", "-idirafter"};
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        const size_t length = strlen(options[k]);
        if (strncmp(word, options[k], length) == 0) {
            *folder = word[length] ? word + length : next ? next : "";
            return true;
        }
    }
    return false;
}

/* The words without those. Returns how many. */
static size_t without_folders(const char *const *words, size_t n_words, const char **others)
{
    size_t n = 0;
    const char *folder;
    for (size_t k = 0; k < n_words; k++)
        if (is_folder(words[k], NULL, &folder))
            k += *folder == '\0';
        else
            others[n++] = words[k];
    return n;
}

/* False where others read headers before ours, or name folders and files that are not in the digest. */
static bool digest_options(const char *const *words, size_t n_words, const char *compiler,
                           uint64_t *digest)
{
    static const char *const others[] = {"-include", "-imacros", "--i", "-Wp,",   "-Xpreprocessor",
                                         "-specs",   "-fplugin", "-M",  "-iwith", "@"};
    *digest = rd_digest_text(RD_DIGEST_START, compiler);
    for (size_t k = 0; k < n_words; k++) {
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            if (strncmp(words[k], others[i], strlen(others[i])) == 0)
                return false;
        *digest = rd_digest_text(*digest, words[k]);
    }
    return true;
}

/* ---- what it was made of ---- */

/* Writes the file's line: its size, its time and its name. */
static bool write_line(const char *path, const char *name, FILE *to)
{
    struct stat about;
    return stat(path, &about) == 0 &&
           fprintf(to, "%lld %lld.%09ld %s\n", (long long)about.st_size,
                   (long long)about.st_mtim.tv_sec, about.st_mtim.tv_nsec, name) > 0;
}

/* Writes the lines of all files that GCC's rule for `make` names; none may have changed since GCC began. */
static bool write_lines(const char *rule, const struct stat *beginning, FILE *to)
{
    static const char target[] = "gch:";
    char path[PATH_SIZE];
    struct stat about;
    const char *at = strncmp(rule, target, strlen(target)) == 0 ? rule + strlen(target) : "";
    bool is_written = *at != '\0';
    while (*at && is_written) {
        size_t n = 0;
        for (; *at && *at != ' ' && *at != '\n' && n + 1 < sizeof path; at++) {
            if (*at == '\\' && at[1] == '\n')
                break;
            at += (*at == '\\' && at[1] && strchr(" #:\\", at[1])) || (*at == '$' && at[1] == '$');
            path[n++] = *at;
        }
        path[n] = '\0';
        at += *at == '\\';
        at += *at == ' ' || *at == '\n';
        if (path[0] == '/')
            is_written = stat(path, &about) == 0 &&
                         (about.st_ctim.tv_sec < beginning->st_mtim.tv_sec ||
                          (about.st_ctim.tv_sec == beginning->st_mtim.tv_sec &&
                           about.st_ctim.tv_nsec <= beginning->st_mtim.tv_nsec)) &&
                         write_line(path, path, to);
    }
    return is_written;
}

/* Reads the lines, the first being the precompiled header's, and sets *paths to those of the others, which end with a NULL, in
 * *text. False where a file is another one now. The caller frees both. */
static bool read_lines(const char *folder, char **text, char ***paths)
{
    char path[PATH_SIZE];
    size_t n = 0, n_lines = 1;
    struct stat about;
    snprintf(path, sizeof path, "%s/files", folder);
    *text = rd_text_of_file(path);
    for (const char *at = *text; at && (at = strchr(at, '\n')); at++)
        n_lines++;
    *paths = calloc(n_lines + 1, sizeof **paths);
    bool is_same = *text && *paths && n_lines > 2;
    char *rest = *text, *line;
    while (is_same && (line = strsep(&rest, "\n")) && *line) {
        char *end = NULL;
        const long long size = strtoll(line, &end, 10), seconds = strtoll(end, &end, 10);
        const long nanoseconds = *end == '.' ? strtol(end + 1, &end, 10) : -1;
        char *name = *end == ' ' ? end + 1 : end;
        snprintf(path, sizeof path, "%s/%s", folder, name);
        is_same = stat(*name == '/' ? name : path, &about) == 0 && about.st_size == size &&
                  about.st_mtim.tv_sec == seconds && about.st_mtim.tv_nsec == nanoseconds;
        if (*name == '/')
            (*paths)[n++] = name;
    }
    return is_same;
}

/* Tells whether the folder has a header by a name by which the file may have been included. */
static bool has_alike(const char *folder, const char *path, const char *headers)
{
    char other[2 * PATH_SIZE];
    const size_t length = strlen(headers);
    const bool is_ours = strncmp(path, headers, length) == 0 && path[length] == '/';
    for (const char *slash = is_ours ? path + length : path; slash;
         slash = is_ours ? NULL : strchr(slash + 1, '/')) {
        snprintf(other, sizeof other, "%s%s", folder, slash);
        if (access(other, F_OK) == 0)
            return true;
    }
    return false;
}

/* Tells whether GCC would find the same files: none in the folders of the words before. */
static bool finds_the_same(const char *const *words, size_t n_words, const char *headers,
                           char *const *paths)
{
    /* Of <execution>, which asks whether there is one. */
    static const char asked_for[] = "/tbb/tbb.h";
    const char *folder;
    for (size_t k = 0; k < n_words; k++) {
        if (!is_folder(words[k], k + 1 < n_words ? words[k + 1] : NULL, &folder) ||
            strcmp(folder, headers) == 0)
            continue;
        if (has_alike(folder, asked_for, headers))
            return false;
        for (size_t i = 0; paths[i]; i++)
            if (has_alike(folder, paths[i], headers))
                return false;
    }
    return true;
}

/* ---- making it ---- */

static bool is_since(const char *path, int seconds)
{
    struct stat about;
    return stat(path, &about) == 0 && time(NULL) - about.st_mtime < seconds;
}

/* Removes the one that was used least lately, where there are too many. */
static void make_room(const char *all)
{
    char path[PATH_SIZE], oldest[PATH_SIZE] = "";
    time_t since = 0;
    unsigned n = 0;
    struct stat about;
    DIR *folder = opendir(all);
    for (const struct dirent *at = folder ? readdir(folder) : NULL; at; at = readdir(folder)) {
        snprintf(path, sizeof path, "%s/%s", all, at->d_name);
        if (strchr(at->d_name, '.') || lstat(path, &about) != 0)
            continue;
        n++;
        if (!*oldest || about.st_mtime < since) {
            since = about.st_mtime;
            snprintf(oldest, sizeof oldest, "%s", path);
        }
    }
    if (folder)
        closedir(folder);
    if (n > MADE_MAX)
        rd_check_folder_remove(oldest);
}

/* Writes what the precompiled header was made of; that is for the user alone, whatever the umask. */
static bool write_files(const char *part, const char *gch, const char *begun)
{
    char path[PATH_SIZE];
    struct stat beginning;
    snprintf(path, sizeof path, "%s/rule", part);
    char *rule = rd_text_of_file(path);
    snprintf(path, sizeof path, "%s/files", part);
    FILE *to =
        rule && stat(begun, &beginning) == 0 && chmod(gch, 0600) == 0 ? fopen(path, "w") : NULL;
    const bool is_written = to && write_line(gch, GCH, to) && write_lines(rule, &beginning, to);
    free(rule);
    return to && fclose(to) == 0 && is_written;
}

/* Tells whether GCC has said, by -H, that it takes the precompiled header. */
static bool is_taken(const char *said, const char *gch)
{
    char line[PATH_SIZE];
    char *text = rd_text_of_file(said);
    snprintf(line, sizeof line, "! %s\n", gch);
    const bool is = text && strstr(text, line);
    free(text);
    return is;
}

/* Makes it in the folder `part`, and tries it. */
static bool make(const char *const *words, size_t n_words, const char *headers, const char *part)
{
    char source[PATH_SIZE], begun[PATH_SIZE], folder[PATH_SIZE], gch[PATH_SIZE], rule[PATH_SIZE],
        said[PATH_SIZE];
    const char *command[WORDS_MAX + 24];
    struct rd_error error;
    size_t n = 0;
    snprintf(source, sizeof source, "%s/" RD_CHECK_FIRST, headers);
    snprintf(begun, sizeof begun, "%s/begun", part);
    snprintf(folder, sizeof folder, "%s/gch", part);
    snprintf(gch, sizeof gch, "%s/" GCH, part);
    snprintf(rule, sizeof rule, "%s/rule", part);
    snprintf(said, sizeof said, "%s/said", part);
    FILE *file = mkdir(folder, 0700) == 0 ? fopen(begun, "w") : NULL;
    if (!file || fclose(file) != 0)
        return false;
    for (size_t k = 0; k < n_words; k++)
        if (strcmp(words[k], "-fsyntax-only") != 0)
            command[n++] = words[k];
    const char *const making[] = {"-I", headers,      "-MD",  "-MF", rule, "-MT", "gch",
                                  "-x", "c++-header", source, "-o",  gch,  NULL};
    memcpy(command + n, making, sizeof making);
    if (rd_check_command_run(command, said, &error) != RD_OK)
        return false;
    const char *const trying[] = {"-iquote", folder,     "-I",           headers,
                                  "-H",      "-include", RD_CHECK_FIRST, "-fsyntax-only",
                                  "-x",      "c++",      "/dev/null",    NULL};
    memcpy(command + n, trying, sizeof trying);
    return rd_check_command_run(command, said, &error) == RD_OK && is_taken(said, gch) &&
           write_files(part, gch, begun);
}

/* The same, moved to `folder` when it is whole. */
static bool make_and_move(const char *const *words, size_t n_words, const char *headers,
                          const char *folder)
{
    char part[PATH_SIZE], refused[PATH_SIZE];
    snprintf(refused, sizeof refused, "%s.not", folder);
    snprintf(part, sizeof part, "%s.XXXXXX", folder);
    if (!mkdtemp(part))
        return false;
    const bool is_made = make(words, n_words, headers, part);
    if (!is_made && !*rd_interruption()) {
        rd_check_folder_remove(refused); /* an old one */
        (void)!rename(part, refused);    /* for what GCC has said */
    }
    if (is_made) {
        rd_check_folder_remove(folder); /* of files as they were */
        (void)!rename(part, folder);
    }
    rd_check_folder_remove(part); /* where it is still there */
    return is_made;
}

/* Has it made from the second request on. False where it isn't. */
static bool has_made(const char *const *words, size_t n_words, const char *headers, const char *all,
                     const char *folder)
{
    char seen[PATH_SIZE], lock[PATH_SIZE], refused[PATH_SIZE];
    snprintf(seen, sizeof seen, "%s.seen", folder);
    snprintf(lock, sizeof lock, "%s.lock", folder);
    snprintf(refused, sizeof refused, "%s.not", folder);
    if ((mkdir(all, 0700) != 0 && errno != EEXIST) || mkdir(seen, 0700) == 0 || errno != EEXIST ||
        is_since(refused, NOT_MAX_S))
        return false;
    if (mkdir(lock, 0700) != 0) {
        if (!is_since(lock, LOCK_MAX_S))
            rmdir(lock);
        return false;
    }
    const bool is_made = make_and_move(words, n_words, headers, folder);
    rmdir(lock);
    make_room(all);
    return is_made;
}

/* Tells whether what is in the folder may be taken; *is_old where it may never be again. */
static bool may_be_taken(const char *folder, const char *const *words, size_t n_words,
                         const char *headers, bool *is_old)
{
    char gch[PATH_SIZE], *text = NULL, **paths = NULL;
    struct stat about;
    snprintf(gch, sizeof gch, "%s/" GCH, folder);
    *is_old = lstat(gch, &about) != 0 || !S_ISREG(about.st_mode) || !rd_cache_is_own(&about) ||
              !read_lines(folder, &text, &paths);
    const bool may_be = !*is_old && finds_the_same(words, n_words, headers, paths);
    free(text);
    free(paths);
    return may_be;
}

bool rd_check_precompiled_find(const struct rd_check_compiler *compiler, const char *const *words,
                               size_t n_words, const char *headers,
                               char folder[RD_CHECK_PRECOMPILED_SIZE])
{
    char all[RD_CACHE_PATH_SIZE + 16], digested[RD_CACHE_PATH_SIZE + 64], said[RD_CHECK_PATH_SIZE];
    const char *others[WORDS_MAX];
    uint64_t digest;
    bool is_old;
    if (!compiler->gcc || n_words > WORDS_MAX || !rd_check_headers_are_cached(compiler->directory))
        return false;
    snprintf(said, sizeof said, "%s/macros.txt", compiler->directory);
    char *text = rd_text_of_file(said);
    const size_t n_others = without_folders(words, n_words, others);
    const bool is_known = text && digest_options(others, n_others, text, &digest);
    free(text);
    if (!is_known)
        return false;
    snprintf(all, sizeof all, "%s/precompiled", headers);
    snprintf(digested, sizeof digested, "%s/%016" PRIx64, all, digest);
    bool may_be = may_be_taken(digested, words, n_words, headers, &is_old);
    if (is_old && has_made(others, n_others, headers, all, digested))
        may_be = may_be_taken(digested, words, n_words, headers, &is_old);
    if (may_be) {
        utimensat(AT_FDCWD, digested, NULL, 0); /* it is used */
        snprintf(folder, RD_CHECK_PRECOMPILED_SIZE, "%s/gch", digested);
    }
    return may_be;
}
