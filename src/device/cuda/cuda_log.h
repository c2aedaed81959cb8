// SPDX-License-Identifier: MIT
/* The log of an observed launch: makes room for it on the device, and tells what was written. */
#ifndef RD_CUDA_LOG_H
#define RD_CUDA_LOG_H

#include "reductio/device.h"
#include "log.h"

#include <cuda_runtime_api.h>

struct rd_cuda_log {
    struct rd_watch *watch;
    enum rd_type type;
    struct rd_log log;        /* as the device has it: its pointers are the device's */
    struct rd_log *on_device; /* all of it is one allocation, which begins with the log */
    size_t size_bytes;
};

/* Prepares the log before the launch. RD_ERROR_MEMORY, RD_ERROR_DEVICE. */
enum rd_status rd_cuda_log_begin(struct rd_cuda_log *log, const struct rd_launch *launch,
                                 cudaStream_t stream, struct rd_error *error);
/* Waits for the launch, and passes its checkpoints to the watch. */
enum rd_status rd_cuda_log_tell(struct rd_cuda_log *log, cudaStream_t stream,
                                struct rd_error *error);
void rd_cuda_log_finish(struct rd_cuda_log *log, cudaStream_t stream);

#endif
