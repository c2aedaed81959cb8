// SPDX-License-Identifier: MIT
/* The accesses of a frame or a round: each with its thread, its element and its value. */
#include "history/accesses.h"
#include "reductio/operation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARRAYS_MAX = 96, FILES_MAX = 16 };

/* Numbers that link an access: its place in the order, that order's, and the write before it. */
enum { LINKS = 3 };

#define NOT_ENDED SIZE_MAX

struct rd_accesses {
    bool ready;
    size_t frame;
    struct rd_access_list list;
    struct rd_links links; /* in it */
    struct rd_weights weights;
    struct rd_access *accesses;
    size_t room;
    struct rd_access_array arrays[ARRAYS_MAX];
    char names[ARRAYS_MAX][64];
    uintptr_t bases[ARRAYS_MAX]; /* of registers, the warp's number and 1 */
    unsigned n_arrays;
    char *files[FILES_MAX]; /* that accesses name: the simulator's own texts end with it */
    unsigned n_files;
    bool failed;             /* no memory */
    size_t bytes, bytes_max; /* of the accesses and of what links them */
    const struct rd_program *program;
    int point; /* that was met last, -1 at first: thousands of threads meet the same */
    const struct rd_point_invariant *invariant; /* its */
    const struct rd_numeric *numeric;           /* of the run */
    const struct rd_frame *of, *earlier;        /* what is asked for */
    struct rd_access_log *log;                  /* or all up to it, for this; else NULL */
};

void rd_accesses_destroy(struct rd_accesses *accesses)
{
    if (!accesses)
        return;
    rd_links_finish(&accesses->links);
    rd_weights_finish(&accesses->weights);
    for (unsigned k = 0; k < accesses->n_files; k++)
        free(accesses->files[k]);
    free(accesses->accesses);
    free(accesses);
}

/* ---- taking ---- */

bool rd_access_is_of_input(const char *array)
{
    return strcmp(array, "a") == 0 || strcmp(array, "b") == 0 ||
           strcmp(array, RD_INDICES_NAME) == 0;
}

/* Finds the type of an array's elements; the run's where it is unknown. With an operation that selects, all arrays but
 * the input and the ticket hold indices. */
static const struct rd_numeric *numeric_of(const struct rd_accesses *a,
                                           const struct rd_sim_array *array)
{
    const struct rd_numeric *named = rd_numeric_named(array->type);
    if (rd_operation_selects(a->numeric->operation) && strcmp(array->name, "a") != 0 &&
        strcmp(array->name, "ticket") != 0)
        return a->numeric;
    if (named)
        return named;
    if (strcmp(array->name, "a") == 0)
        return a->numeric->inputs;
    if (array->elem_bytes == 0 || array->elem_bytes == a->numeric->size_bytes)
        return a->numeric;
    return rd_numeric(array->elem_bytes == sizeof(uint64_t) ? RD_TYPE_U64 : RD_TYPE_U32);
}

/* The number in the list of the array that starts there; a new one's where there is none, and ARRAYS_MAX
 * where there are too many. */
static unsigned find_base(struct rd_accesses *a, uintptr_t base)
{
    unsigned k = 0;
    while (k < a->n_arrays && a->bases[k] != base)
        k++;
    return k;
}

static unsigned add_array(struct rd_accesses *a, uintptr_t base, const char *name,
                          struct rd_access_array array)
{
    unsigned k = a->n_arrays++;
    snprintf(a->names[k], sizeof a->names[k], "%s", name);
    array.name = a->names[k];
    a->bases[k] = base;
    a->arrays[k] = array;
    return k;
}

static unsigned find_array(struct rd_accesses *a, const struct rd_sim_array *array)
{
    unsigned k = find_base(a, array->base);
    if (k < a->n_arrays || k == ARRAYS_MAX)
        return k;
    const struct rd_numeric *numeric = numeric_of(a, array);
    return add_array(a, array->base, array->name,
                     (struct rd_access_array){
                         .numeric = numeric,
                         .n_elems = array->size_bytes / numeric->size_bytes,
                         .shared = array->space == RD_SPACE_SHARED,
                     });
}

/* The registers of the thread's warp. */
static unsigned find_lanes(struct rd_accesses *a, unsigned thread)
{
    unsigned warp = thread / RD_WARP_LANES, k = find_base(a, warp + 1);
    if (k < a->n_arrays || k == ARRAYS_MAX)
        return k;
    return add_array(a, warp + 1, "r",
                     (struct rd_access_array){
                         .numeric = a->numeric,
                         .n_elems = RD_WARP_LANES,
                         .shared = true,
                         .lanes = true,
                         .warp = warp,
                     });
}

/* Bytes of an access, with all that links it, and, maybe, its move and its thread. */
static size_t bytes_of(const struct rd_accesses *a, const struct rd_access *access)
{
    size_t bytes = sizeof(struct rd_access) + LINKS * sizeof(uint32_t);
    const struct rd_access *last = a->list.count > 0 ? &a->accesses[a->list.count - 1] : NULL;
    if (rd_access_leaves(access->op))
        bytes += sizeof(struct rd_access_move);
    if (!last || last->thread != access->thread || last->block != access->block)
        bytes += sizeof(struct rd_access_thread);
    return bytes;
}

static void add(struct rd_accesses *a, const struct rd_access *access)
{
    struct rd_access_list *list = &a->list;
    if (list->truncated || a->failed || access->array == ARRAYS_MAX)
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
    a->accesses[list->count++] = *access;
}

enum rd_access_op rd_access_op_of(enum rd_sim_op op)
{
    static const enum rd_access_op ops[] = {
        [RD_SIM_READ] = RD_ACCESS_READ,
        [RD_SIM_WRITE] = RD_ACCESS_WRITE,
        [RD_SIM_ATOMIC] = RD_ACCESS_ATOMIC,
    };
    return ops[op];
}

/* "" for want of room: unknown. */
static const char *keep_file(struct rd_accesses *a, const char *file)
{
    unsigned k = 0;
    while (k < a->n_files && strcmp(a->files[k], file) != 0)
        k++;
    if (k < a->n_files)
        return a->files[k];
    if (k == FILES_MAX || !(a->files[k] = strdup(file)))
        return "";
    return a->files[a->n_files++];
}

static void take(void *self, const struct rd_sim_access *access)
{
    struct rd_accesses *a = self;
    add(a, &(struct rd_access){
               .block = access->block,
               .thread = access->thread,
               .op = rd_access_op_of(access->op),
               .array = find_array(a, access->array),
               .index = access->index,
               .outside = access->outside,
               .value = access->value,
               .interval = access->interval,
               .line = access->line,
               .file = keep_file(a, access->file),
           });
}

enum rd_access_op rd_access_op_of_lane(enum rd_sim_lane_op op)
{
    static const enum rd_access_op ops[] = {
        [RD_SIM_LANE_SHOWS] = RD_ACCESS_HOLD,
        [RD_SIM_LANE_HANDS] = RD_ACCESS_HAND,
        [RD_SIM_LANE_TAKES] = RD_ACCESS_TAKE,
    };
    return ops[op];
}

/* Finds the invariant at a point; NULL where there is none. */
static const struct rd_point_invariant *invariant_at(struct rd_accesses *a, int point)
{
    if (a->point != point) {
        a->invariant = rd_program_point(a->program, (enum rd_point)point);
        a->point = point;
    }
    return a->invariant;
}

/* Gives the array the name that the invariant has for it. */
static void rename_array(struct rd_accesses *a, unsigned array,
                         const struct rd_point_invariant *invariant)
{
    if (strcmp(a->names[array], invariant->array) != 0)
        snprintf(a->names[array], sizeof a->names[array], "%s", invariant->array);
}

/* The registers have the name that the invariant has for them, once it speaks of them. */
static void take_lane(void *self, const struct rd_sim_lane_event *event)
{
    struct rd_accesses *a = self;
    unsigned array = find_lanes(a, event->thread);
    const struct rd_point_invariant *invariant =
        event->op == RD_SIM_LANE_SHOWS ? invariant_at(a, event->point) : NULL;
    if (invariant && array < ARRAYS_MAX)
        rename_array(a, array, invariant);
    a->list.lanes = true;
    add(a, &(struct rd_access){
               .block = event->block,
               .thread = event->thread,
               .op = rd_access_op_of_lane(event->op),
               .array = array,
               .index = event->source % RD_WARP_LANES,
               .outside = event->absent,
               .value = event->absent ? 0 : event->value,
               .interval = event->interval,
               .line = event->line,
               .file = keep_file(a, event->file),
           });
}

/* Dynamic shared memory has the name that the invariant has for it. */
static void meet_checkpoint(void *self, int point, const struct rd_sim_array *array)
{
    struct rd_accesses *a = self;
    const struct rd_point_invariant *invariant = invariant_at(a, point);
    unsigned k = invariant ? find_array(a, array) : ARRAYS_MAX;
    if (k < ARRAYS_MAX)
        rename_array(a, k, invariant);
}

/* ---- running ---- */

static void end_step(void *self, unsigned number)
{
    struct rd_accesses *a = self;
    if (a->log)
        a->log->ends[number] = a->list.count;
}

static struct rd_listener listener_of(struct rd_accesses *a)
{
    return (struct rd_listener){
        .self = a,
        .take = take,
        .lane = take_lane,
        .checkpoint = meet_checkpoint,
        .step = end_step,
        .of = a->of,
        .earlier = a->earlier,
        .all = a->log != NULL,
        .others = a->log && a->log->others,
    };
}

/* Starts over with the accesses of a frame. */
static void begin(struct rd_accesses *a, const struct rd_history *history, size_t frame)
{
    rd_links_finish(&a->links);
    rd_weights_finish(&a->weights);
    size_t share = rd_history_share(history);
    a->ready = a->failed = false;
    a->bytes = 0;
    a->bytes_max = share > RD_HISTORY_BYTES_MIN ? share : RD_HISTORY_BYTES_MIN;
    a->frame = frame;
    a->n_arrays = 0;
    a->list = (struct rd_access_list){0};
    a->program = history->about.program;
    a->point = -1;
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
    const struct rd_listener listener = listener_of(a);
    enum rd_status status = a->of->step > 0 ? rd_listen(history, &listener, error) : RD_OK;
    if (status == RD_OK && a->failed)
        status = rd_history_no_memory(error);
    trim(a);
    a->list.accesses = a->accesses;
    a->list.arrays = a->arrays;
    a->list.n_arrays = a->n_arrays;
    return status;
}

/* Weighs what is there, if there is room for that, too. */
static enum rd_status weigh(struct rd_history *history, struct rd_accesses *a,
                            struct rd_error *error)
{
    const struct rd_listener listener = listener_of(a);
    size_t bytes = a->list.count * sizeof(struct rd_weight);
    a->weights.why = "there is no room for that";
    if (a->list.truncated || a->bytes + bytes > a->bytes_max)
        return RD_OK;
    a->bytes += bytes;
    return rd_weights_init(&a->weights, history, &a->list, &listener, error);
}

/* Finds the sources of the frame's values. */
static enum rd_status find_moves(struct rd_history *history, struct rd_accesses *a,
                                 struct rd_error *error)
{
    enum rd_status status = rd_links_init(&a->links, &a->list, NULL, error);
    const bool keep = status == RD_OK && rd_links_keep(&a->links, &a->list);
    if (keep)
        status = rd_links_see(&a->links, &a->list, NULL, error);
    if (keep && status == RD_OK)
        status = weigh(history, a, error);
    return status == RD_OK ? rd_links_move(&a->links, &a->list, keep ? &a->weights : NULL, error)
                           : status;
}

/* As rd_history_accesses, of a frame that is there. */
static enum rd_status accesses_of(struct rd_history *history, size_t frame,
                                  struct rd_access_list *list, struct rd_error *error)
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
            status = find_moves(history, a, error);
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
    size_t weights = accesses->weights.of ? list->count * sizeof(struct rd_weight) : 0;
    return accesses->room * sizeof(struct rd_access) + list->count * numbers * sizeof(uint32_t) +
           list->n_moves * sizeof *list->moves + list->n_threads * sizeof *list->threads +
           links->sources.room * sizeof(uint32_t) + weights;
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

static enum rd_status fill_log(struct rd_history *history, struct rd_access_log *log, size_t frame,
                               struct rd_error *error)
{
    struct rd_accesses *a = log->accesses;
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
    return status == RD_OK ? rd_links_see(&a->links, &a->list, log->ends, error) : status;
}

/* Tells whether the block has found something in memory that is no input, and that nobody in the log has
 * left there. */
static bool reads_others(const struct rd_access_log *log)
{
    const struct rd_accesses *a = log->accesses;
    for (size_t k = log->ends[log->steps - 1]; k < a->list.count; k++) {
        const struct rd_access_array *array = &a->arrays[a->accesses[k].array];
        if (!array->shared && !rd_access_is_of_input(array->name) &&
            a->accesses[k].op != RD_ACCESS_WRITE && a->links.seen[k] == RD_NO_ACCESS)
            return true;
    }
    return false;
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
    enum rd_status status = fill_log(history, log, frame, error);
    log->others = status == RD_OK && log->inside && reads_others(log);
    if (log->others)
        status = fill_log(history, log, frame, error);
    if (status == RD_OK)
        status = weigh(history, a, error);
    log->list = a->list;
    log->deriving = rd_links_deriving(&a->links, &log->list, log->ends, &a->weights);
    log->unweighed = a->weights.why;
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
        /* The last step is read at once: the others are in it. */
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

bool rd_frame_shows(const struct rd_frame *frame, const struct rd_access_array *array)
{
    if (frame->inside && frame->place.warp != RD_WHOLE_BLOCK)
        return array->lanes && array->warp == (unsigned)frame->place.warp;
    return !array->lanes && strcmp(array->name, frame->array) == 0;
}

enum rd_status rd_history_accesses(struct rd_history *history, size_t frame,
                                   struct rd_access_list *list, struct rd_error *error)
{
    if (frame >= history->n_frames)
        return rd_fail(error, RD_ERROR_USAGE, "frame %zu is none of %zu", frame, history->n_frames);
    return accesses_of(history, frame, list, error);
}
