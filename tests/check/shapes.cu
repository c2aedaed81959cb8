// SPDX-License-Identifier: MIT
// Kernels for the conveniences of check: structs, pointers into buffers, several launches, sweeps, lists.
struct Params {
    int n;
    float *x;
    struct {
        short a;
        double b;
    } v;
    int m[2];
    unsigned field : 3;
};
struct Pair {
    float x, y;
};
__global__ void scale(Params p, float *out)
{
    int i = threadIdx.x;
    if (i < p.n)
        out[i] = p.x[i] + p.v.a + (float)p.v.b + p.m[1];
}
__global__ void shift(const int *a, int *b, int n)
{
    if (threadIdx.x < n)
        b[threadIdx.x] = a[threadIdx.x];
}
__global__ void show(const float *a, const int *b)
{
}
__global__ void add(const int *a, int n, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(out, a[i]);
}
__global__ void total(const float *a, int n, float *out)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i];
    *out = sum;
}
__global__ void all_of(const int *a, int n, int *out)
{
    int product = 1, most = a[0], least = a[0], conj = ~0, disj = 0, parity = 0, dot = 0;
    for (int i = 0; i < n; i++) {
        product *= a[i];
        most = max(most, a[i]);
        least = min(least, a[i]);
        conj &= a[i];
        disj |= a[i];
        parity ^= a[i];
        dot += a[i] * a[i];
    }
    out[0] = product, out[1] = most, out[2] = least, out[3] = conj, out[4] = disj, out[5] = parity;
    out[6] = dot;
}
__global__ void most_at(const float *a, int n, int *at)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        if (a[i] > a[best])
            best = i;
    *at = best;
}
__global__ void fold(float *A, int w)
{
    if (threadIdx.x < w)
        A[threadIdx.x] += A[threadIdx.x + w];
}
__global__ void partial(const float *a, int n, float *out)
{
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? a[i] : 0;
    __syncthreads();
    for (int w = blockDim.x / 2; w > 0; w /= 2) {
        if (t < w)
            s[t] += s[t + w];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}
__global__ __launch_bounds__(64) void unordered(const float *a, int n, float *out)
{
    __shared__ float s[64];
    s[threadIdx.x] = threadIdx.x < n ? a[threadIdx.x] : 0;
    if (threadIdx.x == 0) {
        float sum = 0;
        for (int i = 0; i < n; i++)
            sum += s[i];
        *out = sum;
    }
}
namespace n
{
template <class T, int B> __global__ void first(const T *in, T *out, int count)
{
    __shared__ T s[B];
    s[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x == 0)
        out[blockIdx.x] = s[0];
}
template <class T> __global__ void never(T *a)
{
    a[0] = 0;
}
template <class T> __global__ void none(typename T::type *a)
{
}
} // namespace n
int main()
{
    n::first<double, 64><<<1, 64>>>((double *)0, (double *)0, 64);
}
