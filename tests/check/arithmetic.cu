// SPDX-License-Identifier: MIT
// Arithmetic that CUDA C++ leaves undefined: each thread computes a line of the table in arithmetic_table.py.
// The operands are in memory, so that no compiler does the work.
#define EACH int i = threadIdx.x

#define SHIFTS(name, T, N)                                                                         \
    __global__ void name(T *x, N *n, T *left, T *right)                                            \
    {                                                                                              \
        EACH;                                                                                      \
        left[i] = x[i] << n[i];                                                                    \
        right[i] = x[i] >> n[i];                                                                   \
    }
SHIFTS(shifts_int, int, int)
SHIFTS(shifts_unsigned, unsigned, int)
SHIFTS(shifts_long, long long, int)
SHIFTS(shifts_unsigned_long, unsigned long long, unsigned)
SHIFTS(shifts_by_long, long long, long long)
SHIFTS(shifts_short, short, int) // promoted to int
SHIFTS(shifts_char, unsigned char, int)

__global__ void shifts_compound(int *x, int *n, int *left, int *right)
{
    EACH;
    left[i] = right[i] = x[i];
    left[i] <<= n[i];
    right[i] >>= n[i];
}

// Reads through a pointer to const, which the compiler may repeat for its check.
__global__ void shifts_const(const int *x, const int *n, int *left, int *right)
{
    EACH;
    left[i] = x[i] << n[i];
    right[i] = x[i] >> n[i];
}

__global__ void shifts_one(int *n, int *out)
{
    EACH;
    out[i] = 1 << n[i];
}

#define CONVERTS(name, F)                                                                          \
    __global__ void name(const F *x, int *i32, unsigned *u32, long long *i64,                      \
                         unsigned long long *u64)                                                  \
    {                                                                                              \
        EACH;                                                                                      \
        i32[i] = (int)x[i];                                                                        \
        u32[i] = (unsigned)x[i];                                                                   \
        i64[i] = x[i];                                                                             \
        u64[i] = x[i];                                                                             \
    }                                                                                              \
    __global__ void name##_narrow(F *x, short *i16, unsigned short *u16, signed char *i8,          \
                                  unsigned char *u8)                                               \
    {                                                                                              \
        EACH;                                                                                      \
        i16[i] = x[i];                                                                             \
        u16[i] = x[i];                                                                             \
        i8[i] = (signed char)x[i];                                                                 \
        u8[i] = (unsigned char)x[i];                                                               \
    }
CONVERTS(converts_float, float)
CONVERTS(converts_double, double)

#define DIVIDES(name, T)                                                                           \
    __global__ void name(const T *x, T *y, T *quotient, T *remainder)                              \
    {                                                                                              \
        EACH;                                                                                      \
        quotient[i] = x[i] / y[i];                                                                 \
        remainder[i] = x[i] % y[i];                                                                \
    }
DIVIDES(divides_int, int)
DIVIDES(divides_unsigned, unsigned)
DIVIDES(divides_long, long long)
DIVIDES(divides_unsigned_long, unsigned long long)

__global__ void divides_compound(int *x, int *y, int *quotient, int *remainder)
{
    EACH;
    quotient[i] = remainder[i] = x[i];
    quotient[i] /= y[i];
    remainder[i] %= y[i];
}

// Intrinsics are defined for all arguments.
__global__ void intrinsics(const float *f, const double *d, int *fi, unsigned *fu, long long *fl,
                           int *di, unsigned *du, unsigned long long *dul)
{
    EACH;
    fi[i] = __float2int_rz(f[i]);
    fu[i] = __float2uint_rz(f[i]);
    fl[i] = __float2ll_rz(f[i]);
    di[i] = __double2int_rz(d[i]);
    du[i] = __double2uint_rz(d[i]);
    dul[i] = __double2ull_rz(d[i]);
}

// Constants that the compiler computes itself: reported all the same, and the kernel comes to its end.
__global__ void constants(int *out)
{
    out[0] = 1 << 32;
    out[1] = 7 / 0;
    out[2] = (int)1e20f;
    out[3] = 7;
}

// An operation in a function, in a condition, as an index.
__device__ int half_of(int x, int y)
{
    return x / y;
}

__global__ void in_a_function(int *x, int *out)
{
    EACH;
    if (half_of(8, x[i]) == -1 && (x[i] << (x[i] + 40)) == 0)
        out[i] = 1;
}

// Barriers between, and others who do the same.
__global__ void between_barriers(int *n, int *out)
{
    __shared__ int s[64];
    EACH;
    s[i] = 3 << n[i];
    __syncthreads();
    out[i] = s[63 - i] + (1 << n[63 - i]);
}
