// SPDX-License-Identifier: MIT
/* CUDA's errors as statuses. Private to src/device/cuda. */
#ifndef RD_CUDA_ERROR_H
#define RD_CUDA_ERROR_H

#include "reductio/status.h"

#include <cuda_runtime_api.h>

/* Status of a call. The message begins with CUDA's own name for the error, and ends with the call's and
 * `more`. RD_ERROR_MEMORY; RD_ERROR_FAULT where a kernel was stopped for what it did; else RD_ERROR_DEVICE. */
enum rd_status rd_cuda_check(cudaError_t result, const char *call, const char *more,
                             struct rd_error *error);

#endif
