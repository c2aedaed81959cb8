// SPDX-License-Identifier: MIT
/* What somebody who has mistyped a name has meant. */
#ifndef RD_BASE_SPELLING_H
#define RD_BASE_SPELLING_H

/* The name among `names` (NULL-terminated) that is at most two slips away, and of which at least
 * half is left; NULL where none is. */
const char *rd_nearest(const char *word, const char *const *names);

#endif
