// SPDX-License-Identifier: MIT
#include "prove/replay/replay.h"
#include "base/clock.h"
#include "reductio/operation.h"
#include "reductio/run.h"
#include "reductio/summary.h"
#include "reductio/values.h"

#include <stdlib.h>
#include <string.h>

enum { N_ALL = 64, N_MODEL_MAX = 4096, MODELS_MAX = 16, LIMIT_S = 3 };

/* Threads of a block; 0: the program's default. Long blocks are few, short ones many. */
static const unsigned blocks[] = {0, 1, 2, 3, 4, 8, 32};
static const size_t grids[] = {0, 1, 2, 3};

struct replay {
    struct rd_proof *proof;
    const struct rd_program *program;
    struct rd_acceptance *acceptance;
    struct rd_device *device;
    const volatile sig_atomic_t *interrupted;
    const struct rd_numeric *numeric;
    double end_s;
    struct rd_error *error;
    char hazard[RD_SENTENCE_SIZE]; /* the run's first */
};

static bool goes_on(const struct replay *replay)
{
    return !replay->proof->replay.fails && rd_clock_s(CLOCK_MONOTONIC) < replay->end_s;
}

/* ---- one run ---- */

static enum rd_status take_hazard(void *self, const struct rd_run *run,
                                  const struct rd_hazard *hazard, struct rd_error *error)
{
    struct replay *replay = self;
    (void)run;
    (void)error;
    if (!*replay->hazard && rd_hazard_verdict(hazard->kind) == RD_VIOLATED)
        rd_hazard_text(hazard, replay->hazard);
    return RD_OK;
}

/* The values of a run for which none are named. */
static const char *own_values(const struct replay *replay, size_t n)
{
    const struct rd_program *program = replay->program;
    const char *usual = replay->numeric->operation == RD_OPERATION_SUM ? "iota" : "random:1";
    const char *values = program->values ? program->values : usual;
    return n == program->n || rd_values_is_generator(values) ? values : usual;
}

static enum rd_status fill(const struct replay *replay, const struct rd_shape *shape,
                           const char *spec, struct rd_values *values)
{
    const struct rd_program *program = replay->program;
    const struct rd_numeric *inputs = replay->numeric->inputs;
    if (!rd_program_has_n_inputs(program))
        return rd_values_init_two(values, inputs, spec, rd_program_inputs(program, shape),
                                  rd_program_inputs_b(program, shape), replay->error);
    return rd_values_init(values, inputs, spec, shape->n, shape->n, rd_program_has_b(program),
                          replay->error);
}

/* "reductio run fold -n 3 --block 2 --device sim", as it can be pasted. */
static char *command_of(const struct replay *replay, const char *name, const struct rd_run *run,
                        bool names_values)
{
    char block[40] = "", grid[40] = "", *text = NULL;
    if (run->block)
        snprintf(block, sizeof block, " --block %u", run->block);
    if (run->grid)
        snprintf(grid, sizeof grid, " --grid %zu", run->grid);
    if (asprintf(&text, "reductio %s %s -n %zu%s%s%s%s --device sim", name, replay->program->name,
                 run->n, block, grid, names_values ? " --values " : "",
                 names_values ? run->values : "") < 0)
        return NULL;
    return text;
}

static enum rd_status record(struct replay *replay, const struct rd_run *run,
                             const struct rd_result *result, bool names_values)
{
    struct rd_proof_replay *found = &replay->proof->replay;
    char text[RD_SENTENCE_SIZE];
    if (*replay->hazard) /* what cells then hold may be another thing each time */
        snprintf(text, sizeof text, "%s", replay->hazard);
    else
        rd_violation_text(&result->violation, run->numeric, text);
    found->fails = true;
    found->n = run->n;
    found->run = command_of(replay, "run", run, names_values);
    found->step = command_of(replay, "step", run, names_values);
    found->what = strdup(text);
    return found->run && found->step && found->what
               ? RD_OK
               : rd_fail(replay->error, RD_ERROR_MEMORY, "no memory for a replay");
}

static enum rd_status make_run(struct replay *replay, const struct rd_shape *asked,
                               const char *spec, bool names_values)
{
    const struct rd_observer observer = {.self = replay, .hazard = take_hazard};
    const struct rd_observer *const observers[] = {&observer, NULL};
    const struct rd_shape shape = rd_program_shape(replay->program, *asked);
    struct rd_values values;
    struct rd_result result;
    enum rd_status status = fill(replay, &shape, spec, &values);
    if (status != RD_OK)
        return status == RD_ERROR_MEMORY ? status : RD_OK;
    const struct rd_run run = {
        .size = sizeof run,
        .program = replay->program,
        .numeric = replay->numeric,
        .n = asked->n,
        .a = values.a,
        .b = values.b,
        .values = spec,
        .block = asked->block,
        .grid = asked->grid,
        .frame = true,
        .device = replay->device,
        .blocks.all = true,
        .interrupted = replay->interrupted,
    };
    *replay->hazard = '\0';
    status = rd_run(&run, observers, &result, replay->error);
    if (status == RD_OK && result.verdict == RD_VIOLATED)
        status = record(replay, &run, &result, names_values);
    else if (status != RD_ERROR_INTERRUPTED && status != RD_ERROR_MEMORY)
        status = RD_OK; /* a run that can't be made is none that fails */
    rd_values_finish(&values);
    return status;
}

/* Makes the runs of a shape: with the values of a run for which none are named, and with some that are hardly ever 0, nor alike. */
static enum rd_status try_shape(struct replay *replay, struct rd_shape asked)
{
    const struct rd_shape shape = rd_program_shape(replay->program, asked);
    const char *own = own_values(replay, asked.n);
    if (rd_acceptance_ask(replay->acceptance, &shape, NULL) != RD_OK)
        return RD_OK;
    enum rd_status status = make_run(replay, &asked, own, false);
    if (status == RD_OK && goes_on(replay) && strcmp(own, "random:1") != 0)
        status = make_run(replay, &asked, "random:1", true);
    return status;
}

/* ---- shapes ---- */

static enum rd_status try_all(struct replay *replay)
{
    enum rd_status status = RD_OK;
    const size_t n_grids = replay->program->blocks ? sizeof grids / sizeof *grids : 1;
    for (size_t n = 1; n <= N_ALL && status == RD_OK && goes_on(replay); n++) {
        for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
            for (size_t g = 0; g < n_grids && status == RD_OK && goes_on(replay); g++)
                status = try_shape(replay, (struct rd_shape){n, blocks[k], grids[g]});
        if (status == RD_OK && goes_on(replay))
            replay->proof->replay.n_tried = n;
    }
    return status;
}

/* The number of that name in a model; 0: there is none, or one too large. */
static size_t number_in(const char *model, const char *name)
{
    const size_t length = strlen(name);
    for (const char *line = model; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, length) == 0 && strncmp(line + length, " = ", 3) == 0) {
            const long number = strtol(line + length + 3, NULL, 10);
            return number >= 1 && number <= N_MODEL_MAX ? (size_t)number : 0;
        }
    }
    return 0;
}

static enum rd_status try_models(struct replay *replay)
{
    enum rd_status status = RD_OK;
    unsigned count = 0;
    for (size_t k = 0; k < replay->proof->count && count < MODELS_MAX; k++) {
        const struct rd_proof_goal *goal = &replay->proof->goals[k];
        struct rd_shape shape = {0, 0, 0};
        if (goal->answer != RD_ANSWER_REFUTED || !goal->model || !goes_on(replay))
            continue;
        shape.n = number_in(goal->model, "n");
        if (shape.n == 0)
            continue;
        count++;
        status = try_shape(replay, shape);
        if (status != RD_OK || !goes_on(replay))
            break;
        shape.block = (unsigned)number_in(goal->model, "T");
        if (replay->program->blocks)
            shape.grid = number_in(goal->model, "B");
        status = try_shape(replay, shape);
        if (status != RD_OK)
            break;
    }
    return status;
}

static enum rd_status try_shapes(struct replay *replay)
{
    const struct rd_program *program = replay->program;
    enum rd_status status = try_all(replay);
    replay->end_s += !replay->proof->replay.fails; /* these are few */
    if (status == RD_OK && goes_on(replay))
        status = try_models(replay);
    if (status == RD_OK && goes_on(replay))
        status =
            try_shape(replay, (struct rd_shape){program->n, program->n_block, program->n_grid});
    return status;
}

/* ---- what it says of the goals ---- */

/* A goal with functions of which only some facts are known has counterexamples that no kernel makes. */
static void open_refuted(struct rd_proof *proof)
{
    const char *reason =
        rd_terms_text(proof->terms,
                      "not inductive: what is given allows these numbers, though perhaps no run "
                      "comes to them: none that was tried fails, up to n = %zu",
                      proof->replay.n_tried);
    for (size_t k = 0; k < proof->count; k++)
        if (proof->goals[k].answer == RD_ANSWER_REFUTED) {
            proof->goals[k].answer = RD_ANSWER_OPEN;
            proof->goals[k].reason = reason;
        }
}

enum rd_status rd_proof_replay(struct rd_proof *proof, const struct rd_program *program,
                               const volatile sig_atomic_t *interrupted, struct rd_error *error)
{
    struct replay replay = {
        .proof = proof,
        .program = program,
        .interrupted = interrupted,
        .end_s = rd_clock_s(CLOCK_MONOTONIC) + LIMIT_S,
        .error = error,
    };
    if (proof->not_covered || rd_proof_verdict(proof) == RD_ANSWER_PROVED)
        return RD_OK;
    enum rd_status status =
        rd_operation_over(program->operation, program->type, &replay.numeric, error);
    if (status == RD_OK)
        status = rd_acceptance_create(&replay.acceptance, program, error);
    if (status == RD_OK)
        status = rd_device_open("sim", &replay.device, NULL, error);
    if (status == RD_OK)
        status = try_shapes(&replay);
    rd_device_close(replay.device);
    rd_acceptance_destroy(replay.acceptance);
    proof->replay.made = status == RD_OK;
    if (status == RD_OK && !proof->replay.fails)
        open_refuted(proof);
    return status;
}
