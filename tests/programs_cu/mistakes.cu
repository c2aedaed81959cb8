// SPDX-License-Identifier: MIT
// Mistakes of host code, one for each name that the program may be given; `none` makes none. "// want NAME" stands in the line
// that is to be told for it.
#include <cassert>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

enum { N = 256 };

__device__ int total, asked_for;
__device__ int *pointer;
static int of_host[4];
__managed__ int seen, unseen;
#define OF_BOTH __device__ __managed__
OF_BOTH int both;
__managed__ char letters[8];

__global__ void point()
{
    pointer = &total;
}

__global__ void scale(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 2 * a[i]; // want host-pointer
}

__global__ void check(int *a)
{
    assert(a[threadIdx.x] < 0); // want assert
}

static bool is(const char *name, const char *argument)
{
    return strcmp(name, argument) == 0;
}

__global__ void take(int **kept)
{
    *kept = new int[4]; // want heap-leak
}

__global__ void give(int **kept)
{
    delete[] * kept;
}

__global__ void give_late(int **kept)
{
    if (blockIdx.x == 3 && threadIdx.x == 1 && threadIdx.y == 2)
        delete[] * kept;
}

__global__ void look(int **kept)
{
    (*kept)[1] = (*kept)[0]; // want freed
}

__global__ void see(int *also)
{
    seen = 1;
    *also = unseen;
}

__global__ void count_up(int *sum)
{
    *sum = ++total;
}

__global__ void set_both()
{
    both = 1;
}

__global__ void spell(int first)
{
    letters[2 * threadIdx.x + first] = 'a';
}

__global__ void raise(int *flag)
{
    atomicExch_system(flag, 1);
}

__global__ void add_both(int *sum, bool of_system)
{
    if (of_system)
        atomicAdd_system(sum, 1);
    else
        atomicAdd(sum, 1);
}

__global__ void beside(char *text)
{
    text[threadIdx.x] = 'a';
}

// Called by a stream.
static void count(void *numbers)
{
    for (int i = 0; i < N; i++)
        ((int *)numbers)[i] = i;
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "none";
    int h[N], *d, *pinned, *managed, status = 0;
    cudaStream_t s, t;
    cudaEvent_t copied;
    for (int i = 0; i < N; i++)
        h[i] = i;
    cudaMalloc(&d, sizeof h);
    cudaMallocHost(&pinned, sizeof h);
    cudaMallocManaged(&managed, sizeof h);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaEventCreate(&copied);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    if (is(which, "direction"))
        cudaMemcpy(h, d, sizeof h, cudaMemcpyHostToDevice); // want direction
    if (is(which, "size"))
        cudaMemcpy(d, h, sizeof h + 4, cudaMemcpyHostToDevice); // want size
    if (is(which, "host-pointer"))
        scale<<<1, N>>>(h, N);
    if (is(which, "host-access"))
        status = d[3] == 5; // want host-access
    if (is(which, "variable"))
        total = 3; // want variable
    if (is(which, "shadow-launch"))
        scale<<<1, 1>>>(&total, 1); // want shadow-launch
    if (is(which, "shadow-copy"))
        cudaMemcpy(&total, h, sizeof total, cudaMemcpyHostToDevice); // want shadow-copy
    if (is(which, "shadow-fill"))
        cudaMemset(&total, 0, sizeof total); // want shadow-fill
    if (is(which, "no-symbol"))
        cudaMemcpyToSymbol(of_host, h, sizeof of_host); // want no-symbol
    if (is(which, "addresses")) { // which the host has asked for, and which it has from a kernel
        int *asked, *got;
        cudaGetSymbolAddress((void **)&asked, asked_for);
        cudaMemset(asked, 0, sizeof *asked);
        scale<<<1, 1>>>(asked, 1);
        point<<<1, 1>>>();
        cudaMemcpyFromSymbol(&got, pointer, sizeof got);
        cudaMemcpy(got, h, sizeof *got, cudaMemcpyHostToDevice);
        scale<<<1, 1>>>(got, 1);
        cudaMemset(d, 0, sizeof h); // what had it is gone
        cudaMemcpyToSymbol(pointer, &which, sizeof pointer);
        scale<<<1, 1>>>(got, 1);
    }
    if (is(which, "unchecked"))
        cudaMemset(d, 0, (size_t)1 << 40); // want unchecked
    if (is(which, "checked") && cudaMalloc(&d, (size_t)1 << 50) != cudaErrorMemoryAllocation)
        return 9;
    if (is(which, "launch"))
        scale<<<1, 2048>>>(d, N); // want launch
    if (is(which, "assert"))
        check<<<1, 32>>>(d);
    if (is(which, "double-free")) {
        cudaFree(managed);
        cudaFree(managed); // want double-free
        cudaMallocManaged(&managed, sizeof h);
    }
    if (is(which, "wrong-free"))
        cudaFree(d + 1); // want wrong-free
    if (is(which, "managed")) {
        memset(managed, 0, sizeof h);
        scale<<<1, N>>>(managed, N);
        printf("%d\n", managed[0]); // want managed
        cudaDeviceSynchronize();
    }
    if (is(which, "pinned")) {
        cudaMemcpyAsync(pinned, d, sizeof h, cudaMemcpyDeviceToHost, s);
        printf("%d\n", pinned[0]); // want pinned
        cudaStreamSynchronize(s);
    }
    if (is(which, "streams")) {
        scale<<<1, N, 0, s>>>(d, N);
        cudaMemcpyAsync(pinned, d, sizeof h, cudaMemcpyDeviceToHost, t); // want streams
        cudaDeviceSynchronize();
    }
    if (is(which, "callback")) {
        cudaLaunchHostFunc(s, count, pinned);
        pinned[0] = 5; // want callback
        cudaStreamSynchronize(s);
    }
    if (is(which, "callback-kernel")) {
        cudaLaunchHostFunc(s, count, pinned);
        scale<<<1, N, 0, t>>>(pinned, N); // want callback-kernel
        cudaDeviceSynchronize();
    }
    if (is(which, "query") || is(which, "query-event")) { // a question is no wait
        scale<<<1, N, 0, s>>>(d, N);
        cudaEventRecord(copied, s);
        if (is(which, "query") ? cudaStreamQuery(s) : cudaEventQuery(copied))
            printf("not yet\n");
        cudaMemcpyAsync(pinned, d, sizeof h, cudaMemcpyDeviceToHost, t); // want query
        cudaDeviceSynchronize();
    }
    if (is(which, "timing")) {
        float milliseconds;
        scale<<<1, N, 0, s>>>(d, N);
        cudaEventRecord(copied, s);
        cudaEventElapsedTime(&milliseconds, copied, copied); // want timing
    }
    if (is(which, "timed")) { // behind what the host has waited for, and asked until it is told
        float milliseconds;
        scale<<<1, N, 0, s>>>(d, N);
        cudaEventRecord(copied, s);
        cudaMemcpyAsync(h, d, sizeof h, cudaMemcpyDeviceToHost, s);
        status = cudaEventElapsedTime(&milliseconds, copied, copied) != cudaSuccess;
        cudaEventRecord(copied, s);
        while (cudaEventElapsedTime(&milliseconds, copied, copied) == cudaErrorNotReady)
            ;
        cudaMemcpyAsync(pinned, d, sizeof h, cudaMemcpyDeviceToHost, t);
        cudaDeviceSynchronize();
    }
    if (is(which, "idle-stream")) { // who waits for it does not wait for the default one
        cudaStream_t apart;
        cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
        scale<<<1, N>>>(d, N);
        cudaStreamSynchronize(s);
        cudaMemcpyAsync(pinned, d, sizeof h, cudaMemcpyDeviceToHost, apart); // want idle-stream
        cudaDeviceSynchronize();
        cudaStreamDestroy(apart);
    }
    if (is(which, "overlap"))
        cudaMemcpy(d + 1, d, sizeof h / 2, cudaMemcpyDeviceToDevice); // want overlap
    if (is(which, "overlap-rows")) // two of four bytes, one row on
        cudaMemcpy2D((char *)d + 6, 4, d, 4, 3, N / 2, cudaMemcpyDefault); // want overlap-rows
    if (is(which, "overlap-pitch")) // one base, and rows of the one twice as far apart
        cudaMemcpy2D(d, 8, d, 4, 4, N / 2, cudaMemcpyDefault); // want overlap-pitch
    if (is(which, "beside")) { // halves of one array; columns of one matrix
        cudaMemcpy(d + N / 2, d, N / 2 * sizeof *d, cudaMemcpyDeviceToDevice);
        cudaMemcpy2D((char *)d + 2, 4, d, 4, 2, N, cudaMemcpyDeviceToDevice);
        cudaMemcpy(d, d, sizeof h, cudaMemcpyDeviceToDevice);
    }
    if (is(which, "polls")) { // in order, as the answer is waited for
        scale<<<1, N, 0, s>>>(d, N);
        cudaEventRecord(copied, s);
        while (cudaEventQuery(copied) == cudaErrorNotReady)
            ;
        cudaMemcpyAsync(pinned, d, sizeof h, cudaMemcpyDeviceToHost, t);
        while (cudaStreamQuery(t) != cudaSuccess)
            ;
        printf("%d\n", pinned[0]);
    }
    if (is(which, "in-turn")) { // the same, in order
        cudaLaunchHostFunc(s, count, pinned);
        scale<<<1, N, 0, s>>>(pinned, N);
        cudaStreamSynchronize(s);
        pinned[0] = 5;
        cudaMemset(managed, 1, sizeof h); // waits, as the host sees the memory
        printf("%d\n", managed[0]);
    }
    if (is(which, "memcmp")) {
        scale<<<1, N, 0, s>>>(pinned, N);
        status = memcmp(pinned, h, sizeof h) == 0; // want memcmp
        cudaDeviceSynchronize();
    }
    if (is(which, "fread")) {
        FILE *zeros = fopen("/dev/zero", "r");
        scale<<<1, N, 0, s>>>(pinned, N);
        status = fread(pinned, sizeof *h, N, zeros) != N; // want fread
        cudaDeviceSynchronize();
        fclose(zeros);
    }
    if (is(which, "printf"))
        printf("%d %.1f %s\n", N, 1.0, (const char *)d); // want printf
    if (is(which, "library")) { // behind the wait, and of memory that no device has
        count(pinned);
        scale<<<1, N, 0, s>>>(pinned, N);
        snprintf((char *)h, sizeof h, "%s and %d", "three", which[0]);
        cudaDeviceSynchronize();
        status = memcmp(pinned, h, sizeof h) == 0;
        printf("%s %zu\n", (const char *)h, strlen((const char *)h));
    }
    if (is(which, "managed-variable")) {
        see<<<1, 1>>>(d);
        unseen = 3; // want managed-variable
        cudaDeviceSynchronize();
    }
    if (is(which, "macro")) {
        set_both<<<1, 1>>>();
        both = 2; // want macro
        cudaDeviceSynchronize();
    }
    if (is(which, "copied-variable")) {
        cudaMemcpyAsync(&unseen, d, sizeof unseen, cudaMemcpyDefault, s);
        unseen = 3; // want copied-variable
        cudaStreamSynchronize(s);
    }
    if (is(which,
           "library-parts")) { // of texts, what is read of them alone, beside what a kernel writes
        char *text = (char *)managed;
        memset(text, ' ', sizeof h);
        memcpy(text, "12 4", 4);
        beside<<<1, N - 4>>>(text + 4);
        printf("%.2s %.*s|%5.1s|%d %d\n", text, 4, text, text, atoi(text), strcmp(text, "13"));
        cudaDeviceSynchronize();
    }
    if (is(which, "exchange")) {
        managed[0] = 0;
        raise<<<1, 1, 0, s>>>(managed);
        while (*(volatile int *)managed == 0)
            ;
    }
    if (is(which,
           "scopes")) { // the first launch's scope is still the device's when the second one has another
        managed[0] = 0;
        add_both<<<1, 1, 0, s>>>(managed, false);
        add_both<<<1, 1, 0, s>>>(managed, true);
        __atomic_fetch_add(managed, 1, __ATOMIC_SEQ_CST); // want scopes
        cudaDeviceSynchronize();
    }
    if (is(which, "two-devices")) {
        int *sums;
        cudaMallocManaged(&sums, 2 * sizeof *sums);
        for (int device = 0; device < 2; device++) {
            cudaSetDevice(device);
            count_up<<<1, 1>>>(sums + device);
        }
        cudaDeviceSynchronize();
        cudaSetDevice(0);
        cudaDeviceSynchronize();
        cudaFree(sums);
    }
    if (is(which,
           "variables")) { // each side has its own, the kernels their own bytes, and the host asks in turn
        spell<<<1, 4, 0, s>>>(0);
        spell<<<1, 4, 0, t>>>(1);
        see<<<1, 1>>>(d);
        status = unseen;
        cudaDeviceSynchronize();
        seen = unseen + letters[3] - 'a';
    }
    if (is(which, "peer")) { // of two devices
        cudaStream_t other;
        int *theirs;
        cudaSetDevice(1);
        cudaMalloc(&theirs, sizeof h);
        cudaStreamCreate(&other);
        cudaSetDevice(0);
        scale<<<1, N>>>(d, N);
        cudaSetDevice(1);
        cudaMemcpyPeerAsync(theirs, 1, d, 0, sizeof h, other); // want peer
        cudaDeviceSynchronize();
        cudaStreamDestroy(other);
        cudaFree(theirs);
        cudaSetDevice(0);
        cudaDeviceSynchronize();
    }
    if (is(which, "late")) { // the first stream that doesn't wait comes when a kernel is under way
        cudaStream_t late;
        scale<<<1, N>>>(d, N);
        cudaStreamCreateWithFlags(&late, cudaStreamNonBlocking);
        scale<<<1, N, 0, late>>>(d, N); // want late
        cudaDeviceSynchronize();
        cudaStreamDestroy(late);
    }
    if (is(which, "event")) { // as above, but in order
        scale<<<1, N, 0, s>>>(d, N);
        cudaEventRecord(copied, s);
        cudaStreamWaitEvent(t, copied, 0);
        cudaMemcpyAsync(pinned, d, sizeof h, cudaMemcpyDeviceToHost, t);
        cudaStreamSynchronize(t);
        printf("%d\n", pinned[3]);
    }
    if (is(which, "heap") || is(which, "heap-leak")) { // freed by a later launch, or never
        int **kept;
        cudaMalloc(&kept, sizeof *kept);
        take<<<1, 1>>>(kept);
        if (is(which, "heap"))
            give<<<1, 1>>>(kept);
        cudaDeviceSynchronize();
        cudaFree(kept);
    }
    if (is(which, "freed")) {
        int **kept;
        cudaMalloc(&kept, sizeof *kept);
        take<<<1, 1>>>(kept);
        give_late<<<4, dim3(2, 3)>>>(kept);
        look<<<1, 1>>>(kept);
        cudaDeviceSynchronize();
        cudaFree(kept);
    }
    if (is(which, "leak"))
        cudaMalloc(&d, 64); // want leak
    if (is(which, "exit"))
        exit(7);
    if (is(which, "alarm"))
        raise(SIGALRM); // want alarm
    if (is(which, "abort"))
        abort(); // want abort
    if (is(which, "null"))
        status = *(volatile int *)nullptr; // want null
    if (is(which, "loop"))
        for (volatile int k = 0; k >= 0;)
            k = 1;
    if (argc > 1 && is(which, "input")) {
        char line[80] = "";
        printf("read %s", fgets(line, sizeof line, stdin));
    }
    if (!is(which, "assert")) {
        cudaFree(d);
        cudaFreeHost(pinned);
        cudaFree(managed);
    }
    cudaStreamDestroy(s);
    cudaStreamDestroy(t);
    cudaEventDestroy(copied);
    return status;
}
