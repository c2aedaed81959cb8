// SPDX-License-Identifier: MIT
/* Reports of compute-sanitizer, as findings. Each begins with a line of its own behind "========= ", and goes on in
 * lines that are indented:
 *
 *     ========= Invalid __shared__ write of size 4 bytes
 *     =========     at cuda_dot_shared_f32+0x410 in kernels/dot_blocks.cu:44
 *     =========     by thread (3,0,0) in block (1,0,0)
 *     =========     Access at 0x400 is out of bounds
 *
 *     ========= Error: Potential RAW hazard detected at __shared__ 0x4 in block (0,0,0) :
 *     =========     Write Thread (1,0,0) at cuda_x_i32+0x90 in x.cu:11
 *     =========     Read Thread (0,0,0) at cuda_x_i32+0xd0 in x.cu:12
 */
#include "cli/run_options.h"
#include "reductio/hazards.h"
#include "reductio/operation.h"
#include "device/kernel_names.h"
#include "check/sandbox/interruption.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- reports ---- */

static const char mark[] = "========= ";

/* The first words of a report, and the rule that was broken. */
static const struct {
    const char *words;
    enum rd_hazard_kind kind;
} headings[] = {
    {"Invalid __", RD_HAZARD_OUT_OF_BOUNDS},
    {"Uninitialized __", RD_HAZARD_UNINITIALISED},
    {"Race reported between", RD_HAZARD_RACE},
    {"hazard detected at", RD_HAZARD_RACE},
    {"Barrier error detected", RD_HAZARD_BARRIER_DIVERGENCE},
    {"Cluster barrier error", RD_HAZARD_BARRIER_DIVERGENCE},
    {"Stack overflow", RD_HAZARD_OUT_OF_BOUNDS},
    {"Malloc/Free error", RD_HAZARD_OUT_OF_BOUNDS},
};

/* The report that is being read. */
struct reading {
    struct rd_cli_sanitizer *sanitizer;
    const struct rd_run *run;
    const char *tool;
    bool on; /* there is one */
    struct rd_cli_report report;
    char heading[192];
    struct rd_index3 block; /* that a heading names */
    bool block_known;
    bool ended; /* the tool has told its sum */
};

/* ---- places ---- */

/* "FILE:LINE", behind the last " in "; kernels of ours as they are called in the source tree. */
static bool read_line(const char *text, char file[256], unsigned *line)
{
    for (const char *in = strstr(text, " in "); in; in = strstr(in + 1, " in ")) {
        const char *path = in + strlen(" in "), *colon = strchr(path, ':');
        while (colon && !isdigit((unsigned char)colon[1]))
            colon = strchr(colon + 1, ':');
        if (!colon || *path == '(' || strncmp(path, "block ", 6) == 0)
            continue;
        char *end;
        unsigned long number = strtoul(colon + 1, &end, 10);
        if (*end != '\0' && *end != ' ' && *end != ':')
            continue;
        snprintf(file, 256, "%.*s", (int)(colon - path), path);
        char *kernels = strstr(file, "kernels/");
        for (char *next = kernels; next; next = strstr(next + 1, "kernels/"))
            kernels = next;
        if (kernels)
            memmove(file, kernels, strlen(kernels) + 1);
        *line = (unsigned)number;
        return true;
    }
    return false;
}

static bool read_index(const char *text, const char *words, struct rd_index3 *index)
{
    const char *at = strstr(text, words);
    return at && sscanf(at + strlen(words), " (%u,%u,%u)", &index->x, &index->y, &index->z) == 3;
}

/* The first round whose kernel the line names; 0: none. */
static unsigned round_named(const struct reading *reading, const char *text, struct rd_round *round)
{
    const struct rd_run *run = reading->run;
    const struct rd_shape shape = rd_run_shape(run);
    char symbol[128];
    for (unsigned k = 1; rd_program_round(run->program, &shape, k, round); k++) {
        snprintf(symbol, sizeof symbol, "_%s_%s", round->kernel_name, run->numeric->name);
        if (strstr(text, symbol))
            return k;
    }
    return 0;
}

static void set_thread(struct reading *reading, struct rd_finding_place *place,
                       struct rd_index3 thread)
{
    const struct rd_shape shape = rd_run_shape(reading->run);
    struct rd_round round = {.block = 1};
    rd_program_round(reading->run->program, &shape, reading->report.step ? reading->report.step : 1,
                     &round);
    place->thread_known = true;
    place->thread_index = thread;
    place->thread = thread.x + thread.y * round.block;
    place->block_known = reading->block_known;
    place->block_index = reading->block;
    place->block = reading->block.x + (uint64_t)reading->block.y * round.grid;
}

static const char *op_of(const char *text)
{
    return strstr(text, "Write") || strstr(text, "write")     ? "write"
           : strstr(text, "Atomic") || strstr(text, "atomic") ? "atomic"
           : strstr(text, "Read") || strstr(text, "read")     ? "read"
                                                              : "";
}

/* A line that says where: of a race the second such line is the other place. */
static void take_place(struct reading *reading, const char *text)
{
    struct rd_finding *finding = &reading->report.finding;
    struct rd_round round;
    struct rd_index3 thread;
    if (finding->n_places == 2)
        return;
    unsigned k = finding->n_places++;
    struct rd_finding_place *place = &finding->places[k];
    if (read_line(text, reading->report.files[k], &place->line))
        place->file = reading->report.files[k];
    place->op = op_of(finding->hazard == RD_HAZARD_RACE ? text : reading->heading);
    if (reading->report.step == 0)
        reading->report.step = round_named(reading, text, &round);
    if (read_index(text, "Thread", &thread))
        set_thread(reading, place, thread);
}

/* ---- a report ---- */

static bool is_place(const char *text)
{
    return strncmp(text, "at ", 3) == 0 || strncmp(text, "and ", 4) == 0 ||
           strstr(text, "Thread (") != NULL;
}

static void describe_place(const struct rd_finding_place *place, char *text, size_t size)
{
    const struct rd_index3 *thread = &place->thread_index, *block = &place->block_index;
    int length = 0;
    if (*place->op)
        length = snprintf(text, size, "a%s %s by ", *place->op == 'a' ? "n" : "", place->op);
    if (place->thread_known)
        length +=
            snprintf(text + length, size - (size_t)length, "thread (%u,%u,%u) of block (%u,%u,%u)",
                     thread->x, thread->y, thread->z, block->x, block->y, block->z);
    else
        length += snprintf(text + length, size - (size_t)length, "a thread");
    if (place->file)
        snprintf(text + length, size - (size_t)length, " at %s:%u", place->file, place->line);
}

/* In our form: who, what, where, how often. */
static void describe(struct rd_cli_report *report, const char *tool, const char *heading)
{
    char first[400] = "", second[400] = "", count[48] = "";
    const struct rd_finding *finding = &report->finding;
    if (finding->n_places > 0)
        describe_place(&finding->places[0], first, sizeof first);
    if (finding->n_places > 1)
        describe_place(&finding->places[1], second, sizeof second);
    if (finding->count > 1)
        snprintf(count, sizeof count, "; %" PRIu64 " times", finding->count);
    snprintf(report->message, sizeof report->message, "%s%s%s%s (%s: %s)", first,
             *second ? "; " : "", second, count, tool, heading);
}

static bool same_place(const struct rd_finding_place *x, const struct rd_finding_place *y)
{
    return x->line == y->line && !x->file == !y->file &&
           (!x->file || strcmp(x->file, y->file) == 0);
}

static bool same_report(const struct rd_finding *x, const struct rd_finding *y)
{
    if (x->hazard != y->hazard || x->n_places != y->n_places)
        return false;
    for (unsigned k = 0; k < x->n_places; k++)
        if (!same_place(&x->places[k], &y->places[k]))
            return false;
    return true;
}

/* Adds a report to those before it, or counts it. */
static void end_report(struct reading *reading)
{
    struct rd_cli_sanitizer *sanitizer = reading->sanitizer;
    struct rd_cli_report *report = &reading->report, *kept = NULL;
    if (!reading->on)
        return;
    reading->on = false;
    for (unsigned k = 0; k < sanitizer->count && !kept; k++)
        if (same_report(&sanitizer->reports[k].finding, &report->finding))
            kept = &sanitizer->reports[k];
    if (kept) {
        kept->finding.count += report->finding.count;
    } else if (sanitizer->count < RD_CLI_REPORTS_MAX) {
        kept = &sanitizer->reports[sanitizer->count++];
        *kept = *report;
        for (unsigned k = 0; k < kept->finding.n_places; k++)
            if (kept->finding.places[k].file)
                kept->finding.places[k].file = kept->files[k];
        kept->finding.kind = kept->kind;
        kept->finding.message = kept->message;
    }
    if (kept)
        describe(kept, reading->tool, reading->heading);
}

/* "__shared__" as "shared". */
static void read_kind(const char *text, char kind[16])
{
    const char *space = strstr(text, "__");
    int length = space ? (int)strcspn(space + 2, "_") : 0;
    snprintf(kind, 16, "%.*s", length, space ? space + 2 : "");
}

static void begin_report(struct reading *reading, const char *text, enum rd_hazard_kind kind)
{
    reading->on = true;
    reading->report = (struct rd_cli_report){
        .finding = {.hazard = kind,
                    .scope = "",
                    .lesson = "",
                    .array = "",
                    .type = "",
                    .before = "",
                    .after = "",
                    .count = 1},
    };
    reading->block_known = read_index(text, "in block", &reading->block);
    if (kind != RD_HAZARD_RACE)
        read_kind(text, reading->report.kind);
    const char *words = strncmp(text, "Error: ", 7) == 0 ? text + 7 : text;
    size_t length = strcspn(words, ".:+");
    while (length > 0 && words[length - 1] == ' ')
        length--;
    snprintf(reading->heading, sizeof reading->heading, "%.*s", (int)length, words);
    const char *access = strstr(text, "Race reported between ");
    if (access) {
        snprintf(reading->heading, sizeof reading->heading, "race reported");
        take_place(reading, access);
    }
}

static void take_detail(struct reading *reading, const char *text)
{
    struct rd_finding *finding = &reading->report.finding;
    struct rd_index3 thread;
    const char *times = strrchr(text, '[');
    if (is_place(text))
        take_place(reading, text);
    if (strncmp(text, "by thread", 9) == 0 && finding->n_places > 0 &&
        read_index(text, "by thread", &thread)) {
        reading->block_known = read_index(text, "in block", &reading->block);
        set_thread(reading, &finding->places[0], thread);
    }
    if (strstr(text, "misaligned"))
        finding->hazard = RD_HAZARD_MISALIGNED;
    if (times && strstr(times, " hazard"))
        finding->count = strtoull(times + 1, NULL, 10);
}

static void take_line(struct reading *reading, const char *text)
{
    if (*text == ' ') {
        if (reading->on)
            take_detail(reading, text + strspn(text, " "));
        return;
    }
    end_report(reading);
    reading->ended = reading->ended || strstr(text, "SUMMARY");
    for (size_t k = 0; k < sizeof headings / sizeof *headings; k++)
        if (strstr(text, headings[k].words) && !reading->on)
            begin_report(reading, text, headings[k].kind);
}

/* The hazards point to the reports, which do not move any more. */
static void list_hazards(struct rd_cli_sanitizer *sanitizer)
{
    for (unsigned k = 0; k < sanitizer->count; k++)
        sanitizer->hazards[k] = (struct rd_hazard){
            .kind = sanitizer->reports[k].finding.hazard,
            .step = sanitizer->reports[k].step ? sanitizer->reports[k].step : 1,
            .message = sanitizer->reports[k].message,
            .finding = &sanitizer->reports[k].finding,
        };
}

/* Reads what a tool has written, and adds what it found. False where it did not come to its end. */
static bool sanitizer_read(struct rd_cli_sanitizer *sanitizer, const struct rd_run *run,
                           const char *tool, FILE *output)
{
    struct reading reading = {.sanitizer = sanitizer, .run = run, .tool = tool};
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, output) >= 0) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, mark, sizeof mark - 1) == 0)
            take_line(&reading, line + sizeof mark - 1);
    }
    free(line);
    end_report(&reading);
    list_hazards(sanitizer);
    return reading.ended;
}

/* ---- running it ---- */

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
                               "--op",
                               rd_operation_name(options->numeric->operation),
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
    while (rd_interruption_await(child) < 0 && errno == EINTR) {
    }
    rd_interruption_unwatch(child);
    waitpid(child, &status, 0);
    rewind(output);
    return *rd_interruption() ? rd_fail(error, RD_ERROR_INTERRUPTED, "interrupted") : RD_OK;
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
    if (status == RD_OK && !sanitizer_read(sanitizer, run, tool, output))
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
