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

/* Allocates as malloc does, but never returns NULL for 0 bytes; free() frees the memory. An array of a megabyte or more
 * lies on huge pages if the system has them on demand: handing out small pages one at a time, as they are first touched,
 * costs as much as computing their contents. */
void *rd_array_alloc(size_t size_bytes);

#endif
