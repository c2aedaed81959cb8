// SPDX-License-Identifier: MIT
/* The terminal stepper's model: where in a history it stands, what it shows, and the commands that
 * move it. It knows no terminal: draw.h makes a canvas of it, script.c drives it from a file and
 * screen.c from keys. */
#ifndef RD_VIEW_STEPPER_H
#define RD_VIEW_STEPPER_H

#include "view/candidate_text.h"
#include "reductio/history.h"
#include "reductio/candidate.h"
#include "reductio/sources.h"

#include <signal.h>
#include <stdio.h>

/* A law of one's own that a stepper holds against the run that it shows. */

struct rd_step_law {
    const volatile sig_atomic_t
        *interrupted; /* the caller's; NULL: that of the run, if it has one */
    bool stopped;     /* an evaluation was, by that; for who takes the signal as meant for it */
    char *text;       /* NULL: there is none */
    struct rd_candidate *candidate;
    struct rd_run run; /* as the candidate sees it */
    char array[32];    /* what its cells are called */
    struct rd_candidate_result judged;
    /* The law's look at `frame`, if `looked`: */
    bool looked;
    size_t frame;
    enum rd_status status; /* other than RD_OK: nothing is known, for the reason in `error` */
    struct rd_error error;
    struct rd_candidate_look look;
};

void rd_step_law_finish(struct rd_step_law *law); /* then there is none */

/* Returns what its printed cells need. */
struct rd_candidate_words rd_step_law_words(const struct rd_step_law *law);

/* Writes what the law says of a cell at the frame; "·" where it says nothing. */
void rd_step_law_cell_text(const struct rd_step_law *law, const struct rd_candidate_look *look,
                           size_t index, char *text, size_t size);

/* Returns the verdict, "true, and enough on these values" where only this run's support it. */
const char *rd_step_law_word(const struct rd_step_law *law);

/* The log of a frame: the accesses of its threads, in words. */

struct rd_log {
    bool made;
    size_t frame;
    enum rd_status status; /* other than RD_OK: there are none, for the reason in `error` */
    struct rd_error error;
    struct rd_access_list list;
    int array; /* the frame's own, in list.arrays; -1: it is not accessed */
    const struct rd_history_about *about; /* of a pass of witness values, values say nothing */
};

/* Puts the accesses of a frame into the log, if they are not there. Never fails: see `status`. */
void rd_log_make(struct rd_log *log, struct rd_history *history, size_t frame);
void rd_log_finish(struct rd_log *log);

/* The k-th access in the order by threads. */
const struct rd_access *rd_log_access(const struct rd_log *log, size_t k);
/* The k-th of the moves' sources. */
const struct rd_access *rd_log_source(const struct rd_log *log, size_t k);

/* The last move that wrote that cell of the frame's array; NULL: none did. */
const struct rd_access_move *rd_log_writer(const struct rd_log *log, size_t cell);

/* Writes "A[4]", or "A[8] (out of bounds)". Returns text. */
enum { RD_ACCESS_TEXT_SIZE = 128 };
const char *rd_log_place(const struct rd_log *log, const struct rd_access *access,
                         char text[RD_ACCESS_TEXT_SIZE]);

/* Writes "A[4] = 4", or "A[4]" where the values say nothing, as out of bounds; of a register that is
 * taken, whose it is. Returns text. */
const char *rd_log_text(const struct rd_log *log, const struct rd_access *access,
                        char text[RD_ACCESS_TEXT_SIZE]);

#ifdef __cplusplus
extern "C" {
#endif

/* The contents that cells show. */
enum rd_step_view {
    RD_SHOW_VALUES,
    RD_SHOW_SETS,
    RD_SHOW_CHANGES,
    RD_SHOW_EXPECTED,
    RD_SHOW_COUNT,
};

/* "values", "index sets", "changes", "expected". */
const char *rd_step_view_name(enum rd_step_view view);

/* The text that lies over the screen. */
enum rd_overlay {
    RD_OVERLAY_NONE,
    RD_OVERLAY_HELP,
    RD_OVERLAY_CELL,
    RD_OVERLAY_TRACE,
    RD_OVERLAY_HAZARDS,
    RD_OVERLAY_PROOF,
};

enum {
    RD_STEP_MESSAGE_SIZE = 512,
    RD_STEP_ARRAY_SIZE = 32,
    RD_STEP_BREAKS_MAX = 16,
    RD_STEP_WATCHES_MAX = 4
};

/* A question about a state that is hidden until it is answered. */
struct rd_quiz {
    bool on;
    bool hidden; /* the state of this frame, and all that would give it away */
    unsigned asked, right;
};

/* Writes, for a cell of a frame, how the round makes its set of inputs, and what is proved of all rounds: of who has
 * a prover at hand. */
struct rd_step_proof {
    void (*print)(void *self, struct rd_history *history, size_t frame, size_t cell, FILE *out);
    void *self;
};

/* Cells that are watched, the first one first. */
struct rd_step_watch {
    char array[RD_STEP_ARRAY_SIZE];
    size_t cell;
    bool inside; /* of an array that its block, or a warp of it, has to itself: */
    uint64_t block;
    int warp;
};

struct rd_step_watches {
    struct rd_step_watch list[RD_STEP_WATCHES_MAX];
    unsigned count;
};

/* The run with what is broken in it. */
struct rd_step_breaks {
    struct rd_run run; /* n_breaks is how many of the list count; */
    struct rd_break list[RD_STEP_BREAKS_MAX];
    unsigned n_known; /* those behind them, up to here, have been undone */
};

struct rd_stepper {
    struct rd_history *history; /* of the run as it is now */
    const struct rd_history_about *about;
    const struct rd_run *run; /* of a live history; else NULL */
    const struct rd_history_options *options;

    size_t frame;
    size_t cell; /* the selected one of the frame's array */
    bool has_thread;
    size_t thread; /* in log.list.threads: the selected one */
    size_t access; /* of that thread, where its accesses are followed one by one */
    enum rd_step_view view;
    enum rd_overlay overlay;
    size_t scroll; /* lines of the overlay that are above it */
    struct rd_step_watches watches;
    struct rd_quiz quiz;
    struct rd_step_breaks breaks;
    struct rd_step_law law; /* of one's own, beside the program's */
    /* Optional: its function is NULL where nobody has set it, behind rd_stepper_init(). */
    struct rd_step_proof proof;
    /* In the line of the last command, which could not be read there: from 1 on; 0: nowhere. */
    size_t mistake_column;
    bool playing;
    unsigned play_ms; /* between two rounds that are played */
    bool quit;
    char message[RD_STEP_MESSAGE_SIZE]; /* what the last command has to say; or "" */
    void (*busy)(void);                 /* or NULL: called before what may take some seconds */

    struct rd_log log;
    size_t first;             /* cell of the viewport; draw_array keeps the selected one in it */
    size_t page;              /* cells that the viewport has shown */
    unsigned arrows_left_out; /* for which it had no room */
};

/* Starts at the first frame. The history becomes the stepper's, which must not move in memory;
 * `run` is what it was made from, of a live one, else NULL. */
void rd_stepper_init(struct rd_stepper *stepper, struct rd_history *history,
                     const struct rd_run *run, const struct rd_history_options *options);
void rd_stepper_finish(struct rd_stepper *stepper);

/* The frame at which it stands, and what its threads did there. */
const struct rd_frame *rd_stepper_frame(const struct rd_stepper *stepper);
const struct rd_log *rd_stepper_log(struct rd_stepper *stepper);

/* Lets who watches know that what comes now may take some seconds, where the run is a large one. */
void rd_stepper_busy(const struct rd_stepper *stepper);

/* Puts it at a frame; the selected cell stays, if the array has it. */
void rd_stepper_go(struct rd_stepper *stepper, size_t frame);

/* Takes a law of one's own, judges the run by it, and says what comes of that; "" takes it away. Statuses as for
 * law_set. */
enum rd_status rd_stepper_set_law(struct rd_stepper *stepper, const char *text,
                                  struct rd_law_error *error);
/* The frame as that law sees it; NULL where there is none, or nothing is to be seen of it. */
const struct rd_candidate_look *rd_stepper_law_look(struct rd_stepper *stepper);

/* Says something on the status line, until the next command. */
void rd_stepper_say(struct rd_stepper *stepper, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The text that a cell shows in a view, of at most `size` bytes; "?" where it is hidden or not
 * known, "·" where it has not changed or the invariant says nothing of it. */
void rd_stepper_cell_text(struct rd_stepper *stepper, size_t frame, size_t index,
                          enum rd_step_view view, char *text, size_t size);

/* Returns the reason why a cell's value is not known. */
const char *rd_stepper_unknown_text(const struct rd_stepper *stepper);

/* Describes the move of a thread: "thread 0 reads A[0] = 0 and A[4] = 4, writes A[0] = 4". Returns text. */
enum { RD_STEP_SENTENCE_SIZE = 512 };
const char *rd_stepper_move_text(const struct rd_log *log, const struct rd_access_move *move,
                                 char text[RD_STEP_SENTENCE_SIZE]);

/* "8589869056 mod 2^32", where the selected cell's sum is too large for its type; else "". */
enum { RD_STEP_WRAPS_SIZE = 64 };
const char *rd_stepper_wraps_text(const struct rd_stepper *stepper, char text[RD_STEP_WRAPS_SIZE]);

/* Tells whether the frame has the cell that is watched: that of its block, where each has its own. */
bool rd_stepper_has_watched(const struct rd_stepper *stepper, size_t frame,
                            const struct rd_step_watch *watch);

/* Counts the hazards of the frame's round, which may be under way; `*first` is the first of
 * them in the history. */
size_t rd_stepper_hazards(const struct rd_stepper *stepper, size_t *first);

/* Names the breaks, in words; "" where there are none. */
void rd_stepper_breaks_text(const struct rd_stepper *stepper, char *text, size_t size);

/* The access whose line ran: that of the selected thread or, without one, the last write to the
 * selected cell, or the last of all. NULL: there is none. */
const struct rd_access *rd_stepper_ran(struct rd_stepper *stepper);

/* ---- commands ---- */

struct rd_step_command {
    const char *keys[5];  /* their names, NULL-terminated */
    const char *name;     /* of scripts */
    const char *argument; /* for people; NULL: it takes none; "[N]": it may have one */
    const char *prompt;   /* of the line that a key asks for; NULL: the key does it at once */
    const char *help;
    /* Carries the command out. `argument` is "" if there is none. RD_ERROR_USAGE if it can't be taken. */
    enum rd_status (*act)(struct rd_stepper *stepper, const char *argument, struct rd_error *error);
    /* Optional: RD_ERROR_USAGE where it can't be done now, whatever the argument; NULL: it can. */
    enum rd_status (*accept)(const struct rd_stepper *stepper, struct rd_error *error);
};

/* All commands, in the order of the help; the last one has no name. */
extern const struct rd_step_command rd_step_commands[];

/* The command of this key or name; NULL: there is none. */
const struct rd_step_command *rd_step_command_of_key(const char *key);
const struct rd_step_command *rd_step_command_named(const char *name);

/* Carries out a line of a script: a command by its name or key, and its argument. RD_ERROR_USAGE if there is no such
 * command; also the history's failures. */
enum rd_status rd_stepper_do(struct rd_stepper *stepper, const char *line, struct rd_error *error);

/* Goes on to the next round, if the stepper plays; stops at the end, and at a violated step behind one that was not.
 * Statuses as for rd_stepper_do. */
enum rd_status rd_stepper_play_on(struct rd_stepper *stepper, struct rd_error *error);

/* Takes a key as rd_step_command_of_key knows it, or a digit; of "rn" each in turn. `*prompt` is
 * set to a command that now wants a line. What fails is said on the status line. */
struct rd_step_keys {
    char pending[16]; /* digits, or the start of a key of two letters */
};
void rd_stepper_key(struct rd_stepper *stepper, struct rd_step_keys *keys, const char *key,
                    const struct rd_step_command **prompt);

/* The text of an overlay, line by line; the caller frees it. NULL: no memory. */
char *rd_step_help_text(void);
char *rd_stepper_details_text(struct rd_stepper *stepper);
char *rd_stepper_hazards_text(const struct rd_stepper *stepper);
char *rd_stepper_proof_text(struct rd_stepper *stepper);
char *rd_stepper_trace_text(struct rd_stepper *stepper, size_t *line);

#ifdef __cplusplus
}
#endif

/* A stepper on the terminal: keys go to it, and its canvas goes to the screen. */

struct rd_step_screen {
    bool color;
    bool ascii;
    /* Set to the number of a signal that asks to leave. */
    volatile sig_atomic_t *interrupted;
};

/* Runs until the user leaves, or a signal asks to; the terminal is then as it was before, and so it
 * is after a crash. RD_ERROR_USAGE where standard input or output is no terminal, or this build has
 * no screen; RD_ERROR_IO where the terminal can't be used, or has gone; RD_ERROR_MEMORY. */
enum rd_status rd_step_screen_run(const struct rd_step_screen *screen, struct rd_stepper *stepper,
                                  struct rd_error *error);

/* Drives a stepper from a file: one command a line, and after each the screen as text. */

struct rd_step_script {
    FILE *in;
    const char *name; /* of the file, for messages */
    FILE *out;
    unsigned width, height; /* of the screen; `size W H` changes it */
    bool ascii;
};

/* Prints the first screen, and then for each command a line "> command" and the screen behind it;
 * `#` starts a comment. Ends with the file, or at `quit`. RD_ERROR_USAGE, with the line's number,
 * at the first line that can't be done; RD_ERROR_IO; RD_ERROR_MEMORY. */
enum rd_status rd_step_script_run(const struct rd_step_script *script, struct rd_stepper *stepper,
                                  struct rd_error *error);

#endif
