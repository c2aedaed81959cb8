// SPDX-License-Identifier: MIT
#include "reductio/status.h"

#include <stdarg.h>
#include <stdio.h>

const char *rd_status_text(enum rd_status status)
{
    static const char *const texts[] = {
        [RD_OK] = "success",
        [RD_ERROR_USAGE] = "bad usage",
        [RD_ERROR_INPUT] = "bad input",
        [RD_ERROR_IO] = "input or output failed",
        [RD_ERROR_MEMORY] = "no memory",
        [RD_ERROR_DEVICE] = "device failed",
        [RD_ERROR_LAUNCH] = "illegal launch",
        [RD_ERROR_HUNG] = "kernel did not end",
        [RD_ERROR_FAULT] = "kernel was stopped",
        [RD_ERROR_INTERRUPTED] = "interrupted",
    };
    if ((unsigned)status >= sizeof texts / sizeof *texts)
        return "unknown status";
    return texts[status];
}

enum rd_status rd_fail(struct rd_error *error, enum rd_status status, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return status;
}
