// SPDX-License-Identifier: MIT
/* cuBLAS: handles, what they are set to, copies; and how a call is made up of its arguments. */
#include "base/array.h"
#include "device/sim/api/hooks.h"
#include "device/sim/libraries/blas.h"
#include "device/sim/runtime/graphs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t mark = 0x73616c425543u; /* of a handle that has not been destroyed */

static const char *name_of(cublasStatus_t status)
{
#define RD_NAME(name, number, text)                                                                \
    if (status == (name))                                                                          \
        return #name;
    RD_CUBLAS_STATUSES(RD_NAME)
#undef RD_NAME
    return NULL;
}

RD_HOOK const char *cublasGetStatusName(cublasStatus_t status)
{
    const char *name = name_of(status);
    return name ? name : "CUBLAS_STATUS_UNKNOWN";
}

RD_HOOK const char *cublasGetStatusString(cublasStatus_t status)
{
#define RD_TEXT(name, number, text)                                                                \
    if (status == (name))                                                                          \
        return text;
    RD_CUBLAS_STATUSES(RD_TEXT)
#undef RD_TEXT
    return "unknown status";
}

/* ---- beginning and ending ---- */

static cublasStatus_t status_of(cudaError_t error)
{
    return error == cudaSuccess                         ? CUBLAS_STATUS_SUCCESS
           : error == cudaErrorMemoryAllocation         ? CUBLAS_STATUS_ALLOC_FAILED
           : error == cudaErrorInvalidValue             ? CUBLAS_STATUS_INVALID_VALUE
           : error == cudaErrorInvalidPitchValue        ? CUBLAS_STATUS_INVALID_VALUE
           : error == cudaErrorStreamCaptureUnsupported ? CUBLAS_STATUS_INTERNAL_ERROR
                                                        : CUBLAS_STATUS_EXECUTION_FAILED;
}

static cublasStatus_t end(const struct rd_sim_host_call *call, cublasStatus_t status,
                          const char *why)
{
    rd_sim_library_ends(call, status == CUBLAS_STATUS_SUCCESS ? NULL : name_of(status), why);
    return status;
}

static bool is_handle(const struct cublasContext *handle)
{
    return handle && handle->mark == mark;
}

/* Begins a call that wants a handle. */
static bool begin(const struct rd_sim_host_call *call, cublasHandle_t handle,
                  cublasStatus_t *status)
{
    cudaError_t error;
    *status = CUBLAS_STATUS_SUCCESS;
    if (!rd_sim_call_begins(call, &error)) {
        *status = status_of(error);
        return false;
    }
    if (is_handle(handle))
        return true;
    *status = end(call, CUBLAS_STATUS_NOT_INITIALIZED, "the handle is none");
    return false;
}

#define RD_BEGIN_BLAS(name, handle)                                                                \
    const struct rd_sim_host_call call = RD_HOST_CALL(#name);                                      \
    cublasStatus_t begun;                                                                          \
    if (!begin(&call, handle, &begun))                                                             \
    return begun

/* ---- handles ---- */

RD_HOOK cublasStatus_t cublasCreate_v2(cublasHandle_t *handle)
{
    const struct rd_sim_host_call call = RD_HOST_CALL("cublasCreate");
    cudaError_t error;
    if (!rd_sim_call_begins(&call, &error))
        return status_of(error);
    struct cublasContext *made = handle ? calloc(1, sizeof *made) : NULL;
    if (!made)
        return end(&call, handle ? CUBLAS_STATUS_ALLOC_FAILED : CUBLAS_STATUS_INVALID_VALUE, "");
    made->mark = mark;
    *handle = made;
    return end(&call, CUBLAS_STATUS_SUCCESS, "");
}

/* The memory of a handle stays, lest another call take it for one. */
RD_HOOK cublasStatus_t cublasDestroy_v2(cublasHandle_t handle)
{
    RD_BEGIN_BLAS(cublasDestroy, handle);
    rd_sim_stream_await(NULL);
    handle->mark = 0;
    return end(&call, CUBLAS_STATUS_SUCCESS, "");
}

RD_HOOK cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version)
{
    (void)handle;
    if (!version)
        return CUBLAS_STATUS_INVALID_VALUE;
    *version = 120000;
    return CUBLAS_STATUS_SUCCESS;
}

RD_HOOK cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream)
{
    RD_BEGIN_BLAS(cublasSetStream, handle);
    handle->stream = stream;
    return end(&call, CUBLAS_STATUS_SUCCESS, "");
}

/* Memory that a caller lends is of no use here, and so is not written. */
RD_HOOK cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *memory, size_t size_bytes)
{
    (void)memory, (void)size_bytes;
    RD_BEGIN_BLAS(cublasSetWorkspace, handle);
    return end(&call, CUBLAS_STATUS_SUCCESS, "");
}

RD_HOOK cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *stream)
{
    RD_BEGIN_BLAS(cublasGetStream, handle);
    if (stream)
        *stream = handle->stream;
    return end(&call, stream ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE, "");
}

#define RD_MODE(Name, T, member)                                                                   \
    RD_HOOK cublasStatus_t cublasSet##Name(cublasHandle_t handle, T mode)                          \
    {                                                                                              \
        RD_BEGIN_BLAS(cublasSet##Name, handle);                                                    \
        handle->member = mode;                                                                     \
        return end(&call, CUBLAS_STATUS_SUCCESS, "");                                              \
    }                                                                                              \
    RD_HOOK cublasStatus_t cublasGet##Name(cublasHandle_t handle, T *mode)                         \
    {                                                                                              \
        RD_BEGIN_BLAS(cublasGet##Name, handle);                                                    \
        if (mode)                                                                                  \
            *mode = handle->member;                                                                \
        return end(&call, mode ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE, "");         \
    }
RD_MODE(PointerMode_v2, cublasPointerMode_t, pointer_mode)
RD_MODE(MathMode, cublasMath_t, math)
RD_MODE(AtomicsMode, cublasAtomicsMode_t, atomics)

/* ---- copies between the host and a device ---- */

static cublasStatus_t copy(const struct rd_sim_host_call *call, int rows, int cols, int elem_bytes,
                           const void *from, int from_step, void *to, int to_step,
                           enum cudaMemcpyKind kind, cudaStream_t stream, bool waits)
{
    cudaError_t error;
    if (!rd_sim_call_begins(call, &error))
        return status_of(error);
    if (rows < 0 || cols < 0 || elem_bytes <= 0 || from_step <= 0 || to_step <= 0)
        return end(call, CUBLAS_STATUS_INVALID_VALUE, "a size or a step is not positive");
    const size_t elem = (size_t)elem_bytes;
    error = rd_sim_copy_rows(call, to, elem * (size_t)to_step, from, elem * (size_t)from_step,
                             elem * (size_t)rows, (size_t)cols, kind, stream, waits);
    return end(call, status_of(error), "");
}

#define RD_COPIES(name, kind)                                                                      \
    RD_BLAS_FUNCTION(name##Vector, ,                                                               \
                     (int n, int elem_bytes, const void *x, int incx, void *y, int incy),          \
                     copy(&call, 1, n, elem_bytes, x, incx, y, incy, kind, NULL, true))            \
    RD_BLAS_FUNCTION(                                                                              \
        name##VectorAsync, ,                                                                       \
        (int n, int elem_bytes, const void *x, int incx, void *y, int incy, cudaStream_t stream),  \
        copy(&call, 1, n, elem_bytes, x, incx, y, incy, kind, stream, false))                      \
    RD_BLAS_FUNCTION(                                                                              \
        name##Matrix, ,                                                                            \
        (int rows, int cols, int elem_bytes, const void *A, int lda, void *B, int ldb),            \
        copy(&call, rows, cols, elem_bytes, A, lda, B, ldb, kind, NULL, true))                     \
    RD_BLAS_FUNCTION(name##MatrixAsync, ,                                                          \
                     (int rows, int cols, int elem_bytes, const void *A, int lda, void *B,         \
                      int ldb, cudaStream_t stream),                                               \
                     copy(&call, rows, cols, elem_bytes, A, lda, B, ldb, kind, stream, false))
RD_COPIES(Set, cudaMemcpyHostToDevice)
RD_COPIES(Get, cudaMemcpyDeviceToHost)

/* ---- calls made up ---- */

bool rd_blas_begin(struct rd_blas_call *blas, const struct rd_sim_host_call *call,
                   cublasHandle_t handle, cudaDataType type)
{
    *blas = (struct rd_blas_call){.call = *call, .handle = handle};
    if (!begin(&blas->call, handle, &blas->begun))
        return false;
    blas->work.type = type;
    blas->work.count = 1;
    return true;
}

void rd_blas_operand_is(struct rd_blas_call *call, const struct rd_sim_operand *operand)
{
    if (rd_array_make_room(&call->operands, call->n, &call->capacity, sizeof *call->operands))
        call->operands[call->n++] = *operand;
    else
        call->no_memory = true;
}

void rd_blas_wants(struct rd_blas_call *call, bool condition, const char *otherwise)
{
    if (!condition && !call->why)
        call->why = otherwise;
}

static bool is_of_device(const struct rd_blas_call *call)
{
    return call->handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE;
}

bool rd_blas_can_read(struct rd_blas_call *call, size_t first)
{
    const struct rd_sim_library_call library = {
        .call = &call->call,
        .operands = call->operands + first,
        .n_operands = call->n - first,
    };
    if (!call->no_memory && rd_sim_library_check(&library) != cudaSuccess)
        call->cant_be_read = true;
    return !call->no_memory && !call->cant_be_read;
}

/* Of the host it is read now, of the device at its turn; true: it is the device's. */
static bool take_scalar(struct rd_blas_call *call, const char *name, const void *at, double *value)
{
    const size_t size = rd_blas_bytes(call->work.type);
    const struct rd_sim_operand operand = {
        name, at, size,
        size, 1,  is_of_device(call) ? RD_SIM_IS_READ : RD_SIM_IS_READ | RD_SIM_IS_OF_HOST};
    rd_blas_wants(call, at != NULL, "a scalar is a null pointer");
    rd_blas_operand_is(call, &operand);
    if (at && !is_of_device(call))
        *value = rd_blas_load(call->work.type, at, 0);
    return is_of_device(call);
}

void rd_blas_alpha_is(struct rd_blas_call *call, const void *alpha)
{
    if (take_scalar(call, "alpha", alpha, &call->work.alpha_value))
        call->work.alpha = alpha;
}

void rd_blas_beta_is(struct rd_blas_call *call, const void *beta)
{
    if (take_scalar(call, "beta", beta, &call->work.beta_value))
        call->work.beta = beta;
}

void rd_blas_result_is(struct rd_blas_call *call, void *result, unsigned elem_bytes)
{
    const struct rd_sim_operand operand = {
        "the result",
        result,
        elem_bytes,
        elem_bytes,
        1,
        is_of_device(call) ? RD_SIM_IS_WRITTEN : RD_SIM_IS_WRITTEN | RD_SIM_IS_OF_HOST};
    rd_blas_wants(call, result != NULL, "the result is a null pointer");
    rd_blas_operand_is(call, &operand);
    call->work.result = result;
    call->waits = !is_of_device(call);
}

struct rd_blas_array rd_blas_vector(struct rd_blas_call *call, const char *name, unsigned use,
                                    const void *x, int n, int inc)
{
    const size_t size = rd_blas_bytes(call->work.type);
    const size_t pitch = size * (size_t)(inc < 0 ? -(long long)inc : inc);
    const struct rd_sim_operand operand = {
        name, x, n > 0 ? size : 0, pitch, inc == 0 ? 1 : (size_t)n, use};
    rd_blas_wants(call, n >= 0, "n is negative");
    if (n > 0 && use)
        rd_blas_operand_is(call, &operand);
    /* Of a negative increment, the first element is the last in memory. */
    const char *first = (const char *)x + (inc < 0 && n > 0 ? (size_t)(n - 1) * pitch : 0);
    return (struct rd_blas_array){call->work.type, (void *)first, inc, n, 1, false};
}

struct rd_blas_array rd_blas_matrix(struct rd_blas_call *call, const char *name, unsigned use,
                                    cudaDataType type, const void *at, int rows, int cols, int ld)
{
    const size_t size = rd_blas_bytes(type);
    const struct rd_sim_operand operand = {name,
                                           at,
                                           size * (size_t)(rows > 0 ? rows : 0),
                                           size * (size_t)(ld > 0 ? ld : 0),
                                           (size_t)(cols > 0 ? cols : 0),
                                           use};
    rd_blas_wants(call, rows >= 0 && cols >= 0, "m, n or k is negative");
    rd_blas_wants(call, ld >= (rows > 1 ? rows : 1),
                  "a leading dimension is less than the rows of its matrix");
    if (use)
        rd_blas_operand_is(call, &operand);
    return (struct rd_blas_array){type, (void *)at, ld, rows, cols, false};
}

static void run(const void *closure)
{
    const struct rd_blas_work *work = closure;
    work->run(work);
}

static cublasStatus_t make(struct rd_blas_call *call, void (*work)(const struct rd_blas_work *))
{
    call->work.run = work;
    const struct rd_sim_library_call library = {
        .call = &call->call,
        .stream = call->handle->stream,
        .operands = call->operands,
        .n_operands = call->n,
        .waits = call->waits,
        .work = run,
        .closure = &call->work,
        .closure_bytes = sizeof call->work,
    };
    return call->no_memory ? CUBLAS_STATUS_ALLOC_FAILED : status_of(rd_sim_library_do(&library));
}

cublasStatus_t rd_blas_finish(struct rd_blas_call *call, void (*work)(const struct rd_blas_work *),
                              bool is_empty)
{
    cublasStatus_t status = call->why            ? CUBLAS_STATUS_INVALID_VALUE
                            : call->cant_be_read ? CUBLAS_STATUS_EXECUTION_FAILED
                            : is_empty           ? CUBLAS_STATUS_SUCCESS
                                                 : make(call, work);
    free(call->operands);
    return end(&call->call, status, call->why ? call->why : "");
}
