// SPDX-License-Identifier: MIT
#include "prove/prover.h"
#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const struct {
    const char *program, *name;
    const char *words[4]; /* has it read a query from its standard input */
} table[RD_PROVER_COUNT] = {
    {"cvc5", "cvc5", {"cvc5", "--lang=smt2", "-q", NULL}},
    {"z3", "Z3", {"z3", "-smt2", "-in", NULL}},
};

/* More than a prover needs for what it decides in seconds. */
#define MEMORY_BYTES ((rlim_t)4 << 30)
/* Seconds of its own take longer where others compute at the same time: so many times, at most. */
enum { WAIT_FACTOR = 8, OUTPUT_MAX = 1 << 20 };

/* ---- starting ---- */

/* Opens the text for reading, at a position that no other reader shares. */
static int open_text(const char *text)
{
    char path[40];
    const size_t size = strlen(text);
    size_t written = 0;
    int descriptor = memfd_create("reductio-query", MFD_CLOEXEC);
    while (descriptor >= 0 && written < size) {
        const ssize_t n = write(descriptor, text + written, size - written);
        if (n < 0 && errno != EINTR) {
            close(descriptor);
            return -1;
        }
        written += n > 0 ? (size_t)n : 0;
    }
    if (descriptor < 0)
        return -1;
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    const int reader = open(path, O_RDONLY | O_CLOEXEC);
    close(descriptor);
    return reader;
}

/* Starts the process in a group of its own, so that it is ended with all that it has started. */
static int spawn(pid_t *process, const char *const *words, int input, int output)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGXFSZ);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    const int failed =
        posix_spawnp(process, words[0], &actions, &attributes, (char *const *)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failed;
}

static void limit(pid_t process, double limit_s)
{
    const rlim_t seconds = (rlim_t)limit_s + 2; /* where this process is gone */
    const struct rlimit memory = {MEMORY_BYTES, MEMORY_BYTES}, core = {0, 0},
                        time = {seconds, seconds + 1};
    prlimit(process, RLIMIT_AS, &memory, NULL);
    prlimit(process, RLIMIT_CPU, &time, NULL);
    prlimit(process, RLIMIT_CORE, &core, NULL);
}

static bool start(struct rd_prover_process *process, const char *const *words, const char *text,
                  double limit_s)
{
    int ends[2] = {-1, -1};
    *process = (struct rd_prover_process){
        .output = -1, .started_s = rd_clock_s(CLOCK_MONOTONIC), .limit_s = limit_s};
    const int input = open_text(text);
    int failed = input < 0 || pipe2(ends, O_CLOEXEC) != 0 ? errno : 0;
    if (!failed)
        failed = spawn(&process->process, words, input, ends[1]);
    if (input >= 0)
        close(input);
    if (ends[1] >= 0)
        close(ends[1]);
    if (failed) {
        if (ends[0] >= 0)
            close(ends[0]);
        process->process = 0;
        process->over = true;
        snprintf(process->said, sizeof process->said, "%s can't be started: %s", words[0],
                 strerror(failed));
        return false;
    }
    limit(process->process, limit_s);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    process->output = ends[0];
    return true;
}

bool rd_prover_start(struct rd_prover_process *process, unsigned prover, const char *query,
                     double limit_s)
{
    return start(process, table[prover].words, query, limit_s);
}

/* ---- the answer ---- */

static bool is_line(const char *text, const char *line)
{
    const size_t length = strlen(line);
    return strncmp(text, line, length) == 0 && (text[length] == '\n' || text[length] == '\0');
}

/* Tells whether it is what a prover prints that hasn't found out. */
static bool is_ignorance(const char *text)
{
    return is_line(text, "unknown") || is_line(text, "timeout") ||
           strncmp(text, "cvc5 interrupted", strlen("cvc5 interrupted")) == 0 || *text == '\0';
}

static void judge(struct rd_prover_process *process, int status)
{
    const char *text = process->text ? process->text : "";
    const bool has_error = strstr(text, "(error") != NULL || strlen(text) != process->size;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && !has_error) {
        if (strcmp(text, "unsat\n") == 0)
            process->answer = RD_PROVER_UNSAT;
        else if (strcmp(text, "sat\n") == 0 || strncmp(text, "sat\n(", 5) == 0)
            process->answer = RD_PROVER_SAT;
        if (process->answer != RD_PROVER_NOTHING)
            return;
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) != SIGXCPU && WTERMSIG(status) != SIGKILL &&
        (*text == '\0' || !is_ignorance(text)))
        snprintf(process->said, sizeof process->said, "was ended by signal %d (%s)",
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (!is_ignorance(text))
        snprintf(process->said, sizeof process->said, "said '%.*s'", (int)strcspn(text, "\n"),
                 text);
    else if (WIFEXITED(status) && *text == '\0')
        snprintf(process->said, sizeof process->said, "said nothing and ended with status %d",
                 WEXITSTATUS(status));
}

static void end(struct rd_prover_process *process, bool is_killed)
{
    int status = 0;
    if (process->over)
        return;
    process->over = true;
    process->seconds = rd_clock_s(CLOCK_MONOTONIC) - process->started_s;
    if (is_killed)
        kill(-process->process, SIGKILL);
    while (waitpid(process->process, &status, 0) < 0 && errno == EINTR) {
    }
    if (!is_killed)
        kill(-process->process, SIGKILL); /* what it may have left behind */
    close(process->output);
    process->output = -1;
    process->process = 0;
    if (!is_killed)
        judge(process, status);
}

/* Takes a piece of its output; false: there is none now, or no more, or more than any answer has. */
static bool read_piece(struct rd_prover_process *process)
{
    char piece[4096];
    const ssize_t n = read(process->output, piece, sizeof piece);
    process->closed = n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
    if (n <= 0)
        return false;
    char *grown = realloc(process->text, process->size + (size_t)n + 1);
    if (!grown) {
        process->size = OUTPUT_MAX;
        return false;
    }
    memcpy(grown + process->size, piece, (size_t)n);
    process->text = grown;
    process->size += (size_t)n;
    grown[process->size] = '\0';
    return process->size < OUTPUT_MAX;
}

/* Tells whether it has ended, with its output. It may have closed that and go on. */
static bool has_ended(const struct rd_prover_process *process)
{
    siginfo_t ended = {0};
    return waitid(P_PID, (id_t)process->process, &ended, WEXITED | WNOWAIT | WNOHANG) == 0 &&
           ended.si_pid != 0;
}

/* Seconds that its processor has had for it. */
static double own_seconds(const struct rd_prover_process *process)
{
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(process->process, &clock) != 0 || clock_gettime(clock, &time) != 0)
        return 0;
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void rd_prover_read(struct rd_prover_process *process)
{
    if (process->over)
        return;
    while (!process->closed && read_piece(process)) {
    }
    const double age_s = rd_clock_s(CLOCK_MONOTONIC) - process->started_s;
    if (process->size >= OUTPUT_MAX) {
        end(process, true);
        snprintf(process->said, sizeof process->said, "said more than any answer has");
    } else if (process->closed && has_ended(process)) {
        end(process, false);
    } else if (age_s > process->limit_s && (own_seconds(process) > process->limit_s ||
                                            age_s > WAIT_FACTOR * process->limit_s + 1)) {
        end(process, true);
    }
}

void rd_prover_finish(struct rd_prover_process *process)
{
    if (process->process != 0)
        end(process, true);
    free(process->text);
    *process = (struct rd_prover_process){.output = -1};
}

/* ---- finding them ---- */

static void find(unsigned prover, struct rd_provers *provers)
{
    enum { ANSWERS_S = 5 };
    const char *words[] = {table[prover].program, "--version", NULL};
    struct rd_prover_process process;
    if (!start(&process, words, "", ANSWERS_S))
        return;
    while (!process.over) {
        struct pollfd descriptor = {.fd = process.closed ? -1 : process.output, .events = POLLIN};
        poll(&descriptor, 1, process.closed ? 1 : 50);
        rd_prover_read(&process);
    }
    const char *said = process.text ? strstr(process.text, "version ") : NULL;
    said = said ? said + strlen("version ") : "of unknown version";
    provers->is_there[prover] = true;
    snprintf(provers->names[prover], sizeof provers->names[prover], "%s %.*s", table[prover].name,
             process.text && strstr(process.text, "version ") ? (int)strcspn(said, " \n[,") : 24,
             said);
    rd_prover_finish(&process);
}

void rd_provers_find(struct rd_provers *provers)
{
    *provers = (struct rd_provers){.is_there = {false}};
    for (unsigned k = 0; k < RD_PROVER_COUNT; k++)
        find(k, provers);
}
