// SPDX-License-Identifier: MIT
// Thrust's function objects, tuples and pairs.
#ifndef RD_THRUST_FUNCTIONAL_HPP
#define RD_THRUST_FUNCTIONAL_HPP

#include "thrust/system.hpp"

namespace thrust
{
using std::get;
using std::make_pair;
using std::make_tuple;
using std::max;
using std::min;
using std::pair;
using std::swap;
using std::tie;
using std::tuple;
using std::tuple_element;
using std::tuple_size;
struct null_type {
};

#define RD_BINARY(name, R, expression)                                                             \
    template <class T = void> struct name {                                                        \
        typedef T first_argument_type, second_argument_type;                                       \
        typedef R result_type;                                                                     \
        constexpr R operator()(const T &x, const T &y) const                                       \
        {                                                                                          \
            return expression;                                                                     \
        }                                                                                          \
    };                                                                                             \
    template <> struct name<void> {                                                                \
        template <class X, class Y>                                                                \
        constexpr auto operator()(const X &x, const Y &y) const -> decltype(expression)            \
        {                                                                                          \
            return expression;                                                                     \
        }                                                                                          \
    };
RD_BINARY(plus, T, x + y)
RD_BINARY(minus, T, x - y)
RD_BINARY(multiplies, T, x *y)
RD_BINARY(divides, T, x / y)
RD_BINARY(modulus, T, x % y)
RD_BINARY(bit_and, T, x &y)
RD_BINARY(bit_or, T, x | y)
RD_BINARY(bit_xor, T, x ^ y)
RD_BINARY(maximum, T, x < y ? y : x)
RD_BINARY(minimum, T, y < x ? y : x)
RD_BINARY(equal_to, bool, x == y)
RD_BINARY(not_equal_to, bool, x != y)
RD_BINARY(less, bool, x < y)
RD_BINARY(less_equal, bool, x <= y)
RD_BINARY(greater, bool, x > y)
RD_BINARY(greater_equal, bool, x >= y)
RD_BINARY(logical_and, bool, x &&y)
RD_BINARY(logical_or, bool, x || y)
#define RD_UNARY(name, R, expression)                                                              \
    template <class T = void> struct name {                                                        \
        typedef T argument_type;                                                                   \
        typedef R result_type;                                                                     \
        constexpr R operator()(const T &x) const                                                   \
        {                                                                                          \
            return expression;                                                                     \
        }                                                                                          \
    };                                                                                             \
    template <> struct name<void> {                                                                \
        template <class X> constexpr auto operator()(const X &x) const -> decltype(expression)     \
        {                                                                                          \
            return expression;                                                                     \
        }                                                                                          \
    };
RD_UNARY(negate, T, -x)
RD_UNARY(square, T, x *x)
RD_UNARY(logical_not, bool, !x)
template <class T = void> struct identity {
    typedef T argument_type, result_type;
    template <class X> constexpr X operator()(X x) const
    {
        return x;
    }
};
template <class A = void, class R = void> struct unary_function {
    typedef A argument_type;
    typedef R result_type;
};
template <class A = void, class B = void, class R = void> struct binary_function {
    typedef A first_argument_type;
    typedef B second_argument_type;
    typedef R result_type;
};
template <class F> struct rd_not {
    F f;
    template <class... A> bool operator()(const A &...a) const
    {
        F own = f; // it may not be const
        return !own(a...);
    }
};
template <class F> rd_not<F> not_fn(F f)
{
    return {f};
}
template <class F> rd_not<F> not1(F f)
{
    return {f};
}
template <class F> rd_not<F> not2(F f)
{
    return {f};
}

// ---- expressions of _1 and _2 ----

template <class F> struct rd_expression {
    F f;
    template <class... A> auto operator()(const A &...a) const
    {
        return f(std::tuple<const A &...>(a...));
    }
};
template <class T> struct rd_is_expression : std::false_type {
};
template <class F> struct rd_is_expression<rd_expression<F>> : std::true_type {
};
template <int number> struct rd_argument {
    template <class A> auto operator()(const A &all) const
    {
        return std::get<number>(all);
    }
};
template <class F, class A> auto rd_evaluate(const rd_expression<F> &x, const A &all)
{
    return x.f(all);
}
template <class T, class A> T rd_evaluate(const T &x, const A &)
{
    return x;
}
template <class F> rd_expression<F> rd_make_expression(F f)
{
    return {f};
}
#define RD_OPERATOR(op)                                                                            \
    template <class X, class Y,                                                                    \
              class = typename std::enable_if<rd_is_expression<X>::value ||                        \
                                              rd_is_expression<Y>::value>::type>                   \
    auto operator op(const X &x, const Y &y)                                                       \
    {                                                                                              \
        return rd_make_expression(                                                                 \
            [=](const auto &all) { return rd_evaluate(x, all) op rd_evaluate(y, all); });          \
    }
RD_OPERATOR(+)
RD_OPERATOR(-)
RD_OPERATOR(*)
RD_OPERATOR(/)
RD_OPERATOR(%)
RD_OPERATOR(<)
RD_OPERATOR(>)
RD_OPERATOR(<=)
RD_OPERATOR(>=)
RD_OPERATOR(==)
RD_OPERATOR(!=)
RD_OPERATOR(&&)
RD_OPERATOR(||)
template <class F> auto operator-(const rd_expression<F> &x)
{
    return rd_make_expression([=](const auto &all) { return -rd_evaluate(x, all); });
}
namespace placeholders
{
static const rd_expression<rd_argument<0>> _1 = {};
static const rd_expression<rd_argument<1>> _2 = {};
static const rd_expression<rd_argument<2>> _3 = {};
} // namespace placeholders
} // namespace thrust

#endif
