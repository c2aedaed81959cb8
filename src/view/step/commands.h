// SPDX-License-Identifier: MIT
/* Helpers that the files of commands share. Private to src/view/step. */
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

/* Goes forward to a frame; a quiz hides it until it is answered. */
void rd_quiz_forward(struct rd_stepper *stepper, size_t frame);

/* Tells whether two sets are the same, as far as they are known. */
bool rd_step_sets_same(const struct rd_input_set *x, const struct rd_input_set *y);

/* The inputs that are more often in `set` than in the other; false where there are none, or too many
 * to know. */
bool rd_step_surplus(const struct rd_input_set *set, const struct rd_input_set *other,
                     struct rd_input_set *surplus);

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
enum rd_status rd_act_thread_next(struct rd_stepper *stepper, const char *argument,
                                  struct rd_error *error);
enum rd_status rd_act_thread_previous(struct rd_stepper *stepper, const char *argument,
                                      struct rd_error *error);
enum rd_status rd_act_thread(struct rd_stepper *stepper, const char *argument,
                             struct rd_error *error);
enum rd_status rd_act_law(struct rd_stepper *stepper, const char *argument, struct rd_error *error);
enum rd_status rd_quiz_act(struct rd_stepper *stepper, const char *argument,
                           struct rd_error *error);
enum rd_status rd_quiz_guess(struct rd_stepper *stepper, const char *argument,
                             struct rd_error *error);

/* As rd_step_command.accept. */
enum rd_status rd_break_accept(const struct rd_stepper *stepper, struct rd_error *error);
enum rd_status rd_law_command_accept(const struct rd_stepper *stepper, struct rd_error *error);
enum rd_status rd_quiz_accept(const struct rd_stepper *stepper, struct rd_error *error);

#endif
