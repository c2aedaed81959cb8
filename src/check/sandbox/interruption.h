// SPDX-License-Identifier: MIT
/* Signals that ask a subcommand for its end: SIGINT, SIGTERM and SIGHUP. */
#ifndef RD_CHECK_INTERRUPTION_H
#define RD_CHECK_INTERRUPTION_H

#include <signal.h>
#include <sys/types.h>

/* Catches them, but those that are ignored. The first ends the processes that are watched, and a call that waits, such as a
 * read, with EINTR: also one that only began to wait when the signal came, within a second, by SIGALRM. A second one, of
 * any number, ends this process. */
void rd_interruption_catch(void);
/* All is read: a write that is blocked when the first signal comes is no failure, and goes on. */
void rd_interruption_let_calls_go_on(void);
/* More is read: calls are ended again. */
void rd_interruption_end_calls(void);

/* Points to the signal that has come; 0: none has. */
const volatile sig_atomic_t *rd_interruption(void);

/* A process of ours that has just been made; negative: a group. One that is made behind the signal is ended at once. */
void rd_interruption_watch(pid_t process);
void rd_interruption_unwatch(pid_t process);

/* Waits until a child has ended: 0; or until a signal comes: -1, as waitpid(). The child keeps its number until waitpid()
 * is called: it is unwatched before, or a signal may end another process, which has been given the number. */
int rd_interruption_await(pid_t process);

/* In a process that was forked: the signals are not caught any more. */
void rd_interruption_release(void);

#endif
