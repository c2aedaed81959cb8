// SPDX-License-Identifier: MIT
// Kernels that ask which lanes are active, and what time it is: the same under all schedules, which is said.
__global__ void ask(unsigned *lanes, long long *times)
{
    if (threadIdx.x & 1)
        lanes[threadIdx.x] = 7;
    lanes[threadIdx.x] = __activemask();
    if (times)
        times[threadIdx.x] = clock64();
}

__global__ void ask_nothing(unsigned *lanes)
{
    lanes[threadIdx.x] = 32;
}

int main(int argc, char **)
{
    unsigned *lanes;
    long long *times;
    cudaMalloc(&lanes, 32 * sizeof *lanes);
    cudaMalloc(&times, 32 * sizeof *times);
    if (argc > 1)
        ask<<<1, 32>>>(lanes, argc > 2 ? times : nullptr);
    ask_nothing<<<1, 32>>>(lanes);
    //@ assert for 0 <= i < 32: lanes[i] = 32
    cudaFree(lanes);
    cudaFree(times);
}
