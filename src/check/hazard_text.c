// SPDX-License-Identifier: MIT
/* A hazard as compilers print what they find: where it is, in front; the other place in a line of its
 * own; and what it teaches. */
#include "check/check.h"
#include "check/findings.h"
#include "view/paint.h"

#include <stdlib.h>
#include <string.h>

enum { NAMED_MAX = 3, SITE_SIZE = 1024, INDENT = 2 };

/* "sum.cu:11:28" of a place; "" where its line is unknown. */
static void site_of(const json_t *hazard, size_t place, char site[SITE_SIZE])
{
    const json_t *at = json_array_get(json_object_get(hazard, "places"), place);
    long long line = json_integer_value(json_object_get(at, "line"));
    long long column = json_integer_value(json_object_get(at, "column"));
    int length = 0;
    site[0] = '\0';
    if (*rd_check_text_of(at, "file"))
        length = snprintf(site, SITE_SIZE, "%s:%lld", rd_check_text_of(at, "file"), line);
    if (length > 0 && length < SITE_SIZE && column > 0)
        snprintf(site + length, SITE_SIZE - (size_t)length, ":%lld", column);
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

void rd_check_print_hazard_line(const json_t *hazard, size_t n_runs, FILE *file)
{
    char site[SITE_SIZE], schedules[256];
    site_of(hazard, 0, site);
    schedules_of(hazard, n_runs, schedules, sizeof schedules);
    fprintf(file, "%s%s%s: %s%s%s\n", site, *site ? ": " : "", rd_check_text_of(hazard, "name"),
            rd_check_text_of(hazard, "message"), *schedules ? " " : "", schedules);
}

/* ---- laid out ---- */

/* Where the text says " at SITE"; NULL where it does not. */
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

/* Of ", and thread 0 of block 0 at another at SITE" what stands behind the comma, cut off; else NULL. */
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

void rd_check_print_hazard(const json_t *hazard, size_t n_runs, unsigned width, FILE *file)
{
    const struct rd_paint paint = {.out = file, .width = width};
    const char *lesson = rd_check_text_of(hazard, "lesson");
    char site[SITE_SIZE], other[SITE_SIZE], schedules[256];
    char *message = strdup(rd_check_text_of(hazard, "message"));
    if (!message) {
        rd_check_print_hazard_line(hazard, n_runs, file);
        return;
    }
    site_of(hazard, 0, site);
    site_of(hazard, 1, other);
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
