// SPDX-License-Identifier: MIT
#include "hostile.h"
#include <sys/resource.h>

/* Reaches for a process outside, which its test has started, and for its parent's group with a signal that does nothing. */
HOSTILE()
{
    const struct rlimit few = {16, 16};
    tell("kill", kill(target(), SIGTERM));
    tell("killpg", kill(-target(), SIGTERM));
    tell("tgkill", syscall(SYS_tgkill, target(), target(), SIGTERM));
    tell("tkill", syscall(SYS_tkill, target(), SIGTERM));
    int handle = (int)syscall(434, target(), 0); /* pidfd_open */
    tell("pidfd", handle < 0 ? -1 : syscall(424, handle, SIGTERM, nullptr, 0));
    tell("prlimit", prlimit(target(), RLIMIT_NOFILE, &few, nullptr));
    tell("parent", getppid() > 1 ? kill(getppid(), 0) : kill(atoi(given("HOSTILE_PARENT")), 0));
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", target());
    tell("mem", open(path, O_RDWR));
    return 0;
}

int main(void)
{
    return IN_MAIN ? hostile() : 0;
}
