// SPDX-License-Identifier: MIT
/* Verdicts on the annotations of a recorded run. */
#include "base/array.h"
#include "check/playback/played_internal.h"
#include "program/definition.h"
#include "reductio/law.h"
#include "reductio/summary.h"
#include "run/assertion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is asserted ---- */

/* The execution of a loop that the event is of; NULL where it is the first of one. */
static struct rd_played_loop *loop_of(struct rd_played_judging *judging,
                                      const struct rd_played_event *event)
{
    for (size_t k = judging->n_loops; k-- > 0 && event->instance > 0;) {
        struct rd_played_loop *loop = &judging->loops[k];
        if (loop->evaluations[0]->site == event->site &&
            loop->evaluations[0]->instance == event->instance)
            return loop;
    }
    return NULL;
}

static struct rd_played_loop *add_loop(struct rd_played_judging *judging,
                                       const struct rd_annotation *of,
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

static enum rd_status collect(struct rd_played_judging *judging)
{
    const struct rd_played *played = judging->played;
    for (size_t k = 0; k < played->n_events; k++) {
        const struct rd_annotations *file = NULL;
        const struct rd_played_event *event = &played->events[k];
        const struct rd_annotation *of = rd_played_annotation(played, event->site, &file);
        if (!rd_played_is_law(of))
            continue;
        struct rd_played_loop *loop = loop_of(judging, event);
        if (!loop)
            loop = add_loop(judging, of, file);
        if (!loop || !add_evaluation(loop, event, k))
            return rd_fail(judging->error, RD_ERROR_MEMORY, "no memory for annotations");
    }
    return RD_OK;
}

/* ---- laws ---- */

/* Asserts it without the driver, which asserts cells from 0 on, at one distance. */
static void judge_plain(struct rd_played_judging *judging, struct rd_played_loop *loop)
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
    loop->verdict = rd_played_is_once(loop) ? loop->result.obligations[RD_INITIALIZATION]
                                            : loop->result.verdict;
    judging->summary->cells += loop->result.cells;
}

/* Tells whether the array that violates the law is the one of the run with the program's own inputs: the program has
 * not taken the other inputs. */
static bool ignores_other_inputs(const struct rd_played_judging *judging,
                                 const struct rd_played_loop *loop)
{
    const struct rd_played *own = judging->options->own;
    const unsigned step = loop->result.violation.step;
    if (!own || loop->verdict != RD_VIOLATED || loop->n_inputs == 0 || !loop->result.violated ||
        step >= loop->n)
        return false;
    const struct rd_played_event *at = loop->evaluations[step];
    const struct rd_played_event *was = rd_played_same_event(own, judging->played, at);
    return was && rd_played_same_array(was, at);
}

/* Takes back what was asserted. */
static void make_inconclusive(struct rd_played_judging *judging, struct rd_played_loop *loop)
{
    judging->summary->cells -= loop->result.cells;
    rd_program_release(loop->program);
    loop->program = NULL;
    loop->is_plain = false;
    loop->result = (struct rd_result){.verdict = RD_INCONCLUSIVE};
    for (int k = 0; k < RD_OBLIGATION_COUNT; k++)
        loop->result.obligations[k] = RD_INCONCLUSIVE;
    loop->verdict = RD_INCONCLUSIVE;
}

/* Leaves open what is violated by inputs that were set behind where the program takes them. */
static void leave_late_open(struct rd_played_judging *judging, struct rd_played_loop *loop)
{
    char text[RD_SENTENCE_SIZE];
    if (ignores_other_inputs(judging, loop))
        snprintf(text, sizeof text,
                 "%.100s is what it was with the program's own inputs: 'input' stands behind where "
                 "they were taken",
                 loop->annotation->array.expression);
    else if (!rd_played_is_late(judging, loop, text))
        return;
    make_inconclusive(judging, loop);
    snprintf(loop->why.text, sizeof loop->why.text, "%s", text);
}

/* Leaves open what holds only as the run went: a hazard has left it to chance. The driver, which played it back, has done so
 * already. */
static void doubt(const struct rd_played_judging *judging, struct rd_played_loop *loop)
{
    char text[RD_SENTENCE_SIZE];
    const bool is_doubted = *loop->result.undefined_by && loop->verdict == RD_INCONCLUSIVE;
    if ((loop->verdict != RD_HOLDS && !is_doubted) ||
        !rd_played_doubt(judging->played, loop->last, text))
        return;
    loop->verdict = RD_INCONCLUSIVE;
    rd_obligations_doubt(loop->result.obligations);
    if (!loop->why.text[0])
        snprintf(loop->why.text, sizeof loop->why.text, "%s", text);
}

/* Finds a cell that the law claims at an evaluation, and that another block or a stream writes; SIZE_MAX where there is none. */
static size_t cell_of_others(struct rd_law_run *run, const struct rd_law *law,
                             const struct rd_played_event *event, size_t d)
{
    const struct rd_law_place place = {.d = d};
    struct rd_law_cells cells;
    size_t found = SIZE_MAX;
    if (event->n_of_others == 0 || rd_law_cells_init(&cells, run, rd_law_section(law, 0), &place,
                                                     RD_LAW_NO_INPUT, NULL) != RD_OK)
        return SIZE_MAX;
    for (size_t k = 0; k < cells.count && found == SIZE_MAX; k++)
        for (size_t pair = 0; pair + 1 < event->n_of_others; pair += 2)
            if (cells.cells[k] >= event->of_others[pair] &&
                cells.cells[k] < event->of_others[pair + 1])
                found = cells.cells[k];
    rd_law_cells_finish(&cells);
    return found;
}

/* Leaves open what was asserted of cells that other blocks write, or a stream: in another order, they may hold something else. */
static void leave_others_open(struct rd_played_judging *judging, struct rd_played_loop *loop)
{
    const struct rd_law_sizes sizes = {.n = loop->size, .T = 1};
    struct rd_law *law = NULL;
    struct rd_law_run *run = NULL;
    size_t d = 0, cell = SIZE_MAX;
    while (d < loop->n && loop->evaluations[d]->n_of_others == 0)
        d++;
    if (d == loop->n || !loop->paragraph || rd_law_create(&law, loop->paragraph, NULL) != RD_OK ||
        rd_law_run_create(&run, law, &sizes, NULL) != RD_OK)
        d = loop->n;
    for (; d < loop->n && cell == SIZE_MAX; d++)
        cell = cell_of_others(run, law, loop->evaluations[d], d);
    rd_law_run_destroy(run);
    rd_law_destroy(law);
    if (cell == SIZE_MAX)
        return;
    make_inconclusive(judging, loop);
    const char *array = loop->annotation->array.expression,
               *pending = loop->evaluations[d - 1]->pending;
    if (pending)
        snprintf(loop->why.text, sizeof loop->why.text,
                 "%.100s[%zu] may still be written by %.600s, for which the host has not waited: "
                 "what it holds here is not said",
                 array, cell, pending);
    else
        snprintf(loop->why.text, sizeof loop->why.text,
                 "another block has written %s[%zu], and nothing orders that with the law: in "
                 "another order of blocks it may hold something else",
                 array, cell);
}

/* Notes whether the law claims a cell behind the last round. */
static enum rd_status on_step(void *self, const struct rd_run *run, const struct rd_step *step,
                              struct rd_error *error)
{
    struct rd_played_loop *loop = self;
    (void)run, (void)error;
    loop->ends_empty = step->number > 0 && step->number + 1 == loop->n && step->n_asserted == 0;
    return RD_OK;
}

/* Tells whether a product of factors as large or as small as the inputs may leave the type's range on the way. */
static bool may_leave_range(const struct rd_played_loop *loop)
{
    const struct rd_numeric *numeric = rd_numeric(loop->evaluations[0]->array.type);
    double binary_digits = 0;
    if (!numeric->is_float || !strstr(loop->annotation->law, "product of"))
        return false;
    for (unsigned k = 0; k < loop->n_inputs; k++)
        for (size_t j = 0; j < loop->inputs[k]->array.count; j++) {
            const double x = numeric->to_double(numeric->load(loop->inputs[k]->array.cells, j));
            binary_digits += isfinite(x) && x != 0 ? fabs(log2(fabs(x))) : 0;
        }
    return binary_digits >= log2(numeric->largest) - 2;
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
static enum rd_status judge_loop(struct rd_played_judging *judging, struct rd_played_loop *loop)
{
    loop->verdict = RD_INCONCLUSIVE;
    const struct rd_observer steps = {.self = loop, .step = on_step};
    const struct rd_observer *const observers[] = {&steps, NULL};
    enum rd_status status = rd_played_loop_make(judging->played, loop, judging->error);
    if (status == RD_OK && loop->program)
        status = rd_playback_run(judging, loop, observers, &loop->result);
    if (status == RD_ERROR_USAGE || status == RD_ERROR_INPUT || status == RD_ERROR_DEVICE) {
        loop->why = *judging->error; /* a law without a value, mostly */
        rd_program_release(loop->program);
        loop->program = NULL;
        status = RD_OK;
    }
    if (status != RD_OK)
        return status;
    if (loop->paragraph &&
        (!loop->program || (rd_played_is_once(loop) &&
                            loop->result.obligations[RD_INITIALIZATION] == RD_INCONCLUSIVE))) {
        judge_plain(judging, loop);
    } else if (loop->program) {
        loop->verdict = rd_played_is_once(loop) ? loop->result.obligations[RD_INITIALIZATION]
                                                : loop->result.verdict;
        judging->summary->cells += loop->result.cells;
    }
    if (loop->verdict == RD_HOLDS && rd_played_is_once(loop) && loop->is_counted && loop->program &&
        rd_numeric(loop->evaluations[0]->array.type)->is_float) {
        judging->summary->cells -= loop->result.cells;
        judge_plain(judging, loop); /* numbers of elements are exact */
    }
    leave_late_open(judging, loop);
    if (loop->program || loop->is_plain)
        leave_others_open(judging, loop);
    if (loop->verdict == RD_VIOLATED && may_leave_range(loop)) {
        loop->verdict = RD_INCONCLUSIVE;
        snprintf(loop->why.text, sizeof loop->why.text,
                 "some of the factors may have a product too large or too small for the type");
    }
    doubt(judging, loop);
    name_element(&loop->why);
    cut_place(loop->why.text);
    cut_place(loop->open);
    cut_place(loop->untraced.text);
    return RD_OK;
}

enum rd_verdict rd_played_judge_alone(const struct rd_played *played, size_t number,
                                      const struct rd_played_loop *like)
{
    const struct rd_played_options options = {.hazards_off = true};
    struct rd_played_summary summary = {0};
    struct rd_error error;
    struct rd_played_judging judging = {
        .played = played, .options = &options, .summary = &summary, .error = &error};
    enum rd_verdict verdict = RD_INCONCLUSIVE;
    if (!played->unsound && collect(&judging) == RD_OK && number < judging.n_loops) {
        struct rd_played_loop *loop = &judging.loops[number];
        const bool is_same = loop->annotation->site == like->annotation->site &&
                             loop->evaluations[0]->block == like->evaluations[0]->block &&
                             loop->evaluations[0]->warp == like->evaluations[0]->warp;
        if (is_same && judge_loop(&judging, loop) == RD_OK)
            verdict = loop->verdict;
    }
    for (size_t k = 0; k < judging.n_loops; k++)
        rd_played_loop_finish(&judging.loops[k]);
    free(judging.loops);
    return verdict;
}

enum rd_status rd_played_judge(const struct rd_played *played,
                               const struct rd_played_options *options,
                               struct rd_played_summary *summary, struct rd_error *error)
{
    struct rd_played_judging judging = {
        .played = played, .options = options, .summary = summary, .error = error};
    *summary = (struct rd_played_summary){.verdict = RD_INCONCLUSIVE};
    enum rd_status status = played->unsound ? RD_OK : collect(&judging);
    for (size_t k = 0; k < judging.n_loops && status == RD_OK; k++)
        status = judge_loop(&judging, &judging.loops[k]);
    if (status == RD_OK)
        status = rd_played_tell(&judging);
    for (size_t k = 0; k < judging.n_loops; k++)
        rd_played_loop_finish(&judging.loops[k]);
    free(judging.loops);
    return status;
}
