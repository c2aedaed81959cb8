// SPDX-License-Identifier: MIT
/* A program: kernels, their schedule of rounds, the loop invariant and the goal. Programs are data;
 * they are defined in invariants/, beside the statement that they must keep.
 *
 * A client registers its own programs, rd_program_register(), and their kernels (launchable.h); docs/example/ has one.
 *
 * Thread safety: any thread may call these functions; an rd_expect serves one at a time.
 * Programs, and all that they point to, are constant. A client's own struct rd_program begins as zeros: a member that
 * is 0 or NULL is absent. */
#ifndef RD_PROGRAM_H
#define RD_PROGRAM_H

#include "checkpoint.h"
#include "kernels.h"
#include "numeric.h"
#include "shape.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Step s = 0 is before the first round; step s is after round s. */

/* The live cells of a step, on which the invariant makes its claim: the cells
 * 0, stride, 2*stride, …, (count - 1)*stride. The others are dead; a round leaves them alone. */
struct rd_claim {
    size_t count;
    size_t stride;
};

/* Tell whether the cell is live; whether any of the cells [first, end) is. */
bool rd_claim_has(const struct rd_claim *claim, size_t cell);
bool rd_claim_has_any(const struct rd_claim *claim, size_t first, size_t end);

enum { RD_STATEMENT_SIZE = 320 };

/* An argument of a kernel. */
enum rd_operand {
    RD_OPERAND_A,       /* the array under test */
    RD_OPERAND_INPUT,   /* the input a, if A is another array */
    RD_OPERAND_B,       /* the input b */
    RD_OPERAND_SCRATCH, /* `size` elements that nobody asserts; zero before the first round */
    RD_OPERAND_TICKET,  /* an unsigned number; zero before the first round and after each */
    RD_OPERAND_SIZE,    /* the number `size` */
};

/* Inputs, as bits of a mask. */
enum rd_input { RD_INPUT_A = 1, RD_INPUT_B = 2 };

enum { RD_OPERANDS_MAX = 6 };

/* Plan of a round, as the host chooses it. */
struct rd_round {
    unsigned number; /* 1 for the first */
    enum rd_kernel kernel;
    const char *kernel_name; /* "fold"; it lives as long as the program */
    const char *width_name;  /* of the variable that the rounds are counted by: "half", "D", … */
    size_t width;            /* its value in this round */
    size_t threads;          /* threads that have work to do, over all blocks */
    size_t grid;             /* blocks */
    unsigned block;          /* threads a block */
    unsigned grid_y;         /* the second dimensions; 0 is 1 */
    unsigned block_y;
    size_t shared_elems; /* dynamic shared memory, in elements */
    bool cooperative;    /* all blocks are resident, and may meet */
    bool spoils_inputs;  /* a fault whose kernel writes to its inputs, as documented */
    unsigned reads_max;  /* global reads and writes that a thread may make; 0: any number */
    unsigned writes_max;
    unsigned n_operands; /* the kernel's arguments, in its order: */
    struct {
        enum rd_operand kind;
        size_t size;
    } operands[RD_OPERANDS_MAX];
};

enum rd_goal {
    RD_GOAL_SUM,     /* A[0] = the sum of all a[j], or of all a[j]*b[j] */
    RD_GOAL_INPUT,   /* A = a */
    RD_GOAL_PRODUCT, /* A[i] = a[i]*b[i] for all i */
    RD_GOAL_TOTAL,   /* the host adds the cells of A in their order: the sum of all terms */
    RD_GOAL_LAST,    /* A is as the invariant says of the last step */
    RD_GOAL_RESULT,  /* the number that `result` computes from A is within its bound */
    RD_GOAL_NONE,    /* it promises nothing, and its exit stays open */
    RD_GOAL_UNASKED, /* of a recorded loop: nobody asks what holds at its exit, and its verdict is of its rounds alone */
};

/* A warp in the launch of a round, which comes to checkpoints. */
struct rd_passing {
    const struct rd_shape *shape;
    enum rd_type type;
    const struct rd_round *round;
    uint64_t block; /* linear in the grid */
    unsigned warp;
};

/* A documented invariant at a checkpoint inside a kernel, of a block's array or of the values that the lanes of a warp
 * hand in. The program's law says which of the two it is, how many cells there are, and which threads come to the point.
 * The array has its own expectation, with the run's inputs. */
struct rd_point_invariant {
    enum rd_point point;
    const char *array; /* name of the cells: "cache"; "r" for a register */
    /* Name of the loop's variable, by which the checkpoints are counted: "s". */
    const char *variable;
    /* A single block comes there, the last to draw a ticket, which may be any. */
    bool of_last_block;
};

/* A single number that a program ends with, next to its exact value. */
struct rd_outcome {
    const char *name; /* "mse" */
    double actual;
    /* From the exact value; of a program that ends with no number only the limit, of floats that its end is held to. */
    struct rd_deviation deviation;
    /* A sum in the number that the type can't hold: integers wrap, floats become infinite. */
    const struct rd_numeric *too_narrow; /* the type; NULL: it holds all the sums */
    const char *sum;                     /* the terms of that sum: "a[j]^2" */
    double sum_exact;                    /* its exact value, rounded to double */
    bool underflows; /* terms of its sums may underflow so far that no bound is promised */
    /* A product of so many factors that no bound is promised; `name` may be NULL. */
    bool many_roundings;
};

struct rd_program {
    size_t size;         /* sizeof(struct rd_program), as the client that fills it was compiled */
    const char *name;    /* "fold"; a fault of it is "fold:wrong-half" */
    const char *summary; /* one line */
    /* The program's paragraph in the language of laws; NULL: see rd_program_law. */
    const char *law;
    /* The program's rounds, if the paragraph doesn't have them: launches, without the word `launch`. */
    const char *launch;
    /* Optional: name of the kernel that is launched in place of those in `launch`. */
    const char *kernel;
    enum rd_goal goal;
    bool bounded; /* floats: the bound of the expression tree applies */
    /* Optional; NULL: all points of the paragraph. Names of the points that the program's kernels come to, separated by
     * spaces. A program with a law of its own comes to all points in it. */
    const char *points;
    /* For RD_GOAL_LAST and RD_GOAL_RESULT: the promise in words; in a registered program a law that its own law
     * implies after the last round. */
    const char *goal_text;
    /* Optional: the promise as its author wrote it, which is shown in the place of `goal_text`. */
    const char *goal_words;
    /* Required for RD_GOAL_RESULT: computes the outcome from the cells of A and from the inputs. */
    void (*result)(const struct rd_expect *expect, const void *cells, struct rd_outcome *outcome);
    /* Optional; NULL: a few. Estimated reads of a thread, as an expression of n, if they grow with n though each thread has
     * a cell of its own. The cost of a run is worked out from it. */
    const char *reads;
    /* Optional; NULL: the program takes no number of blocks. Default number of blocks, as an expression of n and T in the
     * language of laws. */
    const char *blocks;
    /* Name of a fault's right program; NULL: the name says it, as in PROGRAM:FAULT. */
    const char *twin;
    unsigned block; /* threads a block by default; 0: RD_BLOCK_DEFAULT */
    /* Cells are no sums of inputs, so that witness values tell nothing, and cells may hold no input. */
    bool no_witness;
    bool may_hang; /* on a GPU: it runs under a time limit, in a process of its own */
    /* Kernels and invariant take any operation, and not the sum alone. */
    bool any_operation;
    bool any_order; /* its blocks add in any order: of floats, the last bits depend on that */
    /* Optional; NULL: any n >= 1. Conditions on a shape, a line each: a condition on n, T and B in the language of laws,
     * ` else `, and the message if it is the first that doesn't hold, in which {EXPR} is replaced by a number and
     * {EXPR|NOUN} by a number and its noun. Without B, lines that speak of B are passed over. */
    const char *accept;
    /* Default size of a run, with its threads a block and its blocks if the user sets none of them (0: the defaults above).
     * They reach cases that round numbers would not: several blocks, more than one trip, and an end in the middle of a
     * block and of a warp. */
    size_t n;
    unsigned n_block;
    size_t n_grid;
    enum rd_type type;
    enum rd_operation operation;
    const char *values; /* as for --values; NULL: "iota" */
    /* Its rounds are those of a user's program, which were recorded: no kernel here makes them, whatever its name. The law
     * doesn't say in which order inputs are added: sums of floats are asserted by the bound of any order, not by their bits. */
    bool played;
    /* Of such a program, optional: the file that its loop is in, the text of that, of which lines may be left empty, and where
     * functions stand in it, a line each: name, first and last line. */
    const char *source_file, *source_text, *source_parts;
    /* Private to the library; NULL in a client's programs. */
    const struct rd_definition *definition;
};

/* All programs of the library, each followed by its faults, NULL-terminated. */
extern const struct rd_program *const rd_programs[];

/* Looks a program up by its name, among the library's and the registered ones, not among those that traces define.
 * Returns NULL if there is none. */
const struct rd_program *rd_program_named(const char *name);

/* Registers a copy of a client's own program for as long as the process lives. Required are name (1 to 63 of
 * a-z, 0-9 and '-'; PROGRAM:FAULT for a fault), summary, law, n and goal, from RD_GOAL_SUM to RD_GOAL_LAST, or RD_GOAL_NONE; `size` is
 * sizeof(struct rd_program). Its kernels must have been registered. The program
 * reduces by `operation`, one that doesn't select, and by no other, as its kernels do. The arguments of its
 * rounds are checked at its own n and at each n up to 32 that it accepts; so is, on inputs that look random, and by
 * a maximum, minimum, `and` or `or` on such of which each decides in turn, that `start` and `update` of its law lead to what the
 * law states, and by each run at its n, up to 2^16 elements, and at checkpoints, of the first 16 blocks and the last. *registered (optional) is the program that rd_program_named finds from
 * then on; if the same program is registered again, that of the first time. A trace of a run has the program's definition,
 * so that a reader can assert it again without the kernels. A program that a trace defines is known to that reader alone,
 * and may have the name of one that is registered here.
 *
 * RD_ERROR_USAGE: the paragraph can't be read (the message gives line and column) or contradicts itself, a kernel doesn't
 * exist or takes other arguments, rounds have no end, or another program has the name. RD_ERROR_MEMORY. Then nothing is
 * registered. */
enum rd_status rd_program_register(const struct rd_program *program,
                                   const struct rd_program **registered, struct rd_error *error);

/* Tells whether the program is a fault, wrong by design: it is named PROGRAM:FAULT, or has a twin. */
bool rd_program_is_fault(const struct rd_program *program);

/* Returns a fault's right program; the program itself if it is no fault, or if the right one is unknown, as for one that
 * a trace defines. Never NULL. */
const struct rd_program *rd_program_twin(const struct rd_program *program);

/* Returns the text of `reductio explain`: the comment over the invariant in invariants/, with the laws of the program's paragraph
 * where it speaks of them; empty if the program has none, as a client's. The caller frees it. NULL without memory. */
char *rd_program_explain(const struct rd_program *program);

/* The program's paragraph in the language of laws (law.h): its inputs, array, definitions, law and
 * update; for a fault without a law of its own, the right program's. NULL for a client's program that
 * has none. */
const char *rd_program_law(const struct rd_program *program);

/* Returns RD_OK if the program can run on n elements in that shape; else RD_ERROR_USAGE with the reason. */
enum rd_status rd_program_accept(const struct rd_program *program, const struct rd_shape *shape,
                                 struct rd_error *error);

/* Do the same for many shapes, but read the program's conditions only once. An acceptance serves one thread at a time; the
 * caller owns *acceptance. RD_ERROR_MEMORY. */
struct rd_acceptance;
enum rd_status rd_acceptance_create(struct rd_acceptance **acceptance,
                                    const struct rd_program *program, struct rd_error *error);
enum rd_status rd_acceptance_ask(struct rd_acceptance *acceptance, const struct rd_shape *shape,
                                 struct rd_error *error);
void rd_acceptance_destroy(struct rd_acceptance *acceptance); /* NULL is fine */

/* Returns RD_OK if the program's kernels are built for the type; else RD_ERROR_USAGE with the types that they are built
 * for. */
enum rd_status rd_program_accept_type(const struct rd_program *program, enum rd_type type,
                                      struct rd_error *error);

/* Returns RD_OK if the program can reduce by the operation; else RD_ERROR_USAGE with the reason. */
enum rd_status rd_program_accept_operation(const struct rd_program *program,
                                           enum rd_operation operation, struct rd_error *error);

/* A program's law at a step: its live cells (claim), whether a[j] or b[j] is in the sum that live cell i holds
 * (contains), and the sentence with the numbers of the step in it (statement). */
void rd_program_claim(const struct rd_program *program, const struct rd_shape *shape, unsigned step,
                      struct rd_claim *claim);
bool rd_program_contains(const struct rd_program *program, const struct rd_shape *shape,
                         unsigned step, size_t i, size_t j);
bool rd_program_contains_b(const struct rd_program *program, const struct rd_shape *shape,
                           unsigned step, size_t i, size_t j);
/* Set the expectation to the array before the first round, and move it on from step - 1 to step. RD_ERROR_MEMORY. */
enum rd_status rd_program_start(const struct rd_program *program, struct rd_expect *expect,
                                struct rd_error *error);
enum rd_status rd_program_advance(const struct rd_program *program, struct rd_expect *expect,
                                  unsigned step, struct rd_error *error);
/* Sets the expectation to the array at a checkpoint that the program documents. `from` (optional): the expectation is that
 * of the same block and warp when the loop's variable was *from, and is moved on from there. RD_ERROR_MEMORY. */
enum rd_status rd_program_expect_at(const struct rd_program *program, struct rd_expect *expect,
                                    const struct rd_place *at, const uint64_t *from,
                                    struct rd_error *error);
/* Writes the sentence, for a program that reduces by the operation. */
void rd_program_statement(const struct rd_program *program, const struct rd_shape *shape,
                          unsigned step, enum rd_operation operation, char text[RD_STATEMENT_SIZE]);
/* The same at a checkpoint inside the program's kernels, at a place that the program documents. */
void rd_program_claim_at(const struct rd_program *program, const struct rd_shape *shape,
                         const struct rd_place *at, struct rd_claim *claim);
void rd_program_statement_at(const struct rd_program *program, const struct rd_shape *shape,
                             const struct rd_place *at, enum rd_operation operation,
                             char text[RD_STATEMENT_SIZE]);
bool rd_program_contains_at(const struct rd_program *program, const struct rd_shape *shape,
                            const struct rd_place *at, size_t i, size_t j);
bool rd_program_contains_b_at(const struct rd_program *program, const struct rd_shape *shape,
                              const struct rd_place *at, size_t i, size_t j);
/* Plans round `number`, from 1 on; false if the loop has ended before it. */
bool rd_program_round(const struct rd_program *program, const struct rd_shape *shape,
                      unsigned number, struct rd_round *round);

/* The invariants inside the program's kernels, NULL-terminated, in the order of the paragraph, which is that in which a
 * warp comes to the points; points of the last block come last. The pointers stay valid as long as the program. */
const struct rd_point_invariant *const *rd_program_points(const struct rd_program *program);
/* Tells whether the program has such invariants. */
bool rd_program_has_points(const struct rd_program *program);
/* Returns the invariant at this point of the program's kernels; NULL if there is none. */
const struct rd_point_invariant *rd_program_point(const struct rd_program *program,
                                                  enum rd_point point);
/* Count the checkpoints that the warp comes to in the round, and find the k-th of them, from 0 on; false
 * if there are fewer. With `last`, the warp is of the last block, whose own checkpoints follow the others. */
size_t rd_program_passes(const struct rd_program *program, const struct rd_passing *by, bool last);
bool rd_program_pass(const struct rd_program *program, const struct rd_passing *by, bool last,
                     size_t k, struct rd_place *place);
/* Tells whether the lanes of a warp hand in a value each at the point; else it is an array of the block. Counts the point's
 * cells: for lanes RD_WARP_LANES, even if the warp has fewer. */
bool rd_program_point_is_of_lanes(const struct rd_program *program, enum rd_point point);
size_t rd_program_point_cells(const struct rd_program *program, const struct rd_shape *shape,
                              enum rd_point point);
/* Return how often the warp comes to the point, and the loop's variable at the k-th time, from 0 on; without steps in the
 * paragraph, the number of cells. At an array of the block both are the same for all warps. */
size_t rd_program_point_passes(const struct rd_program *program,
                               const struct rd_point_invariant *point, const struct rd_passing *by);
uint64_t rd_program_point_variable(const struct rd_program *program,
                                   const struct rd_point_invariant *point,
                                   const struct rd_passing *by, size_t k);
/* Returns the lanes of the warp that come to the point, lane k as the bit 2^k: all of them, or the first alone if the law
 * claims a single value. */
uint32_t rd_program_point_lanes(const struct rd_program *program, enum rd_point point,
                                const struct rd_passing *by);
/* Return the number of threads in a block of the round, in both dimensions, and of blocks in its grid. */
unsigned rd_round_threads(const struct rd_round *round);
uint64_t rd_round_blocks_in_all(const struct rd_round *round);

/* Returns the shape with defaults in place of members that are 0. */
struct rd_shape rd_program_shape(const struct rd_program *program, struct rd_shape asked);
/* Returns the shape of a run by default. */
struct rd_shape rd_program_default(const struct rd_program *program);
/* Tell whether, by the program's law, there is a second input, b; each input has n elements; kernels are passed the input
 * a, as A is another array; A starts as a. */
bool rd_program_has_b(const struct rd_program *program);
bool rd_program_has_n_inputs(const struct rd_program *program);
bool rd_program_passes_input(const struct rd_program *program);
bool rd_program_starts_as_input(const struct rd_program *program);
/* Return the number of cells of A, and of elements of each input. */
size_t rd_program_cells(const struct rd_program *program, const struct rd_shape *shape);
size_t rd_program_inputs(const struct rd_program *program, const struct rd_shape *shape);
size_t rd_program_inputs_b(const struct rd_program *program, const struct rd_shape *shape);

/* Returns the number of rounds that the program makes. */
unsigned rd_program_rounds(const struct rd_program *program, const struct rd_shape *shape);

/* Largest n at which the bound of floats is asserted for every live cell at every step; beyond it, for the
 * goal only: the wide sums would cost more memory and time than all the rest, and bit-equality with
 * the expression tree implies the bound. */
#define RD_BOUND_MAX ((size_t)1 << 22)

/* Sets up the expected array for a run of the program on these inputs (b may be NULL if the program takes none), as it is
 * at the start; a and b must outlive it. rd_program_advance moves it on, to step 0, to step 1 and so on. The caller calls
 * rd_expect_finish after success. RD_ERROR_MEMORY. */
enum rd_status rd_expect_init(struct rd_expect *expect, const struct rd_program *program,
                              const struct rd_numeric *numeric, const struct rd_shape *shape,
                              const void *a, const void *b, struct rd_error *error);
/* Frees what rd_expect_init made. */
void rd_expect_finish(struct rd_expect *expect);

/* Lets the expectation keep live cells only, which is faster if they lie apart. For states that
 * are not whole; straight after rd_expect_init. RD_ERROR_MEMORY: the expectation stays whole. */
enum rd_status rd_expect_live_only(struct rd_expect *expect, const struct rd_program *program,
                                   struct rd_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
