// SPDX-License-Identifier: MIT
/* Loops of a kernel. Private to this folder. */
#ifndef RD_PROVE_LOOPS_H
#define RD_PROVE_LOOPS_H

#include "prove/kernel/state.h"

struct rd_loop_parts {
    const struct rd_syntax_node *loop, *condition, *increment, *body; /* an absent one is NULL */
};

/* Tells whether the variable is assigned somewhere in the node. */
bool rd_assigns(const struct rd_syntax_node *node, const struct rd_syntax_declaration *variable);

/* Tells whether something in the node is a call: what it does is more than its value. */
bool rd_calls(const struct rd_syntax_node *node);

/* Tells whether there is a barrier of the block in the node, or in a function that is called there. */
bool rd_has_barrier(struct rd_execution *execution, const struct rd_syntax_node *node);

/* ---- cuts ---- */

/* Makes what the loop assigns unknown. */
void rd_forget_assigned(struct rd_execution *execution, struct state *state,
                        const struct rd_syntax_node *loop);
void rd_begin_segment(struct rd_execution *execution, struct state *state, struct rd_cut cut,
                      const struct rd_syntax_node *call, bool meets);
/* Behind a cut it isn't known by which way a thread came: makes one state of all. */
void rd_join_at_cut(struct rd_execution *execution, struct states *states,
                    const struct rd_syntax_node *place);
/* Parts of a loop. */
void rd_test_loop(struct rd_execution *execution, struct states *states, struct states *done,
                  const struct rd_syntax_node *condition);
void rd_perform_part(struct rd_execution *execution, struct states *states,
                     const struct rd_syntax_node *node);
void rd_set_aside(struct rd_execution *execution, struct states *states, struct states *done);
void rd_stand_in_path(struct rd_execution *execution, struct states *states);

/* A loop whose condition asserts an annotation's law first: rd_prove_law(site, array, numbers...), condition. Returns the
 * call, and the condition proper, which may be NULL; NULL where there is none. */
const struct rd_syntax_node *rd_law_of_condition(const struct rd_syntax_node *condition,
                                                 const struct rd_syntax_node **rest);
void rd_perform_law_loop(struct rd_execution *execution, struct states *states,
                         const struct rd_loop_parts *parts);

/* Tells whether the statement is an annotation. */
bool rd_is_annotation(const struct rd_syntax_node *node);
/* Executes it: what it says must follow from the invariant of the loop directly before it, which may be NULL. */
void rd_perform_annotation(struct rd_execution *execution, struct states *states,
                           const struct rd_syntax_node *loop, const struct rd_syntax_node *node);

/* A loop with a barrier of the block, and with neither a checkpoint nor an invariant: it is cut at its condition,
 * where cells are unknown. False, and nothing changed, of other loops, and of one within a loop that is cut. */
bool rd_perform_bare_loop(struct rd_execution *execution, struct states *states,
                          const struct rd_loop_parts *parts);
/* Returns the first variable in the condition that the loop assigns; NULL: there is none. */
const struct rd_syntax_declaration *rd_counted_by(const struct rd_syntax_node *condition,
                                                  const struct rd_syntax_node *loop);
/* Its value; NULL, and a failure, where it is no number. */
rd_term rd_counted_number(struct rd_execution *execution, struct state *state,
                          const struct rd_loop_parts *parts);

/* Tells whether each state knows if the loop goes on: its trips are written out. */
bool rd_is_known(struct rd_execution *execution, const struct states *states,
                 const struct rd_syntax_node *condition);
/* A loop that writes cells, and whose trips aren't told: one is executed from any values of what it assigns, and
 * behind it those are unknown, and so are the cells. False, and nothing changed, of other loops. */
bool rd_perform_any_trip(struct rd_execution *execution, struct states *states,
                         const struct rd_loop_parts *parts);

/* Loops without a checkpoint that aren't written out. Each returns false where the loop is of another form, and has then changed
 * nothing. */

/* while (v < x) v *= 2, from v = 1 on: v is the least power of two that is at least x. */
bool rd_find_power(struct rd_execution *execution, struct states *states,
                   const struct rd_loop_parts *parts);
/* for (i = e; i < bound; i += stride) v = v + term(i); there may be several bounds. Trips may write cells of global memory, too. */
bool rd_sum_up(struct rd_execution *execution, struct states *states,
               const struct rd_loop_parts *parts);

/* Has the state's accesses from `first` on, those of a trip at any i, stand for those of all trips. False, and a
 * failure, where they can't: what a trip reads or adds must not be what another has written. `unknown` are the values
 * that trips before it have left. */
bool rd_repeat_accesses(struct rd_execution *execution, const struct rd_loop_parts *parts,
                        struct state *state, size_t first, size_t n_unknown,
                        const rd_term *unknown);

/* Returns the sum of the value over the trips of a loop, at each i for which is_trip holds. NULL where it can't be
 * seen that each of its parts but 0 comes in one trip at most. Cells that are read must be live, as a requirement: of
 * others nothing is known. */
rd_term rd_sum_of_trips(struct rd_execution *execution, struct state *state, rd_term value,
                        rd_term i, rd_term is_trip);

/* Returns the value, which the state writes, for its path alone: what lanes have added up by shuffles that are written out, as one
 * condition on the warp; as an equation, where its thread is asked for, not as bounds, of which provers know more. */
rd_term rd_sum_of_lanes(struct rd_execution *execution, struct state *state, rd_term value,
                        bool as_equation);

/* A trip adds f(i) + f(i + s) + … + f(i + (m - 1) * s), the next one begins at i + m * s, and f is 0 where the loop
 * doesn't go on: it is as if each took a step of s, and added f(i). Puts f and s in the place of what is added and of
 * the stride; false where it isn't so. */
bool rd_split_trips(struct rd_terms *terms, rd_term *each, rd_term i, rd_term goes_on,
                    rd_term *stride);

#endif
