// SPDX-License-Identifier: MIT
// CUDA's arithmetic on the halves and bytes of a word, and dot products of these.
#ifndef RD_SIMD_HPP
#define RD_SIMD_HPP

// ---- part by part: T is the type of a part ----

template <class T> RD_INLINE int rd_part(unsigned word, unsigned k)
{
    return (T)(word >> k * 8 * sizeof(T));
}
template <class T, class F> RD_INLINE unsigned rd_by_parts(unsigned x, unsigned y, F f)
{
    using U = typename std::make_unsigned<T>::type;
    unsigned result = 0;
    for (unsigned k = 0; k < 4 / sizeof(T); k++)
        result |= (unsigned)(U)f(rd_part<T>(x, k), rd_part<T>(y, k)) << k * 8 * sizeof(T);
    return result;
}
template <class T, class F> RD_INLINE unsigned rd_sum_of_parts(unsigned x, unsigned y, F f)
{
    unsigned result = 0;
    for (unsigned k = 0; k < 4 / sizeof(T); k++)
        result += (unsigned)f(rd_part<T>(x, k), rd_part<T>(y, k));
    return result;
}
template <class T> RD_INLINE int rd_within(int x)
{
    constexpr int least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
    return x < least ? least : x > most ? most : x;
}

#define RD_PARTS_1(name, T, expression)                                                            \
    RD_INLINE unsigned name(unsigned a)                                                            \
    {                                                                                              \
        return rd_by_parts<T>(a, 0, [](int x, int) { return expression; });                        \
    }
#define RD_PARTS_2(name, T, expression)                                                            \
    RD_INLINE unsigned name(unsigned a, unsigned b)                                                \
    {                                                                                              \
        return rd_by_parts<T>(a, b, [](int x, int y) { return expression; });                      \
    }
#define RD_PARTS_SUM(name, T, expression)                                                          \
    RD_INLINE unsigned name(unsigned a, unsigned b)                                                \
    {                                                                                              \
        return rd_sum_of_parts<T>(a, b, [](int x, int y) { return expression; });                  \
    }
#define RD_PARTS_COMPARED(name, n, T, sign)                                                        \
    RD_PARTS_2(__vcmp##name, T, x sign y ? -1 : 0)                                                 \
    RD_PARTS_2(__vset##name, T, x sign y ? 1 : 0)
// Names end with the number of parts: `n`; S is a part with a sign, U one without.
#define RD_PARTS(n, S, U)                                                                          \
    RD_PARTS_1(__vabs##n, S, x < 0 ? -x : x)                                                       \
    RD_PARTS_1(__vabsss##n, S, rd_within<S>(x < 0 ? -x : x))                                       \
    RD_PARTS_1(__vneg##n, S, -x)                                                                   \
    RD_PARTS_1(__vnegss##n, S, rd_within<S>(-x))                                                   \
    RD_PARTS_2(__vabsdiffs##n, S, x < y ? y - x : x - y)                                           \
    RD_PARTS_2(__vabsdiffu##n, U, x < y ? y - x : x - y)                                           \
    RD_PARTS_2(__vadd##n, U, x + y)                                                                \
    RD_PARTS_2(__vaddss##n, S, rd_within<S>(x + y))                                                \
    RD_PARTS_2(__vaddus##n, U, rd_within<U>(x + y))                                                \
    RD_PARTS_2(__vsub##n, U, x - y)                                                                \
    RD_PARTS_2(__vsubss##n, S, rd_within<S>(x - y))                                                \
    RD_PARTS_2(__vsubus##n, U, rd_within<U>(x - y))                                                \
    RD_PARTS_2(__vavgs##n, S, (x + y + (x + y >= 0)) >> 1)                                         \
    RD_PARTS_2(__vavgu##n, U, (x + y + 1) >> 1)                                                    \
    RD_PARTS_2(__vhaddu##n, U, (x + y) >> 1)                                                       \
    RD_PARTS_2(__vmaxs##n, S, x < y ? y : x)                                                       \
    RD_PARTS_2(__vmaxu##n, U, x < y ? y : x)                                                       \
    RD_PARTS_2(__vmins##n, S, y < x ? y : x)                                                       \
    RD_PARTS_2(__vminu##n, U, y < x ? y : x)                                                       \
    RD_PARTS_SUM(__vsads##n, S, x < y ? y - x : x - y)                                             \
    RD_PARTS_SUM(__vsadu##n, U, x < y ? y - x : x - y)                                             \
    RD_PARTS_COMPARED(eq##n, n, U, ==)                                                             \
    RD_PARTS_COMPARED(ne##n, n, U, !=)                                                             \
    RD_PARTS_COMPARED(ges##n, n, S, >=)                                                            \
    RD_PARTS_COMPARED(geu##n, n, U, >=)                                                            \
    RD_PARTS_COMPARED(gts##n, n, S, >)                                                             \
    RD_PARTS_COMPARED(gtu##n, n, U, >)                                                             \
    RD_PARTS_COMPARED(les##n, n, S, <=)                                                            \
    RD_PARTS_COMPARED(leu##n, n, U, <=)                                                            \
    RD_PARTS_COMPARED(lts##n, n, S, <)                                                             \
    RD_PARTS_COMPARED(ltu##n, n, U, <)
RD_PARTS(2, short, unsigned short)
RD_PARTS(4, signed char, unsigned char)

// ---- the largest and smallest of two and three, and of sums ----

RD_INLINE int rd_wrapped_sum(int x, int y)
{
    return (int)((unsigned)x + (unsigned)y);
}
RD_INLINE unsigned rd_wrapped_sum(unsigned x, unsigned y)
{
    return x + y;
}
#define RD_EXTREME(name, sign)                                                                     \
    RD_INLINE int __vi##name##3_s32(int a, int b, int c)                                           \
    {                                                                                              \
        return name(name(a, b), c);                                                                \
    }                                                                                              \
    RD_INLINE int __vi##name##3_s32_relu(int a, int b, int c)                                      \
    {                                                                                              \
        return max(name(name(a, b), c), 0);                                                        \
    }                                                                                              \
    RD_INLINE unsigned __vi##name##3_u32(unsigned a, unsigned b, unsigned c)                       \
    {                                                                                              \
        return name(name(a, b), c);                                                                \
    }                                                                                              \
    RD_INLINE int __vi##name##_s32_relu(int a, int b)                                              \
    {                                                                                              \
        return max(name(a, b), 0);                                                                 \
    }                                                                                              \
    RD_INLINE int __viadd##name##_s32(int a, int b, int c)                                         \
    {                                                                                              \
        return name(rd_wrapped_sum(a, b), c);                                                      \
    }                                                                                              \
    RD_INLINE int __viadd##name##_s32_relu(int a, int b, int c)                                    \
    {                                                                                              \
        return max(name(rd_wrapped_sum(a, b), c), 0);                                              \
    }                                                                                              \
    RD_INLINE unsigned __viadd##name##_u32(unsigned a, unsigned b, unsigned c)                     \
    {                                                                                              \
        return name(rd_wrapped_sum(a, b), c);                                                      \
    }                                                                                              \
    RD_INLINE int __vib##name##_s32(int a, int b, bool *first)                                     \
    {                                                                                              \
        *first = a sign b;                                                                         \
        return name(a, b);                                                                         \
    }                                                                                              \
    RD_INLINE unsigned __vib##name##_u32(unsigned a, unsigned b, bool *first)                      \
    {                                                                                              \
        *first = a sign b;                                                                         \
        return name(a, b);                                                                         \
    }                                                                                              \
    RD_PARTS_2(rd_vi##name##_s16x2, short, name(x, y))                                             \
    RD_PARTS_2(rd_vi##name##_u16x2, unsigned short, name(x, y))                                    \
    RD_INLINE unsigned __vi##name##3_s16x2(unsigned a, unsigned b, unsigned c)                     \
    {                                                                                              \
        return rd_vi##name##_s16x2(rd_vi##name##_s16x2(a, b), c);                                  \
    }                                                                                              \
    RD_INLINE unsigned __vi##name##3_u16x2(unsigned a, unsigned b, unsigned c)                     \
    {                                                                                              \
        return rd_vi##name##_u16x2(rd_vi##name##_u16x2(a, b), c);                                  \
    }                                                                                              \
    RD_INLINE unsigned __vi##name##_s16x2_relu(unsigned a, unsigned b)                             \
    {                                                                                              \
        return __vmaxs2(rd_vi##name##_s16x2(a, b), 0);                                             \
    }                                                                                              \
    RD_INLINE unsigned __vi##name##3_s16x2_relu(unsigned a, unsigned b, unsigned c)                \
    {                                                                                              \
        return __vmaxs2(__vi##name##3_s16x2(a, b, c), 0);                                          \
    }                                                                                              \
    RD_INLINE unsigned __viadd##name##_s16x2(unsigned a, unsigned b, unsigned c)                   \
    {                                                                                              \
        return rd_vi##name##_s16x2(__vadd2(a, b), c);                                              \
    }                                                                                              \
    RD_INLINE unsigned __viadd##name##_u16x2(unsigned a, unsigned b, unsigned c)                   \
    {                                                                                              \
        return rd_vi##name##_u16x2(__vadd2(a, b), c);                                              \
    }                                                                                              \
    RD_INLINE unsigned __viadd##name##_s16x2_relu(unsigned a, unsigned b, unsigned c)              \
    {                                                                                              \
        return __vmaxs2(__viadd##name##_s16x2(a, b, c), 0);                                        \
    }                                                                                              \
    RD_INLINE unsigned __vib##name##_s16x2(unsigned a, unsigned b, bool *high, bool *low)          \
    {                                                                                              \
        *high = rd_part<short>(a, 1) sign rd_part<short>(b, 1);                                    \
        *low = rd_part<short>(a, 0) sign rd_part<short>(b, 0);                                     \
        return rd_vi##name##_s16x2(a, b);                                                          \
    }                                                                                              \
    RD_INLINE unsigned __vib##name##_u16x2(unsigned a, unsigned b, bool *high, bool *low)          \
    {                                                                                              \
        *high = rd_part<unsigned short>(a, 1) sign rd_part<unsigned short>(b, 1);                  \
        *low = rd_part<unsigned short>(a, 0) sign rd_part<unsigned short>(b, 0);                   \
        return rd_vi##name##_u16x2(a, b);                                                          \
    }
RD_EXTREME(max, >=)
RD_EXTREME(min, <=)

// ---- dot products, which wrap ----

template <class T> RD_INLINE unsigned rd_dot_4(unsigned a, unsigned b, unsigned sum)
{
    return sum + rd_sum_of_parts<T>(a, b, [](int x, int y) { return x * y; });
}
// Of the halves of `a`, and the two bytes of `b` from one on.
template <class H, class B>
RD_INLINE unsigned rd_dot_2(unsigned a, unsigned b, unsigned from, unsigned sum)
{
    for (unsigned k = 0; k < 2; k++)
        sum += (unsigned)rd_part<H>(a, k) * (unsigned)rd_part<B>(b, from + k);
    return sum;
}
RD_INLINE int __dp4a(int a, int b, int sum)
{
    return (int)rd_dot_4<signed char>((unsigned)a, (unsigned)b, (unsigned)sum);
}
RD_INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned sum)
{
    return rd_dot_4<unsigned char>(a, b, sum);
}
RD_INLINE int __dp4a(char4 a, char4 b, int sum)
{
    return __dp4a(rd_bits_of<int>(a), rd_bits_of<int>(b), sum);
}
RD_INLINE unsigned __dp4a(uchar4 a, uchar4 b, unsigned sum)
{
    return __dp4a(rd_bits_of<unsigned>(a), rd_bits_of<unsigned>(b), sum);
}
#define RD_DOT_2(name, from)                                                                       \
    RD_INLINE int name(int a, int b, int sum)                                                      \
    {                                                                                              \
        return (int)rd_dot_2<short, signed char>((unsigned)a, (unsigned)b, from, (unsigned)sum);   \
    }                                                                                              \
    RD_INLINE unsigned name(unsigned a, unsigned b, unsigned sum)                                  \
    {                                                                                              \
        return rd_dot_2<unsigned short, unsigned char>(a, b, from, sum);                           \
    }                                                                                              \
    RD_INLINE int name(short2 a, char4 b, int sum)                                                 \
    {                                                                                              \
        return name(rd_bits_of<int>(a), rd_bits_of<int>(b), sum);                                  \
    }                                                                                              \
    RD_INLINE unsigned name(ushort2 a, uchar4 b, unsigned sum)                                     \
    {                                                                                              \
        return name(rd_bits_of<unsigned>(a), rd_bits_of<unsigned>(b), sum);                        \
    }
RD_DOT_2(__dp2a_lo, 0)
RD_DOT_2(__dp2a_hi, 2)

// The place of the set bit that is the `offset`th from bit `base` on, itself among them: upwards, or below 0
// downwards; all ones where there is none.
RD_INLINE unsigned __fns(unsigned mask, unsigned base, int offset)
{
    if (offset == 0)
        return mask >> (base & 31) & 1 ? base : 0xffffffffu;
    int left = offset < 0 ? -offset : offset;
    for (int k = (int)(base & 31); k >= 0 && k < 32; k += offset < 0 ? -1 : 1)
        if ((mask >> k & 1) && --left == 0)
            return (unsigned)k;
    return 0xffffffffu;
}

#endif
