// SPDX-License-Identifier: MIT
#include "hostile.h"

HOSTILE()
{
    for (int file = 3; file < 1024; file++)
        close(file);
    return 0;
}

int main(void)
{
    return IN_MAIN ? hostile() : 0;
}
