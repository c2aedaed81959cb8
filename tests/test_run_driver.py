#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`reductio run FILE...` of programs that call CUDA's driver, and have NVRTC compile: results, mistakes, and what is not simulated."""

import os
import re
import subprocess
import tempfile
import unittest

from check_case import BINARY, HERE
from patience import WAIT_S


def path_of(name):
    return os.path.join(HERE, "programs_cu", name + ".cu")


def run(*arguments):
    return subprocess.run([BINARY, "run", *arguments, "--one-line"], capture_output=True, text=True, timeout=WAIT_S, check=False)


def wanted(name):
    """The mistakes of a program: lines, and the hazards that are to be told of them."""
    with open(path_of(name), encoding="utf-8") as file:
        found = ((k, re.search(r"// want ([a-z-]+)$", line)) for k, line in enumerate(file, 1))
        return {(k, match[1]) for k, match in found if match}


class Driver(unittest.TestCase):
    def assert_results(self, done, least):
        self.assertEqual([line for line in done.stdout.splitlines() if line.endswith("WRONG")], [], done.stdout + done.stderr)
        self.assertGreaterEqual(len(re.findall(r": ok$", done.stdout, re.M)), least, done.stdout + done.stderr)

    def assert_told(self, done, name):
        """Its mistakes are told, each in its line, and nothing else of the file is."""
        told = re.findall(rf"\b{name}\.cu:(\d+)(?::\d+)?: ([a-z-]+): ", done.stdout)
        self.assertEqual({(int(line), hazard) for line, hazard in told}, wanted(name), done.stdout)

    def test_driver_and_modules(self):
        done = run(path_of("driver"), path_of("driver_kernels"))
        self.assert_results(done, 63)
        self.assert_told(done, "driver")
        kernels = re.findall(r"driver_kernels\.cu:(\d+):\d+: ([a-z-]+): thread 0 of block 0 of (\w+) ", done.stdout)
        self.assertEqual([row[1:] for row in kernels], [("out-of-bounds", "behind"), ("out-of-bounds", "unmapped")], done.stdout)
        for words in ("CUDA_ERROR_INVALID_VALUE: a block of 65 threads, where it is compiled for at most 64",
                      "cuLaunchKernel gives add 2 values, where its 4 parameters take 4",
                      "cuMemAlloc fails with CUDA_ERROR_OUT_OF_MEMORY: out of memory, which goes unnoticed",
                      "allocated by cuMemAlloc, is not freed when its context is destroyed",
                      "'other.ptx', which no given file stands for: give the .cu file that nvcc would make it of, as 'other.cu', too"):
            self.assertIn(words, done.stdout)
        self.assertEqual(done.returncode, 1)

    def test_nvrtc(self):
        done = run(path_of("nvrtc"))
        self.assert_results(done, 18)
        self.assert_told(done, "nvrtc")
        self.assertRegex(done.stdout, r"\bscale\.cu:11:\d+: race: ")
        self.assertEqual(done.returncode, 1)

    def test_what_is_not_simulated_ends_the_program_in_one_sentence(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "ptx.cpp")
            with open(path, "w", encoding="utf-8") as file:
                file.write("#include <cuda.h>\nint main(int argc, char **)\n{\n    CUmodule m;\n    CUcontext c;\n    CUgraph g;\n"
                           "    cuInit(0);\n    cuCtxCreate(&c, 0, 0);\n    if (argc > 1)\n        return cuGraphCreate(&g, 0);\n"
                           '    return cuModuleLoadData(&m, ".version 7.0\\n.entry k() { ret; }");\n}\n')
            done = run(path)
            self.assertIn("Reductio does not simulate PTX as a module: give the .cu file that it was made of, too (line 11)", done.stdout)
            self.assertEqual(done.returncode, 3)
            done = run(path, "--", "graph")
            self.assertIn("Reductio does not simulate cuGraphCreate (line 10)", done.stdout)
            self.assertEqual(done.returncode, 3)


if __name__ == "__main__":
    unittest.main()
