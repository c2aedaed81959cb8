// SPDX-License-Identifier: MIT
/* Keeps the trace of the last run. */
#include "cli/cli.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* The trace ends here, unfinished: on a full disk it may end in the middle of a line. */
static void give_up(struct rd_cli_last *last)
{
    char part[RD_CLI_LAST_PATH_SIZE + sizeof ".part"];
    rd_trace_writer_close(last->writer, NULL);
    last->writer = NULL;
    snprintf(part, sizeof part, "%s.part", last->own);
    unlink(part);
    unlink(last->own);
}

/* The observer that events are passed on to; NULL where the trace has ended. */
static const struct rd_observer *target(const struct rd_cli_last *last)
{
    return last->writer && !last->full ? rd_trace_writer_observer(last->writer) : NULL;
}

/* Keeps the status of an event that was passed on. The run is told that all is well. */
static enum rd_status passed_on(struct rd_cli_last *last, enum rd_status status)
{
    if (status != RD_OK)
        give_up(last);
    else
        last->full = rd_trace_writer_bytes(last->writer) > RD_CLI_LAST_BYTES;
    return RD_OK;
}

static enum rd_status on_begin(void *self, const struct rd_run *run, struct rd_error *unused)
{
    const struct rd_observer *to = target(self);
    (void)unused;
    ((struct rd_cli_last *)self)->has_run = true;
    return to ? passed_on(self, to->begin(to->self, run, NULL)) : RD_OK;
}

static enum rd_status on_step(void *self, const struct rd_run *run, const struct rd_step *step,
                              struct rd_error *unused)
{
    const struct rd_observer *to = target(self);
    (void)unused;
    return to ? passed_on(self, to->step(to->self, run, step, NULL)) : RD_OK;
}

static enum rd_status on_hazard(void *self, const struct rd_run *run,
                                const struct rd_hazard *hazard, struct rd_error *unused)
{
    const struct rd_observer *to = target(self);
    (void)unused;
    return to ? passed_on(self, to->hazard(to->self, run, hazard, NULL)) : RD_OK;
}

static enum rd_status on_end(void *self, const struct rd_run *run, const struct rd_result *result,
                             struct rd_error *unused)
{
    const struct rd_observer *to = target(self);
    (void)unused;
    return to ? passed_on(self, to->end(to->self, run, result, NULL)) : RD_OK;
}

/* Removes what runs that were killed have left. The part of a run that goes on is locked. */
static void sweep(const char *path)
{
    char folder[RD_CLI_LAST_PATH_SIZE];
    const char *name = strrchr(path, '/') + 1;
    snprintf(folder, sizeof folder, "%.*s", (int)(name - path), path);
    DIR *entries = opendir(folder);
    /* readdir_r is deprecated, and only this thread reads this folder. */
    // cppcheck-suppress readdirCalled
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        size_t length = strlen(name);
        const char *end = strrchr(entry->d_name, '.');
        if (strncmp(entry->d_name, name, length) != 0 || entry->d_name[length] != '.' ||
            strcmp(end, ".part") != 0 || end == entry->d_name + length)
            continue;
        int part = openat(dirfd(entries), entry->d_name, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
        if (part >= 0 && flock(part, LOCK_EX | LOCK_NB) == 0)
            unlinkat(dirfd(entries), entry->d_name, 0);
        if (part >= 0)
            close(part);
    }
    if (entries)
        closedir(entries);
}

void rd_cli_last_init(struct rd_cli_last *last, size_t cells)
{
    *last = (struct rd_cli_last){
        .observer =
            {.self = last, .begin = on_begin, .step = on_step, .hazard = on_hazard, .end = on_end},
    };
    if (rd_trace_last_path(last->path, sizeof last->path, true, NULL) != RD_OK)
        return;
    sweep(last->path);
    /* A name of its own: of two runs at once, each has its trace, and the last to end is the last
     * run. */
    int length = snprintf(last->own, sizeof last->own, "%s.%ld", last->path, (long)getpid());
    if (length < 0 || (size_t)length >= sizeof last->own ||
        rd_trace_writer_open(&last->writer, last->own, cells, NULL) != RD_OK)
        last->writer = NULL;
}

void rd_cli_last_finish(struct rd_cli_last *last)
{
    struct rd_trace_writer *writer = last->writer;
    last->writer = NULL;
    if (writer && rd_trace_writer_close(writer, NULL) == RD_OK &&
        rename(last->own, last->path) == 0) {
        if (last->full)
            rd_cli_complain("note: the trace of this run was too long to keep as the last, and "
                            "ends at %u MiB: --trace FILE keeps all of it",
                            (unsigned)(RD_CLI_LAST_BYTES >> 20));
        return;
    }
    if (writer)
        unlink(last->own);
    if (*last->path && last->has_run)
        unlink(last->path);
}

void rd_cli_last_find(const char *command, char path[RD_CLI_LAST_PATH_SIZE])
{
    struct rd_error error;
    if (rd_trace_last_path(path, RD_CLI_LAST_PATH_SIZE, false, &error) != RD_OK)
        rd_cli_usage(command, "%s", error.text);
    if (access(path, F_OK) != 0)
        rd_cli_usage(command,
                     "no run has left '%s' yet, or the last one had no trace, as a file without an "
                     "'//@ invariant': run a program first",
                     path);
}
