// SPDX-License-Identifier: MIT
/* Symbolic execution of one thread of a kernel, from cut to cut. A cut is where a law holds: the launch, a checkpoint, the
 * end. Between two cuts is a segment: what the thread accesses there, under which conditions, and what it requires of its
 * numbers. The thread is any one of any block. */
#ifndef RD_PROVE_EXECUTION_H
#define RD_PROVE_EXECUTION_H

#include "prove/syntax/syntax.h"
#include "prove/logic/term.h"
#include "operations.h"

enum { RD_PROVE_INPUTS_MAX = 2 };

/* An array that a kernel accesses. */
struct rd_prove_array {
    const char *name;
    bool is_shared;
    const struct rd_syntax_declaration *declaration; /* of shared memory; of dynamic: NULL */
    rd_term size;                                    /* in elements */
    int input;                                       /* an input's number, from 0 on; -1: none */
    /* Memory of which no law speaks: what it holds is known where threads have published it. A ticket is a number, drawn by
     * atomicInc() alone. */
    bool is_scratch, is_ticket;
    /* Blocks write it, and read it behind a checkpoint or a barrier: what is read there isn't known. */
    bool is_rewritten;
};

struct rd_cut {
    const char *point;                  /* NULL: the launch, or the end of the kernel */
    rd_term variable;                   /* NULL with it */
    const struct rd_prove_array *array; /* of which the checkpoint is; NULL: of lanes */
    unsigned site;                      /* of an annotation at a loop; 0: it is a checkpoint */
    bool is_bare; /* of a loop without either: no law says what cells hold there */
    size_t n_names;
    const rd_term *names; /* values of the numbers that the annotation takes from the kernel */
};

/* Returns the higher of two; NULL is none. */
rd_term rd_height_higher(struct rd_terms *terms, rd_term x, rd_term y);

/* Tells whether both are at the same point, with the same value of its variable. */
bool rd_is_same_cut(const struct rd_cut *x, const struct rd_cut *y);

/* The height of a value's tree of additions, at most: that of one whose leaves are inputs, or what lies in cells at
 * the cut, whose heights are to be added; NULL: it has none of these. Without leaves it is nothing, to which an
 * addition is exact. */
struct rd_height {
    bool known;
    rd_term loads, cells;
    int mark; /* additions above what a loop adds to; -1: none */
};

struct rd_kernel_access {
    const struct rd_prove_array *array;
    rd_term index;
    bool is_write, is_atomic;
    bool repeats;    /* it stands in a loop that was summed up: each trip makes it, at its own i */
    rd_term value;   /* of a write; of an atomic one, what it adds */
    unsigned inputs; /* of a write: those of which the value may hold elements, k as the bit 2^k */
    struct rd_height height; /* of a write */
    rd_term path;            /* the condition under which it is made */
    unsigned phase;          /* barriers of the block since the segment's base */
    unsigned grid;           /* barriers of the grid since the launch */
    unsigned event; /* number of the execution's access: copies on other ways have the same */
    /* Behind the last ticket: what all blocks published before they drew theirs is there. */
    bool is_behind;
    const char *file;
    unsigned line;
};

/* A condition that must hold wherever the path is taken, lest the mathematics here be another than C's. */
struct rd_requirement {
    rd_term path, condition;
    rd_term control;   /* the branches in which it stands: a part of the path */
    const char *what;  /* "kernels/fold.cu:16: i + half fits in 64 bits" */
    bool is_barrier;   /* the path must be the same for all threads of the block */
    bool of_grid;      /* of the grid, of such a one */
    bool is_of_height; /* heights are known under this condition; else it says nothing */
    bool is_untold;    /* it may hold, which the prover can't see: a model says nothing */
    bool is_promise;   /* it is what an annotation says behind a loop */
    unsigned line;
};

/* A write to scratch memory that others see: behind the next barrier of the grid, or by a ticket, who has drawn the last one. The
 * thread that makes it is one of which the condition holds; all others haven't made it. */
struct rd_published {
    const struct rd_prove_array *array;
    rd_term index, value, condition;
    unsigned grid, event;
    bool by_ticket;
    size_t way; /* by which its thread has come to where it is published */
};

/* A way by which threads come to a barrier of the grid, or to the ticket: a thread comes there by one. */
struct rd_way {
    rd_term path;
    rd_term
        told; /* its parts without a loop's variables: of a thread of which they don't hold, it isn't the way */
    unsigned grid;
    bool to_ticket;
};

/* The one place where tickets are drawn. */
struct rd_ticket {
    const struct rd_syntax_node *call;
    rd_term drawn;  /* what a block's thread gets; NULL: none is drawn */
    rd_term drawer; /* number in its block of the thread that comes there */
    rd_term last;   /* the block that draws the last one */
    bool was_used;  /* something was read behind it */
};

/* A loop of which one trip stands for all: for (i = first; ...; i += stride). */
struct rd_loop_trips {
    rd_term i, first, stride;
};

struct rd_segment {
    struct rd_cut from, to;
    /* The last cut of the block, from which phases count; that of lanes is none. */
    struct rd_cut base;
    rd_term path;    /* on which the thread comes to `to` */
    unsigned phases; /* barriers */
    size_t n_accesses, n_requirements;
    struct rd_kernel_access *accesses;
    size_t n_earlier;
    /* Accesses on its way from `base` to `from`, as far as its reads depend on them. */
    struct rd_kernel_access *earlier;
    struct rd_requirement *requirements;
    bool goes_back; /* `to` is the checkpoint of a loop, reached by another trip */
    rd_term lane;   /* value that the thread hands in at `to`; NULL: none */
    /* All threads of the block come to `to`, and the next segment's phases count from there. */
    bool meets;
    struct rd_height lane_height;
};

enum { RD_PROVE_ARGUMENTS_MAX = 8 };

struct rd_argument {
    const struct rd_prove_array *array; /* NULL: a number */
    bool is_float;                      /* number NULL: it isn't known */
    rd_term number; /* of an array: the cell at which the pointer stands; NULL: its first */
};

struct states;

enum { RD_UNSETTLED_MAX = 8 };

struct rd_execution {
    struct rd_terms *terms;
    const struct rd_syntax_unit *unit;
    rd_term thread, block, threads, blocks; /* threadIdx.x, blockIdx.x, blockDim.x, gridDim.x */
    rd_term
        origin; /* what blockIdx.x * blockDim.x is called: the number of the block's first thread */
    /* Optional: the same in y. Without `thread` and `threads`, a block is one row of threads, without `block` and `blocks`, the
     * grid one row of blocks. */
    struct rd_second_dimension {
        rd_term thread, block, threads, blocks, origin;
    } y;
    /* Size of the launch's dynamic shared memory: in elements, or in bytes, of a user's kernel, which says what lies there. */
    rd_term dynamic_size, dynamic_bytes;
    size_t n_units;       /* RD_PROVE_INPUTS_MAX at most */
    const rd_term *units; /* the inputs' elements that are counted */
    /* Products of two elements of one input are counted: `again` has, of each input, the element that is counted in the right
     * factor; NULL: none. */
    bool has_squares;
    const rd_term *again;
    /* Returns what the array holds at the index, at the cut, as far as the thread hasn't written there itself. */
    rd_term (*read)(void *self, const struct rd_cut *cut, const struct rd_prove_array *array,
                    rd_term index);
    const struct rd_prove_array *law_array; /* of which the law speaks at the launch; NULL: none */
    /* Optional: returns the inputs of which the array may hold elements there, but for those that no law claims, k as the bit 2^k. */
    unsigned (*inputs)(void *self, const struct rd_cut *cut, const struct rd_prove_array *array);
    /* Returns the value that the law gives thread `thread` at a checkpoint of lanes. */
    rd_term (*lane)(void *self, const struct rd_cut *cut, rd_term thread);
    /* Of a user's kernel: returns the condition that what an annotation says of the array's cells follows from the invariant at the
     * cut, of which no cell was written since; NULL: it stands elsewhere. */
    rd_term (*promised)(void *self, const struct rd_cut *cut, const struct rd_cut *promise);
    /* Of a user's kernel: returns the condition that the invariant at the cut has a value for each cell that it claims. */
    rd_term (*defined)(void *self, const struct rd_cut *cut);
    bool of_any_type; /* elements may be integers, too */
    /* Of a user's kernel: what its laws combine elements by, and the type of the inputs', which is known where that is no sum. */
    enum rd_operation operation;
    const struct rd_syntax_type *element;
    /* Optional, of a user's host code: evaluates the expression if it is one of its own, as rd_evaluate(); else false. */
    bool (*evaluate)(void *self, struct states *states, const struct rd_syntax_node *node);
    void *self;
    /* Results; rd_execution_finish frees them. */
    size_t n_segments, segments_capacity;
    struct rd_segment *segments;
    /* Loop variables at checkpoints: constants whose values aren't known. */
    struct rd_term_list heads;
    /* Those that a checkpoint fixes: one value for all that come there. */
    struct rd_term_list fixed;
    struct rd_term_list head_ranges; /* what their types say of them */
    size_t n_trips, trips_capacity;
    struct rd_loop_trips *trips; /* of loops that were summed up, whose i are among the heads */
    size_t n_published;
    struct rd_published *published;
    size_t n_ways;
    struct rd_way *ways;
    struct rd_ticket ticket;
    bool meets;     /* at barriers of the grid */
    bool has_asked; /* all threads of a block, by __syncthreads_or() */
    bool adds; /* elements are added, or are the number 0: it is a sum, and no other operation */
    bool subtracts; /* they are subtracted, from what may hold them: what is added has an inverse */
    bool turns_bits;   /* of numbers: '^' with a power of two that isn't known */
    bool by_value;     /* two are combined by their values alone */
    char failure[300]; /* what can't be executed, with its line; "": nothing */
    bool lacks_memory; /* that is the failure */
    /* Private. */
    const char *dynamic_name; /* of the launch's dynamic shared memory; NULL: not declared yet */
    struct rd_prove_array **shared;
    size_t n_shared;
    unsigned fresh, depth, events, grids; /* grids: barriers of the grid that were come to */
    struct loop_cut *loop;
    /* Arrays that a loop's other trips may have written where one is executed. */
    size_t n_unsettled;
    const struct rd_prove_array *unsettled[RD_UNSETTLED_MAX];
    bool is_in_head_loop; /* in a loop that is cut at its condition */
    unsigned
        written_out_line; /* of the first loop with a barrier whose trips were written out; 0: none */
    bool is_written_out; /* the innermost loop is: `break` may leave it */
};

/* "kernels/fold.cu:16: WHAT"; WHAT where the line isn't known. */
const char *rd_place_named(struct rd_terms *terms, const char *file, unsigned line,
                           const char *what);

/* Tells whether the cut's variable tells the value of the loop's, which is then the same for all threads that are there. */
bool rd_cut_fixes(const struct rd_execution *execution, const struct rd_cut *cut, rd_term head);

enum { RD_THREAD_NAMES_MAX = 4 };
/* Lists what tells a thread of the launch from all others: its block and its number there, in each dimension. Returns how many
 * these are. */
unsigned rd_thread_names(const struct rd_execution *execution, rd_term names[RD_THREAD_NAMES_MAX]);
/* Tells whether it is of the thread within its block. */
bool rd_is_of_thread(const struct rd_execution *execution, rd_term term);

/* Executes the kernel. False where it has something that the proof can't read: see failure. */
bool rd_execute(struct rd_execution *execution, const struct rd_syntax_function *kernel,
                size_t n_arguments, const struct rd_argument *arguments);
void rd_execution_finish(struct rd_execution *execution);

#endif
