// SPDX-License-Identifier: MIT
#include "view/step/stepper.h"
#include "law/error.h"
#include "reductio/program.h"
#include "view/step/commands.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the history, step by step, as a candidate takes it ---- */

/* The array at a frame, and which of its cells are known. */
struct taken {
    void *cells;
    unsigned char *known; /* NULL: all are */
};

static void drop(struct taken *taken)
{
    free(taken->cells);
    free(taken->known);
    *taken = (struct taken){.cells = NULL};
}

/* Takes the array; all cells must be known, but of a user's loop: no other state of that is tried, and a law may leave them
 * out. The caller drops it. */
static enum rd_status take_cells(struct rd_history *history, size_t frame, struct taken *taken,
                                 struct rd_error *error)
{
    const bool may_lack = rd_history_about(history)->program->played;
    const struct rd_frame *of = rd_history_frame(history, frame);
    const struct rd_numeric *numeric = rd_history_about(history)->numeric;
    struct rd_history_cell cell;
    enum rd_status status = RD_OK;
    struct taken made = {calloc(of->n_cells + 1, numeric->size_bytes), calloc(of->n_cells + 1, 1)};
    if (!made.cells || !made.known) {
        drop(&made);
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the cells of a law");
    }
    for (size_t k = 0; k < of->n_cells && status == RD_OK; k++) {
        status = rd_history_cell(history, frame, k, &cell, error);
        if (status == RD_OK && !cell.known && !may_lack)
            status = rd_fail(error, RD_ERROR_USAGE,
                             "no law can be judged, as %s[%zu] is not known at step %u: it was not "
                             "copied back (--frame on does that), or the trace has cut it",
                             of->array, k, of->step);
        if (status == RD_OK && cell.known)
            numeric->store(made.cells, k, cell.value);
        made.known[k] = status == RD_OK && cell.known;
    }
    if (status == RD_OK)
        *taken = made;
    else
        drop(&made);
    return status;
}

static struct rd_step step_of(const struct rd_frame *frame, const struct taken *taken)
{
    return (struct rd_step){
        .number = frame->step,
        .cells = taken->cells,
        .known = taken->known,
        .n_cells = frame->n_cells,
        .whole = true,
    };
}

static enum rd_status judge(struct rd_step_law *law, struct rd_history *history,
                            struct rd_error *error)
{
    const struct rd_observer *observer = rd_candidate_observer(law->candidate);
    enum rd_status status = observer->begin(observer->self, &law->run, error);
    for (size_t k = 0; k < rd_history_frames(history) && status == RD_OK; k++) {
        const struct rd_frame *frame = rd_history_frame(history, k);
        struct taken taken;
        if (frame->inside)
            continue;
        status = take_cells(history, k, &taken, error);
        if (status != RD_OK)
            break;
        const struct rd_step step = step_of(frame, &taken);
        status = observer->step(observer->self, &law->run, &step, error);
        drop(&taken);
    }
    return status;
}

/* RD_ERROR_USAGE, with the reason, where the history is one of which no law can be judged. */
static enum rd_status law_accept(const struct rd_history_about *about, struct rd_error *error)
{
    if (about->witness)
        return rd_fail(error, RD_ERROR_USAGE,
                       "a law is asserted of values, and witness values tell only which inputs are "
                       "in a cell");
    if (!rd_program_law(about->program))
        return rd_fail(error, RD_ERROR_USAGE, "%s has no law that another could stand for",
                       about->program->name);
    if (!about->a)
        return rd_fail(error, RD_ERROR_USAGE,
                       "no law can be judged, as the trace does not hold the inputs: it was cut");
    return RD_OK;
}

static struct rd_run run_of(const struct rd_history_about *about, const struct rd_run *run)
{
    if (run)
        return *run;
    return (struct rd_run){
        .program = about->program,
        .numeric = about->numeric,
        .n = about->shape.n,
        .a = about->a,
        .b = about->b,
        .block = about->shape.block,
        .grid = about->shape.grid,
    };
}

static void name_array(struct rd_step_law *law, struct rd_history *history)
{
    snprintf(law->array, sizeof law->array, "%s", rd_history_frame(history, 0)->array);
}

/* Notes that an evaluation was interrupted while under way, not before it began. */
static void note_stop(struct rd_step_law *law, bool asked_before, enum rd_status status)
{
    if (status == RD_ERROR_INTERRUPTED && !asked_before)
        law->stopped = true;
}

static bool is_interrupted(const struct rd_step_law *law)
{
    return law->interrupted && *law->interrupted;
}

/* A law without a value at a step has a place in the text, and any other failure has none. */
static enum rd_status fail_at(const struct rd_step_law *law, enum rd_status status,
                              const struct rd_error *why, struct rd_law_error *error)
{
    rd_candidate_error(law->candidate, error);
    if (error->column == 0)
        *error = (struct rd_law_error){.what = *why};
    return status;
}

/* Reads a law and judges the history by it. After a failure all is as before. RD_ERROR_USAGE where it can't be read,
 * or has no value at a step, with the place in the text; or where the values are not known, as of a trace with witness
 * values; RD_ERROR_INTERRUPTED; RD_ERROR_MEMORY. `text` must not point into *law. */
static enum rd_status law_set(struct rd_step_law *law, struct rd_history *history,
                              const struct rd_run *run, const char *text,
                              struct rd_law_error *error)
{
    const struct rd_history_about *about = rd_history_about(history);
    struct rd_step_law made = {
        .interrupted = law->interrupted, .text = strdup(text), .run = run_of(about, run)};
    struct rd_error why = {""};
    const bool asked_before = is_interrupted(law);
    if (law->interrupted)
        made.run.interrupted = law->interrupted;
    *error = (struct rd_law_error){0};
    enum rd_status status = law_accept(about, &error->what);
    if (status == RD_OK && !made.text)
        status = rd_fail(&error->what, RD_ERROR_MEMORY, "no memory for a law");
    if (status == RD_OK)
        status = rd_candidate_create(&made.candidate, about->program, text, NULL, error);
    if (status == RD_OK) {
        name_array(&made, history);
        status = judge(&made, history, &why);
        if (status != RD_OK)
            fail_at(&made, status, &why, error);
    }
    if (status == RD_OK) {
        rd_candidate_judge(made.candidate, &made.judged);
        rd_step_law_finish(law);
        *law = made;
    } else {
        rd_step_law_finish(&made);
        note_stop(law, asked_before, status);
    }
    return status;
}

void rd_step_law_finish(struct rd_step_law *law)
{
    rd_candidate_look_finish(&law->look);
    rd_candidate_destroy(law->candidate);
    free(law->text);
    *law = (struct rd_step_law){.interrupted = law->interrupted, .stopped = law->stopped};
}

/* ---- what it says of a frame ---- */

static const struct rd_candidate_look *law_look(struct rd_step_law *law, struct rd_history *history,
                                                size_t frame)
{
    const struct rd_frame *of = rd_history_frame(history, frame);
    if (!law->text || of->inside)
        return NULL;
    if (!law->looked || law->frame != frame) {
        struct taken taken;
        const bool asked_before = is_interrupted(law);
        rd_candidate_look_finish(&law->look);
        law->status = take_cells(history, frame, &taken, &law->error);
        if (law->status == RD_OK) {
            const struct rd_step step = step_of(of, &taken);
            law->status =
                rd_candidate_look_init(&law->look, law->candidate, &law->run, &step, &law->error);
            drop(&taken);
        }
        note_stop(law, asked_before, law->status);
        law->looked = true;
        law->frame = frame;
    }
    return law->status == RD_OK ? &law->look : NULL;
}

struct rd_candidate_words rd_step_law_words(const struct rd_step_law *law)
{
    return (struct rd_candidate_words){law->run.numeric, law->array, law->run.a, law->run.n};
}

void rd_step_law_cell_text(const struct rd_step_law *law, const struct rd_candidate_look *look,
                           size_t index, char *text, size_t size)
{
    const struct rd_numeric *numeric = law->run.numeric;
    char number[RD_VALUE_TEXT_SIZE];
    bool says = index < look->n_cells && look->marks[index] != RD_CANDIDATE_UNSAID;
    if (says)
        rd_cell_text(numeric, law->run.a, law->run.n, numeric->load(look->said, index), number);
    snprintf(text, size, "%s", says ? number : "·");
}

/* Tells whether nothing but this run speaks for the law. */
static bool is_of_this_run(const struct rd_step_law *law)
{
    return law->judged.verdict == RD_CANDIDATE_ENOUGH && !law->judged.always;
}

const char *rd_step_law_word(const struct rd_step_law *law)
{
    if (!is_of_this_run(law))
        return rd_candidate_verdict_name(law->judged.verdict);
    return law->run.program->played ? "true at each step" : "true, and enough on these values";
}

/* Prints the verdict on this run's values; `run --law` tries others besides. */
static void print_verdict(const struct rd_step_law *law, FILE *out)
{
    const struct rd_candidate_result *judged = &law->judged;
    const struct rd_candidate_words words = rd_step_law_words(law);
    fprintf(out, "%s", rd_step_law_word(law));
    if (law->run.program->played && is_of_this_run(law)) {
        fprintf(out, ", and at the end it gives the goal; whether it is enough was not asked: how "
                     "the rounds of a file move other states is documented nowhere");
        return;
    }
    if (judged->verdict == RD_CANDIDATE_NOT_KEPT)
        fprintf(out, ": first refuted in round %u: ", judged->cell.step);
    else
        fprintf(out, ": ");
    if (judged->verdict == RD_CANDIDATE_NOT_KEPT)
        rd_candidate_print_cell(out, &judged->cell, judged->n_false, &words);
    else
        rd_candidate_print_reason(out, judged, &words);
    if (law->run.program->played) /* there is no 'run --law' of it */
        return;
    if (judged->verdict == RD_CANDIDATE_ENOUGH && !judged->always)
        fprintf(out, "; 'run --law' takes other values besides");
    else if (judged->verdict == RD_CANDIDATE_OPEN && judged->unsaid)
        fprintf(out, "; 'run --law' runs the kernel from there");
}

/* "not kept, from round 1 on: A[0] is 4, and the law says 1; 4 cells are wrong". The caller frees it; NULL
 * without memory. */
static char *law_verdict(const struct rd_step_law *law)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    print_verdict(law, out);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* ---- commands ---- */

/* A law of one's own. */

enum rd_status rd_stepper_set_law(struct rd_stepper *stepper, const char *text,
                                  struct rd_law_error *error)
{
    *error = (struct rd_law_error){0};
    if (*text == '\0') {
        rd_stepper_say(stepper, stepper->law.text ? "your law is judged no more"
                                                  : "there is no law of yours");
        rd_step_law_finish(&stepper->law);
        return RD_OK;
    }
    rd_stepper_busy(stepper);
    enum rd_status status = law_set(&stepper->law, stepper->history, stepper->run, text, error);
    if (status != RD_OK)
        return status;
    char *verdict = law_verdict(&stepper->law);
    if (stepper->quiz.hidden)
        rd_stepper_say(stepper, "guess first, with '=': the verdict on your law would tell");
    else if (verdict)
        rd_stepper_say(stepper, "your law is %s", verdict);
    free(verdict);
    return RD_OK;
}

void rd_stepper_judge_again(struct rd_stepper *stepper)
{
    struct rd_law_error error;
    char *text = stepper->law.text ? strdup(stepper->law.text) : NULL;
    rd_step_law_finish(&stepper->law);
    if (text)
        law_set(&stepper->law, stepper->history, stepper->run, text, &error);
    free(text);
}

const struct rd_candidate_look *rd_stepper_law_look(struct rd_stepper *stepper)
{
    if (stepper->quiz.hidden)
        return NULL;
    return law_look(&stepper->law, stepper->history, stepper->frame);
}

enum rd_status rd_law_command_accept(const struct rd_stepper *stepper, struct rd_error *error)
{
    return law_accept(stepper->about, error);
}

enum rd_status rd_act_law(struct rd_stepper *stepper, const char *argument, struct rd_error *error)
{
    struct rd_law_error mistake;
    char *text, place[RD_LAW_ERROR_PLACE_SIZE];
    const bool in_file = argument[0] == '@';
    enum rd_status status = rd_law_given_text(argument, &text, error);
    if (status != RD_OK)
        return status;
    status = rd_stepper_set_law(stepper, text, &mistake);
    free(text);
    if (status == RD_OK)
        return RD_OK;
    if (in_file)
        return rd_fail(error, status, "%s: %s", rd_law_error_place(place, argument + 1, &mistake),
                       mistake.what.text);
    stepper->mistake_column =
        mistake.column; /* which the prompt marks, and a script counts from its own line's begin */
    *error = mistake.what;
    return status;
}
