// SPDX-License-Identifier: MIT
#include "trace/record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

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
    rd_trace_write_version(start_line(writer));
    enum rd_status status = end_line(writer, error);
    if (status)
        return status;
    rd_trace_write_run(start_line(writer), run, writer->cells);
    return end_line(writer, error);
}

static enum rd_status write_step(void *self, const struct rd_run *run, const struct rd_step *step,
                                 struct rd_error *error)
{
    struct rd_trace_writer *writer = self;
    rd_trace_write_step(start_line(writer), run, step, writer->cells);
    return end_line(writer, error);
}

static enum rd_status write_hazard(void *self, const struct rd_run *run,
                                   const struct rd_hazard *hazard, struct rd_error *error)
{
    struct rd_trace_writer *writer = self;
    (void)run;
    rd_trace_write_hazard(start_line(writer), hazard);
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
    rd_trace_write_result(start_line(writer), run, &total);
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
    struct stat ours, there;
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
    } while (fstat(fd, &ours) == 0 && (stat(part, &there) != 0 || ours.st_ino != there.st_ino ||
                                       ours.st_dev != there.st_dev));
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
    struct stat there;
    bool is_there = stat(path, &there) == 0;
    if (path[0] == '\0')
        return rd_fail(error, RD_ERROR_IO, "a trace can't be written to '': name a file, or -");
    if (strcmp(path, "-") == 0) {
        writer->path = strdup("standard output");
        writer->emitter.file = stdout;
        return writer->path
                   ? RD_OK
                   : rd_fail(error, RD_ERROR_MEMORY, "no memory to write the trace '%s'", path);
    }
    /* Where it is a link, the file behind it is the one to replace. */
    bool is_regular = is_there && S_ISREG(there.st_mode);
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
