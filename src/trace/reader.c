// SPDX-License-Identifier: MIT
#include "trace/record.h"
#include "base/own_files.h"
#include "reductio/trace.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading lines ---- */

enum rd_status rd_trace_refuse(const struct rd_trace_reader *reader, struct rd_error *error,
                               const char *format, ...)
{
    char message[sizeof error->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    for (char *at = message; *at; at++) /* what a terminal would obey */
        if (iscntrl((unsigned char)*at))
            *at = '?';
    /* A path of any length must leave room for the message. */
    size_t length = strlen(reader->path);
    const char *path = length > 200 ? reader->path + length - 200 : reader->path;
    return rd_fail(error, RD_ERROR_INPUT, "%s%s:%zu: %s", path == reader->path ? "" : "...", path,
                   reader->line, message);
}

static enum rd_status grow(struct rd_trace_reader *reader, struct rd_error *error)
{
    size_t capacity = reader->capacity ? 2 * reader->capacity : 4096;
    char *text = realloc(reader->text, capacity);
    if (!text)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for a line of %zu bytes in '%s'",
                       capacity, reader->path);
    reader->text = text;
    reader->capacity = capacity;
    return RD_OK;
}

/* Reads one line without its end. *more is false at the end of the file, where a last line without
 * an end is left out. */
static enum rd_status read_line(struct rd_trace_reader *reader, bool *more, struct rd_error *error)
{
    int c;
    reader->length = 0;
    reader->line++;
    errno = 0;
    while ((c = getc_unlocked(reader->file)) != EOF && c != '\n') {
        if (reader->length >= RD_TRACE_LINE_MAX)
            return rd_trace_refuse(reader, error, "the line is longer than %d MiB: not a trace",
                                   RD_TRACE_LINE_MAX >> 20);
        if (reader->length == reader->capacity) {
            enum rd_status status = grow(reader, error);
            if (status)
                return status;
        }
        reader->text[reader->length++] = (char)c;
    }
    if (ferror(reader->file))
        return rd_fail(error, RD_ERROR_IO, "'%s' can't be read: %s", reader->path,
                       strerror(errno ? errno : EIO));
    *more = c == '\n';
    reader->cut = c == EOF && reader->length > 0;
    return RD_OK;
}

static enum rd_trace_kind kind_named(const char *name)
{
    static const char *const names[] = {
        [RD_RECORD_VERSION] = "version", [RD_RECORD_RUN] = "run",
        [RD_RECORD_STEP] = "step",       [RD_RECORD_HAZARD] = "hazard",
        [RD_RECORD_VERDICT] = "verdict", [RD_RECORD_INTERRUPTED] = "interrupted",
    };
    for (unsigned kind = RD_RECORD_VERSION; kind < sizeof names / sizeof *names; kind++)
        if (strcmp(names[kind], name) == 0)
            return (enum rd_trace_kind)kind;
    return RD_RECORD_NONE;
}

/* Reads the next line as a record of whatever kind; RD_RECORD_NONE also for an unknown one. */
static enum rd_status read_record(struct rd_trace_reader *reader, bool *more,
                                  struct rd_error *error)
{
    json_error_t json_error;
    json_decref(reader->record);
    reader->record = NULL;
    reader->kind = RD_RECORD_NONE;
    enum rd_status status = read_line(reader, more, error);
    if (status || !*more)
        return status;
    reader->record = json_loadb(reader->text, reader->length, JSON_REJECT_DUPLICATES, &json_error);
    if (!reader->record)
        return rd_trace_refuse(reader, error, "the line is not JSON: %s", json_error.text);
    if (!json_is_object(reader->record))
        return rd_trace_refuse(reader, error, "the line is not a JSON object");
    const char *name = json_string_value(json_object_get(reader->record, "record"));
    if (!name)
        return rd_trace_refuse(reader, error, "the line has no 'record' that names its kind");
    reader->kind = kind_named(name);
    return RD_OK;
}

/* Checks the order of kinds: the version, the run, any number of steps and hazards, a last record. */
static enum rd_status check_order(const struct rd_trace_reader *reader, struct rd_error *error)
{
    if (reader->ended)
        return rd_trace_refuse(reader, error, "a record follows the last one: one trace, one run");
    if (reader->kind == RD_RECORD_VERSION)
        return rd_trace_refuse(reader, error, "a second 'version' record: one trace, one run");
    if (reader->kind == RD_RECORD_RUN && reader->has_run)
        return rd_trace_refuse(reader, error, "a second 'run' record: one trace, one run");
    if (reader->kind != RD_RECORD_RUN && !reader->has_run)
        return rd_trace_refuse(reader, error, "a '%s' record before the 'run' record",
                               json_string_value(json_object_get(reader->record, "record")));
    return RD_OK;
}

enum rd_status rd_trace_reader_next(struct rd_trace_reader *reader, struct rd_error *error)
{
    bool more = true;
    do {
        enum rd_status status = read_record(reader, &more, error);
        if (status)
            return status;
    } while (more && reader->kind == RD_RECORD_NONE);
    if (!more)
        return RD_OK;
    enum rd_status status = check_order(reader, error);
    if (status)
        return status;
    reader->has_run = true;
    reader->ended = reader->kind == RD_RECORD_VERDICT || reader->kind == RD_RECORD_INTERRUPTED;
    return RD_OK;
}

/* The version record, which tells whether the rest can be understood at all. */
static enum rd_status read_version(struct rd_trace_reader *reader, struct rd_error *error)
{
    bool more;
    enum rd_status status = read_record(reader, &more, error);
    if (status)
        return status;
    if (!more)
        return rd_fail(error, RD_ERROR_INPUT, "'%s' is %s: not a trace", reader->path,
                       reader->cut ? "not even one whole line" : "empty");
    const char *format = json_string_value(json_object_get(reader->record, "format"));
    if (reader->kind != RD_RECORD_VERSION || !format || strcmp(format, "reductio-trace") != 0)
        return rd_trace_refuse(reader, error,
                               "not a trace: the first record should be a 'version' with the "
                               "format \"reductio-trace\"");
    json_t *major = json_object_get(reader->record, "major");
    if (!json_is_integer(major))
        return rd_trace_refuse(reader, error, "the 'version' record has no 'major' number");
    if (json_integer_value(major) != RD_TRACE_MAJOR)
        return rd_trace_refuse(reader, error,
                               "the trace has major version %" JSON_INTEGER_FORMAT
                               ", and this reader knows %d: use the version that wrote it",
                               json_integer_value(major), RD_TRACE_MAJOR);
    json_t *minor = json_object_get(reader->record, "minor");
    if (minor && (!json_is_integer(minor) || json_integer_value(minor) < 0))
        return rd_trace_refuse(reader, error, "the 'minor' of the 'version' record is no version");
    reader->minor = json_integer_value(minor);
    return RD_OK;
}

enum rd_status rd_trace_reader_init(struct rd_trace_reader *reader, const char *path,
                                    struct rd_error *error)
{
    bool standard = strcmp(path, "-") == 0;
    *reader = (struct rd_trace_reader){.path = standard ? "standard input" : path};
    reader->file = standard ? stdin : fopen(path, "re");
    if (!reader->file)
        return rd_fail(error, RD_ERROR_IO, "'%s' can't be opened: %s", path, strerror(errno));
    enum rd_status status = read_version(reader, error);
    if (status)
        rd_trace_reader_finish(reader);
    return status;
}

void rd_trace_reader_finish(struct rd_trace_reader *reader)
{
    if (reader->file && reader->file != stdin)
        fclose(reader->file);
    json_decref(reader->record);
    free(reader->text);
    *reader = (struct rd_trace_reader){0};
}

/* ---- the last run's trace ---- */

/* The trace of the last run: kept in the XDG Base Directory Specification's folder for "actions
 * history". */

enum rd_status rd_trace_last_path(char *path, size_t size, bool make, struct rd_error *error)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    char text[4096];
    int length;
    if (state && state[0] == '/') /* a relative one is to be ignored */
        length = snprintf(text, sizeof text, "%s/reductio/last.ndjson", state);
    else if (home && home[0] == '/')
        length = snprintf(text, sizeof text, "%s/.local/state/reductio/last.ndjson", home);
    else
        return rd_fail(error, RD_ERROR_IO,
                       "no place for the last run's trace: set HOME or XDG_STATE_HOME to an "
                       "absolute path");
    if (length < 0 || (size_t)length >= sizeof text || (size_t)length >= size)
        return rd_fail(error, RD_ERROR_IO, "the path of the last run's trace is too long");
    enum rd_status status = make ? rd_make_own_folders(text, error) : RD_OK;
    if (status == RD_OK)
        memcpy(path, text, (size_t)length + 1);
    return status;
}
