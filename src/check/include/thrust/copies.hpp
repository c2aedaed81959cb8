// SPDX-License-Identifier: MIT
// More of Thrust's algorithms that copy: under a condition, into two parts, within segments.
#ifndef RD_THRUST_COPIES_HPP
#define RD_THRUST_COPIES_HPP

#include "thrust/reductions.hpp"

namespace thrust
{
// ---- one thread an element ----

struct rd_generate_n {
    template <class I, class N, class F> I operator()(const rd_run &how, I first, N n, F f) const
    {
        rd_generate()(how, first, first + (ptrdiff_t)n, f);
        return first + (ptrdiff_t)n;
    }
};
RD_ALGORITHM(generate_n)
struct rd_gather_if {
    template <class M, class S, class I, class O, class P = identity<>>
    O operator()(const rd_run &how, M first, M last, S stencil, I from, O to, P p = P()) const
    {
        auto at = make_permutation_iterator(from, first);
        return rd_transform_if()(how, at, at + (last - first), stencil, to, identity<>(), p);
    }
};
RD_ALGORITHM(gather_if)
struct rd_scatter_if {
    template <class I, class M, class S, class O, class P = identity<>>
    void operator()(const rd_run &how, I first, I last, M map, S stencil, O to, P p = P()) const
    {
        rd_transform_if()(how, first, last, stencil, make_permutation_iterator(to, map),
                          identity<>(), p);
    }
};
RD_ALGORITHM(scatter_if)
struct rd_replace_copy_if {
    template <class I, class O, class P, class T>
    O operator()(const rd_run &how, I first, I last, O to, P p, const T &value) const
    {
        const rd_value_of<O> put = value;
        return rd_transform()(how, first, last, to, [=](const rd_value_of<I> &x) {
            P test = p;
            return test(x) ? put : (rd_value_of<O>)x;
        });
    }
};
RD_ALGORITHM(replace_copy_if)
struct rd_replace_copy {
    template <class I, class O, class T>
    O operator()(const rd_run &how, I first, I last, O to, const T &old, const T &value) const
    {
        return rd_replace_copy_if()(how, first, last, to, rd_equals<T>{old}, value);
    }
};
RD_ALGORITHM(replace_copy)
struct rd_reverse_copy {
    template <class I, class O> O operator()(const rd_run &how, I first, I last, O to) const
    {
        return rd_copy()(how, make_reverse_iterator(last), make_reverse_iterator(first), to);
    }
};
RD_ALGORITHM(reverse_copy)
struct rd_swap_ranges {
    template <class I, class J> J operator()(const rd_run &how, I first, I last, J other) const
    {
        auto at = rd_raw(first);
        auto second = rd_raw(other);
        how.each((size_t)(last - first), [=](size_t k) {
            const rd_value_of<I> x = at[(ptrdiff_t)k];
            at[(ptrdiff_t)k] = (rd_value_of<J>)second[(ptrdiff_t)k];
            second[(ptrdiff_t)k] = x;
        });
        how.finish();
        return other + (last - first);
    }
};
RD_ALGORITHM(swap_ranges)
typedef rd_copy rd_uninitialized_copy;
typedef rd_fill rd_uninitialized_fill;
RD_ALGORITHM(uninitialized_copy)
RD_ALGORITHM(uninitialized_fill)

// ---- one thread ----

struct rd_remove_copy {
    template <class I, class O, class T>
    O operator()(const rd_run &how, I first, I last, O to, const T &value) const
    {
        return rd_remove_copy_if()(how, first, last, to, rd_equals<T>{value});
    }
};
RD_ALGORITHM(remove_copy)
struct rd_stable_partition_copy {
    template <class I, class O, class Q, class P>
    pair<O, Q> operator()(const rd_run &how, I first, I last, O to, Q others, P p) const
    {
        return (*this)(how, first, last, first, to, others, p);
    }
    template <class I, class S, class O, class Q, class P>
    pair<O, Q> operator()(const rd_run &how, I first, I last, S stencil, O to, Q others, P p) const
    {
        O end = rd_copy_if()(how, first, last, stencil, to, p);
        return {end, rd_copy_if()(how, first, last, stencil, others, rd_not<P>{p})};
    }
};
typedef rd_stable_partition_copy rd_partition_copy;
RD_ALGORITHM(stable_partition_copy)
RD_ALGORITHM(partition_copy)
struct rd_partition_point {
    template <class I, class P> I operator()(const rd_run &how, I first, I last, P p) const
    {
        return rd_find_if_not()(how, first, last, p);
    }
};
RD_ALGORITHM(partition_point)
struct rd_is_partitioned {
    template <class I, class P> bool operator()(const rd_run &how, I first, I last, P p) const
    {
        return rd_none_of()(how, rd_find_if_not()(how, first, last, p), last, p);
    }
};
RD_ALGORITHM(is_partitioned)
struct rd_mismatch {
    template <class I, class J, class P = equal_to<>>
    pair<I, J> operator()(const rd_run &how, I first, I last, J other, P p = P()) const
    {
        auto at = rd_raw(first);
        auto second = rd_raw(other);
        const ptrdiff_t n = last - first;
        const ptrdiff_t same = how.template value<ptrdiff_t>([=]() {
            rd_called<P> test = {p};
            ptrdiff_t k = 0;
            while (k < n && test(at[k], second[k]))
                k++;
            return k;
        });
        return {first + same, other + same};
    }
};
RD_ALGORITHM(mismatch)
struct rd_exclusive_scan_by_key {
    template <class I, class J, class O>
    O operator()(const rd_run &how, I first, I last, J values, O to) const
    {
        return (*this)(how, first, last, values, to, rd_value_of<J>());
    }
    template <class I, class J, class O, class T, class P = equal_to<>, class F = plus<>>
    O operator()(const rd_run &how, I first, I last, J values, O to, T init, P p = P(),
                 F f = F()) const
    {
        auto keys = rd_raw(first);
        auto at = rd_raw(values);
        auto out = rd_raw(to);
        const ptrdiff_t n = last - first;
        how.once([=]() {
            rd_called<P> same = {p};
            rd_called<F> own = {f};
            T sum = init;
            rd_keys_before<rd_value_of<I>> before;
            for (ptrdiff_t k = 0; k < n; k++) {
                const rd_value_of<J> value = at[k]; // values and keys may be in place
                if (!before.goes_on(same, keys[k]))
                    sum = init;
                out[k] = sum;
                sum = (T)own(sum, value);
            }
        });
        how.finish();
        return to + n;
    }
};
RD_ALGORITHM(exclusive_scan_by_key)
} // namespace thrust

#endif
