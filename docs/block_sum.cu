// SPDX-License-Identifier: MIT
/* An example for `reductio check`: the loop's barrier is missing. */
__global__ void block_sum(const float *a, float *out, int n)
{
    __shared__ float s[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = i < n ? a[i] : 0;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2)
        if (threadIdx.x < half)
            s[threadIdx.x] += s[threadIdx.x + half];
    if (threadIdx.x == 0)
        out[blockIdx.x] = s[0];
}
