// SPDX-License-Identifier: MIT
#include "cli/svg.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum rd_status fail(const char *path, int reason, struct rd_error *error)
{
    return rd_fail(error, RD_ERROR_IO, "the chart '%s' can't be written: %s", path,
                   strerror(reason ? reason : EIO));
}

enum rd_status rd_cli_svg_open(struct rd_cli_svg *svg, const char *path, struct rd_error *error)
{
    *svg = (struct rd_cli_svg){.path = path};
    if (!path)
        return RD_OK;
    if (strcmp(path, "-") == 0)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'--svg' is '-', and the figures go to standard output: name a file");
    if (*path == '\0')
        return rd_fail(error, RD_ERROR_USAGE, "'--svg' is '': name a file");
    errno = 0;
    svg->file = fopen(path, "w");
    return svg->file ? RD_OK : fail(path, errno, error);
}

enum rd_status rd_cli_svg_close(struct rd_cli_svg *svg, enum rd_status status,
                                struct rd_error *error)
{
    struct stat about;
    if (!svg->file)
        return status;
    bool is_file = fstat(fileno(svg->file), &about) == 0 && S_ISREG(about.st_mode);
    errno = 0;
    bool failed = fflush(svg->file) != 0 || ferror(svg->file);
    int reason = errno;
    if (fclose(svg->file) != 0 && !failed) {
        failed = true;
        reason = errno;
    }
    svg->file = NULL;
    if (failed && status == RD_OK)
        status = fail(svg->path, reason, error);
    if (status != RD_OK && is_file)
        unlink(svg->path);
    return status;
}
