// SPDX-License-Identifier: MIT
#include "program/definition.h"
#include "reductio/premise.h"
#include "reductio/run.h"
#include "device/sim/detect/observers.h"
#include "device/sim/sim.h"
#include "device/sim/source/source.h"
#include "run/given.h"
#include "reductio/values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The passes whose accesses are compared, with those of the first. */
static const char *const compared[] = {"ones",     "iota",     "powers",   "random:1",
                                       "random:2", "random:3", "random:4", "edges:1"};
enum { COMPARED = sizeof compared / sizeof *compared };

/* And the others: x, y and x + y, and edges. Of x and y RD_PREMISE_INDEPENDENT are independent. Of the edges, the
 * one above among them, there are 16, so that every input has been every corner: see values.h. */
enum { PAIRS = RD_PREMISE_INDEPENDENT / 2, EDGES = 15, FIRST_SEED = 11 };
_Static_assert(2 * (COMPARED + 3 * PAIRS + EDGES) == RD_PREMISE_PASSES, "all of both types");

/* ---- the values of a pass ---- */

static void name_values(char spec[RD_PREMISE_VALUES_SIZE], unsigned pass)
{
    unsigned pair = pass / 3, seed = FIRST_SEED + 2 * pair;
    if (pair >= PAIRS)
        snprintf(spec, RD_PREMISE_VALUES_SIZE, "edges:%u", pass - 3 * PAIRS + 2);
    else if (pass % 3 < 2)
        snprintf(spec, RD_PREMISE_VALUES_SIZE, "random:%u", seed + pass % 3);
    else
        snprintf(spec, RD_PREMISE_VALUES_SIZE, "random:%u + random:%u", seed, seed + 1);
}

static enum rd_status make_values(const struct rd_run *run, const struct rd_numeric *numeric,
                                  const char *spec, struct rd_values *values,
                                  struct rd_error *error)
{
    const struct rd_shape shape = rd_run_shape(run);
    size_t n_a = rd_program_inputs(run->program, &shape);
    size_t n_b = rd_program_has_b(run->program) ? rd_program_inputs_b(run->program, &shape) : 0;
    char first[RD_PREMISE_VALUES_SIZE];
    const char *plus = strstr(spec, " + ");
    struct rd_values more;
    snprintf(first, sizeof first, "%.*s", plus ? (int)(plus - spec) : (int)strlen(spec), spec);
    enum rd_status status = rd_values_init_two(values, numeric, first, n_a, n_b, error);
    if (status != RD_OK || !plus)
        return status;
    status = rd_values_init_two(&more, numeric, plus + 3, n_a, 0, error);
    for (size_t j = 0; j < n_a && status == RD_OK; j++)
        numeric->store(values->a, j,
                       numeric->from_u64(numeric->load(values->a, j) + numeric->load(more.a, j)));
    if (status == RD_OK)
        rd_values_finish(&more);
    else
        rd_values_finish(values);
    return status;
}

static void tell_pass(const struct rd_run *run, unsigned pass)
{
    const struct rd_progress *progress = run->progress;
    if (progress && progress->pass)
        progress->pass(progress->self, "on other values", pass, RD_PREMISE_PASSES);
}

/* A run like `run`, of that type and on these values. */
static enum rd_status run_on(const struct rd_run *run, const struct rd_numeric *numeric,
                             const char *spec, const struct rd_observer *const *observers,
                             struct rd_result *result, struct rd_error *error)
{
    struct rd_values values;
    struct rd_run on = *run;
    enum rd_status status = make_values(run, numeric, spec, &values, error);
    if (status != RD_OK)
        return status;
    on.numeric = numeric;
    on.a = values.a;
    on.b = values.b;
    on.values = spec;
    status = rd_run(&on, observers, result, error);
    rd_values_finish(&values);
    return status;
}

/* Runs the failing pass where it was compared, by the same build: an optimised one may lack the fault. */
enum rd_status rd_premise_run_failing(const struct rd_run *run, const struct rd_premise *premise,
                                      const struct rd_observer *const *observers,
                                      struct rd_result *result, struct rd_error *error)
{
    struct rd_sim_fingerprints unused = {.failed = false};
    struct rd_run again = *run;
    struct rd_error why;
    if (!premise->was_compared)
        return run_on(run, premise->numeric, premise->values, observers, result, error);
    enum rd_status status = rd_device_open("sim", &again.device, &why, error);
    if (status != RD_OK)
        return status;
    rd_sim_enter(again.device);
    rd_sim_fingerprints_take(&unused);
    status = run_on(&again, premise->numeric, premise->values, observers, result, error);
    rd_device_close(again.device);
    rd_sim_fingerprints_finish(&unused);
    return status;
}

/* ---- where a value decides something ---- */

struct test {
    struct rd_run run;        /* of each pass: silent, and under one schedule */
    struct rd_device *device; /* that the values are for, */
    struct rd_device *sim;    /* and the simulator: the same, or one of our own */
    struct rd_sim_fingerprints first, now;
    struct rd_premise *premise;
    struct rd_error *error;
};

static bool same_deed(const struct rd_sim_deed *x, const struct rd_sim_deed *y)
{
    return x->pc == y->pc && x->is_access == y->is_access && x->op == y->op &&
           strcmp(x->array, y->array) == 0 && x->index == y->index && x->left == y->left &&
           x->right == y->right;
}

static void write_value(char text[RD_VALUE_TEXT_SIZE], const struct rd_numeric *numeric,
                        uint64_t value)
{
    if (value > UINT32_MAX)
        snprintf(text, RD_VALUE_TEXT_SIZE, "%" PRIu64, value);
    else
        numeric->format(text, numeric->from_u64(value));
}

/* "reads A[5]", "compares 3 with 42"; NULL: nothing more. */
static void describe_deed(char *text, size_t size, const struct rd_numeric *numeric,
                          const struct rd_sim_deed *deed)
{
    static const char *const ops[] = {
        [RD_SIM_READ] = "reads", [RD_SIM_WRITE] = "writes", [RD_SIM_ATOMIC] = "changes"};
    char left[RD_VALUE_TEXT_SIZE], right[RD_VALUE_TEXT_SIZE];
    if (!deed) {
        snprintf(text, size, "does no more");
        return;
    }
    if (deed->is_access) {
        snprintf(text, size, "%s %s[%" PRId64 "]", ops[deed->op],
                 deed->array[0] ? deed->array : "memory", deed->index);
        return;
    }
    write_value(left, numeric, deed->left);
    write_value(right, numeric, deed->right);
    snprintf(text, size, "compares %s with %s", left, right);
}

/* " at kernels/fold.cu:18:9", or "". */
static void describe_place(char *text, size_t size, const struct rd_sim_deed *deed)
{
    struct rd_sim_line line = {.file = ""};
    if (deed)
        rd_sim_source_line(deed->pc, &line);
    text[0] = '\0';
    if (line.file[0])
        snprintf(text, size, " at %s:%u:%u", line.file, line.line, line.column);
}

static const struct rd_sim_deed *deed_of(const struct rd_sim_fingerprints *of, size_t k)
{
    return k < of->n_log ? &of->log[k] : NULL;
}

/* The first deed in which the two logs differ. */
static void describe_dependence(struct test *test, size_t thread, const char *specs[2])
{
    const struct rd_sim_fingerprints *of[2] = {&test->first, &test->now};
    const struct rd_numeric *numeric = test->run.numeric;
    char what[2][128], where[2][256];
    size_t k = 0, round = 0;
    while (k < of[0]->n_log && k < of[1]->n_log && same_deed(&of[0]->log[k], &of[1]->log[k]))
        k++;
    while (round + 1 < of[0]->n_launches && of[0]->launches[round + 1].first <= thread)
        round++;
    for (int i = 0; i < 2; i++) {
        describe_deed(what[i], sizeof what[i], numeric, deed_of(of[i], k));
        describe_place(where[i], sizeof where[i], deed_of(of[i], k));
    }
    const struct rd_sim_fingerprinted *launch = &of[0]->launches[round];
    size_t in_launch = thread - launch->first;
    snprintf(
        test->premise->dependence, sizeof test->premise->dependence,
        "in round %zu thread %zu of block %zu %s%s where the values are %s, and %s%s where they "
        "are %s (%s)",
        round + 1, in_launch % launch->block_threads, in_launch / launch->block_threads, what[0],
        where[0], specs[0], what[1], strcmp(where[0], where[1]) == 0 ? "" : where[1], specs[1],
        numeric->name);
}

static enum rd_status take(struct test *test, const char *spec, struct rd_sim_fingerprints *into,
                           struct rd_result *result)
{
    into->n_threads = into->n_launches = into->n_log = 0;
    rd_sim_enter(test->sim);
    rd_sim_fingerprints_take(into);
    test->run.device = test->sim;
    enum rd_status status = run_on(&test->run, test->run.numeric, spec, NULL, result, test->error);
    test->run.device = test->device;
    rd_sim_enter(test->sim);
    rd_sim_fingerprints_take(NULL);
    return status;
}

/* Makes the two passes again, with a log of the first thread that differs. */
static enum rd_status locate(struct test *test, const char *spec)
{
    struct rd_result unused;
    const char *specs[2] = {compared[0], spec};
    struct rd_sim_fingerprints *of[2] = {&test->first, &test->now};
    size_t thread = 0;
    enum rd_status status = RD_OK;
    while (thread + 1 < test->first.n_threads && thread + 1 < test->now.n_threads &&
           test->first.threads[thread] == test->now.threads[thread])
        thread++;
    for (int i = 0; i < 2 && status == RD_OK; i++) {
        of[i]->logs = true;
        of[i]->logged = thread;
        status = take(test, specs[i], of[i], &unused);
        of[i]->logs = false;
    }
    if (status == RD_OK)
        describe_dependence(test, thread, specs);
    return status;
}

static bool are_alike(const struct rd_sim_fingerprints *x, const struct rd_sim_fingerprints *y)
{
    return x->n_threads == y->n_threads &&
           (x->n_threads == 0 ||
            memcmp(x->threads, y->threads, x->n_threads * sizeof *x->threads) == 0);
}

/* ---- the passes ---- */

/* Takes note of how a pass has ended. */
static void record(struct test *test, const char *spec, const struct rd_result *result)
{
    struct rd_premise *premise = test->premise;
    if (result->verdict == RD_HOLDS) {
        premise->passes++;
        return;
    }
    premise->numeric = test->run.numeric;
    snprintf(premise->values, sizeof premise->values, "%s", spec);
}

static enum rd_status make_compared(struct test *test)
{
    struct rd_premise *premise = test->premise;
    enum rd_status status = RD_OK;
    for (unsigned k = 0; k < COMPARED && status == RD_OK && !premise->numeric; k++) {
        struct rd_sim_fingerprints *into = k == 0 ? &test->first : &test->now;
        struct rd_result result;
        tell_pass(&test->run, premise->passes + 1);
        status = take(test, compared[k], into, &result);
        if (status == RD_OK)
            record(test, compared[k], &result);
        premise->was_compared = premise->numeric != NULL;
        if (status != RD_OK || premise->numeric || test->first.failed || test->now.failed)
            continue;
        premise->n_compared++;
        if (k > 0 && !*premise->dependence && !are_alike(&test->first, &test->now))
            status = locate(test, compared[k]);
    }
    return status;
}

static enum rd_status make_others(struct test *test)
{
    enum rd_status status = RD_OK;
    for (unsigned k = 0; k < 3 * PAIRS + EDGES && status == RD_OK && !test->premise->numeric; k++) {
        char spec[RD_PREMISE_VALUES_SIZE];
        struct rd_result result;
        name_values(spec, k);
        tell_pass(&test->run, test->premise->passes + 1);
        status = run_on(&test->run, test->run.numeric, spec, NULL, &result, test->error);
        if (status == RD_OK)
            record(test, spec, &result);
    }
    return status;
}

enum rd_status rd_premise_test(const struct rd_run *given, struct rd_premise *premise,
                               struct rd_error *error)
{
    static const enum rd_type types[] = {RD_TYPE_U64, RD_TYPE_I32};
    struct rd_run taken;
    const struct rd_run *run = rd_run_given(given, &taken, false, error);
    if (!run)
        return RD_ERROR_USAGE;
    struct test test = {
        .run = *run, .device = run->device, .sim = run->device, .premise = premise, .error = error};
    struct rd_device *own = NULL;
    struct rd_error why;
    /* Sums of the library's own kernels alone have a build that tells comparisons. */
    *premise = (struct rd_premise){.has_comparisons = rd_sim_fingerprints_compare() &&
                                                      run->numeric->operation == RD_OPERATION_SUM &&
                                                      !rd_program_has_own_kernels(run->program)};
    test.run.pass = test.run.passes = 1; /* so that a violation is not explained */
    test.run.n_schedules = 1;
    enum rd_status status = RD_OK;
    if (!run->device->ops->simulates) {
        status = rd_device_open("sim", &own, &why, error);
        test.sim = own;
    }
    for (int t = 0; t < 2 && status == RD_OK && !premise->numeric; t++) {
        if (rd_program_accept_type(run->program, types[t], NULL) != RD_OK)
            continue;
        test.run.numeric = rd_numeric_over(types[t], run->numeric->operation);
        status = make_compared(&test);
        if (status == RD_OK)
            status = make_others(&test);
    }
    rd_sim_fingerprints_finish(&test.first);
    rd_sim_fingerprints_finish(&test.now);
    rd_device_close(own);
    return status;
}
