// SPDX-License-Identifier: MIT
/* Namespaces: of processes, so that none outside can be named and none is left behind, and of mounts, for a private folder of
 * limited size.
 *
 * This process can't enter them itself. It forks one that does, and that one forks two: the keeper, the first process of the
 * namespace, with which all others end; and the worker. It ends then, and both become children of this
 * process, which is the reaper of what descends from it for so long. */
#include "check/sandbox/interruption.h"
#include "check/sandbox/sandbox_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FOLDER_BYTES_MAX = 1 << 30, FOLDER_FILES_MAX = 1 << 16 };

static bool write_text(const char *path, const char *text)
{
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    bool good = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
    if (file >= 0)
        close(file);
    return good;
}

/* The user is who he was. */
static bool map_ids(uid_t user, gid_t group)
{
    char text[64];
    write_text("/proc/self/setgroups", "deny"); /* kernels before 3.19 lack it */
    snprintf(text, sizeof text, "%u %u 1\n", user, user);
    if (!write_text("/proc/self/uid_map", text))
        return false;
    snprintf(text, sizeof text, "%u %u 1\n", group, group);
    return write_text("/proc/self/gid_map", text);
}

/* The private folder as a file system of its own, in memory. */
static void mount_folder(struct rd_sandbox *box)
{
    char options[96];
    const size_t part = box->options->memory_bytes / 4;
    snprintf(options, sizeof options, "size=%zu,nr_inodes=%d,mode=0700",
             part && part < FOLDER_BYTES_MAX ? part : FOLDER_BYTES_MAX, FOLDER_FILES_MAX);
    box->told->has_own_disk =
        mount("none", "/", "none", MS_REC | MS_PRIVATE, "") == 0 &&
        mount("reductio", box->folder, "tmpfs", MS_NOSUID | MS_NODEV, options) == 0;
}

/* As <linux/mount.h> has it, which older systems lack. */
struct attributes {
    uint64_t set, clear, propagation, namespace;
};

enum { MOUNT_SETATTR = 442, READ_ONLY = 1, RECURSIVE = 0x8000 };

/* Makes all file systems read-only but those for writing: where there is no Landlock. */
static bool make_read_only(const struct rd_sandbox *box)
{
    const struct attributes lock = {.set = READ_ONLY}, unlock = {.clear = READ_ONLY};
    const struct rd_sandbox_options *options = box->options;
    for (unsigned k = 0; k < options->n_write; k++)
        if (mount(options->write[k], options->write[k], "none", MS_BIND | MS_REC, "") != 0)
            return false;
    if (syscall(MOUNT_SETATTR, AT_FDCWD, "/", RECURSIVE, &lock, sizeof lock) != 0)
        return false;
    bool good = !box->told->has_own_disk ||
                syscall(MOUNT_SETATTR, AT_FDCWD, box->folder, 0, &unlock, sizeof unlock) == 0;
    for (unsigned k = 0; k < options->n_write && good; k++)
        good = syscall(MOUNT_SETATTR, AT_FDCWD, options->write[k], 0, &unlock, sizeof unlock) == 0;
    return good;
}

/* The first process of the namespace: takes those whose parents have ended, and ends with its life line. */
static _Noreturn void keep(int life)
{
    char nothing;
    setsid();
    signal(SIGCHLD, SIG_IGN);
    dup2(life, STDIN_FILENO);
    rd_sandbox_close_from(STDIN_FILENO + 1);
    while (read(STDIN_FILENO, &nothing, 1) < 0 && errno == EINTR) {
    }
    _exit(0);
}

/* Enters the namespaces, and forks. Returns in the worker alone. */
static void apart(struct rd_sandbox *box, const int life[2])
{
    const uid_t user = geteuid();
    const gid_t group = getegid();
    struct rd_sandbox_told *told = box->told;
    close(life[1]);
    if (unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC) != 0 ||
        !map_ids(user, group)) {
        told->errors[RD_SANDBOX_PROCESSES_LEFT] = errno ? errno : EPERM;
        _exit(1);
    }
    mount_folder(box);
    if (syscall(444, NULL, 0, 1) < 0) /* no Landlock */
        told->is_read_only = make_read_only(box);
    const pid_t keeper = fork(); /* `told` is shared: both processes would write there */
    if (keeper == 0)
        keep(life[0]);
    told->keeper = keeper;
    if (keeper < 0) {
        told->errors[RD_SANDBOX_PROCESSES_LEFT] = errno;
        _exit(1);
    }
    const pid_t worker = fork();
    if (worker == 0) {
        close(life[0]);
        return;
    }
    told->worker = worker;
    if (worker < 0)
        kill(keeper, SIGKILL);
    _exit(worker < 0 ? 1 : 0);
}

pid_t rd_sandbox_fork_apart(struct rd_sandbox *box)
{
    int life[2], status = 0;
    if (pipe2(life, O_CLOEXEC) != 0)
        return -1;
    const bool reaps = prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0;
    const pid_t entering = reaps ? fork() : -1;
    if (entering == 0) {
        rd_interruption_release();
        apart(box, life);
        return 0;
    }
    close(life[0]);
    while (entering > 0 && waitpid(entering, &status, 0) < 0 && errno == EINTR) {
    }
    (void)status; /* a tool that looks on may have one of its own: what it has made counts */
    if (entering < 0 || box->told->worker <= 0) {
        close(life[1]);
        if (box->told->keeper > 0) {
            kill(box->told->keeper, SIGKILL);
            rd_sandbox_wait_for_all(box->told->keeper);
        }
        return -1;
    }
    box->life = life[1];
    box->keeper = box->told->keeper;
    return box->told->worker;
}
