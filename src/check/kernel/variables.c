// SPDX-License-Identifier: MIT
/* What a launch leaves in the file's own variables, and how two runs of it differ in that. */
#include "check/report/findings.h"
#include "check/source/rewrite.h"
#include "check/kernel/check.h"
#include "check/source/kernel_names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Larger ones are told apart, not their elements. */
enum { TOLD_BYTES_MAX = 4096, NAME_SIZE = 512 };

/* ---- recording ---- */

struct recording {
    struct rd_device *device;
    json_t *variables;
};

/* Names of the simulator's headers and of libraries, and what the compiler makes. */
static bool is_of_others(const char *name)
{
    static const char *const starts[] = {
        "rd_",    "__",      "std::",  "thrust::", "cub::",     "(anon",
        "guard ", "vtable ", "typein", "VTT ",     "construct", NULL};
    for (const char *const *start = starts; *start; start++)
        if (strncmp(name, *start, strlen(*start)) == 0)
            return true;
    return !*name || strchr(name, '.');
}

static json_t *bytes_json(const unsigned char *bytes, size_t size)
{
    char text[2 * TOLD_BYTES_MAX + 1] = "";
    for (size_t k = 0; k < size; k++)
        snprintf(text + 2 * k, 3, "%02x", bytes[k]);
    return json_string(text);
}

static json_t *hash_json(const unsigned char *bytes, size_t size)
{
    char text[20];
    uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */
    for (size_t k = 0; k < size; k++)
        hash = (hash ^ bytes[k]) * 0x100000001b3;
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    return json_string(text);
}

static void record_one(void *self, const struct rd_file_variable *variable)
{
    struct recording *recording = self;
    char name[NAME_SIZE];
    if (variable->is_shared || variable->is_constant || variable->size_bytes == 0)
        return;
    char *plain = rd_check_demangle(variable->symbol);
    snprintf(name, sizeof name, "%s", plain ? plain : variable->symbol);
    free(plain);
    rd_check_names_restore(name);
    const char *const own = strncmp(name, "(anonymous namespace)::", 23) == 0 ? name + 23 : name;
    if (is_of_others(own) || json_object_get(recording->variables, own))
        return;
    const struct rd_file_type type =
        recording->device->ops->files->type_of(recording->device, variable);
    const unsigned char *bytes = (const unsigned char *)variable->address;
    const bool is_told = variable->size_bytes <= TOLD_BYTES_MAX && type.type[0];
    if (type.is_pointer) /* an address, which depends on who allocates first */
        return;
    json_object_set_new(recording->variables, own,
                        json_pack("{s:s, s:b, s:o, s:o}", "type", type.type, "is_array",
                                  (int)type.is_array, "hash",
                                  hash_json(bytes, variable->size_bytes), "bytes",
                                  is_told ? bytes_json(bytes, variable->size_bytes) : json_null()));
}

json_t *rd_check_variables_json(struct rd_device *device)
{
    struct recording recording = {device, json_object()};
    device->ops->files->visit_variables(device, record_one, &recording);
    return recording.variables;
}

/* ---- comparing ---- */

/* The element that stands at this place, as text. */
static json_t *element_json(const struct rd_numeric *numeric, const char *bytes, size_t index)
{
    _Alignas(16) unsigned char cell[16] = {0};
    char text[RD_VALUE_TEXT_SIZE];
    for (size_t k = 0; k < numeric->size_bytes && k < sizeof cell; k++)
        sscanf(bytes + 2 * (index * numeric->size_bytes + k), "%2hhx", &cell[k]);
    numeric->format(text, numeric->load(cell, 0));
    return json_string(text);
}

static json_t *difference_json(const char *name, const json_t *first, const json_t *second)
{
    const char *bytes = json_string_value(json_object_get(first, "bytes")),
               *others = json_string_value(json_object_get(second, "bytes")),
               *type = rd_check_text_of(first, "type");
    const struct rd_numeric *numeric = *type ? rd_numeric_named(type) : NULL;
    json_t *difference =
        json_pack("{s:s, s:s}", "variable", name, "kind", numeric ? "values" : "bytes");
    if (!numeric || !bytes || !others || strlen(bytes) != strlen(others))
        return difference;
    size_t at = 0;
    while (bytes[at] && bytes[at] == others[at])
        at++;
    const size_t index = at / 2 / numeric->size_bytes;
    if (json_is_true(json_object_get(first, "is_array")))
        json_object_set_new(difference, "index", json_integer((json_int_t)index));
    json_object_set_new(difference, "value", element_json(numeric, bytes, index));
    json_object_set_new(difference, "other_value", element_json(numeric, others, index));
    return difference;
}

json_t *rd_check_variable_difference(const struct rd_check_run *base,
                                     const struct rd_check_run *run)
{
    const json_t *before = json_object_get(base->record, "variables");
    json_t *found = NULL, *variable;
    const char *name;
    json_object_foreach(json_object_get(run->record, "variables"), name, variable)
    {
        const json_t *second = json_object_get(before, name);
        if (!second ||
            json_equal(json_object_get(variable, "hash"), json_object_get(second, "hash")))
            continue;
        json_t *difference = difference_json(name, variable, second);
        const bool is_worse =
            !found || (rd_check_is_of_values(difference) && !rd_check_is_of_values(found));
        json_decref(is_worse ? found : difference);
        found = is_worse ? difference : found;
    }
    if (found) {
        json_object_set_new(found, "schedule", rd_check_schedule_json(run));
        json_object_set_new(found, "other_schedule", rd_check_schedule_json(base));
    }
    return found;
}

bool rd_check_is_of_values(const json_t *difference)
{
    return strcmp(rd_check_text_of(difference, "kind"), "values") == 0;
}

void rd_check_variable_difference_text(const json_t *difference, char *text, size_t size)
{
    const json_t *index = json_object_get(difference, "index");
    char place[32] = "";
    if (index)
        snprintf(place, sizeof place, "[%lld]", (long long)json_integer_value(index));
    if (json_object_get(difference, "value"))
        snprintf(text, size, "%.200s%s is %s under schedule %s, and %s under %s",
                 rd_check_text_of(difference, "variable"), place,
                 rd_check_text_of(difference, "value"), rd_check_text_of(difference, "schedule"),
                 rd_check_text_of(difference, "other_value"),
                 rd_check_text_of(difference, "other_schedule"));
    else
        snprintf(text, size, "%.200s holds something else under schedule %s than under %s%s",
                 rd_check_text_of(difference, "variable"), rd_check_text_of(difference, "schedule"),
                 rd_check_text_of(difference, "other_schedule"),
                 rd_check_is_of_values(difference) ? "" : ": not judged, as it is no number");
}
