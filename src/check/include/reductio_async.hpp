// SPDX-License-Identifier: MIT
// Asynchronous copies: by one thread, or by a group whose threads take parts in turn.
#ifndef RD_ASYNC_HPP
#define RD_ASYNC_HPP

#include "reductio_cuda.hpp"
#include "reductio_ptx.h"

namespace cuda
{
// A size in bytes of what is aligned to so many.
template <size_t alignment> struct aligned_size_t {
    static constexpr size_t align = alignment;
    size_t value;
    explicit constexpr aligned_size_t(size_t size) : value(size)
    {
    }
    constexpr operator size_t() const
    {
        return value;
    }
};
} // namespace cuda

RD_WITHIN size_t rd_async_part(const volatile void *to, const volatile void *from, size_t size)
{
    size_t all = (size_t)to | (size_t)from | size;
    return all % 16 == 0 ? 16 : all % 8 == 0 ? 8 : all % 4 == 0 ? 4 : all % 2 == 0 ? 2 : 1;
}
// The parts of the copy that thread `rank` of so many makes.
RD_WITHIN void rd_async_copy(unsigned rank, unsigned threads, volatile void *to,
                             const volatile void *from, size_t size, void *pc)
{
    size_t part = rd_async_part(to, from, size);
    for (size_t at = rank * part; at < size; at += threads * part)
        rd_sim_async_copy((char *)to + at, (const char *)from + at, part, part, pc);
}

#endif
