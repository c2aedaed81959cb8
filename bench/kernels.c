// SPDX-License-Identifier: MIT
/* What the simulator is timed on: the sum of a block in shared memory, ten barriers a thread. */
#define RD_SIM_KERNEL
#include "sim/cuda.h"

void block_sum(const float *a, float *out);
void block_sum_thread(void *const *arguments);

void block_sum(const float *a, float *out)
{
    __shared__ float s[256];
    unsigned t = threadIdx.x;
    s[t] = a[(size_t)blockIdx.x * 256 + t];
    __syncthreads();
    for (unsigned o = 128; o > 0; o /= 2) {
        if (t < o)
            s[t] += s[t + o];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

__attribute__((no_sanitize_thread)) void block_sum_thread(void *const *arguments)
{
    block_sum(*(const float **)arguments[0], *(float **)arguments[1]);
}

void fold_round(float *A, size_t half);
void fold_round_thread(void *const *arguments);

void fold_round(float *A, size_t half)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < half)
        A[i] += A[i + half];
}

__attribute__((no_sanitize_thread)) void fold_round_thread(void *const *arguments)
{
    fold_round(*(float **)arguments[0], *(size_t *)arguments[1]);
}
