// SPDX-License-Identifier: MIT
/* A program that is being proved: its law as terms at any step, what is taken for granted, and the goals that are made. Private to
 * the making of goals.
 *
 * The claim is for every n, every shape that the program accepts, every step d >= 0 and one element of each input, any one. */
#ifndef RD_PROVE_SUBJECT_H
#define RD_PROVE_SUBJECT_H

#include "program/paragraph.h"
#include "prove/kernel/execution.h"
#include "prove/logic/proof.h"
#include "prove/law/law_terms.h"
#include "prove/prove.h"

enum { RD_SUBJECT_UNITS_MAX = RD_PROVE_INPUTS_MAX };

/* A fact about a step, as a term in `steps`; or that the cell in which the law puts the counted element, its home, is live. */
struct rd_fact {
    rd_term at_steps; /* NULL: the home is live */
    bool from_one;    /* it is said of steps from 1 on */
    bool dropped;
};

/* A fact about the variable of a checkpoint, in a constant that stands for it. */
struct rd_point_fact {
    const char *point;
    rd_term said;
    bool dropped;
};

struct rd_point_facts {
    bool known;
    size_t count;
    struct rd_point_fact *list;
};

enum { RD_LAUNCHINGS_MAX = 4 };

struct rd_proof_subject {
    const struct rd_program *program;
    const struct rd_prove_options *options; /* NULL: none */
    const struct rd_paragraph *paragraph;
    const struct rd_law_section *array;
    struct rd_proof *proof;
    struct rd_terms *terms;
    struct rd_law_reader *reader;
    rd_term n, T, B, steps, cell;
    size_t n_units;
    rd_term units[RD_SUBJECT_UNITS_MAX]; /* NULL: all elements of that input are 0 */
    /* The law has products with two elements of an input: they are counted by a second element of it, in the right factor; NULL: such
     * products are 0. */
    bool has_squares;
    rd_term again[RD_SUBJECT_UNITS_MAX];
    bool values_only;   /* goals that speak of no values were made before, with all units */
    const char *suffix; /* ", where all of b is 0"; "": with all units */
    bool has_measure, measure_grows; /* of the rounds: that definition of the law, by its number */
    size_t measure;
    struct rd_term_list base; /* hypotheses of all goals */
    /* The greatest height of what A's cells hold behind the launches so far; NULL: it isn't known. */
    rd_term height;
    size_t n_single_launches; /* of those, those that come once */
    size_t n_facts, facts_capacity;
    struct rd_fact *facts;
    struct rd_point_facts points[RD_LAUNCHINGS_MAX]; /* of each launch */
    struct rd_host *host; /* of a user's program, whose steps are states of its arrays; else NULL */
    bool read_changed;    /* the options\' changed file was read */
    char failure[400];    /* why there is no proof; "": nothing */
    /* Status of the failure; RD_OK: the program can't be proved, which is no error. */
    enum rd_status status;
};

/* Ends the making of goals, with a reason for which the program can't be proved. The first reason stays. */
void rd_subject_fail(struct rd_proof_subject *subject, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same by an error, which rd_prove_program() returns. */
void rd_subject_fail_by(struct rd_proof_subject *subject, enum rd_status status, const char *text);
bool rd_subject_goes(struct rd_proof_subject *subject);

/* What is counted: `inputs` has a bit for each input of which one element is 1; all elements of the others are 0.
 * Values are sums of numbers and of products that are linear in each input, and so they are known when they are known
 * for all sets of inputs: the proof is made for each.
 *
 * With squares, values are polynomials of degree 2 in all elements, and known by their coefficients: of each element,
 * and of each product of two, which are of two inputs, or of one, whose bit is in `again`. So the sets are none, each
 * input, each two, and each one twice. */
struct rd_counted {
    unsigned inputs, again;
};

enum { RD_COUNTED_MAX = 16 };

/* Lists the sets to prove the program for; in the first all goals are made, in the others those that speak of values. */
size_t rd_subject_counted(const struct rd_program *program,
                          struct rd_counted counted[RD_COUNTED_MAX]);

void rd_subject_init(struct rd_proof_subject *subject, const struct rd_program *program,
                     struct rd_proof *proof, struct rd_counted counted, bool values_only);
void rd_subject_finish(struct rd_proof_subject *subject);

/* The quantities after d rounds. */
struct rd_law_numbers rd_subject_numbers(const struct rd_proof_subject *subject, rd_term d);
/* Terms of a cell of the program's array after d rounds: the condition that it is live; how often it then holds the counted element;
 * and its value, live or dead, where nothing is known of a dead one. */
rd_term rd_subject_live(struct rd_proof_subject *subject, rd_term d, rd_term cell);
rd_term rd_subject_count(struct rd_proof_subject *subject, rd_term d, rd_term cell);
rd_term rd_subject_value(struct rd_proof_subject *subject, rd_term d, rd_term cell);
/* The cell in which the law puts the counted element after d rounds; NULL where it isn't said by an equation. */
rd_term rd_subject_home(struct rd_proof_subject *subject, rd_term d);

/* The term as a sentence shows it, in the proof's memory. */
const char *rd_subject_text(struct rd_proof_subject *subject, rd_term term);

/* The facts that are known of a step. */
rd_term rd_fact_term(struct rd_proof_subject *subject, const struct rd_fact *fact, rd_term d);
void rd_subject_add_facts(struct rd_proof_subject *subject, rd_term d,
                          struct rd_term_list *hypotheses);

/* Adds a goal to the proof. Its hypotheses are `base`, which must have a model, and `more`, which may be NULL: the case. It is left
 * out where it follows without a prover or is there already; with values_only also where it doesn't speak of values. */
void rd_subject_add_goal(struct rd_proof_subject *subject, enum rd_proof_obligation obligation,
                         const char *segment, const char *what, const struct rd_term_list *base,
                         const struct rd_term_list *more, rd_term goal);

/* Says of the goal that was added last, if one was added to so many, that it is about a value: see struct rd_proof_goal. */
void rd_subject_say_value(struct rd_proof_subject *subject, size_t n_before, rd_term made,
                          rd_term claimed);

/* Asks the provers whether the goal follows; false also where none knows. */
bool rd_subject_follows(struct rd_proof_subject *subject, const struct rd_term_list *hypotheses,
                        rd_term goal);

/* ---- rounds ---- */

/* A launch, from the step `before` on. */
struct rd_launching {
    size_t index;
    const char *kernel;
    rd_term before;                 /* rounds made before: d, d + 1, or a number */
    struct rd_term_list hypotheses; /* `base`, facts, and that it is this launch */
};

/* Lists the launches of a program, with the steps at which they come. The caller frees each one's hypotheses. */
size_t rd_subject_launchings(struct rd_proof_subject *subject,
                             struct rd_launching launchings[RD_LAUNCHINGS_MAX]);
void rd_launching_add_facts(struct rd_proof_subject *subject, struct rd_launching *launching);
void rd_launchings_finish(size_t count, struct rd_launching *launchings);
/* The conditions under which there is no further round after d. */
rd_term rd_subject_ended(struct rd_proof_subject *subject, rd_term d);

/* Finds facts that hold at all steps: of candidates those that provers show to be kept. */
void rd_subject_find_facts(struct rd_proof_subject *subject, size_t n_launchings,
                           const struct rd_launching *launchings);

/* Adds the goals of the end: behind the last round, the law gives the program's goal. */
void rd_subject_add_exit(struct rd_proof_subject *subject, size_t n_launchings,
                         const struct rd_launching *launchings);

/* Adds the goals of a launch. */
void rd_subject_prove_launch(struct rd_proof_subject *subject,
                             const struct rd_launching *launching);

#endif
