// SPDX-License-Identifier: MIT
#include "evidence.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

void rd_input_set_add(struct rd_input_set *set, size_t index, int64_t times)
{
    if (set->count < RD_INPUT_SET_MAX) {
        set->index[set->count] = index;
        set->times[set->count] = times;
    }
    set->count++;
}

/* The ellipsis, the brace and the NUL always have room. */
enum { TAIL = sizeof ", ...}" };

static size_t append(char *text, size_t size, size_t at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text + at, size - at, format, arguments);
    va_end(arguments);
    return length > 0 && (size_t)length < size - at ? at + (size_t)length : size;
}

const char *rd_input_set_text(const struct rd_input_set *set, char *text, size_t size)
{
    size_t at = append(text, size, 0, "{");
    size_t i = 0;
    for (; i < set->count && i < RD_INPUT_SET_MAX; i++) {
        char member[64];
        size_t end = append(member, sizeof member, 0, "%s%zu", i ? ", " : "", set->index[i]);
        if (set->times[i] != 1)
            end = append(member, sizeof member, end, " (%" PRId64 " times)", set->times[i]);
        if (at + end + TAIL > size)
            break;
        at = append(text, size, at, "%s", member);
    }
    if (i < set->count)
        append(text, size, at, "%s...}", i ? ", " : "");
    else
        append(text, size, at, "}");
    return text;
}
