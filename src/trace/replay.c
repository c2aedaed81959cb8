// SPDX-License-Identifier: MIT
#include "trace/replayer.h"
#include "program/definition.h"
#include "program/paragraph.h"
#include "reductio/hazards.h"
#include "run/capacity.h"

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
    size_t most = run->n_a > run->n_cells ? run->n_a : run->n_cells;
    bool fits = rd_trace_inputs_fit(run->numeric, most, &in.reason);
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
        rd_memory_check_indices(run->numeric, rd_program_inputs(program, &run->shape), &reason))
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

/* ---- the end ---- */

/* The sums of the last record must be those of the records before it. */
static void check_totals(struct rd_replayer *replayer, const struct rd_trace_result *said)
{
    const struct rd_replay *result = &replayer->result;
    if (said->checkpoints != result->checkpoints)
        rd_replay_contradict(
            replayer, "the last record counts %llu checkpoints, and there are %llu",
            (unsigned long long)said->checkpoints, (unsigned long long)result->checkpoints);
    if (said->steps != result->steps || said->cells != result->cells ||
        said->hazards != result->hazards)
        rd_replay_contradict(
            replayer,
            "the last record counts %u steps, %llu cells and %u hazards, and there are %u, "
            "%llu and %u",
            said->steps, (unsigned long long)said->cells, said->hazards, result->steps,
            (unsigned long long)result->cells, result->hazards);
    if (!rd_replay_can_assert(replayer))
        return;
    if (said->violated != result->violated ||
        (said->violated &&
         !rd_replay_same_violation(&replayer->expect, &said->violation, &result->violation)))
        rd_replay_contradict(replayer, "the last record tells another violation than the cells do");
    for (int k = 0; k < RD_OBLIGATION_COUNT; k++)
        if (said->obligations[k] != replayer->obligations[k])
            rd_replay_contradict(replayer, "the trace says %s of %s, and its cells say %s",
                                 rd_verdict_name(said->obligations[k]), rd_obligation_name(k),
                                 rd_verdict_name(replayer->obligations[k]));
}

/* Decides preservation by the checkpoints of a round that did not end. */
static void end_preservation(struct rd_replayer *replayer)
{
    enum rd_verdict *preservation = &replayer->obligations[RD_PRESERVATION];
    if (!replayer->in_round || replayer->inside_count == 0)
        return;
    enum rd_verdict told =
        rd_verdict_of_round(replayer->held, replayer->undefined, replayer->inside);
    *preservation = replayer->next_step <= 1 ? told : rd_verdict_worst(*preservation, told);
}

/* Where checkpoints were lost, or the run was stopped, it has asserted no goal. */
static void drop_goal(struct rd_replayer *replayer, bool truncated)
{
    struct rd_replay *result = &replayer->result;
    replayer->truncated |= truncated;
    replayer->obligations[RD_EXIT] = RD_INCONCLUSIVE;
    result->outcome = (struct rd_outcome){0};
    if (result->violation.kind == RD_VIOLATION_GOAL)
        result->violated = false;
}

static size_t count_passes(const struct rd_replayer *replayer)
{
    return replayer->run.passes ? replayer->run.passes : 1;
}

static void leave_rest_open(struct rd_replayer *replayer)
{
    rd_obligations_leave_open(replayer->obligations, replayer->next_step > replayer->rounds,
                              replayer->pass >= count_passes(replayer));
}

/* The number that the program ends with: older versions did not write it, and an interruption may
 * have come before it. */
static void check_outcome(struct rd_replayer *replayer, const struct rd_trace_result *said)
{
    const struct rd_replay *result = &replayer->result;
    const struct rd_outcome *outcome = &result->outcome;
    if (!rd_replay_can_assert(replayer))
        return;
    if (!said->outcome_name) {
        if (outcome->name && replayer->reader.minor >= RD_TRACE_MINOR_OUTCOME &&
            !result->interrupted)
            rd_replay_contradict(replayer,
                                 "the last record has no outcome, and the cells give %s = %.17g",
                                 outcome->name, outcome->actual);
    } else if (!outcome->name) {
        rd_replay_contradict(
            replayer, "the last record says %.40s = %.17g, and the cells give no such number",
            said->outcome_name, said->outcome);
    } else if (strcmp(said->outcome_name, outcome->name) != 0 ||
               !rd_trace_same_outcome(said->outcome, outcome->actual)) {
        rd_replay_contradict(replayer,
                             "the last record says %.40s = %.17g, and the cells give %s = %.17g",
                             said->outcome_name, said->outcome, outcome->name, outcome->actual);
    } else if (!rd_replay_same_deviation(&said->deviation, &outcome->deviation)) {
        rd_replay_contradict(replayer,
                             "the last record says that %s is off by %.17g from %.17g, "
                             "and it is off by %.17g from %.17g",
                             outcome->name, said->deviation.error, said->deviation.exact,
                             outcome->deviation.error, outcome->deviation.exact);
    }
}

/* Nothing in a trace tells who has looked for hazards; but what the last record says of that must go with the device,
 * with who was to look, and with itself. */
static void check_who_looked(struct rd_replayer *replayer, const struct rd_trace_result *said)
{
    const struct rd_trace_run *run = &replayer->run;
    const bool by_sanitizer = said->hazards_by == RD_HAZARDS_BY_SANITIZER;
    const bool by_nobody = said->hazards_by == RD_HAZARDS_BY_NOBODY && !said->unlooked;
    if (run->simulated && by_sanitizer)
        rd_replay_contradict(replayer, "the last record says that compute-sanitizer had looked for "
                                       "hazards of a run in the simulator");
    if (run->simulated && said->hazards_n > 0)
        rd_replay_contradict(replayer, "the last record says that the simulator had accompanied a "
                                       "run in the simulator");
    if (replayer->reader.minor >= RD_TRACE_MINOR_HAZARDS_BY &&
        run->hazards_by != RD_HAZARDS_BY_SIM && said->hazards_by != run->hazards_by)
        rd_replay_contradict(
            replayer, "the last record says that %s had looked for hazards, and %s was to",
            by_sanitizer                               ? "compute-sanitizer"
            : said->hazards_by == RD_HAZARDS_BY_NOBODY ? "nobody"
                                                       : "the simulator",
            run->hazards_by == RD_HAZARDS_BY_NOBODY ? "nobody" : "compute-sanitizer");
    if (said->n_schedules > RD_SCHEDULES_MAX)
        rd_replay_contradict(replayer,
                             "the last record says %u schedules, and at most %d are tried",
                             said->n_schedules, RD_SCHEDULES_MAX);
    if (by_sanitizer && said->hazards_n > 0)
        rd_replay_contradict(replayer,
                             "the last record says n = %zu, and compute-sanitizer looks at the run "
                             "itself",
                             said->hazards_n);
    if (by_sanitizer && said->n_schedules > 0)
        rd_replay_contradict(replayer,
                             "the last record says %u schedules, and compute-sanitizer tries none",
                             said->n_schedules);
    if (by_nobody && said->hazards_n > 0)
        rd_replay_contradict(replayer, "the last record says n = %zu, and nobody had looked",
                             said->hazards_n);
    if (by_nobody && said->n_schedules > run->simulated)
        rd_replay_contradict(replayer, "the last record says %u schedules, and nobody had looked",
                             said->n_schedules);
}

static enum rd_status replay_result(struct rd_replayer *replayer)
{
    struct rd_trace_result said;
    struct rd_replay *result = &replayer->result;
    enum rd_status status =
        rd_trace_read_result(&replayer->reader, &replayer->run, &said, replayer->error);
    if (status != RD_OK)
        return status;
    result->complete = true;
    result->interrupted = replayer->reader.kind == RD_RECORD_INTERRUPTED;
    result->recorded = said.verdict;
    result->truncated = said.truncated;
    result->hazards_by = said.hazards_by;
    result->hazards_n = said.hazards_n;
    result->n_schedules = said.n_schedules;
    check_who_looked(replayer, &said);
    if (said.unlooked)
        snprintf(replayer->unlooked, sizeof replayer->unlooked,
                 "hazards were not looked for: %.120s", said.unlooked);
    if (replayer->unsaid[0] && !said.truncated)
        rd_replay_contradict(replayer, "%s", replayer->unsaid);
    if (said.truncated && !replayer->missing[0])
        rd_replay_contradict(replayer, "the last record says that checkpoints were lost, and none "
                                       "is missing");
    if (said.truncated || result->interrupted)
        drop_goal(replayer, said.truncated);
    end_preservation(replayer);
    if (result->interrupted && replayer->reader.minor >= RD_TRACE_MINOR_SO_FAR)
        leave_rest_open(replayer);
    if (replayer->wants_step && !replayer->lost && !result->interrupted)
        rd_replay_contradict(replayer, "round %u has a hazard, and no step behind it",
                             replayer->next_step);
    if (replayer->undefined) /* by a round that has no step */
        rd_verdict_leave_open(&replayer->obligations[RD_PRESERVATION]);
    check_totals(replayer, &said);
    check_outcome(replayer, &said);
    rd_replay_check_evidence(replayer, &said);
    return RD_OK;
}

static enum rd_verdict worst_obligation(const struct rd_replayer *replayer)
{
    enum rd_verdict worst = RD_HOLDS;
    for (int k = 0; k < RD_OBLIGATION_COUNT; k++)
        worst = rd_verdict_worst(worst, replayer->obligations[k]);
    return worst;
}

static const char *why_it_ends(const struct rd_replayer *replayer)
{
    if (replayer->result.interrupted)
        return "the run was interrupted";
    return replayer->reader.cut ? "its last line is cut" : "it has no last record";
}

/* Derives the verdict from the steps, without the last record; sets *why where they do not suffice. */
static enum rd_verdict derive_verdict(const struct rd_replayer *replayer, const char **why)
{
    const struct rd_replay *result = &replayer->result;
    if (result->violated || replayer->hazard_verdict == RD_VIOLATED)
        return RD_VIOLATED;
    if (!rd_replay_can_assert(replayer)) {
        *why = replayer->inputs.reason.text;
        return RD_INCONCLUSIVE;
    }
    if (!result->complete || result->interrupted)
        *why = why_it_ends(replayer);
    else if (replayer->truncated)
        *why = "not all checkpoints were kept";
    else if (replayer->missing[0])
        *why = replayer->missing;
    else if (*replayer->unlooked)
        *why = replayer->unlooked;
    else if (worst_obligation(replayer) != RD_HOLDS)
        *why = "a step or the goal is INCONCLUSIVE";
    else if (replayer->pass < count_passes(replayer))
        *why = "passes are missing";
    return *why ? RD_INCONCLUSIVE : RD_HOLDS;
}

static const char cut_out[] =
    "cells were cut out of its states, and can't be asserted again: '--trace-cells all' keeps them";

/* The run has seen the cells that were cut out of checkpoints, and sums in any order: the trace alone can't say what
 * they were. */
static void leave_unseen_open(struct rd_replayer *replayer, const char **why)
{
    struct rd_replay *result = &replayer->result;
    if (!rd_replay_can_assert(replayer))
        result->unseen = RD_UNSEEN_INPUTS;
    else if (replayer->unseen_cells)
        result->unseen = RD_UNSEEN_CELLS;
    if (result->unseen != RD_UNSEEN_CELLS)
        return;
    rd_verdict_leave_open(&result->obligations[RD_PRESERVATION]);
    if (result->obligations[RD_PRESERVATION] == RD_INCONCLUSIVE)
        rd_verdict_leave_open(&result->obligations[RD_EXIT]);
    if (result->verdict == RD_HOLDS) {
        result->verdict = RD_INCONCLUSIVE;
        *why = cut_out;
    }
}

static void conclude(struct rd_replayer *replayer)
{
    struct rd_replay *result = &replayer->result;
    const char *why = NULL;
    if (!result->complete || result->interrupted)
        leave_rest_open(replayer);
    result->verdict = derive_verdict(replayer, &why);
    if (!why && !rd_replay_can_assert(replayer))
        why = replayer->inputs.reason.text;
    else if (!why && (!result->complete || result->interrupted))
        why = why_it_ends(replayer);
    memcpy(result->obligations, replayer->obligations, sizeof result->obligations);
    if (result->complete && rd_replay_can_assert(replayer) && !replayer->unknown &&
        result->recorded != result->verdict)
        rd_replay_contradict(replayer, "the trace says %s, and its records say %s",
                             rd_verdict_name(result->recorded), rd_verdict_name(result->verdict));
    leave_unseen_open(replayer, &why);
    if (replayer->contradicted)
        result->verdict = RD_VIOLATED;
    else if (why && result->steps == 0)
        snprintf(result->reason, sizeof result->reason, "%.400s; no step was recorded", why);
    else if (why == replayer->missing || why == cut_out)
        snprintf(result->reason, sizeof result->reason, "%.500s", why);
    else if (why)
        snprintf(result->reason, sizeof result->reason,
                 "%.400s; the trace ends after step %u of %u", why, result->steps - 1,
                 replayer->rounds);
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
        return replay_result(replayer);
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
        conclude(&replayer);
        replayer.result.program = rd_program_hold(replayer.program);
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
    rd_program_let_go(replay->program);
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
    return result;
}
