// SPDX-License-Identifier: MIT
// The smallest number, by a fold in managed memory, on a stream: the launch is in a template, its sizes are in a struct.
#include <stdio.h>

struct shape {
    unsigned n, threads;
};

template <class T> __global__ void fold(T *A, unsigned half)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < half && A[i + half] < A[i])
        A[i] = A[i + half];
}

template <class T> void reduce(T *A, const shape *s, cudaStream_t stream)
{
    unsigned w = s->n;
    //@ invariant for 0 <= i < w: A[i] = min of a[j], j mod w = i
    while (w > 1) {
        w /= 2;
        fold<T><<<(w + s->threads - 1) / s->threads, s->threads, 0, stream>>>(A, w);
    }
}

int main(void)
{
    const shape s = {64, 8};
    const unsigned n = s.n;
    int a[n], *A;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMallocManaged(&A, n * sizeof *A);
    for (unsigned j = 0; j < n; j++)
        A[j] = a[j] = 100 - (int)(j * 37 % 64);
    //@ requires n = 2^k
    //@ input a[n]
    reduce(A, &s, stream);
    //@ ensures A[0] = min of a[j]
    cudaStreamSynchronize(stream);
    printf("smallest %d\n", A[0]);
    cudaFree(A);
    cudaStreamDestroy(stream);
    return 0;
}
