// SPDX-License-Identifier: MIT
/* Observations of the simulator: events, without a word of text. report.c turns them into
 * findings. */
#ifndef RD_SIM_EVENT_H
#define RD_SIM_EVENT_H

#include "device/sim/api/intrinsics.h"
#include "reductio/hazard_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum rd_sim_op { RD_SIM_READ, RD_SIM_WRITE, RD_SIM_ATOMIC };

/* An operation whose result C++ leaves undefined. */
enum rd_sim_operator { RD_SIM_SHIFT, RD_SIM_CONVERSION, RD_SIM_DIVISION };

struct rd_sim_number {
    char letter;    /* 'i', 'u' or 'f'; 0: unknown */
    unsigned bits;  /* of its type */
    uint64_t value; /* the low 64 of them; of signed ones and narrow floats with nothing above */
};

struct rd_sim_operation {
    enum rd_sim_operator kind;
    struct rd_sim_number left, right; /* of a conversion: what is converted, and to which type */
    bool to_the_left;                 /* a shift, where `result` is known */
    struct rd_sim_number result;      /* that the thread went on with, instead of the processor's */
};

/* A place in the source: the return address of an access, or, where pc is 0, file and line. */
struct rd_sim_site {
    uintptr_t pc;
    const char *file;
    unsigned line;
    /* Number of the inlined call at the pc that is meant, from the outermost, 1; 0: the innermost */
    unsigned call;
};

/* A launch: its kernel, where there are several; else NULL. */
struct rd_sim_launched {
    const char *kernel;
    struct rd_sim_dim grid, block;
};

/* What a launch's threads have printed, in whichever order: how often, and the sum of hashes of what. */
struct rd_sim_printed {
    uint64_t n, sum;
};

/* Thread that did it, and the place. */
struct rd_sim_actor {
    bool thread_known, block_known;
    unsigned thread; /* linear in its block */
    uint64_t block;  /* linear in the grid */
    enum rd_sim_op op;
    bool is_volatile; /* the access is one of a volatile object */
    struct rd_sim_site site;
    /* Launch of the actor, if that may be an earlier one than the report's; else block.x is 0. */
    struct rd_sim_launched launch;
};

/* A local variable, or the one next to an access. */
struct rd_sim_private_variable {
    const char *name; /* without an end; NULL where none is known */
    unsigned name_length;
    size_t size_bytes;
    int64_t offset_bytes; /* of the access */
};

/* Knowledge that atomics and flags give of another block's accesses: none; that its block had come so far, though not
 * that the thread had; or that, so that it takes fences alone. */
enum rd_sim_heard { RD_SIM_UNHEARD, RD_SIM_HEARD_OF_BLOCK, RD_SIM_HEARD_OF_THREAD };

struct rd_sim_event {
    enum rd_hazard_kind hazard;
    struct rd_sim_actor actor, other; /* `other` where two take part */
    bool has_other;
    uintptr_t address; /* of an access */
    size_t size_bytes;
    unsigned bytes; /* of a race: which of its bytes, one bit each; the last bit for all above */
    enum rd_sim_heard heard; /* of a race between blocks: by the second one, of the first */
    bool same_value;         /* of two writes */
    bool bits_known;         /* before/after are set */
    uint64_t before, after;
    unsigned interval; /* barriers that the block had passed */
    /* Of a failed assertion; of an access that was none, what it was; what is wrong with a launch. */
    const char *text;
    /* Of an access over its budget: the thread's accesses of this kind, and how many are allowed; of a thread that
     * does not end: so many were allowed, where that has ended it. */
    uint64_t made, allowed;
    /* Of a thread that does not end: the seconds that have ended it; 0: they have not. */
    unsigned limit_s;
    bool index_known; /* the compiler's own bounds check: `index` into an array of n_elems */
    int64_t index;
    size_t n_elems;
    /* The place at which two threads wait that came there by different calls, which are their sites. No file: they
     * did not. */
    struct rd_sim_site meeting;
    /* Of a race: with an asynchronous copy of the actor's, which nobody has waited for. */
    bool is_async;
    bool frees;    /* the access is a free() of the address, and writes as much as was allocated */
    bool launches; /* it is about a launch by the thread, `text` says what is wrong with it */
    bool kept;     /* of a leak: global memory holds a pointer to it; */
    bool of_program;                   /* and it is one at a program's end, and not at a launch's */
    struct rd_sim_operation operation; /* of undefined arithmetic */
    /* About a thread's local variables; of an uninitialised one, address and before/after are of a cell where it
     * shows, if any is known */
    bool is_private;
    struct rd_sim_private_variable variable;
    bool resumed; /* not another hazard: the thread goes on with the operation's result */
};

#endif
