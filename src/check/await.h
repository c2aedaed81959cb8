// SPDX-License-Identifier: MIT
#ifndef RD_CHECK_AWAIT_H
#define RD_CHECK_AWAIT_H

#include "check/sandbox.h"

/* Waits for the end of a child that was forked by rd_sandbox_fork(), and is watched (interruption.h), and finishes its box: gives
 * its status, as waitpid(). It is killed after limit_s: then *timed_out is set. `tell` is optional: it is called each
 * second. */
int rd_check_await(struct rd_sandbox *box, int limit_s, void (*tell)(void *self, unsigned seconds),
                   void *self, bool *timed_out);

#endif
