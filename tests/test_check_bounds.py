#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Indices beyond an array, each told once, and by the array's name.

usage: test_check_bounds.py REDUCTIO [unittest's arguments]"""

import unittest

from check_case import CheckTest

FILE = """
__device__ int of_the_file[4];
__global__ void reads_shared(int *a, int i) { __shared__ int s[32]; s[0] = 1; a[0] = s[i]; }
__global__ void updates_shared(int *a, int i) { __shared__ int s[8]; s[i] += 1; a[0] = 1; }
__global__ void rows(int *a, int i) { __shared__ float t[8][4]; t[0][0] = 1; a[0] = t[i][0]; }
__global__ void members(int *a, int i) { __shared__ float4 t[8]; t[i].y = 1; a[0] = 1; }
__global__ void reads_device(int *a, int i) { a[0] = of_the_file[i]; }
__global__ void local(int *a, int i) { int l[4] = {1, 2, 3, 4}; a[0] = l[i]; }
__global__ void local_rows(int *a, int i) { int l[4][2] = {{1, 2}}; a[0] = l[i][1]; }
__global__ void dynamic(int *a, int i) { extern __shared__ int s[]; s[i] = 1; a[0] = 1; }
"""
BY_POINTER = "__global__ void by_pointer(int *a, int i) { __shared__ int s[8]; int *p = s; p[i] = 1; a[0] = 1; }"
FAR = 100000000
LOCAL = "takes index %d of an array of 4 elements"


class BoundsTest(CheckTest):
    def told(self, kernel, index, content=FILE):
        self.write("bounds.cu", content)
        report = self.report(kernel, "--shared", "16", "--arg", "i32[1]:zero", "--arg", str(index), file="bounds.cu",
                             status=1)
        self.assertEqual(report["counts"], {"out-of-bounds": 1}, [one["message"] for one in report["hazards"]])
        return report["hazards"][0]

    def test_each_is_told_once_by_the_name_of_its_array(self):
        for kernel, words in (("reads_shared", "reads s[%d] (shared)"), ("rows", "reads t[%d][0] (shared)"),
                              ("members", "writes byte 4 of t[%d] (shared)"), ("reads_device", "reads of_the_file[%d]"),
                              ("local", LOCAL),
                              ("local_rows", LOCAL)):
            for index in (-1, 33, -FAR, FAR):
                with self.subTest((kernel, index)):
                    hazard = self.told(kernel, index)
                    # In front of the array lies a variable of the file itself, whose accesses are not told.
                    alone = (kernel, index) == ("reads_device", -1)
                    self.assertIn(LOCAL % index if alone else words % index, hazard["message"])
                    self.assertIn("begins at 0" if index < 0 else "uard the index", hazard["lesson"])

    def test_what_the_compiler_does_not_see_has_the_name_where_it_is_near(self):
        for kernel in ("updates_shared", "dynamic"):
            self.assertIn("s[-1] (shared)", self.told(kernel, -1)["message"])

    def test_index_that_leads_out_of_all_shared_memory_is_that_of_its_array(self):
        for index in (-1, -5, -2000, 33):
            hazard = self.told("by_pointer", index, content=BY_POINTER)
            self.assertIn("s[%d] (shared)" % index, hazard["message"])
            self.assertIn("begins at 0" if index < 0 else "guard the index", hazard["lesson"])

    def test_index_that_leads_nowhere_is_no_matter_of_malloc(self):
        lesson = self.told("dynamic", FAR)["lesson"]
        self.assertIn("the index is far beyond its array", lesson)
        self.assertNotIn("malloc", lesson)


if __name__ == "__main__":
    unittest.main()
