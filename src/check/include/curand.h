// SPDX-License-Identifier: MIT
// The host's side of cuRAND, which is compiled but never runs.
#ifndef RD_CURAND_H
#define RD_CURAND_H

#include "reductio_cuda.hpp"

enum curandStatus_t {
    CURAND_STATUS_SUCCESS,
    CURAND_STATUS_VERSION_MISMATCH = 100,
    CURAND_STATUS_NOT_INITIALIZED,
    CURAND_STATUS_ALLOCATION_FAILED,
    CURAND_STATUS_TYPE_ERROR,
    CURAND_STATUS_OUT_OF_RANGE,
    CURAND_STATUS_LENGTH_NOT_MULTIPLE,
    CURAND_STATUS_DOUBLE_PRECISION_REQUIRED,
    CURAND_STATUS_LAUNCH_FAILURE = 201,
    CURAND_STATUS_PREEXISTING_FAILURE,
    CURAND_STATUS_INITIALIZATION_FAILED,
    CURAND_STATUS_ARCH_MISMATCH,
    CURAND_STATUS_INTERNAL_ERROR = 999
};
typedef curandStatus_t curandStatus;
enum curandRngType_t {
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141,
    CURAND_RNG_PSEUDO_MT19937,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
    CURAND_RNG_QUASI_DEFAULT = 200
};
typedef curandRngType_t curandRngType;
typedef struct rd_curand_generator *curandGenerator_t;

#define RD_CURAND(name)                                                                            \
    template <class... A> curandStatus_t name(A &&...)                                             \
    {                                                                                              \
        return CURAND_STATUS_SUCCESS;                                                              \
    }
RD_CURAND(curandCreateGenerator)
RD_CURAND(curandCreateGeneratorHost)
RD_CURAND(curandDestroyGenerator)
RD_CURAND(curandSetPseudoRandomGeneratorSeed)
RD_CURAND(curandSetGeneratorOffset)
RD_CURAND(curandSetStream)
RD_CURAND(curandGenerate)
RD_CURAND(curandGenerateLongLong)
RD_CURAND(curandGenerateUniform)
RD_CURAND(curandGenerateUniformDouble)
RD_CURAND(curandGenerateNormal)
RD_CURAND(curandGenerateNormalDouble)
RD_CURAND(curandGenerateLogNormal)
RD_CURAND(curandGeneratePoisson)

#endif
