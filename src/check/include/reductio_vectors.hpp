// SPDX-License-Identifier: MIT
// CUDA's vector types.
#ifndef RD_VECTORS_HPP
#define RD_VECTORS_HPP

// Aligned as CUDA's guide says: those of two and four as a whole, to 16 bytes at most; those of
// three like one. The type uint3 is there before: a thread's place is one.
#define RD_VECTOR(T, name)                                                                         \
    struct name##1                                                                                 \
    {                                                                                              \
        T x;                                                                                       \
    };                                                                                             \
    struct __attribute__((aligned(2 * sizeof(T)))) name##2                                         \
    {                                                                                              \
        T x, y;                                                                                    \
    };                                                                                             \
    struct __attribute__((aligned(4 * sizeof(T) < 16 ? 4 * sizeof(T) : 16))) name##4               \
    {                                                                                              \
        T x, y, z, w;                                                                              \
    };                                                                                             \
    RD_INLINE name##1 make_##name##1(T x)                                                          \
    {                                                                                              \
        return {x};                                                                                \
    }                                                                                              \
    RD_INLINE name##2 make_##name##2(T x, T y)                                                     \
    {                                                                                              \
        return {x, y};                                                                             \
    }                                                                                              \
    RD_INLINE name##3 make_##name##3(T x, T y, T z)                                                \
    {                                                                                              \
        return {x, y, z};                                                                          \
    }                                                                                              \
    RD_INLINE name##4 make_##name##4(T x, T y, T z, T w)                                           \
    {                                                                                              \
        return {x, y, z, w};                                                                       \
    }
#define RD_VECTOR_3(T, name)                                                                       \
    struct name##3                                                                                 \
    {                                                                                              \
        T x, y, z;                                                                                 \
    };                                                                                             \
    RD_VECTOR(T, name)
RD_VECTOR_3(signed char, char)
RD_VECTOR_3(unsigned char, uchar)
RD_VECTOR_3(short, short)
RD_VECTOR_3(unsigned short, ushort)
RD_VECTOR_3(int, int)
RD_VECTOR(unsigned, uint)
RD_VECTOR_3(long, long)
RD_VECTOR_3(unsigned long, ulong)
RD_VECTOR_3(long long, longlong)
RD_VECTOR_3(unsigned long long, ulonglong)
RD_VECTOR_3(float, float)
RD_VECTOR_3(double, double)

#endif
