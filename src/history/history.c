// SPDX-License-Identifier: MIT
#include "history/history_internal.h"
#include "base/array.h"
#include "base/sized.h"
#include "program/definition.h"
#include "program/program_law.h"
#include "run/given.h"
#include "device/kernel_names.h"
#include "trace/recorded.h"
#include "run/assertion.h"
#include "reductio/hazards.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The size of struct rd_history_options in version 0.1. */
enum { OPTIONS_FIRST_SIZE = sizeof(struct rd_history_options) };

/* A history of nothing yet; rd_history_destroy ends it. RD_ERROR_MEMORY, and RD_ERROR_USAGE of the options. */
static enum rd_status history_create(struct rd_history **history,
                                     const struct rd_history_options *options,
                                     struct rd_error *error)
{
    if (options && rd_sized_check(options, sizeof *options, OPTIONS_FIRST_SIZE, "history_options",
                                  error) != RD_OK)
        return RD_ERROR_USAGE;
    struct rd_history *h = calloc(1, sizeof *h);
    if (!h)
        return rd_history_no_memory(error);
    if (options)
        h->options.bytes_max = options->bytes_max;
    *history = h;
    return RD_OK;
}

void rd_history_destroy(struct rd_history *history)
{
    if (!history)
        return;
    for (size_t f = 0; f < history->n_frames; f++) {
        rd_delta_finish(&history->frames[f].delta);
        free(history->frames[f].passes);
    }
    free(history->frames);
    free(history->hazards);
    rd_tracks_finish(&history->tracks);
    rd_texts_finish(&history->texts);
    rd_wanted_finish(&history->wanted);
    rd_accesses_destroy(history->accesses);
    rd_access_log_destroy(history->log);
    rd_sets_of_destroy(history->sets);
    rd_device_close(history->simulator);
    rd_history_source_destroy(history->source);
    free(history->shown.now);
    free(history->shown.then);
    rd_program_release(history->about.program);
    free(history);
}

const struct rd_history_about *rd_history_about(const struct rd_history *history)
{
    return &history->about;
}

size_t rd_history_share(const struct rd_history *history)
{
    enum { SHARES = 4 };
    size_t bytes_max = history->options.bytes_max;
    return (bytes_max ? bytes_max : RD_HISTORY_BYTES) / SHARES;
}

size_t rd_history_bytes(const struct rd_history *history)
{
    return history->kept_bytes + rd_accesses_bytes(history->accesses) +
           rd_access_log_bytes(history->log) + rd_sets_of_bytes(history->sets);
}

size_t rd_history_hazards(const struct rd_history *history)
{
    return history->n_hazards;
}

const struct rd_history_hazard *rd_history_hazard(const struct rd_history *history, size_t k)
{
    return k < history->n_hazards ? &history->hazards[k] : NULL;
}

size_t rd_history_frames(const struct rd_history *history)
{
    return history->n_frames;
}

const struct rd_frame *rd_history_frame(const struct rd_history *history, size_t frame)
{
    return frame < history->n_frames ? &history->frames[frame].frame : NULL;
}

/* Frames come in the order of their steps; the last of a step is the one behind its checkpoints. */
size_t rd_history_frame_of_step(const struct rd_history *history, unsigned step)
{
    size_t first = 0, end = history->n_frames;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (history->frames[middle].frame.step <= step)
            first = middle + 1;
        else
            end = middle;
    }
    return first - 1;
}

/* ---- putting one together ---- */

/* Puts a history together, step by step: of a run or of a trace. */

/* ---- frames ---- */

enum rd_status rd_history_no_memory(struct rd_error *error)
{
    return rd_fail(error, RD_ERROR_MEMORY, "no memory for the history of the run");
}

static struct rd_kept_frame *new_frame(struct rd_history *history)
{
    return rd_array_make_room(&history->frames, history->n_frames, &history->room_frames,
                              sizeof *history->frames)
               ? &history->frames[history->n_frames]
               : NULL;
}

/* All but `before` and the hazards. */
static void describe(struct rd_frame *frame, const struct rd_program *program,
                     const struct rd_step *step, size_t n_cells)
{
    *frame = (struct rd_frame){
        .step = step->number,
        .kernel = "",
        .point = "",
        .array = rd_program_array(program),
        .variable = "",
        .claim = step->claim,
        .n_cells = n_cells,
        .verdict = step->verdict,
        .n_asserted = step->n_asserted,
        .n_unbounded = step->n_unbounded,
        .widest = step->widest,
    };
    if (step->round) {
        frame->has_round = true;
        frame->round = *step->round;
        frame->kernel = step->round->kernel_name;
    }
    if (step->place) {
        frame->inside = true;
        frame->place = *step->place;
        frame->point = rd_point_name(step->place->point);
        frame->array = step->point->array;
        frame->variable = step->point->variable;
    }
    if (step->expect) {
        frame->bounded = step->expect->bounded;
        frame->any_order = step->expect->any_order;
    }
    if (step->violation) {
        frame->violated = true;
        frame->violation = *step->violation;
    }
}

enum rd_status rd_history_add_step(struct rd_history *history, const struct rd_step *step,
                                   const struct rd_layout *layout, size_t n_cells,
                                   struct rd_error *error)
{
    char statement[RD_STATEMENT_SIZE];
    if (history->again.on)
        return rd_states_keep_again(history, step, layout, error);
    struct rd_kept_frame *kept = new_frame(history);
    struct rd_track *track = rd_tracks_find(&history->tracks, step);
    if (!kept || !track)
        return rd_history_no_memory(error);
    *kept = (struct rd_kept_frame){.layout = *layout};
    describe(&kept->frame, history->about.program, step, n_cells);
    kept->frame.statement = rd_texts_keep(
        &history->texts, rd_step_statement(step, history->about.program, &history->about.shape,
                                           history->about.numeric->operation, statement));
    if (!kept->frame.statement)
        return rd_history_no_memory(error);
    enum rd_status status = rd_states_keep(history, history->n_frames, track, step->cells, error);
    if (status != RD_OK)
        return status;
    if (!step->place) {
        kept->frame.first_hazard = history->first_hazard;
        kept->frame.n_hazards = history->n_hazards - history->first_hazard;
        history->first_hazard = history->n_hazards;
    }
    history->n_frames++;
    return RD_OK;
}

/* ---- hazards ---- */

static enum rd_status add_hazard(struct rd_history *history, const struct rd_history_hazard *hazard,
                                 struct rd_error *error)
{
    struct rd_texts *texts = &history->texts;
    if (history->again.on)
        return RD_OK;
    if (!rd_array_make_room(&history->hazards, history->n_hazards, &history->room_hazards,
                            sizeof *history->hazards))
        return rd_history_no_memory(error);
    struct rd_history_hazard kept = *hazard;
    kept.name = rd_texts_keep(texts, hazard->name);
    kept.message = rd_texts_keep(texts, hazard->message);
    kept.array = rd_texts_keep(texts, hazard->array);
    bool failed = !kept.name || !kept.message || !kept.array;
    for (unsigned k = 0; k < kept.n_places; k++) {
        struct rd_finding_place *place = &kept.places[k];
        place->op = rd_texts_keep(texts, place->op ? place->op : "");
        failed = failed || !place->op;
        if (!place->file)
            continue;
        place->file = rd_texts_keep(texts, place->file);
        failed = failed || !place->file;
    }
    if (failed)
        return rd_history_no_memory(error);
    history->hazards[history->n_hazards++] = kept;
    return RD_OK;
}

/* A round that never ended has no frame of its own. */
static void end_hazards(struct rd_history *history)
{
    if (history->n_frames == 0 || history->first_hazard == history->n_hazards)
        return;
    struct rd_frame *last = &history->frames[history->n_frames - 1].frame;
    if (last->n_hazards == 0)
        last->first_hazard = history->first_hazard;
    last->n_hazards += history->n_hazards - history->first_hazard;
    history->first_hazard = history->n_hazards;
}

/* ---- of a live run ---- */

/* The history of a live run. */

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
    return add_hazard(self, &taken, error);
}

static void describe_run(struct rd_history *history)
{
    const struct rd_run *run = &history->run;
    const struct rd_shape shape = rd_run_shape(run);
    history->about = (struct rd_history_about){
        .program = rd_program_retain(run->program),
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
static enum rd_status repeat_run(struct rd_history *history, struct rd_error *error)
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

enum rd_status rd_history_run(struct rd_history **history, const struct rd_run *given,
                              const struct rd_history_options *options, struct rd_error *error)
{
    struct rd_history *h = NULL;
    struct rd_run own;
    const struct rd_run *run = rd_run_given(given, &own, true, error);
    if (!run)
        return RD_ERROR_USAGE;
    const struct rd_shape shape = rd_run_shape(run);
    enum rd_status status = rd_program_accept(run->program, &shape, error);
    if (status == RD_OK)
        status = history_create(&h, options, error);
    if (status != RD_OK)
        return status;
    h->run = *run;
    h->run.go_on = true;
    h->repeat = repeat_run;
    describe_run(h);
    status = observe(h, &h->run, &h->about.result, error);
    if (status == RD_ERROR_INTERRUPTED && h->n_frames > 0)
        status = RD_OK;
    rd_tracks_finish(&h->tracks);
    end_hazards(h);
    rd_history_decide(h, !h->about.result.interrupted);
    if (status == RD_OK)
        *history = h;
    else
        rd_history_destroy(h);
    return status;
}

/* ---- of a trace ---- */

/* The history of a trace. */

/* The state of reading a trace again, and what it leaves to the history. */
struct rd_history_source {
    const char *path;
    void *a, *b; /* the inputs; NULL where they are not known */
    bool cut;    /* some states have no middle */
};

void rd_history_source_destroy(struct rd_history_source *source)
{
    if (!source)
        return;
    free(source->a);
    free(source->b);
    free(source);
}

/* ---- the run ---- */

static enum rd_status copy(const void *from, size_t size_bytes, void **to, struct rd_error *error)
{
    *to = malloc(size_bytes + 1);
    if (!*to)
        return rd_history_no_memory(error);
    memcpy(*to, from, size_bytes);
    return RD_OK;
}

static enum rd_status copy_inputs(struct rd_history *history, const void *a, const void *b,
                                  struct rd_error *error)
{
    struct rd_history_source *source = history->source;
    size_t size = history->about.numeric->size_bytes;
    enum rd_status status = RD_OK;
    if (a)
        status = copy(a, history->about.n_a * size, &source->a, error);
    if (b && status == RD_OK)
        status = copy(b, history->about.n_b * size, &source->b, error);
    history->about.a = source->a;
    history->about.b = source->b;
    return status;
}

static enum rd_status begin(void *self, const struct rd_program *program,
                            const struct rd_trace_run *run, const void *a, const void *b,
                            struct rd_error *error)
{
    struct rd_history *history = self;
    struct rd_error reason;
    if (history->again.on &&
        (run->numeric != history->about.numeric || run->n_cells != history->about.n_cells))
        return rd_fail(error, RD_ERROR_INPUT, "'%s' is another trace than it was",
                       history->source->path);
    if (history->again.on)
        return RD_OK;
    size_t most = run->n_a > run->n_cells ? run->n_a : run->n_cells;
    if (!rd_trace_inputs_fit(run->numeric, most, &reason))
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the history: %s", reason.text);
    history->about = (struct rd_history_about){
        .program = rd_program_retain(program),
        .numeric = run->numeric,
        .shape = run->shape,
        .values = rd_texts_keep(&history->texts, run->values),
        .device = rd_texts_keep(&history->texts, run->device),
        .described = rd_texts_keep(&history->texts, run->described),
        .n_cells = run->n_cells,
        .n_a = run->n_a,
        .n_b = rd_program_has_b(program) ? run->n_b : 0,
        .rounds = rd_program_rounds(program, &run->shape),
        .witness = run->passes > 0,
        .frame = run->frame,
    };
    if (!history->about.values || !history->about.device || !history->about.described)
        return rd_history_no_memory(error);
    if (run->passes > 0)
        return RD_OK; /* the inputs are another in each pass */
    return copy_inputs(history, a, b, error);
}

/* ---- steps and hazards ---- */

/* A record may name a claim that its array has no room for. */
static bool fits(const struct rd_claim *claim, size_t n_cells)
{
    return claim->stride > 0 &&
           (claim->count == 0 || (claim->count - 1) <= (n_cells - 1) / claim->stride);
}

static enum rd_status take_recorded_step(void *self, const struct rd_trace_step *recorded,
                                         const struct rd_step *step, struct rd_error *error)
{
    struct rd_history *history = self;
    const struct rd_trace_state *state = &recorded->state;
    size_t n_cells = step->place ? state->count : history->about.n_cells;
    const struct rd_layout layout = {
        .count = state->count,
        .stride = state->whole ? 1 : step->claim.stride,
        .n_head = state->n_head,
        .n_tail = state->n_tail,
        .lanes = step->place && step->place->warp != RD_WHOLE_BLOCK,
        .present = recorded->present,
    };
    struct rd_step taken = *step;
    taken.cells = state->cells;
    if (n_cells == 0 || !fits(&step->claim, n_cells))
        return RD_OK;
    history->source->cut |= rd_trace_state_is_cut(state);
    if (history->about.witness)
        return rd_passes_add(history, &taken, &layout, n_cells, recorded->pass, error);
    return rd_history_add_step(history, &taken, &layout, n_cells, error);
}

static enum rd_status take_recorded_hazard(void *self, const struct rd_trace_hazard *hazard,
                                           struct rd_error *error)
{
    return add_hazard(self,
                      &(struct rd_history_hazard){.kind = hazard->kind,
                                                  .name = hazard->name,
                                                  .message = hazard->message,
                                                  .step = hazard->step,
                                                  .array = ""},
                      error);
}

static enum rd_status walk(struct rd_history *history, struct rd_replay *replay,
                           struct rd_error *error)
{
    const struct rd_trace_visitor visitor = {.self = history,
                                             .begin = begin,
                                             .step = take_recorded_step,
                                             .hazard = take_recorded_hazard};
    return rd_trace_walk(history->source->path, &visitor, replay, error);
}

static enum rd_status repeat_trace(struct rd_history *history, struct rd_error *error)
{
    struct rd_replay replay;
    const enum rd_status status = walk(history, &replay, error);
    if (status == RD_OK)
        rd_replay_finish(&replay);
    return status;
}

/* ---- the end ---- */

static const char *what_is_missing(const struct rd_history *history, const struct rd_replay *replay)
{
    if (replay->reason[0])
        return replay->reason;
    if (!replay->complete)
        return "it has no last record";
    if (replay->interrupted)
        return "the run was interrupted";
    if (replay->truncated)
        return "not all checkpoints were kept";
    if (history->source->cut)
        return "the middle of its states was cut out";
    return NULL;
}

static enum rd_status conclude(struct rd_history *history, const struct rd_replay *replay,
                               struct rd_error *error)
{
    const char *missing = what_is_missing(history, replay);
    history->about.result = rd_replay_result(replay);
    end_hazards(history);
    rd_history_decide(history, replay->complete && !replay->interrupted);
    history->about.incomplete = missing ? rd_texts_keep(&history->texts, missing) : NULL;
    if (missing && !history->about.incomplete)
        return rd_history_no_memory(error);
    if (history->n_frames == 0)
        return rd_fail(error, RD_ERROR_INPUT, "'%s' has no step that can be shown%s%s",
                       history->source->path, missing ? ": " : "", missing ? missing : "");
    return RD_OK;
}

/* A pipe can't be read again, whatever its name: all of it is kept. */
static bool can_be_read_again(const char *path)
{
    struct stat file;
    return strcmp(path, "-") != 0 && stat(path, &file) == 0 && S_ISREG(file.st_mode);
}

static enum rd_status read_all(struct rd_history *history, const char *path, struct rd_error *error)
{
    struct rd_replay replay;
    history->source = calloc(1, sizeof *history->source);
    if (history->source)
        history->source->path = rd_texts_keep(&history->texts, path);
    if (!history->source || !history->source->path)
        return rd_history_no_memory(error);
    if (can_be_read_again(path))
        history->repeat = repeat_trace;
    enum rd_status status = walk(history, &replay, error);
    if (status != RD_OK)
        return status;
    status = conclude(history, &replay, error);
    rd_replay_finish(&replay);
    return status;
}

enum rd_status rd_history_read(struct rd_history **history, const char *path,
                               const struct rd_history_options *options, struct rd_error *error)
{
    struct rd_history *h = NULL;
    enum rd_status status = history_create(&h, options, error);
    if (status != RD_OK)
        return status;
    status = read_all(h, path, error);
    rd_tracks_finish(&h->tracks);
    if (status == RD_OK)
        *history = h;
    else
        rd_history_destroy(h);
    return status;
}
