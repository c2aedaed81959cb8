// SPDX-License-Identifier: MIT
// Cooperative groups: tiles of several warps. One that is the whole block meets at the block's
// barrier; of others the simulator has none.
#ifndef RD_COOPERATIVE_GROUPS_WARPS_H
#define RD_COOPERATIVE_GROUPS_WARPS_H

namespace cooperative_groups
{

template <unsigned N> class rd_tile_of_warps
{
  public:
    static unsigned thread_rank()
    {
        return rd_thread() % N;
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
        return rd_thread() / N;
    }
    static unsigned meta_group_size()
    {
        return (thread_block::size() + N - 1) / N;
    }
    static void sync(RD_HERE)
    {
        if (thread_block::size() > N)
            rd_unsimulated("barriers of tiles of several warps", rd_line, rd_file);
        rd_sim_block_sync(rd_file, rd_line);
    }
    template <class T> T shfl(T, int, RD_HERE) const
    {
        rd_unsimulated("shuffles of tiles of several warps", rd_line, rd_file);
    }
    template <class T> T shfl_up(T value, unsigned, RD_HERE) const
    {
        return shfl(value, 0, rd_file, rd_line);
    }
    template <class T> T shfl_down(T value, unsigned, RD_HERE) const
    {
        return shfl(value, 0, rd_file, rd_line);
    }
    template <class T> T shfl_xor(T value, unsigned, RD_HERE) const
    {
        return shfl(value, 0, rd_file, rd_line);
    }
    int any(int value, RD_HERE) const
    {
        sync(rd_file, rd_line);
        return rd_syncthreads(3, value, rd_file, rd_line);
    }
    int all(int value, RD_HERE) const
    {
        sync(rd_file, rd_line);
        return rd_syncthreads(2, value, rd_file, rd_line);
    }
};
template <class P> class thread_block_tile<64, P> : public rd_tile_of_warps<64>
{
};
template <class P> class thread_block_tile<128, P> : public rd_tile_of_warps<128>
{
};
template <class P> class thread_block_tile<256, P> : public rd_tile_of_warps<256>
{
};
template <class P> class thread_block_tile<512, P> : public rd_tile_of_warps<512>
{
};
template <class P> class thread_block_tile<1024, P> : public rd_tile_of_warps<1024>
{
};

} // namespace cooperative_groups

#endif
