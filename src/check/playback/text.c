// SPDX-License-Identifier: MIT
/* What is wrong with a cell of a recorded run, in the program's words. */
#include "base/texts.h"
#include "check/playback/played_internal.h"
#include "reductio/hazards.h"
#include "reductio/text.h"

#include <inttypes.h>
#include <string.h>

bool rd_played_is_unwritten(const struct rd_played_event *event, size_t cell)
{
    for (size_t k = 0; k + 1 < event->n_unwritten; k += 2)
        if (cell >= event->unwritten[k] && cell < event->unwritten[k + 1])
            return true;
    return false;
}

uint64_t rd_played_columns(const struct rd_played_loop *loop)
{
    const struct rd_annotation *of = loop->annotation;
    for (size_t k = 0; k < of->n_names; k++)
        if (strcmp(of->names[k].alias, "columns") == 0 && loop->evaluations[0]->values[k] > 0)
            return (uint64_t)loop->evaluations[0]->values[k];
    return 0;
}

const char *rd_played_violation_text(const struct rd_played_loop *loop, char text[RD_SENTENCE_SIZE])
{
    char expected[RD_VALUE_TEXT_SIZE], actual[RD_VALUE_TEXT_SIZE];
    const struct rd_violation *violation = &loop->result.violation;
    rd_violation_values(violation, rd_numeric(loop->evaluations[0]->array.type), expected, actual);
    const uint64_t columns = rd_played_columns(loop);
    text[0] = '\0';
    rd_append(text, RD_SENTENCE_SIZE, "%s", loop->annotation->array.expression);
    if (columns > 0)
        rd_append(text, RD_SENTENCE_SIZE, "[%" PRIu64 "][%" PRIu64 "]", violation->cell / columns,
                  violation->cell % columns);
    else if (!loop->annotation->scalar)
        rd_append(text, RD_SENTENCE_SIZE, "[%zu]", violation->cell);
    if (rd_played_is_unwritten(loop->evaluations[violation->step], violation->cell))
        rd_append(text, RD_SENTENCE_SIZE, " is not initialised, and the law says %s", expected);
    else
        rd_append(text, RD_SENTENCE_SIZE, " holds %s, and the law says %s", actual, expected);
    return text;
}

bool rd_played_hazard_before(const struct rd_played *played, size_t at,
                             char text[RD_UNDEFINED_SIZE])
{
    const struct rd_played_finding *by = rd_played_undefined_by(played, at);
    if (by)
        snprintf(text, RD_UNDEFINED_SIZE, "%s%s%s", rd_hazard_name(by->kind),
                 *by->place ? " at " : "", by->place);
    return by != NULL;
}

bool rd_played_doubt(const struct rd_played *played, size_t at, char text[RD_SENTENCE_SIZE])
{
    char by[RD_UNDEFINED_SIZE];
    if (!rd_played_hazard_before(played, at, by))
        return false;
    snprintf(text, RD_SENTENCE_SIZE,
             "it holds as this run went; whether another, with the %s, ends otherwise was not "
             "looked at",
             by);
    return true;
}
