#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lessons of each hazard: the cure must be one that CUDA has for a hazard of that kind and scope.

usage: test_check_lessons.py REDUCTIO [unittest's arguments]"""

import os
import pathlib
import unittest

from check_case import CheckTest, HAS_LINES, HERE
from results_case import lists
from test_hazards import cases, statements

def taught():
    """Yields of each kernel of tests/hazards with a `taught` line: its file, its first finding, and words of its lesson."""
    for path in sorted(pathlib.Path(HERE, "hazards").glob("*.cu")):
        for kernel, line in statements(path.read_text(encoding="utf-8"), "taught").items():
            what, _, words = line.partition(": ")
            yield path.stem, kernel, what, words.split("; ")


# A program promises a budget, and not a file; an order is tried by tests/orders. test_corpus.py has no kernels of them either.
ELSEWHERE = {"over-budget", "order-dependent"}


class LessonsTest(CheckTest):
    def hazard(self, family, kernel):
        path = os.path.join(HERE, "hazards", family + ".cu")
        options = {name: options for name, options, _ in cases(path)}[kernel]
        return self.report(kernel, *options, file=path)["hazards"][0]

    def test_each_kind_and_scope_has_its_cure(self):
        for family, kernel, what, words in taught():
            with self.subTest(kernel):
                hazard = self.hazard(family, kernel)
                self.assertEqual("/".join(filter(None, (hazard["name"], hazard["kind"], hazard["scope"]))), what)
                for word in words:
                    self.assertIn(word, hazard["lesson"])
                self.assertTrue(hazard["message"].endswith(". " + hazard["lesson"]))
                if hazard["scope"] == "grid":
                    self.assertNotIn("put __syncthreads()", hazard["lesson"])

    def test_each_hazard_of_the_simulator_has_a_kernel_that_teaches_it(self):
        found = {what.partition("/")[0] for _, _, what, _ in taught()}
        self.assertEqual(found, set(lists.SIM_HAZARDS) - ELSEWHERE)

    def test_a_shared_array_is_told_with_its_length(self):
        hazard = self.hazard("bounds", "shared_overrun")
        self.assertIn("has as many elements as it is declared with", hazard["lesson"])
        if HAS_LINES:
            self.assertIn(" first[64] (shared)", hazard["message"])
            self.assertIn(", and it has 64 elements", hazard["message"])

    @unittest.skipUnless(HAS_LINES, "no source lines")
    def test_dynamic_shared_memory_is_told_with_the_launchs_bytes(self):
        self.assertIn(" d[16] (shared)", self.hazard("bounds", "dynamic_too_small")["message"])
        self.assertIn(", and the launch gives it 64 bytes, 16 elements",
                      self.hazard("bounds", "dynamic_too_small")["message"])

    @unittest.skipUnless(HAS_LINES, "no names")
    def test_an_access_of_several_elements_is_told_with_its_bytes(self):
        self.assertIn(" reads 4 bytes at a[4]", self.hazard("bounds", "word_over_the_end")["message"])
        self.assertIn(" reads a[50]", self.hazard("bounds", "unguarded")["message"])

    def test_fences_are_no_cure_beside_atomics_for_something_else(self):
        self.write("beside.cu", "__global__ void writes(int *out, int *n) {\n"
                   "atomicAdd(n, 1);\nout[0] = blockIdx.x;\natomicAdd(n, 1);\n}\n"
                   "__global__ void reads(int *out, int *n) {\n"
                   "out[blockIdx.x] = out[(blockIdx.x + 1) % gridDim.x];\natomicAdd(n, 1);\n}\n")
        for kernel in ("writes", "reads"):
            hazards = self.report(kernel, "--grid", "4", "--arg", "i32[4]:zero", "--arg", "i32[1]:zero",
                                  file="beside.cu")["hazards"]
            self.assertTrue(hazards)
            for hazard in hazards:
                with self.subTest(hazard["message"]):
                    self.assertNotIn("lacks_fence", hazard)
                    self.assertNotIn("fence", hazard["lesson"])

    def test_a_ticket_that_another_thread_draws_takes_a_barrier_and_fences(self):
        for kernel, lacks in (("ticket_fence_wrong_thread", "barrier"), ("ticket_each_fences", "barrier"),
                              ("ticket_barrier_alone", "fence"), ("ticket_of_a_warp", "fence")):
            with self.subTest(kernel):
                hazard = self.hazard("fences", kernel)
                self.assertEqual([word for word in ("fence", "barrier") if hazard.get("lacks_" + word)], [lacks])
                words = ("in each thread that writes, and a barrier, __syncthreads()" if lacks == "barrier"
                         else "put __threadfence() behind the write of the data")
                self.assertIn(words, hazard["lesson"])

    def test_a_flag_without_fences_is_told_with_volatile_and_its_data_with_fences(self):
        self.write("flag.cu", "__global__ void flag(int *data, volatile int *flag, int *out) {\n"
                   "if (blockIdx.x == 0) {\n*data = 3;\n*flag = 1;\n} else {\n"
                   "while (!*flag)\n;\n*out = *data;\n}\n}\n")
        hazards = self.report("flag", "--grid", "2", "--arg", "i32[1]:zero", "--arg", "i32[1]:zero", "--arg",
                              "i32[1]:zero", file="flag.cu")["hazards"]
        lessons = {hazard.get("array"): hazard["lesson"] for hazard in hazards}
        self.assertEqual(set(lessons), {"data", "flag"})
        self.assertIn("volatile", lessons["flag"])
        for lesson in lessons.values():
            self.assertIn("__threadfence()", lesson)

    def test_races_of_one_cause_are_told_once(self):
        for family, kernel in (("atomics", "adds_by_cas"), ("warps", "tail_in_lockstep")):
            with self.subTest(kernel):
                path = os.path.join(HERE, "hazards", family + ".cu")
                options = {name: options for name, options, _ in cases(path)}[kernel]
                hazard, = self.report(kernel, *options, file=path)["hazards"]
                self.assertGreater(hazard["count"], 1)
                self.assertGreaterEqual(hazard["pairs"], 1)
        self.assertRegex(hazard["message"], r"; and at \d+ other pairs of places; \d+ times\. ")

    @unittest.skipUnless(HAS_LINES, "no source lines")
    def test_what_raced_in_a_large_array_is_told_with_its_line(self):
        path = self.write("large.cu", "__global__ void large(int *a, int *o, int n) {\n"
                          "for (int k = threadIdx.x; k < n && blockIdx.x == 0; k += blockDim.x)\n"
                          "a[k] = k;\n"
                          "__syncthreads();\n"
                          "for (int k = threadIdx.x; k < n; k += blockDim.x)\n"
                          "o[blockIdx.x * blockDim.x + threadIdx.x] += a[n - 1 - k];\n"
                          "}\n")
        hazard, = self.report("large", "--grid", "2", "--block", "64", "--arg", "i32[20000]:zero", "--arg",
                              "i32[128]:zero", "--arg", "20000", file="large.cu")["hazards"]
        self.assertEqual(hazard["count"], 20000)
        self.assertRegex(hazard["message"], r"; thread \d+ of block 0 had written it at large.cu:3")

    def test_an_atomic_update_reads_as_a_sentence(self):
        message = self.hazard("races", "atomic_and_plain")["message"]
        self.assertIn(" had updated it atomically", message)


if __name__ == "__main__":
    unittest.main()
