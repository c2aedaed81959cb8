// SPDX-License-Identifier: MIT
/* Arrays that grow, and arrays in order. */
#ifndef RD_BASE_ARRAY_H
#define RD_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes room for one more in an array that holds n elements. `array` points to the pointer to it, which is
 * the heap's, or NULL, and *capacity says how many it has room for. False without memory: all is then
 * as it was. */
bool rd_array_make_room(void *array, size_t n, size_t *capacity, size_t elem_bytes);

/* Returns the position of the value in ascending numbers; SIZE_MAX if it is not among them. */
size_t rd_array_find(const uint64_t *ascending, size_t count, uint64_t value);

#endif
