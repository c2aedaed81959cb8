// SPDX-License-Identifier: MIT
// Cooperative groups: the block, and tiles of a warp. Grid groups are not there.
#ifndef RD_COOPERATIVE_GROUPS_H
#define RD_COOPERATIVE_GROUPS_H

#include "reductio_cuda.hpp"

namespace cooperative_groups
{

class thread_block
{
  public:
    void sync(RD_HERE) const
    {
        rd_sim_block_sync(rd_file, rd_line);
    }
    static unsigned thread_rank()
    {
        return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
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
};
RD_INLINE thread_block this_thread_block()
{
    return thread_block();
}
template <class G> RD_INLINE void sync(const G &group, RD_HERE)
{
    group.sync(rd_file, rd_line);
}

template <unsigned N> class thread_block_tile
{
    static unsigned lane()
    {
        return thread_block::thread_rank() % 32;
    }
    static unsigned mask()
    {
        return N == 32 ? 0xffffffffu : ((1u << (N % 32)) - 1) << (lane() / N * N);
    }

  public:
    static_assert(N >= 1 && N <= 32 && (N & (N - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 lanes");
    static unsigned thread_rank()
    {
        return lane() % N;
    }
    static constexpr unsigned size()
    {
        return N;
    }
    static constexpr unsigned num_threads()
    {
        return N;
    }
    static unsigned meta_group_rank()
    {
        return thread_block::thread_rank() / N;
    }
    static unsigned meta_group_size()
    {
        return (thread_block::size() + N - 1) / N;
    }
    void sync(RD_HERE) const
    {
        rd_sim_syncwarp(mask(), rd_file, rd_line);
    }
    template <class T> T shfl(T value, int source, RD_HERE) const
    {
        return rd_shuffle(0, mask(), value, source, N, rd_file, rd_line);
    }
    template <class T> T shfl_up(T value, unsigned delta, RD_HERE) const
    {
        return rd_shuffle(1, mask(), value, (int)delta, N, rd_file, rd_line);
    }
    template <class T> T shfl_down(T value, unsigned delta, RD_HERE) const
    {
        return rd_shuffle(2, mask(), value, (int)delta, N, rd_file, rd_line);
    }
    template <class T> T shfl_xor(T value, int lanes, RD_HERE) const
    {
        return rd_shuffle(3, mask(), value, lanes, N, rd_file, rd_line);
    }
    int any(int value, RD_HERE) const
    {
        return (int)rd_sim_vote(1, mask(), value != 0, rd_file, rd_line);
    }
    int all(int value, RD_HERE) const
    {
        return (int)rd_sim_vote(2, mask(), value != 0, rd_file, rd_line);
    }
    unsigned ballot(int value, RD_HERE) const
    {
        return rd_sim_vote(0, mask(), value != 0, rd_file, rd_line) >> (lane() / N * N);
    }
};
template <unsigned N> RD_INLINE thread_block_tile<N> tiled_partition(const thread_block &)
{
    return thread_block_tile<N>();
}

} // namespace cooperative_groups

#endif
