// SPDX-License-Identifier: MIT
#include "check/program/recording.h"

#include "reductio/hazards.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- writing ---- */

static bool put(FILE *file, const void *bytes, uint64_t size_bytes)
{
    return size_bytes == 0 || fwrite(bytes, 1, size_bytes, file) == size_bytes;
}

void rd_recording_hold(sigset_t *before)
{
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarm, before);
}

void rd_recording_release(const sigset_t *before)
{
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

static uint64_t n_written;

uint64_t rd_recording_written(void)
{
    return n_written;
}

enum rd_status rd_recording_write(FILE *file, json_t *event, const struct rd_recording_part *parts,
                                  unsigned n_parts)
{
    sigset_t before;
    rd_recording_hold(&before); /* what ends the program writes, too */
    flockfile(file);
    char *text = json_dumps(event, JSON_COMPACT);
    uint64_t payload = 0;
    enum rd_status status = RD_ERROR_MEMORY;
    for (unsigned k = 0; k < n_parts; k++)
        payload += parts[k].size_bytes;
    long at = ftell(file);
    uint32_t length = text ? (uint32_t)strlen(text) : 0;
    if (!text || at < 0 || length > RD_RECORDING_TEXT_MAX || payload > RD_RECORDING_PAYLOAD_MAX ||
        (uint64_t)at + payload + length > RD_RECORDING_MAX)
        goto done;
    bool good = put(file, &length, sizeof length) && put(file, &payload, sizeof payload) &&
                put(file, text, length);
    for (unsigned k = 0; k < n_parts && good; k++)
        good = put(file, parts[k].bytes, parts[k].size_bytes);
    status = good && fflush(file) == 0 ? RD_OK : RD_ERROR_IO;
    n_written += status == RD_OK;

done:
    free(text);
    json_decref(event);
    funlockfile(file);
    rd_recording_release(&before);
    return status;
}

/* ---- reading ---- */

static enum rd_status fail(struct rd_error *error, const char *why)
{
    return rd_fail(error, RD_ERROR_INPUT, "what the program told of its run is no recording: %s",
                   why);
}

/* Bytes of the file that are still to be read. */
static uint64_t bytes_left(FILE *file)
{
    struct stat about;
    long at = ftell(file);
    if (at < 0 || fstat(fileno(file), &about) != 0 || about.st_size < at)
        return 0;
    return (uint64_t)(about.st_size - at);
}

static enum rd_status get(FILE *file, void **bytes, uint64_t size_bytes, struct rd_error *error)
{
    char *made = malloc(size_bytes + 1);
    if (!made)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the recording of a run");
    if (fread(made, 1, size_bytes, file) != size_bytes) {
        free(made);
        return ferror(file) ? rd_fail(error, RD_ERROR_IO,
                                      "the recording of a run can't be read: %s", strerror(errno))
                            : fail(error, "it is cut");
    }
    made[size_bytes] = '\0';
    *bytes = made;
    return RD_OK;
}

static enum rd_status parse(const char *text, size_t length, struct rd_recording_event *event,
                            struct rd_error *error)
{
    event->object = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    event->name = json_string_value(json_object_get(event->object, "event"));
    return event->name ? RD_OK : fail(error, "a frame has no event");
}

enum rd_status rd_recording_read(FILE *file, struct rd_recording_event *event,
                                 struct rd_error *error)
{
    uint32_t length;
    uint64_t payload;
    void *text = NULL;
    *event = (struct rd_recording_event){.object = NULL};
    uint64_t left = bytes_left(file);
    if (left == 0)
        return RD_OK;
    if (left < sizeof length + sizeof payload || fread(&length, sizeof length, 1, file) != 1 ||
        fread(&payload, sizeof payload, 1, file) != 1)
        return fail(error, "it is cut");
    left -= sizeof length + sizeof payload;
    if (length > RD_RECORDING_TEXT_MAX || payload > RD_RECORDING_PAYLOAD_MAX)
        return fail(error, "a frame is too long");
    if (left < length || left - length < payload)
        return fail(error, "it is cut");
    struct rd_recording_event read = {.size_bytes = payload};
    enum rd_status status = get(file, &text, length, error);
    if (status == RD_OK)
        status = parse(text, length, &read, error);
    if (status == RD_OK && payload > 0)
        status = get(file, &read.payload, payload, error);
    free(text);
    if (status == RD_OK)
        *event = read;
    else
        rd_recording_event_finish(&read);
    return status;
}

void rd_recording_event_finish(struct rd_recording_event *event)
{
    json_decref(event->object);
    free(event->payload);
    *event = (struct rd_recording_event){.object = NULL};
}

/* ---- what events must have ---- */

static bool has_text(const json_t *object, const char *key)
{
    return json_is_string(json_object_get(object, key));
}

static bool is_whole(const json_t *value, json_int_t min, json_int_t max)
{
    return json_is_integer(value) && json_integer_value(value) >= min &&
           json_integer_value(value) <= max;
}

static bool has_whole(const json_t *object, const char *key, json_int_t min)
{
    return is_whole(json_object_get(object, key), min, INT64_MAX);
}

/* Tells whether it is null or as an index has to be. */
static bool is_index3(const json_t *index, json_int_t min)
{
    bool good = json_array_size(index) == 3;
    for (size_t k = 0; k < 3 && good; k++)
        good = is_whole(json_array_get(index, k), min, UINT32_MAX);
    return good;
}

static bool is_launch(const json_t *object)
{
    return has_whole(object, "number", 1) && has_text(object, "kernel") &&
           has_text(object, "file") && is_whole(json_object_get(object, "line"), 0, UINT32_MAX) &&
           is_index3(json_object_get(object, "grid"), 1) &&
           is_index3(json_object_get(object, "block"), 1) && has_whole(object, "shared_bytes", 0) &&
           has_whole(object, "stream", 0) && has_whole(object, "threads", 1);
}

static bool is_null_or_whole(const json_t *value)
{
    return json_is_null(value) || is_whole(value, 0, INT64_MAX);
}

static bool is_place(const json_t *place)
{
    const json_t *block = json_object_get(place, "block_index"),
                 *thread = json_object_get(place, "thread_index");
    if (!is_null_or_whole(json_object_get(place, "block")) ||
        !is_null_or_whole(json_object_get(place, "thread")) || !has_text(place, "op") ||
        !(json_is_null(block) || is_index3(block, 0)) ||
        !(json_is_null(thread) || is_index3(thread, 0)))
        return false;
    return !json_object_get(place, "file") ||
           (has_text(place, "file") && is_whole(json_object_get(place, "line"), 0, UINT32_MAX) &&
            is_whole(json_object_get(place, "column"), 0, UINT32_MAX));
}

static bool is_list_of_texts(const json_t *list)
{
    bool good = json_is_array(list);
    for (size_t k = 0; k < json_array_size(list) && good; k++)
        good = json_is_string(json_array_get(list, k));
    return good;
}

/* Members that a finding may have, and their kinds: t text, w whole number, l list of texts, b true. */
static bool has_sound_members(const json_t *object)
{
    static const struct {
        const char *key;
        char kind;
    } members[] = {{"array", 't'},       {"type", 't'},          {"index", 'w'},  {"n_elems", 'w'},
                   {"lacks_fence", 'b'}, {"lacks_barrier", 'b'}, {"pairs", 'w'},  {"bytes", 'w'},
                   {"before", 't'},      {"after", 't'},         {"kernel", 't'}, {"launch", 'w'},
                   {"schedules", 'l'}};
    for (size_t k = 0; k < sizeof members / sizeof *members; k++) {
        const json_t *value = json_object_get(object, members[k].key);
        bool good = !value || (members[k].kind == 't'   ? json_is_string(value)
                               : members[k].kind == 'w' ? json_is_integer(value)
                               : members[k].kind == 'l' ? is_list_of_texts(value)
                                                        : json_is_true(value));
        if (!good)
            return false;
    }
    return true;
}

static bool is_finding(const json_t *object)
{
    enum { PLACES_MAX = 2 };
    const json_t *places = json_object_get(object, "places");
    const char *name = json_string_value(json_object_get(object, "name"));
    if (!name || rd_hazard_named(name) == RD_HAZARD_UNKNOWN || !has_text(object, "kind") ||
        !has_text(object, "scope") || !has_text(object, "message") || !has_text(object, "lesson") ||
        !has_whole(object, "count", 1) || !has_whole(object, "interval", 0) ||
        !json_is_array(places) || json_array_size(places) > PLACES_MAX)
        return false;
    for (size_t k = 0; k < json_array_size(places); k++)
        if (!is_place(json_array_get(places, k)))
            return false;
    return has_sound_members(object);
}

static bool is_difference(const json_t *object)
{
    static const char *const texts[] = {"kind",     "array", "cell",           "type",
                                        "schedule", "value", "other_schedule", "other_value",
                                        "kernel",   "file"};
    static const char *const numbers[] = {"index", "count", "n_elems", "launch", "line"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if (!has_text(object, texts[k]))
            return false;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (!has_whole(object, numbers[k], 0))
            return false;
    return true;
}

static bool is_tried(const json_t *object)
{
    return has_whole(object, "launches", 1) && has_whole(object, "less", 0) &&
           has_whole(object, "schedules", 1) && has_whole(object, "fewest", 1) &&
           has_text(object, "why") && has_text(object, "seal");
}

static bool is_end(const json_t *object)
{
    static const char *const ways[] = {"returned", "exit",      "signal",
                                       "timeout",  "exception", "failed"};
    const char *how = json_string_value(json_object_get(object, "how"));
    for (size_t k = 0; how && k < sizeof ways / sizeof *ways; k++)
        if (strcmp(how, ways[k]) == 0)
            return is_whole(json_object_get(object, "status"), INT32_MIN, INT32_MAX);
    return false;
}

bool rd_recording_is_sound(const struct rd_recording_event *event)
{
    const json_t *object = event->object;
    if (strcmp(event->name, "launch") == 0)
        return is_launch(object);
    if (strcmp(event->name, "finding") == 0)
        return is_finding(object);
    if (strcmp(event->name, "lack") == 0)
        return has_text(object, "text");
    if (strcmp(event->name, "difference") == 0)
        return is_difference(object);
    if (strcmp(event->name, "tried") == 0)
        return is_tried(object);
    return strcmp(event->name, "end") == 0 && is_end(object);
}
