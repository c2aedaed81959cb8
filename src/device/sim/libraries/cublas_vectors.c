// SPDX-License-Identifier: MIT
/* cuBLAS, level 1: functions of vectors. */
#include "device/sim/api/hooks.h"
#include "device/sim/libraries/blas.h"

#include <math.h>

static double at(const struct rd_blas_array *x, int k)
{
    return rd_blas_load(x->type, x->at, x->step * k);
}

static void set(const struct rd_blas_array *x, int k, double value)
{
    rd_blas_store(x->type, x->at, x->step * k, value);
}

static void give(const struct rd_blas_work *work, double value)
{
    rd_blas_store(work->type, (void *)work->result, 0, value);
}

/* ---- what is computed ---- */

static void run_asum(const struct rd_blas_work *work)
{
    long double sum = 0;
    for (int k = 0; k < work->a.rows; k++)
        sum += fabs(at(&work->a, k));
    give(work, (double)sum);
}

static void run_nrm2(const struct rd_blas_work *work)
{
    long double sum = 0;
    for (int k = 0; k < work->a.rows; k++)
        sum += (long double)at(&work->a, k) * at(&work->a, k);
    give(work, (double)sqrtl(sum));
}

static void run_dot(const struct rd_blas_work *work)
{
    long double sum = 0;
    for (int k = 0; k < work->a.rows; k++)
        sum += (long double)at(&work->a, k) * at(&work->b, k);
    give(work, (double)sum);
}

static void run_axpy(const struct rd_blas_work *work)
{
    const double alpha = rd_blas_alpha(work);
    for (int k = 0; k < work->a.rows; k++)
        set(&work->c, k, alpha * at(&work->a, k) + at(&work->c, k));
}

static void run_copy(const struct rd_blas_work *work)
{
    for (int k = 0; k < work->a.rows; k++)
        set(&work->c, k, at(&work->a, k));
}

static void run_swap(const struct rd_blas_work *work)
{
    for (int k = 0; k < work->a.rows; k++) {
        double x = at(&work->a, k);
        set(&work->a, k, at(&work->c, k));
        set(&work->c, k, x);
    }
}

static void run_scal(const struct rd_blas_work *work)
{
    const double alpha = rd_blas_alpha(work);
    for (int k = 0; k < work->c.rows; k++)
        set(&work->c, k, alpha * at(&work->c, k));
}

/* The first of the largest, or the smallest, from 1 on. */
static void find_extreme(const struct rd_blas_work *work, bool largest)
{
    int found = 0;
    for (int k = 1; k < work->a.rows; k++) {
        double x = fabs(at(&work->a, k)), best = fabs(at(&work->a, found));
        if (largest ? x > best : x < best)
            found = k;
    }
    *(int *)work->result = found + 1;
}

static void run_amax(const struct rd_blas_work *work)
{
    find_extreme(work, true);
}

static void run_amin(const struct rd_blas_work *work)
{
    find_extreme(work, false);
}

static void run_zero(const struct rd_blas_work *work)
{
    if (work->k)
        *(int *)work->result = 0;
    else
        give(work, 0);
}

/* ---- calls ---- */

/* A number of one vector, or of two. */
static cublasStatus_t reduce(const struct rd_sim_host_call *call, cublasHandle_t handle,
                             cudaDataType type, int n, const void *x, int incx, const void *y,
                             int incy, void *result, void (*run)(const struct rd_blas_work *))
{
    struct rd_blas_call blas;
    bool is_index = run == run_amax || run == run_amin;
    if (!rd_blas_begin(&blas, call, handle, type))
        return blas.begun;
    bool is_empty = n <= 0 || (incx <= 0 && !y); /* its result is 0 */
    rd_blas_result_is(&blas, result, is_index ? (unsigned)sizeof(int) : rd_blas_bytes(type));
    if (!is_empty) {
        blas.work.a = rd_blas_vector(&blas, "x", RD_SIM_IS_READ, x, n, incx);
        if (y)
            blas.work.b = rd_blas_vector(&blas, "y", RD_SIM_IS_READ, y, n, incy);
    }
    blas.work.k = is_index;
    return rd_blas_finish(&blas, is_empty ? run_zero : run, false);
}

/* The use of x, and of y, in a function that gives no number. */
static cublasStatus_t change(const struct rd_sim_host_call *call, cublasHandle_t handle,
                             cudaDataType type, int n, const void *alpha, const void *x, int incx,
                             unsigned use_x, void *y, int incy, unsigned use_y,
                             void (*run)(const struct rd_blas_work *))
{
    struct rd_blas_call blas;
    if (!rd_blas_begin(&blas, call, handle, type))
        return blas.begun;
    if (run == run_axpy || run == run_scal)
        rd_blas_alpha_is(&blas, alpha);
    if (n > 0 && use_x)
        blas.work.a = rd_blas_vector(&blas, "x", use_x, x, n, incx);
    if (n > 0)
        blas.work.c = rd_blas_vector(&blas, use_x ? "y" : "x", use_y, y, n, incy);
    return rd_blas_finish(&blas, run, n <= 0 || (!use_x && incy <= 0));
}

#define RD_VECTORS(S, s, T, type)                                                                  \
    RD_BLAS_FUNCTION(I##s##amax, _v2,                                                              \
                     (cublasHandle_t handle, int n, const T *x, int incx, int *result),            \
                     reduce(&call, handle, type, n, x, incx, NULL, 0, result, run_amax))           \
    RD_BLAS_FUNCTION(I##s##amin, _v2,                                                              \
                     (cublasHandle_t handle, int n, const T *x, int incx, int *result),            \
                     reduce(&call, handle, type, n, x, incx, NULL, 0, result, run_amin))           \
    RD_BLAS_FUNCTION(S##asum, _v2,                                                                 \
                     (cublasHandle_t handle, int n, const T *x, int incx, T *result),              \
                     reduce(&call, handle, type, n, x, incx, NULL, 0, result, run_asum))           \
    RD_BLAS_FUNCTION(S##nrm2, _v2,                                                                 \
                     (cublasHandle_t handle, int n, const T *x, int incx, T *result),              \
                     reduce(&call, handle, type, n, x, incx, NULL, 0, result, run_nrm2))           \
    RD_BLAS_FUNCTION(                                                                              \
        S##dot, _v2,                                                                               \
        (cublasHandle_t handle, int n, const T *x, int incx, const T *y, int incy, T *result),     \
        reduce(&call, handle, type, n, x, incx, y, incy, result, run_dot))                         \
    RD_BLAS_FUNCTION(                                                                              \
        S##axpy, _v2,                                                                              \
        (cublasHandle_t handle, int n, const T *alpha, const T *x, int incx, T *y, int incy),      \
        change(&call, handle, type, n, alpha, x, incx, RD_SIM_IS_READ, y, incy,                    \
               RD_SIM_IS_READ | RD_SIM_IS_WRITTEN, run_axpy))                                      \
    RD_BLAS_FUNCTION(S##copy, _v2,                                                                 \
                     (cublasHandle_t handle, int n, const T *x, int incx, T *y, int incy),         \
                     change(&call, handle, type, n, NULL, x, incx, RD_SIM_IS_READ, y, incy,        \
                            RD_SIM_IS_WRITTEN, run_copy))                                          \
    RD_BLAS_FUNCTION(S##swap, _v2, (cublasHandle_t handle, int n, T *x, int incx, T *y, int incy), \
                     change(&call, handle, type, n, NULL, x, incx,                                 \
                            RD_SIM_IS_READ | RD_SIM_IS_WRITTEN, y, incy,                           \
                            RD_SIM_IS_READ | RD_SIM_IS_WRITTEN, run_swap))                         \
    RD_BLAS_FUNCTION(S##scal, _v2, (cublasHandle_t handle, int n, const T *alpha, T *x, int incx), \
                     change(&call, handle, type, n, alpha, NULL, 0, 0, x, incx,                    \
                            RD_SIM_IS_READ | RD_SIM_IS_WRITTEN, run_scal))
RD_VECTORS(S, s, float, CUDA_R_32F)
RD_VECTORS(D, d, double, CUDA_R_64F)
