// SPDX-License-Identifier: MIT
#include "cli/law_text.h"
#include "cli/cli.h"

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

/* The line of the text with a mark below the column, where that fits. */
static void show_place(const char *text, const struct rd_law_error *error)
{
    enum { LINE_MAX_SHOWN = 200 };
    const char *line = text;
    for (size_t k = 1; k < error->line && strchr(line, '\n'); k++)
        line = strchr(line, '\n') + 1;
    int length = (int)strcspn(line, "\n");
    for (int k = 0; k < length; k++)
        if (line[k] < ' ' || line[k] > '~')
            return;
    if (error->column == 0 || length > LINE_MAX_SHOWN || error->column > (size_t)length + 1)
        return;
    fprintf(stderr, "  %.*s\n  %*s\n", length, line, (int)error->column, "^");
}

void rd_cli_law_complain(const char *law, const char *text, const struct rd_law_error *error)
{
    if (error->column == 0)
        rd_cli_complain("'--law': %s", error->what.text);
    else if (law[0] == '@')
        rd_cli_complain("'%s', line %zu, column %zu: %s", law + 1, error->line, error->column,
                        error->what.text);
    else if (error->line == 1)
        rd_cli_complain("'--law', column %zu: %s", error->column, error->what.text);
    else
        rd_cli_complain("'--law', line %zu, column %zu: %s", error->line, error->column,
                        error->what.text);
    show_place(text, error);
}
