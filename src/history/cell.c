// SPDX-License-Identifier: MIT
#include "history/history_internal.h"
#include "run/assertion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- taking ---- */

static size_t cells_of(const struct rd_layout *layout)
{
    return layout->n_head + layout->n_tail;
}

/* The frame that shows the same step of the first pass; NULL where it had none. */
static struct rd_kept_frame *find_frame(struct rd_history *history, const struct rd_step *step,
                                        const struct rd_layout *layout, size_t pass)
{
    if (pass != history->pass) {
        history->pass = pass;
        history->pass_frame = 0;
    }
    size_t frame = history->pass_frame++;
    if (frame >= history->n_frames)
        return NULL;
    struct rd_kept_frame *kept = &history->frames[frame];
    const struct rd_place *place = &kept->frame.place;
    bool same = kept->frame.step == step->number && kept->frame.inside == (step->place != NULL) &&
                kept->layout.count == layout->count && kept->layout.stride == layout->stride &&
                kept->layout.n_head == layout->n_head && kept->layout.n_tail == layout->n_tail;
    if (step->place)
        same = same && rd_place_same(place, step->place);
    return same ? kept : NULL;
}

/* The first pass that went wrong is the one to tell of. */
static void take_verdict(struct rd_frame *frame, const struct rd_step *step)
{
    if (frame->verdict == RD_HOLDS)
        frame->verdict = step->verdict;
    if (!step->violation || frame->violated)
        return;
    frame->violated = true;
    frame->violation = *step->violation;
}

enum rd_status rd_passes_add(struct rd_history *history, const struct rd_step *step,
                             const struct rd_layout *layout, size_t n_cells, size_t pass,
                             struct rd_error *error)
{
    size_t count = cells_of(layout);
    enum rd_status status = RD_OK;
    if (pass == 1)
        status = rd_history_add_step(history, step, layout, n_cells, error);
    if (status != RD_OK || history->again.on)
        return status;
    struct rd_kept_frame *kept = find_frame(history, step, layout, pass);
    if (!kept || kept->n_passes + 1 != pass)
        return RD_OK; /* it says nothing of what the other passes tell */
    uint64_t *values = realloc(kept->passes, (pass * count + 1) * sizeof *values);
    if (!values)
        return rd_history_no_memory(error);
    memcpy(values + (pass - 1) * count, step->cells, count * sizeof *values);
    kept->passes = values;
    kept->n_passes = pass;
    take_verdict(&kept->frame, step);
    return RD_OK;
}

/* ---- reading the digits ---- */

struct reading {
    const struct rd_history *history;
    const struct rd_kept_frame *kept;
    struct rd_witness_plan plan;
    size_t k; /* the cell, among those that the state has */
};

static bool start(const struct rd_history *history, size_t frame, size_t index,
                  struct reading *reading)
{
    const struct rd_history_about *about = &history->about;
    *reading = (struct reading){.history = history, .kept = &history->frames[frame]};
    rd_witness_plan(about->program, &about->shape, about->numeric->operation, &reading->plan);
    return rd_layout_find(&reading->kept->layout, index, &reading->k);
}

static size_t inputs_known(const struct reading *reading)
{
    size_t known = reading->kept->n_passes * reading->plan.per_pass;
    return known < reading->history->about.n_a ? known : reading->history->about.n_a;
}

/* Counts the input in the cell. */
static int64_t count_of(const struct reading *reading, size_t input)
{
    size_t pass = input / reading->plan.per_pass;
    const uint64_t *values = reading->kept->passes + pass * cells_of(&reading->kept->layout);
    return (int64_t)rd_witness_count(&reading->plan, input, values[reading->k]);
}

static bool differs(const struct reading *x, const struct reading *y)
{
    size_t known = inputs_known(x) < inputs_known(y) ? inputs_known(x) : inputs_known(y);
    for (size_t j = 0; j < known; j++)
        if (count_of(x, j) != count_of(y, j))
            return true;
    return false;
}

/* Sets the marks of a cell of a witness run: changed, wrong. */
static void passes_cell(const struct rd_history *history, size_t frame, size_t index,
                        struct rd_history_cell *cell)
{
    struct reading now, then;
    size_t before = history->frames[frame].frame.before;
    struct rd_members members;
    if (!start(history, frame, index, &now))
        return;
    if (before != frame && start(history, before, index, &then))
        cell->changed = differs(&now, &then);
    if (!now.kept->frame.violated || rd_members_init(&members, history, frame, index) != RD_OK)
        return;
    for (size_t j = 0; j < inputs_known(&now) && !cell->wrong; j++)
        cell->wrong = count_of(&now, j) != rd_members_has(&members, j);
}

enum rd_status rd_passes_set(const struct rd_history *history, size_t frame, size_t index,
                             struct rd_input_set *actual, struct rd_input_set *expected,
                             struct rd_error *error)
{
    struct reading reading;
    struct rd_members members;
    if (!start(history, frame, index, &reading))
        return rd_fail(error, RD_ERROR_USAGE, "%s[%zu] is not in the trace at this step",
                       history->frames[frame].frame.array, index);
    if (rd_members_init(&members, history, frame, index) != RD_OK)
        return rd_fail(error, RD_ERROR_USAGE, "what '%s' makes of its input is no sum of it",
                       history->about.program->name);
    struct rd_input_set are = {.open = inputs_known(&reading) < history->about.n_a}, should = {0};
    for (size_t j = 0; j < history->about.n_a; j++) {
        int64_t times = j < inputs_known(&reading) ? count_of(&reading, j) : 0;
        if (times != 0)
            rd_input_set_add(&are, j, times);
        if (rd_members_has(&members, j))
            rd_input_set_add(&should, j, 1);
    }
    *actual = are;
    *expected = should;
    return RD_OK;
}

/* ---- overflow ---- */

/* Sums of integers that their type cannot hold. */

/* Beyond this, a view would wait too long. */
#define INPUTS_MAX ((size_t)1 << 22)

/* A sum modulo 2^64, and about as it is. */
struct sum {
    uint64_t wrapped;
    long double whole;
};

static struct sum of_bits(const struct rd_numeric *numeric, rd_bits bits)
{
    if (numeric->size_bytes == sizeof bits) /* a double does not hold all of them */
        return (struct sum){bits,
                            numeric->is_signed ? (long double)(int64_t)bits : (long double)bits};
    double value = numeric->to_double(bits);
    return (struct sum){(uint64_t)(int64_t)value, value};
}

/* The term of input j: a[j], or a[j] * b[j]. */
static struct sum of_input(const struct rd_history_about *about, size_t j)
{
    const struct rd_numeric *numeric = about->numeric;
    struct sum x = of_bits(numeric, numeric->load(about->a, j));
    if (about->n_b == 0)
        return x;
    struct sum y = of_bits(numeric, numeric->load(about->b, j));
    return (struct sum){x.wrapped * y.wrapped, x.whole * y.whole};
}

/* Tells whether there is a sum of inputs that the type does not hold. */
static bool may_wrap(const struct rd_history_about *about, long double half)
{
    long double all = 0;
    for (size_t j = 0; j < about->n_a && all < half; j++)
        all += fabsl(of_input(about, j).whole);
    return all >= half;
}

bool rd_history_wraps(struct rd_history *history, size_t frame, size_t index, long double *whole)
{
    const struct rd_history_about *about = &history->about;
    const struct rd_numeric *numeric = about->numeric;
    unsigned bits = 8 * (unsigned)numeric->size_bytes;
    long double half = ldexpl(1, (int)bits - 1);
    struct rd_members members;
    struct rd_history_cell cell;
    struct sum sum = {0, 0};
    if (about->witness || numeric->is_float || numeric->operation != RD_OPERATION_SUM ||
        !about->a || about->n_a > INPUTS_MAX ||
        (about->n_b != 0 && (!about->b || about->n_b != about->n_a)) || !may_wrap(about, half) ||
        rd_members_init(&members, history, frame, index) != RD_OK ||
        rd_history_cell(history, frame, index, &cell, NULL) != RD_OK || !cell.expected_known)
        return false;
    for (size_t j = 0; j < about->n_a; j++)
        if (rd_members_has(&members, j)) {
            struct sum one = of_input(about, j);
            sum.wrapped += one.wrapped;
            sum.whole += one.whole;
        }
    /* A cell that isn't to hold that sum, as behind a break, tells nothing. */
    struct sum wanted = of_bits(numeric, cell.expected);
    if ((sum.wrapped ^ wanted.wrapped) << (64 - bits) != 0)
        return false;
    *whole = sum.whole;
    return fabsl(sum.whole - wanted.whole) > half;
}

/* ---- expected values ---- */

/* The expected values of cells, worked out from the input when they are asked for. */

void rd_wanted_finish(struct rd_wanted *wanted)
{
    rd_expect_finish(&wanted->expect);
    rd_points_finish(&wanted->points);
    *wanted = (struct rd_wanted){0};
}

/* The invariant moves on only: to go back, it begins again. */
static enum rd_status want_step(struct rd_history *history, unsigned step, struct rd_error *error)
{
    const struct rd_history_about *about = &history->about;
    struct rd_wanted *wanted = &history->wanted;
    if (wanted->begun && wanted->step > step) {
        rd_expect_finish(&wanted->expect);
        wanted->begun = false;
    }
    if (!wanted->begun) {
        enum rd_status status = rd_expect_init(&wanted->expect, about->program, about->numeric,
                                               &about->shape, about->a, about->b, error);
        if (status == RD_OK)
            status = rd_program_advance(about->program, &wanted->expect, 0, error);
        if (status != RD_OK)
            return status;
        wanted->begun = true;
        wanted->step = 0;
    }
    enum rd_status status = RD_OK;
    while (status == RD_OK && wanted->step < step)
        status = rd_program_advance(about->program, &wanted->expect, ++wanted->step, error);
    return status;
}

static enum rd_status want_point(struct rd_history *history, size_t frame, struct rd_error *error)
{
    const struct rd_history_about *about = &history->about;
    const struct rd_place *place = &history->frames[frame].frame.place;
    struct rd_wanted *wanted = &history->wanted;
    struct rd_expect *expect;
    enum rd_status status = RD_OK;
    if (wanted->inside && wanted->frame == frame)
        return RD_OK;
    if (!wanted->has_points)
        status = rd_points_init(&wanted->points, about->program, about->numeric, &about->shape,
                                about->a, about->b, error);
    if (status != RD_OK)
        return status;
    wanted->has_points = true;
    status = rd_points_expect(&wanted->points, place, &expect, error);
    wanted->inside = status == RD_OK;
    wanted->frame = frame;
    return status;
}

/* The expectation of the frame's array; NULL where the inputs are not known. */
static enum rd_status wanted_find(struct rd_history *history, size_t frame,
                                  struct rd_expect **expect, struct rd_error *error)
{
    const struct rd_frame *at = &history->frames[frame].frame;
    struct rd_wanted *wanted = &history->wanted;
    enum rd_status status = RD_OK;
    *expect = NULL;
    if (!history->about.a)
        return RD_OK;
    if (at->inside) {
        status = want_point(history, frame, error);
        *expect = &wanted->points.arrays[at->place.point].expect;
    } else {
        status = want_step(history, at->step, error);
        *expect = &wanted->expect;
    }
    return status;
}

/* The inputs that a cell must hold by the law. */

enum rd_status rd_members_init(struct rd_members *members, const struct rd_history *history,
                               size_t frame, size_t index)
{
    const struct rd_history_about *about = &history->about;
    const struct rd_frame *at = &history->frames[frame].frame;
    const struct rd_point_invariant *point =
        at->inside ? rd_program_point(about->program, at->place.point) : NULL;
    *members = (struct rd_members){
        .program = about->program, .shape = &about->shape, .point = point, .cell = index};
    if (about->program->no_witness || (at->inside && !point))
        return RD_ERROR_USAGE;
    members->place = &at->place;
    members->step = at->step;
    if (at->inside)
        return rd_claim_has(&at->claim, index) ? RD_OK : RD_ERROR_USAGE;
    /* A dead cell must keep the value it had when it was live last. */
    struct rd_claim claim = at->claim;
    while (members->step > 0 && !rd_claim_has(&claim, index))
        rd_program_claim(about->program, &about->shape, --members->step, &claim);
    return rd_claim_has(&claim, index) ? RD_OK : RD_ERROR_USAGE;
}

bool rd_members_has(const struct rd_members *members, size_t input)
{
    if (members->point)
        return rd_program_contains_at(members->program, members->shape, members->place,
                                      members->cell, input);
    return rd_program_contains(members->program, members->shape, members->step, members->cell,
                               input);
}

/* ---- cells ---- */

/* Looks into the cells of a frame. */

/* Tells whether the frame's state has the cell. A cut trace tells of the violated cell, wherever it is. */
static bool is_known(const struct rd_kept_frame *kept, size_t index, bool *cut)
{
    size_t k;
    *cut = false;
    if (rd_layout_find(&kept->layout, index, &k))
        return true;
    *cut = kept->frame.violated && kept->frame.violation.cell == index && !kept->layout.lanes;
    return *cut;
}

static rd_bits load(const struct rd_history *history, const struct rd_kept_frame *kept,
                    const void *array, size_t index, bool cut)
{
    return cut ? kept->frame.violation.actual : history->about.numeric->load(array, index);
}

/* The break that put the value there which the cell still holds at that step, the last of them. */
static const struct rd_break *find_put(const struct rd_history *history,
                                       const struct rd_frame *frame, size_t index, rd_bits value)
{
    const struct rd_run *run = &history->run;
    const struct rd_break *found = NULL;
    for (unsigned k = 0; k < run->n_breaks && !frame->inside; k++) {
        const struct rd_break *b = &run->breaks[k];
        if (b->kind == RD_BREAK_CELL && b->cell == index && b->step <= frame->step &&
            (!found || b->step >= found->step))
            found = b;
    }
    return found && history->about.numeric->same(found->value, value) ? found : NULL;
}

/* The frame speaks of dead cells: at a step, and not without it. */
static bool asserts_dead(const struct rd_history *history, const struct rd_frame *frame)
{
    return history->about.frame && !frame->inside;
}

static void look(const struct rd_history *history, const struct rd_kept_frame *kept, size_t index,
                 struct rd_history_cell *cell)
{
    const struct rd_kept_frame *before = &history->frames[kept->frame.before];
    const struct rd_shown *shown = &history->shown;
    bool cut;
    cell->live = rd_claim_has(&kept->frame.claim, index);
    cell->known = is_known(kept, index, &cut);
    if (!cell->known)
        return;
    cell->value = load(history, kept, shown->now, index, cut);
    cell->put = find_put(history, &kept->frame, index, cell->value);
    if (before == kept || !is_known(before, index, &cut))
        return;
    cell->changed =
        !history->about.numeric->same(cell->value, load(history, before, shown->then, index, cut));
}

enum rd_status rd_history_cell(struct rd_history *history, size_t frame, size_t index,
                               struct rd_history_cell *cell, struct rd_error *error)
{
    if (frame >= history->n_frames)
        return rd_fail(error, RD_ERROR_USAGE, "frame %zu is none of %zu", frame, history->n_frames);
    const struct rd_kept_frame *kept = &history->frames[frame];
    struct rd_history_cell c = {0};
    struct rd_expect *expect;
    if (index >= kept->frame.n_cells)
        return rd_fail(error, RD_ERROR_USAGE, "%s has %zu cells, and %zu is none of them",
                       kept->frame.array, kept->frame.n_cells, index);
    if (history->about.witness) {
        c.live = rd_claim_has(&kept->frame.claim, index);
        passes_cell(history, frame, index, &c);
        *cell = c;
        return RD_OK;
    }
    enum rd_status status = rd_states_show(history, frame, error);
    if (status == RD_OK)
        status = wanted_find(history, frame, &expect, error);
    if (status != RD_OK)
        return status;
    look(history, kept, index, &c);
    if (expect && (c.live || asserts_dead(history, &kept->frame))) {
        c.expected_known = true;
        c.expected = rd_expect_cell(expect, index);
        if (c.known && c.live && expect->bounded)
            expect->numeric->deviation(expect, index, c.value, &c.deviation);
    }
    /* A lane that did not come has handed nothing in. */
    if (kept->frame.violated)
        c.wrong = c.known ? c.expected_known &&
                                rd_cell_is_wrong(expect, &kept->frame.claim, index, c.value)
                          : c.live && kept->layout.lanes;
    *cell = c;
    return RD_OK;
}
