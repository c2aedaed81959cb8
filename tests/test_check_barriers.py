#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Barriers at which threads are missing: some have returned in front of it, others have passed it by.

usage: test_check_barriers.py REDUCTIO [unittest's arguments]"""

import unittest

from check_case import CheckTest

FILE = """
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ void meet(int *a) { __syncthreads(); a[threadIdx.x] = 2; }
__global__ void branch(int *a) { if (threadIdx.x < 16) __syncthreads(); a[threadIdx.x] = 1; }
__global__ void early(int *a)
{
    if (threadIdx.x >= 16)
        return; /* line 9 */
    __syncthreads();
}
__global__ void returns_behind(int *a)
{
    if (threadIdx.x < 16)
        __syncthreads();
    a[threadIdx.x] = 1;
    return;
}
__global__ void returns_in_the_loop(int *a)
{
    for (int k = 0; k < 4; k++) {
        __syncthreads();
        if (k == 1 && threadIdx.x >= 16)
            return; /* line 24 */
    }
}
__global__ void leaves_the_loop(int *a)
{
    for (int k = 0; k < 4; k++) {
        if (k == 1 && threadIdx.x >= 16)
            break;
        __syncthreads();
    }
}
__global__ void returns_before_a_call(int *a) { if (threadIdx.x > 3) return; meet(a); }
__global__ void calls_in_a_branch(int *a) { if (threadIdx.x < 3) meet(a); }
__global__ void returns_from_a_lambda(int *a)
{
    auto set = [=](int i) { if (i > 20) return; a[i] = 1; };
    set(threadIdx.x);
    if (threadIdx.x < 4)
        __syncthreads();
}
__global__ void both(int *a)
{
    if (threadIdx.x == 31)
        return; /* line 46 */
    if (threadIdx.x < 4)
        __syncthreads();
}
#define LEAVE_IF(out) if (out) return
__global__ void by_a_macro(int *a)
{
    LEAVE_IF(threadIdx.x > 4); /* line 54 */
    __syncthreads();
}
template <class T> __global__ void of_a_value(T *a)
{
    if (threadIdx.x > 4)
        return (void)(a[threadIdx.x] = 1); /* line 60 */
    __syncthreads();
}
__global__ void grid_branch(int *a) { if (blockIdx.x == 0) cg::this_grid().sync(); }
__global__ void grid_return(int *a) { if (blockIdx.x == 0) return; cg::this_grid().sync(); }
__global__ void grid_thread_passes(int *a) { if (threadIdx.x > 0) cg::this_grid().sync(); }
__global__ void grid_thread_returns(int *a) { if (threadIdx.x == 0) return; cg::this_grid().sync(); }
"""
PASSED, RETURNED = "barrier-divergence", "barrier-skipped-by-exit"


class BarriersTest(CheckTest):
    def hazards(self, kernel, grid="1"):
        self.write("barriers.cu", FILE)
        report = self.report(kernel, "--arg", "i32[32]:zero", shape=("--grid", grid, "--block", "32"),
                             file="barriers.cu", status=1)
        return {hazard["name"]: hazard for hazard in report["hazards"]}

    def test_threads_that_pass_a_barrier_by_have_not_skipped_it_by_exit(self):
        for kernel in ("branch", "returns_behind", "leaves_the_loop", "calls_in_a_branch", "returns_from_a_lambda"):
            with self.subTest(kernel):
                hazards = self.hazards(kernel)
                self.assertEqual(list(hazards), [PASSED])
                self.assertIn(" has passed it by and come to its end", hazards[PASSED]["message"])
                self.assertIn("take it out of the branch", hazards[PASSED]["lesson"])
                self.assertNotIn("file", hazards[PASSED]["places"][1])

    def test_threads_that_return_in_front_of_it_have_and_their_return_is_told(self):
        for kernel, line in (("early", 9), ("returns_in_the_loop", 24), ("returns_before_a_call", 35),
                             ("by_a_macro", 54), ("of_a_value<int>", 60)):
            with self.subTest(kernel):
                hazards = self.hazards(kernel)
                self.assertEqual(list(hazards), [RETURNED])
                self.assertIn(" has exited without it at barriers.cu:%d" % line, hazards[RETURNED]["message"])
                self.assertEqual(hazards[RETURNED]["places"][1]["line"], line)

    def test_both_are_told_where_there_are_both(self):
        hazards = self.hazards("both")
        self.assertEqual(sorted(hazards), [PASSED, RETURNED])
        self.assertEqual(hazards[RETURNED]["places"][1]["thread"], 31)
        self.assertEqual(hazards[PASSED]["places"][1]["thread"], 4)

    def test_grid_barriers_are_told_alike(self):
        for kernel, name in (("grid_branch", PASSED), ("grid_return", RETURNED), ("grid_thread_passes", PASSED),
                             ("grid_thread_returns", RETURNED)):
            self.assertEqual(list(self.hazards(kernel, grid="2")), [name], kernel)

    def test_kernel_of_a_header_is_told_as_far_as_is_known(self):
        self.write("kernel.cuh", "__global__ void k(int *a) { if (threadIdx.x < 4) return; __syncthreads(); }\n")
        self.write("includes.cu", '#include "kernel.cuh"\n')
        report = self.report("k", "--arg", "i32[32]:zero", "--block", "32", file="includes.cu", status=1)
        self.assertEqual(report["counts"], {RETURNED: 1})


if __name__ == "__main__":
    unittest.main()
