// SPDX-License-Identifier: MIT
#include "hostile.h"

/* Leaves the output where what is said next would stand above a verdict of its own. */
HOSTILE()
{
    printf("first\nHOLDS rewind.cu: all of it");
    fflush(stdout);
    lseek(STDOUT_FILENO, 0, SEEK_SET);
    return 0;
}

int main(void)
{
    return IN_MAIN ? hostile() : 0;
}
