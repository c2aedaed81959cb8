// SPDX-License-Identifier: MIT
#include "base/sized.h"
#include "reductio/operation.h"
#include "reductio/witness.h"
#include "reductio/text.h"
#include "run/assertion.h"
#include "view/paint.h"
#include "view/parts.h"
#include "reductio/summary.h"
#include "element/operation_table.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the last line ---- */

enum { INDENT = 4 };

/* The verdict of a run and what was counted. Programs read it, too: it is wrapped on a terminal only. */
struct last_line {
    const struct rd_paint *paint;
    bool wrapped;
    size_t column; /* columns of the terminal's line that are taken */
};

static void say(struct last_line *line, const char *text)
{
    if (line->wrapped)
        line->column = rd_paint_flow(line->paint, RD_INK_PLAIN, line->column, INDENT, text);
    else
        fprintf(line->paint->out, " %s", text);
}

/* The line begins with `text`, whose first word is the verdict. */
static struct last_line last_line_begin(const struct rd_paint *paint, bool wrapped,
                                        enum rd_verdict verdict, const char *text)
{
    size_t word = strcspn(text, " ");
    struct last_line line = {.paint = paint, .wrapped = wrapped, .column = word};
    rd_paint_print(paint, rd_paint_verdict(verdict), "%.*s", (int)word, text);
    if (text[word])
        say(&line, text + word + 1);
    return line;
}

/* "; " and more. */
static void last_line_add(struct last_line *line, const char *text)
{
    fputc(';', line->paint->out);
    line->column++;
    say(line, text);
}

static void last_line_end(const struct last_line *line)
{
    fputc('\n', line->paint->out);
}

/* ---- the page ---- */

/* A state of more bytes than this is not kept for the next step to be compared with. */
#define KEPT_MAX ((size_t)64 << 20)

/* A state, and what is needed to find a cell in it. */
struct picture {
    const struct rd_numeric *numeric;
    const void *a; /* the input, of n_a elements */
    size_t n_a;
    const void *cells;
    size_t n_cells;
    bool whole;
    struct rd_claim claim;
    unsigned step_number;
    bool inside; /* a checkpoint's: */
    enum rd_point point;
    uint64_t block;
    int warp;
    uint32_t present;             /* of a warp: the lanes that came; the others have no value */
    const struct picture *before; /* NULL where there is none */
    const struct rd_step *step;
};

struct rd_text_view {
    struct rd_observer observer;
    struct rd_paint paint;
    bool quiet, wrap_last, is_witness;
    unsigned rounds;
    /* The last state of the array under test, and the last at a checkpoint. */
    struct kept {
        bool is_left_out;       /* the state was too large */
        struct picture picture; /* cells is NULL where there is none */
        void *memory;           /* for them */
        size_t memory_bytes;
    } kept[2];
    unsigned refused;              /* the round whose launch was refused last; 0: none */
    char hazard[RD_SENTENCE_SIZE]; /* the first, as a sentence; or "" */
    struct rd_run witness;         /* the pass last begun of a witness run */
    struct rd_sets *sets;
    bool has_block; /* the checkpoints of this block are shown: */
    uint64_t block;
    unsigned block_round;            /* in this round */
    unsigned n_shown, n_wrong_shown; /* checkpoints of this round, that hold and that do not */
    /* Checkpoints since the last that was shown, and how many of them do not hold. */
    uint64_t n_passed_over, n_wrong;
};

static enum rd_status flush(struct rd_text_view *view, struct rd_error *error)
{
    errno = 0;
    if (fflush(view->paint.out) == 0 && !ferror(view->paint.out))
        return RD_OK;
    return rd_fail(error, RD_ERROR_IO, "the output can't be written: %s",
                   errno ? strerror(errno) : "an earlier write failed");
}

/* ---- a step ---- */

static bool load_cell(const struct picture *picture, size_t index, rd_bits *value)
{
    size_t position = index;
    if (!picture->whole) {
        if (!rd_claim_has(&picture->claim, index))
            return false;
        position = index / picture->claim.stride;
    }
    if (position >= picture->n_cells ||
        (picture->inside && picture->warp != RD_WHOLE_BLOCK && !(picture->present >> position & 1)))
        return false;
    *value = picture->numeric->load(picture->cells, position);
    return true;
}

static bool cell_is_wrong(const struct picture *picture, const struct rd_box *box, rd_bits value)
{
    const struct rd_step *step = picture->step;
    bool asserted = box->live || (step->whole && !step->place);
    return step->violation && asserted &&
           rd_cell_is_wrong(step->expect, &step->claim, box->index, value);
}

static void fill_box(const void *self, size_t index, struct rd_box *box)
{
    const struct picture *picture = self;
    rd_bits value, old;
    if (!load_cell(picture, index, &value))
        return;
    rd_cell_text(picture->numeric, picture->a, picture->n_a, value, box->text);
    box->changed = picture->before && load_cell(picture->before, index, &old) &&
                   !picture->numeric->same(value, old);
    box->wrong = cell_is_wrong(picture, box, value);
}

/* Lanes that are none of a small block are not drawn. */
static size_t cells_to_draw(const struct rd_step *step)
{
    size_t n = step->expect->n, last = step->violation ? step->violation->cell + 1 : 1;
    if (!step->place || step->place->warp == RD_WHOLE_BLOCK)
        return n;
    while (n > last && !(step->present >> (n - 1) & 1))
        n--;
    return n;
}

static void draw_array(struct rd_text_view *view, const struct rd_step *step,
                       const struct picture *picture)
{
    struct rd_box_array array = {
        .n = cells_to_draw(step),
        .claim = step->claim,
        .whole = step->whole,
        .focus = step->violation ? step->violation->cell : step->expect->n,
        .fill = fill_box,
        .self = picture,
    };
    rd_print_elided(&view->paint, rd_boxes_draw(&array, &view->paint));
    if (step->number > 0 && !step->place && !picture->before && view->kept[0].is_left_out)
        rd_paint_wrap(&view->paint, RD_INK_DIM, 4,
                      "(changes are not marked in an array of this size)");
}

/* Keeps the state for the next step to be compared with; does without where it is large. */
static void keep(struct rd_text_view *view, const struct picture *picture)
{
    struct kept *kept = &view->kept[picture->inside];
    size_t size_bytes = picture->n_cells * picture->numeric->size_bytes;
    kept->picture.cells = NULL;
    kept->is_left_out = size_bytes > 0;
    if (size_bytes == 0 || size_bytes > KEPT_MAX)
        return;
    if (size_bytes > kept->memory_bytes) {
        void *memory = realloc(kept->memory, size_bytes);
        if (!memory)
            return;
        kept->memory = memory;
        kept->memory_bytes = size_bytes;
    }
    memcpy(kept->memory, picture->cells, size_bytes);
    kept->picture = *picture;
    kept->picture.cells = kept->memory;
    kept->is_left_out = false;
    kept->picture.before = NULL;
}

/* The state before this one: of the array under test, or of the same block's or warp's array at the
 * checkpoint before. NULL where it is not kept. */
static const struct picture *state_before(const struct rd_text_view *view,
                                          const struct rd_step *step)
{
    const struct picture *kept = &view->kept[step->place != NULL].picture;
    if (!kept->cells)
        return NULL;
    if (step->place && (kept->point != step->place->point || kept->block != step->place->block ||
                        kept->warp != step->place->warp || kept->step_number != step->number))
        return NULL;
    return kept;
}

static void print_step(struct rd_text_view *view, const struct rd_run *run,
                       const struct rd_step *step)
{
    struct picture picture = {
        .numeric = run->numeric,
        .a = step->expect->a,
        .n_a = step->expect->n_inputs,
        .cells = step->cells,
        .n_cells = step->n_cells,
        .whole = step->whole,
        .claim = step->claim,
        .inside = step->place != NULL,
        .present = step->present,
        .before = state_before(view, step),
        .step_number = step->number,
        .step = step,
    };
    if (step->place) {
        picture.point = step->place->point;
        picture.block = step->place->block;
        picture.warp = step->place->warp;
    }
    size_t n = step->expect->n, dead = n - rd_claim_live(&step->claim, n);
    const struct rd_shape shape = rd_run_shape(run);
    char statement[RD_STATEMENT_SIZE];
    bool refused = step->number > 0 && step->number == view->refused;
    if (step->place)
        rd_print_checkpoint_head(&view->paint, step);
    else
        rd_print_step_head(&view->paint, step->round, view->rounds, refused);
    draw_array(view, step, &picture);
    rd_print_step_foot(
        &view->paint,
        &(struct rd_step_foot){
            .statement =
                rd_step_statement(step, run->program, &shape, run->numeric->operation, statement),
            .n_asserted = step->n_asserted,
            .n_unbounded = step->n_unbounded,
            .widest = step->widest,
            .n_frame = run->frame && step->whole && !step->place ? dead : 0,
            .unchanged = step->unchanged,
            .bounded = step->expect->bounded,
            .any_order = step->expect->any_order,
            .is_float = run->numeric->is_float,
            .verdict = step->verdict,
            .frame_violated = step->violation && step->violation->kind == RD_VIOLATION_FRAME,
        });
    keep(view, &picture);
}

/* ---- checkpoints ---- */

/* Block after block does the same, and warp after warp: the first ones are shown, for so many trips of
 * their loops, and whatever does not hold. */
enum { SHOWN_MAX = 32 };

static bool is_shown(struct rd_text_view *view, const struct rd_step *step)
{
    if (!view->has_block || view->block_round != step->number) {
        view->has_block = true;
        view->block_round = step->number;
        view->block = step->place->block;
        view->n_shown = view->n_wrong_shown = 0;
    }
    if (step->verdict != RD_HOLDS)
        return view->n_wrong_shown++ < SHOWN_MAX;
    return step->place->block == view->block && step->place->warp <= 0 &&
           view->n_shown++ < SHOWN_MAX;
}

/* Says how many were passed over. */
static void print_passed_over(struct rd_text_view *view)
{
    if (view->n_wrong > 0)
        fprintf(view->paint.out,
                "\n(%" PRIu64 " more checkpoint%s, passed over: %" PRIu64 " of them VIOLATED)\n",
                view->n_passed_over, rd_plural(view->n_passed_over), view->n_wrong);
    else if (view->n_passed_over > 0)
        fprintf(view->paint.out, "\n(%" PRIu64 " more checkpoint%s, passed over: HOLDS)\n",
                view->n_passed_over, rd_plural(view->n_passed_over));
    view->n_wrong = 0;
    view->n_passed_over = 0;
}

static void print_checkpoint(struct rd_text_view *view, const struct rd_run *run,
                             const struct rd_step *step)
{
    if (!is_shown(view, step)) {
        view->n_passed_over++;
        view->n_wrong += step->verdict != RD_HOLDS;
        return;
    }
    print_passed_over(view);
    print_step(view, run, step);
}

/* ---- the end ---- */

/* The last line is all that a quiet run prints, so it says what else was found, too: `place`, NULL for
 * nothing, and the first hazard. */
static void print_last_line(struct rd_text_view *view, enum rd_verdict verdict, const char *text,
                            const char *place)
{
    struct last_line line = last_line_begin(&view->paint, view->wrap_last, verdict, text);
    if (view->quiet && place)
        last_line_add(&line, place);
    if (view->quiet && view->hazard[0] != '\0')
        last_line_add(&line, view->hazard);
    last_line_end(&line);
}

static void print_ending(struct rd_text_view *view, const struct rd_run *run,
                         const struct rd_result *result)
{
    if (view->quiet)
        return;
    rd_print_violation(&view->paint, run, result);
    rd_print_obligations(&view->paint, run, result);
    rd_print_schedules(&view->paint, result);
    rd_print_looked(&view->paint, run, result);
}

static void print_summary(struct rd_text_view *view, const struct rd_run *run,
                          const struct rd_result *result)
{
    char text[RD_SENTENCE_SIZE], place[RD_SENTENCE_SIZE];
    const struct rd_summary summary = rd_summary_of_run(run, result);
    const char *more = NULL;
    if (result->violated)
        more = rd_violation_text(&result->violation, run->numeric, place);
    else if (result->truncated)
        more = "not all checkpoints were kept: name fewer --blocks";
    print_last_line(view, result->verdict, rd_summary_text(&summary, text), more);
}

enum rd_status rd_text_view_end_witness(struct rd_text_view *view, const struct rd_result *result,
                                        struct rd_error *error)
{
    const struct rd_run *run = &view->witness;
    const struct rd_numeric *numeric =
        result->premise.numeric ? result->premise.numeric : run->numeric;
    char text[RD_SENTENCE_SIZE], sentence[RD_SENTENCE_SIZE], place[RD_SENTENCE_SIZE + 32];

    if (!view->quiet && view->sets && run->pass > 0)
        rd_sets_print(view->sets, &view->paint, view->refused);
    if (run->pass > 0) /* else its own end has printed it */
        print_ending(view, run, result);
    if (result->explained)
        snprintf(place, sizeof place, "step %u, %s", result->violation.step,
                 rd_evidence_text(&result->evidence, numeric->operation, sentence));
    else if (result->violated)
        snprintf(place, sizeof place, "%s",
                 rd_violation_text(&result->violation, numeric, sentence));
    print_last_line(view, result->verdict, rd_witness_text(run, result, text),
                    result->violated ? place : NULL);
    return flush(view, error);
}

/* ---- the observer ---- */

static enum rd_status on_begin(void *self, const struct rd_run *run, struct rd_error *error)
{
    struct rd_text_view *view = self;
    if (run->pass <= 1) {
        view->kept[0].picture.cells = view->kept[1].picture.cells = NULL;
        view->refused = 0;
        view->hazard[0] = '\0';
        const struct rd_shape shape = rd_run_shape(run);
        view->has_block = false;
        view->n_passed_over = view->n_wrong = 0;
        view->rounds = rd_program_rounds(run->program, &shape);
        if (!view->quiet)
            rd_print_title(&view->paint, run, view->rounds);
    }
    if (run->pass == 1 && !view->quiet) {
        rd_sets_destroy(view->sets);
        view->sets = rd_sets_create(run, view->rounds);
        if (!view->sets)
            return rd_fail(error, RD_ERROR_MEMORY, "no memory for the sets of %zu inputs", run->n);
    }
    if (run->pass > 0 || view->is_witness)
        view->witness = *run;
    return view->quiet ? RD_OK : flush(view, error);
}

static enum rd_status on_step(void *self, const struct rd_run *run, const struct rd_step *step,
                              struct rd_error *error)
{
    struct rd_text_view *view = self;
    if (view->quiet)
        return RD_OK;
    if (run->pass == 0 && step->place) {
        print_checkpoint(view, run, step);
        return flush(view, error);
    }
    if (run->pass == 0) {
        print_passed_over(view);
        print_step(view, run, step);
        return flush(view, error);
    }
    if (step->place)
        return RD_OK;
    if (!rd_sets_add(view->sets, run, step))
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the sets of %zu inputs", run->n);
    return RD_OK;
}

static enum rd_status on_hazard(void *self, const struct rd_run *run,
                                const struct rd_hazard *hazard, struct rd_error *error)
{
    struct rd_text_view *view = self;
    char text[RD_SENTENCE_SIZE];
    (void)run;
    rd_hazard_text(hazard, text);
    if (view->hazard[0] == '\0')
        memcpy(view->hazard, text, sizeof text);
    if (hazard->kind == RD_HAZARD_ILLEGAL_LAUNCH)
        view->refused = hazard->step;
    if (view->quiet)
        return RD_OK;
    fputc('\n', view->paint.out);
    rd_paint_wrap(&view->paint, RD_INK_BAD, 0, text);
    return flush(view, error);
}

static enum rd_status on_end(void *self, const struct rd_run *run, const struct rd_result *result,
                             struct rd_error *error)
{
    struct rd_text_view *view = self;
    if (run->pass > 0 || result->failed)
        return RD_OK;
    if (!result->interrupted)
        print_ending(view, run, result);
    else if (!view->quiet)
        fputc('\n', view->paint.out);
    if (!view->is_witness)
        print_summary(view, run, result);
    return flush(view, error);
}

/* The size of struct rd_text_options in version 0.1. */
enum { OPTIONS_FIRST_SIZE = sizeof(struct rd_text_options), WIDTH_MIN = 20 };

enum rd_status rd_text_view_create(struct rd_text_view **view,
                                   const struct rd_text_options *options, struct rd_error *error)
{
    if (rd_sized_check(options, sizeof *options, OPTIONS_FIRST_SIZE, "text_options", error) !=
        RD_OK)
        return RD_ERROR_USAGE;
    if (!options->out || options->width < WIDTH_MIN)
        return rd_fail(error, RD_ERROR_USAGE, "'%s' of the text view is %s: set it",
                       options->out ? "width" : "out",
                       options->out ? "less than 20 columns" : "NULL");
    struct rd_text_view *v = calloc(1, sizeof *v);
    if (!v)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the text view");
    v->paint = (struct rd_paint){options->out, options->width, options->color};
    v->quiet = options->quiet;
    v->is_witness = options->witness;
    v->wrap_last = options->wrap_last;
    v->observer = (struct rd_observer){
        .self = v,
        .begin = on_begin,
        .step = on_step,
        .hazard = on_hazard,
        .end = on_end,
    };
    *view = v;
    return RD_OK;
}

const struct rd_observer *rd_text_view_observer(struct rd_text_view *view)
{
    return &view->observer;
}

void rd_text_view_destroy(struct rd_text_view *view)
{
    if (!view)
        return;
    rd_sets_destroy(view->sets);
    free(view->kept[0].memory);
    free(view->kept[1].memory);
    free(view);
}
