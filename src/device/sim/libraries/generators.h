// SPDX-License-Identifier: MIT
/* cuRAND's generators, as published: XORWOW (Marsaglia, "Xorshift RNGs", 2003), Philox 4x32 with 10 rounds (Salmon, Moraes, Dror,
 * Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011) and MRG32k3a (L'Ecuyer, "Good parameters and implementations for
 * combined multiple recursive random number generators", 1999). Seeds, streams and what is made of the bits are as cuRAND's own
 * functions give them. Compiled as C here, as C++ in users' files, where the hooks see each access to a state. */
#ifndef RD_SIM_LIBRARIES_GENERATORS_H
#define RD_SIM_LIBRARIES_GENERATORS_H

#include <math.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RD_DRAW static inline __attribute__((always_inline))

/* Multiplies the vector by the matrix of 2^power steps, n times: generators.c. */
void rd_sim_xorwow_skip(uint32_t v[5], uint64_t n, unsigned power);
void rd_sim_mrg_skip(uint32_t s1[3], uint32_t s2[3], uint64_t n, unsigned power);
/* Streams lie so many steps apart, of XORWOW 2^67, of MRG32k3a 2^76, whose sequences lie 2^127 apart. */
enum { RD_XORWOW_STREAM = 67, RD_MRG_STREAM = 76, RD_MRG_SEQUENCE = 127 };
static const uint32_t rd_mrg_m1 = 4294967087u, rd_mrg_m2 = 4294944443u;

/* ---- XORWOW ---- */

RD_DRAW void rd_xorwow_seed(uint64_t seed, uint32_t *d, uint32_t v[5])
{
    const uint32_t low = 1099087573u * ((uint32_t)seed ^ 0xaad26b49u),
                   high = 2591861531u * ((uint32_t)(seed >> 32) ^ 0xf7dcefddu);
    *d = 6615241u + high + low;
    v[0] = 123456789u + low;
    v[1] = 362436069u ^ low;
    v[2] = 521288629u + high;
    v[3] = 88675123u ^ high;
    v[4] = 5783321u + low;
}

RD_DRAW uint32_t rd_xorwow_next(uint32_t *d, uint32_t v[5])
{
    const uint32_t t = v[0] ^ v[0] >> 2;
    v[0] = v[1];
    v[1] = v[2];
    v[2] = v[3];
    v[3] = v[4];
    v[4] = v[4] ^ v[4] << 4 ^ t ^ t << 1;
    *d += 362437u;
    return v[4] + *d;
}

/* ---- MRG32k3a ---- */

RD_DRAW void rd_mrg_seed(uint64_t seed, uint32_t s1[3], uint32_t s2[3])
{
    const uint64_t low = (uint32_t)seed ^ 0x55555555u, high = (uint32_t)(seed >> 32) ^ 0xaaaaaaaau;
    for (int k = 0; k < 3; k++) {
        s1[k] = seed ? (uint32_t)((k == 1 ? high : low) * 12345u % rd_mrg_m1) : 12345u;
        s2[k] = seed ? (uint32_t)((k == 1 ? low : high) * 12345u % rd_mrg_m2) : 12345u;
    }
}

/* From 1 to m1. */
RD_DRAW uint32_t rd_mrg_next(uint32_t s1[3], uint32_t s2[3])
{
    const uint64_t one = (1403580ull * s1[1] + 810728ull * (rd_mrg_m1 - s1[0])) % rd_mrg_m1,
                   two = (527612ull * s2[2] + 1370589ull * (rd_mrg_m2 - s2[0])) % rd_mrg_m2;
    s1[0] = s1[1];
    s1[1] = s1[2];
    s1[2] = (uint32_t)one;
    s2[0] = s2[1];
    s2[1] = s2[2];
    s2[2] = (uint32_t)two;
    return (uint32_t)(one > two ? one - two : one + rd_mrg_m1 - two);
}
#define RD_MRG_NORM 2.3283065498378288e-10 /* 1 / m1, rounded so that 1 is the most */
RD_DRAW uint32_t rd_mrg_bits(uint32_t drawn)
{
    return (uint32_t)((double)drawn * 1.000000048662);
}

/* ---- Philox ---- */

RD_DRAW void rd_philox(const uint32_t counter[4], uint32_t key_low, uint32_t key_high,
                       uint32_t drawn[4])
{
    uint32_t x = counter[0], y = counter[1], z = counter[2], w = counter[3];
    for (int round = 0; round < 10; round++) {
        const uint64_t of_x = 0xd2511f53ull * x, of_z = 0xcd9e8d57ull * z;
        x = (uint32_t)(of_z >> 32) ^ y ^ key_low;
        y = (uint32_t)of_z;
        z = (uint32_t)(of_x >> 32) ^ w ^ key_high;
        w = (uint32_t)of_x;
        key_low += 0x9e3779b9u;
        key_high += 0xbb67ae85u;
    }
    drawn[0] = x;
    drawn[1] = y;
    drawn[2] = z;
    drawn[3] = w;
}

/* ---- what is made of the bits ---- */

/* In (0, 1]. */
RD_DRAW float rd_uniform_of(uint32_t x)
{
    return (float)x * 0x1p-32f + 0x1p-33f;
}
RD_DRAW double rd_uniform_double_of(uint32_t x, uint32_t y)
{
    return (double)((uint64_t)x ^ (uint64_t)y << 21) * 0x1p-53 + 0x1p-54;
}
/* Two normal numbers of two uniform ones (Box and Muller, 1958), the second of them as an angle. */
RD_DRAW void rd_normal_pair(float u, float angle, float pair[2])
{
    const float radius = sqrtf(-2 * logf(u));
    pair[0] = sinf(angle) * radius;
    pair[1] = cosf(angle) * radius;
}
RD_DRAW float rd_angle_of(uint32_t x)
{
    const float two_pi = 0x1p-32f * 6.2831855f;
    return (float)x * two_pi + two_pi / 2;
}
RD_DRAW void rd_normal_double_pair(double u, double half_turns, double pair[2])
{
    const double radius = sqrt(-2 * log(u));
    pair[0] = sin(half_turns * 3.1415926535897932) * radius;
    pair[1] = cos(half_turns * 3.1415926535897932) * radius;
}

#ifdef __cplusplus
}
#endif

#endif
