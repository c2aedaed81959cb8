// SPDX-License-Identifier: MIT
#include "view/step/stepper.h"
#include "view/step/draw.h"

#include <curses.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

/* The terminal's own state, kept and given back whatever happens. Private to src/view/step. */

/* ---- the terminal's state ---- */

/* The sequence that ends the screen, put together beforehand: a signal handler may call next to nothing. */
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

/* Before ncurses starts: keeps the state. */
static void terminal_keep(void)
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

/* Once it has started: from here on signals that ask to leave set *interrupted, a second one ends
 * the process, and so does a crash; both give the terminal back first. Signals that were ignored stay so. */
static void terminal_guard(volatile sig_atomic_t *interrupted)
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

/* Once ncurses has ended: signals are as before. */
static void terminal_unguard(void)
{
    terminal.on = false;
    for (int k = 0; k < N_LEAVING; k++)
        sigaction(leaving[k], &old_leaving[k], NULL);
    for (int k = 0; k < N_CRASHES; k++)
        sigaction(crashes[k], &old_crashes[k], NULL);
}

/* ---- the screen ---- */

enum {
    WAIT_MS = 500, /* a signal that came just before the wait is noticed after so long */
    LINE_SIZE = 480,
};

/* A line that is typed for a command. */
struct prompt {
    const struct rd_step_command *command; /* NULL: none is */
    char line[LINE_SIZE];
    size_t cursor;
    char mistake[sizeof(struct rd_error)]; /* what is wrong with it; or "" */
    size_t column;                         /* and where */
};

struct session {
    const struct rd_step_screen *screen;
    struct rd_stepper *stepper;
    struct rd_canvas canvas;
    struct rd_step_keys keys;
    struct prompt prompt;
};

/* ---- to the screen ---- */

static void start_colors(void)
{
    static const short colors[] = {
        [RD_INK_GOOD] = COLOR_GREEN, [RD_INK_BAD] = COLOR_RED, [RD_INK_DOUBT] = COLOR_YELLOW};
    start_color();
    use_default_colors();
    for (short ink = RD_INK_GOOD; ink <= RD_INK_DOUBT; ink++)
        init_pair(ink, colors[ink], -1);
}

static attr_t attributes(const struct rd_canvas_cell *cell)
{
    attr_t bits = cell->reverse ? A_REVERSE : A_NORMAL;
    if (cell->ink == RD_INK_BOLD || cell->ink == RD_INK_BAD)
        bits |= A_BOLD;
    if (cell->ink == RD_INK_DIM && !cell->reverse)
        bits |= A_DIM;
    return bits;
}

static void copy(const struct session *session)
{
    const struct rd_canvas *canvas = &session->canvas;
    for (unsigned y = 0; y < canvas->height; y++)
        for (unsigned x = 0; x < canvas->width; x++) {
            const struct rd_canvas_cell *cell = &canvas->cells[(size_t)y * canvas->width + x];
            wchar_t text[2] = {(wchar_t)cell->character, L'\0'};
            bool colored = session->screen->color && cell->ink >= RD_INK_GOOD;
            cchar_t character;
            setcchar(&character, text, attributes(cell), colored ? (short)cell->ink : 0, NULL);
            mvadd_wch((int)y, (int)x, &character);
        }
}

/* Makes the canvas as large as the screen. */
static enum rd_status fit(struct session *session, struct rd_error *error)
{
    int height, width;
    getmaxyx(stdscr, height, width);
    rd_canvas_finish(&session->canvas);
    enum rd_status status = rd_canvas_init(&session->canvas, (unsigned)width, (unsigned)height,
                                           session->screen->ascii, error);
    erase();
    return status;
}

static void show(struct session *session)
{
    char label[80];
    const struct prompt *typed = &session->prompt;
    if (typed->command)
        snprintf(label, sizeof label, " %s: ", typed->command->prompt);
    const struct rd_step_prompt prompt = {
        .label = label,
        .line = typed->line,
        .cursor = typed->cursor,
        .mistake = typed->mistake[0] ? typed->mistake : NULL,
        .column = typed->column,
    };
    rd_step_draw(session->stepper, &session->canvas, typed->command ? &prompt : NULL);
    copy(session);
    refresh();
}

/* In the place of the status line, until all is drawn anew. */
static void show_busy(void)
{
    attr_set(A_BOLD, 0, NULL);
    mvaddstr(LINES - 1, 0, " running ...");
    clrtoeol();
    attr_set(A_NORMAL, 0, NULL);
    refresh();
}

/* ---- from the keyboard ---- */

static const struct {
    int code;
    const char *name;
} key_names[] = {
    {KEY_RIGHT, "Right"}, {KEY_LEFT, "Left"},   {KEY_SRIGHT, "S-Right"}, {KEY_SLEFT, "S-Left"},
    {KEY_UP, "Up"},       {KEY_DOWN, "Down"},   {KEY_HOME, "Home"},      {KEY_END, "End"},
    {KEY_NPAGE, "PgDn"},  {KEY_PPAGE, "PgUp"},  {KEY_BTAB, "S-Tab"},     {'\t', "Tab"},
    {'\r', "Enter"},      {KEY_ENTER, "Enter"}, {'\n', "Enter"},         {' ', "Space"},
    {27, "Esc"},
};

/* Writes a key's name; false where it is none that anything asks for. */
static bool name_of(wint_t code, bool function, char name[16])
{
    for (size_t k = 0; k < sizeof key_names / sizeof *key_names; k++)
        if ((wint_t)key_names[k].code == code && (function || code < 0x80)) {
            snprintf(name, 16, "%s", key_names[k].name);
            return true;
        }
    if (function || code < ' ')
        return false;
    rd_canvas_encode(code, name);
    return true;
}

/* Does the command with what was typed. What can't be read stays, to be set right. */
static void enter(struct session *session)
{
    struct prompt *prompt = &session->prompt;
    const struct rd_step_command *command = prompt->command;
    const bool may_be_empty = command->argument && command->argument[0] == '[';
    char line[LINE_SIZE + 32];
    struct rd_error error;
    snprintf(line, sizeof line, "%s %s", command->name, prompt->line);
    prompt->command = NULL;
    if ((!prompt->line[0] && !may_be_empty) ||
        rd_stepper_do(session->stepper, line, &error) == RD_OK)
        return;
    size_t column = session->stepper->mistake_column;
    if (column == 0) {
        rd_stepper_say(session->stepper, "%s", error.text);
        return;
    }
    prompt->command = command;
    prompt->column = column - strlen(command->name) - 1;
    prompt->cursor = prompt->column - 1;
    if (prompt->cursor > strlen(prompt->line))
        prompt->cursor = strlen(prompt->line);
    snprintf(prompt->mistake, sizeof prompt->mistake, "%s", error.text);
}

/* Moves in the line; false where the key does not do that. */
static bool move_cursor(struct prompt *prompt, wint_t code)
{
    const size_t length = strlen(prompt->line);
    if (code == KEY_LEFT)
        prompt->cursor -= prompt->cursor > 0;
    else if (code == KEY_RIGHT)
        prompt->cursor += prompt->cursor < length;
    else if (code == KEY_HOME)
        prompt->cursor = 0;
    else if (code == KEY_END)
        prompt->cursor = length;
    else
        return false;
    return true;
}

/* Takes out the character before the cursor; of an empty line, leaves it. */
static void take_back(struct prompt *prompt)
{
    char *at = prompt->line + prompt->cursor;
    if (prompt->line[0] == '\0')
        prompt->command = NULL;
    if (prompt->cursor == 0)
        return;
    memmove(at - 1, at, strlen(at) + 1);
    prompt->cursor--;
}

static void insert(struct prompt *prompt, char character)
{
    char *at = prompt->line + prompt->cursor;
    if (strlen(prompt->line) + 1 >= sizeof prompt->line)
        return;
    memmove(at + 1, at, strlen(at) + 1);
    *at = character;
    prompt->cursor++;
}

/* Takes a key of a line that is typed. */
static void edit(struct session *session, wint_t code, bool function)
{
    enum { CONTROL_U = 21, DELETE = 127, BACKSPACE = 8, ESCAPE = 27 };
    struct prompt *prompt = &session->prompt;
    if (function && move_cursor(prompt, code))
        return;
    prompt->mistake[0] = '\0';
    if (code == '\r' || code == '\n' || (function && code == KEY_ENTER)) {
        enter(session);
    } else if (code == ESCAPE && !function) {
        prompt->command = NULL;
    } else if (code == DELETE || code == BACKSPACE || (function && code == KEY_BACKSPACE)) {
        take_back(prompt);
    } else if (code == CONTROL_U && !function) {
        prompt->line[0] = '\0';
        prompt->cursor = 0;
    } else if (!function && code >= ' ' && code < DELETE) {
        insert(prompt, (char)code);
    }
}

/* A law that there is can be edited. */
static void ask(struct session *session, const struct rd_step_command *command)
{
    const char *law = session->stepper->law.text;
    struct prompt *prompt = &session->prompt;
    *prompt = (struct prompt){.command = command};
    if (strcmp(command->name, "law") == 0 && law && strlen(law) < sizeof prompt->line &&
        !strpbrk(law, "\t\r\n"))
        snprintf(prompt->line, sizeof prompt->line, "%s", law);
    prompt->cursor = strlen(prompt->line);
}

static void press(struct session *session, wint_t code, bool function)
{
    char name[16];
    const struct rd_step_command *wants_line;
    const struct rd_canvas *canvas = &session->canvas;
    if (canvas->width < RD_STEP_WIDTH_MIN || canvas->height < RD_STEP_HEIGHT_MIN) {
        session->stepper->quit |= !function && code == 'q'; /* nobody sees what else is done */
        return;
    }
    if (session->prompt.command) {
        edit(session, code, function);
        return;
    }
    if (session->stepper->playing && code != '+' && code != '-') { /* any other key stops */
        session->stepper->playing = false;
        if (code == ' ')
            return;
    }
    if (!name_of(code, function, name))
        return;
    rd_stepper_key(session->stepper, &session->keys, name, &wants_line);
    if (wants_line)
        ask(session, wants_line);
}

/* Ctrl-C while a law was evaluated ended that, and not the screen. Whether it was so. */
static bool take_stop(struct session *session)
{
    struct rd_step_law *law = &session->stepper->law;
    bool stopped = law->stopped && *session->screen->interrupted == SIGINT;
    law->stopped = false;
    if (stopped) {
        *session->screen->interrupted = 0;
        rd_stepper_say(session->stepper, "interrupted");
    }
    return stopped;
}

/* Draws what a key has done; to see it with a law may take long, too. */
static void show_done(struct session *session)
{
    take_stop(session);
    show(session);
    if (take_stop(session))
        show(session);
}

/* Waits for a key, a signal or the time to play on, and does all that has come. */
static enum rd_status turn(struct session *session, struct rd_error *error)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    bool playing = session->stepper->playing;
    int ready = poll(&input, 1, playing ? (int)session->stepper->play_ms : WAIT_MS);
    bool gone = ready > 0 && (input.revents & (POLLHUP | POLLERR));
    if (ready == 0 && playing) {
        struct rd_error reason;
        if (rd_stepper_play_on(session->stepper, &reason) != RD_OK)
            rd_stepper_say(session->stepper, "%s", reason.text);
    }
    bool any = ready == 0 && playing;
    wint_t code;
    for (int kind; (kind = get_wch(&code)) != ERR && !session->stepper->quit; any = true) {
        if (kind == KEY_CODE_YES && code == KEY_RESIZE) {
            enum rd_status status = fit(session, error);
            if (status != RD_OK)
                return status;
        } else if (kind == OK && code == 12) { /* ^L */
            clearok(stdscr, TRUE);
        } else {
            press(session, code, kind == KEY_CODE_YES);
        }
    }
    if (gone && !session->stepper->quit) /* nor is there another key: it says POLLIN all the same */
        return rd_fail(error, RD_ERROR_IO, "the terminal has gone");
    if (any)
        show_done(session);
    return RD_OK;
}

/* ---- all of it ---- */

static enum rd_status begin(const struct rd_step_screen *screen, SCREEN **curses,
                            struct rd_error *error)
{
    const char *term = getenv("TERM");
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return rd_fail(error, RD_ERROR_USAGE, "standard %s is no terminal: use '--script FILE'",
                       isatty(STDIN_FILENO) ? "output" : "input");
    terminal_keep();
    int known; /* asked first: where newterm fails it keeps what it has allocated */
    if (setupterm(NULL, STDOUT_FILENO, &known) == OK) {
        bool moves = tigetstr("cup") != NULL;
        del_curterm(cur_term);
        if (!moves)
            return rd_fail(error, RD_ERROR_IO,
                           "the terminal '%s' can't move its cursor: use '--script FILE', or set "
                           "TERM, for instance to xterm",
                           term ? term : "");
        *curses = newterm(NULL, stdout, stdin);
    }
    if (!*curses)
        return rd_fail(
            error, RD_ERROR_IO,
            "the terminal '%s' is not known here: set TERM, for instance to xterm, or use "
            "'--script FILE'",
            term ? term : "");
    terminal_guard(screen->interrupted);
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(25);
    curs_set(0);
    define_key("\033[1;2C", KEY_SRIGHT); /* some terminals are described without these */
    define_key("\033[1;2D", KEY_SLEFT);
    if (screen->color)
        start_colors();
    return RD_OK;
}

enum rd_status rd_step_screen_run(const struct rd_step_screen *screen, struct rd_stepper *stepper,
                                  struct rd_error *error)
{
    struct session session = {.screen = screen, .stepper = stepper};
    SCREEN *curses = NULL;
    enum rd_status status = begin(screen, &curses, error);
    if (status != RD_OK)
        return status;
    stepper->busy = show_busy;
    stepper->law.interrupted = screen->interrupted;
    status = fit(&session, error);
    if (status == RD_OK)
        show(&session);
    while (status == RD_OK && !stepper->quit && !*screen->interrupted)
        status = turn(&session, error);
    stepper->busy = NULL;
    stepper->law.interrupted = NULL;
    move(LINES - 1, 0); /* what comes next stands there, where the screen does not go */
    clrtoeol();
    refresh();
    endwin();
    terminal_unguard();
    delscreen(curses);
    rd_canvas_finish(&session.canvas);
    return status;
}
