// SPDX-License-Identifier: MIT
#include "cli/sanitizer.h"
#include "check/interruption.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char program[] = "compute-sanitizer";
static const char *const tools[] = {"memcheck", "racecheck", "initcheck", "synccheck"};

enum { ARGUMENTS_MAX = 40, NUMBER_SIZE = 24 };

struct command {
    const char *words[ARGUMENTS_MAX + 1];
    unsigned count;
    char self[4096], n[NUMBER_SIZE], block[NUMBER_SIZE], grid[NUMBER_SIZE];
};

static void add(struct command *command, const char *word)
{
    if (command->count < ARGUMENTS_MAX)
        command->words[command->count++] = word;
}

static void add_number(struct command *command, const char *option, char text[NUMBER_SIZE],
                       size_t number)
{
    if (number == 0)
        return;
    snprintf(text, NUMBER_SIZE, "%zu", number);
    add(command, option);
    add(command, text);
}

/* The run once more, without looking for hazards; and nothing that anybody else would see. */
static void make_command(struct command *command, const char *tool,
                         const struct rd_cli_run_options *options)
{
    ssize_t length = readlink("/proc/self/exe", command->self, sizeof command->self - 1);
    command->self[length > 0 ? length : 0] = '\0';
    const char *const checker[] = {program, "--tool",           tool, "--target-processes",
                                   "all",   "--show-backtrace", "no", "--print-limit",
                                   "1000"};
    for (size_t k = 0; k < sizeof checker / sizeof *checker; k++)
        add(command, checker[k]);
    if (strcmp(tool, "racecheck") == 0) { /* with the threads */
        add(command, "--racecheck-report");
        add(command, "hazard");
    }
    const char *const run[] = {command->self,
                               "run",
                               options->program->name,
                               "--type",
                               options->witness ? "u64" : options->numeric->name,
                               "--values",
                               options->witness ? "witness" : options->values,
                               "--device",
                               "cuda",
                               "--hazards",
                               "off",
                               "--quiet",
                               "--no-last"};
    for (size_t k = 0; k < sizeof run / sizeof *run; k++)
        add(command, run[k]);
    add_number(command, "-n", command->n, options->n);
    add_number(command, "--block", command->block, options->block);
    add_number(command, "--grid", command->grid, options->grid);
    if (options->frame != RD_FRAME_AUTO) {
        add(command, "--frame");
        add(command, options->frame == RD_FRAME_ON ? "on" : "off");
    }
    command->words[command->count] = NULL;
}

static bool is_installed(void)
{
    const char *path = getenv("PATH");
    char *folders = strdup(path ? path : ""), *rest = folders, file[4096];
    bool found = false;
    for (const char *folder; !found && (folder = strsep(&rest, ":"));) {
        snprintf(file, sizeof file, "%s/%s", *folder ? folder : ".", program);
        found = access(file, X_OK) == 0;
    }
    free(folders);
    return found;
}

static enum rd_status spawn(const struct command *command, FILE *output, struct rd_error *error)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", 0, 0);
    posix_spawn_file_actions_adddup2(&actions, fileno(output), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(output), STDERR_FILENO);
    int failure =
        posix_spawnp(&child, program, &actions, NULL, (char *const *)command->words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0)
        return rd_fail(error, RD_ERROR_DEVICE, "'%s' can't be started: %s", program,
                       strerror(failure));
    rd_interruption_watch(child);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    rd_interruption_unwatch(child);
    rewind(output);
    return *rd_interruption() ? rd_fail(error, RD_ERROR_DEVICE, "interrupted") : RD_OK;
}

/* The last line that it wrote says, mostly, why it did not look. */
static enum rd_status refuse(const char *tool, FILE *output, struct rd_error *error)
{
    char line[256], last[256] = "it wrote nothing";
    rewind(output);
    while (fgets(line, sizeof line, output)) {
        line[strcspn(line, "\n")] = '\0';
        if (strspn(line, "= ") < strlen(line))
            memcpy(last, line, sizeof last);
    }
    return rd_fail(error, RD_ERROR_DEVICE,
                   "'%s' has not come to the end of its %s: %s; use --hazards sim", program, tool,
                   last + strspn(last, "= "));
}

static enum rd_status run_tool(struct rd_cli_sanitizer *sanitizer, const char *tool,
                               const struct rd_run *run, const struct rd_cli_run_options *options,
                               struct rd_error *error)
{
    struct command command = {.count = 0};
    FILE *output = tmpfile();
    if (!output)
        return rd_fail(error, RD_ERROR_IO, "no file for what '%s' says: %s", program,
                       strerror(errno));
    make_command(&command, tool, options);
    enum rd_status status = spawn(&command, output, error);
    if (status == RD_OK && !rd_cli_sanitizer_read(sanitizer, run, tool, output))
        status = refuse(tool, output, error);
    fclose(output);
    return status;
}

enum rd_status rd_cli_sanitizer_run(struct rd_cli_sanitizer *sanitizer, const struct rd_run *run,
                                    const struct rd_cli_run_options *options,
                                    struct rd_error *error)
{
    struct rd_cli_sanitizer s = {
        .hazards = calloc(RD_CLI_REPORTS_MAX, sizeof *s.hazards),
        .reports = calloc(RD_CLI_REPORTS_MAX, sizeof *s.reports),
    };
    enum rd_status status = RD_OK;
    if (!s.hazards || !s.reports)
        status = rd_fail(error, RD_ERROR_MEMORY, "no memory for what '%s' finds", program);
    else if (run->device->ops->findings)
        status = rd_fail(error, RD_ERROR_DEVICE,
                         "'--hazards' is 'sanitizer', which looks at a GPU, and there is none: use "
                         "--hazards sim");
    else if (!is_installed())
        status =
            rd_fail(error, RD_ERROR_DEVICE,
                    "'%s' is not on the PATH: it comes with the CUDA Toolkit; or use --hazards "
                    "sim",
                    program);
    else if (!options->witness && strcmp(options->values, "-") == 0)
        status =
            rd_fail(error, RD_ERROR_USAGE,
                    "'--values' is '-', which can be read once only, and '%s' runs the program "
                    "several times: name a file",
                    program);
    for (size_t k = 0; k < sizeof tools / sizeof *tools && status == RD_OK; k++)
        status = run_tool(&s, tools[k], run, options, error);
    if (status == RD_OK)
        *sanitizer = s;
    else
        rd_cli_sanitizer_finish(&s);
    return status;
}

void rd_cli_sanitizer_finish(struct rd_cli_sanitizer *sanitizer)
{
    free(sanitizer->hazards);
    free(sanitizer->reports);
    *sanitizer = (struct rd_cli_sanitizer){0};
}
