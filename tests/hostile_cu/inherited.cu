// SPDX-License-Identifier: MIT
#include "hostile.h"

/* Looks for what the parent has open. */
HOSTILE()
{
    char text[16];
    for (int file = 3; file < 1024; file++)
        if (pread(file, text, 6, 0) == 6 && memcmp(text, "secret", 6) == 0)
            fprintf(stderr, "has the secret\n");
    return 0;
}

int main(void)
{
    return IN_MAIN ? hostile() : 0;
}
