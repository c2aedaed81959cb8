// SPDX-License-Identifier: MIT
/* What is needed to tell which inputs a cell holds. Private to src/history. */
#ifndef RD_HISTORY_SETS_H
#define RD_HISTORY_SETS_H

#include "history/accesses.h"
#include "history/reading.h"

enum { RD_ANSWERS = 512 };

/* A step, the one before it, and each with the narrow digits and the wide ones. */
enum { RD_READINGS = 4 };

/* A cell that is looked into. */
struct rd_looking {
    size_t n;
    unsigned char *wanted; /* [n]: whether it should hold the input */
    int64_t *times;        /* [n]: room */
    uint64_t weight;       /* of all that it holds */
};

struct rd_sets_of {
    struct rd_resumed resumed;
    uint64_t *weights, *ones; /* the inputs */
    unsigned char *wanted;    /* of the cell that is looked into, see above */
    int64_t *times;
    struct rd_history *weighed;
    struct rd_reading readings[RD_READINGS];
    size_t next_reading;
    struct rd_answer {
        bool known; /* also where it was refused: */
        enum rd_status status;
        struct rd_error reason;
        size_t frame, index;
        struct rd_input_set actual, expected;
    } answers[RD_ANSWERS];
};

/* What is in a cell that is not what it should be. RD_ERROR_USAGE, with the reason, where that can't be
 * told. */
enum rd_status rd_sets_look_for(struct rd_history *history, size_t frame, size_t index,
                                const struct rd_looking *looking, struct rd_input_set *actual,
                                struct rd_error *error);

#endif
