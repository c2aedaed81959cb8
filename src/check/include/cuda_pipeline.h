// SPDX-License-Identifier: MIT
// Asynchronous copies of a thread, and its groups of them, as plain functions.
#ifndef RD_CUDA_PIPELINE_H
#define RD_CUDA_PIPELINE_H

#include "reductio_async.hpp"

RD_BARE inline void __pipeline_memcpy_async(void *to, const void *from, size_t size,
                                            size_t zeros = 0)
{
    if ((size != 4 && size != 8 && size != 16) || zeros > size)
        rd_unsimulated(
            "__pipeline_memcpy_async() of a size other than 4, 8 and 16, which CUDA refuses");
    rd_sim_async_copy(to, from, size, size - zeros, RD_HERE_PC);
}
RD_INLINE void __pipeline_commit()
{
    rd_sim_async_group();
}
RD_INLINE void __pipeline_wait_prior(size_t groups)
{
    rd_sim_async_await((unsigned)groups, 0);
}

#endif
