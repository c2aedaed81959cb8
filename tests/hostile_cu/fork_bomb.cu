// SPDX-License-Identifier: MIT
#include "hostile.h"

/* At most 200, which end by themselves. */
HOSTILE()
{
    int n = 0;
    for (; n < 200; n++) {
        pid_t made = fork();
        if (made < 0)
            break;
        if (made == 0) {
            alarm(4);
            pause();
            _exit(0);
        }
    }
    fprintf(stderr, "forked %d\n", n);
    sleep(2);
    return 0;
}

int main(void)
{
    return IN_MAIN ? hostile() : 0;
}
