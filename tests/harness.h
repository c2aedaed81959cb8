// SPDX-License-Identifier: MIT
/* Harness of the program families' tests: runs a program on the device under test, looks at every step of it, and asserts
 * what its documentation says. */
#ifndef RD_TEST_HARNESS_H
#define RD_TEST_HARNESS_H

#include "reductio/run.h"
#include "shapes.h"
#include "reductio/values.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { TEST_STEPS_MAX = 32 };

/* The device that RD_TEST_DEVICE names, by default sim; "blind" is the simulator as one that looks for no
 * hazards, as a GPU is. Opened at the first call. Where it can't be opened the test program ends with 77:
 * skipped. */
struct rd_device *test_device(void);
bool test_device_is_sim(void);

/* RD_TEST_SEED or, by default, one of the clock; printed when it is first asked for. */
uint64_t test_seed(void);
/* "random:" and that seed plus `more`; until the next call. */
const char *test_random_values(uint64_t more);

/* For cmocka_run_group_tests: opens the device, and closes it. */
int test_set_up(void **state);
int test_tear_down(void **state);

/* A run to make. */
struct test_case {
    const char *program;
    size_t n; /* 0: as many as the values are */
    enum rd_type type;
    enum rd_operation operation;
    const char *values; /* NULL: "iota" */
    unsigned block;
    size_t grid;
    bool frame, go_on;
    unsigned n_schedules;     /* 0: one, as most tests make thousands of runs */
    bool alone;               /* on a GPU nobody looks for hazards beside it */
    bool unexplained;         /* as if in a pass of witness values: no violation is explained */
    struct rd_device *device; /* NULL: test_device() */
    const struct rd_program *custom; /* instead of `program`, when not NULL */
};

/* Tells whether to run the next case of a sweep: each is run, but one of 13 in a short run (RD_TEST_SHORT), as under
 * sanitizers. */
bool test_is_due(void);

/* A second run is as the first. On a GPU faults may race, and any block may be the last to draw a ticket. */
bool test_repeats(const struct test_case *test);

/* One step, as an observer saw it; arrays are copies. */
struct test_step {
    unsigned number;
    bool has_round;
    struct rd_round round;
    char statement[RD_STATEMENT_SIZE];
    struct rd_claim claim;
    enum rd_verdict verdict;
    bool whole;
    size_t n_cells, n_asserted, n_unbounded;
    bool violated;
    struct rd_violation violation;
    void *cells;    /* elem[n_cells] */
    void *expected; /* elem[n]; with frame off, the live cells of it */
};

/* A run, as an observer saw it. */
struct test_record {
    const struct rd_program *program;
    struct rd_values values;
    enum rd_status status;
    struct rd_error error;
    struct rd_result result; /* where status is RD_OK or RD_ERROR_INTERRUPTED */
    unsigned n_steps, begins, ends, hazards;
    struct test_step steps[TEST_STEPS_MAX];
    struct rd_hazard hazard; /* the last */
    char hazard_message[512];
    struct rd_result ended; /* what `end` was told */
};

/* The shape of a case, with the program's defaults filled in. */
struct rd_shape test_shape(const struct test_case *test);

/* The program takes the case, or this n where nothing else is asked for. */
bool test_accepts(const struct test_case *test);
bool test_accepts_n(const char *program, size_t n);

/* Number of types that the program is built of: the first of the table, as floats of 16 bits come last. */
unsigned test_types(const char *program);

/* Runs a case; the values must be good. With `result` and `error` as rd_run. */
enum rd_status test_run(const struct test_case *test, struct rd_result *result,
                        struct rd_error *error);
/* The same with an observer; the values, which observers may look at, are for the caller
 * to finish. */
enum rd_status test_run_observed(const struct test_case *test, const struct rd_observer *observer,
                                 struct rd_values *values, struct rd_result *result,
                                 struct rd_error *error);
/* Runs a case and records what happens; test_record_finish frees it. */
void test_record(const struct test_case *test, struct test_record *record);
void test_record_finish(struct test_record *record);

/* The value of an array cell at a step, as text; "." where the state does not have the cell. */
const char *test_cell_text(const struct test_record *record, unsigned step, size_t cell);

/* ---- how a run ends ---- */

enum { TEST_FINDINGS_MAX = 16 };

/* Outcome of a run: the last array that was copied back, and what was found on the way. */
struct test_outcome {
    struct rd_shape shape;
    struct rd_values values;
    struct rd_result result;
    void *cells; /* elem[n_cells] */
    size_t n_cells;
    struct rd_round round; /* the last */
    unsigned n_findings;
    struct test_finding {
        char name[32], kind[32], scope[16], array[32];
        unsigned step, n_places;
        uint64_t count;
        bool index_known;
        int64_t index;
        struct rd_index3 thread[2], block[2];
    } findings[TEST_FINDINGS_MAX];
};

/* Runs a case, which must not fail, whatever its verdict; test_outcome_finish frees what it left.
 */
void test_outcome(const struct test_case *test, struct test_outcome *outcome);
void test_outcome_finish(struct test_outcome *outcome);

/* The first finding of this name and, unless NULL, kind; NULL where there is none. */
const struct test_finding *test_finding(const struct test_outcome *outcome, const char *name,
                                        const char *kind);

/* The cell is this, as text. */
void assert_end_cell(const struct test_outcome *outcome, size_t cell, const char *text);
/* All cells of A are these, separated by blanks. */
void assert_end_cells(const struct test_outcome *outcome, const char *text);

/* The default run of a program. */
struct test_case test_default(const char *program);
/* The same, but for what the text of a puzzle has: n, and values (NULL: "iota"). */
struct test_case test_in_text(const char *program, size_t n, const char *values);
/* A launch's grid and block, and what it ends with: a run that must hold. The second dimensions are
 * 1 where they are left out. */
struct test_launch {
    size_t grid, grid_y;
    unsigned block, block_y;
    const char *cells; /* as assert_end_cells takes them */
};
void assert_launch(const struct test_case *test, const struct test_launch *wanted);
/* The right twin of a fault holds on its case, and is launched in its shape. */
void assert_twin_holds(const struct test_case *fault);

/* A finding of this name, kind and array is there, and the first of them has all that is stated here, threads and blocks of
 * `n_places` places too; what is 0, empty, or not `index_known`, is not looked at. */
void assert_finding(const struct test_outcome *outcome, const struct test_finding *wanted);

/* Outcome of a fault in the simulator. */
struct test_found {
    struct test_finding finding; /* as assert_finding takes it */
    unsigned n_findings;         /* 0: not looked at */
    bool is_right;               /* no step is violated */
    const char *cells;           /* as assert_end_cells takes them; NULL: not looked at */
};
/* The fault's twin holds; in the simulator, the fault is VIOLATED, and just this is found. */
void assert_found(const struct test_case *fault, const struct test_found *wanted);

/* Cell i of A, worked out in the plainest way from inputs that are small whole numbers. */
typedef uint64_t test_cell_of(const struct rd_shape *shape, const struct rd_values *values,
                              size_t i);
/* Element j of an input, as a whole number modulo 2^64. */
uint64_t test_whole(const struct rd_values *values, const void *cells, size_t j);
/* Runs a case, which must hold in all ways; unless NULL, `wanted` must be what A ends with. */
void assert_ends_with(const struct test_case *test, test_cell_of *wanted);
/* The same for n of 1 .. 40 and around the block and its multiples, for blocks of all kinds up to
 * block_max, several grids where it takes a number of blocks, all types, small numbers and random
 * ones (of which only what the program's own invariant says is asserted). Cases that the program
 * does not accept are left out. */
void assert_ends_with_for_all_shapes(const char *program, unsigned block_max, size_t n_max,
                                     test_cell_of *wanted);
/* The same for u64 and n of 2^17 - 1, 2^17 and 2^17 + 1, in blocks of so many threads; 0: the default. */
void assert_ends_with_for_large_n(const char *program, unsigned block, test_cell_of *wanted);

/* Runs the program for each j on inputs of which a[j] alone is 1: at each step and checkpoint, a live cell must be 1
 * if the invariant says that it contains j, else 0. */
void assert_cells_are_what_they_contain(const char *program, size_t n, unsigned block);

/* ---- the array as it must be ---- */

/* An expectation on given values, at step 0; test_finish_expect ends both. n as for the values. */
void test_init_expect(struct rd_expect *expect, const char *program, enum rd_type type,
                      const char *spec, size_t n, struct rd_values *values);
void test_finish_expect(struct rd_expect *expect, struct rd_values *values);
/* A copy of its cells, elem[n]; for the caller to free. */
void *test_copy_cells(const struct rd_expect *expect);

/* ---- what the tests of all families assert ---- */

void assert_text(const char *actual, const char *expected);
void assert_contains(const char *text, const char *fragment);

/* The run ends well: HOLDS, all obligations, every round made and every live cell asserted, no
 * hazard; and of integers the goal is what a loop over the input says. */
void assert_holds(const struct test_case *test);

/* Tests of programs that make rounds, as rows of a group: they hold for all n of 1 .. 257 that the program takes, of every type,
 * on generated values; at 2^k and its neighbours, up to 2^20; and for odd and even block sizes, with n around a block and two. */
#define TESTS_OF_ROUNDS(program)                                                                   \
    TEST_OF(program, holds_for_every_small_n), TEST_OF(program, holds_around_powers_of_two),       \
        TEST_OF(program, holds_for_every_block_size)
/* For small n: the array that the invariant computes round by round is the one that its definition gives, sum by sum; each input
 * is in one live cell, and dead cells keep their value. */
#define TEST_OF_PARTITION(program) TEST_OF(program, table_is_the_definition)
#define TEST_OF(program, what)                                                                     \
    {                                                                                              \
        .name = "test_" program "_" #what, .test_func = test_##what,                               \
        .initial_state = (void *)(uintptr_t)(program)                                              \
    }
void test_holds_for_every_small_n(void **program);
void test_holds_around_powers_of_two(void **program);
void test_holds_for_every_block_size(void **program);
void test_table_is_the_definition(void **program);
/* The last of another program, whose inputs are not in one live cell each unless `partition`. */
void assert_table_is_definition(const char *program, bool partition);

/* The state at each step is rows[step]: cells separated by blanks; "|" is decoration, and of a cell
 * written "." nothing is said. NULL ends the rows, and the run. */
void assert_steps(const struct test_case *test, const char *const *rows);

/* The rounds' widths, and the total of their threads. 0 ends the widths. */
void assert_rounds(const char *program, size_t n, const size_t *widths, size_t threads);

/* The expected violation. The sets as rd_input_set_text writes them; NULL: not explained. */
struct test_violation {
    enum rd_violation_kind kind;
    unsigned step;
    size_t cell;
    const char *expected, *actual;
    const char *expected_set, *actual_set, *lost, *extra;
};

/* The run is VIOLATED, and in just this way; obligations that came before hold. */
void assert_violated(const struct test_case *test, const struct test_violation *wanted);
/* The same of a fault, and its right twin holds on the same case. */
void assert_fault(const struct test_case *test, const struct test_violation *wanted);

/* The program refuses to run, with a message that has the fragment in it. */
void assert_refused(const struct test_case *test, const char *fragment);

#endif
