// SPDX-License-Identifier: MIT
/* System calls that a user's code may make: a seccomp filter.
 *
 * A list of calls that are allowed, not of those that are not: a kernel gets new calls each year, as io_uring, that
 * reach around the others. What the list does not name fails with ENOSYS, as in an older kernel: libraries have
 * another way then. What a library may try harmlessly fails with EPERM; what only an attack calls, or a call by the
 * numbers of another architecture, ends the process. */
#include "check/sandbox/sandbox_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#define FIRST_OF_X32 0x40000000
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

/* Numbers of calls that the headers of an older system lack; they are the same on all architectures. */
#ifndef __NR_close_range
#define __NR_close_range 436
#endif
#ifndef __NR_faccessat2
#define __NR_faccessat2 439
#endif
#ifndef __NR_futex_waitv
#define __NR_futex_waitv 449
#endif
enum { FCHMODAT2 = 452, SETXATTRAT = 463, MOUNT_SETATTR = 442, PROCESS_MADVISE = 440 };

static const int allowed[] = {
    __NR_read,
    __NR_write,
    __NR_readv,
    __NR_writev,
    __NR_pread64,
    __NR_pwrite64,
    __NR_preadv,
    __NR_pwritev,
    __NR_preadv2,
    __NR_pwritev2,
    __NR_lseek,
    __NR_close,
    __NR_close_range,
    __NR_dup,
    __NR_dup3,
    __NR_pipe2,
    __NR_sendfile,
    __NR_splice,
    __NR_tee,
    __NR_copy_file_range,
    /* files: Landlock says where */
    __NR_openat,
    __NR_openat2,
    __NR_fstat,
    __NR_newfstatat,
    __NR_statx,
    __NR_statfs,
    __NR_fstatfs,
    __NR_faccessat,
    __NR_faccessat2,
    __NR_readlinkat,
    __NR_getdents64,
    __NR_getcwd,
    __NR_chdir,
    __NR_fchdir,
    __NR_mkdirat,
    __NR_unlinkat,
    __NR_linkat,
    __NR_symlinkat,
    __NR_renameat2,
    __NR_truncate,
    __NR_ftruncate,
    __NR_fallocate,
    __NR_fadvise64,
    __NR_fsync,
    __NR_fdatasync,
    __NR_sync_file_range,
    __NR_flock,
    __NR_umask,
    __NR_getxattr,
    __NR_lgetxattr,
    __NR_fgetxattr,
    __NR_listxattr,
    __NR_llistxattr,
    __NR_flistxattr,
    __NR_memfd_create,
    /* memory */
    __NR_mmap,
    __NR_munmap,
    __NR_mremap,
    __NR_mprotect,
    __NR_msync,
    __NR_mincore,
    __NR_madvise,
    __NR_brk,
    __NR_mlock,
    __NR_mlock2,
    __NR_munlock,
    __NR_membarrier,
    __NR_get_mempolicy,
    __NR_set_mempolicy,
    __NR_mbind,
    __NR_pkey_alloc,
    __NR_pkey_free,
    __NR_pkey_mprotect,
    /* processes and threads: their number is watched */
    __NR_execve,
    __NR_execveat,
    __NR_exit,
    __NR_exit_group,
    __NR_wait4,
    __NR_waitid,
    __NR_gettid,
    __NR_getpid,
    __NR_getppid,
    __NR_getpgid,
    __NR_getsid,
    __NR_setsid,
    __NR_setpgid,
    __NR_getuid,
    __NR_geteuid,
    __NR_getgid,
    __NR_getegid,
    __NR_getgroups,
    __NR_getresuid,
    __NR_getresgid,
    __NR_capget,
    __NR_set_tid_address,
    __NR_set_robust_list,
    __NR_get_robust_list,
    __NR_rseq,
    __NR_futex,
    __NR_futex_waitv,
    __NR_sched_yield,
    __NR_sched_getaffinity,
    __NR_sched_getparam,
    __NR_sched_getscheduler,
    __NR_sched_get_priority_max,
    __NR_sched_get_priority_min,
    __NR_getpriority,
    __NR_getrlimit,
    __NR_getrusage,
    __NR_setrlimit,
    __NR_getcpu,
    __NR_uname,
    __NR_sysinfo,
    __NR_times,
    __NR_getrandom,
    /* signals to itself, and what waits for them */
    __NR_rt_sigaction,
    __NR_rt_sigprocmask,
    __NR_rt_sigreturn,
    __NR_rt_sigpending,
    __NR_rt_sigtimedwait,
    __NR_rt_sigsuspend,
    __NR_sigaltstack,
    __NR_restart_syscall,
    __NR_signalfd4,
    __NR_eventfd2,
    __NR_ppoll,
    __NR_pselect6,
    __NR_epoll_create1,
    __NR_epoll_ctl,
    __NR_epoll_pwait,
    /* time */
    __NR_nanosleep,
    __NR_clock_gettime,
    __NR_clock_getres,
    __NR_clock_nanosleep,
    __NR_gettimeofday,
    __NR_getitimer,
    __NR_setitimer,
    __NR_timer_create,
    __NR_timer_settime,
    __NR_timer_gettime,
    __NR_timer_getoverrun,
    __NR_timer_delete,
    __NR_timerfd_create,
    __NR_timerfd_settime,
    __NR_timerfd_gettime,
    /* sockets in pairs, of its own */
    __NR_sendto,
    __NR_recvfrom,
    __NR_sendmsg,
    __NR_recvmsg,
    __NR_shutdown,
    __NR_getsockname,
    __NR_getpeername,
    __NR_getsockopt,
    __NR_setsockopt,
#ifdef __x86_64__
    __NR_open,
    __NR_creat,
    __NR_stat,
    __NR_lstat,
    __NR_access,
    __NR_readlink,
    __NR_getdents,
    __NR_mkdir,
    __NR_rmdir,
    __NR_unlink,
    __NR_link,
    __NR_symlink,
    __NR_rename,
    __NR_renameat,
    __NR_dup2,
    __NR_pipe,
    __NR_poll,
    __NR_select,
    __NR_epoll_create,
    __NR_epoll_wait,
    __NR_eventfd,
    __NR_signalfd,
    __NR_pause,
    __NR_alarm,
    __NR_time,
    __NR_fork,
    __NR_vfork,
    __NR_getpgrp,
    __NR_arch_prctl,
#endif
};

/* A library may try these. Owners, modes and times of files are beyond Landlock. */
static const int refused[] = {
    __NR_fchmod,
    __NR_fchmodat,
    FCHMODAT2,
    __NR_fchown,
    __NR_fchownat,
    __NR_utimensat,
    __NR_setxattr,
    __NR_lsetxattr,
    __NR_fsetxattr,
    __NR_removexattr,
    __NR_lremovexattr,
    __NR_fremovexattr,
    SETXATTRAT,
    __NR_mknodat,
    __NR_socket,
    __NR_connect,
    __NR_bind,
    __NR_listen,
    __NR_accept,
    __NR_accept4,
    __NR_unshare,
    __NR_setns,
    __NR_setuid,
    __NR_setgid,
    __NR_setreuid,
    __NR_setregid,
    __NR_setresuid,
    __NR_setresgid,
    __NR_setgroups,
    __NR_setfsuid,
    __NR_setfsgid,
    __NR_capset,
    __NR_chroot,
    __NR_seccomp,
    __NR_sched_setscheduler,
    __NR_sched_setparam,
    __NR_sched_setattr,
    __NR_ioprio_set,
    __NR_keyctl,
    __NR_add_key,
    __NR_request_key,
    __NR_perf_event_open,
    __NR_userfaultfd,
    __NR_process_vm_readv,
    PROCESS_MADVISE,
    __NR_sync,
    __NR_syncfs,
#ifdef __x86_64__
    __NR_chmod,
    __NR_chown,
    __NR_lchown,
    __NR_utime,
    __NR_utimes,
    __NR_futimesat,
    __NR_mknod,
#endif
};

static const int deadly[] = {
    __NR_process_vm_writev,
    __NR_mount,
    __NR_umount2,
    __NR_pivot_root,
    MOUNT_SETATTR,
    __NR_swapon,
    __NR_swapoff,
    __NR_reboot,
    __NR_init_module,
    __NR_finit_module,
    __NR_delete_module,
    __NR_kexec_load,
    __NR_bpf,
    __NR_open_by_handle_at,
    __NR_settimeofday,
    __NR_clock_settime,
    __NR_adjtimex,
    __NR_clock_adjtime,
    __NR_acct,
    __NR_quotactl,
    __NR_sethostname,
    __NR_setdomainname,
#ifdef __x86_64__
    __NR_kexec_file_load,
    __NR_iopl,
    __NR_ioperm,
#endif
};

/* Questions about, and modes of, what is open. Not TIOCSTI, which types for the user, nor what takes over a terminal. */
static const unsigned long ioctls[] = {TCGETS,    TCSETS,   TCSETSW, TCSETSF, TIOCGWINSZ,
                                       TIOCGPGRP, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX};
/* Not F_SETOWN, F_SETSIG and F_NOTIFY, which have the kernel send signals, nor leases. */
static const int fcntls[] = {F_DUPFD,     F_DUPFD_CLOEXEC, F_GETFD,      F_SETFD,     F_GETFL,
                             F_SETFL,     F_GETLK,         F_SETLK,      F_SETLKW,    F_OFD_GETLK,
                             F_OFD_SETLK, F_OFD_SETLKW,    F_GETPIPE_SZ, F_ADD_SEALS, F_GET_SEALS};
#define NAMESPACES                                                                                 \
    (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |  \
     CLONE_NEWNET)

/* ---- the program ---- */

enum { INSTRUCTIONS_MAX = 1024 };

struct filter {
    struct sock_filter code[INSTRUCTIONS_MAX];
    unsigned short n;
};

#define ALLOW          SECCOMP_RET_ALLOW
#define REFUSE(number) (SECCOMP_RET_ERRNO | (number))
#define KILL           SECCOMP_RET_KILL_PROCESS
#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

static void emit(struct filter *filter, struct sock_filter instruction)
{
    if (filter->n < INSTRUCTIONS_MAX)
        filter->code[filter->n] = instruction;
    filter->n++;
}

static void load(struct filter *filter, size_t offset)
{
    emit(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

static void end(struct filter *filter, uint32_t action)
{
    emit(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

static void if_equal(struct filter *filter, uint32_t value, uint32_t action)
{
    emit(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
    end(filter, action);
}

static void each(struct filter *filter, const int *calls, size_t n, uint32_t action)
{
    for (size_t k = 0; k < n; k++)
        if_equal(filter, (uint32_t)calls[k], action);
}

/* The lower half of an argument: what the kernel takes of an int. */
static size_t low(unsigned argument)
{
    size_t offset = offsetof(struct seccomp_data, args) + argument * sizeof(uint64_t);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    offset += sizeof(uint32_t);
#endif
    return offset;
}

/* Begins what is said of one call: the number of it is loaded, and so it is behind what is said. */
static unsigned short begin(struct filter *filter, int call)
{
    emit(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 0));
    return filter->n;
}

static void begin_argument(struct filter *filter, unsigned argument)
{
    load(filter, low(argument));
}

static void finish(struct filter *filter, unsigned short at, uint32_t action)
{
    end(filter, action);
    if (at <= INSTRUCTIONS_MAX)
        filter->code[at - 1].jf = (uint8_t)(filter->n - at);
}

/* Allows a call with one of these values, in an argument of 32 bits. */
static void allow_values(struct filter *filter, int call, unsigned argument, const uint32_t *values,
                         size_t n, uint32_t otherwise)
{
    unsigned short at = begin(filter, call);
    begin_argument(filter, argument);
    for (size_t k = 0; k < n; k++)
        if_equal(filter, values[k], ALLOW);
    finish(filter, at, otherwise);
}

static void refuse_bits(struct filter *filter, int call, unsigned argument, uint32_t bits)
{
    unsigned short at = begin(filter, call);
    begin_argument(filter, argument);
    emit(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1));
    end(filter, REFUSE(EPERM));
    finish(filter, at, ALLOW);
}

/* A new limit of another process. */
static void add_limits(struct filter *filter)
{
    unsigned short at = begin(filter, __NR_prlimit64);
    begin_argument(filter, 0);
    if_equal(filter, 0, ALLOW);
    finish(filter, at, REFUSE(EPERM));
}

/* Signals. In a namespace of processes, and under Landlock's, those outside are out of reach. */
static void add_signals(struct filter *filter, bool may)
{
    static const int calls[] = {__NR_kill, __NR_rt_sigqueueinfo, __NR_tgkill, __NR_tkill,
                                __NR_rt_tgsigqueueinfo};
    const uint32_t own[] = {(uint32_t)getpid()};
    for (size_t k = 0; k < COUNT_OF(calls); k++) {
        if (may)
            if_equal(filter, (uint32_t)calls[k], ALLOW);
        else
            allow_values(filter, calls[k], 0, own, 1, REFUSE(EPERM));
    }
}

static void add_arguments(struct filter *filter)
{
    uint32_t values[32];
    for (size_t k = 0; k < COUNT_OF(ioctls); k++)
        values[k] = (uint32_t)ioctls[k];
    allow_values(filter, __NR_ioctl, 1, values, COUNT_OF(ioctls), REFUSE(ENOTTY));
    for (size_t k = 0; k < COUNT_OF(fcntls); k++)
        values[k] = (uint32_t)fcntls[k];
    allow_values(filter, __NR_fcntl, 1, values, COUNT_OF(fcntls), REFUSE(EINVAL));
    /* A sibling would be a child of the process that waits for this one. */
    refuse_bits(filter, __NR_clone, 0, NAMESPACES | CLONE_PARENT);
    allow_values(filter, __NR_socketpair, 0, (const uint32_t[]){AF_UNIX}, 1, REFUSE(EPERM));
    allow_values(filter, __NR_personality, 0, (const uint32_t[]){UINT32_MAX}, 1, REFUSE(EPERM));
    allow_values(filter, __NR_setpriority, 0, (const uint32_t[]){PRIO_PROCESS}, 1, REFUSE(EPERM));
    unsigned short at = begin(filter, __NR_ptrace);
    begin_argument(filter, 0);
    if_equal(filter, PTRACE_TRACEME, REFUSE(EPERM)); /* some look for a debugger so */
    finish(filter, at, KILL);
    at = begin(filter, __NR_prctl);
    begin_argument(filter, 0);
    if_equal(filter, PR_SET_SECCOMP, REFUSE(EPERM));
    if_equal(filter, PR_SET_PTRACER, REFUSE(EPERM));
    if_equal(filter, PR_SET_MM, REFUSE(EPERM));
    finish(filter, at, ALLOW);
    add_limits(filter);
}

int rd_sandbox_restrict_calls(bool names_others, bool signals_inside)
{
    static struct filter filter;
    filter.n = 0;
    load(&filter, offsetof(struct seccomp_data, arch));
    emit(&filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
    end(&filter, KILL);
    load(&filter, offsetof(struct seccomp_data, nr));
#ifdef FIRST_OF_X32
    emit(&filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FIRST_OF_X32, 0, 1));
    end(&filter, KILL);
#endif
    each(&filter, allowed, COUNT_OF(allowed), ALLOW);
    each(&filter, refused, COUNT_OF(refused), REFUSE(EPERM));
    each(&filter, deadly, COUNT_OF(deadly), KILL);
    add_signals(&filter, !names_others || signals_inside);
    if (!names_others)
        if_equal(&filter, __NR_sched_setaffinity, ALLOW);
    else
        allow_values(&filter, __NR_sched_setaffinity, 0, (const uint32_t[]){0}, 1, REFUSE(EPERM));
    add_arguments(&filter);
    end(&filter, REFUSE(ENOSYS));
    if (filter.n > INSTRUCTIONS_MAX)
        return E2BIG;
    const struct sock_fprog program = {.len = filter.n, .filter = filter.code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return errno;
    /* Without that flag, older kernels slow the whole process down. */
    if (syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) ==
            0 ||
        syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0)
        return 0;
    return errno;
}

#else

int rd_sandbox_restrict_calls(bool names_others, bool signals_inside)
{
    (void)names_others, (void)signals_inside;
    return ENOTSUP;
}

#endif
