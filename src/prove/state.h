// SPDX-License-Identifier: MIT
/* States of a thread that is executed symbolically. Private to its execution. */
#ifndef RD_PROVE_STATE_H
#define RD_PROVE_STATE_H

#include "prove/execution.h"

enum value_kind {
    VALUE_NONE,
    VALUE_NUMBER,
    VALUE_ELEMENT, /* how often the counted input is in it */
    VALUE_POINTER, /* array + term */
    VALUE_PLACE,   /* threadIdx and its like */
    VALUE_TEXT,
};

struct value {
    enum value_kind kind;
    rd_term term; /* of a condition, a condition: see rd_value_number */
    const struct rd_prove_array *array;
    const char *name;
};

static inline struct value rd_nothing(void)
{
    return (struct value){.kind = VALUE_NONE};
}
static inline struct value rd_number_value(rd_term term)
{
    return (struct value){.kind = VALUE_NUMBER, .term = term};
}
static inline struct value rd_element_value(rd_term term)
{
    return (struct value){.kind = VALUE_ELEMENT, .term = term};
}

struct binding {
    const struct rd_syntax_declaration *declaration;
    struct value value;
};

enum flow { FLOW_RUNS, FLOW_RETURNED };

struct state {
    struct rd_cut from, base;         /* base: the last cut of the block */
    const struct rd_syntax_node *cut; /* the checkpoint that `from` is; NULL: the launch */
    unsigned phase_at_cut;
    rd_term path,
        control; /* control: the branches that it stands in, and that it has not left the kernel by */
    unsigned phase; /* barriers since the base */
    enum flow flow;
    struct value returned;
    size_t n_bindings, bindings_capacity, frame; /* those from `frame` on are the function's own */
    struct binding *bindings;
    size_t n_values, values_capacity;
    struct value *values; /* of parts of expressions */
    size_t n_accesses, accesses_capacity;
    struct rd_kernel_access *accesses;
    size_t n_requirements, requirements_capacity;
    struct rd_requirement *requirements;
};

enum { STATES_MAX = 64 };

struct states {
    size_t count;
    struct state *items[STATES_MAX];
};

struct state *rd_state_create(struct rd_execution *execution);
struct state *rd_state_copy(struct rd_execution *execution, const struct state *state);
void rd_state_destroy(struct state *state);
void rd_states_add(struct rd_execution *execution, struct states *states, struct state *state);
void rd_states_finish(struct states *states);
/* Moves all of `from` behind those of `to`. */
void rd_states_move(struct rd_execution *execution, struct states *to, struct states *from);

void rd_state_push(struct rd_execution *execution, struct state *state, struct value value);
struct value rd_state_pop(struct state *state);
void rd_state_bind(struct rd_execution *execution, struct state *state,
                   const struct rd_syntax_declaration *declaration, struct value value);
struct binding *rd_state_find(struct state *state, const struct rd_syntax_declaration *declaration);
void rd_state_access(struct rd_execution *execution, struct state *state,
                     struct rd_kernel_access access);
void rd_state_require(struct rd_execution *execution, struct state *state, rd_term condition,
                      const struct rd_syntax_node *node, const char *what);

/* Makes one of two states that are at the same place, where `yes` is the one for which the condition holds; false where they
 * can't be. `yes` is the result, `no` is destroyed. */
bool rd_state_join(struct rd_execution *execution, struct state *yes, struct state *no,
                   rd_term condition, rd_term path_before);
/* Joins those that can be. */
void rd_states_join(struct rd_execution *execution, struct states *states);

/* Ends the state's segment at the cut. */
void rd_state_record(struct rd_execution *execution, const struct state *state, struct rd_cut to,
                     rd_term lane);

/* Stops the execution with a reason; the first stays. */
void rd_execution_fail(struct rd_execution *execution, const struct rd_syntax_node *node,
                       const char *format, ...) __attribute__((format(printf, 3, 4)));
void rd_execution_fail_memory(struct rd_execution *execution);
static inline bool rd_execution_goes(const struct rd_execution *execution)
{
    return !*execution->failure && !rd_terms_failed(execution->terms);
}

/* Finds the least and the greatest number of an integer type or bool; false of others. */
bool rd_type_range(const struct rd_syntax_type *type, rd_wide *least, rd_wide *most);
/* Requires that the number is one of the type's. */
void rd_require_range(struct rd_execution *execution, struct state *state, rd_term term,
                      const struct rd_syntax_type *type, const char *what, unsigned line);
/* The number; 1 or 0 of a condition. */
rd_term rd_value_number(struct rd_execution *execution, struct value value);
/* The condition; of a number, that it isn't 0. */
rd_term rd_value_condition(struct rd_execution *execution, struct value value);

/* Has a number that the kernel states stand for an element, where elements may be integers; false of other values. */
bool rd_become_element(struct rd_execution *execution, struct value *value);

/* Evaluate the expression in each state, which gets its value on top; and execute the statement. */
void rd_evaluate(struct rd_execution *execution, struct states *states,
                 const struct rd_syntax_node *node);
void rd_perform(struct rd_execution *execution, struct states *states,
                const struct rd_syntax_node *node);
void rd_perform_loop(struct rd_execution *execution, struct states *states,
                     const struct rd_syntax_node *node);
void rd_call(struct rd_execution *execution, struct states *states,
             const struct rd_syntax_node *node);
/* Tells whether the unit has another function of that name. */
bool rd_is_overloaded(const struct rd_execution *execution,
                      const struct rd_syntax_function *function);
/* Returns the branches that all states stand in; NULL where they differ. Those that run stand in them again behind a call or a
 * loop. */
rd_term rd_common_control(const struct states *states);
void rd_restore_control(struct states *states, rd_term control);
/* Requires, of any other thread of the warp for which the first condition holds, the second. */
void rd_require_of_lanes(struct rd_execution *execution, struct state *state,
                         const struct rd_syntax_node *node, rd_term given, rd_term condition,
                         const char *what);
void rd_shuffle_down(struct rd_execution *execution, struct states *states,
                     const struct rd_syntax_node *node);
/* A fork by the value on top: `states` keep those for which it holds, `others` get the rest. */
void rd_fork(struct rd_execution *execution, struct states *states, struct states *others,
             rd_term condition_of[STATES_MAX]);

/* Cuts. */
struct loop_cut {
    const struct rd_syntax_node *loop, *condition, *body,
        *call; /* and its checkpoint, once it was visited */
    bool visited;
    size_t frame;
    rd_term came; /* the path of a thread that has come to the checkpoint */
};
void rd_arrive(struct rd_execution *execution, struct states *states,
               const struct rd_syntax_node *call, bool of_lanes);
bool rd_has_cut(struct rd_execution *execution, const struct rd_syntax_node *node);
/* Tells whether something in the node sets a variable or a cell. */
bool rd_sets(const struct rd_syntax_node *node);

/* Computes with two values, or with two numbers; the operator is the node's, or that of its compound assignment. */
struct value rd_binary(struct rd_execution *execution, struct state *state,
                       const struct rd_syntax_node *node, const char *op, struct value x,
                       struct value y);
struct value rd_compute(struct rd_execution *execution, struct state *state,
                        const struct rd_syntax_node *node, const char *op, rd_term x, rd_term y);
/* Converts the value to the type of the node, a cast. */
struct value rd_convert(struct rd_execution *execution, struct state *state,
                        const struct rd_syntax_node *node, struct value value);

/* Pops an index and a pointer, and makes one pointer of them. */
void rd_pop_index(struct rd_execution *execution, struct state *state,
                  const struct rd_syntax_node *node, struct value *pointer);
/* Reads a cell, and records the access. */
struct value rd_read_memory(struct rd_execution *execution, struct state *state,
                            const struct rd_prove_array *array, rd_term index,
                            const struct rd_syntax_node *node);

#endif
