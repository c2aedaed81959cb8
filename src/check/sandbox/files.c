// SPDX-License-Identifier: MIT
/* Files that a user's code may open: a set of rules of Landlock. */
#include "check/sandbox/sandbox_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As <linux/landlock.h> has them, which older systems lack. */

struct ruleset {
    uint64_t files, network, scoped;
};

struct __attribute__((packed)) rule {
    uint64_t allowed;
    int32_t parent;
};

enum { CREATE = 444, ADD_RULE = 445, RESTRICT_SELF = 446, VERSION = 1, BENEATH = 1 };
enum { TRUNCATION = 3, NETWORK = 4, DEVICES = 5, SCOPES = 6 }; /* versions that have these first */

enum {
    EXECUTE = 1 << 0,
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    READ_DIRECTORY = 1 << 3,
    REFER = 1 << 13,
    TRUNCATE = 1 << 14,
    DEVICE_IOCTL = 1 << 15,
    MAKE_CHARACTER_DEVICE = 1 << 6,
    MAKE_BLOCK_DEVICE = 1 << 11,
    READING = EXECUTE | READ_FILE | READ_DIRECTORY,
    OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | DEVICE_IOCTL,
};

/* The rights on files that a version knows. */
static uint64_t rights_of(unsigned version)
{
    return version >= DEVICES      ? (1 << 16) - 1
           : version >= TRUNCATION ? (1 << 15) - 1
           : version >= 2          ? (1 << 14) - 1
                                   : (1 << 13) - 1;
}

/* Leaves out what is not there, or what no rule can name: it can't be opened then. */
static void allow_open(int rules, int file, uint64_t rights)
{
    struct stat facts;
    if (fstat(file, &facts) != 0)
        return;
    const struct rule rule = {.allowed = S_ISDIR(facts.st_mode) ? rights : rights & OF_FILES,
                              .parent = file};
    syscall(ADD_RULE, rules, BENEATH, &rule, 0);
}

static void allow(int rules, int folder, const char *path, uint64_t rights)
{
    const int file = openat(folder, path, O_PATH | O_CLOEXEC);
    if (file < 0)
        return;
    allow_open(rules, file, rights);
    close(file);
}

/* All below the root but devices: a terminal could be read, or a disk. Rules add up, so that each folder has its own. What is
 * in shared memory are files as all others: ours, where TMPDIR is there. */
static void allow_reading(int rules)
{
    static const char *const devices[] = {"/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
    DIR *root = opendir("/");
    const struct dirent *entry;
    while (root && (entry = readdir(root)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            strcmp(entry->d_name, "dev") != 0)
            allow(rules, dirfd(root), entry->d_name, READING);
    if (root)
        closedir(root);
    for (size_t k = 0; k < sizeof devices / sizeof *devices; k++)
        allow(rules, AT_FDCWD, devices[k], READ_FILE);
    allow(rules, AT_FDCWD, "/dev/shm", READING);
}

void rd_sandbox_restrict_files(const struct rd_sandbox *box, struct rd_sandbox_told *told)
{
    long version = syscall(CREATE, NULL, 0, VERSION);
    told->landlock = version > 0 ? (unsigned)version : 0;
    if (version <= 0) {
        told->errors[RD_SANDBOX_FILES] = told->is_read_only ? 0 : errno;
        return;
    }
    const uint64_t rights = rights_of(told->landlock);
    const struct ruleset set = {
        .files = rights,
        .network = version >= NETWORK ? 3 : 0, /* neither to bind nor to connect */
        .scoped = version >= SCOPES ? 3 : 0,   /* neither abstract sockets nor signals */
    };
    size_t size = version >= SCOPES ? sizeof set : version >= NETWORK ? 16 : 8;
    int rules = (int)syscall(CREATE, &set, size, 0);
    if (rules < 0) {
        told->errors[RD_SANDBOX_FILES] = errno;
        return;
    }
    const uint64_t writing = rights & ~(uint64_t)(MAKE_CHARACTER_DEVICE | MAKE_BLOCK_DEVICE);
    allow_reading(rules);
    allow(rules, AT_FDCWD, "/dev/null", (READ_FILE | WRITE_FILE | TRUNCATE) & rights);
    if (box->folder[0])
        allow(rules, AT_FDCWD, box->folder, writing);
    for (unsigned k = 0; k < box->options->n_write; k++)
        allow(rules, AT_FDCWD, box->options->write[k], writing);
    for (int file = 0; file <= STDERR_FILENO; file++) /* by /dev/stdout */
        allow_open(rules, file, (READ_FILE | WRITE_FILE) & rights);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || syscall(RESTRICT_SELF, rules, 0) != 0)
        told->errors[RD_SANDBOX_FILES] = errno;
    else if (version < TRUNCATION && !told->is_read_only)
        told->errors[RD_SANDBOX_TRUNCATION] = ENOSYS;
    close(rules);
}
