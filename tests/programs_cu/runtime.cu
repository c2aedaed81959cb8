// SPDX-License-Identifier: MIT
// CUDA's runtime, function by function: each line that it prints ends in "ok", or is a fault of the simulator's.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cuda_runtime.h>

static int failures;
#define CHECK(condition)                                                                           \
    do {                                                                                           \
        bool holds = (condition);                                                                  \
        failures += !holds;                                                                        \
        printf("%s: %s\n", #condition, holds ? "ok" : "WRONG");                                    \
    } while (0)

enum { N = 64 };

__constant__ int factors[4];
__device__ int counter;
__managed__ int managed_sum;

/* A brace among the parameters of a template. */
template <class T, int = int{}> static __host__ __device__ T same(T x)
{
    return x;
}

__global__ void add(int *a, int value, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] += same(value);
}

template <class T> __global__ void fill(T *a, T value)
{
    extern __shared__ char raw[];
    T *shared = (T *)raw;
    shared[threadIdx.x] = value;
    __syncthreads();
    a[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
}

__global__ void count(const int *a)
{
    atomicAdd(&counter, factors[1]);
    if (threadIdx.x == 0)
        managed_sum = a[0] + a[1];
}

__global__ void pitched(char *a, size_t pitch, int width, int height)
{
    if ((int)threadIdx.x < width && (int)threadIdx.y < height)
        a[threadIdx.y * pitch + threadIdx.x] = (char)(10 * threadIdx.y + threadIdx.x);
}

// A variable whose constructor launches a kernel, before main.
static struct Early {
    int *values;
    Early()
    {
        cudaMallocManaged(&values, N * sizeof *values);
        memset(values, 0, N * sizeof *values);
        add<<<1, N>>>(values, 7, N);
        cudaDeviceSynchronize();
    }
    ~Early()
    {
        cudaFree(values);
    }
} early;

__global__ void increment(int *a)
{
    atomicAdd_system(a, 1);
}

// Waits for ten milliseconds or so.
__global__ void wait(long long cycles, int *done)
{
    const long long start = clock();
    while (clock() - start < cycles)
        ;
    *done = 1;
}

// Looks at a flag that the host sets, for a while.
__global__ void poll(volatile int *flag, int *seen)
{
    const long long start = clock64();
    while (!*flag && clock64() - start < 1000)
        ;
    *seen = 1;
}

static void CUDART_CB add_one(void *data)
{
    ++*(int *)data;
}

static void memory()
{
    int *d, h[N], *pinned, *seen, value;
    CHECK(cudaMalloc(&d, sizeof h) == cudaSuccess);
    for (int i = 0; i < N; i++)
        h[i] = i;
    CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyDefault) == cudaSuccess);
    add<<<2, 32>>>(d, 5, N);
    CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost) == cudaSuccess && h[9] == 14);
    CHECK(cudaMemset(d, 0x11, sizeof h) == cudaSuccess);
    CHECK(cudaMemcpy(&value, d + 3, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(value == 0x11111111);
    CHECK(cudaHostAlloc(&pinned, sizeof h, cudaHostAllocMapped) == cudaSuccess);
    CHECK(cudaHostGetDevicePointer(&seen, pinned, 0) == cudaSuccess);
    memset(pinned, 0, sizeof h);
    add<<<1, N>>>(seen, 3, N);
    CHECK(cudaDeviceSynchronize() == cudaSuccess && pinned[7] == 3);
    int *own = (int *)calloc(N, sizeof *own);
    CHECK(cudaHostRegister(own, N * sizeof *own, cudaHostRegisterMapped) == cudaSuccess);
    CHECK(cudaHostGetDevicePointer(&seen, own, 0) == cudaSuccess);
    own[5] = 50;
    add<<<1, N>>>(seen, 2, N);
    CHECK(cudaDeviceSynchronize() == cudaSuccess && own[5] == 52);
    CHECK(cudaHostUnregister(own) == cudaSuccess && own[5] == 52);
    free(own);
    char *p, plane[3][5];
    size_t pitch;
    CHECK(cudaMallocPitch(&p, &pitch, 5, 3) == cudaSuccess && pitch >= 5);
    pitched<<<1, dim3(8, 4)>>>(p, pitch, 5, 3);
    CHECK(cudaMemcpy2D(plane, 5, p, pitch, 5, 3, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(plane[2][4] == 24 && plane[0][1] == 1);
    size_t available, total;
    CHECK(cudaMemGetInfo(&available, &total) == cudaSuccess && available < total);
    cudaPointerAttributes attributes;
    CHECK(cudaPointerGetAttributes(&attributes, d) == cudaSuccess);
    CHECK(attributes.type == cudaMemoryTypeDevice);
    CHECK(cudaFree(d) == cudaSuccess && cudaFree(p) == cudaSuccess &&
          cudaFree(NULL) == cudaSuccess);
    CHECK(cudaFreeHost(pinned) == cudaSuccess);
}

static void symbols()
{
    const int values[4] = {3, 5, 7, 9};
    int *a, seen;
    CHECK(cudaMemcpyToSymbol(factors, values, sizeof values) == cudaSuccess);
    CHECK(cudaMallocManaged(&a, 2 * sizeof *a) == cudaSuccess);
    a[0] = 4;
    a[1] = 6;
    count<<<1, 32>>>(a);
    CHECK(cudaDeviceSynchronize() == cudaSuccess && managed_sum == 10);
    CHECK(cudaMemcpyFromSymbol(&seen, counter, sizeof seen) == cudaSuccess && seen == 32 * 5);
    CHECK(cudaFree(a) == cudaSuccess);
}

static void launches()
{
    int *d, n = N, value = 4, h[N];
    void *arguments[] = {&d, &value, &n};
    cudaFuncAttributes attributes;
    CHECK(cudaMalloc(&d, sizeof h) == cudaSuccess && cudaMemset(d, 0, sizeof h) == cudaSuccess);
    CHECK(cudaLaunchKernel((void *)add, dim3(2), dim3(32), arguments, 0, 0) == cudaSuccess);
    CHECK(cudaLaunchCooperativeKernel((const void *)&add, dim3(2), dim3(32), arguments) ==
          cudaSuccess);
    CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost) == cudaSuccess && h[63] == 8);
    fill<int><<<1, N, N * sizeof(int)>>>(d, 6);
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost) == cudaSuccess && h[1] == 6);
    void (*kernels[])(int *, int, int) = {add};
    (add)<<<1, N>>>(d, 1, n);
    (*kernels[0])<<<1, N>>>(d, 1, n);
    (n > N ? kernels[0] : add)<<<1, N>>>(d, 1, n);
    (fill<int>)<<<1, 1, sizeof(int)>>>(d, 7);
    CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost) == cudaSuccess && h[1] == 9);
    CHECK(h[0] == 7);
    CHECK(cudaFuncGetAttributes(&attributes, add) == cudaSuccess);
    CHECK(attributes.maxThreadsPerBlock == 1024);
    int blocks = 0, grid = 0, block = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 256, 0) == cudaSuccess);
    CHECK(blocks == 8);
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add) == cudaSuccess && block == 1024);
    CHECK(cudaFree(d) == cudaSuccess);
}

static void graphs()
{
    int *d, *h, calls = 0;
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaMalloc(&d, N * sizeof *d) == cudaSuccess);
    CHECK(cudaMallocHost(&h, N * sizeof *h) == cudaSuccess);
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking) == cudaSuccess);
    CHECK(cudaMemsetAsync(d, 0, N * sizeof *d, s) == cudaSuccess);
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal) == cudaSuccess);
    add<<<1, N, 0, s>>>(d, 2, N);
    CHECK(cudaLaunchHostFunc(s, add_one, &calls) == cudaSuccess && calls == 0);
    CHECK(cudaMemcpyAsync(h, d, N * sizeof *d, cudaMemcpyDeviceToHost, s) == cudaSuccess);
    CHECK(cudaStreamEndCapture(s, &graph) == cudaSuccess);
    CHECK(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
    for (int k = 0; k < 3; k++)
        CHECK(cudaGraphLaunch(exec, s) == cudaSuccess);
    CHECK(cudaStreamSynchronize(s) == cudaSuccess && h[5] == 6 && calls == 3);
    CHECK(cudaGraphExecDestroy(exec) == cudaSuccess && cudaGraphDestroy(graph) == cudaSuccess);
    CHECK(cudaStreamDestroy(s) == cudaSuccess);
    CHECK(cudaFree(d) == cudaSuccess && cudaFreeHost(h) == cudaSuccess);
}

static void errors()
{
    int count = 0;
    void *p;
    CHECK(cudaGetDeviceCount(&count) == cudaSuccess && count == 1);
    CHECK(cudaSetDevice(1) == cudaErrorInvalidDevice);
    CHECK(cudaPeekAtLastError() == cudaErrorInvalidDevice);
    CHECK(cudaGetLastError() == cudaErrorInvalidDevice && cudaGetLastError() == cudaSuccess);
    CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMaxTexture2DLayeredLayers, 0) == cudaSuccess);
    CHECK(count == 2048);
    CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMemoryPoolSupportedHandleTypes, 0) ==
          cudaSuccess);
    CHECK(count == cudaMemHandleTypeNone);
    CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMax, 0) == cudaErrorInvalidValue);
    CHECK(cudaMalloc(&p, (size_t)1 << 50) == cudaErrorMemoryAllocation);
    CHECK(strcmp(cudaGetErrorName(cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation") == 0);
    CHECK(strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") == 0);
}

static void concurrency()
{
    int *sum, *done, seen = 0;
    std::atomic<int> rounds(0);
    cudaStream_t one, other;
    CHECK(cudaMallocManaged(&sum, sizeof *sum) == cudaSuccess);
    CHECK(cudaStreamCreate(&one) == cudaSuccess && cudaStreamCreate(&other) == cudaSuccess);
    *sum = 0;
    increment<<<2, 32, 0, one>>>(sum);
    increment<<<2, 32, 0, other>>>(sum);
    __atomic_fetch_add(sum, 100, __ATOMIC_RELAXED);
    CHECK(cudaDeviceSynchronize() == cudaSuccess && *sum == 228);
    for (int old = *sum; rounds < 3; rounds++)
        CHECK(__sync_val_compare_and_swap(sum, old + rounds, old + rounds + 1) == old + rounds);
    CHECK(cudaMalloc(&done, sizeof *done) == cudaSuccess);
    volatile int *flag;
    CHECK(cudaMallocHost((void **)&flag, sizeof *flag) == cudaSuccess);
    *flag = 0;
    poll<<<1, 1, 0, one>>>(flag, done);
    *flag = 1;
    CHECK(cudaStreamSynchronize(one) == cudaSuccess && cudaFreeHost((void *)flag) == cudaSuccess);
    clock_t start = clock();
    wait<<<1, 1>>>(20000000, done);
    CHECK(cudaMemcpy(&seen, done, sizeof seen, cudaMemcpyDeviceToHost) == cudaSuccess && seen);
    CHECK(clock() - start < 2 * CLOCKS_PER_SEC);
    CHECK(cudaStreamDestroy(one) == cudaSuccess && cudaStreamDestroy(other) == cudaSuccess);
    CHECK(cudaFree(sum) == cudaSuccess && cudaFree(done) == cudaSuccess);
}

// ---- textures: levels of detail, and cubes ----

__global__ void fetch_levels(cudaTextureObject_t t, float *out)
{
    const float levels[] = {0, 0.4f, 0.6f, 1, 1.5f, 9};
    out[threadIdx.x] = tex2DLod<float>(t, 0.5f, 0.5f, levels[threadIdx.x]);
}
__global__ void fetch_faces(cudaTextureObject_t t, float *out)
{
    const int face = threadIdx.x, axis = face / 2;
    const float sign = face % 2 ? -1 : 1;
    float place[3] = {0.25f, 0.25f, 0.25f};
    place[axis] = sign;
    out[face] = texCubemap<float>(t, place[0], place[1], place[2]);
}
static float values[8];
static cudaTextureObject_t texture_of(cudaResourceDesc resource, cudaTextureFilterMode between)
{
    cudaTextureDesc how = {};
    cudaTextureObject_t t = 0;
    how.normalizedCoords = 1;
    how.mipmapFilterMode = between;
    how.maxMipmapLevelClamp = 10;
    CHECK(cudaCreateTextureObject(&t, &resource, &how, nullptr) == cudaSuccess);
    return t;
}
static void textures()
{
    cudaMipmappedArray_t mipmap;
    cudaArray_t level, cube;
    cudaTextureDesc how;
    cudaResourceDesc resource = {};
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    float *out;
    cudaMalloc(&out, sizeof values);
    CHECK(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(4, 4, 0), 9) == cudaSuccess);
    CHECK(cudaGetMipmappedArrayLevel(&level, mipmap, 3) == cudaErrorInvalidValue);
    for (unsigned k = 0; k < 3; k++) {
        float cells[16];
        const size_t n = 4 >> k;
        for (float &cell : cells)
            cell = 10 * k;
        cudaGetMipmappedArrayLevel(&level, mipmap, k);
        cudaMemcpy2DToArray(level, 0, 0, cells, n * 4, n * 4, n, cudaMemcpyHostToDevice);
    }
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = mipmap;
    cudaTextureObject_t nearest = texture_of(resource, cudaFilterModePoint),
                        between = texture_of(resource, cudaFilterModeLinear);
    fetch_levels<<<1, 6>>>(nearest, out);
    cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost);
    CHECK(values[0] == 0 && values[1] == 0 && values[2] == 10 && values[3] == 10 &&
          values[5] == 20);
    fetch_levels<<<1, 6>>>(between, out);
    cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost);
    CHECK(values[0] == 0 && values[3] == 10 && values[4] == 15 && values[5] == 20);
    CHECK(cudaGetTextureObjectTextureDesc(&how, between) == cudaSuccess &&
          how.mipmapFilterMode == cudaFilterModeLinear);
    cudaDestroyTextureObject(nearest);
    cudaDestroyTextureObject(between);
    CHECK(cudaFreeMipmappedArray(mipmap) == cudaSuccess);
    float faces[6][4];
    for (int k = 0; k < 24; k++)
        faces[k / 4][k % 4] = k;
    CHECK(cudaMalloc3DArray(&cube, &format, make_cudaExtent(2, 2, 6), cudaArrayCubemap) ==
          cudaSuccess);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(faces, 8, 2, 2);
    copy.dstArray = cube;
    copy.extent = make_cudaExtent(2, 2, 6);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy) == cudaSuccess);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = cube;
    cudaTextureObject_t sky = texture_of(resource, cudaFilterModePoint);
    fetch_faces<<<1, 6>>>(sky, out);
    cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost);
    CHECK(values[0] == 0 && values[1] == 5 && values[2] == 11 && values[3] == 13 &&
          values[4] == 17 && values[5] == 20);
    cudaDestroyTextureObject(sky);
    CHECK(cudaFreeArray(cube) == cudaSuccess && cudaFree(out) == cudaSuccess);
}
int main()
{
    CHECK(early.values[5] == 7);
    concurrency();
    memory();
    symbols();
    launches();
    graphs();
    errors();
    textures();
    return failures ? 1 : 0;
}
