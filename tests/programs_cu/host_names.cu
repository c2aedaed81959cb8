// SPDX-License-Identifier: MIT
// Code of the device that says names of the host: nvcc refuses the lines that are wanted, and takes all others.
#include <cmath>
#include <cstdio>
namespace n
{
int counter = 3;
}
static float scale = 2.0f, other[4];
const int limit = 10;
constexpr float pi = 3.14f;
int later(int x);
int helper(int x)
{
    return x + 1;
}
constexpr int allowed(int x)
{
    return x + 1;
}
__host__ __device__ int both(int x)
{
    return helper(x);
}
struct point {
    int x;
    int get()
    {
        return x;
    }
    __device__ int read()
    {
        return x;
    }
};
template <class T> T twice(T x)
{
    return x + x;
}
__device__ int table[4];
__global__ void right(int *a, point p, int other)
{
    int scale = 4;
    a[0] = scale + limit + pi + allowed(2) + both(1) + fabsf(2.f) + std::min(1, 2) + other;
    a[1] = p.read() + table[0] + p.x + sizeof(n::counter);
}
#ifdef WRONG
__global__ void wrong(int *a, point p)
{
    a[0] = n::counter; // want variable
    a[1] = helper(1);  // want function
    a[2] = p.get();    // want function
    a[3] = other[1];   // want variable
    a[4] = twice(2);   // want function
    a[5] = later(2);   // want function
}
#endif
int later(int x)
{
    return x;
}
int main()
{
    int *d;
#ifdef WRONG
    auto f = [=] __device__(int x) { return helper(x); }; // want function
#endif
    cudaMalloc(&d, 32);
    right<<<1, 1>>>(d, point(), 1);
    printf("%d\n", helper(n::counter) + (int)scale + later(1) + twice(1));
    return cudaFree(d);
}
