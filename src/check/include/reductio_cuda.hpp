// SPDX-License-Identifier: MIT
// CUDA's words for a C++ compiler: what a user's kernel file is compiled with for the simulator. It is
// included before the file's first line.
#ifndef RD_CUDA_HPP
#define RD_CUDA_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <utility>

#include "intrinsics.h"

#define __CUDACC__ 12
#define __CUDA_ARCH__ 900
// A section of its own tells a kernel from other functions, in the object file. (A template has none.)
#define RD_QUOTE_(x) #x
#define RD_QUOTE(x)  RD_QUOTE_(x)
#define __global__   __attribute__((used, section("rd_kernel." RD_QUOTE(__COUNTER__))))
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __grid_constant__
// A variable of each launch that is static where it stands in a function, and that can be declared
// extern: as a thread-local one. All of them then lie together, in a segment of their own. Used: also
// where it is only written, the writes are to be seen.
#define __shared__ thread_local __attribute__((used))

#define RD_INLINE static inline __attribute__((always_inline))
#define RD_HERE   const char *rd_file = __builtin_FILE(), unsigned rd_line = __builtin_LINE()

struct uint3 {
    unsigned x, y, z;
};
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_)
    {
    }
};

// A thread's place is constant while it runs: no hook is called for it.
struct rd_sim_place {
    uint3 thread, block, block_dim, grid_dim;
};
extern "C" const rd_sim_place rd_sim_place;
#define threadIdx (::rd_sim_place.thread)
#define blockIdx  (::rd_sim_place.block)
#define blockDim  (::rd_sim_place.block_dim)
#define gridDim   (::rd_sim_place.grid_dim)
static const int warpSize = 32;

// ---- vectors ----

#define RD_VECTOR(T, name)                                                                         \
    struct name##1 {                                                                               \
        T x;                                                                                       \
    };                                                                                             \
    struct __attribute__((aligned(2 * sizeof(T)))) name##2 {                                       \
        T x, y;                                                                                    \
    };                                                                                             \
    struct name##3_ {                                                                              \
        T x, y, z;                                                                                 \
    };                                                                                             \
    struct __attribute__((aligned(4 * sizeof(T) < 16 ? 4 * sizeof(T) : 16))) name##4 {             \
        T x, y, z, w;                                                                              \
    };                                                                                             \
    RD_INLINE name##2 make_##name##2(T x, T y)                                                     \
    {                                                                                              \
        return {x, y};                                                                             \
    }                                                                                              \
    RD_INLINE name##4 make_##name##4(T x, T y, T z, T w)                                           \
    {                                                                                              \
        return {x, y, z, w};                                                                       \
    }
RD_VECTOR(signed char, char)
RD_VECTOR(unsigned char, uchar)
RD_VECTOR(short, short)
RD_VECTOR(unsigned short, ushort)
RD_VECTOR(int, int)
RD_VECTOR(unsigned, uint)
RD_VECTOR(long long, longlong)
RD_VECTOR(unsigned long long, ulonglong)
RD_VECTOR(float, float)
RD_VECTOR(double, double)
using int3 = int3_;
using float3 = float3_;
using double3 = double3_;
using char3 = char3_;
using uchar3 = uchar3_;
RD_INLINE int3 make_int3(int x, int y, int z)
{
    return {x, y, z};
}
RD_INLINE float3 make_float3(float x, float y, float z)
{
    return {x, y, z};
}
RD_INLINE uint3 make_uint3(unsigned x, unsigned y, unsigned z)
{
    return {x, y, z};
}

// ---- barriers, fences ----

#define __syncthreads()            rd_sim_block_sync(__FILE__, RD_SIM_BARRIER)
#define __syncthreads_count(value) rd_sim_syncthreads(1, value, __FILE__, RD_SIM_BARRIER)
#define __syncthreads_and(value)   rd_sim_syncthreads(2, value, __FILE__, RD_SIM_BARRIER)
#define __syncthreads_or(value)    rd_sim_syncthreads(3, value, __FILE__, RD_SIM_BARRIER)
RD_INLINE void __syncwarp(unsigned mask = 0xffffffffu, RD_HERE)
{
    rd_sim_syncwarp(mask, rd_file, rd_line);
}
RD_INLINE void __threadfence()
{
    rd_sim_threadfence();
}
RD_INLINE void __threadfence_block()
{
    rd_sim_threadfence();
}
RD_INLINE void __threadfence_system()
{
    rd_sim_threadfence();
}

// ---- shuffles, votes ----

template <class T>
RD_INLINE T rd_shuffle(int kind, unsigned mask, T value, int lane, int width, const char *file,
                       unsigned line)
{
    static_assert(sizeof(T) <= 8, "a shuffle takes at most 8 bytes");
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    bits = rd_sim_shuffle(kind, mask, bits, lane, width, file, line);
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}
#define RD_SHUFFLE(name, kind, type)                                                               \
    template <class T>                                                                             \
    RD_INLINE T name(unsigned mask, T value, type lane, int width = 32, RD_HERE)                   \
    {                                                                                              \
        return rd_shuffle(kind, mask, value, (int)lane, width, rd_file, rd_line);                  \
    }
RD_SHUFFLE(__shfl_sync, 0, int)
RD_SHUFFLE(__shfl_up_sync, 1, unsigned)
RD_SHUFFLE(__shfl_down_sync, 2, unsigned)
RD_SHUFFLE(__shfl_xor_sync, 3, int)

#define RD_VOTE(name, kind, type)                                                                  \
    RD_INLINE type name(unsigned mask, type value, RD_HERE)                                        \
    {                                                                                              \
        return (type)rd_sim_vote(kind, mask, (unsigned)value, rd_file, rd_line);                   \
    }
RD_INLINE unsigned __ballot_sync(unsigned mask, int value, RD_HERE)
{
    return rd_sim_vote(0, mask, value != 0, rd_file, rd_line);
}
RD_INLINE int __any_sync(unsigned mask, int value, RD_HERE)
{
    return (int)rd_sim_vote(1, mask, value != 0, rd_file, rd_line);
}
RD_INLINE int __all_sync(unsigned mask, int value, RD_HERE)
{
    return (int)rd_sim_vote(2, mask, value != 0, rd_file, rd_line);
}
RD_VOTE(__reduce_add_sync, 3, unsigned)
RD_VOTE(__reduce_add_sync, 3, int)
RD_VOTE(__reduce_min_sync, 4, unsigned)
RD_VOTE(__reduce_max_sync, 5, unsigned)
RD_VOTE(__reduce_min_sync, 6, int)
RD_VOTE(__reduce_max_sync, 7, int)
RD_VOTE(__reduce_and_sync, 8, unsigned)
RD_VOTE(__reduce_or_sync, 9, unsigned)
RD_VOTE(__reduce_xor_sync, 10, unsigned)
RD_INLINE unsigned __activemask(RD_HERE)
{
    return rd_sim_activemask(rd_file, rd_line);
}

// ---- atomics: told to the simulator, then done without a hook; no thread runs in between ----

#define RD_BARE __attribute__((noinline, no_sanitize("thread")))
template <class T> struct rd_same {
    using type = T;
};
#define RD_ATOMIC(name, expression)                                                                \
    template <class T> RD_BARE T name(volatile T *p, typename rd_same<T>::type value)              \
    {                                                                                              \
        rd_sim_atomic(p, sizeof(T), __builtin_return_address(0));                                  \
        T old = *p;                                                                                \
        *p = (T)(expression);                                                                      \
        return old;                                                                                \
    }
#define RD_ATOMICS(name, expression)                                                               \
    RD_ATOMIC(name, expression)                                                                    \
    RD_ATOMIC(name##_block, expression)                                                            \
    RD_ATOMIC(name##_system, expression)
RD_ATOMICS(atomicAdd, old + value)
RD_ATOMICS(atomicSub, old - value)
RD_ATOMICS(atomicExch, value)
RD_ATOMICS(atomicMin, value < old ? value : old)
RD_ATOMICS(atomicMax, old < value ? value : old)
RD_ATOMICS(atomicAnd, old &value)
RD_ATOMICS(atomicOr, old | value)
RD_ATOMICS(atomicXor, old ^ value)
RD_ATOMICS(atomicInc, old >= value ? 0 : old + 1)
RD_ATOMICS(atomicDec, old == 0 || old > value ? value : old - 1)
#define RD_CAS(name)                                                                               \
    template <class T>                                                                             \
    RD_BARE T name(volatile T *p, typename rd_same<T>::type compare,                               \
                   typename rd_same<T>::type value)                                                \
    {                                                                                              \
        rd_sim_atomic(p, sizeof(T), __builtin_return_address(0));                                  \
        T old = *p;                                                                                \
        if (old == compare)                                                                        \
            *p = value;                                                                            \
        return old;                                                                                \
    }
RD_CAS(atomicCAS)
RD_CAS(atomicCAS_block)
RD_CAS(atomicCAS_system)

// ---- arithmetic ----

#define RD_MIN_MAX(T)                                                                              \
    RD_INLINE T min(T x, T y)                                                                      \
    {                                                                                              \
        return y < x ? y : x;                                                                      \
    }                                                                                              \
    RD_INLINE T max(T x, T y)                                                                      \
    {                                                                                              \
        return x < y ? y : x;                                                                      \
    }
RD_MIN_MAX(int)
RD_MIN_MAX(unsigned)
RD_MIN_MAX(long)
RD_MIN_MAX(unsigned long)
RD_MIN_MAX(long long)
RD_MIN_MAX(unsigned long long)
RD_MIN_MAX(float)
RD_MIN_MAX(double)
RD_INLINE unsigned min(int x, unsigned y)
{
    return min((unsigned)x, y);
}
RD_INLINE unsigned min(unsigned x, int y)
{
    return min(x, (unsigned)y);
}
RD_INLINE unsigned max(int x, unsigned y)
{
    return max((unsigned)x, y);
}
RD_INLINE unsigned max(unsigned x, int y)
{
    return max(x, (unsigned)y);
}
RD_INLINE int __popc(unsigned x)
{
    return __builtin_popcount(x);
}
RD_INLINE int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}
RD_INLINE int __clz(int x)
{
    return x ? __builtin_clz((unsigned)x) : 32;
}
RD_INLINE int __ffs(int x)
{
    return __builtin_ffs(x);
}
RD_INLINE float __fmaf_rn(float x, float y, float z)
{
    return __builtin_fmaf(x, y, z);
}
RD_INLINE float __fdividef(float x, float y)
{
    return x / y;
}
// The C library has declared functions of these names, and not defined them.
#define __expf(x)    ::expf(x)
#define __logf(x)    ::logf(x)
#define __log2f(x)   ::log2f(x)
#define __sinf(x)    ::sinf(x)
#define __cosf(x)    ::cosf(x)
#define __powf(x, y) ::powf(x, y)
RD_INLINE float rsqrtf(float x)
{
    return 1.0f / ::sqrtf(x);
}
RD_INLINE int __float_as_int(float x)
{
    int y;
    __builtin_memcpy(&y, &x, 4);
    return y;
}
RD_INLINE float __int_as_float(int x)
{
    float y;
    __builtin_memcpy(&y, &x, 4);
    return y;
}
template <class T> RD_INLINE T __ldg(const T *p)
{
    return *p;
}
RD_INLINE long long clock64()
{
    return rd_sim_clock();
}
RD_INLINE long rd_clock()
{
    return (long)rd_sim_clock();
}

// ---- the host's side, which is compiled but never runs ----

enum cudaError_t { cudaSuccess, cudaErrorUnknown = 999 };
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
typedef void *cudaStream_t;
typedef void *cudaEvent_t;
struct cudaDeviceProp {
    char name[256];
    int major, minor, multiProcessorCount, maxThreadsPerBlock, warpSize;
    size_t totalGlobalMem, sharedMemPerBlock;
};
#define RD_HOST(name)                                                                              \
    template <class... T> inline cudaError_t name(T &&...)                                         \
    {                                                                                              \
        return cudaSuccess;                                                                        \
    }
RD_HOST(cudaMalloc)
RD_HOST(cudaMallocHost)
RD_HOST(cudaMallocManaged)
RD_HOST(cudaFree)
RD_HOST(cudaFreeHost)
RD_HOST(cudaMemcpy)
RD_HOST(cudaMemcpyAsync)
RD_HOST(cudaMemset)
RD_HOST(cudaMemsetAsync)
RD_HOST(cudaMemcpyToSymbol)
RD_HOST(cudaMemcpyFromSymbol)
RD_HOST(cudaDeviceSynchronize)
RD_HOST(cudaThreadSynchronize)
RD_HOST(cudaDeviceReset)
RD_HOST(cudaSetDevice)
RD_HOST(cudaGetDevice)
RD_HOST(cudaGetDeviceCount)
RD_HOST(cudaGetDeviceProperties)
RD_HOST(cudaGetLastError)
RD_HOST(cudaPeekAtLastError)
RD_HOST(cudaEventCreate)
RD_HOST(cudaEventRecord)
RD_HOST(cudaEventSynchronize)
RD_HOST(cudaEventElapsedTime)
RD_HOST(cudaEventDestroy)
RD_HOST(cudaStreamCreate)
RD_HOST(cudaStreamSynchronize)
RD_HOST(cudaStreamDestroy)
RD_HOST(cudaFuncSetAttribute)
RD_HOST(cudaFuncSetCacheConfig)
RD_HOST(cudaLaunchKernel)
RD_HOST(cudaLaunchCooperativeKernel)
inline const char *cudaGetErrorString(cudaError_t)
{
    return "";
}
inline const char *cudaGetErrorName(cudaError_t)
{
    return "";
}

// ---- what `reductio check` asks of the kernel ----

struct rd_check_parameter {
    char kind;         // p pointer, i signed, u unsigned, f floating, b boolean, s anything else
    char pointee_kind; // of a pointer
    unsigned size, pointee_size;
};
template <class T> struct rd_parameter_of {
    static constexpr char kind = std::is_same<T, bool>::value          ? 'b'
                                 : std::is_floating_point<T>::value    ? 'f'
                                 : std::is_enum<T>::value              ? 'i'
                                 : !std::is_integral<T>::value         ? 's'
                                 : std::is_signed<T>::value            ? 'i'
                                                                       : 'u';
    static constexpr rd_check_parameter value = {kind, 0, sizeof(T), 0};
};
template <class T> struct rd_size_of {
    static constexpr unsigned value = sizeof(T);
};
template <> struct rd_size_of<void> {
    static constexpr unsigned value = 0;
};
template <class T> struct rd_parameter_of<T *> {
    using U = typename std::remove_cv<T>::type;
    static constexpr char kind = std::is_void<U>::value            ? 'v'
                                 : std::is_same<U, bool>::value    ? 'b'
                                 : std::is_floating_point<U>::value ? 'f'
                                 : !std::is_integral<U>::value     ? 's'
                                 : std::is_signed<U>::value        ? 'i'
                                                                   : 'u';
    static constexpr rd_check_parameter value = {'p', kind, sizeof(T *), rd_size_of<U>::value};
};

template <class... P> unsigned rd_describe(void (*)(P...), const rd_check_parameter **parameters)
{
    static const rd_check_parameter list[] = {rd_parameter_of<P>::value..., {0, 0, 0, 0}};
    *parameters = list;
    return sizeof...(P);
}
template <size_t... I, class... P>
__attribute__((no_sanitize("thread"))) void rd_call(void (*kernel)(P...), void *const *arguments,
                                                    std::index_sequence<I...>)
{
    kernel(*(typename std::remove_const<P>::type *)arguments[I]...);
}
template <class... P>
__attribute__((no_sanitize("thread"))) void rd_call_all(void (*kernel)(P...),
                                                        void *const *arguments)
{
    rd_call(kernel, arguments, std::make_index_sequence<sizeof...(P)>());
}

#define RD_CHECK_KERNEL(...)                                                                       \
    extern "C" __attribute__((visibility("default"), no_sanitize("thread"))) void                  \
    rd_check_thread(void *const *arguments)                                                        \
    {                                                                                              \
        rd_call_all(&__VA_ARGS__, arguments);                                                      \
    }                                                                                              \
    extern "C" __attribute__((visibility("default"))) unsigned rd_check_describe(                  \
        const rd_check_parameter **parameters, void **address)                                     \
    {                                                                                              \
        *address = (void *)&__VA_ARGS__;                                                           \
        return rd_describe(&__VA_ARGS__, parameters);                                              \
    }

#endif
