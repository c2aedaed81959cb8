// SPDX-License-Identifier: MIT
// cuRAND in kernels: a generator's state is memory like any other, and each number reads and writes
// it. The numbers are cuRAND's own, but for Poisson's; normal ones may differ in the last bits.
#ifndef RD_CURAND_KERNEL_H
#define RD_CURAND_KERNEL_H

#include <curand.h>
#include "reductio_generators.h"

// Members as cuRAND's states have them.
#define RD_CURAND_REST                                                                             \
    int boxmuller_flag, boxmuller_flag_double;                                                     \
    float boxmuller_extra;                                                                         \
    double boxmuller_extra_double;
struct curandStateXORWOW {
    unsigned d, v[5];
    RD_CURAND_REST
};
struct curandStateMRG32k3a {
    unsigned s1[3], s2[3];
    RD_CURAND_REST
};
struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned STATE;
    RD_CURAND_REST
};
typedef curandStateXORWOW curandStateXORWOW_t, curandState_t, curandState;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

template <class S> RD_INLINE void rd_curand_begin(S *state)
{
    state->boxmuller_flag = state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0;
    state->boxmuller_extra_double = 0;
}

// ---- XORWOW ----

RD_INLINE void rd_xorwow_ahead(unsigned long long n, unsigned power, curandStateXORWOW *state)
{
    uint32_t v[5];
    for (int k = 0; k < 5; k++)
        v[k] = state->v[k];
    rd_sim_xorwow_skip(v, n, power);
    for (int k = 0; k < 5; k++)
        state->v[k] = v[k];
}
RD_INLINE void skipahead(unsigned long long n, curandStateXORWOW *state)
{
    rd_xorwow_ahead(n, 0, state);
    state->d += 362437u * (unsigned)n;
}
RD_INLINE void skipahead_sequence(unsigned long long n, curandStateXORWOW *state)
{
    rd_xorwow_ahead(n, RD_XORWOW_STREAM, state);
}
RD_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence,
                           unsigned long long offset, curandStateXORWOW *state)
{
    rd_xorwow_seed(seed, &state->d, state->v);
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
    rd_curand_begin(state);
}
RD_INLINE unsigned curand(curandStateXORWOW *state)
{
    return rd_xorwow_next(&state->d, state->v);
}

// ---- MRG32k3a ----

RD_INLINE void rd_mrg_ahead(unsigned long long n, unsigned power, curandStateMRG32k3a *state)
{
    uint32_t s1[3], s2[3];
    for (int k = 0; k < 3; k++) {
        s1[k] = state->s1[k];
        s2[k] = state->s2[k];
    }
    rd_sim_mrg_skip(s1, s2, n, power);
    for (int k = 0; k < 3; k++) {
        state->s1[k] = s1[k];
        state->s2[k] = s2[k];
    }
}
RD_INLINE void skipahead(unsigned long long n, curandStateMRG32k3a *state)
{
    rd_mrg_ahead(n, 0, state);
}
RD_INLINE void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a *state)
{
    rd_mrg_ahead(n, RD_MRG_STREAM, state);
}
RD_INLINE void skipahead_sequence(unsigned long long n, curandStateMRG32k3a *state)
{
    rd_mrg_ahead(n, RD_MRG_SEQUENCE, state);
}
RD_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence,
                           unsigned long long offset, curandStateMRG32k3a *state)
{
    rd_mrg_seed(seed, state->s1, state->s2);
    skipahead_subsequence(subsequence, state);
    skipahead(offset, state);
    rd_curand_begin(state);
}
RD_INLINE unsigned curand(curandStateMRG32k3a *state)
{
    return rd_mrg_bits(rd_mrg_next(state->s1, state->s2));
}

// ---- Philox: four numbers of each value of the counter ----

RD_INLINE void rd_philox_draw(curandStatePhilox4_32_10 *state)
{
    const uint32_t counter[4] = {state->ctr.x, state->ctr.y, state->ctr.z, state->ctr.w};
    uint32_t drawn[4];
    rd_philox(counter, state->key.x, state->key.y, drawn);
    state->output.x = drawn[0];
    state->output.y = drawn[1];
    state->output.z = drawn[2];
    state->output.w = drawn[3];
}
RD_INLINE void rd_philox_count(unsigned long long n, curandStatePhilox4_32_10 *state)
{
    const unsigned long long low = state->ctr.x | (unsigned long long)state->ctr.y << 32,
                             sum = low + n;
    state->ctr.x = (unsigned)sum;
    state->ctr.y = (unsigned)(sum >> 32);
    if (sum < low && ++state->ctr.z == 0)
        ++state->ctr.w;
}
RD_INLINE void skipahead(unsigned long long n, curandStatePhilox4_32_10 *state)
{
    const unsigned at = state->STATE + (unsigned)(n & 3);
    state->STATE = at & 3;
    rd_philox_count(n / 4 + at / 4, state);
    rd_philox_draw(state);
}
RD_INLINE void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10 *state)
{
    const unsigned long long high = (state->ctr.z | (unsigned long long)state->ctr.w << 32) + n;
    state->ctr.z = (unsigned)high;
    state->ctr.w = (unsigned)(high >> 32);
    rd_philox_draw(state);
}
RD_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence,
                           unsigned long long offset, curandStatePhilox4_32_10 *state)
{
    state->ctr.x = state->ctr.y = state->ctr.z = state->ctr.w = 0;
    state->key.x = (unsigned)seed;
    state->key.y = (unsigned)(seed >> 32);
    state->STATE = 0;
    rd_curand_begin(state);
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}
RD_INLINE unsigned rd_philox_at(const curandStatePhilox4_32_10 *state, unsigned at)
{
    return at == 0   ? state->output.x
           : at == 1 ? state->output.y
           : at == 2 ? state->output.z
                     : state->output.w;
}
RD_INLINE unsigned curand(curandStatePhilox4_32_10 *state)
{
    const unsigned drawn = rd_philox_at(state, state->STATE);
    if (++state->STATE == 4) {
        rd_philox_count(1, state);
        rd_philox_draw(state);
        state->STATE = 0;
    }
    return drawn;
}
RD_INLINE uint4 curand4(curandStatePhilox4_32_10 *state)
{
    uint4 drawn;
    drawn.x = curand(state);
    drawn.y = curand(state);
    drawn.z = curand(state);
    drawn.w = curand(state);
    return drawn;
}

// ---- Sobol: its state has the direction vectors of its dimension ----

template <class T> struct rd_sobol {
    T i, x, c;
    T direction_vectors[8 * sizeof(T)];
};
struct curandStateSobol32 : rd_sobol<unsigned> {
};
struct curandStateSobol64 : rd_sobol<unsigned long long> {
};
typedef curandStateSobol32 curandStateSobol32_t;
typedef curandStateSobol64 curandStateSobol64_t;

template <class T> RD_INLINE void rd_sobol_go(T i, rd_sobol<T> *state)
{
    T x = 0;
    for (unsigned k = 0; k < 8 * sizeof(T); k++)
        if ((i ^ i >> 1) >> k & 1)
            x ^= state->direction_vectors[k];
    state->i = i;
    state->x = x;
}
template <class T> RD_INLINE T rd_sobol_next(rd_sobol<T> *state)
{
    const T drawn = state->x;
    rd_sobol_go(state->i + 1, state);
    return drawn;
}
template <class T> RD_INLINE void rd_sobol_init(const T *vectors, T offset, rd_sobol<T> *state)
{
    for (unsigned k = 0; k < 8 * sizeof(T); k++)
        state->direction_vectors[k] = vectors[k];
    state->c = 0;
    rd_sobol_go(offset, state);
}
RD_INLINE void curand_init(curandDirectionVectors32_t vectors, unsigned offset,
                           curandStateSobol32 *state)
{
    rd_sobol_init(vectors, offset, (rd_sobol<unsigned> *)state);
}
RD_INLINE void curand_init(curandDirectionVectors64_t vectors, unsigned long long offset,
                           curandStateSobol64 *state)
{
    rd_sobol_init(vectors, offset, (rd_sobol<unsigned long long> *)state);
}
RD_INLINE void skipahead(unsigned n, curandStateSobol32 *state)
{
    rd_sobol_go(state->i + n, state);
}
RD_INLINE void skipahead(unsigned long long n, curandStateSobol64 *state)
{
    rd_sobol_go(state->i + n, state);
}
RD_INLINE unsigned curand(curandStateSobol32 *state)
{
    return rd_sobol_next(state);
}
RD_INLINE unsigned long long curand(curandStateSobol64 *state)
{
    return rd_sobol_next(state);
}
#define RD_NOT_OF_SOBOL(type)                                                                      \
    void curand_normal(type *) = delete;                                                           \
    void curand_normal_double(type *) = delete;                                                    \
    void curand_normal2(type *) = delete;                                                          \
    void curand_normal2_double(type *) = delete;                                                   \
    void curand_log_normal(type *, float, float) = delete;                                         \
    void curand_log_normal_double(type *, double, double) = delete;                                \
    void curand_log_normal2(type *, float, float) = delete;                                        \
    void curand_log_normal2_double(type *, double, double) = delete;                               \
    void curand_poisson(type *, double) = delete;
RD_NOT_OF_SOBOL(curandStateSobol32)
RD_NOT_OF_SOBOL(curandStateSobol64)

// ---- uniform, in (0, 1] ----

template <class S> RD_INLINE float curand_uniform(S *state)
{
    return rd_uniform_of(curand(state));
}
RD_INLINE float curand_uniform(curandStateMRG32k3a *state)
{
    return (float)(rd_mrg_next(state->s1, state->s2) * RD_MRG_NORM);
}
RD_INLINE float curand_uniform(curandStateSobol64 *state)
{
    return rd_uniform_of((unsigned)(curand(state) >> 32));
}
RD_INLINE double curand_uniform_double(curandStateSobol32 *state)
{
    return curand(state) * 0x1p-32 + 0x1p-32;
}
RD_INLINE double curand_uniform_double(curandStateSobol64 *state)
{
    return (double)(curand(state) >> 11) * 0x1p-53 + 0x1p-54;
}
RD_INLINE double curand_uniform_double(curandStateXORWOW *state)
{
    const unsigned x = curand(state), y = curand(state);
    return rd_uniform_double_of(x, y);
}
RD_INLINE double curand_uniform_double(curandStateMRG32k3a *state)
{
    return rd_mrg_next(state->s1, state->s2) * RD_MRG_NORM;
}
RD_INLINE double curand_uniform_double(curandStatePhilox4_32_10 *state)
{
    return curand(state) * 0x1p-32 + 0x1p-32;
}
RD_INLINE float4 curand_uniform4(curandStatePhilox4_32_10 *state)
{
    const uint4 x = curand4(state);
    return make_float4(rd_uniform_of(x.x), rd_uniform_of(x.y), rd_uniform_of(x.z),
                       rd_uniform_of(x.w));
}
RD_INLINE double2 curand_uniform2_double(curandStatePhilox4_32_10 *state)
{
    const uint4 x = curand4(state);
    return make_double2(rd_uniform_double_of(x.x, x.y), rd_uniform_double_of(x.z, x.w));
}

// ---- normal ----

template <class S> RD_INLINE float2 curand_normal2(S *state)
{
    float pair[2];
    const unsigned x = curand(state), y = curand(state);
    rd_normal_pair(rd_uniform_of(x), rd_angle_of(y), pair);
    return make_float2(pair[0], pair[1]);
}
RD_INLINE float2 curand_normal2(curandStateMRG32k3a *state)
{
    float pair[2];
    const float u = curand_uniform(state), angle = curand_uniform(state) * 6.2831855f;
    rd_normal_pair(u, angle, pair);
    return make_float2(pair[0], pair[1]);
}
template <class S> RD_INLINE double2 curand_normal2_double(S *state)
{
    double pair[2];
    const unsigned a = curand(state), b = curand(state), c = curand(state), d = curand(state);
    rd_normal_double_pair(rd_uniform_double_of(a, b), 2 * rd_uniform_double_of(c, d), pair);
    return make_double2(pair[0], pair[1]);
}
RD_INLINE double2 curand_normal2_double(curandStateMRG32k3a *state)
{
    double pair[2];
    const double u = curand_uniform_double(state), angle = 2 * curand_uniform_double(state);
    rd_normal_double_pair(u, angle, pair);
    return make_double2(pair[0], pair[1]);
}
// Numbers come in pairs: gives the first, and keeps the second for the next call of that kind, which `flag` then tells.
template <class T, class Pair>
RD_INLINE T rd_of_pair(int kind, int &flag, T &extra, const Pair &make_pair)
{
    if (flag == kind) {
        flag = 0;
        return extra;
    }
    const auto pair = make_pair();
    extra = pair.y;
    flag = kind;
    return pair.x;
}
enum { RD_NORMAL = 1, RD_LOG_NORMAL = 2 };
template <class S> RD_INLINE float curand_normal(S *state)
{
    return rd_of_pair(
        RD_NORMAL, state->boxmuller_flag,
        state->boxmuller_extra, [=]() __attribute__((always_inline)) {
            return curand_normal2(state);
        });
}
template <class S> RD_INLINE double curand_normal_double(S *state)
{
    return rd_of_pair(
        RD_NORMAL, state->boxmuller_flag_double,
        state->boxmuller_extra_double, [=]() __attribute__((always_inline)) {
            return curand_normal2_double(state);
        });
}
RD_INLINE float4 curand_normal4(curandStatePhilox4_32_10 *state)
{
    const float2 first = curand_normal2(state), second = curand_normal2(state);
    return make_float4(first.x, first.y, second.x, second.y);
}
template <class S> RD_INLINE float2 curand_log_normal2(S *state, float mean, float deviation)
{
    const float2 pair = curand_normal2(state);
    return make_float2(expf(mean + deviation * pair.x), expf(mean + deviation * pair.y));
}
template <class S> RD_INLINE float curand_log_normal(S *state, float mean, float deviation)
{
    return rd_of_pair(
        RD_LOG_NORMAL, state->boxmuller_flag,
        state->boxmuller_extra, [=]() __attribute__((always_inline)) {
            return curand_log_normal2(state, mean, deviation);
        });
}
template <class S>
RD_INLINE double2 curand_log_normal2_double(S *state, double mean, double deviation)
{
    const double2 pair = curand_normal2_double(state);
    return make_double2(exp(mean + deviation * pair.x), exp(mean + deviation * pair.y));
}
template <class S>
RD_INLINE double curand_log_normal_double(S *state, double mean, double deviation)
{
    return rd_of_pair(
        RD_LOG_NORMAL, state->boxmuller_flag_double,
        state->boxmuller_extra_double, [=]() __attribute__((always_inline)) {
            return curand_log_normal2_double(state, mean, deviation);
        });
}

// ---- Poisson's: of the same distribution, not cuRAND's numbers ----

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
RD_INLINE uint4 curand_poisson4(curandStatePhilox4_32_10 *state, double mean)
{
    const unsigned x = curand_poisson(state, mean), y = curand_poisson(state, mean),
                   z = curand_poisson(state, mean), w = curand_poisson(state, mean);
    return make_uint4(x, y, z, w);
}

#endif
