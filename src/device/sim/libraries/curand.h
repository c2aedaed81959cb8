// SPDX-License-Identifier: MIT
/* cuRAND as the host code of a user's program calls it, by its own names. Compiled as C here, as C++ in users' files where no
 * toolkit is. cuRAND Library, Host API. */
#ifndef RD_SIM_LIBRARIES_CURAND_H
#define RD_SIM_LIBRARIES_CURAND_H

#ifndef __CUDACC__ /* not a user's file */
#include "device/sim/runtime/api.h"
#endif

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RD_CURAND_STATUSES(X)                                                                      \
    X(CURAND_STATUS_SUCCESS, 0)                                                                    \
    X(CURAND_STATUS_VERSION_MISMATCH, 100)                                                         \
    X(CURAND_STATUS_NOT_INITIALIZED, 101)                                                          \
    X(CURAND_STATUS_ALLOCATION_FAILED, 102)                                                        \
    X(CURAND_STATUS_TYPE_ERROR, 103)                                                               \
    X(CURAND_STATUS_OUT_OF_RANGE, 104)                                                             \
    X(CURAND_STATUS_LENGTH_NOT_MULTIPLE, 105)                                                      \
    X(CURAND_STATUS_DOUBLE_PRECISION_REQUIRED, 106)                                                \
    X(CURAND_STATUS_LAUNCH_FAILURE, 201)                                                           \
    X(CURAND_STATUS_PREEXISTING_FAILURE, 202)                                                      \
    X(CURAND_STATUS_INITIALIZATION_FAILED, 203)                                                    \
    X(CURAND_STATUS_ARCH_MISMATCH, 204)                                                            \
    X(CURAND_STATUS_INTERNAL_ERROR, 999)
#define RD_CURAND_MEMBER(name, number) name = number,
typedef enum curandStatus { RD_CURAND_STATUSES(RD_CURAND_MEMBER) } curandStatus_t;

typedef enum curandRngType {
    CURAND_RNG_TEST,
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141,
    CURAND_RNG_PSEUDO_MT19937,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
    CURAND_RNG_QUASI_DEFAULT = 200,
    CURAND_RNG_QUASI_SOBOL32,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL32,
    CURAND_RNG_QUASI_SOBOL64,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL64
} curandRngType_t;
typedef enum curandOrdering {
    CURAND_ORDERING_PSEUDO_BEST = 100,
    CURAND_ORDERING_PSEUDO_DEFAULT,
    CURAND_ORDERING_PSEUDO_SEEDED,
    CURAND_ORDERING_PSEUDO_LEGACY,
    CURAND_ORDERING_PSEUDO_DYNAMIC,
    CURAND_ORDERING_QUASI_DEFAULT = 201
} curandOrdering_t;
typedef struct curandGenerator_st *curandGenerator_t;
typedef enum curandDirectionVectorSet {
    CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
    CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6,
    CURAND_DIRECTION_VECTORS_64_JOEKUO6,
    CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6
} curandDirectionVectorSet_t;
typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type);
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type);
curandStatus_t curandDestroyGenerator(curandGenerator_t generator);
curandStatus_t curandGetVersion(int *version);
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream);
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed);
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset);
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order);
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned n);
curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t **vectors,
                                           curandDirectionVectorSet_t set);
curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t **vectors,
                                           curandDirectionVectorSet_t set);
curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long *output,
                                      size_t n);
curandStatus_t curandGenerateSeeds(curandGenerator_t generator);
curandStatus_t curandGenerate(curandGenerator_t generator, unsigned *output, size_t n);
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *output, size_t n);
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *output, size_t n);
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *output, size_t n,
                                    float mean, float deviation);
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *output, size_t n,
                                          double mean, double deviation);
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *output, size_t n,
                                       float mean, float deviation);
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double *output, size_t n,
                                             double mean, double deviation);
curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned *output, size_t n,
                                     double mean);

#ifdef __cplusplus
}
#endif

#endif
