// SPDX-License-Identifier: MIT
#include "hostile.h"
#include <sys/xattr.h>

/* All that can be done to a file that its test has made, and its folder. */
HOSTILE()
{
    const char *file = given("HOSTILE_FILE");
    char other[1024];
    snprintf(other, sizeof other, "%s.other", file);
    tell("read", open(file, O_RDONLY));
    tell("write", open(file, O_WRONLY));
    tell("append", open(file, O_RDWR | O_APPEND));
    tell("open and truncate", open(file, O_RDONLY | O_TRUNC));
    tell("truncate", truncate(file, 0));
    tell("create", open(other, O_CREAT | O_WRONLY, 0600));
    tell("mkdir", mkdir(other, 0700));
    tell("link", link(file, other));
    tell("symlink", symlink(file, other));
    tell("mkfifo", mkfifo(other, 0600));
    tell("chmod", chmod(file, 0));
    tell("times", utimensat(AT_FDCWD, file, nullptr, 0));
    tell("attribute", setxattr(file, "user.hostile", "1", 1, 0));
    tell("rename", rename(file, other));
    tell("delete", unlink(file));
    return 0;
}

int main(void)
{
    return IN_MAIN ? hostile() : 0;
}
