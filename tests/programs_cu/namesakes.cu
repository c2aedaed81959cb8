// SPDX-License-Identifier: MIT
// Functions of this file's device code that have names of other functions in namesakes_host.cpp and namesakes_other.cu.
#include <cstdio>
#define APART __attribute__((noinline))
__device__ float plain(float x)
{
    return x + 1;
}
APART __device__ inline float in_line(float x)
{
    return x + 1;
}
template <class T> APART __device__ T of(T x)
{
    return x + 1;
}
struct Shape {
    float w;
    APART __device__ float area()
    {
        return w + 1;
    }
    virtual APART __device__ float edge()
    {
        return w + 1;
    }
};
__device__ float plain_and_in_line(float x)
{
    return x + 1;
}
APART __device__ inline float in_line_and_plain(float x)
{
    return x + 1;
}
APART __device__ inline float of_table(float x)
{
    static const float table[] = {1};
    const float *from = table;
    return x + from[(int)x];
}
APART inline __host__ __device__ float of_both(float x)
{
    return x + 1;
}
__device__ float twin(float x)
{
    return x + 1;
}
// The host's variable is one for all files.
APART inline int &count_of_host()
{
    static int count;
    return count;
}
// Of namesakes_other.cu: found there, as ever.
extern __device__ float of_other(float x);
template <class T> float instance(T x);
float twin_of_other();
float sum_of_host();

__global__ void call_all(float *out)
{
    Shape shape, *any = &shape;
    shape.w = 0;
    out[0] = plain(0);
    out[1] = in_line(0);
    out[2] = of(0.f);
    out[3] = shape.area();
    out[4] = any->edge();
    out[5] = plain_and_in_line(0);
    out[6] = in_line_and_plain(0);
    out[7] = of_table(0);
    out[8] = of_both(0);
    out[9] = twin(0);
    out[10] = of_other(0);
}

int main()
{
    enum { N = 11 };
    float *device, host[N];
    cudaMalloc(&device, sizeof host);
    call_all<<<1, 1>>>(device);
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(device);
    for (int k = 0; k < N; k++)
        printf("%g ", host[k]);
    count_of_host()++;
    const float sum = sum_of_host();
    printf("| %g %g %g %d\n", sum, twin_of_other(), instance(0.f), count_of_host());
    return 0;
}
