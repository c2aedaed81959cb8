// SPDX-License-Identifier: MIT
// Cooperative groups: asynchronous copies by all threads of a group.
#ifndef RD_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define RD_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "cooperative_groups.h"
#include "reductio_async.hpp"

namespace cooperative_groups
{

template <class G, class T, class U>
RD_BARE void rd_memcpy_async(const G &group, T *to, const U *from, size_t size, void *pc)
{
    rd_async_copy((unsigned)group.thread_rank(), (unsigned)group.size(), to, from, size, pc);
    rd_sim_async_group();
}
// So many bytes;
template <class G, class T, class U, class N>
RD_BARE void memcpy_async(const G &group, T *to, const U *from, N size)
{
    rd_memcpy_async(group, to, from, size, RD_HERE_PC);
}
// or as many elements as both have.
template <class G, class T, class U, class N, class M>
RD_BARE void memcpy_async(const G &group, T *to, const N &to_elems, const U *from,
                          const M &from_elems)
{
    size_t n = (size_t)to_elems < (size_t)from_elems ? (size_t)to_elems : (size_t)from_elems;
    rd_memcpy_async(group, to, from, n * sizeof(U), RD_HERE_PC);
}

template <class G> RD_INLINE void wait(const G &group, RD_HERE)
{
    rd_sim_async_await(0, 0);
    group.sync(rd_file, rd_line);
}
template <unsigned groups, class G> RD_INLINE void wait_prior(const G &group, RD_HERE)
{
    rd_sim_async_await(groups, 0);
    group.sync(rd_file, rd_line);
}

} // namespace cooperative_groups

#endif
