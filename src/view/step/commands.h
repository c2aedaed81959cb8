// SPDX-License-Identifier: MIT
/* What the files of commands share. Private to src/view/step. */
#ifndef RD_VIEW_STEP_COMMANDS_H
#define RD_VIEW_STEP_COMMANDS_H

#include "view/step/stepper.h"

/* Reads a whole number; false where it is none. */
bool rd_step_number(const char *text, uint64_t *number);
/* Reads "5" or "A[5]", a cell of the frame's array. RD_ERROR_USAGE. */
enum rd_status rd_step_cell(struct rd_stepper *stepper, const char *text, size_t *cell,
                            struct rd_error *error);
/* Reads "5" or "BLOCK:5"; false where it is none. */
bool rd_step_thread(struct rd_stepper *stepper, const char *text, uint64_t *block,
                    unsigned *thread);

/* Selects the k-th thread of the log, and the cell that it writes. */
void rd_step_select_thread(struct rd_stepper *stepper, size_t k);
/* Follows no thread any more; what shows its accesses closes. */
void rd_step_leave_thread(struct rd_stepper *stepper);
/* Selects the cell of an access, where the frame's array has it: the launch may have another by
 * that name, and a longer one. False: it has not. */
bool rd_step_select_accessed(struct rd_stepper *stepper, const struct rd_access *access);
/* Says why there is no thread to select. RD_ERROR_USAGE. */
enum rd_status rd_step_no_threads(struct rd_stepper *stepper, struct rd_error *error);

/* To the first violated step and its cell; says so where there is none. */
void rd_stepper_go_to_violation(struct rd_stepper *stepper);

/* Goes forward to a frame; a quiz hides it until it is answered. */
void rd_quiz_forward(struct rd_stepper *stepper, size_t frame);

/* Says what a cell holds and why, behind a verdict on the guess; `wanted` is "" where that is right. */
void rd_quiz_explain(struct rd_stepper *stepper, const char *verdict, size_t index,
                     const char *holds, const char *wanted);
void rd_quiz_explain_value(struct rd_stepper *stepper, const char *verdict, size_t index,
                           const struct rd_history_cell *cell);
/* The same of the inputs in it. Statuses as for rd_history_set. */
enum rd_status rd_quiz_explain_set(struct rd_stepper *stepper, const char *verdict, size_t index,
                                   struct rd_error *error);
/* Whether two sets are the same, as far as they are known. */
bool rd_step_sets_same(const struct rd_input_set *x, const struct rd_input_set *y);

/* The inputs that are more often in `set` than in the other; false where there are none, or too many
 * to know. */
bool rd_step_surplus(const struct rd_input_set *set, const struct rd_input_set *other,
                     struct rd_input_set *surplus);

/* Reads a set of some of n inputs, as rd_input_set_text writes it, with or without the braces.
 * RD_ERROR_USAGE, RD_ERROR_MEMORY. */
enum rd_status rd_quiz_read_set(const char *text, size_t n, struct rd_input_set *set,
                                struct rd_error *error);

/* Reads what is to be broken at this step: "9", "value 9", "value 3 9", "thread", "thread 0:2",
 * "barrier", "barrier 1". RD_ERROR_USAGE. */
enum rd_status rd_break_take(struct rd_stepper *stepper, const char *text, struct rd_break *broken,
                             struct rd_error *error);

/* Judges the run as it is now by the law that there is, if there is one; without a word where it can't. */
void rd_stepper_judge_again(struct rd_stepper *stepper);

/* Breaks the run, takes that back, and does it again. */
enum rd_status rd_break_act(struct rd_stepper *stepper, const char *argument,
                            struct rd_error *error);
enum rd_status rd_break_undo(struct rd_stepper *stepper, const char *argument,
                             struct rd_error *error);
enum rd_status rd_break_redo(struct rd_stepper *stepper, const char *argument,
                             struct rd_error *error);

/* As rd_step_command.act, in the order of the table. */
enum rd_status rd_act_next(struct rd_stepper *stepper, const char *argument,
                           struct rd_error *error);
enum rd_status rd_act_previous(struct rd_stepper *stepper, const char *argument,
                               struct rd_error *error);
enum rd_status rd_act_step(struct rd_stepper *stepper, const char *argument,
                           struct rd_error *error);
enum rd_status rd_act_step_back(struct rd_stepper *stepper, const char *argument,
                                struct rd_error *error);
enum rd_status rd_act_first(struct rd_stepper *stepper, const char *argument,
                            struct rd_error *error);
enum rd_status rd_act_last(struct rd_stepper *stepper, const char *argument,
                           struct rd_error *error);
enum rd_status rd_act_round(struct rd_stepper *stepper, const char *argument,
                            struct rd_error *error);
enum rd_status rd_act_thread_next(struct rd_stepper *stepper, const char *argument,
                                  struct rd_error *error);
enum rd_status rd_act_thread_previous(struct rd_stepper *stepper, const char *argument,
                                      struct rd_error *error);
enum rd_status rd_act_thread(struct rd_stepper *stepper, const char *argument,
                             struct rd_error *error);
enum rd_status rd_act_cell(struct rd_stepper *stepper, const char *argument,
                           struct rd_error *error);
enum rd_status rd_act_cell_next(struct rd_stepper *stepper, const char *argument,
                                struct rd_error *error);
enum rd_status rd_act_cell_previous(struct rd_stepper *stepper, const char *argument,
                                    struct rd_error *error);
enum rd_status rd_act_page_next(struct rd_stepper *stepper, const char *argument,
                                struct rd_error *error);
enum rd_status rd_act_page_previous(struct rd_stepper *stepper, const char *argument,
                                    struct rd_error *error);
enum rd_status rd_act_violation(struct rd_stepper *stepper, const char *argument,
                                struct rd_error *error);
enum rd_status rd_act_views(struct rd_stepper *stepper, const char *argument,
                            struct rd_error *error);
enum rd_status rd_act_details(struct rd_stepper *stepper, const char *argument,
                              struct rd_error *error);
enum rd_status rd_act_hazards(struct rd_stepper *stepper, const char *argument,
                              struct rd_error *error);
enum rd_status rd_act_trace(struct rd_stepper *stepper, const char *argument,
                            struct rd_error *error);
enum rd_status rd_act_watch(struct rd_stepper *stepper, const char *argument,
                            struct rd_error *error);
enum rd_status rd_act_unwatch(struct rd_stepper *stepper, const char *argument,
                              struct rd_error *error);
enum rd_status rd_act_play(struct rd_stepper *stepper, const char *argument,
                           struct rd_error *error);
enum rd_status rd_act_faster(struct rd_stepper *stepper, const char *argument,
                             struct rd_error *error);
enum rd_status rd_act_slower(struct rd_stepper *stepper, const char *argument,
                             struct rd_error *error);
enum rd_status rd_act_law(struct rd_stepper *stepper, const char *argument, struct rd_error *error);
enum rd_status rd_act_help(struct rd_stepper *stepper, const char *argument,
                           struct rd_error *error);
enum rd_status rd_act_close(struct rd_stepper *stepper, const char *argument,
                            struct rd_error *error);
enum rd_status rd_act_quit(struct rd_stepper *stepper, const char *argument,
                           struct rd_error *error);
enum rd_status rd_quiz_act(struct rd_stepper *stepper, const char *argument,
                           struct rd_error *error);
enum rd_status rd_quiz_guess(struct rd_stepper *stepper, const char *argument,
                             struct rd_error *error);

/* As rd_step_command.accept. */
enum rd_status rd_break_accept(const struct rd_stepper *stepper, struct rd_error *error);
enum rd_status rd_law_command_accept(const struct rd_stepper *stepper, struct rd_error *error);
enum rd_status rd_quiz_accept(const struct rd_stepper *stepper, struct rd_error *error);

#endif
