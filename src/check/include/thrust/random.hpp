// SPDX-License-Identifier: MIT
// Thrust's random numbers: linear congruential engines, and distributions as those of CUDA 13.
#ifndef RD_THRUST_RANDOM_HPP
#define RD_THRUST_RANDOM_HPP

#include "thrust/functional.hpp"

#include <iostream>

namespace thrust
{
namespace random
{

template <class T, T a, T c, T m> class linear_congruential_engine
{
    T state;

  public:
    typedef T result_type;
    static const T multiplier = a, increment = c, modulus = m;
    static const T min = c == 0 ? 1 : 0, max = m - 1, default_seed = 1;

    explicit linear_congruential_engine(T value = default_seed)
    {
        seed(value);
    }
    void seed(T value = default_seed)
    {
        state = c % m == 0 && value % m == 0 ? 1 % m : value % m;
    }
    T operator()()
    {
        return state = (T)(((unsigned long long)a * state + c) % m);
    }
    // Goes on by so many numbers at once: x -> ax + c, doubled and composed.
    void discard(unsigned long long n)
    {
        unsigned long long factor = a % m, term = c % m, x = state;
        for (; n > 0; n /= 2) {
            if (n % 2)
                x = (factor * x + term) % m;
            term = (factor * term + term) % m;
            factor = factor * factor % m;
        }
        state = (T)x;
    }
    friend bool operator==(const linear_congruential_engine &one,
                           const linear_congruential_engine &other)
    {
        return one.state == other.state;
    }
    friend bool operator!=(const linear_congruential_engine &one,
                           const linear_congruential_engine &other)
    {
        return one.state != other.state;
    }
};
typedef linear_congruential_engine<unsigned, 16807, 0, 2147483647> minstd_rand0;
typedef linear_congruential_engine<unsigned, 48271, 0, 2147483647> minstd_rand;
typedef minstd_rand default_random_engine;

// What all distributions have: two parameters.
template <class T> class rd_distribution
{
  protected:
    std::pair<T, T> of;

  public:
    typedef T result_type;
    typedef std::pair<T, T> param_type;
    rd_distribution(T first, T second) : of(first, second)
    {
    }
    void reset()
    {
    }
    param_type param() const
    {
        return of;
    }
    void param(const param_type &other)
    {
        of = other;
    }
    friend bool operator==(const rd_distribution &one, const rd_distribution &other)
    {
        return one.of == other.of;
    }
};

template <class T = double> struct uniform_real_distribution : rd_distribution<T> {
    typedef typename rd_distribution<T>::param_type param_type;
    explicit uniform_real_distribution(T a = 0, T b = 1) : rd_distribution<T>(a, b)
    {
    }
    explicit uniform_real_distribution(const param_type &of)
        : rd_distribution<T>(of.first, of.second)
    {
    }
    T a() const
    {
        return this->of.first;
    }
    T b() const
    {
        return this->of.second;
    }
    template <class E> T operator()(E &engine, const param_type &of)
    {
        T x = static_cast<T>(engine() - E::min);
        x /= T(1) + static_cast<T>(E::max - E::min);
        return x * (of.second - of.first) + of.first;
    }
    template <class E> T operator()(E &engine)
    {
        return (*this)(engine, this->of);
    }
};

// By a real distribution: not all values need come, as it is in Thrust.
template <class T = int> struct uniform_int_distribution : rd_distribution<T> {
    typedef typename rd_distribution<T>::param_type param_type;
    explicit uniform_int_distribution(T a = 0, T b = std::numeric_limits<T>::max())
        : rd_distribution<T>(a, b)
    {
    }
    explicit uniform_int_distribution(const param_type &of)
        : rd_distribution<T>(of.first, of.second)
    {
    }
    T a() const
    {
        return this->of.first;
    }
    T b() const
    {
        return this->of.second;
    }
    template <class E> T operator()(E &engine, const param_type &of)
    {
        uniform_real_distribution<double> real((double)of.first, (double)of.second + 1.0);
        return static_cast<T>(real(engine));
    }
    template <class E> T operator()(E &engine)
    {
        return (*this)(engine, this->of);
    }
};

// By the inverse of the error function, as where nvcc compiles it.
template <class T = double> struct normal_distribution : rd_distribution<T> {
    typedef typename rd_distribution<T>::param_type param_type;
    explicit normal_distribution(T mean = 0, T stddev = 1) : rd_distribution<T>(mean, stddev)
    {
    }
    explicit normal_distribution(const param_type &of) : rd_distribution<T>(of.first, of.second)
    {
    }
    T mean() const
    {
        return this->of.first;
    }
    T stddev() const
    {
        return this->of.second;
    }
    template <class E> T operator()(E &engine, const param_type &of)
    {
        const typename E::result_type range = E::max - E::min;
        const T scale = static_cast<T>(1.0 / static_cast<double>(range)), half = scale / 2;
        T factor = static_cast<T>(-1.4142135623730950488016887242097); // -sqrt(2)
        typename E::result_type u = engine() - E::min;
        if (u > range / 2) {
            u = range - u;
            factor = -factor;
        }
        T p = u * scale + half;
        return of.first + of.second * factor * erfcinv(2 * p);
    }
    template <class E> T operator()(E &engine)
    {
        return (*this)(engine, this->of);
    }
};
namespace experimental // of older versions
{
using random::normal_distribution;
}

} // namespace random

using random::default_random_engine;
using random::linear_congruential_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::normal_distribution;
using random::uniform_int_distribution;
using random::uniform_real_distribution;

} // namespace thrust

#endif
