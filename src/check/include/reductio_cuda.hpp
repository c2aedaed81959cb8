// SPDX-License-Identifier: MIT
// CUDA's words for a C++ compiler: what a user's kernel file is compiled with for the simulator. It
// is included before the file's first line.
#ifndef RD_CUDA_HPP
#define RD_CUDA_HPP

// As nvcc does, and what stands below needs.
#include <assert.h>
#include <ctype.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include <cfenv>
#include <cmath>
#include <cstdio> // before printf() is a macro, which it undefines,
#include <ctime>  // and clock()
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#include "reductio_intrinsics.h"

// Headers look at these, as those of samples do.
#define __DRIVER_TYPES_H__ 1
#define __CUDA_RUNTIME_H__ 1
#define CUDARTAPI
#define CUDART_CB
#define CUDA_CB
#define __CUDACC__           1
#define __NVCC__             1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define __CUDA_ARCH__        900
#define CUDART_VERSION       12000
#define CUDA_VERSION         12000
// A section of its own tells a kernel from other functions, in the object file. (A template has
// none.)
#define RD_QUOTE_(x) #x
#define RD_QUOTE(x)  RD_QUOTE_(x)
#define __global__   __attribute__((used, section("rd_kernel." RD_QUOTE(__COUNTER__))))
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __forceinline__ inline __attribute__((always_inline))
// libstdc++ writes __noinline__ inside of __attribute__((...)). The macro then makes it an attribute with an argument, which
// compilers ignore if the argument is declared: hence the enumeration.
enum rd_attribute { __noinline__ };
#define __noinline__ __attribute__((__noinline__))
// The most threads that a block may have: as so many instructions before the kernel's first, whose
// place the compiler keeps in a section; see find_bound in file/module.c. GCC takes arguments of
// templates, too. Clang does not, so there is no bound. (+ 0 makes a plain number of it, which GCC
// needs there.)
template <long long threads, long long = 0, long long = 0> struct rd_bound {
    static constexpr int count = threads > 0 && threads <= 1024 ? (int)threads : 0;
};
#ifdef __clang__
#define __launch_bounds__(...)
#else
#define __launch_bounds__(...)                                                                     \
    __attribute__((patchable_function_entry(rd_bound<__VA_ARGS__>::count + 0,                      \
                                            rd_bound<__VA_ARGS__>::count + 0)))
#endif
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __grid_constant__
// A variable of each launch that is static where it stands in a function, and that can be declared
// extern: as a thread-local one. All of them then lie together, in a segment of their own. Used:
// also where it is only written, the writes are to be seen. Retained: this marks its section, which
// a thread-local variable of the host has not; see file/object.c.
#define __shared__ thread_local __attribute__((used, retain))

#define RD_INLINE static inline __attribute__((always_inline))
// The place of a call, which no argument of the caller's is taken for: none converts to it.
struct rd_file_name {
    const char *text;
    inline __attribute__((always_inline)) operator const char *() const
    {
        return text;
    }
};
#define RD_HERE rd_file_name rd_file = {__builtin_FILE()}, unsigned rd_line = __builtin_LINE()

struct uint3 {
    unsigned x, y, z;
};
struct dim3 : uint3 {
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : uint3{x_, y_, z_}
    {
    }
    constexpr dim3(uint3 v) : uint3(v)
    {
    }
};

// A thread's place is constant while it runs: no hook is called for it. References, not macros: a
// host function may have a variable of such a name.
struct rd_sim_place {
    uint3 thread, block, block_dim, grid_dim;
};
extern "C" const rd_sim_place rd_sim_place;
static constexpr const uint3 &threadIdx = rd_sim_place.thread, &blockIdx = rd_sim_place.block,
                             &blockDim = rd_sim_place.block_dim, &gridDim = rd_sim_place.grid_dim;
static const int warpSize = 32;

// ---- barriers, fences ----

// Macros know the simulator's functions by names that no file may have.
RD_INLINE void rd_block_sync(const char *file, unsigned line)
{
    rd_sim_block_sync(file, line);
}
RD_INLINE int rd_syncthreads(int kind, int value, const char *file, unsigned line)
{
    return rd_sim_syncthreads(kind, value, file, line);
}
[[noreturn]] RD_INLINE void rd_trap(const char *file, unsigned line)
{
    rd_sim_assert_fail("__trap()", file, line);
}
#define __syncthreads()            rd_block_sync(__FILE__, RD_SIM_BARRIER)
#define __syncthreads_count(value) rd_syncthreads(1, value, __FILE__, RD_SIM_BARRIER)
#define __syncthreads_and(value)   rd_syncthreads(2, value, __FILE__, RD_SIM_BARRIER)
#define __syncthreads_or(value)    rd_syncthreads(3, value, __FILE__, RD_SIM_BARRIER)
RD_INLINE void __syncwarp(unsigned mask = 0xffffffffu, RD_HERE)
{
    rd_sim_syncwarp(mask, rd_file, rd_line);
}
RD_INLINE void __threadfence()
{
    rd_sim_threadfence(0);
}
RD_INLINE void __threadfence_block()
{
    rd_sim_threadfence(1);
}
RD_INLINE void __threadfence_system()
{
    rd_sim_threadfence(0);
}

// ---- shuffles, votes ----

template <class T> RD_INLINE uint64_t rd_word_of(const T &value)
{
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    return bits;
}
template <class T>
RD_INLINE T rd_shuffle(int kind, unsigned mask, T value, int lane, int width, const char *file,
                       unsigned line)
{
    static_assert(sizeof(T) <= 8, "a shuffle takes at most 8 bytes");
    uint64_t bits = rd_sim_shuffle(kind, mask, rd_word_of(value), lane, width, file, line);
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}
// Takes values of any size, word by word.
template <class T>
RD_INLINE T rd_shuffle_any(int kind, unsigned mask, T value, int lane, int width, const char *file,
                           unsigned line)
{
    static_assert(std::is_trivially_copyable<T>::value, "a shuffle copies bytes");
    uint64_t words[(sizeof value + 7) / 8] = {};
    __builtin_memcpy(words, &value, sizeof value);
    for (uint64_t &word : words)
        word = rd_sim_shuffle(kind, mask, word, lane, width, file, line);
    __builtin_memcpy(&value, words, sizeof value);
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
// The lanes with the same value; of `all`, none where some have another.
template <class T> RD_INLINE unsigned __match_any_sync(unsigned mask, T value, RD_HERE)
{
    static_assert(std::is_arithmetic<T>::value || std::is_pointer<T>::value, "of numbers");
    return rd_sim_match(mask, rd_word_of(value), nullptr, rd_file, rd_line);
}
template <class T> RD_INLINE unsigned __match_all_sync(unsigned mask, T value, int *same, RD_HERE)
{
    static_assert(std::is_arithmetic<T>::value || std::is_pointer<T>::value, "of numbers");
    return rd_sim_match(mask, rd_word_of(value), same, rd_file, rd_line);
}
RD_INLINE unsigned __activemask(RD_HERE)
{
    return rd_sim_activemask(rd_file, rd_line);
}

// Shuffles as before CUDA 9, without a mask: the lanes that take part are those that are there.
#define RD_OLD_SHUFFLE(name, kind, type)                                                           \
    template <class T> RD_INLINE T name(T value, type lane, int width = 32, RD_HERE)               \
    {                                                                                              \
        rd_sim_outdated(#name, rd_file, rd_line);                                                  \
        unsigned mask = rd_sim_activemask(rd_file, rd_line);                                       \
        return rd_shuffle(kind, mask, value, (int)lane, width, rd_file, rd_line);                  \
    }
RD_OLD_SHUFFLE(__shfl, 0, int)
RD_OLD_SHUFFLE(__shfl_up, 1, unsigned)
RD_OLD_SHUFFLE(__shfl_down, 2, unsigned)
RD_OLD_SHUFFLE(__shfl_xor, 3, int)
RD_INLINE unsigned __ballot(int value, RD_HERE)
{
    rd_sim_outdated("__ballot", rd_file, rd_line);
    return __ballot_sync(rd_sim_activemask(rd_file, rd_line), value, rd_file, rd_line);
}
RD_INLINE int __any(int value, RD_HERE)
{
    rd_sim_outdated("__any", rd_file, rd_line);
    return __any_sync(rd_sim_activemask(rd_file, rd_line), value, rd_file, rd_line);
}
RD_INLINE int __all(int value, RD_HERE)
{
    rd_sim_outdated("__all", rd_file, rd_line);
    return __all_sync(rd_sim_activemask(rd_file, rd_line), value, rd_file, rd_line);
}

// ---- atomics: told to the simulator, then done without a hook; no thread runs in between ----

// Without a hook.
#define RD_UNSEEN                                                                                  \
    __attribute__((no_sanitize("thread"), no_sanitize("kernel-address"), no_sanitize("coverage")))
#define RD_BARE __attribute__((noinline)) RD_UNSEEN
// A T at an address, as its bytes have it: what the compiler has to copy a struct would tell of it.
template <class T, bool = std::is_class<T>::value || std::is_union<T>::value> union rd_untold {
    typedef unsigned long long __attribute__((may_alias)) word;
    T value;
    RD_UNSEEN rd_untold(const volatile void *from)
    {
        copy(this, from);
    }
    RD_UNSEEN ~rd_untold()
    {
    }
    RD_UNSEEN static void copy(volatile void *to, const volatile void *from)
    {
        constexpr size_t words = alignof(T) % sizeof(word) == 0 ? sizeof(T) / sizeof(word) : 0;
        for (size_t k = 0; k < words; k++)
            ((volatile word *)to)[k] = ((const volatile word *)from)[k];
        for (size_t k = words * sizeof(word); k < sizeof(T); k++)
            ((volatile char *)to)[k] = ((const volatile char *)from)[k];
    }
};
template <class T> union rd_untold<T, false> {
    T value;
    RD_UNSEEN rd_untold(const volatile void *from) : value(*(const T *)from)
    {
    }
    RD_UNSEEN static void copy(void *to, const void *from)
    {
        *(T *)to = *(const T *)from;
    }
};
template <class T> struct rd_same {
    using type = T;
};
template <class T, bool = std::is_integral<T>::value> struct rd_wrapping {
    using type = T;
};
template <class T> struct rd_wrapping<T, true> {
    using type = typename std::make_unsigned<T>::type;
};
// Each as a function of what more is known of it, and of where it was called; and under CUDA's names, which are
// never inlined, so that the return address tells the caller's line.
#define RD_WITHIN_CLASS inline __attribute__((always_inline, no_sanitize("thread")))
#define RD_WITHIN       static RD_WITHIN_CLASS
#define RD_HERE_PC      __builtin_return_address(0)
#define RD_ATOMICS(name, expression)                                                               \
    template <class T>                                                                             \
    RD_WITHIN T rd_##name(volatile T *p, typename rd_same<T>::type value, int of, void *pc)        \
    {                                                                                              \
        rd_sim_atomic(of, p, sizeof(T), pc);                                                       \
        T old = *p;                                                                                \
        *p = (T)(expression);                                                                      \
        return old;                                                                                \
    }                                                                                              \
    template <class T> RD_BARE T name(volatile T *p, typename rd_same<T>::type value)              \
    {                                                                                              \
        return rd_##name(p, value, RD_SIM_OF_GRID, RD_HERE_PC);                                    \
    }                                                                                              \
    template <class T> RD_BARE T name##_block(volatile T *p, typename rd_same<T>::type value)      \
    {                                                                                              \
        return rd_##name(p, value, RD_SIM_OF_BLOCK, RD_HERE_PC);                                   \
    }                                                                                              \
    template <class T> RD_BARE T name##_system(volatile T *p, typename rd_same<T>::type value)     \
    {                                                                                              \
        return rd_##name(p, value, RD_SIM_OF_SYSTEM, RD_HERE_PC);                                  \
    }
// Signed integers wrap, as on the device: added as unsigned ones. Of floats the device has its own way.
template <class T> RD_INLINE typename rd_wrapping<T>::type rd_sum(const volatile T *, T x, T y)
{
    return (typename rd_wrapping<T>::type)x + (typename rd_wrapping<T>::type)y;
}
RD_INLINE float rd_sum(const volatile float *p, float x, float y)
{
    return rd_sim_atomic_sum(p, x, y);
}
RD_ATOMICS(atomicAdd, rd_sum(p, old, (T)value))
RD_ATOMICS(atomicSub, (typename rd_wrapping<T>::type)old - (typename rd_wrapping<T>::type)value)
RD_ATOMICS(atomicExch, value)
// "rd_set_atomicExch(p, x);" for "atomicExch(p, x);", of which nobody takes the old value.
#define RD_SET(name, of)                                                                           \
    template <class T> RD_BARE void rd_set_##name(volatile T *p, typename rd_same<T>::type value)  \
    {                                                                                              \
        rd_atomicExch(p, value, of | RD_SIM_IS_DROPPED, RD_HERE_PC);                               \
    }
RD_SET(atomicExch, RD_SIM_OF_GRID)
RD_SET(atomicExch_block, RD_SIM_OF_BLOCK)
RD_SET(atomicExch_system, RD_SIM_OF_SYSTEM)
RD_ATOMICS(atomicMin, value < old ? value : old)
RD_ATOMICS(atomicMax, old < value ? value : old)
RD_ATOMICS(atomicAnd, old &value)
RD_ATOMICS(atomicOr, old | value)
RD_ATOMICS(atomicXor, old ^ value)
RD_ATOMICS(atomicInc, old >= value ? 0 : old + 1)
RD_ATOMICS(atomicDec, old == 0 || old > value ? value : old - 1)
template <class T>
RD_WITHIN T rd_atomicCAS(volatile T *p, typename rd_same<T>::type compare,
                         typename rd_same<T>::type value, int of, void *pc)
{
    rd_sim_atomic_cas(of | RD_SIM_TAKES_LOCK, p, sizeof(T), &compare, pc);
    T old = *p;
    if (old == compare)
        *p = value;
    return old;
}
#define RD_CAS(name, of)                                                                           \
    template <class T>                                                                             \
    RD_BARE T name(volatile T *p, typename rd_same<T>::type compare,                               \
                   typename rd_same<T>::type value)                                                \
    {                                                                                              \
        return rd_atomicCAS(p, compare, value, of, RD_HERE_PC);                                    \
    }
RD_CAS(atomicCAS, RD_SIM_OF_GRID)
RD_CAS(atomicCAS_block, RD_SIM_OF_BLOCK)
RD_CAS(atomicCAS_system, RD_SIM_OF_SYSTEM)

// ---- time, and the end of it ----

RD_INLINE long long clock64()
{
    return rd_sim_clock();
}
RD_INLINE clock_t rd_clock()
{
    return (clock_t)rd_sim_clock();
}
namespace std
{
using ::rd_clock;
}
#define clock() rd_clock() /* the device's, which the same seed lets run the same way */
RD_INLINE void __nanosleep(unsigned)
{
}
#define __trap()  rd_trap(__FILE__, __LINE__)
#define __brkpt() __trap()

#include "reductio_vectors.hpp"

#include "reductio_math.hpp"

#include "reductio_special.hpp"

#include "reductio_simd.hpp"

#include "reductio_launch.h"

#include "reductio_kernel.hpp"

#include "reductio_host.hpp"

#include "reductio_launch.hpp"

#include "reductio_textures.hpp"

#include "reductio_graphs.hpp"
#include "reductio_more.hpp"

#include "reductio_ptx.hpp"

namespace std
{
using ::rd_printf;
}
#define printf(...) rd_printf(__VA_ARGS__)

// A copy that the compiler would do by itself, past the hooks: from here on a call, which is
// hooked.
#define __builtin_memcpy  memcpy
#define __builtin_memmove memmove
#define __builtin_memset  memset

#endif
