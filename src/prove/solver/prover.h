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
    RD_PROVER_NO_MODEL, /* it was asked for values, and said that there are none: not taken for a proof */
};

enum { RD_PROVER_TAG_SIZE = 33 };

/* A process that is asked one question after the other. Each is a text of its own: `(reset)` behind it has the prover
 * forget it, so that the answer is that of a new process. */
struct rd_prover_process {
    pid_t process; /* 0: none */
    unsigned prover;
    unsigned n_asked;             /* questions, with the present one */
    int input;                    /* of its standard input */
    int output;                   /* of both its standard output and its standard error */
    char tag[RD_PROVER_TAG_SIZE]; /* of the question: nobody can guess it; "": there is none */
    char *question;               /* what it reads; malloc'd */
    size_t question_size, n_sent;
    double started_s, own_started_s, limit_s, seconds; /* of the question */
    /* What the prover has printed, and of an answer `sat` just that, with its values; the caller frees it. */
    char *text;
    size_t size;
    bool closed;    /* there is no more output */
    bool over;      /* the question is: there is an answer, or there will be none */
    bool can_go_on; /* it has answered, or doesn't know, and has said nothing else */
    bool died;      /* it has ended by itself before it had answered */
    bool is_late;   /* it was ended, as its time was over */
    enum rd_prover_answer answer;
    char said[160]; /* in place of an answer: a clause; "" if it just doesn't know */
};

/* Starts it on the query, for so many seconds of its own (its processor's time). False where it can't be, and `said` tells why. */
bool rd_prover_start(struct rd_prover_process *process, unsigned prover, const char *query,
                     double limit_s);
/* Asks a process that has answered before. */
bool rd_prover_ask(struct rd_prover_process *process, const char *query, double limit_s);
/* Takes what there is to read, without waiting. Afterwards `over` may be true, with the answer: see rd_prover_judge(). */
void rd_prover_read(struct rd_prover_process *process);
/* Returns the seconds of its own that it has had for the question; where others compute at the same time, more have gone by. */
double rd_prover_own_s(const struct rd_prover_process *process);
/* Tells whether it can be asked: it can go on, is there still, and has said nothing since its answer. */
bool rd_prover_is_ready(const struct rd_prover_process *process);
/* Ends it, where it is there still, and frees its output. */
void rd_prover_finish(struct rd_prover_process *process);

/* Returns what the process is to read, malloc'd: the query between two commands that print the tag. */
char *rd_prover_question(const char *tag, const char *query);
/* Looks for the end of the answer in what the process has printed, and judges it: `unsat` and `sat` are taken only as
 * all that stands between the lines of the question's two tags (behind `sat`, values), with nothing before and behind
 * these. False: it isn't there yet. */
bool rd_prover_judge(struct rd_prover_process *process);
/* Sets `said` for what a process has printed that has ended, with that status, before it had answered. */
void rd_prover_judge_end(struct rd_prover_process *process, int status);

/* Provers that have answered, and wait for the next question: a start costs more than most questions do. */

enum { RD_PROVER_IDLE_MAX = 64 };

struct rd_prover_pool {
    struct rd_provers provers;
    unsigned n_idle[RD_PROVER_COUNT];
    struct rd_prover_process idle[RD_PROVER_COUNT][RD_PROVER_IDLE_MAX];
};

/* Finds the provers; none is started yet. */
struct rd_prover_pool *rd_prover_pool_create(void);
/* Ends all that wait. */
void rd_prover_pool_destroy(struct rd_prover_pool *pool);

/* Asks one that waits, or a new one. *process is overwritten. False where none can be started, and `said` tells why. */
bool rd_prover_pool_ask(struct rd_prover_pool *pool, struct rd_prover_process *process,
                        unsigned prover, const char *query, double limit_s);
/* Takes it back, if it can be asked again, else ends it. */
void rd_prover_pool_take(struct rd_prover_pool *pool, struct rd_prover_process *process);

#endif
