// SPDX-License-Identifier: MIT
/* A signal may come between any two instructions, those that go from one thread to another among them, and
 * whoever looks then for the callers must find them: a report tells where a kernel was that never ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/time.h>
#include <unwind.h>

#include "sim_launch.h"

enum { WALKS = 3000, INTERVAL_US = 50, FRAMES_MAX = 64 };

static volatile unsigned n_walks, n_endless;

static _Unwind_Reason_Code count_frame(struct _Unwind_Context *context, void *self)
{
    unsigned *n_frames = self;
    (void)context;
    return ++*n_frames < FRAMES_MAX ? _URC_NO_REASON : _URC_END_OF_STACK;
}

static void walk(int number)
{
    unsigned n_frames = 0;
    (void)number;
    _Unwind_Backtrace(count_frame, &n_frames);
    n_walks++;
    n_endless += n_frames == FRAMES_MAX;
}

static void set_timer(long interval_us)
{
    const struct timeval interval = {.tv_usec = interval_us};
    setitimer(ITIMER_REAL, &(struct itimerval){interval, interval}, NULL);
}

static void test_callers_are_found_at_any_instruction(void **state)
{
    static char stack[1 << 16];
    struct sigaction action = {.sa_handler = walk, .sa_flags = SA_ONSTACK | SA_RESTART};
    (void)state;
#if !defined __x86_64__ || defined RD_NO_ASSEMBLER
    skip(); /* a library switches, and may leave the unwinder nothing */
#endif
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    sigaction(SIGALRM, &action, NULL);
    set_timer(INTERVAL_US);
    while (n_walks < WALKS)
        test_launch_block("meets_often", &(int){1000}, 64, false);
    set_timer(0);
    assert_int_equal(n_endless, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_callers_are_found_at_any_instruction),
    };
    return cmocka_run_group_tests(tests, test_launch_init, test_launch_finish) != 0;
}
