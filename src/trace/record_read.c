// SPDX-License-Identifier: MIT
#include "trace/json.h"
#include "device/kernel_names.h"
#include "program/definition.h"
#include "program/program_law.h"
#include "trace/record.h"
#include "reductio/hazards.h"
#include "reductio/operation.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The array is as large as it says: who asserts it knows better. */
#define ANY_COUNT SIZE_MAX

enum { WARP_MAX = 1 << 20 };

/* Appends an array of cells behind the first `filled`. */
static void read_cells(struct rd_trace_fields *in, const json_t *array,
                       const struct rd_numeric *numeric, void *cells, size_t filled)
{
    size_t count = json_array_size(array);
    for (size_t k = 0; k < count; k++) {
        rd_bits bits = 0;
        if (!rd_trace_bits(numeric, json_array_get(array, k), &bits))
            rd_trace_fields_refuse(in, "cell %zu is not a value of type %s", filled + k,
                                   numeric->name);
        numeric->store(cells, filled + k, bits);
    }
}

static uint64_t get_digest(struct rd_trace_fields *in, const json_t *object)
{
    const char *text = rd_trace_get_string(in, object, "digest");
    if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
        rd_trace_fields_refuse(in, "'digest' is not of 16 hexadecimal digits");
    return strtoull(text, NULL, 16);
}

/* An array of `count` cells, or the live cells of one. What is allocated follows from what is in
 * the line, never from what the line says of itself. */
static void read_state(struct rd_trace_fields *in, const json_t *object, size_t count,
                       const struct rd_numeric *numeric, struct rd_trace_state *state)
{
    bool cut = !rd_trace_has(object, "cells");
    const json_t *head = rd_trace_get_array(in, object, cut ? "head" : "cells"), *tail = NULL;
    struct rd_trace_state s = {.n_head = json_array_size(head)};
    s.count = rd_trace_get_size(in, object, "count");
    s.whole = rd_trace_get_bool(in, object, "whole");
    if (cut) {
        tail = rd_trace_get_array(in, object, "tail");
        s.n_tail = json_array_size(tail);
        s.digest = get_digest(in, object);
    }
    size_t kept = s.n_head + s.n_tail;
    if (count == ANY_COUNT)
        count = s.count;
    if (s.count != count)
        rd_trace_fields_refuse(in, "'count' of a state is %zu, and should be %zu", s.count, count);
    if (cut ? kept >= count : kept != count)
        rd_trace_fields_refuse(in, "a state has %zu cells%s, and its 'count' is %zu", kept,
                               cut ? " in head and tail" : "", count);
    if (in->status)
        return;
    s.cells = malloc((kept + 1) * numeric->size_bytes); /* + 1: NULL is no memory, never no cell */
    if (!s.cells) {
        in->status = rd_fail(in->error, RD_ERROR_MEMORY, "no memory for %zu cells of '%s'", kept,
                             in->reader->path);
        return;
    }
    read_cells(in, head, numeric, s.cells, 0);
    read_cells(in, tail, numeric, s.cells, s.n_head);
    *state = s;
}

size_t rd_trace_state_index(const struct rd_trace_state *state, size_t k)
{
    return k < state->n_head ? k : state->count - state->n_tail + (k - state->n_head);
}

bool rd_trace_state_is_cut(const struct rd_trace_state *state)
{
    return state->n_head + state->n_tail < state->count;
}

static void read_input(struct rd_trace_fields *in, const json_t *input, struct rd_trace_run *run)
{
    read_state(in, rd_trace_get_object(in, input, "a"), run->n_a, run->numeric->inputs, &run->a);
    if (rd_trace_has(input, "b"))
        read_state(in, rd_trace_get_object(in, input, "b"), run->n_b, run->numeric->inputs,
                   &run->b);
    if (!run->a.whole || (run->b.cells && !run->b.whole))
        rd_trace_fields_refuse(in, "'input' has an array that is not whole");
}

static void read_witness(struct rd_trace_fields *in, const json_t *witness,
                         struct rd_trace_run *run)
{
    run->passes = rd_trace_get_uint(in, witness, "passes", 1, SIZE_MAX);
    run->digit_bits = (unsigned)rd_trace_get_uint(in, witness, "digit_bits", 1, 64);
    if (run->numeric->type != RD_TYPE_U64)
        rd_trace_fields_refuse(in, "'type' is %s, and witness values are u64", run->numeric->name);
}

/* The type with the operation; of sums none is named. */
static const struct rd_numeric *get_type(struct rd_trace_fields *in, const json_t *record)
{
    const char *name = rd_trace_get_string(in, record, "type");
    const struct rd_numeric *numeric = rd_numeric_named(name);
    if (!numeric)
        rd_trace_fields_refuse(in, "'type' is \"%.20s\": not one that this reader knows", name);
    if (!numeric || !rd_trace_has(record, "op"))
        return numeric ? numeric : rd_numeric(RD_TYPE_U64);
    const char *op = rd_trace_get_string(in, record, "op");
    enum rd_operation operation;
    struct rd_error why;
    if (!rd_operation_named(op, &operation))
        rd_trace_fields_refuse(in, "'op' is \"%.20s\": not one that this reader knows", op);
    else if (rd_operation_over(operation, numeric->type, &numeric, &why) != RD_OK)
        rd_trace_fields_refuse(in, "'op' does not fit: %s", why.text);
    return numeric;
}

static enum rd_hazards_by get_hazards_by(struct rd_trace_fields *in, const json_t *record,
                                         enum rd_hazards_by otherwise)
{
    enum rd_hazards_by by = otherwise;
    if (!rd_trace_has(record, "hazards_by"))
        return otherwise;
    const char *name = rd_trace_get_string(in, record, "hazards_by");
    if (!rd_hazards_by_named(name, &by))
        rd_trace_fields_refuse(in, "'hazards_by' is \"%.20s\": not sim, off, sanitizer or launch",
                               name);
    return by;
}

/* A member that is a name; 0 where it has none, or one that is unknown. */
static uint64_t get_named(struct rd_trace_fields *in, const json_t *object,
                          const struct rd_program_member *member)
{
    const char *name = rd_trace_get_string(in, object, member->name);
    const struct rd_numeric *numeric = rd_numeric_named(name);
    enum rd_operation operation;
    if (member->kind == RD_MEMBER_TYPE && numeric)
        return numeric->type;
    if (member->kind == RD_MEMBER_OPERATION && rd_operation_named(name, &operation))
        return operation;
    rd_trace_fields_refuse(in, "'%s' is \"%.20s\": not one that this reader knows", member->name,
                           name);
    return 0;
}

/* Makes the program that the record defines, of which then all is known that is of one of the library's. */
static const struct rd_program *read_definition(struct rd_trace_fields *in, const json_t *record,
                                                const char *name)
{
    struct rd_program program = {.size = sizeof program, .name = name};
    const struct rd_program *defined = NULL;
    struct rd_error why;
    const json_t *object = rd_trace_get_object(in, record, "definition");
    const char *goal = rd_trace_get_string(in, object, "goal");
    if (!rd_goal_named(goal, &program.goal))
        rd_trace_fields_refuse(in, "'goal' is \"%.20s\", and no program has that", goal);
    for (const struct rd_program_member *m = rd_program_members; m->name; m++) {
        const uint64_t most = m->kind == RD_MEMBER_SIZE ? SIZE_MAX : UINT_MAX;
        if (!rd_trace_has(object, m->name))
            continue;
        if (m->kind == RD_MEMBER_TEXT)
            rd_member_set_text(&program, m, rd_trace_get_string(in, object, m->name));
        else if (m->kind == RD_MEMBER_FLAG)
            rd_member_set_number(&program, m, rd_trace_get_bool(in, object, m->name));
        else if (m->kind == RD_MEMBER_TYPE || m->kind == RD_MEMBER_OPERATION)
            rd_member_set_number(&program, m, get_named(in, object, m));
        else
            rd_member_set_number(&program, m, rd_trace_get_uint(in, object, m->name, 0, most));
    }
    if (!in->status && rd_program_define(&program, &defined, &why) != RD_OK)
        rd_trace_fields_refuse(in, "'definition': %s", why.text);
    return defined;
}

/* Finds the arrays' sizes by the run's program. A program that is not known here, or would not run like this, is
 * refused later. */
static void count_elements(struct rd_trace_run *run)
{
    const struct rd_program *program = run->program;
    run->n_cells = run->n_a = run->n_b = run->n;
    run->shape = (struct rd_shape){run->n, run->block, run->grid};
    if (!program || rd_program_accept(program, &run->shape, NULL) != RD_OK)
        return;
    run->shape = rd_program_shape(program, run->shape);
    run->n_cells = rd_program_cells(program, &run->shape);
    run->n_a = rd_program_inputs(program, &run->shape);
    run->n_b = rd_program_has_b(program) ? rd_program_inputs_b(program, &run->shape) : run->n;
}

/* The blocks that were observed: all, where the record names none. */
static void read_blocks(struct rd_trace_fields *in, const json_t *record, struct rd_blocks *blocks)
{
    blocks->all = !rd_trace_has(record, "blocks");
    if (blocks->all)
        return;
    const json_t *object = rd_trace_get_object(in, record, "blocks");
    const json_t *listed = rd_trace_get_array(in, object, "listed");
    blocks->last = rd_trace_get_bool(in, object, "last");
    if (json_array_size(listed) > RD_BLOCKS_MAX)
        rd_trace_fields_refuse(in, "'listed' has more than %d blocks", RD_BLOCKS_MAX);
    for (size_t k = 0; k < json_array_size(listed) && k < RD_BLOCKS_MAX; k++) {
        const json_t *block = json_array_get(listed, k);
        const json_int_t last = k == 0 ? -1 : (json_int_t)blocks->block[k - 1];
        if (!json_is_integer(block) || json_integer_value(block) <= last)
            rd_trace_fields_refuse(in, "'listed' is not of blocks in their order, each once");
        blocks->block[blocks->count++] = (size_t)json_integer_value(block);
    }
    if (blocks->count == 0 && !blocks->last)
        rd_trace_fields_refuse(in, "'blocks' names none, of whose checkpoints nothing would be "
                                   "asserted");
}

/* A block that the grid does not have would be one whose checkpoints nobody asserts; and the grid's last is
 * named one way. */
static void refuse_blocks(struct rd_trace_fields *in, const struct rd_trace_run *run)
{
    size_t most = run->blocks.last ? run->shape.grid - 1 : run->shape.grid;
    if (run->blocks.count > 0 && run->shape.grid > 0 &&
        run->blocks.block[run->blocks.count - 1] >= most)
        rd_trace_fields_refuse(in, "'listed' names block %zu, and the grid has %zu%s",
                               run->blocks.block[run->blocks.count - 1], run->shape.grid,
                               run->blocks.last ? ", the last of which is named by 'last'" : "");
}

enum rd_status rd_trace_read_run(const struct rd_trace_reader *reader, struct rd_trace_run *run,
                                 struct rd_error *error)
{
    const json_t *record = reader->record;
    struct rd_trace_fields in = {.reader = reader, .error = error};
    struct rd_trace_run r = {
        .program_name = rd_trace_get_string(&in, record, "program"),
        .n = (size_t)rd_trace_get_uint(&in, record, "n", 1, SIZE_MAX),
        .numeric = get_type(&in, record),
        .device = rd_trace_get_string(&in, rd_trace_get_object(&in, record, "device"), "name"),
        .values = rd_trace_get_string(&in, record, "values"),
        .block = (unsigned)rd_trace_get_uint(&in, record, "block", 1, UINT_MAX),
        .frame = rd_trace_get_bool(&in, record, "frame"),
        .hazards_by = get_hazards_by(&in, record, RD_HAZARDS_BY_SIM),
    };
    const char *described =
        json_string_value(json_object_get(json_object_get(record, "device"), "description"));
    r.described = described ? described : "";
    r.has_seed = rd_trace_has(record, "seed");
    if (r.has_seed)
        r.seed = rd_trace_get_uint(&in, record, "seed", 0, UINT64_MAX);
    r.simulated = rd_device_simulates(r.device);
    if (rd_trace_has(record, "undefined_by"))
        r.undefined_by = rd_trace_get_string(&in, record, "undefined_by");
    if (rd_trace_has(record, "grid"))
        r.grid = (size_t)rd_trace_get_uint(&in, record, "grid", 1, SIZE_MAX);
    r.program = rd_trace_has(record, "definition") ? read_definition(&in, record, r.program_name)
                                                   : rd_program_named(r.program_name);
    count_elements(&r);
    read_blocks(&in, record, &r.blocks);
    refuse_blocks(&in, &r);
    if (rd_trace_has(record, "witness"))
        read_witness(&in, rd_trace_get_object(&in, record, "witness"), &r);
    else
        read_input(&in, rd_trace_get_object(&in, record, "input"), &r);
    if (r.passes == 0 && strcmp(r.values, "witness") == 0)
        rd_trace_fields_refuse(&in, "'values' is \"witness\", and there is no 'witness' beside it");
    if (in.status)
        rd_trace_run_finish(&r);
    else
        *run = r;
    return in.status;
}

void rd_trace_run_finish(struct rd_trace_run *run)
{
    free(run->a.cells);
    free(run->b.cells);
    rd_program_release(run->program);
    *run = (struct rd_trace_run){0};
}

static void read_round(struct rd_trace_fields *in, const json_t *round,
                       struct rd_trace_round *result)
{
    const json_t *width = rd_trace_get_object(in, round, "width");
    *result = (struct rd_trace_round){
        .number = rd_trace_get_unsigned(in, round, "number"),
        .kernel = rd_trace_get_string(in, round, "kernel"),
        .width_name = rd_trace_get_string(in, width, "name"),
        .width = rd_trace_get_size(in, width, "value"),
        .grid = rd_trace_get_size(in, round, "grid"),
        .block = rd_trace_get_unsigned(in, round, "block"),
        .threads = rd_trace_get_size(in, round, "threads"),
    };
    if (rd_trace_has(round, "grid_y"))
        result->grid_y = rd_trace_get_unsigned(in, round, "grid_y");
    if (rd_trace_has(round, "block_y"))
        result->block_y = rd_trace_get_unsigned(in, round, "block_y");
}

/* The checkpoint of a record, where it has one. */
static bool read_place(struct rd_trace_fields *in, const json_t *record, struct rd_place *place)
{
    if (!rd_trace_has(record, "checkpoint"))
        return false;
    const json_t *json = rd_trace_get_object(in, record, "checkpoint");
    const char *point = rd_trace_get_string(in, json, "point");
    *place = (struct rd_place){
        .block = rd_trace_get_uint(in, json, "block", 0, UINT64_MAX),
        .warp = RD_WHOLE_BLOCK,
        .number = rd_trace_get_unsigned(in, json, "number"),
        .variable = rd_trace_get_uint(in, json, "variable", 0, UINT64_MAX),
    };
    if (rd_trace_has(json, "warp"))
        place->warp = (int)rd_trace_get_uint(in, json, "warp", 0, WARP_MAX);
    if (!rd_point_named(point, &place->point))
        rd_trace_fields_refuse(in, "'point' is \"%.60s\": not one that this version knows", point);
    return true;
}

/* Reads the distance of a float from the exact sum; 0 in all if the object has none. */
static void read_deviation(struct rd_trace_fields *in, const json_t *object,
                           struct rd_deviation *deviation)
{
    const struct rd_numeric *f64 = rd_numeric(RD_TYPE_F64);
    if (!rd_trace_has(object, "deviation"))
        return;
    const json_t *json = rd_trace_get_object(in, object, "deviation");
    *deviation = (struct rd_deviation){
        .exact = f64->to_double(rd_trace_get_value(in, json, "exact", f64)),
        .error = f64->to_double(rd_trace_get_value(in, json, "error", f64)),
        .limit = f64->to_double(rd_trace_get_value(in, json, "limit", f64)),
    };
}

/* The violation of a record, where it has one. */
static bool read_violation(struct rd_trace_fields *in, const json_t *record,
                           const struct rd_numeric *numeric, struct rd_violation *violation)
{
    if (!rd_trace_has(record, "violation"))
        return false;
    const json_t *json = rd_trace_get_object(in, record, "violation");
    const char *kind = rd_trace_get_string(in, json, "kind");
    *violation = (struct rd_violation){
        .array = "A",
        .step = rd_trace_get_unsigned(in, json, "step"),
        .cell = rd_trace_get_size(in, json, "cell"),
        .expected = rd_trace_get_value(in, json, "expected", numeric),
        .actual = rd_trace_get_value(in, json, "actual", numeric),
        .count = rd_trace_get_size(in, json, "count"),
    };
    violation->inside = read_place(in, json, &violation->place);
    read_deviation(in, json, &violation->deviation);
    if (!rd_violation_kind_named(kind, &violation->kind))
        rd_trace_fields_refuse(in, "'kind' is \"%.20s\": not bits, bound, frame or goal", kind);
    return true;
}

/* The inputs that are said to be unchanged: in their order, each once. */
static unsigned read_unchanged(struct rd_trace_fields *in, const json_t *record)
{
    unsigned inputs = 0;
    if (!rd_trace_has(record, "unchanged"))
        return 0;
    const json_t *names = rd_trace_get_array(in, record, "unchanged");
    for (size_t k = 0; k < json_array_size(names); k++) {
        const char *name = json_string_value(json_array_get(names, k));
        unsigned input = name && strcmp(name, "a") == 0   ? RD_INPUT_A
                         : name && strcmp(name, "b") == 0 ? RD_INPUT_B
                                                          : 0;
        if (input <= inputs)
            rd_trace_fields_refuse(in, "'unchanged' is not of a and b");
        inputs |= input;
    }
    if (inputs == 0)
        rd_trace_fields_refuse(in, "'unchanged' is empty");
    return inputs;
}

enum rd_status rd_trace_read_step(const struct rd_trace_reader *reader,
                                  const struct rd_trace_run *run, struct rd_trace_step *step,
                                  struct rd_error *error)
{
    const json_t *record = reader->record;
    struct rd_trace_fields in = {.reader = reader, .error = error};
    const json_t *claim = rd_trace_get_object(&in, record, "claim");
    const json_t *state = rd_trace_get_object(&in, record, "state");
    struct rd_trace_step s = {
        .number = rd_trace_get_unsigned(&in, record, "step"),
        .has_round = rd_trace_has(record, "round"),
        .claim.count = rd_trace_get_size(&in, claim, "count"),
        .claim.stride = rd_trace_get_size(&in, claim, "stride"),
        .verdict = rd_trace_get_verdict(&in, record, "verdict"),
        .n_asserted = rd_trace_get_size(&in, record, "asserted"),
    };
    s.unchanged = read_unchanged(&in, record);
    if (run->passes > 0)
        s.pass = rd_trace_get_uint(&in, record, "pass", 1, run->passes);
    if (s.has_round)
        read_round(&in, rd_trace_get_object(&in, record, "round"), &s.round);
    if (rd_trace_has(record, "unbounded"))
        s.n_unbounded = rd_trace_get_size(&in, record, "unbounded");
    s.violated = read_violation(&in, record, run->numeric, &s.violation);
    if (s.violated && !s.violation.inside)
        s.violation.array = rd_program_array(run->program);
    s.inside = read_place(&in, record, &s.place);
    s.statement = rd_trace_get_string(&in, record, "statement");
    s.has_present = rd_trace_has(record, "present");
    if (s.has_present)
        s.present = (uint32_t)rd_trace_get_uint(&in, record, "present", 0, UINT32_MAX);
    bool whole = rd_trace_get_bool(&in, state, "whole");
    size_t count = s.inside ? ANY_COUNT : whole ? run->n_cells : s.claim.count;
    read_state(&in, state, count, run->numeric, &s.state);
    if (s.inside && !whole)
        rd_trace_fields_refuse(&in, "the state of a checkpoint is not whole");
    if (in.status)
        rd_trace_step_finish(&s);
    else
        *step = s;
    return in.status;
}

void rd_trace_step_finish(struct rd_trace_step *step)
{
    free(step->state.cells);
    *step = (struct rd_trace_step){0};
}

enum rd_status rd_trace_read_hazard(const struct rd_trace_reader *reader,
                                    struct rd_trace_hazard *hazard, struct rd_error *error)
{
    const json_t *record = reader->record;
    struct rd_trace_fields in = {.reader = reader, .error = error};
    struct rd_trace_hazard h = {.step = rd_trace_get_unsigned(&in, record, "step")};
    const char *name = rd_trace_get_string(&in, record, "name");
    h.kind = rd_hazard_named(name);
    snprintf(h.name, sizeof h.name, "%s", name);
    snprintf(h.message, sizeof h.message, "%s", rd_trace_get_string(&in, record, "message"));
    if (!in.status)
        *hazard = h;
    return in.status;
}

/* The number that a program ends with, where the record has it. */
static void read_outcome(struct rd_trace_fields *in, const json_t *record,
                         struct rd_trace_result *result)
{
    const struct rd_numeric *numeric = rd_numeric(RD_TYPE_F64);
    if (!rd_trace_has(record, "outcome"))
        return;
    const json_t *outcome = rd_trace_get_object(in, record, "outcome");
    result->outcome_name = rd_trace_get_string(in, outcome, "name");
    result->outcome = numeric->to_double(rd_trace_get_value(in, outcome, "actual", numeric));
    read_deviation(in, outcome, &result->deviation);
}

/* A set of inputs: of the first RD_INPUT_SET_MAX each index and how often it is in. */
static void read_set(struct rd_trace_fields *in, const json_t *evidence, const char *key,
                     struct rd_input_set *set)
{
    const json_t *object = rd_trace_get_object(in, evidence, key);
    const json_t *index = rd_trace_get_array(in, object, "index");
    const json_t *times = rd_trace_get_array(in, object, "times");
    set->count = rd_trace_get_size(in, object, "count");
    size_t kept = set->count < RD_INPUT_SET_MAX ? set->count : RD_INPUT_SET_MAX;
    if (json_array_size(index) != kept || json_array_size(times) != kept) {
        rd_trace_fields_refuse(in, "'%s' is not of %zu inputs", key, kept);
        return;
    }
    for (size_t k = 0; k < kept; k++) {
        const json_t *j = json_array_get(index, k), *often = json_array_get(times, k);
        if (!json_is_integer(j) || json_integer_value(j) < 0 || !json_is_integer(often))
            rd_trace_fields_refuse(in, "'%s' has what is no number of an input", key);
        set->index[k] = (size_t)json_integer_value(j);
        set->times[k] = json_integer_value(often);
    }
}

/* Reads a cell's set and expected set, if the record has them. */
static void read_evidence(struct rd_trace_fields *in, const json_t *record,
                          struct rd_trace_result *result)
{
    result->has_evidence = rd_trace_has(record, "evidence");
    if (!result->has_evidence)
        return;
    const json_t *evidence = rd_trace_get_object(in, record, "evidence");
    struct rd_evidence *e = &result->evidence;
    e->step = rd_trace_get_unsigned(in, evidence, "step");
    e->cell = rd_trace_get_size(in, evidence, "cell");
    e->partial = rd_trace_get_bool(in, evidence, "partial");
    read_set(in, evidence, "expected", &e->expected);
    read_set(in, evidence, "lost", &e->lost);
    read_set(in, evidence, "extra", &e->extra);
    result->has_actual = rd_trace_has(evidence, "actual");
    if (result->has_actual)
        read_set(in, evidence, "actual", &e->actual);
}

/* A device that looks itself is not named. */
static void read_hazards_by(struct rd_trace_fields *in, const json_t *record,
                            const struct rd_trace_run *run, struct rd_trace_result *result)
{
    bool looks = run->simulated || in->reader->minor >= RD_TRACE_MINOR_HAZARDS_BY;
    result->hazards_by =
        get_hazards_by(in, record, looks ? RD_HAZARDS_BY_SIM : RD_HAZARDS_BY_NOBODY);
    if (rd_trace_has(record, "schedules"))
        result->n_schedules = (unsigned)rd_trace_get_uint(in, record, "schedules", 1, UINT_MAX);
    if (rd_trace_has(record, "hazards_n"))
        result->hazards_n = rd_trace_get_size(in, record, "hazards_n");
    if (rd_trace_has(record, "unlooked"))
        result->unlooked = rd_trace_get_string(in, record, "unlooked");
}

bool rd_trace_same_outcome(double left, double right)
{
    const struct rd_numeric *numeric = rd_numeric(RD_TYPE_F64);
    return numeric->same(numeric->load(&left, 0), numeric->load(&right, 0));
}

enum rd_status rd_trace_read_result(const struct rd_trace_reader *reader,
                                    const struct rd_trace_run *run, struct rd_trace_result *result,
                                    struct rd_error *error)
{
    const json_t *record = reader->record;
    struct rd_trace_fields in = {.reader = reader, .error = error};
    const json_t *obligations = rd_trace_get_object(&in, record, "obligations");
    struct rd_trace_result r = {
        .verdict = rd_trace_get_verdict(&in, record, "verdict"),
        .steps = rd_trace_get_unsigned(&in, record, "steps"),
        .cells = rd_trace_get_uint(&in, record, "cells", 0, UINT64_MAX),
        .hazards = rd_trace_get_unsigned(&in, record, "hazards"),
    };
    if (rd_trace_has(record, "checkpoints"))
        r.checkpoints = rd_trace_get_uint(&in, record, "checkpoints", 0, UINT64_MAX);
    if (rd_trace_has(record, "truncated"))
        r.truncated = rd_trace_get_bool(&in, record, "truncated");
    for (int k = 0; k < RD_OBLIGATION_COUNT; k++)
        r.obligations[k] = rd_trace_get_verdict(&in, obligations, rd_obligation_name(k));
    read_hazards_by(&in, record, run, &r);
    read_outcome(&in, record, &r);
    r.violated = read_violation(&in, record, run->numeric, &r.violation);
    if (r.violated && !r.violation.inside)
        r.violation.array = rd_program_array(run->program);
    read_evidence(&in, record, &r);
    if (!in.status)
        *result = r;
    return in.status;
}
