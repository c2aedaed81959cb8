// SPDX-License-Identifier: MIT
/* Calls of the driver's, and their results. CUDA Driver API, "Error Handling" and "Initialization". */
#include "device/sim/driver/driver.h"
#include "device/sim/runtime/libraries.h"

#include <stdio.h>

static const struct row {
    const char *name;
    CUresult result;
} rows[] = {
#define ROW(name, number) {#name, name},
    RD_CU_RESULTS(ROW)
#undef ROW
};
enum { N_ROWS = sizeof rows / sizeof *rows };

static const char *result_name(CUresult result)
{
    for (size_t k = 0; k < N_ROWS; k++)
        if (rows[k].result == result)
            return rows[k].name;
    return NULL;
}

/* Errors of the runtime alone are of what a call was given. */
CUresult rd_sim_driver_result(cudaError_t error)
{
    const CUresult same = (CUresult)error;
    switch (error) {
    case cudaErrorInvalidDeviceFunction:
        return CUDA_ERROR_INVALID_HANDLE;
    case cudaErrorInvalidSymbol:
        return CUDA_ERROR_NOT_FOUND;
    default:
        return result_name(same) ? same : CUDA_ERROR_INVALID_VALUE;
    }
}

static const char *name_of(cudaError_t error)
{
    return result_name(rd_sim_driver_result(error));
}

static bool is_initialized;

/* cuInit() was called. */
static void init_driver(void)
{
    is_initialized = true;
}

static CUresult check(enum rd_sim_driver_needs needs)
{
    const struct CUctx_st *context = rd_sim_context_now();
    if (needs >= RD_CU_NEEDS_INIT && !is_initialized && !rd_sim_runtime_is_used())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (needs < RD_CU_NEEDS_CONTEXT)
        return CUDA_SUCCESS;
    if (!context)
        return CUDA_ERROR_INVALID_CONTEXT;
    return context->destroyed ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_SUCCESS;
}

bool rd_sim_driver_begins(struct rd_sim_driver_call *call, enum rd_sim_driver_needs needs,
                          CUresult *result)
{
    cudaError_t error;
    if (!rd_sim_call_begins(&call->call, &error)) {
        *result = rd_sim_driver_result(error);
        return false;
    }
    call->outer = (struct rd_sim_outer){&call->call, name_of};
    call->before = rd_sim_outer_set(&call->outer);
    const CUresult refusal = check(needs);
    if (refusal == CUDA_SUCCESS)
        return true;
    *result = rd_sim_driver_ends(call, refusal);
    return false;
}

CUresult rd_sim_driver_ends(const struct rd_sim_driver_call *call, CUresult result)
{
    const bool failed = result != CUDA_SUCCESS && result != CUDA_ERROR_NOT_READY;
    rd_sim_outer_set(call->before);
    rd_sim_library_ends(&call->call, failed ? result_name(result) : NULL,
                        cudaGetErrorString((cudaError_t)result));
    return result;
}

RD_HOOK CUresult cuGetErrorName(CUresult error, const char **name)
{
    const char *found = result_name(error);
    if (!name)
        return CUDA_ERROR_INVALID_VALUE;
    *name = found;
    return found ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

RD_HOOK CUresult cuGetErrorString(CUresult error, const char **text)
{
    if (!text)
        return CUDA_ERROR_INVALID_VALUE;
    *text = result_name(error) ? cudaGetErrorString((cudaError_t)error) : NULL;
    return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

RD_HOOK CUresult cuInit(unsigned flags)
{
    RD_CU_BEGIN(cuInit, RD_CU_NEEDS_NOTHING);
    if (flags != 0)
        RD_CU_END(CUDA_ERROR_INVALID_VALUE);
    init_driver();
    RD_CU_END(CUDA_SUCCESS);
}

RD_HOOK CUresult cuDriverGetVersion(int *version)
{
    RD_CU_BEGIN(cuDriverGetVersion, RD_CU_NEEDS_NOTHING);
    RD_CU_DO(cudaDriverGetVersion(version));
}
