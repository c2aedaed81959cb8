// SPDX-License-Identifier: MIT
// Thrust's algorithms: each a function object that is told how it is to run, and a function of Thrust's name.
#ifndef RD_THRUST_ALGORITHMS_HPP
#define RD_THRUST_ALGORITHMS_HPP

#include "thrust/vectors.hpp"

namespace thrust
{
template <class T> struct rd_is_policy : std::is_same<T, rd_policy> {
};
// Of iterators, where most of them want to be; other arguments have no say.
template <class I, class = void> struct rd_where {
    static constexpr rd_system value = rd_any;
};
template <class I>
struct rd_where<I, typename std::enable_if<!std::is_void<
                       typename std::iterator_traits<I>::iterator_category>::value>::type> {
    static constexpr rd_system value = rd_place<I>::where;
};
template <class F, class... A>
RD_UNSEEN auto rd_call_algorithm(F f, const char *name, const void *pc, rd_policy policy, A... a)
{
    const rd_run how = {policy.where, policy.stream, rd_library_called(name, pc)};
    return f(how, a...);
}
template <class F, class A, class... B>
RD_UNSEEN
    typename std::enable_if<!rd_is_policy<A>::value,
                            decltype(std::declval<F>()(std::declval<rd_run>(), std::declval<A>(),
                                                       std::declval<B>()...))>::type
    rd_call_algorithm(F f, const char *name, const void *pc, A a, B... b)
{
    constexpr rd_system where = rd_most<rd_where<A>::value, rd_where<B>::value...>::value;
    const rd_run how = {where == rd_any ? rd_device : where, 0, rd_library_called(name, pc)};
    return f(how, a, b...);
}
#define RD_ALGORITHM(name)                                                                         \
    template <class... A> RD_BARE auto name(A... a)                                                \
    {                                                                                              \
        return rd_call_algorithm(rd_##name(), "thrust::" #name, __builtin_return_address(0),       \
                                 a...);                                                            \
    }

// ---- one thread an element ----

struct rd_for_each_n {
    template <class I, class N, class F> I operator()(const rd_run &how, I first, N n, F f) const
    {
        auto at = rd_raw(first);
        how.each((size_t)n, [=](size_t k) {
            F own = f;
            own(at[(ptrdiff_t)k]);
        });
        how.finish();
        return first + (ptrdiff_t)n;
    }
};
RD_ALGORITHM(for_each_n)
struct rd_for_each {
    template <class I, class F> I operator()(const rd_run &how, I first, I last, F f) const
    {
        return rd_for_each_n()(how, first, last - first, f);
    }
};
RD_ALGORITHM(for_each)
struct rd_transform {
    template <class I, class O, class F>
    O operator()(const rd_run &how, I first, I last, O to, F f) const
    {
        auto from = rd_raw(first);
        auto out = rd_raw(to);
        how.each((size_t)(last - first), [=](size_t k) {
            F own = f;
            out[(ptrdiff_t)k] = own(from[(ptrdiff_t)k]);
        });
        how.finish();
        return to + (last - first);
    }
    template <class I, class J, class O, class F>
    O operator()(const rd_run &how, I first, I last, J other, O to, F f) const
    {
        auto from = rd_raw(first);
        auto second = rd_raw(other);
        auto out = rd_raw(to);
        how.each((size_t)(last - first), [=](size_t k) {
            F own = f;
            out[(ptrdiff_t)k] = own(from[(ptrdiff_t)k], second[(ptrdiff_t)k]);
        });
        how.finish();
        return to + (last - first);
    }
};
RD_ALGORITHM(transform)
struct rd_transform_if {
    template <class I, class O, class F, class P>
    O operator()(const rd_run &how, I first, I last, O to, F f, P p) const
    {
        return (*this)(how, first, last, first, to, f, p);
    }
    template <class I, class S, class O, class F, class P>
    O operator()(const rd_run &how, I first, I last, S stencil, O to, F f, P p) const
    {
        auto from = rd_raw(first);
        auto tested = rd_raw(stencil);
        auto out = rd_raw(to);
        how.each((size_t)(last - first), [=](size_t k) {
            F own = f;
            P test = p;
            if (test(tested[(ptrdiff_t)k]))
                out[(ptrdiff_t)k] = own(from[(ptrdiff_t)k]);
        });
        how.finish();
        return to + (last - first);
    }
};
RD_ALGORITHM(transform_if)
struct rd_tabulate {
    template <class I, class F> void operator()(const rd_run &how, I first, I last, F f) const
    {
        auto out = rd_raw(first);
        how.each((size_t)(last - first), [=](size_t k) {
            F own = f;
            out[(ptrdiff_t)k] = own((ptrdiff_t)k);
        });
        how.finish();
    }
};
RD_ALGORITHM(tabulate)
struct rd_fill {
    template <class I, class T>
    void operator()(const rd_run &how, I first, I last, const T &value) const
    {
        const rd_value_of<I> filled = value;
        rd_tabulate()(how, first, last, [=](ptrdiff_t) { return filled; });
    }
};
RD_ALGORITHM(fill)
struct rd_fill_n {
    template <class I, class N, class T>
    I operator()(const rd_run &how, I first, N n, const T &value) const
    {
        rd_fill()(how, first, first + (ptrdiff_t)n, value);
        return first + (ptrdiff_t)n;
    }
};
RD_ALGORITHM(fill_n)
struct rd_sequence {
    template <class I> void operator()(const rd_run &how, I first, I last) const
    {
        (*this)(how, first, last, rd_value_of<I>(0));
    }
    template <class I, class T>
    void operator()(const rd_run &how, I first, I last, T from, T step = T(1)) const
    {
        typedef rd_value_of<I> V;
        rd_tabulate()(how, first, last, [=](ptrdiff_t k) { return (V)((V)from + (V)step * (V)k); });
    }
};
RD_ALGORITHM(sequence)
struct rd_generate {
    template <class I, class F> void operator()(const rd_run &how, I first, I last, F f) const
    {
        auto out = rd_raw(first);
        const size_t n = (size_t)(last - first);
        if (how.launches()) {
            how.each(n, [=](size_t k) {
                F own = f;
                out[(ptrdiff_t)k] = own();
            });
            how.finish();
            return;
        }
        for (size_t k = 0; k < n; k++)
            out[(ptrdiff_t)k] = f();
    }
};
RD_ALGORITHM(generate)

// Between the host and the device by a copy of CUDA's; what is no array goes by way of one.
template <class T> RD_UNSEEN void rd_copy_bytes(T *to, const T *from, size_t n, cudaMemcpyKind kind)
{
    const cudaError_t error =
        n > 0 ? cudaMemcpy((void *)to, (const void *)from, n * sizeof(T), kind) : cudaSuccess;
    if (error != cudaSuccess)
        throw system_error(error, cuda_category(), "thrust::copy");
}
template <class T, class D> const T *rd_array_of(std::vector<T> &room, const T *first, D)
{
    return first;
}
template <class I>
struct rd_is_random : std::is_base_of<std::random_access_iterator_tag,
                                      typename std::iterator_traits<I>::iterator_category> {
};
struct rd_copy {
    template <class I, class O> O operator()(const rd_run &how, I first, I last, O to) const
    {
        constexpr rd_system from = rd_place<I>::where, out = rd_place<O>::where;
        return go(how, first, last, to, std::integral_constant < int,
                  !rd_is_random<I>::value               ? 3
                  : !rd_is_random<O>::value             ? 4
                  : from == rd_host && out == rd_device ? 1
                  : from == rd_device && out == rd_host ? 2
                                                        : 0 > ());
    }

  private:
    template <class I, class O>
    O go(const rd_run &how, I first, I last, O to, std::integral_constant<int, 0>) const
    {
        return rd_transform()(how, first, last, to, identity<rd_value_of<I>>());
    }
    // From the host. Pointers that a policy says are the device's are so.
    template <class I, class O>
    O go(const rd_run &how, I first, I last, O to, std::integral_constant<int, 1>) const
    {
        typedef rd_value_of<I> T;
        const size_t n = (size_t)(last - first);
        std::vector<T> all(n);
        for (size_t k = 0; k < n; k++)
            all[k] = (T)first[(ptrdiff_t)k];
        const rd_run device_run = {rd_device, how.stream, how.site};
        rd_scratch<T> there(device_run, n);
        rd_copy_bytes(there.data, (const T *)all.data(), n, cudaMemcpyHostToDevice);
        rd_transform()(device_run, device_ptr<T>(there.data), device_ptr<T>(there.data + n), to,
                       identity<T>());
        return to + (ptrdiff_t)n;
    }
    template <class I, class O>
    O go(const rd_run &how, I first, I last, O to, std::integral_constant<int, 2>) const
    {
        typedef rd_value_of<I> T;
        const size_t n = (size_t)(last - first);
        const rd_run device_run = {rd_device, how.stream, how.site};
        rd_scratch<T> there(device_run, n);
        rd_transform()(device_run, first, last, device_ptr<T>(there.data), identity<T>());
        std::vector<T> all(n);
        rd_copy_bytes(all.data(), (const T *)there.data, n, cudaMemcpyDeviceToHost);
        for (size_t k = 0; k < n; k++)
            to[(ptrdiff_t)k] = all[k];
        return to + (ptrdiff_t)n;
    }
    // From a list of the host's, or a stream.
    template <class I, class O>
    O go(const rd_run &how, I first, I last, O to, std::integral_constant<int, 3>) const
    {
        std::vector<rd_value_of<I>> all(first, last);
        return (*this)(how, all.begin(), all.end(), to);
    }
    // To what takes one after the other on the host: a stream, or the end of a vector.
    template <class I, class O>
    O go(const rd_run &how, I first, I last, O to, std::integral_constant<int, 4>) const
    {
        std::vector<rd_value_of<I>> all((size_t)(last - first));
        (*this)(how, first, last, all.begin());
        for (const auto &x : all) {
            *to = x;
            ++to;
        }
        return to;
    }
    template <class T>
    T *go(const rd_run &, device_ptr<T> first, device_ptr<T> last, T *to,
          std::integral_constant<int, 2>) const
    {
        rd_copy_bytes(to, (const T *)first.get(), (size_t)(last - first), cudaMemcpyDeviceToHost);
        return to + (last - first);
    }
    template <class T>
    device_ptr<T> go(const rd_run &, T *first, T *last, device_ptr<T> to,
                     std::integral_constant<int, 1>) const
    {
        rd_copy_bytes(to.get(), (const T *)first, (size_t)(last - first), cudaMemcpyHostToDevice);
        return to + (last - first);
    }
};
RD_ALGORITHM(copy)
struct rd_copy_n {
    template <class I, class N, class O> O operator()(const rd_run &how, I first, N n, O to) const
    {
        return rd_copy()(how, first, first + (ptrdiff_t)n, to);
    }
};
RD_ALGORITHM(copy_n)
struct rd_gather {
    template <class M, class I, class O>
    O operator()(const rd_run &how, M first, M last, I from, O to) const
    {
        return rd_copy()(how, make_permutation_iterator(from, first),
                         make_permutation_iterator(from, last), to);
    }
};
RD_ALGORITHM(gather)
struct rd_scatter {
    template <class I, class M, class O>
    void operator()(const rd_run &how, I first, I last, M map, O to) const
    {
        rd_copy()(how, first, last, make_permutation_iterator(to, map));
    }
};
RD_ALGORITHM(scatter)
struct rd_replace_if {
    template <class I, class P, class T>
    void operator()(const rd_run &how, I first, I last, P p, const T &value) const
    {
        auto at = rd_raw(first);
        const rd_value_of<I> put = value;
        how.each((size_t)(last - first), [=](size_t k) {
            P test = p;
            if (test(at[(ptrdiff_t)k]))
                at[(ptrdiff_t)k] = put;
        });
        how.finish();
    }
};
RD_ALGORITHM(replace_if)
struct rd_replace {
    template <class I, class T>
    void operator()(const rd_run &how, I first, I last, const T &old, const T &value) const
    {
        const T wanted = old;
        rd_replace_if()(
            how, first, last, [=](const rd_value_of<I> &x) { return x == wanted; }, value);
    }
};
RD_ALGORITHM(replace)
struct rd_adjacent_difference {
    template <class I, class O, class F = minus<>>
    O operator()(const rd_run &how, I first, I last, O to, F f = F()) const
    {
        auto from = rd_raw(first);
        auto out = rd_raw(to);
        how.each((size_t)(last - first), [=](size_t k) {
            F own = f;
            out[(ptrdiff_t)k] = k == 0
                                    ? (rd_value_of<O>)from[0]
                                    : (rd_value_of<O>)own((rd_value_of<I>)from[(ptrdiff_t)k],
                                                          (rd_value_of<I>)from[(ptrdiff_t)k - 1]);
        });
        how.finish();
        return to + (last - first);
    }
};
RD_ALGORITHM(adjacent_difference)
struct rd_reverse {
    template <class I> void operator()(const rd_run &how, I first, I last) const
    {
        auto at = rd_raw(first);
        const size_t n = (size_t)(last - first);
        how.each(n / 2, [=](size_t k) {
            rd_value_of<I> x = at[(ptrdiff_t)k];
            at[(ptrdiff_t)k] = (rd_value_of<I>)at[(ptrdiff_t)(n - 1 - k)];
            at[(ptrdiff_t)(n - 1 - k)] = x;
        });
        how.finish();
    }
};
RD_ALGORITHM(reverse)

// ---- searches in sorted sequences ----

template <class I, class T, class C>
ptrdiff_t rd_bound(I at, ptrdiff_t n, const T &value, C less, bool upper)
{
    ptrdiff_t low = 0;
    while (n > 0) {
        const ptrdiff_t half = n / 2;
        const rd_value_of<I> x = at[low + half];
        if (upper ? !less(value, x) : less(x, value)) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return low;
}
template <bool upper> struct rd_bounds {
    template <class I, class T, class C = thrust::less<>>
    typename std::enable_if<rd_where<T>::value == rd_any && rd_where<C>::value == rd_any, I>::type
    operator()(const rd_run &how, I first, I last, const T &value, C less = C()) const
    {
        auto at = rd_raw(first);
        const T own = value;
        const ptrdiff_t n = last - first;
        return first +
               how.template value<ptrdiff_t>([=]() { return rd_bound(at, n, own, less, upper); });
    }
    template <class I, class J, class O, class C = thrust::less<>>
    O operator()(const rd_run &how, I first, I last, J values, J values_end, O to,
                 C less = C()) const
    {
        auto at = rd_raw(first);
        auto from = rd_raw(values);
        auto out = rd_raw(to);
        const ptrdiff_t n = last - first;
        how.each((size_t)(values_end - values), [=](size_t k) {
            const rd_value_of<J> value = from[(ptrdiff_t)k];
            out[(ptrdiff_t)k] = (rd_value_of<O>)rd_bound(at, n, value, less, upper);
        });
        how.finish();
        return to + (values_end - values);
    }
};
typedef rd_bounds<false> rd_lower_bound;
typedef rd_bounds<true> rd_upper_bound;
RD_ALGORITHM(lower_bound)
RD_ALGORITHM(upper_bound)
struct rd_binary_search {
    template <class I, class T, class C = thrust::less<>>
    bool operator()(const rd_run &how, I first, I last, const T &value, C less = C()) const
    {
        auto at = rd_raw(first);
        const T own = value;
        const ptrdiff_t n = last - first;
        return how.template value<bool>([=]() {
            const ptrdiff_t k = rd_bound(at, n, own, less, false);
            return k < n && !less(own, (rd_value_of<I>)at[k]);
        });
    }
};
RD_ALGORITHM(binary_search)
} // namespace thrust

#endif
