#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`reductio run FILE.cu` names the cause of a mistake: what a copy left out, what nothing has written, and what was given to whom; and
says no more than was looked at."""

import concurrent.futures
import os
import re
import subprocess
import unittest

from check_case import BINARY, TEMPORARY
from patience import WAIT_S

PROGRAM = r"""#include <cstdio>
#include <cstdlib>
__global__ void twice(int *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] = 2 * %(value)s;
}
int main()
{
    const int n = 1000;
    int *host = (int *)malloc(n * sizeof(int)), *device;
    for (int i = 0; i < n; i++)
        host[i] = i;
    cudaMalloc(&device, n * sizeof(int));
%(before)s
    twice<<<%(blocks)s, 256>>>(device, n);
    cudaMemcpy(host, device, n * sizeof(int), cudaMemcpyDeviceToHost);
%(behind)s
    cudaFree(device);
    free(host);
    return 0;
}
"""
FILL = "    cudaMemcpy(device, host, n * sizeof(int), cudaMemcpyHostToDevice);"
SUM = "    long sum = 0; for (int i = 0; i < n; i++) sum += host[i]; printf(\"%ld\\n\", sum);"
LAW = "    //@ ensures for 0 <= i < n: host[i] = 2 * i"
USUAL = {"value": "data[i]", "before": FILL, "blocks": "(n + 255) / 256", "behind": SUM}

# What differs from a right program, and what is said; or where no hazard is to be told, None.
CASES = {
    "right": ({}, None),
    "bytes": ({"before": FILL.replace("n * sizeof(int)", "n")},
              r"reads data\[250\] at .*; the last copy to it, cudaMemcpy at \S*:16:\d+, wrote 1000 of its 4000 bytes: 250 of 1000 elements"),
    "fill": ({"before": FILL + "\n    cudaMemset(device, 0, 16);".replace("16", "4 * n")}, None),
    "no copy": ({"before": ""}, r"reads data\[0\] at .*; nothing was copied to data since its cudaMalloc at \S*:15:\d+"),
    "blocks": ({"value": "i", "before": "", "blocks": "n / 256"},
               r":19:\d+: uninitialised: the host reads byte 3072 of 4000 that were copied from device memory of 4000 bytes .*, where nothing had "
               r"written it at .*; it was copied at \S*:18:\d+"),
    "rest unread": ({"value": "i", "before": "", "blocks": "n / 256", "behind": SUM.replace("i < n", "i < 768")}, None),
    "rest written": ({"value": "i", "before": "", "blocks": "n / 256", "behind": "    for (int i = 768; i < n; i++) host[i] = 2 * i;\n" + SUM}, None),
    "rest copied over": ({"value": "i", "before": "", "blocks": "n / 256",
                          "behind": "    cudaMemset(device, 0, 4 * n); cudaMemcpy(host, device, 4 * n, cudaMemcpyDefault);\n" + SUM}, None),
    "padding": ({"behind": "    struct pair { char c; int i; } p, *q; cudaMalloc(&q, sizeof p); cudaMemset(q, 1, 1); cudaMemset((char *)q + 4, 1, 4);\n"
                           "    cudaMemcpy(&p, q, sizeof p, cudaMemcpyDefault); struct pair r = p; printf(\"%d %d\\n\", r.c, r.i); cudaFree(q);"}, None),
    "rows": ({"behind": "    int *rows, back[8][16]; size_t pitch; cudaMallocPitch(&rows, &pitch, 64, 8); cudaMemset2D(rows, pitch, 0, 16, 8);\n"
                        "    cudaMemcpy2D(back, 64, rows, pitch, 64, 8, cudaMemcpyDeviceToHost); printf(\"%d\\n\", back[7][15]); cudaFree(rows);"},
             r":20:\d+: uninitialised: the host reads byte 60 of 64 that were copied from device memory"),
    "host pointer": ({"behind": "    twice<<<1, 32>>>(host, 32); cudaDeviceSynchronize();"},
                     r"out-of-bounds: .* reads data\[0\] at .*, and data is a host pointer, which a kernel can't follow"),
    "pointer to the stack": ({"behind": "    int own[32]; twice<<<1, 32>>>(own, 32); cudaDeviceSynchronize();"}, "and data is a host pointer"),
    "free of device memory": ({"behind": "    int *other; cudaMalloc(&other, 64); free(other);"},
                              r":19:\d+: invalid-free: the C library is to free device memory of 64 bytes, which cudaFree frees at .*; it was allocated at \S*:19:"),
}


def run(name, text, *options):
    path = os.path.join(TEMPORARY.name, "cause_" + re.sub(r"\W", "_", name) + ".cu")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    done = subprocess.run([BINARY, "run", path, *options], capture_output=True, text=True, errors="replace", timeout=WAIT_S, check=False)
    return done.returncode, done.stdout + done.stderr


class Causes(unittest.TestCase):
    def test_each_cause_is_named_and_right_twins_have_none(self):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            runs = {name: pool.submit(run, name, PROGRAM % {**USUAL, **case[0]}, "--one-line") for name, case in CASES.items()}
        for name, (_, pattern) in CASES.items():
            with self.subTest(name):
                status, said = runs[name].result()
                if pattern is None:
                    self.assertIn(", 0 hazards", said)
                    self.assertEqual(status, 3, said)
                else:
                    self.assertRegex(said, pattern)
                    self.assertIn(", 1 hazard (", said)

    def test_law_of_cells_that_were_copied_unwritten_says_so(self):
        _, said = run("law", PROGRAM % {**USUAL, "value": "i", "before": "", "blocks": "n / 256", "behind": LAW})
        self.assertIn("VIOLATED: host[768] is not initialised, and the law says 1536", said)

    def test_program_that_ends_by_an_error_of_its_own_has_one_line_for_leaks(self):
        text = PROGRAM % {**USUAL, "behind": "    if (host[3] == 6) { fprintf(stderr, \"wrong\\n\"); %s; }"}
        for end in ("return 1", "exit(2)"):
            status, said = run("exit", text % end)
            self.assertIn("not counted: 1 leak, as the program ends by an error of its own\n", said)
            self.assertIn(", 1 launch, 0 hazards: ", said)
            self.assertEqual(status, 1)
        self.assertIn("1 hazard (leak 1)", run("exit", text % "exit(0)")[1])

    def test_command_for_a_kernel_keeps_to_its_launch_bounds(self):
        path = os.path.join(TEMPORARY.name, "bounds.cu")
        with open(path, "w", encoding="utf-8") as file:
            file.write("#define MOST 128\n__global__ void __launch_bounds__(MOST) three(double *p, size_t n) { if (threadIdx.x < n) p[threadIdx.x] = 3; }\n")
        done = subprocess.run([BINARY, "check", path], capture_output=True, text=True, timeout=WAIT_S, check=False)
        self.assertIn("--kernel three --grid 8 --block 128 ", done.stdout)

    def test_requirement_alone_holds_nothing(self):
        status, said = run("requires", PROGRAM % {**USUAL, "before": FILL + "\n    //@ requires n <= 1000"})
        self.assertIn("HOLDS, asserted 1 time", said)
        self.assertIn("INCONCLUSIVE", said)
        self.assertIn("1 requirement met, and nothing was asserted of what the program does", said)
        self.assertEqual(status, 3)


if __name__ == "__main__":
    unittest.main()
