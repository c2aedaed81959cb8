// SPDX-License-Identifier: MIT
/* step and report of a user's program: it is run, and what they show is the trace of its loop. */
#include "cli/cli.h"
#include "cli/run_file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[PATH_MAX];

static void remove_trace(void)
{
    unlink(path);
}

/* Makes the trace's file, where others that don't last are made. */
static void make_trace(void)
{
    const char *given = getenv("TMPDIR"), *folder = given && *given ? given : "/tmp";
    const int length = snprintf(path, sizeof path, "%s/reductio-trace-XXXXXX", folder);
    const int file = length < (int)sizeof path ? mkstemp(path) : -1;
    if (file < 0) {
        rd_cli_complain("no file can be made in '%.200s' for the trace of a program: set TMPDIR",
                        folder);
        exit(RD_EXIT_FAILED);
    }
    close(file);
    atexit(remove_trace);
}

/* Tells whether the word is one of the view's options; *takes: and the next word is its value. */
static bool is_of_view(const char *word, const char *const *options, bool *takes)
{
    const size_t length = strcspn(word, "=");
    *takes = false;
    for (; *options; options++) {
        const bool is_short = (*options)[0] == '-' && (*options)[1] != '-';
        if (is_short && strncmp(word, *options, 2) == 0) {
            *takes = word[2] == '\0';
            return true;
        }
        if (!is_short && strlen(*options) == length && strncmp(word, *options, length) == 0) {
            *takes = word[length] == '\0';
            return true;
        }
    }
    return false;
}

char **rd_cli_trace_file(int *argc, char **argv, const char *const *options, const char *trace)
{
    static char own[sizeof path + 16], given[sizeof path + 16];
    char **run = calloc((size_t)*argc + 3, sizeof *run);
    char **view = calloc((size_t)*argc + 3, sizeof *view);
    int n_run = 0, n_view = 0;
    if (!run || !view) {
        rd_cli_complain("no memory for the trace of a program");
        exit(RD_EXIT_FAILED);
    }
    make_trace();
    snprintf(own, sizeof own, "--trace=%s", path);
    snprintf(given, sizeof given, "%s%s", trace, path);
    run[n_run++] = argv[0];
    view[n_view++] = argv[0];
    for (int k = 1; k < *argc && strcmp(argv[k], "--") != 0; k++) {
        bool takes;
        if (!is_of_view(argv[k], options, &takes))
            continue;
        view[n_view++] = argv[k];
        if (takes && k + 1 < *argc)
            view[n_view++] = argv[++k];
    }
    run[n_run++] = own;
    for (int k = 1, behind = 0; k < *argc; k++) {
        bool takes;
        behind |= strcmp(argv[k], "--") == 0;
        if (!behind && is_of_view(argv[k], options, &takes)) {
            k += takes;
            continue;
        }
        run[n_run++] = argv[k];
    }
    view[n_view++] = given;
    const int status = rd_cli_run_file(n_run, run);
    if (status == RD_EXIT_FAILED || status == RD_EXIT_INTERRUPTED)
        exit(status);
    fflush(stdout);
    FILE *written = fopen(path, "r");
    const bool is_empty = !written || fgetc(written) == EOF;
    if (written)
        fclose(written);
    if (is_empty) { /* the run has said why it has traced nothing */
        rd_cli_complain("there is nothing to show%s",
                        status == RD_EXIT_VIOLATED ? ": fix first what the run reported" : "");
        exit(RD_EXIT_FAILED);
    }
    free(run);
    *argc = n_view;
    return view;
}
