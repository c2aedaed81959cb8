// SPDX-License-Identifier: MIT
#include "check/sandbox/interruption.h"

#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WATCHED_MAX = 4, AGAIN_S = 1 };

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
enum { N_NUMBERS = sizeof numbers / sizeof *numbers };

static volatile sig_atomic_t interrupted;
static volatile sig_atomic_t calls_end;     /* a call that waits is ended by the signal */
static volatile pid_t watched[WATCHED_MAX]; /* 0: none */

/* Changes the handler, if it is that one. */
static void set_handler(int number, void (*from)(int number), void (*to)(int number), int flags)
{
    struct sigaction old, action = {.sa_handler = to, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler == from)
        sigaction(number, &action, NULL);
}

static void set_handlers(void (*from)(int number), void (*to)(int number), int flags)
{
    for (int k = 0; k < N_NUMBERS; k++)
        set_handler(numbers[k], from, to, flags);
}

/* A call that began to wait between the look at `interrupted` and the signal wasn't ended by it: this ends it. */
static void on_alarm(int number)
{
    (void)number;
    if (calls_end)
        alarm(AGAIN_S);
}

static void on_signal(int number)
{
    const int failed = errno;
    interrupted = number;
    set_handlers(on_signal, SIG_DFL, 0);
    if (calls_end)
        alarm(AGAIN_S);
    for (int k = 0; k < WATCHED_MAX; k++)
        if (watched[k])
            kill(watched[k], SIGKILL);
    errno = failed;
}

void rd_interruption_catch(void)
{
    calls_end = 1;
    set_handler(SIGALRM, SIG_DFL, on_alarm, 0);
    set_handlers(SIG_DFL, on_signal, 0);
}

void rd_interruption_let_calls_go_on(void)
{
    calls_end = 0;
    set_handlers(on_signal, on_signal, SA_RESTART);
    set_handler(SIGALRM, on_alarm, on_alarm, SA_RESTART);
}

void rd_interruption_end_calls(void)
{
    calls_end = 1;
    set_handler(SIGALRM, on_alarm, on_alarm, 0);
    set_handlers(on_signal, on_signal, 0);
    if (interrupted)
        alarm(AGAIN_S);
}

void rd_interruption_release(void)
{
    calls_end = 0;
    set_handlers(on_signal, SIG_DFL, 0);
    set_handler(SIGALRM, on_alarm, SIG_DFL, 0);
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
