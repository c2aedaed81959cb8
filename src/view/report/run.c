// SPDX-License-Identifier: MIT
#include "view/report/page.h"
#include "reductio/program.h"
#include "reductio/operation.h"
#include "view/parts.h"
#include "reductio/summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the program's law ---- */

static struct rd_law_sizes sizes_of(const struct rd_shape *shape)
{
    return (struct rd_law_sizes){.n = shape->n, .T = shape->block, .B = shape->grid};
}

void rd_statements_init(struct rd_statements *statements, const struct rd_history_about *about)
{
    const struct rd_law_sizes sizes = sizes_of(&about->shape);
    const char *paragraph = rd_program_law(about->program);
    *statements = (struct rd_statements){.about = about};
    if (paragraph && rd_law_create(&statements->law, paragraph, NULL) == RD_OK &&
        rd_law_run_create(&statements->run, statements->law, &sizes, NULL) != RD_OK)
        statements->run = NULL;
}

void rd_statements_finish(struct rd_statements *statements)
{
    rd_law_run_destroy(statements->run);
    rd_law_destroy(statements->law);
    *statements = (struct rd_statements){0};
}

/* Tells whether the frame's sentence is the law's: a trace may have any. */
static bool is_law(const struct rd_statements *statements, const struct rd_law_section *section,
                   const struct rd_law_place *place, const struct rd_frame *frame)
{
    char text[RD_STATEMENT_SIZE];
    return rd_law_text_at(statements->run, section, place, text, sizeof text, NULL) == RD_OK &&
           strcmp(text, frame->statement) == 0;
}

static struct rd_law_place place_of(const struct rd_frame *frame)
{
    if (!frame->inside)
        return (struct rd_law_place){.d = frame->step};
    return (struct rd_law_place){
        .d = frame->step,
        .block = frame->place.block,
        .warp = frame->place.warp == RD_WHOLE_BLOCK ? 0 : (uint64_t)frame->place.warp,
        .variable = frame->place.variable,
    };
}

/* ---- as markup ---- */

static bool write_law(struct rd_law_run *run, const struct rd_law_section *section,
                      const struct rd_law_place *place, struct rd_markup *to)
{
    struct rd_law_error error;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return false;
    bool written = rd_law_mathml_at(run, section, place, out, &error) == RD_OK;
    written = fclose(out) == 0 && written && size > 0;
    if (written)
        rd_markup_raw(to, text);
    free(text);
    return written;
}

/* Tells whether the paragraph is a single law. */
static bool is_one_law(const struct rd_law *law)
{
    struct rd_law_about about;
    rd_law_about(rd_law_section_at(law, NULL), &about);
    return rd_law_section_count(law) == 1 && rd_law_input_count(law) == 2 && !about.has_update;
}

/* A sentence in the language of laws, with its numbers in it, whoever has written it. */
static bool write_read(const struct rd_statements *statements, const struct rd_frame *frame,
                       struct rd_markup *to)
{
    const struct rd_law_sizes sizes = sizes_of(&statements->about->shape);
    const struct rd_law_place place = {.d = 0};
    struct rd_law *law = NULL;
    struct rd_law_run *run = NULL;
    char *paragraph = NULL;
    bool written = false;
    if (asprintf(&paragraph, "input a[%zu], b[%zu]\narray %s[%zu]\nlaw %s", statements->about->n_a,
                 statements->about->n_b, frame->array, frame->n_cells, frame->statement) < 0)
        return false;
    if (rd_law_create(&law, paragraph, NULL) == RD_OK && is_one_law(law) &&
        rd_law_run_create(&run, law, &sizes, NULL) == RD_OK)
        written = write_law(run, rd_law_section_at(law, NULL), &place, to);
    rd_law_run_destroy(run);
    rd_law_destroy(law);
    free(paragraph);
    return written;
}

void rd_statements_write(struct rd_statements *statements, const struct rd_frame *frame,
                         struct rd_markup *to)
{
    const char *point = frame->inside ? frame->point : NULL;
    const struct rd_law_section *section =
        statements->run ? rd_law_section_at(statements->law, point) : NULL;
    const struct rd_law_place place = place_of(frame);
    if (section && is_law(statements, section, &place, frame) &&
        write_law(statements->run, section, &place, to))
        return;
    if (write_read(statements, frame, to)) /* in other words, which need no definitions */
        return;
    rd_markup_raw(to, "<p class=\"sentence\">");
    rd_markup_text(to, frame->statement);
    rd_markup_raw(to, "</p>");
}

/* ---- the run ---- */

/* The section of a run: a picture for each step, what is said of it, the obligations, the sources. */

/* A run of more cells takes the whole width of the screen, its sources below. */
enum { LARGE_CELLS = 64 };

static void paragraph(struct rd_markup *to, const char *class, const char *text)
{
    if (text[0] == '\0')
        return;
    rd_markup_format(to, "<p class=\"%s\">", class);
    rd_markup_text(to, text);
    rd_markup_raw(to, "</p>\n");
}

static void verdict(struct rd_markup *to, enum rd_verdict verdict)
{
    const char *name = rd_verdict_name(verdict);
    rd_markup_format(to, "<b class=\"verdict %s\">%s</b>", name, name);
}

/* ---- a frame ---- */

/* As far as they are decided here; why, where that is final. */
static void obligations(const struct rd_page_run *run, const struct rd_frame *frame,
                        struct rd_markup *to)
{
    rd_markup_raw(to,
                  "<table class=\"obligations\"><caption class=\"unseen\">obligations</caption>\n");
    for (int k = 0; k < RD_OBLIGATION_COUNT; k++) {
        const struct rd_standing *standing = &frame->standings[k];
        enum rd_obligation obligation = (enum rd_obligation)k;
        char text[RD_STANDING_TEXT_SIZE], space[RD_REASON_SIZE];
        const bool is_final = standing->decided == RD_DECIDED && standing->round == 0;
        const char *reason = !is_final
                                 ? NULL
                                 : rd_obligation_reason(run->about->program, run->about->numeric,
                                                        &run->about->result, obligation, space),
                   *unasked = is_final ? rd_obligation_unasked(reason) : NULL;
        rd_markup_format(to, "<tr><th scope=\"row\">%s</th><td><b class=\"%s\">%s</b>",
                         rd_obligation_name(obligation),
                         standing->decided == RD_DECIDED_NOT ? "open"
                                                             : rd_verdict_name(standing->verdict),
                         unasked ? RD_NOT_ASSERTED : rd_standing_text(standing, text));
        if (is_final)
            paragraph(to, "reason", unasked ? unasked : reason);
        rd_markup_raw(to, "</td></tr>\n");
    }
    rd_markup_raw(to, "</table>\n");
}

static void summary(const struct rd_page_run *run, struct rd_markup *to)
{
    const struct rd_history_about *about = run->about;
    char text[RD_SENTENCE_SIZE];
    const struct rd_summary words = {
        .verdict = about->result.verdict,
        .interrupted = about->result.interrupted,
        .program = about->program->name,
        .type = about->numeric->title,
        .device = about->device,
        .n = about->shape.n,
        .steps = about->result.steps,
        .checkpoints = about->result.checkpoints,
        .cells = about->result.cells,
        .hazards = about->result.hazards,
        .hazards_by = about->result.hazards_by,
        .hazards_n = about->result.hazards_n,
    };
    paragraph(to, "summary", rd_summary_text(&words, text));
    if (*rd_hazards_alone_text(&about->result, text))
        paragraph(to, "alone", text);
    if (*rd_looked_text(&about->result, about->shape.n, text))
        paragraph(to, !rd_hazards_looked_for(about->result.hazards_by) ? "doubt" : "looked", text);
    if (about->result.outcome.name)
        paragraph(to, "outcome", rd_outcome_text(&about->result.outcome, text));
}

static void launch(const struct rd_frame *frame, struct rd_markup *to)
{
    char grid[RD_DIMENSIONS_TEXT_SIZE], block[RD_DIMENSIONS_TEXT_SIZE],
        threads[RD_THREADS_TEXT_SIZE];
    const struct rd_round *round = &frame->round;
    if (!frame->has_round || frame->inside)
        return;
    rd_markup_raw(to, "<p class=\"facts\">");
    if (rd_is_of_host(frame->kernel)) {
        rd_markup_raw(to, "on the host</p>\n");
        return;
    }
    rd_markup_format(
        to, "grid %s, block %s, %s</p>\n", rd_dimensions_text(round->grid, round->grid_y, grid),
        rd_dimensions_text(round->block, round->block_y, block), rd_threads_text(round, threads));
}

/* Over the picture, so that nobody takes a step that holds for a round without a hazard. */
static void standing(const struct rd_frame *frame, struct rd_markup *to)
{
    rd_markup_raw(to, "<p class=\"standing\">");
    verdict(to, frame->verdict);
    if (frame->n_hazards > 0)
        rd_markup_format(to,
                         " <b class=\"hazards VIOLATED\">\u26a0 %zu hazard%s: the run is "
                         "VIOLATED</b>",
                         frame->n_hazards, rd_plural(frame->n_hazards));
    rd_markup_raw(to, "</p>\n");
}

static void asserted(const struct rd_page_run *run, const struct rd_frame *frame,
                     struct rd_markup *to)
{
    const struct rd_step_foot foot = rd_frame_foot(run->about, frame);
    char how[RD_HOW_SIZE];
    rd_markup_format(to, "<p class=\"asserted\">%zu cell%s asserted%s", frame->n_asserted,
                     rd_plural(frame->n_asserted), rd_asserted_how(&foot, how));
    if (foot.n_frame > 0 && foot.verdict == RD_HOLDS)
        rd_markup_format(to, ", %zu dead unchanged", foot.n_frame);
    rd_markup_raw(to, ": ");
    verdict(to, foot.frame_violated ? RD_HOLDS : frame->verdict);
    if (foot.frame_violated) {
        rd_markup_format(to, "; %zu dead cell%s, not all unchanged: ", foot.n_frame,
                         rd_plural(foot.n_frame));
        verdict(to, RD_VIOLATED);
    }
    rd_markup_raw(to, "</p>\n");
    if (frame->n_unbounded > 0)
        rd_markup_format(to,
                         "<p class=\"doubt\">%zu unbounded cell%s (infinite or NaN): the bound is "
                         "INCONCLUSIVE there</p>\n",
                         frame->n_unbounded, rd_plural(frame->n_unbounded));
}

static bool same_step(const struct rd_violation *violation, const struct rd_frame *frame)
{
    return violation->step == frame->step && violation->inside == frame->inside &&
           (!frame->inside || rd_place_same(&violation->place, &frame->place));
}

static void broken(const struct rd_page_run *run, const struct rd_frame *frame,
                   struct rd_markup *to)
{
    const struct rd_result *result = &run->about->result;
    char text[RD_SENTENCE_SIZE];
    bool first = result->violated && same_step(&result->violation, frame);
    const struct rd_violation *violation = frame->violated ? &frame->violation
                                           : first         ? &result->violation
                                                           : NULL;
    if (!violation)
        return;
    rd_markup_raw(to, "<div class=\"broken\">");
    if (!run->about->witness)
        paragraph(to, "what", rd_violation_text(violation, run->about->numeric, text));
    paragraph(to, "how", rd_deviation_text(violation, text));
    if (first && result->explained)
        paragraph(to, "why",
                  rd_evidence_text(&result->evidence, run->about->numeric->operation, text));
    rd_markup_raw(to, "</div>\n");
}

static void hazards(const struct rd_page_run *run, const struct rd_frame *frame,
                    struct rd_markup *to)
{
    enum { BYTES_MAX = 64 << 10 };
    size_t begin = to->size;
    for (size_t k = 0; k < frame->n_hazards; k++) {
        if (to->size - begin > BYTES_MAX) {
            rd_markup_format(to, "<p class=\"doubt\">%zu hazards more are not shown here</p>\n",
                             frame->n_hazards - k);
            break;
        }
        const struct rd_history_hazard *hazard =
            rd_history_hazard(run->history, frame->first_hazard + k);
        rd_markup_raw(to, "<div class=\"hazard\"><p><b>hazard: ");
        rd_markup_text(to, hazard->name);
        rd_markup_raw(to, "</b> ");
        rd_markup_text(to, hazard->message);
        rd_markup_raw(to, "</p></div>\n");
    }
}

/* The placeholder of a picture that is left out. */
static void no_picture(struct rd_markup *to)
{
    rd_markup_raw(to, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture undrawn\" "
                      "viewBox=\"0 0 420 48\" width=\"420\" height=\"48\" role=\"img\" "
                      "aria-label=\"not drawn\"><text class=\"note\" x=\"8\" y=\"28\">not drawn: "
                      "the page would become too large</text></svg>\n");
}

/* Bytes of the page that a picture must leave: for the words of this frame and of all to come, and, at a checkpoint, for
 * the pictures of steps to come, each as large as its cells may become with all their arrows; half of the page where
 * steps are very many. */
static size_t kept_for_others(const struct rd_page_run *run, bool inside)
{
    enum { CELL_BYTES = 3 << 10, WORDS_BYTES = 8 << 10 };
    size_t cells =
        run->about->n_cells < RD_PICTURE_CELLS_MAX ? run->about->n_cells : RD_PICTURE_CELLS_MAX;
    size_t kept = inside ? run->steps_to_come * cells * CELL_BYTES : 0;
    kept = kept < run->bytes_max / 2 ? kept : run->bytes_max / 2;
    return kept + (run->frames_to_come + 1) * WORDS_BYTES;
}

/* Draws a frame while there is room. */
static enum rd_status picture(struct rd_page_run *run, size_t k, struct rd_markup *to, bool *drawn,
                              struct rd_error *error)
{
    const bool inside = rd_history_frame(run->history, run->frames[k])->inside;
    size_t before = to->size, kept = kept_for_others(run, inside);
    enum rd_status status = RD_OK;
    *drawn = !inside || !run->full;
    if (*drawn)
        status = rd_picture_draw(&run->picture, to, run->frames[k], NULL, error);
    if (status != RD_OK)
        return status;
    size_t grown = to->size - before;
    if (*drawn && (grown > run->bytes || run->bytes - grown < kept)) {
        rd_markup_cut(to, before);
        run->full = inside;
        *drawn = false;
    }
    if (!*drawn) {
        run->undrawn++;
        no_picture(to);
    }
    return RD_OK;
}

/* The legend of an overview's bars, in the order in which one colour hides the other. */
static void key_of_bars(struct rd_markup *to)
{
    static const struct {
        const char *class, *words;
    } bars[] = {
        {"wrong", "one is wrong"},
        {"live changed", "one was changed"},
        {"live", "one is live"},
        {"dead", "all are dead"},
    };
    enum { WIDE = 150, COUNT = sizeof bars / sizeof *bars };
    rd_markup_format(to,
                     "<svg class=\"picture bars\" viewBox=\"0 0 %d 20\" role=\"img\" "
                     "aria-label=\"key of the bars\"><g class=\"overview\">",
                     COUNT * WIDE);
    for (int k = 0; k < COUNT; k++)
        rd_markup_format(to,
                         "<rect class=\"%s\" x=\"%d\" y=\"2\" width=\"14\" height=\"16\"/>"
                         "<text class=\"note\" x=\"%d\" y=\"15\">%s</text>",
                         bars[k].class, k * WIDE + 2, k * WIDE + 22, bars[k].words);
    rd_markup_raw(to, "</g></svg>\n");
}

/* Says why there are no arrows. If only some are left out, the picture says so. */
static void undrawn_arrows(const struct rd_page_run *run, const struct rd_frame *frame,
                           struct rd_markup *to)
{
    if (!frame->has_round)
        return;
    if (run->picture.reduced)
        rd_markup_format(to,
                         "<p class=\"doubt\">no arrows and no threads: who read and wrote what is "
                         "shown of the first %zu steps; 'reductio step' shows it of all</p>\n",
                         run->n_followed);
    else if (frame->n_cells > RD_PICTURE_CELLS_MAX)
        rd_markup_format(to,
                         "<p class=\"doubt\">no arrows are drawn of more than %d cells: ] and [ go "
                         "through the threads that use the cells shown here, and 'reductio step' "
                         "shows all</p>\n",
                         RD_PICTURE_CELLS_MAX);
}

static enum rd_status one_frame(struct rd_page_run *run, size_t k, struct rd_markup *to,
                                bool *drawn, struct rd_error *error)
{
    size_t number = run->frames[k], begin = to->size;
    const struct rd_frame *frame = rd_history_frame(run->history, number);
    char title[512];
    rd_picture_title(run->history, number, title, sizeof title);
    rd_markup_format(to,
                     "<article class=\"frame\" id=\"r%uf%zu\" data-step=\"%u\" data-inside=\"%u\" "
                     "data-block=\"%llu\" data-verdict=\"%s\" data-hazards=\"%zu\" data-array=\"",
                     run->number, k, frame->step, frame->inside ? 1 : 0,
                     (unsigned long long)frame->place.block, rd_verdict_name(frame->verdict),
                     frame->n_hazards);
    rd_markup_text(to, frame->array);
    rd_markup_raw(to, "\" data-kernel=\"");
    rd_markup_text(to, frame->kernel);
    rd_markup_format(to, "\" aria-labelledby=\"t%uf%zu\">\n<h2 id=\"t%uf%zu\">", run->number, k,
                     run->number, k);
    rd_markup_text(to, title);
    rd_markup_raw(to, "</h2>\n");
    standing(frame, to);
    rd_markup_format(to, "<div class=\"stage%s%s\">", frame->n_cells > LARGE_CELLS ? " large" : "",
                     frame->n_cells > RD_PICTURE_CELLS_MAX ? " in-part" : "");
    run->steps_to_come -= !frame->inside;
    run->frames_to_come--;
    enum rd_status status = picture(run, k, to, drawn, error);
    if (status != RD_OK)
        return status;
    rd_markup_raw(to, "</div>\n");
    if (*drawn && frame->n_cells > RD_PICTURE_CELLS_MAX)
        key_of_bars(to);
    if (*drawn)
        undrawn_arrows(run, frame, to);
    rd_markup_raw(to, "<div class=\"claim\" role=\"group\" aria-label=\"");
    rd_markup_text(to, frame->statement);
    rd_markup_raw(to, "\">");
    rd_statements_write(&run->statements, frame, to);
    rd_markup_raw(to, "</div>\n");
    asserted(run, frame, to);
    obligations(run, frame, to);
    broken(run, frame, to);
    hazards(run, frame, to);
    launch(frame, to);
    if (k + 1 == run->n_frames)
        summary(run, to);
    rd_markup_raw(to, "</article>\n");
    size_t grown = to->size - begin;
    run->bytes -= grown < run->bytes ? grown : run->bytes;
    return RD_OK;
}

/* ---- the whole run ---- */

/* Lists what the page lacks, so that nobody takes it for the whole. */
static void left_out(const struct rd_page_run *run, const struct rd_page_data *data,
                     struct rd_markup *to)
{
    char rerun[RD_RERUN_TEXT_SIZE];
    paragraph(to, "doubt", rd_rerun_text(run->history, rerun));
    if (run->left_out > 0)
        rd_markup_format(to, "<p class=\"doubt\">%zu checkpoint%s more are not shown here</p>\n",
                         run->left_out, rd_plural(run->left_out));
    if (run->undrawn > 0)
        rd_markup_format(to,
                         "<p class=\"doubt\">%zu picture%s left out: the page would become too "
                         "large</p>\n",
                         run->undrawn, run->undrawn == 1 ? " is" : "s are");
    if (data->spent)
        rd_markup_raw(to, "<p class=\"doubt\">of some cells and threads, what they hold or did is "
                          "left out: it is too much for a page</p>\n");
}

static bool is_large(const struct rd_page_run *run)
{
    for (size_t k = 0; k < run->n_frames; k++)
        if (rd_history_frame(run->history, run->frames[k])->n_cells > LARGE_CELLS)
            return true;
    return false;
}

/* A frame and its data come together: what the history has just worked out serves both. */
static enum rd_status frames(struct rd_page_run *run, struct rd_markup *to,
                             struct rd_page_data *data, struct rd_error *error)
{
    enum rd_status status = RD_OK;
    run->frames_to_come = run->n_frames;
    for (size_t k = 0; k < run->n_frames; k++)
        run->steps_to_come += !rd_history_frame(run->history, run->frames[k])->inside;
    for (size_t k = 0; k < run->n_frames && status == RD_OK; k++) {
        bool drawn;
        run->picture.reduced = k >= run->n_followed;
        status = one_frame(run, k, to, &drawn, error);
        rd_markup_raw(&data->json, k ? "," : "");
        if (status == RD_OK)
            status = rd_page_frame_data(run, run->frames[k], drawn, data, error);
    }
    return status;
}

enum rd_status rd_page_run(struct rd_page_run *run, bool alone, struct rd_markup *to,
                           struct rd_page_data *data, struct rd_error *error)
{
    rd_markup_format(
        to, "<section class=\"run%s\" id=\"run%u\" data-witness=\"%d\"%s aria-label=\"",
        is_large(run) ? " large" : "", run->number, run->about->witness,
        rd_operation_selects(run->about->numeric->operation) ? " data-selects=\"1\"" : "");
    rd_markup_text(to, run->about->program->name);
    rd_markup_raw(to, "\">\n<div class=\"frames\">\n");
    if (!alone) {
        rd_markup_raw(to, "<p class=\"facts\"><b>");
        rd_markup_text(to, run->about->program->name);
        rd_markup_raw(to, "</b>: ");
        rd_page_facts(run, to);
        rd_markup_raw(to, "</p>\n");
    }
    data->n_helpers = 0;
    enum rd_status status = frames(run, to, data, error);
    if (status != RD_OK)
        return status;
    rd_markup_raw(to, "</div>\n<div class=\"side\">\n");
    if (run->about->incomplete)
        paragraph(to, "doubt", run->about->incomplete);
    rd_page_sources(run, data, to);
    left_out(run, data, to);
    rd_markup_raw(to, "</div>\n</section>\n");
    return RD_OK;
}

void rd_page_facts(const struct rd_page_run *run, struct rd_markup *to)
{
    const struct rd_history_about *about = run->about;
    rd_markup_format(to, "n = %zu, %s, values ", about->shape.n, about->numeric->title);
    rd_markup_text(to, about->values ? about->values : "?");
    rd_markup_format(to, ", %u round%s, ", about->rounds, rd_plural(about->rounds));
    rd_markup_text(to, about->device);
    if (about->described && about->described[0]) {
        rd_markup_raw(to, " (");
        rd_markup_text(to, about->described);
        rd_markup_raw(to, ")");
    }
    if (about->numeric->is_float)
        rd_markup_format(to, "; %s", rd_float_text(about->program, about->numeric));
}
