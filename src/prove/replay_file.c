// SPDX-License-Identifier: MIT
/* A user's program is run by `reductio run`, as it stands: its numbers are those that it sets itself. */
#include "prove/replay.h"

#include "base/clock.h"
#include "check/compiler.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { VIOLATED = 1, LIMIT_S = 20, ENDING_S = 3, WORDS_MAX = 128 };

/* "reductio run FILE.cu OPTIONS --device sim". */
struct command {
    const char *words[WORDS_MAX];
    size_t n;
    bool is_too_long; /* words are missing */
};

static void add(struct command *command, const char *word)
{
    if (command->n + 1 < WORDS_MAX)
        command->words[command->n++] = word;
    else
        command->is_too_long = true;
}

static struct command command_of(const char *subcommand, const char *path,
                                 const char *const *options)
{
    struct command command = {.n = 0};
    add(&command, "reductio");
    add(&command, subcommand);
    add(&command, path);
    for (size_t k = 0; options && options[k]; k++)
        add(&command, options[k]);
    add(&command, "--device");
    add(&command, "sim");
    return command;
}

/* As it can be pasted. */
static char *text_of(const struct command *command)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=./,:@%";
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (size_t k = 0; out && k < command->n; k++) {
        fputs(k > 0 ? " " : "", out);
        if (command->words[k][strspn(command->words[k], plain)] == '\0')
            fputs(command->words[k], out);
        else
            rd_check_write_quoted(command->words[k], out);
    }
    return out && fclose(out) == 0 ? text : NULL;
}

/* Waits for it, and ends it where it takes too long, or is no longer waited for. An interrupted run ends what it has
 * started itself. */
static int status_of(pid_t child, const volatile sig_atomic_t *interrupted)
{
    const double end_s = rd_clock_s(CLOCK_MONOTONIC) + LIMIT_S;
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

/* Runs it, with its output to the file; returns the exit status, -1: it could not be run, or to its end. */
static int run(const struct command *command, int output, const volatile sig_atomic_t *interrupted)
{
    const pid_t child = fork();
    if (child == 0) {
        dup2(output, STDOUT_FILENO);
        dup2(output, STDERR_FILENO);
        execv("/proc/self/exe", (char *const *)(void *)(uintptr_t)command->words);
        _exit(127);
    }
    return child > 0 ? status_of(child, interrupted) : -1;
}

/* The last line of the output, which is the verdict's. */
static char *last_line(FILE *output)
{
    char *line = NULL, *last = NULL;
    size_t size = 0;
    rewind(output);
    while (getline(&line, &size, output) > 0) {
        line[strcspn(line, "\n")] = '\0';
        if (!*line)
            continue;
        free(last);
        last = strdup(line);
    }
    free(line);
    return last;
}

static void open_refuted(struct rd_proof *proof, const char *reason)
{
    for (size_t k = 0; k < proof->count; k++)
        if (proof->goals[k].answer == RD_ANSWER_REFUTED) {
            proof->goals[k].answer = RD_ANSWER_OPEN;
            proof->goals[k].reason = reason;
        }
}

enum rd_status rd_proof_replay_file(struct rd_proof *proof, const char *path,
                                    const char *const *compiler_options,
                                    const volatile sig_atomic_t *interrupted,
                                    struct rd_error *error)
{
    struct rd_proof_replay *found = &proof->replay;
    if (proof->not_covered || rd_proof_verdict(proof) == RD_ANSWER_PROVED)
        return RD_OK;
    const struct command command = command_of("run", path, compiler_options),
                         step = command_of("step", path, compiler_options);
    struct command quiet = command;
    add(&quiet, "--quiet");
    if (quiet.is_too_long) {
        open_refuted(proof,
                     "what is given allows these numbers, and no run was tried: with so many "
                     "options of the compiler, none is made");
        return RD_OK;
    }
    FILE *output = tmpfile();
    if (!output)
        return rd_fail(error, RD_ERROR_IO, "a temporary file can't be made: %s", strerror(errno));
    found->made = true;
    fflush(NULL);
    if (run(&quiet, fileno(output), interrupted) == VIOLATED) {
        found->fails = (found->run = text_of(&command)) != NULL &&
                       (found->step = text_of(&step)) != NULL &&
                       (found->what = last_line(output)) != NULL;
        if (!found->fails) {
            fclose(output);
            return rd_fail(error, RD_ERROR_MEMORY, "no memory for a replay");
        }
    }
    fclose(output);
    if (interrupted && *interrupted)
        return rd_fail(error, RD_ERROR_INTERRUPTED, "interrupted");
    if (!found->fails)
        open_refuted(proof,
                     "what is given allows these numbers, though perhaps no run comes to them: "
                     "with the numbers that the file sets, it does not fail");
    return RD_OK;
}
