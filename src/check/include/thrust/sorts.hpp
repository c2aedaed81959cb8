// SPDX-License-Identifier: MIT
// Thrust's sorts, all of them stable, and merges, each by one thread. Elements are read once, sorted in memory of ours, and written
// once: these accesses are seen, and those of a user's function that compares them.
#ifndef RD_THRUST_SORTS_HPP
#define RD_THRUST_SORTS_HPP

#include "thrust/algorithms.hpp"

namespace thrust
{
// ---- which of two elements comes first ----

// Numbers, and pairs and tuples of them: that these are compared by their own operators is nothing to be looked at.
template <class T> struct rd_is_plain : std::is_arithmetic<T> {
};
template <bool... all>
struct rd_are_all : std::is_same<std::integer_sequence<bool, true, all...>,
                                 std::integer_sequence<bool, all..., true>> {
};
template <class... T> struct rd_is_plain<tuple<T...>> : rd_are_all<rd_is_plain<T>::value...> {
};
template <class T, class U>
struct rd_is_plain<pair<T, U>> : rd_are_all<rd_is_plain<T>::value, rd_is_plain<U>::value> {
};
template <class T>
RD_UNSEEN typename std::enable_if<std::is_arithmetic<T>::value, bool>::type rd_is_below(const T &x,
                                                                                        const T &y)
{
    return x < y;
}
template <size_t k, class T>
RD_UNSEEN typename std::enable_if<k == tuple_size<T>::value, bool>::type rd_is_below_from(const T &,
                                                                                          const T &)
{
    return false;
}
template <class T>
RD_UNSEEN typename std::enable_if<!std::is_arithmetic<T>::value, bool>::type
rd_is_below(const T &x, const T &y);
template <size_t k, class T>
RD_UNSEEN typename std::enable_if<k != tuple_size<T>::value, bool>::type
rd_is_below_from(const T &x, const T &y)
{
    return rd_is_below(std::get<k>(x), std::get<k>(y)) ||
           (!rd_is_below(std::get<k>(y), std::get<k>(x)) && rd_is_below_from<k + 1>(x, y));
}
template <class T>
RD_UNSEEN typename std::enable_if<!std::is_arithmetic<T>::value, bool>::type rd_is_below(const T &x,
                                                                                         const T &y)
{
    return rd_is_below_from<0>(x, y);
}

// By a user's function.
template <class T, class C, class = void> struct rd_order {
    rd_called<C> less;
    bool operator()(T *at, unsigned x, unsigned y)
    {
        return less(at[x], at[y]);
    }
};
template <class T, class C> struct rd_is_less : std::false_type {
};
template <class T> struct rd_is_less<T, less<T>> : rd_is_plain<T> {
};
template <class T> struct rd_is_less<T, less<>> : rd_is_plain<T> {
};
template <class T, class C>
struct rd_order<T, C, typename std::enable_if<rd_is_less<T, C>::value>::type> {
    rd_called<C> less;
    RD_UNSEEN bool operator()(T *at, unsigned x, unsigned y)
    {
        return rd_is_below(at[x], at[y]);
    }
};
template <class T, class C> struct rd_is_greater : std::false_type {
};
template <class T> struct rd_is_greater<T, greater<T>> : rd_is_plain<T> {
};
template <class T> struct rd_is_greater<T, greater<>> : rd_is_plain<T> {
};
template <class T, class C>
struct rd_order<T, C, typename std::enable_if<rd_is_greater<T, C>::value>::type> {
    rd_called<C> less;
    RD_UNSEEN bool operator()(T *at, unsigned x, unsigned y)
    {
        return rd_is_below(at[y], at[x]);
    }
};

// ---- sorts ----

template <class I, class O> void rd_move(I at, unsigned from, O to, unsigned k)
{
    to[k] = (rd_value_of<O>)at[from];
}
template <class I, class T> RD_UNSEEN void rd_load(I at, T *room, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        rd_move(at, k, room, k);
}
template <class I, class O> RD_UNSEEN void rd_put(I from, const unsigned *order, O to, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        rd_move(from, order[k], to, k);
}
// Merges runs of 1, 2, 4... of indices into what they are of. The indices are ours alone, and are not looked at.
template <class T, class C>
RD_UNSEEN unsigned *rd_sort_indices(T *at, unsigned *one, unsigned *other, unsigned n, C less)
{
    rd_order<T, C> comes_before = {{less}};
    for (unsigned k = 0; k < n; k++)
        one[k] = k;
    for (size_t run = 1; run < n; run *= 2) {
        for (size_t first = 0; first < n; first += 2 * run) {
            size_t x = first, middle = first + run < n ? first + run : n, y = middle,
                   end = middle + run < n ? middle + run : n;
            for (size_t k = first; k < end; k++)
                if (y == end || (x < middle && !comes_before(at, one[y], one[x])))
                    other[k] = one[x++];
                else
                    other[k] = one[y++];
        }
        unsigned *sorted = other;
        other = one;
        one = sorted;
    }
    return one;
}
struct rd_stable_sort {
    template <class I, class C = thrust::less<>>
    void operator()(const rd_run &how, I first, I last, C less = C()) const
    {
        auto at = rd_raw(first);
        const unsigned n = (unsigned)(last - first);
        rd_scratch<unsigned> indices(how, 2 * (size_t)n);
        rd_scratch<rd_value_of<I>> values(how, n);
        unsigned *order = indices.data;
        auto *room = values.data;
        how.once([=]() {
            rd_load(at, room, n);
            rd_put(room, rd_sort_indices(room, order, order + n, n, less), at, n);
        });
        how.finish();
    }
};
typedef rd_stable_sort rd_sort;
RD_ALGORITHM(stable_sort)
RD_ALGORITHM(sort)
struct rd_stable_sort_by_key {
    template <class I, class J, class C = thrust::less<>>
    void operator()(const rd_run &how, I first, I last, J values, C less = C()) const
    {
        auto keys = rd_raw(first);
        auto at = rd_raw(values);
        const unsigned n = (unsigned)(last - first);
        rd_scratch<unsigned> indices(how, 2 * (size_t)n);
        rd_scratch<rd_value_of<I>> keys_room(how, n);
        rd_scratch<rd_value_of<J>> values_room(how, n);
        unsigned *order = indices.data;
        auto *of_keys = keys_room.data;
        auto *of_values = values_room.data;
        how.once([=]() {
            rd_load(keys, of_keys, n);
            rd_load(at, of_values, n);
            const unsigned *sorted = rd_sort_indices(of_keys, order, order + n, n, less);
            rd_put(of_keys, sorted, keys, n);
            rd_put(of_values, sorted, at, n);
        });
        how.finish();
    }
};
typedef rd_stable_sort_by_key rd_sort_by_key;
RD_ALGORITHM(stable_sort_by_key)
RD_ALGORITHM(sort_by_key)
struct rd_is_sorted {
    template <class I, class C = thrust::less<>>
    bool operator()(const rd_run &how, I first, I last, C less = C()) const
    {
        auto at = rd_raw(first);
        const ptrdiff_t n = last - first;
        return how.template value<bool>([=]() {
            rd_called<C> before = {less};
            ptrdiff_t k = 1;
            while (k < n && !before(at[k], at[k - 1]))
                k++;
            return k >= n;
        });
    }
};
RD_ALGORITHM(is_sorted)
struct rd_merge {
    template <class I, class J, class O, class C = thrust::less<>>
    O operator()(const rd_run &how, I first, I last, J other, J other_last, O to,
                 C less = C()) const
    {
        auto x = rd_raw(first);
        auto y = rd_raw(other);
        auto out = rd_raw(to);
        const ptrdiff_t n = last - first, m = other_last - other;
        how.once([=]() {
            rd_called<C> before = {less};
            for (ptrdiff_t i = 0, j = 0; i + j < n + m;) {
                const ptrdiff_t k = i + j;
                if (j == m || (i < n && !before(y[j], x[i])))
                    out[k] = x[i++];
                else
                    out[k] = y[j++];
            }
        });
        how.finish();
        return to + n + m;
    }
};
RD_ALGORITHM(merge)
} // namespace thrust

#endif
