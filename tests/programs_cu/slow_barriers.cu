// SPDX-License-Identifier: MIT
// One block whose threads meet again and again, for longer than a time limit: those from the first number to the second have work.
#include <cstdlib>

__global__ void relax(float *values, int n_rounds, unsigned first, unsigned last)
{
    const bool works = first <= threadIdx.x && threadIdx.x <= last;
    for (int k = 0; k < n_rounds; k++) {
        float other;
        if (works)
            other = values[(threadIdx.x + 1) % blockDim.x];
        __syncthreads();
        if (works)
            values[threadIdx.x] = (values[threadIdx.x] + other) / 2;
        __syncthreads();
    }
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 1;
    float *values;
    cudaMalloc(&values, 64 * sizeof *values);
    cudaMemset(values, 0, 64 * sizeof *values);
    relax<<<1, 64>>>(values, 1 << 30, atoi(argv[1]), atoi(argv[2]));
    cudaDeviceSynchronize();
    cudaFree(values);
}
