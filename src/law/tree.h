// SPDX-License-Identifier: MIT
/* A paragraph of laws as a tree. The parser makes it, names are resolved in it once, and from then on it stays
 * as it is. Private to src/law. */
#ifndef RD_LAW_TREE_H
#define RD_LAW_TREE_H

#include "reductio/law.h"

#include <stddef.h>

/* Memory that is freed as a whole. */

struct law_arena {
    struct law_arena_block *blocks; /* the one in use first */
};

/* Zeroed memory, aligned for any type; NULL where there is none. A size of 0 is fine. */
void *rd_law_arena_get(struct law_arena *arena, size_t size_bytes);

/* A copy of the first `length` bytes, with a NUL behind. */
char *rd_law_arena_text(struct law_arena *arena, const char *text, size_t length);

/* Room for one more behind items[count]: the array itself, or a copy of twice the size; *capacity is how many it has
 * room for. NULL where there is no memory. */
void *rd_law_arena_grow(struct law_arena *arena, void *items, size_t count, size_t *capacity,
                        size_t item_bytes);

void rd_law_arena_finish(struct law_arena *arena);

enum {
    LAW_BRACKETS_MAX = 200, /* levels of brackets, signs and `not` */
    LAW_HEIGHT_MAX = 500,   /* of an expression's tree */
    LAW_VARIABLES_MAX = 32, /* of a definition or a claim */
    LAW_INDICES_MAX = 8,    /* of an array or a function */
};

/* Bytes of the text, from begin on and before end. */
struct law_span {
    uint32_t begin, end;
};

enum law_kind {
    /* numbers */
    LAW_NUMBER,
    LAW_NAME,     /* a quantity, a variable, a definition without parameters, a scalar array */
    LAW_CALL,     /* a function that is built in */
    LAW_FUNCTION, /* NAME(x) of a definition */
    LAW_FAMILY,   /* NAME_k(x) of a definition: kids are k and then the x */
    LAW_NEGATIVE,
    LAW_BINARY,
    LAW_ELEMENT,   /* of an array */
    LAW_REDUCTION, /* kids are the term and then the conditions */
    /* conditions */
    LAW_COMPARISON, /* a chain: kids[0] relations[0] kids[1] relations[1] … */
    LAW_CONGRUENCE, /* kids[0] = kids[1] (mod kids[2]) */
    LAW_NOT,
    LAW_LOGIC, /* and, or */
};

enum law_operator {
    LAW_ADD,
    LAW_SUBTRACT,
    LAW_XOR,
    LAW_TIMES,
    LAW_SLASH,   /* rounds down, of a left side that isn't negative */
    LAW_DIV,     /* rounds down */
    LAW_PERCENT, /* the remainder that goes with / */
    LAW_MOD,     /* the one that goes with div */
    LAW_POWER,
    LAW_AND,
    LAW_OR,
    LAW_OPERATOR_COUNT
};

enum law_function {
    LAW_MIN,
    LAW_MAX,
    LAW_ABS,
    LAW_LOG2,
    LAW_BIT_CEIL,
    LAW_FLOOR, /* of a quotient: kids are the two sides */
    LAW_CEIL,
    LAW_FLOOR_ROOT, /* of a square root: the kid is what it is of */
    LAW_CEIL_ROOT,
    LAW_FUNCTION_COUNT
};

enum law_relation {
    LAW_LESS,
    LAW_LESS_EQUAL,
    LAW_GREATER,
    LAW_GREATER_EQUAL,
    LAW_EQUAL,
    LAW_NOT_EQUAL
};

/* The names that have a meaning without a definition. */
enum law_quantity {
    LAW_N,
    LAW_T,
    LAW_B,
    LAW_D,
    LAW_BLOCK,
    LAW_WARP,
    LAW_BYTES, /* of an element, in the condition of a point */
    LAW_STEP,  /* the variable of `steps` */
    LAW_QUANTITY_COUNT
};

/* The meaning of a name. */
enum law_meaning {
    LAW_UNRESOLVED,
    LAW_IS_QUANTITY,   /* slot: which */
    LAW_IS_VARIABLE,   /* slot: in the frame of the definition or claim */
    LAW_IS_DEFINITION, /* definition */
    LAW_IS_INPUT,      /* array */
    LAW_IS_STATE,      /* the section's own array */
    LAW_IS_LAST_STATE, /* the array of `section` after its last step */
};

struct law_node {
    enum law_kind kind;
    unsigned op; /* an operator, function or operation, by kind */
    bool bracketed;
    bool any_order; /* of a reduction */
    bool data;      /* resolved: it has a value of the elements' type, not a number; */
    bool term;      /* and is made of elements of the inputs alone */
    /* Resolved: the bound name that begins at this number, the same for all cases, and begins_from together; where that is below 0, the number counts as
     * undefined. NULL: none. */
    const char *begins;
    int64_t begins_from;
    uint16_t height;
    struct law_span span;
    int64_t number;
    const char *name, *point; /* point: of POINT.array */
    size_t n_kids;
    struct law_node **kids;
    const enum law_relation *relations; /* of a comparison, one less than kids */
    enum law_meaning meaning;
    unsigned slot;
    struct law_definition *definition;
    struct law_array *array;
    struct rd_law_section *section;
    struct law_binding *binding; /* of a reduction */
    bool looked_at;              /* resolved: what follows is known of it and of all in it */
    bool named;                  /* it speaks of names, */
    bool of_definitions;         /* of definitions, */
    uint32_t variables;          /* and of these variables: slot k as the bit 2^k */
};

static inline bool rd_law_is_condition(const struct law_node *node)
{
    return node->kind >= LAW_COMPARISON;
}

struct law_variable {
    const char *name;
    struct law_span span;  /* where it was bound */
    struct law_span range; /* of a `for`: the condition that binds it */
    unsigned slot;
};

/* The variables that a reduction or a `for` binds, and their conditions. */
struct law_binding {
    size_t n_variables;
    struct law_variable *variables;
    size_t n_conditions;
    struct law_node **conditions;
    struct law_plan *plan; /* see plan.h */
    /* Conditions that are true where the numbers at which names begin (law_node.begins) have values. They are asked first, also
     * where there is no case. */
    size_t n_begins;
    struct law_node **begins;
};

/* A way in which an element gets into a value: into its cell, or into the element of a defined array. */
struct law_way {
    struct law_way *next;
    const struct law_node *leaf; /* an element of an input or of a defined array */
    unsigned target;             /* the slot of its first index; the others' follow */
    struct law_binding binding; /* all variables on the way, and which of them have those indices */
};

/* All ways; they are known unless a definition stands between that can't be inverted. */
struct law_ways {
    bool known;
    struct law_way *first;
    unsigned frame; /* slots in all, with the targets */
};

struct law_array {
    const char *name;
    struct law_span span;
    size_t n_sizes;
    struct law_node **sizes;
    size_t index; /* of an input */
};

/* One equation of a definition. The frame holds the parameters, the index of NAME_(d+1), and then what is bound. */
struct law_equation {
    bool successor; /* NAME_(d+1); */
    int64_t index;  /* else of NAME_0 the 0 */
    const char *index_name;
    struct law_span index_span;
    size_t n_parameters;
    struct law_variable *parameters;
    struct law_node *body;
    unsigned frame; /* slots in all */
};

enum law_definition_kind { LAW_LET, LAW_LET_FUNCTION, LAW_LET_FAMILY, LAW_LET_ARRAY };

struct law_definition {
    enum law_definition_kind kind;
    const char *name;
    struct law_span span;
    struct rd_law_section *section; /* in which it is known; the first: in all */
    size_t index;                   /* among all of the paragraph */
    bool data;
    unsigned needs; /* the quantities that it speaks of, as bits */
    size_t n_equations, equations_capacity;
    struct law_equation *equations;
    /* For an array: its ranges, and of each index one more than the most or, inclusive, the most. */
    struct law_binding *ranges;
    struct law_node **sizes;
    bool *inclusive;
    struct law_ways ways;
};

struct law_claim {
    struct law_node *when;       /* NULL: always */
    struct law_binding *binding; /* NULL: no `for` */
    struct law_node *cell;
    struct law_node *value;
    bool whole;           /* the cell is the array's name: all of them */
    struct law_span span; /* without the `when` */
    unsigned frame;
    struct law_ways ways; /* of a law's claim */
    /* For a law's claim: its variables where the cell is known, whose indices stand in the slots from `target` on. No
     * plan: they can't be told from the cell. */
    struct law_binding of_cell;
    unsigned target;
};

struct law_claims {
    size_t count, capacity;
    struct law_claim *claims;
};

struct law_operand {
    struct law_node *node; /* as it was written */
    enum rd_law_operand_kind kind;
    size_t input;
};

/* The numbers of a launch besides its operands. */
enum { LAW_LAUNCH_NUMBERS = 11 };

/* A part that isn't written is NULL. */
struct law_launch {
    struct law_node *when; /* NULL: the first round alone */
    const char *kernel;
    struct law_span span;
    unsigned n_operands;
    struct law_operand operands[RD_LAW_OPERANDS_MAX];
    struct law_node *threads[2], *grid[2], *block[2]; /* in two dimensions */
    const char *counter;                              /* what the rounds are counted by, */
    struct law_node *count;                           /* and its value */
    struct law_node *shared, *reads, *writes;
    bool cooperative, spoils_inputs;
};

struct rd_law_section {
    const struct rd_law *law;
    const char *name; /* NULL of the first */
    struct law_span span;
    enum rd_law_array kind;
    struct law_array *array;
    struct law_variable *steps; /* NULL: none */
    struct law_node *first, *next, *last;
    struct law_node *met; /* the condition under which threads come to the point; NULL: always */
    bool of_last_block;
    unsigned needs;              /* the quantities that these speak of, as bits; */
    unsigned live_needs;         /* those on which its size and its live cells depend */
    struct law_claims claims[3]; /* by role */
    size_t index;
};

struct rd_law {
    struct law_arena arena;
    char *text;
    size_t n_given; /* characters before its author's: see rd_law_read */
    bool no_blocks; /* B has no value in the runs that it is for */
    size_t n_inputs, inputs_capacity;
    struct law_array **inputs;
    size_t n_sections, sections_capacity;
    struct rd_law_section **sections;
    size_t n_definitions, definitions_capacity;
    struct law_definition **definitions; /* in the order of the text, behind G = B*T */
    size_t n_launches, launches_capacity;
    struct law_launch *launches;
};

/* Names as they are written; "mod", "min", "<=", "n". */
const char *rd_law_operator_name(enum law_operator op);
const char *rd_law_function_name(enum law_function function);
const char *rd_law_relation_name(enum law_relation relation);
/* Relation of y to x, given that of x to y. */
enum law_relation rd_law_relation_mirrored(enum law_relation relation);
/* The equation to write behind number k of a definition; of a long list of numbers the ends are enough. `leaves_out` tells whether
 * some are left out between. */
size_t rd_law_next_written(const struct law_definition *definition, size_t k, bool *leaves_out);
const char *rd_law_quantity_name(enum law_quantity quantity); /* NULL of LAW_STEP */

/* Tells whether two expressions are the same but for spelling. */
bool rd_law_same_node(const struct law_node *x, const struct law_node *y);
bool rd_law_is_product(const struct law_node *node);
/* Tells whether it is a product of which a factor was defined, and may be a sum of nothing. */
bool rd_law_may_be_empty(const struct law_node *product);
bool rd_law_same_launch(const struct law_launch *x, const struct law_launch *y);

/* As rd_law_create, of a text of which so many characters are not its author's: they don't count.
 * Without blocks, names that need B are not offered where one is mistyped. */
enum rd_status rd_law_read(struct rd_law **law, const char *text, size_t n_given, bool no_blocks,
                           struct rd_law_error *error);

/* Fails at a place of the text; returns the status. */
enum rd_status rd_law_fail_at(const struct rd_law *law, struct rd_law_error *error,
                              struct law_span span, enum rd_status status, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
