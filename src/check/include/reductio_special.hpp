// SPDX-License-Identifier: MIT
// Functions of CUDA's mathematics that the C library lacks: inverses of the error function, norms, Bessel functions.
#ifndef RD_SPECIAL_HPP
#define RD_SPECIAL_HPP

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

// Of the largest part, so that no square overflows or vanishes.
template <class T> RD_INLINE double rd_norm(int n, const T *parts)
{
    double largest = 0, sum = 0;
    for (int k = 0; k < n; k++)
        largest = fmax(largest, __builtin_fabs((double)parts[k]));
    if (largest == 0 || largest > 1e308)
        return largest;
    for (int k = 0; k < n; k++)
        sum += (parts[k] / largest) * (parts[k] / largest);
    return largest * __builtin_sqrt(sum);
}
RD_FUNCTION(double, norm, (int n, const double *parts), rd_norm(n, parts))
RD_FUNCTION(double, rnorm, (int n, const double *parts), 1 / rd_norm(n, parts))
RD_FUNCTION(float, normf, (int n, const float *parts), (float)rd_norm(n, parts))
RD_FUNCTION(float, rnormf, (int n, const float *parts), (float)(1 / rd_norm(n, parts)))
RD_FUNCTION(double, rnorm4d, (double x, double y, double z, double w), 1 / norm4d(x, y, z, w))
RD_FUNCTION(float, rnorm4df, (float x, float y, float z, float w), 1 / norm4df(x, y, z, w))

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
