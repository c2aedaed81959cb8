// SPDX-License-Identifier: MIT
#include "hostile.h"

/* At most 600 MiB. */
HOSTILE()
{
    for (int k = 0; k < 600; k++) {
        char *more = (char *)malloc(1 << 20);
        for (int at = 0; more && at < 1 << 20; at += 4096)
            ((volatile char *)more)[at] = 1;
        usleep(500);
    }
    fprintf(stderr, "took it all\n");
    return 0;
}

int main(void)
{
    return IN_MAIN ? hostile() : 0;
}
