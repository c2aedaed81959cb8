// SPDX-License-Identifier: MIT
// cuRAND in kernels: a generator's state is memory like any other, and each number reads and writes
// it. The numbers are of the same distributions as cuRAND's, and are others.
#ifndef RD_CURAND_KERNEL_H
#define RD_CURAND_KERNEL_H

#include "curand.h"

// Marsaglia's xorwow ("Xorshift RNGs", 2003): what curandState is. The other generators step in the
// same way here, but are types of their own, of their own sizes.
struct rd_xorwow {
    unsigned d, v[5];
    int has_extra;
    float extra; // the second of a pair of normal numbers
};
template <int size_bytes> struct rd_curand_state : rd_xorwow {
    unsigned char rest[size_bytes - sizeof(rd_xorwow)];
};
struct curandStateXORWOW : rd_curand_state<48> {
};
struct curandStateMRG32k3a : rd_curand_state<72> {
};
struct alignas(16) curandStatePhilox4_32_10 : rd_curand_state<64> {
};
typedef curandStateXORWOW curandStateXORWOW_t, curandState_t, curandState;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

// SplitMix64.
RD_INLINE unsigned long long rd_curand_mix(unsigned long long z)
{
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
template <class S> RD_INLINE unsigned curand(S *state)
{
    unsigned t = state->v[0] ^ state->v[0] >> 2;
    for (int k = 0; k < 4; k++)
        state->v[k] = state->v[k + 1];
    state->v[4] = (state->v[4] ^ state->v[4] << 4) ^ (t ^ t << 1);
    state->d += 362437;
    return state->v[4] + state->d;
}
template <class S>
RD_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence,
                           unsigned long long offset, S *state)
{
    unsigned long long z = rd_curand_mix(seed ^ rd_curand_mix(subsequence ^ rd_curand_mix(offset)));
    state->d = (unsigned)z;
    for (int k = 0; k < 5; k++)
        state->v[k] = (unsigned)((z = rd_curand_mix(z)) >> 32) | (k == 0);
    state->has_extra = 0;
    state->extra = 0;
    __builtin_memset(state->rest, 0,
                     sizeof state->rest); // a copy of the state is the same each time
}
template <class S> RD_INLINE void skipahead(unsigned long long n, S *state)
{
    curand_init(n, state->d, state->v[0], state);
}
template <class S> RD_INLINE void skipahead_sequence(unsigned long long n, S *state)
{
    curand_init(~n, state->d, state->v[0], state);
}

// ---- uniform, in (0, 1] ----

template <class S> RD_INLINE float curand_uniform(S *state)
{
    return (float)(curand(state) >> 8) * 0x1p-24f + 0x1p-25f;
}
template <class S> RD_INLINE double curand_uniform_double(S *state)
{
    unsigned long long high = curand(state);
    return (double)((high << 32 | curand(state)) >> 11) * 0x1p-53 + 0x1p-54;
}

// ---- normal, by Box and Muller ----

template <class S> RD_INLINE float2 curand_normal2(S *state)
{
    float u = curand_uniform(state), v = curand_uniform(state), r = sqrtf(-2 * logf(u));
    return make_float2(r * sinf(6.2831853f * v), r * cosf(6.2831853f * v));
}
template <class S> RD_INLINE float curand_normal(S *state)
{
    state->has_extra = !state->has_extra;
    if (!state->has_extra)
        return state->extra;
    float2 pair = curand_normal2(state);
    state->extra = pair.y;
    return pair.x;
}
template <class S> RD_INLINE double curand_normal_double(S *state)
{
    double u = curand_uniform_double(state), v = curand_uniform_double(state);
    return sqrt(-2 * log(u)) * sin(6.283185307179586 * v);
}
template <class S> RD_INLINE float curand_log_normal(S *state, float mean, float deviation)
{
    return expf(mean + deviation * curand_normal(state));
}
template <class S>
RD_INLINE double curand_log_normal_double(S *state, double mean, double deviation)
{
    return exp(mean + deviation * curand_normal_double(state));
}

// ---- others ----

// Knuth's, with the mean in parts, lest the product vanish.
template <class S> RD_INLINE unsigned curand_poisson(S *state, double mean)
{
    unsigned count = 0;
    for (; mean > 0; mean -= 500) {
        double least = exp(-(mean < 500 ? mean : 500)), product = curand_uniform_double(state);
        for (; product > least; product *= curand_uniform_double(state))
            count++;
    }
    return count;
}
template <class S> RD_INLINE uint4 curand4(S *state)
{
    unsigned x = curand(state), y = curand(state), z = curand(state);
    return make_uint4(x, y, z, curand(state));
}
template <class S> RD_INLINE float4 curand_uniform4(S *state)
{
    float x = curand_uniform(state), y = curand_uniform(state), z = curand_uniform(state);
    return make_float4(x, y, z, curand_uniform(state));
}
template <class S> RD_INLINE float4 curand_normal4(S *state)
{
    float2 first = curand_normal2(state), second = curand_normal2(state);
    return make_float4(first.x, first.y, second.x, second.y);
}

#endif
