// SPDX-License-Identifier: MIT
// Thread-local variables of the host beside shared ones: launches leave them alone, and each thread has its own.
#include <cstdio>
#include <future>
#include <mutex>
#include <string>
#include <thread>

struct counted {
    int value;
    counted() : value(40)
    {
    }
};

extern thread_local int of_other_file;
thread_local int global = 3;
static thread_local counted made;
__shared__ int fixed[32];

extern "C" __global__ void reversed(int *out)
{
    extern __shared__ int tile[];
    fixed[threadIdx.x] = tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = fixed[31 - threadIdx.x] + tile[31 - threadIdx.x];
}

template <class T> __global__ void doubled(T *out)
{
    extern __shared__ T of_type[];
    __shared__ T all[32];
    all[threadIdx.x] = of_type[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = all[31 - threadIdx.x] + of_type[31 - threadIdx.x];
}

static void expect(const char *name, int value, int wanted)
{
    printf("%s = %d: %s\n", name, value, value == wanted ? "ok" : "WRONG");
}

static int launch()
{
    thread_local std::string text = "text";
    int *out, at_0 = 0;
    text += "!";
    made.value++;
    of_other_file++;
    cudaMalloc(&out, 32 * sizeof *out);
    reversed<<<1, 32, 32 * sizeof *out>>>(out);
    doubled<<<1, 32, 32 * sizeof *out>>>(out);
    cudaMemcpy(&at_0, out, sizeof at_0, cudaMemcpyDeviceToHost);
    cudaFree(out);
    return at_0 + (int)text.size();
}

int main()
{
    std::once_flag once;
    int calls = 0;
    for (int k = 0; k < 2; k++)
        std::call_once(once, [&] { calls++; });
    expect("calls", calls, 1);
    global++;
    expect("first launch", launch(), 67);
    expect("second launch", launch(), 68);
    expect("global", global, 4);
    expect("made", made.value, 42);
    expect("of another file", of_other_file, 9);
    expect("in a thread of std::async", std::async(std::launch::async, launch).get(), 67);
    std::thread other(
        [] { expect("another thread's", global + made.value + of_other_file, 3 + 40 + 7); });
    other.join();
}
