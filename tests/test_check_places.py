#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names in reports: files as the user writes them, lines of the user's file, variables and lanes as they are.

usage: test_check_places.py REDUCTIO [unittest's arguments]"""

import os
import platform
import unittest

from check_case import HAS_LINES, CheckTest

ENDLESS = """#include <cooperative_groups.h>
#include <cuda/atomic>
namespace cg = cooperative_groups;
__device__ int spin(int *a) { while (atomicAdd(a, 0) != 77) { } return 1; }
__global__ void k5(int *a) { a[1] = spin(a); }
__global__ void k6(int *a) { while (true) __syncwarp(); }
__global__ void k7(int *a) { while (true) cg::this_thread_block().sync(); }
__global__ void k8(int *a) { while (true) __syncthreads(); }
__global__ void k9(int *a) { cuda::atomic_ref<int> r(a[0]); while (r.load() != 5) ; }
__global__ void k10(int *a) { while (__any_sync(~0u, 1)) ; }
__global__ void k11(int *a) { auto w = cg::tiled_partition<32>(cg::this_thread_block()); while (w.shfl(1, 0)) ; }
__global__ void k12(int *a) { long long t = clock64(); while (clock64() - t >= 0) ; }
__global__ void k13(int *a) { for (;;) __nanosleep(100); }
__global__ void k14(int *a) { while (__shfl_xor_sync(~0u, 1, 1)) ; }
"""

NAMED = """
struct pair { char c; int v; };
__device__ int counter;
__device__ pair both;
__device__ int one[1];
__global__ void a(int *a) { __shared__ int x; x = threadIdx.x; }
__global__ void b(int *a) { counter = threadIdx.x; }
__global__ void c(int *a) { both.v = threadIdx.x; }
__global__ void d(int *a) { one[0] = threadIdx.x; }
__global__ void e(int *a) { __shared__ float4 q; q.y = threadIdx.x; }
__global__ void f(int *a) { __shared__ int m[1][2]; m[0][1] = threadIdx.x; }
"""

OVERWRITTEN = """
__device__ int fill(int n)
{
    int b[4];
    for (int i = 0; i < n; i++)
        b[i] = 7;
    return b[n & 3];
}
__global__ void k(int *a, int n) { a[threadIdx.x] = fill(n); }
"""

LANES = """
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void down(int *a) { a[threadIdx.x] = __shfl_down_sync(~0u, threadIdx.x, 1); }
__global__ void last(int *a) { a[threadIdx.x] = __shfl_sync(~0u, threadIdx.x, 31); }
__global__ void tile(int *a)
{
    cg::thread_block_tile<16> t = cg::tiled_partition<16>(cg::this_thread_block());
    a[threadIdx.x] = t.shfl_xor(threadIdx.x, 8);
}
__global__ void there(int *a) { if (threadIdx.x != 5) a[threadIdx.x] = __shfl_xor_sync(~0u & ~32u, threadIdx.x, 1); }
"""


class PlacesTest(CheckTest):
    A = ("--arg", "i32[64]:zero")

    def setUp(self):
        super().setUp()
        self.environment["CXX"] = "g++"  # what was compiled before has lines of another folder

    @unittest.skipUnless(HAS_LINES, "no source lines in this build")
    def test_kernel_without_end_is_told_at_a_line_of_the_users(self):
        self.write("endless.cu", ENDLESS)
        for kernel in range(5, 15):
            with self.subTest(kernel):
                report = self.report("k%d" % kernel, *self.A, "--timeout", "1", "--steps", "200000", "--block", "32",
                                     file="endless.cu", status=1)
                self.assertEqual(report["counts"], {"no-termination": 1})
                place = report["hazards"][0]["places"][0]
                self.assertEqual((place.get("file"), place.get("line")), ("endless.cu", 4 if kernel == 5 else kernel))

    @unittest.skipUnless(platform.machine() == "x86_64", "where a thread goes on is not known here")
    def test_return_address_that_is_overwritten_leaves_what_was_found(self):
        self.write("overwritten.cu", OVERWRITTEN)
        report = self.report("k", *self.A, "--arg", "40", "--block", "32", file="overwritten.cu", status=1)
        self.assertEqual(report["counts"], {"out-of-bounds": 1, "crash": 1})
        crash = next(hazard for hazard in report["hazards"] if hazard["name"] == "crash")
        self.assertIn("thread 0 of block 0 was ended by signal 11", crash["message"])
        self.assertIn("went on at 0x700000007, where there is no code", crash["message"])

    def files(self, path, cwd):
        """All files that a report on that path tells, and the lines before their colons."""
        self.folder, kept = os.path.join(self.folder, cwd), self.folder
        done = self.check("--kernel", "k", *self.A, "--one-line", file=path, shape=("--grid", "1", "--block", "64"))
        report = self.report("k", *self.A, file=path, shape=("--grid", "1", "--block", "64"), status=1)
        self.folder = kept
        places = [place for hazard in report["hazards"] for place in hazard["places"] if "file" in place]
        self.assertEqual(report["counts"], {"race": 2, "barrier-skipped-by-exit": 1, "leak": 1, "out-of-bounds": 1})
        self.assertGreaterEqual(len(places), 6)
        for place in places:
            self.assertIn("%s:%d" % (place["file"], place["line"]), done.stdout)
        return {place["file"] for place in places}

    @unittest.skipUnless(HAS_LINES, "no source lines in this build")
    def test_files_are_called_as_the_user_calls_them(self):
        os.makedirs(os.path.join(self.folder, "code", "here"))
        os.mkdir(os.path.join(self.folder, "elsewhere"))
        self.write("code/here/k.cu", '#include "../parts/part.cuh"\n__global__ void k(int *a)\n{\n    a[0] = threadIdx.x;\n'
                   "    part(a);\n    if (threadIdx.x == 3)\n        return;\n    __syncthreads();\n    malloc(4);\n}\n")
        os.mkdir(os.path.join(self.folder, "code", "parts"))
        self.write("code/parts/part.cuh", "__device__ void part(int *a)\n{\n    if (threadIdx.x == 63)\n"
                   "        a[threadIdx.x + 1] = 1;\n}\n")
        whole = os.path.join(os.path.realpath(self.folder), "code")
        for cwd, path, part in ((".", "code/here/k.cu", "code/parts/part.cuh"),
                                (".", "./code/here/k.cu", "code/parts/part.cuh"),
                                ("elsewhere", "../code/here/k.cu", whole + "/parts/part.cuh"),
                                ("code/here", "k.cu", whole + "/parts/part.cuh"),
                                ("code", "here//k.cu", "parts/part.cuh"),
                                ("elsewhere", whole + "/here/k.cu", whole + "/parts/part.cuh"),
                                ("code/here", whole + "/here/k.cu", whole + "/parts/part.cuh"),
                                ("code", whole + "/here/../here/k.cu", "parts/part.cuh")):
            with self.subTest((cwd, path)):
                self.assertEqual(self.files(path, cwd), {path, part})

    @unittest.skipUnless(HAS_LINES, "no types in this build")
    def test_variable_that_is_no_array_has_no_index(self):
        self.write("named.cu", NAMED)
        for kernel, words in (("a", "writes x (shared)"), ("b", "writes counter at"), ("c", "writes byte 4 of both at"),
                              ("d", "writes one[0] at"), ("e", "writes byte 4 of q (shared)"),
                              ("f", "writes m[0][1] (shared)")):
            done = self.check("--kernel", kernel, *self.A, "--block", "2", "--one-line", file="named.cu")
            self.assertIn(words, done.stdout)

    def test_lane_that_the_block_does_not_have_is_no_thread(self):
        self.write("lanes.cu", LANES)
        for kernel, lane in (("down", 8), ("last", 31), ("tile", 15)):
            hazard, = self.report(kernel, *self.A, "--block", "40", file="lanes.cu", status=1)["hazards"]
            self.assertEqual(hazard["name"], "shuffle-from-inactive-lane")
            self.assertIn("takes the value of lane %d of its warp" % lane, hazard["message"])
            self.assertIn(", which a block of 40 threads does not have", hazard["message"])
            self.assertIn("as many lanes as threads are left", hazard["lesson"])
            self.assertEqual((hazard["places"][1]["thread"], hazard["places"][1]["thread_index"]), (None, None))
        hazard, = self.report("there", *self.A, "--block", "32", file="lanes.cu", status=1)["hazards"]
        self.assertIn("that of thread 5 of block 0", hazard["message"])


if __name__ == "__main__":
    unittest.main()
