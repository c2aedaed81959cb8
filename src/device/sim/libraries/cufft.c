// SPDX-License-Identifier: MIT
/* cuFFT: plans, and calls that make their transforms. */
#include "base/array.h"
#include "device/sim/api/hooks.h"
#include "device/sim/file/launch.h"
#include "device/sim/libraries/cublas.h"
#include "device/sim/libraries/cufft_plan.h"
#include "device/sim/runtime/streams.h"

#include <stdlib.h>

static struct {
    struct rd_cufft_plan *all; /* a handle is an index, from 1 on */
    size_t n, capacity;
} cufft_state;

static const char *name_of(cufftResult result)
{
#define RD_NAME(name, number)                                                                      \
    if (result == (name))                                                                          \
        return #name;
    RD_CUFFT_RESULTS(RD_NAME)
#undef RD_NAME
    return "an unknown result";
}

static cufftResult end(const struct rd_sim_host_call *call, cufftResult result, const char *why)
{
    rd_sim_library_ends(call, result == CUFFT_SUCCESS ? NULL : name_of(result), why);
    return result;
}

/* False: *result is what the call returns at once. */
static bool begin(const struct rd_sim_host_call *call, cufftResult *result)
{
    cudaError_t error;
    bool begins = rd_sim_call_begins(call, &error);
    *result = error == cudaSuccess ? CUFFT_SUCCESS : CUFFT_INTERNAL_ERROR;
    return begins;
}

#define RD_BEGIN_CUFFT(name)                                                                       \
    const struct rd_sim_host_call call = RD_HOST_CALL(#name);                                      \
    cufftResult begun;                                                                             \
    if (!begin(&call, &begun))                                                                     \
    return begun

static struct rd_cufft_plan *plan_of(cufftHandle handle)
{
    return handle > 0 && (size_t)handle <= cufft_state.n && cufft_state.all[handle - 1].is_there
               ? &cufft_state.all[handle - 1]
               : NULL;
}

static cufftResult create(cufftHandle *handle)
{
    if (!handle)
        return CUFFT_INVALID_VALUE;
    if (!rd_array_make_room(&cufft_state.all, cufft_state.n, &cufft_state.capacity,
                            sizeof *cufft_state.all))
        return CUFFT_ALLOC_FAILED;
    cufft_state.all[cufft_state.n++] = (struct rd_cufft_plan){.is_there = true};
    *handle = (cufftHandle)cufft_state.n;
    return CUFFT_SUCCESS;
}

/* ---- making plans ---- */

/* A plan as it is asked for; `in` and `out` are NULL for a layout that follows from the sizes. */
struct wanted {
    int rank;
    long long n[RD_CUFFT_RANK], batch;
    cufftType type;
    const long long *in, *out;
    long long istride, idist, ostride, odist;
};

static bool is_type(cufftType type)
{
    return type == CUFFT_C2C || type == CUFFT_R2C || type == CUFFT_C2R || type == CUFFT_Z2Z ||
           type == CUFFT_D2Z || type == CUFFT_Z2D;
}

static void take_layout(struct rd_cufft_layout *to, const long long *embed, int rank,
                        long long stride, long long dist)
{
    *to = (struct rd_cufft_layout){{1, 1, 1}, stride, dist};
    for (int k = 0; k < rank; k++)
        to->embed[RD_CUFFT_RANK - rank + k] = embed[k];
}

static cufftResult make(cufftHandle handle, const struct wanted *wanted)
{
    struct rd_cufft_plan *plan = plan_of(handle);
    if (!plan || plan->is_made)
        return CUFFT_INVALID_PLAN;
    if (!is_type(wanted->type))
        return CUFFT_INVALID_TYPE;
    if (wanted->rank < 1 || wanted->rank > RD_CUFFT_RANK)
        return CUFFT_INVALID_VALUE;
    if (wanted->batch < 1)
        return CUFFT_INVALID_SIZE;
    for (int k = 0; k < RD_CUFFT_RANK; k++)
        plan->n[k] = 1;
    for (int k = 0; k < wanted->rank; k++) {
        if (wanted->n[k] < 1)
            return CUFFT_INVALID_SIZE;
        plan->n[RD_CUFFT_RANK - wanted->rank + k] = wanted->n[k];
    }
    plan->type = wanted->type;
    plan->batch = wanted->batch;
    plan->is_basic = !wanted->in || !wanted->out;
    if (!plan->is_basic) {
        if (wanted->istride < 1 || wanted->ostride < 1)
            return CUFFT_INVALID_VALUE;
        take_layout(&plan->in, wanted->in, wanted->rank, wanted->istride, wanted->idist);
        take_layout(&plan->out, wanted->out, wanted->rank, wanted->ostride, wanted->odist);
    }
    plan->is_made = true;
    return CUFFT_SUCCESS;
}

/* No work area is needed. */
static cufftResult make_in(cufftHandle handle, const struct wanted *wanted, size_t *bytes)
{
    if (bytes)
        *bytes = 0;
    return make(handle, wanted);
}

static cufftResult make_new(cufftHandle *handle, const struct wanted *wanted)
{
    cufftHandle made = 0;
    cufftResult result = create(&made);
    if (result == CUFFT_SUCCESS && !handle)
        result = CUFFT_INVALID_VALUE;
    if (result == CUFFT_SUCCESS)
        result = make(made, wanted);
    if (result == CUFFT_SUCCESS)
        *handle = made;
    return result;
}

RD_HOOK cufftResult cufftCreate(cufftHandle *plan)
{
    RD_BEGIN_CUFFT(cufftCreate);
    return end(&call, create(plan), "");
}

#define RD_1D                                                                                      \
    {                                                                                              \
        .rank = 1, .n = {nx}, .batch = batch, .type = type                                         \
    }
#define RD_2D                                                                                      \
    {                                                                                              \
        .rank = 2, .n = {nx, ny}, .batch = 1, .type = type                                         \
    }
#define RD_3D                                                                                      \
    {                                                                                              \
        .rank = 3, .n = {nx, ny, nz}, .batch = 1, .type = type                                     \
    }

RD_HOOK cufftResult cufftPlan1d(cufftHandle *plan, int nx, cufftType type, int batch)
{
    const struct wanted wanted = RD_1D;
    RD_BEGIN_CUFFT(cufftPlan1d);
    return end(&call, make_new(plan, &wanted), "");
}

RD_HOOK cufftResult cufftPlan2d(cufftHandle *plan, int nx, int ny, cufftType type)
{
    const struct wanted wanted = RD_2D;
    RD_BEGIN_CUFFT(cufftPlan2d);
    return end(&call, make_new(plan, &wanted), "");
}

RD_HOOK cufftResult cufftPlan3d(cufftHandle *plan, int nx, int ny, int nz, cufftType type)
{
    const struct wanted wanted = RD_3D;
    RD_BEGIN_CUFFT(cufftPlan3d);
    return end(&call, make_new(plan, &wanted), "");
}

RD_HOOK cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch,
                                    size_t *bytes)
{
    const struct wanted wanted = RD_1D;
    RD_BEGIN_CUFFT(cufftMakePlan1d);
    return end(&call, make_in(plan, &wanted, bytes), "");
}

RD_HOOK cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t *bytes)
{
    const struct wanted wanted = RD_2D;
    RD_BEGIN_CUFFT(cufftMakePlan2d);
    return end(&call, make_in(plan, &wanted, bytes), "");
}

RD_HOOK cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type,
                                    size_t *bytes)
{
    const struct wanted wanted = RD_3D;
    RD_BEGIN_CUFFT(cufftMakePlan3d);
    return end(&call, make_in(plan, &wanted, bytes), "");
}

/* Arrays of so many numbers, widened. */
struct many {
    long long n[RD_CUFFT_RANK], in[RD_CUFFT_RANK], out[RD_CUFFT_RANK];
    struct wanted wanted;
};

static void widen(struct many *many, int rank, const int *n, const int *in, const int *out)
{
    many->wanted.rank = rank;
    for (int k = 0; k < rank && k < RD_CUFFT_RANK; k++) {
        many->wanted.n[k] = n ? n[k] : 0;
        many->in[k] = in ? in[k] : 0;
        many->out[k] = out ? out[k] : 0;
    }
    many->wanted.in = in ? many->in : NULL;
    many->wanted.out = out ? many->out : NULL;
}

RD_HOOK cufftResult cufftPlanMany(cufftHandle *plan, int rank, int *n, int *inembed, int istride,
                                  int idist, int *onembed, int ostride, int odist, cufftType type,
                                  int batch)
{
    struct many many = {.wanted = {.batch = batch,
                                   .type = type,
                                   .istride = istride,
                                   .idist = idist,
                                   .ostride = ostride,
                                   .odist = odist}};
    widen(&many, rank, n, inembed, onembed);
    RD_BEGIN_CUFFT(cufftPlanMany);
    return end(&call, make_new(plan, &many.wanted), "");
}

RD_HOOK cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int *n, int *inembed, int istride,
                                      int idist, int *onembed, int ostride, int odist,
                                      cufftType type, int batch, size_t *bytes)
{
    struct many many = {.wanted = {.batch = batch,
                                   .type = type,
                                   .istride = istride,
                                   .idist = idist,
                                   .ostride = ostride,
                                   .odist = odist}};
    widen(&many, rank, n, inembed, onembed);
    RD_BEGIN_CUFFT(cufftMakePlanMany);
    return end(&call, make_in(plan, &many.wanted, bytes), "");
}

RD_HOOK cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long int *n,
                                        long long int *inembed, long long int istride,
                                        long long int idist, long long int *onembed,
                                        long long int ostride, long long int odist, cufftType type,
                                        long long int batch, size_t *bytes)
{
    struct wanted wanted = {.rank = rank,
                            .batch = batch,
                            .type = type,
                            .in = inembed,
                            .out = onembed,
                            .istride = istride,
                            .idist = idist,
                            .ostride = ostride,
                            .odist = odist};
    for (int k = 0; n && k < rank && k < RD_CUFFT_RANK; k++)
        wanted.n[k] = n[k];
    RD_BEGIN_CUFFT(cufftMakePlanMany64);
    return end(&call, make_in(plan, &wanted, bytes), "");
}

/* For cufftXt.h of users' files: what a plan transforms. 0, or how many arrays at a time. */
RD_HOOK long long rd_sim_cuda_fft_shape(cufftHandle handle, long long n[RD_CUFFT_RANK], int *type);
long long rd_sim_cuda_fft_shape(cufftHandle handle, long long n[RD_CUFFT_RANK], int *type)
{
    const struct rd_cufft_plan *plan = plan_of(handle);
    if (!plan || !plan->is_made)
        return 0;
    for (int k = 0; k < RD_CUFFT_RANK; k++)
        n[k] = plan->n[k];
    *type = plan->type;
    return plan->batch;
}

/* Both are declared by cufftXt.h. */
RD_HOOK cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long int *n,
                                        long long int *inembed, long long int istride,
                                        long long int idist, cudaDataType in,
                                        long long int *onembed, long long int ostride,
                                        long long int odist, cudaDataType out, long long int batch,
                                        size_t *bytes, cudaDataType compute);
RD_HOOK cufftResult cufftXtExec(cufftHandle plan, void *in, void *out, int direction);

static bool type_of(cudaDataType in, cudaDataType out, cudaDataType compute, cufftType *type)
{
    static const struct {
        cudaDataType in, out, compute;
        cufftType type;
    } all[] = {
        {CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_C2C},
        {CUDA_R_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_R2C},
        {CUDA_C_32F, CUDA_R_32F, CUDA_C_32F, CUFFT_C2R},
        {CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z},
        {CUDA_R_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_D2Z},
        {CUDA_C_64F, CUDA_R_64F, CUDA_C_64F, CUFFT_Z2D},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k].in == in && all[k].out == out && all[k].compute == compute) {
            *type = all[k].type;
            return true;
        }
    return false;
}

RD_HOOK cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long int *n,
                                        long long int *inembed, long long int istride,
                                        long long int idist, cudaDataType in,
                                        long long int *onembed, long long int ostride,
                                        long long int odist, cudaDataType out, long long int batch,
                                        size_t *bytes, cudaDataType compute)
{
    struct wanted wanted = {.rank = rank,
                            .batch = batch,
                            .in = inembed,
                            .out = onembed,
                            .istride = istride,
                            .idist = idist,
                            .ostride = ostride,
                            .odist = odist};
    for (int k = 0; n && k < rank && k < RD_CUFFT_RANK; k++)
        wanted.n[k] = n[k];
    RD_BEGIN_CUFFT(cufftXtMakePlanMany);
    if (!type_of(in, out, compute, &wanted.type))
        rd_sim_unsimulated("cuFFT of these types", "", 0, (void *)call.place.pc);
    return end(&call, make_in(plan, &wanted, bytes), "");
}

/* ---- what is asked and set ---- */

#define RD_SIZE_OF(name, ...)                                                                      \
    RD_HOOK cufftResult name(__VA_ARGS__)                                                          \
    {                                                                                              \
        RD_BEGIN_CUFFT(name);                                                                      \
        if (bytes)                                                                                 \
            *bytes = 0;                                                                            \
        return end(&call, bytes ? CUFFT_SUCCESS : CUFFT_INVALID_VALUE, "");                        \
    }
#define RD_UNUSED __attribute__((unused))
RD_SIZE_OF(cufftEstimate1d, RD_UNUSED int nx, RD_UNUSED cufftType type, RD_UNUSED int batch,
           size_t *bytes)
RD_SIZE_OF(cufftEstimate2d, RD_UNUSED int nx, RD_UNUSED int ny, RD_UNUSED cufftType type,
           size_t *bytes)
RD_SIZE_OF(cufftEstimate3d, RD_UNUSED int nx, RD_UNUSED int ny, RD_UNUSED int nz,
           RD_UNUSED cufftType type, size_t *bytes)
RD_SIZE_OF(cufftGetSize, RD_UNUSED cufftHandle plan, size_t *bytes)
RD_SIZE_OF(cufftGetSize1d, RD_UNUSED cufftHandle plan, RD_UNUSED int nx, RD_UNUSED cufftType type,
           RD_UNUSED int batch, size_t *bytes)
RD_SIZE_OF(cufftGetSize2d, RD_UNUSED cufftHandle plan, RD_UNUSED int nx, RD_UNUSED int ny,
           RD_UNUSED cufftType type, size_t *bytes)
RD_SIZE_OF(cufftGetSize3d, RD_UNUSED cufftHandle plan, RD_UNUSED int nx, RD_UNUSED int ny,
           RD_UNUSED int nz, RD_UNUSED cufftType type, size_t *bytes)

RD_HOOK cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream)
{
    RD_BEGIN_CUFFT(cufftSetStream);
    struct rd_cufft_plan *plan = plan_of(handle);
    if (plan)
        plan->stream = stream;
    return end(&call, plan ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN, "");
}

/* Memory that a caller lends is of no use here, and so is not written. */
RD_HOOK cufftResult cufftSetWorkArea(cufftHandle handle, void *memory)
{
    (void)memory;
    RD_BEGIN_CUFFT(cufftSetWorkArea);
    return end(&call, plan_of(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN, "");
}

RD_HOOK cufftResult cufftSetAutoAllocation(cufftHandle handle, int allocates)
{
    (void)allocates;
    RD_BEGIN_CUFFT(cufftSetAutoAllocation);
    return end(&call, plan_of(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN, "");
}

RD_HOOK cufftResult cufftDestroy(cufftHandle handle)
{
    RD_BEGIN_CUFFT(cufftDestroy);
    struct rd_cufft_plan *plan = plan_of(handle);
    if (plan) {
        rd_sim_stream_await(NULL);
        plan->is_there = false;
    }
    return end(&call, plan ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN, "");
}

RD_HOOK cufftResult cufftGetVersion(int *version)
{
    if (!version)
        return CUFFT_INVALID_VALUE;
    *version = 11000;
    return CUFFT_SUCCESS;
}

/* ---- transforms ---- */

static cufftResult execute(const struct rd_sim_host_call *call, cufftHandle handle, cufftType type,
                           const void *in, void *out, int sign)
{
    const struct rd_cufft_plan *plan = plan_of(handle);
    if (!plan || !plan->is_made)
        return end(call, CUFFT_INVALID_PLAN, "the plan is none");
    if (plan->type != type)
        return end(call, CUFFT_INVALID_TYPE, "the plan is of another type");
    if (sign != CUFFT_FORWARD && sign != CUFFT_INVERSE)
        return end(call, CUFFT_INVALID_VALUE, "the direction is none");
    struct rd_cufft_work work = {*plan, in, out, sign};
    rd_cufft_lay_out(&work);
    struct rd_sim_library_call library = {
        .call = call,
        .stream = plan->stream,
        .work = rd_cufft_run,
        .closure = &work,
        .closure_bytes = sizeof work,
    };
    struct rd_sim_operand *operands = rd_cufft_operands(&work, &library.n_operands);
    if (!operands)
        return end(call, CUFFT_ALLOC_FAILED, "");
    library.operands = operands;
    cudaError_t error = rd_sim_library_do(&library);
    free(operands);
    return end(call, error == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED, "");
}

RD_HOOK cufftResult cufftXtExec(cufftHandle handle, void *in, void *out, int direction)
{
    RD_BEGIN_CUFFT(cufftXtExec);
    const struct rd_cufft_plan *plan = plan_of(handle);
    if (!plan || !plan->is_made)
        return end(&call, CUFFT_INVALID_PLAN, "the plan is none");
    const bool is_forward = plan->type == CUFFT_R2C || plan->type == CUFFT_D2Z,
               is_backward = plan->type == CUFFT_C2R || plan->type == CUFFT_Z2D;
    return execute(&call, handle, plan->type, in, out,
                   is_forward    ? CUFFT_FORWARD
                   : is_backward ? CUFFT_INVERSE
                                 : direction);
}

#define RD_EXECUTE(types, From, To)                                                                \
    RD_HOOK cufftResult cufftExec##types(cufftHandle plan, From *in, To *out)                      \
    {                                                                                              \
        RD_BEGIN_CUFFT(cufftExec##types);                                                          \
        return execute(&call, plan, CUFFT_##types, in, out, RD_SIGN_##types);                      \
    }
#define RD_SIGN_R2C CUFFT_FORWARD
#define RD_SIGN_D2Z CUFFT_FORWARD
#define RD_SIGN_C2R CUFFT_INVERSE
#define RD_SIGN_Z2D CUFFT_INVERSE
RD_EXECUTE(R2C, cufftReal, cufftComplex)
RD_EXECUTE(C2R, cufftComplex, cufftReal)
RD_EXECUTE(D2Z, cufftDoubleReal, cufftDoubleComplex)
RD_EXECUTE(Z2D, cufftDoubleComplex, cufftDoubleReal)

RD_HOOK cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *in, cufftComplex *out,
                                 int direction)
{
    RD_BEGIN_CUFFT(cufftExecC2C);
    return execute(&call, plan, CUFFT_C2C, in, out, direction);
}

RD_HOOK cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleComplex *out,
                                 int direction)
{
    RD_BEGIN_CUFFT(cufftExecZ2Z);
    return execute(&call, plan, CUFFT_Z2Z, in, out, direction);
}
