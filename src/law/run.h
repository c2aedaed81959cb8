// SPDX-License-Identifier: MIT
/* A paragraph in evaluation. Private to src/law. */
#ifndef RD_LAW_RUN_H
#define RD_LAW_RUN_H

#include "law/plan.h"
#include "law/value_table.h"

#include <stdint.h>

/* Solves comparisons for a bound variable: the values that they leave. Private to src/law. */

/* v with least <= v <= most and (v - residue) mod modulus < window; modulus 0: any. */
struct candidates {
    int64_t least, most;
    int64_t residue, modulus, window;
    struct law_value_table *table; /* NULL, or: and v has the value in it */
    int64_t value;
    uint32_t at; /* in the table, of the last */
};

/* The values that a side must have: an interval or, with a modulus, a window of remainders. */
struct target {
    int64_t least, most;
    int64_t residue, modulus, window;
};

static inline int64_t floor_quotient(int64_t x, int64_t y)
{
    return x / y - (x % y != 0 && (x < 0) != (y < 0));
}

static inline int64_t ceil_quotient(int64_t x, int64_t y)
{
    return x / y + (x % y != 0 && (x < 0) == (y < 0));
}

static inline int64_t floor_remainder(int64_t x, int64_t y)
{
    const int64_t remainder = x % y;
    return remainder != 0 && (remainder < 0) != (y < 0) ? remainder + y : remainder;
}

enum {
    LAW_STACK_MAX = 1 << 15, /* variables of all frames */
    LAW_LEVELS_MAX = 3000,   /* expressions in each other, definitions expanded */
    LAW_WORK_DEFAULT = 1 << 30
};

/* The value of a definition without parameters, or of NAME_k, at this place. */
struct law_memo {
    uint64_t generation; /* of the place that it is of */
    int64_t value;
};

struct law_memos {
    struct law_memo *memos; /* by index */
    size_t count;
};

/* The value of r_k(x) or r(x), at this place, or at all. */
struct law_known {
    uint64_t generation; /* of the place, or of the sizes */
    const struct law_definition *definition;
    int64_t index, argument, value;
};

struct rd_law_run {
    const struct rd_law *law;
    bool has_b;
    int64_t quantities[LAW_QUANTITY_COUNT];
    const struct rd_law_section *section; /* that of the place */
    uint64_t generation;                  /* of the place; each has its own */
    uint64_t generation_of_sizes;         /* below that of each place with these sizes */
    struct law_memos *memos;              /* by definition */
    struct law_known *known; /* of definitions with one parameter; NULL until one is used */
    unsigned known_log2;     /* of their number */
    struct law_value_table tables[LAW_VALUE_TABLES];
    /* Frames; the variables of the one in use from `base` on. A push may move them. */
    int64_t *stack;
    size_t stack_capacity;
    size_t base, top;
    unsigned depth;
    uint64_t work, work_max;
    const volatile sig_atomic_t *interrupted; /* or NULL */
    uint64_t patience;          /* no call is interrupted before it has worked so much */
    struct rd_law_error *error; /* of the call under way */
    enum rd_status status;
    struct law_lanes *lanes;  /* made when first asked for: see lanes.h */
    struct rd_law_kept *kept; /* the caller's, or NULL */
};

/* Position of an evaluation; put back before the evaluation of another place. */
struct law_position {
    int64_t quantities[LAW_QUANTITY_COUNT];
    const struct rd_law_section *section;
    uint64_t generation;
    size_t base, top;
};

/* Starts a call: no error so far, no work done. */
void rd_law_run_begin(struct rd_law_run *run, struct rd_law_error *error);
/* Goes to a place of the section. False, and failed, where a number of the place is 2^63 or more. */
bool rd_law_run_go(struct rd_law_run *run, const struct rd_law_section *section,
                   const struct rd_law_place *place);
struct law_position rd_law_run_position(const struct rd_law_run *run);
void rd_law_run_return(struct rd_law_run *run, const struct law_position *position);

/* Fails at a node, with the place: "… at d = 3". Returns false. */
bool rd_law_run_fail(struct rd_law_run *run, const struct law_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* After a failure in the definition that the node uses: where that isn't the author's and the node is, the place becomes
 * the node's, and the message begins with the name. Returns false. */
bool rd_law_run_fail_in_use(struct rd_law_run *run, const struct law_node *node);
bool rd_law_run_no_memory(struct rd_law_run *run);
/* Counts work; false, and failed, where there was too much. */
bool rd_law_run_work(struct rd_law_run *run, const struct law_node *node);
/* The same of a value whose parts are worked out within; false, and failed, also where that is too deep. The caller leaves,
 * also then. */
bool rd_law_run_enter(struct rd_law_run *run, const struct law_node *node);
void rd_law_run_leave(struct rd_law_run *run);
/* The same of so many values that are worked out side by side. */
bool rd_law_run_work_on(struct rd_law_run *run, uint64_t lanes);

/* A frame of so many variables, in which the given are set; the caller puts *base and *top back. */
bool rd_law_run_push(struct rd_law_run *run, const struct law_node *node, unsigned frame,
                     const int64_t *values, size_t count, size_t *base, size_t *top);
void rd_law_run_pop(struct rd_law_run *run, size_t base, size_t top);

static inline int64_t *rd_law_run_variable(struct rd_law_run *run, unsigned slot)
{
    return &run->stack[run->base + slot];
}

/* The value of a number, and of a condition. False where there is none, and the run has failed. */
bool rd_law_number(struct rd_law_run *run, const struct law_node *node, int64_t *value);
bool rd_law_condition(struct rd_law_run *run, const struct law_node *node, bool *holds);
/* The same of a number without an error. Too much work is told by the next that counts it. */
bool rd_law_number_quietly(struct rd_law_run *run, const struct law_node *node, int64_t *value);

/* The equation of NAME_k that is for this k, and the parameters for its frame: the arguments, and what
 * NAME_(d+1) calls d. */
const struct law_equation *rd_law_equation_for(struct rd_law_run *run, const struct law_node *node,
                                               const int64_t *indices,
                                               int64_t values[LAW_INDICES_MAX + 1], size_t *count);
/* The frame in which the body of a definition is evaluated, for the node that uses it: its arguments are
 * evaluated, and those of an array checked. The body in *body. The caller pops. */
bool rd_law_enter(struct rd_law_run *run, const struct law_node *node, const struct law_node **body,
                  size_t *base, size_t *top);

/* Sets the sizes; of a run in which nothing is kept that was worked out of others. */
bool rd_law_run_resize(struct rd_law_run *run, const struct rd_law_sizes *sizes);

/* The plan by which nothing is passed over that is undefined. */
const struct law_plan *rd_law_plan_here(struct rd_law_run *run, const struct law_plan *plan);

/* Tries the variables of a binding in ascending order, the first outermost, and visits each case in which all
 * conditions hold, with the variables set. False where a visit was, or the run failed. */
typedef bool law_visit(struct rd_law_run *run, void *context);
bool rd_law_cases(struct rd_law_run *run, const struct law_binding *binding, law_visit *visit,
                  void *context);

/* The flat index of an element, row by row; of so many sizes, from the first index on. */
bool rd_law_flat_index(struct rd_law_run *run, const struct law_node *node,
                       const struct law_array *array, const int64_t *indices, int64_t *flat);
/* Finds the number of an array's elements at this place. */
bool rd_law_count(struct rd_law_run *run, const struct law_array *array, int64_t *count);

/* The step that follows a value of the variable of `steps`; *more is false where there is none. */
bool rd_law_next_step(struct rd_law_run *run, int64_t value, int64_t *next, bool *more);
/* Goes from the first to the last step of the run's section. */
bool rd_law_go_to_last_step(struct rd_law_run *run);

#endif
