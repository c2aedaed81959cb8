// SPDX-License-Identifier: MIT
#include "device/sim/libraries/blas.h"
#include "element/half_bits.h"
#include "element/type_facts.h"

#include <stdlib.h>
#include <string.h>

/* ---- elements ---- */

unsigned rd_blas_bytes(cudaDataType type)
{
    switch (type) {
    case CUDA_R_16F:
    case CUDA_R_16BF:
        return 2;
    case CUDA_R_32F:
        return 4;
    case CUDA_R_64F:
        return 8;
    default:
        return 0;
    }
}

double rd_blas_load(cudaDataType type, const void *at, long long index)
{
    switch (type) {
    case CUDA_R_32F:
        return (double)((const float *)at)[index];
    case CUDA_R_64F:
        return ((const double *)at)[index];
    case CUDA_R_16F:
        return rd_half_value(((const uint16_t *)at)[index], DIGITS_f16, LEAST_EXPONENT_f16);
    default:
        return rd_half_value(((const uint16_t *)at)[index], DIGITS_bf16, LEAST_EXPONENT_bf16);
    }
}

void rd_blas_store(cudaDataType type, void *at, long long index, double value)
{
    switch (type) {
    case CUDA_R_32F:
        ((float *)at)[index] = (float)value;
        break;
    case CUDA_R_64F:
        ((double *)at)[index] = value;
        break;
    case CUDA_R_16F:
        ((uint16_t *)at)[index] = rd_half_nearest(value, DIGITS_f16, LEAST_EXPONENT_f16);
        break;
    default:
        ((uint16_t *)at)[index] = rd_half_nearest(value, DIGITS_bf16, LEAST_EXPONENT_bf16);
        break;
    }
}

double rd_blas_alpha(const struct rd_blas_work *work)
{
    return work->alpha ? rd_blas_load(work->type, work->alpha, 0) : work->alpha_value;
}

double rd_blas_beta(const struct rd_blas_work *work)
{
    return work->beta ? rd_blas_load(work->type, work->beta, 0) : work->beta_value;
}

/* ---- products of matrices ---- */

/* op(A) by columns, in doubles. */
static void unpack(double *to, const struct rd_blas_array *from)
{
    const int rows = from->transposed ? from->cols : from->rows;
    for (int j = 0; j < from->cols; j++)
        for (int i = 0; i < from->rows; i++) {
            double value = rd_blas_load(from->type, from->at, (long long)j * from->step + i);
            if (from->transposed)
                to[(size_t)i * (size_t)rows + (size_t)j] = value;
            else
                to[(size_t)j * (size_t)rows + (size_t)i] = value;
        }
}

/* Adds to so many columns of a product, side by side. */
enum { COLUMNS = 4 };

static void add_columns(double *restrict sums, const double *restrict a, const double *restrict b,
                        int m, int k, int columns)
{
    const size_t rows = (size_t)m, depth = (size_t)k;
    for (size_t l = 0; l < depth; l++) {
        const double *column = a + l * rows;
        const double b0 = b[l], b1 = columns > 1 ? b[depth + l] : 0,
                     b2 = columns > 2 ? b[2 * depth + l] : 0,
                     b3 = columns > 3 ? b[3 * depth + l] : 0;
        if (columns == COLUMNS)
            for (size_t i = 0; i < rows; i++) {
                sums[i] += column[i] * b0;
                sums[rows + i] += column[i] * b1;
                sums[2 * rows + i] += column[i] * b2;
                sums[3 * rows + i] += column[i] * b3;
            }
        for (size_t j = 0; columns < COLUMNS && j < (size_t)columns; j++)
            for (size_t i = 0; i < rows; i++)
                sums[j * rows + i] += column[i] * b[j * depth + l];
    }
}

static void multiply(const struct rd_blas_work *work, const struct rd_blas_array *c, double *room)
{
    const size_t m = (size_t)c->rows, k = (size_t)work->k;
    const double alpha = rd_blas_alpha(work), beta = rd_blas_beta(work);
    double *a = room, *b = a + m * k, *sums = b + k * (size_t)c->cols;
    if (alpha != 0) { /* else they are not read */
        unpack(a, &work->a);
        unpack(b, &work->b);
    }
    for (int j = 0; j < c->cols; j += COLUMNS) {
        int columns = c->cols - j < COLUMNS ? c->cols - j : COLUMNS;
        memset(sums, 0, m * (size_t)columns * sizeof *sums);
        if (alpha != 0)
            add_columns(sums, a, b + (size_t)j * k, c->rows, work->k, columns);
        for (int x = 0; x < columns; x++)
            for (size_t i = 0; i < m; i++) {
                long long at = (long long)(j + x) * c->step + (long long)i;
                double before = beta == 0 ? 0 : beta * rd_blas_load(c->type, c->at, at);
                double sum = alpha == 0 ? 0 : alpha * sums[(size_t)x * m + i];
                rd_blas_store(c->type, c->at, at, sum + before);
            }
    }
}

static void *moved(const struct rd_blas_array *array, void *const *all, long long stride, int k)
{
    return all ? all[k] : (char *)array->at + k * stride * (long long)rd_blas_bytes(array->type);
}

void rd_blas_gemm(const struct rd_blas_work *work)
{
    const size_t m = (size_t)work->c.rows, n = (size_t)work->c.cols, k = (size_t)work->k;
    double *room = calloc(m * k + k * n + m * COLUMNS + 1, sizeof *room);
    if (!room) {
        rd_sim_runtime_lacks("a product of matrices: no memory for it");
        return;
    }
    for (int which = 0; which < work->count; which++) {
        struct rd_blas_work one = *work;
        one.a.at = moved(&work->a, work->all_a, work->stride_a, which);
        one.b.at = moved(&work->b, work->all_b, work->stride_b, which);
        one.c.at = moved(&work->c, work->all_c, work->stride_c, which);
        multiply(&one, &one.c, room);
    }
    free(room);
}
