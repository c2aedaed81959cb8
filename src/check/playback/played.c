// SPDX-License-Identifier: MIT
#include "check/playback/played.h"
#include "base/array.h"
#include "check/report/findings.h"
#include "reductio/hazards.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void rd_played_init(struct rd_played *played, const struct rd_annotations *files, size_t n_files)
{
    *played = (struct rd_played){.files = files, .n_files = n_files};
}

static void event_finish(struct rd_played_event *event)
{
    free(event->values);
    free(event->array.cells);
    free(event->unwritten);
    free(event->of_others);
    free(event->pending);
    free(event->lack);
}

void rd_played_finish(struct rd_played *played)
{
    for (size_t k = 0; k < played->n_events; k++)
        event_finish(&played->events[k]);
    for (size_t k = 0; k < played->n_launches; k++)
        free(played->launches[k].kernel);
    for (size_t k = 0; k < played->n_findings; k++)
        free(played->findings[k].message);
    free(played->events);
    free(played->launches);
    free(played->findings);
    *played = (struct rd_played){0};
}

const struct rd_annotation *rd_played_annotation(const struct rd_played *played, unsigned site,
                                                 const struct rd_annotations **file)
{
    for (size_t f = 0; f < played->n_files; f++)
        for (size_t k = 0; k < played->files[f].n; k++)
            if (played->files[f].all[k].site == site) {
                if (file)
                    *file = &played->files[f];
                return &played->files[f].all[k];
            }
    return NULL;
}

/* The recording is not to be trusted from here on, nor before. */
static void refuse(struct rd_played *played, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void refuse(struct rd_played *played, const char *format, ...)
{
    va_list arguments;
    if (played->unsound)
        return;
    played->unsound = true;
    va_start(arguments, format);
    vsnprintf(played->why.text, sizeof played->why.text, format, arguments);
    va_end(arguments);
}

static bool get_number(const json_t *object, const char *key, uint64_t *number)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return false;
    *number = (uint64_t)json_integer_value(value);
    return true;
}

/* ---- launches ---- */

static bool get_index3(const json_t *object, const char *key, uint64_t index[3])
{
    const json_t *list = json_object_get(object, key);
    bool good = json_array_size(list) == 3;
    for (size_t k = 0; k < 3 && good; k++) {
        const json_t *value = json_array_get(list, k);
        good = json_is_integer(value) && json_integer_value(value) > 0;
        index[k] = good ? (uint64_t)json_integer_value(value) : 0;
    }
    return good;
}

static enum rd_status take_launch(struct rd_played *played, const json_t *object,
                                  struct rd_error *error)
{
    struct rd_played_launch launch = {0};
    const char *kernel = json_string_value(json_object_get(object, "kernel"));
    uint64_t number;
    if (!kernel || !get_number(object, "number", &number) ||
        !get_index3(object, "grid", launch.grid) || !get_index3(object, "block", launch.block) ||
        number != played->n_launches + 1) {
        refuse(played, "launch %zu is not told as launches are", played->n_launches + 1);
        return RD_OK;
    }
    launch.kernel = strdup(kernel);
    if (!launch.kernel || !rd_array_make_room(&played->launches, played->n_launches,
                                              &played->launches_capacity, sizeof launch)) {
        free(launch.kernel);
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the launches of a program");
    }
    played->launches[played->n_launches++] = launch;
    return RD_OK;
}

/* ---- findings ---- */

/* A finding is told when it is first seen, and once more at the end, with how often it was seen since. */
static bool is_known(const struct rd_played *played, uint64_t launch, enum rd_hazard_kind kind,
                     const char *message)
{
    for (size_t k = 0; k < played->n_findings; k++) {
        const struct rd_played_finding *one = &played->findings[k];
        if (one->launch == launch && one->kind == kind && strcmp(one->message, message) == 0)
            return true;
    }
    return false;
}

static enum rd_status take_finding(struct rd_played *played, const json_t *object,
                                   struct rd_error *error)
{
    const char *name = json_string_value(json_object_get(object, "name"));
    const char *message = json_string_value(json_object_get(object, "message"));
    struct rd_played_finding finding = {0};
    const bool of_launch = json_object_get(object, "launch") != NULL;
    if (!name || !message || (of_launch && !get_number(object, "launch", &finding.launch))) {
        refuse(played, "a finding is not told as findings are");
        return RD_OK;
    }
    finding.kind = rd_hazard_named(name);
    finding.event = played->n_events;
    finding.is_same_value = strcmp(json_string_value(json_object_get(object, "kind"))
                                       ? json_string_value(json_object_get(object, "kind"))
                                       : "",
                                   "same-value") == 0;
    rd_check_site_text(object, 0, finding.place, sizeof finding.place);
    if (is_known(played, finding.launch, finding.kind, message))
        return RD_OK;
    finding.message = strdup(message);
    if (!finding.message || !rd_array_make_room(&played->findings, played->n_findings,
                                                &played->findings_capacity, sizeof finding)) {
        free(finding.message);
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for the findings of a program");
    }
    played->findings[played->n_findings++] = finding;
    return RD_OK;
}

/* ---- annotations ---- */

/* Reads the array; false where it is not as it must be. */
/* Finds the type of that name, and what an element of the program's has of it. */
static bool get_type(const char *name, struct rd_played_array *array)
{
    static const struct {
        const char *name;
        unsigned bytes;
        int32_t least, most;
    } narrow[] = {{"bool", 1, 0, 1},
                  {"i8", 1, INT8_MIN, INT8_MAX},
                  {"u8", 1, 0, UINT8_MAX},
                  {"i16", 2, INT16_MIN, INT16_MAX},
                  {"u16", 2, 0, UINT16_MAX}};
    const struct rd_numeric *numeric = name ? rd_numeric_named(name) : NULL;
    for (size_t k = 0; name && k < sizeof narrow / sizeof *narrow; k++)
        if (strcmp(narrow[k].name, name) == 0) {
            numeric = rd_numeric(RD_TYPE_I32);
            array->narrow_bytes = narrow[k].bytes;
            array->narrow_least = narrow[k].least;
            array->narrow_most = narrow[k].most;
        }
    if (numeric)
        array->type = numeric->type;
    return numeric != NULL;
}

/* The elements as numbers of the array's type. */
static void take_cells(struct rd_played_array *array, const void *payload)
{
    const unsigned char *bytes = payload;
    int32_t *wide = array->cells;
    if (array->narrow_bytes == 0)
        memcpy(array->cells, payload, rd_played_bytes(array, array->count));
    for (size_t k = 0; array->narrow_bytes == 1 && k < array->count; k++)
        wide[k] = array->narrow_least < 0 ? (int8_t)bytes[k] : bytes[k];
    for (size_t k = 0; array->narrow_bytes == 2 && k < array->count; k++) {
        uint16_t element;
        memcpy(&element, bytes + 2 * k, 2);
        wide[k] = array->narrow_least < 0 ? (int16_t)element : element;
    }
}

static bool get_array(const json_t *object, const void *payload, uint64_t size_bytes,
                      struct rd_played_array *array, bool *has_memory)
{
    const json_t *about = json_object_get(object, "array");
    uint64_t count, bytes;
    if (!get_type(json_string_value(json_object_get(about, "type")), array) ||
        !get_number(about, "count", &count) || !get_number(about, "size_bytes", &bytes) ||
        count == 0 || bytes != size_bytes || bytes / count != rd_played_bytes(array, 1) ||
        bytes % count != 0 || !payload)
        return false;
    array->count = count;
    array->cells = calloc(count, rd_numeric(array->type)->size_bytes);
    *has_memory = array->cells != NULL;
    if (array->cells)
        take_cells(array, payload);
    return true;
}

static bool get_pairs(const json_t *list, uint64_t **pairs, size_t *n_pairs, bool *has_memory)
{
    const size_t n = json_array_size(list);
    if (n == 0)
        return true;
    *pairs = calloc(n, sizeof **pairs);
    *has_memory = *pairs != NULL;
    *n_pairs = *has_memory ? n : 0;
    for (size_t k = 0; k < *n_pairs; k++) {
        const json_t *number = json_array_get(list, k);
        if (!json_is_integer(number) || json_integer_value(number) < 0)
            return false;
        (*pairs)[k] = (uint64_t)json_integer_value(number);
    }
    return n % 2 == 0;
}

static bool get_values(const json_t *object, const struct rd_annotation *of,
                       struct rd_played_event *event, bool *has_memory)
{
    const json_t *names = json_object_get(object, "names");
    if (json_array_size(names) != of->n_names)
        return false;
    event->values = calloc(of->n_names + 1, sizeof *event->values);
    *has_memory = event->values != NULL;
    for (size_t k = 0; k < of->n_names && event->values; k++) {
        const json_t *value = json_array_get(names, k);
        if (!json_is_integer(value) && !of->names[k].any)
            return false;
        event->values[k] = json_integer_value(value);
    }
    return true;
}

/* The evaluation before this one, of the same execution of the loop; NULL: it is the first. */
static const struct rd_played_event *before(const struct rd_played *played,
                                            const struct rd_played_event *event)
{
    for (size_t k = played->n_events; k-- > 0;) {
        const struct rd_played_event *one = &played->events[k];
        if (one->site == event->site && one->instance == event->instance)
            return one;
    }
    return NULL;
}

static bool fits(const struct rd_played *played, const struct rd_annotation *of,
                 const struct rd_played_event *event)
{
    if (of->kind != RD_ANNOTATION_INVARIANT)
        return event->instance == 0 && event->evaluation == 0 &&
               event->launches <= played->n_launches;
    const struct rd_played_event *last = before(played, event);
    return event->instance > 0 && event->evaluation == (last ? last->evaluation + 1 : 0) &&
           event->launches >= (last ? last->launches : 0) && event->launches <= played->n_launches;
}

/* Why names and array could not be taken, with the name that differs among the threads. The caller frees it; NULL: no memory. */
static char *lack_text(const json_t *object, const struct rd_annotation *of, const char *lack)
{
    uint64_t differing = 0;
    char *text;
    if (!json_object_get(object, "differing") || !get_number(object, "differing", &differing) ||
        differing == 0 || differing > of->n_names)
        return strdup(lack);
    const int length = asprintf(
        &text, "%s: it is '%s', and the law is one for all threads%s", lack,
        of->names[differing - 1].expression,
        json_object_get(object, "warp")
            ? " of the warp: say it by what all lanes share, as d, the number of rounds made"
            : " of the block; of a variable of each thread it has x[l], that of lane l of a warp");
    return length < 0 ? NULL : text;
}

static enum rd_status take_law(struct rd_played *played, const json_t *object, const void *payload,
                               uint64_t size_bytes, struct rd_error *error)
{
    struct rd_played_event event = {.block = UINT64_MAX, .warp = UINT64_MAX};
    uint64_t site = 0;
    const char *seal = json_string_value(json_object_get(object, "seal"));
    bool has_memory = true, good = get_number(object, "site", &site) && seal && played->seal &&
                                   strcmp(seal, played->seal) == 0;
    const struct rd_annotation *of =
        good && site <= UINT32_MAX ? rd_played_annotation(played, (unsigned)site, NULL) : NULL;
    const char *lack = json_string_value(json_object_get(object, "lack"));
    event.site = (unsigned)site;
    event.annotation = of;
    good = of && get_number(object, "instance", &event.instance) &&
           get_number(object, "evaluation", &event.evaluation) &&
           get_number(object, "launches", &event.launches) && fits(played, of, &event);
    if (good && json_object_get(object, "block"))
        good = get_number(object, "block", &event.block);
    if (good && json_object_get(object, "warp"))
        good = get_number(object, "warp", &event.warp);
    if (good && lack) {
        event.lack = lack_text(object, of, lack);
        has_memory = event.lack != NULL;
    } else if (good) {
        good = get_values(object, of, &event, &has_memory);
        if (good && has_memory && of->array.expression)
            good = get_array(object, payload, size_bytes, &event.array, &has_memory);
        if (good && has_memory)
            good = get_pairs(json_object_get(object, "unwritten"), &event.unwritten,
                             &event.n_unwritten, &has_memory);
        if (good && has_memory)
            good = get_pairs(json_object_get(object, "of_others"), &event.of_others,
                             &event.n_of_others, &has_memory);
        const char *pending = json_string_value(json_object_get(object, "pending"));
        event.pending = pending ? strdup(pending) : NULL;
        has_memory = has_memory && (!pending || event.pending);
    }
    if (!good)
        refuse(played, "an annotation is told of in a way in which none is");
    if (good && has_memory)
        has_memory = rd_array_make_room(&played->events, played->n_events, &played->events_capacity,
                                        sizeof event);
    if (good && has_memory)
        played->events[played->n_events++] = event;
    else
        event_finish(&event);
    return has_memory ? RD_OK
                      : rd_fail(error, RD_ERROR_MEMORY, "no memory for the states of a program");
}

bool rd_played_has_told(const struct rd_played *played, uint64_t launch, const char *message)
{
    for (size_t k = 0; k < played->n_findings; k++) {
        const struct rd_played_finding *one = &played->findings[k];
        if (one->told && one->launch == launch && strcmp(one->message, message) == 0)
            return true;
    }
    return false;
}

/* Tells whether memory may hold something else in another run. A call that is refused does nothing in each, and where threads
 * write the same, each order gives that. */
static bool may_differ(const struct rd_played_finding *finding)
{
    return rd_hazard_undefines(finding->kind) && !finding->is_same_value &&
           finding->kind != RD_HAZARD_ILLEGAL_LAUNCH && finding->kind != RD_HAZARD_COPY_DIRECTION &&
           finding->kind != RD_HAZARD_INVALID_FREE && finding->kind != RD_HAZARD_UNCHECKED_ERROR;
}

const struct rd_played_finding *rd_played_undefined_by(const struct rd_played *played, size_t at)
{
    for (size_t k = 0; k < played->n_findings; k++) {
        const struct rd_played_finding *one = &played->findings[k];
        if (may_differ(one) &&
            (one->launch > 0 ? one->launch <= played->events[at].launches : one->event <= at))
            return one;
    }
    return NULL;
}

enum rd_status rd_played_take(struct rd_played *played, const char *name, const json_t *object,
                              const void *payload, uint64_t size_bytes, struct rd_error *error)
{
    if (strcmp(name, "launch") == 0)
        return take_launch(played, object, error);
    if (strcmp(name, "finding") == 0)
        return take_finding(played, object, error);
    if (strcmp(name, "law") == 0)
        return take_law(played, object, payload, size_bytes, error);
    return RD_OK;
}
