// SPDX-License-Identifier: MIT
// Thrust's iterators.
#ifndef RD_THRUST_ITERATORS_HPP
#define RD_THRUST_ITERATORS_HPP

#include "thrust/pointers.hpp"

namespace thrust
{
// ---- fancy ones ----

template <class T, class = void, class = void, class = void>
struct counting_iterator : rd_iterator<counting_iterator<T>, T, T> {
    T count;
    explicit counting_iterator(T count_ = T()) : count(count_)
    {
    }
    T get() const
    {
        return count;
    }
    void advance(ptrdiff_t n)
    {
        count = (T)(count + n);
    }
    ptrdiff_t distance_to(const counting_iterator &other) const
    {
        return (ptrdiff_t)other.count - (ptrdiff_t)count;
    }
};
template <class T> counting_iterator<T> make_counting_iterator(T count)
{
    return counting_iterator<T>(count);
}
template <class T, class = void>
struct constant_iterator : rd_iterator<constant_iterator<T>, T, T> {
    T value;
    ptrdiff_t at;
    explicit constant_iterator(T value_ = T(), ptrdiff_t at_ = 0) : value(value_), at(at_)
    {
    }
    T get() const
    {
        return value;
    }
    void advance(ptrdiff_t n)
    {
        at += n;
    }
    ptrdiff_t distance_to(const constant_iterator &other) const
    {
        return other.at - at;
    }
};
template <class T> constant_iterator<T> make_constant_iterator(T value)
{
    return constant_iterator<T>(value);
}
struct rd_nowhere {
    template <class T> const rd_nowhere &operator=(const T &) const
    {
        return *this;
    }
};
template <class = void>
struct discard_iterator : rd_iterator<discard_iterator<>, rd_nowhere, rd_nowhere> {
    ptrdiff_t at = 0;
    rd_nowhere get() const
    {
        return {};
    }
    void advance(ptrdiff_t n)
    {
        at += n;
    }
    ptrdiff_t distance_to(const discard_iterator &other) const
    {
        return other.at - at;
    }
};
static inline discard_iterator<> make_discard_iterator()
{
    return {};
}
template <class I> using rd_value_of = typename std::iterator_traits<I>::value_type;
template <class I> using rd_reference_of = typename std::iterator_traits<I>::reference;

struct use_default {
};
// What a transform_iterator gives: what the function returns, unless it is said.
template <class F, class I, class R, class V> struct rd_transformed {
    typedef typename std::decay<V>::type type;
};
template <class F, class I, class R> struct rd_transformed<F, I, R, use_default> {
    typedef typename std::decay<R>::type type;
};
template <class F, class I> struct rd_transformed<F, I, use_default, use_default> {
    typedef
        typename std::decay<decltype(std::declval<F>()(std::declval<rd_value_of<I>>()))>::type type;
};
template <class F, class I, class R = use_default, class V = use_default>
struct transform_iterator
    : rd_iterator<transform_iterator<F, I, R, V>, typename rd_transformed<F, I, R, V>::type,
                  typename rd_transformed<F, I, R, V>::type> {
    I base_it;
    F f;
    transform_iterator(I it, F f_) : base_it(it), f(f_)
    {
    }
    typename rd_transformed<F, I, R, V>::type get() const
    {
        F own = f; // it may not be const
        return own((rd_value_of<I>)*base_it);
    }
    void advance(ptrdiff_t n)
    {
        base_it += n;
    }
    ptrdiff_t distance_to(const transform_iterator &other) const
    {
        return other.base_it - base_it;
    }
    I base() const
    {
        return base_it;
    }
};
template <class F, class I> transform_iterator<F, I> make_transform_iterator(I it, F f)
{
    return {it, f};
}
template <class E, class I>
struct permutation_iterator
    : rd_iterator<permutation_iterator<E, I>, rd_value_of<E>, rd_reference_of<E>> {
    E elements;
    I indices;
    permutation_iterator(E e, I i) : elements(e), indices(i)
    {
    }
    rd_reference_of<E> get() const
    {
        return elements[(ptrdiff_t)(rd_value_of<I>)*indices];
    }
    void advance(ptrdiff_t n)
    {
        indices += n;
    }
    ptrdiff_t distance_to(const permutation_iterator &other) const
    {
        return other.indices - indices;
    }
};
template <class E, class I> permutation_iterator<E, I> make_permutation_iterator(E e, I i)
{
    return {e, i};
}
// What is written is passed through a function on its way.
template <class F, class R> struct rd_written {
    F f;
    R to;
    template <class X> const rd_written &operator=(const X &x) const
    {
        F own = f;
        R target = to;
        target = own(x);
        return *this;
    }
};
template <class F, class O>
struct transform_output_iterator : rd_iterator<transform_output_iterator<F, O>, rd_value_of<O>,
                                               rd_written<F, rd_reference_of<O>>> {
    O out;
    F f;
    transform_output_iterator(O out_, F f_) : out(out_), f(f_)
    {
    }
    rd_written<F, rd_reference_of<O>> get() const
    {
        return {f, *out};
    }
    void advance(ptrdiff_t n)
    {
        out += n;
    }
    ptrdiff_t distance_to(const transform_output_iterator &other) const
    {
        return other.out - out;
    }
};
template <class F, class O>
transform_output_iterator<F, O> make_transform_output_iterator(O out, F f)
{
    return {out, f};
}
// And what is read through another.
template <class I, class F, class R> struct rd_passed : rd_written<F, R> {
    typedef typename std::decay<decltype(std::declval<I>()(std::declval<R>()))>::type value_type;
    I read;
    rd_passed(I read_, F f, R to) : rd_written<F, R>{f, to}, read(read_)
    {
    }
    operator value_type() const
    {
        I own = read;
        return own(this->to);
    }
    using rd_written<F, R>::operator=;
    const rd_passed &operator=(const rd_passed &other) const
    {
        rd_written<F, R>::operator=((value_type)other);
        return *this;
    }
    rd_passed(const rd_passed &) = default;
};
template <class I, class F, class O>
struct transform_input_output_iterator
    : rd_iterator<transform_input_output_iterator<I, F, O>,
                  typename rd_passed<I, F, rd_reference_of<O>>::value_type,
                  rd_passed<I, F, rd_reference_of<O>>> {
    O at;
    I read;
    F f;
    transform_input_output_iterator(O at_, I read_, F f_) : at(at_), read(read_), f(f_)
    {
    }
    rd_passed<I, F, rd_reference_of<O>> get() const
    {
        return {read, f, *at};
    }
    void advance(ptrdiff_t n)
    {
        at += n;
    }
    ptrdiff_t distance_to(const transform_input_output_iterator &other) const
    {
        return other.at - at;
    }
};
template <class I, class F, class O>
transform_input_output_iterator<I, F, O> make_transform_input_output_iterator(O at, I read, F f)
{
    return {at, read, f};
}
using std::make_reverse_iterator;
using std::reverse_iterator;

// Elements of several sequences at once, as tuples of references.
template <class T> struct zip_iterator;
template <class... I>
struct zip_iterator<tuple<I...>> : rd_iterator<zip_iterator<tuple<I...>>, tuple<rd_value_of<I>...>,
                                               tuple<rd_reference_of<I>...>> {
    tuple<I...> all;
    zip_iterator(tuple<I...> all_) : all(all_)
    {
    }
    template <size_t... K> tuple<rd_reference_of<I>...> get_all(std::index_sequence<K...>) const
    {
        return tuple<rd_reference_of<I>...>(*std::get<K>(all)...);
    }
    tuple<rd_reference_of<I>...> get() const
    {
        return get_all(std::index_sequence_for<I...>());
    }
    template <size_t... K> void advance_all(ptrdiff_t n, std::index_sequence<K...>)
    {
        (void)std::initializer_list<int>{((void)(std::get<K>(all) += n), 0)...};
    }
    void advance(ptrdiff_t n)
    {
        advance_all(n, std::index_sequence_for<I...>());
    }
    ptrdiff_t distance_to(const zip_iterator &other) const
    {
        return std::get<0>(other.all) - std::get<0>(all);
    }
    tuple<I...> get_iterator_tuple() const
    {
        return all;
    }
};
template <class... I> zip_iterator<tuple<I...>> make_zip_iterator(tuple<I...> all)
{
    return {all};
}
template <class I, class... J>
typename std::enable_if<(sizeof...(J) > 0), zip_iterator<tuple<I, J...>>>::type
make_zip_iterator(I first, J... others)
{
    return {tuple<I, J...>(first, others...)};
}
template <class F> struct zip_function {
    F f;
    template <class A, size_t... K> auto call(const A &all, std::index_sequence<K...>) const
    {
        return f(std::get<K>(all)...);
    }
    template <class... T> auto operator()(const tuple<T...> &all) const
    {
        return call(all, std::index_sequence_for<T...>());
    }
};
template <class F> zip_function<F> make_zip_function(F f)
{
    return {f};
}

// ---- where what an iterator leads to is, and the iterator without what only the host wants ----

template <class I> struct rd_place {
    static constexpr rd_system where = rd_host;
    static I raw(I it)
    {
        return it;
    }
};
template <class T> struct rd_place<device_ptr<T>> {
    static constexpr rd_system where = rd_device;
    static T *raw(device_ptr<T> it)
    {
        return it.get();
    }
};
constexpr rd_system rd_either(rd_system x, rd_system y)
{
    return x > y ? x : y;
}
template <rd_system... all> struct rd_most {
    static constexpr rd_system value = rd_any;
};
template <rd_system first, rd_system... others> struct rd_most<first, others...> {
    static constexpr rd_system value = rd_either(first, rd_most<others...>::value);
};
#define RD_ANYWHERE(...)                                                                           \
    {                                                                                              \
        static constexpr rd_system where = rd_any;                                                 \
        static __VA_ARGS__ raw(__VA_ARGS__ it)                                                     \
        {                                                                                          \
            return it;                                                                             \
        }                                                                                          \
    }
template <class T> struct rd_place<counting_iterator<T>> RD_ANYWHERE(counting_iterator<T>);
template <class T> struct rd_place<constant_iterator<T>> RD_ANYWHERE(constant_iterator<T>);
template <class T> struct rd_place<discard_iterator<T>> RD_ANYWHERE(discard_iterator<T>);
template <class I> auto rd_raw(I it) -> decltype(rd_place<I>::raw(it))
{
    return rd_place<I>::raw(it);
}
template <class F, class I> struct rd_place<transform_iterator<F, I>> {
    static constexpr rd_system where = rd_place<I>::where;
    static auto raw(transform_iterator<F, I> it)
    {
        return transform_iterator<F, decltype(rd_raw(it.base_it))>(rd_raw(it.base_it), it.f);
    }
};
template <class F, class O> struct rd_place<transform_output_iterator<F, O>> {
    static constexpr rd_system where = rd_place<O>::where;
    static auto raw(transform_output_iterator<F, O> it)
    {
        return make_transform_output_iterator(rd_raw(it.out), it.f);
    }
};
template <class I, class F, class O> struct rd_place<transform_input_output_iterator<I, F, O>> {
    static constexpr rd_system where = rd_place<O>::where;
    static auto raw(transform_input_output_iterator<I, F, O> it)
    {
        return make_transform_input_output_iterator(rd_raw(it.at), it.read, it.f);
    }
};
template <class E, class I> struct rd_place<permutation_iterator<E, I>> {
    static constexpr rd_system where = rd_either(rd_place<E>::where, rd_place<I>::where);
    static auto raw(permutation_iterator<E, I> it)
    {
        return make_permutation_iterator(rd_raw(it.elements), rd_raw(it.indices));
    }
};
template <class I> struct rd_place<std::reverse_iterator<I>> {
    static constexpr rd_system where = rd_place<I>::where;
    static auto raw(std::reverse_iterator<I> it)
    {
        return std::make_reverse_iterator(rd_raw(it.base()));
    }
};
template <class... I> struct rd_place<zip_iterator<tuple<I...>>> {
    static constexpr rd_system where = rd_most<rd_place<I>::where...>::value;
    template <size_t... K>
    static auto raw_all(const zip_iterator<tuple<I...>> &it, std::index_sequence<K...>)
    {
        return make_zip_iterator(std::make_tuple(rd_raw(std::get<K>(it.all))...));
    }
    static auto raw(zip_iterator<tuple<I...>> it)
    {
        return raw_all(it, std::index_sequence_for<I...>());
    }
};
template <class I> using rd_raw_of = decltype(rd_raw(std::declval<I>()));
template <class I> struct iterator_traits : std::iterator_traits<I> {
};
template <class I> struct iterator_value {
    typedef rd_value_of<I> type;
};
template <class I> struct iterator_difference {
    typedef ptrdiff_t type;
};
template <class I> ptrdiff_t distance(I first, I last)
{
    return last - first;
}
template <class I> void advance(I &it, ptrdiff_t n)
{
    it += n;
}
template <class I> I next(I it, ptrdiff_t n = 1)
{
    return it + n;
}
template <class I> I prev(I it, ptrdiff_t n = 1)
{
    return it - n;
}
} // namespace thrust

#endif
