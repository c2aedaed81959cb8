// SPDX-License-Identifier: MIT
#include "law/as_sums.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tells whether a reduction begins with this word that is decided by some of its inputs alone. */
static bool is_decided_by_some(const char *word, size_t length)
{
    static const char *const words[] = {"max", "min", "argmax", "argmin", "and", "or"};
    const char *behind = word + length + strspn(word + length, " \t\n");
    if (strncmp(behind, "of", 2) != 0 || isalnum((unsigned char)behind[2]) || behind[2] == '_')
        return false;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strlen(words[k]) == length && strncmp(words[k], word, length) == 0)
            return true;
    return false;
}

char *rd_law_as_sums(const char *text)
{
    char *sums = NULL;
    size_t size;
    FILE *out = open_memstream(&sums, &size);
    while (out && *text) {
        size_t length = 0;
        while (isalnum((unsigned char)text[length]) || text[length] == '_')
            length++;
        if (length > 0 && is_decided_by_some(text, length))
            fputs("sum", out);
        else
            fwrite(text, 1, length > 0 ? length : 1, out);
        text += length > 0 ? length : 1;
    }
    if (!out || fclose(out) != 0) {
        free(sums);
        return NULL;
    }
    return sums;
}
