// SPDX-License-Identifier: MIT
// Cooperative groups: operators, and scans, in the order in which CUDA's header combines the
// values.
#ifndef RD_COOPERATIVE_GROUPS_SCAN_H
#define RD_COOPERATIVE_GROUPS_SCAN_H

#include "../cooperative_groups.h"

namespace cooperative_groups
{

#define RD_OPERATOR(name, expression)                                                              \
    template <class T> struct name {                                                               \
        T operator()(T x, T y) const                                                               \
        {                                                                                          \
            return expression;                                                                     \
        }                                                                                          \
    };
RD_OPERATOR(plus, x + y)
RD_OPERATOR(less, y < x ? y : x)
RD_OPERATOR(greater, x < y ? y : x)
RD_OPERATOR(bit_and, x &y)
RD_OPERATOR(bit_or, x | y)
RD_OPERATOR(bit_xor, x ^ y)
#undef RD_OPERATOR

template <class G>
auto rd_shuffles(int) -> decltype(std::declval<const G &>().shfl_up(0, 1u), std::true_type());
template <class G> std::false_type rd_shuffles(...);

template <class G, class T, class F>
inline T inclusive_scan(const G &group, T value, F &&op, RD_HERE)
{
    static_assert(decltype(rd_shuffles<G>(0))::value,
                  "CUDA scans tiles and coalesced groups, not a thread_block or a grid");
    for (unsigned below = 1; below < group.size(); below *= 2) {
        T its = group.shfl_up(value, below, rd_file, rd_line);
        if (group.thread_rank() >= below)
            value = op(value, its);
    }
    return value;
}
template <class G, class T> inline T inclusive_scan(const G &group, T value, RD_HERE)
{
    return inclusive_scan(group, value, plus<T>(), rd_file, rd_line);
}
// The first thread has nothing before it: a T{}.
template <class G, class T, class F>
inline T exclusive_scan(const G &group, T value, F &&op, RD_HERE)
{
    T before =
        group.shfl_up(inclusive_scan(group, value, op, rd_file, rd_line), 1, rd_file, rd_line);
    return group.thread_rank() == 0 ? T{} : before;
}
template <class G, class T> inline T exclusive_scan(const G &group, T value, RD_HERE)
{
    return exclusive_scan(group, value, plus<T>(), rd_file, rd_line);
}

} // namespace cooperative_groups

#endif
