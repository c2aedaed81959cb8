// SPDX-License-Identifier: MIT
/* Texts that lie over the screen: a cell, hazards, a thread's accesses. */
#include "view/step/commands.h"
#include "reductio/operation.h"
#include "view/parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- differences of sets ---- */

/* Differences between the inputs in a cell and those that must be in it, or that were. */

bool rd_step_sets_same(const struct rd_input_set *x, const struct rd_input_set *y)
{
    enum { SET_SIZE = 4096 };
    char one[SET_SIZE], other[SET_SIZE];
    return strcmp(rd_input_set_text(x, one, sizeof one),
                  rd_input_set_text(y, other, sizeof other)) == 0;
}

bool rd_step_surplus(const struct rd_input_set *set, const struct rd_input_set *other,
                     struct rd_input_set *surplus)
{
    memset(surplus, 0, sizeof *surplus);
    if (set->count > RD_INPUT_SET_MAX || other->count > RD_INPUT_SET_MAX)
        return false;
    for (size_t k = 0; k < set->count; k++) {
        int64_t more = set->times[k] - rd_input_set_times(other, set->index[k]);
        if (more > 0)
            rd_input_set_add(surplus, set->index[k], more);
    }
    return surplus->count > 0;
}

/* ---- details ---- */

/* The contents of a cell, hazards, and a thread's accesses: the texts that lie over the screen. */

enum { SET_SIZE = 4096 }; /* of a set that is shown whole */

/* ---- a cell ---- */

/* Tells whether the cell holds other inputs than it must, as far as that is known. */
static bool by_luck(struct rd_stepper *stepper)
{
    struct rd_input_set actual, expected;
    return rd_history_set(stepper->history, stepper->frame, stepper->cell, &actual, &expected,
                          NULL) == RD_OK &&
           !rd_step_sets_same(&actual, &expected);
}

/* Prints what the user's own law says of the cell. */
static void print_law(struct rd_stepper *stepper, FILE *out)
{
    const struct rd_candidate_look *look = rd_stepper_law_look(stepper);
    char text[RD_VALUE_TEXT_SIZE];
    if (!look || look->marks[stepper->cell] == RD_CANDIDATE_UNSAID)
        return;
    rd_step_law_cell_text(&stepper->law, look, stepper->cell, text, sizeof text);
    fprintf(out, "your law     says %s%s\n", text,
            look->marks[stepper->cell] == RD_CANDIDATE_IS_NOT ? ", and it is not that" : "");
}

static void print_values(struct rd_stepper *stepper, FILE *out)
{
    struct rd_history_cell cell;
    struct rd_error error;
    const struct rd_frame *frame = rd_stepper_frame(stepper);
    const struct rd_numeric *numeric = stepper->about->numeric;
    char text[RD_VALUE_TEXT_SIZE], wraps[RD_STEP_WRAPS_SIZE];
    if (rd_history_cell(stepper->history, stepper->frame, stepper->cell, &cell, &error) != RD_OK) {
        fprintf(out, "%s\n", error.text);
        return;
    }
    bool off = stepper->run && !stepper->run->frame;
    const char *dead = frame->inside ? "dead: nothing is asserted of it at a checkpoint"
                       : off         ? "dead: nothing is asserted of it, with --frame off"
                                     : "dead: the round must leave it alone";
    fprintf(out, "%s\n", cell.live ? "live: the invariant claims it" : dead);
    if (cell.live)
        fprintf(out, "  %s\n", frame->statement);
    if (cell.known) {
        rd_cell_text(numeric, stepper->about->a, stepper->about->n_a, cell.value, text);
        fprintf(out, "holds        %s%s", text, cell.changed ? " (changed)" : "");
        if (cell.put)
            fprintf(out, ", put there by you at step %u", cell.put->step);
        fputc('\n', out);
    } else {
        fprintf(out, "holds        not known: %s\n", rd_stepper_unknown_text(stepper));
    }
    if (cell.expected_known) {
        rd_cell_text(numeric, stepper->about->a, stepper->about->n_a, cell.expected, text);
        fprintf(out, "must hold    %s\n", text);
        if (rd_stepper_wraps_text(stepper, wraps)[0] != '\0')
            fprintf(out, "which is     %s, as %s wraps\n", wraps, numeric->name);
    }
    if (cell.known && cell.expected_known)
        fprintf(out, "it is        %s\n",
                cell.wrong                      ? "wrong"
                : cell.live && by_luck(stepper) ? "right by its value only: its inputs differ"
                                                : "right");
    print_law(stepper, out);
    if (numeric->is_float && cell.expected_known)
        fprintf(out, "%s\n", rd_float_text(stepper->about->program, numeric));
    const struct rd_deviation *deviation = &cell.deviation;
    if (isinf(deviation->exact))
        fprintf(out, "exactly      %g\n", deviation->exact);
    else if (deviation->exact != 0 || deviation->error != 0 || deviation->limit != 0)
        fprintf(out, "exactly      %.17g; the error is %.3g, the bound allows %.3g\n",
                deviation->exact, deviation->error, deviation->limit);
}

/* Prints the inputs that are more often in `set` than in `other`. */
static void print_surplus(FILE *out, const char *label, const struct rd_input_set *set,
                          const struct rd_input_set *other)
{
    struct rd_input_set surplus;
    char text[SET_SIZE];
    if (rd_step_surplus(set, other, &surplus))
        fprintf(out, "%-12s %s\n", label, rd_input_set_text(&surplus, text, sizeof text));
}

static void print_sets(struct rd_stepper *stepper, FILE *out)
{
    struct rd_input_set actual, expected;
    struct rd_error error;
    char text[SET_SIZE];
    fprintf(out, "\n%s, by a run on witness values\n",
            rd_operation_selects(stepper->about->numeric->operation)
                ? "inputs that it was chosen from"
                : "inputs in it");
    if (rd_history_set(stepper->history, stepper->frame, stepper->cell, &actual, &expected,
                       &error) != RD_OK) {
        fprintf(out, "  not known: %s\n", error.text);
        return;
    }
    fprintf(out, "holds        %s\n", rd_input_set_text(&actual, text, sizeof text));
    fprintf(out, "must hold    %s\n", rd_input_set_text(&expected, text, sizeof text));
    print_surplus(out, "was lost", &expected, &actual);
    print_surplus(out, "too much", &actual, &expected);
}

static void print_node(const struct rd_stepper *stepper, const struct rd_origin *node, FILE *out)
{
    char value[RD_VALUE_TEXT_SIZE], text[RD_ORIGIN_TEXT_SIZE];
    fprintf(out, "%*s%s[%" PRId64 "]", (int)(2 * node->depth), "", node->array,
            (int64_t)node->index);
    /* For witness values, the sets say it better. */
    if (node->kind != RD_ORIGIN_OUTSIDE && !stepper->about->witness) {
        rd_cell_text(stepper->about->numeric, stepper->about->a, stepper->about->n_a, node->value,
                     value);
        fprintf(out, " = %s", value);
    }
    fprintf(out, "  %s\n", rd_origin_text(node, text));
}

static void print_origin(struct rd_stepper *stepper, FILE *out)
{
    enum { NODES_MAX = 1023 };
    struct rd_origin *nodes = calloc(NODES_MAX, sizeof *nodes);
    struct rd_origins tree;
    struct rd_error error = {"no memory for the tree"};
    char text[RD_ORIGIN_TEXT_SIZE];
    fprintf(out, "\nhow it came there: each value over those that it was made of\n");
    if (!nodes || rd_history_origin(stepper->history, stepper->frame, stepper->cell, nodes,
                                    NODES_MAX, &tree, &error) != RD_OK) {
        fprintf(out, "  not known: %s\n", error.text);
    } else {
        fprintf(out, "%s\n", rd_origins_text(&tree, text));
        for (size_t k = 0; k < tree.count; k++)
            print_node(stepper, &nodes[k], out);
    }
    free(nodes);
}

static char *closed(FILE *out, char **text)
{
    if (fclose(out) == 0)
        return *text;
    free(*text);
    return NULL;
}

char *rd_stepper_details_text(struct rd_stepper *stepper)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    print_values(stepper, out);
    print_sets(stepper, out);
    print_origin(stepper, out);
    return closed(out, &text);
}

/* ---- hazards ---- */

/* Lists hazards, those of this round first. */
char *rd_stepper_hazards_text(const struct rd_stepper *stepper)
{
    size_t first, here = rd_stepper_hazards(stepper, &first);
    size_t all = rd_history_hazards(stepper->history);
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    const struct rd_result *result = &stepper->about->result;
    if (here == 0 && all == 0 && result->hazards_by == RD_HAZARDS_BY_LAUNCH)
        fprintf(out, "told with the launch, of which the rounds are parts: 'reductio run' tells "
                     "them\n");
    else if (here == 0 && all == 0 && result->hazards_by == RD_HAZARDS_BY_NOBODY)
        fprintf(out, "not looked for\n");
    else if (here == 0)
        fprintf(out, "none %s\n", all > 0 ? "here" : "in the whole run");
    for (size_t k = 0; k < all; k++) {
        size_t at = k < here ? first + k : k - here < first ? k - here : k;
        const struct rd_history_hazard *hazard = rd_history_hazard(stepper->history, at);
        fprintf(out, "%s%s round %-4u %s: %s\n", k > 0 || here == 0 ? "\n" : "",
                k < here ? ">" : " ", hazard->step, hazard->name, hazard->message);
    }
    return closed(out, &text);
}

/* ---- the proof ---- */

char *rd_stepper_proof_text(struct rd_stepper *stepper)
{
    const struct rd_step_proof *proof = &stepper->proof;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    proof->print(proof->self, stepper->history, stepper->frame, stepper->cell, out);
    return closed(out, &text);
}

/* ---- a thread ---- */

char *rd_stepper_trace_text(struct rd_stepper *stepper, size_t *line)
{
    const struct rd_log *log = rd_stepper_log(stepper);
    const struct rd_access_thread *thread = &log->list.threads[stepper->thread];
    char *text = NULL, access_text[RD_ACCESS_TEXT_SIZE], line_text[RD_LINE_TEXT_SIZE];
    size_t size, lines = 1;
    unsigned interval = rd_log_access(log, thread->first)->interval;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fprintf(out, "thread %u of block %" PRIu64 "\n", thread->thread, thread->block);
    for (size_t k = 0; k < thread->count; k++) {
        const struct rd_access *access = rd_log_access(log, thread->first + k);
        if (access->interval != interval) {
            fprintf(out, "  -- barrier --\n");
            lines++;
        }
        interval = access->interval;
        if (k == stepper->access)
            *line = lines;
        fprintf(out, "%s %-7s %-24s", k == stepper->access ? ">" : " ", rd_access_verb(access->op),
                rd_log_text(log, access, access_text));
        if (access->line > 0)
            fprintf(out, " %s", rd_line_text(access->line, access->file, line_text));
        fputc('\n', out);
        lines++;
    }
    return closed(out, &text);
}
