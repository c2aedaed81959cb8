// SPDX-License-Identifier: MIT
/* Verdicts on the annotations of a recorded run. */
#include "base/array.h"
#include "base/texts.h"
#include "check/played.h"
#include "program/definition.h"
#include "reductio/hazards.h"
#include "reductio/summary.h"
#include "reductio/text.h"
#include "reductio/trace.h"
#include "run/assertion.h"
#include "view/parts.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is asserted ---- */

struct judging {
    const struct rd_played *played;
    const struct rd_played_options *options;
    struct rd_played_summary *summary;
    bool is_begun;                /* a verdict was counted */
    struct rd_played_loop *loops; /* executions of loops, and laws that are asserted once */
    size_t n_loops, loops_capacity;
    struct rd_error *error;
};

static enum rd_status no_memory(struct judging *judging)
{
    return rd_fail(judging->error, RD_ERROR_MEMORY, "no memory for annotations");
}

static bool is_law(const struct rd_annotation *of)
{
    return of->kind != RD_ANNOTATION_INPUT && of->array.expression;
}

/* The execution of a loop that the event is of; NULL where it is the first of one. */
static struct rd_played_loop *loop_of(struct judging *judging, const struct rd_played_event *event)
{
    for (size_t k = judging->n_loops; k-- > 0 && event->instance > 0;) {
        struct rd_played_loop *loop = &judging->loops[k];
        if (loop->evaluations[0]->site == event->site &&
            loop->evaluations[0]->instance == event->instance)
            return loop;
    }
    return NULL;
}

static struct rd_played_loop *add_loop(struct judging *judging, const struct rd_annotation *of,
                                       const struct rd_annotations *file)
{
    if (!rd_array_make_room(&judging->loops, judging->n_loops, &judging->loops_capacity,
                            sizeof *judging->loops))
        return NULL;
    struct rd_played_loop *loop = &judging->loops[judging->n_loops++];
    *loop = (struct rd_played_loop){.annotation = of, .file = file};
    return loop;
}

static bool add_evaluation(struct rd_played_loop *loop, const struct rd_played_event *event,
                           size_t index)
{
    const bool is_full = (loop->n & (loop->n - 1)) == 0;
    if (is_full) { /* a power of two, or none */
        const size_t capacity = loop->n ? 2 * loop->n : 1;
        const struct rd_played_event **grown =
            realloc(loop->evaluations, capacity * sizeof(struct rd_played_event *));
        if (!grown)
            return false;
        loop->evaluations = grown;
    }
    loop->evaluations[loop->n++] = event;
    loop->last = index;
    return true;
}

static enum rd_status collect(struct judging *judging)
{
    const struct rd_played *played = judging->played;
    for (size_t k = 0; k < played->n_events; k++) {
        const struct rd_annotations *file = NULL;
        const struct rd_played_event *event = &played->events[k];
        const struct rd_annotation *of = rd_played_annotation(played, event->site, &file);
        if (!is_law(of))
            continue;
        struct rd_played_loop *loop = loop_of(judging, event);
        if (!loop)
            loop = add_loop(judging, of, file);
        if (!loop || !add_evaluation(loop, event, k))
            return no_memory(judging);
    }
    return RD_OK;
}

/* ---- printing ---- */

static void say(const struct judging *judging, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void say(const struct judging *judging, const char *format, ...)
{
    va_list arguments;
    if (!judging->options->text || judging->options->quiet)
        return;
    va_start(arguments, format);
    vfprintf(judging->options->text, format, arguments);
    va_end(arguments);
}

static void say_place(const struct judging *judging, const struct rd_annotations *file,
                      const struct rd_annotation *of)
{
    say(judging, "%s:%u: %s %s\n", file->file, of->line, rd_annotation_kind_name(of->kind),
        of->text);
}

/* Counts an annotation, and that it was executed so often. */
static void count_annotation(struct judging *judging, const struct rd_annotation *of, size_t n)
{
    struct rd_played_summary *summary = judging->summary;
    if (of->kind == RD_ANNOTATION_INVARIANT) {
        summary->invariants++;
        summary->loops += n;
    } else {
        summary->assertions++;
        summary->asserted += n;
    }
}

/* Counts a verdict. */
static void count(struct judging *judging, enum rd_verdict verdict)
{
    struct rd_played_summary *summary = judging->summary;
    summary->verdict = judging->is_begun ? rd_verdict_worst(summary->verdict, verdict) : verdict;
    judging->is_begun = true;
    summary->violated += verdict == RD_VIOLATED;
    summary->open += verdict == RD_INCONCLUSIVE;
}

static void report(const struct judging *judging, const struct rd_played_verdict *verdict)
{
    if (judging->options->on_verdict)
        judging->options->on_verdict(judging->options->verdicts, verdict);
}

/* ---- conditions ---- */

/* "n is 6, w is 3, at evaluation 2 of the loop's condition" */
static void write_values(const struct rd_annotation *of, const struct rd_played_event *event,
                         char text[RD_SENTENCE_SIZE])
{
    text[0] = '\0';
    for (size_t k = 0; k < of->n_names; k++)
        if (!of->names[k].any)
            rd_append(text, RD_SENTENCE_SIZE, "%s%s is %" PRId64, *text ? ", " : "",
                      of->names[k].expression, event->values[k]);
    if (event->instance > 0)
        rd_append(text, RD_SENTENCE_SIZE, "%sat evaluation %" PRIu64 " of the loop's condition",
                  *text ? ", " : "", event->evaluation);
}

/* All events of a condition: it holds where it does at each of them. */
static void judge_condition(struct judging *judging, const struct rd_annotations *file,
                            const struct rd_annotation *of)
{
    const struct rd_played *played = judging->played;
    enum rd_verdict verdict = RD_HOLDS;
    size_t n = 0;
    char text[RD_SENTENCE_SIZE] = "";
    say_place(judging, file, of);
    for (size_t k = 0; k < played->n_events && verdict == RD_HOLDS; k++) {
        const struct rd_played_event *event = &played->events[k];
        struct rd_error why;
        bool holds = false;
        if (event->site != of->site)
            continue;
        n++;
        if (event->lack ||
            rd_played_condition(of, event->values, event->evaluation, &holds, &why) != RD_OK) {
            verdict = RD_INCONCLUSIVE;
            rd_append(text, sizeof text, "%s", event->lack ? event->lack : why.text);
        } else if (!holds) {
            verdict = RD_VIOLATED;
            write_values(of, event, text);
        }
    }
    if (verdict == RD_HOLDS)
        say(judging, "    HOLDS, asserted %zu time%s\n", n, n == 1 ? "" : "s");
    else
        say(judging, "    %s: %s\n", rd_verdict_name(verdict), text);
    count_annotation(judging, of, n);
    count(judging, verdict);
    report(judging, &(struct rd_played_verdict){file, of, verdict, n, NULL, text});
}

/* ---- laws ---- */

/* Runs the driver over the loop's recording. */
static enum rd_status play(struct judging *judging, const struct rd_played_loop *loop,
                           const struct rd_observer *const *observers, struct rd_result *result)
{
    struct rd_device *device;
    const struct rd_numeric *numeric = rd_numeric(loop->evaluations[0]->array.type);
    char given[100]; /* no generator's name: a loop may have them in another order */
    snprintf(given, sizeof given, "given: %.80s",
             judging->options->own ? judging->options->values : "");
    enum rd_status status = rd_playback_open(&device, judging->played, loop, judging->error);
    if (status != RD_OK)
        return status;
    void *none = loop->n_inputs == 0 ? calloc(loop->size, numeric->size_bytes) : NULL;
    const struct rd_run run = {
        .size = sizeof run,
        .program = loop->program,
        .numeric = numeric,
        .n = loop->size,
        .a = loop->n_inputs > 0 ? loop->inputs[0]->array.cells : none,
        .b = loop->n_inputs > 1 ? loop->inputs[1]->array.cells : NULL,
        .values = judging->options->own ? given : "of the program",
        .device = device,
        .hazards_by = judging->options->hazards_off  ? RD_HAZARDS_BY_NOBODY
                      : rd_played_is_in_kernel(loop) ? RD_HAZARDS_BY_LAUNCH
                                                     : RD_HAZARDS_BY_SIM,
        .interrupted = judging->options->interrupted,
    };
    status = loop->n_inputs == 0 && !none ? no_memory(judging)
                                          : rd_run(&run, observers, result, judging->error);
    free(none);
    rd_device_close(device);
    return status;
}

static bool is_once(const struct rd_played_loop *loop)
{
    return loop->annotation->kind != RD_ANNOTATION_INVARIANT;
}

/* Asserts it without the driver, which asserts cells from 0 on, at one distance. */
static void judge_plain(struct judging *judging, struct rd_played_loop *loop)
{
    const struct rd_error why = loop->why;
    rd_program_release(loop->program);
    loop->program = NULL;
    loop->untraced = why;
    rd_played_plain(loop);
    if (!loop->is_plain) {
        loop->why = why;
        return;
    }
    loop->verdict =
        is_once(loop) ? loop->result.obligations[RD_INITIALIZATION] : loop->result.verdict;
    judging->summary->cells += loop->result.cells;
}

/* Tells whether the array that violates the law is the one of the run with the program's own inputs: the program has
 * not taken the other inputs. */
static bool ignores_other_inputs(const struct judging *judging, const struct rd_played_loop *loop)
{
    const struct rd_played *own = judging->options->own;
    const unsigned step = loop->result.violation.step;
    if (!own || loop->verdict != RD_VIOLATED || loop->n_inputs == 0 || !loop->result.violated ||
        step >= loop->n)
        return false;
    const struct rd_played_event *at = loop->evaluations[step];
    for (size_t k = 0; k < own->n_events; k++) {
        const struct rd_played_event *one = &own->events[k];
        if (one->site == at->site && one->instance == at->instance &&
            one->evaluation == at->evaluation && one->block == at->block && one->warp == at->warp &&
            one->launches == at->launches && !one->lack)
            return one->array.type == at->array.type && one->array.count == at->array.count &&
                   memcmp(one->array.cells, at->array.cells,
                          at->array.count * rd_numeric(at->array.type)->size_bytes) == 0;
    }
    return false;
}

static void leave_open(struct judging *judging, struct rd_played_loop *loop)
{
    judging->summary->cells -= loop->result.cells;
    rd_program_release(loop->program);
    loop->program = NULL;
    loop->is_plain = false;
    loop->verdict = RD_INCONCLUSIVE;
    snprintf(loop->why.text, sizeof loop->why.text,
             "%s is what it was with the program's own inputs: 'input' stands behind where they "
             "were taken",
             loop->annotation->array.expression);
}

/* Leaves open what holds only as the run went: a hazard has left it to chance. */
static void doubt(const struct judging *judging, struct rd_played_loop *loop)
{
    const struct rd_played_finding *by = rd_played_undefined_by(judging->played, loop->last);
    if (!by)
        return;
    loop->verdict = RD_INCONCLUSIVE;
    snprintf(loop->why.text, sizeof loop->why.text,
             "it holds as this run went; %s%s%s leaves open what another gives",
             rd_hazard_name(by->kind), *by->place ? " at " : "", by->place);
}

/* Leaves out where the law was asked, " at d = 6": its author has no d. */
static void cut_place(char *text)
{
    char *from = strstr(text, " at d = ");
    const size_t length = from ? strlen(" at d = ") : 0;
    if (from)
        memmove(from, from + length + strspn(from + length, "0123456789"),
                strlen(from + length + strspn(from + length, "0123456789")) + 1);
}

/* Says why in the words of the law's author: 'value_a_6' isn't defined where 'a' has no element 6. */
static void name_element(struct rd_error *why)
{
    static const char begins[] = "'" RD_ANNOTATION_VALUE, ends[] = "' isn't defined";
    char *from = strstr(why->text, begins), *to = from ? strstr(from, ends) : NULL, text[300];
    char *number = to;
    while (number && number > from && number[-1] != '_')
        number--;
    if (!number || number <= from + strlen(begins))
        return;
    snprintf(text, sizeof text, "'%.*s' has no element %.*s%.200s",
             (int)(number - 1 - from - (long)strlen(begins)), from + strlen(begins),
             (int)(to - number), number, to + strlen(ends));
    snprintf(from, sizeof why->text - (size_t)(from - why->text), "%s", text);
}

/* Asserts the loop's law without a word. */
static enum rd_status judge_loop(struct judging *judging, struct rd_played_loop *loop)
{
    loop->verdict = RD_INCONCLUSIVE;
    enum rd_status status = rd_played_loop_make(judging->played, loop, judging->error);
    if (status == RD_OK && loop->program)
        status = play(judging, loop, NULL, &loop->result);
    if (status == RD_ERROR_USAGE || status == RD_ERROR_INPUT || status == RD_ERROR_DEVICE) {
        loop->why = *judging->error; /* a law without a value, mostly */
        rd_program_release(loop->program);
        loop->program = NULL;
        status = RD_OK;
    }
    if (status != RD_OK)
        return status;
    if (loop->paragraph &&
        (!loop->program ||
         (is_once(loop) && loop->result.obligations[RD_INITIALIZATION] == RD_INCONCLUSIVE))) {
        judge_plain(judging, loop);
    } else if (loop->program) {
        loop->verdict =
            is_once(loop) ? loop->result.obligations[RD_INITIALIZATION] : loop->result.verdict;
        judging->summary->cells += loop->result.cells;
    }
    if (ignores_other_inputs(judging, loop))
        leave_open(judging, loop);
    if (loop->verdict == RD_HOLDS)
        doubt(judging, loop);
    name_element(&loop->why);
    cut_place(loop->why.text);
    cut_place(loop->open);
    cut_place(loop->untraced.text);
    return RD_OK;
}

/* ---- telling ---- */

static void say_violation(const struct judging *judging, const struct rd_played_loop *loop)
{
    char text[RD_SENTENCE_SIZE];
    say(judging, "    VIOLATED: %s\n", rd_played_violation_text(loop, text));
}

/* The obligations of a loop that the driver doesn't play. */
static void say_plain(const struct judging *judging, const struct rd_played_loop *loop)
{
    const bool has_reason = !loop->is_long && loop->untraced.text[0];
    say(judging, "    asserted without a trace, at %zu evaluation%s%s%s\n", loop->n,
        loop->n == 1 ? "" : "s",
        loop->is_long ? ": 4096 can be traced"
        : has_reason  ? ": "
                      : "",
        has_reason ? loop->untraced.text : "");
    if (loop->result.violated) {
        say(judging, "    at step %u, %zu cell%s wrong:\n", loop->result.violation.step,
            loop->result.violation.count, loop->result.violation.count == 1 ? " is" : "s are");
        say_violation(judging, loop);
    }
    if (loop->why.text[0])
        say(judging, "    %s\n", loop->why.text);
    for (unsigned k = 0; k < RD_OBLIGATION_COUNT; k++)
        say(judging, "    %-15s %s\n", rd_obligation_name((enum rd_obligation)k),
            k == RD_EXIT && loop->is_unasked ? "NOT ASSERTED"
                                             : rd_verdict_name(loop->result.obligations[k]));
}

/* Notes that the view has printed the hazard. */
static enum rd_status on_hazard_printed(void *self, const struct rd_run *run,
                                        const struct rd_hazard *hazard, struct rd_error *error)
{
    const struct judging *judging = self;
    const struct rd_played *played = judging->played;
    (void)run, (void)error;
    for (size_t k = 0; k < played->n_findings; k++)
        if (strcmp(played->findings[k].message, hazard->message) == 0)
            played->findings[k].told = true;
    return RD_OK;
}

/* Plays the loop for those who look on. */
static enum rd_status show(struct judging *judging, const struct rd_played_loop *loop, bool traced)
{
    const struct rd_played_options *options = judging->options;
    const struct rd_observer *observers[5] = {NULL};
    struct rd_text_view *view = NULL;
    struct rd_trace_writer *writer = NULL;
    struct rd_result result;
    unsigned n = 0;
    enum rd_status status = RD_OK;
    if (traced && options->trace)
        status =
            rd_trace_writer_open(&writer, options->trace, options->trace_cells, judging->error);
    if (writer)
        observers[n++] = rd_trace_writer_observer(writer);
    if (traced && options->last)
        observers[n++] = options->last;
    if (status == RD_OK && options->text && !options->quiet) {
        const struct rd_text_options text = {
            .out = options->text, .width = options->width, .color = options->color};
        status = rd_text_view_create(&view, &text, judging->error);
    }
    const struct rd_observer printed = {.self = judging, .hazard = on_hazard_printed};
    if (view) {
        observers[n++] = rd_text_view_observer(view);
        observers[n++] = &printed;
    }
    if (status == RD_OK)
        status = play(judging, loop, observers, &result);
    const enum rd_status closed =
        rd_trace_writer_close(writer, status == RD_OK ? judging->error : NULL);
    rd_text_view_destroy(view);
    judging->summary->traced = judging->summary->traced || traced;
    return status == RD_OK ? closed : status;
}

/* The one of an annotation's executions that is shown: the first that is violated, or open, or else the first. */
static const struct rd_played_loop *worst(const struct judging *judging,
                                          const struct rd_annotation *of)
{
    const struct rd_played_loop *found = NULL;
    for (size_t k = 0; k < judging->n_loops; k++) {
        const struct rd_played_loop *loop = &judging->loops[k];
        if (of ? loop->annotation != of : is_once(loop) || !loop->program)
            continue;
        if (!found || (loop->verdict != found->verdict &&
                       rd_verdict_worst(loop->verdict, found->verdict) == loop->verdict))
            found = loop;
    }
    return found;
}

/* Says "reached 3 times: 1 violated" where it was reached more than once; returns how often. */
static size_t say_executions(const struct judging *judging, const struct rd_annotation *of)
{
    size_t n = 0, violated = 0, open = 0;
    for (size_t k = 0; k < judging->n_loops; k++) {
        const struct rd_played_loop *loop = &judging->loops[k];
        if (loop->annotation != of)
            continue;
        n++;
        violated += loop->verdict == RD_VIOLATED;
        open += loop->verdict == RD_INCONCLUSIVE;
    }
    if (n > 1)
        say(judging, "    reached %zu times: %zu violated, %zu inconclusive; this is the first%s\n",
            n, violated, open,
            violated ? " violated"
            : open   ? " inconclusive"
                     : "");
    return n;
}

/* A variable without an index is told without one, the cell of an array of arrays with two. */
static void say_evidence(const struct judging *judging, const struct rd_played_loop *loop,
                         const char *sentence)
{
    const char *array = loop->annotation->array.expression, *behind = strchr(sentence, ']');
    const size_t length = strlen(array), cell = loop->result.violation.cell;
    const uint64_t columns = rd_played_columns(loop);
    char index[60] = "";
    if (strncmp(sentence, array, length) != 0 || sentence[length] != '[' || !behind ||
        (!loop->annotation->scalar && columns == 0)) {
        say(judging, "    with other inputs: %s\n", sentence);
        return;
    }
    if (columns > 0)
        snprintf(index, sizeof index, "[%" PRIu64 "][%" PRIu64 "]", cell / columns, cell % columns);
    say(judging, "    with other inputs: %s%s%s\n", array, index, behind + 1);
}

static void say_block(const struct judging *judging, const struct rd_played_event *event)
{
    say(judging, "    in ");
    if (event->warp != UINT64_MAX)
        say(judging, "warp %" PRIu64 " of ", event->warp);
    say(judging, "block %" PRIu64 " of launch %" PRIu64 "\n", event->block, event->launches);
}

/* How "=" was asserted, where that is not of bits. */
static const char *how_of(const struct rd_played_loop *loop)
{
    const struct rd_step_foot foot = {
        .is_float = rd_numeric(loop->evaluations[0]->array.type)->is_float, .any_order = true};
    return rd_asserted_how(&foot);
}

static enum rd_status tell_law(struct judging *judging, const struct rd_annotations *file,
                               const struct rd_annotation *of, const struct rd_played_loop *traced)
{
    const struct rd_played_loop *loop = worst(judging, of);
    enum rd_status status = RD_OK;
    say_place(judging, file, of);
    const size_t n = say_executions(judging, of);
    count_annotation(judging, of, n);
    for (size_t k = 0; k < judging->n_loops; k++)
        if (judging->loops[k].annotation == of) {
            count(judging, judging->loops[k].verdict);
            judging->summary->unasked +=
                judging->loops[k].is_unasked && judging->loops[k].verdict == RD_HOLDS;
        }
    if (rd_played_is_in_kernel(loop))
        say_block(judging, loop->evaluations[0]);
    if (!loop->program && !loop->is_plain)
        say(judging, "    INCONCLUSIVE: %s\n", loop->why.text);
    else if (!is_once(loop) && loop->is_plain)
        say_plain(judging, loop);
    else if (!is_once(loop))
        status = show(judging, loop, loop == traced);
    else if (loop->verdict == RD_VIOLATED)
        say_violation(judging, loop);
    else
        say(judging, "    %s%s\n", loop->verdict == RD_HOLDS ? "HOLDS" : "INCONCLUSIVE: ",
            loop->verdict == RD_HOLDS ? how_of(loop)
            : loop->why.text[0]       ? loop->why.text
                                      : "not all of it was asserted");
    if (status == RD_OK && !is_once(loop) && !loop->is_plain && loop->program &&
        loop->verdict == RD_VIOLATED && loop->result.violated &&
        loop->result.violation.step < loop->n &&
        rd_played_is_unwritten(loop->evaluations[loop->result.violation.step],
                               loop->result.violation.cell))
        say(judging, "    %s[%zu] is not initialised there: what it holds is the simulator's\n",
            of->array.expression, loop->result.violation.cell);
    if (!is_once(loop) && loop->program && loop->verdict == RD_INCONCLUSIVE && loop->why.text[0])
        say(judging, "    INCONCLUSIVE: %s\n", loop->why.text);
    struct rd_evidence evidence;
    char sentence[RD_SENTENCE_SIZE];
    if (status == RD_OK && (loop->program || loop->is_plain) && loop->verdict == RD_VIOLATED &&
        rd_played_explain(judging->played, judging->options, loop, &evidence))
        say_evidence(judging, loop, rd_evidence_text(&evidence, RD_OPERATION_SUM, sentence));
    if ((loop->program || loop->is_plain) && !is_once(loop) && loop->open[0])
        say(judging, "    %s: %s\n",
            loop->is_unasked ? "its exit is not asserted" : "exit stays open", loop->open);
    report(judging, &(struct rd_played_verdict){file, of, loop->verdict, n, loop, ""});
    return status;
}

static bool is_reached(const struct rd_played *played, const struct rd_annotation *of)
{
    for (size_t k = 0; k < played->n_events; k++)
        if (played->events[k].site == of->site)
            return true;
    return false;
}

static enum rd_status tell(struct judging *judging, const struct rd_annotations *file,
                           const struct rd_annotation *of, const struct rd_played_loop *traced)
{
    if (of->kind == RD_ANNOTATION_INPUT)
        return RD_OK;
    if (is_reached(judging->played, of) && is_law(of))
        return tell_law(judging, file, of, traced);
    if (is_reached(judging->played, of)) {
        judge_condition(judging, file, of);
        return RD_OK;
    }
    const char *why = !judging->options->stopped ? "the program never came here"
                      : of->in_device
                          ? "the program was stopped before a launch that comes here was over"
                          : "the program was stopped before it came here";
    say_place(judging, file, of);
    say(judging, "    INCONCLUSIVE: %s\n", why);
    count_annotation(judging, of, 0);
    count(judging, RD_INCONCLUSIVE);
    report(judging, &(struct rd_played_verdict){file, of, RD_INCONCLUSIVE, 0, NULL, why});
    return RD_OK;
}

enum rd_status rd_played_judge(const struct rd_played *played,
                               const struct rd_played_options *options,
                               struct rd_played_summary *summary, struct rd_error *error)
{
    struct judging judging = {
        .played = played, .options = options, .summary = summary, .error = error};
    *summary = (struct rd_played_summary){.verdict = RD_INCONCLUSIVE};
    if (played->unsound) {
        say(&judging, "INCONCLUSIVE: what the program told of its run can't be trusted: %s\n",
            played->why.text);
        return RD_OK;
    }
    enum rd_status status = collect(&judging);
    for (size_t k = 0; k < judging.n_loops && status == RD_OK; k++)
        status = judge_loop(&judging, &judging.loops[k]);
    const struct rd_played_loop *traced = status == RD_OK ? worst(&judging, NULL) : NULL;
    for (size_t f = 0; f < played->n_files && status == RD_OK; f++)
        for (size_t k = 0; k < played->files[f].n && status == RD_OK; k++)
            status = tell(&judging, &played->files[f], &played->files[f].all[k], traced);
    for (size_t k = 0; k < judging.n_loops; k++)
        rd_played_loop_finish(&judging.loops[k]);
    free(judging.loops);
    return status;
}
