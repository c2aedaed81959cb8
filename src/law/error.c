// SPDX-License-Identifier: MIT
#include "law/error.h"
#include "law/tree.h"

#include <stdarg.h>
#include <stdio.h>

enum rd_status rd_law_fail_at(const struct rd_law *law, struct rd_law_error *error,
                              struct law_span span, enum rd_status status, const char *format, ...)
{
    va_list args;
    if (!error)
        return status;
    error->line = error->column = 1;
    for (uint32_t k = 0; law && k < span.begin && law->text[k]; k++) {
        error->column++;
        if (law->text[k] == '\n') {
            error->line++;
            error->column = 1;
        }
    }
    if (status == RD_ERROR_MEMORY || status == RD_ERROR_INTERRUPTED)
        error->line = error->column = 0;
    va_start(args, format);
    vsnprintf(error->what.text, sizeof error->what.text, format, args);
    va_end(args);
    return status;
}

const char *rd_law_error_place(char text[RD_LAW_ERROR_PLACE_SIZE], const char *name,
                               const struct rd_law_error *error)
{
    int length = snprintf(text, RD_LAW_ERROR_PLACE_SIZE, "%.4095s", name);
    for (unsigned k = 0; k < 2; k++) {
        const size_t number = k == 0 ? error->line : error->column;
        if (number > 0)
            length +=
                snprintf(text + length, (size_t)(RD_LAW_ERROR_PLACE_SIZE - length), ":%zu", number);
    }
    return text;
}
