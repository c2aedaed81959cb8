// SPDX-License-Identifier: MIT
/* Compares runs: what they leave in buffers, on the heap and in variables; and with those that look at local variables. */
#include "check/kernel/check.h"
#include "check/report/findings.h"
#include "check/sandbox/interruption.h"
#include "check/kernel/compile.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- comparing ---- */

/* Readers keep numbers as doubles, as JSON allows them to: above this, they would change them. */
#define EXACT_MAX ((int64_t)1 << 53)

json_t *rd_check_value(const struct rd_numeric *numeric, const void *cells, size_t index)
{
    char text[RD_VALUE_TEXT_SIZE];
    numeric->format(text, numeric->load(cells, index));
    if (numeric->is_float) {
        double value = numeric->to_double(numeric->load(cells, index));
        return isfinite(value) ? json_real(value) : json_string(text);
    }
    int64_t whole = strtoll(text, NULL, 10); /* saturates */
    return whole > EXACT_MAX || whole < -EXACT_MAX ? json_string(text)
                                                   : json_integer((json_int_t)whole);
}

json_t *rd_check_buffer_name(const struct rd_check *check, const struct rd_check_run *runs,
                             unsigned n_runs, unsigned buffer)
{
    for (unsigned r = 0; r < n_runs; r++) {
        json_t *name = json_array_get(json_object_get(runs[r].record, "names"), buffer);
        if (name)
            return json_incref(name);
    }
    const char *name = check->buffers.all[buffer].spec->name;
    return json_sprintf("%s%s", name[strspn(name, "0123456789")] ? "" : "parameter ", name);
}

static json_t *text_of(const struct rd_numeric *numeric, const void *cells, size_t index)
{
    char text[RD_VALUE_TEXT_SIZE];
    numeric->format(text, numeric->load(cells, index));
    return json_string(text);
}

json_t *rd_check_schedule_json(const struct rd_check_run *run)
{
    char name[RD_SCHEDULE_NAME_SIZE];
    rd_schedule_name(&run->schedule, name);
    return json_string(name);
}

/* ---- the runs' results ---- */

/* The first byte at which two runs differ, in *buffer; false where they do not. */
static bool find_difference(const struct rd_check *check, const struct rd_check_run *x,
                            const struct rd_check_run *y, unsigned *buffer, size_t *index)
{
    for (unsigned k = 0; k < check->buffers.n; k++) {
        const struct rd_check_spec *spec = check->buffers.all[k].spec;
        if (spec->space != RD_CHECK_DEVICE)
            continue;
        size_t at = 0;
        const char *of_x = rd_check_run_buffer(x, check, k),
                   *of_y = rd_check_run_buffer(y, check, k);
        if (memcmp(of_x, of_y, rd_check_spec_bytes(spec)) == 0)
            continue;
        while (of_x[at] == of_y[at])
            at++;
        *buffer = k;
        *index = at / spec->numeric->size_bytes;
        return true;
    }
    return false;
}

static json_t *difference_json(const struct rd_check *check, const struct rd_check_run *base,
                               const struct rd_check_run *run, unsigned buffer, size_t index)
{
    const struct rd_numeric *numeric = check->buffers.all[buffer].spec->numeric;
    return json_pack("{s:i, s:o, s:I, s:o, s:o, s:o, s:o}", "argument",
                     (int)check->buffers.all[buffer].argument, "array",
                     rd_check_buffer_name(check, run, 1, buffer), "index", (json_int_t)index,
                     "schedule", rd_check_schedule_json(run), "value",
                     text_of(numeric, rd_check_run_buffer(run, check, buffer), index),
                     "other_schedule", rd_check_schedule_json(base), "other_value",
                     text_of(numeric, rd_check_run_buffer(base, check, buffer), index));
}

/* ---- the device heap ---- */

enum { NUMBER, BY_BLOCKS, BY_WORDS };

static json_int_t heap_number(const json_t *blocks, size_t which)
{
    return json_integer_value(json_array_get(blocks, which));
}

static json_t *heap_difference_json(const struct rd_check_run *base, const struct rd_check_run *run,
                                    const char *key, const json_t *of_base, const json_t *of_run)
{
    const char *bytes = strrchr(key, ':'), *line = bytes;
    while (line > key && *--line != ':')
        ;
    const bool is_order =
        of_base && of_run && heap_number(of_base, BY_WORDS) == heap_number(of_run, BY_WORDS);
    return json_pack("{s:o, s:i, s:I, s:s, s:o, s:I, s:o, s:I}", "file",
                     rd_check_text(key, (size_t)(line - key)), "line", atoi(line + 1), "size_bytes",
                     (json_int_t)strtoll(bytes + 1, NULL, 10), "kind",
                     is_order ? "order" : "values", "schedule", rd_check_schedule_json(run),
                     "blocks", heap_number(of_run, NUMBER), "other_schedule",
                     rd_check_schedule_json(base), "other_blocks", heap_number(of_base, NUMBER));
}

void rd_check_heap_difference_text(const json_t *difference, char *text, size_t size)
{
    const json_int_t n = json_integer_value(json_object_get(difference, "blocks")),
                     other = json_integer_value(json_object_get(difference, "other_blocks"));
    const char *schedule = rd_check_text_of(difference, "schedule"),
               *other_schedule = rd_check_text_of(difference, "other_schedule");
    int length =
        snprintf(text, size, "of what a kernel allocates at %.200s:%lld, blocks of %lld bytes, ",
                 rd_check_text_of(difference, "file"),
                 (long long)json_integer_value(json_object_get(difference, "line")),
                 (long long)json_integer_value(json_object_get(difference, "size_bytes")));
    if (length < 0 || (size_t)length >= size)
        return;
    if (n != other)
        snprintf(text + length, size - (size_t)length,
                 "%lld are left under schedule %s, and %lld under %s", (long long)n, schedule,
                 (long long)other, other_schedule);
    else
        snprintf(text + length, size - (size_t)length, "%s under schedule %s than under %s%s",
                 n == 1 ? "one holds something else" : "some hold something else", schedule,
                 other_schedule,
                 strcmp(rd_check_text_of(difference, "kind"), "order") == 0
                     ? ": the same words in another order"
                     : "");
}

/* The first blocks that differ, best such as are not the same words in another order; NULL: there are none. */
static json_t *heap_difference(const struct rd_check_run *base, const struct rd_check_run *run)
{
    json_t *found = NULL, *blocks;
    const char *key;
    const struct rd_check_run *const runs[] = {run, base};
    for (unsigned k = 0; k < 2; k++)
        json_object_foreach(json_object_get(runs[k]->record, "heap"), key, blocks)
        {
            const json_t *other =
                json_object_get(json_object_get(runs[1 - k]->record, "heap"), key);
            if (json_equal(blocks, other) ||
                (found && strcmp(rd_check_text_of(found, "kind"), "values") == 0))
                continue;
            json_decref(found);
            found = heap_difference_json(base, run, key, k == 0 ? other : blocks,
                                         k == 0 ? blocks : other);
        }
    return found;
}

void rd_check_compare_run(const struct rd_check *check, const struct rd_check_run *base,
                          struct rd_check_run *run)
{
    unsigned buffer;
    size_t index;
    if (find_difference(check, base, run, &buffer, &index))
        run->difference = difference_json(check, base, run, buffer, index);
    run->heap_difference = heap_difference(base, run);
    run->variable_difference = rd_check_variable_difference(base, run);
    if (!json_equal(json_object_get(base->record, "prints"),
                    json_object_get(run->record, "prints")))
        run->print_difference = json_pack("{s:o, s:o}", "schedule", rd_check_schedule_json(run),
                                          "other_schedule", rd_check_schedule_json(base));
}

/* Tells whether the run has left something else, order apart in what kernels have allocated. */
static bool has_difference(const struct rd_check_run *run)
{
    return run->difference ||
           (run->variable_difference && rd_check_is_of_values(run->variable_difference)) ||
           (run->heap_difference &&
            strcmp(rd_check_text_of(run->heap_difference, "kind"), "values") == 0);
}

static json_t *or_null(json_t *value)
{
    return value ? value : json_null();
}

json_t *rd_check_compare(const struct rd_check_run *runs, unsigned n_runs)
{
    json_t *difference = NULL, *heap = NULL, *variable = NULL, *prints = NULL;
    unsigned compared = 0, differ = 0;
    for (unsigned r = 0; r < n_runs; r++) {
        compared += rd_check_run_is_complete(&runs[r]);
        differ += has_difference(&runs[r]);
        if (!difference)
            difference = runs[r].difference;
        if (!heap || (runs[r].heap_difference && rd_check_is_of_values(runs[r].heap_difference) &&
                      !rd_check_is_of_values(heap)))
            heap = runs[r].heap_difference;
        if (!variable ||
            (runs[r].variable_difference && rd_check_is_of_values(runs[r].variable_difference) &&
             !rd_check_is_of_values(variable)))
            variable = runs[r].variable_difference;
        if (!prints)
            prints = runs[r].print_difference;
    }
    if (compared < 2)
        return json_null();
    return json_pack("{s:b, s:i, s:i, s:i, s:O, s:O, s:O, s:O}", "same", differ == 0, "compared",
                     (int)compared, "of", (int)n_runs, "differ", (int)differ, "difference",
                     or_null(difference), "heap_difference", or_null(heap), "variable_difference",
                     or_null(variable), "print_difference", or_null(prints));
}

/* ---- local variables ---- */

/* Local variables: a second build of the file has each in a zone of its own, and fills them otherwise than the
 * first. What it sees of them is added to what the run has found. Where it leaves other results, or other
 * hazards, a third build like the first, but filled as the second, decides: what differs there
 * depends on a variable that was not set. */

static const json_t *hazards_of(const struct rd_check_run *run)
{
    return json_object_get(run->record, "hazards");
}

static bool same_line(const json_t *x, const json_t *y)
{
    const json_t *one = json_array_get(json_object_get(x, "places"), 0),
                 *other = json_array_get(json_object_get(y, "places"), 0);
    return strcmp(rd_check_text_of(one, "file"), rd_check_text_of(other, "file")) == 0 &&
           json_integer_value(json_object_get(one, "line")) ==
               json_integer_value(json_object_get(other, "line"));
}

/* ---- adding ---- */

/* The hazard of this run that is the same: the compiler's own check of an index, which knows no more than
 * how many elements there are. */
static json_t *index_of(const struct rd_check_run *run, const json_t *hazard)
{
    size_t k;
    json_t *known;
    json_array_foreach(hazards_of(run), k, known)
    {
        if (rd_check_hazard_kind(known) == RD_HAZARD_OUT_OF_BOUNDS &&
            rd_check_hazard_kind(hazard) == RD_HAZARD_OUT_OF_BOUNDS &&
            !*rd_check_text_of(known, "kind") && same_line(known, hazard))
            return known;
    }
    return NULL;
}

static void add(struct rd_check_run *run, json_t *hazard)
{
    json_t *known = index_of(run, hazard);
    if (!known) {
        json_array_append(json_object_get(run->record, "hazards"), hazard);
        return;
    }
    json_object_set_new(known, "kind", json_string("private"));
    if (json_object_get(hazard, "array"))
        json_object_set(known, "array", json_object_get(hazard, "array"));
}

/* Adds what the other run has seen of local variables. */
static void add_private(struct rd_check_run *run, const struct rd_check_run *other)
{
    size_t k;
    json_t *hazard;
    json_array_foreach(hazards_of(other), k, hazard)
    {
        if (rd_check_hazard_is_private(hazard))
            add(run, hazard);
    }
}

static bool has_unset(const struct rd_check_run *run)
{
    size_t k;
    json_t *hazard;
    json_array_foreach(hazards_of(run), k, hazard)
    {
        if (rd_check_hazard_is_private(hazard) &&
            rd_check_hazard_kind(hazard) == RD_HAZARD_UNINITIALISED)
            return true;
    }
    return false;
}

/* ---- comparing ---- */

/* Races differ by chance, and which of some places is told first. */
static bool counts(const json_t *hazard)
{
    return !rd_check_hazard_is_private(hazard) && rd_check_hazard_kind(hazard) != RD_HAZARD_RACE &&
           rd_check_hazard_kind(hazard) != RD_HAZARD_UNDEFINED_ARITHMETIC;
}

/* The first hazard of the run that the other has not seen, in that line; NULL where there is none. */
static json_t *first_more(const struct rd_check_run *run, const struct rd_check_run *other)
{
    size_t k, m;
    json_t *hazard, *seen;
    json_array_foreach(hazards_of(run), k, hazard)
    {
        bool found = !counts(hazard);
        json_array_foreach(hazards_of(other), m, seen)
        {
            found = found || (same_line(hazard, seen) &&
                              rd_check_hazard_kind(seen) == rd_check_hazard_kind(hazard));
        }
        if (!found)
            return hazard;
    }
    return NULL;
}

/* Tells whether the run has accesses beyond an array, which read whatever lies there. */
static bool leaves_its_arrays(const struct rd_check_run *run, bool privately)
{
    size_t k;
    json_t *hazard;
    json_array_foreach(hazards_of(run), k, hazard)
    {
        bool counts_here = !privately || rd_check_hazard_is_private(hazard);
        if (counts_here && (rd_check_hazard_kind(hazard) == RD_HAZARD_OUT_OF_BOUNDS ||
                            rd_check_hazard_kind(hazard) == RD_HAZARD_DEAD_FRAME))
            return true;
    }
    return false;
}

static bool differs(const struct rd_check_run *run, const struct rd_check_run *other)
{
    return json_is_true(json_object_get(other->record, "differs")) ||
           strcmp(rd_check_text_of(run->record, "outcome"),
                  rd_check_text_of(other->record, "outcome")) != 0 ||
           first_more(run, other) || first_more(other, run);
}

/* Adds a hazard that one of the two runs alone has: it depends on a variable that is not set. */
static void add_dependent(const struct rd_check *check, struct rd_check_run *run,
                          const struct rd_check_run *other)
{
    json_t *hazard = first_more(other, run);
    char message[1200];
    const char *where = "start otherwise than as zeros";
    if (!hazard) {
        hazard = first_more(run, other);
        where = "start as zeros";
    }
    if (!hazard)
        return;
    const char *text = rd_check_text_of(hazard, "message"),
               *lesson = rd_check_text_of(hazard, "lesson");
    size_t length = strlen(text), end = strlen(lesson);
    struct rd_finding finding = rd_check_hazard(check, RD_HAZARD_UNINITIALISED, message);
    finding.kind = "private";
    finding.lesson = "A local variable holds nothing until it is set: give it a value where it is "
                     "declared, or on all ways to where it is read.";
    length -= length > end + 2 ? end + 2 : 0;
    snprintf(message, sizeof message,
             "%.*s; so only where local variables %s: one of them is read before it is set. %s",
             (int)length, text, where, finding.lesson);
    json_t *made = rd_check_finding_json(&finding);
    json_object_set(made, "places", json_object_get(hazard, "places"));
    json_array_append_new(json_object_get(run->record, "hazards"), made);
}

/* ---- running ---- */

/* Compiles it once more. Where that fails, the report says so, and nothing else. */
static bool compile_again(struct rd_check *check, const char *directory, enum rd_check_build build,
                          char library[RD_CHECK_PATH_SIZE])
{
    struct rd_error error;
    if (rd_check_compile_again(check, directory, build, library, &error) == RD_OK)
        return true;
    if (*rd_interruption()) /* which the next run tells */
        return false;
    snprintf(check->not_private, sizeof check->not_private,
             "the compiler can't build the file for that");
    return false;
}

/* Tells whether the other run alone was out of time. It was given a multiple of what the first has taken, which may have had all
 * processors. */
static bool is_slower_than_first(const struct rd_check_run *run, const struct rd_check_run *other)
{
    return strcmp(rd_check_text_of(other->record, "outcome"), "timeout") == 0 &&
           strcmp(rd_check_text_of(run->record, "outcome"), "timeout") != 0;
}

static enum rd_status run_other(struct rd_check_run *other, const struct rd_check_run *run,
                                const struct rd_check *check, const char *library, bool is_plain,
                                double seconds, struct rd_error *error)
{
    struct rd_check_options options = *check->options;
    struct rd_check copy = *check;
    double limit = 5 + 20 * seconds;
    if (limit < options.common.timeout_s)
        options.common.timeout_s = (unsigned)limit;
    copy.options = &options;
    copy.library = library;
    copy.is_private = !is_plain;
    copy.tells_differences = is_plain;
    copy.first = run;
    copy.keep = false;
    return rd_check_run_init(other, &copy, &run->schedule, run->exact, error);
}

static const char late[] = "not all: their run takes too long to come to its end";

/* Tells whether the same build leaves the same results once more: not where they hang on what changes by itself,
 * as a time of day. */
static enum rd_status repeat(const struct rd_check_run *run, const struct rd_check *check,
                             double seconds, bool *same, struct rd_error *error)
{
    struct rd_check_run again = {.record = NULL};
    enum rd_status status = run_other(&again, run, check, check->library, true, seconds, error);
    if (status != RD_OK)
        return status;
    *same = !differs(run, &again);
    rd_check_run_finish(&again);
    return RD_OK;
}

/* Finds out whether it is the fill that makes the difference, and where that shows. */
static enum rd_status decide(struct rd_check_run *run, struct rd_check *check,
                             const char *directory, double seconds, struct rd_error *error)
{
    struct rd_check_run other = {.record = NULL};
    char library[RD_CHECK_PATH_SIZE];
    bool same = false;
    enum rd_status status = repeat(run, check, seconds, &same, error);
    if (!same || !compile_again(check, directory, RD_CHECK_BUILD_PLAIN_OTHERWISE, library))
        return status;
    status = run_other(&other, run, check, library, true, seconds, error);
    if (status != RD_OK)
        return status;
    if (is_slower_than_first(run, &other))
        snprintf(check->not_private, sizeof check->not_private, "%s", late);
    add_private(run, &other);
    if (!has_unset(run) && !is_slower_than_first(run, &other))
        add_dependent(check, run, &other);
    rd_check_run_finish(&other);
    return RD_OK;
}

/* A comparison of a number that is as variables are filled: if it is one where they are filled with zeros, too,
 * it was no fill. */
static enum rd_status confirm(struct rd_check_run *other, const struct rd_check_run *run,
                              struct rd_check *check, const char *directory, double seconds,
                              struct rd_error *error)
{
    struct rd_check_run zeros = {.record = NULL};
    char library[RD_CHECK_PATH_SIZE];
    size_t m;
    json_t *hazards = json_object_get(other->record, "hazards"), *seen;
    if (!compile_again(check, directory, RD_CHECK_BUILD_PRIVATE, library))
        return RD_OK;
    enum rd_status status = run_other(&zeros, run, check, library, false, seconds, error);
    if (status != RD_OK)
        return status;
    for (size_t k = json_array_size(hazards); k > 0; k--) {
        const json_t *hazard = json_array_get(hazards, k - 1);
        bool again = false;
        json_array_foreach(hazards_of(&zeros), m, seen)
        {
            again = again || (rd_check_hazard_is_private(seen) &&
                              rd_check_hazard_is_private(hazard) && same_line(seen, hazard));
        }
        if (again && rd_check_hazard_kind(hazard) == RD_HAZARD_UNINITIALISED)
            json_array_remove(hazards, k - 1);
    }
    rd_check_run_finish(&zeros);
    return RD_OK;
}

enum rd_status rd_check_private(struct rd_check_run *run, struct rd_check *check,
                                const char *directory, double seconds, struct rd_error *error)
{
    struct rd_check_run other = {.record = NULL};
    if (!check->private_library || strcmp(rd_check_text_of(run->record, "outcome"), "failed") == 0)
        return RD_OK;
    enum rd_status status =
        run_other(&other, run, check, check->private_library, false, seconds, error);
    if (status != RD_OK)
        return status;
    bool failed = strcmp(rd_check_text_of(other.record, "outcome"), "failed") == 0;
    bool other_ones = !failed && !*check->not_private && !leaves_its_arrays(run, false) &&
                      !rd_check_run_never_ends(run) && !leaves_its_arrays(&other, true) &&
                      differs(run, &other);
    if (is_slower_than_first(run, &other)) {
        snprintf(check->not_private, sizeof check->not_private, "%s", late);
        other_ones = false;
    }
    if (failed)
        snprintf(check->not_private, sizeof check->not_private,
                 "what the compiler has built for that can't be run here");
    if (has_unset(&other) && !is_slower_than_first(run, &other))
        status = confirm(&other, run, check, directory, seconds, error);
    add_private(run, &other);
    rd_check_run_finish(&other);
    if (status != RD_OK)
        return status;
    return other_ones ? decide(run, check, directory, seconds, error) : RD_OK;
}
