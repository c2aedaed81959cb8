// SPDX-License-Identifier: MIT
#include "check/interruption.h"

#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <sys/wait.h>

enum { WATCHED_MAX = 4 };

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
enum { N_NUMBERS = sizeof numbers / sizeof *numbers };

static volatile sig_atomic_t interrupted;
static volatile pid_t watched[WATCHED_MAX]; /* 0: none */

/* Changes those whose handler is that one. */
static void set_handlers(void (*from)(int number), void (*to)(int number), int flags)
{
    for (int k = 0; k < N_NUMBERS; k++) {
        struct sigaction old, action = {.sa_handler = to, .sa_flags = flags};
        sigemptyset(&action.sa_mask);
        if (sigaction(numbers[k], NULL, &old) == 0 && old.sa_handler == from)
            sigaction(numbers[k], &action, NULL);
    }
}

static void on_signal(int number)
{
    const int failed = errno;
    interrupted = number;
    set_handlers(on_signal, SIG_DFL, 0);
    for (int k = 0; k < WATCHED_MAX; k++)
        if (watched[k])
            kill(watched[k], SIGKILL);
    errno = failed;
}

void rd_interruption_catch(void)
{
    set_handlers(SIG_DFL, on_signal, 0);
}

void rd_interruption_let_calls_go_on(void)
{
    set_handlers(on_signal, on_signal, SA_RESTART);
}

void rd_interruption_release(void)
{
    set_handlers(on_signal, SIG_DFL, 0);
}

const volatile sig_atomic_t *rd_interruption(void)
{
    return &interrupted;
}

static void replace(pid_t old, pid_t new)
{
    for (int k = 0; k < WATCHED_MAX; k++)
        if (watched[k] == old) {
            watched[k] = new;
            return;
        }
    assert(new == 0);
}

void rd_interruption_watch(pid_t process)
{
    replace(0, process);
    if (interrupted)
        kill(process, SIGKILL);
}

void rd_interruption_unwatch(pid_t process)
{
    replace(process, 0);
}

int rd_interruption_await(pid_t process)
{
    siginfo_t ended;
    return waitid(P_PID, (id_t)process, &ended, WEXITED | WNOWAIT);
}
