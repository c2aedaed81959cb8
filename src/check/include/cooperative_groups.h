// SPDX-License-Identifier: MIT
// Cooperative groups: the block, and tiles of a warp.
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
        return block_rank() * thread_block::size() + thread_block::thread_rank();
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
