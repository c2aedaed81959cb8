// SPDX-License-Identifier: MIT
/* cuBLAS as the host code of a user's program calls it: types and functions of the simulator, by their own names. Compiled as C
 * here, as C++ in users' files where no toolkit is. cuBLAS Library, API Reference. */
#ifndef RD_SIM_LIBRARIES_CUBLAS_H
#define RD_SIM_LIBRARIES_CUBLAS_H

#ifndef __CUDACC__ /* not a user's file */
#include "device/sim/runtime/api.h"
#endif

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RD_CUBLAS_STATUSES(X)                                                                      \
    X(CUBLAS_STATUS_SUCCESS, 0, "success")                                                         \
    X(CUBLAS_STATUS_NOT_INITIALIZED, 1, "the library was not initialized")                         \
    X(CUBLAS_STATUS_ALLOC_FAILED, 3, "the resource allocation failed")                             \
    X(CUBLAS_STATUS_INVALID_VALUE, 7, "an invalid numerical value was used as an argument")        \
    X(CUBLAS_STATUS_ARCH_MISMATCH, 8, "an absent device architectural feature is required")        \
    X(CUBLAS_STATUS_MAPPING_ERROR, 11, "an access to GPU memory space failed")                     \
    X(CUBLAS_STATUS_EXECUTION_FAILED, 13, "the GPU program failed to execute")                     \
    X(CUBLAS_STATUS_INTERNAL_ERROR, 14, "an internal operation failed")                            \
    X(CUBLAS_STATUS_NOT_SUPPORTED, 15, "the functionality is not supported")                       \
    X(CUBLAS_STATUS_LICENSE_ERROR, 16, "an error was detected when checking the current licensing")
#define RD_CUBLAS_MEMBER(name, number, text) name = number,
typedef enum { RD_CUBLAS_STATUSES(RD_CUBLAS_MEMBER) } cublasStatus_t;
typedef cublasStatus_t cublasStatus;

typedef enum {
    CUBLAS_FILL_MODE_LOWER,
    CUBLAS_FILL_MODE_UPPER,
    CUBLAS_FILL_MODE_FULL
} cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT } cublasSideMode_t;
typedef enum { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C, CUBLAS_OP_CONJG } cublasOperation_t;
#define CUBLAS_OP_HERMITAN CUBLAS_OP_C
typedef enum { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED, CUBLAS_ATOMICS_ALLOWED } cublasAtomicsMode_t;
typedef enum {
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_ALGO0,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99
} cublasGemmAlgo_t;
#define CUBLAS_GEMM_DFALT           CUBLAS_GEMM_DEFAULT
#define CUBLAS_GEMM_DFALT_TENSOR_OP CUBLAS_GEMM_DEFAULT_TENSOR_OP
typedef enum {
    CUBLAS_DEFAULT_MATH,
    CUBLAS_TENSOR_OP_MATH,
    CUBLAS_PEDANTIC_MATH,
    CUBLAS_TF32_TENSOR_OP_MATH,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC,
    CUBLAS_COMPUTE_64F,
    CUBLAS_COMPUTE_64F_PEDANTIC,
    CUBLAS_COMPUTE_32I,
    CUBLAS_COMPUTE_32I_PEDANTIC,
    CUBLAS_COMPUTE_32F_FAST_16F,
    CUBLAS_COMPUTE_32F_FAST_16BF,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef enum cudaDataType_t {
    CUDA_R_32F,
    CUDA_R_64F,
    CUDA_R_16F,
    CUDA_R_8I,
    CUDA_C_32F,
    CUDA_C_64F,
    CUDA_C_16F,
    CUDA_R_8U = 8,
    CUDA_R_32I = 10,
    CUDA_R_16BF = 14
} cudaDataType,
    cudaDataType_t;
typedef cudaDataType cublasDataType_t;

typedef struct cublasContext *cublasHandle_t;

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version);
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *memory, size_t size_bytes);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);

cublasStatus_t cublasSetVector(int n, int elem_bytes, const void *x, int incx, void *y, int incy);
cublasStatus_t cublasGetVector(int n, int elem_bytes, const void *x, int incx, void *y, int incy);
cublasStatus_t cublasSetMatrix(int rows, int cols, int elem_bytes, const void *A, int lda, void *B,
                               int ldb);
cublasStatus_t cublasGetMatrix(int rows, int cols, int elem_bytes, const void *A, int lda, void *B,
                               int ldb);
cublasStatus_t cublasSetVectorAsync(int n, int elem_bytes, const void *x, int incx, void *y,
                                    int incy, cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int elem_bytes, const void *x, int incx, void *y,
                                    int incy, cudaStream_t stream);
cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int elem_bytes, const void *A, int lda,
                                    void *B, int ldb, cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int elem_bytes, const void *A, int lda,
                                    void *B, int ldb, cudaStream_t stream);

/* Of the beginning of their names, and a type. */
#define RD_CUBLAS_VECTORS(first, T)                                                                \
    cublasStatus_t first##amax_v2(cublasHandle_t handle, int n, const T *x, int incx,              \
                                  int *result);                                                    \
    cublasStatus_t first##amin_v2(cublasHandle_t handle, int n, const T *x, int incx, int *result);
#define RD_CUBLAS_FUNCTIONS(first, T)                                                              \
    cublasStatus_t first##asum_v2(cublasHandle_t handle, int n, const T *x, int incx, T *result);  \
    cublasStatus_t first##nrm2_v2(cublasHandle_t handle, int n, const T *x, int incx, T *result);  \
    cublasStatus_t first##dot_v2(cublasHandle_t handle, int n, const T *x, int incx, const T *y,   \
                                 int incy, T *result);                                             \
    cublasStatus_t first##axpy_v2(cublasHandle_t handle, int n, const T *alpha, const T *x,        \
                                  int incx, T *y, int incy);                                       \
    cublasStatus_t first##copy_v2(cublasHandle_t handle, int n, const T *x, int incx, T *y,        \
                                  int incy);                                                       \
    cublasStatus_t first##swap_v2(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy);   \
    cublasStatus_t first##scal_v2(cublasHandle_t handle, int n, const T *alpha, T *x, int incx);   \
    cublasStatus_t first##gemv_v2(cublasHandle_t handle, cublasOperation_t op, int m, int n,       \
                                  const T *alpha, const T *A, int lda, const T *x, int incx,       \
                                  const T *beta, T *y, int incy);                                  \
    cublasStatus_t first##ger_v2(cublasHandle_t handle, int m, int n, const T *alpha, const T *x,  \
                                 int incx, const T *y, int incy, T *A, int lda);                   \
    cublasStatus_t first##geam(cublasHandle_t handle, cublasOperation_t opa,                       \
                               cublasOperation_t opb, int m, int n, const T *alpha, const T *A,    \
                               int lda, const T *beta, const T *B, int ldb, T *C, int ldc);
#define RD_CUBLAS_PRODUCTS(first, T, whole)                                                        \
    cublasStatus_t whole(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb,      \
                         int m, int n, int k, const T *alpha, const T *A, int lda, const T *B,     \
                         int ldb, const T *beta, T *C, int ldc);                                   \
    cublasStatus_t first##gemmStridedBatched(                                                      \
        cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,  \
        const T *alpha, const T *A, int lda, long long int stride_a, const T *B, int ldb,          \
        long long int stride_b, const T *beta, T *C, int ldc, long long int stride_c, int count);  \
    cublasStatus_t first##gemmBatched(cublasHandle_t handle, cublasOperation_t opa,                \
                                      cublasOperation_t opb, int m, int n, int k, const T *alpha,  \
                                      const T *const A[], int lda, const T *const B[], int ldb,    \
                                      const T *beta, T *const C[], int ldc, int count);
#define RD_CUBLAS_FACTORS(first, T)                                                                \
    cublasStatus_t first##getrfBatched(cublasHandle_t handle, int n, T *const A[], int lda,        \
                                       int *pivots, int *infos, int count);                        \
    cublasStatus_t first##getriBatched(cublasHandle_t handle, int n, const T *const A[], int lda,  \
                                       const int *pivots, T *const C[], int ldc, int *infos,       \
                                       int count);                                                 \
    cublasStatus_t first##getrsBatched(                                                            \
        cublasHandle_t handle, cublasOperation_t op, int n, int n_right, const T *const A[],       \
        int lda, const int *pivots, T *const B[], int ldb, int *info, int count);                  \
    cublasStatus_t first##matinvBatched(cublasHandle_t handle, int n, const T *const A[], int lda, \
                                        T *const C[], int ldc, int *infos, int count);
RD_CUBLAS_FACTORS(cublasS, float)
RD_CUBLAS_FACTORS(cublasD, double)
RD_CUBLAS_VECTORS(cublasIs, float)
RD_CUBLAS_VECTORS(cublasId, double)
RD_CUBLAS_FUNCTIONS(cublasS, float)
RD_CUBLAS_FUNCTIONS(cublasD, double)
RD_CUBLAS_PRODUCTS(cublasS, float, cublasSgemm_v2)
RD_CUBLAS_PRODUCTS(cublasD, double, cublasDgemm_v2)
#ifdef __CUDACC__
RD_CUBLAS_PRODUCTS(cublasH, __half, cublasHgemm)
#else
RD_CUBLAS_PRODUCTS(cublasH, uint16_t, cublasHgemm)
#endif

/* C++ has other declarations of it, of int as the type to compute by. */
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb,
                            int m, int n, int k, const void *alpha, const void *A,
                            cudaDataType type_a, int lda, const void *B, cudaDataType type_b,
                            int ldb, const void *beta, void *C, cudaDataType type_c, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t opa,
                                          cublasOperation_t opb, int m, int n, int k,
                                          const void *alpha, const void *A, cudaDataType type_a,
                                          int lda, long long int stride_a, const void *B,
                                          cudaDataType type_b, int ldb, long long int stride_b,
                                          const void *beta, void *C, cudaDataType type_c, int ldc,
                                          long long int stride_c, int count,
                                          cublasComputeType_t compute, cublasGemmAlgo_t algorithm);

#ifdef __cplusplus
}
#endif

#endif
