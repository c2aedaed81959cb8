// SPDX-License-Identifier: MIT
// Inline PTX beside the same in C++, and what is wrong with some of it: `// want HAZARD` stands above the line of a finding.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_fp16.h>

enum { N = 64, CHECKS = 128 };
__device__ unsigned wrong[CHECKS];
#define EXPECT(number, actual, expected)                                                           \
    if ((actual) != (expected))                                                                    \
    atomicAdd(&wrong[number], 1)
// As headers have it: in a macro, with the name of another.
#define CACHED ".L1::no_allocate.L2::128B"
#define LOAD(x, p)                                                                                 \
    asm volatile("ld.global.nc" CACHED ".f32 %0, [%1];" /* no comma */                             \
                 : "=f"(x)                                                                         \
                 : "l"(p))

__device__ inline unsigned bits(float x)
{
    unsigned u;
    asm("mov.b32 %0, %1;" : "=r"(u) : "f"(x));
    return u;
}

template <class T> __device__ T twice(T x)
{
    T y;
    asm("{ .reg .b32 t<2>;\n\t"
        "  mov.b32 t0, %[from]; // its own register\n\t"
        "  add.s32 t1, t0, t0;\n\t"
        "  mov.b32 %[to], t1; }"
        : [to] "=r"(y)
        : [from] "r"(x));
    return y;
}

__device__ unsigned successor(unsigned x)
{
    unsigned y;
    asm("{ .reg .u32 t;\n"
#if __CUDACC_VER_MAJOR__ >= 11 && __CUDA_ARCH__ >= 350 // as of its later half
        "  add.u32 t, %1, 1;\n"
#else
        "  add.u32 t, %1, 2;\n"
#endif
        "  mov.u32 %0, t; }"
        : "=r"(y)
        : "r"(x));
    return y;
}

__global__ void integers(unsigned seed)
{
    unsigned i = threadIdx.x, a = seed * (i + 1), b = a ^ 0x9e3779b9u * i, r = 0, s = 0;
    unsigned long long w = (unsigned long long)a << 32 | b, v = 0;
    int n = (int)a, m = 0;
    asm("add.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    EXPECT(0, r, a + b);
    asm("sub.s32 %0, %1, 0x10;" : "=r"(m) : "r"(n));
    EXPECT(1, m, (int)(a - 16));
    asm("mul.lo.u32 %0, %1, %2;" : "=r"(s) : "r"(a), "r"(b));
    EXPECT(2, s, a * b);
    asm("mul.hi.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    EXPECT(3, r, __umulhi(a, b));
    asm("mul.wide.s32 %0, %1, %2;" : "=l"(v) : "r"(n), "r"((int)b));
    EXPECT(4, (long long)v, (long long)n * (int)b);
    asm("mad.lo.u32 %0, %1, %2, %0;" : "+r"(s) : "r"(a), "r"(3));
    EXPECT(5, s, a * b + 3 * a);
    asm("shr.s32 %0, %1, 40; shl.b32 %1, %1, %2;" : "=r"(m), "+r"(n) : "r"(i));
    EXPECT(6, m, (int)a >> 31);
    EXPECT(7, (unsigned)n, i < 32 ? a << i : 0u);
    asm("bfe.u32 %0, %1, 5, 7;" : "=r"(r) : "r"(a));
    EXPECT(8, r, a >> 5 & 127);
    asm("bfe.s32 %0, %1, 28, 9;" : "=r"(m) : "r"(a));
    EXPECT(9, m, (int)a >> 28);
    asm("bfi.b32 %0, %1, %2, 4, 8;" : "=r"(r) : "r"(a), "r"(b));
    EXPECT(10, r, (b & ~0xff0u) | (a & 255) << 4);
    asm("prmt.b32 %0, %1, %2, 0x5140;" : "=r"(r) : "r"(a), "r"(b));
    EXPECT(11, r, __byte_perm(a, b, 0x5140));
    asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(r) : "r"(a), "r"(b), "r"(i));
    EXPECT(12, r, (a & b) | (a & i) | (b & i));
    asm("popc.b32 %0, %1;" : "=r"(r) : "r"(a));
    EXPECT(13, r, (unsigned)__popc(a));
    asm("clz.b64 %0, %1;" : "=r"(r) : "l"(w));
    EXPECT(14, r, (unsigned)__clzll((long long)w));
    asm("brev.b32 %0, %1;" : "=r"(r) : "r"(a));
    EXPECT(15, r, __brev(a));
    asm("bfind.u32 %0, %1;" : "=r"(r) : "r"(a));
    EXPECT(16, r, 31u - (unsigned)__clz((int)a));
    asm("add.cc.u32 %0, %2, %3; addc.u32 %1, 0, 0;" : "=r"(r), "=r"(s) : "r"(a), "r"(b));
    EXPECT(17, s, (unsigned)((unsigned long long)a + b >> 32));
    asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(i));
    EXPECT(18, r, __funnelshift_l(a, b, i));
    asm("min.s32 %0, %1, %2; max.u32 %1, %1, %2;" : "=r"(m), "+r"(a) : "r"(b));
    EXPECT(19, m, (int)(seed * (i + 1)) < (int)b ? (int)(seed * (i + 1)) : (int)b);
    EXPECT(20, a, seed * (i + 1) > b ? seed * (i + 1) : b);
    asm("{ .reg .pred p, q;\n\t"
        "setp.lt.u32 p|q, %1, 10;\n\t"
        "@p mov.u32 %0, 1;\n\t"
        "@q mov.u32 %0, 2;\n\t"
        "@!p add.u32 %0, %0, 5; }"
        : "=r"(r)
        : "r"(i));
    EXPECT(21, r, i < 10 ? 1u : 7u);
    asm("{ .reg .pred p; setp.ge.and.s32 p, %1, 3, 1; selp.b32 %0, 8, 9, p; }" : "=r"(r) : "r"(-1));
    EXPECT(22, twice((int)r), 18);
    EXPECT(91, successor(7), 8u);
    asm("mov.b64 {%0, %1}, %2;" : "=r"(r), "=r"(s) : "l"(w));
    EXPECT(23, r, b);
    EXPECT(24, s, seed * (i + 1));
    asm("mov.b64 %0, {%1, %2};" : "=l"(v) : "r"(r), "r"(s));
    EXPECT(25, v, w);
    asm("cvt.s64.s8 %0, %1; " : "=l"(v) : "r"(a));
    EXPECT(26, (long long)v, (long long)(signed char)a);
    asm("cvt.sat.u8.s32 %0, %1;" : "=r"(r) : "r"((int)i * 8 - 100));
    EXPECT(27, r, (int)i * 8 < 100 ? 0u : i * 8 - 100 > 255 ? 255u : i * 8 - 100);
    asm("sad.u32 %0, %1, %2, 7;" : "=r"(r) : "r"(i), "r"(30));
    EXPECT(28, r, (i < 30 ? 30 - i : i - 30) + 7);
    asm("rem.u32 %0, %1, 7; div.u32 %1, %1, 7;" : "=r"(r), "+r"(b) :);
    EXPECT(29, r, (seed * (i + 1) ^ 0x9e3779b9u * i) % 7);
}

__global__ void others()
{
    unsigned r, i = threadIdx.x;
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;"
        : "=r"(r)
        : "r"(0x01ff0380u), "r"(0x02000580u), "r"(i));
    EXPECT(30, r, 1 + 255 + 2 + 0 + i);
}

__global__ void floats()
{
    unsigned i = threadIdx.x;
    float x = 1.0f / (float)(i + 3), y = 0, z = -2.5f + (float)i;
    double d = 0;
    unsigned r = 0;
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(y) : "f"(x), "f"(z), "f"(0.1f));
    EXPECT(40, y, fmaf(x, z, 0.1f));
    asm("add.rz.f32 %0, %1, %2;" : "=f"(y) : "f"(x), "f"(z));
    EXPECT(41, y, __fadd_rz(x, z));
    asm("mul.rp.f32 %0, %1, 0f3DCCCCCD;" : "=f"(y) : "f"(x));
    EXPECT(42, y, __fmul_ru(x, 0.1f));
    asm("div.rn.f32 %0, %1, %2; neg.f32 %1, %1;" : "=f"(y), "+f"(z) : "f"(3.0f));
    EXPECT(43, y, (-2.5f + (float)i) / 3.0f);
    EXPECT(44, bits(z), bits(2.5f - (float)i));
    asm("cvt.rni.s32.f32 %0, %1;" : "=r"(r) : "f"(z));
    EXPECT(45, (int)r, __float2int_rn(z));
    asm("cvt.rzi.u32.f32 %0, %1;" : "=r"(r) : "f"(z));
    EXPECT(46, r, z > 0 ? (unsigned)z : 0u);
    asm("cvt.rn.f32.s32 %0, %1;" : "=f"(y) : "r"((int)(i * 123456789u)));
    EXPECT(47, y, (float)(int)(i * 123456789u));
    asm("cvt.f64.f32 %0, %1; add.rn.f64 %0, %0, 1.5;" : "=d"(d) : "f"(x));
    EXPECT(48, d, (double)x + 1.5);
    asm("{ .reg .b16 l, h; cvt.rn.f16.f32 l, %1; mov.b16 h, 0x3c00; mov.b32 %0, {l, h}; }"
        : "=r"(r)
        : "f"(x));
    __half h = __float2half(x);
    unsigned short half_bits;
    memcpy(&half_bits, &h, sizeof h);
    EXPECT(49, r, 0x3c000000u | half_bits);
    asm("{ .reg .b32 t; mul.rn.f16x2 t, %1, %1; add.f16x2 %0, t, %1; }"
        : "=r"(r)
        : "r"(0x40003c00u));
    EXPECT(50, r, 0x46004000u);
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(1.0f + 1.0f / 2048));
    EXPECT(51, r, 0x3f802000u);
    asm("min.f32 %0, %1, %2;" : "=f"(y) : "f"(NAN), "f"(x));
    EXPECT(52, y, x);
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"((float)i));
    EXPECT(53, y, exp2f((float)i));
    asm("{ .reg .pred p; setp.neu.f32 p, %1, %1; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(NAN));
    EXPECT(54, r, 1u);
    asm("add.sat.f32 %0, %1, 0.75;" : "=f"(y) : "f"(0.5f));
    EXPECT(55, y, 1.0f);
}

__global__ void places(const float4 *in, float *out, int *counter)
{
    __shared__ float tile[N];
    unsigned i = threadIdx.x, r = 0, s = 0;
    float x, y, z, w;
    asm("mov.u32 %0, %%tid.x; mov.u32 %1, %%ntid.x;" : "=r"(r), "=r"(s));
    EXPECT(60, r, i);
    EXPECT(61, s, blockDim.x);
    asm("mov.u32 %0, %%laneid; mov.u32 %1, %%lanemask_lt;" : "=r"(r), "=r"(s));
    EXPECT(62, r, i % 32);
    EXPECT(63, s, (1u << i % 32) - 1);
    asm volatile("ld.global.v4.f32 {%0, %1, %2, %3}, [%4+16];"
                 : "=f"(x), "=f"(y), "=f"(z), "=f"(w)
                 : "l"(in));
    EXPECT(64, x + y + z + w, 22.0f);
    LOAD(x, (const float *)in + 2);
    EXPECT(65, x, 2.0f);
    unsigned at = (unsigned)__cvta_generic_to_shared(&tile[i]);
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(at), "f"((float)i) : "memory");
    asm volatile("bar.sync 0;" ::: "memory");
    asm volatile("ld.shared.f32 %0, [%1];"
                 : "=f"(x)
                 : "r"((unsigned)__cvta_generic_to_shared(tile) + 4 * (N - 1 - i)));
    EXPECT(66, x, (float)(N - 1 - i));
    asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(r) : "l"(counter), "r"(2) : "memory");
    asm volatile("red.global.gpu.relaxed.max.s32 [%0], %1;" ::"l"(counter + 1), "r"(i) : "memory");
    asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=r"(r) : "r"(i));
    EXPECT(67, r, i ^ 1);
    asm volatile("{ .reg .pred p; shfl.sync.up.b32 %0|p, %2, 3, 0, -1; selp.u32 %1, 1, 0, p; }"
                 : "=r"(r), "=r"(s)
                 : "r"(i));
    EXPECT(68, r, i % 32 < 3 ? i : i - 3);
    EXPECT(69, s, i % 32 >= 3);
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 7; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                 : "=r"(r)
                 : "r"(i));
    EXPECT(70, r, i < 32 ? 127u : 0u);
    asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(1));
    EXPECT(71, r, 32u);
    asm volatile("{ .reg .pred p; isspacep.shared p, %1; selp.u32 %0, 1, 0, p; }"
                 : "=r"(r)
                 : "l"(tile));
    EXPECT(72, r, 1u);
    if (i == 5)
        asm volatile("exit;");
    out[i] = tile[i];
}

// C = A B: row i of A is i in its first column, column j of B is j in its first row.
__global__ void matrices(float *out)
{
    __shared__ __align__(16) __half a[16 * 16];
    __shared__ __align__(16) __half b[8 * 16];
    unsigned i = threadIdx.x, ra[4], rb[2];
    for (unsigned k = i; k < 256; k += 32)
        a[k] = __float2half(k % 16 == 0 ? (float)(k / 16) : k % 16 == 15 ? 1.0f : 0.0f);
    for (unsigned k = i; k < 128; k += 32)
        b[k] = __float2half(k % 16 == 0 ? (float)(k / 16) : k % 16 == 15 ? 100.0f : 0.0f);
    __syncthreads();
    unsigned at = (unsigned)__cvta_generic_to_shared(&a[i % 16 * 16 + i / 16 * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n"
                 : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3])
                 : "r"(at));
    at = (unsigned)__cvta_generic_to_shared(&b[i % 8 * 16 + i / 8 % 2 * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];\n"
                 : "=r"(rb[0]), "=r"(rb[1])
                 : "r"(at));
    float c[4] = {1, 1, 1, 1};
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, "
                 "%7}, {%8, %9}, "
                 "{%0, %1, %2, %3};\n"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    for (unsigned k = 0; k < 4; k++) {
        unsigned row = i / 4 + 8 * (k / 2), column = i % 4 * 2 + k % 2;
        EXPECT(80, c[k], (float)(row * column) + 101.0f);
        out[row * 8 + column] = c[k];
    }
}

__global__ void copied(const float *in, float *out)
{
    __shared__ __align__(16) float tile[4 * N];
    unsigned to = (unsigned)__cvta_generic_to_shared(&tile[4 * threadIdx.x]);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(to),
                 "l"(in + 4 * threadIdx.x));
    asm volatile("cp.async.commit_group;\n" ::);
    asm volatile("cp.async.wait_group %0;\n" ::"n"(0));
    __syncthreads();
    EXPECT(90, tile[255 - threadIdx.x], in[255 - threadIdx.x]);
    out[threadIdx.x] = tile[threadIdx.x];
}

// ---- faults ----

__global__ void racing(int *out)
{
    __shared__ int tile[N];
    unsigned at = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x]);
    int x;
    // want race
    asm volatile("st.shared.s32 [%0], %1;" ::"r"(at), "r"(threadIdx.x));
    asm volatile("ld.shared.s32 %0, [%1];" : "=r"(x) : "r"(at ^ 128));
    out[threadIdx.x] = x;
}

__global__ void beyond(int *out)
{
    int x;
    // want out-of-bounds
    asm volatile("ld.global.s32 %0, [%1+4];" : "=r"(x) : "l"(out + threadIdx.x));
    // want race
    asm volatile("st.global.s32 [%0], %1;" ::"l"(out + threadIdx.x), "r"(x + 1));
}

__global__ void unset(int *out)
{
    int x;
    // want uninitialised
    asm("{ .reg .s32 t; add.s32 %0, t, 1; }" : "=r"(x));
    __shared__ int tile[N];
    // want uninitialised
    asm volatile("ld.shared.s32 %0, [%1];"
                 : "=r"(x)
                 : "r"((unsigned)__cvta_generic_to_shared(tile)));
    out[threadIdx.x] = x;
}

__global__ void hasty(const float *in, float *out)
{
    __shared__ float tile[N], other[N];
    unsigned to = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x]);
    // want race
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + threadIdx.x));
    asm volatile("cp.async.commit_group;");
    to = (unsigned)__cvta_generic_to_shared(&other[threadIdx.x]);
    // want race
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + threadIdx.x));
    asm volatile("cp.async.commit_group;");
    out[threadIdx.x] = tile[threadIdx.x];
    asm volatile("cp.async.wait_group 1;");
    __syncthreads();
    out[threadIdx.x] += tile[N - 1 - threadIdx.x] + other[N - 1 - threadIdx.x];
}

__global__ void misaligned(const float *in, float *out)
{
    float x, y;
    // want misaligned
    asm volatile("ld.global.v2.f32 {%0, %1}, [%2];" : "=f"(x), "=f"(y) : "l"(in + 1));
    out[threadIdx.x] = x + y;
}

int main()
{
    float *in, *out;
    int *counter;
    cudaMalloc(&in, 4 * N * sizeof *in);
    cudaMalloc(&out, 4 * N * sizeof *out);
    cudaMalloc(&counter, N * sizeof *counter);
    float host[4 * N];
    for (int k = 0; k < 4 * N; k++)
        host[k] = (float)k;
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(counter, 0, N * sizeof *counter);
    integers<<<1, N>>>(2654435761u);
    floats<<<1, N>>>();
    others<<<1, N>>>();
    places<<<1, N>>>((const float4 *)in, out, counter);
    matrices<<<1, 32>>>(out);
    copied<<<1, N>>>(in, out);
    int counts[2];
    cudaMemcpy(counts, counter, sizeof counts, cudaMemcpyDeviceToHost);
    unsigned bad[CHECKS];
    cudaMemcpyFromSymbol(bad, wrong, sizeof bad);
    bool right = counts[0] == 2 * N && counts[1] == N - 1;
    for (int k = 0; k < CHECKS; k++) {
        if (bad[k])
            printf("check %d fails for %u threads\n", k, bad[k]);
        right = right && !bad[k];
    }
    racing<<<1, N>>>(counter);
    beyond<<<1, N>>>(counter);
    unset<<<1, N>>>(counter);
    hasty<<<1, N>>>(in, out);
    misaligned<<<1, 1>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    cudaFree(counter);
    puts(right ? "right" : "wrong");
    return 0;
}
