// SPDX-License-Identifier: MIT
/* Headers that a file includes and that are nowhere: said in one sentence of our own. */
#include "check/compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "sum.cu:3:10: fatal error: torch/extension.h: No such file or directory" of GCC, "... 'torch/extension.h' file not found" of clang:
 * the place and the name. */
static bool read_absent(char *said, const char **place, const char **name)
{
    static const char mark[] = ": fatal error: ";
    static const char *const endings[] = {": No such file or directory", "' file not found"};
    char *at = strstr(said, mark);
    if (!at)
        return false;
    for (unsigned k = 0; k < sizeof endings / sizeof *endings; k++) {
        char *end = strstr(at, endings[k]);
        if (!end)
            continue;
        *end = '\0';
        *at = '\0';
        *place = said;
        *name = at + strlen(mark) + (at[strlen(mark)] == '\'');
        char *column = strrchr(said, ':'); /* which says nothing here */
        if (column)
            *column = '\0';
        return **name != '\0';
    }
    return false;
}

void rd_check_compiler_explain(const struct rd_check_compiler *compiler, const char *name,
                               struct rd_error *error)
{
    char path[RD_CHECK_PATH_SIZE], *said = NULL;
    const char *place, *header;
    bool others = false, absent = false;
    size_t size = 0;
    snprintf(path, sizeof path, "%s/%s.txt", compiler->directory, name);
    FILE *file = fopen(path, "r");
    while (file && !absent && getline(&said, &size, file) > 0) {
        others = others || strstr(said, ": error: ");
        absent = read_absent(said, &place, &header);
        if (absent)
            rd_fail(error, RD_ERROR_INPUT,
                    "%.300s includes '%.200s', which is nowhere: give the folder that has it, -I "
                    "FOLDER",
                    place, header);
    }
    free(said);
    if (file)
        fclose(file);
    if (others || !absent)
        rd_check_compiler_pass_on(compiler, name);
}
