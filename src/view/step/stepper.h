// SPDX-License-Identifier: MIT
/* The terminal stepper's model: where in a history it stands, what it shows, and the commands that
 * move it. It knows no terminal: draw.h makes a canvas of it, script.h drives it from a file and
 * screen.h from keys. */
#ifndef RD_VIEW_STEPPER_H
#define RD_VIEW_STEPPER_H

#include "reductio/history.h"
#include "reductio/sources.h"
#include "view/step/law.h"
#include "view/step/log.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What cells show. */
enum rd_step_view {
    RD_SHOW_VALUES,
    RD_SHOW_SETS,
    RD_SHOW_CHANGES,
    RD_SHOW_EXPECTED,
    RD_SHOW_COUNT,
};

/* "values", "index sets", "changes", "expected". */
const char *rd_step_view_name(enum rd_step_view view);

/* What lies over the screen. */
enum rd_overlay {
    RD_OVERLAY_NONE,
    RD_OVERLAY_HELP,
    RD_OVERLAY_CELL,
    RD_OVERLAY_TRACE,
    RD_OVERLAY_HAZARDS,
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
 * rd_step_law_set. */
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

/* Why the value of a cell is not known, where it is not. */
const char *rd_stepper_unknown_text(const struct rd_stepper *stepper);

/* What the thread that made a move did: "thread 0 reads A[0] = 0 and A[4] = 4, writes A[0] = 4".
 * Returns text. */
enum { RD_STEP_SENTENCE_SIZE = 512 };
const char *rd_stepper_move_text(const struct rd_log *log, const struct rd_access_move *move,
                                 char text[RD_STEP_SENTENCE_SIZE]);

/* "8589869056 mod 2^32", where the selected cell's sum is too large for its type; else "". */
enum { RD_STEP_WRAPS_SIZE = 64 };
const char *rd_stepper_wraps_text(const struct rd_stepper *stepper, char text[RD_STEP_WRAPS_SIZE]);

/* Whether the frame has the cell that is watched: that of its block, where each has its own. */
bool rd_stepper_has_watched(const struct rd_stepper *stepper, size_t frame,
                            const struct rd_step_watch *watch);

/* How many hazards the frame's round has, also of one that is under way; `*first` is the first of
 * them in the history. */
size_t rd_stepper_hazards(const struct rd_stepper *stepper, size_t *first);

/* What is broken, in words; "" where nothing is. */
void rd_stepper_breaks_text(const struct rd_stepper *stepper, char *text, size_t size);

/* The access whose line ran: that of the selected thread or, without one, the last write to the
 * selected cell, or the last of all. NULL: there is none. */
const struct rd_access *rd_stepper_ran(struct rd_stepper *stepper);

/* The source that the access stands in: its kernel's, or a file that kernels share. NULL: unknown. */
const struct rd_source *rd_stepper_source(const struct rd_access *access, const char *kernel);

/* ---- commands ---- */

struct rd_step_command {
    const char *keys[5];  /* as rd_step_key_name has them, NULL-terminated */
    const char *name;     /* of scripts */
    const char *argument; /* for people; NULL: it takes none; "[N]": it may have one */
    const char *prompt;   /* of the line that a key asks for; NULL: the key does it at once */
    const char *help;
    /* Does it. `argument` is "" where there is none. RD_ERROR_USAGE where it can't be taken. */
    enum rd_status (*act)(struct rd_stepper *stepper, const char *argument, struct rd_error *error);
    /* Optional: RD_ERROR_USAGE where it can't be done now, whatever the argument; NULL: it can. */
    enum rd_status (*accept)(const struct rd_stepper *stepper, struct rd_error *error);
};

/* All of them, in the order of the help; the last one has no name. */
extern const struct rd_step_command rd_step_commands[];

/* The command of this key or name; NULL: there is none. */
const struct rd_step_command *rd_step_command_of_key(const char *key);
const struct rd_step_command *rd_step_command_named(const char *name);

/* Does a line of a script: a command by its name or key, and its argument. RD_ERROR_USAGE where it
 * is none; also what the history fails with. */
enum rd_status rd_stepper_do(struct rd_stepper *stepper, const char *line, struct rd_error *error);

/* Goes on where it plays: to the next round, and stops at the end, and at a step that is violated
 * where the one before was not. Statuses as for rd_stepper_do. */
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
char *rd_stepper_trace_text(struct rd_stepper *stepper, size_t *line);

#ifdef __cplusplus
}
#endif
#endif
