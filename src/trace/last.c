// SPDX-License-Identifier: MIT
/* Where the last run's trace is kept: the XDG Base Directory Specification's place for "actions
 * history". */
#include "reductio/trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Makes each folder of a path of a file, for this user only, as the specification asks. */
static enum rd_status make_folders(char *path, struct rd_error *error)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        if (!made)
            rd_fail(error, RD_ERROR_IO, "the folder '%s' can't be made: %s", path, strerror(errno));
        *slash = '/';
        if (!made)
            return RD_ERROR_IO;
    }
    return RD_OK;
}

enum rd_status rd_trace_last_path(char *path, size_t size, bool make, struct rd_error *error)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    char text[4096];
    int length;
    if (state && state[0] == '/') /* a relative one is to be ignored */
        length = snprintf(text, sizeof text, "%s/reductio/last.ndjson", state);
    else if (home && home[0] == '/')
        length = snprintf(text, sizeof text, "%s/.local/state/reductio/last.ndjson", home);
    else
        return rd_fail(error, RD_ERROR_IO,
                       "no place for the last run's trace: set HOME or XDG_STATE_HOME to an "
                       "absolute path");
    if (length < 0 || (size_t)length >= sizeof text || (size_t)length >= size)
        return rd_fail(error, RD_ERROR_IO, "the path of the last run's trace is too long");
    enum rd_status status = make ? make_folders(text, error) : RD_OK;
    if (status == RD_OK)
        memcpy(path, text, (size_t)length + 1);
    return status;
}
