// SPDX-License-Identifier: MIT
/* Accesses of the history's rounds, which are made again in the simulator. Private to src/history. */
#ifndef RD_HISTORY_ACCESSES_H
#define RD_HISTORY_ACCESSES_H

#include "reductio/history.h"
#include "history/history_internal.h"
#include "device/sim/detect/observers.h"
#include "device/sim/sim.h"

/* Derivation: the values from which a thread made one that it wrote, namely those that it has read and taken since its
 * last write, and one that a register may have kept. Memory and shuffles are seen, registers in between are not: weights
 * tell which of several ways it was, since a sum of inputs weighs what they weigh together. */

/* Weight of an access, modulo 2^32 or 2^64: the change of its value where the input a is changed at random, and where
 * b is. */
struct rd_weight {
    uint64_t of[2];
};

/* Accesses, and what links them; see rd_links. */
struct rd_deriving {
    const struct rd_access_list *list;
    const uint32_t *order, *position, *seen;
    const size_t *ends;              /* of launches, as for rd_links_init; NULL: it is one */
    const struct rd_weight *weights; /* of each access; NULL: they are not known */
    uint64_t mask;                   /* 2^32 - 1, or 2^64 - 1 */
};

enum rd_derived {
    RD_DERIVED,     /* the sources weigh what the value weighs */
    RD_DERIVED_NOT, /* no sources do: these are what was read since the thread left something last */
    RD_DERIVED_UNKNOWN, /* likewise, and nothing is weighed */
};

struct rd_derivation {
    enum rd_derived state;
    bool found; /* an atomic's value has in it what it found there */
    /* Accesses: what was read or taken, or what was left before, and kept in a register. */
    uint32_t *sources;
    size_t count, room;
    unsigned minus; /* a bit for each of the first sources: it was subtracted */
};

/* Derives the value that the access has left. False where there is no memory. */
bool rd_derive(const struct rd_deriving *deriving, uint32_t access,
               struct rd_derivation *derivation);
/* Appends an access to the sources. False where there is no memory. */
bool rd_derivation_add(struct rd_derivation *derivation, uint32_t access);
void rd_derivation_finish(struct rd_derivation *derivation);

/* Links between the accesses of a list: those of one thread, each with the last write to its element before it,
 * and each written value with the values of which it was made. */

/* Limit on the reads told of a value that came to a cell through lanes; a longer list counts as cut off. */
enum { RD_FAR_MAX = 4096 };

struct rd_links {
    uint32_t *order;
    struct rd_access_thread *threads;
    uint32_t *position; /* of each access its place in `order`; NULL until rd_links_see */
    uint32_t *seen;     /* likewise: of each access what was left before it; RD_NO_ACCESS */
    struct rd_access_move *moves;
    struct rd_derivation sources; /* of the moves; none where they are in `order` */
};

/* Weights of the accesses of a list. */
struct rd_weights {
    struct rd_weight *of; /* NULL: they are not weighed, */
    const char *why;      /* for this reason */
    uint64_t mask;        /* see rd_deriving */
};

/* Sorts the list by threads, and shows the order in it. `ends`: where the accesses of its launches end,
 * step 0 included; NULL: it is of one launch. RD_ERROR_MEMORY. */
enum rd_status rd_links_init(struct rd_links *links, struct rd_access_list *list,
                             const size_t *ends, struct rd_error *error);
/* Links each access with what was left before it, if that is not done; as rd_history_seen. */
enum rd_status rd_links_see(struct rd_links *links, const struct rd_access_list *list,
                            const size_t *ends, struct rd_error *error);
/* Tells whether what was read since a thread left something last need not be what its values are made of: some
 * is of registers, or a thread has left what it must have kept in one. */
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

/* Weighs accesses: the same rounds are made on random inputs. */

/* Weighs the accesses of the list, of which `listener` says when they came; its callbacks are not used.
 * Where threads do something else on other inputs, `weights->of` is NULL. Statuses as for rd_listen. */
enum rd_status rd_weights_init(struct rd_weights *weights, struct rd_history *history,
                               const struct rd_access_list *list,
                               const struct rd_listener *listener, struct rd_error *error);
void rd_weights_finish(struct rd_weights *weights);

/* The simulator makes the rounds again, up to the one that is asked for, and tells of what its threads
 * do. It is named here and nowhere else in the history: the interface of devices has no operation for
 * it, as no other device can tell. */

/* A listener, and the part of the run that it listens to. */
struct rd_listener {
    void *self;
    void (*take)(void *self, const struct rd_sim_access *access);
    void (*lane)(void *self, const struct rd_sim_lane_event *event);
    void (*checkpoint)(void *self, int point, const struct rd_sim_array *array);
    void (*step)(void *self, unsigned number); /* it has ended */
    const struct rd_frame *of, *earlier;       /* of what came between these frames; */
    bool all;    /* or of all up to `of`, in whose block it then is, */
    bool others; /* and of all that other blocks do in that launch */
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
    struct rd_device *device; /* that was opened for it, or NULL */
    uint64_t *witness;        /* likewise, the inputs */
};

/* With `anywhere`, on the device of the run. RD_ERROR_USAGE, with the reason, where it can't be had. */
enum rd_status rd_resumed_init(struct rd_resumed *resumed, const struct rd_history *history,
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
