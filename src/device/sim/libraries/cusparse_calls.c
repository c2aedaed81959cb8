// SPDX-License-Identifier: MIT
/* cuSPARSE: products, solutions and factors, and which memory they access. */
#include "device/sim/libraries/cusparse_calls.h"
#include "device/sim/api/hooks.h"
#include "device/sim/file/launch.h"
#include "device/sim/libraries/blas.h"

/* A caller lends so much, though little is done with it: it is looked at as if it were written. */
enum { BUFFER_BYTES = 16, OPERANDS_MAX = 8 };

enum { BOTH = RD_SIM_IS_READ | RD_SIM_IS_WRITTEN };

/* A call as it is made up. */
struct call {
    struct rd_sim_operand operands[OPERANDS_MAX];
    size_t n;
    struct rd_sparse_work work;
    const char *why; /* an argument is of no use; NULL: none */
};

static size_t index_bytes(cusparseIndexType_t type)
{
    return type == CUSPARSE_INDEX_64I ? 8 : type == CUSPARSE_INDEX_16U ? 2 : 4;
}

static void wants(struct call *call, bool condition, const char *otherwise)
{
    if (!condition && !call->why)
        call->why = otherwise;
}

static void rows(struct call *call, const char *name, unsigned use, const void *at,
                 size_t row_bytes, size_t pitch_bytes, size_t n_rows)
{
    call->operands[call->n++] =
        (struct rd_sim_operand){name, at, row_bytes, pitch_bytes, n_rows, use};
}

static void line(struct call *call, const char *name, unsigned use, const void *at,
                 size_t size_bytes)
{
    rows(call, name, use, at, size_bytes, size_bytes, 1);
}

static void take_sparse(struct call *call, const struct cusparseSpMatDescr *a, unsigned use)
{
    const size_t nnz = (size_t)a->nnz, n_rows = a->is_coo ? nnz : (size_t)a->rows + 1;
    call->work.a = *a;
    line(call, a->is_coo ? "the rows of A" : "the row offsets of A", RD_SIM_IS_READ, a->rows_at,
         n_rows * index_bytes(a->row_type));
    line(call, "the columns of A", RD_SIM_IS_READ, a->cols_at, nnz * index_bytes(a->col_type));
    line(call, "the values of A", use, a->values, nnz * rd_blas_bytes(a->type));
}

static void take_dense(struct call *call, const char *name, unsigned use,
                       const struct rd_sparse_dense *dense)
{
    const size_t size = rd_blas_bytes(dense->type);
    const bool by_rows = dense->order == CUSPARSE_ORDER_ROW;
    const int64_t inner = by_rows ? dense->cols : dense->rows,
                  outer = by_rows ? dense->rows : dense->cols;
    rows(call, name, use, dense->values, (size_t)inner * size, (size_t)dense->ld * size,
         (size_t)outer);
}

/* Of the host it is read now, of the device at its turn. */
static void take_scalar(struct call *call, const struct cusparseContext *handle, const char *name,
                        const void *at, const void **of_device, double *value)
{
    const bool is_of_device = handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE;
    wants(call, at != NULL, "a scalar is a null pointer");
    line(call, name, is_of_device ? RD_SIM_IS_READ : RD_SIM_IS_READ | RD_SIM_IS_OF_HOST, at,
         rd_blas_bytes(call->work.compute));
    if (is_of_device)
        *of_device = at;
    else if (at)
        *value = rd_blas_load(call->work.compute, at, 0);
}

/* Of other types it is said that the simulator has them not. */
static void know_types(const struct rd_sim_host_call *call, cudaDataType a, cudaDataType x,
                       cudaDataType y, cudaDataType compute)
{
    if (!rd_blas_bytes(a) || !rd_blas_bytes(x) || !rd_blas_bytes(y) || !rd_blas_bytes(compute))
        rd_sim_unsimulated("cuSPARSE of complex numbers and of integers", "", 0,
                           (void *)call->place.pc);
}

static cusparseStatus_t make(struct call *call, const struct cusparseContext *handle,
                             void (*run)(const void *closure))
{
    if (call->why)
        return rd_cusparse_end(&call->work.call, CUSPARSE_STATUS_INVALID_VALUE, call->why);
    const struct rd_sim_library_call library = {
        .call = &call->work.call,
        .stream = handle->stream,
        .operands = call->operands,
        .n_operands = call->n,
        .work = run,
        .closure = &call->work,
        .closure_bytes = sizeof call->work,
    };
    const cudaError_t error = rd_sim_library_do(&library);
    return rd_cusparse_end(
        &call->work.call,
        error == cudaSuccess ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED, "");
}

static cusparseStatus_t give_size(const struct rd_sim_host_call *call, size_t *bytes)
{
    if (bytes)
        *bytes = BUFFER_BYTES;
    return rd_cusparse_end(call, bytes ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_INVALID_VALUE,
                           "");
}

/* ---- products ---- */

static cusparseStatus_t multiply(const struct rd_sim_host_call *call,
                                 const struct cusparseContext *handle, cusparseOperation_t op,
                                 const void *alpha, const struct cusparseSpMatDescr *a,
                                 const struct rd_sparse_dense *x, const void *beta,
                                 const struct rd_sparse_dense *y, cudaDataType compute,
                                 const void *buffer)
{
    struct call request = {.work = {.call = *call, .compute = compute, .x = *x, .y = *y}};
    const bool turned = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
    know_types(call, a->type, x->type, y->type, compute);
    request.work.transposed = turned;
    take_scalar(&request, handle, "alpha", alpha, &request.work.alpha, &request.work.alpha_value);
    take_scalar(&request, handle, "beta", beta, &request.work.beta, &request.work.beta_value);
    take_sparse(&request, a, RD_SIM_IS_READ);
    take_dense(&request, "x", RD_SIM_IS_READ, x);
    take_dense(&request, "y",
               request.work.beta || request.work.beta_value != 0 ? BOTH : RD_SIM_IS_WRITTEN, y);
    line(&request, "the buffer", RD_SIM_IS_WRITTEN, buffer, BUFFER_BYTES);
    const int64_t x_rows = x->transposed ? x->cols : x->rows,
                  x_cols = x->transposed ? x->rows : x->cols;
    wants(&request,
          x_rows == (turned ? a->rows : a->cols) && y->rows == (turned ? a->cols : a->rows) &&
              x_cols == y->cols,
          "sizes do not fit each other");
    return make(&request, handle, rd_sparse_multiply);
}

static bool is_marked(const void *descriptor, enum rd_sparse_mark mark)
{
    return descriptor && *(const enum rd_sparse_mark *)descriptor == mark;
}

RD_HOOK cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op,
                                                 const void *alpha, cusparseConstSpMatDescr_t A,
                                                 cusparseConstDnVecDescr_t x, const void *beta,
                                                 cusparseDnVecDescr_t y, cudaDataType compute,
                                                 cusparseSpMVAlg_t algorithm, size_t *bytes)
{
    (void)op, (void)alpha, (void)A, (void)x, (void)beta, (void)y, (void)compute, (void)algorithm;
    RD_BEGIN_CUSPARSE(cusparseSpMV_bufferSize, handle, RD_SPARSE_HANDLE);
    return give_size(&call, bytes);
}

RD_HOOK cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t op,
                                                 const void *alpha, cusparseConstSpMatDescr_t A,
                                                 cusparseConstDnVecDescr_t x, const void *beta,
                                                 cusparseDnVecDescr_t y, cudaDataType compute,
                                                 cusparseSpMVAlg_t algorithm, void *buffer)
{
    (void)op, (void)alpha, (void)A, (void)x, (void)beta, (void)y, (void)compute, (void)algorithm;
    (void)buffer;
    RD_BEGIN_CUSPARSE(cusparseSpMV_preprocess, handle, RD_SPARSE_HANDLE);
    return rd_cusparse_end(&call, CUSPARSE_STATUS_SUCCESS, "");
}

RD_HOOK cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op,
                                      const void *alpha, cusparseConstSpMatDescr_t A,
                                      cusparseConstDnVecDescr_t x, const void *beta,
                                      cusparseDnVecDescr_t y, cudaDataType compute,
                                      cusparseSpMVAlg_t algorithm, void *buffer)
{
    (void)algorithm;
    RD_BEGIN_CUSPARSE(cusparseSpMV, handle, RD_SPARSE_HANDLE);
    if (!is_marked(A, RD_SPARSE_MATRIX) || !is_marked(x, RD_SPARSE_VECTOR) ||
        !is_marked(y, RD_SPARSE_VECTOR))
        return rd_cusparse_end(&call, CUSPARSE_STATUS_INVALID_VALUE, "a descriptor is none");
    return multiply(&call, handle, op, alpha, A, &x->dense, beta, &y->dense, compute, buffer);
}

RD_HOOK cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opa,
                                                 cusparseOperation_t opb, const void *alpha,
                                                 cusparseConstSpMatDescr_t A,
                                                 cusparseConstDnMatDescr_t B, const void *beta,
                                                 cusparseDnMatDescr_t C, cudaDataType compute,
                                                 cusparseSpMMAlg_t algorithm, size_t *bytes)
{
    (void)opa, (void)opb, (void)alpha, (void)A, (void)B, (void)beta, (void)C, (void)compute;
    (void)algorithm;
    RD_BEGIN_CUSPARSE(cusparseSpMM_bufferSize, handle, RD_SPARSE_HANDLE);
    return give_size(&call, bytes);
}

RD_HOOK cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t opa,
                                      cusparseOperation_t opb, const void *alpha,
                                      cusparseConstSpMatDescr_t A, cusparseConstDnMatDescr_t B,
                                      const void *beta, cusparseDnMatDescr_t C,
                                      cudaDataType compute, cusparseSpMMAlg_t algorithm,
                                      void *buffer)
{
    (void)algorithm;
    RD_BEGIN_CUSPARSE(cusparseSpMM, handle, RD_SPARSE_HANDLE);
    if (!is_marked(A, RD_SPARSE_MATRIX) || !is_marked(B, RD_SPARSE_DENSE) ||
        !is_marked(C, RD_SPARSE_DENSE))
        return rd_cusparse_end(&call, CUSPARSE_STATUS_INVALID_VALUE, "a descriptor is none");
    struct rd_sparse_dense b = B->dense;
    b.transposed = opb != CUSPARSE_OPERATION_NON_TRANSPOSE;
    return multiply(&call, handle, opa, alpha, A, &b, beta, &C->dense, compute, buffer);
}

/* ---- triangles ---- */

RD_HOOK cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op,
                                                 const void *alpha, cusparseConstSpMatDescr_t A,
                                                 cusparseConstDnVecDescr_t x,
                                                 cusparseDnVecDescr_t y, cudaDataType compute,
                                                 cusparseSpSVAlg_t algorithm,
                                                 cusparseSpSVDescr_t descr, size_t *bytes)
{
    (void)op, (void)alpha, (void)A, (void)x, (void)y, (void)compute, (void)algorithm, (void)descr;
    RD_BEGIN_CUSPARSE(cusparseSpSV_bufferSize, handle, RD_SPARSE_HANDLE);
    return give_size(&call, bytes);
}

/* Reads A as it is, though nothing of it need be known before the solution. */
static void run_nothing(const void *closure)
{
    (void)closure;
}

RD_HOOK cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t op,
                                               const void *alpha, cusparseConstSpMatDescr_t A,
                                               cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                               cudaDataType compute, cusparseSpSVAlg_t algorithm,
                                               cusparseSpSVDescr_t descr, void *buffer)
{
    (void)op, (void)alpha, (void)x, (void)y, (void)algorithm;
    RD_BEGIN_CUSPARSE(cusparseSpSV_analysis, handle, RD_SPARSE_HANDLE);
    if (!is_marked(A, RD_SPARSE_MATRIX) || !is_marked(descr, RD_SPARSE_SOLVER))
        return rd_cusparse_end(&call, CUSPARSE_STATUS_INVALID_VALUE, "a descriptor is none");
    struct call request = {.work = {.call = call, .compute = compute}};
    take_sparse(&request, A, RD_SIM_IS_READ);
    line(&request, "the buffer", RD_SIM_IS_WRITTEN, buffer, BUFFER_BYTES);
    descr->is_analysed = true;
    return make(&request, handle, run_nothing);
}

RD_HOOK cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op,
                                            const void *alpha, cusparseConstSpMatDescr_t A,
                                            cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                            cudaDataType compute, cusparseSpSVAlg_t algorithm,
                                            cusparseSpSVDescr_t descr)
{
    (void)algorithm;
    RD_BEGIN_CUSPARSE(cusparseSpSV_solve, handle, RD_SPARSE_HANDLE);
    if (!is_marked(A, RD_SPARSE_MATRIX) || !is_marked(x, RD_SPARSE_VECTOR) ||
        !is_marked(y, RD_SPARSE_VECTOR) || !is_marked(descr, RD_SPARSE_SOLVER))
        return rd_cusparse_end(&call, CUSPARSE_STATUS_INVALID_VALUE, "a descriptor is none");
    know_types(&call, A->type, x->dense.type, y->dense.type, compute);
    if (A->is_coo)
        rd_sim_unsimulated("cusparseSpSV_solve of a matrix by coordinates", "", 0,
                           (void *)call.place.pc);
    struct call request = {
        .work = {.call = call, .compute = compute, .x = x->dense, .y = y->dense}};
    request.work.transposed = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
    take_scalar(&request, handle, "alpha", alpha, &request.work.alpha, &request.work.alpha_value);
    take_sparse(&request, A, RD_SIM_IS_READ);
    take_dense(&request, "x", RD_SIM_IS_READ, &x->dense);
    take_dense(&request, "y", RD_SIM_IS_WRITTEN, &y->dense);
    wants(&request, descr->is_analysed, "cusparseSpSV_analysis has not been called before");
    wants(&request, A->rows == A->cols && x->dense.rows == A->rows && y->dense.rows == A->rows,
          "sizes do not fit each other");
    return make(&request, handle, rd_sparse_solve);
}

/* ---- incomplete factors ---- */

static struct cusparseSpMatDescr square(const cusparseMatDescr_t descr, int m, int nnz,
                                        const void *values, const int *offsets, const int *indices,
                                        cudaDataType type)
{
    return (struct cusparseSpMatDescr){.rows = m,
                                       .cols = m,
                                       .nnz = nnz,
                                       .rows_at = offsets,
                                       .cols_at = indices,
                                       .values = (void *)values,
                                       .row_type = CUSPARSE_INDEX_32I,
                                       .col_type = CUSPARSE_INDEX_32I,
                                       .base = descr->base,
                                       .type = type};
}

static cusparseStatus_t factor(const struct rd_sim_host_call *call,
                               const struct cusparseContext *handle, csrilu02Info_t info,
                               const struct cusparseSpMatDescr *a, const void *buffer,
                               bool analyses)
{
    struct call request = {.work = {.call = *call, .compute = a->type, .info = info}};
    take_sparse(&request, a, analyses ? RD_SIM_IS_READ : BOTH);
    line(&request, "the buffer", RD_SIM_IS_WRITTEN, buffer, BUFFER_BYTES);
    wants(&request, a->rows >= 0 && a->nnz >= 0, "a size is negative");
    wants(&request, analyses || info->is_analysed, "the analysis has not been called before");
    if (analyses) {
        info->is_analysed = true;
        info->zero_pivot = -1;
    }
    return make(&request, handle, analyses ? run_nothing : rd_sparse_factor);
}

RD_HOOK cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info,
                                                     int *position)
{
    RD_BEGIN_CUSPARSE(cusparseXcsrilu02_zeroPivot, handle, RD_SPARSE_HANDLE);
    if (!is_marked(info, RD_SPARSE_ILU) || !position)
        return rd_cusparse_end(&call, CUSPARSE_STATUS_INVALID_VALUE, "");
    *position = (int)info->zero_pivot;
    return rd_cusparse_end(
        &call, info->zero_pivot >= 0 ? CUSPARSE_STATUS_ZERO_PIVOT : CUSPARSE_STATUS_SUCCESS, "");
}

#define RD_ILU(S, T, of)                                                                           \
    RD_HOOK cusparseStatus_t cusparse##S##csrilu02_bufferSize(                                     \
        cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr, T *values,        \
        const int *offsets, const int *indices, csrilu02Info_t info, int *bytes)                   \
    {                                                                                              \
        (void)m, (void)nnz, (void)descr, (void)values, (void)offsets, (void)indices, (void)info;   \
        RD_BEGIN_CUSPARSE(cusparse##S##csrilu02_bufferSize, handle, RD_SPARSE_HANDLE);             \
        if (bytes)                                                                                 \
            *bytes = BUFFER_BYTES;                                                                 \
        return rd_cusparse_end(                                                                    \
            &call, bytes ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_INVALID_VALUE, "");           \
    }                                                                                              \
    RD_HOOK cusparseStatus_t cusparse##S##csrilu02_analysis(                                       \
        cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr, const T *values,  \
        const int *offsets, const int *indices, csrilu02Info_t info, cusparseSolvePolicy_t policy, \
        void *buffer)                                                                              \
    {                                                                                              \
        (void)policy;                                                                              \
        RD_BEGIN_CUSPARSE(cusparse##S##csrilu02_analysis, handle, RD_SPARSE_HANDLE);               \
        if (!is_marked(descr, RD_SPARSE_DESCR) || !is_marked(info, RD_SPARSE_ILU))                 \
            return rd_cusparse_end(&call, CUSPARSE_STATUS_INVALID_VALUE, "a descriptor is none");  \
        const struct cusparseSpMatDescr a = square(descr, m, nnz, values, offsets, indices, of);   \
        return factor(&call, handle, info, &a, buffer, true);                                      \
    }                                                                                              \
    RD_HOOK cusparseStatus_t cusparse##S##csrilu02(                                                \
        cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr, T *values,        \
        const int *offsets, const int *indices, csrilu02Info_t info, cusparseSolvePolicy_t policy, \
        void *buffer)                                                                              \
    {                                                                                              \
        (void)policy;                                                                              \
        RD_BEGIN_CUSPARSE(cusparse##S##csrilu02, handle, RD_SPARSE_HANDLE);                        \
        if (!is_marked(descr, RD_SPARSE_DESCR) || !is_marked(info, RD_SPARSE_ILU))                 \
            return rd_cusparse_end(&call, CUSPARSE_STATUS_INVALID_VALUE, "a descriptor is none");  \
        const struct cusparseSpMatDescr a = square(descr, m, nnz, values, offsets, indices, of);   \
        return factor(&call, handle, info, &a, buffer, false);                                     \
    }
RD_ILU(S, float, CUDA_R_32F)
RD_ILU(D, double, CUDA_R_64F)
