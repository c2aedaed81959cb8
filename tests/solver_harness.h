// SPDX-License-Identifier: MIT
/* Harness of the tests of provers: a proof of a few goals, and provers that are scripts of the test's. */
#ifndef RD_TEST_SOLVER_HARNESS_H
#define RD_TEST_SOLVER_HARNESS_H

#include "temporary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "prove/solver/solver.h"

enum { SKIPPED = 77 };

/* ---- goals ---- */

extern struct rd_proof proof;
extern struct rd_terms *terms; /* of the proof */

/* Begins a proof without goals. */
void begin(void);
struct rd_proof_goal *add(const char *what);
/* Adds a goal that is true, but not by what the constructors know. */
struct rd_proof_goal *add_true(void);
void give(struct rd_proof_goal *goal, rd_term hypothesis);
rd_term number(int value);
rd_term constant(const char *name);
/* Asks the provers, without the cache; with those options. */
void ask(void);
void ask_with(struct rd_solver_options options);
void assert_answer(const struct rd_proof_goal *goal, enum rd_answer answer);

/* ---- provers ---- */

extern char cache[TEMPORARY_PATH_SIZE]; /* the folder of what was proved */
extern char *own_path;                  /* PATH, by which the machine's provers are found */

/* Has that prover be a shell script, of that version. */
void write_prover(const char *name, const char *version, const char *body);
/* Has that prover read questions, and between the two tags of each run that shell command, which may use $query, $tag, $number, the
 * number of the question, and may set $late, which is printed behind the second tag. */
void write_session(const char *name, const char *version, const char *body);
/* Has both provers be such a session, until the test's end. */
void use_fakes(const char *body);
/* Removes the files of a folder. */
void clear(const char *path);

/* ---- the group of tests ---- */

/* Tells whether both provers are here; says so if not. */
bool has_provers(void);
int set_up(void **state);
int tear_down(void **state);
/* Ends a test: the proof is gone, the machine's provers are back, the cache is empty. */
int end(void **state);

#endif
