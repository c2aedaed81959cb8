// SPDX-License-Identifier: MIT
/* The kernels of a file, each with its parameters and a command that checks it. */
#ifndef RD_CHECK_LIST_H
#define RD_CHECK_LIST_H

#include "check/check.h"

/* Lists them on standard output, as text or JSON. `directory` must exist. Returns the exit status. */
int rd_check_list(struct rd_check *check, const char *directory);

/* ---- list_command.c ---- */

enum { RD_CHECK_LISTED_MAX = 200, RD_CHECK_LISTED_PARAMETERS_MAX = 64 };

/* A kernel of the file. */
struct rd_check_listed {
    char name[512];                          /* as --kernel takes it */
    const char *head;                        /* in the file's text; NULL: it stands elsewhere */
    const char *parameters, *parameters_end; /* what stands between its brackets, and */
    const char *body, *end;
    unsigned line;
    bool is_template, is_known; /* its parameters are */
    struct rd_file_parameter types[RD_CHECK_LISTED_PARAMETERS_MAX];
    unsigned n;
};

/* The text of a parameter, "const float *x", and where its name begins in that; NULL: the text is unknown. */
const char *rd_check_listed_parameter(const struct rd_check_listed *listed, unsigned number,
                                      size_t *length, const char **name, size_t *name_length);
/* Writes a command that checks the kernel. */
void rd_check_listed_command(const struct rd_check_listed *listed,
                             const struct rd_check_options *options, FILE *file);

#endif
