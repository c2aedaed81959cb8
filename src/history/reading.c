// SPDX-License-Identifier: MIT
#include "history/reading.h"
#include "base/random.h"

#include <stdlib.h>
#include <string.h>

enum { VALUE_BITS = 64 };

uint64_t rd_reading_weight(size_t input)
{
    return rd_random_at(0, input);
}

struct rd_reading_plan rd_reading_digits(size_t n, unsigned digit_bits)
{
    size_t per_probe = VALUE_BITS / digit_bits;
    return (struct rd_reading_plan){digit_bits, per_probe, (n + per_probe - 1) / per_probe};
}

struct rd_reading_plan rd_reading_groups(size_t n, size_t groups)
{
    size_t per_probe = (n + groups - 1) / groups;
    return (struct rd_reading_plan){0, per_probe, (n + per_probe - 1) / per_probe};
}

/* What the input is in its probe. */
static uint64_t value_of(const struct rd_reading_plan *plan, size_t input)
{
    if (plan->digit_bits == 0)
        return rd_reading_weight(input);
    return (uint64_t)1 << plan->digit_bits * (unsigned)(input % plan->per_probe);
}

/* ---- the probes ---- */

struct probing {
    struct rd_reading *reading;
    const struct rd_reading_request *request;
    size_t probe;
    bool seen;
};

static enum rd_status make_room(struct rd_reading *reading, const struct rd_step *step, size_t cell,
                                struct rd_error *error)
{
    reading->stride = step->whole || step->place ? 1 : step->claim.stride;
    reading->first = cell / reading->stride / RD_READING_CELLS * RD_READING_CELLS;
    size_t rest = step->n_cells > reading->first ? step->n_cells - reading->first : 0;
    reading->n_cells = rest < RD_READING_CELLS ? rest : RD_READING_CELLS;
    reading->cells = calloc(reading->plan.probes * reading->n_cells + 1, sizeof(uint64_t));
    if (!reading->cells)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory to look into %zu cells",
                       reading->n_cells);
    return RD_OK;
}

static enum rd_status take(void *self, const struct rd_run *run, const struct rd_step *step,
                           struct rd_error *error)
{
    struct probing *probing = self;
    struct rd_reading *reading = probing->reading;
    const struct rd_frame *frame = probing->request->frame;
    enum rd_status status = RD_OK;
    (void)run;
    if (step->number != frame->step || frame->inside != (step->place != NULL) ||
        (step->place && !rd_place_same(step->place, &frame->place)))
        return RD_OK;
    if (!reading->cells)
        status = make_room(reading, step, probing->request->cell, error);
    if (status != RD_OK)
        return status;
    probing->seen = step->n_cells >= reading->first + reading->n_cells;
    if (probing->seen)
        memcpy(reading->cells + probing->probe * reading->n_cells,
               (const uint64_t *)step->cells + reading->first, reading->n_cells * sizeof(uint64_t));
    return rd_fail(error, RD_ERROR_INTERRUPTED, "seen");
}

/* The inputs of the probe, in place of those of the one before. */
static void fill(const struct rd_reading *reading, size_t probe, uint64_t *a)
{
    const struct rd_reading_plan *plan = &reading->plan;
    size_t first = probe > 0 ? (probe - 1) * plan->per_probe : 0;
    for (size_t j = first; j < (probe + 1) * plan->per_probe && j < reading->n; j++)
        a[j] = j < probe * plan->per_probe ? 0 : value_of(plan, j);
}

static enum rd_status probe_all(struct probing *probing, const struct rd_run *run, uint64_t *a,
                                struct rd_error *error)
{
    const struct rd_observer observer = {.self = probing, .step = take};
    struct rd_run probe = *run;
    struct rd_result unused;
    probe.a = a;
    for (; probing->probe < probing->reading->plan.probes; probing->probe++) {
        probing->seen = false;
        fill(probing->reading, probing->probe, a);
        enum rd_status status =
            rd_run(&probe, (const struct rd_observer *const[]){&observer, NULL}, &unused, error);
        if (probing->seen)
            continue;
        return status != RD_OK && status != RD_ERROR_INTERRUPTED
                   ? status
                   : rd_fail(error, RD_ERROR_INPUT, "the step was not reached");
    }
    return RD_OK;
}

enum rd_status rd_reading_init(struct rd_reading *reading, const struct rd_run *run,
                               const struct rd_reading_request *request, struct rd_error *error)
{
    const struct rd_shape shape = rd_run_shape(run);
    struct rd_reading made = {
        .made = true,
        .frame = request->number,
        .plan = request->plan,
        .n = rd_program_inputs(run->program, &shape),
    };
    struct probing probing = {.reading = &made, .request = request};
    uint64_t *a = calloc(made.n + 1, sizeof *a);
    if (!a)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for %zu inputs", made.n);
    enum rd_status status = probe_all(&probing, run, a, error);
    free(a);
    if (status == RD_OK)
        *reading = made;
    else
        rd_reading_finish(&made);
    return status;
}

bool rd_reading_has(const struct rd_reading *reading, const struct rd_reading_request *request)
{
    return reading->made && reading->frame == request->number &&
           reading->plan.digit_bits == request->plan.digit_bits &&
           request->cell / reading->stride - reading->first < reading->n_cells;
}

void rd_reading_finish(struct rd_reading *reading)
{
    free(reading->cells);
    *reading = (struct rd_reading){.made = false};
}

/* ---- reading ---- */

/* What the probe has found in the cell beyond what is wanted there. */
static uint64_t difference_of(const struct rd_reading *reading, size_t probe, size_t cell,
                              const unsigned char *wanted)
{
    size_t first = probe * reading->plan.per_probe;
    size_t position = cell / reading->stride - reading->first;
    uint64_t difference = reading->cells[probe * reading->n_cells + position];
    for (size_t j = first; j < first + reading->plan.per_probe && j < reading->n; j++)
        if (wanted[j])
            difference -= value_of(&reading->plan, j);
    return difference;
}

/* Digit by digit, from the lowest; a negative digit borrows from the next. */
void rd_reading_differences(const struct rd_reading *reading, size_t cell,
                            const unsigned char *wanted, int64_t *differences)
{
    const struct rd_reading_plan *plan = &reading->plan;
    int64_t base = (int64_t)1 << plan->digit_bits;
    uint64_t rest = 0;
    for (size_t j = 0; j < reading->n; j++) {
        if (j % plan->per_probe == 0)
            rest = difference_of(reading, j / plan->per_probe, cell, wanted);
        int64_t digit = (int64_t)(rest & (uint64_t)(base - 1));
        if (digit >= base / 2)
            digit -= base;
        rest = (rest - (uint64_t)digit) >> plan->digit_bits;
        differences[j] = digit;
    }
}

size_t rd_reading_wrong_groups(const struct rd_reading *reading, size_t cell,
                               const unsigned char *wanted)
{
    size_t wrong = 0;
    for (size_t probe = 0; probe < reading->plan.probes; probe++)
        wrong += difference_of(reading, probe, cell, wanted) != 0;
    return wrong;
}
