// SPDX-License-Identifier: MIT
#include "hostile.h"

/* getpid() by its number in 32 bits. */
HOSTILE()
{
#ifdef __x86_64__
    long result = 20;
    __asm__ volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
    tell("int 0x80", result);
#endif
    return 0;
}

int main(void)
{
    return IN_MAIN ? hostile() : 0;
}
