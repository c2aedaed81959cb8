// Threads that communicate, in any order: what they promise holds in each, and what differs is said.
#include <cstdio>

enum { N = 256, T = 64 };

// The order of additions changes the last digits.
__global__ void total(float *sum, const float *a)
{
    atomicAdd(sum, a[blockIdx.x * T + threadIdx.x]);
}

// That of tickets changes which record comes first.
__global__ void compact(int *out, int *count, const int *a)
{
    int x = a[blockIdx.x * T + threadIdx.x];
    if (x % 3 == 0)
        out[atomicAdd(count, 1)] = x;
}

// And nothing changes this.
__global__ void histogram(int *bins, const int *a)
{
    atomicAdd(&bins[a[blockIdx.x * T + threadIdx.x] % 8], 1);
}

// No thread communicates.
__global__ void twice(int *a)
{
    a[blockIdx.x * T + threadIdx.x] *= 2;
}

int main()
{
    float x[N], sum = 0, *X, *S;
    int a[N], bins[8], count, *A, *B, *O, *C;
    for (int i = 0; i < N; i++) {
        x[i] = 1.0f / (float)(i + 3);
        a[i] = i;
    }
    cudaMalloc(&X, sizeof x);
    cudaMalloc(&S, sizeof sum);
    cudaMalloc(&A, sizeof a);
    cudaMalloc(&B, sizeof bins);
    cudaMalloc(&O, sizeof a);
    cudaMalloc(&C, sizeof count);
    //@ input x[N]
    cudaMemcpy(X, x, sizeof x, cudaMemcpyHostToDevice);
    cudaMemcpy(A, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemset(S, 0, sizeof sum);
    cudaMemset(B, 0, sizeof bins);
    cudaMemset(O, 0, sizeof a);
    cudaMemset(C, 0, sizeof count);
    total<<<N / T, T>>>(S, X);
    cudaMemcpy(&sum, S, sizeof sum, cudaMemcpyDeviceToHost);
    //@ ensures sum = sum of x[j]
    compact<<<N / T, T>>>(O, C, A);
    cudaMemcpy(&count, C, sizeof count, cudaMemcpyDeviceToHost);
    //@ assert count = 86
    for (int k = 0; k < 3; k++)
        histogram<<<N / T, T>>>(B, A);
    cudaMemcpy(bins, B, sizeof bins, cudaMemcpyDeviceToHost);
    //@ ensures for 0 <= i < 8: bins[i] = 96
    twice<<<N / T, T>>>(A);
    cudaFree(X);
    cudaFree(S);
    cudaFree(A);
    cudaFree(B);
    cudaFree(O);
    cudaFree(C);
}
