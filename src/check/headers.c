// SPDX-License-Identifier: MIT
/* The headers are some hundred files. In the user's cache they are written once, in a folder by their digest, for all runs to come:
 * a run's own folder gets a link to it. */
#include "check/headers.h"

#include "base/cache_folder.h"
#include "check/compiler.h"
#include "check/toolkit.h"
#include "device/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
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

static enum rd_status write_file(const char *path, const char *text, struct rd_error *error)
{
    FILE *file = fopen(path, "w");
    const bool good = file && fputs(text, file) >= 0;
    if (!file || fclose(file) != 0 || !good)
        return rd_fail(error, RD_ERROR_IO, "'%s' can't be written: %s", path, strerror(errno));
    return RD_OK;
}

static enum rd_status make_folder(const char *path, struct rd_error *error)
{
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return rd_fail(error, RD_ERROR_IO, "'%s' can't be made: %s", path, strerror(errno));
    return RD_OK;
}

/* The folders that the header's name goes through. */
static enum rd_status make_folders_of(const char *name, const char *folder, struct rd_error *error)
{
    char path[PATH_SIZE];
    enum rd_status status = RD_OK;
    for (const char *slash = strchr(name, '/'); slash && status == RD_OK;
         slash = strchr(slash + 1, '/')) {
        snprintf(path, sizeof path, "%s/%.*s", folder, (int)(slash - name), name);
        status = make_folder(path, error);
    }
    return status;
}

static enum rd_status write_all(const char *folder, struct rd_error *error)
{
    char path[PATH_SIZE];
    enum rd_status status = make_folder(folder, error);
    for (const struct rd_check_header *header = rd_check_headers; header->name && status == RD_OK;
         header++) {
        status = make_folders_of(header->name, folder, error);
        snprintf(path, sizeof path, "%s/%s", folder, header->name);
        if (status == RD_OK)
            status = write_file(path, header->text, error);
    }
    if (status == RD_OK)
        rd_check_toolkit_link(folder);
    return status;
}

/* ---- in the cache ---- */

/* Tells whether all are there, of their sizes: a cleaner of disks may have been there, too. */
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
    return true;
}

/* Those of other versions of Reductio, or of a toolkit as it was. */
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

/* Writes them beside their place, and moves them there as a whole; another process may do the same. */
static bool add(const char *folder, const char *whole)
{
    char part[PATH_SIZE];
    struct rd_error error;
    snprintf(part, sizeof part, "%s/part-%ld", folder, (long)getpid());
    bool is_added = write_all(part, &error) == RD_OK && rename(part, whole) == 0;
    if (!is_added && is_whole(part) && !is_whole(whole)) { /* what is there is broken */
        rd_check_folder_remove(whole);
        is_added = rename(part, whole) == 0;
    }
    if (!is_added)
        rd_check_folder_remove(part);
    remove_unused(folder);
    return is_whole(whole);
}

/* Writes the path of the folder that has them; false where there can be none. */
static bool find_cached(char whole[PATH_SIZE])
{
    char folder[RD_CACHE_PATH_SIZE];
    if (!rd_cache_folder("headers", folder))
        return false;
    snprintf(whole, PATH_SIZE, "%s/%s-%llx", folder, rd_check_headers_digest,
             rd_check_toolkit_digest());
    if (!is_whole(whole) && !add(folder, whole))
        return false;
    utimensat(AT_FDCWD, whole, NULL, 0); /* it is used */
    return true;
}

enum rd_status rd_check_headers_write(const char *directory, struct rd_error *error)
{
    char place[PATH_SIZE], cached[PATH_SIZE];
    snprintf(place, sizeof place, "%s/" RD_FILE_HEADERS, directory);
    if (find_cached(cached) && symlink(cached, place) == 0)
        return RD_OK;
    return write_all(place, error);
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
