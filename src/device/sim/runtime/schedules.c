// SPDX-License-Identifier: MIT
/* The process of the program keeps, through each launch that may communicate, a copy of itself, which waits: the memory of before
 * the launch. For each other schedule the copy makes a copy of its own, which runs the launch, and hands over what it has found
 * and what it has left. */
#include "device/sim/runtime/schedules.h"
#include "base/array.h"
#include "base/clock.h"
#include "device/sim/file/file.h"
#include "device/sim/runtime/runtime_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* Seconds of a processor that runs under other schedules may take in all, beside as many as the program takes itself; and seconds of
 * a single run, beside a multiple of what the program's own has taken. */
#define GRACE_S     1.0
#define RUN_GRACE_S 2.0
enum { RUN_TIMES = 10 };
#define BYTES_MAX ((uint64_t)1 << 29)

/* A kernel that has been launched. */
struct known {
    const void *thread, *function; /* what runs its threads; and of launches by address, its own */
    bool communicates;
};

/* What the copy is to do, and what has come of it. */
struct command {
    struct rd_schedule schedule;
    bool exact;
};
enum outcome { RAN = 1, EXACT_WANTED, STOPPED, LOST };
struct answer {
    enum outcome outcome;
    double spent_s; /* of a processor */
};

static struct {
    struct known *known;
    size_t n_known, capacity;
    double spent_s;  /* on other schedules, of a processor, */
    double spared_s; /* and what launches have not taken that were not run */
    struct rd_file_tried tried;
    /* of the launch that runs: */
    double launch_began_s, launch_began_cpu_s;
    pid_t copy; /* 0: none */
    int commands, answers, memory;
    FILE *told;
} schedules_state = {.commands = -1, .answers = -1, .memory = -1};

static double now_s(void)
{
    return rd_clock_s(CLOCK_MONOTONIC);
}

/* ---- kernels ---- */

static struct known *find(const struct rd_sim_launch *launch)
{
    for (size_t k = 0; k < schedules_state.n_known; k++)
        if (schedules_state.known[k].thread == (const void *)launch->thread &&
            schedules_state.known[k].function == launch->function)
            return &schedules_state.known[k];
    return NULL;
}

static void remember(const struct rd_sim_launch *launch, bool communicates)
{
    struct known *known = find(launch);
    if (!known && rd_array_make_room(&schedules_state.known, schedules_state.n_known,
                                     &schedules_state.capacity, sizeof *schedules_state.known)) {
        known = &schedules_state.known[schedules_state.n_known++];
        *known = (struct known){(const void *)launch->thread, launch->function, false};
    }
    if (known)
        known->communicates = known->communicates || communicates;
}

/* ---- the copies ---- */

static bool read_all(int file, void *bytes, size_t size_bytes)
{
    size_t done = 0;
    while (done < size_bytes) {
        const ssize_t n = read(file, (char *)bytes + done, size_bytes - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

static void dies_with(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(LOST);
}

/* Prints nothing: what a launch prints has been printed. */
static bool is_silenced(void)
{
    const int nothing = open("/dev/null", O_WRONLY);
    return nothing >= 0 && dup2(nothing, STDOUT_FILENO) >= 0 && dup2(nothing, STDERR_FILENO) >= 0;
}

static _Noreturn void run_copy(const struct rd_sim_launch *launch, const struct rd_sim_grid *first,
                               const struct command *command, rd_sim_launch_run *run)
{
    const struct rd_file_program *program = rd_sim_runtime_program();
    struct rd_sim_grid grid = *first;
    if (!is_silenced())
        _exit(LOST);
    program->on_copy(program->how.self, schedules_state.told);
    grid.schedule = command->schedule;
    grid.exact = command->exact;
    grid.jobs = 0;
    rd_sim_file_launch_begins(false);
    const enum rd_sim_ending ending = run(launch, &grid);
    if (ending == RD_SIM_EXACT_WANTED && !grid.exact)
        _exit(EXACT_WANTED);
    if (ending != RD_SIM_ENDED)
        _exit(LOST);
    rd_sim_launches_settle();
    if (rd_sim_here->block.trapped)
        _exit(STOPPED);
    _exit(rd_sim_arrays_write(schedules_state.memory) ? RAN : LOST);
}

static double seconds_of(const struct timeval *time)
{
    return (double)time->tv_sec + (double)time->tv_usec * 1e-6;
}

/* The copy that waits. */
static _Noreturn void keep(pid_t parent, const struct rd_sim_launch *launch,
                           const struct rd_sim_grid *grid, rd_sim_launch_run *run)
{
    struct command command;
    const pid_t here = getpid();
    dies_with(parent);
    while (read_all(schedules_state.commands, &command, sizeof command)) {
        int status = 0;
        struct answer answer = {.outcome = LOST};
        struct rusage used = {0};
        const pid_t process = fork();
        if (process == 0) {
            dies_with(here);
            run_copy(launch, grid, &command, run);
        }
        while (process > 0 && wait4(process, &status, 0, &used) < 0 && errno == EINTR) {
        }
        if (process > 0 && WIFEXITED(status) && WEXITSTATUS(status) >= RAN &&
            WEXITSTATUS(status) <= LOST)
            answer.outcome = (enum outcome)WEXITSTATUS(status);
        answer.spent_s = seconds_of(&used.ru_utime) + seconds_of(&used.ru_stime);
        if (write(schedules_state.answers, &answer, sizeof answer) != sizeof answer)
            break;
    }
    _exit(0);
}

/* ---- the program's own process ---- */

static void close_all(void)
{
    int *const files[] = {&schedules_state.commands, &schedules_state.answers,
                          &schedules_state.memory};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        if (*files[k] >= 0)
            close(*files[k]);
        *files[k] = -1;
    }
    if (schedules_state.told)
        fclose(schedules_state.told);
    schedules_state.told = NULL;
}

static void end_copy(void)
{
    if (schedules_state.copy > 0) {
        kill(schedules_state.copy, SIGKILL);
        while (waitpid(schedules_state.copy, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    schedules_state.copy = 0;
    close_all();
}

static bool open_all(int commands[2], int answers[2])
{
    const int told = memfd_create("told", MFD_CLOEXEC);
    schedules_state.memory = memfd_create("memory", MFD_CLOEXEC);
    schedules_state.told = told >= 0 ? fdopen(told, "w+") : NULL;
    if (!schedules_state.told && told >= 0)
        close(told);
    if (schedules_state.memory < 0 || !schedules_state.told || pipe2(commands, O_CLOEXEC) != 0)
        return false;
    if (pipe2(answers, O_CLOEXEC) == 0)
        return true;
    close(commands[0]);
    close(commands[1]);
    return false;
}

static bool is_affordable(double seconds)
{
    return rd_sim_runtime_program()->takes_any_time ||
           schedules_state.spent_s + seconds <=
               rd_clock_s(CLOCK_PROCESS_CPUTIME_ID) + schedules_state.spared_s + GRACE_S;
}

void rd_sim_schedules_spare(double seconds)
{
    schedules_state.spared_s += seconds;
}

static bool may_communicate(const struct rd_sim_launch *launch, const struct rd_sim_grid *grid)
{
    const struct rd_file_program *program = rd_sim_runtime_program();
    const struct known *known = find(launch);
    return program->n_schedules > 1 && !launch->of_library &&
           (grid->exact || (rd_sim_file()->may_communicate && (!known || known->communicates)));
}

void rd_sim_schedules_begin(const struct rd_sim_launch *launch, const struct rd_sim_grid *grid,
                            rd_sim_launch_run *run)
{
    int commands[2], answers[2];
    schedules_state.launch_began_s = now_s();
    schedules_state.launch_began_cpu_s = rd_clock_s(CLOCK_PROCESS_CPUTIME_ID);
    if (!may_communicate(launch, grid) || rd_sim_memory_has_aliases() || !is_affordable(0) ||
        rd_sim_arrays_bytes() > BYTES_MAX)
        return;
    if (!open_all(commands, answers)) {
        close_all();
        return;
    }
    fflush(NULL); /* else each of them would print it again */
    const pid_t parent = getpid();
    schedules_state.copy = fork();
    if (schedules_state.copy == 0) {
        close(commands[1]);
        close(answers[0]);
        schedules_state.commands = commands[0];
        schedules_state.answers = answers[1];
        keep(parent, launch, grid, run);
    }
    close(commands[0]);
    close(answers[1]);
    schedules_state.commands = commands[1];
    schedules_state.answers = answers[0];
    if (schedules_state.copy < 0)
        end_copy();
}

/* Empties a file that a copy has written, for the next. */
static bool empty(int file)
{
    return ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0;
}

/* Has the copy run the launch. LOST where nothing came of it in time. */
static enum outcome command_copy(const struct command *command, double limit_s)
{
    struct answer answer;
    struct pollfd ready_answer = {.fd = schedules_state.answers, .events = POLLIN};
    const double end_s = now_s() + limit_s;
    int ready;
    if (!empty(schedules_state.memory) || !empty(fileno(schedules_state.told)) ||
        write(schedules_state.commands, command, sizeof *command) != sizeof *command)
        return LOST;
    do {
        const double left_s = end_s - now_s();
        ready = poll(&ready_answer, 1, left_s > 0 ? (int)(left_s * 1e3) : 0);
    } while (ready < 0 && errno == EINTR);
    if (ready != 1 || !read_all(schedules_state.answers, &answer, sizeof answer)) {
        schedules_state.spent_s += limit_s;
        return LOST;
    }
    schedules_state.spent_s += answer.spent_s;
    return answer.outcome;
}

/* Tries one schedule; false where it could not be, or not to its end. */
static bool try_one(const struct rd_sim_launch *launch, const struct rd_sim_grid *grid, unsigned k,
                    double limit_s)
{
    const struct rd_file_program *program = rd_sim_runtime_program();
    struct command command = {rd_schedule_number(k, grid->schedule.seed), grid->exact};
    char name[RD_SCHEDULE_NAME_SIZE];
    rd_schedule_name(&command.schedule, name);
    command.exact = command.exact || command.schedule.order >= RD_ORDER_RANDOM;
    enum outcome outcome = command_copy(&command, limit_s);
    if (outcome == EXACT_WANTED) {
        command.exact = true;
        outcome = command_copy(&command, limit_s);
    }
    if (outcome == LOST)
        return false;
    program->on_copy_over(program->how.self, name, schedules_state.told);
    return outcome == STOPPED || rd_sim_arrays_compare(schedules_state.memory, launch,
                                                       &grid->schedule, &command.schedule);
}

/* Tries all of them, and counts those that were; returns why not all, or NULL. */
static const char *try_all(const struct rd_sim_launch *launch, const struct rd_sim_grid *grid,
                           unsigned *n)
{
    const struct rd_file_program *program = rd_sim_runtime_program();
    const double seconds = now_s() - schedules_state.launch_began_s,
                 cpu_s = rd_clock_s(CLOCK_PROCESS_CPUTIME_ID) - schedules_state.launch_began_cpu_s;
    const double limit_s =
        program->takes_any_time ? program->how.timeout_s : RUN_GRACE_S + RUN_TIMES * seconds;
    for (unsigned k = 1; k < program->n_schedules; k++) {
        const double start_s = now_s();
        if (!is_affordable(cpu_s))
            return "they take too long";
        if (!try_one(launch, grid, k, limit_s))
            return now_s() - start_s >= limit_s ? "they take too long"
                                                : "a run of them did not come to its end";
        ++*n;
    }
    return NULL;
}

static const char *why_no_copy(void)
{
    return rd_sim_memory_has_aliases()         ? "the host's memory is registered for devices"
           : rd_sim_arrays_bytes() > BYTES_MAX ? "there is too much memory to compare"
           : !is_affordable(0)                 ? "they take too long"
           : rd_sim_file()->may_communicate    ? "the first launches did not communicate"
                                               : "that it communicates showed only as it ran";
}

static void count(unsigned n, const char *why)
{
    struct rd_file_tried *tried = &schedules_state.tried;
    tried->fewest = tried->launches == 0 || n < tried->fewest ? n : tried->fewest;
    tried->most = n > tried->most ? n : tried->most;
    tried->launches++;
    tried->less += why != NULL;
    if (why && !tried->why[0])
        snprintf(tried->why, sizeof tried->why, "%s", why);
}

void rd_sim_schedules_end(const struct rd_sim_launch *launch, const struct rd_sim_grid *grid,
                          enum rd_sim_ending ending)
{
    const struct rd_file_program *program = rd_sim_runtime_program();
    const bool communicates = ending == RD_SIM_ENDED && rd_sim_launches_communicate();
    remember(launch, communicates);
    if (communicates && !launch->of_library && !rd_sim_here->block.trapped) {
        struct itimerval left;
        unsigned n = 1;
        rd_sim_file_timer_stop(&left);
        const double start_s = now_s();
        const char *why = program->n_schedules <= 1  ? NULL
                          : schedules_state.copy > 0 ? try_all(launch, grid, &n)
                                                     : why_no_copy();
        count(n, why);
        program->on_tried(program->how.self, &schedules_state.tried);
        rd_sim_file_timer_go_on(&left, now_s() - start_s);
    }
    end_copy();
}
