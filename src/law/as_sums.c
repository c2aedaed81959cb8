// SPDX-License-Identifier: MIT
#include "law/as_sums.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is decided by some of its inputs alone; and what stands in its place. An index is no value: it is told from one by a
 * factor that no law has. */
static const struct decided {
    const char *word, *instead;
} decided[] = {{"max", "sum"},
               {"min", "sum"},
               {"and", "sum"},
               {"or", "sum"},
               {"argmax", "1000003*sum"},
               {"argmin", "1000033*sum"}};

/* The one with which a reduction begins; NULL: this word is another. */
static const struct decided *decided_at(const char *word, size_t length)
{
    const char *behind = word + length + strspn(word + length, " \t\n");
    if (strncmp(behind, "of", 2) != 0 || isalnum((unsigned char)behind[2]) || behind[2] == '_')
        return NULL;
    for (size_t k = 0; k < sizeof decided / sizeof *decided; k++)
        if (strlen(decided[k].word) == length && strncmp(decided[k].word, word, length) == 0)
            return &decided[k];
    return NULL;
}

char *rd_law_as_sums(const char *text, enum rd_operation own)
{
    char *sums = NULL;
    size_t size;
    FILE *out = open_memstream(&sums, &size);
    while (out && *text) {
        size_t length = 0;
        while (isalnum((unsigned char)text[length]) || text[length] == '_')
            length++;
        const struct decided *found = length > 0 ? decided_at(text, length) : NULL;
        if (found && strcmp(found->word, rd_operation_name(own)) == 0)
            fputs("sum", out);
        else if (found)
            fputs(found->instead, out);
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
