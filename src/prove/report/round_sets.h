// SPDX-License-Identifier: MIT
/* A round of one run as sets of inputs, with its numbers: those that the law had in the cells from which the
 * program's `update` makes a cell, and the one that it has there behind the round. They are worked out from the law
 * alone: no prover is asked, and no run. */
#ifndef RD_PROVE_ROUND_SETS_H
#define RD_PROVE_ROUND_SETS_H

#include <stdio.h>

#include "reductio/program.h"

struct rd_round_cell {
    const struct rd_program *program;
    struct rd_shape shape;
    unsigned step;     /* rounds made: d */
    const char *point; /* NULL: the program's array */
    uint64_t block, warp, variable;
    bool has_before; /* the array is claimed at an earlier step of the same point, which is: */
    uint64_t before; /* the variable there; of the program's array, step - 1 is */
    size_t cell;
};

/* Writes lines, which end with newlines: what was claimed, what is, how the sets make each other, and whether all
 * inputs were counted to see that they do. Where the law doesn't say, the reason stands there. RD_ERROR_MEMORY. */
enum rd_status rd_round_sets_print(const struct rd_round_cell *cell, FILE *out,
                                   struct rd_error *error);

#endif
