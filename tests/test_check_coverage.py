#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What of CUDA compiles and means what CUDA says: headers of the user's, narrow floats, textures, functions that are not there.
tests/coverage/numbers.txt, and the lines of textures.txt on arrays of two dimensions, are what an H100 has printed.

usage: test_check_coverage.py REDUCTIO [unittest's arguments]"""

import os
import subprocess
import unittest

from check_case import BINARY, HERE, CheckTest
from patience import WAIT_S


def printed(done):
    """Lines that a program has printed: an empty one and the last one are Reductio's."""
    lines = done.stdout.splitlines()[:-1]
    return lines[:-1] if lines and not lines[-1] else lines


class CoverageTest(CheckTest):
    def run_file(self, path):
        return subprocess.run([BINARY, "run", path], cwd=self.folder, env=self.environment, capture_output=True,
                              text=True, timeout=WAIT_S)

    def assert_prints(self, text, *lines):
        self.write("whole.cu", text)
        done = self.run_file("whole.cu")
        self.assertEqual(printed(done), list(lines), done.stdout + done.stderr)
        return done

    def test_programs_print_what_a_gpu_has_printed(self):
        for name in ("numbers", "textures"):
            with self.subTest(name):
                done = self.run_file(os.path.join(HERE, "coverage", name + ".cu"))
                with open(os.path.join(HERE, "coverage", name + ".txt"), encoding="utf-8") as file:
                    self.assertEqual(printed(done), file.read().splitlines())

    def test_launch_in_a_header_runs(self):
        self.write("inner.cuh", "#pragma once\n__global__ void k(int *a) { a[threadIdx.x] += 1; }\n")
        self.write("outer.cuh", '#include "inner.cuh"\ninline void go(int *a) { k<<<1, 4>>>(a); }\n')
        self.assert_prints('#include "outer.cuh"\n#include "inner.cuh"\n#include <cstdio>\nint main()\n{\n'
                           "    int *a, b[4];\n    cudaMalloc(&a, 16);\n    cudaMemset(a, 0, 16);\n    go(a);\n"
                           "    cudaMemcpy(b, a, 16, cudaMemcpyDeviceToHost);\n    printf(\"%d\\n\", b[3]);\n"
                           "    cudaFree(a);\n}\n", "1")

    def test_function_that_is_not_there_is_told_only_where_it_is_called(self):
        text = ("#include <cstdio>\nvoid elsewhere(int);\nextern \"C\" int plain(void);\nint main(int argc, char **)\n{\n"
                "    if (argc > %d)\n        elsewhere(plain());\n    printf(\"done\\n\");\n}\n")
        self.assert_prints(text % 5, "done")
        self.write("whole.cu", text % 0)
        done = self.run_file("whole.cu")
        self.assertIn("Reductio does not simulate plain, which no file that was given defines (line 7)",
                      done.stdout + done.stderr)
        self.assertNotIn("done", done.stdout)

    def test_shared_variable_is_aligned_by_alignas(self):
        self.assert_prints("#include <cstdio>\n__global__ void k(int *a)\n{\n"
                           "    __shared__ alignas(64) float s[4];\n    a[0] = (int)((unsigned long long)s % 64);\n}\n"
                           "int main()\n{\n    int *a, b = 7;\n    cudaMalloc(&a, 4);\n    k<<<1, 1>>>(a);\n"
                           "    cudaMemcpy(&b, a, 4, cudaMemcpyDeviceToHost);\n    printf(\"%d\\n\", b);\n"
                           "    cudaFree(a);\n}\n", "0")

    def test_what_textures_and_surfaces_access_is_looked_at(self):
        text = ("__global__ void get(cudaTextureObject_t t, float *a)\n{\n    a[0] = tex2D<float>(t, 1.5f, 1.5f);\n}\n"
                "__global__ void set(cudaSurfaceObject_t s)\n{\n    surf2Dwrite(1.0f, s, 4 * threadIdx.x, 0);\n}\n"
                "int main()\n{\n    float *a;\n    cudaArray_t array;\n"
                "    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();\n"
                "    cudaMallocArray(&array, &format, 4, 4, cudaArraySurfaceLoadStore);\n    cudaMalloc(&a, 4);\n"
                "    cudaResourceDesc what = {};\n    cudaTextureDesc how = {};\n    cudaTextureObject_t t;\n"
                "    cudaSurfaceObject_t s;\n    what.resType = cudaResourceTypeArray;\n    what.res.array.array = array;\n"
                "    cudaCreateTextureObject(&t, &what, &how, NULL);\n    cudaCreateSurfaceObject(&s, &what);\n"
                "    %s;\n    cudaFree(a);\n    cudaFreeArray(array);\n    cudaDestroyTextureObject(t);\n}\n")
        for call, word in (("get<<<1, 1>>>(t, a)", "whole.cu:3"), ("set<<<1, 5>>>(s)", "whole.cu:7")):
            with self.subTest(call):
                self.write("whole.cu", text % call)
                done = self.run_file("whole.cu")
                self.assertEqual(done.returncode, 1, done.stdout)
                self.assertIn(word, done.stdout)
        self.write("whole.cu", text % "set<<<1, 4>>>(s)")
        done = self.run_file("whole.cu")
        self.assertIn("0 hazards", done.stdout)


if __name__ == "__main__":
    unittest.main()
