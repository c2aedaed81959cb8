// SPDX-License-Identifier: MIT
#include "history_harness.h"
#include "run/assertion.h"

#include <stdio.h>
#include <string.h>

void seen_init(struct seen *seen, const struct test_case *test)
{
    const struct rd_program *program = rd_program_named(test->program);
    struct rd_error error = {""};
    assert_non_null(program);
    const struct rd_shape shape =
        rd_program_shape(program, (struct rd_shape){test->n, test->block, test->grid});
    *seen = (struct seen){0};
    if (rd_values_init_two(&seen->values, rd_numeric_over(test->type, test->operation),
                           test->values ? test->values : "iota", rd_program_inputs(program, &shape),
                           rd_program_inputs_b(program, &shape), &error) != RD_OK)
        fail_msg("%s", error.text);
    seen->run = (struct rd_run){
        .program = program,
        .numeric = seen->values.numeric,
        .n = test->n,
        .a = seen->values.a,
        .b = seen->values.b,
        .values = seen->values.spec,
        .block = test->block,
        .grid = test->grid,
        .blocks.all = true,
        .frame = test->frame,
        .device = test->device ? test->device : test_device(),
        .go_on = true,
    };
}

/* ---- an observer that keeps whole copies ---- */

static size_t find_before(const struct seen *seen, const struct rd_step *step)
{
    for (size_t k = seen->n_steps; k-- > 0;) {
        const struct seen_step *old = &seen->steps[k];
        if (!step->place && !old->step.place)
            return k;
        if (step->place && old->step.place && old->step.number == step->number &&
            old->place.point == step->place->point && old->place.block == step->place->block &&
            old->place.warp == step->place->warp)
            return k;
    }
    return seen->n_steps;
}

static bool find_position(const struct seen_step *seen, size_t index, size_t *position)
{
    const struct rd_step *step = &seen->step;
    size_t stride = step->whole ? 1 : step->claim.stride;
    *position = index / stride;
    if (index % stride != 0 || *position >= step->n_cells)
        return false;
    return !step->place || seen->place.warp == RD_WHOLE_BLOCK || step->present >> index & 1;
}

struct rd_history *history_of(struct seen *seen)
{
    struct rd_history *history = NULL;
    struct rd_error error = {""};
    if (rd_history_run(&history, &seen->run, NULL, &error) != RD_OK)
        fail_msg("%s", error.text);
    return history;
}

struct rd_history *history_make(struct seen *seen, const struct test_case *test)
{
    seen_init(seen, test);
    return history_of(seen);
}

void history_finish(struct seen *seen, struct rd_history *history)
{
    rd_history_destroy(history);
    seen_finish(seen);
}

bool seen_cell(const struct seen *seen, size_t step, size_t index, rd_bits *value)
{
    size_t position;
    if (!find_position(&seen->steps[step], index, &position))
        return false;
    *value = seen->run.numeric->load(seen->steps[step].cells, position);
    return true;
}

/* Cell by cell, as the definitions of the bits, the bound and the frame have it. */
static bool is_wrong(const struct rd_step *step, size_t index, size_t position)
{
    struct rd_expect *expect = (struct rd_expect *)step->expect;
    const struct rd_numeric *numeric = expect->numeric;
    struct rd_deviation deviation = {0};
    rd_bits value = numeric->load(step->cells, position);
    if (!rd_claim_has(&step->claim, index))
        return !step->place && !numeric->same(value, rd_expect_cell(expect, index));
    if (expect->bounded)
        numeric->deviation(expect, index, value, &deviation);
    if (deviation.error > deviation.limit)
        return true;
    return !expect->any_order && !numeric->same(value, rd_expect_cell(expect, index));
}

static void mark_wrong(struct seen_step *seen, const struct rd_step *step)
{
    seen->wrong = calloc(step->expect->n, 1);
    assert_non_null(seen->wrong);
    for (size_t i = 0; i < step->expect->n; i++) {
        size_t position;
        if (find_position(seen, i, &position))
            seen->wrong[i] = step->violation && is_wrong(step, i, position);
    }
}

static void *expected_cells(const struct rd_expect *expect)
{
    void *cells = calloc(expect->n, expect->numeric->size_bytes);
    assert_non_null(cells);
    for (size_t i = 0; i < expect->n; i += expect->stride)
        expect->numeric->store(cells, i, rd_expect_cell(expect, i));
    return cells;
}

static enum rd_status see_step(void *self, const struct rd_run *run, const struct rd_step *step,
                               struct rd_error *error)
{
    struct seen *seen = self;
    size_t size = run->numeric->size_bytes;
    (void)error;
    if (seen->n_steps == seen->room) {
        seen->room = 2 * seen->room + 64;
        seen->steps = realloc(seen->steps, seen->room * sizeof *seen->steps);
        assert_non_null(seen->steps);
    }
    struct seen_step *s = &seen->steps[seen->n_steps];
    *s = (struct seen_step){.step = *step, .expect = *step->expect};
    s->before = find_before(seen, step);
    if (step->place)
        s->place = *step->place;
    s->cells = malloc(step->n_cells * size + 1);
    assert_non_null(s->cells);
    memcpy(s->cells, step->cells, step->n_cells * size);
    s->expect.cells = expected_cells(step->expect);
    mark_wrong(s, step);
    const struct rd_shape shape = rd_run_shape(run);
    if (rd_step_statement(step, run->program, &shape, run->numeric->operation, s->statement) !=
        s->statement)
        snprintf(s->statement, sizeof s->statement, "%s", step->statement);
    if (step->round)
        s->round = *step->round;
    if (step->violation)
        s->violation = *step->violation;
    if (!step->place) {
        s->hazards = seen->hazards;
        for (size_t k = 0; k < seen->n_steps; k++)
            s->hazards -= seen->steps[k].hazards;
    }
    seen->n_steps++;
    return RD_OK;
}

static enum rd_status see_hazard(void *self, const struct rd_run *run,
                                 const struct rd_hazard *hazard, struct rd_error *error)
{
    struct seen *seen = self;
    (void)run, (void)hazard, (void)error;
    seen->hazards++;
    return RD_OK;
}

void seen_make(struct seen *seen)
{
    const struct rd_observer observer = {.self = seen, .step = see_step, .hazard = see_hazard};
    struct rd_error error = {""};
    if (rd_run(&seen->run, (const struct rd_observer *const[]){&observer, NULL}, &seen->result,
               &error) != RD_OK)
        fail_msg("%s: %s", seen->run.program->name, error.text);
    /* Hazards of a round that did not end belong to the last step. */
    for (size_t k = 0, last = seen->hazards; k < seen->n_steps; k++) {
        last -= seen->steps[k].hazards;
        if (k + 1 == seen->n_steps)
            seen->steps[k].hazards += last;
    }
}

void seen_run(struct seen *seen, const struct test_case *test)
{
    seen_init(seen, test);
    seen_make(seen);
}

void seen_finish(struct seen *seen)
{
    for (size_t k = 0; k < seen->n_steps; k++) {
        free(seen->steps[k].cells);
        free(seen->steps[k].expect.cells);
        free(seen->steps[k].wrong);
    }
    free(seen->steps);
    rd_values_finish(&seen->values);
}

/* ---- the history next to it ---- */

struct rd_history_cell cell_of(struct rd_history *history, size_t frame, size_t index)
{
    struct rd_history_cell cell;
    struct rd_error error = {""};
    if (rd_history_cell(history, frame, index, &cell, &error) != RD_OK)
        fail_msg("%s", error.text);
    return cell;
}

static bool same_violation(const struct rd_violation *x, const struct rd_violation *y)
{
    return x->kind == y->kind && x->step == y->step && x->inside == y->inside &&
           x->cell == y->cell && x->expected == y->expected && x->actual == y->actual &&
           x->count == y->count;
}

static bool same_round(const struct rd_round *x, const struct rd_round *y)
{
    return x->number == y->number && x->kernel == y->kernel && x->width_name == y->width_name &&
           x->width == y->width && x->threads == y->threads && x->grid == y->grid &&
           x->block == y->block;
}

static void assert_frame_is(const struct rd_frame *frame, const struct seen_step *seen)
{
    const struct rd_step *step = &seen->step;
    assert_int_equal(frame->step, step->number);
    assert_int_equal(frame->has_round, step->number > 0);
    if (frame->has_round)
        assert_true(same_round(&frame->round, &seen->round));
    assert_int_equal(frame->inside, step->place != NULL);
    if (frame->inside) {
        assert_true(rd_place_same(&frame->place, &seen->place));
        assert_int_equal(frame->place.variable, seen->place.variable);
    }
    assert_string_equal(frame->array, step->place ? step->point->array : "A");
    assert_string_equal(frame->variable, step->place ? step->point->variable : "");
    assert_string_equal(frame->statement, seen->statement);
    assert_int_equal(frame->claim.count, step->claim.count);
    assert_int_equal(frame->claim.stride, step->claim.stride);
    assert_int_equal(frame->n_cells, seen->expect.n);
    assert_int_equal(frame->verdict, step->verdict);
    assert_int_equal(frame->n_asserted, step->n_asserted);
    assert_int_equal(frame->n_unbounded, step->n_unbounded);
    assert_int_equal(frame->violated, step->violation != NULL);
    if (frame->violated)
        assert_true(same_violation(&frame->violation, &seen->violation));
    assert_int_equal(frame->n_hazards, seen->hazards);
    assert_int_equal(frame->before, seen->before);
}

void assert_frames_are(struct rd_history *history, const struct seen *seen)
{
    size_t hazards = 0;
    assert_int_equal(rd_history_frames(history), seen->n_steps);
    for (size_t f = 0; f < seen->n_steps; f++) {
        const struct rd_frame *frame = rd_history_frame(history, f);
        assert_frame_is(frame, &seen->steps[f]);
        if (!frame->inside)
            assert_int_equal(frame->first_hazard, hazards);
        hazards += frame->n_hazards;
    }
    assert_int_equal(rd_history_hazards(history), seen->hazards);
}

static void assert_cell_is(struct rd_history *history, const struct seen *seen, size_t frame,
                           size_t index)
{
    const struct seen_step *s = &seen->steps[frame];
    const struct rd_numeric *numeric = seen->run.numeric;
    struct rd_history_cell cell;
    struct rd_error error = {""};
    rd_bits value = 0, old = 0;
    if (rd_history_cell(history, frame, index, &cell, &error) != RD_OK)
        fail_msg("%s", error.text);
    bool known = seen_cell(seen, frame, index, &value);
    bool changed = known && s->before != frame && seen_cell(seen, s->before, index, &old) &&
                   !numeric->same(value, old);
    bool live = rd_claim_has(&s->step.claim, index);
    bool whole = s->step.whole && !s->step.place;
    bool wrong = s->wrong[index];
    if (cell.known != known || (known && cell.value != value) || cell.live != live ||
        cell.changed != changed || (known && cell.wrong != wrong))
        fail_msg("%s, frame %zu, cell %zu: known %d, value %llu, live %d, changed %d, wrong %d",
                 seen->run.program->name, frame, index, cell.known, (unsigned long long)cell.value,
                 cell.live, cell.changed, cell.wrong);
    if (live || whole) {
        assert_true(cell.expected_known);
        assert_true(numeric->same(cell.expected, numeric->load(s->expect.cells, index)));
    }
}

void assert_cells_are(struct rd_history *history, const struct seen *seen, size_t frame)
{
    for (size_t i = 0; i < seen->steps[frame].expect.n; i++)
        assert_cell_is(history, seen, frame, i);
}

void assert_history_is(struct rd_history *history, const struct seen *seen)
{
    assert_frames_are(history, seen);
    for (size_t f = 0; f < seen->n_steps; f++)
        assert_cells_are(history, seen, f);
    for (size_t f = seen->n_steps; f-- > 0;)
        assert_cells_are(history, seen, f);
    /* There and back: from each frame to one far from it. */
    for (size_t f = 0; f < seen->n_steps; f++)
        assert_cells_are(history, seen, f * 7 % seen->n_steps);
}
