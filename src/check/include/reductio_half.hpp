// SPDX-License-Identifier: MIT
// CUDA's floats of 16 bits: the types, conversions, and what is computed of one or two of them. Each operation is rounded
// once, to nearest, ties to even; a product and a sum are never made one operation.
#ifndef RD_HALF_HPP
#define RD_HALF_HPP

#include "reductio_half.h"

union rd_float_bits {
    float value;
    uint32_t bits;
};
RD_INLINE float rd_float_of_bits(uint32_t bits)
{
    rd_float_bits both = {};
    both.bits = bits;
    return both.value;
}
// The number that the bits of a half stand for: those of a float with another exponent, which a product mends.
RD_INLINE float rd_value_of(rd_f16 x)
{
    rd_float_bits both = {};
    both.bits = (uint32_t)(x.bits & 0x7fff) << 13;
    both.value *= 0x1p112f;
    if (both.value >= 65536.0f)
        both.bits |= 0xffu << 23;
    both.bits |= (uint32_t)(x.bits >> 15) << 31;
    return both.value;
}
RD_INLINE float rd_value_of(rd_bf16 x)
{
    return rd_float_of_bits((uint32_t)x.bits << 16);
}
// A float with an odd last digit where it isn't the number itself: rounded once more, it is as if rounded once.
RD_INLINE float rd_odd(double x)
{
    rd_float_bits near = {};
    near.value = (float)x;
    double got = near.value;
    if (got == x || x != x || (near.bits & 1) || got - got != 0)
        return near.value;
    near.bits += (got < x) == (x > 0) ? 1u : ~0u;
    return near.value;
}
// The same of a whole number of 64 bits, which a double need not hold: its 24 first digits, the last one odd where others
// than 0 follow.
RD_INLINE float rd_odd(unsigned long long x)
{
    const int dropped = x >> 24 ? 40 - __builtin_clzll(x) : 0;
    const unsigned long long kept = x >> dropped;
    return (float)(kept | (kept << dropped != x)) * (float)(1ull << dropped);
}
RD_INLINE float rd_odd(long long x)
{
    return x < 0 ? -rd_odd(-(unsigned long long)x) : rd_odd((unsigned long long)x);
}
RD_INLINE float rd_odd(unsigned long x)
{
    return rd_odd((unsigned long long)x);
}
RD_INLINE float rd_odd(long x)
{
    return rd_odd((long long)x);
}
RD_INLINE float rd_odd(unsigned x)
{
    return rd_odd((double)x);
}
RD_INLINE float rd_odd(int x)
{
    return rd_odd((double)x);
}

// To integers as __half2int_rz() and the like convert: towards 0, and to the nearest that there is.
#define RD_HALF_CAST(T)                                                                            \
    operator T() const                                                                             \
    {                                                                                              \
        return rd_convert<T, float>(std::trunc(rd_value_of(rd_half)));                             \
    }
#define RD_HALF_CASTS                                                                              \
    operator bool() const                                                                          \
    {                                                                                              \
        return (rd_half.bits & 0x7fff) != 0;                                                       \
    }                                                                                              \
    RD_HALF_CAST(char)                                                                             \
    RD_HALF_CAST(signed char)                                                                      \
    RD_HALF_CAST(unsigned char)                                                                    \
    RD_HALF_CAST(short)                                                                            \
    RD_HALF_CAST(unsigned short)                                                                   \
    RD_HALF_CAST(int)                                                                              \
    RD_HALF_CAST(unsigned)                                                                         \
    RD_HALF_CAST(long)                                                                             \
    RD_HALF_CAST(unsigned long)                                                                    \
    RD_HALF_CAST(long long)                                                                        \
    RD_HALF_CAST(unsigned long long)

#define RD_HALF_OPERATION(name, op, function, ...)                                                 \
    RD_INLINE name operator op(name x, name y)                                                     \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }                                                                                              \
    RD_INLINE name &operator op##=(name &x, name y)                                                \
    {                                                                                              \
        return x = x op y;                                                                         \
    }                                                                                              \
    RD_INLINE name function(name x, name y)                                                        \
    {                                                                                              \
        return x op y;                                                                             \
    }
#define RD_HALF_COMPARISON(name, function, op)                                                     \
    RD_INLINE bool operator op(name x, name y)                                                     \
    {                                                                                              \
        return (float)x op(float) y;                                                               \
    }                                                                                              \
    RD_INLINE bool function(name x, name y)                                                        \
    {                                                                                              \
        return x op y;                                                                             \
    }
// Any comparison with what is not a number is false, by this function's definition, where that of C++ is true.
#define RD_HALF_UNEQUAL(name)                                                                      \
    RD_INLINE bool operator!=(name x, name y)                                                      \
    {                                                                                              \
        return (float)x != (float)y;                                                               \
    }                                                                                              \
    RD_INLINE bool __hne(name x, name y)                                                           \
    {                                                                                              \
        return (float)x < (float)y || (float)x > (float)y;                                         \
    }                                                                                              \
    RD_INLINE bool __hneu(name x, name y)                                                          \
    {                                                                                              \
        return x != y;                                                                             \
    }
// An atomic works on the bits: what copies a struct is told, and so is what a constructor writes to the frame of its caller.
#define RD_HALF(name, base, its_kind, raw)                                                         \
    struct __attribute__((aligned(2))) name {                                                      \
        base rd_half;                                                                              \
        name() = default;                                                                          \
        name(base half) : rd_half(half)                                                            \
        {                                                                                          \
        }                                                                                          \
        name(float x) : rd_half(base##_of(x))                                                      \
        {                                                                                          \
        }                                                                                          \
        name(double x) : rd_half(base##_of(rd_odd(x)))                                             \
        {                                                                                          \
        }                                                                                          \
        name(int x) : rd_half(base##_of(rd_odd(x)))                                                \
        {                                                                                          \
        }                                                                                          \
        name(unsigned x) : rd_half(base##_of(rd_odd(x)))                                           \
        {                                                                                          \
        }                                                                                          \
        name(short x) : rd_half(base##_of(rd_odd((double)x)))                                      \
        {                                                                                          \
        }                                                                                          \
        name(unsigned short x) : rd_half(base##_of(rd_odd((double)x)))                             \
        {                                                                                          \
        }                                                                                          \
        name(long x) : rd_half(base##_of(rd_odd(x)))                                               \
        {                                                                                          \
        }                                                                                          \
        name(unsigned long x) : rd_half(base##_of(rd_odd(x)))                                      \
        {                                                                                          \
        }                                                                                          \
        name(long long x) : rd_half(base##_of(rd_odd(x)))                                          \
        {                                                                                          \
        }                                                                                          \
        name(unsigned long long x) : rd_half(base##_of(rd_odd(x)))                                 \
        {                                                                                          \
        }                                                                                          \
        name(raw bits)                                                                             \
        {                                                                                          \
            rd_half.bits = bits.x;                                                                 \
        }                                                                                          \
        operator raw() const                                                                       \
        {                                                                                          \
            return {rd_half.bits};                                                                 \
        }                                                                                          \
        operator float() const                                                                     \
        {                                                                                          \
            return rd_value_of(rd_half);                                                           \
        }                                                                                          \
        RD_HALF_CASTS                                                                              \
    };                                                                                             \
    template <> struct rd_struct<name> {                                                           \
        static constexpr char kind = its_kind;                                                     \
    };                                                                                             \
    RD_HALF_OPERATION(name, +, __hadd, base##_sum(x.rd_half, y.rd_half))                           \
    RD_HALF_OPERATION(name, -, __hsub, base##_difference(x.rd_half, y.rd_half))                    \
    RD_HALF_OPERATION(name, *, __hmul, base##_product(x.rd_half, y.rd_half))                       \
    RD_HALF_OPERATION(name, /, __hdiv, base##_of((float)x / (float)y))                             \
    RD_HALF_COMPARISON(name, __heq, ==)                                                            \
    RD_HALF_UNEQUAL(name)                                                                          \
    RD_HALF_COMPARISON(name, __hlt, <)                                                             \
    RD_HALF_COMPARISON(name, __hle, <=)                                                            \
    RD_HALF_COMPARISON(name, __hgt, >)                                                             \
    RD_HALF_COMPARISON(name, __hge, >=)                                                            \
    RD_INLINE name __hadd_rn(name x, name y)                                                       \
    {                                                                                              \
        return x + y;                                                                              \
    }                                                                                              \
    RD_INLINE name __hsub_rn(name x, name y)                                                       \
    {                                                                                              \
        return x - y;                                                                              \
    }                                                                                              \
    RD_INLINE name __hmul_rn(name x, name y)                                                       \
    {                                                                                              \
        return x * y;                                                                              \
    }                                                                                              \
    RD_INLINE name __hmin(name x, name y)                                                          \
    {                                                                                              \
        return base##_least(x.rd_half, y.rd_half);                                                 \
    }                                                                                              \
    RD_INLINE name __hmax(name x, name y)                                                          \
    {                                                                                              \
        return base##_most(x.rd_half, y.rd_half);                                                  \
    }                                                                                              \
    RD_INLINE name operator-(name x)                                                               \
    {                                                                                              \
        x.rd_half.bits ^= 0x8000;                                                                  \
        return x;                                                                                  \
    }                                                                                              \
    RD_INLINE name __hneg(name x)                                                                  \
    {                                                                                              \
        return -x;                                                                                 \
    }                                                                                              \
    RD_INLINE name __habs(name x)                                                                  \
    {                                                                                              \
        x.rd_half.bits &= 0x7fff;                                                                  \
        return x;                                                                                  \
    }                                                                                              \
    RD_INLINE bool __hisnan(name x)                                                                \
    {                                                                                              \
        return (float)x != (float)x;                                                               \
    }                                                                                              \
    __attribute__((unused)) static RD_BARE unsigned short rd_add_half(                             \
        name *p, unsigned short bits, void *pc)                                                    \
    {                                                                                              \
        base x, y;                                                                                 \
        rd_sim_atomic(RD_SIM_OF_GRID, p, sizeof *p, pc);                                           \
        x.bits = p->rd_half.bits;                                                                  \
        y.bits = bits;                                                                             \
        p->rd_half.bits = base##_sum(x, y).bits;                                                   \
        return x.bits;                                                                             \
    }                                                                                              \
    __attribute__((unused)) static RD_BARE name atomicAdd(name *p, name value)                     \
    {                                                                                              \
        name old;                                                                                  \
        old.rd_half.bits = rd_add_half(p, value.rd_half.bits, RD_HERE_PC);                         \
        return old;                                                                                \
    }
// Each of a pair by itself, as on the device: another thread may come between the two.
#define RD_HALF_PAIR(name)                                                                         \
    __attribute__((unused)) static RD_BARE name atomicAdd(name *p, name value)                     \
    {                                                                                              \
        const unsigned short x = rd_add_half(&p->x, value.x.rd_half.bits, RD_HERE_PC);             \
        const unsigned short y = rd_add_half(&p->y, value.y.rd_half.bits, RD_HERE_PC);             \
        name old;                                                                                  \
        old.x.rd_half.bits = x;                                                                    \
        old.y.rd_half.bits = y;                                                                    \
        return old;                                                                                \
    }

#endif
