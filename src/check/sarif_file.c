// SPDX-License-Identifier: MIT
/* The file of --sarif. */
#include "check/check.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_stdout(const char *path)
{
    return strcmp(path, "-") == 0;
}

static enum rd_status fail(const char *path, int reason, struct rd_error *error)
{
    return rd_fail(error, RD_ERROR_IO, "'%s' can't be written: %s",
                   is_stdout(path) ? "standard output" : path, strerror(reason ? reason : EIO));
}

enum rd_status rd_check_sarif_try(const char *path, struct rd_error *error)
{
    struct stat about;
    if (is_stdout(path))
        return RD_OK;
    bool was_there = stat(path, &about) == 0;
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        return fail(path, errno, error);
    close(file);
    if (!was_there)
        unlink(path);
    return RD_OK;
}

enum rd_status rd_check_sarif_write(const json_t *outcome, const char *path, struct rd_error *error)
{
    struct stat about;
    FILE *file = is_stdout(path) ? stdout : fopen(path, "we");
    if (!file)
        return fail(path, errno, error);
    bool is_file = fstat(fileno(file), &about) == 0 && S_ISREG(about.st_mode);
    errno = 0;
    bool good = rd_check_write(outcome, RD_FORMAT_SARIF, file, NULL) == RD_OK &&
                fflush(file) == 0 && !ferror(file);
    int reason = errno;
    if (file == stdout) /* whoever ends it tells, too, and once is enough */
        return RD_OK;
    if (fclose(file) != 0 && good) {
        good = false;
        reason = errno;
    }
    if (good)
        return RD_OK;
    if (is_file)
        unlink(path);
    return fail(path, reason, error);
}
