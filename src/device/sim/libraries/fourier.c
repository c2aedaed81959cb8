// SPDX-License-Identifier: MIT
/* Lengths whose prime factors are small are split by these (Cooley and Tukey, Math. Comp. 19, 1965); others are convolutions of a
 * power of two (Bluestein, IEEE Trans. AU-18, 1970): n log n steps for each. */
#include "device/sim/libraries/fourier.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { FACTOR_MAX = 61 };

struct rd_fourier {
    size_t n;
    struct rd_complex *roots;   /* exp(sign 2 pi i k / n) */
    struct rd_complex *scratch; /* n numbers */
    /* Of a convolution; NULL where the length is split: */
    struct rd_fourier *forward, *backward;
    struct rd_complex *chirp, *kernel, *room;
};

static struct rd_complex times(struct rd_complex x, struct rd_complex y)
{
    return (struct rd_complex){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

static struct rd_complex plus(struct rd_complex x, struct rd_complex y)
{
    return (struct rd_complex){x.re + y.re, x.im + y.im};
}

static struct rd_complex minus(struct rd_complex x, struct rd_complex y)
{
    return (struct rd_complex){x.re - y.re, x.im - y.im};
}

/* exp(sign 2 pi i k / n), with an angle of at most pi / 4, whose sine and cosine are exact at its ends. */
static struct rd_complex root(uint64_t k, uint64_t n, int sign)
{
    static const double pi = 3.14159265358979323846;
    k %= n;
    const uint64_t octant = 8 * k / n;
    const double rest = (double)(8 * k - octant * n) / (double)n; /* of the octant, 0 to 1 */
    const double angle = pi / 4 * (octant & 1 ? 1 - rest : rest), c = cos(angle), s = sin(angle);
    const struct rd_complex at[] = {{c, s},   {s, c},   {-s, c}, {-c, s},
                                    {-c, -s}, {-s, -c}, {s, -c}, {c, -s}};
    return (struct rd_complex){at[octant].re, sign * at[octant].im};
}

static size_t least_factor(size_t n)
{
    for (size_t p = 2; p * p <= n; p++)
        if (n % p == 0)
            return p;
    return n;
}

static bool is_split(size_t n)
{
    while (n > 1) {
        const size_t p = least_factor(n);
        if (p > FACTOR_MAX)
            return false;
        n /= p;
    }
    return true;
}

/* ---- a length that is split ---- */

/* out[q m + k] = sum of the p parts, each turned. */
static void combine(const struct rd_fourier *f, struct rd_complex *out, size_t p, size_t m,
                    size_t step)
{
    struct rd_complex part[FACTOR_MAX];
    const size_t n = p * m;
    for (size_t k = 0; k < m; k++) {
        for (size_t r = 0; r < p; r++)
            part[r] = times(out[r * m + k], f->roots[step * r * k]);
        if (p == 2) {
            out[k] = plus(part[0], part[1]);
            out[m + k] = minus(part[0], part[1]);
            continue;
        }
        for (size_t q = 0; q < p; q++) {
            struct rd_complex sum = part[0];
            for (size_t r = 1; r < p; r++)
                sum = plus(sum, times(part[r], f->roots[step * (m * q * r % n)]));
            out[q * m + k] = sum;
        }
    }
}

static void split(const struct rd_fourier *f, struct rd_complex *out, const struct rd_complex *in,
                  size_t n, size_t step)
{
    if (n == 1) {
        *out = *in;
        return;
    }
    const size_t p = least_factor(n), m = n / p;
    for (size_t r = 0; r < p; r++)
        split(f, out + r * m, in + r * step, m, p * step);
    combine(f, out, p, m, step);
}

/* ---- a length that is not ---- */

static void convolve(const struct rd_fourier *f, struct rd_complex *x)
{
    const size_t size = f->forward->n;
    for (size_t k = 0; k < size; k++)
        f->room[k] = k < f->n ? times(x[k], f->chirp[k]) : (struct rd_complex){0, 0};
    rd_fourier_run(f->forward, f->room);
    for (size_t k = 0; k < size; k++)
        f->room[k] = times(f->room[k], f->kernel[k]);
    rd_fourier_run(f->backward, f->room);
    for (size_t k = 0; k < f->n; k++) {
        const struct rd_complex y = times(f->room[k], f->chirp[k]);
        x[k] = (struct rd_complex){y.re / (double)size, y.im / (double)size};
    }
}

/* The chirp is exp(sign pi i k k / n), and the kernel the transform of its conjugate. */
static bool prepare(struct rd_fourier *f, int sign)
{
    size_t size = 1;
    while (size < 2 * f->n)
        size *= 2;
    f->forward = rd_fourier_create(size, -1);
    f->backward = rd_fourier_create(size, 1);
    f->chirp = calloc(f->n, sizeof *f->chirp);
    f->kernel = calloc(size, sizeof *f->kernel);
    f->room = calloc(size, sizeof *f->room);
    if (!f->forward || !f->backward || !f->chirp || !f->kernel || !f->room)
        return false;
    for (uint64_t k = 0; k < f->n; k++) {
        f->chirp[k] = root(k * k % (2 * f->n), 2 * f->n, sign);
        f->kernel[k] = (struct rd_complex){f->chirp[k].re, -f->chirp[k].im};
        if (k > 0)
            f->kernel[size - k] = f->kernel[k];
    }
    rd_fourier_run(f->forward, f->kernel);
    return true;
}

/* ---- both ---- */

struct rd_fourier *rd_fourier_create(size_t n, int sign)
{
    struct rd_fourier *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->n = n;
    if (!is_split(n)) {
        if (prepare(f, sign))
            return f;
        rd_fourier_destroy(f);
        return NULL;
    }
    f->roots = calloc(n, sizeof *f->roots);
    f->scratch = calloc(n, sizeof *f->scratch);
    if (!f->roots || !f->scratch) {
        rd_fourier_destroy(f);
        return NULL;
    }
    for (size_t k = 0; k < n; k++)
        f->roots[k] = root(k, n, sign);
    return f;
}

void rd_fourier_destroy(struct rd_fourier *f)
{
    if (!f)
        return;
    rd_fourier_destroy(f->forward);
    rd_fourier_destroy(f->backward);
    free(f->roots);
    free(f->scratch);
    free(f->chirp);
    free(f->kernel);
    free(f->room);
    free(f);
}

void rd_fourier_run(const struct rd_fourier *f, struct rd_complex *x)
{
    if (!f->roots) {
        convolve(f, x);
        return;
    }
    for (size_t k = 0; k < f->n; k++)
        f->scratch[k] = x[k];
    split(f, x, f->scratch, f->n, 1);
}
