// SPDX-License-Identifier: MIT
/* Harness of the histories of traces: records a run into the test's file, changes the text, and reads it. */
#ifndef RD_TEST_HISTORY_TRACES_H
#define RD_TEST_HISTORY_TRACES_H

#include "history_harness.h"

/* For cmocka_run_group_tests: the test's folder and the device, there and gone again. */
int history_set_up(void **state);
int history_tear_down(void **state);

/* The test's file. */
enum { TRACE_PATH_SIZE = 256 };
extern char trace_path[TRACE_PATH_SIZE];

/* As a trace is recorded: the run ends with what is wrong. */
void see(struct seen *seen, const struct test_case *test);
/* Writes the run's trace, states of more than `cells` cut. */
void record(const struct seen *seen, size_t cells);

/* The whole file; the caller frees it. */
char *slurp(size_t *length);
void spit(const char *text, size_t length);
/* Writes the text with the first `from` behind the last `after` replaced. */
void spit_replaced(const char *text, const char *after, const char *from, const char *to);

/* The file's history, of states in that many bytes; 0: in enough. */
struct rd_history *read_bounded(size_t bytes_max);
void assert_history_refused(const char *words);

#endif
