// SPDX-License-Identifier: MIT
/* Words for the message about a name that is not known. */
#ifndef RD_BASE_SPELLING_H
#define RD_BASE_SPELLING_H

#include <stddef.h>

/* Suggests the closest known name for a typo: among `names` (NULL-terminated) one that is at most two slips away, and of
 * which at least half is left; NULL where none is. */
const char *rd_nearest(const char *word, const char *const *names);

/* Writes "a, b or c", cut off where there is no room. */
void rd_alternatives(char *list, size_t size, const char *const *names);

#endif
