// SPDX-License-Identifier: MIT
// One block whose threads meet again and again, for longer than a time limit.

__global__ void relax(float *values, int n_rounds)
{
    for (int k = 0; k < n_rounds; k++) {
        const float other = values[(threadIdx.x + 1) % blockDim.x];
        __syncthreads();
        values[threadIdx.x] = (values[threadIdx.x] + other) / 2;
        __syncthreads();
    }
}

int main()
{
    float *values;
    cudaMalloc(&values, 64 * sizeof *values);
    cudaMemset(values, 0, 64 * sizeof *values);
    relax<<<1, 64>>>(values, 1 << 30);
    cudaDeviceSynchronize();
    cudaFree(values);
}
