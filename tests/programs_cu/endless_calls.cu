// SPDX-License-Identifier: MIT
// Functions that one thread calls for many, and that never end: which of them is the argument. Each is told in its line.
#include <cstdlib>
#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/sort.h>

__device__ int turns[2];

// Of accesses.
struct endless_less {
    __device__ bool operator()(int x, int y) const
    {
        while (x != 7 || y != 3)
            turns[0] += 1; // 1 never ends
        return x < y;
    }
};
// Of numbers alone: by Euclid, to whom a 0 is given.
struct by_divisor {
    __device__ static int divisor(int x, int y)
    {
        while (x != y)
            if (x > y) // 2 never ends
                x -= y;
            else
                y -= x;
        return x;
    }
    __device__ bool operator()(int x, int y) const
    {
        return divisor(x, 12) < divisor(y, 12);
    }
};
struct endless_sum {
    __device__ int operator()(int x, int y) const
    {
        for (int k = 0; k < 10; k += turns[1])
            x += turns[0] * y; // 3 never ends
        return x;
    }
};

// Each call ends, and there are many.
struct plain_less {
    __device__ bool operator()(int x, int y) const
    {
        return x < y;
    }
};

static void run(int which)
{
    thrust::device_vector<int> d(which == 4 ? 3000000 : 100, 12);
    int *from = thrust::raw_pointer_cast(d.data());
    d[50] = 0;
    if (which == 1)
        thrust::sort(d.begin(), d.end(), endless_less());
    if (which == 2)
        thrust::sort(d.begin(), d.end(), by_divisor());
    if (which == 3) {
        void *room = nullptr;
        size_t size = 0;
        cub::DeviceScan::InclusiveScan(room, size, from, from, endless_sum(), 100);
        cudaMalloc(&room, size);
        cub::DeviceScan::InclusiveScan(room, size, from, from, endless_sum(), 100);
        cudaDeviceSynchronize();
        cudaFree(room);
    }
    if (which == 4)
        thrust::sort(d.begin(), d.end(), plain_less());
}

int main(int, char **arguments)
{
    try {
        run(atoi(arguments[1]));
    } catch (const thrust::system_error &) { // the sort was ended
    }
    return 0;
}
