// SPDX-License-Identifier: MIT
/* Places for files of a test's own: below TMPDIR, else in /tmp. */
#ifndef RD_TESTS_TEMPORARY_H
#define RD_TESTS_TEMPORARY_H

#include <stdio.h>
#include <stdlib.h>

enum { TEMPORARY_SIZE = 200, TEMPORARY_PATH_SIZE = TEMPORARY_SIZE + 56 };

/* A template for mkstemp() and mkdtemp(). Returns path. */
static inline char *temporary_name(char path[TEMPORARY_SIZE], const char *name)
{
    const char *given = getenv("TMPDIR");
    snprintf(path, TEMPORARY_SIZE, "%s/%s-XXXXXX", given && *given ? given : "/tmp", name);
    return path;
}

#endif
