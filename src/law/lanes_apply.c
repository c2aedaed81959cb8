// SPDX-License-Identifier: MIT
/* Moves arrays on in lanes: the interface, and the arrays that are kept for later moves. */
#include "law/lanes.h"

#include <stdlib.h>
#include <string.h>

/* ---- what doesn't change from step to step ---- */

/* Arrays at points that several moves ask for: whether a later move may start from what an earlier one has left. */

bool rd_lane_is_without(const struct lane_code *code, enum law_quantity quantity)
{
    for (size_t k = 0; k < code->count; k++)
        if (code->steps[k].step == LANE_VARIABLE && code->steps[k].number == (int64_t)quantity)
            return false;
    return true;
}

static bool is_steady(const struct lane_code *code)
{
    return rd_lane_is_without(code, LAW_D);
}

static bool are_steady(const struct lane_code *codes, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (!is_steady(&codes[k]))
            return false;
    return true;
}

static bool atom_is_steady(const struct lane_atom *atom)
{
    for (size_t k = 0; k < atom->n_links; k++)
        if (!is_steady(&atom->links[k].code))
            return false;
    return is_steady(&atom->condition) && is_steady(&atom->line) && is_steady(&atom->other) &&
           is_steady(&atom->modulus);
}

static bool cases_are_steady(const struct lane_cases *cases)
{
    if (!are_steady(cases->checks, cases->n_checks))
        return false;
    for (size_t k = 0; k < cases->n_risks; k++)
        if (!is_steady(&cases->risks[k].code))
            return false;
    for (size_t k = 0; k < cases->n_levels; k++) {
        const struct lane_level *level = &cases->levels[k];
        for (size_t i = 0; i < level->n_limits; i++)
            if (!is_steady(&level->limits[i].size))
                return false;
        for (size_t i = 0; i < level->n_atoms; i++)
            if (!atom_is_steady(&level->atoms[i]))
                return false;
    }
    return true;
}

/* Nothing is known of an array at another point. */
static bool value_is_steady(const struct lane_value *value)
{
    for (size_t k = 0; k < sizeof value->kids / sizeof *value->kids; k++)
        if (value->kids[k] && !value_is_steady(value->kids[k]))
            return false;
    return value->meaning != LAW_IS_LAST_STATE && is_steady(&value->number) &&
           are_steady(value->indices, value->n_indices) &&
           are_steady(value->sizes, value->n_indices) && cases_are_steady(&value->cases) &&
           are_steady(value->conditions, value->n_conditions);
}

static bool claims_are_steady(struct law_lanes *lanes, const struct rd_law_section *section,
                              enum rd_law_role role)
{
    const enum rd_law_role by = section->claims[role].count > 0 ? role : RD_LAW_LAW;
    if (!rd_lane_make_claims(lanes, section, by))
        return false;
    const struct lane_claims *claims = &lanes->sections[section->index].claims[by];
    for (size_t k = 0; k < claims->count; k++) {
        const struct lane_claim *claim = &claims->claims[k];
        if (!is_steady(&claim->when) || !cases_are_steady(&claim->cases) ||
            !are_steady(claim->indices, claim->n_indices) || !value_is_steady(claim->value))
            return false;
    }
    return true;
}

/* Tells whether only the last of its steps depends on d. */
static bool section_is_steady(struct law_lanes *lanes, const struct rd_law_section *section)
{
    struct lane_section *ready = &lanes->sections[section->index];
    if (!ready->looked_at) {
        ready->looked_at = true;
        ready->steady = section->steps && are_steady(ready->sizes, section->array->n_sizes) &&
                        is_steady(&ready->first) && is_steady(&ready->next) &&
                        rd_lane_is_without(&ready->last, LAW_STEP) &&
                        claims_are_steady(lanes, section, RD_LAW_START) &&
                        claims_are_steady(lanes, section, RD_LAW_UPDATE);
    }
    return ready->steady;
}

/* ---- what is kept ---- */

enum { SETS_MAX = 5 }; /* values, heights of both widths, exact sums, sums of magnitudes */

/* The arrays in one arithmetic. */
struct kept_set {
    const struct rd_lanes *arithmetic;
    enum rd_operation operation;
    struct lane_state *states; /* by section */
};

struct rd_law_kept {
    const struct rd_law *law;
    int64_t quantities[LAW_QUANTITY_COUNT]; /* of the run */
    bool has_b;
    const void *inputs[2];
    size_t n_sets;
    struct kept_set sets[SETS_MAX];
};

struct rd_law_kept *rd_law_kept_create(void)
{
    return calloc(1, sizeof(struct rd_law_kept));
}

void rd_lane_state_finish(struct lane_state *state)
{
    free(state->cells);
    rd_lane_before_finish(&state->before);
    rd_lane_log_finish(&state->log);
}

void rd_law_kept_forget(struct rd_law_kept *kept)
{
    for (size_t k = 0; kept && k < kept->n_sets; k++) {
        for (size_t i = 0; i < kept->law->n_sections; i++)
            rd_lane_state_finish(&kept->sets[k].states[i]);
        free(kept->sets[k].states);
    }
    if (kept)
        *kept = (struct rd_law_kept){.law = NULL};
}

void rd_law_kept_destroy(struct rd_law_kept *kept)
{
    rd_law_kept_forget(kept);
    free(kept);
}

void rd_law_run_keep(struct rd_law_run *run, struct rd_law_kept *kept)
{
    run->kept = kept;
}

/* Tells whether the arrays were kept for this run: law, sizes and inputs. */
static bool belongs_to_run(const struct rd_law_kept *kept, const struct lane_work *work)
{
    const struct law_lanes *lanes = work->lanes;
    return kept->law == lanes->law && kept->has_b == lanes->has_b &&
           kept->quantities[LAW_N] == lanes->quantities[LAW_N] &&
           kept->quantities[LAW_T] == lanes->quantities[LAW_T] &&
           kept->quantities[LAW_B] == lanes->quantities[LAW_B] &&
           memcmp(kept->inputs, work->inputs, lanes->law->n_inputs * sizeof *kept->inputs) == 0;
}

static void keep_for_run(struct rd_law_kept *kept, const struct lane_work *work)
{
    rd_law_kept_forget(kept);
    kept->law = work->lanes->law;
    kept->has_b = work->lanes->has_b;
    memcpy(kept->quantities, work->lanes->quantities, sizeof kept->quantities);
    memcpy(kept->inputs, work->inputs, kept->law->n_inputs * sizeof *kept->inputs);
}

static struct kept_set *set_for(struct rd_law_kept *kept, const struct lane_work *work)
{
    for (size_t k = 0; k < kept->n_sets; k++)
        if (kept->sets[k].arithmetic == work->arithmetic &&
            kept->sets[k].operation == work->operation)
            return &kept->sets[k];
    if (kept->n_sets == SETS_MAX)
        return NULL;
    struct kept_set *set = &kept->sets[kept->n_sets];
    *set = (struct kept_set){work->arithmetic, work->operation, NULL};
    set->states = calloc(kept->law->n_sections, sizeof *set->states);
    kept->n_sets += set->states != NULL;
    return set->states ? set : NULL;
}

struct lane_state *rd_lane_kept_state(struct lane_work *work, const struct rd_law_section *section)
{
    struct rd_law_kept *kept = work->run->kept;
    if (!kept || work->lanes->law->n_inputs > sizeof kept->inputs / sizeof *kept->inputs ||
        !section_is_steady(work->lanes, section))
        return NULL;
    if (!belongs_to_run(kept, work))
        keep_for_run(kept, work);
    const struct kept_set *set = set_for(kept, work);
    return set ? &set->states[section->index] : NULL;
}

/* ---- the interface ---- */

/* The interface to what is worked out side by side. */

static bool begin_run(struct rd_law_run *run, struct lane_work *work, struct lane_frame *frame)
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

bool rd_law_move_lanes(struct rd_law_run *run, const struct lane_move *move, void *cells,
                       bool *any_order)
{
    const struct rd_law_section *section = run->section;
    struct rd_law_error *const error = run->error;
    const uint64_t worked = run->work;
    struct lane_work work = {.arithmetic = move->arithmetic,
                             .operation = move->operation,
                             .inputs = move->inputs,
                             .n_inputs = move->n_inputs};
    struct lane_frame frame;
    int64_t count;
    if (!rd_law_count(run, section->array, &count) || !begin_run(run, &work, &frame) ||
        (move->n_blocks > 1 &&
         (!rd_lane_make_section(run->lanes, section) || !rd_lane_is_uniform(run->lanes, section))))
        return false;
    struct lane_before *before = &run->lanes->before;
    const struct lane_blocks blocks = {frame.here[LAW_BLOCK], move->n_blocks, (size_t)count};
    if (!rd_lane_before_begin(before, cells, &blocks, move->arithmetic->size_bytes))
        return false;
    run->error = NULL;
    const bool done = rd_lane_move(&work, section, move->role, &frame, before);
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
    const struct lane_move move = {.role = role,
                                   .arithmetic = arithmetic,
                                   .operation = operation,
                                   .inputs = inputs,
                                   .n_blocks = 1};
    bool any_order = false;
    rd_law_run_begin(run, error);
    if (rd_law_run_go(run, section, place) && !rd_law_move_lanes(run, &move, cells, &any_order))
        rd_law_run_fail(run, NULL, "has no form that is worked out for all cells at once");
    return run->status;
}

/* ---- forms ---- */

struct recognising {
    const struct lane_claim *claim;
    const struct rd_law_section *section;
    struct rd_law_form *form;
    unsigned seen;
};

/* The flat index of an element in lane 0 and from lane to lane; in all of the run, of which the frame has two lanes. */
static bool line_of(struct lane_work *work, const struct lane_code *indices, size_t count,
                    const struct lane_frame *frame, int64_t *start, int64_t *slope)
{
    return count == 1 && !(indices[0].curved & frame->varying) &&
           rd_lane_line(work, &indices[0], frame, start, slope) && !work->gave_up;
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
    if (!begin_run(run, &work, &frame) || section->claims[role].count == 0 ||
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
