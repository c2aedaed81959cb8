// SPDX-License-Identifier: MIT
/* The headers that a user's file is compiled with, as text: made at build time from include/. */
#ifndef RD_CHECK_HEADERS_H
#define RD_CHECK_HEADERS_H

struct rd_check_header {
    const char *name; /* relative to the include directory */
    const char *text;
};

/* The last has no name. */
extern const struct rd_check_header rd_check_headers[];

#endif
