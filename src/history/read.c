// SPDX-License-Identifier: MIT
/* The history of a trace. */
#include "history/history_internal.h"
#include "history/passes.h"
#include "trace/walk.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What is needed to read the trace again, and what it leaves to the history. */
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
        .program = program,
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

/* What was recorded may name a claim that its array has no room for. */
static bool fits(const struct rd_claim *claim, size_t n_cells)
{
    return claim->stride > 0 &&
           (claim->count == 0 || (claim->count - 1) <= (n_cells - 1) / claim->stride);
}

static enum rd_status take_step(void *self, const struct rd_trace_step *recorded,
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

static enum rd_status take_hazard(void *self, const struct rd_trace_hazard *hazard,
                                  struct rd_error *error)
{
    return rd_history_add_hazard(self,
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
    const struct rd_trace_visitor visitor = {
        .self = history, .begin = begin, .step = take_step, .hazard = take_hazard};
    return rd_trace_walk(history->source->path, &visitor, replay, error);
}

static enum rd_status repeat(struct rd_history *history, struct rd_error *error)
{
    struct rd_replay replay;
    return walk(history, &replay, error);
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
    rd_history_end_hazards(history);
    rd_history_decide(history, replay->complete && !replay->interrupted);
    history->about.incomplete = missing ? rd_texts_keep(&history->texts, missing) : NULL;
    if (missing && !history->about.incomplete)
        return rd_history_no_memory(error);
    if (history->n_frames == 0)
        return rd_fail(error, RD_ERROR_INPUT, "'%s' has no step that can be shown%s%s",
                       history->source->path, missing ? ": " : "", missing ? missing : "");
    return RD_OK;
}

/* What was read from a pipe can't be, whatever its name, and is kept all. */
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
        history->repeat = repeat;
    enum rd_status status = walk(history, &replay, error);
    return status == RD_OK ? conclude(history, &replay, error) : status;
}

enum rd_status rd_history_read(struct rd_history **history, const char *path,
                               const struct rd_history_options *options, struct rd_error *error)
{
    struct rd_history *h;
    enum rd_status status = rd_history_create(&h, options, error);
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
