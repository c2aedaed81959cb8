// SPDX-License-Identifier: MIT
#include "reductio/evidence.h"
#include "view/paint.h"
#include "view/parts.h"
#include "reductio/witness.h"

#include <stdlib.h>
#include <string.h>

/* A step, over all passes. */
struct set_step {
    struct rd_round round;
    bool has_round;
    char statement[RD_STATEMENT_SIZE];
    struct rd_claim claim;
    bool whole;
    size_t n_cells;
    uint64_t *values; /* [passes][n_cells]; NULL: n is too large for sets */
    unsigned passes;  /* seen so far */
    uint64_t n_asserted;
    enum rd_verdict verdict;
    bool violated;
    bool frame_violated; /* the live cells hold, and a dead one was changed */
    size_t violated_cell;
};

struct rd_sets {
    const struct rd_program *program;
    struct rd_shape shape;
    size_t n, n_cells; /* inputs; cells of the array */
    unsigned rounds, passes;
    bool frame;
    struct rd_witness_plan plan;
    unsigned n_steps; /* seen so far */
    struct set_step steps[];
};

struct rd_sets *rd_sets_create(const struct rd_run *run, unsigned rounds)
{
    struct rd_sets *sets = calloc(1, sizeof *sets + (rounds + 1) * sizeof sets->steps[0]);
    if (!sets)
        return NULL;
    sets->program = run->program;
    sets->shape = rd_run_shape(run);
    sets->n = rd_program_inputs(run->program, &sets->shape);
    sets->n_cells = rd_program_cells(run->program, &sets->shape);
    sets->rounds = rounds;
    sets->passes = run->passes;
    sets->frame = run->frame;
    rd_witness_plan(run->program, &sets->shape, run->numeric->operation, &sets->plan);
    return sets;
}

void rd_sets_destroy(struct rd_sets *sets)
{
    if (!sets)
        return;
    for (unsigned k = 0; k < sets->n_steps; k++)
        free(sets->steps[k].values);
    free(sets);
}

/* Takes what is the same in all passes. */
static bool begin_step(struct rd_sets *sets, struct set_step *own, const struct rd_step *step)
{
    if (step->round) {
        own->round = *step->round;
        own->has_round = true;
    }
    if (rd_step_statement(step, sets->program, &sets->shape, step->expect->numeric->operation,
                          own->statement) != own->statement)
        snprintf(own->statement, sizeof own->statement, "%s", step->statement);
    own->claim = step->claim;
    own->whole = step->whole;
    own->n_cells = step->n_cells;
    own->verdict = step->verdict;
    sets->n_steps = step->number + 1;
    if (sets->n > RD_SETS_INPUTS_MAX)
        return true;
    own->values = calloc((size_t)sets->passes * step->n_cells, sizeof *own->values);
    return own->values != NULL;
}

bool rd_sets_add(struct rd_sets *sets, const struct rd_run *run, const struct rd_step *step)
{
    if (step->number > sets->rounds)
        return true;
    struct set_step *own = &sets->steps[step->number];
    if (step->number >= sets->n_steps && !begin_step(sets, own, step))
        return false;
    if (own->values && run->pass <= sets->passes && step->n_cells == own->n_cells)
        memcpy(own->values + (size_t)(run->pass - 1) * own->n_cells, step->cells,
               own->n_cells * sizeof *own->values);
    own->passes = run->pass;
    own->n_asserted = step->n_asserted;
    if (step->verdict != RD_HOLDS)
        own->verdict = step->verdict;
    if (step->violation) {
        own->violated = true;
        own->frame_violated = step->violation->kind == RD_VIOLATION_FRAME;
        own->violated_cell = step->violation->cell;
    }
    return true;
}

/* ---- reading the sets ---- */

/* Returns the number of inputs that the passes so far cover. */
static size_t inputs_known(const struct rd_sets *sets, const struct set_step *step)
{
    size_t known = (size_t)step->passes * sets->plan.per_pass;
    return known < sets->n ? known : sets->n;
}

/* Finds the position of the cell's value in the state; false if it was not copied. */
static bool find_cell(const struct set_step *step, size_t index, size_t *position)
{
    *position = index;
    if (!step->whole) {
        if (!rd_claim_has(&step->claim, index))
            return false;
        *position = index / step->claim.stride;
    }
    return *position < step->n_cells;
}

/* Counts the input in the cell at that position. */
static uint64_t count_of(const struct rd_sets *sets, const struct set_step *step, size_t position,
                         size_t input)
{
    size_t pass = input / sets->plan.per_pass;
    return rd_witness_count(&sets->plan, input, step->values[pass * step->n_cells + position]);
}

static void set_text(const struct rd_sets *sets, const struct set_step *step, size_t position,
                     char shown[RD_BOX_TEXT_SIZE])
{
    enum { SET_SHOWN = 24 }; /* columns for a set in a box; a longer one is cut */
    struct rd_input_set set = {.open = inputs_known(sets, step) < sets->n};
    for (size_t input = 0; input < inputs_known(sets, step); input++) {
        uint64_t count = count_of(sets, step, position, input);
        if (count != 0)
            rd_input_set_add(&set, input, (int64_t)count);
    }
    rd_input_set_text(&set, shown, SET_SHOWN + 1);
}

/* ---- drawing ---- */

struct picture {
    const struct rd_sets *sets;
    const struct set_step *step;
    const struct set_step *before; /* NULL at step 0 */
};

static bool set_changed(const struct picture *picture, size_t index, size_t position)
{
    size_t old;
    if (!picture->before || !find_cell(picture->before, index, &old))
        return false;
    for (size_t input = 0; input < inputs_known(picture->sets, picture->step); input++)
        if (count_of(picture->sets, picture->step, position, input) !=
            count_of(picture->sets, picture->before, old, input))
            return true;
    return false;
}

static bool set_wrong(const struct picture *picture, size_t index, size_t position)
{
    const struct rd_sets *sets = picture->sets;
    const struct set_step *step = picture->step;
    if (!step->violated)
        return false;
    if (index == step->violated_cell)
        return true;
    if (!rd_claim_has(&step->claim, index))
        return step->frame_violated && set_changed(picture, index, position);
    unsigned number = step->has_round ? step->round.number : 0;
    for (size_t j = 0; j < inputs_known(sets, step); j++)
        if (count_of(sets, step, position, j) !=
            rd_program_contains(sets->program, &sets->shape, number, index, j))
            return true;
    return false;
}

static void fill_box(const void *self, size_t index, struct rd_box *box)
{
    const struct picture *picture = self;
    size_t position;
    if (!find_cell(picture->step, index, &position))
        return;
    set_text(picture->sets, picture->step, position, box->text);
    box->changed = set_changed(picture, index, position);
    box->wrong = set_wrong(picture, index, position);
}

static void draw_step(const struct rd_sets *sets, unsigned number, const struct rd_paint *paint)
{
    const struct set_step *step = &sets->steps[number];
    struct picture picture = {sets, step, number > 0 ? step - 1 : NULL};
    struct rd_box_array array = {
        .n = sets->n_cells,
        .claim = step->claim,
        .whole = step->whole,
        .focus = step->violated ? step->violated_cell : sets->n_cells,
        .fill = fill_box,
        .self = &picture,
    };
    rd_print_elided(paint, rd_boxes_draw(&array, paint));
}

/* Explains the '?' in the sets. */
static void print_unknown(const struct rd_sets *sets, const struct rd_paint *paint)
{
    char text[160];
    const struct set_step *last = sets->n_steps > 0 ? &sets->steps[sets->n_steps - 1] : NULL;
    if (!last || !last->values || inputs_known(sets, last) == sets->n)
        return;
    snprintf(
        text, sizeof text,
        "(?: inputs %zu..%zu are not known to be in or out, as the run ended in pass %u of %u)",
        inputs_known(sets, last), sets->n - 1, last->passes, sets->passes);
    fputc('\n', paint->out);
    rd_paint_wrap(paint, RD_INK_DIM, 0, text);
}

void rd_sets_print(const struct rd_sets *sets, const struct rd_paint *paint, unsigned refused)
{
    for (unsigned number = 0; number < sets->n_steps; number++) {
        const struct set_step *step = &sets->steps[number];
        rd_print_step_head(paint, step->has_round ? &step->round : NULL, sets->rounds,
                           number > 0 && number == refused);
        if (step->values)
            draw_step(sets, number, paint);
        size_t dead = sets->n_cells - rd_claim_live(&step->claim, sets->n_cells);
        rd_print_step_foot(paint, &(struct rd_step_foot){
                                      .statement = step->statement,
                                      .n_asserted = step->n_asserted,
                                      .n_frame = sets->frame && step->whole ? dead : 0,
                                      .verdict = step->verdict,
                                      .frame_violated = step->frame_violated,
                                  });
    }
    print_unknown(sets, paint);
    if (sets->n > RD_SETS_INPUTS_MAX)
        fprintf(paint->out, "\n(sets are shown for up to %d inputs)\n", RD_SETS_INPUTS_MAX);
}
