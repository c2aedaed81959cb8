// SPDX-License-Identifier: MIT
// Nodes of graphs that take memory, that are changed, enumerated and captured piece by piece: results, each line "NAME: ok" or
// "NAME: WRONG"; then mistakes, each of them told in the line that ends in "// want HAZARD".
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

#include "results.hpp"

__global__ void store(int *out, int value)
{
    out[threadIdx.x] = value;
}
__global__ void add(int *out, const int *in, int value)
{
    out[threadIdx.x] = in[threadIdx.x] + value; // want uninitialised
}

static cudaKernelNodeParams kernel(void *function, void **arguments, unsigned threads)
{
    cudaKernelNodeParams params = {};
    params.func = function;
    params.gridDim = dim3(1);
    params.blockDim = dim3(threads);
    params.kernelParams = arguments;
    return params;
}

static int first(const int *device)
{
    int value;
    cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost);
    return value;
}

__device__ int variable[4];

// Memory that the graph takes and frees, at each launch anew.
static void memory(int *out)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t take, fill, sum, give, nodes[8];
    cudaMemAllocNodeParams wanted = {};
    wanted.bytesize = 32 * sizeof(int);
    cudaGraphCreate(&graph, 0);
    cudaGraphAddMemAllocNode(&take, graph, nullptr, 0, &wanted);
    int *inner = (int *)wanted.dptr, seven = 7, one = 1;
    void *of_store[] = {&inner, &seven}, *of_add[] = {&out, &inner, &one};
    auto params = kernel((void *)store, of_store, 32);
    cudaGraphAddKernelNode(&fill, graph, &take, 1, &params);
    params = kernel((void *)add, of_add, 32);
    cudaGraphAddKernelNode(&sum, graph, &fill, 1, &params);
    cudaGraphAddMemFreeNode(&give, graph, &sum, 1, inner);
    size_t n = 8, edges = 0, n_behind = 8;
    cudaGraphGetNodes(graph, nodes, &n);
    cudaGraphGetEdges(graph, nullptr, nullptr, &edges);
    cudaGraphNodeGetDependentNodes(fill, nodes, &n_behind);
    check("nodes and edges", n == 4 && edges == 3 && n_behind == 1 && nodes[0] == sum);
    cudaGraphInstantiate(&exec, graph, 0);
    unsigned long long used = 1, most = 0;
    for (int k = 0; k < 3; k++)
        cudaGraphLaunch(exec, 0);
    check("memory of a graph, three times", first(out) == 8);
    cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used);
    cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &most);
    check("what it has used", used == 0 && most == 32 * sizeof(int));

    // Changed in the executable graph only, and then as a whole.
    int nine = 9;
    void *changed[] = {&inner, &nine};
    params = kernel((void *)store, changed, 32);
    cudaGraphExecKernelNodeSetParams(exec, fill, &params);
    cudaGraphLaunch(exec, 0);
    check("an argument changed", first(out) == 10);
    cudaGraphNodeSetEnabled(exec, sum, 0);
    cudaMemset(out, 0, sizeof *out);
    cudaGraphLaunch(exec, 0);
    check("a node passed over", first(out) == 0);
    cudaGraphNodeSetEnabled(exec, sum, 1);
    cudaKernelNodeParams asked = {};
    cudaGraphKernelNodeGetParams(fill, &asked);
    check("its parameters", asked.func == (void *)store && asked.blockDim.x == 32 &&
                                *(int *)asked.kernelParams[1] == 7);
    cudaGraphExecUpdateResultInfo info;
    check("updated", cudaGraphExecUpdate(exec, graph, &info) == cudaSuccess &&
                         info.result == cudaGraphExecUpdateSuccess);
    cudaGraphLaunch(exec, 0);
    check("as the graph has it", first(out) == 8);
    cudaGraphDestroyNode(sum);
    check("of another form",
          cudaGraphExecUpdate(exec, graph, &info) == cudaErrorGraphExecUpdateFailure &&
              info.result == cudaGraphExecUpdateErrorTopologyChanged);
    cudaGetLastError();
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
}

// Captured into a graph that is there, and memory that a captured stream takes.
static void captured(int *out)
{
    cudaGraph_t graph, known;
    cudaGraphExec_t exec;
    cudaGraphNode_t set, copy;
    cudaStream_t stream;
    cudaStreamCaptureStatus status;
    const cudaGraphNode_t *tails;
    size_t n = 0;
    int *inner, host = 0, five = 5;
    cudaGraphCreate(&graph, 0);
    cudaGraphAddMemcpyNodeToSymbol(&set, graph, nullptr, 0, variable, &five, sizeof five, 4,
                                   cudaMemcpyHostToDevice);
    cudaStreamCreate(&stream);
    cudaStreamBeginCaptureToGraph(stream, graph, &set, nullptr, 1, cudaStreamCaptureModeGlobal);
    cudaMallocAsync(&inner, 32 * sizeof(int), stream);
    store<<<1, 32, 0, stream>>>(inner, 20);
    add<<<1, 32, 0, stream>>>(out, inner, 2);
    cudaFreeAsync(inner, stream);
    cudaStreamGetCaptureInfo(stream, &status, nullptr, &known, &tails, &n);
    check("what is captured", status == cudaStreamCaptureStatusActive && known == graph && n == 1);
    cudaGraphNodeParams any = {cudaGraphNodeTypeKernel};
    void *of_add[] = {&out, &out, &five};
    any.kernel.func = (void *)add;
    any.kernel.gridDim = any.kernel.blockDim = dim3(1);
    any.kernel.kernelParams = of_add;
    cudaGraphNode_t node;
    cudaGraphAddNode(&node, graph, tails, nullptr, n, &any);
    cudaStreamUpdateCaptureDependencies(stream, &node, 1, cudaStreamSetCaptureDependencies);
    store<<<1, 1, 0, stream>>>(out + 1, 3);
    cudaStreamEndCapture(stream, nullptr);
    cudaGraphAddMemcpyNodeFromSymbol(&copy, graph, &set, 1, &host, variable, sizeof host, 4,
                                     cudaMemcpyDeviceToHost);
    cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
    for (int k = 0; k < 2; k++)
        cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    check("captured", first(out) == 27 && first(out + 1) == 3);
    check("variables", host == 5);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
}

// Memory that one graph takes and another frees, which is made while there is none.
static void freed_by_another(int *out)
{
    cudaGraph_t graph, frees;
    cudaGraphExec_t exec, exec_of_free;
    cudaGraphNode_t take, sum, give;
    cudaMemAllocNodeParams wanted = {};
    wanted.bytesize = 32 * sizeof(int);
    cudaGraphCreate(&graph, 0);
    cudaGraphAddMemAllocNode(&take, graph, nullptr, 0, &wanted);
    int *inner = (int *)wanted.dptr, six = 6;
    void *of_store[] = {&inner, &six};
    auto params = kernel((void *)store, of_store, 32);
    cudaGraphAddKernelNode(&sum, graph, &take, 1, &params);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, 0);
    cudaFreeAsync(inner, 0);
    cudaGraphCreate(&frees, 0);
    const bool is_made = cudaGraphAddMemFreeNode(&give, frees, nullptr, 0, inner) == cudaSuccess;
    cudaGraphInstantiate(&exec_of_free, frees, 0);
    cudaGraphLaunch(exec, 0);
    cudaMemcpy(out, inner, sizeof *out, cudaMemcpyDeviceToDevice);
    cudaGraphLaunch(exec_of_free, 0);
    check("freed by another graph",
          is_made && first(out) == 6 && cudaDeviceSynchronize() == cudaSuccess);
    cudaGraphExecDestroy(exec);
    cudaGraphExecDestroy(exec_of_free);
    cudaGraphDestroy(graph);
    cudaGraphDestroy(frees);
}

static void shared(int *out)
{
    int *flags, sum = 0;
    cudaMallocManaged(&flags, 4 * sizeof *flags);
    cudaMemset(flags, 0, sizeof *flags);
    add<<<1, 1>>>(out, out, 1);
    cudaDeviceSynchronize();
    flags[1] = 0xa5a5a5a5;
    memset(flags + 2, 0, sizeof *flags);
    sum = flags[0] + flags[1] + flags[2];
    sum += flags[3]; // want uninitialised
    printf(sum ? "\n" : "0\n");
    cudaFree(flags);
}

static void batch()
{
    int from[4] = {1, 2, 3, 4}, to[2] = {0, 0}, *a;
    cudaMalloc(&a, 4 * sizeof *a);
    void *dsts[] = {a, a + 2}, *srcs[] = {from, from + 2};
    size_t sizes[] = {8, 8}, first_of = 0;
    cudaMemcpyAttributes how = {};
    how.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    cudaMemcpyBatchAsync(dsts, srcs, sizes, 2, &how, &first_of, 1, cudaStreamPerThread);
    cudaStreamSynchronize(cudaStreamPerThread);
    cudaMemcpy(to, a + 2, sizeof to, cudaMemcpyDeviceToHost);
    check("a batch of copies", to[0] == 3 && to[1] == 4);
    cudaFree(a);
}

static void mistakes(int *out)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t take, sum, late;
    cudaMemAllocNodeParams wanted = {};
    wanted.bytesize = 32 * sizeof(int);
    cudaGraphCreate(&graph, 0);
    cudaGraphAddMemAllocNode(&take, graph, nullptr, 0, &wanted); // want leak
    int *inner = (int *)wanted.dptr, one = 1;
    void *of_add[] = {&out, &inner, &one}, *of_store[] = {&out, &one};
    auto params = kernel((void *)add, of_add, 32);
    cudaGraphAddKernelNode(&sum, graph, &take, 1, &params);
    params = kernel((void *)store, of_store, 32);
    cudaGraphAddKernelNode(&late, graph, nullptr, 0, &params); // want race
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, 0);
    cudaDeviceSynchronize();
    cudaGraphLaunch(exec, 0); // want unchecked-error
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
}

int main()
{
    int *out;
    cudaMalloc(&out, 32 * sizeof *out);
    memory(out);
    captured(out);
    freed_by_another(out);
    batch();
    shared(out);
    mistakes(out);
    cudaFree(out);
}
