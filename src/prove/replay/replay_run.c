// SPDX-License-Identifier: MIT
#include "prove/replay/replay_run.h"

#include "base/clock.h"
#include "base/exit_status.h"
#include "reductio/hazards.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- the process ---- */

/* Waits for it, and ends it where it takes too long, or is no longer waited for; -1: it has not come to its end. An
 * interrupted run ends what it has started itself. */
static int status_of(pid_t child, const volatile sig_atomic_t *interrupted)
{
    enum { ENDING_S = 3 };
    const double end_s = rd_clock_s(CLOCK_MONOTONIC) + RD_REPLAY_RUN_S;
    const struct timespec moment = {.tv_nsec = 5 * 1000 * 1000};
    bool is_ended = false;
    int status = -1;
    for (;;) {
        const pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child)
            return !is_ended && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        if (ended < 0 && errno != EINTR)
            return -1;
        const double late_s = rd_clock_s(CLOCK_MONOTONIC) - end_s;
        if (late_s > ENDING_S)
            kill(child, SIGKILL);
        else if (!is_ended && (late_s > 0 || (interrupted && *interrupted)))
            is_ended = kill(child, SIGTERM) == 0;
        nanosleep(&moment, NULL);
    }
}

/* What the program prints goes to the error stream, beside the results. */
static int status_with_results(const char *const *words, int results,
                               const volatile sig_atomic_t *interrupted)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        const int nowhere = open("/dev/null", O_WRONLY);
        dup2(results, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        execv("/proc/self/exe", (char *const *)(void *)(uintptr_t)words);
        _exit(127);
    }
    return child > 0 ? status_of(child, interrupted) : -1;
}

/* ---- its results: docs/results.schema.json ---- */

static const char *text_in(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static bool is_violated(const json_t *object, const char *key)
{
    return strcmp(text_in(object, key), "VIOLATED") == 0;
}

/* Its test with that name, or, where that is NULL, the first that is violated; NULL: it has none. */
static const json_t *test_of(const json_t *subject, const char *name)
{
    size_t k;
    json_t *test;
    json_array_foreach(json_object_get(subject, "tests"), k, test)
    {
        if (name ? strcmp(text_in(test, "name"), name) == 0 : is_violated(test, "state"))
            return test;
    }
    return NULL;
}

/* Tells whether the annotation, "fold.cu:9: requires n = 2^k", is such a one. */
static bool is_requirement(const json_t *subject)
{
    return strstr(text_in(subject, "name"), ": requires ") != NULL;
}

/* "fold.cu:12: invariant A[0] = sum of a[j]: step 1, A[0]: expected 1, actual 0; 1 cell is wrong". */
static char *text_of_annotation(const json_t *subject)
{
    const json_t *violation = json_array_get(json_object_get(subject, "violations"), 0);
    const char *what = text_in(violation ? violation : test_of(subject, NULL), "message");
    char *text = NULL;
    const int length = asprintf(&text, "%s%s%s", text_in(subject, "name"), *what ? ": " : "", what);
    return length >= 0 ? text : NULL;
}

/* Tells whether the program's own host code has ended it, as by an index that is out of range. */
static bool is_crash_of_host(const json_t *hazard)
{
    return rd_hazard_named(text_in(hazard, "name")) == RD_HAZARD_CRASH &&
           strcmp(text_in(hazard, "scope"), "host") == 0;
}

/* The first that is no leak; NULL: there is none. */
static const json_t *hazard_of(const json_t *subject)
{
    size_t k;
    json_t *hazard;
    json_array_foreach(json_object_get(subject, "hazards"), k, hazard)
    {
        if (rd_hazard_named(text_in(hazard, "name")) != RD_HAZARD_LEAK)
            return hazard;
    }
    return NULL;
}

static char *text_of_hazard(const json_t *hazard)
{
    char *text = NULL;
    const int length =
        asprintf(&text, "%s: %s", text_in(hazard, "name"), text_in(hazard, "message"));
    return length >= 0 ? text : NULL;
}

static enum rd_status read_results(struct rd_replay_run *run, const json_t *results,
                                   struct rd_error *error)
{
    size_t k;
    json_t *subject;
    const json_t *annotation = NULL, *hazard = NULL;
    json_array_foreach(json_object_get(results, "subjects"), k, subject)
    {
        run->has_rounds |= test_of(subject, "preservation") != NULL;
        if (strcmp(text_in(subject, "kind"), "annotation") == 0) {
            if (!is_violated(subject, "verdict"))
                continue;
            run->is_outside |= is_requirement(subject);
            annotation = annotation ? annotation : subject;
            continue;
        }
        hazard = hazard ? hazard : hazard_of(subject);
        free(run->summary);
        run->summary = strdup(text_in(subject, "summary"));
    }
    run->fails = !run->is_outside && (annotation || hazard);
    if (!run->fails)
        return RD_OK;
    run->crashes_alone = !annotation && is_crash_of_host(hazard);
    run->what = annotation ? text_of_annotation(annotation) : text_of_hazard(hazard);
    return run->what && run->summary ? RD_OK
                                     : rd_fail(error, RD_ERROR_MEMORY, "no memory for a run");
}

enum rd_status rd_replay_run(struct rd_replay_run *run, const char *const *words,
                             const volatile sig_atomic_t *interrupted, struct rd_error *error)
{
    FILE *file = tmpfile();
    enum rd_status status = RD_OK;
    *run = (struct rd_replay_run){.is_whole = false};
    if (!file)
        return rd_fail(error, RD_ERROR_IO, "a temporary file can't be made: %s", strerror(errno));
    const int ended = status_with_results(words, fileno(file), interrupted);
    rewind(file);
    json_t *results = json_loadf(file, 0, NULL);
    fclose(file);
    run->is_whole = results && (ended == RD_EXIT_HOLDS || ended == RD_EXIT_VIOLATED ||
                                ended == RD_EXIT_INCONCLUSIVE);
    if (interrupted && *interrupted)
        status = rd_fail(error, RD_ERROR_INTERRUPTED, "interrupted");
    else if (run->is_whole)
        status = read_results(run, results, error);
    json_decref(results);
    return status;
}

void rd_replay_run_finish(struct rd_replay_run *run)
{
    free(run->what);
    free(run->summary);
    *run = (struct rd_replay_run){.is_whole = false};
}
