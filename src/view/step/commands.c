// SPDX-License-Identifier: MIT
/* The one table of commands: keys, scripts and the help have them from here, and a test compares the
 * man page with it. */
#include "view/step/commands.h"

// clang-format off
const struct rd_step_command rd_step_commands[] = {
    {{"Right", "n", "j"}, "next", NULL, NULL, "to the end of the next round", rd_act_next, NULL},
    {{"Left", "p", "k", "rn"}, "previous", NULL, NULL, "back by a round", rd_act_previous, NULL},
    {{"s", "."}, "step", NULL, NULL, "to the next checkpoint or end of a round", rd_act_step, NULL},
    {{"rs", ","}, "step-back", NULL, NULL, "back by a checkpoint", rd_act_step_back, NULL},
    {{"S-Right", "]"}, "thread-next", NULL, NULL, "the step's next thread alone", rd_act_thread_next, NULL},
    {{"S-Left", "["}, "thread-previous", NULL, NULL, "the thread before", rd_act_thread_previous, NULL},
    {{NULL}, "thread", "T|B:T", NULL, "thread T, of block B, alone", rd_act_thread, NULL},
    {{"Home", "<"}, "first", NULL, NULL, "to the beginning", rd_act_first, NULL},
    {{"End", "G", ">"}, "last", NULL, NULL, "to the end", rd_act_last, NULL},
    {{"Ng"}, "round", "N", NULL, "a number, then g: to the end of round N", rd_act_round, NULL},
    {{"Space"}, "play", NULL, NULL, "play up to what is violated; any key stops", rd_act_play, NULL},
    {{"+"}, "faster", NULL, NULL, "play twice as fast; does not stop it", rd_act_faster, NULL},
    {{"-"}, "slower", NULL, NULL, "play half as fast; does not stop it", rd_act_slower, NULL},
    {{"!"}, "violation", NULL, NULL, "to the first violated step, or else hazard", rd_act_violation, NULL},
    {{"Down", "l", "Tab"}, "cell-next", NULL, NULL, "the next cell; down in a text", rd_act_cell_next, NULL},
    {{"Up", "h", "S-Tab"}, "cell-previous", NULL, NULL, "the cell before; up", rd_act_cell_previous, NULL},
    {{"PgDn"}, "page-next", NULL, NULL, "a screen of cells on", rd_act_page_next, NULL},
    {{"PgUp"}, "page-previous", NULL, NULL, "a screen of cells back", rd_act_page_previous, NULL},
    {{"/", "g"}, "cell", "INDEX", "cell", "to a cell", rd_act_cell, NULL},
    {{"Enter"}, "details", NULL, NULL, "what is in the cell, and how it came in", rd_act_details, NULL},
    {{"v"}, "views", "[VIEW]", NULL, "show values, sets, changes or expected", rd_act_views, NULL},
    {{"H"}, "hazards", NULL, NULL, "all hazards, in full; Down, Up", rd_act_hazards, NULL},
    {{"t"}, "trace", NULL, NULL, "follow a thread's accesses; Down, Up", rd_act_trace, NULL},
    {{"w"}, "watch", "[INDEX]", NULL, "watch the cell from now on, or no longer", rd_act_watch, NULL},
    {{"W"}, "unwatch", "[INDEX]", NULL, "watch that cell, or any, no longer", rd_act_unwatch, NULL},
    {{"x"}, "break", "WHAT", "break here: V of the cell, thread [T] or barrier [N]",
     "V; value I V; thread [T]; barrier [N]: go wrong", rd_break_act, rd_break_accept},
    {{"u"}, "undo", NULL, NULL, "undo the last break", rd_break_undo, NULL},
    {{"U"}, "redo", NULL, NULL, "break again what was undone", rd_break_redo, NULL},
    {{"a"}, "quiz", NULL, NULL, "be asked before each step is shown", rd_quiz_act, NULL},
    {{"="}, "guess", "GUESS", "guess: V of the cell, V V ... of the round, sum V, or {I,J} in it",
     "answer: V, V V ..., sum V or {I,J}", rd_quiz_guess, rd_quiz_accept},
    {{"L"}, "law", "[LAW|@FILE]", "law", "judge a law of your own; without one, no more", rd_act_law, rd_law_command_accept},
    {{"?"}, "help", NULL, NULL, "these keys", rd_act_help, NULL},
    {{"Esc"}, "close", NULL, NULL, "close this; all threads again", rd_act_close, NULL},
    {{"q"}, "quit", NULL, NULL, "close this; leave", rd_act_quit, NULL},
    {{NULL}, NULL, NULL, NULL, NULL, NULL, NULL},
};
// clang-format on
