// SPDX-License-Identifier: MIT
// See namesakes.cu: 3 of each.
template <class T> float instance(T x)
{
    return x + 3;
}
template float instance<float>(float);
__attribute__((noinline)) __device__ inline float in_line(float x)
{
    return x + 3;
}
__device__ float of_other(float x)
{
    return in_line(x);
}
__device__ float twin(float x)
{
    return x + 3;
}
__global__ void call_twin(float *out)
{
    *out = twin(0);
}
float twin_of_other()
{
    float *device, host;
    cudaMalloc(&device, sizeof host);
    call_twin<<<1, 1>>>(device);
    cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(device);
    return host;
}
