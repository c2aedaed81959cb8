// SPDX-License-Identifier: MIT
#include "hostile.h"

/* Leaves a process behind, for 20 seconds. */
HOSTILE()
{
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            signal(SIGTERM, SIG_IGN);
            for (int file = 0; file < 256; file++)
                close(file);
            sleep(20);
        }
        _exit(0);
    }
    wait(nullptr);
    return 0;
}

int main(void)
{
    return IN_MAIN ? hostile() : 0;
}
