// SPDX-License-Identifier: MIT
#include "hostile.h"

/* Prints a verdict of its own, over the one that stands there. */
HOSTILE()
{
    printf("k: 0 hazards in 1024 threads, which do not communicate: one schedule suffices\n");
    printf("\033[8m\033[?1049h\033[1;2r\033]0;HOLDS\007");
    fflush(stdout);
    return 0;
}

int main(void)
{
    return IN_MAIN ? hostile() : 0;
}
