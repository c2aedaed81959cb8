#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`reductio run FILE.cu` says what nvcc and a device would: code that differs by __CUDA_ARCH__, names that only the host has in code of
the device, memory of another device, what kernels print, matrices of a part of a warp, and flags between the host and a kernel."""

import json
import os
import re
import subprocess
import unittest

from check_case import BINARY, HERE
from patience import WAIT_S

PROGRAMS = os.path.join(HERE, "programs_cu")


def run(*arguments):
    done = subprocess.run([BINARY, "run", *arguments], capture_output=True, text=True, errors="replace", timeout=WAIT_S, check=False)
    return done.returncode, done.stdout, done.stderr


def program(name):
    return os.path.join(PROGRAMS, name + ".cu")


def wanted(name):
    """(line, mistake) of each line of the program where a mistake is to be told."""
    with open(program(name), encoding="utf-8") as file:
        return [(k, found[1]) for k, line in enumerate(file, 1) if (found := re.search(r"// want (\S+)$", line))]


class Passes(unittest.TestCase):
    def test_host_has_what_it_has_without_the_macro(self):
        status, out, err = run(program("two_passes"))
        with open(program("two_passes"), encoding="utf-8") as file:
            lines = [k for k, line in enumerate(file, 1) if "__LINE__" in line]
        self.assertEqual(out.splitlines()[:1], ["int main() 2 main"])
        self.assertEqual(out.splitlines()[1:2], [f"device 2 10 7 host 101 15 3 {3 + lines[0]} -4 line {lines[1]}"], err)
        self.assertEqual(status, 3)

    def test_declarations_that_differ_are_refused_at_their_line(self):
        status, _, err = run("-DOUTSIDE", program("two_passes"))
        with open(program("two_passes"), encoding="utf-8") as file:
            line = next(k for k, line in enumerate(file, 1) if "OUTSIDE" in line)
        self.assertRegex(err, rf"two_passes\.cu:{line}: here '__CUDA_ARCH__' gives the host other declarations than the device")
        self.assertEqual(status, 2)


class Names(unittest.TestCase):
    def test_forms_that_few_programs_have_are_taken(self):
        status, out, err = run(program("forms"), "--", "x")
        self.assertEqual(out.splitlines()[:1], ["33 5 -5 2 x"], err)
        self.assertEqual((status, err), (3, ""))

    def test_names_that_the_device_may_say_are_taken(self):
        status, out, err = run(program("host_names"))
        self.assertEqual((status, err), (3, ""))
        self.assertIn("0 hazards", out)

    def test_names_of_the_host_are_refused_at_their_lines(self):
        status, _, err = run("-DWRONG", program("host_names"))
        told = re.findall(r"host_names\.cu:(\d+):\d+: error: '\w+' is a (\w+) of the host", err)
        self.assertEqual([(int(line), what) for line, what in told], wanted("host_names"))
        self.assertEqual(status, 2)


class HostVariables(unittest.TestCase):
    FILES = (program("host_variables"), program("host_variables_other"), "-isystem", os.path.join(PROGRAMS, "system"))

    def test_what_a_kernel_may_access_is_not_told(self):
        _, out, err = run("--one-line", "-Dcommanded=__device__", *self.FILES)
        self.assertEqual((out.splitlines()[:2], err), (["2 1 1", "cudaSuccess"], ""), out)
        self.assertIn(", 0 hazards", out.splitlines()[-1], out)

    def test_variables_of_the_host_are_told_by_name(self):
        status, out, err = run("--one-line", *self.FILES, "--", "wrong")
        told = re.findall(r"host_variables\.cu:(\d+):\d+: out-of-bounds: .* (?:reads|writes|updates) (?:16 bytes at )?(.*?)(?: atomically)? at /", out)
        told = [(int(line), what.replace(" ", "_")) for line, what in told]
        self.assertEqual(told, wanted("host_variables"), out + err)
        self.assertEqual(out.count(", which is a variable of the host's."), len(told) - 1)
        self.assertEqual((out.splitlines()[0], status), ("cudaErrorIllegalAddress", 1))


class Untold(unittest.TestCase):
    LINES = {mistake: line for line, mistake in wanted("untold")}
    WRONG = {"fewer": "printf-arguments", "more": "printf-arguments", "float": "printf-arguments", "string": "out-of-bounds",
             "matrix": "mask-mismatch", "unpolled": "race", "exchange": "uninitialised", "peer": "out-of-bounds", "registered": "out-of-bounds"}

    def run_it(self, *words, options=()):
        return run("--one-line", "--devices", "2", *options, program("untold"), "--", *words)

    def test_each_mistake_is_told_at_its_line(self):
        status, out, err = self.run_it("arguments", "unset", "string", "matrix", "unpolled", "exchange", "peer", "registered")
        for mistake, hazard in self.WRONG.items():
            self.assertRegex(out, rf"untold\.cu:{self.LINES[mistake]}(:\d+)?: {hazard}: ", err)
        self.assertRegex(out, rf"untold\.cu:{self.LINES['string']}(:\d+)?: uninitialised: ")
        self.assertRegex(out, rf"untold\.cu:{self.LINES['registered']}(:\d+)?: out-of-bounds: .* held\[6\]")
        self.assertEqual(status, 1)

    def test_right_twins_have_no_hazards(self):
        status, out, err = self.run_it("printed", "matrix-whole", "poll", "poll-twice", "exchange-dropped", "peer-enabled",
                                       "registered-whole")
        self.assertIn(", 0 hazards", out.splitlines()[-1], out + err)
        self.assertIn("data 7\n", out)
        self.assertIn("held 2 0\n", out)
        self.assertIn("not looked at: whether kernel set has written what the host reads before it sets the flag", out)
        self.assertEqual(status, 3)

    def test_memory_registered_in_one_page_with_other_is_refused_in_one_sentence(self):
        status, out, err = self.run_it("registered-twice")
        self.assertRegex(out + err, r"Reductio does not simulate memory that is registered in a page with other registered memory "
                                    rf"\(line {self.LINES['registered-twice']}\)")
        self.assertEqual(status, 3)

    def test_kernel_that_waits_for_the_host_is_not_said_to_have_no_end(self):
        status, out, _ = self.run_it("await", options=("--timeout", "1"))
        self.assertRegex(out, rf"not looked at: what follows \S+untold\.cu:{self.LINES['await']}, where a kernel waits for memory that the host")
        self.assertRegex(out.splitlines()[-1], "^INCONCLUSIVE .* 0 hazards")
        self.assertEqual(status, 3)

    def test_nothing_is_told_of_what_follows_a_kernel_that_waits_for_the_host(self):
        status, out, _ = run(program("waits"))
        self.assertRegex(out, r"not looked at: what follows \S+waits\.cu:\d+, where a kernel waits for memory that the host")
        self.assertRegex(out.splitlines()[-1], "^INCONCLUSIVE .* 0 hazards")
        self.assertEqual(status, 3)


class Unvaried(unittest.TestCase):
    def test_what_is_the_same_under_all_schedules_is_said(self):
        for arguments, words in (((), ""), (("x",), "; what __activemask() gives was not varied"),
                                 (("x", "y"), "; what __activemask() and clocks give was not varied")):
            with self.subTest(arguments=arguments):
                status, out, err = run(program("unvaried"), "--", *arguments)
                self.assertRegex(out.splitlines()[-1], r"^HOLDS .*: 1 assertion, 32 cells asserted" + re.escape(words) + "$", err)
                self.assertEqual(status, 0)
        _, out, _ = run(program("unvaried"), "--format", "json", "--", "x")
        self.assertEqual(json.loads(out)["subjects"][-1]["not_looked_at"], ["other values of what was not varied: __activemask()"])


if __name__ == "__main__":
    unittest.main()
