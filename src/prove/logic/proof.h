// SPDX-License-Identifier: MIT
/* Goals of a proof: what must be shown, grouped by obligation, and what a prover said to it. */
#ifndef RD_PROVE_PROOF_H
#define RD_PROVE_PROOF_H

#include "prove/logic/term.h"
#include "reductio/status.h"

enum rd_proof_obligation {
    RD_PROOF_INITIALIZATION,
    RD_PROOF_PRESERVATION_VALUE,    /* what is written is what the law says */
    RD_PROOF_PRESERVATION_COVERAGE, /* cells that nobody writes are as the law says, too */
    RD_PROOF_PRESERVATION_FRAME,    /* dead cells stay */
    RD_PROOF_EXIT,
    RD_PROOF_NO_RACE,
    RD_PROOF_IN_BOUNDS,
    RD_PROOF_ARITHMETIC, /* no wrap of an index, no shift or division out of range */
    RD_PROOF_BARRIERS,   /* every barrier is reached by all threads of the block, or by none */
    RD_PROOF_TERMINATION,
    RD_PROOF_HOST,     /* what the host adds at the end; the launch is one that CUDA accepts */
    RD_PROOF_ROUNDING, /* what the height of a float's tree of additions is bounded by */
    RD_PROOF_FACT,     /* a fact that others use: an inductive invariant that was found, a lemma */
    RD_PROOF_OBLIGATION_COUNT
};

enum rd_answer {
    RD_ANSWER_NONE,    /* not asked yet */
    RD_ANSWER_PROVED,  /* unsat of hypotheses and the negated goal */
    RD_ANSWER_REFUTED, /* sat, with a model */
    RD_ANSWER_OPEN, /* see the goal's reason: no prover decided it in time, say, or its hypotheses contradict each other */
};

/* What a goal says that is the same of host code and of kernels. */
#define RD_PROOF_LAW_IS_DEFINED                                                                    \
    "the law has a value: no quotient by 0, and no element that an input doesn't have"

struct rd_proof_goal {
    enum rd_proof_obligation obligation;
    const char *what; /* a sentence: "what a thread writes is what the law says" */
    /* "start", "fold", "dot_shared, from its start to half at …", "end"; "": none. */
    const char *segment;
    struct rd_term_list hypotheses;
    /* Number of leading hypotheses, those of the segment, that must have a model, or the goal is OPEN. What follows is the case: a
     * path, say, under a condition that may be impossible. 0: all of them must have one, unless `may_be_void`, of a goal that says
     * that a case never comes. */
    size_t n_base;
    bool may_be_void;
    bool
        is_untold; /* what is to be shown is more than the obligation: a model of its opposite is no counterexample */
    rd_term goal;
    /* Optional, of a goal about a value: how often the counted input is in it as it was made, and by the law. That both are equal is
     * the goal, or a part of it. NULL: it is of no value. */
    rd_term made, claimed;
    const char *smt;     /* of a lemma in bit vectors: the query, in place of hypotheses and goal */
    bool without_lemmas; /* of a lemma: its hypotheses are all that there is */
    /* Once it was asked: */
    enum rd_answer answer;
    const char *reason; /* RD_ANSWER_OPEN: why, a clause */
    bool has_model;     /* of what must have one: a prover has found it */
    const char *prover; /* "cvc5 1.0.3"; a name of the solvers' */
    double seconds;     /* of that prover; as it was when first proved, where the cache has it */
    bool cached;
    char *model; /* RD_ANSWER_REFUTED: lines "name = number"; malloc'd */
};

/* The outcome of a proof's counterexamples in the simulator: see replay/replay.h. */
struct rd_proof_replay {
    bool made;
    size_t n_tried; /* runs were made with every n up to this, of shapes that the program accepts */
    bool fails;     /* a run does: */
    size_t n;       /* of a program, the least that was found */
    /* Command lines: "reductio run fold:wrong-half -n 2 --device sim". No step: it has no rounds. */
    char *run, *step;
    char *what;    /* "step 1, A[0]: expected 1, actual 0; 1 cell is wrong", or its hazard */
    char *summary; /* of a file: the verdict on the run */
};

/* A number of a user's file that may be any, and what the file sets it to. */
struct rd_proof_number {
    const char *name;
    rd_term term;
    rd_wide own;
    unsigned line;    /* 0: it is the count of arguments */
    const char *most; /* of its type: "2^31 - 1" */
    /* 'requires' or an input's size names a variable that is this number in a run without arguments, or whose value is made of it. */
    bool is_named, is_used;
};
enum { RD_PROOF_NUMBERS_MAX = 8 };

/* A goal open is never a proof, and a proof whose hypotheses contradict each other is none. */
struct rd_proof {
    const char *name; /* of the program */
    /* Optional: for which inputs and launches, "every n = 2^k, every block of 1 to 1024 threads": a clause. */
    const char *shape;
    /* Optional, of a user's file: why the run of it as it stands is none of these: "n = 1000 of line 15, so line 16 is false: requires
     * n = 2^k". */
    const char *own_run;
    /* Optional, of a user's file: a law that is missing, so that nothing can be proved from what a launch wrote: "no law directly
     * behind line 20 says what the cells of 'out' hold". */
    const char *missing_law;
    /* Optional, of a user's file: an invariant that a kernel's loop may need, or that is one for several launches: a sentence. */
    const char *missing_invariant;
    bool is_of_launches; /* it is that: a run that fails says no more */
    struct rd_proof_number numbers[RD_PROOF_NUMBERS_MAX];
    size_t n_numbers;
    /* Numbers that 'requires' or an input's size names, be they set by the file or not: what a bound may be missing of. */
    struct rd_proof_name {
        const char *name;
        rd_term term;
    } required_names[RD_PROOF_NUMBERS_MAX];
    size_t n_required_names;
    struct rd_term_list required, required_paths; /* what is of them, on which ways of main() */
    /* Optional: what the host makes of the cells, by C that no goal speaks of: "mse = sum of all (a[j]-b[j])^2 / n". */
    const char *by_host;
    /* Optional: of a sum of floats, the height of its tree of additions, at most, in n, T and B. */
    rd_term height;
    struct rd_terms *terms;
    size_t count, capacity;
    struct rd_proof_goal *goals;
    /* Reason, in words, for which the proof can't be made; NULL: it can. Then there are no goals, and the verdict is OPEN. */
    char *not_covered;
    struct rd_proof_replay replay;
};

/* "no race": a name of the table of them. */
const char *rd_proof_obligation_name(enum rd_proof_obligation obligation);

/* Adds a goal, whose condition is false until it is set; it may move with the next addition. NULL without memory. */
struct rd_proof_goal *rd_proof_add(struct rd_proof *proof, enum rd_proof_obligation obligation,
                                   const char *what);

/* Tells whether the numbers with these values, each of proof->numbers, are known to be as is required. */
bool rd_proof_takes(const struct rd_proof *proof, const rd_wide *values);

/* Frees what is in it, the terms, too; it is empty then. */
void rd_proof_finish(struct rd_proof *proof);

/* The value that a counterexample has for the name, in a line "n = 3"; false: it has none. `model` may be NULL. */
bool rd_proof_model_number(const char *model, const char *name, rd_wide *number);

/* Forgets the run that fails. */
void rd_proof_replay_clear(struct rd_proof_replay *replay);

/* REFUTED where a run fails, or a goal is refuted, else OPEN where one is, or where there is none, else PROVED. */
enum rd_answer rd_proof_verdict(const struct rd_proof *proof);

#endif
