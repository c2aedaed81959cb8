// SPDX-License-Identifier: MIT
/* cuBLAS: factors, inverses and solutions of many small matrices. P A = L U, by rows exchanged for the largest in each column
 * (Golub and Van Loan, Matrix Computations, 3.4). */
#include "device/sim/api/hooks.h"
#include "device/sim/libraries/blas.h"

#include <math.h>
#include <stdlib.h>

enum { BOTH = RD_SIM_IS_READ | RD_SIM_IS_WRITTEN, INVERSE_MAX = 32 };

/* ---- one matrix, by columns, in doubles ---- */

static void exchange_rows(double *a, size_t n, size_t cols, size_t i, size_t j)
{
    for (size_t k = 0; i != j && k < cols; k++) {
        const double x = a[k * n + i];
        a[k * n + i] = a[k * n + j];
        a[k * n + j] = x;
    }
}

static size_t largest_below(const double *a, size_t n, size_t column)
{
    size_t best = column;
    for (size_t i = column + 1; i < n; i++)
        if (fabs(a[column * n + i]) > fabs(a[column * n + best]))
            best = i;
    return best;
}

/* Gives the number of the first column, from 1 on, whose pivot is 0; 0: none. `pivots`, from 1 on, or NULL: no rows are exchanged. */
static int factor(double *a, size_t n, int *pivots)
{
    int info = 0;
    for (size_t k = 0; k < n; k++) {
        const size_t best = pivots ? largest_below(a, n, k) : k;
        if (pivots)
            pivots[k] = (int)best + 1;
        exchange_rows(a, n, n, k, best);
        if (a[k * n + k] == 0) {
            info = info ? info : (int)k + 1;
            continue;
        }
        for (size_t i = k + 1; i < n; i++)
            a[k * n + i] /= a[k * n + k];
        for (size_t j = k + 1; j < n; j++)
            for (size_t i = k + 1; i < n; i++)
                a[j * n + i] -= a[k * n + i] * a[j * n + k];
    }
    return info;
}

static int zero_pivot(const double *a, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (a[k * n + k] == 0)
            return (int)k + 1;
    return 0;
}

/* Solves A x = b, or with the transpose of A, for each column of b; pivots are 1 to n. */
static void solve(const double *a, size_t n, const int *pivots, double *b, size_t cols, bool turned)
{
    for (size_t k = 0; pivots && !turned && k < n; k++)
        exchange_rows(b, n, cols, k, (size_t)pivots[k] - 1);
    for (size_t j = 0; j < cols; j++) {
        double *x = b + j * n;
        for (size_t i = 0; i < n; i++) /* L, or the transpose of U */
            for (size_t k = 0; k <= i; k++)
                if (k < i)
                    x[i] -= (turned ? a[i * n + k] : a[k * n + i]) * x[k];
                else if (turned)
                    x[i] /= a[i * n + i];
        for (size_t i = n; i-- > 0;) { /* U, or the transpose of L */
            for (size_t k = i + 1; k < n; k++)
                x[i] -= (turned ? a[i * n + k] : a[k * n + i]) * x[k];
            if (!turned)
                x[i] /= a[i * n + i];
        }
    }
    for (size_t k = n; pivots && turned && k-- > 0;)
        exchange_rows(b, n, cols, k, (size_t)pivots[k] - 1);
}

/* ---- all of them ---- */

static void load(double *to, const struct rd_blas_array *from, const void *at)
{
    for (int j = 0; j < from->cols; j++)
        for (int i = 0; i < from->rows; i++)
            to[(size_t)j * (size_t)from->rows + (size_t)i] =
                rd_blas_load(from->type, at, from->step * j + i);
}

static void store(const double *from, const struct rd_blas_array *to, void *at)
{
    for (int j = 0; j < to->cols; j++)
        for (int i = 0; i < to->rows; i++)
            rd_blas_store(to->type, at, to->step * j + i,
                          from[(size_t)j * (size_t)to->rows + (size_t)i]);
}

static void set_unit(double *a, size_t n)
{
    for (size_t k = 0; k < n * n; k++)
        a[k] = k % (n + 1) == 0;
}

/* Tells whether pivots are rows of the matrix; of those that aren't, it is said that nothing was made of them. */
static bool are_rows(const int *pivots, int n)
{
    for (int k = 0; pivots && k < n; k++)
        if (pivots[k] < 1 || pivots[k] > n) {
            rd_sim_runtime_lacks("factors of a matrix whose pivots are not from 1 to %d", n);
            return false;
        }
    return true;
}

static double *room_of(const struct rd_blas_work *work)
{
    const size_t n = (size_t)work->a.rows, cols = (size_t)work->c.cols;
    double *room = calloc(n * n + n * cols + 1, sizeof *room);
    if (!room)
        rd_sim_runtime_lacks("factors of matrices: no memory for them");
    return room;
}

static void run_factor(const struct rd_blas_work *work)
{
    const size_t n = (size_t)work->a.rows;
    double *a = room_of(work);
    for (int which = 0; a && which < work->count; which++) {
        load(a, &work->a, work->all_a[which]);
        const int info = factor(a, n, work->pivots ? work->pivots + (size_t)which * n : NULL);
        store(a, &work->a, work->all_a[which]);
        if (work->infos)
            work->infos[which] = info;
    }
    free(a);
}

/* Of factors, or (work->k) of the matrices themselves. */
static void run_invert(const struct rd_blas_work *work)
{
    const size_t n = (size_t)work->a.rows;
    double *a = room_of(work), *c = a ? a + n * n : NULL;
    int *own = calloc(n + 1, sizeof *own);
    for (int which = 0; a && own && which < work->count; which++) {
        const int *pivots = work->k ? own : !work->pivots ? NULL : work->pivots + (size_t)which * n;
        load(a, &work->a, work->all_a[which]);
        const int info = work->k ? factor(a, n, own) : zero_pivot(a, n);
        if (work->infos)
            work->infos[which] = info;
        if (info || !are_rows(pivots, (int)n))
            continue;
        set_unit(c, n);
        solve(a, n, pivots, c, n, false);
        store(c, &work->c, work->all_c[which]);
    }
    free(a);
    free(own);
}

static void run_solve(const struct rd_blas_work *work)
{
    const size_t n = (size_t)work->a.rows;
    double *a = room_of(work), *c = a ? a + n * n : NULL;
    for (int which = 0; a && which < work->count; which++) {
        const int *pivots = work->pivots ? work->pivots + (size_t)which * n : NULL;
        if (!are_rows(pivots, (int)n))
            continue;
        load(a, &work->a, work->all_a[which]);
        load(c, &work->c, work->all_c[which]);
        solve(a, n, pivots, c, (size_t)work->c.cols, work->a.transposed);
        store(c, &work->c, work->all_c[which]);
    }
    free(a);
}

/* ---- calls ---- */

/* So many matrices of n columns, and others of `cols`. */
struct many {
    cudaDataType type;
    int n, cols, lda, ldc, count;
    const void *const *all_a, *const *all_c;
    unsigned use_a, use_c, use_pivots;
    int *pivots, *infos;
    bool whole, turned;
};

static void take_ints(struct rd_blas_call *call, const char *name, const int *at, size_t n,
                      unsigned use)
{
    const struct rd_sim_operand operand = {name, at, n * sizeof *at, n * sizeof *at, 1, use};
    if (at)
        rd_blas_operand_is(call, &operand);
}

static void take(struct rd_blas_call *call, const struct many *m)
{
    const size_t first = call->n;
    rd_blas_pointers(call, "the pointers to A", m->all_a, m->count);
    if (m->all_c)
        rd_blas_pointers(call, "the pointers to C", m->all_c, m->count);
    take_ints(call, "the pivots", m->pivots, (size_t)m->n * (size_t)m->count, m->use_pivots);
    take_ints(call, "the infos", m->infos, (size_t)m->count, RD_SIM_IS_WRITTEN);
    if (!rd_blas_can_read(call, first))
        return;
    for (int k = 0; k < m->count; k++) {
        call->work.a =
            rd_blas_matrix(call, "A", m->use_a, m->type, m->all_a[k], m->n, m->n, m->lda);
        if (m->all_c)
            call->work.c =
                rd_blas_matrix(call, "C", m->use_c, m->type, m->all_c[k], m->n, m->cols, m->ldc);
    }
}

static cublasStatus_t make(const struct rd_sim_host_call *call, cublasHandle_t handle,
                           const struct many *m, void (*run)(const struct rd_blas_work *))
{
    struct rd_blas_call blas;
    if (!rd_blas_begin(&blas, call, handle, m->type))
        return blas.begun;
    const bool is_empty = m->n <= 0 || m->cols <= 0 || m->count <= 0;
    rd_blas_wants(&blas, m->n >= 0 && m->cols >= 0 && m->count >= 0,
                  "n or the number of matrices is negative");
    rd_blas_wants(&blas, !m->whole || m->n <= INVERSE_MAX, "n is more than 32");
    if (!is_empty)
        take(&blas, m);
    blas.work.a.transposed = m->turned;
    blas.work.k = m->whole;
    blas.work.all_a = (void *const *)m->all_a;
    blas.work.all_c = (void *const *)m->all_c;
    blas.work.pivots = m->pivots;
    blas.work.infos = m->infos;
    blas.work.count = m->count;
    return rd_blas_finish(&blas, run, is_empty);
}

#define RD_FACTORS(S, T, of)                                                                       \
    RD_HOOK cublasStatus_t cublas##S##getrfBatched(cublasHandle_t handle, int n, T *const A[],     \
                                                   int lda, int *pivots, int *infos, int count)    \
    {                                                                                              \
        const struct rd_sim_host_call call = RD_HOST_CALL("cublas" #S "getrfBatched");             \
        const struct many many = {.type = of,                                                      \
                                  .n = n,                                                          \
                                  .cols = n,                                                       \
                                  .lda = lda,                                                      \
                                  .count = count,                                                  \
                                  .all_a = (const void *const *)A,                                 \
                                  .use_a = BOTH,                                                   \
                                  .use_pivots = RD_SIM_IS_WRITTEN,                                 \
                                  .pivots = pivots,                                                \
                                  .infos = infos};                                                 \
        return make(&call, handle, &many, run_factor);                                             \
    }                                                                                              \
    RD_HOOK cublasStatus_t cublas##S##getriBatched(cublasHandle_t handle, int n,                   \
                                                   const T *const A[], int lda, const int *pivots, \
                                                   T *const C[], int ldc, int *infos, int count)   \
    {                                                                                              \
        const struct rd_sim_host_call call = RD_HOST_CALL("cublas" #S "getriBatched");             \
        const struct many many = {.type = of,                                                      \
                                  .n = n,                                                          \
                                  .cols = n,                                                       \
                                  .lda = lda,                                                      \
                                  .ldc = ldc,                                                      \
                                  .count = count,                                                  \
                                  .all_a = (const void *const *)A,                                 \
                                  .all_c = (const void *const *)C,                                 \
                                  .use_a = RD_SIM_IS_READ,                                         \
                                  .use_c = RD_SIM_IS_WRITTEN,                                      \
                                  .use_pivots = RD_SIM_IS_READ,                                    \
                                  .pivots = (int *)pivots,                                         \
                                  .infos = infos};                                                 \
        return make(&call, handle, &many, run_invert);                                             \
    }                                                                                              \
    RD_HOOK cublasStatus_t cublas##S##matinvBatched(cublasHandle_t handle, int n,                  \
                                                    const T *const A[], int lda, T *const C[],     \
                                                    int ldc, int *infos, int count)                \
    {                                                                                              \
        const struct rd_sim_host_call call = RD_HOST_CALL("cublas" #S "matinvBatched");            \
        const struct many many = {.type = of,                                                      \
                                  .n = n,                                                          \
                                  .cols = n,                                                       \
                                  .lda = lda,                                                      \
                                  .ldc = ldc,                                                      \
                                  .count = count,                                                  \
                                  .all_a = (const void *const *)A,                                 \
                                  .all_c = (const void *const *)C,                                 \
                                  .use_a = RD_SIM_IS_READ,                                         \
                                  .use_c = RD_SIM_IS_WRITTEN,                                      \
                                  .infos = infos,                                                  \
                                  .whole = true};                                                  \
        return make(&call, handle, &many, run_invert);                                             \
    }                                                                                              \
    /* Its info is the host's: of the arguments, which are told otherwise. */                      \
    RD_HOOK cublasStatus_t cublas##S##getrsBatched(                                                \
        cublasHandle_t handle, cublasOperation_t op, int n, int n_right, const T *const A[],       \
        int lda, const int *pivots, T *const B[], int ldb, int *info, int count)                   \
    {                                                                                              \
        const struct rd_sim_host_call call = RD_HOST_CALL("cublas" #S "getrsBatched");             \
        const struct many many = {.type = of,                                                      \
                                  .n = n,                                                          \
                                  .cols = n_right,                                                 \
                                  .lda = lda,                                                      \
                                  .ldc = ldb,                                                      \
                                  .count = count,                                                  \
                                  .all_a = (const void *const *)A,                                 \
                                  .all_c = (const void *const *)B,                                 \
                                  .use_a = RD_SIM_IS_READ,                                         \
                                  .use_c = BOTH,                                                   \
                                  .use_pivots = RD_SIM_IS_READ,                                    \
                                  .pivots = (int *)pivots,                                         \
                                  .turned = op != CUBLAS_OP_N};                                    \
        if (info)                                                                                  \
            *info = 0;                                                                             \
        return make(&call, handle, &many, run_solve);                                              \
    }
RD_FACTORS(S, float, CUDA_R_32F)
RD_FACTORS(D, double, CUDA_R_64F)
