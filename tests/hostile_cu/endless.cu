// SPDX-License-Identifier: MIT
#include "hostile.h"

/* For 30 seconds. */
HOSTILE()
{
    alarm(0);
    signal(SIGALRM, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    for (time_t end = time(nullptr) + 30; time(nullptr) < end;) {
    }
    return 0;
}

int main(void)
{
    return IN_MAIN ? hostile() : 0;
}
