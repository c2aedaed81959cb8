// SPDX-License-Identifier: MIT
/* Inputs that were told too late. Where a law is violated with other inputs, and holds with the program's own, some elements may
 * have been taken before their annotation sets them. The program is run again, each time with other values for some elements
 * alone: those that change nothing, and that the law asks for, were taken before. One by which something else becomes of the array
 * than the law says is the program's mistake. */
#include "check/playback/played_internal.h"
#include "element/operation_table.h"
#include "reductio/operation.h"

#include <stdlib.h>
#include <string.h>

enum { RUNS_MAX = 48 };

struct late {
    const struct rd_played_judging *judging;
    const struct rd_played_loop *loop;
    size_t number;                                 /* of the loop */
    const struct rd_played_event *own;             /* the array with the program's own inputs */
    const struct rd_played_event *own_input, *set; /* the input as it was, and as it was set */
    unsigned runs;
    bool wrong, found;
    size_t first, last; /* of the elements that were found */
};

static bool is_same_place(const struct rd_played_event *x, const struct rd_played_event *y)
{
    return x->site == y->site && x->instance == y->instance && x->evaluation == y->evaluation &&
           x->block == y->block && x->warp == y->warp;
}

const struct rd_played_event *rd_played_same_event(const struct rd_played *other,
                                                   const struct rd_played *played,
                                                   const struct rd_played_event *event)
{
    size_t before = 0;
    for (const struct rd_played_event *one = played->events; one < event; one++)
        before += is_same_place(one, event);
    for (size_t k = 0; k < other->n_events; k++)
        if (is_same_place(&other->events[k], event) && before-- == 0)
            return &other->events[k];
    return NULL;
}

bool rd_played_same_array(const struct rd_played_event *x, const struct rd_played_event *y)
{
    return !x->lack && !y->lack && x->array.type == y->array.type &&
           x->array.count == y->array.count &&
           memcmp(x->array.cells, y->array.cells,
                  x->array.count * rd_numeric(x->array.type)->size_bytes) == 0;
}

/* ---- what the law asks for ---- */

/* The operation by which the law takes elements: a sum where it has none. */
static enum rd_operation operation_of(const char *law)
{
#define OF(name, NAME, selects, integers) #name " of",
    static const char *const names[] = {RD_OPERATIONS_OVER(OF) NULL};
#undef OF
#define OF(name, NAME, selects, integers) RD_OPERATION_##NAME,
    static const enum rd_operation operations[] = {RD_OPERATIONS_OVER(OF)};
#undef OF
    for (size_t k = 0; names[k]; k++)
        if (strstr(law, names[k]))
            return operations[k];
    return RD_OPERATION_SUM;
}

/* Sets elements to what adds nothing to a cell. */
static void leave_out(const struct late *late, size_t first, size_t last, void *cells)
{
    const struct rd_numeric *numeric = rd_numeric(late->own_input->array.type);
    enum rd_operation operation = operation_of(late->loop->annotation->law);
    rd_bits nothing = 0;
    operation = operation == RD_OPERATION_ARGMIN   ? RD_OPERATION_MIN
                : operation == RD_OPERATION_ARGMAX ? RD_OPERATION_MAX
                                                   : operation;
    if (!rd_operation_identity(operation, numeric, &nothing))
        nothing = 0;
    for (size_t k = first; k < last; k++)
        numeric->store(cells, k, nothing);
}

/* Tells whether the array would be another one by the law without these of the program's own elements: as the law holds of them,
 * the program has taken them. */
static bool are_asked_for(const struct late *late, size_t first, size_t last)
{
    const struct rd_played *own = late->judging->options->own;
    const struct rd_played_array *input = &late->own_input->array;
    const size_t size = input->count * rd_numeric(input->type)->size_bytes;
    struct rd_played changed = *own;
    void *cells = malloc(size);
    enum rd_verdict verdict = RD_INCONCLUSIVE;
    changed.events = malloc(own->n_events * sizeof *own->events);
    if (cells && changed.events) {
        memcpy(cells, input->cells, size);
        leave_out(late, first, last, cells);
        memcpy(changed.events, own->events, own->n_events * sizeof *own->events);
        changed.events[late->own_input - own->events].array.cells = cells;
        verdict = rd_played_judge_alone(&changed, late->number, late->loop);
    }
    free(changed.events);
    free(cells);
    return verdict == RD_VIOLATED;
}

/* ---- runs ---- */

/* Runs the program with its own inputs, but for these elements of one. False where it can't be run so. */
static bool run(struct late *late, size_t first, size_t last, struct rd_played *again)
{
    const struct rd_played_again *by = late->judging->options->again;
    const struct rd_played_array *input = &late->own_input->array;
    const size_t elem_bytes = rd_numeric(input->type)->size_bytes, size = input->count * elem_bytes;
    unsigned char *values = malloc(size);
    struct rd_error error;
    bool has_run = false;
    if (values && late->runs++ < RUNS_MAX) {
        memcpy(values, input->cells, size);
        memcpy(values + first * elem_bytes,
               (const unsigned char *)late->set->array.cells + first * elem_bytes,
               (last - first) * elem_bytes);
        has_run = rd_played_store(input, input->count, values) &&
                  by->run(by->own, late->own_input->site, values,
                          rd_played_bytes(input, input->count), again, &error) == RD_OK;
    }
    free(values);
    return has_run;
}

/* Looks for elements in [first, last) that were taken before. */
static void look(struct late *late, size_t first, size_t last)
{
    const struct rd_played *own = late->judging->options->own;
    struct rd_played again;
    if (late->wrong || late->found || !run(late, first, last, &again))
        return;
    const struct rd_played_event *now = rd_played_same_event(&again, own, late->own);
    const bool holds = rd_played_judge_alone(&again, late->number, late->loop) == RD_HOLDS;
    const bool is_own = now && rd_played_same_array(now, late->own);
    rd_played_finish(&again);
    if (holds)
        return;
    if (is_own && are_asked_for(late, first, last)) {
        late->found = true;
        late->first = first;
        late->last = last;
    } else if (last - first == 1) {
        late->wrong = !is_own;
    } else {
        const size_t middle = first + (last - first) / 2;
        look(late, first, middle);
        look(late, middle, last);
    }
}

/* Makes known what the input was, and what it was set to; false where it was not set. */
static bool begin_input(struct late *late, const struct rd_played_event *input)
{
    const struct rd_played *own = late->judging->options->own;
    const struct rd_played *played = late->judging->played;
    if (input < played->events || input >= played->events + played->n_events)
        return false; /* of another type than the array */
    late->set = input;
    late->own_input = rd_played_same_event(own, played, input);
    return late->own_input && !late->own_input->lack &&
           late->own_input->array.type == input->array.type &&
           late->own_input->array.count == input->array.count &&
           !rd_played_same_array(late->own_input, input);
}

/* The event of the input that the loop has converted, or the input itself. */
static const struct rd_played_event *told_input(const struct late *late, unsigned k)
{
    const struct rd_played *played = late->judging->played;
    const struct rd_played_event *input = late->loop->inputs[k], *last = NULL;
    if (input != late->loop->converted[k])
        return input;
    for (const struct rd_played_event *one = late->loop->evaluations[0]; one-- > played->events;)
        if (one->site == input->site && !last)
            last = one;
    return last ? last : input;
}

bool rd_played_is_late(const struct rd_played_judging *judging, const struct rd_played_loop *loop,
                       char text[RD_SENTENCE_SIZE])
{
    struct late late = {
        .judging = judging, .loop = loop, .number = (size_t)(loop - judging->loops)};
    const struct rd_played *own = judging->options->own;
    const unsigned step = loop->result.violation.step;
    if (!own || !judging->options->again || loop->verdict != RD_VIOLATED || step >= loop->n ||
        loop->n_tables > 0)
        return false;
    late.own = rd_played_same_event(own, judging->played, loop->evaluations[step]);
    if (!late.own || late.own->lack || rd_played_judge_alone(own, late.number, loop) != RD_HOLDS)
        return false;
    for (unsigned k = 0; k < loop->n_inputs && !late.found && !late.wrong; k++)
        if (begin_input(&late, told_input(&late, k)))
            look(&late, 0, late.own_input->array.count);
    if (!late.found || late.wrong)
        return false;
    const char *input = late.own_input->annotation->array.expression;
    char elements[200];
    if (late.last - late.first == 1)
        snprintf(elements, sizeof elements, "%.100s[%zu]", input, late.first);
    else if (late.last - late.first == late.own_input->array.count)
        snprintf(elements, sizeof elements, "%.100s", input);
    else
        snprintf(elements, sizeof elements, "%.100s[%zu] to %.100s[%zu]", input, late.first, input,
                 late.last - 1);
    snprintf(text, RD_SENTENCE_SIZE,
             "with other values for %s alone, %.100s is what it was with the program's own inputs: "
             "'input' at line %u stands behind where they were taken",
             elements, loop->annotation->array.expression, late.own_input->annotation->line);
    return true;
}
