// SPDX-License-Identifier: MIT
#include "hostile.h"
#include <sched.h>

HOSTILE()
{
    tell("unshare", unshare(CLONE_NEWUSER | CLONE_NEWNS));
    tell("clone",
         syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0) == 0 ? (_exit(0), 0) : -1);
    tell("io_uring", syscall(425, 1, nullptr));
    tell("keyctl", syscall(SYS_keyctl, 0, -3, 0));
    tell("setuid", setuid(65534));
    tell("seccomp", syscall(SYS_seccomp, 0, 0, nullptr));
    return 0;
}

int main(void)
{
    return IN_MAIN ? hostile() : 0;
}
