// SPDX-License-Identifier: MIT
/* The interface to what is worked out side by side. */
#include "law/lanes.h"
#include "element/strided.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static bool begin(struct rd_law_run *run, struct lane_work *work, struct lane_frame *frame)
{
    if (!run->lanes)
        run->lanes = rd_law_lanes_create(run->law, run);
    if (!run->lanes)
        return false;
    work->lanes = run->lanes;
    work->run = run;
    work->place = ++run->lanes->n_places;
    frame->count = 1;
    frame->varying = 0;
    memcpy(frame->here, run->quantities, sizeof run->quantities);
    for (size_t k = 0; k < run->law->n_sections; k++)
        run->lanes->sections[k].state.known = false; /* of other inputs */
    return true;
}

bool rd_law_move_lanes(struct rd_law_run *run, enum rd_law_role role,
                       const struct rd_lanes *arithmetic, enum rd_operation operation,
                       const void *const *inputs, size_t n_inputs, void *cells, bool *any_order)
{
    const struct rd_law_section *section = run->section;
    struct rd_law_error *const error = run->error;
    const uint64_t worked = run->work;
    struct lane_work work = {
        .arithmetic = arithmetic, .operation = operation, .inputs = inputs, .n_inputs = n_inputs};
    struct lane_frame frame;
    int64_t count;
    if (!rd_law_count(run, section->array, &count) || !begin(run, &work, &frame))
        return false;
    struct lane_before *before = &run->lanes->before;
    if (!rd_lane_before_begin(before, cells, (size_t)count, arithmetic->size_bytes))
        return false;
    run->error = NULL;
    const bool done = rd_lane_move(&work, section, role, &frame, before);
    run->error = error;
    if (!done) {
        rd_lane_before_restore(before);
        if (run->status == RD_OK) {
            run->work = worked;
        } else { /* it was interrupted, or too much work: told with its place */
            run->status = RD_OK;
            rd_law_run_work(run, work.said);
        }
    }
    if (done && work.any_order)
        *any_order = true;
    rd_lane_before_let_go(before);
    return done;
}

enum rd_status rd_law_apply_in(struct rd_law_run *run, const struct rd_law_section *section,
                               enum rd_law_role role, const struct rd_law_place *place,
                               const struct rd_lanes *arithmetic, enum rd_operation operation,
                               const void *const *inputs, void *cells, struct rd_law_error *error)
{
    bool any_order = false;
    rd_law_run_begin(run, error);
    if (rd_law_run_go(run, section, place) &&
        !rd_law_move_lanes(run, role, arithmetic, operation, inputs, 0, cells, &any_order))
        rd_law_run_fail(run, NULL, "has no form that is worked out side by side");
    return run->status;
}

/* ---- forms ---- */

struct recognising {
    const struct lane_claim *claim;
    const struct rd_law_section *section;
    struct rd_law_form *form;
    unsigned seen;
};

/* The flat index of an element in lane 0 and from lane to lane. */
static bool line_of(struct lane_work *work, const struct lane_code *indices, size_t count,
                    const struct lane_frame *frame, int64_t *start, int64_t *slope)
{
    return count == 1 && rd_lane_line(work, &indices[0], frame, start, slope) && !work->gave_up;
}

/* Tells whether it is an element whose index goes with the cell's, so far behind it. */
static bool follows(struct lane_work *work, const struct lane_value *value,
                    enum law_meaning meaning, const struct lane_frame *frame,
                    const struct rd_law_form *form, int64_t *distance)
{
    int64_t start, slope;
    return value->kind == LANE_ELEMENT && value->meaning == meaning &&
           line_of(work, value->indices, value->n_indices, frame, &start, &slope) &&
           slope == form->stride && !__builtin_sub_overflow(start, form->first, distance);
}

static bool recognise_value(struct lane_work *work, const struct lane_frame *frame,
                            struct recognising *recognising)
{
    const struct lane_value *value = recognising->claim->value;
    struct rd_law_form *form = recognising->form;
    int64_t distance;
    form->kind = RD_LAW_OTHER;
    if (value->kind == LANE_SUM_OF_TWO &&
        follows(work, value->kids[0], LAW_IS_STATE, frame, form, &distance) && distance == 0 &&
        follows(work, value->kids[1], LAW_IS_STATE, frame, form, &form->distance))
        form->kind = RD_LAW_PAIRS;
    else if (value->kind == LANE_PRODUCT_OF_TWO &&
             follows(work, value->kids[0], LAW_IS_STATE, frame, form, &distance) && distance == 0 &&
             follows(work, value->kids[1], LAW_IS_INPUT, frame, form, &distance) && distance == 0) {
        form->kind = RD_LAW_TIMES_INPUT;
        form->input = value->kids[1]->input;
    } else if (follows(work, value, LAW_IS_INPUT, frame, form, &distance) && distance == 0) {
        form->kind = RD_LAW_COPY;
        form->input = value->input;
    }
    return true;
}

static bool recognise_run(struct lane_work *work, struct lane_frame *frame,
                          const struct lane_run *run, unsigned variable, void *context)
{
    struct recognising *recognising = context;
    struct lane_frame lanes = *frame;
    if (!run || recognising->seen++ > 0)
        return false;
    memcpy(lanes.next, lanes.here, sizeof lanes.next);
    lanes.count = 2;
    lanes.varying = (uint64_t)1 << variable;
    lanes.here[variable] = run->first;
    lanes.next[variable] = run->first + run->stride;
    recognising->form->count = run->count;
    return line_of(work, recognising->claim->indices, recognising->claim->n_indices, &lanes,
                   &recognising->form->first, &recognising->form->stride) &&
           recognise_value(work, &lanes, recognising);
}

static bool recognise(struct rd_law_run *run, const struct rd_law_section *section,
                      enum rd_law_role role, struct rd_law_form *form)
{
    struct lane_work work = {.lanes = NULL};
    struct lane_frame frame;
    const struct lane_claim *active = NULL;
    if (!begin(run, &work, &frame) || section->claims[role].count == 0 ||
        !rd_lane_make_claims(run->lanes, section, role))
        return false;
    const struct lane_claims *claims = &run->lanes->sections[section->index].claims[role];
    for (size_t k = 0; k < claims->count; k++) {
        const struct lane_claim *claim = &claims->claims[k];
        if (claim->has_when && rd_lane_evaluate(&work, &claim->when, frame.here) == 0)
            continue;
        if (active || work.gave_up)
            return false;
        active = claim;
    }
    struct recognising recognising = {active, section, form, 0};
    return active && rd_lane_each(&work, &active->cases, &frame, recognise_run, &recognising) &&
           recognising.seen == 1 && !work.gave_up;
}

void rd_law_recognise(struct rd_law_run *run, const struct rd_law_section *section,
                      enum rd_law_role role, const struct rd_law_place *place,
                      struct rd_law_form *form)
{
    *form = (struct rd_law_form){.kind = RD_LAW_OTHER};
    rd_law_run_begin(run, NULL);
    if (!rd_law_run_go(run, section, place) || !recognise(run, section, role, form))
        form->kind = RD_LAW_OTHER;
}

/* ---- heights ---- */

/* How many roundings lie on the longest way to a value, on which each sum and each product rounds once; of a zero that
 * was never anything else NOTHING, as to add it rounds nothing. */
enum { HEIGHT_MAX = 1 << 30 };
static const uint32_t NOTHING = UINT32_MAX;

static uint32_t higher(uint64_t height)
{
    return height < HEIGHT_MAX ? (uint32_t)height : HEIGHT_MAX;
}

static uint32_t sum_of(uint32_t x, uint32_t y)
{
    if (x == NOTHING || y == NOTHING)
        return x == NOTHING ? y : x;
    return higher((uint64_t)(x > y ? x : y) + 1);
}

static void input_heights(void *values, const void *array, size_t first, ptrdiff_t stride,
                          size_t count)
{
    (void)array, (void)first, (void)stride;
    memset(values, 0, count * sizeof(uint32_t));
}

static void number_heights(void *values, int64_t number, int64_t slope, size_t count)
{
    for (size_t k = 0; k < count; k++)
        ((uint32_t *)values)[k] = number + (int64_t)k * slope == 0 ? NOTHING : 0;
}

static void no_heights(enum rd_operation operation, void *values, size_t count)
{
    (void)operation;
    number_heights(values, 0, 0, count);
}

static void combine_heights(enum rd_operation operation, void *x, const void *y, size_t count)
{
    (void)operation;
    for (size_t k = 0; k < count; k++)
        ((uint32_t *)x)[k] = sum_of(((uint32_t *)x)[k], ((const uint32_t *)y)[k]);
}

static void subtract_heights(void *x, const void *y, size_t count)
{
    combine_heights(RD_OPERATION_SUM, x, y, count);
}

static void times_heights(void *x, const void *y, size_t count)
{
    uint32_t *left = x;
    const uint32_t *right = y;
    for (size_t k = 0; k < count; k++)
        left[k] = left[k] == NOTHING || right[k] == NOTHING
                      ? NOTHING
                      : higher((uint64_t)left[k] + right[k] + 1);
}

static void reduce_heights(enum rd_operation operation, void *x, const void *terms, size_t count)
{
    (void)operation;
    for (size_t k = 0; k < count; k++)
        *(uint32_t *)x = sum_of(*(uint32_t *)x, ((const uint32_t *)terms)[k]);
}

const struct rd_lanes rd_law_heights = {
    .size_bytes = sizeof(uint32_t),
    .input = input_heights,
    .load = RD_STRIDED_LOAD(uint32_t),
    .store = RD_STRIDED_STORE(uint32_t),
    .number = number_heights,
    .identity = no_heights,
    .combine = combine_heights,
    .subtract = subtract_heights,
    .times = times_heights,
    .reduce = reduce_heights,
};
