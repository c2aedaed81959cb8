// SPDX-License-Identifier: MIT
// Each atomic against its definition in the CUDA guide: what is there afterwards, what it returns, and that
// no thread's is lost; of each type that CUDA has it for, and in all three scopes.
#include <assert.h>
#include <limits.h>

typedef unsigned long long u64;
typedef long long i64;

// A cell holds `old`; the operation returns that, and leaves `expected`.
#define ONCE(p, old, operation, expected)                                                          \
    *(p) = (old);                                                                                  \
    assert((operation) == (old) && *(p) == (expected))
#define SCOPES(p, old, name, argument, expected)                                                   \
    ONCE(p, old, name(p, argument), expected);                                                     \
    ONCE(p, old, name##_block(p, argument), expected);                                             \
    ONCE(p, old, name##_system(p, argument), expected)

template <class T> __device__ void once_add(T *p)
{
    SCOPES(p, (T)5, atomicAdd, (T)7, (T)12);
    SCOPES(p, (T)5, atomicAdd, (T)0, (T)5);
}
template <class T> __device__ void once_exchange(T *p)
{
    SCOPES(p, (T)5, atomicExch, (T)7, (T)7);
    SCOPES(p, (T)5, atomicExch, (T)5, (T)5);
}
template <class T> __device__ void once_min_max(T *p, T least, T most)
{
    SCOPES(p, (T)5, atomicMin, (T)3, (T)3);
    SCOPES(p, (T)5, atomicMin, (T)7, (T)5);
    SCOPES(p, (T)5, atomicMax, (T)3, (T)5);
    SCOPES(p, (T)5, atomicMax, (T)7, (T)7);
    SCOPES(p, most, atomicMin, least, least);
    SCOPES(p, least, atomicMax, most, most);
}
template <class T> __device__ void once_bits(T *p)
{
    T high = (T)1 << (8 * sizeof(T) - 1);
    SCOPES(p, (T)12, atomicAnd, (T)10, (T)8);
    SCOPES(p, (T)12, atomicOr, (T)10, (T)14);
    SCOPES(p, (T)12, atomicXor, (T)10, (T)6);
    SCOPES(p, high, atomicOr, (T)1, (T)(high | 1));
    SCOPES(p, (T)~(T)0, atomicXor, high, (T)~high);
    SCOPES(p, (T)~(T)0, atomicAnd, high, high);
}
template <class T> __device__ void once_compare(T *p)
{
    ONCE(p, (T)5, atomicCAS(p, (T)5, (T)9), (T)9);
    ONCE(p, (T)5, atomicCAS(p, (T)6, (T)9), (T)5);
    ONCE(p, (T)5, atomicCAS_block(p, (T)5, (T)9), (T)9);
    ONCE(p, (T)5, atomicCAS_block(p, (T)6, (T)9), (T)5);
    ONCE(p, (T)5, atomicCAS_system(p, (T)5, (T)9), (T)9);
    ONCE(p, (T)5, atomicCAS_system(p, (T)6, (T)9), (T)5);
}

// run once: --grid 1 --block 1 --arg i32[1]:zero --arg u32[1]:zero --arg i64[1]:zero --arg u64[1]:zero --arg f32[1]:zero --arg f64[1]:zero
// want once: clean
__global__ void once(int *i, unsigned *u, i64 *l, u64 *w, float *f, double *d)
{
    once_add(i), once_add(u), once_add(w), once_add(f), once_add(d);
    SCOPES(i, INT_MAX, atomicAdd, 1, INT_MIN);
    SCOPES(u, UINT_MAX, atomicAdd, 2u, 1u);
    SCOPES(w, ULLONG_MAX, atomicAdd, 2ull, 1ull);
    SCOPES(f, 0.5f, atomicAdd, -0.75f, -0.25f);
    SCOPES(d, 1.0, atomicAdd, 0x1p-52, 1 + 0x1p-52);
    SCOPES(i, 5, atomicSub, 7, -2);
    SCOPES(i, INT_MIN, atomicSub, 1, INT_MAX);
    SCOPES(u, 5u, atomicSub, 7u, UINT_MAX - 1);
    once_exchange(i), once_exchange(u), once_exchange(w), once_exchange(f);
    once_min_max(i, INT_MIN, INT_MAX), once_min_max(u, 0u, UINT_MAX);
    once_min_max(l, LLONG_MIN, LLONG_MAX), once_min_max(w, 0ull, ULLONG_MAX);
    once_bits(i), once_bits(u), once_bits(w);
    once_compare(i), once_compare(u), once_compare(w);
}

// Up to the limit and then from 0; down to 0 and then from the limit.
// run wheels: --grid 1 --block 1 --arg u32[1]:zero
// want wheels: clean
__global__ void wheels(unsigned *u)
{
    SCOPES(u, 3u, atomicInc, 5u, 4u);
    SCOPES(u, 5u, atomicInc, 5u, 0u);
    SCOPES(u, 9u, atomicInc, 5u, 0u);
    SCOPES(u, 0u, atomicInc, 0u, 0u);
    SCOPES(u, UINT_MAX, atomicInc, UINT_MAX, 0u);
    SCOPES(u, 3u, atomicDec, 5u, 2u);
    SCOPES(u, 0u, atomicDec, 5u, 5u);
    SCOPES(u, 9u, atomicDec, 5u, 5u);
    SCOPES(u, 5u, atomicDec, 5u, 4u);
}

// run all_count: --grid 3 --block 45 --arg i32[5]:zero --arg u32[5]:zero --arg u64[5]:zero --arg f32[1]:zero --arg f64[1]:zero
// want all_count: clean
__global__ void all_count(int *i, unsigned *u, u64 *w, float *f, double *d)
{
    int me = blockIdx.x * 45 + threadIdx.x;
    atomicAdd(&i[0], me), atomicAdd(&u[0], me), atomicAdd(&w[0], (u64)me << 40);
    atomicSub(&i[1], me), atomicSub(&u[1], me), atomicMin(&w[1], 0ull);
    atomicMax(&i[2], (me * 7) % 135), atomicMax(&u[2], (me * 7) % 135), atomicMax(&w[2], me * 7 % 135);
    atomicMin(&i[3], -me), atomicOr(&u[3], 1u << me % 32), atomicOr(&w[3], 1ull << me % 64);
    atomicXor(&i[4], 1 << me % 32), atomicInc(&u[4], 9), atomicXor(&w[4], 1ull << me % 64);
    atomicAdd(f, 0.5f), atomicAdd(d, 0.25);
}

// Each number goes to one thread; which one is open.
// run tickets: --grid 2 --block 40 --arg u32[1]:zero --arg i32[80]:zero
// want tickets: clean
__global__ void tickets(unsigned *next, int *taken)
{
    taken[atomicAdd(next, 1)] = 1;
}

// A sum by compare and swap: each try that fails sees the value that was in its way.
// run by_compare: --grid 2 --block 40 --arg u64[1]:zero
// want by_compare: clean
__global__ void by_compare(u64 *sum)
{
    u64 seen = atomicCAS(sum, 0ull, 0ull), before;
    do {
        before = seen;
        seen = atomicCAS(sum, before, before + threadIdx.x + 1);
    } while (seen != before);
}

// In shared memory, too.
// run in_shared: --grid 1 --block 45 --arg i32[2]:zero --arg f64[1]:zero
// want in_shared: clean
__global__ void in_shared(int *out, double *real)
{
    __shared__ int count, most;
    __shared__ double sum;
    if (threadIdx.x == 0)
        count = most = 0, sum = 0;
    __syncthreads();
    atomicAdd_block(&count, 1);
    atomicMax(&most, (threadIdx.x * 7) % 45);
    atomicAdd(&sum, 0.5);
    __syncthreads();
    if (threadIdx.x == 0)
        out[0] = count, out[1] = most, *real = sum;
    assert(count == 45 && most == 44 && sum == 22.5);
}

// run skewed_atomic: --grid 1 --block 1 --arg i32[4]:zero
// want skewed_atomic: misaligned
__global__ void skewed_atomic(int *a)
{
    atomicAdd((int *)((char *)a + 2), 1);
}

// run atomic_over_the_end: --grid 1 --block 33 --arg u64[32]:zero
// want atomic_over_the_end: out-of-bounds
__global__ void atomic_over_the_end(u64 *a)
{
    atomicAdd(&a[threadIdx.x], 1ull);
}

// run atomic_on_nothing: --grid 1 --block 32 --arg u32[32]:uninit
// want atomic_on_nothing: uninitialised
__global__ void atomic_on_nothing(unsigned *a)
{
    atomicAdd(&a[threadIdx.x], 1u);
}

// The halves of a word, one by an atomic of the whole.
// run half_of_it: --grid 1 --block 2 --arg u64[1]:zero
// want half_of_it: race
// right half_of_it: all_count
__global__ void half_of_it(u64 *a)
{
    if (threadIdx.x == 0)
        atomicAdd(a, 1ull);
    else
        ((unsigned *)a)[1] = 5;
}

// run atomics_wrongly: --grid 1 --block 32 --arg i32[1]:zero
// want atomics_wrongly: assert-failed
// right atomics_wrongly: once
__global__ void atomics_wrongly(int *i)
{
    atomicAdd(i, 1);
    __syncthreads();
    assert(i[0] == 31);
}

// The CUDA C++ Programming Guide's own: the plain read is a first guess.
// run adds_by_cas: --grid 2 --block 64 --arg f64[1]:zero --arg f64[128]:one
// want adds_by_cas: plain-read-of-atomic
// taught adds_by_cas: plain-read-of-atomic: first guess of an atomicCAS(); atomicAdd(p, 0)
// right adds_by_cas: adds_by_cas_of_atomic_read
__device__ double add_by_cas(double *address, double value)
{
    unsigned long long *bits = (unsigned long long *)address;
    unsigned long long old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed,
                        __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}
__global__ void adds_by_cas(double *sum, const double *a)
{
    add_by_cas(sum, a[blockIdx.x * 64 + threadIdx.x]);
}

// In shared memory, too, and for the largest.
// run largest_by_cas: --grid 1 --block 64 --arg f32[1]:zero --arg f32[64]:iota
// want largest_by_cas: plain-read-of-atomic
// right largest_by_cas: adds_by_cas_of_atomic_read
__global__ void largest_by_cas(float *out, const float *a)
{
    __shared__ int bits;
    if (threadIdx.x == 0)
        bits = 0;
    __syncthreads();
    int old = bits;
    while (__int_as_float(old) < a[threadIdx.x]) {
        int assumed = old;
        old = atomicCAS(&bits, assumed, __float_as_int(a[threadIdx.x]));
        if (old == assumed)
            break;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        out[0] = __int_as_float(bits);
}

// run adds_by_cas_of_atomic_read: --grid 2 --block 64 --arg f64[1]:zero --arg f64[128]:one
// want adds_by_cas_of_atomic_read: clean
__global__ void adds_by_cas_of_atomic_read(double *sum, const double *a)
{
    unsigned long long *bits = (unsigned long long *)sum;
    unsigned long long old = atomicAdd(bits, 0ull), assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed,
                        __double_as_longlong(a[blockIdx.x * 64 + threadIdx.x] +
                                             __longlong_as_double(assumed)));
    } while (assumed != old);
}

// run adds_by_cas_of_volatile_read: --grid 2 --block 64 --arg f64[1]:zero --arg f64[128]:one
// want adds_by_cas_of_volatile_read: clean
__global__ void adds_by_cas_of_volatile_read(double *sum, const double *a)
{
    unsigned long long *bits = (unsigned long long *)sum;
    unsigned long long old = *(volatile unsigned long long *)bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed,
                        __double_as_longlong(a[blockIdx.x * 64 + threadIdx.x] +
                                             __longlong_as_double(assumed)));
    } while (assumed != old);
}

// A read that no atomicCAS makes sure of, and a plain write among the atomics, are races.
// run reads_the_sum: --grid 2 --block 64 --arg i32[1]:zero --arg i32[128]:zero
// want reads_the_sum: race/read-write
// right reads_the_sum: adds_by_cas_of_atomic_read
__global__ void reads_the_sum(int *sum, int *seen)
{
    atomicAdd(sum, 1);
    seen[blockIdx.x * 64 + threadIdx.x] = *sum;
}

// run writes_the_sum: --grid 1 --block 64 --arg i32[1]:zero
// want writes_the_sum: race
// right writes_the_sum: adds_by_cas_of_atomic_read
__global__ void writes_the_sum(int *sum)
{
    int old = atomicAdd(sum, 0);
    if (atomicCAS(sum, old, old + 1) != old)
        *sum = old + 1;
    else if (threadIdx.x == 5)
        *sum = 7;
}

// ---- what an exchange finds ----

// run exchange_sets: --grid 1 --block 2 --arg i32[2]:zero
// want exchange_sets: clean
__global__ void exchange_sets(int *a)
{
    __shared__ int set;
    __shared__ float last;
    if (threadIdx.x == 0)
        atomicExch(&set, 0); // nobody takes what it held
    else
        atomicExch_block(&last, 2.0f);
    __syncthreads();
    a[threadIdx.x] = set + (int)last;
}

// run exchange_takes: --grid 1 --block 2 --arg i32[2]:zero
// want exchange_takes: uninitialised/shared
// right exchange_takes: exchange_sets
__global__ void exchange_takes(int *a)
{
    __shared__ int set;
    if (threadIdx.x == 0)
        a[0] = atomicExch(&set, 0);
}

// ---- an update of what is only then set ----

// Without the barrier some count before the cell is zero: a race, and with the order there would be a value.
// run counts_before_zeros: --grid 2 --block 64 --arg u32[4]:zero
// want counts_before_zeros: race
// right counts_before_zeros: counts_behind_zeros
__global__ void counts_before_zeros(unsigned *h)
{
    __shared__ unsigned s[64];
    s[threadIdx.x] = 0;
    atomicAdd(&s[threadIdx.x * 7 % 4 * 16], 1);
    __syncthreads();
    if (threadIdx.x < 4)
        atomicAdd(&h[threadIdx.x], s[threadIdx.x * 16]);
}

// run counts_behind_zeros: --grid 2 --block 64 --arg u32[4]:zero
// want counts_behind_zeros: clean
__global__ void counts_behind_zeros(unsigned *h)
{
    __shared__ unsigned s[64];
    s[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&s[threadIdx.x * 7 % 4 * 16], 1);
    __syncthreads();
    if (threadIdx.x < 4)
        atomicAdd(&h[threadIdx.x], s[threadIdx.x * 16]);
}

// A cell that nobody sets at all is uninitialised beside the race at the same place.
// run counts_beside_zeros: --grid 1 --block 64 --arg u32[1]:zero
// want counts_beside_zeros: race, uninitialised/shared
// right counts_beside_zeros: counts_behind_zeros
__global__ void counts_beside_zeros(unsigned *h)
{
    __shared__ unsigned s[64];
    if (threadIdx.x < 63)
        s[threadIdx.x] = 0;
    atomicAdd(&s[63 - threadIdx.x], 1);
    __syncthreads();
    atomicAdd(h, s[threadIdx.x]);
}
