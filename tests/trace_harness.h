// SPDX-License-Identifier: MIT
/* Harness of traces: records runs of the simulator, spoils the text, and replays it. */
#ifndef RD_TEST_TRACE_HARNESS_H
#define RD_TEST_TRACE_HARNESS_H

#include "shapes.h"
#include "reductio/trace.h"
#include "reductio/values.h"
#include "reductio/witness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* For cmocka_run_group_tests: the test's folder and the simulator, there and gone again. */
int trace_set_up(void **state);
int trace_tear_down(void **state);

extern struct rd_device *trace_device;
extern char trace_folder[];

/* ---- files ---- */

/* A file of this test; one of four texts that are used in turn. */
const char *in_folder(const char *name);
bool exists(const char *path);
/* The whole file; the caller frees it. */
char *slurp(const char *path);
void spit_bytes(const char *path, const char *text, size_t length);
void spit(const char *path, const char *text);

/* The text with the first `from` behind the first `after` replaced; the caller frees it. */
char *replaced(const char *text, const char *after, const char *from, const char *to);
/* The text without its line number `line`, 0-based; the caller frees it. */
char *without_line(const char *text, unsigned line);

/* ---- runs ---- */

/* A run to record. What is left out is i32, iota, no cut, live cells only. */
struct recipe {
    const char *program;
    size_t n;
    unsigned block; /* 0: the program's */
    enum rd_type type;
    enum rd_operation operation;
    const char *values;
    bool cut; /* to `cells` */
    size_t cells;
    bool frame;
    const volatile sig_atomic_t *interrupted;
    const struct rd_observer *then; /* observes behind the writer */
};

/* Runs it and writes the trace; returns the run's status. */
enum rd_status record_trace(const struct recipe *recipe, const char *path, struct rd_result *result,
                            struct rd_error *error);
/* Records it into the test's file and returns the text, which the caller frees. */
char *recorded_text(const struct recipe *recipe);

/* Replays a text. */
enum rd_status replay_bytes(const char *text, size_t length, struct rd_replay *replay,
                            struct rd_error *error);
struct rd_replay replay_text(const char *text);

/* Replaying the text says so, and the reason or the message has these words in it. */
void assert_replay_violated(const char *text, const char *reason);
void assert_replay_inconclusive(const char *text, const char *reason);
void assert_replay_refused(const char *text, const char *message);

/* The replay agrees with the run that was recorded. */
void assert_same_as_run(const struct rd_replay *replay, const struct rd_result *result);
/* Records, replays, and asserts that the two agree. */
void check_recipe(const struct recipe *recipe, enum rd_verdict verdict);

#endif
