// SPDX-License-Identifier: MIT
/* What the threads of a frame did, and what it is called. */
#ifndef RD_VIEW_STEP_LOG_H
#define RD_VIEW_STEP_LOG_H

#include "reductio/history.h"

struct rd_log {
    bool made;
    size_t frame;
    enum rd_status status; /* other than RD_OK: there are none, for the reason in `error` */
    struct rd_error error;
    struct rd_access_list list;
    int array; /* the frame's own, in list.arrays; -1: it is not accessed */
    const struct rd_history_about *about; /* of a pass of witness values, values say nothing */
};

/* Puts the accesses of a frame into the log, if they are not there. Never fails: see `status`. */
void rd_log_make(struct rd_log *log, struct rd_history *history, size_t frame);
void rd_log_finish(struct rd_log *log);

/* The k-th access in the order by threads. */
const struct rd_access *rd_log_access(const struct rd_log *log, size_t k);
/* The k-th of the moves' sources. */
const struct rd_access *rd_log_source(const struct rd_log *log, size_t k);

/* The last move that wrote that cell of the frame's array; NULL: none did. */
const struct rd_access_move *rd_log_writer(const struct rd_log *log, size_t cell);

/* Writes "A[4]", or "A[8] (out of bounds)". Returns text. */
enum { RD_ACCESS_TEXT_SIZE = 128 };
const char *rd_log_place(const struct rd_log *log, const struct rd_access *access,
                         char text[RD_ACCESS_TEXT_SIZE]);

/* Writes "A[4] = 4", or "A[4]" where the values say nothing, as out of bounds; of a register that is
 * taken, whose it is. Returns text. */
const char *rd_log_text(const struct rd_log *log, const struct rd_access *access,
                        char text[RD_ACCESS_TEXT_SIZE]);

#endif
