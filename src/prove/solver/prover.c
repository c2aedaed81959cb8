// SPDX-License-Identifier: MIT
#include "prove/solver/prover.h"
#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
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
enum { WAIT_FACTOR = 8, ALL_S = 3600, OUTPUT_MAX = 1 << 20 };

/* ---- starting ---- */

/* Starts the process in a group of its own, so that it is ended with all that it has started. */
static int spawn(pid_t *process, const char *const *words, int input, int output)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGXFSZ);
    sigaddset(&defaults, SIGXCPU);
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

/* Seconds that its processor has had for it. */
static double own_seconds(const struct rd_prover_process *process)
{
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(process->process, &clock) != 0 || clock_gettime(clock, &time) != 0)
        return 0;
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void limit(const struct rd_prover_process *process)
{
    /* For where this process is gone. Each question moves the limit, up to that of its first one. */
    struct rlimit last = {0, 0};
    prlimit(process->process, RLIMIT_CPU, NULL, &last);
    const rlim_t seconds = (rlim_t)(process->own_started_s + process->limit_s) + 2,
                 all = seconds > ALL_S ? seconds : ALL_S,
                 most = last.rlim_max < all ? last.rlim_max : all;
    const struct rlimit memory = {MEMORY_BYTES, MEMORY_BYTES}, core = {0, 0},
                        time = {seconds < most ? seconds : most, most};
    prlimit(process->process, RLIMIT_AS, &memory, NULL);
    prlimit(process->process, RLIMIT_CPU, &time, NULL);
    prlimit(process->process, RLIMIT_CORE, &core, NULL);
}

static void close_end(int *end)
{
    if (*end >= 0)
        close(*end);
    *end = -1;
}

/* Starts it with nothing to read yet. */
static bool start(struct rd_prover_process *process, const char *const *words)
{
    int inputs[2] = {-1, -1}, outputs[2] = {-1, -1};
    *process = (struct rd_prover_process){
        .input = -1, .output = -1, .started_s = rd_clock_s(CLOCK_MONOTONIC)};
    /* A socket: writing to one whose reader is gone needn't raise SIGPIPE. */
    int failed = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, inputs) != 0 ||
                         pipe2(outputs, O_CLOEXEC) != 0
                     ? errno
                     : 0;
    if (!failed)
        failed = spawn(&process->process, words, inputs[1], outputs[1]);
    close_end(&inputs[1]);
    close_end(&outputs[1]);
    if (failed) {
        close_end(&inputs[0]);
        close_end(&outputs[0]);
        process->process = 0;
        process->over = true;
        snprintf(process->said, sizeof process->said, "%s can't be started: %s", words[0],
                 strerror(failed));
        return false;
    }
    fcntl(outputs[0], F_SETFL, O_NONBLOCK);
    process->input = inputs[0];
    process->output = outputs[0];
    return true;
}

/* ---- asking ---- */

static bool make_tag(char tag[RD_PROVER_TAG_SIZE])
{
    unsigned char bytes[(RD_PROVER_TAG_SIZE - 1) / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return false;
    for (size_t k = 0; k < sizeof bytes; k++)
        snprintf(tag + 2 * k, 3, "%02x", bytes[k]);
    return true;
}

/* Sends what it takes without waiting. */
static void send_question(struct rd_prover_process *process)
{
    while (process->n_sent < process->question_size) {
        const ssize_t n =
            send(process->input, process->question + process->n_sent,
                 process->question_size - process->n_sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno != EAGAIN)
            process->n_sent = process->question_size; /* it is gone, as its output will tell */
        if (n <= 0)
            return;
        process->n_sent += (size_t)n;
    }
}

bool rd_prover_ask(struct rd_prover_process *process, const char *query, double limit_s)
{
    free(process->text);
    free(process->question);
    process->text = process->question = NULL;
    process->size = process->question_size = process->n_sent = 0;
    process->can_go_on = false;
    process->answer = RD_PROVER_NOTHING;
    process->said[0] = '\0';
    process->n_asked++;
    process->limit_s = limit_s;
    process->started_s = rd_clock_s(CLOCK_MONOTONIC);
    process->own_started_s = process->n_asked > 1 ? own_seconds(process) : 0;
    process->over =
        !make_tag(process->tag) || !(process->question = rd_prover_question(process->tag, query));
    if (process->over) {
        snprintf(process->said, sizeof process->said, "no question can be put: %s",
                 strerror(errno));
        return false;
    }
    process->question_size = strlen(process->question);
    limit(process);
    send_question(process);
    return true;
}

bool rd_prover_start(struct rd_prover_process *process, unsigned prover, const char *query,
                     double limit_s)
{
    if (!start(process, table[prover].words))
        return false;
    process->prover = prover;
    return rd_prover_ask(process, query, limit_s);
}

/* ---- reading ---- */

static void end(struct rd_prover_process *process, bool is_killed)
{
    int status = 0;
    process->over = true;
    process->seconds = rd_clock_s(CLOCK_MONOTONIC) - process->started_s;
    if (is_killed)
        kill(-process->process, SIGKILL);
    while (waitpid(process->process, &status, 0) < 0 && errno == EINTR) {
    }
    if (!is_killed)
        kill(-process->process, SIGKILL); /* what it may have left behind */
    close_end(&process->input);
    close_end(&process->output);
    process->process = 0;
    process->died = !is_killed;
    if (!is_killed)
        rd_prover_judge_end(process, status);
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

double rd_prover_own_s(const struct rd_prover_process *process)
{
    const double age_s = rd_clock_s(CLOCK_MONOTONIC) - process->started_s,
                 own_s = process->process != 0 ? own_seconds(process) - process->own_started_s : 0;
    /* One that sleeps has none. */
    return own_s > (age_s - 1) / WAIT_FACTOR ? own_s : (age_s - 1) / WAIT_FACTOR;
}

void rd_prover_read(struct rd_prover_process *process)
{
    if (process->over)
        return;
    send_question(process);
    while (!process->closed && read_piece(process)) {
    }
    const double age_s = rd_clock_s(CLOCK_MONOTONIC) - process->started_s;
    if (process->size >= OUTPUT_MAX) {
        end(process, true);
        snprintf(process->said, sizeof process->said, "said more than any answer has");
    } else if (rd_prover_judge(process)) {
        process->over = true;
        process->seconds = age_s;
        if (!process->can_go_on)
            end(process, true);
    } else if (process->closed && has_ended(process)) {
        end(process, false);
    } else if (age_s > process->limit_s && rd_prover_own_s(process) > process->limit_s) {
        end(process, true);
        process->is_late = true;
    }
}

bool rd_prover_is_ready(const struct rd_prover_process *process)
{
    struct pollfd output = {.fd = process->output, .events = POLLIN};
    return process->process != 0 && process->can_go_on && poll(&output, 1, 0) == 0;
}

void rd_prover_finish(struct rd_prover_process *process)
{
    if (process->process != 0)
        end(process, true);
    free(process->text);
    free(process->question);
    *process = (struct rd_prover_process){.over = true, .input = -1, .output = -1};
}

/* ---- finding them ---- */

static void find(unsigned prover, struct rd_provers *provers)
{
    enum { ANSWERS_S = 5 };
    const char *words[] = {table[prover].program, "--version", NULL};
    struct rd_prover_process process;
    if (!start(&process, words))
        return;
    process.limit_s = ANSWERS_S;
    limit(&process);
    shutdown(process.input, SHUT_WR);
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

/* ---- provers that wait ---- */

/* Questions, after which a prover is started anew: what it may not have given back is given back then. */
enum { QUESTIONS_MAX = 200 };

struct rd_prover_pool *rd_prover_pool_create(void)
{
    struct rd_prover_pool *pool = calloc(1, sizeof *pool);
    if (pool)
        rd_provers_find(&pool->provers);
    return pool;
}

void rd_prover_pool_destroy(struct rd_prover_pool *pool)
{
    for (unsigned prover = 0; pool && prover < RD_PROVER_COUNT; prover++)
        for (unsigned k = 0; k < pool->n_idle[prover]; k++)
            rd_prover_finish(&pool->idle[prover][k]);
    free(pool);
}

bool rd_prover_pool_ask(struct rd_prover_pool *pool, struct rd_prover_process *process,
                        unsigned prover, const char *query, double limit_s)
{
    while (pool->n_idle[prover] > 0) {
        *process = pool->idle[prover][--pool->n_idle[prover]];
        if (rd_prover_is_ready(process))
            return rd_prover_ask(process, query, limit_s);
        rd_prover_finish(process);
    }
    return rd_prover_start(process, prover, query, limit_s);
}

void rd_prover_pool_take(struct rd_prover_pool *pool, struct rd_prover_process *process)
{
    unsigned *n = &pool->n_idle[process->prover];
    if (*n < RD_PROVER_IDLE_MAX && process->n_asked < QUESTIONS_MAX &&
        rd_prover_is_ready(process)) {
        pool->idle[process->prover][(*n)++] = *process;
        process->process = 0;
        process->text = process->question = NULL;
    }
    rd_prover_finish(process);
}
