// SPDX-License-Identifier: MIT
// Operators and functions of CUDA's vectors, each part by part, as NVIDIA's samples have them.
#ifndef RD_HELPER_MATH_H
#define RD_HELPER_MATH_H

#include "reductio_cuda.hpp"

typedef unsigned int uint;
typedef unsigned short ushort;

// ---- making them of others ----

#define RD_MAKE(name, T, O)                                                                        \
    RD_INLINE name##2 make_##name##2(O##2 a)                                                       \
    {                                                                                              \
        return make_##name##2((T)a.x, (T)a.y);                                                     \
    }                                                                                              \
    RD_INLINE name##3 make_##name##3(O##3 a)                                                       \
    {                                                                                              \
        return make_##name##3((T)a.x, (T)a.y, (T)a.z);                                             \
    }                                                                                              \
    RD_INLINE name##4 make_##name##4(O##4 a)                                                       \
    {                                                                                              \
        return make_##name##4((T)a.x, (T)a.y, (T)a.z, (T)a.w);                                     \
    }
#define RD_MAKE_OF_OWN(name, T)                                                                    \
    RD_INLINE name##2 make_##name##2(T s)                                                          \
    {                                                                                              \
        return make_##name##2(s, s);                                                               \
    }                                                                                              \
    RD_INLINE name##2 make_##name##2(name##3 a)                                                    \
    {                                                                                              \
        return make_##name##2(a.x, a.y);                                                           \
    }                                                                                              \
    RD_INLINE name##3 make_##name##3(T s)                                                          \
    {                                                                                              \
        return make_##name##3(s, s, s);                                                            \
    }                                                                                              \
    RD_INLINE name##3 make_##name##3(name##2 a)                                                    \
    {                                                                                              \
        return make_##name##3(a.x, a.y, (T)0);                                                     \
    }                                                                                              \
    RD_INLINE name##3 make_##name##3(name##2 a, T s)                                               \
    {                                                                                              \
        return make_##name##3(a.x, a.y, s);                                                        \
    }                                                                                              \
    RD_INLINE name##3 make_##name##3(name##4 a)                                                    \
    {                                                                                              \
        return make_##name##3(a.x, a.y, a.z);                                                      \
    }                                                                                              \
    RD_INLINE name##4 make_##name##4(T s)                                                          \
    {                                                                                              \
        return make_##name##4(s, s, s, s);                                                         \
    }                                                                                              \
    RD_INLINE name##4 make_##name##4(name##3 a)                                                    \
    {                                                                                              \
        return make_##name##4(a.x, a.y, a.z, (T)0);                                                \
    }                                                                                              \
    RD_INLINE name##4 make_##name##4(name##3 a, T w)                                               \
    {                                                                                              \
        return make_##name##4(a.x, a.y, a.z, w);                                                   \
    }
RD_MAKE_OF_OWN(float, float)
RD_MAKE_OF_OWN(int, int)
RD_MAKE_OF_OWN(uint, uint)
RD_MAKE(float, float, int)
RD_MAKE(float, float, uint)
RD_MAKE(int, int, float)
RD_MAKE(int, int, uint)
RD_MAKE(uint, uint, int)
#undef RD_MAKE
#undef RD_MAKE_OF_OWN

// ---- operators ----

#define RD_OPERATOR(V, T, make, n, op)                                                             \
    RD_INLINE V operator op(V a, V b)                                                              \
    {                                                                                              \
        return make(RD_EACH_##n(op, a, b));                                                        \
    }                                                                                              \
    RD_INLINE V operator op(V a, T b)                                                              \
    {                                                                                              \
        const V all = make(b);                                                                     \
        return make(RD_EACH_##n(op, a, all));                                                      \
    }                                                                                              \
    RD_INLINE V operator op(T a, V b)                                                              \
    {                                                                                              \
        const V all = make(a);                                                                     \
        return make(RD_EACH_##n(op, all, b));                                                      \
    }                                                                                              \
    RD_INLINE void operator op##=(V &a, V b)                                                       \
    {                                                                                              \
        a = a op b;                                                                                \
    }                                                                                              \
    RD_INLINE void operator op##=(V &a, T b)                                                       \
    {                                                                                              \
        a = a op b;                                                                                \
    }
#define RD_EACH_2(op, a, b) a.x op b.x, a.y op b.y
#define RD_EACH_3(op, a, b) a.x op b.x, a.y op b.y, a.z op b.z
#define RD_EACH_4(op, a, b) a.x op b.x, a.y op b.y, a.z op b.z, a.w op b.w
#define RD_OPERATORS(name, T, n)                                                                   \
    RD_OPERATOR(name##n, T, make_##name##n, n, +)                                                  \
    RD_OPERATOR(name##n, T, make_##name##n, n, -)                                                  \
    RD_OPERATOR(name##n, T, make_##name##n, n, *)
#define RD_OPERATORS_OF(name, T)                                                                   \
    RD_OPERATORS(name, T, 2)                                                                       \
    RD_OPERATORS(name, T, 3)                                                                       \
    RD_OPERATORS(name, T, 4)
RD_OPERATORS_OF(float, float)
RD_OPERATORS_OF(int, int)
RD_OPERATORS_OF(uint, uint)
RD_OPERATOR(float2, float, make_float2, 2, /)
RD_OPERATOR(float3, float, make_float3, 3, /)
RD_OPERATOR(float4, float, make_float4, 4, /)
#define RD_NEGATIVE(name)                                                                          \
    RD_INLINE name##2 operator-(const name##2 & a)                                                 \
    {                                                                                              \
        return make_##name##2(-a.x, -a.y);                                                         \
    }                                                                                              \
    RD_INLINE name##3 operator-(const name##3 & a)                                                 \
    {                                                                                              \
        return make_##name##3(-a.x, -a.y, -a.z);                                                   \
    }                                                                                              \
    RD_INLINE name##4 operator-(const name##4 & a)                                                 \
    {                                                                                              \
        return make_##name##4(-a.x, -a.y, -a.z, -a.w);                                             \
    }
RD_NEGATIVE(float)
RD_NEGATIVE(int)
#undef RD_OPERATOR
#undef RD_OPERATORS
#undef RD_OPERATORS_OF
#undef RD_NEGATIVE

// ---- functions of each part ----

RD_INLINE float lerp(float a, float b, float t)
{
    return a + t * (b - a);
}
RD_INLINE float clamp(float f, float a, float b)
{
    return fmaxf(a, fminf(f, b));
}
RD_INLINE int clamp(int f, int a, int b)
{
    return max(a, min(f, b));
}
RD_INLINE uint clamp(uint f, uint a, uint b)
{
    return max(a, min(f, b));
}
RD_INLINE float fracf(float v)
{
    return v - floorf(v);
}
RD_INLINE float smoothstep(float a, float b, float x)
{
    const float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
    return y * y * (3.0f - 2.0f * y);
}
#define RD_ONE_2(f, a)         f(a.x), f(a.y)
#define RD_ONE_3(f, a)         f(a.x), f(a.y), f(a.z)
#define RD_ONE_4(f, a)         f(a.x), f(a.y), f(a.z), f(a.w)
#define RD_TWO_2(f, a, b)      f(a.x, b.x), f(a.y, b.y)
#define RD_TWO_3(f, a, b)      RD_TWO_2(f, a, b), f(a.z, b.z)
#define RD_TWO_4(f, a, b)      RD_TWO_3(f, a, b), f(a.w, b.w)
#define RD_THREE_2(f, a, b, c) f(a.x, b.x, c.x), f(a.y, b.y, c.y)
#define RD_THREE_3(f, a, b, c) RD_THREE_2(f, a, b, c), f(a.z, b.z, c.z)
#define RD_THREE_4(f, a, b, c) RD_THREE_3(f, a, b, c), f(a.w, b.w, c.w)
#define RD_OF_ONE(name, n, f)                                                                      \
    RD_INLINE name##n f(name##n a)                                                                 \
    {                                                                                              \
        return make_##name##n(RD_ONE_##n(f, a));                                                   \
    }
#define RD_OF_TWO(name, n, f)                                                                      \
    RD_INLINE name##n f(name##n a, name##n b)                                                      \
    {                                                                                              \
        return make_##name##n(RD_TWO_##n(f, a, b));                                                \
    }
#define RD_OF_THREE(name, n, f)                                                                    \
    RD_INLINE name##n f(name##n a, name##n b, name##n c)                                           \
    {                                                                                              \
        return make_##name##n(RD_THREE_##n(f, a, b, c));                                           \
    }
#define RD_CLAMP(name, T, n)                                                                       \
    RD_OF_THREE(name, n, clamp)                                                                    \
    RD_INLINE name##n clamp(name##n v, T a, T b)                                                   \
    {                                                                                              \
        return clamp(v, make_##name##n(a), make_##name##n(b));                                     \
    }
#define RD_OF_FLOATS(n)                                                                            \
    RD_OF_ONE(float, n, floorf)                                                                    \
    RD_OF_ONE(float, n, fracf)                                                                     \
    RD_OF_ONE(float, n, fabs)                                                                      \
    RD_OF_TWO(float, n, fminf)                                                                     \
    RD_OF_TWO(float, n, fmaxf)                                                                     \
    RD_OF_TWO(float, n, fmodf)                                                                     \
    RD_OF_THREE(float, n, smoothstep)                                                              \
    RD_CLAMP(float, float, n)                                                                      \
    RD_INLINE float##n lerp(float##n a, float##n b, float t)                                       \
    {                                                                                              \
        return a + t * (b - a);                                                                    \
    }
#define RD_OF_INTS(name, T, n)                                                                     \
    RD_OF_TWO(name, n, min)                                                                        \
    RD_OF_TWO(name, n, max)                                                                        \
    RD_CLAMP(name, T, n)
RD_OF_FLOATS(2)
RD_OF_FLOATS(3)
RD_OF_FLOATS(4)
RD_OF_INTS(int, int, 2)
RD_OF_INTS(int, int, 3)
RD_OF_INTS(int, int, 4)
RD_OF_INTS(uint, uint, 2)
RD_OF_INTS(uint, uint, 3)
RD_OF_INTS(uint, uint, 4)
RD_OF_ONE(int, 2, abs)
RD_OF_ONE(int, 3, abs)
RD_OF_ONE(int, 4, abs)

// ---- of the whole vector ----

#define RD_DOT(name, T)                                                                            \
    RD_INLINE T dot(name##2 a, name##2 b)                                                          \
    {                                                                                              \
        return a.x * b.x + a.y * b.y;                                                              \
    }                                                                                              \
    RD_INLINE T dot(name##3 a, name##3 b)                                                          \
    {                                                                                              \
        return a.x * b.x + a.y * b.y + a.z * b.z;                                                  \
    }                                                                                              \
    RD_INLINE T dot(name##4 a, name##4 b)                                                          \
    {                                                                                              \
        return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;                                      \
    }
RD_DOT(float, float)
RD_DOT(int, int)
RD_DOT(uint, uint)
#define RD_LENGTH(n)                                                                               \
    RD_INLINE float length(float##n v)                                                             \
    {                                                                                              \
        return sqrtf(dot(v, v));                                                                   \
    }                                                                                              \
    RD_INLINE float##n normalize(float##n v)                                                       \
    {                                                                                              \
        return v * rsqrtf(dot(v, v));                                                              \
    }
RD_LENGTH(2)
RD_LENGTH(3)
RD_LENGTH(4)
RD_INLINE float3 reflect(float3 i, float3 n)
{
    return i - 2.0f * n * dot(n, i);
}
RD_INLINE float3 cross(float3 a, float3 b)
{
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
#undef RD_DOT
#undef RD_LENGTH
#undef RD_OF_ONE
#undef RD_OF_TWO
#undef RD_OF_THREE
#undef RD_OF_FLOATS
#undef RD_OF_INTS
#undef RD_CLAMP

#endif
