// SPDX-License-Identifier: MIT
/* cuRAND's generators for the host's code. Each is many streams of one generator, from which the numbers are taken in turn, as
 * cuRAND's default order has it: 4096 of XORWOW, 81920 of MRG32k3a, and 65536 of Philox, four numbers at a time. */
#include "device/sim/libraries/curand.h"
#include "device/sim/api/hooks.h"
#include "device/sim/file/launch.h"
#include "device/sim/libraries/generators.h"
#include "device/sim/libraries/sobol.h"
#include "device/sim/runtime/libraries.h"
#include "device/sim/runtime/streams.h"

#include <stdlib.h>

enum { XORWOW_STREAMS = 4096, MRG_STREAMS = 81920, PHILOX_STREAMS = 65536 };

static const uint64_t mark = 0x646e61725543u; /* of a generator that has not been destroyed */

/* The state of one stream of XORWOW (d and v) or of MRG32k3a (s1 and s2). */
struct state {
    uint32_t words[6];
    bool is_there;
};

struct curandGenerator_st {
    uint64_t mark;
    curandRngType_t type;
    bool is_of_host;
    cudaStream_t stream;
    uint64_t seed, offset;
    unsigned dimensions; /* of quasi-random points */
    /* Elements that have been taken; of normal ones of XORWOW and MRG32k3a pairs, of quasi-random ones points. */
    uint64_t at;
    struct state *states; /* of XORWOW and MRG32k3a; NULL: begins anew */
};

static unsigned streams_of(const struct curandGenerator_st *generator)
{
    return generator->type == CURAND_RNG_PSEUDO_XORWOW     ? XORWOW_STREAMS
           : generator->type == CURAND_RNG_PSEUDO_MRG32K3A ? MRG_STREAMS
                                                           : PHILOX_STREAMS;
}

/* ---- numbers ---- */

/* The state of the stream whose turn it is. */
static uint32_t *next_state(struct curandGenerator_st *generator)
{
    const unsigned n = streams_of(generator), stream = (unsigned)(generator->at % n);
    struct state *state = &generator->states[stream];
    generator->at++;
    if (state->is_there)
        return state->words;
    /* What the offset has passed over. */
    const uint64_t skipped = generator->offset / n + (stream < generator->offset % n);
    uint32_t *words = state->words;
    state->is_there = true;
    if (generator->type == CURAND_RNG_PSEUDO_XORWOW) {
        rd_xorwow_seed(generator->seed, &words[0], &words[1]);
        rd_sim_xorwow_skip(&words[1], stream, RD_XORWOW_STREAM);
        rd_sim_xorwow_skip(&words[1], skipped, 0);
        words[0] += 362437u * (uint32_t)skipped;
    } else {
        rd_mrg_seed(generator->seed, words, words + 3);
        rd_sim_mrg_skip(words, words + 3, stream, RD_MRG_STREAM);
        rd_sim_mrg_skip(words, words + 3, skipped, 0);
    }
    return words;
}

/* Two draws of Philox for each element, or one: numbers from the turn of the element on. */
static void philox_of(struct curandGenerator_st *generator, unsigned draws, uint32_t drawn[8])
{
    const uint64_t turn = generator->at / 4, block = turn / PHILOX_STREAMS * draws;
    for (unsigned k = 0; k < draws; k++) {
        const uint32_t counter[4] = {(uint32_t)(block + k), (uint32_t)((block + k) >> 32),
                                     (uint32_t)(turn % PHILOX_STREAMS), 0};
        rd_philox(counter, (uint32_t)generator->seed, (uint32_t)(generator->seed >> 32),
                  drawn + 4 * k);
    }
}

enum shape { BITS, LONG_BITS, UNIFORM, UNIFORM_DOUBLE, NORMAL, NORMAL_DOUBLE, POISSON };

struct work {
    struct curandGenerator_st *generator;
    void *output;
    size_t n;
    enum shape shape;
    bool is_log;
    double mean, deviation;
};

static void put(const struct work *work, size_t k, double value)
{
    double x = work->mean + work->deviation * value;
    if (work->shape == NORMAL) {
        float y = (float)work->mean + (float)work->deviation * (float)value;
        ((float *)work->output)[k] = work->is_log ? expf(y) : y;
    } else {
        ((double *)work->output)[k] = work->is_log ? exp(x) : x;
    }
}

/* One element, or a pair, of a stream of XORWOW. */
static void draw_xorwow(const struct work *work, size_t k)
{
    uint32_t *s = next_state(work->generator), *d = s, *v = s + 1, x[4];
    const unsigned draws = work->shape == UNIFORM_DOUBLE || work->shape == NORMAL ? 2
                           : work->shape == NORMAL_DOUBLE                         ? 4
                                                                                  : 1;
    for (unsigned i = 0; i < draws; i++)
        x[i] = rd_xorwow_next(d, v);
    float pair[2];
    double of_doubles[2];
    switch (work->shape) {
    case UNIFORM:
        ((float *)work->output)[k] = rd_uniform_of(x[0]);
        break;
    case UNIFORM_DOUBLE:
        ((double *)work->output)[k] = rd_uniform_double_of(x[0], x[1]);
        break;
    case NORMAL:
        rd_normal_pair(rd_uniform_of(x[0]), rd_angle_of(x[1]), pair);
        put(work, k, (double)pair[0]);
        put(work, k + 1, (double)pair[1]);
        break;
    case NORMAL_DOUBLE:
        rd_normal_double_pair(rd_uniform_double_of(x[0], x[1]),
                              2 * rd_uniform_double_of(x[2], x[3]), of_doubles);
        put(work, k, of_doubles[0]);
        put(work, k + 1, of_doubles[1]);
        break;
    default:
        ((uint32_t *)work->output)[k] = x[0];
    }
}

static void draw_mrg(const struct work *work, size_t k)
{
    uint32_t *s = next_state(work->generator);
    const uint32_t x = rd_mrg_next(s, s + 3);
    const double u = x * RD_MRG_NORM;
    float pair[2];
    double of_doubles[2];
    switch (work->shape) {
    case UNIFORM:
        ((float *)work->output)[k] = (float)u;
        break;
    case UNIFORM_DOUBLE:
        ((double *)work->output)[k] = u;
        break;
    case NORMAL:
        rd_normal_pair((float)u, (float)(rd_mrg_next(s, s + 3) * RD_MRG_NORM) * 6.2831855f, pair);
        put(work, k, (double)pair[0]);
        put(work, k + 1, (double)pair[1]);
        break;
    case NORMAL_DOUBLE:
        rd_normal_double_pair(u, 2 * (rd_mrg_next(s, s + 3) * RD_MRG_NORM), of_doubles);
        put(work, k, of_doubles[0]);
        put(work, k + 1, of_doubles[1]);
        break;
    default:
        ((uint32_t *)work->output)[k] = rd_mrg_bits(x);
    }
}

static void draw_philox(const struct work *work, size_t k)
{
    struct curandGenerator_st *generator = work->generator;
    const unsigned lane = (unsigned)(generator->at % 4), first = lane & 2u;
    uint32_t x[8];
    float pair[2];
    double of_doubles[2];
    philox_of(generator, work->shape == UNIFORM_DOUBLE || work->shape == NORMAL_DOUBLE ? 2 : 1, x);
    generator->at++;
    switch (work->shape) {
    case UNIFORM:
        ((float *)work->output)[k] = rd_uniform_of(x[lane]);
        break;
    case UNIFORM_DOUBLE:
        ((double *)work->output)[k] = rd_uniform_double_of(x[2 * lane], x[2 * lane + 1]);
        break;
    case NORMAL:
        rd_normal_pair(rd_uniform_of(x[first]), rd_angle_of(x[first + 1]), pair);
        put(work, k, (double)pair[lane % 2]);
        break;
    case NORMAL_DOUBLE:
        rd_normal_double_pair(rd_uniform_double_of(x[2 * first], x[2 * first + 1]),
                              2 * rd_uniform_double_of(x[2 * first + 2], x[2 * first + 3]),
                              of_doubles);
        put(work, k, of_doubles[lane % 2]);
        break;
    default:
        ((uint32_t *)work->output)[k] = x[lane];
    }
}

static void draw(const struct work *work, size_t k)
{
    if (work->generator->type == CURAND_RNG_PSEUDO_XORWOW)
        draw_xorwow(work, k);
    else if (work->generator->type == CURAND_RNG_PSEUDO_MRG32K3A)
        draw_mrg(work, k);
    else
        draw_philox(work, k);
}

/* Knuth's, with the mean in parts, lest the product vanish. */
static unsigned poisson_of(const struct work *work)
{
    double u;
    unsigned count = 0;
    const struct work uniform = {work->generator, &u, 1, UNIFORM_DOUBLE, false, 0, 0};
    for (double mean = work->mean; mean > 0; mean -= 500) {
        const double least = exp(-(mean < 500 ? mean : 500));
        double product = 1;
        for (draw(&uniform, 0); (product *= u) > least; draw(&uniform, 0))
            count++;
    }
    return count;
}

static bool is_quasi(const struct curandGenerator_st *generator)
{
    return generator->type >= CURAND_RNG_QUASI_DEFAULT;
}

static bool is_of_64_bits(const struct curandGenerator_st *generator)
{
    return generator->type >= CURAND_RNG_QUASI_SOBOL64;
}

static void put_quasi(const struct work *work, size_t k, uint64_t x)
{
    const uint32_t high = (uint32_t)(x >> 32);
    if (work->shape == UNIFORM)
        ((float *)work->output)[k] = rd_uniform_of(high);
    else if (work->shape == UNIFORM_DOUBLE)
        ((double *)work->output)[k] = is_of_64_bits(work->generator)
                                          ? (double)(x >> 11) * 0x1p-53 + 0x1p-54
                                          : high * 0x1p-32 + 0x1p-32;
    else if (work->shape == LONG_BITS)
        ((uint64_t *)work->output)[k] = x;
    else
        ((uint32_t *)work->output)[k] = high;
}

/* All of the first coordinates of the points, then all of the second ones, and so on. */
static void run_quasi(const struct work *work)
{
    struct curandGenerator_st *generator = work->generator;
    const size_t n = work->n / generator->dimensions;
    uint64_t vectors[RD_SOBOL_BITS] = {0};
    for (unsigned d = 0; d < generator->dimensions; d++) {
        rd_sobol_vectors(d, vectors);
        for (size_t k = 0; k < n; k++)
            put_quasi(work, d * n + k, rd_sobol_at(vectors, generator->at + k));
    }
    generator->at += n;
}

static void run(const void *closure)
{
    const struct work *work = closure;
    struct curandGenerator_st *generator = work->generator;
    if (is_quasi(generator)) {
        run_quasi(work);
        return;
    }
    const bool in_pairs = generator->type != CURAND_RNG_PSEUDO_PHILOX4_32_10 &&
                          (work->shape == NORMAL || work->shape == NORMAL_DOUBLE);
    if (generator->type != CURAND_RNG_PSEUDO_PHILOX4_32_10 && !generator->states &&
        !(generator->states = calloc(streams_of(generator), sizeof *generator->states))) {
        rd_sim_runtime_lacks("random numbers: no memory for their generator");
        return;
    }
    for (size_t k = 0; k < work->n; k += in_pairs ? 2 : 1)
        if (work->shape == POISSON)
            ((unsigned *)work->output)[k] = poisson_of(work);
        else
            draw(work, k);
}

/* ---- calls ---- */

static const char *name_of(curandStatus_t status)
{
#define RD_NAME(name, number)                                                                      \
    if (status == (name))                                                                          \
        return #name;
    RD_CURAND_STATUSES(RD_NAME)
#undef RD_NAME
    return "an unknown status";
}

static curandStatus_t end(const struct rd_sim_host_call *call, curandStatus_t status,
                          const char *why)
{
    rd_sim_library_ends(call, status == CURAND_STATUS_SUCCESS ? NULL : name_of(status), why);
    return status;
}

static curandStatus_t status_of(cudaError_t error)
{
    return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

static bool begin(const struct rd_sim_host_call *call, curandGenerator_t generator,
                  curandStatus_t *status)
{
    cudaError_t error;
    if (!rd_sim_call_begins(call, &error)) {
        *status = status_of(error);
        return false;
    }
    if (generator && generator->mark == mark)
        return true;
    *status = end(call, CURAND_STATUS_NOT_INITIALIZED, "the generator is none");
    return false;
}

#define RD_BEGIN_CURAND(name, generator)                                                           \
    const struct rd_sim_host_call call = RD_HOST_CALL(#name);                                      \
    curandStatus_t begun;                                                                          \
    if (!begin(&call, generator, &begun))                                                          \
    return begun

static curandStatus_t create(const struct rd_sim_host_call *call, curandGenerator_t *made,
                             curandRngType_t type, bool of_host)
{
    cudaError_t error;
    if (!rd_sim_call_begins(call, &error))
        return status_of(error);
    if (type == CURAND_RNG_PSEUDO_DEFAULT)
        type = CURAND_RNG_PSEUDO_XORWOW;
    if (type == CURAND_RNG_QUASI_DEFAULT)
        type = CURAND_RNG_QUASI_SOBOL32;
    if (type < CURAND_RNG_QUASI_DEFAULT && type != CURAND_RNG_PSEUDO_XORWOW &&
        type != CURAND_RNG_PSEUDO_MRG32K3A && type != CURAND_RNG_PSEUDO_PHILOX4_32_10)
        rd_sim_unsimulated("cuRAND's Mersenne Twisters", "", 0, (void *)call->place.pc);
    struct curandGenerator_st *fresh = made ? calloc(1, sizeof *fresh) : NULL;
    if (!fresh)
        return end(call, made ? CURAND_STATUS_ALLOCATION_FAILED : CURAND_STATUS_TYPE_ERROR, "");
    fresh->mark = mark;
    fresh->type = type;
    fresh->dimensions = 1;
    fresh->is_of_host = of_host;
    *made = fresh;
    return end(call, CURAND_STATUS_SUCCESS, "");
}

RD_HOOK curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type)
{
    const struct rd_sim_host_call call = RD_HOST_CALL("curandCreateGenerator");
    return create(&call, generator, type, false);
}

RD_HOOK curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type)
{
    const struct rd_sim_host_call call = RD_HOST_CALL("curandCreateGeneratorHost");
    return create(&call, generator, type, true);
}

static void begin_anew(struct curandGenerator_st *generator)
{
    free(generator->states);
    generator->states = NULL;
    generator->at = generator->offset;
}

/* Its own memory stays, lest another call take it for a generator. */
RD_HOOK curandStatus_t curandDestroyGenerator(curandGenerator_t generator)
{
    RD_BEGIN_CURAND(curandDestroyGenerator, generator);
    rd_sim_stream_await(NULL);
    begin_anew(generator);
    generator->mark = 0;
    return end(&call, CURAND_STATUS_SUCCESS, "");
}

RD_HOOK curandStatus_t curandGetVersion(int *version)
{
    if (!version)
        return CURAND_STATUS_OUT_OF_RANGE;
    *version = 10300;
    return CURAND_STATUS_SUCCESS;
}

RD_HOOK curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream)
{
    RD_BEGIN_CURAND(curandSetStream, generator);
    generator->stream = stream;
    return end(&call, CURAND_STATUS_SUCCESS, "");
}

RD_HOOK curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                               unsigned n)
{
    RD_BEGIN_CURAND(curandSetQuasiRandomGeneratorDimensions, generator);
    if (!is_quasi(generator))
        return end(&call, CURAND_STATUS_TYPE_ERROR, "the generator is of pseudo-random numbers");
    if (n == 0 || n > RD_SOBOL_DIMENSIONS_MAX)
        return end(&call, CURAND_STATUS_OUT_OF_RANGE, "there are 1 to 20000 dimensions");
    generator->dimensions = n;
    return end(&call, CURAND_STATUS_SUCCESS, "");
}

#define RD_SET(name, member, is_wrong)                                                             \
    RD_HOOK curandStatus_t name(curandGenerator_t generator, unsigned long long value)             \
    {                                                                                              \
        RD_BEGIN_CURAND(name, generator);                                                          \
        if (is_wrong)                                                                              \
            return end(&call, CURAND_STATUS_TYPE_ERROR, "");                                       \
        generator->member = value;                                                                 \
        begin_anew(generator);                                                                     \
        return end(&call, CURAND_STATUS_SUCCESS, "");                                              \
    }
RD_SET(curandSetPseudoRandomGeneratorSeed, seed, is_quasi(generator))
RD_SET(curandSetGeneratorOffset, offset, false)

RD_HOOK curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator,
                                                  curandOrdering_t order)
{
    RD_BEGIN_CURAND(curandSetGeneratorOrdering, generator);
    if (is_quasi(generator))
        return end(&call,
                   order == CURAND_ORDERING_QUASI_DEFAULT ? CURAND_STATUS_SUCCESS
                                                          : CURAND_STATUS_OUT_OF_RANGE,
                   "");
    if (order == CURAND_ORDERING_PSEUDO_SEEDED || order == CURAND_ORDERING_PSEUDO_DYNAMIC)
        rd_sim_unsimulated("this order of cuRAND's numbers", "", 0, (void *)call.place.pc);
    return end(&call,
               order == CURAND_ORDERING_QUASI_DEFAULT ? CURAND_STATUS_OUT_OF_RANGE
                                                      : CURAND_STATUS_SUCCESS,
               "");
}

RD_HOOK curandStatus_t curandGenerateSeeds(curandGenerator_t generator)
{
    RD_BEGIN_CURAND(curandGenerateSeeds, generator);
    return end(&call, CURAND_STATUS_SUCCESS, "");
}

/* Tells why numbers of that shape are not made; NULL: they may be. */
static const char *refuse_quasi(const struct rd_sim_host_call *call, const struct work *work,
                                curandStatus_t *status)
{
    const struct curandGenerator_st *generator = work->generator;
    const char *lacks =
        generator->type != CURAND_RNG_QUASI_SOBOL32 && generator->type != CURAND_RNG_QUASI_SOBOL64
            ? "scrambled quasi-random numbers"
        : generator->dimensions > RD_SOBOL_DIMENSIONS
            ? "quasi-random numbers of more than 21 dimensions"
        : work->shape > UNIFORM_DOUBLE ? "quasi-random numbers of this distribution"
                                       : NULL;
    if (lacks)
        rd_sim_unsimulated(lacks, "", 0, (void *)call->place.pc);
    *status = CURAND_STATUS_TYPE_ERROR;
    if (work->shape == (is_of_64_bits(generator) ? BITS : LONG_BITS))
        return "the generator's numbers have another length";
    *status = CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    return work->n % generator->dimensions ? "n is no multiple of the dimensions" : NULL;
}

static curandStatus_t generate(const struct rd_sim_host_call *call, const struct work *work)
{
    const struct curandGenerator_st *generator = work->generator;
    const bool is_long =
        work->shape == UNIFORM_DOUBLE || work->shape == NORMAL_DOUBLE || work->shape == LONG_BITS;
    const size_t bytes = is_long ? sizeof(double) : 4;
    curandStatus_t refused;
    const char *why = is_quasi(generator) ? refuse_quasi(call, work, &refused) : NULL;
    if (why)
        return end(call, refused, why);
    if (!is_quasi(generator) && work->shape == LONG_BITS)
        return end(call, CURAND_STATUS_TYPE_ERROR, "the generator's numbers have another length");
    const struct rd_sim_operand output = {
        "the numbers",
        work->output,
        bytes * work->n,
        bytes * work->n,
        1,
        generator->is_of_host ? RD_SIM_IS_WRITTEN | RD_SIM_IS_OF_HOST : RD_SIM_IS_WRITTEN};
    const struct rd_sim_library_call library = {
        .call = call,
        .stream = generator->stream,
        .operands = &output,
        .n_operands = 1,
        .waits = generator->is_of_host,
        .work = run,
        .closure = work,
        .closure_bytes = sizeof *work,
    };
    if (work->n % 2 && generator->type != CURAND_RNG_PSEUDO_PHILOX4_32_10 &&
        (work->shape == NORMAL || work->shape == NORMAL_DOUBLE))
        return end(call, CURAND_STATUS_LENGTH_NOT_MULTIPLE,
                   "normal numbers are made in pairs, and n is odd");
    if (work->shape == POISSON && !(work->mean > 0))
        return end(call, CURAND_STATUS_OUT_OF_RANGE, "the mean is not positive");
    return end(call, work->n ? status_of(rd_sim_library_do(&library)) : CURAND_STATUS_SUCCESS, "");
}

#define RD_GENERATE(name, parameters, shape, ...)                                                  \
    RD_HOOK curandStatus_t name parameters                                                         \
    {                                                                                              \
        RD_BEGIN_CURAND(name, generator);                                                          \
        const struct work work = {generator, output, n, shape, __VA_ARGS__};                       \
        return generate(&call, &work);                                                             \
    }
RD_GENERATE(curandGenerate, (curandGenerator_t generator, unsigned *output, size_t n), BITS, false,
            0, 0)
RD_GENERATE(curandGenerateLongLong,
            (curandGenerator_t generator, unsigned long long *output, size_t n), LONG_BITS, false,
            0, 0)
RD_GENERATE(curandGenerateUniform, (curandGenerator_t generator, float *output, size_t n), UNIFORM,
            false, 0, 0)
RD_GENERATE(curandGenerateUniformDouble, (curandGenerator_t generator, double *output, size_t n),
            UNIFORM_DOUBLE, false, 0, 0)
RD_GENERATE(curandGenerateNormal,
            (curandGenerator_t generator, float *output, size_t n, float mean, float deviation),
            NORMAL, false, (double)mean, (double)deviation)
RD_GENERATE(curandGenerateNormalDouble,
            (curandGenerator_t generator, double *output, size_t n, double mean, double deviation),
            NORMAL_DOUBLE, false, mean, deviation)
RD_GENERATE(curandGenerateLogNormal,
            (curandGenerator_t generator, float *output, size_t n, float mean, float deviation),
            NORMAL, true, (double)mean, (double)deviation)
RD_GENERATE(curandGenerateLogNormalDouble,
            (curandGenerator_t generator, double *output, size_t n, double mean, double deviation),
            NORMAL_DOUBLE, true, mean, deviation)
RD_GENERATE(curandGeneratePoisson,
            (curandGenerator_t generator, unsigned *output, size_t n, double mean), POISSON, false,
            mean, 0)
