// SPDX-License-Identifier: MIT
/* Accesses of the history's rounds, which are made again in the simulator. Private to src/history. */
#ifndef RD_HISTORY_ACCESSES_H
#define RD_HISTORY_ACCESSES_H

#include "reductio/history.h"
#include "history/history_internal.h"
#include "device/sim/detect/observers.h"
#include "device/sim/sim.h"

/* Derivation of a written value: its sources are values that the thread has read from memory, or taken by shuffles, since its
 * last write, and perhaps an earlier one kept in a register. Registers are not observed; weights tell which sources were
 * used, since the weight of a sum is the sum of weights. */

/* Weight of an access: the change of its value, modulo 2^32 or 2^64, when input a is replaced by random values, and when b
 * is. */
struct rd_weight {
    uint64_t of[2];
};

/* Input of a derivation: the accesses and their links; see rd_links. */
struct rd_deriving {
    const struct rd_access_list *list;
    const uint32_t *order, *position, *seen;
    const size_t *ends;              /* of launches, as for rd_links_init; NULL: it is one */
    const struct rd_weight *weights; /* of each access; NULL: they are not known */
    uint64_t mask;                   /* 2^32 - 1, or 2^64 - 1 */
};

enum rd_derived {
    RD_DERIVED,     /* the weights of the sources add up to that of the value */
    RD_DERIVED_NOT, /* no choice of sources does: these are all that was read since the last write */
    RD_DERIVED_UNKNOWN, /* there are no weights: likewise all that was read */
};

struct rd_derivation {
    enum rd_derived state;
    bool found; /* an atomic: its old value is a source, too */
    /* Accesses: reads and shuffles, or an earlier write whose value a register kept. */
    uint32_t *sources;
    size_t count, room;
    unsigned minus; /* a bit for each of the first sources: it was subtracted */
};

/* Derives the value that the access has written. False where there is no memory. */
bool rd_derive(const struct rd_deriving *deriving, uint32_t access,
               struct rd_derivation *derivation);
/* Appends an access to the sources. False where there is no memory. */
bool rd_derivation_add(struct rd_derivation *derivation, uint32_t access);
void rd_derivation_finish(struct rd_derivation *derivation);

/* Links between the accesses of a list: those of one thread, each with the last write to its element before it,
 * and each written value with the values of which it was made. */

/* Limit on the reads listed of a value that came through shuffles; a longer list counts as cut off. */
enum { RD_FAR_MAX = 4096 };

struct rd_links {
    uint32_t *order;
    struct rd_access_thread *threads;
    uint32_t *position; /* place of each access in `order`; NULL until rd_links_see */
    /* Likewise: the last write before each access to its element; or RD_NO_ACCESS. */
    uint32_t *seen;
    struct rd_access_move *moves;
    struct rd_derivation sources; /* of the moves; none where they are in `order` */
};

/* Weights of the accesses of a list. */
struct rd_weights {
    struct rd_weight *of; /* NULL: they are not weighed, */
    const char *why;      /* for this reason */
    uint64_t mask;        /* see rd_deriving */
};

/* Sorts the list by threads, into `order`. `ends`: where the accesses of its launches end,
 * step 0 included; NULL: it is of one launch. RD_ERROR_MEMORY. */
enum rd_status rd_links_init(struct rd_links *links, struct rd_access_list *list,
                             const size_t *ends, struct rd_error *error);
/* Links each access with the last write before it, unless that is done; as rd_history_seen. */
enum rd_status rd_links_see(struct rd_links *links, const struct rd_access_list *list,
                            const size_t *ends, struct rd_error *error);
/* Tells whether a thread's values may have other sources than what it read since its last write: shuffles took values from
 * registers, or a thread wrote a value that it must have kept in one. */
bool rd_links_keep(const struct rd_links *links, const struct rd_access_list *list);
/* Finds the moves of a list of one launch. `weights`: NULL where none are kept; else the list has been
 * linked by rd_links_see. */
enum rd_status rd_links_move(struct rd_links *links, struct rd_access_list *list,
                             const struct rd_weights *weights, struct rd_error *error);
void rd_links_finish(struct rd_links *links);

/* Prepares the derivation of values in the list, linked by rd_links_see; all arguments must outlive it. */
struct rd_deriving rd_links_deriving(const struct rd_links *links,
                                     const struct rd_access_list *list, const size_t *ends,
                                     const struct rd_weights *weights);

struct rd_listener;

/* Weights, found by running the same rounds on random inputs. */

/* Weighs the accesses of the list, which are those of the part of the run that `listener` names; its callbacks are not used.
 * If threads behave differently on other inputs, `weights->of` is NULL. Statuses as for rd_listen. */
enum rd_status rd_weights_init(struct rd_weights *weights, struct rd_history *history,
                               const struct rd_access_list *list,
                               const struct rd_listener *listener, struct rd_error *error);
void rd_weights_finish(struct rd_weights *weights);

/* Re-runs of the rounds in the simulator, whose threads' accesses are observed. The history names the simulator here and nowhere
 * else: the interface of devices has no operation for this, as no other device could implement it. */

/* A listener, and the part of the run that it listens to. */
struct rd_listener {
    void *self;
    void (*take)(void *self, const struct rd_sim_access *access);
    void (*lane)(void *self, const struct rd_sim_lane_event *event);
    void (*checkpoint)(void *self, int point, const struct rd_sim_array *array);
    void (*step)(void *self, unsigned number); /* at the step's end */
    const struct rd_frame *of, *earlier;       /* listens between these frames; */
    bool all;    /* or to all up to `of`; in its launch to its block only, */
    bool others; /* and to other blocks, too */
    /* Inputs, in place of the run's own; a is NULL: none. */
    const struct rd_numeric *numeric;
    const void *a, *b;
};

/* RD_ERROR_USAGE, with the reason, where the rounds can't be re-run. */
enum rd_status rd_listen(struct rd_history *history, const struct rd_listener *listener,
                         struct rd_error *error);

/* A run of the history's rounds in the simulator, on the same inputs; observers are the caller's. */
struct rd_resumed {
    struct rd_run run;
    uint64_t *witness; /* inputs made for it, or NULL */
};

/* Prepares a re-run; with `anywhere` on the run's own device, too. RD_ERROR_USAGE, with the reason, if there can be none. */
enum rd_status rd_resumed_init(struct rd_resumed *resumed, struct rd_history *history,
                               bool anywhere, struct rd_error *error);
void rd_resumed_finish(struct rd_resumed *resumed);

/* The history's names for the simulator's operations. */
enum rd_access_op rd_access_op_of(enum rd_sim_op op);
enum rd_access_op rd_access_op_of_lane(enum rd_sim_lane_op op);

/* Tells whether the array of that name is an input, or the indices of its elements. */
bool rd_access_is_of_input(const char *array);

/* The accesses of all rounds up to a frame; of the round of a checkpoint, those of its block that
 * came before it, and of others where the block reads what they may have written. */
struct rd_access_log {
    struct rd_access_list list; /* without moves */
    struct rd_deriving deriving;
    const char *unweighed; /* why it has no weights, if it has none */
    unsigned steps;        /* rounds */
    size_t *ends;          /* [steps + 1]: where the accesses of each round end; of step 0: 0 */
    bool inside;           /* it is of the checkpoint of this frame alone: */
    bool others;           /* with what other blocks did in its launch */
    size_t frame;
    struct rd_accesses *accesses; /* whose list it is */
};

/* The log up to a frame that is there, or further; it lives until the next call. RD_ERROR_USAGE where
 * there are too many accesses. */
enum rd_status rd_accesses_log(struct rd_history *history, size_t frame,
                               const struct rd_access_log **log, struct rd_error *error);

#endif
