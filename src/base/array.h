// SPDX-License-Identifier: MIT
/* Arrays: that grow, in ascending order, and large ones. */
#ifndef RD_BASE_ARRAY_H
#define RD_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes room for one more element in an array of n. `array` points to the pointer to it, which is the
 * heap's, or NULL; *capacity is the number of elements that fit. False without memory: nothing has
 * changed. */
bool rd_array_make_room(void *array, size_t n, size_t *capacity, size_t elem_bytes);

/* Returns the position of the value in ascending numbers; SIZE_MAX if it is not among them. */
size_t rd_array_find(const uint64_t *ascending, size_t count, uint64_t value);

/* As malloc, never NULL for 0 bytes, and free frees it. An array of a megabyte or more lies on huge pages where the system
 * has them on demand: it hands pages out as they are first touched, and one at a time, which costs as much as
 * working out what they hold. */
void *rd_array_alloc(size_t size_bytes);

#endif
