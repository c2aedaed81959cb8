// SPDX-License-Identifier: MIT
// Functions of CUDA's mathematics that the C library lacks: of multiples of pi, inverses of the error function, norms, Bessel
// functions.
#ifndef RD_SPECIAL_HPP
#define RD_SPECIAL_HPP

// ---- sine and cosine of multiples of pi ----

// x is n / 2 + rest, both exactly, of which n counts quarters of a turn: so the product with pi is rounded once, and whole
// and half numbers give 0, 1 or -1.
RD_INLINE double rd_rest_of_half(double x, int *quarters)
{
    const double turn = x - 2 * __builtin_rint(x / 2), n = __builtin_rint(2 * turn);
    *quarters = (int)n & 3;
    return turn - n / 2;
}
RD_INLINE double rd_sine_of_quarter(double rest, int quarters)
{
    const double angle = rest * 3.14159265358979323846;
    const double value = quarters & 1 ? __builtin_cos(angle) : __builtin_sin(angle);
    return quarters & 2 ? 0 - value : value;
}
RD_INLINE double sinpi(double x)
{
    int quarters;
    if (x - x != 0) // infinite, or a NaN
        return x - x;
    const double rest = rd_rest_of_half(x, &quarters);
    return rest == 0 && !(quarters & 1) ? x * 0 : rd_sine_of_quarter(rest, quarters);
}
RD_INLINE double cospi(double x)
{
    int quarters;
    if (x - x != 0)
        return x - x;
    const double rest = rd_rest_of_half(x, &quarters);
    return rd_sine_of_quarter(rest, quarters + 1);
}
RD_FUNCTION(float, sinpif, (float x), (float)sinpi((double)x))
RD_FUNCTION(float, cospif, (float x), (float)cospi((double)x))
RD_INLINE void sincospif(float x, float *sine, float *cosine)
{
    *sine = sinpif(x);
    *cosine = cospif(x);
}
RD_INLINE void sincospi(double x, double *sine, double *cosine)
{
    *sine = sinpi(x);
    *cosine = cospi(x);
}

// ---- inverses of the error function ----

// Where erfc(x) is y, of 0 < y <= 1: from a first guess, by Halley's steps, each of which triples the digits.
RD_INLINE double rd_erfcinv(double y)
{
    double t = __builtin_sqrt(-2 * __builtin_log(y / 2));
    double x =
        0.70710678118654752 * (t - (2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481)));
    for (int k = 0; k < 3; k++) {
        double slope = 1.1283791670955126 * __builtin_exp(-x * x);
        if (slope == 0)
            break;
        double step = (__builtin_erfc(x) - y) / slope;
        x += step / (1 + x * step);
    }
    return x;
}
RD_INLINE double erfcinv(double y)
{
    if (!(y > 0 && y < 2))
        return y == 0 ? __builtin_inf() : y == 2 ? -__builtin_inf() : __builtin_nan("");
    return y <= 1 ? rd_erfcinv(y) : -rd_erfcinv(2 - y);
}
RD_INLINE double erfinv(double y)
{
    double size = __builtin_fabs(y);
    if (!(size < 1))
        return size == 1 ? y * __builtin_inf() : __builtin_nan("");
    if (size > 0.5)
        return __builtin_copysign(rd_erfcinv(1 - size), y);
    double x = size * 0.88622692545275801; // where it is small, the complement has lost its digits
    for (int k = 0; k < 5; k++) {
        double step = (__builtin_erf(x) - size) / (1.1283791670955126 * __builtin_exp(-x * x));
        x -= step / (1 + x * step);
    }
    return __builtin_copysign(x, y);
}
RD_FUNCTION(float, erfcinvf, (float y), (float)erfcinv((double)y))
RD_FUNCTION(float, erfinvf, (float y), (float)erfinv((double)y))
RD_FUNCTION(double, normcdfinv, (double y), -1.4142135623730951 * erfcinv(2 * y))
RD_FUNCTION(float, normcdfinvf, (float y), (float)normcdfinv((double)y))

// ---- norms ----

// The exponents of a long double reach so far that no square of a double overflows or vanishes. An infinite part wins over
// one that is not a number.
template <class T> RD_INLINE long double rd_norm(int n, const T *parts)
{
    static_assert(__LDBL_MAX_EXP__ > 2 * __DBL_MAX_EXP__ + 8, "squares of doubles overflow");
    long double sum = 0;
    bool is_infinite = false;
    for (int k = 0; k < n; k++) {
        is_infinite = is_infinite || __builtin_isinf(parts[k]);
        sum += (long double)parts[k] * parts[k];
    }
    return is_infinite ? __builtin_infl() : __builtin_sqrtl(sum);
}
template <class T, class... U> RD_INLINE long double rd_norm_of(T first, U... others)
{
    const T parts[] = {first, others...};
    return rd_norm(1 + (int)sizeof...(U), parts);
}
#define RD_NORM(T, name, reciprocal, parameters, expression)                                       \
    RD_FUNCTION(T, name, parameters, (T)(expression))                                              \
    RD_FUNCTION(T, reciprocal, parameters, (T)(1 / (expression)))
RD_NORM(double, norm, rnorm, (int n, const double *parts), rd_norm(n, parts))
RD_NORM(float, normf, rnormf, (int n, const float *parts), rd_norm(n, parts))
RD_NORM(double, norm3d, rnorm3d, (double x, double y, double z), rd_norm_of(x, y, z))
RD_NORM(float, norm3df, rnorm3df, (float x, float y, float z), rd_norm_of(x, y, z))
RD_NORM(double, norm4d, rnorm4d, (double x, double y, double z, double w), rd_norm_of(x, y, z, w))
RD_NORM(float, norm4df, rnorm4df, (float x, float y, float z, float w), rd_norm_of(x, y, z, w))
#undef RD_NORM
RD_FUNCTION(double, rhypot, (double x, double y), (double)(1 / rd_norm_of(x, y)))
RD_FUNCTION(float, rhypotf, (float x, float y), (float)(1 / rd_norm_of(x, y)))

// ---- modified Bessel functions ----

// The power series, whose terms are all positive (DLMF, 10.25.2), of x >= 0 and the order 0 or 1.
RD_INLINE double rd_bessel_i(int order, double x)
{
    if (!(x < 1e4)) // infinite, or a NaN
        return x * x;
    double term = order == 0 ? 1 : x / 2, sum = term;
    for (int k = 1; term > sum * 1e-17 && k < 100000; k++)
        sum += term *= x / 2 * (x / 2) / k / (k + order);
    return sum;
}
RD_FUNCTION(double, cyl_bessel_i0, (double x), rd_bessel_i(0, __builtin_fabs(x)))
RD_FUNCTION(float, cyl_bessel_i0f, (float x), (float)cyl_bessel_i0((double)x))
RD_FUNCTION(double, cyl_bessel_i1, (double x),
            __builtin_copysign(rd_bessel_i(1, __builtin_fabs(x)), x))
RD_FUNCTION(float, cyl_bessel_i1f, (float x), (float)cyl_bessel_i1((double)x))

#endif
