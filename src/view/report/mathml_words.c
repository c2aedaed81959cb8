// SPDX-License-Identifier: MIT
#include "view/report/mathml_parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void rd_math_skip_blanks(struct rd_math *math)
{
    while (math->at < math->end && *math->at == ' ')
        math->at++;
}

bool rd_math_next_is(const struct rd_math *math, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(math->end - math->at) >= length && memcmp(math->at, word, length) == 0;
}

bool rd_math_take(struct rd_math *math, const char *sign)
{
    const char *start = math->at;
    rd_math_skip_blanks(math);
    if (!rd_math_next_is(math, sign)) {
        math->at = start;
        return false;
    }
    math->at += strlen(sign);
    return true;
}

bool rd_math_take_word(struct rd_math *math, const char *word)
{
    const char *start = math->at;
    if (rd_math_take(math, word) && (math->at == math->end || !isalnum((unsigned char)*math->at)))
        return true;
    math->at = start;
    return false;
}

void rd_math_operator(struct rd_math *math, const char *sign)
{
    bool bracket = strchr("()", sign[0]) != NULL;
    rd_markup_format(math->to, bracket ? "<mo stretchy=\"false\">%s</mo>" : "<mo>%s</mo>", sign);
}

struct rd_math_mark rd_math_here(const struct rd_math *math)
{
    return (struct rd_math_mark){math->at, math->to->size};
}

bool rd_math_take_back(struct rd_math *math, struct rd_math_mark start)
{
    math->at = start.at;
    math->to->size = start.size;
    if (math->to->data)
        math->to->data[start.size] = '\0';
    return false;
}

void rd_math_wrap(struct rd_math *math, struct rd_math_mark start, const char *markup)
{
    char *inner = math->to->failed ? NULL : strdup(math->to->data + start.size);
    if (!inner) {
        math->to->failed = true;
        return;
    }
    math->to->size = start.size;
    rd_markup_raw(math->to, markup);
    rd_markup_raw(math->to, inner);
    free(inner);
}
