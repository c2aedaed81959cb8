// SPDX-License-Identifier: MIT
// CUDA's words: each as the guide defines it, and files as people write them. All are right.
#include <assert.h>
#include <cstdio>
#include <cuda_runtime.h>
#include <float.h>
#include <limits.h>
#include <math_constants.h>
#include <vector>

// run integers: --grid 1 --block 1 --arg i32[1]:zero
// want integers: clean
__global__ void integers(int *)
{
    assert(__popc(0xf0f0f0f0u) == 16 && __popcll(~0ull) == 64);
    assert(__clz(0) == 32 && __clz(1) == 31 && __clz(-1) == 0);
    assert(__clzll(0) == 64 && __clzll(1ll << 40) == 23);
    assert(__ffs(0) == 0 && __ffs(8) == 4 && __ffsll(1ll << 40) == 41);
    assert(__brev(1) == 0x80000000u && __brev(0x0000ffffu) == 0xffff0000u);
    assert(__brevll(2) == 1ull << 62);
    assert(__byte_perm(0x33221100, 0x77665544, 0x7520) == 0x77552200);
    assert(__mul24(-3, 5) == -15 && __mul24(0x01000002, 3) == 6 && __umul24(0xff000002u, 3) == 6);
    assert(__mulhi(1 << 30, 8) == 2 && __mulhi(-1, 1) == -1 && __umulhi(0x80000000u, 6) == 3);
    assert(__mul64hi(1ll << 62, 8) == 2 && __umul64hi(1ull << 63, 6) == 3);
    assert(__sad(-5, 7, 100) == 112 && __usad(9, 4, 1) == 6);
    assert(__hadd(7, -2) == 2 && __rhadd(7, -2) == 3 && __uhadd(0xffffffffu, 1) == 0x80000000u);
    assert(__urhadd(2, 3) == 3);
    assert(__funnelshift_l(0x80000000u, 1, 4) == 0x18 && __funnelshift_r(0, 1, 4) == 0x10000000);
    assert(__funnelshift_lc(5, 1, 40) == 5 && __funnelshift_rc(5, 1, 32) == 1);
    assert(min(3, 4) == 3 && max(3u, 4u) == 4 && min(-1ll, 1ll) == -1 && max(2, 1u) == 2);
    assert(min(1.5f, 2.5f) == 1.5f && max(1.5, 2.5) == 2.5 && max(1.5f, 2.5) == 2.5);
    assert(abs(-3) == 3 && fabsf(-2.0f) == 2);
}

// run floats: --grid 1 --block 1 --arg i32[1]:zero
// want floats: clean
__global__ void floats(int *)
{
    float infinity = CUDART_INF_F;
    assert(__fadd_rn(1, 2) == 3 && __fsub_rn(1, 2) == -1 && __fmul_rn(3, 2) == 6);
    assert(__fdiv_rn(3, 2) == 1.5f && __frcp_rn(4) == 0.25f && __fsqrt_rn(9) == 3);
    assert(__fmaf_rn(2, 3, 4) == 10 && __fma_rn(2, 3, 4) == 10 && fmaf(2, 3, 4) == 10);
    assert(__dadd_rn(1, 2) == 3 && __dmul_rn(3, 2) == 6 && __ddiv_rn(3, 2) == 1.5);
    assert(__dsqrt_rn(9) == 3 && __drcp_rn(4) == 0.25);
    assert(__saturatef(1.5f) == 1 && __saturatef(-1) == 0 && __saturatef(0.5f) == 0.5f);
    assert(fabsf(rsqrtf(4) - 0.5f) < 1e-6f && fabs(rsqrt(4.0) - 0.5) < 1e-15);
    assert(fabsf(__fdividef(3, 2) - 1.5f) < 1e-6f && fabsf(__expf(0) - 1) < 1e-6f);
    assert(fabsf(__powf(2, 3) - 8) < 1e-4f && fabsf(__logf(1)) < 1e-6f && fabsf(__sinf(0)) < 1e-6f);
    assert(fabsf(sinpif(0.5f) - 1) < 1e-6f && fabsf(cospif(1) + 1) < 1e-6f);
    assert(fabsf(normcdff(0) - 0.5f) < 1e-6f && isinf(infinity) && isnan(CUDART_NAN_F));
    assert(fabsf(CUDART_PI_F - 3.14159265f) < 1e-6f && FLT_MAX < infinity && INT_MAX == ~INT_MIN);
}

// run conversions: --grid 1 --block 1 --arg i32[1]:zero
// want conversions: clean
__global__ void conversions(int *)
{
    assert(__float2int_rn(2.5f) == 2 && __float2int_rz(-2.7f) == -2 && __float2int_ru(2.1f) == 3);
    assert(__float2int_rd(-2.1f) == -3 && __float2uint_rz(-1.0f) == 0);
    assert(__float2int_rz(1e20f) == INT_MAX && __float2ll_rz(-1e30f) == LLONG_MIN);
    assert(__float2ull_rn(4.0f) == 4 && __double2int_rn(3.5) == 4 && __double2uint_rz(7.9) == 7);
    assert(__double2ll_rd(-0.5) == -1 && __double2ull_ru(0.5) == 1 && __double2float_rn(0.5) == 0.5f);
    assert(__int2float_rn(-3) == -3 && __uint2float_rn(3) == 3 && __ll2float_rn(-4) == -4);
    assert(__int2double_rn(-3) == -3 && __ull2double_rn(5) == 5);
    assert(__float_as_int(1.0f) == 0x3f800000 && __int_as_float(0x40000000) == 2);
    assert(__float_as_uint(-1.0f) == 0xbf800000u && __uint_as_float(0x3f000000u) == 0.5f);
    assert(__double_as_longlong(1.0) == 0x3ff0000000000000ll && __longlong_as_double(0) == 0);
    assert(__double2hiint(1.0) == 0x3ff00000 && __double2loint(1.0) == 0);
    assert(__hiloint2double(0x40000000, 0) == 2);
}

// run vectors: --grid 1 --block 4 --arg f32[16]:iota --arg f32[4]:uninit
// want vectors: clean
__global__ void vectors(const float4 *a, float *out)
{
    static_assert(sizeof(float3) == 12 && alignof(float4) == 16 && sizeof(uchar4) == 4, "");
    static_assert(alignof(double2) == 16 && sizeof(longlong2) == 16 && alignof(ushort2) == 4, "");
    const float4 v = a[threadIdx.x];
    const int3 i = make_int3(1, 2, 3);
    const uchar4 c = make_uchar4(1, 2, 3, 255);
    const double2 d = make_double2(0.5, 1.5);
    const dim3 block = blockDim, one(2, 3);
    const uint3 place = threadIdx;
    assert(block.x == 4 && one.y == 3 && one.z == 1 && place.x == threadIdx.x);
    out[threadIdx.x] = v.x + v.y * v.z - v.w + i.z * c.w + (float)d.y + make_float3(1, 2, 3).z +
                       (float)make_ulonglong2(1, 2).y + make_char1(1).x;
}

// run cached: --grid 1 --block 32 --arg i32[32]:iota --arg i32[32]:uninit
// want cached: clean
__global__ void cached(const int *__restrict__ a, int *__restrict__ out)
{
    unsigned t = threadIdx.x;
    __stcg(out + t, __ldg(a + t) + __ldcg(a + t) + __ldca(a + t) + __ldcs(a + t));
    __nanosleep(20);
    if (clock64() < 0 || clock() < 0)
        __trap();
}

// Attributes and qualifiers in all their places.
#define BLOCK 32
typedef unsigned char uchar;
static const int half_block = BLOCK / 2;
__constant__ float weights[3] = {1, 2, 1};
__constant__ float unread[1];
__device__ __managed__ int managed = 3;
static __device__ __noinline__ float weigh(float x, int k)
{
    return k < 0 || k > 2 ? 0 : x * weights[k];
}
template <typename T, int N> struct window {
    T cells[N];
    __host__ __device__ T &operator[](int k)
    {
        return cells[k];
    }
    __device__ __forceinline__ T sum() const
    {
        T total = 0;
#pragma unroll
        for (int k = 0; k < N; k++)
            total += cells[k];
        return total;
    }
};
// run qualifiers: --grid 2 --block 32 --shared 128 --arg f32[64]:iota --arg f32[64]:uninit
// want qualifiers: clean
extern "C" __global__ void __launch_bounds__(BLOCK, 2)
    qualifiers(const float *__restrict__ in, float *const out)
{
    extern __shared__ __align__(16) uchar bytes[];
    __shared__ volatile float halo[BLOCK + 2];
    static __shared__ window<float, 4> w;
    float *all = reinterpret_cast<float *>(bytes);
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    auto at = [=](int k) { return k < 0 || k > 63 ? 0.0f : in[k]; };
    if (t < 4)
        w[t] = (float)t;
    halo[t + 1] = at(i);
    if (t == 0)
        halo[0] = at(i - 1);
    else if (t == BLOCK - 1)
        halo[BLOCK + 1] = at(i + 1);
    all[t] = weigh(1, t % 3);
    __syncthreads();
    float sum = w.sum() + all[BLOCK - 1 - t] + (float)managed;
    for (int k = 0; k < 3; ++k)
        sum += weigh(halo[t + k], k);
    out[i] = t < half_block ? sum : -sum;
}

template <class T, int N, bool B> __global__ void typed(T *a)
{
    a[threadIdx.x] = B ? (T)N : T();
}
// run typed<double,3,true>: --grid 1 --block 8 --arg f64[8]:uninit
// want typed<double,3,true>: clean

// The host's side, with launches in every form: it is compiled only.
#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error = call;                                                                  \
        if (error != cudaSuccess)                                                                  \
            printf("%s: %s\n", #call, cudaGetErrorString(error));                                  \
    } while (0)
#define LAUNCH(name, grid, block)                                                                  \
    name##loats<<<grid,                                                                            \
                  block>>>(host_pointer)
static int *host_pointer;
static void launches(int n, cudaStream_t stream)
{
    dim3 blockDim(n < 32 ? 8 : 16, 1, 1), gridDim((n + blockDim.x - 1) / blockDim.x);
    void (*pointer)(int *) = integers;
    void (*several[2])(int *) = {integers, floats};
    std::vector<dim3> dims(3, blockDim);
    double *doubles = nullptr;
    if (n < 3)
        integers<<<gridDim, blockDim>>>(host_pointer);
    else if (n << 3 > 4)
        typed<double, (1 > 0) ? 3 : 4, (3 < 4)><<<dim3(1), dims[n >> 1], 0, stream>>>(doubles);
    (*pointer)<<<1, 1>>>(host_pointer); // not <<< here
    several[n & 1]<<<1, (n >> 1) + 1>>>(host_pointer);
    typed<double, 3, true>
        <<<gridDim, blockDim, 16 * sizeof(float)>>>(doubles);
    LAUNCH(f, 1, 1);
    CHECK((floats<<<1, 1>>>(host_pointer), cudaPeekAtLastError()));
    CHECK(cudaMemcpyToSymbol(unread, &n, sizeof n, 0, cudaMemcpyHostToDevice));
    CHECK(cudaMalloc((void **)&doubles, 8 * n));
    printf("<<<%d>>>\n", n);
    integers<<<1, 1'024>>>(host_pointer);
    printf("%c%c", '"', (int)L'\''), integers<<<0x1'0u, 4>>>(host_pointer);
    puts(R"--(isn't one: integers<<<1, ")" 1>>>(host_pointer)--");
    puts(u8R"()"), floats<<<1, 1>>>(host_pointer);
}
int main(int argc, char **argv)
{
    cudaDeviceProp properties;
    cudaEvent_t start;
    float milliseconds;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    CHECK(cudaEventCreate(&start));
    launches(argc, 0);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventElapsedTime(&milliseconds, start, start));
    return argv[0] == nullptr || properties.major < 7;
}
