// SPDX-License-Identifier: MIT
#include "check/spec.h"
#include "element/npy.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_MAX ((uint64_t)1 << 33)

/* Reads decimal digits that fill the rest of the text. */
static bool parse_digits(const char *text, uint64_t *number)
{
    errno = 0;
    if (!*text || text[strspn(text, "0123456789")])
        return false;
    *number = strtoull(text, NULL, 10);
    return errno == 0;
}

/* ---- files ---- */

enum rd_status rd_check_read(const char *path, const struct rd_numeric *numeric, size_t count,
                             void **cells, struct rd_error *error)
{
    struct rd_text_source source = {.bad = RD_ERROR_INPUT, .is_buffer = true};
    struct rd_numbers numbers = {0};
    rd_quote_path(source.subject, path);
    if (!*path)
        return rd_fail(error, RD_ERROR_USAGE, "'@' names no file: write @FILE");
    FILE *file = fopen(path, "rb");
    if (!file)
        return rd_fail(error, RD_ERROR_IO, "%s can't be opened: %s", source.subject,
                       strerror(errno));
    enum rd_status status = rd_npy_or_text_read(file, &source, numeric, false, &numbers, error);
    fclose(file);
    if (status == RD_OK && numbers.count != count) {
        free(numbers.cells);
        return rd_fail(error, RD_ERROR_INPUT, "%s has %zu number%s, and the buffer %zu elements",
                       source.subject, numbers.count, numbers.count == 1 ? "" : "s", count);
    }
    if (status == RD_OK)
        *cells = numbers.cells;
    return status;
}

/* ---- buffers ---- */

/* What stands behind the colon. False where it is no fill. */
static bool parse_fill(struct rd_check_spec *spec, const char *fill)
{
    static const struct {
        const char *name;
        bool takes_number;
        enum rd_check_fill fill;
    } fills[] = {
        {"zero", false, RD_CHECK_ZERO},     {"one", false, RD_CHECK_ONE},
        {"iota", false, RD_CHECK_IOTA},     {"uninit", false, RD_CHECK_UNINIT},
        {"plus", true, RD_CHECK_PLUS},      {"mod", true, RD_CHECK_MOD},
        {"random:", true, RD_CHECK_RANDOM},
    };
    for (size_t k = 0; k < sizeof fills / sizeof *fills; k++) {
        spec->fill = fills[k].fill;
        if (!fills[k].takes_number && strcmp(fill, fills[k].name) == 0)
            return true;
        if (fills[k].takes_number && rd_text_begins(fill, fills[k].name))
            return parse_digits(fill + strlen(fills[k].name), &spec->number) &&
                   (spec->fill != RD_CHECK_MOD || spec->number > 0);
    }
    spec->fill = RD_CHECK_FILE;
    return *fill == '@';
}

/* TYPE[COUNT]:FILL, where `text` is all of it behind "host:" and "freed:". */
static enum rd_status parse_buffer(struct rd_check_spec *spec, const char *text,
                                   struct rd_error *error)
{
    char type[8] = "", subject[RD_SUBJECT_SIZE], names[100], *end = NULL;
    const char *bracket = strchr(text, '[');
    rd_quote(subject, spec->text, strlen(spec->text));
    if (bracket && (size_t)(bracket - text) < sizeof type)
        memcpy(type, text, (size_t)(bracket - text));
    spec->numeric = rd_numeric_of_text(type);
    if (bracket && !spec->numeric) {
        rd_names_of_buffers(names, sizeof names);
        return rd_fail(error, RD_ERROR_USAGE, "%s has an unknown type: use %s", subject, names);
    }
    errno = 0;
    uint64_t count =
        bracket && isdigit((unsigned char)bracket[1]) ? strtoull(bracket + 1, &end, 10) : 0;
    if (!end || strncmp(end, "]:", 2) != 0)
        return rd_fail(error, RD_ERROR_USAGE,
                       "%s is no buffer: write TYPE[COUNT]:FILL, for instance f32[1024]:iota",
                       subject);
    if (count == 0 || errno || count > COUNT_MAX)
        return rd_fail(error, RD_ERROR_USAGE, "%s has a count that is not in 1 to 2^33", subject);
    spec->count = (size_t)count;
    if (!parse_fill(spec, end + 2)) {
        char fill[RD_SUBJECT_SIZE];
        rd_quote(fill, end + 2, strlen(end + 2));
        return rd_fail(error, RD_ERROR_USAGE,
                       "the buffer %s has the fill %s: use zero, one, iota, random:SEED, plusK, "
                       "modK, uninit or @FILE",
                       subject, fill);
    }
    if (spec->fill == RD_CHECK_FILE)
        return rd_check_read(end + 3, spec->numeric, spec->count, &spec->cells, error);
    return RD_OK;
}

enum rd_status rd_check_spec_init(struct rd_check_spec *spec, const char *text,
                                  struct rd_error *error)
{
    struct rd_check_spec made = {.text = text};
    const char *buffer = text;
    if (rd_text_begins(text, "host:")) {
        made.space = RD_CHECK_HOST;
        buffer += strlen("host:");
    } else if (rd_text_begins(text, "freed:")) {
        made.space = RD_CHECK_FREED;
        buffer += strlen("freed:");
    }
    made.is_buffer = buffer > text || strchr(text, '[');
    enum rd_status status = made.is_buffer ? parse_buffer(&made, buffer, error) : RD_OK;
    if (status == RD_OK)
        *spec = made;
    return status;
}

void rd_check_spec_finish(struct rd_check_spec *spec)
{
    if (!spec)
        return;
    free(spec->cells);
    *spec = (struct rd_check_spec){0};
}
