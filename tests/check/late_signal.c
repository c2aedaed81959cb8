// SPDX-License-Identifier: MIT
/* Preloaded into `reductio check`: SIGTERM comes right behind the end of a child, the LATE_SIGNAL-th that is waited for.
 * Says so where the number of the child, which another process may have by then, is signalled nevertheless. */
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#pragma GCC visibility push(default)
pid_t waitpid(pid_t process, int *status, int options);
int kill(pid_t process, int number);
#pragma GCC visibility pop

static pid_t own, reaped;
static long left;

__attribute__((constructor)) static void begin(void)
{
    own = getpid();
    left = atol(getenv("LATE_SIGNAL"));
    unsetenv("LD_PRELOAD"); /* the compiler waits, too */
}

pid_t waitpid(pid_t process, int *status, int options)
{
    const pid_t ended = wait4(process, status, options, NULL);
    if (ended > 0 && getpid() == own && --left == 0) {
        reaped = ended;
        raise(SIGTERM);
    }
    return ended;
}

int kill(pid_t process, int number)
{
    static const char said[] = "a child was signalled behind its end\n";
    if (reaped && (process == reaped || process == -reaped))
        return write(STDERR_FILENO, said, sizeof said - 1) > 0 ? 0 : -1;
    return (int)syscall(SYS_kill, process, number);
}
