// SPDX-License-Identifier: MIT
#include "device/files.h"

#include <stdio.h>
#include <string.h>

enum { NAMES_SIZE = 100 };

/* "sim", or "sim or tpu": those that run files. */
static void list_names(const struct rd_device_ops *const *devices, char names[NAMES_SIZE])
{
    size_t length = 0;
    names[0] = '\0';
    for (; *devices && length < NAMES_SIZE; devices++)
        if ((*devices)->files)
            length += (size_t)snprintf(names + length, NAMES_SIZE - length, "%s%s",
                                       length ? " or " : "", (*devices)->name);
}

enum rd_status rd_files_find(const struct rd_device_ops *const *devices, const char *name,
                             const struct rd_device_ops **found, struct rd_error *error)
{
    char names[NAMES_SIZE];
    const bool any = strcmp(name, "auto") == 0;
    list_names(devices, names);
    for (const struct rd_device_ops *const *ops = devices; *ops; ops++) {
        if (any ? !(*ops)->files : strcmp((*ops)->name, name) != 0)
            continue;
        if (!(*ops)->files)
            return rd_fail(error, RD_ERROR_USAGE,
                           "'%s' runs programs of Reductio, and no kernels of a user's file: use "
                           "--device %s",
                           name, names);
        *found = *ops;
        return RD_OK;
    }
    return rd_fail(error, RD_ERROR_USAGE,
                   "'%s' is no device of this build that runs a user's kernels: use --device %s",
                   name, names);
}
