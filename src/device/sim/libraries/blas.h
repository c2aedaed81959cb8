// SPDX-License-Identifier: MIT
/* A call of a function of cuBLAS: its operands, and what is computed of them. Plain code: each number is computed in double
 * precision, a sum from its first term on, and rounded once to the type of the result. cuBLAS rounds more often, and sums in an
 * order of its own. */
#ifndef RD_SIM_LIBRARIES_BLAS_H
#define RD_SIM_LIBRARIES_BLAS_H

#include "device/sim/api/hooks.h"
#include "device/sim/libraries/cublas.h"
#include "device/sim/runtime/libraries.h"

struct cublasContext {
    uint64_t mark; /* of one that is there */
    cudaStream_t stream;
    cublasPointerMode_t pointer_mode;
    cublasMath_t math;
    cublasAtomicsMode_t atomics;
};

/* A vector, or a matrix by columns. */
struct rd_blas_array {
    cudaDataType type;
    void *at;
    long long step; /* elements from one to the next, or from a column to the next */
    int rows, cols; /* of a vector: elements, and 1 */
    bool transposed;
};

struct rd_blas_work {
    void (*run)(const struct rd_blas_work *work);
    cudaDataType type; /* of scalars and results */
    const void *alpha, *beta, *result;
    double alpha_value, beta_value; /* of scalars of the host */
    struct rd_blas_array a, b, c;
    int k;
    long long stride_a, stride_b, stride_c; /* from a product to the next, elements */
    void *const *all_a, *const *all_b, *const *all_c;
    int count;           /* of products, or of other things that are done to several matrices */
    int *pivots, *infos; /* of factors: n for each matrix, or NULL; and one for each, or NULL */
};

/* A call as it is made up. */
struct rd_blas_call {
    struct rd_sim_host_call call;
    struct cublasContext *handle;
    struct rd_sim_operand *operands;
    size_t n, capacity;
    bool no_memory, cant_be_read;
    struct rd_blas_work work;
    bool waits;
    const char *why; /* an argument is of no use; NULL: none */
    cublasStatus_t begun;
};

/* Defines cublasNAME() under the name NAME and `suffix`, "_v2" or nothing. It returns the expression, whose `call` is this one. */
#define RD_BLAS_FUNCTION(name, suffix, parameters, ...)                                            \
    RD_HOOK cublasStatus_t cublas##name##suffix parameters                                         \
    {                                                                                              \
        const struct rd_sim_host_call call = RD_HOST_CALL("cublas" #name);                         \
        return __VA_ARGS__;                                                                        \
    }

/* ---- blas.c ---- */

unsigned rd_blas_bytes(cudaDataType type); /* 0: of a type that is not computed with */
double rd_blas_load(cudaDataType type, const void *at, long long index);
void rd_blas_store(cudaDataType type, void *at, long long index, double value);
double rd_blas_alpha(const struct rd_blas_work *work);
double rd_blas_beta(const struct rd_blas_work *work);
/* C = alpha op(A) op(B) + beta C, `count` times. Does nothing without memory, which is said. */
void rd_blas_gemm(const struct rd_blas_work *work);

/* ---- cublas_matrices.c ---- */

/* Adds an array of pointers in device memory to the operands. */
void rd_blas_pointers(struct rd_blas_call *call, const char *name, const void *all, int count);

/* ---- cublas.c ---- */

/* Begins a call; false: *status is what it returns at once. */
bool rd_blas_begin(struct rd_blas_call *blas, const struct rd_sim_host_call *call,
                   cublasHandle_t handle, cudaDataType type);
void rd_blas_alpha_is(struct rd_blas_call *call, const void *alpha);
void rd_blas_beta_is(struct rd_blas_call *call, const void *beta);
/* A number that the function gives. */
void rd_blas_result_is(struct rd_blas_call *call, void *result, unsigned elem_bytes);
struct rd_blas_array rd_blas_vector(struct rd_blas_call *call, const char *name, unsigned use,
                                    const void *x, int n, int inc);
struct rd_blas_array rd_blas_matrix(struct rd_blas_call *call, const char *name, unsigned use,
                                    cudaDataType type, const void *at, int rows, int cols, int ld);
void rd_blas_operand_is(struct rd_blas_call *call, const struct rd_sim_operand *operand);
/* Tells whether the operands from this one on are where they can be read; of those that are not, it is said. */
bool rd_blas_can_read(struct rd_blas_call *call, size_t first);
/* The condition holds of a call that makes sense. */
void rd_blas_wants(struct rd_blas_call *call, bool condition, const char *otherwise);
/* Makes the call, unless there is nothing to do. */
cublasStatus_t rd_blas_finish(struct rd_blas_call *call, void (*run)(const struct rd_blas_work *),
                              bool is_empty);

#endif
