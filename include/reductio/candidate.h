// SPDX-License-Identifier: MIT
/* A law that somebody proposes for a program, judged by a run of it.
 *
 * The law is asserted of the array that the run copies back after each round. Then it is judged whether the law is
 * enough: from any state that satisfies it, the rounds that are left must reach what the program's own law says at the
 * end. Such states are made from those of the run: all cells that the law does not mention are given
 * other values at once, twice. A law that is kept from no states but the run's own is too weak.
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

/* Verdicts on a law, the best first. */
enum rd_candidate_verdict {
    RD_CANDIDATE_ENOUGH,   /* true at each step, and enough for the goal */
    RD_CANDIDATE_OPEN,     /* true at each step that was seen; whether it is enough is not known */
    RD_CANDIDATE_TOO_WEAK, /* true at each step, and not enough */
    RD_CANDIDATE_NOT_KEPT, /* false after some round */
    RD_CANDIDATE_FALSE_AT_FIRST, /* false before the first round */
    RD_CANDIDATE_VACUOUS,        /* claims no cell at any step */
};

/* The verdict in words: "true, but too weak". Never NULL for a member of the enumeration. */
const char *rd_candidate_verdict_name(enum rd_candidate_verdict verdict);

/* Reasons why the law's input sets were not compared with those of the program's own law. */
enum rd_candidate_gap {
    RD_CANDIDATE_NO_GAP,   /* they were compared */
    RD_CANDIDATE_TOO_MANY, /* n times the steps is more than RD_CANDIDATE_INPUTS_MAX */
    RD_CANDIDATE_TOO_LONG, /* the comparison would take longer than judging may */
    RD_CANDIDATE_NO_LISTS, /* in one of the laws, a cell is no plain reduction of inputs */
};

enum { RD_CANDIDATE_INPUTS_MAX = 1 << 20 };

/* A cell that contradicts the law. */
struct rd_candidate_cell {
    unsigned step; /* rounds made */
    int64_t cell;
    bool outside; /* the array has no such cell; then `actual` and `said` are 0 */
    rd_bits actual,
        said; /* the cell, and the law's value, in the run's type; for floats that is rounded */
    long double exact; /* floats: the law's value before it was rounded */
    bool contradicts;  /* the law gives the cell a second value: */
    rd_bits also;
    long double also_exact; /* floats: that value before it was rounded */
};

struct rd_candidate_result {
    enum rd_candidate_verdict verdict;
    /* NOT_KEPT, FALSE_AT_FIRST: the first false cell. TOO_WEAK: the first cell that the next round makes false, starting
     * from `state` below; at the last step the cell itself, with the value of the program's own law. */
    struct rd_candidate_cell cell;
    size_t n_false; /* cells of that step */
    /* ENOUGH, OPEN: by the program's own law, some round makes a cell from the inputs alone, so that the result of the
     * kernel on other states is unknown. Then `always` is false. */
    bool untried;
    /* OPEN: the law doesn't mention a cell of step `state.step` that the program's own law claims, and the next round's
     * result with another value there is unknown, for the reason in `untried`. */
    bool unsaid;
    /* ENOUGH, OPEN: some floats differ from the law's value, within what rounding explains. */
    bool rounded;
    /* ENOUGH, OPEN, and not `always`: at some step the law and the program's own count input a[suspect] in a cell
     * differently: a run on marked:suspect shows it, or, with `differs_at_smaller`, may show it. */
    bool has_suspect;
    size_t suspect;
    /* ENOUGH, OPEN after a whole run: whether the laws were compared for a suspect. With TOO_MANY and TOO_LONG they were
     * compared at smaller n, if the program takes them and the law has a value there, as far as that is cheap: from 1 up
     * to n_compared (0: at none). With `differs_at_smaller`, a[smaller_input] is the suspect at n_compared. */
    enum rd_candidate_gap gap;
    size_t n_compared;
    bool differs_at_smaller;
    size_t smaller_input;
    /* ENOUGH: for all values at this n, and not only for those that were tried. Set if rounds are as the program documents
     * them, all values are sums, and n is small enough to decide. Never set for floats, which round and overflow. */
    bool always;
    /* OPEN: a sum or a product of floats overflowed on the way, or a product underflowed, though neither the cell nor the
     * law's value is infinite: `overflown` is the first such cell, which may agree with the law. */
    bool overflows;
    struct rd_candidate_cell overflown;
    /* OPEN: the run ended before its last round, so that the law was not asserted at the end. */
    bool unfinished;
    /* NOT_KEPT, FALSE_AT_FIRST: at the later step `stopped_at` the law has no value, as `why` says, and no step from there
     * on was asserted. */
    bool stopped;
    unsigned stopped_at;
    struct rd_law_error why; /* with its place in the proposed text */
    /* TOO_WEAK: the run itself misses the goal: its last array satisfies the law, but not the program's own law, at
     * `cell`; there is no `state`. `silent`: the law doesn't mention that cell. */
    bool misses, silent;
    /* TOO_WEAK: the run's state at `step` also satisfies the law with this cell, which the law doesn't mention, changed
     * from `was` to `becomes`. */
    struct {
        unsigned step;
        int64_t cell;
        rd_bits was, becomes;
        /* All unmentioned cells up to this one must change for the goal to be missed. */
        bool with_others;
        bool at_end; /* the step is the last: no round could mend the state */
        /* The kernel itself was run from the state; `was` is then unknown, and equals `becomes`. */
        bool ran;
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

/* A listener, the caller's, that is called for each step, in order. */
struct rd_candidate_listener {
    size_t size; /* sizeof(struct rd_candidate_listener), or 0: see struct rd_run */
    void *self;
    void (*step)(void *self, const struct rd_candidate_step *step);
};

struct rd_candidate;

/* Reads a law of the program's array: one or more claims, as "for 0 <= i < n: A[i] = sum of a[j], j <= i", with
 * `let` sentences before them if need be. The text may use the program's inputs, array and definitions. Lines and
 * columns in *error are those of `text`. A NULL text is the program's own law. RD_ERROR_USAGE: the text can't be read, the
 * program has no law itself, or the listener has another size or no `step`. RD_ERROR_MEMORY. The caller owns *candidate;
 * program and listener (optional) must outlive it. */
enum rd_status rd_candidate_create(struct rd_candidate **candidate,
                                   const struct rd_program *program, const char *text,
                                   const struct rd_candidate_listener *listener,
                                   struct rd_law_error *error);
void rd_candidate_destroy(struct rd_candidate *candidate); /* NULL is fine */

/* Returns the sentence that is judged: `text` or, if that is NULL, the law in the program's paragraph. The caller frees
 * it. NULL if there is no memory, or if the program has no law. */
char *rd_candidate_text(const struct rd_program *program, const char *text);

/* Returns the operation of the law's reductions if none of them uses the run's; else the run's. */
enum rd_operation rd_candidate_operation(const struct rd_candidate *candidate,
                                         enum rd_operation of_run);

/* Returns the observer that judges a run of the program, with `frame` and `go_on` set, and not of witness values. It lives
 * as long as the candidate, and may observe one run after the other. It ends the run with RD_ERROR_USAGE if the law has no
 * value at a step, as by a division by 0, and was not false before; and for a fault whose array is another than the right
 * program's. */
const struct rd_observer *rd_candidate_observer(struct rd_candidate *candidate);

/* The judgement of the last run. Valid after it has ended by RD_OK. */
void rd_candidate_judge(const struct rd_candidate *candidate, struct rd_candidate_result *result);

/* Lists the trials that an OPEN law with `unsaid` cells still needs: each break gives another value to a cell that the law
 * doesn't mention at that step. They are in order of steps, at most 64 a step: *all is false if there are more. A run with
 * the breaks of one step, observed by the candidate, either keeps the law up to the goal or shows that it is too weak.
 * Valid until the next run. */
const struct rd_break *rd_candidate_to_try(const struct rd_candidate *candidate, unsigned *count,
                                           bool *all);

/* Gives the error that ended the last run, as the law has no value at a step: lines and columns are those of `text`, 0 if
 * the message has no place in it. */
void rd_candidate_error(const struct rd_candidate *candidate, struct rd_law_error *error);

/* The law's value of a cell, and whether the cell has it. */
enum rd_candidate_mark { RD_CANDIDATE_UNSAID, RD_CANDIDATE_IS, RD_CANDIDATE_IS_NOT };

/* An array at a step as the law sees it. */
struct rd_candidate_look {
    size_t n_cells;
    unsigned char *marks; /* [n_cells]: of enum rd_candidate_mark */
    void *said; /* elem[n_cells] of the run's type: the law's values; unset for unmentioned cells */
    /* [n_cells]: for floats the law's values before they were rounded; else unused. */
    long double *exact;
    char *statement; /* the law with the numbers of the step */
    size_t n_live, n_false;
    struct rd_candidate_cell first; /* n_false > 0: the first false cell */
    bool overflows;                 /* `overflown` is neither false nor known to be true */
    struct rd_candidate_cell overflown;
};

/* Compares a step with the law, without judging. The run must be the one that is observed, or that was observed last.
 * RD_ERROR_USAGE: the law has no value there. RD_ERROR_MEMORY. The caller calls rd_candidate_look_finish after success. */
enum rd_status rd_candidate_look_init(struct rd_candidate_look *look,
                                      struct rd_candidate *candidate, const struct rd_run *run,
                                      const struct rd_step *step, struct rd_error *error);
/* Frees what rd_candidate_look_init made. */
void rd_candidate_look_finish(struct rd_candidate_look *look);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
