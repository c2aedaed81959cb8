// SPDX-License-Identifier: MIT
/* Variables of the device that the host's code of a file sets: `check` runs none of it. */
#ifndef RD_CHECK_HOST_SETS_H
#define RD_CHECK_HOST_SETS_H

struct rd_check_unit;

/* A line "NAME@FILE:LINE" for each variable that host code may set, with the place where it does: by
 * cudaMemcpyToSymbol or its like, also in a function or a macro that passes it on, by the address that
 * cudaGetSymbolAddress gives, or, of managed memory, by an assignment. In the file and in those that it
 * includes by quotation marks. NAME may also be a word that is no variable's. The caller frees it; NULL
 * where there is no memory. */
char *rd_check_host_sets_find(const struct rd_check_unit *unit);

#endif
