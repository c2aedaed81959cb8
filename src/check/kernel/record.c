// SPDX-License-Identifier: MIT
/* The record of a run: what the process that runs a user's code has written. It may be anything. */
#include "check/kernel/check.h"
#include "check/report/findings.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- what both processes have ---- */

FILE *rd_check_record_open(void)
{
    enum { FIRST = 100 };
    FILE *made = tmpfile();
    int file = made ? fcntl(fileno(made), F_DUPFD_CLOEXEC, FIRST) : -1;
    if (made)
        fclose(made);
    FILE *record = file >= 0 ? fdopen(file, "w+") : NULL;
    if (file >= 0 && !record)
        close(file);
    return record;
}

bool rd_check_seal_make(char seal[RD_CHECK_SEAL_SIZE])
{
    unsigned char bytes[RD_CHECK_SEAL_SIZE / 2];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        return false;
    for (size_t k = 0; k < sizeof bytes; k++)
        snprintf(seal + 2 * k, 3, "%02x", bytes[k]);
    return true;
}

/* ---- what a record is ---- */

static bool is_text(const json_t *object, const char *key)
{
    return json_is_string(json_object_get(object, key));
}

static bool is_text_if_there(const json_t *object, const char *key)
{
    return !json_object_get(object, key) || is_text(object, key);
}

static bool is_number(const json_t *object, const char *key, json_int_t least)
{
    const json_t *number = json_object_get(object, key);
    return json_is_integer(number) && json_integer_value(number) >= least;
}

static bool is_number_or(const json_t *object, const char *key, bool may_be_null)
{
    const json_t *number = json_object_get(object, key);
    return !number || (may_be_null && json_is_null(number)) || is_number(object, key, 0);
}

static bool is_index3(const json_t *index)
{
    size_t k;
    json_t *number;
    if (!json_is_array(index) || json_array_size(index) != 3)
        return json_is_null(index);
    json_array_foreach(index, k, number)
    {
        if (!json_is_integer(number))
            return false;
    }
    return true;
}

static bool is_place(const json_t *place)
{
    return json_is_object(place) && is_text(place, "op") && is_number_or(place, "block", true) &&
           is_number_or(place, "thread", true) &&
           is_index3(json_object_get(place, "block_index")) &&
           is_index3(json_object_get(place, "thread_index")) && is_text_if_there(place, "file") &&
           is_number_or(place, "line", false) && is_number_or(place, "column", false);
}

/* Tells whether it is an array, and all that is in it is that. */
static bool is_array_of(const json_t *array, bool (*is)(const json_t *element), size_t n_max)
{
    size_t k;
    json_t *element;
    if (!json_is_array(array) || json_array_size(array) > n_max)
        return false;
    json_array_foreach(array, k, element)
    {
        if (!is(element))
            return false;
    }
    return true;
}

static bool is_hazard(const json_t *hazard)
{
    enum { PLACES_MAX = 2 };
    static const char *const texts[] = {"kind", "scope", "message", "lesson"};
    static const char *const others[] = {"array", "type", "before", "after", "kernel"};
    static const char *const numbers[] = {"n_elems", "pairs", "bytes"};
    const json_t *index = json_object_get(hazard, "index"); /* below 0 in front of an array */
    bool good = json_is_object(hazard) && is_text(hazard, "name") &&
                rd_check_hazard_kind(hazard) < RD_HAZARD_COUNT && is_number(hazard, "count", 1) &&
                is_number(hazard, "interval", 0) && (!index || json_is_integer(index)) &&
                is_array_of(json_object_get(hazard, "places"), is_place, PLACES_MAX);
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        good = good && is_text(hazard, texts[k]);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        good = good && is_text_if_there(hazard, others[k]);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        good = good && is_number_or(hazard, numbers[k], false);
    return good;
}

static bool is_launch(const json_t *launch)
{
    return json_is_object(launch) && is_text(launch, "kernel") &&
           is_number(launch, "launches", 1) && is_number(launch, "threads", 0);
}

static bool is_name(const json_t *name)
{
    return json_is_string(name);
}

static bool is_place_in_text(const json_t *record, const char *key)
{
    const json_t *place = json_object_get(record, key);
    return !place || (is_text(place, "file") && is_number(place, "line", 0));
}

static bool is_outcome(const char *outcome)
{
    static const char *const outcomes[] = {"completed", "timeout", "crash", "failed", "inexact"};
    for (size_t k = 0; k < sizeof outcomes / sizeof *outcomes; k++)
        if (strcmp(outcome, outcomes[k]) == 0)
            return true;
    return false;
}

static bool is_record(const json_t *record, const struct rd_check *check,
                      const char seal[RD_CHECK_SEAL_SIZE])
{
    const char *outcome = rd_check_text_of(record, "outcome");
    const json_t *names = json_object_get(record, "names"),
                 *launches = json_object_get(record, "launches"),
                 *outdated = json_object_get(record, "outdated");
    bool completed = strcmp(outcome, "completed") == 0;
    return json_is_object(record) && strcmp(rd_check_text_of(record, "seal"), seal) == 0 &&
           is_outcome(outcome) && is_number(record, "threads", 0) &&
           is_array_of(json_object_get(record, "hazards"), is_hazard, SIZE_MAX) &&
           is_array_of(names, is_name, RD_CHECK_BUFFERS_MAX) &&
           (!completed || json_array_size(names) == check->buffers.n) &&
           (!launches || is_array_of(launches, is_launch, SIZE_MAX)) &&
           is_text_if_there(record, "error") && is_text_if_there(record, "unvaried") &&
           (!outdated || is_text(outdated, "name")) && is_place_in_text(record, "outdated") &&
           is_place_in_text(record, "untold");
}

/* ---- texts ---- */

/* A terminal would obey control characters. */
static json_t *calm_text(const json_t *text)
{
    static const char replacement[] = "\xef\xbf\xbd";
    const char *from = json_string_value(text);
    const size_t length = json_string_length(text);
    char *calm = malloc(3 * length + 1);
    size_t n = 0;
    for (size_t k = 0; k < length && calm; k++) {
        const unsigned char byte = (unsigned char)from[k];
        bool is_c1 = byte == 0xc2 && k + 1 < length && (unsigned char)from[k + 1] < 0xa0;
        if ((byte < ' ' && byte != '\n' && byte != '\t') || byte == 0x7f || is_c1) {
            memcpy(calm + n, replacement, 3);
            n += 3;
            k += is_c1;
        } else {
            calm[n++] = from[k];
        }
    }
    json_t *made = calm ? json_stringn(calm, n) : NULL;
    free(calm);
    return made ? made : json_string("");
}

void rd_check_calm(json_t *value)
{
    const char *key;
    size_t k;
    json_t *element;
    json_object_foreach(value, key, element)
    {
        if (json_is_string(element))
            json_object_set_new(value, key, calm_text(element));
        else
            rd_check_calm(element);
    }
    json_array_foreach(value, k, element)
    {
        if (json_is_string(element))
            json_array_set_new(value, k, calm_text(element));
        else
            rd_check_calm(element);
    }
}

/* ---- reading it ---- */

/* The record of a child that wrote none. */
static json_t *record_of_end(const struct rd_check *check, const struct rd_check_end *end)
{
    const char *file = check->options->file;
    char text[1024];
    int number = WIFSIGNALED(end->status) ? WTERMSIG(end->status) : 0;
    bool out_of_time = end->timed_out || (number == SIGALRM && end->had_time);
    enum rd_hazard_kind hazard = RD_HAZARD_COUNT; /* none */
    if (end->stopped)
        snprintf(text, sizeof text, "the %s of '%s' was contained: %s: nothing more is known of it",
                 end->started ? "kernel" : "initialisation", file, end->stopped);
    else if (!end->started && out_of_time)
        snprintf(text, sizeof text,
                 "the initialisation of '%s' was stopped after %u s: no thread has run", file,
                 check->options->common.timeout_s);
    else if (!end->started && number)
        snprintf(text, sizeof text,
                 "the initialisation of '%s' was ended by signal %d (%s): no thread has run", file,
                 number, strsignal(number));
    else if (!end->started)
        snprintf(text, sizeof text,
                 "the initialisation of '%s' has ended the process: no thread has run", file);
    else if (!number)
        snprintf(text, sizeof text,
                 "the kernel has ended the process, as by exit(): nothing more is known of it");
    else if (number == SIGKILL && !end->timed_out)
        snprintf(text, sizeof text,
                 "the kernel's process was killed: the machine may be out of memory");
    else if (out_of_time) {
        hazard = RD_HAZARD_NO_TERMINATION;
        snprintf(text, sizeof text, "the kernel was stopped after %u s",
                 check->options->common.timeout_s);
    } else {
        hazard = RD_HAZARD_CRASH;
        snprintf(text, sizeof text, "the kernel was ended by signal %d (%s)", number,
                 strsignal(number));
    }
    json_t *record = json_pack("{s:s, s:i, s:[], s:[]}", "outcome",
                               hazard == RD_HAZARD_COUNT ? "failed"
                               : out_of_time             ? "timeout"
                                                         : "crash",
                               "threads", 0, "hazards", "names");
    if (hazard != RD_HAZARD_COUNT)
        json_array_append_new(json_object_get(record, "hazards"),
                              rd_check_hazard_json(check, hazard, text));
    else
        json_object_set_new(record, "error", rd_check_text(text, strlen(text)));
    return record;
}

json_t *rd_check_record(FILE *file, const struct rd_check *check,
                        const char seal[RD_CHECK_SEAL_SIZE], const struct rd_check_end *end)
{
    enum { BYTES_MAX = 1 << 26 };
    struct stat facts;
    json_error_t error;
    json_t *record = NULL;
    rewind(file);
    if (!end->stopped && WIFEXITED(end->status) && fstat(fileno(file), &facts) == 0 &&
        facts.st_size <= BYTES_MAX)
        record = json_loadf(file, 0, &error);
    if (record && is_record(record, check, seal)) {
        rd_check_calm(record);
        return record;
    }
    json_decref(record);
    return record_of_end(check, end);
}
