// SPDX-License-Identifier: MIT
/* Discrete Fourier transforms of any length, in double precision. */
#ifndef RD_SIM_LIBRARIES_FOURIER_H
#define RD_SIM_LIBRARIES_FOURIER_H

#include <stdbool.h>
#include <stddef.h>

struct rd_complex {
    double re, im;
};

/* What transforms of one length need; sign is -1 forward, 1 backward. */
struct rd_fourier;
/* NULL without memory. */
struct rd_fourier *rd_fourier_create(size_t n, int sign);
void rd_fourier_destroy(struct rd_fourier *fourier);
/* Transforms n numbers in place: X[k] = sum of x[j] exp(sign 2 pi i j k / n). */
void rd_fourier_run(const struct rd_fourier *fourier, struct rd_complex *x);

#endif
