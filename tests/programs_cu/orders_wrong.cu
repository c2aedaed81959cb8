// What these leave depends on the order of blocks, though the order in which the numbers of blocks rise shows nothing.
// `// want` stands at the end of the line that a finding names.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda/barrier>

enum { BLOCKS = 4, N = 256, T = 64 };
__device__ int lock, value, flag;

// Two steps that don't commute, each under the lock.
__global__ void update()
{
    if (threadIdx.x != 0)
        return;
    while (atomicCAS(&lock, 0, 1) != 0)
        ;
    __threadfence();
    *(volatile int *)&value = *(volatile int *)&value * 2 + (int)blockIdx.x;
    __threadfence();
    atomicExch(&lock, 0);
}

// A reader that comes first reads what is written only then.
__global__ void hides(int *cell, int *out)
{
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        *cell = 1; // want race
        atomicExch(&flag, 1);
    } else if (threadIdx.x == 0 && atomicAdd(&flag, 0) == 0) {
        *out = *cell;
    }
}

// A thread that waits late for a phase knows nothing of what others do in the next: this race shows in each order.
__global__ void turns(int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> b;
    __shared__ int tile[T];
    int t = (int)threadIdx.x, sum = 0;
    if (t == 0)
        init(&b, T);
    __syncthreads();
    for (int k = 0; k < 3; k++) {
        tile[t] = t + k; // want race-of-phases
        b.arrive_and_wait();
        sum += tile[T - 1 - t];
    }
    out[t] = sum;
}

// Communicates by shared memory alone, in blocks behind the first.
__global__ void latest(int *out)
{
    __shared__ int thread;
    if (blockIdx.x > 0)
        atomicExch(&thread, (int)threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) {
        printf("a block\n");
        out[blockIdx.x] = blockIdx.x > 0 ? thread : 0;
    }
}

__global__ void compact(int *out, int *count, const int *a)
{
    int x = a[blockIdx.x * T + threadIdx.x];
    if (x % 3 == 0)
        out[atomicAdd(count, 1)] = x;
}

// Blocks of the device heap, in a list: which is linked to which depends on the order, and, if ranked, what stands in them, too.
struct entry {
    int value, rank;
    entry *next;
};
__device__ entry *list;
__device__ int tickets;
__global__ void push(bool ranked)
{
    entry *made = (entry *)malloc(sizeof(entry)); // want heap
    const int ticket = atomicAdd(&tickets, 1);
    made->value = (int)blockIdx.x;
    made->rank = ranked ? ticket * made->value : 0;
    made->next = (entry *)atomicExch((unsigned long long *)&list, (unsigned long long)made);
    printf(ranked ? "block %d has ticket %d\n" : "block %d\n", made->value, ranked ? ticket : 0);
}
__global__ void drop()
{
    while (list) {
        entry *next = list->next;
        free(list);
        list = next;
    }
}

int main(int argc, char **argv)
{
    int a[N], first[3], last, *A, *O, *C;
    for (int i = 0; i < N; i++)
        a[i] = i;
    cudaMalloc(&A, sizeof a);
    cudaMalloc(&O, sizeof a);
    cudaMalloc(&C, sizeof *C);
    cudaMemcpy(A, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemset(O, 0, sizeof a);
    cudaMemset(C, 0, sizeof *C);
    update<<<BLOCKS, 32>>>(); // want order-dependent
    cudaMemcpyFromSymbol(&last, value, sizeof last);
    compact<<<N / T, T>>>(O, C, A);
    cudaMemcpy(first, O, sizeof first, cudaMemcpyDeviceToHost);
    //@ ensures for 0 <= i < 3: first[i] = 3 * i
    if (argc > 1 && strcmp(argv[1], "phases") == 0)
        turns<<<1, T>>>(O);
    else if (argc > 1 && strcmp(argv[1], "latest") == 0)
        latest<<<BLOCKS, T>>>(O);
    else if (argc > 1 && strcmp(argv[1], "race") != 0) {
        push<<<BLOCKS, 1>>>(strcmp(argv[1], "ranked") == 0);
        drop<<<1, 1>>>();
    } else if (argc > 1)
        hides<<<BLOCKS, 32>>>(C, O);
    cudaFree(A);
    cudaFree(O);
    cudaFree(C);
    return last != 11;
}
