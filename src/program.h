// SPDX-License-Identifier: MIT
/* A program: kernels, their schedule of rounds, the loop invariant and the goal. Programs are data;
 * they are defined in invariants/, beside the statement that they must keep. */
#ifndef RD_PROGRAM_H
#define RD_PROGRAM_H

#include "kernels.h"
#include "numeric.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Step s = 0 is before the first round; step s is after round s. */

/* The live cells of a step, on which the invariant makes its claim: the cells
 * 0, stride, 2*stride, …, (count - 1)*stride. The others are dead; a round leaves them alone. */
struct rd_claim {
    size_t count;
    size_t stride;
};

/* Whether the claim speaks of the cell. */
bool rd_claim_has(const struct rd_claim *claim, size_t cell);

enum { RD_STATEMENT_SIZE = 160 };

/* A documented invariant: what its author says of the rounds that keep it. All members are
 * required. Each is a pure function of n, the step and the input. */
struct rd_invariant {
    void (*claim)(size_t n, unsigned step, struct rd_claim *claim);
    /* The definition: is input j one of those whose sum cell i of the claim holds? The slow oracle
     * next to `advance`. */
    bool (*contains)(size_t n, unsigned step, size_t i, size_t j);
    /* Moves the array as it must be from step - 1 to step; at step 0, from what A starts as. */
    void (*advance)(struct rd_expect *expect, unsigned step);
    /* The invariant in words, with the numbers of this step in it; `term` is what is summed, "a[j]"
     * or "a[j]*b[j]". */
    void (*statement)(size_t n, unsigned step, const char *term, char text[RD_STATEMENT_SIZE]);
};

enum rd_operand { RD_OPERAND_A, RD_OPERAND_B, RD_OPERAND_SIZE };

/* One round, as the host chooses it. */
struct rd_round {
    unsigned number; /* 1 for the first */
    enum rd_kernel kernel;
    const char *width_name; /* what the rounds are counted by: "half", "D", … */
    size_t width;           /* its value in this round */
    size_t threads;         /* how many threads have work to do */
    size_t grid;            /* blocks */
    unsigned block;         /* threads a block */
    unsigned n_operands;    /* the kernel's arguments, in its order: */
    struct {
        enum rd_operand kind;
        size_t size; /* of a RD_OPERAND_SIZE */
    } operands[4];
};

/* The plan of round `number`, or false where the loop has ended. block_max is the largest block
 * that the user allows. */
typedef bool rd_schedule(size_t n, unsigned block_max, unsigned number, struct rd_round *round);

enum rd_goal {
    RD_GOAL_SUM,     /* A[0] = the sum of all a[j], or of all a[j]*b[j] */
    RD_GOAL_INPUT,   /* A = a */
    RD_GOAL_PRODUCT, /* A[i] = a[i]*b[i] for all i */
};

struct rd_program {
    const char *name;    /* "fold"; a lesson is "fold:wrong-half" */
    const char *summary; /* one line */
    const struct rd_invariant *invariant;
    rd_schedule *schedule;
    enum rd_goal goal;
    bool has_b; /* a second input, b */
    /* A round before the schedule's first makes the products a[j]*b[j] in A; the invariant then
     * speaks of these: its step s is the program's step s + 1. */
    bool multiplies_first;
    bool bounded; /* floats: the bound of the expression tree applies */
    /* Optional; NULL: A starts as a. Makes the array that A starts as, from the input. */
    void (*prepare)(struct rd_expect *expect);
    /* Optional; NULL: any n >= 1. Refuses an n, with a message that names a program that takes it.
     */
    enum rd_status (*accept)(size_t n, struct rd_error *error);
    /* What a run takes when the user says nothing. */
    size_t n;
    enum rd_type type;
    const char *values; /* as for --values; NULL: "iota" */
};

/* All programs, each followed by its lessons, NULL-terminated. */
extern const struct rd_program *const rd_programs[];

/* Looks a program up by its name. Returns NULL where there is none. */
const struct rd_program *rd_program_named(const char *name);

/* Whether it is a lesson: right or wrong by design, and named PROGRAM:FAULT. */
bool rd_program_is_lesson(const struct rd_program *program);

/* The right program that a lesson goes with, or the program itself. Never NULL. */
const struct rd_program *rd_program_twin(const struct rd_program *program);

/* The text of `reductio explain`: the comment over the invariant in invariants/. Never NULL. */
const char *rd_program_explain(const struct rd_program *program);

/* RD_OK where the program can run on n elements; RD_ERROR_USAGE with the reason otherwise. */
enum rd_status rd_program_accept(const struct rd_program *program, size_t n,
                                 struct rd_error *error);

/* What a program claims at a step, and how it gets there; as the members of rd_invariant and
 * rd_schedule, with the multiplication of `multiplies_first` counted in. Use these rather than the
 * members. */
void rd_program_claim(const struct rd_program *program, size_t n, unsigned step,
                      struct rd_claim *claim);
bool rd_program_contains(const struct rd_program *program, size_t n, unsigned step, size_t i,
                         size_t j);
void rd_program_advance(const struct rd_program *program, struct rd_expect *expect, unsigned step);
void rd_program_statement(const struct rd_program *program, size_t n, unsigned step,
                          char text[RD_STATEMENT_SIZE]);
bool rd_program_round(const struct rd_program *program, size_t n, unsigned block_max,
                      unsigned number, struct rd_round *round);

/* How many rounds the program makes. */
unsigned rd_program_rounds(const struct rd_program *program, size_t n);

/* Up to this n, the bound of floats is asserted of every live cell at every step; beyond it, of the
 * goal only: the wide sums would cost more memory and time than all the rest, and bit-equality with
 * the expression tree implies the bound. */
#define RD_BOUND_MAX ((size_t)1 << 22)

/* Sets up the array as it must be, for a run of the program on these inputs (b may be NULL where
 * the program has none), and puts the array that A starts as into it; a and b must outlive it. From
 * here the invariant moves it on: advance to step 0, to step 1 and so on. RD_ERROR_MEMORY. */
enum rd_status rd_expect_init(struct rd_expect *expect, const struct rd_program *program,
                              const struct rd_numeric *numeric, size_t n, const void *a,
                              const void *b, struct rd_error *error);
void rd_expect_finish(struct rd_expect *expect);

/* Lets the expectation keep live cells only, which is faster where they lie apart. For states that
 * are not whole; straight after rd_expect_init. RD_ERROR_MEMORY, and it stays whole. */
enum rd_status rd_expect_live_only(struct rd_expect *expect, const struct rd_program *program,
                                   struct rd_error *error);

#ifdef __cplusplus
}
#endif
#endif
