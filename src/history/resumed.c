// SPDX-License-Identifier: MIT
#include "history/accesses.h"
#include "reductio/witness.h"

#include <stdlib.h>
#include <string.h>

/* Of a witness trace: the inputs of its first pass. Where they go does not depend on them. */
static enum rd_status make_witness(struct rd_resumed *resumed, const struct rd_history_about *about,
                                   struct rd_error *error)
{
    struct rd_witness_plan plan;
    uint64_t *a = malloc((about->n_a + about->n_b + 1) * sizeof *a);
    if (!a)
        return rd_history_no_memory(error);
    rd_witness_plan(about->program, &about->shape, about->numeric->operation, &plan);
    rd_witness_fill(&plan, 1, about->n_a, a);
    rd_witness_fill_b(&plan, 1, about->n_b, a + about->n_a);
    resumed->witness = a;
    resumed->run.a = a;
    resumed->run.b = about->n_b ? a + about->n_a : NULL;
    return RD_OK;
}

static enum rd_status open_simulator(struct rd_resumed *resumed, struct rd_error *error)
{
    struct rd_error why;
    enum rd_status status = rd_device_open("sim", &resumed->device, &why, error);
    if (status == RD_OK)
        resumed->run.device = resumed->device;
    return status;
}

enum rd_status rd_resumed_init(struct rd_resumed *resumed, const struct rd_history *history,
                               bool anywhere, struct rd_error *error)
{
    const struct rd_history_about *about = &history->about;
    struct rd_resumed r = {.run = history->run};
    enum rd_status status = RD_OK;
    if (!about->live)
        r.run = (struct rd_run){
            .program = about->program,
            .numeric = about->numeric,
            .n = about->shape.n,
            .block = about->shape.block,
            .grid = about->shape.grid,
            .a = about->a,
            .b = about->b,
            .values = about->values,
        };
    if (!about->live && about->witness)
        status = make_witness(&r, about, error);
    else if (!about->a)
        status =
            rd_fail(error, RD_ERROR_USAGE, "the rounds can't be re-run: %s",
                    about->incomplete ? about->incomplete : "the trace does not have the input");
    bool simulated = about->live && history->run.device->ops->simulates;
    if (status == RD_OK && !simulated && !(anywhere && about->live))
        status = open_simulator(&r, error);
    r.run.pass = r.run.passes = 1; /* nothing is explained once more */
    r.run.go_on = true;
    r.run.n_schedules = 1;                   /* what the first has left is what is looked at */
    r.run.hazards_by = RD_HAZARDS_BY_NOBODY; /* they are known */
    r.run.progress = NULL;                   /* a view is on the screen */
    r.run.interrupted = NULL;
    if (status == RD_OK)
        *resumed = r;
    else
        rd_resumed_finish(&r);
    return status;
}

void rd_resumed_finish(struct rd_resumed *resumed)
{
    rd_device_close(resumed->device);
    free(resumed->witness);
    *resumed = (struct rd_resumed){0};
}
