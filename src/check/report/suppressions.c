// SPDX-License-Identifier: MIT
#include "check/report/suppressions.h"
#include "base/array.h"
#include "check/report/findings.h"
#include "element/values_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

/* "race sum.cu:12 the flag is only ever set". */
static enum rd_status read_line(struct rd_check_suppressions *suppressions, const char *text,
                                unsigned number, struct rd_error *error)
{
    char name[64] = "";
    text += strspn(text, " \t");
    if (!*text || *text == '#')
        return RD_OK;
    size_t length = strcspn(text, " \t");
    if (length < sizeof name)
        memcpy(name, text, length);
    enum rd_hazard_kind kind = *name ? rd_hazard_named(name) : RD_HAZARD_COUNT;
    if (kind == RD_HAZARD_COUNT)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'%s' line %u: '%.*s' is no hazard: write HAZARD FILE:LINE REASON, as in "
                       "race sum.cu:12 all write the same",
                       suppressions->path, number, (int)(length < 60 ? length : 60), text);
    const char *place = text + length + strspn(text + length, " \t");
    size_t placed = strcspn(place, " \t");
    const char *colon = memrchr(place, ':', placed);
    unsigned long line = colon ? strtoul(colon + 1, NULL, 10) : 0;
    if (!colon || colon == place || line == 0 ||
        strspn(colon + 1, "0123456789") != (size_t)(place + placed - colon - 1))
        return rd_fail(error, RD_ERROR_USAGE, "'%s' line %u: '%.*s' is no place: write FILE:LINE",
                       suppressions->path, number, (int)(placed < 60 ? placed : 60), place);
    const char *reason = place + placed + strspn(place + placed, " \t");
    if (!*reason)
        return rd_fail(error, RD_ERROR_USAGE,
                       "'%s' line %u gives no reason: write it behind FILE:LINE",
                       suppressions->path, number);
    if (!rd_array_make_room(&suppressions->all, suppressions->n, &suppressions->capacity,
                            sizeof *suppressions->all))
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for '%s'", suppressions->path);
    suppressions->all[suppressions->n++] = (struct rd_check_suppression){
        .kind = kind,
        .file = strndup(place, (size_t)(colon - place)),
        .reason = strdup(reason),
        .line = (unsigned)line,
        .number = number,
    };
    return RD_OK;
}

enum rd_status rd_check_suppressions_init(struct rd_check_suppressions *suppressions,
                                          const char *path, struct rd_error *error)
{
    *suppressions = (struct rd_check_suppressions){.path = path};
    FILE *file = fopen(path, "r");
    enum rd_status status = RD_OK;
    char *text = NULL;
    size_t size = 0;
    unsigned number = 0;
    char subject[RD_SUBJECT_SIZE];
    rd_quote_path(subject, path);
    if (!file)
        return rd_fail(error, RD_ERROR_IO, "%s can't be opened: %s", subject, strerror(errno));
    for (ssize_t length; status == RD_OK && (length = getline(&text, &size, file)) >= 0;) {
        while (length > 0 && isspace((unsigned char)text[length - 1]))
            text[--length] = '\0';
        status = read_line(suppressions, text, ++number, error);
    }
    if (status == RD_OK && ferror(file))
        status = rd_fail(error, RD_ERROR_IO, "%s can't be read: %s", subject, strerror(errno));
    free(text);
    fclose(file);
    if (status != RD_OK)
        rd_check_suppressions_finish(suppressions);
    return status;
}

void rd_check_suppressions_finish(struct rd_check_suppressions *suppressions)
{
    for (size_t k = 0; k < suppressions->n; k++) {
        free(suppressions->all[k].file);
        free(suppressions->all[k].reason);
    }
    free(suppressions->all);
    *suppressions = (struct rd_check_suppressions){0};
}

/* ---- suppressing ---- */

/* Tells whether a path ends as the other, in whole components. */
static bool is_same_file(const char *path, const char *end)
{
    size_t n = strlen(path), length = strlen(end);
    return n >= length && strcmp(path + n - length, end) == 0 &&
           (n == length || path[n - length - 1] == '/' || *end == '/');
}

static struct rd_check_suppression *find(struct rd_check_suppressions *suppressions,
                                         const json_t *hazard)
{
    const json_t *places = json_object_get(hazard, "places");
    for (size_t k = 0; k < suppressions->n; k++)
        for (size_t m = 0; m < json_array_size(places); m++) {
            const json_t *place = json_array_get(places, m);
            struct rd_check_suppression *one = &suppressions->all[k];
            if (rd_check_hazard_kind(hazard) == one->kind &&
                json_integer_value(json_object_get(place, "line")) == one->line &&
                is_same_file(rd_check_text_of(place, "file"), one->file))
                return one;
        }
    return NULL;
}

void rd_check_suppress(struct rd_check_suppressions *suppressions, json_t *outcome)
{
    json_t *hazards = json_object_get(outcome, "hazards"), *suppressed = json_array(),
           *unused = json_array();
    for (size_t k = 0; k < json_array_size(hazards);) {
        json_t *hazard = json_array_get(hazards, k);
        struct rd_check_suppression *one = find(suppressions, hazard);
        if (!one) {
            k++;
            continue;
        }
        one->used++;
        json_object_set_new(hazard, "reason", json_string(one->reason));
        json_object_set_new(hazard, "suppression", json_integer(one->number));
        json_array_append(suppressed, hazard);
        json_array_remove(hazards, k);
    }
    for (size_t k = 0; k < suppressions->n; k++) {
        const struct rd_check_suppression *one = &suppressions->all[k];
        if (one->used == 0)
            json_array_append_new(unused, json_pack("{s:s, s:s, s:i, s:s, s:i}", "name",
                                                    rd_hazard_name(one->kind), "file", one->file,
                                                    "line", (int)one->line, "reason", one->reason,
                                                    "suppression", (int)one->number));
    }
    json_object_set_new(outcome, "suppressed", suppressed);
    json_object_set_new(outcome, "unused_suppressions", unused);
}
