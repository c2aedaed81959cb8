// SPDX-License-Identifier: MIT
// Cooperative groups: reductions, in the order in which CUDA's header combines the values.
#ifndef RD_COOPERATIVE_GROUPS_REDUCE_H
#define RD_COOPERATIVE_GROUPS_REDUCE_H

#include "scan.h"

namespace cooperative_groups
{

// Tiles: with the lane across, which is half as far each time.
template <unsigned N, class P, class T, class F>
inline T reduce(const thread_block_tile<N, P> &tile, T value, F &&op, RD_HERE)
{
    for (unsigned across = N / 2; across > 0; across /= 2)
        value = op(value, tile.shfl_xor(value, across, rd_file, rd_line));
    return value;
}
// A whole warp like a tile, a part of it like a scan, whose last result all get.
template <class T, class F> inline T reduce(const coalesced_group &group, T value, F &&op, RD_HERE)
{
    if (group.size() == 32)
        return reduce(thread_block_tile<32>(), value, op, rd_file, rd_line);
    T scanned = inclusive_scan(group, value, op, rd_file, rd_line);
    return group.shfl(scanned, (int)group.size() - 1, rd_file, rd_line);
}

// The first thread stores the result, or combines it with what is there.
template <class G, class U, class T, class F>
inline void reduce_store_async(const G &group, U *place, T value, F &&op, RD_HERE)
{
    T result = reduce(group, value, op, rd_file, rd_line);
    if (group.thread_rank() == 0)
        *place = result;
}

} // namespace cooperative_groups

#endif
