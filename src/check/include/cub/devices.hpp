// SPDX-License-Identifier: MIT
// CUB's functions of a device: each asks for temporary storage first, and then is a launch of one thread, which writes all of
// that storage. Its size is another than CUB's.
#ifndef RD_CUB_DEVICES_HPP
#define RD_CUB_DEVICES_HPP

#include "cub/operators.hpp"
#include "thrust/reductions.hpp"
#include "thrust/sorts.hpp"

namespace cub
{
// The body gets the storage, aligned.
template <class F>
RD_UNSEEN cudaError_t rd_device_call(const char *name, const void *pc, void *storage,
                                     size_t &size_bytes, size_t wanted, cudaStream_t stream, F body)
{
    wanted += 256;
    if (!storage) {
        size_bytes = wanted;
        return cudaSuccess;
    }
    if (size_bytes < wanted)
        return cudaErrorInvalidValue;
    if (rd_sim_is_on_device())
        rd_sim_unsimulated("CUB's functions of a device in a kernel", "", 0, (void *)pc);
    const rd_library_site site = rd_library_called(name, pc);
    rd_library_launch_serial(site, stream, [=]() {
        char *own = (char *)storage;
        for (size_t k = 0; k < wanted / 8; k++)
            ((unsigned long long *)own)[k] = 0;
        body((void *)own);
    });
    return cudaPeekAtLastError();
}
#define RD_DEVICE_CALL(name, wanted, ...)                                                          \
    return rd_device_call("cub::" name, __builtin_return_address(0), storage, size_bytes, wanted,  \
                          stream, __VA_ARGS__)
#define RD_STORAGE void *storage, size_t &size_bytes
#define RD_STREAM  cudaStream_t stream = 0, bool = false

template <class I> using rd_value = typename std::iterator_traits<I>::value_type;
// What a value is that goes to the iterator: of one that takes all, that of the input.
template <class O, class T> struct rd_written {
    typedef typename std::conditional<std::is_void<rd_value<O>>::value, T, rd_value<O>>::type type;
};
// What CUB sums in: what the operation makes of a first value and an element, whatever these are.
template <class F, class I, class T = rd_value<I>>
using rd_accumulator = typename std::decay<decltype(std::declval<F &>()(
    std::declval<T>(), std::declval<rd_value<I>>()))>::type;
template <class T, class I, class F>
T rd_reduce_range(I from, size_t first, size_t last, T sum, F f)
{
    rd_called<F> op = {f};
    for (size_t k = first; k < last; k++)
        sum = (T)op(sum, (T)(rd_value<I>)from[(ptrdiff_t)k]);
    return sum;
}

struct DeviceReduce {
    template <class I, class O, class N, class F, class T>
    RD_BARE static cudaError_t Reduce(RD_STORAGE, I in, O out, N n, F op, T init, RD_STREAM)
    {
        auto from = thrust::rd_raw(in);
        auto to = thrust::rd_raw(out);
        RD_DEVICE_CALL("DeviceReduce::Reduce", 0, [=](void *) {
            typedef rd_accumulator<F, I, T> A;
            *to = rd_reduce_range<A>(from, 0, (size_t)n, (A)init, op);
        });
    }
    template <class I, class O, class N>
    RD_BARE static cudaError_t Sum(RD_STORAGE, I in, O out, N n, RD_STREAM)
    {
        auto from = thrust::rd_raw(in);
        auto to = thrust::rd_raw(out);
        RD_DEVICE_CALL("DeviceReduce::Sum", 0, [=](void *) {
            typedef typename rd_written<O, rd_value<I>>::type T;
            typedef rd_accumulator<cub::Sum, I, T> A;
            *to = rd_reduce_range<A>(from, 0, (size_t)n, (A)T(), cub::Sum());
        });
    }
#define RD_EXTREME(name, most, op)                                                                 \
    template <class I, class O, class N>                                                           \
    RD_BARE static cudaError_t name(RD_STORAGE, I in, O out, N n, RD_STREAM)                       \
    {                                                                                              \
        auto from = thrust::rd_raw(in);                                                            \
        auto to = thrust::rd_raw(out);                                                             \
        RD_DEVICE_CALL("DeviceReduce::" #name, 0, [=](void *) {                                    \
            typedef rd_value<I> T;                                                                 \
            *to = rd_reduce_range<T>(from, 0, (size_t)n, std::numeric_limits<T>::most(), op());    \
        });                                                                                        \
    }
    RD_EXTREME(Min, max, cub::Min)
    RD_EXTREME(Max, lowest, cub::Max)
#define RD_ARG_EXTREME(name, op)                                                                   \
    template <class I, class O, class N>                                                           \
    RD_BARE static cudaError_t name(RD_STORAGE, I in, O out, N n, RD_STREAM)                       \
    {                                                                                              \
        auto from = thrust::rd_raw(in);                                                            \
        auto to = thrust::rd_raw(out);                                                             \
        RD_DEVICE_CALL("DeviceReduce::" #name, 0, [=](void *) {                                    \
            typedef rd_value<I> T;                                                                 \
            ptrdiff_t found = 0;                                                                   \
            for (ptrdiff_t k = 1; k < (ptrdiff_t)n; k++)                                           \
                if ((T)from[k] op(T) from[found])                                                  \
                    found = k;                                                                     \
            if (n > 0) {                                                                           \
                (*to).key = (int)found;                                                            \
                (*to).value = (T)from[found];                                                      \
            }                                                                                      \
        });                                                                                        \
    }
    RD_ARG_EXTREME(ArgMin, <)
    RD_ARG_EXTREME(ArgMax, >)
    template <class I, class O, class J, class Q, class M, class F, class N>
    RD_BARE static cudaError_t ReduceByKey(RD_STORAGE, I keys_in, O keys_out, J in, Q out,
                                           M runs_out, F op, N n, RD_STREAM)
    {
        auto keys = thrust::rd_raw(keys_in);
        auto from = thrust::rd_raw(in);
        auto to_keys = thrust::rd_raw(keys_out);
        auto to = thrust::rd_raw(out);
        auto runs = thrust::rd_raw(runs_out);
        RD_DEVICE_CALL("DeviceReduce::ReduceByKey", 0, [=](void *) {
            typedef rd_accumulator<F, J> A;
            rd_called<F> own = {op};
            ptrdiff_t run = 0;
            for (ptrdiff_t k = 0; k < (ptrdiff_t)n; run++) {
                const rd_value<I> key = keys[k];
                A sum = (A)(rd_value<J>)from[k];
                for (k++; k < (ptrdiff_t)n && key == (rd_value<I>)keys[k]; k++)
                    sum = (A)own(sum, (A)(rd_value<J>)from[k]);
                to_keys[run] = key;
                to[run] = sum;
            }
            *runs = run;
        });
    }
};

struct DeviceSegmentedReduce {
    template <class I, class O, class B, class E>
    RD_BARE static cudaError_t Sum(RD_STORAGE, I in, O out, int n, B begins, E ends, RD_STREAM)
    {
        auto from = thrust::rd_raw(in);
        auto to = thrust::rd_raw(out);
        auto first = thrust::rd_raw(begins);
        auto last = thrust::rd_raw(ends);
        RD_DEVICE_CALL("DeviceSegmentedReduce::Sum", 0, [=](void *) {
            typedef typename rd_written<O, rd_value<I>>::type T;
            typedef rd_accumulator<cub::Sum, I, T> A;
            for (int k = 0; k < n; k++)
                to[k] =
                    rd_reduce_range<A>(from, (size_t)first[k], (size_t)last[k], (A)T(), cub::Sum());
        });
    }
};

struct DeviceScan {
    template <class I, class O, class F, class T, class N>
    RD_BARE static cudaError_t ExclusiveScan(RD_STORAGE, I in, O out, F op, T init, N n, RD_STREAM)
    {
        return exclusive("cub::DeviceScan::ExclusiveScan", __builtin_return_address(0), storage,
                         size_bytes, in, out, op, init, n, stream);
    }
    template <class I, class O, class N>
    RD_BARE static cudaError_t ExclusiveSum(RD_STORAGE, I in, O out, N n, RD_STREAM)
    {
        return exclusive("cub::DeviceScan::ExclusiveSum", __builtin_return_address(0), storage,
                         size_bytes, in, out, cub::Sum(), rd_value<I>(), n, stream);
    }
    template <class I, class O, class F, class N>
    RD_BARE static cudaError_t InclusiveScan(RD_STORAGE, I in, O out, F op, N n, RD_STREAM)
    {
        return inclusive("cub::DeviceScan::InclusiveScan", __builtin_return_address(0), storage,
                         size_bytes, in, out, op, n, stream);
    }
    template <class I, class O, class N>
    RD_BARE static cudaError_t InclusiveSum(RD_STORAGE, I in, O out, N n, RD_STREAM)
    {
        return inclusive("cub::DeviceScan::InclusiveSum", __builtin_return_address(0), storage,
                         size_bytes, in, out, cub::Sum(), n, stream);
    }

  private:
    template <class I, class O, class F, class T, class N>
    RD_UNSEEN static cudaError_t exclusive(const char *name, const void *pc, RD_STORAGE, I in,
                                           O out, F op, T init, N n, cudaStream_t stream)
    {
        auto from = thrust::rd_raw(in);
        auto to = thrust::rd_raw(out);
        return rd_device_call(name, pc, storage, size_bytes, 0, stream, [=](void *) {
            rd_called<F> own = {op};
            typedef rd_accumulator<F, I, T> A;
            A sum = (A)init;
            for (ptrdiff_t k = 0; k < (ptrdiff_t)n; k++) {
                const A next = (A)own(sum, (A)(rd_value<I>)from[k]);
                to[k] = sum;
                sum = next;
            }
        });
    }
    template <class I, class O, class F, class N>
    RD_UNSEEN static cudaError_t inclusive(const char *name, const void *pc, RD_STORAGE, I in,
                                           O out, F op, N n, cudaStream_t stream)
    {
        auto from = thrust::rd_raw(in);
        auto to = thrust::rd_raw(out);
        return rd_device_call(name, pc, storage, size_bytes, 0, stream, [=](void *) {
            rd_called<F> own = {op};
            typedef rd_accumulator<F, I> A;
            A sum = A();
            for (ptrdiff_t k = 0; k < (ptrdiff_t)n; k++) {
                const A next = (A)(rd_value<I>)from[k];
                sum = k == 0 ? next : (A)own(sum, next);
                to[k] = sum;
            }
        });
    }
};

// By the bits of the keys from one to another.
struct rd_radix_less {
    int first, last;
    bool down;
    template <class K> RD_UNSEEN bool operator()(const K &x, const K &y) const
    {
        const unsigned long long a = rd_radix_bits(x) << (64 - last) >> (64 - last) >> first,
                                 b = rd_radix_bits(y) << (64 - last) >> (64 - last) >> first;
        return down ? a > b : a < b;
    }
};
} // namespace cub
namespace thrust
{
template <class K> struct rd_order<K, cub::rd_radix_less> {
    rd_called<cub::rd_radix_less> less;
    RD_UNSEEN bool operator()(K *at, unsigned x, unsigned y)
    {
        return less.own(at[x], at[y]);
    }
};
} // namespace thrust
namespace cub
{
// Storage for a sort: of indices, and of elements.
template <class T> struct rd_sort_storage {
    unsigned *order;
    T *room;
    RD_UNSEEN rd_sort_storage(void *own, unsigned n)
        : order((unsigned *)own), room((T *)((char *)own + of_indices(n)))
    {
    }
    RD_UNSEEN static size_t of_indices(unsigned n)
    {
        return (2 * sizeof(unsigned) * (size_t)n + 15) / 16 * 16;
    }
    RD_UNSEEN static size_t bytes(unsigned n)
    {
        return of_indices(n) + sizeof(T) * (size_t)n;
    }
    // In their order.
    template <class I, class C> RD_UNSEEN const unsigned *sort(I from, unsigned n, C less) const
    {
        thrust::rd_load(from, room, n);
        return thrust::rd_sort_indices(room, order, order + n, n, less);
    }
};
struct DeviceRadixSort {
#define RD_RADIX_SORT(name, down)                                                                  \
    template <class K, class N>                                                                    \
    RD_BARE static cudaError_t SortKeys##name(RD_STORAGE, const K *in, K *out, N n, int first = 0, \
                                              int last = sizeof(K) * 8, RD_STREAM)                 \
    {                                                                                              \
        return sort("cub::DeviceRadixSort::SortKeys" #name, __builtin_return_address(0), storage,  \
                    size_bytes, in, out, (const char *)nullptr, (char *)nullptr, n,                \
                    rd_radix_less{first, last, down}, stream);                                     \
    }                                                                                              \
    template <class K, class V, class N>                                                           \
    RD_BARE static cudaError_t SortPairs##name(RD_STORAGE, const K *in, K *out,                    \
                                               const V *values_in, V *values_out, N n,             \
                                               int first = 0, int last = sizeof(K) * 8, RD_STREAM) \
    {                                                                                              \
        return sort("cub::DeviceRadixSort::SortPairs" #name, __builtin_return_address(0), storage, \
                    size_bytes, in, out, values_in, values_out, n,                                 \
                    rd_radix_less{first, last, down}, stream);                                     \
    }                                                                                              \
    template <class K, class N>                                                                    \
    RD_BARE static cudaError_t SortKeys##name(RD_STORAGE, DoubleBuffer<K> &keys, N n,              \
                                              int first = 0, int last = sizeof(K) * 8, RD_STREAM)  \
    {                                                                                              \
        cudaError_t error =                                                                        \
            sort("cub::DeviceRadixSort::SortKeys" #name, __builtin_return_address(0), storage,     \
                 size_bytes, keys.Current(), keys.Alternate(), (const char *)nullptr,              \
                 (char *)nullptr, n, rd_radix_less{first, last, down}, stream);                    \
        keys.selector ^= storage != nullptr;                                                       \
        return error;                                                                              \
    }                                                                                              \
    template <class K, class V, class N>                                                           \
    RD_BARE static cudaError_t SortPairs##name(RD_STORAGE, DoubleBuffer<K> &keys,                  \
                                               DoubleBuffer<V> &values, N n, int first = 0,        \
                                               int last = sizeof(K) * 8, RD_STREAM)                \
    {                                                                                              \
        cudaError_t error =                                                                        \
            sort("cub::DeviceRadixSort::SortPairs" #name, __builtin_return_address(0), storage,    \
                 size_bytes, keys.Current(), keys.Alternate(), values.Current(),                   \
                 values.Alternate(), n, rd_radix_less{first, last, down}, stream);                 \
        keys.selector ^= storage != nullptr;                                                       \
        values.selector ^= storage != nullptr;                                                     \
        return error;                                                                              \
    }
    RD_RADIX_SORT(, false)
    RD_RADIX_SORT(Descending, true)

    // Values where there are any.
    template <class K, class L, class V, class W, class N, class C>
    RD_UNSEEN static cudaError_t sort(const char *name, const void *pc, RD_STORAGE, const K *in,
                                      L *out, const V *values_in, W *values_out, N count, C less,
                                      cudaStream_t stream)
    {
        typedef rd_sort_storage<K> sorts;
        const unsigned n = (unsigned)count;
        return rd_device_call(name, pc, storage, size_bytes, sorts::bytes(n), stream,
                              [=](void *own) {
                                  const sorts in_order(own, n);
                                  const unsigned *order = in_order.sort(in, n, less);
                                  thrust::rd_put(in_order.room, order, out, n);
                                  for (unsigned k = 0; values_in && k < n; k++)
                                      values_out[k] = values_in[order[k]];
                              });
    }
};
struct DeviceMergeSort {
#define RD_MERGE_SORT(name)                                                                        \
    template <class K, class N, class C>                                                           \
    RD_BARE static cudaError_t name##Keys(RD_STORAGE, K *keys, N n, C less, RD_STREAM)             \
    {                                                                                              \
        typedef rd_sort_storage<K> sorts;                                                          \
        const unsigned count = (unsigned)n;                                                        \
        RD_DEVICE_CALL("DeviceMergeSort::" #name "Keys", sorts::bytes(count), [=](void *own) {     \
            const sorts in_order(own, count);                                                      \
            thrust::rd_put(in_order.room, in_order.sort(keys, count, less), keys, count);          \
        });                                                                                        \
    }                                                                                              \
    template <class K, class V, class N, class C>                                                  \
    RD_BARE static cudaError_t name##Pairs(RD_STORAGE, K *keys, V *values, N n, C less, RD_STREAM) \
    {                                                                                              \
        typedef rd_sort_storage<K> sorts;                                                          \
        typedef rd_sort_storage<V> others;                                                         \
        const unsigned count = (unsigned)n;                                                        \
        const size_t first = (sorts::bytes(count) + 15) / 16 * 16;                                 \
        RD_DEVICE_CALL("DeviceMergeSort::" #name "Pairs", first + others::bytes(count),            \
                       [=](void *own) {                                                            \
                           const sorts in_order(own, count);                                       \
                           const others moved((char *)own + first, count);                         \
                           const unsigned *order = in_order.sort(keys, count, less);               \
                           thrust::rd_load(values, moved.room, count);                             \
                           thrust::rd_put(in_order.room, order, keys, count);                      \
                           thrust::rd_put(moved.room, order, values, count);                       \
                       });                                                                         \
    }
    RD_MERGE_SORT(Sort)
    RD_MERGE_SORT(StableSort)
};

struct DeviceSelect {
    template <class I, class O, class M, class N, class P>
    RD_BARE static cudaError_t If(RD_STORAGE, I in, O out, M count_out, N n, P p, RD_STREAM)
    {
        auto from = thrust::rd_raw(in);
        auto to = thrust::rd_raw(out);
        auto count = thrust::rd_raw(count_out);
        RD_DEVICE_CALL("DeviceSelect::If", 0, [=](void *) {
            *count = thrust::rd_select(from, from, to, (ptrdiff_t)n, p);
        });
    }
    template <class I, class S, class O, class M, class N>
    RD_BARE static cudaError_t Flagged(RD_STORAGE, I in, S flags, O out, M count_out, N n,
                                       RD_STREAM)
    {
        auto from = thrust::rd_raw(in);
        auto tested = thrust::rd_raw(flags);
        auto to = thrust::rd_raw(out);
        auto count = thrust::rd_raw(count_out);
        RD_DEVICE_CALL("DeviceSelect::Flagged", 0, [=](void *) {
            *count = thrust::rd_select(from, tested, to, (ptrdiff_t)n,
                                       [](const rd_value<S> &x) { return (bool)x; });
        });
    }
    template <class I, class O, class M, class N>
    RD_BARE static cudaError_t Unique(RD_STORAGE, I in, O out, M count_out, N n, RD_STREAM)
    {
        auto from = thrust::rd_raw(in);
        auto to = thrust::rd_raw(out);
        auto count = thrust::rd_raw(count_out);
        RD_DEVICE_CALL("DeviceSelect::Unique", 0, [=](void *) {
            ptrdiff_t kept = 0;
            for (ptrdiff_t k = 0; k < (ptrdiff_t)n; k++)
                if (k == 0 || !((rd_value<I>)from[k] == (rd_value<I>)from[k - 1]))
                    to[kept++] = (rd_value<I>)from[k];
            *count = kept;
        });
    }
};
struct DeviceRunLengthEncode {
    template <class I, class O, class L, class M, class N>
    RD_BARE static cudaError_t Encode(RD_STORAGE, I in, O out, L lengths_out, M runs_out, N n,
                                      RD_STREAM)
    {
        auto from = thrust::rd_raw(in);
        auto to = thrust::rd_raw(out);
        auto lengths = thrust::rd_raw(lengths_out);
        auto runs = thrust::rd_raw(runs_out);
        RD_DEVICE_CALL("DeviceRunLengthEncode::Encode", 0, [=](void *) {
            ptrdiff_t run = 0;
            for (ptrdiff_t k = 0; k < (ptrdiff_t)n; run++) {
                const ptrdiff_t first = k;
                const rd_value<I> x = from[k];
                for (k++; k < (ptrdiff_t)n && x == (rd_value<I>)from[k];)
                    k++;
                to[run] = x;
                lengths[run] = k - first;
            }
            *runs = run;
        });
    }
};
// Of floats by a factor that is rounded before, as CUB has it.
template <class T>
typename std::enable_if<std::is_floating_point<T>::value, int>::type rd_even_bin(T x, T lower,
                                                                                 T upper, int bins)
{
    return (int)((x - lower) * ((T)bins / (upper - lower)));
}
template <class T>
typename std::enable_if<!std::is_floating_point<T>::value, int>::type rd_even_bin(T x, T lower,
                                                                                  T upper, int bins)
{
    return (int)((unsigned __int128)(x - lower) * (unsigned)bins /
                 (unsigned __int128)(upper - lower));
}
struct DeviceHistogram {
    template <class I, class C, class L, class N>
    RD_BARE static cudaError_t HistogramEven(RD_STORAGE, I in, C *counts, int levels, L lower,
                                             L upper, N n, RD_STREAM)
    {
        auto from = thrust::rd_raw(in);
        RD_DEVICE_CALL("DeviceHistogram::HistogramEven", 0, [=](void *) {
            typedef typename std::common_type<L, rd_value<I>>::type A;
            const int bins = levels - 1;
            for (int k = 0; k < bins; k++)
                counts[k] = 0;
            for (ptrdiff_t k = 0; k < (ptrdiff_t)n; k++) {
                const A x = (A)(rd_value<I>)from[k];
                if (x >= (A)lower && x < (A)upper) {
                    const int bin = rd_even_bin(x, (A)lower, (A)upper, bins);
                    counts[bin < bins ? bin : bins - 1] += 1;
                }
            }
        });
    }
    template <class I, class C, class L, class N>
    RD_BARE static cudaError_t HistogramRange(RD_STORAGE, I in, C *counts, int levels,
                                              const L *bounds, N n, RD_STREAM)
    {
        auto from = thrust::rd_raw(in);
        RD_DEVICE_CALL("DeviceHistogram::HistogramRange", 0, [=](void *) {
            for (int k = 0; k < levels - 1; k++)
                counts[k] = 0;
            for (ptrdiff_t k = 0; k < (ptrdiff_t)n; k++) {
                const L x = (L)(rd_value<I>)from[k];
                for (int bin = 0; bin < levels - 1; bin++)
                    if (x >= bounds[bin] && x < bounds[bin + 1]) {
                        counts[bin] += 1;
                        break;
                    }
            }
        });
    }
};
} // namespace cub

#endif
