// SPDX-License-Identifier: MIT
#include "check/await.h"
#include "check/interruption.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t is_over, seconds_left;
static volatile pid_t child;

/* Each second: so that it can be told that it goes on. */
static void on_alarm(int number)
{
    (void)number;
    if (--seconds_left > 0) {
        alarm(1);
        return;
    }
    is_over = 1;
    if (child > 0)
        kill(child, SIGKILL);
}

int rd_check_await(struct rd_sandbox *box, int limit_s, void (*tell)(void *self, unsigned seconds),
                   void *self, bool *timed_out)
{
    const pid_t process = box->worker;
    struct sigaction action = {.sa_handler = on_alarm}, before;
    sigemptyset(&action.sa_mask);
    is_over = 0;
    child = process;
    sigaction(SIGALRM, &action, &before);
    seconds_left = limit_s;
    alarm(1);
    while (rd_interruption_await(process) < 0 && errno == EINTR)
        if (tell)
            tell(self, (unsigned)(limit_s - seconds_left));
    alarm(0);
    child = 0;
    rd_interruption_unwatch(process);
    int status = rd_sandbox_finish(box);
    sigaction(SIGALRM, &before, NULL);
    *timed_out = is_over;
    return status;
}
