// SPDX-License-Identifier: MIT
/* The history of a live run. */
#include "history/history_internal.h"

static enum rd_status take_step(void *self, const struct rd_run *run, const struct rd_step *step,
                                struct rd_error *error)
{
    const struct rd_layout layout = {
        .count = step->n_cells,
        .stride = step->whole ? 1 : step->claim.stride,
        .n_head = step->n_cells,
        .lanes = step->place && step->place->warp != RD_WHOLE_BLOCK,
        .present = step->present,
    };
    (void)run;
    return rd_history_add_step(self, step, &layout, step->expect->n, error);
}

static enum rd_status take_hazard(void *self, const struct rd_run *run,
                                  const struct rd_hazard *hazard, struct rd_error *error)
{
    const struct rd_finding *finding = hazard->finding;
    struct rd_history_hazard taken = {.kind = hazard->kind,
                                      .name = hazard->name,
                                      .message = hazard->message,
                                      .step = hazard->step,
                                      .array = ""};
    (void)run;
    if (finding) {
        taken.n_places = finding->n_places;
        for (unsigned k = 0; k < finding->n_places; k++)
            taken.places[k] = finding->places[k];
        taken.array = finding->array;
        taken.index_known = finding->index_known;
        taken.index = finding->index;
    }
    return rd_history_add_hazard(self, &taken, error);
}

static void describe(struct rd_history *history)
{
    const struct rd_run *run = &history->run;
    const struct rd_shape shape = rd_run_shape(run);
    history->about = (struct rd_history_about){
        .program = run->program,
        .numeric = run->numeric,
        .shape = shape,
        .values = run->values ? run->values : "",
        .device = run->device->ops->name,
        .described = run->device->ops->describe(run->device),
        .n_cells = rd_program_cells(run->program, &shape),
        .n_a = rd_program_inputs(run->program, &shape),
        .n_b = rd_program_inputs_b(run->program, &shape),
        .a = run->a,
        .b = rd_program_has_b(run->program) ? run->b : NULL,
        .rounds = rd_program_rounds(run->program, &shape),
        .frame = run->frame,
        .live = true,
    };
}

static enum rd_status observe(struct rd_history *history, const struct rd_run *run,
                              struct rd_result *result, struct rd_error *error)
{
    const struct rd_observer observer = {.self = history, .step = take_step, .hazard = take_hazard};
    return rd_run(run, (const struct rd_observer *const[]){&observer, NULL}, result, error);
}

/* As if in a pass of witness values, so that nothing is explained once more. */
static enum rd_status repeat(struct rd_history *history, struct rd_error *error)
{
    struct rd_run run = history->run;
    struct rd_result result;
    run.pass = run.passes = 1;
    run.hazards_by = RD_HAZARDS_BY_NOBODY; /* they are known */
    run.progress = NULL;                   /* a view is on the screen */
    if (history->about.result.interrupted)
        run.interrupted = NULL; /* it stops where the first one did */
    return observe(history, &run, &result, error);
}

enum rd_status rd_history_run(struct rd_history **history, const struct rd_run *run,
                              const struct rd_history_options *options, struct rd_error *error)
{
    struct rd_history *h;
    const struct rd_shape shape = rd_run_shape(run);
    enum rd_status status = rd_program_accept(run->program, &shape, error);
    if (status == RD_OK)
        status = rd_history_create(&h, options, error);
    if (status != RD_OK)
        return status;
    h->run = *run;
    h->run.go_on = true;
    h->repeat = repeat;
    describe(h);
    status = observe(h, &h->run, &h->about.result, error);
    if (status == RD_ERROR_INTERRUPTED && h->n_frames > 0)
        status = RD_OK;
    rd_tracks_finish(&h->tracks);
    rd_history_end_hazards(h);
    rd_history_decide(h, !h->about.result.interrupted);
    if (status == RD_OK)
        *history = h;
    else
        rd_history_destroy(h);
    return status;
}
