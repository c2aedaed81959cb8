// SPDX-License-Identifier: MIT
/* cuFFT: plans. */
#include "base/array.h"
#include "device/sim/api/hooks.h"
#include "device/sim/file/launch.h"
#include "device/sim/libraries/cublas.h"
#include "device/sim/libraries/cufft_plan.h"
#include "device/sim/runtime/streams.h"

#include <math.h>
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

cufftResult rd_cufft_ends(const struct rd_sim_host_call *call, cufftResult result, const char *why)
{
    rd_sim_library_ends(call, result == CUFFT_SUCCESS ? NULL : name_of(result), why);
    return result;
}

bool rd_cufft_begins(const struct rd_sim_host_call *call, cufftResult *result)
{
    cudaError_t error;
    bool begins = rd_sim_call_begins(call, &error);
    *result = error == cudaSuccess ? CUFFT_SUCCESS : CUFFT_INTERNAL_ERROR;
    return begins;
}

struct rd_cufft_plan *rd_cufft_plan_of(cufftHandle handle)
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

/* Elements up to the last that a layout reaches, as a floating-point number: no product wraps. */
static long double extent_of(const struct rd_cufft_plan *plan, const struct rd_cufft_layout *layout)
{
    const long double rows = (long double)(plan->n[0] - 1) * (long double)layout->embed[1] +
                             (long double)(plan->n[1] - 1);
    const long double cells = rows * (long double)layout->embed[2] + (long double)(plan->n[2] - 1);
    return cells * (long double)layout->stride +
           (long double)(plan->batch - 1) * fabsl((long double)layout->dist);
}

/* Tells whether the elements and their places can be counted in 64 bits, and with room to spare. */
static bool is_countable(const struct rd_cufft_plan *plan)
{
    static const long double most = 0x1p48L;
    const long double elements = (long double)plan->n[0] * (long double)plan->n[1] *
                                 (long double)plan->n[2] * (long double)plan->batch;
    return elements < most && (plan->is_basic || (extent_of(plan, &plan->in) < most &&
                                                  extent_of(plan, &plan->out) < most));
}

static cufftResult make(cufftHandle handle, const struct wanted *wanted)
{
    struct rd_cufft_plan *plan = rd_cufft_plan_of(handle);
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
    if (!is_countable(plan))
        return CUFFT_INVALID_SIZE;
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
    return rd_cufft_ends(&call, create(plan), "");
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
    return rd_cufft_ends(&call, make_new(plan, &wanted), "");
}

RD_HOOK cufftResult cufftPlan2d(cufftHandle *plan, int nx, int ny, cufftType type)
{
    const struct wanted wanted = RD_2D;
    RD_BEGIN_CUFFT(cufftPlan2d);
    return rd_cufft_ends(&call, make_new(plan, &wanted), "");
}

RD_HOOK cufftResult cufftPlan3d(cufftHandle *plan, int nx, int ny, int nz, cufftType type)
{
    const struct wanted wanted = RD_3D;
    RD_BEGIN_CUFFT(cufftPlan3d);
    return rd_cufft_ends(&call, make_new(plan, &wanted), "");
}

RD_HOOK cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch,
                                    size_t *bytes)
{
    const struct wanted wanted = RD_1D;
    RD_BEGIN_CUFFT(cufftMakePlan1d);
    return rd_cufft_ends(&call, make_in(plan, &wanted, bytes), "");
}

RD_HOOK cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t *bytes)
{
    const struct wanted wanted = RD_2D;
    RD_BEGIN_CUFFT(cufftMakePlan2d);
    return rd_cufft_ends(&call, make_in(plan, &wanted, bytes), "");
}

RD_HOOK cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type,
                                    size_t *bytes)
{
    const struct wanted wanted = RD_3D;
    RD_BEGIN_CUFFT(cufftMakePlan3d);
    return rd_cufft_ends(&call, make_in(plan, &wanted, bytes), "");
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
    return rd_cufft_ends(&call, make_new(plan, &many.wanted), "");
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
    return rd_cufft_ends(&call, make_in(plan, &many.wanted, bytes), "");
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
    return rd_cufft_ends(&call, make_in(plan, &wanted, bytes), "");
}

/* Declared by cufftXt.h. */
RD_HOOK cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long int *n,
                                        long long int *inembed, long long int istride,
                                        long long int idist, cudaDataType in,
                                        long long int *onembed, long long int ostride,
                                        long long int odist, cudaDataType out, long long int batch,
                                        size_t *bytes, cudaDataType compute);

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
    return rd_cufft_ends(&call, make_in(plan, &wanted, bytes), "");
}

/* ---- what is asked and set ---- */

#define RD_SIZE_OF(name, ...)                                                                      \
    RD_HOOK cufftResult name(__VA_ARGS__)                                                          \
    {                                                                                              \
        RD_BEGIN_CUFFT(name);                                                                      \
        if (bytes)                                                                                 \
            *bytes = 0;                                                                            \
        return rd_cufft_ends(&call, bytes ? CUFFT_SUCCESS : CUFFT_INVALID_VALUE, "");              \
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
    struct rd_cufft_plan *plan = rd_cufft_plan_of(handle);
    if (plan)
        plan->stream = stream;
    return rd_cufft_ends(&call, plan ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN, "");
}

/* Memory that a caller lends is of no use here, and so is not written. */
RD_HOOK cufftResult cufftSetWorkArea(cufftHandle handle, void *memory)
{
    (void)memory;
    RD_BEGIN_CUFFT(cufftSetWorkArea);
    return rd_cufft_ends(&call, rd_cufft_plan_of(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN, "");
}

RD_HOOK cufftResult cufftSetAutoAllocation(cufftHandle handle, int allocates)
{
    (void)allocates;
    RD_BEGIN_CUFFT(cufftSetAutoAllocation);
    return rd_cufft_ends(&call, rd_cufft_plan_of(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN, "");
}

/* Declared by cufftXt.h. */
RD_HOOK cufftResult cufftXtSetGPUs(cufftHandle handle, int n, int *gpus);
RD_HOOK cufftResult cufftXtSetGPUs(cufftHandle handle, int n, int *gpus)
{
    RD_BEGIN_CUFFT(cufftXtSetGPUs);
    struct rd_cufft_plan *plan = rd_cufft_plan_of(handle);
    if (!plan || plan->is_made)
        return rd_cufft_ends(&call, CUFFT_INVALID_PLAN,
                             plan ? "the plan has been made before" : "the plan is none");
    if (n < 1 || n > RD_CUFFT_GPUS || !gpus)
        return rd_cufft_ends(&call, CUFFT_INVALID_VALUE, "");
    for (int k = 0; k < n; k++) {
        if (!rd_sim_device_exists(gpus[k]))
            return rd_cufft_ends(&call, CUFFT_INVALID_DEVICE, "there is no such GPU");
        for (int other = 0; other < k; other++)
            if (gpus[other] == gpus[k])
                return rd_cufft_ends(&call, CUFFT_INVALID_DEVICE, "a GPU is given twice");
    }
    for (int k = 0; k < n; k++)
        plan->gpus[k] = gpus[k];
    plan->n_gpus = n;
    return rd_cufft_ends(&call, CUFFT_SUCCESS, "");
}

RD_HOOK cufftResult cufftDestroy(cufftHandle handle)
{
    RD_BEGIN_CUFFT(cufftDestroy);
    struct rd_cufft_plan *plan = rd_cufft_plan_of(handle);
    if (plan) {
        rd_sim_stream_await(NULL);
        plan->is_there = false;
    }
    return rd_cufft_ends(&call, plan ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN, "");
}

RD_HOOK cufftResult cufftGetVersion(int *version)
{
    if (!version)
        return CUFFT_INVALID_VALUE;
    *version = 11000;
    return CUFFT_SUCCESS;
}
