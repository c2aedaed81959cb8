// SPDX-License-Identifier: MIT
// Cooperative groups: the grid, the block, tiles of a warp, and threads that run together.
#ifndef RD_COOPERATIVE_GROUPS_H
#define RD_COOPERATIVE_GROUPS_H

#include "reductio_cuda.hpp"

namespace cooperative_groups
{

RD_INLINE unsigned rd_thread()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
RD_INLINE unsigned rd_lane()
{
    return rd_thread() % 32;
}
RD_INLINE unsigned rd_below(unsigned lane)
{
    return (1u << lane) - 1;
}

class thread_block
{
  public:
    static void sync(RD_HERE)
    {
        rd_sim_block_sync(rd_file, rd_line);
    }
    static unsigned thread_rank()
    {
        return rd_thread();
    }
    static unsigned size()
    {
        return blockDim.x * blockDim.y * blockDim.z;
    }
    static unsigned num_threads()
    {
        return size();
    }
    static dim3 group_index()
    {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
    static dim3 thread_index()
    {
        return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
    }
    static dim3 group_dim()
    {
        return dim3(blockDim.x, blockDim.y, blockDim.z);
    }
    static dim3 dim_threads()
    {
        return group_dim();
    }
};
RD_INLINE thread_block this_thread_block()
{
    return thread_block();
}
// Memory for tiles of more than a warp, which need none here.
template <unsigned threads = 1024> struct block_tile_memory {
    char rd_byte;
};
template <unsigned threads> RD_INLINE thread_block this_thread_block(block_tile_memory<threads> &)
{
    return thread_block();
}

// Each block may come to the grid's barrier; the launch need not be a cooperative one.
class grid_group
{
  public:
    void sync(RD_HERE) const
    {
        rd_sim_grid_sync(rd_file, rd_line);
    }
    static bool is_valid()
    {
        return true;
    }
    static unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    static unsigned long long block_rank()
    {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    static unsigned long long size()
    {
        return num_blocks() * thread_block::size();
    }
    static unsigned long long num_threads()
    {
        return size();
    }
    static unsigned long long thread_rank()
    {
        return block_rank() * thread_block::size() + rd_thread();
    }
    static dim3 dim_blocks()
    {
        return dim3(gridDim.x, gridDim.y, gridDim.z);
    }
    static dim3 group_dim()
    {
        return dim_blocks();
    }
    static dim3 block_index()
    {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
    static dim3 dim_threads()
    {
        return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
    }
    static dim3 thread_index()
    {
        return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                    blockIdx.z * blockDim.z + threadIdx.z);
    }
};
RD_INLINE grid_group this_grid()
{
    return grid_group();
}

} // namespace cooperative_groups

#include "cooperative_groups/warp.h"
#include "cooperative_groups/warps.h"

namespace cooperative_groups
{

// Any of the groups of a block, for functions that take what they get.
class thread_group
{
    bool is_block;
    coalesced_group lanes;
    friend thread_group tiled_partition(const thread_group &parent, unsigned size);

  public:
    thread_group(const thread_block &) : is_block(true), lanes(1)
    {
    }
    thread_group(const coalesced_group &group) : is_block(false), lanes(group)
    {
    }
    template <unsigned N, class P>
    thread_group(const thread_block_tile<N, P> &tile)
        : is_block(false), lanes(rd_mask_of(tile), tile.meta_group_rank(), tile.meta_group_size())
    {
    }
    void sync(RD_HERE) const
    {
        if (is_block)
            rd_sim_block_sync(rd_file, rd_line);
        else
            lanes.sync(rd_file, rd_line);
    }
    unsigned thread_rank() const
    {
        return is_block ? rd_thread() : lanes.thread_rank();
    }
    unsigned size() const
    {
        return is_block ? thread_block::size() : lanes.size();
    }
    unsigned num_threads() const
    {
        return size();
    }
};

// The lanes of a tile whose size is known at run time only.
inline thread_group tiled_partition(const thread_block &, unsigned size)
{
    unsigned first = rd_thread() / size * size, left = thread_block::size() - first;
    unsigned n = left < size ? left : size;
    return coalesced_group((n == 32 ? ~0u : rd_below(n)) << first % 32, first / size,
                           (thread_block::size() + size - 1) / size);
}
inline thread_group tiled_partition(const thread_group &parent, unsigned size)
{
    if (parent.is_block)
        return tiled_partition(this_thread_block(), size);
    return tiled_partition(parent.lanes, size);
}

// One thread of the group calls it, the first.
template <class G, class F, class... A>
RD_INLINE void invoke_one(const G &group, F &&function, A &&...arguments)
{
    if (group.thread_rank() == 0)
        std::forward<F>(function)(std::forward<A>(arguments)...);
}
// And all get what it returns: of groups within a warp.
template <class G, class F, class... A>
RD_INLINE auto invoke_one_broadcast(const G &group, F &&function, A &&...arguments)
    -> decltype(function(arguments...))
{
    decltype(function(arguments...)) result{};
    if (group.thread_rank() == 0)
        result = std::forward<F>(function)(std::forward<A>(arguments)...);
    return group.shfl(result, 0);
}

template <class G> RD_INLINE void sync(const G &group, RD_HERE)
{
    group.sync(rd_file, rd_line);
}
template <class G> RD_INLINE auto thread_rank(const G &group) -> decltype(group.thread_rank())
{
    return group.thread_rank();
}
template <class G> RD_INLINE auto group_size(const G &group) -> decltype(group.num_threads())
{
    return group.num_threads();
}

} // namespace cooperative_groups

#endif
