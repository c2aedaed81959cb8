// SPDX-License-Identifier: MIT
/* cuBLAS, levels 2 and 3: matrices with vectors and with matrices. */
#include "device/sim/api/hooks.h"
#include "device/sim/libraries/blas.h"

#include "device/sim/file/launch.h"

enum { BOTH = RD_SIM_IS_READ | RD_SIM_IS_WRITTEN };

/* Tells whether a scalar of the host's is 0: then what it is multiplied by is not read. */
static bool is_zero(const void *pointer, double value)
{
    return !pointer && value == 0;
}

static double element(const struct rd_blas_array *a, int i, int j)
{
    return a->transposed ? rd_blas_load(a->type, a->at, a->step * i + j)
                         : rd_blas_load(a->type, a->at, a->step * j + i);
}

/* ---- with vectors ---- */

static void run_gemv(const struct rd_blas_work *work)
{
    const double alpha = rd_blas_alpha(work), beta = rd_blas_beta(work);
    for (int i = 0; i < work->c.rows; i++) {
        double sum = 0;
        for (int j = 0; alpha != 0 && j < work->b.rows; j++)
            sum +=
                element(&work->a, i, j) * rd_blas_load(work->b.type, work->b.at, work->b.step * j);
        const long long at = work->c.step * i;
        const double before = beta == 0 ? 0 : beta * rd_blas_load(work->c.type, work->c.at, at);
        rd_blas_store(work->c.type, work->c.at, at, alpha * sum + before);
    }
}

static cublasStatus_t gemv(const struct rd_sim_host_call *call, cublasHandle_t handle,
                           cudaDataType type, cublasOperation_t op, int m, int n, const void *alpha,
                           const void *A, int lda, const void *x, int incx, const void *beta,
                           void *y, int incy)
{
    struct rd_blas_call blas;
    if (!rd_blas_begin(&blas, call, handle, type))
        return blas.begun;
    bool turned = op != CUBLAS_OP_N;
    rd_blas_alpha_is(&blas, alpha);
    rd_blas_beta_is(&blas, beta);
    rd_blas_wants(&blas, incx != 0 && incy != 0, "an increment is 0");
    bool reads = !is_zero(blas.work.alpha, blas.work.alpha_value);
    blas.work.a = rd_blas_matrix(&blas, "A", reads ? RD_SIM_IS_READ : 0, type, A, m, n, lda);
    blas.work.b = rd_blas_vector(&blas, "x", reads ? RD_SIM_IS_READ : 0, x, turned ? m : n, incx);
    blas.work.c = rd_blas_vector(
        &blas, "y", is_zero(blas.work.beta, blas.work.beta_value) ? RD_SIM_IS_WRITTEN : BOTH, y,
        turned ? n : m, incy);
    blas.work.a.transposed = turned;
    return rd_blas_finish(&blas, run_gemv, m <= 0 || n <= 0);
}

static void run_ger(const struct rd_blas_work *work)
{
    const double alpha = rd_blas_alpha(work);
    for (int j = 0; j < work->c.cols; j++)
        for (int i = 0; i < work->c.rows; i++) {
            const long long at = work->c.step * j + i;
            const double x = rd_blas_load(work->a.type, work->a.at, work->a.step * i),
                         y = rd_blas_load(work->b.type, work->b.at, work->b.step * j);
            rd_blas_store(work->c.type, work->c.at, at,
                          alpha * x * y + rd_blas_load(work->c.type, work->c.at, at));
        }
}

static cublasStatus_t ger(const struct rd_sim_host_call *call, cublasHandle_t handle,
                          cudaDataType type, int m, int n, const void *alpha, const void *x,
                          int incx, const void *y, int incy, void *A, int lda)
{
    struct rd_blas_call blas;
    if (!rd_blas_begin(&blas, call, handle, type))
        return blas.begun;
    rd_blas_alpha_is(&blas, alpha);
    rd_blas_wants(&blas, incx != 0 && incy != 0, "an increment is 0");
    blas.work.a = rd_blas_vector(&blas, "x", RD_SIM_IS_READ, x, m, incx);
    blas.work.b = rd_blas_vector(&blas, "y", RD_SIM_IS_READ, y, n, incy);
    blas.work.c = rd_blas_matrix(&blas, "A", BOTH, type, A, m, n, lda);
    return rd_blas_finish(&blas, run_ger, m <= 0 || n <= 0);
}

/* ---- with matrices ---- */

static void run_geam(const struct rd_blas_work *work)
{
    const double alpha = rd_blas_alpha(work), beta = rd_blas_beta(work);
    for (int j = 0; j < work->c.cols; j++)
        for (int i = 0; i < work->c.rows; i++) {
            double a = alpha == 0 ? 0 : alpha * element(&work->a, i, j);
            double b = beta == 0 ? 0 : beta * element(&work->b, i, j);
            rd_blas_store(work->c.type, work->c.at, work->c.step * j + i, a + b);
        }
}

/* op(A) has so many rows and columns; one that is not read may be NULL. */
static struct rd_blas_array take(struct rd_blas_call *call, const char *name, bool reads,
                                 cudaDataType type, const void *at, cublasOperation_t op, int rows,
                                 int cols, int ld)
{
    bool turned = op != CUBLAS_OP_N;
    struct rd_blas_array array = rd_blas_matrix(call, name, reads ? RD_SIM_IS_READ : 0, type, at,
                                                turned ? cols : rows, turned ? rows : cols, ld);
    array.transposed = turned;
    return array;
}

static cublasStatus_t geam(const struct rd_sim_host_call *call, cublasHandle_t handle,
                           cudaDataType type, cublasOperation_t opa, cublasOperation_t opb, int m,
                           int n, const void *alpha, const void *A, int lda, const void *beta,
                           const void *B, int ldb, void *C, int ldc)
{
    struct rd_blas_call blas;
    if (!rd_blas_begin(&blas, call, handle, type))
        return blas.begun;
    rd_blas_alpha_is(&blas, alpha);
    rd_blas_beta_is(&blas, beta);
    blas.work.a =
        take(&blas, "A", !is_zero(blas.work.alpha, blas.work.alpha_value), type, A, opa, m, n, lda);
    blas.work.b =
        take(&blas, "B", !is_zero(blas.work.beta, blas.work.beta_value), type, B, opb, m, n, ldb);
    blas.work.c = rd_blas_matrix(&blas, "C", RD_SIM_IS_WRITTEN, type, C, m, n, ldc);
    return rd_blas_finish(&blas, run_geam, m <= 0 || n <= 0);
}

/* A product, or several: by a stride, or by arrays of pointers. */
struct product {
    cudaDataType type, type_a, type_b, type_c; /* of scalars, and of the matrices */
    cublasOperation_t opa, opb;
    int m, n, k;
    const void *alpha, *A, *B, *beta;
    void *C;
    int lda, ldb, ldc;
    long long stride_a, stride_b, stride_c;
    const void *const *all_a, *const *all_b;
    void *const *all_c;
    int count;
};

void rd_blas_pointers(struct rd_blas_call *call, const char *name, const void *all, int count)
{
    const struct rd_sim_operand pointers = {
        name, all,           sizeof(void *) * (size_t)count, sizeof(void *) * (size_t)count,
        1,    RD_SIM_IS_READ};
    rd_blas_operand_is(call, &pointers);
}

static const void *product_at(const void *base, const void *const *all, cudaDataType type,
                              long long stride, int k)
{
    return all ? all[k] : (const char *)base + k * stride * (long long)rd_blas_bytes(type);
}

/* The matrices of each product. */
static void take_all(struct rd_blas_call *call, const struct product *p)
{
    bool reads = !is_zero(call->work.alpha, call->work.alpha_value) && p->k > 0;
    unsigned use = is_zero(call->work.beta, call->work.beta_value) ? RD_SIM_IS_WRITTEN : BOTH;
    for (int k = 0; k < p->count; k++) {
        const void *a = product_at(p->A, p->all_a, p->type_a, p->stride_a, k),
                   *b = product_at(p->B, p->all_b, p->type_b, p->stride_b, k),
                   *c = product_at(p->C, (const void *const *)p->all_c, p->type_c, p->stride_c, k);
        struct rd_blas_array of_a =
            take(call, "A", reads, p->type_a, a, p->opa, p->m, p->k, p->lda);
        struct rd_blas_array of_b =
            take(call, "B", reads, p->type_b, b, p->opb, p->k, p->n, p->ldb);
        struct rd_blas_array of_c =
            rd_blas_matrix(call, "C", use, p->type_c, c, p->m, p->n, p->ldc);
        if (k == 0) {
            call->work.a = of_a;
            call->work.b = of_b;
            call->work.c = of_c;
        }
    }
}

static bool reads_pointers(struct rd_blas_call *call, const struct product *p)
{
    const size_t n = call->n;
    rd_blas_pointers(call, "the pointers to A", p->all_a, p->count);
    rd_blas_pointers(call, "the pointers to B", p->all_b, p->count);
    rd_blas_pointers(call, "the pointers to C", p->all_c, p->count);
    return rd_blas_can_read(call, n);
}

static cublasStatus_t gemm(const struct rd_sim_host_call *call, cublasHandle_t handle,
                           const struct product *p)
{
    struct rd_blas_call blas;
    if (!rd_blas_begin(&blas, call, handle, p->type))
        return blas.begun;
    rd_blas_alpha_is(&blas, p->alpha);
    rd_blas_beta_is(&blas, p->beta);
    rd_blas_wants(&blas, p->m >= 0 && p->n >= 0 && p->k >= 0 && p->count >= 0,
                  "m, n, k or the number of products is negative");
    bool is_empty = p->m <= 0 || p->n <= 0 || p->count <= 0;
    blas.work.k = p->k;
    blas.work.count = p->count;
    blas.work.stride_a = p->stride_a;
    blas.work.stride_b = p->stride_b;
    blas.work.stride_c = p->stride_c;
    blas.work.all_a = (void *const *)p->all_a;
    blas.work.all_b = (void *const *)p->all_b;
    blas.work.all_c = p->all_c;
    if (!is_empty && (!p->all_c || reads_pointers(&blas, p)))
        take_all(&blas, p);
    return rd_blas_finish(&blas, rd_blas_gemm, is_empty);
}

/* ---- by type ---- */

#define RD_MATRICES(S, T, of)                                                                      \
    RD_BLAS_FUNCTION(S##gemv, _v2,                                                                 \
                     (cublasHandle_t handle, cublasOperation_t op, int m, int n, const T *alpha,   \
                      const T *A, int lda, const T *x, int incx, const T *beta, T *y, int incy),   \
                     gemv(&call, handle, of, op, m, n, alpha, A, lda, x, incx, beta, y, incy))     \
    RD_BLAS_FUNCTION(S##ger, _v2,                                                                  \
                     (cublasHandle_t handle, int m, int n, const T *alpha, const T *x, int incx,   \
                      const T *y, int incy, T *A, int lda),                                        \
                     ger(&call, handle, of, m, n, alpha, x, incx, y, incy, A, lda))                \
    RD_BLAS_FUNCTION(S##geam, ,                                                                    \
                     (cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m,  \
                      int n, const T *alpha, const T *A, int lda, const T *beta, const T *B,       \
                      int ldb, T *C, int ldc),                                                     \
                     geam(&call, handle, of, opa, opb, m, n, alpha, A, lda, beta, B, ldb, C, ldc))
RD_MATRICES(S, float, CUDA_R_32F)
RD_MATRICES(D, double, CUDA_R_64F)

#define RD_PRODUCTS(S, suffix, T, of)                                                              \
    RD_BLAS_FUNCTION(S##gemm, suffix,                                                              \
                     (cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m,  \
                      int n, int k, const T *alpha, const T *A, int lda, const T *B, int ldb,      \
                      const T *beta, T *C, int ldc),                                               \
                     gemm(&call, handle,                                                           \
                          &(struct product){of, of, of, of, opa, opb, m, n, k, alpha, A, B, beta,  \
                                            C, lda, ldb, ldc, .count = 1}))                        \
    RD_BLAS_FUNCTION(                                                                              \
        S##gemmStridedBatched, ,                                                                   \
        (cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k, \
         const T *alpha, const T *A, int lda, long long int stride_a, const T *B, int ldb,         \
         long long int stride_b, const T *beta, T *C, int ldc, long long int stride_c, int count), \
        gemm(&call, handle,                                                                        \
             &(struct product){of,  of,  of,    of,       opa,      opb,      m,                   \
                               n,   k,   alpha, A,        B,        beta,     C,                   \
                               lda, ldb, ldc,   stride_a, stride_b, stride_c, .count = count}))    \
    RD_BLAS_FUNCTION(S##gemmBatched, ,                                                             \
                     (cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m,  \
                      int n, int k, const T *alpha, const T *const A[], int lda,                   \
                      const T *const B[], int ldb, const T *beta, T *const C[], int ldc,           \
                      int count),                                                                  \
                     gemm(&call, handle,                                                           \
                          &(struct product){of,                                                    \
                                            of,                                                    \
                                            of,                                                    \
                                            of,                                                    \
                                            opa,                                                   \
                                            opb,                                                   \
                                            m,                                                     \
                                            n,                                                     \
                                            k,                                                     \
                                            alpha,                                                 \
                                            NULL,                                                  \
                                            NULL,                                                  \
                                            beta,                                                  \
                                            NULL,                                                  \
                                            lda,                                                   \
                                            ldb,                                                   \
                                            ldc,                                                   \
                                            .all_a = (const void *const *)A,                       \
                                            .all_b = (const void *const *)B,                       \
                                            .all_c = (void *const *)C,                             \
                                            .count = count}))
RD_PRODUCTS(S, _v2, float, CUDA_R_32F)
RD_PRODUCTS(D, _v2, double, CUDA_R_64F)
/* A half is its bits. */
RD_PRODUCTS(H, , uint16_t, CUDA_R_16F)

/* Of other types it is said that the simulator has them not. */
static cublasStatus_t gemm_ex(const struct rd_sim_host_call *call, cublasHandle_t handle,
                              struct product *p, cublasComputeType_t compute)
{
    bool knows = rd_blas_bytes(p->type_a) && rd_blas_bytes(p->type_b) && rd_blas_bytes(p->type_c);
    switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
        p->type = CUDA_R_16F;
        break;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
        p->type = CUDA_R_64F;
        break;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
        p->type = CUDA_R_32F;
        break;
    default:
        knows = false;
    }
    if (!knows && rd_sim_runtime_program())
        rd_sim_unsimulated("cublasGemmEx of these types", "", 0, (void *)call->place.pc);
    return gemm(call, handle, p);
}

RD_HOOK cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t opa,
                                    cublasOperation_t opb, int m, int n, int k, const void *alpha,
                                    const void *A, cudaDataType type_a, int lda, const void *B,
                                    cudaDataType type_b, int ldb, const void *beta, void *C,
                                    cudaDataType type_c, int ldc, cublasComputeType_t compute,
                                    cublasGemmAlgo_t algorithm)
{
    (void)algorithm;
    const struct rd_sim_host_call call = RD_HOST_CALL("cublasGemmEx");
    struct product p = {CUDA_R_32F, type_a, type_b, type_c, opa, opb, m,   n,   k,
                        alpha,      A,      B,      beta,   C,   lda, ldb, ldc, .count = 1};
    return gemm_ex(&call, handle, &p, compute);
}

RD_HOOK cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
    const void *alpha, const void *A, cudaDataType type_a, int lda, long long int stride_a,
    const void *B, cudaDataType type_b, int ldb, long long int stride_b, const void *beta, void *C,
    cudaDataType type_c, int ldc, long long int stride_c, int count, cublasComputeType_t compute,
    cublasGemmAlgo_t algorithm)
{
    (void)algorithm;
    const struct rd_sim_host_call call = RD_HOST_CALL("cublasGemmStridedBatchedEx");
    struct product p = {CUDA_R_32F, type_a, type_b, type_c,   opa,      opb,      m,
                        n,          k,      alpha,  A,        B,        beta,     C,
                        lda,        ldb,    ldc,    stride_a, stride_b, stride_c, .count = count};
    return gemm_ex(&call, handle, &p, compute);
}
