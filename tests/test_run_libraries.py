#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`reductio run FILE.cu` of programs that use CUDA's libraries, or rarer parts of its runtime: their results, and mistakes in their use."""

import os
import re
import subprocess
import unittest

from check_case import BINARY, HERE
from patience import WAIT_S


def path_of(name):
    return os.path.join(HERE, "programs_cu", name)


def wanted(name):
    """The mistakes of a program: the line and the hazard of each finding that is to be told, "3 leak" of three."""
    with open(path_of(name), encoding="utf-8") as file:
        found = ((k, re.search(r"// want (?:(\d) )?([a-z-]+)$", line)) for k, line in enumerate(file, 1))
        return [(k, match[2]) for k, match in found if match for _ in range(int(match[1] or 1))]


class Libraries(unittest.TestCase):
    def assert_program(self, name, n_results, others=(), options=()):
        """All its results are right, and its mistakes are told, each in its line, and nothing else is."""
        files = [name + ".cu", *others]
        done = subprocess.run([BINARY, "run", *map(path_of, files), "--one-line", *options], capture_output=True, text=True, timeout=WAIT_S, check=False)
        self.assertEqual([line for line in done.stdout.splitlines() if line.endswith("WRONG")], [], done.stderr)
        self.assertEqual(len(re.findall(r": ok$", done.stdout, re.M)), n_results, done.stdout + done.stderr)
        for file in files:
            told = re.findall(rf"{re.escape(file)}:(\d+)(?::\d+)?: ([a-z-]+): ", done.stdout)
            self.assertEqual(sorted((int(line), hazard) for line, hazard in told), wanted(file), done.stdout)
        self.assertEqual(done.returncode, 1)

    def test_cublas_and_curand(self):
        self.assert_program("libraries", 25)

    def test_quasi_random_numbers(self):
        self.assert_program("quasi", 6)

    def test_cufft(self):
        self.assert_program("fourier", 14)

    def test_callbacks_of_cufft(self):
        self.assert_program("fourier_callbacks", 10)

    def test_cufft_on_two_devices(self):
        self.assert_program("several_gpus", 24, options=["--devices", "2"])

    def test_cusparse_and_factors(self):
        self.assert_program("factors", 16)

    def test_nodes_of_graphs(self):
        self.assert_program("graph_nodes", 14)

    def test_what_samples_need(self):
        self.assert_program("sample_parts", 11, ["sample_host.cpp"])

    def test_thrust_and_cub(self):
        self.assert_program("templates", 27)

    def test_what_arrays_and_textures_refuse(self):
        self.assert_program("array_errors", 20)

    def test_types_in_cub(self):
        self.assert_program("cub_types", 14)

    def test_more_of_thrust(self):
        self.assert_program("thrust", 26)

    def test_one_thread_that_stands_for_many_may_take_long(self):
        self.assert_program("one_for_many", 5, options=["--steps", "300000"])

    def test_a_call_that_never_ends_is_told(self):
        name = path_of("endless_calls.cu")
        with open(name, encoding="utf-8") as file:
            lines = {match[1]: k for k, line in enumerate(file, 1) if (match := re.search(r"// (\d) never ends$", line))}
        # By steps, by time where it accesses nothing, and not where each of many calls ends.
        for which, option in (("1", ["--steps", "1000000"]), ("3", ["--steps", "1000000"]), ("2", ["--timeout", "6"]), ("4", ["--timeout", "2"])):
            with self.subTest(which=which):
                done = subprocess.run([BINARY, "run", name, "--one-line", *option, "--", which], capture_output=True, text=True, timeout=WAIT_S, check=False)
                told = re.findall(r"endless_calls.cu:(\d+)(?::\d+)?: ([a-z-]+): ", done.stdout)
                self.assertEqual([hazard for _, hazard in told], ["no-termination"] if which in lines else [], done.stdout + done.stderr)
                if which in lines:  # of a loop of several lines, any
                    self.assertIn(int(told[0][0]) - lines[which], (-1, 0, 1, 3), done.stdout)
                self.assertEqual(done.returncode, 1 if which in lines else 3)


if __name__ == "__main__":
    unittest.main()
