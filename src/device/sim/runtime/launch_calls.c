// SPDX-License-Identifier: MIT
/* Launches, as the host's code and kernels make them. CUDA Runtime API, "Execution Control". */
#include "device/sim/api/hooks.h"
#include "device/sim/file/file.h"
#include "device/sim/runtime/graphs.h"
#include "device/sim/runtime/kernels.h"

RD_HOOK void rd_sim_launch(const struct rd_sim_launch *launch)
{
    const struct rd_sim_host_call call = {launch->kernel,
                                          {.file = launch->file, .line = launch->line}};
    cudaError_t error;
    if (rd_sim_is_running()) {
        rd_sim_launches_add(launch);
        return;
    }
    if (!rd_sim_call_begins(&call, &error))
        return;
    const struct rd_sim_task operation = {
        .type = cudaGraphNodeTypeKernel, .call = call, .launch = *launch};
    struct CUstream_st *stream = rd_sim_stream_of(launch->stream);
    rd_sim_launch_ends(&call,
                       stream ? rd_sim_submit(stream, &operation) : cudaErrorInvalidResourceHandle);
}

static cudaError_t launch_kernel(const struct rd_sim_host_call *call, const void *function,
                                 const rd_dim3 *grid, const rd_dim3 *block, void **arguments,
                                 size_t shared_bytes, cudaStream_t handle, bool cooperative)
{
    struct CUstream_st *stream = rd_sim_stream_of(handle);
    struct rd_sim_task operation = {
        .type = cudaGraphNodeTypeKernel, .call = *call, .cooperative = cooperative};
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    cudaError_t error = rd_sim_kernel_launch(function, grid, block, arguments, shared_bytes, call,
                                             &operation.launch);
    if (error != cudaSuccess)
        return error;
    operation.launch.stream = handle;
    error = rd_sim_submit(stream, &operation);
    rd_sim_kernel_launch_finish(&operation.launch);
    return error;
}

RD_HOOK cudaError_t cudaLaunchKernel(const void *kernel, rd_dim3 grid, rd_dim3 block,
                                     void **arguments, size_t shared_bytes, cudaStream_t stream)
{
    RD_BEGIN(cudaLaunchKernel);
    RD_END(launch_kernel(&call, kernel, &grid, &block, arguments, shared_bytes, stream, false));
}

RD_HOOK cudaError_t cudaLaunchCooperativeKernel(const void *kernel, rd_dim3 grid, rd_dim3 block,
                                                void **arguments, size_t shared_bytes,
                                                cudaStream_t stream)
{
    RD_BEGIN(cudaLaunchCooperativeKernel);
    RD_END(launch_kernel(&call, kernel, &grid, &block, arguments, shared_bytes, stream, true));
}

RD_HOOK cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel,
                                        void **arguments)
{
    bool cooperative = false;
    RD_BEGIN(cudaLaunchKernelExC);
    if (!config || (config->numAttrs > 0 && !config->attrs))
        RD_END(cudaErrorInvalidValue);
    for (unsigned k = 0; k < config->numAttrs; k++) {
        const cudaLaunchAttribute *attribute = &config->attrs[k];
        cooperative |=
            attribute->id == cudaLaunchAttributeCooperative && attribute->val.cooperative;
        if (attribute->id == cudaLaunchAttributeClusterDimension)
            rd_sim_runtime_lacks("clusters of blocks, as %s asks for", call.name);
    }
    RD_END(launch_kernel(&call, kernel, &config->gridDim, &config->blockDim, arguments,
                         config->dynamicSmemBytes, config->stream, cooperative));
}
