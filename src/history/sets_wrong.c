// SPDX-License-Identifier: MIT
/* The inputs in a cell that is not what it should be. Runs with witness values read all inputs of it and
 * its neighbours, some inputs in each run; what is read must weigh what the cell weighs. Where that
 * would take too many runs, a search looks for those by which the cell differs, if they can be few. */
#include "history/sets.h"
#include "reductio/witness.h"

#include <string.h>

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
        if (rd_reading_has(&sets->readings[k], request)) {
            *found = &sets->readings[k];
            return RD_OK;
        }
    struct rd_run run = sets->resumed.run;
    struct rd_reading *reading = &sets->readings[sets->next_reading++ % RD_READINGS];
    run.pass = run.passes = 1; /* nothing is explained */
    rd_reading_finish(reading);
    *found = reading;
    return rd_reading_init(reading, &run, request, error);
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
    rd_reading_differences(reading, request->cell, looking->wanted, looking->times);
    for (size_t j = 0; j < looking->n; j++) {
        int64_t times = looking->times[j] + looking->wanted[j];
        if (times != 0)
            rd_input_set_add(&set, j, times);
        weight += (uint64_t)times * rd_reading_weight(j);
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
        rd_reading_wrong_groups(groups, request->cell, looking->wanted) <= SEARCHED_MAX)
        status = rd_witness_explain(&run, &violation, &evidence, error);
    if (status == RD_OK && evidence.partial)
        return rd_fail(error, RD_ERROR_INPUT, "it differs by too many inputs");
    if (status == RD_OK)
        *actual = evidence.actual;
    return status;
}

enum rd_status rd_sets_look_for(struct rd_history *history, size_t number, size_t index,
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
        request.plan = rd_reading_digits(looking->n, bits[k]);
        if (request.plan.probes > READ_MAX / looking->n)
            break;
        status = read_cell(sets, &request, looking, actual, &told, &reason);
    }
    request.plan = rd_reading_groups(looking->n, GROUPS);
    if (status == RD_OK && !told)
        status = search(sets, &request, looking, actual, &reason);
    if (status == RD_ERROR_INPUT)
        return rd_fail(error, RD_ERROR_USAGE, "what is in %s[%zu] can't be told: %.300s",
                       request.frame->array, index, reason.text);
    return status == RD_OK ? RD_OK : rd_fail(error, status, "%s", reason.text);
}
