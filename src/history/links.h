// SPDX-License-Identifier: MIT
/* How the accesses of a list hang together: by thread, each with what was left in its element before it,
 * and each value that was left with what it was made of. Private to src/history. */
#ifndef RD_HISTORY_LINKS_H
#define RD_HISTORY_LINKS_H

#include "history/derive.h"

/* Of what came to a cell through lanes, so many reads are told; the list then counts as cut off. */
enum { RD_FAR_MAX = 4096 };

struct rd_links {
    uint32_t *order;
    struct rd_access_thread *threads;
    uint32_t *position; /* of each access its place in `order`; NULL until rd_links_see */
    uint32_t *seen;     /* likewise: of each access what was left before it; RD_NO_ACCESS */
    struct rd_access_move *moves;
    struct rd_derivation sources; /* of the moves; none where they are in `order` */
};

/* What the accesses of a list weigh. */
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
/* Whether what was read since a thread left something last need not be what its values are made of: some
 * is of registers, or a thread has left what it must have kept in one. */
bool rd_links_keep(const struct rd_links *links, const struct rd_access_list *list);
/* Finds the moves of a list of one launch. `weights`: NULL where none are kept; else the list has been
 * linked by rd_links_see. */
enum rd_status rd_links_move(struct rd_links *links, struct rd_access_list *list,
                             const struct rd_weights *weights, struct rd_error *error);
void rd_links_finish(struct rd_links *links);

/* How to derive what is in the list, linked by rd_links_see; all of it must outlive that. */
struct rd_deriving rd_links_deriving(const struct rd_links *links,
                                     const struct rd_access_list *list, const size_t *ends,
                                     const struct rd_weights *weights);

#endif
