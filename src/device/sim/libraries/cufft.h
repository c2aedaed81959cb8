// SPDX-License-Identifier: MIT
/* cuFFT as the host code of a user's program calls it, by its own names. Compiled as C here, as C++ in users' files where no
 * toolkit is. cuFFT API Reference. */
#ifndef RD_SIM_LIBRARIES_CUFFT_H
#define RD_SIM_LIBRARIES_CUFFT_H

#ifndef __CUDACC__ /* not a user's file */
#include "device/sim/runtime/api.h"
typedef struct {
    float x, y;
} cuComplex;
typedef struct {
    double x, y;
} cuDoubleComplex;
#endif

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RD_CUFFT_RESULTS(X)                                                                        \
    X(CUFFT_SUCCESS, 0)                                                                            \
    X(CUFFT_INVALID_PLAN, 1)                                                                       \
    X(CUFFT_ALLOC_FAILED, 2)                                                                       \
    X(CUFFT_INVALID_TYPE, 3)                                                                       \
    X(CUFFT_INVALID_VALUE, 4)                                                                      \
    X(CUFFT_INTERNAL_ERROR, 5)                                                                     \
    X(CUFFT_EXEC_FAILED, 6)                                                                        \
    X(CUFFT_SETUP_FAILED, 7)                                                                       \
    X(CUFFT_INVALID_SIZE, 8)                                                                       \
    X(CUFFT_UNALIGNED_DATA, 9)                                                                     \
    X(CUFFT_INCOMPLETE_PARAMETER_LIST, 10)                                                         \
    X(CUFFT_INVALID_DEVICE, 11)                                                                    \
    X(CUFFT_PARSE_ERROR, 12)                                                                       \
    X(CUFFT_NO_WORKSPACE, 13)                                                                      \
    X(CUFFT_NOT_IMPLEMENTED, 14)                                                                   \
    X(CUFFT_LICENSE_ERROR, 15)                                                                     \
    X(CUFFT_NOT_SUPPORTED, 16)
#define RD_CUFFT_MEMBER(name, number) name = number,
typedef enum cufftResult_t { RD_CUFFT_RESULTS(RD_CUFFT_MEMBER) } cufftResult;

typedef enum cufftType_t {
    CUFFT_C2C = 0x29,
    CUFFT_R2C = 0x2a,
    CUFFT_C2R = 0x2c,
    CUFFT_Z2Z = 0x69,
    CUFFT_D2Z = 0x6a,
    CUFFT_Z2D = 0x6c
} cufftType;
#define CUFFT_FORWARD (-1)
#define CUFFT_INVERSE 1

typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;

cufftResult cufftPlan1d(cufftHandle *plan, int nx, cufftType type, int batch);
cufftResult cufftPlan2d(cufftHandle *plan, int nx, int ny, cufftType type);
cufftResult cufftPlan3d(cufftHandle *plan, int nx, int ny, int nz, cufftType type);
cufftResult cufftPlanMany(cufftHandle *plan, int rank, int *n, int *inembed, int istride, int idist,
                          int *onembed, int ostride, int odist, cufftType type, int batch);
cufftResult cufftCreate(cufftHandle *plan);
cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t *bytes);
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t *bytes);
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type,
                            size_t *bytes);
cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int *n, int *inembed, int istride,
                              int idist, int *onembed, int ostride, int odist, cufftType type,
                              int batch, size_t *bytes);
cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long int *n,
                                long long int *inembed, long long int istride, long long int idist,
                                long long int *onembed, long long int ostride, long long int odist,
                                cufftType type, long long int batch, size_t *bytes);
cufftResult cufftEstimate1d(int nx, cufftType type, int batch, size_t *bytes);
cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t *bytes);
cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t *bytes);
cufftResult cufftGetSize(cufftHandle plan, size_t *bytes);
cufftResult cufftGetSize1d(cufftHandle plan, int nx, cufftType type, int batch, size_t *bytes);
cufftResult cufftGetSize2d(cufftHandle plan, int nx, int ny, cufftType type, size_t *bytes);
cufftResult cufftGetSize3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t *bytes);
cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream);
cufftResult cufftSetWorkArea(cufftHandle plan, void *memory);
cufftResult cufftSetAutoAllocation(cufftHandle plan, int allocates);
cufftResult cufftDestroy(cufftHandle plan);
cufftResult cufftGetVersion(int *version);

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *in, cufftComplex *out, int direction);
cufftResult cufftExecR2C(cufftHandle plan, cufftReal *in, cufftComplex *out);
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *in, cufftReal *out);
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleComplex *out,
                         int direction);
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *in, cufftDoubleComplex *out);
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleReal *out);

#ifdef __cplusplus
}
#endif

#endif
