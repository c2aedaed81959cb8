// SPDX-License-Identifier: MIT
#include "hostile.h"
#include <sched.h>

/* Makes a child of its parent, and a hundred below a hundred others, which end by themselves: late enough to be counted on a busy
 * machine. */
HOSTILE()
{
    long made = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
    if (made == 0) {
        sleep(20);
        _exit(0);
    }
    tell("sibling", made);
    int depth = 0;
    while (depth < 100 && fork() == 0)
        depth++;
    alarm(60);
    if (depth < 100)
        sleep(20);
    for (int n = 0; depth == 100 && n < 100; n++)
        if (fork() == 0) {
            alarm(60);
            sleep(20);
            _exit(0);
        }
    sleep(20);
    if (depth > 0)
        _exit(0);
    return 0;
}

int main(void)
{
    return IN_MAIN ? hostile() : 0;
}
