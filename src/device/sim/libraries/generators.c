// SPDX-License-Identifier: MIT
/* Steps ahead, by powers of the matrix of one step. */
#include "device/sim/libraries/generators.h"
#include "device/sim/api/hooks.h"
#include "device/sim/file/launch.h"

#include <stdbool.h>
#include <stdlib.h>

/* ---- XORWOW: its five words are a vector of 160 bits ---- */

enum { WORDS = 5, BITS = 160, XORWOW_POWERS = RD_XORWOW_STREAM + 64 };

/* For each bit of a vector, what a step makes of it alone. */
struct bit_matrix {
    uint32_t rows[BITS][WORDS];
};

static struct bit_matrix *xorwow_powers; /* of 2^k steps */

static void multiply(const struct bit_matrix *matrix, const uint32_t from[WORDS],
                     uint32_t to[WORDS])
{
    uint32_t sum[WORDS] = {0};
    for (unsigned bit = 0; bit < BITS; bit++)
        if (from[bit / 32] >> bit % 32 & 1)
            for (unsigned k = 0; k < WORDS; k++)
                sum[k] ^= matrix->rows[bit][k];
    for (unsigned k = 0; k < WORDS; k++)
        to[k] = sum[k];
}

static bool make_xorwow_powers(void)
{
    struct bit_matrix *all = xorwow_powers ? NULL : calloc(XORWOW_POWERS, sizeof *all);
    if (!all)
        return xorwow_powers != NULL;
    for (unsigned bit = 0; bit < BITS; bit++) {
        uint32_t d = 0, *row = all[0].rows[bit];
        row[bit / 32] = 1u << bit % 32;
        rd_xorwow_next(&d, row);
    }
    for (unsigned power = 1; power < XORWOW_POWERS; power++)
        for (unsigned bit = 0; bit < BITS; bit++)
            multiply(&all[power - 1], all[power - 1].rows[bit], all[power].rows[bit]);
    xorwow_powers = all; /* for the life of the process */
    return true;
}

RD_HOOK void rd_sim_xorwow_skip(uint32_t v[5], uint64_t n, unsigned power)
{
    if (n == 0)
        return;
    if (!make_xorwow_powers()) {
        rd_sim_unsimulated("random numbers without memory for their generator", "", 0,
                           __builtin_return_address(0));
        return;
    }
    for (unsigned k = 0; k < 64 && power + k < XORWOW_POWERS; k++)
        if (n >> k & 1)
            multiply(&xorwow_powers[power + k], v, v);
}

/* ---- MRG32k3a: two recurrences of three terms each ---- */

struct matrix {
    uint64_t at[3][3];
};

static struct matrix product(const struct matrix *x, const struct matrix *y, uint64_t modulus)
{
    struct matrix z;
    for (unsigned i = 0; i < 3; i++)
        for (unsigned j = 0; j < 3; j++) {
            uint64_t sum = 0;
            for (unsigned k = 0; k < 3; k++)
                sum = (sum + x->at[i][k] * y->at[k][j] % modulus) % modulus;
            z.at[i][j] = sum;
        }
    return z;
}

static void apply(const struct matrix *x, uint32_t s[3], uint64_t modulus)
{
    uint32_t moved[3];
    for (unsigned i = 0; i < 3; i++) {
        uint64_t sum = 0;
        for (unsigned k = 0; k < 3; k++)
            sum = (sum + x->at[i][k] * s[k] % modulus) % modulus;
        moved[i] = (uint32_t)sum;
    }
    for (unsigned i = 0; i < 3; i++)
        s[i] = moved[i];
}

static void skip(struct matrix step, uint32_t s[3], uint64_t n, unsigned power, uint64_t modulus)
{
    for (unsigned k = 0; k < power; k++)
        step = product(&step, &step, modulus);
    for (; n; n >>= 1) {
        if (n & 1)
            apply(&step, s, modulus);
        step = product(&step, &step, modulus);
    }
}

RD_HOOK void rd_sim_mrg_skip(uint32_t s1[3], uint32_t s2[3], uint64_t n, unsigned power)
{
    const struct matrix one = {{{0, 1, 0}, {0, 0, 1}, {rd_mrg_m1 - 810728u, 1403580, 0}}},
                        two = {{{0, 1, 0}, {0, 0, 1}, {rd_mrg_m2 - 1370589u, 0, 527612}}};
    if (n == 0)
        return;
    skip(one, s1, n, power, rd_mrg_m1);
    skip(two, s2, n, power, rd_mrg_m2);
}
