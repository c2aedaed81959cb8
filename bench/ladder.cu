// SPDX-License-Identifier: MIT
/* Times the rungs of the ladder on a GPU, next to CUB's sum and cuBLAS' dot product:
 *
 *     ladder [--repeats R] [--block T] [LOG2...]      n = 2^LOG2; by default 20 24 26 28
 *
 * bench/ladder compiles and runs it, once for each element type. All contenders add the same numbers
 * on the device and leave one sum there, which is compared with the right one. Where a rung leaves a
 * sum a block, ladder-vectorised adds these in a second launch, which is part of its time. In a repeat
 * all contenders take their turn; figures are medians of the repeats. */
#include "kernel.h"

#include "cooperative.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cub/device/device_reduce.cuh>
#include <cublas_v2.h>
#include <type_traits>
#include <vector>

namespace rung_shared
{
#include "ladder_shared.cu"
}
namespace rung_warp
{
#include "ladder_warp.cu"
}
namespace rung_stride
{
#include "ladder_stride.cu"
}
namespace rung_vector
{
#include "ladder_vector.cu"
}
using namespace rung_shared;
using namespace rung_warp;
using namespace rung_stride;
using namespace rung_vector;

#define STRING_(x) #x
#define STRING(x)  STRING_(x)

static void check(cudaError_t result, const char *call)
{
    if (result == cudaSuccess)
        return;
    fprintf(stderr, "ladder: %s: %s\n", call, cudaGetErrorName(result));
    exit(2);
}
#define CHECK(call) check(call, #call)

/* ---- the numbers ---- */

/* Whole numbers below 16. */
static __host__ __device__ unsigned number(size_t i)
{
    uint64_t z = i * 0x9e3779b97f4a7c15u + 1;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    return (unsigned)(z >> 60);
}

static __global__ void fill(elem *a, size_t n, size_t offset)
{
    for (size_t i = GLOBAL_THREAD; i < n; i += GRID_THREADS)
        a[i] = (elem)number(i + offset);
}

enum { OFFSET_OF_B = 12345 };

/* The sums of the first n terms, exactly. */
struct sums {
    size_t n;
    uint64_t sum, dot;
};

static void extend(struct sums *sums, size_t n)
{
    for (; sums->n < n; sums->n++) {
        sums->sum += number(sums->n);
        sums->dot += number(sums->n) * number(sums->n + OFFSET_OF_B);
    }
}

/* Integers: modulo their size. Floats: well within what any tree of additions loses. */
static bool is_right(elem actual, uint64_t wanted)
{
    if ((elem)0.5 == 0)
        return actual == (elem)wanted;
    return fabs((double)actual - (double)wanted) <= 1e-5 * (double)wanted;
}

/* ---- what is timed ---- */

struct bench {
    elem *a, *b, *sum, *partials, *more_partials;
    unsigned *ticket;
    void *temporary;
    size_t temporary_bytes;
    cublasHandle_t cublas;
    int multiprocessors;
};

/* A contender's launch. */
struct plan {
    size_t n, grid;
    unsigned block;
};

struct contender {
    const char *name;
    void (*run)(struct bench *bench, const struct plan *plan);
    const void *kernel; /* NULL: of a library */
    unsigned block;
    unsigned a_thread; /* elements a thread: the grid is as large as n asks; 0: as the GPU holds */
    bool is_dot;
};

static size_t shared_bytes(unsigned block)
{
    return block * sizeof(elem);
}

/* Adds the blocks' sums. */
static void add_blocks(struct bench *b, size_t blocks)
{
    enum { BLOCK = 512, A_BLOCK = 16 * BLOCK, MOST = 128 };
    unsigned grid = (unsigned)std::min<size_t>((blocks + A_BLOCK - 1) / A_BLOCK, MOST);
    NAME(ladder_vectorised)<<<grid, BLOCK, shared_bytes(BLOCK)>>>(
        b->partials, b->sum, b->more_partials, b->ticket, blocks);
}

#define RUN_AND_ADD_BLOCKS(rung)                                                                   \
    static void run_##rung(struct bench *b, const struct plan *p)                                  \
    {                                                                                              \
        NAME(rung)<<<(unsigned)p->grid, p->block, shared_bytes(p->block)>>>(b->a, b->partials,     \
                                                                            p->n);                 \
        add_blocks(b, p->grid);                                                                    \
    }
RUN_AND_ADD_BLOCKS(ladder_interleaved_modulo)
RUN_AND_ADD_BLOCKS(ladder_interleaved_strided)
RUN_AND_ADD_BLOCKS(ladder_sequential)
RUN_AND_ADD_BLOCKS(ladder_first_add)
RUN_AND_ADD_BLOCKS(ladder_warp_shuffle)
RUN_AND_ADD_BLOCKS(ladder_unrolled)
RUN_AND_ADD_BLOCKS(ladder_grid_stride)
RUN_AND_ADD_BLOCKS(ladder_shuffles_twice)
RUN_AND_ADD_BLOCKS(ladder_tiles)

static void run_ladder_vectorised_atomic(struct bench *b, const struct plan *p)
{
    check(cudaMemsetAsync(b->sum, 0, sizeof *b->sum), "cudaMemsetAsync");
    NAME(ladder_vectorised_atomic)<<<(unsigned)p->grid, p->block, shared_bytes(p->block)>>>(
        b->a, b->sum, p->n);
}

static void run_ladder_vectorised(struct bench *b, const struct plan *p)
{
    NAME(ladder_vectorised)<<<(unsigned)p->grid, p->block, shared_bytes(p->block)>>>(
        b->a, b->sum, b->partials, b->ticket, p->n);
}

static void run_ladder_cooperative(struct bench *b, const struct plan *p)
{
    size_t n = p->n;
    void *arguments[] = {&b->a, &b->sum, &b->partials, &n};
    CHECK(cudaLaunchCooperativeKernel((const void *)NAME(ladder_cooperative),
                                      dim3((unsigned)p->grid), dim3(p->block), arguments,
                                      shared_bytes(p->block)));
}

static void run_ladder_dot(struct bench *b, const struct plan *p)
{
    NAME(ladder_dot)<<<(unsigned)p->grid, p->block, shared_bytes(p->block)>>>(
        b->a, b->b, b->sum, b->partials, b->ticket, p->n);
}

static void run_cub(struct bench *b, const struct plan *p)
{
    CHECK(cub::DeviceReduce::Sum(b->temporary, b->temporary_bytes, b->a, b->sum, p->n));
}

/* cuBLAS knows floats only. */
static bool has_cublas()
{
    return std::is_same<elem, float>::value || std::is_same<elem, double>::value;
}

static cublasStatus_t dot_of_cublas(const struct bench *b, int n)
{
    if (std::is_same<elem, double>::value)
        return cublasDdot(b->cublas, n, (const double *)b->a, 1, (const double *)b->b, 1,
                          (double *)b->sum);
    return cublasSdot(b->cublas, n, (const float *)b->a, 1, (const float *)b->b, 1,
                      (float *)b->sum);
}

static void run_cublas(struct bench *b, const struct plan *p)
{
    if (dot_of_cublas(b, (int)p->n) == CUBLAS_STATUS_SUCCESS)
        return;
    fprintf(stderr, "ladder: cuBLAS' dot product failed\n");
    exit(2);
}

#define RUNG(text, rung, block, a_thread, is_dot)                                                  \
    {                                                                                              \
        text, run_##rung, (const void *)NAME(rung), block, a_thread, is_dot                        \
    }

/* The libraries come last, each behind the rungs that are compared with it. */
static const struct contender contenders[] = {
    RUNG("ladder-interleaved-modulo", ladder_interleaved_modulo, 256, 1, false),
    RUNG("ladder-interleaved-strided", ladder_interleaved_strided, 256, 1, false),
    RUNG("ladder-sequential", ladder_sequential, 256, 1, false),
    RUNG("ladder-first-add", ladder_first_add, 256, 2, false),
    RUNG("ladder-warp-shuffle", ladder_warp_shuffle, 256, 2, false),
    RUNG("ladder-unrolled", ladder_unrolled, 256, 2, false),
    RUNG("ladder-grid-stride", ladder_grid_stride, 256, 0, false),
    RUNG("ladder-shuffles-twice", ladder_shuffles_twice, 256, 0, false),
    RUNG("ladder-tiles", ladder_tiles, 256, 0, false),
    RUNG("ladder-vectorised-atomic", ladder_vectorised_atomic, 512, 0, false),
    RUNG("ladder-cooperative", ladder_cooperative, 512, 0, false),
    RUNG("ladder-vectorised", ladder_vectorised, 512, 0, false),
    {"cub::DeviceReduce::Sum", run_cub, NULL, 0, 0, false},
    RUNG("ladder-dot", ladder_dot, 512, 0, true),
    {"cuBLAS dot", run_cublas, NULL, 0, 0, true},
};
enum { CONTENDERS = sizeof contenders / sizeof *contenders };

/* ---- timing ---- */

static struct plan plan_of(const struct bench *b, const struct contender *c, size_t n,
                           unsigned block)
{
    struct plan plan = {n, 0, block ? block : c->block};
    int held = 0;
    if (!c->kernel)
        return plan;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&held, c->kernel, (int)plan.block,
                                                        shared_bytes(plan.block)));
    size_t elements = (size_t)plan.block * (c->a_thread ? c->a_thread : 1);
    plan.grid = (n + elements - 1) / elements;
    if (!c->a_thread)
        plan.grid = std::min(plan.grid, (size_t)held * b->multiprocessors);
    return plan;
}

/* Runs it often enough for the clock of events; ms a run. */
static double time_ms(struct bench *b, const struct contender *c, const struct plan *plan,
                      cudaEvent_t start, cudaEvent_t end)
{
    enum { ENOUGH_LOG2 = 28, RUNS_MAX = 64 };
    size_t runs = ((size_t)1 << ENOUGH_LOG2) / plan->n;
    float ms;
    runs = runs < 1 ? 1 : runs > RUNS_MAX ? RUNS_MAX : runs;
    CHECK(cudaEventRecord(start));
    for (size_t k = 0; k < runs; k++)
        c->run(b, plan);
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaGetLastError());
    CHECK(cudaEventElapsedTime(&ms, start, end));
    return ms / (double)runs;
}

static double median(std::vector<double> times)
{
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

/* The library that a rung is compared with. */
static int rival_of(int c)
{
    while (contenders[c].kernel)
        c++;
    return c;
}

static void print_row(const struct contender *c, const struct plan *plan, double ms,
                      double rival_ms)
{
    double bytes = (double)plan->n * sizeof(elem) * (c->is_dot ? 2 : 1);
    char launch[32] = "";
    if (c->kernel)
        snprintf(launch, sizeof launch, "%zu x %u", plan->grid, plan->block);
    printf("%-28s%16s%10.4f%10.1f%8.2f\n", c->name, launch, ms, bytes / ms * 1e-6, rival_ms / ms);
}

/* Returns how many sums were wrong. */
static int compare(struct bench *b, size_t n, unsigned block, unsigned repeats, struct sums *right)
{
    struct plan plans[CONTENDERS];
    std::vector<double> times[CONTENDERS];
    cudaEvent_t start, end;
    int wrong = 0, count = has_cublas() ? CONTENDERS : CONTENDERS - 2;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&end));
    extend(right, n);
    for (int c = 0; c < count; c++) {
        elem sum;
        plans[c] = plan_of(b, &contenders[c], n, block);
        contenders[c].run(b, &plans[c]); /* the first run is not timed */
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(&sum, b->sum, sizeof sum, cudaMemcpyDeviceToHost));
        if (is_right(sum, contenders[c].is_dot ? right->dot : right->sum))
            continue;
        wrong++;
        fprintf(stderr, "ladder: n = %zu: the sum of '%s' is wrong: %g\n", n, contenders[c].name,
                (double)sum);
    }
    for (unsigned r = 0; r < repeats; r++)
        for (int c = 0; c < count; c++)
            times[c].push_back(time_ms(b, &contenders[c], &plans[c], start, end));
    printf("\n%-28s%16s%10s%10s%8s\n", "", "grid x block", "ms", "GB/s", "ratio");
    for (int c = 0; c < count; c++)
        print_row(&contenders[c], &plans[c], median(times[c]), median(times[rival_of(c)]));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(end));
    return wrong;
}

/* ---- */

static void init(struct bench *b, size_t n_max)
{
    const size_t n_partials = n_max / 32 + 65536; /* blocks of 32 threads, or as the GPU holds */
    CHECK(cudaDeviceGetAttribute(&b->multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaMalloc(&b->a, n_max * sizeof(elem)));
    CHECK(cudaMalloc(&b->b, n_max * sizeof(elem)));
    CHECK(cudaMalloc(&b->sum, sizeof(elem)));
    CHECK(cudaMalloc(&b->partials, n_partials * sizeof(elem)));
    CHECK(cudaMalloc(&b->more_partials, n_partials * sizeof(elem)));
    CHECK(cudaMalloc(&b->ticket, sizeof *b->ticket));
    CHECK(cudaMemset(b->ticket, 0, sizeof *b->ticket));
    b->temporary = NULL;
    CHECK(cub::DeviceReduce::Sum(b->temporary, b->temporary_bytes, b->a, b->sum, n_max));
    CHECK(cudaMalloc(&b->temporary, b->temporary_bytes));
    fill<<<1024, 256>>>(b->a, n_max, 0);
    fill<<<1024, 256>>>(b->b, n_max, OFFSET_OF_B);
    CHECK(cudaDeviceSynchronize());
    if (cublasCreate(&b->cublas) != CUBLAS_STATUS_SUCCESS ||
        cublasSetPointerMode(b->cublas, CUBLAS_POINTER_MODE_DEVICE) != CUBLAS_STATUS_SUCCESS) {
        fprintf(stderr, "ladder: cuBLAS does not start\n");
        exit(2);
    }
}

static unsigned parse(const char *text, const char *what, unsigned least, unsigned most)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (*text && !*end && value >= least && value <= most)
        return (unsigned)value;
    fprintf(stderr, "ladder: '%s' is '%s': use a number from %u to %u\n", what, text, least, most);
    exit(2);
}

int main(int argc, char **argv)
{
    unsigned repeats = 21, block = 0;
    std::vector<unsigned> sizes;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--repeats") == 0 && i + 1 < argc)
            repeats = parse(argv[++i], "--repeats", 1, 1000);
        else if (strcmp(argv[i], "--block") == 0 && i + 1 < argc)
            block = parse(argv[++i], "--block", 32, 1024);
        else
            sizes.push_back(parse(argv[i], "LOG2", 0, 30));
    }
    if (sizes.empty())
        sizes = {20, 24, 26, 28};
    std::sort(sizes.begin(), sizes.end());

    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    struct bench bench = {};
    struct sums right = {0, 0, 0};
    int wrong = 0;
    init(&bench, (size_t)1 << sizes.back());
    for (unsigned log2 : sizes) {
        printf("%s" STRING(RD_TYPE) ", n = 2^%u, medians of %u, %s", log2 == sizes[0] ? "" : "\n",
               log2, repeats, properties.name);
        wrong += compare(&bench, (size_t)1 << log2, block, repeats, &right);
    }
    return wrong != 0;
}
