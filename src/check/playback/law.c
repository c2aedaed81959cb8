// SPDX-License-Identifier: MIT
/* Laws with numbers in the place of the program's names, and conditions, which are asserted so. */
#include "base/texts.h"
#include "check/source/lexer.h"
#include "check/playback/played_internal.h"
#include "reductio/law.h"
#include "reductio/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers in the place of names ---- */

void rd_played_law_write(const struct rd_annotation *annotation, const uint64_t *rounds, FILE *out,
                         void (*write)(const void *self, size_t name, FILE *out), const void *self)
{
    for (const char *at = annotation->law; *at;) {
        size_t name = 0;
        if (!isalpha((unsigned char)*at)) {
            fputc(*at++, out);
            continue;
        }
        const size_t length = rd_lexer_word_length(at);
        while (name < annotation->n_names &&
               !rd_lexer_is(at, length, annotation->names[name].alias))
            name++;
        if (name < annotation->n_names)
            write(self, name, out);
        else if (rounds && rd_lexer_is(at, length, "d"))
            fprintf(out, "%" PRIu64, *rounds);
        else
            fwrite(at, 1, length, out);
        at += length;
    }
}

static void write_value(const void *self, size_t name, FILE *out)
{
    const int64_t value = ((const int64_t *)self)[name];
    fprintf(out, value < 0 ? "(%" PRId64 ")" : "%" PRId64, value);
}

char *rd_played_law_text(const struct rd_annotation *annotation, const int64_t *values,
                         const uint64_t *rounds)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    rd_played_law_write(annotation, rounds, out, write_value, values);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* ---- conditions ---- */

static enum rd_status ask(const struct rd_annotation *of, const int64_t *values, uint64_t rounds,
                          bool *holds, struct rd_error *error)
{
    const struct rd_law_sizes sizes = {.n = 1, .T = 1};
    struct rd_law_error why = {0};
    char *text = rd_played_law_text(of, values, &rounds);
    enum rd_status status =
        text ? rd_law_holds(text, &sizes, holds, &why)
             : rd_fail(&why.what, RD_ERROR_MEMORY, "no memory for an annotation");
    free(text);
    return status == RD_OK ? RD_OK : rd_fail(error, status, "%s", why.what.text);
}

/* Tries all numbers of the names from that one on which stand behind a '^'. */
static enum rd_status ask_any(const struct rd_annotation *of, size_t name, int64_t *tried,
                              uint64_t rounds, bool *holds, struct rd_error *error)
{
    enum { EXPONENTS = 63 };
    enum rd_status status = RD_OK;
    while (name < of->n_names && !of->names[name].any)
        name++;
    if (name == of->n_names)
        return ask(of, tried, rounds, holds, error);
    for (int64_t k = 0; k < EXPONENTS && status == RD_OK && !*holds; k++) {
        tried[name] = k;
        status = ask_any(of, name + 1, tried, rounds, holds, error);
        if (status == RD_ERROR_USAGE && k > 0) { /* it has no value, or one that is too large */
            *holds = false;
            status = RD_OK;
        }
    }
    return status;
}

enum rd_status rd_played_condition(const struct rd_annotation *annotation, const int64_t *values,
                                   uint64_t rounds, bool *holds, struct rd_error *error)
{
    int64_t *tried = malloc((annotation->n_names + 1) * sizeof *tried);
    *holds = false;
    if (!tried)
        return rd_fail(error, RD_ERROR_MEMORY, "no memory for an annotation");
    for (size_t k = 0; k < annotation->n_names; k++)
        tried[k] = values[k];
    enum rd_status status = ask_any(annotation, 0, tried, rounds, holds, error);
    free(tried);
    return status;
}

/* "n is 6, w is 3, at evaluation 2 of the loop's condition" */
static void write_values(const struct rd_annotation *of, const struct rd_played_event *event,
                         char text[RD_SENTENCE_SIZE])
{
    text[0] = '\0';
    for (size_t k = 0; k < of->n_names; k++)
        if (!of->names[k].any)
            rd_append(text, RD_SENTENCE_SIZE, "%s%s is %" PRId64, *text ? ", " : "",
                      of->names[k].expression, event->values[k]);
    if (event->instance > 0)
        rd_append(text, RD_SENTENCE_SIZE, "%sat evaluation %" PRIu64 " of the loop's condition",
                  *text ? ", " : "", event->evaluation);
}

enum rd_verdict rd_played_condition_judge(const struct rd_played *played,
                                          const struct rd_annotation *annotation, size_t *n,
                                          char text[RD_SENTENCE_SIZE])
{
    size_t last = 0;
    *n = 0;
    text[0] = '\0';
    for (size_t k = 0; k < played->n_events; k++) {
        const struct rd_played_event *event = &played->events[k];
        struct rd_error why;
        bool holds = false;
        if (event->site != annotation->site)
            continue;
        ++*n;
        if (event->lack || rd_played_condition(annotation, event->values, event->evaluation, &holds,
                                               &why) != RD_OK) {
            rd_append(text, RD_SENTENCE_SIZE, "%s", event->lack ? event->lack : why.text);
            return RD_INCONCLUSIVE;
        }
        if (!holds) {
            write_values(annotation, event, text);
            return RD_VIOLATED;
        }
        last = k;
    }
    return *n > 0 && rd_played_doubt(played, last, text) ? RD_INCONCLUSIVE : RD_HOLDS;
}
