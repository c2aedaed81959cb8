// SPDX-License-Identifier: MIT
/* Reads a set of inputs as the views write them. */
#include "view/step/commands.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool number(const char **text, uint64_t *value)
{
    char *end;
    if (!isdigit((unsigned char)**text))
        return false;
    *value = strtoull(*text, &end, 10);
    *text = end;
    return true;
}

/* What stands next, if it does. */
static bool word(const char **text, const char *wanted)
{
    size_t length = strlen(wanted);
    if (strncmp(*text, wanted, length) != 0)
        return false;
    *text += length;
    return true;
}

/* "3", "0..7", "0..60 by 4", "3x2", "(0..7)x2": counts its members. */
static bool read_item(const char **text, size_t n, int64_t *counts)
{
    uint64_t first, last, stride = 1, times = 1;
    bool open = word(text, "(");
    if (!number(text, &first))
        return false;
    last = first;
    if (word(text, "..") && !number(text, &last))
        return false;
    if (word(text, " by ") && !number(text, &stride))
        return false;
    if (open && !word(text, ")"))
        return false;
    if (word(text, "x") && !number(text, &times))
        return false;
    if (last >= n || stride == 0 || times > INT32_MAX)
        return false;
    for (uint64_t input = first; input <= last; input += stride)
        counts[input] += (int64_t)times;
    return true;
}

enum rd_status rd_quiz_read_set(const char *text, size_t n, struct rd_input_set *set,
                                struct rd_error *error)
{
    enum { INPUTS_MAX = 1 << 20 };
    static const char between[] = " ,";
    n = n < INPUTS_MAX ? n : INPUTS_MAX;
    int64_t *counts = calloc(n + 1, sizeof *counts);
    if (!counts)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for a set of inputs");
    const char *rest = text;
    bool open = word(&rest, "{"), fine = true;
    for (rest += strspn(rest, between); fine && *rest && *rest != '}';) {
        fine = read_item(&rest, n, counts) && (*rest == '\0' || strchr(" ,}", *rest));
        rest += strspn(rest, between);
    }
    fine = fine && word(&rest, "}") == open && *rest == '\0';
    memset(set, 0, sizeof *set);
    for (size_t input = 0; fine && input < n; input++)
        if (counts[input] != 0)
            rd_input_set_add(set, input, counts[input]);
    free(counts);
    if (fine)
        return RD_OK;
    return rd_fail(error, RD_ERROR_USAGE,
                   "'%s' is not a set of inputs 0 to %zu: write their numbers, as {0,4} or {0..7}",
                   text, n - 1);
}
