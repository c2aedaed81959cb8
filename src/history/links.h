// SPDX-License-Identifier: MIT
/* How the accesses of a list hang together: by thread, each write with the reads that it takes, and
 * each access with the write that it follows. Private to src/history. */
#ifndef RD_HISTORY_LINKS_H
#define RD_HISTORY_LINKS_H

#include "history/history.h"

struct rd_links {
    uint32_t *order;
    struct rd_access_thread *threads;
    struct rd_access_move *moves;
    uint32_t *position; /* of each access its place in `order`; NULL until rd_links_see */
    uint32_t *seen;     /* likewise: of each access the write before it; RD_NO_ACCESS */
};

/* Links the list, and shows the links in it. `ends`: where the accesses of its launches end, step 0
 * included; NULL: it is of one launch. RD_ERROR_MEMORY. */
enum rd_status rd_links_init(struct rd_links *links, struct rd_access_list *list,
                             const size_t *ends, struct rd_error *error);
/* Links each access with the write before it, if that is not done; as rd_history_seen. */
enum rd_status rd_links_see(struct rd_links *links, const struct rd_access_list *list,
                            const size_t *ends, struct rd_error *error);
void rd_links_finish(struct rd_links *links);

#endif
