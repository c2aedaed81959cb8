// SPDX-License-Identifier: MIT
#include "trace/record.h"
#include "program/definition.h"
#include "run/state.h"
#include "device/kernel_names.h"
#include "reductio/operation.h"
#include "reductio/version.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- records ---- */

static void open_record(struct rd_trace_emitter *emitter, const char *kind)
{
    emitter->comma = false;
    rd_trace_emit_open(emitter, NULL, '{');
    rd_trace_emit_string(emitter, "record", kind);
}

static void write_version(struct rd_trace_emitter *emitter)
{
    char producer[40];
    snprintf(producer, sizeof producer, "reductio %s", rd_version());
    open_record(emitter, "version");
    rd_trace_emit_string(emitter, "format", "reductio-trace");
    rd_trace_emit_uint(emitter, "major", RD_TRACE_MAJOR);
    rd_trace_emit_uint(emitter, "minor", RD_TRACE_MINOR);
    rd_trace_emit_string(emitter, "producer", producer);
    rd_trace_emit_close(emitter, '}');
}

static void write_cells(struct rd_trace_emitter *emitter, const char *key,
                        const struct rd_numeric *numeric, const void *cells, size_t first,
                        size_t count)
{
    rd_trace_emit_open(emitter, key, '[');
    for (size_t i = first; i < first + count; i++)
        rd_trace_emit_value(emitter, NULL, numeric, numeric->load(cells, i));
    rd_trace_emit_close(emitter, ']');
}

static void write_state(struct rd_trace_emitter *emitter, const char *key,
                        const struct rd_numeric *numeric, const void *cells, size_t count,
                        bool whole, size_t cut)
{
    rd_trace_emit_open(emitter, key, '{');
    rd_trace_emit_uint(emitter, "count", count);
    rd_trace_emit_bool(emitter, "whole", whole);
    if (count <= cut) {
        write_cells(emitter, "cells", numeric, cells, 0, count);
    } else {
        size_t tail = cut / 2;
        char digest[17];
        snprintf(digest, sizeof digest, "%016" PRIx64, numeric->digest(cells, count));
        write_cells(emitter, "head", numeric, cells, 0, cut - tail);
        write_cells(emitter, "tail", numeric, cells, count - tail, tail);
        rd_trace_emit_string(emitter, "digest", digest);
    }
    rd_trace_emit_close(emitter, '}');
}

/* The seed of a "random:SEED", also on its own, for readers that do not take specs apart. */
static void write_seed(struct rd_trace_emitter *emitter, const char *values)
{
    static const char prefix[] = "random:";
    if (strncmp(values, prefix, sizeof prefix - 1) == 0)
        rd_trace_emit_uint(emitter, "seed", strtoull(values + sizeof prefix - 1, NULL, 10));
}

/* Finds the least of the blocks from `from` on; false where there is none. */
static bool find_least_from(const size_t *blocks, unsigned count, size_t from, size_t *least)
{
    bool found = false;
    for (unsigned k = 0; k < count; k++)
        if (blocks[k] >= from && (!found || blocks[k] < *least)) {
            *least = blocks[k];
            found = true;
        }
    return found;
}

/* The blocks that were observed, where not all were: in their order, each once. */
static void write_blocks(struct rd_trace_emitter *emitter, const struct rd_run *run)
{
    const struct rd_blocks blocks = rd_run_blocks(run);
    if (blocks.all || !rd_program_has_points(run->program))
        return;
    rd_trace_emit_open(emitter, "blocks", '{');
    rd_trace_emit_open(emitter, "listed", '[');
    size_t grid = rd_run_shape(run).grid;
    const size_t *block = blocks.block;
    for (size_t next = 0; find_least_from(block, blocks.count, next, &next); next++)
        if (!blocks.last || grid == 0 || next != grid - 1)
            rd_trace_emit_uint(emitter, NULL, next);
    rd_trace_emit_close(emitter, ']');
    rd_trace_emit_bool(emitter, "last", blocks.last);
    rd_trace_emit_close(emitter, '}');
}

/* Writes what a reader without the program needs to assert the run again. */
static void write_definition(struct rd_trace_emitter *emitter, const struct rd_program *program)
{
    if (!rd_program_is_registered(program))
        return;
    rd_trace_emit_open(emitter, "definition", '{');
    rd_trace_emit_string(emitter, "goal", rd_goal_name(program->goal));
    for (const struct rd_program_member *m = rd_program_members; m->name; m++) {
        const char *text = m->kind == RD_MEMBER_TEXT ? rd_member_text(program, m) : NULL;
        const uint64_t number = rd_member_number(program, m);
        if (text)
            rd_trace_emit_string(emitter, m->name, text);
        else if (m->kind == RD_MEMBER_FLAG && number)
            rd_trace_emit_bool(emitter, m->name, true);
        else if (m->kind == RD_MEMBER_TYPE && number)
            rd_trace_emit_string(emitter, m->name, rd_numeric(program->type)->name);
        else if (m->kind == RD_MEMBER_OPERATION && number)
            rd_trace_emit_string(emitter, m->name, rd_operation_name(program->operation));
        else if (number)
            rd_trace_emit_uint(emitter, m->name, number);
    }
    rd_trace_emit_close(emitter, '}');
}

static void write_run(struct rd_trace_emitter *emitter, const struct rd_run *run, size_t cells)
{
    const struct rd_device_ops *ops = run->device->ops;
    open_record(emitter, "run");
    rd_trace_emit_string(emitter, "program", run->program->name);
    write_definition(emitter, run->program);
    rd_trace_emit_uint(emitter, "n", run->n);
    rd_trace_emit_string(emitter, "type", run->numeric->name);
    if (run->numeric->operation != RD_OPERATION_SUM)
        rd_trace_emit_string(emitter, "op", rd_operation_name(run->numeric->operation));
    rd_trace_emit_open(emitter, "device", '{');
    rd_trace_emit_string(emitter, "name", ops->name);
    rd_trace_emit_string(emitter, "description", ops->describe(run->device));
    rd_trace_emit_close(emitter, '}');
    rd_trace_emit_string(emitter, "values", run->values);
    write_seed(emitter, run->values);
    const struct rd_shape shape = rd_run_shape(run);
    rd_trace_emit_uint(emitter, "block", shape.block);
    if (shape.grid > 0)
        rd_trace_emit_uint(emitter, "grid", shape.grid);
    rd_trace_emit_bool(emitter, "frame", run->frame);
    write_blocks(emitter, run);
    if (run->hazards_by != RD_HAZARDS_BY_SIM)
        rd_trace_emit_string(emitter, "hazards_by", rd_hazards_by_name(run->hazards_by));
    if (run->undefined_by)
        rd_trace_emit_string(emitter, "undefined_by", run->undefined_by);
    if (run->passes > 0) {
        rd_trace_emit_open(emitter, "witness", '{');
        rd_trace_emit_uint(emitter, "passes", run->passes);
        rd_trace_emit_uint(emitter, "digit_bits", run->digit_bits);
        rd_trace_emit_close(emitter, '}');
    } else {
        rd_trace_emit_open(emitter, "input", '{');
        write_state(emitter, "a", run->numeric->inputs, run->a,
                    rd_program_inputs(run->program, &shape), true, cells);
        if (run->b)
            write_state(emitter, "b", run->numeric->inputs, run->b,
                        rd_program_inputs_b(run->program, &shape), true, cells);
        rd_trace_emit_close(emitter, '}');
    }
    rd_trace_emit_close(emitter, '}');
}

static void write_round(struct rd_trace_emitter *emitter, const struct rd_round *round)
{
    rd_trace_emit_open(emitter, "round", '{');
    rd_trace_emit_uint(emitter, "number", round->number);
    rd_trace_emit_string(emitter, "kernel", round->kernel_name);
    rd_trace_emit_open(emitter, "width", '{');
    rd_trace_emit_string(emitter, "name", round->width_name);
    rd_trace_emit_uint(emitter, "value", round->width);
    rd_trace_emit_close(emitter, '}');
    rd_trace_emit_uint(emitter, "grid", round->grid);
    rd_trace_emit_uint(emitter, "block", round->block);
    if (round->grid_y > 1)
        rd_trace_emit_uint(emitter, "grid_y", round->grid_y);
    if (round->block_y > 1)
        rd_trace_emit_uint(emitter, "block_y", round->block_y);
    rd_trace_emit_uint(emitter, "threads", round->threads);
    rd_trace_emit_close(emitter, '}');
}

static void write_place(struct rd_trace_emitter *emitter, const struct rd_place *place)
{
    rd_trace_emit_open(emitter, "checkpoint", '{');
    rd_trace_emit_string(emitter, "point", rd_point_name(place->point));
    rd_trace_emit_uint(emitter, "block", place->block);
    if (place->warp != RD_WHOLE_BLOCK)
        rd_trace_emit_uint(emitter, "warp", (uint64_t)place->warp);
    rd_trace_emit_uint(emitter, "number", place->number);
    rd_trace_emit_uint(emitter, "variable", place->variable);
    rd_trace_emit_close(emitter, '}');
}

static void write_deviation(struct rd_trace_emitter *emitter, const struct rd_deviation *deviation)
{
    rd_trace_emit_open(emitter, "deviation", '{');
    rd_trace_emit_double(emitter, "exact", deviation->exact);
    rd_trace_emit_double(emitter, "error", deviation->error);
    rd_trace_emit_double(emitter, "limit", deviation->limit);
    rd_trace_emit_close(emitter, '}');
}

static void write_violation(struct rd_trace_emitter *emitter, const struct rd_numeric *numeric,
                            const struct rd_violation *violation)
{
    const struct rd_deviation *deviation = &violation->deviation;
    rd_trace_emit_open(emitter, "violation", '{');
    rd_trace_emit_string(emitter, "kind", rd_violation_kind_name(violation->kind));
    rd_trace_emit_uint(emitter, "step", violation->step);
    if (violation->inside)
        write_place(emitter, &violation->place);
    rd_trace_emit_uint(emitter, "cell", violation->cell);
    rd_trace_emit_value(emitter, "expected", numeric, violation->expected);
    rd_trace_emit_value(emitter, "actual", numeric, violation->actual);
    rd_trace_emit_uint(emitter, "count", violation->count);
    if (deviation->exact != 0 || deviation->error != 0 || deviation->limit != 0)
        write_deviation(emitter, deviation);
    rd_trace_emit_close(emitter, '}');
}

static void trace_write_step(struct rd_trace_emitter *emitter, const struct rd_run *run,
                             const struct rd_step *step, size_t cells)
{
    const struct rd_shape shape = rd_run_shape(run);
    char statement[RD_STATEMENT_SIZE];
    open_record(emitter, "step");
    if (run->passes > 0)
        rd_trace_emit_uint(emitter, "pass", run->pass);
    rd_trace_emit_uint(emitter, "step", step->number);
    if (step->place)
        write_place(emitter, step->place);
    else if (step->round)
        write_round(emitter, step->round);
    if (step->place && step->place->warp != RD_WHOLE_BLOCK)
        rd_trace_emit_uint(emitter, "present", step->present);
    rd_trace_emit_open(emitter, "claim", '{');
    rd_trace_emit_uint(emitter, "count", step->claim.count);
    rd_trace_emit_uint(emitter, "stride", step->claim.stride);
    rd_trace_emit_close(emitter, '}');
    rd_trace_emit_string(
        emitter, "statement",
        rd_step_statement(step, run->program, &shape, run->numeric->operation, statement));
    write_state(emitter, "state", run->numeric, step->cells, step->n_cells, step->whole, cells);
    rd_trace_emit_string(emitter, "verdict", rd_verdict_name(step->verdict));
    rd_trace_emit_uint(emitter, "asserted", step->n_asserted);
    if (step->n_unbounded > 0)
        rd_trace_emit_uint(emitter, "unbounded", step->n_unbounded);
    if (step->unchanged) {
        rd_trace_emit_open(emitter, "unchanged", '[');
        for (unsigned input = RD_INPUT_A; input <= RD_INPUT_B; input <<= 1)
            if (step->unchanged & input)
                rd_trace_emit_string(emitter, NULL, rd_input_name((enum rd_input)input));
        rd_trace_emit_close(emitter, ']');
    }
    if (step->violation)
        write_violation(emitter, run->numeric, step->violation);
    rd_trace_emit_close(emitter, '}');
}

static void trace_write_hazard(struct rd_trace_emitter *emitter, const struct rd_hazard *hazard)
{
    open_record(emitter, "hazard");
    rd_trace_emit_string(emitter, "name", hazard->name);
    rd_trace_emit_uint(emitter, "step", hazard->step);
    rd_trace_emit_string(emitter, "message", hazard->message);
    rd_trace_emit_close(emitter, '}');
}

static void write_set(struct rd_trace_emitter *emitter, const char *key,
                      const struct rd_input_set *set)
{
    size_t kept = set->count < RD_INPUT_SET_MAX ? set->count : RD_INPUT_SET_MAX;
    rd_trace_emit_open(emitter, key, '{');
    rd_trace_emit_uint(emitter, "count", set->count);
    rd_trace_emit_open(emitter, "index", '[');
    for (size_t k = 0; k < kept; k++)
        rd_trace_emit_uint(emitter, NULL, set->index[k]);
    rd_trace_emit_close(emitter, ']');
    rd_trace_emit_open(emitter, "times", '[');
    for (size_t k = 0; k < kept; k++)
        rd_trace_emit_int(emitter, NULL, set->times[k]);
    rd_trace_emit_close(emitter, ']');
    rd_trace_emit_close(emitter, '}');
}

static void write_evidence(struct rd_trace_emitter *emitter, const struct rd_evidence *evidence)
{
    rd_trace_emit_open(emitter, "evidence", '{');
    rd_trace_emit_uint(emitter, "step", evidence->step);
    rd_trace_emit_uint(emitter, "cell", evidence->cell);
    write_set(emitter, "expected", &evidence->expected);
    if (!evidence->partial) /* what the cell holds follows from all differences only */
        write_set(emitter, "actual", &evidence->actual);
    write_set(emitter, "lost", &evidence->lost);
    write_set(emitter, "extra", &evidence->extra);
    rd_trace_emit_bool(emitter, "partial", evidence->partial);
    rd_trace_emit_close(emitter, '}');
}

static void write_outcome(struct rd_trace_emitter *emitter, const struct rd_outcome *outcome)
{
    rd_trace_emit_open(emitter, "outcome", '{');
    rd_trace_emit_string(emitter, "name", outcome->name);
    rd_trace_emit_double(emitter, "actual", outcome->actual);
    write_deviation(emitter, &outcome->deviation);
    rd_trace_emit_close(emitter, '}');
}

/* Records who looked for hazards, unless the device itself did. */
static void write_hazards_by(struct rd_trace_emitter *emitter, const struct rd_result *result)
{
    if (result->hazards_by != RD_HAZARDS_BY_SIM || result->hazards_n > 0)
        rd_trace_emit_string(emitter, "hazards_by", rd_hazards_by_name(result->hazards_by));
    if (result->hazards_n > 0)
        rd_trace_emit_uint(emitter, "hazards_n", result->hazards_n);
    if (result->n_schedules > 0)
        rd_trace_emit_uint(emitter, "schedules", result->n_schedules);
    if (*result->unlooked)
        rd_trace_emit_string(emitter, "unlooked", result->unlooked);
}

/* The last record: `interrupted` where the result says so, else `verdict`. */
static void write_result(struct rd_trace_emitter *emitter, const struct rd_run *run,
                         const struct rd_result *result)
{
    open_record(emitter, result->interrupted ? "interrupted" : "verdict");
    rd_trace_emit_string(emitter, "verdict", rd_verdict_name(result->verdict));
    rd_trace_emit_open(emitter, "obligations", '{');
    for (unsigned k = 0; k < RD_OBLIGATION_COUNT; k++)
        rd_trace_emit_string(emitter, rd_obligation_name(k),
                             rd_verdict_name(result->obligations[k]));
    rd_trace_emit_close(emitter, '}');
    rd_trace_emit_uint(emitter, "steps", result->steps);
    if (result->checkpoints > 0)
        rd_trace_emit_uint(emitter, "checkpoints", result->checkpoints);
    if (result->truncated)
        rd_trace_emit_bool(emitter, "truncated", true);
    rd_trace_emit_uint(emitter, "cells", result->cells);
    rd_trace_emit_uint(emitter, "hazards", result->hazards);
    write_hazards_by(emitter, result);
    if (result->outcome.name)
        write_outcome(emitter, &result->outcome);
    if (result->violated)
        write_violation(emitter, run->numeric, &result->violation);
    if (result->explained)
        write_evidence(emitter, &result->evidence);
    rd_trace_emit_close(emitter, '}');
}

/* ---- the file ---- */

struct rd_trace_writer {
    struct rd_observer observer;
    struct rd_trace_emitter emitter;
    char *path;   /* for messages, and what the part is renamed to */
    char *part;   /* NULL: `path` is written directly */
    size_t cells; /* the cut */
    bool begun;   /* something was written */
    bool broken;  /* a write failed: the file ends in the middle */
    /* Witness runs, over the passes before this one: */
    uint64_t cells_before, checkpoints_before;
    unsigned hazards_before;
};

/* ---- lines ---- */

/* A write that fails sets errno, and no later one clears it: so it tells the reason at the end. */
static struct rd_trace_emitter *start_line(struct rd_trace_writer *writer)
{
    errno = 0;
    return &writer->emitter;
}

static enum rd_status fail_to_write(struct rd_trace_writer *writer, struct rd_error *error)
{
    int reason = errno ? errno : EIO;
    writer->broken = true;
    return rd_fail(error, RD_ERROR_IO, "the trace '%s' can't be written: %s",
                   writer->part ? writer->part : writer->path, strerror(reason));
}

/* A line reaches the system as soon as it is whole, so that whatever ends this process leaves what
 * was asserted until then. */
static enum rd_status end_line(struct rd_trace_writer *writer, struct rd_error *error)
{
    FILE *file = writer->emitter.file;
    fputc('\n', file);
    if (fflush(file) != 0 || ferror(file))
        return fail_to_write(writer, error);
    if (writer->emitter.failed) {
        writer->broken = true;
        return rd_fail(error, RD_ERROR_MEMORY, "no memory to write the trace '%s'", writer->path);
    }
    return RD_OK;
}

/* ---- the observer ---- */

static enum rd_status begin(void *self, const struct rd_run *run, struct rd_error *error)
{
    struct rd_trace_writer *writer = self;
    if (run->pass > 1)
        return RD_OK;
    if (writer->begun)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'%s' is the trace of another run: one trace, one run", writer->path);
    if (!run->values)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'values' of the run is NULL, and its trace tells them: set it");
    writer->begun = true;
    write_version(start_line(writer));
    enum rd_status status = end_line(writer, error);
    if (status)
        return status;
    write_run(start_line(writer), run, writer->cells);
    return end_line(writer, error);
}

static enum rd_status write_step(void *self, const struct rd_run *run, const struct rd_step *step,
                                 struct rd_error *error)
{
    struct rd_trace_writer *writer = self;
    trace_write_step(start_line(writer), run, step, writer->cells);
    return end_line(writer, error);
}

static enum rd_status write_hazard(void *self, const struct rd_run *run,
                                   const struct rd_hazard *hazard, struct rd_error *error)
{
    struct rd_trace_writer *writer = self;
    (void)run;
    trace_write_hazard(start_line(writer), hazard);
    return end_line(writer, error);
}

static enum rd_status end(void *self, const struct rd_run *run, const struct rd_result *result,
                          struct rd_error *error)
{
    struct rd_trace_writer *writer = self;
    struct rd_result total = *result;
    if (result->failed || writer->broken)
        return RD_OK; /* no last record: the reader says so */
    total.cells += writer->cells_before;
    total.checkpoints += writer->checkpoints_before;
    total.hazards += writer->hazards_before;
    if (run->pass < run->passes && result->verdict == RD_HOLDS && !result->interrupted) {
        writer->cells_before = total.cells;
        writer->checkpoints_before = total.checkpoints;
        writer->hazards_before = total.hazards;
        return RD_OK; /* more passes follow */
    }
    write_result(start_line(writer), run, &total);
    return end_line(writer, error);
}

const struct rd_observer *rd_trace_writer_observer(struct rd_trace_writer *writer)
{
    return &writer->observer;
}

uint64_t rd_trace_writer_bytes(const struct rd_trace_writer *writer)
{
    off_t offset = writer->part ? ftello(writer->emitter.file) : 0;
    return offset > 0 ? (uint64_t)offset : 0;
}

/* ---- the file ---- */

/* Opens and empties the part. The lock keeps two runs from writing into one file; as the other may
 * have renamed its part between our opening and locking it, look whether ours is still there. */
static enum rd_status open_part(const char *part, const char *path, FILE **file,
                                struct rd_error *error)
{
    struct stat opened, on_disk;
    int fd = -1;
    do {
        if (fd >= 0)
            close(fd);
        fd = open(part, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        if (fd < 0)
            return rd_fail(error, RD_ERROR_IO, "'%s' can't be written: %s", path, strerror(errno));
        if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
            close(fd);
            return rd_fail(error, RD_ERROR_IO,
                           "'%s' is being written by another run: wait for it, or name another "
                           "file",
                           path);
        }
    } while (fstat(fd, &opened) == 0 &&
             (stat(part, &on_disk) != 0 || opened.st_ino != on_disk.st_ino ||
              opened.st_dev != on_disk.st_dev));
    *file = ftruncate(fd, 0) == 0 ? fdopen(fd, "w") : NULL;
    if (!*file) {
        rd_fail(error, RD_ERROR_IO, "'%s' can't be written: %s", path, strerror(errno));
        close(fd);
        return RD_ERROR_IO;
    }
    return RD_OK;
}

/* Opens what `path` names: a regular file by way of its part, anything else directly. */
static enum rd_status open_file(struct rd_trace_writer *writer, const char *path,
                                struct rd_error *error)
{
    struct stat on_disk;
    bool is_there = stat(path, &on_disk) == 0;
    if (path[0] == '\0')
        return rd_fail(error, RD_ERROR_IO, "a trace can't be written to '': name a file, or -");
    if (strcmp(path, "-") == 0) {
        writer->path = strdup("standard output");
        writer->emitter.file = stdout;
        return writer->path
                   ? RD_OK
                   : rd_fail(error, RD_ERROR_MEMORY, "no memory to write the trace '%s'", path);
    }
    /* The file behind a symbolic link is replaced, not the link. */
    bool is_regular = is_there && S_ISREG(on_disk.st_mode);
    writer->path = is_regular ? realpath(path, NULL) : strdup(path);
    if (!writer->path)
        return rd_fail(error, RD_ERROR_IO, "'%s' can't be written: %s", path, strerror(errno));
    if (is_there && !is_regular) {
        writer->emitter.file = fopen(path, "we");
        if (!writer->emitter.file)
            return rd_fail(error, RD_ERROR_IO, "'%s' can't be written: %s", path, strerror(errno));
        return RD_OK;
    }
    size_t size = strlen(writer->path) + sizeof ".part";
    writer->part = malloc(size);
    if (!writer->part)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory to write the trace '%s'", path);
    snprintf(writer->part, size, "%s.part", writer->path);
    return open_part(writer->part, path, &writer->emitter.file, error);
}

static void destroy(struct rd_trace_writer *writer)
{
    free(writer->path);
    free(writer->part);
    free(writer);
}

enum rd_status rd_trace_writer_open(struct rd_trace_writer **writer, const char *path, size_t cells,
                                    struct rd_error *error)
{
    struct rd_trace_writer *w = calloc(1, sizeof *w);
    if (!w)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory to write the trace '%s'", path);
    w->cells = cells < RD_TRACE_CELLS_MAX ? cells : RD_TRACE_CELLS_MAX;
    w->observer = (struct rd_observer){
        .self = w, .begin = begin, .step = write_step, .hazard = write_hazard, .end = end};
    enum rd_status status = open_file(w, path, error);
    if (status)
        destroy(w);
    else
        *writer = w;
    return status;
}

/* Gives the part its name. A part that a run never began is nobody's trace, and goes. */
static enum rd_status settle_part(struct rd_trace_writer *writer, struct rd_error *error)
{
    if (!writer->begun) {
        unlink(writer->part);
        return RD_OK;
    }
    if (rename(writer->part, writer->path) != 0)
        return rd_fail(error, RD_ERROR_IO, "'%s' can't be renamed to '%s': %s", writer->part,
                       writer->path, strerror(errno));
    return RD_OK;
}

enum rd_status rd_trace_writer_close(struct rd_trace_writer *writer, struct rd_error *error)
{
    enum rd_status status = RD_OK;
    if (!writer)
        return RD_OK;
    FILE *file = writer->emitter.file;
    bool was_broken = writer->broken;
    /* Renamed while it is still open and locked: another run can't come between. */
    errno = 0;
    if (fflush(file) != 0 && !was_broken)
        status = fail_to_write(writer, error);
    if (writer->part && !writer->broken)
        status = settle_part(writer, error);
    if (file != stdout && fclose(file) != 0 && !was_broken && status == RD_OK)
        status = fail_to_write(writer, error);
    destroy(writer);
    return status;
}
