// SPDX-License-Identifier: MIT
#include "cli/run_law.h"
#include "cli/cli.h"
#include "cli/run_options.h"
#include "reductio/operation.h"
#include "view/candidate_text.h"
#include "view/paint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Columns of a step's line: "step 12  VIOLATED for 0 <= i …". */
enum { WORD_COLUMN = 9, WORD_WIDTH = 8, STATEMENT_COLUMN = WORD_COLUMN + WORD_WIDTH + 1 };

struct session {
    struct rd_cli_law_runs runs;
    struct rd_candidate_listener listener;
    char *text; /* of the law */
    struct rd_paint paint;
    bool prints_steps;
    char array[32];                  /* what the cells are called */
    size_t tried;                    /* sizes, of --sizes */
    size_t silent;                   /* of these, without a round, of which the law says nothing */
    bool smallest;                   /* n is the smallest of which the law isn't enough */
    struct rd_cli_progress progress; /* over the sizes */
};

static bool make_candidate(struct session *session)
{
    struct rd_law_error error;
    if (rd_candidate_create(&session->runs.candidate, session->runs.options.program, session->text,
                            &session->listener, &error) == RD_OK)
        return true;
    rd_cli_law_complain(session->runs.options.law, session->text, &error);
    return false;
}

/* ---- words ---- */

static const char *format(const struct session *session, rd_bits value,
                          char text[RD_VALUE_TEXT_SIZE])
{
    return rd_cell_text(session->runs.numeric, NULL, 0, value, text);
}

static struct rd_candidate_words words_of(const struct session *session)
{
    const struct rd_cli_law_runs *runs = &session->runs;
    return (struct rd_candidate_words){runs->numeric, session->array, runs->a, runs->n_a};
}

static const char *word_of(const struct rd_candidate_step *step, const struct rd_numeric *numeric)
{
    if (step->n_false > 0)
        return "VIOLATED";
    if (step->overflows)
        return rd_candidate_underflows(&step->overflown, numeric) ? "UNDERFLOW" : "OVERFLOW";
    return step->n_live > 0 ? "HOLDS" : *step->statement ? "no cells:" : "no cells";
}

/* Prints, below a step, which cell is another. */
static void print_wrong(const struct session *session, const struct rd_candidate_step *step,
                        const struct rd_candidate_words *words)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    rd_candidate_print_cell(out, step->n_false > 0 ? &step->first : &step->overflown, step->n_false,
                            words);
    if (fclose(out) == 0)
        rd_paint_wrap(&session->paint, RD_INK_PLAIN, WORD_COLUMN, text);
    free(text);
}

static void print_step(void *self, const struct rd_candidate_step *step)
{
    struct session *session = self;
    if (!session->prints_steps)
        return;
    const struct rd_paint *paint = &session->paint;
    const struct rd_candidate_words words = words_of(session);
    const char *const word = word_of(step, session->runs.numeric);
    size_t column = WORD_COLUMN + strlen(word);
    const enum rd_ink ink = step->n_false > 0  ? RD_INK_BAD
                            : step->overflows  ? RD_INK_DOUBT
                            : step->n_live > 0 ? RD_INK_GOOD
                                               : RD_INK_PLAIN;
    rd_paint_print(paint, RD_INK_PLAIN, "step %-3u ", step->number);
    rd_paint_print(paint, ink, "%s", word);
    if (*step->statement) {
        for (; column + 1 < STATEMENT_COLUMN; column++)
            fputc(' ', paint->out);
        rd_paint_flow(paint, RD_INK_PLAIN, column, STATEMENT_COLUMN, step->statement);
    }
    fputc('\n', paint->out);
    if (step->n_false > 0 || step->overflows)
        print_wrong(session, step, &words);
}

static void print_reason(FILE *out, const struct session *session)
{
    const struct rd_candidate_result *judged = &session->runs.judged;
    const enum rd_operation of_run = session->runs.numeric->operation;
    const enum rd_operation of_law = rd_candidate_operation(session->runs.candidate, of_run);
    const struct rd_candidate_words words = words_of(session);
    rd_candidate_print_reason(out, judged, &words);
    if (of_law != of_run && judged->verdict > RD_CANDIDATE_OPEN)
        fprintf(out, "; it says '%s of', and the run reduces by %s", rd_operation_name(of_law),
                rd_operation_name(of_run));
    if (judged->verdict <= RD_CANDIDATE_OPEN && session->runs.options.sizes_to == 0)
        fprintf(out, "; for %sn = %zu alone: --sizes tries others",
                judged->always ? "" : "these values and ", session->runs.n);
}

static void print_own(FILE *out, const struct session *session)
{
    if (session->runs.own == RD_HOLDS && session->runs.hazards == 0)
        return;
    fprintf(out, "; the run itself is %s", rd_verdict_name(session->runs.own));
    if (session->runs.hazards > 0)
        fprintf(out, ", with %u hazard%s", session->runs.hazards,
                session->runs.hazards == 1 ? "" : "s");
}

/* Prints the result of --sizes. */
static void print_sizes(FILE *out, const struct session *session)
{
    const struct rd_cli_run_options *options = &session->runs.options;
    const enum rd_candidate_verdict verdict = session->runs.judged.verdict;
    if (session->smallest)
        fprintf(out, "the smallest n of %zu to %zu %s is %zu", options->sizes_from,
                options->sizes_to,
                verdict == RD_CANDIDATE_VACUOUS ? "with a round of which it says nothing"
                : verdict == RD_CANDIDATE_OPEN  ? "of which it can't be told"
                                                : "that refutes it",
                options->n);
    else
        fprintf(out, "%zu size%s of %zu to %zu %s tried, all that %s takes%s; the last",
                session->tried, rd_plural(session->tried), options->sizes_from, options->sizes_to,
                session->tried == 1 ? "was" : "were", options->program->name,
                session->silent > 0 ? "; of one without a round it says nothing" : "");
}

static enum rd_ink ink_of(enum rd_candidate_verdict verdict)
{
    return verdict == RD_CANDIDATE_ENOUGH ? RD_INK_GOOD
           : verdict == RD_CANDIDATE_OPEN ? RD_INK_DOUBT
                                          : RD_INK_BAD;
}

/* The verdict, which is coloured, and behind it of which run; with --quiet the reason, too. */
static void print_last_line(const struct session *session, const char *reason)
{
    const struct rd_cli_law_runs *runs = &session->runs;
    enum { INDENT = 4 };
    const char *const verdict = rd_candidate_verdict_name(runs->judged.verdict);
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    fprintf(out, "%s n=%zu %s %s, values %s%s%s", runs->options.program->name, runs->n,
            runs->numeric->title, runs->device, runs->values, reason ? ": " : "",
            reason ? reason : "");
    if (fclose(out) != 0) {
        free(text);
        return;
    }
    rd_paint_print(&session->paint, ink_of(runs->judged.verdict), "%s:", verdict);
    if (isatty(STDOUT_FILENO))
        rd_paint_flow(&session->paint, RD_INK_PLAIN, strlen(verdict) + 1, INDENT, text);
    else
        printf(" %s", text);
    printf("\n");
    free(text);
}

/* The last line says it all where it stands alone. */
static void print_verdict(const struct session *session)
{
    const bool quiet = session->runs.options.quiet;
    char *reason = NULL;
    size_t size;
    FILE *out = open_memstream(&reason, &size);
    if (out) {
        if (quiet && session->runs.options.sizes_to > 0) {
            print_sizes(out, session);
            fprintf(out, ": ");
        }
        print_reason(out, session);
        print_own(out, session);
        if (fclose(out) != 0) {
            free(reason);
            reason = NULL;
        }
    }
    if (!quiet && reason)
        rd_paint_wrap(&session->paint, RD_INK_PLAIN, 0, reason);
    print_last_line(session, quiet ? reason : NULL);
    free(reason);
}

/* ---- runs ---- */

static void end_steps(void *self)
{
    struct session *session = self;
    session->prints_steps = false;
}

static struct rd_shape shape_of(const struct session *session, size_t n)
{
    const struct rd_cli_run_options *options = &session->runs.options;
    return rd_program_shape(options->program, (struct rd_shape){n, options->block, options->grid});
}

static bool accepts(const struct session *session, size_t n)
{
    const struct rd_shape shape = shape_of(session, n);
    return rd_program_accept(session->runs.options.program, &shape, NULL) == RD_OK;
}

/* A law that says nothing leaves nothing open where no round changes the array. */
static bool has_no_round(const struct session *session, size_t n)
{
    const struct rd_shape shape = shape_of(session, n);
    return rd_program_rounds(session->runs.options.program, &shape) == 0;
}

static bool prints_text(const struct session *session)
{
    return !session->runs.options.json && !session->runs.options.quiet;
}

static void tell_sizes(const struct session *session)
{
    char *text = NULL;
    size_t size;
    FILE *out = prints_text(session) ? open_memstream(&text, &size) : NULL;
    if (!out)
        return;
    print_sizes(out, session);
    fputc(':', out);
    if (fclose(out) == 0)
        rd_paint_wrap(&session->paint, RD_INK_PLAIN, 0, text);
    free(text);
}

/* Judges, and shows the steps of the run that refutes the law: that of the options is shown as it is made. */
static enum rd_status judge(struct session *session, struct rd_error *error)
{
    const bool shows = session->prints_steps;
    enum rd_status status = rd_cli_law_judge(&session->runs, end_steps, session, error);
    const enum rd_candidate_verdict verdict = session->runs.judged.verdict;
    if (status != RD_OK || !shows || !*session->runs.refuted_by ||
        (verdict != RD_CANDIDATE_NOT_KEPT && verdict != RD_CANDIDATE_FALSE_AT_FIRST))
        return status;
    printf("%s refutes it:\n", session->runs.refuted_by);
    session->prints_steps = true;
    status = rd_cli_law_show_refuted(&session->runs, error);
    session->prints_steps = false;
    return status;
}

/* Shows the run of the size that refutes the law. */
static enum rd_status tell_size(struct session *session, struct rd_error *error)
{
    rd_cli_progress_clear(&session->progress);
    session->smallest = true;
    tell_sizes(session);
    session->prints_steps = prints_text(session);
    return judge(session, error);
}

/* From the smallest n on, up to the first of which it isn't enough. */
static enum rd_status run_sizes(struct session *session, struct rd_error *error)
{
    const struct rd_cli_run_options *options = &session->runs.options;
    for (size_t n = options->sizes_from; n <= options->sizes_to; n++) {
        if (*session->runs.interrupted)
            return RD_ERROR_INTERRUPTED;
        if (!accepts(session, n))
            continue;
        session->runs.options.n = n;
        session->prints_steps = false;
        rd_cli_progress_show(&session->progress, "n = %zu, of %zu to %zu", n, options->sizes_from,
                             options->sizes_to);
        enum rd_status status = rd_cli_law_judge(&session->runs, end_steps, session, error);
        if (status != RD_OK)
            return status;
        session->tried++;
        if (session->runs.judged.verdict == RD_CANDIDATE_VACUOUS && has_no_round(session, n))
            session->silent++;
        else if (session->runs.judged.verdict != RD_CANDIDATE_ENOUGH)
            return tell_size(session, error);
    }
    if (session->tried == 0) {
        session->runs.options.n = 0; /* of none */
        return rd_fail(error, RD_ERROR_USAGE, "%s takes no n of %zu to %zu", options->program->name,
                       options->sizes_from, options->sizes_to);
    }
    rd_cli_progress_clear(&session->progress);
    tell_sizes(session);
    return RD_OK;
}

/* Tells the sizes that were judged before the interruption. */
static void tell_interruption(const struct session *session)
{
    const struct rd_cli_run_options *options = &session->runs.options;
    if (session->tried == 0 || session->smallest || options->json)
        return;
    printf("interrupted at n = %zu: %zu size%s of %zu to %zu %s tried, and none refutes it\n",
           options->n, session->tried, rd_plural(session->tried), options->sizes_from,
           options->sizes_to, session->tried == 1 ? "was" : "were");
}

/* ---- JSON ---- */

static json_t *json_cell(const struct session *session, const struct rd_candidate_cell *cell)
{
    char is[RD_VALUE_TEXT_SIZE], said[RD_VALUE_TEXT_SIZE];
    if (cell->outside)
        return json_pack("{s:i, s:I, s:b}", "step", (int)cell->step, "cell", (json_int_t)cell->cell,
                         "outside", true);
    rd_candidate_said_text(cell, session->runs.numeric, said);
    json_t *object =
        json_pack("{s:i, s:I, s:s, s:s}", "step", (int)cell->step, "cell", (json_int_t)cell->cell,
                  "actual", format(session, cell->actual, is), "law", said);
    if (cell->contradicts) {
        rd_candidate_also_text(cell, session->runs.numeric, said);
        json_object_set_new(object, "law_also", json_string(said));
    }
    return object;
}

/* Adds whether the inputs in the cells were compared, and at which smaller n, if not. */
static void add_gap(json_t *object, const struct rd_candidate_result *judged)
{
    const bool is_none = judged->gap == RD_CANDIDATE_NO_GAP;
    if (judged->verdict > RD_CANDIDATE_OPEN || judged->unfinished)
        return;
    json_object_set_new(object, "inputs_compared", json_boolean(is_none));
    if (is_none)
        return;
    json_object_set_new(object, "not_compared", json_string(rd_candidate_gap_name(judged->gap)));
    json_object_set_new(object, "compared_up_to", json_integer((json_int_t)judged->n_compared));
    if (judged->differs_at_smaller)
        json_object_set_new(object, "differs_at",
                            json_pack("{s:I, s:I}", "n", (json_int_t)judged->n_compared, "input",
                                      (json_int_t)judged->smaller_input));
}

static void print_json(const struct session *session)
{
    const struct rd_candidate_result *judged = &session->runs.judged;
    char was[RD_VALUE_TEXT_SIZE], becomes[RD_VALUE_TEXT_SIZE];
    bool has_cell = judged->verdict == RD_CANDIDATE_NOT_KEPT ||
                    judged->verdict == RD_CANDIDATE_FALSE_AT_FIRST ||
                    (judged->verdict == RD_CANDIDATE_TOO_WEAK && !judged->state.at_end);
    json_t *object =
        json_pack("{s:s, s:I, s:s, s:s, s:s, s:o, s:s, s:s, s:i}", "program",
                  session->runs.options.program->name, "n", (json_int_t)session->runs.n, "type",
                  session->runs.numeric->name, "values", session->runs.values, "device",
                  session->runs.device, "law", rd_cli_json_text(session->text), "verdict",
                  rd_candidate_verdict_name(judged->verdict), "run",
                  rd_verdict_name(session->runs.own), "hazards", (int)session->runs.hazards);
    if (session->runs.numeric->operation != RD_OPERATION_SUM)
        json_object_set_new(object, "op",
                            json_string(rd_operation_name(session->runs.numeric->operation)));
    if (judged->verdict == RD_CANDIDATE_ENOUGH)
        json_object_set_new(object, "for_all_values", json_boolean(judged->always));
    add_gap(object, judged);
    if (judged->verdict == RD_CANDIDATE_OPEN && judged->overflows)
        json_object_set_new(object,
                            rd_candidate_underflows(&judged->overflown, session->runs.numeric)
                                ? "underflow"
                                : "overflow",
                            json_cell(session, &judged->overflown));
    if (judged->stopped)
        json_object_set_new(object, "no_value",
                            json_pack("{s:i, s:I, s:I, s:o}", "step", (int)judged->stopped_at,
                                      "line", (json_int_t)judged->why.line, "column",
                                      (json_int_t)judged->why.column, "reason",
                                      rd_cli_json_text(judged->why.what.text)));
    if (session->silent > 0)
        json_object_set_new(object, "silent_sizes", json_integer((json_int_t)session->silent));
    if (session->runs.options.sizes_to > 0)
        json_object_set_new(object, "sizes",
                            json_pack("{s:I, s:I, s:I}", "from",
                                      (json_int_t)session->runs.options.sizes_from, "to",
                                      (json_int_t)session->runs.options.sizes_to, "tried",
                                      (json_int_t)session->tried));
    if (judged->misses)
        json_object_set_new(object, "misses", json_cell(session, &judged->cell));
    else if (has_cell)
        json_object_set_new(object, "false", json_cell(session, &judged->cell));
    if (judged->verdict == RD_CANDIDATE_TOO_WEAK && !judged->misses)
        json_object_set_new(
            object, "state",
            json_pack("{s:i, s:I, s:s*, s:s, s:b, s:b}", "step", (int)judged->state.step, "cell",
                      (json_int_t)judged->state.cell, "was",
                      judged->state.ran ? NULL : format(session, judged->state.was, was), "becomes",
                      format(session, judged->state.becomes, becomes), "with_others",
                      judged->state.with_others, "at_end", judged->state.at_end));
    rd_cli_json_print(object);
}

/* ---- the command ---- */

static void name_array(struct session *session)
{
    struct rd_law *law;
    struct rd_law_about about;
    if (rd_law_create(&law, rd_program_law(session->runs.options.program), NULL) != RD_OK)
        return;
    rd_law_about(rd_law_section_at(law, NULL), &about);
    snprintf(session->array, sizeof session->array, "%s", about.array);
    rd_law_destroy(law);
}

/* Adds the n of --sizes to an error, and that those before are no refutation. */
static void add_size(const struct session *session, struct rd_error *error)
{
    const size_t length = strlen(error->text), tried = session->tried;
    char before[96] = "";
    if (tried > 0)
        snprintf(before, sizeof before, "; of --sizes %zu..%zu, %zu before it %s",
                 session->runs.options.sizes_from, session->runs.options.sizes_to, tried,
                 tried == 1 ? "doesn't refute it" : "don't refute it");
    snprintf(error->text + length, sizeof error->text - length, ", of n = %zu%s",
             session->runs.options.n, before);
}

/* Prints the error of a law that has no value at a step, with its place. */
static void complain(const struct session *session, const struct rd_error *error)
{
    struct rd_law_error mistake;
    rd_candidate_error(session->runs.candidate, &mistake);
    struct rd_error told = mistake.column > 0 ? mistake.what : *error;
    if (session->runs.options.sizes_to > 0 && session->runs.options.n > 0)
        add_size(session, &told);
    mistake.what = told;
    if (mistake.column > 0)
        rd_cli_law_complain(session->runs.options.law, session->text, &mistake);
    else
        rd_cli_complain("%s", told.text);
}

static int exit_of(enum rd_candidate_verdict verdict)
{
    return verdict == RD_CANDIDATE_ENOUGH ? RD_EXIT_HOLDS
           : verdict == RD_CANDIDATE_OPEN ? RD_EXIT_INCONCLUSIVE
                                          : RD_EXIT_VIOLATED;
}

int rd_cli_run_law(const struct rd_cli_run_options *options,
                   const volatile sig_atomic_t *interrupted)
{
    struct session session = {
        .runs = {.options = *options, .interrupted = interrupted},
        .text = rd_cli_law_text(options->law),
        .prints_steps = !options->quiet && !options->json,
        .array = "A",
        .paint = {stdout, rd_cli_width(stdout), rd_cli_run_options_color(options, stdout)},
    };
    struct rd_error error = {""};
    session.listener = (struct rd_candidate_listener){.self = &session, .step = print_step};
    if (!session.text || !make_candidate(&session)) {
        free(session.text);
        return RD_EXIT_FAILED;
    }
    name_array(&session);
    rd_cli_progress_init_always(&session.progress);
    enum rd_status status =
        options->sizes_to > 0 ? run_sizes(&session, &error) : judge(&session, &error);
    rd_cli_progress_clear(&session.progress);
    int exit_status = exit_of(session.runs.judged.verdict);
    if (status == RD_OK && options->json)
        print_json(&session);
    else if (status == RD_OK)
        print_verdict(&session);
    else if (status == RD_ERROR_INTERRUPTED) {
        tell_interruption(&session);
        exit_status = RD_EXIT_INTERRUPTED;
    } else
        exit_status = RD_EXIT_FAILED;
    if (exit_status == RD_EXIT_FAILED)
        complain(&session, &error);
    rd_candidate_destroy(session.runs.candidate);
    rd_cli_law_runs_finish(&session.runs);
    free(session.text);
    return exit_status;
}
