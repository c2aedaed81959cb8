// SPDX-License-Identifier: MIT
#include "base/own_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum rd_status rd_make_own_folders(const char *path, struct rd_error *error)
{
    char *part = strdup(path);
    enum rd_status status =
        part ? RD_OK : rd_fail(error, RD_ERROR_MEMORY, "no memory for the path '%s'", path);
    for (char *slash = part ? strchr(part + 1, '/') : NULL; slash && status == RD_OK;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(part, 0700) != 0 && errno != EEXIST)
            status = rd_fail(error, RD_ERROR_IO, "the folder '%s' can't be made: %s", part,
                             strerror(errno));
        *slash = '/';
    }
    free(part);
    return status;
}

enum rd_status rd_write_own_file(const char *path, const char *text, struct rd_error *error)
{
    const int to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    FILE *file = to >= 0 ? fdopen(to, "w") : NULL;
    const bool is_written = file && fputs(text, file) >= 0;
    if (to >= 0 && !file)
        close(to);
    if (!file || fclose(file) != 0 || !is_written)
        return rd_fail(error, RD_ERROR_IO, "'%s' can't be written: %s", path, strerror(errno));
    return RD_OK;
}
