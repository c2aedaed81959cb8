// SPDX-License-Identifier: MIT
/* Works values out, in as many lanes at a time as there are cells. */
#include "law/lanes.h"

#include <stdlib.h>
#include <string.h>

enum { BUFFERS = 48, BUFFER_BYTES = RD_LANES_MAX * RD_LANE_BYTES_MAX };

void *rd_lane_take(struct lane_work *work)
{
    struct law_lanes *lanes = work->lanes;
    if (!lanes->buffers)
        lanes->buffers = malloc((size_t)BUFFERS * BUFFER_BYTES);
    if (!lanes->buffers || work->depth == BUFFERS) {
        work->gave_up = true;
        return NULL;
    }
    return lanes->buffers + work->depth++ * BUFFER_BYTES;
}

void rd_lane_give(struct lane_work *work)
{
    work->depth--;
}

/* ---- elements ---- */

bool rd_lane_flat_line(struct lane_work *work, const struct lane_code *indices,
                       const struct lane_code *sizes, size_t n_indices,
                       const struct lane_frame *frame, int64_t *first, int64_t *stride)
{
    *first = *stride = 0;
    for (size_t k = 0; k < n_indices; k++) {
        int64_t start, slope, last;
        const int64_t size = rd_lane_evaluate(work, &sizes[k], frame->here);
        if (!rd_lane_line(work, &indices[k], frame, &start, &slope))
            return false;
        if (__builtin_mul_overflow((int64_t)frame->count - 1, slope, &last) ||
            __builtin_add_overflow(last, start, &last) || start < 0 || last < 0 || start >= size ||
            last >= size || __builtin_mul_overflow(*first, size, first) ||
            __builtin_mul_overflow(*stride, size, stride) ||
            __builtin_add_overflow(*first, start, first) ||
            __builtin_add_overflow(*stride, slope, stride)) {
            work->gave_up = true;
            return false;
        }
    }
    return !work->gave_up;
}

bool rd_lane_curved(const struct lane_code *list, size_t count, const struct lane_frame *frame)
{
    int64_t start, slope;
    for (size_t k = 0; k < count; k++)
        if ((list[k].curved & frame->varying) && frame->count > 1 &&
            !rd_lane_straight(&list[k], frame, &start, &slope))
            return true;
    return false;
}

/* The flat index in each lane; false where one of them isn't in the array. */
static bool lane_flat_numbers(struct lane_work *work, const struct lane_code *indices,
                              const struct lane_code *sizes, size_t n_indices,
                              const struct lane_frame *frame, int64_t flat[RD_LANES_MAX])
{
    memset(flat, 0, frame->count * sizeof *flat);
    for (size_t k = 0; k < n_indices; k++) {
        int64_t index[RD_LANES_MAX];
        const int64_t size = rd_lane_evaluate(work, &sizes[k], frame->here);
        bool outside = false;
        if (work->gave_up || !rd_lane_numbers(&indices[k], frame, index))
            return false;
        for (size_t i = 0; i < frame->count; i++)
            outside |= index[i] < 0 || index[i] >= size ||
                       __builtin_mul_overflow(flat[i], size, &flat[i]) ||
                       __builtin_add_overflow(flat[i], index[i], &flat[i]);
        if (outside)
            return false;
    }
    return true;
}

static void load(const struct lane_work *work, const struct lane_value *value, const void *array,
                 int64_t first, int64_t stride, size_t count, void *values)
{
    if (value->meaning == LAW_IS_INPUT)
        work->arithmetic->input(values, work->inputs[value->input], (size_t)first, stride, count);
    else
        work->arithmetic->load(values, array, (size_t)first, stride, count);
}

/* Elements whose indices don't follow a straight line: as many at a time as lie evenly. */
static bool scattered(struct lane_work *work, const struct lane_value *value,
                      const struct lane_frame *frame, const void *array, void *values)
{
    int64_t flat[RD_LANES_MAX], to_block = 0, to_next = 0, least = INT64_MAX, most = 0;
    if (!lane_flat_numbers(work, value->indices, value->sizes, value->n_indices, frame, flat))
        return false;
    if (value->meaning == LAW_IS_STATE)
        rd_lane_to_block(work->before, frame, &to_block, &to_next);
    for (size_t k = 0; k < frame->count; k++) {
        flat[k] += to_block + (int64_t)k * to_next;
        least = flat[k] < least ? flat[k] : least;
        most = flat[k] > most ? flat[k] : most;
    }
    if (value->meaning == LAW_IS_STATE)
        array = rd_lane_before_read(work->before, (size_t)least, (size_t)most);
    for (size_t k = 0, end; k < frame->count; k = end) {
        const int64_t stride = k + 1 < frame->count ? flat[k + 1] - flat[k] : 1;
        for (end = k + 1; end < frame->count && flat[end] - flat[end - 1] == stride;)
            end++;
        load(work, value, array, flat[k], stride, end - k, rd_lane_of(work, values, k));
    }
    return true;
}

static bool size_differs_by_block(const struct lane_value *value)
{
    for (size_t k = 0; k < value->n_indices; k++)
        if (value->sizes[k].variables & RD_LANE_BLOCK)
            return true;
    return false;
}

/* Tells whether the array of a block has the size there that it has where it is read, which its indices are held to. */
static bool is_of_one_size(struct lane_work *work, const struct lane_value *value,
                           const struct lane_frame *frame, int64_t block)
{
    int64_t values[LAW_QUANTITY_COUNT];
    if (!size_differs_by_block(value))
        return true;
    memcpy(values, frame->here, sizeof values);
    values[LAW_BLOCK] = block;
    for (size_t k = 0; k < value->n_indices; k++)
        if (rd_lane_evaluate(work, &value->sizes[k], values) !=
            rd_lane_evaluate(work, &value->sizes[k], frame->here))
            return false;
    return true;
}

/* The array of a block after its last step. */
static const void *last_array(struct lane_work *work, const struct lane_value *value,
                              const struct lane_frame *frame)
{
    const int64_t block = rd_lane_evaluate(work, &value->block, frame->here),
                  warp = rd_lane_evaluate(work, &value->warp, frame->here);
    const struct lane_state *state = rd_lane_last_state(work, value->section, block, 1, warp);
    return state && is_of_one_size(work, value, frame, block)
               ? (const unsigned char *)state->cells + (size_t)(block - state->blocks.first) *
                                                           state->blocks.cells *
                                                           work->arithmetic->size_bytes
               : NULL;
}

/* Elements of arrays after their last step, of a block in each lane, one behind the other. False, too, where it isn't
 * so. */
static bool in_blocks(struct lane_work *work, const struct lane_value *value,
                      const struct lane_frame *frame, void *values)
{
    int64_t block, next, first, stride;
    const int64_t count = (int64_t)frame->count;
    if (value->meaning != LAW_IS_LAST_STATE || size_differs_by_block(value) ||
        (value->warp.variables & frame->varying) ||
        rd_lane_curved(value->indices, value->n_indices, frame) ||
        !rd_lane_line(work, &value->block, frame, &block, &next) || next != 1 ||
        !rd_lane_flat_line(work, value->indices, value->sizes, value->n_indices, frame, &first,
                           &stride))
        return false;
    for (int64_t k = 0, n; k < count; k += n) {
        const struct lane_state *state =
            rd_lane_last_state(work, value->section, block + k, count - k,
                               rd_lane_evaluate(work, &value->warp, frame->here));
        if (!state)
            return false;
        const struct lane_blocks *blocks = &state->blocks;
        const int64_t cells = (int64_t)blocks->cells, at = block + k - blocks->first;
        n = (int64_t)blocks->count - at < count - k ? (int64_t)blocks->count - at : count - k;
        work->arithmetic->load(rd_lane_of(work, values, (size_t)k), state->cells,
                               (size_t)(at * cells + first + k * stride), stride + cells,
                               (size_t)n);
    }
    return true;
}

static bool element(struct lane_work *work, const struct lane_value *value,
                    struct lane_frame *frame, void *values)
{
    const void *array = NULL;
    int64_t first, stride;
    if (value->meaning == LAW_IS_LAST_STATE && !(array = last_array(work, value, frame)))
        return false;
    if (frame->count > 1 && rd_lane_curved(value->indices, value->n_indices, frame))
        return scattered(work, value, frame, array, values);
    if (!rd_lane_flat_line(work, value->indices, value->sizes, value->n_indices, frame, &first,
                           &stride))
        return false;
    if (value->meaning == LAW_IS_STATE) {
        rd_lane_to_block(work->before, frame, &first, &stride);
        const int64_t last = first + (int64_t)(frame->count - 1) * stride;
        array = rd_lane_before_read(work->before, (size_t)(first < last ? first : last),
                                    (size_t)(first < last ? last : first));
    }
    load(work, value, array, first, stride, frame->count, values);
    return true;
}

/* ---- conditions ---- */

/* In all lanes. */
static bool holds(struct lane_work *work, const struct lane_code *condition,
                  const struct lane_frame *frame, const struct lane_frame *last)
{
    if (rd_lane_evaluate(work, condition, frame->here) == 0)
        return false;
    if (!(condition->variables & frame->varying))
        return true;
    if (rd_lane_evaluate(work, condition, last->here) == 0)
        return false;
    int64_t told[RD_LANES_MAX], start, slope;
    if (!(condition->curved & frame->varying))
        return true;
    if (rd_lane_straight(condition, frame, &start, &slope) && slope == 0)
        return start != 0;
    if (!rd_lane_numbers(condition, frame, told))
        return false;
    for (size_t k = 0; k < frame->count; k++)
        if (told[k] == 0)
            return false;
    return true;
}

/* ---- reductions ---- */

static void combine(struct lane_work *work, enum rd_operation operation, void *x, const void *y,
                    size_t count)
{
    if (work->arithmetic->select)
        work->arithmetic->select(operation, work->inputs[0], work->n_inputs, x, y, count);
    else
        work->arithmetic->combine(operation, x, y, count);
}

/* Refuses at once what would be refused in the end: so many parts of lanes, of which one has been worked out. */
static bool affords(struct lane_work *work, uint64_t n_parts)
{
    struct rd_law_run *run = work->run;
    if (run->work <= run->work_max && n_parts > run->work_max - run->work) {
        run->work = run->work_max;
        return rd_law_run_work(run, NULL);
    }
    return true;
}

struct reducing {
    const struct lane_value *value;
    enum rd_operation operation;
    void *result; /* one */
};

static void onto_result(struct lane_work *work, struct reducing *reducing, void *terms,
                        size_t count)
{
    const struct rd_lanes *arithmetic = work->arithmetic;
    if (arithmetic->select)
        arithmetic->select_one(reducing->operation, work->inputs[0], work->n_inputs,
                               reducing->result, terms, count);
    else
        arithmetic->reduce(reducing->operation, reducing->result, terms, count);
}

static bool reduce_run(struct lane_work *work, struct lane_frame *frame, const struct lane_run *run,
                       unsigned variable, void *context)
{
    struct reducing *reducing = context;
    const struct lane_value *term = reducing->value->kids[0];
    struct lane_frame terms = *frame;
    void *values = rd_lane_take(work);
    if (!values)
        return false;
    const int64_t count = run ? run->count : 1;
    for (int64_t done = 0; done < count && !work->gave_up; done += RD_LANES_MAX) {
        /* An element that isn't there shows in the first part, and is what is told then. */
        const bool second = done == RD_LANES_MAX;
        if ((second && !affords(work, (uint64_t)(count - done) / RD_LANES_MAX)) ||
            !rd_lane_part(work, run, variable, done, &terms) ||
            !rd_lane_values(work, term, &terms, values)) {
            work->gave_up = true;
            break;
        }
        onto_result(work, reducing, values, terms.count);
    }
    rd_lane_give(work);
    return !work->gave_up;
}

/* Lane by lane; in each, the terms side by side. */
static bool reduce_each(struct lane_work *work, const struct lane_value *value,
                        enum rd_operation operation, const struct lane_frame *frame, void *values)
{
    for (size_t k = 0; k < frame->count; k++) {
        struct lane_frame one;
        struct reducing reducing = {
            .value = value, .operation = operation, .result = rd_lane_of(work, values, k)};
        rd_lane_only(frame, k, &one);
        if (!rd_lane_each(work, &value->cases, &one, reduce_run, &reducing)) {
            work->gave_up = true;
            return false;
        }
    }
    return true;
}

/* So many lanes have a term in the trip that begins with `first`. */
static size_t still_there(const struct lane_bundle *bundle, int64_t first, size_t count)
{
    if (bundle->as_many)
        return (first - bundle->first) / bundle->stride < bundle->trips ? count : 0;
    if (first > bundle->most)
        return 0;
    if (bundle->first_slope == 0)
        return count;
    const int64_t lanes = (bundle->most - first) / bundle->first_slope + 1;
    return lanes < (int64_t)count ? (size_t)lanes : count;
}

/* Trip by trip; in each, the lanes side by side. */
static bool reduce_bundle(struct lane_work *work, const struct lane_value *value,
                          enum rd_operation operation, const struct lane_bundle *bundle,
                          const struct lane_frame *frame, void *values)
{
    const unsigned variable = value->cases.levels[0].variable;
    struct lane_frame trip = *frame;
    void *terms = rd_lane_take(work);
    if (!terms)
        return false;
    trip.varying |= (uint64_t)1 << variable;
    for (int64_t first = bundle->first;; first += bundle->stride) {
        trip.count = still_there(bundle, first, frame->count);
        if (trip.count == 0)
            break;
        trip.here[variable] = first;
        trip.next[variable] = first + bundle->first_slope;
        if (!rd_law_run_work_on(work->run, trip.count) ||
            !rd_lane_values(work, value->kids[0], &trip, terms)) {
            work->gave_up = true;
            break;
        }
        combine(work, operation, values, terms, trip.count);
    }
    rd_lane_give(work);
    return !work->gave_up;
}

/* One term in each lane, if it holds in all that it is to be there. */
static bool is_one_term(struct lane_work *work, const struct lane_cases *cases,
                        const struct lane_frame *frame)
{
    struct lane_frame last;
    if (cases->n_levels > 0 || !rd_lane_is_safe(work, cases, frame))
        return false;
    rd_lane_only(frame, frame->count - 1, &last);
    for (size_t k = 0; k < cases->n_checks; k++)
        if (!holds(work, &cases->checks[k], frame, &last))
            return false;
    return true;
}

static bool reduce_one(struct lane_work *work, const struct lane_value *value,
                       enum rd_operation operation, struct lane_frame *frame, void *values)
{
    void *terms = rd_lane_take(work);
    if (!terms)
        return false;
    const bool done = rd_lane_values(work, value->kids[0], frame, terms);
    if (done)
        combine(work, operation, values, terms, frame->count);
    rd_lane_give(work);
    return done;
}

static bool reduction(struct lane_work *work, const struct lane_value *value,
                      struct lane_frame *frame, void *values)
{
    const enum rd_operation operation =
        value->operation == RD_OPERATION_SUM ? work->operation : value->operation;
    struct lane_bundle bundle;
    work->any_order |= value->any_order;
    if (work->arithmetic->has && !work->arithmetic->has(operation)) {
        work->gave_up = true; /* the slow way tells why */
        return false;
    }
    if (value->kids[1]) {
        if (!rd_lane_values(work, value->kids[1], frame, values))
            return false;
    } else {
        work->arithmetic->identity(operation, values, frame->count);
    }
    if (is_one_term(work, &value->cases, frame))
        return reduce_one(work, value, operation, frame, values);
    /* Many trips in few lanes are faster lane by lane. */
    if (frame->count > 1 && rd_lane_bundle(work, &value->cases, frame, &bundle) &&
        (bundle.as_many || frame->count >= 16 ||
         (bundle.most - bundle.first) / bundle.stride < 4 * (int64_t)frame->count))
        return reduce_bundle(work, value, operation, &bundle, frame, values);
    return !work->gave_up && reduce_each(work, value, operation, frame, values);
}

/* ---- operations ---- */

static void negate(struct lane_work *work, void *values, size_t count)
{
    void *minus = rd_lane_take(work);
    if (!minus)
        return;
    work->arithmetic->number(minus, -1, 0, count);
    work->arithmetic->times(values, minus, count);
    rd_lane_give(work);
}

static bool two(struct lane_work *work, const struct lane_value *value, struct lane_frame *frame,
                void *values)
{
    void *right;
    if (!rd_lane_values(work, value->kids[0], frame, values) || !(right = rd_lane_take(work)))
        return false;
    bool done = rd_lane_values(work, value->kids[1], frame, right);
    if (done && value->kind == LANE_SUM_OF_TWO)
        combine(work, work->operation, values, right, frame->count);
    else if (done && value->kind == LANE_DIFFERENCE)
        work->arithmetic->subtract(values, right, frame->count);
    else if (done)
        work->arithmetic->times(values, right, frame->count);
    rd_lane_give(work);
    return done;
}

static bool raised(struct lane_work *work, const struct lane_value *value, struct lane_frame *frame,
                   void *values)
{
    void *base;
    if (!rd_lane_values(work, value->kids[0], frame, values) || !(base = rd_lane_take(work)))
        return false;
    memcpy(base, values, frame->count * work->arithmetic->size_bytes);
    for (int64_t k = 1; k < value->exponent; k++)
        work->arithmetic->times(values, base, frame->count);
    rd_lane_give(work);
    return true;
}

static bool checked(struct lane_work *work, const struct lane_value *value,
                    const struct lane_frame *frame)
{
    struct lane_frame last;
    rd_lane_only(frame, frame->count - 1, &last);
    for (size_t k = 0; k < value->n_conditions; k++)
        if (!holds(work, &value->conditions[k], frame, &last))
            return false;
    return !work->gave_up;
}

/* 0 is the sum of nothing, and what stands for a sum has its own. */
static bool is_nothing(const struct lane_work *work, const struct lane_code *code)
{
    return work->operation != RD_OPERATION_SUM && rd_lane_is_constant(code) &&
           code->steps[0].number == 0;
}

static bool number(struct lane_work *work, const struct lane_value *value,
                   const struct lane_frame *frame, void *values)
{
    int64_t start, slope;
    if (is_nothing(work, &value->number)) {
        work->arithmetic->identity(work->operation, values, frame->count);
        return true;
    }
    if (!rd_lane_line(work, &value->number, frame, &start, &slope) || work->gave_up)
        return false;
    work->arithmetic->number(values, start, slope, frame->count);
    return true;
}

static const struct lane_value *chosen(struct lane_work *work, const struct lane_value *value,
                                       const struct lane_frame *frame)
{
    const int64_t choice = rd_lane_evaluate(work, &value->number, frame->here);
    return choice < 0 || choice > 2 ? NULL : value->kids[choice];
}

/* Checks what must be the same in all lanes, or follow a straight line. */
static bool together(const struct lane_value *value, const struct lane_frame *frame)
{
    switch (value->kind) {
    case LANE_ELEMENT:
        return !((value->block.variables | value->warp.variables) & frame->varying);
    case LANE_NUMBER:
        return !(value->number.curved & frame->varying);
    case LANE_CHOICE:
        return !(value->number.variables & frame->varying);
    default:
        return true;
    }
}

bool rd_lane_values(struct lane_work *work, const struct lane_value *value,
                    struct lane_frame *frame, void *values)
{
    bool done = false;
    if (work->gave_up)
        return false;
    if (frame->count > 1 && !together(value, frame)) {
        if (value->kind == LANE_ELEMENT && in_blocks(work, value, frame, values))
            return !work->gave_up;
        for (size_t k = 0; k < frame->count; k++) {
            struct lane_frame one;
            rd_lane_only(frame, k, &one);
            if (!rd_lane_values(work, value, &one, rd_lane_of(work, values, k)))
                return false;
        }
        return true;
    }
    switch (value->kind) {
    case LANE_NUMBER:
        done = number(work, value, frame, values);
        break;
    case LANE_ELEMENT:
        done = element(work, value, frame, values);
        break;
    case LANE_REDUCTION:
        done = reduction(work, value, frame, values);
        break;
    case LANE_RAISED:
        done = raised(work, value, frame, values);
        break;
    case LANE_MINUS:
        done = rd_lane_values(work, value->kids[0], frame, values);
        if (done)
            negate(work, values, frame->count);
        break;
    case LANE_CHECKED:
        done = checked(work, value, frame) && rd_lane_values(work, value->kids[0], frame, values);
        break;
    case LANE_CHOICE: {
        const struct lane_value *kid = chosen(work, value, frame);
        done = kid && rd_lane_values(work, kid, frame, values);
        break;
    }
    default:
        done = two(work, value, frame, values);
        break;
    }
    if (!done)
        work->gave_up = true;
    return done && !work->gave_up;
}
