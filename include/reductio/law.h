// SPDX-License-Identifier: MIT
/* The language of laws. A law is a loop invariant as one sentence:
 *
 *     law for 0 <= i < n: A[i] = sum of a[j], i - 2^d < j <= i
 *
 * It names the live cells of an array at a step of a program, and of each the inputs that it holds. An update is
 * what a round does to the array; it must preserve the law:
 *
 *     update for 2^(d-1) <= i < n: A[i] = A[i] + A[i - 2^(d-1)]
 *
 * A launch says which rounds there are: the kernel, what it is passed, and its threads:
 *
 *     launch when 2^(d-1) < n: scan(A, 2^(d-1), n) by n threads
 *
 * A paragraph holds all sentences about one program: its inputs, its array, its definitions (`let`), the law,
 * the update and the launches of its rounds, and at each checkpoint inside its kernels (`at`) an array of the block
 * or of the warp, with a law of its own:
 *
 *     paragraph = { "input" decls | "array" decl | lets | claims | launches | at }
 *     at        = "at" POINT ( "shared" | "register" ) decl [ steps ] { lets | claims | met }
 *     decl      = NAME { "[" expr "]" }
 *     steps     = "steps" NAME "=" expr [ "," expr "," "..." "," expr ]
 *     met       = "when" cond [ "," "in the last block" ]
 *     lets      = "let" ( def { ";" def } | "for" ranges ":" NAME "[" NAME "]" … "=" expr )
 *     def       = NAME "=" expr | NAME "(" NAMES ")" "=" expr
 *               | NAME_0 [ "(" NAMES ")" ] "=" expr | NAME_(d+1) [ "(" NAMES ")" ] "=" expr
 *     claims    = ( "law" | "start" | "update" ) claim { ";" claim }
 *     claim     = [ "when" cond ":" ] [ "for" range { "," range } ":" ] NAME { "[" expr "]" } "=" expr
 *     launches  = "launch" launch { ";" launch }
 *     launch    = [ "when" cond ":" ] KERNEL "(" [ operand { "," operand } ] ")" threads { "," option }
 *     operand   = INPUT | ARRAY | "scratch" "[" expr "]" | "ticket" | expr
 *     threads   = "by" extent "threads" [ "in" "blocks" "of" extent ]
 *               | [ "by" extent "threads" ] "on" extent "blocks" "of" extent
 *     extent    = expr [ "by" expr ]
 *     option    = NAME "=" expr | "shared" expr | "reads" expr | "writes" expr | "cooperative" | "spoils" "inputs"
 *     range     = expr rel NAME { "," NAME } rel expr | cond
 *     cond      = conj { ("or" | "||") conj };  conj = neg { ("and" | "&&") neg };  neg = { "not" | "!" } cmp
 *     cmp       = expr rel expr { rel expr } | expr "=" expr "(mod" expr ")" | "(" cond ")"
 *     rel       = "<" | "<=" | ">" | ">=" | "=" | "==" | "!="
 *     expr      = term { ("+" | "-" | "xor") term };  term = unary { ("*" | "/" | "div" | "%" | "mod") unary }
 *     unary     = "-" unary | primary [ "^" unary ]
 *     primary   = NUMBER [ primary ] | NAME | NAME "(" expr { "," expr } ")" | NAME_index | "(" expr | cond ")"
 *               | [ POINT "." ] NAME { "[" expr "]" }
 *               | OP "of" [ "all" ] expr { ("," | "over") cond } [ "," "in any order" ]
 *     OP        = "sum" | "max" | ...: a name of operations.h
 *
 * Names with a meaning: n, the size of the problem; T, the threads of a block; B, the blocks (a paragraph may
 * define it); G = B*T; d, the rounds made, in the sentences about the program's array; `block`, at a point, and
 * `warp`, at a register; the variable of `steps` there. Functions: min, max, abs, floor(x / y), ceil(x / y),
 * floor(sqrt(x)), ceil(sqrt(x)), log2 (rounded down), bit_ceil (the least 2^k >= x). `3k` is 3*k. A reduction binds
 * the unknown names of its term, a `for` those that it compares; each is 0 or more (a bound that is written below is
 * refused), and needs an upper bound: by a condition, or by the size of an array that it alone indexes; of an input it
 * then takes the elements that there are, whatever a condition says beyond them. No name is bound twice.
 *
 * Integers are mathematical, checked at 2^63. `div`, `mod` and floor round down; `/` and `%` refuse negative numbers,
 * where C rounds towards zero. `x = 0 mod m`, with a number left of mod, is a congruence, as x = y (mod m). What can
 * be read in two ways is refused: a mod b * c, a / b * c, a + b xor c, 3k^2, 2^3k, !i < 3, and `= -1 mod m`.
 * Conditions are asked from left to right, of the values between a variable's bounds: a number that is undefined,
 * such as a quotient by 0, is an error unless a condition to its left is false.
 *
 * A product with a defined value that is a sum of nothing is 0, and holds no input.
 *
 * An update speaks of d, or of the variable of `steps`, as it is after the round; its right sides speak of the array
 * before it, all at once; other cells stay. Two claims on one cell must give it the same value, in an update as in a
 * law. Without one, and without `start`, the array is what the law says. A reduction adds in ascending order of its
 * variables, the first outermost, onto what stands before its `+`, or onto the identity: `x + sum of …` is another
 * tree than `x + (sum of …)`. POINT.array[block][…] or, of a register, POINT.array[block][warp][…] is the array after
 * its last step. A point that no kernel has is an array aside, from which others are made: its steps may speak of d,
 * the round of that which is made.
 *
 * The threads of a block, or of a warp, come to a point at each of its steps, or once where it has none; with a
 * `when` at those, in those rounds, blocks and warps, of which that holds: it may speak of d, the number of the
 * round, and of `bytes`, those of an element, too. Those `in the last block` are of the one that draws the last
 * ticket.
 *
 * A launch speaks of d as an update does: round d is there where some `when` holds, and the first that does is
 * launched; without a `when`, it is round 1 alone. Threads whose blocks aren't said are in blocks of min(T, threads);
 * blocks that aren't, as many as the threads take; threads that aren't are those of all blocks. An operand is an
 * array, so many elements of memory that are zero before the first round, a number that is zero before each, or the
 * value of an expression. `NAME =` is what the rounds are counted by, `shared` the elements of shared memory that a
 * block asks for; a thread makes no more reads and writes of global memory than it says; a `cooperative` launch has
 * all its blocks at once; one that `spoils inputs` writes to them, and that is known.
 *
 * Thread safety: any thread may call these functions; an rd_law_run serves one at a time.
 * An rd_law is constant once it was created, and may serve many. */
#ifndef RD_LAW_H
#define RD_LAW_H

#include "numeric_lanes.h"
#include "operation.h"
#include "status.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The most characters of a paragraph. */
enum { RD_LAW_LENGTH_MAX = 100000 };

/* An error of a paragraph that can't be read, or of a law that has no value. */
struct rd_law_error {
    size_t line, column; /* in the paragraph, from 1 on; 0 where the message is of no place in it */
    struct rd_error what; /* a message in full, without the place */
};

/* A paragraph as it was read. It is constant: threads may share it. */
struct rd_law;

/* The sentences about one array: the program's, or one at a point inside its kernels. Lives as long as
 * the paragraph. */
struct rd_law_section;

/* Reads a paragraph; the text need not outlive the call. RD_ERROR_USAGE with the first error in the text, or
 * RD_ERROR_MEMORY. `error` may be NULL, here and below. The caller owns *law. */
enum rd_status rd_law_create(struct rd_law **law, const char *text, struct rd_law_error *error);
void rd_law_destroy(struct rd_law *law); /* NULL is fine */

/* Sections of a paragraph: first that of the program's array, then those at points, in the text's order. `index` is
 * below the count. */
size_t rd_law_section_count(const struct rd_law *law);
const struct rd_law_section *rd_law_section(const struct rd_law *law, size_t index);
/* Returns the section at the point; NULL if the paragraph has none. A NULL name: the program's array. */
const struct rd_law_section *rd_law_section_at(const struct rd_law *law, const char *point);

/* Inputs of a paragraph: their number, and the name of each, in the order of their declaration. */
size_t rd_law_input_count(const struct rd_law *law);
const char *rd_law_input_name(const struct rd_law *law, size_t input);
/* Tells whether the input is declared with n elements: a[n]. */
bool rd_law_input_has_n(const struct rd_law *law, size_t input);

enum rd_law_array {
    RD_LAW_GLOBAL,   /* the array under test */
    RD_LAW_SHARED,   /* of a block */
    RD_LAW_REGISTER, /* of the lanes of a warp */
};

/* Roles of a sentence: it is the law itself, gives the array before the first step, or moves it on. */
enum rd_law_role { RD_LAW_LAW, RD_LAW_START, RD_LAW_UPDATE };

struct rd_law_about {
    const char *point; /* NULL: the program's array */
    const char *array; /* name of its cells */
    enum rd_law_array kind;
    bool scalar;       /* a single cell without an index */
    const char *steps; /* the variable of the steps; NULL: none */
    bool has_update;   /* else the law alone gives the array after a step */
    bool update_reads; /* the update reads the array before; else it gives the array by itself */
    bool starts_from_point; /* the start reads arrays at points */
    /* The steps, or those to which threads come, differ between blocks, between warps. */
    bool differs_by_block, differs_by_warp;
    bool live_differs_by_block; /* the section's size or its live cells differ between blocks */
    bool of_last_block; /* threads of the block that draws the last ticket come to the point */
};

/* Describes the section; the texts live as long as the paragraph. */
void rd_law_about(const struct rd_law_section *section, struct rd_law_about *about);

/* Launches of a paragraph: their number, and the kernel of each. `index` is below the count. */
size_t rd_law_launch_count(const struct rd_law *law);
const char *rd_law_launch_kernel(const struct rd_law *law, size_t index);
/* Tells whether any launch passes the input. */
bool rd_law_launches_pass(const struct rd_law *law, size_t input);

/* ---- evaluation ---- */

/* The sizes of a run. */
struct rd_law_sizes {
    uint64_t n; /* the size of the problem */
    uint64_t T; /* threads a block */
    uint64_t B; /* blocks; 0: the paragraph defines B, or doesn't use it */
    /* Evaluated parts of expressions in one call, after which the call fails; 0: 2^30. */
    uint64_t work_max;
    /* Optional, must outlive the run: non-zero ends an evaluation with RD_ERROR_INTERRUPTED. */
    const volatile sig_atomic_t *interrupted;
};

/* The place in a run at which a law is evaluated. Members that the section doesn't name are ignored. */
struct rd_law_place {
    uint64_t d;        /* rounds made */
    uint64_t block;    /* linear in the grid */
    uint64_t warp;     /* of the block */
    uint64_t variable; /* value of the variable of `steps` */
    uint64_t bytes;    /* size of an element, for rd_law_met */
};

/* A paragraph with the sizes of a run. It serves one thread at a time. */
struct rd_law_run;

/* Creates a run, which the caller owns; the law must outlive it. RD_ERROR_USAGE if a size is 2^63 or more,
 * RD_ERROR_MEMORY. */
enum rd_status rd_law_run_create(struct rd_law_run **run, const struct rd_law *law,
                                 const struct rd_law_sizes *sizes, struct rd_law_error *error);
void rd_law_run_destroy(struct rd_law_run *run); /* NULL is fine */

/* Evaluates an expression of n, T and B. RD_ERROR_USAGE, with the place in the expression: it can't be read, or has no
 * value or a negative one. RD_ERROR_MEMORY. */
enum rd_status rd_law_value(const char *expression, const struct rd_law_sizes *sizes,
                            uint64_t *value, struct rd_law_error *error);

/* Tells whether a condition of n, T and B holds. Statuses as above. */
enum rd_status rd_law_holds(const char *condition, const struct rd_law_sizes *sizes, bool *holds,
                            struct rd_law_error *error);

/* A condition to ask at many sizes, read once. It serves one thread at a time. The caller owns *condition. Statuses as
 * above. */
struct rd_law_condition;
enum rd_status rd_law_condition_create(struct rd_law_condition **condition, const char *text,
                                       struct rd_law_error *error);
enum rd_status rd_law_condition_holds(struct rd_law_condition *condition,
                                      const struct rd_law_sizes *sizes, bool *holds,
                                      struct rd_law_error *error);
void rd_law_condition_destroy(struct rd_law_condition *condition); /* NULL is fine */

/* Find the first value of the variable of `steps`, and the one behind place->variable; *more is false if there is none.
 * The section must have steps. RD_ERROR_USAGE: a value can't be worked out, or is negative. */
enum rd_status rd_law_first(struct rd_law_run *run, const struct rd_law_section *section,
                            const struct rd_law_place *place, uint64_t *first,
                            struct rd_law_error *error);
enum rd_status rd_law_next(struct rd_law_run *run, const struct rd_law_section *section,
                           const struct rd_law_place *place, uint64_t *next, bool *more,
                           struct rd_law_error *error);

/* Finds the number of an input's elements, and of the section's cells. RD_ERROR_USAGE if that has no
 * value or is negative. */
enum rd_status rd_law_input_size(struct rd_law_run *run, size_t input, uint64_t *size,
                                 struct rd_law_error *error);
enum rd_status rd_law_array_size(struct rd_law_run *run, const struct rd_law_section *section,
                                 const struct rd_law_place *place, uint64_t *size,
                                 struct rd_law_error *error);

/* Lists the values that the variable of `steps` takes, in their order; none if the section has no steps. The caller
 * frees *values. RD_ERROR_USAGE: a value can't be worked out. RD_ERROR_MEMORY. */
enum rd_status rd_law_steps(struct rd_law_run *run, const struct rd_law_section *section,
                            const struct rd_law_place *place, uint64_t **values, size_t *count,
                            struct rd_law_error *error);
/* Lists the values at which threads come to the section's point in round place->d; for a section without steps a single
 * 0, or none. Ownership and statuses as above. */
enum rd_status rd_law_met(struct rd_law_run *run, const struct rd_law_section *section,
                          const struct rd_law_place *place, uint64_t **values, size_t *count,
                          struct rd_law_error *error);

/* An argument of a kernel. */
enum rd_law_operand_kind {
    RD_LAW_OPERAND_ARRAY,
    RD_LAW_OPERAND_INPUT,   /* value: index of the input */
    RD_LAW_OPERAND_SCRATCH, /* value: number of elements */
    RD_LAW_OPERAND_TICKET,
    RD_LAW_OPERAND_NUMBER
};

struct rd_law_operand {
    enum rd_law_operand_kind kind;
    uint64_t value;
};

enum { RD_LAW_OPERANDS_MAX = 6 };

/* A launch with the numbers of a round. */
struct rd_law_launch {
    size_t index; /* among the paragraph's launches */
    const char *kernel;
    unsigned n_operands;
    struct rd_law_operand operands[RD_LAW_OPERANDS_MAX];
    uint64_t threads;           /* threads that have work to do */
    uint64_t grid[2], block[2]; /* blocks, and threads a block; 0 in the second dimension: none */
    const char *counter;    /* name of the variable that counts the rounds; NULL: none is given */
    uint64_t count;         /* value of the counter */
    uint64_t shared;        /* dynamic shared memory, in elements */
    uint64_t reads, writes; /* largest number of a thread; 0: none is given */
    bool cooperative, spoils_inputs;
};

/* Works out the launch of a round, from 1 on. *found is false, and *launch as before, if there is none. RD_ERROR_USAGE if
 * a number has no value or is negative, RD_ERROR_MEMORY. */
enum rd_status rd_law_launch(struct rd_law_run *run, uint64_t round, struct rd_law_launch *launch,
                             bool *found, struct rd_law_error *error);

/* Special values for the input whose indices are listed. */
enum {
    RD_LAW_NO_INPUT = -2,   /* none: the live cells only */
    RD_LAW_FIRST_INPUT = -1 /* for each term, the first declared input in it */
};

/* The live cells at a step, and the inputs that each holds. */
struct rd_law_cells {
    size_t count;
    uint64_t *cells; /* [count], ascending */
    /* [count + 1]: the inputs of cells[k] are inputs[first[k]] up to inputs[first[k + 1]]. */
    size_t *first;
    /* Flat indices, ascending in each cell; an input that is counted twice appears twice. */
    uint64_t *inputs;
    /* Claimed cells that the array doesn't have; they are left out above. */
    size_t n_outside;
    int64_t outside; /* the first of them */
};

/* Evaluates the law at the place. `input` is the index of an input or one of the above. RD_ERROR_USAGE: the law
 * has no value there (with the place in the text and the reason), two claims contradict each other on a cell, or
 * it takes more than work_max. RD_ERROR_MEMORY. The caller calls rd_law_cells_finish after success. */
enum rd_status rd_law_cells_init(struct rd_law_cells *cells, struct rd_law_run *run,
                                 const struct rd_law_section *section,
                                 const struct rd_law_place *place, int input,
                                 struct rd_law_error *error);
/* Frees what rd_law_cells_init made. */
void rd_law_cells_finish(struct rd_law_cells *cells);

/* Cells first, first + stride, …, as many as count. */
struct rd_law_progression {
    int64_t first, stride, count;
};

/* Finds the live cells as a progression, read from the ranges of the claims: the time depends on the ranges, not on the
 * number of cells. *regular is false if they can't be read that way, and then *cells is undefined. RD_ERROR_USAGE: a range
 * has no value. RD_ERROR_MEMORY. */
enum rd_status rd_law_live(struct rd_law_run *run, const struct rd_law_section *section,
                           const struct rd_law_place *place, struct rd_law_progression *cells,
                           bool *regular, struct rd_law_error *error);

/* Lists the inputs that a cell holds, ascending, an input that is counted twice twice; *live is false for a dead cell. The
 * caller frees *inputs. `input`: as above, but not RD_LAW_NO_INPUT. Statuses as for rd_law_cells_init. */
enum rd_status rd_law_cell(struct rd_law_run *run, const struct rd_law_section *section,
                           const struct rd_law_place *place, uint64_t cell, int input, bool *live,
                           uint64_t **inputs, size_t *count, struct rd_law_error *error);

/* Tells whether rd_law_locate can find the cells of an input. It can't if a value is made by a function or a numbered
 * definition of elements, or is a product with a defined value, or if a variable is bounded only together with the
 * cell. */
bool rd_law_is_invertible(const struct rd_law_section *section);

/* Lists the live cells that hold element `index` of the input-th input, ascending, each once. The law is inverted, so that
 * j mod w = i gives one cell without a search. The caller frees *cells. RD_ERROR_USAGE if the law can't be
 * inverted, and as for rd_law_cells_init; RD_ERROR_MEMORY. */
enum rd_status rd_law_locate(struct rd_law_run *run, const struct rd_law_section *section,
                             const struct rd_law_place *place, size_t input, uint64_t index,
                             uint64_t **cells, size_t *count, struct rd_law_error *error);

/* A cell on which two claims contradict each other. */
struct rd_law_conflict {
    bool found;
    int64_t cell;
    rd_bits first, second; /* as the claims stand in the text */
    /* Optional; NULL: values that differ in their bits contradict each other. Tells whether they do; two sums that round
     * differently need not. */
    bool (*contradicts)(void *self, int64_t cell, rd_bits first, rd_bits second);
    void *self;
};

/* The values of a run. */
struct rd_law_data {
    /* The arithmetic of the array; that of the inputs is numeric->inputs. Its operation replaces + and "sum of" in the law,
     * and its identity the value 0. */
    const struct rd_numeric *numeric;
    const void *const
        *inputs; /* elem[]: of each declared input, as many as rd_law_input_size says */
    /* Computes sums of absolute values, in which subtracted terms are added: they bound the rounding. Of two claims on a
     * cell the larger sum is kept. */
    bool absolute;
    /* Optional: takes the first cell on which claims contradict each other; the call then goes on, and the cell has the
     * first claim's value. */
    struct rd_law_conflict *conflict;
    bool one_by_one;  /* evaluates the tree cell by cell: the same result, far slower */
    bool inside_only; /* a claimed cell that doesn't exist is left out */
    bool as_written;  /* a sum is a sum; else it stands for the operation of `numeric`, as + does */
    /* At a point, number of blocks whose arrays are moved, one behind the other, from the place's block on; 0 stands for 1. */
    size_t n_blocks;
};

/* Moves the array to the place: by the sentences of the role, or by the law where the section has none. All
 * cells are written at once; those that no claim names stay. cells: elem[rd_law_array_size]. *any_order: set
 * where a sum in any order was added, else left. May be NULL. After a failure the cells are as before.
 * RD_ERROR_USAGE as above, where two claims give a cell different values and data->conflict is
 * NULL, and where a claimed cell doesn't exist or an operation has no meaning for the type; of several blocks also where
 * the sentences aren't of a form that is worked out side by side; RD_ERROR_MEMORY. */
enum rd_status rd_law_apply(struct rd_law_run *run, const struct rd_law_section *section,
                            enum rd_law_role role, const struct rd_law_place *place,
                            const struct rd_law_data *data, void *cells, bool *any_order,
                            struct rd_law_error *error);

/* The same in another arithmetic than that of an element type (numeric_lanes.h), as that of heights, or of wider sums.
 * inputs[k] is the array that arithmetic->input reads for input k; the operation replaces the sum. RD_ERROR_USAGE also if
 * the sentences aren't of a form that is worked out side by side. */
enum rd_status rd_law_apply_in(struct rd_law_run *run, const struct rd_law_section *section,
                               enum rd_law_role role, const struct rd_law_place *place,
                               const struct rd_lanes *arithmetic, enum rd_operation operation,
                               const void *const *inputs, void *cells, struct rd_law_error *error);

/* Cache of the arrays at points that moves of one run need: a later step may need what an earlier one
 * has worked out. Serves one thread at a time. NULL if there is no memory: the arrays are then worked out anew. */
struct rd_law_kept;
struct rd_law_kept *rd_law_kept_create(void);
void rd_law_kept_destroy(struct rd_law_kept *kept); /* NULL is fine */
/* Forgets the arrays; required when inputs have changed. */
void rd_law_kept_forget(struct rd_law_kept *kept);
/* Has rd_law_apply and rd_law_apply_in use the cache from here on; NULL: none. `kept` must outlive that. */
void rd_law_run_keep(struct rd_law_run *run, struct rd_law_kept *kept);

/* From here on, non-zero ends a call that has evaluated for a fraction of a second or longer, with RD_ERROR_INTERRUPTED;
 * shorter calls go on to their end, while rd_law_sizes.interrupted ends all. `interrupted` must outlive that; NULL: no call
 * is ended. */
void rd_law_run_interrupt(struct rd_law_run *run, const volatile sig_atomic_t *interrupted);

/* Arithmetic of the heights of expression trees: 1 more than the number of roundings on the longest path to a value; 0 is
 * the empty sum, the addition of which rounds nothing. Inputs aren't read. As uint8_t, in which a move gives up if a height
 * would be more than 254; and as uint32_t, in which it is at most 2^30. */
extern const struct rd_lanes rd_law_heights, rd_law_great_heights;

/* Forms of a sentence, over evenly spaced cells, for which a loop of their own is worth while. */
enum rd_law_form_kind {
    RD_LAW_OTHER,
    RD_LAW_PAIRS,       /* A[i] = A[i] + A[i + distance] */
    RD_LAW_TIMES_INPUT, /* A[i] = A[i] * input[i] */
    RD_LAW_COPY,        /* A[i] = input[i] */
};
struct rd_law_form {
    enum rd_law_form_kind kind;
    int64_t first, stride, count; /* i = first, first + stride, … */
    int64_t distance;
    size_t input;
};

/* Finds the form of the role's only active sentence at the place; RD_LAW_OTHER if there are several, or of no such form. */
void rd_law_recognise(struct rd_law_run *run, const struct rd_law_section *section,
                      enum rd_law_role role, const struct rd_law_place *place,
                      struct rd_law_form *form);

/* A cell in which an update, or a start, breaks the law. */
struct rd_law_broken {
    uint64_t cell;       /* the first */
    bool unknown;        /* the cell depends on a cell that the law before doesn't mention; else: */
    uint64_t index;      /* the first element of the input that is counted wrongly */
    size_t made, wanted; /* its multiplicity by the update or the start, and by the law */
};

/* Decides whether the start establishes the law at `after`, or the update takes the law at `before` to the law at `after`;
 * other arrays at points that it reads are as their laws say of their last steps. Without sentences of the role, the law
 * is preserved. Decides for the sizes of the run and one input, for all values: it counts each element of the input in
 * each cell. *broken is set if the law isn't preserved, else left.
 * RD_ERROR_USAGE as for rd_law_cells_init, and if a claimed cell doesn't exist; RD_ERROR_MEMORY. */
enum rd_status rd_law_preserves(struct rd_law_run *run, const struct rd_law_section *section,
                                enum rd_law_role role, const struct rd_law_place *before,
                                const struct rd_law_place *after, size_t input, bool *preserved,
                                struct rd_law_broken *broken, struct rd_law_error *error);

/* ---- text ---- */

/* Writes the law at the place: its author's words, in which each largest part that depends on the step alone is replaced
 * by its number, and behind them the definitions that they use. Claims whose `when` is false are left out. So is an index
 * of a defined array that is the same number at each use, and so are 0 + and the names of short
 * recursions:
 *     for 0 <= i < 4: cache[i] = sum of x[t], 0 <= t < 8, t mod 4 = i; x[t] = sum of a[j], j mod 16 = 8 + t
 * RD_ERROR_USAGE, with nothing written, if a number has no value; RD_ERROR_MEMORY. */
enum rd_status rd_law_text(struct rd_law_run *run, const struct rd_law_section *section,
                           const struct rd_law_place *place, FILE *out, struct rd_law_error *error);
/* The same into memory, cut to size_bytes bytes, at least 1, with the NUL. */
enum rd_status rd_law_text_at(struct rd_law_run *run, const struct rd_law_section *section,
                              const struct rd_law_place *place, char *text, size_t size_bytes,
                              struct rd_law_error *error);

/* Writes the paragraph anew, a sentence a line, with `and`, `or`, `not` and `=`, and no bracket too many. Reading it
 * gives the same paragraph. */
void rd_law_print(const struct rd_law *law, FILE *out);
/* Rewrites the law for a program that reduces by the operation: `max of` for `sum of`, and max(x, y) for x + y. For the
 * printers below except rd_law_smtlib; only before a run is made of the law. */
void rd_law_over(struct rd_law *law, enum rd_operation operation);
/* Write the law of the section as LaTeX, or as a MathML element, a claim a line, and then a line for each equation that
 * defines a name in it. RD_ERROR_MEMORY: some lines are missing. */
enum rd_status rd_law_latex(const struct rd_law_section *section, FILE *out);
enum rd_status rd_law_mathml(const struct rd_law_section *section, FILE *out);

/* Writes the paragraph's laws as C11 that stands alone: of each array a function NAME_holds or NAME_POINT_holds that
 * asserts the law of that array, with the inputs, the array, the sizes and the place that the law uses as its
 * arguments:
 *     bool fold_holds(const elem *a, const elem *A, int64_t n, int64_t d, int64_t *wrong);
 * Sums are exact as far as int64_t is. RD_ERROR_USAGE, with nothing written, where C can't say it; RD_ERROR_MEMORY. */
enum rd_status rd_law_c(const struct rd_law *law, const char *name, FILE *out,
                        struct rd_law_error *error);

/* The program's array before the first round, if the paragraph has no `start`; and the promise after the last round: that
 * the first cell, or all cells together, hold each element of the first input once, or that the array is that input. */
enum rd_law_beginning { RD_LAW_BEGINS_AS_INPUT, RD_LAW_BEGINS_WITH_ZEROS };
enum rd_law_promise {
    RD_LAW_PROMISES_NOTHING,
    RD_LAW_PROMISES_FIRST,
    RD_LAW_PROMISES_TOTAL,
    RD_LAW_PROMISES_INPUT
};

struct rd_law_obligations {
    const char *name;      /* of the program, in comments */
    const char *operation; /* by which a cell combines its inputs, in comments; NULL: sum */
    /* For a fault, name of the right program, whose documented rounds are proved; NULL: its own. */
    const char *rounds_of;
    uint64_t rounds; /* number of rounds at the run's sizes */
    enum rd_law_beginning beginning;
    enum rd_law_promise promise;
};

/* Writes the obligations of the program's law, for the sizes of the run, as queries in SMT-LIB 2: its initialization, its
 * preservation by each round, its exit. A cell's value is the multiplicity of one element of the first input, any one: the
 * array starts as the unit vector of that element. A query is unsat if the obligation holds, and else sat.
 * RD_ERROR_USAGE, with nothing written, if the law has no value, can't be expressed in SMT-LIB, or has more than
 * 2^22 elements in all rounds; RD_ERROR_MEMORY. */
enum rd_status rd_law_smtlib(struct rd_law_run *run, const struct rd_law_obligations *obligations,
                             FILE *out, struct rd_law_error *error);

/* Writes the law at the place, as rd_law_text does, as MathML: for each claim its range, an element of the class
 * "scope", and its equation as a block; and then the definitions that it uses. Statuses as for rd_law_text. */
enum rd_status rd_law_mathml_at(struct rd_law_run *run, const struct rd_law_section *section,
                                const struct rd_law_place *place, FILE *out,
                                struct rd_law_error *error);

/* Reads a law that was given as LAW or as @FILE, whose comments, from # to the end of a line, become blanks, so that
 * lines and columns stay. The caller frees *text. RD_ERROR_INPUT: the file can't be read, or is no text;
 * RD_ERROR_MEMORY. */
enum rd_status rd_law_given_text(const char *given, char **text, struct rd_error *error);
/* Makes blanks of a text's comments in the same way, in place. */
void rd_law_blank_comments(char *text);

/* Tells whether two paragraphs are the same but for white space, brackets and the spelling of operators. */
bool rd_law_same(const struct rd_law *x, const struct rd_law *y);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
