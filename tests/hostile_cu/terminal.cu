// SPDX-License-Identifier: MIT
#include "hostile.h"
#include <sys/ioctl.h>
#include <termios.h>

/* Types for the user, and leaves the terminal without an echo, and standard error without waiting. */
HOSTILE()
{
    struct termios modes;
    tell("type", ioctl(STDERR_FILENO, TIOCSTI, "!"));
    if (tcgetattr(STDERR_FILENO, &modes) == 0) {
        modes.c_lflag &= ~(tcflag_t)(ECHO | ICANON);
        tell("modes", tcsetattr(STDERR_FILENO, TCSANOW, &modes));
    }
    tell("flags", fcntl(STDERR_FILENO, F_SETFL, fcntl(STDERR_FILENO, F_GETFL) | O_NONBLOCK));
    return 0;
}

int main(void)
{
    return IN_MAIN ? hostile() : 0;
}
