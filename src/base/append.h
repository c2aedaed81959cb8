// SPDX-License-Identifier: MIT
/* Sentences that are made bit by bit. */
#ifndef RD_BASE_APPEND_H
#define RD_BASE_APPEND_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Appends to the text, which ends with a NUL, and cuts what does not fit into its size. */
__attribute__((format(printf, 3, 4))) void rd_append(char *text, size_t size, const char *format,
                                                     ...);

#ifdef __cplusplus
}
#endif
#endif
