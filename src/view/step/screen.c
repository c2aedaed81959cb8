// SPDX-License-Identifier: MIT
#include "view/step/screen.h"
#include "view/step/draw.h"
#include "view/step/terminal.h"

#include <curses.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

enum {
    WAIT_MS = 500, /* a signal that came just before the wait is noticed after so long */
    LINE_SIZE = 256,
};

/* A line that is typed for a command. */
struct prompt {
    const struct rd_step_command *command; /* NULL: none is */
    char line[LINE_SIZE];
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

/* Where the line is wider than the screen, its end: that is where one types. */
static void prompt_text(const struct session *session, char *text, size_t size)
{
    const struct prompt *prompt = &session->prompt;
    int left = snprintf(text, size, " %s: ", prompt->command->prompt);
    size_t room = (size_t)(left + 8) < session->canvas.width
                      ? session->canvas.width - (size_t)left - 1 /* of the cursor */
                      : 8;
    size_t length = strlen(prompt->line);
    snprintf(text + left, size - (size_t)left, "%s",
             prompt->line + (length > room ? length - room : 0));
}

static void show(struct session *session)
{
    char line[LINE_SIZE + 80];
    const struct prompt *prompt = &session->prompt;
    if (prompt->command)
        prompt_text(session, line, sizeof line);
    rd_step_draw(session->stepper, &session->canvas, prompt->command ? line : NULL);
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

/* Takes a key of a line that is typed. */
static void edit(struct session *session, wint_t code, bool function)
{
    enum { CONTROL_U = 21, DELETE = 127, BACKSPACE = 8, ESCAPE = 27 };
    struct prompt *prompt = &session->prompt;
    size_t length = strlen(prompt->line);
    if (code == '\r' || code == '\n' || (function && code == KEY_ENTER)) {
        char line[LINE_SIZE + 32];
        struct rd_error error;
        snprintf(line, sizeof line, "%s %s", prompt->command->name, prompt->line);
        prompt->command = NULL;
        if (prompt->line[0] && rd_stepper_do(session->stepper, line, &error) != RD_OK)
            rd_stepper_say(session->stepper, "%s", error.text);
    } else if (code == ESCAPE && !function) {
        prompt->command = NULL;
    } else if (code == DELETE || code == BACKSPACE || (function && code == KEY_BACKSPACE)) {
        if (length > 0)
            prompt->line[length - 1] = '\0';
        else
            prompt->command = NULL;
    } else if (code == CONTROL_U && !function) {
        prompt->line[0] = '\0';
    } else if (!function && code >= ' ' && code < DELETE && length + 1 < sizeof prompt->line) {
        prompt->line[length] = (char)code;
        prompt->line[length + 1] = '\0';
    }
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
        session->prompt = (struct prompt){.command = wants_line};
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
        show(session);
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
    rd_terminal_keep();
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
    rd_terminal_guard(screen->interrupted);
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
    status = fit(&session, error);
    if (status == RD_OK)
        show(&session);
    while (status == RD_OK && !stepper->quit && !*screen->interrupted)
        status = turn(&session, error);
    stepper->busy = NULL;
    move(LINES - 1, 0); /* what comes next stands there, where the screen does not go */
    clrtoeol();
    refresh();
    endwin();
    rd_terminal_unguard();
    delscreen(curses);
    rd_canvas_finish(&session.canvas);
    return status;
}
