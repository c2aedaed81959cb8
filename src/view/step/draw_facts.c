// SPDX-License-Identifier: MIT
/* The facts of a step, in words: what the threads did, the invariant, the obligations, hazards. */
#include "view/step/commands.h"
#include "view/step/draw.h"
#include "run/assertion.h"
#include "view/candidate_text.h"
#include "view/parts.h"
#include "reductio/summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <inttypes.h>
#include <string.h>

/* A label and a text behind it, row after row. */
struct facts {
    struct rd_stepper *stepper;
    struct rd_canvas *canvas;
    const struct rd_step_area *area;
    int y, end;
};

enum { LABEL_WIDTH = 12 };

static void fact(struct facts *facts, const char *label, enum rd_ink ink, int rows_max,
                 const char *text)
{
    if (facts->y >= facts->end || rows_max < 1)
        return;
    int room = facts->end - facts->y;
    rd_canvas_print(facts->canvas, facts->area->x, facts->y, RD_INK_DIM, "%s", label);
    const struct rd_canvas_area area = {
        .x = facts->area->x + LABEL_WIDTH,
        .y = facts->y,
        .end = facts->area->x + facts->area->width,
        .rows_max = rows_max < room ? rows_max : room,
    };
    int rows = rd_canvas_wrap(facts->canvas, &area, ink, text);
    facts->y += rows > 0 ? rows : 1;
}

/* ---- the threads ---- */

static void draw_breaks(struct facts *facts)
{
    char text[512];
    rd_stepper_breaks_text(facts->stepper, text, sizeof text);
    if (text[0] != '\0')
        fact(facts, "broken", RD_INK_DOUBT, 2, text);
}

/* Says why there is "?" in place of the selected cell's set. */
static void draw_unknown_sets(struct facts *facts)
{
    struct rd_stepper *stepper = facts->stepper;
    struct rd_input_set actual, expected;
    struct rd_error error;
    if (stepper->view == RD_SHOW_SETS && !stepper->quiz.hidden &&
        rd_history_set(stepper->history, stepper->frame, stepper->cell, &actual, &expected,
                       &error) != RD_OK)
        fact(facts, "no sets", RD_INK_DOUBT, 2, error.text);
}

/* Problems of a trace, as 'verify' words them. */
static void draw_incomplete(struct facts *facts)
{
    if (facts->stepper->about->incomplete)
        fact(facts, "trace", RD_INK_DOUBT, 2, facts->stepper->about->incomplete);
}

/* An edited trace is explained by other values than it tells of. */
static void draw_rerun(struct facts *facts)
{
    char text[RD_RERUN_TEXT_SIZE];
    if (facts->stepper->frame == 0)
        return;
    rd_rerun_text(facts->stepper->history, text);
    if (text[0] != '\0')
        fact(facts, "re-run", RD_INK_DOUBT, 3, text);
}

/* The last that wrote the frame's array, or else the last. */
static const struct rd_access_move *move_of_thread(const struct rd_log *log, size_t thread)
{
    const struct rd_access_move *last = NULL;
    for (size_t k = 0; k < log->list.n_moves; k++) {
        const struct rd_access_move *move = &log->list.moves[k];
        bool better = !last || (int)rd_log_access(log, move->write)->array == log->array ||
                      (int)rd_log_access(log, last->write)->array != log->array;
        if (move->thread == thread && better)
            last = move;
    }
    return last;
}

static void draw_thread(struct facts *facts)
{
    struct rd_stepper *stepper = facts->stepper;
    const struct rd_log *log = rd_stepper_log(stepper);
    const struct rd_access_move *move = NULL;
    char text[RD_STEP_SENTENCE_SIZE], all[RD_STEP_SENTENCE_SIZE + 64];
    if (stepper->frame == 0 || stepper->quiz.hidden)
        return;
    if (log->status != RD_OK) {
        fact(facts, "threads", RD_INK_DOUBT, 2, log->error.text);
        return;
    }
    if (stepper->has_thread)
        move = move_of_thread(log, stepper->thread);
    else
        move = rd_log_writer(log, stepper->cell);
    if (move) {
        int length = snprintf(all, sizeof all, "%s%s", rd_stepper_move_text(log, move, text),
                              log->list.truncated ? "; more accesses than are kept" : "");
        if (stepper->arrows_left_out > 0)
            snprintf(all + length, sizeof all - (size_t)length, "; no room for %u more arrow%s",
                     stepper->arrows_left_out, rd_plural(stepper->arrows_left_out));
        int rows =
            facts->end - facts->y - 1 - (int)stepper->watches.count; /* hazards must have theirs */
        fact(facts, stepper->has_thread ? "this thread" : "threads", RD_INK_PLAIN,
             rows < 2 ? rows : 2, all);
    } else if (stepper->has_thread) {
        const struct rd_access_thread *thread = &log->list.threads[stepper->thread];
        snprintf(text, sizeof text, "thread %u of block %" PRIu64 " reads, and writes nothing",
                 thread->thread, thread->block);
        fact(facts, "this thread", RD_INK_PLAIN, 2, text);
    } else {
        const struct rd_frame *frame = rd_stepper_frame(stepper);
        bool of_lanes = frame->inside && frame->place.warp != RD_WHOLE_BLOCK;
        snprintf(text, sizeof text,
                 of_lanes ? "nothing was read or taken for %s[%zu]" : "none wrote %s[%zu]",
                 frame->array, stepper->cell);
        fact(facts, "threads", RD_INK_PLAIN, 1, text);
    }
}

/* ---- the invariant ---- */

/* The effect of a break is not the program's fault. */
static const struct rd_break *break_violated(const struct rd_stepper *stepper)
{
    const struct rd_violation *violation = &rd_stepper_frame(stepper)->violation;
    struct rd_history_cell cell;
    if (violation->inside ||
        rd_history_cell(stepper->history, stepper->frame, violation->cell, &cell, NULL) != RD_OK)
        return NULL;
    return cell.put;
}

/* "; A[3] lost {7}, too much {6}": what is wrong in terms of the sets that the cells show. */
static int append_sets(const struct rd_stepper *stepper, char *text, size_t size)
{
    enum { SHOWN = 64 };
    struct rd_input_set actual, expected, lost, more;
    char names[2][SHOWN];
    size_t cell = rd_stepper_frame(stepper)->violation.cell;
    if (stepper->view != RD_SHOW_SETS ||
        rd_history_set(stepper->history, stepper->frame, cell, &actual, &expected, NULL) != RD_OK)
        return 0;
    bool any_lost = rd_step_surplus(&expected, &actual, &lost);
    bool any_more = rd_step_surplus(&actual, &expected, &more);
    if (!any_lost && !any_more)
        return 0;
    return snprintf(text, size, "; %s[%zu] %s%s%s%s%s", rd_stepper_frame(stepper)->array, cell,
                    any_lost ? "lost " : "",
                    any_lost ? rd_input_set_text(&lost, names[0], SHOWN) : "",
                    any_lost && any_more ? ", " : "", any_more ? "has too much " : "",
                    any_more ? rd_input_set_text(&more, names[1], SHOWN) : "");
}

static void verdict_text(const struct rd_stepper *stepper, char text[RD_SENTENCE_SIZE])
{
    const struct rd_frame *frame = rd_stepper_frame(stepper);
    char sentence[RD_SENTENCE_SIZE], wraps[RD_STEP_WRAPS_SIZE], how[RD_HOW_SIZE];
    const struct rd_step_foot foot = rd_frame_foot(stepper->about, frame);
    int length =
        snprintf(text, RD_SENTENCE_SIZE, "%s: %zu live cell%s asserted%s%s",
                 rd_verdict_name(frame->verdict), frame->n_asserted, rd_plural(frame->n_asserted),
                 rd_asserted_how(&foot, how), foot.frame_violated ? ", which hold" : "");
    if (foot.n_frame > 0 && frame->verdict == RD_HOLDS)
        length += snprintf(text + length, RD_SENTENCE_SIZE - (size_t)length, ", %zu dead unchanged",
                           foot.n_frame);
    if (frame->n_unbounded > 0)
        length += snprintf(text + length, RD_SENTENCE_SIZE - (size_t)length,
                           ", %zu without a bound (infinite or NaN)", frame->n_unbounded);
    if (rd_stepper_wraps_text(stepper, wraps)[0] != '\0')
        length += snprintf(text + length, RD_SENTENCE_SIZE - (size_t)length, "; %s[%zu]: %s",
                           frame->array, stepper->cell, wraps);
    if (!frame->violated)
        return;
    length += snprintf(text + length, RD_SENTENCE_SIZE - (size_t)length, "; %s",
                       rd_violation_text(&frame->violation, stepper->about->numeric, sentence));
    if (length < RD_SENTENCE_SIZE)
        length += append_sets(stepper, text + length, RD_SENTENCE_SIZE - (size_t)length);
    const struct rd_break *put = break_violated(stepper);
    if (put && length < RD_SENTENCE_SIZE)
        snprintf(text + length, RD_SENTENCE_SIZE - (size_t)length, "; put there by you at step %u",
                 put->step);
}

static void draw_invariant(struct facts *facts)
{
    const struct rd_frame *frame = rd_stepper_frame(facts->stepper);
    char text[RD_SENTENCE_SIZE];
    fact(facts, "invariant", RD_INK_BOLD, 2, frame->statement);
    if (facts->stepper->quiz.hidden) {
        fact(facts, "quiz", RD_INK_DOUBT, 3,
             facts->stepper->about->witness
                 ? "which inputs will be in the selected cell? '=' takes them, as {0,4}. The next "
                   "step gives up."
                 : "what will the array hold? '=' takes your guess: V of the selected cell, V V "
                   "... of all live cells, sum V of what they add up to, or {I,J}, the inputs in "
                   "the cell. The next step gives up.");
        return;
    }
    verdict_text(facts->stepper, text);
    fact(facts, "", rd_paint_verdict(frame->verdict), 3, text);
}

/* ---- the user's own law ---- */

/* "HOLDS: of 4 cells", or which cell is another: the selected one, if it is. */
static void print_law_here(const struct facts *facts, const struct rd_candidate_look *look,
                           FILE *out)
{
    const struct rd_step_law *law = &facts->stepper->law;
    const struct rd_candidate_words words = rd_step_law_words(law);
    const size_t cell = facts->stepper->cell;
    struct rd_candidate_cell shown = look->first;
    struct rd_history_cell is;
    if (look->n_false == 0 && look->overflows) {
        fprintf(out, "%sFLOW: ",
                rd_candidate_underflows(&look->overflown, law->run.numeric) ? "UNDER" : "OVER");
        rd_candidate_print_cell(out, &look->overflown, 0, &words);
        return;
    }
    if (look->n_false == 0) {
        fprintf(out, look->n_live > 0 ? "HOLDS: %zu cell%s" : "claims no cell here", look->n_live,
                rd_plural(look->n_live));
        return;
    }
    if (cell < look->n_cells && look->marks[cell] == RD_CANDIDATE_IS_NOT &&
        rd_history_cell(facts->stepper->history, facts->stepper->frame, cell, &is, NULL) == RD_OK)
        shown = (int64_t)cell == look->first.cell
                    ? look->first
                    : (struct rd_candidate_cell){.step = look->first.step,
                                                 .cell = (int64_t)cell,
                                                 .actual = is.value,
                                                 .said = law->run.numeric->load(look->said, cell),
                                                 .exact = look->exact[cell]};
    fprintf(out, "VIOLATED: ");
    rd_candidate_print_cell(out, &shown, look->n_false, &words);
}

/* The verdict of the whole run in short; the status line has told it when the law was typed. */
static void print_law_verdict(const struct rd_step_law *law, FILE *out)
{
    const struct rd_candidate_result *judged = &law->judged;
    if (judged->verdict == RD_CANDIDATE_NOT_KEPT)
        fprintf(out, "; first refuted in round %u", judged->cell.step);
    else
        fprintf(out, "; %s", rd_step_law_word(law));
}

static void draw_law(struct facts *facts)
{
    struct rd_stepper *stepper = facts->stepper;
    const struct rd_candidate_look *look = rd_stepper_law_look(stepper);
    char *text = NULL;
    size_t size;
    if (!stepper->law.text || stepper->quiz.hidden)
        return;
    if (!look) {
        char why[RD_SENTENCE_SIZE];
        snprintf(why, sizeof why, "claims %s, at the end of a round", stepper->law.array);
        fact(facts, "your law", RD_INK_DIM, 1,
             rd_stepper_frame(stepper)->inside ? why : stepper->law.error.text);
        return;
    }
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    print_law_here(facts, look, out);
    print_law_verdict(&stepper->law, out);
    if (fclose(out) == 0) {
        if (*look->statement)
            fact(facts, "your law", RD_INK_BOLD, 2, look->statement);
        fact(facts, *look->statement ? "" : "your law",
             look->n_false > 0  ? RD_INK_BAD
             : look->overflows  ? RD_INK_DOUBT
             : look->n_live > 0 ? RD_INK_GOOD
                                : RD_INK_DOUBT,
             2, text);
    }
    free(text);
}

/* ---- the obligations, as far as they are decided at this step ---- */

/* Returns the reason why it does not hold, if that is final and not told with its round; or "". */
static const char *reason_of(const struct rd_history_about *about, enum rd_obligation obligation,
                             const struct rd_standing *standing, char text[RD_REASON_SIZE])
{
    if (standing->decided != RD_DECIDED || standing->round > 0 || standing->verdict == RD_HOLDS)
        return "";
    return rd_obligation_reason(about->program, about->numeric, &about->result, obligation, text);
}

/* While the step is hidden, as at the one before. What has the same reason as the next is told with it:
 * "preservation INCONCLUSIVE, exit INCONCLUSIVE: nothing follows from a false invariant". */
static void draw_obligations(struct facts *facts)
{
    const struct rd_stepper *stepper = facts->stepper;
    size_t hidden = stepper->quiz.hidden && stepper->frame > 0;
    const struct rd_history_about *about = stepper->about;
    const struct rd_frame *frame = rd_history_frame(stepper->history, stepper->frame - hidden);
    char all[3 * RD_REASON_SIZE] = "", text[RD_STANDING_TEXT_SIZE];
    char reasons[2][RD_REASON_SIZE];
    const char *before = "";
    bool bad = false;
    for (int k = RD_OBLIGATION_COUNT - 1; k >= 0; k--) {
        const struct rd_standing *standing = &frame->standings[k];
        char rest[sizeof all];
        const char *why = reason_of(about, (enum rd_obligation)k, standing, reasons[k % 2]);
        const bool again = why[0] != '\0' && strcmp(why, before) == 0;
        bad |= standing->verdict == RD_VIOLATED;
        memcpy(rest, all, sizeof rest);
        snprintf(all, sizeof all, "%s %s%s%s%s%s", rd_obligation_name((enum rd_obligation)k),
                 rd_standing_text(standing, text), why[0] && !again ? ": " : "", again ? "" : why,
                 rest[0] == '\0' ? ""
                 : again         ? ", "
                                 : "; ",
                 rest);
        before = why;
    }
    fact(facts, "obligations", bad ? RD_INK_BAD : RD_INK_PLAIN, 3, all);
}

/* ---- hazards and the watched cells ---- */

/* Tells whether a fact of so many rows has them; drawn out of sight. */
static bool fits(const struct facts *facts, int rows, const char *text)
{
    const struct rd_canvas_area area = {
        .x = facts->area->x + LABEL_WIDTH,
        .y = (int)facts->canvas->height,
        .end = facts->area->x + facts->area->width,
        .rows_max = rows + 1,
    };
    return rd_canvas_wrap(facts->canvas, &area, RD_INK_PLAIN, text) <= rows;
}

/* As many as there are rows for, and where the others can be read. */
static void draw_hazards_here(struct facts *facts, size_t first, size_t count)
{
    struct rd_stepper *stepper = facts->stepper;
    bool inside = rd_stepper_frame(stepper)->inside;
    int end = facts->end - (int)stepper->watches.count;
    char text[RD_SENTENCE_SIZE + 64], whole[RD_SENTENCE_SIZE];
    for (size_t k = 0; k < count && facts->y < end; k++) {
        const struct rd_history_hazard *hazard = rd_history_hazard(stepper->history, first + k);
        snprintf(whole, sizeof whole, "%s: %s", hazard->name, hazard->message);
        if (k == 0 && (count > 1 || inside))
            snprintf(text, sizeof text, "%zu in this round, H shows %s; %s", count,
                     count > 1 ? "all" : "it", whole);
        else if (k == 0 && !fits(facts, end - facts->y, whole))
            snprintf(text, sizeof text, "H shows it in full; %s", whole);
        else
            snprintf(text, sizeof text, "%s", whole);
        fact(facts, k == 0 ? "hazards" : "", RD_INK_BAD, end - facts->y, text);
    }
}

static void draw_hazards(struct facts *facts)
{
    struct rd_stepper *stepper = facts->stepper;
    size_t all = rd_history_hazards(stepper->history), first;
    size_t here = rd_stepper_hazards(stepper, &first);
    const struct rd_result *result = &stepper->about->result;
    char text[RD_SENTENCE_SIZE];
    if (stepper->quiz.hidden)
        return;
    if (here > 0) {
        draw_hazards_here(facts, first, here);
    } else if (all > 0) {
        snprintf(text, sizeof text, "none here; the first of %zu is in round %u: H shows all", all,
                 rd_history_hazard(stepper->history, 0)->step);
        fact(facts, "hazards", RD_INK_DOUBT, 1, text);
    } else if (result->hazards_by == RD_HAZARDS_BY_NOBODY) {
        fact(facts, "hazards", RD_INK_DOUBT, 1, "not looked for");
    } else if (result->hazards_by == RD_HAZARDS_BY_LAUNCH) {
        fact(facts, "hazards", RD_INK_DOUBT, 1, "of the launch: run tells them");
    } else {
        snprintf(text, sizeof text, "none");
        if (result->hazards_n > 0)
            snprintf(text, sizeof text, "none, in the simulator at n = %zu", result->hazards_n);
        fact(facts, "hazards", RD_INK_PLAIN, 1, text);
    }
}

/* The cell's values so far, the latest ones. */
static void draw_watch(struct facts *facts, const struct rd_step_watch *watch)
{
    enum { SHOWN_MAX = 8 };
    struct rd_stepper *stepper = facts->stepper;
    size_t frames[SHOWN_MAX], count = 0;
    char text[RD_SENTENCE_SIZE] = "", label[64], owner[64];
    int name = snprintf(owner, sizeof owner, "block %" PRIu64, watch->block);
    if (watch->warp != RD_WHOLE_BLOCK)
        snprintf(owner + name, sizeof owner - (size_t)name, ", warp %d", watch->warp);
    for (size_t k = stepper->frame + 1; k > 0 && count < SHOWN_MAX; k--) {
        if (rd_stepper_has_watched(stepper, k - 1, watch))
            frames[count++] = k - 1;
    }
    for (size_t k = count; k > 0; k--) {
        char value[64];
        size_t length = strlen(text);
        struct rd_history_cell cell = {.known = false};
        const struct rd_frame *frame = rd_history_frame(stepper->history, frames[k - 1]);
        rd_stepper_cell_text(stepper, frames[k - 1], watch->cell, RD_SHOW_VALUES, value,
                             sizeof value);
        if (!(stepper->quiz.hidden && frames[k - 1] == stepper->frame))
            rd_history_cell(stepper->history, frames[k - 1], watch->cell, &cell, NULL);
        snprintf(text + length, sizeof text - length, "%s%s%s%s", k < count ? " → " : "", value,
                 cell.changed ? "*" : "", cell.wrong ? "!" : "");
        length = strlen(text);
        if (k == 1 && watch->inside)
            snprintf(text + length, sizeof text - length, "  (%s, round %u)", owner, frame->step);
        else if (k == 1)
            snprintf(text + length, sizeof text - length, "  (%s %u)",
                     frame->inside ? "round" : "step", frame->step);
    }
    if (count == 0)
        snprintf(text, sizeof text, "%s has not come here yet", owner);
    snprintf(label, sizeof label, "%s[%zu]", watch->array, watch->cell);
    fact(facts, label, RD_INK_BOLD, 1, text);
}

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; text && *text; text++)
        lines += *text == '\n';
    return lines;
}

/* A thread's accesses in the facts' place, so that the array and the source stay in sight. */
static void draw_trace(struct facts *facts)
{
    size_t line = 0, number = 0;
    char *text = rd_stepper_trace_text(facts->stepper, &line);
    size_t rows = (size_t)(facts->end - facts->y), lines = count_lines(text), first = 0;
    if (lines > rows) {
        rows--; /* for what tells that there are more */
        first = line > rows / 2 ? line - rows / 2 : 0;
        first = first < lines - rows ? first : lines - rows;
    }
    for (const char *rest = text; rest && *rest; number++) {
        char row[256];
        size_t length = strcspn(rest, "\n");
        snprintf(row, sizeof row, "%.*s", (int)length, rest);
        if (number >= first && number < first + rows) {
            rd_canvas_clip(facts->canvas, facts->area->x, facts->y,
                           facts->area->x + facts->area->width,
                           row[0] == '>' ? RD_INK_BOLD : RD_INK_PLAIN, row);
            facts->y++;
        }
        rest += length + (rest[length] == '\n');
    }
    if (lines > rows && facts->y < facts->end)
        rd_canvas_print(facts->canvas, facts->area->x, facts->y++, RD_INK_DIM,
                        " %zu-%zu of %zu: Down, Up", first + 1, first + rows, lines);
    free(text);
}

int rd_step_draw_facts(struct rd_stepper *stepper, struct rd_canvas *canvas,
                       const struct rd_step_area *area)
{
    struct facts facts = {
        .stepper = stepper,
        .canvas = canvas,
        .area = area,
        .y = area->y,
        .end = area->y + area->height,
    };
    if (stepper->overlay == RD_OVERLAY_TRACE && stepper->has_thread) {
        draw_trace(&facts);
        return facts.y - area->y;
    }
    draw_breaks(&facts);
    draw_incomplete(&facts);
    draw_rerun(&facts);
    draw_unknown_sets(&facts);
    draw_invariant(&facts);
    draw_law(&facts);
    draw_obligations(&facts);
    draw_thread(&facts);
    draw_hazards(&facts);
    for (unsigned k = 0; k < stepper->watches.count; k++)
        draw_watch(&facts, &stepper->watches.list[k]);
    return facts.y - area->y;
}
