// SPDX-License-Identifier: MIT
/* Tells the verdicts on annotations, and shows the loops that the driver has played back. */
#include "check/playback/played_internal.h"
#include "reductio/hazards.h"
#include "reductio/summary.h"
#include "reductio/text.h"
#include "reductio/trace.h"
#include "run/assertion.h"
#include "view/parts.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- printing ---- */

static void say(const struct rd_played_judging *judging, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void say(const struct rd_played_judging *judging, const char *format, ...)
{
    va_list arguments;
    if (!judging->options->text || judging->options->quiet)
        return;
    va_start(arguments, format);
    vfprintf(judging->options->text, format, arguments);
    va_end(arguments);
}

static void say_place(const struct rd_played_judging *judging, const struct rd_annotations *file,
                      const struct rd_annotation *of)
{
    say(judging, "%s:%u: %s %s\n", file->file, of->line, rd_annotation_kind_name(of->kind),
        of->text);
}

/* Counts an annotation, and that it was executed so often. */
static void count_annotation(struct rd_played_judging *judging, const struct rd_annotation *of,
                             size_t n)
{
    struct rd_played_summary *summary = judging->summary;
    if (of->kind == RD_ANNOTATION_INVARIANT) {
        summary->invariants++;
        summary->loops += n;
    } else {
        summary->assertions++;
        summary->requirements += of->kind == RD_ANNOTATION_REQUIRES;
        summary->asserted += n;
    }
}

/* Counts a verdict. */
static void count(struct rd_played_judging *judging, enum rd_verdict verdict)
{
    struct rd_played_summary *summary = judging->summary;
    summary->verdict = judging->is_begun ? rd_verdict_worst(summary->verdict, verdict) : verdict;
    judging->is_begun = true;
    summary->violated += verdict == RD_VIOLATED;
    summary->open += verdict == RD_INCONCLUSIVE;
}

static void report(const struct rd_played_judging *judging, const struct rd_played_verdict *verdict)
{
    if (judging->options->on_verdict)
        judging->options->on_verdict(judging->options->verdicts, verdict);
}

/* ---- conditions ---- */

static void tell_condition(struct rd_played_judging *judging, const struct rd_annotations *file,
                           const struct rd_annotation *of)
{
    size_t n;
    char text[RD_SENTENCE_SIZE];
    const enum rd_verdict verdict = rd_played_condition_judge(judging->played, of, &n, text);
    say_place(judging, file, of);
    if (verdict == RD_HOLDS)
        say(judging, "    HOLDS, asserted %zu time%s\n", n, n == 1 ? "" : "s");
    else
        say(judging, "    %s: %s\n", rd_verdict_name(verdict), text);
    count_annotation(judging, of, n);
    count(judging, verdict);
    report(judging, &(struct rd_played_verdict){file, of, verdict, n, NULL, text});
}

/* ---- laws ---- */

static void say_violation(const struct rd_played_judging *judging,
                          const struct rd_played_loop *loop)
{
    char text[RD_SENTENCE_SIZE];
    say(judging, "    VIOLATED: %s\n", rd_played_violation_text(loop, text));
}

/* The obligations of a loop that the driver doesn't play. */
static void say_plain(const struct rd_played_judging *judging, const struct rd_played_loop *loop)
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
    const struct rd_played_judging *judging = self;
    const struct rd_played *played = judging->played;
    (void)run, (void)error;
    for (size_t k = 0; k < played->n_findings; k++)
        if (strcmp(played->findings[k].message, hazard->message) == 0)
            played->findings[k].told = true;
    return RD_OK;
}

/* Plays the loop for those who look on. */
static enum rd_status show(struct rd_played_judging *judging, const struct rd_played_loop *loop,
                           bool traced)
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
        status = rd_playback_run(judging, loop, observers, &result);
    const enum rd_status closed =
        rd_trace_writer_close(writer, status == RD_OK ? judging->error : NULL);
    rd_text_view_destroy(view);
    judging->summary->traced = judging->summary->traced || traced;
    return status == RD_OK ? closed : status;
}

/* The one of an annotation's executions that is shown: the first that is violated, or open, or else the first. */
static const struct rd_played_loop *worst(const struct rd_played_judging *judging,
                                          const struct rd_annotation *of)
{
    const struct rd_played_loop *found = NULL;
    for (size_t k = 0; k < judging->n_loops; k++) {
        const struct rd_played_loop *loop = &judging->loops[k];
        if (of ? loop->annotation != of : rd_played_is_once(loop) || !loop->program)
            continue;
        if (!found || (loop->verdict != found->verdict &&
                       rd_verdict_worst(loop->verdict, found->verdict) == loop->verdict))
            found = loop;
    }
    return found;
}

/* Says "reached 3 times: 1 violated" where it was reached more than once; returns how often. */
static size_t say_executions(const struct rd_played_judging *judging,
                             const struct rd_annotation *of)
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
static void say_evidence(const struct rd_played_judging *judging, const struct rd_played_loop *loop,
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

static void say_block(const struct rd_played_judging *judging, const struct rd_played_event *event)
{
    say(judging, "    in ");
    if (event->warp != UINT64_MAX)
        say(judging, "warp %" PRIu64 " of ", event->warp);
    say(judging, "block %" PRIu64 " of launch %" PRIu64 "\n", event->block, event->launches);
}

/* How "=" was asserted, where that is not of bits. */
static const char *how_of(const struct rd_played_loop *loop, char text[RD_HOW_SIZE])
{
    const char *law = loop->annotation->law;
    const bool rounds = strpbrk(law, "+-*^") || strstr(law, "sum") || strstr(law, "product");
    const struct rd_step_foot foot = {
        .is_float = rounds && rd_numeric(loop->evaluations[0]->array.type)->is_float,
        .any_order = true,
        .widest = loop->result.outcome.deviation.limit};
    return rd_asserted_how(&foot, text);
}

static enum rd_status tell_law(struct rd_played_judging *judging, const struct rd_annotations *file,
                               const struct rd_annotation *of, const struct rd_played_loop *traced)
{
    const struct rd_played_loop *loop = worst(judging, of);
    char how[RD_HOW_SIZE];
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
    else if (!rd_played_is_once(loop) && loop->is_plain)
        say_plain(judging, loop);
    else if (!rd_played_is_once(loop))
        status = show(judging, loop, loop == traced);
    else if (loop->verdict == RD_VIOLATED)
        say_violation(judging, loop);
    else
        say(judging, "    %s%s\n", loop->verdict == RD_HOLDS ? "HOLDS" : "INCONCLUSIVE: ",
            loop->verdict == RD_HOLDS ? how_of(loop, how)
            : loop->why.text[0]       ? loop->why.text
                                      : "not all of it was asserted");
    if (status == RD_OK && !rd_played_is_once(loop) && !loop->is_plain && loop->program &&
        loop->verdict == RD_VIOLATED && loop->result.violated &&
        loop->result.violation.step < loop->n &&
        rd_played_is_unwritten(loop->evaluations[loop->result.violation.step],
                               loop->result.violation.cell))
        say(judging, "    %s[%zu] is not initialised there: what it holds is the simulator's\n",
            of->array.expression, loop->result.violation.cell);
    if (!rd_played_is_once(loop) && (loop->program || loop->is_plain) && loop->n_tables > 0 &&
        loop->result.obligations[RD_EXIT] == RD_HOLDS)
        say(judging, "    its exit was looked at for the numbers that the inputs have in this run: "
                     "conditions of the law speak of them\n");
    if (loop->ends_empty && loop->program && loop->verdict == RD_HOLDS)
        say(judging, "    behind the last round the law claims no cell: what that round makes is "
                     "not asserted\n");
    if (!rd_played_is_once(loop) && loop->program && loop->verdict == RD_INCONCLUSIVE &&
        loop->why.text[0])
        say(judging, "    INCONCLUSIVE%s: %s\n", *loop->result.undefined_by ? "" : " all the same",
            loop->why.text);
    struct rd_evidence evidence;
    char sentence[RD_SENTENCE_SIZE];
    if (status == RD_OK && (loop->program || loop->is_plain) && loop->verdict == RD_VIOLATED &&
        rd_played_explain(judging->played, judging->options, loop, &evidence))
        say_evidence(judging, loop, rd_evidence_text(&evidence, RD_OPERATION_SUM, sentence));
    if ((loop->program || loop->is_plain) && !rd_played_is_once(loop) && loop->open[0])
        say(judging, "    %s: %s\n",
            loop->is_unasked ? "its exit is not asserted" : "exit stays open", loop->open);
    report(judging, &(struct rd_played_verdict){file, of, loop->verdict, n, loop, ""});
    return status;
}

/* ---- all ---- */

static bool is_reached(const struct rd_played *played, const struct rd_annotation *of)
{
    for (size_t k = 0; k < played->n_events; k++)
        if (played->events[k].site == of->site)
            return true;
    return false;
}

static enum rd_status tell(struct rd_played_judging *judging, const struct rd_annotations *file,
                           const struct rd_annotation *of, const struct rd_played_loop *traced)
{
    if (of->kind == RD_ANNOTATION_INPUT)
        return RD_OK;
    if (is_reached(judging->played, of) && rd_played_is_law(of))
        return tell_law(judging, file, of, traced);
    if (is_reached(judging->played, of)) {
        tell_condition(judging, file, of);
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

enum rd_status rd_played_tell(struct rd_played_judging *judging)
{
    const struct rd_played *played = judging->played;
    if (played->unsound) {
        say(judging, "INCONCLUSIVE: what the program told of its run can't be trusted: %s\n",
            played->why.text);
        return RD_OK;
    }
    const struct rd_played_loop *traced = worst(judging, NULL);
    enum rd_status status = RD_OK;
    for (size_t f = 0; f < played->n_files && status == RD_OK; f++)
        for (size_t k = 0; k < played->files[f].n && status == RD_OK; k++)
            status = tell(judging, &played->files[f], &played->files[f].all[k], traced);
    return status;
}
