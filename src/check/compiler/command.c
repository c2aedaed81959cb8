// SPDX-License-Identifier: MIT
/* Commands: their words, their start and their end. */
#include "check/compiler/compiler_internal.h"
#include "check/sandbox/interruption.h"
#include "check/sandbox/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

void rd_check_command_add(struct rd_check_command *command, const char *word)
{
    if (command->n < RD_CHECK_COMMAND_MAX)
        command->words[command->n++] = word;
}

void rd_check_command_add_all(struct rd_check_command *command, const char *const *words)
{
    for (; words && *words; words++)
        rd_check_command_add(command, *words);
}

enum rd_status rd_check_command_start(const struct rd_check_command *command, const char *said,
                                      pid_t *process, struct rd_error *error)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, said, O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    int failed = posix_spawnp(process, command->words[0], &actions, &attributes,
                              (char *const *)command->words, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (failed)
        return rd_fail(error, RD_ERROR_DEVICE,
                       "no C++ compiler: '%s': %s; install one (apt-get install g++) or set CXX",
                       command->words[0], strerror(failed));
    rd_sandbox_limit_compiler(*process);
    rd_interruption_watch(-*process);
    return RD_OK;
}

enum rd_status rd_check_command_finish(const char *program, pid_t process, struct rd_error *error)
{
    int status = 0;
    while (rd_interruption_await(process) < 0 && errno == EINTR) {
    }
    rd_interruption_unwatch(-process);
    const pid_t ended = waitpid(process, &status, 0);
    const int failed = errno;
    if (ended < 0)
        return rd_fail(error, RD_ERROR_DEVICE, "the compiler '%s' can't be waited for: %s", program,
                       strerror(failed));
    if (*rd_interruption())
        return rd_fail(error, RD_ERROR_INTERRUPTED, "interrupted");
    if (WIFSIGNALED(status))
        return rd_fail(error, RD_ERROR_DEVICE, "the compiler '%s' was ended by signal %d (%s)",
                       program, WTERMSIG(status), strsignal(WTERMSIG(status)));
    if (WEXITSTATUS(status) == 127)
        return rd_fail(error, RD_ERROR_DEVICE,
                       "no C++ compiler: '%s'; install one (apt-get install g++) or set CXX",
                       program);
    if (WEXITSTATUS(status) != 0)
        return rd_fail(error, RD_ERROR_INPUT,
                       "the compiler refuses the file; its errors are above");
    return RD_OK;
}

enum rd_status rd_check_command_run(const char *const *words, const char *said,
                                    struct rd_error *error)
{
    struct rd_check_command command = {.n = 0};
    pid_t process;
    rd_check_command_add_all(&command, words);
    if (words[command.n])
        return rd_fail(error, RD_ERROR_USAGE, "too many options for '%s'", words[0]);
    enum rd_status status = rd_check_command_start(&command, said, &process, error);
    return status == RD_OK ? rd_check_command_finish(words[0], process, error) : status;
}
