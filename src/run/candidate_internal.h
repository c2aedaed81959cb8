// SPDX-License-Identifier: MIT
/* Shared by the parts of a candidate. Private to src/run. */
#ifndef RD_RUN_CANDIDATE_INTERNAL_H
#define RD_RUN_CANDIDATE_INTERNAL_H

#include "reductio/candidate.h"

/* A decision by the inputs in a law's cells: for any values of these sizes, operation and kind. */
struct rd_candidate_decision {
    bool known;
    struct rd_law_sizes sizes;
    enum rd_operation operation;
    bool proves; /* that all values are decided was tried, too */
    bool always, has_suspect, differs_at_smaller;
    size_t suspect, n_compared, smaller_input;
    enum rd_candidate_gap gap;
};

/* The program's own documentation of its array of floats at a step, whichever law is proposed. */
struct rd_candidate_floats {
    struct rd_expect expect; /* the array, by the right program's start and rounds, */
    unsigned n_steps;        /* moved on to so many steps, the first included; 0: there is none */
    /* [n_cells]: of each cell that its own law has spoken of what that says, the sum of absolute values, and, of
     * products, how many inputs are in it. */
    long double *exact, *weight, *factors;
    long double unit; /* what an operation rounds in `exact` */
};

struct rd_candidate {
    const struct rd_program *program;
    const struct rd_candidate_listener *listener;
    struct rd_law *own;      /* the program's paragraph, */
    struct rd_law *proposed; /* that with the proposed law in its place, */
    struct rd_law *moving;   /* and that with the program's update, too; or NULL */
    bool is_own;             /* none was proposed: it is the program's own law that is judged */
    size_t lines;            /* of it that stand before the proposed text */
    size_t n_given;          /* its characters before that */
    struct rd_observer observer;
    /* State of a run. */
    struct rd_law_run *own_run, *run;
    struct rd_law_error error;
    const void *inputs[2];
    double *wide[2];                   /* the inputs, as those of floats are summed */
    bool whole;                        /* all are whole numbers */
    bool finite;                       /* all are numbers */
    struct rd_candidate_floats floats; /* of a run that rounds */
    /* The run itself is compared, and not a state made from it: what can't be told is noted. */
    bool notes;
    bool untold; /* a cell may be what the law says, and may not (see rd_saying_is): */
    struct rd_candidate_cell doubt;     /* the first such */
    struct rd_candidate_cell overflown; /* of a step, the first that overflows; cell is -1: none */
    size_t n_inputs;                    /* the larger of both */
    unsigned n_rounds;
    uint64_t work_max;     /* evaluations in one call of the proposed law; 0: as many as any */
    bool ever_live, ended; /* some step had a live cell; the last was seen */
    struct rd_candidate_result result;
    struct rd_break *to_try; /* [n_to_try]: see rd_candidate_to_try */
    unsigned n_to_try;
    bool more_to_try;
    /* State of the last run that came to its end, kept for the next. */
    struct rd_candidate_decision decision;
};

/* The sentences about the program's array. */
const struct rd_law_section *rd_candidate_section(const struct rd_law *law);

/* RD_ERROR_MEMORY, with a message in the candidate's error. */
enum rd_status rd_candidate_no_memory(struct rd_candidate *candidate);

/* The candidate's error in the words of the run, with its place in the law. Returns the status. */
enum rd_status rd_candidate_pass_on(const struct rd_candidate *candidate, enum rd_status status,
                                    struct rd_error *error);

/* The proposed law with the numbers of the place, which the caller frees. Statuses as below. */
enum rd_status rd_candidate_statement(struct rd_candidate *candidate, const struct rd_law_place *at,
                                      char **text);

/* ---- what the law says ---- */

/* The law's values of an array: of floats in a wider type, too, with the sums of absolute values. */
struct rd_saying {
    const struct rd_law *law; /* what says it */
    struct rd_law_cells live;
    void *said;          /* elem[n_cells] */
    long double *wide;   /* [n_cells], floats only */
    long double *weight; /* likewise */
    long double unit;    /* what an operation rounds in `wide` */
    /* Two claims on one cell that contradict each other: the law is false of any array. Of floats both values are f64s, as
     * two forms of one value may round differently in the run's type. */
    struct rd_law_conflict conflict;
};

/* Evaluates the proposed law at the place, for an array of so many cells. Returns what rd_law_apply does, with the
 * candidate's error; rd_saying_finish is due after success. Where a cell is outside the array, the law is false, and
 * nothing is said of the others. */
enum rd_status rd_saying_init(struct rd_saying *saying, struct rd_candidate *candidate,
                              const struct rd_numeric *numeric, const struct rd_law_place *at,
                              size_t n_cells);
void rd_saying_finish(struct rd_saying *saying);

/* RD_ERROR_USAGE, with the candidate's error, where the law speaks of a cell whose value is not known at the step. */
enum rd_status rd_saying_check_known(struct rd_candidate *candidate, const struct rd_saying *saying,
                                     const struct rd_step *step);

/* Tells whether a cell is what the law says of it. UNTOLD: the terms of the law cancel, so that what it says is known less
 * well than what the run rounds. OVERFLOWS: one of the two is infinite, or no number, which the documented rounds come to
 * on the way to what the other says; or a product has underflowed there. */
enum rd_saying_mark {
    RD_SAYING_IS,
    RD_SAYING_IS_BUT_FOR_ROUNDING,
    RD_SAYING_UNTOLD,
    RD_SAYING_OVERFLOWS,
    RD_SAYING_IS_NOT
};

enum rd_saying_mark rd_saying_is(const struct rd_candidate *candidate,
                                 const struct rd_saying *saying, const struct rd_numeric *numeric,
                                 uint64_t cell, rd_bits actual);

/* Returns the tolerance between a cell of such a run and the law's value of it. */
long double rd_saying_tolerance(const struct rd_candidate *candidate,
                                const struct rd_saying *saying, const struct rd_numeric *numeric,
                                uint64_t cell);

/* The law's value of a cell, rounded once to the run's type. */
rd_bits rd_saying_value(const struct rd_saying *saying, const struct rd_numeric *numeric,
                        uint64_t cell);

/* The cell, with what it is and what the law says of it. */
struct rd_candidate_cell rd_saying_cell(const struct rd_saying *saying,
                                        const struct rd_numeric *numeric, unsigned step,
                                        uint64_t cell, rd_bits actual);

/* Counts the live cells that are not as the law says, and finds the first. Notes in the candidate what is untold. */
size_t rd_saying_count_false(struct rd_candidate *candidate, const struct rd_saying *saying,
                             const struct rd_numeric *numeric, unsigned step, const void *cells,
                             struct rd_candidate_cell *first);

/* ---- floats ---- */

/* The sentences that are worked out. */
struct rd_wide_law {
    struct rd_law_run *run;
    const struct rd_law *law;
    enum rd_operation operation; /* of the run; of `+` and of a sum where they aren't as written */
    bool as_written, inside_only;
};

/* Takes up the documentation of the array at a step of a run that rounds; to be called for each step up to the one that
 * is compared. Statuses as above. */
enum rd_status rd_candidate_document(struct rd_candidate *candidate, const struct rd_run *run,
                                     unsigned step, size_t n_cells);
void rd_candidate_floats_finish(struct rd_candidate_floats *floats);

/* ---- whether it is enough ---- */

/* Asks of a step at which the law is true whether it is enough, and puts what is found into the result. Statuses as
 * above. */
enum rd_status rd_candidate_ask(struct rd_candidate *candidate, const struct rd_run *run,
                                const struct rd_step *step, const struct rd_saying *now);

/* Returns the sizes with which the proposed law is evaluated. */
struct rd_law_sizes rd_candidate_sizes(const struct rd_candidate *candidate,
                                       const struct rd_run *run);

/* Decides what it can by the inputs in each cell, whatever the values, and puts that into the result. What isn't decided
 * has been tried only, which is no failure. RD_ERROR_INTERRUPTED, RD_ERROR_MEMORY. */
enum rd_status rd_candidate_decide(struct rd_candidate *candidate, const struct rd_run *run);

/* Tells whether the sentences of the section are made of inputs by that operation alone. */
bool rd_candidate_reduces_by(const struct rd_law_section *section, enum rd_law_role role,
                             enum rd_operation operation);

/* ---- candidate_floats.c ---- */

/* Applies the law to the candidate's inputs in a wider type: `cells`, and in `unit` what one of its additions may be off by.
 * Statuses as of rd_law_apply_in. */
enum rd_status rd_candidate_apply_wide(struct rd_candidate *candidate,
                                       const struct rd_wide_law *wide,
                                       const struct rd_law_place *at, bool absolute,
                                       struct rd_law_conflict *conflict, long double *cells,
                                       size_t n_cells, long double *unit);
/* A tree of height h is off by g_h * sum |a_j| at most (Higham, "Accuracy and Stability of Numerical Algorithms", 2nd
 * ed., eq. 4.4); twice h*u is more than that and a last rounding. A product of k + 1 factors is made by k roundings,
 * whatever its tree, and each is a factor 1 + e of the result, |e| <= u: it is off by (1 + u)^k - 1 times itself. */
long double rd_candidate_rounding_limit(const struct rd_candidate *candidate,
                                        const struct rd_numeric *numeric, uint64_t cell);

#endif
