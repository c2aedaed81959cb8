// SPDX-License-Identifier: MIT
#include "trace/replayer.h"
#include "program/definition.h"
#include "program/paragraph.h"
#include "reductio/hazards.h"
#include "run/capacity.h"
#include "program/program_law.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- inputs ---- */

bool rd_trace_inputs_fit(const struct rd_numeric *numeric, size_t n, struct rd_error *reason)
{
    size_t wide_bytes = n <= RD_BOUND_MAX ? 2 * numeric->wide_bytes : 0;
    size_t per_element = 4 * numeric->size_bytes + wide_bytes;
    size_t bytes = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    if (n <= bytes / per_element)
        return true;
    rd_fail(reason, RD_OK,
            "n is %zu; asserting takes %zu bytes an element, and this machine has %zu MiB", n,
            per_element, bytes >> 20);
    return false;
}

/* Compares the recorded cells with `cells`. */
static bool agrees(const struct rd_trace_state *state, const struct rd_numeric *numeric,
                   const void *cells)
{
    for (size_t k = 0; k < state->n_head + state->n_tail; k++)
        if (!numeric->same(numeric->load(state->cells, k),
                           numeric->load(cells, rd_trace_state_index(state, k))))
            return false;
    return true;
}

/* Checks that `cells`, made again, are the recorded array. */
static bool check_remade(struct rd_trace_inputs *inputs, const struct rd_trace_run *run,
                         const struct rd_trace_state *state, const void *cells)
{
    const struct rd_numeric *numeric = run->numeric->inputs;
    bool cut = rd_trace_state_is_cut(state), same_cells = agrees(state, numeric, cells);
    bool same_digest = !cut || numeric->digest(cells, state->count) == state->digest;
    if (same_cells && same_digest)
        return true;
    /* All cells but for a few, or the digest of all: then it is this generator's array, and what
     * differs was changed later. A cut array that differs in both may be another generator's. */
    inputs->changed = same_digest;
    rd_fail(&inputs->reason, RD_OK,
            cut && !same_digest ? "the input was cut, and '%.100s' does not make it again"
                                : "the input is not what '%.100s' makes",
            run->values);
    return false;
}

/* The inputs, from their generator: those of a cut trace to replay it, others to compare. */
static enum rd_status remake(struct rd_trace_inputs *inputs, const struct rd_trace_run *run,
                             struct rd_error *error)
{
    struct rd_values *values = &inputs->values;
    bool has_b = run->b.cells != NULL;
    enum rd_status status = rd_values_init_two(values, run->numeric->inputs, run->values, run->n_a,
                                               has_b ? run->n_b : 0, &inputs->reason);
    if (status == RD_ERROR_MEMORY)
        return rd_fail(error, status, "no memory for %zu inputs", run->n_a);
    if (status == RD_OK && check_remade(inputs, run, &run->a, values->a) &&
        (!has_b || check_remade(inputs, run, &run->b, values->b))) {
        inputs->a = values->a;
        inputs->b = values->b;
    }
    return RD_OK;
}

/* The inputs as they stand in the trace. A list or a file is not asked again. */
static void take(struct rd_trace_inputs *inputs, const struct rd_trace_run *run)
{
    if (rd_trace_state_is_cut(&run->a) || rd_trace_state_is_cut(&run->b)) {
        rd_fail(&inputs->reason, RD_OK,
                "the input was cut, and '%.100s' is no generator that makes it again", run->values);
        return;
    }
    inputs->a = run->a.cells;
    inputs->b = run->b.cells;
}

static enum rd_status prepare_witness(struct rd_trace_inputs *inputs,
                                      const struct rd_program *program,
                                      const struct rd_trace_run *run, struct rd_error *error)
{
    rd_witness_plan(program, &run->shape, run->numeric->operation, &inputs->plan);
    /* Versions before 1.3 have made those of a only. */
    bool known = run->passes == inputs->plan.passes || run->passes == inputs->plan.passes_a;
    if (!known || inputs->plan.digit_bits != run->digit_bits) {
        rd_fail(&inputs->reason, RD_OK,
                "%zu passes with digits of %u bits, where this version makes %zu with digits of %u",
                run->passes, run->digit_bits, inputs->plan.passes, inputs->plan.digit_bits);
        return RD_OK;
    }
    inputs->witness = malloc((run->n_a + run->n_b) * sizeof *inputs->witness);
    if (!inputs->witness)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for %zu inputs", run->n_a);
    inputs->a = inputs->witness;
    inputs->b = rd_program_has_b(program) ? inputs->witness + run->n_a : NULL;
    return RD_OK;
}

static void inputs_finish(struct rd_trace_inputs *inputs);

/* Takes the inputs from the trace or, where they were cut, makes them again from their spec; for a
 * witness run, makes room. They live no longer than `run`. RD_ERROR_MEMORY. */
static enum rd_status inputs_init(struct rd_trace_inputs *inputs, const struct rd_program *program,
                                  const struct rd_trace_run *run, struct rd_error *error)
{
    struct rd_trace_inputs in = {0};
    enum rd_status status = RD_OK;
    bool fits = rd_trace_inputs_fit(run->numeric, run->n_a, &in.reason) &&
                rd_trace_inputs_fit(run->numeric, run->n_b, &in.reason) &&
                rd_trace_inputs_fit(run->numeric, run->n_cells, &in.reason);
    if (fits && run->passes > 0)
        status = prepare_witness(&in, program, run, error);
    else if (fits && rd_values_is_generator(run->values))
        status = remake(&in, run, error);
    else if (fits)
        take(&in, run);
    if (status)
        inputs_finish(&in);
    else
        *inputs = in;
    return status;
}

/* Puts the values of a pass into the inputs of a witness run. */
static void inputs_fill(struct rd_trace_inputs *inputs, const struct rd_trace_run *run, size_t pass)
{
    rd_witness_fill(&inputs->plan, pass, run->n_a, inputs->witness);
    rd_witness_fill_b(&inputs->plan, pass, run->n_b, inputs->witness + run->n_a);
}

static void inputs_finish(struct rd_trace_inputs *inputs)
{
    rd_values_finish(&inputs->values);
    free(inputs->witness);
    *inputs = (struct rd_trace_inputs){0};
}

/* ---- replaying ---- */

/* Asserts a recorded run again: the driver's loop, with the trace in the place of the device. */

void rd_replay_contradict(struct rd_replayer *replayer, const char *format, ...)
{
    if (replayer->contradicted)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(replayer->result.reason, sizeof replayer->result.reason, format, arguments);
    va_end(arguments);
    replayer->contradicted = true;
}

/* Tells whether the obligations in the trace take account of hazards, as this version's do. */
static bool replay_tells_undefined(const struct rd_replayer *replayer)
{
    return replayer->reader.minor >= RD_TRACE_MINOR_UNDEFINED;
}

bool rd_replay_can_assert(const struct rd_replayer *replayer)
{
    return replayer->inputs.a != NULL;
}

/* ---- the run ---- */

static enum rd_status start_pass(struct rd_replayer *replayer, size_t pass)
{
    const struct rd_trace_run *run = &replayer->run;
    replayer->pass = pass;
    replayer->next_step = 0;
    replayer->in_round = false;
    replayer->held = false;
    replayer->inside = RD_HOLDS;
    for (int k = 0; k < RD_OBLIGATION_COUNT; k++)
        replayer->obligations[k] = RD_INCONCLUSIVE;
    if (!rd_replay_can_assert(replayer))
        return RD_OK;
    if (run->passes > 0)
        inputs_fill(&replayer->inputs, run, pass);
    rd_expect_finish(&replayer->expect);
    rd_points_finish(&replayer->points);
    enum rd_status status =
        rd_expect_init(&replayer->expect, replayer->program, run->numeric, &run->shape,
                       replayer->inputs.a, replayer->inputs.b, replayer->error);
    if (status == RD_OK)
        status = rd_points_init(&replayer->points, replayer->program, run->numeric, &run->shape,
                                replayer->inputs.a, replayer->inputs.b, replayer->error);
    return status;
}

/* Looks the program up and asks it whether it would make such a run. */
static enum rd_status check_program(struct rd_replayer *replayer)
{
    const struct rd_trace_run *run = &replayer->run;
    const struct rd_trace_reader *reader = &replayer->reader;
    const struct rd_program *program = run->program;
    struct rd_error reason;
    if (!program)
        return rd_trace_refuse(reader, replayer->error,
                               "'program' is \"%.60s\", and this version has none of that name",
                               run->program_name);
    if (rd_program_accept(program, &run->shape, &reason) ||
        rd_program_accept_type(program, run->numeric->type, &reason) ||
        rd_program_accept_operation(program, run->numeric->operation, &reason) ||
        rd_memory_check_indices(run->numeric, rd_program_inputs(program, &run->shape), &reason) ||
        rd_program_check_claims(program, &run->shape, &reason))
        return rd_trace_refuse(reader, replayer->error, "%s", reason.text);
    if (run->block > RD_BLOCK_MAX)
        return rd_trace_refuse(reader, replayer->error,
                               "'block' is %u, and a block has at most %d threads", run->block,
                               RD_BLOCK_MAX);
    if ((run->grid > 0) != (program->blocks != NULL))
        return rd_trace_refuse(reader, replayer->error, "%s 'grid', and %s takes %s",
                               run->grid > 0 ? "a" : "no", program->name,
                               program->blocks ? "one" : "none");
    if (run->passes == 0 && rd_program_has_b(program) != (run->b.cells != NULL))
        return rd_trace_refuse(reader, replayer->error, "'input' has %s b, and %s takes %s",
                               run->b.cells ? "a" : "no", program->name,
                               rd_program_has_b(program) ? "one" : "none");
    replayer->program = program;
    return RD_OK;
}

/* The cells that are kept of a state, of all of them as many: half of them, or one more, from its start. */
static void check_cut(struct rd_replayer *replayer, const struct rd_trace_state *state)
{
    size_t kept = replayer->n_head + replayer->n_tail;
    bool cut = rd_trace_state_is_cut(state);
    if (!cut && state->count > replayer->n_whole)
        replayer->n_whole = state->count;
    bool halved = !cut || state->n_head == state->n_tail || state->n_head == state->n_tail + 1;
    bool alike = !cut || !replayer->has_cut ||
                 (state->n_head == replayer->n_head && state->n_tail == replayer->n_tail);
    if (cut && !replayer->has_cut) {
        replayer->has_cut = true;
        replayer->n_head = state->n_head;
        replayer->n_tail = state->n_tail;
        kept = state->n_head + state->n_tail;
    }
    if (!halved || !alike || (replayer->has_cut && replayer->n_whole > kept))
        rd_replay_contradict(replayer,
                             "a state of %zu cells has %zu and %zu of them, and others are "
                             "cut otherwise",
                             state->count, state->n_head, state->n_tail);
}

/* The seed stands in the values, too. */
static void check_seed(struct rd_replayer *replayer)
{
    static const char prefix[] = "random:";
    const struct rd_trace_run *run = &replayer->run;
    bool is_random = strncmp(run->values, prefix, sizeof prefix - 1) == 0;
    if (run->has_seed != is_random ||
        (is_random && strtoull(run->values + sizeof prefix - 1, NULL, 10) != run->seed))
        rd_replay_contradict(replayer, "the 'seed' is not that of the values '%.100s'",
                             run->values);
}

static enum rd_status replay_run(struct rd_replayer *replayer)
{
    struct rd_error reason;
    struct rd_trace_run *run = &replayer->run;
    struct rd_replay *result = &replayer->result;
    enum rd_status status = rd_trace_read_run(&replayer->reader, run, replayer->error);
    if (status == RD_OK)
        status = check_program(replayer);
    if (status != RD_OK)
        return status;
    snprintf(result->type, sizeof result->type, "%s", run->numeric->name);
    result->operation = run->numeric->operation;
    snprintf(result->device, sizeof result->device, "%s", run->device);
    result->n = run->n;
    snprintf(result->undefined_by, sizeof result->undefined_by, "%s",
             run->undefined_by ? run->undefined_by : "");
    result->blocks = run->blocks;
    check_seed(replayer);
    if (run->a.cells)
        check_cut(replayer, &run->a);
    if (run->b.cells)
        check_cut(replayer, &run->b);
    rd_checkpoint_order_init(&replayer->order, replayer->program, run->numeric->type, &run->shape,
                             &run->blocks);
    /* A guess for a trace without a last record, which would say who looked. */
    result->hazards_by = run->simulated ? run->hazards_by : RD_HAZARDS_BY_NOBODY;
    struct rd_paragraph_watch watch;
    rd_paragraph_watch_begin(&watch, replayer->program);
    replayer->rounds = rd_program_rounds(replayer->program, &run->shape);
    if (rd_paragraph_watch_end(&watch, &reason) != RD_OK)
        return rd_trace_refuse(&replayer->reader, replayer->error, "%s", reason.text);
    status = inputs_init(&replayer->inputs, replayer->program, run, replayer->error);
    if (status != RD_OK)
        return status;
    if (replayer->inputs.changed)
        rd_replay_contradict(replayer, "%.200s", replayer->inputs.reason.text);
    status = start_pass(replayer, 1);
    const struct rd_trace_visitor *visitor = replayer->visitor;
    if (status == RD_OK && visitor && visitor->begin)
        status = visitor->begin(visitor->self, replayer->program, run, replayer->inputs.a,
                                replayer->inputs.b, replayer->error);
    return status;
}

/* ---- the records ---- */

/* Steps come in order, and passes follow on complete ones. */
static enum rd_status check_order(struct rd_replayer *replayer, const struct rd_trace_step *step)
{
    size_t pass = step->pass ? step->pass : 1;
    bool pass_is_over = replayer->next_step > replayer->rounds;
    if (pass == replayer->pass + 1 && pass_is_over && step->number == 0)
        return start_pass(replayer, pass);
    if (pass == replayer->pass && step->number == replayer->next_step && !pass_is_over)
        return RD_OK;
    if (pass == replayer->pass && pass_is_over)
        return rd_trace_refuse(&replayer->reader, replayer->error,
                               "step %u, and %s of %zu ends with step %u", step->number,
                               replayer->program->name, replayer->run.n, replayer->rounds);
    return rd_trace_refuse(
        &replayer->reader, replayer->error, "step %u of pass %zu, where step %u of pass %zu is due",
        step->number, pass, pass_is_over ? 0 : replayer->next_step, replayer->pass + pass_is_over);
}

static enum rd_status replay_step(struct rd_replayer *replayer)
{
    struct rd_trace_step step;
    enum rd_status status =
        rd_trace_read_step(&replayer->reader, &replayer->run, &step, replayer->error);
    if (status != RD_OK)
        return status;
    check_cut(replayer, &step.state);
    if (step.inside) {
        status = rd_replay_assert_checkpoint(replayer, &step);
    } else {
        status = check_order(replayer, &step);
        if (status == RD_OK)
            rd_replay_end_checkpoints(replayer, &step);
        if (status == RD_OK)
            status = rd_replay_assert_step(replayer, &step);
        replayer->input_changed = replayer->wants_step = replayer->lost = false;
        if (status == RD_OK)
            replayer->result.steps = ++replayer->next_step;
    }
    rd_trace_step_finish(&step);
    return status;
}

/* The step that follows is that of the round in which it happened. */
static enum rd_status replay_hazard(struct rd_replayer *replayer)
{
    struct rd_trace_hazard hazard;
    struct rd_replay *result = &replayer->result;
    enum rd_status status = rd_trace_read_hazard(&replayer->reader, &hazard, replayer->error);
    if (status != RD_OK)
        return status;
    if (hazard.step == 0 || hazard.step != replayer->next_step)
        return rd_trace_refuse(&replayer->reader, replayer->error,
                               "a hazard of round %u, where round %u is due", hazard.step,
                               replayer->next_step);
    if (result->hazards++ == 0)
        result->hazard = hazard;
    replayer->hazard_verdict =
        rd_verdict_worst(replayer->hazard_verdict, rd_hazard_verdict(hazard.kind));
    for (int k = 0; k < RD_AMISS_COUNT; k++)
        replayer->has_amiss[k] |= hazard.kind == rd_amiss_hazard((enum rd_amiss)k);
    replayer->refused |= hazard.kind == RD_HAZARD_ILLEGAL_LAUNCH;
    replayer->input_changed |= hazard.kind == RD_HAZARD_INPUT_CHANGED;
    if (replay_tells_undefined(replayer)) {
        replayer->undefined |= rd_hazard_undefines(hazard.kind);
        result->undefined |= replayer->undefined;
    }
    replayer->wants_step = true;
    replayer->lost |= rd_hazard_loses_device(hazard.kind);
    replayer->unsound |= rd_hazard_ends(hazard.kind) || !replay_tells_undefined(replayer);
    const struct rd_trace_visitor *visitor = replayer->visitor;
    if (visitor && visitor->hazard)
        return visitor->hazard(visitor->self, &hazard, replayer->error);
    return RD_OK;
}

static enum rd_status replay_record(struct rd_replayer *replayer)
{
    switch (replayer->reader.kind) {
    case RD_RECORD_RUN:
        return replay_run(replayer);
    case RD_RECORD_STEP:
        return replay_step(replayer);
    case RD_RECORD_HAZARD:
        return replay_hazard(replayer);
    case RD_RECORD_VERDICT:
    case RD_RECORD_INTERRUPTED:
        return rd_replay_last(replayer);
    default: /* the reader passes over the others */
        return RD_OK;
    }
}

enum rd_status rd_trace_replay(const char *path, struct rd_replay *replay, struct rd_error *error)
{
    return rd_trace_walk(path, NULL, replay, error);
}

enum rd_status rd_trace_walk(const char *path, const struct rd_trace_visitor *visitor,
                             struct rd_replay *replay, struct rd_error *error)
{
    struct rd_replayer replayer = {.error = error, .visitor = visitor};
    replayer.result.recorded = RD_INCONCLUSIVE;
    enum rd_status status = rd_trace_reader_init(&replayer.reader, path, error);
    if (status != RD_OK)
        return status;
    do {
        status = rd_trace_reader_next(&replayer.reader, error);
        if (status == RD_OK)
            status = replay_record(&replayer);
    } while (status == RD_OK && replayer.reader.kind != RD_RECORD_NONE);
    if (status == RD_OK && !replayer.program)
        status = rd_fail(error, RD_ERROR_INPUT, "'%s' ends before its 'run' record", path);
    if (status == RD_OK) {
        rd_replay_conclude(&replayer);
        replayer.result.program = rd_program_retain(replayer.program);
        *replay = replayer.result;
    }
    rd_expect_finish(&replayer.expect);
    rd_points_finish(&replayer.points);
    rd_checkpoint_order_finish(&replayer.order);
    inputs_finish(&replayer.inputs);
    rd_trace_run_finish(&replayer.run);
    rd_trace_reader_finish(&replayer.reader);
    return status;
}

void rd_replay_finish(struct rd_replay *replay)
{
    rd_program_release(replay->program);
    *replay = (struct rd_replay){0};
}

struct rd_result rd_replay_result(const struct rd_replay *replay)
{
    struct rd_result result = {
        .verdict = replay->verdict,
        .steps = replay->steps,
        .checkpoints = replay->checkpoints,
        .truncated = replay->truncated,
        .outcome = replay->outcome,
        .cells = replay->cells,
        .hazards = replay->hazards,
        .undefined = replay->undefined,
        .hazards_by = replay->hazards_by,
        .hazards_n = replay->hazards_n,
        .n_schedules = replay->n_schedules,
        .violated = replay->violated,
        .violation = replay->violation,
        .interrupted = replay->interrupted,
        .failed = !replay->complete,
        .unseen = replay->unseen,
    };
    memcpy(result.obligations, replay->obligations, sizeof result.obligations);
    memcpy(result.undefined_by, replay->undefined_by, sizeof result.undefined_by);
    return result;
}
