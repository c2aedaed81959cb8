// SPDX-License-Identifier: MIT
#include "trace/diff_side.h"
#include "trace/fields.h"
#include "device/kernel_names.h"

/* A last block comes to a few checkpoints; of a trace with more, the others stay where they are. */
enum { PUT_OFF_MAX = 256 };

/* The invariant at the checkpoint that a step or a violation names; NULL where it names none. */
static const struct rd_point_invariant *point_of(const struct rd_diff_side *side,
                                                 const json_t *object)
{
    const json_t *checkpoint = json_object_get(object, "checkpoint");
    const char *name = json_string_value(json_object_get(checkpoint, "point"));
    enum rd_point point;
    if (!side->program || !name || !rd_point_named(name, &point))
        return NULL;
    return rd_program_point(side->program, point);
}

const struct rd_point_invariant *rd_diff_side_point(const struct rd_diff_side *side)
{
    return point_of(side, side->reader.record);
}

/* Which block was the last does not count. */
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
    const struct rd_point_invariant *point = rd_diff_side_point(side);
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

enum rd_status rd_diff_side_next(struct rd_diff_side *side, struct rd_error *error)
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

void rd_diff_side_finish(struct rd_diff_side *side)
{
    json_decref(side->put_off);
    json_decref(side->round);
    rd_trace_run_finish(&side->run);
    rd_trace_reader_finish(&side->reader);
}
