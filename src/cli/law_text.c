// SPDX-License-Identifier: MIT
#include "cli/law_text.h"
#include "cli/cli.h"
#include "law/place.h"

#include <stdlib.h>
#include <string.h>

char *rd_cli_law_text(const char *law)
{
    struct rd_error error;
    char *text;
    if (rd_law_given_text(law, &text, &error) == RD_OK)
        return text;
    rd_cli_complain("'--law': %s", error.text);
    return NULL;
}

/* Shows the line of the text with a mark below the column. Of a line that is wider than the terminal, the part around
 * the column. */
static void show_place(const char *text, const struct rd_law_error *error)
{
    enum { INDENT = 2 };
    static const char cut[] = "...";
    const size_t room = rd_cli_width(stderr) - INDENT - 1, n_cut = sizeof cut - 1;
    const char *line = text;
    for (size_t k = 1; k < error->line && strchr(line, '\n'); k++)
        line = strchr(line, '\n') + 1;
    const size_t length = strcspn(line, "\n");
    for (size_t k = 0; k < length; k++)
        if (line[k] < ' ' || line[k] > '~')
            return;
    if (error->column == 0 || error->column > length + 1)
        return;
    const size_t most = room > 2 * n_cut ? room - 2 * n_cut : 1, at = error->column - 1;
    size_t first = 0, count = length;
    if (length > room) {
        first = at > most / 2 ? at - most / 2 : 0;
        if (first + most > length)
            first = length - most;
        count = most;
    }
    const bool before = first > 0, behind = first + count < length;
    fprintf(stderr, "%*s%s%.*s%s\n", INDENT, "", before ? cut : "", (int)count, line + first,
            behind ? cut : "");
    fprintf(stderr, "%*s\n", (int)(INDENT + (before ? n_cut : 0) + at - first + 1), "^");
}

void rd_cli_law_complain(const char *law, const char *text, const struct rd_law_error *error)
{
    char place[RD_LAW_PLACE_SIZE];
    rd_cli_complain("%s: %s", rd_law_place(place, law[0] == '@' ? law + 1 : "--law", error),
                    error->what.text);
    show_place(text, error);
}
