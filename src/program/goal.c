// SPDX-License-Identifier: MIT
/* Compares what a program promises in words of its own with its law: at the end of the rounds, on inputs that look random,
 * each cell that the promise claims is to hold what the law says.
 *
 * A maximum is decided by one of its inputs, and others could be left out unseen; so could half of those of an `and` or `or`,
 * which random numbers saturate. So both texts are compared with sums in the place of these, too: the sums of random numbers
 * agree where the same inputs are in them, each as often. That it is by the same operation, the texts as they are tell. */
#include "base/random.h"
#include "law/as_sums.h"
#include "law/lexer.h"
#include "program/definition.h"
#include "program/paragraph.h"
#include "reductio/operation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL_N_MAX = 32, CELLS_MAX = 1 << 16, PLAYED_MAX = 1 << 22, TRIALS = 2 };

/* ---- both as sums ---- */

/* Of a program over another operation, "sum" is that operation; but in place of what some inputs decide. */
static enum rd_operation operation_of(const struct rd_program *program)
{
    const enum rd_operation own = program->operation;
    return own == RD_OPERATION_PRODUCT || own == RD_OPERATION_XOR ? own : RD_OPERATION_SUM;
}

static bool is_of_indices(const struct rd_program *program, const char *text)
{
    return program->operation == RD_OPERATION_ARGMAX || program->operation == RD_OPERATION_ARGMIN ||
           strstr(text, "argmax") || strstr(text, "argmin");
}

/* A text as it is, and with sums. Laws over indices have no plain one: they are compared as sums alone, whose factors tell the
 * operations apart. */
struct readings {
    struct rd_law *plain, *sums;
};

static void readings_finish(struct readings *readings)
{
    rd_law_destroy(readings->plain);
    rd_law_destroy(readings->sums);
}

static enum rd_status read_law(const struct rd_program *program, const char *text, const char *what,
                               struct readings *readings, struct rd_error *error)
{
    struct rd_law_error why = {0};
    char *sums = rd_law_as_sums(text, program->operation);
    if (!sums)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for a program");
    enum rd_status status = rd_law_create(&readings->sums, sums, &why);
    if (status == RD_OK && !is_of_indices(program, text))
        status = rd_law_create(&readings->plain, text, &why);
    free(sums);
    return status == RD_OK
               ? RD_OK
               : rd_fail(error, status, "'%s' of '%s': %s", what, program->name, why.what.text);
}

/* The promise as a law, with the paragraph's arrays and definitions. */
static enum rd_status read_goal(const struct rd_program *program, struct readings *goal,
                                struct rd_error *error)
{
    const char *paragraph = rd_program_law(program);
    struct rd_law_sentence sentence;
    char *text = NULL;
    const int length =
        rd_law_find_sentence(paragraph, "law", &sentence) ? (int)(sentence.begin - paragraph) : 0;
    if (asprintf(&text, "%.*s\nlaw %s", length, paragraph, program->goal_text) < 0)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for a program");
    const enum rd_status status = read_law(program, text, "goal_text", goal, error);
    free(text);
    return status;
}

/* ---- their comparison ---- */

/* The inputs, the array as it was, as the law then has it, and as the promise has that. */
struct arrays {
    size_t n_cells;
    uint64_t *inputs[2], *before, *by_law, *by_goal;
};

static void arrays_finish(struct arrays *arrays)
{
    free(arrays->inputs[0]);
    free(arrays->inputs[1]);
    free(arrays->before);
    free(arrays->by_law);
    free(arrays->by_goal);
}

/* False where there is no memory. */
static bool arrays_init(struct arrays *arrays, size_t n_cells, size_t n_a, size_t n_b,
                        unsigned trial)
{
    arrays->n_cells = n_cells;
    arrays->inputs[0] = rd_random_odd_numbers(n_a, 3 * trial + 1);
    arrays->inputs[1] = rd_random_odd_numbers(n_b, 3 * trial + 2);
    arrays->before = rd_random_odd_numbers(n_cells, 3 * trial);
    arrays->by_law = rd_random_odd_numbers(n_cells, 3 * trial);
    arrays->by_goal = rd_random_odd_numbers(n_cells, 3 * trial);
    return arrays->inputs[0] && arrays->inputs[1] && arrays->before && arrays->by_law &&
           arrays->by_goal;
}

/* What is compared: the program's law, and its promise as one, by what `sum` stands for. */
struct laws {
    const struct rd_law *own, *goal;
    enum rd_operation operation;
};

/* Puts what the law claims behind the last round into the cells. */
static enum rd_status apply(const struct laws *laws, bool is_goal, const struct rd_program *program,
                            const struct rd_shape *shape, const struct arrays *arrays,
                            uint64_t *cells, struct rd_error *error)
{
    const struct rd_law_sizes sizes = {
        .n = shape->n,
        .T = shape->block,
        .B = shape->grid,
        .work_max = program->played ? (uint64_t)PLAYED_MAX << 8 : CELLS_MAX << 8,
    };
    const struct rd_law_data data = {
        .numeric = rd_numeric_over(RD_TYPE_U64, laws->operation),
        .inputs = (const void *const[]){arrays->inputs[0], arrays->inputs[1]},
    };
    const struct rd_law_place place = {.d = rd_program_rounds(program, shape)};
    const struct rd_law *law = is_goal ? laws->goal : laws->own;
    struct rd_law_run *run;
    struct rd_law_error why = {0};
    enum rd_status status = rd_law_run_create(&run, law, &sizes, &why);
    if (status == RD_OK) {
        status =
            rd_law_apply(run, rd_law_section(law, 0), RD_LAW_LAW, &place, &data, cells, NULL, &why);
        rd_law_run_destroy(run);
    }
    if (status != RD_OK && program->played)
        return rd_fail(error, status, "behind the last round, %s", why.what.text);
    return status == RD_OK
               ? RD_OK
               : rd_fail(error, status, "'%s' of '%s', of n = %zu behind its last round: %s",
                         is_goal ? "goal_text" : "law", program->name, shape->n, why.what.text);
}

/* Finds the first cell in which they differ; n_cells where there is none. */
static size_t difference(const uint64_t *x, const uint64_t *y, size_t n_cells)
{
    size_t k = 0;
    while (k < n_cells && x[k] == y[k])
        k++;
    return k;
}

static enum rd_status compare(const struct laws *laws, const struct rd_program *program,
                              const struct rd_shape *shape, struct arrays *arrays,
                              struct rd_error *error)
{
    const size_t n_cells = arrays->n_cells;
    const unsigned rounds = rd_program_rounds(program, shape);
    enum rd_status status = apply(laws, true, program, shape, arrays, arrays->by_goal, error);
    if (status != RD_OK)
        return status;
    if (difference(arrays->before, arrays->by_goal, n_cells) == n_cells)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'goal_text' of '%s' claims no cell of n = %zu behind round %u",
                       program->name, shape->n, rounds);
    status = apply(laws, false, program, shape, arrays, arrays->by_law, error);
    memcpy(arrays->by_goal, arrays->by_law, n_cells * sizeof *arrays->by_goal);
    if (status == RD_OK)
        status = apply(laws, true, program, shape, arrays, arrays->by_goal, error);
    if (status != RD_OK)
        return status;
    const size_t cell = difference(arrays->by_law, arrays->by_goal, n_cells);
    if (cell == n_cells)
        return RD_OK;
    struct rd_law_about about;
    rd_law_about(rd_law_section(rd_paragraph_of(program)->law, 0), &about);
    const bool is_silent = arrays->by_law[cell] == arrays->before[cell];
    if (program->played) /* of one size, and of its own inputs it may say the same */
        return rd_fail(error, RD_ERROR_USAGE,
                       is_silent ? "there the invariant says nothing of %s[%zu], and 'ensures' does"
                                 : "of some inputs the invariant says there that %s[%zu] holds "
                                   "something else",
                       about.array, cell);
    return rd_fail(error, RD_ERROR_USAGE,
                   "'goal_text' of '%s' promises of %s[%zu] what its law doesn't say: of n = %zu "
                   "the law %s behind round %u",
                   program->name, about.array, cell, shape->n,
                   is_silent ? "says nothing of that cell" : "says something else", rounds);
}

static enum rd_status check_shape(const struct laws *laws, const struct rd_program *program,
                                  const struct rd_shape *shape, unsigned trial,
                                  struct rd_error *error)
{
    const size_t n_cells = rd_program_cells(program, shape);
    const size_t n_a = rd_program_inputs(program, shape);
    const size_t n_b = rd_program_has_b(program) ? rd_program_inputs_b(program, shape) : 0;
    struct arrays arrays = {0};
    enum rd_status status = RD_OK;
    const size_t most = program->played ? PLAYED_MAX : CELLS_MAX;
    if (n_cells > most || n_a > most || n_b > most) {
        if (program->played) /* it has no other size */
            return rd_fail(error, RD_ERROR_USAGE,
                           "there are more than %d cells or inputs, and it was not looked",
                           PLAYED_MAX);
        return RD_OK; /* the small ones tell */
    }
    if (arrays_init(&arrays, n_cells, n_a, n_b, trial))
        status = compare(laws, program, shape, &arrays, error);
    else
        status = rd_fail(error, RD_ERROR_MEMORY, "no memory for the goal of a program");
    arrays_finish(&arrays);
    return status;
}

static enum rd_status check_shapes(const struct laws *laws, const struct rd_program *program,
                                   struct rd_error *error)
{
    const struct rd_shape usual = rd_program_default(program);
    enum rd_status status = RD_OK;
    for (size_t n = 1; n <= SMALL_N_MAX && status == RD_OK; n++) {
        const struct rd_shape small = rd_program_shape(program, (struct rd_shape){.n = n});
        const bool takes = rd_program_accept(program, &small, NULL) == RD_OK;
        for (unsigned trial = 0; trial < TRIALS && takes && status == RD_OK; trial++)
            status = check_shape(laws, program, &small, trial, error);
    }
    for (unsigned trial = 0; trial < (program->played ? TRIALS : 1) && status == RD_OK; trial++)
        status = check_shape(laws, program, &usual, trial, error);
    return status;
}

enum rd_status rd_program_check_goal(const struct rd_program *program, struct rd_error *error)
{
    struct readings own = {0}, goal = {0};
    if (!program->goal_text)
        return RD_OK;
    enum rd_status status = read_goal(program, &goal, error);
    if (status == RD_OK)
        status = read_law(program, rd_program_law(program), "law", &own, error);
    if (status == RD_OK)
        status = check_shapes(&(struct laws){own.sums, goal.sums, operation_of(program)}, program,
                              error);
    if (status == RD_OK && own.plain && goal.plain)
        status =
            check_shapes(&(struct laws){own.plain, goal.plain, program->operation}, program, error);
    readings_finish(&own);
    readings_finish(&goal);
    return status;
}
