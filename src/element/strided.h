// SPDX-License-Identifier: MIT
/* Copies of values of 1, 2, 4 or 8 bytes, whatever they are, from where they lie apart in an array to where they lie side by side,
 * and back: `load` and `store` of struct rd_lanes. */
#ifndef RD_ELEMENT_STRIDED_H
#define RD_ELEMENT_STRIDED_H

#include <stddef.h>

/* values[k] = array[first + k*stride] */
void rd_strided_load_1(void *values, const void *array, size_t first, ptrdiff_t stride,
                       size_t count);
void rd_strided_load_2(void *values, const void *array, size_t first, ptrdiff_t stride,
                       size_t count);
void rd_strided_load_4(void *values, const void *array, size_t first, ptrdiff_t stride,
                       size_t count);
void rd_strided_load_8(void *values, const void *array, size_t first, ptrdiff_t stride,
                       size_t count);
/* array[first + k*stride] = values[k] */
void rd_strided_store_1(void *array, size_t first, ptrdiff_t stride, const void *values,
                        size_t count);
void rd_strided_store_2(void *array, size_t first, ptrdiff_t stride, const void *values,
                        size_t count);
void rd_strided_store_4(void *array, size_t first, ptrdiff_t stride, const void *values,
                        size_t count);
void rd_strided_store_8(void *array, size_t first, ptrdiff_t stride, const void *values,
                        size_t count);

/* Loads and stores for values of a type, as constants. */
#define RD_STRIDED_LOAD(type)                                                                      \
    (sizeof(type) == 1   ? rd_strided_load_1                                                       \
     : sizeof(type) == 2 ? rd_strided_load_2                                                       \
     : sizeof(type) == 4 ? rd_strided_load_4                                                       \
                         : rd_strided_load_8)
#define RD_STRIDED_STORE(type)                                                                     \
    (sizeof(type) == 1   ? rd_strided_store_1                                                      \
     : sizeof(type) == 2 ? rd_strided_store_2                                                      \
     : sizeof(type) == 4 ? rd_strided_store_4                                                      \
                         : rd_strided_store_8)

#endif
