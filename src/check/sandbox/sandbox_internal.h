// SPDX-License-Identifier: MIT
/* The sandbox's parts. Private to this folder. */
#ifndef RD_CHECK_SANDBOX_INTERNAL_H
#define RD_CHECK_SANDBOX_INTERNAL_H

#include "check/sandbox/sandbox.h"

#include <stdint.h>

/* Parts of the containment, as they are told where one is missing. */
enum rd_sandbox_part {
    RD_SANDBOX_FILES,
    RD_SANDBOX_TRUNCATION,
    RD_SANDBOX_CALLS,
    RD_SANDBOX_PROCESSES_OUTSIDE,
    RD_SANDBOX_PROCESSES_LEFT,
    RD_SANDBOX_PRIVILEGES,
    RD_SANDBOX_LIMITS,
    RD_SANDBOX_PARTS,
};

/* Memory that the processes share while a child is set up. The child has it no more when user's code begins. */
struct rd_sandbox_told {
    bool ready;
    pid_t worker, keeper;
    int errors[RD_SANDBOX_PARTS]; /* 0: contained; else errno */
    bool has_namespaces, has_own_disk, is_read_only;
    unsigned landlock; /* the version; 0: none */
};

/* ---- sandbox.c ---- */

/* Closes all descriptors from this one on. */
void rd_sandbox_close_from(int file);

/* ---- namespaces.c ---- */

/* Forks through a process that enters namespaces of its own: sets box->keeper. 0 in the child, which is the second process of
 * its namespace; -1 where there can be none, and the caller forks. */
pid_t rd_sandbox_fork_apart(struct rd_sandbox *box);

/* ---- files.c ---- */

/* Lets this process write only to where it may, by Landlock. */
void rd_sandbox_restrict_files(const struct rd_sandbox *box, struct rd_sandbox_told *told);

/* ---- calls.c ---- */

/* Lets this process make only system calls that it may, by seccomp. Returns errno. `names_others`: processes outside can be named, for
 * it has no namespace: it may signal none but itself where Landlock does not see to that. */
int rd_sandbox_restrict_calls(bool names_others, bool signals_inside);

/* ---- watch.c ---- */

/* Watches over the processes of a box until rd_sandbox_watch_end(). */
void rd_sandbox_watch_begin(struct rd_sandbox *box);
void rd_sandbox_watch_end(struct rd_sandbox *box);

/* Memory that a run may have where nothing else is said, in bytes; UINT64_MAX where nobody knows what the machine has left. */
uint64_t rd_sandbox_memory(void);

/* Kills all that descends from this process in other sessions, until nothing is left. */
void rd_sandbox_kill_left(void);

/* Waits for the end of a keeper that was killed, and of its namespace with it. */
void rd_sandbox_wait_for_all(pid_t keeper);

/* ---- terminal.c ---- */

/* Keeps, and restores, the modes of standard input, output and error. */
void *rd_sandbox_terminal_keep(void);
void rd_sandbox_terminal_restore(void *terminal);

#endif
