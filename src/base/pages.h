// SPDX-License-Identifier: MIT
/* Memory for arrays that may be large. */
#ifndef RD_BASE_PAGES_H
#define RD_BASE_PAGES_H

#include <stddef.h>

/* As malloc, never NULL for 0 bytes, and free frees it. An array of a megabyte or more lies on huge pages where the system
 * has them on demand: it hands pages out as they are first touched, and one at a time, which costs as much as
 * working out what they hold. */
void *rd_pages_alloc(size_t size_bytes);

#endif
