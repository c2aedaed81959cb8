// SPDX-License-Identifier: MIT
#include "hostile.h"
#include <sys/mount.h>

/* In the folder of its test alone. */
HOSTILE()
{
    tell("mount", mount("none", given("HOSTILE_FOLDER"), "tmpfs", 0, "size=4096"));
    tell("umount", umount2(given("HOSTILE_FOLDER"), MNT_DETACH));
    return 0;
}

int main(void)
{
    return IN_MAIN ? hostile() : 0;
}
