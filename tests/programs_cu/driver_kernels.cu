// SPDX-License-Identifier: MIT
// Kernels of driver.cu, as a module of it.
struct pair {
    float x, y;
};

__device__ int total = 5;
static __constant__ float factors[2];

extern "C" __global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

extern "C" __global__ void mixed(char tag, float4 wide, pair two, double *out)
{
    out[0] = tag + wide.x + wide.w + two.y;
}

extern "C" __global__ void __launch_bounds__(64) reversed(int *a)
{
    __shared__ int s[64];
    extern __shared__ int more[];
    s[threadIdx.x] = a[threadIdx.x];
    more[threadIdx.x] = 0;
    __syncthreads();
    a[threadIdx.x] = s[63 - threadIdx.x] + more[threadIdx.x];
}

static __global__ void count(float *scaled)
{
    atomicAdd(&total, 1);
    if (threadIdx.x < 2)
        scaled[threadIdx.x] = factors[threadIdx.x] * 2;
}

extern "C" __global__ void sampled(cudaTextureObject_t texture, float *out)
{
    out[threadIdx.x] = tex2D<float>(texture, threadIdx.x + 0.5f, 1.5f);
}

extern "C" __global__ void behind(int *a)
{
    a[threadIdx.x + 64] = 1;
}

extern "C" __global__ void unmapped(int *a, size_t at)
{
    a[at] = 1;
}
