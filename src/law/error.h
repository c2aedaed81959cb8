// SPDX-License-Identifier: MIT
/* The place of a mistake in a law, in the one form that all messages have. */
#ifndef RD_LAW_ERROR_H
#define RD_LAW_ERROR_H

#include "reductio/law.h"

enum { RD_LAW_ERROR_PLACE_SIZE = 4096 + 48 };

/* Writes "NAME:LINE:COLUMN" as compilers do, so that editors find the place; without a column or a line where the
 * error has none. The name is that of a file, or of the option that the law was given by. Returns text. */
const char *rd_law_error_place(char text[RD_LAW_ERROR_PLACE_SIZE], const char *name,
                               const struct rd_law_error *error);

#endif
