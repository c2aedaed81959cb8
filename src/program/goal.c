// SPDX-License-Identifier: MIT
/* Compares what a program promises in words of its own with its law: at the end of the rounds, on inputs that look random,
 * each cell that the promise claims is to hold what the law says. */
#include "base/random.h"
#include "law/lexer.h"
#include "program/definition.h"
#include "program/paragraph.h"
#include "reductio/operation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* By a maximum, other inputs decide each time. */
enum { SMALL_N_MAX = 32, CELLS_MAX = 1 << 16, PLAYED_MAX = 1 << 22, TRIALS = 8 };

/* The promise as a law, with the paragraph's arrays and definitions. */
static enum rd_status read_goal(const struct rd_program *program, struct rd_law **goal,
                                struct rd_error *error)
{
    const char *paragraph = rd_program_law(program);
    struct rd_law_sentence sentence;
    struct rd_law_error why = {0};
    char *text = NULL;
    const int length =
        rd_law_find_sentence(paragraph, "law", &sentence) ? (int)(sentence.begin - paragraph) : 0;
    if (asprintf(&text, "%.*s\nlaw %s", length, paragraph, program->goal_text) < 0)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for a program");
    const enum rd_status status = rd_law_create(goal, text, &why);
    free(text);
    return status == RD_OK
               ? RD_OK
               : rd_fail(error, status, "'goal_text' of '%s': %s", program->name, why.what.text);
}

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

/* Puts what the law claims behind the last round into the cells. `goal`: the promise, as a law; NULL: the program's own. */
static enum rd_status apply(const struct rd_law *goal, const struct rd_program *program,
                            const struct rd_shape *shape, const struct arrays *arrays,
                            uint64_t *cells, struct rd_error *error)
{
    const struct rd_law *law = goal ? goal : rd_paragraph_of(program)->law;
    const struct rd_law_sizes sizes = {
        .n = shape->n,
        .T = shape->block,
        .B = shape->grid,
        .work_max = program->played ? (uint64_t)PLAYED_MAX << 8 : CELLS_MAX << 8,
    };
    const struct rd_law_data data = {
        .numeric = rd_numeric_over(RD_TYPE_U64, program->operation),
        .inputs = (const void *const[]){arrays->inputs[0], arrays->inputs[1]},
    };
    const struct rd_law_place place = {.d = rd_program_rounds(program, shape)};
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
                         goal ? "goal_text" : "law", program->name, shape->n, why.what.text);
}

/* Finds the first cell in which they differ; n_cells where there is none. */
static size_t difference(const uint64_t *x, const uint64_t *y, size_t n_cells)
{
    size_t k = 0;
    while (k < n_cells && x[k] == y[k])
        k++;
    return k;
}

static enum rd_status compare(const struct rd_law *goal, const struct rd_program *program,
                              const struct rd_shape *shape, struct arrays *arrays,
                              struct rd_error *error)
{
    const size_t n_cells = arrays->n_cells;
    const unsigned rounds = rd_program_rounds(program, shape);
    enum rd_status status = apply(goal, program, shape, arrays, arrays->by_goal, error);
    if (status != RD_OK)
        return status;
    if (difference(arrays->before, arrays->by_goal, n_cells) == n_cells)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'goal_text' of '%s' claims no cell of n = %zu behind round %u",
                       program->name, shape->n, rounds);
    status = apply(NULL, program, shape, arrays, arrays->by_law, error);
    memcpy(arrays->by_goal, arrays->by_law, n_cells * sizeof *arrays->by_goal);
    if (status == RD_OK)
        status = apply(goal, program, shape, arrays, arrays->by_goal, error);
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
                       "'%s' promises of %s[%zu] what its law doesn't say of every input: behind "
                       "the last round it %s",
                       program->name, about.array, cell,
                       is_silent ? "says nothing of that cell" : "says another value of some");
    return rd_fail(error, RD_ERROR_USAGE,
                   "'goal_text' of '%s' promises of %s[%zu] what its law doesn't say: of n = %zu "
                   "the law %s behind round %u",
                   program->name, about.array, cell, shape->n,
                   is_silent ? "says nothing of that cell" : "says something else", rounds);
}

static enum rd_status check_shape(const struct rd_law *goal, const struct rd_program *program,
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
        status = compare(goal, program, shape, &arrays, error);
    else
        status = rd_fail(error, RD_ERROR_MEMORY, "no memory for the goal of a program");
    arrays_finish(&arrays);
    return status;
}

enum rd_status rd_program_check_goal(const struct rd_program *program, struct rd_error *error)
{
    const struct rd_shape usual = rd_program_default(program);
    struct rd_law *goal;
    if (!program->goal_text)
        return RD_OK;
    enum rd_status status = read_goal(program, &goal, error);
    if (status != RD_OK)
        return status;
    for (size_t n = 1; n <= SMALL_N_MAX && status == RD_OK; n++) {
        const struct rd_shape small = rd_program_shape(program, (struct rd_shape){.n = n});
        const bool takes = rd_program_accept(program, &small, NULL) == RD_OK;
        for (unsigned trial = 0; trial < TRIALS && takes && status == RD_OK; trial++)
            status = check_shape(goal, program, &small, trial, error);
    }
    for (unsigned trial = 0; trial < (program->played ? TRIALS : 1) && status == RD_OK; trial++)
        status = check_shape(goal, program, &usual, trial, error);
    rd_law_destroy(goal);
    return status;
}
