// SPDX-License-Identifier: MIT
/* cuSPARSE as the host code of a user's program calls it, by its own names. Compiled as C here, as C++ in users' files where no
 * toolkit is. cuSPARSE Library, API Reference. */
#ifndef RD_SIM_LIBRARIES_CUSPARSE_H
#define RD_SIM_LIBRARIES_CUSPARSE_H

#ifndef __CUDACC__ /* not a user's file, which has it */
#include "device/sim/libraries/cublas.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define RD_CUSPARSE_STATUSES(X)                                                                    \
    X(CUSPARSE_STATUS_SUCCESS, 0, "success")                                                       \
    X(CUSPARSE_STATUS_NOT_INITIALIZED, 1, "initialization error")                                  \
    X(CUSPARSE_STATUS_ALLOC_FAILED, 2, "out of memory")                                            \
    X(CUSPARSE_STATUS_INVALID_VALUE, 3, "invalid value")                                           \
    X(CUSPARSE_STATUS_ARCH_MISMATCH, 4, "architecture mismatch")                                   \
    X(CUSPARSE_STATUS_MAPPING_ERROR, 5, "texture mapping error")                                   \
    X(CUSPARSE_STATUS_EXECUTION_FAILED, 6, "kernel launch failure")                                \
    X(CUSPARSE_STATUS_INTERNAL_ERROR, 7, "internal error")                                         \
    X(CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED, 8, "matrix type not supported")                   \
    X(CUSPARSE_STATUS_ZERO_PIVOT, 9, "zero pivot")                                                 \
    X(CUSPARSE_STATUS_NOT_SUPPORTED, 10, "operation not supported")                                \
    X(CUSPARSE_STATUS_INSUFFICIENT_RESOURCES, 11, "insufficient resources")
#define RD_CUSPARSE_MEMBER(name, number, text) name = number,
typedef enum { RD_CUSPARSE_STATUSES(RD_CUSPARSE_MEMBER) } cusparseStatus_t;

typedef enum { CUSPARSE_POINTER_MODE_HOST, CUSPARSE_POINTER_MODE_DEVICE } cusparsePointerMode_t;
typedef enum {
    CUSPARSE_MATRIX_TYPE_GENERAL,
    CUSPARSE_MATRIX_TYPE_SYMMETRIC,
    CUSPARSE_MATRIX_TYPE_HERMITIAN,
    CUSPARSE_MATRIX_TYPE_TRIANGULAR
} cusparseMatrixType_t;
typedef enum { CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER } cusparseFillMode_t;
typedef enum { CUSPARSE_DIAG_TYPE_NON_UNIT, CUSPARSE_DIAG_TYPE_UNIT } cusparseDiagType_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE } cusparseIndexBase_t;
typedef enum {
    CUSPARSE_OPERATION_NON_TRANSPOSE,
    CUSPARSE_OPERATION_TRANSPOSE,
    CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE
} cusparseOperation_t;
typedef enum {
    CUSPARSE_SOLVE_POLICY_NO_LEVEL,
    CUSPARSE_SOLVE_POLICY_USE_LEVEL
} cusparseSolvePolicy_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW } cusparseOrder_t;
typedef enum { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_64I } cusparseIndexType_t;
typedef enum { CUSPARSE_SPMAT_FILL_MODE, CUSPARSE_SPMAT_DIAG_TYPE } cusparseSpMatAttribute_t;
typedef enum {
    CUSPARSE_SPMV_ALG_DEFAULT,
    CUSPARSE_SPMV_COO_ALG1,
    CUSPARSE_SPMV_CSR_ALG1,
    CUSPARSE_SPMV_CSR_ALG2,
    CUSPARSE_SPMV_COO_ALG2
} cusparseSpMVAlg_t;
#define CUSPARSE_MV_ALG_DEFAULT CUSPARSE_SPMV_ALG_DEFAULT
#define CUSPARSE_CSRMV_ALG1     CUSPARSE_SPMV_CSR_ALG1
#define CUSPARSE_CSRMV_ALG2     CUSPARSE_SPMV_CSR_ALG2
typedef enum {
    CUSPARSE_SPMM_ALG_DEFAULT,
    CUSPARSE_SPMM_COO_ALG1,
    CUSPARSE_SPMM_COO_ALG2,
    CUSPARSE_SPMM_COO_ALG3,
    CUSPARSE_SPMM_CSR_ALG1,
    CUSPARSE_SPMM_COO_ALG4,
    CUSPARSE_SPMM_CSR_ALG2,
    CUSPARSE_SPMM_CSR_ALG3 = 12
} cusparseSpMMAlg_t;
typedef enum { CUSPARSE_SPSV_ALG_DEFAULT } cusparseSpSVAlg_t;

typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseMatDescr *cusparseMatDescr_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef struct cusparseSpMatDescr const *cusparseConstSpMatDescr_t;
typedef struct cusparseDnVecDescr const *cusparseConstDnVecDescr_t;
typedef struct cusparseDnMatDescr const *cusparseConstDnMatDescr_t;
typedef struct cusparseSpSVDescr *cusparseSpSVDescr_t;
typedef struct csrilu02Info *csrilu02Info_t;

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle);
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle);
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version);
const char *cusparseGetErrorName(cusparseStatus_t status);
const char *cusparseGetErrorString(cusparseStatus_t status);
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream);
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream);
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode);
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode);

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *descr);
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descr);
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t descr, cusparseMatrixType_t type);
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t descr, cusparseFillMode_t fill);
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t descr, cusparseDiagType_t diag);
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t descr, cusparseIndexBase_t base);

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t cols,
                                   int64_t nnz, void *offsets, void *indices, void *values,
                                   cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t cols,
                                   int64_t nnz, void *row_indices, void *indices, void *values,
                                   cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                   cudaDataType type);
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix);
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t attribute, void *value,
                                           size_t size_bytes);
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void *values);
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t *rows,
                                      int64_t *cols, int64_t *nnz);
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *vector, int64_t n, void *values,
                                     cudaDataType type);
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector);
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void *values);
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *matrix, int64_t rows, int64_t cols,
                                     int64_t ld, void *values, cudaDataType type,
                                     cusparseOrder_t order);
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix);

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op,
                                         const void *alpha, cusparseConstSpMatDescr_t A,
                                         cusparseConstDnVecDescr_t x, const void *beta,
                                         cusparseDnVecDescr_t y, cudaDataType compute,
                                         cusparseSpMVAlg_t algorithm, size_t *bytes);
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t op,
                                         const void *alpha, cusparseConstSpMatDescr_t A,
                                         cusparseConstDnVecDescr_t x, const void *beta,
                                         cusparseDnVecDescr_t y, cudaDataType compute,
                                         cusparseSpMVAlg_t algorithm, void *buffer);
cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                              cusparseConstSpMatDescr_t A, cusparseConstDnVecDescr_t x,
                              const void *beta, cusparseDnVecDescr_t y, cudaDataType compute,
                              cusparseSpMVAlg_t algorithm, void *buffer);
cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opa,
                                         cusparseOperation_t opb, const void *alpha,
                                         cusparseConstSpMatDescr_t A, cusparseConstDnMatDescr_t B,
                                         const void *beta, cusparseDnMatDescr_t C,
                                         cudaDataType compute, cusparseSpMMAlg_t algorithm,
                                         size_t *bytes);
cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t opa,
                              cusparseOperation_t opb, const void *alpha,
                              cusparseConstSpMatDescr_t A, cusparseConstDnMatDescr_t B,
                              const void *beta, cusparseDnMatDescr_t C, cudaDataType compute,
                              cusparseSpMMAlg_t algorithm, void *buffer);

cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *descr);
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descr);
cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op,
                                         const void *alpha, cusparseConstSpMatDescr_t A,
                                         cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                         cudaDataType compute, cusparseSpSVAlg_t algorithm,
                                         cusparseSpSVDescr_t descr, size_t *bytes);
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t op,
                                       const void *alpha, cusparseConstSpMatDescr_t A,
                                       cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                       cudaDataType compute, cusparseSpSVAlg_t algorithm,
                                       cusparseSpSVDescr_t descr, void *buffer);
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op,
                                    const void *alpha, cusparseConstSpMatDescr_t A,
                                    cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                    cudaDataType compute, cusparseSpSVAlg_t algorithm,
                                    cusparseSpSVDescr_t descr);

cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t *info);
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info);
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info,
                                             int *position);
#define RD_CUSPARSE_ILU(first, T)                                                                  \
    cusparseStatus_t first##csrilu02_bufferSize(                                                   \
        cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr, T *values,        \
        const int *offsets, const int *indices, csrilu02Info_t info, int *bytes);                  \
    cusparseStatus_t first##csrilu02_analysis(                                                     \
        cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr, const T *values,  \
        const int *offsets, const int *indices, csrilu02Info_t info, cusparseSolvePolicy_t policy, \
        void *buffer);                                                                             \
    cusparseStatus_t first##csrilu02(cusparseHandle_t handle, int m, int nnz,                      \
                                     const cusparseMatDescr_t descr, T *values,                    \
                                     const int *offsets, const int *indices, csrilu02Info_t info,  \
                                     cusparseSolvePolicy_t policy, void *buffer);
RD_CUSPARSE_ILU(cusparseS, float)
RD_CUSPARSE_ILU(cusparseD, double)

#ifdef __cplusplus
}
#endif

#endif
