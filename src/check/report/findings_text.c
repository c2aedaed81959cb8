// SPDX-License-Identifier: MIT
/* Findings as text. */
#include "check/report/findings.h"
#include "view/paint.h"

#include <stdlib.h>
#include <string.h>

/* Hazards laid out as compilers do: the place in front, the other place on a line of its own, then the lesson. */

enum { NAMED_MAX = 3, SITE_SIZE = 1024, INDENT = 2 };

void rd_check_site_text(const json_t *hazard, size_t place, char *site, size_t size)
{
    const json_t *at = json_array_get(json_object_get(hazard, "places"), place);
    long long line = json_integer_value(json_object_get(at, "line"));
    long long column = json_integer_value(json_object_get(at, "column"));
    int length = 0;
    site[0] = '\0';
    if (*rd_check_text_of(at, "file"))
        length = snprintf(site, size, "%s:%lld", rd_check_text_of(at, "file"), line);
    if (length > 0 && (size_t)length < size && column > 0)
        snprintf(site + length, size - (size_t)length, ":%lld", column);
}

void rd_check_print_site(const json_t *hazard, const char *before, FILE *file)
{
    char site[SITE_SIZE];
    rd_check_site_text(hazard, 0, site, sizeof site);
    if (*site)
        fprintf(file, "%s%s", before, site);
}

/* Under which schedules it was seen, where that was not all of them: else "". Local variables are looked at
 * under the first only. */
static void schedules_of(const json_t *hazard, size_t n_runs, char *text, size_t size)
{
    const json_t *schedules = json_object_get(hazard, "schedules");
    size_t n = json_array_size(schedules), length = 0;
    text[0] = '\0';
    if (n == 0 || n == n_runs || rd_check_hazard_is_private(hazard))
        return;
    length += (size_t)snprintf(text, size, "Seen under %zu of %zu schedules: ", n, n_runs);
    for (size_t k = 0; k < n && k < NAMED_MAX && length < size; k++)
        length += (size_t)snprintf(text + length, size - length, "%s%s", k > 0 ? ", " : "",
                                   json_string_value(json_array_get(schedules, k)));
    if (length < size)
        snprintf(text + length, size - length, "%s", n > NAMED_MAX ? ", ..." : ".");
}

/* ---- in a line ---- */

static void print_hazard_line(const json_t *hazard, size_t n_runs, FILE *file)
{
    char site[SITE_SIZE], schedules[256];
    rd_check_site_text(hazard, 0, site, sizeof site);
    schedules_of(hazard, n_runs, schedules, sizeof schedules);
    fprintf(file, "%s%s%s: %s%s%s\n", site, *site ? ": " : "", rd_check_text_of(hazard, "name"),
            rd_check_text_of(hazard, "message"), *schedules ? " " : "", schedules);
}

/* ---- laid out ---- */

/* Finds " at SITE" in the text; NULL: it is not there. */
static char *find_site(char *text, const char *site)
{
    static const char at[] = " at ";
    size_t length = strlen(site);
    char *found = length > 0 ? strstr(text, site) : NULL;
    while (found &&
           (found < text + strlen(at) || strncmp(found - strlen(at), at, strlen(at)) != 0 ||
            (found[length] && strchr(":0123456789", found[length]))))
        found = strstr(found + 1, site);
    return found ? found - strlen(at) : NULL;
}

/* Takes " at SITE" out of the text, which stands in front of it then. False where it is not there. */
static bool take_site(char *text, const char *site)
{
    char *found = find_site(text, site);
    if (!found)
        return false;
    char *behind = found + strlen(" at ") + strlen(site);
    if (found > text && found[-1] == ',' && (*behind == ',' || *behind == '\0'))
        found--; /* a comma that only set it off */
    memmove(found, behind, strlen(behind) + 1);
    return true;
}

/* Takes the lesson off the end of a message. */
static void take_lesson(char *message, const char *lesson)
{
    size_t size = strlen(message), end = strlen(lesson);
    if (end == 0 || size < end || strcmp(message + size - end, lesson) != 0)
        return;
    message[size - end] = '\0';
    while (size > end && strchr(" .", message[size - end - 1]))
        message[--size - end] = '\0';
}

/* A paragraph that begins at a site, and is indented further from its second line on. */
static void print_at(const struct rd_paint *paint, unsigned indent, const char *site,
                     const char *name, const char *text)
{
    size_t column = (size_t)fprintf(paint->out, "%*s%s%s%s%s", (int)indent, "", site,
                                    *site ? ":" : "", *site && *name ? " " : "", name);
    if (*name)
        column += (size_t)fprintf(paint->out, ":");
    rd_paint_flow(paint, RD_INK_PLAIN, column, 2 * INDENT, text);
    fputc('\n', paint->out);
}

/* From ", and thread 0 of block 0 at another at SITE" what stands behind the comma, cut off; else NULL. */
static char *cut_other(char *clause, const char *site)
{
    static const char link[] = ", and ";
    char *found = find_site(clause, site), *last = NULL;
    if (!found)
        return NULL;
    for (char *at = strstr(clause, link); at && at < found; at = strstr(at + 1, link))
        last = at;
    if (!last)
        return NULL;
    *last = '\0';
    return last + strlen(link);
}

static char *next_clause(char *clause)
{
    char *end = strstr(clause, "; ");
    if (!end)
        return NULL;
    *end = '\0';
    return end + strlen("; ");
}

/* The rest, clause by clause: the other site's in a line of its own. */
static void print_clauses(const struct rd_paint *paint, char *clause, const char *other)
{
    size_t column = 0;
    for (char *next; clause; clause = next) {
        next = next_clause(clause);
        if (take_site(clause, other)) {
            if (column > 0)
                fputc('\n', paint->out);
            print_at(paint, INDENT, other, "", clause);
            column = 0;
            continue;
        }
        if (column > 0)
            column += (size_t)fprintf(paint->out, ";");
        column = rd_paint_flow(paint, RD_INK_PLAIN, column, INDENT, clause);
    }
    if (column > 0)
        fputc('\n', paint->out);
}

static void print_hazard(const json_t *hazard, size_t n_runs, unsigned width, FILE *file)
{
    const struct rd_paint paint = {.out = file, .width = width};
    const char *lesson = rd_check_text_of(hazard, "lesson");
    char site[SITE_SIZE], other[SITE_SIZE], schedules[256];
    char *message = strdup(rd_check_text_of(hazard, "message"));
    if (!message) {
        print_hazard_line(hazard, n_runs, file);
        return;
    }
    rd_check_site_text(hazard, 0, site, sizeof site);
    rd_check_site_text(hazard, 1, other, sizeof other);
    take_lesson(message, lesson);
    char *rest = next_clause(message);
    take_site(message, site);
    char *second = cut_other(message, other);
    print_at(&paint, 0, site, rd_check_text_of(hazard, "name"), message);
    if (second && take_site(second, other))
        print_at(&paint, INDENT, other, "", second);
    print_clauses(&paint, rest, other);
    if (*lesson)
        rd_paint_wrap(&paint, RD_INK_PLAIN, INDENT, lesson);
    schedules_of(hazard, n_runs, schedules, sizeof schedules);
    if (*schedules)
        rd_paint_wrap(&paint, RD_INK_PLAIN, INDENT, schedules);
    free(message);
}

/* ---- all of them ---- */

static long long number_of(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

void rd_check_print_hazards(const json_t *outcome, bool one_line, unsigned width, FILE *file)
{
    const json_t *runs = json_object_get(outcome, "runs");
    size_t k, n_runs = runs ? json_array_size(runs) : (size_t)number_of(outcome, "schedules");
    json_t *hazard;
    json_array_foreach(json_object_get(outcome, "hazards"), k, hazard)
    {
        if (one_line)
            print_hazard_line(hazard, n_runs, file);
        else
            print_hazard(hazard, n_runs, width, file);
    }
    long long left_out = number_of(outcome, "hazards_left_out");
    if (left_out > 0)
        fprintf(file, "%lld more %s left out\n", left_out, left_out == 1 ? "is" : "are");
}

void rd_check_print_unvaried(const json_t *outcome, FILE *file)
{
    const char *unvaried = rd_check_text_of(outcome, "unvaried");
    if (*unvaried)
        fprintf(file, "; what %s %s was not varied", unvaried,
                strcmp(unvaried, "__activemask()") == 0 ? "gives" : "give");
}
