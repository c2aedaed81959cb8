// SPDX-License-Identifier: MIT
/* Outcomes of runs, checks and replays as data for other programs: filled from each of them, and written
 * as JSON, TAP, JUnit and SARIF. Nothing that was not checked looks clean in any of these. */
#ifndef RD_VIEW_RESULTS_H
#define RD_VIEW_RESULTS_H

#include "base/texts.h"
#include "reductio/run_record.h"
#include "reductio/trace.h"
#include "view/report/markup.h"

#include <stdio.h>

/* ---- formats ---- */

/* One row each: X(name, name in the enumeration). Text is what people read, which the views print; JSON is as
 * docs/results.schema.json has it, TAP the Test Anything Protocol, version 13, SARIF of version 2.1.0. All but the text have
 * a writer: rd_results_write_json() and so on. */
#define RD_DOCUMENT_FORMATS(X)                                                                     \
    X(json, JSON)                                                                                  \
    X(tap, TAP)                                                                                    \
    X(junit, JUNIT)                                                                                \
    X(sarif, SARIF)
#define RD_FORMATS(X) X(text, TEXT) RD_DOCUMENT_FORMATS(X)

#define RD_FORMAT_MEMBER(name, NAME) RD_FORMAT_##NAME,
enum rd_format { RD_FORMATS(RD_FORMAT_MEMBER) };
#undef RD_FORMAT_MEMBER

/* The names, as the value of an option: "text|json|...". */
#define RD_FORMAT_WORD(name, NAME) "|" #name
#define RD_FORMAT_WORDS            (&(RD_FORMATS(RD_FORMAT_WORD))[1])

/* "text", "json", …: by the enumeration, NULL behind the last. */
extern const char *const rd_format_names[];

/* ---- data ---- */

/* Outcome of a subject; of several, the greatest counts. */
enum rd_ending {
    RD_ENDING_HOLDS,
    RD_ENDING_NO_HAZARD, /* none was found, and no result was compared */
    RD_ENDING_INCONCLUSIVE,
    RD_ENDING_VIOLATED, /* or a hazard was found */
    RD_ENDING_INTERRUPTED,
    RD_ENDING_FAILED, /* bad usage, or the environment failed */
    RD_ENDING_COUNT,
};

/* "HOLDS", "NO_HAZARD", …; and the exit status that goes with it. */
const char *rd_ending_name(enum rd_ending ending);
int rd_ending_status(enum rd_ending ending);
/* The ending of a run with that verdict. */
enum rd_ending rd_ending_of(enum rd_verdict verdict);

/* Test of a subject. A subject has a test that is OPEN or VIOLATED if and only if it did not end well. */
enum rd_tested {
    RD_TESTED_HOLDS,
    RD_TESTED_SKIPPED, /* it was not looked at, as was asked for, or as the verdict allows for */
    RD_TESTED_OPEN,    /* it was to be decided, and is not */
    RD_TESTED_VIOLATED,
    RD_TESTED_COUNT,
};
const char *rd_tested_name(enum rd_tested state); /* "HOLDS", "SKIPPED", … */
/* The state of a test with that verdict. */
enum rd_tested rd_tested_of(enum rd_verdict verdict);

/* Tests about the hazards of a subject, and of a check about those of local variables; about a trace as a whole;
 * about the end of a program; and about a verdict that no other test tells. All others are about the subject's
 * violations. */
#define RD_TEST_OF_HAZARDS "hazards"
#define RD_TEST_OF_LOCALS  "local variables"
#define RD_TEST_OF_TRACE   "trace"
#define RD_TEST_OF_END     "end"
#define RD_TEST_OF_VERDICT "verdict"
/* Of an annotation that is no loop's: the only one. */
#define RD_TEST_OF_ASSERTION "assertion"

struct rd_results_test {
    const char *name; /* "preservation" */
    enum rd_tested state;
    const char *message; /* why; "" where nothing is to be said */
};

struct rd_results_violation {
    /* "bits", "bound", "frame", "goal"; of what was expected of a buffer, "result". */
    const char *kind;
    bool in_round;
    unsigned round;
    const char *place; /* of a checkpoint, "block 0, s = 4"; else NULL */
    const char *array; /* NULL: it is of no array's cell */
    size_t cell;
    const char *expected, *actual; /* as views show them */
    uint64_t count;                /* of cells that are wrong in this way */
    const char *message;           /* all of it in a sentence; and the inputs in the cell, */
    const char *evidence;          /* where that is known; else NULL */
    const char *file;              /* of the kernel; NULL: the subject's */
    unsigned line;
};

struct rd_results_hazard {
    struct rd_finding finding;
    const char *name; /* of the hazard; of RD_HAZARD_UNKNOWN as its trace has it */
    bool in_round;
    unsigned round;
    const char *const *schedules; /* under which it was seen, n_schedules; NULL: not told */
    size_t n_schedules;
};

/* A fact beside the verdict: "n" is 8, "type" is "i32". */
struct rd_results_fact {
    const char *name;
    const char *text; /* NULL: it is the number, at most 2^53 */
    uint64_t number;
};

enum { RD_RESULTS_FACTS_MAX = 24, RD_RESULTS_TESTS_MAX = 8, RD_RESULTS_UNLOOKED_MAX = 12 };

/* A run, a launch that was checked, or a trace. */
struct rd_subject {
    const char *kind; /* "run", "check", "trace", "program" or "annotation" */
    /* Name of the program or the kernel; the path of a trace, or of a program's file; of an annotation its text. */
    const char *name;
    enum rd_ending ending;
    const char *summary; /* in a line */
    const char *error;   /* of FAILED: why; else NULL */
    const char *file;    /* where what is at no other place is; NULL: nowhere */
    unsigned line;       /* 0: not told */
    struct rd_results_fact facts[RD_RESULTS_FACTS_MAX];
    size_t n_facts;
    struct rd_results_test tests[RD_RESULTS_TESTS_MAX];
    size_t n_tests;
    struct rd_results_violation *violations;
    size_t n_violations, violations_capacity;
    uint64_t n_violated; /* those that are not among them included */
    struct rd_results_hazard *hazards;
    size_t n_hazards, hazards_capacity;
    bool hazards_known; /* somebody has looked for them, or there are some */
    bool hazards_apart; /* another subject tells them: nothing is known of them here */
    uint64_t n_found;   /* hazards, those that are not among them included */
    const char *unlooked[RD_RESULTS_UNLOOKED_MAX]; /* what was not looked at, in sentences */
    size_t n_unlooked;
    /* What the file's code could do to the machine; NULL: nothing, or no file's code has run. */
    const char *not_contained;
};

struct rd_results {
    const char *command; /* "run", "check" or "verify" */
    struct rd_subject *subjects;
    size_t n_subjects, capacity;
    struct rd_texts texts; /* all of theirs */
    bool failed;           /* there was no memory for all of it */
};

/* `command` is the caller's. */
void rd_results_init(struct rd_results *results, const char *command);
void rd_results_finish(struct rd_results *results);

/* ---- filling ---- */

/* A run: `record`, which must outlive the results, has observed it, and `result` is what it, or rd_witness_run, gave.
 * `statement` says in a line how it has
 * ended; NULL: the last line of a run on plain values. */
void rd_results_add_run(struct rd_results *results, const struct rd_run *run,
                        const struct rd_run_record *record, const struct rd_result *result,
                        const char *statement);
/* A trace that was replayed. */
void rd_results_add_trace(struct rd_results *results, const char *path,
                          const struct rd_replay *replay);
/* Adds work that could not be done at all. */
void rd_results_add_failure(struct rd_results *results, const char *kind, const char *name,
                            const char *error);
/* Adds work that was interrupted before anything was known of it. */
void rd_results_add_interruption(struct rd_results *results, const char *kind, const char *name);

/* Adds a subject of another kind. It lives until the next one is added; it is NULL without memory, which
 * the functions below ignore. */
struct rd_subject *rd_results_add(struct rd_results *results, const char *kind, const char *name);
void rd_subject_add_number(struct rd_subject *subject, const char *name, uint64_t number);
void rd_subject_add_text(struct rd_results *results, struct rd_subject *subject, const char *name,
                         const char *text);
void rd_subject_add_test(struct rd_results *results, struct rd_subject *subject, const char *name,
                         enum rd_tested state, const char *message);
void rd_subject_add_unlooked(struct rd_results *results, struct rd_subject *subject,
                             const char *what);
/* Keeps what could not be contained; NULL or "" where all was. */
void rd_subject_set_not_contained(struct rd_results *results, struct rd_subject *subject,
                                  const char *what);
/* Their texts must outlive the results. */
void rd_subject_add_violation(struct rd_results *results, struct rd_subject *subject,
                              const struct rd_results_violation *violation);
void rd_subject_add_hazard(struct rd_results *results, struct rd_subject *subject,
                           const struct rd_results_hazard *hazard);
/* Ends a subject: adds a failed test if the subject did not end well and no test shows that. */
void rd_subject_settle(struct rd_results *results, struct rd_subject *subject, const char *why);

/* ---- telling ---- */

/* The worst ending of all subjects; of none, FAILED. */
enum rd_ending rd_results_ending(const struct rd_results *results);
/* Counts the tests of a subject, or of all (NULL), in that state. */
size_t rd_results_count(const struct rd_results *results, const struct rd_subject *subject,
                        enum rd_tested state);

/* Writes the whole document in any format but RD_FORMAT_TEXT, or nothing of it: RD_ERROR_MEMORY. Whether it could be
 * written `file` tells. */
enum rd_status rd_results_write(const struct rd_results *results, enum rd_format format, FILE *file,
                                struct rd_error *error);

/* The writers of results, one for each format, and what they share. Private to src/view. */

/* Append the whole document. */
#define RD_DECLARE_WRITER(name, NAME)                                                              \
    void rd_results_write_##name(struct rd_markup *to, const struct rd_results *results);
RD_DOCUMENT_FORMATS(RD_DECLARE_WRITER)
#undef RD_DECLARE_WRITER

/* Parts of the document in JSON. */
json_t *rd_results_json_violation(const struct rd_results_violation *violation);
json_t *rd_results_json_hazard(const struct rd_results_hazard *hazard);
/* The facts of a subject, and its counts: those of violations and of hazards, null where nobody looked. */
json_t *rd_results_json_facts(const struct rd_subject *subject);
json_t *rd_results_json_counts(const struct rd_subject *subject);
/* Returns what could not be contained, or null. */
json_t *rd_results_json_not_contained(const struct rd_subject *subject);
/* Returns the counts of the tests of the subject, or of all (NULL), by state. */
json_t *rd_results_json_tests(const struct rd_results *results, const struct rd_subject *subject);

/* Appends a value, in a line or laid out; it is given up. */
void rd_results_append(struct rd_markup *to, json_t *value, size_t flags);

/* Tells whether the subject has a violation or a hazard that the test is about. */
bool rd_results_test_is_told(const struct rd_subject *subject, const struct rd_results_test *test);

#endif
