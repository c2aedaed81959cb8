// SPDX-License-Identifier: MIT
/* cuSPARSE: handles, and what describes matrices and vectors. */
#include "device/sim/api/hooks.h"
#include "device/sim/libraries/cusparse_calls.h"
#include "device/sim/runtime/streams.h"

#include <stdlib.h>
#include <string.h>

static const char *name_of(cusparseStatus_t status)
{
#define RD_NAME(name, number, text)                                                                \
    if (status == (name))                                                                          \
        return #name;
    RD_CUSPARSE_STATUSES(RD_NAME)
#undef RD_NAME
    return "CUSPARSE_STATUS_UNKNOWN";
}

RD_HOOK const char *cusparseGetErrorName(cusparseStatus_t status)
{
    return name_of(status);
}

RD_HOOK const char *cusparseGetErrorString(cusparseStatus_t status)
{
#define RD_TEXT(name, number, text)                                                                \
    if (status == (name))                                                                          \
        return text;
    RD_CUSPARSE_STATUSES(RD_TEXT)
#undef RD_TEXT
    return "unknown error";
}

cusparseStatus_t rd_cusparse_end(const struct rd_sim_host_call *call, cusparseStatus_t status,
                                 const char *why)
{
    rd_sim_library_ends(call, status == CUSPARSE_STATUS_SUCCESS ? NULL : name_of(status), why);
    return status;
}

bool rd_cusparse_begin(const struct rd_sim_host_call *call, const void *descriptor,
                       enum rd_sparse_mark mark, cusparseStatus_t *status)
{
    cudaError_t error;
    if (!rd_sim_call_begins(call, &error)) {
        *status = error == cudaSuccess ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
        return false;
    }
    if (mark == RD_SPARSE_GONE || (descriptor && *(const enum rd_sparse_mark *)descriptor == mark))
        return true;
    *status = rd_cusparse_end(
        call,
        mark == RD_SPARSE_HANDLE ? CUSPARSE_STATUS_NOT_INITIALIZED : CUSPARSE_STATUS_INVALID_VALUE,
        mark == RD_SPARSE_HANDLE ? "the handle is none" : "what is given is none of its kind");
    return false;
}

/* ---- making and destroying ---- */

/* The memory of what is destroyed stays, lest another call take it for one. */
#define RD_PAIR(Create, Destroy, Pointer, Taken, of_mark)                                          \
    RD_HOOK cusparseStatus_t Create(Pointer *made)                                                 \
    {                                                                                              \
        RD_BEGIN_CUSPARSE(Create, NULL, RD_SPARSE_GONE);                                           \
        Pointer fresh = made ? calloc(1, sizeof *fresh) : NULL;                                    \
        if (!fresh)                                                                                \
            return rd_cusparse_end(                                                                \
                &call, made ? CUSPARSE_STATUS_ALLOC_FAILED : CUSPARSE_STATUS_INVALID_VALUE, "");   \
        fresh->mark = of_mark;                                                                     \
        *made = fresh;                                                                             \
        return rd_cusparse_end(&call, CUSPARSE_STATUS_SUCCESS, "");                                \
    }                                                                                              \
    RD_DESTROY(Destroy, Taken, of_mark)
#define RD_DESTROY(Destroy, Taken, of_mark)                                                        \
    RD_HOOK cusparseStatus_t Destroy(Taken descriptor)                                             \
    {                                                                                              \
        if (!descriptor && of_mark != RD_SPARSE_HANDLE)                                            \
            return CUSPARSE_STATUS_SUCCESS;                                                        \
        RD_BEGIN_CUSPARSE(Destroy, descriptor, of_mark);                                           \
        if (of_mark == RD_SPARSE_HANDLE)                                                           \
            rd_sim_stream_await(NULL);                                                             \
        *(enum rd_sparse_mark *)(uintptr_t)descriptor = RD_SPARSE_GONE;                            \
        return rd_cusparse_end(&call, CUSPARSE_STATUS_SUCCESS, "");                                \
    }
RD_PAIR(cusparseCreate, cusparseDestroy, cusparseHandle_t, cusparseHandle_t, RD_SPARSE_HANDLE)
RD_PAIR(cusparseCreateMatDescr, cusparseDestroyMatDescr, cusparseMatDescr_t, cusparseMatDescr_t,
        RD_SPARSE_DESCR)
RD_PAIR(cusparseSpSV_createDescr, cusparseSpSV_destroyDescr, cusparseSpSVDescr_t,
        cusparseSpSVDescr_t, RD_SPARSE_SOLVER)
RD_PAIR(cusparseCreateCsrilu02Info, cusparseDestroyCsrilu02Info, csrilu02Info_t, csrilu02Info_t,
        RD_SPARSE_ILU)
RD_DESTROY(cusparseDestroySpMat, cusparseConstSpMatDescr_t, RD_SPARSE_MATRIX)
RD_DESTROY(cusparseDestroyDnVec, cusparseConstDnVecDescr_t, RD_SPARSE_VECTOR)
RD_DESTROY(cusparseDestroyDnMat, cusparseConstDnMatDescr_t, RD_SPARSE_DENSE)

RD_HOOK cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version)
{
    (void)handle;
    if (!version)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *version = 12000;
    return CUSPARSE_STATUS_SUCCESS;
}

/* ---- what they are set to ---- */

#define RD_SET(name, Descriptor, T, member, of_mark)                                               \
    RD_HOOK cusparseStatus_t name(Descriptor descriptor, T value)                                  \
    {                                                                                              \
        RD_BEGIN_CUSPARSE(name, descriptor, of_mark);                                              \
        descriptor->member = value;                                                                \
        return rd_cusparse_end(&call, CUSPARSE_STATUS_SUCCESS, "");                                \
    }
#define RD_GET(name, Descriptor, T, member, of_mark)                                               \
    RD_HOOK cusparseStatus_t name(Descriptor descriptor, T *value)                                 \
    {                                                                                              \
        RD_BEGIN_CUSPARSE(name, descriptor, of_mark);                                              \
        if (value)                                                                                 \
            *value = descriptor->member;                                                           \
        return rd_cusparse_end(                                                                    \
            &call, value ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_INVALID_VALUE, "");           \
    }
RD_SET(cusparseSetStream, cusparseHandle_t, cudaStream_t, stream, RD_SPARSE_HANDLE)
RD_GET(cusparseGetStream, cusparseHandle_t, cudaStream_t, stream, RD_SPARSE_HANDLE)
RD_SET(cusparseSetPointerMode, cusparseHandle_t, cusparsePointerMode_t, pointer_mode,
       RD_SPARSE_HANDLE)
RD_GET(cusparseGetPointerMode, cusparseHandle_t, cusparsePointerMode_t, pointer_mode,
       RD_SPARSE_HANDLE)
RD_SET(cusparseSetMatType, cusparseMatDescr_t, cusparseMatrixType_t, type, RD_SPARSE_DESCR)
RD_SET(cusparseSetMatFillMode, cusparseMatDescr_t, cusparseFillMode_t, fill, RD_SPARSE_DESCR)
RD_SET(cusparseSetMatDiagType, cusparseMatDescr_t, cusparseDiagType_t, diag, RD_SPARSE_DESCR)
RD_SET(cusparseSetMatIndexBase, cusparseMatDescr_t, cusparseIndexBase_t, base, RD_SPARSE_DESCR)
RD_SET(cusparseSpMatSetValues, cusparseSpMatDescr_t, void *, values, RD_SPARSE_MATRIX)
RD_SET(cusparseDnVecSetValues, cusparseDnVecDescr_t, void *, dense.values, RD_SPARSE_VECTOR)

RD_HOOK cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix,
                                                   cusparseSpMatAttribute_t attribute, void *value,
                                                   size_t size_bytes)
{
    RD_BEGIN_CUSPARSE(cusparseSpMatSetAttribute, matrix, RD_SPARSE_MATRIX);
    if (!value || size_bytes != sizeof matrix->fill)
        return rd_cusparse_end(&call, CUSPARSE_STATUS_INVALID_VALUE, "");
    if (attribute == CUSPARSE_SPMAT_FILL_MODE)
        memcpy(&matrix->fill, value, sizeof matrix->fill);
    else
        memcpy(&matrix->diag, value, sizeof matrix->diag);
    return rd_cusparse_end(&call, CUSPARSE_STATUS_SUCCESS, "");
}

/* ---- matrices and vectors ---- */

static cusparseStatus_t create_matrix(const struct rd_sim_host_call *call,
                                      cusparseSpMatDescr_t *made,
                                      const struct cusparseSpMatDescr *wanted)
{
    if (!made || wanted->rows < 0 || wanted->cols < 0 || wanted->nnz < 0)
        return rd_cusparse_end(call, CUSPARSE_STATUS_INVALID_VALUE, "a size is negative");
    struct cusparseSpMatDescr *matrix = malloc(sizeof *matrix);
    if (!matrix)
        return rd_cusparse_end(call, CUSPARSE_STATUS_ALLOC_FAILED, "");
    *matrix = *wanted;
    matrix->mark = RD_SPARSE_MATRIX;
    *made = matrix;
    return rd_cusparse_end(call, CUSPARSE_STATUS_SUCCESS, "");
}

RD_HOOK cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t cols,
                                           int64_t nnz, void *offsets, void *indices, void *values,
                                           cusparseIndexType_t offset_type,
                                           cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                           cudaDataType type)
{
    const struct cusparseSpMatDescr wanted = {.rows = rows,
                                              .cols = cols,
                                              .nnz = nnz,
                                              .rows_at = offsets,
                                              .cols_at = indices,
                                              .values = values,
                                              .row_type = offset_type,
                                              .col_type = index_type,
                                              .base = base,
                                              .type = type};
    RD_BEGIN_CUSPARSE(cusparseCreateCsr, NULL, RD_SPARSE_GONE);
    return create_matrix(&call, matrix, &wanted);
}

RD_HOOK cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t cols,
                                           int64_t nnz, void *row_indices, void *indices,
                                           void *values, cusparseIndexType_t index_type,
                                           cusparseIndexBase_t base, cudaDataType type)
{
    const struct cusparseSpMatDescr wanted = {.is_coo = true,
                                              .rows = rows,
                                              .cols = cols,
                                              .nnz = nnz,
                                              .rows_at = row_indices,
                                              .cols_at = indices,
                                              .values = values,
                                              .row_type = index_type,
                                              .col_type = index_type,
                                              .base = base,
                                              .type = type};
    RD_BEGIN_CUSPARSE(cusparseCreateCoo, NULL, RD_SPARSE_GONE);
    return create_matrix(&call, matrix, &wanted);
}

RD_HOOK cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t *rows,
                                              int64_t *cols, int64_t *nnz)
{
    RD_BEGIN_CUSPARSE(cusparseSpMatGetSize, matrix, RD_SPARSE_MATRIX);
    if (!rows || !cols || !nnz)
        return rd_cusparse_end(&call, CUSPARSE_STATUS_INVALID_VALUE, "");
    *rows = matrix->rows;
    *cols = matrix->cols;
    *nnz = matrix->nnz;
    return rd_cusparse_end(&call, CUSPARSE_STATUS_SUCCESS, "");
}

RD_HOOK cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *vector, int64_t n, void *values,
                                             cudaDataType type)
{
    RD_BEGIN_CUSPARSE(cusparseCreateDnVec, NULL, RD_SPARSE_GONE);
    struct cusparseDnVecDescr *fresh = vector && n >= 0 ? malloc(sizeof *fresh) : NULL;
    if (!fresh)
        return rd_cusparse_end(&call, CUSPARSE_STATUS_INVALID_VALUE, "");
    *fresh = (struct cusparseDnVecDescr){
        RD_SPARSE_VECTOR, {n, 1, n > 0 ? n : 1, values, type, CUSPARSE_ORDER_COL, false}};
    *vector = fresh;
    return rd_cusparse_end(&call, CUSPARSE_STATUS_SUCCESS, "");
}

RD_HOOK cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *matrix, int64_t rows,
                                             int64_t cols, int64_t ld, void *values,
                                             cudaDataType type, cusparseOrder_t order)
{
    RD_BEGIN_CUSPARSE(cusparseCreateDnMat, NULL, RD_SPARSE_GONE);
    const int64_t least = order == CUSPARSE_ORDER_ROW ? cols : rows;
    if (!matrix || rows < 0 || cols < 0 || ld < least)
        return rd_cusparse_end(&call, CUSPARSE_STATUS_INVALID_VALUE,
                               "a leading dimension is less than what it has to hold");
    struct cusparseDnMatDescr *fresh = malloc(sizeof *fresh);
    if (!fresh)
        return rd_cusparse_end(&call, CUSPARSE_STATUS_ALLOC_FAILED, "");
    *fresh =
        (struct cusparseDnMatDescr){RD_SPARSE_DENSE, {rows, cols, ld, values, type, order, false}};
    *matrix = fresh;
    return rd_cusparse_end(&call, CUSPARSE_STATUS_SUCCESS, "");
}
