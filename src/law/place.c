// SPDX-License-Identifier: MIT
#include "law/place.h"

#include <stdio.h>

const char *rd_law_place(char text[RD_LAW_PLACE_SIZE], const char *name,
                         const struct rd_law_error *error)
{
    int length = snprintf(text, RD_LAW_PLACE_SIZE, "%.4095s", name);
    for (unsigned k = 0; k < 2; k++) {
        const size_t number = k == 0 ? error->line : error->column;
        if (number > 0)
            length += snprintf(text + length, (size_t)(RD_LAW_PLACE_SIZE - length), ":%zu", number);
    }
    return text;
}
