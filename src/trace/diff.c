// SPDX-License-Identifier: MIT
#include "program/definition.h"
#include "trace/diff_hazards.h"
#include "trace/record.h"
#include "trace/json.h"
#include "device/kernel_names.h"
#include "reductio/operation.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* One of two traces that are compared: its records in an order that both have. Private to src/trace. */

/* Begins as {0}. */
struct rd_diff_side {
    struct rd_trace_reader reader; /* its present record is the side's */
    struct rd_trace_run run;
    bool without_checkpoints; /* they are passed over */

    /* Checkpoints of the last block, put off until the round's record, and that. */
    json_t *put_off;
    size_t n_given; /* of those */
    json_t *round;
    enum rd_trace_kind round_kind;
};

/* A last block comes to a few checkpoints; of a trace with more, the others stay where they are. */
enum { PUT_OFF_MAX = 256 };

/* The invariant at the checkpoint that a step or a violation names; NULL where it names none. */
static const struct rd_point_invariant *point_of(const struct rd_diff_side *side,
                                                 const json_t *object)
{
    const json_t *checkpoint = json_object_get(object, "checkpoint");
    const char *name = json_string_value(json_object_get(checkpoint, "point"));
    enum rd_point point;
    if (!side->run.program || !name || !rd_point_named(name, &point))
        return NULL;
    return rd_program_point(side->run.program, point);
}

/* The program's invariant at the present record's checkpoint; NULL where it is none. */
static const struct rd_point_invariant *diff_side_point(const struct rd_diff_side *side)
{
    return point_of(side, side->reader.record);
}

/* Drops the number of the last block, which may differ. */
static void forget_block(const struct rd_diff_side *side, json_t *object)
{
    const struct rd_point_invariant *point = point_of(side, object);
    if (point && point->of_last_block)
        json_object_set_new(json_object_get(object, "checkpoint"), "block", json_integer(0));
}

static bool is_checkpoint(const struct rd_trace_reader *reader)
{
    return reader->kind == RD_RECORD_STEP && rd_trace_has(reader->record, "checkpoint");
}

/* Puts the present record off, where it is of the last block. */
static bool put_off(struct rd_diff_side *side)
{
    const struct rd_point_invariant *point = diff_side_point(side);
    if (!is_checkpoint(&side->reader) || !point || !point->of_last_block ||
        json_array_size(side->put_off) == PUT_OFF_MAX)
        return false;
    if (!side->put_off)
        side->put_off = json_array();
    return json_array_append(side->put_off, side->reader.record) == 0;
}

static void present(struct rd_trace_reader *reader, json_t *record, enum rd_trace_kind kind)
{
    json_decref(reader->record);
    reader->record = record;
    reader->kind = kind;
}

/* The next of those that were put off, and in the end what they were put off until. */
static void give(struct rd_diff_side *side)
{
    if (side->n_given < json_array_size(side->put_off)) {
        present(&side->reader, json_incref(json_array_get(side->put_off, side->n_given++)),
                RD_RECORD_STEP);
        return;
    }
    present(&side->reader, side->round, side->round_kind);
    side->round = NULL;
    side->n_given = 0;
    json_array_clear(side->put_off);
}

/* Goes on to the next record. A round's checkpoints come block by block; where blocks draw tickets, and the
 * one with the last goes on, its checkpoints come behind those of all blocks, and 'block' is 0: which block
 * it was is left open by CUDA. Errors as rd_trace_reader_next. */
static enum rd_status diff_side_next(struct rd_diff_side *side, struct rd_error *error)
{
    enum rd_status status;
    if (side->n_given > 0) {
        give(side);
        return RD_OK;
    }
    do {
        status = rd_trace_reader_next(&side->reader, error);
        if (status != RD_OK)
            return status;
        forget_block(side, side->reader.record);
        forget_block(side, json_object_get(side->reader.record, "violation"));
    } while ((side->without_checkpoints && is_checkpoint(&side->reader)) || put_off(side));
    if (json_array_size(side->put_off) > 0 && !is_checkpoint(&side->reader)) {
        side->round = json_incref(side->reader.record);
        side->round_kind = side->reader.kind;
        give(side);
    }
    return RD_OK;
}

static void diff_side_finish(struct rd_diff_side *side)
{
    json_decref(side->put_off);
    json_decref(side->round);
    rd_trace_run_finish(&side->run);
    rd_trace_reader_finish(&side->reader);
}

/* Two traces side by side, record by record, until they differ. */

struct comparison {
    struct rd_diff_side left, right;
    struct rd_error *error;
    struct rd_trace_difference *found;
    size_t pass;        /* of the last step compared; 0 but in witness runs */
    bool other_headers; /* the steps can't be compared */
    bool other_blocks;  /* rounds and checkpoints can't: the sides pass over these */
};

/* ---- telling ---- */

static void differ(struct comparison *comparison, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void differ(struct comparison *comparison, const char *format, ...)
{
    struct rd_trace_difference *found = comparison->found;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(found->what, sizeof found->what, format, arguments);
    va_end(arguments);
    found->differs = true;
}

static void at_step(struct comparison *comparison, size_t pass, unsigned step)
{
    comparison->found->in_step = true;
    comparison->found->pass = pass;
    comparison->found->step = step;
}

/* The checkpoint that the present record of a side is of, for people: "block 1, warp 0, w = 16". */
static void at_place(struct comparison *comparison, const struct rd_diff_side *side,
                     const struct rd_place *place)
{
    const struct rd_point_invariant *point = diff_side_point(side);
    char block[32] = "the last block", warp[24] = "";
    if (!point || !point->of_last_block)
        snprintf(block, sizeof block, "block %" PRIu64, place->block);
    if (place->warp != RD_WHOLE_BLOCK)
        snprintf(warp, sizeof warp, ", warp %d", place->warp);
    snprintf(comparison->found->place, sizeof comparison->found->place, "%s%s, %s = %" PRIu64,
             block, warp, point ? point->variable : "variable", place->variable);
}

/* A member of a record's header: of sums none is named. */
static json_t *member_of(const json_t *record, const char *key)
{
    json_t *member = json_object_get(record, key);
    if (member || strcmp(key, "op") != 0)
        return json_incref(member);
    return json_string(rd_operation_name(RD_OPERATION_SUM));
}

/* JSON as text, or a dash where there is none. */
static void json_text(const json_t *json, char *text, size_t size)
{
    char *dump = json ? json_dumps(json, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
    snprintf(text, size, "%s", dump ? dump : "-");
    free(dump);
}

/* Compares some members of the two present records. */
static void compare_members(struct comparison *comparison, const char *const *keys)
{
    for (; *keys && !comparison->found->differs; keys++) {
        const json_t *left = json_object_get(comparison->left.reader.record, *keys);
        const json_t *right = json_object_get(comparison->right.reader.record, *keys);
        char left_text[48], right_text[48];
        if (json_equal(left, right) || (!left && !right))
            continue;
        json_text(left, left_text, sizeof left_text);
        json_text(right, right_text, sizeof right_text);
        differ(comparison, "%s: %s and %s", *keys, left_text, right_text);
    }
}

/* Adds to the list of the headers' differences, where they differ and there is room. Of texts it has the first line that
 * differs. */
static void add_header(struct comparison *comparison, const char *of, const char *key, json_t *left,
                       json_t *right)
{
    struct rd_trace_difference *found = comparison->found;
    char left_text[48], right_text[48];
    if (json_equal(left, right) || (!left && !right) || found->n_header == RD_TRACE_HEADER_MAX)
        return;
    if (json_is_string(left) && json_is_string(right)) {
        const char *x = json_string_value(left), *y = json_string_value(right);
        size_t line = 0;
        for (size_t k = 0; x[k] && x[k] == y[k]; k++)
            line = x[k] == '\n' ? k + 1 : line;
        left = json_string(x + line);
        right = json_string(y + line);
    } else {
        json_incref(left);
        json_incref(right);
    }
    json_text(left, left_text, sizeof left_text);
    json_text(right, right_text, sizeof right_text);
    snprintf(found->header[found->n_header++], sizeof found->header[0], "%s%s: %s and %s", of, key,
             left_text, right_text);
    json_decref(left);
    json_decref(right);
}

static void compare_headers(struct comparison *comparison, const char *const *keys)
{
    for (; *keys; keys++) {
        json_t *left = member_of(comparison->left.reader.record, *keys);
        json_t *right = member_of(comparison->right.reader.record, *keys);
        add_header(comparison, "", *keys, left, right);
        json_decref(left);
        json_decref(right);
    }
}

/* The members of what the two traces define. */
static void compare_definitions(struct comparison *comparison)
{
    const json_t *left = json_object_get(comparison->left.reader.record, "definition");
    const json_t *right = json_object_get(comparison->right.reader.record, "definition");
    add_header(comparison, "definition.", "goal", json_object_get(left, "goal"),
               json_object_get(right, "goal"));
    for (const struct rd_program_member *m = rd_program_members; m->name; m++)
        if (strncmp(m->name, "source_", strlen("source_")) != 0) /* it says nothing of the run */
            add_header(comparison, "definition.", m->name, json_object_get(left, m->name),
                       json_object_get(right, m->name));
}

/* Tells whether two whole programs, as a right and a wrong version of one, have loops of one law, launches apart. */
static bool have_one_law(const struct rd_diff_side *left, const struct rd_diff_side *right)
{
    const struct rd_program *x = left->run.program, *y = right->run.program;
    if (!x || !y || !x->played || !y->played)
        return false;
    const char *of_x = rd_program_law(x), *of_y = rd_program_law(y);
    const char *end_x = strstr(of_x, "\nlaunch "), *end_y = strstr(of_y, "\nlaunch ");
    const size_t length = end_x ? (size_t)(end_x - of_x) : strlen(of_x);
    return length == (end_y ? (size_t)(end_y - of_y) : strlen(of_y)) &&
           strncmp(of_x, of_y, length) == 0;
}

/* ---- states ---- */

/* The first recorded cell in which two states of the same shape differ; their count if none. */
static size_t first_difference(const struct rd_numeric *numeric, const struct rd_trace_state *left,
                               const struct rd_trace_state *right)
{
    size_t kept = left->n_head + left->n_tail, k = 0;
    while (k < kept && numeric->same(numeric->load(left->cells, k), numeric->load(right->cells, k)))
        k++;
    return k;
}

/* With the input that it names, where the trace has that. */
static void cell_text(const struct rd_trace_run *run, const struct rd_numeric *numeric,
                      rd_bits value, char text[RD_VALUE_TEXT_SIZE])
{
    const bool cut = run->a.n_head + run->a.n_tail < run->a.count;
    rd_cell_text(numeric, cut ? NULL : run->a.cells, run->a.count, value, text);
}

/* A state of `array`, which is called `name`; its cell k is the array's cell k * stride. */
static void compare_states(struct comparison *comparison, const char *name, const char *array,
                           const struct rd_trace_state *left, const struct rd_trace_state *right,
                           size_t stride)
{
    const struct rd_numeric *numeric = comparison->left.run.numeric;
    struct rd_trace_difference *found = comparison->found;
    if (strcmp(array, "a") == 0 || strcmp(array, "b") == 0)
        numeric = numeric->inputs;
    size_t left_kept = left->n_head + left->n_tail, right_kept = right->n_head + right->n_tail;
    if (found->differs)
        return;
    if (left->count != right->count || left->whole != right->whole) {
        differ(comparison, "%s: %zu cells%s and %zu cells%s", name, left->count,
               left->whole ? ", the whole array," : "", right->count,
               right->whole ? ", the whole array" : "");
        return;
    }
    if (left->n_head != right->n_head || left->n_tail != right->n_tail) {
        differ(comparison, "%s: %zu and %zu of its %zu cells were recorded", name, left_kept,
               right_kept, left->count);
        return;
    }
    size_t k = first_difference(numeric, left, right);
    if (k < left_kept) {
        found->in_cell = true;
        snprintf(found->array, sizeof found->array, "%s", array);
        found->cell = rd_trace_state_index(left, k) * stride;
        cell_text(&comparison->left.run, numeric, numeric->load(left->cells, k), found->left);
        cell_text(&comparison->right.run, numeric, numeric->load(right->cells, k), found->right);
        differ(comparison, "%s: cell %zu: %s and %s", name, found->cell, found->left, found->right);
    } else if (left->digest != right->digest) {
        differ(comparison, "%s: the digests of its cells: %016" PRIx64 " and %016" PRIx64, name,
               left->digest, right->digest);
    }
}

/* ---- records ---- */

static enum rd_status compare_runs(struct comparison *comparison)
{
    /* All but the device, whose results are what is to be compared. */
    static const char *const programs[] = {"program", NULL};
    static const char *const arrays[] = {"n", "type", "op", "frame", "witness", NULL};
    static const char *const blocks[] = {"block", "grid", NULL};
    static const char *const inputs[] = {"values", "seed", "undefined_by", NULL};
    struct rd_trace_run *left = &comparison->left.run, *right = &comparison->right.run;
    enum rd_status status = rd_trace_read_run(&comparison->left.reader, left, comparison->error);
    if (status == RD_OK)
        status = rd_trace_read_run(&comparison->right.reader, right, comparison->error);
    if (status != RD_OK)
        return status;
    compare_headers(comparison, programs);
    unsigned before = comparison->found->n_header;
    compare_headers(comparison, arrays);
    comparison->other_headers =
        comparison->found->n_header > before ||
        (before > 0 && !have_one_law(&comparison->left, &comparison->right));
    before = comparison->found->n_header;
    compare_headers(comparison, blocks);
    comparison->other_blocks = comparison->found->n_header > before;
    comparison->left.without_checkpoints = comparison->other_blocks;
    comparison->right.without_checkpoints = comparison->other_blocks;
    compare_headers(comparison, inputs);
    compare_definitions(comparison);
    if (comparison->other_headers)
        return RD_OK;
    compare_states(comparison, "input a", "a", &left->a, &right->a, 1);
    if (!left->b.cells != !right->b.cells && !comparison->found->differs)
        differ(comparison, "input b: only one of them has it");
    compare_states(comparison, "input b", "b", &left->b, &right->b, 1);
    return RD_OK;
}

/* < 0 where the first of two steps comes before the other; 0 where both are at the same place. Within a
 * round checkpoints come block by block, and then the round itself. */
static int by_place(const struct rd_trace_step *x, const struct rd_trace_step *y)
{
    const uint64_t keys[][2] = {
        {x->pass, y->pass},
        {x->number, y->number},
        {!x->inside, !y->inside},
        {x->place.block, y->place.block},
        {x->place.number, y->place.number},
        {(uint64_t)(x->place.warp + 1), (uint64_t)(y->place.warp + 1)},
    };
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (keys[k][0] != keys[k][1])
            return keys[k][0] < keys[k][1] ? -1 : 1;
    return 0;
}

/* Compares places. Where they differ, the step that comes first is in its trace only. */
static bool compare_places(struct comparison *comparison, const struct rd_trace_step *left,
                           const struct rd_trace_step *right)
{
    int order = by_place(left, right);
    const struct rd_trace_step *first = order < 0 ? left : right;
    if (order == 0 || (!left->inside && !right->inside))
        return true;
    if (first->inside)
        at_place(comparison, order < 0 ? &comparison->left : &comparison->right, &first->place);
    at_step(comparison, first->pass, first->number);
    differ(comparison, "only the %s trace has this %s", order < 0 ? "first" : "second",
           first->inside ? "checkpoint" : "step");
    return false;
}

static void compare_same_place(struct comparison *comparison, const struct rd_trace_step *left,
                               const struct rd_trace_step *right)
{
    static const char *const place[] = {"pass", "step", "checkpoint", "present", "claim", NULL};
    static const char *const rest[] = {"statement", "verdict",   "asserted",
                                       "unbounded", "violation", NULL};
    static const char *const round[] = {"round", NULL};
    static const char *const looked_at[] = {"unchanged", NULL};
    const bool both_looked = comparison->left.reader.minor >= RD_TRACE_MINOR_LOOKED &&
                             comparison->right.reader.minor >= RD_TRACE_MINOR_LOOKED;
    const struct rd_point_invariant *point = diff_side_point(&comparison->left);
    compare_members(comparison, place);
    compare_states(comparison, "state", point ? point->array : "A", &left->state, &right->state,
                   left->state.whole ? 1 : left->claim.stride);
    if (!comparison->other_blocks)
        compare_members(comparison, round);
    compare_members(comparison, rest);
    if (both_looked)
        compare_members(comparison, looked_at);
    if (!comparison->found->differs)
        return;
    at_step(comparison, left->pass, left->number);
    if (left->inside)
        at_place(comparison, &comparison->left, &left->place);
}

static enum rd_status compare_steps(struct comparison *comparison)
{
    struct rd_trace_step left = {0}, right = {0};
    enum rd_status status = rd_trace_read_step(&comparison->left.reader, &comparison->left.run,
                                               &left, comparison->error);
    if (status == RD_OK)
        status = rd_trace_read_step(&comparison->right.reader, &comparison->right.run, &right,
                                    comparison->error);
    comparison->pass = left.pass;
    if (status == RD_OK && compare_places(comparison, &left, &right))
        compare_same_place(comparison, &left, &right);
    rd_trace_step_finish(&left);
    rd_trace_step_finish(&right);
    return status;
}

/* The numbers that the two runs end with, where both traces are of versions that tell. */
static void compare_outcomes(struct comparison *comparison, const struct rd_trace_result *left,
                             const struct rd_trace_result *right)
{
    const char *name = left->outcome_name ? left->outcome_name : right->outcome_name;
    bool both_tell = comparison->left.reader.minor >= RD_TRACE_MINOR_OUTCOME &&
                     comparison->right.reader.minor >= RD_TRACE_MINOR_OUTCOME;
    if (comparison->found->differs || !name)
        return;
    if (!left->outcome_name || !right->outcome_name) {
        if (both_tell)
            differ(comparison, "outcome: only one of them has a number, %.40s", name);
    } else if (strcmp(left->outcome_name, right->outcome_name) != 0 ||
               !rd_trace_same_outcome(left->outcome, right->outcome)) {
        differ(comparison, "outcome: %.20s = %.17g and %.20s = %.17g", left->outcome_name,
               left->outcome, right->outcome_name, right->outcome);
    }
}

static enum rd_status compare_results(struct comparison *comparison)
{
    static const char *const keys[] = {"verdict",   "steps",    "hazards",
                                       "violation", "evidence", NULL};
    static const char *const obligations[] = {"obligations", NULL};
    static const char *const inside[] = {"checkpoints", "cells", "truncated", NULL};
    bool left_tells = comparison->left.reader.minor >= RD_TRACE_MINOR_UNDEFINED;
    bool right_tells = comparison->right.reader.minor >= RD_TRACE_MINOR_UNDEFINED;
    struct rd_trace_result left, right;
    enum rd_status status = rd_trace_read_result(&comparison->left.reader, &comparison->left.run,
                                                 &left, comparison->error);
    if (status == RD_OK)
        status = rd_trace_read_result(&comparison->right.reader, &comparison->right.run, &right,
                                      comparison->error);
    if (status != RD_OK)
        return status;
    compare_members(comparison, keys);
    if (left_tells == right_tells || left.hazards == 0)
        compare_members(comparison, obligations);
    if (!comparison->other_blocks)
        compare_members(comparison, inside);
    compare_outcomes(comparison, &left, &right);
    return RD_OK;
}

/* The two have records of different kinds: one of them is longer, or they went different ways. */
static void compare_kinds(struct comparison *comparison)
{
    static const char *const articles[][2] = {
        {"step", "a step"},         {"checkpoint", "a checkpoint"},
        {"verdict", "its verdict"}, {"interrupted", "its interruption"},
        {"run", "a run"},
    };
    const struct rd_diff_side *sides[] = {&comparison->left, &comparison->right};
    char names[2][64];
    for (int s = 0; s < 2; s++) {
        const json_t *name = json_object_get(sides[s]->reader.record, "record");
        const json_t *step = json_object_get(sides[s]->reader.record, "step");
        const json_t *pass = json_object_get(sides[s]->reader.record, "pass");
        const char *word = name ? json_string_value(name) : "its end", *said = word;
        for (size_t k = 0; k < sizeof articles / sizeof *articles; k++)
            if (strcmp(articles[k][0], word) == 0)
                said = articles[k][1];
        snprintf(names[s], sizeof names[s], "%s", said);
        if (sides[s]->reader.kind == RD_RECORD_STEP && json_is_integer(step))
            at_step(comparison, (size_t)json_integer_value(pass),
                    (unsigned)json_integer_value(step));
    }
    differ(comparison, "where the first trace has %s, the second has %s", names[0], names[1]);
}

static enum rd_status compare_records(struct comparison *comparison)
{
    enum rd_trace_kind kind = comparison->left.reader.kind;
    if (kind != comparison->right.reader.kind) {
        compare_kinds(comparison);
        return RD_OK;
    }
    switch (kind) {
    case RD_RECORD_RUN:
        return compare_runs(comparison);
    case RD_RECORD_STEP:
        return compare_steps(comparison);
    case RD_RECORD_VERDICT:
    case RD_RECORD_INTERRUPTED:
        return compare_results(comparison);
    default:
        return RD_OK;
    }
}

/* Goes on to the next record of both that is no hazard, and compares the hazards before it. */
static enum rd_status next_of_both(struct comparison *comparison)
{
    struct rd_diff_side *const sides[] = {&comparison->left, &comparison->right};
    json_t *hazards[] = {json_array(), json_array()};
    enum rd_status status = RD_OK;
    for (unsigned k = 0; k < 2 && status == RD_OK; k++)
        do
            status = diff_side_next(sides[k], comparison->error);
        while (status == RD_OK && sides[k]->reader.kind == RD_RECORD_HAZARD &&
               json_array_append(hazards[k], sides[k]->reader.record) == 0);
    if (status == RD_OK)
        rd_trace_diff_hazards(hazards[0], hazards[1], comparison->found);
    json_decref(hazards[0]);
    json_decref(hazards[1]);
    return status;
}

static enum rd_status compare_all(struct comparison *comparison)
{
    struct rd_trace_difference *found = comparison->found;
    enum rd_status status;
    do {
        status = next_of_both(comparison);
        if (status == RD_OK)
            status = compare_records(comparison);
    } while (status == RD_OK && !found->differs && !comparison->other_headers &&
             comparison->left.reader.kind != RD_RECORD_NONE);
    if (status == RD_OK && !found->differs && found->n_header > 0) {
        found->only_header = true;
        found->steps_left_out = comparison->other_headers;
        differ(comparison, "%s", found->header[0]);
    }
    if (status == RD_OK && !found->differs && found->n_hazards > 0) {
        found->only_hazards = true;
        differ(comparison, "%s", found->hazards[0]);
    }
    return status;
}

enum rd_status rd_trace_diff(const char *left, const char *right,
                             struct rd_trace_difference *difference, struct rd_error *error)
{
    struct rd_trace_difference found = {0};
    struct comparison comparison = {.error = error, .found = &found};
    enum rd_status status = rd_trace_reader_init(&comparison.left.reader, left, error);
    if (status != RD_OK)
        return status;
    status = rd_trace_reader_init(&comparison.right.reader, right, error);
    if (status != RD_OK)
        goto out;
    status = compare_all(&comparison);
    if (status == RD_OK)
        *difference = found;
out:
    diff_side_finish(&comparison.left);
    diff_side_finish(&comparison.right);
    return status;
}
