// SPDX-License-Identifier: MIT
// CUB's function objects, iterators and the like.
#ifndef RD_CUB_OPERATORS_HPP
#define RD_CUB_OPERATORS_HPP

#include "thrust/iterators.hpp"

namespace cub
{
struct NullType {
};
// How caches are used, which changes no value; but an access may be volatile.
enum CacheLoadModifier {
    LOAD_DEFAULT,
    LOAD_CA,
    LOAD_CG,
    LOAD_CS,
    LOAD_CV,
    LOAD_LDG,
    LOAD_VOLATILE
};
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <CacheLoadModifier how, class I>
inline __attribute__((always_inline)) typename std::iterator_traits<I>::value_type ThreadLoad(I at)
{
    return *at;
}
template <CacheLoadModifier how, class T>
inline __attribute__((always_inline))
typename std::enable_if<std::is_arithmetic<T>::value && (how == LOAD_VOLATILE || how == LOAD_CV),
                        T>::type
ThreadLoad(T *at)
{
    return *(const volatile T *)at;
}
template <CacheStoreModifier how, class T>
inline __attribute__((always_inline))
typename std::enable_if<std::is_arithmetic<T>::value && how == STORE_VOLATILE>::type
ThreadStore(T *at, T value)
{
    *(volatile T *)at = value;
}
template <CacheStoreModifier how, class I, class T>
inline __attribute__((always_inline)) void ThreadStore(I at, T value)
{
    *at = value;
}
template <class K, class V> struct KeyValuePair {
    typedef K Key;
    typedef V Value;
    K key;
    V value;
    bool operator!=(const KeyValuePair &other) const
    {
        return key != other.key || value != other.value;
    }
};
#define RD_CUB_OPERATOR(name, expression)                                                          \
    struct name {                                                                                  \
        template <class T, class U>                                                                \
        inline __attribute__((always_inline)) auto operator()(const T &x, const U &y) const        \
            -> decltype(expression)                                                                \
        {                                                                                          \
            return expression;                                                                     \
        }                                                                                          \
    };
RD_CUB_OPERATOR(Sum, x + y)
RD_CUB_OPERATOR(Difference, x - y)
RD_CUB_OPERATOR(Division, x / y)
RD_CUB_OPERATOR(Equality, x == y)
RD_CUB_OPERATOR(Inequality, !(x == y))
struct Max {
    template <class T, class U>
    inline __attribute__((always_inline)) typename std::common_type<T, U>::type
    operator()(const T &x, const U &y) const
    {
        return x < y ? y : x;
    }
};
struct Min {
    template <class T, class U>
    inline __attribute__((always_inline)) typename std::common_type<T, U>::type
    operator()(const T &x, const U &y) const
    {
        return y < x ? y : x;
    }
};
// Of equal values, the first.
struct ArgMax {
    template <class K, class V>
    KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &x, const KeyValuePair<K, V> &y) const
    {
        return y.value > x.value || (y.value == x.value && y.key < x.key) ? y : x;
    }
};
struct ArgMin {
    template <class K, class V>
    KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &x, const KeyValuePair<K, V> &y) const
    {
        return y.value < x.value || (y.value == x.value && y.key < x.key) ? y : x;
    }
};
template <class T, class = ptrdiff_t> using CountingInputIterator = thrust::counting_iterator<T>;
template <class T, class = ptrdiff_t> using ConstantInputIterator = thrust::constant_iterator<T>;
template <class V, class F, class I, class = ptrdiff_t>
struct TransformInputIterator : thrust::transform_iterator<F, I, V, V> {
    TransformInputIterator(I it, F f) : thrust::transform_iterator<F, I, V, V>(it, f)
    {
    }
};
// Two buffers, of which one has what is valid.
template <class T> struct DoubleBuffer {
    T *d_buffers[2];
    int selector;
    DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0)
    {
    }
    DoubleBuffer(T *current, T *other) : d_buffers{current, other}, selector(0)
    {
    }
    T *Current()
    {
        return d_buffers[selector];
    }
    T *Alternate()
    {
        return d_buffers[selector ^ 1];
    }
};
// Gives memory at once, and takes it back at once.
struct CachingDeviceAllocator {
    template <class... A> CachingDeviceAllocator(A...)
    {
    }
    inline __attribute__((always_inline)) cudaError_t DeviceAllocate(void **pointer, size_t n,
                                                                     cudaStream_t = 0)
    {
        return cudaMalloc(pointer, n);
    }
    inline __attribute__((always_inline)) cudaError_t DeviceFree(void *pointer)
    {
        return cudaFree(pointer);
    }
    cudaError_t FreeAllCached()
    {
        return cudaSuccess;
    }
};

// A key as an unsigned number whose order is the key's: of floats, by IEEE 754's total order, and -0 as 0.
template <class K> inline __attribute__((always_inline)) unsigned long long rd_radix_bits(K key)
{
    constexpr unsigned long long sign = 1ull << (sizeof(K) * 8 - 1), all = sign | (sign - 1);
    unsigned long long bits = rd_word_of(key) & all;
    if (std::is_floating_point<K>::value) {
        if (bits == sign)
            bits = 0;
        return bits & sign ? ~bits & all : bits | sign;
    }
    return std::is_signed<K>::value ? bits ^ sign : bits;
}
} // namespace cub

#endif
