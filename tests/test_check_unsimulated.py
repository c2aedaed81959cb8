#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Features of CUDA that the simulator lacks: one sentence names each, and only if the checked kernel comes to it.

usage: test_check_unsimulated.py REDUCTIO [unittest's arguments]"""

import json
import os
import shutil
import subprocess
import unittest

from check_case import BINARY, CheckTest
from patience import WAIT_S

GROUPS = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"

# Features: the name in the message; the text above the kernels; the kernel's second parameter and its argument; and the
# body, whose first line uses the feature.
FEATURES = (
    ("the PTX instruction 'wgmma.fence.sync.aligned'", "", "int i", "1",
     'asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); a[0] = i;'),
    ("labels and branches in inline PTX", "", "int i", "1", '__asm__ ("L: bra L;"); a[0] = i;'),
    ("the PTX register '%nonsense', which its asm statement does not declare",
     '#define LANE(x) asm("mov.u32 %0, \\\n%%nonsense;" : "=r"(x))\n', "unsigned i", "1", "LANE(i);"),
    ("thread block clusters", GROUPS, "int i", "1", "cg::cluster_group c = cg::this_cluster();\n    c.sync();"),
    ("tensor cores on bits and numbers of 4 bits", "#include <mma.h>\nusing namespace nvcuda;\n", "int i", "1",
     "wmma::experimental::bmma_sync(a, i);"),
    ("floats of 6 and 4 bits", "#include <cuda_fp4.h>\n", "float x", "1", "__nv_fp4_e2m1 narrow(x);"),
    ("grids on several devices", GROUPS, "int i", "1", "cg::this_multi_grid().sync();"),
    ("this part of CUB", "#include <cub/cub.cuh>\n", "int i", "1", "typedef cub::BlockHistogram<int, 128, 4, 16> Histogram;"),
    ("this part of Thrust", "#include <thrust/device_vector.h>\nvoid host() { thrust::device_vector<int> v(5); }\n", "int i", "1",
     "thrust::set_union_by_key(thrust::seq, a, a + 4, a, a + 4, a, a, a, a);"),
    ("graphics", "#include <cudaEGL.h>\n", "int i", "1", "CUgraphicsResource r; a[0] = i;"),
    ("NPP", "#include <npp.h>\n", "int i", "1", "a[0] = NPP_NO_ERROR;"),
    ("the Mersenne Twister MTGP32 in kernels", "#include <curand_kernel.h>\n#include <curand_mtgp32_host.h>\n", "int i", "1",
     "a[0] = curand_uniform((curandStateMtgp32 *)a);"),
    ("NVSHMEM", "#include <nvshmem.h>\n", "int i", "1", "a[0] = nvshmem_my_pe();"),
    ("libcu++", "#include <cuda/ptx>\n", "int i", "1", "cuda::ptx::cp_async_bulk_wait_group(cuda::ptx::n32_t<0>());"),
    ("named barriers", "", "int i", "1", "__barrier_sync_count(1, 32);"),
    ("PTX barriers other than number 0", "", "int i", "1", 'asm volatile("bar.sync 1, 32;" ::: "memory"); a[0] = i;'),
    ("the PTX instruction 'cvt.rn.satfinite.f16.f32'", "", "float x", "1",
     'short h; asm("cvt.rn.satfinite.f16.f32 %0, %1;" : "=h"(h) : "f"(x)); a[0] = h;'),
    ("the PTX instruction 'cvt.rz.s32.f32'", "", "float x", "1",
     'int i; asm("cvt.rz.s32.f32 %0, %1;" : "=r"(i) : "f"(x)); a[0] = i;'),
    ("the PTX instruction 'min.ftz.f64'", "", "double x", "1",
     'asm("min.ftz.f64 %0, %0, %1;" : "+d"(x) : "d"(2.0)); a[0] = x;'),
    ("the PTX instruction 'add.rn.f32.f16'", "", "float x", "1",
     'asm("add.rn.f32.f16 %0, %1, %0;" : "+f"(x) : "h"((short)1)); a[0] = x;'),
    ("this part of cuRAND", "#include <curand_kernel.h>\n", "int i", "1", "curandStateSobol32 *s = 0; a[0] = curand_normal(s);"),
    ("cudaMemcpyAsync in a kernel", "", "const float *in", "f32[4]:one",
     "cudaMemcpyAsync(a, in, 4, cudaMemcpyDeviceToDevice, 0);"),
    ("cudaDeviceSynchronize in a kernel", "", "int i", "1", "cudaDeviceSynchronize();"),
)
REST = """
__global__ void plain(float *a)
{
    asm volatile("" ::: "memory");
    a[threadIdx.x] = 1;
}
int main()
{
    float *a;
    plain<<<1, 1>>>(a);
    cudaMemcpyAsync(a, a, 4, cudaMemcpyDeviceToDevice, 0);
    return cudaDeviceSynchronize();
}
"""


def has_npp():
    """Tells whether a toolkit has NPP's headers: its types and constants are then there, which do no harm."""
    nvcc = shutil.which("nvcc")
    return nvcc is not None and os.path.exists(os.path.join(os.path.dirname(os.path.realpath(nvcc)), "..", "include", "npp.h"))


class UnsimulatedTest(CheckTest):
    A = ("--arg", "f32[4]:zero")

    def assert_unsimulated(self, done, what, place):
        self.assert_refused(done, "Reductio does not simulate %s (%s)" % (what, place))
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_kernel_that_uses_it_is_refused_in_one_sentence_and_others_run(self):
        for what, head, parameter, argument, body in FEATURES:
            if what == "NPP" and has_npp():
                continue
            with self.subTest(body):
                text = "%s__global__ void k(float *a, %s)\n{\n    %s\n}\n" % (head, parameter, body)
                self.write("feature.cu", text + REST)
                line = head.count("\n") + 3
                self.assert_unsimulated(self.check("--kernel", "k", *self.A, "--arg", argument, file="feature.cu"),
                                        what, "line %d" % line)
                done = self.check("--kernel", "plain", *self.A, "--private", "off", file="feature.cu")
                self.assert_status(done, 0)
                self.assertEqual(done.stderr, "")

    def test_host_code_that_comes_to_it_ends_in_one_sentence_behind_other_kernels(self):
        calls = {
            "ipc": ("cudaIpcMemHandle_t h; cudaIpcGetMemHandle(&h, a);", "cudaIpcGetMemHandle"),
            "plan": ("cufftXtSetWorkAreaPolicy(0, CUFFT_WORKAREA_MINIMAL, nullptr);",
                     "cufftXtSetWorkAreaPolicy, which no file|this part of cuFFT"),
            "quasi": ("curandDirectionVectors32_t *v; curandGetDirectionVectors32(&v, CURAND_DIRECTION_VECTORS_32_JOEKUO6); "
                      "cudaMemcpy(a, v[21], 4, cudaMemcpyHostToDevice);", "quasi-random numbers of more than 21 dimensions"),
            "scrambled": ("curandGenerator_t g; curandCreateGenerator(&g, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32); curandGenerate(g, (unsigned *)a, 1);",
                          "scrambled quasi-random numbers"),
            "solver": ("cusolverDnHandle_t h; cusolverDnCreate(&h);", "cuSOLVER|cusolverDnCreate, which no file"),
        }
        text = "#include <cstdio>\n#include <cstring>\n#include <cufftXt.h>\n#include <curand.h>\n#include <cusolverDn.h>\n"
        lines = {}
        for name, (call, _) in calls.items():
            lines[name] = text.count("\n") + 1
            text += "void %s(float *a) { %s }\n" % (name, call)
        text += ("__global__ void plain(float *a)\n{\n    a[0] = 7;\n}\nint main(int n, char **name)\n{\n    float *a, b = 0;\n"
                 "    cudaMalloc(&a, 4);\n    plain<<<1, 1>>>(a);\n    cudaMemcpy(&b, a, 4, cudaMemcpyDeviceToHost);\n"
                 "    printf(\"plain %g\\n\", b);\n    fflush(stdout);\n")
        text += "".join("    if (strcmp(name[1], \"%s\") == 0)\n        %s(a);\n" % (name, name) for name in calls)
        self.write("host.cu", text + "    cudaFree(a);\n    return 0;\n}\n")
        for name, (_, what) in calls.items():
            with self.subTest(name):
                done = subprocess.run([BINARY, "run", "host.cu", "--", name], cwd=self.folder, env=self.environment,
                                      capture_output=True, text=True, timeout=WAIT_S, check=False)
                self.assertEqual(done.stdout.splitlines()[0], "plain 7", done.stderr)
                self.assertRegex(done.stdout, r"Reductio does not simulate (%s).* \(line %d\)\n" % (what, lines[name]))
                self.assert_status(done, 3)

    def test_warp_function_of_before_cuda_9_is_told_with_its_line(self):
        for name, call in (("__shfl", "(v, 1)"), ("__shfl_up", "(v, 1)"), ("__shfl_down", "(v, 1)"),
                           ("__shfl_xor", "(v, 1)"), ("__ballot", "(v > 0)"), ("__any", "(v > 0)"),
                           ("__all", "(v > 0)")):
            with self.subTest(name):
                self.write("old.cu", "__global__ void k(float *a)\n{\n    float v = a[threadIdx.x];\n"
                                     "    v += %s%s;\n    v += %s%s;\n    a[threadIdx.x] = v;\n}\n"
                           % (name, call, name, call))
                for jobs in ("1", "2"):
                    options = ("--kernel", "k", "--arg", "f32[32]:iota", "--jobs", jobs)
                    shape = ("--grid", "1", "--block", "32")
                    done = self.check(*options, file="old.cu", shape=shape)
                    self.assert_status(done, 0)
                    self.assertIn("old.cu:4: note: %s names no lanes: nvcc refuses it for sm_70 and later; use %s_sync"
                                  % (name, name), done.stdout)
                    self.assertIn("what __activemask() gives was not varied", done.stdout)
                    report = json.loads(self.check(*options, "--json", file="old.cu", shape=shape).stdout)
                    self.assertEqual(report["outdated"]["name"], name)
                    self.assertEqual(report["outdated"]["line"], 4)
                    self.assertTrue(report["outdated"]["file"].endswith("old.cu"))
        self.write("new.cu", "__global__ void k(float *a)\n{\n"
                             "    a[threadIdx.x] += __shfl_down_sync(~0u, a[threadIdx.x], 1);\n}\n")
        done = self.check("--kernel", "k", "--arg", "f32[32]:iota", file="new.cu", shape=("--grid", "1", "--block", "32"))
        self.assertNotIn("note:", done.stdout)

    def test_what_a_kernel_calls_counts_where_it_is_called(self):
        self.write("called.cu", """
__device__ unsigned lane() { unsigned x; asm("wgmma.fence.sync.aligned;"); return x; }
__global__ void k(float *a) { if (a[0] > 0) a[threadIdx.x] = lane(); }
__cluster_dims__(2, 1, 1) __global__ void clustered(float *a) { a[threadIdx.x] = 1; }
__global__ void by_value(float *a, int /* & */ n, void (*f)(float &)) { a[threadIdx.x] = n & 1; }
""")
        self.assert_status(self.check("--kernel", "k", *self.A, file="called.cu"), 0)
        self.assert_unsimulated(self.check("--kernel", "k", "--arg", "f32[4]:one", file="called.cu"),
                                "the PTX instruction 'wgmma.fence.sync.aligned'", "line 2")
        self.assert_unsimulated(self.check("--kernel", "clustered", *self.A, file="called.cu"),
                                "thread block clusters", "line 4")
        self.assertNotIn("simulate", self.check("--kernel", "by_value", *self.A, "--arg", "3", "--arg", "null", file="called.cu").stdout)

    def test_parameter_by_reference_is_told(self):
        for parameter in "const int &n", "int &n", "int && n":
            with self.subTest(parameter):
                self.write("reference.cu", f"__global__ void k(float *a, {parameter}) {{ a[0] = n; }}\n"
                                           "int main()\n{\n    float *a;\n    int n = 3;\n    cudaMalloc(&a, 4);\n"
                                           f"    k<<<1, 1>>>(a, {'3' if '&&' in parameter else 'n'});\n    cudaFree(a);\n}}\n")
                done = subprocess.run([BINARY, "run", "reference.cu"], cwd=self.folder, env=self.environment, capture_output=True,
                                      text=True, timeout=WAIT_S, check=False)
                self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
                self.assertIn("Reductio does not simulate references as parameters of kernels (line 1)", done.stdout)

    def test_place_is_that_of_what_is_not_there(self):
        text = ("#include <thrust/device_vector.h>\n%s\nint main()\n{\n    thrust::device_vector<int> v(5);\n    v[0] = 1;\n    %s\n"
                "    return 0;\n}\n")
        for header, statement, line in (("", "thrust::set_union_by_key(v.begin(), v.end(), v.begin(), v.end(), v.begin(), v.begin(), v.begin(), v.begin());", 7),
                                        ("#include <thrust/detail/none.h>", "v[1] = 2;", 2)):
            with self.subTest(line):
                self.write("thrust.cu", text % (header, statement))
                done = subprocess.run([BINARY, "run", "thrust.cu"], cwd=self.folder, env=self.environment, capture_output=True,
                                      text=True, timeout=WAIT_S, check=False)
                self.assertIn("Reductio does not simulate this part of Thrust (line %d)" % line, done.stdout + done.stderr)

    def test_it_is_told_of_several_blocks_at_once_too(self):
        self.write("blocks.cu", """
__global__ void k(float *a) { if (blockIdx.x == 999) asm("wgmma.fence.sync.aligned;"); if (blockIdx.x + threadIdx.x == 0) a[0] = 1; }
""")
        self.assert_unsimulated(self.check("--kernel", "k", *self.A, "--jobs", "2", shape=("--grid", "1000", "--block",
                                                                                          "64"), file="blocks.cu"),
                                "the PTX instruction 'wgmma.fence.sync.aligned'", "line 2")

    def test_in_a_header_of_the_users_it_is_told_with_the_header(self):
        self.write("used.cuh", "\n__device__ float get(int i) { return nvshmem_my_pe() + i; }\n")
        self.write("uses.cu", '#include "used.cuh"\n__global__ void k(float *a) { a[0] = get(1); }\n')
        done = self.check("--kernel", "k", *self.A, file="uses.cu")
        self.assert_refused(done, "Reductio does not simulate NVSHMEM (", "used.cuh:2)")

    def test_other_errors_of_the_file_are_the_compilers(self):
        self.write("both.cu", "__global__ void k(float *a)\n{\n    a[0] = nvshmem_my_pe();\n}\n"
                   "__global__ void other(float *a)\n{\n    a[0] = undeclared;\n}\n")
        done = self.check("--kernel", "other", *self.A, file="both.cu")
        self.assert_refused(done, "the compiler refuses the file; its errors are above")
        self.assertIn("both.cu:7:12: error: ", done.stderr)
        self.assertNotIn("nvshmem", done.stderr)

    def test_names_of_the_users_own_are_no_features(self):
        self.write("own.cu", """
__device__ float tex2D(float x, float y) { return x + y; }
struct barrier { __device__ void arrive() {} };
namespace cub { __device__ float sum(float x) { return x; } }
__global__ void k(float *a)
{
    int half = 2, pipeline = 1, surface = 3;
    barrier b;
    b.arrive();
    a[0] = tex2D(half, cub::sum(pipeline)) + surface;
}
""")
        done = self.check("--kernel", "k", *self.A, "--print", "0", file="own.cu")
        self.assert_status(done, 0)
        self.assertEqual(done.stdout.splitlines()[-1].split()[0], "6")

    def test_unknown_kernel_of_a_file_with_features_is_told_as_of_any(self):
        self.write("feature.cu", "__global__ void k(float *a)\n{\n    a[0] = nvshmem_my_pe();\n}\n" + REST)
        self.assert_refused(self.check("--kernel", "none", file="feature.cu"),
                            "'none' is not in 'feature.cu', which has the kernels k, plain")

    def test_errors_are_of_a_feature_where_it_is_their_cause(self):
        for text, words in (
                ("#include <cute/tensor.hpp>\nusing namespace cute;\nvoid f()\n{\n    Tensor t;\n    t.x();\n}\n"
                 "Underscore u;\n", "Reductio does not simulate CUTLASS (line 1)\n"),
                ("typedef struct CUuuid_st {\n    char bytes[16];\n} CUuuid;\nint main()\n{\n    return 0;\n}\n",
                 "Reductio does not simulate a program's own declarations of CUDA's interface (line 1)\n"),
                ("typedef void (*PFNGLUSEPROC)(int);\ntypedef void (*PFNGLUSEPROC)(float);\nint main()\n{\n    return 0;\n}\n",
                 "Reductio does not simulate graphics (line 2)\n"),
                ("#include <cublas_v2.h>\nint main()\n{\n    cublasHandle_t h;\n    return cublasCreate(FIXME);\n}\n",
                 "'FIXME' was not declared in this scope")):
            self.write("cause.cu", text)
            done = self.check("--compile-only", file="cause.cu", shape=())
            self.assert_status(done, 2)
            self.assertIn(words, done.stderr.replace("\u2018", "'").replace("\u2019", "'"))
            self.assertEqual("does not simulate" in done.stderr, "not simulate" in words)

    def test_report_has_it_as_the_error(self):
        self.write("feature.cu", '__global__ void k(float *a)\n{\n    asm("wgmma.fence.sync.aligned;");\n}\n')
        report = self.report("k", *self.A, file="feature.cu", status=2)
        self.assertEqual(report["error"], "Reductio does not simulate the PTX instruction 'wgmma.fence.sync.aligned' (line 3)")
        self.assertEqual(os.listdir(self.folder).count("feature.cu"), 1)


if __name__ == "__main__":
    unittest.main()
