// SPDX-License-Identifier: MIT
/* Texts that are nearly right, for readers that must take or refuse whatever they are given. */
#ifndef RD_TEST_GARBLE_H
#define RD_TEST_GARBLE_H

#include "base/random.h"

#include <stddef.h>
#include <string.h>

/* Changes the text at a place: another letter, a run of up to 23 of one put in, one taken out, or the end cut off. `size` is the
 * room for the text. */
static inline void test_garble(char *text, size_t size, const char *letters, uint64_t *state)
{
    const char letter = letters[rd_random(state) % strlen(letters)];
    size_t length = strlen(text), at = rd_random(state) % (length + 1);
    switch (rd_random(state) % 4) {
    case 0:
        if (at < length)
            text[at] = letter;
        break;
    case 1:
        for (uint64_t k = rd_random(state) % 24; k > 0 && length + 1 < size; k--, length++) {
            memmove(text + at + 1, text + at, length - at + 1);
            text[at] = letter;
        }
        break;
    case 2:
        if (at < length)
            memmove(text + at, text + at + 1, length - at);
        break;
    case 3:
        text[at] = '\0';
        break;
    }
}

#endif
