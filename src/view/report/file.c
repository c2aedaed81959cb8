// SPDX-License-Identifier: MIT
#include "view/report/page.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static enum rd_status failed(struct rd_error *error, const char *path)
{
    return rd_fail(error, RD_ERROR_IO, "'%s' can't be written: %s", path, strerror(errno));
}

static bool put(int file, const char *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t written = write(file, data + done, size - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        done += (size_t)written;
    }
    return true;
}

/* Tells whether the name is one that a file can take: nothing stands there yet, or another file. */
static bool is_plain(const char *path)
{
    struct stat status;
    return strcmp(path, "-") != 0 && (stat(path, &status) != 0 || S_ISREG(status.st_mode));
}

static enum rd_status put_directly(const char *path, const char *data, size_t size,
                                   struct rd_error *error)
{
    bool is_stdout = strcmp(path, "-") == 0;
    enum rd_status status = RD_OK;
    if (is_stdout) {
        if (fwrite(data, 1, size, stdout) != size || fflush(stdout) != 0)
            status = failed(error, "standard output");
        return status;
    }
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return failed(error, path);
    if (!put(file, data, size))
        status = failed(error, path);
    if (close(file) != 0 && status == RD_OK)
        status = failed(error, path);
    return status;
}

/* Opens a file beside `path`, of a name of its own, with the mode of a new file: mkostemp has another, and umask() can't be
 * asked without changing it for all threads. */
static int open_beside(const char *path, char **part)
{
    enum { TRIES_MAX = 100 };
    int file = -1;
    *part = NULL;
    for (int k = 0; k < TRIES_MAX && file < 0; k++) {
        unsigned char number[3];
        free(*part);
        if (getrandom(number, sizeof number, 0) != sizeof number ||
            asprintf(part, "%s.%02x%02x%02x", path, number[0], number[1], number[2]) < 0) {
            *part = NULL;
            return -1;
        }
        file = open(*part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file < 0 && errno != EEXIST)
            return -1;
    }
    return file;
}

/* The target of a symbolic link, seen from where the program is; NULL with errno where there is no telling. */
static char *link_target(const char *link)
{
    char name[PATH_MAX], *target = NULL;
    ssize_t length = readlink(link, name, sizeof name);
    if (length < 0)
        return NULL;
    if ((size_t)length == sizeof name) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    const char *slash = name[0] == '/' ? NULL : strrchr(link, '/');
    int folder = slash ? (int)(slash + 1 - link) : 0;
    return asprintf(&target, "%.*s%.*s", folder, link, (int)length, name) < 0 ? NULL : target;
}

/* The path behind all links, whether there is a file yet or not, so that they stay; NULL with errno. */
static char *behind_links(const char *path)
{
    enum { LINKS_MAX = 40 };
    struct stat status;
    char *target = strdup(path);
    for (int k = 0; target && lstat(target, &status) == 0 && S_ISLNK(status.st_mode); k++) {
        char *next = k < LINKS_MAX ? link_target(target) : NULL;
        free(target);
        target = next;
        if (k == LINKS_MAX)
            errno = ELOOP;
    }
    return target;
}

enum rd_status rd_report_file(const char *path, const char *data, size_t size,
                              struct rd_error *error)
{
    if (!is_plain(path))
        return put_directly(path, data, size, error);
    char *part = NULL, *target = behind_links(path);
    enum rd_status status = RD_OK;
    int file = target ? open_beside(target, &part) : -1;
    if (file < 0) {
        status = failed(error, path);
        free(part);
        free(target);
        return status;
    }
    bool written = put(file, data, size);
    int reason = errno;
    if (close(file) != 0 && written) {
        written = false;
        reason = errno;
    }
    errno = reason;
    if (!written || rename(part, target) != 0) {
        status = failed(error, path);
        unlink(part);
    }
    free(part);
    free(target);
    return status;
}

/* ---- PNG ---- */

/* Runs rsvg-convert on a file; its picture is read back from the descriptor's file. */
static enum rd_status convert(int svg, int png, struct rd_error *error)
{
    char *arguments[] = {"rsvg-convert", "--format", "png", "--zoom", "2", NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int ended = 0;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, svg, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, png, STDOUT_FILENO);
    int spawned = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (spawned != 0)
        return rd_fail(error, RD_ERROR_USAGE,
                       "PNG takes the program 'rsvg-convert' (%s): install librsvg2-bin, or use "
                       "--svg",
                       strerror(spawned));
    while (waitpid(child, &ended, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0)
        return rd_fail(error, RD_ERROR_IO, "'rsvg-convert' could not make the picture: use --svg");
    return RD_OK;
}

static enum rd_status copy(FILE *from, const char *path, struct rd_error *error)
{
    off_t size = fseeko(from, 0, SEEK_END) == 0 ? ftello(from) : -1;
    char *data = size >= 0 ? malloc((size_t)size + 1) : NULL;
    enum rd_status status;
    rewind(from);
    if (!data)
        status = rd_fail(error, RD_ERROR_MEMORY, "no memory for the picture");
    else if (fread(data, 1, (size_t)size, from) != (size_t)size)
        status = failed(error, path);
    else
        status = rd_report_file(path, data, (size_t)size, error);
    free(data);
    return status;
}

enum rd_status rd_report_png(const char *path, const char *svg, size_t size, struct rd_error *error)
{
    FILE *from = tmpfile(), *to = tmpfile();
    enum rd_status status = RD_OK;
    if (!from || !to || fwrite(svg, 1, size, from) != size || fflush(from) != 0)
        status = failed(error, "a temporary file");
    if (status == RD_OK) {
        rewind(from);
        status = convert(fileno(from), fileno(to), error);
    }
    if (status == RD_OK)
        status = copy(to, path, error);
    if (from)
        fclose(from);
    if (to)
        fclose(to);
    return status;
}
