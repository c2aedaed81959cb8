// SPDX-License-Identifier: MIT
// Matrices of a warp: nvcuda::wmma. Which elements a lane holds is CUDA's secret; here they lie in turn.
// Products are exact, and so is their sum in a double, which is rounded once: a GPU rounds on the way.
#ifndef RD_MMA_H
#define RD_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "reductio_ptx.h"

// Without a hook.
RD_WITHIN void rd_untold_copy(void *to, const void *from, size_t size)
{
    for (size_t k = 0; k < size; k++)
        ((volatile char *)to)[k] = ((const volatile char *)from)[k];
}

namespace nvcuda
{
namespace wmma
{
RD_INLINE float __float_to_tf32(float x)
{
    unsigned bits;
    __builtin_memcpy(&bits, &x, sizeof x);
    if ((bits >> 23 & 255) != 255)
        bits += 0x1000;
    bits &= ~0x1fffu;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

struct matrix_a {
};
struct matrix_b {
};
struct accumulator {
};
struct row_major {
};
struct col_major {
};
enum layout_t { mem_row_major, mem_col_major };
namespace precision
{
struct tf32 {
};
} // namespace precision

// What an element of this type is stored as, and the number that it is.
template <class T> struct rd_element {
    using type = T;
    RD_WITHIN_CLASS static double number(T x)
    {
        return (double)x;
    }
};
template <> struct rd_element<__half> {
    using type = __half;
    RD_WITHIN_CLASS static double number(__half x)
    {
        return (double)__half2float(x);
    }
};
template <> struct rd_element<__nv_bfloat16> {
    using type = __nv_bfloat16;
    RD_WITHIN_CLASS static double number(__nv_bfloat16 x)
    {
        return (double)__bfloat162float(x);
    }
};
template <> struct rd_element<precision::tf32> {
    using type = float;
    RD_WITHIN_CLASS static double number(float x)
    {
        unsigned bits;
        __builtin_memcpy(&bits, &x, sizeof x);
        bits &= ~0x1fffu;
        __builtin_memcpy(&x, &bits, sizeof x);
        return (double)x;
    }
};

// The elements of a matrix that a lane has: of halves to multiply, each is there twice, or more often.
template <class Use, class T, int rows, int columns> constexpr int rd_elements()
{
    return std::is_same<T, __half>::value && !std::is_same<Use, accumulator>::value
               ? 16
               : rows * columns / 32;
}
template <int m, int n, int k, class T> constexpr bool rd_is_shape()
{
    constexpr bool is_wide = (m == 16 && n == 16 && k == 16) || (m == 32 && n == 8 && k == 16) ||
                             (m == 8 && n == 32 && k == 16);
    return std::is_same<T, double>::value            ? m == 8 && n == 8 && k == 4
           : std::is_same<T, precision::tf32>::value ? m == 16 && n == 16 && k == 8
           : std::is_same<T, float>::value || std::is_same<T, int>::value
               ? is_wide || (m == 16 && n == 16 && k == 8)
               : is_wide;
}

template <class Use, int m, int n, int k, class T, class Layout = void> class fragment
{
  public:
    static_assert(rd_is_shape<m, n, k, T>(), "fragments have no such shape of this type");
    static constexpr int rd_rows = std::is_same<Use, matrix_b>::value ? k : m;
    static constexpr int rd_columns = std::is_same<Use, matrix_a>::value ? k : n;
    using element_type = typename rd_element<T>::type;
    using storage_element_type = element_type;
    enum {
        num_elements = rd_elements<Use, T, rd_rows, rd_columns>(),
        num_storage_elements = num_elements
    };
    element_type x[num_elements];

    // The row and the column of element e of a lane.
    RD_WITHIN_CLASS static int rd_index(unsigned lane, int e)
    {
        return (int)(lane + 32u * (unsigned)e) % (rd_rows * rd_columns);
    }
};

// ---- what all lanes do together ----

RD_WITHIN unsigned rd_lane_of_warp()
{
    return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) % 32;
}
// The elements of all lanes, as bytes.
template <class F>
RD_BARE void rd_gather(const F &f, typename F::element_type *all, unsigned operation,
                       const char *file, unsigned line)
{
    constexpr size_t size = sizeof f.x;
    constexpr unsigned words = (size + 7) / 8;
    uint64_t values[32], mine[words] = {};
    typename F::element_type lanes[32][words * 8 / sizeof f.x[0]];
    rd_untold_copy(mine, f.x, size);
    for (unsigned k = 0; k < words; k++) {
        unsigned present = rd_sim_exchange(operation + k, ~0u, mine[k], values, file, line);
        if (k == 0 && operation == 32)
            rd_sim_whole_warp(present, file, line);
        for (unsigned lane = 0; lane < 32; lane++)
            rd_untold_copy((char *)lanes[lane] + 8 * k, &values[lane], 8);
    }
    for (unsigned lane = 0; lane < 32; lane++)
        for (int e = 0; e < F::num_elements; e++)
            rd_untold_copy(&all[F::rd_index(lane, e)], &lanes[lane][e], sizeof f.x[0]);
}
// Their arguments are the same, and as the guide asks for.
// Where shared memory begins, the simulator's is aligned otherwise than a GPU's.
enum : uint64_t { rd_shared_most = 1 << 20 };
template <class T>
RD_BARE void rd_check_arguments(const char *name, const T *p, unsigned ldm, const char *file,
                                unsigned line)
{
    uint64_t values[32], both = (uint64_t)p ^ (uint64_t)ldm << 48;
    const unsigned present = rd_sim_exchange(64, ~0u, both, values, file, line);
    rd_sim_whole_warp(present, file, line);
    for (unsigned lane = 0; lane < 32; lane++)
        if ((present >> lane & 1) && values[lane] != both)
            rd_sim_assert_fail("all lanes of a warp pass a matrix function the same arguments",
                               file, line);
    if (rd_sim_to_shared(p) >= rd_shared_most && (uint64_t)p % 32 != 0)
        rd_sim_assert_fail("the matrix that a warp loads or stores is aligned to 32 bytes", file,
                           line);
    if (ldm * sizeof(T) % 16 != 0)
        rd_sim_assert_fail(
            "the rows or columns of a matrix of a warp are a multiple of 16 bytes apart", file,
            line);
    (void)name;
}

template <class F, class T>
RD_BARE void rd_load(F &f, const T *from, unsigned ldm, bool by_rows, const char *file,
                     unsigned line, void *pc)
{
    rd_check_arguments("load_matrix_sync", from, ldm, file, line);
    for (int e = 0; e < F::num_elements; e++) {
        int at = F::rd_index(rd_lane_of_warp(), e), row = at / F::rd_columns,
            column = at % F::rd_columns;
        const T *place = from + (by_rows ? row * (int)ldm + column : column * (int)ldm + row);
        rd_sim_accessed(place, sizeof(T), 0, pc);
        rd_untold_copy(&f.x[e], place, sizeof(T));
    }
}
template <class Use, int m, int n, int k, class T, class Layout>
RD_BARE void load_matrix_sync(fragment<Use, m, n, k, T, Layout> &f,
                              const typename rd_element<T>::type *from, unsigned ldm, RD_HERE)
{
    static_assert(!std::is_void<Layout>::value, "the layout of an accumulator is an argument");
    rd_load(f, from, ldm, std::is_same<Layout, row_major>::value, rd_file, rd_line, RD_HERE_PC);
}
template <int m, int n, int k, class T>
RD_BARE void load_matrix_sync(fragment<accumulator, m, n, k, T> &f, const T *from, unsigned ldm,
                              layout_t layout, RD_HERE)
{
    rd_load(f, from, ldm, layout == mem_row_major, rd_file, rd_line, RD_HERE_PC);
}
template <int m, int n, int k, class T>
RD_BARE void store_matrix_sync(T *to, const fragment<accumulator, m, n, k, T> &f, unsigned ldm,
                               layout_t layout, RD_HERE)
{
    using F = fragment<accumulator, m, n, k, T>;
    rd_check_arguments("store_matrix_sync", to, ldm, rd_file, rd_line);
    for (int e = 0; e < F::num_elements; e++) {
        int at = F::rd_index(rd_lane_of_warp(), e), row = at / n, column = at % n;
        T *place =
            to + (layout == mem_row_major ? row * (int)ldm + column : column * (int)ldm + row);
        rd_sim_accessed(place, sizeof(T), 1, RD_HERE_PC);
        rd_untold_copy(place, &f.x[e], sizeof(T));
    }
}
template <class Use, int m, int n, int k, class T, class Layout, class V>
RD_INLINE void fill_fragment(fragment<Use, m, n, k, T, Layout> &f, const V &value)
{
    for (int e = 0; e < f.num_elements; e++)
        f.x[e] = value;
}

template <class T> RD_WITHIN_CLASS T rd_rounded(double x, bool)
{
    return (T)(float)x;
}
template <> RD_WITHIN_CLASS double rd_rounded<double>(double x, bool)
{
    return x;
}
template <> RD_WITHIN_CLASS int rd_rounded<int>(double x, bool saturates)
{
    if (saturates)
        return x > 2147483647.0 ? 2147483647 : x < -2147483648.0 ? -2147483647 - 1 : (int)x;
    return (int)(unsigned)(long long)x;
}
template <int m, int n, int k, class D, class A, class LA, class LB, class C>
RD_BARE void mma_sync(fragment<accumulator, m, n, k, D> &d,
                      const fragment<matrix_a, m, n, k, A, LA> &a,
                      const fragment<matrix_b, m, n, k, A, LB> &b,
                      const fragment<accumulator, m, n, k, C> &c, bool saturates = false, RD_HERE)
{
    typename rd_element<A>::type of_a[m * k], of_b[k * n];
    rd_gather(a, of_a, 32, rd_file, rd_line);
    rd_gather(b, of_b, 48, rd_file, rd_line);
    for (int e = 0; e < d.num_elements; e++) {
        int at = d.rd_index(rd_lane_of_warp(), e), row = at / n, column = at % n;
        double sum = rd_element<C>::number(c.x[e]);
        for (int j = 0; j < k; j++)
            sum = __builtin_fma(rd_element<A>::number(of_a[row * k + j]),
                                rd_element<A>::number(of_b[j * n + column]), sum);
        D result = rd_rounded<D>(sum, saturates);
        rd_untold_copy(&d.x[e], &result, sizeof result);
    }
}

} // namespace wmma
} // namespace nvcuda

#endif
