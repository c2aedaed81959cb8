// SPDX-License-Identifier: MIT
/* A program: kernels, their schedule of rounds, the loop invariant and the goal. Programs are data;
 * they are defined in invariants/, beside the statement that they must keep.
 *
 * A client registers its own programs, rd_program_register(), and their kernels (launchable.h); docs/example/ has one.
 *
 * Thread safety: any thread may call these functions; an rd_expect serves one at a time.
 * Programs, and what they point to, are constant. One of a client's own begins as zeros: a member that is 0
 * or NULL is absent. */
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

/* Tells whether the claim speaks of the cell; of any from `first` on and before `end`. */
bool rd_claim_has(const struct rd_claim *claim, size_t cell);
bool rd_claim_has_any(const struct rd_claim *claim, size_t first, size_t end);

enum { RD_STATEMENT_SIZE = 320 };

/* An argument of a kernel. */
enum rd_operand {
    RD_OPERAND_A,       /* the array under test */
    RD_OPERAND_INPUT,   /* the input a, where A is another array */
    RD_OPERAND_B,       /* the input b */
    RD_OPERAND_SCRATCH, /* `size` elements that nobody asserts; zero before the first round */
    RD_OPERAND_TICKET,  /* an unsigned number; zero before the first round and after each */
    RD_OPERAND_SIZE,    /* the number `size` */
};

/* Sets of the inputs. */
enum rd_input { RD_INPUT_A = 1, RD_INPUT_B = 2 };

enum { RD_OPERANDS_MAX = 6 };

/* One round, as the host chooses it. */
struct rd_round {
    unsigned number; /* 1 for the first */
    enum rd_kernel kernel;
    const char *kernel_name; /* "fold"; it lives as long as the program */
    const char *width_name;  /* what the rounds are counted by: "half", "D", … */
    size_t width;            /* its value in this round */
    size_t threads;          /* how many threads have work to do */
    size_t grid;             /* blocks */
    unsigned block;          /* threads a block */
    unsigned grid_y;         /* the second dimensions; 0 is 1 */
    unsigned block_y;
    size_t shared_elems; /* dynamic shared memory */
    bool cooperative;    /* all blocks are resident, and may meet */
    bool spoils_inputs;  /* a fault's kernel that writes to its inputs, and is known to */
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
    RD_GOAL_LAST,    /* what the invariant says of the last step */
    RD_GOAL_RESULT,  /* what `result` makes of A, next to what it should be */
};

/* A warp in the launch of a round, which comes to checkpoints. */
struct rd_passing {
    const struct rd_shape *shape;
    enum rd_type type;
    const struct rd_round *round;
    uint64_t block; /* linear in the grid */
    unsigned warp;
};

/* A documented invariant at a checkpoint inside a kernel: what the array of a block, or the values
 * that the lanes of a warp hand in, must be there. Which of the two, how many cells, and where threads come there, the
 * program's law says of the point. The array has its own expectation, with the run's inputs. The functions that take a
 * place may rely on what rd_points_accept asks of it. */
struct rd_point_invariant {
    enum rd_point point;
    const char *array;    /* what the cells are called: "cache"; "r" of a register */
    const char *variable; /* what the checkpoints are counted by: "s" */
    bool of_last_block;   /* one block comes there, the last to draw a ticket: any of them may be */
};

/* A single number that a program ends with, and what it should be. */
struct rd_outcome {
    const char *name; /* "mse" */
    double actual;
    struct rd_deviation deviation; /* from the exact value */
    /* A sum that the number is made of and that the type cannot hold: integers wrap, floats become
     * infinite. */
    const struct rd_numeric *too_narrow; /* the type; NULL: it holds all the sums */
    const char *sum;                     /* what is summed: "a[j]^2" */
    double sum_exact;
    bool underflows;     /* terms of its sums may underflow so far that no bound is promised */
    bool many_roundings; /* of a product, for which no bound is promised; there need be no name */
};

struct rd_program {
    size_t size;         /* sizeof(struct rd_program) of who fills it: see rd_program_register() */
    const char *name;    /* "fold"; a fault of it is "fold:wrong-half" */
    const char *summary; /* one line */
    /* Its paragraph in the language of laws; NULL: see rd_program_law. */
    const char *law;
    /* Its rounds, where the paragraph doesn't say them: launches, without the word `launch`. */
    const char *launch;
    const char *kernel; /* optional: this one is launched, and not those that `launch` names */
    enum rd_goal goal;
    bool bounded; /* floats: the bound of the expression tree applies */
    /* Optional; NULL: all points of the paragraph. Those of them that its kernels come to, by name, with spaces between; of a
     * law of the program's own that is all of them. */
    const char *points;
    const char *
        goal_text; /* of RD_GOAL_LAST and RD_GOAL_RESULT: what is promised, in words; of one that is registered a law, which its own implies when the rounds are over */
    /* For RD_GOAL_RESULT: works the outcome out from the cells of A and from the inputs. */
    void (*result)(const struct rd_expect *expect, const void *cells, struct rd_outcome *outcome);
    /* Optional; NULL: a few. How often a thread reads, about, where that grows with n though each thread has a
     * cell of its own, as an expression of n: for who has to know what a run costs. */
    const char *reads;
    /* Optional; NULL: the program takes no number of blocks. How many it takes where the user says nothing:
     * an expression of n and T in the language of laws. */
    const char *blocks;
    /* For a fault that is not named PROGRAM:FAULT: the right program to look at. NULL: by
     * the name. */
    const char *twin;
    unsigned block; /* threads a block where the user says nothing; 0: RD_BLOCK_DEFAULT */
    /* The result is no sum of inputs, so that witness values say nothing, and cells need hold none. */
    bool no_witness;
    bool may_hang; /* on a GPU: it runs under a time limit, in a process of its own */
    /* Its kernels and its invariant are of any operation, and not of the sum alone. */
    bool any_operation;
    bool any_order; /* its blocks add in any order: of floats, the last bits depend on that */
    /* Optional; NULL: any n >= 1. What is asked of a shape, a line each, the first that doesn't hold being told: a condition
     * of n, T and B in the language of laws, ` else `, and the message, in which {EXPR} is a number and {EXPR|NOUN} so many
     * of them. Without B a line that speaks of it asks nothing. */
    const char *accept;
    /* The default size of a run. With that n go, where nothing is said of blocks either, so
     * many threads a block and so many blocks (0: as else): they reach what round numbers would not, several
     * blocks, more than one trip, and the end of each in the middle of a block and of a warp. */
    size_t n;
    unsigned n_block;
    size_t n_grid;
    enum rd_type type;
    enum rd_operation operation;
    const char *values; /* as for --values; NULL: "iota" */
    /* The library's own, of programs that it keeps: NULL of those that callers make. */
    const struct rd_definition *definition;
};

/* All programs of the library, each followed by its faults, NULL-terminated. */
extern const struct rd_program *const rd_programs[];

/* Looks a program up by its name, one that is registered, too, but none that a trace defines. Returns NULL where there is
 * none. */
const struct rd_program *rd_program_named(const char *name);

/* Registers a program of the client's own, of which it makes a copy, for as long as the process lives: name (1 to 63 of
 * a-z, 0-9 and '-'; PROGRAM:FAULT of a fault), summary, law, n and goal are required, `size` is sizeof(struct rd_program).
 * Its kernels must have been registered; goals are those from RD_GOAL_SUM to RD_GOAL_LAST. It
 * reduces by `operation`, one that doesn't select, and by no other: that is what its kernels are written for. What its
 * rounds pass is checked on its own n and on those up to 32 that it accepts. *registered (optional) is what rd_program_named
 * finds from then on; of the very same program, registered again, it is that of the first time. A trace of a run of it has
 * its definition: whoever reads that can assert it again without the kernels. What a trace defines is its reader's alone, and
 * may have the name of a program that is registered here.
 *
 * RD_ERROR_USAGE, with line and column where the paragraph can't be read: also where a kernel isn't there or takes other
 * arguments, rounds have no end, or the name is another program's. RD_ERROR_MEMORY. Then nothing is registered. */
enum rd_status rd_program_register(const struct rd_program *program,
                                   const struct rd_program **registered, struct rd_error *error);

/* Tells whether it is a fault, wrong by design: named PROGRAM:FAULT, or with a twin. */
bool rd_program_is_fault(const struct rd_program *program);

/* The right program that a fault goes with; or the program itself, also where that isn't there, as of one that a trace
 * defines. Never NULL. */
const struct rd_program *rd_program_twin(const struct rd_program *program);

/* The text of `reductio explain`: the comment over the invariant in invariants/. Never NULL. */
const char *rd_program_explain(const struct rd_program *program);

/* The program's paragraph in the language of laws (law.h): its inputs, array, definitions, law and
 * update; of a fault that doesn't claim anything of its own that of the right program. Never NULL. */
const char *rd_program_law(const struct rd_program *program);

/* RD_OK where the program can run on n elements; RD_ERROR_USAGE with the reason otherwise. */
enum rd_status rd_program_accept(const struct rd_program *program, const struct rd_shape *shape,
                                 struct rd_error *error);

/* The same of many shapes: what the program's texts say is read once. Of one thread at a time; the caller owns
 * *acceptance. RD_ERROR_MEMORY. */
struct rd_acceptance;
enum rd_status rd_acceptance_create(struct rd_acceptance **acceptance,
                                    const struct rd_program *program, struct rd_error *error);
enum rd_status rd_acceptance_ask(struct rd_acceptance *acceptance, const struct rd_shape *shape,
                                 struct rd_error *error);
void rd_acceptance_destroy(struct rd_acceptance *acceptance); /* NULL is fine */

/* RD_OK where the program's kernels are built of the type; RD_ERROR_USAGE with the types that they are built of
 * otherwise. */
enum rd_status rd_program_accept_type(const struct rd_program *program, enum rd_type type,
                                      struct rd_error *error);

/* RD_OK where the program can reduce over the operation; RD_ERROR_USAGE with the reason otherwise. */
enum rd_status rd_program_accept_operation(const struct rd_program *program,
                                           enum rd_operation operation, struct rd_error *error);

/* A program's law at a step: which cells are live, which inputs each holds, and the sentence with the
 * numbers of the step in it; and how the program gets there.
 * Use these rather than the members. `contains`: whether a[j], or b[j], is in the sum that live cell i holds. */
void rd_program_claim(const struct rd_program *program, const struct rd_shape *shape, unsigned step,
                      struct rd_claim *claim);
bool rd_program_contains(const struct rd_program *program, const struct rd_shape *shape,
                         unsigned step, size_t i, size_t j);
bool rd_program_contains_b(const struct rd_program *program, const struct rd_shape *shape,
                           unsigned step, size_t i, size_t j);
/* The array as it is before the first round, and from step - 1 on to step. RD_ERROR_MEMORY. */
enum rd_status rd_program_start(const struct rd_program *program, struct rd_expect *expect,
                                struct rd_error *error);
enum rd_status rd_program_advance(const struct rd_program *program, struct rd_expect *expect,
                                  unsigned step, struct rd_error *error);
/* The array at a checkpoint that rd_points_accept takes; where the cells are those of the same block and warp when the
 * variable was *from, from there on. `from` may be NULL. RD_ERROR_MEMORY. */
enum rd_status rd_program_expect_at(const struct rd_program *program, struct rd_expect *expect,
                                    const struct rd_place *at, const uint64_t *from,
                                    struct rd_error *error);
void rd_program_statement(const struct rd_program *program, const struct rd_shape *shape,
                          unsigned step, enum rd_operation operation, char text[RD_STATEMENT_SIZE]);
/* The same at a checkpoint inside its kernels, at a place that rd_points_accept takes. */
void rd_program_claim_at(const struct rd_program *program, const struct rd_shape *shape,
                         const struct rd_place *at, struct rd_claim *claim);
void rd_program_statement_at(const struct rd_program *program, const struct rd_shape *shape,
                             const struct rd_place *at, enum rd_operation operation,
                             char text[RD_STATEMENT_SIZE]);
bool rd_program_contains_at(const struct rd_program *program, const struct rd_shape *shape,
                            const struct rd_place *at, size_t i, size_t j);
bool rd_program_contains_b_at(const struct rd_program *program, const struct rd_shape *shape,
                              const struct rd_place *at, size_t i, size_t j);
/* The plan of round `number`, from 1 on; false where the loop has ended. */
bool rd_program_round(const struct rd_program *program, const struct rd_shape *shape,
                      unsigned number, struct rd_round *round);

/* The invariants inside the program's kernels, NULL-terminated, as its paragraph has them: in the order in which a warp
 * comes to them, to all that it passes of one, and then of the next. Those of the last block come last. They, and their
 * names, stay where they are. */
const struct rd_point_invariant *const *rd_program_points(const struct rd_program *program);
/* Tells whether there are any. */
bool rd_program_has_points(const struct rd_program *program);
/* The invariant at this point of the program's kernels; NULL where it has none. */
const struct rd_point_invariant *rd_program_point(const struct rd_program *program,
                                                  enum rd_point point);
/* The checkpoints that the warp comes to in the round: how many, and the k-th of them, from 0 on; false
 * where there are no more. Those of the last block are told apart: with `last`, they follow. */
size_t rd_program_passes(const struct rd_program *program, const struct rd_passing *by, bool last);
bool rd_program_pass(const struct rd_program *program, const struct rd_passing *by, bool last,
                     size_t k, struct rd_place *place);
/* Tells whether the lanes of a warp hand in a value each at the point; else it is an array of the block. How many cells it
 * has: of lanes, one for each that a warp can have. */
bool rd_program_point_is_of_lanes(const struct rd_program *program, enum rd_point point);
size_t rd_program_point_cells(const struct rd_program *program, const struct rd_shape *shape,
                              enum rd_point point);
/* Return how often the warp comes to the point, and the variable at the k-th time, from 0 on: that of a step, or,
 * without steps, the number of cells. To a block's array all warps come as often, and with the same values. */
size_t rd_program_point_passes(const struct rd_program *program,
                               const struct rd_point_invariant *point, const struct rd_passing *by);
uint64_t rd_program_point_variable(const struct rd_program *program,
                                   const struct rd_point_invariant *point,
                                   const struct rd_passing *by, size_t k);
/* The lanes of the warp that come to the point, lane k as the bit 2^k: all that it has, or the first where a single
 * value is claimed. */
uint32_t rd_program_point_lanes(const struct rd_program *program, enum rd_point point,
                                const struct rd_passing *by);
/* Return the number of threads in a block of the round, in both dimensions, and of blocks in its grid. */
unsigned rd_round_threads(const struct rd_round *round);
uint64_t rd_round_blocks_in_all(const struct rd_round *round);

/* The shape with all that the user left open filled in. */
struct rd_shape rd_program_shape(const struct rd_program *program, struct rd_shape asked);
/* The shape of a run where the user says nothing at all. */
struct rd_shape rd_program_default(const struct rd_program *program);
/* By its law: whether there is a second input, b; whether each input has n elements; whether kernels are passed the
 * input a, as A is another array; whether A starts as a. */
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

/* Up to this n, the bound of floats is asserted of every live cell at every step; beyond it, of the
 * goal only: the wide sums would cost more memory and time than all the rest, and bit-equality with
 * the expression tree implies the bound. */
#define RD_BOUND_MAX ((size_t)1 << 22)

/* Sets up the array as it must be, for a run of the program on these inputs (b may be NULL where
 * the program has none), and puts the array that A starts as into it; a and b must outlive it. From
 * here the invariant moves it on: advance to step 0, to step 1 and so on. RD_ERROR_MEMORY. */
enum rd_status rd_expect_init(struct rd_expect *expect, const struct rd_program *program,
                              const struct rd_numeric *numeric, const struct rd_shape *shape,
                              const void *a, const void *b, struct rd_error *error);
void rd_expect_finish(struct rd_expect *expect);

/* Lets the expectation keep live cells only, which is faster where they lie apart. For states that
 * are not whole; straight after rd_expect_init. RD_ERROR_MEMORY, and it stays whole. */
enum rd_status rd_expect_live_only(struct rd_expect *expect, const struct rd_program *program,
                                   struct rd_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
