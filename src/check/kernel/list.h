// SPDX-License-Identifier: MIT
/* The kernels of a file, each with its parameters and a command that checks it. */
#ifndef RD_CHECK_LIST_H
#define RD_CHECK_LIST_H

#include "check/kernel/check.h"

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
/* Writes a command that checks the kernel, launched as in the text where that says how. */
void rd_check_listed_command(const struct rd_check_listed *listed, const char *text,
                             const struct rd_check_options *options, FILE *file);

/* ---- list_shape.c ---- */

/* A launch that is proposed. */
enum { RD_CHECK_DIM_SIZE = 48 };
struct rd_check_shape {
    char grid[RD_CHECK_DIM_SIZE], block[RD_CHECK_DIM_SIZE]; /* as --grid and --block take them */
    unsigned count;                                         /* of the elements of an array */
    unsigned size;                                          /* along each dimension */
    size_t shared_bytes;                                    /* 0: unknown */
};

/* The shape of the first launch of the kernel in a text, as far as it stands there in numbers, and not more threads than are tried
 * in passing. False: the size of the block is unknown. */
bool rd_check_shape_of_launch(const char *text, const struct rd_check_listed *listed,
                              struct rd_check_shape *shape);
/* The most threads of a block by the kernel's __launch_bounds__; 0: it has none, or no number that is known. */
unsigned rd_check_shape_bound(const char *text, const struct rd_check_listed *listed);

#endif
