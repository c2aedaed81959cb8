// SPDX-License-Identifier: MIT
/* What a call of cuSPARSE's works on. Each number is computed in double precision, and rounded once to the type of the result. */
#ifndef RD_SIM_LIBRARIES_SPARSE_H
#define RD_SIM_LIBRARIES_SPARSE_H

#include "device/sim/libraries/cusparse.h"
#include "device/sim/runtime/libraries.h"

/* Each begins with a mark of its kind, as long as it is there. */
enum rd_sparse_mark {
    RD_SPARSE_GONE,
    RD_SPARSE_HANDLE = 0x73705361,
    RD_SPARSE_DESCR,
    RD_SPARSE_MATRIX,
    RD_SPARSE_VECTOR,
    RD_SPARSE_DENSE,
    RD_SPARSE_SOLVER,
    RD_SPARSE_ILU,
};

struct cusparseContext {
    enum rd_sparse_mark mark;
    cudaStream_t stream;
    cusparsePointerMode_t pointer_mode;
};

struct cusparseMatDescr {
    enum rd_sparse_mark mark;
    cusparseMatrixType_t type;
    cusparseFillMode_t fill;
    cusparseDiagType_t diag;
    cusparseIndexBase_t base;
};

struct cusparseSpMatDescr {
    enum rd_sparse_mark mark;
    bool is_coo; /* `rows_at` has a row for each element, not an offset for each row */
    int64_t rows, cols, nnz;
    const void *rows_at, *cols_at;
    void *values;
    cusparseIndexType_t row_type, col_type;
    cusparseIndexBase_t base;
    cudaDataType type;
    cusparseFillMode_t fill;
    cusparseDiagType_t diag;
};

/* A vector is a matrix of one column. */
struct rd_sparse_dense {
    int64_t rows, cols, ld;
    void *values;
    cudaDataType type;
    cusparseOrder_t order;
    bool transposed;
};

struct cusparseDnVecDescr {
    enum rd_sparse_mark mark;
    struct rd_sparse_dense dense;
};

struct cusparseDnMatDescr {
    enum rd_sparse_mark mark;
    struct rd_sparse_dense dense;
};

struct cusparseSpSVDescr {
    enum rd_sparse_mark mark;
    bool is_analysed;
};

struct csrilu02Info {
    enum rd_sparse_mark mark;
    bool is_analysed;
    int64_t zero_pivot; /* with its base; -1: none */
};

struct rd_sparse_work {
    struct rd_sim_host_call call;
    struct cusparseSpMatDescr a;
    bool transposed;
    struct rd_sparse_dense x, y;
    cudaDataType compute;
    const void *alpha, *beta; /* of the device; NULL: the value is there */
    double alpha_value, beta_value;
    struct csrilu02Info *info;
};

/* sparse.c. y = alpha op(A) x + beta y. What an index leads to that isn't there is told. */
void rd_sparse_multiply(const void *closure);
/* Solves op(A) y = alpha x, of the triangle of A that its attributes name. */
void rd_sparse_solve(const void *closure);
/* Puts the factors of A as far as its elements go in place of these: incomplete, of level 0. */
void rd_sparse_factor(const void *closure);

#endif
