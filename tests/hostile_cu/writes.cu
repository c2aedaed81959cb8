// SPDX-License-Identifier: MIT
#include "hostile.h"

static void try_to_write(const char *what, const char *path)
{
    int file = open(path, O_CREAT | O_WRONLY, 0600);
    tell(what, file < 0 ? -1 : write(file, "hostile\n", 8));
}

/* Where a program may write, and where not. */
HOSTILE()
{
    char path[1024];
    snprintf(path, sizeof path, "%s/own", given("TMPDIR"));
    try_to_write("own", path);
    try_to_write("here", "hostile.txt");
    try_to_write("null", "/dev/null");
    try_to_write("shm", "/dev/shm/reductio-hostile.txt");
    unlink("/dev/shm/reductio-hostile.txt");
    snprintf(path, sizeof path, "%s/written", given("HOSTILE_FOLDER"));
    try_to_write("named", path);
    tell("terminal", open("/dev/tty", O_RDWR));
    return 0;
}

int main(void)
{
    return IN_MAIN ? hostile() : 0;
}
