// SPDX-License-Identifier: MIT
// Thrust's complex numbers: products by the plain formula, quotients scaled against overflow, functions those of std::complex.
#ifndef RD_THRUST_COMPLEX_HPP
#define RD_THRUST_COMPLEX_HPP

#include "thrust/functional.hpp"

#include <complex>
#include <istream>
#include <ostream>

namespace thrust
{
template <class T> struct complex {
    typedef T value_type;
    T x, y;
    constexpr complex(const T &re = T(), const T &im = T()) : x(re), y(im)
    {
    }
    template <class U> constexpr complex(const complex<U> &z) : x((T)z.real()), y((T)z.imag())
    {
    }
    template <class U> constexpr complex(const std::complex<U> &z) : x((T)z.real()), y((T)z.imag())
    {
    }
    constexpr operator std::complex<T>() const
    {
        return std::complex<T>(x, y);
    }
    constexpr T real() const
    {
        return x;
    }
    constexpr T imag() const
    {
        return y;
    }
    T real() const volatile
    {
        return x;
    }
    T imag() const volatile
    {
        return y;
    }
    void real(T re)
    {
        x = re;
    }
    void imag(T im)
    {
        y = im;
    }
#define RD_ASSIGN(sign)                                                                            \
    template <class U> complex &operator sign##=(const U &other)                                   \
    {                                                                                              \
        return *this = *this sign complex(other);                                                  \
    }
    RD_ASSIGN(+)
    RD_ASSIGN(-)
    RD_ASSIGN(*)
    RD_ASSIGN(/)
#undef RD_ASSIGN
};

// Of two complex numbers, and of one with a real one, whose types may differ as those of plain numbers may.
template <class X, class Y> struct rd_complex_of {
    typedef complex<decltype(X() + Y())> type;
};
#define RD_COMPLEX(sign, both, left, right)                                                        \
    template <class X, class Y>                                                                    \
    constexpr typename rd_complex_of<X, Y>::type operator sign(const complex<X> &a,                \
                                                               const complex<Y> &b)                \
    {                                                                                              \
        typedef typename rd_complex_of<X, Y>::type::value_type T;                                  \
        return complex<T> both;                                                                    \
    }                                                                                              \
    template <class X, class Y,                                                                    \
              class = typename std::enable_if<std::is_arithmetic<Y>::value>::type>                 \
    constexpr typename rd_complex_of<X, Y>::type operator sign(const complex<X> &a, const Y &b)    \
    {                                                                                              \
        typedef typename rd_complex_of<X, Y>::type::value_type T;                                  \
        return complex<T> left;                                                                    \
    }                                                                                              \
    template <class X, class Y,                                                                    \
              class = typename std::enable_if<std::is_arithmetic<X>::value>::type>                 \
    constexpr typename rd_complex_of<X, Y>::type operator sign(const X &a, const complex<Y> &b)    \
    {                                                                                              \
        typedef typename rd_complex_of<X, Y>::type::value_type T;                                  \
        return right;                                                                              \
    }
RD_COMPLEX(+, ((T)a.x + (T)b.x, (T)a.y + (T)b.y), ((T)a.x + (T)b, (T)a.y),
           complex<T>((T)a + (T)b.x, (T)b.y))
RD_COMPLEX(-, ((T)a.x - (T)b.x, (T)a.y - (T)b.y), ((T)a.x - (T)b, (T)a.y),
           complex<T>((T)a - (T)b.x, -(T)b.y))
RD_COMPLEX(*, ((T)a.x * (T)b.x - (T)a.y * (T)b.y, (T)a.x *(T)b.y + (T)a.y * (T)b.x),
           ((T)a.x * (T)b, (T)a.y *(T)b), complex<T>((T)a *(T)b.x, (T)a *(T)b.y))
#undef RD_COMPLEX
// Scaled by |re| + |im| of the divisor, so that no square overflows.
template <class X, class Y>
constexpr typename rd_complex_of<X, Y>::type operator/(const complex<X> &a, const complex<Y> &b)
{
    typedef typename rd_complex_of<X, Y>::type::value_type T;
    const T s = (T)(b.x < 0 ? -b.x : b.x) + (T)(b.y < 0 ? -b.y : b.y), ax = (T)a.x / s,
            ay = (T)a.y / s, bx = (T)b.x / s, by = (T)b.y / s, n = bx * bx + by * by;
    return complex<T>((ax * bx + ay * by) / n, (ay * bx - ax * by) / n);
}
template <class X, class Y, class = typename std::enable_if<std::is_arithmetic<Y>::value>::type>
constexpr typename rd_complex_of<X, Y>::type operator/(const complex<X> &a, const Y &b)
{
    typedef typename rd_complex_of<X, Y>::type::value_type T;
    return complex<T>((T)a.x / (T)b, (T)a.y / (T)b);
}
template <class X, class Y, class = typename std::enable_if<std::is_arithmetic<X>::value>::type>
constexpr typename rd_complex_of<X, Y>::type operator/(const X &a, const complex<Y> &b)
{
    return complex<X>(a) / b;
}
template <class T> constexpr complex<T> operator+(const complex<T> &z)
{
    return z;
}
template <class T> constexpr complex<T> operator-(const complex<T> &z)
{
    return complex<T>(-z.x, -z.y);
}
template <class X, class Y> constexpr bool operator==(const complex<X> &a, const complex<Y> &b)
{
    return a.x == b.x && a.y == b.y;
}
template <class X, class Y> constexpr bool operator!=(const complex<X> &a, const complex<Y> &b)
{
    return !(a == b);
}
template <class X> constexpr bool operator==(const complex<X> &a, const X &b)
{
    return a.x == b && a.y == 0;
}
template <class X> constexpr bool operator!=(const complex<X> &a, const X &b)
{
    return !(a == b);
}

#define RD_OF_COMPLEX(R, name)                                                                     \
    template <class T> R name(const complex<T> &z)                                                 \
    {                                                                                              \
        return std::name(std::complex<T>(z));                                                      \
    }
RD_OF_COMPLEX(T, abs)
RD_OF_COMPLEX(T, arg)
RD_OF_COMPLEX(complex<T>, proj)
RD_OF_COMPLEX(complex<T>, exp)
RD_OF_COMPLEX(complex<T>, log)
RD_OF_COMPLEX(complex<T>, log10)
RD_OF_COMPLEX(complex<T>, sqrt)
RD_OF_COMPLEX(complex<T>, sin)
RD_OF_COMPLEX(complex<T>, cos)
RD_OF_COMPLEX(complex<T>, tan)
RD_OF_COMPLEX(complex<T>, sinh)
RD_OF_COMPLEX(complex<T>, cosh)
RD_OF_COMPLEX(complex<T>, tanh)
RD_OF_COMPLEX(complex<T>, asin)
RD_OF_COMPLEX(complex<T>, acos)
RD_OF_COMPLEX(complex<T>, atan)
#undef RD_OF_COMPLEX
template <class T> constexpr T norm(const complex<T> &z)
{
    return z.x * z.x + z.y * z.y;
}
template <class T> constexpr complex<T> conj(const complex<T> &z)
{
    return complex<T>(z.x, -z.y);
}
template <class X, class Y = X> complex<X> polar(const X &r, const Y &angle = Y())
{
    return complex<X>(r * std::cos(angle), r * std::sin(angle));
}
template <class X, class Y> complex<X> pow(const complex<X> &z, const Y &exponent)
{
    return std::pow(std::complex<X>(z), exponent);
}
template <class X> complex<X> pow(const complex<X> &z, const complex<X> &exponent)
{
    return std::pow(std::complex<X>(z), std::complex<X>(exponent));
}
template <class T> std::ostream &operator<<(std::ostream &out, const complex<T> &z)
{
    return out << std::complex<T>(z);
}
template <class T> std::istream &operator>>(std::istream &in, complex<T> &z)
{
    std::complex<T> read;
    in >> read;
    z = read;
    return in;
}
} // namespace thrust

#endif
