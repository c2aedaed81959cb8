// SPDX-License-Identifier: MIT
// libcu++'s part of the standard library, which is the C++ compiler's here, but for what threads share.
#ifndef RD_STD_HPP
#define RD_STD_HPP

#include <algorithm>
#include <array>
#include <cassert>
#include <cfloat>
#include <chrono>
#include <climits>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <ratio>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "cuda/atomic"

namespace cuda
{
namespace std
{
using namespace ::std;
struct identity { // of C++20
    using is_transparent = void;
    template <class T> constexpr T &&operator()(T &&x) const noexcept
    {
        return static_cast<T &&>(x);
    }
};
} // namespace std
} // namespace cuda

#endif
