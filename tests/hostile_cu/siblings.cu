// SPDX-License-Identifier: MIT
#include "hostile.h"
#include <sched.h>

/* Makes a child of its parent, and one below a hundred others, which end by themselves. */
HOSTILE()
{
    long made = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
    if (made == 0) {
        sleep(4);
        _exit(0);
    }
    tell("sibling", made);
    int depth = 0;
    while (depth < 100 && fork() == 0)
        depth++;
    alarm(4);
    if (depth < 100)
        sleep(3);
    for (int n = 0; depth == 100 && n < 100; n++)
        if (fork() == 0) {
            alarm(4);
            sleep(3);
            _exit(0);
        }
    sleep(3);
    if (depth > 0)
        _exit(0);
    return 0;
}

int main(void)
{
    return IN_MAIN ? hostile() : 0;
}
