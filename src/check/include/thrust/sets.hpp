// SPDX-License-Identifier: MIT
// Thrust's operations on sorted sequences as sets, in which an element may stand several times, and merges of keys with their values;
// each by one thread.
#ifndef RD_THRUST_SETS_HPP
#define RD_THRUST_SETS_HPP

#include "thrust/sorts.hpp"

namespace thrust
{
// Which elements are kept: those of the first sequence alone, of the second alone, and of both.
template <bool one, bool other, bool both> struct rd_set {
    template <class I, class J, class O, class C = thrust::less<>>
    O operator()(const rd_run &how, I first, I last, J second, J second_last, O to,
                 C less = C()) const
    {
        auto x = rd_raw(first);
        auto y = rd_raw(second);
        auto out = rd_raw(to);
        const ptrdiff_t n = last - first, m = second_last - second;
        return to + how.template value<ptrdiff_t>([=]() {
            rd_called<C> before = {less};
            ptrdiff_t i = 0, j = 0, kept = 0;
            while (i < n || j < m)
                if (j == m || (i < n && before(x[i], y[j]))) {
                    if (one)
                        out[kept++] = x[i];
                    i++;
                } else if (i == n || before(y[j], x[i])) {
                    if (other)
                        out[kept++] = y[j];
                    j++;
                } else {
                    if (both)
                        out[kept++] = x[i];
                    i++;
                    j++;
                }
            return kept;
        });
    }
};
typedef rd_set<true, true, true> rd_set_union;
typedef rd_set<false, false, true> rd_set_intersection;
typedef rd_set<true, false, false> rd_set_difference;
typedef rd_set<true, true, false> rd_set_symmetric_difference;
RD_ALGORITHM(set_union)
RD_ALGORITHM(set_intersection)
RD_ALGORITHM(set_difference)
RD_ALGORITHM(set_symmetric_difference)
struct rd_merge_by_key {
    template <class I, class J, class V, class W, class O, class Q, class C = thrust::less<>>
    pair<O, Q> operator()(const rd_run &how, I first, I last, J second, J second_last, V values,
                          W second_values, O keys_to, Q values_to, C less = C()) const
    {
        auto x = rd_raw(first);
        auto y = rd_raw(second);
        auto of_x = rd_raw(values);
        auto of_y = rd_raw(second_values);
        auto keys_out = rd_raw(keys_to);
        auto out = rd_raw(values_to);
        const ptrdiff_t n = last - first, m = second_last - second;
        how.once([=]() {
            rd_called<C> before = {less};
            for (ptrdiff_t i = 0, j = 0; i + j < n + m;) {
                const ptrdiff_t k = i + j;
                if (j == m || (i < n && !before(y[j], x[i]))) {
                    keys_out[k] = x[i];
                    out[k] = of_x[i++];
                } else {
                    keys_out[k] = y[j];
                    out[k] = of_y[j++];
                }
            }
        });
        how.finish();
        return {keys_to + n + m, values_to + n + m};
    }
};
RD_ALGORITHM(merge_by_key)
} // namespace thrust

#endif
