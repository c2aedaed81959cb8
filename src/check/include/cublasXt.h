// SPDX-License-Identifier: MIT
// cuBLASXt, whose matrices may be the host's: products of float and double, by cuBLAS on the first device that is selected.
#ifndef RD_CUBLAS_XT_H
#define RD_CUBLAS_XT_H

#include <cublas_v2.h> // by the path: what includes the next one must not be found beside this

#if __has_include_next(<cublasXt.h>)
#include_next <cublasXt.h>
#else
typedef struct cublasXtContext *cublasXtHandle_t;
typedef enum { CUBLASXT_PINNING_DISABLED, CUBLASXT_PINNING_ENABLED } cublasXtPinnedMemMode_t;
#endif

struct cublasXtContext {
    cublasHandle_t blas;
    int dim;
    cublasXtPinnedMemMode_t pinning;
};

extern "C" {
inline cublasStatus_t cublasXtCreate(cublasXtHandle_t *handle)
{
    cublasXtContext made = {nullptr, 2048, CUBLASXT_PINNING_DISABLED};
    const cublasStatus_t status = cublasCreate(&made.blas);
    if (status == CUBLAS_STATUS_SUCCESS)
        *handle = new cublasXtContext(made);
    return status;
}
inline cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    const cublasStatus_t status = cublasDestroy(handle->blas);
    delete handle;
    return status;
}
inline cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int n, int devices[])
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    return n > 0 && cudaSetDevice(devices[0]) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                             : CUBLAS_STATUS_INVALID_VALUE;
}
inline cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int dim)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (dim <= 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    handle->dim = dim;
    return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int *dim)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    *dim = handle->dim;
    return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t handle,
                                                cublasXtPinnedMemMode_t mode)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    handle->pinning = mode;
    return CUBLAS_STATUS_SUCCESS;
}
} // extern "C"

// A matrix of the device's, of one that may be the host's.
template <class T> struct rd_xt_matrix {
    T *at = nullptr;
    size_t rows, columns;
    cudaError_t error = cudaSuccess;
    rd_xt_matrix(const T *from, size_t ld, size_t rows_, size_t columns_)
        : rows(rows_), columns(columns_)
    {
        if (rows * columns == 0)
            return;
        error = cudaMalloc(&at, rows * columns * sizeof(T));
        if (error == cudaSuccess)
            error = cudaMemcpy2D(at, rows * sizeof(T), from, ld * sizeof(T), rows * sizeof(T),
                                 columns, cudaMemcpyDefault);
    }
    ~rd_xt_matrix()
    {
        (void)cudaFree(at);
    }
};
template <class T, class F>
inline cublasStatus_t rd_xt_product(F product, cublasXtHandle_t handle, cublasOperation_t opa,
                                    cublasOperation_t opb, size_t m, size_t n, size_t k,
                                    const T *alpha, const T *A, size_t lda, const T *B, size_t ldb,
                                    const T *beta, T *C, size_t ldc)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    const bool plain_a = opa == CUBLAS_OP_N, plain_b = opb == CUBLAS_OP_N;
    if (lda < (plain_a ? m : k) || ldb < (plain_b ? k : n) || ldc < m)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || n == 0)
        return CUBLAS_STATUS_SUCCESS;
    rd_xt_matrix<T> a(A, lda, plain_a ? m : k, plain_a ? k : m),
        b(B, ldb, plain_b ? k : n, plain_b ? n : k), c(C, ldc, m, n);
    if (a.error != cudaSuccess || b.error != cudaSuccess || c.error != cudaSuccess)
        return CUBLAS_STATUS_ALLOC_FAILED;
    const cublasStatus_t status =
        product(handle->blas, opa, opb, (int)m, (int)n, (int)k, alpha, a.at,
                (int)(a.rows ? a.rows : 1), b.at, (int)(b.rows ? b.rows : 1), beta, c.at, (int)m);
    if (status == CUBLAS_STATUS_SUCCESS &&
        cudaMemcpy2D(C, ldc * sizeof(T), c.at, m * sizeof(T), m * sizeof(T), n,
                     cudaMemcpyDefault) != cudaSuccess)
        return CUBLAS_STATUS_EXECUTION_FAILED;
    return status;
}
#define RD_XT_PRODUCT(name, T, whole)                                                              \
    extern "C" inline cublasStatus_t name(cublasXtHandle_t handle, cublasOperation_t opa,          \
                                          cublasOperation_t opb, size_t m, size_t n, size_t k,     \
                                          const T *alpha, const T *A, size_t lda, const T *B,      \
                                          size_t ldb, const T *beta, T *C, size_t ldc)             \
    {                                                                                              \
        return rd_xt_product([](auto... arguments) { return whole(arguments...); }, handle, opa,   \
                             opb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);                   \
    }
RD_XT_PRODUCT(cublasXtSgemm, float, cublasSgemm)
RD_XT_PRODUCT(cublasXtDgemm, double, cublasDgemm)
#undef RD_XT_PRODUCT

#endif
