// SPDX-License-Identifier: MIT
#include "bench/times.h"
#include "run/given.h"
#include "run/state.h"

/* ---- the bare loop ---- */

static enum rd_status copy_back(struct rd_state *state, unsigned step, uint64_t *copied_bytes,
                                struct rd_error *error)
{
    const struct rd_run *run = state->run;
    struct rd_claim claim;
    const struct rd_shape shape = rd_run_shape(run);
    rd_program_claim(run->program, &shape, step, &claim);
    enum rd_status status = rd_state_copy_begin(state, &claim, error);
    *copied_bytes += state->n_copied * run->numeric->size_bytes;
    return status == RD_OK ? rd_state_copy_compare(state, &claim, NULL, NULL, error) : status;
}

static enum rd_status bare_loop(struct rd_state *state, struct rd_bench_verified *result,
                                double *seconds, struct rd_error *error)
{
    const struct rd_run *run = state->run;
    const struct rd_shape shape = rd_run_shape(run);
    struct rd_round round;
    double start = rd_bench_now_s();
    result->copied_bytes = 0;
    enum rd_status status = copy_back(state, 0, &result->copied_bytes, error);
    for (unsigned step = 1; status == RD_OK && rd_program_round(run->program, &shape, step, &round);
         step++) {
        status = rd_state_launch(state, &round, NULL, NULL, error);
        if (status == RD_OK)
            status = copy_back(state, step, &result->copied_bytes, error);
    }
    *seconds = rd_bench_now_s() - start;
    return status;
}

static enum rd_status time_bare(const struct rd_run *run, struct rd_bench_verified *result,
                                double *seconds, struct rd_error *error)
{
    struct rd_expect expect;
    struct rd_state state;
    const struct rd_shape shape = rd_run_shape(run);
    enum rd_status status =
        rd_expect_init(&expect, run->program, run->numeric, &shape, run->a, run->b, error);
    if (status != RD_OK)
        return status;
    status = rd_state_init(&state, run, &expect, error);
    if (status == RD_OK) {
        status = bare_loop(&state, result, seconds, error);
        rd_state_finish(&state);
    }
    rd_expect_finish(&expect);
    return status;
}

/* ---- the run ---- */

/* From when the arrays are ready to when the last step was asserted. */
struct stopwatch {
    double start_s, last_s;
};

static enum rd_status start_watch(void *self, const struct rd_run *run, struct rd_error *error)
{
    (void)run, (void)error;
    ((struct stopwatch *)self)->start_s = rd_bench_now_s();
    return RD_OK;
}

static enum rd_status read_watch(void *self, const struct rd_run *run, const struct rd_step *step,
                                 struct rd_error *error)
{
    (void)run, (void)step, (void)error;
    ((struct stopwatch *)self)->last_s = rd_bench_now_s();
    return RD_OK;
}

static enum rd_status time_verified(const struct rd_run *run, double *seconds,
                                    struct rd_error *error)
{
    struct stopwatch watch = {0};
    const struct rd_observer observer = {.self = &watch, .begin = start_watch, .step = read_watch};
    struct rd_result result;
    struct rd_run timed = *run;
    if (!run->device->ops->findings)
        timed.hazards_by = RD_HAZARDS_BY_NOBODY; /* what the simulator takes is no part of it */
    enum rd_status status =
        rd_run(&timed, (const struct rd_observer *const[]){&observer, NULL}, &result, error);
    if (status == RD_OK && result.verdict != RD_HOLDS)
        status = rd_fail(error, RD_ERROR_INPUT, "'%s' is %s: only a run that holds is measured",
                         run->program->name, rd_verdict_name(result.verdict));
    *seconds = watch.last_s - watch.start_s;
    return status;
}

enum rd_status rd_bench_verified(const struct rd_run *given, unsigned repeats,
                                 struct rd_bench_verified *result, struct rd_error *error)
{
    double bare[RD_BENCH_REPEATS_MAX], verified[RD_BENCH_REPEATS_MAX];
    enum rd_status status = rd_bench_repeats_check(repeats, error);
    struct rd_run own;
    const struct rd_run *run = rd_run_given(given, &own, true, error);
    if (!run)
        return RD_ERROR_USAGE;
    struct rd_bench_verified r = {0};
    for (unsigned i = 0; status == RD_OK && i < repeats; i++) {
        status = time_bare(run, &r, &bare[i], error);
        if (status == RD_OK)
            status = time_verified(run, &verified[i], error);
    }
    if (status != RD_OK)
        return status;
    r.bare_s = rd_bench_median(bare, repeats);
    r.verified_s = rd_bench_median(verified, repeats);
    *result = r;
    return RD_OK;
}
