// SPDX-License-Identifier: MIT
/* Sobol's quasi-random numbers, as cuRAND gives them. */
#ifndef RD_SIM_LIBRARIES_SOBOL_H
#define RD_SIM_LIBRARIES_SOBOL_H

#include <stdint.h>

/* cuRAND has more of them, which are not simulated. */
enum { RD_SOBOL_DIMENSIONS = 21, RD_SOBOL_DIMENSIONS_MAX = 20000, RD_SOBOL_BITS = 64 };

/* The direction vectors of a dimension; those of 32 bits are their upper halves. */
void rd_sobol_vectors(unsigned dimension, uint64_t vectors[RD_SOBOL_BITS]);
/* The point of that number, in the order of Antonov and Saleev. */
uint64_t rd_sobol_at(const uint64_t vectors[RD_SOBOL_BITS], uint64_t number);

#endif
