// SPDX-License-Identifier: MIT
/* Provers as processes. Private to the solver. */
#ifndef RD_PROVE_PROVER_H
#define RD_PROVE_PROVER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { RD_PROVER_COUNT = 2, RD_PROVER_NAME_SIZE = 64 };

struct rd_provers {
    bool is_there[RD_PROVER_COUNT];
    char names[RD_PROVER_COUNT][RD_PROVER_NAME_SIZE]; /* "cvc5 1.0.3": what it says of itself */
};

/* Asks those that are found on PATH for their versions. */
void rd_provers_find(struct rd_provers *provers);

enum rd_prover_answer {
    RD_PROVER_NOTHING, /* it doesn't know, has not ended, or has said what is no answer: see `said` */
    RD_PROVER_SAT,
    RD_PROVER_UNSAT,
};

struct rd_prover_process {
    pid_t process; /* 0: none */
    int output;    /* of both its standard output and its standard error */
    double started_s, limit_s, seconds;
    char *text; /* what it has printed; malloc'd */
    size_t size;
    bool closed; /* there is no more output */
    bool over;   /* it has ended, or was ended */
    enum rd_prover_answer answer;
    char said[160]; /* in place of an answer: a clause; "" if it just doesn't know */
};

/* Starts it on the query, for so many seconds of its own (its processor's time). False where it can't be, and `said` tells why. */
bool rd_prover_start(struct rd_prover_process *process, unsigned prover, const char *query,
                     double limit_s);
/* Takes what there is to read, without waiting. Afterwards `over` may be true, with the answer: `unsat` and `sat` are taken only as
 * all that was printed (behind `sat`, values), by a process that has ended by itself with status 0. */
void rd_prover_read(struct rd_prover_process *process);
/* Ends it, where it is there still, and frees its output. */
void rd_prover_finish(struct rd_prover_process *process);

#endif
