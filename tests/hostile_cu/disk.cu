// SPDX-License-Identifier: MIT
#include "hostile.h"

/* At most 40 MiB in files, and a file of one byte that seems larger than 4 GiB; raises the limits first. */
HOSTILE()
{
    static char megabyte[1 << 20];
    char path[1024];
    const struct rlimit {
        unsigned long now, most;
    } none = {~0ul, ~0ul};
    signal(SIGXFSZ, SIG_IGN);
    tell("raise", syscall(SYS_setrlimit, 1 /* RLIMIT_FSIZE */, &none));
    snprintf(path, sizeof path, "%s/large", given("TMPDIR"));
    int file = open(path, O_CREAT | O_WRONLY, 0600);
    tell("large", pwrite(file, "", 1, (off_t)4 << 30));
    int n = 0;
    for (; n < 40; n++) {
        snprintf(path, sizeof path, "%s/%d", given("TMPDIR"), n);
        file = open(path, O_CREAT | O_WRONLY, 0600);
        if (write(file, megabyte, sizeof megabyte) != (ssize_t)sizeof megabyte)
            break;
        close(file);
    }
    fprintf(stderr, "wrote %d\n", n);
    return 0;
}

int main(void)
{
    return IN_MAIN ? hostile() : 0;
}
