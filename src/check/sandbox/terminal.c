// SPDX-License-Identifier: MIT
/* The terminal, which a user's program shares with what is said of it. */
#include "check/sandbox/sandbox_internal.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

enum { FILES = STDERR_FILENO + 1 };

struct terminal {
    int flags[FILES]; /* O_NONBLOCK is of the open file, which the shell has, too; -1: not open */
    bool is_terminal[FILES];
    struct termios modes[FILES];
};

void *rd_sandbox_terminal_keep(void)
{
    struct terminal *kept = calloc(1, sizeof *kept);
    for (int file = 0; kept && file < FILES; file++) {
        kept->flags[file] = fcntl(file, F_GETFL);
        kept->is_terminal[file] = tcgetattr(file, &kept->modes[file]) == 0;
    }
    return kept;
}

static bool is_same(const struct termios *x, const struct termios *y)
{
    for (int k = 0; k < NCCS; k++)
        if (x->c_cc[k] != y->c_cc[k])
            return false;
    return x->c_iflag == y->c_iflag && x->c_oflag == y->c_oflag && x->c_cflag == y->c_cflag &&
           x->c_lflag == y->c_lflag;
}

void rd_sandbox_terminal_restore(void *terminal)
{
    struct terminal *kept = terminal;
    struct termios now;
    sigset_t stop, before; /* of a process in the background that sets modes */
    sigemptyset(&stop);
    sigaddset(&stop, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &stop, &before);
    for (int file = 0; kept && file < FILES; file++) {
        if (kept->flags[file] >= 0 && fcntl(file, F_GETFL) != kept->flags[file])
            fcntl(file, F_SETFL, kept->flags[file]);
        if (kept->is_terminal[file] && tcgetattr(file, &now) == 0 &&
            !is_same(&now, &kept->modes[file]))
            tcsetattr(file, TCSANOW, &kept->modes[file]);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    free(kept);
}

/* Ends a sequence that was begun; leaves the other screen, where its own position was kept; colours, character sets,
 * origin, insertion, wrapping, cursor, reverse and margins as they usually are, with the cursor where it is. */
#define CALM                                                                                       \
    "\030\033\\\0337\033[?1049l\033[0m\033(B\017\033[?6l\033[4l\033[?7h\033[?25h\033[?5l"          \
    "\033[?69l\0337\033[r\0338"

/* Tells whether a file that is written to is known to end with the end of a line, or to be empty. */
static bool ends_line(int fd)
{
    char path[32], last = '\0';
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const off_t end = lseek(fd, 0, SEEK_END);
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool ends = end == 0 || (file >= 0 && pread(file, &last, 1, end - 1) == 1 && last == '\n');
    if (file >= 0)
        close(file);
    return ends;
}

void rd_sandbox_begin_verdict(FILE *file, bool unended)
{
    struct stat facts;
    struct winsize size = {.ws_col = 0};
    fflush(file);
    const int fd = fileno(file);
    if (isatty(fd)) {
        /* So many spaces end in the next line, unless they began one: there is no empty line between. */
        ioctl(fd, TIOCGWINSZ, &size);
        fprintf(file, CALM "%*s\r\033[J", size.ws_col ? size.ws_col : 80, "");
    } else {
        bool is_file = fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode);
        if (is_file)
            lseek(fd, 0, SEEK_END);
        if (unended && !(is_file && ends_line(fd)))
            fputc('\n', file);
    }
    fflush(file);
}
