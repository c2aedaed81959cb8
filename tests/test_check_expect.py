#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What `reductio check` is told to expect: operations and laws over what buffers held before; and what it passes over.

usage: test_check_expect.py REDUCTIO [unittest's arguments]"""

import json
import os
import re
import subprocess
import unittest

from check_case import BINARY, HERE, CheckTest
from test_check_arguments import ShapesTest


class OperationTest(ShapesTest):
    ALL = ("--kernel", "all_of", "--arg", "i32[9]:plus-3", "--arg", "9", "--arg", "i32[7]:zero")

    def one(self, *arguments):
        return self.run_shape(*arguments, shape=("--grid", "1", "--block", "1"))

    def test_integers_are_equal_or_wrong(self):
        expects = ["2[0]=product(0)", "2[1]=max(0)", "2[2]=min(0)", "2[3]=and(0)", "2[4]=or(0)", "2[5]=xor(0)", "2[6]=dot(0, 0)"]
        right = [word for expect in expects for word in ("--expect", expect)]
        done = self.one(*self.ALL, *right)
        self.assert_status(done, 0)
        self.assertEqual(done.stdout.count("as expected: out is "), 7, done.stdout)
        self.assertIn("as expected: out is product(0); 6 of 7 cells are not asserted\n", done.stdout)
        self.assertNotIn("was not judged", done.stdout)
        for expect, words in {"2[0]=sum(0)": "out[0] is 0, and sum(0) is 9", "2[1]=min(0)": "out[1] is 5, and min(0) is -3",
                              "2[3]=or(0)": "out[3] is 0, and or(0) is -1", "2[6]=dot(0,0[0..8])": None,
                              "2[1]=max(0[0..4])": "out[1] is 5, and max(0[0..4]) is 0"}.items():
            done = self.one(*self.ALL, "--expect", expect)
            if words is None:
                self.assert_refused(done, "'dot' is of two of one size: '0' has 9, '0' 8")
                continue
            self.assert_status(done, 1)
            self.assertIn("unexpected: " + words + "; 1 of 1 differ\n", done.stdout)

    def test_sums_of_floats_are_within_the_bound(self):
        run = ("--kernel", "total", "--arg", "f32[1000]:random:3", "--arg")
        done = self.one(*run, "1000", "--arg", "out=f32[1]:zero", "--expect", "out=sum(0)")
        self.assert_status(done, 0)
        self.assertIn("as expected: out is sum(0), within the bound of its roundings\n", done.stdout)
        done = self.one(*run, "999", "--arg", "out=f32[1]:zero", "--expect", "out=sum(0)")
        self.assert_status(done, 1)
        self.assertRegex(done.stdout, r"unexpected: out\[0\] is [-.\d]+, and sum\(0\) is [-.\d]+; 1 of 1 differ; it is off by "
                         r"[-.e\d]+, where the bound of its roundings is [-.e\d]+\n")

    def test_tolerance_takes_the_place_of_the_bound(self):
        run = ("--kernel", "total", "--arg", "f32[1000]:random:3", "--arg", "1000", "--arg", "f32[1]:zero", "--expect", "2=sum(0)")
        self.assert_status(self.one(*run, "--tolerance", "1e-4"), 0)
        done = self.one(*run, "--tolerance", "0")
        self.assert_status(done, 1)
        self.assertIn("where the tolerance is 0", done.stdout)
        self.assert_refused(self.one(*run, "--tolerance", "2"), "'--tolerance' is '2': use a number from 0 to 1")
        self.write("want", "0.5 1.5")
        run = ("--kernel", "show", "--arg", "f32[2]:plus1", "--arg", "i32[1]:zero", "--expect", "0=@want")
        self.assert_status(self.one(*run), 1)
        self.assert_status(self.one(*run, "--tolerance", "0.5"), 0)

    def test_cell_that_nobody_has_written_is_as_nothing_expects(self):
        run = (*self.ALL[:-1], "out=i32[8]:uninit")
        held = self.one(*run, "--print", "out").stdout.splitlines()[-1]
        self.write("want", held)
        for expect, words in (("out[7]=sum(0)", "out[7] is not initialised, and sum(0) is 9; 1 of 1 differ"),
                              ("out=@want", f"out[7] is not initialised, and 'want' has {held.split()[-1]}; 1 of 8 differ")):
            done = self.one(*run, "--expect", expect)
            self.assert_status(done, 1)
            self.assertIn("unexpected: " + words + "\n", done.stdout)

    def test_what_cant_be_judged_is_not_clean(self):
        self.write("nan", "1 nan 3")
        done = self.one("--kernel", "most_at", "--arg", "f32[3]:@nan", "--arg", "3", "--arg", "i32[1]:zero", "--expect", "2=argmax(0)")
        self.assert_status(done, 3)
        self.assertIn("not judged: at and argmax(0): an input is not a number\n", done.stdout)
        self.assertIn("; the result could not be judged\n", done.stdout)
        done = self.one("--kernel", "most_at", "--arg", "f32[3]:@nan", "--arg", "3", "--arg", "i32[1]:zero", "--expect", "2=argmax(0)",
                        "--format", "tap")
        self.assert_status(done, 3)
        self.assertIn("# verdict: INCONCLUSIVE\n", done.stdout)
        self.assertRegex(done.stdout, r"not ok 3 - most_at: result")

    def test_index_of_any_that_is_best_will_do(self):
        self.write("in", "1 5 2 5")
        run = ("--kernel", "most_at", "--arg", "f32[4]:@in", "--arg", "4", "--arg", "i32[1]:zero", "--expect")
        self.assert_status(self.one(*run, "2=argmax(0)"), 0)
        done = self.one(*run, "2=argmin(0)")
        self.assertIn("unexpected: at[0] is 1, and argmin(0) is 0; 1 of 1 differ\n", done.stdout)

    def test_what_is_no_expectation_is_refused(self):
        with open(os.path.join(HERE, "..", "kernels", "operations.h"), encoding="utf-8") as file:
            names = ", ".join(re.findall(r"(?m)^    X\((\w+), [A-Z]", file.read()))
        text = subprocess.run([BINARY, "check", "--help"], capture_output=True, text=True, check=True).stdout
        self.assertIn(f"before, {names}, as sum(INDEX)", " ".join(text.split()))
        for expect, words in {"2=mean(0)": f"'--expect' has 'mean(0)': write @FILE, law: LAW, or one of {names} of a buffer",
                              "2=sum(7)": "'--expect 7' names no argument: there are 3", "2=sum(1)": "names '9', which is no buffer",
                              "2=sum(0,0)": "'sum' is of one buffer", "2=dot(0)": "'dot' is of two buffers",
                              "2[7]=sum(0)": "names no cell of '2', which has 7", "2=sum(0[3..3])": "is no slice of '0'",
                              "2[0]=law: A[0] = 1": "a law is of a whole buffer"}.items():
            with self.subTest(expect):
                self.assert_refused(self.one(*self.ALL, "--expect", expect, ), words)


class LawTest(ShapesTest):
    LAW = "for 0 <= i < 8: A[i] = sum of a[j], j mod 8 = i"

    def fold(self, w, expect, type_="f32"):
        return self.run_shape("--kernel", "fold", "--arg", f"{type_}[16]:random:1", "--arg", w, "--expect", expect)

    def test_right_kernel_keeps_it(self):
        done = self.fold("8", "0=law: " + self.LAW)
        self.assert_status(done, 0)
        self.assertIn(f"as expected: A is by the law '{self.LAW}', within the bound of its roundings; 8 of 16 cells are not "
                      "asserted\n", done.stdout)

    def test_wrong_kernel_breaks_it(self):
        done = self.fold("7", "0=law(a=0, n=16): " + self.LAW)
        self.assert_status(done, 1)
        self.assertRegex(done.stdout, r"unexpected: A\[0\] is .*it is .*; 8 of 8 differ; it is off by ")

    def add(self, law, *specs):
        specs = specs or ("x=i32[8]:iota", "in=i32[8]:one", "out=i32[8]:uninit")
        self.write("sums.cu", "__global__ void add(const int *p, const int *q, int *r) { r[threadIdx.x] = p[threadIdx.x] + q[threadIdx.x]; }\n"
                              "__global__ void number(int *p) { p[threadIdx.x] = threadIdx.x; }\n")
        return self.check("--kernel", "add" if len(specs) > 1 else "number", *[word for spec in specs for word in ("--arg", spec)],
                          "--expect", law, "--private", "off", file="sums.cu", shape=("--grid", "1", "--block", "8"))

    def test_law_has_the_names_of_buffers(self):
        for law in ("A[i] = x[i] + in[i]", "out[i] = x[i] + in[i]", "out[i] = i + in[i]", "out[i] = a[i] + b[i]", "out[i] = i + 1"):
            done = self.add(f"out=law: for 0 <= i < n: {law}")
            self.assert_status(done, 0)
            self.assertIn(f"as expected: out is by the law 'for 0 <= i < n: {law}'\n", done.stdout)
        done = self.add("out=law: for 0 <= i < n: out[i] = x[i] + 2*in[i]")
        self.assertIn("unexpected: out[0] is 1, and by the law", done.stdout)
        self.assert_refused(self.add("out=law: for 0 <= i < n: A[i] = out[i]"), "what 'out' holds before the launch, and it is uninit")

    def test_name_that_was_given_goes_before_the_letter(self):
        done = self.add("a=law: for 0 <= i < n: A[i] = b[i] + a[i]", "b=i32[8]:iota", "a=i32[8]:one", "a")
        self.assert_status(done, 0)

    def test_law_without_inputs_is_of_a_buffer_that_is_uninit(self):
        self.assert_status(self.add("0=law: for 0 <= i < n: A[i] = i", "i32[8]:uninit"), 0)
        self.assert_status(self.add("0=law: for 0 <= i < n: A[i] = i + 1", "i32[8]:uninit"), 1)

    def test_law_that_is_none_is_refused_at_its_place(self):
        self.assert_refused(self.fold("8", "0=law: A[0] = sum of b[j]"), "the law of '--expect', column 16: 'b' isn't known here (known: a)")
        self.assert_refused(self.fold("8", "0=law: A[16] = a[0]"), "the law of '--expect'")
        self.assert_refused(self.fold("8", "0=law A[0] = a[0]"), "without a colon")
        self.assert_refused(self.fold("8", "0=law(a): A[0] = a[0]"), "write NAME=BUFFER")
        self.assert_refused(self.fold("8", "0=law(a=3): A[0] = a[0]"), "'--expect 3' names no argument")


class SuppressionTest(ShapesTest):
    RUN = ("--kernel", "shift", "--arg", "x=i32[8]:iota", "--arg", "x+1", "--arg", "7", "--suppressions", "known")
    LINE = 25

    def test_suppressed_finding_is_named(self):
        self.write("known", f"# all known\nrace shapes.cu:{self.LINE} neighbours overlap on purpose\nrace shapes.cu:1 never\n")
        done = self.run_shape(*self.RUN)
        self.assert_status(done, 0)
        self.assertRegex(done.stdout, r"\Asuppressed: race at shapes\.cu:25:\d+, \d+ times: neighbours overlap on purpose \(known:2\)\n"
                         r"unused suppression: known:3: nothing like race was found at shapes\.cu:1\n")
        self.assertIn("shift: 0 hazards in 8 threads; 1 suppressed; ", done.stdout)
        report = json.loads(self.run_shape(*self.RUN, "--json").stdout)
        self.assertEqual([one["reason"] for one in report["suppressed"]], ["neighbours overlap on purpose"])
        self.assertEqual([one["line"] for one in report["unused_suppressions"]], [1])
        self.assertIn("suppressed", self.run_shape(*self.RUN, "--format", "tap").stdout)

    def test_other_kinds_and_lines_are_still_found(self):
        for line in ("out-of-bounds shapes.cu:25 another kind", "race shapes.cu:24 another line", "race other.cu:25 another file"):
            self.write("known", line + "\n")
            done = self.run_shape(*self.RUN)
            self.assert_status(done, 1)
            self.assertIn("unused suppression: known:1: ", done.stdout)

    def test_what_is_no_suppression_is_refused(self):
        for line, words in {"rice shapes.cu:25 typo": "'known' line 1: 'rice' is no hazard", "race shapes.cu:25": "line 1 gives no reason",
                            "race shapes.cu why": "'shapes.cu' is no place: write FILE:LINE"}.items():
            self.write("known", line)
            self.assert_refused(self.run_shape(*self.RUN), words)
        self.assert_refused(self.run_shape(*self.RUN[:-1], "missing"), "'missing' can't be opened")


assert CheckTest

if __name__ == "__main__":
    unittest.main()
