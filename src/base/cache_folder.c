// SPDX-License-Identifier: MIT
#include "base/cache_folder.h"

#include "base/own_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

bool rd_cache_is_own(const struct stat *about)
{
    return about->st_uid == geteuid() && (about->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool rd_cache_folder(const char *name, char path[RD_CACHE_PATH_SIZE])
{
    const char *place = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    struct stat about;
    struct rd_error error;
    int length;
    if (place && place[0] == '/') /* a relative one is to be ignored */
        length = snprintf(path, RD_CACHE_PATH_SIZE, "%s/reductio/%s/", place, name);
    else if (home && home[0] == '/')
        length = snprintf(path, RD_CACHE_PATH_SIZE, "%s/.cache/reductio/%s/", home, name);
    else
        return false;
    if (length <= 0 || length >= RD_CACHE_PATH_SIZE || rd_make_own_folders(path, &error) != RD_OK)
        return false;
    path[length - 1] = '\0';
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode) && rd_cache_is_own(&about);
}
