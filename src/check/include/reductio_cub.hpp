// SPDX-License-Identifier: MIT
// CUB, whichever of its headers is included. What is not here is refused in a sentence.
#ifndef RD_CUB_HPP
#define RD_CUB_HPP

#define CUB_VERSION     200000
#define CubDebug(error) (error)
#define CubDebugExit(error)                                                                        \
    do {                                                                                           \
        cudaError_t rd_error = (error);                                                            \
        if (rd_error != cudaSuccess) {                                                             \
            fprintf(stderr, "CUDA error %d (%s)\n", rd_error, cudaGetErrorString(rd_error));       \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
#define CUB_RUNTIME_FUNCTION
#define CUB_MIN(x, y) ((x) > (y) ? (y) : (x))
#define CUB_MAX(x, y) ((x) > (y) ? (x) : (y))

#include <chrono> // CUB's own headers include it, and these
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "cub/blocks.hpp"
#include "cub/devices.hpp"

#endif
