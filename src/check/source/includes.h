// SPDX-License-Identifier: MIT
/* Headers of the user's that a file includes: they are rewritten like the file, as copies, for they may launch kernels, too.
 * Private to the parts of check that write what is compiled. */
#ifndef RD_CHECK_INCLUDES_H
#define RD_CHECK_INCLUDES_H

#include "check/source/lexer.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct rd_check_options;
struct rd_check_edits;

struct rd_check_included {
    char *path; /* as a compiler would name it */
    dev_t device;
    ino_t inode;
    char *text;
    struct rd_check_functions functions;
    bool is_in_function; /* some text includes it there: what it declares may be the function's */
};

/* Begins as {0}. */
struct rd_check_includes {
    struct rd_check_included *all;
    size_t n, capacity;
};

/* Finds the files that the text of `path` includes, and those that these include: beside them, or in a folder of -I. */
void rd_check_includes_find(struct rd_check_includes *includes,
                            const struct rd_check_options *options, const char *path,
                            const char *text, const struct rd_check_functions *functions);
void rd_check_includes_finish(struct rd_check_includes *includes);

/* Has the text of `path` include the copies: "included3.hpp". */
void rd_check_includes_replace(struct rd_check_edits *edits,
                               const struct rd_check_includes *includes,
                               const struct rd_check_options *options, const char *path,
                               const char *text);

/* Tells whether the directive at the '#' in the text of `path` includes a file of the user's: one beside it, or in a folder
 * of -I. */
bool rd_check_includes_users_file(const struct rd_check_options *options, const char *path,
                                  const char *text, const char *directive);

/* Tells whether a folder is that of a CUDA toolkit's headers, which are no headers of the user's, and whose place ours take. */
bool rd_check_is_toolkit(const char *folder);

/* Name of the copy of a header, by its number. */
enum { RD_CHECK_INCLUDED_NAME = 32 };
void rd_check_included_name(char name[RD_CHECK_INCLUDED_NAME], size_t number);

/* Tells whether all that the text of `path` includes is found and read, or a header of C's, C++'s, POSIX or CUDA's. */
bool rd_check_includes_are_known(const struct rd_check_options *options, const char *path,
                                 const char *text);

/* Tells whether the text includes a header of CUDA's, of one of its libraries, or of its samples. */
bool rd_check_includes_cuda(const char *text);

/* The headers that a user's file is compiled with, as text: made at build time from include/. */

struct rd_check_header {
    const char *name; /* relative to the include directory */
    const char *text;
};

/* The last has no name. */
extern const struct rd_check_header rd_check_headers[];
extern const char rd_check_headers_digest[];

#endif
