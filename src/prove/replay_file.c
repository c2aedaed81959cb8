// SPDX-License-Identifier: MIT
/* A user's program is run by `reductio run`, as it stands: its numbers are those that it sets itself. */
#include "prove/replay.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { VIOLATED = 1, LIMIT_S = 20 };

/* Runs it, with its output to the file; returns the exit status, -1: it could not be run. */
static int run(const char *path, int output)
{
    const pid_t child = fork();
    if (child == 0) {
        dup2(output, STDOUT_FILENO);
        dup2(output, STDERR_FILENO);
        alarm(LIMIT_S);
        execl("/proc/self/exe", "reductio", "run", path, "--device", "sim", "--quiet",
              (char *)NULL);
        _exit(127);
    }
    int status = -1;
    while (child > 0 && waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
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

static void open_refuted(struct rd_proof *proof)
{
    for (size_t k = 0; k < proof->count; k++)
        if (proof->goals[k].answer == RD_ANSWER_REFUTED) {
            proof->goals[k].answer = RD_ANSWER_OPEN;
            proof->goals[k].reason =
                "what is given allows these numbers, though perhaps no run comes to them: with the "
                "numbers that the file sets, it does not fail";
        }
}

enum rd_status rd_proof_replay_file(struct rd_proof *proof, const char *path,
                                    const volatile sig_atomic_t *interrupted,
                                    struct rd_error *error)
{
    struct rd_proof_replay *found = &proof->replay;
    if (proof->not_covered || rd_proof_verdict(proof) == RD_ANSWER_PROVED)
        return RD_OK;
    FILE *output = tmpfile();
    if (!output)
        return rd_fail(error, RD_ERROR_IO, "a temporary file can't be made: %s", strerror(errno));
    found->made = true;
    fflush(NULL);
    if (run(path, fileno(output)) == VIOLATED) {
        found->fails = asprintf(&found->run, "reductio run %s --device sim", path) >= 0 &&
                       asprintf(&found->step, "reductio step %s --device sim", path) >= 0 &&
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
        open_refuted(proof);
    return RD_OK;
}
