// SPDX-License-Identifier: MIT
#include "reductio/run.h"
#include "reductio/history.h"
#include "history/accesses.h"
#include "base/random.h"
#include "reductio/operation.h"
#include "run/state.h"
#include "history/history_internal.h"
#include "reductio/witness.h"

#include <stdlib.h>
#include <string.h>

/* Reads the cells of a frame in probes: runs on inputs of our choice. One reading serves many cells of its frame, side by
 * side. */

/* A probe gives each of some inputs a digit of its own; with 0 bits, each a random weight. All others
 * are 0. */
struct rd_reading_plan {
    unsigned digit_bits;
    size_t per_probe; /* so many inputs, one behind the other */
    size_t probes;
};

enum { RD_READING_CELLS = 1024 };

struct rd_reading {
    bool made;
    size_t frame; /* its number */
    struct rd_reading_plan plan;
    size_t n;        /* inputs */
    size_t stride;   /* the state has each so many-th cell */
    size_t first;    /* the first of these that is kept, */
    size_t n_cells;  /* and how many are */
    uint64_t *cells; /* [probes][n_cells] */
};

/* A request to read a cell of a frame, and its neighbours. */
struct rd_reading_request {
    const struct rd_frame *frame;
    size_t number, cell;
    struct rd_reading_plan plan;
};

enum { RD_ANSWERS = 512 };

/* A step, the one before it, and each with the narrow digits and the wide ones. */
enum { RD_READINGS = 4 };

/* A cell that is looked into. */
struct rd_looking {
    size_t n;
    unsigned char *wanted; /* [n]: whether it should hold the input */
    int64_t *times;        /* [n]: room */
    uint64_t weight;       /* of all that it holds */
};

struct rd_sets_of {
    struct rd_resumed resumed;
    uint64_t *weights, *ones; /* the inputs */
    unsigned char *wanted;    /* of the cell that is looked into, see above */
    int64_t *times;
    struct rd_history *weighed;
    struct rd_reading readings[RD_READINGS];
    size_t next_reading;
    struct rd_answer {
        bool known; /* also where it was refused: */
        enum rd_status status;
        struct rd_error reason;
        size_t frame, index;
        struct rd_input_set actual, expected;
    } answers[RD_ANSWERS];
};

/* ---- readings ---- */

enum { VALUE_BITS = 64 };

/* A random weight for an input. */
static uint64_t reading_weight(size_t input)
{
    return rd_random_at(0, input);
}

/* Digits of so many bits. */
static struct rd_reading_plan reading_digits(size_t n, unsigned digit_bits)
{
    size_t per_probe = VALUE_BITS / digit_bits;
    return (struct rd_reading_plan){digit_bits, per_probe, (n + per_probe - 1) / per_probe};
}

/* So many groups of inputs, or fewer. */
static struct rd_reading_plan reading_groups(size_t n, size_t groups)
{
    size_t per_probe = (n + groups - 1) / groups;
    return (struct rd_reading_plan){0, per_probe, (n + per_probe - 1) / per_probe};
}

/* The value of an input in its probe. */
static uint64_t value_of(const struct rd_reading_plan *plan, size_t input)
{
    if (plan->digit_bits == 0)
        return reading_weight(input);
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

static enum rd_status take_step(void *self, const struct rd_run *run, const struct rd_step *step,
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
static void fill_probe(const struct rd_reading *reading, size_t probe, uint64_t *a)
{
    const struct rd_reading_plan *plan = &reading->plan;
    size_t first = probe > 0 ? (probe - 1) * plan->per_probe : 0;
    for (size_t j = first; j < (probe + 1) * plan->per_probe && j < reading->n; j++)
        a[j] = j < probe * plan->per_probe ? 0 : value_of(plan, j);
}

static enum rd_status probe_all(struct probing *probing, const struct rd_run *run, uint64_t *a,
                                struct rd_error *error)
{
    const struct rd_observer observer = {.self = probing, .step = take_step};
    struct rd_run probe = *run;
    struct rd_result unused;
    probe.a = a;
    for (; probing->probe < probing->reading->plan.probes; probing->probe++) {
        probing->seen = false;
        fill_probe(probing->reading, probing->probe, a);
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

static void reading_finish(struct rd_reading *reading);

/* Makes the probes. `run` is on witness values: of type u64, its second input all ones. RD_ERROR_INPUT
 * where a probe does not come to the frame; RD_ERROR_MEMORY; as rd_run. */
static enum rd_status reading_init(struct rd_reading *reading, const struct rd_run *run,
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
        reading_finish(&made);
    return status;
}

static bool reading_has(const struct rd_reading *reading, const struct rd_reading_request *request)
{
    return reading->made && reading->frame == request->number &&
           reading->plan.digit_bits == request->plan.digit_bits &&
           request->cell / reading->stride - reading->first < reading->n_cells;
}

static void reading_finish(struct rd_reading *reading)
{
    free(reading->cells);
    *reading = (struct rd_reading){.made = false};
}

/* ---- reading ---- */

/* The difference between the probe's result for the cell and what is wanted there. */
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
static void reading_differences(const struct rd_reading *reading, size_t cell,
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

/* In how many groups the cell differs from wanted[]. */
static size_t reading_wrong_groups(const struct rd_reading *reading, size_t cell,
                                   const unsigned char *wanted)
{
    size_t wrong = 0;
    for (size_t probe = 0; probe < reading->plan.probes; probe++)
        wrong += difference_of(reading, probe, cell, wanted) != 0;
    return wrong;
}

/* ---- sets ---- */

/* The sets of cells. The run is made once more on inputs that are random weights: a cell that then is the
 * sum of the weights of its expected set, holds just that set, but for a chance of 2^-64 or so. The sets of
 * other cells are read below. */

/* Beyond this, looking takes longer than a person will wait for. */
#define INPUTS_MAX ((size_t)1 << 22)

void rd_sets_of_destroy(struct rd_sets_of *sets)
{
    if (!sets)
        return;
    rd_history_destroy(sets->weighed);
    rd_resumed_finish(&sets->resumed);
    for (size_t k = 0; k < RD_READINGS; k++)
        reading_finish(&sets->readings[k]);
    free(sets->wanted);
    free(sets->times);
    free(sets->weights);
    free(sets->ones);
    free(sets);
}

size_t rd_sets_of_bytes(const struct rd_sets_of *sets)
{
    return sets && sets->weighed ? rd_history_bytes(sets->weighed) : 0;
}

/* ---- the weighed run ---- */

static enum rd_status make_inputs(struct rd_sets_of *sets, const struct rd_history_about *about,
                                  struct rd_error *error)
{
    sets->weights = malloc((about->n_a + 1) * sizeof *sets->weights);
    sets->ones = malloc((about->n_b + 1) * sizeof *sets->ones);
    sets->wanted = malloc(about->n_a + 1);
    sets->times = malloc((about->n_a + 1) * sizeof *sets->times);
    if (!sets->weights || !sets->ones || !sets->wanted || !sets->times)
        return rd_history_no_memory(error);
    for (size_t j = 0; j < about->n_a; j++)
        sets->weights[j] = reading_weight(j);
    for (size_t j = 0; j < about->n_b; j++)
        sets->ones[j] = 1;
    return RD_OK;
}

static enum rd_status weigh(struct rd_sets_of *sets, struct rd_history *history,
                            struct rd_error *error)
{
    const struct rd_history_about *about = &history->about;
    enum rd_status status = rd_resumed_init(&sets->resumed, history, about->live, error);
    if (status == RD_OK)
        status = make_inputs(sets, about, error);
    if (status != RD_OK)
        return status;
    struct rd_run *run = &sets->resumed.run;
    run->numeric = rd_numeric(RD_TYPE_U64);
    run->a = sets->weights;
    run->b = about->n_b ? sets->ones : NULL;
    run->values = "witness";
    run->frame = true;
    /* The weighed run takes a quarter of its own bound: it is asked for states alone. */
    const struct rd_history_options options = {.bytes_max = 4 * rd_history_share(history) + 1};
    return rd_history_run(&sets->weighed, run, &options, error);
}

static enum rd_status begin(struct rd_history *history, struct rd_error *error)
{
    const struct rd_history_about *about = &history->about;
    if (history->sets)
        return RD_OK;
    if (about->live && rd_breaks_a_cell(&history->run))
        return rd_fail(error, RD_ERROR_USAGE,
                       "a value was put into a cell by hand, which is no sum of inputs");
    if (about->n_a > INPUTS_MAX)
        return rd_fail(error, RD_ERROR_USAGE, "%zu inputs are too many to look for", about->n_a);
    struct rd_sets_of *sets = calloc(1, sizeof *sets);
    if (!sets)
        return rd_history_no_memory(error);
    enum rd_status status = weigh(sets, history, error);
    if (status == RD_OK)
        history->sets = sets;
    else
        rd_sets_of_destroy(sets);
    return status;
}

/* ---- a cell ---- */

/* The frame of the weighed run that shows the same step; its number of frames where it has none. */
static size_t find_frame(const struct rd_history *weighed, const struct rd_frame *frame,
                         size_t number)
{
    size_t first = number < weighed->n_frames ? number : 0;
    for (size_t k = 0; k < weighed->n_frames; k++) {
        size_t f = (first + k) % weighed->n_frames;
        const struct rd_frame *its = &weighed->frames[f].frame;
        if (its->step == frame->step && its->inside == frame->inside &&
            (!its->inside || rd_place_same(&its->place, &frame->place)))
            return f;
    }
    return weighed->n_frames;
}

/* ---- a cell ---- */

/* Adds up the weights of the inputs that the cell should hold. */
static uint64_t expect(const struct rd_members *members, const struct rd_looking *looking,
                       struct rd_input_set *expected)
{
    uint64_t weight = 0;
    for (size_t j = 0; j < looking->n; j++) {
        looking->wanted[j] = rd_members_has(members, j);
        if (!looking->wanted[j])
            continue;
        rd_input_set_add(expected, j, 1);
        weight += reading_weight(j);
    }
    return weight;
}

static enum rd_status sets_look_for(struct rd_history *history, size_t number, size_t index,
                                    const struct rd_looking *looking, struct rd_input_set *actual,
                                    struct rd_error *error);

static enum rd_status look(struct rd_history *history, size_t number, size_t index,
                           struct rd_answer *answer, struct rd_error *error)
{
    const struct rd_frame *frame = &history->frames[number].frame;
    struct rd_sets_of *sets = history->sets;
    struct rd_history_cell cell = {0};
    struct rd_members members;
    enum rd_status status = RD_OK;
    if (rd_members_init(&members, history, number, index) != RD_OK)
        return rd_fail(error, RD_ERROR_USAGE, "of %s[%zu], the invariant names no inputs",
                       frame->array, index);
    size_t same = find_frame(sets->weighed, frame, number);
    if (same < sets->weighed->n_frames)
        status = rd_history_cell(sets->weighed, same, index, &cell, error);
    if (status != RD_OK)
        return status;
    if (!cell.known)
        return rd_fail(error, RD_ERROR_USAGE, "nothing is in %s[%zu] at this step", frame->array,
                       index);
    const struct rd_looking looking = {
        .n = history->about.n_a,
        .wanted = sets->wanted,
        .times = sets->times,
        .weight = cell.value,
    };
    uint64_t weight = expect(&members, &looking, &answer->expected);
    answer->actual = answer->expected;
    if (cell.value != weight)
        status = sets_look_for(history, number, index, &looking, &answer->actual, error);
    return status;
}

enum rd_status rd_history_set(struct rd_history *history, size_t frame, size_t index,
                              struct rd_input_set *actual, struct rd_input_set *expected,
                              struct rd_error *error)
{
    if (frame >= history->n_frames || index >= history->frames[frame].frame.n_cells)
        return rd_fail(error, RD_ERROR_USAGE, "frame %zu has no cell %zu", frame, index);
    if (history->about.witness)
        return rd_passes_set(history, frame, index, actual, expected, error);
    if (history->about.program->no_witness)
        return rd_fail(error, RD_ERROR_USAGE, "what '%s' makes of its input is no sum of it",
                       history->about.program->name);
    enum rd_status status = begin(history, error);
    if (status != RD_OK)
        return status;
    struct rd_answer *answer = &history->sets->answers[(frame * 61 + index) % RD_ANSWERS];
    if (!answer->known || answer->frame != frame || answer->index != index) {
        *answer = (struct rd_answer){.frame = frame, .index = index};
        answer->status = look(history, frame, index, answer, &answer->reason);
        /* A refusal stays one; without memory, or interrupted, it may go better the next time. */
        answer->known = answer->status != RD_ERROR_MEMORY && answer->status != RD_ERROR_INTERRUPTED;
    }
    if (answer->status != RD_OK)
        return rd_fail(error, answer->status, "%s", answer->reason.text);
    *actual = answer->actual;
    *expected = answer->expected;
    return RD_OK;
}

/* ---- sets of wrong cells ---- */

/* The inputs in a cell that is not what it should be. Runs with witness values read all inputs of it and
 * its neighbours, some inputs in each run; what is read must weigh what the cell weighs. Where that
 * would take too many runs, a search looks for those by which the cell differs, if they can be few. */

/* A cell is read whole if its runs have so many elements in all: a second or two. */
#define READ_MAX ((size_t)1 << 24)

/* Digits this wide tell of up to 7 times too often, and 8 too seldom. Where that is not enough, they are
 * as wide as they may have to be. */
enum { DIGIT_BITS = 4 };

/* Each input that differs takes the search some 20 runs: it is not begun where more groups differ. */
enum { GROUPS = 64, SEARCHED_MAX = RD_INPUT_SET_MAX };

static bool reads_unwritten(const struct rd_history *weighed, unsigned step)
{
    for (size_t k = 0; k < weighed->n_hazards; k++)
        if (weighed->hazards[k].step <= step && weighed->hazards[k].kind == RD_HAZARD_UNINITIALISED)
            return true;
    return false;
}

/* The reading of the cell; made where it is not there. */
static enum rd_status find_reading(struct rd_sets_of *sets,
                                   const struct rd_reading_request *request,
                                   const struct rd_reading **found, struct rd_error *error)
{
    for (size_t k = 0; k < RD_READINGS; k++)
        if (reading_has(&sets->readings[k], request)) {
            *found = &sets->readings[k];
            return RD_OK;
        }
    struct rd_run run = sets->resumed.run;
    struct rd_reading *reading = &sets->readings[sets->next_reading++ % RD_READINGS];
    run.pass = run.passes = 1; /* nothing is explained */
    reading_finish(reading);
    *found = reading;
    return reading_init(reading, &run, request, error);
}

/* Reads the whole cell by digits of so many bits. *told: what was read weighs what the cell does. */
static enum rd_status read_cell(struct rd_sets_of *sets, const struct rd_reading_request *request,
                                const struct rd_looking *looking, struct rd_input_set *actual,
                                bool *told, struct rd_error *error)
{
    const struct rd_reading *reading;
    struct rd_input_set set = {0};
    uint64_t weight = 0;
    enum rd_status status = find_reading(sets, request, &reading, error);
    if (status != RD_OK)
        return status;
    reading_differences(reading, request->cell, looking->wanted, looking->times);
    for (size_t j = 0; j < looking->n; j++) {
        int64_t times = looking->times[j] + looking->wanted[j];
        if (times != 0)
            rd_input_set_add(&set, j, times);
        weight += (uint64_t)times * reading_weight(j);
    }
    *told = weight == looking->weight;
    if (*told)
        *actual = set;
    return RD_OK;
}

static enum rd_status search(struct rd_sets_of *sets, const struct rd_reading_request *request,
                             const struct rd_looking *looking, struct rd_input_set *actual,
                             struct rd_error *error)
{
    const struct rd_reading *groups;
    const struct rd_frame *frame = request->frame;
    struct rd_evidence evidence = {.partial = true};
    struct rd_run run = sets->resumed.run;
    const struct rd_violation violation = {
        .kind = RD_VIOLATION_BITS,
        .step = frame->step,
        .inside = frame->inside,
        .place = frame->place,
        .array = frame->array,
        .cell = request->cell,
    };
    enum rd_status status = find_reading(sets, request, &groups, error);
    run.pass = run.passes = 0;
    if (status == RD_OK &&
        reading_wrong_groups(groups, request->cell, looking->wanted) <= SEARCHED_MAX)
        status = rd_witness_explain(&run, &violation, &evidence, error);
    if (status == RD_OK && evidence.partial)
        return rd_fail(error, RD_ERROR_INPUT, "it differs by too many inputs");
    if (status == RD_OK)
        *actual = evidence.actual;
    return status;
}

/* Looks for the inputs in a cell that does not hold the expected ones. RD_ERROR_USAGE, with the reason, where they can't
 * be told. */
static enum rd_status sets_look_for(struct rd_history *history, size_t number, size_t index,
                                    const struct rd_looking *looking, struct rd_input_set *actual,
                                    struct rd_error *error)
{
    struct rd_sets_of *sets = history->sets;
    struct rd_reading_request request = {
        .frame = &history->frames[number].frame, .number = number, .cell = index};
    struct rd_witness_plan widest;
    struct rd_error reason = {""};
    bool told = false;
    enum rd_status status = RD_OK;
    if (reads_unwritten(sets->weighed, request.frame->step))
        return rd_fail(error, RD_ERROR_USAGE,
                       "the run has read memory that nobody has written, which is no input");
    rd_witness_plan(history->about.program, &history->about.shape, RD_OPERATION_SUM, &widest);
    const unsigned bits[] = {DIGIT_BITS, widest.digit_bits};
    for (int k = 0; k < 2 && status == RD_OK && !told; k++) {
        request.plan = reading_digits(looking->n, bits[k]);
        if (request.plan.probes > READ_MAX / looking->n)
            break;
        status = read_cell(sets, &request, looking, actual, &told, &reason);
    }
    request.plan = reading_groups(looking->n, GROUPS);
    if (status == RD_OK && !told)
        status = search(sets, &request, looking, actual, &reason);
    if (status == RD_ERROR_INPUT)
        return rd_fail(error, RD_ERROR_USAGE, "what is in %s[%zu] can't be told: %.300s",
                       request.frame->array, index, reason.text);
    return status == RD_OK ? RD_OK : rd_fail(error, status, "%s", reason.text);
}
