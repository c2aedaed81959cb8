// SPDX-License-Identifier: MIT
// CUDA's arithmetic: integers, floats, conversions, and reads and writes with a hint for the cache.
// All are computed as the guide defines them; where the device is less exact than that, it is not
// told.
#ifndef RD_MATH_HPP
#define RD_MATH_HPP

// ---- the smaller, the larger ----

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
// A number and a NaN give the number.
#define RD_MIN_MAX_REAL(T)                                                                         \
    RD_INLINE T min(T x, T y)                                                                      \
    {                                                                                              \
        return x != x || y < x || (x == y && std::signbit(y)) ? y : x;                             \
    }                                                                                              \
    RD_INLINE T max(T x, T y)                                                                      \
    {                                                                                              \
        return x != x || x < y || (x == y && std::signbit(x)) ? y : x;                             \
    }
RD_MIN_MAX_REAL(float)
RD_MIN_MAX_REAL(double)
// Two types are converted as usual.
template <class T, class U>
using rd_common =
    typename std::enable_if<!std::is_same<T, U>::value && std::is_arithmetic<T>::value &&
                                std::is_arithmetic<U>::value,
                            typename std::common_type<T, U>::type>::type;
template <class T, class U> RD_INLINE rd_common<T, U> min(T x, U y)
{
    return min((rd_common<T, U>)x, (rd_common<T, U>)y);
}
template <class T, class U> RD_INLINE rd_common<T, U> max(T x, U y)
{
    return max((rd_common<T, U>)x, (rd_common<T, U>)y);
}

template <class T, class U> RD_INLINE unsigned umin(T x, U y)
{
    return min((unsigned)x, (unsigned)y);
}
template <class T, class U> RD_INLINE unsigned umax(T x, U y)
{
    return max((unsigned)x, (unsigned)y);
}
RD_INLINE long long llmin(long long x, long long y)
{
    return min(x, y);
}
RD_INLINE long long llmax(long long x, long long y)
{
    return max(x, y);
}
RD_INLINE unsigned long long ullmin(unsigned long long x, unsigned long long y)
{
    return min(x, y);
}
RD_INLINE unsigned long long ullmax(unsigned long long x, unsigned long long y)
{
    return max(x, y);
}

// ---- integers ----

#define RD_FUNCTION(T, name, parameters, expression)                                               \
    RD_INLINE T name parameters                                                                    \
    {                                                                                              \
        return expression;                                                                         \
    }
RD_FUNCTION(int, __popc, (unsigned x), __builtin_popcount(x))
RD_FUNCTION(int, __popcll, (unsigned long long x), __builtin_popcountll(x))
RD_FUNCTION(int, __clz, (int x), x ? __builtin_clz((unsigned)x) : 32)
RD_FUNCTION(int, __clzll, (long long x), x ? __builtin_clzll((unsigned long long)x) : 64)
RD_FUNCTION(int, __ffs, (int x), __builtin_ffs(x))
RD_FUNCTION(int, __ffsll, (long long x), __builtin_ffsll(x))
RD_INLINE unsigned __brev(unsigned x)
{
    unsigned y = 0;
    for (int k = 0; k < 32; k++)
        y |= (x >> k & 1) << (31 - k);
    return y;
}
RD_FUNCTION(unsigned long long, __brevll, (unsigned long long x),
            (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32)))
// The bytes of y:x that the four low digits of `selector` name; 8 and more: their sign.
RD_INLINE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector)
{
    unsigned long long all = (unsigned long long)y << 32 | x;
    unsigned result = 0;
    for (int k = 0; k < 4; k++) {
        unsigned digit = selector >> 4 * k & 15, byte = (unsigned)(all >> 8 * (digit & 7)) & 255;
        result |= (digit & 8 ? (byte & 128 ? 255u : 0u) : byte) << 8 * k;
    }
    return result;
}
#define RD_LOW_24(x) ((int)((unsigned)(x) << 8) >> 8)
RD_FUNCTION(int, __mul24, (int x, int y), (int)((unsigned)RD_LOW_24(x) * (unsigned)RD_LOW_24(y)))
RD_FUNCTION(unsigned, __umul24, (unsigned x, unsigned y), (x & 0xffffff) * (y & 0xffffff))
RD_FUNCTION(int, __mulhi, (int x, int y), (int)((long long)x *y >> 32))
RD_FUNCTION(unsigned, __umulhi, (unsigned x, unsigned y),
            (unsigned)((unsigned long long)x *y >> 32))
RD_FUNCTION(long long, __mul64hi, (long long x, long long y), (long long)((__int128)x *y >> 64))
RD_FUNCTION(unsigned long long, __umul64hi, (unsigned long long x, unsigned long long y),
            (unsigned long long)((unsigned __int128)x *y >> 64))
RD_FUNCTION(unsigned, __sad, (int x, int y, unsigned z),
            z + (x < y ? (unsigned)y - (unsigned)x : (unsigned)x - (unsigned)y))
RD_FUNCTION(unsigned, __usad, (unsigned x, unsigned y, unsigned z), z + (x < y ? y - x : x - y))
RD_FUNCTION(int, __hadd, (int x, int y), (int)(((long long)x + y) >> 1))
RD_FUNCTION(int, __rhadd, (int x, int y), (int)(((long long)x + y + 1) >> 1))
RD_FUNCTION(unsigned, __uhadd, (unsigned x, unsigned y), (unsigned)(((uint64_t)x + y) >> 1))
RD_FUNCTION(unsigned, __urhadd, (unsigned x, unsigned y), (unsigned)(((uint64_t)x + y + 1) >> 1))
// The high word of high:low shifted left, the low word of it shifted right.
RD_FUNCTION(unsigned, __funnelshift_l, (unsigned low, unsigned high, unsigned n),
            (unsigned)((((uint64_t)high << 32 | low) << (n & 31)) >> 32))
RD_FUNCTION(unsigned, __funnelshift_r, (unsigned low, unsigned high, unsigned n),
            (unsigned)(((uint64_t)high << 32 | low) >> (n & 31)))
RD_FUNCTION(unsigned, __funnelshift_lc, (unsigned low, unsigned high, unsigned n),
            n >= 32 ? low : __funnelshift_l(low, high, n))
RD_FUNCTION(unsigned, __funnelshift_rc, (unsigned low, unsigned high, unsigned n),
            n >= 32 ? high : __funnelshift_r(low, high, n))

// ---- floats ----

// To the nearest, which is what the processor does; else it is told to round otherwise, and the
// compiler is kept from doing the work itself, or before or behind that.
RD_INLINE void rd_opaque(float &x)
{
    __asm__ volatile("" : "+x"(x));
}
RD_INLINE void rd_opaque(double &x)
{
    __asm__ volatile("" : "+x"(x));
}
template <class T> RD_INLINE void rd_opaque(T &x)
{
    __asm__ volatile("" : "+r"(x));
}
template <class T, class... U> RD_INLINE void rd_opaque(T &x, U &...others)
{
    rd_opaque(x);
    rd_opaque(others...);
}
#define RD_ROUNDED_TO(T, name, mode, parameters, names, expression)                                \
    RD_INLINE T name parameters                                                                    \
    {                                                                                              \
        const int usual = fegetround();                                                            \
        fesetround(mode);                                                                          \
        rd_opaque names;                                                                           \
        T result = expression;                                                                     \
        rd_opaque(result);                                                                         \
        fesetround(usual);                                                                         \
        return result;                                                                             \
    }
#define RD_ROUNDED(T, name, parameters, names, expression)                                         \
    RD_FUNCTION(T, name##_rn, parameters, expression)                                              \
    RD_ROUNDED_TO(T, name##_rz, FE_TOWARDZERO, parameters, names, expression)                      \
    RD_ROUNDED_TO(T, name##_ru, FE_UPWARD, parameters, names, expression)                          \
    RD_ROUNDED_TO(T, name##_rd, FE_DOWNWARD, parameters, names, expression)
RD_ROUNDED(float, __fadd, (float x, float y), (x, y), x + y)
RD_ROUNDED(float, __fsub, (float x, float y), (x, y), x - y)
RD_ROUNDED(float, __fmul, (float x, float y), (x, y), x *y)
RD_ROUNDED(float, __fdiv, (float x, float y), (x, y), x / y)
RD_ROUNDED(float, __frcp, (float x), (x), 1 / x)
RD_ROUNDED(float, __fsqrt, (float x), (x), __builtin_sqrtf(x))
RD_ROUNDED(float, __fmaf, (float x, float y, float z), (x, y, z), __builtin_fmaf(x, y, z))
RD_ROUNDED(double, __dadd, (double x, double y), (x, y), x + y)
RD_ROUNDED(double, __dsub, (double x, double y), (x, y), x - y)
RD_ROUNDED(double, __dmul, (double x, double y), (x, y), x *y)
RD_ROUNDED(double, __ddiv, (double x, double y), (x, y), x / y)
RD_ROUNDED(double, __drcp, (double x), (x), 1 / x)
RD_ROUNDED(double, __dsqrt, (double x), (x), __builtin_sqrt(x))
RD_ROUNDED(double, __fma, (double x, double y, double z), (x, y, z), __builtin_fma(x, y, z))
RD_FUNCTION(float, __frsqrt_rn, (float x), (float)(1 / __builtin_sqrt((double)x)))
RD_FUNCTION(float, __fdividef, (float x, float y), x / y)
// exp(x * x) * erfc(x), whose first factor overflows where the second vanishes: there by its series.
RD_INLINE double erfcx(double x)
{
    if (x < 25)
        return __builtin_exp(x * x) * __builtin_erfc(x);
    double term = 1, sum = 1;
    for (int k = 1; k < 8; k++)
        sum += term *= -(2 * k - 1) / (2 * x * x);
    return sum / (x * 1.7724538509055160273);
}
RD_FUNCTION(float, erfcxf, (float x), (float)erfcx((double)x))
RD_FUNCTION(float, fdividef, (float x, float y), x / y)
RD_FUNCTION(float, __saturatef, (float x), x > 0 ? (x < 1 ? x : 1) : 0)
RD_FUNCTION(float, rsqrtf, (float x), 1 / __builtin_sqrtf(x))
RD_FUNCTION(double, rsqrt, (double x), 1 / __builtin_sqrt(x))
RD_FUNCTION(float, rsqrt, (float x), 1 / __builtin_sqrtf(x))
RD_FUNCTION(float, rcbrtf, (float x), 1 / __builtin_cbrtf(x))
RD_FUNCTION(double, rcbrt, (double x), 1 / __builtin_cbrt(x))
RD_FUNCTION(float, normcdff, (float x), 0.5f * __builtin_erfcf(-x * 0.70710678118654752f))
RD_FUNCTION(double, normcdf, (double x), 0.5 * __builtin_erfc(-x * 0.70710678118654752))
// The C library has declared functions of these names, and not defined them.
#define __expf(x)          ::expf(x)
#define __exp10f(x)        ::exp10f(x)
#define __logf(x)          ::logf(x)
#define __log2f(x)         ::log2f(x)
#define __log10f(x)        ::log10f(x)
#define __sinf(x)          ::sinf(x)
#define __cosf(x)          ::cosf(x)
#define __tanf(x)          ::tanf(x)
#define __sincosf(x, s, c) ::sincosf(x, s, c)
#define __powf(x, y)       ::powf(x, y)

// ---- conversions ----

// Out of its range, an integer is the nearest there is; from no number it is 0, or, where one of both
// types has 64 bits, the highest bit alone (PTX ISA, "cvt").
template <class T, class F> RD_INLINE T rd_convert(F x)
{
    if (x != x)
        return sizeof x == 4 && sizeof(T) <= 4 ? 0 : (T)(1ull << (8 * sizeof(T) - 1));
    if (x < (F)std::numeric_limits<T>::min())
        return std::numeric_limits<T>::min();
    if (x >= (F)std::numeric_limits<T>::max())
        return std::numeric_limits<T>::max();
    return (T)x;
}
#define RD_TO_INTEGER(from, F, to, T)                                                              \
    RD_FUNCTION(T, __##from##2##to##_rn, (F x), (rd_convert<T, F>(std::nearbyint(x))))             \
    RD_FUNCTION(T, __##from##2##to##_rz, (F x), (rd_convert<T, F>(std::trunc(x))))                 \
    RD_FUNCTION(T, __##from##2##to##_ru, (F x), (rd_convert<T, F>(std::ceil(x))))                  \
    RD_FUNCTION(T, __##from##2##to##_rd, (F x), (rd_convert<T, F>(std::floor(x))))
#define RD_TO_FLOAT(from, F, to, T) RD_ROUNDED(T, __##from##2##to, (F x), (x), (T)x)
#define RD_CONVERSIONS(name, T)                                                                    \
    RD_TO_INTEGER(float, float, name, T)                                                           \
    RD_TO_INTEGER(double, double, name, T)                                                         \
    RD_TO_FLOAT(name, T, float, float)                                                             \
    RD_TO_FLOAT(name, T, double, double)
RD_CONVERSIONS(int, int)
RD_CONVERSIONS(uint, unsigned)
RD_CONVERSIONS(ll, long long)
RD_CONVERSIONS(ull, unsigned long long)
RD_TO_FLOAT(double, double, float, float)

template <class T, class U> RD_INLINE T rd_bits_of(U x)
{
    T y;
    static_assert(sizeof x == sizeof y, "bits of another size");
    __builtin_memcpy(&y, &x, sizeof y);
    return y;
}
RD_FUNCTION(int, __float_as_int, (float x), rd_bits_of<int>(x))
RD_FUNCTION(unsigned, __float_as_uint, (float x), rd_bits_of<unsigned>(x))
RD_FUNCTION(float, __int_as_float, (int x), rd_bits_of<float>(x))
RD_FUNCTION(float, __uint_as_float, (unsigned x), rd_bits_of<float>(x))
RD_FUNCTION(long long, __double_as_longlong, (double x), rd_bits_of<long long>(x))
RD_FUNCTION(double, __longlong_as_double, (long long x), rd_bits_of<double>(x))
RD_FUNCTION(int, __double2hiint, (double x), (int)(rd_bits_of<uint64_t>(x) >> 32))
RD_FUNCTION(int, __double2loint, (double x), (int)rd_bits_of<uint64_t>(x))
RD_FUNCTION(double, __hiloint2double, (int high, int low),
            rd_bits_of<double>((uint64_t)(unsigned)high << 32 | (unsigned)low))

// ---- memory, with a hint for the cache, which is passed over ----

#define RD_LOAD(name)                                                                              \
    template <class T> RD_INLINE T name(const T *p)                                                \
    {                                                                                              \
        return *p;                                                                                 \
    }
#define RD_STORE(name)                                                                             \
    template <class T> RD_INLINE void name(T *p, typename rd_same<T>::type value)                  \
    {                                                                                              \
        *p = value;                                                                                \
    }
RD_LOAD(__ldg)
RD_LOAD(__ldcg)
RD_LOAD(__ldca)
RD_LOAD(__ldcs)
RD_LOAD(__ldlu)
RD_LOAD(__ldcv)
RD_STORE(__stwb)
RD_STORE(__stcg)
RD_STORE(__stcs)
RD_STORE(__stwt)

#endif
