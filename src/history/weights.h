// SPDX-License-Identifier: MIT
/* Weighs accesses: the same rounds are made on random inputs. Private to src/history. */
#ifndef RD_HISTORY_WEIGHTS_H
#define RD_HISTORY_WEIGHTS_H

#include "history/links.h"
#include "history/listen.h"

/* Weighs the accesses of the list, of which `listener` says when they came; its callbacks are not used.
 * Where threads do something else on other inputs, `weights->of` is NULL. Statuses as for rd_listen. */
enum rd_status rd_weights_init(struct rd_weights *weights, struct rd_history *history,
                               const struct rd_access_list *list,
                               const struct rd_listener *listener, struct rd_error *error);
void rd_weights_finish(struct rd_weights *weights);

#endif
