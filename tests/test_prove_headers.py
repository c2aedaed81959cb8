#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reductio prove FILE.cu, of files that include CUDA's headers and NVIDIA's helpers, and use cooperative groups.

test_prove_headers.py REDUCTIO     skipped where there is no cvc5, or no libclang
"""
from prove_case import SUM, ProveCase, main, tree
from short_run import takes_long

# All that `run` has, of which little is used.
GROUPS = """#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <curand_kernel.h>
#include <device_launch_parameters.h>
#include <cuda/atomic>
#include <thrust/device_vector.h>
#include <cub/cub.cuh>
#include <mma.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <helper_math.h>
#include <math_constants.h>
#define T 64
namespace cg = cooperative_groups;
__device__ void fold(cg::thread_block block, int *s, int w)
{
    if (block.thread_rank() < w / 2)
        s[block.thread_rank()] += s[block.thread_rank() + w / 2];
    cg::sync(block);
}
__global__ void reduce(const int *in, int *out, int n)
{
    __shared__ int s[T];
    cg::thread_block block = cg::this_thread_block();
    auto same = cg::this_thread_block();
    int t = block.thread_rank(), i = block.group_index().x * block.size() + t;
    s[t] = i < n ? in[i] : 0;
    block.sync();
    //@ invariant for 0 <= i < w: s[i] = sum of a[j], floor(j / T) = blockIdx.x, j mod w = i
    for (int w = T; w > 1; w /= 2) {
        if (same.thread_index().x < w / 2)
            s[same.thread_index().x] += s[block.thread_rank() + w / 2];
        cg::this_thread_block().sync();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}
int main(int argc, char **argv)
{
    int dev = findCudaDevice(argc, (const char **)argv);
    int n = 1000;
    if (checkCmdLineFlag(argc, (const char **)argv, "n"))
        n = getCmdLineArgumentInt(argc, (const char **)argv, "n");
    StopWatchInterface *timer = NULL;
    sdkCreateTimer(&timer);
    //@ requires 1 <= n and n <= 2^30
    const int B = (n + T - 1) / T;
    int *a = (int *)malloc(n * sizeof(int)), *in, *out;
    for (int j = 0; j < n; j++)
        a[j] = 5 - j;
    //@ input a[n]
    checkCudaErrors(cudaMalloc((void **)&in, n * sizeof(int)));
    checkCudaErrors(cudaMalloc((void **)&out, B * sizeof(int)));
    checkCudaErrors(cudaMemcpy(in, a, n * sizeof(int), cudaMemcpyHostToDevice));
    sdkStartTimer(&timer);
    reduce<<<B, T>>>(in, out, n);
    getLastCudaError("reduce() failed");
    //@ ensures for 0 <= k < B: out[k] = sum of a[j], floor(j / T) = k
    checkCudaErrors(cudaDeviceSynchronize());
    sdkStopTimer(&timer);
    printf("%f ms on %d\\n", sdkGetTimerValue(&timer), dev);
    sdkDeleteTimer(&timer);
    checkCudaErrors(cudaFree(in));
    checkCudaErrors(cudaFree(out));
    free(a);
    return 0;
}
"""


class ProveHeaders(ProveCase):
    def with_(self, *changes):
        text = GROUPS
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new)
        return text

    def test_headers_of_cuda_are_read_and_the_block_as_a_group(self):
        self.assert_proved(GROUPS)
        headers = ("cuda_fp16.h", "cuda_bf16.h", "cooperative_groups.h", "helper_cuda.h", "helper_functions.h", "curand_kernel.h", "cuda/atomic", "cuda/std/limits",
                       "thrust/reduce.h", "cub/cub.cuh", "vector_types.h", "math_constants.h", "cuda_profiler_api.h", "mma.h", "nvtx3/nvToolsExt.h")
        includes = "".join(f"#include <{header}>\n" for header in headers)
        self.assert_proved(f"{includes}static_assert(CUDART_PI_F > 3 && MAX(1, 2) == 2);\n{tree(SUM)}")

    def test_header_beside_the_file_comes_first(self):
        with open(self.path("helper_cuda.h"), "w", encoding="utf-8") as file:
            file.write("#define OUT out[blockIdx.x] = s[0]\n")
        self.assert_proved(tree(SUM, before='#include "helper_cuda.h"', out="OUT"))

    def test_header_that_the_programs_own_asks_for_is_there(self):
        for asked, status in (("cuda_bf16.h", 0), ("cuda_none.h", 3)):
            with self.subTest(asked=asked):
                with open(self.path("own.h"), "w", encoding="utf-8") as file:
                    file.write(f"#if __has_include(<{asked}>)\n#define OUT out[blockIdx.x] = s[0]\n#endif\n#include <cuda_fp16.h>\n")
                self.assertEqual(self.prove(tree(SUM, before='#include "own.h"', out="OUT")).returncode, status)

    def test_what_is_not_covered_of_a_header_is_named_with_its_line(self):
        at = "    int t = block.thread_rank()"
        for more, said in (("__half h = 1;", "unknown type name '__half': the prover doesn't know all that <cuda_fp16.h> and <mma.h> declare"),
                           ("cuda::atomic_ref<int> r(*out);", "'atomic_ref' in namespace 'cuda': the prover doesn't know all that <cuda/atomic> declares"),
                           ("auto tile = cg::tiled_partition<32>(block);", "'tiled_partition' in namespace 'cooperative_groups': the prover doesn't know all that <cooperative_groups.h> "),
                           ("cg::grid_group grid = cg::this_grid();", "'grid_group' in namespace 'cooperative_groups': the prover doesn't know all that "),
                           ("int r = zzz;", "use of undeclared identifier 'zzz'\n")):
            with self.subTest(more=more):
                done = self.prove(self.with_((at, f"    {more}\n{at}")))
                self.assertIn("user.cu:29: ", done.stdout)
                self.assertIn(said, done.stdout)

    def test_condition_on_a_macro_of_a_header_is_not_covered(self):
        asks = GROUPS.replace("#define T 64", "#if CUB_VERSION >= 100000\n#define T 64\n#else\n#define T 32\n#endif")
        self.assert_says(asks, "a condition asks for 'CUB_VERSION', a macro of CUDA's that the prover does not have", 3)

    def test_group_is_nothing_that_does_more(self):
        for sync in ("((s[0] = 7, block)).sync();", "cg::sync((s[0] = 7, block));", "(&block)->sync();", "fold((s[0] = 7, block), s, 0);",
                     "struct Mine : cg::thread_block { Mine(int *q) { *q = 5; } }; Mine(s).sync();", "void (*f)() = &cg::thread_block::sync; f();",
                     "struct Mine { int *q; operator cg::thread_block() { *q = 4; return cg::this_thread_block(); } } m = {s}; cg::thread_block o = m; o.sync();",
                     "auto o = (s[0] = 7, block); o.sync();"):
            with self.subTest(sync=sync):
                self.assert_says(self.with_(("    block.sync();", "    " + sync)), "user.cu:31: ", 3)

    @takes_long
    def test_barrier_of_a_group_is_one_of_the_block(self):
        for sync in ("cg::sync(block);", "cg::thread_block::sync();", "(block).sync();", "fold(cg::this_thread_block(), s, 0);"):
            with self.subTest(sync=sync):
                self.assert_proved(self.with_(("    block.sync();", "    " + sync)))
        self.assert_says(self.with_(("    block.sync();\n", "")), "a barrier stands before the checkpoint", 1)
        self.assert_says(self.with_(("        cg::this_thread_block().sync();", "        if (t < 5)\n            block.sync();")), "all threads of the block come to the barrier", 1)
        self.assert_says(self.with_(("int t = block.thread_rank()", "int t = block.thread_rank() + 1")), "within s", 1)
        self.assert_says(self.with_(("checkCudaErrors(cudaDeviceSynchronize());", ""), ("    //@ ensures", "    checkCudaErrors(cudaMemset(out, 0, 4));\n    //@ ensures")),
                         "what the law says", 1)


if __name__ == "__main__":
    main()
