// SPDX-License-Identifier: MIT
/* Contains a process that runs a user's code: fork, with limits.
 *
 * What is contained, and by what:
 *   writing files       Landlock: only the run's private folder (TMPDIR), the folders that the caller names, /dev/null and the
 *                       like; and on a file system of its own of limited size where a mount namespace can be had
 *   other processes     a process namespace: none outside can be named, and none is left behind
 *   system calls        seccomp: no network, no privileges, no tracing, no limits raised
 *   memory, processes   a watch beside the run, which ends it
 *   the terminal        its modes and its screen are set right afterwards
 *
 * What is not: reading files (all but devices, as the user can), and what a program makes of its own verdict: it
 * shares its memory with the simulator that looks on. Nothing here protects a verdict from a program that is made to forge it;
 * what protects the user is that a run that says nothing is no success. */
#ifndef RD_CHECK_SANDBOX_H
#define RD_CHECK_SANDBOX_H

#include "reductio/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

enum {
    RD_SANDBOX_KEPT_MAX = 4,
    RD_SANDBOX_WRITE_MAX = 16,
    RD_SANDBOX_PROCESSES = 512,
    RD_SANDBOX_TEXT_SIZE = 600,
};

struct rd_sandbox_options {
    bool off; /* --no-sandbox */
    /* Folders where the program may write, besides its own. */
    const char *write[RD_SANDBOX_WRITE_MAX];
    unsigned n_write;
    size_t memory_bytes;  /* of all its processes; 0: three quarters of what is available */
    unsigned n_processes; /* and threads, of all its processes; 0: RD_SANDBOX_PROCESSES */
};

struct rd_sandbox {
    const struct rd_sandbox_options *options;
    char folder[512]; /* the private folder of the run; "": none */
    /* The keeper is the first process of a namespace, whose end ends all others; 0: there is none. */
    pid_t worker, keeper;
    int life; /* the keeper ends when this is closed; -1: none */
    struct rd_sandbox_told *told;
    void *watch; /* of the processes; NULL: none */
    bool watched;
    const char *volatile stopped; /* by the watch: why */
    char missing[RD_SANDBOX_TEXT_SIZE];
    char reason[RD_SANDBOX_TEXT_SIZE];
    void *terminal; /* how it was before */
};

/* Forks as fork(), with the child contained: a child of this process that can be waited for, in which all descriptors from 3
 * on are closed but those that are named. `directory` must exist: the run's private folder is made in it, and is gone after
 * rd_sandbox_finish(). The child has the private folder's path in TMPDIR. -1 where there can be no process, with errno; then
 * there is nothing to finish. */
pid_t rd_sandbox_fork(struct rd_sandbox *box, const struct rd_sandbox_options *options,
                      const char *directory, const int *kept, unsigned n_kept);

/* Waits for the child's end, ends all processes that it has left behind, frees what was taken, and sets the terminal right.
 * Returns the child's wait status. Afterwards `missing` says in one clause what could not be contained and why; "" if
 * nothing. */
int rd_sandbox_finish(struct rd_sandbox *box);

/* Says why the sandbox has ended the child: by its watch, or, for a wait status of that kind, by a system call that it does not
 * allow. NULL if it has not. Valid until the box is used again. */
const char *rd_sandbox_why_stopped(struct rd_sandbox *box, int status);

/* Limits a compiler that was just started, and what it will start: its memory, its time and its files. What it reads is not limited: a
 * file may include any that the user can read. */
void rd_sandbox_limit_compiler(pid_t process);

/* Readies what a program has written to for what is said of it. On a terminal: colours, margins, screens and modes as they
 * usually are, a fresh line, and nothing below: a program that has printed a verdict of its own has it above. In a file: goes to its
 * end. `unended`: its last line may lack an end; it gets one, also in a pipe, where nobody knows. */
void rd_sandbox_begin_verdict(FILE *file, bool unended);

/* Waits for the end of a child that was forked by rd_sandbox_fork(), and is watched (interruption.h), and finishes its box: gives
 * its status, as waitpid(). It is killed after limit_s: then *timed_out is set. `tell` is optional: it is called each
 * second. */
int rd_check_await(struct rd_sandbox *box, int limit_s, void (*tell)(void *self, unsigned seconds),
                   void *self, bool *timed_out);

#endif
