// SPDX-License-Identifier: MIT
// cuRAND: a generator's state is memory like any other.
#include <assert.h>
#include <curand_kernel.h>

// run own_state: --grid 2 --block 32 --arg u32[768]:uninit --arg f32[64]:uninit
// want own_state: clean
// gpu own_state: the numbers are not cuRAND's
__global__ void own_state(curandState *states, float *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    curandState state;
    curand_init(1234, i, 0, &state);
    out[i] = curand_uniform(&state) + curand_normal(&state) + (float)curand_poisson(&state, 3.0);
    states[i] = state;
}

// run one_state: --grid 1 --block 32 --arg u32[12]:one --arg f32[32]:uninit
// want one_state: race/read-write/warp
__global__ void one_state(curandState *state, float *out)
{
    out[threadIdx.x] = curand_uniform(state);
}

// run one_init: --grid 1 --block 2 --arg u32[12]:uninit --arg u32[1]:uninit
// want one_init: race/write-write/warp
__global__ void one_init(curandState *state, unsigned *out)
{
    curand_init(threadIdx.x, 0, 0, state);
    __syncthreads();
    if (threadIdx.x == 0)
        out[0] = curand(state);
}

// run uniform: --grid 1 --block 64 --arg f32[1]:uninit
// want uniform: clean
// gpu uniform: the numbers are not cuRAND's
__global__ void uniform(float *mean)
{
    __shared__ float part[64];
    curandStatePhilox4_32_10_t state;
    curand_init(7, threadIdx.x, 0, &state);
    float sum = 0;
    for (int k = 0; k < 64; k++) {
        float u = curand_uniform(&state);
        assert(u > 0 && u <= 1);
        sum += u / 64;
    }
    part[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    sum = 0;
    for (int k = 0; k < 64; k++)
        sum += part[k] / 64;
    assert(sum > 0.48f && sum < 0.52f);
    mean[0] = sum;
}
