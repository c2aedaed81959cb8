// SPDX-License-Identifier: MIT
/* A paragraph made ready for one run. With the sizes of the run put in, its numbers are short codes, its definitions
 * stand where they are used, and the cells of a claim are worked out side by side (numeric_lanes.h). It does what
 * apply.c does, in the same order and to the same bits, some thirty times as fast. It knows no errors: whatever has no
 * value or has a form that isn't provided for makes it give up, and then apply.c says what there is to say.
 * Private to src/law. */
#ifndef RD_LAW_LANES_H
#define RD_LAW_LANES_H

#include "reductio/numeric_lanes.h"
#include "law/run.h"

enum {
    /* Of a claim, with the quantities of the place, and with all definitions expanded. */
    LANE_VARIABLES = 56,
    LANE_STACK = 24, /* of a code */
    LANE_CHAIN = 6   /* quotients and remainders around a variable */
};

/* ---- numbers ---- */

enum lane_step {
    LANE_CONSTANT,
    LANE_VARIABLE,
    LANE_NEGATIVE,
    LANE_ADD,
    LANE_SUBTRACT,
    LANE_TIMES,
    LANE_QUOTIENT, /* rounded down */
    LANE_CEILING,
    LANE_REMAINDER,
    LANE_NATURAL, /* gives up of a number below 0, as '/' does */
    LANE_XOR,
    LANE_POWER,
    LANE_MIN,
    LANE_MAX,
    LANE_ABS,
    LANE_LOG2,
    LANE_BIT_CEIL,
    LANE_FLOOR_ROOT,
    LANE_CEIL_ROOT,
    LANE_LESS,
    LANE_LESS_EQUAL,
    LANE_EQUAL,
    LANE_NOT,
    LANE_AND,
    LANE_OR,
};

/* A number or a condition (0 or 1) as steps on a stack. */
struct lane_code {
    size_t count;
    struct lane_code_step {
        enum lane_step step;
        int64_t number; /* of a constant, or which variable */
    } * steps;
    uint64_t variables; /* that it speaks of, as bits; of the place's quantities, only `block` */
    /* Variables that a number doesn't follow as a straight line; of a condition, those on a line of which it may
     * hold at both ends and not between them. */
    uint64_t curved;
};

#define RD_LANE_BLOCK ((uint64_t)1 << LAW_BLOCK)

static inline bool rd_lane_is_constant(const struct lane_code *code)
{
    return code->count == 1 && code->steps[0].step == LANE_CONSTANT;
}

/* ---- what a variable goes through ---- */

/* 3 + floor(v / 4), for instance, in a comparison with what is known. */
struct lane_link {
    enum { LANE_LINK_OFFSET, LANE_LINK_QUOTIENT, LANE_LINK_REMAINDER } kind;
    struct lane_code code;
};

struct lane_atom {
    struct lane_code condition;
    /* Whether what follows is known: chain(line(v)) relation other, or = other (mod modulus). */
    bool hints;
    size_t n_links;
    struct lane_link links[LANE_CHAIN];
    struct lane_code line, other, modulus;
    bool congruence;
    enum law_relation relation;
};

struct lane_limit {
    struct lane_code size;
    bool inclusive;
};

struct lane_level {
    unsigned variable;
    size_t n_limits, n_atoms, atoms_capacity;
    struct lane_limit *limits;
    struct lane_atom *atoms;
};

/* A number that must have a value, and how large a divisor must be; where it may not, no case is skipped: see plan.h. */
struct lane_risk {
    struct lane_code code;
    bool divides;
    int64_t least; /* of a divisor; INT64_MIN: all but 0 */
};

struct lane_cases {
    size_t n_risks;
    struct lane_risk *risks;
    uint64_t *safe_at; /* the place at which there is none; NULL where it depends on variables */
    size_t n_checks, checks_capacity; /* conditions on none of the variables */
    struct lane_code *checks;
    size_t n_levels;
    struct lane_level *levels;
};

/* ---- values ---- */

enum lane_kind {
    LANE_NUMBER,
    LANE_ELEMENT,
    LANE_SUM_OF_TWO,
    LANE_DIFFERENCE,
    LANE_PRODUCT_OF_TWO,
    LANE_MINUS,
    LANE_RAISED,
    LANE_REDUCTION,
    LANE_CHECKED, /* kids[0], where the conditions hold */
    LANE_CHOICE,  /* kids[number] */
};

struct lane_value {
    enum lane_kind kind;
    const struct lane_value *kids[3];
    struct lane_code number; /* LANE_NUMBER, LANE_CHOICE */
    int64_t exponent;
    /* LANE_ELEMENT */
    enum law_meaning meaning;
    size_t input, n_indices;
    const struct rd_law_section *section;
    struct lane_code *indices, *sizes; /* [n_indices] */
    struct lane_code block, warp;
    /* LANE_REDUCTION: kids[0] is the term, kids[1] what it is added onto, or NULL */
    enum rd_operation operation;
    bool any_order;
    struct lane_cases cases;
    /* LANE_CHECKED */
    size_t n_conditions;
    struct lane_code *conditions;
};

struct lane_claim {
    bool has_when;
    struct lane_code when;
    struct lane_cases cases;
    bool turned; /* its two innermost variables change places */
    /* Its cases, or the size of an array in its value, aren't the same in all blocks. */
    bool by_block;
    size_t n_indices;
    struct lane_code *indices;
    const struct lane_value *value;
};

struct lane_claims {
    bool made, known; /* tried to make ready; and it could be */
    size_t count;
    struct lane_claim *claims;
};

/* The arrays of several blocks of threads, one behind the other. */
struct lane_blocks {
    int64_t first;
    size_t count; /* 1: the array of one, or the program's own */
    size_t cells; /* of each */
};

/* An array as it was before a step: a block of cells is copied before it is written. */
struct lane_before {
    unsigned char *cells; /* as they are, the caller's */
    size_t count, size_bytes;
    unsigned char *were;  /* of the blocks that are saved */
    unsigned char *saved; /* by block */
    size_t low, high;     /* only blocks from `low` up to `high` are */
    size_t capacity_bytes;
    struct lane_blocks blocks; /* whose arrays the cells are */
};

/* The cells that steps have written, as they were before: undoes the steps. */
struct lane_log {
    size_t n_steps, capacity, n_blocks;
    struct lane_logged {
        int64_t value;  /* of the steps' variable, before the step, */
        bool any_order; /* when a sum in any order had gone in */
        /* Its `were` and `saved` have the blocks from `low` to `high` alone. */
        struct lane_before before;
    } * steps;
};

/* An array in one block and warp, or those of several blocks, after the last of the steps, or after one before that. */
struct lane_state {
    bool known, under_way;
    bool any_order; /* a sum in any order has gone into it */
    struct lane_blocks blocks;
    int64_t warp, value;
    void *cells; /* [capacity] */
    size_t capacity_bytes;
    struct lane_before before;
    struct lane_log log;
};

struct lane_section {
    bool made, known;
    bool looked_at, steady; /* only the last of the steps depends on d */
    struct lane_code *sizes;
    struct lane_code first, next, last; /* of steps */
    struct lane_claims claims[3];
    struct lane_state state;
};

/* The paragraph in a run. */
struct law_lanes {
    struct law_arena arena;
    const struct rd_law *law;
    int64_t quantities[LAW_QUANTITY_COUNT];
    bool has_b;
    struct lane_section *sections;
    unsigned char *written;
    size_t written_capacity;
    unsigned char *buffers;    /* of values that are under way */
    struct lane_before before; /* of the program's own array */
    uint64_t n_places;         /* at which claims have been evaluated */
};

/* ---- making ready ---- */

/* NULL where there is no memory. */
struct law_lanes *rd_law_lanes_create(const struct rd_law *law, const struct rd_law_run *run);
void rd_law_lanes_destroy(struct law_lanes *lanes);

/* The values of a tree's variables. */
struct lane_names {
    struct lane_name {
        enum { LANE_NAME_NONE, LANE_NAME_VARIABLE, LANE_NAME_EXPRESSION, LANE_NAME_NUMBER } kind;
        unsigned variable;
        const struct law_node *node; /* with names of its own */
        const struct lane_names *names;
        int64_t number;
    } slots[LAW_VARIABLES_MAX];
};

struct lane_maker {
    struct law_lanes *lanes;
    const struct rd_law_section *section;
    unsigned n_variables; /* of the claim, so far */
    unsigned depth;       /* definitions and values in each other */
    unsigned n_values;
    unsigned number_depth, n_numbers; /* likewise, of a code that is being made */
};

/* The functions below are false, or NULL, where there is no such form. */
bool rd_lane_number(struct lane_maker *maker, const struct lane_names *names,
                    const struct law_node *node, struct lane_code *code);
bool rd_lane_condition(struct lane_maker *maker, const struct lane_names *names,
                       const struct law_node *node, struct lane_code *code);
/* left relation right */
bool rd_lane_relation(struct lane_maker *maker, const struct lane_code *left,
                      enum law_relation relation, const struct lane_code *right,
                      struct lane_code *code);
void rd_lane_constant(struct lane_maker *maker, int64_t number, struct lane_code *code);
/* The names in the body of a definition, which is used as the node; the body in *body. */
struct lane_names *rd_lane_enter(struct lane_maker *maker, const struct lane_names *names,
                                 const struct law_node *node, int64_t index,
                                 const struct law_node **body);
/* The cases of a binding; makes its variables known in `names`. */
bool rd_lane_cases(struct lane_maker *maker, struct lane_names *names,
                   const struct law_binding *binding, struct lane_cases *cases);
/* Makes the section's claims ready, once; false where they can't be. */
bool rd_lane_make_claims(struct law_lanes *lanes, const struct rd_law_section *section,
                         enum rd_law_role role);
bool rd_lane_make_section(struct law_lanes *lanes, const struct rd_law_section *section);

/* A step of a code on one number, or on two; false where it has no value. */
bool rd_lane_is_of_one(enum lane_step step);
bool rd_lane_of_one(enum lane_step step, int64_t x, int64_t *value);
bool rd_lane_of_two(enum lane_step step, int64_t x, int64_t y, int64_t *value);

/* ---- at work ---- */

/* Values of variables in lanes 0 and 1, from which those of the others follow: all lie on straight lines. */
struct lane_frame {
    size_t count;     /* of lanes */
    uint64_t varying; /* the variables that differ from lane to lane */
    int64_t here[LANE_VARIABLES], next[LANE_VARIABLES];
};

struct lane_work {
    struct law_lanes *lanes;
    struct rd_law_run *run; /* whose work is counted, and which may be interrupted */
    const struct rd_lanes *arithmetic;
    enum rd_operation operation; /* what stands for a sum */
    const void *const *inputs;
    size_t n_inputs; /* elements of the first, of an operation that selects */
    bool gave_up, any_order;
    struct lane_before *before; /* the array of the section */
    const struct rd_law_section *section;
    const struct law_node *said; /* the value that is worked out, or was when it became too much */
    uint64_t place;              /* each has its own */
    size_t depth;                /* buffers in use */
};

/* The number or the condition where variables have these values. Sets gave_up where there is none. */
int64_t rd_lane_evaluate_steps(struct lane_work *work, const struct lane_code *code,
                               const int64_t *values);
static inline int64_t rd_lane_evaluate(struct lane_work *work, const struct lane_code *code,
                                       const int64_t *values)
{
    const struct lane_code_step *step = code->steps;
    if (code->count > 1)
        return rd_lane_evaluate_steps(work, code, values);
    return step->step == LANE_CONSTANT ? step->number : values[step->number];
}

/* The number in all lanes: start + k*slope. False where it isn't so. The first looks at what may bend: k div 8, of k from
 * 8 to 15, is 1; and leaves numbers without a value to others. */
bool rd_lane_straight(const struct lane_code *code, const struct lane_frame *frame, int64_t *start,
                      int64_t *slope);
bool rd_lane_line(struct lane_work *work, const struct lane_code *code,
                  const struct lane_frame *frame, int64_t *start, int64_t *slope);
/* The number or the condition in each lane; false where it has no value in one of them. */
bool rd_lane_numbers(const struct lane_code *code, const struct lane_frame *frame,
                     int64_t numbers[RD_LANES_MAX]);
/* The variables' values in lane k, in a frame of that lane alone. */
void rd_lane_only(const struct lane_frame *frame, size_t k, struct lane_frame *one);

/* first, first + stride, …, count of them */
struct lane_run {
    int64_t first, stride, count;
};
typedef bool lane_visit(struct lane_work *work, struct lane_frame *frame,
                        const struct lane_run *innermost, unsigned variable, void *context);
/* Gives up where something is undefined in one of the lanes that mustn't be passed over; false, too, where that must be
 * asked lane by lane. */
bool rd_lane_is_safe(struct lane_work *work, const struct lane_cases *cases,
                     const struct lane_frame *frame);
/* Visits all cases, of the innermost variable as many at a time as lie evenly. The frame has one lane. Without
 * variables: once, with innermost NULL. */
bool rd_lane_each(struct lane_work *work, const struct lane_cases *cases, struct lane_frame *frame,
                  lane_visit *visit, void *context);
/* The run from its case `done` on, in as many lanes as there are, and no more than RD_LANES_MAX; without a run, one lane.
 * The frame is one of rd_lane_each, or a copy of it. False where the run has worked enough. */
bool rd_lane_part(struct lane_work *work, const struct lane_run *run, unsigned variable,
                  int64_t done, struct lane_frame *part);
/* One variable v, and a range of it in each lane: v = first + k*first_slope, + stride, + 2*stride, … up to `most` in each
 * lane k, or as many in each. False where it isn't so. */
struct lane_bundle {
    int64_t first, first_slope, stride, most;
    bool as_many;
    int64_t trips; /* where as_many */
};
bool rd_lane_bundle(struct lane_work *work, const struct lane_cases *cases,
                    const struct lane_frame *frame, struct lane_bundle *bundle);

/* The values in all lanes, which are at most RD_LANES_MAX. */
bool rd_lane_values(struct lane_work *work, const struct lane_value *value,
                    struct lane_frame *frame, void *values);
/* The k-th of values side by side. */
static inline void *rd_lane_of(const struct lane_work *work, void *values, size_t k)
{
    return (unsigned char *)values + k * work->arithmetic->size_bytes;
}

/* Tells whether one of the indices doesn't follow a straight line; and the flat index in all lanes where they do. That is
 * false, too, where one isn't in the array. */
bool rd_lane_curved(const struct lane_code *list, size_t count, const struct lane_frame *frame);
bool rd_lane_flat_line(struct lane_work *work, const struct lane_code *indices,
                       const struct lane_code *sizes, size_t n_indices,
                       const struct lane_frame *frame, int64_t *first, int64_t *stride);

/* Room for values; NULL where too many are under way. */
void *rd_lane_take(struct lane_work *work);
void rd_lane_give(struct lane_work *work);

/* Moves the array of the run's place on, or those of several blocks from there on; `operation` stands for a sum. False
 * where it gave up or the run has failed, and then the cells are as before. */
struct lane_move {
    enum rd_law_role role;
    const struct rd_lanes *arithmetic;
    enum rd_operation operation;
    const void *const *inputs;
    size_t n_inputs; /* as of a lane_work */
    /* Number of blocks whose arrays the cells are, one behind the other, from that of the place on. */
    size_t n_blocks;
};
bool rd_law_move_lanes(struct rd_law_run *run, const struct lane_move *move, void *cells,
                       bool *any_order);

/* Moves an array of the section on: by the claims of the role, from what `before` has begun with. `quantities` of the
 * frame are set. */
bool rd_lane_move(struct lane_work *work, const struct rd_law_section *section,
                  enum rd_law_role role, struct lane_frame *frame, struct lane_before *before);
/* Arrays at a point after their last step: of the block, and perhaps of others behind and before it. `wanted`: how many
 * the caller asks for, from the block on. */
const struct lane_state *rd_lane_last_state(struct lane_work *work,
                                            const struct rd_law_section *section, int64_t block,
                                            int64_t wanted, int64_t warp);
/* Tells whether the sizes and steps of the section are the same in all blocks. */
bool rd_lane_is_uniform(const struct law_lanes *lanes, const struct rd_law_section *section);

/* From a flat index in the array of one block to that in the arrays of all that are moved, in all lanes. */
static inline void rd_lane_to_block(const struct lane_before *before,
                                    const struct lane_frame *frame, int64_t *first, int64_t *stride)
{
    const struct lane_blocks *blocks = &before->blocks;
    if (blocks->count < 2)
        return;
    *first += (frame->here[LAW_BLOCK] - blocks->first) * (int64_t)blocks->cells;
    if (frame->varying & RD_LANE_BLOCK)
        *stride += (frame->next[LAW_BLOCK] - frame->here[LAW_BLOCK]) * (int64_t)blocks->cells;
}

/* ---- before a step ---- */

/* From here on the cells are as they were. False where there is no memory. */
bool rd_lane_before_begin(struct lane_before *before, void *cells, const struct lane_blocks *blocks,
                          size_t size_bytes);
void rd_lane_before_finish(struct lane_before *before);
/* Frees what is large. */
void rd_lane_before_let_go(struct lane_before *before);
/* Saves cells `first` to `last` before they are written. */
void rd_lane_before_write(struct lane_before *before, size_t first, size_t last);
/* Returns the array that has cells `first` to `last` as they were. */
const void *rd_lane_before_read(struct lane_before *before, size_t first, size_t last);
void rd_lane_before_restore(struct lane_before *before);

/* Adds the step, with the blocks that `before` has saved. A log that grows too long forgets all, and so does one without
 * memory. */
void rd_lane_log_add(struct lane_log *log, const struct lane_before *before, int64_t value,
                     bool any_order);
/* Undoes steps, as far as to the value, with *any_order as it was then; false where none of them began with it, and then
 * none is. */
bool rd_lane_log_return(struct lane_log *log, int64_t value, bool *any_order);
void rd_lane_log_forget(struct lane_log *log);
void rd_lane_log_finish(struct lane_log *log);

/* Tells whether the code does not depend on the quantity. */
bool rd_lane_is_without(const struct lane_code *code, enum law_quantity quantity);
void rd_lane_state_finish(struct lane_state *state);
/* The array that is kept from one move to the next; NULL where none is. */
struct lane_state *rd_lane_kept_state(struct lane_work *work, const struct rd_law_section *section);

#endif
