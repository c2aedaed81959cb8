// SPDX-License-Identifier: MIT
#include "trace/inputs.h"

#include <stdlib.h>
#include <unistd.h>

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

enum rd_status rd_trace_inputs_init(struct rd_trace_inputs *inputs,
                                    const struct rd_program *program,
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
        rd_trace_inputs_finish(&in);
    else
        *inputs = in;
    return status;
}

void rd_trace_inputs_fill(struct rd_trace_inputs *inputs, const struct rd_trace_run *run,
                          size_t pass)
{
    rd_witness_fill(&inputs->plan, pass, run->n_a, inputs->witness);
    rd_witness_fill_b(&inputs->plan, pass, run->n_b, inputs->witness + run->n_a);
}

void rd_trace_inputs_finish(struct rd_trace_inputs *inputs)
{
    rd_values_finish(&inputs->values);
    free(inputs->witness);
    *inputs = (struct rd_trace_inputs){0};
}
