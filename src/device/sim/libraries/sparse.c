// SPDX-License-Identifier: MIT
/* Sparse matrices with vectors and matrices, solved and factored, by plain code. */
#include "device/sim/libraries/sparse.h"
#include "device/sim/libraries/blas.h"

#include <stdlib.h>

/* ---- elements ---- */

static int64_t index_at(const void *all, cusparseIndexType_t type, int64_t k)
{
    return type == CUSPARSE_INDEX_64I   ? ((const int64_t *)all)[k]
           : type == CUSPARSE_INDEX_16U ? ((const uint16_t *)all)[k]
                                        : ((const int32_t *)all)[k];
}

static double value_at(const struct cusparseSpMatDescr *a, int64_t k)
{
    return rd_blas_load(a->type, a->values, k);
}

static int64_t col_at(const struct cusparseSpMatDescr *a, int64_t k)
{
    return index_at(a->cols_at, a->col_type, k) - a->base;
}

/* Of a matrix by rows: where a row begins. */
static int64_t begin_of(const struct cusparseSpMatDescr *a, int64_t row)
{
    return index_at(a->rows_at, a->row_type, row) - a->base;
}

static int64_t place(const struct rd_sparse_dense *dense, int64_t i, int64_t j)
{
    const int64_t row = dense->transposed ? j : i, col = dense->transposed ? i : j;
    return dense->order == CUSPARSE_ORDER_ROW ? row * dense->ld + col : col * dense->ld + row;
}

/* ---- indices ---- */

static bool tell(const struct rd_sparse_work *work, const char *what, int64_t at, int64_t value,
                 int64_t least, int64_t most)
{
    const struct rd_sim_host_finding finding = {
        .hazard = RD_HAZARD_OUT_OF_BOUNDS,
        .place = work->call.place,
        .lesson =
            "Indices of a sparse matrix must stay in it, from its base on, and offsets of rows "
            "must rise from the base to that and the number of elements.",
    };
    rd_sim_host_tell(&finding, "%s is given a matrix whose %s %lld is %lld, not from %lld to %lld,",
                     work->call.name, what, (long long)at, (long long)value, (long long)least,
                     (long long)most);
    return false;
}

/* Tells whether all indices are within the matrix; of one that isn't, it is told. */
static bool is_sound(const struct rd_sparse_work *work)
{
    const struct cusparseSpMatDescr *a = &work->a;
    const int64_t base = a->base;
    for (int64_t k = 0; k < a->nnz; k++) {
        if (col_at(a, k) < 0 || col_at(a, k) >= a->cols)
            return tell(work, "column index", k, col_at(a, k) + base, base, base + a->cols - 1);
        if (a->is_coo && (begin_of(a, k) < 0 || begin_of(a, k) >= a->rows))
            return tell(work, "row index", k, begin_of(a, k) + base, base, base + a->rows - 1);
    }
    for (int64_t row = 0, before = 0; !a->is_coo && row <= a->rows; row++) {
        const int64_t begin = begin_of(a, row), least = row < a->rows ? before : a->nnz;
        if (begin < least || begin > (row == 0 ? 0 : a->nnz))
            return tell(work, "row offset", row, begin + base, least + base,
                        (row == 0 ? 0 : a->nnz) + base);
        before = begin;
    }
    return true;
}

static double scalar(const struct rd_sparse_work *work, const void *at, double value)
{
    return at ? rd_blas_load(work->compute, at, 0) : value;
}

static bool has_room(const void *room)
{
    if (!room)
        rd_sim_runtime_lacks("a sparse matrix: no memory for it");
    return room;
}

/* ---- products ---- */

static void add(const struct rd_sparse_work *work, int64_t row, int64_t k, int64_t column,
                double *sums)
{
    const int64_t col = col_at(&work->a, k), from = work->transposed ? row : col,
                  to = work->transposed ? col : row;
    sums[to] += value_at(&work->a, k) *
                rd_blas_load(work->x.type, work->x.values, place(&work->x, from, column));
}

static void multiply_column(const struct rd_sparse_work *work, int64_t column, double *sums,
                            int64_t n)
{
    const struct cusparseSpMatDescr *a = &work->a;
    const double alpha = scalar(work, work->alpha, work->alpha_value),
                 beta = scalar(work, work->beta, work->beta_value);
    for (int64_t k = 0; k < n; k++)
        sums[k] = 0;
    for (int64_t k = 0; a->is_coo && k < a->nnz; k++)
        add(work, begin_of(a, k), k, column, sums);
    for (int64_t row = 0; !a->is_coo && row < a->rows; row++)
        for (int64_t k = begin_of(a, row); k < begin_of(a, row + 1); k++)
            add(work, row, k, column, sums);
    for (int64_t k = 0; k < n; k++) {
        const int64_t at = place(&work->y, k, column);
        const double before = beta == 0 ? 0 : beta * rd_blas_load(work->y.type, work->y.values, at);
        rd_blas_store(work->y.type, work->y.values, at, alpha * sums[k] + before);
    }
}

void rd_sparse_multiply(const void *closure)
{
    const struct rd_sparse_work *work = closure;
    const int64_t n = work->transposed ? work->a.cols : work->a.rows;
    if (!is_sound(work))
        return;
    double *sums = calloc((size_t)n + 1, sizeof *sums);
    for (int64_t column = 0; has_room(sums) && column < work->y.cols; column++)
        multiply_column(work, column, sums, n);
    free(sums);
}

/* ---- triangles ---- */

/* Adds what is known of the row to its sum, or takes the row's own number from the sums of others. */
static void solve_row(const struct rd_sparse_work *work, int64_t row, double *x)
{
    const struct cusparseSpMatDescr *a = &work->a;
    const bool lower = a->fill == CUSPARSE_FILL_MODE_LOWER;
    double diagonal = a->diag == CUSPARSE_DIAG_TYPE_UNIT ? 1 : 0;
    for (int64_t k = begin_of(a, row); k < begin_of(a, row + 1); k++) {
        const int64_t col = col_at(a, k);
        if (col == row && a->diag != CUSPARSE_DIAG_TYPE_UNIT)
            diagonal += value_at(a, k);
        else if (!work->transposed && (lower ? col < row : col > row))
            x[row] -= value_at(a, k) * x[col];
    }
    x[row] /= diagonal;
    for (int64_t k = begin_of(a, row); work->transposed && k < begin_of(a, row + 1); k++) {
        const int64_t col = col_at(a, k);
        if (lower ? col < row : col > row)
            x[col] -= value_at(a, k) * x[row];
    }
}

void rd_sparse_solve(const void *closure)
{
    const struct rd_sparse_work *work = closure;
    const struct cusparseSpMatDescr *a = &work->a;
    const double alpha = scalar(work, work->alpha, work->alpha_value);
    if (!is_sound(work))
        return;
    double *x = calloc((size_t)a->rows + 1, sizeof *x);
    if (!has_room(x))
        return;
    for (int64_t k = 0; k < a->rows; k++)
        x[k] = alpha * rd_blas_load(work->x.type, work->x.values, k);
    const bool upwards = (a->fill == CUSPARSE_FILL_MODE_LOWER) != work->transposed;
    for (int64_t k = 0; k < a->rows; k++)
        solve_row(work, upwards ? k : a->rows - 1 - k, x);
    for (int64_t k = 0; k < a->rows; k++)
        rd_blas_store(work->y.type, work->y.values, k, x[k]);
    free(x);
}

/* ---- factors ---- */

/* Where the row has an element in each column; -1: nowhere. */
static void find_columns(const struct cusparseSpMatDescr *a, int64_t row, int64_t *at, bool clears)
{
    for (int64_t k = begin_of(a, row); k < begin_of(a, row + 1); k++)
        at[col_at(a, k)] = clears ? -1 : k;
}

static void factor_row(const struct rd_sparse_work *work, int64_t row, const int64_t *at,
                       const int64_t *diagonal, double *values)
{
    const struct cusparseSpMatDescr *a = &work->a;
    for (int64_t k = begin_of(a, row); k < begin_of(a, row + 1); k++) {
        const int64_t col = col_at(a, k);
        if (col >= row || diagonal[col] < 0)
            continue;
        values[k] /= values[diagonal[col]];
        for (int64_t l = diagonal[col] + 1; l < begin_of(a, col + 1); l++)
            if (at[col_at(a, l)] >= 0)
                values[at[col_at(a, l)]] -= values[k] * values[l];
    }
}

void rd_sparse_factor(const void *closure)
{
    const struct rd_sparse_work *work = closure;
    const struct cusparseSpMatDescr *a = &work->a;
    const size_t n = (size_t)a->rows;
    if (!is_sound(work))
        return;
    double *values = calloc((size_t)a->nnz + 1, sizeof *values);
    int64_t *at = calloc(2 * n + 1, sizeof *at), *diagonal = at ? at + n : NULL;
    work->info->zero_pivot = -1;
    for (int64_t k = 0; values && k < a->nnz; k++)
        values[k] = value_at(a, k);
    for (size_t k = 0; at && k < 2 * n; k++)
        at[k] = -1;
    for (int64_t row = 0; has_room(values) && has_room(at) && row < a->rows; row++) {
        find_columns(a, row, at, false);
        diagonal[row] = at[row];
        factor_row(work, row, at, diagonal, values);
        if ((at[row] < 0 || values[at[row]] == 0) && work->info->zero_pivot < 0)
            work->info->zero_pivot = row + a->base;
        find_columns(a, row, at, true);
    }
    for (int64_t k = 0; values && at && k < a->nnz; k++)
        rd_blas_store(a->type, a->values, k, values[k]);
    free(values);
    free(at);
}
