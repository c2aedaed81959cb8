// SPDX-License-Identifier: MIT
/* Where the compiler looks for headers by itself. */
#include "prove/syntax/preprocess.h"

#include "check/compiler/compiler.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Takes what the compiler has said: " /usr/include", a line each, between two lines of text. */
static void take_folders(struct rd_system_folders *folders, FILE *said)
{
    char line[PATH_MAX + 2], path[PATH_MAX];
    bool is_list = false;
    while (fgets(line, sizeof line, said)) {
        line[strcspn(line, "\n")] = '\0';
        if (strcmp(line, "#include <...> search starts here:") == 0)
            is_list = true;
        else if (strcmp(line, "End of search list.") == 0)
            is_list = false;
        /* What a user has installed is as a file of the user's own. */
        else if (is_list && *line == ' ' && realpath(line + 1, path) &&
                 strcmp(path, "/usr/local/include") != 0 && strcmp(path, "/") != 0 &&
                 folders->n < sizeof folders->all / sizeof *folders->all &&
                 (folders->all[folders->n] = strdup(path)))
            folders->n++;
    }
}

enum rd_status rd_system_folders_init(struct rd_system_folders *folders, struct rd_error *error)
{
    /* Without the variables by which a user adds to them, and in English. */
    static const char *const before[] = {"env",     "-u", "CPATH", "-u", "CPLUS_INCLUDE_PATH",
                                         "LC_ALL=C"};
    static const char *const behind[] = {"-E", "-v", "-x", "c++", "/dev/null", "-o", "/dev/null"};
    enum { BEFORE = sizeof before / sizeof *before, BEHIND = sizeof behind / sizeof *behind };
    struct rd_check_compiler compiler;
    char directory[256], said[RD_CHECK_PATH_SIZE];
    *folders = (struct rd_system_folders){.n = 0};
    enum rd_status status = rd_check_make_directory(directory, error);
    if (status != RD_OK)
        return status;
    snprintf(said, sizeof said, "%s/said.txt", directory);
    rd_check_compiler_name(&compiler);
    const char *words[BEFORE + sizeof compiler.words / sizeof *compiler.words + BEHIND + 1];
    size_t n = 0;
    for (size_t k = 0; k < BEFORE; k++)
        words[n++] = before[k];
    for (size_t k = 0; k < compiler.n_words; k++)
        words[n++] = compiler.words[k];
    for (size_t k = 0; k < BEHIND; k++)
        words[n++] = behind[k];
    words[n] = NULL;
    status = rd_check_command_run(words, said, error);
    FILE *list = status == RD_OK ? fopen(said, "r") : NULL;
    if (list) {
        take_folders(folders, list);
        fclose(list);
    }
    unlink(said);
    rmdir(directory);
    return status;
}

bool rd_system_folders_have(const struct rd_system_folders *folders, const char *file)
{
    char path[PATH_MAX];
    if (!realpath(file, path))
        return false;
    for (size_t k = 0; k < folders->n; k++) {
        const size_t length = strlen(folders->all[k]);
        if (strncmp(path, folders->all[k], length) == 0 && path[length] == '/')
            return true;
    }
    return false;
}

void rd_system_folders_finish(struct rd_system_folders *folders)
{
    while (folders->n > 0)
        free(folders->all[--folders->n]);
}
