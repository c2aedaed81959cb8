// SPDX-License-Identifier: MIT
/* States of a thread that is executed symbolically. Private to its execution. */
#ifndef RD_PROVE_STATE_H
#define RD_PROVE_STATE_H

#include "prove/kernel/execution.h"

#include <limits.h>

enum value_kind {
    VALUE_NONE,
    VALUE_NUMBER,
    VALUE_ELEMENT,   /* how often the counted input is in it */
    VALUE_POINTER,   /* array + term; to `stride` elements, of which it points to the first */
    VALUE_PARTS,     /* a record or an array of elements: term's kids; see parts.c */
    VALUE_OF_CALLER, /* a pointer to a variable of that kind of a caller, the binding `of` */
    VALUE_PLACE,     /* threadIdx and its like */
    VALUE_TEXT,
    VALUE_SHAPE,  /* a dim3 of the host's: term's kids */
    VALUE_FACTOR, /* a float of the host's that is this whole number, and is given to kernels */
};

enum { RD_ORIGINS_MAX = 4 };

struct value {
    enum value_kind kind;
    rd_term term; /* of a condition, a condition: see rd_value_number */
    const struct rd_prove_array *array;
    const char *name;
    unsigned stride; /* 0: 1 */
    unsigned
        row; /* of a pointer to the first element of a row of an array of arrays: its length in those elements; 0: of another */
    size_t of;
    /* Of an element: the inputs of which it may hold elements, k as the bit 2^k; and that it is linear, a sum of elements of inputs,
     * each times a number. */
    unsigned inputs;
    bool is_linear;
    bool is_difference; /* of two that nothing else was done with: to add to it may take back */
    /* Of a cell that is read: that it was written by one of several ways, which exclude each other, by each of which
     * it has elements of fewer inputs. 0: of `inputs` is all that is known. */
    unsigned n_origins;
    struct {
        rd_term condition;
        unsigned inputs;
    } origins[RD_ORIGINS_MAX];
    struct rd_height height;
    /* Of a linear one, where the execution has squares: how often it holds the counted element of each input, as a left factor
     * and as a right one. */
    rd_term left[RD_PROVE_INPUTS_MAX], right[RD_PROVE_INPUTS_MAX];
};

static inline struct value rd_nothing(void)
{
    return (struct value){.kind = VALUE_NONE};
}
static inline struct value rd_number_value(rd_term term)
{
    return (struct value){.kind = VALUE_NUMBER, .term = term};
}
/* One of which it isn't known what it is of. */
static inline struct value rd_element_value(rd_term term)
{
    return (struct value){.kind = VALUE_ELEMENT, .term = term, .inputs = UINT_MAX};
}

/* Tells whether a variable of the type may be another's: a reference, or a type that isn't known. */
static inline bool rd_may_be_reference(const struct rd_syntax_type *type)
{
    return !type || type->kind == RD_SYNTAX_NO_TYPE;
}

/* Number of elements from one that a pointer points to, to the next. */
static inline unsigned rd_stride(const struct value *pointer)
{
    return pointer->stride > 0 ? pointer->stride : 1;
}

struct binding {
    const struct rd_syntax_declaration *declaration;
    struct value value;
};

#define NO_WAY ((size_t)-1)

enum flow { FLOW_RUNS, FLOW_RETURNED, FLOW_BROKE }; /* BROKE: out of a loop that is written out */

struct state {
    struct rd_cut from, base;         /* base: the last cut of the block */
    const struct rd_syntax_node *cut; /* the checkpoint that `from` is; NULL: the launch */
    unsigned phase_at_cut;
    rd_term path,
        control; /* control: the branches that it stands in, and that it has not left the kernel by */
    unsigned phase;  /* barriers since the base */
    unsigned grid;   /* barriers of the grid since the launch */
    size_t n_fenced; /* accesses before the latest fence */
    bool has_drawn;  /* a ticket */
    size_t way;      /* of the ticket; NO_WAY: none is drawn since the base */
    /* The condition, of the thread that has drawn, that a fence came behind it; is_here: since then no barrier of the block. */
    rd_term acquired;
    bool acquired_is_here;
    enum flow flow;
    struct value returned;
    size_t n_bindings, bindings_capacity, frame; /* those from `frame` on are the function's own */
    struct binding *bindings;
    size_t n_values, values_capacity;
    struct value *values; /* of parts of expressions */
    size_t n_accesses, accesses_capacity;
    struct rd_kernel_access *accesses;
    size_t n_earlier, earlier_capacity;
    struct rd_kernel_access *earlier; /* behind the base, and before `from`, a cut of lanes */
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
void rd_execution_add_trips(struct rd_execution *execution, struct rd_loop_trips loop);
/* Keeps the accesses as earlier ones. */
void rd_state_pass_lanes(struct rd_execution *execution, struct state *state);
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

/* Has a number that the kernel states, at the node (optional), stand for an element, where elements may be integers;
 * false of other values. */
bool rd_become_element(struct rd_execution *execution, const struct rd_syntax_node *node,
                       struct value *value);

/* ---- operation.c: of a user's kernel whose laws are no sums ---- */

/* The element that is this number, or a number that isn't whole: of sums any, else the neutral one alone. */
struct value rd_element_stated(struct rd_execution *execution, const struct rd_syntax_node *node,
                               rd_wide number);
struct value rd_element_of_text(struct rd_execution *execution, const struct rd_syntax_node *node);
bool rd_is_neutral(const struct rd_execution *execution, rd_wide number);
/* Combines two elements by the operation, which the operator must be. */
struct value rd_combine(struct rd_execution *execution, const struct rd_syntax_node *node,
                        const char *op, struct value x, struct value y);
/* Tells whether two elements compare in the type as they do in their own; true where the operation doesn't compare. */
bool rd_is_ordered_as(const struct rd_execution *execution, const struct rd_syntax_type *type);
/* Tells whether it is a function of the system's, and none of the user's that has such a name. */
bool rd_is_call_of_system(const struct rd_syntax_node *call);
/* Tells whether the call is the operation's atomic. */
bool rd_is_atomic_operation(const struct rd_execution *execution,
                            const struct rd_syntax_node *call);
/* Tells whether it is a call of min(), max() or their like, and of which. */
bool rd_is_selection(const struct rd_syntax_node *node, enum rd_operation *operation);
/* Each is false, and does nothing, of what is none: a call of max() and its like; x > y ? x : y, and an infinity; if (x > T) T = x. */
bool rd_call_selection(struct rd_execution *execution, struct states *states,
                       const struct rd_syntax_node *node);
bool rd_evaluate_selection(struct rd_execution *execution, struct states *states,
                           const struct rd_syntax_node *node);
bool rd_perform_selection(struct rd_execution *execution, struct states *states,
                          const struct rd_syntax_node *node);

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
void rd_shuffle(struct rd_execution *execution, struct states *states,
                const struct rd_syntax_node *node);
/* Returns the mask of lanes shifted to the left; NULL of a number that is none. */
rd_term rd_shifted_lanes(struct rd_execution *execution, struct state *state,
                         const struct rd_syntax_node *node, rd_term mask, rd_term by);
/* A fork by the value on top: `states` keep those for which it holds, `others` get the rest. */
void rd_fork(struct rd_execution *execution, struct states *states, struct states *others,
             rd_term condition_of[STATES_MAX]);

/* Local variables of several elements: arrays and records. */
/* What arrays of arrays have in the end, and how many of it are in a value of the type. NULL: 1. */
const struct rd_syntax_type *rd_type_element(const struct rd_syntax_type *type);
uint64_t rd_type_cells(const struct rd_syntax_type *type);
/* Returns the number of elements in a value of the type, which has nothing else; 0 of other types, and of more than a proof takes. */
unsigned rd_type_parts(const struct rd_syntax_type *type);
/* Tells whether the variable is such a one. */
bool rd_has_parts(const struct rd_syntax_declaration *declaration);
/* The value of parts that were never set; and that of parts of which nothing is known, but which of them were never set. */
struct value rd_parts_unset(struct rd_execution *execution, unsigned count);
struct value rd_parts_unknown(struct rd_execution *execution, const struct state *state,
                              const char *name, struct value before);
/* Makes one of two values of that kind; false where they can't be. */
bool rd_parts_join(struct rd_execution *execution, struct value *yes, struct value no,
                   rd_term condition);
/* Returns the value of the parts that lie there, which may hold elements of those inputs; of a type of one number, it
 * is an element. */
struct value rd_parts_from(struct rd_execution *execution, const struct rd_syntax_node *node,
                           const rd_term *parts, unsigned inputs);
/* Pops an index, and a value of parts or a pointer to such a variable, and returns the part; the same of a record's member. */
struct value rd_parts_at_index(struct rd_execution *execution, struct state *state,
                               const struct rd_syntax_node *node);
struct value rd_parts_at_member(struct rd_execution *execution, struct state *state,
                                const struct rd_syntax_node *node);
/* Pops what a list has, and returns its value. */
struct value rd_parts_of_list(struct rd_execution *execution, struct state *state,
                              const struct rd_syntax_node *node);
/* Returns the variable, be it of a caller, of whose parts the node is some: p[k].x[v]; NULL: of none. */
struct binding *rd_parts_named(struct state *state, const struct rd_syntax_node *node);
/* Evaluates all indices of the node; assigns to its parts the value on top, above the indices. */
void rd_parts_evaluate_indices(struct rd_execution *execution, struct states *states,
                               const struct rd_syntax_node *node);
void rd_parts_assign(struct rd_execution *execution, struct state *state,
                     const struct rd_syntax_node *assignment);
/* Evaluates an argument: of an array of the function's own it is a pointer. */
void rd_parts_argument(struct rd_execution *execution, struct states *states,
                       const struct rd_syntax_node *node);
/* Tells whether the function that is executed has a pointer to such a variable of its caller. */
bool rd_points_to_caller(const struct state *state);

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
/* Tells whether something in the node, or in a function that it calls, may set a cell. */
bool rd_stores(struct rd_execution *execution, const struct rd_syntax_node *node);
/* Returns the checkpoint of lanes that an `if` in a loop guards, where it does nothing else; NULL of others. */
const struct rd_syntax_node *rd_guarded_lane(const struct rd_syntax_node *node);

/* Computes with two values, or with two numbers; the operator is the node's, or that of its compound assignment. */
struct value rd_binary(struct rd_execution *execution, struct state *state,
                       const struct rd_syntax_node *node, const char *op, struct value x,
                       struct value y);
struct value rd_compute(struct rd_execution *execution, struct state *state,
                        const struct rd_syntax_node *node, const char *op, rd_term x, rd_term y);
/* Returns the product of two values, linear in each input: that both have elements of one input must never be, as a
 * requirement. NULL where that can't be told. */
rd_term rd_product_of_units(struct rd_execution *execution, struct state *state,
                            const struct rd_syntax_node *node, const struct value *x,
                            const struct value *y);
/* Heights: of nothing, an element of an input, a cell at the cut; of sums and products. */
struct rd_height rd_height_nothing(void);
struct rd_height rd_height_load(struct rd_execution *execution);
struct rd_height rd_height_cell(struct rd_execution *execution);
struct rd_height rd_height_either(struct rd_execution *execution, struct rd_height x,
                                  struct rd_height y);
struct rd_height rd_height_sum(struct rd_execution *execution, struct rd_height x,
                               struct rd_height y);
struct rd_height rd_height_product(struct rd_execution *execution, struct rd_height x,
                                   struct rd_height y);
/* Returns that of an accumulator behind so many trips of a loop, NULL: it isn't known how many; `trip`: behind one, from mark 0. */
struct rd_height rd_height_of_trips(struct rd_execution *execution, struct rd_height before,
                                    struct rd_height trip, rd_term trips);

/* Elements: a number, one of an input, a sum or difference, a choice. */
struct value rd_element_number(struct rd_execution *execution, rd_wide number);
struct value rd_element_of_input(struct rd_execution *execution, unsigned input, rd_term index,
                                 rd_term term);
struct value rd_element_sum(struct rd_execution *execution, struct value x, struct value y,
                            int sign);
struct value rd_element_choice(struct rd_execution *execution, rd_term condition, struct value yes,
                               struct value no);
/* The product; false where unit vectors don't tell its value. */
bool rd_element_product(struct rd_execution *execution, struct value x, struct value y,
                        struct value *product);
/* Tells whether the difference takes nothing back that was added: both are sums of elements, of other inputs. */
bool rd_element_is_apart(struct value x, struct value y);

/* Fails where an element becomes one of a type with fewer bits; of built-in sums the bound takes that into account. */
void rd_check_rounding(struct rd_execution *execution, const struct rd_syntax_node *node,
                       const struct rd_syntax_type *from, const struct rd_syntax_type *to);

/* Converts the value to the type of the node, a cast. */
struct value rd_convert(struct rd_execution *execution, struct state *state,
                        const struct rd_syntax_node *node, struct value value);

/* ---- memory that blocks share: scratch.c, ticket.c ---- */

/* All threads of the grid meet: what they wrote to scratch memory is there. */
void rd_meet(struct rd_execution *execution, struct states *states,
             const struct rd_syntax_node *call);
/* Adds what the first accesses of the state have written to scratch memory; `by_ticket` is the condition that a thread draws it, or
 * NULL. The writing thread is known to have come by the state's path. */
void rd_publish(struct rd_execution *execution, const struct state *state, size_t n_accesses,
                rd_term by_ticket, const struct rd_syntax_node *node);
/* Returns the condition that a thread came there by no other way than this one. */
rd_term rd_by_way(const struct rd_execution *execution, size_t way);
/* Requires that the state has written nothing to scratch memory that isn't published. */
void rd_require_published(struct rd_execution *execution, struct state *state,
                          const struct rd_syntax_node *node);
struct value rd_read_scratch(struct rd_execution *execution, struct state *state,
                             const struct rd_prove_array *array, rd_term index,
                             const struct rd_syntax_node *node);
/* Returns the parts of the path that the other hasn't: what remains to be shown of a thread that has come by that one. */
rd_term rd_beyond(struct rd_terms *terms, rd_term path, rd_term other);
/* Tells whether the term depends on a loop's variable. */
bool rd_has_head(const struct rd_execution *execution, rd_term term);

void rd_pass_fence(struct rd_execution *execution, struct states *states,
                   const struct rd_syntax_node *call);
void rd_draw_ticket(struct rd_execution *execution, struct states *states,
                    const struct rd_syntax_node *call);
/* __syncthreads_or(): behind a barrier, whether the number isn't 0 of some thread of the block. */
void rd_meet_or(struct rd_execution *execution, struct states *states,
                const struct rd_syntax_node *call);
/* Puts, in a comparison of what was drawn with the last ticket, that the block is the one that draws it. */
rd_term rd_compare_ticket(struct rd_execution *execution, rd_term equation);
/* Requires what a thread relies on that reads behind the last ticket. */
void rd_require_last(struct rd_execution *execution, struct state *state,
                     const struct rd_syntax_node *node);
/* Tells whether the state has passed a barrier, a fence or a ticket that the other hasn't. */
bool rd_has_passed(const struct state *state, const struct state *other);
void rd_synchronize(struct rd_execution *execution, struct state *state,
                    const struct rd_syntax_node *node);

/* Pops an index and a pointer, and makes one pointer of them. */
void rd_pop_index(struct rd_execution *execution, struct state *state,
                  const struct rd_syntax_node *node, struct value *pointer);
/* Tells whether the value is one of a variable of that type: a pointer is none of a thread's own array, which is a copy. */
bool rd_is_of_type(struct value value, const struct rd_syntax_type *type);
/* Reads what the pointer points to: a cell, or several. */
struct value rd_read_cells(struct rd_execution *execution, struct state *state,
                           const struct value *pointer, const struct rd_syntax_node *node);
/* Returns a number of which nothing is known, of that thread at its trips of loops; and an element of such a count. */
rd_term rd_unknown(struct rd_execution *execution, const struct state *state, const char *name);
struct value rd_unknown_element(struct rd_execution *execution, const struct state *state,
                                const char *name);
/* Returns a pointer to the array in shared memory that the node declares or, at file scope, names. */
struct value rd_shared_value(struct rd_execution *execution, const struct rd_syntax_node *node);
/* Reads a cell, and records the access. */
struct value rd_read_memory(struct rd_execution *execution, struct state *state,
                            const struct rd_prove_array *array, rd_term index,
                            const struct rd_syntax_node *node);

#endif
