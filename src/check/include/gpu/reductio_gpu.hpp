// SPDX-License-Identifier: MIT
// The text in front of a user's file that is compiled for a GPU: the rest of it is as it was, but for annotations and the
// places of launches.
#ifndef RD_GPU_HPP
#define RD_GPU_HPP

#include "reductio_law.hpp"

extern "C" void rd_gpu_launch_at(const char *kernel, const char *file, unsigned line);

// Stands before the grid of a launch, k<<<place = grid, block>>>(x), which it gives as it is.
struct __rd_launch_place {
    __rd_launch_place(const char *kernel, const char *file, unsigned line)
    {
        rd_gpu_launch_at(kernel, file, line);
    }
    template <class T> T operator=(T grid)
    {
        return grid;
    }
    dim3 operator=(dim3 grid) // also {1, 2}
    {
        return grid;
    }
};

#endif
