// SPDX-License-Identifier: MIT
#ifndef RD_CUDA_DEVICE_H
#define RD_CUDA_DEVICE_H

#include "reductio/device.h"

extern const struct rd_device_ops rd_device_cuda;

#endif
