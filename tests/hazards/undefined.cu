// SPDX-License-Identifier: MIT
// Arithmetic that is undefined in CUDA C++; and what an optimiser would not do at all: it must be seen as written.

// run shift_by_width: --grid 1 --block 33 --arg u32[33]:zero
// want shift_by_width: undefined-arithmetic/shift
// taught shift_by_width: undefined-arithmetic/shift: a GPU shifts all bits out
// right shift_by_width: shift_below_width
__global__ void shift_by_width(unsigned *out)
{
    out[threadIdx.x] = 1u << threadIdx.x;
}

// run shift_below_width: --grid 1 --block 32 --arg u32[32]:zero
// want shift_below_width: clean
__global__ void shift_below_width(unsigned *out)
{
    out[threadIdx.x] = 1u << threadIdx.x;
}

// The mask of the lanes above: right for all but the last one.
// run lanes_above: --grid 1 --block 32 --arg u32[32]:zero
// want lanes_above: undefined-arithmetic/shift
__global__ void lanes_above(unsigned *out)
{
    out[threadIdx.x] = 0xffffffffu << (threadIdx.x + 1);
}

// run lanes_below: --grid 1 --block 32 --arg u32[32]:zero
// want lanes_below: clean
__global__ void lanes_below(unsigned *out)
{
    out[threadIdx.x] = (1u << threadIdx.x) - 1;
}

// A rotation by 0 shifts by 32.
// run rotated: --grid 1 --block 32 --arg u32[32]:iota
// want rotated: undefined-arithmetic/shift
// right rotated: rotated_modulo
__global__ void rotated(unsigned *a)
{
    unsigned n = threadIdx.x;
    a[n] = a[n] << n | a[n] >> (32 - n);
}

// run rotated_modulo: --grid 1 --block 32 --arg u32[32]:iota
// want rotated_modulo: clean
__global__ void rotated_modulo(unsigned *a)
{
    unsigned n = threadIdx.x;
    a[n] = a[n] << n | a[n] >> (-n & 31);
}

// run float_to_int: --grid 1 --block 8 --arg f32[8]:iota --arg i32[8]:zero
// want float_to_int: undefined-arithmetic/conversion
// taught float_to_int: undefined-arithmetic/conversion: ask for the nearest
// right float_to_int: float_to_int_clamped
__global__ void float_to_int(float *a, int *out)
{
    out[threadIdx.x] = (int)(a[threadIdx.x] * 1e9f);
}

// run float_to_int_clamped: --grid 1 --block 8 --arg f32[8]:iota --arg i32[8]:zero
// want float_to_int_clamped: clean
__global__ void float_to_int_clamped(float *a, int *out)
{
    out[threadIdx.x] = __float2int_rz(a[threadIdx.x] * 1e9f);
}

// run negative_to_unsigned: --grid 1 --block 8 --arg f64[8]:iota --arg u32[8]:zero
// want negative_to_unsigned: undefined-arithmetic/conversion
__global__ void negative_to_unsigned(double *a, unsigned *out)
{
    out[threadIdx.x] = a[threadIdx.x] - 3;
}

// Just above -1 all becomes 0.
// run above_minus_one: --grid 1 --block 8 --arg f32[8]:iota --arg u32[8]:zero
// want above_minus_one: clean
__global__ void above_minus_one(float *a, unsigned *out)
{
    out[threadIdx.x] = (unsigned)(a[threadIdx.x] - 0.75f);
}

// run mean_of_none: --grid 1 --block 4 --arg i32[4]:iota --arg i32[4]:iota --arg i32[4]:zero
// want mean_of_none: undefined-arithmetic/division
// right mean_of_none: mean_of_some
__global__ void mean_of_none(int *sum, int *count, int *mean)
{
    mean[threadIdx.x] = sum[threadIdx.x] / count[threadIdx.x];
}

// run mean_of_some: --grid 1 --block 4 --arg i32[4]:iota --arg i32[4]:iota --arg i32[4]:zero
// want mean_of_some: clean
__global__ void mean_of_some(int *sum, int *count, int *mean)
{
    mean[threadIdx.x] = count[threadIdx.x] ? sum[threadIdx.x] / count[threadIdx.x] : 0;
}

// run remainder_of_zero: --grid 1 --block 4 --arg u64[4]:iota --arg u64[4]:iota
// want remainder_of_zero: undefined-arithmetic/division
__global__ void remainder_of_zero(unsigned long long *a, unsigned long long *b)
{
    a[threadIdx.x] %= b[threadIdx.x];
}

// Sums and products wrap, on a GPU as here.
// run wraps: --grid 1 --block 4 --arg i32[4]:plus2147483646
// want wraps: clean
__global__ void wraps(int *a)
{
    a[threadIdx.x] = (a[threadIdx.x] + 7) * 1000003 - 9;
}

// Division of floats is defined.
// run divided_floats: --grid 1 --block 4 --arg f32[4]:iota --arg i32[4]:zero
// want divided_floats: clean
__global__ void divided_floats(float *a, int *out)
{
    out[threadIdx.x] = 1 / a[threadIdx.x] > 3e38f;
}

// ---- accesses that cancel ----

// run cancels: --grid 1 --block 8 --arg i32[8]:iota --arg i32[8]:zero
// want cancels: out-of-bounds/global
// right cancels: cancels_within
__global__ void cancels(int *a, int *out)
{
    out[threadIdx.x] = a[threadIdx.x + 1] - a[threadIdx.x + 1];
}

// run cancels_within: --grid 1 --block 8 --arg i32[9]:iota --arg i32[8]:zero
// want cancels_within: clean
__global__ void cancels_within(int *a, int *out)
{
    out[threadIdx.x] = a[threadIdx.x + 1] - a[threadIdx.x + 1];
}

// run cancels_by_xor: --grid 1 --block 8 --arg u32[8]:iota --arg u32[8]:zero
// want cancels_by_xor: out-of-bounds/global
__global__ void cancels_by_xor(const unsigned *a, unsigned *out)
{
    out[threadIdx.x] = a[threadIdx.x + 1] ^ a[threadIdx.x + 1];
}

// run times_zero: --grid 1 --block 8 --arg i32[8]:iota --arg i32[8]:zero
// want times_zero: out-of-bounds/global
__global__ void times_zero(int *a, int *out)
{
    out[threadIdx.x] = 0 * a[threadIdx.x + 1];
}

// run twice_minus_both: --grid 1 --block 8 --arg i32[8]:iota --arg i32[8]:zero
// want twice_minus_both: out-of-bounds/global
__global__ void twice_minus_both(int *a, int *out)
{
    int *p = a + threadIdx.x + 1;
    out[threadIdx.x] = *p + *p - 2 * *p;
}

// run compared_with_itself: --grid 1 --block 8 --arg i32[8]:iota --arg i32[8]:zero
// want compared_with_itself: out-of-bounds/global
__global__ void compared_with_itself(int *a, int *out)
{
    if (a[threadIdx.x + 1] == a[threadIdx.x + 1])
        out[threadIdx.x] = 1;
}

// run either_way: --grid 1 --block 8 --arg i32[8]:iota --arg i32[8]:zero
// want either_way: out-of-bounds/global
__global__ void either_way(int *a, int *out)
{
    out[threadIdx.x] = a[threadIdx.x + 1] > 3 ? 7 : 7;
}

// run cancels_in_shared: --grid 1 --block 32 --arg i32[32]:zero
// want cancels_in_shared: race/read-write/warp
__global__ void cancels_in_shared(int *out)
{
    __shared__ int s[32];
    s[threadIdx.x] = 1;
    out[threadIdx.x] = s[31 - threadIdx.x] - s[31 - threadIdx.x];
}

// A write of what is there already.
// run written_back: --grid 1 --block 2 --arg i32[1]:zero
// want written_back: race
__global__ void written_back(int *a)
{
    a[0] = a[0];
}
