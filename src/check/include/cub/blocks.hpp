// SPDX-License-Identifier: MIT
// CUB's functions of warps and blocks, as a block's threads make them together. They use the temporary storage as CUB's do: a
// block that uses it again without a barrier between races.
#ifndef RD_CUB_BLOCKS_HPP
#define RD_CUB_BLOCKS_HPP

#include "cub/operators.hpp"

namespace cub
{
enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

// A barrier of the line that calls the function, and another for each place in here.
#define RD_CUB_BARRIER(line) ((line) + ((unsigned)__COUNTER__ << RD_SIM_LINE_BITS))
#define RD_CUB               inline __attribute__((always_inline))
RD_INLINE int rd_linear_thread()
{
    return (int)((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);
}
static RD_CUB unsigned LaneId()
{
    return (unsigned)rd_linear_thread() % 32;
}
static RD_CUB unsigned WarpId()
{
    return (unsigned)rd_linear_thread() / 32;
}
template <class T> struct Uninitialized {
    alignas(T) char rd_bytes[sizeof(T)];
    RD_CUB T &Alias()
    {
        return *(T *)rd_bytes;
    }
};

// The lanes of a group of so many, of a block of so many threads: the last warp may have fewer.
template <int width> RD_INLINE unsigned rd_group_mask(int thread, int threads)
{
    const int first = thread / width * width, n = threads - first < width ? threads - first : width;
    const unsigned lanes = n >= 32 ? 0xffffffffu : (1u << n) - 1;
    return lanes << first % 32;
}
// A lane takes the value of no lane behind the last valid one, which need not be there: it has its own, as from CUB's shuffles.
template <int width, class T, class F>
RD_INLINE T rd_group_reduce(T value, F op, int valid, unsigned mask, const char *file,
                            unsigned line)
{
    const int lane = rd_linear_thread() % width;
    for (int step = 1; step < width; step *= 2) {
        const bool is_valid = lane + step < valid;
        T other = rd_shuffle_any(2, mask, value, is_valid ? step : 0, 32, file, line);
        if (is_valid && lane % (2 * step) == 0)
            value = op(value, other);
    }
    return value;
}
template <int width, class T, class F>
RD_INLINE T rd_group_scan(T value, F op, unsigned mask, const char *file, unsigned line)
{
    const int lane = rd_linear_thread() % width;
    for (int step = 1; step < width; step *= 2) {
        const bool is_there = lane >= step;
        T other = rd_shuffle_any(1, mask, value, is_there ? step : 0, 32, file, line);
        if (is_there)
            value = op(other, value);
    }
    return value;
}
RD_INLINE int rd_block_threads()
{
    return (int)(blockDim.x * blockDim.y * blockDim.z);
}

template <class T, int width = 32, int = 0> class WarpReduce
{
    static_assert(width > 0 && width <= 32 && (width & (width - 1)) == 0, "a power of two");

  public:
    struct TempStorage {
        char rd_none;
    };
    RD_CUB WarpReduce(TempStorage &)
    {
    }
    template <class F> RD_CUB T Reduce(T value, F op, int valid = width, RD_HERE)
    {
        return rd_group_reduce<width>(value, op, valid,
                                      rd_group_mask<width>(rd_linear_thread(), rd_block_threads()),
                                      rd_file, rd_line);
    }
    RD_CUB T Sum(T value, RD_HERE)
    {
        return Reduce(value, cub::Sum(), width, rd_file, rd_line);
    }
    RD_CUB T Sum(T value, int valid, RD_HERE)
    {
        return Reduce(value, cub::Sum(), valid, rd_file, rd_line);
    }
};
template <class T, int width = 32, int = 0> class WarpScan
{
    static_assert(width > 0 && width <= 32 && (width & (width - 1)) == 0, "a power of two");

    // The sum up to this lane, what stands before it (of the first lane, its own), and that of all.
    template <class F>
    RD_CUB void scan(T value, T &inclusive, T &exclusive, T &all, F op, const char *file,
                     unsigned line)
    {
        const unsigned mask = rd_group_mask<width>(rd_linear_thread(), rd_block_threads());
        const int is_behind = rd_linear_thread() % width != 0, last = 31 - __clz((int)mask);
        inclusive = rd_group_scan<width>(value, op, mask, file, line);
        exclusive = rd_shuffle_any(1, mask, inclusive, is_behind, 32, file, line);
        all = rd_shuffle_any(0, mask, inclusive, last, 32, file, line);
    }

  public:
    struct TempStorage {
        char rd_none;
    };
    RD_CUB WarpScan(TempStorage &)
    {
    }
    template <class F> RD_CUB void InclusiveScan(T value, T &result, F op, T &all, RD_HERE)
    {
        T exclusive;
        scan(value, result, exclusive, all, op, rd_file, rd_line);
    }
    template <class F> RD_CUB void InclusiveScan(T value, T &result, F op, RD_HERE)
    {
        T all;
        InclusiveScan(value, result, op, all, rd_file, rd_line);
    }
    RD_CUB void InclusiveSum(T value, T &result, T &all, RD_HERE)
    {
        InclusiveScan(value, result, cub::Sum(), all, rd_file, rd_line);
    }
    RD_CUB void InclusiveSum(T value, T &result, RD_HERE)
    {
        InclusiveScan(value, result, cub::Sum(), rd_file, rd_line);
    }
    template <class F> RD_CUB void ExclusiveScan(T value, T &result, T init, F op, T &all, RD_HERE)
    {
        T inclusive, exclusive;
        scan(value, inclusive, exclusive, all, op, rd_file, rd_line);
        result = rd_linear_thread() % width == 0 ? init : op(init, exclusive);
    }
    template <class F> RD_CUB void ExclusiveScan(T value, T &result, T init, F op, RD_HERE)
    {
        T all;
        ExclusiveScan(value, result, init, op, all, rd_file, rd_line);
    }
    RD_CUB void ExclusiveSum(T value, T &result, T &all, RD_HERE)
    {
        ExclusiveScan(value, result, T(), cub::Sum(), all, rd_file, rd_line);
    }
    RD_CUB void ExclusiveSum(T value, T &result, RD_HERE)
    {
        T all;
        ExclusiveSum(value, result, all, rd_file, rd_line);
    }
};

// Each warp reduces by shuffles; the first thread adds up what the warps have left.
template <class T, int x, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int y = 1, int z = 1,
          int = 0>
class BlockReduce
{
    enum { threads = x * y * z, warps = (threads + 31) / 32 };

  public:
    struct TempStorage {
        Uninitialized<T> rd_sums[warps];
    };

  private:
    TempStorage &storage;
    RD_INLINE TempStorage &own()
    {
        __shared__ TempStorage shared;
        return shared;
    }

  public:
    RD_CUB BlockReduce() : storage(own())
    {
    }
    RD_CUB BlockReduce(TempStorage &storage_) : storage(storage_)
    {
    }
    template <class F> RD_CUB T Reduce(T value, F op, RD_HERE)
    {
        return Reduce(value, op, (int)threads, rd_file, rd_line);
    }
    template <class F> RD_CUB T Reduce(T value, F op, int valid, RD_HERE)
    {
        const int thread = rd_linear_thread(), warp = thread / 32;
        value = rd_group_reduce<32>(value, op, valid - 32 * warp,
                                    rd_group_mask<32>(thread, threads), rd_file, rd_line);
        if (thread % 32 == 0)
            storage.rd_sums[warp].Alias() = value;
        rd_block_sync(rd_file, RD_CUB_BARRIER(rd_line));
        if (thread == 0)
            for (int k = 1; k < warps; k++)
                if (32 * k < valid)
                    value = op(value, storage.rd_sums[k].Alias());
        return value;
    }
    template <int n, class F> RD_CUB T Reduce(T (&items)[n], F op, RD_HERE)
    {
        T value = items[0];
        for (int k = 1; k < n; k++)
            value = op(value, items[k]);
        return Reduce(value, op, (int)threads, rd_file, rd_line);
    }
    RD_CUB T Sum(T value, RD_HERE)
    {
        return Reduce(value, cub::Sum(), (int)threads, rd_file, rd_line);
    }
    RD_CUB T Sum(T value, int valid, RD_HERE)
    {
        return Reduce(value, cub::Sum(), valid, rd_file, rd_line);
    }
    template <int n> RD_CUB T Sum(T (&items)[n], RD_HERE)
    {
        return Reduce(items, cub::Sum(), rd_file, rd_line);
    }
};

// Each warp scans by shuffles, and adds what the warps before it have come to.
template <class T, int x, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int y = 1, int z = 1, int = 0>
class BlockScan
{
    enum { threads = x * y * z, warps = (threads + 31) / 32 };

  public:
    struct TempStorage {
        Uninitialized<T> rd_sums[warps];
    };

  private:
    TempStorage &storage;
    RD_INLINE TempStorage &own()
    {
        __shared__ TempStorage shared;
        return shared;
    }
    // The sum up to this thread, and what stands before it (of the first thread, nothing).
    template <class F>
    RD_CUB void scan(T value, T &inclusive, T &exclusive, T &all, F op, const char *file,
                     unsigned line)
    {
        const int thread = rd_linear_thread(), warp = thread / 32;
        const unsigned mask = rd_group_mask<32>(thread, threads);
        inclusive = rd_group_scan<32>(value, op, mask, file, line);
        exclusive = rd_shuffle_any(1, mask, inclusive, 1, 32, file, line);
        if (thread % 32 == 31 || thread == threads - 1)
            storage.rd_sums[warp].Alias() = inclusive;
        rd_block_sync(file, RD_CUB_BARRIER(line));
        T before = storage.rd_sums[0].Alias();
        all = before;
        for (int k = 1; k < warps; k++) {
            T one = storage.rd_sums[k].Alias();
            if (k < warp)
                before = op(before, one);
            all = op(all, one);
        }
        if (warp > 0) {
            inclusive = op(before, inclusive);
            exclusive = thread % 32 == 0 ? before : op(before, exclusive);
        }
    }

  public:
    RD_CUB BlockScan() : storage(own())
    {
    }
    RD_CUB BlockScan(TempStorage &storage_) : storage(storage_)
    {
    }
    template <class F> RD_CUB void InclusiveScan(T value, T &result, F op, RD_HERE)
    {
        T exclusive, all;
        scan(value, result, exclusive, all, op, rd_file, rd_line);
    }
    template <class F> RD_CUB void InclusiveScan(T value, T &result, F op, T &all, RD_HERE)
    {
        T exclusive;
        scan(value, result, exclusive, all, op, rd_file, rd_line);
    }
    RD_CUB void InclusiveSum(T value, T &result, RD_HERE)
    {
        InclusiveScan(value, result, cub::Sum(), rd_file, rd_line);
    }
    RD_CUB void InclusiveSum(T value, T &result, T &all, RD_HERE)
    {
        InclusiveScan(value, result, cub::Sum(), all, rd_file, rd_line);
    }
    template <class F> RD_CUB void ExclusiveScan(T value, T &result, T init, F op, T &all, RD_HERE)
    {
        T inclusive, exclusive;
        scan(value, inclusive, exclusive, all, op, rd_file, rd_line);
        result = rd_linear_thread() == 0 ? init : op(init, exclusive);
    }
    template <class F> RD_CUB void ExclusiveScan(T value, T &result, T init, F op, RD_HERE)
    {
        T all;
        ExclusiveScan(value, result, init, op, all, rd_file, rd_line);
    }
    RD_CUB void ExclusiveSum(T value, T &result, RD_HERE)
    {
        T all;
        ExclusiveScan(value, result, T(), cub::Sum(), all, rd_file, rd_line);
    }
    RD_CUB void ExclusiveSum(T value, T &result, T &all, RD_HERE)
    {
        ExclusiveScan(value, result, T(), cub::Sum(), all, rd_file, rd_line);
    }
    // Of several items a thread.
    template <int n> RD_CUB void ExclusiveSum(T (&in)[n], T (&out)[n], T &all, RD_HERE)
    {
        T sum = in[0], before;
        for (int k = 1; k < n; k++)
            sum = sum + in[k];
        ExclusiveScan(sum, before, T(), cub::Sum(), all, rd_file, rd_line);
        for (int k = 0; k < n; k++) {
            T next = before + in[k];
            out[k] = before;
            before = next;
        }
    }
    template <int n> RD_CUB void ExclusiveSum(T (&in)[n], T (&out)[n], RD_HERE)
    {
        T all;
        ExclusiveSum(in, out, all, rd_file, rd_line);
    }
    template <int n> RD_CUB void InclusiveSum(T (&in)[n], T (&out)[n], T &all, RD_HERE)
    {
        T own[n];
        for (int k = 0; k < n; k++)
            own[k] = in[k];
        ExclusiveSum(own, out, all, rd_file, rd_line);
        for (int k = 0; k < n; k++)
            out[k] = out[k] + own[k];
    }
    template <int n> RD_CUB void InclusiveSum(T (&in)[n], T (&out)[n], RD_HERE)
    {
        T all;
        InclusiveSum(in, out, all, rd_file, rd_line);
    }
};

// ---- items from memory, and to it: each thread has n that follow each other ----

template <int threads, class I, class T, int n>
RD_INLINE void LoadDirectStriped(int thread, I from, T (&items)[n])
{
    for (int k = 0; k < n; k++)
        items[k] = from[k * threads + thread];
}
template <class I, class T, int n>
RD_INLINE void LoadDirectBlocked(int thread, I from, T (&items)[n])
{
    for (int k = 0; k < n; k++)
        items[k] = from[thread * n + k];
}
template <int threads, class I, class T, int n>
RD_INLINE void StoreDirectStriped(int thread, I to, T (&items)[n])
{
    for (int k = 0; k < n; k++)
        to[k * threads + thread] = items[k];
}
template <class I, class T, int n>
RD_INLINE void StoreDirectBlocked(int thread, I to, T (&items)[n])
{
    for (int k = 0; k < n; k++)
        to[thread * n + k] = items[k];
}

template <class T, int x, int n, BlockLoadAlgorithm how = BLOCK_LOAD_DIRECT, int y = 1, int z = 1,
          int = 0>
class BlockLoad
{
    enum { threads = x * y * z, by_shared = how >= BLOCK_LOAD_TRANSPOSE };

  public:
    struct TempStorage {
        Uninitialized<T> rd_items[by_shared ? threads * n : 1];
    };
    TempStorage &storage;
    RD_CUB BlockLoad(TempStorage &storage_) : storage(storage_)
    {
    }
    template <class I> RD_CUB void Load(I from, T (&items)[n], RD_HERE)
    {
        load(from, items, threads * n, rd_file, rd_line);
    }
    template <class I> RD_CUB void Load(I from, T (&items)[n], int valid, RD_HERE)
    {
        load(from, items, valid, rd_file, rd_line);
    }
    template <class I, class D>
    RD_CUB void Load(I from, T (&items)[n], int valid, D otherwise, RD_HERE)
    {
        for (int k = 0; k < n; k++)
            items[k] = otherwise;
        load(from, items, valid, rd_file, rd_line);
    }

  private:
    template <class I>
    RD_CUB void load(I from, T (&items)[n], int valid, const char *file, unsigned line)
    {
        const int thread = rd_linear_thread();
        for (int k = 0; k < n; k++) {
            const int at =
                how == BLOCK_LOAD_STRIPED || by_shared ? k * threads + thread : thread * n + k;
            if (at < valid && by_shared)
                storage.rd_items[at].Alias() = from[at];
            else if (at < valid)
                items[k] = from[at];
        }
        if (!by_shared)
            return;
        rd_block_sync(file, RD_CUB_BARRIER(line));
        for (int k = 0; k < n; k++)
            if (thread * n + k < valid)
                items[k] = storage.rd_items[thread * n + k].Alias();
    }
};
template <class T, int x, int n, BlockStoreAlgorithm how = BLOCK_STORE_DIRECT, int y = 1, int z = 1,
          int = 0>
class BlockStore
{
    enum { threads = x * y * z, by_shared = how >= BLOCK_STORE_TRANSPOSE };

  public:
    struct TempStorage {
        Uninitialized<T> rd_items[by_shared ? threads * n : 1];
    };
    TempStorage &storage;
    RD_CUB BlockStore(TempStorage &storage_) : storage(storage_)
    {
    }
    template <class I> RD_CUB void Store(I to, T (&items)[n], RD_HERE)
    {
        store(to, items, threads * n, rd_file, rd_line);
    }
    template <class I> RD_CUB void Store(I to, T (&items)[n], int valid, RD_HERE)
    {
        store(to, items, valid, rd_file, rd_line);
    }

  private:
    template <class I>
    RD_CUB void store(I to, T (&items)[n], int valid, const char *file, unsigned line)
    {
        const int thread = rd_linear_thread();
        for (int k = 0; by_shared && k < n; k++)
            storage.rd_items[thread * n + k].Alias() = items[k];
        if (by_shared)
            rd_block_sync(file, RD_CUB_BARRIER(line));
        for (int k = 0; k < n; k++) {
            const int at =
                how == BLOCK_STORE_STRIPED || by_shared ? k * threads + thread : thread * n + k;
            if (at < valid && by_shared)
                to[at] = storage.rd_items[at].Alias();
            else if (at < valid)
                to[at] = items[k];
        }
    }
};

// Each thread finds how many items stand before each of its own. Stable.
template <class K, int x, int n, class V = NullType, int = 4, bool = true,
          BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS, int = 0, int y = 1, int z = 1, int = 0>
class BlockRadixSort
{
    enum { threads = x * y * z, all = threads * n };

  public:
    struct TempStorage {
        Uninitialized<K> rd_keys[all];
        Uninitialized<V> rd_values[std::is_same<V, NullType>::value ? 1 : all];
    };

  private:
    TempStorage &storage;
    RD_INLINE TempStorage &own()
    {
        __shared__ TempStorage shared;
        return shared;
    }
    // The bits of a key that count, as a number whose order is the key's.
    RD_CUB static unsigned long long bits_of(K key, int first, int last)
    {
        return rd_radix_bits(key) << (64 - last) >> (64 - last) >> first;
    }
    template <class W>
    RD_CUB void sort(K (&keys)[n], W *values, bool down, bool striped, int first, int last,
                     const char *file, unsigned line)
    {
        const int thread = rd_linear_thread();
        int ranks[n];
        for (int k = 0; k < n; k++)
            storage.rd_keys[thread * n + k].Alias() = keys[k];
        rd_block_sync(file, RD_CUB_BARRIER(line));
        for (int k = 0; k < n; k++) {
            const unsigned long long mine = bits_of(keys[k], first, last);
            ranks[k] = 0;
            for (int other = 0; other < all; other++) {
                const unsigned long long its = bits_of(storage.rd_keys[other].Alias(), first, last);
                ranks[k] += its == mine ? other < thread * n + k : down ? its > mine : its < mine;
            }
        }
        rd_block_sync(file, RD_CUB_BARRIER(line));
        for (int k = 0; k < n; k++) {
            storage.rd_keys[ranks[k]].Alias() = keys[k];
            if constexpr (!std::is_same<V, NullType>::value)
                storage.rd_values[ranks[k]].Alias() = values[k];
        }
        rd_block_sync(file, RD_CUB_BARRIER(line));
        for (int k = 0; k < n; k++) {
            const int at = striped ? k * threads + thread : thread * n + k;
            keys[k] = storage.rd_keys[at].Alias();
            if constexpr (!std::is_same<V, NullType>::value)
                values[k] = storage.rd_values[at].Alias();
        }
    }

  public:
    RD_CUB BlockRadixSort() : storage(own())
    {
    }
    RD_CUB BlockRadixSort(TempStorage &storage_) : storage(storage_)
    {
    }
#define RD_BLOCK_SORT(name, down, striped)                                                         \
    RD_CUB void name(K(&keys)[n], int first = 0, int last = sizeof(K) * 8, RD_HERE)                \
    {                                                                                              \
        sort(keys, (V *)nullptr, down, striped, first, last, rd_file, rd_line);                    \
    }                                                                                              \
    template <class W>                                                                             \
    RD_CUB void name(K(&keys)[n], W(&values)[n], int first = 0, int last = sizeof(K) * 8, RD_HERE) \
    {                                                                                              \
        sort(keys, values, down, striped, first, last, rd_file, rd_line);                          \
    }
    RD_BLOCK_SORT(Sort, false, false)
    RD_BLOCK_SORT(SortDescending, true, false)
    RD_BLOCK_SORT(SortBlockedToStriped, false, true)
    RD_BLOCK_SORT(SortDescendingBlockedToStriped, true, true)
};
} // namespace cub

#endif
