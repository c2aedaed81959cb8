// SPDX-License-Identifier: MIT
/* Questions on their way to the provers. Private to the solver. */
#ifndef RD_PROVE_SOLVER_TASK_H
#define RD_PROVE_SOLVER_TASK_H

#include "prove/solver/cache.h"
#include "prove/solver/prover.h"
#include "prove/solver/solver.h"

/* Steps of a question. What is not needed is left out. */
enum rd_solver_stage {
    RD_SOLVER_SMALL, /* of hypotheses: a model of small numbers */
    RD_SOLVER_ANY,   /* of hypotheses: a model */
    RD_SOLVER_FIRST, /* of a goal: with the first sort of lemmas, for a short time */
    RD_SOLVER_SHOWN_8, /* a counterexample of small numbers: there may be one, or the rest was in vain */
    RD_SOLVER_MORE, /* with lemmas of the second sort, too, for the full time */
    /* A counterexample, to show it. */
    RD_SOLVER_SHOWN_64,
    RD_SOLVER_SHOWN_4096,
    RD_SOLVER_SHOWN_ANY,
    RD_SOLVER_DONE,
};

struct rd_solver_task {
    size_t goal; /* of hypotheses: one of those that have them */
    bool is_of_hypotheses;
    enum rd_solver_stage stage;
    struct rd_term_list lemmas; /* instances */
    char *text;
    bool has_functions; /* of which only the facts say something */
    bool has_tables;    /* of functions that are known, but to the prover only by lemmas */
    bool is_running;
    unsigned next_prover; /* that is not started yet */
    struct rd_prover_process processes[RD_PROVER_COUNT];
    bool first_is_sat; /* of a goal, with the first sort of lemmas */
    bool asked_more;   /* with lemmas of the second sort */
    bool small_shown;  /* whether there is a counterexample of small numbers was asked */
    bool is_sat;       /* of a goal, with all lemmas, or where none is needed */
    bool contradict;   /* of hypotheses: they have no model */
    enum rd_answer answer;
    unsigned prover;
    double seconds;
    bool cached;
    char *model, said[200];
};

struct rd_solver {
    struct rd_proof *proof;
    const struct rd_solver_options *options;
    struct rd_prover_pool *pool, *own_pool; /* own_pool: NULL where the caller has one */
    struct rd_proof_cache cache;
    double timeout_s;
    bool any_prover;
    size_t n_tasks, next_task;
    struct rd_solver_task *tasks;
    size_t *own, *base; /* each goal's task, and that of its hypotheses; SIZE_MAX: none */
    size_t n_told;
    struct rd_error *error;
};

/* Number of leading hypotheses that must have a model. */
size_t rd_solver_n_base(const struct rd_proof_goal *goal);

/* Begins with the task's stage, or a later one; afterwards it is running or done. */
enum rd_status rd_solver_begin(struct rd_solver *solver, struct rd_solver_task *task);
/* Takes what its provers have said; afterwards it is running, on this stage or a later one, or done. */
enum rd_status rd_solver_go_on(struct rd_solver *solver, struct rd_solver_task *task);
void rd_solver_task_finish(struct rd_solver_task *task);

#endif
