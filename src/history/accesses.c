// SPDX-License-Identifier: MIT
/* Who read and wrote what: the simulator makes the rounds again, up to the one that is asked for, and
 * tells of its accesses. It is named here and nowhere else in the history: the interface of devices has
 * no operation for it, as no other device can tell. */
#include "history/accesses.h"
#include "history/links.h"
#include "sim/recorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARRAYS_MAX = 64 };

/* Numbers that link an access: its place in the order, that order's, and the write before it. */
enum { LINKS = 3 };

#define NOT_ENDED SIZE_MAX

struct rd_accesses {
    bool ready;
    size_t frame;
    struct rd_access_list list;
    struct rd_links links; /* in it */
    struct rd_access *accesses;
    size_t room;
    struct rd_access_array arrays[ARRAYS_MAX];
    char names[ARRAYS_MAX][64];
    uintptr_t bases[ARRAYS_MAX];
    unsigned n_arrays;
    bool failed;             /* no memory */
    size_t bytes, bytes_max; /* of the accesses and of what links them */
    const struct rd_program *program;
    const struct rd_numeric *numeric;    /* of the run */
    const struct rd_frame *of, *earlier; /* what is asked for */
    struct rd_access_log *log;           /* or all up to it, for this; else NULL */
};

void rd_accesses_destroy(struct rd_accesses *accesses)
{
    if (!accesses)
        return;
    rd_links_finish(&accesses->links);
    free(accesses->accesses);
    free(accesses);
}

/* ---- taking ---- */

/* What an array's elements are; where that is unknown, the run's. */
static const struct rd_numeric *numeric_of(const struct rd_accesses *a,
                                           const struct rd_sim_array *array)
{
    const struct rd_numeric *named = rd_numeric_named(array->type);
    if (named)
        return named;
    if (array->elem_bytes == 0 || array->elem_bytes == a->numeric->size_bytes)
        return a->numeric;
    return rd_numeric(array->elem_bytes == sizeof(uint64_t) ? RD_TYPE_U64 : RD_TYPE_U32);
}

/* The array's number in the list; ARRAYS_MAX where there are too many. */
static unsigned find_array(struct rd_accesses *a, const struct rd_sim_array *array)
{
    unsigned k = 0;
    while (k < a->n_arrays && a->bases[k] != array->base)
        k++;
    if (k < a->n_arrays || k == ARRAYS_MAX)
        return k;
    const struct rd_numeric *numeric = numeric_of(a, array);
    snprintf(a->names[k], sizeof a->names[k], "%s", array->name);
    a->bases[k] = array->base;
    a->arrays[k] = (struct rd_access_array){
        .name = a->names[k],
        .numeric = numeric,
        .n_elems = array->size_bytes / numeric->size_bytes,
        .shared = array->space == RD_SPACE_SHARED,
    };
    a->n_arrays++;
    return k;
}

/* What the access takes, with all that links it, and, maybe, its move and its thread. */
static size_t bytes_of(const struct rd_accesses *a, const struct rd_sim_access *access)
{
    size_t bytes = sizeof(struct rd_access) + LINKS * sizeof(uint32_t);
    const struct rd_access *last = a->list.count > 0 ? &a->accesses[a->list.count - 1] : NULL;
    if (access->op != RD_SIM_READ)
        bytes += sizeof(struct rd_access_move);
    if (!last || last->thread != access->thread || last->block != access->block)
        bytes += sizeof(struct rd_access_thread);
    return bytes;
}

static void take(void *self, const struct rd_sim_access *access)
{
    static const enum rd_access_op ops[] = {
        [RD_SIM_READ] = RD_ACCESS_READ,
        [RD_SIM_WRITE] = RD_ACCESS_WRITE,
        [RD_SIM_ATOMIC] = RD_ACCESS_ATOMIC,
    };
    struct rd_accesses *a = self;
    struct rd_access_list *list = &a->list;
    unsigned array = find_array(a, access->array);
    if (list->truncated || a->failed || array == ARRAYS_MAX)
        return;
    size_t bytes = bytes_of(a, access);
    list->truncated = list->count == RD_ACCESSES_MAX || a->bytes + bytes > a->bytes_max;
    if (list->truncated)
        return;
    if (list->count == a->room) {
        size_t room = 2 * a->room + 256;
        struct rd_access *grown = realloc(a->accesses, room * sizeof *grown);
        a->failed = !grown;
        if (!grown)
            return;
        a->accesses = grown;
        a->room = room;
    }
    a->bytes += bytes;
    a->accesses[list->count++] = (struct rd_access){
        .block = access->block,
        .thread = access->thread,
        .op = ops[access->op],
        .array = array,
        .index = access->index,
        .outside = access->outside,
        .value = access->value,
        .interval = access->interval,
        .line = access->line,
        .file = access->file,
    };
}

/* Dynamic shared memory has the name that the invariant has for it. */
static void rename_array(void *self, int point, const struct rd_sim_array *array)
{
    struct rd_accesses *a = self;
    const struct rd_point_invariant *invariant = rd_program_point(a->program, (enum rd_point)point);
    unsigned k = invariant ? find_array(a, array) : ARRAYS_MAX;
    if (k < ARRAYS_MAX)
        snprintf(a->names[k], sizeof a->names[k], "%s", invariant->array);
}

/* ---- running ---- */

/* The launch that follows is that of the step. */
static void listen(struct rd_accesses *a, unsigned step)
{
    const struct rd_frame *of = a->of;
    struct rd_sim_recorder recorder = {.self = a, .take = take, .checkpoint = rename_array};
    if (of->inside && step == of->step) {
        recorder.of_block = true;
        recorder.block = of->place.block;
        recorder.warp = a->log ? RD_WHOLE_BLOCK : of->place.warp;
        recorder.from = a->log || a->earlier == of ? 0 : a->earlier->place.number;
        recorder.to = of->place.number - 1;
        recorder.by_snapshot = of->place.warp == RD_WHOLE_BLOCK;
        recorder.point = (int)of->place.point;
    }
    rd_sim_recorder_set(&recorder);
}

static enum rd_status follow(void *self, const struct rd_run *run, const struct rd_step *step,
                             struct rd_error *error)
{
    struct rd_accesses *a = self;
    (void)run, (void)error;
    if (step->place)
        return RD_OK;
    if (a->log)
        a->log->ends[step->number] = a->list.count;
    if (step->number + 1 == a->of->step || (a->log && step->number < a->of->step))
        listen(a, step->number + 1);
    return step->number == a->of->step ? RD_ERROR_INTERRUPTED : RD_OK;
}

static enum rd_status run_to(struct rd_history *history, struct rd_accesses *a,
                             struct rd_error *error)
{
    const struct rd_observer observer = {.self = a, .step = follow};
    struct rd_result result;
    struct rd_resumed resumed;
    enum rd_status status = rd_resumed_init(&resumed, history, false, error);
    if (status != RD_OK)
        return status;
    resumed.run.frame = false;
    status =
        rd_run(&resumed.run, (const struct rd_observer *const[]){&observer, NULL}, &result, error);
    rd_sim_recorder_set(NULL);
    rd_resumed_finish(&resumed);
    if (status == RD_ERROR_INTERRUPTED)
        status = RD_OK;
    return status == RD_OK && a->failed ? rd_history_no_memory(error) : status;
}

/* What is to be told of. */
static void begin(struct rd_accesses *a, const struct rd_history *history, size_t frame)
{
    rd_links_finish(&a->links);
    size_t share = rd_history_share(history);
    a->ready = a->failed = false;
    a->bytes = 0;
    a->bytes_max = share > RD_HISTORY_BYTES_MIN ? share : RD_HISTORY_BYTES_MIN;
    a->frame = frame;
    a->n_arrays = 0;
    a->list = (struct rd_access_list){0};
    a->program = history->about.program;
    a->numeric = history->about.numeric;
    a->of = &history->frames[frame].frame;
    a->earlier = &history->frames[a->of->before].frame;
}

/* Gives back what was not needed. */
static void trim(struct rd_accesses *a)
{
    size_t room = a->list.count + 1;
    struct rd_access *fit = a->room > room ? realloc(a->accesses, room * sizeof *fit) : NULL;
    if (!fit)
        return;
    a->accesses = fit;
    a->room = room;
}

static enum rd_status make(struct rd_history *history, struct rd_accesses *a,
                           struct rd_error *error)
{
    enum rd_status status = a->of->step > 0 ? run_to(history, a, error) : RD_OK;
    trim(a);
    a->list.accesses = a->accesses;
    a->list.arrays = a->arrays;
    a->list.n_arrays = a->n_arrays;
    return status;
}

enum rd_status rd_accesses_of(struct rd_history *history, size_t frame, struct rd_access_list *list,
                              struct rd_error *error)
{
    struct rd_accesses *a = history->accesses;
    enum rd_status status = RD_OK;
    if (!a)
        a = history->accesses = calloc(1, sizeof *a);
    if (!a)
        return rd_history_no_memory(error);
    if (!a->ready || a->frame != frame) {
        begin(a, history, frame);
        status = make(history, a, error);
        if (status == RD_OK)
            status = rd_links_init(&a->links, &a->list, NULL, error);
        a->ready = status == RD_OK;
    }
    if (status == RD_OK)
        *list = a->list;
    return status;
}

enum rd_status rd_history_seen(struct rd_history *history, const uint32_t **seen,
                               struct rd_error *error)
{
    struct rd_accesses *a = history->accesses;
    if (!a || !a->ready)
        return rd_fail(error, RD_ERROR_USAGE, "no accesses were asked for");
    enum rd_status status = rd_links_see(&a->links, &a->list, NULL, error);
    if (status == RD_OK)
        *seen = a->links.seen;
    return status;
}

size_t rd_accesses_bytes(const struct rd_accesses *accesses)
{
    if (!accesses)
        return 0;
    const struct rd_links *links = &accesses->links;
    const struct rd_access_list *list = &accesses->list;
    size_t numbers = links->seen ? LINKS : links->order ? 1 : 0; /* of each access */
    return accesses->room * sizeof(struct rd_access) + list->count * numbers * sizeof(uint32_t) +
           list->n_moves * sizeof *list->moves + list->n_threads * sizeof *list->threads;
}

/* ---- the log ---- */

size_t rd_access_log_bytes(const struct rd_access_log *log)
{
    return log ? rd_accesses_bytes(log->accesses) : 0;
}

void rd_access_log_destroy(struct rd_access_log *log)
{
    if (!log)
        return;
    rd_accesses_destroy(log->accesses);
    free(log->ends);
    free(log);
}

/* Rounds that did not end have all that came then. */
static void end_rounds(struct rd_access_log *log)
{
    size_t count = log->accesses->list.count;
    for (unsigned s = 1; s <= log->steps; s++)
        if (log->ends[s] == NOT_ENDED || s == log->steps)
            log->ends[s] = count;
}

static enum rd_status make_log(struct rd_history *history, struct rd_access_log *log, size_t frame,
                               struct rd_error *error)
{
    struct rd_accesses *a = log->accesses = calloc(1, sizeof *a);
    const struct rd_frame *of = &history->frames[frame].frame;
    log->steps = of->step;
    log->inside = of->inside;
    log->frame = frame;
    log->ends = calloc(log->steps + 1, sizeof *log->ends);
    if (!a || !log->ends)
        return rd_history_no_memory(error);
    for (unsigned s = 1; s <= log->steps; s++)
        log->ends[s] = NOT_ENDED;
    begin(a, history, frame);
    a->log = log;
    enum rd_status status = make(history, a, error);
    if (status == RD_OK && a->list.truncated)
        status = rd_fail(error, RD_ERROR_USAGE,
                         "the rounds make more than the %zu accesses that there is room for",
                         a->list.count);
    end_rounds(log);
    if (status == RD_OK)
        status = rd_links_init(&a->links, &a->list, log->ends, error);
    if (status == RD_OK)
        status = rd_links_see(&a->links, &a->list, log->ends, error);
    log->list = a->list;
    log->links = &a->links;
    return status;
}

enum rd_status rd_accesses_log(struct rd_history *history, size_t frame,
                               const struct rd_access_log **log, struct rd_error *error)
{
    const struct rd_frame *of = &history->frames[frame].frame;
    struct rd_access_log *kept = history->log;
    bool serves = kept && (kept->inside || of->inside ? kept->inside && kept->frame == frame
                                                      : kept->steps >= of->step);
    if (!serves) {
        rd_access_log_destroy(kept);
        kept = history->log = calloc(1, sizeof *kept);
        if (!kept)
            return rd_history_no_memory(error);
        /* Of the last step at once: the others are in it. */
        size_t last = of->inside ? frame : history->n_frames - 1;
        enum rd_status status =
            make_log(history, kept, history->frames[last].frame.inside ? frame : last, error);
        if (status != RD_OK) {
            rd_access_log_destroy(kept);
            history->log = NULL;
            return status;
        }
    }
    *log = kept;
    return RD_OK;
}

enum rd_status rd_history_accesses(struct rd_history *history, size_t frame,
                                   struct rd_access_list *list, struct rd_error *error)
{
    if (frame >= history->n_frames)
        return rd_fail(error, RD_ERROR_USAGE, "frame %zu is none of %zu", frame, history->n_frames);
    return rd_accesses_of(history, frame, list, error);
}
