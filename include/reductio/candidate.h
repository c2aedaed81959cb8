// SPDX-License-Identifier: MIT
/* A law that somebody proposes for a program, judged by a run of it.
 *
 * It is asserted of the array that the run copies back after each round, and then asked whether it is
 * enough: whatever satisfies it must, by the rounds that are left, come to what the program's own law says at the
 * end. States that satisfy it are made from those of the run: each cell of which the law says nothing is given
 * another value, all of them at once, twice. A law that is kept from none but the run's own states is too weak.
 *
 * Thread safety: calls that use devices of their own may be made at once, on any threads; device.h says
 * what devices share. */
#ifndef RD_CANDIDATE_H
#define RD_CANDIDATE_H

#include "run.h"
#include "law.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* From the best on. */
enum rd_candidate_verdict {
    RD_CANDIDATE_ENOUGH,         /* true at each step, and enough for the goal */
    RD_CANDIDATE_OPEN,           /* true at each step that was seen; more can't be told */
    RD_CANDIDATE_TOO_WEAK,       /* true at each step, and not enough */
    RD_CANDIDATE_NOT_KEPT,       /* false after some round */
    RD_CANDIDATE_FALSE_AT_FIRST, /* false before the first round */
    RD_CANDIDATE_VACUOUS,        /* of no cell, at any step */
};

/* The verdict in words: "true, but too weak". Never NULL for a member of the enumeration. */
const char *rd_candidate_verdict_name(enum rd_candidate_verdict verdict);

/* Reasons why the law's sets were not compared with those of the program's own law. */
enum rd_candidate_gap {
    RD_CANDIDATE_NO_GAP,   /* they were */
    RD_CANDIDATE_TOO_MANY, /* n times the steps is more than RD_CANDIDATE_INPUTS_MAX */
    RD_CANDIDATE_TOO_LONG, /* it takes more than the judging may */
    RD_CANDIDATE_NO_LISTS, /* a cell is more than the operation of inputs, in one law or the other */
};

enum { RD_CANDIDATE_INPUTS_MAX = 1 << 20 };

/* A cell that is not what the law says. */
struct rd_candidate_cell {
    unsigned step; /* rounds made */
    int64_t cell;
    bool outside;         /* the array has no such cell; then `actual` and `said` are 0 */
    rd_bits actual, said; /* of the run's type; what is said of floats is rounded */
    long double exact;    /* of floats: what is said, before that */
    bool contradicts;     /* the law says two things of it: `said`, and this: */
    rd_bits also;
    long double also_exact; /* of floats: before it is rounded */
};

struct rd_candidate_result {
    enum rd_candidate_verdict verdict;
    /* NOT_KEPT, FALSE_AT_FIRST: the first false cell. TOO_WEAK: the first that the next round makes false of
     * the state below, or, of the last step, the cell itself, with what the program's law says of it. */
    struct rd_candidate_cell cell;
    size_t n_false; /* cells of that step */
    /* ENOUGH, OPEN: some round, by the program's own law, makes a cell from the inputs alone, so that it says nothing of
     * what the kernel makes of other states. Then `always` is false. */
    bool untried;
    /* OPEN: of a cell of step `state.step`, of which the program's own law speaks, the law says nothing, and what the
     * next round makes of another value there isn't known, as it is `untried`. */
    bool unsaid;
    /* ENOUGH, OPEN: some floats are what the law says but for what rounding explains. */
    bool rounded;
    /* ENOUGH, OPEN, and not `always`: the law and the program's own say at some step of some cell that input a[suspect]
     * is in it, but not as often: a run on marked:suspect shows it. Of `differs_at_smaller` it may show it. */
    bool has_suspect;
    size_t suspect;
    /* ENOUGH, OPEN of a run that came to its last round: whether that was looked for. With TOO_MANY and TOO_LONG it was
     * at the smaller n that the program takes and where the law has a value, as far as that is cheap: from 1 up to
     * n_compared, or, where that is 0, at none. The last of these is the one at which input a[smaller_input] is such a
     * one, if any is. */
    enum rd_candidate_gap gap;
    size_t n_compared;
    bool differs_at_smaller;
    size_t smaller_input;
    /* ENOUGH: so it is of all values at this n, and not of those alone that were tried: as far as rounds are what the
     * program documents, all is sums, and n no larger than it can be decided for. False of floats, which round and
     * overflow. */
    bool always;
    /* OPEN: a sum or a product of floats overflowed on the way, or a product underflowed, where neither of the two values is
     * infinite: `overflown` is the first such cell, which may be what the law says. */
    bool overflows;
    struct rd_candidate_cell overflown;
    /* OPEN: the run ended before its last round, so that nobody knows what the law says at the end. */
    bool unfinished;
    /* NOT_KEPT, FALSE_AT_FIRST: at a later step the law has no value, as `why` says, and from there on it wasn't looked
     * at. */
    bool stopped;
    unsigned stopped_at;
    struct rd_law_error why; /* with its place in the proposed text */
    /* TOO_WEAK: the run itself misses the goal: its last array is what the law says, and not what the program's own
     * does, as `cell` has it; there is no state. `silent`: the law says nothing of that cell. */
    bool misses, silent;
    /* TOO_WEAK: the state of `step` with this cell, of which the law says nothing, changed from `was` to
     * `becomes` satisfies the law, too. */
    struct {
        unsigned step;
        int64_t cell;
        rd_bits was, becomes;
        bool with_others; /* this cell alone does no harm: it and those before it do */
        bool at_end;      /* no round is left that could set it right */
        bool ran; /* the kernel itself was run from it; `was` isn't known, and is `becomes` */
    } state;
};

/* A step as the law sees it. The statement is valid during the call only. */
struct rd_candidate_step {
    unsigned number;
    const char *statement; /* the law with the numbers of the step */
    size_t n_live, n_false;
    struct rd_candidate_cell first; /* n_false > 0: the first false cell */
    bool overflows;                 /* `overflown` is neither false nor known to be true */
    struct rd_candidate_cell overflown;
};

/* Is told each step, in order. */
struct rd_candidate_listener {
    size_t size; /* sizeof(struct rd_candidate_listener), or 0: see struct rd_run */
    void *self;
    void (*step)(void *self, const struct rd_candidate_step *step);
};

struct rd_candidate;

/* Reads a law of the program's array: a claim or several, "for 0 <= i < w: A[i] = sum of a[j], j mod w = i", with
 * `let` sentences before them if need be. The program's inputs, array and definitions are known to it. Lines and
 * columns in *error are of `text`. A NULL text is the program's own law. RD_ERROR_USAGE where it can't be read, the
 * program has no law itself, or the listener is of another size or tells nobody, RD_ERROR_MEMORY. The caller owns *candidate; program and listener, which may be NULL, must
 * outlive it. */
enum rd_status rd_candidate_create(struct rd_candidate **candidate,
                                   const struct rd_program *program, const char *text,
                                   const struct rd_candidate_listener *listener,
                                   struct rd_law_error *error);
void rd_candidate_destroy(struct rd_candidate *candidate); /* NULL is fine */

/* The sentence that is judged: `text`, or, where that is NULL, the law in the program's paragraph. The caller frees
 * it. NULL without memory, or where the program has none. */
char *rd_candidate_text(const struct rd_program *program, const char *text);

/* The operation that the law's reductions are of, where none of them is of that of the run; else that. */
enum rd_operation rd_candidate_operation(const struct rd_candidate *candidate,
                                         enum rd_operation of_run);

/* The observer through which it sees a run of the program, with `frame` and `go_on` set, and not of witness
 * values. A law without a value at a step, as by a division by 0, ends the run with RD_ERROR_USAGE, unless it was false at a
 * step before, and so does a fault
 * whose array is another than that of the right program. One run after the
 * other may be observed; each begins anew. */
const struct rd_observer *rd_candidate_observer(struct rd_candidate *candidate);

/* The judgement of the last run. Valid after it has ended by RD_OK. */
void rd_candidate_judge(const struct rd_candidate *candidate, struct rd_candidate_result *result);

/* Lists the trials that an OPEN law with unsaid cells still needs: each break gives a cell another value at a step of
 * which the law says nothing there. In order of steps; of each step some, at most 64: *all is false where there
 * are more. A run with the breaks of one step, which the candidate observes, either keeps the law up to the goal or shows
 * that it is too weak. Valid until the next run. */
const struct rd_break *rd_candidate_to_try(const struct rd_candidate *candidate, unsigned *count,
                                           bool *all);

/* Gives the error of a law that has no value at a step, which ended the last run: lines and columns are of `text`; 0 if
 * the message is of no place in it. */
void rd_candidate_error(const struct rd_candidate *candidate, struct rd_law_error *error);

/* The law's value of a cell, and whether the cell has it. */
enum rd_candidate_mark { RD_CANDIDATE_UNSAID, RD_CANDIDATE_IS, RD_CANDIDATE_IS_NOT };

/* An array at a step as the law sees it. */
struct rd_candidate_look {
    size_t n_cells;
    unsigned char *marks; /* [n_cells]: of enum rd_candidate_mark */
    void *said;           /* elem[n_cells] of the run's type, where the law says something */
    long double *exact;   /* [n_cells]: the same of floats, before it is rounded; else unused */
    char *statement;      /* the law with the numbers of the step */
    size_t n_live, n_false;
    struct rd_candidate_cell first; /* n_false > 0: the first false cell */
    bool overflows;                 /* `overflown` is neither false nor known to be true */
    struct rd_candidate_cell overflown;
};

/* Looks at a step, and judges nothing. The run must be the one that is observed, or was last. RD_ERROR_USAGE where the
 * law has no value there; RD_ERROR_MEMORY. The caller calls rd_candidate_look_finish after success. */
enum rd_status rd_candidate_look_init(struct rd_candidate_look *look,
                                      struct rd_candidate *candidate, const struct rd_run *run,
                                      const struct rd_step *step, struct rd_error *error);
void rd_candidate_look_finish(struct rd_candidate_look *look);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
