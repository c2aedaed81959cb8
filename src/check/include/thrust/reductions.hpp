// SPDX-License-Identifier: MIT
// Thrust's reductions, scans and selections, each by one thread, from the first element on: of floats, a device's sums may differ
// in the last bits.
#ifndef RD_THRUST_REDUCTIONS_HPP
#define RD_THRUST_REDUCTIONS_HPP

#include "thrust/algorithms.hpp"

namespace thrust
{
// What is summed in: on the device what the operation makes of the initial value and an element, on the host the type of the
// initial value.
template <class F, class T, class V>
using rd_sum_type =
    typename std::decay<decltype(std::declval<F &>()(std::declval<T>(), std::declval<V>()))>::type;
template <class A, class T, class F, class G> T rd_sum(ptrdiff_t n, T init, F own, G at)
{
    A sum = (A)init;
    for (ptrdiff_t k = 0; k < n; k++)
        sum = (A)own(sum, at(k));
    return (T)sum;
}
struct rd_reduce {
    template <class I> rd_value_of<I> operator()(const rd_run &how, I first, I last) const
    {
        return (*this)(how, first, last, rd_value_of<I>(), plus<rd_value_of<I>>());
    }
    template <class I, class T, class F = plus<T>>
    T operator()(const rd_run &how, I first, I last, T init, F f = F()) const
    {
        auto at = rd_raw(first);
        const ptrdiff_t n = last - first;
        const bool is_device = how.where == rd_device;
        return how.template value<T>([=]() {
            typedef rd_sum_type<F, T, rd_value_of<I>> A;
            rd_called<F> own = {f};
            auto element = [=](ptrdiff_t k) -> decltype(auto) { return at[k]; };
            return is_device ? rd_sum<A>(n, init, own, element) : rd_sum<T>(n, init, own, element);
        });
    }
};
RD_ALGORITHM(reduce)
struct rd_transform_reduce {
    template <class I, class U, class T, class F>
    T operator()(const rd_run &how, I first, I last, U unary, T init, F f) const
    {
        auto at = rd_raw(first);
        const ptrdiff_t n = last - first;
        const bool is_device = how.where == rd_device;
        return how.template value<T>([=]() {
            rd_called<F> own = {f};
            rd_called<U> of = {unary};
            typedef typename std::decay<decltype(of(at[0]))>::type V;
            typedef rd_sum_type<F, T, V> A;
            auto element = [=](ptrdiff_t k) mutable { return of(at[k]); };
            return is_device ? rd_sum<A>(n, init, own, element) : rd_sum<T>(n, init, own, element);
        });
    }
};
RD_ALGORITHM(transform_reduce)
struct rd_inner_product {
    template <class I, class J, class T, class F = plus<T>, class G = multiplies<T>>
    T operator()(const rd_run &how, I first, I last, J other, T init, F f = F(), G g = G()) const
    {
        auto at = rd_raw(first);
        auto second = rd_raw(other);
        const ptrdiff_t n = last - first;
        const bool is_device = how.where == rd_device;
        return how.template value<T>([=]() {
            rd_called<F> own = {f};
            rd_called<G> product = {g};
            typedef typename std::decay<decltype(product(at[0], second[0]))>::type V;
            typedef rd_sum_type<F, T, V> A;
            auto element = [=](ptrdiff_t k) mutable { return product(at[k], second[k]); };
            return is_device ? rd_sum<A>(n, init, own, element) : rd_sum<T>(n, init, own, element);
        });
    }
};
RD_ALGORITHM(inner_product)
struct rd_count_if {
    template <class I, class P> ptrdiff_t operator()(const rd_run &how, I first, I last, P p) const
    {
        auto at = rd_raw(first);
        const ptrdiff_t n = last - first;
        return how.template value<ptrdiff_t>([=]() {
            rd_called<P> test = {p};
            ptrdiff_t count = 0;
            for (ptrdiff_t k = 0; k < n; k++)
                count += test(at[k]) ? 1 : 0;
            return count;
        });
    }
};
RD_ALGORITHM(count_if)
template <class T> struct rd_equals {
    T value;
    template <class X> bool operator()(const X &x) const
    {
        return x == value;
    }
};
struct rd_count {
    template <class I, class T>
    ptrdiff_t operator()(const rd_run &how, I first, I last, const T &value) const
    {
        return rd_count_if()(how, first, last, rd_equals<T>{value});
    }
};
RD_ALGORITHM(count)
struct rd_find_if {
    template <class I, class P> I operator()(const rd_run &how, I first, I last, P p) const
    {
        auto at = rd_raw(first);
        const ptrdiff_t n = last - first;
        return first + how.template value<ptrdiff_t>([=]() {
            rd_called<P> test = {p};
            ptrdiff_t k = 0;
            while (k < n && !test(at[k]))
                k++;
            return k;
        });
    }
};
RD_ALGORITHM(find_if)
struct rd_find_if_not {
    template <class I, class P> I operator()(const rd_run &how, I first, I last, P p) const
    {
        return rd_find_if()(how, first, last, rd_not<P>{p});
    }
};
RD_ALGORITHM(find_if_not)
struct rd_find {
    template <class I, class T>
    I operator()(const rd_run &how, I first, I last, const T &value) const
    {
        return rd_find_if()(how, first, last, rd_equals<T>{value});
    }
};
RD_ALGORITHM(find)
struct rd_any_of {
    template <class I, class P> bool operator()(const rd_run &how, I first, I last, P p) const
    {
        return rd_find_if()(how, first, last, p) != last;
    }
};
RD_ALGORITHM(any_of)
struct rd_all_of {
    template <class I, class P> bool operator()(const rd_run &how, I first, I last, P p) const
    {
        return rd_find_if()(how, first, last, rd_not<P>{p}) == last;
    }
};
RD_ALGORITHM(all_of)
struct rd_none_of {
    template <class I, class P> bool operator()(const rd_run &how, I first, I last, P p) const
    {
        return rd_find_if()(how, first, last, p) == last;
    }
};
RD_ALGORITHM(none_of)
// The first of the elements that none comes before, by `less`.
template <class I, class C> ptrdiff_t rd_extreme(I at, ptrdiff_t n, C less_)
{
    rd_called<C> less = {less_};
    ptrdiff_t found = 0;
    for (ptrdiff_t k = 1; k < n; k++)
        if (less(at[k], at[found]))
            found = k;
    return found;
}
struct rd_min_element {
    template <class I, class C = thrust::less<>>
    I operator()(const rd_run &how, I first, I last, C less = C()) const
    {
        auto at = rd_raw(first);
        const ptrdiff_t n = last - first;
        return first + how.template value<ptrdiff_t>([=]() { return rd_extreme(at, n, less); });
    }
};
RD_ALGORITHM(min_element)
template <class C> struct rd_turned {
    C less;
    template <class X, class Y> bool operator()(const X &x, const Y &y) const
    {
        return less(y, x);
    }
};
struct rd_max_element {
    template <class I, class C = thrust::less<>>
    I operator()(const rd_run &how, I first, I last, C less = C()) const
    {
        return rd_min_element()(how, first, last, rd_turned<C>{less});
    }
};
RD_ALGORITHM(max_element)
struct rd_minmax_element {
    template <class I, class C = thrust::less<>>
    pair<I, I> operator()(const rd_run &how, I first, I last, C less = C()) const
    {
        return {rd_min_element()(how, first, last, less), rd_max_element()(how, first, last, less)};
    }
};
RD_ALGORITHM(minmax_element)
struct rd_equal {
    template <class I, class J, class P = equal_to<>>
    bool operator()(const rd_run &how, I first, I last, J other, P p = P()) const
    {
        auto at = rd_raw(first);
        auto second = rd_raw(other);
        const ptrdiff_t n = last - first;
        return how.template value<bool>([=]() {
            rd_called<P> test = {p};
            ptrdiff_t k = 0;
            while (k < n && test(at[k], second[k]))
                k++;
            return k == n;
        });
    }
};
RD_ALGORITHM(equal)

// ---- scans ----

struct rd_inclusive_scan {
    template <class I, class O, class F = plus<>>
    O operator()(const rd_run &how, I first, I last, O to, F f = F()) const
    {
        return rd_transformed(how, first, last, to, identity<>(), f);
    }
    template <class I, class O, class U, class F>
    static O rd_transformed(const rd_run &how, I first, I last, O to, U unary, F f)
    {
        auto at = rd_raw(first);
        auto out = rd_raw(to);
        const ptrdiff_t n = last - first;
        how.once([=]() {
            typedef typename std::decay<decltype(unary((rd_value_of<I>)at[0]))>::type T;
            rd_called<F> own = {f};
            rd_called<U> of = {unary};
            if (n == 0)
                return;
            T sum = of((rd_value_of<I>)at[0]);
            out[0] = sum;
            for (ptrdiff_t k = 1; k < n; k++)
                out[k] = sum = (T)own(sum, of((rd_value_of<I>)at[k]));
        });
        how.finish();
        return to + n;
    }
};
RD_ALGORITHM(inclusive_scan)
struct rd_transform_inclusive_scan {
    template <class I, class O, class U, class F>
    O operator()(const rd_run &how, I first, I last, O to, U unary, F f) const
    {
        return rd_inclusive_scan::rd_transformed(how, first, last, to, unary, f);
    }
};
RD_ALGORITHM(transform_inclusive_scan)
struct rd_exclusive_scan {
    template <class I, class O> O operator()(const rd_run &how, I first, I last, O to) const
    {
        return (*this)(how, first, last, to, rd_value_of<I>(), plus<>());
    }
    template <class I, class O, class T, class F = plus<>>
    O operator()(const rd_run &how, I first, I last, O to, T init, F f = F()) const
    {
        return rd_transformed(how, first, last, to, identity<>(), init, f);
    }
    template <class I, class O, class U, class T, class F>
    static O rd_transformed(const rd_run &how, I first, I last, O to, U unary, T init, F f)
    {
        auto at = rd_raw(first);
        auto out = rd_raw(to);
        const ptrdiff_t n = last - first;
        how.once([=]() {
            rd_called<F> own = {f};
            rd_called<U> of = {unary};
            T sum = init;
            for (ptrdiff_t k = 0; k < n; k++) {
                const T next = (T)own(sum, of((rd_value_of<I>)at[k])); // it may be in place
                out[k] = sum;
                sum = next;
            }
        });
        how.finish();
        return to + n;
    }
};
RD_ALGORITHM(exclusive_scan)
struct rd_transform_exclusive_scan {
    template <class I, class O, class U, class T, class F>
    O operator()(const rd_run &how, I first, I last, O to, U unary, T init, F f) const
    {
        return rd_exclusive_scan::rd_transformed(how, first, last, to, unary, init, f);
    }
};
RD_ALGORITHM(transform_exclusive_scan)
// The key of the element before, which may have been overwritten.
template <class K> struct rd_keys_before {
    K key = K();
    bool is_there = false;
    // Tells whether the next key is the same.
    template <class P> bool goes_on(P &same, const K &next)
    {
        const bool goes = is_there && same(key, next);
        key = next;
        is_there = true;
        return goes;
    }
};
struct rd_inclusive_scan_by_key {
    template <class I, class J, class O, class P = equal_to<>, class F = plus<>>
    O operator()(const rd_run &how, I first, I last, J values, O to, P p = P(), F f = F()) const
    {
        auto keys = rd_raw(first);
        auto at = rd_raw(values);
        auto out = rd_raw(to);
        const ptrdiff_t n = last - first;
        how.once([=]() {
            rd_called<P> same = {p};
            rd_called<F> own = {f};
            rd_value_of<J> sum = rd_value_of<J>();
            rd_keys_before<rd_value_of<I>> before;
            for (ptrdiff_t k = 0; k < n; k++) {
                const rd_value_of<J> value = at[k]; // values and keys may be in place
                sum = before.goes_on(same, keys[k]) ? (rd_value_of<J>)own(sum, value) : value;
                out[k] = sum;
            }
        });
        how.finish();
        return to + n;
    }
};
RD_ALGORITHM(inclusive_scan_by_key)

// ---- selections: what is kept, in its order ----

template <class I, class S, class O, class P>
ptrdiff_t rd_select(I at, S tested, O out, ptrdiff_t n, P p)
{
    rd_called<P> test = {p};
    ptrdiff_t kept = 0;
    for (ptrdiff_t k = 0; k < n; k++) {
        const rd_value_of<I> x = at[k];
        if (test(tested[k]))
            out[kept++] = x;
    }
    return kept;
}
struct rd_copy_if {
    template <class I, class O, class P>
    O operator()(const rd_run &how, I first, I last, O to, P p) const
    {
        return (*this)(how, first, last, first, to, p);
    }
    template <class I, class S, class O, class P>
    O operator()(const rd_run &how, I first, I last, S stencil, O to, P p) const
    {
        auto at = rd_raw(first);
        auto tested = rd_raw(stencil);
        auto out = rd_raw(to);
        const ptrdiff_t n = last - first;
        return to +
               how.template value<ptrdiff_t>([=]() { return rd_select(at, tested, out, n, p); });
    }
};
RD_ALGORITHM(copy_if)
struct rd_remove_copy_if {
    template <class I, class O, class P>
    O operator()(const rd_run &how, I first, I last, O to, P p) const
    {
        return rd_copy_if()(how, first, last, to, rd_not<P>{p});
    }
};
RD_ALGORITHM(remove_copy_if)
struct rd_remove_if {
    template <class I, class P> I operator()(const rd_run &how, I first, I last, P p) const
    {
        return rd_copy_if()(how, first, last, first, rd_not<P>{p});
    }
    template <class I, class S, class P>
    I operator()(const rd_run &how, I first, I last, S stencil, P p) const
    {
        return rd_copy_if()(how, first, last, stencil, first, rd_not<P>{p});
    }
};
RD_ALGORITHM(remove_if)
struct rd_remove {
    template <class I, class T>
    I operator()(const rd_run &how, I first, I last, const T &value) const
    {
        return rd_remove_if()(how, first, last, rd_equals<T>{value});
    }
};
RD_ALGORITHM(remove)
struct rd_stable_partition {
    template <class I, class P> I operator()(const rd_run &how, I first, I last, P p) const
    {
        auto at = rd_raw(first);
        const ptrdiff_t n = last - first;
        rd_scratch<rd_value_of<I>> rest(how, (size_t)n);
        auto *other = rest.data;
        return first + how.template value<ptrdiff_t>([=]() {
            rd_called<P> test = {p};
            ptrdiff_t kept = 0, left = 0;
            for (ptrdiff_t k = 0; k < n; k++) {
                const rd_value_of<I> x = at[k];
                if (test(x))
                    at[kept++] = x;
                else
                    other[left++] = x;
            }
            for (ptrdiff_t k = 0; k < left; k++)
                at[kept + k] = other[k];
            return kept;
        });
    }
};
typedef rd_stable_partition rd_partition;
RD_ALGORITHM(stable_partition)
RD_ALGORITHM(partition)
struct rd_unique_copy {
    template <class I, class O, class P = equal_to<>>
    O operator()(const rd_run &how, I first, I last, O to, P p = P()) const
    {
        auto at = rd_raw(first);
        auto out = rd_raw(to);
        const ptrdiff_t n = last - first;
        return to + how.template value<ptrdiff_t>([=]() {
            rd_called<P> same = {p};
            ptrdiff_t kept = 0;
            rd_value_of<I> before = rd_value_of<I>();
            for (ptrdiff_t k = 0; k < n; k++) {
                const rd_value_of<I> x = at[k];
                if (k == 0 || !same(before, x))
                    out[kept++] = x;
                before = x;
            }
            return kept;
        });
    }
};
RD_ALGORITHM(unique_copy)
struct rd_unique {
    template <class I, class P = equal_to<>>
    I operator()(const rd_run &how, I first, I last, P p = P()) const
    {
        return rd_unique_copy()(how, first, last, first, p);
    }
};
RD_ALGORITHM(unique)
struct rd_reduce_by_key {
    template <class I, class J, class O, class Q, class P = equal_to<>, class F = plus<>>
    pair<O, Q> operator()(const rd_run &how, I first, I last, J values, O keys_to, Q values_to,
                          P p = P(), F f = F()) const
    {
        auto keys = rd_raw(first);
        auto at = rd_raw(values);
        auto keys_out = rd_raw(keys_to);
        auto out = rd_raw(values_to);
        const ptrdiff_t n = last - first;
        const ptrdiff_t runs = how.template value<ptrdiff_t>([=]() {
            rd_called<P> same = {p};
            rd_called<F> own = {f};
            ptrdiff_t run = 0;
            for (ptrdiff_t k = 0; k < n; run++) {
                const rd_value_of<I> key = keys[k];
                typename std::decay<decltype(own((rd_value_of<J>)at[k],
                                                 (rd_value_of<J>)at[k]))>::type sum =
                    (rd_value_of<J>)at[k];
                for (k++; k < n && same(key, (rd_value_of<I>)keys[k]); k++)
                    sum = own(sum, (rd_value_of<J>)at[k]);
                keys_out[run] = key;
                out[run] = sum;
            }
            return run;
        });
        return {keys_to + runs, values_to + runs};
    }
};
RD_ALGORITHM(reduce_by_key)
struct rd_unique_by_key_copy {
    template <class I, class J, class O, class Q, class P = equal_to<>>
    pair<O, Q> operator()(const rd_run &how, I first, I last, J values, O keys_to, Q values_to,
                          P p = P()) const
    {
        auto keys = rd_raw(first);
        auto at = rd_raw(values);
        auto keys_out = rd_raw(keys_to);
        auto out = rd_raw(values_to);
        const ptrdiff_t n = last - first;
        const ptrdiff_t kept = how.template value<ptrdiff_t>([=]() {
            rd_called<P> same = {p};
            ptrdiff_t n_kept = 0;
            rd_value_of<I> before = rd_value_of<I>(); // of those that are kept
            for (ptrdiff_t k = 0; k < n; k++) {
                const rd_value_of<I> key = keys[k];
                if (n_kept > 0 && same(before, key))
                    continue;
                keys_out[n_kept] = before = key;
                out[n_kept++] = (rd_value_of<J>)at[k];
            }
            return n_kept;
        });
        return {keys_to + kept, values_to + kept};
    }
};
RD_ALGORITHM(unique_by_key_copy)
struct rd_unique_by_key {
    template <class I, class J, class P = equal_to<>>
    pair<I, J> operator()(const rd_run &how, I first, I last, J values, P p = P()) const
    {
        return rd_unique_by_key_copy()(how, first, last, values, first, values, p);
    }
};
RD_ALGORITHM(unique_by_key)
} // namespace thrust

#endif
