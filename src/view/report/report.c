// SPDX-License-Identifier: MIT
/* The HTML page of one run or of two. */
#include "base/sized.h"
#include "program/definition.h"
#include "view/report/page.h"
#include "view/paint.h"
#include "reductio/report.h"
#include "view/report/picture.h"
#include "reductio/summary.h"
#include "reductio/version.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- comparing runs ---- */

/* Compares two runs in words, as hundreds of boxes can't be compared by eye. */

struct comparison {
    struct rd_history *histories[2];
    const struct rd_history_about *about[2];
    bool checkpoints; /* are compared, too */
    char *text;
};

/* "type: i32 and f32": what makes cells incomparable, or explains why they differ. */
static void remark(const struct comparison *comparison, const char *what, const char *left,
                   const char *right)
{
    size_t length = strlen(comparison->text);
    if (strcmp(left, right) != 0)
        snprintf(comparison->text + length, RD_PAGE_COMPARED_SIZE - length, "%s%s: %s and %s",
                 length > 0 ? ", " : "they differ in ", what, left, right);
}

static void remark_number(const struct comparison *comparison, const char *what, size_t left,
                          size_t right)
{
    char texts[2][24];
    snprintf(texts[0], sizeof texts[0], "%zu", left);
    snprintf(texts[1], sizeof texts[1], "%zu", right);
    remark(comparison, what, texts[0], texts[1]);
}

static void remark_all(const struct comparison *comparison)
{
    const struct rd_history_about *left = comparison->about[0], *right = comparison->about[1];
    remark_number(comparison, "n", left->shape.n, right->shape.n);
    remark(comparison, "type", left->numeric->title, right->numeric->title);
    remark(comparison, "values", left->values ? left->values : "?",
           right->values ? right->values : "?");
    if (strcmp(left->program->name, right->program->name) != 0)
        return;
    remark_number(comparison, "block", left->shape.block, right->shape.block);
    remark_number(comparison, "grid", left->shape.grid, right->shape.grid);
}

/* The next frame that is compared. */
static size_t next(const struct comparison *comparison, int side, size_t frame)
{
    struct rd_history *history = comparison->histories[side];
    while (!comparison->checkpoints && frame < rd_history_frames(history) &&
           rd_history_frame(history, frame)->inside)
        frame++;
    return frame;
}

static bool same_place(const struct rd_frame *left, const struct rd_frame *right)
{
    return left->step == right->step && left->inside == right->inside &&
           left->n_cells == right->n_cells &&
           (!left->inside || rd_place_same(&left->place, &right->place));
}

/* The first cell in which two frames differ; their count where none does. */
static enum rd_status first_cell(const struct comparison *comparison, const size_t frames[2],
                                 size_t *found, struct rd_history_cell cells[2],
                                 struct rd_error *error)
{
    size_t count = rd_history_frame(comparison->histories[0], frames[0])->n_cells;
    for (size_t i = 0; i < count; i++) {
        for (int side = 0; side < 2; side++) {
            enum rd_status status =
                rd_history_cell(comparison->histories[side], frames[side], i, &cells[side], error);
            if (status != RD_OK)
                return status;
        }
        *found = i;
        if (cells[0].known && cells[1].known &&
            !comparison->about[0]->numeric->same(cells[0].value, cells[1].value))
            return RD_OK;
    }
    *found = count;
    return RD_OK;
}

static void tell_cell(const struct comparison *comparison, size_t number, size_t index,
                      const struct rd_history_cell cells[2])
{
    const struct rd_numeric *numeric = comparison->about[0]->numeric;
    char texts[2][RD_VALUE_TEXT_SIZE], title[256];
    rd_picture_title(comparison->histories[0], number, title, sizeof title);
    for (int side = 0; side < 2; side++)
        rd_cell_text(numeric, comparison->about[side]->a, comparison->about[side]->n_a,
                     cells[side].value, texts[side]);
    snprintf(comparison->text, RD_PAGE_COMPARED_SIZE,
             "they first differ at %s: %s[%zu] is %s and %s", title,
             rd_history_frame(comparison->histories[0], number)->array, index, texts[0], texts[1]);
}

static enum rd_status compare_frames(const struct comparison *comparison, struct rd_error *error)
{
    size_t frames[2] = {0, 0}, count = 0;
    for (;; count++, frames[0]++, frames[1]++) {
        struct rd_history_cell cells[2];
        bool ended[2];
        size_t index, cells_there;
        for (int side = 0; side < 2; side++) {
            frames[side] = next(comparison, side, frames[side]);
            ended[side] = frames[side] >= rd_history_frames(comparison->histories[side]);
        }
        if (ended[0] && ended[1])
            break;
        if (ended[0] || ended[1] ||
            !same_place(rd_history_frame(comparison->histories[0], frames[0]),
                        rd_history_frame(comparison->histories[1], frames[1]))) {
            snprintf(comparison->text, RD_PAGE_COMPARED_SIZE,
                     "the same in the first %zu step%s, and then other steps", count,
                     rd_plural(count));
            return RD_OK;
        }
        cells_there = rd_history_frame(comparison->histories[0], frames[0])->n_cells;
        enum rd_status status = first_cell(comparison, frames, &index, cells, error);
        if (status != RD_OK)
            return status;
        if (index < cells_there) {
            tell_cell(comparison, frames[0], index, cells);
            return RD_OK;
        }
    }
    snprintf(comparison->text, RD_PAGE_COMPARED_SIZE, "the same in all %zu step%s", count,
             rd_plural(count));
    return RD_OK;
}

/* Says how two runs differ: in their settings, "they differ in type: i32 and f32", or else in their first cell,
 * "they first differ at round 1 of 3: fold, half = 4: A[0] is 4 and 3"; "the same in all 4 steps". Of
 * two programs the ends of rounds are compared; "" where there is nothing to say, as of witness values.
 * Statuses as for rd_history_cell. */
static enum rd_status page_compare(struct rd_history *left, struct rd_history *right,
                                   char text[RD_PAGE_COMPARED_SIZE], struct rd_error *error)
{
    struct comparison comparison = {
        .histories = {left, right},
        .about = {rd_history_about(left), rd_history_about(right)},
        .text = text,
    };
    const struct rd_history_about *const *about = comparison.about;
    comparison.checkpoints = strcmp(about[0]->program->name, about[1]->program->name) == 0 &&
                             rd_program_is_same(about[0]->program, about[1]->program);
    text[0] = '\0';
    remark_all(&comparison);
    if (text[0] != '\0' || about[0]->witness || about[1]->witness)
        return RD_OK;
    return compare_frames(&comparison, error);
}

/* ---- the page ---- */

/* Each look at who read and wrote what makes the rounds again: so many inputs are gone over in all. */
enum { FOLLOWED_INPUTS_MAX = 1 << 22, FOLLOWED_MIN = 24 };

/* For what is said of a run beside its frames, and the files that its kernels call. */
enum { WORDS_BYTES = 192 << 10 };

struct page {
    struct rd_page_run runs[2];
    unsigned n_runs;
    struct rd_page_data data; /* of each run an array of frames */
    bool measured;            /* all but frames and data alone */
    const struct rd_report *report;
    char compared[RD_PAGE_COMPARED_SIZE];
};

/* ---- which frames ---- */

static size_t rounds_of(struct rd_history *history)
{
    size_t rounds = 0;
    for (size_t k = 0; k < rd_history_frames(history); k++)
        rounds += !rd_history_frame(history, k)->inside;
    return rounds;
}

/* Steps come before checkpoints; of these the first, and those that are violated. */
static enum rd_status choose_frames(struct rd_page_run *run, struct rd_error *error)
{
    size_t all = rd_history_frames(run->history), steps = rounds_of(run->history);
    size_t room = steps < RD_PAGE_FRAMES_MAX ? RD_PAGE_FRAMES_MAX - steps : 0;
    size_t violated_room = room / 4;
    run->frames = calloc(all, sizeof *run->frames);
    if (!run->frames)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the page");
    room -= violated_room;
    for (size_t k = 0; k < all; k++) {
        const struct rd_frame *frame = rd_history_frame(run->history, k);
        bool taken = !frame->inside;
        if (!taken && room > 0) {
            room--;
            taken = true;
        } else if (!taken && frame->violated && violated_room > 0) {
            violated_room--;
            taken = true;
        }
        if (taken)
            run->frames[run->n_frames++] = k;
        else
            run->left_out++;
    }
    return RD_OK;
}

static enum rd_status run_init(struct rd_page_run *run, struct rd_history *history, unsigned number,
                               bool beside, struct rd_error *error)
{
    *run = (struct rd_page_run){
        .history = history,
        .about = rd_history_about(history),
        .number = number,
    };
    size_t inputs = run->about->n_a > 0 ? run->about->n_a : 1;
    run->n_followed = FOLLOWED_INPUTS_MAX / inputs + FOLLOWED_MIN;
    enum rd_status status = choose_frames(run, error);
    rd_statements_init(&run->statements, run->about);
    if (status == RD_OK)
        status = rd_picture_init(&run->picture, history, error);
    run->picture.beside = beside;
    return status;
}

/* ---- the parts of the template ---- */

static enum rd_status heading(struct page *page, struct rd_markup *to, struct rd_error *error)
{
    (void)error;
    const struct rd_page_run *run = page->runs;
    rd_markup_raw(to, "<div class=\"name\"><h1>");
    for (unsigned k = 0; k < page->n_runs; k++) {
        rd_markup_raw(to, k ? " and " : "");
        rd_markup_text(to, page->runs[k].about->program->name);
    }
    rd_markup_raw(to, "</h1>\n<p class=\"facts\">");
    if (page->n_runs == 1)
        rd_page_facts(run, to);
    else
        rd_markup_raw(to, "side by side, step by step");
    if (page->compared[0] != '\0') {
        rd_markup_raw(to, ": <b class=\"compared\">");
        rd_markup_text(to, page->compared);
        rd_markup_raw(to, "</b>");
    }
    rd_markup_raw(to, "</p></div>");
    return RD_OK;
}

static enum rd_status title(struct page *page, struct rd_markup *to, struct rd_error *error)
{
    (void)error;
    for (unsigned k = 0; k < page->n_runs; k++) {
        const struct rd_history_about *about = page->runs[k].about;
        rd_markup_raw(to, k ? " and " : "");
        rd_markup_text(to, about->program->name);
        rd_markup_format(to, " of %zu: %s", about->shape.n, rd_verdict_name(about->result.verdict));
    }
    rd_markup_raw(to, " - reductio");
    return RD_OK;
}

static enum rd_status runs(struct page *page, struct rd_markup *to, struct rd_error *error)
{
    enum rd_status status = RD_OK;
    rd_markup_format(to, "<div class=\"%s\" data-view=\"%s\">\n", page->n_runs == 1 ? "one" : "two",
                     page->report->sets ? "sets" : "values");
    rd_markup_raw(&page->data.json, "[");
    for (unsigned k = 0; k < page->n_runs && status == RD_OK; k++) {
        struct rd_page_run *run = &page->runs[k];
        rd_markup_raw(&page->data.json, k ? ",[" : "[");
        if (page->measured)
            rd_page_sources(run, &page->data, to);
        else
            status = rd_page_run(run, page->n_runs == 1, to, &page->data, error);
        rd_markup_raw(&page->data.json, "]");
    }
    rd_markup_raw(&page->data.json, "]");
    rd_markup_raw(to, "</div>");
    return status;
}

/* The chart of the rounds' times, which must be an inlined one. */
static enum rd_status chart_of_times(struct page *page, struct rd_markup *to,
                                     struct rd_error *error)
{
    char *svg = NULL;
    size_t size;
    const struct rd_plot_rounds *times = page->report->times;
    FILE *out = times ? open_memstream(&svg, &size) : NULL;
    if (!times)
        return RD_OK;
    if (!out)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the page");
    enum rd_status status = rd_plot_rounds_write(times, out, error);
    bool written = fclose(out) == 0;
    if (status == RD_OK && !written)
        status = rd_fail(error, RD_ERROR_MEMORY, "no memory for the page");
    if (status == RD_OK) {
        rd_markup_raw(to, "<section class=\"times\" aria-label=\"Time of each round\">\n");
        rd_markup_raw(to, svg);
        rd_markup_raw(to, "</section>\n");
    }
    free(svg);
    return status;
}

static enum rd_status proof(struct page *page, struct rd_markup *to, struct rd_error *error)
{
    const struct rd_report_proof *proof = page->report->proof;
    const char *topic = "";
    (void)error;
    if (!proof)
        return RD_OK;
    rd_markup_raw(to, "<section class=\"proof\" aria-labelledby=\"proof-title\">\n"
                      "<h2 id=\"proof-title\">");
    rd_markup_text(to, page->runs[0].about->program->name);
    rd_markup_raw(to, " for every n</h2>\n<p>");
    rd_markup_text(to, proof->claim);
    rd_markup_raw(to, "</p>\n");
    if (proof->count > 0)
        rd_markup_raw(to, "<p>A cell is the set of the inputs in it: {…} are those j, and j2 of a "
                          "second array, for "
                          "which that holds.</p>\n");
    if (*proof->names) {
        rd_markup_raw(to, "<p>");
        rd_markup_text(to, proof->names);
        rd_markup_raw(to, "</p>\n");
    }
    for (size_t k = 0; k < proof->count; k++) {
        const struct rd_report_sentence *sentence = &proof->sentences[k];
        if (strcmp(topic, sentence->topic) != 0) {
            rd_markup_raw(to, *topic ? "</ul>\n<h3>" : "<h3>");
            rd_markup_text(to, sentence->topic);
            rd_markup_raw(to, "</h3>\n<ul>\n");
        }
        topic = sentence->topic;
        rd_markup_raw(to, "<li>");
        if (*sentence->place) {
            rd_markup_raw(to, "<span class=\"place\">");
            rd_markup_text(to, sentence->place);
            rd_markup_raw(to, ":</span> ");
        }
        rd_markup_text(to, sentence->text);
        rd_markup_raw(to, "</li>\n");
    }
    rd_markup_raw(to, *topic ? "</ul>\n</section>\n" : "</section>\n");
    return RD_OK;
}

static enum rd_status data(struct page *page, struct rd_markup *to, struct rd_error *error)
{
    (void)error;
    to->failed |= page->data.json.failed;
    if (!to->failed)
        rd_markup_raw(to, page->data.json.data);
    return RD_OK;
}

static enum rd_status version(struct page *page, struct rd_markup *to, struct rd_error *error)
{
    (void)page, (void)error;
    rd_markup_raw(to, rd_version());
    return RD_OK;
}

/* Writes what stands in the template as {{name}}. */
static enum rd_status part(struct page *page, const char *name, size_t length, struct rd_markup *to,
                           struct rd_error *error)
{
    static const struct {
        const char *name, *text;
        enum rd_status (*write)(struct page *, struct rd_markup *, struct rd_error *);
    } parts[] = {
        {"policy", rd_report_policy, NULL},
        {"version", NULL, version},
        {"style", rd_report_style, NULL},
        {"script", rd_report_script, NULL},
        {"title", NULL, title},
        {"heading", NULL, heading},
        {"data", NULL, data},
        {"runs", NULL, runs},
        {"times", NULL, chart_of_times},
        {"proof", NULL, proof},
    };
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        if (strlen(parts[k].name) != length || memcmp(parts[k].name, name, length) != 0)
            continue;
        if (parts[k].write)
            return parts[k].write(page, to, error);
        rd_markup_raw(to, parts[k].text);
        return RD_OK;
    }
    assert(!"the template has no other parts");
    return RD_OK;
}

static enum rd_status fill(struct page *page, struct rd_markup *to, struct rd_error *error)
{
    const char *at = rd_report_page;
    enum rd_status status = RD_OK;
    for (const char *open; status == RD_OK && (open = strstr(at, "{{"));) {
        const char *close = strstr(open, "}}");
        rd_markup_format(to, "%.*s", (int)(open - at), at);
        status = part(page, open + 2, (size_t)(close - open) - 2, to, error);
        at = close + 2;
    }
    rd_markup_raw(to, at);
    if (status == RD_OK && to->failed)
        status = rd_fail(error, RD_ERROR_MEMORY, "no memory for the page");
    return status;
}

/* ---- the whole ---- */

/* Half of what the fixed parts leave is for the markup of frames, and half for the data. */
static enum rd_status share_out(struct page *page, struct rd_error *error)
{
    struct rd_markup fixed = {.data = NULL};
    size_t all = page->report->bytes_max ? page->report->bytes_max : RD_REPORT_BYTES_MAX;
    page->measured = true;
    enum rd_status status = fill(page, &fixed, error);
    size_t taken = fixed.size + page->n_runs * WORDS_BYTES;
    size_t left = taken < all ? all - taken : 0;
    page->measured = false;
    rd_markup_cut(&page->data.json, 0);
    page->data.bytes = left / 2;
    for (unsigned k = 0; k < page->n_runs; k++)
        page->runs[k].bytes = page->runs[k].bytes_max = left / 2 / page->n_runs;
    free(fixed.data);
    return status;
}

/* The size of struct rd_report in version 0.1. */
enum { REPORT_FIRST_SIZE = offsetof(struct rd_report, bytes_max) + sizeof(size_t) };

enum rd_status rd_report_write(const char *path, const struct rd_report *given,
                               struct rd_error *error)
{
    struct rd_report own;
    const struct rd_report *const report = &own;
    if (!rd_sized_copy(&own, sizeof own, given, given->size, REPORT_FIRST_SIZE))
        return rd_sized_check(given, sizeof *given, REPORT_FIRST_SIZE, "report", error);
    struct page page = {
        .report = report,
        .n_runs = report->compare ? 2 : 1,
    };
    struct rd_markup markup = {.data = NULL};
    enum rd_status status = run_init(&page.runs[0], report->history, 0, report->compare, error);
    if (status == RD_OK && report->compare)
        status = run_init(&page.runs[1], report->compare, 1, true, error);
    if (status == RD_OK && report->compare)
        status = page_compare(report->history, report->compare, page.compared, error);
    if (status == RD_OK)
        status = share_out(&page, error);
    if (status == RD_OK)
        status = fill(&page, &markup, error);
    if (status == RD_OK)
        status = rd_report_file(path, markup.data, markup.size, error);
    free(markup.data);
    free(page.data.json.data);
    for (unsigned k = 0; k < 2; k++) {
        rd_statements_finish(&page.runs[k].statements);
        free(page.runs[k].frames);
    }
    return status;
}

/* The last round that ended: a run may have stopped inside the one behind it. */
static unsigned last_round(struct rd_history *history)
{
    size_t k = rd_history_frames(history);
    while (k > 0 && rd_history_frame(history, k - 1)->inside)
        k--;
    return k > 0 ? rd_history_frame(history, k - 1)->step : 0;
}

/* The frame, which may be a checkpoint; the count of frames where none is. */
static size_t first_violated(struct rd_history *history)
{
    size_t k = 0;
    while (k < rd_history_frames(history) && !rd_history_frame(history, k)->violated)
        k++;
    return k;
}

enum rd_status rd_report_picture(const char *path, struct rd_history *history, unsigned round,
                                 enum rd_report_format format, struct rd_error *error)
{
    struct rd_picture picture;
    struct rd_markup markup = {.data = NULL};
    bool all = round == RD_REPORT_ALL_ROUNDS, violation = round == RD_REPORT_VIOLATION;
    size_t frame = violation ? first_violated(history) : rd_history_frame_of_step(history, round);
    if (frame == rd_history_frames(history))
        return rd_fail(error, RD_ERROR_USAGE, "no step is violated: name a round by its number");
    const struct rd_frame *found = rd_history_frame(history, frame);
    if (!all && !violation && (found->step != round || found->inside))
        return rd_fail(error, RD_ERROR_USAGE, "there is no round %u: the last that ended is %u",
                       round, last_round(history));
    enum rd_status status = rd_picture_init(&picture, history, error);
    if (status == RD_OK && all)
        status = rd_picture_draw_all(&picture, &markup, error);
    picture.standalone = true;
    if (status == RD_OK && !all)
        status = rd_picture_draw(&picture, &markup, frame, NULL, error);
    if (status == RD_OK && format == RD_REPORT_SVG)
        status = rd_report_file(path, markup.data, markup.size, error);
    else if (status == RD_OK)
        status = rd_report_png(path, markup.data, markup.size, error);
    free(markup.data);
    return status;
}
