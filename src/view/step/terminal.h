// SPDX-License-Identifier: MIT
/* The terminal's own state, kept and given back whatever happens. Private to src/view/step. */
#ifndef RD_VIEW_STEP_TERMINAL_H
#define RD_VIEW_STEP_TERMINAL_H

#include <signal.h>
#include <stdbool.h>

/* Before ncurses starts: keeps the state. */
void rd_terminal_keep(void);

/* Once it has started: from here on signals that ask to leave set *interrupted, a second one ends
 * the process, and so does a crash; both give the terminal back first. Signals that were ignored stay so. */
void rd_terminal_guard(volatile sig_atomic_t *interrupted);

/* Once ncurses has ended: signals are as before. */
void rd_terminal_unguard(void);

#endif
