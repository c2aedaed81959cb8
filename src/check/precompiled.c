// SPDX-License-Identifier: MIT
/* Beside the headers stands a folder for each list of options under which they were read, by a digest of these and of the compiler:
 *
 *     precompiled/DIGEST.seen            it was asked for once
 *     precompiled/DIGEST/needs           all files that were read, as a rule of make
 *     precompiled/DIGEST/size            that of what GCC keeps, in bytes
 *     precompiled/DIGEST.not             GCC can't make it, or take it
 *
 * and in DIGEST what GCC keeps, which it takes in the header's stead where it finds it first. Where that has just been removed by
 * another process, it goes on to the header.
 */
#include "check/precompiled.h"

#include "base/cache_folder.h"
#include "base/texts.h"
#include "check/headers.h"
#include "check/interruption.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    PATH_SIZE = RD_CHECK_PRECOMPILED_SIZE + 32,
    WORDS_MAX = 400,
    MADE_MAX = 16,
    TIME_MAX_S = 60
};

#define KEPT RD_CHECK_CUDA ".gch"

/* ---- which ---- */

static unsigned long long digest_of(const char *text, unsigned long long digest)
{
    for (; *text; text++) /* FNV-1a */
        digest = (digest ^ (unsigned char)*text) * 0x100000001b3u;
    return digest * 0x100000001b3u; /* the NUL between two */
}

/* Tells whether the word names a folder of headers, in itself or in the next: *folder. */
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

/* The options that what is kept depends on. Folders do not belong to them: see is_shadowed(). False where other headers are read
 * before ours, or are looked for elsewhere than where the options say. */
static bool digest_options(const char *const *words, size_t n_words, const char *macros,
                           unsigned long long *digest)
{
    static const char *const variables[] = {"CPATH", "CPLUS_INCLUDE_PATH"};
    const char *folder;
    *digest = digest_of(macros, 0xcbf29ce484222325u);
    for (size_t k = 0; k < sizeof variables / sizeof *variables; k++)
        if (getenv(variables[k]))
            return false;
    for (size_t k = 0; k < n_words; k++)
        if (strncmp(words[k], "-include", 8) == 0 || strncmp(words[k], "-imacros", 8) == 0)
            return false;
        else if (is_folder(words[k], NULL, &folder))
            k += *folder == '\0';
        else
            *digest = digest_of(words[k], *digest);
    return true;
}

/* ---- whether it may be taken ---- */

/* Calls `is` with each file of a rule of make, until it says so. */
static bool any_need(const char *path, bool (*is)(const char *need, void *self), void *self)
{
    char need[PATH_SIZE], *text = rd_text_of_file(path);
    bool found = !text; /* nothing is known */
    const char *at = text ? strchr(text, ':') : NULL;
    for (at = at ? at + 1 : ""; *at && !found;) {
        size_t n = 0;
        for (; *at && *at != ' ' && *at != '\n' && n + 1 < sizeof need; at++)
            if (*at != '\\' || (at[1] != '\n' && at[1] != ' '))
                need[n++] = *at;
            else if (*++at == ' ')
                need[n++] = ' ';
        need[n] = '\0';
        found = n > 0 && is(need, self);
        at += *at == ' ' || *at == '\n';
    }
    free(text);
    return found;
}

struct made {
    const char *headers; /* ours, which nobody changes */
    struct timespec when;
};

/* Tells whether the file is another than was read: its inode has changed since. */
static bool is_newer(const char *need, void *self)
{
    const struct made *made = self;
    struct stat about;
    if (strncmp(need, made->headers, strlen(made->headers)) == 0)
        return false;
    return stat(need, &about) != 0 || about.st_ctim.tv_sec > made->when.tv_sec ||
           (about.st_ctim.tv_sec == made->when.tv_sec &&
            about.st_ctim.tv_nsec >= made->when.tv_nsec);
}

/* Tells whether the folder has a header by one of the names by which the file may have been found. */
static bool is_shadowed(const char *need, void *self)
{
    char path[2 * PATH_SIZE];
    for (const char *slash = strchr(need, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(path, sizeof path, "%s%s", (const char *)self, slash);
        if (access(path, F_OK) == 0)
            return true;
    }
    return false;
}

/* Tells whether what was made is there, and of the files as they are. */
static bool is_made(const char *folder, const char *headers)
{
    char kept[PATH_SIZE], needs[PATH_SIZE], size[PATH_SIZE];
    struct stat about;
    snprintf(kept, sizeof kept, "%s/" KEPT, folder);
    snprintf(needs, sizeof needs, "%s/needs", folder);
    snprintf(size, sizeof size, "%s/size", folder);
    if (lstat(kept, &about) != 0 || !rd_cache_is_own(&about))
        return false;
    char *text = rd_text_of_file(size);
    const bool is_whole = text && strtoll(text, NULL, 10) == (long long)about.st_size;
    free(text);
    if (!is_whole)
        return false;
    struct made made = {.headers = headers, .when = about.st_mtim};
    return !any_need(needs, is_newer, &made);
}

/* Tells whether the compiler would find the same files. */
static bool finds_the_same(const char *folder, const char *const *words, size_t n_words)
{
    char needs[PATH_SIZE];
    const char *of_user;
    snprintf(needs, sizeof needs, "%s/needs", folder);
    for (size_t k = 0; k < n_words; k++)
        if (is_folder(words[k], k + 1 < n_words ? words[k + 1] : NULL, &of_user) &&
            any_need(needs, is_shadowed, (void *)of_user))
            return false;
    return true;
}

/* ---- making it ---- */

/* Of those that were made, the one that was used least lately goes. */
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
            memcpy(oldest, path, sizeof oldest);
        }
    }
    if (folder)
        closedir(folder);
    if (n > MADE_MAX)
        rd_check_folder_remove(oldest);
}

/* Tells whether this process is to make it: others leave it alone, until that takes too long. */
static bool begin(const char *part)
{
    struct stat about;
    if (mkdir(part, 0700) == 0)
        return true;
    if (stat(part, &about) == 0 && time(NULL) - about.st_mtime > TIME_MAX_S)
        rd_check_folder_remove(part);
    return false;
}

static bool write_size(const char *kept, const char *part)
{
    char path[PATH_SIZE];
    struct stat about;
    snprintf(path, sizeof path, "%s/size", part);
    FILE *file = stat(kept, &about) == 0 ? fopen(path, "w") : NULL;
    const bool is_written = file && fprintf(file, "%lld\n", (long long)about.st_size) > 0;
    return file && fclose(file) == 0 && is_written;
}

/* Makes it in the folder `part`, and tries it. */
static bool make(const char *const *words, size_t n_words, const char *headers, const char *part)
{
    char source[PATH_SIZE], kept[PATH_SIZE], needs[PATH_SIZE], said[PATH_SIZE];
    const char *command[WORDS_MAX + 16], *folder;
    struct rd_error error;
    size_t n = 0;
    snprintf(source, sizeof source, "%s/source.hpp", part);
    snprintf(kept, sizeof kept, "%s/" KEPT, part);
    snprintf(needs, sizeof needs, "%s/needs", part);
    snprintf(said, sizeof said, "%s/said", part);
    /* By its own name it would be the main file, which guards itself otherwise. */
    FILE *file = fopen(source, "w");
    const bool is_written = file && fputs("#include <" RD_CHECK_CUDA ">\n", file) >= 0;
    if (!file || fclose(file) != 0 || !is_written)
        return false;
    for (size_t k = 0; k < n_words; k++)
        if (is_folder(words[k], NULL, &folder))
            k += *folder == '\0';
        else if (strcmp(words[k], "-fsyntax-only") != 0)
            command[n++] = words[k];
    const char *const making[] = {"-I",         headers, "-MD", "-MF", needs, "-x",
                                  "c++-header", source,  "-o",  kept,  NULL};
    memcpy(command + n, making, sizeof making);
    if (rd_check_command_run(command, said, &error) != RD_OK)
        return false;
    const char *const trying[] = {"-I",       part,          "-I",
                                  headers,    "-Werror",     "-Winvalid-pch",
                                  "-include", RD_CHECK_CUDA, "-fsyntax-only",
                                  "-x",       "c++",         "/dev/null",
                                  NULL};
    memcpy(command + n, trying, sizeof trying);
    return rd_check_command_run(command, said, &error) == RD_OK && write_size(kept, part);
}

/* Not to be tried again: unless it was interrupted. */
static void give_up(const char *folder)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s.not", folder);
    if (!*rd_interruption())
        mkdir(path, 0700);
}

bool rd_check_precompiled_find(const struct rd_check_compiler *compiler, const char *const *words,
                               size_t n_words, const char *headers,
                               char folder[RD_CHECK_PRECOMPILED_SIZE])
{
    char all[RD_CACHE_PATH_SIZE + 32], other[PATH_SIZE], said[RD_CHECK_PATH_SIZE];
    unsigned long long digest;
    snprintf(said, sizeof said, "%s/macros.txt", compiler->directory);
    if (!compiler->gcc || n_words > WORDS_MAX || !rd_check_headers_are_cached(compiler->directory))
        return false;
    char *macros = rd_text_of_file(said);
    const bool is_known = macros && digest_options(words, n_words, macros, &digest);
    free(macros);
    if (!is_known)
        return false;
    snprintf(all, sizeof all, "%s/precompiled", headers);
    snprintf(folder, RD_CHECK_PRECOMPILED_SIZE, "%s/%016llx", all, digest);
    if (!is_made(folder, headers)) {
        snprintf(other, sizeof other, "%s.seen", folder);
        if ((mkdir(all, 0700) != 0 && errno != EEXIST) || mkdir(other, 0700) == 0)
            return false; /* perhaps it is never asked for again */
        snprintf(other, sizeof other, "%s.not", folder);
        if (access(other, F_OK) == 0)
            return false;
        snprintf(other, sizeof other, "%s.part", folder);
        if (!begin(other))
            return false;
        rd_check_folder_remove(folder); /* of files as they were */
        if (!make(words, n_words, headers, other) || rename(other, folder) != 0) {
            rd_check_folder_remove(other);
            give_up(folder);
            return false;
        }
        make_room(all);
    }
    if (!finds_the_same(folder, words, n_words))
        return false;
    utimensat(AT_FDCWD, folder, NULL, 0); /* it is used */
    return true;
}
