// SPDX-License-Identifier: MIT
/* The headers are some hundred files. They are written once, to a folder of the user's cache that is named by their digest: a
 * run's own folder gets a link to it. */
#include "check/compiler/headers.h"

#include "base/cache_folder.h"
#include "base/own_files.h"
#include "check/source/includes.h"
#include "device/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PATH_SIZE = 2 * RD_CACHE_PATH_SIZE, NAME_SIZE = 64, UNUSED_S = 7 * 24 * 3600 };

static int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *walk)
{
    (void)facts, (void)kind, (void)walk;
    remove(path);
    return 0;
}

void rd_check_folder_remove(const char *path)
{
    enum { OPEN_MAX_AT_ONCE = 16 };
    nftw(path, remove_one, OPEN_MAX_AT_ONCE, FTW_PHYS | FTW_DEPTH);
}

/* ---- writing them ---- */

/* *is_linked: the toolkit's are there, too. */
static enum rd_status write_all(const char *folder, bool *is_linked, struct rd_error *error)
{
    char path[PATH_SIZE];
    enum rd_status status = RD_OK;
    for (const struct rd_check_header *header = rd_check_headers; header->name && status == RD_OK;
         header++) {
        snprintf(path, sizeof path, "%s/%s", folder, header->name);
        status = rd_make_own_folders(path, error);
        if (status == RD_OK)
            status = rd_write_own_file(path, header->text, error);
    }
    *is_linked = status == RD_OK && rd_check_toolkit_link(folder);
    return status;
}

/* ---- in the cache ---- */

/* Tells whether all are there, of their sizes: what cleans disks may have been there, too. */
static bool is_whole(const char *folder)
{
    char path[PATH_SIZE];
    struct stat about;
    if (lstat(folder, &about) != 0 || !S_ISDIR(about.st_mode) || !rd_cache_is_own(&about))
        return false;
    for (const struct rd_check_header *header = rd_check_headers; header->name; header++) {
        snprintf(path, sizeof path, "%s/%s", folder, header->name);
        if (lstat(path, &about) != 0 || !S_ISREG(about.st_mode) || !rd_cache_is_own(&about) ||
            (size_t)about.st_size != strlen(header->text))
            return false;
    }
    snprintf(path, sizeof path, "%s/toolkit", folder);
    return lstat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* Removes those of other versions of Reductio, and of toolkits as they were. */
static void remove_unused(const char *folder)
{
    char path[PATH_SIZE];
    DIR *all = opendir(folder);
    struct stat about;
    for (const struct dirent *at = all ? readdir(all) : NULL; at; at = readdir(all)) {
        snprintf(path, sizeof path, "%s/%s", folder, at->d_name);
        if (at->d_name[0] != '.' && lstat(path, &about) == 0 &&
            time(NULL) - about.st_mtime > UNUSED_S)
            rd_check_folder_remove(path);
    }
    if (all)
        closedir(all);
}

/* Moves the part to its place, as a whole; another process may have been faster. What is there and broken comes out where the part
 * was. */
static void put(const char *part, const char *whole)
{
    if (rename(part, whole) == 0 || is_whole(whole))
        return;
    if (renameat2(AT_FDCWD, part, AT_FDCWD, whole, RENAME_EXCHANGE) != 0) {
        rd_check_folder_remove(whole);
        (void)!rename(part, whole);
    }
}

static void flush(const char *folder)
{
    const int disk = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (disk < 0)
        return;
    syncfs(disk);
    close(disk);
}

/* Writes them beside their place, and moves them there. */
static bool add(const char *folder, const char *whole)
{
    char part[PATH_SIZE];
    struct rd_error error;
    bool is_linked;
    snprintf(part, sizeof part, "%s/part-XXXXXX", folder);
    if (!mkdtemp(part))
        return false;
    if (write_all(part, &is_linked, &error) == RD_OK && is_linked) {
        flush(part);
        put(part, whole);
    }
    rd_check_folder_remove(part); /* where it is still there */
    remove_unused(folder);
    return is_whole(whole);
}

/* Writes the path of the folder that has them; false where there can be none. */
static bool find_cached(char whole[PATH_SIZE])
{
    char folder[RD_CACHE_PATH_SIZE];
    if (!rd_cache_folder("headers", folder))
        return false;
    snprintf(whole, PATH_SIZE, "%s/%s-%" PRIx64, folder, rd_check_headers_digest,
             rd_check_toolkit_digest());
    utimensat(AT_FDCWD, whole, NULL, 0); /* first: from now on nobody takes it for unused */
    return is_whole(whole) || add(folder, whole);
}

/* Tells whether the link leads to that folder. */
static bool leads_to(const char *link_path, const char *folder)
{
    char to[PATH_SIZE];
    const ssize_t length = readlink(link_path, to, sizeof to - 1);
    to[length > 0 ? length : 0] = '\0';
    return strcmp(to, folder) == 0;
}

enum rd_status rd_check_headers_write(const char *directory, struct rd_error *error)
{
    char place[PATH_SIZE], cached[PATH_SIZE];
    bool is_linked;
    snprintf(place, sizeof place, "%s/" RD_FILE_HEADERS, directory);
    if (find_cached(cached) && (symlink(cached, place) == 0 || leads_to(place, cached)))
        return RD_OK;
    unlink(place); /* nothing is ever written through a link */
    return write_all(place, &is_linked, error);
}

void rd_check_headers_find(const char *directory, char *path, size_t size)
{
    char place[PATH_SIZE];
    snprintf(place, sizeof place, "%s/" RD_FILE_HEADERS, directory);
    const ssize_t length = readlink(place, path, size - 1);
    if (length > 0 && (size_t)length < size - 1)
        path[length] = '\0';
    else
        snprintf(path, size, "%s", place);
}

bool rd_check_headers_are_cached(const char *directory)
{
    char place[PATH_SIZE];
    struct stat about;
    snprintf(place, sizeof place, "%s/" RD_FILE_HEADERS, directory);
    return lstat(place, &about) == 0 && S_ISLNK(about.st_mode);
}

void rd_check_headers_remove(const char *directory)
{
    char place[PATH_SIZE];
    snprintf(place, sizeof place, "%s/" RD_FILE_HEADERS, directory);
    if (unlink(place) != 0)
        rd_check_folder_remove(place);
}
