#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`reductio run FILE.cu` of programs that use CUDA's libraries: their results, and mistakes in their use."""

import os
import re
import subprocess
import unittest

from check_case import BINARY, HERE
from patience import WAIT_S


def path_of(name):
    return os.path.join(HERE, "programs_cu", name + ".cu")


def wanted(name):
    """The mistakes of a program: the line and the hazard of each finding that is to be told, of a race within a warp and within a block two."""
    with open(path_of(name), encoding="utf-8") as file:
        found = ((k, re.search(r"// want ([a-z -]+)$", line)) for k, line in enumerate(file, 1))
        return [(k, hazard) for k, match in found if match for hazard in match[1].split()]


class Libraries(unittest.TestCase):
    def assert_program(self, name, n_results):
        """All its results are right, and its mistakes are told, each in its line, and nothing else is."""
        done = subprocess.run([BINARY, "run", path_of(name), "--one-line"], capture_output=True, text=True, timeout=WAIT_S, check=False)
        self.assertEqual([line for line in done.stdout.splitlines() if line.endswith("WRONG")], [], done.stderr)
        self.assertEqual(len(re.findall(r": ok$", done.stdout, re.M)), n_results, done.stdout + done.stderr)
        told = re.findall(rf"{name}\.cu:(\d+)(?::\d+)?: ([a-z-]+): ", done.stdout)
        self.assertEqual(sorted((int(line), hazard) for line, hazard in told), wanted(name), done.stdout)
        self.assertEqual(done.returncode, 1)

    def test_cublas_and_curand(self):
        self.assert_program("libraries", 23)

    def test_thrust_and_cub(self):
        self.assert_program("templates", 21)


if __name__ == "__main__":
    unittest.main()
