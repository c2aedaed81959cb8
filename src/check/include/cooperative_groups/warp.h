// SPDX-License-Identifier: MIT
// Cooperative groups within a warp: tiles, and threads that run together.
#ifndef RD_COOPERATIVE_GROUPS_WARP_H
#define RD_COOPERATIVE_GROUPS_WARP_H

namespace cooperative_groups
{

// ---- tiles ----

template <unsigned N, class Parent = void> class thread_block_tile
{
  public:
    static_assert(N >= 1 && N <= 32 && (N & (N - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 lanes");
    static unsigned rd_first()
    {
        return rd_lane() / N * N;
    }
    static unsigned rd_mask()
    {
        return N == 32 ? ~0u : rd_below(N % 32) << rd_first();
    }
    static unsigned thread_rank()
    {
        return rd_lane() % N;
    }
    static constexpr unsigned size()
    {
        return N;
    }
    static constexpr unsigned num_threads()
    {
        return N;
    }
    // Counted among the tiles of the block, or of the tile that this one is a part of.
    static unsigned meta_group_rank()
    {
        return rd_rank_in((Parent *)nullptr);
    }
    static unsigned meta_group_size()
    {
        return rd_number_in((Parent *)nullptr);
    }
    static void sync(RD_HERE)
    {
        rd_sim_syncwarp(rd_mask(), rd_file, rd_line);
    }
    template <class T> T shfl(T value, int source, RD_HERE) const
    {
        return rd_shuffle_any(0, rd_mask(), value, source, N, rd_file, rd_line);
    }
    template <class T> T shfl_up(T value, unsigned delta, RD_HERE) const
    {
        return rd_shuffle_any(1, rd_mask(), value, (int)delta, N, rd_file, rd_line);
    }
    template <class T> T shfl_down(T value, unsigned delta, RD_HERE) const
    {
        return rd_shuffle_any(2, rd_mask(), value, (int)delta, N, rd_file, rd_line);
    }
    template <class T> T shfl_xor(T value, unsigned lanes, RD_HERE) const
    {
        return rd_shuffle_any(3, rd_mask(), value, (int)lanes, N, rd_file, rd_line);
    }
    int any(int value, RD_HERE) const
    {
        return __ballot_sync(rd_mask(), value, rd_file, rd_line) != 0;
    }
    int all(int value, RD_HERE) const
    {
        return __ballot_sync(rd_mask(), value, rd_file, rd_line) == rd_mask();
    }
    unsigned ballot(int value, RD_HERE) const
    {
        return __ballot_sync(rd_mask(), value, rd_file, rd_line) >> rd_first();
    }
    template <class T> unsigned match_any(T value, RD_HERE) const
    {
        return __match_any_sync(rd_mask(), value, rd_file, rd_line) >> rd_first();
    }
    template <class T> unsigned match_all(T value, int &same, RD_HERE) const
    {
        return __match_all_sync(rd_mask(), value, &same, rd_file, rd_line) >> rd_first();
    }

  private:
    static unsigned rd_rank_in(void *)
    {
        return rd_thread() / N;
    }
    static unsigned rd_number_in(void *)
    {
        return (thread_block::size() + N - 1) / N;
    }
    template <class P> static unsigned rd_rank_in(P *)
    {
        return P::thread_rank() / N;
    }
    template <class P> static unsigned rd_number_in(P *)
    {
        return (P::size() + N - 1) / N;
    }
};

template <unsigned N> RD_INLINE thread_block_tile<N> tiled_partition(const thread_block &)
{
    return thread_block_tile<N>();
}
template <unsigned N, unsigned M, class P>
RD_INLINE thread_block_tile<N, thread_block_tile<M, P>>
tiled_partition(const thread_block_tile<M, P> &)
{
    static_assert(N <= M, "a part has no more lanes than the whole");
    return thread_block_tile<N, thread_block_tile<M, P>>();
}

// ---- threads that run together ----

// Lanes of a warp, by their ranks among these.
class coalesced_group
{
    unsigned mask, rank_above, number;

    // The lane of a rank; this one where there is none.
    int lane_of(int rank) const
    {
        for (int lane = 0; lane < 32; lane++)
            if ((mask >> lane & 1) && rank-- == 0)
                return lane;
        return (int)rd_lane();
    }
    // Lanes as ranks.
    unsigned packed(unsigned lanes) const
    {
        unsigned ranks = 0, rank = 0;
        for (int lane = 0; lane < 32; lane++)
            if (mask >> lane & 1)
                ranks |= (lanes >> lane & 1) << rank++;
        return ranks;
    }

  public:
    explicit coalesced_group(unsigned lanes, unsigned rank = 0, unsigned size = 1)
        : mask(lanes), rank_above(rank), number(size)
    {
    }
    unsigned rd_mask() const
    {
        return mask;
    }
    unsigned size() const
    {
        return (unsigned)__builtin_popcount(mask);
    }
    unsigned num_threads() const
    {
        return size();
    }
    unsigned thread_rank() const
    {
        return (unsigned)__builtin_popcount(mask & rd_below(rd_lane()));
    }
    unsigned meta_group_rank() const
    {
        return rank_above;
    }
    unsigned meta_group_size() const
    {
        return number;
    }
    void sync(RD_HERE) const
    {
        rd_sim_syncwarp(mask, rd_file, rd_line);
    }
    template <class T> T shfl(T value, int rank, RD_HERE) const
    {
        return rd_shuffle_any(0, mask, value, lane_of(rank), 32, rd_file, rd_line);
    }
    template <class T> T shfl_up(T value, int delta, RD_HERE) const
    {
        return shfl(value, (int)thread_rank() - delta, rd_file, rd_line);
    }
    template <class T> T shfl_down(T value, unsigned delta, RD_HERE) const
    {
        return shfl(value, (int)(thread_rank() + delta), rd_file, rd_line);
    }
    int any(int value, RD_HERE) const
    {
        return __ballot_sync(mask, value, rd_file, rd_line) != 0;
    }
    int all(int value, RD_HERE) const
    {
        return __ballot_sync(mask, value, rd_file, rd_line) == mask;
    }
    unsigned ballot(int value, RD_HERE) const
    {
        return packed(__ballot_sync(mask, value, rd_file, rd_line));
    }
    template <class T> unsigned match_any(T value, RD_HERE) const
    {
        return packed(__match_any_sync(mask, value, rd_file, rd_line));
    }
    template <class T> unsigned match_all(T value, int &same, RD_HERE) const
    {
        return packed(__match_all_sync(mask, value, &same, rd_file, rd_line));
    }
};

RD_INLINE coalesced_group coalesced_threads(RD_HERE)
{
    return coalesced_group(rd_sim_activemask(rd_file, rd_line));
}

template <unsigned N, class P> RD_INLINE unsigned rd_mask_of(const thread_block_tile<N, P> &tile)
{
    return tile.rd_mask();
}
RD_INLINE unsigned rd_mask_of(const coalesced_group &group)
{
    return group.rd_mask();
}

// So many ranks each.
inline coalesced_group tiled_partition(const coalesced_group &parent, unsigned size)
{
    unsigned rank = 0, mine = parent.thread_rank() / size, mask = 0;
    if (parent.size() <= size)
        return parent;
    for (int lane = 0; lane < 32; lane++)
        if (parent.rd_mask() >> lane & 1)
            mask |= (unsigned)(rank++ / size == mine) << lane;
    return coalesced_group(mask, mine, (parent.size() + size - 1) / size);
}

// Threads with one label form a group; groups are ordered by their first lanes.
template <class G, class T>
inline coalesced_group labeled_partition(const G &group, T label, RD_HERE)
{
    unsigned mine = __match_any_sync(rd_mask_of(group), label, rd_file, rd_line);
    bool leads = (int)rd_lane() == __builtin_ctz(mine);
    unsigned leaders = __ballot_sync(rd_mask_of(group), leads, rd_file, rd_line);
    return coalesced_group(mine,
                           (unsigned)__builtin_popcount(leaders & rd_below(__builtin_ctz(mine))),
                           (unsigned)__builtin_popcount(leaders));
}
template <class G> inline coalesced_group binary_partition(const G &group, bool value, RD_HERE)
{
    unsigned all = rd_mask_of(group), those = __ballot_sync(all, value, rd_file, rd_line);
    if (those == 0 || those == all)
        return coalesced_group(all);
    return coalesced_group(value ? those : all & ~those, value, 2);
}
template <class G> inline coalesced_group labeled_partition(const G &group, bool label, RD_HERE)
{
    return binary_partition(group, label, rd_file, rd_line);
}

} // namespace cooperative_groups

#endif
