// SPDX-License-Identifier: MIT
#include "device/cuda/cuda_error.h"

/* Errors that only the code of a kernel makes: a device that has failed, or a driver that gave up, has names
 * of its own. */
static enum rd_status status_of(cudaError_t result)
{
    switch (result) {
    case cudaSuccess:
        return RD_OK;
    case cudaErrorMemoryAllocation:
        return RD_ERROR_MEMORY;
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorIllegalInstruction:
    case cudaErrorHardwareStackError:
    case cudaErrorAssert:
    case cudaErrorLaunchFailure:
        return RD_ERROR_FAULT;
    default:
        return RD_ERROR_DEVICE;
    }
}

enum rd_status rd_cuda_check(cudaError_t result, const char *call, const char *more,
                             struct rd_error *error)
{
    enum rd_status status = status_of(result);
    if (status == RD_OK)
        return RD_OK;
    return rd_fail(error, status, "%s: %s (%s%s)", cudaGetErrorName(result),
                   cudaGetErrorString(result), call, more);
}
