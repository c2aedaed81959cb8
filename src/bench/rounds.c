// SPDX-License-Identifier: MIT
#include "reductio/bench_rounds.h"
#include "bench/times.h"
#include "run/given.h"
#include "run/state.h"

#include <stdlib.h>

/* ---- what a round moves ---- */

static size_t least(size_t x, size_t y)
{
    return x < y ? x : y;
}

static bool is_passed(const struct rd_round *round, enum rd_operand kind)
{
    for (unsigned k = 0; k < round->n_operands; k++)
        if (round->operands[k].kind == kind)
            return true;
    return false;
}

static size_t scratch_elems(const struct rd_round *round)
{
    size_t elems = 0;
    for (unsigned k = 0; k < round->n_operands; k++)
        if (round->operands[k].kind == RD_OPERAND_SCRATCH)
            elems += round->operands[k].size;
    return elems;
}

/* A in place: what comes, goes and changes among the live cells; or what each thread changes. */
static void add_in_place(struct rd_bench_traffic *traffic, const struct rd_round *round,
                         const struct rd_claim *before, const struct rd_claim *after)
{
    size_t fewer = least(before->count, after->count);
    size_t moved = before->count + after->count - 2 * fewer;
    size_t changed = least(fewer, moved == 0 ? round->threads : moved);
    if (moved == 0 && !is_passed(round, RD_OPERAND_B))
        moved = least(changed, fewer - changed); /* by which the others change */
    traffic->read_elems += moved + changed;
    traffic->written_elems += changed;
}

struct rd_bench_traffic rd_bench_round_traffic(const struct rd_program *program,
                                               const struct rd_shape *shape,
                                               const struct rd_round *round, size_t elem_bytes)
{
    struct rd_bench_traffic traffic = {0};
    struct rd_claim before, after;
    bool from_input = is_passed(round, RD_OPERAND_INPUT);
    size_t scratch = scratch_elems(round);
    rd_program_claim(program, shape, round->number - 1, &before);
    rd_program_claim(program, shape, round->number, &after);
    if (from_input)
        traffic.read_elems += rd_program_inputs(program, shape);
    if (is_passed(round, RD_OPERAND_B))
        traffic.read_elems += rd_program_inputs_b(program, shape);
    if (from_input)
        traffic.written_elems += after.count;
    else
        add_in_place(&traffic, round, &before, &after);
    traffic.read_elems += scratch;
    traffic.written_elems += scratch;
    traffic.bytes = (traffic.read_elems + traffic.written_elems) * elem_bytes;
    if (is_passed(round, RD_OPERAND_TICKET))
        traffic.bytes += 2 * RD_BENCH_TICKET_BYTES;
    return traffic;
}

double rd_bench_round_gb_per_s(const struct rd_bench_round *round)
{
    return 1e-9 * (double)round->traffic.bytes / round->median_s;
}

/* ---- the clock ---- */

const char *rd_bench_clock(const struct rd_device *device)
{
    return device->ops->mark ? "events of the GPU"
                             : "processor time of the simulation, and no GPU's";
}

/* Launches all rounds in turn; times_s[k] is the time of round k + 1. */
static enum rd_status time_by_host(struct rd_state *state, const struct rd_bench_rounds *rounds,
                                   double *times_s, struct rd_error *error)
{
    enum rd_status status = RD_OK;
    for (unsigned k = 0; k < rounds->count && status == RD_OK; k++) {
        double start_s = rd_bench_processor_s();
        status = rd_state_launch(state, &rounds->rounds[k].round, NULL, NULL, error);
        times_s[k] = rd_bench_processor_s() - start_s;
    }
    return status;
}

/* The same by the device's clock. The first round is launched twice: the device is then at work while
 * the host asks for what is measured, and does not wait for it. */
static enum rd_status time_by_device(struct rd_state *state, const struct rd_bench_rounds *rounds,
                                     double *times_s, struct rd_error *error)
{
    struct rd_device *device = state->run->device;
    enum rd_status status = RD_OK;
    if (rounds->count > 0)
        status = rd_state_launch(state, &rounds->rounds[0].round, NULL, NULL, error);
    if (status == RD_OK)
        status = device->ops->mark(device, 0, error);
    for (unsigned k = 0; k < rounds->count && status == RD_OK; k++) {
        status = rd_state_launch(state, &rounds->rounds[k].round, NULL, NULL, error);
        if (status == RD_OK)
            status = device->ops->mark(device, k + 1, error);
    }
    for (unsigned k = 0; k < rounds->count && status == RD_OK; k++)
        status = device->ops->between(device, k, k + 1, &times_s[k], error);
    return status;
}

static enum rd_status time_once(struct rd_state *state, const struct rd_bench_rounds *rounds,
                                double *times_s, struct rd_error *error)
{
    return state->run->device->ops->mark ? time_by_device(state, rounds, times_s, error)
                                         : time_by_host(state, rounds, times_s, error);
}

/* ---- measuring ---- */

enum rd_status rd_bench_rounds_accept(const struct rd_program *program,
                                      const struct rd_shape *shape, struct rd_error *error)
{
    enum rd_status status = rd_program_accept(program, shape, error);
    if (status == RD_OK && rd_program_is_fault(program))
        status = rd_fail(error, RD_ERROR_USAGE,
                         "'%s' has a fault, and only right programs are measured: use %s",
                         program->name, rd_program_twin(program)->name);
    if (status == RD_OK && rd_program_rounds(program, shape) > RD_BENCH_ROUNDS_MAX)
        status = rd_fail(error, RD_ERROR_USAGE, "'%s' makes more than %d rounds of %zu elements",
                         program->name, RD_BENCH_ROUNDS_MAX, shape->n);
    return status;
}

static void list_rounds(const struct rd_run *run, struct rd_bench_rounds *result)
{
    const struct rd_shape shape = rd_run_shape(run);
    struct rd_round round;
    result->count = 0;
    while (rd_program_round(run->program, &shape, result->count + 1, &round))
        result->rounds[result->count++] = (struct rd_bench_round){
            .round = round,
            .traffic =
                rd_bench_round_traffic(run->program, &shape, &round, run->numeric->size_bytes),
        };
}

/* times_s[round][repeat] */
struct times {
    double s[RD_BENCH_ROUNDS_MAX][RD_BENCH_REPEATS_MAX];
};

static enum rd_status measure(struct rd_state *state, unsigned repeats, struct times *times,
                              struct rd_bench_rounds *result, struct rd_error *error)
{
    double once_s[RD_BENCH_ROUNDS_MAX];
    enum rd_status status = time_once(state, result, once_s, error);
    for (unsigned r = 0; r < repeats && status == RD_OK; r++) {
        status = time_once(state, result, once_s, error);
        for (unsigned k = 0; k < result->count && status == RD_OK; k++)
            times->s[k][r] = once_s[k];
    }
    for (unsigned k = 0; k < result->count && status == RD_OK; k++) {
        result->rounds[k].median_s = rd_bench_median(times->s[k], repeats);
        result->rounds[k].best_s = times->s[k][0];
    }
    return status;
}

enum rd_status rd_bench_rounds(const struct rd_run *given, unsigned repeats,
                               struct rd_bench_rounds *result, struct rd_error *error)
{
    struct rd_bench_rounds rounds;
    struct rd_expect expect = {0};
    struct rd_state state;
    enum rd_status status = rd_bench_repeats_check(repeats, error);
    if (status != RD_OK)
        return status;
    struct rd_run own;
    const struct rd_run *run = rd_run_given(given, &own, true, error);
    if (!run)
        return RD_ERROR_USAGE;
    const struct rd_shape shape = rd_run_shape(run);
    status = rd_bench_rounds_accept(run->program, &shape, error);
    if (status != RD_OK)
        return status;
    list_rounds(run, &rounds);
    struct times *times = malloc(sizeof *times);
    if (!times)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the times of %u rounds",
                       rounds.count);
    status = rd_expect_init(&expect, run->program, run->numeric, &shape, run->a, run->b, error);
    if (status == RD_OK)
        status = rd_state_init(&state, run, &expect, error);
    if (status == RD_OK) {
        status = measure(&state, repeats, times, &rounds, error);
        rd_state_finish(&state);
    }
    rd_expect_finish(&expect);
    free(times);
    if (status == RD_OK)
        *result = rounds;
    return status;
}
