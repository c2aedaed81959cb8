#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`reductio check` and local variables: what it says of them, where, and what it says where it can't look.
test_check_private.py REDUCTIO. What it finds and what not: hazards/private.cu."""

import os
import re
import shutil
import unittest

from check_case import HAS_LINES, HERE, CheckTest

# Kernel, its arguments, and of its hazard name, array and words of the message.
CASES = {
    "sum_not_set": (["f32[8]:iota", "f32[4]:uninit"], "uninitialised", "out",
                    "writes out[0] at PLACE, and what it writes depends on a local variable that it has not "
                    "set: 28 where those start as zeros, and "),
    "largest_not_set": (["f32[8]:plus3", "f32[2]:uninit"], "uninitialised", None,
                        "compares a local variable, or what comes of one, that it has not set at PLACE"),
    "one_too_far": (["i32[2]:uninit", "5"], "out-of-bounds", "w",
                    "reads 4 bytes at byte 16 of w (private) at PLACE, and it has 16 bytes"),
    "index_too_large": (["i32[2]:uninit"], "out-of-bounds", "w",
                        "takes index 4 of an array of 4 elements at PLACE"),
    "written_below": (["f32[1]:uninit"], "out-of-bounds", "w", "writes 4 bytes at byte -4 of w (private)"),
    "copied_too_far": (["i32[8]:iota", "i32[1]:uninit", "20"], "out-of-bounds", "w",
                       "writes 20 bytes at byte 0 of w (private)"),
    "returned_address": (["i32[2]:uninit"], "dead-frame", None, "of a local variable at PLACE"),
    "block_ended": (["i32[2]:uninit"], "dead-frame", "x", "reads 4 bytes at byte 0 of x (private) at PLACE"),
}


class CheckPrivateTest(CheckTest):
    def setUp(self):
        super().setUp()
        shutil.copy(os.path.join(HERE, "hazards", "private.cu"), self.folder)

    def look(self, kernel, *more, **environment):
        arguments = [word for spec in CASES[kernel][0] for word in ("--arg", spec)]
        return self.report(kernel, *arguments, *more, file="private.cu", **environment)

    @unittest.skipUnless(HAS_LINES, "no source lines")
    def test_a_hazard_names_its_variable_its_place_and_its_thread(self):
        for kernel, (_, name, array, words) in CASES.items():
            with self.subTest(kernel):
                report = self.look(kernel, status=1)
                self.assertEqual((report["private"], report["not_private"]), (True, None))
                self.assertEqual([hazard["name"] for hazard in report["hazards"]], [name])
                hazard = report["hazards"][0]
                self.assertEqual((hazard["kind"], hazard.get("array")), ("private", array))
                self.assertIn("thread 0 of block 0 ", hazard["message"])
                self.assertIn(words, re.sub(r"private\.cu:\d+:\d+", "PLACE", hazard["message"]))
                self.assertTrue(hazard["message"].endswith(hazard["lesson"]))
                self.assertEqual((hazard["places"][0]["thread"], hazard["places"][0]["block"]), (0, 0))

    def test_with_clang_it_is_the_same(self):
        if not shutil.which("clang++"):
            self.skipTest("no clang++")
        for kernel, (_, name, array, _) in CASES.items():
            # clang's build tells the simulator of no comparison, nor of the end of a variable's block.
            if kernel in ("largest_not_set", "block_ended"):
                continue
            with self.subTest(kernel):
                report = self.look(kernel, CXX="clang++", status=1)
                self.assertIn((name, "private"), [(hazard["name"], hazard["kind"]) for hazard in report["hazards"]])

    def test_the_last_thread_of_the_last_block_is_named(self):
        hazard = self.report("set_on_one_way", "--arg", "i32[64]:uninit", status=1, file="private.cu",
                             shape=("--grid", "2", "--block", "32"))["hazards"][0]
        self.assertIn("thread 28 of block 1 writes out[60]", hazard["message"])
        self.assertEqual(hazard["count"], 4)

    def test_what_happens_only_by_what_is_not_set_is_told(self):
        hazards = self.report("index_not_set", "--arg", "i32[8]:iota", "--arg", "i32[1]:uninit", status=1,
                              file="private.cu")["hazards"]
        self.assertEqual([(hazard["name"], hazard["kind"]) for hazard in hazards], [("uninitialised", "private")])
        self.assertIn("so only where local variables start otherwise than as zeros: one of them is read before it is "
                      "set", hazards[0]["message"])

    def test_switched_off_nothing_is_found_and_the_report_says_so(self):
        for kernel in ("sum_not_set", "one_too_far", "block_ended"):
            report = self.look(kernel, "--private", "off", status=0)
            self.assertEqual((report["private"], report["hazards"]), (False, []))
        done = self.run_kernel("nothing", "--private", "off")
        self.assertIn("local variables: not looked at (--private off)", done.stdout)
        self.assertNotIn("local variables", self.run_kernel("nothing").stdout)
        self.assert_refused(self.run_kernel("nothing", "--private", "maybe"), "'--private' is 'maybe': use on or off")

    def test_a_compiler_that_can_not_is_named(self):
        self.write("cxx", "#!/bin/sh\ncase $* in *kernel-address*) exit 1;; esac\nexec g++ \"$@\"\n")
        os.chmod(os.path.join(self.folder, "cxx"), 0o755)
        report = self.look("one_too_far", CXX=os.path.join(self.folder, "cxx"), status=0)
        self.assertEqual((report["private"], report["not_private"]),
                         (False, "the compiler can't build the file for that"))
        done = self.run_kernel("nothing", CXX=os.path.join(self.folder, "cxx"))
        self.assertIn("local variables: not checked: the compiler can't build the file for that", done.stdout)

    def test_what_is_not_all_looked_at_is_not_called_so(self):
        self.write("cxx", "#!/bin/sh\ng++ \"$@\" | sed 's/__GNUC__ [0-9]*/__GNUC__ 11/'\n")
        os.chmod(os.path.join(self.folder, "cxx"), 0o755)
        report = self.report("nothing", CXX=os.path.join(self.folder, "cxx"), status=0)
        self.assertFalse(report["private"])
        self.assertRegex(report["not_private"], "^not all: reads before they are set are not seen")
        self.assertIn("local variables: not all checked: reads before they are set are not seen",
                      self.run_kernel("nothing", CXX=os.path.join(self.folder, "cxx")).stdout)
        self.assertEqual(len(self.look("one_too_far", CXX=os.path.join(self.folder, "cxx"), status=1)["hazards"]), 1)

    def test_a_kernel_that_takes_its_time_is_no_finding(self):
        self.write("slow.cu", """
__global__ void slow(int *out, int n)
{
    int w[8] = {0};
    for (int k = 0; k < n; k++)
        w[k & 7] += k;
    out[threadIdx.x] = w[3];
}
""")
        report = self.report("slow", "--arg", "i32[32]:zero", "--arg", "20000", file="slow.cu", status=0,
                             shape=("--grid", "1", "--block", "32"))
        self.assertEqual(report["counts"], {})


if __name__ == "__main__":
    unittest.main()
