#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shared memory: what a kernel may have by itself, what a launch gets, and what it gets if asked.

usage: test_check_limits.py REDUCTIO [unittest's arguments]"""

import unittest

from check_case import CheckTest

FILE = """
#ifndef MORE
#define MORE 0
#endif
template <int N> __global__ void sized(int *a)
{
    __shared__ char s[N];
    s[N - 1] = 1;
    a[0] += s[N - 1];
}
static __global__ void two_arrays(int *a)
{
    __shared__ int one, many[12287 + MORE];
    one = many[0] = 1;
    a[0] += one + many[0];
}
extern "C" __global__ void as_in_c(int *a)
{
    __shared__ char s[48 * 1024 + MORE];
    s[0] = 1;
    a[0] += s[0];
}
__global__ void has_none(int *a)
{
    a[0]++;
}
__global__ void never_launched(int *a)
{
    extern __shared__ char d[];
    d[0] = 1;
    a[0] += d[0];
}
namespace n
{
template <class T> __global__ void launched(T *a)
{
    extern __shared__ char d[];
    __shared__ char s[1024];
    s[0] = d[0] = 1;
    a[0] += s[0] + d[0];
}
}
int main()
{
#ifdef ASK
    cudaFuncSetAttribute(n::launched<int>, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000);
#endif
    n::launched<int><<<1, 1, 65536>>>(nullptr);
}
"""
STATIC = "cudaErrorInvalidPtx: %d bytes of static shared memory, where a kernel has at most 49152"
BOTH = "cudaErrorInvalidValue: %d bytes of dynamic shared memory and %d of static, where the device has 232448"
UNASKED = "cudaErrorInvalidValue: %d bytes of shared memory, where a launch gets at most 49152 unless"


class SharedMemoryTest(CheckTest):
    def setUp(self):
        super().setUp()
        self.write("shared.cu", FILE)

    def launch(self, kernel, *arguments):
        return self.report(kernel, "--arg", "i32[2]:iota", "--print", "0", *arguments, file="shared.cu")

    def assert_taken(self, *arguments):
        report = self.launch(*arguments)
        self.assertEqual((report["counts"], report["threads"]), ({}, 1), report["hazards"])
        self.assertGreater(report["buffers"][0]["values"][0], 0)

    def assert_illegal(self, words, *arguments):
        report = self.launch(*arguments)
        self.assertEqual((report["counts"], report["threads"]), ({"illegal-launch": 1}, 0))
        self.assertIn(words, report["hazards"][0]["message"])
        self.assertEqual(report["buffers"][0]["values"], [0, 1], "as they were")

    def test_static_arrays_of_a_kernel_are_48_kib_at_most(self):
        for kernel in ("sized<49152>", "two_arrays", "as_in_c", "has_none"):
            with self.subTest(kernel):
                self.assert_taken(kernel)
        self.assert_illegal(STATIC % 49153, "sized<49153>")
        self.assert_illegal(STATIC % 49156, "two_arrays", "-DMORE=1")
        self.assert_illegal(STATIC % 49153, "as_in_c", "-DMORE=1")

    def test_all_shared_memory_of_a_block_is_227_kib_at_most(self):
        self.assert_taken("never_launched", "--shared", "232448")
        self.assert_taken("sized<49152>", "--shared", str(232448 - 49152))
        self.assert_illegal(BOTH % (232448 - 49151, 49152), "sized<49152>", "--shared", str(232448 - 49151))

    def test_more_than_48_kib_is_to_be_asked_for_where_the_file_launches_the_kernel(self):
        self.assert_taken("n::launched<int>", "--shared", str(47 * 1024))
        self.assert_illegal(UNASKED % 49153, "n::launched<int>", "--shared", str(47 * 1024 + 1))
        self.assert_taken("n::launched<int>", "--shared", "65536", "-DASK")
        self.assert_taken("never_launched", "--shared", "65536")

    def test_an_illegal_launch_is_one_under_every_schedule(self):
        report = self.launch("n::launched<int>", "--shared", "65536", "--schedules", "4")
        self.assertEqual((report["counts"], len(report["runs"])), ({"illegal-launch": 1}, 4))


NEIGHBOURS = """
__device__ int store(int *p, int index) { p[index] = 1; return 1; }
__device__ int by_way_of(int value)
{
    __shared__ int of_a_function[1];
    of_a_function[0] = value;
    return of_a_function[0];
}
__global__ void before(int *a) { __shared__ int s[8192]; a[0] = store(s, 0); }
__global__ void k(int *a, int index) { __shared__ int s[8]; a[0] = by_way_of(store(s, index)); }
extern "C" __global__ void behind(int *a) { __shared__ int s[8192]; a[0] = store(s, 0); }
"""


class NeighboursTest(CheckTest):
    def test_shared_arrays_of_other_kernels_are_no_memory_of_this_launch(self):
        self.write("neighbours.cu", NEIGHBOURS)
        run = ["--arg", "i32[1]:zero", "--arg"]
        for index in (0, 7):
            self.report("k", *run, str(index), file="neighbours.cu", status=0)
        # Arrays of 8192 elements, with unused memory around: one of these indices lies in each.
        for index in (-12288, -6144, 6144, 12288, 18432):
            with self.subTest(index):
                report = self.report("k", *run, str(index), file="neighbours.cu", status=1)
                self.assertEqual(report["counts"], {"out-of-bounds": 1}, report["hazards"])


if __name__ == "__main__":
    unittest.main()
