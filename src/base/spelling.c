// SPDX-License-Identifier: MIT
#include "base/spelling.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { NAME_MAX_LENGTH = 40, SLIPS_MAX = 2 };

/* Letters to insert, delete, replace or swap to get from one to the other. */
static unsigned slips(const char *x, const char *y)
{
    unsigned d[NAME_MAX_LENGTH + 1][NAME_MAX_LENGTH + 1];
    size_t n = strlen(x), m = strlen(y);
    if (n > NAME_MAX_LENGTH || m > NAME_MAX_LENGTH)
        return SLIPS_MAX + 1;
    for (unsigned i = 0; i <= n; i++) {
        for (unsigned j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            unsigned best = d[i - 1][j - 1] + (x[i - 1] != y[j - 1]);
            if (d[i - 1][j] + 1 < best)
                best = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < best)
                best = d[i][j - 1] + 1;
            if (i > 1 && j > 1 && x[i - 1] == y[j - 2] && x[i - 2] == y[j - 1] &&
                d[i - 2][j - 2] + 1 < best)
                best = d[i - 2][j - 2] + 1;
            d[i][j] = best;
        }
    }
    return d[n][m];
}

/* Prefers, of two names as near, the one that the word begins: 'of' is 'off', not 'on'. */
static bool begins(const char *word, const char *name)
{
    return strncmp(name, word, strlen(word)) == 0;
}

const char *rd_nearest(const char *word, const char *const *names)
{
    const char *nearest = NULL;
    unsigned fewest = SLIPS_MAX + 1;
    for (; *names; names++) {
        unsigned count = slips(word, *names);
        bool nearer = count < fewest || (nearest && count == fewest && begins(word, *names) &&
                                         !begins(word, nearest));
        if (nearer && 2 * count <= strlen(*names)) {
            fewest = count;
            nearest = *names;
        }
    }
    return nearest;
}

void rd_alternatives(char *list, size_t size, const char *const *names)
{
    size_t length = 0;
    list[0] = '\0';
    for (size_t k = 0; names[k] && length < size; k++) {
        const char *between = k == 0 ? "" : names[k + 1] ? ", " : " or ";
        length += (size_t)snprintf(list + length, size - length, "%s%s", between, names[k]);
    }
}
