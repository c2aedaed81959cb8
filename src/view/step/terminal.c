// SPDX-License-Identifier: MIT
#include "view/step/terminal.h"

#include <curses.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

/* What ends the screen, put together beforehand: a signal handler may call next to nothing. */
static struct {
    bool on;
    bool has_modes;
    struct termios modes;
    char leave[256];
    size_t length;
    volatile sig_atomic_t *interrupted;
} terminal;

static const int leaving[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum {
    N_LEAVING = sizeof leaving / sizeof *leaving,
    N_CRASHES = sizeof crashes / sizeof *crashes,
};
static struct sigaction old_leaving[N_LEAVING], old_crashes[N_CRASHES];

void rd_terminal_keep(void)
{
    terminal.has_modes = tcgetattr(STDIN_FILENO, &terminal.modes) == 0;
}

static void give_back(void)
{
    if (!terminal.on)
        return;
    terminal.on = false;
    ssize_t written = write(STDOUT_FILENO, terminal.leave, terminal.length);
    (void)written; /* there is nobody to tell */
    if (terminal.has_modes)
        tcsetattr(STDIN_FILENO, TCSANOW, &terminal.modes);
}

static void on_leave(int number)
{
    if (*terminal.interrupted) {
        give_back();
        _exit(128 + number);
    }
    *terminal.interrupted = number;
}

/* Gives the terminal back, and then lets the signal do what it did before. */
static void on_crash(int number)
{
    give_back();
    for (int k = 0; k < N_CRASHES; k++)
        if (crashes[k] == number)
            sigaction(number, &old_crashes[k], NULL);
    raise(number);
}

/* A capability of the terminal that needs no padding, behind the others. */
static void add(const char *name)
{
    char *text = tigetstr(name);
    if (!text || text == (char *)-1 || strstr(text, "$<"))
        return;
    size_t length = strlen(text);
    if (terminal.length + length > sizeof terminal.leave)
        return;
    memcpy(terminal.leave + terminal.length, text, length);
    terminal.length += length;
}

/* A stack of its own, as the crash may be one of the stack. */
static void make_stack(void)
{
    static char memory[1 << 16];
    const stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
    sigaltstack(&stack, NULL);
}

void rd_terminal_guard(volatile sig_atomic_t *interrupted)
{
    static const char *const names[] = {"sgr0", "cnorm", "rmkx", "rmcup"};
    terminal.interrupted = interrupted;
    terminal.length = 0;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        add(names[k]);
    terminal.on = true;
    make_stack();
    struct sigaction leave = {.sa_handler = on_leave, .sa_flags = SA_ONSTACK};
    struct sigaction crash = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};
    sigemptyset(&leave.sa_mask);
    sigemptyset(&crash.sa_mask);
    for (int k = 0; k < N_LEAVING; k++) {
        sigaction(leaving[k], NULL, &old_leaving[k]);
        if (old_leaving[k].sa_handler != SIG_IGN) /* as under nohup */
            sigaction(leaving[k], &leave, NULL);
    }
    for (int k = 0; k < N_CRASHES; k++)
        sigaction(crashes[k], &crash, &old_crashes[k]);
    atexit(give_back);
}

void rd_terminal_unguard(void)
{
    terminal.on = false;
    for (int k = 0; k < N_LEAVING; k++)
        sigaction(leaving[k], &old_leaving[k], NULL);
    for (int k = 0; k < N_CRASHES; k++)
        sigaction(crashes[k], &old_crashes[k], NULL);
}
