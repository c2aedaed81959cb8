// SPDX-License-Identifier: MIT
#include "hostile.h"

/* getpid() by its number in x32. */
HOSTILE()
{
#ifdef __x86_64__
    tell("x32", syscall(0x40000000 + 39));
#endif
    return 0;
}

int main(void)
{
    return IN_MAIN ? hostile() : 0;
}
