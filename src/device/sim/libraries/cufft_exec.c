// SPDX-License-Identifier: MIT
/* cuFFT: calls that make the transforms of a plan. Of those that a user's callbacks load or store, cufftXt.h of the user's file does
 * that part. */
#include "device/sim/api/hooks.h"
#include "device/sim/libraries/cufft_plan.h"

#include <stdlib.h>

/* ---- for cufftXt.h of users' files ---- */

RD_HOOK long long rd_sim_cuda_fft_shape(cufftHandle handle, long long n[RD_CUFFT_RANK], int *type,
                                        int gpus[RD_CUFFT_GPUS], int *n_gpus)
{
    const struct rd_cufft_plan *plan = rd_cufft_plan_of(handle);
    if (!plan || !plan->is_made)
        return plan ? 0 : -1;
    for (int k = 0; k < RD_CUFFT_RANK; k++)
        n[k] = plan->n[k];
    *type = plan->type;
    *n_gpus = plan->n_gpus;
    for (int k = 0; k < plan->n_gpus; k++)
        gpus[k] = plan->gpus[k];
    return plan->batch;
}

RD_HOOK void rd_sim_cuda_fft_stages(cufftHandle handle, rd_cufft_run_stages *run)
{
    struct rd_cufft_plan *plan = rd_cufft_plan_of(handle);
    if (plan)
        plan->run_stages = run;
}

/* ---- one call ---- */

static cufftResult transform(const struct rd_sim_host_call *call, const struct rd_cufft_work *work)
{
    struct rd_sim_library_call library = {
        .call = call,
        .stream = work->plan.stream,
        .work = rd_cufft_run,
        .closure = work,
        .closure_bytes = sizeof *work,
    };
    struct rd_sim_operand *operands = rd_cufft_operands(work, &library.n_operands);
    if (!operands)
        return CUFFT_ALLOC_FAILED;
    library.operands = operands;
    cudaError_t error = rd_sim_library_do(&library);
    free(operands);
    return error == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

/* A call whose plan has callbacks. */
struct staged_call {
    struct rd_cufft_stages stages; /* first: it is known by their address */
    struct rd_sim_host_call call;
    struct rd_cufft_work work;
};

static int transform_staged(const struct rd_cufft_stages *stages, const void *in, void *out)
{
    const struct staged_call *staged = (const struct staged_call *)stages;
    struct rd_cufft_work work = staged->work;
    cufftResult result;
    if (!rd_cufft_begins(&staged->call, &result))
        return result;
    if (in) {
        work.in = in;
        work.plan.in = rd_cufft_dense(&work.plan, rd_cufft_in_row(&work.plan));
    }
    if (out) {
        work.out = out;
        work.plan.out = rd_cufft_dense(&work.plan, rd_cufft_out_row(&work.plan));
    }
    return rd_cufft_ends(&staged->call, transform(&staged->call, &work), "");
}

static struct rd_cufft_elements elements_of(const struct rd_cufft_plan *plan, long long row,
                                            const struct rd_cufft_layout *layout)
{
    return (struct rd_cufft_elements){
        .n = {plan->n[0], plan->n[1], row},
        .batch = plan->batch,
        .embed = {layout->embed[0], layout->embed[1], layout->embed[2]},
        .stride = layout->stride,
        .dist = layout->dist,
    };
}

static cufftResult run_stages(const struct rd_sim_host_call *call, cufftHandle handle,
                              const struct rd_cufft_work *work)
{
    const struct rd_cufft_plan *plan = &work->plan;
    const struct staged_call staged = {
        .stages =
            {
                .plan = handle,
                .name = call->name,
                .pc = (const void *)call->place.pc,
                .stream = plan->stream,
                .in = work->in,
                .out = work->out,
                .in_elements = elements_of(plan, rd_cufft_in_row(plan), &plan->in),
                .out_elements = elements_of(plan, rd_cufft_out_row(plan), &plan->out),
                .transform = transform_staged,
            },
        .call = *call,
        .work = *work,
    };
    return (cufftResult)plan->run_stages(&staged.stages);
}

static cufftResult execute(const struct rd_sim_host_call *call, cufftHandle handle, cufftType type,
                           const void *in, void *out, int sign)
{
    const struct rd_cufft_plan *plan = rd_cufft_plan_of(handle);
    if (!plan || !plan->is_made)
        return rd_cufft_ends(call, CUFFT_INVALID_PLAN, "the plan is none");
    if (plan->type != type)
        return rd_cufft_ends(call, CUFFT_INVALID_TYPE, "the plan is of another type");
    if (sign != CUFFT_FORWARD && sign != CUFFT_INVERSE)
        return rd_cufft_ends(call, CUFFT_INVALID_VALUE, "the direction is none");
    struct rd_cufft_work work = {*plan, in, out, sign};
    rd_cufft_lay_out(&work);
    if (!plan->run_stages)
        return rd_cufft_ends(call, transform(call, &work), "");
    /* Launches and the transform are calls of their own, which tell what is wrong with them. */
    rd_cufft_ends(call, CUFFT_SUCCESS, "");
    return run_stages(call, handle, &work);
}

/* Declared by cufftXt.h. */
RD_HOOK cufftResult cufftXtExec(cufftHandle handle, void *in, void *out, int direction);
RD_HOOK cufftResult cufftXtExec(cufftHandle handle, void *in, void *out, int direction)
{
    RD_BEGIN_CUFFT(cufftXtExec);
    const struct rd_cufft_plan *plan = rd_cufft_plan_of(handle);
    if (!plan || !plan->is_made)
        return rd_cufft_ends(&call, CUFFT_INVALID_PLAN, "the plan is none");
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
