// SPDX-License-Identifier: MIT
/* The paragraphs of programs, which are kept as they were read, and the last runs of them, which each thread keeps.
 * Private. */
#ifndef RD_PROGRAM_PARAGRAPH_H
#define RD_PROGRAM_PARAGRAPH_H

#include "reductio/law.h"
#include "reductio/program.h"

#include <signal.h>
#include <stdatomic.h>

/* The members of a program that make its paragraph. */
struct rd_paragraph_key {
    const char *text, *launch, *kernel, *points;
};

struct rd_paragraph {
    struct rd_paragraph *next; /* of those that live as long as the process */
    atomic_uint references;    /* else: its program, and threads that cache a run of it */
    struct rd_paragraph_key key;
    /* Its texts are copies: those of a program that is not built in may change, or be gone. */
    bool owns_key;
    struct rd_law *law;
    enum rd_kernel *kernels;                             /* of its launches */
    const struct rd_law_section *points[RD_POINT_COUNT]; /* NULL: none */
    struct rd_law_about about[RD_POINT_COUNT];
    /* Invariants at the points that the program's kernels come to, and their addresses, NULL-terminated. */
    struct rd_point_invariant invariants[RD_POINT_COUNT];
    const struct rd_point_invariant *listed[RD_POINT_COUNT + 1];
};

enum { RD_CACHED_WARPS = 32 };

/* The steps at which a warp comes to a point. */
struct rd_cached_steps {
    bool known;
    struct rd_law_place place;
    size_t count;
    uint64_t *values;
};

/* The inputs of a cell, for who asks for one after the other. */
struct rd_cached_members {
    const struct rd_law_section *section; /* NULL: of none */
    struct rd_law_place place;
    int input;
    uint64_t cell;
    size_t count;
    uint64_t *list;
};

struct rd_cached_run {
    struct rd_paragraph *paragraph; /* retained; NULL: of none */
    const struct rd_law *law;
    struct rd_shape shape;
    struct rd_law_run *run;
    struct rd_cached_members members;
    struct rd_cached_steps *steps[RD_POINT_COUNT]; /* by warp; NULL: not asked yet */
    size_t cells[RD_POINT_COUNT];                  /* 0: not asked yet */
    bool has_rounds;
    unsigned n_rounds; /* once all of them were asked for, and had their values */
};

/* The program's paragraph, launches and all; NULL where it can't be read, as a watch is told. It stays where it is as long as
 * the program. */
const struct rd_paragraph *rd_paragraph_of(const struct rd_program *program);
/* Reads it for the caller, who releases it. With `absent`, kernels need not be there. RD_ERROR_USAGE, RD_ERROR_MEMORY. */
enum rd_status rd_paragraph_create(const struct rd_program *program, bool absent,
                                   struct rd_paragraph **paragraph, struct rd_error *error);
void rd_paragraph_release(struct rd_paragraph *paragraph); /* NULL is fine */
/* The name of the kernel of its launch of that number. */
const char *rd_paragraph_kernel(const struct rd_paragraph *paragraph, size_t launch);
/* Returns this thread's cached run of the paragraph on the shape, valid until some other shapes were asked for; NULL on
 * failure, as a watch is told. */
struct rd_cached_run *rd_paragraph_run(const struct rd_program *program,
                                       const struct rd_shape *shape);
/* Functions that return a number, or whether there is another round, return 0 or false where the paragraph has no value.
 * Who has to know then watches it: from here to the end, failures of this program on this thread are the watch's, and
 * those of watches around it are not told of them. It is the caller's, which doesn't return in between. */
struct rd_paragraph_watch {
    const struct rd_program *program;
    enum rd_status status; /* of the first failure that was not asked for */
    struct rd_error why;
    struct rd_paragraph_watch *around;
};
void rd_paragraph_watch_begin(struct rd_paragraph_watch *watch, const struct rd_program *program);
/* Returns the first failure, and forgets it; RD_OK where there was none. */
enum rd_status rd_paragraph_watch_ask(struct rd_paragraph_watch *watch, struct rd_error *error);
/* The same, and ends it. */
enum rd_status rd_paragraph_watch_end(struct rd_paragraph_watch *watch, struct rd_error *error);
/* While a client's function is called: what it asks for is its own, and it may leave by longjmp(). Ends with what is
 * returned. */
struct rd_paragraph_watch *rd_paragraph_watch_leave(void);
void rd_paragraph_watch_return(struct rd_paragraph_watch *left);
/* Tells who watches. */
void rd_paragraph_note(const struct rd_program *program, enum rd_status status,
                       const struct rd_law_error *why);
/* Has non-zero end what this thread's programs evaluate for long of their arrays; NULL: nothing does. Returns what did
 * before. */
const volatile sig_atomic_t *rd_paragraph_interrupt(const volatile sig_atomic_t *interrupted);
/* The same, as it is. */
const volatile sig_atomic_t *rd_paragraph_interruption(void);
/* Evaluates an expression of n and T; 0 where it can't be read, has no value or there is no memory. */
size_t rd_paragraph_value(const char *expression, size_t n, unsigned block);

#endif
