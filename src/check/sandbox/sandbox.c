// SPDX-License-Identifier: MIT
#include "check/sandbox/sandbox.h"
#include "check/sandbox/interruption.h"
#include "check/sandbox/sandbox_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#define FILE_BYTES_MAX ((rlim_t)4 << 30)

/* ---- in the child ---- */

/* Closes from the first to the last. */
static void close_all(int first, unsigned last)
{
    struct rlimit limit;
    if ((unsigned)first > last || syscall(436 /* close_range */, (unsigned)first, last, 0) == 0)
        return;
    unsigned end = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 65536
                       ? (unsigned)limit.rlim_cur
                       : 65536;
    for (unsigned file = (unsigned)first; file <= last && file < end; file++)
        close((int)file);
}

void rd_sandbox_close_from(int file)
{
    close_all(file, UINT_MAX);
}

/* Closes all from 3 on but those that are kept. */
static void close_others(const int *kept, unsigned n)
{
    int from = STDERR_FILENO + 1;
    for (;;) {
        int next = INT_MAX;
        for (unsigned k = 0; k < n; k++)
            if (kept[k] >= from && kept[k] < next)
                next = kept[k];
        if (next == INT_MAX)
            break;
        close_all(from, (unsigned)next - 1);
        from = next + 1;
    }
    close_all(from, UINT_MAX);
}

static int limit(int resource, rlim_t most)
{
    struct rlimit now;
    if (getrlimit(resource, &now) != 0)
        return errno;
    if (now.rlim_max != RLIM_INFINITY && now.rlim_max < most)
        most = now.rlim_max;
    return setrlimit(resource, &(struct rlimit){most, most}) == 0 ? 0 : errno;
}

void rd_sandbox_limit_compiler(pid_t process)
{
    enum { SECONDS = 600 };
    const uint64_t left = rd_sandbox_memory(), most = (uint64_t)6 << 30, least = (uint64_t)2 << 30,
                   memory = left > most    ? most
                            : left < least ? least
                                           : left;
    const struct {
        __rlimit_resource_t resource;
        rlim_t most;
    } limits[] = {{RLIMIT_CORE, 0},
                  {RLIMIT_FSIZE, FILE_BYTES_MAX},
                  {RLIMIT_CPU, SECONDS},
                  {RLIMIT_AS, memory}};
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        struct rlimit now;
        if (prlimit(process, limits[k].resource, NULL, &now) == 0 && now.rlim_cur > limits[k].most)
            prlimit(process, limits[k].resource, &(struct rlimit){limits[k].most, now.rlim_max},
                    NULL);
    }
}

/* Since Linux 5.14 processes are counted in a namespace of users of their own: before, a limit is one of all that the user
 * runs. */
static bool counts_own_processes(void)
{
    struct utsname name;
    unsigned version = 0, minor = 0;
    return uname(&name) == 0 && sscanf(name.release, "%u.%u", &version, &minor) == 2 &&
           (version > 5 || (version == 5 && minor >= 14));
}

static void set_limits(const struct rd_sandbox *box, struct rd_sandbox_told *told)
{
    const unsigned n = box->options->n_processes;
    int failed = limit(RLIMIT_CORE, 0);
    failed = failed ? failed : limit(RLIMIT_FSIZE, FILE_BYTES_MAX);
    signal(SIGXFSZ, SIG_IGN); /* a write fails then: a recording that is too long is no crash */
    failed = failed ? failed : limit(RLIMIT_MEMLOCK, 1 << 20);
    failed = failed ? failed : limit(RLIMIT_MSGQUEUE, 0);
    if (told->keeper > 0 && counts_own_processes())
        failed = failed ? failed : limit(RLIMIT_NPROC, (n ? n : RD_SANDBOX_PROCESSES) + 16);
    told->errors[RD_SANDBOX_LIMITS] = failed;
}

/* Gives up all privileges, as root's, or those in a namespace. */
static int drop_privileges(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    const struct __user_cap_data_struct none[2] = {{0}};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return errno;
    for (unsigned long k = 0; prctl(PR_CAPBSET_READ, k, 0, 0, 0) >= 0; k++)
        prctl(PR_CAPBSET_DROP, k, 0, 0, 0);
    return syscall(SYS_capset, &header, none) == 0 ? 0 : errno;
}

/* Without a namespace, the child must see to it that it does not outlive its parent. */
static void die_with(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
}

static void enter(struct rd_sandbox *box, const int *kept, unsigned n_kept)
{
    struct rd_sandbox_told *told = box->told;
    setsid();
    close_others(kept, n_kept);
    if (box->folder[0])
        setenv("TMPDIR", box->folder, 1);
    set_limits(box, told);
    told->errors[RD_SANDBOX_PRIVILEGES] = drop_privileges();
    rd_sandbox_restrict_files(box, told);
    const bool scoped = told->landlock >= 6, alone = told->keeper > 0;
    if (!alone && !scoped)
        told->errors[RD_SANDBOX_PROCESSES_OUTSIDE] = told->errors[RD_SANDBOX_PROCESSES_LEFT];
    told->errors[RD_SANDBOX_CALLS] = rd_sandbox_restrict_calls(!alone, scoped);
    if (told->errors[RD_SANDBOX_CALLS] == 0)
        told->errors[RD_SANDBOX_PROCESSES_OUTSIDE] = 0;
    told->ready = true;
    munmap(told, sizeof *told);
    box->told = NULL;
}

/* ---- what is told ---- */

static const char *const parts[RD_SANDBOX_PARTS] = {
    [RD_SANDBOX_FILES] = "writing files",
    [RD_SANDBOX_TRUNCATION] = "truncating files",
    [RD_SANDBOX_CALLS] = "system calls and the network",
    [RD_SANDBOX_PROCESSES_OUTSIDE] = "signals to other processes",
    [RD_SANDBOX_PROCESSES_LEFT] = "processes left behind faster than they are ended",
    [RD_SANDBOX_PRIVILEGES] = "privileges",
    [RD_SANDBOX_LIMITS] = "sizes of files",
};

static const char *why(enum rd_sandbox_part part, int number)
{
    bool lacks = number == ENOSYS || number == EOPNOTSUPP || number == EINVAL;
    switch (part) {
    case RD_SANDBOX_FILES:
        return lacks ? "the kernel has no Landlock" : strerror(number);
    case RD_SANDBOX_TRUNCATION:
        return "the kernel's Landlock is older than Linux 6.2";
    case RD_SANDBOX_CALLS:
        return number == ENOTSUP ? "not on this processor"
               : lacks           ? "the kernel has no seccomp"
                                 : strerror(number);
    case RD_SANDBOX_PROCESSES_OUTSIDE:
    case RD_SANDBOX_PROCESSES_LEFT:
        return number == EPERM || number == EACCES || number == ENOSPC || lacks
                   ? "no namespace of processes is allowed here"
                   : strerror(number);
    default:
        return strerror(number);
    }
}

static void tell_missing(struct rd_sandbox *box)
{
    size_t length = 0;
    for (int part = 0; part < RD_SANDBOX_PARTS && length < sizeof box->missing; part++) {
        const int number = box->told->errors[part];
        if (number)
            length += (size_t)snprintf(box->missing + length, sizeof box->missing - length,
                                       "%s%s: %s", length ? "; " : "", parts[part],
                                       why((enum rd_sandbox_part)part, number));
    }
    const char *unwatched = !box->watched ? "memory and processes: no thread can watch over them"
                            : access("/proc/thread-self/children", R_OK) != 0
                                ? "processes that it makes: the kernel does not list them"
                                : NULL;
    if (!box->told->ready)
        snprintf(box->missing, sizeof box->missing, "anything: its process ended before");
    else if (unwatched && length < sizeof box->missing)
        snprintf(box->missing + length, sizeof box->missing - length, "%s%s", length ? "; " : "",
                 unwatched);
}

const char *rd_sandbox_why_stopped(struct rd_sandbox *box, int status)
{
    if (box->stopped)
        return box->stopped;
    if (!box->options->off && WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)
        return "it was stopped: it made a system call that no program needs and an attack does";
    return NULL;
}

/* ---- in the parent ---- */

static bool make_folder(struct rd_sandbox *box, const char *directory)
{
    int length = snprintf(box->folder, sizeof box->folder, "%s/own", directory);
    if (length < (int)sizeof box->folder && mkdir(box->folder, 0700) == 0)
        return true;
    box->folder[0] = '\0';
    return false;
}

static pid_t fork_uncontained(struct rd_sandbox *box)
{
    snprintf(box->missing, sizeof box->missing, "anything: --no-sandbox");
    box->worker = fork();
    return box->worker;
}

pid_t rd_sandbox_fork(struct rd_sandbox *box, const struct rd_sandbox_options *options,
                      const char *directory, const int *kept, unsigned n_kept)
{
    const pid_t parent = getpid();
    *box = (struct rd_sandbox){.options = options, .life = -1};
    if (options->off)
        return fork_uncontained(box);
    box->told =
        mmap(NULL, sizeof *box->told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (box->told == MAP_FAILED || !make_folder(box, directory)) {
        const int failed = errno;
        if (box->told != MAP_FAILED)
            munmap(box->told, sizeof *box->told);
        errno = failed;
        return -1;
    }
    box->terminal = rd_sandbox_terminal_keep();
    pid_t worker = rd_sandbox_fork_apart(box);
    if (worker < 0) {
        if (box->told->errors[RD_SANDBOX_PROCESSES_LEFT] == 0)
            box->told->errors[RD_SANDBOX_PROCESSES_LEFT] = EPERM;
        box->told->keeper = 0;
        worker = fork();
        if (worker == 0)
            die_with(parent);
    }
    if (worker == 0) {
        enter(box, kept, n_kept);
        return 0;
    }
    box->worker = worker;
    if (worker < 0) {
        const int failed = errno;
        rd_sandbox_finish(box);
        errno = failed;
        return -1;
    }
    rd_sandbox_watch_begin(box);
    box->watched = box->watch != NULL;
    return worker;
}

static int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *at)
{
    (void)at;
    if (kind == FTW_DP || kind == FTW_D || kind == FTW_DNR)
        rmdir(path);
    else
        unlink(path);
    (void)facts;
    return 0;
}

/* A folder that can't be listed is opened first. */
static int open_one(const char *path, const struct stat *facts, int kind, struct FTW *at)
{
    (void)facts, (void)at;
    if (kind == FTW_DNR)
        chmod(path, 0700);
    return 0;
}

static void remove_folder(const char *folder)
{
    enum { OPEN_MAX_AT_ONCE = 32, ATTEMPTS = 8 };
    for (int k = 0; k < ATTEMPTS; k++) {
        nftw(folder, open_one, OPEN_MAX_AT_ONCE, FTW_PHYS | FTW_MOUNT);
        nftw(folder, remove_one, OPEN_MAX_AT_ONCE, FTW_PHYS | FTW_MOUNT | FTW_DEPTH);
        if (access(folder, F_OK) != 0)
            return;
    }
}

int rd_sandbox_finish(struct rd_sandbox *box)
{
    int status = 0;
    if (box->worker > 0) {
        siginfo_t ended;
        while (waitid(P_PID, (id_t)box->worker, &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
        }
        rd_sandbox_watch_end(box); /* while the process keeps its number */
        if (box->keeper > 0) {
            close(box->life); /* what is left ends now */
            kill(box->keeper, SIGKILL);
        } else if (!box->options->off) {
            kill(-box->worker, SIGKILL); /* its group, */
        }
        while (waitpid(box->worker, &status, 0) < 0 && errno == EINTR) {
        }
    }
    if (box->options->off)
        return status;
    if (box->keeper > 0) { /* ends when all others have */
        rd_sandbox_wait_for_all(box->keeper);
    } else if (box->worker > 0) {
        rd_sandbox_kill_left(); /* and those that have left it */
    }
    prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
    tell_missing(box);
    munmap(box->told, sizeof *box->told);
    box->told = NULL;
    rd_sandbox_terminal_restore(box->terminal);
    box->terminal = NULL;
    if (box->folder[0])
        remove_folder(box->folder);
    return status;
}

/* ---- waiting for its end ---- */

static volatile sig_atomic_t is_over, seconds_left;
static volatile pid_t child;

/* Each second: so that it can be told that it goes on. */
static void on_alarm(int number)
{
    (void)number;
    if (--seconds_left > 0) {
        alarm(1);
        return;
    }
    is_over = 1;
    if (child > 0)
        kill(child, SIGKILL);
}

int rd_check_await(struct rd_sandbox *box, int limit_s, void (*tell)(void *self, unsigned seconds),
                   void *self, bool *timed_out)
{
    const pid_t process = box->worker;
    struct sigaction action = {.sa_handler = on_alarm}, before;
    sigemptyset(&action.sa_mask);
    is_over = 0;
    child = process;
    sigaction(SIGALRM, &action, &before);
    seconds_left = limit_s;
    alarm(1);
    while (rd_interruption_await(process) < 0 && errno == EINTR)
        if (tell)
            tell(self, (unsigned)(limit_s - seconds_left));
    alarm(0);
    child = 0;
    rd_interruption_unwatch(process);
    int status = rd_sandbox_finish(box);
    sigaction(SIGALRM, &before, NULL);
    *timed_out = is_over;
    return status;
}
