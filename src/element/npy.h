// SPDX-License-Identifier: MIT
/* Private to values.c and check/: arrays in NumPy's .npy format, versions 1.0, 2.0 and 3.0, as
 * described in https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html (NEP 1). */
#ifndef RD_ELEMENT_NPY_H
#define RD_ELEMENT_NPY_H

#include "element/values_text.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Length of the bytes at a file's start by which the format is recognised. */
enum { RD_NPY_MAGIC_SIZE = 6 };

/* Reads all of `file`, which is in this format or text. Errors as rd_text_parse; of this format RD_ERROR_INPUT,
 * RD_ERROR_IO, RD_ERROR_MEMORY; *out is untouched then. */
enum rd_status rd_npy_or_text_read(FILE *file, const struct rd_text_source *source,
                                   const struct rd_numeric *numeric, bool want_b,
                                   struct rd_numbers *out, struct rd_error *error);

#ifdef __cplusplus
}
#endif
#endif
